//! Sealed reports: the dialog's form, the work in steps, the block that is kept until it is saved.

use super::core::Core;
use super::exports::unwritten;
use super::protocol::{Answer, Download, Failure};
use crate::address::Route;
use crate::export::redact::Complaint;
use crate::export::seal::{Seal, SealWishes, Sealed};
use crate::format;
use crate::input::Pulse;
use crate::markup::Markup;
use crate::render::{self, SealForm, SealRule, SealSummary};
use crate::report::{self, CaseQuery, RunRef, Target, Workspace};

impl Core {
    /// The form of the dialog, for the view `hash`.
    pub(super) fn seal_form(&self, hash: &str) -> Result<Answer, Failure> {
        let route = Route::from_hash(hash, &*self.workspace.borrow());
        let n_filtered = self.filtered(&route)?.map(|cases| cases.len() as u64);
        let workspace = self.workspace.borrow();
        let is_part = route.target != Target::All || n_filtered.is_some();
        let form = SealForm {
            all: amount(&workspace, Target::All),
            selected: is_part.then(|| selected(&workspace, route.target)),
            n_filtered,
        };
        Ok(Answer::Markup(render::seal_form(&form)))
    }

    /// Seals what the dialog's `form` says of the view `hash`, in steps, and keeps the block. Answers with
    /// sizes and what was taken out, or with what is wrong with the form.
    ///
    /// # Errors
    /// [`Failure::Cancelled`] when `pulse` says stop, [`Failure::Gone`] when what the view is about is not
    /// loaded; when what is loaded or the rules change meanwhile, or something cannot be written.
    pub async fn seal(&self, hash: &str, form: &str, pulse: &Pulse) -> Result<Answer, Failure> {
        self.sealed.take();
        let wishes = SealWishes::from_form(form)
            .ok_or_else(|| Failure::Message("the form is no object".to_owned()))?;
        let route = Route::from_hash(hash, &*self.workspace.borrow());
        let cases = self.filtered(&route)?;
        let seal = Seal::new(&self.workspace.borrow(), wishes, &route, cases.as_deref());
        let mut seal = match seal {
            Ok(seal) => seal.ok_or(Failure::Gone)?,
            Err(complaints) => return Ok(Answer::Markup(complained(complaints))),
        };
        pulse.set_file("the sealed report");
        self.write(&mut seal, pulse, |_seal| Ok(())).await?;
        let sealed = seal.finish().map_err(unwritten)?;
        let summary = render::seal_summary(&summary(&sealed));
        self.sealed.replace(Some(sealed));
        Ok(Answer::Markup(summary))
    }

    /// The block that was prepared last; it is forgotten.
    pub(super) fn sealed(&self) -> Result<Answer, Failure> {
        let Sealed { name, block, .. } = self.sealed.take().ok_or(Failure::Gone)?;
        Ok(Answer::Export(Download { name, mime: "text/html".to_owned(), bytes: block }))
    }

    /// Forgets what was prepared.
    pub(super) fn unseal(&self) -> Answer {
        self.sealed.take();
        Answer::Markup(Markup::new())
    }

    /// The cases that the filter of `route` keeps, when it has one.
    fn filtered(&self, route: &Route) -> Result<Option<Vec<(RunRef, u32)>>, Failure> {
        if route.text.is_empty() {
            return Ok(None);
        }
        let query = CaseQuery { sort: Vec::new(), ..route.case_query() };
        let cases = report::matching_cases(&self.workspace.borrow(), &query);
        cases.map(Some).ok_or(Failure::Gone)
    }
}

fn complained(complaints: Vec<Complaint>) -> Markup {
    let lines = complaints.into_iter().map(|one| (one.line, one.pattern, one.reason));
    render::seal_complaints(&lines.collect::<Vec<_>>())
}

fn summary(sealed: &Sealed) -> SealSummary {
    let rule = |(rule, finding): (&_, &crate::export::redact::Finding)| {
        let samples = finding.samples.iter();
        SealRule {
            words: sealed.redaction.words(*rule),
            n: finding.n,
            samples: samples
                .map(|one| [one.place.clone(), one.before.clone(), one.after.clone()])
                .collect(),
        }
    };
    SealSummary {
        name: sealed.name.clone(),
        n_data: sealed.n_data,
        n_packed: sealed.n_packed,
        n_file: sealed.n_page + sealed.block.len() as u64,
        left_out: sealed.left_out.clone(),
        rules: sealed.findings.iter().map(rule).collect(),
        is_redacted: !sealed.redaction.is_nothing(),
    }
}

/// `3 evaluations, 5 runs, 80 cases`.
fn amount(workspace: &Workspace, target: Target) -> String {
    let (mut n_evaluations, mut n_runs, mut n_cases) = (0, 0, 0);
    for entry in workspace.entries_of(target) {
        n_evaluations += 1;
        for (run, idx) in entry.evaluation.runs.iter().zip(0_u32..) {
            if !matches!(target, Target::Run(only) if only.run != idx) {
                n_runs += 1;
                n_cases += run.cases.len() as u64;
            }
        }
    }
    let evaluations = format::counted(n_evaluations, "evaluation", "evaluations");
    let runs = format::counted(n_runs, "run", "runs");
    format!("{evaluations}, {runs}, {}", format::counted(n_cases, "case", "cases"))
}

/// The name of what is selected, and how much it is.
fn selected(workspace: &Workspace, target: Target) -> String {
    let amount = amount(workspace, target);
    let label = match target {
        Target::All => None,
        Target::Evaluation(id) => workspace.entry(id).map(|entry| &entry.evaluation.label),
        Target::Run(at) => workspace.run(at).map(|(_, run)| &run.label),
    };
    match label {
        Some(label) => format!("{label}: {amount}"),
        None => amount,
    }
}
