//! Addresses that a case or a document leads to.

use super::part::RunItem;
use crate::address::{CompareView, OpenNames, Page, Route};
use crate::report::{Elsewhere, How, Link, RunRef, Target};

/// Addresses of the case or document.
pub(super) struct ShownLinks {
    /// Its own, to which the number of a message is appended.
    message: String,
    /// How its score was made.
    pub how: String,
    /// The overview of its evaluation.
    pub evaluation: String,
    /// The overview of its run.
    pub run: String,
    /// The same case elsewhere.
    pub elsewhere: Vec<String>,
    /// This case against each of them.
    pub compared: Vec<String>,
}

impl ShownLinks {
    /// Of `item` of `run`, by what things are called.
    pub(super) fn new(
        run: RunRef,
        item: RunItem,
        elsewhere: &[Elsewhere],
        names: &dyn OpenNames,
    ) -> Self {
        let target = Target::Run(run);
        let address = |link| Route::of_link(&link, Page::Cases, target, names).to_hash(names);
        let of = |target| {
            let route = Route { page: Page::Overview, target, ..Route::default() };
            route.to_hash(names)
        };
        let links = Self {
            message: String::new(),
            how: String::new(),
            evaluation: of(Target::Evaluation(run.evaluation)),
            run: of(target),
            elsewhere: elsewhere.iter().map(|one| address(one.link.clone())).collect(),
            compared: Vec::new(),
        };
        match item {
            RunItem::Case(case_idx) => {
                let here = address(Link::Case { run, case_idx });
                let joint = if here.contains('?') { '&' } else { '?' };
                let compared = |one: &Elsewhere| match one.link {
                    Link::Case { run: other, .. } => {
                        let own = Route::of_link(
                            &Link::Case { run, case_idx },
                            Page::Cases,
                            target,
                            names,
                        );
                        let sides = vec![vec![Target::Run(other)], vec![target]];
                        let compare = CompareView { sides, ..CompareView::default() };
                        Route { page: Page::Compare, compare, ..own }.to_hash(names)
                    }
                    _ => String::new(),
                };
                Self {
                    compared: elsewhere.iter().map(compared).collect(),
                    message: format!("{here}{joint}msg="),
                    how: address(Link::How(How::Case { run, case_idx })),
                    ..links
                }
            }
            RunItem::Document(place) => {
                let spot = format!("{place}-");
                Self { message: address(Link::Agent { run, spot }), ..links }
            }
        }
    }

    /// The address of message `number`.
    pub(super) fn message(&self, number: usize) -> String {
        format!("{}{number}", self.message)
    }
}
