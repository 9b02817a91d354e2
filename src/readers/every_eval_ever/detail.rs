//! The whole record of one sample: its first line, and the scores of the others.

use crate::model::{CaseDetail, CheckDetail, Run};
use crate::readers::record_value::{Facts, content, items, record_of_case};
use crate::readers::{Bundle, Error, chat};
use serde_json::Value;

/// Reads the line of a case again: the only one of its run.
pub(super) fn read(bundle: &Bundle, case: &Run) -> Result<CaseDetail, Error> {
    let (line, raw) = record_of_case(bundle, case)?;
    let member = |key: &str| line.get(key).unwrap_or(&Value::Null);
    let mut facts = Facts::default();
    facts.member("interaction", &line, "interaction_type");
    facts.member("hash of the sample", &line, "sample_hash");
    facts.unknown(member("metadata"), &[]);
    facts.unknown(member("performance"), &[]);
    facts.unknown(member("token_usage"), &[]);
    facts.unknown(member("evaluation"), &["score", "is_correct"]);
    const KNOWN: [&str; 18] = [
        "schema_version",
        "evaluation_id",
        "model_id",
        "evaluation_name",
        "evaluation_result_id",
        "sample_id",
        "sample_hash",
        "interaction_type",
        "input",
        "output",
        "messages",
        "answer_attribution",
        "evaluation",
        "token_usage",
        "performance",
        "error",
        "metadata",
        "hierarchy",
    ];
    facts.unknown(&line, &KNOWN);
    let given = member("input");
    let input =
        ["raw", "formatted", "choices"].iter().filter_map(|key| content(key, given.get(key)));
    let output = line.pointer("/output/raw").or_else(|| line.get("output"));
    let checks = case.checks_of(0).filter_map(|at| {
        Some(CheckDetail {
            attempt: 1,
            name: case.checks.name.get(at)?.to_owned(),
            score: case.checks.score.get(at),
            is_correct: case.checks.is_correct.get(at),
            ..CheckDetail::default()
        })
    });
    Ok(CaseDetail {
        facts: facts.into_vec(),
        input: input.collect(),
        expected: content("reference", given.get("reference")).into_iter().collect(),
        actual: content("output", output)
            .into_iter()
            .chain(content("answer attribution", line.get("answer_attribution")))
            .collect(),
        failure: content("error", line.get("error")).into_iter().collect(),
        checks: checks.collect(),
        transcript: chat::messages(items(&line, "messages")),
        raw: vec![raw],
        ..CaseDetail::default()
    })
}
