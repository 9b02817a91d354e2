//! How the text of a query could go on.

/// What a query can name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// Tables and views, by name.
    pub tables: Vec<Table>,
    /// Functions, by name.
    pub functions: Vec<String>,
}

/// A table or view.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Names of its columns.
    pub columns: Vec<String>,
}

/// Completions that are offered at the most.
const MAX_OFFERED: usize = 12;

/// Words of SQL that are offered.
const WORDS: [&str; 46] = [
    "SELECT",
    "FROM",
    "WHERE",
    "GROUP BY",
    "ORDER BY",
    "HAVING",
    "LIMIT",
    "JOIN",
    "LEFT JOIN",
    "ON",
    "USING",
    "AS",
    "AND",
    "OR",
    "NOT",
    "IN",
    "IS NULL",
    "IS NOT NULL",
    "BETWEEN",
    "LIKE",
    "ILIKE",
    "CASE",
    "WHEN",
    "THEN",
    "ELSE",
    "END",
    "DISTINCT",
    "UNION ALL",
    "WITH",
    "OVER",
    "PARTITION BY",
    "ASC",
    "DESC",
    "NULLS LAST",
    "CAST",
    "EXISTS",
    "EXPLAIN",
    "OFFSET",
    "INTERSECT",
    "EXCEPT",
    "CROSS JOIN",
    "FULL JOIN",
    "FILTER",
    "TRUE",
    "FALSE",
    "NULL",
];

/// Words behind which a table is named.
const BEFORE_TABLE: [&str; 2] = ["from", "join"];

/// Words that are no other name of a table.
const NO_ALIAS: [&str; 14] = [
    "where", "group", "order", "having", "limit", "join", "left", "right", "full", "cross",
    "inner", "on", "using", "union",
];

/// One way to go on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Completion {
    /// What it is called.
    pub label: String,
    /// What it is: `table`, `column of runs`, `function`.
    pub note: String,
    /// The whole text with it.
    pub text: String,
    /// The place behind it, in units of UTF-16.
    pub at: u32,
}

/// How `text` could go on at `at`, in units of UTF-16; the likeliest first. Without a word before it only where a table or a
/// column must come.
pub fn completions(names: &Names, text: &str, at: u32) -> Vec<Completion> {
    let end = byte_of_unit(text, at);
    let (before, after) = text.split_at(end);
    if is_in_text(before) {
        return Vec::new();
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let start = before
        .rfind(|c| !is_part(c))
        .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
    let (head, word) = before.split_at(start);
    let mut offered: Vec<(u8, String, String)> = Vec::new();
    let mut offer = |rank: u8, label: &str, note: String| {
        if let Some(distance) = distance(label, word) {
            offered.push((rank + distance, label.to_owned(), note));
        }
    };
    let last = words(head).last().map(str::to_ascii_lowercase).unwrap_or_default();
    let is_after_table_word =
        BEFORE_TABLE.contains(&last.as_str()) && head.ends_with(char::is_whitespace);
    if let Some(qualifier) = head.strip_suffix('.') {
        let owner = words(qualifier).last().map(str::to_owned).unwrap_or_default();
        if let Some(table) = named_tables(names, text)
            .into_iter()
            .find(|(alias, _)| alias.eq_ignore_ascii_case(&owner))
        {
            let columns = names.tables.iter().find(|known| known.name == table.1);
            for column in columns.map(|table| table.columns.as_slice()).unwrap_or_default() {
                offer(0, column, format!("column of {}", table.1));
            }
        }
    } else if is_after_table_word {
        for table in &names.tables {
            offer(0, &table.name, "table".to_owned());
        }
    } else if !word.is_empty() {
        let named = named_tables(names, text);
        let mut seen: Vec<&str> = Vec::new();
        for table in &names.tables {
            let is_named = named.iter().any(|(_, own)| *own == table.name);
            if is_named || named.is_empty() {
                for column in &table.columns {
                    if !seen.contains(&column.as_str()) {
                        seen.push(column);
                        offer(
                            if is_named { 0 } else { 6 },
                            column,
                            format!("column of {}", table.name),
                        );
                    }
                }
            }
            offer(4, &table.name, "table".to_owned());
        }
        for function in &names.functions {
            offer(4, function, "function".to_owned());
        }
        for keyword in WORDS {
            offer(2, keyword, "SQL".to_owned());
        }
    }
    // A word that stands there already goes on nowhere.
    offered.retain(|(_, label, _)| !label.eq_ignore_ascii_case(word));
    offered.sort_by(|one, other| one.0.cmp(&other.0).then_with(|| one.1.cmp(&other.1)));
    offered.dedup_by(|one, other| one.1 == other.1);
    offered.truncate(MAX_OFFERED);
    let completed = |(_, label, note): (u8, String, String)| {
        let put = if note == "function" { format!("{label}(") } else { quoted(&label, &note) };
        let whole = format!("{head}{put}");
        let at = u32::try_from(whole.encode_utf16().count()).unwrap_or(u32::MAX);
        Completion { label, note, text: format!("{whole}{after}"), at }
    };
    offered.into_iter().map(completed).collect()
}

/// A name as it must be written: one that is a word of SQL too, in quotes.
fn quoted(label: &str, note: &str) -> String {
    let is_keyword = ["group", "order", "limit", "end", "case", "all"].contains(&label);
    if note.starts_with("column") && is_keyword { format!("\"{label}\"") } else { label.to_owned() }
}

/// How far `label` is from what is written; `None`: it is something else.
fn distance(label: &str, word: &str) -> Option<u8> {
    let (label, word) = (label.to_lowercase(), word.to_lowercase());
    if label.starts_with(&word) {
        return Some(0);
    }
    (word.len() > 1 && label.contains(&word)).then_some(1)
}

/// The words of `text`, without what stands in quotes being told apart.
fn words(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// The tables that `text` names behind `FROM` and `JOIN`, each by what it is called there.
fn named_tables(names: &Names, text: &str) -> Vec<(String, String)> {
    let all: Vec<&str> = words(text).collect();
    let mut found = Vec::new();
    for (at, word) in all.iter().enumerate() {
        let table = names.tables.iter().find(|table| table.name.eq_ignore_ascii_case(word));
        let Some(table) = table else { continue };
        let is_before = |back: usize| {
            at.checked_sub(back).and_then(|at| all.get(at)).map(|word| word.to_ascii_lowercase())
        };
        if !is_before(1).is_some_and(|word| BEFORE_TABLE.contains(&word.as_str())) {
            continue;
        }
        found.push((table.name.clone(), table.name.clone()));
        let next = |ahead: usize| all.get(at + ahead).map(|word| word.to_ascii_lowercase());
        let alias = match next(1) {
            Some(word) if word == "as" => next(2),
            other => other,
        };
        if let Some(alias) = alias.filter(|alias| !NO_ALIAS.contains(&alias.as_str())) {
            found.push((alias, table.name.clone()));
        }
    }
    found
}

/// Whether the end of `before` lies in a text or a comment.
fn is_in_text(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    before.matches('\'').count() % 2 == 1 || line.trim_start().starts_with("--")
}

/// The byte at which unit `at` of UTF-16 begins.
fn byte_of_unit(text: &str, at: u32) -> usize {
    let mut n_units = 0;
    for (byte, letter) in text.char_indices() {
        if n_units >= at as usize {
            return byte;
        }
        n_units += letter.len_utf16();
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let table = |name: &str, columns: &[&str]| Table {
            name: name.to_owned(),
            columns: columns.iter().map(|column| (*column).to_owned()).collect(),
        };
        Names {
            tables: vec![
                table("cases", &["run", "case_id", "score", "group"]),
                table("runs", &["run", "score", "total"]),
                table("run_figures", &["run", "mean_score"]),
            ],
            functions: vec!["sum".to_owned(), "substr".to_owned()],
        }
    }

    fn labels(text: &str) -> Vec<String> {
        let end = u32::try_from(text.encode_utf16().count()).unwrap();
        completions(&names(), text, end).into_iter().map(|one| one.label).collect()
    }

    #[test]
    fn tables_come_behind_from_and_columns_behind_their_table() {
        assert_eq!(labels("SELECT * FROM "), ["cases", "run_figures", "runs"]);
        assert_eq!(labels("SELECT * FROM cases c WHERE c."), ["case_id", "group", "run", "score"]);
        assert_eq!(labels("SELECT c.sc FROM cases AS c JOIN runs r ON r.t"), ["total"]);
        assert_eq!(labels("SELECT "), Vec::<String>::new());
        assert_eq!(labels("SELECT * FROM unknown u WHERE u."), Vec::<String>::new());
    }

    #[test]
    fn columns_of_the_tables_that_are_named_come_first() {
        let text = "SELECT  FROM runs";
        let found = completions(&names(), &text.replace("SELECT ", "SELECT sc"), 9);
        assert_eq!((found[0].label.as_str(), found[0].note.as_str()), ("score", "column of runs"));
        assert_eq!((found[0].text.as_str(), found[0].at), ("SELECT score FROM runs", 12));
        let found = completions(&names(), "SELECT su", 9);
        assert_eq!(found[0].text, "SELECT substr(");
    }

    #[test]
    fn a_column_that_is_a_word_of_sql_is_quoted_and_texts_are_left_alone() {
        let found = completions(&names(), "SELECT gro FROM cases", 10);
        let group = found.iter().find(|one| one.label == "group").unwrap();
        assert_eq!(group.text, "SELECT \"group\" FROM cases");
        assert_eq!(labels("SELECT * FROM cases WHERE run = 'ca"), Vec::<String>::new());
        assert_eq!(labels("-- from "), Vec::<String>::new());
        assert_eq!(labels("SELECT * FROM cases"), Vec::<String>::new(), "nothing more to add");
    }

    #[test]
    fn places_are_units_of_utf16_and_never_split_a_letter() {
        let text = "SELECT '😀' AS a, su";
        for at in 0..30 {
            let _ = completions(&names(), text, at);
        }
        let end = u32::try_from(text.encode_utf16().count()).unwrap();
        assert_eq!(completions(&names(), text, end)[0].at, end + 5);
    }
}
