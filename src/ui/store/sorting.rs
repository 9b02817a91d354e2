//! How tables of the present page are sorted.

use super::Store;
use crate::report::TableSorting;
use leptos::prelude::*;

impl Store {
    /// How the table `id` is sorted now.
    pub fn sorting(self, id: &str) -> Option<TableSorting> {
        self.sorted.with(|sorted| sorted.get(id).copied())
    }

    /// The head of a column of the table `id` was clicked.
    pub fn sort(self, id: &str, column: usize, is_largest_first: bool) {
        self.sorted.update(|sorted| {
            let next = TableSorting::next(sorted.get(id).copied(), column, is_largest_first);
            match next {
                Some(next) => sorted.insert(id.to_owned(), next),
                None => sorted.remove(id),
            };
        });
    }
}
