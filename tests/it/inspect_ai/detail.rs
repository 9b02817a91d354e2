//! The whole record of a sample: its transcript, its scores and their history, errors, attempts.

use super::{RELEASES, logs};
use crate::letta_evals::names::import_files;
use crate::support::{file, fixture_files};
use evalglass::input::Dropped;
use evalglass::model::{CaseDetail, Message};
use evalglass::readers::reader;
use serde_json::{Value, json};

/// The details of all cases of the log in `files`, with their ids.
fn details(files: Vec<Dropped>) -> Vec<(String, CaseDetail)> {
    let imported = import_files(files);
    let reader = reader("inspect-ai").unwrap();
    let mut all = Vec::new();
    for import in &imported.imports {
        for run in &import.evaluation.runs {
            for idx in 0..run.cases.len() {
                let case = run.only(idx..idx + 1);
                let detail = reader.detail(&import.bundle, &import.evaluation.config, &case);
                let detail = detail.unwrap();
                assert_eq!(detail.checks.len(), run.checks_of(idx).len());
                for (check, at) in detail.checks.iter().zip(run.checks_of(idx)) {
                    assert_eq!(Some(check.name.as_str()), run.checks.name.get(at));
                    assert_eq!(check.score, run.checks.score.get(at), "{}", check.name);
                }
                all.push((run.cases.id.get(idx).unwrap().to_owned(), detail));
            }
        }
    }
    all
}

fn detail(folder: &str, id: &str) -> CaseDetail {
    let all = details(fixture_files(&format!("inspect-ai/{folder}")));
    all.into_iter().find(|(own, _)| own == id).unwrap().1
}

/// Role, tool and first words of each message.
fn said(messages: &[Message]) -> Vec<String> {
    let one = |message: &Message| {
        let tool = message.tool.as_ref().map_or(String::new(), |tool| format!(" {tool}"));
        let error = if message.is_error { " failed" } else { "" };
        let words = message.text.lines().next().unwrap_or_default();
        format!("{}{tool}{error}: {words}", message.role)
    };
    messages.iter().map(one).collect()
}

#[test]
fn every_sample_has_the_conversation_that_the_tool_counts() {
    let mut n_messages = 0;
    for release in RELEASES {
        for (expected, log) in logs(release) {
            let path = log.path.clone();
            let samples = expected["samples"].as_array().unwrap();
            for ((id, detail), sample) in details(vec![log]).iter().zip(sorted(samples, &path)) {
                let what = format!("{path} {id}");
                let of_role = |role: &str| {
                    let roles = sample["message_roles"].as_array().unwrap().iter();
                    roles.filter(|own| *own == role).count()
                };
                let n = |fits: &dyn Fn(&Message) -> bool| {
                    detail.transcript.iter().filter(|message| fits(message)).count()
                };
                assert_eq!(n(&|m| m.role == "user"), of_role("user"), "{what}");
                let n_calls = sample["tool_calls"].as_array().unwrap().len();
                assert_eq!(n(&|m| m.kind == "tool call"), n_calls, "{what}");
                // A tool that crashes ends the sample: it gives nothing back.
                let n_returns = n(&|m| m.role == "tool");
                assert!(n_returns == of_role("tool") || id == "tool-crash", "{what}: {n_returns}");
                let completion = sample["completion"].as_str().unwrap();
                let output = detail.actual.first().filter(|part| part.label == "output");
                assert_eq!(output.map_or("", |output| output.body.as_str()), completion, "{what}");
                assert_eq!(detail.failure.is_empty(), sample["error"].is_null(), "{what}");
                n_messages += detail.transcript.len();
            }
        }
    }
    assert!(n_messages > 500, "only {n_messages} messages");
}

/// Samples in the order of the table: by epoch within a log.
fn sorted<'a>(samples: &'a [Value], _path: &str) -> Vec<&'a Value> {
    let mut sorted: Vec<&Value> = samples.iter().collect();
    sorted.sort_by_key(|sample| sample["epoch"].as_u64());
    sorted
}

#[test]
fn a_failing_tool_call_stands_in_the_transcript() {
    for folder in ["0.3.285/chunked", "0.3.63/agentic"] {
        let found = detail(folder, "tool-error");
        assert_eq!(
            said(&found.transcript),
            [
                "user: Use the forbidden term",
                "assistant: tool call for tool lookup",
                "assistant lookup: {\"term\":\"forbidden\"}",
                "tool lookup failed: unknown: access to «forbidden» is denied",
                "assistant: I could not.",
            ],
            "{folder}"
        );
        let usage = &found.turns[0].usage;
        assert_eq!(usage.iter().find(|(name, _)| name == "output tokens").unwrap().1, 55.0);
    }
}

#[test]
fn attempts_before_the_last_one_say_why_they_failed() {
    let found = detail("0.3.285/agentic", "flaky");
    assert_eq!(found.attempts.len(), 2);
    assert_eq!(found.attempts[0].output[0].body, "ConnectionError('first attempt fails')");
    assert_eq!(found.attempts[1].output[0].body, "fine now");
    assert_eq!(found.checks[0].attempt, 2);
}

#[test]
fn edits_limits_and_pictures_are_told() {
    let fact = |detail: &CaseDetail, label: &str| {
        let fact = detail.facts.iter().find(|fact| fact.label == label);
        fact.unwrap_or_else(|| panic!("{label}: {:?}", detail.facts)).value.clone()
    };
    let edited = detail("0.3.285/edited", "2");
    let history = fact(&edited, "edited score letters");
    assert!(history.starts_with("C → C by reviewer ✍"), "{history}");
    assert!(history.ends_with("because: typo in target"), "{history}");
    let limited = detail("0.3.285/agentic", "loop");
    assert_eq!(
        fact(&limited, "ended by a limit"),
        "message 9.0: Message limit reached. count: 9; limit: 9"
    );
    for folder in ["0.3.285/agentic", "0.3.285/chunked", "0.3.63/agentic"] {
        let picture = detail(folder, "chat-input");
        let input = picture.input.iter().find(|part| part.label == "user").unwrap();
        assert_eq!(input.body, "earlier question");
        let all: String = picture.transcript.iter().map(|message| message.text.as_str()).collect();
        assert!(all.contains("[image/png, 96 characters of base64]"), "{folder}: {all}");
    }
    let thoughtful = detail("0.3.285/agentic", "reason");
    assert_eq!(thoughtful.transcript[1].role, "reasoning");
}

/// What is said in a sample whose models were given `calls` out of `pool`, and answered.
fn said_in(pool: &[Value], calls: &[(Value, &str)]) -> Vec<String> {
    let events = calls.iter().map(|(given, answer)| {
        let message = json!({"role": "assistant", "content": answer});
        let output = json!({"model": "m", "choices": [{"message": message}]});
        json!({"event": "model", "model": "m", "input": [], "input_refs": given, "output": output})
    });
    let sample = json!({
        "id": 1, "epoch": 1, "input": "u0", "target": "", "messages": [], "scores": {},
        "events": events.collect::<Vec<_>>(), "events_data": {"messages": pool, "calls": []},
    });
    let log = json!({
        "version": 2, "status": "success",
        "eval": {"eval_id": "e", "task": "t", "model": "m", "created": "2026-11-22T10:10:43+00:00"},
        "samples": [sample],
    });
    let (_, detail) = details(vec![file("log.json", log.to_string())]).remove(0);
    detail.transcript.into_iter().map(|message| message.text).collect()
}

#[test]
fn what_a_model_is_given_again_is_not_said_again() {
    let message = |role: &str, text: &str| json!({"role": role, "content": text});
    let (user, model) =
        (|text: &str| message("user", text), |text: &str| message("assistant", text));
    let pool = [user("u0"), model("a1"), user("u2"), model("a3"), user("u0"), model("a5")];
    let calls = [
        (json!([[0, 1]]), "a1"),
        (json!([[0, 3]]), "a3"),
        // The beginning is dropped; then goes on; then is whole again, with words that come twice.
        (json!([[2, 4]]), "s"),
        (json!([[2, 4], [4, 5]]), "a5"),
        (json!([[0, 5]]), "t"),
        (json!([[0, 5], [0, 1], [9, 7], [5, 99]]), "end"),
    ];
    let expected = ["u0", "a1", "u2", "a3", "s", "a5", "u0", "t", "u0", "end"];
    assert_eq!(said_in(&pool, &calls), expected);
}

#[test]
fn a_conversation_of_thousands_of_calls_is_whole() {
    const N_CALLS: usize = 20_000;
    let words: Vec<String> = (0..N_CALLS).map(|n| format!("answer {n}")).collect();
    let of_call = |n: usize| json!({"role": "user", "content": format!("question {n}")});
    let answered = |n: usize| json!({"role": "assistant", "content": words[n]});
    let pool: Vec<Value> = (0..N_CALLS).flat_map(|n| [of_call(n), answered(n)]).collect();
    let calls: Vec<(Value, &str)> = words
        .iter()
        .enumerate()
        .map(|(n, words)| (json!([[0, 2 * n + 1]]), words.as_str()))
        .collect();
    let said = said_in(&pool, &calls);
    assert_eq!(said.len(), 2 * N_CALLS);
    assert_eq!(said[2 * N_CALLS - 2..], ["question 19999", "answer 19999"]);
}

#[test]
fn members_of_a_sample_may_stand_in_any_order() {
    let long = |text: &str| format!("{text}, ").repeat(100);
    let user = json!({"role": "user", "content": long("asked")});
    let answer = json!({"role": "assistant", "content": "attachment://00ff", "tool_calls": [
        {"id": "c", "function": "look", "arguments": {"at": long("there")}},
    ]});
    let returned = json!({"role": "tool", "tool_call_id": "c", "content": long("seen")});
    let output = json!({"model": "m", "choices": [{"message": answer}]});
    let events = json!([
        {"event": "model", "model": "m", "input": [], "input_refs": [[0, 1]], "output": output},
        {"event": "tool", "id": "c", "function": "look", "arguments": {}, "result": long("seen")},
        {"event": "model", "model": "m", "input": [user, answer, returned], "output": {"choices": [
            {"message": {"role": "assistant", "content": long("said")}},
        ]}},
        {"event": "error", "error": {"message": long("broke"), "traceback": long("trace")}},
    ]);
    // Before the shared messages, more than is looked at for them; and a list of messages that does not count.
    let calls = json!([long("call"), "x".repeat(10_000)]);
    let sample = format!(
        r#"{{"events_data": {{"calls": {calls}, "messages": [{user}]}}, "messages": [{{"role": "user", "content": "not this"}}],
        "attachments": {{"00ff": "{}", "n": null}}, "events": {events}, "scores": {{}}, "target": "", "input": "i", "epoch": 1,
        "id": 1, "messages": [{user}, {answer}, {returned}]}}"#,
        long("attached"),
    );
    let eval =
        r#"{"eval_id": "e", "task": "t", "model": "m", "created": "2026-11-22T10:10:43+00:00"}"#;
    let log =
        format!(r#"{{"version": 2, "status": "success", "eval": {eval}, "samples": [{sample}]}}"#);
    let (_, detail) = details(vec![file("log.json", log.clone())]).remove(0);
    let texts: Vec<String> = detail.transcript.iter().map(|one| one.text.clone()).collect();
    let given = json!({"at": long("there")}).to_string();
    let broke = format!("{}\n\n{}", long("broke"), long("trace"));
    let expected = [long("asked"), long("attached"), given, long("seen"), long("said"), broke];
    assert_eq!(texts, expected);
    assert_eq!(detail.raw[0].json, sample);

    // The same text again and again, more than is brought along: it is told how long it is.
    let many: Vec<Value> = (0..15_000).map(|_| user.clone()).collect();
    let large = sample.replacen(r#""scores""#, &format!(r#""more": {}, "scores""#, json!(many)), 1);
    let log = log.replace(&sample, &large);
    let (_, detail) = details(vec![file("log.json", log)]).remove(0);
    assert_eq!(detail.transcript.len(), expected.len());
    let raw = &detail.raw[0];
    assert_eq!((raw.json.as_str(), raw.left_out), ("", Some(large.len() as u64)));
}

#[test]
fn a_damaged_part_of_a_chunked_sample_costs_only_itself_and_is_named() {
    let sample = json!({"id": 1, "epoch": 1, "input": "i", "target": "", "output": {}, "scores": {}, "message_refs": [[0, 2]]});
    let said = |text: &str| json!({"role": "user", "content": text});
    let event = |text: &str| json!({"event": "info", "data": text});
    let eval =
        json!({"eval_id": "e", "task": "t", "model": "m", "created": "2026-11-22T10:10:43+00:00"});
    let log = |events: &str| {
        vec![
            file(
                "a.eval/header.json",
                json!({"version": 2, "status": "success", "eval": eval}).to_string(),
            ),
            file("a.eval/samples/1_epoch_1/sample.json", sample.to_string()),
            file(
                "a.eval/samples/1_epoch_1/messages/0.json",
                json!([said("one"), said("two")]).to_string(),
            ),
            file("a.eval/samples/1_epoch_1/events/0.json", events),
            file("a.eval/samples/1_epoch_1/events/1.json", json!([event("last")]).to_string()),
        ]
    };
    let texts = |events: &str| {
        let (_, detail) = details(log(events)).remove(0);
        let damaged = detail.facts.iter().filter(|fact| fact.label == "damaged part");
        let damaged: Vec<String> = damaged.map(|fact| fact.value.clone()).collect();
        (detail.transcript.into_iter().map(|one| one.text).collect::<Vec<_>>(), damaged)
    };
    let (all, damaged) = texts(&json!([event("first")]).to_string());
    assert_eq!((all.join(" "), damaged.len()), ("one two first last".to_owned(), 0));
    let (all, damaged) = texts(r#"[{"event": "info", "data": "first"}, {"event": nonsense}, 3]"#);
    assert_eq!(all.join(" "), "one two first last");
    let path = "a.eval/samples/1_epoch_1/events/0.json";
    assert_eq!(damaged, [format!("{path} at byte 47: a word is not JSON")]);
}
