//! Writes structs in Thrift's compact protocol.
//!
//! Only what Parquet's page headers and footer are made of: 32- and 64-bit integers, texts, structs, and
//! lists of these; flags and 16-bit integers stand in no field that is written. Format:
//! `thrift-compact-protocol.md` of Apache Thrift.

/// Types of fields and of the elements of a list, by the protocol's number.
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// What ends a struct.
const STOP: u8 = 0;

/// Most elements of a list whose number stands in the same byte as their type.
const SHORT_LIST: u8 = 14;

/// Farthest field from the one before it whose distance stands in the same byte as its type.
const SHORT_STEP: u8 = 15;

/// The fields of a struct that is being written.
pub(super) struct Fields<'a> {
    out: &'a mut Vec<u8>,
    last: u8,
}

/// Appends a struct to `out`, whose fields `write` writes.
pub(super) fn structure(out: &mut Vec<u8>, write: impl FnOnce(&mut Fields<'_>)) {
    let mut fields = Fields { out, last: 0 };
    write(&mut fields);
    fields.out.push(STOP);
}

impl Fields<'_> {
    /// Field `id`, a 32-bit integer or an enum.
    pub(super) fn i32(&mut self, id: u8, value: i32) {
        self.head(id, I32);
        varint(self.out, zigzag(i64::from(value)));
    }

    /// Field `id`, a 64-bit integer.
    pub(super) fn i64(&mut self, id: u8, value: i64) {
        self.head(id, I64);
        varint(self.out, zigzag(value));
    }

    /// Field `id`, a text.
    pub(super) fn text(&mut self, id: u8, text: &str) {
        self.head(id, BINARY);
        binary(self.out, text);
    }

    /// Field `id`, a struct.
    pub(super) fn structure(&mut self, id: u8, write: impl FnOnce(&mut Fields<'_>)) {
        self.head(id, STRUCT);
        structure(self.out, write);
    }

    /// Field `id`, a list of enums.
    pub(super) fn enums(&mut self, id: u8, values: &[i32]) {
        self.list(id, I32, values.len());
        for value in values {
            varint(self.out, zigzag(i64::from(*value)));
        }
    }

    /// Field `id`, a list of texts.
    pub(super) fn texts(&mut self, id: u8, texts: &[&str]) {
        self.list(id, BINARY, texts.len());
        for text in texts {
            binary(self.out, text);
        }
    }

    /// Field `id`, a list of `len` structs, whose fields `write` writes for each number below `len`.
    pub(super) fn structures(
        &mut self,
        id: u8,
        len: usize,
        mut write: impl FnMut(&mut Fields<'_>, usize),
    ) {
        self.list(id, STRUCT, len);
        for at in 0..len {
            structure(self.out, |fields| write(fields, at));
        }
    }

    fn head(&mut self, id: u8, kind: u8) {
        match id.checked_sub(self.last) {
            Some(step @ 1..=SHORT_STEP) => self.out.push(step << 4 | kind),
            _ => {
                self.out.push(kind);
                varint(self.out, zigzag(i64::from(id)));
            }
        }
        self.last = id;
    }

    fn list(&mut self, id: u8, kind: u8, len: usize) {
        self.head(id, LIST);
        match u8::try_from(len) {
            Ok(len @ 0..=SHORT_LIST) => self.out.push(len << 4 | kind),
            _ => {
                self.out.push(0xf0 | kind);
                varint(self.out, len as u64);
            }
        }
    }
}

fn binary(out: &mut Vec<u8>, text: &str) {
    varint(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Small numbers of either sign as small numbers: 0, -1, 1, -2 … become 0, 1, 2, 3 ….
fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)).cast_unsigned()
}

/// Appends a number in groups of seven bits, the lowest first (unsigned LEB128).
pub(super) fn varint(out: &mut Vec<u8>, mut value: u64) {
    loop {
        let [low, ..] = value.to_le_bytes();
        value >>= 7;
        if value == 0 {
            out.push(low);
            return;
        }
        out.push(low | 0x80);
    }
}

#[cfg(test)]
mod tests {
    use super::{structure, varint, zigzag};

    fn varint_of(value: u64) -> Vec<u8> {
        let mut out = Vec::new();
        varint(&mut out, value);
        out
    }

    #[test]
    fn varints_are_those_of_the_specification() {
        // 50399 is the example of thrift-compact-protocol.md.
        assert_eq!(varint_of(50399), [0xdf, 0x89, 0x03]);
        assert_eq!(varint_of(0), [0]);
        assert_eq!(varint_of(127), [0x7f]);
        assert_eq!(varint_of(128), [0x80, 0x01]);
        assert_eq!(varint_of(u64::MAX), [[0xff; 9].as_slice(), &[0x01]].concat());
    }

    #[test]
    fn signs_alternate() {
        let found = [0, -1, 1, -2, 2, i64::MAX, i64::MIN].map(zigzag);
        assert_eq!(found, [0, 1, 2, 3, 4, u64::MAX - 1, u64::MAX]);
    }

    #[test]
    fn fields_are_written_byte_for_byte() {
        let mut out = Vec::new();
        structure(&mut out, |fields| {
            fields.i32(1, -3);
            fields.i64(3, 64);
            fields.text(4, "é");
            fields.structure(5, |inner| inner.i32(2, 1));
            fields.enums(6, &[0, 8]);
            fields.texts(7, &["a", ""]);
            fields.structures(9, 2, |inner, at| inner.i32(1, if at == 0 { 0 } else { 1 }));
        });
        let expected: [&[u8]; 8] = [
            &[0x15, 5],
            &[0x26, 0x80, 0x01],
            &[0x18, 2, 0xc3, 0xa9],
            &[0x1c, 0x25, 2, 0],
            &[0x19, 0x25, 0, 16],
            &[0x19, 0x28, 1, b'a', 0],
            &[0x29, 0x2c, 0x15, 0, 0, 0x15, 2, 0],
            &[0],
        ];
        assert_eq!(out, expected.concat());
    }

    #[test]
    fn far_fields_and_long_lists_say_so_in_bytes_of_their_own() {
        let mut out = Vec::new();
        structure(&mut out, |fields| {
            fields.i32(16, 0);
            fields.enums(17, &[0; 14]);
            fields.enums(18, &[0; 15]);
        });
        let expected: [&[u8]; 6] =
            [&[0x05, 32, 0], &[0x19, 0xe5], &[0; 14], &[0x19, 0xf5, 15], &[0; 15], &[0]];
        assert_eq!(out, expected.concat());
    }
}
