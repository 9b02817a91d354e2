//! Facets: the values of a field that cases have, each with its number under the other conditions, and
//! the filter that a click on it gives.

use super::CaseQuery;
use super::filter::{FacetChoice, Field, Filter, FilterError, FilterScope, Mask, tally};
use super::preset::{Preset, presets};
use super::score_bins::{ScoreBin, score_bins};
use crate::order::Order as _;
use crate::words::report::shared as words;
use crate::workspace::Workspace;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Values of a facet that are shown; the chosen ones always are.
const MAX_VALUES: usize = 40;

/// Fields that are shown as facets, with their titles.
const FACETS: [(Field, &str); 11] = [
    (Field::Outcome, words::OUTCOME),
    (Field::Group, words::GROUP),
    (Field::Kind, words::KIND),
    (Field::Metric, words::METRIC),
    (Field::Model, words::MODEL),
    (Field::Suite, words::SUITE),
    (Field::Variant, words::VARIANT),
    (Field::Repeat, words::REPEAT),
    (Field::Run, words::RUN),
    (Field::Tag, words::TAG),
    (Field::Has, words::HAS),
];

/// What the tools of `workspace` call a part of a suite: slop-code's are checkpoints.
fn variant_word(workspace: &Workspace) -> &'static str {
    let has_checkpoints =
        workspace.entries.iter().any(|entry| entry.evaluation.config.has_policies);
    if has_checkpoints { words::CHECKPOINT } else { words::VARIANT }
}

/// Numbers that can be kept within a range, with their titles.
const RANGES: [(Field, &str); 4] = [
    (Field::Score, words::SCORE),
    (Field::Duration, words::TIME),
    (Field::Tokens, words::TOKENS),
    (Field::Cost, words::COST),
];

/// The facets of a filter.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Facets {
    /// Those with a choice.
    pub facets: Vec<Facet>,
    /// Numbers that some case has.
    pub ranges: Vec<FacetRange>,
    /// Filters that are one click away.
    pub presets: Vec<Preset>,
    /// Scores of the cases that the conditions on other fields keep.
    pub scores: Vec<ScoreBin>,
}

/// One facet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facet {
    /// Its field as filters write it.
    pub field: String,
    /// Its title.
    pub title: String,
    /// Its values.
    pub values: Vec<FacetValue>,
    /// Values that are not shown.
    pub n_hidden: usize,
}

/// One value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FacetValue {
    /// The value; empty for cases without one.
    pub value: String,
    /// Cases that have it, among those that the other conditions keep.
    pub n_cases: u64,
    /// How it stands in the filter.
    pub choice: FacetChoice,
    /// The filter after a click on it.
    pub then: String,
}

/// A number with the ends of the range that is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FacetRange {
    /// Its field as filters write it.
    pub field: String,
    /// Its title.
    pub title: String,
    /// The least that is kept, as written; empty when it is open.
    pub low: String,
    /// The most that is kept.
    pub high: String,
    /// What a number of it looks like.
    pub example: String,
}

/// Another range for a number of the filter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refinement {
    /// The filter.
    pub filter: String,
    /// The number, as filters write it.
    pub field: String,
    /// The least to keep; empty when it is open.
    pub low: String,
    /// The most to keep.
    pub high: String,
}

/// The facets of `query`; `None` when its target is not there. Those of a filter that cannot be read
/// are those of the empty one.
pub fn facets(workspace: &Workspace, query: &CaseQuery) -> Option<Facets> {
    let scope = FilterScope::new(workspace, query.target)?;
    let filter: Filter = query.filter.parse().unwrap_or_default();
    let masks = filter.part_masks(&scope);
    let facets = FACETS.iter().filter_map(|(field, title)| {
        let title = if *field == Field::Variant { variant_word(workspace) } else { title };
        facet(&scope, &filter, field, title, &filter.mask_without(field, &masks, &scope))
    });
    let ranges = RANGES.iter().filter(|(field, _)| {
        let has_any = |part: &super::filter::ScopeRun<'_>| {
            let number = part.number(field);
            (0..part.n_cases()).any(|idx| number(idx).is_some())
        };
        scope.parts.iter().any(has_any)
    });
    let ranges = ranges.map(|(field, title)| {
        let (low, high) = filter.range(field);
        FacetRange {
            field: field.to_string(),
            title: (*title).to_owned(),
            low: low.to_owned(),
            high: high.to_owned(),
            example: field.example().to_owned(),
        }
    });
    let scored = filter.mask_without(&Field::Score, &masks, &scope);
    Some(Facets {
        facets: facets.collect(),
        ranges: ranges.collect(),
        presets: presets(&scope, &filter),
        scores: score_bins(&scope, &scored, &filter),
    })
}

/// A facet of the cases of `mask`; `None` when there is nothing to choose.
fn facet(
    scope: &FilterScope<'_>,
    filter: &Filter,
    field: &Field,
    title: &str,
    mask: &Mask,
) -> Option<Facet> {
    let mut found: Vec<(String, u64)> = tally(scope, field, mask).into_iter().collect();
    if *field == Field::Has {
        // What all or none have sets no case apart.
        let n_cases = mask.count() as u64;
        found.retain(|(name, n)| {
            (*n > 0 && *n < n_cases) || filter.choice(field, name) != FacetChoice::Open
        });
    }
    sort(field, &mut found);
    let mut n_alike: HashMap<String, u32> = HashMap::new();
    for (value, _) in &found {
        *n_alike.entry(value.to_lowercase()).or_default() += 1;
    }
    let is_alike = |value: &str| n_alike.get(&value.to_lowercase()).is_some_and(|n| *n > 1);
    let mut values: Vec<FacetValue> = found
        .iter()
        .map(|(value, n)| FacetValue {
            value: value.clone(),
            n_cases: *n,
            choice: filter.choice(field, value),
            then: filter.toggled(field, value, is_alike(value)).to_string(),
        })
        .collect();
    let is_chosen = values.iter().any(|value| value.choice != FacetChoice::Open);
    let least = if *field == Field::Has { 1 } else { 2 };
    if values.len() < least && !is_chosen {
        return None;
    }
    let n_values = values.len();
    let mut n_kept = 0;
    values.retain(|value| {
        n_kept += 1;
        n_kept <= MAX_VALUES || value.choice != FacetChoice::Open
    });
    let n_hidden = n_values - values.len();
    Some(Facet { field: field.to_string(), title: title.to_owned(), n_hidden, values })
}

/// Closed lists in their own order, numbers by value, others by number of cases; cases without a
/// value last.
fn sort(field: &Field, found: &mut [(String, u64)]) {
    let closed = field.closed().unwrap_or_default();
    found.order_by(|(left, n_left), (right, n_right)| {
        let place = |value: &str| closed.iter().position(|word| *word == value);
        let number = |value: &str| value.parse::<u64>().ok().filter(|_| field.is_number());
        left.is_empty()
            .cmp(&right.is_empty())
            .then_with(|| place(left).cmp(&place(right)))
            .then_with(|| number(left).cmp(&number(right)))
            .then_with(|| n_right.cmp(n_left))
            .then_with(|| left.cmp(right))
    });
}

/// The filter with another range.
///
/// # Errors
/// When it cannot be read, or an end is not a number; why, as a sentence.
pub fn refine(refinement: &Refinement) -> Result<String, FilterError> {
    let Refinement { filter, field, low, high } = refinement;
    let filter: Filter = filter.parse()?;
    let known = RANGES.iter().find(|(known, _)| known.name() == field);
    match known {
        Some((field, _)) => Ok(filter.refined(field, low, high)?.to_string()),
        None => Ok(filter.to_string()),
    }
}
