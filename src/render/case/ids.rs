//! What the page acts on: ids to jump to, buttons that ask for parts, views of many rows.
//!
//! | written | what the page does |
//! |---|---|
//! | `<details data-part=NAME>` | when first opened, puts the part behind the summary |
//! | `<div class="later" data-part=NAME>` | when it comes near, puts the part into it |
//! | `<button data-part=NAME data-into=ID>` | puts the part in the place of the element `ID`; it has the same id |
//! | `<div data-lines=NAME data-n=ROWS data-columns=COLUMNS>` | shows the rows that are in view; asks for `NAME:first:end` |
//! | `<button data-copy=NAME>` | copies the whole text |
//! | `<input data-find=NAME data-into=ID>` | asks for `NAME:find:needle` while somebody writes |
//! | `<button data-jump=ID data-row=ROW data-through="NAME NAME">` | opens the parts on the way, scrolls to the element or its row, marks and focuses it |
//! | `data-spot=WORD` beside it | puts the word into the address, so that a link leads there |

use super::reading::Reading;
use super::text_id::TextId;
use crate::format;
use crate::markup::Markup;

/// The id of the element that shows `text` as `what`.
pub(super) fn dom_id(reading: &Reading, what: &str, text: &TextId) -> String {
    reading.own_id(&format!("{what}-{text}"))
}

/// A way to an element of the case.
pub(super) struct Jump {
    id: String,
    row: Option<usize>,
    through: String,
    spot: String,
}

impl Jump {
    /// To the element `id`.
    pub(super) fn to(id: &str) -> Self {
        Self { id: id.to_owned(), row: None, through: String::new(), spot: String::new() }
    }

    /// To row `row` of the view `id`.
    pub(super) fn to_row(id: &str, row: usize) -> Self {
        Self { row: Some(row), ..Self::to(id) }
    }

    /// After `parts` have been opened, from the first to the last.
    pub(super) fn through(self, parts: &[String]) -> Self {
        Self { through: parts.join(" "), ..self }
    }

    /// As the way to what addresses call `spot`.
    pub(super) fn spot(self, spot: &str) -> Self {
        Self { spot: spot.to_owned(), ..self }
    }

    /// Draws it as a button that says `words`.
    pub(super) fn button(&self, out: &mut Markup, class: &str, words: &str) {
        self.button_with(out, class, |out| {
            out.text(words);
        });
    }

    /// Draws it as a button.
    pub(super) fn button_with(
        &self,
        out: &mut Markup,
        class: &str,
        body: impl FnOnce(&mut Markup),
    ) {
        let row = self.row.map(|row| row.to_string());
        out.open("button")
            .attr("type", "button")
            .class(&format!("jump {class}"))
            .attr("dir", "auto")
            .attr("data-jump", &self.id)
            .attr_if("data-row", row.as_deref())
            .attr_if("data-through", (!self.through.is_empty()).then_some(&*self.through))
            .attr_if("data-spot", (!self.spot.is_empty()).then_some(&*self.spot))
            .body(body);
    }
}

/// One of several ways to see the element `into`.
pub(super) fn choice(out: &mut Markup, name: &str, into: &str, word: &str, is_chosen: bool) {
    out.open("button")
        .attr("type", "button")
        .class("way")
        .attr("id", &format!("{into}-{}", word.to_lowercase().replace(' ', "-")))
        .attr("data-part", name)
        .attr("data-into", into)
        .attr("aria-pressed", if is_chosen { "true" } else { "false" })
        .text(word);
}

/// A button that copies what `name` names.
pub(super) fn copy_button(out: &mut Markup, name: &str, what: &str) {
    out.open("button")
        .attr("type", "button")
        .class("button button--quiet button--copy")
        .attr("data-copy", name)
        .attr("aria-label", &format!("Copy {what}"))
        .text("Copy");
}

/// A view of many rows, of which the page has those in sight.
pub(super) struct Viewer<'a> {
    /// Id of the element.
    pub id: &'a str,
    /// Its class.
    pub class: &'a str,
    /// Name of its rows, without a range.
    pub name: &'a str,
    /// What it shows.
    pub label: &'a str,
    /// How many rows.
    pub n_rows: usize,
    /// Columns of the longest.
    pub n_columns: usize,
}

impl Viewer<'_> {
    /// Draws the view, empty: the page fills it.
    pub(super) fn draw(&self, out: &mut Markup) {
        let rows = format::counted(self.n_rows as u64, "row", "rows");
        out.open("div")
            .class(&format!("viewer {}", self.class))
            .attr("id", self.id)
            .attr("role", "group")
            .attr("aria-label", &format!("{}, {rows}", self.label))
            .attr("tabindex", "0")
            .attr("data-lines", self.name)
            .attr("data-n", &self.n_rows.to_string())
            .attr("data-columns", &self.n_columns.to_string())
            .end();
    }
}
