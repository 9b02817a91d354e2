//! All that a test's record says.

use crate::model::{AttemptDetail, CaseDetail, CheckDetail, Content, Run};
use crate::readers::record_value::{
    Facts, content, items, number, record_of_case, seconds, short_text, text, text_content,
};
use crate::readers::{Bundle, Error};
use serde_json::Value;

const SHOWN: [&str; 15] = [
    "name",
    "message",
    "trace",
    "snippet",
    "stdout",
    "stderr",
    "ai",
    "parameters",
    "steps",
    "attachments",
    "retryAttempts",
    "suite",
    "tags",
    "extra",
    "screenshot",
];

/// Reads a test again.
pub(super) fn read(bundle: &Bundle, case: &Run) -> Result<CaseDetail, Error> {
    let (test, raw) = record_of_case(bundle, case)?;
    let mut facts = Facts::default();
    let suite = items(&test, "suite").iter().map(short_text).collect::<Vec<_>>().join(" > ");
    facts.add(
        "suite",
        if suite.is_empty() { text(&test, "suite").unwrap_or_default() } else { &suite },
    );
    let tags = items(&test, "tags").iter().map(short_text).collect::<Vec<_>>().join(", ");
    facts.add("tags", tags);
    for key in ["start", "stop"] {
        let at = number(&test, key).and_then(super::moment);
        facts.add(key, at.unwrap_or_default());
    }
    if let Some(millis) = number(&test, "duration") {
        facts.add("duration", seconds(millis / 1000.0));
    }
    let mut known = SHOWN.to_vec();
    known.extend(["start", "stop", "duration"]);
    facts.unknown(&test, &known);
    let mut detail = CaseDetail {
        facts: facts.into_vec(),
        input: content("parameters", test.get("parameters")).into_iter().collect(),
        failure: failure(&test, ""),
        raw: vec![raw],
        ..CaseDetail::default()
    };
    let beside = ["steps", "attachments", "extra"];
    detail.actual.extend(beside.iter().filter_map(|key| content(key, test.get(key))));
    let listed = items(&test, "retryAttempts");
    let n_tries = case.checks_of(0).len();
    for (nth, at) in case.checks_of(0).enumerate() {
        let attempt = case.checks.attempt.get(at).unwrap_or(1);
        let one = listed.get(nth);
        // The last try is the test itself.
        let said = one.or((nth + 1 == n_tries).then_some(&test));
        detail.checks.push(CheckDetail {
            attempt,
            name: case.checks.name.get(at).unwrap_or_default().to_owned(),
            is_correct: case.checks.is_correct.get(at),
            verdict: case.checks.verdict.get(at).map(str::to_owned),
            ..CheckDetail::default()
        });
        detail.attempts.push(AttemptDetail {
            attempt,
            duration_secs: case.checks.attempt_secs.get(at),
            output: said.map(|said| failure(said, "")).unwrap_or_default(),
        });
    }
    Ok(detail)
}

/// What a test or a try says of how it failed, and what it wrote.
fn failure(test: &Value, label: &str) -> Vec<Content> {
    let mut contents = Vec::new();
    for key in ["message", "trace", "snippet", "ai"] {
        contents.extend(content(&format!("{label}{key}"), test.get(key)));
    }
    for key in ["stdout", "stderr"] {
        let lines = items(test, key).iter().map(short_text).collect::<Vec<_>>().join("\n");
        let lines = if lines.is_empty() { text(test, key).unwrap_or_default() } else { &lines };
        if !lines.is_empty() {
            contents.push(text_content(&format!("{label}{key}"), lines));
        }
    }
    contents
}
