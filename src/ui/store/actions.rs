//! What keys, the command palette and drawn buttons do, by word.

use super::Store;
use crate::address::{CompareView, Page};
use crate::browser;
use crate::report::Target;
use crate::ui::state::ExportScope;
use crate::words::ui::status as words;
use crate::worker::protocol::{Export, Question};
use leptos::prelude::*;

/// Does what `word` says; what is not known is nothing.
pub fn act(store: Store, word: &str) {
    match word {
        // Ids of the file inputs.
        "open-files" | "open-folder" => browser::press(word),
        "declared-rules" => store.go(|route| route.rules.clear()),
        // Ids of the dialogs.
        "rename" if store.selected().is_none() => {
            store.say(words::NOTHING_TO_RENAME);
        }
        "compare-previous" => compare(store, Vec::new()),
        "compare-with" => {
            let target = store.route.with_untracked(|route| route.target);
            let sides = if target == Target::All { Vec::new() } else { vec![vec![target]] };
            compare(store, sides);
            browser::frame(|| browser::when_drawn(|| browser::focus("add-side")));
        }
        "rename" | "keys" => browser::show_dialog(word, true),
        "settings" => {
            store.show_memory();
            browser::show_dialog(word, true);
        }
        "remove" => store.remove(untrack(|| store.selected())),
        "restore" => {
            store.toast.set(None);
            store.change(Question::Restore);
        }
        "seal" => store.begin_seal(),
        "theme" => store.next_theme(),
        "watch" => store.switch_watch(),
        "palette" => store.palette.set(true),
        "copy-link" => store.copy_link(),
        _ => {
            let export = word.strip_prefix("export:").and_then(Export::named);
            if let Some(export) = export {
                store.export(export.kind, ExportScope::Everything);
            }
        }
    }
}

/// Turns to the comparison of `sides`; of none: of what suggests itself for what is selected.
fn compare(store: Store, sides: Vec<Vec<Target>>) {
    store.go(|route| {
        route.page = Page::Compare;
        route.compare = CompareView { sides, ..CompareView::default() };
        route.leave();
    });
}
