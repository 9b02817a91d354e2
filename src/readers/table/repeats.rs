//! Which repetition a row is.

use super::cell::{Style, number};
use super::profile::Profile;
use crate::readers::record_value::short_text;
use serde_json::Value;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// The largest number that counts repetitions; larger ones are seeds and names.
const MAX_COUNT: f64 = 1_000.0;

/// Numbers of repetitions, from 1.
pub(super) struct Repeats {
    /// What is added to a number that counts; `None`: values are numbered as they come.
    shift: Option<u32>,
    seen: HashMap<String, u32>,
    times: HashMap<u64, u32>,
}

impl Repeats {
    /// By the cells of the column that says them.
    pub(super) fn new(profile: Option<&Profile>) -> Self {
        let counted =
            profile.filter(|profile| profile.is_whole()).and_then(|profile| profile.range);
        let shift = counted.filter(|(low, high)| *low >= 0.0 && *high <= MAX_COUNT);
        let shift = shift.map(|(low, _)| u32::from(low < 1.0));
        Self { shift, seen: HashMap::new(), times: HashMap::new() }
    }

    /// The repetition that a cell names.
    pub(super) fn named(&mut self, cell: &Value) -> u32 {
        let counted = self.shift.zip(number(cell, Style::Comma));
        if let Some((shift, count)) = counted.filter(|(_, count)| (0.0..=MAX_COUNT).contains(count))
        {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "0–1,000"
            )]
            return (count as u32).saturating_add(shift).max(1);
        }
        let next = u32::try_from(self.seen.len()).unwrap_or(u32::MAX).saturating_add(1);
        *self.seen.entry(short_text(cell)).or_insert(next)
    }

    /// How often the case has been there with this row.
    pub(super) fn again(&mut self, subject: Option<&str>, group: Option<&str>, id: &str) -> u32 {
        let mut hasher = DefaultHasher::new();
        (subject, group, id).hash(&mut hasher);
        let times = self.times.entry(hasher.finish()).or_insert(0);
        *times = times.saturating_add(1);
        *times
    }
}
