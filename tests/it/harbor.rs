//! Harbor's jobs, loose trajectories and Terminal-Bench's runs, made by hand from the tools' models.

use crate::audit::differing;
use crate::support::{
    assert_close, bytes_of, core_of, file, fixture_files, fixture_json, fixture_report, records_of,
    report_of,
};
use evalglass::input::Dropped;
use evalglass::model::{CaseDetail, Message, Run};
use serde_json::{Value, json};

const JOBS: [&str; 2] = ["harbor/made/job-0.22", "harbor/made/job-0.1"];
const BENCH: &str = "harbor/made/terminal-bench";
const LOOSE: &str = "harbor/made/trajectories";

fn cases(report: &Value) -> Vec<&Value> {
    let runs = report["runs"].as_array().unwrap();
    runs.iter().flat_map(|run| run["cases"].as_array().unwrap()).collect()
}

fn details(report: &Value) -> Vec<(&str, &str)> {
    let all = report["notes"].as_array().unwrap();
    all.iter().map(|n| (n["kind"].as_str().unwrap(), n["detail"].as_str().unwrap())).collect()
}

/// The page of the trial called `name`.
fn page(records: &[(Run, CaseDetail)], name: &str) -> CaseDetail {
    let is_it = |detail: &CaseDetail| {
        detail.facts.iter().any(|fact| fact.label == "trial" && fact.value == name)
    };
    records.iter().find(|(_, detail)| is_it(detail)).unwrap().1.clone()
}

#[test]
fn every_trial_is_a_case_with_its_reward() {
    for folder in JOBS {
        let expected = fixture_json(&format!("{folder}/expected.json"));
        let report = fixture_report(folder);
        assert_eq!(report["evaluations"].as_array().unwrap().len(), 1, "{folder}");
        assert_eq!(Value::from(report["runs"].as_array().unwrap().len()), expected["n_runs"]);
        let found = cases(&report);
        assert_eq!(Value::from(found.len()), expected["n_trials"], "{folder}");
        let records = records_of(fixture_files(folder));
        for trial in expected["cases"].as_array().unwrap() {
            let name = trial["trial"].as_str().unwrap();
            let is_it = |(_, detail): &&(Run, CaseDetail)| {
                detail.facts.iter().any(|fact| fact.label == "trial" && fact.value == name)
            };
            let (run, _) = records.iter().find(is_it).unwrap();
            assert_eq!(run.cases.id.get(0), trial["task"].as_str(), "{name}");
            assert_eq!(run.cases.outcome_of(0).as_str(), trial["outcome"].as_str().unwrap());
            assert_close(&json!(run.cases.score.get(0)), &trial["score"], name);
            assert_close(&json!(run.cases.duration_secs.get(0)), &trial["secs"], name);
        }
        assert_eq!(differing(&report), Vec::<&Value>::new(), "{folder}");
        // How many trials ran and were tried again; how many were planned.
        assert_eq!(report["unchecked"].as_array().unwrap().len(), 1, "{folder}");
    }
}

#[test]
fn the_jobs_own_figures_are_recomputed() {
    for folder in JOBS {
        let expected = fixture_json(&format!("{folder}/expected.json"));
        let report = fixture_report(folder);
        let audit = report["audit"].as_array().unwrap();
        let mut n_compared = 0;
        for (key, eval) in expected["evals"].as_object().unwrap() {
            let ours = |field: String| {
                let is_it = |row: &&Value| row["field"] == field.as_str();
                audit.iter().find(is_it).map(|row| &row["computed"])
            };
            let field = |name: &str| format!("stats.evals.{key}.{name}");
            for name in ["n_trials", "n_errors"] {
                assert_close(ours(field(name)).unwrap(), &eval[name], name);
                n_compared += 1;
            }
            if let Some(found) = ours(field("metrics[0].mean")) {
                assert_close(found, &eval["metrics"][0]["mean"], key);
                n_compared += 1;
            }
            for (k, value) in eval["pass_at_k"].as_object().unwrap() {
                if let Some(found) = ours(field(&format!("pass_at_k.{k}"))) {
                    assert_close(found, value, key);
                    n_compared += 1;
                }
            }
        }
        assert_eq!(n_compared, if folder == JOBS[0] { 8 } else { 2 }, "{folder}");
    }
}

#[test]
fn agents_and_repeats_are_runs() {
    let report = fixture_report(JOBS[0]);
    let runs: Vec<(&Value, &Value, &Value)> = report["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| (&run["suite"], &run["subject"], &run["repeat"]))
        .collect();
    let suite = json!("terminal-bench@2.0");
    let (oracle, agent) = (json!("oracle"), json!("terminus-2 with anthropic/claude-opus-4-1"));
    let (one, two) = (json!(1), json!(2));
    let expected = [
        (&suite, &oracle, &one),
        (&suite, &oracle, &two),
        (&suite, &agent, &one),
        (&suite, &agent, &two),
    ];
    assert_eq!(runs, expected);
    let secret = report.to_string();
    assert!(!secret.contains("not-a-real-key"), "settings of environments stay out");
}

#[test]
fn an_exception_is_an_error_unless_there_is_a_reward() {
    let report = fixture_report(JOBS[0]);
    let all = cases(&report);
    let timed_out = all.iter().find(|case| case["tags"] == json!(["AgentTimeoutError"])).unwrap();
    assert_eq!((&timed_out["outcome"], &timed_out["score"]), (&json!("scored"), &json!(1.0)));
    let broken = all.iter().find(|case| case["outcome"] == "error").unwrap();
    let error = json!({
        "category": "exception",
        "type": "EnvironmentStartTimeoutError",
        "message": "Environment start timed out after 600.0 seconds",
    });
    assert_eq!(broken["error"], error);
}

#[test]
fn tests_of_the_verifier_are_checks_and_no_report_of_their_own() {
    let report = fixture_report(JOBS[0]);
    assert_eq!(report["evaluations"].as_array().unwrap().len(), 1);
    let records = records_of(fixture_files(JOBS[0]));
    let detail = page(&records, "fix-git__bC4wQr2");
    let checks: Vec<(&str, Option<bool>)> =
        detail.checks.iter().map(|check| (check.name.as_str(), check.is_correct)).collect();
    let expected = [
        ("reward", None),
        ("test_output_exists", Some(true)),
        ("test_output_is_right", Some(false)),
    ];
    assert_eq!(checks, expected);
    assert!(detail.checks[2].reason.as_ref().unwrap().contains("assert 41 == 42"));
    let texts: Vec<&str> = detail.actual.iter().map(|one| one.label.as_str()).collect();
    let labels = [
        "what the agent left",
        "notes",
        "tokens and cost of steps",
        "trial.log",
        "reward.txt",
        "test-stdout.txt",
    ];
    assert_eq!(texts, labels);
}

/// Role, agent, tool and text of messages.
fn told(messages: &[Message]) -> Vec<(&str, Option<&str>, Option<&str>, &str)> {
    messages
        .iter()
        .map(|m| (m.role.as_str(), m.agent.as_deref(), m.tool.as_deref(), m.text.as_str()))
        .collect()
}

#[test]
fn a_trajectory_is_told_with_its_parts() {
    let records = records_of(fixture_files(JOBS[0]));
    let detail = page(&records, "fix-git__bC4wQr2");
    let sub = Some("terminus-2-summarization: trajectory.summarization-1-summary.json");
    let expected = [
        ("system", None, None, "You work in a terminal."),
        ("user", None, None, "Solve fix-git."),
        ("reasoning", None, None, "The folder may tell what is wrong."),
        ("assistant", None, None, "I look around first."),
        ("assistant", None, Some("bash"), r#"{"command":"ls"}"#),
        ("tool", None, Some("bash"), "main.py\nREADME.md"),
        ("system", None, None, "The context is summarised."),
        ("tool", None, None, "Summary made."),
        ("user", sub, None, "Summarise."),
        ("assistant", sub, None, "One test still fails."),
        ("assistant", None, None, "Done."),
        ("user", None, None, "Go on."),
        ("assistant", None, None, "I could not repair it."),
    ];
    assert_eq!(told(&detail.transcript), expected);
    let usage = &detail.turns[0].usage;
    assert_eq!(usage[0], ("prompt tokens".to_owned(), 1160.0), "sub-agents are not counted");
    let cost = usage.iter().find(|(words, _)| words.ends_with("cost"));
    assert!(cost.is_some(), "what is a cost is shown as money: {usage:?}");
    assert!(detail.raw.iter().any(|raw| raw.file.ends_with("agent/trajectory.json")));
}

#[test]
fn a_trajectory_alone_is_a_case_without_a_score() {
    let report = fixture_report(LOOSE);
    let expected = fixture_json(&format!("{LOOSE}/expected.json"));
    let all = cases(&report);
    for case in expected["cases"].as_array().unwrap() {
        let own = all.iter().find(|own| own["id"] == case["id"]).unwrap();
        assert_eq!(own["outcome"], "unscored");
        assert_eq!(own["prompt_tokens"].as_f64(), case["prompt_tokens"].as_f64());
        assert_eq!(own["completion_tokens"].as_f64(), case["completion_tokens"].as_f64());
    }
    // The format lets agents count calls that are no steps of the file.
    let differs = differing(&report);
    assert_eq!(differs.len(), 1);
    assert_eq!(differs[0]["field"], "final_metrics.total_prompt_tokens");
    assert_eq!(differs[0]["severity"], "expected");
    let records = records_of(fixture_files(LOOSE));
    let planner =
        records.iter().find(|(run, _)| run.cases.id.get(0) == Some("planner")).unwrap().1.clone();
    let sub = Some("searcher: t-child");
    let expected = [
        ("user", None, None, "Which port is it?"),
        ("assistant", None, Some("delegate"), r#"{"to":"searcher"}"#),
        ("tool", None, Some("delegate"), "The searcher answered.\n[image images/step_2.png]"),
        ("user", sub, None, "Find the port."),
        ("assistant", sub, None, "It is 8080."),
        ("assistant", None, None, "The port is 8080."),
        ("user", None, None, "And the host?"),
        ("assistant", None, None, "I do not know."),
    ];
    assert_eq!(told(&planner.transcript), expected);
    assert_eq!(planner.transcript[6].turn, 1);
}

#[test]
fn terminal_bench_says_what_is_resolved() {
    let report = fixture_report(BENCH);
    let expected = fixture_json(&format!("{BENCH}/expected.json"));
    assert_eq!(report["runs"].as_array().unwrap().len(), 2);
    let records = records_of(fixture_files(BENCH));
    for trial in expected["cases"].as_array().unwrap() {
        let name = trial["trial"].as_str().unwrap();
        let is_it = |(_, detail): &&(Run, CaseDetail)| {
            detail.facts.iter().any(|fact| fact.label == "trial" && fact.value == name)
        };
        let (run, detail) = records.iter().find(is_it).unwrap();
        assert_eq!(run.cases.outcome_of(0).as_str(), trial["outcome"].as_str().unwrap());
        assert!(detail.actual.iter().any(|one| one.label == "post-test.txt"), "{name}");
    }
    assert_eq!(differing(&report), Vec::<&Value>::new());
    assert_eq!(report["unchecked"], json!([]));
    assert!(!report.to_string().contains("not-a-real-key"));
}

/// The files of `folder` whose paths `is_kept` keeps.
fn some(folder: &str, is_kept: impl Fn(&str) -> bool) -> Vec<Dropped> {
    fixture_files(folder).into_iter().filter(|file| is_kept(&file.path)).collect()
}

#[test]
fn a_jobs_result_alone_still_names_its_trials() {
    let files = some(JOBS[0], |path| path.ends_with("00-00/result.json"));
    let report = report_of(&core_of(files));
    let all = cases(&report);
    assert_eq!(all.len(), 8);
    let n_scored = all.iter().filter(|case| case["outcome"] == "scored").count();
    assert_eq!(n_scored, 7);
    assert_eq!(differing(&report), Vec::<&Value>::new());
}

#[test]
fn a_trial_without_its_job_is_read() {
    let files = some(JOBS[0], |path| path.contains("fix-git__aB3xYz1/"));
    let inner: Vec<Dropped> = files
        .iter()
        .map(|one| file(one.path.split_once("fix-git__aB3xYz1/").unwrap().1, bytes_of(one)))
        .collect();
    for files in [files, inner] {
        let report = report_of(&core_of(files));
        assert_eq!(report["evaluations"].as_array().unwrap().len(), 1);
        let all = cases(&report);
        assert_eq!((all.len(), &all[0]["score"]), (1, &json!(1.0)));
        assert_eq!(all[0]["checks"].as_array().unwrap().len(), 2);
    }
}

#[test]
fn a_job_that_did_not_end_is_noted() {
    let report = fixture_report(JOBS[1]);
    let unfinished: Vec<&str> = details(&report)
        .into_iter()
        .filter(|(kind, _)| *kind == "unfinished")
        .map(|(_, detail)| detail)
        .collect();
    let expected = [
        "the trial has no result: it was stopped, or still ran when this was copied",
        "the job had not ended when its result was written: 2 of 3 trials have a result",
    ];
    assert_eq!(unfinished, expected);
    let metrics = &report["evaluations"][0]["config"]["metrics"];
    assert_eq!(*metrics, json!(["reward", "speed"]));
}

#[test]
fn a_trial_of_several_steps_has_the_tests_and_the_steps_of_each() {
    let of_trial = |name: &str| {
        let files = some(JOBS[0], |path| path.ends_with(&format!("fix-git__aB3xYz1/{name}")));
        bytes_of(&files[0])
    };
    let mut files = vec![file("job/trial/result.json", of_trial("result.json"))];
    for step in ["first", "second"] {
        for name in ["verifier/ctrf.json", "agent/trajectory.json"] {
            files.push(file(&format!("job/trial/steps/{step}/{name}"), of_trial(name)));
        }
    }
    let report = report_of(&core_of(files.clone()));
    assert_eq!(report["evaluations"].as_array().unwrap().len(), 1);
    let all = cases(&report);
    assert_eq!((all.len(), all[0]["checks"].as_array().unwrap().len()), (1, 4));
    assert_eq!(differing(&report), Vec::<&Value>::new());
    let records = records_of(files);
    let turns: Vec<u32> = records[0].1.transcript.iter().map(|message| message.turn).collect();
    assert_eq!(turns, [[0; 7], [1; 7]].concat());
}
