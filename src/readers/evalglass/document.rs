//! What the files of a run held beyond its cases, as far as the report carries it.

use super::fields::{owned, part};
use crate::input::json::Cursor;
use crate::input::{Error as InputError, Record};
use crate::model::{
    CaseDetail, DocumentDetail, DocumentKind, DocumentTable, Fact, FileChange, Locator, Message,
    Run, RunDocument, SourceId, TurnDetail,
};
use crate::readers::{Bundle, Error, ErrorKind};

/// The document that `record` names; its text stays where it is.
///
/// # Errors
/// When it is none.
pub(super) fn name(record: Record<'_>, source: SourceId) -> Result<RunDocument, InputError> {
    let (mut kind, mut title, mut file, mut has_text) = (None, None, None, false);
    record.read(|cursor| {
        cursor.each_field(|key, cursor| {
            match key {
                "kind" => kind = owned(cursor)?,
                "title" => title = owned(cursor)?,
                "file" => file = owned(cursor)?,
                key => {
                    has_text |= matches!(key, "detail" | "detail_error");
                    cursor.skip()?;
                }
            }
            Ok(())
        })
    })?;
    let reason = crate::input::ErrorKind::Format("a document is of no known kind");
    let kind = kind.as_deref().and_then(DocumentKind::from_text);
    let kind = kind.ok_or_else(|| InputError::new(reason, 0))?;
    // The report of a table lies inside of a file whose bytes are others; no text is carried there.
    let len = if has_text { record.bytes.len() as u64 } else { 0 };
    let at = Locator::Span { source, offset: record.offset, len };
    let (title, file) = (title.unwrap_or_default(), file.unwrap_or_default());
    Ok(RunDocument { kind, title, file, at })
}

/// What a report carries of a document.
#[derive(Default)]
struct CarriedDocument {
    record: Option<CaseDetail>,
    transcript: Vec<Message>,
    turns: Vec<TurnDetail>,
    changes: Vec<FileChange>,
    table: Option<DocumentTable>,
    error: Option<String>,
}

/// Reads document `idx` of `run` again.
///
/// # Errors
/// When the report is gone or damaged.
pub(super) fn read(bundle: &Bundle, run: &Run) -> Result<DocumentDetail, Error> {
    let gone = || Error::new(ErrorKind::Gone);
    let document = run.documents.first().ok_or_else(gone)?;
    let file = bundle.file(document.at.source()).ok_or_else(gone)?;
    let bytes = bundle.span_bytes(document.at)?.unwrap_or_default();
    let carried = carried(&bytes).map_err(|err| Error::from(err).in_file(&file.path))?;
    let is_there = carried.record.is_some();
    let mut record = carried.record.unwrap_or_default();
    let reason = match carried.error {
        Some(reason) => {
            Some(format!("the file could not be read when this report was made: {reason}"))
        }
        None if !is_there => Some(format!("the text of {} is not in this report", document.file)),
        None => None,
    };
    record.facts.extend(reason.map(|value| Fact { label: "left out".to_owned(), value }));
    record.transcript = carried.transcript;
    record.turns = carried.turns;
    Ok(DocumentDetail { record, changes: carried.changes, table: carried.table })
}

fn carried(bytes: &[u8]) -> Result<CarriedDocument, InputError> {
    let mut carried = CarriedDocument::default();
    // Of a report in a table there is no text to look into.
    if bytes.is_empty() {
        return Ok(carried);
    }
    Cursor::new(bytes).each_field(|key, cursor| {
        match key {
            "detail" => carried.record = Some(part(cursor)?),
            "transcript" => carried.transcript = part(cursor)?,
            "turns" => carried.turns = part(cursor)?,
            "changes" => carried.changes = part(cursor)?,
            "table" => carried.table = Some(part(cursor)?),
            "detail_error" => carried.error = owned(cursor)?,
            _ => {
                cursor.skip()?;
            }
        }
        Ok(())
    })?;
    Ok(carried)
}
