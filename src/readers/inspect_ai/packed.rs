//! Samples that are still packed: what their summaries say of them, and which have to be read all the same.
//!
//! A summary of 2025 and later holds all that figures are made of. What it leaves out or shortens is left
//! unknown, with a note: the answer, edits of scores, long texts. One sample is read beside its summary, so
//! that releases that say less in summaries are noticed: their samples are read one after the other, and none
//! of them is held.

use super::head::LogHead;
use super::read::{is_same_score, member};
use super::sample::InspectSample;
use super::sniff::{SAMPLE, SUMMARIES};
use crate::input::{Form, InputFile, MemorySource, outline};
use crate::model::{Asked, Locator, NoteKind, Place};
use crate::readers::records::records;
use crate::readers::{Bundle, Claimed, Context, Error};
use memchr::memmem;
use serde_json::Value;
use std::collections::HashMap;
use std::rc::Rc;

/// Samples up to this size are read in one go.
const SMALL_BYTES: u64 = 8 << 20;

/// What the tool writes in a summary in place of what is too long for it, or is no text.
const INSTEAD: [&str; 9] = [
    "(content truncated)",
    "Key removed from summary",
    "(Image)",
    "(Audio)",
    "(Video)",
    "(Document)",
    "(Data)",
    "(Reasoning)",
    "(Tool_use)",
];

/// Words of fewer characters are whole in a summary.
const MAX_WORDS: usize = 1_000;

const FROM_SUMMARIES: &str = "the table is made from the summaries of this large log: each sample is read \
    when it is looked at. Answers and marks of edited scores are not known before that, and long explanations are as \
    the tool has shortened them";

/// What summaries say, by the path of the sample below `samples/`.
type Summaries = HashMap<String, InspectSample>;

/// The samples of `bundle` that are still packed: from their summaries where these say all that figures need,
/// else each is read.
///
/// # Errors
/// When the work is cancelled.
pub(super) async fn samples(
    bundle: &Bundle,
    head: &LogHead,
    cx: &Context<'_>,
) -> Result<Vec<InspectSample>, Error> {
    let is_packed = |claimed: &&Rc<Claimed>| claimed.shape.form == Form::Unseen;
    let files: Vec<&Rc<Claimed>> = bundle.of_role(SAMPLE).filter(is_packed).collect();
    let Some(first) = files.first() else { return Ok(Vec::new()) };
    let mut summaries = read_summaries(bundle, cx).await?;
    let told = name_of(first).and_then(|name| summaries.get(name));
    let mut n_told = 0;
    let mut is_enough = told.is_some() && is_enough(head, &summaries);
    if is_enough
        && let Some(told) = told
        && let Some(whole) = read(bundle, &first.file, cx).await?
    {
        is_enough = says_all(told, &whole);
        if told.asked != Asked::default() && told.asked != whole.asked {
            summaries.values_mut().for_each(|summary| summary.asked = Asked::default());
        }
    }
    let mut all = Vec::new();
    for claimed in files {
        let file = &claimed.file;
        let told = name_of(claimed).filter(|_| is_enough).and_then(|name| summaries.remove(name));
        if let Some(mut sample) = told {
            sample.at = Some(Locator::Span { source: file.id, offset: 0, len: file.len() });
            all.push(sample);
            n_told += 1;
        } else {
            all.extend(read(bundle, file, cx).await?);
        }
        cx.pulse.advance(file.len()).await?;
    }
    if n_told > 0 {
        cx.notes.add(&bundle.path, NoteKind::Skipped, Place::File, FROM_SUMMARIES);
    }
    Ok(all)
}

/// `ID_epoch_N.json`.
fn name_of(claimed: &Claimed) -> Option<&str> {
    claimed.file.path.split_once("/samples/").map(|(_, name)| name)
}

/// All summaries; of one sample the last one counts, and the final list more than the journal.
async fn read_summaries(bundle: &Bundle, cx: &Context<'_>) -> Result<Summaries, Error> {
    let mut all = Summaries::new();
    for claimed in bundle.of_role(SUMMARIES) {
        let source = claimed.file.id;
        records(claimed, "summary", cx, &mut |record| {
            let mut summary = InspectSample::read(record.bytes, record.offset)?;
            summary.reasons_in = Some(source);
            let is_there = |word: &&str| memmem::find(record.bytes, word.as_bytes()).is_some();
            if INSTEAD.iter().any(is_there) {
                // Something is not as it was asked.
                summary.asked = Asked::default();
            }
            all.insert(format!("{}_epoch_{}.json", summary.id, summary.epoch), summary);
            Ok(())
        })
        .await?;
    }
    Ok(all)
}

/// Whether summaries hold what figures are made of.
fn is_enough(head: &LogHead, summaries: &Summaries) -> bool {
    // Which samples do not count is said only in them.
    if head.tree.get("invalidated") == Some(&Value::Bool(true)) {
        return false;
    }
    let keys = keys_needed(head);
    let is_whole = |value: &Value| {
        let word = value.as_str().unwrap_or_default();
        word.len() < MAX_WORDS && !INSTEAD.iter().any(|instead| word.contains(instead))
    };
    summaries.values().all(|summary| {
        summary.has_retries
            && summary.has_usage
            && keys.iter().all(|key| summary.metadata.get(key).is_none_or(is_whole))
    })
}

/// Members of samples' metadata by which metrics group samples.
fn keys_needed(head: &LogHead) -> Vec<&str> {
    let metrics = head.scores().iter().filter_map(|score| score.get("metrics")?.as_object());
    let metrics = metrics.flat_map(serde_json::Map::values);
    let params =
        metrics.filter_map(|metric| metric.get("params").or_else(|| metric.get("options")));
    let keys = params.flat_map(|params| [params.get("cluster"), params.get("group_key")]);
    keys.flatten().filter_map(Value::as_str).collect()
}

/// Whether the summary `told` says of what figures are made of what the sample `whole` says.
fn says_all(told: &InspectSample, whole: &InspectSample) -> bool {
    let tokens = |sample: &InspectSample| -> Vec<_> {
        sample.usage.iter().map(|(model, tokens)| (model.clone(), tokens.each())).collect()
    };
    let is_scored = |score: &super::sample::ScoreRead| {
        whole.value(&score.scorer, None).is_some_and(|own| is_same_score(own, &score.value))
    };
    told.scores.len() == whole.scores.len()
        && told.scores.iter().all(is_scored)
        && tokens(told) == tokens(whole)
        && (told.error.is_some(), &told.limit) == (whole.error.is_some(), &whole.limit)
        && (told.n_retries, told.total_secs) == (whole.n_retries, whole.total_secs)
        && (told.working_secs, &told.started_at) == (whole.working_secs, &whole.started_at)
}

/// Reads a packed sample; what is wrong with it is noted.
async fn read(
    bundle: &Bundle,
    file: &InputFile,
    cx: &Context<'_>,
) -> Result<Option<InspectSample>, Error> {
    cx.pulse.set_file(&file.path);
    let found = async {
        let file = if file.len() <= SMALL_BYTES {
            let data = Rc::new(MemorySource::new(file.all_bytes()?));
            InputFile { data, ..file.clone() }
        } else {
            file.clone()
        };
        let outline = outline(&file, 0, cx.pulse).await?;
        Ok::<_, crate::input::Error>((file, outline))
    };
    let found = match found.await {
        Ok((file, outline)) => member(bundle, &file, &outline, false, cx),
        Err(err) => Err(Error::from(err).in_file(&file.path)),
    };
    match found {
        Err(err) if err.is_cancelled() => Err(err),
        Err(err) => {
            cx.notes.add(&file.path, err.note_kind(), Place::File, err.to_string());
            Ok(None)
        }
        found => found,
    }
}
