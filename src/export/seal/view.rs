//! The view that a sealed report opens with.

use crate::address::{CompareView, Route};
use crate::report::{HowName, RunRef, Target};

/// `route` without what lies outside of `target` and is therefore not in the report.
pub(super) fn sealed_view(route: &Route, target: Target) -> Route {
    let has_evaluation = |id: u32| match target {
        Target::All => true,
        Target::Evaluation(own) => own == id,
        Target::Run(own) => own.evaluation == id,
    };
    let has_run = |run: RunRef| match target {
        Target::Run(own) => own == run,
        _ => has_evaluation(run.evaluation),
    };
    let has = |target: Target| match target {
        Target::All => true,
        Target::Evaluation(id) => has_evaluation(id),
        Target::Run(run) => has_run(run),
    };
    let mut route = route.clone();
    route.target = Some(route.target).filter(|own| has(*own)).unwrap_or_default();
    route.case = route.case.filter(|case| has_run(case.run));
    route.how = route.how.filter(|how: &HowName| has(how.target()));
    // A comparison without one of its sides would be another one.
    if !route.compare.sides.iter().flatten().all(|member| has(*member)) {
        route.compare = CompareView::default();
    }
    route.missing = None;
    route
}
