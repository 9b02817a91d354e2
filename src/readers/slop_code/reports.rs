//! `reports.parquet`: one row per case, in run order (G1).
//!
//! Producer's definition: `CorrectnessResults.save` of 6b31994; types are inferred by pyarrow for
//! each file, so columns are found by name, and one that is null in every row has no type at all.
//! Fixtures: `g1/runs/*/*/*/reports.parquet`, `g1/odd/*`; `tide_tables/checkpoint_1` has no column.
//! Only the columns that scores need are read here; `detail_row` reads the rest of one row.

use super::gathered::Gathered;
use super::word_columns::{flags, numbers};
use crate::input::{InputFile, Pulse};
use crate::model::{NoteKind, Place};
use crate::readers::parquet_file::{Lists, ParquetColumn, ParquetFile};
use crate::readers::{ContentKeys, Error, ErrorKind};
use arrow_array::{Array as _, BooleanArray, Float64Array, RecordBatch, StringArray};
use std::ops::Range;

/// Most rows decoded at a time.
const BATCH_ROWS: u64 = 4096;

/// Values of a column that the rows decoded at a time hold, on average.
const BATCH_VALUES: u64 = 1 << 18;

/// Bytes of a file for each value that there is room for before it comes.
const ROOM_BYTES: u64 = 8;

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

/// Columns whose words repeat.
const WORDS: [&str; 3] = ["group", "type", "original_checkpoint"];

/// Some rows, column by column. A column that is not there, or is of another type, has no cells.
pub(super) struct ReportRows {
    /// Number in the file of the first row.
    pub(super) first_row: u64,
    n_rows: usize,
    id: Option<ParquetColumn>,
    /// Group names.
    pub(super) group: Option<ParquetColumn>,
    /// Group types.
    pub(super) kind: Option<ParquetColumn>,
    /// Checkpoints that regression cases come from.
    pub(super) original_checkpoint: Option<ParquetColumn>,
    duration: Option<ParquetColumn>,
    results: Option<Results>,
}

/// The list `results`.
struct Results {
    lists: Lists,
    attribute: Option<ParquetColumn>,
    is_correct: Option<ParquetColumn>,
    weight: Option<ParquetColumn>,
    /// What is judged by.
    judged: AttributeColumns,
}

/// Flags and weights of all attributes.
#[derive(Default)]
pub(super) struct AttributeColumns {
    is_correct: Option<BooleanArray>,
    weights: Option<Float64Array>,
}

impl AttributeColumns {
    /// Score and verdict of the attributes `items`, as `calculate_score` and `did_pass` give them: plain
    /// sums in stored order over verified attributes. No score when there is no weight to divide by.
    pub(super) fn judge(&self, items: Range<usize>) -> (Option<f64>, bool) {
        let (mut total, mut correct) = (0.0, 0.0);
        let mut did_pass = true;
        let Some(flags) = &self.is_correct else { return (None, true) };
        let weights = self.weights.as_ref().map(|weights| (weights.values(), weights.nulls()));
        for item in items {
            if flags.is_null(item) {
                continue;
            }
            let is_correct = flags.value(item);
            let weight = weights.and_then(|(weights, nulls)| {
                weights.get(item).filter(|_| nulls.is_none_or(|nulls| nulls.is_valid(item)))
            });
            let weight = weight.copied().unwrap_or(0.0);
            total += weight;
            correct += f64::from(is_correct) * weight;
            did_pass &= is_correct;
        }
        ((total != 0.0).then(|| correct / total), did_pass)
    }
}

/// What rows without attributes are judged by.
static NOTHING: AttributeColumns = AttributeColumns { is_correct: None, weights: None };

impl ReportRows {
    fn new(batch: &RecordBatch, first_row: u64) -> Self {
        let column = |name| ParquetColumn::in_batch(batch, name);
        let results = Lists::in_batch(batch, "results").map(|lists| {
            let (is_correct, weight) = (lists.field("is_correct"), lists.field("weight"));
            let n_items = lists.n_items();
            let judged = AttributeColumns {
                is_correct: flags(is_correct.as_ref(), 0..n_items),
                weights: numbers(weight.as_ref(), 0..n_items),
            };
            Results { attribute: lists.field("attribute"), is_correct, weight, judged, lists }
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

    /// The rows without an id.
    pub(super) fn without_id(&self) -> impl Iterator<Item = usize> {
        let ids = match &self.id {
            Some(ParquetColumn::Texts(ids)) => Some(ids),
            _ => None,
        };
        let has_all = ids.is_some_and(|ids| ids.null_count() == 0);
        let rows = if has_all { 0..0 } else { 0..self.n_rows };
        rows.filter(move |row| ids.is_none_or(|ids| ids.is_null(*row)))
    }

    /// The ids of `rows`.
    pub(super) fn ids(&self, rows: Range<usize>) -> Option<StringArray> {
        match &self.id {
            Some(ParquetColumn::Texts(ids)) => Some(ids.slice(rows.start, rows.len())),
            _ => None,
        }
    }

    /// The seconds of `rows`.
    pub(super) fn durations(&self, rows: Range<usize>) -> Option<Float64Array> {
        numbers(self.duration.as_ref(), rows)
    }

    /// Where the attributes of row `row` stand among those of all.
    pub(super) fn items(&self, row: usize) -> Range<usize> {
        self.results.as_ref().map_or(0..0, |results| results.lists.items(row))
    }

    /// What all rows are judged by.
    pub(super) fn judged(&self) -> &AttributeColumns {
        self.results.as_ref().map_or(&NOTHING, |results| &results.judged)
    }

    /// The names of all attributes.
    pub(super) fn names(&self) -> Option<&ParquetColumn> {
        self.results.as_ref()?.attribute.as_ref()
    }

    /// The weights of the attributes `items`.
    pub(super) fn weights(&self, items: Range<usize>) -> Option<Float64Array> {
        numbers(self.results.as_ref()?.weight.as_ref(), items)
    }

    /// Whether the attributes `items` are right; null: not verified.
    pub(super) fn flags(&self, items: Range<usize>) -> Option<BooleanArray> {
        flags(self.results.as_ref()?.is_correct.as_ref(), items)
    }
}

/// The rows of `file`, in order. A damaged part costs its row group only, and a note.
///
/// # Errors
/// When the footer is damaged, or the work is cancelled.
pub(super) async fn gather(file: &InputFile, pulse: &Pulse) -> Result<Gathered, Error> {
    let n_groups = ParquetFile::open(file)?.n_row_groups();
    let gathered = gather_groups(file, 0..n_groups, pulse).await?;
    pulse.advance(bytes_beside(file)?).await?;
    Ok(gathered)
}

/// The rows of the row groups `groups` of `file`.
///
/// # Errors
/// As [`gather`].
pub(super) async fn gather_groups(
    file: &InputFile,
    groups: Range<usize>,
    pulse: &Pulse,
) -> Result<Gathered, Error> {
    let opened = ParquetFile::open(file)?;
    let mut gathered = gathered_for(&opened, groups.clone(), file.len());
    let mut first_row = opened.first_row_of_group(groups.start);
    let sizes = sizes(&opened, file.len());
    for (group, n_bytes) in sizes.enumerate().take(groups.end).skip(groups.start) {
        let n_rows = opened.rows_of_group(group);
        let mut taken = 0;
        let read = group_rows(&opened, group, first_row, n_bytes, pulse, &mut |rows| {
            taken += rows.len() as u64;
            gathered.extend(rows, &file.path)
        })
        .await;
        if let Err(err) = read {
            if err.is_cancelled() {
                return Err(err);
            }
            let lost = n_rows.saturating_sub(taken);
            let detail = format!("{err}; {lost} of {n_rows} rows are lost");
            let at = Place::Row(first_row.saturating_add(taken));
            gathered.note(&file.path, NoteKind::Broken, at, detail);
        }
        first_row = first_row.saturating_add(n_rows);
    }
    Ok(gathered)
}

/// What the rows of the row groups `groups` are gathered in, with room for as many as the footer claims. More than
/// one value for each [`ROOM_BYTES`] of the file are believed when they have come.
fn gathered_for(opened: &ParquetFile, groups: Range<usize>, n_bytes: u64) -> Gathered {
    let most = n_bytes / ROOM_BYTES;
    let sum = |of: &dyn Fn(usize) -> u64| {
        let n = groups.clone().map(of).fold(0, u64::saturating_add);
        usize::try_from(n.min(most)).unwrap_or(0)
    };
    let names = opened.element("results", "attribute");
    let n_checks = sum(&|group| names.map_or(0, |leaf| opened.values_of(group, leaf)));
    Gathered::with_room(sum(&|group| opened.rows_of_group(group)), n_checks)
}

/// What all rows of `file` are gathered in.
///
/// # Errors
/// When the footer is damaged.
pub(super) fn gathered_for_all(file: &InputFile) -> Result<Gathered, Error> {
    let opened = ParquetFile::open(file)?;
    Ok(gathered_for(&opened, 0..opened.n_row_groups(), file.len()))
}

/// Bytes of each row group that has columns, as far as a file of `len` bytes holds as many.
fn sizes(opened: &ParquetFile, len: u64) -> impl Iterator<Item = u64> {
    let n_groups = if opened.n_columns() > 0 { opened.n_row_groups() } else { 0 };
    (0..n_groups).scan(len, |left, group| {
        let n_bytes = opened.bytes_of_group(group).min(*left);
        *left -= n_bytes;
        Some(n_bytes)
    })
}

/// Bytes of `file` that are of no row group.
///
/// # Errors
/// When the footer is damaged.
pub(super) fn bytes_beside(file: &InputFile) -> Result<u64, Error> {
    let opened = ParquetFile::open(file)?;
    let n_bytes: u64 = sizes(&opened, file.len()).sum();
    Ok(file.len() - n_bytes)
}

/// The row groups of `file` in stretches of at least `n_bytes` (the last one may be smaller); none when the file
/// cannot be read.
pub(super) fn cut(file: &InputFile, n_bytes: u64) -> Vec<Range<usize>> {
    let Ok(opened) = ParquetFile::open(file) else { return Vec::new() };
    let mut stretches = Vec::new();
    let (mut start, mut end, mut size) = (0, 0, 0);
    for own in sizes(&opened, file.len()) {
        (end, size) = (end + 1, size + own);
        if size >= n_bytes {
            stretches.push(start..end);
            (start, size) = (end, 0);
        }
    }
    if start < end {
        stretches.push(start..end);
    }
    stretches
}

async fn group_rows(
    opened: &ParquetFile,
    group: usize,
    first_row: u64,
    n_bytes: u64,
    pulse: &Pulse,
    take: &mut dyn FnMut(&ReportRows) -> Result<(), Error>,
) -> Result<(), Error> {
    let n_rows = opened.rows_of_group(group);
    let n_values = opened.values_of_group(group).max(1);
    let batch_rows = (BATCH_VALUES.saturating_mul(n_rows) / n_values).clamp(1, BATCH_ROWS);
    let flat = FLAT.iter().filter_map(|name| opened.flat(name));
    let leaves = flat.chain(RESULTS.iter().filter_map(|name| opened.element("results", name)));
    let words = WORDS.iter().filter_map(|name| opened.flat(name));
    let words: Vec<usize> = words.chain(opened.element("results", "attribute")).collect();
    let leaves: Vec<usize> = leaves.collect();
    let batch_rows = usize::try_from(batch_rows).unwrap_or(1);
    let mut batches = opened.batches_with_words(group, &leaves, &words, batch_rows)?;
    let mut first_row = first_row;
    for at in 1_usize.. {
        let Some(batch) = batches.next()? else { break };
        take(&ReportRows::new(&batch, first_row))?;
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

/// The keys of `file`, from at most `n_ids` rows.
///
/// # Errors
/// When it cannot be read.
pub(super) fn keys(file: &InputFile, n_ids: usize) -> Result<ContentKeys, Error> {
    let opened = ParquetFile::open(file)?;
    let leaves = ["problem", "checkpoint", "timestamp", "group", "id"];
    let leaves: Vec<usize> = leaves.iter().filter_map(|name| opened.flat(name)).collect();
    if leaves.is_empty() || opened.n_row_groups() == 0 {
        return Ok(ContentKeys::default());
    }
    let Some(batch) = opened.batches(0, 0, leaves, n_ids)?.next()? else {
        return Ok(ContentKeys::default());
    };
    let column = |name| ParquetColumn::in_batch(&batch, name);
    let first = |name| column(name)?.text(0).map(str::to_owned);
    let pairs = column("group").zip(column("id"));
    let ids = pairs.iter().flat_map(|(group, id)| {
        let text = |column: &ParquetColumn, row| column.text(row).map(str::to_owned);
        (0..batch.num_rows()).filter_map(move |row| text(group, row).zip(text(id, row)))
    });
    Ok(ContentKeys {
        is_known: true,
        problem: first("problem"),
        checkpoint: first("checkpoint"),
        timestamp: first("timestamp"),
        ids: ids.collect(),
        ..ContentKeys::default()
    })
}

/// What a Parquet file is to this reader.
pub(super) enum ParquetRole {
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
pub(super) fn kind(file: &InputFile) -> ParquetRole {
    let opened = match ParquetFile::open(file) {
        Ok(opened) => opened,
        Err(err) if matches!(err.kind(), ErrorKind::Parquet(_)) => return ParquetRole::Damaged,
        Err(_) => return ParquetRole::Other,
    };
    if opened.n_columns() == 0 {
        return if opened.n_rows() == 0 { ParquetRole::NoColumns } else { ParquetRole::Other };
    }
    let is_ours = opened.flat("id").is_some() && opened.element("results", "attribute").is_some();
    if is_ours { ParquetRole::Reports } else { ParquetRole::Other }
}
