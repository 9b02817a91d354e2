//! The cells of a column in the row group that is being filled, and the pages that they become.
//!
//! Texts stand plain, or as places in a dictionary where that takes fewer bytes: names of runs and
//! verdicts repeat from row to row, reasons rarely do. Format: `Encodings.md` of parquet-format, and
//! "Data Pages" of its `README.md`.

use super::super::columns::{Kind, Value};
use super::page::{Encoding, Page, Pages};
use super::runs::{pack, runs, width_of};
use std::collections::HashMap;
use std::io;
use std::rc::Rc;

/// Cells of a column: the values that there are, and for each row whether there is one.
pub(super) struct Cells {
    values: Values,
    is_required: bool,
    is_there: Vec<bool>,
}

enum Values {
    Texts(Texts),
    Numbers(Vec<f64>),
    Counts(Vec<i64>),
    Flags(Vec<bool>),
}

/// Texts of which every one is kept once.
#[derive(Default)]
struct Texts {
    /// Those that differ, in the order in which they came.
    entries: Vec<Rc<str>>,
    /// Place of each among `entries`.
    place_of: HashMap<Rc<str>, u32>,
    /// Place of the text of each row that has one.
    places: Vec<u32>,
}

impl Cells {
    /// No cells yet, of a column of `kind`.
    pub(super) fn new(kind: Kind, is_required: bool) -> Self {
        let values = match kind {
            Kind::Text => Values::Texts(Texts::default()),
            Kind::Number => Values::Numbers(Vec::new()),
            Kind::Count => Values::Counts(Vec::new()),
            Kind::Flag => Values::Flags(Vec::new()),
        };
        Self { values, is_required, is_there: Vec::new() }
    }

    /// Adds a cell, and returns how many bytes of text are kept for it.
    pub(super) fn push(&mut self, value: Option<Value<'_>>) -> usize {
        let mut n_bytes = 0;
        let is_there = match (&mut self.values, value) {
            (Values::Texts(texts), Some(Value::Text(text))) => {
                n_bytes = texts.push(text);
                true
            }
            (Values::Numbers(numbers), Some(Value::Number(number))) => {
                numbers.push(number);
                true
            }
            (Values::Counts(counts), Some(Value::Count(n))) => {
                counts.push(i64::try_from(n).unwrap_or(i64::MAX));
                true
            }
            (Values::Counts(counts), Some(Value::Hash(bits))) => {
                counts.push(bits.cast_signed());
                true
            }
            (Values::Flags(flags), Some(Value::Flag(flag))) => {
                flags.push(flag);
                true
            }
            _ => false,
        };
        self.is_there.push(is_there);
        n_bytes
    }

    /// Rows without a value.
    pub(super) fn n_nulls(&self) -> usize {
        self.is_there.iter().filter(|is_there| !**is_there).count()
    }

    /// Takes the cells as pages.
    ///
    /// # Errors
    /// When a text or the levels are longer than the format can say, or a value is missing that every
    /// row must have.
    pub(super) fn take_pages(&mut self) -> io::Result<Pages> {
        let mut bytes = Vec::new();
        if !self.is_required {
            self.levels(&mut bytes)?;
        } else if self.n_nulls() > 0 {
            return Err(io::Error::other("a row lacks a value that every row must have"));
        }
        let (mut encoding, mut dictionary) = (Encoding::Plain, None);
        match &mut self.values {
            Values::Texts(texts) => {
                let texts = std::mem::take(texts);
                if texts.is_shorter_by_places() {
                    encoding = Encoding::Dictionary;
                    dictionary = Some(texts.dictionary()?);
                    let width = width_of(texts.entries.len());
                    bytes.push(width);
                    runs(&mut bytes, &texts.places, width);
                } else {
                    texts.plain(&mut bytes)?;
                }
            }
            Values::Numbers(numbers) => {
                bytes.extend(numbers.drain(..).flat_map(f64::to_le_bytes));
            }
            Values::Counts(counts) => bytes.extend(counts.drain(..).flat_map(i64::to_le_bytes)),
            Values::Flags(flags) => {
                pack(&mut bytes, flags, 1);
                flags.clear();
            }
        }
        let n_values = self.is_there.len();
        self.is_there.clear();
        Ok(Pages { dictionary, data: Page { encoding, n_values, bytes } })
    }

    /// Appends whether each row has a value, in runs behind their length.
    fn levels(&self, out: &mut Vec<u8>) -> io::Result<()> {
        let mut levels = Vec::new();
        runs(&mut levels, &self.is_there, 1);
        out.extend(len_of(&levels)?);
        out.append(&mut levels);
        Ok(())
    }
}

impl Texts {
    /// Adds a text, and returns its bytes when it is the first of its kind.
    fn push(&mut self, text: &str) -> usize {
        // Most columns of text say the same from row to row.
        let last = self.places.last().copied();
        let is_last = |place: &u32| self.entry(*place).is_some_and(|entry| **entry == *text);
        if let Some(place) = last.filter(is_last).or_else(|| self.place_of.get(text).copied()) {
            self.places.push(place);
            return 0;
        }
        let entry: Rc<str> = text.into();
        let place = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        self.entries.push(Rc::clone(&entry));
        self.place_of.insert(entry, place);
        self.places.push(place);
        text.len()
    }

    fn entry(&self, place: u32) -> Option<&Rc<str>> {
        self.entries.get(place as usize)
    }

    /// Every row's text, for the rows that have one.
    fn of_rows(&self) -> impl Iterator<Item = &Rc<str>> {
        self.places.iter().filter_map(|place| self.entry(*place))
    }

    /// Whether a dictionary and places in it take fewer bytes than the texts of all rows.
    fn is_shorter_by_places(&self) -> bool {
        let plain_len = |text: &Rc<str>| size_of::<u32>() + text.len();
        let n_bits = self.places.len() * usize::from(width_of(self.entries.len()));
        let by_places = self.entries.iter().map(plain_len).sum::<usize>() + n_bits.div_ceil(8);
        by_places < self.of_rows().map(plain_len).sum()
    }

    fn dictionary(&self) -> io::Result<Page> {
        let mut bytes = Vec::new();
        for entry in &self.entries {
            plain_text(&mut bytes, entry)?;
        }
        Ok(Page { encoding: Encoding::Plain, n_values: self.entries.len(), bytes })
    }

    fn plain(&self, out: &mut Vec<u8>) -> io::Result<()> {
        self.of_rows().try_for_each(|text| plain_text(out, text))
    }
}

fn plain_text(out: &mut Vec<u8>, text: &str) -> io::Result<()> {
    out.extend(len_of(text.as_bytes())?);
    out.extend_from_slice(text.as_bytes());
    Ok(())
}

/// A length as it stands before texts and levels.
fn len_of(bytes: &[u8]) -> io::Result<[u8; 4]> {
    u32::try_from(bytes.len()).map(u32::to_le_bytes).map_err(io::Error::other)
}
