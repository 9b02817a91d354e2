//! Files that the library writes, in every form that is read, against the rows they are made of;
//! files of other writers; changed bytes.

mod files;
mod rows;

use super::{Lists, ParquetColumn, ParquetFile};
use crate::input::{InputFile, MemorySource, ReadAt};
use crate::model::SourceId;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::{ByteArray, Int96};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use proptest::collection::vec;
use proptest::prelude::*;
use rows::{Row, properties, rows, written};
use serde_json::{Map, Value, json};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

fn input(bytes: Vec<u8>) -> InputFile {
    InputFile {
        id: SourceId(0),
        path: "reports.parquet".to_owned(),
        data: Rc::new(MemorySource::new(bytes)),
    }
}

/// Every row of a file, for the tests of what is exported.
pub(crate) fn records(bytes: Vec<u8>) -> Vec<Map<String, Value>> {
    let file = input(bytes);
    let opened = ParquetFile::open(&file).unwrap();
    (0..opened.n_rows()).map(|row| opened.row(row).unwrap()).collect()
}

/// Everything that is asked of a file: each row, the columns of the import in steps, and the texts.
fn ask_everything(file: &InputFile, step: usize) -> Vec<Map<String, Value>> {
    let mut records = Vec::new();
    let Ok(opened) = ParquetFile::open(file) else { return records };
    let n_rows = opened.n_rows().min(64);
    // Backwards too, so that rows are passed over.
    records.extend(
        (0..n_rows).chain((0..n_rows).rev().step_by(9)).filter_map(|row| opened.row(row).ok()),
    );
    for group in 0..opened.n_row_groups().min(8) {
        let Ok(mut batches) = opened.batches(group, 0, 0..opened.n_columns(), step) else {
            continue;
        };
        while let Ok(Some(batch)) = batches.next() {
            let names = batch.schema();
            for name in names.fields().iter().map(|field| field.name()) {
                let lists = Lists::in_batch(&batch, name);
                let inner = lists.as_ref().and_then(|lists| lists.field("weight"));
                for column in ParquetColumn::in_batch(&batch, name).iter().chain(&inner) {
                    for row in 0..=step {
                        let items = lists.iter().flat_map(|lists| lists.items(row));
                        for item in items.chain([row]) {
                            let _ = (column.text(item), column.number(item), column.flag(item));
                        }
                    }
                }
            }
        }
    }
    let n_parts = opened.n_columns() * opened.n_row_groups().min(8);
    for part in 0..n_parts {
        let _ = opened.part_texts(part, &mut |_, _| ());
    }
    records
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_row_is_read_as_it_was_written(
        rows in rows(),
        properties in properties(),
        group_rows in 1_usize..60,
        step in 1_usize..30,
    ) {
        let file = input(written(&rows, group_rows, properties.build()));
        let opened = ParquetFile::open(&file).unwrap();
        for (group, rows) in rows.chunks(group_rows).enumerate() {
            for (at, row) in rows.iter().enumerate() {
                let record = opened.row((group * group_rows + at) as u64).unwrap();
                assert_eq!(Value::Object(record), row.json());
            }
            assert_columns(&opened, group, rows, step);
        }
    }

    #[test]
    fn no_byte_is_taken_for_granted(
        rows in rows(),
        properties in properties(),
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..40),
    ) {
        let mut bytes = written(&rows, 64, properties.build());
        for (at, byte) in changes {
            // One change at a time, and those before stay: the file gets worse and worse.
            let at = at.index(bytes.len());
            bytes[at] = byte;
            ask_everything(&input(bytes.clone()), 7);
        }
    }
}

/// Reads the columns of the import from the start and from row `step` on, `step` rows at a time.
fn assert_columns(opened: &ParquetFile, group: usize, rows: &[Row], step: usize) {
    let element = |name| opened.element("results", name);
    let leaves =
        [opened.flat("id"), element("attribute"), element("is_correct"), element("weight")];
    for start in [0, step.min(rows.len() - 1)] {
        let leaves = leaves.map(Option::unwrap);
        let mut batches = opened.batches(group, start as u64, leaves, step).unwrap();
        for rows in rows[start..].chunks(step) {
            let batch = batches.next().unwrap().unwrap();
            assert_eq!(batch.num_rows(), rows.len());
            let id = ParquetColumn::in_batch(&batch, "id").unwrap();
            let lists = Lists::in_batch(&batch, "results").unwrap();
            let field = |name| lists.field(name).unwrap();
            let (attribute, is_correct, weight) =
                (field("attribute"), field("is_correct"), field("weight"));
            for (at, row) in rows.iter().enumerate() {
                assert_eq!(id.text(at), row.id.as_deref());
                assert_eq!((id.number(at), id.flag(at)), (None, None));
                let parts = row.results.as_deref().unwrap_or_default();
                assert_eq!(lists.items(at).len(), parts.len());
                for (item, part) in lists.items(at).zip(parts) {
                    let (own_name, own_verdict, own_weight) = part.clone().unwrap_or_default();
                    assert_eq!(attribute.text(item), own_name.as_deref());
                    assert_eq!(is_correct.flag(item), own_verdict);
                    assert_eq!(weight.number(item).map(f64::to_bits), own_weight.map(f64::to_bits));
                }
            }
            assert_eq!((id.text(rows.len()), lists.items(rows.len())), (None, 0..0));
        }
        assert!(batches.next().unwrap().is_none());
    }
}

/// A file of one row with the column `field`, which `write` fills.
fn of_one(
    field: &str,
    properties: WriterProperties,
    write: impl Fn(&mut ColumnWriter<'_>),
) -> InputFile {
    let schema = parse_message_type(&format!("message schema {{ {field} }}")).unwrap();
    let mut writer =
        SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties)).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    write(column.untyped());
    column.close().unwrap();
    group.close().unwrap();
    input(writer.into_inner().unwrap())
}

fn write_bytes(column: &mut ColumnWriter<'_>, bytes: &[u8]) {
    let ColumnWriter::ByteArrayColumnWriter(column) = column else { panic!("of another type") };
    column.write_batch(&[ByteArray::from(bytes)], None, None).unwrap();
}

fn write_long(column: &mut ColumnWriter<'_>, value: i64) {
    let ColumnWriter::Int64ColumnWriter(column) = column else { panic!("of another type") };
    column.write_batch(&[value], None, None).unwrap();
}

#[test]
fn types_of_other_writers_are_read_or_named() {
    let record = |field: &str, write: &dyn Fn(&mut ColumnWriter<'_>)| {
        let file = of_one(&format!("required {field};"), WriterProperties::default(), write);
        Value::Object(ParquetFile::open(&file).unwrap().row(0).unwrap())["own"].clone()
    };
    let long = |field: &str, value| record(field, &|column| write_long(column, value));
    let int = |field: &str, value| {
        record(field, &|column| {
            let ColumnWriter::Int32ColumnWriter(column) = column else { panic!("of another type") };
            column.write_batch(&[value], None, None).unwrap();
        })
    };
    let bytes = |field: &str, bytes| record(field, &|column| write_bytes(column, bytes));
    assert_eq!(long("int64 own (TIMESTAMP(MILLIS,true))", -1), "1969-12-31T23:59:59.999Z");
    assert_eq!(long("int64 own (TIMESTAMP_MICROS)", 1), "1970-01-01T00:00:00.000001Z");
    assert_eq!(long("int64 own (TIMESTAMP(NANOS,false))", 1), "1970-01-01T00:00:00.000000001Z");
    assert_eq!(long("int64 own (INTEGER(64,true))", i64::MIN), i64::MIN);
    assert_eq!(long("int64 own (INTEGER(64,false))", -1), u64::MAX);
    assert_eq!(long("int64 own (TIME(NANOS,true))", 1), "00:00:00.000000001");
    assert_eq!(int("int32 own (INT_8)", -8), -8);
    assert_eq!(int("int32 own (DATE)", 1), "1970-01-02");
    assert_eq!(int("int32 own (UNKNOWN)", 1), Value::Null);
    assert_eq!(bytes("binary own (JSON)", b"{}"), "{}");
    assert_eq!(bytes("binary own", b"a\xff"), "a\u{fffd}");
    assert_eq!(bytes("binary own (DECIMAL(2,1))", b"a"), "9.7");
    // 1970-01-02, 1 ns after midnight: its Julian day is 2440589.
    let time = record("int96 own", &|column| {
        let ColumnWriter::Int96ColumnWriter(column) = column else { panic!("of another type") };
        column.write_batch(&[Int96::from(vec![1, 0, 2_440_589])], None, None).unwrap();
    });
    assert_eq!(time, "1970-01-02T00:00:00.000000001Z");
}

#[test]
fn older_forms_of_a_list_are_lists() {
    let record = |field: &str| {
        let file = of_one(field, WriterProperties::default(), |column| {
            let ColumnWriter::Int64ColumnWriter(column) = column else { panic!("of another type") };
            column.write_batch(&[1, 2], Some(&[1, 1]), Some(&[0, 1])).unwrap();
        });
        Value::Object(ParquetFile::open(&file).unwrap().row(0).unwrap())["own"].clone()
    };
    // The rules for older files in LogicalTypes.md of parquet-format.
    let inner = |inner: &str| record(&format!("required group own (LIST) {{ {inner} }}"));
    assert_eq!(record("repeated int64 own;"), json!([1, 2]));
    assert_eq!(inner("repeated int64 element;"), json!([1, 2]));
    assert_eq!(inner("repeated group bag { required int64 n; }"), json!([1, 2]));
    assert_eq!(inner("repeated group array { required int64 n; }"), json!([{"n": 1}, {"n": 2}]));
    assert_eq!(
        inner("repeated group own_tuple { required int64 n; }"),
        json!([{"n": 1}, {"n": 2}])
    );
}

#[test]
fn what_cannot_be_read_is_named() {
    let text = of_one("required binary id (STRING);", WriterProperties::default(), |column| {
        write_bytes(column, b"a\xff");
    });
    let opened = ParquetFile::open(&text).unwrap();
    let err = opened.batches(0, 0, [0], 1).unwrap().next().unwrap_err();
    assert_eq!(err.file(), Some("reports.parquet"));
    insta::assert_snapshot!(err, @"damaged Parquet data: column id, page at byte 4: a text is not UTF-8");
    let long = "required fixed_len_byte_array(70000) own;";
    let long = of_one(long, WriterProperties::default(), |column| {
        let ColumnWriter::FixedLenByteArrayColumnWriter(column) = column else {
            panic!("of another type")
        };
        column.write_batch(&[vec![0; 70000].into()], None, None).unwrap();
    });
    insta::assert_snapshot!(
        ParquetFile::open(&long).err().unwrap(),
        @"damaged Parquet data: a column has values of more than 64 KiB each"
    );
    // Field 1 of the footer: two thousand million flags, which take the library minutes.
    let footer = [0x19, 0xf1, 0xff, 0xff, 0xff, 0xff, 0x07, 0];
    let flags = [b"PAR1", &footer[..], &[8, 0, 0, 0], b"PAR1"].concat();
    insta::assert_snapshot!(
        ParquetFile::open(&input(flags)).err().unwrap(),
        @"damaged Parquet data: a list in it claims more elements than it has bytes"
    );
}

#[test]
fn rows_beside_the_damage_are_read() {
    let text = |at: usize| format!("row {at}");
    for is_indexed in [false, true] {
        let properties = WriterProperties::builder()
            .set_dictionary_enabled(false)
            .set_offset_index_disabled(!is_indexed)
            .set_statistics_enabled(EnabledStatistics::None)
            .set_data_page_row_count_limit(10)
            .set_write_batch_size(10)
            .build();
        let values: Vec<ByteArray> = (0..100).map(|at| text(at).as_str().into()).collect();
        let write = |column: &mut ColumnWriter<'_>| {
            let ColumnWriter::ByteArrayColumnWriter(column) = column else {
                panic!("of another type")
            };
            column.write_batch(&values, None, None).unwrap();
        };
        let whole = of_one("required binary own (STRING);", properties, write);
        let mut bytes = whole.all_bytes().unwrap();
        let at = bytes.windows(6).position(|own| own == b"row 55").unwrap();
        bytes[at] = 0xff;
        let file = input(bytes);
        let opened = ParquetFile::open(&file).unwrap();
        let is_read = |row: usize| match opened.row(row as u64) {
            Ok(record) => record["own"] == text(row).as_str(),
            Err(err) => {
                let err = err.to_string();
                assert!(err.contains("column own, page at byte "), "{err}");
                assert!(err.ends_with("a text is not UTF-8"), "{err}");
                false
            }
        };
        let read: Vec<usize> = (0..100).filter(|row| is_read(*row)).collect();
        assert_eq!(read, (0..55).chain(56..100).collect::<Vec<_>>());
        // In any order.
        assert!(!is_read(55) && is_read(12) && is_read(99) && !is_read(55) && is_read(54));
    }
}

/// Bytes that count how many of them are read.
struct Counting(Vec<u8>, Cell<u64>);

impl ReadAt for Counting {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> std::io::Result<()> {
        self.1.set(self.1.get() + buf.len() as u64);
        let start = usize::try_from(offset).unwrap();
        buf.copy_from_slice(&self.0[start..start + buf.len()]);
        Ok(())
    }
}

#[test]
fn rows_are_read_once_and_one_row_without_the_others() {
    const ROWS: usize = 2000;
    for is_indexed in [false, true] {
        let properties = WriterProperties::builder()
            .set_dictionary_enabled(false)
            .set_offset_index_disabled(!is_indexed)
            .set_statistics_enabled(EnabledStatistics::None)
            .set_data_page_row_count_limit(20)
            .set_write_batch_size(20)
            .build();
        let values: Vec<ByteArray> =
            (0..ROWS).map(|at| format!("{at:04} ").repeat(1000).as_str().into()).collect();
        let file = of_one("required binary own (STRING);", properties, |column| {
            let ColumnWriter::ByteArrayColumnWriter(column) = column else {
                panic!("of another type")
            };
            column.write_batch(&values, None, None).unwrap();
        });
        let source = Rc::new(Counting(file.all_bytes().unwrap(), Cell::new(0)));
        let file = InputFile { data: source.clone(), ..file };
        let n_read = |rows: &mut dyn Iterator<Item = usize>| {
            source.1.set(0);
            let opened = ParquetFile::open(&file).unwrap();
            for row in rows {
                let record = opened.row(row as u64).unwrap();
                assert!(record["own"].as_str().unwrap().starts_with(&format!("{row:04} ")));
            }
            source.1.get()
        };
        let n_bytes = file.len();
        // Headers are read a stretch at a time, and pages again where the stretch ends inside them.
        let all = n_read(&mut (0..ROWS));
        assert!((n_bytes..2 * n_bytes).contains(&all), "{all} of {n_bytes}");
        let one = n_read(&mut [ROWS / 2].into_iter());
        let limit = if is_indexed { n_bytes / 4 } else { n_bytes };
        assert!(one < limit, "{one} of {n_bytes}");
        // The row beside it is there already.
        assert_eq!(n_read(&mut [ROWS / 2 + 1].into_iter()), 0);
    }
}
