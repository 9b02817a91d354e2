//! What is looked at: names of it, and where the view goes when what is loaded changes.

use crate::address::{CasePlace, Page, Route};
use crate::report::{Name, Target, Tree};
use crate::words::ui::shell as words;

/// The evaluation that `target` is, or in which it lies.
pub fn evaluation_of(target: Target) -> Option<u32> {
    match target {
        Target::All => None,
        Target::Evaluation(id) => Some(id),
        Target::Run(run) => Some(run.evaluation),
    }
}

/// The name of an evaluation.
pub fn name_of(tree: &Tree, id: u32) -> Option<String> {
    tree.evaluations.iter().find(|node| node.id == id).map(|node| node.label.clone())
}

/// The name of the evaluation or run that `target` is.
pub fn target_name(tree: &Tree, target: Target) -> Option<String> {
    match target {
        Target::Run(run) => {
            let mut runs = tree.evaluations.iter().flat_map(|node| &node.runs);
            runs.find(|node| node.run == run).map(|node| node.label.clone())
        }
        _ => evaluation_of(target).and_then(|id| name_of(tree, id)),
    }
}

/// The view `route` over `old`, now that `new` is loaded: what was looked at and is gone is left, which is no link
/// that leads nowhere.
pub fn carried(route: &Route, old: &Tree, new: &Tree) -> Route {
    let mut carried = route.carried(old, new);
    if route.missing.is_none() && carried.missing.is_some() {
        carried.leave();
    }
    carried
}

/// Puts the key of the open case into the address, where an older address gave its place.
pub fn name_case(route: &mut Route, key: &str) {
    if let Some(CasePlace { case: case @ Name::Place(_), .. }) = &mut route.case
        && !key.is_empty()
    {
        *case = Name::Key(key.to_owned());
    }
}

/// Whether following `link` moves to another part of the same page.
pub fn moves_within(link: &Route) -> bool {
    link.page == Page::Agent
}

/// The document's title; `name` is the selected evaluation's.
pub fn title(is_empty: bool, page: Page, name: Option<&str>) -> String {
    match (is_empty, name) {
        (true, _) => words::NAME.to_owned(),
        (false, Some(name)) => words::title_of(page.title(), name),
        (false, None) => words::title(page.title()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::state::support::tree;

    #[test]
    fn what_is_selected_has_a_name() {
        let tree = tree(&[(1, "one"), (2, "two")]);
        assert_eq!(target_name(&tree, Target::Evaluation(2)).as_deref(), Some("two"));
        assert_eq!(target_name(&tree, Target::Evaluation(3)), None);
        assert_eq!(target_name(&tree, Target::All), None);
        assert_eq!(title(false, Page::Notes, Some("one")), "Notes: one – Evalglass");
        assert_eq!(title(false, Page::Notes, None), "Notes – Evalglass");
        assert_eq!(title(true, Page::Notes, Some("one")), "Evalglass");
    }

    #[test]
    fn an_evaluation_that_was_removed_is_left() {
        let (old, new) = (tree(&[(1, "one"), (2, "two")]), tree(&[(1, "one")]));
        let route = Route { target: Target::Evaluation(2), ..Route::default() };
        let after = carried(&route, &old, &new);
        assert!(after.missing.is_none(), "it is no lost link");
        let stays = Route { target: Target::Evaluation(1), ..Route::default() };
        assert_eq!(carried(&stays, &old, &new).target, Target::Evaluation(1));
    }
}
