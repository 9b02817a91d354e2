//! One element of `test_cases`, without its long texts.

use crate::input::json::Cursor;
use crate::input::{Error, ErrorKind, Record};
use crate::model::{Asked, Strategy, Verdict};
use crate::readers::answer_hash::answer;
use crate::readers::asked_hash::asked;
use crate::scoring::{Judged, aggregate_attempts};

/// What scoring needs of an entry.
#[derive(Debug, Default)]
pub(super) struct RebelEntry {
    /// `func[_postfix]_[k=v_k=v]`.
    pub name: String,
    /// `retry_params.count`.
    pub retry_count: Option<u64>,
    /// `retry_params.aggregation_strategy`; `None` for null and for words that are not known.
    pub strategy: Option<Strategy>,
    /// The same as written.
    pub strategy_text: Option<String>,
    /// `metrics[]`: its names, where it has any; the released tool writes empty objects.
    pub metrics: Vec<Option<String>>,
    /// `evaluation_results[]`, in the order of the file.
    pub results: Vec<AttemptResult>,
    /// Hashes of `actual_outputs[].output`, in attempt order.
    pub answers: Vec<Option<u64>>,
    /// `actual_outputs[].execution_time` in seconds, in attempt order.
    pub secs: Vec<Option<f64>>,
    /// Number of `actual_outputs[]`; `None` when there is no such list.
    pub n_outputs: Option<u64>,
    /// `aggregated_result`.
    pub aggregated: Option<Judged>,
    /// Sum of `actual_outputs[].execution_time`, in seconds; `None` when no attempt has one.
    pub duration_secs: Option<f64>,
    /// `tags[]`, with U+001F between them; `None` when there is none.
    pub tags: Option<String>,
    /// `input.messages` and `expected_output`.
    pub asked: Asked,
    /// `input.api_params.model`.
    pub model: Option<String>,
    /// Reason of the first attempt with verdict `error`.
    pub first_error: Option<String>,
    /// Verdicts that are none of the three words.
    pub n_unknown_verdicts: u32,
    /// Results without a score, or with one that is not a number.
    pub n_missing_scores: u32,
    /// Where the entry lies in the file.
    pub offset: u64,
    /// Its bytes.
    pub len: u64,
}

/// One element of `evaluation_results`.
#[derive(Debug)]
pub(super) struct AttemptResult {
    /// Score and verdict.
    pub judged: Judged,
    /// Offset and length of the JSON string of `reason` in the file.
    pub reason: Option<(u64, u64)>,
    /// Name of the metric, where the result states it; the released tool does not.
    pub metric: Option<String>,
    /// Number of the attempt, likewise; from 0 or from 1.
    pub attempt: Option<u32>,
}

/// Members that name a metric, the most telling one first.
const NAME_KEYS: [&str; 8] =
    ["name", "key", "metric", "metric_name", "label", "id", "class", "class_name"];

impl RebelEntry {
    /// Reads an element.
    ///
    /// # Errors
    /// When it is not JSON, not an object, or has no name.
    pub fn read(record: Record<'_>) -> Result<Self, Error> {
        let mut entry =
            Self { offset: record.offset, len: record.bytes.len() as u64, ..Self::default() };
        let mut has_name = false;
        let mut cursor = Cursor::new(record.bytes);
        let is_object = cursor.each_field(|key, cursor| {
            match key {
                "name" => {
                    let name = cursor.text()?;
                    has_name = name.is_some();
                    entry.name = name.unwrap_or_default().into_owned();
                }
                "retry_params" => entry.read_retry_params(cursor)?,
                "input" => entry.read_input(cursor)?,
                "expected_output" => {
                    let span = cursor.skip()?;
                    entry.asked.expected = asked(cursor.slice(span));
                }
                "tags" => entry.read_tags(cursor)?,
                "metrics" => entry.read_metrics(cursor)?,
                "actual_outputs" => entry.read_outputs(cursor)?,
                "evaluation_results" => {
                    cursor.each_item(|cursor| {
                        let (result, text) = entry.read_result(cursor, record.offset)?;
                        if result.judged.verdict == Verdict::Error && entry.first_error.is_none() {
                            entry.first_error = text;
                        }
                        entry.results.push(result);
                        Ok(())
                    })?;
                }
                "aggregated_result" => {
                    entry.aggregated = Some(entry.read_result(cursor, record.offset)?.0.judged);
                }
                _ => {
                    cursor.skip()?;
                }
            }
            Ok(())
        })?;
        if !is_object {
            return Err(Error::new(ErrorKind::Format("a test case is not an object"), 0));
        }
        if !has_name {
            return Err(Error::new(ErrorKind::Format("a test case has no name"), 0));
        }
        Ok(entry)
    }

    /// Whether no attempt has a verdict other than `error`.
    pub fn is_all_error(&self) -> bool {
        self.results.iter().all(|result| result.judged.verdict == Verdict::Error)
    }

    /// The result that follows from the attempts; the recorded one where no strategy is known.
    pub fn judged(&self) -> Option<Judged> {
        let attempts: Vec<Judged> = self.results.iter().map(|result| result.judged).collect();
        match self.strategy {
            Some(strategy) => Some(aggregate_attempts(&attempts, strategy)),
            None if self.is_all_error() => Some(Judged { score: 0.0, verdict: Verdict::Error }),
            None => self.aggregated,
        }
    }

    fn read_retry_params(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Error> {
        cursor.each_field(|key, cursor| {
            match key {
                "count" => {
                    let count = cursor.number()?.filter(|count| *count >= 0.0);
                    #[expect(
                        clippy::cast_possible_truncation,
                        clippy::cast_sign_loss,
                        reason = "a count; an absurd one saturates"
                    )]
                    let count = count.map(|count| count as u64);
                    self.retry_count = count;
                }
                "aggregation_strategy" => {
                    let text = cursor.text()?;
                    self.strategy = text.as_deref().and_then(Strategy::from_text);
                    self.strategy_text = text.map(std::borrow::Cow::into_owned);
                }
                _ => {
                    cursor.skip()?;
                }
            }
            Ok(())
        })?;
        Ok(())
    }

    fn read_input(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Error> {
        cursor.each_field(|key, cursor| {
            if key != "api_params" {
                let span = cursor.skip()?;
                if key == "messages" {
                    self.asked.input = asked(cursor.slice(span));
                }
                return Ok(());
            }
            cursor.each_field(|key, cursor| {
                if key == "model" {
                    self.model = cursor.text()?.map(std::borrow::Cow::into_owned);
                } else {
                    cursor.skip()?;
                }
                Ok(())
            })?;
            Ok(())
        })?;
        Ok(())
    }

    fn read_tags(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Error> {
        cursor.each_item(|cursor| {
            if let Some(tag) = cursor.text()? {
                match &mut self.tags {
                    Some(tags) => *tags = format!("{tags}\u{1f}{tag}"),
                    tags => *tags = Some(tag.into_owned()),
                }
            }
            Ok(())
        })?;
        Ok(())
    }

    fn read_outputs(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Error> {
        let mut n_outputs = 0;
        let is_list = cursor.each_item(|cursor| {
            n_outputs += 1;
            let (mut output, mut own_secs) = (None, None);
            cursor.each_field(|key, cursor| {
                match key {
                    "output" => {
                        let span = cursor.skip()?;
                        output = answer(cursor.slice(span));
                    }
                    "execution_time" => {
                        if let Some(secs) = cursor.number()? {
                            *self.duration_secs.get_or_insert(0.0) += secs;
                            own_secs = Some(secs);
                        }
                    }
                    _ => {
                        cursor.skip()?;
                    }
                }
                Ok(())
            })?;
            self.answers.push(output);
            self.secs.push(own_secs);
            Ok(())
        })?;
        self.n_outputs = is_list.then_some(n_outputs);
        Ok(())
    }

    fn read_metrics(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Error> {
        cursor.each_item(|cursor| {
            let item = cursor.tree()?;
            let name = item.as_str().or_else(|| {
                NAME_KEYS.iter().find_map(|key| item.get(key).and_then(|value| value.as_str()))
            });
            self.metrics.push(name.filter(|name| !name.is_empty()).map(str::to_owned));
            Ok(())
        })?;
        Ok(())
    }

    /// A result, and the text of its reason when its verdict is `error`.
    fn read_result(
        &mut self,
        cursor: &mut Cursor<'_>,
        base: u64,
    ) -> Result<(AttemptResult, Option<String>), Error> {
        let (mut score, mut verdict, mut reason, mut text) = (None, None, None, None);
        let (mut metric, mut attempt) = (None, None);
        cursor.each_field(|key, cursor| {
            match key {
                "score" => score = cursor.number()?,
                "verdict" => verdict = cursor.text()?.as_deref().and_then(Verdict::from_text),
                "reason" => {
                    let span = cursor.skip()?;
                    let bytes = cursor.slice(span.clone());
                    if bytes.first() == Some(&b'"') {
                        reason = Some((base + span.start as u64, span.len() as u64));
                        text = Cursor::new(bytes).text()?.map(std::borrow::Cow::into_owned);
                    }
                }
                "metric" | "metric_name" => {
                    metric = cursor.text()?.map(std::borrow::Cow::into_owned);
                }
                "attempt" | "attempt_number" => attempt = cursor.number()?.and_then(whole),
                _ => {
                    cursor.skip()?;
                }
            }
            Ok(())
        })?;
        self.n_unknown_verdicts += u32::from(verdict.is_none());
        self.n_missing_scores += u32::from(score.is_none());
        let score = score.unwrap_or(f64::NAN);
        let verdict = verdict.unwrap_or(Verdict::Error);
        let judged = Judged { score, verdict };
        let result = AttemptResult { judged, reason, metric, attempt };
        Ok((result, text.filter(|_| verdict == Verdict::Error)))
    }
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
