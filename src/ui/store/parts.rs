//! Parts of what is drawn, between the document and the worker.

use super::Store;
use crate::browser::{self, Hooks, OnPart, Rows};
use crate::ui::window::{scroll_to, window};
use crate::worker::protocol::{Answer, Question};

/// Begins to serve parts.
pub fn serve(store: Store) {
    browser::start_parts(Hooks {
        part: Box::new(move |name, on_part| ask(store, name, on_part)),
        copy: Box::new(move |name| copy(store, name)),
        rows,
        scroll_to,
    });
}

fn ask(store: Store, name: String, on_part: OnPart) {
    store.ask(Question::Part(name), move |answer| {
        on_part(match answer {
            Ok(Answer::Markup(markup)) => Ok(markup),
            Ok(_) => Err("the worker gave another answer".to_owned()),
            Err(failure) => Err(failure.to_string()),
        });
    });
}

fn copy(store: Store, name: String) {
    store.ask(Question::Text(name), move |answer| match answer {
        Ok(Answer::Text(text)) => store.copy(text),
        Ok(_) => {}
        Err(failure) => store.say(failure.to_string()),
    });
}

fn rows(n_rows: u64, row_height: f64, view_height: f64, scroll_top: f64) -> Rows {
    let drawn = window(n_rows, row_height, view_height, scroll_top);
    Rows { first: drawn.first, end: drawn.end, top: drawn.top, height: drawn.height }
}
