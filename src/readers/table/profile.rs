//! What the cells of a column are, told from all rows.

use super::cell::{Style, is_empty, is_missing_word, number, said, said_by_word};
use super::sheet::{SheetColumns, SheetRow};
use crate::model::{SHOWN_CHARS, SHOWN_ROWS};
use crate::readers::record_value::short_text;
use serde_json::Value;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// Different values that are counted.
const MAX_DISTINCT: usize = 4_096;

/// Rows whose cells are remembered, to see whether they are told apart by some columns.
const SAMPLED: usize = 4_096;

/// Characters from which a text is long.
const LONG: usize = 80;

/// What the cells of a column are.
#[derive(Debug, Clone, PartialEq, Eq, Copy)]
pub(super) enum ColumnContent {
    /// Nothing is in any of them.
    Empty,
    /// Numbers.
    Number,
    /// Yes or no, in words.
    YesNo,
    /// Lists and objects.
    List,
    /// Anything else.
    Text,
}

impl ColumnContent {
    /// The word that the page shows.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Number => "number",
            Self::YesNo => "yes or no",
            Self::List => "list",
            Self::Text => "text",
        }
    }
}

/// Counts over the cells of a column.
#[derive(Debug, Clone, Default)]
pub(super) struct Profile {
    /// Cells with something in them that is no word for nothing.
    pub n_present: u64,
    n_point: u64,
    n_comma: u64,
    /// Numbers with decimal commas and, maybe, points between thousands; and those that have both.
    n_grouped: u64,
    n_both: u64,
    n_words: u64,
    n_lists: u64,
    /// Cells that are read as a verdict: words, yes or no, 1 or 0.
    pub n_said: u64,
    /// Cells that are a number in some style.
    n_numbers: u64,
    /// Numbers that are 0 or 1.
    pub n_digits: u64,
    /// Numbers within 0–1.
    pub n_unit: u64,
    /// Whole numbers.
    pub n_whole: u64,
    /// Smallest and largest number.
    pub range: Option<(f64, f64)>,
    /// Long texts.
    pub n_long: u64,
    distinct: HashSet<u64>,
}

impl Profile {
    fn add(&mut self, cell: &Value, may_be_comma: bool) -> u64 {
        if is_empty(cell) || is_missing_word(cell) {
            return 0;
        }
        self.n_present += 1;
        let point = number(cell, Style::Point).filter(|_| !is_grouped(cell, may_be_comma));
        let comma = may_be_comma.then(|| number(cell, Style::Comma)).flatten();
        self.n_point += u64::from(point.is_some());
        self.n_comma += u64::from(comma.is_some());
        let grouped = may_be_comma.then(|| number(cell, Style::Grouped)).flatten();
        self.n_grouped += u64::from(grouped.is_some());
        let has_both = cell.as_str().is_some_and(|text| text.contains(',') && text.contains('.'));
        self.n_both += u64::from(grouped.is_some() && has_both);
        if let Some(found) = point.or(comma).or(grouped) {
            self.n_numbers += 1;
            self.n_digits += u64::from(found == 0.0 || found == 1.0);
            self.n_unit += u64::from((0.0..=1.0).contains(&found));
            self.n_whole += u64::from(found.fract() == 0.0);
            let (low, high) = self.range.unwrap_or((found, found));
            self.range = Some((low.min(found), high.max(found)));
        }
        let is_word = match cell {
            Value::Bool(_) => true,
            Value::String(text) => {
                self.n_long += u64::from(text.chars().nth(LONG).is_some());
                said_by_word(text).is_some()
            }
            _ => false,
        };
        self.n_words += u64::from(is_word);
        self.n_said += u64::from(is_word || said(cell).is_some());
        self.n_lists += u64::from(cell.is_array() || cell.is_object());
        let hash = hash_of(cell);
        if self.distinct.len() < MAX_DISTINCT {
            self.distinct.insert(hash);
        }
        hash
    }

    /// What its cells are; of few that are others, nine in ten say it.
    pub(super) fn kind(&self) -> ColumnContent {
        let is_most = |n: u64| n.saturating_mul(10) >= self.n_present.saturating_mul(9);
        let n_numbers = self.n_in_style();
        match self.n_present {
            0 => ColumnContent::Empty,
            _ if is_most(self.n_lists) => ColumnContent::List,
            _ if is_most(n_numbers) => ColumnContent::Number,
            _ if is_most(self.n_words)
                || (self.n_words > 0 && is_most(self.n_words + self.n_digits)) =>
            {
                ColumnContent::YesNo
            }
            _ => ColumnContent::Text,
        }
    }

    /// How its numbers are written. A point is one between thousands only where some number has a comma behind such a
    /// one, and every number can be read so.
    pub(super) fn style(&self) -> Style {
        match () {
            () if self.n_both > 0 && self.n_grouped == self.n_numbers => Style::Grouped,
            () if self.n_comma > self.n_point => Style::Comma,
            () => Style::Point,
        }
    }

    /// Cells that are numbers in the style of the column.
    fn n_in_style(&self) -> u64 {
        match self.style() {
            Style::Grouped => self.n_grouped,
            Style::Comma | Style::Point => self.n_point.max(self.n_comma),
        }
    }

    /// Number of different values, as far as they are counted.
    pub(super) fn n_distinct(&self) -> u64 {
        self.distinct.len() as u64
    }

    /// Whether each number is within 0–1.
    pub(super) fn is_unit(&self) -> bool {
        self.kind() == ColumnContent::Number
            && self.range.is_some_and(|(low, high)| low >= 0.0 && high <= 1.0)
    }

    /// Whether each number is whole.
    pub(super) fn is_whole(&self) -> bool {
        self.kind() == ColumnContent::Number && self.n_whole == self.n_in_style()
    }

    /// Whether nine in ten cells are read as verdicts.
    pub(super) fn is_said(&self) -> bool {
        self.n_present > 0 && self.n_said.saturating_mul(10) >= self.n_present.saturating_mul(9)
    }
}

/// Whether a text has commas that would be taken for those between thousands, where they may be decimal.
fn is_grouped(cell: &Value, may_be_comma: bool) -> bool {
    may_be_comma && cell.as_str().is_some_and(|text| text.contains(','))
}

/// What is known of a whole table.
#[derive(Default)]
pub(super) struct Profiles {
    /// By column.
    pub columns: Vec<Profile>,
    /// Number of rows.
    pub n_rows: u64,
    /// The first rows as texts.
    pub first_rows: Vec<Vec<String>>,
    sample: Vec<Vec<u64>>,
    may_be_comma: bool,
}

impl Profiles {
    /// Of a table in which a comma may stand for a decimal point, or not.
    pub(super) fn new(may_be_comma: bool) -> Self {
        Self { may_be_comma, ..Self::default() }
    }

    /// Takes a row.
    pub(super) fn add(&mut self, columns: &SheetColumns, row: &SheetRow<'_>) {
        self.columns.resize_with(columns.names().len(), Profile::default);
        self.n_rows += 1;
        let hashes: Vec<u64> = self
            .columns
            .iter_mut()
            .zip(row.cells)
            .map(|(profile, cell)| profile.add(cell, self.may_be_comma))
            .collect();
        if self.sample.len() < SAMPLED {
            self.sample.push(hashes);
        }
        if self.first_rows.len() < SHOWN_ROWS {
            self.first_rows.push(row.cells.iter().map(shown).collect());
        }
    }

    /// Whether no two of the first rows have the same values in all of these columns.
    pub(super) fn tells_apart(&self, columns: &[usize]) -> bool {
        let mut seen = HashSet::new();
        self.sample.iter().all(|row| {
            let key: Vec<u64> =
                columns.iter().map(|at| row.get(*at).copied().unwrap_or_default()).collect();
            seen.insert(key)
        })
    }
}

/// A cell as the page about columns shows it.
fn shown(cell: &Value) -> String {
    let text = short_text(cell);
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

fn hash_of(cell: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    match cell {
        Value::String(text) => text.hash(&mut hasher),
        other => other.to_string().hash(&mut hasher),
    }
    hasher.finish().max(1)
}
