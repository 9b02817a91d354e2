//! Groups, kinds and the means over groups (slop-code's reporting guide).

use super::parts::MeanPart;
use super::rules::{Missing, Rules};
use crate::model::{Kind, Num, Outcome, Run};
use crate::stats;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};

/// One group of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GroupScore {
    /// Name.
    pub name: String,
    /// What it is for.
    pub kind: Option<Kind>,
    /// Weight in the weighted mean: the one in force, else the declared one, else 1.
    pub weight: Num,
    /// Number of cases, without those that the rules in force leave out.
    pub cases: u64,
    /// Of these, passed.
    pub passed: u64,
    /// Mean of the cases' scores; `None` for an empty group or when no score is defined.
    pub score: Option<Num>,
    /// 95 % t interval of that mean.
    pub ci95: Option<[Num; 2]>,
    /// Number of scores in that mean: one for each id.
    pub n_scores: u64,
    /// Cases whose score is undefined and that the mean leaves out.
    pub n_undefined: u64,
    /// Wall-clock seconds.
    pub duration_secs: Option<Num>,
}

/// Passed and all cases of a kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindCount {
    /// Passed.
    pub passed: u64,
    /// All, without those that the rules in force leave out.
    pub total: u64,
    /// Row of the first case that does not pass, in the run that the count is of.
    #[serde(skip)]
    pub first_failed: Option<u32>,
}

/// The groups of `run` in its order, each with the mean of its cases' scores.
///
/// An id that stands twice in a group counts twice, but the mean takes its last score only: the guide's
/// group holds one score by id.
pub fn group_scores(run: &Run, weights: &BTreeMap<String, f64>, rules: &Rules) -> Vec<GroupScore> {
    if run.groups.is_empty() {
        return Vec::new();
    }
    let index: HashMap<&str, usize> =
        run.groups.iter().enumerate().map(|(at, group)| (group.name.as_str(), at)).collect();
    let mut scores: Vec<Vec<f64>> = vec![Vec::new(); run.groups.len()];
    let is_last = last_of_its_id(run);
    let mut groups: Vec<GroupScore> = run
        .groups
        .iter()
        .map(|group| GroupScore {
            name: group.name.clone(),
            kind: group.kind,
            weight: Num(weights.get(&group.name).copied().or(group.weight).unwrap_or(1.0)),
            cases: 0,
            passed: 0,
            score: None,
            ci95: None,
            n_scores: 0,
            n_undefined: 0,
            duration_secs: group.duration_secs.map(Num),
        })
        .collect();
    let (place, outcome) =
        (run.cases.group.meanings(|name| index.get(name).copied()), run.cases.outcomes());
    for idx in 0..run.cases.len() {
        let Some(at) = place(idx).flatten() else { continue };
        let (Some(group), Some(scores)) = (groups.get_mut(at), scores.get_mut(at)) else {
            continue;
        };
        let part = part(run, idx, rules, &is_last);
        if part == MeanPart::LeftOut {
            continue;
        }
        group.cases += 1;
        group.passed += u64::from(outcome(idx) == Outcome::Passed);
        group.n_undefined += u64::from(part == MeanPart::Undefined);
        scores.extend(part.score());
    }
    for (group, scores) in groups.iter_mut().zip(scores) {
        group.n_scores = scores.len() as u64;
        group.ci95 = stats::mean_interval(&scores).map(|ci| [Num(ci.low), Num(ci.high)]);
        group.score = stats::mean(scores).map(Num);
    }
    groups
}

/// What each case of the group called `name` gives to the group's mean, `(row, part)` in file order.
pub fn group_parts(run: &Run, name: &str, rules: &Rules) -> Vec<(usize, MeanPart)> {
    let is_last = last_of_its_id(run);
    (0..run.cases.len())
        .filter(|&idx| run.cases.group.get(idx) == Some(name))
        .map(|idx| (idx, part(run, idx, rules, &is_last)))
        .collect()
}

/// What case `idx` gives to the mean of its group.
fn part(run: &Run, idx: usize, rules: &Rules, is_last: &impl Fn(usize) -> bool) -> MeanPart {
    let part = match rules.standing(run, idx) {
        Missing::LeftOut => return MeanPart::LeftOut,
        Missing::Zero => MeanPart::Zero,
        Missing::AsDeclared => {
            run.cases.score.get(idx).map_or(MeanPart::Undefined, MeanPart::Score)
        }
    };
    if part == MeanPart::Undefined || is_last(idx) { part } else { MeanPart::Repeated }
}

/// Whether a case is the last one of its id in its group.
fn last_of_its_id(run: &Run) -> impl Fn(usize) -> bool {
    let cases = &run.cases;
    let n_looked_at = if cases.has_rising_ids() { 0 } else { cases.len() };
    let mut seen = HashSet::with_capacity(n_looked_at);
    let mut earlier = HashSet::new();
    for idx in (0..n_looked_at).rev() {
        if !seen.insert((cases.group.get(idx), cases.variant.get(idx), cases.id.get(idx))) {
            earlier.insert(idx);
        }
    }
    move |idx| !earlier.contains(&idx)
}

/// Mean of the groups' scores; groups without a score are left out.
pub fn mean_of_groups(groups: &[GroupScore]) -> Option<Num> {
    stats::mean(groups.iter().filter_map(|group| group.score).map(|score| score.0)).map(Num)
}

/// `Σ weight·score / Σ weight` over groups that have a score.
pub fn weighted_mean(groups: &[GroupScore]) -> Option<Num> {
    let scored = || groups.iter().filter_map(|group| Some((group.weight.0, group.score?.0)));
    let weight = stats::sum(scored().map(|(weight, _)| weight));
    (weight > 0.0).then(|| Num(stats::sum(scored().map(|(weight, score)| weight * score)) / weight))
}

/// Passed and all cases of `run` by kind; only kinds that occur.
pub fn kind_counts(run: &Run, rules: &Rules) -> BTreeMap<Kind, KindCount> {
    let outcome = run.cases.outcomes();
    kind_counts_where(run, rules, |idx| outcome(idx) == Outcome::Passed)
}

/// The same if just the cases passed of which `passes` says so.
pub fn kind_counts_where(
    run: &Run,
    rules: &Rules,
    passes: impl Fn(usize) -> bool,
) -> BTreeMap<Kind, KindCount> {
    let mut counts: BTreeMap<Kind, KindCount> = BTreeMap::new();
    if run.cases.kind.array().is_none() {
        return counts;
    }
    let kind = run.cases.kind.meanings(Kind::from_text);
    for (idx, standing) in rules.standings(run).into_iter().enumerate() {
        let Some(kind) = kind(idx).flatten() else { continue };
        if standing == Missing::LeftOut {
            continue;
        }
        let count = counts.entry(kind).or_default();
        count.total += 1;
        if passes(idx) {
            count.passed += 1;
        } else if count.first_failed.is_none() {
            count.first_failed = u32::try_from(idx).ok();
        }
    }
    counts
}
