//! `inference_result.json`: what the agent's runner recorded of one checkpoint.
//!
//! Producer's definition: `CheckpointInferenceResult` of `agent_runner/agent.py`; the elapsed
//! seconds are those between the two times, the message is there when there was an error.

use super::{DeclaredDocument, FigureSheet};
use crate::input::json::f64_from_value;
use crate::model::{DeclaredValue, Scope};
use crate::readers::slop_code::run_files::Document;
use crate::readers::unchecked_claims::Part;
use serde_json::Value;

const PRICES: &str = "a price table of the producer would be needed; the recorded cost is summed";
const OWN_COUNT: &str = "the agent's own count: its messages are not among the files";
const NO_FOLDER: &str = "no evaluation of its checkpoint is among the files";

/// Everything that the document states about run `at`; `None`: its checkpoint was not read.
pub(in crate::readers::slop_code) fn inference(
    sheet: &mut FigureSheet,
    document: &Document,
    at: Option<usize>,
) {
    let result = &document.value;
    let scope = at.map_or(Scope::Evaluation, Scope::Run);
    let mut page = DeclaredDocument::new(sheet, &document.path, "inference_result.", scope);
    if at.is_some() {
        if let Some(secs) = result.get("elapsed").and_then(f64_from_value) {
            let between = seconds_between(result.get("started"), result.get("completed"));
            page.seconds("elapsed", secs, between, "completed − started of the same file");
        }
        if let Some(flag) = result.get("had_error").and_then(Value::as_bool) {
            let has_message = result.get("error_message").map(|message| !message.is_null());
            let has_message = has_message.map(DeclaredValue::Bool);
            let at = "whether the same file has an error_message";
            page.found("had_error", DeclaredValue::Bool(flag), has_message, at);
        }
    }
    page.rest(result, &|path| match path {
        "" if at.is_none() => Part::Unchecked(NO_FOLDER),
        "usage.cost" => Part::Unchecked(PRICES),
        "usage" => Part::Unchecked(OWN_COUNT),
        _ => Part::Open,
    });
}

/// Seconds between two local times as the producer computes them: whole microseconds over 10⁶.
#[expect(clippy::cast_precision_loss, reason = "microseconds of centuries fit")]
pub(in crate::readers::slop_code) fn seconds_between(
    from: Option<&Value>,
    to: Option<&Value>,
) -> Option<f64> {
    let time = |value: Option<&Value>| value?.as_str()?.parse::<jiff::civil::DateTime>().ok();
    let span = time(to)?.duration_since(time(from)?);
    Some(span.as_micros() as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::seconds_between;
    use serde_json::json;

    #[test]
    fn seconds_are_whole_microseconds() {
        let between = |from: &str, to: &str| seconds_between(Some(&json!(from)), Some(&json!(to)));
        let (noon, later) = ("2026-01-15T12:00:00", "2026-01-15T12:03:21.000005");
        assert_eq!(between(noon, later), Some(201.000_005));
        assert_eq!(between(later, noon), Some(-201.000_005));
        assert_eq!(between(noon, "later"), None);
        assert_eq!(seconds_between(None, Some(&json!(noon))), None);
    }
}
