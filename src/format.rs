//! Numbers as words on the screen: the same in every place and on every machine.
//!
//! No locale is asked: groups of three are set off by commas, a dot begins the decimals. Rounding
//! never turns "not all" into "all" or "some" into "none". Nothing is computed here.

/// What stands for a value that is not known or not defined.
pub const UNKNOWN: &str = "–";

/// Smaller amounts of dollars are written with an exponent.
const LEAST_USD: f64 = 1e-8;

/// A number of things: `1,203`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 run`, `2 runs`.
pub fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// A plain number with at most `decimals` decimals; whole ones have none.
pub fn number(value: f64, decimals: usize) -> String {
    if let Some(word) = non_finite(value) {
        return word.to_owned();
    }
    if value.fract() == 0.0 && value.abs() < 1e15 {
        return signed(value, &count(value.abs() as u64));
    }
    let text = format!("{:.decimals$}", value.abs());
    if text.bytes().all(|byte| matches!(byte, b'0' | b'.')) {
        return format!("{value:.1e}");
    }
    match text.split_once('.') {
        Some((whole, part)) => {
            let whole = whole.parse().map_or_else(|_err| whole.to_owned(), count);
            signed(value, &format!("{whole}.{part}"))
        }
        None => signed(value, &text),
    }
}

/// The number that `text` spells with more than six decimals, as people read it; `None` of anything else.
pub fn rounded(text: &str) -> Option<String> {
    let (_, part) = text.split_once('.')?;
    let is_long = part.len() > 6 && part.bytes().all(|byte| byte.is_ascii_digit());
    let value: f64 = text.parse().ok().filter(|_| is_long)?;
    let words = number(value, 6);
    let is_plain = words.contains('.') && !words.contains('e');
    Some(if is_plain {
        words.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        words
    })
}

/// A number in a sentence: at most `decimals` decimals, none that say nothing, and as many more as it takes to be told
/// apart from `other`, with which the sentence compares it.
pub fn apart(value: f64, other: f64, decimals: usize) -> String {
    let shortest = |decimals: usize| {
        let text = number(value, decimals);
        match text.contains(['e', '∞', 'N']) || !text.contains('.') {
            true => text,
            false => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        }
    };
    let is_apart = |text: &String| {
        let rounded: f64 = text.replace('−', "-").replace(',', "").parse().unwrap_or(value);
        value.partial_cmp(&other) == rounded.partial_cmp(&other)
    };
    if value.is_finite() && value.abs() >= 1e15 {
        return format!("{value:e}").replace('-', "−");
    }
    (decimals..=17).map(shortest).find(is_apart).unwrap_or_else(|| value.to_string())
}

/// A score with `decimals` decimals, so that columns line up.
pub fn score(value: f64, decimals: usize) -> String {
    let half = half_unit(decimals);
    match non_finite(value) {
        Some(word) => word.to_owned(),
        None if value != 0.0 && value.abs() < half => number(value, decimals),
        None if (1.0 - half..1.0).contains(&value) => format!("0.{}…", "9".repeat(decimals)),
        None => signed(value, &format!("{:.decimals$}", value.abs())),
    }
}

/// A fraction 0–1 as a percentage with `decimals` decimals: `83.3 %`.
pub fn rate(value: f64, decimals: usize) -> String {
    let half = half_unit(decimals + 2);
    match non_finite(value) {
        Some(word) => word.to_owned(),
        None if value > 0.0 && value < half => format!("<{} %", least(decimals)),
        None if (1.0 - half..1.0).contains(&value) => {
            let part =
                if decimals == 0 { String::new() } else { format!(".{}", "9".repeat(decimals)) };
            format!(">99{part} %")
        }
        None => format!("{:.decimals$} %", value * 100.0),
    }
}

/// Half of the last of `decimals` decimals.
fn half_unit(decimals: usize) -> f64 {
    (0..decimals).fold(0.5, |unit, _| unit / 10.0)
}

/// The least number with `decimals` decimals: `0.1`.
fn least(decimals: usize) -> String {
    match decimals {
        0 => "1".to_owned(),
        _ => format!("0.{}1", "0".repeat(decimals - 1)),
    }
}

/// A large number of things, of which the size matters: `6.31 M`, `842 k`; below ten thousand as it is.
pub fn short_count(value: f64) -> String {
    if let Some(word) = non_finite(value) {
        return word.to_owned();
    }
    // Rounded before the unit is chosen, so that nothing is a thousand of one.
    for (unit, size) in [(" k", 1e3), (" M", 1e6), (" G", 1e9)] {
        let scaled = value.abs() / size;
        if value.abs() >= 1e4 && (scaled < 999.5 || unit == " G") {
            let decimals = if scaled < 9.995 { 2 } else { usize::from(scaled < 99.95) };
            return signed(value, &format!("{scaled:.decimals$}{unit}"));
        }
    }
    number(value, 0)
}

/// Seconds: `340 ms`, `12.3 s`, `4 m 05 s`, `2 h 03 m`.
pub fn secs(value: f64) -> String {
    if let Some(word) = non_finite(value) {
        return word.to_owned();
    }
    let whole = value.round() as u64;
    if value < 0.0 {
        format!("{value:.3} s")
    } else if value == 0.0 {
        "0 s".to_owned()
    } else if value < 0.001 {
        "<1 ms".to_owned()
    } else if value < 0.9995 {
        format!("{:.0} ms", value * 1000.0)
    } else if value < 59.95 {
        format!("{value:.1} s")
    } else if whole < 3600 {
        format!("{} m {:02} s", whole / 60, whole % 60)
    } else {
        format!("{} h {:02} m", whole / 3600, whole % 3600 / 60)
    }
}

/// US dollars: to the cent; below $0.10 to four decimals, or to as many as two significant digits take.
pub fn usd(amount: f64, is_lower_bound: bool) -> String {
    let size = amount.abs();
    let text = match non_finite(size) {
        Some(word) => word.to_owned(),
        None if size == 0.0 => "0.00".to_owned(),
        None if size < LEAST_USD => format!("{size:.1e}"),
        None if size < 0.1 => {
            let (mut decimals, mut least) = (4, 0.001);
            while size < least {
                (decimals, least) = (decimals + 1, least / 10.0);
            }
            format!("{size:.decimals$}")
        }
        None => {
            let cents = (size * 100.0).round() as u64;
            format!("{}.{:02}", count(cents / 100), cents % 100)
        }
    };
    let bound = if is_lower_bound { "≥ " } else { "" };
    format!("{bound}{}", signed(amount, &format!("${text}")))
}

/// Bytes: `812 B`, `1.2 MB`.
pub fn bytes(n: u64) -> String {
    let mut value = n as f64;
    if n < 1000 {
        return format!("{n} B");
    }
    let mut unit = "kB";
    value /= 1000.0;
    for larger in ["MB", "GB", "TB"] {
        if value < 999.5 {
            break;
        }
        value /= 1000.0;
        unit = larger;
    }
    if value < 9.95 { format!("{value:.1} {unit}") } else { format!("{value:.0} {unit}") }
}

/// A moment without its fraction of a second: `2026-01-15 09:30:33`. What is no moment stays as it is.
pub fn moment(text: &str) -> String {
    let is_moment =
        text.as_bytes().get(10) == Some(&b'T') && text.as_bytes().get(16) == Some(&b':');
    match (is_moment, text.get(..10), text.get(11..19)) {
        (true, Some(date), Some(time)) => format!("{date} {time}"),
        _ => text.to_owned(),
    }
}

/// What a number that is not finite is called.
pub fn non_finite(value: f64) -> Option<&'static str> {
    match value {
        _ if value.is_finite() => None,
        _ if value.is_nan() => Some("NaN"),
        _ if value > 0.0 => Some("∞"),
        _ => Some("−∞"),
    }
}

fn signed(value: f64, magnitude: &str) -> String {
    if value < 0.0 { format!("−{magnitude}") } else { magnitude.to_owned() }
}

/// The ends of an interval of a quantity that lies in 0–1: one beyond is cut to 0 or 1 and has a `*`.
pub fn cut_to_unit(ends: [f64; 2], words: impl Fn(f64) -> String) -> [String; 2] {
    ends.map(|end| {
        let mark = if (0.0..=1.0).contains(&end) { "" } else { "*" };
        format!("{}{mark}", words(end.clamp(0.0, 1.0)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_shown_short() {
        assert_eq!(rounded("-0.33999999999999997").as_deref(), Some("−0.34"));
        assert_eq!(rounded("12345.6789012345").as_deref(), Some("12,345.678901"));
        assert_eq!(rounded("0.00000000012345").as_deref(), Some("1.2e-10"));
        for other in
            ["0.5", "1.2.3456789", "2026-11-23", "v1.2345678a", "", "1e-10", "text.1234567 x"]
        {
            assert_eq!(rounded(other), None, "{other}");
        }
    }

    #[test]
    fn ends_beyond_0_and_1_are_cut_and_marked() {
        let cut = |ends| cut_to_unit(ends, |end| format!("{end:.2}")).join(" – ");
        assert_eq!(cut([-0.768, 2.101]), "0.00* – 1.00*");
        assert_eq!(cut([0.0, 1.0]), "0.00 – 1.00");
        assert_eq!(cut([0.25, 1.000_1]), "0.25 – 1.00*");
    }

    #[test]
    fn counts_are_grouped_by_three() {
        let texts = [0, 7, 999, 1_000, 12_345, 1_234_567].map(count);
        assert_eq!(texts, ["0", "7", "999", "1,000", "12,345", "1,234,567"]);
        assert_eq!(counted(1, "run", "runs"), "1 run");
        assert_eq!(counted(0, "run", "runs"), "0 runs");
    }

    #[test]
    fn rounding_never_says_all_or_none() {
        assert_eq!(
            [0.0, 0.0001, 0.5, 0.9999, 1.0].map(|value| rate(value, 1)),
            ["0.0 %", "<0.1 %", "50.0 %", ">99.9 %", "100.0 %"]
        );
        assert_eq!(
            [0.0, 1.0 / 3.0, 0.99999, 1.0].map(|value| score(value, 3)),
            ["0.000", "0.333", "0.999…", "1.000"]
        );
        assert_eq!([0.004, 0.5, 0.996].map(|value| rate(value, 0)), ["<1 %", "50 %", ">99 %"]);
        assert_eq!([0.04, 0.96].map(|value| score(value, 1)), ["4.0e-2", "0.9…"]);
        assert_eq!(number(0.000_001, 4), "1.0e-6");
        assert_eq!(number(-1234.5, 2), "−1,234.50");
        assert_eq!(number(f64::NAN, 2), "NaN");
    }

    #[test]
    fn a_rounded_number_stays_on_its_side() {
        let texts =
            [(5.0 / 6.0, 0.9), (0.799_999, 0.8), (0.5, 0.8), (1.0, 0.8), (0.8, 0.8), (1e-9, 0.5)]
                .map(|(value, other)| apart(value, other, 4));
        assert_eq!(texts, ["0.8333", "0.799999", "0.5", "1", "0.8", "1.0e-9"]);
        assert_eq!(
            [apart(f64::NAN, 0.5, 4), apart(-0.25, 0.0, 4), apart(-1e20, 0.0, 4)],
            ["NaN", "−0.25", "−1e20"]
        );
    }

    #[test]
    fn durations_read_like_a_clock() {
        let texts = [0.0, 0.000_1, 0.34, 0.9999, 12.34, 59.97, 245.0, 7380.0].map(secs);
        assert_eq!(
            texts,
            ["0 s", "<1 ms", "340 ms", "1.0 s", "12.3 s", "1 m 00 s", "4 m 05 s", "2 h 03 m"]
        );
    }

    #[test]
    fn moments_lose_their_fraction_only() {
        assert_eq!(moment("2026-01-15T09:30:33.500005+00:00"), "2026-01-15 09:30:33");
        assert_eq!(moment("yesterday"), "yesterday");
        assert_eq!(moment("2026-01-15T09:3€:33"), "2026-01-15T09:3€:33");
    }

    #[test]
    fn money_and_file_sizes_are_rounded_to_what_is_read_at_a_glance() {
        assert_eq!(usd(1234.567, false), "$1,234.57");
        assert_eq!(usd(0.0123, true), "≥ $0.0123");
        let small =
            [0.00123, 0.00012, 2.3e-5, 0.000_000_023, 2.3e-9].map(|value| usd(value, false));
        assert_eq!(small, ["$0.0012", "$0.00012", "$0.000023", "$0.000000023", "$2.3e-9"]);
        assert_eq!(usd(-0.000_2, false), "−$0.00020");
        assert_eq!(usd(0.0, false), "$0.00");
        let texts = [0, 999, 1_200, 99_960, 999_600, 400_000_000].map(bytes);
        assert_eq!(texts, ["0 B", "999 B", "1.2 kB", "100 kB", "1.0 MB", "400 MB"]);
    }
}
