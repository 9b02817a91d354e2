//! `evaluation.json` with pytest results (G2).
//!
//! Producer's definition: `CorrectnessResults` of 2a9800e (list of tests, G2a), 77c199b (buckets
//! `<checkpoint>-<kind>`, G2b), ebce330 (`schema_version`, G2c), 25bd2b9 (`test_collection_hash`,
//! bucket `skipped`, G2d). Fixtures: `g2/2a9800e` (G2a), `g2/feeab5a` (G2c), `g2/v1.0` (G2d).

use super::evaluation_g1::{counts, other, owned};
use crate::input::json::Cursor;
use crate::input::{Error, ValueKind};
use crate::model::Outcome;
use serde_json::{Map, Value};
use std::ops::Range;

/// What the file says.
#[derive(Debug, Default)]
pub(super) struct PytestFile {
    /// Problem.
    pub(super) problem: Option<String>,
    /// Checkpoint.
    pub(super) checkpoint: Option<String>,
    /// Version of the problem.
    pub(super) version: Option<f64>,
    /// Seconds of the whole pytest process.
    pub(super) duration: Option<f64>,
    /// Exit code of pytest.
    pub(super) exit_code: Option<f64>,
    /// Tests that pytest says it collected.
    pub(super) collected: Option<f64>,
    /// Whether the file itself calls the run an infrastructure failure; `None`: it does not say.
    pub(super) is_infrastructure_failure: Option<bool>,
    /// Tests, in file order.
    pub(super) tests: Vec<EvaluationTest>,
    /// Bucket names without tests.
    pub(super) empty_groups: Vec<String>,
    /// Whether some bucket has the key `skipped`.
    pub(super) has_skipped: bool,
    /// Passed tests by kind.
    pub(super) pass_counts: Vec<(String, f64)>,
    /// Tests by kind.
    pub(super) total_counts: Vec<(String, f64)>,
    /// Where something else stands in the place of a test, of a list of tests, or of a bucket.
    pub(super) strangers: Vec<usize>,
    /// Members that are none of these.
    pub(super) others: Map<String, Value>,
}

/// One test.
#[derive(Debug)]
pub(super) struct EvaluationTest {
    /// Id within its file.
    pub(super) id: String,
    /// Bucket name.
    pub(super) group: String,
    /// What the file says came of it. `failed` covers errors, and before v0.3 skipped tests.
    pub(super) outcome: Outcome,
    /// Seconds (G2a only).
    pub(super) duration_secs: Option<f64>,
    /// Bytes of its entry.
    pub(super) span: Range<usize>,
}

/// Splits a bucket name at its last `-` into checkpoint and kind.
pub(super) fn split_group(group: &str) -> (Option<&str>, Option<&str>) {
    group.rsplit_once('-').map_or((None, None), |(checkpoint, kind)| (Some(checkpoint), Some(kind)))
}

/// Reads the file; when it is cut or broken, what comes before that and the reason.
pub(super) fn parse(bytes: &[u8]) -> (PytestFile, Option<Error>) {
    let mut file = PytestFile::default();
    let cut = fill(&mut file, bytes).err();
    (file, cut)
}

fn fill(file: &mut PytestFile, bytes: &[u8]) -> Result<(), Error> {
    let mut cursor = Cursor::new(bytes);
    cursor.each_field(|key, cursor| {
        match key {
            "problem_name" => file.problem = owned(cursor)?,
            "checkpoint_name" => file.checkpoint = owned(cursor)?,
            "problem_version" => file.version = cursor.number()?,
            "duration" => file.duration = cursor.number()?,
            "pytest_exit_code" => file.exit_code = cursor.number()?,
            "pytest_collected" => file.collected = cursor.number()?,
            "infrastructure_failure" => {
                file.is_infrastructure_failure = cursor.bool()?;
            }
            "pass_counts" => counts(cursor, &mut file.pass_counts)?,
            "total_counts" => counts(cursor, &mut file.total_counts)?,
            "tests" if cursor.kind()? == ValueKind::Array => {
                cursor.each_item(|cursor| listed(file, cursor))?;
            }
            "tests" => {
                cursor.each_field(|group, cursor| bucket(file, group, cursor))?;
            }
            key => other(cursor, key, &mut file.others)?,
        }
        Ok(())
    })?;
    cursor.end()
}

/// A test of the list of G2a.
fn listed(file: &mut PytestFile, cursor: &mut Cursor<'_>) -> Result<(), Error> {
    cursor.kind()?;
    let start = cursor.at();
    let (mut id, mut checkpoint, mut kind, mut status, mut duration) =
        (None, None, None, None, None);
    cursor.each_field(|key, cursor| {
        match key {
            "id" => id = owned(cursor)?,
            "checkpoint" => checkpoint = owned(cursor)?,
            "group_type" => kind = owned(cursor)?,
            "status" => status = owned(cursor)?,
            "duration_ms" => duration = cursor.number()?,
            _ => {
                cursor.skip()?;
            }
        }
        Ok(())
    })?;
    let Some(id) = id else {
        file.strangers.push(start);
        return Ok(());
    };
    file.tests.push(EvaluationTest {
        id,
        group: format!("{}-{}", checkpoint.unwrap_or_default(), kind.unwrap_or_default()),
        outcome: status.as_deref().and_then(outcome).unwrap_or(Outcome::Unscored),
        duration_secs: duration.map(|millis| millis / 1000.0),
        span: start..cursor.at(),
    });
    Ok(())
}

/// What a status word means.
pub(super) fn outcome(status: &str) -> Option<Outcome> {
    Some(match status {
        "passed" | "xpassed" => Outcome::Passed,
        "failed" | "other" => Outcome::Failed,
        "error" => Outcome::Error,
        "skipped" | "xfailed" | "pending" => Outcome::Skipped,
        _ => return None,
    })
}

/// A bucket of G2b and later.
fn bucket(file: &mut PytestFile, group: &str, cursor: &mut Cursor<'_>) -> Result<(), Error> {
    let before = file.tests.len();
    cursor.kind()?;
    let start = cursor.at();
    let is_bucket = cursor.each_field(|status, cursor| {
        file.has_skipped |= status == "skipped";
        let Some(outcome) = outcome(status) else {
            cursor.skip()?;
            return Ok(());
        };
        cursor.kind()?;
        let start = cursor.at();
        let is_list = cursor.each_item(|cursor| {
            cursor.kind()?;
            let start = cursor.at();
            let Some(id) = owned(cursor)? else {
                file.strangers.push(start);
                return Ok(());
            };
            let span = start..cursor.at();
            let group = group.to_owned();
            file.tests.push(EvaluationTest { id, group, outcome, duration_secs: None, span });
            Ok(())
        })?;
        if !is_list {
            file.strangers.push(start);
        }
        Ok(())
    })?;
    if !is_bucket {
        file.strangers.push(start);
    }
    if file.tests.len() == before {
        file.empty_groups.push(group.to_owned());
    }
    Ok(())
}
