//! What a heading sorts by next: up, down, back to the order of the files.

use crate::report::SortKey;

/// An order: what to sort by, most important first, and whether in reverse.
pub type SortOrder = Vec<(SortKey, bool)>;

/// How a column stands in an order, and what clicks on its heading make of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ColumnSorting {
    /// Whether it sorts in reverse; `None`: it does not sort.
    pub is_descending: Option<bool>,
    /// Its number among several columns that sort, from 1.
    pub nth: Option<usize>,
    /// The order after a click.
    pub alone: SortOrder,
    /// The order after a click with Shift, which keeps the other columns.
    pub also: SortOrder,
}

/// How `key` stands in `sort`.
pub fn sorting(key: SortKey, sort: &[(SortKey, bool)]) -> ColumnSorting {
    let place = sort.iter().position(|(known, _)| *known == key);
    let is_descending = place.and_then(|at| sort.get(at)).map(|(_, is_descending)| *is_descending);
    let next = match is_descending {
        None => Some(false),
        Some(false) => Some(true),
        Some(true) => None,
    };
    let mut also = sort.to_vec();
    match (place, next) {
        (Some(at), Some(next)) => {
            if let Some(pair) = also.get_mut(at) {
                pair.1 = next;
            }
        }
        (Some(at), None) => {
            also.remove(at);
        }
        (None, next) => also.extend(next.map(|next| (key, next))),
    }
    ColumnSorting {
        is_descending,
        nth: place.filter(|_| sort.len() > 1).map(|at| at + 1),
        alone: next.into_iter().map(|next| (key, next)).collect(),
        also,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_says_what_a_click_and_one_with_shift_would_sort_by() {
        let sort = [(SortKey::Score, true), (SortKey::Id, false)];
        let id = sorting(SortKey::Id, &sort);
        assert_eq!((id.is_descending, id.nth), (Some(false), Some(2)));
        assert_eq!(id.alone, [(SortKey::Id, true)]);
        assert_eq!(id.also, [(SortKey::Score, true), (SortKey::Id, true)]);
        let score = sorting(SortKey::Score, &sort);
        assert_eq!((score.is_descending, score.nth), (Some(true), Some(1)));
        assert_eq!((score.alone, score.also), (vec![], vec![(SortKey::Id, false)]));
        let group = sorting(SortKey::Group, &sort[..1]);
        assert_eq!((group.is_descending, group.nth), (None, None));
        assert_eq!(group.also, [(SortKey::Score, true), (SortKey::Group, false)]);
        assert_eq!(sorting(SortKey::Score, &sort[..1]).nth, None, "alone it has no number");
    }
}
