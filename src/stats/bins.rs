//! How many values lie between edges.

/// How many of `values` lie in each of the bins between `edges`, which ascend. A value on an edge
/// belongs to the bin above it, one on the last edge to the last bin. Values outside, and those that
/// are no numbers, are in none.
pub fn bin_counts(values: &[f64], edges: &[f64]) -> Vec<u64> {
    let mut counts = vec![0; edges.len().saturating_sub(1)];
    for value in values {
        // The number of edges at or below the value.
        let above = edges.partition_point(|edge| edge <= value);
        let at = if edges.last() == Some(value) { above.saturating_sub(1) } else { above };
        if let Some(count) = at.checked_sub(1).and_then(|at| counts.get_mut(at)) {
            *count += 1;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_edge_belongs_to_the_bin_above_it() {
        let edges = [0.0, 0.5, 1.0];
        assert_eq!(bin_counts(&[0.0, 0.49, 0.5, 1.0], &edges), [2, 2]);
        assert_eq!(bin_counts(&[-0.1, 1.1, f64::NAN, f64::INFINITY], &edges), [0, 0]);
        assert_eq!(bin_counts(&[1.0], &[]), Vec::<u64>::new());
        assert_eq!(bin_counts(&[1.0], &[1.0]), Vec::<u64>::new());
    }

    proptest! {
        #[test]
        fn every_value_within_is_in_one_bin(values in prop::collection::vec(0.0..=1.0_f64, 0..50)) {
            let edges: Vec<f64> = (0..=10).map(|n| f64::from(n) / 10.0).collect();
            let counts = bin_counts(&values, &edges);
            prop_assert_eq!(counts.iter().sum::<u64>(), values.len() as u64);
            for (at, count) in counts.iter().enumerate() {
                let is_in = |v: &&f64| edges[at] <= **v && (**v < edges[at + 1] || at == 9);
                prop_assert_eq!(*count, values.iter().filter(is_in).count() as u64);
            }
        }
    }
}
