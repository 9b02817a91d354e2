//! Whatever stands in a file stays text.

use super::crawl::{attribute, crawl, tags};
use super::made::all_of;
use super::seen::Seen;
use evalglass::reading::{PartName, PartShown, Reading};
use evalglass::render::Look;
use proptest::prelude::*;

/// Texts that mean something to somebody: browsers, parsers of JSON, Markdown or diffs, terminals.
const HOSTILE: [&str; 20] = [
    "",
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "[x](javascript:alert(1)) ![y](http://z/?<b>)",
    "&lt;b&gt; &amp;amp; &#60;",
    "\u{202E}drawkcab\u{202C} \u{200F}שלום\u{200E} مرحبا",
    "👩‍👩‍👧‍👦 e\u{301}\u{301}\u{301} \u{1F3F3}\u{FE0F}\u{200D}\u{1F308}",
    "\0\u{1}\u{7f}\u{feff}\u{fffe}\r\n\r\t\u{b}\u{2028}",
    "{\"a\": [1, \"<b>\", {\"\\u0000\": null, \"a\": 1e999}], \"a\": \"{\\\"b\\\": [\\\"</pre>\\\"]}\"}",
    "[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]",
    "{\"values_changed\": {\"root['<i>']\": {\"old_value\": \"<b>\", \"new_value\": {\"x\": 1}}}}",
    "{\"method\": \"<POST>\", \"path\": \"//<x>\", \"headers\": {\"<h>\": \"</dl>\"}, \"body\": \"]]>\"}",
    "{\"status_code\": \"<200>\", \"headers\": {}, \"body\": null}",
    "--- a\n+++ b\n@@ -1 +1 @@\n-<old>\n+<new>\n\\ No newline",
    "E   <b>assert</b>\n<i>/a.py:12: <u>\n----- <Captured> stdout -----\n>   x",
    "Traceback (most recent call last):\n  File \"<x>\", line 3, in <module>",
    "#/1/overview?of=1",
    "0.1.2:text:input-0",
    "| <a> | b |\n|---|---|\n| ![](x) | <td> |\n\n```</code></pre>\n<hr>\n```",
];

/// Elements that rendered Markdown is made of.
const OWN: [&str; 21] = [
    "a",
    "blockquote",
    "br",
    "code",
    "del",
    "div",
    "em",
    "hr",
    "li",
    "ol",
    "p",
    "pre",
    "span",
    "strong",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "ul",
];

fn read_all(text: &str) {
    let reading = Reading::new(all_of(text), Look::default());
    let (_, crawl) = crawl(&reading);
    for address in &crawl.addresses {
        assert!(address.starts_with("#/2/"), "{address} with {text:?}");
    }
    for markup in &crawl.drawn {
        for tag in tags(markup) {
            let name = tag.split(' ').next().unwrap();
            assert!(OWN.contains(&name), "<{tag}> with {text:?}");
            if let Some(address) = attribute(tag, "href") {
                let is_web = address.starts_with("http://") || address.starts_with("https://");
                assert!(is_web, "{address} with {text:?}");
            }
        }
    }
    for stem in &crawl.searches {
        for needle in ["<", "a", ":find:", "\u{202E}", "  "] {
            let name =
                PartName::parse(&format!("{stem}:find:{needle}")).expect("it can be searched");
            let found = reading.part(&name).expect("there is an answer");
            assert!(matches!(found, PartShown::Found(_)), "{stem} finds {found:?}");
        }
    }
}

#[test]
fn nothing_hostile_becomes_more_than_text() {
    for text in HOSTILE {
        read_all(text);
        // The same as a long text, which is drawn row by row.
        if !text.is_empty() {
            read_all(&format!("{text}\n").repeat(420));
        }
    }
}

#[test]
fn a_text_is_shown_as_it_is_written() {
    for hostile in HOSTILE.into_iter().filter(|text| !text.contains(['\0', '\r'])) {
        let reading = Reading::new(all_of(hostile), Look::default());
        let name = "0.1.2:block:failure-0:written";
        let part = reading.part(&PartName::parse(name).unwrap()).unwrap();
        let shown = Seen::of_part(&part).said;
        assert!(shown.contains(hostile.trim_end_matches('\n')), "{hostile:?} in {shown:?}");
        assert_eq!(reading.shown(String::new(), "").unwrap().id, hostile);
        let copied = reading.text_of(&PartName::parse("0.1.2:text:failure-0").unwrap());
        assert_eq!(copied.as_deref(), Some(hostile), "it is copied byte by byte");
    }
}

#[test]
fn a_very_long_id_is_whole_in_the_heading() {
    let id = "a[b]-".repeat(53);
    let mut view = all_of("x");
    view.line.id = id.clone();
    let page = Reading::new(view, Look::default()).shown(String::new(), "").unwrap();
    assert_eq!(page.id, id);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn any_text_is_drawn(text in "[<>\"'&{}\\[\\]:,0-9a-c@~ \n\r\t|`*_#+-]{0,120}|\\PC{0,60}") {
        read_all(&text);
    }
}
