//! Output folders of 0.17 and later: `suite.json`, `summary.json`, `<model>.jsonl`; over several
//! runs `<model>/run_N.jsonl` and `<model>/summary.json`.
//!
//! Source: `writer.py`, `models.py` of letta-evals. Fixtures `0.17.1_suite_multirun`, `0.20.0_suite`,
//! `0.25.1_reward`, `0.25.1_reward_11runs`, `0.26.0_reward_multirun`.

use super::case_page::document;
use super::cases::{self, ReadState};
use super::finish::{EvaluationParts, finish};
use super::grouping::identify::{FileOfRows, identify};
use super::grouping::names::stem;
use super::grouping::partners::Partners;
use super::grouping::sums::Sums;
use super::judging::generation::Generation;
use super::judging::rules::LettaRules;
use super::judging::suite_yaml::{self, Suite};
use super::row::{self, GraderNames};
use super::sniff::role;
use super::stretches::lines::{self, Appending};
use super::totals::declared_suite;
use crate::input::json::Cursor;
use crate::input::{Record, each_element};
use crate::model::{Asked, Evaluation, NoteKind, Place};
use crate::order::{Order as _, natural};
use crate::readers::asked_hash::asked;
use crate::readers::{Bundle, Claimed, Context, Error};
use serde_json::{Map, Value};
use std::rc::Rc;

type LateDocument = Map<String, Value>;

/// Reads a folder of these releases.
///
/// # Errors
/// When no file gives anything, or the work is cancelled.
pub async fn read<'a>(bundle: &'a Bundle, cx: &Context<'a>) -> Result<Evaluation, Error> {
    let suite_file = bundle.of_role(role::SUITE).next();
    for extra in bundle.of_role(role::SUITE).skip(1) {
        let detail = "there is more than one suite document; this one is left out";
        cx.notes.add(&extra.file.path, NoteKind::Duplicate, Place::File, detail);
    }
    let suite_map = match suite_file {
        Some(claimed) => document::read(claimed, &["samples"], cx)?,
        None => LateDocument::new(),
    };
    let summaries = read_all(bundle, role::MODELS_SUMMARY, cx)?;
    let model_summaries = read_all(bundle, role::MODEL_SUMMARY, cx)?;
    let mut config =
        suite_map.get("config").and_then(Value::as_object).cloned().unwrap_or_default();
    let name = suite_map.get("suite").and_then(Value::as_str);
    let written = suite_yaml::find(bundle, name, cx);
    if let Some(written) = &written {
        written.complete(&mut config, cx);
    }
    let mut row_files: Vec<&Rc<Claimed>> = bundle.of_role(role::MODEL_ROWS).collect();
    row_files.order_by(|left, right| natural(&left.file.path, &right.file.path));
    let generation = generation(&config, &summaries, &model_summaries, &row_files);
    let mut rules = LettaRules::new(generation, &config);
    rules.config.description = written.as_ref().map(Suite::description).unwrap_or_default();
    let names = GraderNames(rules.config.metrics.clone());
    let begin = |claimed: Option<&&'a Rc<Claimed>>| match claimed {
        Some(claimed) => lines::begin(cx, &rules, &names, claimed),
        None => Ok(None),
    };
    // Rows are read without the samples, so others can be at it meanwhile.
    let mut begun = begin(row_files.first())?;
    cx.pulse.set_phase("read the samples of the suite");
    let partners = match suite_file {
        Some(claimed) => Some(samples(claimed, cx).await?),
        None => {
            let detail =
                "there is no suite.json: inputs, expected answers and graders are not known";
            cx.notes.add(&bundle.path, NoteKind::MissingPartner, Place::File, detail);
            None
        }
    };
    let suite = std::iter::once(&suite_map)
        .chain(summaries.iter().map(|(_, map)| map))
        .find_map(|map| map.get("suite").and_then(Value::as_str))
        .or_else(|| written.as_ref()?.name())
        .map(str::to_owned);
    let mut reading = ReadState {
        rules: &rules,
        suite: suite.as_deref(),
        partners: partners.as_ref(),
        names: names.clone(),
        cx,
    };
    let mut files = Vec::new();
    for (number, claimed) in row_files.iter().enumerate() {
        let next = begin(row_files.get(number + 1))?;
        let begun = std::mem::replace(&mut begun, next);
        let appending = Appending::Never;
        let rows = lines::read_lines(&mut reading, claimed, 1, false, appending, begun).await?;
        if rows.sums.n_rows == 0 {
            note_empty(claimed, &rules, cx);
        }
        check_planned(claimed, &rows.sums, partners.as_ref(), cx);
        files.push(FileOfRows::new(claimed, rows));
    }
    for claimed in bundle.of_role(role::EMPTY) {
        note_empty(claimed, &rules, cx);
    }
    let metrics = reading.names.0;
    let mut models = known_models(&summaries, &model_summaries, &rules);
    let root = root(bundle, suite_file);
    identify(&mut files, &mut models, &model_summaries, &summaries, root, cx);
    for model in &models {
        let has_rows = files.iter().any(|file| file.has_model(model));
        if !has_rows {
            let detail = format!("no results of the model {model:?}");
            cx.notes.add(&bundle.path, NoteKind::MissingPartner, Place::File, detail);
        }
    }
    let is_multi = !model_summaries.is_empty()
        || files.iter().any(|file| file.repeat > Some(1))
        || summaries.iter().any(|(_, map)| is_over_runs(map));
    if summaries.is_empty() {
        // Rows alone say nothing about how their run ended.
        let (kind, detail) = match suite_file {
            Some(_) => (NoteKind::Unfinished, super::NO_SUMMARY),
            None => (NoteKind::MissingPartner, super::ROWS_ALONE),
        };
        cx.notes.add(&bundle.path, kind, Place::File, detail);
    }
    let mut parts = EvaluationParts { suite, metrics, ..EvaluationParts::default() };
    if let Some(written) = &written {
        let (path, map) = written.document();
        parts.document(path, map);
    }
    if let Some(claimed) = suite_file {
        parts.document(&claimed.file.path, &suite_map);
        parts.declare(&claimed.file.path, "", &suite_map, None, |_| {});
    }
    for (claimed, map) in &summaries {
        parts.document(&claimed.file.path, map);
        parts.declare(&claimed.file.path, "", map, None, |stated| {
            declared_suite::models(stated, "", map, is_multi);
        });
    }
    for (claimed, map) in &model_summaries {
        parts.document(&claimed.file.path, map);
        parts.declare(&claimed.file.path, "", map, None, |stated| {
            declared_suite::model(stated, "", map, true);
        });
    }
    parts.runs = files.into_iter().flat_map(FileOfRows::into_runs).collect();
    let place = |subject: &Option<String>| {
        models.iter().position(|model| Some(model) == subject.as_ref()).unwrap_or(models.len())
    };
    parts.runs.order_by_key(|run| (run.key.repeat, place(&run.key.subject)));
    finish(bundle, rules, parts, cx)
}

fn read_all<'a>(
    bundle: &'a Bundle,
    role: &str,
    cx: &Context<'_>,
) -> Result<Vec<(&'a Rc<Claimed>, LateDocument)>, Error> {
    let claimed = bundle.of_role(role);
    claimed.map(|claimed| Ok((claimed, document::read(claimed, &[], cx)?))).collect()
}

fn generation(
    config: &LateDocument,
    summaries: &[(&Rc<Claimed>, LateDocument)],
    model_summaries: &[(&Rc<Claimed>, LateDocument)],
    row_files: &[&Rc<Claimed>],
) -> Generation {
    if config.contains_key("reward") {
        return Generation::E;
    }
    if config.contains_key("gate") {
        return Generation::D;
    }
    let models = summaries
        .iter()
        .filter_map(|(_, map)| map.get("models")?.as_array())
        .flatten()
        .filter_map(Value::as_object)
        .chain(model_summaries.iter().map(|(_, map)| map));
    for model in models {
        if model.contains_key("reward") {
            return Generation::E;
        }
        if model.contains_key("score") {
            return Generation::D;
        }
    }
    // Rows of D write their nulls, rows of E leave them out.
    let first = row_files.iter().find_map(|claimed| {
        let bytes = claimed.file.bytes(claimed.shape.record().span.clone()).ok()?;
        cases::peek(&bytes)
    });
    match first {
        Some(traits) if traits.has_reward || traits.has_model_handle => Generation::E,
        Some(traits) if traits.has_error_key => Generation::D,
        _ => Generation::E,
    }
}

/// Samples after which it is guessed how many there are, by their size.
const MANY_SAMPLES: usize = 1_000;

/// Most samples that there is room for before they come.
const MOST_EXPECTED: usize = 2_000_000;

/// Where each sample of a suite lies.
async fn samples(claimed: &Claimed, cx: &Context<'_>) -> Result<Partners, Error> {
    let mut partners = Partners::new(claimed.file.id);
    let file = &claimed.file;
    let Some(member) = claimed.shape.outline.member("samples") else { return Ok(partners) };
    cx.pulse.set_file(&file.path);
    let n_bytes = member.span.end - member.span.start;
    let tail = each_element(file, member.span.clone(), cx.pulse, &mut |record| {
        add_sample(&mut partners, &record, claimed, cx);
        if partners.len() == MANY_SAMPLES {
            let n_read = record.offset + record.bytes.len() as u64 - member.span.start;
            let n_samples = n_bytes / (n_read / MANY_SAMPLES as u64).max(1);
            let n_samples = usize::try_from(n_samples).unwrap_or(usize::MAX);
            partners.reserve(n_samples.min(MOST_EXPECTED).saturating_sub(MANY_SAMPLES));
        }
        Ok(())
    })
    .await
    .map_err(|err| Error::from(err).in_file(&file.path))?;
    if let Some((byte, number, err)) = tail.cut {
        let detail = format!("the samples are cut off at number {}: {}", number + 1, err.reason());
        cx.notes.add(&file.path, NoteKind::Truncated, Place::Byte(byte), detail);
    }
    Ok(partners)
}

/// Adds one sample to those known.
pub fn add_sample(
    partners: &mut Partners,
    record: &Record<'_>,
    claimed: &Claimed,
    cx: &Context<'_>,
) {
    let (mut id, mut asks) = ((None, false), Asked::default());
    let read = Cursor::new(record.bytes).each_field(|key, cursor| {
        if key == "id" {
            id = row::id(cursor)?;
            return Ok(());
        }
        let span = cursor.skip()?;
        match key {
            "input" => asks.input = asked(cursor.slice(span)),
            "ground_truth" => asks.expected = asked(cursor.slice(span)),
            _ => {}
        }
        Ok(())
    });
    let path = &claimed.file.path;
    let place = || Place::Field(format!("samples[{}]", record.number));
    let (Some(text), is_numeric) = (id.0, id.1) else {
        let detail = read.err().map_or("a sample has no id".to_owned(), |err| err.to_string());
        cx.notes.add(path, NoteKind::Broken, place(), detail);
        return;
    };
    let (offset, len) = (record.offset, record.bytes.len() as u64);
    if !partners.insert(is_numeric, &text, offset..offset + len, asks) {
        let detail = "an id occurs more than once among the samples";
        cx.notes.add(path, NoteKind::Duplicate, place(), detail);
    }
}

/// Models in the order of the summary, then of the configuration.
fn known_models(
    summaries: &[(&Rc<Claimed>, LateDocument)],
    model_summaries: &[(&Rc<Claimed>, LateDocument)],
    rules: &LettaRules,
) -> Vec<String> {
    let mut models: Vec<String> = Vec::new();
    let stated = summaries
        .iter()
        .filter_map(|(_, map)| map.get("models")?.as_array())
        .flatten()
        .chain(std::iter::empty())
        .filter_map(|model| model.get("model")?.as_str());
    let of_files = model_summaries.iter().filter_map(|(_, map)| map.get("model")?.as_str());
    for model in stated.chain(of_files).chain(rules.models.iter().map(String::as_str)) {
        if !models.iter().any(|known| known == model) {
            models.push(model.to_owned());
        }
    }
    models
}

/// Whether a summary is over several runs: only then it states deviations, or how many passed.
fn is_over_runs(summary: &LateDocument) -> bool {
    let has = |model: &Value| {
        ["score_std", "reward_std", "per_metric_std"].iter().any(|key| model.get(key).is_some())
    };
    summary.contains_key("runs_passed")
        || summary.get("models").and_then(Value::as_array).is_some_and(|all| all.iter().any(has))
}

/// The folder that the names of model folders are relative to.
fn root<'a>(bundle: &'a Bundle, suite: Option<&'a Rc<Claimed>>) -> &'a str {
    match suite.or_else(|| bundle.of_role(role::MODELS_SUMMARY).next()) {
        Some(claimed) => claimed.file.folder(),
        None => &bundle.path,
    }
}

fn note_empty(claimed: &Claimed, rules: &LettaRules, cx: &Context<'_>) {
    let name = stem(claimed.file.name());
    let (kind, detail) = if rules.model_configs.iter().any(|config| config == name) {
        (NoteKind::Skipped, "an empty file beside the model that the configuration stands for")
    } else {
        (NoteKind::Unfinished, "no result row: the run was not begun")
    };
    cx.notes.add(&claimed.file.path, kind, Place::File, detail);
}

/// Notes a file with fewer rows than the suite has samples. A row that could not be read is no sign that
/// the run did not come to its end.
fn check_planned(claimed: &Claimed, sums: &Sums, partners: Option<&Partners>, cx: &Context<'_>) {
    let n_planned = partners.map_or(0, |partners| partners.len() as u64);
    if sums.n_rows == 0 || sums.n_rows >= n_planned {
        return;
    }
    let path = &claimed.file.path;
    // Some of what was lost may be a field of a row that is here.
    let why = match sums.n_rows + cx.notes.n_lost(path) < n_planned {
        true => "it was interrupted",
        false => "the others may be among what could not be read",
    };
    let detail = format!("the run has {} of {n_planned} samples: {why}", sums.n_rows);
    cx.notes.add(path, NoteKind::Unfinished, Place::File, detail);
}
