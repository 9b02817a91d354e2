//! Which samples a run has had.

use hashbrown::DefaultHashBuilder;
use std::collections::HashSet;
use std::hash::{BuildHasher as _, BuildHasherDefault, Hasher};

/// The samples by the hash of model and id: the ids themselves would be most of the memory.
#[derive(Default)]
pub(in crate::readers::letta_evals) struct SeenSamples {
    hashes: HashSet<u64, BuildHasherDefault<Hashed>>,
    hasher: DefaultHashBuilder,
}

impl SeenSamples {
    /// Adds a sample; whether it is new.
    pub(in crate::readers::letta_evals) fn insert(
        &mut self,
        model: Option<&str>,
        is_numeric: bool,
        id: &str,
    ) -> bool {
        self.hashes.insert(self.hasher.hash_one((model, is_numeric, id)))
    }

    /// Number of samples.
    pub(in crate::readers::letta_evals) fn len(&self) -> usize {
        self.hashes.len()
    }
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
    use super::SeenSamples;

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
