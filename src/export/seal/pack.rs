//! Packing as gzip (RFC 1952), piece by piece.
//!
//! The deflater is `miniz_oxide`: that of `zlib-rs`, which unpacks everywhere else, is four times as large in the
//! worker's program and packs no better.

use flate2::Crc;
use miniz_oxide::deflate::core::{
    CompressorOxide, TDEFLFlush, TDEFLStatus, compress_to_output, create_comp_flags_from_zip_params,
};
use std::io;

/// Magic number, deflate, no flags, no time, best compression, unknown system.
const HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255];
const LEVEL: i32 = 9;
/// The window of deflate, 2^15 bytes; negative: without a frame of zlib's own.
const RAW_WINDOW: i32 = -15;

/// A gzip file that is being written.
pub(super) struct Packer {
    compressor: Box<CompressorOxide>,
    crc: Crc,
    out: Vec<u8>,
}

impl Packer {
    /// An empty one.
    pub(super) fn new() -> Self {
        let flags = create_comp_flags_from_zip_params(LEVEL, RAW_WINDOW, 0);
        Self {
            compressor: Box::new(CompressorOxide::new(flags)),
            crc: Crc::new(),
            out: HEAD.to_vec(),
        }
    }

    /// Adds `bytes`.
    ///
    /// # Errors
    /// None that is known of; the compressor could refuse.
    pub(super) fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.crc.update(bytes);
        self.deflate(bytes, TDEFLFlush::None)
    }

    /// The file.
    ///
    /// # Errors
    /// As above.
    pub(super) fn finish(mut self) -> io::Result<Vec<u8>> {
        self.deflate(&[], TDEFLFlush::Finish)?;
        self.out.extend(self.crc.sum().to_le_bytes());
        // The length modulo 2^32, which is all that the format has room for.
        self.out.extend(self.crc.amount().to_le_bytes());
        Ok(self.out)
    }

    fn deflate(&mut self, bytes: &[u8], flush: TDEFLFlush) -> io::Result<()> {
        let mut rest = bytes;
        loop {
            let out = &mut self.out;
            let (status, n_taken) =
                compress_to_output(&mut self.compressor, rest, flush, |piece: &[u8]| {
                    out.extend(piece);
                    true
                });
            rest = rest.get(n_taken..).unwrap_or_default();
            match status {
                TDEFLStatus::Done => return Ok(()),
                TDEFLStatus::Okay if rest.is_empty() && flush == TDEFLFlush::None => return Ok(()),
                TDEFLStatus::Okay if n_taken > 0 || flush == TDEFLFlush::Finish => {}
                _ => return Err(io::Error::other("the report could not be packed")),
            }
        }
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
