//! Is a run sound? Run on every import; findings become notes.

use super::blocks::{BLOCK, in_blocks};
use super::run::Run;
use super::words::{Kind, Outcome, Strategy, Verdict};
use arrow_array::Array as _;
use hashbrown::DefaultHashBuilder;
use std::collections::HashSet;
use std::hash::BuildHasher as _;
use std::ops::Range;

/// A fault in a run; each is a defect of a reader or of the file, never of the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntegrityFault {
    /// What is wrong, in words.
    pub detail: String,
    /// Row of the case, when it is about one.
    pub case_idx: Option<usize>,
    /// It is that an id stands more than once, which readers note in better words.
    pub is_repeated_id: bool,
}

/// What the words of a case mean, by its row.
struct CaseWords<K, S, O> {
    /// Whether its kind is known.
    has_kind: K,
    /// Whether its strategy is known.
    has_strategy: S,
    outcome: O,
}

/// Every fault of `run`: dangling indexes, unknown words, impossible combinations, repeated ids.
pub fn check(run: &Run) -> Vec<IntegrityFault> {
    let mut faults = Vec::new();
    let repeated = repeated_ids(run);
    let words = CaseWords {
        has_kind: run.cases.kind.meanings(|word| Kind::from_text(word).is_some()),
        has_strategy: run.cases.strategy.meanings(|word| Strategy::from_text(word).is_some()),
        outcome: run.cases.outcome.meanings(Outcome::from_text),
    };
    in_blocks(run.cases.len(), |rows| check_cases(run, rows, &repeated, &words, &mut faults));
    if !has_sound_checks(run) {
        check_checks(run, &mut faults);
    }
    faults
}

fn check_cases(
    run: &Run,
    rows: Range<usize>,
    repeated: &HashSet<usize>,
    words: &CaseWords<
        impl Fn(usize) -> Option<bool>,
        impl Fn(usize) -> Option<bool>,
        impl Fn(usize) -> Option<Option<Outcome>>,
    >,
    faults: &mut Vec<IntegrityFault>,
) {
    for idx in rows {
        let mut push = |detail: String, is_repeated_id| {
            faults.push(IntegrityFault { detail, case_idx: Some(idx), is_repeated_id });
        };
        match run.cases.id.get(idx) {
            None => push("a case has no id".to_owned(), false),
            Some(id) if repeated.contains(&idx) => {
                push(format!("the id {id:?} occurs more than once in its group"), true);
            }
            Some(_) => {}
        }
        let mut fault = |detail: String| push(detail, false);
        if (words.has_kind)(idx) == Some(false) {
            fault("a case has an unknown kind".to_owned());
        }
        if (words.has_strategy)(idx) == Some(false) {
            fault("a case has an unknown strategy".to_owned());
        }
        match (words.outcome)(idx) {
            None => fault("a case has no outcome".to_owned()),
            Some(None) => fault("a case has an unknown outcome".to_owned()),
            Some(Some(outcome)) => {
                let agrees = match outcome {
                    Outcome::Passed => run.cases.passed.get(idx) == Some(true),
                    Outcome::Failed => run.cases.passed.get(idx) == Some(false),
                    Outcome::Error | Outcome::Skipped => run.cases.passed.get(idx) != Some(true),
                    // A producer's rule may hold of nothing at all (slop-code: no attribute was
                    // verified, so none was wrong).
                    Outcome::Unscored => true,
                    Outcome::Scored => run.cases.passed.get(idx).is_none(),
                };
                if !agrees {
                    fault("a case's outcome and verdict disagree".to_owned());
                }
            }
        }
        if run
            .cases
            .source
            .get(idx)
            .is_none_or(|source| !run.sources.iter().any(|known| known.0 == source))
        {
            fault("a case has no source, or one its run does not name".to_owned());
        }
        if run.cases.duration_secs.get(idx).is_some_and(|secs| secs < 0.0) {
            fault("a case has a negative duration".to_owned());
        }
    }
}

fn check_checks(run: &Run, faults: &mut Vec<IntegrityFault>) {
    let has_verdict = run.checks.verdict.meanings(|word| Verdict::from_text(word).is_some());
    for idx in 0..run.checks.len() {
        let case_idx = run.checks.case_idx.get(idx).map(|idx| idx as usize);
        let mut fault = |detail: &str| {
            faults.push(IntegrityFault {
                detail: detail.to_owned(),
                case_idx,
                is_repeated_id: false,
            });
        };
        if case_idx.is_none_or(|case_idx| case_idx >= run.cases.len()) {
            fault("a check belongs to no case");
        }
        if run.checks.name.code(idx).is_none() {
            fault("a check has no name");
        }
        if has_verdict(idx) == Some(false) {
            fault("a check has an unknown verdict");
        }
        if run.checks.weight.get(idx).is_some_and(|weight| weight < 0.0) {
            fault("a check has a negative weight");
        }
    }
}

/// Whether nothing is wrong with any check, by whole columns.
fn has_sound_checks(run: &Run) -> bool {
    let (checks, n_cases) = (&run.checks, run.cases.len());
    let belongs = checks.case_idx.array().is_some_and(|array| {
        array.null_count() == 0
            && are_all(array.values(), |cases| cases.iter().all(|idx| (*idx as usize) < n_cases))
    });
    let is_named = checks.name.array().is_some_and(|array| array.null_count() == 0);
    let is_known = checks.verdict.words().all(|word| Verdict::from_text(word).is_some());
    // What is null may be anything.
    let weighs = checks.weight.array().is_none_or(|array| {
        are_all(array.values(), |weights| !weights.iter().any(|weight| *weight < 0.0))
    });
    checks.is_empty() || (belongs && is_named && is_known && weighs)
}

/// Whether all blocks of `cells` are `sound`.
fn are_all<T>(cells: &[T], sound: impl Fn(&[T]) -> bool) -> bool {
    #[inline(never)]
    fn one<T>(cells: &[T], sound: &impl Fn(&[T]) -> bool) -> bool {
        sound(cells)
    }
    cells.chunks(BLOCK).all(|block| one(block, &sound))
}

/// The cases whose id an earlier one of their group has. Hashes are sorted, since a table of a million keys would be
/// a multiple of the run itself; only where hashes meet are the words compared.
fn repeated_ids(run: &Run) -> HashSet<usize> {
    let cases = &run.cases;
    if cases.has_rising_ids() {
        return HashSet::new();
    }
    let key = |idx: usize| {
        let id = cases.id.get(idx)?;
        Some((cases.group.get(idx), cases.variant.get(idx), cases.is_numeric_id.get(idx), id))
    };
    let hasher = DefaultHashBuilder::default();
    let mut hashes: Vec<(u64, u32)> = (0..cases.len())
        .zip(0..)
        .filter_map(|(idx, row)| Some((hasher.hash_one(key(idx)?), row)))
        .collect();
    hashes.sort_unstable();
    let mut repeated = HashSet::new();
    for alike in hashes.chunk_by(|left, right| left.0 == right.0).filter(|alike| alike.len() > 1) {
        let mut seen = HashSet::new();
        let rows = alike.iter().map(|(_, row)| *row as usize);
        repeated.extend(rows.filter(|idx| !seen.insert(key(*idx))));
    }
    repeated
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CaseRow, CheckRow, Locator, RunBuilder, RunKey, SourceId};

    #[test]
    fn a_fault_is_found_in_whatever_block_it_lies() {
        let faulty = [0, BLOCK - 1, BLOCK, 2 * BLOCK + 7];
        let mut builder = RunBuilder::new(RunKey::default(), "a");
        builder.source(SourceId(0));
        for idx in 0..2 * BLOCK + 10 {
            let secs = if faulty.contains(&idx) { -1.0 } else { 1.0 };
            let place = Locator::Span { source: SourceId(0), offset: idx as u64, len: 1 };
            let case = CaseRow {
                id: Some(&idx.to_string()),
                duration_secs: Some(secs),
                passed: Some(true),
                ..CaseRow::default()
            };
            builder.case(case.with_outcome(Outcome::Passed).at(place));
            builder.check(CheckRow { name: Some("a"), weight: Some(secs), ..CheckRow::default() });
        }
        let found = |detail: &str, run: &Run| -> Vec<usize> {
            let faults = check(run).into_iter().filter(|fault| fault.detail == detail);
            faults.filter_map(|fault| fault.case_idx).collect()
        };
        let run = builder.finish();
        assert_eq!(found("a case has a negative duration", &run), faulty);
        assert_eq!(found("a check has a negative weight", &run), faulty);
        assert_eq!(check(&run).len(), 2 * faulty.len());
    }
}
