//! What slop-code sums up: a line of `checkpoint_results.jsonl` for each checkpoint, and `result.json` of a run.

use evalglass::stats;
use serde_json::{Value, json};

use crate::random::float;
use crate::slop_checkpoint::{Kind, Row};

/// Passed and all of a checkpoint, of one kind or of several.
type Counts<'a> = &'a dyn Fn(&Row) -> (u64, u64);

fn rate((passed, total): (u64, u64)) -> f64 {
    if total == 0 { 0.0 } else { float(passed) / float(total) }
}

/// A line of `checkpoint_results.jsonl`.
pub fn row(row: &Row) -> Value {
    let [core, functionality, error, regression] = row.counts;
    let [input, output, cache_read, cache_write, reasoning] = row.tokens;
    let tests = json!({
        "problem": row.problem, "version": 1, "checkpoint": row.name(), "path": format!("outputs/run/{}", row.problem),
        "idx": row.order, "state": "ran", "is_first": row.order == 1, "is_last": row.order == row.of,
        "strict_pass_rate": rate((row.passed(), row.total())), "core_pass_rate": rate(core),
        "isolated_pass_rate": rate(row.isolated()), "total_tests": row.total(), "passed_tests": row.passed(),
        "core_total": core.1, "core_passed": core.0,
        "functionality_total": functionality.1, "functionality_passed": functionality.0,
        "error_total": error.1, "error_passed": error.0, "regression_total": regression.1, "regression_passed": regression.0,
    });
    let agent = json!({
        "started": row.started.to_string(), "ended": row.ended().to_string(), "duration": float(row.seconds),
        "cost": row.cost, "steps": row.steps,
        "cache_read": cache_read, "cache_write": cache_write, "input": input, "output": output, "reasoning": reasoning,
    });
    let code = json!({
        "loc": row.lines, "sloc": row.lines, "total_lines": row.lines, "lint_errors": row.lint, "cc_max": row.complexity,
        "cc_high_count": row.complex, "lint_per_loc": row.lint_per_line(), "violation_pct": 6.0 / float(row.lines),
        "cloned_pct": 11.0 / float(row.lines), "verbosity_flagged_pct": 17.0 / float(row.lines), "lines_added": row.added,
        "lines_removed": row.removed, "mean_func_loc": 30,
    });
    // The same for all: as many members as real rows have, which a reader has to pass by.
    let sizes = json!({
        "single_comments": 9, "lint_fixable": 5, "files": 2, "functions": 12, "methods": 4, "classes": 2, "statements": 90,
        "symbols_total": 20, "cc_mean": 3.75, "cc_std": 2.5, "cc_extreme_count": 0, "high_cc_mean": 14.0,
        "cc_normalized": 0.03, "cc_concentration": 0.41, "cc_top20": 0.6, "max_nesting_depth": 4, "lines_per_symbol": 8.75,
    });
    let smells = json!({
        "single_use_functions": 5, "trivial_wrappers": 1, "unused_variables": 3, "clone_lines": 14, "cloned_sloc_lines": 11,
        "ast_grep_violations": 4, "verbosity_flagged_sloc_lines": 17, "sg_slop_violations": 3,
        "graph_cyclic_dependency_mass": 0.0, "graph_propagation_cost": 0.2, "graph_dependency_entropy": 0.31,
        "mass.cc": 71.25, "mass.high_cc_pct": 1.0,
    });
    let members = [tests, agent, code, sizes, smells].into_iter().filter_map(|part| match part {
        Value::Object(members) => Some(members),
        _ => None,
    });
    Value::Object(members.flatten().collect())
}

/// Mean, sample standard deviation, extremes and median of `values`, as upstream writes them.
fn spread(values: &[f64]) -> Value {
    let least = values.iter().copied().reduce(f64::min);
    let most = values.iter().copied().reduce(f64::max);
    json!({
        "mean": stats::exact_mean(values), "stddev": stats::exact_stdev(values), "min": least, "max": most,
        "median": stats::median(values), "count": values.len(),
    })
}

/// Values of checkpoints, and their sums over the checkpoints of each problem.
fn both(rows: &[Row], value: impl Fn(&Row) -> f64) -> (Vec<f64>, Vec<f64>) {
    let each = rows.iter().map(&value).collect();
    let problems = rows.chunk_by(|a, b| a.problem == b.problem);
    (each, problems.map(|of| stats::sum(of.iter().map(&value))).collect())
}

/// `result.json`.
pub fn result(model: &str, problems: usize, rows: &[Row]) -> Value {
    let of = |value: &dyn Fn(&Row) -> f64| {
        let (each, by_problem) = both(rows, value);
        json!({"checkpoint": spread(&each), "problem": spread(&by_problem)})
    };
    let mut costs = of(&|row| row.cost);
    costs["total"] = json!(stats::sum(rows.iter().map(|row| row.cost)));
    let n = float(rows.len() as u64);
    let full = |counts: Counts<'_>| {
        let all = |row: &&Row| {
            let (passed, total) = counts(row);
            passed == total && total > 0
        };
        rows.iter().filter(all).count() as u64
    };
    let strict = full(&|row| (row.passed(), row.total()));
    let isolated = full(&Row::isolated);
    let core = full(&|row| row.counts[Kind::Core as usize]);
    let problem_rows: Vec<&[Row]> = rows.chunk_by(|a, b| a.problem == b.problem).collect();
    let solved = |row: &Row| row.passed() == row.total();
    let held = |holds: &dyn Fn(&[Row]) -> bool| {
        float(problem_rows.iter().filter(|of| holds(of)).count() as u64)
    };
    let (whole, part) = (held(&|of| of.iter().all(solved)), held(&|of| of.iter().any(solved)));
    let of_problems = |n_held: f64| n_held / float(problems as u64) * 100.0;
    let percent = |n_solved: u64| float(n_solved) / n * 100.0;
    json!({
        "model": model, "thinking": "none", "prompt": "just-solve", "agent_type": "claude_code", "agent_version": "2.1.0",
        "num_problems": problems, "num_checkpoints": rows.len(), "expected_checkpoints": rows.len(),
        "costs": costs, "time": of(&|row| float(row.seconds)), "tokens": tokens(problems, rows), "steps": of(&|row| float(row.steps)),
        "checkpoints_solved": strict, "checkpoints_iso_solved": isolated, "checkpoints_core_solved": core,
        "problem_solved": whole, "problem_partial": part, "pct_checkpoints_solved": percent(strict),
        "pct_checkpoints_iso_solved": percent(isolated), "pct_problems_solved": of_problems(whole),
        "pct_problems_partial": of_problems(part), "pct_checkpoints_core_solved": percent(core),
        "pass_rates": pass_rates(&problem_rows, rows),
        "cc": {
            "high_count": of(&|row| float(row.complex))["checkpoint"], "high_mean": of(&|_| 14.0)["checkpoint"],
            "max": of(&|row| float(row.complexity))["checkpoint"],
        },
        "ratios": {
            "rubric": spread(&[]), "lint": of(&Row::lint_per_line)["checkpoint"],
            "violation_pct": of(&|row| 6.0 / float(row.lines))["checkpoint"],
        },
        "verbosity": spread(&[]), "erosion": spread(&[]),
    })
}

fn tokens(problems: usize, rows: &[Row]) -> Value {
    let names = ["input", "output", "cache_read", "cache_write", "reasoning"];
    let mut value = json!({});
    let (mut of_problem, mut of_checkpoint) = (json!({}), json!({}));
    for (at, name) in names.iter().enumerate() {
        let total: u64 = rows.iter().map(|row| row.tokens[at]).sum();
        value[name] = json!(total);
        of_problem[name] = json!(float(total) / float(problems as u64));
        of_checkpoint[name] = json!(float(total) / float(rows.len() as u64));
    }
    value["problem"] = of_problem;
    value["checkpoint"] = of_checkpoint;
    value
}

/// Means of the checkpoints' rates, and of the problems' means of them; a checkpoint without a test of a kind does not count.
fn pass_rates(problems: &[&[Row]], rows: &[Row]) -> Value {
    let mean = |rows: &[Row], counts: Counts<'_>| {
        let rates: Vec<f64> = rows.iter().map(counts).filter(|of| of.1 > 0).map(rate).collect();
        stats::exact_mean(&rates)
    };
    let of = |over: &dyn Fn(Counts<'_>) -> f64| {
        json!({
            "core": over(&|row| row.counts[Kind::Core as usize]), "total": over(&|row| (row.passed(), row.total())),
            "error": over(&|row| row.counts[Kind::Error as usize]),
            "functionality": over(&|row| row.counts[Kind::Functionality as usize]),
            "regression": over(&|row| row.counts[Kind::Regression as usize]),
        })
    };
    let by_problem = of(&|counts| {
        let means: Vec<f64> = problems.iter().map(|of| mean(of, counts).unwrap_or(0.0)).collect();
        stats::exact_mean(&means).unwrap_or(0.0)
    });
    let by_checkpoint = of(&|counts| mean(rows, counts).unwrap_or(0.0));
    json!({"problem": by_problem, "checkpoint": by_checkpoint})
}
