//! Which cases of a target are meant: a truth for each, in the order of the files.

/// A truth for each case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mask(Vec<bool>);

impl Mask {
    /// The same truth for `n_cases` cases.
    pub fn all(n_cases: usize, is_so: bool) -> Self {
        Self(vec![is_so; n_cases])
    }

    /// The truths of the cases from `start` on, `n_cases` of them, to be set.
    pub fn part_mut(&mut self, start: usize, n_cases: usize) -> &mut [bool] {
        self.0.get_mut(start..start + n_cases).unwrap_or_default()
    }

    /// The truths of the cases from `start` on, `n_cases` of them.
    pub fn part(&self, start: usize, n_cases: usize) -> &[bool] {
        self.0.get(start..start + n_cases).unwrap_or_default()
    }

    /// Whether case `at` is meant.
    pub fn has(&self, at: usize) -> bool {
        self.0.get(at) == Some(&true)
    }

    /// Keeps what `other` has too.
    pub fn and(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own &= *other;
        }
    }

    /// Adds what `other` has.
    pub fn or(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own |= *other;
        }
    }

    /// Turns every truth around.
    pub fn negate(&mut self) {
        for own in &mut self.0 {
            *own = !*own;
        }
    }

    /// Number of cases that are meant.
    pub fn count(&self) -> usize {
        self.0.iter().filter(|is_so| **is_so).count()
    }

    /// The cases that are meant, by number.
    pub fn indexes(&self) -> Vec<u32> {
        let mut indexes = Vec::with_capacity(self.count());
        indexes.extend((0_u32..).zip(&self.0).filter(|(_, is_so)| **is_so).map(|(idx, _)| idx));
        indexes
    }
}
