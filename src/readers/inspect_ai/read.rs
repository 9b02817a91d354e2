//! Reads one log.

use super::cases::{LogContext, headline_name};
use super::declared;
use super::head::LogHead;
use super::packed;
use super::sample::{InspectSample, WANTED};
use super::sniff::{CHUNK, CHUNKED, JOURNAL, LOG, REDUCTIONS, SAMPLE, START, SUMMARIES};
use super::value::Score;
use crate::input::json::Cursor;
use crate::input::{Form, InputFile, Outline};
use crate::model::{Config, Evaluation, Locator, NoteKind, Place};
use crate::order::Order as _;
use crate::readers::record_value::{short_text, text};
use crate::readers::records::{elements, records};
use crate::readers::{Bundle, Context, Error, ErrorKind};
use serde_json::Value;
use std::collections::HashSet;

/// Reads the log in `bundle`.
///
/// # Errors
/// When a file cannot be read, or the work is cancelled.
pub(super) async fn read(bundle: &Bundle, cx: &Context<'_>) -> Result<Evaluation, Error> {
    let first = bundle.files.first().ok_or_else(|| Error::new(ErrorKind::Gone))?;
    let of_role = |role: &'static str| bundle.of_role(role).next();
    let head = match of_role(LOG).or_else(|| of_role(START)) {
        Some(claimed) => LogHead::read(claimed, cx)?,
        None => {
            let detail = "neither header.json nor _journal/start.json is here: the task and the model are \
                          not known";
            cx.notes.add(&bundle.path, NoteKind::MissingPartner, Place::File, detail);
            LogHead { file: first.file.path.clone(), ..LogHead::default() }
        }
    };
    let samples = samples(bundle, &head, cx).await?;
    let (reductions, reduced_in) = reductions(bundle, cx).await?;
    let reduced_in = reduced_in.unwrap_or_else(|| head.file.clone());
    note_end(bundle, &head, &samples, cx);
    let headline = head.headline(&samples);
    for sample in &samples {
        let value = sample.value(&headline.scorer, headline.key.as_deref());
        if value.is_some_and(|value| matches!(value, Score::Text(_)) && !value.has_number()) {
            let place = Place::Field(format!("{} epoch {}", sample.id, sample.epoch));
            let detail =
                "a score is a word without a numeric value; it counts as 0, as in Inspect AI";
            cx.notes.add(&head.file, NoteKind::Assumed, place, detail);
        }
    }
    let shared = LogContext {
        head: &head,
        headline: &headline,
        group_key: group_key(&head),
        path: &bundle.path,
    };
    let runs = shared.runs(&samples);
    let (declared, unchecked) = declared::of(&head, &samples, &reductions, &reduced_in);
    let metrics = declared::metric_names(&samples, headline_name(&headline));
    let is_whole = head.status() == "success";
    let has_verdicts =
        runs.iter().any(|run| run.cases.passed.iter().any(|passed| passed.is_some()));
    let values = samples.iter().filter_map(|sample| {
        sample.value(&headline.scorer, headline.key.as_deref()).and_then(Score::shown)
    });
    let config = Config {
        metrics,
        no_case_rule: (!has_verdicts).then(|| {
            "Inspect AI defines what passes only for the values C, I, N, true and false".into()
        }),
        no_verdict: Some(
            if is_whole {
                "Inspect AI has no rule that passes or fails a log"
            } else {
                "the run did not come to its end"
            }
            .into(),
        ),
        case_rule: has_verdicts.then(|| {
            format!("the value of {} must be C (correct) or true", headline.scorer).into()
        }),
        score_source: headline_name(&headline).map(|name| {
            let metric = headline.metric.as_deref().unwrap_or("mean");
            format!("{metric} of {name} in one epoch, C as 1, P as 0.5, I and N as 0").into()
        }),
        has_any_scores: values.into_iter().any(|value| !(0.0..=1.0).contains(&value)),
        has_costs: samples
            .iter()
            .any(|sample| sample.tokens().is_some_and(|all| all.cost.is_some())),
        description: description(&head),
        ..Config::default()
    };
    let mut sources: Vec<_> = bundle
        .files
        .iter()
        .filter(|claimed| claimed.claim.role != CHUNK && claimed.claim.role != JOURNAL)
        .map(|claimed| claimed.file.id)
        .collect();
    sources.dedup();
    let created = head.text("/eval/created").map_or(String::new(), |at| format!(" {at}"));
    Ok(Evaluation {
        producer: "inspect-ai".into(),
        generation: head.release().unwrap_or_default().to_owned(),
        path: bundle.path.clone(),
        label: match head.task() {
            Some(task) => format!("{task}{created}"),
            None => first.file.name().to_owned(),
        },
        suite: head.task().map(str::to_owned),
        config,
        declared,
        unchecked,
        declared_json: serde_json::json!({
            "results": head.tree.get("results"),
            "stats": head.tree.get("stats"),
        }),
        rows: Vec::new(),
        runs,
        sources,
    })
}

/// Every sample: those of one file in its order, those of an archive as the tool sorts them.
async fn samples(
    bundle: &Bundle,
    head: &LogHead,
    cx: &Context<'_>,
) -> Result<Vec<InspectSample>, Error> {
    let mut samples = Vec::new();
    for claimed in bundle.of_role(LOG) {
        let source = claimed.file.id;
        elements(claimed, "samples", "sample", cx, &mut |record| {
            let mut sample = InspectSample::read(record.bytes, record.offset)?;
            let len = record.bytes.len() as u64;
            sample.at = Some(Locator::Span { source, offset: record.offset, len });
            samples.push(sample);
            Ok(())
        })
        .await?;
    }
    let n_listed = samples.len();
    let unpacked = bundle.of_role(SAMPLE).filter(|claimed| claimed.shape.form != Form::Unseen);
    for claimed in unpacked.chain(bundle.of_role(CHUNKED)) {
        let is_chunked = claimed.claim.role == CHUNKED;
        samples.extend(member(bundle, &claimed.file, &claimed.shape.outline, is_chunked, cx)?);
        cx.pulse.advance(claimed.file.len()).await?;
    }
    samples.append(&mut packed::samples(bundle, head, cx).await?);
    summaries(bundle, &mut samples, cx).await?;
    if n_listed == 0 {
        samples.order_by(|left, right| order_key(left).cmp(&order_key(right)));
    }
    Ok(samples)
}

/// By epoch, then by id; numbers as texts of 20 digits, as the tool compares them with words.
fn order_key(sample: &InspectSample) -> (u32, String) {
    let id = &sample.id;
    (sample.epoch, if sample.is_numeric_id { format!("{id:0>20}") } else { id.clone() })
}

/// The sample that a member of an archive is: only the members that are wanted are read.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn member(
    bundle: &Bundle,
    file: &InputFile,
    outline: &Outline,
    is_chunked: bool,
    cx: &Context<'_>,
) -> Result<Option<InspectSample>, Error> {
    let mut sample = InspectSample::default();
    let mut broken = None;
    let mut all: Vec<_> = WANTED.iter().filter_map(|wanted| outline.member(wanted)).collect();
    // Packed files are unpacked from left to right.
    all.order_by_key(|found| found.span.start);
    for found in all {
        let bytes =
            file.bytes(found.span.clone()).map_err(|err| Error::from(err).in_file(&file.path))?;
        let read = sample.member(&found.key, &mut Cursor::new(&bytes), found.span.start);
        if let Err(err) = read {
            broken.get_or_insert((found.span.start + err.at(), err.reason().to_string()));
        }
    }
    if is_chunked {
        let beside = format!("{}/metadata.json", file.folder());
        let chunk = bundle.of_role(CHUNK).find(|chunk| chunk.file.path == beside);
        let bytes = chunk.and_then(|chunk| chunk.file.all_bytes().ok());
        sample.metadata =
            bytes.and_then(|bytes| Cursor::new(&bytes).tree().ok()).unwrap_or_default();
    }
    if let Some(err) = &outline.cut {
        let kind = if err.at() >= file.len() { NoteKind::Truncated } else { NoteKind::Broken };
        let detail = format!("the sample ends early: {}", err.reason());
        cx.notes.add(&file.path, kind, Place::Byte(err.at()), detail);
    } else if let Some((at, reason)) = broken {
        cx.notes.add(&file.path, NoteKind::Broken, Place::Byte(at), reason);
    }
    match sample.checked() {
        Ok(mut sample) => {
            let span = outline.span.clone();
            let len = span.end.saturating_sub(span.start);
            sample.at = Some(Locator::Span { source: file.id, offset: span.start, len });
            Ok(Some(sample))
        }
        Err(err) => {
            cx.notes.add(&file.path, err.note_kind(), Place::File, err.to_string());
            Ok(None)
        }
    }
}

/// Samples of which only a summary is there; and whether summaries say what samples do.
async fn summaries(
    bundle: &Bundle,
    samples: &mut Vec<InspectSample>,
    cx: &Context<'_>,
) -> Result<(), Error> {
    let key = |sample: &InspectSample| (sample.is_numeric_id, sample.id.clone(), sample.epoch);
    let known: std::collections::HashMap<_, usize> =
        samples.iter().enumerate().map(|(at, sample)| (key(sample), at)).collect();
    let mut added = HashSet::new();
    // The final list comes after the journal in path order, and what it says counts.
    for claimed in bundle.of_role(SUMMARIES).collect::<Vec<_>>().into_iter().rev() {
        let file = &claimed.file;
        let mut more = Vec::new();
        records(claimed, "summary", cx, &mut |record| {
            let mut summary = InspectSample::read(record.bytes, record.offset)?;
            let len = record.bytes.len() as u64;
            summary.at = Some(Locator::Span { source: file.id, offset: record.offset, len });
            match known.get(&key(&summary)).and_then(|at| samples.get(*at)) {
                Some(sample) => note_difference(&summary, sample, &file.path, cx),
                None if added.insert(key(&summary)) => more.push(summary),
                None => {}
            }
            Ok(())
        })
        .await?;
        if !more.is_empty() {
            let detail =
                "samples are here as summaries only: their messages and events are missing";
            for _ in &more {
                cx.notes.add(&file.path, NoteKind::MissingPartner, Place::File, detail);
            }
        }
        samples.append(&mut more);
    }
    Ok(())
}

/// Notes scores that a summary states otherwise than its sample does.
fn note_difference(summary: &InspectSample, sample: &InspectSample, path: &str, cx: &Context<'_>) {
    // Journals are older than edits.
    if path.contains("_journal/") {
        return;
    }
    for score in &summary.scores {
        let own = sample.value(&score.scorer, None);
        if !own.is_some_and(|own| is_same_score(own, &score.value)) {
            let place = Place::Field(format!("{} epoch {}", summary.id, summary.epoch));
            let detail =
                format!("the summary states another score of {} than the sample", score.scorer);
            cx.notes.add(path, NoteKind::Mismatch, place, detail);
        }
    }
}

/// Whether two files state the same score.
pub(super) fn is_same_score(one: &Score, other: &Score) -> bool {
    one == other
        || (one.is_unscored() && other.is_unscored())
        || format!("{one:?}") == format!("{other:?}")
}

/// Scores with their epochs made one, and the file that they are in.
async fn reductions(
    bundle: &Bundle,
    cx: &Context<'_>,
) -> Result<(Vec<Value>, Option<String>), Error> {
    let mut all = Vec::new();
    if let Some(claimed) = bundle.of_role(LOG).next() {
        elements(claimed, "reductions", "reduction", cx, &mut |record| {
            all.push(Cursor::new(record.bytes).tree()?);
            Ok(())
        })
        .await?;
    }
    let Some(claimed) = bundle.of_role(REDUCTIONS).next() else { return Ok((all, None)) };
    records(claimed, "reduction", cx, &mut |record| {
        all.push(Cursor::new(record.bytes).tree()?);
        Ok(())
    })
    .await?;
    Ok((all, Some(claimed.file.path.clone())))
}

/// Notes a log that was not finished.
fn note_end(bundle: &Bundle, head: &LogHead, samples: &[InspectSample], cx: &Context<'_>) {
    if bundle.of_role(LOG).chain(bundle.of_role(START)).next().is_none() {
        return;
    }
    let status = head.status();
    let of = match declared::planned(head) {
        Some(n) if n > samples.len() => format!("{} of {n} samples are here", samples.len()),
        _ => format!("{} samples are here", samples.len()),
    };
    match status {
        "success" => {}
        "started" => {
            let detail = format!("the run was broken off before its log was finished: {of}");
            cx.notes.add(&head.file, NoteKind::Unfinished, Place::File, detail);
        }
        status => {
            let detail = format!("the run ended with the status {status:?}: {of}");
            cx.notes.add(&head.file, NoteKind::Unfinished, Place::File, detail);
        }
    }
}

/// The member of samples' metadata by which a metric of the log groups them.
fn group_key(head: &LogHead) -> Option<String> {
    let metrics = head.scores().iter().filter_map(|score| score.get("metrics")?.as_object());
    let params =
        metrics.flat_map(serde_json::Map::values).filter_map(|metric| metric.get("params"));
    let mut keys = params.filter_map(|params| text(params, "group_key"));
    keys.next().map(str::to_owned)
}

/// What the log says it was asked to do.
fn description(head: &LogHead) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut add = |label: &str, value: String| {
        if !value.is_empty() && value != "{}" && value != "[]" {
            all.push((label.to_owned(), value));
        }
    };
    let at = |pointer: &str| head.tree.pointer(pointer).map(short_text).unwrap_or_default();
    add("status", head.status().to_owned());
    for (label, pointer) in [
        ("created", "/eval/created"),
        ("completed", "/stats/completed_at"),
        ("task", "/eval/task_display_name"),
        ("task version", "/eval/task_version"),
        ("task arguments", "/eval/task_args"),
        ("data set", "/eval/dataset/name"),
        ("samples in the data set", "/eval/dataset/samples"),
        ("model", "/eval/model"),
        ("model arguments", "/eval/model_args"),
        ("model roles", "/eval/model_roles"),
        ("generation", "/eval/model_generate_config"),
        ("epochs", "/eval/config/epochs"),
        ("sandbox", "/eval/sandbox"),
        ("revision", "/eval/revision/commit"),
        ("tags", "/tags"),
        ("metadata", "/metadata"),
        ("Inspect AI", "/eval/packages/inspect_ai"),
        ("run", "/eval/run_id"),
    ] {
        add(label, at(pointer));
    }
    let steps = head.tree.pointer("/plan/steps").and_then(Value::as_array);
    let solvers = steps.into_iter().flatten().filter_map(|step| text(step, "solver"));
    add("solvers", solvers.collect::<Vec<_>>().join(", "));
    let limits = head.tree.pointer("/eval/config").and_then(Value::as_object);
    for (key, value) in limits.into_iter().flatten().filter(|(key, _)| key.ends_with("_limit")) {
        add(&key.replace('_', " "), short_text(value));
    }
    if head.tree.get("invalidated") == Some(&Value::Bool(true)) {
        add("invalidated", "some samples were declared not to count".to_owned());
    }
    all
}
