//! Runs made case by case, or of some cases of another.

use super::better::Better;
use super::document::RunDocument;
use super::ids::SourceId;
use super::run::{GroupInfo, Run, RunKey, RunState, RunUsage};
use super::table::{CaseRow, CaseTable, CaseTableBuilder, CheckRow, CheckTable, CheckTableBuilder};
use super::words::Outcome;
use arrow_schema::ArrowError;
use std::collections::HashSet;
use std::ops::Range;

/// How much of an error's message a run keeps, in characters; the rest is read on demand.
pub const MESSAGE_CHARS: usize = 2_000;

/// The most rows of a table that there is room for before they come.
const MAX_ROOM: usize = 1 << 20;

/// The only way to make a [`Run`].
///
/// Cases are added in order; checks go to the case added last.
pub struct RunBuilder {
    key: RunKey,
    label: String,
    /// When it started, as the file writes it.
    pub started_at: Option<String>,
    /// Wall-clock seconds of the whole run.
    pub duration_secs: Option<f64>,
    /// Tokens and cost of the run as a whole.
    pub usage: Option<RunUsage>,
    /// Whether the test runner itself failed.
    pub is_infrastructure_failure: Option<bool>,
    /// What became of it.
    pub state: Option<RunState>,
    /// Which way the scores of its cases are better.
    pub score_better: Option<Better>,
    /// Paths of the files that it was first read from, where it comes out of a report.
    pub origins: Vec<String>,
    /// What the files hold beyond the cases, in the order in which it is shown.
    pub documents: Vec<RunDocument>,
    /// Cases by outcome, where they are still in the dataset.
    pub unread: Option<Vec<(Outcome, u64)>>,
    groups: Vec<GroupInfo>,
    sources: Vec<SourceId>,
    cases: CaseTableBuilder,
    checks: CheckTableBuilder,
    check_starts: Vec<u32>,
}

impl RunBuilder {
    /// A run without cases.
    pub fn new(key: RunKey, label: impl Into<String>) -> Self {
        Self {
            key,
            label: label.into(),
            started_at: None,
            duration_secs: None,
            usage: None,
            is_infrastructure_failure: None,
            state: None,
            score_better: None,
            origins: Vec::new(),
            documents: Vec::new(),
            unread: None,
            groups: Vec::new(),
            sources: Vec::new(),
            cases: CaseTableBuilder::default(),
            checks: CheckTableBuilder::default(),
            check_starts: Vec::new(),
        }
    }

    /// Names a source the run was read from.
    pub fn source(&mut self, source: SourceId) {
        if !self.sources.contains(&source) {
            self.sources.push(source);
        }
    }

    /// Describes a group; needed for groups without cases, for durations and for the order.
    pub fn group(&mut self, group: GroupInfo) {
        self.groups.push(group);
    }

    /// Adds a case and returns its row.
    pub fn case(&mut self, mut row: CaseRow<'_>) -> usize {
        row.error_message = row.error_message.map(|message| head(message, MESSAGE_CHARS));
        let idx = self.cases.n_rows();
        self.check_starts.push(u32::try_from(self.checks.n_rows()).unwrap_or(u32::MAX));
        self.cases.push(row);
        idx
    }

    /// Makes room for as many cases and checks in all: columns that grow are copied again and again. Without effect once a
    /// second run was added.
    pub fn make_room(&mut self, n_cases: usize, n_checks: usize) {
        self.cases.set_room(n_cases.min(MAX_ROOM));
        self.checks.set_room(n_checks.min(2 * MAX_ROOM));
        self.check_starts.reserve(n_cases.min(MAX_ROOM).saturating_sub(self.check_starts.len()));
    }

    /// Number of checks so far.
    pub fn n_checks(&self) -> usize {
        self.checks.n_rows()
    }

    /// Adds the cases of `run` with their checks.
    ///
    /// # Errors
    /// When there is no room for so much text.
    pub fn append(&mut self, run: &Run) -> Result<(), ArrowError> {
        let count = |n_rows: usize| u32::try_from(n_rows).unwrap_or(u32::MAX);
        let (n_cases, n_checks) = (count(self.cases.n_rows()), count(self.checks.n_rows()));
        let starts = run.check_starts.iter().map(|at| at.saturating_add(n_checks));
        self.check_starts.extend(starts);
        self.cases.extend(&run.cases)?;
        match n_cases {
            0 => self.checks.extend(&run.checks),
            _ => self.checks.extend(&run.checks.behind(n_cases)),
        }
    }

    /// Adds the cases of `cases` with `checks`, whose `case_idx` count from the first of them: those of a
    /// case begin where `starts` says.
    ///
    /// # Errors
    /// When there is no room for so much text, or the columns do not fit together.
    pub fn extend(
        &mut self,
        cases: CaseTable,
        checks: CheckTable,
        starts: Vec<u32>,
    ) -> Result<(), ArrowError> {
        if starts.len() != cases.len() || !cases.is_even() || !checks.is_even() {
            let reason = "columns of a table differ in length";
            return Err(ArrowError::InvalidArgumentError(reason.to_owned()));
        }
        let key = RunKey::default();
        let own = RunBuilder::new(key, String::new()).finish();
        self.append(&Run { cases, checks, check_starts: starts, ..own })
    }

    /// Number of cases so far.
    pub fn n_cases(&self) -> usize {
        self.cases.n_rows()
    }

    /// Adds a check to the case added last.
    pub fn check(&mut self, mut row: CheckRow<'_>) {
        let case_idx = self.cases.n_rows().saturating_sub(1);
        row.case_idx = u32::try_from(case_idx).ok();
        self.checks.push(row);
    }

    /// Ends the run. Groups that only cases name are added in the order of their first case.
    pub fn finish(self) -> Run {
        let cases = self.cases.finish();
        let checks = self.checks.finish();
        let mut groups = self.groups;
        let names: Vec<&str> = cases.group.words().collect();
        let mut known: HashSet<String> = groups.iter().map(|group| group.name.clone()).collect();
        let mut is_seen = vec![false; names.len()];
        for (idx, code) in cases.group.codes().enumerate() {
            let Some(code) = code else { continue };
            let (Some(is_seen), Some(name)) = (is_seen.get_mut(code), names.get(code)) else {
                continue;
            };
            if !std::mem::replace(is_seen, true) && known.insert((*name).to_owned()) {
                groups.push(GroupInfo {
                    name: (*name).to_owned(),
                    kind: cases.kind_of(idx),
                    duration_secs: None,
                    weight: None,
                });
            }
        }
        Run {
            key: self.key,
            label: self.label,
            started_at: self.started_at,
            duration_secs: self.duration_secs,
            usage: self.usage,
            is_infrastructure_failure: self.is_infrastructure_failure,
            state: self.state,
            score_better: self.score_better,
            groups,
            cases,
            checks,
            sources: self.sources,
            documents: self.documents,
            unread: self.unread,
            origins: self.origins,
            check_starts: self.check_starts,
        }
    }
}

impl Run {
    /// The same run with these cases alone, of which it has all.
    pub fn only(&self, cases: Range<usize>) -> Self {
        let (key, sources) = (self.key.clone(), self.sources.clone());
        let alone = RunBuilder { sources, ..RunBuilder::new(key, self.label.as_str()) };
        let start = |idx: usize| self.checks_of(idx).start;
        let checks = start(cases.start)..start(cases.end);
        let from_first = |idx| u32::try_from(start(idx) - checks.start).unwrap_or(u32::MAX);
        Self {
            check_starts: cases.clone().map(from_first).collect(),
            cases: self.cases.slice(cases),
            checks: self.checks.slice(checks),
            score_better: self.score_better,
            ..alone.finish()
        }
    }

    /// The same run without its cases, with these of its documents alone.
    pub fn only_documents(&self, places: &[usize]) -> Self {
        let (key, sources) = (self.key.clone(), self.sources.clone());
        let alone = RunBuilder { sources, ..RunBuilder::new(key, self.label.as_str()) };
        let documents = places.iter().filter_map(|place| self.documents.get(*place).cloned());
        Self { documents: documents.collect(), ..alone.finish() }
    }
}

/// The first `n_chars` characters of `text`.
fn head(text: &str, n_chars: usize) -> &str {
    text.char_indices().nth(n_chars).map_or(text, |(end, _)| text.get(..end).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A case by its number, with as many checks as it says.
    fn push(builder: &mut RunBuilder, number: u32) {
        let words = [None, Some("red"), Some("green"), Some("blue")];
        let id = format!("case {number}");
        builder.case(CaseRow {
            id: Some(&id),
            score: (!number.is_multiple_of(3)).then_some(f64::from(number) / 7.0),
            passed: (number > 40).then_some(number.is_multiple_of(2)),
            error_category: words[number as usize % 4],
            answer: (number == 50).then_some(u64::MAX),
            ..CaseRow::default()
        });
        for nth in 0..number % 4 {
            builder.check(CheckRow {
                name: words[(number / 4) as usize % 4],
                attempt: (nth > 0).then_some(nth),
                ..CheckRow::default()
            });
        }
    }

    fn run_of(numbers: &[u32]) -> Run {
        let mut builder = RunBuilder::new(RunKey::default(), "");
        numbers.iter().for_each(|number| push(&mut builder, *number));
        builder.finish()
    }

    proptest! {
        #[test]
        fn runs_put_together_are_the_run_of_all_their_cases(
            parts in prop::collection::vec(prop::collection::vec(0_u32..60, 0..12), 0..5)
        ) {
            let whole = run_of(&parts.concat());
            let mut builder = RunBuilder::new(RunKey::default(), "");
            for part in &parts {
                builder.append(&run_of(part)).unwrap();
            }
            let joined = builder.finish();
            let mut by_columns = RunBuilder::new(RunKey::default(), "");
            for part in &parts {
                let Run { cases, checks, check_starts, .. } = run_of(part);
                by_columns.extend(cases, checks, check_starts).unwrap();
            }
            let by_columns = by_columns.finish();
            prop_assert_eq!(whole.cases.to_batch().unwrap(), by_columns.cases.to_batch().unwrap());
            prop_assert_eq!(whole.checks.to_batch().unwrap(), by_columns.checks.to_batch().unwrap());
            prop_assert_eq!(&whole.check_starts, &by_columns.check_starts);
            prop_assert_eq!(whole.cases.to_batch().unwrap(), joined.cases.to_batch().unwrap());
            prop_assert_eq!(whole.checks.to_batch().unwrap(), joined.checks.to_batch().unwrap());
            let words = |run: &Run| -> Vec<String> {
                run.cases.error_category.words().chain(run.checks.name.words()).map(str::to_owned).collect()
            };
            prop_assert_eq!(words(&whole), words(&joined));
            prop_assert_eq!(&whole.check_starts, &joined.check_starts);
        }
    }
}
