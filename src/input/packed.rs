//! A file of an archive that stays packed until somebody reads it.
//!
//! Small ones are unpacked whole, and the last one is kept; large ones are unpacked from left to right, with
//! a short stretch of what came last, and from the start again for a read further back. Only the
//! programs that read files can unpack ([`unpack_here`]): the others pass such a file on.

use super::directory::start_of;
use super::expand::{Coding, decoder, fault};
use super::source::{ReadAt, SourceOrigin};
use super::window::PartSource;
use flate2::Crc;
use serde::{Deserialize, Serialize};
use std::cell::{Cell, RefCell};
use std::io::{self, Read};
use std::rc::Rc;

/// Files up to this size are unpacked whole.
const WHOLE_BYTES: u64 = 8 << 20;

/// How much of what was unpacked last is kept of a larger one.
const BACK_BYTES: usize = 1 << 20;

/// How much is unpacked at once on the way to what is wanted.
const STEP_BYTES: u64 = 256 << 10;

/// How a file of a zip is packed, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Packing {
    /// Where its own header begins in the archive.
    pub(super) header: u64,
    /// Bytes of it in the archive.
    pub(super) packed: u64,
    /// Bytes that come out, as the archive says.
    pub(super) len: u64,
    /// Checksum of what comes out.
    pub(super) crc32: u32,
    /// `None`: it is stored as it is.
    pub(super) coding: Option<Coding>,
}

/// A packed file of an archive, read as if it were unpacked.
pub struct PackedSource {
    archive: Rc<dyn ReadAt>,
    packing: Packing,
    /// Tells it from all others of this program.
    id: u64,
}

type Unpack = fn(&PackedSource, u64, &mut [u8]) -> io::Result<()>;

thread_local! {
    static NEXT: Cell<u64> = const { Cell::new(0) };
    /// `None` in programs that only pass packed files on: they hold no decoder then.
    static UNPACK: Cell<Option<Unpack>> =
        const { Cell::new(if cfg!(target_arch = "wasm32") { None } else { Some(unpack) }) };
    static LAST: RefCell<Option<LastUnpacked>> = const { RefCell::new(None) };
}

/// From now on this program unpacks what it reads.
pub fn unpack_here() {
    UNPACK.set(Some(unpack));
}

impl PackedSource {
    /// The file of `archive` that `packing` describes.
    pub fn new(archive: Rc<dyn ReadAt>, packing: Packing) -> Self {
        let id = NEXT.replace(NEXT.get() + 1);
        Self { archive, packing, id }
    }

    /// Its packed bytes.
    fn packed(&self) -> io::Result<Rc<dyn ReadAt>> {
        let Packing { header, packed, .. } = self.packing;
        let start =
            start_of(&self.archive, header).ok_or_else(|| damaged("its header is damaged"))?;
        let end = start.saturating_add(packed);
        if end > self.archive.len() {
            return Err(damaged("it ends too early"));
        }
        Ok(Rc::new(PartSource::new(Rc::clone(&self.archive), start..end)))
    }
}

impl ReadAt for PackedSource {
    fn len(&self) -> u64 {
        self.packing.len
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        let end = offset.checked_add(buf.len() as u64).filter(|end| *end <= self.len());
        if end.is_none() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let unpack =
            UNPACK.get().ok_or_else(|| io::Error::other("this program cannot unpack it"))?;
        unpack(self, offset, buf)
    }

    fn is_packed(&self) -> bool {
        true
    }

    fn origin(&self) -> SourceOrigin<'_> {
        SourceOrigin::Packed(&self.archive, self.packing)
    }
}

/// What was unpacked last.
struct LastUnpacked {
    id: u64,
    state: UnpackState,
}

enum UnpackState {
    /// All of it.
    Whole(Vec<u8>),
    /// As far as somebody has read.
    Begun(UnpackingFile),
}

/// A file that is being unpacked from left to right.
struct UnpackingFile {
    decoder: Box<dyn Read>,
    crc: Crc,
    /// How many bytes have come out, and the last of them.
    at: u64,
    back: Vec<u8>,
}

fn unpack(source: &PackedSource, offset: u64, buf: &mut [u8]) -> io::Result<()> {
    let Some(coding) = source.packing.coding else {
        return source.packed()?.read_at(offset, buf);
    };
    // Taken out: a source of an archive in an archive reads another one meanwhile.
    let kept = LAST.take().filter(|last| last.id == source.id).map(|last| last.state);
    let mut state = match kept {
        Some(UnpackState::Begun(begun)) if offset < begun.at - begun.back.len() as u64 => {
            UnpackState::Begun(UnpackingFile::new(source, coding)?)
        }
        Some(state) => state,
        None if source.len() <= WHOLE_BYTES => UnpackState::Whole(whole(source, coding)?),
        None => UnpackState::Begun(UnpackingFile::new(source, coding)?),
    };
    match &mut state {
        UnpackState::Whole(bytes) => {
            let start = usize::try_from(offset).unwrap_or(usize::MAX);
            let part = start.checked_add(buf.len()).and_then(|end| bytes.get(start..end));
            buf.copy_from_slice(part.ok_or(io::ErrorKind::UnexpectedEof)?);
        }
        UnpackState::Begun(begun) => begun.read_at(offset, buf, &source.packing)?,
    }
    LAST.set(Some(LastUnpacked { id: source.id, state }));
    Ok(())
}

/// All of a small file, checked.
fn whole(source: &PackedSource, coding: Coding) -> io::Result<Vec<u8>> {
    let mut begun = UnpackingFile::new(source, coding)?;
    let mut bytes = vec![0; usize::try_from(source.len()).unwrap_or_default()];
    begun.take(&mut bytes, &source.packing)?;
    Ok(bytes)
}

impl UnpackingFile {
    fn new(source: &PackedSource, coding: Coding) -> io::Result<Self> {
        let decoder = decoder(&source.packed()?, coding).map_err(|err| damage(&err))?;
        Ok(Self { decoder, crc: Crc::new(), at: 0, back: Vec::new() })
    }

    /// Fills `buf` from `offset`, which is not before what is kept.
    fn read_at(&mut self, offset: u64, buf: &mut [u8], packing: &Packing) -> io::Result<()> {
        let mut step = Vec::new();
        while self.at < offset {
            step.resize((offset - self.at).min(STEP_BYTES) as usize, 0);
            self.take(&mut step, packing)?;
            self.keep(&step);
        }
        let n_back = usize::try_from(self.at - offset).unwrap_or(usize::MAX);
        let known = self.back.len().checked_sub(n_back).and_then(|from| self.back.get(from..));
        let known = known.unwrap_or_default();
        let n_known = known.len().min(buf.len());
        let (now, later) = buf.split_at_mut(n_known);
        now.copy_from_slice(known.get(..n_known).unwrap_or_default());
        if !later.is_empty() {
            self.take(later, packing)?;
            self.keep(later);
        }
        Ok(())
    }

    /// The next bytes; with the last ones all that came out is checked.
    fn take(&mut self, buf: &mut [u8], packing: &Packing) -> io::Result<()> {
        self.decoder.read_exact(buf).map_err(|err| damage(&err))?;
        self.crc.update(buf);
        self.at += buf.len() as u64;
        if self.at == packing.len {
            let mut more = [0];
            if self.decoder.read(&mut more).map_err(|err| damage(&err))? > 0 {
                return Err(damaged("more bytes come out than the archive says"));
            }
            if self.crc.sum() != packing.crc32 {
                return Err(damaged("the checksum in the zip does not match"));
            }
        }
        Ok(())
    }

    /// Keeps the end of what came out last.
    fn keep(&mut self, bytes: &[u8]) {
        let n_new = bytes.len().min(BACK_BYTES);
        let n_over = (self.back.len() + n_new).saturating_sub(BACK_BYTES);
        self.back.drain(..n_over.min(self.back.len()));
        self.back.extend_from_slice(bytes.get(bytes.len() - n_new..).unwrap_or_default());
    }
}

/// What keeps the decoder from going on.
fn damage(err: &io::Error) -> io::Error {
    damaged(&fault(err).reason)
}

fn damaged(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("damaged zip data: {reason}"))
}
