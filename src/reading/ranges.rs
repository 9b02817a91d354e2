//! Long lists in parts that are opened one by one.

use std::ops::Range;

/// Parts of one part.
const MAX_PARTS: usize = 100;

/// `range` in parts of `size`, or of so many times more that there are at most a hundred; none when
/// it is not longer than `size`.
pub(super) fn parts_of(range: Range<usize>, size: usize) -> Vec<Range<usize>> {
    if range.len() <= size {
        return Vec::new();
    }
    let mut step = size.max(1);
    while range.len().div_ceil(step) > MAX_PARTS {
        step = step.saturating_mul(MAX_PARTS);
    }
    let (start, end) = (range.start, range.end);
    range.step_by(step).map(|from| from..(from + step).min(end).max(start)).collect()
}

/// The same for what comes after something that is drawn already: one part when it is short, none when
/// there is nothing.
pub(super) fn parts_after(range: Range<usize>, size: usize) -> Vec<Range<usize>> {
    match range.len() {
        0 => Vec::new(),
        n if n <= size => vec![range],
        _ => parts_of(range, size),
    }
}

/// The nested parts of `range` that one comes by on the way to `at`, outermost first.
pub(super) fn parts_to(range: Range<usize>, size: usize, at: usize) -> Vec<Range<usize>> {
    let mut way = Vec::new();
    let mut range = range;
    while let Some(part) = parts_of(range, size).into_iter().find(|part| part.contains(&at)) {
        way.push(part.clone());
        range = part;
    }
    way
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn there_are_never_more_than_a_hundred_parts() {
        assert_eq!(parts_of(0..100, 100), []);
        assert_eq!(parts_of(0..101, 100), [0..100, 100..101]);
        assert_eq!(parts_of(0..1_000_000, 100).len(), 100);
        assert_eq!(parts_to(0..1_000_000, 100, 12_345), [10_000..20_000, 12_300..12_400]);
        assert_eq!(parts_to(0..5, 100, 3), []);
    }

    proptest! {
        #[test]
        fn parts_cover_the_range_once(start in 0_usize..50, len in 0_usize..30_000, size in 0_usize..9) {
            let parts = parts_of(start..start + len, size);
            let mut at = start;
            for part in &parts {
                prop_assert_eq!(part.start, at);
                at = part.end;
            }
            prop_assert!(parts.is_empty() || at == start + len);
            prop_assert!(parts.len() <= 100);
        }
    }
}
