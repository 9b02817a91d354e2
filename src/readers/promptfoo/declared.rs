//! What prompts and the whole state about their own totals, by promptfoo's formulas.
//!
//! Sums over the rows of a prompt. A named score counts once for each row, times its weight from 0.123 on; its count
//! is that of the assertions that bear its name, at least one. Components count with the members of sets twice.

use super::head::FileHead;
use super::row::PromptfooRow;
use crate::model::{Declared, Scope, Unchecked};
use crate::readers::stated_figures::DeclaredFigures;
use crate::readers::unchecked_claims::{Claims, Part};
use serde_json::Value;

const DERIVED: &str = "a derived metric: an expression of the configuration over other metrics";
const CLOCK: &str = "wall-clock time, which is not the sum of the rows' latencies";
const GRADERS: &str = "what graders used is not recorded row by row";

/// Every figure of the file, and what cannot be checked.
pub(super) fn of(
    path: &str,
    head: &FileHead,
    rows: &[PromptfooRow],
    subjects: &[String],
    n_repeats: u32,
) -> (Vec<Declared>, Vec<Unchecked>) {
    let mut stated = DeclaredFigures::in_file(path);
    for (at, prompt) in head.prompts.iter().enumerate() {
        let Some(metrics) = prompt.get("metrics") else { continue };
        let own: Vec<&PromptfooRow> = rows.iter().filter(|row| row.prompt == at).collect();
        let scope = match (n_repeats, subjects.get(at)) {
            (1, _) | (_, None) => Scope::Run(at),
            (_, Some(subject)) => Scope::SubjectAggregate(subject.clone()),
        };
        of_prompt(&mut stated, &scope, &format!("results.prompts[{at}].metrics"), metrics, &own);
    }
    let all: Vec<&PromptfooRow> = rows.iter().collect();
    let stats = |name: &str| head.stats.get(name);
    let scope = Scope::Evaluation;
    let field = |name: &str| format!("results.stats.{name}");
    let [n_pass, n_fail, n_error] = counts(&all);
    stated.count(&scope, field("successes"), stats("successes"), n_pass, "rows with success");
    stated.count(
        &scope,
        field("failures"),
        stats("failures"),
        n_fail,
        "rows that an assertion fails",
    );
    stated.count(&scope, field("errors"), stats("errors"), n_error, "rows whose provider failed");
    tokens(&mut stated, &scope, &field("tokenUsage"), stats("tokenUsage"), &all);
    let mut claims = Claims::default();
    let document = serde_json::json!({"results": {"prompts": head.prompts, "stats": head.stats}});
    claims.walk(stated.file(), &document, "", stated.declared(), &|path| {
        let end =
            path.strip_prefix("results.prompts[].metrics.").or(path.strip_prefix("results.stats."));
        match end {
            Some(
                "durationMs"
                | "evaluationDurationMs"
                | "generationDurationMs"
                | "gradingDurationMs",
            ) => Part::Unchecked(CLOCK),
            Some("tokenUsage.assertions") => Part::Unchecked(GRADERS),
            Some("namedScores") => Part::Unchecked(DERIVED),
            Some(_) => Part::Open,
            None if path.starts_with("results.prompts[].")
                && path != "results.prompts[].metrics" =>
            {
                Part::Other
            }
            None => Part::Open,
        }
    });
    (stated.into_vec(), claims.into_vec())
}

/// Rows that pass, that an assertion fails, and whose provider failed.
fn counts(rows: &[&PromptfooRow]) -> [usize; 3] {
    let n = |is_it: &dyn Fn(&PromptfooRow) -> bool| rows.iter().filter(|row| is_it(row)).count();
    [n(&|row| row.is_success), n(&|row| !row.is_success && !row.is_error), n(&|row| row.is_error)]
}

fn of_prompt(
    stated: &mut DeclaredFigures,
    scope: &Scope,
    at: &str,
    metrics: &Value,
    rows: &[&PromptfooRow],
) {
    let member = |name: &str| metrics.get(name);
    let field = |name: &str| format!("{at}.{name}");
    let n = rows.len();
    let sum = |value: &dyn Fn(&PromptfooRow) -> Option<f64>| -> Option<f64> {
        Some(rows.iter().filter_map(|row| value(row)).sum())
    };
    let score = sum(&|row| row.score);
    stated.number(
        scope,
        field("score"),
        member("score"),
        score,
        format!("sum of the scores of {n} rows"),
    );
    let [n_pass, n_fail, n_error] = counts(rows);
    for (name, count, what) in [
        ("testPassCount", n_pass, "rows with success"),
        ("testFailCount", n_fail, "rows that an assertion fails"),
        ("testErrorCount", n_error, "rows whose provider failed"),
        (
            "assertPassCount",
            rows.iter().map(|row| row.n_passed_components).sum(),
            "components that pass",
        ),
        (
            "assertFailCount",
            rows.iter().map(|row| row.n_failed_components).sum(),
            "components that fail",
        ),
    ] {
        stated.count(scope, field(name), member(name), count, what);
    }
    let latency = sum(&|row| row.latency_ms);
    stated.number(
        scope,
        field("totalLatencyMs"),
        member("totalLatencyMs"),
        latency,
        "sum of latencyMs",
    );
    stated.number(
        scope,
        field("cost"),
        member("cost"),
        sum(&|row| row.cost),
        "sum of the rows' cost",
    );
    tokens(stated, scope, &field("tokenUsage"), member("tokenUsage"), rows);
    let has_weights = member("namedScoreWeights").is_some();
    for (part, what) in [
        ("namedScores", "sum over rows, times their weight"),
        ("namedScoresCount", "assertions with this name, at least one for each row"),
        ("namedScoreWeights", "sum of the rows' weights"),
    ] {
        for (name, value) in member(part).and_then(Value::as_object).into_iter().flatten() {
            let own: Vec<_> = rows
                .iter()
                .flat_map(|row| row.named.iter().filter(|(own, ..)| own == name))
                .collect();
            if own.is_empty() {
                continue;
            }
            #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
            let ours: f64 = match part {
                "namedScoresCount" => own.iter().map(|(.., n)| *n).sum::<usize>() as f64,
                "namedScoreWeights" => own.iter().map(|(_, _, weight, _)| weight).sum(),
                _ if has_weights => own.iter().map(|(_, score, weight, _)| score * weight).sum(),
                _ => own.iter().map(|(_, score, ..)| score).sum(),
            };
            stated.number(scope, format!("{at}.{part}.{name}"), Some(value), Some(ours), what);
        }
    }
}

/// Sums of token counts by path. A row that does not say how many requests it took took one.
fn tokens(
    stated: &mut DeclaredFigures,
    scope: &Scope,
    at: &str,
    usage: Option<&Value>,
    rows: &[&PromptfooRow],
) {
    let Some(usage) = usage.and_then(Value::as_object) else { return };
    let sum = |path: &str, missing: f64| -> f64 {
        let of =
            |row: &&PromptfooRow| row.tokens.iter().find(|(own, _)| own == path).map(|(_, n)| *n);
        rows.iter().map(|row| of(row).unwrap_or(missing)).sum()
    };
    for (name, value) in usage {
        let field = format!("{at}.{name}");
        match (name.as_str(), value) {
            ("assertions", _) => {}
            ("numRequests", _) => {
                let ours = Some(sum(name, 1.0));
                stated.number(
                    scope,
                    field,
                    Some(value),
                    ours,
                    "requests of the rows, at least one each",
                );
            }
            (_, Value::Object(members)) => {
                for (inner, value) in members {
                    let ours = Some(sum(&format!("{name}.{inner}"), 0.0));
                    let field = format!("{field}.{inner}");
                    stated.number(scope, field, Some(value), ours, "sum over the rows");
                }
            }
            _ => {
                let ours = Some(sum(name, 0.0));
                stated.number(scope, field, Some(value), ours, "sum over the rows");
            }
        }
    }
}
