//! How a score was made: the terms of its formula.

use super::workspace::Workspace;
use super::{How, Sections};

/// How a score was made: the terms of its formula. `None` when it is not there.
pub(super) fn how(_workspace: &Workspace, _how: How) -> Option<Sections> {
    Some(Sections::default())
}
