//! The whole record of one instance.

use super::groups::{last, of};
use super::reports::{FAIL_TO_PASS, PASS_TO_PASS};
use super::role;
use crate::input::json::Cursor;
use crate::model::{CaseDetail, CheckDetail, Content, ContentFormat, Run};
use crate::readers::record_value::{Facts, items, record_of, text, text_content};
use crate::readers::{Bundle, Error};
use serde_json::{Value, json};

const TESTS: [&str; 4] = [FAIL_TO_PASS, PASS_TO_PASS, "FAIL_TO_FAIL", "PASS_TO_FAIL"];

/// Reads what the files hold of an instance: the only case of its run.
pub(super) fn read(bundle: &Bundle, case: &Run) -> Result<CaseDetail, Error> {
    let id = case.cases.id.get(0).unwrap_or_default();
    let mut detail = CaseDetail::default();
    let mut facts = Facts::default();
    for place in [case.cases.locator_of(0), case.cases.partner_of(0)].into_iter().flatten() {
        // A broken report is shown as it is.
        let Ok((record, raw)) = record_of(bundle, place) else {
            let bytes = bundle.span_bytes(place)?.unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            let label = "report.json, which cannot be read";
            detail.failure.extend((!text.trim().is_empty()).then(|| text_content(label, &text)));
            continue;
        };
        detail.raw.push(raw);
        if record.get("model_patch").is_some() {
            prediction(&record, &mut facts, &mut detail);
        } else if let Some(report) = record.get(id) {
            instance(report, &mut facts, &mut detail);
        }
    }
    let group = of(&bundle.files)
        .into_iter()
        .find(|group| case.sources.iter().any(|source| group.has(*source)));
    if let Some(group) = group {
        if let Some(report) = &group.report {
            let in_file = |err: crate::input::Error| Error::from(err).in_file(&report.file.path);
            let bytes = report.file.all_bytes().map_err(in_file)?;
            if let Ok(report) = Cursor::new(&bytes).tree() {
                of_run(&report, id, &mut facts);
            }
        }
        for claimed in group.texts.iter().filter(|one| last(one.file.folder()) == id) {
            let in_file = |err: crate::input::Error| Error::from(err).in_file(&claimed.file.path);
            let bytes = claimed.file.all_bytes().map_err(in_file)?;
            let name = claimed.file.name();
            let format =
                if name == "patch.diff" { ContentFormat::Diff } else { ContentFormat::Text };
            let body = String::from_utf8_lossy(&bytes).into_owned();
            let content = Content { label: name.to_owned(), body, format };
            let list = if name == "eval.sh" { &mut detail.input } else { &mut detail.actual };
            list.push(content);
        }
    }
    detail.facts = facts.into_vec();
    Ok(detail)
}

fn prediction(record: &Value, facts: &mut Facts, detail: &mut CaseDetail) {
    facts.member("model", record, "model_name_or_path");
    match text(record, "model_patch") {
        Some(patch) => detail.actual.push(Content {
            label: "patch".to_owned(),
            body: patch.to_owned(),
            format: ContentFormat::Diff,
        }),
        None => facts.add("patch", "empty"),
    }
    facts.unknown(record, &["instance_id", "model_name_or_path", "model_patch"]);
}

fn instance(report: &Value, facts: &mut Facts, detail: &mut CaseDetail) {
    facts.unknown(report, &["tests_status"]);
    let Some(tests) = report.get("tests_status") else { return };
    for name in TESTS {
        let Some(of_kind) = tests.get(name) else { continue };
        let lines = |key: &str| {
            let names = items(of_kind, key).iter().filter_map(Value::as_str);
            names.collect::<Vec<_>>()
        };
        let (passed, failed) = (lines("success"), lines("failure"));
        let n_tests = passed.len() + failed.len();
        if !failed.is_empty() {
            let label = format!("{name}: tests that fail");
            detail.failure.push(text_content(&label, &failed.join("\n")));
        }
        if [FAIL_TO_PASS, PASS_TO_PASS].contains(&name) {
            let tests = (passed.len() as u64, n_tests as u64);
            detail.checks.push(CheckDetail {
                attempt: 1,
                name: name.to_owned(),
                score: Some(super::reports::share(tests)),
                is_correct: Some(failed.is_empty()),
                reason: Some(match n_tests {
                    0 => "there are no such tests; SWE-bench counts this as met".to_owned(),
                    _ => format!("{} of {n_tests} tests pass", passed.len()),
                }),
                metadata: Some(json!({"success": passed, "failure": failed}).to_string()),
                ..CheckDetail::default()
            });
        } else if !passed.is_empty() {
            let label = format!("{name}: tests that pass");
            detail.actual.push(text_content(&label, &passed.join("\n")));
        }
    }
    let must_pass: Vec<&str> = ["success", "failure"]
        .into_iter()
        .flat_map(|key| items(tests.get(FAIL_TO_PASS).unwrap_or(&Value::Null), key))
        .filter_map(Value::as_str)
        .collect();
    if !must_pass.is_empty() {
        let label = "tests that have to pass (FAIL_TO_PASS)";
        // No text that the patch could be compared with.
        detail.input.push(text_content(label, &must_pass.join("\n")));
    }
}

/// In which lists of the run report an instance is.
fn of_run(report: &Value, id: &str, facts: &mut Facts) {
    let members = report.as_object().into_iter().flatten();
    let lists = members.filter_map(|(key, list)| {
        let is_in = list.as_array()?.iter().any(|one| one.as_str() == Some(id));
        is_in.then(|| key.strip_suffix("_ids").unwrap_or(key).replace('_', " "))
    });
    facts.add("lists of the run report", lists.collect::<Vec<_>>().join(", "));
    let reason = report.get("failure_reasons").and_then(|reasons| text(reasons, id));
    facts.add("failure reason", reason.unwrap_or_default());
}

impl super::groups::ModelRunFiles {
    /// Whether a file of it has this identity.
    fn has(&self, source: crate::model::SourceId) -> bool {
        let one = [&self.report].into_iter().flatten();
        let mut files = one.chain(&self.predictions).chain(&self.instances).chain(&self.texts);
        files.any(|claimed| claimed.file.id == source && claimed.claim.role != role::METADATA)
    }
}
