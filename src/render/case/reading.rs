//! One case as it is being read: its record, and what was made of its texts so far.

use super::compared::Compared;
use super::lines::Lines;
use super::part::{ChangesOf, DiffForm, Part, PartName};
use super::text_id::{Field, Pair, TextId};
use super::{attempts, block, changes, checks, diff, find, json_text, page, transcript, tree};
use crate::address::{Names, Page, Route};
use crate::markup::Markup;
use crate::render::Look;
use crate::report::conversation::{Conversation, conversation};
use crate::report::diff::{ValueChanges, deep_diff, json_changes};
use crate::report::json_doc::JsonDoc;
use crate::report::{
    CaseDetail, CaseView, Content, ContentFormat, How, Link, RunRef, Target, TurnGrade,
};
use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

/// A case that somebody looks at. What is worked out for one part is kept for the next ones.
pub struct Reading {
    view: CaseView,
    look: Look,
    links: Links,
    conversation: Conversation,
    chunks: Vec<Range<usize>>,
    lines: Recent<(TextId, bool), Rc<Prepared>>,
    docs: Recent<TextId, Option<Rc<JsonDoc>>>,
    diffs: Recent<(Pair, DiffForm), Option<Rc<Compared>>>,
    changes: Recent<ChangesOf, Option<Rc<ValueChanges>>>,
}

/// Addresses of the case.
pub(super) struct Links {
    /// The case itself.
    here: String,
    /// How its score was made.
    pub how: String,
}

/// A text as rows; one that is not shown as it is written has its own text.
pub(super) struct Prepared {
    pub lines: Lines,
    pub own: Option<String>,
}

impl Reading {
    /// Of `view`, drawn as `look` says.
    pub fn new(view: CaseView, look: Look) -> Self {
        let conversation = conversation(&view.detail.transcript);
        let chunks = transcript::chunks(&conversation, &view.detail.transcript);
        Self {
            links: Links::new(&view, &()),
            view,
            look,
            conversation,
            chunks,
            lines: Recent::default(),
            docs: Recent::default(),
            diffs: Recent::default(),
            changes: Recent::default(),
        }
    }

    /// The same with links by what things are called.
    pub fn linked(self, names: &dyn Names) -> Self {
        Self { links: Links::new(&self.view, names), ..self }
    }

    /// Whether it is about this case.
    pub fn is_of(&self, run: RunRef, case_idx: u64) -> bool {
        self.view.line.run == run && self.view.line.case_idx == case_idx
    }

    /// How things are to look.
    pub fn look(&self) -> Look {
        self.look
    }

    /// The case's page, with the way to `spot`: a message's number or the word of a part.
    pub fn shown(&self, spot: &str) -> Markup {
        page::page(self, spot)
    }

    /// The part that `name` names, drawn; `None` when there is no such part.
    pub fn part(&self, name: &PartName) -> Option<Markup> {
        match &name.part {
            Part::Text(_) => None,
            Part::Block(text, form) => block::body(self, text, *form),
            Part::Lines { text, is_written, rows } => {
                block::rows(self, text, *is_written, rows.clone())
            }
            Part::Tree { text, node, children } => {
                tree::children(self, text, *node, children.clone())
            }
            Part::Diff(pair, form) => diff::diff(self, pair, *form),
            Part::DiffRows(pair, form, rows) => diff::row_range(self, pair, *form, rows.clone()),
            Part::DiffFold(pair, form, rows) => diff::fold(self, pair, *form, rows.clone()),
            Part::Changes(of, rows) => changes::rows(self, of, rows.clone()),
            Part::Checks(rows) => Some(checks::rows(self, rows.clone())),
            Part::Check(check) => checks::texts(self, *check),
            Part::Attempt(attempt) => attempts::attempt(self, *attempt),
            Part::Transcript(entries) => transcript::entries(self, entries.clone()),
            Part::Outline(lines) => Some(transcript::outline_lines(self, lines.clone())),
            Part::Find(haystack, needle) => find::find(self, haystack, needle),
        }
    }

    /// The text that `name` names, whole, for the clipboard.
    pub fn text_of(&self, name: &PartName) -> Option<String> {
        match &name.part {
            Part::Text(text) => self.text(text).map(Cow::into_owned),
            Part::Diff(pair, _) => diff::text(self, pair),
            _ => None,
        }
    }

    pub(super) fn links(&self) -> &Links {
        &self.links
    }

    pub(super) fn view(&self) -> &CaseView {
        &self.view
    }

    pub(super) fn detail(&self) -> &CaseDetail {
        &self.view.detail
    }

    pub(super) fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// Which entries of the conversation are drawn at once.
    pub(super) fn chunks(&self) -> &[Range<usize>] {
        &self.chunks
    }

    /// The name by which the page asks for `part`.
    pub(super) fn name(&self, part: Part) -> String {
        let line = &self.view.line;
        PartName { run: line.run, case_idx: line.case_idx, part }.to_string()
    }

    /// The name of a part that is a range, without the range, which the page adds.
    pub(super) fn stem(&self, part: Part) -> String {
        let name = self.name(part);
        name.strip_suffix(":0:0").map(str::to_owned).unwrap_or(name)
    }

    /// A text as the files hold it.
    pub(super) fn text(&self, id: &TextId) -> Option<Cow<'_, str>> {
        let detail = &self.view.detail;
        Some(Cow::Borrowed(match id {
            TextId::Inner(of, node) => {
                let doc = self.doc(of)?;
                let text = self.text(of)?;
                return Some(Cow::Owned(doc.node(*node)?.said(&text).into_owned()));
            }
            TextId::Raw(at) => &detail.raw.get(*at)?.json,
            TextId::Fact(at) => &detail.facts.get(*at)?.value,
            TextId::Message(at) => &detail.transcript.get(*at)?.text,
            TextId::Check(at, field) => {
                let check = detail.checks.get(*at)?;
                match field {
                    Field::Expected => check.expected.as_deref()?,
                    Field::Actual => check.actual.as_deref()?,
                    Field::Diff => check.diff.as_deref()?,
                    Field::Metadata => check.metadata.as_deref()?,
                    Field::Reason => check.reason.as_deref()?,
                }
            }
            TextId::Grade(turn, at, field) => {
                let grade = self.grade(*turn, *at)?;
                match field {
                    Field::Expected => grade.expected.as_deref()?,
                    Field::Actual => grade.submission.as_deref()?,
                    Field::Reason => grade.reason.as_deref()?,
                    Field::Diff | Field::Metadata => return None,
                }
            }
            TextId::Input(_)
            | TextId::Expected(_)
            | TextId::Actual(_)
            | TextId::Failure(_)
            | TextId::Attempt(..) => &self.content(id)?.body,
        }))
    }

    /// The labelled text that `id` names, when it is one.
    pub(super) fn content(&self, id: &TextId) -> Option<&Content> {
        let detail = &self.view.detail;
        match id {
            TextId::Input(at) => detail.input.get(*at),
            TextId::Expected(at) => detail.expected.get(*at),
            TextId::Actual(at) => detail.actual.get(*at),
            TextId::Failure(at) => detail.failure.get(*at),
            TextId::Attempt(at, content) => detail.attempts.get(*at)?.output.get(*content),
            _ => None,
        }
    }

    /// What the text is, in words.
    pub(super) fn label(&self, id: &TextId) -> String {
        if let Some(content) = self.content(id) {
            return content.label.clone();
        }
        let detail = &self.view.detail;
        match id {
            TextId::Raw(at) => {
                detail.raw.get(*at).map_or(String::new(), |raw| format!("{}, {}", raw.file, raw.at))
            }
            TextId::Fact(at) => {
                detail.facts.get(*at).map_or(String::new(), |fact| fact.label.clone())
            }
            TextId::Message(at) => detail
                .transcript
                .get(*at)
                .map_or(String::new(), |m| m.tool.clone().unwrap_or_else(|| m.role.clone())),
            TextId::Check(_, field) | TextId::Grade(_, _, field) => match field {
                Field::Expected => "Expected",
                Field::Actual => "Actual",
                Field::Diff => "Difference as the file describes it",
                Field::Metadata => "Metadata",
                Field::Reason => "Reason",
            }
            .to_owned(),
            TextId::Inner(of, node) => match self.doc(of) {
                Some(doc) => doc.path(*node),
                None => String::new(),
            },
            _ => String::new(),
        }
    }

    /// Whether the text is a unified diff.
    pub(super) fn is_diff(&self, id: &TextId) -> bool {
        matches!(self.content(id), Some(Content { format: ContentFormat::Diff, .. }))
            || (matches!(id, TextId::Check(_, Field::Diff))
                && self.text(id).is_some_and(|text| text.lines().any(is_hunk_head)))
    }

    fn grade(&self, turn: usize, at: usize) -> Option<&TurnGrade> {
        self.view.detail.turns.get(turn)?.grades.get(at)
    }

    /// The text as a tree, when it is an object or an array.
    pub(super) fn doc(&self, id: &TextId) -> Option<Rc<JsonDoc>> {
        self.docs
            .get(id, || self.text(id).and_then(|text| JsonDoc::parse_container(&text)).map(Rc::new))
    }

    /// The text as rows. `is_written`: as the file holds it; else JSON is indented first.
    pub(super) fn prepared(&self, id: &TextId, is_written: bool) -> Option<Rc<Prepared>> {
        let text = self.text(id)?;
        let is_indented = !is_written && self.doc(id).is_some();
        Some(self.lines.get(&(id.clone(), is_indented), || {
            let own = is_indented.then(|| json_text::indented(&text));
            let lines = Lines::new(own.as_deref().unwrap_or(&text));
            Rc::new(Prepared { lines, own })
        }))
    }

    /// Two texts compared; `None` when one of them is not there.
    pub(super) fn compared(&self, pair: &Pair, form: DiffForm) -> Option<Rc<Compared>> {
        // How it is drawn changes nothing of what is compared.
        let key = DiffForm { is_whole: false, shows_blanks: false, is_structure: false, ..form };
        self.diffs.get(&(pair.clone(), key), || Compared::new(self, pair, key).map(Rc::new))
    }

    /// Values that differ; `None` when there is nothing that says so.
    pub(super) fn changes(&self, of: &ChangesOf) -> Option<Rc<ValueChanges>> {
        self.changes.get(of, || {
            let found = match of {
                ChangesOf::Pair(Pair { old, new }) => {
                    json_changes(&self.text(old)?, &self.text(new)?)
                }
                ChangesOf::DeepDiff(text) => deep_diff(&self.text(text)?),
            };
            found.map(Rc::new)
        })
    }
}

impl Links {
    fn new(view: &CaseView, names: &dyn Names) -> Self {
        let (run, case_idx) = (view.line.run, view.line.case_idx);
        let address = |link| {
            let target = Target::Run(run);
            Route::of_link(&link, Page::Cases, target, names).to_hash(names)
        };
        Self {
            here: address(Link::Case { run, case_idx }),
            how: address(Link::How(How::Case { run, case_idx })),
        }
    }

    /// The address of message `number` of the case.
    pub(super) fn message(&self, number: usize) -> String {
        let joint = if self.here.contains('?') { '&' } else { '?' };
        format!("{}{joint}msg={number}", self.here)
    }
}

fn is_hunk_head(line: &str) -> bool {
    line.starts_with("@@ ")
}

/// What was asked for last.
struct Recent<K, V>(RefCell<Vec<(K, V)>>);

/// How much is kept.
const MAX_KEPT: usize = 12;

impl<K, V> Default for Recent<K, V> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

impl<K: Clone + PartialEq, V: Clone> Recent<K, V> {
    /// What is kept for `key`, or what `make` makes.
    fn get(&self, key: &K, make: impl FnOnce() -> V) -> V {
        let found = self.0.borrow().iter().position(|(known, _)| known == key);
        if let Some(at) = found {
            let mut kept = self.0.borrow_mut();
            let pair = kept.remove(at);
            let value = pair.1.clone();
            kept.push(pair);
            return value;
        }
        // Making one may ask for others, so nothing is borrowed meanwhile.
        let value = make();
        let mut kept = self.0.borrow_mut();
        if kept.len() == MAX_KEPT {
            kept.remove(0);
        }
        kept.push((key.clone(), value.clone()));
        value
    }
}
