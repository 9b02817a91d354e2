//! Several questions at once.

use crate::order::Order as _;

/// Each p adjusted for all of them, in their order; `None` stays, and does not count as a question.
///
/// Source: S. Holm, Scandinavian Journal of Statistics 6 (1979).
pub fn holm(p: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut order: Vec<(usize, f64)> =
        p.iter().enumerate().filter_map(|(at, p)| Some((at, (*p)?))).collect();
    order.order_by(|left, right| left.1.total_cmp(&right.1));
    let mut adjusted = vec![None; p.len()];
    let (mut largest, mut n_left) = (0.0_f64, order.len());
    for (at, p) in order {
        #[expect(clippy::cast_precision_loss, reason = "few questions are asked at once")]
        let scaled = (p * n_left as f64).min(1.0);
        largest = largest.max(scaled);
        n_left -= 1;
        if let Some(cell) = adjusted.get_mut(at) {
            *cell = Some(largest);
        }
    }
    adjusted
}
