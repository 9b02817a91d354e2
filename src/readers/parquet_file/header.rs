//! What a page header declares, looked at before the library allocates by it.
//!
//! Only the start is read, where every writer has the sizes and the number of values; the library reads
//! the whole. Format: Thrift's compact protocol, `PageHeader` of parquet-format.

/// Bytes by which the start of nearly every header has ended.
pub(super) const USUAL_LEN: usize = 64;

/// Largest page, unpacked.
const MAX_PAGE: i64 = 256 << 20;

/// Most values of a page, with those that are null.
const MAX_VALUES: i64 = 16 << 20;

/// Types of fields, by the protocol's number.
const INT32: u8 = 5;
const STRUCT: u8 = 12;

/// Fields of a header: the kind of page, its size unpacked and packed, a checksum.
const KIND: u8 = 1;
const LEN: u8 = 2;
const PACKED_LEN: u8 = 3;
const CHECKSUM: u8 = 4;

/// A page of values that data pages refer to.
const DICTIONARY: i64 = 2;

/// Checks the header at the start of `bytes`; what is no header at all is left to the library.
///
/// # Errors
/// How it declares more than any page holds.
pub(super) fn check(bytes: &[u8]) -> Result<(), &'static str> {
    let mut reader = Reader { bytes };
    let (mut id, mut kind, mut len) = (0, None, None);
    loop {
        match reader.field(&mut id) {
            Some(INT32) if id <= CHECKSUM => {
                let Some(value) = reader.integer() else { return Ok(()) };
                match id {
                    KIND => kind = Some(value),
                    LEN => len = Some(value),
                    PACKED_LEN | CHECKSUM => {}
                    _ => return Ok(()),
                }
            }
            // The part for data or dictionary pages begins with the number of values.
            Some(STRUCT) => break,
            _ => return Ok(()),
        }
    }
    let mut id = 0;
    let n_values = match reader.field(&mut id) {
        Some(INT32) if id == 1 => reader.integer(),
        _ => None,
    };
    match (len, n_values) {
        (Some(len), _) if len > MAX_PAGE => Err("a page is larger than 256 MiB"),
        (_, Some(n_values)) if n_values > MAX_VALUES => Err("a page holds more than 16 Mi values"),
        (Some(len), Some(n_values)) if kind == Some(DICTIONARY) && n_values > len => {
            Err("a dictionary holds more values than bytes")
        }
        (_, Some(..=-1)) => Err("a page holds fewer values than none"),
        _ => Ok(()),
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    /// The type of the next field, whose number goes into `id`; `None` at the end, or where the number does
    /// not stand in the same byte.
    fn field(&mut self, id: &mut u8) -> Option<u8> {
        let byte = self.byte()?;
        let step = byte >> 4;
        *id = id.checked_add(step)?;
        (step > 0).then_some(byte & 0x0f)
    }

    fn integer(&mut self) -> Option<i64> {
        let mut bits = 0_u64;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            bits |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some((bits >> 1).cast_signed() ^ -(bits & 1).cast_signed());
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    /// A field of small number `step` behind the one before.
    fn integer(step: u8, value: i64) -> Vec<u8> {
        let mut bits = ((value << 1) ^ (value >> 63)).cast_unsigned();
        let mut bytes = vec![step << 4 | 5];
        while bits >= 0x80 {
            bytes.push(u8::try_from(bits & 0x7f).unwrap() | 0x80);
            bits >>= 7;
        }
        bytes.push(u8::try_from(bits).unwrap());
        bytes
    }

    fn page(kind: i64, len: i64, n_values: i64) -> Vec<u8> {
        let part = if kind == 2 { 0x4c } else { 0x2c };
        let sizes = [integer(1, kind), integer(1, len), integer(1, 10)];
        [sizes.concat(), vec![part], integer(1, n_values)].concat()
    }

    #[test]
    fn pages_that_declare_too_much_are_refused() {
        assert_eq!(check(&page(0, 256 << 20, 16 << 20)), Ok(()));
        assert_eq!(check(&page(0, (256 << 20) + 1, 1)), Err("a page is larger than 256 MiB"));
        assert_eq!(check(&page(0, 9, (16 << 20) + 1)), Err("a page holds more than 16 Mi values"));
        assert_eq!(check(&page(2, 8, 8)), Ok(()));
        assert_eq!(check(&page(2, 8, 9)), Err("a dictionary holds more values than bytes"));
        assert_eq!(check(&page(0, 8, 9)), Ok(()));
        assert_eq!(check(&page(0, 8, -1)), Err("a page holds fewer values than none"));
    }

    #[test]
    fn a_checksum_stands_in_between() {
        let sizes = [integer(1, 0), integer(1, 1 << 30), integer(1, 10), integer(1, -7)].concat();
        let header = [sizes, vec![0x1c], integer(1, 3)].concat();
        assert_eq!(check(&header), Err("a page is larger than 256 MiB"));
    }

    #[test]
    fn what_is_no_header_is_left_to_the_library() {
        for bytes in [&[][..], &[0], &[0xff; 40], b"PAR1", &[0x15], &[0x25, 1, 0x1c]] {
            assert_eq!(check(bytes), Ok(()));
        }
        // Cut off inside its sizes.
        let whole = page(0, 1 << 30, 1);
        assert!((0..=10).all(|len| check(&whole[..len]) == Ok(())));
        assert!(check(&whole).is_err());
    }
}
