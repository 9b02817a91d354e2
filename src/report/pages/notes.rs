//! What could not be used or had to be decided, and what each file was taken for, as a page.

use crate::report::message_shape::shape;
use crate::report::table::Column;
use crate::report::tree::files;
use crate::report::{Cell, FileLine, Note, Place, Row, Section, Sections, Table, TableShape};
use crate::words::report::audit as words;
use crate::workspace::Workspace;
use std::collections::HashMap;

/// The page.
pub(in crate::report) fn notes_page(workspace: &Workspace) -> Sections {
    let report = files(workspace);
    let notes = notes_table(&report.notes);
    let mut taken = Table::new(
        "files",
        words::FILES,
        vec![
            Column::words(words::FILE),
            Column::words(words::RECOGNISED_AS),
            Column::words(words::RECOGNISED_BY),
            Column::numbers(words::SIZE, words::SIZE_HINT),
        ],
    );
    taken.shape = TableShape::Entries;
    taken.rows = report.files.iter().map(file_row).collect();
    if taken.rows.is_empty() {
        taken.empty = Some(words::NO_FILES.to_owned());
    }
    Sections {
        title: words::NOTES.to_owned(),
        lead: Some(words::NOTES_LEAD.to_owned()),
        sections: vec![Section { tables: vec![notes, taken], ..Section::default() }],
        ..Sections::default()
    }
}

/// Notes of one kind whose messages are alike, in the order in which they first occur.
fn alike(notes: &[Note]) -> Vec<Vec<&Note>> {
    let mut groups: Vec<Vec<&Note>> = Vec::new();
    let mut of_shape: HashMap<(&'static str, String), usize> = HashMap::new();
    for note in notes {
        let at = *of_shape.entry((note.kind.as_str(), shape(&note.detail))).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        if let Some(group) = groups.get_mut(at) {
            group.push(note);
        }
    }
    groups
}

fn notes_table(notes: &[Note]) -> Table {
    let groups = alike(notes);
    let mut columns = vec![
        Column::words(words::KIND),
        Column::words(words::MESSAGE),
        Column::words(words::FILE),
        Column::words(words::LOCATION),
        Column::numbers(words::COUNT, ""),
    ];
    let has_more = groups.iter().any(|group| group.len() > 1);
    columns.extend(has_more.then(|| Column::words(words::ALL_OF_THEM)));
    let mut table = Table::new("notes", words::WARNINGS, columns);
    table.shape = TableShape::Entries;
    for group in groups {
        let Some(first) = group.first() else { continue };
        let mut cells = vec![
            Cell::Tag { text: first.kind.as_str().to_owned(), is_bad: first.kind.is_loss() },
            Cell::Text(first.detail.clone()),
            Cell::Text(match group.len() {
                1 => first.file.clone(),
                n => words::file_and_more(&first.file, n as u64 - 1),
            }),
            Cell::Text(places(first)),
            Cell::Count(group.iter().map(|note| note.count).sum()),
        ];
        cells.extend(has_more.then(|| match group.len() {
            1 => Cell::Text(String::new()),
            _ => Cell::Folded(group.iter().map(|note| line(note)).collect::<Vec<_>>().join("\n")),
        }));
        table.row(cells);
    }
    if table.rows.is_empty() {
        table.empty = Some(words::NO_WARNINGS.to_owned());
    }
    table
}

/// A note in one line: `run_1/results.jsonl, line 4: no JSON`.
fn line(note: &Note) -> String {
    let places = places(note);
    let at = if places.is_empty() { String::new() } else { format!(", {places}") };
    format!("{}{at}: {}", note.file, note.detail)
}

fn places(note: &Note) -> String {
    let places = note.places.iter().filter(|place| **place != Place::File);
    places.map(Place::to_string).collect::<Vec<_>>().join("; ")
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::NoteKind;

    fn note(kind: NoteKind, file: &str, detail: &str, count: u64) -> Note {
        Note { file: file.to_owned(), kind, detail: detail.to_owned(), places: Vec::new(), count }
    }

    #[test]
    fn notes_alike_are_one_line_that_names_each_of_them() {
        let notes = [
            note(NoteKind::Broken, "a.json", "no JSON at byte 12", 1),
            note(NoteKind::Skipped, "b.txt", "no JSON at byte 12", 1),
            note(NoteKind::Broken, "c.json", "no JSON at byte 987", 3),
            note(NoteKind::Broken, "d.json", "an empty file", 1),
        ];
        let table = notes_table(&notes);
        assert_eq!(table.rows.len(), 3);
        let cells = &table.rows[0].cells;
        assert_eq!(cells[1], Cell::Text("no JSON at byte 12".to_owned()));
        assert_eq!(cells[2], Cell::Text("a.json and 1 more".to_owned()));
        assert_eq!(cells[4], Cell::Count(4));
        let all = "a.json: no JSON at byte 12\nc.json: no JSON at byte 987";
        assert_eq!(cells[5], Cell::Folded(all.to_owned()));
        assert_eq!(table.rows[1].cells[5], Cell::Text(String::new()));
        assert!(table.rows.iter().all(|row| row.cells.len() == table.columns.len()));
    }

    #[test]
    fn no_note_is_lost() {
        let kinds = [NoteKind::Broken, NoteKind::Skipped, NoteKind::Assumed];
        let notes: Vec<Note> = (0..60_usize)
            .map(|at| {
                let detail = ["cut at line 7", "cut at line 9", "other words"][at % 3];
                note(kinds[at % 2], &format!("file-{at}.json"), detail, at as u64)
            })
            .collect();
        let table = notes_table(&notes);
        let counted = |row: &Row| match row.cells[4] {
            Cell::Count(n) => n,
            _ => 0,
        };
        assert_eq!(table.rows.iter().map(counted).sum::<u64>(), (0..60).sum::<u64>());
        let text = format!("{table:?}");
        assert!((0..60).all(|at| text.contains(&format!("file-{at}.json"))));
    }
}
