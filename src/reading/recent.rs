//! What was worked out for the parts of a case that were asked for last.

use std::cell::RefCell;

/// Values by key, of which the last ones are kept.
pub(super) struct RecentValues<K, V>(RefCell<Vec<(K, V)>>);

/// Values that are kept.
const MAX_KEPT: usize = 12;

impl<K, V> Default for RecentValues<K, V> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

impl<K: Clone + PartialEq, V: Clone> RecentValues<K, V> {
    /// What is kept for `key`, or what `make` makes.
    pub(super) fn get(&self, key: &K, make: impl FnOnce() -> V) -> V {
        let found = self.0.borrow().iter().position(|(known, _)| known == key);
        if let Some(at) = found {
            let mut kept = self.0.borrow_mut();
            let pair = kept.remove(at);
            let value = pair.1.clone();
            kept.push(pair);
            return value;
        }
        // Making one may ask for others, so nothing is borrowed meanwhile.
        let value = make();
        let mut kept = self.0.borrow_mut();
        if kept.len() == MAX_KEPT {
            kept.remove(0);
        }
        kept.push((key.clone(), value.clone()));
        value
    }
}
