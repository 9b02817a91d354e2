//! What each case of a side is worth.

use super::{Side, SideCases, SideRun};
use crate::model::{Better, Config, MeanOver, Outcome, Run, Verdict};
use crate::scoring::rules::{Missing, Rules};
use crate::stats;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What a case is worth by.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Valued {
    /// 1 where it passed, else 0.
    PassRate,
    /// Its own score.
    Score,
    /// Its score by a metric.
    Metric(String),
    /// US dollars.
    Cost,
    /// Seconds.
    Duration,
    /// Tokens read.
    PromptTokens,
    /// Tokens written.
    CompletionTokens,
}

impl Valued {
    /// The word of exports.
    pub fn word(&self) -> String {
        match self {
            Self::PassRate => "pass_rate".to_owned(),
            Self::Score => "score".to_owned(),
            Self::Metric(name) => format!("metric:{name}"),
            Self::Cost => "cost_usd".to_owned(),
            Self::Duration => "duration_secs".to_owned(),
            Self::PromptTokens => "prompt_tokens".to_owned(),
            Self::CompletionTokens => "completion_tokens".to_owned(),
        }
    }

    /// Whether it is what a run takes, of which lower is better whatever the files say.
    pub fn is_spent(&self) -> bool {
        matches!(self, Self::Cost | Self::Duration | Self::PromptTokens | Self::CompletionTokens)
    }
}

/// Which way the values of several sides are better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum BetterDirection {
    /// Higher is better, or no file says otherwise.
    Up,
    /// Lower is better.
    Down,
    /// Of some runs higher is better and of others less, so that their mean has no better end.
    Mixed,
}

/// Which way `by` is better on `sides`.
pub fn way<'a>(sides: impl IntoIterator<Item = &'a Side<'a>>, by: &Valued) -> BetterDirection {
    if by.is_spent() {
        return BetterDirection::Down;
    }
    let stated = |own: &SideRun<'_>| match by {
        Valued::Score => own.run.score_better,
        Valued::Metric(name) => own.config.better_of(name),
        _ => None,
    };
    let runs = sides.into_iter().flat_map(|side| &side.runs);
    let stated: Vec<Better> = runs.filter_map(stated).collect();
    match (stated.contains(&Better::Less), stated.contains(&Better::More)) {
        (true, true) => BetterDirection::Mixed,
        (true, false) => BetterDirection::Down,
        (false, _) => BetterDirection::Up,
    }
}

/// A number for each case of a side.
#[derive(Debug, Clone, Default)]
pub struct Values {
    /// By case, the mean over its trials; NaN: it has none.
    pub mean: Vec<f64>,
    /// By case, the variance of that mean by its own trials; NaN: it has fewer than two. Empty: no case has.
    pub own: Vec<f64>,
    /// Whether every value is 0 or 1, of one trial.
    pub is_binary: bool,
}

/// How a case came out over its trials.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Came {
    /// So, in every trial.
    Out(Outcome),
    /// Otherwise in some than in others.
    Mixed,
}

impl Came {
    /// How many there are.
    pub const N_WAYS: usize = Outcome::ALL.len() + 1;

    /// All of them, in their order.
    pub fn all() -> impl Iterator<Item = Self> {
        Outcome::ALL.iter().map(|outcome| Self::Out(*outcome)).chain([Self::Mixed])
    }

    /// Its place in [`Self::all`].
    pub fn index(self) -> usize {
        match self {
            Self::Out(outcome) => outcome.index(),
            Self::Mixed => Outcome::ALL.len(),
        }
    }

    /// The word of exports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Out(outcome) => outcome.as_str(),
            Self::Mixed => "mixed",
        }
    }
}

/// How each case of `side` came out.
pub fn came(side: &Side<'_>, cases: &SideCases) -> Vec<Came> {
    if !cases.has_repeats() {
        // Every row is a case, in the order of the runs.
        let mut found = Vec::with_capacity(cases.len());
        for own in &side.runs {
            found.extend(
                own.run
                    .cases
                    .outcome
                    .mapped(Came::Out(Outcome::Unscored), |word| Came::Out(Outcome::of_word(word))),
            );
        }
        return found;
    }
    let outcomes: Vec<Vec<Outcome>> = side
        .runs
        .iter()
        .map(|own| {
            let of = own.run.cases.outcomes();
            (0..own.run.cases.len()).map(of).collect()
        })
        .collect();
    let of_trial = |trial: u32| {
        let (run, row) = cases.place(trial)?;
        outcomes.get(run)?.get(row).copied()
    };
    (0..cases.len())
        .map(|case| {
            let mut all = cases.trials(case).iter().filter_map(|trial| of_trial(*trial));
            let Some(first) = all.next() else { return Came::Out(Outcome::Unscored) };
            if all.all(|outcome| outcome == first) { Came::Out(first) } else { Came::Mixed }
        })
        .collect()
}

/// The metrics that the files of `side` name, in their order.
pub fn metrics_of(side: &Side<'_>) -> Vec<String> {
    let mut known = BTreeSet::new();
    let names = side.runs.iter().flat_map(|own| &own.config.metrics);
    names.filter(|name| known.insert((*name).clone())).cloned().collect()
}

/// What each case of `side` is worth, as `rules` count errors, skipped and unscored cases. `None`: no case has
/// a value.
pub fn values(side: &Side<'_>, cases: &SideCases, by: &Valued, rules: &Rules) -> Option<Values> {
    let rows: Vec<Vec<f64>> = side.runs.iter().map(|own| row_values(own, by, rules)).collect();
    if !rows.iter().flatten().any(|value| !value.is_nan()) {
        return None;
    }
    if !cases.has_repeats() {
        // Every row is a case, in the order of the runs.
        let mean = if rows.len() == 1 { rows.into_iter().next()? } else { rows.concat() };
        // No branch between the three: which of them comes next cannot be predicted.
        let is_binary = mean.iter().all(|v| v.is_nan() | (*v == 0.0) | (*v == 1.0));
        return Some(Values { mean, own: Vec::new(), is_binary });
    }
    let of_trial = |trial: u32| {
        let (run, row) = cases.place(trial)?;
        rows.get(run)?.get(row).copied().filter(|value| !value.is_nan())
    };
    let mut found = Values { mean: Vec::with_capacity(cases.len()), ..Values::default() };
    found.is_binary = true;
    let mut own: Vec<f64> = Vec::new();
    for case in 0..cases.len() {
        own.clear();
        own.extend(cases.trials(case).iter().filter_map(|trial| of_trial(*trial)));
        let both = stats::mean_and_stdev(&own);
        let mean = both.map(|(mean, _)| mean).or(own.first().copied());
        found.mean.push(mean.unwrap_or(f64::NAN));
        #[expect(clippy::cast_precision_loss, reason = "few trials")]
        let variance = both.map(|(_, stdev)| stdev * stdev / own.len() as f64);
        found.own.push(variance.unwrap_or(f64::NAN));
        found.is_binary &= own.len() <= 1 && mean.is_none_or(|v| v == 0.0 || v == 1.0);
    }
    if found.own.iter().all(|variance| variance.is_nan()) {
        found.own = Vec::new();
    }
    Some(found)
}

/// The value of each row; NaN: it has none.
pub(crate) fn row_values(own: &SideRun<'_>, by: &Valued, rules: &Rules) -> Vec<f64> {
    let SideRun { run, config, .. } = *own;
    let cases = &run.cases;
    let n = cases.len();
    let column = |column: &crate::model::ValueColumn<crate::model::F64>| {
        let mut values = column.cells().filled(f64::NAN, n);
        values.iter_mut().filter(|value| !value.is_finite()).for_each(|value| *value = f64::NAN);
        values
    };
    match by {
        Valued::PassRate => pass_values(run, rules),
        Valued::Score => {
            let covers_all = config.mean_over == MeanOver::Graded;
            let mut scores = column(&cases.score);
            if !covers_all {
                for (score, is_attempted) in scores.iter_mut().zip(run.attempted_cases()) {
                    if !is_attempted {
                        *score = f64::NAN;
                    }
                }
            }
            counted(run, rules, scores)
        }
        Valued::Metric(name) => counted(run, rules, metric_values(run, config, name)),
        Valued::Cost => column(&cases.cost_usd),
        Valued::Duration => column(&cases.duration_secs),
        Valued::PromptTokens => column(&cases.prompt_tokens),
        Valued::CompletionTokens => column(&cases.completion_tokens),
    }
}

/// The values of `declared`, one for each case, as `rules` count them.
fn counted(run: &Run, rules: &Rules, mut declared: Vec<f64>) -> Vec<f64> {
    if rules.changes_counting() {
        for (value, standing) in declared.iter_mut().zip(rules.standings(run)) {
            match standing {
                Missing::AsDeclared => {}
                Missing::Zero => *value = 0.0,
                Missing::LeftOut => *value = f64::NAN,
            }
        }
    }
    declared
}

/// 1 where a case passed, 0 where it did not, whatever the reason; NaN where no rule passes or fails it, or
/// the rules in force leave it out. All NaN where nothing passed or failed.
fn pass_values(run: &Run, rules: &Rules) -> Vec<f64> {
    let is_judged = has_verdicts(run);
    let value = |own| {
        let rule = match own {
            Outcome::Passed => return 1.0,
            Outcome::Failed => return 0.0,
            Outcome::Scored => return f64::NAN,
            Outcome::Error => rules.errors,
            Outcome::Skipped => rules.skipped,
            Outcome::Unscored => rules.unscored,
        };
        if rule == Missing::LeftOut || !is_judged { f64::NAN } else { 0.0 }
    };
    let of_word = |word: &str| value(Outcome::of_word(word));
    run.cases.outcome.mapped(value(Outcome::Unscored), of_word)
}

/// Whether some case of `run` passed or failed.
pub(crate) fn has_verdicts(run: &Run) -> bool {
    let mut words = run.cases.outcome.words();
    words.any(|word| word == Outcome::Passed.as_str() || word == Outcome::Failed.as_str())
}

/// The mean of each case's scores by a metric, without those that could not be judged.
fn metric_values(run: &Run, config: &Config, name: &str) -> Vec<f64> {
    let checks = &run.checks;
    let mut sums = vec![(0.0_f64, 0_u32); run.cases.len()];
    let Some(own) = checks.name.words().position(|word| word == name) else {
        return vec![f64::NAN; run.cases.len()];
    };
    let verdict = checks.verdict.meanings(Verdict::from_text);
    let counts_all = config.mean_over == MeanOver::Graded;
    let (rows, scores, attempted) =
        (checks.case_idx.cells(), checks.score.cells(), run.attempted_cases());
    let names = checks.name.keys();
    for at in 0..checks.len() {
        if names.get(at).is_none_or(|name| name as usize != own) {
            continue;
        }
        let Some(row) = rows.get(at) else { continue };
        let Some(score) = scores.get(at).filter(|score| score.is_finite()) else { continue };
        let is_lost = verdict(at).flatten() == Some(Verdict::Error);
        if is_lost || !(counts_all || attempted.get(row as usize) == Some(&true)) {
            continue;
        }
        if let Some(sum) = sums.get_mut(row as usize) {
            sum.0 += score;
            sum.1 += 1;
        }
    }
    sums.into_iter().map(|(sum, n)| if n > 0 { sum / f64::from(n) } else { f64::NAN }).collect()
}
