//! Rules of the page's reader: each number against a slow computation from the exported cases, the
//! flip list against both reports, the audit unmoved.

use crate::support::{assert_close, core_of, fixture_files, number, report_of, report_under};
use evalglass::report::Target;
use evalglass::worker::protocol::{Answer, ExportKind, Question, Task};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const FOLDERS: [&str; 9] = [
    "slop-code/g1",
    "slop-code/g2",
    "letta-evals/0.4.1_multirun",
    "letta-evals/0.9.0_weighted",
    "letta-evals/0.15.0_logical_multirun",
    "letta-evals/0.20.0_suite",
    "letta-evals/0.26.0_reward_multirun",
    "rebel/basic",
    "rebel/nonfinite",
];

fn list<'a>(value: &'a Value, key: &str) -> &'a Vec<Value> {
    value[key].as_array().unwrap_or_else(|| panic!("{key} is a list"))
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Outcome by run and position.
fn outcomes(report: &Value) -> Vec<(String, String)> {
    let of_run = |run: &Value| -> Vec<(String, String)> {
        let name = run["label"].as_str().unwrap().to_owned();
        list(run, "cases")
            .iter()
            .map(|case| (name.clone(), case["outcome"].as_str().unwrap().to_owned()))
            .collect()
    };
    list(report, "runs").iter().flat_map(of_run).collect()
}

#[test]
fn weights_make_the_weighted_mean_and_all_zero_is_undefined() {
    let core = core_of(fixture_files("slop-code/g1"));
    let names: Vec<String> = list(&report_of(&core), "runs")
        .iter()
        .flat_map(|run| list(run, "groups").iter().map(|g| g["name"].as_str().unwrap().to_owned()))
        .collect();
    let words: Vec<(String, String)> = names
        .iter()
        .enumerate()
        .map(|(at, name)| (format!("weight:{name}"), format!("{}", (at % 3) as f64 * 0.5)))
        .collect();
    let words: Vec<(&str, &str)> = words.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let report = report_under(&core, &words);
    let (mut n_defined, mut n_undefined) = (0, 0);
    for run in list(&report, "runs") {
        let groups = list(run, "groups").iter();
        let terms: Vec<(f64, f64)> =
            groups.filter_map(|g| Some((number(&g["weight"])?, number(&g["score"])?))).collect();
        let weight: f64 = terms.iter().map(|(weight, _)| weight).sum();
        let expected = (weight > 0.0)
            .then(|| terms.iter().map(|(weight, score)| weight * score).sum::<f64>() / weight);
        assert_close(&run["score"]["weighted"], &json!(expected), "weighted");
        if expected.is_some() { n_defined += 1 } else { n_undefined += 1 }
    }
    assert!(n_defined > 3, "{n_defined} defined, {n_undefined} undefined");
    let zeros: Vec<(String, String)> =
        names.iter().map(|name| (format!("weight:{name}"), "0".to_owned())).collect();
    let zeros: Vec<(&str, &str)> = zeros.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    for run in list(&report_under(&core, &zeros), "runs") {
        assert!(run["score"]["weighted"].is_null(), "{}", run["score"]);
    }
}

#[test]
fn each_strategy_follows_its_verdict_rule() {
    for folder in ["rebel/basic", "rebel/edge", "rebel/nonfinite"] {
        let core = core_of(fixture_files(folder));
        for strategy in ["min", "max", "mean", "median"] {
            let report = report_under(&core, &[("strategy", strategy)]);
            for run in list(&report, "runs") {
                let mut n_passed = 0;
                for case in list(run, "cases") {
                    let kept: Vec<&Value> =
                        list(case, "checks").iter().filter(|c| c["verdict"] != "error").collect();
                    let passed = kept.iter().filter(|c| c["verdict"] == "passed").count();
                    let failed = kept.len() - passed;
                    let expected = match (kept.is_empty(), strategy) {
                        (true, _) => "error",
                        (_, "min") if failed == 0 => "passed",
                        (_, "max") if passed > 0 => "passed",
                        (_, "mean" | "median") if passed > failed => "passed",
                        _ => "failed",
                    };
                    assert_eq!(case["outcome"], expected, "{folder} {strategy} {}", case["id"]);
                    let scores: Vec<f64> =
                        kept.iter().filter_map(|c| number(&c["score"])).collect();
                    if strategy == "mean" && scores.iter().all(|score| score.is_finite()) {
                        let mean = json!(mean(&scores).unwrap_or(0.0));
                        assert_close(&case["score"], &mean, folder);
                    }
                    n_passed += usize::from(expected == "passed");
                }
                assert_eq!(run["counts"]["passed"], n_passed, "{folder} {strategy}");
            }
        }
    }
}

#[test]
fn a_threshold_decides_every_judged_case() {
    for folder in FOLDERS {
        let core = core_of(fixture_files(folder));
        let report = report_under(&core, &[("pass", "> 0.5")]);
        for run in list(&report, "runs") {
            let mut n_passed = 0;
            for case in list(run, "cases") {
                let is_open = ["passed", "failed"].iter().any(|word| case["outcome"] == *word);
                if let (Some(score), true) = (number(&case["score"]), is_open) {
                    assert_eq!(case["outcome"] == "passed", score > 0.5, "{folder} {case}");
                }
                n_passed += usize::from(case["outcome"] == "passed");
            }
            assert_eq!(run["counts"]["passed"], n_passed, "{folder}");
        }
    }
}

/// The mean of a run by hand: `errors` says how cases with an error count.
fn hand_mean(run: &Value, errors: &str) -> Option<f64> {
    let mut scores = Vec::new();
    for case in list(run, "cases") {
        let score = case.get("reward").filter(|_| run.get("reward").is_some());
        let score = score.or_else(|| run.get("reward").is_none().then(|| &case["score"]));
        match (case["outcome"] == "error", errors) {
            (true, "zero") => scores.push(0.0),
            (true, _) => {}
            (false, _) => scores.extend(score.and_then(number)),
        }
    }
    mean(&scores)
}

#[test]
fn errors_count_as_zero_or_not_at_all() {
    for folder in ["letta-evals/0.26.0_reward_multirun", "letta-evals/0.25.1_reward"] {
        let core = core_of(fixture_files(folder));
        let plain = report_of(&core);
        assert!(plain["runs"][0]["counts"]["error"].as_u64() > Some(0), "{folder} has errors");
        assert!(plain["runs"][0]["score"].get("under_rules").is_none());
        for errors in ["zero", "left-out"] {
            let report = report_under(&core, &[("errors", errors)]);
            for (run, before) in list(&report, "runs").iter().zip(list(&plain, "runs")) {
                let found = &run["score"]["under_rules"]["mean"];
                assert_close(found, &json!(hand_mean(run, errors)), folder);
                let n_errors =
                    if errors == "zero" { json!(null) } else { run["counts"]["error"].clone() };
                assert_eq!(run["counts"]["left_out"], n_errors, "{folder} {errors}");
                // Both means are shown either way, whatever is chosen.
                for key in ["mean_attempted", "mean_total", "ci95"] {
                    assert_eq!(run["score"][key], before["score"][key], "{folder} {key}");
                }
            }
        }
    }
}

#[test]
fn skipped_cases_left_out_leave_policies_and_groups() {
    let core = core_of(fixture_files("slop-code/g2"));
    let report = report_under(&core, &[("skipped", "left-out")]);
    let mut n_skipped = 0;
    for run in list(&report, "runs") {
        let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
        for case in list(run, "cases") {
            if case["outcome"] == "skipped" {
                n_skipped += 1;
            } else if let Some(kind) = case["kind"].as_str() {
                *kinds.entry(kind).or_default() += 1;
            }
        }
        for (kind, total) in kinds {
            assert_eq!(run["by_kind"][kind]["total"], total, "{} {kind}", run["label"]);
        }
    }
    assert!(n_skipped > 0, "no fixture has skipped cases");
}

/// The scores that a gate on a metric looks at: every grade, with or without an error.
fn grades(runs: &[&Value], metric: Option<&str>) -> Vec<f64> {
    let cases = runs.iter().flat_map(|run| list(run, "cases"));
    match metric {
        None => cases.filter_map(|case| number(&case["score"])).collect(),
        Some(metric) => cases
            .flat_map(|case| list(case, "checks"))
            .filter(|check| check["name"] == metric)
            .filter_map(|check| number(&check["score"]))
            .collect(),
    }
}

#[test]
fn a_gate_of_ones_own_judges_the_runs_of_any_producer() {
    for folder in FOLDERS.iter().filter(|folder| !folder.ends_with("nonfinite")) {
        let core = core_of(fixture_files(folder));
        let gate = "accuracy(*, 0.5) > 40 and (avg_score(*) >= 0.3 or max(*) < 0.1)";
        let report = report_under(&core, &[("gate", gate)]);
        assert_eq!(report["settings"]["gate"], gate);
        for run in list(&report, "runs") {
            let scores = grades(&[run], None);
            let share = |n: usize| n as f64 / scores.len().max(1) as f64 * 100.0;
            let accuracy = share(scores.iter().filter(|score| **score >= 0.5).count());
            let max = scores.iter().copied().reduce(f64::max).unwrap_or(0.0);
            let holds = accuracy > 40.0 && (mean(&scores).unwrap_or(0.0) >= 0.3 || max < 0.1);
            let word = match (list(run, "cases").is_empty(), holds) {
                (true, _) => "unscored",
                (false, true) => "passed",
                (false, false) => "failed",
            };
            assert_eq!(run["verdict"]["outcome"], word, "{folder} {}", run["verdict"]);
        }
    }
}

#[test]
fn weighted_gates_and_percentiles_of_ones_own() {
    let core = core_of(fixture_files("letta-evals/0.9.0_weighted"));
    let gate = "weighted p50(quality: 3; accuracy: 1) >= 0.2 or min(tenths) > 2";
    let report = report_under(&core, &[("gate", gate)]);
    let runs: Vec<&Value> = list(&report, "runs").iter().collect();
    let median = |metric: &str| {
        let mut scores = grades(&runs, Some(metric));
        scores.sort_by(f64::total_cmp);
        let (low, high) = ((scores.len() - 1) / 2, scores.len() / 2);
        (scores[low] + scores[high]) / 2.0
    };
    let value = (3.0 * median("quality") + median("accuracy")) / 4.0;
    let repeat = &report["evaluations"][0]["repeats"][0];
    assert_eq!(repeat["gate"]["passed"], value >= 0.2);
    assert!(repeat["gate"]["reason"].as_str().unwrap().contains(&format!("{value:.4}")[..5]));
    // A metric that nobody grades leaves the files' own gate in force.
    let report = report_under(&core, &[("gate", "min(nobody) > 0")]);
    let rule = report["evaluations"][0]["verdict"]["rule"].as_str().unwrap();
    assert!(!rule.contains("nobody") && rule.contains("weighted"), "{rule}");
}

const CHANGES: [&[(&str, &str)]; 9] = [
    &[("policy", "all-cases")],
    &[("policy", "any")],
    &[("pass", ">= 0.3")],
    &[("pass", "> 1")],
    &[("strategy", "max")],
    &[("strategy", "min"), ("pass", ">= 0.5")],
    &[("errors", "left-out"), ("skipped", "left-out"), ("unscored", "zero")],
    &[("gate", "avg_score(*) > 0.5")],
    &[("gate", "min(*) >= 0"), ("errors", "zero")],
];

#[test]
fn rules_set_in_steps_say_what_they_say_at_once() {
    for folder in ["letta-evals/0.9.0_weighted", "rebel/basic"] {
        let stepped = core_of(fixture_files(folder));
        for pair in CHANGES.windows(2) {
            let [first, second] = pair else { continue };
            report_under(&stepped, first);
            for rules in [[*first, *second].concat(), second.to_vec(), first.to_vec()] {
                let fresh = core_of(fixture_files(folder));
                let (found, wanted) =
                    (report_under(&stepped, &rules), report_under(&fresh, &rules));
                assert_eq!(found, wanted, "{folder}: {rules:?}");
            }
        }
    }
}

#[test]
fn the_flip_list_is_the_difference_of_the_two_reports() {
    let mut n_cases = 0;
    for folder in FOLDERS {
        let core = core_of(fixture_files(folder));
        let before = report_of(&core);
        assert!(before.get("flips").is_none(), "no flips under declared rules");
        for words in CHANGES {
            let after = report_under(&core, words);
            let what = format!("{folder} {words:?}");
            let flips = list(&after, "flips");
            let of_level = |level: &str| flips.iter().filter(|f| f["level"] == level).count();
            let pairs = outcomes(&before).into_iter().zip(outcomes(&after));
            let moved = pairs.filter(|(was, is)| was != is).count();
            assert_eq!(of_level("case"), moved, "{what}");
            n_cases += moved;
            for (level, key) in [("run", "runs"), ("evaluation", "evaluations")] {
                let verdict = |one: &Value| one["verdict"]["outcome"].clone();
                let pairs = list(&before, key).iter().zip(list(&after, key));
                let moved = pairs.filter(|(was, is)| verdict(was) != verdict(is)).count();
                assert_eq!(of_level(level), moved, "{what} {level}");
            }
            let passes = |g: &Value| (g["cases"].as_u64() > Some(0), g["cases"] == g["passed"]);
            let groups = |report: &Value| -> Vec<(bool, bool)> {
                let runs = list(report, "runs").iter();
                runs.flat_map(|run| run["groups"].as_array().cloned().unwrap_or_default())
                    .map(|group| passes(&group))
                    .collect()
            };
            let pairs = groups(&before).into_iter().zip(groups(&after));
            let moved = pairs.filter(|((was, a), (is, b))| was != is || (*is && a != b)).count();
            assert_eq!(of_level("group"), moved, "{what} groups");
            for flip in flips {
                assert_ne!(flip["from"], flip["to"], "{what}");
                assert!(!flip["why"].as_str().unwrap().is_empty(), "{what}: {flip}");
            }
            assert_eq!(
                after["audit"], before["audit"],
                "{what}: the audit compares what is declared"
            );
        }
        assert_eq!(report_under(&core, &[]), before, "{folder}: and back");
    }
    assert!(n_cases > 50, "only {n_cases} cases flipped");
}

#[test]
fn the_flip_list_as_csv_reads_back() {
    let core = core_of(fixture_files("rebel/basic"));
    let report = report_under(&core, &[("strategy", "max")]);
    let Ok(Answer::Export(file)) =
        core.answer(Task::Export { kind: ExportKind::FlipsCsv, view: None })
    else {
        panic!("the list is exported");
    };
    let mut reader = csv::Reader::from_reader(file.bytes.as_slice());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let flips = list(&report, "flips");
    assert!(!flips.is_empty());
    assert_eq!(rows.len(), flips.len());
    for (row, flip) in rows.iter().zip(flips) {
        assert_eq!(&row[2], flip["name"].as_str().unwrap().trim_start_matches('\''));
        assert_eq!(&row[4], flip["to"].as_str().unwrap());
    }
}

#[test]
fn what_cannot_be_understood_is_said_and_harmless() {
    let core = core_of(fixture_files("slop-code/g1"));
    let before = report_of(&core);
    let words = vec![("gate".to_owned(), "min(".to_owned()), ("policy".to_owned(), String::new())];
    let Ok(Answer::Workspace(tree)) = core.answer(Question::Rules(words)) else { panic!("a tree") };
    assert_eq!(tree.rules.complaints.len(), 2);
    assert!(tree.rules.changes.is_empty());
    assert_eq!(report_of(&core), before);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_words_bring_the_worker_down(
        name in "(gate|pass|policy|errors|strategy|weight:[a-z]*|.{0,8})",
        value in "([a-z_0-9]{0,8}[(]?[*a-z\"]{0,4}[),:;]{0,2} ?[<>=≥]{0,2} ?-?[0-9.e]{0,6}|.{0,24})",
    ) {
        let core = core_of(fixture_files("rebel/guide"));
        let answer = core.answer(Question::Rules(vec![(name, value)]));
        prop_assert!(answer.is_ok());
        report_of(&core);
    }
}

#[test]
fn a_policy_counts_the_checkpoints_that_it_judges() {
    let result = |folders: &[&str]| {
        let core = core_of(folders.iter().flat_map(|folder| fixture_files(folder)).collect());
        let view = core.rules_view(Target::All).unwrap();
        view.controls.into_iter().find(|control| control.name == "policy").unwrap().result
    };
    let alone = result(&["slop-code/g2/v1.0"]);
    assert!(alone.ends_with(" of 3 checkpoints pass"), "{alone}");
    assert_eq!(result(&["slop-code/g2/v1.0", "rebel/basic", "lm-eval/0.4.13"]), alone);
}
