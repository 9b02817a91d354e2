//! Points that no other point beats.

/// Places of the points `(x, y)` that no other one beats by having an `x` that is at most as large
/// and a `y` that is at least as large, one of them truly: Pareto's frontier for little `x` and much
/// `y`. By `x`, then by place; equal points are all in it. Points that are not finite are not.
pub fn frontier(points: &[(f64, f64)]) -> Vec<usize> {
    let is_point = |(_, (x, y)): &(usize, &(f64, f64))| x.is_finite() && y.is_finite();
    let mut order: Vec<(usize, &(f64, f64))> = points.iter().enumerate().filter(is_point).collect();
    order.sort_by(|(at, left), (other, right)| {
        left.0.total_cmp(&right.0).then(right.1.total_cmp(&left.1)).then(at.cmp(other))
    });
    let mut found: Vec<(usize, (f64, f64))> = Vec::new();
    for (at, &point) in order {
        let is_best = match found.last() {
            None => true,
            Some((_, best)) => point.1 > best.1 || point == *best,
        };
        if is_best {
            found.push((at, point));
        }
    }
    found.into_iter().map(|(at, _)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_costs_more_must_be_better() {
        let points = [(3.0, 0.9), (1.0, 0.5), (2.0, 0.4), (1.0, 0.5), (4.0, 0.9), (f64::NAN, 1.0)];
        assert_eq!(frontier(&points), [1, 3, 0]);
        assert_eq!(frontier(&[]), Vec::<usize>::new());
    }

    proptest! {
        #[test]
        fn the_frontier_is_what_comparing_all_pairs_gives(
            points in prop::collection::vec((0..6_u32, 0..6_u32), 0..30)
        ) {
            let points: Vec<(f64, f64)> =
                points.into_iter().map(|(x, y)| (f64::from(x), f64::from(y))).collect();
            let is_beaten = |point: &(f64, f64)| points.iter().any(|other| {
                other.0 <= point.0 && other.1 >= point.1 && other != point
            });
            let mut expected: Vec<usize> =
                (0..points.len()).filter(|&at| !is_beaten(&points[at])).collect();
            expected.sort_by(|&left, &right| points[left].0.total_cmp(&points[right].0));
            prop_assert_eq!(frontier(&points), expected);
        }
    }
}
