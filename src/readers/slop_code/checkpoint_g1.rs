//! A checkpoint of G1: `evaluation.json` and `reports.parquet`.
//!
//! The Parquet rows are the cases (all of them: ids may repeat); `evaluation.json` gives groups,
//! durations and declared counts. Either alone is enough. Producer's definition: `add_group_report`
//! and `VerifierReport` of 6b31994. Fixtures: `g1/runs/*/tide_tables/checkpoint_2` (repeated ids),
//! `checkpoint_1` (no case), `g1/odd/undefined_scores` (no score).

use super::bundle::CheckpointFiles;
use super::checkpoint::{Built, builder, evaluation_bytes, key, kind, note_cut, note_strangers};
use super::declared::{self, FigureSheet};
use super::evaluation_g1::{self, GroupCase, GroupsFile};
use super::gathered::{Gathered, RunTables};
use super::paired::{LastCases, PairedCases, UnscoredCase};
use super::{reports, row_groups};
use crate::model::{
    CaseRow, GroupInfo, Kind, Locator, NoteKind, Outcome, Place, RunBuilder, SCORES_ALONE,
};
use crate::order::Order as _;
use crate::readers::{Claimed, Context, Error};
use hashbrown::HashMap;

/// Reads the checkpoint.
///
/// # Errors
/// When the work is cancelled, or there is only a damaged Parquet file.
pub(super) async fn read(
    unit: &CheckpointFiles,
    evaluation: Option<&Claimed>,
    cx: &Context<'_>,
) -> Result<Built, Error> {
    let reports = unit.reports.as_deref();
    // Others read rows while the evaluation is read here.
    let begun = match reports {
        Some(claimed) => row_groups::begin(cx, &claimed.file)?,
        None => None,
    };
    let mut file = GroupsFile::default();
    // Cases that are missing beside what cannot be read are no disagreement.
    let mut is_damaged = false;
    if let Some(claimed) = evaluation {
        let (read, cut) = evaluation_g1::parse(&evaluation_bytes(claimed, cx));
        is_damaged = cut.is_some() || !read.strangers.is_empty();
        note_cut(claimed, cut.as_ref(), cx);
        note_strangers(
            claimed,
            &read.strangers,
            "something else stands where a group should be",
            cx,
        );
        cx.pulse.advance(claimed.file.len()).await?;
        file = read;
    }
    let keys = reports.and_then(|claimed| reports::keys(&claimed.file, 1).ok());
    let keys = keys.unwrap_or_default();
    if let (Some(problem), Some(own)) = (&file.problem, &keys.problem)
        && (problem != own || file.checkpoint != keys.checkpoint)
    {
        let detail = "the evaluation beside it is of another problem or checkpoint";
        cx.notes.add(unit.path(), NoteKind::Mismatch, Place::File, detail);
    }
    let problem = file.problem.clone().or(keys.problem);
    let checkpoint = file.checkpoint.clone().or(keys.checkpoint);
    let mut builder = builder(key(unit, problem, checkpoint, cx), unit);
    builder.started_at = file.timestamp.clone().or(keys.timestamp);
    builder.duration_secs = file.duration;

    let mut last = None;
    if let Some(claimed) = reports {
        cx.pulse.set_file(&claimed.file.path);
        match row_groups::gather(&claimed.file, begun, cx.pulse).await {
            Ok(gathered) => {
                last = Some((
                    claimed,
                    add_rows(&mut builder, gathered, claimed, (&file, evaluation), cx)?,
                ));
            }
            Err(err) if err.is_cancelled() || evaluation.is_none() => {
                return Err(err.in_file(&claimed.file.path));
            }
            Err(err) => {
                let path = &claimed.file.path;
                cx.notes.add(path, err.note_kind(), Place::File, err.to_string());
            }
        }
    }
    // Rows come in run order; the file's groups are sorted, and only it knows the empty ones.
    let names = last.iter().flat_map(|(_, last)| &last.groups).enumerate();
    let order: HashMap<&str, usize> = names.map(|(at, name)| (name.as_str(), at)).collect();
    let mut infos: Vec<_> = file.groups.iter().collect();
    infos.order_by_key(|group| order.get(group.name.as_str()).copied().unwrap_or(usize::MAX));
    for group in infos {
        builder.group(GroupInfo {
            name: group.name.clone(),
            kind: kind(group.kind.as_deref(), unit.path(), cx),
            duration_secs: group.duration,
            weight: None,
        });
    }
    match (evaluation, &last) {
        (Some(claimed), None) => {
            cx.notes.add(&claimed.file.path, NoteKind::Assumed, Place::File, SCORES_ALONE);
            add_recorded(&mut builder, &file, claimed, cx);
        }
        (Some(_), Some((claimed, last))) => {
            compare_ids(&file, is_damaged, last, claimed, cx);
        }
        (None, Some((claimed, _))) => {
            let detail = "no evaluation.json can be read: groups are those of the rows, empty ones and \
                durations are unknown";
            cx.notes.add(&claimed.file.path, NoteKind::MissingPartner, Place::File, detail);
        }
        (None, None) => {}
    }
    let sheet = evaluation.map_or_else(FigureSheet::default, |claimed| {
        let path = claimed.file.path.as_str().into();
        declared::groups(&file, &path, last.as_ref().map(|(_, last)| last))
    });
    let mut built = Built::new(builder.finish(), sheet, "G1", file.version, unit);
    built.has_all_groups &= !is_damaged;
    Ok(built)
}

/// Adds the rows of the report `claimed` as cases, each with the place of its score in the evaluation file.
///
/// # Errors
/// When there is no room for so much text.
fn add_rows(
    builder: &mut RunBuilder,
    mut gathered: Gathered,
    claimed: &Claimed,
    (file, evaluation): (&GroupsFile, Option<&Claimed>),
    cx: &Context<'_>,
) -> Result<LastCases, Error> {
    let path = &claimed.file.path;
    let mut noted = gathered.take_notes().into_steps().peekable();
    let mut paired = PairedCases::new(file, &gathered);
    let partners = paired.pair(|case_idx, name, id| {
        while let Some((_, note)) = noted.next_if(|(step, _)| *step <= case_idx) {
            cx.notes.add_counted(note);
        }
        let detail = format!(
            "the id {id:?} occurs more than once in group {name:?}; every row is a case, \
             evaluation.json keeps the last"
        );
        cx.notes.add(path, NoteKind::Duplicate, Place::Row(gathered.row(case_idx)), detail);
    });
    noted.for_each(|(_, note)| cx.notes.add_counted(note));
    let last = paired.finish();
    let source = evaluation.map(|claimed| claimed.file.id);
    let place = |entry: &GroupCase| {
        Some(Locator::Span {
            source: source?,
            offset: entry.span.start as u64,
            len: entry.span.len() as u64,
        })
    };
    let partners: Vec<_> = partners.into_iter().map(|entry| place(entry?)).collect();
    let RunTables { cases, checks, starts } = gathered.finish(claimed.file.id);
    let cases = match partners.iter().any(Option::is_some) {
        true => cases.partnered(&partners),
        false => cases,
    };
    builder.extend(cases, checks, starts)?;
    Ok(last)
}

/// Cases from the recorded scores alone.
fn add_recorded(builder: &mut RunBuilder, file: &GroupsFile, claimed: &Claimed, cx: &Context<'_>) {
    for group in &file.groups {
        let kind = group.kind.as_deref().and_then(Kind::from_text);
        for entry in &group.results {
            if entry.score.is_none() {
                let place = Place::Byte(entry.span.start as u64);
                cx.notes.add(
                    &claimed.file.path,
                    NoteKind::Broken,
                    place,
                    "a score is not a number",
                );
            }
            let outcome = match entry.score {
                None => Outcome::Unscored,
                Some(score) if score >= 1.0 => Outcome::Passed,
                Some(_) => Outcome::Failed,
            };
            let case = CaseRow {
                id: Some(&entry.id),
                group: Some(&group.name),
                kind: kind.map(Kind::as_str),
                score: entry.score,
                passed: entry.score.map(|score| score >= 1.0),
                n_attempts: Some(1),
                ..CaseRow::default()
            };
            let place = Locator::Span {
                source: claimed.file.id,
                offset: entry.span.start as u64,
                len: entry.span.len() as u64,
            };
            builder.case(case.with_outcome(outcome).at(place));
        }
    }
}

fn compare_ids(
    file: &GroupsFile,
    is_damaged: bool,
    last: &LastCases,
    claimed: &Claimed,
    cx: &Context<'_>,
) {
    let path = &claimed.file.path;
    let entries = file.groups.iter().flat_map(|group| {
        group.results.iter().map(move |entry| (group.name.as_str(), entry.id.as_str()))
    });
    for ((group, id), _) in entries.zip(&last.of_entries).filter(|(_, case)| case.is_none()) {
        let place = Place::Field(format!("{group} / {id}"));
        let detail = "evaluation.json has a score for a case that has no row here";
        cx.notes.add(path, NoteKind::Mismatch, place, detail);
    }
    if is_damaged {
        return;
    }
    let names = last.groups.iter().enumerate();
    let order: HashMap<&str, usize> = names.map(|(at, name)| (name.as_str(), at)).collect();
    let mut missing: Vec<_> = last.missing.iter().collect();
    missing.order_by_key(|missing| (order.get(missing.group.as_str()), missing.id.as_str()));
    for UnscoredCase { group, id, .. } in missing {
        let place = Place::Field(format!("{group} / {id}"));
        let detail = "a case has a row here but no score in evaluation.json";
        cx.notes.add(path, NoteKind::Mismatch, place, detail);
    }
}
