//! What the worker draws is a document of our own elements, whatever stands in a file.

use evalglass::markup::Markup;

/// Elements that nothing may bring into the page.
const FORBIDDEN: [&str; 10] =
    ["script", "style", "iframe", "object", "embed", "link", "img", "base", "meta", "template"];

/// Elements without an end tag.
const VOID: [&str; 5] = ["br", "col", "hr", "input", "wbr"];

/// Fails unless every element is closed in its turn, every attribute quoted, and nothing runs.
pub fn assert_well_formed(markup: &Markup) {
    let text = markup.as_str();
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        assert!(!rest[..at].contains('>'), "a bare > before {:?}", start(&rest[at..]));
        let end = rest[at..].find('>').expect("a tag ends") + at;
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "closed out of turn");
            continue;
        }
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric()), "element {name:?}");
        assert!(!FORBIDDEN.contains(&name), "<{name}>");
        assert_attributes(attributes);
        if !VOID.contains(&name) {
            open.push(name);
        }
    }
    assert!(!rest.contains('>'), "a bare > at the end");
    assert!(open.is_empty(), "left open: {open:?}");
}

fn assert_attributes(attributes: &str) {
    let mut rest = attributes.trim_start();
    while !rest.is_empty() {
        let (name, value) = rest.split_once("=\"").expect("attributes are quoted");
        assert!(
            name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'),
            "attribute {name:?}"
        );
        assert!(!name.starts_with("on") && name != "style", "attribute {name}");
        let end = value.find('"').expect("a value ends");
        if name == "href" {
            let is_known = ["#", "https://", "http://"]
                .iter()
                .any(|start| scheme_of(value).starts_with(start));
            assert!(is_known, "href {:?}", start(value));
        }
        rest = value[end + 1..].trim_start();
    }
}

/// How an address begins: upper and lower case are the same there.
fn scheme_of(address: &str) -> String {
    address.chars().take(10).collect::<String>().to_ascii_lowercase()
}

fn start(text: &str) -> String {
    text.chars().take(80).collect()
}
