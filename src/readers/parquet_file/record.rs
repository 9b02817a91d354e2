//! One row as JSON, and the texts of a column.

use crate::input::json::value_from_f64;
use arrow_array::cast::AsArray as _;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type,
    Decimal256Type, DecimalType, DurationMicrosecondType, DurationMillisecondType,
    DurationNanosecondType, DurationSecondType, Float16Type, Float32Type, Float64Type, Int8Type,
    Int16Type, Int32Type, Int64Type, Time32MillisecondType, Time32SecondType,
    Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch, StructArray};
use arrow_schema::{DataType, Fields, TimeUnit};
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// Row `row` of `batch`, which need not be of a Parquet file.
pub(in crate::readers) fn of_row(batch: &RecordBatch, row: usize) -> Map<String, Value> {
    members(batch.schema_ref().fields(), batch.columns(), row)
}

fn members(fields: &Fields, columns: &[ArrayRef], row: usize) -> Map<String, Value> {
    let cells = fields.iter().zip(columns);
    cells.map(|(field, column)| (field.name().clone(), value(column, row))).collect()
}

fn value(array: &dyn Array, row: usize) -> Value {
    if row >= array.len() || array.is_null(row) {
        return Value::Null;
    }
    /// The value of a primitive type.
    macro_rules! own {
        ($kind:ty) => {
            array.as_primitive::<$kind>().value(row)
        };
    }
    match array.data_type() {
        DataType::Null => Value::Null,
        DataType::Boolean => Value::from(array.as_boolean().value(row)),
        DataType::Int8 => Value::from(own!(Int8Type)),
        DataType::Int16 => Value::from(own!(Int16Type)),
        DataType::Int32 => Value::from(own!(Int32Type)),
        DataType::Int64 => Value::from(own!(Int64Type)),
        DataType::UInt8 => Value::from(own!(UInt8Type)),
        DataType::UInt16 => Value::from(own!(UInt16Type)),
        DataType::UInt32 => Value::from(own!(UInt32Type)),
        DataType::UInt64 => Value::from(own!(UInt64Type)),
        DataType::Float16 => value_from_f64(own!(Float16Type).to_f64()),
        DataType::Float32 => value_from_f64(own!(Float32Type).into()),
        DataType::Float64 => value_from_f64(own!(Float64Type)),
        DataType::Utf8 => Value::from(array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => Value::from(array.as_string::<i64>().value(row)),
        DataType::Utf8View => Value::from(array.as_string_view().value(row)),
        DataType::Binary => lossy(array.as_binary::<i32>().value(row)),
        DataType::LargeBinary => lossy(array.as_binary::<i64>().value(row)),
        DataType::BinaryView => lossy(array.as_binary_view().value(row)),
        DataType::FixedSizeBinary(_) => hex(array.as_fixed_size_binary().value(row)),
        DataType::Decimal32(..) => decimal::<Decimal32Type>(array, row),
        DataType::Decimal64(..) => decimal::<Decimal64Type>(array, row),
        DataType::Decimal128(..) => decimal::<Decimal128Type>(array, row),
        DataType::Decimal256(..) => decimal::<Decimal256Type>(array, row),
        DataType::Date32 => date(own!(Date32Type)),
        DataType::Date64 => instant(jiff::Timestamp::from_millisecond(own!(Date64Type))),
        DataType::Timestamp(unit, _) => match unit {
            TimeUnit::Second => instant(jiff::Timestamp::from_second(own!(TimestampSecondType))),
            TimeUnit::Millisecond => {
                instant(jiff::Timestamp::from_millisecond(own!(TimestampMillisecondType)))
            }
            TimeUnit::Microsecond => {
                instant(jiff::Timestamp::from_microsecond(own!(TimestampMicrosecondType)))
            }
            TimeUnit::Nanosecond => {
                let nanos = i128::from(own!(TimestampNanosecondType));
                instant(jiff::Timestamp::from_nanosecond(nanos))
            }
        },
        DataType::Time32(TimeUnit::Second) => {
            clock(i64::from(own!(Time32SecondType)) * 1_000_000_000)
        }
        DataType::Time32(_) => clock(i64::from(own!(Time32MillisecondType)) * 1_000_000),
        DataType::Time64(TimeUnit::Microsecond) => {
            clock(own!(Time64MicrosecondType).saturating_mul(1000))
        }
        DataType::Time64(_) => clock(own!(Time64NanosecondType)),
        DataType::Duration(unit) => match unit {
            TimeUnit::Second => Value::from(own!(DurationSecondType)),
            TimeUnit::Millisecond => Value::from(own!(DurationMillisecondType)),
            TimeUnit::Microsecond => Value::from(own!(DurationMicrosecondType)),
            TimeUnit::Nanosecond => Value::from(own!(DurationNanosecondType)),
        },
        DataType::Dictionary(..) => {
            let words = array.as_any_dictionary();
            let at = value(words.keys(), row).as_u64().and_then(|at| usize::try_from(at).ok());
            at.map_or(Value::Null, |at| value(words.values(), at))
        }
        DataType::LargeList(_) => list(&array.as_list::<i64>().value(row)),
        DataType::FixedSizeList(..) => list(&array.as_fixed_size_list().value(row)),
        DataType::List(_) => list(&array.as_list::<i32>().value(row)),
        DataType::Map(..) => list(&array.as_map().value(row)),
        DataType::Struct(fields) => {
            Value::Object(members(fields, array.as_struct().columns(), row))
        }
        other => Value::from(format!("({other})")),
    }
}

fn list(items: &dyn Array) -> Value {
    Value::Array((0..items.len()).map(|at| value(items, at)).collect())
}

/// As text: a number of JSON is read as a float, and would lose digits.
fn decimal<T: DecimalType + ArrowPrimitiveType>(array: &dyn Array, row: usize) -> Value {
    Value::from(array.as_primitive::<T>().value_as_string(row))
}

fn lossy(bytes: &[u8]) -> Value {
    Value::from(String::from_utf8_lossy(bytes))
}

fn hex(bytes: &[u8]) -> Value {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a text cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    Value::from(text)
}

/// A time, as other writers store it; null when no calendar has it.
fn instant(time: Result<jiff::Timestamp, jiff::Error>) -> Value {
    time.map_or(Value::Null, |time| Value::from(time.to_string()))
}

/// A date, by days since 1970.
fn date(days: i32) -> Value {
    let start = jiff::civil::Date::constant(1970, 1, 1);
    let date = start.checked_add(jiff::SignedDuration::from_hours(i64::from(days) * 24));
    date.map_or(Value::Null, |date| Value::from(date.to_string()))
}

/// A time of the day.
fn clock(nanos: i64) -> Value {
    let time = jiff::civil::Time::midnight();
    let time = (0..86_400_000_000_000)
        .contains(&nanos)
        .then(|| time.checked_add(jiff::SignedDuration::from_nanos(nanos)));
    time.and_then(Result::ok).map_or(Value::Null, |time| Value::from(time.to_string()))
}

/// Calls `take` with every text in `batch`, and its row; `first` is the number of the first row.
pub(super) fn each_text(batch: &RecordBatch, first: u64, take: &mut dyn FnMut(u64, &str)) {
    let rows: Vec<u64> = (first..).take(batch.num_rows()).collect();
    for column in batch.columns() {
        texts(column, &rows, take);
    }
}

/// Calls `take` with every text in `array`, whose items belong to `rows`.
fn texts(array: &dyn Array, rows: &[u64], take: &mut dyn FnMut(u64, &str)) {
    let valid = || rows.iter().enumerate().filter(|(at, _)| array.is_valid(*at));
    match array.data_type() {
        DataType::Utf8 => {
            let own = array.as_string::<i32>();
            valid().for_each(|(at, row)| take(*row, own.value(at)));
        }
        DataType::Binary => {
            let own = array.as_binary::<i32>();
            valid().for_each(|(at, row)| take(*row, &String::from_utf8_lossy(own.value(at))));
        }
        DataType::Struct(_) => {
            let own: &StructArray = array.as_struct();
            own.columns().iter().for_each(|column| texts(column, rows, take));
        }
        DataType::List(_) => {
            let own = array.as_list::<i32>();
            texts(own.values(), &spread(own.value_offsets(), rows), take);
        }
        DataType::Map(..) => {
            let own = array.as_map();
            texts(own.entries(), &spread(own.value_offsets(), rows), take);
        }
        _ => {}
    }
}

/// The row of each item of lists that start and end at `offsets`. What stands before the first list, or
/// behind the last, is of no row.
fn spread(offsets: &[i32], rows: &[u64]) -> Vec<u64> {
    let place = |at: &i32| usize::try_from(*at).unwrap_or(0);
    let mut spread = vec![0; offsets.first().map_or(0, place)];
    for (bounds, row) in offsets.windows(2).zip(rows) {
        let [_, end] = bounds else { continue };
        spread.resize(place(end), *row);
    }
    spread
}
