//! The page of a case: the whole row.

use super::SHEET;
use super::cell::{is_empty, is_missing_word, meant};
use super::sheet::{Sheet, WholeRow, kept_sheets};
use crate::model::{CaseDetail, CheckDetail, Config, Content, Mapping, Message, Role, Run};
use crate::readers::chat;
use crate::readers::record_value::{Facts, content, short_text};
use crate::readers::{Bundle, Error, ErrorKind};
use serde_json::Value;

/// Reads the row of a case again: the only one of its run.
pub(super) fn read(bundle: &Bundle, config: &Config, case: &Run) -> Result<CaseDetail, Error> {
    let gone = || Error::new(ErrorKind::Gone);
    let at = case.cases.locator_of(0).ok_or_else(gone)?;
    let mapping = config.mapping.as_ref().ok_or_else(gone)?;
    let mut files = bundle.of_role(SHEET);
    let claimed = files.find(|claimed| claimed.file.id == at.source()).ok_or_else(gone)?;
    let sheets = kept_sheets(&claimed.file, &claimed.shape)?;
    let is_it = |sheet: &&std::rc::Rc<dyn Sheet>| sheet.table() == mapping.table.as_deref();
    let row = sheets.iter().find(is_it).ok_or_else(gone)?.row(at)?;
    Ok(detail(row, mapping, case))
}

fn detail((cells, raw): WholeRow, mapping: &Mapping, case: &Run) -> CaseDetail {
    let role_of = |name: &str| {
        let column = mapping.columns.iter().find(|column| column.name == name);
        column.map_or(Role::Fact, |column| column.role)
    };
    let mut facts = Facts::default();
    let mut found = CaseDetail { raw: vec![raw], ..CaseDetail::default() };
    for (name, cell) in &cells {
        let cell = meant(cell);
        let texts = match role_of(name) {
            Role::Input => &mut found.input,
            Role::Expected => &mut found.expected,
            Role::Output => &mut found.actual,
            Role::Error if !is_missing_word(&cell) => &mut found.failure,
            Role::Metric | Role::Id | Role::Group | Role::Model => continue,
            // A score, a duration stand in the table; the cell says how they were written.
            _ if is_empty(&cell) => continue,
            _ => {
                facts.add(name, short_text(&cell));
                continue;
            }
        };
        match messages(&cell) {
            Some(messages) if found.transcript.is_empty() => found.transcript = messages,
            _ => texts.extend(own_content(name, &cell)),
        }
    }
    found.facts = facts.into_vec();
    found.checks = (0..case.checks.len())
        .map(|at| CheckDetail {
            attempt: 1,
            name: case.checks.name.get(at).unwrap_or_default().to_owned(),
            score: case.checks.score.get(at),
            is_correct: case.checks.is_correct.get(at),
            ..CheckDetail::default()
        })
        .collect();
    found
}

fn own_content(name: &str, cell: &Value) -> Option<Content> {
    content(name, Some(cell))
}

/// The messages of a conversation; `None` when the cell holds anything else.
fn messages(cell: &Value) -> Option<Vec<Message>> {
    let list = cell.as_array().filter(|list| !list.is_empty())?;
    let is_message = |one: &Value| one.get("role").is_some_and(Value::is_string);
    list.iter().all(is_message).then(|| chat::messages(list))
}
