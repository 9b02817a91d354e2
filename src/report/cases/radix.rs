//! Sorting a million rows by keys of 64 bits, without comparing any two.

/// A row with what it is sorted by.
pub(super) type Keyed = (u64, u32);

/// Bits of the key that one pass looks at: a table of 2,048 counts stays in the nearest cache.
const BITS: u32 = 11;

/// Below this many rows comparing them is quicker.
const FEW: usize = 512;

/// Sorts by key; rows with the same key stay in their order. `space` is room to work in.
pub(super) fn sort(rows: &mut Vec<Keyed>, space: &mut Vec<Keyed>) {
    if rows.len() < FEW {
        rows.sort_by_key(|(key, _)| *key);
        return;
    }
    space.clear();
    space.resize(rows.len(), (0, 0));
    let mut shift = 0;
    while shift < u64::BITS {
        let digit = |key: u64| ((key >> shift) & ((1 << BITS) - 1)) as usize;
        let mut starts = [0_usize; 1 << BITS];
        for (key, _) in rows.iter() {
            if let Some(n) = starts.get_mut(digit(*key)) {
                *n += 1;
            }
        }
        // A digit that all rows share changes no order.
        if !starts.contains(&rows.len()) {
            let mut start = 0;
            for n in &mut starts {
                (*n, start) = (start, start + *n);
            }
            for row in rows.iter() {
                if let Some(start) = starts.get_mut(digit(row.0)) {
                    if let Some(place) = space.get_mut(*start) {
                        *place = *row;
                    }
                    *start += 1;
                }
            }
            std::mem::swap(rows, space);
        }
        shift += BITS;
    }
}

/// The bits of the one NaN that stands for all of them.
const NAN: u64 = 0x7ff8_0000_0000_0000;

/// A key that sorts as `number` does: both zeros alike, NaN after every number. Never the largest
/// key, nor the smallest.
pub(super) fn of_number(number: f64) -> u64 {
    // Adding a zero takes the sign off the negative one.
    let bits = if number.is_nan() { NAN } else { (number + 0.0).to_bits() };
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn keys_of_numbers_sort_as_the_numbers() {
        let numbers = [
            f64::NEG_INFINITY,
            -1.5,
            -f64::MIN_POSITIVE,
            0.0,
            f64::MIN_POSITIVE / 2.0,
            0.5,
            1.0,
            f64::INFINITY,
            f64::NAN,
        ];
        assert!(numbers.map(of_number).is_sorted_by(|left, right| left < right));
        assert_eq!(of_number(-0.0), of_number(0.0));
        assert_eq!(of_number(-f64::NAN), of_number(f64::NAN));
        assert!(numbers.map(of_number).iter().all(|key| *key != 0 && *key != u64::MAX));
    }

    proptest! {
        #[test]
        fn it_sorts_and_keeps_the_order_of_equals(
            keys in prop::collection::vec(prop_oneof![0..5_u64, any::<u64>(), Just(7 << 40)], 0..2_000)
        ) {
            let mut rows: Vec<Keyed> = keys.into_iter().zip(0..).collect();
            let mut expected = rows.clone();
            expected.sort_by_key(|(key, _)| *key);
            sort(&mut rows, &mut Vec::new());
            prop_assert_eq!(rows, expected);
        }
    }
}
