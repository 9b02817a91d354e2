//! Pairs without a proper result on a side, and what other rules would make of them.

use super::Came;
use super::computed::{Both, Transition};
use super::measures::MeasurePairs;
use super::pairs_list::lacks_result;
use crate::model::Outcome;
use crate::report::Num;
use crate::scoring::sides::{Side, Valued, has_verdicts};
use crate::scoring::{Missing, Rules};
use serde::{Deserialize, Serialize};

/// Pairs with a case that has no proper result on a side.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RuleTouch {
    /// Number of pairs with an error, a skipped or an unscored case.
    pub n: u64,
    /// The difference by the deciding measure, if these counted as declared, as 0, not at all: the word of the
    /// rule, and the difference. Empty where there is no such pair.
    pub differences: Vec<(String, Option<Num>)>,
}

/// Pairs without a proper result on a side, and what other rules would make of them.
pub(super) fn touch(
    both: &Both<'_>,
    came: &(Vec<Came>, Vec<Came>),
    transitions: &[Transition],
    by: Option<&Valued>,
) -> RuleTouch {
    let lacks = |one: &&Transition| lacks_result(Some(one.from)) || lacks_result(Some(one.to));
    let n = transitions.iter().filter(lacks).map(|one| one.n).sum();
    let Some(by) = by.filter(|_| n > 0) else { return RuleTouch { n, differences: Vec::new() } };
    let counted = WayCounts::new(both, came, transitions).filter(|_| *by == Valued::PassRate);
    let under = |rule: Missing| {
        if let Some(counted) = &counted {
            return counted.difference(rule);
        }
        let rules = Rules { errors: rule, skipped: rule, unscored: rule, ..*both.rules };
        let paired = MeasurePairs::new(both.pairs, &both.values(by, &rules)?, both.way(by))?;
        crate::stats::mean(paired.apart.iter().copied()).map(Num)
    };
    let differences =
        Missing::ALL.into_iter().map(|rule| (rule.as_str().to_owned(), under(rule))).collect();
    RuleTouch { n, differences }
}

/// Pairs whose values are 0 or 1 by the way they came out: counting the ways says as much as looking at each.
struct WayCounts<'a> {
    transitions: &'a [Transition],
    /// Of each side: whether some case passed or failed, and the ways in which its cases came out.
    sides: [(bool, Vec<Came>); 2],
}

impl<'a> WayCounts<'a> {
    /// `None` where a case has several trials, or runs of a side are judged otherwise than others.
    fn new(
        both: &Both<'_>,
        came: &(Vec<Came>, Vec<Came>),
        transitions: &'a [Transition],
    ) -> Option<Self> {
        if both.cases.iter().any(|cases| cases.has_repeats()) {
            return None;
        }
        let ways = |all: &[Came]| -> Vec<Came> {
            let mut is_there = [false; Came::N_WAYS];
            for one in all {
                is_there.get_mut(one.index()).into_iter().for_each(|there| *there = true);
            }
            let ways = Came::all().zip(is_there);
            ways.filter(|(_, is_there)| *is_there).map(|(one, _)| one).collect()
        };
        let [one, two] = both.sides;
        let sides = [(is_judged(one)?, ways(&came.0)), (is_judged(two)?, ways(&came.1))];
        Some(Self { transitions, sides })
    }

    /// The mean difference, if cases without a proper result counted as `rule` says.
    fn difference(&self, rule: Missing) -> Option<Num> {
        let [one, two] = &self.sides;
        let has_value = |(is_judged, ways): &(bool, Vec<Came>)| {
            ways.iter().any(|came| value(*came, *is_judged, rule).is_some())
        };
        if !has_value(one) || !has_value(two) {
            return None;
        }
        let (mut sum, mut n) = (0_i64, 0_u32);
        for Transition { from, to, n: n_pairs } in self.transitions {
            let (from, to) = (value(*from, one.0, rule), value(*to, two.0, rule));
            if let Some((from, to)) = from.zip(to) {
                sum += (to - from) * i64::try_from(*n_pairs).ok()?;
                n += u32::try_from(*n_pairs).ok()?;
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
        let sum = sum as f64;
        (n > 0).then(|| Num(sum / f64::from(n)))
    }
}

/// What a case is worth by its outcome; `None`: it does not count.
fn value(came: Came, is_judged: bool, rule: Missing) -> Option<i64> {
    match came {
        Came::Out(Outcome::Passed) => Some(1),
        Came::Out(Outcome::Failed) => Some(0),
        Came::Out(Outcome::Error | Outcome::Skipped | Outcome::Unscored) => {
            (is_judged && rule != Missing::LeftOut).then_some(0)
        }
        Came::Out(Outcome::Scored) | Came::Mixed => None,
    }
}

/// Whether some case passed or failed, where that is the same of every run of `side`.
fn is_judged(side: &Side<'_>) -> Option<bool> {
    let mut all = side.runs.iter().map(|own| has_verdicts(own.run));
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}
