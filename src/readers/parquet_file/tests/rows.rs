//! Rows of every shape, as values and as the files that the library writes of them.

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

/// A required and an optional column, a list of structs, lists in a list, a struct, a bare repeated
/// field, a column without a type.
const SCHEMA: &str = "message schema {
    optional binary id (STRING);
    required int64 count;
    optional group results (LIST) { repeated group list { optional group element {
        optional binary attribute (STRING);
        optional boolean is_correct;
        optional double weight;
    } } }
    optional group grid (LIST) { repeated group list { optional group element (LIST) {
        repeated group list { optional int32 element; }
    } } }
    optional group meta { optional float seconds; required boolean flag; }
    repeated binary tags (STRING);
    optional int32 nothing (UNKNOWN);
}";

/// Attribute, verdict, weight.
pub(super) type Part = (Option<String>, Option<bool>, Option<f64>);

/// A row.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) id: Option<String>,
    count: i64,
    pub(super) results: Option<Vec<Option<Part>>>,
    grid: Option<Vec<Option<Vec<Option<i32>>>>>,
    meta: Option<(Option<f32>, bool)>,
    tags: Vec<String>,
}

impl Row {
    /// The row as it is to be read.
    pub(super) fn json(&self) -> Value {
        let part = |(attribute, is_correct, weight): &Part| json!({"attribute": attribute, "is_correct": is_correct, "weight": weight});
        let parts = |parts: &Vec<Option<Part>>| -> Vec<Option<Value>> {
            parts.iter().map(|own| own.as_ref().map(part)).collect()
        };
        let meta = |(seconds, flag): &(Option<f32>, bool)| json!({"seconds": seconds.map(f64::from), "flag": flag});
        json!({
            "id": self.id,
            "count": self.count,
            "results": self.results.as_ref().map(parts),
            "grid": self.grid,
            "meta": self.meta.as_ref().map(meta),
            "tags": self.tags,
            "nothing": null,
        })
    }
}

/// Levels and values of a leaf.
struct Leaf<T> {
    definition: Vec<i16>,
    repetition: Vec<i16>,
    values: Vec<T>,
}

impl<T> Leaf<T> {
    /// From entries: repetition, definition, and the value where there is one.
    fn of(entries: impl IntoIterator<Item = (i16, i16, Option<T>)>) -> Self {
        let mut leaf = Self { definition: Vec::new(), repetition: Vec::new(), values: Vec::new() };
        for (repetition, definition, value) in entries {
            leaf.repetition.push(repetition);
            leaf.definition.push(definition);
            leaf.values.extend(value);
        }
        leaf
    }
}

/// A leaf of `results`; `field` gives the value of a part.
fn results_leaf<T>(rows: &[Row], field: impl Fn(&Part) -> Option<T>) -> Leaf<T> {
    Leaf::of(rows.iter().flat_map(|row| match row.results.as_deref() {
        None => vec![(0, 0, None)],
        Some([]) => vec![(0, 1, None)],
        Some(parts) => {
            let entry = |part: &Option<Part>| match part.as_ref().map(&field) {
                None => (2, None),
                Some(None) => (3, None),
                Some(value) => (4, value),
            };
            let entries = parts.iter().map(entry).enumerate();
            entries.map(|(at, (level, value))| (i16::from(at > 0), level, value)).collect()
        }
    }))
}

fn grid_leaf(rows: &[Row]) -> Leaf<i32> {
    let mut entries = Vec::new();
    for row in rows {
        let lists = row.grid.as_deref();
        if lists.is_none_or(<[_]>::is_empty) {
            entries.push((0, i16::from(lists.is_some()), None));
        }
        for (outer, list) in lists.unwrap_or_default().iter().enumerate() {
            let list = list.as_deref();
            if list.is_none_or(<[_]>::is_empty) {
                entries.push((i16::from(outer > 0), if list.is_some() { 3 } else { 2 }, None));
            }
            for (inner, value) in list.unwrap_or_default().iter().enumerate() {
                let repetition = if inner > 0 { 2 } else { i16::from(outer > 0) };
                entries.push((repetition, if value.is_some() { 5 } else { 4 }, *value));
            }
        }
    }
    Leaf::of(entries)
}

fn tags_leaf(rows: &[Row]) -> Leaf<ByteArray> {
    Leaf::of(rows.iter().flat_map(|row| {
        let tags = row.tags.iter().enumerate();
        let mut entries: Vec<_> =
            tags.map(|(at, tag)| (i16::from(at > 0), 1, Some(tag.as_str().into()))).collect();
        if entries.is_empty() {
            entries.push((0, 0, None));
        }
        entries
    }))
}

fn flat_leaf<T>(rows: &[Row], field: impl Fn(&Row) -> (i16, Option<T>)) -> Leaf<T> {
    Leaf::of(rows.iter().map(|row| {
        let (definition, value) = field(row);
        (0, definition, value)
    }))
}

/// The file that the library writes of `rows`, `group_rows` to a row group.
pub(super) fn written(rows: &[Row], group_rows: usize, properties: WriterProperties) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
    let paths: Vec<String> =
        writer.schema_descr().columns().iter().map(|column| column.path().string()).collect();
    for rows in rows.chunks(group_rows) {
        let mut group = writer.next_row_group().unwrap();
        for path in &paths {
            let mut column = group.next_column().unwrap().unwrap();
            /// Writes a leaf to a column of its type.
            macro_rules! write {
                ($kind:ident, $leaf:expr) => {{
                    let leaf = $leaf;
                    let ColumnWriter::$kind(column) = column.untyped() else { unreachable!() };
                    let (definition, repetition) = (&leaf.definition[..], &leaf.repetition[..]);
                    column.write_batch(&leaf.values, Some(definition), Some(repetition)).unwrap();
                }};
            }
            let bytes = |text: &Option<String>| text.as_deref().map(ByteArray::from);
            match path.as_str() {
                "id" => write!(
                    ByteArrayColumnWriter,
                    flat_leaf(rows, |row| (i16::from(row.id.is_some()), bytes(&row.id)))
                ),
                "count" => {
                    write!(Int64ColumnWriter, flat_leaf(rows, |row| (0, Some(row.count))));
                }
                "results.list.element.attribute" => {
                    write!(ByteArrayColumnWriter, results_leaf(rows, |part| bytes(&part.0)))
                }
                "results.list.element.is_correct" => {
                    write!(BoolColumnWriter, results_leaf(rows, |part| part.1));
                }
                "results.list.element.weight" => {
                    write!(DoubleColumnWriter, results_leaf(rows, |part| part.2));
                }
                "grid.list.element.list.element" => write!(Int32ColumnWriter, grid_leaf(rows)),
                "meta.seconds" => write!(
                    FloatColumnWriter,
                    flat_leaf(rows, |row| match row.meta {
                        None => (0, None),
                        Some((seconds, _)) => (1 + i16::from(seconds.is_some()), seconds),
                    })
                ),
                "meta.flag" => write!(
                    BoolColumnWriter,
                    flat_leaf(rows, |row| {
                        (i16::from(row.meta.is_some()), row.meta.map(|(_, flag)| flag))
                    })
                ),
                "tags" => write!(ByteArrayColumnWriter, tags_leaf(rows)),
                _ => write!(Int32ColumnWriter, flat_leaf(rows, |_| (0, None))),
            }
            column.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

/// Some rows.
pub(super) fn rows() -> impl Strategy<Value = Vec<Row>> {
    // Few different texts go into a dictionary, many make the writer give it up.
    let text = || prop_oneof!["[a-c]{0,2}", "[a-zé✓]{0,12}"];
    let weight =
        prop_oneof![Just(0.0), Just(1.0), any::<f64>().prop_filter("JSON", |w| w.is_finite())];
    let part = (option::of(text()), option::of(any::<bool>()), option::of(weight));
    let row = (
        option::of(text()),
        any::<i64>(),
        option::of(vec(option::weighted(0.9, part), 0..20)),
        option::of(vec(option::of(vec(option::of(any::<i32>()), 0..4)), 0..4)),
        option::of((option::of(-1e6_f32..1e6), any::<bool>())),
        vec(text(), 0..3),
    );
    let row = row.prop_map(|(id, count, results, grid, meta, tags)| Row {
        id,
        count,
        results,
        grid,
        meta,
        tags,
    });
    vec(row, 1..60)
}

/// Every form of page that is read.
pub(super) fn properties() -> impl Strategy<Value = WriterPropertiesBuilder> {
    (any::<[bool; 4]>(), 1_usize..40, 1_usize..300).prop_map(
        |([is_v2, is_packed, has_dictionary, has_rle_flags], page_rows, dictionary_bytes)| {
            let zstd = Compression::ZSTD(ZstdLevel::default());
            let version =
                if is_v2 { WriterVersion::PARQUET_2_0 } else { WriterVersion::PARQUET_1_0 };
            let flag = ColumnPath::new(vec!["meta".to_owned(), "flag".to_owned()]);
            let flags = if has_rle_flags { Encoding::RLE } else { Encoding::PLAIN };
            WriterProperties::builder()
                .set_writer_version(version)
                .set_encoding(Encoding::PLAIN)
                .set_column_encoding(flag, flags)
                .set_compression(if is_packed { zstd } else { Compression::UNCOMPRESSED })
                .set_dictionary_enabled(has_dictionary)
                .set_dictionary_page_size_limit(dictionary_bytes)
                .set_data_page_row_count_limit(page_rows)
                .set_write_batch_size(page_rows)
        },
    )
}
