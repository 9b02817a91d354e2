//! The block that holds a sealed report, and its place in the page.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// What the block begins with, and what the page that carries it looks for.
const START: &str = "<script type=\"application/gzip\" id=\"sealed\"";
/// What the block ends with.
const END: &str = "</script>\n";
/// What stands behind it in the page: the first of the page's own packed parts.
const NEXT: &str = "<script type=\"application/gzip\" id=\"part-app\"";

/// `packed` as base64 in a script element that is no script, with `attributes`.
pub(super) fn block(attributes: &[(&str, &str)], packed: &[u8]) -> Vec<u8> {
    let mut block = Vec::with_capacity(packed.len() / 3 * 4 + 512);
    block.extend(START.as_bytes());
    for (name, value) in attributes {
        block.extend(format!(" {name}=\"{}\"", escaped(value)).as_bytes());
    }
    block.push(b'>');
    block.extend(STANDARD.encode(packed).as_bytes());
    block.extend(END.as_bytes());
    block
}

/// The single file `page` (`evalglass.html`) with `block` in it, in the place of an older one; `None` when it is not
/// such a file.
pub fn sealed_file(page: &[u8], block: &[u8]) -> Option<Vec<u8>> {
    let next = memchr::memmem::find(page, NEXT.as_bytes())?;
    let head = page.get(..next)?;
    let end = memchr::memmem::find(head, START.as_bytes()).unwrap_or(next);
    Some([page.get(..end)?, block, page.get(next..)?].concat())
}

/// A value between quotes.
fn escaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for letter in value.chars() {
        match letter {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            _ => text.push(letter),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_goes_before_the_parts_in_the_place_of_an_older_one() {
        let page = format!("<head>\n{NEXT}>x</script>\nid=\"sealed\"</head>");
        let block = |text: &str| block(&[("data-view", "#/1/a?b=\"<c>\"&d")], text.as_bytes());
        let sealed = sealed_file(page.as_bytes(), &block("one")).unwrap();
        let again = sealed_file(&sealed, &block("three")).unwrap();
        assert_eq!(
            String::from_utf8(again).unwrap(),
            format!(
                "<head>\n{START} data-view=\"#/1/a?b=&quot;&lt;c&gt;&quot;&amp;d\">dGhyZWU={END}{}",
                page.strip_prefix("<head>\n").unwrap()
            )
        );
        assert_eq!(sealed_file(b"<html></html>", b"x"), None);
    }
}
