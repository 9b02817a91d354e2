//! Many rows, some at a time: a browser runs a function as fast as it can only once it is called again.

use std::ops::Range;

/// Rows that are looked at in one go.
pub(super) const BLOCK: usize = 4096;

/// Has `take` look at `n_rows` rows from the first one on, a few thousand at a time.
pub fn in_blocks(n_rows: usize, mut take: impl FnMut(Range<usize>)) {
    #[inline(never)]
    fn one(take: &mut impl FnMut(Range<usize>), rows: Range<usize>) {
        take(rows);
    }
    for first in (0..n_rows).step_by(BLOCK) {
        one(&mut take, first..(first + BLOCK).min(n_rows));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_looked_at_once() {
        for n_rows in [0, 1, BLOCK - 1, BLOCK, 3 * BLOCK + 2] {
            let mut rows = Vec::new();
            in_blocks(n_rows, |block| rows.extend(block));
            assert_eq!(rows, (0..n_rows).collect::<Vec<_>>());
        }
    }
}
