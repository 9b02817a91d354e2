//! What the files say about their own totals, tied to the figures they are to be compared with.
//!
//! Known differences between code and guide, and known defects, are named with the figure
//! (`formats/slop-code.md` §6).

use super::evaluation_g1::GroupsFile;
use super::run_files::RunFiles;
use crate::input::json::f64_from_value;
use crate::model::{Declared, DeclaredValue, Figure, Kind, Scope};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// Last case and its score, by group and id.
pub(super) type Last = HashMap<String, HashMap<String, (usize, Option<f64>)>>;

/// Up to how many cases of a run every recorded score is listed; beyond, only those that differ.
const SCORES_LISTED: usize = 5_000;

const EMPTY_IS_ZERO: &str = "the original writes 0 where there is no case to count";
const PASSED_KINDS_ONLY: &str =
    "the original adds up only kinds that have a passed case; kinds without one are left out";
const ANY_ALWAYS: &str =
    "the original's code lets `any` always pass; the guide asks for at least one passed case";

/// A declared figure of a run that has no number yet.
fn of_run(field: String, figure: Figure, value: DeclaredValue) -> Declared {
    Declared { scope: Scope::Run(usize::MAX), field, figure, value, scale: 1.0, why: None }
}

/// `pass_counts` and `total_counts`.
pub(super) fn counts(passed: &[(String, f64)], total: &[(String, f64)]) -> Vec<Declared> {
    let of = |field: &str, counts: &[(String, f64)], figure: fn(Kind) -> Figure| {
        let known = counts.iter().filter_map(|(word, count)| {
            let kind = Kind::from_text(word)?;
            Some(of_run(format!("{field}.{word}"), figure(kind), DeclaredValue::Number(*count)))
        });
        known.collect::<Vec<_>>()
    };
    let mut declared = of("pass_counts", passed, Figure::KindPassed);
    declared.extend(of("total_counts", total, Figure::KindTotal));
    declared
}

/// Recorded scores of cases, where the rows give them too. Of a repeated id the last row is the
/// one that was recorded.
pub(super) fn case_scores(file: &GroupsFile, last: &Last) -> Vec<Declared> {
    let n_cases: usize = file.groups.iter().map(|group| group.results.len()).sum();
    let mut declared = Vec::new();
    for group in &file.groups {
        let Some(ids) = last.get(&group.name) else { continue };
        for entry in &group.results {
            let Some(&(case_idx, score)) = ids.get(&entry.id) else { continue };
            if n_cases > SCORES_LISTED && entry.score == score {
                continue;
            }
            declared.push(of_run(
                format!("group_outcomes.{}.results.{}", group.name, entry.id),
                Figure::CaseScore { group: Some(group.name.clone()), case_idx },
                entry.score.map_or(DeclaredValue::Null, DeclaredValue::Number),
            ));
        }
    }
    declared
}

/// `duration`, which is the sum of the groups' durations.
pub(super) fn group_seconds(file: &GroupsFile) -> Option<Declared> {
    let value = DeclaredValue::Number(file.duration?);
    Some(of_run("duration".to_owned(), Figure::DurationFromGroups, value))
}

/// The figures of a line of `checkpoint_results.jsonl` about run `at` of generation `generation`.
pub(super) fn row(row: &Map<String, Value>, at: usize, generation: &str) -> Vec<Declared> {
    let is_empty = row.get("total_tests").and_then(Value::as_f64) == Some(0.0);
    let is_old_pytest = matches!(generation, "G2a" | "G2b" | "G2c");
    let mut declared = Vec::new();
    let mut add = |field: &str, figure: Figure, why: Option<&'static str>| {
        if let Some(number) = row.get(field).and_then(f64_from_value) {
            declared.push(Declared {
                scope: Scope::Run(at),
                field: format!("checkpoint_results.{field}"),
                figure,
                value: DeclaredValue::Number(number),
                scale: 1.0,
                why,
            });
        }
    };
    let sum_why = is_old_pytest.then_some(PASSED_KINDS_ONLY);
    let rate_why = if is_empty { Some(EMPTY_IS_ZERO) } else { sum_why };
    add("total_tests", Figure::Total, sum_why);
    add("passed_tests", Figure::Passed, None);
    for (kind, name) in KINDS {
        add(&format!("{name}_total"), Figure::KindTotal(kind), sum_why);
        add(&format!("{name}_passed"), Figure::KindPassed(kind), None);
    }
    for field in ["pass_rate", "strict_pass_rate"] {
        add(field, Figure::StrictPassRate, rate_why);
    }
    for field in ["checkpoint_pass_rate", "isolated_pass_rate"] {
        add(field, Figure::IsolatedPassRate, rate_why.or(Some(EMPTY_IS_ZERO)));
    }
    add("core_pass_rate", Figure::KindPassRate(Kind::Core), Some(EMPTY_IS_ZERO));
    declared
}

/// Kinds with their names in rows.
pub(super) const KINDS: [(Kind, &str); 4] = [
    (Kind::Core, "core"),
    (Kind::Functionality, "functionality"),
    (Kind::Error, "error"),
    (Kind::Regression, "regression"),
];

/// Every figure of `result.json`, by its path.
pub(super) fn result(files: &RunFiles) -> Vec<Declared> {
    let mut declared = Vec::new();
    if let Some(result) = &files.result {
        flatten(result, String::new(), &mut declared);
    }
    declared
}

fn flatten(value: &Value, path: String, into: &mut Vec<Declared>) {
    let stated = match value {
        Value::Object(members) => {
            for (key, value) in members {
                let dot = if path.is_empty() { "" } else { "." };
                flatten(value, format!("{path}{dot}{key}"), into);
            }
            return;
        }
        Value::Bool(flag) => DeclaredValue::Bool(*flag),
        Value::Null => DeclaredValue::Null,
        Value::Array(_) => return,
        Value::Number(_) | Value::String(_) => match (f64_from_value(value), value) {
            (Some(number), _) => DeclaredValue::Number(number),
            (None, Value::String(text)) => DeclaredValue::Text(text.clone()),
            (None, _) => return,
        },
    };
    into.push(Declared {
        scope: Scope::Evaluation,
        field: format!("result.{path}"),
        figure: Figure::Summary(path),
        value: stated,
        scale: 1.0,
        why: None,
    });
}

/// What `run_info.yaml` says of a problem: whether its policy passes, and the mean pass rate.
pub(super) fn run_info(problem: &str, info: &Value) -> Vec<Declared> {
    let scope = Scope::Suite(problem.to_owned());
    let mut declared = Vec::new();
    let policy = info.get("pass_policy").and_then(Value::as_str);
    let passed = info.pointer("/summary/passed_policy").and_then(Value::as_bool);
    if let (Some(policy), Some(passed)) = (policy, passed) {
        declared.push(Declared {
            scope: scope.clone(),
            field: "run_info.summary.passed_policy".to_owned(),
            figure: Figure::Policy(policy.to_owned()),
            value: DeclaredValue::Bool(passed),
            scale: 1.0,
            why: (policy == "any").then_some(ANY_ALWAYS),
        });
    }
    if let Some(rate) = info.pointer("/summary/overall_pass_rate").and_then(f64_from_value) {
        declared.push(Declared {
            scope,
            field: "run_info.summary.overall_pass_rate".to_owned(),
            figure: Figure::MeanOverRuns(Box::new(Figure::StrictPassRate)),
            value: DeclaredValue::Number(rate),
            scale: 1.0,
            why: None,
        });
    }
    declared
}
