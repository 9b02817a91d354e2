//! A file of which one stretch is held in memory: a row group is fetched in one go, however its columns are read.

use crate::input::{InputFile, ReadAt, SourceOrigin};
use std::cell::RefCell;
use std::io;
use std::ops::Range;
use std::rc::Rc;

/// A file with a stretch of it.
pub(super) struct HeldSource {
    own: Rc<dyn ReadAt>,
    /// First byte of the stretch, and its bytes.
    held: RefCell<(u64, Vec<u8>)>,
}

impl HeldSource {
    /// The bytes of `file`; none are held yet.
    pub(super) fn new(file: &InputFile) -> Rc<Self> {
        Rc::new(Self { own: Rc::clone(&file.data), held: RefCell::default() })
    }

    /// Fetches `span`, in the place of what was held.
    ///
    /// # Errors
    /// When it cannot be read, or there is no such part.
    pub(super) fn hold(&self, span: Range<u64>) -> io::Result<()> {
        self.held.take();
        let len = usize::try_from(span.end.saturating_sub(span.start));
        let mut bytes = vec![0; len.map_err(|_err| io::ErrorKind::UnexpectedEof)?];
        self.own.read_at(span.start, &mut bytes)?;
        self.held.replace((span.start, bytes));
        Ok(())
    }
}

impl ReadAt for HeldSource {
    fn len(&self) -> u64 {
        self.own.len()
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        let held = self.held.borrow();
        let (start, bytes) = &*held;
        let from = offset.checked_sub(*start).and_then(|from| usize::try_from(from).ok());
        let part = from.and_then(|from| bytes.get(from..from.checked_add(buf.len())?));
        match part {
            Some(part) => {
                buf.copy_from_slice(part);
                Ok(())
            }
            None => self.own.read_at(offset, buf),
        }
    }

    fn origin(&self) -> SourceOrigin<'_> {
        self.own.origin()
    }
}
