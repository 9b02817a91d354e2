//! The columns of a table, as its `CREATE TABLE` has them.

use super::record::Stored;

/// What a table is made of.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Definition {
    /// Its columns, in order.
    pub columns: Vec<SqliteColumn>,
    /// Whether its rows have no id, and lie in the tree of its key.
    pub is_without_rowid: bool,
    /// By place in a record: the column.
    pub stored: Vec<usize>,
    /// The column that is the id of the row, and is not in the record.
    pub rowid: Option<usize>,
}

/// A column.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SqliteColumn {
    pub name: String,
    /// Whether it holds yes and no, as 1 and 0.
    pub is_flag: bool,
    /// What it is in rows that are older than it.
    pub default: Stored,
    /// Whether it is computed and not stored.
    is_virtual: bool,
    /// Whether its type is just INTEGER.
    is_integer: bool,
    /// Whether it is the key; `INTEGER PRIMARY KEY DESC` is no name of the row id.
    is_key: bool,
    is_descending: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum SqlToken {
    /// Without quotes.
    Word(String),
    /// In double quotes, backticks or brackets.
    Name(String),
    /// In single quotes.
    Text(String),
    Sign(char),
}

impl SqlToken {
    fn is(&self, word: &str) -> bool {
        matches!(self, Self::Word(own) if own.eq_ignore_ascii_case(word))
    }

    fn name(&self) -> Option<&str> {
        match self {
            Self::Word(name) | Self::Name(name) | Self::Text(name) => Some(name),
            Self::Sign(_) => None,
        }
    }
}

/// What ends the type of a column.
const CONSTRAINTS: [&str; 11] = [
    "constraint",
    "primary",
    "not",
    "null",
    "unique",
    "check",
    "default",
    "collate",
    "references",
    "generated",
    "as",
];
/// What begins a constraint of the table.
const OF_TABLE: [&str; 5] = ["constraint", "primary", "unique", "check", "foreign"];

impl Definition {
    /// Reads `sql`; `None`: it is no definition of a table with columns.
    pub(super) fn parse(sql: &str) -> Option<Self> {
        let tokens = tokens(sql);
        let open = tokens.iter().position(|token| *token == SqlToken::Sign('('))?;
        let (parts, rest) = parts(tokens.get(open + 1..)?);
        let (mut columns, mut key): (Vec<SqliteColumn>, Vec<String>) = (Vec::new(), Vec::new());
        for part in &parts {
            let Some(first) = part.first() else { continue };
            match OF_TABLE.iter().any(|word| first.is(word)) {
                true => key.extend(table_key(part)),
                false => columns.push(SqliteColumn::parse(part)?),
            }
        }
        if columns.is_empty() {
            return None;
        }
        key.extend(columns.iter().filter(|column| column.is_key).map(|column| column.name.clone()));
        let is_without_rowid =
            rest.windows(2).any(|pair| matches!(pair, [a, b] if a.is("without") && b.is("rowid")));
        let place = |name: &String| {
            columns.iter().position(|column| column.name.eq_ignore_ascii_case(name))
        };
        let mut stored: Vec<usize> = Vec::new();
        if is_without_rowid {
            for at in key.iter().filter_map(place) {
                if !stored.contains(&at) {
                    stored.push(at);
                }
            }
        }
        for (at, column) in columns.iter().enumerate() {
            if !column.is_virtual && !stored.contains(&at) {
                stored.push(at);
            }
        }
        let only = key.first().filter(|_| key.len() == 1 && !is_without_rowid).and_then(place);
        let is_id = |at: &usize| {
            let column = columns.get(*at);
            column.is_some_and(|own| own.is_integer && !(own.is_key && own.is_descending))
        };
        let rowid = only.filter(is_id);
        Some(Self { columns, is_without_rowid, stored, rowid })
    }
}

impl SqliteColumn {
    fn parse(part: &[SqlToken]) -> Option<Self> {
        let (name, rest) = part.split_first()?;
        let name = name.name()?.to_owned();
        let is_end = |token: &SqlToken| CONSTRAINTS.iter().any(|word| token.is(word));
        let n_type = rest.iter().position(is_end).unwrap_or(rest.len());
        let (kind, rest) = rest.split_at(n_type);
        let words: Vec<String> =
            kind.iter().filter_map(|token| token.name().map(str::to_ascii_uppercase)).collect();
        let rest = outer(rest);
        let of = |word: &str| rest.iter().position(|token| token.is(word));
        let key = of("primary");
        let is_stored = || rest.iter().any(|token| token.is("stored"));
        Some(Self {
            name,
            is_flag: words.iter().any(|word| word.starts_with("BOOL")),
            default: of("default").map_or(Stored::Null, |at| default(rest.get(at + 1..))),
            is_virtual: of("as").is_some() && !is_stored(),
            is_integer: words == ["INTEGER"],
            is_key: key.is_some(),
            is_descending: key
                .and_then(|at| rest.get(at + 2))
                .is_some_and(|token| token.is("desc")),
        })
    }
}

/// The value behind `DEFAULT`; of an expression, null.
fn default(tokens: Option<&[&SqlToken]>) -> Stored {
    let (sign, rest) = match tokens {
        Some([SqlToken::Sign('-'), rest @ ..]) => ("-", rest),
        Some([SqlToken::Sign('+'), rest @ ..]) => ("", rest),
        Some(rest) => ("", rest),
        None => return Stored::Null,
    };
    match rest.first() {
        Some(SqlToken::Text(text) | SqlToken::Name(text)) => Stored::Text(text.clone()),
        Some(token @ SqlToken::Word(_)) if token.is("true") => Stored::Whole(1),
        Some(token @ SqlToken::Word(_)) if token.is("false") => Stored::Whole(0),
        Some(SqlToken::Word(word)) => {
            let number = format!("{sign}{word}");
            let whole = number.parse().map(Stored::Whole);
            whole.or_else(|_| number.parse().map(Stored::Real)).unwrap_or(Stored::Null)
        }
        _ => Stored::Null,
    }
}

/// The columns of a `PRIMARY KEY (…)` of the table.
fn table_key(part: &[SqlToken]) -> Vec<String> {
    let Some(at) = part.iter().position(|token| token.is("primary")) else { return Vec::new() };
    let Some(open) = part.iter().skip(at).position(|token| *token == SqlToken::Sign('(')) else {
        return Vec::new();
    };
    let (names, _) = parts(part.get(at + open + 1..).unwrap_or_default());
    names.iter().filter_map(|part| part.first()?.name().map(str::to_owned)).collect()
}

/// The tokens that stand in no parentheses.
fn outer(tokens: &[SqlToken]) -> Vec<&SqlToken> {
    let mut depth = 0_u32;
    let mut all = Vec::new();
    for token in tokens {
        match token {
            SqlToken::Sign('(') => depth += 1,
            SqlToken::Sign(')') => depth = depth.saturating_sub(1),
            token if depth == 0 => all.push(token),
            _ => {}
        }
    }
    all
}

/// What stands between commas up to the closing parenthesis, and what stands behind that.
fn parts(tokens: &[SqlToken]) -> (Vec<&[SqlToken]>, &[SqlToken]) {
    let (mut depth, mut start, mut found) = (0_u32, 0, Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        match token {
            SqlToken::Sign('(') => depth += 1,
            SqlToken::Sign(')') if depth == 0 => {
                found.extend(tokens.get(start..at));
                return (found, tokens.get(at + 1..).unwrap_or_default());
            }
            SqlToken::Sign(')') => depth -= 1,
            SqlToken::Sign(',') if depth == 0 => {
                found.extend(tokens.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    found.extend(tokens.get(start..));
    (found, &[])
}

fn tokens(sql: &str) -> Vec<SqlToken> {
    let mut all = Vec::new();
    let mut rest = sql;
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        rest = match first {
            _ if first.is_whitespace() => after,
            '-' if after.starts_with('-') => after.split_once('\n').map_or("", |(_, rest)| rest),
            '/' if after.starts_with('*') => after.split_once("*/").map_or("", |(_, rest)| rest),
            '\'' | '"' | '`' => {
                let (text, rest) = quoted(after, first);
                all.push(if first == '\'' { SqlToken::Text(text) } else { SqlToken::Name(text) });
                rest
            }
            '[' => {
                let (name, rest) = after.split_once(']').unwrap_or((after, ""));
                all.push(SqlToken::Name(name.to_owned()));
                rest
            }
            _ if is_of_word(first) => {
                let end = rest.find(|letter| !is_of_word(letter)).unwrap_or(rest.len());
                let (word, rest) = rest.split_at(end);
                all.push(SqlToken::Word(word.to_owned()));
                rest
            }
            _ => {
                all.push(SqlToken::Sign(first));
                after
            }
        };
    }
    all
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || "_$.".contains(letter) || !letter.is_ascii()
}

/// The text up to `quote`, which stands in it twice, and what stands behind.
fn quoted(text: &str, quote: char) -> (String, &str) {
    let mut found = String::new();
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        if letter != quote {
            found.push(letter);
        } else if letters.next_if(|(_, next)| *next == quote).is_some() {
            found.push(quote);
        } else {
            return (found, text.get(at + quote.len_utf8()..).unwrap_or_default());
        }
    }
    (found, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(sql: &str) -> Vec<String> {
        let definition = Definition::parse(sql).unwrap();
        definition.columns.into_iter().map(|column| column.name).collect()
    }

    #[test]
    fn columns_are_found_with_any_quotes_types_and_constraints() {
        let sql = "CREATE TABLE \"my t\" ( -- a comment, with a comma\n id INTEGER PRIMARY KEY, \"a \"\"b\"\"\" VARCHAR(10, 2) NOT NULL, \
            [c d] text DEFAULT 'x, y', `e` BOOLEAN DEFAULT (1), f, /* g, */ h DECIMAL CHECK (h > 0), 'i' INT REFERENCES x(y), \
            CONSTRAINT u UNIQUE (f, h), FOREIGN KEY (f) REFERENCES t(id))";
        assert_eq!(names(sql), ["id", "a \"b\"", "c d", "e", "f", "h", "i"]);
        let found = Definition::parse(sql).unwrap();
        assert_eq!((found.rowid, found.is_without_rowid), (Some(0), false));
        assert!(found.columns[3].is_flag);
        assert_eq!(found.columns[2].default, Stored::Text("x, y".to_owned()));
    }

    #[test]
    fn primary_keys_decide_the_order_in_which_columns_are_stored() {
        let stored = |sql: &str| {
            let found = Definition::parse(sql).unwrap();
            (found.stored, found.rowid)
        };
        assert_eq!(stored("CREATE TABLE t(a, b INTEGER, PRIMARY KEY(b))"), (vec![0, 1], Some(1)));
        assert_eq!(stored("CREATE TABLE t(a INTEGER PRIMARY KEY DESC, b)"), (vec![0, 1], None));
        assert_eq!(stored("CREATE TABLE t(a INT PRIMARY KEY, b)"), (vec![0, 1], None));
        let sql = "CREATE TABLE t(a, b, c, d, PRIMARY KEY(d, b)) WITHOUT ROWID";
        assert_eq!(stored(sql), (vec![3, 1, 0, 2], None));
        let sql = "CREATE TABLE t(a, b AS (a + 1), c GENERATED ALWAYS AS (a) STORED, d)";
        assert_eq!(stored(sql), (vec![0, 2, 3], None));
        assert_eq!(Definition::parse("CREATE TABLE t()"), None);
        assert_eq!(Definition::parse("nothing of the kind"), None);
    }
}
