//! Which brackets are open where values are passed over.

/// Which brackets are open: one bit each, so that nothing is allocated except for very deep ones.
#[derive(Debug, Clone)]
pub(in crate::input) struct Nesting {
    depth: usize,
    max_depth: usize,
    bits: u64,
    full: Vec<u64>,
}

impl Nesting {
    /// Nothing is open; at most `max_depth` may be at once.
    pub(in crate::input) fn new(max_depth: usize) -> Self {
        Self { depth: 0, max_depth, bits: 0, full: Vec::new() }
    }

    /// Opens `bracket`.
    ///
    /// # Errors
    /// When too many are open.
    #[inline]
    pub(in crate::input) fn open(&mut self, bracket: u8) -> Result<(), &'static str> {
        if self.depth >= self.max_depth {
            return Err("it is nested too deeply");
        }
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.full.push(self.bits);
        }
        self.bits = (self.bits << 1) | u64::from(bracket == b'{');
        self.depth += 1;
        Ok(())
    }

    /// Closes what is open with `bracket`.
    ///
    /// # Errors
    /// When it does not match.
    #[inline]
    pub(in crate::input) fn close(&mut self, bracket: u8) -> Result<(), &'static str> {
        if self.depth == 0 || (self.bits & 1 == 1) != (bracket == b'}') {
            return Err("brackets do not match");
        }
        self.bits >>= 1;
        self.depth -= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.bits = self.full.pop().unwrap_or_default();
        }
        Ok(())
    }

    /// Whether none is open.
    #[inline]
    pub(in crate::input) fn is_closed(&self) -> bool {
        self.depth == 0
    }
}
