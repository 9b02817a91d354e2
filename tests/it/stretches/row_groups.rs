//! Row groups of `reports.parquet` read side by side.

use super::{Failing, assert_same, import, is_the_same_in_stretches};
use crate::hostile::Rng;
use crate::support::{bytes_of, file, fixture_files};
use arrow_array::{Array as _, ArrayRef, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use evalglass::input::Dropped;
use evalglass::readers::{InProcess, Marks};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::properties::WriterProperties;
use std::cell::Cell;
use std::sync::Arc;

const FOLDERS: [&str; 3] = [
    "slop-code/g1/odd/nan_infinity",
    "slop-code/g1/odd/undefined_scores",
    "slop-code/g1/runs/willow-2_claude_code_just-solve_none_20251218T0905",
];

/// What is odd about the rows of a file.
#[derive(Clone, Copy, PartialEq)]
enum Odd {
    Nothing,
    /// Some have no id, or a type that nobody knows, and all come twice.
    Words,
}

/// The rows of a Parquet file in row groups of `n_rows`; `None`: it has no row.
fn regrouped(bytes: Vec<u8>, n_rows: usize, odd: Odd) -> Option<Vec<u8>> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(bytes)).unwrap();
    let batches: Vec<RecordBatch> = reader.build().unwrap().map(Result::unwrap).collect();
    let mut batches: Vec<RecordBatch> =
        batches.into_iter().filter(|batch| batch.num_columns() > 0).collect();
    if odd == Odd::Words {
        batches = batches
            .iter()
            .chain(&batches)
            .enumerate()
            .map(|(at, batch)| with_odd(batch, at))
            .collect();
    }
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(n_rows)).build();
    let schema = batches.first()?.schema();
    let mut written = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut written, schema, Some(properties)).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.close().unwrap();
    Some(written)
}

fn with_odd(batch: &RecordBatch, at: usize) -> RecordBatch {
    let schema = batch.schema();
    let columns = schema.fields().iter().zip(batch.columns()).map(|(field, column)| {
        let (every, word) = match field.name().as_str() {
            "id" => (5, None),
            "type" => (3, Some("Mystery")),
            _ => return (Arc::clone(field), Arc::clone(column)),
        };
        let texts = column.as_any().downcast_ref::<StringArray>().unwrap();
        let cells = texts
            .iter()
            .enumerate()
            .map(|(row, text)| if (row + at) % every == every - 1 { word } else { text });
        let column: ArrayRef = Arc::new(cells.collect::<StringArray>());
        (Arc::new(Field::new(field.name(), DataType::Utf8, true)), column)
    });
    let (fields, columns): (Vec<_>, Vec<_>) = columns.unzip();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).unwrap()
}

/// The files of a folder, those of rows in row groups of `n_rows`; and how many of these there are.
fn folder(path: &str, n_rows: usize, odd: Odd) -> (Vec<Dropped>, usize) {
    let mut n_changed = 0;
    let files = fixture_files(path).into_iter().map(|own| {
        if !own.path.ends_with(".parquet") {
            return own;
        }
        match regrouped(bytes_of(&own), n_rows, odd) {
            Some(bytes) => {
                n_changed += 1;
                file(&own.path, bytes)
            }
            None => own,
        }
    });
    (files.collect(), n_changed)
}

#[test]
fn every_report_is_the_same_by_its_row_groups() {
    let mut n_cut = 0;
    for path in FOLDERS {
        is_the_same_in_stretches(&fixture_files(path), path);
        for (n_rows, odd) in
            [(1, Odd::Nothing), (3, Odd::Nothing), (2, Odd::Words), (7, Odd::Words)]
        {
            let what = format!("{path}, {n_rows} rows");
            let (files, n_changed) = folder(path, n_rows, odd);
            assert!(n_changed > 0, "{what}");
            n_cut += usize::from(is_the_same_in_stretches(&files, &what) > 2);
        }
    }
    assert!(n_cut > 5, "only {n_cut} folders were cut");
}

#[test]
fn the_made_reports_hold_everything_odd() {
    let (files, _) = folder(FOLDERS[2], 2, Odd::Words);
    let (imported, _) = import(&files, &Marks::default(), &InProcess::default());
    let notes: Vec<String> =
        imported.imports.into_iter().flat_map(|one| one.notes).map(|note| note.detail).collect();
    for part in [
        "a row has no id",
        "the group type \"Mystery\" is unknown",
        "occurs more than once in group",
    ] {
        assert!(notes.iter().any(|note| note.contains(part)), "none of the notes says: {part}");
    }
}

#[test]
fn damaged_row_groups_give_the_same_notes_by_row_groups() {
    let mut n_damaged = 0;
    for seed in 0..25 {
        let mut rng = Rng::new(seed + 1);
        let (mut files, _) =
            folder(FOLDERS[2], 3, if seed % 2 == 0 { Odd::Words } else { Odd::Nothing });
        for own in files.iter_mut().filter(|own| own.path.ends_with(".parquet")) {
            let mut bytes = bytes_of(own);
            // Of the pages, not of what describes them.
            let end = bytes.len() / 2;
            for _ in 0..1 + rng.below(3) {
                let at = 4 + rng.below(end);
                bytes[at] ^= 1 << rng.below(8);
            }
            *own = file(&own.path, bytes);
        }
        is_the_same_in_stretches(&files, &format!("seed {seed}"));
        let (imported, _) = import(&files, &Marks::default(), &InProcess::default());
        let mut notes = imported.imports.iter().flat_map(|one| &one.notes);
        n_damaged += usize::from(notes.any(|note| note.detail.contains("rows are lost")));
    }
    assert!(n_damaged > 5, "only {n_damaged} folders were damaged");
}

#[test]
fn without_those_who_were_to_help_reports_are_read_in_one_go() {
    let (files, n_changed) = folder(FOLDERS[2], 3, Odd::Words);
    let (whole, _) = import(&files, &Marks::default(), &InProcess::default());
    let failing = Failing(Cell::new(0));
    let (found, _) = import(&files, &Marks::default(), &failing);
    assert_eq!(failing.0.get(), n_changed);
    assert_same(&(whole, 0), &(found, 0), "nobody helps");
}
