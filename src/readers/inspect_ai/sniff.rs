//! What a file of Inspect AI is, by its keys.
//!
//! A log is one `.json`, or a zip (`.eval`) whose members are opened as files in a folder of the archive's
//! name: `header.json`, `summaries.json`, `reductions.json`, `samples/ID_epoch_N.json`, and what was written
//! on the way (`_journal/start.json`, `_journal/summaries/N.json`).

use crate::input::{Form, InputFile, Outline, Shape, ValueKind};
use crate::readers::Claim;

/// A whole log, or the header of one: `status`, `eval`, `plan`, `results`, maybe `samples`.
pub(super) const LOG: &str = "Inspect log";
/// What is known when a log begins; all that a killed one has.
pub(super) const START: &str = "Inspect log, beginning";
/// One sample in one epoch.
pub(super) const SAMPLE: &str = "Inspect sample";
/// One sample whose messages and events lie in files beside it.
pub(super) const CHUNKED: &str = "Inspect sample, chunked";
/// A part of such a sample.
pub(super) const CHUNK: &str = "part of an Inspect sample";
/// Samples without their messages and events.
pub(super) const SUMMARIES: &str = "Inspect summaries";
/// What was written on the way to a log that is whole; nobody reads it.
pub(super) const JOURNAL: &str = "Inspect journal";
/// Samples with their epochs made one.
pub(super) const REDUCTIONS: &str = "Inspect reductions";

/// What `file` is, by content alone.
pub(super) fn sniff(shape: &Shape) -> Option<Claim> {
    if !matches!(shape.form, Form::Document | Form::Lines) {
        return None;
    }
    let claim = |role, why| Some(Claim { role, generation: None, why });
    let outline = shape.record();
    if shape.element.is_some() {
        if is_case(outline) && !outline.has("messages", ValueKind::Array) && has_summary(outline) {
            return claim(SUMMARIES, "id, epoch, input and target of each sample");
        }
        if outline.has("scorer", ValueKind::Text) && outline.has("samples", ValueKind::Array) {
            return claim(REDUCTIONS, "scorer and samples of each reduction");
        }
        return None;
    }
    let is_log =
        outline.has("version", ValueKind::Number) && outline.has("eval", ValueKind::Object);
    if is_log && outline.has("status", ValueKind::Text) {
        return claim(LOG, "version, status and eval");
    }
    if is_log && outline.has("plan", ValueKind::Object) {
        return claim(START, "version, eval and plan");
    }
    if is_case(outline) && outline.has("output", ValueKind::Object) {
        if outline.has("message_refs", ValueKind::Array) {
            return claim(CHUNKED, "id, epoch, target, output and message_refs");
        }
        if outline.has("messages", ValueKind::Array) {
            return claim(SAMPLE, "id, epoch, target, messages and output");
        }
    }
    None
}

/// What a file is that lies beside or right below one of ours, and that its content does not tell.
pub(super) fn sniff_beside(file: &InputFile, shape: &Shape) -> Option<Claim> {
    let claim = |role| Some(Claim { role, generation: None, why: "its place in a log" });
    let folder = file.folder();
    let last = folder.rsplit('/').next().unwrap_or_default();
    let is_inside = |name: &str| folder.split('/').any(|part| part == name);
    let is_list = shape.form == Form::Document && shape.outline.kind == Some(ValueKind::Array);
    let is_packed = shape.form == Form::Unseen;
    match file.name() {
        _ if is_packed && is_inside("samples") => claim(SAMPLE),
        _ if is_packed && is_inside("_journal") => claim(JOURNAL),
        "summaries.json" if is_list => claim(SUMMARIES),
        "reductions.json" if is_list => claim(REDUCTIONS),
        _ if is_list && folder.ends_with("_journal/summaries") => claim(SUMMARIES),
        "metadata.json" | "skeleton.json" if is_inside("samples") => claim(CHUNK),
        _ if matches!(last, "events" | "messages" | "attachments" | "calls")
            && is_inside("samples") =>
        {
            claim(CHUNK)
        }
        _ => None,
    }
}

/// Whether it is a sample in an epoch.
fn is_case(outline: &Outline) -> bool {
    let has_id = outline.has("id", ValueKind::Text) || outline.has("id", ValueKind::Number);
    has_id && outline.has("epoch", ValueKind::Number) && outline.has_all(&["input", "target"])
}

/// Whether it has a member that only a summary of this tool has.
fn has_summary(outline: &Outline) -> bool {
    ["completed", "model_usage", "scores", "retries", "message_count"]
        .iter()
        .any(|key| outline.member(key).is_some())
}
