//! Whether ids rise from row to row, as most writers leave them: then none has to be hashed to know that it stands once.

use super::table::CaseTable;
use arrow_array::Array as _;
use std::collections::HashMap;

/// How ids that come one after the other have risen so far: by their bytes, by their lengths and bytes, or both. As long as one of
/// them holds none has come twice.
#[derive(Debug, Clone, Copy)]
pub struct Rising {
    by_bytes: bool,
    by_lengths: bool,
}

impl Default for Rising {
    fn default() -> Self {
        Self { by_bytes: true, by_lengths: true }
    }
}

impl Rising {
    /// Whether they rise with `id`, which follows `earlier`, too.
    pub fn goes_on(&mut self, earlier: &str, id: &str) -> bool {
        self.by_bytes = self.by_bytes && earlier < id;
        self.by_lengths = self.by_lengths && (earlier.len(), earlier) < (id.len(), id);
        self.by_bytes || self.by_lengths
    }
}

impl CaseTable {
    /// Whether the ids of each group and variant rise from row to row, by their bytes or by their lengths
    /// and bytes: then none stands twice in its group.
    pub fn has_rising_ids(&self) -> bool {
        let Some(ids) = self.id.array() else { return self.is_empty() };
        if ids.null_count() > 0 {
            return false;
        }
        let places = self.group.codes().zip(self.variant.codes());
        let mut last: HashMap<(Option<usize>, Option<usize>), &str> = HashMap::new();
        let (mut before, mut rising) = (None, Rising::default());
        for (own, id) in places.zip((0..ids.len()).map(|idx| ids.value(idx))) {
            let known = match before.filter(|(known, _)| *known == own) {
                Some((_, earlier)) => Some(earlier),
                None => {
                    // Only the last row of a place is known when another follows.
                    last.extend(before);
                    last.get(&own).copied()
                }
            };
            before = Some((own, id));
            if known.is_some_and(|earlier| !rising.goes_on(earlier, id)) {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::model::{CaseRow, RunBuilder, RunKey};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn where_ids_rise_none_stands_twice(
            cases in prop::collection::vec((0_u8..3, 0_u8..2, 0_u8..30), 0..6),
            is_sorted in any::<bool>(),
        ) {
            let mut cases = cases;
            if is_sorted {
                cases.sort_unstable();
            }
            let mut builder = RunBuilder::new(RunKey::default(), "");
            for (group, variant, id) in &cases {
                let names = [None, Some("a"), Some("b")];
                builder.case(CaseRow {
                    id: Some(&id.to_string()),
                    group: names[usize::from(*group)],
                    variant: names[usize::from(*variant)],
                    ..CaseRow::default()
                });
            }
            let has_rising_ids = builder.finish().cases.has_rising_ids();
            let is_repeated = (0..cases.len()).any(|at| cases[..at].contains(&cases[at]));
            prop_assert!(!(has_rising_ids && is_repeated));
            // Numbers as texts rise by their lengths.
            prop_assert!(has_rising_ids || is_repeated || !is_sorted);
        }
    }
}
