//! Words: what the search field says of filters: completions, examples, complaints.

use crate::format::counted;
use std::fmt::Display;

// What a field is, in the list of completions.

/// The field `change`.
pub const CHANGE: &str = "regressed, fixed, same, new, gone, changed";
/// The field `delta`.
pub const DELTA: &str = "-0.2, 20%: candidate minus baseline";
/// The field `side`.
pub const SIDE: &str = "the side that the conditions after it apply to";
/// The field `outcome`.
pub const OUTCOME: &str = "passed, failed, error, skipped, scored, unscored";
/// The field `group`.
pub const GROUP: &str = "name of the group";
/// The field `kind`.
pub const KIND: &str = "what the group is for";
/// The field `model`.
pub const MODEL: &str = "who was evaluated";
/// The field `repeat`.
pub const REPEAT: &str = "which repetition";
/// The field `checkpoint`.
pub const VARIANT: &str = "part of the suite";
/// The field `suite`.
pub const SUITE: &str = "what was evaluated";
/// The field `run`.
pub const RUN: &str = "name of the run";
/// The field `metric`.
pub const METRIC: &str = "has a check of this name";
/// The field `tag`.
pub const TAG: &str = "has this tag";
/// The field `has`.
pub const HAS: &str = "what the case has data for";
/// The field `score`.
pub const SCORE: &str = "0.5, 50%";
/// The field `duration`.
pub const DURATION: &str = "3s, 500ms, 2m";
/// The field `tokens`.
pub const TOKENS: &str = "1200, 12k";
/// The field `cost`, and what a number of it looks like.
pub const COST: &str = "$0.05";
/// The field `attempts`.
pub const ATTEMPTS: &str = "how many";
/// The field `checks`.
pub const CHECKS: &str = "number of wrong checks";
/// The field `error`.
pub const ERROR: &str = "type or category; error~text looks in the message";
/// The field `id`.
pub const ID: &str = "id of the case";
/// The field `text`.
pub const TEXT: &str = "text~word looks through the files";
/// How many cases have a value that is offered.
pub fn n_cases(n: u64) -> String {
    counted(n, "case", "cases")
}

// What a number of a field looks like, in ranges and complaints.

/// A time.
pub const DURATION_EXAMPLE: &str = "3s, 500ms or 2m";
/// A number of tokens.
pub const TOKENS_EXAMPLE: &str = "1200 or 12k";
/// A score.
pub const SCORE_EXAMPLE: &str = "0.5 or 50%";
/// A difference of scores.
pub const DELTA_EXAMPLE: &str = "-0.2 or -20%";
/// Any other number.
pub const NUMBER_EXAMPLE: &str = "2";

// Why a text is no filter.

/// A filter of cases asks for what only pairs have.
pub const NEEDS_SIDES: &str =
    "This asks about two sides, so it filters the pairs of a comparison, not cases.";
/// The text is too long.
pub const TOO_LONG: &str = "This filter is too long to be read.";
/// There are too many terms.
pub fn too_many_terms(n: usize) -> String {
    format!("A filter has at most {n} terms.")
}
/// A parenthesis closes nothing.
pub const UNOPENED: &str = "This ) has no matching (.";
/// A parenthesis is not closed.
pub const UNCLOSED: &str = "This ( is not closed.";
/// Parentheses are nested too deeply.
pub const TOO_DEEP: &str = "There are too many nested parentheses.";
/// Too many signs stand before a term.
pub const TOO_NEGATED: &str = "There are too many - or ! signs in a row.";
/// Nothing stands where a term should.
pub const NO_TERM: &str = "A search term is missing here: a word, or field:value.";
/// A metric is named and not compared.
pub const NO_COMPARISON: &str = "A comparison is missing here, such as < 0.5.";
/// A metric has no name.
pub const NO_METRIC: &str = "The name of a metric is missing here.";
/// A sign stands without a field.
pub const NO_FIELD: &str = "The name of a field is missing before this.";
/// A quoted text has no end.
pub const UNQUOTED: &str = "The closing \" is missing.";
/// `text` is used with another sign.
pub const TEXT_SIGN: &str = "Use text~word to search the texts.";
/// A field that holds no text is searched.
pub fn not_a_text(field: impl Display) -> String {
    format!("{field} is not a text field: ~ cannot be used with it.")
}
/// A field that holds no number is compared.
pub fn not_a_number_field(field: impl Display, sign: &str) -> String {
    format!("{field} is not a number: instead of {sign}, use {field}:value.")
}
/// A field is compared with something that is not a number.
pub fn needs_number(field: impl Display, example: &str) -> String {
    format!("{field} is compared with a number: {example}.")
}
/// Nothing stands where one of some words should.
pub fn no_word(known: &str) -> String {
    format!("A value is missing here: {known}.")
}
/// Nothing stands where a number should.
pub fn no_number(example: &str) -> String {
    format!("A number is missing here: {example}.")
}
/// Nothing stands where a value should.
pub fn no_value(field: impl Display) -> String {
    format!("A value is missing here, such as {field}:name.")
}
/// A value is none of the words that a field knows.
pub fn unknown_value(value: &str, field: impl Display, known: &str) -> String {
    format!("{value:?} is not a known {field}; use one of {known}.")
}
/// There is no such field.
pub fn unknown_field(name: &str, known: &str) -> String {
    format!(
        "There is no field {name:?}. Put the text into quotes to search for it, or take one of {known}."
    )
}
