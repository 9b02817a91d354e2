//! One row: a test, a prompt, a provider.

use crate::input::json::Cursor;
use crate::input::{Error, ErrorKind};
use crate::model::{Asked, Locator, Outcome, SourceId};
use crate::readers::answer_hash::answer;
use crate::readers::asked_hash::asked;
use crate::readers::record_value::{items, number, short_text, text};
use serde_json::Value;
use std::ops::Range;

/// What is kept of a row.
#[derive(Debug)]
pub(super) struct PromptfooRow {
    /// `promptIdx`; of a row without one the place of its prompt and provider among those of the file.
    pub prompt: usize,
    /// `promptIdx` as the file has it.
    pub prompt_idx: Option<usize>,
    /// `testIdx`.
    pub test: Option<f64>,
    /// Label of the provider, else its id.
    pub provider: String,
    /// Label of the prompt.
    pub prompt_label: String,
    /// What the test is called.
    pub description: Option<String>,
    /// Variables: name and value in one line.
    pub vars: Vec<(String, String)>,
    /// Stands for variables, assertions and description: what makes the test.
    pub identity: u64,
    /// `success`.
    pub is_success: bool,
    /// The provider failed, not an assertion.
    pub is_error: bool,
    /// Nothing was checked.
    pub is_unchecked: bool,
    /// `score`.
    pub score: Option<f64>,
    /// `latencyMs`.
    pub latency_ms: Option<f64>,
    /// `cost`, in US dollars.
    pub cost: Option<f64>,
    /// Numbers of `tokenUsage`, by path.
    pub tokens: Vec<(String, f64)>,
    /// Named scores with weight and number of assertions.
    pub named: Vec<(String, f64, f64, usize)>,
    /// Components of the grading that pass, members of sets counted again, as promptfoo does.
    pub n_passed_components: usize,
    /// Those that do not.
    pub n_failed_components: usize,
    /// Assertions; a set is one.
    pub checks: Vec<Assertion>,
    /// `pluginId` of a red-team test.
    pub group: Option<String>,
    /// Words about it.
    pub tags: Vec<String>,
    /// Reason of the failure, or the provider's error.
    pub message: Option<String>,
    /// Hash of the output.
    pub answer: Option<u64>,
    /// Hashes of variables and assertions.
    pub asked: Asked,
    /// Where it lies.
    pub at: Locator,
    /// Where the reasons of its components lie in the file.
    pub reasons: Reasons,
}

/// Where reasons lie.
#[derive(Debug, Default)]
pub(super) enum Reasons {
    /// The file is read whole: the number of the row's first check among all.
    Rows(u64),
    /// Offset and length of each component's.
    Spans(Vec<Option<(u64, u64)>>),
    /// Not known.
    #[default]
    Unknown,
}

/// An assertion, or a set of them.
#[derive(Debug)]
pub(super) struct Assertion {
    pub name: String,
    pub score: Option<f64>,
    pub passed: Option<bool>,
    pub weight: Option<f64>,
    /// Which of the components it is, where it is one.
    pub component: Option<usize>,
}

/// The components of a grading, without the members of sets, which follow their set once more.
pub(super) fn components(grading: &Value) -> Vec<(usize, &Value)> {
    let all = items(grading, "componentResults");
    let mut found = Vec::new();
    let mut rest = all;
    while let Some((first, after)) = rest.split_first() {
        found.push((all.len() - rest.len(), first));
        let members = items(first, "componentResults");
        let is_set = !members.is_empty() && first.get("assertion").is_none_or(Value::is_null);
        let n_again =
            members.iter().zip(after).take_while(|(member, again)| is_same(member, again)).count();
        rest = after.get(if is_set { n_again } else { 0 }..).unwrap_or_default();
    }
    found
}

fn is_same(member: &Value, again: &Value) -> bool {
    ["pass", "score", "reason", "assertion"].iter().all(|key| member.get(key) == again.get(key))
}

/// What a component is called: its metric, else its kind.
pub(super) fn name_of(component: &Value) -> String {
    let of = |pointer: &str| component.pointer(pointer).and_then(Value::as_str);
    of("/metadata/assertionSet/metric")
        .or_else(|| of("/assertion/metric"))
        .or_else(|| of("/assertion/type"))
        .filter(|name| !name.is_empty())
        .unwrap_or(if items(component, "componentResults").is_empty() {
            "assertion"
        } else {
            "assert-set"
        })
        .to_owned()
}

impl PromptfooRow {
    /// Reads a row.
    ///
    /// # Errors
    /// When it is no object, or says nothing of how it came out.
    pub(super) fn read(row: &Value, at: Locator) -> Result<Self, Error> {
        if !row.is_object() {
            return Err(Error::new(ErrorKind::Format("a row is not an object"), 0));
        }
        if row.get(super::forms::SHORT).is_some() {
            let reason = "a row has fewer cells than the header, as one that is cut off";
            return Err(Error::new(ErrorKind::Format(reason), 0));
        }
        let Some(is_success) = row.get("success").and_then(Value::as_bool) else {
            return Err(Error::new(ErrorKind::Format("a row has no \"success\""), 0));
        };
        let null = Value::Null;
        let member = |key: &str| row.get(key).unwrap_or(&null);
        let (grading, test, response) =
            (member("gradingResult"), member("testCase"), member("response"));
        let provider = member("provider");
        let provider_name = text(provider, "label").or_else(|| text(provider, "id"));
        let prompt = member("prompt");
        let vars = if member("vars").is_object() {
            member("vars")
        } else {
            test.get("vars").unwrap_or(&null)
        };
        let asserts = test.get("assert").unwrap_or(&null);
        let description = text(test, "description").or_else(|| text(row, "description"));
        let error = text(row, "error").or_else(|| text(response, "error"));
        let is_error = match number(row, "failureReason") {
            Some(reason) => reason >= 2.0,
            None => !is_success && grading.is_null() && error.is_some(),
        };
        let all = items(grading, "componentResults");
        let reason = text(grading, "reason");
        let is_csv = row.get("namedScores").is_some() && row.get("testCase").is_none();
        let has_no_checks = all.is_empty() && items(test, "assert").is_empty();
        let is_unchecked =
            is_success && (reason == Some("No assertions") || (has_no_checks && !is_csv));
        let n_pass = all.iter().filter(|one| one.get("pass") == Some(&Value::Bool(true))).count();
        let weights = grading.get("namedScoreWeights").unwrap_or(&null);
        let named =
            member("namedScores").as_object().into_iter().flatten().filter_map(|(name, value)| {
                let value = crate::input::json::f64_from_value(value)?;
                let is_it = |one: &&Value| {
                    one.pointer("/assertion/metric").and_then(Value::as_str) == Some(name)
                };
                let n = all.iter().filter(is_it).count().max(1);
                Some((name.clone(), value, number(weights, name).unwrap_or(1.0), n))
            });
        let named: Vec<(String, f64, f64, usize)> = named.collect();
        let mut checks: Vec<Assertion> = components(grading)
            .into_iter()
            .map(|(at, one)| Assertion {
                component: Some(at),
                name: name_of(one),
                score: number(one, "score"),
                passed: one.get("pass").and_then(Value::as_bool),
                weight: one.get("assertion").and_then(|assertion| number(assertion, "weight")),
            })
            .collect();
        for (name, score, _, _) in &named {
            if !checks.iter().any(|check| check.name == *name) {
                let (score, passed, weight) = (Some(*score), None, None);
                checks.push(Assertion {
                    name: name.clone(),
                    score,
                    passed,
                    weight,
                    component: None,
                });
            }
        }
        let usage = [row.get("tokenUsage"), response.get("tokenUsage")];
        let usage = usage.into_iter().flatten().find(|usage| usage.is_object());
        let mut tokens = Vec::new();
        if let Some(usage) = usage {
            leaves(usage, "", &mut tokens);
        }
        let json = |value: &Value| serde_json::to_vec(value).unwrap_or_default();
        let identity = Value::Array(vec![
            vars.clone(),
            Value::Object([("assert".to_owned(), asserts.clone())].into_iter().collect()),
            Value::String(format!("description {}", description.unwrap_or_default())),
        ]);
        let metadata = test.get("metadata").unwrap_or(&null);
        let mut tags: Vec<String> =
            items(metadata, "tags").iter().map(short_text).filter(|tag| !tag.is_empty()).collect();
        let is_cached = response.get("cached") == Some(&Value::Bool(true));
        for (tag, is_so) in [("unchecked", is_unchecked), ("cached", is_cached)] {
            if is_so {
                tags.push(tag.to_owned());
            }
        }
        let output = response.get("output").or_else(|| row.get("output")).unwrap_or(&null);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a place in a list; an absurd one is refused"
        )]
        let prompt_idx =
            number(row, "promptIdx").filter(|n| (0.0..1e6).contains(n)).map(|n| n as usize);
        Ok(Self {
            prompt: prompt_idx.unwrap_or(0),
            prompt_idx,
            test: number(row, "testIdx"),
            provider: provider_name.or(provider.as_str()).unwrap_or("unknown provider").to_owned(),
            prompt_label: text(prompt, "label")
                .or_else(|| text(prompt, "raw"))
                .unwrap_or_default()
                .to_owned(),
            description: description.map(str::to_owned),
            vars: vars
                .as_object()
                .into_iter()
                .flatten()
                .map(|(key, value)| (key.clone(), short_text(value)))
                .collect(),
            identity: asked(&json(&identity)).unwrap_or_default(),
            is_success,
            is_error,
            is_unchecked,
            score: number(row, "score"),
            latency_ms: number(row, "latencyMs"),
            cost: number(row, "cost"),
            tokens,
            named,
            n_passed_components: n_pass,
            n_failed_components: all.len() - n_pass,
            checks,
            group: text(metadata, "pluginId").map(str::to_owned),
            tags,
            message: if is_error { error.or(reason) } else { reason.or(error) }.map(str::to_owned),
            answer: answer(&json(output)),
            asked: Asked { input: asked(&json(vars)), expected: asked(&json(asserts)) },
            at,
            reasons: Reasons::Unknown,
        })
    }

    /// How it came out.
    pub(super) fn outcome(&self) -> Outcome {
        match (self.is_success, self.is_error) {
            (true, _) if self.is_unchecked => Outcome::without_rule(self.score),
            (true, _) => Outcome::Passed,
            (false, true) => Outcome::Error,
            (false, false) => Outcome::Failed,
        }
    }
}

/// Places of the reasons of a row's components in its bytes; `None` of one without a reason.
///
/// # Errors
/// When the row is not JSON.
pub(super) fn reason_places(bytes: &[u8]) -> Result<Vec<Option<Range<usize>>>, Error> {
    let mut places = Vec::new();
    Cursor::new(bytes).each_field(|key, cursor| {
        if key != "gradingResult" {
            cursor.skip()?;
            return Ok(());
        }
        // Of a repeated key the last one counts.
        places.clear();
        cursor.each_field(|key, cursor| {
            if key != "componentResults" {
                cursor.skip()?;
                return Ok(());
            }
            places.clear();
            cursor.each_item(|cursor| {
                let mut place = None;
                let is_object = cursor.each_field(|key, cursor| {
                    let span = cursor.skip()?;
                    let is_text = cursor.slice(span.clone()).first() == Some(&b'"');
                    if key == "reason" {
                        place = is_text.then_some(span);
                    }
                    Ok(())
                })?;
                if !is_object {
                    place = None;
                }
                places.push(place);
                Ok(())
            })?;
            Ok(())
        })?;
        Ok(())
    })?;
    Ok(places)
}

/// The reasons of a row's checks, in their order.
pub(super) fn reasons(row: &Value) -> Vec<Option<String>> {
    let Ok(read) = PromptfooRow::read(row, Locator::Row { source: SourceId(0), row: 0 }) else {
        return Vec::new();
    };
    let all =
        row.get("gradingResult").map_or(&[][..], |grading| items(grading, "componentResults"));
    let reason =
        |check: &Assertion| all.get(check.component?)?.get("reason")?.as_str().map(str::to_owned);
    read.checks.iter().map(reason).collect()
}

/// The numbers in `value` with their paths.
fn leaves(value: &Value, path: &str, found: &mut Vec<(String, f64)>) {
    for (key, value) in value.as_object().into_iter().flatten() {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match value.as_f64() {
            Some(number) => found.push((path, number)),
            None if path.len() < 200 => leaves(value, &path, found),
            None => {}
        }
    }
}

/// Names of the named scores, in the order in which rows bring them.
pub(super) fn metrics(rows: &[PromptfooRow]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (name, ..) in rows.iter().flat_map(|row| &row.named) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}
