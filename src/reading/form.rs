//! How a text or a difference is drawn, and the words for it in the names of parts.

use crate::report::diff::Arrangement;
use std::fmt;

/// How a text is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum TextForm {
    /// As fits it best.
    Best,
    /// As a JSON tree.
    Tree,
    /// Line by line; JSON indented.
    Lines,
    /// Line by line, every byte as the file holds it.
    Written,
}

/// How a difference is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct DiffForm {
    pub arrangement: Arrangement,
    /// Unchanged lines are shown too.
    pub is_whole: bool,
    /// White space and invisible signs are made visible.
    pub shows_blanks: bool,
    /// JSON is compared as it is written, not indented.
    pub is_written: bool,
    /// The structure of JSON is compared, in place of its lines.
    pub is_structure: bool,
}

impl Default for DiffForm {
    fn default() -> Self {
        Self {
            arrangement: Arrangement::Unified,
            is_whole: false,
            shows_blanks: false,
            is_written: false,
            is_structure: false,
        }
    }
}

impl TextForm {
    const ALL: [Self; 4] = [Self::Best, Self::Tree, Self::Lines, Self::Written];

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Tree => "tree",
            Self::Lines => "lines",
            Self::Written => "written",
        }
    }

    pub(super) fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.word() == word)
    }
}

impl fmt::Display for DiffForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.arrangement == Arrangement::Unified { "u" } else { "s" })?;
        let flags = [
            (self.is_whole, "a"),
            (self.shows_blanks, "b"),
            (self.is_written, "w"),
            (self.is_structure, "j"),
        ];
        flags
            .into_iter()
            .filter(|(is_on, _)| *is_on)
            .try_for_each(|(_, letter)| f.write_str(letter))
    }
}

impl DiffForm {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (first, flags) = text.split_at_checked(1)?;
        let arrangement = match first {
            "u" => Arrangement::Unified,
            "s" => Arrangement::SideBySide,
            _ => return None,
        };
        let form = Self {
            arrangement,
            is_whole: flags.contains('a'),
            shows_blanks: flags.contains('b'),
            is_written: flags.contains('w'),
            is_structure: flags.contains('j'),
        };
        (form.to_string() == text).then_some(form)
    }
}
