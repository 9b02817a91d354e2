//! Files that are written, read back by the library and by the project's own reader.

use super::file::{FileWriter, ParquetPacking};
use crate::export::columns::{ExportColumn, ExportType, Value};
use crate::input::json::value_from_f64;
use crate::readers::parquet_records;
use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array as _, RecordBatch};
use bytes::Bytes;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, Encoding, LogicalType, PageType, Repetition, Type};
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;

const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
const KINDS: [ExportType; 4] =
    [ExportType::Text, ExportType::Number, ExportType::Count, ExportType::Flag];

/// A value of every kind, of which a column takes its own.
#[derive(Debug, Clone)]
struct Cell {
    is_there: bool,
    text: String,
    number: f64,
    count: u32,
    flag: bool,
}

impl Cell {
    fn value(&self, column: &ExportColumn) -> Option<Value<'_>> {
        let value = match column.kind {
            ExportType::Text => Value::Text(&self.text),
            ExportType::Number => Value::Number(self.number),
            ExportType::Count => Value::Count(self.count.into()),
            ExportType::Flag => Value::Flag(self.flag),
        };
        (self.is_there || column.is_required).then_some(value)
    }

    fn missing() -> Self {
        Self { is_there: false, ..Self::text("") }
    }

    fn text(text: &str) -> Self {
        Self { is_there: true, text: text.to_owned(), number: 0.0, count: 0, flag: false }
    }
}

type Rows = Vec<Vec<Cell>>;

fn column(name: &'static str, kind: ExportType, is_required: bool) -> ExportColumn {
    ExportColumn { name, kind, is_required, get: |_| None }
}

/// One optional column of texts.
fn texts_column() -> [ExportColumn; 1] {
    [column("a", ExportType::Text, false)]
}

fn written(columns: &[ExportColumn], groups: &[Rows]) -> Vec<u8> {
    let (mut writer, mut out) = (writer_of(columns), Vec::new());
    for rows in groups {
        push(&mut writer, columns, rows, &mut out);
    }
    writer.end(&[("schema", "table/1"), ("more", "")], &mut out).unwrap();
    out
}

fn writer_of(columns: &[ExportColumn]) -> FileWriter<&ExportColumn> {
    FileWriter::new(columns.iter().collect(), ParquetPacking::default()).unwrap()
}

fn push(
    writer: &mut FileWriter<&ExportColumn>,
    columns: &[ExportColumn],
    rows: &[Vec<Cell>],
    out: &mut Vec<u8>,
) {
    let place_of = |own: &ExportColumn| columns.iter().position(|column| column.name == own.name);
    for row in rows {
        writer.push(|column| row[place_of(column).unwrap()].value(column), out).unwrap();
    }
}

/// Fails unless the library reads the table back, numbers to the last bit.
fn assert_batches(bytes: Vec<u8>, columns: &[ExportColumn], groups: &[Rows]) {
    let builder = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(bytes)).unwrap();
    let batches: Vec<RecordBatch> =
        builder.with_batch_size(7).build().unwrap().map(Result::unwrap).collect();
    let found = batches.iter().flat_map(|batch| (0..batch.num_rows()).map(move |at| (batch, at)));
    let rows = groups.iter().flatten();
    assert_eq!(found.clone().count(), rows.clone().count());
    for ((batch, at), row) in found.zip(rows) {
        for ((column, cell), array) in columns.iter().zip(row).zip(batch.columns()) {
            match cell.value(column) {
                None => assert!(array.is_null(at)),
                Some(value) => {
                    assert!(array.is_valid(at));
                    match value {
                        Value::Text(text) => assert_eq!(array.as_string::<i32>().value(at), text),
                        Value::Number(number) => {
                            let found = array.as_primitive::<Float64Type>().value(at);
                            assert_eq!(found.to_bits(), number.to_bits());
                        }
                        Value::Count(n) => {
                            let found = array.as_primitive::<Int64Type>().value(at);
                            assert_eq!(found, i64::try_from(n).unwrap());
                        }
                        Value::Hash(bits) => {
                            let found = array.as_primitive::<Int64Type>().value(at);
                            assert_eq!(found, bits.cast_signed());
                        }
                        Value::Flag(flag) => assert_eq!(array.as_boolean().value(at), flag),
                    }
                }
            }
        }
    }
}

/// Fails unless the project's own reader reads the table back.
fn assert_records(bytes: Vec<u8>, columns: &[ExportColumn], groups: &[Rows]) {
    let cell_json = |value: Value<'_>| match value {
        Value::Text(text) => json!(text),
        Value::Number(number) => value_from_f64(number),
        Value::Count(n) => json!(n),
        Value::Hash(bits) => json!(bits.cast_signed()),
        Value::Flag(flag) => json!(flag),
    };
    let expected = groups.iter().flatten().map(|row| {
        let cells = columns.iter().zip(row);
        cells
            .map(|(column, cell)| {
                (column.name.to_owned(), json!(cell.value(column).map(cell_json)))
            })
            .collect()
    });
    assert_eq!(parquet_records(bytes), expected.collect::<Vec<_>>());
}

fn metadata(bytes: &[u8]) -> ParquetMetaData {
    let reader = SerializedFileReader::new(Bytes::copy_from_slice(bytes)).unwrap();
    reader.metadata().clone()
}

fn cell() -> impl Strategy<Value = Cell> {
    let text = prop_oneof![
        4 => prop::sample::select(vec!["", "passed", "failed", "\u{1F600}é\0\n\"", "ab\u{301}"])
            .prop_map(str::to_owned),
        2 => any::<String>(),
        1 => "[a-z]{0,3}".prop_map(|part| part.repeat(300)),
    ];
    let number = prop_oneof![
        prop::sample::select(vec![0.0, -0.0, 1.0, 0.1, 5e-324, f64::MAX, f64::NAN]),
        any::<u64>().prop_map(f64::from_bits),
    ];
    let count = prop_oneof![0..3_u32, any::<u32>()];
    (prop::bool::weighted(0.7), text, number, count, any::<bool>()).prop_map(
        |(is_there, text, number, count, flag)| Cell { is_there, text, number, count, flag },
    )
}

/// Columns of every kind, and row groups in which stretches of a row repeat.
fn table() -> impl Strategy<Value = (Vec<(ExportType, bool)>, Vec<Rows>)> {
    vec((prop::sample::select(KINDS.to_vec()), any::<bool>()), 1..=NAMES.len()).prop_flat_map(
        |columns| {
            let row = vec(cell(), columns.len());
            let stretch = (row, prop_oneof![4 => Just(1), 1 => 1..40_usize])
                .prop_map(|(row, times)| vec![row; times]);
            let group = vec(stretch, 0..20).prop_map(|stretches| stretches.concat());
            (Just(columns), vec(group, 0..4))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_table_is_read_back((columns, groups) in table()) {
        let columns: Vec<ExportColumn> = NAMES
            .iter()
            .zip(columns)
            .map(|(name, (kind, is_required))| column(name, kind, is_required))
            .collect();
        let bytes = written(&columns, &groups);
        assert_batches(bytes.clone(), &columns, &groups);
        assert_records(bytes.clone(), &columns, &groups);
        prop_assert_eq!(&written(&columns, &groups), &bytes);
        let (metadata, rows) = (metadata(&bytes), groups.concat());
        prop_assert_eq!(metadata.num_row_groups(), usize::from(!rows.is_empty()));
        for group in metadata.row_groups() {
            prop_assert_eq!(group.num_rows(), rows.len() as i64);
            for (at, chunk) in group.columns().iter().enumerate() {
                let n_nulls = rows.iter().filter(|row| row[at].value(&columns[at]).is_none()).count();
                let statistics = chunk.statistics().unwrap();
                prop_assert_eq!(statistics.null_count_opt(), Some(n_nulls as u64));
            }
        }
    }
}

#[test]
fn a_table_without_rows_has_its_columns() {
    let columns = [column("a", ExportType::Text, true), column("b", ExportType::Number, false)];
    let bytes = written(&columns, &[vec![]]);
    let metadata = metadata(&bytes);
    assert_eq!((metadata.num_row_groups(), metadata.file_metadata().num_rows()), (0, 0));
    assert_eq!(metadata.file_metadata().schema_descr().num_columns(), 2);
    assert_batches(bytes, &columns, &[]);
}

#[test]
fn columns_of_nulls_alone_are_read_back() {
    let columns: Vec<ExportColumn> =
        NAMES.iter().zip(KINDS).map(|(name, kind)| column(name, kind, false)).collect();
    for n_rows in [1, 7, 8, 9, 1000] {
        let groups = [vec![vec![Cell::missing(); columns.len()]; n_rows]];
        let bytes = written(&columns, &groups);
        assert_batches(bytes.clone(), &columns, &groups);
        assert_records(bytes, &columns, &groups);
    }
}

#[test]
fn the_footer_says_what_the_columns_are_and_who_wrote_them() {
    let columns: Vec<ExportColumn> = NAMES
        .iter()
        .zip(KINDS)
        .map(|(name, kind)| column(name, kind, kind == ExportType::Count))
        .collect();
    let row = vec![Cell::text("x"); columns.len()];
    let bytes = written(&columns, &[vec![row.clone()], vec![row.clone(), row]]);
    let metadata = metadata(&bytes);
    let file = metadata.file_metadata();
    assert_eq!((file.version(), file.num_rows()), (1, 3));
    let writer = format!("evalglass version {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(file.created_by(), Some(writer.as_str()));
    let pair = &file.key_value_metadata().unwrap()[0];
    assert_eq!((pair.key.as_str(), pair.value.as_deref()), ("schema", Some("table/1")));
    let types: Vec<_> = file
        .schema_descr()
        .columns()
        .iter()
        .map(|column| (column.physical_type(), column.self_type().get_basic_info().repetition()))
        .collect();
    let expected = [
        (Type::BYTE_ARRAY, Repetition::OPTIONAL),
        (Type::DOUBLE, Repetition::OPTIONAL),
        (Type::INT64, Repetition::REQUIRED),
        (Type::BOOLEAN, Repetition::OPTIONAL),
    ];
    assert_eq!(types, expected);
    assert_eq!(file.schema_descr().column(0).logical_type_ref(), Some(&LogicalType::String));
    let chunks: Vec<_> = metadata.row_groups().iter().flat_map(|group| group.columns()).collect();
    let is_packed = |compression| matches!(compression, Compression::ZSTD(_));
    assert!(chunks.iter().all(|chunk| is_packed(chunk.compression())));
    // Chunks lie one behind the other from the first bytes on; then comes where their pages lie.
    let mut end = 4;
    for chunk in &chunks {
        assert_eq!(chunk.byte_range().0, end);
        end += chunk.byte_range().1;
    }
    for chunk in &chunks {
        let index = chunk.offset_index_range().unwrap();
        assert_eq!(index.start, end);
        end = index.end;
    }
    let tail = bytes.len() - 8;
    let footer_len = u32::from_le_bytes(bytes[tail..tail + 4].try_into().unwrap());
    assert_eq!(end, u64::try_from(tail).unwrap() - u64::from(footer_len));
}

/// How the values of the only column's pages are encoded.
fn encodings(bytes: &[u8]) -> Vec<Encoding> {
    let reader = SerializedFileReader::new(Bytes::copy_from_slice(bytes)).unwrap();
    let group = reader.get_row_group(0).unwrap();
    let pages = group.get_column_page_reader(0).unwrap().map(Result::unwrap);
    let pages = pages.filter(|page| page.page_type() != PageType::DICTIONARY_PAGE);
    pages.map(|page| page.encoding()).collect()
}

#[test]
fn texts_that_repeat_stand_in_a_dictionary() {
    let rows = |texts: &[String]| vec![texts.iter().map(|text| vec![Cell::text(text)]).collect()];
    let repeated = vec!["passed".to_owned(); 1000];
    let bytes = written(&texts_column(), &rows(&repeated));
    assert_eq!(encodings(&bytes), [Encoding::RLE_DICTIONARY]);
    // Texts of 2 MiB, none like another, are more than a dictionary is given.
    let different: Vec<String> = (0..4000).map(|at| format!("{at} ").repeat(100)).collect();
    let bytes = written(&texts_column(), &rows(&different));
    assert_eq!(encodings(&bytes).last(), Some(&Encoding::PLAIN));
}

#[test]
fn rows_are_enough_for_a_group_by_number_or_by_text() {
    let columns = texts_column();
    let rows_of_groups = |rows: &Rows| -> Vec<i64> {
        let metadata = metadata(&written(&columns, std::slice::from_ref(rows)));
        metadata.row_groups().iter().map(|group| group.num_rows()).collect()
    };
    let mut rows = vec![vec![Cell::text("run")]; 65_535];
    rows.push(vec![Cell::missing()]);
    assert_eq!(rows_of_groups(&rows), [65_536]);
    rows.push(vec![Cell::text("run")]);
    assert_eq!(rows_of_groups(&rows), [65_536, 1]);
    let long = "0123456789abcdef".repeat(1 << 20);
    assert_eq!(rows_of_groups(&vec![vec![Cell::text(&long)]; 3]), [2, 1]);
    rows.splice(1..1, vec![vec![Cell::text(&long)]; 2]);
    assert_eq!(rows_of_groups(&rows), [3, 65_536]);
}

#[test]
fn what_is_written_is_taken_as_it_comes() {
    let columns = texts_column();
    let rows = vec![vec![Cell::text("run")]; 70_000];
    let (mut writer, mut parts) = (writer_of(&columns), Vec::new());
    let mut out = Vec::new();
    for row in rows.chunks(1000) {
        push(&mut writer, &columns, row, &mut out);
        parts.push(std::mem::take(&mut out));
    }
    writer.end(&[("schema", "table/1"), ("more", "")], &mut out).unwrap();
    parts.push(out);
    // The beginning, the first row group, the end.
    assert_eq!(parts.iter().filter(|part| !part.is_empty()).count(), 3);
    assert!(parts.concat() == written(&columns, &[rows]));
}

#[test]
fn long_texts_and_many_different_ones_are_read_back() {
    let columns = texts_column();
    let long = "to be, or not to be \u{1F600} ".repeat(200_000);
    let short = (0..70_000).map(|at| vec![Cell::text(&format!("case {}", at % 66_000))]);
    let groups = [
        vec![vec![Cell::text(&long)], vec![Cell::missing()], vec![Cell::text(&long)]],
        short.collect(),
    ];
    assert_batches(written(&columns, &groups), &columns, &groups);
    assert_records(written(&columns, &groups[..1]), &columns, &groups[..1]);
}

#[test]
fn a_row_that_lacks_what_every_row_must_have_is_refused() {
    let columns = [column("a", ExportType::Text, true)];
    let mut writer = writer_of(&columns);
    let err = writer.push(|_| None, &mut Vec::new()).unwrap_err();
    assert_eq!(err.to_string(), "a row lacks a value that every row must have");
}
