//! The mapping of a table: from the mapping file that is for it, else guessed.

use super::MAPPING;
use super::cell::Style;
use super::profile::Profiles;
use super::roles::guess;
use super::sheet::{Sheet, SheetColumns};
use crate::input::InputFile;
use crate::model::{MappedColumn, Mapping, MappingFile, NoteKind, PAGE_MAPPINGS, Place};
use crate::readers::{Bundle, Context};

/// A mapping file and its path.
pub(super) type MappingSource = (String, MappingFile);

/// The mapping files of a bundle; those that cannot be read are noted.
pub(super) fn files_of(bundle: &Bundle, cx: &Context<'_>) -> Vec<MappingSource> {
    let mut found = Vec::new();
    for claimed in bundle.of_role(MAPPING) {
        let file = &claimed.file;
        match parse(file) {
            Ok(mapping) => found.push((file.path.clone(), mapping)),
            Err((place, reason)) => cx.notes.add(&file.path, NoteKind::Broken, place, reason),
        }
    }
    found
}

/// What a mapping file says; else where it is broken, and why.
pub(super) fn parse(file: &InputFile) -> Result<MappingFile, (Place, String)> {
    let whole =
        |reason: String| (Place::File, format!("this mapping file cannot be read: {reason}"));
    let bytes = file.all_bytes().map_err(|err| whole(err.to_string()))?;
    let found: MappingFile = serde_json::from_slice(&bytes).map_err(|err| {
        let line = err.line() as u64;
        let starts = memchr::memchr_iter(b'\n', &bytes).map(|at| at as u64 + 1);
        let byte = std::iter::once(0).chain(starts).nth(err.line().saturating_sub(1)).unwrap_or(0);
        let text = err.to_string();
        let reason = text.rsplit_once(" at line ").map_or(text.as_str(), |(reason, _)| reason);
        (Place::Line { line, byte }, format!("this mapping file cannot be read: {reason}"))
    })?;
    match found.evalglass_mapping {
        1 => Ok(found),
        other => Err(whole(format!("it is of version {other}, and this program knows version 1"))),
    }
}

/// The mapping of `sheet`, which lies in `file` and whose rows `profiles` counts, with the mapping file that
/// says it.
pub(super) fn mapping(
    sheet: &dyn Sheet,
    file: &InputFile,
    columns: &SheetColumns,
    profiles: Profiles,
    known: &[MappingSource],
) -> (Mapping, Option<String>) {
    let guessed = guess(columns.names(), &profiles);
    let names = || columns.names().iter().map(String::as_str);
    let mut fitting: Vec<&MappingSource> =
        known.iter().filter(|(_, own)| own.is_for(sheet.table(), names())).collect();
    fitting.sort_by_key(|(path, _)| (rank(path, &file.path), path.clone()));
    let chosen = fitting.first();
    let has = |style: Style| profiles.columns.iter().any(|one| one.style() == style);
    let form = match (has(Style::Grouped), has(Style::Comma)) {
        (true, _) => format!("{}, decimal commas, points between thousands", sheet.form()),
        (false, true) => format!("{}, decimal commas", sheet.form()),
        (false, false) => sheet.form(),
    };
    let used = chosen.map(|(path, _)| path.clone());
    let mapping = Mapping {
        form,
        table: sheet.table().map(str::to_owned),
        columns: match chosen {
            Some((_, own)) => guessed.into_iter().map(|column| chosen_role(column, own)).collect(),
            None => guessed,
        },
        is_confirmed: chosen.is_some_and(|(_, own)| own.confirmed),
        file: used.clone().filter(|path| !is_of_page(path)),
        n_rows: profiles.n_rows,
        first_rows: profiles.first_rows,
    };
    (mapping, used)
}

/// The column as a mapping file says it.
fn chosen_role(column: MappedColumn, own: &MappingFile) -> MappedColumn {
    let Some(chosen) = own.columns.iter().find(|other| other.name == column.name) else {
        return column;
    };
    // What was guessed and only confirmed keeps its reason.
    let why = if chosen.role == column.role && !own.confirmed { column.why } else { String::new() };
    let unit =
        (chosen.role == crate::model::Role::Duration).then(|| chosen.unit.unwrap_or_default());
    let less_is_better = chosen.less_is_better && chosen.role.is_scores();
    MappedColumn { role: chosen.role, unit, less_is_better, why, ..column }
}

/// Whether a mapping file comes from the page.
pub(super) fn is_of_page(path: &str) -> bool {
    path.split('/').next() == Some(PAGE_MAPPINGS)
}

/// How near a mapping file is to a table; lower is nearer.
fn rank(mapping: &str, table: &str) -> usize {
    let folder =
        |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
    let (own, of_table) = (folder(mapping), folder(table));
    if is_of_page(mapping) {
        return 0;
    }
    if own == of_table {
        return 1;
    }
    let is_above = own.is_empty() || of_table.starts_with(&format!("{own}/"));
    let depth = |path: &str| path.matches('/').count() + usize::from(!path.is_empty());
    match is_above {
        true => 2 + depth(&of_table).saturating_sub(depth(&own)),
        false => usize::MAX,
    }
}
