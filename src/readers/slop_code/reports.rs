//! `reports.parquet`: one row per case, in run order (G1).
//!
//! Producer's definition: `CorrectnessResults.save` of 6b31994; types are inferred by pyarrow for
//! each file, so columns are found by name, and one that is null in every row has no type at all.
//! Fixtures: `g1/runs/*/*/*/reports.parquet`, `g1/odd/*`; `tide_tables/checkpoint_1` has no column.
//! Only the columns that scores need are read here; `detail_row` reads the rest of one row.

use super::super::parquet_file::{Column, Lists, ParquetFile};
use super::super::{Context, Error, ErrorKind};
use crate::input::{InputFile, Pulse};
use crate::model::{NoteKind, Place};
use arrow_array::RecordBatch;

/// Most rows decoded at a time.
const BATCH_ROWS: u64 = 4096;

/// Values of a column that the rows decoded at a time hold, on average.
const BATCH_VALUES: u64 = 1 << 18;

/// Batches between two breaths.
const BREATH_BATCHES: usize = 8;

/// Flat columns that are read. The last three say which checkpoint a file belongs to: when they are
/// damaged, the rows are.
const FLAT: [&str; 8] = [
    "id",
    "group",
    "type",
    "original_checkpoint",
    "duration",
    "problem",
    "checkpoint",
    "timestamp",
];

/// Columns of the list `results` that are read.
const RESULTS: [&str; 3] = ["attribute", "is_correct", "weight"];

/// Some rows, column by column. A column that is not there, or is of another type, has no cells.
pub(super) struct Rows {
    /// Number in the file of the first row.
    pub(super) first_row: u64,
    n_rows: usize,
    id: Option<Column>,
    group: Option<Column>,
    kind: Option<Column>,
    original_checkpoint: Option<Column>,
    duration: Option<Column>,
    results: Option<Results>,
}

/// The list `results`.
struct Results {
    lists: Lists,
    attribute: Option<Column>,
    is_correct: Option<Column>,
    weight: Option<Column>,
}

/// One attribute of a case.
pub(super) struct Attribute<'a> {
    /// Name.
    pub(super) name: Option<&'a str>,
    /// Whether it is right; `None`: not verified.
    pub(super) is_correct: Option<bool>,
    /// Weight in the case's score.
    pub(super) weight: Option<f64>,
}

impl Rows {
    fn new(batch: &RecordBatch, first_row: u64) -> Self {
        let column = |name| Column::in_batch(batch, name);
        let results = Lists::in_batch(batch, "results").map(|lists| Results {
            attribute: lists.field("attribute"),
            is_correct: lists.field("is_correct"),
            weight: lists.field("weight"),
            lists,
        });
        Self {
            first_row,
            n_rows: batch.num_rows(),
            id: column("id"),
            group: column("group"),
            kind: column("type"),
            original_checkpoint: column("original_checkpoint"),
            duration: column("duration"),
            results,
        }
    }

    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.n_rows
    }

    /// Case id of row `idx`.
    pub(super) fn id(&self, idx: usize) -> Option<&str> {
        self.id.as_ref()?.text(idx)
    }

    /// Group name of row `idx`.
    pub(super) fn group(&self, idx: usize) -> Option<&str> {
        self.group.as_ref()?.text(idx)
    }

    /// Group type of row `idx`.
    pub(super) fn kind(&self, idx: usize) -> Option<&str> {
        self.kind.as_ref()?.text(idx)
    }

    /// Checkpoint that the regression case of row `idx` comes from.
    pub(super) fn original_checkpoint(&self, idx: usize) -> Option<&str> {
        self.original_checkpoint.as_ref()?.text(idx)
    }

    /// Seconds of row `idx`.
    pub(super) fn duration(&self, idx: usize) -> Option<f64> {
        self.duration.as_ref()?.number(idx)
    }

    /// The attributes of row `idx`, in stored order.
    pub(super) fn attributes(&self, idx: usize) -> impl Iterator<Item = Attribute<'_>> {
        self.results.iter().flat_map(move |results| {
            results.lists.items(idx).map(|item| Attribute {
                name: results.attribute.as_ref().and_then(|attribute| attribute.text(item)),
                is_correct: results.is_correct(item),
                weight: results.weight(item),
            })
        })
    }

    /// Score and verdict of row `idx`, as `calculate_score` and `did_pass` give them: plain sums
    /// in stored order over verified attributes. No score when there is no weight to divide by.
    pub(super) fn judge(&self, idx: usize) -> (Option<f64>, bool) {
        let (mut total, mut correct) = (0.0, 0.0);
        let mut did_pass = true;
        if let Some(results) = &self.results {
            for item in results.lists.items(idx) {
                let Some(is_correct) = results.is_correct(item) else { continue };
                let weight = results.weight(item).unwrap_or(0.0);
                total += weight;
                correct += f64::from(is_correct) * weight;
                did_pass &= is_correct;
            }
        }
        ((total != 0.0).then(|| correct / total), did_pass)
    }
}

impl Results {
    fn is_correct(&self, item: usize) -> Option<bool> {
        self.is_correct.as_ref()?.flag(item)
    }

    fn weight(&self, item: usize) -> Option<f64> {
        self.weight.as_ref()?.number(item)
    }
}

/// Calls `take` with the rows of `file`, in order. A damaged part costs its row group only, and a
/// note.
///
/// # Errors
/// When the footer is damaged, or the work is cancelled.
pub(super) async fn each_rows(
    file: &InputFile,
    cx: &Context<'_>,
    take: &mut dyn FnMut(&Rows),
) -> Result<(), Error> {
    let opened = ParquetFile::open(file)?;
    let mut counted = 0;
    let mut first_row = 0;
    if opened.n_columns() > 0 {
        for group in 0..opened.n_row_groups() {
            let n_rows = opened.rows_of_group(group);
            let n_bytes = opened.bytes_of_group(group).min(file.len() - counted);
            counted += n_bytes;
            let mut taken = 0;
            let read = group_rows(&opened, group, first_row, n_bytes, cx.pulse, &mut |rows| {
                take(rows);
                taken += rows.len() as u64;
            })
            .await;
            if let Err(err) = read {
                if err.is_cancelled() {
                    return Err(err);
                }
                let lost = n_rows.saturating_sub(taken);
                let detail = format!("{err}; {lost} of {n_rows} rows are lost");
                cx.notes.add(
                    &file.path,
                    NoteKind::Broken,
                    Place::Row(first_row.saturating_add(taken)),
                    detail,
                );
            }
            first_row = first_row.saturating_add(n_rows);
        }
    }
    cx.pulse.advance(file.len() - counted).await?;
    Ok(())
}

async fn group_rows(
    opened: &ParquetFile,
    group: usize,
    first_row: u64,
    n_bytes: u64,
    pulse: &Pulse,
    take: &mut dyn FnMut(&Rows),
) -> Result<(), Error> {
    let n_rows = opened.rows_of_group(group);
    let n_values = opened.values_of_group(group).max(1);
    let batch_rows = (BATCH_VALUES.saturating_mul(n_rows) / n_values).clamp(1, BATCH_ROWS);
    let flat = FLAT.iter().filter_map(|name| opened.flat(name));
    let leaves = flat.chain(RESULTS.iter().filter_map(|name| opened.element("results", name)));
    let batch_rows = usize::try_from(batch_rows).unwrap_or(1);
    let mut batches = opened.batches(group, 0, leaves, batch_rows)?;
    let mut first_row = first_row;
    for at in 1_usize.. {
        let Some(batch) = batches.next()? else { break };
        take(&Rows::new(&batch, first_row));
        let n_taken = batch.num_rows() as u64;
        first_row = first_row.saturating_add(n_taken);
        // Few bytes may be many rows.
        if at % BREATH_BATCHES == 0 {
            pulse.breathe().await?;
        }
        let share = u128::from(n_bytes) * u128::from(n_taken) / u128::from(n_rows);
        pulse.advance(u64::try_from(share).unwrap_or(0)).await?;
    }
    Ok(())
}

/// What says which checkpoint a loose file belongs to.
#[derive(Debug, Default)]
pub(super) struct Keys {
    /// Problem.
    pub(super) problem: Option<String>,
    /// Checkpoint.
    pub(super) checkpoint: Option<String>,
    /// When the first case ended.
    pub(super) timestamp: Option<String>,
    /// Group and id of its first cases, in file order.
    pub(super) ids: Vec<(String, String)>,
}

/// The keys of `file`, from at most `n_ids` rows; empty ones when it cannot be read.
pub(super) fn keys(file: &InputFile, n_ids: usize) -> Keys {
    read_keys(file, n_ids).unwrap_or_default()
}

fn read_keys(file: &InputFile, n_ids: usize) -> Result<Keys, Error> {
    let opened = ParquetFile::open(file)?;
    let leaves = ["problem", "checkpoint", "timestamp", "group", "id"];
    let leaves: Vec<usize> = leaves.iter().filter_map(|name| opened.flat(name)).collect();
    if leaves.is_empty() || opened.n_row_groups() == 0 {
        return Ok(Keys::default());
    }
    let Some(batch) = opened.batches(0, 0, leaves, n_ids)?.next()? else {
        return Ok(Keys::default());
    };
    let column = |name| Column::in_batch(&batch, name);
    let first = |name| column(name)?.text(0).map(str::to_owned);
    let pairs = column("group").zip(column("id"));
    let ids = pairs.iter().flat_map(|(group, id)| {
        let text = |column: &Column, row| column.text(row).map(str::to_owned);
        (0..batch.num_rows()).filter_map(move |row| text(group, row).zip(text(id, row)))
    });
    Ok(Keys {
        problem: first("problem"),
        checkpoint: first("checkpoint"),
        timestamp: first("timestamp"),
        ids: ids.collect(),
    })
}

/// What a Parquet file is to this reader.
pub(super) enum Kind {
    /// Case reports.
    Reports,
    /// Neither columns nor rows.
    NoColumns,
    /// The footer cannot be read.
    Damaged,
    /// Something else.
    Other,
}

/// What `file` is, by its schema.
pub(super) fn kind(file: &InputFile) -> Kind {
    let opened = match ParquetFile::open(file) {
        Ok(opened) => opened,
        Err(err) if matches!(err.kind(), ErrorKind::Parquet(_)) => return Kind::Damaged,
        Err(_) => return Kind::Other,
    };
    if opened.n_columns() == 0 {
        return if opened.n_rows() == 0 { Kind::NoColumns } else { Kind::Other };
    }
    let is_ours = opened.flat("id").is_some() && opened.element("results", "attribute").is_some();
    if is_ours { Kind::Reports } else { Kind::Other }
}
