//! Whether a file that nobody claims is a table, told from its beginning.

use super::profile::Profiles;
use super::roles::{guess, has_result};
use super::sheet::{SheetColumns, SheetRow, sheets};
use super::{MAPPING, mapping};
use crate::input::{Form, InputFile, PartSource, Pulse, Shape, at_once};
use crate::model::{Notes, Role, TimeUnit};
use crate::readers::{Claimed, ContentKeys, Context, InProcess, Marks};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// Rows that are looked at.
const LOOKED_AT: u64 = 200;

/// Bytes that are looked at.
const LOOKED_BYTES: u64 = 1 << 20;

/// A file that is a table, or several.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableLook {
    /// Its tables, in order; at least one.
    pub sheets: Vec<TableSheet>,
}

/// A table as its first rows show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableSheet {
    /// What it is made of, in words: `CSV`, `Parquet`.
    pub form: String,
    /// Its name in a file that holds several.
    pub table: Option<String>,
    /// Columns of the first rows, in the order of the file.
    pub columns: Vec<String>,
    /// What each of them is guessed to be.
    pub roles: Vec<(Role, Option<TimeUnit>)>,
    /// Whether a column looks like a result.
    pub has_result: bool,
}

impl TableLook {
    /// Whether one of its tables has a column that looks like a result.
    pub fn has_result(&self) -> bool {
        self.sheets.iter().any(|sheet| sheet.has_result)
    }

    /// What it is in one sentence, for one who opens it and gets nothing of it.
    pub fn words(&self) -> String {
        const SHOWN: usize = 12;
        let Some(first) = self.sheets.first() else { return String::new() };
        let mut names: Vec<&str> = first.columns.iter().map(String::as_str).take(SHOWN).collect();
        let n_more = first.columns.len().saturating_sub(SHOWN);
        let more = format!("{n_more} more");
        if n_more > 0 {
            names.push(&more);
        }
        let form = &first.form;
        format!(
            "a table ({form}) in which no column looks like a result; columns: {}",
            names.join(", ")
        )
    }
}

/// The tables that `file` is, by its first rows.
pub(super) async fn look(file: &InputFile, shape: &Shape) -> Option<TableLook> {
    let head = head_of(file, shape);
    let (notes, pulse, marks, alone) =
        (Notes::default(), Pulse::silent(), Marks::default(), InProcess::default());
    let after = Marks::default();
    let cx =
        Context { notes: &notes, pulse: &pulse, before: &marks, after: &after, helpers: &alone };
    let mut found = Vec::new();
    for sheet in sheets(&head, shape).ok()? {
        let mut columns = SheetColumns::default();
        let mut profiles = Profiles::new(sheet.may_have_decimal_commas());
        let mut take = |columns: &SheetColumns, row: SheetRow<'_>| {
            profiles.add(columns, &row);
            profiles.n_rows < LOOKED_AT
        };
        sheet.each_row(&cx, &mut columns, &mut take).await.ok()?;
        if profiles.n_rows == 0 || columns.names().len() < 2 {
            continue;
        }
        let guessed = guess(columns.names(), &profiles);
        found.push(TableSheet {
            form: sheet.form(),
            table: sheet.table().map(str::to_owned),
            columns: columns.names().to_vec(),
            roles: guessed.iter().map(|column| (column.role, column.unit)).collect(),
            has_result: has_result(&guessed),
        });
    }
    (!found.is_empty()).then_some(TableLook { sheets: found })
}

/// The beginning of a file of records; of others the whole.
fn head_of(file: &InputFile, shape: &Shape) -> InputFile {
    let is_records = shape.form == Form::Lines || shape.element.is_some();
    if !is_records {
        return file.clone();
    }
    let end = shape.record().span.end.saturating_mul(4).max(LOOKED_BYTES).min(file.len());
    // A source of its own, so that what is kept of it is not taken for the file.
    InputFile { data: Rc::new(PartSource::new(Rc::clone(&file.data), 0..end)), ..file.clone() }
}

/// The columns that a claimed file is for, or has.
pub(super) fn content_keys(claimed: &Claimed) -> ContentKeys {
    let columns = if claimed.claim.role == MAPPING {
        let found = mapping::parse(&claimed.file).ok();
        let names =
            |own: crate::model::MappingFile| own.columns.into_iter().map(|one| one.name).collect();
        found.map(|own| vec![names(own)]).unwrap_or_default()
    } else {
        let found = at_once(look(&claimed.file, &claimed.shape)).flatten();
        let all = found.map(|found| found.sheets).unwrap_or_default();
        all.into_iter().map(|sheet| sheet.columns).collect()
    };
    ContentKeys { is_known: true, columns, ..ContentKeys::default() }
}
