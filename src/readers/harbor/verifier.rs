//! What the verifier of a trial left: rewards as it wrote them, its tests.

use super::role;
use super::trial::reward;
use crate::input::json::Cursor;
use crate::model::{Outcome, Verdict};
use crate::readers::record_value::{items, number, text};
use crate::readers::{Claimed, Error};
use serde_json::Value;
use std::rc::Rc;

/// A report of the verifier.
pub(super) struct VerifierReport {
    /// Its file.
    pub path: String,
    /// What it states about its tests.
    pub summary: Value,
    /// Its tests.
    pub tests: Vec<VerifierTest>,
}

/// A test of the verifier.
pub(super) struct VerifierTest {
    /// Name.
    pub name: String,
    /// What its report says of it.
    pub status: String,
    /// Seconds.
    pub secs: Option<f64>,
    /// Why it failed.
    pub message: Option<String>,
}

impl VerifierTest {
    /// What is said of it as a check.
    pub(super) fn verdict(&self) -> Option<Verdict> {
        match self.outcome() {
            Outcome::Passed => Some(Verdict::Passed),
            Outcome::Failed => Some(Verdict::Failed),
            _ => None,
        }
    }

    fn outcome(&self) -> Outcome {
        match self.status.as_str() {
            "passed" => Outcome::Passed,
            "failed" => Outcome::Failed,
            "skipped" | "pending" => Outcome::Skipped,
            _ => Outcome::Unscored,
        }
    }
}

/// Reads a CTRF report.
///
/// # Errors
/// When the file is gone or broken.
pub(super) fn tests(claimed: &Claimed) -> Result<VerifierReport, Error> {
    let report = tree(claimed)?;
    let results = report.get("results").cloned().unwrap_or_default();
    let test = |value: &Value| {
        Some(VerifierTest {
            name: text(value, "name")?.to_owned(),
            status: text(value, "status").unwrap_or_default().to_owned(),
            secs: number(value, "duration").map(|millis| millis / 1000.0),
            message: text(value, "trace").or_else(|| text(value, "message")).map(str::to_owned),
        })
    };
    Ok(VerifierReport {
        path: claimed.file.path.clone(),
        summary: results.get("summary").cloned().unwrap_or_default(),
        tests: items(&results, "tests").iter().filter_map(test).collect(),
    })
}

/// The rewards that the verifier wrote, with the file: `reward.json`, else `reward.txt`.
pub(super) fn written(files: &[&Rc<Claimed>]) -> Option<(String, Vec<(String, f64)>)> {
    let of_verifier = |name: &str| {
        let is_it = |one: &&&Rc<Claimed>| {
            one.claim.role == role::TEXT
                && one.file.name() == name
                && one.file.path.ends_with(&format!("verifier/{name}"))
                && !one.file.path.contains("/steps/")
        };
        files.iter().find(is_it).copied()
    };
    if let Some(claimed) = of_verifier("reward.json")
        && let Ok(Value::Object(members)) = tree(claimed)
    {
        let rewards = members.iter().filter_map(|(key, value)| Some((key.clone(), reward(value)?)));
        return Some((claimed.file.path.clone(), rewards.collect()));
    }
    let claimed = of_verifier("reward.txt")?;
    let bytes = claimed.file.all_bytes().ok()?;
    let number = std::str::from_utf8(&bytes).ok()?.trim().parse().ok()?;
    Some((claimed.file.path.clone(), vec![("reward".to_owned(), number)]))
}

fn tree(claimed: &Claimed) -> Result<Value, Error> {
    let in_file = |err: crate::input::Error| Error::from(err).in_file(&claimed.file.path);
    let bytes = claimed.file.all_bytes().map_err(in_file)?;
    Cursor::new(&bytes).tree().map_err(in_file)
}
