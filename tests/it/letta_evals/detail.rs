//! The whole record of a sample, and one evaluation per generation as text.

use super::names::{import_files, import_fixture};
use crate::support::file;
use evalglass::model::{CaseDetail, Evaluation, Message, Outcome};
use evalglass::readers::{Import, reader};
use std::fmt::Write as _;

/// How many cases of a run a dump shows.
const N_CASES: usize = 4;

/// An evaluation as text: everything that is not a long text or a measured time.
fn dump(evaluation: &Evaluation) -> String {
    let mut out = String::new();
    let config = &evaluation.config;
    let mut line = |text: String| writeln!(out, "{text}").unwrap();
    line(format!("{} {}: {}", evaluation.producer, evaluation.generation, evaluation.label));
    line(format!("suite {:?}, path {}", evaluation.suite, evaluation.path));
    line(format!("metrics {:?}, primary {:?}", config.metrics, config.primary_metric));
    line(format!("labels {:?}, mean over {:?}", config.metric_labels, config.mean_over));
    line(format!("pass rule {:?}", config.pass_rule));
    line(format!("gate {:?}", config.gate.as_ref().map(|gate| &gate.text)));
    line(format!("reward {:?}", config.reward));
    for run in &evaluation.runs {
        let key = &run.key;
        line(format!("run {:?} {} {} ({})", key.subject, key.repeat, key.path, run.label));
        for idx in 0..run.cases.len().min(N_CASES) {
            let cases = &run.cases;
            let numeric =
                if cases.is_numeric_id.get(idx) == Some(true) { "number" } else { "text" };
            line(format!(
                "  {} ({numeric}) {} score {:?} reward {:?} tokens {:?}/{:?} cost {:?} error {:?}",
                cases.id.get(idx).unwrap(),
                cases.outcome_of(idx),
                cases.score.get(idx),
                cases.reward.get(idx),
                cases.prompt_tokens.get(idx),
                cases.completion_tokens.get(idx),
                cases.cost_usd.get(idx),
                cases.error_category.get(idx),
            ));
            for check in run.checks_of(idx) {
                let name = run.checks.name.get(check).unwrap();
                let score = run.checks.score.get(check);
                line(format!("    {name} {score:?} {:?}", run.checks.verdict_of(check)));
            }
        }
        line(format!("  {} cases, {} checks", run.cases.len(), run.checks.len()));
    }
    line(format!("{} stated figures", evaluation.declared.len()));
    for declared in evaluation.declared.iter().filter(|declared| !is_measured(&declared.field)) {
        line(format!("  {:?} {} = {:?}", declared.scope, declared.field, declared.value));
    }
    out
}

fn is_measured(field: &str) -> bool {
    field.contains("timing") || field.contains("individual_run_metrics") || field.contains("runs[")
}

/// One snapshot per generation, under its name.
macro_rules! dumped {
    ($($name:ident: $folder:literal),+ $(,)?) => {
        $(#[test]
        fn $name() {
            let imported = import_fixture(concat!("letta-evals/", $folder));
            insta::assert_snapshot!(dump(&imported.imports[0].evaluation));
        })+
    };
}

dumped! {
    generation_a: "0.2.x_singlefile",
    generation_b: "0.3.2_single",
    generation_c0: "0.7.0_weighted",
    generation_c1: "0.9.0_weighted",
    generation_c2: "0.15.0_logical_multirun",
    generation_d: "0.20.0_suite",
    generation_e: "0.26.0_reward_multirun",
    guide: "guide_shape",
}

/// The detail of the first case that `fits`.
fn detail_of(import: &Import, fits: impl Fn(Outcome, &CaseDetail) -> bool) -> CaseDetail {
    let reader = reader("letta-evals").unwrap();
    for run in &import.evaluation.runs {
        for idx in 0..run.cases.len() {
            let detail = reader
                .detail(&import.bundle, &import.evaluation.config, &run.only(idx..idx + 1))
                .unwrap();
            if fits(run.cases.outcome_of(idx), &detail) {
                return detail;
            }
        }
    }
    panic!("a case fits");
}

fn dump_detail(detail: &CaseDetail) -> String {
    let mut shown = detail.clone();
    shown.raw.iter_mut().for_each(|raw| raw.json = format!("{} bytes", raw.json.len()));
    format!("{shown:#?}")
}

#[test]
fn detail_of_an_early_sample() {
    let imported = import_fixture("letta-evals/0.2.x_singlefile");
    let import = &imported.imports[0];
    let detail = detail_of(import, |outcome, detail| {
        outcome == Outcome::Passed && detail.transcript.iter().any(|m| m.tool.is_some())
    });
    insta::assert_snapshot!(dump_detail(&detail));
}

#[test]
fn detail_of_a_late_sample_with_an_error() {
    let imported = import_fixture("letta-evals/0.20.0_suite");
    let import = &imported.imports[0];
    let detail = detail_of(import, |outcome, _| outcome == Outcome::Error);
    assert_eq!(detail.raw.len(), 2, "the row and its sample");
    insta::assert_snapshot!(dump_detail(&detail));
}

#[test]
fn every_case_of_every_fixture_has_its_record() {
    let reader = reader("letta-evals").unwrap();
    let mut n_messages = 0;
    for folder in super::folders() {
        let imported = import_fixture(&folder);
        for import in &imported.imports {
            for run in &import.evaluation.runs {
                for idx in 0..run.cases.len() {
                    let detail = reader
                        .detail(&import.bundle, &import.evaluation.config, &run.only(idx..idx + 1))
                        .unwrap();
                    assert_eq!(detail.checks.len(), run.checks_of(idx).len(), "{folder} {idx}");
                    assert!(!detail.input.is_empty(), "{folder} {idx} has an input");
                    if run.cases.outcome_of(idx) == Outcome::Error {
                        assert!(!detail.failure.is_empty(), "{folder} {idx} says why");
                    }
                    n_messages += detail.transcript.len();
                    for check in run.checks_of(idx) {
                        let Some(place) = run.checks.reason_of(check) else { continue };
                        let bytes = import.bundle.span_bytes(place).unwrap().unwrap();
                        let text: String = serde_json::from_slice(&bytes).unwrap();
                        let shown = detail.checks.iter().any(|c| c.reason.as_ref() == Some(&text));
                        assert!(shown, "{folder} {idx}: the reason lies where it is said to lie");
                    }
                }
            }
        }
    }
    assert!(n_messages > 1000, "only {n_messages} messages");
}

/// The transcript of a row with these messages as JSON.
fn transcript(messages: &str) -> Vec<Message> {
    let row = format!(
        r#"{{"sample_id":1,"agent_id":"a","trajectory":[[{messages}]],"submissions":{{}},"grades":{{}},"timing":{{"total":1.0,"target":1.0}}}}"#
    );
    let imported = import_files(vec![file("m.jsonl", row)]);
    let import = &imported.imports[0];
    detail_of(import, |_, _| true).transcript
}

#[test]
fn every_type_of_message_is_shown() {
    let messages = [
        r#"{"message_type":"system_message","content":"be brief"}"#,
        r#"{"message_type":"user_message","date":"2025-01-01T00:00:00Z","content":[{"type":"text","text":"look"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]}"#,
        r#"{"message_type":"reasoning_message","reasoning":"hm"}"#,
        r#"{"message_type":"hidden_reasoning_message","state":"redacted"}"#,
        r#"{"message_type":"tool_call_message","tool_call":{"name":"a","arguments":"{}","tool_call_id":"1"},"tool_calls":[{"name":"a","arguments":"{}","tool_call_id":"1"},{"name":"b","arguments":"not json {","tool_call_id":"2"}]}"#,
        r#"{"message_type":"tool_return_message","tool_return":"x","status":"success","tool_call_id":"1","tool_returns":[{"tool_call_id":"1","tool_return":"x","status":"success","type":"tool"},{"tool_call_id":"2","tool_return":"","status":"error","stderr":["boom"],"type":"tool"}]}"#,
        r#"{"message_type":"approval_request_message","tool_call":{"name":"rm","arguments":"{}","tool_call_id":"3"}}"#,
        r#"{"message_type":"approval_response_message","approvals":[{"type":"approval","approve":false,"tool_call_id":"3","reason":"no"}]}"#,
        r#"{"message_type":"summary_message","summary":"so far"}"#,
        r#"{"message_type":"event_message","event_type":"compaction","event_data":{"n":1}}"#,
        r#"{"message_type":"brand_new","x":1}"#,
        r#"{"role":"assistant","content":null,"tool_calls":[{"id":"9","function":{"name":"f","arguments":"{}"}}]}"#,
        r#"{"role":"tool","tool_call_id":"9","content":"done"}"#,
        r#""a bare text""#,
    ];
    insta::assert_snapshot!(format!("{:#?}", transcript(&messages.join(","))));
}

#[test]
fn secrets_in_configuration_and_state_are_masked() {
    let header = r#"{"type":"header","suite":"s","config":{"target":{"kind":"agent","api_key":"sk-very-secret"},"gate":{"metric":"avg_score","op":"gte","value":0.5},"graders":{"g":{"kind":"tool"}}}}"#;
    let row = r#"{"type":"result","result":{"sample":{"id":0,"input":"x"},"submission":"y","trajectory":[[{"role":"user","content":"x"}]],"agent_id":"a","grade":{"score":1.0},"grades":{"g":{"score":1.0}},"agent_state":{"env":[{"key":"MY_API_KEY","value":"sk-very-secret"}]}}}"#;
    let imported = import_files(vec![file("r/header.json", header), file("r/results.jsonl", row)]);
    let import = &imported.imports[0];
    assert!(!import.evaluation.declared_json.to_string().contains("sk-very-secret"));
    let detail = detail_of(import, |_, _| true);
    assert!(!format!("{detail:?}").contains("sk-very-secret"));
}
