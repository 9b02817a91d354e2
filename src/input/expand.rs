//! Decoding compressed and UTF-16 bytes into memory, within limits.

use super::error::{Error, ErrorKind};
use super::open::Limits;
use super::pulse::Pulse;
use super::source::ReadAt;
use super::window::SourceStream;
use flate2::bufread::{DeflateDecoder, MultiGzDecoder};
use serde::{Deserialize, Serialize};
use std::io::{self, Read};
use std::rc::Rc;

/// How much is decoded between two looks at the limits.
const STEP_BYTES: usize = 1 << 20;

/// Any file may expand to this much, whatever its ratio: logs of zeros do.
const SMALL_BYTES: u64 = 16 << 20;

/// What the bytes are wrapped in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Coding {
    /// One or more gzip members.
    Gzip,
    /// One or more zstd frames.
    Zstd,
    /// Bare deflate, inside a zip.
    Deflate,
}

impl Coding {
    /// Its name in messages.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Deflate => "zip",
        }
    }
}

/// What may still be expanded by one drop.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Budget {
    n_left: u64,
    max_ratio: u64,
    small: u64,
    packed_from: u64,
}

impl Budget {
    /// All of it.
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            n_left: limits.max_expanded_bytes,
            max_ratio: limits.max_expansion_ratio,
            packed_from: limits.packed_from_bytes,
            small: SMALL_BYTES.min(limits.max_expanded_bytes / 8),
        }
    }

    /// What a wrapped file of `n_bytes` may expand to.
    fn for_file(&self, n_bytes: u64) -> u64 {
        self.for_packed(n_bytes).min(self.n_left)
    }

    /// The same of one that is never unpacked into memory.
    pub(super) fn for_packed(&self, n_bytes: u64) -> u64 {
        n_bytes.saturating_mul(self.max_ratio).max(self.small)
    }

    /// How large an archive may be, unpacked, that is unpacked rather than left as it is: the less may still be
    /// unpacked, the smaller.
    pub(super) fn unpacked_up_to(&self) -> u64 {
        self.packed_from.min(self.n_left / 64)
    }
}

/// Decoded bytes, and why there are no more when the data is damaged.
pub(super) struct Expanded {
    pub(super) bytes: Vec<u8>,
    pub(super) fault: Option<DecodeFault>,
}

/// Where decoding stopped.
pub(super) struct DecodeFault {
    pub(super) is_cut_off: bool,
    pub(super) reason: String,
}

/// Decodes all of `data`; damaged data gives what comes before the damage.
///
/// # Errors
/// [`ErrorKind::Expands`] past the budget, or when the work is cancelled.
pub(super) async fn expand(
    data: &Rc<dyn ReadAt>,
    coding: Coding,
    budget: &mut Budget,
    pulse: &Pulse,
) -> Result<Expanded, Error> {
    let limit = budget.for_file(data.len());
    let mut decoder = match decoder(data, coding) {
        Ok(decoder) => decoder,
        Err(err) => return Ok(Expanded { bytes: Vec::new(), fault: Some(fault(&err)) }),
    };
    let mut bytes = Vec::new();
    loop {
        let n_before = bytes.len();
        let n_allowed = limit.saturating_add(1) - n_before as u64;
        let step = decoder.by_ref().take(n_allowed.min(STEP_BYTES as u64)).read_to_end(&mut bytes);
        let n_read = bytes.len() - n_before;
        pulse.advance(n_read as u64).await?;
        if bytes.len() as u64 > limit {
            // What was decoded in vain counts too: many such files must not take for ever.
            budget.n_left = budget.n_left.saturating_sub(bytes.len() as u64);
            return Err(Error::new(ErrorKind::Expands { format: coding.as_str(), limit }, 0));
        }
        let fault = step.err().map(|err| fault(&err));
        if fault.is_some() || n_read == 0 {
            bytes.shrink_to_fit();
            budget.n_left -= bytes.len() as u64;
            return Ok(Expanded { bytes, fault });
        }
    }
}

/// What decodes `data` from left to right.
///
/// # Errors
/// When it does not begin as it should.
pub(super) fn decoder(data: &Rc<dyn ReadAt>, coding: Coding) -> io::Result<Box<dyn Read>> {
    let stream = SourceStream::buffered(data);
    Ok(match coding {
        Coding::Gzip => Box::new(MultiGzDecoder::new(stream)),
        Coding::Deflate => Box::new(DeflateDecoder::new(stream)),
        Coding::Zstd => Box::new(zstd::stream::read::Decoder::with_buffer(stream)?),
    })
}

/// What an error of a decoder says.
pub(super) fn fault(err: &io::Error) -> DecodeFault {
    // zstd reports an early end as an error of another kind.
    let is_cut_off =
        err.kind() == io::ErrorKind::UnexpectedEof || err.to_string().contains("incomplete frame");
    let reason = if is_cut_off || err.to_string().contains("incomplete") {
        "it ends too early".to_owned()
    } else if err.to_string().contains("checksum") {
        "its checksum does not match".to_owned()
    } else if err.kind() == io::ErrorKind::Other && !err.to_string().contains("orrupt") {
        err.to_string()
    } else {
        "some bytes in it are wrong".to_owned()
    };
    DecodeFault { is_cut_off, reason }
}

/// UTF-16 after its byte order mark, as UTF-8; lone surrogates become U+FFFD.
///
/// # Errors
/// When the source cannot be read, is past the budget, or the work is cancelled.
pub(super) async fn utf8_from_utf16(
    data: &Rc<dyn ReadAt>,
    is_big_endian: bool,
    budget: &mut Budget,
    pulse: &Pulse,
) -> Result<Vec<u8>, Error> {
    let mut stream = SourceStream::buffered(data);
    let mut text = String::new();
    let mut units: Vec<u16> = Vec::new();
    let mut step = Vec::new();
    let mut is_first = true;
    loop {
        step.clear();
        let n_read = stream
            .by_ref()
            .take(STEP_BYTES as u64)
            .read_to_end(&mut step)
            .map_err(|err| Error::of_source(&err, 0))?;
        pulse.advance(n_read as u64).await?;
        let pairs = step.as_chunks::<2>().0;
        let mark = usize::from(is_first);
        units.extend(pairs.iter().skip(mark).map(|pair| {
            if is_big_endian { u16::from_be_bytes(*pair) } else { u16::from_le_bytes(*pair) }
        }));
        is_first = false;
        // A surrogate pair may lie across two steps.
        let is_over = n_read < STEP_BYTES;
        let held = units.pop_if(|unit| !is_over && (0xd800..0xdc00).contains(unit));
        text.extend(
            char::decode_utf16(units.drain(..))
                .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)),
        );
        units.extend(held);
        if text.len() as u64 > budget.n_left {
            let limit = budget.n_left;
            return Err(Error::new(ErrorKind::Expands { format: "UTF-16", limit }, 0));
        }
        if is_over {
            budget.n_left -= text.len() as u64;
            return Ok(text.into_bytes());
        }
    }
}
