//! Which part of a name stands on a line of its own.

/// Between a name and what `workspace/distinct_labels.rs` adds to tell it from others.
const BESIDE: &str = " · ";

/// The own name within `name`, and what tells it from others: the part of a path that was added to it, or the time that it ends
/// with. `None`: there is neither.
pub fn told_apart(name: &str) -> Option<(&str, &str)> {
    if let Some(parts) = name.split_once(BESIDE) {
        return Some(parts);
    }
    let separators = name.match_indices([' ', '_', '-']).filter(|(at, _)| *at > 0);
    let mut parts = separators.filter_map(|(at, _)| Some((name.get(..at)?, name.get(at + 1..)?)));
    parts.find(|(_, rest)| starts_with_day(rest) && !rest.contains(' '))
}

/// Whether `text` starts with a day: `2026-11-29`, `20261129`.
fn starts_with_day(text: &str) -> bool {
    ["0000-00-00", "00000000"].iter().any(|day| {
        let as_day = |(own, of_day): (u8, u8)| match of_day {
            b'0' => own.is_ascii_digit(),
            other => own == other,
        };
        text.len() >= day.len() && text.bytes().zip(day.bytes()).all(as_day)
    })
}

#[cfg(test)]
mod tests {
    use super::told_apart;

    #[test]
    fn what_tells_a_name_from_others_stands_apart() {
        for (name, parts) in [
            ("suite · monday/results.json", Some(("suite", "monday/results.json"))),
            ("quiz 2026-11-22T10:11:05 · edited", Some(("quiz 2026-11-22T10:11:05", "edited"))),
            ("two words 2026-11-22T10:11:05Z", Some(("two words", "2026-11-22T10:11:05Z"))),
            ("REBEL 20250808_125233", Some(("REBEL", "20250808_125233"))),
            ("willow-2_just-solve_20251218T0905", Some(("willow-2_just-solve", "20251218T0905"))),
            ("model-2025-05-14", Some(("model", "2025-05-14"))),
            ("2026-11-22 quiz", None),
            ("_20261122", None),
            ("quiz 2026-11-22 again", None),
            ("quiz 2026-11-2", None),
            ("quiz 2026/11/22", None),
            ("quiz_1234567", None),
            ("quiz ünïcodeünï", None),
            ("", None),
        ] {
            assert_eq!(told_apart(name), parts, "{name}");
        }
    }
}
