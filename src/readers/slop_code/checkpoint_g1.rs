//! A checkpoint of G1: `evaluation.json` and `reports.parquet`.
//!
//! The Parquet rows are the cases (all of them: ids may repeat); `evaluation.json` gives groups,
//! durations and declared counts. Either alone is enough. Producer's definition: `add_group_report`
//! and `VerifierReport` of 6b31994. Fixtures: `g1/runs/*/tide_tables/checkpoint_2` (repeated ids),
//! `checkpoint_1` (no case), `g1/odd/undefined_scores` (no score).

use super::super::{Claimed, Context, Error};
use super::bundle::Unit;
use super::checkpoint::{Built, builder, evaluation_bytes, key, kind, note_cut, note_strangers};
use super::declared::{self, Last, Sheet};
use super::evaluation_g1::{self, GroupsFile};
use super::reports::{self, Rows};
use crate::model::{
    CaseRow, CheckRow, GroupInfo, Kind, Locator, NoteKind, Outcome, Place, RunBuilder,
};
use hashbrown::{HashMap, HashSet};

/// Reads the checkpoint.
///
/// # Errors
/// When the work is cancelled, or there is only a damaged Parquet file.
pub(super) async fn read(
    unit: &Unit,
    evaluation: Option<&Claimed>,
    subject: Option<&str>,
    cx: &Context<'_>,
) -> Result<Built, Error> {
    let mut file = GroupsFile::default();
    if let Some(claimed) = evaluation {
        let (read, cut) = evaluation_g1::parse(&evaluation_bytes(claimed, cx));
        note_cut(claimed, cut, cx);
        note_strangers(
            claimed,
            &read.strangers,
            "something else stands where a group should be",
            cx,
        );
        cx.pulse.advance(claimed.file.len()).await?;
        file = read;
    }
    let reports = unit.reports.as_deref();
    let keys = reports.map(|claimed| reports::keys(&claimed.file, 1)).unwrap_or_default();
    if let (Some(problem), Some(own)) = (&file.problem, &keys.problem)
        && (problem != own || file.checkpoint != keys.checkpoint)
    {
        let detail = "the evaluation beside it is of another problem or checkpoint";
        cx.notes.add(unit.path(), NoteKind::Mismatch, Place::File, detail);
    }
    let problem = file.problem.clone().or(keys.problem);
    let checkpoint = file.checkpoint.clone().or(keys.checkpoint);
    let mut builder = builder(key(unit, problem, checkpoint, subject, cx), unit);
    builder.started_at = file.timestamp.clone().or(keys.timestamp);
    builder.duration_secs = file.duration;

    let mut seen = Seen::default();
    let mut readable = None;
    if let Some(claimed) = reports {
        let entries = entries(&file, evaluation);
        let read = reports::each_rows(&claimed.file, cx, &mut |rows| {
            add_rows(&mut builder, rows, claimed, &entries, &mut seen, cx);
        })
        .await;
        match read {
            Ok(()) => readable = Some(claimed),
            Err(err) if err.is_cancelled() || evaluation.is_none() => {
                return Err(err.in_file(&claimed.file.path));
            }
            Err(err) => {
                let path = &claimed.file.path;
                cx.notes.add(path, NoteKind::Broken, Place::File, err.to_string());
            }
        }
    }
    // Rows come in run order; the file's groups are sorted, and only it knows the empty ones.
    let order: HashMap<&str, usize> =
        seen.groups.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
    let mut infos: Vec<_> = file.groups.iter().collect();
    infos.sort_by_key(|group| order.get(group.name.as_str()).copied().unwrap_or(usize::MAX));
    for group in infos {
        builder.group(GroupInfo {
            name: group.name.clone(),
            kind: kind(group.kind.as_deref(), unit.path(), cx),
            duration_secs: group.duration,
            weight: None,
        });
    }
    match (evaluation, readable) {
        (Some(claimed), None) => {
            let detail = "reports.parquet is missing or unreadable: scores are the recorded ones, a case counts \
                as passed when its score is 1, attributes are unknown";
            cx.notes.add(&claimed.file.path, NoteKind::Assumed, Place::File, detail);
            add_recorded(&mut builder, &file, claimed, cx);
        }
        (Some(_), Some(claimed)) => {
            compare_ids(&file, &seen, claimed, cx);
        }
        (None, Some(claimed)) => {
            let detail = "evaluation.json is missing: groups are those of the rows, empty ones and \
                durations are unknown";
            cx.notes.add(&claimed.file.path, NoteKind::MissingPartner, Place::File, detail);
        }
        (None, None) => {}
    }
    let sheet = evaluation.map_or_else(Sheet::default, |claimed| {
        let path = claimed.file.path.as_str().into();
        declared::groups(&file, &path, readable.map(|_| &seen.last))
    });
    Ok(Built::new(builder.finish(), sheet, "G1", file.version, unit))
}

/// What the rows of a report have named so far.
#[derive(Default)]
struct Seen {
    groups: Vec<String>,
    /// Last case of each group and id.
    last: Last,
}

/// Place of each score of the evaluation file.
fn entries<'a>(
    file: &'a GroupsFile,
    evaluation: Option<&Claimed>,
) -> HashMap<(&'a str, &'a str), Locator> {
    let Some(claimed) = evaluation else { return HashMap::new() };
    let groups = file.groups.iter();
    let spans = groups.flat_map(|group| group.results.iter().map(move |entry| (group, entry)));
    spans
        .map(|(group, entry)| {
            let place = Locator::Span {
                source: claimed.file.id,
                offset: entry.span.start as u64,
                len: entry.span.len() as u64,
            };
            ((group.name.as_str(), entry.id.as_str()), place)
        })
        .collect()
}

fn add_rows(
    builder: &mut RunBuilder,
    rows: &Rows,
    claimed: &Claimed,
    entries: &HashMap<(&str, &str), Locator>,
    seen: &mut Seen,
    cx: &Context<'_>,
) {
    let path = &claimed.file.path;
    for idx in 0..rows.len() {
        let row = rows.first_row.saturating_add(idx as u64);
        let Some(id) = rows.id(idx) else {
            cx.notes.add(path, NoteKind::Broken, Place::Row(row), "a row has no id");
            continue;
        };
        let group = rows.group(idx);
        let name = group.unwrap_or_default();
        let kind = kind(rows.kind(idx), path, cx);
        let (score, did_pass) = rows.judge(idx);
        let outcome = match (score, did_pass) {
            (None, true) => Outcome::Unscored,
            (_, true) => Outcome::Passed,
            (_, false) => Outcome::Failed,
        };
        let case = CaseRow {
            id: Some(id),
            variant: rows.original_checkpoint(idx),
            group,
            kind: kind.map(Kind::as_str),
            score,
            passed: Some(did_pass),
            n_attempts: Some(1),
            duration_secs: rows.duration(idx),
            ..CaseRow::default()
        };
        let mut case = case.with_outcome(outcome).at(Locator::Row { source: claimed.file.id, row });
        if let Some(&entry) = entries.get(&(name, id)) {
            case = case.joined_with(entry);
        }
        let case_idx = builder.case(case);
        for attribute in rows.attributes(idx) {
            builder.check(CheckRow {
                attempt: Some(1),
                name: Some(attribute.name.unwrap_or_default()),
                is_correct: attribute.is_correct,
                weight: attribute.weight,
                ..CheckRow::default()
            });
        }
        if !seen.last.contains_key(name) {
            seen.groups.push(name.to_owned());
            seen.last.insert(name.to_owned(), HashMap::new());
        }
        let before =
            seen.last.get_mut(name).and_then(|ids| ids.insert(id.to_owned(), (case_idx, score)));
        if before.is_some() {
            let detail = format!(
                "the id {id:?} stands more than once in group {name:?}; every row is a case, \
                 evaluation.json keeps the last"
            );
            cx.notes.add(path, NoteKind::Duplicate, Place::Row(row), detail);
        }
    }
}

/// Cases from the recorded scores alone.
fn add_recorded(builder: &mut RunBuilder, file: &GroupsFile, claimed: &Claimed, cx: &Context<'_>) {
    for group in &file.groups {
        let kind = group.kind.as_deref().and_then(Kind::from_text);
        for entry in &group.results {
            if entry.score.is_none() {
                let place = Place::Byte(entry.span.start as u64);
                cx.notes.add(&claimed.file.path, NoteKind::Broken, place, "a score is no number");
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

fn compare_ids(file: &GroupsFile, seen: &Seen, claimed: &Claimed, cx: &Context<'_>) {
    let path = &claimed.file.path;
    let mut known: HashSet<(&str, &str)> = HashSet::new();
    for group in &file.groups {
        for entry in &group.results {
            known.insert((&group.name, &entry.id));
            if !seen.last.get(&group.name).is_some_and(|ids| ids.contains_key(&entry.id)) {
                let place = Place::Field(format!("{} / {}", group.name, entry.id));
                let detail = "evaluation.json has a score for a case that has no row here";
                cx.notes.add(path, NoteKind::Mismatch, place, detail);
            }
        }
    }
    for (group, ids) in &seen.last {
        let missing = ids.keys().filter(|id| !known.contains(&(group.as_str(), id.as_str())));
        let mut missing: Vec<_> = missing.collect();
        missing.sort();
        for id in missing {
            let place = Place::Field(format!("{group} / {id}"));
            let detail = "a case has a row here but no score in evaluation.json";
            cx.notes.add(path, NoteKind::Mismatch, place, detail);
        }
    }
}
