//! Formulas as text, with the numbers put in.

use crate::words::report::how as words;

/// Terms that a long formula shows before it leaves some out.
const N_FIRST: usize = 4;

/// Longest formula that shows every term.
const N_ALL: usize = 6;

/// Decimals of a number inside a formula.
const DECIMALS: usize = 4;

/// `(2 × 0.8 + 0.5 × 0.6) / 2.5 = 0.76`; without the weights where all are 1, and shortened to
/// `(1 + 0 + 1 + 0.5 + … + 1) / 240 = 0.7083333333333334, 240 terms`.
///
/// `terms` are weight and score, `weight` is the sum of the weights.
pub(super) fn mean(terms: &[(f64, f64)], weight: f64, result: f64) -> String {
    let is_plain = terms.iter().all(|(weight, _)| *weight == 1.0);
    let term = |&(weight, score): &(f64, f64)| {
        if is_plain { signed(score) } else { format!("{} × {}", signed(weight), signed(score)) }
    };
    let sum = listed(terms, " + ", term);
    let sum = if terms.len() > 1 || !is_plain { format!("({sum})") } else { sum };
    format!("{sum} / {} = {}{}", short(weight), full(result), size(terms.len()))
}

/// `median(0.5, 0, 1) = 0.5`, shortened like [`mean`].
pub(super) fn function(name: &str, arguments: &[f64], result: f64) -> String {
    let list = listed(arguments, ", ", |argument| short(*argument));
    format!("{name}({list}) = {}{}", full(result), size(arguments.len()))
}

/// The number of terms, where not all of them stand in the formula.
fn size(n_terms: usize) -> String {
    if n_terms > N_ALL { words::formula_size(n_terms as u64) } else { String::new() }
}

fn listed<T>(terms: &[T], joint: &str, text: impl Fn(&T) -> String) -> String {
    match terms {
        [first @ .., last] if terms.len() > N_ALL => {
            let mut parts: Vec<String> = first.iter().take(N_FIRST).map(&text).collect();
            parts.push("…".to_owned());
            parts.push(text(last));
            parts.join(joint)
        }
        _ => terms.iter().map(text).collect::<Vec<_>>().join(joint),
    }
}

/// [`short`], in brackets when it is negative.
fn signed(value: f64) -> String {
    if value < 0.0 { format!("({})", short(value)) } else { short(value) }
}

/// A number with at most four decimals; `…` stands for those that are cut off, never rounded.
pub(super) fn short(value: f64) -> String {
    let text = full(value);
    match text.split_once('.') {
        Some((whole, decimals)) if decimals.len() > DECIMALS && !decimals.contains('e') => {
            format!("{whole}.{}…", decimals.get(..DECIMALS).unwrap_or(decimals))
        }
        _ => text,
    }
}

/// The shortest decimal number that reads back to the same double.
pub(super) fn full(value: f64) -> String {
    let text = match value {
        _ if value.is_nan() => return "NaN".to_owned(),
        _ if value.is_infinite() => "∞".to_owned(),
        // Debug, unlike Display, writes very large and very small numbers with an exponent.
        _ => format!("{:?}", value.abs()),
    };
    let sign = if value < 0.0 { "−" } else { "" };
    format!("{sign}{}", text.strip_suffix(".0").unwrap_or(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guides_example_reads_as_in_the_guide() {
        let groups = [(2.0, 0.8), (0.5, 0.6)];
        assert_eq!(mean(&groups, 2.5, 0.76), "(2 × 0.8 + 0.5 × 0.6) / 2.5 = 0.76");
        let plain = [(1.0, 1.0), (1.0, 0.5)];
        assert_eq!(mean(&plain, 2.0, 0.75), "(1 + 0.5) / 2 = 0.75");
        assert_eq!(mean(&[(1.0, 0.25)], 1.0, 0.25), "0.25 / 1 = 0.25");
        assert_eq!(mean(&[(1.0, -3.5), (1.0, 0.0)], 2.0, -1.75), "((−3.5) + 0) / 2 = −1.75");
    }

    #[test]
    fn long_sums_show_their_ends_and_their_size() {
        let terms: Vec<(f64, f64)> = (0..9).map(|n| (1.0, f64::from(n))).collect();
        assert_eq!(mean(&terms, 9.0, 4.0), "(0 + 1 + 2 + 3 + … + 8) / 9 = 4, 9 terms");
        assert_eq!(function("min", &[0.5, -1.0], -1.0), "min(0.5, −1) = −1");
    }

    #[test]
    fn terms_are_cut_and_results_are_whole() {
        assert_eq!([2.0 / 3.0, 0.125, -0.123_456].map(short), ["0.6666…", "0.125", "−0.1234…"]);
        assert_eq!([0.000_012_5, 1e300, 5e-324].map(short), ["1.25e-5", "1e300", "5e-324"]);
        assert_eq!([0.1 + 0.2, 1.0, -0.0].map(full), ["0.30000000000000004", "1", "0"]);
        assert_eq!([f64::NAN, f64::INFINITY, f64::NEG_INFINITY].map(full), ["NaN", "∞", "−∞"]);
    }
}
