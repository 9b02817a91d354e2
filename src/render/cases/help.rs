//! The search field's helper: what is wrong with a filter, and how it could go on.

use super::frame::filter_error;
use crate::markup::Markup;
use crate::report::filter::suggest;
use crate::report::{Target, Workspace};
use serde::{Deserialize, Serialize};

/// What there is to say of a filter while it is written.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FilterHelp {
    /// Whether it can be read.
    pub is_valid: bool,
    /// Why not, and where.
    pub error: Markup,
    /// Options of a list box: each says in `data-text` what the field holds after it was taken, and
    /// in `data-at` where the cursor is then.
    pub options: Markup,
    /// How many they are.
    pub n_options: u32,
}

/// What there is to say of `text`, a filter on the cases of `target` that is being written at `at`,
/// counted in units of UTF-16.
pub fn filter_help(workspace: &Workspace, target: Target, text: &str, at: u32) -> FilterHelp {
    let found = suggest(workspace, target, text, byte_of_unit(text, at));
    let mut help = FilterHelp { is_valid: found.error.is_none(), ..FilterHelp::default() };
    if let Some(error) = &found.error {
        filter_error(error, text, &mut help.error);
    }
    for (item, nth) in found.items.iter().zip(0_u32..) {
        let units: usize = item.text.get(..item.at).map_or(0, |head| head.encode_utf16().count());
        help.n_options = nth + 1;
        help.options
            .open("li")
            .class("options__item")
            .attr("role", "option")
            .attr("id", &format!("case-option-{nth}"))
            .attr("aria-selected", "false")
            .attr("data-text", &item.text)
            .attr("data-at", &units.to_string())
            .body(|out| {
                out.open("span").class("options__label").attr("dir", "auto").text(&item.label);
                out.text(" ");
                out.span("options__note", &item.note);
            });
    }
    help
}

/// The byte at which unit `at` of UTF-16 begins.
fn byte_of_unit(text: &str, at: u32) -> usize {
    let mut n_units = 0;
    for (byte, letter) in text.char_indices() {
        if n_units >= at as usize {
            return byte;
        }
        n_units += letter.len_utf16();
    }
    text.len()
}
