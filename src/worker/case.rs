//! Answers about one case: its page, its parts, what stands next to it.

use super::core::Core;
use super::protocol::{Answer, Failure, Request};
use crate::render::case::{PartName, Reading};
use crate::report::{self, RunRef};
use std::rc::Rc;

impl Core {
    /// Answers what is asked of one case.
    ///
    /// # Errors
    /// When there is no answer; why.
    pub(super) fn answer_of_case(&self, request: Request) -> Result<Answer, Failure> {
        match request {
            Request::Case { run, case_idx } => {
                let reading = self.read(run, case_idx)?;
                Ok(Answer::Case(Box::new(reading.shown())))
            }
            Request::Part(name) => {
                let name = PartName::parse(&name).ok_or(Failure::Gone)?;
                let part = self.reading(&name)?.part(&name);
                part.map(Answer::Markup).ok_or(Failure::Gone)
            }
            Request::Text(name) => {
                let name = PartName::parse(&name).ok_or(Failure::Gone)?;
                let text = self.reading(&name)?.text_of(&name);
                text.map(Answer::Text).ok_or(Failure::Gone)
            }
            Request::Neighbours(query) => report::neighbours(&self.workspace.borrow(), &query)
                .map(Answer::Neighbours)
                .ok_or(Failure::Gone),
            _ => Err(Failure::Message("this is not about a case".to_owned())),
        }
    }

    /// The case of which `name` names a part: the one that was read last, as a rule.
    fn reading(&self, name: &PartName) -> Result<Rc<Reading>, Failure> {
        let kept = self.reading.borrow().clone();
        match kept {
            Some(reading) if reading.is_of(name.run, name.case_idx) => Ok(reading),
            _ => self.read(name.run, name.case_idx),
        }
    }

    /// Reads a case and keeps it for its parts.
    fn read(&self, run: RunRef, case_idx: u64) -> Result<Rc<Reading>, Failure> {
        let view = report::case_view(&self.workspace.borrow(), run, case_idx);
        let view = view.ok_or(Failure::Gone)?.map_err(|err| Failure::File {
            path: err.file().map(str::to_owned),
            reason: err.to_string(),
        })?;
        let reading = Rc::new(Reading::new(view, self.look.get()));
        *self.reading.borrow_mut() = Some(Rc::clone(&reading));
        Ok(reading)
    }
}
