//! One case as it is being read: its record, and what was made of its texts so far.

use super::diffs::compared::ComparedTexts;
use super::diffs::plain_diff::DiffPart;
use super::form::DiffForm;
use super::links::ShownLinks;
use super::part::{ChangesOf, PartName, PartRequest, RunItem};
use super::piece::Piece;
use super::recent::RecentValues;
use super::shown::CasePage;
use super::texts::plain_text::{FoundShown, LineShown};
use super::texts::rows::TextRows;
use super::texts::text_id::{CheckText, TextId, TextPair};
use super::{
    attempts, checks, diffs::changes, diffs::diff, document, page, texts::block, texts::find,
    texts::lines, transcript, trees::tree,
};
use crate::address::OpenNames;
use crate::render::Look;
use crate::report::conversation::{Conversation, conversation};
use crate::report::diff::{ValueChanges, deep_diff, json_changes};
use crate::report::json_doc::{JsonDoc, indented};
use crate::report::{
    CaseDetail, CaseView, Content, ContentFormat, DocumentDetail, DocumentTable, DocumentView,
    FileChange, RawRecord, RunRef, TurnGrade,
};
use crate::words::reading as words;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;

/// A case, or a document of a run, that the user looks at. What is worked out for one part is kept for
/// the next ones.
pub struct Reading {
    run: RunRef,
    item: RunItem,
    detail: CaseDetail,
    /// All raw records, once a text of one was wanted that `detail` has not.
    raw: OnceCell<Vec<RawRecord>>,
    /// What the table of cases says of it, when it is a case.
    case: Option<CaseView>,
    document: DocumentParts,
    look: Look,
    links: ShownLinks,
    conversation: Conversation,
    chunks: Vec<Range<usize>>,
    lines: RecentValues<(TextId, bool), Rc<PreparedText>>,
    docs: RecentValues<TextId, Option<Rc<JsonDoc>>>,
    diffs: RecentValues<(TextPair, DiffForm), Option<Rc<ComparedTexts>>>,
    changes: RecentValues<ChangesOf, Option<Rc<ValueChanges>>>,
}

/// A part as it is sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum PartShown {
    /// Pieces.
    Pieces(Vec<Piece>),
    /// Rows of a text.
    Lines(Vec<LineShown>),
    /// Rows of a difference.
    DiffRows(Vec<DiffPart>),
    /// What was found.
    Found(FoundShown),
}

/// What only documents have.
#[derive(Default)]
pub(super) struct DocumentParts {
    /// Files that changed.
    pub changes: Vec<FileChange>,
    /// Its rows.
    pub table: Option<DocumentTable>,
}

/// A text as rows; one that is not shown as it is written has its own text.
pub(super) struct PreparedText {
    pub rows: TextRows,
    pub own: Option<String>,
}

impl Reading {
    /// Of `view`, drawn as `look` says.
    pub fn new(mut view: CaseView, look: Look) -> Self {
        let detail = std::mem::take(&mut view.detail);
        let (run, item) = (view.line.run, RunItem::Case(view.line.case_idx));
        Self { case: Some(view), ..Self::of(run, item, detail, look) }
    }

    /// Of a document, drawn as `look` says.
    pub fn of_document(view: DocumentView, look: Look) -> Self {
        let DocumentView { run, place, detail } = view;
        let DocumentDetail { record, changes, table } = detail;
        let document = DocumentParts { changes, table };
        Self { document, ..Self::of(run, RunItem::Document(place), record, look) }
    }

    fn of(run: RunRef, item: RunItem, detail: CaseDetail, look: Look) -> Self {
        let conversation = conversation(&detail.transcript);
        let chunks = transcript::chunks(&conversation, &detail.transcript);
        Self {
            links: ShownLinks::new(run, item, &[], &()),
            run,
            item,
            detail,
            raw: OnceCell::new(),
            case: None,
            document: DocumentParts::default(),
            look,
            conversation,
            chunks,
            lines: RecentValues::default(),
            docs: RecentValues::default(),
            diffs: RecentValues::default(),
            changes: RecentValues::default(),
        }
    }

    /// The same with links by what things are called.
    pub fn linked(self, names: &dyn OpenNames) -> Self {
        let elsewhere = self.case.as_ref().map_or(&[][..], |case| &case.elsewhere);
        Self { links: ShownLinks::new(self.run, self.item, elsewhere, names), ..self }
    }

    /// Whether it is of `item` of `run`.
    pub fn is_of(&self, run: RunRef, item: RunItem) -> bool {
        self.run == run && self.item == item
    }

    /// How things are to look.
    pub fn look(&self) -> Look {
        self.look
    }

    /// All that a document shows at once.
    pub fn whole(&self) -> Vec<Piece> {
        document::whole(self)
    }

    /// The case's page, with the way to `spot`: a message's number or the word of a part. `None`: it is no
    /// case.
    pub fn shown(&self, key: String, spot: &str) -> Option<CasePage> {
        Some(page::page(self, self.case()?, key, spot))
    }

    /// The part that `name` names; `None` when there is no such part.
    pub fn part(&self, name: &PartName) -> Option<PartShown> {
        let one = |piece: Option<Piece>| piece.map(|piece| vec![piece]);
        let pieces = match &name.part {
            PartRequest::Lines { text, is_written, rows } => {
                return lines::range(self, text, *is_written, rows.clone()).map(PartShown::Lines);
            }
            PartRequest::DiffRows(pair, form, rows) => {
                let rows = diff::row_range(self, pair, *form, rows.clone());
                return rows.map(PartShown::DiffRows);
            }
            PartRequest::Find(haystack, needle) => {
                return find::find(self, haystack, needle).map(PartShown::Found);
            }
            PartRequest::Text(_) => None,
            PartRequest::Whole => Some(self.whole()),
            PartRequest::Table(rows) => document::rows(self, rows.clone()),
            PartRequest::Checks(rows) => Some(checks::rows(self, rows.clone())),
            PartRequest::Check(check) => checks::texts(self, *check),
            PartRequest::Attempt(attempt) => attempts::attempt(self, *attempt),
            PartRequest::Transcript(entries) => transcript::entries(self, entries.clone()),
            PartRequest::Outline(lines) => Some(transcript::outline_lines(self, lines.clone())),
            PartRequest::Block(text, form) => one(block::body(self, text, *form)),
            PartRequest::Tree { text, node, children } => {
                one(tree::children(self, text, *node, children.clone()).map(Piece::Nodes))
            }
            PartRequest::Diff(pair, form) => one(diff::diff(self, pair, *form)),
            PartRequest::DiffFold(pair, form, rows) => {
                one(diff::fold(self, pair, *form, rows.clone()))
            }
            PartRequest::Changes(of, rows) => changes::rows(self, of, rows.clone()),
        };
        pieces.map(PartShown::Pieces)
    }

    /// The text that `name` names, whole, for the clipboard.
    pub fn text_of(&self, name: &PartName) -> Option<String> {
        match &name.part {
            PartRequest::Text(text) => self.text(text).map(Cow::into_owned),
            PartRequest::Diff(pair, _) => diff::text(self, pair),
            _ => None,
        }
    }

    /// Whether what is asked for lies in a raw record that is not here.
    pub fn lacks(&self, name: &PartName) -> bool {
        name.part.texts().into_iter().any(|text| self.left_out(text.outermost()).is_some())
    }

    /// Takes in all raw records of the case.
    pub fn bring_raw(&self, raw: Vec<RawRecord>) {
        // They are the same each time.
        let _ = self.raw.set(raw);
    }

    pub(super) fn links(&self) -> &ShownLinks {
        &self.links
    }

    pub(super) fn case(&self) -> Option<&CaseView> {
        self.case.as_ref()
    }

    pub(super) fn document(&self) -> &DocumentParts {
        &self.document
    }

    pub(super) fn detail(&self) -> &CaseDetail {
        &self.detail
    }

    pub(super) fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// Which entries of the conversation are drawn at once.
    pub(super) fn chunks(&self) -> &[Range<usize>] {
        &self.chunks
    }

    /// The name by which the page asks for `part`.
    pub(super) fn name(&self, part: PartRequest) -> String {
        PartName { run: self.run, item: self.item, part }.to_string()
    }

    /// An id of the document that the page is, of what is called `id` here: several documents stand on
    /// one page.
    pub(super) fn own_id(&self, id: &str) -> String {
        match self.item {
            RunItem::Case(_) => id.to_owned(),
            RunItem::Document(_) => format!("{}-{id}", self.item),
        }
    }

    /// The word in the address for message `number`.
    pub(super) fn spot(&self, number: usize) -> String {
        match self.item {
            RunItem::Case(_) => number.to_string(),
            RunItem::Document(place) => format!("{place}-{number}"),
        }
    }

    /// The name of a part that is a range, without the range, which the page adds.
    pub(super) fn stem(&self, part: PartRequest) -> String {
        let name = self.name(part);
        name.strip_suffix(":0:0").map(str::to_owned).unwrap_or(name)
    }

    /// A text as the files hold it.
    pub(super) fn text(&self, id: &TextId) -> Option<Cow<'_, str>> {
        let detail = &self.detail;
        Some(Cow::Borrowed(match id {
            TextId::Inner(of, node) => {
                let doc = self.doc(of)?;
                let text = self.text(of)?;
                return Some(Cow::Owned(doc.node(*node)?.said(&text).into_owned()));
            }
            TextId::Raw(at) => {
                let own = detail.raw.get(*at)?;
                match own.left_out {
                    Some(_) => &self.raw.get()?.get(*at)?.json,
                    None => &own.json,
                }
            }
            TextId::Fact(at) => &detail.facts.get(*at)?.value,
            TextId::Message(at) => &detail.transcript.get(*at)?.text,
            TextId::Check(at, field) => {
                let check = detail.checks.get(*at)?;
                match field {
                    CheckText::Expected => check.expected.as_deref()?,
                    CheckText::Actual => check.actual.as_deref()?,
                    CheckText::Diff => check.diff.as_deref()?,
                    CheckText::Metadata => check.metadata.as_deref()?,
                    CheckText::Reason => check.reason.as_deref()?,
                }
            }
            TextId::Grade(turn, at, field) => {
                let grade = self.grade(*turn, *at)?;
                match field {
                    CheckText::Expected => grade.expected.as_deref()?,
                    CheckText::Actual => grade.submission.as_deref()?,
                    CheckText::Reason => grade.reason.as_deref()?,
                    CheckText::Diff | CheckText::Metadata => return None,
                }
            }
            TextId::Input(_)
            | TextId::Expected(_)
            | TextId::Actual(_)
            | TextId::Failure(_)
            | TextId::Attempt(..) => &self.content(id)?.body,
        }))
    }

    /// Bytes of a text that is not here until somebody asks for it.
    pub(super) fn left_out(&self, id: &TextId) -> Option<u64> {
        match id {
            TextId::Raw(at) if self.raw.get().is_none() => self.detail.raw.get(*at)?.left_out,
            _ => None,
        }
    }

    /// The labelled text that `id` names, when it is one.
    pub(super) fn content(&self, id: &TextId) -> Option<&Content> {
        let detail = &self.detail;
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
        let detail = &self.detail;
        match id {
            TextId::Raw(at) => {
                detail.raw.get(*at).map_or(String::new(), |raw| words::record(&raw.file, &raw.at))
            }
            TextId::Fact(at) => {
                detail.facts.get(*at).map_or(String::new(), |fact| fact.label.clone())
            }
            TextId::Message(at) => detail
                .transcript
                .get(*at)
                .map_or(String::new(), |m| m.tool.clone().unwrap_or_else(|| m.role.clone())),
            TextId::Check(_, field) | TextId::Grade(_, _, field) => match field {
                CheckText::Expected => words::EXPECTED,
                CheckText::Actual => words::ACTUAL,
                CheckText::Diff => words::DESCRIBED,
                CheckText::Metadata => words::METADATA,
                CheckText::Reason => words::REASON,
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
            || (matches!(id, TextId::Check(_, CheckText::Diff))
                && self.text(id).is_some_and(|text| text.lines().any(is_hunk_head)))
    }

    fn grade(&self, turn: usize, at: usize) -> Option<&TurnGrade> {
        self.detail.turns.get(turn)?.grades.get(at)
    }

    /// The text as a tree, when it is an object or an array.
    pub(super) fn doc(&self, id: &TextId) -> Option<Rc<JsonDoc>> {
        self.docs
            .get(id, || self.text(id).and_then(|text| JsonDoc::parse_container(&text)).map(Rc::new))
    }

    /// The text as rows. `is_written`: as the file holds it; else JSON is indented first.
    pub(super) fn prepared(&self, id: &TextId, is_written: bool) -> Option<Rc<PreparedText>> {
        let text = self.text(id)?;
        let is_indented = !is_written && self.doc(id).is_some();
        Some(self.lines.get(&(id.clone(), is_indented), || {
            let own = is_indented.then(|| indented(&text));
            let rows = TextRows::new(own.as_deref().unwrap_or(&text));
            Rc::new(PreparedText { rows, own })
        }))
    }

    /// Two texts compared; `None` when one of them is not there.
    pub(super) fn compared(&self, pair: &TextPair, form: DiffForm) -> Option<Rc<ComparedTexts>> {
        // How it is drawn changes nothing of what is compared.
        let key = DiffForm { is_whole: false, shows_blanks: false, is_structure: false, ..form };
        self.diffs.get(&(pair.clone(), key), || ComparedTexts::new(self, pair, key).map(Rc::new))
    }

    /// Values that differ; `None` when there is nothing that says so.
    pub(super) fn changes(&self, of: &ChangesOf) -> Option<Rc<ValueChanges>> {
        self.changes.get(of, || {
            let found = match of {
                ChangesOf::Pair(TextPair { old, new }) => {
                    json_changes(&self.text(old)?, &self.text(new)?)
                }
                ChangesOf::DeepDiff(text) => deep_diff(&self.text(text)?),
            };
            found.map(Rc::new)
        })
    }
}

fn is_hunk_head(line: &str) -> bool {
    line.starts_with("@@ ")
}
