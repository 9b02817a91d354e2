//! The whole record of a sample: its row read again, with its sample from the suite.

use crate::input::json::{Cursor, f64_from_value};
use crate::model::{
    CaseDetail, CheckDetail, Config, Content, ContentFormat, Fact, Locator, Outcome, RawRecord, Run,
};
use crate::order::Order as _;
use crate::readers::letta_evals::case_page::transcript::{json, messages, words_of};
use crate::readers::letta_evals::case_page::turns::turns;
use crate::readers::{Bundle, Error, ErrorKind};
use crate::secrets::mask_named;
use serde_json::{Map, Value};

type DetailObject = Map<String, Value>;

/// Members of a row that are shown elsewhere, or as raw JSON only.
const NO_FACTS: &[&str] = &[
    "sample",
    "sample_id",
    "submission",
    "submissions",
    "grade",
    "grades",
    "trajectory",
    "error",
    "agent_usage",
    "agent_state",
    "token_data",
];

/// Reads everything about a case.
///
/// # Errors
/// When the file is gone or no longer holds it.
pub fn detail(bundle: &Bundle, config: &Config, case: &Run) -> Result<CaseDetail, Error> {
    let gone = || Error::new(ErrorKind::Gone);
    let locator = case.cases.locator_of(0).ok_or_else(gone)?;
    let mut detail = CaseDetail::default();
    let record = record(bundle, locator, &mut detail)?;
    let row = match record.get("result") {
        Some(Value::Object(row)) => row,
        _ => &record,
    };
    let joined = match case.cases.partner_of(0) {
        Some(partner) => Some(self::record(bundle, partner, &mut detail)?),
        None => None,
    };
    let sample = match row.get("sample") {
        Some(Value::Object(sample)) => Some(sample),
        _ => joined.as_ref(),
    };
    if let Some(sample) = sample {
        add_sample(&mut detail, sample);
    }
    add_facts(&mut detail, row);
    add_submissions(&mut detail, row);
    add_checks(&mut detail, row, config, case);
    add_failure(&mut detail, row, case.cases.outcome_of(0));
    if let Some(trajectory) = row.get("trajectory") {
        detail.transcript = messages(trajectory);
    }
    detail.turns = turns(row);
    Ok(detail)
}

/// Reads a record and adds it to the raw ones, secrets masked.
fn record(
    bundle: &Bundle,
    locator: Locator,
    detail: &mut CaseDetail,
) -> Result<DetailObject, Error> {
    let file = bundle.file(locator.source()).ok_or_else(|| Error::new(ErrorKind::Gone))?;
    let bytes = bundle.span_bytes(locator)?.ok_or_else(|| Error::new(ErrorKind::Gone))?;
    let offset = match locator {
        Locator::Span { offset, .. } => offset,
        Locator::Row { row, .. } => row,
    };
    let tree = Cursor::new(&bytes).tree();
    let mut tree = tree.map_err(|err| Error::from(err.shifted(offset)).in_file(&file.path))?;
    let written = if mask_named(&mut tree) {
        serde_json::to_string(&tree).unwrap_or_default()
    } else {
        String::from_utf8_lossy(&bytes).into_owned()
    };
    detail.raw.push(RawRecord {
        file: file.path.clone(),
        at: format!("byte {offset}"),
        json: written,
        left_out: None,
    });
    match tree {
        Value::Object(map) => Ok(map),
        _ => {
            let reason = "the record is no object".to_owned();
            Err(Error::new(ErrorKind::Format(reason)).in_file(&file.path))
        }
    }
}

fn add_sample(detail: &mut CaseDetail, sample: &DetailObject) {
    for (key, value) in sample {
        let list = match key.as_str() {
            "id" => continue,
            "ground_truth" | "ideal" => &mut detail.expected,
            _ => &mut detail.input,
        };
        add_content(list, key, value);
    }
    // What the agent was told comes first.
    detail.input.order_by_key(|content| !content.label.starts_with("input"));
}

/// Adds a text, each text of a list, or JSON.
fn add_content(list: &mut Vec<Content>, label: &str, value: &Value) {
    let text = |label: String, body: &str| Content {
        label,
        body: body.to_owned(),
        format: ContentFormat::Text,
    };
    match value {
        Value::Null => {}
        Value::String(body) => list.push(text(label.to_owned(), body)),
        Value::Array(items) if !items.is_empty() && items.iter().all(Value::is_string) => {
            for (number, item) in (1..).zip(items) {
                list.push(text(format!("{label} {number}"), item.as_str().unwrap_or_default()));
            }
        }
        other => list.push(Content {
            label: label.to_owned(),
            body: json(other),
            format: ContentFormat::Json,
        }),
    }
}

/// Scalars of the row, and those one level down.
fn add_facts(detail: &mut CaseDetail, row: &DetailObject) {
    for (key, value) in row.iter().filter(|(key, _)| !NO_FACTS.contains(&key.as_str())) {
        match value {
            Value::Object(map) => {
                for (inner, value) in map {
                    add_fact(detail, &format!("{key}.{inner}"), value);
                }
            }
            _ => add_fact(detail, key, value),
        }
    }
}

fn add_fact(detail: &mut CaseDetail, label: &str, value: &Value) {
    let value = match value {
        Value::Null => return,
        Value::Object(map) if map.is_empty() => return,
        Value::Object(_) | Value::Array(_) => serde_json::to_string(value).unwrap_or_default(),
        _ => words_of(value),
    };
    detail.facts.push(Fact { label: label.to_owned(), value });
}

fn add_submissions(detail: &mut CaseDetail, row: &DetailObject) {
    match row.get("submissions") {
        Some(Value::Object(submissions)) if !submissions.is_empty() => {
            for (grader, submission) in submissions {
                add_content(&mut detail.actual, grader, submission);
            }
        }
        _ => {
            if let Some(submission) = row.get("submission") {
                add_content(&mut detail.actual, "submission", submission);
            }
        }
    }
}

fn add_checks(detail: &mut CaseDetail, row: &DetailObject, config: &Config, case: &Run) {
    let weight_of = |name: &str| match config.gate.as_ref().map(|gate| &gate.rule) {
        Some(crate::model::GateRule::Weighted { weights, .. }) => {
            weights.iter().find(|(metric, _)| metric == name).map(|(_, weight)| *weight)
        }
        _ => None,
    };
    let grades = row.get("grades").and_then(Value::as_object);
    let submissions = row.get("submissions").and_then(Value::as_object);
    for idx in case.checks_of(0) {
        let name = case.checks.name.get(idx).unwrap_or_default();
        let grade = grades.and_then(|grades| grades.get(name)).or_else(|| row.get("grade"));
        let member = |key: &str| grade.and_then(|grade| grade.get(key));
        let mut metadata = DetailObject::new();
        for key in ["metadata", "per_turn_grades"] {
            let is_something = |value: &&Value| {
                !value.is_null() && value.as_object().is_none_or(|map| !map.is_empty())
            };
            if let Some(value) = member(key).filter(is_something) {
                metadata.insert(key.to_owned(), value.clone());
            }
        }
        let submission =
            submissions.and_then(|all| all.get(name)).or_else(|| row.get("submission"));
        detail.checks.push(CheckDetail {
            attempt: 1,
            name: name.to_owned(),
            score: member("score").and_then(f64_from_value),
            is_correct: case.checks.is_correct.get(idx),
            weight: weight_of(name),
            verdict: case.checks.verdict_of(idx).map(|verdict| verdict.to_string()),
            reason: member("rationale").and_then(Value::as_str).map(str::to_owned),
            actual: submission.filter(|value| !value.is_null()).map(words_of),
            metadata: (!metadata.is_empty()).then(|| json(&Value::Object(metadata))),
            ..CheckDetail::default()
        });
    }
}

fn add_failure(detail: &mut CaseDetail, row: &DetailObject, outcome: Outcome) {
    let (label, body) = match row.get("error") {
        Some(Value::Object(error)) => {
            let word = |key: &str| error.get(key).and_then(Value::as_str);
            let parts: Vec<&str> =
                [word("category"), word("exception_type")].into_iter().flatten().collect();
            (parts.join(" · "), error.get("message").map(words_of).unwrap_or_default())
        }
        Some(Value::String(message)) => ("error".to_owned(), message.clone()),
        _ if outcome == Outcome::Error => {
            let rationale = row.get("grade").and_then(|grade| grade.get("rationale"));
            match rationale {
                Some(Value::String(rationale)) => ("error".to_owned(), rationale.clone()),
                _ => return,
            }
        }
        _ => return,
    };
    detail.failure.push(Content { label, body, format: ContentFormat::Text });
}
