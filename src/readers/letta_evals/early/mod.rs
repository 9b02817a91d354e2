//! Output folders of 0.2 – 0.16, and of the reporting guide: `header.json`, `results.jsonl`,
//! `summary.json`, over several runs `run_N/` and `aggregate_stats.json`; in 0.2 one line file.
//!
//! Source: `writer.py`, `streaming.py` of letta-evals. Fixtures `0.2.x_singlefile` – `0.15.0_logical_multirun`,
//! `guide_shape`, `damaged_single`.

mod documents;
mod units;

use super::cases::ReadState;
use super::finish::{EvaluationParts, finish};
use super::grouping::names::run_of_folder;
use super::judging::generation::Generation;
use super::judging::rules::LettaRules;
use super::judging::suite_yaml::{self, Suite};
use super::row::GraderNames;
use super::sniff::role;
use super::totals::declared;
use crate::model::{Declared, Evaluation, Figure, Known, NoteKind, Place, Scope};
use crate::order::{Order as _, natural};
use crate::readers::{Bundle, Claimed, Context, Error};
use documents::{
    Documents, EarlyDocument, NamedDocument, config, documents, generation, inline_header, suite,
};
use serde_json::Value;
use std::rc::Rc;
use units::{EarlyRun, check_total, number_repeats, pair_summaries, read_units};

/// Reads a folder of these releases.
///
/// # Errors
/// When no file gives anything, or the work is cancelled.
pub async fn read(bundle: &Bundle, cx: &Context<'_>) -> Result<Evaluation, Error> {
    let mut documents = documents(bundle, cx)?;
    let rows_files: Vec<&Rc<Claimed>> = row_files(bundle);
    let inline = rows_files.iter().find_map(|claimed| inline_header(claimed));
    let header = documents.headers.first().map(|named| named.map.clone()).or(inline.clone());
    let header = header.as_ref();
    let mut config = config(header, &documents.summaries);
    let suite = suite(header, &documents.summaries);
    let written = suite_yaml::find(bundle, suite.as_deref(), cx);
    if let Some(written) = &written {
        written.complete(&mut config, cx);
    }
    let suite = suite.or_else(|| written.as_ref()?.name().map(str::to_owned));
    let generation = generation(&rows_files, &config, &documents);
    if header.is_none() && written.is_none() {
        let detail = "no header.json is among the files: gate and graders are not known";
        cx.notes.add(&bundle.path, NoteKind::MissingPartner, Place::File, detail);
    }
    let mut rules = LettaRules::new(generation, &config);
    rules.config.description = written.as_ref().map(Suite::description).unwrap_or_default();
    let mut reading = ReadState {
        rules: &rules,
        suite: suite.as_deref(),
        partners: None,
        names: GraderNames(rules.config.metrics.clone()),
        cx,
    };
    let counting = LettaRules { counts_errors: true, ..rules.clone() };
    let mut units =
        read_units(&mut reading, &counting, generation, &rows_files, &documents.summaries).await?;
    let metrics = reading.names.0;
    pair_summaries(&mut units, &mut documents.summaries);
    number_repeats(&mut units, documents.aggregate.as_ref());
    let mut parts = EvaluationParts { suite, metrics, ..EvaluationParts::default() };
    if let Some(Value::String(at)) = header.and_then(|header| header.get("timestamp")) {
        parts.started_at = Some(at.clone());
    }
    for unit in &units {
        if !unit.is_earlier {
            check_total(unit, header.is_some(), cx);
        }
        if let Some((path, summary)) = &unit.summary {
            let before = parts.declared.len();
            declare(&mut parts, path, summary, unit.repeat.unwrap_or(1), generation);
            if generation == Generation::Guide && unit.rows.sums.n_without_grade > 0 {
                explain_missing_grades(parts.declared.iter_mut().skip(before));
            }
        }
    }
    declare_alone(&mut parts, &documents.summaries, &units, generation, cx);
    if let Some(aggregate) = &documents.aggregate {
        parts.declare(&aggregate.claimed.file.path, "", &aggregate.map, None, |stated| {
            declared::aggregate(stated, "", &aggregate.map, generation);
        });
    } else if is_over_runs(&units) {
        let detail = "no aggregate_stats.json: not all runs are finished, or it is kept elsewhere";
        cx.notes.add(&bundle.path, NoteKind::Unfinished, Place::File, detail);
    }
    if let Some(written) = &written {
        let (path, map) = written.document();
        parts.document(path, map);
    }
    add_documents(&mut parts, &documents, &units, inline.as_ref());
    units.order_by_key(|unit| unit.repeat);
    for unit in units {
        for mut run in unit.rows.runs {
            run.key.repeat = unit.repeat.unwrap_or(1);
            parts.runs.push(run);
        }
    }
    finish(bundle, rules, parts, cx)
}

/// The files of rows, in the order of their paths.
fn row_files(bundle: &Bundle) -> Vec<&Rc<Claimed>> {
    let mut files: Vec<&Rc<Claimed>> =
        bundle.of_role(role::ROWS).chain(bundle.of_role(role::GUIDE_ROWS)).collect();
    // An empty results.jsonl is a run that had not begun.
    files.extend(bundle.of_role(role::EMPTY));
    files.order_by(|left, right| natural(&left.file.path, &right.file.path));
    files
}

/// Declares the figures of the summary in the file `path` about run `repeat`.
fn declare(
    parts: &mut EvaluationParts,
    path: &str,
    summary: &EarlyDocument,
    repeat: u32,
    generation: Generation,
) {
    parts.declare(path, "", summary, None, |stated| {
        if let Some(Value::Object(metrics)) = summary.get("metrics") {
            declared::metrics(stated, repeat, "metrics.", metrics, generation);
        }
        stated.scope = Scope::Repeat(repeat);
        stated.put(summary, "gates_passed", Figure::GatePassed);
    });
}

/// Says of the figures over samples' own scores that the summary may have taken a score that no row
/// holds.
fn explain_missing_grades<'a>(declared: impl Iterator<Item = &'a mut Declared>) {
    const WHY: &str = "the rows hold a grade for each grader but no overall grade, so the score of a sample is \
        that of the gate's grader here; the summary may have used another grade";
    for figure in declared {
        if matches!(
            figure.figure,
            Figure::MeanAttempted | Figure::MeanTotal | Figure::Passed | Figure::Failed
        ) {
            figure.known.get_or_insert(Known { why: WHY.into(), original: None });
        }
    }
}

/// Declares the figures of summaries to which no rows belong.
fn declare_alone(
    parts: &mut EvaluationParts,
    summaries: &[NamedDocument<'_>],
    units: &[EarlyRun<'_>],
    generation: Generation,
    cx: &Context<'_>,
) {
    let mut numbered: Vec<u32> = Vec::new();
    for summary in summaries {
        let detail = "no result rows belong to this summary: its figures cannot be checked";
        let file = &summary.claimed.file;
        cx.notes.add(&file.path, NoteKind::MissingPartner, Place::File, detail);
        // A number that no run has: what the summary says is listed as unchecked, not compared with
        // the rows of another.
        let taken = |number: u32| {
            numbered.contains(&number) || units.iter().any(|unit| unit.repeat == Some(number))
        };
        let own = run_of_folder(file.folder()).unwrap_or(1);
        let free = (own..).find(|&number| !taken(number)).unwrap_or(own);
        numbered.push(free);
        declare(parts, &file.path, &summary.map, free, generation);
    }
}

/// Whether the runs are repeats, so that an aggregate belongs to them.
fn is_over_runs(units: &[EarlyRun<'_>]) -> bool {
    let is_appended = units.iter().any(|unit| unit.is_earlier);
    units.iter().filter(|unit| !unit.is_earlier).count() > 1
        || (!is_appended && units.iter().any(|unit| unit.repeat > Some(1)))
}

/// Keeps the documents for the page and the export, and lists what a header may state.
fn add_documents(
    parts: &mut EvaluationParts,
    documents: &Documents<'_>,
    units: &[EarlyRun<'_>],
    inline: Option<&EarlyDocument>,
) {
    let named = documents.headers.iter().chain(&documents.summaries).chain(&documents.aggregate);
    for named in named {
        parts.document(&named.claimed.file.path, &named.map);
    }
    for header in &documents.headers {
        parts.declare(&header.claimed.file.path, "", &header.map, None, |_| {});
    }
    for unit in units {
        if let Some((_, summary)) = &unit.summary {
            parts.document(&format!("{} (summary)", unit.claimed.file.path), summary);
        }
        if let Some(header) = inline {
            parts.document(&format!("{} (header)", unit.claimed.file.path), header);
        }
    }
}
