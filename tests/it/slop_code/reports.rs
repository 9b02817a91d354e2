//! Reports of other shapes than the fixtures': fields in any order, columns without a type, counts
//! that contradict each other.

use super::imported;
use crate::support::file;
use evalglass::model::{NoteKind, Outcome};
use parquet::basic::{Compression, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::file::metadata::{ParquetMetaDataReader, ParquetMetaDataWriter};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::sync::Arc;

/// A report as pyarrow would write it with its struct fields in this order; without `verified`
/// every attribute is unverified, and the column has no type.
pub fn parquet(order: &[&str], verified: bool) -> Vec<u8> {
    let kind = |name: &str| match name {
        "is_correct" if verified => "boolean is_correct".to_owned(),
        "is_correct" => "int32 is_correct (UNKNOWN)".to_owned(),
        "weight" => "double weight".to_owned(),
        name => format!("binary {name} (STRING)"),
    };
    let fields: String = order.iter().map(|name| format!("optional {};\n", kind(name))).collect();
    let schema = format!(
        "message schema {{
            optional binary id (STRING);
            optional binary problem (STRING);
            optional binary group (STRING);
            optional binary checkpoint (STRING);
            optional binary type (STRING);
            optional int32 original_checkpoint (UNKNOWN);
            optional group results (LIST) {{
                repeated group list {{ optional group element {{ {fields} }} }}
            }}
        }}"
    );
    let zstd = Compression::ZSTD(ZstdLevel::try_new(10).unwrap());
    let properties = WriterProperties::builder().set_compression(zstd).build();
    let schema = Arc::new(parse_message_type(&schema).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
    let columns = writer.schema_descr().columns().to_vec();
    let mut group = writer.next_row_group().unwrap();
    // Attributes of rows x and z; y has an empty list, of which only the list itself is there.
    let (definition, repetition) = ([4, 4, 1, 4, 4], [0, 1, 0, 0, 1]);
    let texts =
        |values: &[&str]| values.iter().map(|&text| text.into()).collect::<Vec<ByteArray>>();
    for column in columns {
        let (name, is_flat) = (column.name(), column.max_rep_level() == 0);
        let mut column = group.next_column().unwrap().unwrap();
        match column.untyped() {
            ColumnWriter::ByteArrayColumnWriter(column) if is_flat => {
                let values = match name {
                    "id" => ["x", "y", "z"],
                    "problem" => ["p"; 3],
                    "group" => ["g"; 3],
                    "checkpoint" => ["c"; 3],
                    _ => ["Core"; 3],
                };
                column.write_batch(&texts(&values), Some(&[1; 3]), None)
            }
            ColumnWriter::ByteArrayColumnWriter(column) => {
                let values = if name == "attribute" { ["a", "b", "a", "b"] } else { ["null"; 4] };
                column.write_batch(&texts(&values), Some(&definition), Some(&repetition))
            }
            ColumnWriter::DoubleColumnWriter(column) => {
                column.write_batch(&[1.0, 0.5, 0.1, 0.2], Some(&definition), Some(&repetition))
            }
            ColumnWriter::BoolColumnWriter(column) => {
                column.write_batch(&[true, false, true, true], Some(&definition), Some(&repetition))
            }
            ColumnWriter::Int32ColumnWriter(column) if is_flat => {
                column.write_batch(&[], Some(&[0; 3]), None)
            }
            ColumnWriter::Int32ColumnWriter(column) => {
                column.write_batch(&[], Some(&[3, 3, 1, 3, 3]), Some(&repetition))
            }
            _ => unreachable!("no column is of another type"),
        }
        .unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.into_inner().unwrap()
}

#[test]
fn columns_are_found_by_name_in_any_order() {
    let orders: [[&str; 6]; 3] = [
        ["actual", "attribute", "diff", "expected", "is_correct", "weight"],
        ["attribute", "actual", "expected", "diff", "is_correct", "weight"],
        ["weight", "is_correct", "diff", "attribute", "expected", "actual"],
    ];
    for order in orders {
        let imported = imported(vec![file("unknown", parquet(&order, true))]);
        let run = &imported.imports[0].evaluation.runs[0];
        let scores: Vec<_> = run.cases.score.iter().collect();
        assert_eq!(scores, [Some(1.0 / 1.5), None, Some(1.0)]);
        let passed: Vec<_> = run.cases.passed.iter().collect();
        assert_eq!(passed, [Some(false), Some(true), Some(true)]);
        let names: Vec<_> = run.checks.name.iter().map(Option::unwrap).collect();
        assert_eq!(names, ["a", "b", "a", "b"]);
    }
    let unverified = imported(vec![file("unknown", parquet(&orders[0], false))]);
    let run = &unverified.imports[0].evaluation.runs[0];
    assert!((0..3).all(|idx| run.cases.outcome_of(idx) == Outcome::Unscored));
    assert_eq!(run.checks.len(), 4);
}

/// `bytes`, a Parquet file, with a footer by which its row group has `n_rows` rows.
fn with_rows(bytes: &[u8], n_rows: i64) -> Vec<u8> {
    let (rest, tail) = bytes.split_at(bytes.len() - 8);
    let len = u32::from_le_bytes(*tail.first_chunk().unwrap());
    let (data, footer) = rest.split_at(rest.len() - usize::try_from(len).unwrap());
    let mut metadata = ParquetMetaDataReader::decode_metadata(footer).unwrap().into_builder();
    let groups = metadata.take_row_groups().into_iter();
    let groups = groups.map(|group| group.into_builder().set_num_rows(n_rows).build().unwrap());
    let metadata = metadata.set_row_groups(groups.collect()).build();
    let mut bytes = data.to_vec();
    let mut footer = Vec::new();
    ParquetMetaDataWriter::new(&mut footer, &metadata).finish().unwrap();
    bytes.extend_from_slice(&footer);
    bytes
}

#[test]
fn rows_that_are_not_there_or_not_counted_are_named() {
    let order = ["attribute", "actual", "expected", "diff", "is_correct", "weight"];
    for (n_rows, n_cases, detail) in [
        (
            5,
            3,
            "damaged Parquet data: a column holds fewer rows than its row group says; 2 of 5 rows are lost",
        ),
        (
            2,
            2,
            "damaged Parquet data: a column holds more rows than its row group says; 0 of 2 rows are lost",
        ),
    ] {
        let imported = imported(vec![file("unknown", with_rows(&parquet(&order, true), n_rows))]);
        let import = &imported.imports[0];
        assert_eq!(import.evaluation.runs[0].cases.len(), n_cases);
        let broken: Vec<_> =
            import.notes.iter().filter(|note| note.kind == NoteKind::Broken).collect();
        assert_eq!(broken.len(), 1);
        assert_eq!(broken[0].detail, detail);
        assert_eq!(broken[0].places[0].to_string(), format!("row {n_cases}"));
    }
}
