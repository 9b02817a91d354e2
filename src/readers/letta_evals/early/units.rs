//! Runs on their way to a summary and a number: the rows of each, and which summary is theirs.

use super::documents::{EarlyDocument, NamedDocument};
use crate::input::json::f64_from_value;
use crate::model::{NoteKind, Place, Run};
use crate::readers::letta_evals::case_page::document::at;
use crate::readers::letta_evals::cases::{LettaRows, ReadState};
use crate::readers::letta_evals::grouping::names::run_of_folder;
use crate::readers::letta_evals::grouping::sums::Sums;
use crate::readers::letta_evals::judging::generation::Generation;
use crate::readers::letta_evals::judging::rules::LettaRules;
use crate::readers::letta_evals::stretches::lines::{self, Appending};
use crate::readers::letta_evals::{NO_SUMMARY, ROWS_ALONE};
use crate::readers::{Claimed, Context, Error};
use serde_json::Value;
use std::rc::Rc;

/// One run: its rows with their summary.
pub struct EarlyRun<'a> {
    /// The file of its rows.
    pub claimed: &'a Rc<Claimed>,
    /// Its number, once known.
    pub repeat: Option<u32>,
    /// Its rows.
    pub rows: LettaRows,
    /// Its summary, with the path of the file that holds it.
    pub summary: Option<(String, EarlyDocument)>,
    /// Another run was appended to it, and its summary is gone.
    pub is_earlier: bool,
}

/// Reads the rows of `files`. `counting` are the rules of a summary that counts samples with an error as
/// attempted.
///
/// # Errors
/// When a file cannot be read or the work is cancelled.
pub async fn read_units<'r, 'a>(
    reading: &mut ReadState<'r>,
    counting: &'r LettaRules,
    generation: Generation,
    files: &[&'a Rc<Claimed>],
    summaries: &[NamedDocument<'_>],
) -> Result<Vec<EarlyRun<'a>>, Error> {
    let (rules, cx) = (reading.rules, reading.cx);
    let mut units = Vec::new();
    for (number, &claimed) in (1..).zip(files) {
        // By the guide a sample with an error is not attempted; some summaries count it.
        reading.rules = if counts_errors(claimed, summaries) { counting } else { rules };
        let repeat = run_of_folder(claimed.file.folder());
        let fallback = if files.len() == 1 { 1 } else { number };
        let repeat_now = repeat.unwrap_or(fallback);
        let appending = appending(generation, claimed, summaries);
        let split = rules.names_models();
        let mut rows =
            lines::read_lines(reading, claimed, repeat_now, split, appending, None).await?;
        if rows.sums.n_rows == 0 {
            let detail = "no result row: the run ended before its first sample";
            cx.notes.add(&claimed.file.path, NoteKind::Unfinished, Place::File, detail);
        }
        let earlier = std::mem::take(&mut rows.earlier);
        note_appended(claimed, &rows, &earlier, cx);
        for (mut runs, sums) in earlier {
            for run in &mut runs {
                APPENDED.clone_into(&mut run.label);
            }
            let rows = LettaRows { earlier: Vec::new(), runs, sums, summary: None, ..rows };
            units.push(EarlyRun { claimed, repeat: None, rows, summary: None, is_earlier: true });
        }
        // In 0.2 the summary stands among the rows.
        let summary = rows.summary.take().map(|map| (claimed.file.path.clone(), map));
        units.push(EarlyRun { claimed, repeat, rows, summary, is_earlier: false });
    }
    Ok(units)
}

/// The label of a run to which another one was appended.
const APPENDED: &str = "appended earlier run";

/// Whether the summary of the rows in `claimed` counts every sample as attempted.
fn counts_errors(claimed: &Claimed, summaries: &[NamedDocument<'_>]) -> bool {
    let folder = claimed.file.folder();
    let mut own = summaries.iter().filter(|named| named.claimed.file.folder() == folder);
    let number =
        |named: &NamedDocument<'_>, key| at(&named.map, &["metrics", key]).and_then(f64_from_value);
    let is_same =
        |named: &NamedDocument<'_>, one, other| number(named, one) == number(named, other);
    own.next().is_some_and(|named| {
        number(named, "total").is_some()
            && is_same(named, "total", "total_attempted")
            && is_same(named, "avg_score_attempted", "avg_score_total")
    })
}

/// Whether runs may stand appended in a file of rows, and how many rows the last of them has.
fn appending(
    generation: Generation,
    claimed: &Claimed,
    summaries: &[NamedDocument<'_>],
) -> Appending {
    if !matches!(generation, Generation::Guide | Generation::B)
        && !matches!(generation, Generation::C0 | Generation::C1 | Generation::C2)
    {
        return Appending::Never;
    }
    let folder = claimed.file.folder();
    let own = summaries.iter().find(|named| named.claimed.file.folder() == folder);
    Appending::Possible(own.and_then(|named| at(&named.map, &["metrics", "total"])?.as_u64()))
}

/// Notes that a file holds several runs, and how many rows each has.
fn note_appended(
    claimed: &Claimed,
    last: &LettaRows,
    earlier: &[(Vec<Run>, Sums)],
    cx: &Context<'_>,
) {
    if earlier.is_empty() {
        return;
    }
    let counts: Vec<String> = earlier.iter().map(|(_, sums)| sums.n_rows.to_string()).collect();
    let n_runs = earlier.len() + 1;
    let detail = format!(
        "the file holds {n_runs} runs, appended one after the other: {} rows of earlier runs, then {} \
         of the last one, which a summary describes",
        counts.join(" and "),
        last.sums.n_rows
    );
    cx.notes.add(&claimed.file.path, NoteKind::Assumed, Place::File, detail);
}

/// Gives each unit its summary: the one in its folder, or of several the one whose figures fit.
pub fn pair_summaries(units: &mut [EarlyRun<'_>], summaries: &mut Vec<NamedDocument<'_>>) {
    for is_exact in [true, false] {
        for unit in units.iter_mut().filter(|unit| unit.summary.is_none() && !unit.is_earlier) {
            let folder = unit.claimed.file.folder();
            let found = summaries.iter().position(|named| {
                named.claimed.file.folder() == folder
                    && (!is_exact || agrees(&named.map, &unit.rows.sums))
            });
            if let Some(at) = found {
                unit.summary = Some(summaries.remove(at).into_summary());
            }
        }
    }
    // Loose files: no folder tells, only the figures do.
    for unit in units.iter_mut().filter(|unit| unit.summary.is_none() && !unit.is_earlier) {
        if let Some(at) = summaries.iter().position(|named| agrees(&named.map, &unit.rows.sums)) {
            unit.summary = Some(summaries.remove(at).into_summary());
        }
    }
}

/// Whether a summary's totals are those of the rows.
fn agrees(summary: &EarlyDocument, sums: &Sums) -> bool {
    at(summary, &["metrics"]).and_then(Value::as_object).is_some_and(|map| totals_agree(map, sums))
}

/// Whether `metrics`, the totals of a summary, are those of the rows.
#[expect(clippy::cast_precision_loss, reason = "counts of rows stay far below 2^53")]
fn totals_agree(metrics: &EarlyDocument, sums: &Sums) -> bool {
    let number = |key: &str| metrics.get(key).and_then(f64_from_value);
    let mean = number("avg_score_total");
    number("total") == Some(sums.n_rows as f64)
        && number("total_attempted").is_none_or(|n| n == sums.n_attempted as f64)
        && mean.is_none_or(|mean| (mean * sums.n_rows as f64 - sums.score).abs() < 1e-6)
}

/// Numbers the repeats that no folder numbers: by the entry of the aggregate that fits, else in the
/// order of the files.
pub fn number_repeats(units: &mut [EarlyRun<'_>], aggregate: Option<&NamedDocument<'_>>) {
    let stats = aggregate.and_then(|named| named.map.get("individual_run_metrics"));
    let none = Vec::new();
    let entries = stats.and_then(Value::as_array).unwrap_or(&none);
    let mut taken: Vec<u32> = units.iter().filter_map(|unit| unit.repeat).collect();
    for unit in units.iter_mut().filter(|unit| unit.repeat.is_none()) {
        let own = unit.summary.as_ref().and_then(|(_, summary)| summary.get("metrics"));
        let fits = |entry: &Value| match own {
            Some(own) => own == entry,
            None => entry.as_object().is_some_and(|map| totals_agree(map, &unit.rows.sums)),
        };
        let found = (1..)
            .zip(entries)
            .find(|(number, entry)| !taken.contains(number) && fits(entry))
            .map(|(number, _)| number);
        if let Some(number) = found {
            unit.repeat = Some(number);
            taken.push(number);
        }
    }
    for unit in units.iter_mut().filter(|unit| unit.repeat.is_none()) {
        let number = (1..).find(|number| !taken.contains(number)).unwrap_or(1);
        unit.repeat = Some(number);
        taken.push(number);
    }
}

/// Notes a missing summary, and one that counts other rows than there are. A file of rows alone,
/// without a header too, says nothing about how its run ended.
pub fn check_total(unit: &EarlyRun<'_>, has_header: bool, cx: &Context<'_>) {
    let path = &unit.claimed.file.path;
    let n_rows = unit.rows.sums.n_rows;
    let Some((_, summary)) = &unit.summary else {
        if n_rows > 0 && has_header {
            cx.notes.add(path, NoteKind::Unfinished, Place::File, NO_SUMMARY);
        } else if n_rows > 0 {
            cx.notes.add(path, NoteKind::MissingPartner, Place::File, ROWS_ALONE);
        }
        return;
    };
    let stated = at(summary, &["metrics", "total"]).and_then(Value::as_u64);
    if let Some(stated) = stated.filter(|&stated| stated != n_rows) {
        let are = if n_rows == 1 { "is" } else { "are" };
        let detail = format!("the summary counts {stated} samples, {n_rows} {are} here");
        let kind = if n_rows < stated { NoteKind::Unfinished } else { NoteKind::Mismatch };
        cx.notes.add(path, kind, Place::File, detail);
    }
}
