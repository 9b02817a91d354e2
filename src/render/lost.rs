//! What is said when a link leads to something that is not open.

use crate::address::{Missing, Route};
use crate::markup::Markup;

/// Where the link leads, what to drop, and the way past it. `is_alone`: it is the whole page.
pub fn lost(missing: &Missing, is_alone: bool) -> Markup {
    let [leads, advice] = missing.words();
    let mut out = Markup::new();
    out.open("section").class("panel lost").attr("aria-label", "Link").body(|out| {
        out.open(if is_alone { "h1" } else { "h2" }).class("panel__title").text(&leads);
        out.open("p").text(&advice);
        out.open("div").class("lost__ways").body(|out| {
            // The ids of the file inputs are the words. The start page has its own buttons above.
            let ways = [("open-files", "Open files"), ("open-folder", "Open folder")];
            for (word, words) in ways.into_iter().filter(|_| is_alone) {
                out.open("button")
                    .attr("type", "button")
                    .class("button")
                    .attr("data-do", word)
                    .text(words);
            }
            let overview = Route::default().to_hash(&());
            let words = if is_alone { "Go to the overview instead" } else { "Forget the link" };
            out.open("a").class("link").href(&overview).text(words);
        });
    });
    out
}
