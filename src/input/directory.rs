//! The list of files at the end of a zip, read by itself: nothing in front of it is touched.

use super::expand::Coding;
use super::packed::Packing;
use super::source::ReadAt;
use std::rc::Rc;

/// The most bytes of the end in which the list is looked for: a comment may stand behind it.
const END_BYTES: u64 = 66_000;

/// The longest list that is read.
const MAX_BYTES: u64 = 64 << 20;

const END: [u8; 4] = *b"PK\x05\x06";
const END_64: [u8; 4] = *b"PK\x06\x06";
const END_64_PLACE: [u8; 4] = *b"PK\x06\x07";
const ENTRY: [u8; 4] = *b"PK\x01\x02";
const LOCAL: [u8; 4] = *b"PK\x03\x04";

/// Bytes of an entry in front of its name, and of what stands before its packed bytes.
const ENTRY_BYTES: usize = 46;
const LOCAL_BYTES: usize = 30;

/// A file of a zip.
pub(super) struct Listed {
    /// Its name, as it is written.
    pub(super) name: String,
    /// How it is packed, and where.
    pub(super) packing: Packing,
}

/// The files of the zip `data` in the order of its list; `None` when anything about it is out of the ordinary:
/// damaged, encrypted, packed by another method, overlapping. The reading of the whole archive says what.
pub(super) fn directory(data: &Rc<dyn ReadAt>) -> Option<Vec<Listed>> {
    let tail_at = data.len().saturating_sub(END_BYTES);
    let tail = bytes(data, tail_at, data.len() - tail_at)?;
    let (at, end) = tail.windows(22).enumerate().rev().find_map(|(at, window)| {
        // Its comment goes on to the end of the file.
        let is_end =
            window.starts_with(&END) && at + 22 + usize::from(u16_at(window, 20)?) == tail.len();
        is_end.then_some((at, window))
    })?;
    let end_at = tail_at + at as u64;
    let (mut n, mut size, mut start) =
        (u64::from(u16_at(end, 10)?), u64::from(u32_at(end, 12)?), u64::from(u32_at(end, 16)?));
    let mut list_end = end_at;
    if n == 0xffff || size == 0xffff_ffff || start == 0xffff_ffff {
        let place = bytes(data, end_at.checked_sub(20)?, 20)?;
        let place = u64_at(place.strip_prefix(&END_64_PLACE)?, 4)?;
        let large = bytes(data, place, 56)?;
        let large = large.strip_prefix(&END_64)?;
        (n, size, start) = (u64_at(large, 28)?, u64_at(large, 36)?, u64_at(large, 44)?);
        list_end = place;
    }
    if start.checked_add(size)? != list_end || size > MAX_BYTES {
        return None;
    }
    let list = bytes(data, start, size)?;
    let (mut rest, mut all) = (list.as_slice(), Vec::new());
    while !rest.is_empty() {
        let (listed, behind) = entry(rest)?;
        all.push(listed);
        rest = behind;
    }
    let n_packed: u64 = all.iter().map(|one| one.packing.packed).fold(0, u64::saturating_add);
    (all.len() as u64 == n && n_packed <= start).then_some(all)
}

/// Where the packed bytes begin of a file whose own header is at `header`.
pub(super) fn start_of(data: &Rc<dyn ReadAt>, header: u64) -> Option<u64> {
    let own = bytes(data, header, LOCAL_BYTES as u64)?;
    let n_more = u64::from(u16_at(&own, 26)?) + u64::from(u16_at(&own, 28)?);
    own.starts_with(&LOCAL).then(|| header.checked_add(LOCAL_BYTES as u64 + n_more))?
}

/// The first entry of `list`, and what follows it.
fn entry(list: &[u8]) -> Option<(Listed, &[u8])> {
    let (own, behind) = list.split_at_checked(ENTRY_BYTES)?;
    let len = |at: usize| u16_at(own, at).map(usize::from);
    let (name, behind) = behind.split_at_checked(len(28)?)?;
    let (extra, behind) = behind.split_at_checked(len(30)?)?;
    let (_, behind) = behind.split_at_checked(len(32)?)?;
    let (flags, method) = (u16_at(own, 8)?, u16_at(own, 10)?);
    let is_utf8 = flags & (1 << 11) != 0 || name.is_ascii();
    let is_encrypted = flags & 1 != 0;
    // Of those that Unix makes, the upper half is the mode: only plain files and folders.
    let mode = u32_at(own, 38)? >> 28;
    if !own.starts_with(&ENTRY) || !is_utf8 || is_encrypted || !matches!(mode, 0 | 4 | 8) {
        return None;
    }
    let coding = match method {
        0 => None,
        8 => Some(Coding::Deflate),
        93 => Some(Coding::Zstd),
        _ => return None,
    };
    let [packed, len, header] = sizes(own, extra)?;
    let packing = Packing { header, packed, len, crc32: u32_at(own, 16)?, coding };
    let name = std::str::from_utf8(name).ok()?.to_owned();
    Some((Listed { name, packing }, behind))
}

/// Packed and unpacked bytes, and where the header is: those that need more than 32 bits are in `extra`.
fn sizes(own: &[u8], extra: &[u8]) -> Option<[u64; 3]> {
    let mut large = large_numbers(extra);
    let mut number = |at: usize| match u32_at(own, at)? {
        0xffff_ffff => {
            let found = u64_at(large?, 0)?;
            large = large?.get(8..);
            Some(found)
        }
        small => Some(u64::from(small)),
    };
    let (len, packed, header) = (number(24)?, number(20)?, number(42)?);
    Some([packed, len, header])
}

/// The field of `extra` that holds numbers of 64 bits.
fn large_numbers(mut extra: &[u8]) -> Option<&[u8]> {
    loop {
        let (id, n_bytes) = (u16_at(extra, 0)?, usize::from(u16_at(extra, 2)?));
        let (field, behind) = extra.get(4..)?.split_at_checked(n_bytes)?;
        if id == 1 {
            return Some(field);
        }
        extra = behind;
    }
}

fn bytes(data: &Rc<dyn ReadAt>, at: u64, len: u64) -> Option<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(len).ok()?];
    if at.checked_add(len)? > data.len() {
        return None;
    }
    data.read_at(at, &mut bytes).ok()?;
    Some(bytes)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|all| u16::from_le_bytes(*all))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|all| u32::from_le_bytes(*all))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|all| u64::from_le_bytes(*all))
}
