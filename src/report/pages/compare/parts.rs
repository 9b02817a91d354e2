//! Where a difference comes from: by group, kind, checkpoint and suite.

use super::computed::Both;
use super::measures::{MeasurePairs, ends};
use crate::model::Run;
use crate::report::Num;
use crate::scoring::sides::{Side, SideCases, Values};
use crate::stats;
use crate::stats::paired::{PairedTable, differences, holm, sign_flip};
use crate::words::report::compare as words;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Parts beyond which there is no such view: nobody reads it.
const MAX_PARTS: usize = 2_000;

/// Up to so many parts are tested one by one.
const MAX_TESTED: usize = 200;

/// What a difference is split by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PartBy {
    /// The group of a case.
    Group,
    /// Its kind.
    Kind,
    /// The part of the suite that its run is about (slop-code's checkpoint).
    Variant,
    /// The suite of its run.
    Suite,
}

impl PartBy {
    /// All.
    pub const ALL: [Self; 4] = [Self::Group, Self::Kind, Self::Variant, Self::Suite];

    /// The part of this word.
    pub fn from_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|by| by.as_str() == text)
    }

    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Group => "group",
            Self::Kind => "kind",
            Self::Variant => "checkpoint",
            Self::Suite => "suite",
        }
    }
}

/// A difference, split.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SplitDifference {
    /// By what.
    pub by: PartBy,
    /// What that is called in the sides' tools: `variant`, where it is not slop-code's checkpoint.
    pub called: String,
    /// The parts, in the order of their first pair. Their contributions add up to the whole difference.
    pub parts: Vec<DifferencePart>,
    /// That every part moved one way and the whole the other one, over all cases of the sides.
    pub reversal: Option<String>,
}

/// One part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DifferencePart {
    /// Its name; empty: cases without one.
    pub name: String,
    /// Number of its pairs.
    pub n: u64,
    /// Difference over them.
    pub difference: Num,
    /// Share of all pairs.
    pub share: Num,
    /// What it adds to the whole difference: share × difference.
    pub contribution: Num,
    /// 95 % interval of its difference.
    pub ci95: Option<[Num; 2]>,
    /// Two-sided p of no difference. `None`: there are too many parts to test.
    pub p: Option<Num>,
    /// The same, adjusted for all parts.
    pub p_holm: Option<Num>,
}

/// Numbers for names, in the order in which they come.
#[derive(Default)]
struct NameNumbers {
    names: Vec<String>,
    known: HashMap<String, u32>,
}

impl NameNumbers {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(known) = self.known.get(name) {
            return *known;
        }
        let fresh = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(name.to_owned());
        self.known.insert(name.to_owned(), fresh);
        fresh
    }
}

/// The number of the part of each case of `side`.
fn numbers(side: &Side<'_>, cases: &SideCases, by: PartBy, names: &mut NameNumbers) -> Vec<u32> {
    let whole = |text: Option<&str>| text.unwrap_or_default().to_owned();
    let of_runs: Vec<(Vec<u32>, u32)> = side
        .runs
        .iter()
        .map(|own| {
            let (key, table) = (&own.run.key, &own.run.cases);
            let mut of_words = |words: Vec<&str>| -> Vec<u32> {
                words.into_iter().map(|word| names.number(word)).collect()
            };
            match by {
                PartBy::Group => (of_words(table.group.words().collect()), u32::MAX),
                PartBy::Kind => (of_words(table.kind.words().collect()), u32::MAX),
                PartBy::Variant => (Vec::new(), names.number(&whole(key.variant.as_deref()))),
                PartBy::Suite => (Vec::new(), names.number(&whole(key.suite.as_deref()))),
            }
        })
        .collect();
    let mut nameless = None;
    (0..cases.len())
        .map(|case| {
            let found = cases.first(case).and_then(|(at, row)| {
                let own = &side.runs.get(at)?.run.cases;
                let (words, of_run) = of_runs.get(at)?;
                let code = match by {
                    PartBy::Group => own.group.code(row),
                    PartBy::Kind => own.kind.code(row),
                    PartBy::Variant | PartBy::Suite => return Some(*of_run),
                };
                words.get(code?).copied()
            });
            found.unwrap_or_else(|| *nameless.get_or_insert_with(|| names.number("")))
        })
        .collect()
}

/// Whether all cases of `side` are in one part, as far as that is seen without looking at each.
fn is_one_part(side: &Side<'_>, by: PartBy) -> bool {
    let mut runs = side.runs.iter().map(|own| own.run);
    let same = |of: fn(&Run) -> &Option<String>| {
        let mut keys = side.runs.iter().map(|own| of(own.run));
        keys.next().is_none_or(|first| keys.all(|key| key == first))
    };
    match by {
        PartBy::Group => runs.all(|run| run.cases.group.words().next().is_none()),
        PartBy::Kind => runs.all(|run| run.cases.kind.words().next().is_none()),
        PartBy::Variant => same(|run| &run.key.variant),
        PartBy::Suite => same(|run| &run.key.suite),
    }
}

/// The name of the part that `case` is in; `None`: it has none.
pub(super) fn part_name<'a>(
    side: &Side<'a>,
    cases: &SideCases,
    case: usize,
    by: PartBy,
) -> Option<&'a str> {
    let (at, row) = cases.first(case)?;
    let run = side.runs.get(at)?.run;
    match by {
        PartBy::Group => run.cases.group.get(row),
        PartBy::Kind => run.cases.kind.get(row),
        PartBy::Variant => run.key.variant.as_deref(),
        PartBy::Suite => run.key.suite.as_deref(),
    }
}

/// The clusters that pairs come in, by place in the list of pairs, and how many numbers there are: the
/// groups, else the checkpoints, else the suites. `None` where there are no two of them.
pub(super) fn clusters(both: &Both<'_>) -> Option<(Vec<u32>, usize)> {
    let may_be = |by: &PartBy| !is_one_part(both.sides[0], *by);
    [PartBy::Group, PartBy::Variant, PartBy::Suite].into_iter().filter(may_be).find_map(|by| {
        let mut names = NameNumbers::default();
        let own = numbers(both.sides[0], both.cases[0], by, &mut names);
        let of_pair = |(left, _): &(u32, u32)| own.get(*left as usize).copied().unwrap_or(0);
        let found: Vec<u32> = both.pairs.iter().map(of_pair).collect();
        let first = found.first()?;
        found.iter().any(|other| other != first).then_some((found, names.names.len()))
    })
}

/// The difference split `by`; `None` where that gives less than two parts, or far too many.
pub(super) fn parts(
    both: &Both<'_>,
    paired: &MeasurePairs,
    values: &[Values; 2],
    by: PartBy,
) -> Option<SplitDifference> {
    if is_one_part(both.sides[0], by) {
        return None;
    }
    let mut names = NameNumbers::default();
    let own = numbers(both.sides[0], both.cases[0], by, &mut names);
    let other = numbers(both.sides[1], both.cases[1], by, &mut names);
    let mut places: Vec<Vec<usize>> = vec![Vec::new(); names.names.len()];
    for (at, place) in paired.places.iter().enumerate() {
        let pair = both.pairs.get(*place as usize)?;
        let part = own.get(pair.0 as usize)?;
        places.get_mut(*part as usize)?.push(at);
    }
    let n_parts = places.iter().filter(|places| !places.is_empty()).count();
    if !(2..=MAX_PARTS).contains(&n_parts) {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
    let n_all = paired.apart.len() as f64;
    let mut found: Vec<DifferencePart> = Vec::with_capacity(n_parts);
    for (places, name) in places.iter().zip(&names.names).filter(|(places, _)| !places.is_empty()) {
        let pick = |all: &[f64]| -> Vec<f64> {
            places.iter().filter_map(|at| all.get(*at).copied()).collect()
        };
        let apart = pick(&paired.apart);
        let of_part = differences(&apart)?;
        let mut interval = of_part.interval;
        let mut p = None;
        if paired.is_binary {
            let mut table = PairedTable::default();
            for (a, b) in pick(&paired.baseline).iter().zip(&pick(&paired.candidate)) {
                table.add(*a > 0.5, *b > 0.5);
            }
            interval = table.interval();
            p = Some(table.mcnemar().p);
        } else if n_parts <= MAX_TESTED {
            p = Some(sign_flip(&apart).p);
        }
        #[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
        let share = apart.len() as f64 / n_all;
        found.push(DifferencePart {
            name: name.clone(),
            n: of_part.n,
            difference: Num(of_part.mean),
            share: Num(share),
            contribution: Num(share * of_part.mean),
            ci95: ends(interval),
            p: p.map(Num),
            p_holm: None,
        });
    }
    let p: Vec<Option<f64>> = found.iter().map(|part| part.p.map(|p| p.0)).collect();
    for (part, p) in found.iter_mut().zip(holm(&p)) {
        part.p_holm = p.map(Num);
    }
    let called = called(both, by);
    let reversal = reversal(called, &names, [(&own, &values[0]), (&other, &values[1])]);
    Some(SplitDifference { by, called: called.to_owned(), parts: found, reversal })
}

/// What a part `by` is called: only slop-code's parts of a suite are checkpoints.
fn called(both: &Both<'_>, by: PartBy) -> &'static str {
    let mut runs = both.sides.iter().flat_map(|side| &side.runs);
    match by {
        PartBy::Variant if !runs.all(|own| own.config.has_policies) => words::VARIANT_PART,
        _ => by.as_str(),
    }
}

/// That the means over all cases of the sides, paired or not, move against every part.
fn reversal(word: &str, names: &NameNumbers, sides: [(&Vec<u32>, &Values); 2]) -> Option<String> {
    let means = |(numbers, values): (&Vec<u32>, &Values)| {
        let mut sums = vec![(0.0_f64, 0.0_f64); names.names.len()];
        for (number, value) in numbers.iter().zip(&values.mean) {
            if let Some(sum) = sums.get_mut(*number as usize).filter(|_| !value.is_nan()) {
                sum.0 += value;
                sum.1 += 1.0;
            }
        }
        let whole = stats::mean(values.mean.iter().copied().filter(|value| !value.is_nan()));
        (sums, whole)
    };
    let ((one, whole), (two, other_whole)) = (means(sides[0]), means(sides[1]));
    let whole = other_whole? - whole?;
    let moves: Vec<f64> = one
        .iter()
        .zip(&two)
        .filter(|(one, two)| one.1 > 0.0 && two.1 > 0.0)
        .map(|(one, two)| two.0 / two.1 - one.0 / one.1)
        .collect();
    let all = |sign: f64| moves.len() > 1 && moves.iter().all(|one| one * sign > 1e-12);
    if all(1.0) && whole < -1e-12 {
        return Some(words::reversed_down(word));
    }
    (all(-1.0) && whole > 1e-12).then(|| words::reversed_up(word))
}
