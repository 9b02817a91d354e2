//! One sample, taken apart: what is long in it is read piece by piece.
//!
//! A sample may have 100 MB. Its messages and events are never held as they are written: each becomes short JSON, and
//! its long texts are kept once (see [`Attachments`]).

use super::attachments::Attachments;
use super::message_list::{MessageList, ShortValues};
use super::sniff::CHUNK;
use crate::input::json::Cursor;
use crate::input::{
    self, InputFile, Member, Outline, PartSource, Pulse, Tail, ValueKind, at_once, each_element,
    each_member,
};
use crate::model::{Locator, Run};
use crate::readers::record_value::{items, text};
use crate::readers::{Bundle, Error, ErrorKind};
use serde_json::{Map, Value};
use std::ops::Range;
use std::rc::Rc;

/// How far the list of messages is looked for in the data of events, before all of these are gone through.
const LOOK_BYTES: u64 = 4 << 10;

/// A sample.
#[derive(Default)]
pub(super) struct SampleParts {
    /// All members but those below, as a tree.
    pub rest: Value,
    /// The conversation.
    pub messages: MessageList,
    /// Messages that events refer to by their place.
    pub pool: MessageList,
    /// What happened.
    pub events: ShortValues,
    /// Of these, those that begin a span.
    pub spans: Vec<Value>,
    /// Whether there is a call of a model or a tool among them.
    pub has_calls: bool,
    /// Texts that are referred to.
    pub attachments: Attachments,
    /// Files of a chunked sample that are damaged, each with the byte and the reason.
    pub damaged: Vec<String>,
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
        parts.chunks(bundle, file.folder());
    }
    if parts.events.len() == 0
        && let Some(transcript) = parts.rest.get_mut("transcript").map(Value::take)
    {
        parts.first_releases(transcript);
    }
    Ok(parts)
}

impl SampleParts {
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
                    list().each(&mut |it| self.messages.push(it, &self.attachments))?;
                }
                ("events", ValueKind::Array) => list().each(&mut |event| self.event(event))?,
                ("events_data", ValueKind::Object) => {
                    if let Some(start) = start_of_list(file, member.span.start, "messages")? {
                        let list = JsonList { span: start..member.span.end, ..list() };
                        list.each(&mut |it| self.pool.push(it, &self.attachments))?;
                    }
                }
                ("attachments", ValueKind::Object) => {
                    let pulse = Pulse::silent();
                    let mut add = |hash: &str, text: input::Record<'_>| {
                        if let Value::String(words) = tree(text.bytes, text.offset)? {
                            self.attachments.add(hash.to_owned(), words);
                        }
                        Ok(())
                    };
                    whole(at_once(each_member(file, member.span.clone(), &pulse, &mut add)))?;
                }
                (key, _) => {
                    let bytes = file.bytes(member.span.clone())?;
                    rest.insert(key.to_owned(), tree(&bytes, member.span.start)?);
                }
            }
        }
        self.rest = Value::Object(rest);
        Ok(())
    }

    /// What of a chunked sample lies in files in `folder`. A damaged one costs what is behind the damage in it; of messages
    /// and texts, which are referred to by their place, also what is in the files behind it.
    fn chunks(&mut self, bundle: &Bundle, folder: &str) {
        let mut nth = 0_usize;
        for list in chunk_lists(bundle, &format!("{folder}/attachments/")) {
            let done = list.each(&mut |text| {
                if let Value::String(words) = text {
                    self.attachments.add(nth.to_string(), words);
                }
                nth += 1;
            });
            if self.is_damaged(&list.file, done) {
                break;
            }
        }
        for list in chunk_lists(bundle, &format!("{folder}/messages/")) {
            let done = list.each(&mut |message| self.pool.push(message, &self.attachments));
            if self.is_damaged(&list.file, done) {
                break;
            }
        }
        for range in items(&self.rest, "message_refs") {
            let end = |at: usize| range.get(at).and_then(Value::as_u64).map(|at| at as usize);
            if let (Some(from), Some(to)) = (end(0), end(1)) {
                self.messages.extend(&self.pool, from..to);
            }
        }
        for list in chunk_lists(bundle, &format!("{folder}/events/")) {
            let done = list.each(&mut |event| self.event(event));
            self.is_damaged(&list.file, done);
        }
        let beside = format!("{folder}/metadata.json");
        if let Some(claimed) = bundle.of_role(CHUNK).find(|claimed| claimed.file.path == beside) {
            let read = claimed.file.all_bytes().and_then(|bytes| tree(&bytes, 0));
            let done = read.map(|metadata| {
                if let Some(members) = self.rest.as_object_mut() {
                    members.insert("metadata".to_owned(), metadata);
                }
            });
            self.is_damaged(&claimed.file, done);
        }
    }

    /// Keeps what is wrong with `file`, if anything is.
    fn is_damaged(&mut self, file: &InputFile, done: Result<(), input::Error>) -> bool {
        let Err(err) = done else { return false };
        self.damaged.push(format!("{} at byte {}: {}", file.path, err.at(), err.reason()));
        true
    }

    fn event(&mut self, event: Value) {
        let event = self.attachments.keep(event);
        let kind = text(&event, "event");
        self.has_calls |= matches!(kind, Some("model" | "tool"));
        self.events.push(&event);
        if kind == Some("span_begin") {
            self.spans.push(event);
        }
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
            events.into_iter().for_each(|event| self.event(event));
        }
    }
}

impl JsonList {
    /// Hands the elements to `take`, in order.
    fn each(&self, take: &mut dyn FnMut(Value)) -> Result<(), input::Error> {
        let pulse = Pulse::silent();
        let mut take = |record: input::Record<'_>| {
            take(tree(record.bytes, record.offset)?);
            Ok(())
        };
        let work = each_element(&self.file, self.span.clone(), &pulse, &mut take);
        whole(at_once(work))
    }
}

/// Where the list called `name` begins in the object at `offset` of `file`.
///
/// The tool writes it first, so the head of the object is looked at before all of it: to read what a packed file holds
/// further back, it is unpacked from its start again.
fn start_of_list(file: &InputFile, offset: u64, name: &str) -> Result<Option<u64>, input::Error> {
    let head = PartSource::new(Rc::clone(&file.data), offset..offset.saturating_add(LOOK_BYTES));
    let head = InputFile { data: Rc::new(head), ..file.clone() };
    let pulse = Pulse::silent();
    let seen = at_once(input::outline(&head, 0, &pulse)).transpose()?.unwrap_or_default();
    let is_list = |member: &&Member| member.kind == ValueKind::Array;
    if let Some(found) = seen.member(name) {
        return Ok(Some(found).filter(is_list).map(|list| offset + list.span.start));
    }
    let all = outline(file, offset)?;
    Ok(all.member(name).filter(is_list).map(|list| list.span.start))
}

/// The JSON value written as `bytes`, which begin at byte `offset` of their file.
fn tree(bytes: &[u8], offset: u64) -> Result<Value, input::Error> {
    Cursor::new(bytes).tree().map_err(|err| err.shifted(offset))
}

/// That every part of a value was read.
fn whole(done: Option<Result<Tail, input::Error>>) -> Result<(), input::Error> {
    match done.transpose()?.and_then(|tail| tail.cut) {
        Some((_, _, reason)) => Err(reason),
        None => Ok(()),
    }
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
