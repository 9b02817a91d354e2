//! The whole record of one document under one filter.

use super::sample::{NO_METRICS, number};
use crate::model::{AttemptDetail, CaseDetail, CheckDetail, Content, Run};
use crate::readers::record_value::{
    Facts, content, items, json_content, record_of_case, short_text, text_content,
};
use crate::readers::{Bundle, Error};
use serde_json::Value;

/// Reads the line of a case again: the only one of its run.
pub(super) fn read(bundle: &Bundle, case: &Run) -> Result<CaseDetail, Error> {
    let (line, raw) = record_of_case(bundle, case)?;
    let mut facts = Facts::default();
    for (label, key) in [
        ("filter", "filter"),
        ("hash of the document", "doc_hash"),
        ("hash of the prompt", "prompt_hash"),
        ("hash of the target", "target_hash"),
    ] {
        facts.member(label, &line, key);
    }
    let asked = requests(&line);
    Ok(CaseDetail {
        facts: facts.into_vec(),
        input: input(&line, &asked),
        expected: content("target", line.get("target")).into_iter().collect(),
        actual: actual(&line, &asked),
        checks: checks(&line, case),
        attempts: attempts(&line),
        raw: vec![raw],
        ..CaseDetail::default()
    })
}

/// The arguments of each request, in order: the prompt, then the choice or the settings.
fn requests(line: &Value) -> Vec<Vec<&Value>> {
    let Some(arguments) = line.get("arguments") else { return Vec::new() };
    let all: Vec<&Value> = match arguments {
        Value::Object(members) => members.values().collect(),
        Value::Array(items) => items.iter().collect(),
        other => vec![other],
    };
    let inner = |request: &&'_ Value| match request {
        Value::Object(members) => Some(members.len()),
        _ => None,
    };
    all.iter()
        .map(|request| match request {
            Value::Object(members) if inner(request).is_some() => members.values().collect(),
            Value::Array(items) => items.iter().collect(),
            other => vec![*other],
        })
        .collect()
}

/// The prompt once, each other one, and the document that they were made of.
fn input(line: &Value, requests: &[Vec<&Value>]) -> Vec<Content> {
    let mut found: Vec<Content> = Vec::new();
    for request in requests {
        let Some(prompt) = request.first() else { continue };
        let shown = short_text(prompt);
        if !found.iter().any(|known| known.body == shown) {
            found.push(text_content("prompt", &shown));
        }
    }
    let settings =
        requests.first().and_then(|request| request.get(1)).filter(|one| one.is_object());
    found.extend(settings.map(|settings| json_content("generation settings", settings)));
    found.extend(line.get("doc").map(|document| json_content("document", document)));
    found
}

/// What the filter left; of several choices, how likely the model found each.
fn actual(line: &Value, requests: &[Vec<&Value>]) -> Vec<Content> {
    let answers = items(line, "filtered_resps");
    let choices: Option<Vec<String>> = requests
        .iter()
        .zip(answers)
        .map(|(request, answer)| {
            let choice = request.get(1)?.as_str()?;
            let likelihood = answer.as_array()?.first().map(short_text)?;
            Some(format!("{likelihood:>12}  {choice}"))
        })
        .collect();
    match choices {
        Some(choices) if choices.len() > 1 && choices.len() == answers.len() => {
            vec![text_content("log-likelihood of each choice", &choices.join("\n"))]
        }
        _ => match answers {
            [only] => content("filtered answer", Some(only)).into_iter().collect(),
            _ => content("filtered answers", line.get("filtered_resps")).into_iter().collect(),
        },
    }
}

/// Each metric with its value; one of the whole corpus with what the document gives to it.
fn checks(line: &Value, case: &Run) -> Vec<CheckDetail> {
    case.checks_of(0)
        .filter_map(|at| {
            let name = case.checks.name.get(at)?;
            let value = line.get(name).filter(|_| !NO_METRICS.contains(&name))?;
            let score = number(value);
            let of_corpus = score.is_none().then(|| {
                format!("a metric of the whole corpus; this document gives {value} to it")
            });
            Some(CheckDetail {
                attempt: 1,
                name: name.to_owned(),
                score,
                reason: of_corpus,
                ..CheckDetail::default()
            })
        })
        .collect()
}

/// The answers before the filter, where the same was asked several times.
fn attempts(line: &Value) -> Vec<AttemptDetail> {
    let [Value::Array(answers)] = items(line, "resps") else { return Vec::new() };
    if answers.len() < 2 {
        return Vec::new();
    }
    (1_u32..)
        .zip(answers)
        .map(|(attempt, answer)| AttemptDetail {
            attempt,
            // An empty answer is one, too.
            output: match answer.as_str() {
                Some(text) => vec![text_content("answer", text)],
                None => content("answer", Some(answer)).into_iter().collect(),
            },
            ..AttemptDetail::default()
        })
        .collect()
}
