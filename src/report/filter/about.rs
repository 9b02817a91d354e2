//! What a filter is about: cases, or pairs of a comparison, which have a few fields more.

use super::field::Field;

/// How a pair can have changed: words of `change:`.
pub const CHANGES: [&str; 6] = ["regressed", "fixed", "same", "new", "gone", "changed"];

/// What a filter is about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum About {
    /// Cases.
    #[default]
    Cases,
    /// Pairs of the sides with these letters; a filter of cases asks for either.
    Pairs {
        /// The letter of the baseline, and of the candidate that is looked at.
        sides: [char; 2],
    },
}

impl About {
    /// Whether a filter about this can ask for `field`.
    pub(super) fn has(self, field: &Field) -> bool {
        self != Self::Cases || !field.is_of_pairs()
    }

    /// Its fields but the scores of metrics: name, and what it is.
    pub(super) fn fields(self) -> impl Iterator<Item = (Field, &'static str, &'static str)> {
        Field::all().filter(move |(field, ..)| self.has(field))
    }

    /// Every name of them.
    pub(super) fn names(self) -> impl Iterator<Item = &'static str> {
        Field::every_name().filter(move |(field, _)| self.has(field)).map(|(_, name)| name)
    }

    /// The words that `field` can be, when they are a closed list.
    pub(super) fn closed(self, field: &Field) -> Option<Vec<String>> {
        match (self, field) {
            (Self::Pairs { sides }, Field::Side) => Some(sides.map(String::from).into()),
            _ => Some(field.closed()?.into_iter().map(str::to_owned).collect()),
        }
    }
}
