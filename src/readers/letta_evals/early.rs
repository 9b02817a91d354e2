//! Output folders of 0.2 – 0.16, and of the reporting guide: `header.json`, `results.jsonl`,
//! `summary.json`, over several runs `run_N/` and `aggregate_stats.json`; in 0.2 one line file.
//!
//! Source: `writer.py`, `streaming.py` of letta-evals. Fixtures `0.2.x_singlefile` – `0.15.0_logical_multirun`,
//! `guide_shape`, `damaged_single`.

use super::super::{Bundle, Claimed, Context, Error};
use super::cases::{self, Reading};
use super::declared;
use super::document::{self, at};
use super::finish::{Parts, finish};
use super::generation::{self, ConfigTraits, Generation, Traits};
use super::lines::{self, Appending};
use super::names::{natural, run_number};
use super::row::Names;
use super::rules::{Rules, has_gate_kind};
use super::sniff::role;
use super::suite_yaml::{self, Suite};
use super::sums::Sums;
use crate::input::json::f64_from_value;
use crate::model::{Declared, Evaluation, Figure, Known, NoteKind, Place, Run, Scope};
use serde_json::{Map, Value};
use std::rc::Rc;

type Document = Map<String, Value>;

/// A document with its file.
struct Named<'a> {
    claimed: &'a Rc<Claimed>,
    map: Document,
}

impl Named<'_> {
    fn into_summary(self) -> (String, Document) {
        (self.claimed.file.path.clone(), self.map)
    }
}

/// Everything but the rows.
struct Documents<'a> {
    headers: Vec<Named<'a>>,
    summaries: Vec<Named<'a>>,
    aggregate: Option<Named<'a>>,
}

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
    let mut rules = Rules::new(generation, &config);
    rules.config.description = written.as_ref().map(Suite::description).unwrap_or_default();
    let mut reading = Reading {
        rules: &rules,
        suite: suite.as_deref(),
        partners: None,
        names: Names(rules.config.metrics.clone()),
        cx,
    };
    // By the guide a sample with an error is not attempted; some summaries count it.
    let counting = Rules { counts_errors: true, ..rules.clone() };
    let mut units = Vec::new();
    for (number, claimed) in (1..).zip(&rows_files) {
        let counts_errors = counts_errors(claimed, &documents.summaries);
        reading.rules = if counts_errors { &counting } else { &rules };
        let repeat = run_number(last_of(claimed.file.folder()));
        let fallback = if rows_files.len() == 1 { 1 } else { number };
        let rows = lines::read_lines(
            &mut reading,
            claimed,
            repeat.unwrap_or(fallback),
            rules.names_models(),
            appending(generation, claimed, &documents.summaries),
            None,
        )
        .await?;
        if rows.sums.n_rows == 0 {
            let detail = "no result row: the run ended before its first sample";
            cx.notes.add(&claimed.file.path, NoteKind::Unfinished, Place::File, detail);
        }
        let mut rows = rows;
        let earlier = std::mem::take(&mut rows.earlier);
        note_appended(claimed, &rows, &earlier, cx);
        for (mut runs, sums) in earlier {
            for run in &mut runs {
                APPENDED.clone_into(&mut run.label);
            }
            let rows = cases::Rows { earlier: Vec::new(), runs, sums, summary: None, ..rows };
            let is_earlier = true;
            units.push(Unit { claimed, repeat: None, rows, summary: None, is_earlier });
        }
        units.push(Unit { claimed, repeat, rows, summary: None, is_earlier: false });
    }
    let metrics = reading.names.0;
    for unit in &mut units {
        // In 0.2 the summary stands among the rows.
        let inline = unit.rows.summary.take();
        unit.summary = inline.map(|map| (unit.claimed.file.path.clone(), map));
    }
    pair_summaries(&mut units, &mut documents.summaries);
    number_repeats(&mut units, documents.aggregate.as_ref());
    let mut parts = Parts { suite, metrics, ..Parts::default() };
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
    let mut numbered: Vec<u32> = Vec::new();
    for summary in &documents.summaries {
        let detail = "no result rows belong to this summary: its figures cannot be checked";
        let path = &summary.claimed.file.path;
        cx.notes.add(path, NoteKind::MissingPartner, Place::File, detail);
        // A number that no run has: what the summary says is listed as unchecked, not compared with
        // the rows of another.
        let taken = |number: u32| {
            numbered.contains(&number) || units.iter().any(|unit| unit.repeat == Some(number))
        };
        let own = run_number(last_of(summary.claimed.file.folder())).unwrap_or(1);
        let free = (own..).find(|&number| !taken(number)).unwrap_or(own);
        numbered.push(free);
        declare(&mut parts, path, &summary.map, free, generation);
    }
    let is_appended = units.iter().any(|unit| unit.is_earlier);
    let is_multi = units.iter().filter(|unit| !unit.is_earlier).count() > 1
        || (!is_appended && units.iter().any(|unit| unit.repeat > Some(1)));
    match &documents.aggregate {
        Some(aggregate) => {
            parts.declare(&aggregate.claimed.file.path, "", &aggregate.map, None, |stated| {
                declared::aggregate(stated, "", &aggregate.map, generation);
            });
        }
        None if is_multi => {
            let detail =
                "no aggregate_stats.json: not all runs are finished, or it is kept elsewhere";
            cx.notes.add(&bundle.path, NoteKind::Unfinished, Place::File, detail);
        }
        None => {}
    }
    if let Some(written) = &written {
        let (path, map) = written.document();
        parts.document(path, map);
    }
    add_documents(&mut parts, &documents, &units, inline.as_ref());
    units.sort_by_key(|unit| unit.repeat);
    for unit in units {
        for mut run in unit.rows.runs {
            run.key.repeat = unit.repeat.unwrap_or(1);
            parts.runs.push(run);
        }
    }
    finish(bundle, rules, parts, cx)
}

/// One run: its rows with their summary.
struct Unit<'a> {
    claimed: &'a Rc<Claimed>,
    repeat: Option<u32>,
    rows: cases::Rows,
    /// Its summary, with the path of the file that holds it.
    summary: Option<(String, Document)>,
    /// Another run was appended to it, and its summary is gone.
    is_earlier: bool,
}

/// Declares the figures of the summary in the file `path` about run `repeat`.
fn declare(parts: &mut Parts, path: &str, summary: &Document, repeat: u32, generation: Generation) {
    parts.declare(path, "", summary, None, |stated| {
        if let Some(Value::Object(metrics)) = summary.get("metrics") {
            declared::metrics(stated, repeat, "metrics.", metrics, generation);
        }
        stated.scope = Scope::Repeat(repeat);
        stated.put(summary, "gates_passed", Figure::GatePassed);
    });
}

/// Whether the summary of the rows in `claimed` counts every sample as attempted.
fn counts_errors(claimed: &Claimed, summaries: &[Named<'_>]) -> bool {
    let folder = claimed.file.folder();
    let mut own = summaries.iter().filter(|named| named.claimed.file.folder() == folder);
    let number =
        |named: &Named<'_>, key| at(&named.map, &["metrics", key]).and_then(f64_from_value);
    let is_same = |named: &Named<'_>, one, other| number(named, one) == number(named, other);
    own.next().is_some_and(|named| {
        number(named, "total").is_some()
            && is_same(named, "total", "total_attempted")
            && is_same(named, "avg_score_attempted", "avg_score_total")
    })
}

/// Figures of samples' own scores may be of a score that no row holds.
fn explain_missing_grades<'a>(declared: impl Iterator<Item = &'a mut Declared>) {
    const WHY: &str = "the rows hold grades and no grade of their own, so the score of a sample is \
        that of the gate's grader here; the summary may have taken another";
    for figure in declared {
        if matches!(
            figure.figure,
            Figure::MeanAttempted | Figure::MeanTotal | Figure::Passed | Figure::Failed
        ) {
            figure.known.get_or_insert(Known { why: WHY.into(), original: None });
        }
    }
}

/// How a run is called to which another one was appended.
const APPENDED: &str = "appended earlier run";

/// Whether runs may stand appended in a file of rows, and how many rows the last of them has.
fn appending(generation: Generation, claimed: &Claimed, summaries: &[Named<'_>]) -> Appending {
    if !matches!(generation, Generation::Guide | Generation::B)
        && !matches!(generation, Generation::C0 | Generation::C1 | Generation::C2)
    {
        return Appending::Never;
    }
    let folder = claimed.file.folder();
    let own = summaries.iter().find(|named| named.claimed.file.folder() == folder);
    Appending::Possible(own.and_then(|named| at(&named.map, &["metrics", "total"])?.as_u64()))
}

/// Says that a file holds several runs, and which rows are whose.
fn note_appended(
    claimed: &Claimed,
    last: &cases::Rows,
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

fn row_files(bundle: &Bundle) -> Vec<&Rc<Claimed>> {
    let mut files: Vec<&Rc<Claimed>> =
        bundle.of_role(role::ROWS).chain(bundle.of_role(role::GUIDE_ROWS)).collect();
    // An empty results.jsonl is a run that had not begun.
    files.extend(bundle.of_role(role::EMPTY));
    files.sort_by(|left, right| natural(&left.file.path, &right.file.path));
    files
}

fn documents<'a>(bundle: &'a Bundle, cx: &Context<'_>) -> Result<Documents<'a>, Error> {
    let mut all = Documents { headers: Vec::new(), summaries: Vec::new(), aggregate: None };
    for claimed in &bundle.files {
        let name = claimed.claim.role;
        if !matches!(name, role::HEADER | role::SUMMARY | role::AGGREGATE) {
            continue;
        }
        let named = Named { claimed, map: document::read(claimed, &[], cx)? };
        match name {
            role::HEADER => all.headers.push(named),
            role::SUMMARY => all.summaries.push(named),
            _ if all.aggregate.is_none() => all.aggregate = Some(named),
            _ => {
                let detail = "there is more than one aggregate_stats; this one is left out";
                let path = &claimed.file.path;
                cx.notes.add(path, NoteKind::Duplicate, Place::File, detail);
            }
        }
    }
    Ok(all)
}

/// The header in the first line of a file of 0.2.
fn inline_header(claimed: &Claimed) -> Option<Document> {
    if document::text_member(claimed, "type")? != "header" {
        return None;
    }
    let span = claimed.shape.record().span.clone();
    match document::value(&claimed.file, span).ok()? {
        Value::Object(map) => Some(map),
        _ => None,
    }
}

fn config(header: Option<&Document>, summaries: &[Named<'_>]) -> Document {
    header
        .into_iter()
        .chain(summaries.iter().map(|named| &named.map))
        .find_map(|map| map.get("config").and_then(Value::as_object))
        .cloned()
        .unwrap_or_default()
}

fn suite(header: Option<&Document>, summaries: &[Named<'_>]) -> Option<String> {
    header
        .into_iter()
        .chain(summaries.iter().map(|named| &named.map))
        .find_map(|map| map.get("suite").or_else(|| map.get("suite_name")).and_then(Value::as_str))
        .map(str::to_owned)
}

fn generation(
    rows_files: &[&Rc<Claimed>],
    config: &Document,
    documents: &Documents<'_>,
) -> Generation {
    let first = rows_files.iter().find_map(|file| first_row(file)).unwrap_or_default();
    if first.has_ideal {
        return Generation::Zero;
    }
    let is_guide = rows_files.iter().any(|file| file.claim.role == role::GUIDE_ROWS)
        || documents.headers.iter().any(|named| named.map.contains_key("suite_name"))
        || documents.summaries.iter().any(|named| !named.map.contains_key("type"))
        || documents.aggregate.iter().any(|named| named.claimed.claim.generation.is_some());
    if is_guide {
        return Generation::Guide;
    }
    let is_inline = rows_files.iter().any(|file| file.claim.generation == Some("A"));
    let metrics = documents.summaries.iter().find_map(|named| named.map.get("metrics"));
    let traits = ConfigTraits {
        has_gate_kind: has_gate_kind(config),
        has_single_grader: false,
        has_passed_counts: metrics.map(|metrics| metrics.get("passed_attempts").is_some()),
        has_plain_avg: is_inline,
    };
    generation::of_wrapped(first, traits)
}

/// What the first row of a file tells about its generation.
fn first_row(claimed: &Claimed) -> Option<Traits> {
    let bytes = claimed.file.bytes(claimed.shape.record().span.clone()).ok()?;
    cases::peek(&bytes)
}

/// Gives each unit its summary: the one in its folder, or of several the one whose figures fit.
fn pair_summaries(units: &mut [Unit<'_>], summaries: &mut Vec<Named<'_>>) {
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
fn agrees(summary: &Document, sums: &Sums) -> bool {
    at(summary, &["metrics"]).and_then(Value::as_object).is_some_and(|map| totals_agree(map, sums))
}

#[expect(clippy::cast_precision_loss, reason = "counts of rows stay far below 2^53")]
fn totals_agree(metrics: &Document, sums: &Sums) -> bool {
    let number = |key: &str| metrics.get(key).and_then(f64_from_value);
    let mean = number("avg_score_total");
    number("total") == Some(sums.n_rows as f64)
        && number("total_attempted").is_none_or(|n| n == sums.n_attempted as f64)
        && mean.is_none_or(|mean| (mean * sums.n_rows as f64 - sums.score).abs() < 1e-6)
}

/// Numbers the repeats that no folder numbers: by the entry of the aggregate that fits, else in the
/// order of the files.
fn number_repeats(units: &mut [Unit<'_>], aggregate: Option<&Named<'_>>) {
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
fn check_total(unit: &Unit<'_>, has_header: bool, cx: &Context<'_>) {
    let path = &unit.claimed.file.path;
    let n_rows = unit.rows.sums.n_rows;
    let Some((_, summary)) = &unit.summary else {
        if n_rows > 0 && has_header {
            cx.notes.add(path, NoteKind::Unfinished, Place::File, super::NO_SUMMARY);
        } else if n_rows > 0 {
            cx.notes.add(path, NoteKind::MissingPartner, Place::File, super::ROWS_ALONE);
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

/// Keeps the documents for the page and the export, and lists what a header may state.
fn add_documents(
    parts: &mut Parts,
    documents: &Documents<'_>,
    units: &[Unit<'_>],
    inline: Option<&Document>,
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

fn last_of(folder: &str) -> &str {
    folder.rsplit('/').next().unwrap_or(folder)
}
