//! What becomes of an opening: what is said, and where the view goes.

use crate::report::{Target, Tree};
use crate::words::ui::status as words;

/// What was said of dropped things: the first that could not be read, and how many.
pub fn unreadable(all: &[String]) -> Option<String> {
    let first = all.first()?;
    Some(words::unreadable(all.len() as u64, first))
}

/// What an opening has come to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OpenOutcome {
    /// Evaluations that were not there before.
    pub new: Vec<u32>,
    /// Why nothing is loaded.
    pub failure: Option<String>,
    /// What is said of it.
    pub said: Option<String>,
    /// What the view turns to.
    pub look_at: Option<Target>,
}

impl OpenOutcome {
    /// From `old` to `new`; `is_asked`: an address asked for the view.
    pub fn between(old: &Tree, new: &Tree, is_asked: bool) -> Self {
        let added = new_in(old, new);
        let look_at = match added.as_slice() {
            [] => None,
            _ if is_asked => None,
            [only] => Some(Target::Evaluation(*only)),
            _ => Some(Target::All),
        };
        let is_empty = new.evaluations.is_empty();
        Self {
            failure: is_empty.then(|| words::NO_RESULTS.to_owned()),
            said: (!is_empty && added.is_empty()).then(|| words::NOTHING_NEW.to_owned()),
            look_at,
            new: added,
        }
    }

    /// It failed for `reason`: that stands in the place of results, or is said beside them.
    pub fn failed(old: &Tree, reason: &str) -> Self {
        match old.evaluations.is_empty() {
            true => Self { failure: Some(reason.to_owned()), ..Self::default() },
            false => Self { said: Some(words::not_opened(reason)), ..Self::default() },
        }
    }
}

/// Evaluations of `new` that are not in `old`.
pub fn new_in(old: &Tree, new: &Tree) -> Vec<u32> {
    let is_known = |id: &u32| old.evaluations.iter().any(|node| node.id == *id);
    new.evaluations.iter().map(|node| node.id).filter(|id| !is_known(id)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::state::support;

    fn tree(ids: &[u32]) -> Tree {
        let names: Vec<(u32, &str)> = ids.iter().map(|&id| (id, "x")).collect();
        support::tree(&names)
    }

    #[test]
    fn the_view_turns_to_what_is_new_unless_an_address_asked_for_it() {
        let of = |old: &[u32], new: &[u32], is_asked| {
            OpenOutcome::between(&tree(old), &tree(new), is_asked).look_at
        };
        assert_eq!(of(&[], &[1], false), Some(Target::Evaluation(1)));
        assert_eq!(of(&[1], &[1, 2], false), Some(Target::Evaluation(2)));
        assert_eq!(of(&[], &[1, 2], false), Some(Target::All));
        assert_eq!(of(&[], &[1], true), None);
        assert_eq!(of(&[1], &[1], false), None);
    }

    #[test]
    fn what_is_said_depends_on_what_was_there() {
        let nothing = OpenOutcome::between(&tree(&[]), &tree(&[]), false);
        assert!(nothing.failure.is_some() && nothing.said.is_none());
        let same = OpenOutcome::between(&tree(&[1]), &tree(&[1]), false);
        assert!(same.failure.is_none() && same.said.is_some());
        let more = OpenOutcome::between(&tree(&[1]), &tree(&[1, 4]), false);
        assert_eq!((more.new, more.failure, more.said), (vec![4], None, None));
        assert_eq!(OpenOutcome::failed(&tree(&[]), "why").failure.as_deref(), Some("why"));
        assert_eq!(
            OpenOutcome::failed(&tree(&[1]), "why").said.as_deref(),
            Some("Not opened: why")
        );
    }

    #[test]
    fn what_could_not_be_read_is_counted() {
        assert_eq!(unreadable(&[]), None);
        let said = unreadable(&["a".to_owned(), "b".to_owned()]).unwrap();
        assert!(said.contains("2 dropped items: a"), "{said}");
    }
}
