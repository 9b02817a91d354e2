//! The cells of one column, whatever type of its kind the file holds them in.

use arrow_array::cast::AsArray as _;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type,
};
use arrow_array::{
    Array, ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int64Array, ListArray,
    RecordBatch, StringArray, StructArray,
};
use arrow_schema::DataType;
use std::ops::Range;
use std::sync::Arc;

/// The cells of a column; of a type that is not asked for it has none.
pub(in crate::readers) enum ParquetColumn {
    /// Texts.
    Texts(StringArray),
    /// Texts, each by its number among the different ones.
    Words(DictionaryArray<Int32Type>),
    /// Floats of either size.
    Numbers(Float64Array),
    /// Whole numbers of any size.
    Wholes(Int64Array),
    /// Yes or no.
    Flags(BooleanArray),
    /// Anything else.
    Other,
}

impl ParquetColumn {
    /// The cells of `array`.
    pub(super) fn of(array: &ArrayRef) -> Self {
        /// The whole numbers of a smaller type.
        macro_rules! wholes {
            ($kind:ty) => {
                Self::Wholes(array.as_primitive::<$kind>().unary(i64::from))
            };
        }
        match array.data_type() {
            DataType::Utf8 => Self::Texts(array.as_string().clone()),
            DataType::Dictionary(..) => {
                array.as_dictionary_opt().cloned().map_or(Self::Other, Self::Words)
            }
            DataType::Float64 => Self::Numbers(array.as_primitive::<Float64Type>().clone()),
            DataType::Float32 => {
                Self::Numbers(array.as_primitive::<Float32Type>().unary(f64::from))
            }
            DataType::Int64 => Self::Wholes(array.as_primitive::<Int64Type>().clone()),
            DataType::Int32 => wholes!(Int32Type),
            DataType::Int16 => wholes!(Int16Type),
            DataType::Int8 => wholes!(Int8Type),
            DataType::UInt32 => wholes!(UInt32Type),
            DataType::UInt16 => wholes!(UInt16Type),
            DataType::UInt8 => wholes!(UInt8Type),
            DataType::Boolean => Self::Flags(array.as_boolean().clone()),
            _ => Self::Other,
        }
    }

    /// The column named `name` of `batch`, if it is there.
    pub(in crate::readers) fn in_batch(batch: &RecordBatch, name: &str) -> Option<Self> {
        batch.column_by_name(name).map(Self::of)
    }

    /// Sets, for each row whose cell may differ from the one before, its place in `changes`, which has one for each row.
    pub(in crate::readers) fn mark_changes(&self, changes: &mut [bool]) {
        /// Of cells next to each other, whether they are the same to `$same`.
        macro_rules! mark {
            ($len:expr, $same:expr) => {
                for (change, at) in changes.iter_mut().zip(0..$len).skip(1) {
                    *change |= !$same(at - 1, at);
                }
            };
        }
        match self {
            Self::Words(words) => {
                let numbers = words.keys().values();
                let valid = |at| words.is_valid(at);
                match words.keys().null_count() {
                    0 => mark!(words.len(), |a: usize, b: usize| numbers.get(a) == numbers.get(b)),
                    _ => mark!(words.len(), |a, b| match (valid(a), valid(b)) {
                        (true, true) => numbers.get(a) == numbers.get(b),
                        (one, other) => one == other,
                    }),
                }
            }
            Self::Texts(texts) => mark!(texts.len(), |a, b| self.text(a) == self.text(b)),
            Self::Numbers(cells) => mark!(cells.len(), |a, b| self.number(a) == self.number(b)),
            Self::Wholes(cells) => mark!(cells.len(), |a, b| self.whole(a) == self.whole(b)),
            Self::Flags(cells) => mark!(cells.len(), |a, b| self.flag(a) == self.flag(b)),
            Self::Other => {}
        }
    }

    /// The cells as an array; `None`: they are of a type that is not asked for.
    pub(in crate::readers) fn into_array(self) -> Option<ArrayRef> {
        Some(match self {
            Self::Texts(texts) => Arc::new(texts),
            Self::Words(words) => Arc::new(words),
            Self::Numbers(numbers) => Arc::new(numbers),
            Self::Wholes(wholes) => Arc::new(wholes),
            Self::Flags(flags) => Arc::new(flags),
            Self::Other => return None,
        })
    }

    /// Cell `idx`, if it is a text.
    #[inline]
    pub(in crate::readers) fn text(&self, idx: usize) -> Option<&str> {
        match self {
            Self::Texts(texts) => {
                (idx < texts.len() && texts.is_valid(idx)).then(|| texts.value(idx))
            }
            Self::Words(words) => {
                let texts = words.values().as_string_opt::<i32>()?;
                let number = usize::try_from(*words.keys().values().get(idx)?).ok()?;
                (words.is_valid(idx) && number < texts.len()).then(|| texts.value(number))
            }
            _ => None,
        }
    }

    /// Cell `idx`, if it is a number.
    #[expect(clippy::cast_precision_loss, reason = "weights and seconds are small")]
    #[inline]
    pub(in crate::readers) fn number(&self, idx: usize) -> Option<f64> {
        match self {
            Self::Numbers(numbers) => {
                (idx < numbers.len() && numbers.is_valid(idx)).then(|| numbers.value(idx))
            }
            _ => self.whole(idx).map(|whole| whole as f64),
        }
    }

    /// Cell `idx`, if it is a whole number.
    #[inline]
    pub(in crate::readers) fn whole(&self, idx: usize) -> Option<i64> {
        let Self::Wholes(wholes) = self else { return None };
        (idx < wholes.len() && wholes.is_valid(idx)).then(|| wholes.value(idx))
    }

    /// Cell `idx`, if it is a flag.
    #[inline]
    pub(in crate::readers) fn flag(&self, idx: usize) -> Option<bool> {
        let Self::Flags(flags) = self else { return None };
        (idx < flags.len() && flags.is_valid(idx)).then(|| flags.value(idx))
    }
}

/// A column of lists of structs.
pub(in crate::readers) struct Lists {
    lists: ListArray,
    structs: StructArray,
}

impl Lists {
    /// The lists in the column named `name` of `batch`, if it is there.
    pub(in crate::readers) fn in_batch(batch: &RecordBatch, name: &str) -> Option<Self> {
        let lists = batch.column_by_name(name)?.as_list_opt::<i32>()?;
        let structs = lists.values().as_struct_opt()?.clone();
        Some(Self { lists: lists.clone(), structs })
    }

    /// The field `name` of all the structs, one behind the other.
    pub(in crate::readers) fn field(&self, name: &str) -> Option<ParquetColumn> {
        self.structs.column_by_name(name).map(ParquetColumn::of)
    }

    /// Number of all the structs.
    pub(in crate::readers) fn n_items(&self) -> usize {
        self.structs.len()
    }

    /// Where the structs of row `row` stand among all.
    pub(in crate::readers) fn items(&self, row: usize) -> Range<usize> {
        if row >= self.lists.len() || self.lists.is_null(row) {
            return 0..0;
        }
        let at = |row: usize| {
            self.lists.value_offsets().get(row).and_then(|at| usize::try_from(*at).ok())
        };
        at(row).zip(at(row + 1)).map_or(0..0, |(start, end)| start..end)
    }
}
