//! A `RunnerResult` dumped as one JSON document: 0.1 – 0.16 (`results`, `metrics`), and 0.17 and later
//! (`suite_spec`, `samples`, `runs`, `summary`).
//!
//! Fixtures `0.5.0_runnerresult_dump`, `0.25.1_runnerresult_dump`.

use super::case_page::document;
use super::cases::{self, ReadState, RecordPlaces, RowSink};
use super::finish::{EvaluationParts, finish};
use super::grouping::partners::Partners;
use super::judging::generation::{self, ConfigTraits, Generation};
use super::judging::rules::{LettaRules, has_gate_kind};
use super::late::add_sample;
use super::row::GraderNames;
use super::sniff::role;
use super::totals::declared;
use super::totals::declared_suite;
use crate::input::json::Cursor;
use crate::input::{Record, Tail, ValueKind, each_element};
use crate::model::{Evaluation, Figure, NoteKind, Place, Scope};
use crate::order::Order as _;
use crate::readers::{Bundle, Claimed, Context, Error, ErrorKind};
use serde_json::{Map, Value};

/// Why figures over several runs cannot be recomputed from a dump of 0.4 – 0.16.
const LAST_RUN_ONLY: &str = "the dump holds the rows of the last run only";

/// Reads the dump of a bundle.
///
/// # Errors
/// When it cannot be read, or the work is cancelled.
pub async fn read(bundle: &Bundle, cx: &Context<'_>) -> Result<Evaluation, Error> {
    if let Some(claimed) = bundle.of_role(role::SUITE_DUMP).next() {
        return late(bundle, claimed, cx).await;
    }
    match bundle.of_role(role::DUMP).next() {
        Some(claimed) => early(bundle, claimed, cx).await,
        None => Err(Error::new(ErrorKind::Format("there is no result row".to_owned()))),
    }
}

/// A dump of 0.1 – 0.16.
async fn early(bundle: &Bundle, claimed: &Claimed, cx: &Context<'_>) -> Result<Evaluation, Error> {
    let map = document::read(claimed, &["results"], cx)?;
    let config = map.get("config").and_then(Value::as_object).cloned().unwrap_or_default();
    let suite = map.get("suite").and_then(Value::as_str).map(str::to_owned);
    let metrics = map.get("metrics").and_then(Value::as_object);
    let generation = early_generation(claimed, &config, metrics);
    let statistics = map.get("run_statistics").and_then(Value::as_object);
    let n_runs = statistics.and_then(|map| map.get("num_runs")?.as_u64());
    let repeat = n_runs.and_then(|n| u32::try_from(n).ok()).unwrap_or(1).max(1);
    let rules = LettaRules::new(generation, &config);
    let mut reading = ReadState {
        rules: &rules,
        suite: suite.as_deref(),
        partners: None,
        names: GraderNames(rules.config.metrics.clone()),
        cx,
    };
    let mut parts = EvaluationParts::default();
    if let Some(member) = claimed.shape.outline.member("results") {
        let mut split = rules.names_models();
        let rows = loop {
            let mut sink = RowSink::new(&mut reading, &claimed.file, repeat, split);
            sink.places = RecordPlaces::Elements("results");
            let tail = each_element(&claimed.file, member.span.clone(), cx.pulse, &mut |record| {
                sink.record(&record, 0);
                Ok(())
            })
            .await
            .map_err(|err| Error::from(err).in_file(&claimed.file.path))?;
            note_cut(claimed, tail, "results", cx);
            let (rows, n_models) = sink.finish()?;
            if split || n_models < 2 {
                break rows;
            }
            split = true;
        };
        check_total(claimed, metrics, rows.sums.n_rows, cx);
        parts.runs = rows.runs;
    }
    parts.metrics = reading.names.0;
    let why = (repeat > 1).then_some(LAST_RUN_ONLY);
    parts.declare(&claimed.file.path, "", &map, why, |stated| {
        if let Some(metrics) = metrics {
            // These are of the last run, whose rows are here.
            stated.why = None;
            declared::metrics(stated, repeat, "metrics.", metrics, generation);
            stated.why = why;
        }
        if repeat == 1 {
            stated.scope = Scope::Repeat(1);
        }
        stated.put(&map, "gates_passed", Figure::GatePassed);
        if let Some(statistics) = statistics {
            declared::aggregate(stated, "run_statistics.", statistics, generation);
        }
    });
    if repeat > 1 && statistics.is_some() {
        let detail = format!("{LAST_RUN_ONLY}: run {repeat} of {repeat}");
        cx.notes.add(&claimed.file.path, NoteKind::MissingPartner, Place::File, detail);
    }
    parts.document(&claimed.file.path, &map);
    parts.suite = suite;
    finish(bundle, rules, parts, cx)
}

fn early_generation(
    claimed: &Claimed,
    config: &Map<String, Value>,
    metrics: Option<&Map<String, Value>>,
) -> Generation {
    // The first result alone, however long the list is.
    let first = claimed.shape.outline.member("results").and_then(|member| {
        const ENOUGH: u64 = 16 << 20;
        let end = member.span.end.min(member.span.start + ENOUGH);
        let bytes = claimed.file.bytes(member.span.start..end).ok()?;
        let mut cursor = Cursor::new(&bytes);
        let mut first = None;
        // Stops at the second element, or where the bytes end.
        let _ = cursor.each_item(|cursor| {
            let span = cursor.skip()?;
            if first.is_none() {
                first = cases::peek(cursor.slice(span));
            }
            Ok(())
        });
        first
    });
    let traits = ConfigTraits {
        has_gate_kind: has_gate_kind(config),
        has_single_grader: config.contains_key("grader"),
        has_passed_counts: metrics.map(|metrics| metrics.contains_key("passed_attempts")),
        has_plain_avg: metrics.is_some_and(|metrics| metrics.contains_key("avg_score")),
    };
    generation::of_wrapped(first.unwrap_or_default(), traits)
}

/// A dump of 0.17 and later.
async fn late(bundle: &Bundle, claimed: &Claimed, cx: &Context<'_>) -> Result<Evaluation, Error> {
    let file = &claimed.file;
    let map = document::read(claimed, &["samples", "runs"], cx)?;
    let config = map.get("suite_spec").and_then(Value::as_object).cloned().unwrap_or_default();
    let suite = config.get("name").and_then(Value::as_str).map(str::to_owned);
    let generation = if config.contains_key("gate") { Generation::D } else { Generation::E };
    let rules = LettaRules::new(generation, &config);
    let mut partners = Partners::new(file.id);
    if let Some(member) = claimed.shape.outline.member("samples") {
        let tail = each_element(file, member.span.clone(), cx.pulse, &mut |record| {
            add_sample(&mut partners, &record, claimed, cx);
            Ok(())
        })
        .await
        .map_err(|err| Error::from(err).in_file(&file.path))?;
        note_cut(claimed, tail, "samples", cx);
    }
    let mut reading = ReadState {
        rules: &rules,
        suite: suite.as_deref(),
        partners: Some(&partners),
        names: GraderNames(rules.config.metrics.clone()),
        cx,
    };
    let mut parts = EvaluationParts::default();
    let mut summaries = Vec::new();
    if let Some(member) = claimed.shape.outline.member("runs") {
        let bytes =
            file.bytes(member.span.clone()).map_err(|err| Error::from(err).in_file(&file.path))?;
        cx.pulse.advance(bytes.len() as u64).await?;
        let mut models: Vec<DumpRun> = Vec::new();
        let read = Cursor::new(&bytes).each_field(|name, cursor| {
            models.push(DumpRun { name: name.to_owned(), ..DumpRun::default() });
            match models.last_mut() {
                Some(model) => model.read(cursor),
                None => Ok(()),
            }
        });
        if let Err(err) = read {
            let place = Place::Byte(member.span.start + err.at());
            cx.notes.add(&file.path, err.note_kind(), place, err.to_string());
        }
        for model in models {
            let lists = if model.runs.is_empty() { vec![model.results] } else { model.runs };
            for (repeat, list) in (1..).zip(lists) {
                let mut sink = RowSink::new(&mut reading, file, repeat, false);
                for (number, span) in (0..).zip(list) {
                    let bytes = bytes.get(span.clone()).unwrap_or_default();
                    let offset = member.span.start + span.start as u64;
                    sink.record(&Record { bytes, offset, number }, 0);
                }
                let (rows, _) = sink.finish()?;
                for mut run in rows.runs {
                    run.key.subject = Some(model.name.clone());
                    parts.runs.push(run);
                }
            }
            summaries.extend(model.summary);
        }
    }
    parts.runs.order_by_key(|run| run.key.repeat);
    let is_multi = parts.runs.iter().any(|run| run.key.repeat > 1)
        || config.get("num_runs").and_then(Value::as_u64) > Some(1);
    parts.metrics = reading.names.0;
    parts.declare(&file.path, "", &map, None, |stated| {
        if let Some(summary) = map.get("summary").and_then(Value::as_object) {
            declared_suite::models(stated, "summary.", summary, is_multi);
        }
    });
    for summary in summaries.iter().filter_map(Value::as_object) {
        let name = summary.get("model").and_then(Value::as_str).unwrap_or_default();
        let prefix = format!("runs.{name}.summary.");
        parts.declare(&file.path, &prefix, summary, None, |stated| {
            declared_suite::model(stated, &prefix, summary, is_multi);
        });
    }
    parts.document(&file.path, &map);
    parts.suite = suite;
    finish(bundle, rules, parts, cx)
}

/// One member of `runs`.
#[derive(Default)]
struct DumpRun {
    name: String,
    /// Rows of the last run.
    results: Vec<std::ops::Range<usize>>,
    /// Rows of every run.
    runs: Vec<Vec<std::ops::Range<usize>>>,
    summary: Option<Value>,
}

impl DumpRun {
    fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<(), crate::input::Error> {
        cursor
            .each_field(|key, cursor| match key {
                "model" => {
                    if let Some(name) = cursor.text()? {
                        self.name = name.into_owned();
                    }
                    Ok(())
                }
                "results" => {
                    self.results = spans(cursor)?;
                    Ok(())
                }
                "runs" => cursor
                    .each_item(|cursor| {
                        self.runs.push(spans(cursor)?);
                        Ok(())
                    })
                    .map(drop),
                "summary" if cursor.kind()? == ValueKind::Object => {
                    self.summary = Some(cursor.tree()?);
                    Ok(())
                }
                _ => cursor.skip().map(drop),
            })
            .map(drop)
    }
}

fn spans(cursor: &mut Cursor<'_>) -> Result<Vec<std::ops::Range<usize>>, crate::input::Error> {
    let mut spans = Vec::new();
    cursor.each_item(|cursor| {
        spans.push(cursor.skip()?);
        Ok(())
    })?;
    Ok(spans)
}

fn note_cut(claimed: &Claimed, tail: Tail, list: &str, cx: &Context<'_>) {
    if let Some((byte, number, err)) = tail.cut {
        let detail = format!("{list} are cut off at number {}: {}", number + 1, err.reason());
        cx.notes.add(&claimed.file.path, NoteKind::Truncated, Place::Byte(byte), detail);
    }
}

fn check_total(
    claimed: &Claimed,
    metrics: Option<&Map<String, Value>>,
    n_rows: u64,
    cx: &Context<'_>,
) {
    let stated = metrics.and_then(|metrics| metrics.get("total")?.as_u64());
    if let Some(stated) = stated.filter(|&stated| stated != n_rows) {
        let detail = format!("the metrics count {stated} samples, the document has {n_rows}");
        cx.notes.add(&claimed.file.path, NoteKind::Mismatch, Place::File, detail);
    }
}
