//! Figures out of rows of the small tables.

use super::small::SmallRows;
use crate::model::{Kind, Outcome, RunUsage};
use crate::scoring::{
    Counts, ErrorTotals, GroupScore, KindCount, MetricTotals, Num, ResponseTimes, ScoreTotals,
    StoredGate, StoredVerdict, TimingTotals, Totals, UsageTotals,
};
use std::collections::BTreeMap;

/// Columns of all figures over a set of cases.
pub(super) const TOTALS: &[&str] = &[
    "total",
    "attempted",
    "passed",
    "failed",
    "errors",
    "skipped",
    "scored",
    "unscored",
    "mean_attempted",
    "mean_total",
    "mean_of_groups",
    "weighted",
    "ci95_low",
    "ci95_high",
    "n_scores",
    "reward",
    "prompt_tokens",
    "completion_tokens",
    "cached_input_tokens",
    "cache_write_tokens",
    "reasoning_tokens",
    "cost_usd",
    "cost_missing",
    "steps",
    "mean_secs",
    "mean_target_secs",
    "mean_extraction_secs",
    "p50_secs",
    "p95_secs",
    "agent_secs",
    "test_secs",
    "n_responses",
    "response_mean_secs",
    "response_p50_secs",
    "response_p95_secs",
    "response_max_secs",
];

/// Kinds of cases, with the columns of their counts.
pub(super) const KINDS: [(Kind, &str, &str); 4] = [
    (Kind::Core, "core_passed", "core_total"),
    (Kind::Functionality, "functionality_passed", "functionality_total"),
    (Kind::Regression, "regression_passed", "regression_total"),
    (Kind::Error, "error_kind_passed", "error_kind_total"),
];

/// Pass policies, with their columns.
pub(super) const POLICIES: [(&str, &str); 7] = [
    ("any", "policy_any"),
    ("any-case", "policy_any_case"),
    ("all-cases", "policy_all_cases"),
    ("all-non-error-cases", "policy_all_non_error_cases"),
    ("core-cases", "policy_core_cases"),
    ("any-core-cases", "policy_any_core_cases"),
    ("all-core-cases", "policy_all_core_cases"),
];

/// Columns of a verdict.
pub(super) const VERDICT: &[&str] = &["verdict", "rule", "reason", "declared_verdict"];

/// All figures over a set of cases. Errors are counted, and by no category: the tables have none.
pub(super) fn totals(row: &SmallRows) -> Totals {
    let errors = row.count_or_0("errors");
    Totals {
        counts: Counts {
            total: row.count_or_0("total"),
            attempted: row.count_or_0("attempted"),
            passed: row.count("passed"),
            failed: row.count("failed"),
            error: errors,
            skipped: row.count_or_0("skipped"),
            scored: row.count_or_0("scored"),
            unscored: row.count_or_0("unscored"),
            left_out: 0,
        },
        score: ScoreTotals {
            mean_attempted: row.num("mean_attempted"),
            mean_total: row.num("mean_total"),
            mean_of_groups: row.num("mean_of_groups"),
            weighted: row.num("weighted"),
            ci95: row.interval("ci95_low", "ci95_high"),
            n: row.count_or_0("n_scores"),
            under_rules: None,
        },
        reward: row.num("reward"),
        metrics: Vec::new(),
        usage: usage(row),
        timing: timing(row),
        errors: ErrorTotals { total: errors, ..ErrorTotals::default() },
    }
}

fn usage(row: &SmallRows) -> Option<UsageTotals> {
    let found = UsageTotals {
        prompt_tokens: row.num("prompt_tokens"),
        completion_tokens: row.num("completion_tokens"),
        cached_input_tokens: row.num("cached_input_tokens"),
        cache_write_tokens: row.num("cache_write_tokens"),
        reasoning_tokens: row.num("reasoning_tokens"),
        cost_usd: row.num("cost_usd"),
        steps: row.num("steps"),
        cost_missing: row.count_or_0("cost_missing"),
    };
    (row.count("cost_missing").is_some() || found != UsageTotals::default()).then_some(found)
}

fn timing(row: &SmallRows) -> Option<TimingTotals> {
    let responses = || {
        Some(ResponseTimes {
            n: row.count("n_responses")?,
            mean_secs: row.num("response_mean_secs")?,
            p50_secs: row.num("response_p50_secs")?,
            p95_secs: row.num("response_p95_secs")?,
            max_secs: row.num("response_max_secs")?,
        })
    };
    let found = TimingTotals {
        mean_secs: row.num("mean_secs"),
        mean_target_secs: row.num("mean_target_secs"),
        mean_extraction_secs: row.num("mean_extraction_secs"),
        p50_secs: row.num("p50_secs"),
        p95_secs: row.num("p95_secs"),
        agent_secs: row.num("agent_secs"),
        test_secs: row.num("test_secs"),
        per_metric_mean_secs: BTreeMap::new(),
        responses: responses(),
    };
    (found != TimingTotals::default()).then_some(found)
}

/// Verdict with its rule and reason; `None`: there is none.
pub(super) fn verdict(row: &SmallRows) -> Option<StoredVerdict> {
    Some(StoredVerdict {
        outcome: Outcome::from_text(row.text("verdict")?)?,
        rule: row.owned("rule").unwrap_or_default(),
        reason: row.owned("reason").unwrap_or_default(),
        declared: row.owned("declared_verdict"),
    })
}

/// What the gate of a repeat gave; `None`: it has none.
pub(super) fn gate(row: &SmallRows) -> Option<StoredGate> {
    Some(StoredGate {
        reason: row.owned("gate_reason")?,
        value: row.num("gate_value"),
        is_passed: row.flag("gate_passed"),
        declared_passed: row.flag("gate_declared_passed"),
    })
}

/// Passed and all cases by kind.
pub(super) fn by_kind(row: &SmallRows) -> BTreeMap<Kind, KindCount> {
    let count = |(kind, passed, total): (Kind, &str, &str)| {
        let (passed, total) = (row.count(passed)?, row.count(total)?);
        Some((kind, KindCount { passed, total, first_failed: None }))
    };
    KINDS.into_iter().filter_map(count).collect()
}

/// Pass policies, and whether each holds.
pub(super) fn policies(row: &SmallRows) -> Vec<(String, bool)> {
    let held = |(name, column): (&str, &str)| Some((name.to_owned(), row.flag(column)?));
    POLICIES.into_iter().filter_map(held).collect()
}

/// What is known of the run as a whole only.
pub(super) fn own_usage(row: &SmallRows) -> Option<RunUsage> {
    let found = RunUsage {
        prompt_tokens: row.number("own_prompt_tokens"),
        completion_tokens: row.number("own_completion_tokens"),
        cached_input_tokens: row.number("own_cached_input_tokens"),
        cache_write_tokens: row.number("own_cache_write_tokens"),
        reasoning_tokens: row.number("own_reasoning_tokens"),
        cost_usd: row.number("own_cost_usd"),
        n_steps: None,
        agent_secs: None,
    };
    (found != RunUsage::default()).then_some(found)
}

/// A group of a run.
pub(super) fn group(row: &SmallRows) -> GroupScore {
    GroupScore {
        name: row.owned("name").unwrap_or_default(),
        kind: row.text("kind").and_then(Kind::from_text),
        weight: row.num("weight").unwrap_or(Num(1.0)),
        cases: row.count_or_0("cases"),
        passed: row.count_or_0("passed"),
        score: row.num("score"),
        ci95: row.interval("ci95_low", "ci95_high"),
        n_scores: row.count_or_0("n_scores"),
        n_undefined: row.count_or_0("n_undefined"),
        duration_secs: row.num("duration_secs"),
    }
}

/// A metric of a run.
pub(super) fn metric(row: &SmallRows) -> MetricTotals {
    let name = row.owned("name").unwrap_or_default();
    MetricTotals {
        label: row.owned("label").unwrap_or_else(|| name.clone()),
        name,
        n: row.count_or_0("n"),
        mean_attempted: row.num("mean_attempted"),
        mean_of_attempted: None,
        mean_total: row.num("mean_total"),
        passed: row.count("passed"),
        failed: row.count("failed"),
        pass_rate: row.num("pass_rate"),
        ci95: row.interval("ci95_low", "ci95_high"),
    }
}
