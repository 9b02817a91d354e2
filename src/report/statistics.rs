//! Repeats, intervals, consistency, usage, timing.

use super::workspace::Workspace;
use super::{Sections, Target};

/// Repeats, intervals, consistency, usage, timing. `None` when it is not there.
pub(super) fn statistics(_workspace: &Workspace, _target: Target) -> Option<Sections> {
    Some(Sections::default())
}
