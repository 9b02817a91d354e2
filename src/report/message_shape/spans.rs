//! How far something reaches that is masked: each function looks at the start of a text, and gives its
//! length in bytes when such a thing starts there.

/// Longest scheme of an address that is known as one.
const LONGEST_SCHEME: usize = 12;

/// Hexadecimal digits from which on a word is an id.
const SHORTEST_ID: usize = 8;

/// Letters and digits of any script, and the underscore.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Control characters, and those that have no width or turn the direction of what follows.
pub(super) fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// The text behind the terminal's colours at its start.
pub(super) fn without_escapes(mut text: &str) -> &str {
    while let Some(len) = escape_len(text) {
        text = text.get(len..).unwrap_or_default();
    }
    text
}

/// An escape sequence of a terminal (CSI, at most 32 bytes).
pub(super) fn escape_len(text: &str) -> Option<usize> {
    let inner = text.strip_prefix("\u{1b}[")?;
    let is_parameter = |byte: &u8| matches!(byte, b'0'..=b'9' | b';' | b':' | b'?');
    let n_parameters =
        inner.as_bytes().iter().take(32).take_while(|byte| is_parameter(byte)).count();
    inner.as_bytes().get(n_parameters).filter(|byte| byte.is_ascii_alphabetic())?;
    Some(2 + n_parameters + 1)
}

/// `scheme://…`, without the full stop or comma of the sentence.
pub(super) fn url_len(text: &str) -> Option<usize> {
    let is_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let scheme =
        text.as_bytes().iter().take(LONGEST_SCHEME).take_while(|byte| is_scheme(byte)).count();
    let host = text.get(scheme..)?.strip_prefix("://")?;
    if scheme < 2 || !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let is_end = |c: char| c.is_whitespace() || "\"'`<>()[]{}|".contains(c) || is_invisible(c);
    let host = host.get(..host.find(is_end).unwrap_or(host.len()))?;
    let host = host.trim_end_matches(['.', ',', ';', ':']);
    (!host.is_empty()).then_some(scheme + 3 + host.len())
}

/// A path that starts at a root: `/a`, `./a`, `../a`, `~/a`, `C:\a`, `\\a`. `false`: as far as it reaches,
/// there is no name in it.
pub(super) fn rooted_path(text: &str) -> Option<(usize, bool)> {
    let drive = match text.as_bytes() {
        [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic() => 2,
        _ => 0,
    };
    const ROOTS: [&str; 6] = ["/", "./", "../", "~/", ".\\", "\\\\"];
    if drive == 0 && !ROOTS.iter().any(|root| text.starts_with(root)) {
        return None;
    }
    let len = drive + path_run(text.get(drive..)?);
    let names = text.get(drive..len)?.trim_start_matches(['.', '/', '\\', '~']);
    Some((len, !names.is_empty()))
}

/// How far characters of a path reach, and whether they are folders and a file with an ending:
/// `tests/test_a.py`.
pub(super) fn named_path(text: &str) -> (usize, bool) {
    let len = path_run(text);
    let file = || {
        let (folders, file) = text.get(..len)?.rsplit_once('/')?;
        let (name, ending) = file.rsplit_once('.')?;
        (!folders.is_empty() && !name.is_empty()).then_some(ending)
    };
    let is_path = file().is_some_and(|ending| {
        ending.len() <= 8
            && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && ending.bytes().any(|byte| byte.is_ascii_alphabetic())
    });
    (len, is_path)
}

/// The characters that a path may hold, without a full stop at the end.
fn path_run(text: &str) -> usize {
    let is_end = |c: char| {
        let is_mark = matches!(
            c,
            '"' | '\''
                | '`'
                | '<'
                | '>'
                | '|'
                | '*'
                | '?'
                | '('
                | ')'
                | '['
                | ']'
                | '{'
                | '}'
                | ','
                | ';'
                | ':'
                | '='
        );
        is_mark || c.is_whitespace() || is_invisible(c)
    };
    let run = text.find(is_end).unwrap_or(text.len());
    text.get(..run).map_or(run, |path| path.trim_end_matches('.').len())
}

/// A UUID, or a word of eight or more hexadecimal digits with letters and decimals among them.
pub(super) fn id_len(text: &str) -> Option<usize> {
    let n_hex = |from: usize| {
        let bytes = text.as_bytes().get(from..).unwrap_or_default();
        bytes.iter().take_while(|byte| byte.is_ascii_hexdigit()).count()
    };
    let is_end = |len: usize| !text.get(len..).is_some_and(|rest| rest.starts_with(is_word));
    let len = n_hex(0);
    let is_dash = |at: usize| text.as_bytes().get(at) == Some(&b'-');
    let is_uuid = len == 8
        && [(8, 4), (13, 4), (18, 4), (23, 12)]
            .iter()
            .all(|&(dash, len)| is_dash(dash) && n_hex(dash + 1) == len);
    if is_uuid && is_end(36) {
        return Some(36);
    }
    let word = text.as_bytes().get(..len)?;
    let mut letters = word.iter().filter(|byte| byte.is_ascii_alphabetic());
    // `10e12345` is a number.
    let has_letters = letters.any(|byte| !byte.eq_ignore_ascii_case(&b'e'));
    let is_mixed = has_letters && word.iter().any(u8::is_ascii_digit);
    (len >= SHORTEST_ID && is_mixed && is_end(len)).then_some(len)
}

/// A date with or without time (`2026-01-15T09:30:33.5Z`), or a time of day.
pub(super) fn time_len(text: &str) -> Option<usize> {
    let Some(date) = fitting(text, "0000-00-00") else { return clock_len(text) };
    let joined = text.get(date..).and_then(|rest| rest.strip_prefix(['T', ' ', '_']));
    let Some(rest) = joined else { return Some(date) };
    let Some(clock) = clock_len(rest).or_else(|| fitting(rest, "00:00")) else { return Some(date) };
    let zone = match rest.get(clock..).and_then(|zone| zone.split_at_checked(1)) {
        Some(("Z", _)) => 1,
        Some(("+" | "-", zone)) => {
            fitting(zone, "00:00").or_else(|| fitting(zone, "0000")).map_or(0, |len| 1 + len)
        }
        _ => 0,
    };
    Some(date + 1 + clock + zone)
}

/// `09:30:33`, with or without a fraction.
fn clock_len(text: &str) -> Option<usize> {
    let len = fitting(text, "00:00:00")?;
    let fraction = text.get(len..)?.strip_prefix(['.', ',']).map_or(0, n_digits);
    Some(if fraction > 0 { len + 1 + fraction } else { len })
}

/// The length of `pattern`, in which `0` is any digit, when `text` starts like it and no digit follows.
fn fitting(text: &str, pattern: &str) -> Option<usize> {
    let start = text.as_bytes().get(..pattern.len())?;
    let fits = start.iter().zip(pattern.bytes()).all(|(byte, wanted)| match wanted {
        b'0' => byte.is_ascii_digit(),
        other => *byte == other,
    });
    let goes_on = text.as_bytes().get(pattern.len()).is_some_and(u8::is_ascii_digit);
    (fits && !goes_on).then_some(pattern.len())
}

/// A number: decimal with sign, fraction and exponent, a version, hexadecimal, digits of another script.
pub(super) fn number_len(text: &str) -> Option<usize> {
    let unsigned = text.strip_prefix(['-', '+', '−']).unwrap_or(text);
    let sign = text.len() - unsigned.len();
    let hex = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X"));
    let n_hex = hex.map_or(0, |hex| hex.bytes().take_while(u8::is_ascii_hexdigit).count());
    if n_hex > 0 {
        return Some(sign + 2 + n_hex);
    }
    let mut len = n_digits(unsigned);
    if len == 0 {
        return digits_len(unsigned).map(|len| sign + len);
    }
    let part_at = |len: usize| unsigned.get(len..)?.strip_prefix('.').map(n_digits);
    while let Some(part) = part_at(len).filter(|part| *part > 0) {
        len += 1 + part;
    }
    Some(sign + len + exponent_len(unsigned.get(len..)?))
}

/// `e-3`, when the word ends behind it.
fn exponent_len(text: &str) -> usize {
    let Some(power) = text.strip_prefix(['e', 'E']) else { return 0 };
    let unsigned = power.strip_prefix(['-', '+']).unwrap_or(power);
    let digits = n_digits(unsigned);
    let is_end = !unsigned.get(digits..).is_some_and(|rest| rest.starts_with(is_word));
    if digits > 0 && is_end { text.len() - unsigned.len() + digits } else { 0 }
}

/// Digits of any script.
pub(super) fn digits_len(text: &str) -> Option<usize> {
    let len = text.find(|c: char| !c.is_numeric()).unwrap_or(text.len());
    (len > 0).then_some(len)
}

fn n_digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_takes_no_letters_behind_it_along() {
        for (text, number) in [
            ("12 a", Some("12")),
            ("-1.5e-3)", Some("-1.5e-3")),
            ("1.2.3.", Some("1.2.3")),
            ("1e5x", Some("1")),
            ("0xFFg", Some("0xFF")),
            ("0x", Some("0")),
            ("−7", Some("−7")),
            ("٤٣", Some("٤٣")),
            ("- 5", None),
            ("x5", None),
        ] {
            assert_eq!(number_len(text).and_then(|len| text.get(..len)), number, "{text}");
        }
    }

    #[test]
    fn times_take_their_zone_along() {
        for (text, time) in [
            ("2026-01-15T09:30:33.5Z.", Some("2026-01-15T09:30:33.5Z")),
            ("2026-01-15 09:30:33,123+02:00", Some("2026-01-15 09:30:33,123+02:00")),
            ("2026-01-15T09:30-0500", Some("2026-01-15T09:30-0500")),
            ("2026-01-15 or later", Some("2026-01-15")),
            ("09:30:33", Some("09:30:33")),
            ("2026-01-155", None),
            ("12:30", None),
        ] {
            assert_eq!(time_len(text).and_then(|len| text.get(..len)), time, "{text}");
        }
    }

    #[test]
    fn words_and_numbers_are_no_ids() {
        for (text, len) in [
            ("58fa22f6-65d6-28ae-e9cc-77c324690d2f", Some(36)),
            ("58fa22f6-65d6-28ae-e9cc-77c324690d2fx", Some(8)),
            ("0a1b2c3d", Some(8)),
            ("0a1b2c3", None),
            ("deadbeef", None),
            ("12345678", None),
            ("10e12345", None),
            ("0a1b2c3d_x", None),
        ] {
            assert_eq!(id_len(text), len, "{text}");
        }
    }
}
