//! A sample whose messages and events lie in files beside it.

use super::sniff::CHUNK;
use crate::input::json::Cursor;
use crate::readers::Bundle;
use crate::readers::record_value::items;
use serde_json::Value;

/// `sample`, whose file is at `path`, with its messages, events and metadata put in.
pub(super) fn joined(bundle: &Bundle, path: &str, mut sample: Value) -> Value {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let all = list(bundle, &format!("{folder}/messages/"));
    let mut messages = Vec::new();
    for range in items(&sample, "message_refs") {
        let end = |at: usize| range.get(at).and_then(Value::as_u64).map(|at| at as usize);
        if let (Some(from), Some(to)) = (end(0), end(1)) {
            messages.extend_from_slice(all.get(from..to.min(all.len())).unwrap_or_default());
        }
    }
    let events = list(bundle, &format!("{folder}/events/"));
    let metadata = file(bundle, &format!("{folder}/metadata.json"));
    let attachments = list(bundle, &format!("{folder}/attachments/"));
    let attachments = attachments.into_iter().enumerate().map(|(at, text)| (at.to_string(), text));
    if let Some(members) = sample.as_object_mut() {
        // Events refer to the same messages.
        members.insert("events_data".to_owned(), serde_json::json!({ "messages": all }));
        members.insert("messages".to_owned(), Value::Array(messages));
        members.insert("events".to_owned(), Value::Array(events));
        members.insert("attachments".to_owned(), Value::Object(attachments.collect()));
        if let Some(metadata) = metadata {
            members.insert("metadata".to_owned(), metadata);
        }
    }
    sample
}

/// The lists in the files below `folder` that are named by a number, in the order of these, as one.
fn list(bundle: &Bundle, folder: &str) -> Vec<Value> {
    let mut chunks: Vec<(u64, &str)> = bundle
        .of_role(CHUNK)
        .filter_map(|claimed| {
            let path = claimed.file.path.as_str();
            let number = path.strip_prefix(folder)?.strip_suffix(".json")?;
            Some((number.parse().ok()?, path))
        })
        .collect();
    chunks.sort_unstable();
    let chunks = chunks.into_iter().filter_map(|(_, path)| file(bundle, path));
    chunks
        .flat_map(|chunk| match chunk {
            Value::Array(items) => items,
            single => vec![single],
        })
        .collect()
}

fn file(bundle: &Bundle, path: &str) -> Option<Value> {
    let claimed = bundle.of_role(CHUNK).find(|claimed| claimed.file.path == path)?;
    Cursor::new(&claimed.file.all_bytes().ok()?).tree().ok()
}
