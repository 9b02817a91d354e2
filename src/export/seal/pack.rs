//! Packing as gzip (RFC 1952), piece by piece.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write as _};

/// A gzip file that is being written.
pub(super) struct Packer(GzEncoder<Vec<u8>>);

impl Packer {
    /// An empty one.
    pub(super) fn new() -> Self {
        Self(GzEncoder::new(Vec::new(), Compression::best()))
    }

    /// Adds `bytes`.
    ///
    /// # Errors
    /// None that is known of; the compressor could refuse.
    pub(super) fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    /// The file.
    ///
    /// # Errors
    /// As above.
    pub(super) fn finish(self) -> io::Result<Vec<u8>> {
        self.0.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::GzDecoder;
    use proptest::prelude::*;
    use std::io::Read as _;

    fn packed(pieces: &[Vec<u8>]) -> Vec<u8> {
        let mut packer = Packer::new();
        pieces.iter().for_each(|piece| packer.push(piece).unwrap());
        packer.finish().unwrap()
    }

    fn unpacked(bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        GzDecoder::new(bytes).read_to_end(&mut out).expect("another implementation reads it");
        out
    }

    #[test]
    fn empty_and_long_files_are_read_by_another_implementation() {
        assert_eq!(unpacked(&packed(&[])), b"");
        let line = |n: u32| format!("{{\"id\": {n}, \"score\": 0.{n}}}\n").into_bytes();
        let pieces: Vec<Vec<u8>> = (0..200_000).map(line).collect();
        let bytes = packed(&pieces);
        assert_eq!(unpacked(&bytes), pieces.concat());
        assert_eq!(bytes, packed(&[pieces.concat()]), "pieces do not matter");
    }

    proptest! {
        #[test]
        fn what_went_in_comes_out(pieces in prop::collection::vec(any::<Vec<u8>>(), 0..6)) {
            prop_assert_eq!(unpacked(&packed(&pieces)), pieces.concat());
        }
    }
}
