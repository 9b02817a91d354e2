//! Answers about one case or one document of a run: its page, its parts, what stands next to it.

use super::core::Core;
use super::files::failure;
use super::protocol::{Answer, Failure, Question};
use crate::address::Page;
use crate::reading::{self, CaseShown, PartName, Reading, RunItem, no_case};
use crate::report::{self, Name, RunRef, Target};
use std::rc::Rc;

impl Core {
    /// Answers what is asked of one case.
    ///
    /// # Errors
    /// When there is no answer; why.
    pub(super) fn answer_of_case(&self, question: Question) -> Result<Answer, Failure> {
        match question {
            Question::Case { run, case, spot } => self.shown_case(run, &case, &spot),
            Question::Part(name) => {
                let name = PartName::parse(&name).ok_or(Failure::Gone)?;
                let part = self.reading_with(&name)?.part(&name);
                part.map(|part| Answer::Part(Box::new(part))).ok_or(Failure::Gone)
            }
            Question::Text(name) => {
                let name = PartName::parse(&name).ok_or(Failure::Gone)?;
                let text = self.reading_with(&name)?.text_of(&name);
                text.map(Answer::Text).ok_or(Failure::Gone)
            }
            Question::Neighbours(query) => report::neighbours(&self.workspace.borrow(), &query)
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
                let reading = self.read(run, RunItem::Case(case_idx))?;
                let page = reading.shown(key.unwrap_or_default(), spot).ok_or(Failure::Gone)?;
                CaseShown::Case(Box::new(page))
            }
            None => {
                let workspace = self.workspace.borrow();
                let (entry, table) = workspace.run(run).ok_or(Failure::Gone)?;
                let names = [&entry.evaluation.label, &table.label].map(String::as_str);
                no_case(case, names, run, &*workspace)
            }
        };
        Ok(Answer::Case(Box::new(shown)))
    }

    /// The page about what the agents of `target` did.
    pub(super) fn agent_page(&self, target: Target, spot: &str) -> Result<Answer, Failure> {
        let page = report::agent_page(&self.workspace.borrow(), target).ok_or(Failure::Gone)?;
        let read = |place: u32| {
            let report::AgentPage::Run(view) = &page else { return Err(Failure::Gone.to_string()) };
            let name = RunItem::Document(place);
            self.reading_of(view.run, name).map_err(|failure| failure.to_string())
        };
        let names = &*self.workspace.borrow();
        let view = self.view(Page::Agent, target, names);
        Ok(Answer::Agent(Box::new(reading::agent_page(&page, spot, view, &read))))
    }

    /// What `name` names a part of, with the raw record in which that lies.
    fn reading_with(&self, name: &PartName) -> Result<Rc<Reading>, Failure> {
        let reading = self.reading_of(name.run, name.item)?;
        if let RunItem::Case(case_idx) = name.item
            && reading.lacks(name)
        {
            let idx = u32::try_from(case_idx).map_err(|_too_large| Failure::Gone)?;
            let detail = self.workspace.borrow().detail(name.run, idx).map_err(failure)?;
            reading.bring_raw(detail.raw);
        }
        Ok(reading)
    }

    /// The same by its place: one of those that were read last, as a rule.
    fn reading_of(&self, run: RunRef, item: RunItem) -> Result<Rc<Reading>, Failure> {
        let kept = self.readings.borrow().iter().find(|kept| kept.is_of(run, item)).cloned();
        kept.map_or_else(|| self.read(run, item), Ok)
    }

    /// Reads a case or a document and keeps it for its parts.
    fn read(&self, run: RunRef, item: RunItem) -> Result<Rc<Reading>, Failure> {
        let workspace = self.workspace.borrow();
        let reading = match item {
            RunItem::Case(case_idx) => {
                let view = report::case_view(&workspace, run, case_idx).ok_or(Failure::Gone)?;
                Reading::new(view.map_err(failure)?, self.look.get())
            }
            RunItem::Document(place) => {
                let view = report::document_view(&workspace, run, place).ok_or(Failure::Gone)?;
                Reading::of_document(view.map_err(failure)?, self.look.get())
            }
        };
        let reading = Rc::new(reading.linked(&*workspace));
        let mut kept = self.readings.borrow_mut();
        kept.retain(|other| !other.is_of(run, item));
        // A case is looked at alone; the documents of a run stand on one page.
        let n_kept = if matches!(item, RunItem::Case(_)) { 0 } else { MAX_KEPT - 1 };
        let n_over = kept.len().saturating_sub(n_kept);
        kept.drain(..n_over);
        kept.push(Rc::clone(&reading));
        Ok(reading)
    }
}

/// How many documents are kept for their parts.
const MAX_KEPT: usize = 6;
