//! Texts of a case as they are shown: Markdown, HTML, JSON, differences. Whatever they say, markup stays well-formed.

use crate::reading::crawl::crawl;
use crate::reading::made::{all_of, content, view_of};
use evalglass::reading::Reading;
use evalglass::render::Look;
use evalglass::report::{CaseDetail, Message};

/// Opens everything of a case that has the text in every field, and of one that is long.
pub fn shown(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let (left, right) = text.split_once("\n=====\n").unwrap_or((&text, ""));
    let says =
        |role: &str| Message { role: role.to_owned(), text: left.to_owned(), ..Message::default() };
    let detail = CaseDetail {
        input: vec![content("input", left)],
        expected: vec![content("expected", left)],
        actual: vec![content("actual", right)],
        transcript: vec![says("user"), says("assistant")],
        ..CaseDetail::default()
    };
    crawl(&Reading::new(view_of(detail), Look::default()));
    // Every field has the text: short ones are enough.
    if text.len() <= 300 {
        crawl(&Reading::new(all_of(&text), Look::default()));
    }
}
