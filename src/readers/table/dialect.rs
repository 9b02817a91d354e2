//! What stands between the cells of a text, and what its columns are called.

use super::cell::{Style, number};
use super::header;
use super::words::is_role_name;
use csv::ByteRecord;
use serde_json::Value;
use std::io;

/// Characters that may stand between cells, the likelier one first.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Records that are looked at.
const LOOKED_AT: usize = 64;

/// Rows of a short table.
const MAX_SHORT: usize = 12;

/// The longest name of a column.
const MAX_NAME: usize = 200;

/// How a text of cells is written.
#[derive(Debug, Clone)]
pub(super) struct DelimiterDialect {
    /// What stands between cells.
    pub delimiter: u8,
    /// Names of the columns, each once.
    pub names: Vec<String>,
    /// Whether the first record holds the names.
    pub has_header: bool,
    /// Whether a quote at the start of a cell begins a quoted text.
    pub has_quotes: bool,
    /// Whether lines end with two characters.
    pub is_crlf: bool,
    /// Bytes of a first line that says what stands between cells (`sep=;`, as Excel writes it); 0: there is none.
    pub n_before: u64,
}

impl DelimiterDialect {
    /// Its form in words.
    pub(super) fn words(&self) -> String {
        let form = match self.delimiter {
            b'\t' => "TSV".to_owned(),
            b',' => "CSV".to_owned(),
            other => format!("CSV with {} between cells", char::from(other)),
        };
        if self.has_header { form } else { format!("{form} without a header row") }
    }

    /// A reader of `bytes` that is written so; it gives the names, too, where there are any.
    pub(super) fn reader<R: io::Read>(&self, bytes: R) -> csv::Reader<R> {
        reader(bytes, self.delimiter, self.has_quotes)
    }
}

fn reader<R: io::Read>(bytes: R, delimiter: u8, has_quotes: bool) -> csv::Reader<R> {
    csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .quoting(has_quotes)
        .buffer_capacity(256 << 10)
        .from_reader(bytes)
}

/// How the text that starts with `head` is written; `None` when it is no table. `is_whole`: nothing follows.
pub(super) fn dialect(head: &[u8], is_whole: bool) -> Option<DelimiterDialect> {
    let mut best: Option<(usize, usize, DelimiterDialect)> = None;
    let (stated, n_before) = stated(head).unzip();
    let n_before = n_before.unwrap_or_default();
    let head = head.get(n_before..).unwrap_or_default();
    for delimiter in DELIMITERS.into_iter().filter(|own| stated.is_none_or(|stated| stated == *own))
    {
        if memchr::memchr(delimiter, head).is_none() {
            continue;
        }
        let quoted = records(head, is_whole, delimiter, true);
        // A lone quote that is no quotation swallows the rest of the text.
        let (records, has_quotes) = match quoted.len() {
            0 | 1 => (records(head, is_whole, delimiter, false), false),
            _ => (quoted, true),
        };
        let Some((share, dialect)) = of_records(&records, delimiter, has_quotes) else { continue };
        let rank = (share, dialect.names.len());
        if best.as_ref().is_none_or(|(share, n_names, _)| rank > (*share, *n_names)) {
            best = Some((rank.0, rank.1, dialect));
        }
    }
    let is_crlf = memchr::memchr(b'\n', head)
        .and_then(|at| head.get(at.checked_sub(1)?))
        .is_some_and(|before| *before == b'\r');
    let n_before = n_before as u64;
    best.map(|(_, _, dialect)| DelimiterDialect { is_crlf, n_before, ..dialect })
}

/// What a first line `sep=;` says, and its length with its end. Excel writes it, and shows it nowhere.
fn stated(head: &[u8]) -> Option<(u8, usize)> {
    const MARK: &[u8] = b"\xEF\xBB\xBF";
    let n_mark = if head.starts_with(MARK) { MARK.len() } else { 0 };
    let end = memchr::memchr(b'\n', head)?;
    let line = head.get(n_mark..end)?;
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let line = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\"")).unwrap_or(line);
    match line {
        [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', delimiter] => Some((*delimiter, end + 1)),
        _ => None,
    }
}

/// The first records; the last one only where the text is whole.
fn records(head: &[u8], is_whole: bool, delimiter: u8, has_quotes: bool) -> Vec<ByteRecord> {
    let mut found = Vec::new();
    let mut reader = reader(head, delimiter, has_quotes);
    let mut record = ByteRecord::new();
    while found.len() < LOOKED_AT && matches!(reader.read_byte_record(&mut record), Ok(true)) {
        found.push(record.clone());
    }
    if !is_whole && found.len() < LOOKED_AT {
        found.pop();
    }
    found
}

/// How these records are written, and how many of 1,000 have as many cells as there are names.
fn of_records(
    records: &[ByteRecord],
    delimiter: u8,
    has_quotes: bool,
) -> Option<(usize, DelimiterDialect)> {
    let (first, rest) = records.split_first()?;
    let text = |cell: &[u8]| String::from_utf8_lossy(cell).into_owned();
    let mut names: Vec<String> = first.iter().map(text).collect();
    let n_like = |n_cells: usize| rest.iter().filter(|record| record.len() == n_cells).count();
    // R writes no name for the column of row names.
    let lacks_one =
        names.len() > 1 && n_like(names.len()) == 0 && n_like(names.len() + 1) == rest.len();
    let n_cells = names.len() + usize::from(lacks_one);
    if n_cells < 2 || rest.is_empty() || names.iter().any(|name| name.len() > MAX_NAME) {
        return None;
    }
    let share = n_like(n_cells) * 1_000 / rest.len();
    let has_header = !is_data(first);
    // Of a few rows it takes one that is ragged to make many; the names tell that it is a table none the less.
    let n_known = names.iter().filter(|name| is_role_name(name)).count();
    let is_short = rest.len() <= MAX_SHORT && has_header && n_known >= 2;
    let is_named = is_short && (share > 0 || n_known == names.len());
    if share < 600 && !is_named {
        return None;
    }
    if lacks_one {
        names.insert(0, String::new());
    }
    if !has_header {
        names.iter_mut().for_each(String::clear);
    } else if names.iter().filter(|name| name.trim().is_empty()).count() > 1 {
        return None;
    }
    let names = header::unique(names.into_iter());
    Some((
        share,
        DelimiterDialect { delimiter, names, has_header, has_quotes, is_crlf: false, n_before: 0 },
    ))
}

/// Whether the first record clearly holds cells, not names: a number among them, and no name of a role.
fn is_data(first: &ByteRecord) -> bool {
    let texts: Vec<String> =
        first.iter().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect();
    let is_number =
        |text: &&String| number(&Value::String((*text).clone()), Style::Comma).is_some();
    let n_numbers = texts.iter().filter(is_number).count();
    n_numbers > 0 && n_numbers < texts.len() && !texts.iter().any(|text| is_role_name(text))
}
