//! Nullable, typed Arrow columns: the one place that downcasts.

use arrow_array::builder::{
    BooleanBuilder, Float64Builder, StringBuilder, StringDictionaryBuilder, UInt32Builder,
    UInt64Builder,
};
use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, BooleanArray, DictionaryArray, Float64Array, StringArray, UInt32Array,
    UInt64Array,
};
use arrow_schema::DataType;
use std::sync::Arc;

/// A kind of column: what it holds, how it is built, how it is read.
pub trait Kinded {
    /// What one cell is.
    type Value<'a>;
    /// Arrow's builder.
    type Builder: Default;
    /// Arrow's array.
    type Array: Array + Clone + 'static;
    /// Arrow's type.
    fn data_type() -> DataType;
    /// Adds a cell.
    fn append(builder: &mut Self::Builder, value: Option<Self::Value<'_>>);
    /// Ends the column.
    fn finish(builder: &mut Self::Builder) -> Self::Array;
    /// Cell `idx` of `array`, which is valid there.
    fn value(array: &Self::Array, idx: usize) -> Self::Value<'_>;
}

/// Declares a column kind whose builder takes values one to one.
macro_rules! plain_kind {
    ($(#[$doc:meta])* $name:ident, $value:ty, $builder:ty, $array:ty, $data_type:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name;

        impl Kinded for $name {
            type Value<'a> = $value;
            type Builder = $builder;
            type Array = $array;
            fn data_type() -> DataType {
                $data_type
            }
            fn append(builder: &mut Self::Builder, value: Option<Self::Value<'_>>) {
                builder.append_option(value);
            }
            fn finish(builder: &mut Self::Builder) -> Self::Array {
                builder.finish()
            }
            fn value(array: &Self::Array, idx: usize) -> Self::Value<'_> {
                array.value(idx)
            }
        }
    };
}

plain_kind!(
    /// Text that rarely repeats.
    Text, &'a str, StringBuilder, StringArray, DataType::Utf8);
plain_kind!(
    /// 64-bit float.
    F64, f64, Float64Builder, Float64Array, DataType::Float64);
plain_kind!(
    /// 32-bit count or index.
    U32, u32, UInt32Builder, UInt32Array, DataType::UInt32);
plain_kind!(
    /// 64-bit offset or length.
    U64, u64, UInt64Builder, UInt64Array, DataType::UInt64);
plain_kind!(
    /// Yes or no.
    Bool, bool, BooleanBuilder, BooleanArray, DataType::Boolean);

/// Text that repeats: stored once, referred to by number.
#[derive(Debug, Clone, Copy)]
pub struct Dict;

impl Kinded for Dict {
    type Value<'a> = &'a str;
    type Builder = StringDictionaryBuilder<Int32Type>;
    type Array = DictionaryArray<Int32Type>;
    fn data_type() -> DataType {
        DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
    }
    fn append(builder: &mut Self::Builder, value: Option<&str>) {
        builder.append_option(value);
    }
    fn finish(builder: &mut Self::Builder) -> Self::Array {
        builder.finish()
    }
    fn value(array: &Self::Array, idx: usize) -> &str {
        let key = usize::try_from(array.keys().value(idx)).unwrap_or(0);
        array.values().as_any().downcast_ref::<StringArray>().map_or("", |values| values.value(key))
    }
}

/// A finished column, read by row.
#[derive(Debug, Clone)]
pub struct Column<K: Kinded>(K::Array);

impl<K: Kinded> Column<K> {
    pub(super) fn new(array: K::Array) -> Self {
        Self(array)
    }

    /// Cell `idx`; `None` when it is null or past the end.
    pub fn get(&self, idx: usize) -> Option<K::Value<'_>> {
        (idx < self.0.len() && self.0.is_valid(idx)).then(|| K::value(&self.0, idx))
    }

    /// All cells in row order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<K::Value<'_>>> {
        (0..self.0.len()).map(|idx| self.get(idx))
    }

    /// The Arrow array behind it.
    pub fn array(&self) -> &K::Array {
        &self.0
    }

    pub(super) fn to_ref(&self) -> ArrayRef {
        Arc::new(self.0.clone())
    }
}

impl Column<Dict> {
    /// The different words of the column, in the order in which they came first.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let words = self.0.values().as_any().downcast_ref::<StringArray>();
        words.into_iter().flat_map(|words| (0..words.len()).map(move |at| words.value(at)))
    }
}
