//! Page headers of a Parquet column, looked at before the library does.
//!
//! The library trusts what a header says: sizes are allocated, missing parts are unwrapped. In
//! WebAssembly that would end the worker, so a header that contradicts itself, its column or the
//! limit is damage here first. Format: Thrift's compact protocol, `PageHeader` of parquet-format.

use std::io::Read;

/// Largest page, decompressed.
const MAX_PAGE: i64 = 256 << 20;

/// Deepest nesting of a header; statistics are two deep.
const MAX_DEPTH: usize = 8;

/// What a page header says.
#[derive(Debug, Default)]
pub(super) struct PageHeader {
    kind: Option<i64>,
    uncompressed: Option<i64>,
    compressed: Option<i64>,
    /// The numbers of the part for data, dictionary or version 2 pages, by field.
    parts: [Option<Part>; 3],
}

/// The first fields of a page's own part; those that are not numbers stay `None`.
type Part = [Option<i64>; 6];

/// Level encodings that there are: RLE, and bit-packed of old.
const LEVEL_ENCODINGS: [i64; 2] = [3, 4];

/// Why a header was not read.
pub(super) enum Fault {
    /// It ends behind the bytes that were given.
    Short,
    /// It is damaged.
    Damaged,
}

impl PageHeader {
    /// Bytes of the page behind the header.
    pub(super) fn page_len(&self) -> u64 {
        self.compressed.and_then(|len| u64::try_from(len).ok()).unwrap_or(0)
    }

    /// Values of a data page, none for a dictionary.
    pub(super) fn n_values(&self) -> i64 {
        let part = if self.kind == Some(3) { self.parts[2] } else { self.parts[0] };
        part.filter(|_| self.kind != Some(2)).and_then(|part| part[0]).unwrap_or(0)
    }

    /// Whether it is a data page with its levels inside the compressed bytes, RLE-encoded.
    pub(super) fn has_rle_levels(&self) -> bool {
        self.kind == Some(0) && self.parts[0].is_some_and(|part| part[2] == Some(3))
    }

    /// What is wrong with it, for a page of which `n_left` bytes are left in the column.
    pub(super) fn complaint(&self, n_left: u64, is_first: bool) -> Option<&'static str> {
        let sizes = [self.compressed, self.uncompressed];
        if sizes.iter().any(|size| size.is_none_or(|size| size < 0)) {
            return Some("a page has no size");
        }
        if self.uncompressed.is_some_and(|size| size > MAX_PAGE) {
            return Some("a page is larger than 256 MiB");
        }
        if self.page_len() > n_left {
            return Some("a page goes past its column");
        }
        let part = match self.kind {
            Some(0) => self.parts[0],
            Some(2) if is_first => self.parts[1],
            Some(3) => self.parts[2],
            _ => return Some("a page is of no known type"),
        };
        let is_known = |encoding: &Option<i64>| {
            encoding.is_some_and(|encoding| LEVEL_ENCODINGS.contains(&encoding))
        };
        match part {
            Some([Some(0..), _, levels @ .., _, _])
                if self.kind == Some(0) && !levels.iter().all(is_known) =>
            {
                Some("a page has levels in no known encoding")
            }
            Some([Some(0..), ..]) => None,
            _ => Some("a page does not say what it holds"),
        }
    }
}

/// Reads a page header; also its length.
pub(super) fn read_header(bytes: &[u8]) -> Result<(PageHeader, usize), Fault> {
    let mut reader = Reader { bytes, at: 0 };
    let mut header = PageHeader::default();
    let mut field = 0;
    while let Some(kind) = reader.field(&mut field)? {
        match (field, kind) {
            (1, INT32) => header.kind = Some(reader.integer()?),
            (2, INT32) => header.uncompressed = Some(reader.integer()?),
            (3, INT32) => header.compressed = Some(reader.integer()?),
            (5, STRUCT) => header.parts[0] = reader.part()?,
            (7, STRUCT) => header.parts[1] = reader.part()?,
            (8, STRUCT) => header.parts[2] = reader.part()?,
            _ => reader.skip(kind, 0)?,
        }
    }
    Ok((header, reader.at))
}

/// Whether the levels that a decompressed page starts with (its length in four bytes, then runs of
/// one bit) stay inside it. The library reads a bit-packed run without looking.
pub(super) fn levels_fit(mut page: impl Read, n_values: i64) -> bool {
    let mut len = [0; 4];
    if page.read_exact(&mut len).is_err() {
        return n_values == 0;
    }
    let mut levels = Vec::new();
    let wanted = u64::from(u32::from_le_bytes(len));
    let is_read = page.take(wanted).read_to_end(&mut levels).is_ok_and(|n| n as u64 == wanted);
    let mut reader = Reader { bytes: &levels, at: 0 };
    let mut n_left = u64::try_from(n_values).unwrap_or(0);
    while is_read && n_left > 0 && reader.at < levels.len() {
        let Ok(head) = reader.varint() else { return false };
        let (count, n_bytes) = match head & 1 {
            0 => (head >> 1, 1),
            _ => ((head >> 1).saturating_mul(8), head >> 1),
        };
        if count == 0 || reader.pass(n_bytes).is_err() {
            return false;
        }
        n_left = n_left.saturating_sub(count);
    }
    is_read && n_left == 0
}

const INT32: u8 = 5;
const STRUCT: u8 = 12;

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> Result<u8, Fault> {
        let byte = self.bytes.get(self.at).copied().ok_or(Fault::Short)?;
        self.at += 1;
        Ok(byte)
    }

    fn varint(&mut self) -> Result<u64, Fault> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(Fault::Damaged)
    }

    fn integer(&mut self) -> Result<i64, Fault> {
        let zigzag = self.varint()?;
        let half = i64::try_from(zigzag >> 1).map_err(|_err| Fault::Damaged)?;
        Ok(if zigzag & 1 == 0 { half } else { -half - 1 })
    }

    /// Type of the next field, whose number `field` becomes; `None` at the end of the struct.
    fn field(&mut self, field: &mut i64) -> Result<Option<u8>, Fault> {
        let byte = self.byte()?;
        if byte == 0 {
            return Ok(None);
        }
        let delta = i64::from(byte >> 4);
        *field = if delta == 0 { self.integer()? } else { field.saturating_add(delta) };
        Ok(Some(byte & 0x0f))
    }

    /// The first fields of a page's own part.
    fn part(&mut self) -> Result<Option<Part>, Fault> {
        let (mut field, mut part) = (0, Part::default());
        while let Some(kind) = self.field(&mut field)? {
            let slot = usize::try_from(field - 1).ok().and_then(|at| part.get_mut(at));
            match slot {
                Some(slot) if kind == INT32 => *slot = Some(self.integer()?),
                _ => self.skip(kind, 1)?,
            }
        }
        Ok(Some(part))
    }

    fn pass(&mut self, n_bytes: u64) -> Result<(), Fault> {
        let n_bytes = usize::try_from(n_bytes).map_err(|_err| Fault::Damaged)?;
        let end = self.at.checked_add(n_bytes).ok_or(Fault::Damaged)?;
        if end > self.bytes.len() {
            return Err(Fault::Short);
        }
        self.at = end;
        Ok(())
    }

    fn skip(&mut self, kind: u8, depth: usize) -> Result<(), Fault> {
        if depth > MAX_DEPTH {
            return Err(Fault::Damaged);
        }
        match kind {
            1 | 2 => Ok(()),
            3 => self.pass(1),
            4..=6 => self.varint().map(|_| ()),
            7 => self.pass(8),
            8 => {
                let len = self.varint()?;
                self.pass(len)
            }
            9 | 10 => {
                let head = self.byte()?;
                let len = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
                for _ in 0..len {
                    // A flag in a list takes a byte, unlike one in a struct.
                    let kind = if matches!(head & 0x0f, 1 | 2) { 3 } else { head & 0x0f };
                    self.skip(kind, depth + 1)?;
                }
                Ok(())
            }
            STRUCT => {
                let mut field = 0;
                while let Some(kind) = self.field(&mut field)? {
                    self.skip(kind, depth + 1)?;
                }
                Ok(())
            }
            _ => Err(Fault::Damaged),
        }
    }
}
