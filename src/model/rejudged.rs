//! Runs and tables with each case judged anew; which cases count as attempted.

use super::column::{Dict, ValueColumn};
use super::run::Run;
use super::table::{CaseTable, JudgedColumns};
use super::words::{Outcome, Strategy};
use arrow_array::builder::BooleanBuilder;
use arrow_array::{Array as _, BooleanArray};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer};

/// How a case came out, by other rules than its producer's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CaseJudgement {
    /// Outcome.
    pub outcome: Outcome,
    /// Score.
    pub score: Option<f64>,
    /// Whether it met its rule.
    pub passed: Option<bool>,
    /// How its attempts were combined.
    pub strategy: Option<Strategy>,
}

impl Run {
    /// The same run; cases that could be judged and have a score pass where `passes` says so of it.
    pub fn judged_by_score(&self, passes: impl Fn(f64) -> bool) -> Self {
        let mut run = self.clone();
        run.cases = self.cases.judged_by_score(passes);
        run
    }

    /// The same run with each case judged by `judge`, which is told how it is judged here.
    pub fn rejudged(&self, judge: impl Fn(usize, CaseJudgement) -> CaseJudgement) -> Self {
        let mut run = self.clone();
        run.cases = self.cases.rejudged(judge);
        run
    }

    /// Whether case `idx` counts as attempted: as its reader says, else when it neither ended in an
    /// error nor was skipped.
    pub fn is_attempted(&self, idx: usize) -> bool {
        let said = self.cases.is_attempted.get(idx);
        said.unwrap_or_else(|| self.cases.outcome_of(idx).is_attempted())
    }

    /// Whether each case counts as attempted, where the reader says so of every one.
    fn said_of_all(&self) -> Option<&BooleanBuffer> {
        let said = self.cases.is_attempted.array()?;
        (said.null_count() == 0 && said.len() == self.cases.len()).then(|| said.values())
    }

    /// The same for every case, in order.
    pub fn attempted_cases(&self) -> Vec<bool> {
        if let Some(said) = self.said_of_all() {
            return said.iter().collect();
        }
        let by_outcome = |word: &str| Outcome::of_word(word).is_attempted();
        let mut found = self.cases.outcome.mapped(Outcome::Unscored.is_attempted(), by_outcome);
        if self.cases.is_attempted.array().is_some() {
            let said = self.cases.is_attempted.cells();
            for (idx, is_attempted) in found.iter_mut().enumerate() {
                *is_attempted = said.get(idx).unwrap_or(*is_attempted);
            }
        }
        found
    }

    /// The cases that do not count as attempted, ascending.
    pub fn not_attempted(&self) -> Vec<usize> {
        if let Some(said) = self.said_of_all() {
            return (!said).set_indices().collect();
        }
        if self.cases.is_attempted.array().is_some() {
            let attempted = self.attempted();
            return (0..self.cases.len()).filter(|idx| !attempted(*idx)).collect();
        }
        self.cases.outcome.rows_of(|word| !Outcome::of_word(word).is_attempted())
    }

    /// How many cases count as attempted, of which `by_outcome` is [`CaseTable::n_by_outcome`].
    pub fn n_attempted(&self, by_outcome: &[u64; Outcome::ALL.len()]) -> u64 {
        if let Some(said) = self.said_of_all() {
            return said.count_set_bits() as u64;
        }
        if self.cases.is_attempted.array().is_some() {
            return self.attempted_cases().into_iter().map(u64::from).sum();
        }
        let all = Outcome::ALL.iter().zip(by_outcome);
        all.filter(|(outcome, _)| outcome.is_attempted()).map(|(_, n)| n).sum()
    }

    /// The same for many cases.
    pub fn attempted(&self) -> impl Fn(usize) -> bool {
        let (said, outcome) = (self.cases.is_attempted.cells(), self.cases.outcomes());
        move |idx| said.get(idx).unwrap_or_else(|| outcome(idx).is_attempted())
    }
}

impl CaseTable {
    /// The same cases; those that could be judged and have a score pass where `passes` says so of it. What
    /// [`Self::rejudged`] does with that rule, faster.
    pub fn judged_by_score(&self, passes: impl Fn(f64) -> bool) -> Self {
        let n = self.len();
        let (scores, passed) = (self.score.cells(), self.passed.cells());
        let mut outcomes = self.outcome.mapped(Outcome::Unscored, Outcome::of_word);
        let (mut yes, mut known) = (Vec::with_capacity(n / 8 + 1), Vec::with_capacity(n / 8 + 1));
        for (byte, outcomes) in outcomes.chunks_mut(8).enumerate() {
            let (mut all_passed, mut all_known) = (0_u8, 0_u8);
            for (bit, outcome) in outcomes.iter_mut().enumerate() {
                let idx = byte * 8 + bit;
                let could_be = !matches!(*outcome, Outcome::Error | Outcome::Skipped);
                let is_passed = match scores.get(idx) {
                    Some(score) if could_be => {
                        let is_passed = passes(score);
                        *outcome = Outcome::of(is_passed);
                        Some(is_passed)
                    }
                    _ => passed.get(idx),
                };
                all_passed |= u8::from(is_passed == Some(true)) << bit;
                all_known |= u8::from(is_passed.is_some()) << bit;
            }
            yes.push(all_passed);
            known.push(all_known);
        }
        let bits = |bytes: Vec<u8>| BooleanBuffer::new(Buffer::from_vec(bytes), 0, n);
        self.judged(JudgedColumns {
            outcome: outcome_column(&outcomes),
            score: self.score.clone(),
            passed: ValueColumn::of(BooleanArray::new(
                bits(yes),
                Some(NullBuffer::new(bits(known))),
            )),
            strategy: self.strategy.clone(),
        })
    }

    /// The same cases, each judged by `judge`, which is told how it is judged here. Columns in which nothing changes are
    /// shared with this table.
    pub fn rejudged(&self, judge: impl Fn(usize, CaseJudgement) -> CaseJudgement) -> Self {
        let (outcome, score) = (self.outcomes(), self.score.cells());
        let (strategy, passed) = (self.strategy.meanings(Strategy::from_text), self.passed.cells());
        let here = |idx| CaseJudgement {
            outcome: outcome(idx),
            score: score.get(idx),
            passed: passed.get(idx),
            strategy: strategy(idx).flatten(),
        };
        let mut outcomes = Vec::with_capacity(self.len());
        let mut all_passed = BooleanBuilder::with_capacity(self.len());
        let mut scores = ChangedCells::default();
        let mut strategies = ChangedCells::default();
        for idx in 0..self.len() {
            let before = here(idx);
            let now = judge(idx, before);
            outcomes.push(now.outcome);
            all_passed.append_option(now.passed);
            let is_same = now.score.map(f64::to_bits) == before.score.map(f64::to_bits);
            scores.push(now.score, is_same, idx, |idx| here(idx).score);
            let is_same = now.strategy == before.strategy;
            strategies.push(now.strategy, is_same, idx, |idx| here(idx).strategy);
        }
        let judged = JudgedColumns {
            outcome: outcome_column(&outcomes),
            score: scores.0.map_or_else(
                || self.score.clone(),
                |cells| ValueColumn::of(cells.into_iter().collect()),
            ),
            passed: ValueColumn::of(all_passed.finish()),
            strategy: strategies.0.map_or_else(
                || self.strategy.clone(),
                |cells| {
                    let places = cells.into_iter().map(|cell| cell.map(Strategy::index));
                    ValueColumn::of_closed(places, Strategy::WORDS)
                },
            ),
        };
        self.judged(judged)
    }
}

/// The column of these outcomes.
fn outcome_column(outcomes: &[Outcome]) -> ValueColumn<Dict> {
    ValueColumn::of_closed(outcomes.iter().map(|outcome| Some(outcome.index())), Outcome::WORDS)
}

/// The cells of a column that is made anew; `None` as long as each is what it was.
struct ChangedCells<T>(Option<Vec<Option<T>>>);

impl<T> Default for ChangedCells<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> ChangedCells<T> {
    /// Adds the cell of row `idx`; `before` gives the ones that were there.
    fn push(
        &mut self,
        cell: Option<T>,
        is_same: bool,
        idx: usize,
        before: impl Fn(usize) -> Option<T>,
    ) {
        if !is_same && self.0.is_none() {
            self.0 = Some((0..idx).map(before).collect());
        }
        if let Some(cells) = &mut self.0 {
            cells.push(cell);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CaseRow, Run, RunBuilder, RunKey};

    fn run() -> Run {
        let mut run = RunBuilder::new(RunKey::default(), "run");
        for (score, outcome) in [
            (Some(0.25), Outcome::Failed),
            (None, Outcome::Error),
            (Some(0.75), Outcome::Passed),
            (Some(f64::NAN), Outcome::Unscored),
        ] {
            run.case(CaseRow { score, ..CaseRow::default() }.with_outcome(outcome));
        }
        run.finish()
    }

    #[test]
    fn what_nobody_changes_stays_the_same_memory() {
        let before = run().cases;
        let after = before.rejudged(|_, found| CaseJudgement { outcome: Outcome::Passed, ..found });
        let place = |cases: &CaseTable| cases.score.array().unwrap().values().as_ptr();
        assert_eq!(place(&before), place(&after));
        assert!((0..4).all(|idx| after.outcome_of(idx) == Outcome::Passed));
        assert!((0..4).all(|idx| after.passed.get(idx) == before.passed.get(idx)));
    }

    #[test]
    fn a_score_that_changes_late_leaves_those_before_it() {
        let before = run().cases;
        let after = before.rejudged(|idx, found| match idx {
            2 => CaseJudgement { score: Some(0.5), strategy: Some(Strategy::Max), ..found },
            _ => found,
        });
        let scores: Vec<Option<u64>> =
            after.score.iter().map(|one| one.map(f64::to_bits)).collect();
        let wanted = [Some(0.25), None, Some(0.5), Some(f64::NAN)].map(|one| one.map(f64::to_bits));
        assert_eq!(scores, wanted);
        let strategies: Vec<Option<&str>> = after.strategy.iter().collect();
        assert_eq!(strategies, [None, None, Some(Strategy::Max.as_str()), None]);
    }

    #[test]
    fn attempts_are_the_same_for_all_cases_as_for_each() {
        use Outcome::{Error, Failed, Passed, Skipped};
        for said in
            [[Some(true), Some(false), Some(true), Some(false)], [None; 4], [Some(false); 4]]
                .into_iter()
                .chain([[Some(false), None, None, Some(true)]])
        {
            let mut run = RunBuilder::new(RunKey::default(), "run");
            for (is_attempted, outcome) in said.into_iter().zip([Failed, Error, Passed, Skipped]) {
                run.case(CaseRow { is_attempted, ..CaseRow::default() }.with_outcome(outcome));
            }
            let run = run.finish();
            let each: Vec<bool> = (0..4).map(|idx| run.is_attempted(idx)).collect();
            assert_eq!(run.attempted_cases(), each);
            let missed: Vec<usize> =
                each.iter().enumerate().filter(|(_, is)| !**is).map(|(idx, _)| idx).collect();
            assert_eq!(run.not_attempted(), missed);
            let n_attempted = run.n_attempted(&run.cases.n_by_outcome());
            assert_eq!(n_attempted, 4 - missed.len() as u64);
        }
    }

    #[test]
    fn judging_by_score_is_judging_each_case_by_its_score() {
        use Outcome::{Error, Failed, Passed, Scored, Skipped, Unscored};
        let mut run = RunBuilder::new(RunKey::default(), "run");
        for outcome in [Passed, Failed, Error, Skipped, Scored, Unscored] {
            for score in
                [None, Some(0.2), Some(0.5), Some(0.9), Some(f64::NAN), Some(f64::INFINITY)]
            {
                run.case(CaseRow { score, ..CaseRow::default() }.with_outcome(outcome));
            }
        }
        let before = run.finish().cases;
        let passes = |score: f64| score >= 0.5;
        let fast = before.judged_by_score(passes);
        let slow = before.rejudged(|_, found| match found.score {
            Some(score) if !matches!(found.outcome, Error | Skipped) => {
                let is_passed = passes(score);
                CaseJudgement { outcome: Outcome::of(is_passed), passed: Some(is_passed), ..found }
            }
            _ => found,
        });
        assert!((0..before.len()).all(|idx| !fast.is_otherwise(idx, &slow)));
        assert!((0..before.len()).any(|idx| fast.is_otherwise(idx, &before)));
    }
}
