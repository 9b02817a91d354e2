//! One row of the details, without the token arrays, which may be most of the file.

use crate::input::json::f64_from_value;
use crate::model::Asked;
use crate::readers::answer_hash::answer;
use crate::readers::asked_hash::asked;
use crate::readers::record_value::short_text;
use serde_json::Value;

/// The columns that are read when a file is opened.
pub(super) const READ: [&str; 7] = [
    "doc.id",
    "doc.task_name",
    "doc.query",
    "doc.choices",
    "doc.gold_index",
    "metric",
    "model_response.text",
];

/// What scoring needs of a row.
#[derive(Debug)]
pub(super) struct LightevalRow {
    /// `doc.id`.
    pub id: String,
    /// Values of the metrics, in the order of the columns; `None`: null.
    pub metrics: Vec<(String, Option<f64>)>,
    /// Hashes of the query and of the choices that are right.
    pub asked: Asked,
    /// Hash of the answer.
    pub answer: Option<u64>,
    /// Number in the file.
    pub number: u64,
}

impl LightevalRow {
    /// Out of the columns of [`READ`].
    pub(super) fn of(record: &Value, number: u64) -> Self {
        let json = |value: &Value| value.to_string().into_bytes();
        let members = record.get("metric").and_then(Value::as_object).into_iter().flatten();
        let gold = gold(record.get("doc").unwrap_or(&Value::Null));
        Self {
            id: record.pointer("/doc/id").map(short_text).unwrap_or_default(),
            metrics: members.map(|(name, value)| (name.clone(), number_of(value))).collect(),
            asked: Asked {
                input: record.pointer("/doc/query").and_then(|query| asked(&json(query))),
                expected: asked(&json(&Value::Array(gold))),
            },
            answer: record.pointer("/model_response/text").and_then(|text| answer(&json(text))),
            number,
        }
    }
}

/// A metric's value: a number, or yes and no as 1 and 0.
pub(super) fn number_of(value: &Value) -> Option<f64> {
    f64_from_value(value).or_else(|| value.as_bool().map(|flag| f64::from(u8::from(flag))))
}

/// The choices of `doc` that `gold_index`, a number or a list of them, names.
pub(super) fn gold(doc: &Value) -> Vec<Value> {
    let choice = |at: &Value| {
        let at = usize::try_from(at.as_u64()?).ok()?;
        doc.get("choices")?.get(at).cloned()
    };
    match doc.get("gold_index") {
        Some(Value::Array(places)) => places.iter().filter_map(choice).collect(),
        Some(place) => choice(place).into_iter().collect(),
        None => Vec::new(),
    }
}
