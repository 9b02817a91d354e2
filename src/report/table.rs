//! Tables as data: what a cell means, not how it is drawn.

use super::{How, Measure, Num, Outcome, RunRef, Target};
use crate::words::report::shared as words;
use serde::{Deserialize, Serialize};

/// A table with a caption.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Identifies the table in the page: `groups`, `metrics`.
    pub id: String,
    /// What it shows.
    pub caption: String,
    /// Columns.
    pub columns: Vec<Column>,
    /// Rows, each as long as `columns`.
    pub rows: Vec<Row>,
    /// Why there is no row, when there is none.
    pub empty: Option<String>,
    /// A sentence below the table: which rule, which exception.
    pub footnote: Option<String>,
    /// How many rows stand at the end by their meaning, however the others are sorted: sums, rests.
    pub n_last: usize,
    /// How it stands in the page.
    pub shape: TableShape,
}

/// How a table stands in the page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TableShape {
    /// Columns of few words or numbers.
    #[default]
    Plain,
    /// Long words: each row is an entry of its own where there is no room for columns.
    Entries,
    /// Many columns of one kind: the first stays in sight while the others scroll.
    Matrix,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Cells.
    pub cells: Vec<Cell>,
    /// What a click on its name opens.
    pub link: Option<Link>,
}

/// What a click opens.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Link {
    /// The overview of it.
    Target(Target),
    /// A case.
    Case {
        /// Its run.
        run: RunRef,
        /// Its row in the run.
        case_idx: u64,
    },
    /// What the agent of a run did.
    Agent {
        /// The run.
        run: RunRef,
        /// What of it is looked at: a document's place, with the number of one of its messages or
        /// `last` behind it (`0-17`, `0-last`); empty: the whole.
        spot: String,
    },
    /// How a score was made.
    How(How),
    /// Trends of the same target, of this measure.
    Measure(Measure),
    /// These sides, compared: what each holds, the baseline first.
    Compare(Vec<Vec<Target>>),
    /// Declared against computed.
    Audit,
    /// What could not be used.
    Notes,
    /// Failures of the same target.
    Failures,
    /// Repeats, intervals, usage, timing of the same target.
    Statistics,
    /// The cases of the same target in which a text occurs.
    Find(String),
    /// The cases of the same target that a filter expression keeps: `group:"tide" score<0.5`.
    Filter(String),
}

/// One column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Heading.
    pub label: String,
    /// Definition of what it shows, for a tooltip.
    pub hint: Option<String>,
    /// Alignment.
    pub align: Align,
}

/// Alignment of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Align {
    /// Words.
    Start,
    /// Numbers.
    End,
}

/// One cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A number of things.
    Count(u64),
    /// A plain number: score, weight.
    Number(Num),
    /// A fraction 0–1, to be shown as a percentage.
    Rate(Num),
    /// A score 0–1 that gets a bar beside the number.
    Bar(Num),
    /// `part` of `whole`, with a bar.
    Share {
        /// Part.
        part: u64,
        /// Whole.
        whole: u64,
    },
    /// Seconds.
    Secs(Num),
    /// US dollars; `is_lower_bound` when some price is missing.
    Usd {
        /// Amount.
        amount: Num,
        /// Whether the true amount is higher.
        is_lower_bound: bool,
    },
    /// An outcome, with its shape and word.
    Outcome(Outcome),
    /// Yes or no.
    Flag(bool),
    /// Bytes.
    Bytes(u64),
    /// A word that sorts the row, set apart when it is a bad one.
    Tag {
        /// The word.
        text: String,
        /// Whether it says that something is wrong.
        is_bad: bool,
    },
    /// A mean with its 95 % interval.
    Interval {
        /// Lower end.
        low: Num,
        /// Upper end.
        high: Num,
    },
    /// The 95 % interval of a quantity that lies in 0–1, as computed: an end beyond that is shown as 0 or
    /// 1 with a mark, and the computed one with it.
    UnitInterval {
        /// Lower end.
        low: Num,
        /// Upper end.
        high: Num,
    },
    /// A mean of seconds with its 95 % interval.
    SecsInterval {
        /// Lower end.
        low: Num,
        /// Upper end.
        high: Num,
    },
    /// Another cell whose value a file states and no case among the files can confirm.
    Declared(Box<Self>),
    /// Long text that is shown on demand: a traceback.
    Folded(String),
    /// Unknown or undefined; the reason.
    Missing(String),
    /// Another cell that a click opens something from.
    Linked(Box<Self>, Link),
}

impl Table {
    /// A table without rows.
    pub(super) fn new(id: &str, caption: &str, columns: Vec<Column>) -> Self {
        Self {
            id: id.to_owned(),
            caption: caption.to_owned(),
            columns,
            rows: Vec::new(),
            empty: None,
            footnote: None,
            n_last: 0,
            shape: TableShape::Plain,
        }
    }

    /// Keeps the first `n_kept` rows, and says so when there were more of `what`.
    pub(super) fn cap(&mut self, n_kept: usize, what: &str) {
        let n_rows = self.rows.len();
        if n_rows > n_kept {
            self.footnote = Some(words::first_rows(n_kept as u64, n_rows as u64, what));
            self.rows.truncate(n_kept);
        }
    }

    /// Leaves out those of the columns called `labels` in which nothing is known of any row: what was
    /// never declared has no column.
    pub(super) fn drop_unknown(&mut self, labels: &[&str]) {
        let is_unknown = |at: usize| {
            let mut cells = self.rows.iter().filter_map(|row| row.cells.get(at));
            cells.all(|cell| matches!(cell, Cell::Missing(_)))
        };
        let named = self.columns.iter().enumerate();
        let dropped: Vec<usize> = named
            .filter(|(at, column)| labels.contains(&column.label.as_str()) && is_unknown(*at))
            .map(|(at, _)| at)
            .collect();
        for at in dropped.into_iter().rev() {
            self.columns.remove(at);
            for row in self.rows.iter_mut().filter(|row| at < row.cells.len()) {
                row.cells.remove(at);
            }
        }
    }

    /// Adds a row that stays at the end however the others are sorted.
    pub(super) fn last_row(&mut self, cells: Vec<Cell>) {
        self.row(cells);
        self.n_last += 1;
    }

    /// Adds a row that opens nothing.
    pub(super) fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(Row { cells, link: None });
    }
}

impl Column {
    /// A column of words.
    pub(super) fn words(label: &str) -> Self {
        Self { label: label.to_owned(), hint: None, align: Align::Start }
    }

    /// A column of numbers, with its definition.
    pub(super) fn numbers(label: &str, hint: &str) -> Self {
        Self {
            label: label.to_owned(),
            hint: (!hint.is_empty()).then(|| hint.to_owned()),
            align: Align::End,
        }
    }
}

impl Cell {
    /// `make(number)`, or missing because of `reason`.
    pub(super) fn or_missing(number: Option<Num>, make: fn(Num) -> Self, reason: &str) -> Self {
        number.map_or_else(|| Self::Missing(reason.to_owned()), make)
    }

    /// The cell, opening `link` when there is one.
    pub(super) fn opening(self, link: Option<Link>) -> Self {
        match link {
            Some(link) if !matches!(self, Self::Missing(_)) => Self::Linked(Box::new(self), link),
            _ => self,
        }
    }

    /// The cell as one that is declared only; what is missing stays so.
    pub(super) fn declared(self) -> Self {
        match self {
            Self::Missing(_) | Self::Declared(_) => self,
            Self::Linked(inner, link) => Self::Linked(Box::new(inner.declared()), link),
            cell => Self::Declared(Box::new(cell)),
        }
    }

    /// Words, or missing because of `reason`.
    pub(super) fn words(text: Option<&str>, reason: &str) -> Self {
        text.map_or_else(|| Self::Missing(reason.to_owned()), |text| Self::Text(text.to_owned()))
    }
}
