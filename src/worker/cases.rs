//! Answers about the cases: rows, facets, completions, copies, and the search through files.

use super::core::Core;
use super::exports::outdated;
use super::files::{at_once, failure};
use super::grid::{case_grid, filter_help};
use super::protocol::{Answer, Failure, Question};
use crate::input::Pulse;
use crate::readers::{Error, Given};
use crate::report::{
    self, CaseListPage, CaseQuery, CaseView, Facets, HeatPage, RunRef, SearchPart, Target,
};
use crate::workspace::Workspace;
use futures_util::{StreamExt as _, stream};

impl Core {
    /// Rows of the case table as data; `None` when their target is not there.
    pub fn cases(&self, query: &CaseQuery) -> Option<CaseListPage> {
        report::case_page(&self.workspace.borrow(), query)
    }

    /// Rows of the heat map as data; `None` when their target is not there.
    pub fn heat(&self, query: &CaseQuery) -> Option<HeatPage> {
        report::heat_page(&self.workspace.borrow(), query)
    }

    /// The facets of the case table as data; `None` when their target is not there.
    pub fn facets(&self, query: &CaseQuery) -> Option<Facets> {
        report::facets(&self.workspace.borrow(), query)
    }

    /// One case as data; `None` when it is not there, or when others read the files.
    ///
    /// # Errors
    /// When its files are gone, or no longer hold it.
    pub fn case(&self, run: RunRef, case_idx: u64) -> Option<Result<CaseView, Error>> {
        let view = || report::case_view(&self.workspace.borrow(), run, case_idx);
        at_once(self.with_files(view)).ok()?.ok()?
    }

    /// Answers what is asked of the cases as a whole.
    ///
    /// # Errors
    /// When there is no answer; why.
    pub(super) fn answer_of_cases(&self, question: Question) -> Result<Answer, Failure> {
        let workspace = &self.workspace.borrow();
        match question {
            Question::Cases { query, is_framed } => {
                let grid = case_grid(workspace, &query, is_framed);
                Ok(Answer::Cases(Box::new(grid.ok_or(Failure::Gone)?)))
            }
            Question::CaseTexts(query) => {
                report::case_texts(workspace, &query).map(Answer::CaseTexts).ok_or(Failure::Gone)
            }
            Question::Facets(query) => {
                let facets = report::facets(workspace, &query).ok_or(Failure::Gone)?;
                Ok(Answer::Facets(Box::new(facets)))
            }
            Question::Suggest { target, text, at } => {
                Ok(Answer::Suggestions(filter_help(workspace, target, &text, at)))
            }
            Question::Preview { run, case } => {
                let case_idx = workspace.case_idx(run, &case).ok_or(Failure::Gone)?;
                let preview = report::preview(workspace, run, case_idx).ok_or(Failure::Gone)?;
                Ok(Answer::Preview(Box::new(preview)))
            }
            Question::Refine(refinement) => report::refine(&refinement)
                .map(Answer::Text)
                .map_err(|err| Failure::File { path: None, reason: err.message }),
            Question::Copy { query, ranges } => {
                let copied = report::copy_cases(workspace, &query, &ranges);
                let copied = copied.ok_or(Failure::Gone)?;
                Ok(Answer::Copied { text: copied.text, said: copied.said })
            }
            _ => Err(Failure::Message("this is not asked of the cases".to_owned())),
        }
    }

    /// Looks through the files of the cases of `target` for `needle`; the filter term `text~` knows
    /// the answer from then on. Runs that were searched before are not searched again.
    ///
    /// # Errors
    /// [`Failure::Cancelled`] when `pulse` says stop; runs that were done until then stay known.
    pub async fn search(
        &self,
        target: Target,
        needle: &str,
        pulse: &Pulse,
    ) -> Result<Answer, Failure> {
        let parts = report::search_parts(&self.workspace.borrow(), target, needle);
        let parts = parts.ok_or(Failure::Gone)?;
        pulse.set_total(parts.iter().map(|part| part.n_bytes).sum());
        let search = |part: SearchPart| async move {
            let given = self.service.again(part.producer, &part.bundle, &part.wanted).await;
            (part, given)
        };
        let mut searched = stream::iter(parts).map(search).buffered(self.service.n_at_once());
        let mut found = Vec::new();
        while let Some((part, given)) = searched.next().await {
            let name = |workspace: &Workspace| {
                let (_, run) = workspace.run(part.run)?;
                (run.cases.len() == part.n_cases).then(|| run.label.clone())
            };
            pulse.set_file(&name(&self.workspace.borrow()).ok_or_else(outdated)?);
            if let Given::Matches(matches) = given.map_err(failure)? {
                found.extend(matches);
            }
            if part.cases.end == part.n_cases {
                let found = std::mem::take(&mut found);
                self.workspace.borrow().keep_found(needle, part.run, found);
            }
            pulse.advance(part.n_bytes).await.map_err(|_err| Failure::Cancelled)?;
        }
        Ok(Answer::Found(report::n_found(&self.workspace.borrow(), target, needle)))
    }
}
