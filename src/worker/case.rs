//! Answers about one case: its page, its parts, what stands next to it.

use super::core::Core;
use super::protocol::{Answer, Failure, Request};
use crate::render::case::{CaseShown, PartName, Reading, no_case};
use crate::report::{self, Name, RunRef};
use std::rc::Rc;

impl Core {
    /// Answers what is asked of one case.
    ///
    /// # Errors
    /// When there is no answer; why.
    pub(super) fn answer_of_case(&self, request: Request) -> Result<Answer, Failure> {
        match request {
            Request::Case { run, case, spot } => self.shown_case(run, &case, &spot),
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

    /// The page of a case; a run that is open and has no such case says so.
    fn shown_case(&self, run: RunRef, case: &Name, spot: &str) -> Result<Answer, Failure> {
        let case_idx = self.workspace.borrow().case_idx(run, case);
        let shown = match case_idx {
            Some(case_idx) => {
                let key = self.workspace.borrow().case_name(run, case_idx);
                let body = self.read(run, case_idx)?.shown(spot);
                CaseShown { key: key.unwrap_or_default(), body }
            }
            None => {
                let workspace = self.workspace.borrow();
                let (entry, table) = workspace.run(run).ok_or(Failure::Gone)?;
                let names = [&entry.evaluation.label, &table.label].map(String::as_str);
                CaseShown { key: String::new(), body: no_case(case, names, run, &*workspace) }
            }
        };
        Ok(Answer::Case(Box::new(shown)))
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
        let reading = Reading::new(view, self.look.get()).linked(&*self.workspace.borrow());
        let reading = Rc::new(reading);
        *self.reading.borrow_mut() = Some(Rc::clone(&reading));
        Ok(reading)
    }
}
