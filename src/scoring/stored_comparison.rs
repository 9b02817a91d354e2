//! Declared figures beside computed ones, as a dataset holds them: counted, and otherwise left in their table until somebody
//! looks at them. A large dataset has very many, and most of its pages want no more than how many there are.

use super::Severity;
use crate::model::Num;
use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// A declared figure beside the computed one.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredComparison<'a> {
    /// Id in the dataset of the run that it is of; `None`: it is of more than one.
    pub run: Option<&'a str>,
    /// Repeat that it is of.
    pub repeat: Option<u32>,
    /// Subject that it is of.
    pub subject: Option<&'a str>,
    /// File that declares it.
    pub file: &'a str,
    /// Field as the file writes it.
    pub field: &'a str,
    /// What the file says.
    pub declared: StoredValue<'a>,
    /// What the cases give.
    pub computed: StoredValue<'a>,
    /// Computed − declared.
    pub difference: Option<Num>,
    /// Whether they agree.
    pub agrees: bool,
    /// How much a difference matters.
    pub severity: Severity,
    /// Reason of a difference.
    pub why: Option<&'a str>,
}

/// A compared value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StoredValue<'a> {
    /// A number.
    Number(Num),
    /// A word; `true` and `false` of a yes or no.
    Word(&'a str),
    /// Not known or not defined.
    Missing,
}

/// Columns of a [`ComparedTable`]: those with texts, which may come by their numbers.
pub const COMPARED_TEXTS: [&str; 8] =
    ["run", "subject", "file", "field", "declared_word", "computed_word", "severity", "why"];

/// Those with floats.
pub const COMPARED_NUMBERS: [&str; 3] = ["declared", "computed", "difference"];

/// The comparisons of all evaluations of a dataset, in the order of its table. Columns: those texts, those numbers, `repeat`
/// (64-bit whole numbers) and `agrees` (yes or no); of a column that a batch lacks every cell is missing.
#[derive(Debug, Clone, Default)]
pub struct ComparedTable {
    batches: Vec<RecordBatch>,
}

impl ComparedTable {
    /// The table of these rows, one batch after the other.
    pub fn new(batches: Vec<RecordBatch>) -> Self {
        Self { batches }
    }

    /// Its rows.
    pub fn batches(&self) -> &[RecordBatch] {
        &self.batches
    }

    /// Number of its rows.
    pub fn n_rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    fn row(&self, row: u32) -> Option<StoredComparison<'_>> {
        let mut row = row as usize;
        for batch in &self.batches {
            if row < batch.num_rows() {
                return Some(comparison(batch, row));
            }
            row -= batch.num_rows();
        }
        None
    }
}

/// Every declared figure of an evaluation that was compared with a computed one, in their order.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct StoredComparisons {
    /// How many there are of each severity, by the place of the run that they are of.
    counts: BTreeMap<Option<usize>, BTreeMap<Severity, u64>>,
    /// Its rows in `table`.
    rows: Vec<Range<u32>>,
    /// Travels beside what it belongs to: evaluations of a dataset share it.
    #[serde(skip)]
    table: Arc<ComparedTable>,
}

impl StoredComparisons {
    /// Adds the next rows of the table, all of the run at place `run` (`None`: of more than one) and of one severity.
    pub fn add(&mut self, rows: Range<u32>, run: Option<usize>, severity: Severity) {
        *self.counts.entry(run).or_default().entry(severity).or_default() += rows.len() as u64;
        match self.rows.last_mut() {
            Some(last) if last.end == rows.start => last.end = rows.end,
            _ => self.rows.push(rows),
        }
    }

    /// Says where its rows are to be found. `None`: `table` does not have them all.
    pub fn set_table(&mut self, table: &Arc<ComparedTable>) -> Option<()> {
        let has = |rows: &Range<u32>| rows.end as usize <= table.n_rows();
        self.rows.iter().all(has).then(|| self.table = Arc::clone(table))
    }

    /// Where its rows are to be found; `None`: it has none.
    pub fn table(&self) -> Option<&Arc<ComparedTable>> {
        (!self.rows.is_empty()).then_some(&self.table)
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = StoredComparison<'_>> {
        self.rows.iter().cloned().flatten().filter_map(|row| self.table.row(row))
    }

    /// How many there are of each severity, of one run when `run_idx` is given.
    pub fn counts(&self, run_idx: Option<usize>) -> impl Iterator<Item = (Severity, u64)> {
        let of_run =
            self.counts.iter().filter(move |(run, _)| run_idx.is_none() || **run == run_idx);
        of_run.flat_map(|(_, counts)| counts.iter().map(|(severity, n)| (*severity, *n)))
    }
}

fn comparison(batch: &RecordBatch, row: usize) -> StoredComparison<'_> {
    let column = |name: &str| {
        let column = batch.column_by_name(name)?;
        column.is_valid(row).then_some(column)
    };
    let text = |name: &str| column(name).and_then(|column| text(column, row));
    let number = |name: &str| {
        let cells = column(name)?.as_primitive_opt::<Float64Type>()?;
        Some(Num(cells.value(row)))
    };
    let value = |name: &str, word: &str| match (number(name), text(word)) {
        (Some(number), _) => StoredValue::Number(number),
        (None, Some(word)) => StoredValue::Word(word),
        (None, None) => StoredValue::Missing,
    };
    let repeat = column("repeat").and_then(|column| column.as_primitive_opt::<Int64Type>());
    let agrees = column("agrees").and_then(|column| column.as_boolean_opt());
    let agrees = agrees.is_some_and(|cells| cells.value(row));
    StoredComparison {
        run: text("run"),
        repeat: repeat.and_then(|cells| u32::try_from(cells.value(row)).ok()),
        subject: text("subject"),
        file: text("file").unwrap_or_default(),
        field: text("field").unwrap_or_default(),
        declared: value("declared", "declared_word"),
        computed: value("computed", "computed_word"),
        difference: number("difference"),
        agrees,
        severity: stored_severity(text("severity"), agrees),
        why: text("why"),
    }
}

/// How much a difference matters, by the `word` of the table; without one, by whether the figures agree.
pub fn stored_severity(word: Option<&str>, agrees: bool) -> Severity {
    let plain = if agrees { Severity::Agrees } else { Severity::Major };
    word.and_then(Severity::from_text).unwrap_or(plain)
}

/// A text that is there, written out or by its number.
fn text(column: &ArrayRef, row: usize) -> Option<&str> {
    if let Some(texts) = column.as_string_opt::<i32>() {
        return Some(texts.value(row));
    }
    let words = column.as_dictionary_opt::<Int32Type>()?;
    let texts = words.values().as_string_opt::<i32>()?;
    let number = usize::try_from(words.keys().value(row)).ok()?;
    (number < texts.len()).then(|| texts.value(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{BooleanArray, DictionaryArray, Float64Array, Int64Array, StringArray};

    fn batch(fields: &[&str]) -> RecordBatch {
        let n = fields.len();
        let texts = |text: Option<&str>| -> ArrayRef { Arc::new(StringArray::from(vec![text; n])) };
        let words: DictionaryArray<Int32Type> = fields.iter().copied().collect();
        let agrees = fields.iter().map(|field| Some(!field.ends_with('!')));
        let columns: [(&str, ArrayRef); 8] = [
            ("run", texts(Some("e#1"))),
            ("subject", texts(None)),
            ("field", Arc::new(words)),
            ("declared", Arc::new(Float64Array::from(vec![Some(0.1); n]))),
            ("computed", Arc::new(Float64Array::from(vec![None; n]))),
            ("computed_word", texts(Some("true"))),
            ("repeat", Arc::new(Int64Array::from(vec![Some(2); n]))),
            ("agrees", Arc::new(agrees.collect::<BooleanArray>())),
        ];
        RecordBatch::try_from_iter(columns).unwrap()
    }

    #[test]
    fn rows_are_found_in_their_table_and_counted() {
        let table = Arc::new(ComparedTable::new(vec![batch(&["a", "b!"]), batch(&["α", "d"])]));
        assert_eq!(table.n_rows(), 4);
        let mut own = StoredComparisons::default();
        assert!(own.table().is_none());
        own.add(1..2, Some(0), Severity::Major);
        own.add(2..3, Some(0), Severity::Agrees);
        own.add(2..3, None, Severity::Agrees);
        let sent = postcard::to_allocvec(&own).unwrap();
        let mut again: StoredComparisons = postcard::from_bytes(&sent).unwrap();
        again.set_table(&table).unwrap();
        let found: Vec<_> = again.iter().collect();
        assert_eq!(found.iter().map(|one| one.field).collect::<Vec<_>>(), ["b!", "α", "α"]);
        let first = StoredComparison {
            run: Some("e#1"),
            repeat: Some(2),
            subject: None,
            file: "",
            field: "b!",
            declared: StoredValue::Number(Num(0.1)),
            computed: StoredValue::Word("true"),
            difference: None,
            agrees: false,
            severity: Severity::Major,
            why: None,
        };
        assert_eq!(found.first(), Some(&first));
        let counts = |run| again.counts(run).collect::<Vec<_>>();
        assert_eq!(counts(Some(0)), [(Severity::Agrees, 1), (Severity::Major, 1)]);
        assert_eq!(counts(Some(1)), []);
        assert_eq!(counts(None).iter().map(|(_, n)| n).sum::<u64>(), 3);
    }

    #[test]
    fn a_table_that_is_too_short_is_none() {
        let mut own = StoredComparisons::default();
        own.add(0..3, None, Severity::Agrees);
        let short = Arc::new(ComparedTable::new(vec![batch(&["a", "b"])]));
        assert_eq!(own.set_table(&short), None);
        assert_eq!(own.iter().count(), 0);
    }
}
