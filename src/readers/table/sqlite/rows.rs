//! A table of a database as rows of cells.

use super::definition::Definition;
use super::pages::Database;
use super::record::values;
use super::tree::{BTreeWalk, SqliteCell, SqliteFault, cell_of};
use crate::input::LocalFuture;
use crate::model::{Locator, NoteKind, Place, RawRecord};
use crate::readers::table::sheet::{Sheet, SheetColumns, SheetRow, TakeSheetRow, WholeRow};
use crate::readers::{Context, Error, ErrorKind};
use serde_json::{Map, Value};
use std::rc::Rc;

/// Rows between two looks at whether somebody waits.
const ROWS_AT_ONCE: u64 = 256;

/// A table.
pub(super) struct SqliteRows {
    database: Rc<Database>,
    name: String,
    root: u32,
    definition: Definition,
    /// What was broken before its first row: in the list of tables.
    faults: Vec<SqliteFault>,
}

impl SqliteRows {
    /// The table `name`, whose tree begins at page `root`.
    pub(super) fn new(
        database: &Rc<Database>,
        name: String,
        root: u32,
        definition: Definition,
        faults: Vec<SqliteFault>,
    ) -> Self {
        Self { database: Rc::clone(database), name, root, definition, faults }
    }

    /// The cells of a row, in the order of the columns.
    fn cells(&self, cell: &SqliteCell) -> Vec<Value> {
        let Definition { columns, stored, rowid, .. } = &self.definition;
        let mut own = values(&cell.payload, self.database.encoding).into_iter();
        let mut cells: Vec<Value> = vec![Value::Null; columns.len()];
        for at in stored {
            let Some(column) = columns.get(*at) else { continue };
            let value = own.next().unwrap_or_else(|| column.default.clone());
            if let Some(place) = cells.get_mut(*at) {
                *place = value.into_cell(column.is_flag);
            }
        }
        if let Some((place, id)) = rowid.and_then(|at| cells.get_mut(at)).zip(cell.rowid) {
            *place = Value::from(id);
        }
        cells
    }

    async fn read(
        &self,
        cx: &Context<'_>,
        columns: &mut SheetColumns,
        take: &mut TakeSheetRow<'_>,
    ) -> Result<(), Error> {
        let path = &self.database.file.path;
        let note = |fault: &SqliteFault| {
            let detail = format!("table {}: {}", self.name, fault.reason);
            cx.notes.add(path, NoteKind::Broken, Place::Byte(fault.byte), detail);
        };
        self.faults.iter().for_each(note);
        for column in &self.definition.columns {
            columns.place(&column.name);
        }
        let mut number = 0_u64;
        for (nth, cell) in (1_u64..).zip(BTreeWalk::new(
            &self.database,
            self.root,
            !self.definition.is_without_rowid,
        )) {
            if nth % ROWS_AT_ONCE == 0 {
                cx.pulse.breathe().await?;
            }
            let cell = match cell {
                Ok(cell) => cell,
                Err(fault) => {
                    note(&fault);
                    continue;
                }
            };
            let source = self.database.file.id;
            let at = Locator::Span { source, offset: cell.offset, len: cell.len };
            let mut cells = self.cells(&cell);
            cells.truncate(columns.names().len());
            if !take(columns, SheetRow { number, at, cells: &cells }) {
                break;
            }
            number += 1;
        }
        Ok(())
    }
}

impl Sheet for SqliteRows {
    fn form(&self) -> String {
        "SQLite".to_owned()
    }

    fn table(&self) -> Option<&str> {
        Some(&self.name)
    }

    fn may_have_decimal_commas(&self) -> bool {
        false
    }

    fn each_row<'a>(
        &'a self,
        cx: &'a Context<'a>,
        columns: &'a mut SheetColumns,
        take: &'a mut TakeSheetRow<'a>,
    ) -> LocalFuture<'a, Result<(), Error>> {
        Box::pin(self.read(cx, columns, take))
    }

    fn row(&self, at: Locator) -> Result<WholeRow, Error> {
        let Locator::Span { offset, .. } = at else { return Err(Error::new(ErrorKind::Gone)) };
        let cell = cell_of(&self.database, offset)
            .map_err(|fault| Error::new(ErrorKind::Format(fault.reason)))?;
        let names = self.definition.columns.iter().map(|column| column.name.clone());
        let cells: Vec<(String, Value)> = names.zip(self.cells(&cell)).collect();
        let at = match cell.rowid {
            Some(id) => format!("table {}, row {id}", self.name),
            None => format!("table {}, byte {offset}", self.name),
        };
        let record: Map<String, Value> = cells.iter().cloned().collect();
        let json = Value::Object(record).to_string();
        Ok((cells, RawRecord { file: self.database.file.path.clone(), at, json, left_out: None }))
    }
}
