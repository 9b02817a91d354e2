//! Keys of the cases of a run, and the way back from a key to its row.
//!
//! The key of a case is `group/id`, or `id` where there is no group; `~2` stands after the second one of
//! the same words, in the order of the files. Words longer than [`MAX_WORDS`] bytes end in a hash of
//! the whole.

use super::Name;
use crate::model::Run;

/// Bytes of the words of a key that are written as they are.
const MAX_WORDS: usize = 400;

/// What stands for a case whose id is the empty text.
const NO_WORDS: &str = "-";

/// The mark of a case's words and its row.
type KeyedRow = (u64, u32);

/// The rows of a run by the marks of their words. Made once: the words of a case never change.
#[derive(Debug)]
pub(super) struct CaseKeys {
    /// Mark and row, in this order.
    rows: Vec<KeyedRow>,
}

impl CaseKeys {
    /// Of the cases of `run`.
    pub(super) fn new(run: &Run) -> Self {
        let mut words = String::new();
        let mut rows = Vec::with_capacity(run.cases.len());
        for (idx, row) in (0..run.cases.len()).zip(0_u32..) {
            write_words(run, idx, &mut words);
            rows.push((mark(&words), row));
        }
        rows.sort_unstable();
        Self { rows }
    }

    /// The key of case `idx`; `None` when there is no such case.
    pub(super) fn key(&self, run: &Run, idx: usize) -> Option<String> {
        if idx >= run.cases.len() {
            return None;
        }
        let mut words = String::new();
        write_words(run, idx, &mut words);
        let row = (mark(&words), u32::try_from(idx).ok()?);
        let nth = self.rows.partition_point(|known| *known < row) - self.first(row.0);
        if nth > 0 {
            words.push_str(&format!("~{}", nth + 1));
        }
        Some(words)
    }

    /// The row of the case that is called `name`.
    pub(super) fn row(&self, run: &Run, name: &Name) -> Option<usize> {
        let key = match name {
            Name::Place(place) => {
                return usize::try_from(*place).ok().filter(|idx| *idx < run.cases.len());
            }
            Name::Key(key) => key,
        };
        let (words, nth) = split(key);
        let mark = mark(words);
        let (found, row) = *self.rows.get(self.first(mark).checked_add(nth)?)?;
        let idx = row as usize;
        let mut known = String::new();
        write_words(run, idx, &mut known);
        (found == mark && known == words).then_some(idx)
    }

    /// Where the rows with `mark` begin. Rows of the same mark count as rows of the same words, so a key
    /// is one row's alone even where two marks meet.
    fn first(&self, mark: u64) -> usize {
        self.rows.partition_point(|known| known.0 < mark)
    }
}

/// The words of a key, and how many cases of the same words come before.
fn split(key: &str) -> (&str, usize) {
    let head = key.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let words = head.trim_end_matches('~');
    let n_tildes = head.len() - words.len();
    let nth = key.get(head.len()..).and_then(|digits| digits.parse().ok());
    // Tildes of the files are doubled, so one is left over where a number follows.
    match (nth, head.strip_suffix('~')) {
        (Some(2..), Some(words)) if n_tildes % 2 == 1 => {
            (words, nth.map_or(0, |nth: usize| nth - 1))
        }
        _ => (key, 0),
    }
}

/// Puts the words of case `idx` into `out`.
fn write_words(run: &Run, idx: usize, out: &mut String) {
    out.clear();
    if let Some(group) = run.cases.group.get(idx) {
        push(group, out);
        out.push('/');
    }
    push(run.cases.id.get(idx).unwrap_or_default(), out);
    if out.is_empty() {
        out.push_str(NO_WORDS);
    }
    if out.len() > MAX_WORDS {
        let hash = hash(out);
        out.truncate(out.floor_char_boundary(MAX_WORDS));
        out.push_str(&format!("…{hash:016x}"));
    }
}

fn push(text: &str, out: &mut String) {
    if text.contains('~') {
        out.push_str(&super::name::plain(text));
    } else {
        out.push_str(text);
    }
}

/// What rows are sorted by: so much of the hash that two of a million cases meet once in thirty such runs,
/// and that a third of the sorting is spared.
fn mark(words: &str) -> u64 {
    hash(words) >> 20
}

/// FNV-1a with 64 bits: the same in every build, because it stands in addresses.
fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CaseRow, RunBuilder, RunKey};
    use proptest::prelude::*;

    fn run_of(cases: &[(Option<&str>, &str)]) -> Run {
        let mut run = RunBuilder::new(RunKey::default(), "run");
        for (group, id) in cases {
            run.case(CaseRow { id: Some(id), group: *group, ..CaseRow::default() });
        }
        run.finish()
    }

    fn keys_of(cases: &[(Option<&str>, &str)]) -> Vec<String> {
        let run = run_of(cases);
        let keys = CaseKeys::new(&run);
        (0..cases.len()).map(|idx| keys.key(&run, idx).unwrap()).collect()
    }

    #[test]
    fn a_key_is_group_and_id_and_the_second_of_both_says_so() {
        let cases =
            [(Some("g"), "a"), (None, "a"), (Some("g"), "a"), (Some("g"), "a"), (Some("h/g"), "a")];
        assert_eq!(keys_of(&cases), ["g/a", "a", "g/a~2", "g/a~3", "h/g/a"]);
        // The same words from other parts count on; so do ids that look like marks.
        assert_eq!(keys_of(&[(Some("a/b"), "c"), (Some("a"), "b/c")]), ["a/b/c", "a/b/c~2"]);
        let tildes = [(None, "x"), (None, "x~2"), (None, "x"), (None, "x~"), (None, "x~")];
        assert_eq!(keys_of(&tildes), ["x", "x~~2", "x~2", "x~~", "x~~~2"]);
        assert_eq!(keys_of(&[(None, ""), (None, "-"), (None, "~2")]), ["-", "-~2", "~~2"]);
    }

    #[test]
    fn long_words_end_in_a_hash() {
        let (long, other) = ("é~".repeat(5_000), format!("{}x", "é~".repeat(5_000)));
        let cases = [(None, long.as_str()), (None, other.as_str()), (None, long.as_str())];
        let keys = keys_of(&cases);
        assert!(keys.iter().all(|key| key.len() < 500), "{keys:?}");
        assert!(keys[0] != keys[1] && keys[2] == format!("{}~2", keys[0]), "{keys:?}");
        assert_eq!(hash("foobar"), 0x8594_4171_f739_67e8, "as published for FNV-1a");
    }

    #[test]
    fn what_is_no_key_names_no_case() {
        let run = run_of(&[(None, "a"), (None, "a")]);
        let keys = CaseKeys::new(&run);
        let row = |text: &str| keys.row(&run, &Name::parse(text));
        assert_eq!((row("a"), row("a~2"), row("~1")), (Some(0), Some(1), Some(1)));
        for text in ["", "b", "a~1", "a~0", "a~3", "a~~2", "~2", "a~99999999999999999999999", "~"] {
            assert_eq!(row(text), None, "{text}");
        }
        assert_eq!(keys.key(&run, 2), None);
        assert_eq!(CaseKeys::new(&run_of(&[])).row(&run_of(&[]), &Name::default()), None);
    }

    proptest! {
        #[test]
        fn every_key_leads_back_to_its_row(
            cases in prop::collection::vec((prop::option::of("[a~/2]{0,3}"), "[a~/2]{0,4}"), 0..60)
        ) {
            let cases: Vec<_> = cases.iter().map(|(group, id)| (group.as_deref(), id.as_str())).collect();
            let run = run_of(&cases);
            let keys = CaseKeys::new(&run);
            for idx in 0..cases.len() {
                let key = keys.key(&run, idx).unwrap();
                prop_assert_eq!(keys.row(&run, &Name::parse(&key)), Some(idx), "{}", key);
            }
        }
    }
}
