//! What a cell says, before anybody draws it: its words, the words of its tooltip, how full its bar is.

use super::Look;
use crate::format;
use crate::report::{Cell, Link, Outcome};
use crate::words::ui::case::BREAKDOWN;
use crate::words::ui::report as words;

/// What "declared" means beside a value.
pub const DECLARED: &str = words::DECLARED_HINT;

/// What an amount means to which prices are missing.
const LOWER_BOUND: &str = words::LOWER_BOUND;

/// What two ends mean.
const INTERVAL: &str = words::CONFIDENCE_INTERVAL;

/// What a cell says.
#[derive(Debug, PartialEq)]
pub enum CellForm<'a> {
    /// Words.
    Words(String),
    /// Words with a path that may be wider than its column.
    Path(&'a str),
    /// Words with a tooltip.
    Hinted(String, &'static str),
    /// The two ends of an interval, with a tooltip.
    Interval(String, String),
    /// Words with a bar that is filled so far, in per cent.
    Bar(String, String),
    /// An outcome.
    Outcome(Outcome),
    /// A word that sorts the row, and whether it is a bad one.
    Tag(&'a str, bool),
    /// Another cell, with the word "declared".
    Declared(&'a Cell),
    /// What opens a text, and the text.
    Folded(String, &'a str),
    /// Nothing, and why.
    Missing(&'a str),
    /// Another cell that opens something.
    Linked(&'a Cell, &'a Link),
}

/// What `cell` says to somebody who wants numbers to look like `look`.
pub fn form(cell: &Cell, look: Look) -> CellForm<'_> {
    match cell {
        Cell::Text(text) if is_long_path(text) => CellForm::Path(text),
        Cell::Text(text) => CellForm::Words(text.clone()),
        Cell::Count(n) => CellForm::Words(format::count(*n)),
        Cell::Number(value) => CellForm::Words(look.number(value.0)),
        Cell::Rate(value) => CellForm::Words(look.rate(value.0)),
        Cell::Bar(value) => bar(look.score(value.0), value.0),
        Cell::Share { part, whole } => {
            let text = format!("{} / {}", format::count(*part), format::count(*whole));
            // Of nothing there is no share: the bar stays empty.
            bar(text, if *whole == 0 { 0.0 } else { *part as f64 / *whole as f64 })
        }
        Cell::Secs(value) => CellForm::Words(format::secs(value.0)),
        Cell::Usd { amount, is_lower_bound } => {
            let words = format::usd(amount.0, *is_lower_bound);
            if *is_lower_bound {
                CellForm::Hinted(words, LOWER_BOUND)
            } else {
                CellForm::Words(words)
            }
        }
        Cell::Outcome(outcome) => CellForm::Outcome(*outcome),
        Cell::Flag(is_so) => {
            CellForm::Words(if *is_so { words::YES } else { words::NO }.to_owned())
        }
        Cell::Interval { low, high } => interval(look.score(low.0), look.score(high.0)),
        Cell::UnitInterval { low, high } => unit_interval([low.0, high.0], look),
        Cell::SecsInterval { low, high } => interval(format::secs(low.0), format::secs(high.0)),
        Cell::Bytes(n) => CellForm::Words(format::bytes(*n)),
        Cell::Tag { text, is_bad } => CellForm::Tag(text, *is_bad),
        Cell::Declared(inner) => CellForm::Declared(inner),
        Cell::Folded(text) => {
            let n_lines = text.lines().count() as u64;
            CellForm::Folded(words::show_lines(n_lines), text)
        }
        Cell::Missing(reason) => CellForm::Missing(reason),
        Cell::Linked(inner, link) => CellForm::Linked(inner, link),
    }
}

/// The tooltip of a link that needs one.
pub fn hint_of(link: &Link) -> Option<&'static str> {
    matches!(link, Link::How(_)).then_some(BREAKDOWN)
}

/// A share 0–1 as a place or a length.
pub fn percent(share: f64) -> String {
    format!("{:.2}%", share.clamp(0.0, 1.0) * 100.0)
}

/// Bytes from which on words may be wider than their column.
const LONG_PATH: usize = 16;

fn is_long_path(text: &str) -> bool {
    text.len() > LONG_PATH && text.contains('/')
}

fn bar(words: String, rate: f64) -> CellForm<'static> {
    CellForm::Bar(words, format!("{:.2}", rate.clamp(0.0, 1.0) * 100.0))
}

fn interval(low: String, high: String) -> CellForm<'static> {
    CellForm::Interval(format!("{low} – {high}"), INTERVAL.to_owned())
}

fn unit_interval(ends: [f64; 2], look: Look) -> CellForm<'static> {
    let [cut_low, cut_high] = format::cut_to_unit(ends, |end| look.score(end));
    let [low, high] = ends;
    if (low, high) == (low.max(0.0), high.min(1.0)) {
        return interval(cut_low, cut_high);
    }
    let computed = [look.score(low), look.score(high)].join(" – ");
    let hint = words::cut_interval(&computed);
    CellForm::Interval(format!("{cut_low} – {cut_high}"), hint)
}

/// The two strokes of an outcome's shape on a grid of 12 × 12: disc with a tick, square with a cross,
/// triangle, bar, ring with a dot, ring.
pub fn outcome_shape(outcome: Outcome) -> [&'static str; 2] {
    match outcome {
        Outcome::Passed => {
            ["M6 .5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 0 1 0-11Z", "M3.4 6.2l1.8 1.8l3.4-3.7"]
        }
        Outcome::Failed => [
            "M2 .5h8a1.5 1.5 0 0 1 1.5 1.5v8a1.5 1.5 0 0 1-1.5 1.5h-8a1.5 1.5 0 0 1-1.5-1.5v-8a1.5 1.5 0 0 1 1.5-1.5Z",
            "M3.8 3.8l4.4 4.4m0-4.4l-4.4 4.4",
        ],
        Outcome::Error => ["M6 .3l5.9 11h-11.8Z", "M6 4.2v3.4m0 1.3v1"],
        Outcome::Skipped => ["", "M2 6h8"],
        Outcome::Scored => ["", "M6 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9ZM6 5.5v1"],
        Outcome::Unscored => ["", "M6 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9Z"],
    }
}
