//! Numbers that an overview shows above its tables: cases, time, cost.

use crate::figures::Settings;
use crate::format;
use crate::model::Evaluation;
use crate::report::cells::NO_CASE_RULE;
use crate::report::{Cell, Headline, Num};
use crate::scoring::{Counts, TimingTotals, Totals, UsageTotals};
use crate::stats;

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
        _ if settings.rules.pass.is_some() => {
            "Cases that pass by the threshold in force; with the Wilson 95 % interval".to_owned()
        }
        Some(rule) if !rule.is_declared => format!(
            "Cases with score {} {}. The files have no rule for single cases, so this is Evalglass's own; with the Wilson 95 % interval",
            rule.op.sign(),
            rule.value
        ),
        // Weighted and logical gates have no one threshold to show.
        None if evaluation.config.gate.is_some() => {
            "Cases whose own scores meet the gate. The files have no rule for single cases, so this is Evalglass's own; with the Wilson 95 % interval".to_owned()
        }
        _ => "Share of all cases that pass, with its Wilson 95 % interval".to_owned(),
    };
    let mut headlines = vec![Headline {
        note: interval.map(|ci| Cell::Interval { low: Num(ci.low), high: Num(ci.high) }),
        ..headline(
            "Passed",
            share_of(passing, evaluation.config.no_case_rule.as_deref()),
            Some(&rule),
        )
    }];
    let attempted = sum(|counts| counts.attempted);
    let all = sum(|counts| counts.total);
    if attempted != all {
        headlines.push(headline(
            "Attempted",
            share(attempted, all),
            Some("Cases that completed without error, by the producer's own definition"),
        ));
    }
    let left_out = sum(|counts| counts.left_out);
    if left_out > 0 {
        headlines.push(headline(
            "Left out",
            Cell::Count(left_out),
            Some("Cases that the rules in force leave out of every rate"),
        ));
    }
    headlines
}

/// A share of cases.
fn share(part: u64, whole: u64) -> Cell {
    if whole == 0 {
        Cell::Missing("there is no case".to_owned())
    } else {
        Cell::Share { part, whole }
    }
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
            "Duration",
            Cell::Secs(Num(secs)),
            Some("Wall-clock time of the evaluation"),
        ));
    }
    // Percentiles of several totals do not add up to one.
    if let [Totals { timing: Some(timing), .. }] = totals {
        let of_case = [
            ("Median case", timing.p50_secs, "Upper middle value of the cases' durations"),
            (
                "95th percentile case",
                timing.p95_secs,
                "95 of 100 cases take no longer than this (rank ⌊0.95·n⌋)",
            ),
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
        let hint = format!(
            "{} read by the model, {} written",
            format::number(prompt, 0),
            format::number(completion, 0)
        );
        let value = Cell::Text(format::short_count(prompt + completion));
        headlines.push(headline("Tokens", value, Some(&hint)));
    }
    headlines.extend(side_times(totals));
    headlines
}

fn cost(totals: &[&Totals]) -> Option<Headline> {
    let usage = || totals.iter().filter_map(|totals| totals.usage.as_ref());
    let known: Vec<f64> = usage().filter_map(|usage| usage.cost_usd).map(|cost| cost.0).collect();
    let is_lower_bound = usage().any(|usage| usage.cost_missing > 0);
    let hint = if is_lower_bound {
        "Some cases have no price: the true cost is higher"
    } else {
        "Sum over the runs or cases that record it"
    };
    let amount = (!known.is_empty()).then(|| Num(stats::sum(known)))?;
    Some(headline("Cost", Cell::Usd { amount, is_lower_bound }, Some(hint)))
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
        headlines.push(headline("Steps", Cell::Number(steps), Some("Steps that the agent took")));
    }
    let tokens = [sum(|usage| usage.prompt_tokens), sum(|usage| usage.completion_tokens)];
    if let [Some(prompt), Some(completion)] = tokens {
        headlines.push(headline(
            "Prompt tokens",
            Cell::Number(prompt),
            Some("Tokens read by the model"),
        ));
        headlines.push(headline(
            "Completion tokens",
            Cell::Number(completion),
            Some("Tokens written by the model"),
        ));
    }
    headlines
}

/// A sum of seconds; one of them may be no number.
fn secs_cell(secs: Num) -> Cell {
    Cell::or_missing(
        Some(secs).filter(|secs| secs.0.is_finite()),
        Cell::Secs,
        "a file states a time that is not a number, so there is no sum",
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
        (
            "Agent time",
            sum(|timing| timing.agent_secs),
            "Time of the agent, summed over the runs that record it",
        ),
        (
            "Test time",
            sum(|timing| timing.test_secs),
            "Time of the tests, summed over the runs that record it",
        ),
    ];
    let known = times.into_iter().filter_map(|(label, secs, hint)| Some((label, secs?, hint)));
    known.map(|(label, secs, hint)| headline(label, secs_cell(secs), Some(hint))).collect()
}
