//! What a page header declares, looked at before the library takes it for granted.
//!
//! Sizes by which gigabytes would be allocated are refused, and lists, which no header has. So is a header
//! without the part that its kind of page has: the library panics over it. Everything else, and what is cut
//! off, is left to the library. Format: `PageHeader` of parquet-format.

use super::thrift::{INT32, STRUCT, ThriftParser, ThriftStop};

/// Bytes by which nearly every header has ended.
pub(super) const USUAL_LEN: usize = 64;

/// Largest page, unpacked.
const MAX_PAGE: i64 = 256 << 20;

/// Most values of a page, with those that are null.
const MAX_VALUES: i64 = 16 << 20;

/// Kinds of pages: data, values that data pages refer to, data of version 2.
const DATA: i64 = 0;
const DICTIONARY: i64 = 2;
const DATA_V2: i64 = 3;

/// Checks the header at the start of `bytes`, as far as they go.
///
/// # Errors
/// How it declares more than any page holds, or is none.
pub(super) fn check(bytes: &[u8]) -> Result<(), &'static str> {
    match page(&mut ThriftParser::without_lists(bytes)) {
        Ok(()) | Err(ThriftStop::End) => Ok(()),
        Err(ThriftStop::Unreadable) => Err("a page header cannot be read"),
        Err(ThriftStop::Refused(reason)) => Err(reason),
    }
}

/// The size of the page, unpacked, that the header at the start of `bytes` declares.
pub(super) fn unpacked_len(bytes: &[u8]) -> Option<u64> {
    let (mut parser, mut id) = (ThriftParser::without_lists(bytes), 0);
    while let Some(field) = parser.field(&mut id).ok()? {
        if (id, field) == (2, INT32) {
            return parser.integer().ok().and_then(|len| u64::try_from(len).ok());
        }
        parser.skip(field).ok()?;
    }
    None
}

fn page(parser: &mut ThriftParser<'_>) -> Result<(), ThriftStop> {
    let (mut id, mut kind, mut len, mut parts) = (0, None, None, Vec::new());
    while let Some(field) = parser.field(&mut id)? {
        match (id, field) {
            (1, INT32) => kind = Some(parser.integer()?),
            (2, INT32) => {
                let own = parser.integer()?;
                if own > MAX_PAGE {
                    return Err(ThriftStop::Refused("a page is larger than 256 MiB"));
                }
                len = Some(own);
            }
            // What data pages, dictionaries and data pages of version 2 say of themselves.
            (5 | 7 | 8, STRUCT) => {
                parts.push(id);
                part(parser, kind == Some(DICTIONARY), len)?;
            }
            _ => parser.skip(field)?,
        }
    }
    let own = match kind {
        Some(DATA) => 5,
        Some(DICTIONARY) => 7,
        Some(DATA_V2) => 8,
        _ => return Ok(()),
    };
    if parts.contains(&own) {
        Ok(())
    } else {
        Err(ThriftStop::Refused("a page header lacks the part that its page type requires"))
    }
}

/// Begins with the number of values.
fn part(
    parser: &mut ThriftParser<'_>,
    is_dictionary: bool,
    len: Option<i64>,
) -> Result<(), ThriftStop> {
    let mut id = 0;
    while let Some(field) = parser.field(&mut id)? {
        if (id, field) != (1, INT32) {
            parser.skip(field)?;
            continue;
        }
        let n_values = parser.integer()?;
        if n_values < 0 {
            return Err(ThriftStop::Refused("a page has a negative number of values"));
        }
        if n_values > MAX_VALUES {
            return Err(ThriftStop::Refused("a page holds more than 16 Mi values"));
        }
        if is_dictionary && len.is_some_and(|len| n_values > len) {
            return Err(ThriftStop::Refused("a dictionary holds more values than bytes"));
        }
    }
    Ok(())
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
        assert_eq!(check(&page(0, 8, -1)), Err("a page has a negative number of values"));
    }

    #[test]
    fn a_checksum_stands_in_between() {
        let sizes = [integer(1, 0), integer(1, 1 << 30), integer(1, 10), integer(1, -7)].concat();
        let header = [sizes, vec![0x1c], integer(1, 3)].concat();
        assert_eq!(check(&header), Err("a page is larger than 256 MiB"));
    }

    #[test]
    fn a_page_has_the_part_of_its_kind() {
        let ended = |kind: i64, part: u8| {
            let sizes = [integer(1, kind), integer(1, 9), integer(1, 10)].concat();
            [sizes, vec![part], integer(1, 3), vec![0, 0]].concat()
        };
        let missing = Err("a page header lacks the part that its page type requires");
        for (kind, own) in [(0, 0x2c), (2, 0x4c), (3, 0x5c)] {
            for part in [0x2c, 0x4c, 0x5c] {
                let wanted = if part == own { Ok(()) } else { missing };
                assert_eq!(check(&ended(kind, part)), wanted, "{kind} {part:x}");
            }
        }
        // Kinds of other releases are left to the library.
        assert_eq!(check(&ended(1, 0x2c)), Ok(()));
    }

    #[test]
    fn what_is_cut_off_is_left_to_the_library() {
        for bytes in [&[][..], &[0], &[0x15], &[0x25, 1, 0x1c]] {
            assert_eq!(check(bytes), Ok(()));
        }
        // Cut off inside its size.
        let whole = page(0, 1 << 30, 1);
        assert!((0..8).all(|len| check(&whole[..len]) == Ok(())));
        assert!((8..whole.len()).all(|len| check(&whole[..len]).is_err()));
    }

    #[test]
    fn statistics_are_passed_over_and_lists_are_refused() {
        // Field 5 of the part: texts, counts and flags of every type there is.
        let statistics = [&[0x18, 2, b'a', b'b', 0x16, 4, 0x11, 0x12, 0x13, 9, 0x17][..], &[0; 9]];
        let statistics = statistics.concat();
        let header =
            |inner: &[u8], kind: u8| [&page(0, 9, 3)[..], &[0x40 | kind], inner, &[0, 0]].concat();
        assert_eq!(check(&header(&statistics, 12)), Ok(()));
        let unknown = Err("a page header cannot be read");
        // A list of two thousand million flags.
        assert_eq!(check(&header(&[0xf1, 0xff, 0xff, 0xff, 0xff, 0x07], 9)), unknown);
        assert_eq!(check(&header(&[0x1c; 9], 12)), unknown);
    }
}
