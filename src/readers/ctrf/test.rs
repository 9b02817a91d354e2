//! One element of `results.tests`.

use super::NO_DURATION;
use crate::input::{Error, ErrorKind};
use crate::model::Outcome;
use crate::readers::asked_hash::asked;
use crate::readers::pytest_words::error_type;
use crate::readers::record_value::{items, number, short_text, text};
use crate::readers::test_case::Tested;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// Numbers of tests as the summary counts them.
#[derive(Debug, Default)]
pub(super) struct Statuses {
    /// All of them.
    pub n_tests: usize,
    /// By `status`.
    pub by_status: HashMap<String, usize>,
    /// Flaky ones.
    pub n_flaky: usize,
    /// Suites, as the tests name them.
    pub suites: HashSet<String>,
}

/// Reads an element.
///
/// # Errors
/// When it is no object, or has no name.
pub(super) fn read(test: &Value, statuses: &mut Statuses) -> Result<Tested, Error> {
    if !test.is_object() {
        return Err(Error::new(ErrorKind::Format("a test is not an object"), 0));
    }
    let Some(id) = text(test, "name") else {
        return Err(Error::new(ErrorKind::Format("a test has no name"), 0));
    };
    let status = text(test, "status").unwrap_or_default();
    let raw = text(test, "rawStatus").unwrap_or_default();
    let is_flaky = test.get("flaky").and_then(Value::as_bool) == Some(true);
    let suite = suite_of(test);
    statuses.n_tests += 1;
    *statuses.by_status.entry(status.to_owned()).or_default() += 1;
    statuses.n_flaky += usize::from(is_flaky);
    statuses.suites.extend(suite.clone());
    let (outcome, phase) = outcome_of(status, raw);
    let mut tags: Vec<String> =
        items(test, "tags").iter().filter_map(Value::as_str).map(str::to_owned).collect();
    let own = [
        ("flaky", is_flaky),
        ("todo", raw == "todo"),
        ("xfailed", raw == "xfailed"),
        ("xpassed", raw == "xpassed"),
    ];
    for (word, is_so) in own {
        if is_so && !tags.iter().any(|tag| tag == word) {
            tags.push(word.to_owned());
        }
    }
    let millis = || number(test, "duration").map(|millis| millis / 1000.0);
    let exact = test.get("extra").unwrap_or(&Value::Null);
    let is_known = text(exact, "duration_secs") != Some(NO_DURATION);
    let secs = number(exact, "duration_secs").or_else(millis).filter(|_| is_known);
    let message = text(test, "message").or_else(|| text(test, "trace"));
    let score =
        ["extra", "labels", "metadata"].iter().find_map(|part| number(test.get(part)?, "score"));
    let parameters = test.get("parameters").map(Value::to_string);
    let outcome = if raw == "scored" { Outcome::without_rule(score) } else { outcome };
    Ok(Tested {
        id: id.to_owned(),
        group: suite.or_else(|| text(test, "filePath").map(str::to_owned)),
        outcome: Some(outcome),
        tags,
        score,
        secs,
        message: message.map(str::to_owned),
        phase,
        error_type: message.and_then(error_type).map(str::to_owned),
        tries: tries_of(test, outcome, secs),
        input: parameters.and_then(|json| asked(json.as_bytes())),
    })
}

/// The suites from the outermost one on, as one name: a list, or a text that has ` > ` in it.
fn suite_of(test: &Value) -> Option<String> {
    let suite = test.get("suite")?;
    let name = match suite {
        Value::Array(parts) => parts.iter().map(short_text).collect::<Vec<_>>().join(" > "),
        other => short_text(other),
    };
    (!name.is_empty()).then_some(name)
}

/// How a test came out, and which part of it failed.
fn outcome_of(status: &str, raw: &str) -> (Outcome, Option<&'static str>) {
    let phase = match raw {
        "setup_failed" => Some("setup"),
        "teardown_failed" => Some("teardown"),
        "call_failed" => Some("call"),
        _ => None,
    };
    let outcome = match status {
        "passed" => Outcome::Passed,
        "failed" if matches!(raw, "setup_failed" | "teardown_failed" | "error" | "broken") => {
            Outcome::Error
        }
        "failed" => Outcome::Failed,
        "skipped" | "pending" => Outcome::Skipped,
        "other" if raw == "error" => Outcome::Error,
        "other" if matches!(raw, "todo" | "disabled" | "skipped" | "pending") => Outcome::Skipped,
        _ => Outcome::Unscored,
    };
    (outcome, phase)
}

/// The tries of a test that was tried again, the last one last. A reporter may list the last one, too.
pub(super) fn tries_of(
    test: &Value,
    outcome: Outcome,
    secs: Option<f64>,
) -> Vec<(Outcome, Option<f64>)> {
    let listed = items(test, "retryAttempts");
    let mut tries: Vec<(Outcome, Option<f64>)> = listed
        .iter()
        .map(|one| {
            let status = text(one, "status").unwrap_or_default();
            let raw = text(one, "rawStatus").unwrap_or_default();
            (outcome_of(status, raw).0, number(one, "duration").map(|millis| millis / 1000.0))
        })
        .collect();
    let n_retries = number(test, "retries").unwrap_or(0.0);
    #[expect(clippy::cast_precision_loss, reason = "a handful")]
    let is_last_listed = !tries.is_empty() && tries.len() as f64 > n_retries;
    if !tries.is_empty() && !is_last_listed {
        tries.push((outcome, secs));
    }
    if tries.is_empty() && n_retries >= 1.0 {
        // The reporter says how often, not how each came out: all before the last one failed, else there
        // would have been no further one.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at most a thousand"
        )]
        let n_before = n_retries.min(1000.0) as usize;
        tries = vec![(Outcome::Failed, None); n_before];
        tries.push((outcome, secs));
    }
    tries
}
