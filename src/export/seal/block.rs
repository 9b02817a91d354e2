//! The block that holds a sealed report, and its place in the page.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// What the block begins with, and what the page that carries it looks for.
const START: &str = "<script type=\"application/gzip\" id=\"sealed\"";
/// What the block ends with.
const END: &str = "</script>\n";
/// What stands behind it in the page: the first of the page's own packed parts.
const NEXT: &str = "<script type=\"application/gzip\" id=\"part-app\"";

/// The attribute of a block whose report opens further files.
pub(super) const OPEN: (&str, &str) = ("data-drop", "yes");
/// The reader program in the page, which a report that opens no further files does without.
const READER: &str = "<script type=\"application/gzip\" id=\"part-reader\"";

/// What the page that a report goes into is known by: what the report goes before, where the reader program
/// begins, and where that ends.
pub const PAGE_MARKS: [&str; 3] = [NEXT, READER, END];

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

/// The single file `page` (`evalglass.html`) with `block` in it, in the place of an older one, and without
/// the reader program if the report is read-only; `None` when it is not such a file.
pub fn sealed_file(page: &[u8], block: &[u8]) -> Option<Vec<u8>> {
    let next = memchr::memmem::find(page, NEXT.as_bytes())?;
    let head = page.get(..next)?;
    let end = memchr::memmem::find(head, START.as_bytes()).unwrap_or(next);
    let (reader, behind) =
        reader_of(page, next).filter(|_| !is_open(block)).unwrap_or((next, next));
    Some([page.get(..end)?, block, page.get(next..reader)?, page.get(behind..)?].concat())
}

/// Where the reader program begins in `page`, from `start` on, and where it has ended.
fn reader_of(page: &[u8], start: usize) -> Option<(usize, usize)> {
    let begin = start + memchr::memmem::find(page.get(start..)?, READER.as_bytes())?;
    let n_bytes = memchr::memmem::find(page.get(begin..)?, END.as_bytes())?;
    Some((begin, begin + n_bytes + END.len()))
}

/// Whether the report in `block` opens further files.
fn is_open(block: &[u8]) -> bool {
    let tag = memchr::memchr(b'>', block).and_then(|end| block.get(..end)).unwrap_or_default();
    let (name, value) = OPEN;
    memchr::memmem::find(tag, format!(" {name}=\"{value}\"").as_bytes()).is_some()
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

    #[test]
    fn a_read_only_report_has_no_reader_program() {
        let page = format!("{NEXT}>x{END}{READER}>y{END}<script id=\"part-samples\">z{END}</head>");
        let without = format!("{NEXT}>x{END}<script id=\"part-samples\">z{END}</head>");
        for (attributes, expected) in [(&[][..], &without), (&[OPEN][..], &page)] {
            let block = block(attributes, b"report");
            let sealed = sealed_file(page.as_bytes(), &block).unwrap();
            let expected = format!("{}{expected}", String::from_utf8(block).unwrap());
            assert_eq!(String::from_utf8(sealed).unwrap(), expected);
        }
    }
}
