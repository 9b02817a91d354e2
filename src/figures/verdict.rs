//! The verdict over a whole evaluation: by checkpoints, by a gate, or by its cases.

use super::{FigureBasis, Figures, GateInForce, RunFigures, declared_gate};
use super::{Judgement, PolicyRule, Reason};
use crate::model::{DeclaredValue, Figure, Outcome, Run, Scope};
use crate::policy::GateVerdict;
use crate::scoring::Missing;
use crate::words::figures as words;

impl FigureBasis<'_> {
    pub(super) fn verdict(&self, figures: &Figures) -> Option<Judgement> {
        let config = &self.evaluation.config;
        if config.has_policies {
            return self.checkpoints_verdict(figures);
        }
        if let Some(gate) = &self.gate {
            return self.gate_verdict(figures, gate);
        }
        if config.reward.is_some() {
            return None;
        }
        if let Some(why) = self.no_gate() {
            return Some(self.whole_unjudged(figures, String::new(), why, true));
        }
        let counts = figures.repeats.first().map(|repeat| &repeat.totals.counts)?;
        let (n_passed, n_counted) = counts.passing()?;
        let may_skip = config.may_skip && self.settings.rules.skipped == Missing::AsDeclared;
        let n_counted = n_counted - if may_skip { counts.skipped.min(n_counted) } else { 0 };
        (n_counted > 0 && counts.unscored < counts.total).then(|| Judgement {
            outcome: Outcome::of(n_passed == n_counted),
            rule: self.worded(
                if may_skip { words::EVERY_CASE_NOT_SKIPPED } else { words::EVERY_CASE }.to_owned(),
            ),
            reason: match n_counted - n_passed {
                0 => Reason::Passing { n_passed, n_counted, what: words::CASES },
                n_failed => {
                    let are_judged = counts.failed == Some(n_failed);
                    Reason::Failing { n_failed, n_counted, are_judged }
                }
            },
            declared: None,
        })
    }

    /// Every planned checkpoint has to pass. Those evaluated again after a skill are named, not counted.
    fn checkpoints_verdict(&self, figures: &Figures) -> Option<Judgement> {
        let rule = match (&self.gate, self.settings.policy) {
            (Some(gate), _) if !gate.is_declared => words::gate(&gate.text),
            (_, PolicyRule::Named(policy)) => words::policy(policy.as_str()),
            (_, PolicyRule::AsDeclared) => words::POLICY_OF_RUN.to_owned(),
        };
        let runs = || self.evaluation.runs.iter().zip(&figures.runs);
        let ended = |(run, own): &(&Run, &RunFigures)| {
            let verdict = own.verdict.as_ref();
            (run.again().is_some(), verdict.map(|verdict| verdict.outcome))
        };
        let n_of = |again: bool, wanted: &dyn Fn(Option<Outcome>) -> bool| -> u64 {
            let found = runs().map(|pair| ended(&pair));
            found.filter(|(own, outcome)| *own == again && wanted(*outcome)).count() as u64
        };
        let n_planned = n_of(false, &|_| true);
        if n_planned == 0 {
            return None;
        }
        let n_passed = n_of(false, &|outcome| outcome == Some(Outcome::Passed));
        let n_failed = n_of(false, &|outcome| outcome == Some(Outcome::Failed));
        let n_missing = n_of(false, &|outcome| outcome == Some(Outcome::Skipped));
        let n_broken = n_of(false, &|outcome| outcome == Some(Outcome::Error));
        let n_ran = n_planned - n_missing;
        let mut beside = Vec::new();
        if n_missing > 0 {
            beside.push(words::did_not_run(n_missing, n_planned));
        }
        if n_broken > 0 {
            beside.push(words::in_error(n_broken));
        }
        let n_open = n_ran - n_passed - n_failed - n_broken;
        let unjudged = runs().filter(|(run, own)| {
            let outcome = own.verdict.as_ref().map(|verdict| verdict.outcome);
            run.again().is_none() && run.n_cases() > 0 && !outcome.is_some_and(is_decided)
        });
        let n_unjudged = unjudged.count() as u64;
        if n_unjudged > 0 {
            beside.push(words::without_verdict(n_unjudged));
        }
        if n_open > n_unjudged {
            beside.push(words::without_cases(n_open - n_unjudged));
        }
        let n_again = n_of(true, &|_| true);
        if n_again > 0 {
            let n_passed = n_of(true, &|outcome| outcome == Some(Outcome::Passed));
            beside.push(words::after_skill(n_passed, n_again));
        }
        let (n_passed, n_counted, what) = (n_passed, n_ran, words::CHECKPOINTS);
        let passing = Reason::Passing { n_passed, n_counted, what };
        let reason = match beside.is_empty() {
            true => passing,
            false => Reason::Words(format!("{}, {}", passing.shown(), beside.join(", "))),
        };
        // What failed is told before what never came to a verdict.
        let outcome = match (n_passed == n_planned, n_failed, n_broken) {
            (true, ..) => Outcome::Passed,
            (_, 0, 1..) => Outcome::Error,
            (_, 0, _) if n_open > 0 => Outcome::Unscored,
            (_, 0, _) if n_passed == 0 => Outcome::Skipped,
            _ => Outcome::Failed,
        };
        Some(Judgement {
            outcome,
            rule: self.worded(words::every_checkpoint(&rule)),
            reason,
            declared: None,
        })
    }

    /// Over several repeats the original calls the whole passed when any repeat passes.
    fn gate_verdict(&self, figures: &Figures, gate: &GateInForce<'_>) -> Option<Judgement> {
        let gates: Vec<&GateVerdict> =
            figures.repeats.iter().filter_map(|repeat| repeat.gate.as_ref()).collect();
        let declared = declared_gate(self.evaluation, &Scope::Evaluation)
            .or_else(|| gates.first().filter(|_| gates.len() == 1)?.declared_passed);
        let word = |passed: bool| Outcome::of(passed).as_str().to_owned();
        let text = &gate.text;
        let (passed, rule, reason) = match gates.as_slice() {
            [] => {
                let rule = self.worded(words::gate(text));
                let why = words::NO_RESULTS.to_owned();
                return Some(self.whole_unjudged(figures, rule, why, gate.is_declared));
            }
            several if several.iter().all(|gate| gate.is_passed.is_none()) => {
                let why = several.first().map(|gate| gate.reason.clone()).unwrap_or_default();
                let rule = self.worded(words::gate(text));
                return Some(self.whole_unjudged(figures, rule, why, gate.is_declared));
            }
            [only] => (only.is_passed?, words::gate(text), only.reason.clone()),
            several => {
                let n_passed = several.iter().filter(|gate| gate.is_passed == Some(true)).count();
                let n_open = several.iter().filter(|gate| gate.is_passed.is_none()).count();
                let reason = match n_open {
                    0 => words::gate_passes_in(n_passed, several.len()),
                    _ => words::gate_passes_in_some_open(n_passed, several.len(), n_open),
                };
                (n_passed > 0, words::gate_in_any_repeat(text), reason)
            }
        };
        Some(Judgement {
            outcome: Outcome::of(passed),
            rule: self.worded(rule),
            reason: Reason::Words(reason),
            declared: declared.filter(|&declared| gate.is_declared && declared != passed).map(word),
        })
    }

    /// Why there is no gate to judge by, in an evaluation that should have one, or whose tool knows none.
    pub(super) fn no_gate(&self) -> Option<String> {
        if let Some(why) = &self.evaluation.config.no_verdict {
            return Some(why.clone().into_owned());
        }
        let is_own = self.settings.rules.pass.is_some();
        self.evaluation.config.no_case_rule.as_ref().filter(|_| !is_own)?;
        Some(words::NO_GATE.to_owned())
    }

    /// Why the whole cannot be judged, with the verdict that the files record.
    fn whole_unjudged(
        &self,
        figures: &Figures,
        rule: String,
        why: String,
        is_declared: bool,
    ) -> Judgement {
        let recorded = || {
            let all = self.evaluation.declared.iter().filter(|_| is_declared);
            all.map(|declared| (&declared.scope, &declared.figure, &declared.value))
        };
        let of_repeats: Vec<bool> = recorded()
            .filter_map(|found| match found {
                (Scope::Repeat(_), Figure::GatePassed, DeclaredValue::Bool(passed)) => {
                    Some(*passed)
                }
                _ => None,
            })
            .collect();
        let number = |wanted: &Figure| {
            recorded().find_map(|found| match found {
                (Scope::Evaluation, figure, DeclaredValue::Number(n)) if figure == wanted => {
                    Some(*n)
                }
                _ => None,
            })
        };
        let in_all = number(&Figure::RepeatsPassed).zip(number(&Figure::Repeats));
        let any = (!of_repeats.is_empty()).then(|| of_repeats.contains(&true));
        let over_all = in_all.map(|(n_passed, _)| n_passed > 0.0);
        let whole = declared_gate(self.evaluation, &Scope::Evaluation).filter(|_| is_declared);
        let whole = whole.or(over_all).or(any);
        let mut scores = figures.repeats.iter().map(|repeat| repeat.totals.score.n);
        let mut found = unjudged(scores.any(|n| n > 0), rule, why, whole);
        if let Some(declared) = &mut found.declared {
            let n_passed = of_repeats.iter().filter(|passed| **passed).count();
            match (in_all, of_repeats.len()) {
                (Some((n_passed, n_repeats)), _) => {
                    *declared = words::declared_in_repeats(declared, n_passed, n_repeats);
                }
                (None, n_repeats @ 2..) => {
                    *declared = words::declared_in_repeats(declared, n_passed, n_repeats);
                }
                (None, _) => {}
            }
        }
        found
    }
}

/// Whether a checkpoint of this outcome passed, failed, ended in an error or did not run.
fn is_decided(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Passed | Outcome::Failed | Outcome::Error | Outcome::Skipped)
}

/// No verdict, and why; `recorded` is the one that the files state.
pub(super) fn unjudged(
    is_scored: bool,
    rule: String,
    why: String,
    recorded: Option<bool>,
) -> Judgement {
    Judgement {
        outcome: if is_scored { Outcome::Scored } else { Outcome::Unscored },
        rule,
        reason: Reason::Words(why),
        declared: recorded.map(|passed| Outcome::of(passed).as_str().to_owned()),
    }
}
