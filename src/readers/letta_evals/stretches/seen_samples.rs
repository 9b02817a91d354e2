//! Which samples a run has had.

use crate::model::Rising;
use hashbrown::DefaultHashBuilder;
use std::collections::HashSet;
use std::hash::{BuildHasher as _, BuildHasherDefault, Hasher};

/// The most samples that there is room for before they come.
const MAX_ROOM: usize = 1 << 20;

/// How many models are followed at the most: each row looks for its own among them.
const MAX_RISING: usize = 16;

/// The samples by the hash of model and id: the ids themselves would be most of the memory. As long as the ids of each model rise,
/// as most writers leave them, none is looked for.
pub(in crate::readers::letta_evals) struct SeenSamples {
    /// The last sample of each model and kind of id, while they rise; `None`: they do not.
    last: Option<Vec<LastSample>>,
    /// The samples while they rise.
    risen: Vec<u64>,
    /// The samples since they do not.
    hashes: HashSet<u64, BuildHasherDefault<Hashed>>,
    hasher: DefaultHashBuilder,
}

struct LastSample {
    model: Option<String>,
    is_numeric: bool,
    id: String,
    rising: Rising,
}

impl Default for SeenSamples {
    fn default() -> Self {
        Self {
            last: Some(Vec::new()),
            risen: Vec::new(),
            hashes: HashSet::default(),
            hasher: DefaultHashBuilder::default(),
        }
    }
}

impl SeenSamples {
    /// Adds a sample; whether it is new.
    pub(in crate::readers::letta_evals) fn insert(
        &mut self,
        model: Option<&str>,
        is_numeric: bool,
        id: &str,
    ) -> bool {
        let hash = self.hasher.hash_one((model, is_numeric, id));
        if let Some(last) = &mut self.last {
            if rises(last, model, is_numeric, id) {
                self.risen.push(hash);
                return true;
            }
            self.last = None;
            self.hashes.extend(std::mem::take(&mut self.risen));
        }
        self.hashes.insert(hash)
    }

    /// Makes room for `n_samples` in all.
    pub(in crate::readers::letta_evals) fn make_room(&mut self, n_samples: usize) {
        let n_more = n_samples.min(MAX_ROOM).saturating_sub(self.len());
        match self.last {
            Some(_) => self.risen.reserve(n_more),
            None => self.hashes.reserve(n_more),
        }
    }

    /// Number of samples.
    pub(in crate::readers::letta_evals) fn len(&self) -> usize {
        self.risen.len() + self.hashes.len()
    }
}

/// Whether the sample goes on rising behind the `last` ones, of which it is then one.
fn rises(last: &mut Vec<LastSample>, model: Option<&str>, is_numeric: bool, id: &str) -> bool {
    let is_of_it =
        |last: &&mut LastSample| last.is_numeric == is_numeric && last.model.as_deref() == model;
    if let Some(last) = last.iter_mut().find(is_of_it) {
        let goes_on = last.rising.goes_on(&last.id, id);
        last.id.clear();
        last.id.push_str(id);
        return goes_on;
    }
    let (model, id) = (model.map(str::to_owned), id.to_owned());
    last.push(LastSample { model, is_numeric, id, rising: Rising::default() });
    last.len() <= MAX_RISING
}

/// The hash of what is a hash already.
#[derive(Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    /// Of no use here: only whole hashes come.
    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, byte| hash.rotate_left(8) ^ u64::from(*byte));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn samples_are_new_once_in_whatever_order_they_come(
            samples in prop::collection::vec((0_u8..20, any::<bool>(), 0_u32..30), 0..60),
            is_sorted in any::<bool>(),
            is_reserved in any::<bool>(),
        ) {
            let mut samples = samples;
            if is_sorted {
                samples.sort_unstable_by_key(|(_, _, id)| *id);
                samples.dedup();
            }
            let (mut seen, mut expected) = (SeenSamples::default(), HashSet::new());
            for (model, is_numeric, id) in samples {
                let (model, id) = (format!("m{model}"), id.to_string());
                if is_reserved {
                    seen.make_room(70);
                }
                let is_new = expected.insert((model.clone(), is_numeric, id.clone()));
                prop_assert_eq!(seen.insert(Some(&model), is_numeric, &id), is_new);
                prop_assert_eq!(seen.len(), expected.len());
            }
        }
    }

    #[test]
    fn a_sample_is_told_by_model_kind_of_id_and_id() {
        let mut seen = SeenSamples::default();
        let samples =
            [(None, false, "1"), (None, true, "1"), (Some("m"), true, "1"), (Some("m"), true, "2")];
        for (model, is_numeric, id) in samples {
            assert!(seen.insert(model, is_numeric, id), "{model:?} {is_numeric} {id}");
        }
        for (model, is_numeric, id) in samples {
            assert!(!seen.insert(model, is_numeric, id), "{model:?} {is_numeric} {id}");
        }
        assert_eq!(seen.len(), samples.len());
    }
}
