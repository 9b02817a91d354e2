//! Names of the parts of a case: what the page asks for when it is needed.
//!
//! `0.1.17:transcript:50:100` is one. To the page a name is a word without meaning; it is written and
//! read here alone. A name that is not understood, or that names what is not there, gives nothing.

use super::form::{DiffForm, TextForm};
use super::texts::text_id::{TextId, TextPair};
use crate::report::RunRef;
use std::fmt;
use std::ops::Range;

/// A part of one case, or of a document of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartName {
    /// The run.
    pub run: RunRef,
    /// What of the run.
    pub item: RunItem,
    /// What of it.
    pub(super) part: PartRequest,
}

/// What of a run is read as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunItem {
    /// A case, by its row.
    Case(u64),
    /// A document, by its place.
    Document(u32),
}

impl fmt::Display for RunItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Case(row) => write!(f, "{row}"),
            Self::Document(place) => write!(f, "d{place}"),
        }
    }
}

impl RunItem {
    fn parse(text: &str) -> Option<Self> {
        match text.strip_prefix('d') {
            Some(place) => place.parse().ok().map(Self::Document),
            None => text.parse().ok().map(Self::Case),
        }
    }
}

/// What can be asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PartRequest {
    /// All that a document shows at once.
    Whole,
    /// Some rows of a document's table.
    Table(Range<usize>),
    /// A text as the files hold it, for copying.
    Text(TextId),
    /// A text, drawn.
    Block(TextId, TextForm),
    /// Rows of a text that is drawn line by line.
    Lines { text: TextId, is_written: bool, rows: Range<usize> },
    /// Some of the values directly inside a JSON value.
    Tree { text: TextId, node: usize, children: Range<usize> },
    /// Two texts compared.
    Diff(TextPair, DiffForm),
    /// Rows of two texts compared.
    DiffRows(TextPair, DiffForm, Range<usize>),
    /// Unchanged rows of them that were folded away.
    DiffFold(TextPair, DiffForm, Range<usize>),
    /// Values that differ.
    Changes(ChangesOf, Range<usize>),
    /// Some of the checks, in the order in which they are drawn.
    Checks(Range<usize>),
    /// The texts of a check.
    Check(usize),
    /// What an attempt gave.
    Attempt(usize),
    /// Entries of the conversation.
    Transcript(Range<usize>),
    /// Lines of the conversation's outline.
    Outline(Range<usize>),
    /// Where something occurs.
    Find(Haystack, String),
}

/// Where something can be looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Haystack {
    /// In a text, line by line.
    Lines { text: TextId, is_written: bool },
    /// In keys and values of a JSON text.
    Tree(TextId),
    /// In the conversation.
    Transcript,
}

/// Where changes of values are said.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum ChangesOf {
    /// By comparing the structure of two JSON texts.
    Pair(TextPair),
    /// By the text itself, which is the output of DeepDiff.
    DeepDiff(TextId),
}

impl fmt::Display for PartName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}:{}", self.run.evaluation, self.run.run, self.item, self.part)
    }
}

impl PartName {
    /// Reads a name.
    pub fn parse(name: &str) -> Option<Self> {
        let (place, part) = name.split_once(':')?;
        let mut numbers = place.split('.');
        let evaluation = numbers.next()?.parse().ok()?;
        let run = numbers.next()?.parse().ok()?;
        let item = RunItem::parse(numbers.next()?)?;
        let run = RunRef { evaluation, run };
        let part = PartRequest::parse(part)?;
        numbers.next().is_none().then_some(Self { run, item, part })
    }
}

impl fmt::Display for PartRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => f.write_str("whole"),
            Self::Table(rows) => write!(f, "table:{}:{}", rows.start, rows.end),
            Self::Text(text) => write!(f, "text:{text}"),
            Self::Block(text, form) => write!(f, "block:{text}:{}", form.word()),
            Self::Lines { text, is_written, rows } => {
                write!(f, "{}:{text}:{}:{}", lines_word(*is_written), rows.start, rows.end)
            }
            Self::Tree { text, node, children } => {
                write!(f, "tree:{text}:{node}:{}:{}", children.start, children.end)
            }
            Self::Diff(pair, form) => write!(f, "diff:{pair}:{form}"),
            Self::DiffRows(pair, form, rows) => {
                write!(f, "rows:{pair}:{form}:{}:{}", rows.start, rows.end)
            }
            Self::DiffFold(pair, form, rows) => {
                write!(f, "fold:{pair}:{form}:{}:{}", rows.start, rows.end)
            }
            Self::Changes(ChangesOf::Pair(pair), rows) => {
                write!(f, "changes:{pair}:{}:{}", rows.start, rows.end)
            }
            Self::Changes(ChangesOf::DeepDiff(text), rows) => {
                write!(f, "changes:{text}:{}:{}", rows.start, rows.end)
            }
            Self::Checks(rows) => write!(f, "checks:{}:{}", rows.start, rows.end),
            Self::Check(check) => write!(f, "check:{check}"),
            Self::Attempt(attempt) => write!(f, "attempt:{attempt}"),
            Self::Transcript(entries) => {
                write!(f, "transcript:{}:{}", entries.start, entries.end)
            }
            Self::Outline(lines) => write!(f, "outline:{}:{}", lines.start, lines.end),
            Self::Find(Haystack::Lines { text, is_written }, needle) => {
                write!(f, "{}:{text}:find:{needle}", lines_word(*is_written))
            }
            Self::Find(Haystack::Tree(text), needle) => write!(f, "tree:{text}:find:{needle}"),
            Self::Find(Haystack::Transcript, needle) => write!(f, "transcript:find:{needle}"),
        }
    }
}

impl PartRequest {
    /// The texts that it is about by name.
    pub(super) fn texts(&self) -> Vec<&TextId> {
        match self {
            Self::Text(text)
            | Self::Block(text, _)
            | Self::Lines { text, .. }
            | Self::Tree { text, .. }
            | Self::Changes(ChangesOf::DeepDiff(text), _)
            | Self::Find(Haystack::Lines { text, .. } | Haystack::Tree(text), _) => vec![text],
            Self::Diff(pair, _)
            | Self::DiffRows(pair, ..)
            | Self::DiffFold(pair, ..)
            | Self::Changes(ChangesOf::Pair(pair), _) => vec![&pair.old, &pair.new],
            Self::Whole
            | Self::Table(_)
            | Self::Checks(_)
            | Self::Check(_)
            | Self::Attempt(_)
            | Self::Transcript(_)
            | Self::Outline(_)
            | Self::Find(Haystack::Transcript, _) => Vec::new(),
        }
    }

    fn parse(part: &str) -> Option<Self> {
        if let Some((haystack, needle)) = part.split_once(":find:") {
            return Some(Self::Find(Haystack::parse(haystack)?, needle.to_owned()));
        }
        let words: Vec<&str> = part.split(':').collect();
        Some(match words.as_slice() {
            ["whole"] => Self::Whole,
            ["table", first, end] => Self::Table(range(first, end)?),
            ["text", text] => Self::Text(TextId::parse(text)?),
            ["block", text, form] => Self::Block(TextId::parse(text)?, TextForm::parse(form)?),
            [word @ ("lines" | "written"), text, first, end] => Self::Lines {
                text: TextId::parse(text)?,
                is_written: *word == "written",
                rows: range(first, end)?,
            },
            ["tree", text, node, first, end] => Self::Tree {
                text: TextId::parse(text)?,
                node: node.parse().ok()?,
                children: range(first, end)?,
            },
            ["diff", pair, form] => Self::Diff(TextPair::parse(pair)?, DiffForm::parse(form)?),
            ["rows", pair, form, first, end] => {
                Self::DiffRows(TextPair::parse(pair)?, DiffForm::parse(form)?, range(first, end)?)
            }
            ["fold", pair, form, first, end] => {
                Self::DiffFold(TextPair::parse(pair)?, DiffForm::parse(form)?, range(first, end)?)
            }
            ["changes", of, first, end] => {
                let of = match TextPair::parse(of) {
                    Some(pair) => ChangesOf::Pair(pair),
                    None => ChangesOf::DeepDiff(TextId::parse(of)?),
                };
                Self::Changes(of, range(first, end)?)
            }
            ["checks", first, end] => Self::Checks(range(first, end)?),
            ["check", check] => Self::Check(check.parse().ok()?),
            ["attempt", attempt] => Self::Attempt(attempt.parse().ok()?),
            ["transcript", first, end] => Self::Transcript(range(first, end)?),
            ["outline", first, end] => Self::Outline(range(first, end)?),
            _ => return None,
        })
    }
}

fn lines_word(is_written: bool) -> &'static str {
    if is_written { "written" } else { "lines" }
}

fn range(first: &str, end: &str) -> Option<Range<usize>> {
    let range = first.parse().ok()?..end.parse().ok()?;
    (range.start <= range.end).then_some(range)
}

impl Haystack {
    fn parse(text: &str) -> Option<Self> {
        Some(match text.split_once(':') {
            Some((word @ ("lines" | "written"), text)) => {
                Self::Lines { text: TextId::parse(text)?, is_written: word == "written" }
            }
            Some(("tree", text)) => Self::Tree(TextId::parse(text)?),
            None if text == "transcript" => Self::Transcript,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::texts::text_id::CheckText;
    use crate::report::diff::Arrangement;

    fn name(part: PartRequest) -> PartName {
        PartName { run: RunRef { evaluation: 3, run: 14 }, item: RunItem::Case(15), part }
    }

    #[test]
    fn every_name_reads_back_as_the_same_part() {
        let inner = TextId::Inner(Box::new(TextId::Inner(Box::new(TextId::Raw(1)), 22)), 3);
        let pair =
            TextPair { old: TextId::Check(2, CheckText::Expected), new: TextId::Attempt(1, 0) };
        let form = DiffForm {
            arrangement: Arrangement::SideBySide,
            is_whole: true,
            shows_blanks: true,
            is_written: true,
            is_structure: true,
        };
        let texts = [
            TextId::Input(0),
            TextId::Expected(1),
            TextId::Actual(2),
            TextId::Failure(3),
            TextId::Fact(4),
            TextId::Message(5),
            TextId::Grade(1, 2, CheckText::Reason),
            inner.clone(),
        ];
        let mut parts: Vec<PartRequest> = texts.into_iter().map(PartRequest::Text).collect();
        parts.extend([
            PartRequest::Block(inner.clone(), TextForm::Written),
            PartRequest::Lines { text: inner.clone(), is_written: false, rows: 64..128 },
            PartRequest::Lines { text: inner.clone(), is_written: true, rows: 0..1 },
            PartRequest::Tree { text: inner.clone(), node: 7, children: 0..100 },
            PartRequest::Diff(pair.clone(), DiffForm::default()),
            PartRequest::Diff(pair.clone(), form),
            PartRequest::DiffRows(pair.clone(), form, 0..1),
            PartRequest::DiffFold(pair.clone(), form, 7..90),
            PartRequest::Changes(ChangesOf::Pair(pair), 0..9),
            PartRequest::Changes(ChangesOf::DeepDiff(TextId::Check(1, CheckText::Diff)), 100..200),
            PartRequest::Checks(100..200),
            PartRequest::Check(4),
            PartRequest::Attempt(0),
            PartRequest::Whole,
            PartRequest::Table(0..200),
            PartRequest::Transcript(50..100),
            PartRequest::Outline(0..200),
            PartRequest::Find(Haystack::Transcript, "a:find:b <☃>".to_owned()),
            PartRequest::Find(
                Haystack::Lines { text: inner.clone(), is_written: false },
                String::new(),
            ),
            PartRequest::Find(Haystack::Tree(inner), ":".to_owned()),
        ]);
        for part in parts {
            let name = name(part);
            assert_eq!(PartName::parse(&name.to_string()), Some(name.clone()));
            let name = PartName { item: RunItem::Document(2), ..name };
            assert_eq!(PartName::parse(&name.to_string()), Some(name));
        }
    }

    #[test]
    fn foreign_names_name_nothing() {
        let deep = format!("1.2.3:text:raw-0{}", "@1".repeat(100));
        for text in [
            "",
            "1.2.3",
            "1.2:text:input-0",
            "1.2.3.4:text:input-0",
            "1.2.3:text:input-x",
            "1.2.3:lines:input-0:5:4",
            "1.2.3:diff:input-0:u",
            "1.2.3:diff:input-0~input-1:ub?",
            "1.2.3:transcript:0:-1",
            "1.2.3:find:x",
            "1.2.d:whole",
            "1.2.d-1:whole",
            "1.2.d99999999999:whole",
            "1.2.3:text:input-99999999999999999999999",
            &deep,
        ] {
            assert_eq!(PartName::parse(text), None, "{text}");
        }
    }
}
