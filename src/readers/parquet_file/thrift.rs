//! Thrift's compact protocol, in which a Parquet file says what lies where: walked through before the library
//! does so.
//!
//! The library passes over a list that it does not know element by element, and takes flags for elements
//! without bytes. A list of two thousand million of them in a footer of a few bytes would keep it for minutes.

/// Deepest nesting that is walked: in a footer, and in a structure without lists.
const MAX_DEPTH: usize = 32;
const MAX_DEPTH_WITHOUT_LISTS: usize = 8;

/// Types of fields, by the protocol's number.
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const INT8: u8 = 3;
const INT16: u8 = 4;
pub(super) const INT32: u8 = 5;
const INT64: u8 = 6;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
pub(super) const STRUCT: u8 = 12;
const UUID: u8 = 13;

/// Why a structure is not walked any further.
pub(super) enum ThriftStop {
    /// It ends behind the bytes that were given.
    End,
    /// It is none, or nested too deeply.
    Unreadable,
    /// It is refused.
    Refused(&'static str),
}

/// Walks through one structure.
pub(super) struct ThriftParser<'a> {
    bytes: &'a [u8],
    /// How many elements without bytes may still come; `None`: no list may.
    n_empty: Option<u64>,
    max_depth: usize,
}

/// Checks each of the structures in `parts` for lists that claim more elements than there are bytes. What is
/// damaged otherwise is left to the library.
///
/// # Errors
/// The reason, when there is such a list.
pub(super) fn check_lists<'a>(
    mut parts: impl Iterator<Item = &'a [u8]>,
) -> Result<(), &'static str> {
    parts.try_for_each(|bytes| {
        let n_empty = Some(bytes.len() as u64);
        match (ThriftParser { bytes, n_empty, max_depth: MAX_DEPTH }).skip(STRUCT) {
            Err(ThriftStop::Refused(reason)) => Err(reason),
            _ => Ok(()),
        }
    })
}

impl<'a> ThriftParser<'a> {
    /// For a structure that has no lists.
    pub(super) const fn without_lists(bytes: &'a [u8]) -> Self {
        Self { bytes, n_empty: None, max_depth: MAX_DEPTH_WITHOUT_LISTS }
    }

    /// The type of the next field, whose number goes into `id`; `None` at the end of its struct.
    pub(super) fn field(&mut self, id: &mut i64) -> Result<Option<u8>, ThriftStop> {
        let byte = self.byte()?;
        if byte == 0 {
            return Ok(None);
        }
        match i64::from(byte >> 4) {
            0 => *id = self.integer()?,
            step => *id = id.saturating_add(step),
        }
        Ok(Some(byte & 0x0f))
    }

    /// A signed number, whose sign stands in its lowest bit.
    pub(super) fn integer(&mut self) -> Result<i64, ThriftStop> {
        let bits = self.varint()?;
        Ok((bits >> 1).cast_signed() ^ -(bits & 1).cast_signed())
    }

    /// Passes over the value of a field of type `field`.
    pub(super) fn skip(&mut self, field: u8) -> Result<(), ThriftStop> {
        self.skip_below(field, 0)
    }

    fn skip_below(&mut self, field: u8, depth: usize) -> Result<(), ThriftStop> {
        match field {
            TRUE | FALSE => {}
            INT8 => self.pass(1)?,
            INT16 | INT32 | INT64 => {
                self.varint()?;
            }
            DOUBLE => self.pass(8)?,
            UUID => self.pass(16)?,
            BINARY => {
                let len = self.varint()?;
                self.pass(usize::try_from(len).unwrap_or(usize::MAX))?;
            }
            _ if depth >= self.max_depth => return Err(ThriftStop::Unreadable),
            STRUCT => {
                let mut id = 0;
                while let Some(field) = self.field(&mut id)? {
                    self.skip_below(field, depth + 1)?;
                }
            }
            LIST | SET if self.n_empty.is_some() => {
                let byte = self.byte()?;
                let len = match byte >> 4 {
                    15 => self.varint()?,
                    len => u64::from(len),
                };
                self.elements(len, &[byte & 0x0f], depth)?;
            }
            MAP if self.n_empty.is_some() => {
                let len = self.varint()?;
                if len > 0 {
                    let byte = self.byte()?;
                    self.elements(len, &[byte >> 4, byte & 0x0f], depth)?;
                }
            }
            _ => return Err(ThriftStop::Unreadable),
        }
        Ok(())
    }

    /// Passes over `len` elements, each a value of every one of the types `fields`.
    fn elements(&mut self, len: u64, fields: &[u8], depth: usize) -> Result<(), ThriftStop> {
        if fields.iter().all(|field| matches!(*field, TRUE | FALSE)) {
            let left = self.n_empty.and_then(|n_empty| n_empty.checked_sub(len));
            let reason = "a list in it claims more elements than it has bytes";
            self.n_empty = Some(left.ok_or(ThriftStop::Refused(reason))?);
            return Ok(());
        }
        for _ in 0..len {
            for field in fields {
                self.skip_below(*field, depth + 1)?;
            }
        }
        Ok(())
    }

    fn pass(&mut self, len: usize) -> Result<(), ThriftStop> {
        self.bytes = self.bytes.get(len..).ok_or(ThriftStop::End)?;
        Ok(())
    }

    fn byte(&mut self) -> Result<u8, ThriftStop> {
        let (first, rest) = self.bytes.split_first().ok_or(ThriftStop::End)?;
        self.bytes = rest;
        Ok(*first)
    }

    fn varint(&mut self) -> Result<u64, ThriftStop> {
        let mut bits = 0_u64;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            bits |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(bits);
            }
        }
        Err(ThriftStop::Unreadable)
    }
}

#[cfg(test)]
mod tests {
    use super::check_lists;

    const REFUSED: Result<(), &str> = Err("a list in it claims more elements than it has bytes");

    fn check(bytes: &[u8]) -> Result<(), &'static str> {
        check_lists(std::iter::once(bytes))
    }

    #[test]
    fn a_list_of_flags_without_bytes_is_refused() {
        // Field 1: two thousand million flags, as a list, a set, a map, and in a list of lists.
        for bytes in [
            &[0x19, 0xf1, 0xff, 0xff, 0xff, 0xff, 0x07, 0][..],
            &[0x1a, 0xf2, 0xff, 0xff, 0xff, 0xff, 0x07, 0],
            &[0x1b, 0xff, 0xff, 0xff, 0xff, 0x07, 0x12, 0],
            &[0x19, 0x19, 0xf1, 0xff, 0xff, 0xff, 0xff, 0x07, 0],
        ] {
            assert_eq!(check(bytes), REFUSED, "{bytes:x?}");
        }
        // 14 flags in each of many lists are many, too.
        assert_eq!(check(&[&[0x19, 0xf9, 40][..], &[0xe1; 40], &[0]].concat()), REFUSED);
    }

    #[test]
    fn other_lists_are_walked_and_what_is_damaged_is_left_to_the_library() {
        // Three numbers; two structs of a text each; a map of a text to a flag.
        let whole = [
            &[0x19, 0x35, 2, 0x80, 1, 4][..],
            &[0x19, 0x2c, 0x18, 1, b'a', 0, 0x18, 0, 0],
            &[0x1b, 1, 0x81, 1, b'b', 0],
        ]
        .concat();
        for len in 0..=whole.len() {
            assert_eq!(check(&whole[..len]), Ok(()), "{len} bytes");
        }
        assert_eq!(check(&[0x19; 200]), Ok(()));
        assert_eq!(check(&[0x1c; 200]), Ok(()));
        assert_eq!(check(&[0x1f, 0]), Ok(()));
    }
}
