//! Which pairs a filter keeps, and how one could go on while it is written.
//!
//! A condition that any case has holds of a pair when it holds of the case on one of the sides that are
//! asked about, and of a case when it holds of one of its trials. `side:` changes which sides are asked
//! about, for the conditions behind it in the same list.

use super::pairs_list::{List, ListedPair, NOTHING};
use super::prepared::{letter, prepare};
use super::{CompareQuery, PairsQuery};
use crate::report::filter::{
    About, CHANGES, Expr, Field, Filter, FilterError, FilterScope, Mask, SuggestTarget,
    Suggestions, Term, suggest_about,
};
use crate::words::report::compare as words;
use crate::workspace::Workspace;

/// Whether the baseline is asked about, and whether the candidate.
type OfSides = [bool; 2];

/// A filter with the cases that it is about.
pub(super) struct PairFilter<'a> {
    filter: Filter,
    root: Option<Expr>,
    scopes: [FilterScope<'a>; 2],
    letters: [char; 2],
}

/// What a filter of pairs is about when the candidate is side `side`.
fn about(side: usize) -> About {
    About::Pairs { sides: [letter(0), letter(side)] }
}

impl<'a> PairFilter<'a> {
    /// Reads `text`; `None`: a run is not there, or there are too many cases.
    pub(super) fn new(
        workspace: &'a Workspace,
        list: &List<'_>,
        text: &str,
    ) -> Option<Result<Self, FilterError>> {
        let filter = match Filter::read(text, about(list.side)) {
            Ok(filter) => filter,
            Err(err) => return Some(Err(err)),
        };
        let scope = |side: usize| {
            FilterScope::of_runs(workspace, list.refs.get(side).into_iter().flatten().copied())
        };
        let scopes = [scope(0)?, scope(1)?];
        let is_searched = |needle: &str| scopes.iter().all(|scope| scope.is_searched(needle));
        let root = filter.searched(&is_searched);
        Some(Ok(Self { filter, root, scopes, letters: [letter(0), letter(list.side)] }))
    }

    /// Whether it asks for cases that only one side has.
    pub(super) fn asks_for_lone(&self) -> bool {
        self.filter.terms().into_iter().any(|term| match term {
            Term::Is { field: Field::Change, values, .. } => {
                values.iter().any(|value| matches!(value.as_str(), "new" | "gone"))
            }
            _ => false,
        })
    }

    /// Texts that it looks for in files that have not been searched for them.
    pub(super) fn unsearched(&self) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for needle in self.scopes.iter().flat_map(|scope| self.filter.unsearched(scope)) {
            if !found.iter().any(|known| known == needle) {
                found.push(needle.to_owned());
            }
        }
        found
    }

    /// The filter as it was probably meant.
    pub(super) fn by_value(&self) -> Option<String> {
        let [_, candidate] = self.letters;
        let about = About::Pairs { sides: ['A', candidate] };
        Some(self.filter.by_value_about(about)?.to_string())
    }

    /// Keeps those of `found` that it keeps.
    pub(super) fn keep(&self, list: &List<'_>, found: &mut Vec<ListedPair>) {
        let Some(root) = &self.root else { return };
        let mut kept = self.holds(root, [true, true], list, found).into_iter();
        found.retain(|_| kept.next() == Some(true));
    }

    /// For each of `found`, whether `expr` holds.
    fn holds(&self, expr: &Expr, of: OfSides, list: &List<'_>, found: &[ListedPair]) -> Vec<bool> {
        match expr {
            Expr::All(parts) => {
                let (mut of, mut all) = (of, vec![true; found.len()]);
                for part in parts {
                    let own = self.holds(part, of, list, found);
                    all.iter_mut().zip(own).for_each(|(all, own)| *all &= own);
                    of = self.sides_named(part).unwrap_or(of);
                }
                all
            }
            Expr::Any(parts) => {
                let mut any = vec![false; found.len()];
                for part in parts {
                    let own = self.holds(part, of, list, found);
                    any.iter_mut().zip(own).for_each(|(any, own)| *any |= own);
                }
                any
            }
            Expr::Not(inner) => {
                self.holds(inner, of, list, found).into_iter().map(|is_so| !is_so).collect()
            }
            Expr::Term(term) => self.term_holds(term, of, list, found),
        }
    }

    /// The sides that the conditions behind `part` are about, when it says so.
    fn sides_named(&self, part: &Expr) -> Option<OfSides> {
        let Expr::Term(Term::Is { field: Field::Side, values, .. }) = part else { return None };
        Some(self.letters.map(|letter| values.iter().any(|value| *value == letter.to_string())))
    }

    fn term_holds(
        &self,
        term: &Term,
        of: OfSides,
        list: &List<'_>,
        found: &[ListedPair],
    ) -> Vec<bool> {
        match term {
            Term::Is { field: Field::Side, .. } => {
                let named = self.sides_named(&Expr::Term(term.clone())).unwrap_or_default();
                found.iter().map(|one| one.is_on().into_iter().zip(named).any(both)).collect()
            }
            Term::Is { field: Field::Change, values, .. } => {
                let is_so =
                    |one: &ListedPair| values.iter().any(|word| changed_so(list, *one, word));
                found.iter().map(is_so).collect()
            }
            Term::Is { field: Field::Delta, values, .. } => {
                let wanted: Vec<Option<f64>> =
                    values.iter().map(|value| Field::Delta.number(value)).collect();
                let is_so = |apart: f64| {
                    wanted.iter().any(|wanted| match wanted {
                        Some(wanted) => (apart - wanted).abs() <= NOTHING,
                        None => apart.is_nan(),
                    })
                };
                found.iter().map(|one| is_so(list.apart(one.at))).collect()
            }
            Term::Compares { field: Field::Delta, how, value } => {
                let bound = Field::Delta.number(value).unwrap_or(f64::NAN);
                // What rounding leaves of a difference must not decide.
                let near =
                    |apart: f64| if (apart - bound).abs() <= NOTHING { bound } else { apart };
                let is_so = |apart: f64| !apart.is_nan() && how.holds(near(apart), bound);
                found.iter().map(|one| is_so(list.apart(one.at))).collect()
            }
            term => {
                let mut holds = vec![false; found.len()];
                for side in (0..2).filter(|side| of.get(*side) == Some(&true)) {
                    let Some(mask) = self.scopes.get(side).map(|scope| term.mask(scope)) else {
                        continue;
                    };
                    for (holds, one) in holds.iter_mut().zip(found) {
                        *holds = *holds || list.is_any_trial(side, *one, &mask);
                    }
                }
                holds
            }
        }
    }
}

fn both((one, two): (bool, bool)) -> bool {
    one && two
}

/// Whether `one` has changed as `word` of [`CHANGES`] says.
fn changed_so(list: &List<'_>, one: ListedPair, word: &str) -> bool {
    let (apart, gain) = (list.apart(one.at), list.gain(one.at));
    match (word, one.is_on()) {
        ("new", [false, true]) | ("gone", [true, false]) => true,
        ("regressed", [true, true]) => gain < -NOTHING,
        ("fixed", [true, true]) => gain > NOTHING,
        ("same", [true, true]) => apart.abs() <= NOTHING,
        ("changed", [true, true]) => list.is_other_input(one),
        _ => false,
    }
}

impl List<'_> {
    /// Whether `mask`, of the rows of a side, means a trial of the case that `one` has there.
    fn is_any_trial(&self, side: usize, one: ListedPair, mask: &Mask) -> bool {
        let case = if side == 0 { one.cases.0 } else { one.cases.1 };
        let trials = self.cases.get(side).map(|cases| cases.trials(case as usize));
        trials.unwrap_or_default().iter().any(|trial| mask.has(*trial as usize))
    }
}

/// How `text`, a filter of the pairs of side `side`, could go on at byte `at`.
pub fn suggest_pairs(
    workspace: &Workspace,
    of: &CompareQuery,
    side: usize,
    text: &str,
    at: usize,
) -> Option<Suggestions> {
    let prepared = prepare(workspace, of)?;
    let sides = prepared.sides(workspace);
    let lines = prepared.lines(workspace, &sides, &of.sides);
    let computed = prepared.computed(workspace, &sides, side, of.without_changed)?;
    let list = List::new(&prepared, &sides, computed, side)?;
    let runs = list.refs.iter().flatten().copied();
    let of_pairs = |field: &Field| match field {
        Field::Change => {
            let mut all = list.chosen(&PairsQuery::default());
            all.extend(list.lone());
            let count = |word: &str| {
                let n = all.iter().filter(|one| changed_so(&list, **one, word)).count() as u64;
                let words = match word {
                    "new" | "gone" => words::cases(n),
                    _ => words::pairs(n),
                };
                (word.to_owned(), words)
            };
            CHANGES.into_iter().map(count).collect()
        }
        Field::Side => {
            let line = |side: usize| {
                let line = lines.get(side)?;
                Some((line.letter.to_string(), line.label.clone()))
            };
            [0, side].into_iter().filter_map(line).collect()
        }
        _ => Vec::new(),
    };
    let scope = FilterScope::of_runs(workspace, runs);
    Some(suggest_about(&SuggestTarget { about: about(side), scope, of_pairs: &of_pairs }, text, at))
}
