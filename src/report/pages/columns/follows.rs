//! What follows from how a table is read: sentences that somebody can check against the file.

use crate::format::{count, number, secs, usd};
use crate::model::{Better, Outcome};
use crate::report::cells::score_better;
use crate::scoring::Totals;
use crate::stats::mean;
use crate::words::report::cases as words;
use crate::words::terms::LOWER_IS_BETTER;
use crate::workspace::Entry;

/// Names that a sentence lists, at the most.
const MAX_NAMES: usize = 6;

/// What was read, in sentences. `score` writes a score 0–1.
pub(super) fn sentences(entry: &Entry, score: &dyn Fn(f64) -> String) -> Vec<String> {
    let runs = &entry.evaluation.runs;
    let cases = || runs.iter().map(|run| &run.cases);
    let n_cases: u64 = cases().map(|cases| cases.len() as u64).sum();
    let names: Vec<&str> = runs.iter().map(|run| run.label.as_str()).collect();
    let mut all = vec![words::cases_in_runs(n_cases, runs.len() as u64, &listed(&names))];
    let scores: Vec<f64> = cases().flat_map(|cases| cases.score.iter().flatten()).collect();
    let n_scores = scores.len() as u64;
    // A score beyond 0–1 is no share of anything.
    let is_share = scores.iter().all(|score| (0.0..=1.0).contains(score));
    let written = |value: f64| if is_share { score(value) } else { number(value, 4) };
    all.push(match mean(scores) {
        Some(mean) => {
            let is_less = score_better(&entry.evaluation) == Some(Better::Less);
            let n_without = n_cases.saturating_sub(n_scores);
            let less = is_less.then_some(LOWER_IS_BETTER);
            words::scores(n_scores, &written(mean), n_without, less)
        }
        None => words::NO_SCORES.to_owned(),
    });
    all.push(outcomes(entry));
    let groups: Vec<&str> = distinct(cases().flat_map(|cases| cases.group.words()));
    if !groups.is_empty() {
        all.push(words::groups(groups.len() as u64, &listed(&groups)));
    }
    let metrics: Vec<&str> = distinct(runs.iter().flat_map(|run| run.checks.name.words()));
    if !metrics.is_empty() {
        all.push(words::metrics(metrics.len() as u64, &listed(&metrics)));
    }
    let figures = entry.figures.runs.iter().map(|run| &run.totals);
    all.extend(spent(entry, figures));
    all
}

/// How the cases came out: `18 passed, 19 failed, 5 unscored.`
fn outcomes(entry: &Entry) -> String {
    let mut counts: Vec<(Outcome, u64)> =
        Outcome::ALL.iter().map(|outcome| (*outcome, 0)).collect();
    for run in &entry.evaluation.runs {
        let outcome_of = run.cases.outcomes();
        for outcome in (0..run.cases.len()).map(outcome_of) {
            if let Some((_, n)) = counts.iter_mut().find(|(own, _)| *own == outcome) {
                *n += 1;
            }
        }
    }
    counts.retain(|(_, n)| *n > 0);
    let words = counts.iter().map(|(outcome, n)| match outcome {
        Outcome::Error => words::errors(*n),
        other => format!("{} {}", count(*n), other.as_str()),
    });
    format!("{}.", words.collect::<Vec<_>>().join(", "))
}

/// Time, tokens and money, where the table has them.
fn spent<'a>(entry: &Entry, totals: impl Iterator<Item = &'a Totals>) -> Vec<String> {
    let mut all = Vec::new();
    let cases = || entry.evaluation.runs.iter().map(|run| &run.cases);
    let durations = || cases().flat_map(|cases| cases.duration_secs.iter().flatten());
    if let Some(mean) = mean(durations()) {
        let n = durations().count() as u64;
        all.push(words::durations(n, &secs(mean)));
    }
    let mut cost: Option<f64> = None;
    let mut tokens: Option<f64> = None;
    for usage in totals.filter_map(|totals| totals.usage.as_ref()) {
        let add = |sum: &mut Option<f64>, part: Option<f64>| {
            if let Some(part) = part {
                *sum = Some(sum.unwrap_or_default() + part);
            }
        };
        add(&mut cost, usage.cost_usd.map(|cost| cost.0));
        for part in [usage.prompt_tokens, usage.completion_tokens] {
            add(&mut tokens, part.map(|part| part.0));
        }
    }
    all.extend(cost.map(|cost| words::cost_in_all(&usd(cost, false))));
    all.extend(tokens.map(|tokens| words::tokens_in_all(&number(tokens, 0))));
    all
}

fn distinct<'a>(words: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut known = Vec::new();
    for word in words {
        if !known.contains(&word) {
            known.push(word);
        }
    }
    known
}

/// `a, b and 4 more`.
fn listed(names: &[&str]) -> String {
    let shown = names.iter().take(MAX_NAMES).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MAX_NAMES) {
        0 => shown,
        n => words::and_more(&shown, n as u64),
    }
}
