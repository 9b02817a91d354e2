//! `reports.parquet`: one row per case, in run order (G1).
//!
//! Producer's definition: `CorrectnessResults.save` of 6b31994; types are inferred by pyarrow for
//! each file, so columns are found by name, and one that is null in every row has no type at all.
//! Fixtures: `g1/runs/*/*/*/reports.parquet`, `g1/odd/*`; `tide_tables/checkpoint_1` has no column.
//! Only the columns that scores need are read here; `detail_row` reads the rest of one row.

use super::super::{Context, Error, ErrorKind};
use super::parquet_file::ParquetFile;
use crate::input::{InputFile, Pulse};
use crate::model::{NoteKind, Place};
use arrow_array::{
    Array, BooleanArray, Float64Array, Int64Array, ListArray, RecordBatch, StringArray, StructArray,
};
use parquet::arrow::ProjectionMask;
use std::ops::Range;

/// Rows decoded at a time.
const BATCH_ROWS: usize = 4096;

/// Batches between two breaths.
const BREATH_BATCHES: usize = 8;

/// Columns that the import needs.
fn is_wanted(first: &str, last: &str) -> bool {
    match first {
        "id"
        | "group"
        | "type"
        | "duration"
        | "problem"
        | "checkpoint"
        | "timestamp"
        | "original_checkpoint" => true,
        "results" => matches!(last, "attribute" | "is_correct" | "weight"),
        _ => false,
    }
}

/// Columns that say which checkpoint a loose file belongs to.
fn is_key(first: &str, _last: &str) -> bool {
    matches!(first, "id" | "group" | "problem" | "checkpoint" | "timestamp")
}

/// Some rows, column by column. A column that is not there, or is of another type, is `None`.
pub(super) struct Rows<'a> {
    /// Number in the file of the first row.
    pub(super) first_row: u64,
    n_rows: usize,
    /// Case id.
    pub(super) id: Option<&'a StringArray>,
    /// Group name.
    pub(super) group: Option<&'a StringArray>,
    /// Group type.
    pub(super) kind: Option<&'a StringArray>,
    /// Problem.
    pub(super) problem: Option<&'a StringArray>,
    /// Checkpoint.
    pub(super) checkpoint: Option<&'a StringArray>,
    /// When the case ended.
    pub(super) timestamp: Option<&'a StringArray>,
    /// Checkpoint that a regression case comes from.
    pub(super) original_checkpoint: Option<&'a StringArray>,
    duration: Numbers<'a>,
    results: Option<Results<'a>>,
}

/// A column of numbers.
enum Numbers<'a> {
    Missing,
    Float(&'a Float64Array),
    Whole(&'a Int64Array),
}

impl<'a> Numbers<'a> {
    fn of(array: Option<&'a dyn Array>) -> Self {
        let Some(any) = array.map(Array::as_any) else { return Self::Missing };
        if let Some(floats) = any.downcast_ref() {
            return Self::Float(floats);
        }
        any.downcast_ref().map_or(Self::Missing, Self::Whole)
    }

    #[expect(clippy::cast_precision_loss, reason = "weights and seconds are small")]
    fn get(&self, idx: usize) -> Option<f64> {
        match self {
            Self::Missing => None,
            Self::Float(array) => is_there(*array, idx).then(|| array.value(idx)),
            Self::Whole(array) => is_there(*array, idx).then(|| array.value(idx) as f64),
        }
    }
}

struct Results<'a> {
    list: &'a ListArray,
    attribute: Option<&'a StringArray>,
    is_correct: Option<&'a BooleanArray>,
    weight: Numbers<'a>,
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

fn is_there(array: &dyn Array, idx: usize) -> bool {
    idx < array.len() && array.is_valid(idx)
}

/// Text of row `idx`.
pub(super) fn text(column: Option<&StringArray>, idx: usize) -> Option<&str> {
    column.filter(|array| is_there(*array, idx)).map(|array| array.value(idx))
}

impl<'a> Rows<'a> {
    fn new(batch: &'a RecordBatch, first_row: u64) -> Self {
        let texts = |name: &str| batch.column_by_name(name)?.as_any().downcast_ref();
        let results = || {
            let list = batch.column_by_name("results")?.as_any().downcast_ref::<ListArray>()?;
            let fields = list.values().as_any().downcast_ref::<StructArray>()?;
            Some(Results {
                list,
                attribute: fields.column_by_name("attribute")?.as_any().downcast_ref(),
                is_correct: fields
                    .column_by_name("is_correct")
                    .and_then(|array| array.as_any().downcast_ref()),
                weight: Numbers::of(fields.column_by_name("weight").map(AsRef::as_ref)),
            })
        };
        Self {
            first_row,
            n_rows: batch.num_rows(),
            id: texts("id"),
            group: texts("group"),
            kind: texts("type"),
            problem: texts("problem"),
            checkpoint: texts("checkpoint"),
            timestamp: texts("timestamp"),
            original_checkpoint: texts("original_checkpoint"),
            duration: Numbers::of(batch.column_by_name("duration").map(AsRef::as_ref)),
            results: results(),
        }
    }

    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.n_rows
    }

    /// Seconds of row `idx`.
    pub(super) fn duration(&self, idx: usize) -> Option<f64> {
        self.duration.get(idx)
    }

    fn span(&self, idx: usize) -> Range<usize> {
        let Some(results) = &self.results else { return 0..0 };
        if !is_there(results.list, idx) {
            return 0..0;
        }
        let at = |idx: usize| {
            results.list.value_offsets().get(idx).and_then(|&at| usize::try_from(at).ok())
        };
        at(idx).zip(at(idx + 1)).map_or(0..0, |(start, end)| start..end)
    }

    /// The attributes of row `idx`, in stored order.
    pub(super) fn attributes(&self, idx: usize) -> impl Iterator<Item = Attribute<'_>> {
        let results = self.results.as_ref();
        self.span(idx).filter_map(move |at| {
            let results = results?;
            Some(Attribute {
                name: text(results.attribute, at),
                is_correct: results
                    .is_correct
                    .filter(|array| is_there(*array, at))
                    .map(|array| array.value(at)),
                weight: results.weight.get(at),
            })
        })
    }

    /// Score and verdict of row `idx`, as `calculate_score` and `did_pass` give them: plain sums
    /// in stored order over verified attributes. No score when there is no weight to divide by.
    pub(super) fn judge(&self, idx: usize) -> (Option<f64>, bool) {
        let (mut total, mut correct) = (0.0, 0.0);
        let mut did_pass = true;
        for attribute in self.attributes(idx) {
            let Some(is_correct) = attribute.is_correct else { continue };
            let weight = attribute.weight.unwrap_or(0.0);
            total += weight;
            correct += f64::from(is_correct) * weight;
            did_pass &= is_correct;
        }
        ((total != 0.0).then(|| correct / total), did_pass)
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
    take: &mut dyn FnMut(&Rows<'_>),
) -> Result<(), Error> {
    let opened = ParquetFile::open(file)?;
    let mask = opened.leaves(is_wanted);
    let mut counted = 0;
    let mut first_row = 0;
    if opened.n_columns() > 0 {
        for group in 0..opened.n_row_groups() {
            let n_rows = opened.rows_of_group(group);
            let n_bytes = opened.bytes_of_group(group, &mask).min(file.len() - counted);
            counted += n_bytes;
            let mut taken = 0;
            let read = group_rows(&opened, group, &mask, n_bytes, cx.pulse, &mut |batch| {
                take(&Rows::new(batch, first_row + taken));
                taken += batch.num_rows() as u64;
            })
            .await;
            if let Err(err) = read {
                if err.is_cancelled() {
                    return Err(err);
                }
                let lost = n_rows.saturating_sub(taken);
                let detail = format!("{err}; {lost} of {n_rows} rows are lost");
                cx.notes.add(&file.path, NoteKind::Broken, Place::Row(first_row + taken), detail);
            }
            first_row += n_rows;
        }
    }
    cx.pulse.advance(file.len() - counted).await?;
    Ok(())
}

async fn group_rows(
    opened: &ParquetFile,
    group: usize,
    mask: &ProjectionMask,
    n_bytes: u64,
    pulse: &Pulse,
    take: &mut dyn FnMut(&RecordBatch),
) -> Result<(), Error> {
    let n_rows = opened.rows_of_group(group).max(1);
    let reader = opened
        .reader()
        .with_row_groups(vec![group])
        .with_projection(mask.clone())
        .with_batch_size(BATCH_ROWS)
        .build()?;
    for (at, batch) in reader.enumerate() {
        let batch = batch.map_err(parquet_error)?;
        take(&batch);
        // Few bytes may be many rows.
        if at % BREATH_BATCHES == BREATH_BATCHES - 1 {
            pulse.breathe().await?;
        }
        let share = u128::from(n_bytes) * batch.num_rows() as u128 / u128::from(n_rows);
        pulse.advance(u64::try_from(share).unwrap_or(0)).await?;
    }
    Ok(())
}

/// What the Arrow layer says of a damaged page, as damage of the file.
pub(super) fn parquet_error(err: arrow_schema::ArrowError) -> Error {
    let text = err.to_string();
    let words = text.trim_start_matches("Parquet argument error: ");
    Error::new(ErrorKind::Parquet(words.trim_start_matches("Parquet error: ").to_owned()))
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
    let mut keys = Keys::default();
    let Ok(opened) = ParquetFile::open(file) else { return keys };
    if opened.n_columns() == 0 {
        return keys;
    }
    let builder = opened.reader().with_projection(opened.leaves(is_key)).with_limit(n_ids);
    let Ok(reader) = builder.build() else { return keys };
    for batch in reader.map_while(Result::ok) {
        let rows = Rows::new(&batch, 0);
        let own =
            |column, known: Option<String>| known.or_else(|| Some(text(column, 0)?.to_owned()));
        keys.problem = own(rows.problem, keys.problem);
        keys.checkpoint = own(rows.checkpoint, keys.checkpoint);
        keys.timestamp = own(rows.timestamp, keys.timestamp);
        keys.ids.extend((0..rows.len()).filter_map(|idx| {
            Some((text(rows.group, idx)?.to_owned(), text(rows.id, idx)?.to_owned()))
        }));
    }
    keys
}
