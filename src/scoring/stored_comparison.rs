//! Declared figures beside computed ones, as a dataset holds them: counted, and packed until somebody looks at them. A large
//! dataset has very many, and most of its pages want no more than how many there are.

use super::Severity;
use crate::model::Num;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::iter;

/// A declared figure beside the computed one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredComparison<'a> {
    /// Place of the run that it is of, from 0; `None`: it is of more than one.
    pub run: Option<usize>,
    /// Repeat that it is of.
    pub repeat: Option<u32>,
    /// Subject that it is of.
    #[serde(borrow)]
    pub subject: Option<&'a str>,
    /// File that declares it.
    pub file: &'a str,
    /// Field as the file writes it.
    pub field: &'a str,
    /// What the file says.
    pub declared: StoredValue<'a>,
    /// What the cases give.
    pub computed: StoredValue<'a>,
    /// Computed − declared.
    pub difference: Option<Num>,
    /// Whether they agree.
    pub agrees: bool,
    /// How much a difference matters.
    pub severity: Severity,
    /// Reason of a difference.
    pub why: Option<&'a str>,
}

/// A compared value.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum StoredValue<'a> {
    /// A number.
    Number(Num),
    /// A word; `true` and `false` of a yes or no.
    Word(&'a str),
    /// Not known or not defined.
    Missing,
}

/// Every declared figure of an evaluation that was compared with a computed one, in their order.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct StoredComparisons {
    /// How many there are of each severity, by the run that they are of.
    counts: BTreeMap<Option<usize>, BTreeMap<Severity, u64>>,
    /// One after the other in postcard form.
    #[serde(with = "serde_bytes")]
    packed: Vec<u8>,
}

impl StoredComparisons {
    /// Adds one at the end.
    pub fn push(&mut self, one: &StoredComparison<'_>) {
        // Every field can be written. Were one not, the figure would be left out of the counts too.
        let Ok(packed) = postcard::to_allocvec(one) else { return };
        self.packed.extend_from_slice(&packed);
        *self.counts.entry(one.run).or_default().entry(one.severity).or_default() += 1;
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = StoredComparison<'_>> {
        let mut rest = self.packed.as_slice();
        iter::from_fn(move || {
            let (one, behind) = postcard::take_from_bytes(rest).ok()?;
            rest = behind;
            Some(one)
        })
    }

    /// How many there are of each severity, of one run when `run_idx` is given.
    pub fn counts(&self, run_idx: Option<usize>) -> impl Iterator<Item = (Severity, u64)> {
        let of_run =
            self.counts.iter().filter(move |(run, _)| run_idx.is_none() || **run == run_idx);
        of_run.flat_map(|(_, counts)| counts.iter().map(|(severity, n)| (*severity, *n)))
    }
}

#[cfg(test)]
mod tests {
    use super::{StoredComparison, StoredComparisons, StoredValue};
    use crate::model::Num;
    use crate::scoring::Severity;

    #[test]
    fn what_was_packed_is_unpacked_and_counted() {
        let one = StoredComparison {
            run: Some(1),
            repeat: Some(2),
            subject: Some("α"),
            file: "summary.json",
            field: "mean",
            declared: StoredValue::Number(Num(0.1)),
            computed: StoredValue::Word("true"),
            difference: Some(Num(-0.25)),
            agrees: false,
            severity: Severity::Major,
            why: Some("a reason"),
        };
        let other = StoredComparison {
            run: None,
            subject: None,
            declared: StoredValue::Missing,
            severity: Severity::Agrees,
            ..one.clone()
        };
        let mut all = StoredComparisons::default();
        for each in [&one, &other, &one] {
            all.push(each);
        }
        let sent = postcard::to_allocvec(&all).unwrap();
        let again: StoredComparisons = postcard::from_bytes(&sent).unwrap();
        assert_eq!(again.iter().collect::<Vec<_>>(), [one.clone(), other, one]);
        let counts = |run| again.counts(run).collect::<Vec<_>>();
        assert_eq!(counts(Some(1)), [(Severity::Major, 2)]);
        assert_eq!(counts(Some(0)), []);
        assert_eq!(counts(None), [(Severity::Agrees, 1), (Severity::Major, 2)]);
    }
}
