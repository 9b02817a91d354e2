//! One line of a samples file, without its long texts.

use crate::input::json::f64_from_value;
use crate::input::{Error, ErrorKind, Record};
use crate::model::{Asked, Locator, Outcome, SourceId};
use crate::readers::answer_hash::answer;
use crate::readers::asked_hash::asked;
use crate::readers::record_value::{number, short_text, text};
use serde_json::Value;

/// Tokens of a sample.
#[derive(Debug, Default)]
pub(super) struct LineTokens {
    pub input: Option<f64>,
    pub output: Option<f64>,
    pub cache_read: Option<f64>,
    pub cache_write: Option<f64>,
    pub reasoning: Option<f64>,
}

/// What scoring needs of a line.
#[derive(Debug)]
pub(super) struct SampleLine {
    /// `sample_id`.
    pub id: String,
    /// `evaluation_name`.
    pub name: String,
    /// `evaluation_result_id`; null of a sample that counts in no result.
    pub result: Option<String>,
    /// `evaluation_id`.
    pub evaluation: Option<String>,
    /// `model_id`.
    pub model: Option<String>,
    /// `metadata.epoch`, 1-based, where the converter wrote it.
    pub epoch: Option<u32>,
    /// `evaluation.score`.
    pub score: Option<f64>,
    /// `evaluation.is_correct`.
    pub is_correct: Option<bool>,
    /// `metadata.outcome`, which exports of Evalglass write.
    pub outcome: Option<Outcome>,
    /// `error`.
    pub error: Option<String>,
    /// `performance`: seconds of generation, else of latency.
    pub secs: Option<f64>,
    /// `token_usage`.
    pub tokens: LineTokens,
    /// Hashes of `input.raw` and `input.reference`.
    pub asked: Asked,
    /// Hash of `output`, else of the last message.
    pub answer: Option<u64>,
    /// Where the line lies.
    pub place: Locator,
}

impl SampleLine {
    /// Reads a line.
    ///
    /// # Errors
    /// When it is not JSON, or has no `sample_id`.
    pub(super) fn read(record: Record<'_>, source: SourceId) -> Result<Self, Error> {
        let line = record.read(|cursor| cursor.tree())?;
        let is_id = |id: &&Value| id.is_string() || id.is_number();
        let Some(id) = line.get("sample_id").filter(is_id) else {
            return Err(Error::new(ErrorKind::Format("a sample has no sample_id"), 0));
        };
        let member = |key: &str| line.get(key).unwrap_or(&Value::Null);
        let (judged, performance) = (member("evaluation"), member("performance"));
        let usage = member("token_usage");
        let of = |pointer: &str| {
            let value = line.pointer(pointer).filter(|value| !value.is_null())?;
            Some(value.to_string().into_bytes())
        };
        let millis = |key: &str| number(performance, key).filter(|millis| *millis > 0.0);
        let epoch = text(member("metadata"), "epoch").and_then(|epoch| epoch.parse().ok());
        let metadata = member("metadata");
        let outcome = text(metadata, "outcome").and_then(Outcome::from_text);
        let written = metadata.get("score").filter(|_| outcome.is_some());
        let score = match written {
            Some(written) => f64_from_value(written),
            None => number(judged, "score"),
        };
        let last = line.get("messages").and_then(Value::as_array).and_then(|list| list.last());
        let last = last.and_then(|message| message.get("content"));
        let owned = |key: &str| text(&line, key).map(str::to_owned);
        Ok(Self {
            id: short_text(id),
            name: owned("evaluation_name").unwrap_or_default(),
            result: owned("evaluation_result_id"),
            evaluation: owned("evaluation_id"),
            model: owned("model_id"),
            epoch,
            score,
            is_correct: judged.get("is_correct").and_then(Value::as_bool),
            outcome,
            error: line.get("error").map(short_text).filter(|error| !error.is_empty()),
            secs: millis("generation_time_ms")
                .or(millis("latency_ms"))
                .map(|millis| millis / 1000.0),
            tokens: LineTokens {
                input: number(usage, "input_tokens"),
                output: number(usage, "output_tokens"),
                cache_read: number(usage, "input_tokens_cache_read"),
                cache_write: number(usage, "input_tokens_cache_write"),
                reasoning: number(usage, "reasoning_tokens"),
            },
            asked: Asked {
                input: of("/input/raw").as_deref().and_then(asked),
                expected: of("/input/reference").as_deref().and_then(asked),
            },
            answer: of("/output")
                .or_else(|| last.map(|last| last.to_string().into_bytes()))
                .as_deref()
                .and_then(answer),
            place: Locator::Span { source, offset: record.offset, len: record.bytes.len() as u64 },
        })
    }
}
