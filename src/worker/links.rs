//! What a copied link needs besides the address.

use super::core::Core;
use crate::report::Target;

/// Paths that are named when a link is copied.
const MAX_NAMED: usize = 4;

impl Core {
    /// What is said when a link to a view of `target` has been copied. `fetched` are the evaluations
    /// that the address brings.
    pub(super) fn needed(&self, target: Target, fetched: &[u32]) -> String {
        let workspace = self.workspace.borrow();
        let needed = workspace.entries_of(target).filter(|entry| !fetched.contains(&entry.id));
        let mut paths: Vec<String> = needed
            .map(|entry| match entry.evaluation.path.as_str() {
                "" => entry.evaluation.label.clone(),
                path => path.to_owned(),
            })
            .collect();
        if paths.is_empty() {
            return "Copied.".to_owned();
        }
        if paths.len() > MAX_NAMED + 1 {
            let n_more = paths.split_off(MAX_NAMED).len();
            paths.push(format!("{n_more} more"));
        }
        format!(
            "Copied. The link holds the view, not the data: anyone who opens it needs {}.",
            paths.join(", ")
        )
    }
}
