//! `evaluation.json` with group outcomes (G1).
//!
//! Producer's definition: `CorrectnessResults.model_dump` of 6b31994, keys sorted at every level;
//! bare `NaN` and `Infinity` occur. Fixtures: `g1/runs/*`, `g1/odd/*`.

use crate::input::Error;
use crate::input::json::Cursor;
use serde_json::{Map, Value};
use std::ops::Range;

/// What the file says.
#[derive(Debug, Default)]
pub(super) struct GroupsFile {
    /// Problem.
    pub(super) problem: Option<String>,
    /// Checkpoint.
    pub(super) checkpoint: Option<String>,
    /// Version of the problem.
    pub(super) version: Option<f64>,
    /// When the evaluation started.
    pub(super) timestamp: Option<String>,
    /// Seconds.
    pub(super) duration: Option<f64>,
    /// Groups, in file order.
    pub(super) groups: Vec<EvaluationGroup>,
    /// Where something else stands in the place of a group or of its results.
    pub(super) strangers: Vec<usize>,
    /// Passed cases by kind, as the file spells the kinds.
    pub(super) pass_counts: Vec<(String, f64)>,
    /// Cases by kind.
    pub(super) total_counts: Vec<(String, f64)>,
    /// Members that are none of these.
    pub(super) others: Map<String, Value>,
}

/// One group.
#[derive(Debug, Default)]
pub(super) struct EvaluationGroup {
    /// Name.
    pub(super) name: String,
    /// Kind, as the file spells it.
    pub(super) kind: Option<String>,
    /// Seconds.
    pub(super) duration: Option<f64>,
    /// Scores by case.
    pub(super) results: Vec<GroupCase>,
}

/// One case of a group.
#[derive(Debug)]
pub(super) struct GroupCase {
    /// Case id.
    pub(super) id: String,
    /// Score.
    pub(super) score: Option<f64>,
    /// Bytes of the score.
    pub(super) span: Range<usize>,
}

/// Reads the file; when it is cut or broken, what comes before that and the reason.
pub(super) fn parse(bytes: &[u8]) -> (GroupsFile, Option<Error>) {
    let mut file = GroupsFile::default();
    let cut = fill(&mut file, bytes).err();
    (file, cut)
}

fn fill(file: &mut GroupsFile, bytes: &[u8]) -> Result<(), Error> {
    let mut cursor = Cursor::new(bytes);
    cursor.each_field(|key, cursor| {
        match key {
            "problem_name" => file.problem = owned(cursor)?,
            "name" => file.checkpoint = owned(cursor)?,
            "problem_version" => file.version = cursor.number()?,
            "timestamp" => file.timestamp = owned(cursor)?,
            "duration" => file.duration = cursor.number()?,
            "pass_counts" => counts(cursor, &mut file.pass_counts)?,
            "total_counts" => counts(cursor, &mut file.total_counts)?,
            "group_outcomes" => {
                cursor.each_field(|name, cursor| {
                    file.groups.push(EvaluationGroup {
                        name: name.to_owned(),
                        ..EvaluationGroup::default()
                    });
                    let Some(group) = file.groups.last_mut() else { return Ok(()) };
                    fill_group(group, &mut file.strangers, cursor)
                })?;
            }
            key => other(cursor, key, &mut file.others)?,
        }
        Ok(())
    })?;
    cursor.end()
}

/// Keeps a member that has no place of its own.
pub(super) fn other(
    cursor: &mut Cursor<'_>,
    key: &str,
    into: &mut Map<String, Value>,
) -> Result<(), Error> {
    let value = cursor.tree()?;
    into.insert(key.to_owned(), value);
    Ok(())
}

fn fill_group(
    group: &mut EvaluationGroup,
    strangers: &mut Vec<usize>,
    cursor: &mut Cursor<'_>,
) -> Result<(), Error> {
    cursor.kind()?;
    let start = cursor.at();
    let is_group = cursor.each_field(|key, cursor| {
        match key {
            "type" => group.kind = owned(cursor)?,
            "duration" => group.duration = cursor.number()?,
            "results" => {
                cursor.kind()?;
                let start = cursor.at();
                let is_object = cursor.each_field(|id, cursor| {
                    cursor.kind()?;
                    let start = cursor.at();
                    let score = cursor.number()?;
                    let span = start..cursor.at();
                    group.results.push(GroupCase { id: id.to_owned(), score, span });
                    Ok(())
                })?;
                if !is_object {
                    strangers.push(start);
                }
            }
            _ => {
                cursor.skip()?;
            }
        }
        Ok(())
    })?;
    if !is_group {
        strangers.push(start);
    }
    Ok(())
}

/// The text that comes next, owned.
pub(super) fn owned(cursor: &mut Cursor<'_>) -> Result<Option<String>, Error> {
    Ok(cursor.text()?.map(std::borrow::Cow::into_owned))
}

/// Counts by kind.
pub(super) fn counts(cursor: &mut Cursor<'_>, into: &mut Vec<(String, f64)>) -> Result<(), Error> {
    cursor.each_field(|kind, cursor| {
        if let Some(count) = cursor.number()? {
            into.push((kind.to_owned(), count));
        }
        Ok(())
    })?;
    Ok(())
}
