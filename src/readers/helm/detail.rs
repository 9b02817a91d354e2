//! The whole record of one instance: its request with the answer, and its stats.

use super::instance::{correct, is_of_the_run};
use crate::input::json::f64_from_value;
use crate::model::{CaseDetail, CheckDetail, Content, Run};
use crate::readers::record_value::{
    Facts, content, items, json_content, record_of, record_of_case, short_text, text_content,
};
use crate::readers::{Bundle, Error};
use serde_json::Value;

/// Reads the records of a case again: the only one of its run.
pub(super) fn read(bundle: &Bundle, case: &Run) -> Result<CaseDetail, Error> {
    let (first, raw) = record_of_case(bundle, case)?;
    let second = case.cases.partner_of(0).map(|place| record_of(bundle, place)).transpose()?;
    let mut raws = vec![raw];
    let (request, stats) = match second {
        Some((stats, raw)) => {
            raws.push(raw);
            (first, stats)
        }
        // Alone it is the one or the other.
        None if first.get("stats").is_some() => (Value::Null, first),
        None => (first, Value::Null),
    };
    let mut facts = Facts::default();
    facts.unknown(&request, &["instance", "request", "result", "output_mapping"]);
    facts.unknown(at(&request, "/instance"), &["input", "references", "id"]);
    facts.unknown(at(&request, "/request"), &["prompt", "messages", "multimodal_prompt"]);
    facts.unknown(at(&request, "/result"), &["completions", "embedding", "error"]);
    for (name, mean) in means(&stats).filter(|(name, _)| is_of_the_run(name)) {
        facts.add(name, mean.map(|mean| mean.to_string()).unwrap_or_default());
    }
    Ok(CaseDetail {
        facts: facts.into_vec(),
        input: input(&request),
        expected: correct(&request)
            .into_iter()
            .filter_map(|one| content("correct", Some(one)))
            .collect(),
        actual: actual(&request),
        failure: content("error", request.pointer("/result/error")).into_iter().collect(),
        checks: means(&stats)
            .filter(|(name, _)| !is_of_the_run(name))
            .map(|(name, score)| CheckDetail {
                attempt: 1,
                name: name.to_owned(),
                score,
                ..CheckDetail::default()
            })
            .collect(),
        raw: raws,
        ..CaseDetail::default()
    })
}

fn at<'a>(value: &'a Value, pointer: &str) -> &'a Value {
    value.pointer(pointer).unwrap_or(&Value::Null)
}

/// Name and mean of each stat.
fn means(stats: &Value) -> impl Iterator<Item = (&str, Option<f64>)> {
    items(stats, "stats").iter().filter_map(|stat| {
        let name = stat.pointer("/name/name")?.as_str()?;
        Some((name, stat.get("mean").and_then(f64_from_value)))
    })
}

fn input(request: &Value) -> Vec<Content> {
    let mut found: Vec<Content> =
        content("input", request.pointer("/instance/input/text")).into_iter().collect();
    let references = items(at(request, "/instance"), "references").iter();
    let texts = references.filter_map(|one| Some(short_text(one.pointer("/output/text")?)));
    let texts: Vec<String> = texts.collect();
    if texts.len() > 1 {
        found.push(text_content("references", &texts.join("\n")));
    }
    found.extend(content("prompt", request.pointer("/request/prompt")));
    let messages = request.pointer("/request/messages").filter(|one| !one.is_null());
    found.extend(messages.map(|messages| json_content("messages", messages)));
    found
}

/// Each completion; of a letter, what it stands for.
fn actual(request: &Value) -> Vec<Content> {
    let completions = items(at(request, "/result"), "completions").iter();
    let mut found = Vec::new();
    for completion in completions {
        found.extend(content("completion", completion.get("text")));
        let letter = completion.get("text").and_then(Value::as_str).map(str::trim);
        let meant = letter.and_then(|letter| at(request, "/output_mapping").get(letter));
        found.extend(content("chosen reference", meant));
    }
    found
}
