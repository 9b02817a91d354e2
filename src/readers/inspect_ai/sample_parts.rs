//! One sample, taken apart: what is long in it is read piece by piece.
//!
//! A sample may have 100 MB. Its messages and events are never held as they are written: a message becomes short
//! JSON, an event goes by when the transcript is made, and a text is kept once (see [`Attachments`]).

use super::attachments::Attachments;
use super::message_list::MessageList;
use super::sniff::CHUNK;
use crate::input::json::Cursor;
use crate::input::{self, InputFile, Outline, Pulse, ValueKind, at_once, each_element};
use crate::model::{Locator, Run};
use crate::readers::record_value::{items, text};
use crate::readers::{Bundle, Error, ErrorKind};
use serde_json::{Map, Value};
use std::ops::Range;

/// A sample.
#[derive(Default)]
pub(super) struct SampleParts {
    /// All members but those below, as a tree.
    pub rest: Value,
    /// The conversation.
    pub messages: MessageList,
    /// Messages that events refer to by their place.
    pub pool: MessageList,
    /// Texts that are referred to.
    pub attachments: Attachments,
    /// Events that begin a span.
    pub spans: Vec<Value>,
    /// Whether there is a call of a model or a tool among the events.
    pub has_calls: bool,
    events: Vec<EventList>,
}

/// Where events lie.
enum EventList {
    /// In a list in a file.
    Listed(JsonList),
    /// In the transcript of the first releases.
    Held(Vec<Value>),
}

/// A list in a file.
struct JsonList {
    file: InputFile,
    span: Range<u64>,
}

/// Reads the sample that is the only case of `case`.
///
/// # Errors
/// When its file is gone or damaged.
pub(super) fn read(bundle: &Bundle, case: &Run) -> Result<SampleParts, Error> {
    let gone = || Error::new(ErrorKind::Gone);
    let Some(Locator::Span { source, offset, .. }) = case.cases.locator_of(0) else {
        return Err(gone());
    };
    let file = bundle.file(source).ok_or_else(gone)?;
    let in_file = |err| Error::from(err).in_file(&file.path);
    let mut parts = SampleParts::default();
    parts.members(file, offset).map_err(in_file)?;
    if parts.rest.get("message_refs").is_some() {
        parts.chunks(bundle, file.folder()).map_err(in_file)?;
    }
    parts.look_at_events().map_err(in_file)?;
    Ok(parts)
}

impl SampleParts {
    /// Hands each event to `take`, in order; in place of long texts it has references.
    ///
    /// # Errors
    /// When they cannot be read any more.
    pub fn each_event(&self, take: &mut dyn FnMut(&Value)) -> Result<(), input::Error> {
        for events in &self.events {
            match events {
                EventList::Held(events) => {
                    events.iter().for_each(|event| take(&self.attachments.keep(event.clone())));
                }
                EventList::Listed(list) => list.each(&mut |bytes| {
                    take(&self.attachments.keep(Cursor::new(bytes).tree()?));
                    Ok(())
                })?,
            }
        }
        Ok(())
    }

    /// The members of the sample at `offset` of `file`. Packed files are unpacked from left to right, so they are
    /// read in their order.
    fn members(&mut self, file: &InputFile, offset: u64) -> Result<(), input::Error> {
        let all = outline(file, offset)?.members;
        let mut rest = Map::new();
        for (at, member) in all.iter().enumerate() {
            // Of a repeated key the last value counts.
            if all.iter().skip(at + 1).any(|later| later.key == member.key) {
                continue;
            }
            let list = || JsonList { file: file.clone(), span: member.span.clone() };
            match (member.key.as_str(), member.kind) {
                ("messages", ValueKind::Array) => {
                    list().put_into(&mut self.messages, &self.attachments)?;
                }
                ("events", ValueKind::Array) => self.events.push(EventList::Listed(list())),
                ("events_data", ValueKind::Object) => {
                    let data = outline(file, member.span.start)?;
                    if let Some(messages) = data.member("messages") {
                        let list = JsonList { span: messages.span.clone(), ..list() };
                        list.put_into(&mut self.pool, &self.attachments)?;
                    }
                }
                ("attachments", ValueKind::Object) => {
                    for text in outline(file, member.span.start)?.members {
                        let bytes = file.bytes(text.span)?;
                        if let Some(words) = Cursor::new(&bytes).text()? {
                            self.attachments.add(text.key, words.into_owned());
                        }
                    }
                }
                (key, _) => {
                    let bytes = file.bytes(member.span.clone())?;
                    rest.insert(key.to_owned(), Cursor::new(&bytes).tree()?);
                }
            }
        }
        self.rest = Value::Object(rest);
        Ok(())
    }

    /// What of a chunked sample lies in files in `folder`.
    fn chunks(&mut self, bundle: &Bundle, folder: &str) -> Result<(), input::Error> {
        let mut nth = 0_usize;
        for list in chunk_lists(bundle, &format!("{folder}/attachments/")) {
            list.each(&mut |bytes| {
                if let Some(words) = Cursor::new(bytes).text()? {
                    self.attachments.add(nth.to_string(), words.into_owned());
                }
                nth += 1;
                Ok(())
            })?;
        }
        for list in chunk_lists(bundle, &format!("{folder}/messages/")) {
            list.put_into(&mut self.pool, &self.attachments)?;
        }
        for range in items(&self.rest, "message_refs") {
            let end = |at: usize| range.get(at).and_then(Value::as_u64).map(|at| at as usize);
            if let (Some(from), Some(to)) = (end(0), end(1)) {
                self.messages.extend(&self.pool, from..to);
            }
        }
        let events = chunk_lists(bundle, &format!("{folder}/events/"));
        self.events = events.into_iter().map(EventList::Listed).collect();
        let beside = format!("{folder}/metadata.json");
        let metadata = bundle.of_role(CHUNK).find(|claimed| claimed.file.path == beside);
        if let (Some(members), Some(metadata)) = (self.rest.as_object_mut(), metadata) {
            let bytes = metadata.file.all_bytes()?;
            members.insert("metadata".to_owned(), Cursor::new(&bytes).tree()?);
        }
        Ok(())
    }

    /// Sees which spans and calls there are.
    fn look_at_events(&mut self) -> Result<(), input::Error> {
        let mut n_events = 0_usize;
        for events in &self.events {
            let EventList::Listed(list) = events else { continue };
            list.each(&mut |bytes| {
                n_events += 1;
                let kind = kind_of(bytes)?;
                self.has_calls |= is_call(kind.as_deref());
                if kind.as_deref() == Some(SPAN_BEGIN) {
                    self.spans.push(Cursor::new(bytes).tree()?);
                }
                Ok(())
            })?;
        }
        if n_events == 0
            && let Some(transcript) = self.rest.get_mut("transcript")
        {
            let transcript = transcript.take();
            self.first_releases(transcript);
        }
        Ok(())
    }

    /// The events of a sample of the first releases, and the texts that they refer to.
    fn first_releases(&mut self, mut transcript: Value) {
        if let Some(Value::Object(texts)) = transcript.get_mut("content").map(Value::take) {
            for (hash, text) in texts {
                if let Value::String(text) = text {
                    self.attachments.add(hash, text);
                }
            }
        }
        if let Some(Value::Array(events)) = transcript.get_mut("events").map(Value::take) {
            self.has_calls = events.iter().any(|event| is_call(text(event, "event")));
            let begins = events.iter().filter(|event| text(event, "event") == Some(SPAN_BEGIN));
            self.spans = begins.cloned().collect();
            self.events = vec![EventList::Held(events)];
        }
    }
}

impl JsonList {
    /// Hands the elements to `take` as they are written.
    fn each(
        &self,
        take: &mut dyn FnMut(&[u8]) -> Result<(), input::Error>,
    ) -> Result<(), input::Error> {
        let pulse = Pulse::silent();
        let mut take = |record: input::Record<'_>| take(record.bytes);
        let work = each_element(&self.file, self.span.clone(), &pulse, &mut take);
        match at_once(work).transpose()?.and_then(|tail| tail.cut) {
            Some((_, _, reason)) => Err(reason),
            None => Ok(()),
        }
    }

    fn put_into(&self, list: &mut MessageList, texts: &Attachments) -> Result<(), input::Error> {
        self.each(&mut |bytes| {
            list.push(Cursor::new(bytes).tree()?, texts);
            Ok(())
        })
    }
}

const SPAN_BEGIN: &str = "span_begin";

fn is_call(kind: Option<&str>) -> bool {
    matches!(kind, Some("model" | "tool"))
}

/// Of which kind the event written as `bytes` is.
fn kind_of(bytes: &[u8]) -> Result<Option<String>, input::Error> {
    let mut kind = None;
    Cursor::new(bytes).each_field(|key, cursor| {
        if key == "event" {
            kind = cursor.text()?.map(String::from);
        } else {
            cursor.skip()?;
        }
        Ok(())
    })?;
    Ok(kind)
}

/// The outline of the whole value at `offset` of `file`.
fn outline(file: &InputFile, offset: u64) -> Result<Outline, input::Error> {
    let pulse = Pulse::silent();
    let drawn = at_once(input::outline(file, offset, &pulse)).transpose()?.unwrap_or_default();
    match drawn.cut {
        Some(reason) => Err(reason),
        None => Ok(drawn),
    }
}

/// The lists in the files below `folder` that are named by a number, in the order of these.
fn chunk_lists(bundle: &Bundle, folder: &str) -> Vec<JsonList> {
    let mut chunks: Vec<(u64, &InputFile)> = bundle
        .of_role(CHUNK)
        .filter_map(|claimed| {
            let name = claimed.file.path.strip_prefix(folder)?.strip_suffix(".json")?;
            Some((name.parse().ok()?, &claimed.file))
        })
        .collect();
    chunks.sort_unstable_by_key(|(number, _)| *number);
    let list = |(_, file): (u64, &InputFile)| JsonList { file: file.clone(), span: 0..file.len() };
    chunks.into_iter().map(list).collect()
}
