//! Columns and orders of the table of cases as words: `id,score`, `-score,id`.

use crate::report::SortKey;

/// Sort keys with their words in the address.
const SORTS: [(SortKey, &str); 34] = [
    (SortKey::File, "file"),
    (SortKey::Run, "run"),
    (SortKey::Id, "id"),
    (SortKey::Group, "group"),
    (SortKey::Kind, "kind"),
    (SortKey::Outcome, "outcome"),
    (SortKey::Score, "score"),
    (SortKey::FailedChecks, "checks"),
    (SortKey::Attempts, "attempts"),
    (SortKey::Duration, "time"),
    (SortKey::Cost, "cost"),
    (SortKey::Tokens, "tokens"),
    (SortKey::Error, "error"),
    (SortKey::Model, "model"),
    (SortKey::Suite, "suite"),
    (SortKey::Variant, "checkpoint"),
    (SortKey::Repeat, "repeat"),
    (SortKey::Tags, "tags"),
    (SortKey::Instability, "instability"),
    (SortKey::Metric(0), "metric-1"),
    (SortKey::Metric(1), "metric-2"),
    (SortKey::Metric(2), "metric-3"),
    (SortKey::Metric(3), "metric-4"),
    (SortKey::Metric(4), "metric-5"),
    (SortKey::Metric(5), "metric-6"),
    (SortKey::Metric(6), "metric-7"),
    (SortKey::Metric(7), "metric-8"),
    (SortKey::Metric(8), "metric-9"),
    (SortKey::Metric(9), "metric-10"),
    (SortKey::Metric(10), "metric-11"),
    (SortKey::Metric(11), "metric-12"),
    (SortKey::Input, "input"),
    (SortKey::Answer, "answer"),
    (SortKey::Expected, "expected"),
];

/// The word of a column in addresses.
pub fn column_word(column: SortKey) -> &'static str {
    SORTS.iter().find(|(key, _)| *key == column).map_or("", |(_, word)| word)
}

/// The column that `word` names.
pub fn column_of(word: &str) -> Option<SortKey> {
    SORTS.iter().find(|(_, known)| *known == word).map(|(key, _)| *key)
}

/// Columns as an address names them: `id,score`.
pub fn column_words(columns: &[SortKey]) -> String {
    columns.iter().map(|column| column_word(*column)).collect::<Vec<_>>().join(",")
}

/// The columns that `words` name; what is none is left out.
pub fn columns_of(words: &str) -> Vec<SortKey> {
    words.split(',').filter_map(column_of).filter(|key| *key != SortKey::File).collect()
}

/// An order as an address names it: `-score,id`.
pub fn sort_words(sort: &[(SortKey, bool)]) -> String {
    let word = |(key, is_descending): &(SortKey, bool)| {
        format!("{}{}", if *is_descending { "-" } else { "" }, column_word(*key))
    };
    sort.iter().map(word).collect::<Vec<_>>().join(",")
}

/// The order that `words` name. Each column counts once; those that nothing is sorted by do not.
pub fn sort_of(words: &str) -> Vec<(SortKey, bool)> {
    let mut sort: Vec<(SortKey, bool)> = Vec::new();
    for word in words.split(',') {
        let (is_descending, word) = match word.strip_prefix('-') {
            Some(word) => (true, word),
            None => (false, word),
        };
        if let Some(key) = column_of(word).filter(|key| key.is_sortable())
            && !sort.iter().any(|(known, _)| *known == key)
        {
            sort.push((key, is_descending));
        }
    }
    // The order of the files in itself is no order to ask for.
    sort.retain(|pair| *pair != (SortKey::File, false));
    sort
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_has_a_word_of_its_own() {
        for key in SortKey::COLUMNS {
            assert_eq!(column_of(column_word(key)), Some(key));
        }
        let words = column_words(&SortKey::COLUMNS);
        assert_eq!(columns_of(&words), SortKey::COLUMNS);
        assert_eq!(columns_of("id,,file,none,score"), [SortKey::Id, SortKey::Score]);
    }

    #[test]
    fn a_column_sorts_once() {
        let sort = sort_of("-score,id,score,none,file");
        assert_eq!(sort, [(SortKey::Score, true), (SortKey::Id, false)]);
        assert_eq!(sort_words(&sort), "-score,id");
    }

    #[test]
    fn nothing_is_sorted_by_texts() {
        assert_eq!(columns_of("id,input,answer,expected").len(), 4);
        assert_eq!(sort_of("input,-id,-answer,expected"), [(SortKey::Id, true)]);
    }
}
