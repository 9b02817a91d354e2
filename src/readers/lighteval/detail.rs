//! The whole record of one document.

use super::row::{gold, number_of};
use crate::model::{CaseDetail, CheckDetail, Content, Locator, Message, RawRecord, Run};
use crate::readers::parquet_file::ParquetFile;
use crate::readers::record_value::{
    Facts, content, items, json_content, says_something, text_content,
};
use crate::readers::{Bundle, Error, ErrorKind, chat};
use serde_json::Value;

/// Reads the row of a case again: the only one of its run.
pub(super) fn read(bundle: &Bundle, case: &Run) -> Result<CaseDetail, Error> {
    let gone = || Error::new(ErrorKind::Gone);
    let Some(Locator::Row { source, row }) = case.cases.locator_of(0) else { return Err(gone()) };
    let file = bundle.file(source).ok_or_else(gone)?;
    let record = Value::Object(ParquetFile::open(file)?.row(row)?);
    let (doc, response) = (member(&record, "doc"), member(&record, "model_response"));
    let mut facts = Facts::default();
    const SHOWN: [&str; 4] = ["query", "choices", "gold_index", "id"];
    facts.unknown(doc, &SHOWN);
    let metrics = record.get("metric").and_then(Value::as_object).into_iter().flatten();
    let expected: Vec<Content> =
        gold(doc).iter().filter_map(|choice| content("expected", Some(choice))).collect();
    Ok(CaseDetail {
        facts: facts.into_vec(),
        input: content("query", doc.get("query")).into_iter().collect(),
        expected,
        actual: actual(doc, response),
        checks: metrics
            .map(|(name, value)| CheckDetail {
                attempt: 1,
                name: name.clone(),
                score: number_of(value),
                ..CheckDetail::default()
            })
            .collect(),
        transcript: transcript(response),
        raw: vec![RawRecord {
            file: file.path.clone(),
            at: format!("row {row}"),
            json: record.to_string(),
            left_out: None,
        }],
        ..CaseDetail::default()
    })
}

fn member<'a>(value: &'a Value, key: &str) -> &'a Value {
    value.get(key).unwrap_or(&Value::Null)
}

/// The answers; of several choices, how likely the model found each.
fn actual(doc: &Value, response: &Value) -> Vec<Content> {
    let mut contents: Vec<Content> =
        items(response, "text").iter().filter_map(|text| content("answer", Some(text))).collect();
    let (choices, likely) = (items(doc, "choices"), items(response, "logprobs"));
    if contents.is_empty() && !likely.is_empty() && choices.len() == likely.len() {
        let lines: Vec<String> = choices
            .iter()
            .zip(likely)
            .map(|(choice, likely)| {
                let likely = likely.to_string();
                format!("{likely:>22}  {}", crate::readers::record_value::short_text(choice))
            })
            .collect();
        contents.push(text_content("log-likelihood of each choice", &lines.join("\n")));
    }
    for key in ["text_post_processed", "reasonings"] {
        let value = response.get(key).filter(|value| says_something(value));
        if value != response.get("text") {
            contents.extend(value.map(|value| json_content(key, value)));
        }
    }
    contents
}

/// The conversation that the model was given, where it was given one.
fn transcript(response: &Value) -> Vec<Message> {
    let list = response.get("input").and_then(Value::as_array);
    let is_chat = |list: &&Vec<Value>| list.iter().all(|message| message.get("role").is_some());
    list.filter(is_chat).map(chat::messages).unwrap_or_default()
}
