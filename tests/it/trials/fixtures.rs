//! Trials of real files against a plain count over their JSON.

use crate::letta_evals::names::import_fixture;
use crate::support::{fixture, fixture_files, fixture_json};
use evalglass::model::Run;
use evalglass::readers::Imported;
use evalglass::scoring::{trial_totals, trials};
use evalglass::stats::variance_split;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What a line of results says.
struct Line {
    id: String,
    model: Option<String>,
    score: Option<f64>,
    answer: String,
}

/// The rows of line files of letta-evals, of any release.
fn lines(paths: &[String]) -> Vec<Line> {
    let texts = paths.iter().map(|path| std::fs::read_to_string(fixture(path)).unwrap());
    let lines: Vec<String> =
        texts.flat_map(|t| t.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
    let line = |line: &String| {
        let mut row: Value = serde_json::from_str(line).unwrap();
        if row["result"].is_object() {
            row = row["result"].take();
        }
        let id = if row["sample"].is_object() { &row["sample"]["id"] } else { &row["sample_id"] };
        let answer = if row["submission"].is_string() { "submission" } else { "submissions" };
        Line {
            id: id.to_string(),
            model: row["model_name"].as_str().map(str::to_owned),
            score: row["grade"]["score"].as_f64(),
            answer: row[answer].to_string(),
        }
    };
    lines.iter().map(line).collect()
}

/// The five runs of each model of a fixture, with their lines.
fn early_repeats(imported: &Imported) -> Vec<(Vec<&Run>, Vec<Line>)> {
    let runs = &imported.imports[0].evaluation.runs;
    let models: BTreeSet<&String> = runs.iter().map(|r| r.key.subject.as_ref().unwrap()).collect();
    assert_eq!((models.len(), runs.len()), (2, 10));
    let paths: Vec<String> =
        (1..=5).map(|n| format!("letta-evals/0.4.1_multirun/run_{n}/results.jsonl")).collect();
    models
        .into_iter()
        .map(|model| {
            let own = runs.iter().filter(|run| run.key.subject.as_ref() == Some(model));
            let lines = lines(&paths).into_iter().filter(|line| line.model.as_ref() == Some(model));
            (own.collect(), lines.collect())
        })
        .collect()
}

/// Fails unless the trials of `runs` have the answers that `lines` hold. Counts cases whose answers
/// agree in part.
#[track_caller]
fn assert_answers(runs: &[&Run], lines: Vec<Line>) -> u32 {
    let mut by_id: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in lines {
        if !["\"\"", "{}"].contains(&line.answer.as_str()) {
            by_id.entry(line.id).or_default().push(line.answer);
        }
    }
    let found = trials(runs);
    let mut n_shared = 0;
    for (at, case) in found.cases.iter().enumerate() {
        let (run_idx, row) = found.matching.rows_of(at).next().unwrap();
        let id = runs[run_idx].cases.id.get(row).unwrap();
        let none = Vec::new();
        let answers = by_id.get(id).unwrap_or(&none);
        assert_eq!(case.n_answers as usize, answers.len(), "{id}");
        let kinds: BTreeSet<&String> = answers.iter().collect();
        let most = kinds.iter().map(|kind| answers.iter().filter(|a| a == kind).count()).max();
        #[expect(clippy::cast_precision_loss)]
        let share = most.filter(|_| answers.len() > 1).map(|n| n as f64 / answers.len() as f64);
        assert_eq!(case.agreement, share, "{id}");
        n_shared += u32::from(share.is_some_and(|share| share < 1.0 && most > Some(1)));
    }
    n_shared
}

#[test]
fn answers_of_repeats_are_those_in_the_files() {
    let mut n_shared = 0;
    for (runs, lines) in early_repeats(&import_fixture("letta-evals/0.4.1_multirun")) {
        n_shared += assert_answers(&runs, lines);
    }
    let imported = import_fixture("letta-evals/0.25.1_reward_11runs");
    for model in ["openai/gpt-4.1-mini", "anthropic/claude-haiku-4-5"] {
        let runs = imported.imports[0].evaluation.runs.iter();
        let runs: Vec<&Run> = runs.filter(|r| r.key.subject.as_deref() == Some(model)).collect();
        assert_eq!(runs.len(), 11, "{model}");
        let folder = model.replace('/', "-");
        let paths: Vec<String> = (1..=11)
            .map(|n| format!("letta-evals/0.25.1_reward_11runs/{folder}/run_{n}.jsonl"))
            .collect();
        n_shared += assert_answers(&runs, lines(&paths));
    }
    assert!(n_shared > 10, "only {n_shared} cases have answers that agree in part");
}

#[test]
fn repeats_of_a_fixture_give_the_scores_in_the_files() {
    let mut n_scores = 0;
    for (runs, lines) in early_repeats(&import_fixture("letta-evals/0.4.1_multirun")) {
        let mut by_id: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for line in lines {
            by_id.entry(line.id).or_default().extend(line.score);
        }
        let found = trials(&runs);
        assert_eq!(found.cases.len(), by_id.len());
        for (at, case) in found.cases.iter().enumerate() {
            let (run_idx, row) = found.matching.rows_of(at).next().unwrap();
            let scores = &by_id[runs[run_idx].cases.id.get(row).unwrap()];
            assert_eq!(case.n_trials, 5);
            // The file gives an error a grade of 0, which is no score of a trial.
            let mut kept = found.scores_of(at).to_vec();
            kept.extend((0..case.n_errors).map(|_| 0.0));
            let sorted = |mut all: Vec<f64>| {
                all.sort_by(f64::total_cmp);
                all
            };
            assert_eq!(sorted(kept), sorted(scores.clone()));
            n_scores += case.n_scores;
        }
        let totals = trial_totals(&found);
        let groups = (0..found.cases.len()).map(|at| found.scores_of(at));
        assert_eq!(totals.variance, variance_split(groups));
        assert_eq!(totals.pass.len(), 5);
    }
    assert!(n_scores > 80, "only {n_scores} scores");
}

#[test]
fn attempts_of_rebel_are_trials() {
    let mut n_cases = 0;
    for folder in ["rebel/basic", "rebel/edge", "rebel/nonfinite"] {
        let imported = import_fixture(folder);
        let run = &imported.imports[0].evaluation.runs[0];
        let found = trials(&[run]);
        let path = fixture_files(folder)[0].path.clone();
        let name = path.rsplit('/').next().unwrap();
        let report = fixture_json(&format!("{folder}/{name}"));
        let entries = report["test_cases"].as_array().unwrap();
        assert_eq!(found.cases.len(), entries.len());
        for (case, entry) in found.cases.iter().zip(entries) {
            let results = entry["evaluation_results"].as_array().unwrap();
            let n_of = |verdict: &str| results.iter().filter(|r| r["verdict"] == verdict).count();
            assert_eq!(case.n_trials as usize, results.len());
            assert_eq!(case.n_passed as usize, n_of("passed"));
            assert_eq!(case.n_failed as usize, n_of("failed"));
            assert_eq!(case.n_errors as usize, n_of("error"));
            let outputs = entry["actual_outputs"].as_array().unwrap().iter();
            let answers: Vec<&str> = outputs
                .take(results.len())
                .filter_map(|output| output["output"].as_str())
                .filter(|text| !text.is_empty())
                .collect();
            assert_eq!(case.n_answers as usize, answers.len(), "{}", entry["name"]);
            let n_same = |text: &&str| answers.iter().filter(|other| *other == text).count();
            let most = answers.iter().map(n_same).max().filter(|_| answers.len() > 1);
            #[expect(clippy::cast_precision_loss)]
            let share = most.map(|n| n as f64 / answers.len() as f64);
            assert_eq!(case.agreement, share, "{}", entry["name"]);
            n_cases += 1;
        }
    }
    assert_eq!(n_cases, 56);
}
