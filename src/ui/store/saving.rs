//! What leaves the page: exports, pictures, the clipboard.

use super::Store;
use crate::address::Route;
use crate::browser;
use crate::ui::state::{ExportScope, downloaded, picture};
use crate::words::ui::status as words;
use crate::worker::protocol::{Answer, Download, ExportKind, Question, Task};
use leptos::prelude::*;
use leptos::task::spawn_local;

impl Store {
    /// Exports and downloads what `scope` says.
    pub fn export(self, kind: ExportKind, scope: ExportScope) {
        let view = self.selection.with_untracked(|rows| {
            self.route.with_untracked(|route| scope.chosen(route, rows.ranges()))
        });
        self.ask(Task::Export { kind, view }, move |answer| match answer {
            Ok(Answer::Export(file)) => self.save(&file),
            Ok(_) => {}
            Err(failure) => self.say(words::not_exported(failure)),
        });
    }

    /// Gives a file to the browser to be kept.
    pub fn save(self, file: &Download) {
        match browser::download(&file.name, &file.mime, &file.bytes) {
            Ok(()) => self.say(downloaded(&file.name, file.bytes.len())),
            Err(err) => self.say(format!("{err}.")),
        }
    }

    /// Saves a chart of the present page as a picture called `name`: `svg` or `png`.
    pub fn save_figure(self, sort: &str, id: String, name: &str) {
        let topic = self.route.with_untracked(Route::topic);
        let (file, is_png) = picture(name, sort);
        self.ask(Question::Figure { topic, id }, move |answer| match answer {
            Ok(Answer::Text(svg)) if is_png => spawn_local(async move {
                if let Err(err) = browser::save_png(&svg, &file).await {
                    self.say(format!("{err}."));
                }
            }),
            Ok(Answer::Text(svg)) => {
                if let Err(err) = browser::download(&file, "image/svg+xml", svg.as_bytes()) {
                    self.say(format!("{err}."));
                }
            }
            Ok(_) => {}
            Err(failure) => self.say(words::not_saved(failure)),
        });
    }

    /// Copies the address of the view, and says what one who opens it needs besides.
    pub(super) fn copy_link(self) {
        let target = self.route.with_untracked(|route| route.target);
        let fetched = if browser::has_sources() { self.evaluations_of(0) } else { Vec::new() };
        self.ask(Question::Needed { target, fetched }, move |answer| match answer {
            Ok(Answer::Text(said)) => self.copy_saying(browser::address(&self.hash()), said),
            Ok(_) => {}
            Err(failure) => self.say(failure.to_string()),
        });
    }

    /// Copies the text that the worker calls `name`, whole.
    pub fn copy_text(self, name: String) {
        self.ask(Question::Text(name), move |answer| match answer {
            Ok(Answer::Text(text)) => self.copy(text),
            Ok(_) => {}
            Err(failure) => self.say(failure.to_string()),
        });
    }

    /// Copies `text`.
    pub fn copy(self, text: String) {
        self.copy_saying(text, words::COPIED.to_owned());
    }

    /// Copies `text`, and says `said` when that is done.
    pub fn copy_saying(self, text: String, said: String) {
        spawn_local(async move {
            match browser::copy(&text).await {
                Ok(()) => self.say(said),
                Err(err) => self.say(format!("{err}.")),
            }
        });
    }
}
