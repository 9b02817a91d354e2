//! Sealing: a report, packed, as a block that goes into the page's own single file.
//!
//! ```text
//! Job (evalglass-report/1, with details) ──> Redactor ──> gzip ──> base64 in <script id="sealed" …>
//! ```
//!
//! The page that finds such a block in itself opens it as if the report had been dropped. `docs/sealed.md` has
//! the block's attributes.

mod block;
mod pack;
mod view;
mod wishes;

pub use block::{PAGE_MARKS, sealed_file};
pub use wishes::SealWishes;

use super::redact::{Complaint, Findings, RedactRule, Redaction, Redactor};
use super::{Contents, ExportJob, ExportKind, ExportTarget, StepWriter};
use crate::address::Route;
use crate::report::{RunRef, Target};
use crate::workspace::{Need, Workspace};
use pack::Packer;
use serde_json::json;
use std::io;

/// A report that is being sealed.
pub struct Seal {
    wishes: SealWishes,
    view: String,
    name: String,
    job: ExportJob,
    redactor: Redactor,
    packer: Packer,
    space: Vec<u8>,
    n_data: u64,
    only: Option<u64>,
}

/// A report in a block.
#[derive(Debug)]
pub struct Sealed {
    /// Name of the file.
    pub name: String,
    /// What goes into the page.
    pub block: Vec<u8>,
    /// Bytes of the report.
    pub n_data: u64,
    /// The same, packed.
    pub n_packed: u64,
    /// Bytes of the page without it; 0 when that was not said.
    pub n_page: u64,
    /// How many cases carry details, when not all do.
    pub only: Option<u64>,
    /// What was left out, in words.
    pub left_out: Vec<String>,
    /// The rules of the redaction.
    pub redaction: Redaction,
    /// What they replaced.
    pub findings: Findings,
}

impl Seal {
    /// Begins with what `wishes` says of the view `route`. `matching` are the cases that its filter keeps,
    /// when it has one. `None` when what the view is about is not there.
    ///
    /// # Errors
    /// Patterns that are none.
    pub fn new(
        workspace: &Workspace,
        wishes: SealWishes,
        route: &Route,
        matching: Option<&[(RunRef, u32)]>,
    ) -> Result<Option<Self>, Vec<Complaint>> {
        if wishes.is_view && route.missing.is_some() {
            return Ok(None);
        }
        let redaction = Redaction::new(&wishes.fields, &wishes.patterns, wishes.masks_secrets)?;
        let target = if wishes.is_view { route.target } else { Target::All };
        let only = matching.filter(|_| wishes.is_view);
        let contents = Contents {
            details: wishes.details,
            transcripts: wishes.transcripts,
            // The records hold everything else as well.
            raw: wishes.raw && wishes.details && wishes.transcripts,
            only,
        };
        let scope = ExportTarget { target, cases: None, contents, compare: None };
        let Some(job) = ExportJob::new(
            workspace,
            ExportKind::ReportJson,
            scope,
            crate::render::Look::default(),
        ) else {
            return Ok(None);
        };
        Ok(Some(Self {
            view: view::sealed_view(route, target).to_hash(workspace),
            name: file_name(workspace, target),
            job,
            redactor: Redactor::new(redaction),
            packer: Packer::new(),
            space: Vec::new(),
            n_data: 0,
            only: only.map(|cases| cases.len() as u64),
            wishes,
        }))
    }

    /// The block.
    ///
    /// # Errors
    /// When something cannot be written.
    pub fn finish(mut self) -> io::Result<Sealed> {
        let redactor = std::mem::take(&mut self.redactor);
        let (redaction, findings) = redactor.finish(&mut self.space);
        let left_out = left_out(&self.wishes, self.only, &findings);
        self.sign(&left_out);
        self.pack()?;
        let packed = self.packer.finish()?;
        let mut attributes = vec![("data-view", self.view.as_str())];
        if self.wishes.is_open {
            attributes.push(block::OPEN);
        }
        Ok(Sealed {
            name: self.name,
            block: block::block(&attributes, &packed),
            n_data: self.n_data,
            n_packed: packed.len() as u64,
            n_page: self.wishes.n_page,
            only: self.only,
            left_out,
            redaction,
            findings,
        })
    }

    /// Makes what the report says of its sealing its last member: it is not known before the end.
    fn sign(&mut self, left_out: &[String]) {
        const END: &[u8] = b"}\n";
        let sealed = json!({
            "made": self.wishes.made,
            "version": env!("CARGO_PKG_VERSION"),
            "left_out": left_out,
        });
        if self.space.ends_with(END) {
            self.space.truncate(self.space.len() - END.len());
            self.space.extend(format!(",\"sealed\":{sealed}}}\n").as_bytes());
        }
    }

    fn pack(&mut self) -> io::Result<()> {
        self.n_data += self.space.len() as u64;
        self.packer.push(&self.space)?;
        self.space.clear();
        Ok(())
    }
}

/// Name of the sealed file: that of the evaluation, when it is about one.
fn file_name(workspace: &Workspace, target: Target) -> String {
    let mut entries = workspace.entries_of(target);
    let label = match (entries.next(), entries.next()) {
        (Some(entry), None) => entry.evaluation.label.as_str(),
        _ => "",
    };
    let mut name = String::new();
    for letter in label.chars().take(60) {
        if letter.is_alphanumeric() || letter == '.' || letter == '_' {
            name.push(letter);
        } else if !name.ends_with('-') {
            name.push('-');
        }
    }
    let name = name.trim_matches(['-', '.']);
    format!("evalglass-{}.html", if name.is_empty() { "sealed" } else { name })
}

impl StepWriter for Seal {
    fn needs(&self, workspace: &Workspace, nth: usize) -> Option<Vec<Need>> {
        self.job.needs(workspace, nth)
    }

    fn step(&mut self, workspace: &Workspace) -> io::Result<bool> {
        let has_more = self.job.step(workspace)?;
        self.redactor.push(&self.job.take_bytes(), &mut self.space);
        if has_more {
            self.pack()?;
        }
        Ok(has_more)
    }

    fn progress(&self) -> (u64, u64) {
        self.job.progress()
    }
}

/// What the sealed report lacks of what it was made from.
fn left_out(wishes: &SealWishes, only: Option<u64>, findings: &Findings) -> Vec<String> {
    let before = wishes.before.split(", ").filter(|words| !words.is_empty());
    let mut words: Vec<String> = before.map(str::to_owned).collect();
    let mut say = |is_so: bool, text: &str| {
        if is_so && !words.iter().any(|known| known == text) {
            words.push(text.to_owned());
        }
    };
    say(!wishes.details, "details of the cases");
    say(wishes.details && only.is_some(), "details of cases outside the filter");
    say(!wishes.transcripts, "transcripts");
    say(!(wishes.raw && wishes.details && wishes.transcripts), "raw records");
    let count = |is_meant: fn(&RedactRule) -> bool| -> u64 {
        findings.iter().filter(|(rule, _)| is_meant(rule)).map(|(_, finding)| finding.n).sum()
    };
    let mut add = |n: u64, one: &str, many: &str| {
        if n > 0 {
            words.push(crate::format::counted(n, one, many));
        }
    };
    add(count(|rule| matches!(rule, RedactRule::Field(_))), "field", "fields");
    add(
        count(|rule| matches!(rule, RedactRule::Pattern(_))),
        "text by pattern",
        "texts by pattern",
    );
    add(count(|rule| matches!(rule, RedactRule::Secret(_))), "secret masked", "secrets masked");
    words
}

#[cfg(test)]
mod tests;
