//! What the summary states, beside what its tests give.

use crate::model::{Declared, Scope, Unchecked};
use crate::readers::Claimed;
use crate::readers::stated_figures::DeclaredFigures;
use crate::readers::unchecked_claims::{Claims, Part};
use serde_json::Value;
use std::collections::HashMap;

const NO_TESTS: &str = "the report was written without its tests";
const COLLECTED: &str = "what was collected and not run is not listed test by test";
const CLOCK: &str = "wall-clock time, which is not the sum of the test times";
const EXIT: &str = "the exit code of pytest, which depends on its options";

/// Every figure of the report, and what cannot be checked.
pub(super) fn of(
    path: &str,
    top: &Value,
    outcomes: &HashMap<String, usize>,
    n_tests: usize,
    claimed: &Claimed,
) -> (Vec<Declared>, Vec<Unchecked>) {
    let mut stated = DeclaredFigures::in_file(path);
    let has_tests = claimed.shape.outline.member("tests").is_some();
    let summary = top.get("summary").and_then(Value::as_object);
    for (word, value) in summary.into_iter().flatten().filter(|_| has_tests) {
        let field = format!("summary.{word}");
        let scope = Scope::Run(0);
        match word.as_str() {
            "collected" | "deselected" => {}
            "total" => stated.count(&scope, field, Some(value), n_tests, "number of tests"),
            word => {
                let n = outcomes.get(word).copied().unwrap_or(0);
                let at = format!("tests whose outcome is {word}");
                stated.count(&scope, field, Some(value), n, at);
            }
        }
    }
    let mut claims = Claims::default();
    claims.walk(stated.file(), top, "", stated.declared(), &|path| match path {
        "" | "summary" => Part::Open,
        "summary.collected" | "summary.deselected" => Part::Unchecked(COLLECTED),
        "duration" => Part::Unchecked(CLOCK),
        "exitcode" => Part::Unchecked(EXIT),
        path if path.starts_with("summary.") && !has_tests => Part::Unchecked(NO_TESTS),
        path if path.starts_with("summary.") => Part::Open,
        _ => Part::Other,
    });
    (stated.into_vec(), claims.into_vec())
}
