//! The reports that the producers' guides print, as plain text.
//!
//! Which of them an evaluation gets follows from what it holds, not from who made it: checkpoints with
//! groups, samples with metrics or a gate, or tests.

mod checkpoint;
mod declared;
mod detailed;
mod layout;
mod results;

use super::job::{ExportContext, ExportFormat};
use super::words::provisos;
use crate::report::{Outcome, Target, evaluation_proviso};
use crate::workspace::Entry;
pub(super) use detailed::DetailedText;
use layout::TextLines;
use std::io;

/// The short report.
pub(super) struct SummaryText;

impl ExportFormat for SummaryText {
    fn end(&mut self, cx: &ExportContext<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        let mut lines = TextLines::default();
        head(cx, &mut lines);
        for entry in cx.selection.entries(cx.workspace) {
            summary(cx, entry, &mut lines);
        }
        lines.hand_over(out);
        Ok(())
    }
}

/// What stands above every report of text.
fn head(cx: &ExportContext<'_>, lines: &mut TextLines) {
    for line in provisos(cx) {
        lines.line(&line);
        lines.gap();
    }
    if cx.workspace.entries.is_empty() {
        lines.line("Nothing is loaded.");
    }
}

fn summary(cx: &ExportContext<'_>, entry: &Entry, lines: &mut TextLines) {
    let config = &entry.evaluation.config;
    if entry.is_declared_only() {
        declared::summary(cx, entry, lines);
    } else if config.has_policies {
        let runs = entry.evaluation.runs.iter().enumerate();
        for (idx, run) in runs.filter(|(idx, _)| has_run(cx, entry, *idx)) {
            checkpoint::summary(cx, entry, idx, run, lines);
        }
        if let (Target::All | Target::Evaluation(_), Some(verdict)) =
            (cx.selection.target, &entry.figures.verdict)
        {
            let sign = sign_of(verdict.outcome, evaluation_proviso(entry).as_deref());
            let (rule, reason) = (&verdict.rule, verdict.reason.shown());
            lines.line(&format!("{sign} {}: {rule}: {reason}", entry.evaluation.label));
            lines.gap();
        }
    } else if config.metrics.is_empty() && config.gate.is_none() && config.reward.is_none() {
        results::tests(cx, entry, lines);
    } else {
        results::samples(cx, entry, lines);
    }
}

fn has_run(cx: &ExportContext<'_>, entry: &Entry, idx: usize) -> bool {
    entry.run_ref(idx).is_some_and(|at| cx.selection.has_run(at))
}

/// The same; of something that is not whole: `… PASSED SO FAR (3 of 10 samples)`
fn sign_of(outcome: Outcome, proviso: Option<&str>) -> String {
    match proviso {
        None => sign(outcome),
        Some(proviso) => format!("… {} SO FAR ({proviso})", outcome.as_str().to_uppercase()),
    }
}

/// `✓ PASSED`
fn sign(outcome: Outcome) -> String {
    let (sign, word) = (mark(outcome), outcome.as_str().to_uppercase());
    format!("{sign} {word}")
}

/// The sign of an outcome.
fn mark(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "✓",
        Outcome::Failed => "✗",
        Outcome::Error => "⚠",
        Outcome::Skipped | Outcome::Scored | Outcome::Unscored => "○",
    }
}
