//! Documents found by their folders, rows by what they are about: a run directory may have thousands of each.

use super::run_files::Document;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::ops::Deref;

/// Documents of one kind, in the order of their files.
#[derive(Debug, Default)]
pub(super) struct FolderDocuments {
    all: Vec<Document>,
    /// By folder, the first one.
    first: HashMap<String, usize>,
}

impl FolderDocuments {
    /// The first document in `folder`.
    pub(super) fn in_folder(&self, folder: &str) -> Option<&Document> {
        self.first.get(folder).and_then(|&at| self.all.get(at))
    }
}

impl Extend<Document> for FolderDocuments {
    fn extend<T: IntoIterator<Item = Document>>(&mut self, documents: T) {
        for document in documents {
            self.first.entry(document.folder().to_owned()).or_insert(self.all.len());
            self.all.push(document);
        }
    }
}

impl Deref for FolderDocuments {
    type Target = [Document];

    fn deref(&self) -> &[Document] {
        &self.all
    }
}

/// Lines of `checkpoint_results.jsonl`.
#[derive(Debug, Default)]
pub(super) struct CheckpointRows {
    all: Vec<Map<String, Value>>,
    by_problem: HashMap<String, ProblemRows>,
}

/// Numbers of rows.
#[derive(Debug, Default)]
struct ProblemRows {
    /// Of a problem.
    all: Vec<usize>,
    /// By checkpoint, the last one.
    last: HashMap<String, usize>,
}

impl CheckpointRows {
    /// The row of a checkpoint: of several the last.
    pub(super) fn row(&self, problem: &str, checkpoint: &str) -> Option<&Map<String, Value>> {
        self.all.get(*self.by_problem.get(problem)?.last.get(checkpoint)?)
    }

    /// The rows of a problem.
    pub(super) fn of(&self, problem: &str) -> impl Iterator<Item = &Map<String, Value>> {
        let found = self.by_problem.get(problem).into_iter();
        found.flat_map(|found| &found.all).filter_map(|&number| self.all.get(number))
    }

    /// The number of the first row of a problem.
    pub(super) fn first(&self, problem: &str) -> Option<usize> {
        self.by_problem.get(problem)?.all.first().copied()
    }
}

impl From<Vec<Map<String, Value>>> for CheckpointRows {
    fn from(all: Vec<Map<String, Value>>) -> Self {
        let mut by_problem: HashMap<String, ProblemRows> = HashMap::new();
        for (number, row) in all.iter().enumerate() {
            let text = |key: &str| row.get(key).and_then(Value::as_str).map(str::to_owned);
            let Some(problem) = text("problem") else { continue };
            let own = by_problem.entry(problem).or_default();
            own.all.push(number);
            own.last.extend(text("checkpoint").map(|checkpoint| (checkpoint, number)));
        }
        Self { all, by_problem }
    }
}

impl Deref for CheckpointRows {
    type Target = [Map<String, Value>];

    fn deref(&self) -> &[Map<String, Value>] {
        &self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn of_documents_in_one_folder_the_first_counts() {
        let document = |path: &str| Document { path: path.into(), value: json!(path) };
        let mut all = FolderDocuments::default();
        all.extend(["a/one", "a/two", "three", "a/b/four"].map(document));
        let path = |folder: &str| all.in_folder(folder).map(|found| found.path.to_string());
        assert_eq!(path("a").as_deref(), Some("a/one"));
        assert_eq!(path("").as_deref(), Some("three"));
        assert_eq!(path("a/b").as_deref(), Some("a/b/four"));
        assert_eq!(path("b"), None);
        assert_eq!(all.len(), 4);
    }

    #[test]
    fn of_rows_about_one_checkpoint_the_last_counts() {
        let rows = json!([
            {"problem": "p", "checkpoint": "c", "n": 0},
            {"problem": "q", "checkpoint": "c", "n": 1},
            {"problem": "p", "checkpoint": "c", "n": 2},
            {"problem": "p", "n": 3},
            {"checkpoint": "c", "n": 4},
        ]);
        let rows: Vec<Map<String, Value>> = serde_json::from_value(rows).unwrap();
        let rows = CheckpointRows::from(rows);
        let n = |row: &Map<String, Value>| row.get("n").and_then(Value::as_u64).unwrap();
        assert_eq!(rows.row("p", "c").map(n), Some(2));
        assert_eq!(rows.row("q", "c").map(n), Some(1));
        assert_eq!(rows.row("p", ""), None);
        assert_eq!(rows.of("p").map(n).collect::<Vec<_>>(), [0, 2, 3]);
        assert_eq!((rows.first("p"), rows.first("q"), rows.first("r")), (Some(0), Some(1), None));
        assert_eq!(rows.len(), 5);
    }
}
