//! Records of JSON, one row each: lines, a list, or a list under one key of an object.

use super::flatten;
use super::sheet::{Sheet, SheetColumns, SheetRow, TakeSheetRow, WholeRow};
use crate::input::json::Cursor;
use crate::input::{self, Form, InputFile, LocalFuture, Record, RecordLayout, Shape, ValueKind};
use crate::model::{Locator, RawRecord};
use crate::readers::{Claim, Claimed, Context, Error, ErrorKind, records};
use serde_json::Value;

/// A file of records as a table.
pub(super) struct JsonRows {
    claimed: Claimed,
    /// Key of the list in an object; `None`: the file is the list.
    key: Option<String>,
}

impl JsonRows {
    /// The records in `file`; `None` when it is none of these forms.
    pub(super) fn of(file: &InputFile, shape: &Shape) -> Option<Self> {
        let claim = Claim { role: super::SHEET, generation: None, why: super::WHY };
        let claimed = Claimed { file: file.clone(), shape: shape.clone(), claim };
        let is_list = shape.element.is_some();
        let is_lines = shape.form == Form::Lines && shape.outline.kind == Some(ValueKind::Object);
        if is_list || is_lines {
            return Some(Self { claimed, key: None });
        }
        let key = list_key(file, shape)?;
        Some(Self { claimed, key: Some(key) })
    }

    async fn read(
        &self,
        cx: &Context<'_>,
        columns: &mut SheetColumns,
        take: &mut TakeSheetRow<'_>,
    ) -> Result<(), Error> {
        let mut cells = Vec::new();
        let (mut number, mut is_wanted) = (0, true);
        let source = self.claimed.file.id;
        let mut each = |record: Record<'_>| {
            if !is_wanted {
                return Ok(());
            }
            let value = record.read(|cursor| cursor.tree())?;
            let Value::Object(members) = value else {
                let kind = input::ErrorKind::Json("a record is no object");
                return Err(input::Error::new(kind, 0));
            };
            flatten::into_cells(members, columns, &mut cells);
            let (offset, len) = (record.offset, record.bytes.len() as u64);
            let at = Locator::Span { source, offset, len };
            is_wanted = take(columns, SheetRow { number, at, cells: &cells });
            number += 1;
            Ok(())
        };
        match &self.key {
            Some(key) => records::elements(&self.claimed, key, "record", cx, &mut each).await,
            None => records::records(&self.claimed, "record", cx, &mut each).await,
        }
    }
}

/// The only member of an object that is a list of objects.
fn list_key(file: &InputFile, shape: &Shape) -> Option<String> {
    let outline = &shape.outline;
    if shape.form != Form::Document || outline.cut.is_some() {
        return None;
    }
    let is_list = |span: &std::ops::Range<u64>| {
        let head = file.bytes(span.start..span.end.min(span.start + 64)).unwrap_or_default();
        let mut inner = head.iter().skip(1).filter(|byte| !byte.is_ascii_whitespace());
        inner.next() == Some(&b'{')
    };
    let arrays = outline.members.iter().filter(|member| member.kind == ValueKind::Array);
    let mut lists = arrays.filter(|member| is_list(&member.span));
    let first = lists.next()?;
    lists.next().is_none().then(|| first.key.clone())
}

impl Sheet for JsonRows {
    fn form(&self) -> String {
        match (&self.key, self.claimed.shape.layout) {
            (Some(key), _) => format!("JSON, records in {key}"),
            (None, RecordLayout::Elements) => "JSON, a list of records".to_owned(),
            (None, RecordLayout::Lines) => "JSONL".to_owned(),
            (None, RecordLayout::Values) => "JSON, records one after another".to_owned(),
        }
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
        let file = &self.claimed.file;
        let Locator::Span { offset, len, .. } = at else {
            return Err(Error::new(ErrorKind::Gone));
        };
        let bytes = file
            .bytes(offset..offset.saturating_add(len))
            .map_err(|err| Error::from(err).in_file(&file.path))?;
        let raw = RawRecord {
            file: file.path.clone(),
            at: format!("byte {offset}"),
            json: String::from_utf8_lossy(&bytes).into_owned(),
            left_out: None,
        };
        let value = Cursor::new(&bytes).tree()?;
        let Value::Object(members) = value else { return Err(Error::new(ErrorKind::Gone)) };
        Ok((flatten::leaves(members), raw))
    }
}
