//! One element of `tests`, and collectors that failed.

use crate::input::{Error, ErrorKind};
use crate::model::Outcome;
use crate::readers::pytest_words::error_type;
use crate::readers::record_value::{items, number, text};
use crate::readers::test_case::Tested;
use serde_json::Value;

/// The parts of a test, in order.
pub(super) const PHASES: [&str; 3] = ["setup", "call", "teardown"];

/// Reads an element.
///
/// # Errors
/// When it is no object, or has no node id.
pub(super) fn read(test: &Value) -> Result<Tested, Error> {
    if !test.is_object() {
        return Err(Error::new(ErrorKind::Format("a test is not an object"), 0));
    }
    let Some(id) = text(test, "nodeid") else {
        return Err(Error::new(ErrorKind::Format("a test has no nodeid"), 0));
    };
    let word = text(test, "outcome").unwrap_or_default();
    let phases = || PHASES.iter().filter_map(|name| Some((*name, test.get(name)?)));
    let failed = phases().find(|(_, phase)| text(phase, "outcome") == Some("failed"));
    let broken =
        phases().find(|(name, phase)| *name != "call" && text(phase, "outcome") == Some("failed"));
    let outcome = match word {
        "passed" | "xpassed" => Outcome::Passed,
        "failed" => Outcome::Failed,
        "error" => Outcome::Error,
        "skipped" | "xfailed" => Outcome::Skipped,
        _ if broken.is_some() => Outcome::Error,
        _ if failed.is_some() => Outcome::Failed,
        "rerun"
            if phases().any(|(name, phase)| {
                name == "call" && text(phase, "outcome") == Some("passed")
            }) =>
        {
            Outcome::Passed
        }
        // `subtests passed`, and words of other plugins.
        _ => Outcome::Unscored,
    };
    let mut tags = Vec::new();
    match word {
        "xfailed" | "xpassed" => tags.push(word.to_owned()),
        "rerun" if outcome == Outcome::Passed => {
            tags.extend(["flaky".to_owned(), "rerun".to_owned()]);
        }
        "rerun" => tags.push("rerun".to_owned()),
        word if word.starts_with("subtests") => tags.push("subtests".to_owned()),
        _ => {}
    }
    let decisive = broken.filter(|_| outcome == Outcome::Error).or(failed);
    let message = decisive.and_then(|(_, phase)| {
        let crash = phase.pointer("/crash/message").and_then(Value::as_str);
        crash.or_else(|| text(phase, "longrepr")).map(str::to_owned)
    });
    let message = message.or_else(|| {
        (outcome == Outcome::Skipped).then(|| phases().find_map(|(_, phase)| skip_reason(phase)))?
    });
    let secs = phases().filter_map(|(_, phase)| number(phase, "duration"));
    let score = test.get("metadata").and_then(|metadata| number(metadata, "score"));
    let own =
        items(test, "user_properties").iter().filter_map(|one| number(one, "score")).next_back();
    let tries = match (word, outcome) {
        ("rerun", outcome) => vec![(Outcome::Failed, None), (outcome, None)],
        _ => Vec::new(),
    };
    Ok(Tested {
        id: id.to_owned(),
        group: id.split("::").next().filter(|file| *file != id).map(str::to_owned),
        outcome: Some(outcome),
        tags,
        score: score.or(own),
        secs: secs.reduce(|sum, secs| sum + secs),
        error_type: message.as_deref().and_then(error_type).map(str::to_owned),
        message,
        phase: decisive.map(|(name, _)| name),
        tries,
        ..Tested::default()
    })
}

/// Why a test was skipped: `('…/test_main.py', 26, 'Skipped: needs a GPU')`.
fn skip_reason(phase: &Value) -> Option<String> {
    let report = text(phase, "longrepr").filter(|_| text(phase, "outcome") == Some("skipped"))?;
    let reason = report.split_once("Skipped: ").map(|(_, reason)| reason);
    let reason = reason.map(|reason| reason.trim_end_matches(['\'', '"', ')']));
    let last = report.lines().rev().find(|line| !line.trim().is_empty());
    reason.or(last).map(str::to_owned)
}

/// A file or class that could not be collected, as a case; `None` of one that could.
pub(super) fn collector(collector: &Value) -> Option<Tested> {
    if text(collector, "outcome") != Some("failed") {
        return None;
    }
    let report = text(collector, "longrepr").unwrap_or_default();
    // pytest marks the line that says what was wrong.
    let cause = report.lines().rev().find_map(|line| line.strip_prefix("E "));
    Some(Tested {
        id: text(collector, "nodeid").unwrap_or("collection").to_owned(),
        outcome: Some(Outcome::Error),
        tags: vec!["collection".to_owned()],
        message: Some(cause.map_or(report, str::trim).to_owned()),
        error_type: cause.and_then(|cause| error_type(cause.trim())).map(str::to_owned),
        phase: Some("collection"),
        ..Tested::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn words_that_are_no_verdict_go_by_phases() {
        let phase = |outcome: &str| json!({"outcome": outcome, "duration": 1.0});
        let outcome = |word: &str, call: &str| {
            let test = json!({"nodeid": "a.py::t", "outcome": word, "call": phase(call)});
            read(&test).unwrap().outcome()
        };
        assert_eq!(outcome("rerun", "passed"), Outcome::Passed);
        assert_eq!(outcome("rerun", "failed"), Outcome::Failed);
        assert_eq!(outcome("subtests passed", "passed"), Outcome::Unscored);
        assert_eq!(outcome("subtests passed", "failed"), Outcome::Failed);
    }

    #[test]
    fn the_reason_of_a_skip_is_taken_out_of_its_tuple() {
        let phase =
            json!({"outcome": "skipped", "longrepr": "('/a.py', 26, 'Skipped: needs a GPU')"});
        assert_eq!(skip_reason(&phase).as_deref(), Some("needs a GPU"));
    }
}
