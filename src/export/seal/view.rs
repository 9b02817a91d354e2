//! The view that a sealed report opens with: evaluations and runs are numbered anew there.

use crate::address::Route;
use crate::report::{How, RunRef, Target, Workspace};

/// `route` among what `target` leaves, counted from 0; what it leads to and is left out is forgotten.
pub(super) fn sealed_view(workspace: &Workspace, route: &Route, target: Target) -> Route {
    let evaluation = |id: u32| {
        let at = workspace.entries_of(target).position(|entry| entry.id == id)?;
        u32::try_from(at).ok()
    };
    let run = |at: RunRef| match target {
        // It is the only one left.
        Target::Run(only) => (at == only).then_some(RunRef { evaluation: 0, run: 0 }),
        _ => Some(RunRef { evaluation: evaluation(at.evaluation)?, run: at.run }),
    };
    let mut route = route.clone();
    route.target = match route.target {
        Target::All => Some(Target::All),
        Target::Evaluation(id) => evaluation(id).map(Target::Evaluation),
        Target::Run(at) => run(at).map(Target::Run),
    }
    .unwrap_or_default();
    route.case = route.case.and_then(|mut case| {
        case.run = run(case.run)?;
        Some(case)
    });
    route.how = route.how.and_then(|how| {
        Some(match how {
            How::Evaluation(id) => How::Evaluation(evaluation(id)?),
            How::Run(at) => How::Run(run(at)?),
            How::Group { run: at, group } => How::Group { run: run(at)?, group },
            How::Case { run: at, case_idx } => How::Case { run: run(at)?, case_idx },
        })
    });
    route
}
