//! How columns of tables are read, as the page says it: mapping files of its own, given along with every opening.

use super::core::Core;
use super::protocol::{Answer, Download, Failure};
use crate::address::{roles_of, roles_word};
use crate::input::{Dropped, InputFile, MemorySource, Pulse};
use crate::model::{MappingFile, Notes};
use crate::readers::Unclaimed;
use crate::report::{self, ColumnsView, Target};
use crate::workspace::Workspace;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

/// What changes of what the page says about columns.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnsChange {
    /// Roles of columns, as [`roles_word`] writes them, and whether they are confirmed. They take the place
    /// of what was said of the same columns.
    pub put: Vec<(String, bool)>,
    /// Roles of columns of which nothing is to be said any more.
    pub take: Vec<String>,
}

impl ColumnsChange {
    /// Both changes, this one first, as one.
    pub fn then(mut self, next: Self) -> Self {
        let key = |word: &str| roles_of(word).map(|file| file.key());
        let newer: HashSet<Option<String>> =
            next.put.iter().map(|(word, _)| word).chain(&next.take).map(|word| key(word)).collect();
        self.put.retain(|(word, _)| !newer.contains(&key(word)));
        self.take.retain(|word| !newer.contains(&key(word)));
        self.put.extend(next.put);
        self.take.extend(next.take);
        self
    }
}

/// The page about columns as it is sent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ColumnsShown {
    /// What it shows.
    pub view: ColumnsView,
    /// What is shown, as the page says it.
    pub word: String,
}

/// Mapping files of the page with their texts, by path.
#[derive(Default)]
pub(super) struct PageColumns(RefCell<BTreeMap<String, MappingText>>);

/// A mapping file with its text.
type MappingText = (MappingFile, Rc<[u8]>);

impl Core {
    /// The page's mapping files for tables among `unclaimed`, except for those that are open.
    pub(super) fn wanted_columns(&self, unclaimed: &[Rc<Unclaimed>]) -> Vec<InputFile> {
        let known = self.columns.0.borrow();
        let is_wanted = |file: &MappingFile| unclaimed.iter().any(|one| is_for_table(one, file));
        let files = known.iter().filter(|(path, (file, _))| !self.is_open(path) && is_wanted(file));
        let files = files.map(|(path, (_, text))| self.file(path.clone(), text));
        files.collect()
    }

    /// A file in memory.
    fn file(&self, path: String, text: &Rc<[u8]>) -> InputFile {
        let mut next_source = self.next_source.get();
        let file = Dropped { path, data: Rc::new(MemorySource::new(text.to_vec())) };
        let file = file.numbered(&mut next_source);
        self.next_source.set(next_source);
        file
    }

    /// Whether a file with this path is open and somebody's.
    fn is_open(&self, path: &str) -> bool {
        let claims = &self.workspace.borrow().claims;
        claims.iter().any(|(_, claimed)| claimed.file.path == path)
    }

    /// Has columns read as `change` says: tables that are open at once, others when they are opened.
    ///
    /// # Errors
    /// When a table cannot be read so or again, or `pulse` says stop. Then nothing has changed.
    pub(super) async fn change_columns(
        &self,
        change: ColumnsChange,
        pulse: &Pulse,
    ) -> Result<Answer, Failure> {
        let ColumnsChange { put, take } = change;
        let mut news: Vec<MappingText> = Vec::new();
        for (word, is_confirmed) in put {
            // What an older build or another hand has written is left out.
            let Some(mut file) = roles_of(&word) else { continue };
            file.confirmed = is_confirmed;
            let text = serde_json::to_vec_pretty(&file)
                .map_err(|err| Failure::Message(err.to_string()))?;
            news.push((file, text.into()));
        }
        let gone: HashSet<String> =
            take.iter().filter_map(|word| roles_of(word)).map(|file| file.page_path()).collect();
        let (opened, instead) = {
            let (workspace, known) = (self.workspace.borrow(), self.columns.0.borrow());
            let is_news = |file: &MappingFile, text: &Rc<[u8]>| {
                let path = file.page_path();
                is_for_open(&workspace, file)
                    && !(self.is_open(&path)
                        && known.get(&path).is_some_and(|(_, known)| known == text))
            };
            let opened: Vec<InputFile> = news
                .iter()
                .filter(|(file, text)| is_news(file, text))
                .map(|(file, text)| self.file(file.page_path(), text))
                .collect();
            let replaced = opened.iter().map(|file| file.path.clone());
            let mut instead: HashSet<String> = replaced.collect();
            instead.extend(gone.iter().filter(|path| self.is_open(path)).cloned());
            (opened, instead)
        };
        if !instead.is_empty() {
            let is_instead = |path: &str| instead.contains(path);
            self.read_instead(opened, &is_instead, Notes::default(), pulse).await?;
        }
        let mut known = self.columns.0.borrow_mut();
        known.retain(|path, _| !gone.contains(path));
        known.extend(news.into_iter().map(|(file, text)| (file.page_path(), (file, text))));
        Ok(Answer::Workspace(self.shown_tree(&self.workspace.borrow())))
    }

    /// How the table of `target` is read.
    ///
    /// # Errors
    /// [`Failure::Gone`] when it was read from no table.
    pub(super) fn columns_page(&self, target: Target) -> Result<Answer, Failure> {
        let (workspace, look) = (self.workspace.borrow(), self.look.get());
        let view = report::columns_view(&workspace, target, &|value| look.score(value));
        let view = view.ok_or(Failure::Gone)?;
        let word = roles_word(&self.mapping_file(target)?);
        Ok(Answer::Columns(Box::new(ColumnsShown { view, word })))
    }

    /// The mapping file of the table of `target`, to be saved.
    ///
    /// # Errors
    /// As above.
    pub(super) fn columns_file(&self, target: Target) -> Result<Answer, Failure> {
        let file = MappingFile { confirmed: true, ..self.mapping_file(target)? };
        let mut bytes =
            serde_json::to_vec_pretty(&file).map_err(|err| Failure::Message(err.to_string()))?;
        bytes.push(b'\n');
        let workspace = self.workspace.borrow();
        let entry =
            workspace.entries_of(target).find(|entry| entry.evaluation.config.mapping.is_some());
        let path = entry.map_or("", |entry| entry.evaluation.path.as_str());
        let name = path.rsplit('/').next().unwrap_or(path);
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let name = format!("{}.columns.json", if stem.is_empty() { "table" } else { stem });
        Ok(Answer::Export(Download { name, mime: "application/json".to_owned(), bytes }))
    }

    /// What is in force for the table of `target`, the first of several, as a mapping file.
    fn mapping_file(&self, target: Target) -> Result<MappingFile, Failure> {
        let workspace = self.workspace.borrow();
        let mut mappings = workspace
            .entries_of(target)
            .filter_map(|entry| entry.evaluation.config.mapping.as_ref());
        mappings.next().map(MappingFile::of).ok_or(Failure::Gone)
    }
}

/// Whether a table that is open has the columns of `file`.
fn is_for_open(workspace: &Workspace, file: &MappingFile) -> bool {
    let mut mappings =
        workspace.entries.iter().filter_map(|entry| entry.evaluation.config.mapping.as_ref());
    let is_read = mappings.any(|mapping| {
        let columns = mapping.columns.iter().map(|column| column.name.as_str());
        file.is_for(mapping.table.as_deref(), columns)
    });
    is_read || workspace.unclaimed.iter().any(|one| is_for_table(one, file))
}

/// Whether `one` is a table with the columns of `file`.
fn is_for_table(one: &Unclaimed, file: &MappingFile) -> bool {
    let mut sheets = one.table.iter().flat_map(|table| &table.sheets);
    sheets
        .any(|sheet| file.is_for(sheet.table.as_deref(), sheet.columns.iter().map(String::as_str)))
}
