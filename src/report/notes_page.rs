//! What could not be used or had to be decided, and what each file was taken for, as a page.

use super::table::Column;
use super::tree::files;
use super::workspace::Workspace;
use super::{Cell, FileLine, Note, Place, Row, Section, Sections, Table};

/// The page.
pub(super) fn notes_page(workspace: &Workspace) -> Sections {
    let report = files(workspace);
    let mut notes = Table::new(
        "notes",
        "Warnings",
        vec![
            Column::words("Kind"),
            Column::words("What"),
            Column::words("File"),
            Column::words("Where"),
            Column::numbers("Times", ""),
        ],
    );
    notes.rows = report.notes.iter().map(note_row).collect();
    if notes.rows.is_empty() {
        notes.empty = Some("No notes: everything in the files was used.".to_owned());
    }
    let mut taken = Table::new(
        "files",
        "Files",
        vec![
            Column::words("File"),
            Column::words("Recognised as"),
            Column::words("Because"),
            Column::numbers("Size", "Unwrapped"),
        ],
    );
    taken.rows = report.files.iter().map(file_row).collect();
    if taken.rows.is_empty() {
        taken.empty = Some("No file was recognised.".to_owned());
    }
    Sections {
        title: "Notes".to_owned(),
        lead: Some(
            "What could not be used, what had to be decided, and how each file was recognised."
                .to_owned(),
        ),
        sections: vec![Section { tables: vec![notes, taken], ..Section::default() }],
        ..Sections::default()
    }
}

fn note_row(note: &Note) -> Row {
    let places = note.places.iter().filter(|place| **place != Place::File);
    let places: Vec<String> = places.map(Place::to_string).collect();
    let cells = vec![
        Cell::Tag { text: note.kind.as_str().to_owned(), is_bad: note.kind.is_loss() },
        Cell::Text(note.detail.clone()),
        Cell::Text(note.file.clone()),
        Cell::Text(places.join("; ")),
        Cell::Count(note.count),
    ];
    Row { cells, link: None }
}

fn file_row(file: &FileLine) -> Row {
    let cells = vec![
        Cell::Text(file.path.clone()),
        Cell::Text(format!("{}, {}", file.reader, file.role)),
        Cell::Text(file.why.clone()),
        Cell::Bytes(file.n_bytes),
    ];
    Row { cells, link: None }
}
