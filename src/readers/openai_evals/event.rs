//! One line of a log, as far as figures need it.

use crate::input::json::Cursor;
use crate::input::{Error, ErrorKind, Record};
use crate::readers::answer_hash::answer;
use crate::readers::asked_hash::asked;
use serde_json::Value;

/// What a line says.
#[derive(Debug, Default)]
pub(super) struct EventLine {
    /// `spec` of the first line.
    pub spec: Option<Value>,
    /// `final_report`.
    pub report: Option<Value>,
    pub run_id: Option<String>,
    pub event_id: Option<f64>,
    pub sample_id: Option<String>,
    /// Whether the sample's id is written as a number.
    pub is_numeric_id: bool,
    pub event: EvalEvent,
}

/// What an event says.
#[derive(Debug, Default)]
pub(super) enum EvalEvent {
    /// A model was called.
    Sampling {
        /// Hash of the prompt.
        prompt: Option<u64>,
        /// Hash of the answer.
        answer: Option<u64>,
        model: Option<String>,
        /// Numbers of `usage`.
        usage: Option<Vec<(String, f64)>>,
    },
    /// An answer was held against the expected one.
    Match {
        correct: Option<bool>,
        /// Hash of what was expected.
        expected: Option<u64>,
    },
    /// Metrics of a sample; numbers and truth values as numbers, null as `None`.
    Metrics { numbers: Vec<(String, Option<f64>)>, choice: Option<String> },
    /// The sample ended in an error.
    Error { kind: Option<String>, message: Option<String> },
    /// Something else.
    #[default]
    Other,
}

impl EventLine {
    /// Reads a line.
    ///
    /// # Errors
    /// When it is not JSON, or not an object.
    pub(super) fn read(record: Record<'_>) -> Result<Self, Error> {
        let mut line = Self::default();
        let (mut kind, mut data) = (None, None);
        let is_object = Cursor::new(record.bytes).each_field(|key, cursor| {
            match key {
                "spec" => line.spec = Some(cursor.tree()?),
                "final_report" => line.report = Some(cursor.tree()?),
                "run_id" => line.run_id = cursor.text()?.map(std::borrow::Cow::into_owned),
                "event_id" => line.event_id = cursor.number()?,
                "sample_id" => {
                    let span = cursor.skip()?;
                    let bytes = cursor.slice(span);
                    line.sample_id = match bytes.first() {
                        Some(b'"') => Cursor::new(bytes).text()?.map(std::borrow::Cow::into_owned),
                        Some(b'n') | None => None,
                        Some(first) => {
                            line.is_numeric_id = first.is_ascii_digit() || *first == b'-';
                            Some(String::from_utf8_lossy(bytes).into_owned())
                        }
                    };
                }
                "type" => kind = cursor.text()?.map(std::borrow::Cow::into_owned),
                "data" => data = Some(cursor.skip()?),
                _ => {
                    cursor.skip()?;
                }
            }
            Ok(())
        })?;
        if !is_object {
            return Err(Error::new(ErrorKind::Format("an event is not an object"), 0));
        }
        let data = data.and_then(|span| record.bytes.get(span)).unwrap_or_default();
        line.event = match kind.as_deref() {
            Some("sampling") => sampling(data)?,
            Some("match") => matched(data)?,
            Some("metrics") => metrics(data)?,
            Some("error") => error(data)?,
            Some("final_report") => {
                line.report = line.report.or(Some(Cursor::new(data).tree()?));
                EvalEvent::Other
            }
            _ => EvalEvent::Other,
        };
        Ok(line)
    }
}

fn sampling(data: &[u8]) -> Result<EvalEvent, Error> {
    let (mut prompt, mut answered, mut model, mut usage) = (None, None, None, None);
    Cursor::new(data).each_field(|key, cursor| {
        match key {
            "prompt" => {
                let span = cursor.skip()?;
                prompt = asked(cursor.slice(span));
            }
            "sampled" => {
                let span = cursor.skip()?;
                answered = answer(cursor.slice(span));
            }
            "model" => model = cursor.text()?.map(std::borrow::Cow::into_owned),
            "usage" => {
                let mut numbers = Vec::new();
                let is_object = cursor.each_field(|key, cursor| {
                    numbers.push((key.to_owned(), cursor.number()?.unwrap_or(0.0)));
                    Ok(())
                })?;
                usage = is_object.then_some(numbers);
            }
            _ => {
                cursor.skip()?;
            }
        }
        Ok(())
    })?;
    Ok(EvalEvent::Sampling { prompt, answer: answered, model, usage })
}

fn matched(data: &[u8]) -> Result<EvalEvent, Error> {
    let (mut correct, mut expected) = (None, None);
    Cursor::new(data).each_field(|key, cursor| {
        match key {
            "correct" => correct = cursor.bool()?,
            "expected" => {
                let span = cursor.skip()?;
                expected = asked(cursor.slice(span));
            }
            _ => {
                cursor.skip()?;
            }
        }
        Ok(())
    })?;
    Ok(EvalEvent::Match { correct, expected })
}

fn metrics(data: &[u8]) -> Result<EvalEvent, Error> {
    let (mut numbers, mut choice) = (Vec::new(), None);
    Cursor::new(data).each_field(|key, cursor| {
        let span = cursor.skip()?;
        let bytes = cursor.slice(span);
        let number = match bytes.first() {
            Some(b't') => Some(Some(1.0)),
            Some(b'f') => Some(Some(0.0)),
            Some(b'n') => Some(None),
            Some(b'"') => {
                if key == "choice" {
                    choice = Cursor::new(bytes).text()?.map(std::borrow::Cow::into_owned);
                }
                None
            }
            _ => Cursor::new(bytes).number()?.map(Some),
        };
        numbers.extend(number.map(|number| (key.to_owned(), number)));
        Ok(())
    })?;
    Ok(EvalEvent::Metrics { numbers, choice })
}

fn error(data: &[u8]) -> Result<EvalEvent, Error> {
    let (mut kind, mut message) = (None, None);
    Cursor::new(data).each_field(|key, cursor| {
        match key {
            "type" => kind = cursor.text()?.map(std::borrow::Cow::into_owned),
            "message" => message = cursor.text()?.map(std::borrow::Cow::into_owned),
            _ => {
                cursor.skip()?;
            }
        }
        Ok(())
    })?;
    Ok(EvalEvent::Error { kind, message })
}
