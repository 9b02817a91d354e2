//! Sealed reports: what the dialog offers, the work in steps, the block that is kept until it is saved.

use super::core::Core;
use super::exports::unwritten;
use super::protocol::{Answer, Download, Failure};
use crate::address::Route;
use crate::export::seal::{Seal, SealWishes, Sealed};
use crate::format;
use crate::input::Pulse;
use crate::report::{self, CaseQuery, RunRef, Target};
use crate::workspace::Workspace;
use serde::{Deserialize, Serialize};

/// Files from this size on are not opened by every browser, in bytes.
const LARGE: u64 = 300_000_000;

/// What can be sealed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealOffer {
    /// Everything, in words: `3 evaluations, 5 runs, 80 cases`.
    pub all: String,
    /// What is selected, in words; `None`: everything.
    pub selected: Option<String>,
    /// Cases that the filter keeps, when there is one.
    pub n_filtered: Option<u64>,
}

/// What was prepared.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealSummary {
    /// Name of the file.
    pub name: String,
    /// Bytes of the report.
    pub n_data: u64,
    /// The same, packed.
    pub n_packed: u64,
    /// Bytes of the file.
    pub n_file: u64,
    /// What was left out, in words.
    pub left_out: Vec<String>,
    /// What was replaced.
    pub rules: Vec<SealRule>,
    /// Whether anything was looked for.
    pub is_redacted: bool,
}

impl SealSummary {
    /// Whether not every browser opens it.
    pub fn is_large(&self) -> bool {
        self.n_file > LARGE
    }
}

/// What one rule has replaced.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealRule {
    /// The rule.
    pub words: String,
    /// How often.
    pub n: u64,
    /// Places, what was there (masked), what is there now.
    pub samples: Vec<[String; 3]>,
}

impl Core {
    /// The form of the dialog, for the view `hash`.
    pub(super) fn seal_form(&self, hash: &str) -> Result<Answer, Failure> {
        let route = Route::from_hash(hash, &*self.workspace.borrow());
        let n_filtered = self.filtered(&route)?.map(|cases| cases.len() as u64);
        let workspace = self.workspace.borrow();
        let is_part = route.target != Target::All || n_filtered.is_some();
        let offer = SealOffer {
            all: amount(&workspace, Target::All),
            selected: is_part.then(|| selected(&workspace, route.target)),
            n_filtered,
        };
        Ok(Answer::SealOffer(offer))
    }

    /// Seals what `wishes` say of the view `hash`, in steps, and keeps the block. Answers with
    /// sizes and what was taken out, or with what is wrong with the form.
    ///
    /// # Errors
    /// [`Failure::Cancelled`] when `pulse` says stop, [`Failure::Gone`] when what the view is about is not
    /// loaded; when what is loaded or the rules change meanwhile, or something cannot be written.
    pub async fn seal(
        &self,
        hash: &str,
        wishes: SealWishes,
        pulse: &Pulse,
    ) -> Result<Answer, Failure> {
        self.sealed.take();
        let route = Route::from_hash(hash, &*self.workspace.borrow());
        let cases = self.filtered(&route)?;
        let seal = Seal::new(&self.workspace.borrow(), wishes, &route, cases.as_deref());
        let mut seal = match seal {
            Ok(seal) => seal.ok_or(Failure::Gone)?,
            Err(complaints) => return Ok(Answer::Sealed(Err(complaints))),
        };
        pulse.set_file("the sealed report");
        self.write(&mut seal, pulse, |_seal| Ok(())).await?;
        let sealed = seal.finish().map_err(unwritten)?;
        let summary = Box::new(summary(&sealed));
        self.sealed.replace(Some(sealed));
        Ok(Answer::Sealed(Ok(summary)))
    }

    /// The block that was prepared last; it is forgotten.
    pub(super) fn sealed(&self) -> Result<Answer, Failure> {
        let Sealed { name, block, .. } = self.sealed.take().ok_or(Failure::Gone)?;
        Ok(Answer::Export(Download { name, mime: "text/html".to_owned(), bytes: block }))
    }

    /// Forgets what was prepared.
    pub(super) fn unseal(&self) -> Answer {
        self.sealed.take();
        Answer::Done
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
