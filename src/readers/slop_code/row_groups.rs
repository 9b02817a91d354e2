//! Row groups of a large `reports.parquet`, read side by side, maybe by other programs, and put together in order.
//!
//! What depends on other rows is left to who puts them together: numbers of words, pairs of cases and scores.

use super::gathered::{Gathered, GatheredRows};
use super::reports;
use super::stretches::{HelpRequest, ID};
use crate::input::{InputFile, Pulse};
use crate::model::Note;
use crate::readers::{
    Answers, Context, Error, Misread, Stretch, StretchRead, from_bytes, to_bytes,
};
use arrow_array::RecordBatch;
use futures_util::StreamExt as _;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What is said of a stretch beside the tables of its cases and checks.
#[derive(Serialize, Deserialize)]
struct RowGroupStretch {
    /// What was noted, and after how many of its cases each note came first.
    notes: Vec<(usize, Note)>,
}

/// A file whose stretches are being read.
pub(super) struct RowGroupsFile<'a>(Answers<'a>);

/// Has others begin with the row groups of `file`; `None`: it is to be read in one go.
///
/// # Errors
/// When the words for them cannot be written, which no type of ours brings about.
pub(super) fn begin<'a>(
    cx: &Context<'a>,
    file: &'a InputFile,
) -> Result<Option<RowGroupsFile<'a>>, Error> {
    let Some(n_bytes) = cx.helpers.stretch_bytes(file.len()) else { return Ok(None) };
    let groups = reports::cut(file, n_bytes);
    if groups.len() < 2 {
        return Ok(None);
    }
    let stretch = |groups| {
        let asked = to_bytes(&HelpRequest::RowGroups(groups))?;
        Ok(Stretch { files: vec![file.clone()], asked })
    };
    let stretches: Result<Vec<_>, Error> = groups.into_iter().map(stretch).collect();
    Ok(Some(RowGroupsFile(cx.helpers.stretches(ID, stretches?, cx.pulse))))
}

/// The rows of `file`, by stretches where they are `begun`.
///
/// # Errors
/// When the footer is damaged, or the work is cancelled.
pub(super) async fn gather(
    file: &InputFile,
    begun: Option<RowGroupsFile<'_>>,
    pulse: &Pulse,
) -> Result<Gathered, Error> {
    let Some(RowGroupsFile(mut answers)) = begun else { return reports::gather(file, pulse).await };
    let mut gathered = reports::gathered_for_all(file)?;
    while let Some(answer) = answers.next().await {
        let part = match answer.and_then(part_of) {
            Err(err) if err.is_cancelled() => return Err(err),
            // Who was to help has not come to an end.
            Err(_) => return reports::gather(file, pulse).await,
            Ok(part) => part,
        };
        gathered.join(&part)?;
        pulse.breathe().await?;
    }
    pulse.advance(reports::bytes_beside(file)?).await?;
    Ok(gathered)
}

/// Reads the row groups that [`begin`] asked for.
///
/// # Errors
/// When the footer is damaged, or the work is cancelled.
pub(super) async fn answer(
    file: &InputFile,
    groups: Range<usize>,
    pulse: &Pulse,
) -> Result<StretchRead, Error> {
    pulse.set_file(&file.path);
    pulse.set_phase("read row groups");
    let GatheredRows { cases, checks, notes } =
        reports::gather_groups(file, groups, pulse).await?.into_part()?;
    pulse.set_phase("pack row groups");
    let said = to_bytes(&RowGroupStretch { notes })?;
    Ok(StretchRead { said, tables: vec![cases, checks] })
}

fn part_of(StretchRead { said, tables }: StretchRead) -> Result<GatheredRows, Error> {
    let RowGroupStretch { notes } = from_bytes(&said)?;
    let tables: Result<[RecordBatch; 2], _> = tables.try_into();
    let [cases, checks] = tables.map_err(|_others| Misread("a table is missing".to_owned()))?;
    Ok(GatheredRows { cases, checks, notes })
}
