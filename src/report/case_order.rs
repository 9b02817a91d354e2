//! Which cases a query keeps, and in which order: indexes only, never rows.

use super::cases::tokens;
use super::workspace::Workspace;
use super::{CaseQuery, Outcome, RunRef, SortKey, Target};
use crate::model::{Run, Verdict};
use std::cmp::Ordering;

/// A case by its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CaseRef {
    /// Its run.
    pub run: RunRef,
    /// Its row in the run.
    pub case_idx: u32,
}

/// The answer to a query, all but the rows.
#[derive(Debug)]
pub(super) struct CaseOrder {
    query: CaseQuery,
    /// Matching cases in order.
    pub cases: Vec<CaseRef>,
    /// Cases of the target.
    pub n_total: u64,
    /// Columns that hold anything.
    pub columns: Vec<SortKey>,
    /// Cases that match the text, by outcome.
    pub by_outcome: Vec<(Outcome, u64)>,
}

/// A value to sort by; missing ones go last either way.
#[derive(Debug, PartialEq)]
enum Key<'a> {
    Number(f64),
    Text(&'a str),
    Missing,
}

impl CaseOrder {
    /// Finds and sorts the cases of `query`; `None` when its target is not there.
    pub(super) fn new(workspace: &Workspace, query: &CaseQuery) -> Option<Self> {
        let runs = runs_of(workspace, query.target)?;
        let needle = query.text.trim().to_lowercase();
        let mut by_outcome: Vec<(Outcome, u64)> = Outcome::ALL.iter().map(|&o| (o, 0)).collect();
        let mut keyed: Vec<(Key<'_>, CaseRef)> = Vec::new();
        let mut n_total = 0;
        for (at, run) in &runs {
            n_total += run.cases.len() as u64;
            let is_run_hit = needle.is_empty() || contains(&run.label, &needle);
            for idx in 0..run.cases.len() {
                if !is_run_hit && !matches_text(run, idx, &needle) {
                    continue;
                }
                let outcome = run.cases.outcome_of(idx);
                if let Some((_, n)) = by_outcome.iter_mut().find(|(known, _)| *known == outcome) {
                    *n += 1;
                }
                if !query.outcomes.is_empty() && !query.outcomes.contains(&outcome) {
                    continue;
                }
                let case_idx = u32::try_from(idx).ok()?;
                keyed.push((key_of(run, idx, query.sort), CaseRef { run: *at, case_idx }));
            }
        }
        match query.sort {
            SortKey::File if query.is_descending => keyed.reverse(),
            SortKey::File => {}
            _ => keyed.sort_by(|(left, _), (right, _)| compare(left, right, query.is_descending)),
        }
        Some(Self {
            cases: keyed.into_iter().map(|(_, case)| case).collect(),
            columns: columns(&runs),
            query: CaseQuery { offset: 0, limit: 0, ..query.clone() },
            n_total,
            by_outcome,
        })
    }

    /// Whether this is the answer to `query`, which may ask for other rows of it.
    pub(super) fn answers(&self, query: &CaseQuery) -> bool {
        self.query == CaseQuery { offset: 0, limit: 0, ..query.clone() }
    }
}

/// The runs that `target` is about; `None` when it is not there.
pub(super) fn runs_of(workspace: &Workspace, target: Target) -> Option<Vec<(RunRef, &Run)>> {
    let of_entry = |id: u32| {
        let entry = workspace.entry(id)?;
        let runs = entry.evaluation.runs.iter().zip(0_u32..);
        Some(runs.map(move |(run, idx)| (RunRef { evaluation: id, run: idx }, run)))
    };
    match target {
        Target::All => {
            let ids = workspace.entries.iter().map(|entry| entry.id);
            Some(ids.filter_map(of_entry).flatten().collect())
        }
        Target::Evaluation(id) => of_entry(id).map(Iterator::collect),
        Target::Run(at) => workspace.run(at).map(|(_, run)| vec![(at, run)]),
    }
}

pub(super) fn contains(text: &str, needle: &str) -> bool {
    if text.is_ascii() && needle.is_ascii() {
        let (text, needle) = (text.as_bytes(), needle.as_bytes());
        return text.windows(needle.len()).any(|part| part.eq_ignore_ascii_case(needle));
    }
    text.to_lowercase().contains(needle)
}

fn matches_text(run: &Run, idx: usize, needle: &str) -> bool {
    let cases = &run.cases;
    [
        cases.id.get(idx),
        cases.group.get(idx),
        cases.variant.get(idx),
        cases.error_message.get(idx),
        cases.error_type.get(idx),
        cases.error_category.get(idx),
    ]
    .into_iter()
    .flatten()
    .any(|text| contains(text, needle))
}

fn text_key(found: Option<&str>) -> Key<'_> {
    found.map_or(Key::Missing, Key::Text)
}

fn key_of(run: &Run, idx: usize, sort: SortKey) -> Key<'_> {
    let cases = &run.cases;
    let number = |found: Option<f64>| found.map_or(Key::Missing, Key::Number);
    match sort {
        SortKey::File => Key::Missing,
        SortKey::Run => Key::Text(&run.label),
        SortKey::Id => text_key(cases.id.get(idx)),
        SortKey::Group => text_key(cases.group.get(idx)),
        SortKey::Kind => text_key(cases.kind.get(idx)),
        SortKey::Outcome => Key::Number(match cases.outcome_of(idx) {
            Outcome::Failed => 0.0,
            Outcome::Error => 1.0,
            Outcome::Skipped => 2.0,
            Outcome::Unscored => 3.0,
            Outcome::Passed => 4.0,
        }),
        SortKey::Score => number(cases.score.get(idx)),
        SortKey::FailedChecks => {
            let n_failed = run
                .checks_of(idx)
                .filter(|&at| {
                    run.checks.is_correct.get(at) == Some(false)
                        || run.checks.verdict_of(at) == Some(Verdict::Failed)
                })
                .count();
            number(u32::try_from(n_failed).ok().map(f64::from))
        }
        SortKey::Attempts => number(cases.n_attempts.get(idx).map(f64::from)),
        SortKey::Duration => number(cases.duration_secs.get(idx)),
        SortKey::Cost => number(cases.cost_usd.get(idx)),
        SortKey::Tokens => number(tokens(run, idx)),
        SortKey::Error => {
            text_key(cases.error_message.get(idx).or_else(|| cases.error_category.get(idx)))
        }
    }
}

fn compare(left: &Key<'_>, right: &Key<'_>, is_descending: bool) -> Ordering {
    let order = match (left, right) {
        (Key::Missing, Key::Missing) => return Ordering::Equal,
        (Key::Missing, _) => return Ordering::Greater,
        (_, Key::Missing) => return Ordering::Less,
        (Key::Number(left), Key::Number(right)) => left.total_cmp(right),
        (Key::Text(left), Key::Text(right)) => natural(left, right),
        (Key::Number(_), Key::Text(_)) => Ordering::Less,
        (Key::Text(_), Key::Number(_)) => Ordering::Greater,
    };
    if is_descending { order.reverse() } else { order }
}

/// Runs of digits compare by value, so that `case_9` comes before `case_10`.
fn natural(left: &str, right: &str) -> Ordering {
    let (mut left, mut right) = (left.as_bytes(), right.as_bytes());
    loop {
        let (digits_left, digits_right) = (digits(left), digits(right));
        if digits_left > 0 && digits_right > 0 {
            let (a, rest_a) = left.split_at(digits_left);
            let (b, rest_b) = right.split_at(digits_right);
            let (a, b) = (strip_zeros(a), strip_zeros(b));
            let order = a.len().cmp(&b.len()).then_with(|| a.cmp(b));
            if order != Ordering::Equal {
                return order;
            }
            (left, right) = (rest_a, rest_b);
            continue;
        }
        match (left.split_first(), right.split_first()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some((a, rest_a)), Some((b, rest_b))) => {
                let order = a.to_ascii_lowercase().cmp(&b.to_ascii_lowercase());
                if order != Ordering::Equal {
                    return order;
                }
                (left, right) = (rest_a, rest_b);
            }
        }
    }
}

fn digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn strip_zeros(digits: &[u8]) -> &[u8] {
    let n_zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    digits.get(n_zeros..).unwrap_or_default()
}

/// The columns that hold anything in `runs`, in display order.
fn columns(runs: &[(RunRef, &Run)]) -> Vec<SortKey> {
    fn any<T>(mut cells: impl Iterator<Item = Option<T>>) -> bool {
        cells.any(|cell| cell.is_some())
    }
    let holds = |get: fn(&Run) -> bool| runs.iter().any(|(_, run)| get(run));
    let mut columns = vec![SortKey::Outcome, SortKey::Id];
    let candidates: [(SortKey, bool); 10] = [
        (SortKey::Run, runs.len() > 1),
        (SortKey::Group, holds(|run| any(run.cases.group.iter()))),
        (SortKey::Kind, holds(|run| any(run.cases.kind.iter()))),
        (SortKey::Score, holds(|run| any(run.cases.score.iter()))),
        (
            SortKey::FailedChecks,
            holds(|run| any(run.checks.is_correct.iter()) || any(run.checks.verdict.iter())),
        ),
        (SortKey::Attempts, holds(|run| any(run.cases.n_attempts.iter()))),
        (SortKey::Duration, holds(|run| any(run.cases.duration_secs.iter()))),
        (SortKey::Tokens, holds(|run| any(run.cases.prompt_tokens.iter()))),
        (SortKey::Cost, holds(|run| any(run.cases.cost_usd.iter()))),
        (
            SortKey::Error,
            holds(|run| {
                any(run.cases.error_message.iter()) || any(run.cases.error_category.iter())
            }),
        ),
    ];
    columns.extend(candidates.into_iter().filter(|(_, holds)| *holds).map(|(key, _)| key));
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_inside_text_compare_by_value() {
        let mut ids = ["case_10", "case_9", "Case_1", "case_09b", "case_9"];
        ids.sort_by(|left, right| natural(left, right));
        assert_eq!(ids, ["Case_1", "case_9", "case_9", "case_09b", "case_10"]);
    }

    #[test]
    fn missing_values_stay_last_in_both_directions() {
        for is_descending in [false, true] {
            assert_eq!(compare(&Key::Missing, &Key::Number(1.0), is_descending), Ordering::Greater);
        }
        assert_eq!(compare(&Key::Number(1.0), &Key::Number(2.0), true), Ordering::Greater);
    }
}
