//! Saving a sealed report: the worker draws the dialog and prepares, the page's scripts save.

use super::Store;
use crate::browser;
use crate::markup::Markup;
use crate::report::Progress;
use crate::worker::protocol::{Answer, Failure, Question, Task};
use leptos::prelude::*;
use leptos::task::spawn_local;

/// Id of the dialog.
pub(super) const DIALOG: &str = "seal";

/// What the dialog shows. Copies are the same dialog.
#[derive(Clone, Copy, Default)]
pub struct Sealing {
    /// The form, as markup.
    pub form: RwSignal<String>,
    /// What was prepared, or why nothing was, as markup.
    pub result: RwSignal<String>,
    /// Whether it is being prepared.
    pub is_busy: RwSignal<bool>,
}

impl Store {
    /// Opens the dialog. What was typed into the same form before is still there.
    pub(super) fn begin_seal(self) {
        self.ask(Question::SealForm { view: self.hash() }, move |answer| match answer {
            Ok(Answer::Markup(form)) => {
                if self.sealing.form.with_untracked(|old| old != form.as_str()) {
                    self.sealing.form.set(form.as_str().to_owned());
                }
                browser::show_dialog(DIALOG, true);
            }
            Ok(_) => {}
            Err(failure) => self.say(failure.to_string()),
        });
    }

    /// Has the worker prepare what the dialog says.
    pub(super) fn prepare_seal(self) {
        self.sealing.result.update(String::clear);
        self.sealing.is_busy.set(true);
        self.progress.set(Progress::default());
        spawn_local(async move {
            match browser::seal_form().await {
                Ok(form) => {
                    let request = Task::Seal { view: self.hash(), form };
                    self.ask(request, move |answer| self.prepared(answer));
                }
                Err(err) => self.not_sealed(&err.to_string()),
            }
        });
    }

    fn prepared(self, answer: Result<Answer, Failure>) {
        match answer {
            Ok(Answer::Markup(summary)) => {
                self.sealing.is_busy.set(false);
                self.sealing.result.set(summary.as_str().to_owned());
                request_animation_frame(|| browser::focus("seal-save"));
            }
            Ok(_) => {}
            Err(failure) => self.not_sealed(&failure.to_string()),
        }
    }

    /// Saves what was prepared.
    pub(super) fn save_seal(self) {
        self.ask(Question::SealSave, move |answer| match answer {
            Ok(Answer::Export(file)) => match browser::save_sealed(&file.bytes, &file.name) {
                Ok(()) => {
                    browser::show_dialog(DIALOG, false);
                    self.say(format!("{} is in your downloads.", file.name));
                }
                Err(err) => self.not_sealed(&err.to_string()),
            },
            Ok(_) => {}
            Err(failure) => self.not_sealed(&failure.to_string()),
        });
    }

    /// Forgets what was prepared: the dialog is closed.
    pub fn end_seal(self) {
        self.sealing.result.update(String::clear);
        self.ask(Question::Unseal, |_answer| {});
    }

    fn not_sealed(self, reason: &str) {
        let mut out = Markup::new();
        out.open("p").class("seal__complaints").attr("role", "alert").text(reason);
        self.sealing.is_busy.set(false);
        self.sealing.result.set(out.as_str().to_owned());
    }
}
