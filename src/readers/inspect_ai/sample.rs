//! One sample in one epoch, without its messages and events.

use super::value::Score;
use crate::input::json::{Cursor, f64_from_value};
use crate::input::{Error, ErrorKind};
use crate::model::{Asked, Locator, SourceId};
use crate::readers::answer_hash::answer;
use crate::readers::asked_hash::asked;
use serde_json::Value;

/// What the table, the totals and the audit need of a sample.
#[derive(Debug, Default)]
pub(super) struct InspectSample {
    /// Its id, as text.
    pub id: String,
    /// Whether the file writes the id as a number.
    pub is_numeric_id: bool,
    /// Epoch, 1-based.
    pub epoch: u32,
    /// By scorer, in the order of the file.
    pub scores: Vec<ScoreRead>,
    /// Its metadata: groups and clusters are named there.
    pub metadata: Value,
    /// Message of the error that ended it.
    pub error: Option<String>,
    /// Kind of the limit that ended it: `message`, `token`.
    pub limit: Option<String>,
    /// How often it was begun again after an error.
    pub n_retries: u32,
    /// Wall-clock seconds.
    pub total_secs: Option<f64>,
    /// Of these, seconds that it worked.
    pub working_secs: Option<f64>,
    /// When it began, as the file writes it.
    pub started_at: Option<String>,
    /// Tokens by model, in the order of the file.
    pub usage: Vec<(String, SampleTokens)>,
    /// What it was asked.
    pub asked: Asked,
    /// Hash of what the model gave at last.
    pub answer: Option<u64>,
    /// Somebody declared that it does not count.
    pub is_invalid: bool,
    /// Where it lies.
    pub at: Option<Locator>,
    /// The file in which the words of its scores lie, where it is another one.
    pub reasons_in: Option<SourceId>,
    /// Whether it says how often it was begun again, and how many tokens it took: old summaries do not.
    pub has_retries: bool,
    pub has_usage: bool,
}

/// One score.
#[derive(Debug)]
pub(super) struct ScoreRead {
    /// Scorer.
    pub scorer: String,
    /// What it gave, after edits.
    pub value: Score,
    /// Offset and length of the JSON string of its explanation in the file.
    pub reason: Option<(u64, u64)>,
    /// How often it was edited.
    pub n_edits: usize,
    /// Its metadata.
    pub metadata: Value,
}

/// Tokens and cost, as far as they are written.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SampleTokens {
    pub input: Option<f64>,
    pub output: Option<f64>,
    pub total: Option<f64>,
    pub cache_read: Option<f64>,
    pub cache_write: Option<f64>,
    pub reasoning: Option<f64>,
    pub cost: Option<f64>,
}

/// Names of the members of a usage, in the order of [`SampleTokens::each`].
pub(super) const USAGE_KEYS: [&str; 7] = [
    "input_tokens",
    "output_tokens",
    "total_tokens",
    "input_tokens_cache_read",
    "input_tokens_cache_write",
    "reasoning_tokens",
    "total_cost",
];

impl SampleTokens {
    /// Reads a usage.
    pub fn of(usage: &Value) -> Self {
        let [input, output, total, cache_read, cache_write, reasoning, cost] =
            USAGE_KEYS.map(|key| usage.get(key).and_then(f64_from_value));
        Self { input, output, total, cache_read, cache_write, reasoning, cost }
    }

    /// Its numbers, in the order of [`USAGE_KEYS`].
    pub fn each(&self) -> [Option<f64>; 7] {
        let Self { input, output, total, cache_read, cache_write, reasoning, cost } = *self;
        [input, output, total, cache_read, cache_write, reasoning, cost]
    }

    /// Both together; what neither has stays unknown.
    pub fn plus(self, other: Self) -> Self {
        let both = |left: Option<f64>, right: Option<f64>| match (left, right) {
            (Some(left), Some(right)) => Some(left + right),
            (left, right) => left.or(right),
        };
        Self {
            input: both(self.input, other.input),
            output: both(self.output, other.output),
            total: both(self.total, other.total),
            cache_read: both(self.cache_read, other.cache_read),
            cache_write: both(self.cache_write, other.cache_write),
            reasoning: both(self.reasoning, other.reasoning),
            cost: both(self.cost, other.cost),
        }
    }
}

/// Members that are read; the rest stays unread.
pub(super) const WANTED: [&str; 17] = [
    "id",
    "epoch",
    "input",
    "choices",
    "target",
    "output",
    "score",
    "scores",
    "metadata",
    "error",
    "limit",
    "error_retries",
    "total_time",
    "working_time",
    "started_at",
    "model_usage",
    "invalidation",
];

impl InspectSample {
    /// Reads a sample, or a summary of one, that begins at `base` of its file.
    ///
    /// # Errors
    /// When it is not JSON, not an object, or has no id or epoch.
    pub fn read(bytes: &[u8], base: u64) -> Result<Self, Error> {
        let mut sample = Self::default();
        let is_object =
            Cursor::new(bytes).each_field(|key, cursor| sample.member(key, cursor, base))?;
        if !is_object {
            return Err(Error::new(ErrorKind::Format("a sample is not an object"), 0));
        }
        sample.checked()
    }

    /// The sample, when it can be told from others.
    ///
    /// # Errors
    /// When it has no id or no epoch.
    pub fn checked(self) -> Result<Self, Error> {
        let missing = |what| Err(Error::new(ErrorKind::Format(what), 0));
        match (self.id.is_empty(), self.epoch) {
            (true, _) => missing("a sample has no id"),
            (_, 0) => missing("a sample has no epoch"),
            _ => Ok(self),
        }
    }

    /// Reads one member; `base` is where the cursor's bytes begin in the file.
    ///
    /// # Errors
    /// When it is not JSON.
    pub fn member(&mut self, key: &str, cursor: &mut Cursor<'_>, base: u64) -> Result<(), Error> {
        match key {
            "id" => self.read_id(cursor)?,
            "epoch" => self.epoch = cursor.number()?.and_then(whole).unwrap_or(0),
            "input" => {
                let span = cursor.skip()?;
                self.asked.input = asked_of(cursor.slice(span));
            }
            "choices" => {
                let span = cursor.skip()?;
                let choices = asked(cursor.slice(span));
                self.asked.input = match (self.asked.input, choices) {
                    (Some(input), Some(choices)) => Some(input.rotate_left(1) ^ choices),
                    (input, choices) => input.or(choices),
                };
            }
            "target" => {
                let span = cursor.skip()?;
                self.asked.expected = asked(cursor.slice(span));
            }
            "output" => self.read_output(cursor)?,
            "scores" => {
                cursor.each_field(|scorer, cursor| self.read_score(scorer, cursor, base))?;
            }
            // Before 2024-06 a sample had one score without a name.
            "score" => self.read_score("score", cursor, base)?,
            "metadata" => self.metadata = cursor.tree()?,
            "error" => self.error = message_of(&cursor.tree()?),
            "limit" => {
                let limit = cursor.tree()?;
                let kind = limit.get("type").unwrap_or(&limit);
                self.limit = kind.as_str().map(str::to_owned);
            }
            "error_retries" => {
                cursor.each_item(|cursor| {
                    cursor.skip()?;
                    self.n_retries = self.n_retries.saturating_add(1);
                    Ok(())
                })?;
            }
            "retries" => {
                self.has_retries = true;
                self.n_retries = cursor.number()?.and_then(whole).unwrap_or(0);
            }
            "total_time" => self.total_secs = seconds(cursor)?,
            "working_time" => self.working_secs = seconds(cursor)?,
            "started_at" => {
                self.started_at = cursor.text()?.map(std::borrow::Cow::into_owned);
            }
            "model_usage" => {
                self.has_usage = true;
                cursor.each_field(|model, cursor| {
                    self.usage.push((model.to_owned(), SampleTokens::of(&cursor.tree()?)));
                    Ok(())
                })?;
            }
            "invalidation" => {
                let span = cursor.skip()?;
                self.is_invalid = cursor.slice(span) != b"null";
            }
            _ => {
                cursor.skip()?;
            }
        }
        Ok(())
    }

    /// The value of a scorer, or of one of its keys.
    pub fn value(&self, scorer: &str, key: Option<&str>) -> Option<&Score> {
        let score = &self.scores.iter().find(|score| score.scorer == scorer)?.value;
        match key {
            Some(key) => score.member(key),
            None => Some(score),
        }
    }

    /// All tokens together; `None` when none are written.
    pub fn tokens(&self) -> Option<SampleTokens> {
        self.usage.iter().map(|(_, tokens)| *tokens).reduce(SampleTokens::plus)
    }

    fn read_id(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Error> {
        let span = cursor.skip()?;
        let bytes = cursor.slice(span);
        self.is_numeric_id = matches!(bytes.first(), Some(b'-' | b'0'..=b'9'));
        self.id = if self.is_numeric_id {
            String::from_utf8_lossy(bytes).into_owned()
        } else {
            Cursor::new(bytes).text()?.unwrap_or_default().into_owned()
        };
        Ok(())
    }

    fn read_output(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Error> {
        let mut is_first = true;
        cursor.each_field(|key, cursor| {
            if key != "choices" {
                cursor.skip()?;
                return Ok(());
            }
            cursor.each_item(|cursor| {
                let is_wanted = std::mem::take(&mut is_first);
                cursor.each_field(|key, cursor| {
                    if key != "message" || !is_wanted {
                        cursor.skip()?;
                        return Ok(());
                    }
                    cursor.each_field(|key, cursor| {
                        let span = cursor.skip()?;
                        if key == "content" {
                            self.answer = answer(cursor.slice(span));
                        }
                        Ok(())
                    })?;
                    Ok(())
                })?;
                Ok(())
            })?;
            Ok(())
        })?;
        Ok(())
    }

    fn read_score(
        &mut self,
        scorer: &str,
        cursor: &mut Cursor<'_>,
        base: u64,
    ) -> Result<(), Error> {
        let mut read = ScoreRead {
            scorer: scorer.to_owned(),
            value: Score::Null,
            reason: None,
            n_edits: 0,
            metadata: Value::Null,
        };
        let is_score = cursor.each_field(|key, cursor| {
            match key {
                "value" => read.value = Score::read(cursor)?,
                "explanation" => {
                    let span = cursor.skip()?;
                    let is_text = cursor.slice(span.clone()).first() == Some(&b'"');
                    let place = (base + span.start as u64, span.len() as u64);
                    read.reason = is_text.then_some(place);
                }
                "history" => {
                    let mut n = 0_usize;
                    cursor.each_item(|cursor| {
                        cursor.skip()?;
                        n += 1;
                        Ok(())
                    })?;
                    // The first one is the value before the first edit, unless an edit added the score.
                    read.n_edits = n.saturating_sub(1).max(n.min(1));
                }
                "metadata" => read.metadata = cursor.tree()?,
                _ => {
                    cursor.skip()?;
                }
            }
            Ok(())
        })?;
        if is_score {
            self.scores.retain(|known| known.scorer != scorer);
            self.scores.push(read);
        }
        Ok(())
    }
}

/// The hash of an input; ids and origins of messages, which are made up anew each time, are left out.
fn asked_of(json: &[u8]) -> Option<u64> {
    if json.first() != Some(&b'[') {
        return asked(json);
    }
    let mut messages = Cursor::new(json).tree().ok()?;
    for message in messages.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        message.remove("id");
        message.remove("source");
    }
    asked(messages.to_string().as_bytes())
}

/// The message of an error: a text in a summary, an object in a sample.
fn message_of(error: &Value) -> Option<String> {
    match error {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => {
            let message = other.get("message").and_then(Value::as_str);
            Some(message.map_or_else(|| other.to_string(), str::to_owned))
        }
    }
}

fn seconds(cursor: &mut Cursor<'_>) -> Result<Option<f64>, Error> {
    Ok(cursor.number()?.filter(|secs| secs.is_finite() && *secs >= 0.0))
}

/// A count that is written as a number.
fn whole(number: f64) -> Option<u32> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "in range, and only whole numbers pass"
    )]
    let count = (0.0..f64::from(u32::MAX)).contains(&number).then_some(number as u32);
    count.filter(|count| f64::from(*count).to_bits() == number.to_bits())
}
