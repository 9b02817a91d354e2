//! The walk over the tokens of a JSON document: no tree of it, however long it is.
//!
//! Two kinds of places are told apart. Members of the report itself have a meaning for the reader: there
//! texts alone are replaced, and those that are words of the format stay. What the producer's files say in
//! their own form (configurations, records, arguments of calls: JSON within a text) is free: there a field
//! goes whatever its type, and names tell secrets.

use super::{
    Findings, MAX_SAMPLES, REDACTED, REMOVED, RedactRule, Redaction, Replacement, after, before,
};
use crate::input::json::{JsonToken, JsonTokens, TokenKind, unescape};
use crate::secrets::{self, Sort};
use std::borrow::Cow;

/// Members whose values are words of the format.
const WORDS: [&str; 26] = [
    "schema",
    "version",
    "producer",
    "generation",
    "outcome",
    "kind",
    "verdict",
    "format",
    "role",
    "severity",
    "policy",
    "scope",
    "figure",
    "scale",
    "op",
    "at",
    "answer",
    "input_hash",
    "expected_hash",
    "mean_over",
    "pass_rule",
    "no_case_rule",
    "no_verdict",
    "unit",
    "ended",
    "state",
];
/// Members that hold documents of the producer's own form.
const FREE: [&str; 2] = ["declared", "summary"];
/// Members whose text is the name of what stands in the member beside.
const LABELS: [&str; 3] = ["label", "name", "key"];
/// Members that such a name is for.
const LABELLED: [&str; 2] = ["value", "body"];
/// Lists whose members have an id, and what one is called.
const LISTS: [(&str, &str); 3] =
    [("evaluations", "evaluation"), ("runs", "run"), ("cases", "case")];

/// JSON in texts in JSON is looked into so deep.
const MAX_DEPTH: usize = 4;

/// What the walk looks at and adds to.
pub(super) struct RedactContext<'a> {
    pub rules: &'a Redaction,
    pub findings: &'a mut Findings,
}

/// Where the walk is.
#[derive(Debug, Default)]
pub(super) struct RedactWalk {
    frames: Vec<OpenContainer>,
    /// A token whose end has not come yet.
    carry: Vec<u8>,
    /// Whether the document as a whole is in the producer's own form.
    is_free: bool,
    depth: usize,
    /// Where it stands, when it is a text of another one.
    outer: String,
}

/// An object or a list that is open.
#[derive(Debug, Default)]
struct OpenContainer {
    is_object: bool,
    is_free: bool,
    /// Whether a key comes next.
    wants_key: bool,
    /// The key that was read last.
    key: String,
    /// Items before this one.
    nth: u64,
    label: String,
    id: String,
    /// The rule by which everything in it goes.
    removed: Option<RedactRule>,
    /// The same for the value of `key` alone.
    removed_here: Option<RedactRule>,
    /// Whether every text in it is a secret.
    is_secret: bool,
}

impl OpenContainer {
    /// The name of the value that comes next: of a pair, the text of its label.
    fn name(&self) -> &str {
        let is_labelled = !self.label.is_empty() && LABELLED.contains(&self.key.as_str());
        if is_labelled { &self.label } else { &self.key }
    }
}

impl RedactWalk {
    /// Appends `bytes` to `out`, rewritten.
    pub(super) fn push(&mut self, cx: &mut RedactContext<'_>, bytes: &[u8], out: &mut Vec<u8>) {
        let mut joined = std::mem::take(&mut self.carry);
        let bytes = if joined.is_empty() {
            bytes
        } else {
            joined.extend(bytes);
            &joined
        };
        // Behind what was handled, and behind what was written.
        let (mut at, mut n_written) = (0, 0);
        let mut tokens = JsonTokens::new(bytes);
        while let Some(JsonToken { kind, span, is_whole }) = tokens.next() {
            if !is_whole {
                break;
            }
            let start = span.start;
            let first = bytes.get(start).copied().unwrap_or_default();
            let new = match kind {
                TokenKind::Text => {
                    self.text(cx, bytes.get(start + 1..span.end - 1).unwrap_or_default())
                }
                TokenKind::Word => self.removed_whole().map(|rule| self.remove(cx, rule, "")),
                TokenKind::Open => {
                    let removed =
                        self.removed_whole().map(|rule| (rule, tokens.rest_of_value(&span)));
                    match removed {
                        Some((rule, Some(true))) => Some(self.remove(cx, rule, "")),
                        Some((_, Some(false))) => break,
                        // What is no JSON is walked through, and whatever is in it goes.
                        Some((_, None)) | None => {
                            self.open(first == b'{');
                            None
                        }
                    }
                }
                TokenKind::Close => {
                    self.frames.pop();
                    None
                }
                TokenKind::Comma | TokenKind::Colon => {
                    self.separate(cx, first);
                    None
                }
            };
            at = tokens.at();
            if let Some(new) = new {
                out.extend(bytes.get(n_written..start).unwrap_or_default());
                // A text can always be written into memory.
                let _ = serde_json::to_writer(&mut *out, &new);
                n_written = at;
            }
        }
        out.extend(bytes.get(n_written..at).unwrap_or_default());
        self.carry = bytes.get(at..).unwrap_or_default().to_vec();
    }

    /// Appends what is left: nothing, except for documents that are cut off.
    pub(super) fn finish(self, out: &mut Vec<u8>) {
        out.extend(self.carry);
    }

    fn open(&mut self, is_object: bool) {
        let outer = self.frames.last();
        let frame = OpenContainer {
            is_object,
            wants_key: is_object,
            is_free: outer.map_or(self.is_free, |outer| {
                outer.is_free || (outer.is_object && FREE.contains(&outer.key.as_str()))
            }),
            removed: outer.and_then(|outer| outer.removed.or(outer.removed_here)),
            is_secret: outer.is_some_and(|outer| {
                outer.is_secret || (outer.is_free && secrets::is_secret_name(outer.name()))
            }),
            ..OpenContainer::default()
        };
        self.frames.push(frame);
    }

    fn separate(&mut self, cx: &RedactContext<'_>, byte: u8) {
        let Some(frame) = self.frames.last_mut() else { return };
        if byte == b',' {
            frame.nth += 1;
            frame.wants_key = frame.is_object;
            frame.removed_here = None;
        } else {
            frame.wants_key = false;
            frame.removed_here = cx.rules.field(frame.name());
        }
    }

    /// The rule by which the value that comes next goes whatever its type.
    fn removed_whole(&self) -> Option<RedactRule> {
        let frame = self.frames.last()?;
        let is_free = frame.is_free || FREE.contains(&frame.key.as_str());
        frame.removed.or(frame.removed_here).filter(|_| is_free && !frame.wants_key)
    }

    /// What stands in the place of a text; `None`: it stays.
    fn text(&mut self, cx: &mut RedactContext<'_>, inner: &[u8]) -> Option<String> {
        let text = unescape(inner);
        let Some(frame) = self.frames.last_mut() else { return self.rewritten(cx, text) };
        if frame.wants_key {
            frame.key = text.into_owned();
            return None;
        }
        let is_word = !frame.is_free
            && (frame.is_object && WORDS.contains(&frame.key.as_str())
                || matches!(&*text, "NaN" | "Infinity" | "-Infinity"));
        if is_word {
            return None;
        }
        if let Some(rule) = frame.removed.or(frame.removed_here) {
            return (text != REMOVED).then(|| self.remove(cx, rule, &text));
        }
        if frame.is_object && LABELS.contains(&frame.key.as_str()) {
            text.as_ref().clone_into(&mut frame.label);
        }
        if frame.is_object && frame.key == "id" {
            text.as_ref().clone_into(&mut frame.id);
        }
        let is_named = frame.is_free || frame.name() != frame.key;
        let is_secret = (frame.is_secret && !text.is_empty() && !secrets::is_masked(&text))
            || (is_named && secrets::is_secret(frame.name(), &text));
        if cx.rules.masks_secrets && is_secret {
            let mask = secrets::masked(&text);
            self.found(cx, RedactRule::Secret(Sort::Named), &text, || mask.clone());
            return Some(mask);
        }
        self.rewritten(cx, text)
    }

    /// `text` after patterns and shapes; `None`: it stays.
    fn rewritten(&mut self, cx: &mut RedactContext<'_>, text: Cow<'_, str>) -> Option<String> {
        let mut now = text;
        let mut has_changed = false;
        if self.depth < MAX_DEPTH && now.trim_start().starts_with(['{', '[']) && now.len() > 2 {
            let (place, mut out) = (self.place(), Vec::with_capacity(now.len()));
            let mut inner =
                Self { is_free: true, depth: self.depth + 1, outer: place, ..Self::default() };
            inner.push(cx, now.as_bytes(), &mut out);
            inner.finish(&mut out);
            if out != now.as_bytes() {
                has_changed = true;
                now = Cow::Owned(String::from_utf8_lossy(&out).into_owned());
            }
        }
        let mut found: Vec<(RedactRule, String, String)> = Vec::new();
        let removed = |own: &str| (own != REMOVED).then(|| REMOVED.to_owned());
        if let Some(new) = replaced(&now, named_fields(cx.rules, &now), removed, &mut found) {
            now = Cow::Owned(new);
            has_changed = true;
        }
        for (nth, regex) in cx.rules.patterns.iter().enumerate() {
            let ranges = regex.find_iter(&now).map(|one| one.range());
            let ranges: Vec<_> = ranges.filter(|range| !range.is_empty()).collect();
            let redacted = |own: &str| (own != REDACTED).then(|| REDACTED.to_owned());
            let ranges = ranges.into_iter().map(|range| (range, RedactRule::Pattern(nth)));
            if let Some(new) = replaced(&now, ranges, redacted, &mut found) {
                now = Cow::Owned(new);
                has_changed = true;
            }
        }
        if cx.rules.masks_secrets {
            let ranges = secrets::find(&now).into_iter();
            let ranges = ranges.map(|one| (one.range, RedactRule::Secret(one.sort)));
            let mask = |own: &str| (!secrets::is_masked(own)).then(|| secrets::masked(own));
            if let Some(new) = replaced(&now, ranges, mask, &mut found) {
                now = Cow::Owned(new);
                has_changed = true;
            }
        }
        for (rule, own, mark) in found {
            self.found(cx, rule, &own, || after(&now, &mark));
        }
        has_changed.then(|| now.into_owned())
    }

    fn remove(&self, cx: &mut RedactContext<'_>, rule: RedactRule, text: &str) -> String {
        self.found(cx, rule, text, || REMOVED.to_owned());
        REMOVED.to_owned()
    }

    /// Counts what `rule` has replaced.
    fn found(
        &self,
        cx: &mut RedactContext<'_>,
        rule: RedactRule,
        own: &str,
        after: impl FnOnce() -> String,
    ) {
        let finding = cx.findings.entry(rule).or_default();
        finding.n += 1;
        if finding.samples.len() < MAX_SAMPLES {
            let before = if own.is_empty() { "a value".to_owned() } else { before(own) };
            finding.samples.push(Replacement { place: self.place(), before, after: after() });
        }
    }

    /// Where the walk is, in words.
    fn place(&self) -> String {
        let mut place = String::new();
        let mut list = "";
        for frame in &self.frames {
            let named = LISTS.iter().find(|(known, _)| *known == list);
            if let Some((_, word)) = named.filter(|_| !frame.id.is_empty()) {
                place = format!("{word} {}: ", frame.id);
            }
            if !frame.is_object {
                place.push_str(&format!("[{}]", frame.nth));
                continue;
            }
            list = &frame.key;
            if !place.is_empty() && !place.ends_with(' ') {
                place.push('.');
            }
            place.push_str(frame.name());
        }
        if self.outer.is_empty() { place } else { format!("{} › {place}", self.outer) }
    }
}

/// The values in `text` that stand behind the name of a field that goes: `name=value`, `'name': 'value'`.
fn named_fields<'a>(
    rules: &'a Redaction,
    text: &'a str,
) -> impl Iterator<Item = (std::ops::Range<usize>, RedactRule)> + 'a {
    let text_of = if rules.fields.is_empty() { "" } else { text };
    let mut end = 0;
    memchr::memchr2_iter(b':', b'=', text_of.as_bytes()).filter_map(move |at| {
        let (name, range) = secrets::assigned(text, at).filter(|_| at >= end)?;
        let rule = rules.field(name).filter(|_| !range.is_empty())?;
        end = range.end;
        Some((range, rule))
    })
}

/// `text` with what `mark` gives in the place of each of `ranges`; `None` when nothing has changed.
fn replaced(
    text: &str,
    ranges: impl Iterator<Item = (std::ops::Range<usize>, RedactRule)>,
    mark: impl Fn(&str) -> Option<String>,
    found: &mut Vec<(RedactRule, String, String)>,
) -> Option<String> {
    let (mut new, mut end) = (String::new(), 0);
    let mut has_changed = false;
    for (range, rule) in ranges {
        let Some(own) = text.get(range.clone()) else { continue };
        let Some(mark) = mark(own) else { continue };
        new.push_str(text.get(end..range.start)?);
        new.push_str(&mark);
        end = range.end;
        has_changed = true;
        found.push((rule, own.to_owned(), mark));
    }
    new.push_str(text.get(end..)?);
    has_changed.then_some(new)
}
