//! In which cases texts were found, after files were searched for them.

use super::RunRef;
use std::rc::Rc;

/// Texts that are remembered; older ones have to be looked for again.
const MAX_NEEDLES: usize = 8;

/// In which cases of which run.
type FoundIn = Vec<(RunRef, Rc<Vec<bool>>)>;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Searches {
    /// Texts, the newest last, each with what was found in which run.
    found: Vec<(String, FoundIn)>,
}

impl Searches {
    /// The cases of `run` that `needle` was found in; `None`: nobody has looked.
    pub(super) fn found(&self, needle: &str, run: RunRef) -> Option<Rc<Vec<bool>>> {
        let (_, runs) = self.found.iter().find(|(known, _)| known == needle)?;
        runs.iter().find(|(known, _)| *known == run).map(|(_, found)| Rc::clone(found))
    }

    /// Keeps what was found.
    pub(super) fn keep(&mut self, needle: &str, run: RunRef, found: Vec<bool>) {
        let known = self.found.iter().position(|(known, _)| known == needle);
        let mut runs = known.map_or_else(Vec::new, |at| self.found.remove(at).1);
        runs.retain(|(known, _)| *known != run);
        runs.push((run, Rc::new(found)));
        self.found.push((needle.to_owned(), runs));
        if self.found.len() > MAX_NEEDLES {
            self.found.remove(0);
        }
    }
}
