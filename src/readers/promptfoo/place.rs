//! Which rows are the same test, which are repeats of one another, and what they are called.

use super::row::PromptfooRow;
use crate::order::Order as _;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Letters of a value in a name.
const VALUE_CHARS: usize = 40;

/// Where a row belongs.
#[derive(Debug, Clone, Default)]
pub(super) struct RowPlace {
    /// Name of its test.
    pub id: String,
    /// What tells it from other tests of that name.
    pub variant: Option<String>,
    /// Repeat, 1-based.
    pub repeat: u32,
}

/// Where all rows belong.
pub(super) struct RowPlaces {
    /// In the order of the rows.
    pub rows: Vec<RowPlace>,
    /// How often each test was run.
    pub n_repeats: u32,
    /// Whether that is not said by the file.
    pub is_guessed: bool,
}

/// Gives rows without `promptIdx` the place of their prompt and provider among those of the file.
pub(super) fn number_prompts(rows: &mut [PromptfooRow]) {
    if rows.iter().all(|row| row.prompt_idx.is_some()) {
        return;
    }
    let mut known: Vec<(String, String)> = Vec::new();
    for row in rows {
        let own = (row.provider.clone(), row.prompt_label.clone());
        row.prompt = known.iter().position(|one| *one == own).unwrap_or_else(|| {
            known.push(own);
            known.len() - 1
        });
    }
}

/// Places rows. `stated`: how often the file says that each test was run.
pub(super) fn placed(rows: &[PromptfooRow], stated: Option<u64>) -> RowPlaces {
    // Rows of one prompt that are asked the same, in the order of their tests.
    let mut same: BTreeMap<(usize, u64), Vec<usize>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        same.entry((row.prompt, row.identity)).or_default().push(at);
    }
    let nth = |at: usize| rows.get(at).and_then(|row| row.test).unwrap_or(f64::MAX);
    for own in same.values_mut() {
        own.order_by(|left, right| nth(*left).total_cmp(&nth(*right)).then(left.cmp(right)));
    }
    let is_guessed = stated.is_none();
    let guess = || same.values().map(Vec::len).fold(0, gcd);
    let n_repeats =
        stated.and_then(|n| usize::try_from(n).ok()).unwrap_or_else(guess).clamp(1, 10_000);
    let names = names(rows);
    let mut placed = vec![RowPlace::default(); rows.len()];
    for own in same.values() {
        for (nth, at) in own.iter().enumerate() {
            let Some(row) = rows.get(*at) else { continue };
            let (id, variant) = names.get(&row.identity).cloned().unwrap_or_default();
            // Honest twins of a test follow its repeats.
            let twin = (nth / n_repeats > 0).then(|| (nth / n_repeats + 1).to_string());
            let variant = match (variant, twin) {
                (Some(variant), Some(twin)) => Some(format!("{variant}, {twin}")),
                (variant, twin) => variant.or(twin),
            };
            if let Some(place) = placed.get_mut(*at) {
                let repeat = u32::try_from(nth % n_repeats + 1).unwrap_or(u32::MAX);
                *place = RowPlace { id, variant, repeat };
            }
        }
    }
    let n_repeats = placed.iter().map(|place| place.repeat).max().unwrap_or(1);
    RowPlaces { rows: placed, n_repeats, is_guessed }
}

fn gcd(left: usize, right: usize) -> usize {
    if right == 0 { left } else { gcd(right, left % right) }
}

/// Name of each test, and what tells it from others of that name.
fn names(rows: &[PromptfooRow]) -> HashMap<u64, (String, Option<String>)> {
    let mut by_name: BTreeMap<String, Vec<&PromptfooRow>> = BTreeMap::new();
    let mut seen = HashSet::new();
    let mut in_order: Vec<&PromptfooRow> = rows.iter().collect();
    in_order.order_by(|left, right| {
        left.test.unwrap_or(f64::MAX).total_cmp(&right.test.unwrap_or(f64::MAX))
    });
    for row in in_order.into_iter().filter(|row| seen.insert(row.identity)) {
        by_name.entry(name_of(row)).or_default().push(row);
    }
    let mut found = HashMap::new();
    for (name, tests) in by_name {
        if let [only] = tests.as_slice() {
            found.insert(only.identity, (name, None));
            continue;
        }
        // How many of the tests have a variable with the value that the first of them has.
        let mut like_first: HashMap<&str, (&str, usize)> = HashMap::new();
        for (key, value) in tests.iter().flat_map(|test| &test.vars) {
            let (first, n) = like_first.entry(key).or_insert((value, 0));
            *n += usize::from(first == value);
        }
        let differing = |key: &str| like_first.get(key).is_none_or(|(_, n)| *n < tests.len());
        let mut taken = HashSet::new();
        for (nth, test) in tests.iter().enumerate() {
            let own = test.vars.iter().filter(|(key, _)| differing(key));
            let words: Vec<String> =
                own.map(|(key, value)| format!("{key}={}", short(value))).collect();
            let words = words.join(", ");
            let is_free = !words.is_empty() && taken.insert(words.clone());
            let variant = if is_free { words } else { (nth + 1).to_string() };
            found.insert(test.identity, (name.clone(), Some(variant)));
        }
    }
    found
}

/// The description of a test, else its variables.
fn name_of(row: &PromptfooRow) -> String {
    if let Some(description) = &row.description {
        return description.clone();
    }
    let vars: Vec<String> =
        row.vars.iter().take(3).map(|(key, value)| format!("{key}={}", short(value))).collect();
    if vars.is_empty() { "test".to_owned() } else { vars.join(", ") }
}

fn short(value: &str) -> String {
    let mut chars = value.chars();
    let start: String = chars.by_ref().take(VALUE_CHARS).collect();
    if chars.next().is_some() { format!("{start}…") } else { start }
}

/// Who each prompt was given to: the provider, and the prompt's label where there are several prompts.
pub(super) fn subjects(prompts: &[Value], rows: &[PromptfooRow]) -> Vec<String> {
    let n_prompts = rows.iter().map(|row| row.prompt + 1).chain([prompts.len()]).max().unwrap_or(0);
    let first: HashMap<usize, &PromptfooRow> =
        rows.iter().rev().map(|row| (row.prompt, row)).collect();
    let text = |at: usize, key: &str| {
        let value = prompts.get(at)?.get(key)?.as_str().filter(|text| !text.is_empty());
        value.map(str::to_owned)
    };
    let own: Vec<(String, String)> = (0..n_prompts)
        .map(|at| {
            let row = first.get(&at);
            let provider = text(at, "provider").or_else(|| row.map(|row| row.provider.clone()));
            let label = text(at, "label").or_else(|| row.map(|row| row.prompt_label.clone()));
            (provider.unwrap_or_else(|| "unknown provider".to_owned()), label.unwrap_or_default())
        })
        .collect();
    let labels: HashSet<&String> = own.iter().map(|(_, label)| label).collect();
    let has_labels = labels.len() > 1;
    let mut taken: HashMap<String, usize> = HashMap::new();
    own.iter()
        .map(|(provider, label)| {
            let name = match has_labels {
                true => format!("[{provider}] {}", short(label.trim())),
                false => provider.clone(),
            };
            let n = taken.entry(name.clone()).or_default();
            *n += 1;
            if *n > 1 { format!("{name} ({n})") } else { name }
        })
        .collect()
}
