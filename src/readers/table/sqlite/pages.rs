//! Header and pages of a database.

use super::MAGIC;
use super::tree::SqliteFault;
use crate::input::InputFile;
use crate::readers::{Error, ErrorKind};
use std::cell::RefCell;

/// Bytes that are read at once: a read in the browser costs as much for one page.
const CHUNK: u64 = 256 << 10;
/// Parts of that size that are kept.
const KEPT: usize = 8;

/// How texts are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Utf8,
    Utf16Le,
    Utf16Be,
}

/// A database.
pub(super) struct Database {
    pub file: InputFile,
    pub encoding: Encoding,
    /// Bytes of a page.
    pub page_size: u64,
    /// Bytes of a page that the tree may use.
    pub usable: usize,
    pub n_pages: u32,
    /// Parts that were read, by their number; the last one was used last.
    parts: RefCell<Vec<(u64, Vec<u8>)>>,
}

impl Database {
    /// Reads the header.
    ///
    /// # Errors
    /// When it cannot be read, or says what no database says.
    pub(super) fn open(file: &InputFile) -> Result<Self, Error> {
        const HEADER: u64 = 100;
        let wrong = |what: &str| {
            let reason = format!("the header of the SQLite database is damaged: {what}");
            Error::new(ErrorKind::Format(reason))
        };
        if file.len() < HEADER {
            return Err(wrong("the file ends in it"));
        }
        let head = file.bytes(0..HEADER)?;
        let byte = |at: usize| head.get(at).copied().unwrap_or(0);
        if !head.starts_with(MAGIC) {
            return Err(wrong("it does not begin as one"));
        }
        let page_size = match u64::from(byte(16)) << 8 | u64::from(byte(17)) {
            1 => 65_536,
            size if size.is_power_of_two() && size >= 512 => size,
            _ => return Err(wrong("the size of a page is no power of two from 512 to 65536")),
        };
        let usable = page_size - u64::from(byte(20));
        let usable = usize::try_from(usable).ok().filter(|usable| *usable >= 480);
        let usable = usable.ok_or_else(|| wrong("too much of each page is reserved"))?;
        let encoding = match byte(59) {
            0 | 1 => Encoding::Utf8,
            2 => Encoding::Utf16Le,
            3 => Encoding::Utf16Be,
            _ => return Err(wrong("its encoding of texts is unknown")),
        };
        let n_pages = u32::try_from(file.len().div_ceil(page_size)).unwrap_or(u32::MAX);
        let (file, parts) = (file.clone(), RefCell::new(Vec::new()));
        Ok(Self { file, encoding, page_size, usable, n_pages, parts })
    }

    /// First byte of page `number`, from 1.
    pub(super) fn start_of(&self, number: u32) -> u64 {
        u64::from(number.saturating_sub(1)) * self.page_size
    }

    /// Page `number`, from 1.
    ///
    /// # Errors
    /// When the file does not hold all of it, or cannot be read.
    pub(super) fn page(&self, number: u32) -> Result<Vec<u8>, SqliteFault> {
        let start = self.start_of(number);
        let fault = |reason: String| SqliteFault { byte: start, reason };
        if number == 0 || number > self.n_pages {
            let reason = format!("the file ends before page {number}");
            return Err(SqliteFault { byte: self.file.len(), reason });
        }
        if start + self.page_size > self.file.len() {
            return Err(fault(format!("the file ends in page {number}")));
        }
        // Pages are at most as long as a part and never lie in two of them.
        let (part, offset) = (start / CHUNK, start % CHUNK);
        let mut parts = self.parts.borrow_mut();
        let known = parts.iter().position(|(own, _)| *own == part);
        let kept = match known {
            Some(place) => parts.remove(place),
            None => {
                let end = ((part + 1) * CHUNK).min(self.file.len());
                let bytes = self.file.bytes(part * CHUNK..end);
                (part, bytes.map_err(|err| fault(err.reason().to_string()))?)
            }
        };
        let end = offset + self.page_size;
        let range = usize::try_from(offset).ok().zip(usize::try_from(end).ok());
        let page = range.and_then(|(start, end)| kept.1.get(start..end)).map(<[u8]>::to_vec);
        parts.push(kept);
        if parts.len() > KEPT {
            parts.remove(0);
        }
        page.ok_or_else(|| fault(format!("the file ends in page {number}")))
    }
}
