//! Every case with its checks: the detailed report of slop-code's reporting guide, for all producers.
//!
//! How a wrong check differs lies in the files: it is read for the first cases that do not pass, and the
//! report says of how many it was not.

use super::layout::TextLines;
use super::{ExportContext, head, mark, sign, sign_of};
use crate::export::job::ExportFormat;
use crate::export::selection::CaseBatch;
use crate::export::words::case_name;
use crate::format;
use crate::model::{CheckDetail, Outcome, Run};
use crate::report::{RunRef, is_right, run_proviso};
use crate::workspace::{Entry, Need, run_label};
use std::cell::OnceCell;
use std::collections::HashSet;
use std::io;

/// Cases whose texts are read.
const CASES_READ: usize = 2_000;

/// Bytes of texts that are read.
const BYTES_READ: usize = 64 << 20;

/// The long report.
#[derive(Default)]
pub(in crate::export) struct DetailedText {
    lines: TextLines,
    /// The group of the case before, once there was one in this run.
    group: Option<Option<String>>,
    /// The cases whose texts are read, once somebody has asked.
    read: OnceCell<HashSet<(RunRef, u32)>>,
    n_bytes: usize,
    n_left_out: u64,
}

impl ExportFormat for DetailedText {
    fn begin(&mut self, cx: &ExportContext<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        head(cx, &mut self.lines);
        self.lines.hand_over(out);
        Ok(())
    }

    fn needs(&self, cx: &ExportContext<'_>, piece: &CaseBatch) -> Vec<Need> {
        let read = self.read.get_or_init(|| first_wrong(cx));
        let own = piece.rows().filter_map(|row| Some((piece.run, u32::try_from(row).ok()?)));
        own.filter(|case| read.contains(case)).map(|(run, row)| Need::Case(run, row)).collect()
    }

    fn piece(
        &mut self,
        cx: &ExportContext<'_>,
        piece: &CaseBatch,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let Some((entry, run)) = cx.workspace.run(piece.run) else { return Ok(()) };
        if piece.is_first {
            self.group = None;
            run_head(cx, entry, piece.run, run, &mut self.lines);
        }
        for idx in piece.rows() {
            let group = run.cases.group.get(idx);
            if self.group.as_ref().map(Option::as_deref) != Some(group) {
                self.group = Some(group.map(str::to_owned));
                group_head(run, idx, &mut self.lines);
            }
            self.case(cx, piece.run, run, idx);
        }
        if piece.is_last {
            self.lines.gap();
        }
        self.lines.hand_over(out);
        Ok(())
    }

    fn end(&mut self, cx: &ExportContext<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        for entry in cx.selection.entries(cx.workspace).filter(|entry| entry.is_declared_only()) {
            super::declared::summary(cx, entry, &mut self.lines);
        }
        self.lines.hand_over(out);
        if self.n_left_out > 0 {
            let n = format::counted(self.n_left_out, "case", "cases");
            self.lines.line(&format!("How wrong checks differ was not read for {n}."));
            self.lines.hand_over(out);
        }
        Ok(())
    }
}

impl DetailedText {
    fn case(&mut self, cx: &ExportContext<'_>, at: RunRef, run: &Run, idx: usize) {
        let outcome = run.cases.outcome_of(idx);
        let score = run.cases.score.get(idx);
        let score = score.map_or_else(|| format::UNKNOWN.to_owned(), |score| cx.look.score(score));
        let secs = run.cases.duration_secs.get(idx);
        let secs = secs.map_or(String::new(), |secs| format!(", {}", format::secs(secs)));
        self.lines.line(&format!("{}: {} ({score}{secs})", sign(outcome), case_name(run, idx)));
        if let Some(message) = run.cases.error_message.get(idx) {
            self.lines.block("    ", message);
        }
        let details = match outcome {
            Outcome::Failed | Outcome::Error => self.details(cx, at, run, idx),
            _ => Vec::new(),
        };
        for (nth, check) in run.checks_of(idx).enumerate() {
            let Some(is_right) = is_right(run, check) else { continue };
            let name = run.checks.name.get(check).unwrap_or("check");
            let attempt = run.checks.attempt.get(check);
            let attempt = attempt.filter(|_| run.cases.n_attempts.get(idx) > Some(1));
            let facts = [
                attempt.map(|attempt| format!("attempt {attempt}")),
                run.checks.weight.get(check).map(|weight| format!("weight {weight}")),
                run.checks.score.get(check).map(|score| format!("score {}", cx.look.score(score))),
            ];
            let facts = facts.into_iter().flatten().collect::<Vec<_>>().join(", ");
            let facts = if facts.is_empty() { facts } else { format!(" ({facts})") };
            self.lines.line(&format!("  {} {name}{facts}", mark(Outcome::of(is_right))));
            if !is_right && let Some(detail) = details.get(nth) {
                for text in [&detail.reason, &detail.diff].into_iter().flatten() {
                    self.lines.block("      ", text);
                }
            }
        }
    }

    /// The checks of a case with their texts, in the order of the table; none when they are not read.
    fn details(
        &mut self,
        cx: &ExportContext<'_>,
        at: RunRef,
        run: &Run,
        idx: usize,
    ) -> Vec<CheckDetail> {
        if !has_wrong(run, idx) {
            return Vec::new();
        }
        let read = self.read.get_or_init(|| first_wrong(cx));
        let row = u32::try_from(idx).ok().filter(|row| read.contains(&(at, *row)));
        let Some(row) = row.filter(|_| self.n_bytes < BYTES_READ) else {
            self.n_left_out += 1;
            return Vec::new();
        };
        let Ok(detail) = cx.workspace.detail(at, row) else {
            self.n_left_out += 1;
            return Vec::new();
        };
        let checks = detail.checks;
        // Texts must not stand below a check that they do not belong to.
        let names = run.checks_of(idx).map(|check| run.checks.name.get(check).unwrap_or_default());
        if !names.eq(checks.iter().map(|check| check.name.as_str())) {
            self.n_left_out += 1;
            return Vec::new();
        }
        let texts = checks.iter().flat_map(|check| [&check.reason, &check.diff]).flatten();
        self.n_bytes += texts.map(String::len).sum::<usize>();
        checks
    }
}

/// Whether a case has failed or ended in an error, and has a check that is not right.
fn has_wrong(run: &Run, idx: usize) -> bool {
    matches!(run.cases.outcome_of(idx), Outcome::Failed | Outcome::Error)
        && run.checks_of(idx).any(|check| is_right(run, check) == Some(false))
}

/// The first cases with wrong checks, in the order of the export.
fn first_wrong(cx: &ExportContext<'_>) -> HashSet<(RunRef, u32)> {
    let rows = cx.selection.pieces.iter().flat_map(|piece| {
        let run = cx.workspace.run(piece.run).map(|(_, run)| run);
        let wrong = piece.rows().filter(move |idx| run.is_some_and(|run| has_wrong(run, *idx)));
        wrong.filter_map(|idx| Some((piece.run, u32::try_from(idx).ok()?)))
    });
    rows.take(CASES_READ).collect()
}

fn run_head(cx: &ExportContext<'_>, entry: &Entry, at: RunRef, run: &Run, lines: &mut TextLines) {
    lines.rule();
    lines.line(&format!("{} › {}", entry.evaluation.label, run_label(entry, run)));
    let figures = entry.figures.runs.get(at.run as usize);
    if let Some(verdict) = figures.and_then(|figures| figures.verdict.as_ref()) {
        let proviso = run_proviso(entry, at.run as usize);
        lines.line(&verdict.line(|outcome| sign_of(outcome, proviso.as_deref())));
    }
    if let Some(score) = figures.and_then(crate::report::run_score) {
        lines.line(&format!("Score: {}", cx.look.score(score.0)));
    }
    lines.rule();
}

fn group_head(run: &Run, idx: usize, lines: &mut TextLines) {
    if let Some(group) = run.cases.group.get(idx) {
        let kind = run.cases.kind.get(idx).map_or(String::new(), |kind| format!(" ({kind})"));
        lines.gap();
        lines.line(&format!("Group: {group}{kind}"));
    }
    lines.gap();
}
