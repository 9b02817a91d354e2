//! An evaluation of the report, without its runs.

use super::fields::{owned, part};
use crate::input::json::Cursor;
use crate::input::{Error, ErrorKind, InputFile, Record};
use crate::model::{Config, Declared, Evaluation, NoteKind, Notes, Place, Unchecked};
use serde_json::Value;
use std::collections::HashMap;
use std::rc::Rc;

/// An evaluation that is being put together.
pub(super) struct EvaluationDraft {
    /// Its id in the report.
    pub id: String,
    /// The evaluation.
    pub evaluation: Evaluation,
    /// Its runs that are in the report.
    pub runs: Vec<ReportRun>,
    /// How many cases the report holds of how many, when not all.
    pub holds: Option<[u64; 2]>,
    /// Notes about it.
    pub notes: Notes,
}

/// A run that is in the report.
#[derive(Clone, Copy)]
pub(super) struct ReportRun {
    /// Which run of the evaluation it is, from 0.
    pub nth: usize,
    /// Whether all its cases are there.
    pub is_whole: bool,
    /// Whether they are in the order of the files.
    pub is_in_order: bool,
}

/// Texts that many figures share.
#[derive(Default)]
struct SharedTexts(HashMap<Rc<str>, ()>);

impl SharedTexts {
    fn of(&mut self, text: Rc<str>) -> Rc<str> {
        match self.0.get_key_value(&text) {
            Some((known, ())) => Rc::clone(known),
            None => {
                self.0.insert(Rc::clone(&text), ());
                text
            }
        }
    }
}

/// Reads the evaluation in `record` of `file`.
///
/// # Errors
/// When it is no JSON object, or has no id.
pub(super) fn read(record: Record<'_>, file: &InputFile) -> Result<EvaluationDraft, Error> {
    let mut draft = EvaluationDraft {
        id: String::new(),
        evaluation: Evaluation {
            producer: "".into(),
            generation: String::new(),
            path: String::new(),
            label: String::new(),
            suite: None,
            config: Config::default(),
            declared: Vec::new(),
            unchecked: Vec::new(),
            declared_json: Value::Null,
            rows: Vec::new(),
            runs: Vec::new(),
            sources: vec![file.id],
        },
        runs: Vec::new(),
        holds: None,
        notes: Notes::default(),
    };
    let mut has_rules = false;
    let mut shared = SharedTexts::default();
    record.read(|cursor| {
        cursor.each_field(|key, cursor| {
            has_rules |= key == "config";
            member(&mut draft, &mut shared, key, cursor, (file, record.offset))
        })
    })?;
    if draft.id.is_empty() {
        return Err(Error::new(ErrorKind::Format("an evaluation has no id"), 0));
    }
    if !has_rules {
        let detail = "the report was made by an earlier version and does not hold the rules of the \
            files: gates, metrics and policies are not shown";
        let place = Place::Byte(record.offset);
        draft.notes.add(&file.path, NoteKind::Unknown, place, detail);
    }
    Ok(draft)
}

/// Takes a member; one that is not what the schema says costs only itself.
fn member(
    draft: &mut EvaluationDraft,
    shared: &mut SharedTexts,
    key: &str,
    cursor: &mut Cursor<'_>,
    (file, base): (&InputFile, u64),
) -> Result<(), Error> {
    let notes = &draft.notes;
    let broken = |what: &str, at: u64| {
        let detail = format!("{what} of the evaluation cannot be read, and is left out");
        notes.add(&file.path, NoteKind::Broken, Place::Byte(base + at), detail);
    };
    let evaluation = &mut draft.evaluation;
    let at = cursor.at() as u64;
    match key {
        "id" => draft.id = owned(cursor)?.unwrap_or_default(),
        "label" => evaluation.label = owned(cursor)?.unwrap_or_default(),
        "producer" => evaluation.producer = producer(owned(cursor)?.unwrap_or_default()),
        "generation" => evaluation.generation = owned(cursor)?.unwrap_or_default(),
        "path" => evaluation.path = owned(cursor)?.unwrap_or_default(),
        "suite" => evaluation.suite = owned(cursor)?,
        "declared" => evaluation.declared_json = cursor.tree()?,
        "config" => match item(cursor)? {
            Some(config) => evaluation.config = config,
            None => broken("the configuration", at),
        },
        "declared_figures" => {
            cursor.each_item(|cursor| {
                let at = cursor.at() as u64;
                match item::<Declared>(cursor)? {
                    Some(one) => {
                        let file = shared.of(Rc::clone(&one.file));
                        evaluation.declared.push(Declared { file, ..one });
                    }
                    None => broken("a declared figure", at),
                }
                Ok(())
            })?;
        }
        "unchecked_figures" => {
            cursor.each_item(|cursor| {
                let at = cursor.at() as u64;
                match item::<Unchecked>(cursor)? {
                    Some(one) => {
                        let file = shared.of(Rc::clone(&one.file));
                        evaluation.unchecked.push(Unchecked { file, ..one });
                    }
                    None => broken("a figure without a check", at),
                }
                Ok(())
            })?;
        }
        "rows" => {
            cursor.each_item(|cursor| {
                let at = cursor.at() as u64;
                match cursor.tree()? {
                    Value::Object(row) => evaluation.rows.push(row),
                    _ => broken("a recorded row", at),
                }
                Ok(())
            })?;
        }
        "holds" => {
            let (mut n_cases, mut of) = (None, None);
            cursor.each_field(|key, cursor| {
                match key {
                    "cases" => n_cases = item::<u64>(cursor)?,
                    "of" => of = item::<u64>(cursor)?,
                    _ => {
                        cursor.skip()?;
                    }
                }
                Ok(())
            })?;
            draft.holds = Some([n_cases.unwrap_or_default(), of.unwrap_or_default()]);
        }
        _ => {
            cursor.skip()?;
        }
    }
    Ok(())
}

/// What comes next as a `T`; `None` when it is JSON but none.
fn item<T: serde::de::DeserializeOwned>(cursor: &mut Cursor<'_>) -> Result<Option<T>, Error> {
    match part(cursor) {
        Ok(item) => Ok(Some(item)),
        Err(err) if matches!(err.kind(), ErrorKind::Format(_)) => Ok(None),
        Err(err) => Err(err),
    }
}

/// A producer by its name; those with a reader of their own need no text.
fn producer(name: String) -> std::borrow::Cow<'static, str> {
    crate::readers::producer(&name).map_or(name.into(), |producer| producer.id().into())
}
