//! What pytest's messages say of failures, in whichever report they stand.

/// Part of the test that failed, by the words that pytest's JUnit report and others write.
pub(super) fn phase_of(message: &str) -> Option<&'static str> {
    const PHASES: [(&str, &str); 3] = [
        ("failed on setup with ", "setup"),
        ("failed on teardown with ", "teardown"),
        ("collection failure", "collection"),
    ];
    PHASES.iter().find_map(|(start, phase)| message.starts_with(start).then_some(*phase))
}

/// Type of the exception that a failure text starts with: `AssertionError: …`; also inside
/// `failed on setup with "RuntimeError: …"`. A plain `assert …` is an `AssertionError`.
pub(super) fn error_type(message: &str) -> Option<&str> {
    let phase = message.strip_prefix("failed on setup with ");
    let inner = phase.or_else(|| message.strip_prefix("failed on teardown with "));
    let message = inner.map_or(message, |inner| inner.trim_start_matches('"'));
    let line = message.trim_start().lines().next()?;
    if line == "assert" || line.starts_with("assert ") {
        return Some("AssertionError");
    }
    let word = line.split(':').next()?.trim();
    let is_name = word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    let last = word.rsplit('.').next()?;
    (is_name && last.starts_with(char::is_uppercase)).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_of_an_exception_is_read_from_its_message() {
        for (message, expected) in [
            ("AssertionError: value 2", Some("AssertionError")),
            ("assert 1 == 2", Some("AssertionError")),
            ("failed on teardown with \"OSError: broke\"", Some("OSError")),
            ("json.decoder.JSONDecodeError: x", Some("json.decoder.JSONDecodeError")),
            ("expected 2 to be 3", None),
            ("[XPASS(strict)] must fail", None),
            ("", None),
        ] {
            assert_eq!(error_type(message), expected, "{message}");
        }
        assert_eq!(phase_of("failed on setup with \"x\""), Some("setup"));
    }
}
