//! Looking for a text in the records of cases.

use super::{Bundle, Error, ErrorKind, Reader, xml};
use crate::input::Needle;
use crate::input::json::any_text;
use crate::model::{Locator, SourceId};
use std::borrow::Cow;
use std::collections::HashMap;

/// Bytes that are read at once.
const WINDOW_BYTES: u64 = 1 << 20;

/// Bytes of a file that are in memory.
#[derive(Default)]
struct MatchWindow {
    source: Option<SourceId>,
    start: u64,
    bytes: Vec<u8>,
}

/// Whether `needle` occurs in a text of each of `cases`, whose records and their partners lie at these
/// places of `bundle`.
///
/// # Errors
/// When a file is gone or damaged.
pub(super) fn matches(
    reader: &dyn Reader,
    bundle: &Bundle,
    needle: &str,
    cases: &[[Option<Locator>; 2]],
) -> Result<Vec<bool>, Error> {
    let (needle, mut space) = (Needle::new(needle), String::new());
    let mut found = vec![false; cases.len()];
    // A window into the file of the records, and one into the file of their partners.
    let mut windows = [MatchWindow::default(), MatchWindow::default()];
    // Cases that lie in rows, by source and row.
    let mut rows: HashMap<SourceId, HashMap<u64, usize>> = HashMap::new();
    for (case, places) in cases.iter().enumerate() {
        for (place, window) in places.iter().zip(&mut windows) {
            match *place {
                None => {}
                Some(Locator::Row { source, row }) => {
                    rows.entry(source).or_default().insert(row, case);
                }
                Some(Locator::Span { source, offset, len }) => {
                    let bytes = window.part(bundle, source, offset, len)?;
                    let mut is_in = |text: Cow<'_, str>| needle.is_in(&text, &mut space);
                    let claimed = bundle.files.iter().find(|one| one.file.id == source);
                    let own = claimed.and_then(|claimed| reader.span_text(claimed, bytes));
                    let is_in = match (own, bytes.first()) {
                        (Some(own), _) => is_in(Cow::Owned(own)),
                        (None, Some(b'<')) => xml::any_text(bytes, is_in),
                        (None, _) => any_text(bytes, &mut is_in),
                    };
                    if let Some(found) = found.get_mut(case) {
                        *found = *found || is_in;
                    }
                }
            }
        }
    }
    for (source, cases) in rows {
        let file = bundle.file(source).ok_or_else(|| Error::new(ErrorKind::Gone))?;
        let mut take = |row: u64, text: &str| {
            if let Some(found) = cases.get(&row).and_then(|case| found.get_mut(*case)) {
                *found = *found || needle.is_in(text, &mut space);
            }
        };
        for part in 0.. {
            if !reader.row_texts(file, part, &mut take)? {
                break;
            }
        }
    }
    Ok(found)
}

impl MatchWindow {
    /// `len` bytes of a source from `offset` on.
    fn part(
        &mut self,
        bundle: &Bundle,
        source: SourceId,
        offset: u64,
        len: u64,
    ) -> Result<&[u8], Error> {
        let range = |start: u64| {
            let from = usize::try_from(offset.checked_sub(start)?).ok()?;
            Some(from..from.checked_add(usize::try_from(len).ok()?)?)
        };
        let is_here = self.source == Some(source)
            && range(self.start).is_some_and(|range| self.bytes.get(range).is_some());
        if !is_here {
            let file = bundle.file(source).ok_or_else(|| Error::new(ErrorKind::Gone))?;
            let end = offset.saturating_add(len.max(WINDOW_BYTES)).min(file.len());
            self.bytes = file
                .bytes(offset..end.max(offset))
                .map_err(|err| Error::from(err).in_file(&file.path))?;
            (self.source, self.start) = (Some(source), offset);
        }
        let part = range(self.start).and_then(|range| self.bytes.get(range));
        part.ok_or_else(|| Error::new(ErrorKind::Gone))
    }
}
