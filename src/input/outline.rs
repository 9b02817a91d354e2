//! The outline of one JSON value, drawn while its bytes pass by.

use super::error::{Error, ErrorKind};
use super::json::{LevelEvent, LevelWalk};
use super::shape::{Member, Outline, ValueKind};

/// The most members that are kept; a hostile object could have millions.
const MAX_MEMBERS: usize = 1 << 18;

/// Draws the outline.
pub(super) struct OutlineWalk {
    level: LevelWalk,
    outline: Outline,
    /// Offset of the next byte to be fed.
    pub(super) at: u64,
    key: Option<String>,
    is_in_member: bool,
    is_closed: bool,
    has_items: bool,
}

impl OutlineWalk {
    /// Of a value that starts at or after `at`.
    pub(super) fn new(at: u64) -> Self {
        Self {
            level: LevelWalk::new(),
            outline: Outline { span: at..at, ..Outline::default() },
            at,
            key: None,
            is_in_member: false,
            is_closed: false,
            has_items: false,
        }
    }

    /// Whether the value has ended or cannot go on.
    pub(super) fn is_over(&self) -> bool {
        self.is_closed || self.outline.cut.is_some()
    }

    /// Whether it is an array in which at least one element was whole, or one is a text, an object
    /// or an array.
    pub(super) fn has_items(&self) -> bool {
        self.has_items
    }

    /// Takes the next bytes.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !self.is_over() {
            match self.level.next(rest) {
                Ok((n_taken, event)) => {
                    rest = rest.get(n_taken..).unwrap_or_default();
                    self.at += n_taken as u64;
                    match event {
                        Some(event) => self.note(event),
                        None => return,
                    }
                }
                Err((offset, reason)) => {
                    self.at += offset as u64;
                    self.cut(reason);
                }
            }
        }
    }

    /// The outline; a value that has not ended by now is cut off.
    pub(super) fn finish(mut self) -> Outline {
        if !self.is_over() {
            self.cut(self.level.reason_at_end());
        }
        self.outline
    }

    fn note(&mut self, event: LevelEvent) {
        match event {
            LevelEvent::Open(kind) => {
                self.outline.kind = Some(kind);
                self.outline.span.start = self.at;
            }
            LevelEvent::Key(key) => self.key = Some(key),
            LevelEvent::Start(kind) => {
                self.has_items |= matches!(kind, ValueKind::Object | ValueKind::Text);
                if let Some(key) = self.key.take() {
                    if self.outline.members.len() == MAX_MEMBERS {
                        return self.cut("it has too many members");
                    }
                    self.outline.members.push(Member { key, kind, span: self.at..self.at });
                    self.is_in_member = true;
                }
            }
            LevelEvent::End => {
                self.end_member();
                self.is_in_member = false;
            }
            LevelEvent::Close => {
                self.outline.span.end = self.at;
                self.is_closed = true;
            }
        }
    }

    fn end_member(&mut self) {
        if let Some(member) = self.outline.members.last_mut().filter(|_| self.is_in_member) {
            member.span.end = self.at;
        }
    }

    fn cut(&mut self, reason: &'static str) {
        self.end_member();
        self.outline.span.end = self.at;
        self.outline.cut = Some(Error::new(ErrorKind::Json(reason), self.at));
    }
}
