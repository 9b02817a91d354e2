//! What the files of a run hold beyond its cases: named always, read where details are carried.

use super::put;
use crate::export::selection::ExportContents;
use crate::model::{DocumentDetail, DocumentKind, Run, RunDocument};
use crate::readers;
use crate::report::RunRef;
use crate::workspace::{Need, Workspace};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::io;

/// Adds the documents to a run that is being written. `carried`: what of them is written, if anything.
pub(super) fn put_documents(
    out: &mut Vec<u8>,
    workspace: &Workspace,
    at: RunRef,
    run: &Run,
    carried: Option<&ExportContents>,
) -> io::Result<()> {
    if run.documents.is_empty() {
        return Ok(());
    }
    out.extend(b",\"documents\":[");
    super::separated(out, run.documents.iter().zip(0..), |out, (document, place)| {
        let carried = carried.filter(|carried| is_carried(document, carried));
        let detail = carried.map(|_| workspace.document(at, place));
        put(out, &DocumentJson { document, detail })
    })?;
    out.push(b']');
    Ok(())
}

/// The documents of run `at` that are carried.
pub(super) fn needs(run: &Run, at: RunRef, carried: &ExportContents) -> Vec<Need> {
    let documents = run.documents.iter().zip(0..);
    let own = documents.filter(|(document, _)| is_carried(document, carried));
    own.map(|(_, place)| Need::Document(at, place)).collect()
}

fn is_carried(document: &RunDocument, carried: &ExportContents) -> bool {
    carried.details && (document.kind != DocumentKind::Transcript || carried.transcripts)
}

/// A document as a JSON object.
struct DocumentJson<'a> {
    document: &'a RunDocument,
    detail: Option<Result<DocumentDetail, readers::Error>>,
}

impl Serialize for DocumentJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let RunDocument { kind, title, file, .. } = self.document;
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("kind", kind)?;
        object.serialize_entry("title", title)?;
        object.serialize_entry("file", file)?;
        match &self.detail {
            Some(Ok(DocumentDetail { record, changes, table })) => {
                let mut record = record.clone();
                let transcript = std::mem::take(&mut record.transcript);
                let turns = std::mem::take(&mut record.turns);
                record.raw.clear();
                object.serialize_entry("detail", &record)?;
                if !transcript.is_empty() {
                    object.serialize_entry("transcript", &transcript)?;
                    object.serialize_entry("turns", &turns)?;
                }
                if !changes.is_empty() {
                    object.serialize_entry("changes", changes)?;
                }
                if let Some(table) = table {
                    object.serialize_entry("table", table)?;
                }
            }
            Some(Err(err)) => object.serialize_entry("detail_error", &err.to_string())?,
            None => {}
        }
        object.end()
    }
}
