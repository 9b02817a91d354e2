//! A note that the report carries.

use super::fields::{owned, part};
use crate::input::{Error, ErrorKind, Record};
use crate::model::{Note, NoteKind, Place};

/// The note in `record`, and the id of the evaluation that it is about.
///
/// # Errors
/// When it is no note.
pub(super) fn read(record: Record<'_>) -> Result<(Option<String>, Note), Error> {
    let (mut of, mut kind, mut at) = (None, None, String::new());
    let mut places: Option<Vec<Place>> = None;
    let mut note = Note {
        file: String::new(),
        kind: NoteKind::Unknown,
        detail: String::new(),
        places: Vec::new(),
        count: 1,
    };
    record.read(|cursor| {
        cursor.each_field(|key, cursor| {
            match key {
                "evaluation" => of = owned(cursor)?,
                "file" => note.file = owned(cursor)?.unwrap_or_default(),
                "kind" => kind = owned(cursor)?,
                "at" => at = owned(cursor)?.unwrap_or_default(),
                "detail" => note.detail = owned(cursor)?.unwrap_or_default(),
                "count" => note.count = part(cursor)?,
                "places" => places = Some(part(cursor)?),
                _ => {
                    cursor.skip()?;
                }
            }
            Ok(())
        })
    })?;
    note.kind = kind
        .and_then(|word| NoteKind::from_text(&word))
        .ok_or_else(|| Error::new(ErrorKind::Format("a note is of no known kind"), 0))?;
    // Reports of the first version have the places as words alone.
    note.places = places.unwrap_or_else(|| vec![Place::Field(at)]);
    Ok((of, note))
}
