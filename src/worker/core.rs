//! Requests to answers: pure, natively tested, without a browser.
//!
//! Opening is the only thing that takes long; it works beside the workspace and is put in at the end,
//! so that questions can be answered meanwhile.

use super::protocol::{Answer, Failure, Request};
use crate::input::{Dropped, Pulse};
use crate::report::{Settings, Workspace};
use std::cell::RefCell;

/// The state behind the page.
#[derive(Default)]
pub struct Core {
    workspace: RefCell<Workspace>,
    settings: RefCell<Settings>,
}

impl Core {
    /// Opens `files` besides what is open and answers with the new workspace.
    ///
    /// # Errors
    /// [`Failure::Cancelled`] when `pulse` says stop; then nothing has changed.
    pub async fn open(
        &self,
        files: Vec<Dropped>,
        pruned: Vec<(String, u64)>,
        pulse: &Pulse,
    ) -> Result<Answer, Failure> {
        let _ = (files, pruned, pulse, &self.workspace, &self.settings);
        Err(Failure::Gone)
    }

    /// Answers every request but `Open` and `Cancel`, which need files or a running task.
    ///
    /// # Errors
    /// When there is no answer; why.
    pub fn answer(&self, request: Request) -> Result<Answer, Failure> {
        let _ = request;
        Err(Failure::Gone)
    }
}
