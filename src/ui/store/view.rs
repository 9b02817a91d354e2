//! What is looked at: changing the view, and the names of what is selected.

use super::Store;
use crate::address::{CasePlace, Page, Route};
use crate::browser;
use crate::report::{CaseAt, Name};
use crate::ui::state::{self, Neighbour};
use leptos::prelude::*;

impl Store {
    /// Changes the view, as a new step of the history.
    pub fn go(self, change: impl FnOnce(&mut Route)) {
        if self.change_route(change) {
            browser::push_hash(&self.hash());
        }
    }

    /// Changes the view without a new step: typing, for instance.
    pub fn adjust(self, change: impl FnOnce(&mut Route)) {
        if self.change_route(change) {
            browser::replace_hash(&self.hash());
        }
    }

    /// The address of the view, from its `#` on.
    pub fn hash(self) -> String {
        self.tree.with_untracked(|tree| self.route.with_untracked(|route| route.to_hash(tree)))
    }

    /// The view that `hash` asks for.
    pub fn route_of(self, hash: &str) -> Route {
        self.tree.with_untracked(|tree| Route::from_hash(hash, tree))
    }

    /// Puts the key of the open case into the address, where an older address gave its place.
    pub fn name_case(self, key: &str) {
        self.adjust(|route| state::name_case(route, key));
    }

    fn change_route(self, change: impl FnOnce(&mut Route)) -> bool {
        let mut route = self.route.get_untracked();
        change(&mut route);
        let has_changed = self.route.with_untracked(|old| *old != route);
        if has_changed {
            self.route.set(route);
        }
        has_changed
    }

    /// Opens the view that a link leads to.
    pub fn follow(self, link: &Route) {
        self.go(|route| *route = link.clone().followed_from(route));
        // A link to another part of the same page is followed too.
        if state::moves_within(link) {
            self.n_turns.update(|n| *n += 1);
        }
    }

    /// Goes to what stands beside what is looked at.
    pub fn go_beside(self, beside: Neighbour) {
        match beside {
            Neighbour::Case(CaseAt { run, key, at }) => {
                let (case, spot) = (Name::Key(key), String::new());
                self.go(|route| route.case = Some(CasePlace { run, case, at: Some(at), spot }));
            }
            Neighbour::Address(address) => self.follow(&self.route_of(&address)),
        }
    }

    /// Turns to `page`; what was compared last is compared again.
    pub fn turn_to(self, page: Page) {
        self.go(|route| {
            if page == Page::Compare && route.page != page {
                route.compare = self.compared.get_untracked();
            }
            route.page = page;
            route.leave();
        });
    }

    /// The evaluation that is selected, or in which the selected run lies.
    pub fn selected(self) -> Option<u32> {
        state::evaluation_of(self.route.with(|route| route.target))
    }

    /// The name of an evaluation.
    pub fn name_of(self, id: u32) -> Option<String> {
        self.tree.with(|tree| state::name_of(tree, id))
    }

    /// The name of the evaluation or run that is selected.
    pub fn selected_name(self) -> Option<String> {
        let target = self.route.with(|route| route.target);
        self.tree.with(|tree| state::target_name(tree, target))
    }
}
