//! Words: what Statistics says of tokens and cost.

use crate::words::terms;

// The section.

/// Title of the section.
pub const TITLE: &str = "Usage and cost";
/// What its figures are.
pub const LEAD: &str = "Sums of the recorded values.";
/// What its figures are where some price is not known.
pub const LEAD_PARTIAL: &str =
    "Sums of the recorded values. Where a price is unknown, the cost is a lower bound (≥).";
/// Caption of the table.
pub const CAPTION: &str = "Tokens and cost";
/// Row: all runs together.
pub const ALL: &str = "All";

// Columns.

/// Column: tokens read.
pub const PROMPT: &str = "Prompt";
/// Hint of that column.
pub const PROMPT_HINT: &str = terms::PROMPT_TOKENS_HINT;
/// Column: tokens written.
pub const COMPLETION: &str = "Completion";
/// Hint of that column.
pub const COMPLETION_HINT: &str = terms::COMPLETION_TOKENS_HINT;
/// Column: tokens that a cache gave.
pub const CACHED: &str = "Cached";
/// Hint of that column.
pub const CACHED_HINT: &str = "Prompt tokens served from a cache";
/// Column: tokens that a cache took.
pub const CACHE_WRITE: &str = "Cache write";
/// Hint of that column.
pub const CACHE_WRITE_HINT: &str = "Prompt tokens written to a cache";
/// Column: tokens of reasoning.
pub const REASONING: &str = "Reasoning";
/// Hint of that column.
pub const REASONING_HINT: &str = "Completion tokens spent on reasoning";
/// Hint of the column of steps.
pub const STEPS_HINT: &str = "Steps taken by the agent";
/// Hint of the column of the cost.
pub const COST_HINT: &str = "Sum of the known prices";
/// Column: how many cases have no price.
pub const PRICE_UNKNOWN: &str = "Price unknown";
/// Hint of that column.
pub const PRICE_UNKNOWN_HINT: &str = "Cases with tokens but without a price";
/// Column: the cost of a case.
pub const PER_CASE: &str = "Per case";
/// Hint of that column.
pub const PER_CASE_HINT: &str = "Cost divided by the number of cases";

// Why a value is not there.

/// Why a number of tokens is not there.
pub const NO_TOKENS: &str = "no such tokens recorded";
/// Why there is no cost where tokens have no price.
pub const NO_PRICE: &str = "no price known";
/// Why there is no cost.
pub const NO_COST: &str = "no cost recorded";
/// Why there are no steps.
pub const NO_STEPS: &str = "no steps recorded";
