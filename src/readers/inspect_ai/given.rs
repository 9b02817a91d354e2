//! What a model was given at a call, as messages that the sample keeps once.

use crate::readers::record_value::{items, text};
use serde_json::Value;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::Range;

/// What a call of a model was given: ranges of the pool alone.
#[derive(Default)]
pub(super) struct GivenMessages {
    pub ranges: Vec<Range<usize>>,
    /// How often each message is in them.
    pub n_given: HashMap<u64, usize>,
}

impl GivenMessages {
    /// What `ranges` go on with behind these; `None`: they begin otherwise.
    pub fn behind(&self, ranges: &[Range<usize>]) -> Option<Vec<Range<usize>>> {
        let Some((last, before)) = self.ranges.split_last() else { return Some(ranges.to_vec()) };
        let (same, rest) = ranges.split_at_checked(before.len())?;
        let (longer, rest) = rest.split_first()?;
        let goes_on = same == before && longer.start == last.start && longer.end >= last.end;
        // The last one may have grown; where others follow it, what follows is new all the same.
        goes_on.then(|| std::iter::once(last.end..longer.end).chain(rest.iter().cloned()).collect())
    }
}

/// A number that tells a message from others: of its role, its content, and the calls it makes.
pub(super) fn key_of(message: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    for key in ["role", "content"] {
        message.get(key).map(Value::to_string).hash(&mut hasher);
    }
    for call in items(message, "tool_calls") {
        text(call, "id").hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands behind what was given `before`, as first and last place of each range that is not empty.
    fn behind(before: &[(usize, usize)], now: &[(usize, usize)]) -> Option<Vec<(usize, usize)>> {
        let ranges = |ends: &[(usize, usize)]| ends.iter().map(|(from, to)| *from..*to).collect();
        let given = GivenMessages { ranges: ranges(before), ..GivenMessages::default() };
        let rest: Vec<Range<usize>> = given.behind(&(ranges(now) as Vec<Range<usize>>))?;
        let rest = rest.into_iter().filter(|range| !range.is_empty());
        Some(rest.map(|range| (range.start, range.end)).collect())
    }

    #[test]
    fn what_goes_on_is_known_and_what_begins_otherwise_is_not() {
        assert_eq!(behind(&[], &[(0, 2)]), Some(vec![(0, 2)]));
        assert_eq!(behind(&[(0, 2)], &[(0, 2)]), Some(vec![]));
        assert_eq!(behind(&[(0, 2)], &[(0, 5)]), Some(vec![(2, 5)]));
        assert_eq!(behind(&[(0, 2)], &[(0, 2), (7, 9)]), Some(vec![(7, 9)]));
        let goes_on = behind(&[(0, 2), (7, 9)], &[(0, 2), (7, 11), (1, 2)]);
        assert_eq!(goes_on, Some(vec![(9, 11), (1, 2)]));
        let others: [&[(usize, usize)]; 6] =
            [&[], &[(0, 1)], &[(1, 5)], &[(0, 3), (7, 9)], &[(0, 2)], &[(0, 2), (8, 9)]];
        for now in others {
            assert_eq!(behind(&[(0, 2), (7, 9)], now), None, "{now:?}");
        }
    }
}
