//! The summary of a slop-code run directory, computed anew from its rows: what `result.json` says.
//!
//! Producer's definition: `metrics/summary` of 6b31994 – v1.0. Three dialects, told apart by the
//! words of the rows: the first (G1 to G2b), the one whose rows have `mass.*` (from January 2026),
//! and the one with `strict_pass_rate` (from v0.3). Sums are compensated, means and deviations
//! exact, as in Python 3.12; fixtures `g1/runs/*/result.json` and `g2/*/*/result.json` are
//! reproduced bit for bit.

use crate::model::Evaluation;
use crate::stats;
use serde_json::{Map, Value, json};

type SummaryRow = Map<String, Value>;

/// How a dialect names and counts.
struct SummaryDialect {
    all_rate: &'static str,
    isolated_rate: &'static str,
    seconds: &'static str,
    /// Rows without a case of a kind do not count in its mean rate (before: as 0).
    skips_empty: bool,
    /// Weight of extremely complex functions in the erosion.
    extreme_weight: f64,
    is_new: bool,
}

fn dialect(rows: &[SummaryRow]) -> SummaryDialect {
    let has =
        |is_it: &dyn Fn(&str) -> bool| rows.iter().any(|row| row.keys().any(|key| is_it(key)));
    let is_new = has(&|key| key == "strict_pass_rate");
    let has_mass = is_new || has(&|key| key.starts_with("mass."));
    SummaryDialect {
        all_rate: if is_new { "strict_pass_rate" } else { "pass_rate" },
        isolated_rate: if is_new { "isolated_pass_rate" } else { "checkpoint_pass_rate" },
        seconds: if is_new { "duration" } else { "elapsed" },
        skips_empty: has_mass,
        extreme_weight: if has_mass { 2.0 } else { 1.0 },
        is_new,
    }
}

/// The summary of `evaluation`; `None` when it has no rows.
pub fn run_summary(evaluation: &Evaluation) -> Option<Value> {
    (!evaluation.rows.is_empty()).then(|| summary(&evaluation.rows, &evaluation.declared_json))
}

/// The summary of `rows`, headed by what `documents` (the declared `result` and `config`) say.
pub fn summary(rows: &[SummaryRow], documents: &Value) -> Value {
    let dialect = dialect(rows);
    let problems = by_problem(rows);
    let mut out = header(documents);
    out.insert("num_problems".to_owned(), json!(problems.len()));
    out.insert("num_checkpoints".to_owned(), json!(rows.len()));
    let expected = documents.pointer("/result/expected_checkpoints").and_then(Value::as_u64);
    let n_expected = expected.unwrap_or(rows.len() as u64);
    if dialect.is_new {
        out.insert("expected_checkpoints".to_owned(), json!(n_expected));
    }
    let sums = |key: &str| -> Vec<f64> {
        problems
            .iter()
            .map(|rows| stats::sum(rows.iter().filter_map(|row| get(row, key))))
            .collect()
    };
    let costs = values(rows, "cost");
    out.insert(
        "costs".to_owned(),
        json!({"checkpoint": spread(&costs), "problem": spread(&sums("cost")),
            "total": number(stats::sum(costs))}),
    );
    let timed = |rows: &&Vec<&SummaryRow>| {
        !dialect.is_new || rows.iter().any(|row| get(row, dialect.seconds).is_some())
    };
    let problem_secs: Vec<f64> = problems
        .iter()
        .filter(timed)
        .map(|rows| stats::sum(rows.iter().filter_map(|row| get(row, dialect.seconds))))
        .collect();
    out.insert(
        "time".to_owned(),
        json!({"checkpoint": spread(&values(rows, dialect.seconds)), "problem": spread(&problem_secs)}),
    );
    out.insert("tokens".to_owned(), tokens(rows, &sums));
    out.insert(
        "steps".to_owned(),
        json!({"checkpoint": spread(&values(rows, "steps")), "problem": spread(&sums("steps"))}),
    );
    solved(rows, &problems, &dialect, n_expected, documents, &mut out);
    out.insert("pass_rates".to_owned(), pass_rates(rows, &problems, &dialect));
    out.insert(
        "cc".to_owned(),
        json!({"high_count": spread(&values(rows, "cc_high_count")),
            "high_mean": spread(&values(rows, "high_cc_mean")), "max": spread(&values(rows, "cc_max"))}),
    );
    out.insert("ratios".to_owned(), ratios(rows, &dialect));
    if !dialect.is_new {
        out.insert("delta".to_owned(), deltas(rows));
    }
    let (verbosity, erosion) = composites(rows, &dialect);
    out.insert("verbosity".to_owned(), spread(&verbosity));
    out.insert("erosion".to_owned(), spread(&erosion));
    Value::Object(out)
}

/// Who ran what: from the config as the original does, else from the declared summary.
fn header(documents: &Value) -> Map<String, Value> {
    let text = |pointer: &str| documents.pointer(pointer).filter(|value| !value.is_null()).cloned();
    let prompt = || {
        let path = text("/config/prompt_path")?;
        let name = path.as_str()?.rsplit('/').next()?.to_owned();
        let stem = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
        Some(Value::from(stem.map_or(name.as_str(), |(stem, _)| stem)))
    };
    let as_text = |value: Value| match value {
        Value::Number(number) => Value::from(number.to_string()),
        other => other,
    };
    let mut out = Map::new();
    let mut put = |key: &str, config: Option<Value>| {
        let value = config.map(as_text).or_else(|| text(&format!("/result/{key}")));
        out.insert(key.to_owned(), value.unwrap_or(Value::Null));
    };
    put("model", text("/config/model/name"));
    put("thinking", text("/config/thinking"));
    put("prompt", prompt());
    put("agent_type", text("/config/agent/type"));
    put("agent_version", text("/config/agent/version"));
    out
}

fn get(row: &SummaryRow, key: &str) -> Option<f64> {
    let value = row.get(key)?;
    value.as_f64().or_else(|| match value.as_str()? {
        "NaN" => Some(f64::NAN),
        "Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        _ => None,
    })
}

fn values(rows: &[SummaryRow], key: &str) -> Vec<f64> {
    rows.iter().filter_map(|row| get(row, key)).collect()
}

/// Rows by problem, in the order in which problems first occur.
fn by_problem(rows: &[SummaryRow]) -> Vec<Vec<&SummaryRow>> {
    let mut problems: Vec<(&str, Vec<&SummaryRow>)> = Vec::new();
    for row in rows {
        let name = row.get("problem").and_then(Value::as_str).unwrap_or("unknown");
        match problems.iter_mut().find(|(known, _)| *known == name) {
            Some((_, own)) => own.push(row),
            None => problems.push((name, vec![row])),
        }
    }
    problems.into_iter().map(|(_, rows)| rows).collect()
}

/// A float; not-finite ones as text.
fn number(number: f64) -> Value {
    match serde_json::Number::from_f64(number) {
        Some(finite) => Value::Number(finite),
        None if number.is_nan() => json!("NaN"),
        None if number > 0.0 => json!("Infinity"),
        None => json!("-Infinity"),
    }
}

fn maybe(value: Option<f64>) -> Value {
    value.map_or(Value::Null, number)
}

/// Mean, sample deviation, extremes, median, count.
fn spread(values: &[f64]) -> Value {
    json!({
        "mean": maybe(stats::exact_mean(values)),
        "stddev": maybe(stats::exact_stdev(values)),
        "min": maybe(values.iter().copied().reduce(f64::min)),
        "max": maybe(values.iter().copied().reduce(f64::max)),
        "median": maybe(stats::median(values)),
        "count": values.len(),
    })
}

fn tokens(rows: &[SummaryRow], sums: &dyn Fn(&str) -> Vec<f64>) -> Value {
    const TYPES: [&str; 5] = ["input", "output", "cache_read", "cache_write", "reasoning"];
    let mean = |values: &[f64]| number(stats::exact_mean(values).unwrap_or(0.0));
    let mut out = Map::new();
    for name in TYPES {
        out.insert(name.to_owned(), whole(stats::sum(values(rows, name))));
    }
    let problem: SummaryRow =
        TYPES.iter().map(|&name| (name.to_owned(), mean(&sums(name)))).collect();
    let checkpoint: SummaryRow =
        TYPES.iter().map(|&name| (name.to_owned(), mean(&values(rows, name)))).collect();
    out.insert("problem".to_owned(), Value::Object(problem));
    out.insert("checkpoint".to_owned(), Value::Object(checkpoint));
    Value::Object(out)
}

/// Python's `int` of a float, as far as it fits.
#[expect(clippy::cast_possible_truncation, reason = "checked to fit")]
fn whole(value: f64) -> Value {
    if value.abs() < 9e15 { json!(value.trunc() as i64) } else { number(value) }
}

/// Python's `math.isclose` to 1.
fn is_one(rate: f64) -> bool {
    (rate - 1.0).abs() <= 1e-9 * rate.abs().max(1.0)
}

#[expect(clippy::cast_precision_loss, reason = "counts of checkpoints stay far below 2^53")]
fn solved(
    rows: &[SummaryRow],
    problems: &[Vec<&SummaryRow>],
    dialect: &SummaryDialect,
    n_expected: u64,
    documents: &Value,
    out: &mut Map<String, Value>,
) {
    let n_solved = |key: &str| values(rows, key).into_iter().filter(|&rate| is_one(rate)).count();
    let counted = [
        ("solved", n_solved(dialect.all_rate)),
        ("iso_solved", n_solved(dialect.isolated_rate)),
        ("core_solved", n_solved("core_pass_rate")),
    ];
    for (name, count) in counted {
        out.insert(format!("checkpoints_{name}"), json!(count));
    }
    let rate = |row: &&SummaryRow| get(row, dialect.all_rate).unwrap_or(0.0);
    let is_last = |row: &&SummaryRow| row.get("is_last").and_then(Value::as_bool);
    let is_solved = |rows: &&Vec<&SummaryRow>| {
        let is_complete = !dialect.is_new
            || rows.iter().all(|row| is_last(row).is_none())
            || rows.iter().any(|row| is_last(row) == Some(true));
        is_complete && rows.iter().all(|row| is_one(rate(row)))
    };
    let is_partial = |rows: &&Vec<&SummaryRow>| rows.iter().any(|row| is_one(rate(row)));
    let n_full = problems.iter().filter(is_solved).count() as f64;
    let n_partial = problems.iter().filter(is_partial).count() as f64;
    out.insert("problem_solved".to_owned(), number(n_full));
    out.insert("problem_partial".to_owned(), number(n_partial));
    let has_expected = dialect.is_new
        && documents
            .get("result")
            .is_none_or(|result| result.get("expected_checkpoints").is_some());
    let n_checkpoints = if has_expected { n_expected as f64 } else { rows.len() as f64 };
    let percent =
        |part: f64, whole: f64| number(if whole > 0.0 { part / whole * 100.0 } else { 0.0 });
    for (name, count) in counted.into_iter().take(2) {
        out.insert(format!("pct_checkpoints_{name}"), percent(count as f64, n_checkpoints));
    }
    let n_problems = problems.len() as f64;
    out.insert("pct_problems_solved".to_owned(), percent(n_full, n_problems));
    out.insert("pct_problems_partial".to_owned(), percent(n_partial, n_problems));
    for (name, count) in counted.into_iter().skip(2) {
        out.insert(format!("pct_checkpoints_{name}"), percent(count as f64, n_checkpoints));
    }
}

fn pass_rates(
    rows: &[SummaryRow],
    problems: &[Vec<&SummaryRow>],
    dialect: &SummaryDialect,
) -> Value {
    const TYPES: [(&str, &str, &str); 5] = [
        ("core", "core_passed", "core_total"),
        ("total", "passed_tests", "total_tests"),
        ("error", "error_passed", "error_total"),
        ("functionality", "functionality_passed", "functionality_total"),
        ("regression", "regression_passed", "regression_total"),
    ];
    let mean_rate = |rows: &[&SummaryRow], passed: &str, total: &str| {
        let rates: Vec<f64> = rows
            .iter()
            .filter_map(|row| match (get(row, passed), get(row, total)) {
                (Some(passed), Some(total)) if total != 0.0 => Some(passed / total),
                _ => (!dialect.skips_empty).then_some(0.0),
            })
            .collect();
        stats::exact_mean(&rates).unwrap_or(0.0)
    };
    let all: Vec<&SummaryRow> = rows.iter().collect();
    let (mut by_problem, mut by_checkpoint) = (Map::new(), Map::new());
    for (name, passed, total) in TYPES {
        let means: Vec<f64> = problems.iter().map(|rows| mean_rate(rows, passed, total)).collect();
        by_problem.insert(name.to_owned(), number(stats::exact_mean(&means).unwrap_or(0.0)));
        by_checkpoint.insert(name.to_owned(), number(mean_rate(&all, passed, total)));
    }
    json!({"problem": by_problem, "checkpoint": by_checkpoint})
}

fn ratios(rows: &[SummaryRow], dialect: &SummaryDialect) -> Value {
    let per_loc = |key: &str| -> Vec<f64> {
        let pairs = rows.iter().filter_map(|row| Some((get(row, key)?, get(row, "loc")?)));
        pairs.filter(|(_, loc)| *loc > 0.0).map(|(part, loc)| part / loc).collect()
    };
    let mut out = Map::new();
    out.insert("rubric".to_owned(), spread(&per_loc("rubric_total_flags")));
    out.insert("lint".to_owned(), spread(&per_loc("lint_errors")));
    if dialect.is_new {
        out.insert("violation_pct".to_owned(), spread(&values(rows, "violation_pct")));
    } else {
        out.insert("ast_grep".to_owned(), spread(&per_loc("ast_grep_violations")));
    }
    Value::Object(out)
}

fn deltas(rows: &[SummaryRow]) -> Value {
    let delta = |key: &str| {
        let mut found = values(rows, &format!("delta.{key}"));
        found.retain(|&value| value != f64::INFINITY);
        spread(&found)
    };
    json!({
        "lint": delta("lint_errors"),
        "complex": delta("cc_high_count"),
        "ast_grep": delta("ast_grep_violations"),
        "comparisons": delta("comparisons"),
        "rubric_non_carryover": delta("new_violations_per_loc"),
    })
}

/// Verbosity and erosion of each row that has what they need.
fn composites(rows: &[SummaryRow], dialect: &SummaryDialect) -> (Vec<f64>, Vec<f64>) {
    if dialect.is_new {
        return (values(rows, "verbosity"), values(rows, "erosion"));
    }
    let (mut verbosity, mut erosion) = (Vec::new(), Vec::new());
    for row in rows {
        let of = |key: &str| get(row, key).unwrap_or(0.0);
        let n_callables = of("functions") + of("methods");
        if n_callables <= 0.0 {
            continue;
        }
        if of("loc") > 0.0 {
            let flags = (of("ast_grep_violations") + of("rubric_total_flags")) / of("loc");
            let wrappers = of("trivial_wrappers") / n_callables;
            verbosity.push(flags + wrappers + of("single_use_functions") / n_callables);
        }
        let n_complex = of("cc_high_count") + of("cc_extreme_count") * dialect.extreme_weight;
        erosion.push(n_complex / n_callables + of("lint_per_loc"));
    }
    (verbosity, erosion)
}
