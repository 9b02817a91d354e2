//! Files that the library writes, in every form that is read, against the rows they are made of;
//! files of other writers; changed bytes.

mod rows;

use super::ParquetFile;
use crate::input::{InputFile, MemorySource};
use crate::model::SourceId;
use parquet::basic::Encoding;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::{ByteArray, Int96};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use proptest::collection::vec;
use proptest::prelude::*;
use rows::{Row, properties, rows, written};
use serde_json::{Map, Value, json};
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
    let opened = ParquetFile::open(&input(bytes)).unwrap();
    let rows_of = |group| (0..opened.rows_of_group(group)).map(move |row| (group, row));
    let rows = (0..opened.n_row_groups()).flat_map(rows_of);
    rows.map(|(group, row)| opened.record(group, row).unwrap()).collect()
}

/// Everything that is asked of a file: each row, and the columns of the import in steps.
fn ask_everything(file: &InputFile, step: usize) -> Vec<Map<String, Value>> {
    let mut records = Vec::new();
    let Ok(opened) = ParquetFile::open(file) else { return records };
    for group in 0..opened.n_row_groups().min(8) {
        for row in 0..opened.rows_of_group(group).min(64) {
            records.extend(opened.record(group, row));
        }
        for leaf in 0..opened.n_columns() {
            let Ok(mut column) = opened.column(group, leaf) else { continue };
            while let Ok(1..) = column.read(step) {
                for row in 0..step {
                    for item in column.items(row).chain([row]) {
                        let _ = (column.text(item), column.number(item), column.flag(item));
                    }
                }
                let _ = column.pass(step / 2);
            }
        }
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
                let record = opened.record(group, at as u64).unwrap();
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

/// Reads the columns of the import, `step` rows at a time; every third step is passed over.
fn assert_columns(opened: &ParquetFile, group: usize, rows: &[Row], step: usize) {
    let element = |name| opened.element("results", name);
    let leaves =
        [opened.flat("id"), element("attribute"), element("is_correct"), element("weight")];
    let mut columns = leaves.map(|leaf| opened.column(group, leaf.unwrap()).unwrap());
    for (at, rows) in rows.chunks(step).enumerate() {
        if at % 3 == 1 {
            assert!(columns.iter_mut().all(|own| own.pass(step).unwrap() == rows.len()));
            continue;
        }
        assert!(columns.iter_mut().all(|own| own.read(step).unwrap() == rows.len()));
        let [id, attribute, is_correct, weight] = &columns;
        assert!(is_correct.is_beside(attribute) && weight.is_beside(attribute));
        for (at, row) in rows.iter().enumerate() {
            assert_eq!(id.text(at), row.id.as_deref());
            assert_eq!((id.number(at), id.flag(at)), (None, None));
            let parts = row.results.as_deref().unwrap_or_default();
            assert_eq!(attribute.items(at).len(), parts.len());
            for (item, part) in attribute.items(at).zip(parts) {
                let (own_name, own_verdict, own_weight) = part.clone().unwrap_or_default();
                assert_eq!(attribute.text(item), own_name.as_deref());
                assert_eq!(is_correct.flag(item), own_verdict);
                assert_eq!(weight.number(item).map(f64::to_bits), own_weight.map(f64::to_bits));
            }
        }
    }
    assert!(columns.iter_mut().all(|own| own.pass(1).unwrap() == 0));
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
        Value::Object(ParquetFile::open(&file).unwrap().record(0, 0).unwrap())["own"].clone()
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
    assert_eq!(long("int64 own (INTEGER(64,false))", -1), "(UINT_64)");
    assert_eq!(long("int64 own (TIME(NANOS,true))", 1), "(INT64)");
    assert_eq!(int("int32 own (INT_8)", -8), -8);
    assert_eq!(int("int32 own (DATE)", 1), "(DATE)");
    assert_eq!(int("int32 own (UNKNOWN)", 1), Value::Null);
    assert_eq!(bytes("binary own (JSON)", b"{}"), "{}");
    assert_eq!(bytes("binary own", b"a\xff"), "a\u{fffd}");
    assert_eq!(bytes("binary own (DECIMAL(2,1))", b"a"), "(DECIMAL)");
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
        Value::Object(ParquetFile::open(&file).unwrap().record(0, 0).unwrap())["own"].clone()
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
    let delta = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_encoding(Encoding::DELTA_BINARY_PACKED)
        .build();
    let delta = of_one("required int64 id;", delta, |column| write_long(column, 1));
    let whys = [text, delta].map(|file| {
        let opened = ParquetFile::open(&file).unwrap();
        opened.column(0, 0).unwrap().read(1).unwrap_err().to_string()
    });
    insta::assert_snapshot!(whys.join("\n"), @r"
    damaged Parquet data: a text is not UTF-8
    this Parquet file holds values in the encoding DELTA_BINARY_PACKED; plain and dictionary values can be read
    ");
}
