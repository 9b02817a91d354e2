//! The second evaluation of a checkpoint, after a skill has worked on it: its folder and its name.
//!
//! Producer's definition: `formats/slop-code.md` §1. Fixture: `real/after_skill`.

use crate::model::Run;

const FOLDER: &str = "after_skill";

/// Whether `folder` holds such an evaluation: it lies in that of its checkpoint.
pub(super) fn is_in(folder: &str) -> bool {
    folder.strip_suffix(FOLDER).is_some_and(|checkpoint| checkpoint.ends_with('/'))
}

/// Calls the evaluation of `checkpoint` after a skill a variant of its own.
pub(super) fn name(run: &mut Run, checkpoint: &str) {
    let variant = format!("{checkpoint}, after skill");
    let named = [run.key.suite.as_deref(), Some(variant.as_str())];
    run.label = named.into_iter().flatten().collect::<Vec<_>>().join(" / ");
    run.key.variant = Some(variant);
}
