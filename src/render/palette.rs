//! The list of the command palette.

use super::{View, outcome_mark};
use crate::address::{Page, Route};
use crate::markup::Markup;
use crate::report::{Command, Goal};

/// One option for each command: a link, or a button that the page acts on by its `data-do`.
pub fn palette(commands: &[Command], view: View<'_>) -> Markup {
    let mut out = Markup::new();
    if commands.is_empty() {
        out.open("p").class("palette__empty").text("Nothing has such a name.");
    }
    for (idx, command) in commands.iter().enumerate() {
        option(idx, command, view, &mut out);
    }
    out
}

fn option(idx: usize, command: &Command, view: View<'_>, out: &mut Markup) {
    let address = match &command.goal {
        Goal::Act(_) => None,
        Goal::Open(link) => Some(View { page: Page::Overview, ..view }.address(link)),
        Goal::Page(number) => {
            let page = Page::ALL.get(number.saturating_sub(1)).copied().unwrap_or_default();
            Some(Route { page, target: view.target, ..Route::default() }.to_hash(view.names))
        }
    };
    let tag = match (&address, &command.goal) {
        (Some(address), _) => out.open("a").href(address),
        (None, Goal::Act(word)) => out.open("button").attr("type", "button").attr("data-do", word),
        (None, _) => out.open("button"),
    };
    tag.class("palette__option")
        .attr("id", &format!("palette-{idx}"))
        .attr("role", "option")
        .attr("tabindex", "-1")
        .body(|out| {
            if let Some(outcome) = command.outcome {
                outcome_mark(outcome, out);
                out.span("visually-hidden", outcome.as_str());
            }
            out.open("bdi").class("palette__label").text(&command.label);
            out.span("palette__hint", &command.hint);
            if let Some(key) = command.key {
                out.open("kbd").class("palette__key").text(key);
            }
        });
}
