//! All that a test's record says.

use super::test::PHASES;
use crate::model::{CaseDetail, CheckDetail, Run};
use crate::readers::record_value::{
    Facts, content, items, number, record_of_case, seconds, short_text, text,
};
use crate::readers::{Bundle, Error};
use serde_json::Value;

/// Reads a test, or a collector that failed, again.
pub(super) fn read(bundle: &Bundle, case: &Run) -> Result<CaseDetail, Error> {
    let (test, raw) = record_of_case(bundle, case)?;
    let mut facts = Facts::default();
    for key in ["nodeid", "outcome", "lineno"] {
        facts.member(key, &test, key);
    }
    let words = items(&test, "keywords").iter().map(short_text).filter(|word| !word.is_empty());
    facts.add("keywords", words.collect::<Vec<_>>().join(", "));
    let metadata = test.get("metadata").and_then(Value::as_object).into_iter().flatten();
    for (key, value) in metadata {
        facts.add(key, short_text(value));
    }
    for property in items(&test, "user_properties") {
        for (key, value) in property.as_object().into_iter().flatten() {
            facts.add(&format!("property {key}"), short_text(value));
        }
    }
    let mut failure = Vec::new();
    for name in PHASES {
        let Some(phase) = test.get(name) else { continue };
        let outcome = text(phase, "outcome").unwrap_or_default();
        let secs =
            number(phase, "duration").map_or(String::new(), |secs| format!(", {}", seconds(secs)));
        facts.add(name, format!("{outcome}{secs}"));
        if let Some(crash) = phase.get("crash") {
            let part = |key: &str| crash.get(key).map(short_text).unwrap_or_default();
            let label = format!("{name}: crash at {}:{}", part("path"), part("lineno"));
            failure.extend(content(&label, crash.get("message")));
        }
        for (key, label) in [
            ("longrepr", "report"),
            ("stdout", "captured stdout"),
            ("stderr", "captured stderr"),
            ("log", "captured log"),
            ("traceback", "traceback"),
        ] {
            failure.extend(content(&format!("{name}: {label}"), phase.get(key)));
        }
    }
    // Of a collector.
    failure.extend(content("report", test.get("longrepr")));
    let known =
        ["nodeid", "outcome", "lineno", "keywords", "metadata", "user_properties", "longrepr"];
    let known: Vec<&str> = known.into_iter().chain(PHASES).collect();
    facts.unknown(&test, &known);
    let checks = case.checks_of(0).map(|at| CheckDetail {
        attempt: case.checks.attempt.get(at).unwrap_or(1),
        name: case.checks.name.get(at).unwrap_or_default().to_owned(),
        is_correct: case.checks.is_correct.get(at),
        verdict: case.checks.verdict.get(at).map(str::to_owned),
        ..CheckDetail::default()
    });
    Ok(CaseDetail {
        facts: facts.into_vec(),
        failure,
        checks: checks.collect(),
        raw: vec![raw],
        ..CaseDetail::default()
    })
}
