//! Zstandard, where it is linked.
//!
//! The page's program reads nothing, but whatever C code its crates bring would be exported from it,
//! called or not. So it is built without the feature `zstd`, and what stands here says so if it is
//! ever called.

use std::io::{self, BufRead, Read};

/// Decodes a stream of frames.
///
/// # Errors
/// When there is no decoder.
#[cfg(feature = "zstd")]
pub(crate) fn stream(packed: impl BufRead + 'static) -> io::Result<Box<dyn Read>> {
    Ok(Box::new(zstd::stream::read::Decoder::with_buffer(packed)?))
}

/// There is no decoder.
///
/// # Errors
/// Always.
#[cfg(not(feature = "zstd"))]
pub(crate) fn stream(_packed: impl BufRead + 'static) -> io::Result<Box<dyn Read>> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Decodes blocks of known length.
#[cfg(feature = "zstd")]
pub(crate) struct Blocks(zstd::bulk::Decompressor<'static>);

/// Decodes nothing.
#[cfg(not(feature = "zstd"))]
pub(crate) struct Blocks;

impl Blocks {
    /// A decoder.
    ///
    /// # Errors
    /// When there is none.
    pub(crate) fn new() -> io::Result<Self> {
        #[cfg(feature = "zstd")]
        return zstd::bulk::Decompressor::new().map(Self);
        #[cfg(not(feature = "zstd"))]
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Decodes `packed` to at most `len` bytes.
    ///
    /// # Errors
    /// When it is damaged or becomes longer.
    pub(crate) fn decode(&mut self, packed: &[u8], len: usize) -> io::Result<Vec<u8>> {
        #[cfg(feature = "zstd")]
        return self.0.decompress(packed, len);
        #[cfg(not(feature = "zstd"))]
        {
            let _ = (packed, len);
            Err(io::ErrorKind::Unsupported.into())
        }
    }
}
