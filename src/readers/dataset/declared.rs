//! Declared figures beside computed ones. They are half of the rows of the small tables, and few are ever looked at: they are
//! counted here by columns, and the table is passed on as it is.

use super::tables::{DECLARED, Tables, in_memory, missing_column};
use crate::input::InputFile;
use crate::readers::Error;
use crate::readers::parquet_file::{ParquetColumn, ParquetFile};
use crate::scoring::{COMPARED_NUMBERS, COMPARED_TEXTS, ComparedTable, Severity, stored_severity};
use arrow_array::{ArrayRef, Float64Array, RecordBatch};
use std::ops::Range;
use std::sync::Arc;

/// The name of their table.
const TABLE: &str = "declared";

/// Columns of it that have to be there.
const N_REQUIRED: usize = 4;

/// Rows decoded at a time.
const BATCH_ROWS: usize = 1 << 16;

/// Rows that follow each other and are of one evaluation, one run and one severity.
pub(super) struct ComparedRows<'a> {
    pub(super) evaluation: Option<&'a str>,
    pub(super) run: Option<&'a str>,
    pub(super) severity: Severity,
    pub(super) rows: Range<u32>,
}

/// Hands all rows to `take`, and gives their table; what is wrong with it is noted.
///
/// # Errors
/// Only when the work is cancelled.
pub(super) async fn read(
    tables: &Tables<'_>,
    take: &mut dyn FnMut(ComparedRows<'_>),
) -> Result<Arc<ComparedTable>, Error> {
    let mut batches = Vec::new();
    let outcome = match tables.required(TABLE) {
        Ok(file) => gather(file, tables, &mut batches, take).await,
        Err(err) => Err(err),
    };
    tables.survive(TABLE, outcome)?;
    Ok(Arc::new(ComparedTable::new(batches)))
}

/// What was read before an error is in `batches`, and was handed over.
async fn gather(
    file: &InputFile,
    tables: &Tables<'_>,
    batches: &mut Vec<RecordBatch>,
    take: &mut dyn FnMut(ComparedRows<'_>),
) -> Result<(), Error> {
    let file = in_memory(file)?;
    let opened = ParquetFile::open(&file)?;
    missing_column(&opened, &file, DECLARED.iter().take(N_REQUIRED))?;
    let leaf = |name: &&str| opened.flat(name);
    let leaves: Vec<usize> = DECLARED.iter().filter_map(leaf).collect();
    let words: Vec<usize> = COMPARED_TEXTS.iter().chain(&["evaluation"]).filter_map(leaf).collect();
    let mut start: u32 = 0;
    for group in 0..opened.n_row_groups() {
        let mut decoded = opened.batches_with_words(group, &leaves, &words, BATCH_ROWS)?;
        while let Some(batch) = decoded.next()? {
            // More rows than can be numbered are not in memory.
            let Ok(n_rows) = u32::try_from(batch.num_rows()) else { return Ok(()) };
            each_segment(&batch, start, take);
            batches.push(passed_on(&batch)?);
            start = start.saturating_add(n_rows);
            tables.cx.pulse.breathe().await?;
        }
    }
    Ok(())
}

/// Hands the rows of `batch` to `take`; the first of them is row `start` of the table.
fn each_segment(batch: &RecordBatch, start: u32, take: &mut dyn FnMut(ComparedRows<'_>)) {
    let column = |name| ParquetColumn::in_batch(batch, name);
    let [evaluation, run, severity, agrees] =
        ["evaluation", "run", "severity", "agrees"].map(column);
    let mut is_first = vec![false; batch.num_rows()];
    for column in [&evaluation, &run, &severity, &agrees].into_iter().flatten() {
        column.mark_changes(&mut is_first);
    }
    if let Some(first) = is_first.first_mut() {
        *first = true;
    }
    let mut starts = (0..).zip(&is_first).filter(|(_, is_first)| **is_first).map(|(at, _)| at);
    let mut next = starts.next();
    while let Some(at) = next {
        next = starts.next();
        let end = next.unwrap_or(batch.num_rows());
        let text = |column: &'_ Option<ParquetColumn>| -> Option<String> {
            column.as_ref()?.text(at).map(str::to_owned)
        };
        let (evaluation, run, severity) = (text(&evaluation), text(&run), text(&severity));
        let agrees = agrees.as_ref().and_then(|agrees| agrees.flag(at)).unwrap_or(false);
        let row = |at: usize| start.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
        take(ComparedRows {
            evaluation: evaluation.as_deref(),
            run: run.as_deref(),
            severity: stored_severity(severity.as_deref(), agrees),
            rows: row(at)..row(end),
        });
    }
}

/// The columns of `batch` that are passed on, in the types of [`ComparedTable`].
fn passed_on(batch: &RecordBatch) -> Result<RecordBatch, Error> {
    let as_it_is = ["repeat", "agrees"];
    let others = COMPARED_TEXTS.iter().chain(&as_it_is);
    let others = others.filter_map(|name| {
        let array = ParquetColumn::in_batch(batch, name)?.into_array()?;
        Some((*name, array))
    });
    let numbers = COMPARED_NUMBERS.iter().filter_map(|name| {
        let column = ParquetColumn::in_batch(batch, name)?;
        let cells = (0..batch.num_rows()).map(|row| column.number(row));
        Some((*name, Arc::new(cells.collect::<Float64Array>()) as ArrayRef))
    });
    Ok(RecordBatch::try_from_iter_with_nullable(
        others.chain(numbers).map(|(name, array)| (name, array, true)),
    )?)
}
