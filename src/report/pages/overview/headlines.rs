//! Numbers that an overview shows above its tables: cases, time, cost.

use crate::figures::Settings;
use crate::format;
use crate::model::Evaluation;
use crate::report::cells::NO_CASE_RULE;
use crate::report::{Cell, Headline, Num};
use crate::scoring::{Counts, TimingTotals, Totals, UsageTotals};
use crate::stats;
use crate::words::report::overview::headlines as words;

/// A number with its label and its definition.
pub(in crate::report) fn headline(label: &str, value: Cell, hint: Option<&str>) -> Headline {
    Headline { label: label.to_owned(), value, note: None, hint: hint.map(str::to_owned) }
}

/// Cases that pass, and those that were attempted or left out. Errors and skipped cases are told by outcome.
pub(super) fn count_headlines(
    totals: &[&Totals],
    evaluation: &Evaluation,
    settings: &Settings,
) -> Vec<Headline> {
    let sum =
        |get: fn(&Counts) -> u64| totals.iter().map(|totals| get(&totals.counts)).sum::<u64>();
    let passing = Counts::passing_of(totals.iter().map(|totals| &totals.counts));
    let interval = passing.and_then(|(passed, total)| stats::wilson_interval(passed, total));
    let rule = match evaluation.config.pass_rule {
        _ if settings.rules.pass.is_some() => words::PASSED_BY_OWN_THRESHOLD.to_owned(),
        Some(rule) if !rule.is_declared => {
            words::passed_by_rule_of_ours(rule.op.sign(), rule.value)
        }
        // Weighted and logical gates have no one threshold to show.
        None if evaluation.config.gate.is_some() => words::PASSED_BY_GATE.to_owned(),
        _ => words::PASSED_BY_FILES.to_owned(),
    };
    let mut headlines = vec![Headline {
        note: interval.map(|ci| Cell::Interval { low: Num(ci.low), high: Num(ci.high) }),
        ..headline(
            words::PASSED,
            share_of(passing, evaluation.config.no_case_rule.as_deref()),
            Some(&rule),
        )
    }];
    let attempted = sum(|counts| counts.attempted);
    let all = sum(|counts| counts.total);
    if attempted != all {
        headlines.push(headline(
            words::ATTEMPTED,
            share(attempted, all),
            Some(words::ATTEMPTED_HINT),
        ));
    }
    let left_out = sum(|counts| counts.left_out);
    if left_out > 0 {
        headlines.push(headline(
            words::LEFT_OUT,
            Cell::Count(left_out),
            Some(words::LEFT_OUT_HINT),
        ));
    }
    headlines
}

/// A share of cases.
fn share(part: u64, whole: u64) -> Cell {
    if whole == 0 { Cell::Missing(words::NO_CASE.to_owned()) } else { Cell::Share { part, whole } }
}

/// Cases that pass, of how many; where no rule says what passes, `why` is the reason that the files
/// give.
pub(super) fn share_of(passing: Option<(u64, u64)>, why: Option<&str>) -> Cell {
    match passing {
        Some((passed, all)) => share(passed, all),
        None => Cell::Missing(why.unwrap_or(NO_CASE_RULE).to_owned()),
    }
}

/// How long it took, how long a case takes, what it took besides.
pub(super) fn time_and_cost(totals: &[&Totals], duration_secs: Option<f64>) -> Vec<Headline> {
    let mut headlines = Vec::new();
    if let Some(secs) = duration_secs {
        headlines.push(headline(
            words::DURATION,
            Cell::Secs(Num(secs)),
            Some(words::DURATION_HINT),
        ));
    }
    // Percentiles of several totals do not add up to one.
    if let [Totals { timing: Some(timing), .. }] = totals {
        let of_case = [
            (words::MEDIAN_CASE, timing.p50_secs, words::MEDIAN_CASE_HINT),
            (words::SLOW_CASE, timing.p95_secs, words::SLOW_CASE_HINT),
        ];
        for (label, secs, hint) in of_case {
            headlines.extend(secs.map(|secs| headline(label, Cell::Secs(secs), Some(hint))));
        }
    }
    headlines.extend(further_costs(totals));
    headlines
}

/// Cost, tokens, time of agent and tests: sums over the totals that have them.
pub(super) fn main_costs(totals: &[&Totals]) -> Vec<Headline> {
    let mut headlines: Vec<Headline> = cost(totals).into_iter().collect();
    let usage = || totals.iter().filter_map(|totals| totals.usage.as_ref());
    let sum = |get: fn(&UsageTotals) -> Option<Num>| {
        let found: Vec<f64> = usage().filter_map(get).map(|number| number.0).collect();
        (!found.is_empty()).then(|| stats::sum(found))
    };
    let tokens = [sum(|usage| usage.prompt_tokens), sum(|usage| usage.completion_tokens)];
    if let [Some(prompt), Some(completion)] = tokens {
        let hint = words::tokens_hint(prompt, completion);
        let value = Cell::Text(format::short_count(prompt + completion));
        headlines.push(headline(words::TOKENS, value, Some(&hint)));
    }
    headlines.extend(side_times(totals));
    headlines
}

fn cost(totals: &[&Totals]) -> Option<Headline> {
    let usage = || totals.iter().filter_map(|totals| totals.usage.as_ref());
    let known: Vec<f64> = usage().filter_map(|usage| usage.cost_usd).map(|cost| cost.0).collect();
    let is_lower_bound = usage().any(|usage| usage.cost_missing > 0);
    let hint = if is_lower_bound { words::COST_IN_PART_HINT } else { words::COST_HINT };
    let amount = (!known.is_empty()).then(|| Num(stats::sum(known)))?;
    Some(headline(words::COST, Cell::Usd { amount, is_lower_bound }, Some(hint)))
}

/// Steps and tokens: sums over the totals that have them. The rest is among [`main_costs`].
fn further_costs(totals: &[&Totals]) -> Vec<Headline> {
    let usage = || totals.iter().filter_map(|totals| totals.usage.as_ref());
    let sum = |get: fn(&UsageTotals) -> Option<Num>| {
        let found: Vec<f64> = usage().filter_map(get).map(|number| number.0).collect();
        (!found.is_empty()).then(|| Num(stats::sum(found)))
    };
    let mut headlines = Vec::new();
    if let Some(steps) = sum(|usage| usage.steps) {
        headlines.push(headline(words::STEPS, Cell::Number(steps), Some(words::STEPS_HINT)));
    }
    let tokens = [sum(|usage| usage.prompt_tokens), sum(|usage| usage.completion_tokens)];
    if let [Some(prompt), Some(completion)] = tokens {
        headlines.push(headline(
            words::PROMPT_TOKENS,
            Cell::Number(prompt),
            Some(words::PROMPT_TOKENS_HINT),
        ));
        headlines.push(headline(
            words::COMPLETION_TOKENS,
            Cell::Number(completion),
            Some(words::COMPLETION_TOKENS_HINT),
        ));
    }
    headlines
}

/// A sum of seconds; one of them may be no number.
fn secs_cell(secs: Num) -> Cell {
    Cell::or_missing(
        Some(secs).filter(|secs| secs.0.is_finite()),
        Cell::Secs,
        words::NO_SUM_OF_TIMES,
    )
}

/// Seconds of the agent and of the tests, each over the runs that say.
fn side_times(totals: &[&Totals]) -> Vec<Headline> {
    let sum = |get: fn(&TimingTotals) -> Option<Num>| {
        let timing = totals.iter().filter_map(|totals| totals.timing.as_ref());
        let found: Vec<f64> = timing.filter_map(get).map(|secs| secs.0).collect();
        (!found.is_empty()).then(|| Num(stats::sum(found)))
    };
    let times = [
        (words::AGENT_TIME, sum(|timing| timing.agent_secs), words::AGENT_TIME_HINT),
        (words::TEST_TIME, sum(|timing| timing.test_secs), words::TEST_TIME_HINT),
    ];
    let known = times.into_iter().filter_map(|(label, secs, hint)| Some((label, secs?, hint)));
    known.map(|(label, secs, hint)| headline(label, secs_cell(secs), Some(hint))).collect()
}
