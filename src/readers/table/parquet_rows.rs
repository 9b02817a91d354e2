//! Rows of a Parquet file.

use super::flatten;
use super::sheet::{Sheet, SheetColumns, SheetRow, TakeSheetRow, WholeRow};
use crate::input::{InputFile, LocalFuture};
use crate::model::{Locator, Place, RawRecord};
use crate::readers::parquet_file::ParquetFile;
use crate::readers::{Context, Error, ErrorKind};
use serde_json::{Map, Value};

/// A Parquet file as a table.
pub(super) struct ParquetRows {
    file: InputFile,
    opened: ParquetFile,
}

impl ParquetRows {
    /// The table that `opened`, the footer of `file`, is about.
    pub(super) fn new(file: &InputFile, opened: ParquetFile) -> Self {
        Self { file: file.clone(), opened }
    }

    async fn read(
        &self,
        cx: &Context<'_>,
        columns: &mut SheetColumns,
        take: &mut TakeSheetRow<'_>,
    ) -> Result<(), Error> {
        let leaves: Vec<usize> = (0..self.opened.n_columns()).collect();
        let mut cells = Vec::new();
        let mut is_wanted = true;
        for group in 0..self.opened.n_row_groups() {
            let mut each = |number: u64, record: Map<String, Value>| {
                if is_wanted {
                    flatten::into_cells(record, columns, &mut cells);
                    let at = Locator::Row { source: self.file.id, row: number };
                    is_wanted = take(columns, SheetRow { number, at, cells: &cells });
                }
            };
            match self.opened.each_row(group, &leaves, cx.pulse, &mut each).await {
                Ok(()) => {}
                Err(err) if err.is_cancelled() => return Err(err),
                Err(err) => {
                    let first = self.opened.first_row_of_group(group);
                    let place = Place::Row(first);
                    cx.notes.add(&self.file.path, err.note_kind(), place, err.to_string());
                }
            }
            if !is_wanted {
                break;
            }
        }
        Ok(())
    }
}

impl Sheet for ParquetRows {
    fn form(&self) -> String {
        "Parquet".to_owned()
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
        let Locator::Row { row, .. } = at else { return Err(Error::new(ErrorKind::Gone)) };
        let record = self.opened.row(row)?;
        let raw = RawRecord {
            file: self.file.path.clone(),
            at: format!("row {row}"),
            json: Value::Object(record.clone()).to_string(),
            left_out: None,
        };
        Ok((flatten::leaves(record), raw))
    }
}
