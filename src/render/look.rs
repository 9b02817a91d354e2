//! How the user wants things to look.

use crate::address::{OpenNames, Page, Route};
use crate::format;
use crate::report::{Link, Target};
use serde::{Deserialize, Serialize};

/// What the reader has chosen, and how wide the page is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    /// Rates as fractions 0–1 instead of percentages.
    pub is_fraction: bool,
    /// Decimals of scores and rates; `None`: three and one.
    pub digits: Option<u8>,
    /// Whether the page is narrow (a phone), so that charts are drawn for it.
    pub is_narrow: bool,
    /// Whether rows of the table of cases stand close.
    pub is_dense: bool,
}

impl Look {
    /// A score 0–1.
    pub fn score(self, value: f64) -> String {
        format::score(value, self.digits.map_or(3, usize::from))
    }

    /// A number of any size.
    pub fn number(self, value: f64) -> String {
        format::number(value, self.digits.map_or(3, usize::from))
    }

    /// How far a score lies from another, with its sign.
    pub fn change(self, value: f64) -> String {
        let sign = if value < 0.0 { "−" } else { "+" };
        match value {
            0.0 => "±0".to_owned(),
            _ => format!("{sign}{}", self.score(value.abs())),
        }
    }

    /// A rate 0–1, as a percentage or as a fraction.
    pub fn rate(self, value: f64) -> String {
        if self.is_fraction {
            self.score(value)
        } else {
            format::rate(value, self.digits.map_or(1, usize::from))
        }
    }
}

/// What is being drawn, so that links can lead on from it.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// How it is to look.
    pub look: Look,
    /// The page.
    pub page: Page,
    /// What the page is about.
    pub target: Target,
    /// What everything is called in the addresses of links.
    pub names: &'a dyn OpenNames,
}

impl Default for View<'_> {
    fn default() -> Self {
        Self { look: Look::default(), page: Page::default(), target: Target::All, names: &() }
    }
}

impl View<'_> {
    /// The address of what `link` opens. The page keeps the rules in force.
    pub fn address(&self, link: &Link) -> String {
        Route::of_link(link, self.page, self.target, self.names).to_hash(self.names)
    }
}
