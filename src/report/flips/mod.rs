//! Flips: evaluations, repeats, runs, groups and cases that come out differently by the rules in force
//! than by the declared ones.

mod section;

pub(super) use section::flip_section;

use super::tree::{run_score, score_of};
use super::{Link, Num, Outcome, Target};
use crate::figures::Figures;
use crate::figures::Judgement;
use crate::figures::pass_text;
use crate::format;
use crate::model::{Run, Verdict};
use crate::scoring::GroupScore;
use crate::words::report::rules::changes as words;
use crate::workspace::{Entry, Workspace};

/// Decimals of a score in a reason; the scores themselves are exported whole.
const DECIMALS: usize = 4;

/// What sort of thing comes out differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FlipLevel {
    Evaluation,
    Repeat,
    Run,
    Group,
    Case,
}

impl FlipLevel {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Evaluation => "evaluation",
            Self::Repeat => "repeat",
            Self::Run => "run",
            Self::Group => "group",
            Self::Case => "case",
        }
    }
}

/// One thing that comes out differently.
#[derive(Debug, Clone)]
pub(crate) struct Flip {
    pub level: FlipLevel,
    /// Name of the run it is in, or of the evaluation.
    pub within: String,
    pub name: String,
    pub from: Outcome,
    pub to: Outcome,
    pub from_score: Option<Num>,
    pub to_score: Option<Num>,
    pub why: String,
    pub link: Option<Link>,
}

/// How many things of each sort change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::report) struct FlipCounts {
    pub verdicts: u64,
    pub groups: u64,
    pub cases: u64,
}

/// Counts over everything that is loaded.
pub(super) fn flip_counts(workspace: &Workspace) -> FlipCounts {
    let mut counts = FlipCounts::default();
    for entry in &workspace.entries {
        counts.cases += n_flipped_cases(entry);
        for flip in upper_flips(entry) {
            match flip.level {
                FlipLevel::Group => counts.groups += 1,
                _ => counts.verdicts += 1,
            }
        }
    }
    counts
}

/// Everything that comes out differently, whole evaluations first, cases last.
pub(crate) fn flips(workspace: &Workspace) -> impl Iterator<Item = Flip> {
    workspace.entries.iter().flat_map(|entry| {
        let cases = flipped_cases(entry);
        let cases = cases.filter_map(|(run_idx, idx)| case_flip(entry, run_idx, idx, workspace));
        upper_flips(entry).into_iter().chain(cases)
    })
}

/// Verdicts and groups that come out differently.
fn upper_flips(entry: &Entry) -> Vec<Flip> {
    if std::rc::Rc::ptr_eq(&entry.base, &entry.figures) {
        return Vec::new();
    }
    let (before, after): (&Figures, &Figures) = (&entry.base, &entry.figures);
    let label = &entry.evaluation.label;
    let mut flips = Vec::new();
    flips.extend(verdict_flip(
        FlipLevel::Evaluation,
        (label, label),
        (before.verdict.as_ref(), after.verdict.as_ref()),
        (score_of(entry, before), score_of(entry, after)),
        Some(Link::Target(Target::Evaluation(entry.id))),
    ));
    if before.repeats.len() > 1 {
        for (was, is) in before.repeats.iter().zip(&after.repeats) {
            let outcome = |gate: &Option<crate::policy::GateVerdict>| {
                let is_passed = gate.as_ref().and_then(|gate| gate.is_passed);
                is_passed.map_or(Outcome::Unscored, Outcome::of)
            };
            let (from, to) = (outcome(&was.gate), outcome(&is.gate));
            if from != to {
                let reason = |gate: &Option<crate::policy::GateVerdict>| {
                    gate.as_ref().map_or(words::NO_GATE.to_owned(), |gate| gate.reason.clone())
                };
                flips.push(Flip {
                    level: FlipLevel::Repeat,
                    within: label.clone(),
                    name: words::repeat_name(is.repeat),
                    from,
                    to,
                    from_score: was.totals.reward.or(was.totals.score.mean_attempted),
                    to_score: is.totals.reward.or(is.totals.score.mean_attempted),
                    why: words::reason_and_before(&reason(&is.gate), &reason(&was.gate)),
                    link: Some(Link::Target(Target::Evaluation(entry.id))),
                });
            }
        }
    }
    for (idx, (was, is)) in before.runs.iter().zip(&after.runs).enumerate() {
        let Some(run) = entry.evaluation.runs.get(idx) else { continue };
        let link = entry.run_ref(idx).map(|run| Link::Target(Target::Run(run)));
        flips.extend(verdict_flip(
            FlipLevel::Run,
            (label, &run.label),
            (was.verdict.as_ref(), is.verdict.as_ref()),
            (run_score(was), run_score(is)),
            link.clone(),
        ));
        for (was, is) in was.groups.iter().zip(&is.groups) {
            let (from, to) = (group_outcome(was), group_outcome(is));
            if from != to {
                flips.push(Flip {
                    level: FlipLevel::Group,
                    within: run.label.clone(),
                    name: is.name.clone(),
                    from,
                    to,
                    from_score: was.score,
                    to_score: is.score,
                    why: words::group_passes([is.passed, is.cases], [was.passed, was.cases]),
                    link: link.clone(),
                });
            }
        }
    }
    flips
}

/// A group passes when all its cases do.
fn group_outcome(group: &GroupScore) -> Outcome {
    match group.cases {
        0 => Outcome::Unscored,
        n_cases => Outcome::of(group.passed == n_cases),
    }
}

/// The flip of a verdict; `None` when its outcome is the same.
fn verdict_flip(
    level: FlipLevel,
    (within, name): (&str, &str),
    (was, is): (Option<&Judgement>, Option<&Judgement>),
    (from_score, to_score): (Option<Num>, Option<Num>),
    link: Option<Link>,
) -> Option<Flip> {
    let outcome = |verdict: Option<&Judgement>| verdict.map_or(Outcome::Unscored, |v| v.outcome);
    let reason = |verdict: Option<&Judgement>| {
        verdict.map_or(words::NO_RULE.to_owned(), |v| {
            words::rule_and_reason(&v.rule, &v.reason.to_string())
        })
    };
    (outcome(was) != outcome(is)).then(|| Flip {
        level,
        within: within.to_owned(),
        name: name.to_owned(),
        from: outcome(was),
        to: outcome(is),
        from_score,
        to_score,
        why: words::reason_and_before(&reason(is), &reason(was)),
        link,
    })
}

/// By run, the outcome of each of its cases by the declared rules and by those in force. Empty without other judgements: both are
/// the same tables then.
fn outcomes_of(entry: &Entry) -> impl Iterator<Item = [Vec<Outcome>; 2]> {
    let runs = entry.recorded_runs().iter().zip(&entry.evaluation.runs);
    runs.filter(|_| entry.is_rejudged()).map(|(was, is)| {
        [was, is].map(|run| run.cases.outcome.mapped(Outcome::Unscored, Outcome::of_word))
    })
}

/// How many cases there are whose outcome differs.
fn n_flipped_cases(entry: &Entry) -> u64 {
    let n_differ = |[was, is]: [Vec<Outcome>; 2]| {
        let mut n = 0;
        for (from, to) in was.iter().zip(&is) {
            n += u64::from(from != to);
        }
        n
    };
    outcomes_of(entry).map(n_differ).sum()
}

/// Run and row of every case whose outcome differs.
fn flipped_cases(entry: &Entry) -> impl Iterator<Item = (usize, usize)> {
    outcomes_of(entry).enumerate().flat_map(|(run_idx, [was, is])| {
        let pairs = was.into_iter().zip(is).enumerate();
        pairs.filter(|(_, (from, to))| from != to).map(move |(idx, _)| (run_idx, idx))
    })
}

/// The flip of case `idx` of run `run_idx`.
fn case_flip(entry: &Entry, run_idx: usize, idx: usize, workspace: &Workspace) -> Option<Flip> {
    let (was, is) = (entry.recorded_runs().get(run_idx)?, entry.evaluation.runs.get(run_idx)?);
    Some(Flip {
        level: FlipLevel::Case,
        within: is.label.clone(),
        name: is.cases.id.get(idx).unwrap_or_default().to_owned(),
        from: was.cases.outcome_of(idx),
        to: is.cases.outcome_of(idx),
        from_score: was.cases.score.get(idx).map(Num),
        to_score: is.cases.score.get(idx).map(Num),
        why: case_reason(is, idx, workspace),
        link: Some(Link::Case { run: entry.run_ref(run_idx)?, case_idx: idx as u64 }),
    })
}

/// Why a case comes out as it does by the rules in force.
fn case_reason(run: &Run, idx: usize, workspace: &Workspace) -> String {
    let rules = &workspace.settings.rules;
    let mut why = Vec::new();
    if let Some(strategy) = rules.strategy {
        let verdicts = || run.checks_of(idx).filter_map(|at| run.checks.verdict_of(at));
        let n_judged = verdicts().filter(|verdict| *verdict != Verdict::Error).count();
        let n_passed = verdicts().filter(|verdict| *verdict == Verdict::Passed).count();
        why.push(words::by_strategy(strategy.as_str(), n_passed, n_judged));
    }
    if let (Some(rule), Some(score)) = (rules.pass, run.cases.score.get(idx)) {
        let holds = rule.op.holds(score, rule.value);
        let (score, rule) = (format::apart(score, rule.value, DECIMALS), pass_text(rule));
        why.push(if holds {
            words::score_meets(&score, &rule)
        } else {
            words::score_misses(&score, &rule)
        });
    }
    why.join("; ")
}
