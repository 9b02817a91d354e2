//! A bundle becomes an evaluation: its checkpoints in order, with what surrounds them.

use super::checkpoint::Built;
use super::checkpoint_stretches::CheckpointReading;
use super::declared::{self, FigureSheet, RowOf};
use super::run_files::{self, Document, RunFiles};
use super::{bundle, content_keys, derived, groups, order, runs};
use crate::input::InputFile;
use crate::model::{Config, Evaluation, NoteKind, Place};
use crate::order::{Order as _, natural};
use crate::readers::{Bundle, Context, Error, ErrorKind};
use crate::secrets::mask_named;
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Reads `bundle`.
///
/// # Errors
/// When the work is cancelled, or there is no checkpoint, row or summary in it that can be read.
pub(super) async fn read(bundle: &Bundle, cx: &Context<'_>) -> Result<Evaluation, Error> {
    let units = bundle::units(&bundle.files, &|claimed| Rc::new(content_keys::of(claimed)));
    let mut reading = CheckpointReading::begin(cx, &units)?;
    let first = run_files::of(bundle).chain(reading.first_files());
    let first: Vec<InputFile> = first.cloned().collect();
    let fetched = cx.helpers.fetch(&first).await;
    let files = run_files::read(bundle, cx).await?;
    let mut builts = Vec::new();
    let mut failure = None;
    while let Some((unit, outcome)) = reading.next().await? {
        match outcome {
            Ok(mut built) => {
                built.run.key.subject = files.model().map(str::to_owned);
                builts.push(built);
            }
            Err(err) => {
                let file = err.file().unwrap_or(unit.path()).to_owned();
                let place = err.at().map_or(Place::File, Place::Byte);
                cx.notes.add(&file, err.note_kind(), place, err.to_string());
                failure = Some(err);
            }
        }
    }
    drop(fetched);
    builts.extend(runs::without_evaluation(&builts, &files));
    let no_runs = if builts.is_empty() { why_no_runs(&files, failure.is_some()) } else { None };
    let is_something = no_runs.is_some() || !files.rows.is_empty() || files.result.is_some();
    if builts.is_empty() && !is_something {
        let nothing = "these files describe a checkpoint, but neither evaluation.json nor \
            reports.parquet is among them";
        return Err(failure.unwrap_or_else(|| Error::new(ErrorKind::Format(nothing.to_owned()))));
    }
    let mut builts = in_order(builts, &files);
    groups::apply(&mut builts, &files, cx);
    runs::complete(&mut builts, &files);
    note_rows(&builts, &files, cx);
    let suites = runs::suites(&builts, &files);

    let mut sheet = stated(&builts, &files);
    let rows = match files.rows_path {
        Some(_) => files.rows.to_vec(),
        None => derived::rows(&builts, &files),
    };
    let generation = generation(&builts, &files);
    let declared_policy = policy(&files, bundle, cx);
    let declared_json = documents(&files);
    let folders: Vec<String> = builts.iter().map(|built| built.folder.clone()).collect();
    let mut made = Vec::with_capacity(builts.len());
    for (at, built) in builts.into_iter().enumerate() {
        let is_again = built.is_again();
        sheet.merge(built.sheet, at);
        let mut run = built.run;
        if run.started_at.is_none() {
            let names = run.key.suite.as_deref().zip(run.key.variant.as_deref());
            let row = names.and_then(|(problem, checkpoint)| files.rows.row(problem, checkpoint));
            let inference = files.inferences.in_folder(&built.home);
            let inference = inference.filter(|_| !is_again);
            let started = inference.and_then(|inference| inference.value.get("started"));
            let started = started.or_else(|| row?.get("started"));
            run.started_at = started.and_then(Value::as_str).map(str::to_owned);
        }
        made.push(run);
    }
    super::documents::attach(&mut made, &folders, bundle, &files);
    let first = made.first().and_then(|run| run.key.suite.clone());
    let suite = first.filter(|first| made.iter().all(|run| run.key.suite.as_ref() == Some(first)));
    let (declared, unchecked) = sheet.into_parts();
    Ok(Evaluation {
        producer: "slop-code".into(),
        generation,
        path: bundle.path.clone(),
        label: label(bundle, &files),
        suite,
        config: Config {
            has_policies: true,
            declared_policy,
            suites,
            no_runs,
            ..Config::default()
        },
        declared,
        unchecked,
        declared_json,
        rows,
        runs: made,
        sources: bundle.files.iter().map(|claimed| claimed.file.id).collect(),
    })
}

/// What the files of the run as a whole state: summary, run infos, rows, inference results, quality.
fn stated(builts: &[Built], files: &RunFiles) -> FigureSheet {
    let mut sheet = FigureSheet::default();
    let has_inference = |built: &&Built| files.inferences.in_folder(&built.folder).is_some();
    let has_run = |built: &&Built| built.is_evaluated && !built.is_again();
    let n_without = builts.iter().filter(has_run).filter(|built| !has_inference(built)).count();
    declared::result(&mut sheet, files, n_without);
    let problems = problems_below(builts);
    for document in &*files.run_infos {
        let problem = problems.get(document.folder()).copied().flatten();
        declared::run_info(&mut sheet, document, problem, files);
    }
    if let Some(path) = &files.rows_path {
        rows(&mut sheet, path, builts, files);
    }
    let own = builts.iter().enumerate().filter(|(_, built)| !built.is_again());
    let homes: HashMap<&str, usize> =
        own.rev().map(|(at, built)| (built.home.as_str(), at)).collect();
    for document in &*files.inferences {
        declared::inference(&mut sheet, document, homes.get(document.folder()).copied());
    }
    for document in &*files.quality.overalls {
        declared::measured(&mut sheet, document);
    }
    sheet
}

/// What the lines of `checkpoint_results.jsonl` state.
fn rows(sheet: &mut FigureSheet, path: &Rc<str>, builts: &[Built], files: &RunFiles) {
    let of = |built: &Built| {
        let key = &built.run.key;
        Some((key.suite.clone()?, key.variant.clone()?))
    };
    let evaluated = builts.iter().enumerate().filter(|(_, built)| built.is_evaluated);
    let numbers: HashMap<(String, String), usize> =
        evaluated.filter_map(|(at, built)| Some((of(built)?, at))).collect();
    let states = |built: &Built, checkpoint: &str| -> Option<&str> {
        let problem = built.folder.rsplit_once('/').map_or("", |(problem, _)| problem);
        let info = &files.run_infos.in_folder(problem)?.value;
        info.pointer("/summary/checkpoints")?.get(checkpoint)?.as_str()
    };
    // Of lines about the same checkpoint the last one counts.
    let mut last: HashMap<(&str, &str), usize> = HashMap::new();
    for (number, row) in files.rows.iter().enumerate() {
        last.insert((word(row, "problem"), word(row, "checkpoint")), number);
    }
    for (number, row) in files.rows.iter().enumerate() {
        let (problem, checkpoint) = (word(row, "problem"), word(row, "checkpoint"));
        let is_last = last.get(&(problem, checkpoint)) == Some(&number);
        let run = numbers.get(&(problem.to_owned(), checkpoint.to_owned()));
        let found = run.and_then(|&at| Some((at, builts.get(at)?))).filter(|_| is_last);
        let Some((at, built)) = found else {
            declared::orphan(sheet, path, row, !is_last);
            continue;
        };
        let idx = |row: &Map<String, Value>| row.get("idx").and_then(Value::as_f64);
        let is_before = |before: &&Map<String, Value>| {
            word(before, "problem") == problem && idx(before).map(|idx| idx + 1.0) == idx(row)
        };
        let before = number.checked_sub(1).and_then(|number| files.rows.get(number));
        let of = RowOf {
            built,
            at,
            before: before.filter(is_before),
            inference: files.inferences.in_folder(&built.folder),
            quality: files.quality.of(&built.folder),
            state: states(built, checkpoint),
            order: order::defined(files, checkpoint, &built.folder),
        };
        declared::row(sheet, path, row, &of);
    }
}

/// The word that a row has under `key`.
fn word<'a>(row: &'a Map<String, Value>, key: &str) -> &'a str {
    row.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Problems in order, checkpoints by number, then by name and path.
fn in_order(builts: Vec<Built>, files: &RunFiles) -> Vec<Built> {
    let rank = |built: Built| {
        let suite = built.run.key.suite.clone().unwrap_or_default();
        let number = order::checkpoint_number(files, &suite, &built.checkpoint, &built.home);
        (order::problem_rank(files, &suite), suite, number.unwrap_or(f64::INFINITY), built)
    };
    let mut ranked: Vec<_> = builts.into_iter().map(rank).collect();
    ranked.order_by(|(left_rank, left_suite, left_number, left), right| {
        let (right_rank, right_suite, right_number, right) = right;
        left_rank
            .cmp(right_rank)
            .then_with(|| natural(left_suite, right_suite))
            .then_with(|| left_number.total_cmp(right_number))
            .then_with(|| natural(&left.checkpoint, &right.checkpoint))
            .then_with(|| left.is_again().cmp(&right.is_again()))
            .then_with(|| left.run.key.path.cmp(&right.run.key.path))
    });
    ranked.into_iter().map(|(.., built)| built).collect()
}

/// Rows without a checkpoint, checkpoints without a row, repeated rows.
fn note_rows(builts: &[Built], files: &RunFiles, cx: &Context<'_>) {
    let Some(path) = &files.rows_path else { return };
    let evaluated = || builts.iter().filter(|built| built.is_evaluated);
    let names =
        |built: &Built| Some((built.run.key.suite.clone()?, built.run.key.variant.clone()?));
    let read: HashSet<(String, String)> = evaluated().filter_map(names).collect();
    // Without any folder the rows are what is published, and nothing is missing.
    let is_alone = evaluated().next().is_none();
    let mut seen = HashSet::new();
    for row in &*files.rows {
        let (problem, checkpoint) = (word(row, "problem"), word(row, "checkpoint"));
        let place = || Place::Field(format!("{problem} / {checkpoint}"));
        if !seen.insert((problem, checkpoint)) {
            let detail = "two rows are about the same checkpoint";
            cx.notes.add(path, NoteKind::Duplicate, place(), detail);
        }
        if !is_alone && !read.contains(&(problem.to_owned(), checkpoint.to_owned())) {
            let detail = "a row has no checkpoint folder: its figures are shown without cases";
            cx.notes.add(path, NoteKind::MissingPartner, place(), detail);
        }
    }
    for built in evaluated().filter(|built| !built.is_again()) {
        let key = &built.run.key;
        let name = |name: &Option<String>| name.clone().unwrap_or_default();
        if files.rows.row(&name(&key.suite), &name(&key.variant)).is_none() {
            let place = Place::Field(built.run.label.clone());
            let detail = "a checkpoint has no row";
            cx.notes.add(path, NoteKind::MissingPartner, place, detail);
        }
    }
}

/// By folder, the problem of the first checkpoint that lies in it or below.
fn problems_below(builts: &[Built]) -> HashMap<&str, Option<&str>> {
    let mut found = HashMap::new();
    for built in builts {
        for folder in bundle::upwards(&built.folder) {
            found.entry(folder).or_insert(built.run.key.suite.as_deref());
        }
    }
    found
}

/// Generation of the checkpoints; by the rows' words when there is none.
fn generation(builts: &[Built], files: &RunFiles) -> String {
    let evaluated = builts.iter().filter(|built| built.is_evaluated);
    let mut known: Vec<&str> = evaluated.map(|built| built.generation).collect();
    known.order_by(Ord::cmp);
    known.dedup();
    let is_blank = files.rows.is_empty() && files.result.is_none();
    if known.is_empty() && is_blank {
        return if files.run_infos.is_empty() { "settings" } else { "run info" }.to_owned();
    }
    if known.is_empty() {
        let is_new = files.rows.iter().any(|row| row.contains_key("strict_pass_rate"))
            || files.result.as_ref().is_some_and(|result| result.value.get("delta").is_none());
        known.push(if is_new { "G2d" } else { "G1 – G2c" });
    }
    known.join(" + ")
}

/// Why there is no run, where nothing was lost. `has_failed`: an evaluation could not be read.
fn why_no_runs(files: &RunFiles, has_failed: bool) -> Option<String> {
    const NEVER: &str =
        "Never started: the folder holds settings and logs, and no result of any checkpoint.";
    if has_failed || !files.rows.is_empty() || files.result.is_some() {
        return None;
    }
    groups::alone(files).or_else(|| files.config.is_some().then(|| NEVER.to_owned()))
}

/// The policy that `run_info.yaml`, else the config, names.
fn policy(files: &RunFiles, bundle: &Bundle, cx: &Context<'_>) -> Option<String> {
    let named = |document: &Value| document.get("pass_policy")?.as_str().map(str::to_owned);
    let mut policies: Vec<String> =
        files.run_infos.iter().filter_map(|info| named(&info.value)).collect();
    policies.dedup();
    if policies.len() > 1 {
        let detail = format!("problems name different pass policies: {}", policies.join(", "));
        cx.notes.add(&bundle.path, NoteKind::Mismatch, Place::File, detail);
    }
    policies.into_iter().next().or_else(|| named(&files.config.as_ref()?.value))
}

fn label(bundle: &Bundle, files: &RunFiles) -> String {
    let folder = bundle.path.rsplit('/').next().unwrap_or_default();
    match files.model() {
        Some(model) if folder.is_empty() => model.to_owned(),
        Some(model) if !folder.contains(model) => format!("{model} · {folder}"),
        _ if folder.is_empty() => "slop-code".to_owned(),
        _ => folder.to_owned(),
    }
}

/// The documents about the run as a whole, as written, secrets masked.
fn documents(files: &RunFiles) -> Value {
    let mut documents = Map::new();
    let mut add = |name: &str, document: &Option<Document>| {
        if let Some(document) = document {
            documents.insert(name.to_owned(), masked(&document.value));
        }
    };
    add("result", &files.result);
    add("config", &files.config);
    let infos: Map<String, Value> = files
        .run_infos
        .iter()
        .map(|info| (info.folder().to_owned(), masked(&info.value)))
        .collect();
    if !infos.is_empty() {
        documents.insert("run_info".to_owned(), Value::Object(infos));
    }
    Value::Object(documents)
}

/// The same value with its secrets masked.
fn masked(value: &Value) -> Value {
    let mut value = value.clone();
    mask_named(&mut value);
    value
}
