//! A source that tells when it could not be read.

use super::source::{ByteStream, InputFile, ReadAt, SourceOrigin};
use std::io;
use std::ops::Range;
use std::rc::Rc;

/// What hears of it: why it could not be read.
pub type OnFault = Rc<dyn Fn(&io::Error)>;

/// A source that passes its errors on and tells of them: who reads on in spite of one has not seen all.
pub struct Witness {
    data: Rc<dyn ReadAt>,
    on_fault: OnFault,
}

impl Witness {
    /// `data`, which tells `on_fault`.
    pub fn new(data: Rc<dyn ReadAt>, on_fault: OnFault) -> Self {
        Self { data, on_fault }
    }
}

impl InputFile {
    /// The same file; `on_fault` hears of its path and of why it could not be read.
    pub fn witnessed(mut self, on_fault: impl Fn(&str, &io::Error) + 'static) -> Self {
        let path = self.path.clone();
        self.data = Rc::new(Witness::new(self.data, Rc::new(move |err| on_fault(&path, err))));
        self
    }
}

impl ReadAt for Witness {
    fn len(&self) -> u64 {
        self.data.len()
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        let read = self.data.read_at(offset, buf);
        // Damaged bytes are there and can be read; it is what they say that is wrong.
        read.inspect_err(|err| {
            if err.kind() != io::ErrorKind::InvalidData {
                (self.on_fault)(err);
            }
        })
    }

    // What does not come is read, and that tells.
    fn stream(&self, span: Range<u64>) -> Option<Box<dyn ByteStream>> {
        self.data.stream(span)
    }

    fn is_packed(&self) -> bool {
        self.data.is_packed()
    }

    // Another program is given the source itself, and has to be a witness of its own.
    fn origin(&self) -> SourceOrigin<'_> {
        self.data.origin()
    }
}
