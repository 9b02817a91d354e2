//! A bundle of tables into evaluations.

use super::cases::Cases;
use super::mapping::{self, MappingSource};
use super::profile::Profiles;
use super::roles::has_result;
use super::sheet::{Sheet, SheetColumns, SheetRow, sheets};
use super::{MAPPING, SHEET};
use crate::model::{Config, Evaluation, Mapping, NoteKind, Notes, Place, Role};
use crate::readers::formula::is_beyond_unit;
use crate::readers::{Bundle, Claimed, Context, Error, ErrorKind, ReadEvaluation};
use std::borrow::Cow;

/// Reads every table of the bundle.
pub(super) async fn read(bundle: &Bundle, cx: &Context<'_>) -> Result<Vec<ReadEvaluation>, Error> {
    let known = mapping::files_of(bundle, cx);
    let mut read = Vec::new();
    let mut used: Vec<String> = Vec::new();
    for claimed in bundle.of_role(SHEET) {
        let all = sheets(&claimed.file, &claimed.shape)?;
        let several = all.len() > 1;
        for sheet in all {
            let notes = Notes::default();
            let own = Context { notes: &notes, ..*cx };
            let found = evaluation(claimed, &*sheet, &known, several, &own).await?;
            let Some((evaluation, path)) = found else {
                cx.notes.extend(notes.into_vec());
                continue;
            };
            used.extend(path);
            read.push((evaluation, notes));
        }
    }
    let is_unused = |path: &str| !used.iter().any(|own| own == path) && !mapping::is_of_page(path);
    for (path, _) in known.iter().filter(|(path, _)| is_unused(path)) {
        let detail =
            "this mapping file is for other columns: none of the tables here has just these";
        cx.notes.add(path, NoteKind::Broken, Place::File, detail);
    }
    if read.is_empty() {
        return Err(nothing(bundle));
    }
    let is_one = read.len() == 1;
    let readings = read.into_iter().map(|(evaluation, notes)| {
        let notes = if is_one {
            cx.notes.extend(notes.into_vec());
            None
        } else {
            Some(notes.into_vec())
        };
        ReadEvaluation { evaluation, notes, stored: None }
    });
    Ok(readings.collect())
}

/// Why a bundle holds nothing.
fn nothing(bundle: &Bundle) -> Error {
    let lonely = bundle.of_role(MAPPING).next().filter(|_| bundle.of_role(SHEET).next().is_none());
    match lonely.map(|claimed| (claimed, mapping::parse(&claimed.file))) {
        Some((claimed, Ok(_))) => {
            let reason = "a mapping file for other columns than those of any table that is open";
            Error::new(ErrorKind::Format(reason.to_owned())).in_file(&claimed.file.path)
        }
        Some((claimed, Err((_, reason)))) => {
            Error::new(ErrorKind::Format(reason)).in_file(&claimed.file.path)
        }
        None => Error::new(ErrorKind::Format("the table has no rows".to_owned())),
    }
}

/// The evaluation that a table is, with the mapping file that was used; `None`: it has no rows.
async fn evaluation(
    claimed: &Claimed,
    sheet: &dyn Sheet,
    known: &[MappingSource],
    several: bool,
    cx: &Context<'_>,
) -> Result<Option<(Evaluation, Option<String>)>, Error> {
    let file = &claimed.file;
    let mut columns = SheetColumns::default();
    let mut profiles = Profiles::new(sheet.may_have_decimal_commas());
    let mut take = |columns: &SheetColumns, row: SheetRow<'_>| {
        profiles.add(columns, &row);
        true
    };
    sheet.each_row(cx, &mut columns, &mut take).await?;
    if profiles.n_rows == 0 {
        return Ok(None);
    }
    if columns.is_cut {
        let detail = format!(
            "the table has more than {} columns: the others stand in the record of each case alone",
            columns.names().len()
        );
        cx.notes.add(&file.path, NoteKind::Limit, Place::File, detail);
    }
    let of_columns = profiles.columns.clone();
    let (mapping, used) = mapping::mapping(sheet, file, &columns, profiles, known);
    let table = sheet.table().filter(|_| several);
    if let Some(table) = table.filter(|_| used.is_none() && !has_result(&mapping.columns)) {
        let detail = format!("table {table} is left out: none of its columns looks like a result");
        cx.notes.add(&file.path, NoteKind::Assumed, Place::File, detail);
        return Ok(None);
    }
    let label = match table {
        Some(table) => format!("{} › {table}", file.name()),
        None => file.name().to_owned(),
    };
    let path = match table {
        Some(table) => format!("{}/{table}", file.path),
        None => file.path.clone(),
    };
    let mut cases = Cases::new(&mapping, &of_columns, (file.id, &path), &label);
    // What is broken was noted the first time.
    let notes = Notes::default();
    let again = Context { notes: &notes, ..*cx };
    let mut take = |_: &SheetColumns, row: SheetRow<'_>| {
        cases.add(&row);
        true
    };
    sheet.each_row(&again, &mut columns, &mut take).await?;
    note(file.path.as_str(), &mapping, &cases, cx);
    let (metrics, better) = (cases.metrics(), cases.better());
    let runs = cases.into_runs();
    let config = Config { better, ..config(mapping, metrics, is_beyond_unit(&runs)) };
    let evaluation = Evaluation {
        producer: super::ID.into(),
        generation: String::new(),
        path,
        label,
        suite: None,
        config,
        declared: Vec::new(),
        unchecked: Vec::new(),
        declared_json: serde_json::Value::Null,
        rows: Vec::new(),
        runs,
        sources: vec![file.id],
    };
    Ok(Some((evaluation, used)))
}

/// Notes what was decided, and which cells could not be read.
fn note(path: &str, mapping: &Mapping, cases: &Cases<'_>, cx: &Context<'_>) {
    if !mapping.is_confirmed {
        let said = mapping.columns.iter().filter(|column| column.role != Role::Fact);
        let said: Vec<String> =
            said.map(|column| format!("{} as {}", column.name, column.role.word())).collect();
        let detail = format!("what the columns are is guessed: {}", said.join(", "));
        cx.notes.add(path, NoteKind::Assumed, Place::File, detail);
    }
    if cases.n_again > 0 {
        let detail = format!(
            "{} more {} the same id as another row of the run: each counts as another repeat",
            cases.n_again,
            if cases.n_again == 1 { "row has" } else { "rows have" }
        );
        cx.notes.add(path, NoteKind::Assumed, Place::File, detail);
    }
    for (column, n_cells, first) in &cases.odd {
        let cells = if *n_cells == 1 { "a cell is not a number" } else { "cells are not numbers" };
        let detail = match n_cells {
            1 => format!("column {column}: {cells} and counts as missing"),
            n => format!("column {column}: {n} {cells} and count as missing"),
        };
        cx.notes.add(path, NoteKind::Broken, Place::Row(*first), detail);
    }
}

/// What pages say about the figures of a table.
fn config(mapping: Mapping, metrics: Vec<String>, has_any_scores: bool) -> Config {
    let name_of = |role: Role| {
        let column = mapping.columns.iter().find(|column| column.role == role);
        column.map(|column| column.name.clone())
    };
    let is_wide = name_of(Role::ModelScore).is_some();
    let verdict = name_of(Role::Passed);
    let score =
        name_of(Role::Score).or_else(|| metrics.first().cloned().filter(|_| verdict.is_none()));
    let owned = |text: String| Some(Cow::Owned(text));
    Config {
        metrics,
        has_any_scores,
        no_verdict: Some("a table has no rule that passes or fails the whole".into()),
        no_case_rule: match (&verdict, is_wide) {
            (None, _) => Some("no column says which cases pass".into()),
            (Some(_), _) => None,
        },
        case_rule: verdict.and_then(|name| owned(format!("verdict in column {name}"))),
        score_source: match (is_wide, score) {
            (true, _) => Some("mean of the model's column over rows".into()),
            (false, Some(name)) => owned(format!("mean of column {name} over rows")),
            (false, None) => None,
        },
        mapping: Some(mapping),
        ..Config::default()
    }
}
