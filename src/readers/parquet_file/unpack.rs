//! Unpacks the pages of a Parquet column.
//!
//! The producer packs with zstd; the others are what tools that rewrite a file use. Codecs and their
//! framing: `Compression.md` of parquet-format.

use super::damaged;
use crate::readers::{Error, ErrorKind};
use parquet::basic::Compression;
use std::io::Read;

/// How the pages of a column are packed.
pub(super) enum Codec {
    Zstd(zstd::bulk::Decompressor<'static>),
    Snappy(snap::raw::Decoder),
    Gzip,
    /// One block.
    Lz4Block,
    /// Blocks behind their lengths as Hadoop frames them; older writers mean a frame or a block.
    Lz4Hadoop,
}

impl Codec {
    /// The codec that a column names; `None` when its pages are not packed.
    ///
    /// # Errors
    /// [`ErrorKind::Packing`] when it is none of these.
    pub(super) fn of(compression: Compression) -> Result<Option<Self>, Error> {
        Ok(Some(match compression {
            Compression::UNCOMPRESSED => return Ok(None),
            Compression::ZSTD(_) => {
                Self::Zstd(zstd::bulk::Decompressor::new().map_err(|_err| cannot())?)
            }
            Compression::SNAPPY => Self::Snappy(snap::raw::Decoder::new()),
            Compression::GZIP(_) => Self::Gzip,
            Compression::LZ4_RAW => Self::Lz4Block,
            Compression::LZ4 => Self::Lz4Hadoop,
            Compression::BROTLI(_) | Compression::LZO => {
                return Err(Error::new(ErrorKind::Packing));
            }
        }))
    }

    /// Unpacks `packed`, which is to become exactly `len` bytes.
    ///
    /// # Errors
    /// When it does not.
    pub(super) fn unpack(&mut self, packed: &[u8], len: usize) -> Result<Vec<u8>, Error> {
        // A page of nulls alone may be packed to nothing at all.
        if len == 0 {
            return Ok(Vec::new());
        }
        let bytes = match self {
            Self::Zstd(decoder) => decoder.decompress(packed, len).ok(),
            Self::Snappy(decoder) => into_new(len, |bytes| decoder.decompress(packed, bytes).ok()),
            Self::Gzip => all_of(flate2::bufread::MultiGzDecoder::new(packed), len),
            Self::Lz4Block => lz4_block(packed, len),
            Self::Lz4Hadoop => lz4_hadoop(packed, len)
                .or_else(|| all_of(lz4_flex::frame::FrameDecoder::new(packed), len))
                .or_else(|| lz4_block(packed, len)),
        };
        bytes.filter(|bytes| bytes.len() == len).ok_or_else(cannot)
    }
}

fn cannot() -> Error {
    damaged("a page cannot be unpacked")
}

/// `len` bytes, of which `fill` says how many it has written.
fn into_new(len: usize, fill: impl FnOnce(&mut [u8]) -> Option<usize>) -> Option<Vec<u8>> {
    let mut bytes = vec![0; len];
    let n_bytes = fill(&mut bytes)?;
    bytes.truncate(n_bytes);
    Some(bytes)
}

/// Everything that `reader` gives, unless it is more than `len` bytes.
fn all_of(reader: impl Read, len: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(len);
    // One byte more shows that there is more.
    reader.take(len as u64 + 1).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

fn lz4_block(packed: &[u8], len: usize) -> Option<Vec<u8>> {
    into_new(len, |bytes| lz4_flex::block::decompress_into(packed, bytes).ok())
}

/// Blocks, each behind its lengths unpacked and packed.
fn lz4_hadoop(mut packed: &[u8], len: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    while let Some((lens, rest)) = packed.split_first_chunk::<8>() {
        let [a, b, c, d, e, f, g, h] = *lens;
        let block_len = usize::try_from(u32::from_be_bytes([a, b, c, d])).ok()?;
        let packed_len = usize::try_from(u32::from_be_bytes([e, f, g, h])).ok()?;
        let (block, rest) = rest.split_at_checked(packed_len)?;
        if block_len > len - bytes.len() {
            return None;
        }
        let block = lz4_block(block, block_len).filter(|block| block.len() == block_len)?;
        bytes.extend_from_slice(&block);
        packed = rest;
    }
    packed.is_empty().then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::Codec;
    use parquet::basic::{BrotliLevel, Compression, GzipLevel, ZstdLevel};
    use std::io::Write as _;

    /// `text` packed by every codec, twice over where the framing allows it.
    fn packed(text: &[u8]) -> Vec<(Compression, Vec<u8>)> {
        let block = lz4_flex::block::compress(text);
        let hadoop: Vec<u8> = [text, text]
            .iter()
            .flat_map(|text| {
                let block = lz4_flex::block::compress(text);
                let lens = [text.len(), block.len()].map(|len| u32::try_from(len).unwrap());
                [lens[0].to_be_bytes().to_vec(), lens[1].to_be_bytes().to_vec(), block].concat()
            })
            .collect();
        let mut frame = lz4_flex::frame::FrameEncoder::new(Vec::new());
        frame.write_all(text).unwrap();
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(text).unwrap();
        vec![
            (Compression::ZSTD(ZstdLevel::default()), zstd::bulk::compress(text, 3).unwrap()),
            (Compression::SNAPPY, snap::raw::Encoder::new().compress_vec(text).unwrap()),
            (Compression::GZIP(GzipLevel::default()), gzip.finish().unwrap()),
            (Compression::LZ4_RAW, block.clone()),
            (Compression::LZ4, hadoop),
            (Compression::LZ4, frame.finish().unwrap()),
            (Compression::LZ4, block),
        ]
    }

    #[test]
    fn every_codec_gives_the_bytes_back_and_no_others() {
        let text = "to be, or not to be, that is the question: ".repeat(40);
        for (compression, packed) in packed(text.as_bytes()) {
            let mut codec = Codec::of(compression).unwrap().unwrap();
            let is_twice = codec.unpack(&packed, 2 * text.len());
            match codec.unpack(&packed, text.len()) {
                Ok(bytes) => assert_eq!(bytes, text.as_bytes(), "{compression}"),
                Err(_) => assert_eq!(is_twice.unwrap(), text.repeat(2).as_bytes()),
            }
            for len in [1, text.len() - 1, text.len() + 1] {
                let err = codec.unpack(&packed, len).unwrap_err();
                assert_eq!(err.to_string(), "damaged Parquet data: a page cannot be unpacked");
            }
            let cut = packed.get(..packed.len() / 3).unwrap();
            assert!(codec.unpack(cut, text.len()).is_err(), "{compression}");
            assert!(codec.unpack(&[], 0).unwrap().is_empty());
        }
    }

    #[test]
    fn a_codec_that_is_not_there_is_not_called_damage() {
        let err = Codec::of(Compression::BROTLI(BrotliLevel::default())).err().unwrap();
        insta::assert_snapshot!(
            err,
            @"this Parquet file is packed with Brotli or LZO; zstd, snappy, gzip and LZ4 can be read"
        );
    }
}
