//! A zip archive, written member by member into a stream (APPNOTE 6.3, method deflate, sizes behind the data).
//!
//! The crate that reads zips would bring its writer into the workspace program; this is all that an export needs.
//! No member and no archive may reach 4 GiB.

use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::io::{self, Write as _};

/// Version that is needed to unpack: 2.0, deflate.
const VERSION: u16 = 20;
/// Sizes stand behind the data; names are UTF-8.
const FLAGS: u16 = 1 << 3 | 1 << 11;
const DEFLATE: u16 = 8;
/// 1980-01-01 00:00, the first moment that zip can say: the same results give the same bytes.
const MOMENT: [u16; 2] = [0, 1 << 5 | 1];

/// An archive that is being written.
#[derive(Default)]
pub(super) struct Zip {
    /// Bytes written before.
    n_bytes: u64,
    /// Members that are whole.
    members: Vec<ZipMember>,
    open: Option<Open>,
}

struct ZipMember {
    path: String,
    crc32: u32,
    n_packed: u32,
    n_bytes: u32,
    at: u32,
}

/// The member that is being written.
struct Open {
    path: String,
    at: u64,
    data_at: u64,
    n_bytes: u64,
    crc: flate2::Crc,
    packer: DeflateEncoder<Vec<u8>>,
}

impl Zip {
    /// Begins a member.
    ///
    /// # Errors
    /// When its path is too long for a zip.
    pub(super) fn begin(&mut self, path: String, out: &mut Vec<u8>) -> io::Result<()> {
        let n_path = u16::try_from(path.len()).map_err(io::Error::other)?;
        let before = out.len();
        out.extend(b"PK\x03\x04");
        short(out, &[VERSION, FLAGS, DEFLATE, MOMENT[0], MOMENT[1]]);
        long(out, &[0, 0, 0]);
        short(out, &[n_path, 0]);
        out.extend(path.as_bytes());
        let at = self.n_bytes;
        self.n_bytes += (out.len() - before) as u64;
        let packer = DeflateEncoder::new(Vec::new(), Compression::default());
        let (data_at, crc) = (self.n_bytes, flate2::Crc::new());
        self.open = Some(Open { path, at, data_at, n_bytes: 0, crc, packer });
        Ok(())
    }

    /// Adds `bytes` to the member that was begun last.
    ///
    /// # Errors
    /// None that is known of; the compressor could refuse.
    pub(super) fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
        let Some(open) = &mut self.open else { return Ok(()) };
        open.crc.update(bytes);
        open.n_bytes += bytes.len() as u64;
        open.packer.write_all(bytes)?;
        let packed = open.packer.get_mut();
        self.n_bytes += packed.len() as u64;
        out.append(packed);
        Ok(())
    }

    /// Ends the member that was begun last.
    ///
    /// # Errors
    /// When it has 4 GiB or more.
    pub(super) fn end(&mut self, out: &mut Vec<u8>) -> io::Result<()> {
        let Some(open) = self.open.take() else { return Ok(()) };
        let mut rest = open.packer.finish()?;
        self.n_bytes += rest.len() as u64;
        out.append(&mut rest);
        let n_packed = within(self.n_bytes - open.data_at)?;
        let (crc32, n_bytes) = (open.crc.sum(), within(open.n_bytes)?);
        out.extend(b"PK\x07\x08");
        long(out, &[crc32, n_packed, n_bytes]);
        self.n_bytes += 16;
        let at = within(open.at)?;
        self.members.push(ZipMember { path: open.path, crc32, n_packed, n_bytes, at });
        Ok(())
    }

    /// Writes the list of members: the archive is whole.
    ///
    /// # Errors
    /// When it has 4 GiB or more, or more than 65,535 members.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>) -> io::Result<()> {
        let before = out.len();
        for member in &self.members {
            out.extend(b"PK\x01\x02");
            short(out, &[VERSION, VERSION, FLAGS, DEFLATE, MOMENT[0], MOMENT[1]]);
            long(out, &[member.crc32, member.n_packed, member.n_bytes]);
            // Its length was within bounds when the member was begun.
            let n_path = u16::try_from(member.path.len()).unwrap_or(u16::MAX);
            short(out, &[n_path, 0, 0, 0, 0]);
            long(out, &[0, member.at]);
            out.extend(member.path.as_bytes());
        }
        let n_members = u16::try_from(self.members.len()).map_err(|_many| {
            io::Error::other("a zip holds at most 65,535 files: export fewer runs")
        })?;
        let (n_list, at) = (within((out.len() - before) as u64)?, within(self.n_bytes)?);
        out.extend(b"PK\x05\x06");
        short(out, &[0, 0, n_members, n_members]);
        long(out, &[n_list, at]);
        short(out, &[0]);
        Ok(())
    }
}

fn within(n: u64) -> io::Result<u32> {
    u32::try_from(n).map_err(|_large| io::Error::other("a zip of 4 GiB or more: export fewer runs"))
}

fn short(out: &mut Vec<u8>, numbers: &[u16]) {
    numbers.iter().for_each(|number| out.extend(number.to_le_bytes()));
}

fn long(out: &mut Vec<u8>, numbers: &[u32]) {
    numbers.iter().for_each(|number| out.extend(number.to_le_bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    #[test]
    fn another_implementation_reads_what_was_written() {
        let line = "a line of text\n".repeat(10_000);
        let files = [("a/b.json", "{}"), ("a/ü.jsonl", line.as_str()), ("empty", "")];
        let (mut zip, mut out) = (Zip::default(), Vec::new());
        for (path, text) in files {
            zip.begin(path.to_owned(), &mut out).unwrap();
            for part in text.as_bytes().chunks(999) {
                zip.push(part, &mut out).unwrap();
            }
            zip.end(&mut out).unwrap();
        }
        zip.finish(&mut out).unwrap();
        let mut found = ::zip::ZipArchive::new(io::Cursor::new(out)).unwrap();
        assert_eq!(found.len(), files.len());
        for (path, text) in files {
            let mut read = String::new();
            found.by_name(path).unwrap().read_to_string(&mut read).unwrap();
            assert_eq!(read, text, "{path}");
        }
    }

    #[test]
    fn an_archive_of_nothing_is_one() {
        let mut out = Vec::new();
        Zip::default().finish(&mut out).unwrap();
        assert_eq!(::zip::ZipArchive::new(io::Cursor::new(out)).unwrap().len(), 0);
    }
}
