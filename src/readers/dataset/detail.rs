//! The record of a case: what its part holds of it.

use super::{Bundle, Dataset, Error};
use crate::model::{CaseDetail, Fact, Locator, Run};
use crate::readers::ErrorKind;
use crate::readers::evalglass::case_of_row;
use crate::readers::parquet_file::ParquetFile;
use serde_json::{Map, Value};

/// Reads the case again, the only one of its run.
pub(super) fn read(reader: &Dataset, bundle: &Bundle, case: &Run) -> Result<CaseDetail, Error> {
    let gone = || Error::new(ErrorKind::Gone);
    let place = case.cases.locator_of(0).ok_or_else(gone)?;
    let Locator::Row { source, row } = place else { return Err(gone()) };
    let file = bundle.file(source).ok_or_else(gone)?;
    let mut record = ParquetFile::open(file)?.row(row).map_err(|err| err.in_file(&file.path))?;
    // With `--with-details` the whole case as JSON, else nothing.
    let json = match record.remove("detail") {
        Some(Value::String(packed)) => packed,
        _ => Value::Object(record.clone()).to_string(),
    };
    let mut detail = case_of_row(reader, bundle, case, json.as_bytes(), "this dataset")?;
    detail.facts.extend(source_of(&record));
    Ok(detail)
}

/// Where the producer's own record lies.
fn source_of(record: &Map<String, Value>) -> Option<Fact> {
    let file = record.get("source_file")?.as_str()?;
    let number = |name: &str| record.get(name).and_then(Value::as_u64);
    let place = match (number("source_at"), number("source_bytes")) {
        (Some(at), Some(bytes)) => format!(", {bytes} bytes from byte {at}"),
        (Some(row), None) => format!(", row {row}"),
        (None, _) => String::new(),
    };
    Some(Fact { label: "record".to_owned(), value: format!("{file}{place}") })
}
