//! Where a name that has no room is cut, and where it goes on below.

/// Between a name and what was added to tell it from others.
const BESIDE: &str = " · ";

/// Bytes from which on an identifier has a last part.
const LONG: usize = 20;

/// The most bytes of an identifier's last part.
const MAX_LAST: usize = 15;

/// The start of `name`, and its last part, which tells it from its neighbours: what follows the last `/` or `·`; of a long
/// identifier (a name without blanks) its last words, often a time or a version. Empty: its start tells most.
pub fn last_part(name: &str) -> (&str, &str) {
    let cut = ["/", "·"].into_iter().filter_map(|sign| name.rfind(sign)).max();
    let cut = cut.or_else(|| {
        let is_identifier = name.len() > LONG && !name.contains(' ');
        let (from, _) =
            name.match_indices(['_', '-']).find(|(at, _)| name.len() - at <= MAX_LAST)?;
        is_identifier.then_some(from)
    });
    cut.and_then(|cut| name.split_at_checked(cut)).unwrap_or((name, ""))
}

/// The own name within `name`, and what was added to tell it from others: the part of a path, or a time. `None`: nothing
/// was added.
pub fn told_apart(name: &str) -> Option<(&str, &str)> {
    if let Some(parts) = name.split_once(BESIDE) {
        return Some(parts);
    }
    let (own, time) = name.rsplit_once(' ')?;
    let day = time.get(..10)?.bytes().enumerate();
    let is_day = day.fold(true, |is_day, (at, byte)| {
        is_day && if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() }
    });
    is_day.then_some((own, time))
}

#[cfg(test)]
mod tests {
    use super::{last_part, told_apart};

    #[test]
    fn what_tells_names_apart_is_their_last_part() {
        for (name, parts) in [
            ("", ("", "")),
            ("sum_basic", ("sum_basic", "")),
            ("ledger_sync / checkpoint_1", ("ledger_sync ", "/ checkpoint_1")),
            ("a/b · c", ("a/b ", "· c")),
            (
                "willow-2_just-solve_none_20251218T0905",
                ("willow-2_just-solve_none", "_20251218T0905"),
            ),
            ("claude-opus-4-20250514", ("claude-opus", "-4-20250514")),
            ("a sentence-like name of a case_1", ("a sentence-like name of a case_1", "")),
            ("no_part_that_is_shortenoughtobekept", ("no_part_that_is_shortenoughtobekept", "")),
            ("äöüäöüäöüäöü_äöüäöü", ("äöüäöüäöüäöü", "_äöüäöü")),
        ] {
            assert_eq!(last_part(name), parts, "{name}");
        }
    }

    #[test]
    fn what_was_added_to_a_name_stands_apart() {
        for (name, parts) in [
            ("suite · monday/results.json", Some(("suite", "monday/results.json"))),
            ("quiz 2026-11-22T10:11:05 · edited", Some(("quiz 2026-11-22T10:11:05", "edited"))),
            ("two words 2026-11-22T10:11:05Z", Some(("two words", "2026-11-22T10:11:05Z"))),
            ("quiz 2026-11-2", None),
            ("quiz 2026/11/22 10:11", None),
            ("quiz ünïcodeünï", None),
            ("2026-11-22", None),
            ("", None),
        ] {
            assert_eq!(told_apart(name), parts, "{name}");
        }
    }
}
