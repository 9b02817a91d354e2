//! The values of a Parquet column: a pool of them, and places in it.
//!
//! First in the pool stands the column's dictionary, behind it what plain pages hold, so a value is
//! a place whatever page it comes from, and a text that repeats is kept once. Format:
//! `Encodings.md` of parquet-format.

use super::damaged;
use super::header::RLE;
use super::kind::Kind;
use super::runs::{MAX_WIDTH, Runs};
use crate::readers::{Error, ErrorKind};
use bytes::Bytes;
use parquet::basic::Type;

/// Encodings of parquet-format that are read, but for [`RLE`].
const PLAIN: i64 = 0;
const PLAIN_DICTIONARY: i64 = 2;
const RLE_DICTIONARY: i64 = 8;

/// Encodings that there are besides, by number.
const UNREAD: [(i64, &str); 4] = [
    (5, "DELTA_BINARY_PACKED"),
    (6, "DELTA_LENGTH_BYTE_ARRAY"),
    (7, "DELTA_BYTE_ARRAY"),
    (9, "BYTE_STREAM_SPLIT"),
];

/// Where the values of a page come from.
pub(super) enum Source {
    /// One behind the other, from a place on.
    Plain(Bytes, usize),
    /// Numbers of dictionary entries, or flags.
    Numbers(Runs),
}

/// What stands behind a length of four bytes, and what comes after it.
pub(super) fn split_behind_len(bytes: &Bytes) -> Option<(Bytes, Bytes)> {
    let (len, _) = bytes.split_first_chunk::<4>()?;
    let end = usize::try_from(u32::from_le_bytes(*len)).ok()?.checked_add(4)?;
    (end <= bytes.len()).then(|| (bytes.slice(4..end), bytes.slice(end..)))
}

fn cut_off() -> Error {
    damaged("a page ends before its values do")
}

/// The values of a column.
pub(super) struct Values {
    kind: Kind,
    physical: Type,
    pool: Pool,
    /// Entries of the dictionary, which come first in the pool.
    n_entries: usize,
    /// Places in the pool, value by value.
    places: Vec<u32>,
}

enum Pool {
    Texts(Texts),
    Floats(Vec<f64>),
    Wholes(Vec<i64>),
    /// Places 0 and 1 are no and yes.
    Flags,
    /// Values that nobody reads.
    Nothing,
}

impl Values {
    /// No values yet.
    pub(super) fn new(kind: Kind, physical: Type) -> Self {
        let pool = match kind {
            Kind::Text | Kind::Bytes => Pool::Texts(Texts::default()),
            Kind::Float => Pool::Floats(Vec::new()),
            Kind::Whole | Kind::Time(_) => Pool::Wholes(Vec::new()),
            Kind::Flag => Pool::Flags,
            Kind::Null | Kind::Other(..) => Pool::Nothing,
        };
        Self { n_entries: pool.len(), kind, physical, pool, places: Vec::new() }
    }

    /// What the values are.
    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    /// Where the values in `bytes`, the rest of a page, come from.
    ///
    /// # Errors
    /// When they are cut off, or encoded in a way that is not read.
    pub(super) fn source(&self, encoding: i64, bytes: Bytes) -> Result<Source, Error> {
        let is_flag = matches!(self.pool, Pool::Flags);
        match encoding {
            _ if matches!(self.pool, Pool::Nothing) => Ok(Source::Plain(Bytes::new(), 0)),
            PLAIN if is_flag => Ok(Source::Numbers(Runs::flags(bytes))),
            PLAIN => Ok(Source::Plain(bytes, 0)),
            RLE if is_flag => {
                let (runs, _) = split_behind_len(&bytes).ok_or_else(cut_off)?;
                Ok(Source::Numbers(Runs::new(runs, 1)))
            }
            PLAIN_DICTIONARY | RLE_DICTIONARY if !is_flag => {
                // Where every value is null, a writer may leave the width out.
                let width = bytes.first().copied().unwrap_or(0);
                if width > MAX_WIDTH {
                    return Err(damaged("a page has numbers of more than 32 bits"));
                }
                Ok(Source::Numbers(Runs::new(bytes.slice(bytes.len().min(1)..), width)))
            }
            _ => Err(match UNREAD.iter().find(|(number, _)| *number == encoding) {
                Some((_, name)) => Error::new(ErrorKind::Encoding(name)),
                None => damaged("a page has values in no known encoding"),
            }),
        }
    }

    /// Sets the dictionary.
    ///
    /// # Errors
    /// When it is damaged.
    pub(super) fn set_dictionary(&mut self, bytes: &[u8], n_values: usize) -> Result<(), Error> {
        if matches!(self.pool, Pool::Flags) {
            return Err(damaged("a column of flags has a dictionary"));
        }
        self.pool.truncate(0);
        self.add_plain(bytes, &mut 0, n_values)?;
        self.n_entries = self.pool.len();
        Ok(())
    }

    /// Lets go of everything but the dictionary.
    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.pool.truncate(self.n_entries);
    }

    /// Takes the next `n` values of a page.
    ///
    /// # Errors
    /// When the page does not hold as many, or one of them is damaged.
    pub(super) fn take(&mut self, source: &mut Source, n: usize) -> Result<(), Error> {
        let start = self.places.len();
        if matches!(self.pool, Pool::Nothing) {
            self.places.resize(start + n, 0);
            return Ok(());
        }
        match source {
            Source::Numbers(runs) => {
                self.places.resize(start + n, 0);
                let added = self.places.get_mut(start..).unwrap_or_default();
                runs.fill(added).ok_or_else(cut_off)?;
                let largest = added.iter().max().map_or(0, |&place| place as usize);
                if n > 0 && largest >= self.n_entries {
                    return Err(damaged("a value is not in the dictionary of its column"));
                }
            }
            Source::Plain(bytes, at) => {
                let first = self.pool.len();
                self.add_plain(bytes, at, n)?;
                let places = first..self.pool.len();
                self.places.extend(places.map(|place| u32::try_from(place).unwrap_or(u32::MAX)));
            }
        }
        Ok(())
    }

    /// Passes over the next `n` values of a page.
    ///
    /// # Errors
    /// When the page does not hold as many.
    pub(super) fn pass(&self, source: &mut Source, n: usize) -> Result<(), Error> {
        match (&self.pool, source) {
            (Pool::Nothing, _) => Ok(()),
            (_, Source::Numbers(runs)) => runs.fill(&mut vec![0; n]).ok_or_else(cut_off),
            (_, Source::Plain(bytes, at)) => {
                (0..n).try_for_each(|_| next_plain(bytes, at, self.physical).map(|_| ()))
            }
        }
    }

    fn add_plain(&mut self, bytes: &[u8], at: &mut usize, n: usize) -> Result<(), Error> {
        let values = (0..n).map(|_| next_plain(bytes, at, self.physical));
        match &mut self.pool {
            Pool::Texts(texts) => {
                for value in values {
                    texts.push(value?, self.kind == Kind::Text)?;
                }
            }
            Pool::Floats(floats) => {
                for value in values {
                    floats.push(float(value?));
                }
            }
            Pool::Wholes(wholes) => {
                for value in values {
                    wholes.push(whole(value?));
                }
            }
            Pool::Flags | Pool::Nothing => {}
        }
        Ok(())
    }

    /// Places in the pool, value by value.
    pub(super) fn places(&self) -> &[u32] {
        &self.places
    }

    /// The text at a place in the pool.
    pub(super) fn text(&self, place: u32) -> Option<&str> {
        match &self.pool {
            Pool::Texts(texts) => texts.get(place as usize),
            _ => None,
        }
    }

    /// The number at a place in the pool.
    pub(super) fn float(&self, place: u32) -> Option<f64> {
        match &self.pool {
            Pool::Floats(floats) => floats.get(place as usize).copied(),
            _ => None,
        }
    }

    /// The whole number at a place in the pool; of a time, in the unit of its kind.
    pub(super) fn whole(&self, place: u32) -> Option<i64> {
        match &self.pool {
            Pool::Wholes(wholes) => wholes.get(place as usize).copied(),
            _ => None,
        }
    }

    /// The flag at a place in the pool.
    pub(super) fn flag(&self, place: u32) -> Option<bool> {
        match (&self.pool, place) {
            (Pool::Flags, 0 | 1) => Some(place == 1),
            _ => None,
        }
    }
}

impl Pool {
    fn len(&self) -> usize {
        match self {
            Self::Texts(texts) => texts.ends.len(),
            Self::Floats(floats) => floats.len(),
            Self::Wholes(wholes) => wholes.len(),
            Self::Flags => 2,
            Self::Nothing => 0,
        }
    }

    fn truncate(&mut self, n: usize) {
        match self {
            Self::Texts(texts) => texts.truncate(n),
            Self::Floats(floats) => floats.truncate(n),
            Self::Wholes(wholes) => wholes.truncate(n),
            Self::Flags | Self::Nothing => {}
        }
    }
}

/// Texts, one behind the other.
#[derive(Default)]
struct Texts {
    text: String,
    ends: Vec<usize>,
}

impl Texts {
    fn push(&mut self, bytes: &[u8], is_strict: bool) -> Result<(), Error> {
        match str::from_utf8(bytes) {
            Ok(text) => self.text.push_str(text),
            Err(_) if is_strict => return Err(damaged("a text is not UTF-8")),
            Err(_) => self.text.push_str(&String::from_utf8_lossy(bytes)),
        }
        self.ends.push(self.text.len());
        Ok(())
    }

    fn get(&self, idx: usize) -> Option<&str> {
        let start = idx.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        self.text.get(start..*self.ends.get(idx)?)
    }

    fn truncate(&mut self, n: usize) {
        self.ends.truncate(n);
        self.text.truncate(self.ends.last().copied().unwrap_or(0));
    }
}

/// The plain value at `at`, which moves behind it.
fn next_plain<'a>(bytes: &'a [u8], at: &mut usize, physical: Type) -> Result<&'a [u8], Error> {
    let rest = bytes.get(*at..).unwrap_or_default();
    let value = match physical {
        Type::BYTE_ARRAY => rest.split_first_chunk().and_then(|(len, rest)| {
            *at += len.len();
            rest.get(..usize::try_from(u32::from_le_bytes(*len)).ok()?)
        }),
        Type::INT32 | Type::FLOAT => rest.get(..4),
        Type::INT96 => rest.get(..12),
        _ => rest.get(..8),
    };
    let value = value.ok_or_else(cut_off)?;
    *at += value.len();
    Ok(value)
}

/// A float of 4 or 8 bytes.
fn float(bytes: &[u8]) -> f64 {
    match bytes.first_chunk() {
        Some(bytes) => f64::from_le_bytes(*bytes),
        None => bytes.first_chunk().map_or(0.0, |bytes| f64::from(f32::from_le_bytes(*bytes))),
    }
}

/// A whole number of 4 or 8 bytes, or a time of 12: nanoseconds of the day, and the Julian day.
fn whole(bytes: &[u8]) -> i64 {
    const DAY_1970: i64 = 2_440_588;
    const DAY_NANOS: i64 = 86_400_000_000_000;
    let small = |bytes: &[u8]| bytes.first_chunk().map_or(0, |bytes| i32::from_le_bytes(*bytes));
    let Some((large, rest)) = bytes.split_first_chunk() else { return i64::from(small(bytes)) };
    let large = i64::from_le_bytes(*large);
    if rest.is_empty() {
        return large;
    }
    let days = i64::from(small(rest)) - DAY_1970;
    days.saturating_mul(DAY_NANOS).saturating_add(large)
}
