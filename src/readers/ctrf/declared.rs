//! What the summary states, beside what its tests give.

use super::test::Statuses;
use crate::model::{Declared, Scope, Unchecked};
use crate::readers::stated_figures::DeclaredFigures;
use crate::readers::unchecked_claims::{Claims, Part};
use serde_json::{Map, Value};

const CLOCK: &str = "wall-clock time, which is not the sum of the test times";

/// Every figure of the report, and what cannot be checked.
pub(super) fn of(
    path: &str,
    top: &Map<String, Value>,
    results: &Value,
    statuses: &Statuses,
) -> (Vec<Declared>, Vec<Unchecked>) {
    let mut stated = DeclaredFigures::in_file(path);
    let scope = Scope::Run(0);
    let summary = results.get("summary");
    let member = |name: &str| summary.and_then(|summary| summary.get(name));
    let field = |name: &str| format!("results.summary.{name}");
    stated.count(&scope, field("tests"), member("tests"), statuses.n_tests, "number of tests");
    for status in ["passed", "failed", "skipped", "pending", "other"] {
        let n = statuses.by_status.get(status).copied().unwrap_or(0);
        let at = format!("tests with status {status}");
        stated.count(&scope, field(status), member(status), n, at);
    }
    let n_flaky = statuses.n_flaky;
    stated.count(&scope, field("flaky"), member("flaky"), n_flaky, "tests that say flaky");
    if !statuses.suites.is_empty() || statuses.n_tests == 0 {
        let n_suites = statuses.suites.len();
        stated.count(&scope, field("suites"), member("suites"), n_suites, "suites of the tests");
    }
    let mut claims = Claims::default();
    claims.walk(stated.file(), results, "results.", stated.declared(), &|path| match path {
        "" | "summary" => Part::Open,
        "summary.start" | "summary.stop" => Part::Other,
        "summary.duration" => Part::Unchecked(CLOCK),
        path if path.starts_with("summary.") => Part::Open,
        _ => Part::Other,
    });
    let rest = Value::Object(top.clone());
    claims.walk(stated.file(), &rest, "", stated.declared(), &|path| match path {
        "insights" => Part::Unchecked("figures over earlier runs, which are not in the file"),
        "" => Part::Open,
        path if path.starts_with("insights") => Part::Open,
        _ => Part::Other,
    });
    (stated.into_vec(), claims.into_vec())
}
