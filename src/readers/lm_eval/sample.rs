//! One line of a samples file, without its long texts.

use super::NO_FILTER;
use crate::input::json::{Cursor, f64_from_value};
use crate::input::{Error, ErrorKind, Record};
use crate::model::Asked;
use crate::readers::answer_hash::answer;
use crate::readers::asked_hash::asked;
use serde_json::Value;
use std::collections::HashSet;

/// What scoring needs of a line.
#[derive(Debug, Default)]
pub(super) struct LmEvalSample {
    /// `doc_id` as text.
    pub id: String,
    /// Whether it is written as a number.
    pub is_numeric_id: bool,
    /// `filter`; not written by 0.4.3.
    pub filter: Option<String>,
    /// Values of the metrics, in file order. Those over the whole corpus are lists.
    pub metrics: Vec<(String, Value)>,
    /// Hashes of the prompts and of the target.
    pub asked: Asked,
    /// Hash of what the filter left of the answers.
    pub answer: Option<u64>,
    /// How often the model was asked the same; `None`: once.
    pub n_repeats: Option<u32>,
    /// Where the line lies.
    pub offset: u64,
    /// Its bytes.
    pub len: u64,
}

/// Members of a line that are no metrics.
pub(super) const NO_METRICS: [&str; 11] = [
    "doc_id",
    "doc",
    "target",
    "arguments",
    "resps",
    "filtered_resps",
    "filter",
    "metrics",
    "doc_hash",
    "prompt_hash",
    "target_hash",
];

/// The value of a metric by document; `None` of one that only the corpus has.
pub(super) fn number(value: &Value) -> Option<f64> {
    f64_from_value(value).or_else(|| value.as_bool().map(|flag| f64::from(u8::from(flag))))
}

impl LmEvalSample {
    /// Reads a line.
    ///
    /// # Errors
    /// When it is not JSON, not an object, or has no `doc_id`.
    pub(super) fn read(record: Record<'_>) -> Result<Self, Error> {
        let mut sample =
            Self { offset: record.offset, len: record.bytes.len() as u64, ..Self::default() };
        let mut id = None;
        let mut names: Option<Vec<String>> = None;
        let mut cursor = Cursor::new(record.bytes);
        let is_object = cursor.each_field(|key, cursor| {
            match key {
                "doc_id" => id = Some(cursor.tree()?),
                "filter" => sample.filter = cursor.text()?.map(std::borrow::Cow::into_owned),
                "metrics" => names = names_in(&cursor.tree()?),
                "arguments" => sample.asked.input = prompts(&cursor.tree()?),
                "target" => {
                    let target = cursor.tree()?;
                    // 0.4.3 writes a number where later releases write its text.
                    let target =
                        if target.is_number() { target.to_string().into() } else { target };
                    sample.asked.expected = asked(target.to_string().as_bytes());
                }
                "filtered_resps" => {
                    let span = cursor.skip()?;
                    sample.answer = answer(cursor.slice(span));
                }
                "resps" => sample.n_repeats = n_repeats(&cursor.tree()?),
                "doc" | "doc_hash" | "prompt_hash" | "target_hash" => {
                    cursor.skip()?;
                }
                metric => {
                    let metric = metric.to_owned();
                    sample.metrics.push((metric, cursor.tree()?));
                }
            }
            Ok(())
        })?;
        let is_id = |id: &Value| !id.is_array() && !id.is_object();
        let Some(id) = id.filter(|id| is_object && is_id(id)) else {
            return Err(Error::new(ErrorKind::Format("a sample has no doc_id"), 0));
        };
        sample.is_numeric_id = id.is_number();
        sample.id = super::short_text(&id);
        match names {
            Some(names) => sample.metrics.retain(|(metric, _)| names.contains(metric)),
            None => sample.metrics.retain(|(_, value)| number(value).is_some() || value.is_array()),
        }
        Ok(sample)
    }

    /// The metrics that are numbers by document, in file order.
    pub(super) fn numbers(&self) -> impl Iterator<Item = (&str, f64)> {
        let metrics = self.metrics.iter();
        metrics.filter_map(|(name, value)| Some((name.as_str(), number(value)?)))
    }

    /// The value of a metric.
    pub(super) fn metric(&self, name: &str) -> Option<&Value> {
        self.metrics.iter().find(|(own, _)| own == name).map(|(_, value)| value)
    }
}

fn names_in(list: &Value) -> Option<Vec<String>> {
    let names = list.as_array()?.iter().filter_map(Value::as_str);
    Some(names.map(str::to_owned).collect())
}

/// Hash of the texts that the model was given, without the settings of generation.
fn prompts(arguments: &Value) -> Option<u64> {
    let mut texts = Vec::new();
    texts_in(arguments, &mut texts);
    asked(Value::Array(texts).to_string().as_bytes())
}

/// The texts of `{gen_args_0: {arg_0: prompt, arg_1: choice or settings}}`, or of lists of them.
fn texts_in(arguments: &Value, texts: &mut Vec<Value>) {
    let is_argument = |key: &str| key.starts_with("gen_args_") || key.starts_with("arg_");
    match arguments {
        Value::String(_) => texts.push(arguments.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts_in(item, texts)),
        Value::Object(members) if members.keys().all(|key| is_argument(key)) => {
            members.values().for_each(|member| texts_in(member, texts));
        }
        _ => {}
    }
}

/// The most answers to one request, where a request was made several times.
fn n_repeats(resps: &Value) -> Option<u32> {
    let requests = resps.as_array()?;
    let most = requests.iter().filter_map(Value::as_array).map(Vec::len).max()?;
    u32::try_from(most).ok().filter(|n| *n > 1 && requests.len() == 1)
}

/// The samples under each filter, in the order of the first of each. Lines that name no filter come one whole
/// pass over the documents after the other, as `filters` are listed.
pub(super) fn by_filter(
    samples: Vec<LmEvalSample>,
    filters: &[String],
) -> Vec<(String, Vec<LmEvalSample>)> {
    let mut found: Vec<(String, Vec<LmEvalSample>)> = Vec::new();
    let (mut pass, mut seen) = (0_usize, HashSet::new());
    for sample in samples {
        let filter = match &sample.filter {
            Some(filter) => filter.clone(),
            None => {
                if !seen.insert(sample.id.clone()) {
                    pass += 1;
                    seen = HashSet::from([sample.id.clone()]);
                }
                match (filters.get(pass), pass) {
                    (Some(filter), _) => filter.clone(),
                    (None, 0) => NO_FILTER.to_owned(),
                    (None, pass) => format!("filter {}", pass + 1),
                }
            }
        };
        match found.iter_mut().find(|(name, _)| *name == filter) {
            Some((_, own)) => own.push(sample),
            None => found.push((filter, vec![sample])),
        }
    }
    found
}
