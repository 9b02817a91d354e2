//! What leaves the page: exports, pictures, the clipboard.

use super::Store;
use crate::address::Route;
use crate::browser;
use crate::format;
use crate::worker::protocol::{Answer, ExportKind, Request};
use leptos::prelude::*;
use leptos::task::spawn_local;

/// Paths that are named when a link is copied.
const MAX_NEEDED: usize = 4;

impl Store {
    /// Exports and downloads everything, or only what is shown.
    pub fn export(self, kind: ExportKind, is_view: bool) {
        let view = is_view.then(|| self.route.with_untracked(Route::case_query));
        self.ask(Request::Export { kind, view }, move |answer| match answer {
            Ok(Answer::Export(file)) => {
                match browser::download(&file.name, &file.mime, &file.bytes) {
                    Ok(()) => self.say(format!(
                        "{} ({}) is in your downloads.",
                        file.name,
                        format::bytes(file.bytes.len() as u64)
                    )),
                    Err(err) => self.say(format!("{err}.")),
                }
            }
            Ok(_) => {}
            Err(failure) => self.say(format!("Not exported: {failure}")),
        });
    }

    /// Saves a chart of the present page as a picture called `name`: `svg` or `png`.
    pub(super) fn save_figure(self, sort: &str, id: String, name: &str) {
        let topic = self.route.with_untracked(Route::topic);
        let (is_png, file) = (sort == "png", format!("{name}.{sort}"));
        self.ask(Request::Figure { topic, id }, move |answer| match answer {
            Ok(Answer::Text(svg)) if is_png => browser::save_png(&svg, &file),
            Ok(Answer::Text(svg)) => {
                if let Err(err) = browser::download(&file, "image/svg+xml", svg.as_bytes()) {
                    self.say(format!("{err}."));
                }
            }
            Ok(_) => {}
            Err(failure) => self.say(format!("Not saved: {failure}")),
        });
    }

    /// Copies the address of the view, and says what whoever opens it needs besides.
    pub(super) fn copy_link(self) {
        let needed = self.needed();
        let mut said = "Copied.".to_owned();
        if !needed.is_empty() {
            said.push_str(" The link holds the view, not the data: whoever opens it needs ");
            said.push_str(&needed.join(", "));
            said.push('.');
        }
        self.copy_saying(browser::address(&self.hash()), said);
    }

    /// Paths of what the view is about, but for what the address itself names.
    fn needed(self) -> Vec<String> {
        let fetched = if browser::has_sources() { self.evaluations_of(0) } else { Vec::new() };
        let seen = untrack(|| self.selected());
        let is_needed = |id: u32| !fetched.contains(&id) && seen.is_none_or(|seen| seen == id);
        self.tree.with_untracked(|tree| {
            let needed = tree.evaluations.iter().filter(|node| is_needed(node.id));
            let name = |path: &str, label: &str| {
                if path.is_empty() { label.to_owned() } else { path.to_owned() }
            };
            let mut paths: Vec<String> = needed.map(|node| name(&node.path, &node.label)).collect();
            let n_more = paths.len().saturating_sub(MAX_NEEDED);
            if n_more > 1 {
                paths.truncate(MAX_NEEDED);
                paths.push([&format::count(n_more as u64), " more"].concat());
            }
            paths
        })
    }

    /// Copies `text`.
    pub fn copy(self, text: String) {
        self.copy_saying(text, "Copied.".to_owned());
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
