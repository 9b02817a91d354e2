//! Failures whose messages have the same shape.

use super::matrix::{MatrixRow, matrix};
use super::told::{FailureText, is_sampled, message, reason, reason_at, silent};
use super::{Failing, RunOf};
use crate::model::MESSAGE_CHARS;
use crate::order::Order as _;
use crate::report::charts::quoted;
use crate::report::filter::words_text;
use crate::report::message_shape::{literal, salient_line, shape, unmasked};
use crate::report::table::{Column, TableShape};
use crate::report::{Cell, Link, Row, Section, Table};
use crate::words::report::failures as words;
use crate::workspace::Workspace;
use std::borrow::Cow;
use std::collections::HashMap;

/// Most reasons that are read out of the files for one page.
const MAX_READ: u64 = 2_000;

/// Most shapes that stand in the table one by one.
const MAX_SHAPES: usize = 100;

/// Cases shown for a shape.
const N_EXAMPLES: usize = 3;

/// Characters of a case's id that an example shows.
const EXAMPLE_CHARS: usize = 48;

/// Letters of a unit.
const MAX_UNIT: usize = 2;

/// Failures of one shape.
pub(super) struct Cluster {
    shape: String,
    /// What every message of it says, as long as all say the same.
    same: Option<String>,
    pub(super) n_cases: u64,
    pub(super) n_runs: u64,
    last_run: usize,
    /// The first ones, by place in the list of failures.
    pub(super) examples: Vec<usize>,
    /// Whether every message is one that a search finds.
    is_searchable: bool,
}

/// All clusters, and how many failures are in none.
#[derive(Default)]
pub(super) struct Clusters {
    pub(super) list: Vec<Cluster>,
    by_shape: HashMap<String, usize>,
    /// Cluster of a salient line, so that equal lines are masked once; `None`: nothing of it can be seen.
    by_line: HashMap<String, Option<usize>>,
    /// Cluster of each failure.
    pub(super) of_case: Vec<Option<usize>>,
    pub(super) n_unread: u64,
    n_gone: u64,
}

/// The shapes of the messages of `failing`, and in which runs they are.
pub(super) fn sections(
    workspace: &Workspace,
    runs: &[RunOf<'_>],
    failing: &[Failing<'_>],
) -> Vec<Section> {
    let clusters = Clusters::new(workspace, failing, MAX_READ);
    let similar = Section {
        title: words::SIMILAR.to_owned(),
        lead: Some(words::SIMILAR_LEAD.to_owned()),
        tables: vec![clusters.table(failing, runs.len() > 1)],
        ..Section::default()
    };
    let by_run = clusters.by_run(runs, failing).map(|table| Section {
        title: words::BY_RUN.to_owned(),
        tables: vec![table],
        ..Section::default()
    });
    std::iter::once(similar).chain(by_run).collect()
}

impl Cluster {
    /// What its messages say, with masks where they differ.
    pub(super) fn name(&self) -> &str {
        self.same.as_deref().unwrap_or(&self.shape)
    }
}

impl Clusters {
    pub(super) fn new(workspace: &Workspace, failing: &[Failing<'_>], max_read: u64) -> Self {
        let mut clusters = Self::default();
        // Looked for once: of a million failing cases it takes its time.
        let places: Vec<Option<usize>> = failing
            .iter()
            .map(|case| message(case).is_none().then(|| reason_at(case)).flatten())
            .collect();
        let n_in_files = places.iter().flatten().count() as u64;
        let mut nth_in_files = 0;
        for (nth, (case, place)) in failing.iter().zip(&places).enumerate() {
            let told = match (place, message(case)) {
                (Some(at), _) => {
                    let is_read = is_sampled(nth_in_files, n_in_files, max_read);
                    nth_in_files += 1;
                    if is_read { reason(case, *at, workspace) } else { FailureText::Unread }
                }
                (None, Some(message)) => FailureText::Message(message),
                (None, None) => FailureText::Nothing,
            };
            clusters.add(nth, case, told);
        }
        clusters
    }

    fn add(&mut self, nth: usize, case: &Failing<'_>, told: FailureText<'_>) {
        let is_message = matches!(told, FailureText::Message(_));
        let (text, check) = match told {
            FailureText::Message(message) => (Cow::Borrowed(message), None),
            FailureText::Reason(reason, check) => (Cow::Owned(reason), Some(check)),
            FailureText::Nothing => (Cow::Borrowed(""), None),
            FailureText::Unread | FailureText::Gone => {
                self.n_unread += u64::from(matches!(told, FailureText::Unread));
                self.n_gone += u64::from(matches!(told, FailureText::Gone));
                self.of_case.push(None);
                return;
            }
        };
        let line = salient_line(&text);
        let seen = match check.filter(|check| !check.is_empty() && is_figures(line)) {
            Some(check) => self.of_figures(check, line),
            None => self.of_line(line),
        };
        let is_searchable = is_message && seen.is_some();
        let at = seen.unwrap_or_else(|| self.of_shape(silent(case.of.run, case.idx), None));
        self.of_case.push(Some(at));
        let Some(cluster) = self.list.get_mut(at) else { return };
        cluster.n_cases += 1;
        cluster.is_searchable &= is_searchable;
        if cluster.last_run != case.nth_run {
            (cluster.n_runs, cluster.last_run) = (cluster.n_runs + 1, case.nth_run);
        }
        if cluster.examples.len() < N_EXAMPLES {
            cluster.examples.push(nth);
        }
    }

    fn of_line(&mut self, line: &str) -> Option<usize> {
        if let Some(known) = self.by_line.get(line) {
            return *known;
        }
        let shape = Some(shape(line)).filter(|shape| !shape.is_empty());
        let at = shape.map(|shape| self.of_shape(shape, unmasked(line)));
        self.by_line.insert(line.to_owned(), at);
        at
    }

    /// Of a reason of `check` that is figures: what it is about is the check.
    fn of_figures(&mut self, check: &str, line: &str) -> Option<usize> {
        let shape = Some(shape(line)).filter(|shape| !shape.is_empty())?;
        let said = unmasked(line).map(|line| words::figures_of(check, &line));
        Some(self.of_shape(words::figures_of(check, &shape), said))
    }

    /// Of a message that has this shape and says `said`, where that is short enough to be shown.
    fn of_shape(&mut self, shape: String, said: Option<String>) -> usize {
        if let Some(&known) = self.by_shape.get(&shape) {
            if let Some(cluster) = self.list.get_mut(known)
                && cluster.same != said
            {
                cluster.same = None;
            }
            return known;
        }
        let at = self.list.len();
        self.by_shape.insert(shape.clone(), at);
        self.list.push(Cluster {
            shape,
            same: said,
            n_cases: 0,
            n_runs: 0,
            last_run: usize::MAX,
            examples: Vec::new(),
            is_searchable: true,
        });
        at
    }

    fn size(&self, at: usize) -> u64 {
        self.list.get(at).map_or(0, |cluster| cluster.n_cases)
    }

    /// The clusters by size; equal ones in the order of their first case.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.list.len()).collect();
        order.order_by_key(|at| std::cmp::Reverse(self.size(*at)));
        order
    }

    /// The clusters against the runs; where no message can be searched for, groups against the runs.
    fn by_run(&self, runs: &[RunOf<'_>], failing: &[Failing<'_>]) -> Option<Table> {
        let order = self.order();
        let needles = self.needles(&order, failing);
        let group = |case: &Failing<'_>| case.of.run.cases.group.get(case.idx).map(str::to_owned);
        if needles.is_empty() && failing.iter().any(|case| group(case).is_some()) {
            let mut names: Vec<String> = Vec::new();
            let mut of_name: HashMap<String, usize> = HashMap::new();
            let of_case: Vec<Option<usize>> = failing
                .iter()
                .map(|case| {
                    let name = group(case)?;
                    Some(*of_name.entry(name.clone()).or_insert_with(|| {
                        names.push(name);
                        names.len() - 1
                    }))
                })
                .collect();
            let row = |name: String| {
                let filter = Some(format!("group={}", quoted(&name)));
                MatrixRow { name, filter }
            };
            let rows: Vec<MatrixRow> = names.into_iter().map(row).collect();
            return matrix(runs, failing, words::GROUP, rows, &of_case);
        }
        let row = |(at, cluster): (usize, &Cluster)| MatrixRow {
            name: cluster.name().to_owned(),
            filter: needles.get(&at).map(|needle| words_text(needle)),
        };
        let rows = self.list.iter().enumerate().map(row).collect();
        matrix(runs, failing, words::MESSAGE, rows, &self.of_case)
    }

    /// The clusters by size, as far as there is room.
    fn table(&self, failing: &[Failing<'_>], has_runs: bool) -> Table {
        let order = self.order();
        let size = |at: &usize| self.size(*at);
        let (shown, rest) = order.split_at(order.len().min(MAX_SHAPES));
        let needles = self.needles(shown, failing);
        let mut columns =
            vec![Column::words(words::MESSAGE), Column::numbers(words::CASES, words::CASES_HINT)];
        columns.extend(has_runs.then(|| Column::numbers(words::RUNS, words::RUNS_HINT)));
        columns.extend(words::EXAMPLE_COLUMNS.map(Column::words));
        let mut table = Table::new("failure-shapes", words::BY_MESSAGE, columns);
        table.shape = TableShape::Entries;
        let whole = failing.len() as u64;
        let share = |part| Cell::Share { part, whole };
        for at in shown {
            let Some(cluster) = self.list.get(*at) else { continue };
            let mut cells = vec![Cell::Text(cluster.name().to_owned()), share(cluster.n_cases)];
            cells.extend(has_runs.then_some(Cell::Count(cluster.n_runs)));
            let examples = (0..N_EXAMPLES).map(|nth| cluster.examples.get(nth));
            cells.extend(examples.map(|at| example(at.and_then(|at| failing.get(*at)))));
            let link = needles.get(at).map(|needle| Link::Find((*needle).to_owned()));
            table.rows.push(Row { cells, link });
        }
        if !rest.is_empty() {
            let name = Cell::Text(words::more_messages(rest.len() as u64));
            let mut cells = vec![name, share(rest.iter().map(size).sum())];
            let n_blank = usize::from(has_runs) + N_EXAMPLES;
            cells.extend(std::iter::repeat_n(Cell::Text(String::new()), n_blank));
            table.last_row(cells);
        }
        table.empty = self.list.is_empty().then(|| words::NO_MESSAGES.to_owned());
        table.footnote = Some(self.footnote(whole));
        table
    }

    /// By cluster, a text that is in every message of it.
    pub(super) fn needles<'a>(
        &'a self,
        shown: &[usize],
        failing: &[Failing<'_>],
    ) -> HashMap<usize, &'a str> {
        let needle = |at: &usize| {
            let cluster = self.list.get(*at).filter(|cluster| cluster.is_searchable)?;
            Some((*at, literal(&cluster.shape)?))
        };
        let mut needles: HashMap<usize, &str> = shown.iter().filter_map(needle).collect();
        for (case, at) in failing.iter().zip(&self.of_case) {
            // White space, which shapes collapse, may stand in the way.
            if let Some(at) = at
                && needles.get(at).is_some_and(|needle| {
                    !message(case).is_some_and(|message| message.contains(needle))
                })
            {
                needles.remove(at);
            }
        }
        needles
    }

    fn footnote(&self, whole: u64) -> String {
        let mut text = words::compared_characters(MESSAGE_CHARS as u64);
        if self.n_unread > 0 {
            text.push(' ');
            text.push_str(&words::not_included(self.n_unread, whole, MAX_READ));
        }
        if self.n_gone > 0 {
            text.push(' ');
            text.push_str(&words::no_longer_read(self.n_gone));
        }
        text
    }
}

/// Whether a reason has no word: figures, maybe with a unit, `11.3 s`.
fn is_figures(line: &str) -> bool {
    line.chars().filter(|c| c.is_alphabetic()).nth(MAX_UNIT).is_none()
}

/// The id of a case, opening it.
fn example(case: Option<&Failing<'_>>) -> Cell {
    let Some(case) = case else { return Cell::Text(String::new()) };
    let id = case.of.run.cases.id.get(case.idx).filter(|id| !id.trim().is_empty());
    let id = id.unwrap_or(words::UNNAMED);
    let text = match id.char_indices().nth(EXAMPLE_CHARS) {
        Some((end, _)) => format!("{}…", id.get(..end).unwrap_or(id)),
        None => id.to_owned(),
    };
    let link = Link::Case { run: case.of.at, case_idx: case.idx as u64 };
    Cell::Text(text).opening(Some(link))
}
