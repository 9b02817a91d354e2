//! How the columns of a table that no tool's reader claims are read as cases.
//!
//! A [`Mapping`] is what the page about columns shows and what a mapping file says. The reader of tables
//! makes one for every table: from a mapping file where there is one, else by guessing.

use serde::{Deserialize, Serialize};

/// What a column of a table is to the cases that its rows are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Nothing but a fact on the page of a case.
    #[default]
    Fact,
    /// Identifier of the case; several together: joined with ` / `.
    Id,
    /// Group of the case: category, task, subject.
    Group,
    /// What was evaluated: model, agent, variant. Each value is a run.
    Model,
    /// Which repetition: epoch, seed, attempt. Each value is a run.
    Repeat,
    /// Score of the case.
    Score,
    /// Whether the case passed.
    Passed,
    /// A further metric: a check of the case named by the column.
    Metric,
    /// Wide tables: the scores of the model that the column is named after.
    ModelScore,
    /// What was asked.
    Input,
    /// The answer that was expected.
    Expected,
    /// The answer that was given.
    Output,
    /// Text of an error; empty: none.
    Error,
    /// How long the case took, in [`MappedColumn::unit`].
    Duration,
    /// Cost in US dollars.
    Cost,
    /// Tokens in all.
    Tokens,
}

/// Every role with its word in mapping files and addresses, in the order of menus.
pub const ROLES: [(Role, &str); 16] = [
    (Role::Fact, "fact"),
    (Role::Id, "id"),
    (Role::Group, "group"),
    (Role::Model, "model"),
    (Role::Repeat, "repeat"),
    (Role::Score, "score"),
    (Role::Passed, "passed"),
    (Role::Metric, "metric"),
    (Role::ModelScore, "model_score"),
    (Role::Input, "input"),
    (Role::Expected, "expected"),
    (Role::Output, "output"),
    (Role::Error, "error"),
    (Role::Duration, "duration"),
    (Role::Cost, "cost"),
    (Role::Tokens, "tokens"),
];

impl Role {
    /// Its word in mapping files and addresses.
    pub fn word(self) -> &'static str {
        ROLES.iter().find(|(role, _)| *role == self).map_or("fact", |(_, word)| word)
    }

    /// Whether its cells are scores, of which higher or lower is better.
    pub fn is_scores(self) -> bool {
        matches!(self, Self::Score | Self::Metric | Self::ModelScore)
    }

    /// The role with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        ROLES.iter().find(|(_, own)| *own == word).map(|(role, _)| *role)
    }
}

/// The unit of a column of durations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum TimeUnit {
    /// Seconds.
    #[default]
    #[serde(rename = "s")]
    Seconds,
    /// Milliseconds.
    #[serde(rename = "ms")]
    Milliseconds,
    /// Minutes.
    #[serde(rename = "min")]
    Minutes,
}

/// A column of a table, and what it is read as.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MappedColumn {
    /// Its name; that of a nested field with dots: `scores.accuracy`. A column without a name: its number from 1.
    pub name: String,
    /// What its cells are, in words: `text`, `number`, `yes or no`, `list`, `empty`.
    pub kind: String,
    /// What it is read as.
    pub role: Role,
    /// Unit of a duration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<TimeUnit>,
    /// Whether less of it is better, of a score, a metric or the scores of a model. Never guessed: somebody has said it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub less_is_better: bool,
    /// Why it was given this role, where it was guessed: `named like an identifier, and each value is there
    /// once per model`; lower case, no full stop. Empty: it was chosen.
    pub why: String,
}

/// How a table is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Mapping {
    /// What the table is made of, in words: `CSV with ; between cells and decimal commas`, `Parquet`.
    pub form: String,
    /// The table inside a file that holds several (SQLite); `None`: the file is one table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// Its columns, in the order of the file.
    pub columns: Vec<MappedColumn>,
    /// Whether somebody has said that it is right: a mapping file, or the page. Else it is guessed.
    pub is_confirmed: bool,
    /// The mapping file that says so; `None`: it is guessed, or the page says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Number of rows.
    pub n_rows: u64,
    /// The cells of the first rows as texts, cut after [`SHOWN_CHARS`] characters: what the page about
    /// columns shows. Kept out of exports.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub first_rows: Vec<Vec<String>>,
}

/// How many rows [`Mapping::first_rows`] has at most, and how many characters a cell in them.
pub const SHOWN_ROWS: usize = 8;
/// See [`SHOWN_ROWS`].
pub const SHOWN_CHARS: usize = 120;

/// Folder whose mapping files come from the page: they count before any that lies beside the data.
pub const PAGE_MAPPINGS: &str = "columns chosen in the page";

/// Roles of columns as a mapping file says them: `{"evalglass_mapping": 1, "columns": [{"name": "id",
/// "role": "id"}, …]}`. It is meant for every table that has just these columns, in any order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MappingFile {
    /// Version of the format: 1.
    pub evalglass_mapping: u32,
    /// Only for the table of this name in a file that holds several; `None`: for any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// `false`: the choice is a draft, and the page goes on to say that it is guessed.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub confirmed: bool,
    /// Every column of the table.
    pub columns: Vec<ColumnRole>,
}

/// The role of a column in a mapping file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnRole {
    /// Name of the column.
    pub name: String,
    /// Its role.
    pub role: Role,
    /// Unit of a duration; `None`: seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<TimeUnit>,
    /// Whether less of it is better, of a score, a metric or the scores of a model.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub less_is_better: bool,
}

fn yes() -> bool {
    true
}

impl MappingFile {
    /// The file that says what `mapping` does.
    pub fn of(mapping: &Mapping) -> Self {
        let role = |column: &MappedColumn| ColumnRole {
            name: column.name.clone(),
            role: column.role,
            unit: column.unit,
            less_is_better: column.less_is_better,
        };
        Self {
            evalglass_mapping: 1,
            table: mapping.table.clone(),
            confirmed: mapping.is_confirmed,
            columns: mapping.columns.iter().map(role).collect(),
        }
    }

    /// Whether it is meant for a table called `table` with these columns, in any order.
    pub fn is_for<'a>(&self, table: Option<&str>, columns: impl Iterator<Item = &'a str>) -> bool {
        let mut theirs: Vec<&str> = columns.collect();
        let mut own: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        theirs.sort_unstable();
        own.sort_unstable();
        own == theirs && (self.table.is_none() || self.table.as_deref() == table)
    }

    /// What it is known by: the same for all mapping files that are meant for the same columns in any order, and
    /// the same table. 16 hexadecimal digits (FNV-1a).
    pub fn key(&self) -> String {
        let mut names: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        names.sort_unstable();
        let table = self.table.as_deref().unwrap_or_default();
        let texts = std::iter::once(table).chain(names);
        // No text holds a byte 255, so it tells where one ends.
        let bytes = texts.flat_map(|text| text.bytes().chain(std::iter::once(255)));
        let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        format!("{hash:016x}")
    }

    /// The path under which the page gives it.
    pub fn page_path(&self) -> String {
        format!("{PAGE_MAPPINGS}/{}.json", self.key())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(names: &[&str], table: Option<&str>) -> MappingFile {
        let column = |name: &&str| ColumnRole { name: (*name).to_owned(), ..ColumnRole::default() };
        MappingFile {
            columns: names.iter().map(column).collect(),
            table: table.map(str::to_owned),
            ..MappingFile::default()
        }
    }

    #[test]
    fn a_mapping_file_is_known_by_its_columns_in_any_order() {
        let own = file(&["a", "b"], None);
        assert_eq!(own.key(), file(&["b", "a"], None).key());
        for other in
            [file(&["ab"], None), file(&["a", "b", ""], None), file(&["a", "b"], Some("t"))]
        {
            assert_ne!(own.key(), other.key());
        }
        assert_eq!(own.page_path().len(), PAGE_MAPPINGS.len() + 1 + 16 + 5);
    }
}
