//! How columns of tables are read: chosen on the page, kept for the next visit, named in the address.

use super::Store;
use crate::address::{Page, roles_of, roles_word};
use crate::browser;
use crate::report::{ColumnRole, MappingFile, Target};
use crate::ui::state::{kept_columns, new_in, with_columns, without_columns};
use crate::words::ui::columns as words;
use crate::worker::protocol::{Answer, ColumnsChange, Failure, Question, Task};
use leptos::prelude::*;

/// Name under which confirmed roles are kept.
const NAME: &str = "columns";

impl Store {
    /// Tells the worker what is known of columns, before anything is opened: the address holds before what this
    /// device has kept.
    pub(super) fn begin_columns(self) {
        let kept = kept_columns(&browser::remembered(NAME).unwrap_or_default());
        let named = self.route.with_untracked(|route| route.roles.clone());
        let is_kept = |file: &&MappingFile| !named.iter().any(|own| own.key() == file.key());
        let all = kept.iter().filter(is_kept).chain(&named);
        let put: Vec<(String, bool)> = all.map(|file| (roles_word(file), true)).collect();
        if !put.is_empty() {
            self.change(Task::Columns(ColumnsChange { put, take: Vec::new() }));
        }
    }

    /// Keeps the roles of the address, where somebody went to one that names none, and has tables read
    /// by those that are new.
    pub(super) fn follow_columns(self, old: &[MappingFile]) {
        let named = self.route.with_untracked(|route| route.roles.clone());
        let is_known = |file: &&MappingFile| !old.contains(file);
        let put: Vec<(String, bool)> =
            named.iter().filter(is_known).map(|file| (roles_word(file), true)).collect();
        if !put.is_empty() {
            self.change(Task::Columns(ColumnsChange { put, take: Vec::new() }));
        }
    }

    /// Has column `nth` of the table that is read as `shown` read as `chosen`.
    pub fn choose_column(self, shown: &MappingFile, nth: usize, chosen: ColumnRole) {
        self.choosing.update(|choosing| choosing.choose(shown, nth, chosen));
        self.read_choice();
    }

    /// Has the worker read what was chosen last, once it is free.
    fn read_choice(self) {
        let Some(file) = self.choosing.try_update(|choosing| choosing.to_tell()).flatten() else {
            return;
        };
        let put = vec![(roles_word(&file), false)];
        self.change_columns(ColumnsChange { put, take: Vec::new() }, move |is_done| {
            self.choosing.update(|choosing| choosing.answered(is_done));
            self.read_choice();
        });
    }

    /// Confirms that the table is read rightly as `shown`: kept, and put into the address.
    pub fn confirm_columns(self, shown: &MappingFile) {
        let file = MappingFile {
            confirmed: true,
            ..self.choosing.with_untracked(|choosing| choosing.shown(shown).clone())
        };
        let put = vec![(roles_word(&file), true)];
        self.change_columns(ColumnsChange { put, take: Vec::new() }, move |is_done| {
            if !is_done {
                return;
            }
            let text = with_columns(&browser::remembered(NAME).unwrap_or_default(), &file);
            browser::remember(NAME, &text);
            let is_kept = browser::remembered(NAME).is_some_and(|kept| kept == text);
            self.go(|route| route.set_roles(file));
            self.say(if is_kept { words::CONFIRMED } else { words::CONFIRMED_NOT_KEPT });
        });
    }

    /// Forgets what was chosen for the columns of `shown`: the worker guesses again, or takes a mapping file that
    /// lies beside the table.
    pub fn guess_columns(self, shown: &MappingFile) {
        let file = shown.clone();
        let take = vec![roles_word(&file)];
        self.change_columns(ColumnsChange { put: Vec::new(), take }, move |is_done| {
            if !is_done {
                return;
            }
            let kept = browser::remembered(NAME).unwrap_or_default();
            if kept_columns(&kept).iter().any(|known| known.key() == file.key()) {
                browser::remember(NAME, &without_columns(&kept, &file));
            }
            self.go(|route| route.drop_roles(&file));
            self.say(words::FORGOTTEN);
        });
    }

    /// Opens a table that nobody claims, with the roles of `draft`, and turns to the page about its columns.
    pub fn choose_columns_of(self, draft: &MappingFile) {
        let Some(client) = self.client.get_value() else { return };
        self.n_opening.update(|n| *n += 1);
        let put = vec![(roles_word(draft), false)];
        let task = Task::Columns(ColumnsChange { put, take: Vec::new() });
        client.change(task, Vec::new(), move |answer| {
            match answer {
                Ok(Answer::Workspace(tree)) => {
                    let new = self.tree.with_untracked(|old| new_in(old, &tree));
                    self.failure.set(None);
                    self.replace_tree(tree);
                    self.fresh_columns(&new);
                }
                Ok(_) | Err(Failure::Cancelled) => {}
                Err(failure) => self.say(failure.to_string()),
            }
            self.n_opening.update(|n| *n = n.saturating_sub(1));
        });
    }

    /// Turns to the page about the columns of what has just been opened.
    fn fresh_columns(self, new: &[u32]) {
        if let Some(id) = new.first() {
            self.go(|route| {
                route.leave();
                route.page = Page::Columns;
                route.target = Target::Evaluation(*id);
            });
        }
    }

    /// Saves how the table of `target` is read as a mapping file.
    pub fn save_columns(self, target: Target) {
        self.ask(Question::ColumnsFile(target), move |answer| match answer {
            Ok(Answer::Export(file)) => self.save(&file),
            Ok(_) => {}
            Err(failure) => self.say(failure.to_string()),
        });
    }

    /// Copies the link to this view with the roles that the table is read by.
    pub fn copy_columns_link(self, shown: &MappingFile) {
        let mut route = self.route.get_untracked();
        route.set_roles(MappingFile { confirmed: true, ..shown.clone() });
        let hash = self.tree.with_untracked(|tree| route.to_hash(tree));
        self.copy_saying(browser::address(&hash), words::LINK_COPIED.to_owned());
    }

    /// Has the worker change what is said of columns; `then` hears whether it could.
    fn change_columns(self, change: ColumnsChange, then: impl FnOnce(bool) + 'static) {
        let Some(client) = self.client.get_value() else { return };
        self.n_opening.update(|n| *n += 1);
        client.change(Task::Columns(change), Vec::new(), move |answer| {
            let is_done = answer.is_ok();
            match answer {
                Ok(Answer::Workspace(tree)) => self.replace_tree(tree),
                Ok(_) | Err(Failure::Cancelled) => {}
                Err(failure) => self.say(words::not_read(&failure.to_string())),
            }
            self.n_opening.update(|n| *n = n.saturating_sub(1));
            then(is_done);
        });
    }

    /// The mapping file that `word` stands for.
    pub fn columns_of(self, word: &str) -> MappingFile {
        roles_of(word).unwrap_or_default()
    }
}
