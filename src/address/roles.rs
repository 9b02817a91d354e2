//! Roles of columns as one word: in addresses, and where the page keeps them.
//!
//! `question:input,took:duration(ms),correct:passed,wer:score(less)`; `less` says that lower is better. A column whose role is [`Role::Fact`] is its name alone.
//! A table of a file that holds several comes first: `@results,id:id`. Everything in a name but letters,
//! digits and `-._~` is percent-encoded, so the separators are no part of one.

use super::text::unescaped;
use crate::report::{ColumnRole, MappingFile, Role, TimeUnit};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Bytes of a word that is read; longer ones are none.
const MAX_WORD: usize = 50_000;

/// Columns of a table that is read.
const MAX_COLUMNS: usize = 1_000;

/// What is percent-encoded in names.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Says that less of a column is better.
const LESS: &str = "less";

/// Units of durations with their words.
const UNITS: [(TimeUnit, &str); 3] =
    [(TimeUnit::Seconds, "s"), (TimeUnit::Milliseconds, "ms"), (TimeUnit::Minutes, "min")];

/// The word of a unit: `ms`.
pub fn unit_word(unit: TimeUnit) -> &'static str {
    UNITS.iter().find(|(own, _)| *own == unit).map_or("s", |(_, word)| word)
}

/// The unit with this word.
pub fn unit_of(word: &str) -> Option<TimeUnit> {
    UNITS.iter().find(|(_, own)| *own == word).map(|(unit, _)| *unit)
}

/// `file` as a word. Whether it is confirmed is not in it.
pub fn roles_word(file: &MappingFile) -> String {
    let escaped = |text: &str| utf8_percent_encode(text, ESCAPED).to_string();
    let mut parts: Vec<String> = Vec::with_capacity(file.columns.len() + 1);
    parts.extend(file.table.as_ref().map(|table| ["@", &escaped(table)].concat()));
    parts.extend(file.columns.iter().map(|column| {
        let name = escaped(&column.name);
        match (column.role, column.unit) {
            // A word of nothing would be no word.
            (Role::Fact, _) if !name.is_empty() => name,
            (role, Some(unit)) => [&name, ":", role.word(), "(", unit_word(unit), ")"].concat(),
            (role, None) if column.less_is_better => {
                [&name, ":", role.word(), "(", LESS, ")"].concat()
            }
            (role, None) => [&name, ":", role.word()].concat(),
        }
    }));
    parts.join(",")
}

/// The mapping file that `word` stands for, confirmed; `None` when it is none, or names a role that
/// there is not: it would be read otherwise than it was meant.
pub fn roles_of(word: &str) -> Option<MappingFile> {
    if word.is_empty() || word.len() > MAX_WORD {
        return None;
    }
    let (table, word) = match word.strip_prefix('@') {
        Some(rest) => {
            let (table, rest) = rest.split_once(',')?;
            (Some(unescaped(table)), rest)
        }
        None => (None, word),
    };
    let columns: Option<Vec<ColumnRole>> = word.split(',').map(column_of).collect();
    let columns = columns.filter(|columns| columns.len() <= MAX_COLUMNS)?;
    Some(MappingFile { evalglass_mapping: 1, table, confirmed: true, columns })
}

fn column_of(part: &str) -> Option<ColumnRole> {
    let (name, role) = part.split_once(':').unwrap_or((part, Role::Fact.word()));
    let (role, more) = match role.strip_suffix(')').and_then(|role| role.split_once('(')) {
        Some((role, more)) => (Role::from_word(role)?, Some(more)),
        None => (Role::from_word(role)?, None),
    };
    let less_is_better = role.is_scores() && more == Some(LESS);
    let unit = match more {
        Some(unit) if !less_is_better => Some(unit_of(unit)?),
        _ => None,
    };
    Some(ColumnRole { name: unescaped(name), role, unit, less_is_better })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::ROLES;
    use proptest::prelude::*;

    fn file(columns: Vec<(&str, Role, Option<TimeUnit>)>) -> MappingFile {
        let column = |(name, role, unit): (&str, Role, Option<TimeUnit>)| ColumnRole {
            name: name.to_owned(),
            role,
            unit,
            less_is_better: false,
        };
        MappingFile {
            evalglass_mapping: 1,
            table: None,
            confirmed: true,
            columns: columns.into_iter().map(column).collect(),
        }
    }

    #[test]
    fn roles_are_words_that_can_be_read() {
        let file = file(vec![
            ("case no", Role::Id, None),
            ("took", Role::Duration, Some(TimeUnit::Milliseconds)),
            ("scores.f1", Role::Metric, None),
            ("a:b,(c)", Role::Fact, None),
        ]);
        let word = roles_word(&file);
        assert_eq!(word, "case%20no:id,took:duration(ms),scores.f1:metric,a%3Ab%2C%28c%29");
        assert_eq!(roles_of(&word), Some(file.clone()));
        let within = MappingFile { table: Some("@t, 1".to_owned()), ..file };
        assert_eq!(roles_of(&roles_word(&within)), Some(within));
    }

    #[test]
    fn that_less_is_better_is_part_of_a_role_of_scores() {
        for word in ["wer:score(less)", "wer:metric(less),id:id", "a:model_score(less)"] {
            let file = roles_of(word).unwrap();
            assert!(file.columns[0].less_is_better);
            assert_eq!(roles_word(&file), word);
        }
        assert_eq!(roles_of("a:id(less)"), None);
    }

    #[test]
    fn a_column_without_a_name_comes_back() {
        let file = file(vec![("", Role::Fact, None)]);
        assert_eq!(roles_of(&roles_word(&file)), Some(file));
    }

    #[test]
    fn what_is_not_understood_is_none() {
        for word in ["", "a:role", "a:id,b:duration(h)", "@t", "a:id:id", "a:duration(s"] {
            assert_eq!(roles_of(word), None, "{word}");
        }
        assert_eq!(roles_of(&"a,".repeat(MAX_COLUMNS + 1)), None);
    }

    proptest! {
        #[test]
        fn any_names_come_back(names in prop::collection::vec(".*", 1..6), nth in 0..ROLES.len(), unit in 0..3_usize) {
            let (role, unit) = (ROLES[nth].0, UNITS[unit].0);
            let unit = (role == Role::Duration).then_some(unit);
            let columns = names.iter().map(|name| (name.as_str(), role, unit)).collect();
            let file = file(columns);
            prop_assert_eq!(roles_of(&roles_word(&file)), Some(file));
        }

        #[test]
        fn nothing_is_misread_with_a_panic(word in ".*") {
            let _ = roles_of(&word);
        }
    }
}
