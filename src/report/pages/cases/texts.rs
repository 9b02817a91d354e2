//! Sorting many texts: what they share at the beginning is passed over, the next eight bytes are a
//! number, and only texts that are still alike are looked at again.

use super::keys::{SortedCase, natural};

/// Below this many texts they are compared one by one.
const FEW: usize = 64;

/// So often texts are looked at again before they are compared one by one.
const MAX_DEPTH: u32 = 16;

/// A number for each of `found`, the largest where there is no text: one that is smaller says that the text comes first in
/// the order of [`natural`]. Texts with the same number may differ.
pub(super) fn numbers(found: &[Option<&[u8]>], is_descending: bool) -> Vec<u64> {
    let there: Vec<u32> =
        (0..).zip(found).filter(|(_, text)| text.is_some()).map(|(at, _)| at).collect();
    let shared =
        shared_start(&there, &|at| found.get(at as usize).copied().flatten().unwrap_or_default());
    let number =
        |text: &Option<&[u8]>| text.map_or(u64::MAX, |text| number(text, shared, is_descending));
    found.iter().map(number).collect()
}

fn number(text: &[u8], shared: usize, is_descending: bool) -> u64 {
    let key = key(text.get(shared..).unwrap_or_default());
    if is_descending { !key } else { key }
}

/// Sorts `rows` by the text of each, in the order of [`natural`]; alike ones stay in their order.
pub(super) fn sort<'a>(rows: &mut [u32], text: &dyn Fn(u32) -> &'a [u8], is_descending: bool) {
    sort_part(rows, text, is_descending, 0);
}

fn sort_part<'a>(
    rows: &mut [u32],
    text: &dyn Fn(u32) -> &'a [u8],
    is_descending: bool,
    depth: u32,
) {
    if rows.len() < FEW || depth == MAX_DEPTH {
        rows.sort_by(|left, right| {
            let order = natural(text(*left), text(*right));
            if is_descending { order.reverse() } else { order }
        });
        return;
    }
    let shared = shared_start(rows, text);
    let mut keyed: Vec<SortedCase> =
        rows.iter().map(|row| (number(text(*row), shared, is_descending), *row)).collect();
    keyed.sort_by_key(|(key, _)| *key);
    for (place, (_, row)) in rows.iter_mut().zip(&keyed) {
        *place = *row;
    }
    let mut rest = rows;
    for alike in keyed.chunk_by(|(left, _), (right, _)| left == right) {
        let Some((part, behind)) = rest.split_at_mut_checked(alike.len()) else { return };
        if part.len() > 1 {
            sort_part(part, text, is_descending, depth + 1);
        }
        rest = behind;
    }
}

/// Bytes that all texts begin with, without digits that may be a part of a longer number.
fn shared_start<'a>(rows: &[u32], text: &dyn Fn(u32) -> &'a [u8]) -> usize {
    let Some((first, rest)) = rows.split_first() else { return 0 };
    let mut shared = text(*first);
    for row in rest {
        let other = text(*row);
        if !other.starts_with(shared) {
            let len = shared.iter().zip(other).take_while(|(left, right)| left == right).count();
            shared = shared.get(..len).unwrap_or_default();
        }
        if shared.is_empty() {
            break;
        }
    }
    let n_digits = shared.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    shared.len() - n_digits
}

/// The first eight bytes of a spelling that sorts byte by byte as [`natural`] does: small letters, and
/// numbers without leading zeros, the count of their digits before them.
fn key(text: &[u8]) -> u64 {
    let (mut key, mut n_bytes) = (0_u64, 0);
    let mut push = |byte: u8| {
        key = key << 8 | u64::from(byte);
        n_bytes += 1;
        n_bytes < 8
    };
    let mut rest = text;
    'spelling: while let Some((&first, behind)) = rest.split_first() {
        if !first.is_ascii_digit() {
            if !push(first.to_ascii_lowercase()) {
                break;
            }
            rest = behind;
            continue;
        }
        let n_zeros = rest.iter().take_while(|byte| **byte == b'0').count();
        let number = rest.get(n_zeros..).unwrap_or_default();
        let n_digits = number.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let Some(count) = u8::try_from(n_digits).ok().filter(|n| *n < u8::MAX) else {
            // Longer numbers than that look alike here, and are compared one by one.
            let _ = push(b'0') && push(u8::MAX);
            break;
        };
        if !(push(b'0') && push(count)) {
            break;
        }
        // Two digits to a byte: numbers of the same length keep their order.
        for pair in number.get(..n_digits).unwrap_or_default().chunks(2) {
            let digit = |at: usize| pair.get(at).map_or(0, |digit| digit - b'0' + 1);
            if !push(digit(0) << 4 | digit(1)) {
                break 'spelling;
            }
        }
        rest = number.get(n_digits..).unwrap_or_default();
    }
    key << (8 * (8 - n_bytes)).min(63)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_sorts_as_comparing_does(
            texts in prop::collection::vec(
                prop_oneof![
                    "[aB0-2]{0,3}",
                    "case_0{0,2}[0-9]{1,4}x?",
                    "a/very/long/common/start/[ab\u{0}]{0,2}[0-9]{0,3}",
                    "é?[A-c]{0,2}"
                ],
                0..300,
            ),
            is_descending: bool,
        ) {
            let mut rows: Vec<u32> = (0..).take(texts.len()).collect();
            let mut expected = rows.clone();
            sort(&mut rows, &|row| texts[row as usize].as_bytes(), is_descending);
            expected.sort_by(|left, right| {
                let order = natural(texts[*left as usize].as_bytes(), texts[*right as usize].as_bytes());
                if is_descending { order.reverse() } else { order }
            });
            prop_assert_eq!(rows, expected);
        }
    }

    #[test]
    fn long_numbers_compare_by_value() {
        let texts: Vec<String> =
            (0..200).map(|n| format!("{}{}", n % 9 + 1, "7".repeat(n * 2))).collect();
        let mut rows: Vec<u32> = (0..200).rev().collect();
        sort(&mut rows, &|row| texts[row as usize].as_bytes(), false);
        assert!(rows.is_sorted());
    }
}
