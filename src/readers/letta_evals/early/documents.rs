//! The documents beside the rows: headers, summaries, the aggregate, and what they say of the rest.

use crate::model::{NoteKind, Place};
use crate::readers::letta_evals::case_page::document;
use crate::readers::letta_evals::cases;
use crate::readers::letta_evals::judging::generation::{self, ConfigTraits, Generation, Traits};
use crate::readers::letta_evals::judging::rules::has_gate_kind;
use crate::readers::letta_evals::sniff::role;
use crate::readers::{Bundle, Claimed, Context, Error};
use serde_json::{Map, Value};
use std::rc::Rc;

/// The members of a document.
pub type EarlyDocument = Map<String, Value>;

/// A document with its file.
pub struct NamedDocument<'a> {
    /// The file.
    pub claimed: &'a Rc<Claimed>,
    /// What it holds.
    pub map: EarlyDocument,
}

impl NamedDocument<'_> {
    /// The path and what the document holds.
    pub fn into_summary(self) -> (String, EarlyDocument) {
        (self.claimed.file.path.clone(), self.map)
    }
}

/// All documents beside the rows.
pub struct Documents<'a> {
    /// Headers.
    pub headers: Vec<NamedDocument<'a>>,
    /// Summaries; those that have found their rows are taken out.
    pub summaries: Vec<NamedDocument<'a>>,
    /// Figures over all runs.
    pub aggregate: Option<NamedDocument<'a>>,
}

/// Reads the documents of `bundle`.
///
/// # Errors
/// When one cannot be read, or the work is cancelled.
pub fn documents<'a>(bundle: &'a Bundle, cx: &Context<'_>) -> Result<Documents<'a>, Error> {
    let mut all = Documents { headers: Vec::new(), summaries: Vec::new(), aggregate: None };
    for claimed in &bundle.files {
        let name = claimed.claim.role;
        if !matches!(name, role::HEADER | role::SUMMARY | role::AGGREGATE) {
            continue;
        }
        let named = NamedDocument { claimed, map: document::read(claimed, &[], cx)? };
        match name {
            role::HEADER => all.headers.push(named),
            role::SUMMARY => all.summaries.push(named),
            _ if all.aggregate.is_none() => all.aggregate = Some(named),
            _ => {
                let detail = "there is more than one aggregate_stats; this one is left out";
                let path = &claimed.file.path;
                cx.notes.add(path, NoteKind::Duplicate, Place::File, detail);
            }
        }
    }
    Ok(all)
}

/// The header in the first line of a file of 0.2.
pub fn inline_header(claimed: &Claimed) -> Option<EarlyDocument> {
    if document::text_member(claimed, "type")? != "header" {
        return None;
    }
    let span = claimed.shape.record().span.clone();
    match document::value(&claimed.file, span).ok()? {
        Value::Object(map) => Some(map),
        _ => None,
    }
}

/// The suite's configuration, of the first document that has one.
pub fn config(header: Option<&EarlyDocument>, summaries: &[NamedDocument<'_>]) -> EarlyDocument {
    header
        .into_iter()
        .chain(summaries.iter().map(|named| &named.map))
        .find_map(|map| map.get("config").and_then(Value::as_object))
        .cloned()
        .unwrap_or_default()
}

/// The suite's name, of the first document that has one.
pub fn suite(header: Option<&EarlyDocument>, summaries: &[NamedDocument<'_>]) -> Option<String> {
    header
        .into_iter()
        .chain(summaries.iter().map(|named| &named.map))
        .find_map(|map| map.get("suite").or_else(|| map.get("suite_name")).and_then(Value::as_str))
        .map(str::to_owned)
}

/// The generation that wrote the files.
pub fn generation(
    rows_files: &[&Rc<Claimed>],
    config: &EarlyDocument,
    documents: &Documents<'_>,
) -> Generation {
    let first = rows_files.iter().find_map(|file| first_row(file)).unwrap_or_default();
    if first.has_ideal {
        return Generation::Zero;
    }
    let is_guide = rows_files.iter().any(|file| file.claim.role == role::GUIDE_ROWS)
        || documents.headers.iter().any(|named| named.map.contains_key("suite_name"))
        || documents.summaries.iter().any(|named| !named.map.contains_key("type"))
        || documents.aggregate.iter().any(|named| named.claimed.claim.generation.is_some());
    if is_guide {
        return Generation::Guide;
    }
    let is_inline = rows_files.iter().any(|file| file.claim.generation == Some("A"));
    let metrics = documents.summaries.iter().find_map(|named| named.map.get("metrics"));
    let traits = ConfigTraits {
        has_gate_kind: has_gate_kind(config),
        has_single_grader: false,
        has_passed_counts: metrics.map(|metrics| metrics.get("passed_attempts").is_some()),
        has_plain_avg: is_inline,
    };
    generation::of_wrapped(first, traits)
}

/// What the first row of a file tells about its generation.
fn first_row(claimed: &Claimed) -> Option<Traits> {
    let bytes = claimed.file.bytes(claimed.shape.record().span.clone()).ok()?;
    cases::peek(&bytes)
}
