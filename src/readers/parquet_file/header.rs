//! Page headers of a Parquet column.
//!
//! A header that contradicts itself, its column or the limits is damage: sizes are checked before
//! anything is allocated by them. Format: Thrift's compact protocol, `PageHeader` of
//! parquet-format.

/// Largest page, unpacked.
const MAX_PAGE: i64 = 256 << 20;

/// Deepest nesting of a header; statistics are two deep.
const MAX_DEPTH: usize = 8;

/// Level encodings that there are: RLE, and bit-packed of old.
const LEVEL_ENCODINGS: [i64; 2] = [RLE, 4];

/// Runs of one number and bit-packed groups by turns.
pub(super) const RLE: i64 = 3;

/// A page header that fits its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    /// Bytes of the page behind the header.
    pub(super) packed_len: usize,
    /// Bytes of the page once unpacked.
    pub(super) len: usize,
    /// Values: of a data page those that are null too.
    pub(super) n_values: usize,
    /// How values are encoded, by parquet-format's number.
    pub(super) encoding: i64,
    /// What kind of page it is.
    pub(super) kind: PageKind,
}

/// What kind of page it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PageKind {
    /// The values that data pages refer to by number.
    Dictionary,
    /// Levels and values packed as one.
    V1 {
        /// Encoding of the definition levels.
        def_encoding: i64,
        /// Encoding of the repetition levels.
        rep_encoding: i64,
    },
    /// Levels in front, never packed.
    V2 {
        /// Bytes of the definition levels.
        def_len: usize,
        /// Bytes of the repetition levels.
        rep_len: usize,
        /// Whether the values are packed.
        is_packed: bool,
    },
}

/// Why a header was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// It ends behind the bytes that were given.
    Short,
    /// It is damaged.
    Damaged(&'static str),
}

const UNREADABLE: Fault = Fault::Damaged("a page header cannot be read");

/// What the fields of a header say; flags are 0 and 1.
#[derive(Default)]
struct Fields {
    kind: Option<i64>,
    len: Option<i64>,
    packed_len: Option<i64>,
    /// The part for data, dictionary or version 2 pages, by field.
    parts: [Option<Part>; 3],
}

/// The first fields of a page's own part; those that are neither numbers nor flags stay `None`.
type Part = [Option<i64>; 7];

/// Reads the header at the start of `bytes`; also its length. `n_left` bytes are left in the column
/// from there on.
pub(super) fn read(bytes: &[u8], n_left: u64, is_first: bool) -> Result<(Header, usize), Fault> {
    let mut reader = Reader { bytes, at: 0 };
    let mut fields = Fields::default();
    let mut field = 0;
    while let Some(kind) = reader.field(&mut field)? {
        match (field, kind) {
            (1, INT32) => fields.kind = Some(reader.integer()?),
            (2, INT32) => fields.len = Some(reader.integer()?),
            (3, INT32) => fields.packed_len = Some(reader.integer()?),
            (5, STRUCT) => fields.parts[0] = Some(reader.part()?),
            (7, STRUCT) => fields.parts[1] = Some(reader.part()?),
            (8, STRUCT) => fields.parts[2] = Some(reader.part()?),
            _ => reader.skip(kind, 0)?,
        }
    }
    let n_left = n_left.saturating_sub(reader.at as u64);
    let header = fields.header(n_left, is_first).map_err(Fault::Damaged)?;
    Ok((header, reader.at))
}

impl Fields {
    fn header(&self, n_left: u64, is_first: bool) -> Result<Header, &'static str> {
        let size = |size: Option<i64>| size.and_then(|size| usize::try_from(size).ok());
        let (Some(packed_len), Some(len)) = (size(self.packed_len), size(self.len)) else {
            return Err("a page has no size");
        };
        if self.len.is_some_and(|len| len > MAX_PAGE) {
            return Err("a page is larger than 256 MiB");
        }
        if packed_len as u64 > n_left {
            return Err("a page goes past its column");
        }
        let part = match self.kind {
            Some(0) => self.parts[0],
            Some(2) if is_first => self.parts[1],
            Some(3) => self.parts[2],
            _ => return Err("a page is of no known type"),
        };
        let untold = "a page does not say what it holds";
        let part = part.ok_or(untold)?;
        let n_values = size(part[0]).ok_or(untold)?;
        let (encoding, kind) = match (self.kind, part) {
            (Some(0), [_, encoding, def_encoding, rep_encoding, ..]) => {
                let known = |own: Option<i64>| own.filter(|own| LEVEL_ENCODINGS.contains(own));
                let (def_encoding, rep_encoding) = known(def_encoding)
                    .zip(known(rep_encoding))
                    .ok_or("a page has levels in no known encoding")?;
                (encoding, PageKind::V1 { def_encoding, rep_encoding })
            }
            (Some(3), [_, _, _, encoding, def_len, rep_len, is_packed]) => {
                let (def_len, rep_len) = size(def_len).zip(size(rep_len)).ok_or(untold)?;
                if def_len.saturating_add(rep_len) > len.min(packed_len) {
                    return Err("the levels of a page go past it");
                }
                (encoding, PageKind::V2 { def_len, rep_len, is_packed: is_packed != Some(0) })
            }
            (_, [_, encoding, ..]) => (encoding, PageKind::Dictionary),
        };
        let encoding = encoding.ok_or(untold)?;
        Ok(Header { packed_len, len, n_values, encoding, kind })
    }
}

const TRUE: u8 = 1;
const FALSE: u8 = 2;
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
        Err(UNREADABLE)
    }

    fn integer(&mut self) -> Result<i64, Fault> {
        let zigzag = self.varint()?;
        let half = i64::try_from(zigzag >> 1).map_err(|_err| UNREADABLE)?;
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
    fn part(&mut self) -> Result<Part, Fault> {
        let (mut field, mut part) = (0, Part::default());
        while let Some(kind) = self.field(&mut field)? {
            let at = field.checked_sub(1).and_then(|at| usize::try_from(at).ok());
            let slot = at.and_then(|at| part.get_mut(at));
            match (slot, kind) {
                (Some(slot), INT32) => *slot = Some(self.integer()?),
                (Some(slot), TRUE | FALSE) => *slot = Some(i64::from(kind == TRUE)),
                _ => self.skip(kind, 1)?,
            }
        }
        Ok(part)
    }

    fn pass(&mut self, n_bytes: u64) -> Result<(), Fault> {
        let n_bytes = usize::try_from(n_bytes).map_err(|_err| UNREADABLE)?;
        let end = self.at.checked_add(n_bytes).ok_or(UNREADABLE)?;
        if end > self.bytes.len() {
            return Err(Fault::Short);
        }
        self.at = end;
        Ok(())
    }

    fn skip(&mut self, kind: u8, depth: usize) -> Result<(), Fault> {
        if depth > MAX_DEPTH {
            return Err(UNREADABLE);
        }
        match kind {
            TRUE | FALSE => Ok(()),
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
                    let kind = if matches!(head & 0x0f, TRUE | FALSE) { 3 } else { head & 0x0f };
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
            _ => Err(UNREADABLE),
        }
    }
}
