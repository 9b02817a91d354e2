//! Saving a sealed report: the worker says what there is and prepares, the page puts it into its own file.

use super::Store;
use crate::browser::{self, PageFile};
use crate::report::Progress;
use crate::ui::sealing::Stage;
use crate::words::ui::seal as words;
use crate::words::ui::status::downloaded;
use crate::worker::protocol::{Answer, Failure, PAGE_MARKS, Question, SealWishes, Task};
use leptos::prelude::*;
use leptos::task::spawn_local;

/// Id of the dialog.
pub const SEAL_DIALOG: &str = "seal";
/// Id of the button that saves.
pub const SEAL_SAVE: &str = "seal-save";

impl Store {
    /// Opens the dialog. What was typed for the same before is still there.
    pub(super) fn begin_seal(self) {
        self.ask(Question::SealForm { view: self.hash() }, move |answer| match answer {
            Ok(Answer::SealOffer(offer)) => {
                self.sealing.update(|dialog| dialog.begin(offer));
                // Once the form is there, so that the focus goes to its first field.
                browser::frame(|| browser::show_dialog(SEAL_DIALOG, true));
            }
            Ok(_) => {}
            Err(failure) => self.say(failure.to_string()),
        });
    }

    /// Has the worker prepare what the form says.
    pub fn prepare_seal(self) {
        self.sealing.update(|dialog| dialog.stage = Stage::Busy);
        self.progress.set(Progress::default());
        spawn_local(async move {
            match self.page_file().await {
                Ok(file) => {
                    let asked = self.seal_wishes(&file);
                    let wishes = Box::new(asked.clone());
                    let task = Task::Seal { view: self.hash(), wishes };
                    self.ask(task, move |answer| match answer {
                        Ok(Answer::Sealed(found)) => {
                            self.page_file.set_value(Some(file));
                            let found = found.map(|own| *own);
                            self.sealing.update(|dialog| dialog.prepared(&asked, found));
                            browser::focus_soon(SEAL_SAVE);
                        }
                        Ok(_) => {}
                        Err(failure) => self.not_sealed(failure.to_string()),
                    });
                }
                Err(reason) => self.not_sealed(reason),
            }
        });
    }

    /// The page's own file, as the form wants it.
    async fn page_file(self) -> Result<PageFile, String> {
        let file = PageFile::fetch().await.map_err(|err| err.to_string())?;
        let [next, reader, end] = PAGE_MARKS;
        if !file.holds(next) {
            return Err(words::NO_FILE.to_owned());
        }
        let is_open = self.sealing.with_untracked(|dialog| dialog.wishes.is_open);
        match (is_open, file.holds(reader)) {
            (true, false) => Err(words::NO_READER.to_owned()),
            (true, true) => Ok(file),
            // A report that opens no further files does without the program that reads them.
            (false, _) => Ok(file.without(reader, end)),
        }
    }

    fn seal_wishes(self, file: &PageFile) -> SealWishes {
        let (n_page, made, before) = (file.n_bytes(), browser::date(), browser::sealed_without());
        self.sealing.with_untracked(|dialog| dialog.asked(n_page, made, before))
    }

    /// Saves what was prepared, in the very file that sizes were told of.
    pub fn save_seal(self) {
        self.ask(Question::SealSave, move |answer| match answer {
            Ok(Answer::Export(block)) => {
                let [next, ..] = PAGE_MARKS;
                let file = self.page_file.try_update_value(Option::take).flatten();
                let saved = file.map(|file| file.save_with(next, &block.bytes, &block.name));
                match saved {
                    Some(Ok(())) => {
                        browser::show_dialog(SEAL_DIALOG, false);
                        self.say(downloaded(&block.name));
                    }
                    Some(Err(err)) => self.not_sealed(err.to_string()),
                    None => self.not_sealed(words::CHANGED.to_owned()),
                }
            }
            Ok(_) => {}
            Err(failure) => self.not_sealed(failure.to_string()),
        });
    }

    /// Forgets what was prepared: the dialog is closed.
    pub fn end_seal(self) {
        self.sealing.update(|dialog| dialog.stage = Stage::Open);
        self.page_file.set_value(None);
        self.ask(Question::Unseal, |_answer: Result<Answer, Failure>| {});
    }

    fn not_sealed(self, reason: String) {
        self.sealing.update(|dialog| dialog.stage = Stage::Failed(reason));
    }
}
