//! What a file holds beside its rows.

use super::span;
use crate::input::json::Cursor;
use crate::input::{self, Outline, outline};
use crate::model::{Locator, NoteKind, Place};
use crate::readers::records::elements_in;
use crate::readers::{Claimed, Context, Error};
use serde_json::{Map, Value};

/// Takes a row, where it lies, and its bytes.
pub(super) type TakeRow<'a> = dyn FnMut(&Value, Locator, &[u8]) -> Result<(), input::Error> + 'a;

/// What a file holds beside its rows.
#[derive(Default)]
pub(super) struct FileHead {
    /// `results.prompts`.
    pub(super) prompts: Vec<Value>,
    /// `results.stats`.
    pub(super) stats: Value,
    /// Members of `results` beside these and the rows, of `config` as far as they are read, and of the top.
    pub(super) rest: Map<String, Value>,
}

/// Members of `config` that are read: the rest are the tests, which stand in the rows.
pub(super) const OF_CONFIG: [&str; 6] =
    ["description", "tags", "derivedMetrics", "evaluateOptions", "commandLineOptions", "env"];

/// The parts of a JSON document; its rows go to `take`.
pub(super) async fn json(
    claimed: &Claimed,
    cx: &Context<'_>,
    take: &mut TakeRow<'_>,
) -> Result<FileHead, Error> {
    let file = &claimed.file;
    let mut head = FileHead::default();
    let member = |outline: &Outline, key: &str| -> Result<Option<Value>, Error> {
        let Some(member) = outline.member(key) else { return Ok(None) };
        let bytes = file.bytes(member.span.clone());
        let bytes = bytes.map_err(|err| Error::from(err).in_file(&file.path))?;
        match Cursor::new(&bytes).tree() {
            Ok(value) => Ok(Some(value)),
            Err(err) => {
                let detail = format!("{key:?} cannot be read: {}", err.reason());
                let place = Place::Byte(err.at() + member.span.start);
                cx.notes.add(&file.path, NoteKind::Broken, place, detail);
                Ok(None)
            }
        }
    };
    let top = &claimed.shape.outline;
    for key in ["evalId", "metadata", "runtimeOptions", "shareableUrl", "author"] {
        if let Some(value) = member(top, key)? {
            head.rest.insert(key.to_owned(), value);
        }
    }
    let in_file = |err: input::Error| Error::from(err).in_file(&file.path);
    if let Some(config) = top.member("config") {
        let own = outline(file, config.span.start, cx.pulse).await.map_err(in_file)?;
        let mut config = Map::new();
        for key in OF_CONFIG {
            if let Some(value) = member(&own, key)? {
                config.insert(key.to_owned(), value);
            }
        }
        head.rest.insert("config".to_owned(), Value::Object(config));
    }
    let start = top.member("results").map_or(0, |member| member.span.start);
    let results = outline(file, start, cx.pulse).await.map_err(in_file)?;
    if let Some(Value::Array(prompts)) = member(&results, "prompts")? {
        head.prompts = prompts;
    }
    head.stats = member(&results, "stats")?.unwrap_or_default();
    for key in ["version", "timestamp"] {
        if let Some(value) = member(&results, key)? {
            head.rest.insert(key.to_owned(), value);
        }
    }
    match results.member("results") {
        Some(rows) => {
            elements_in(file, rows.span.clone(), "row", cx, &mut |record| {
                let value = record.read(|cursor| cursor.tree())?;
                take(&value, span(file, record.offset, record.bytes.len()), record.bytes)
            })
            .await?;
        }
        None if results.cut.is_none() => {
            let place = Place::Field("results.results".to_owned());
            cx.notes.add(&file.path, NoteKind::Broken, place, "the file has no list of rows");
        }
        None => {}
    }
    Ok(head)
}
