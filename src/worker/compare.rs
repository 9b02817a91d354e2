//! Sides compared: what a page about it shows, and the files that can be made of it.

use super::core::Core;
use super::protocol::Failure;
use crate::export::compare::{comparison_markdown, pairs_csv};
use crate::report::compare::{
    CompareQuery, Comparison, PairsPage, PairsQuery, RankView, SideSpec, compare, compare_pairs,
    compare_ranks, subjects_as_sides,
};

impl Core {
    /// The comparison that `query` asks for.
    ///
    /// # Errors
    /// [`Failure::Gone`] when a side is not loaded, or there are too few or too many.
    pub fn compare(&self, query: &CompareQuery) -> Result<Comparison, Failure> {
        compare(&self.workspace.borrow(), query).ok_or(Failure::Gone)
    }

    /// Some pairs of it.
    ///
    /// # Errors
    /// As above.
    pub fn compare_pairs(
        &self,
        query: &CompareQuery,
        pairs: &PairsQuery,
    ) -> Result<PairsPage, Failure> {
        compare_pairs(&self.workspace.borrow(), query, pairs).ok_or(Failure::Gone)
    }

    /// Its sides in order; `None` of fewer than three, and where they share no two cases.
    pub fn compare_ranks(&self, query: &CompareQuery) -> Option<RankView> {
        compare_ranks(&self.workspace.borrow(), query)
    }

    /// The subjects of an evaluation, each as a side.
    pub fn subjects_as_sides(&self, evaluation: u32) -> Vec<SideSpec> {
        subjects_as_sides(&self.workspace.borrow(), evaluation)
    }

    /// Every pair of the baseline and side `side`, as CSV.
    ///
    /// # Errors
    /// As above, and when a value cannot be written.
    pub fn pairs_csv(&self, query: &CompareQuery, side: usize) -> Result<Vec<u8>, Failure> {
        let written = pairs_csv(&self.workspace.borrow(), query, side);
        written.map_err(super::exports::unwritten)?.ok_or(Failure::Gone)
    }

    /// The comparison for a pull request, as Markdown.
    ///
    /// # Errors
    /// As above.
    pub fn comparison_markdown(&self, query: &CompareQuery) -> Result<String, Failure> {
        comparison_markdown(&self.workspace.borrow(), query).ok_or(Failure::Gone)
    }
}
