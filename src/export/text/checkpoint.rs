//! A checkpoint with its groups: the summary report of slop-code's reporting guide.

use super::layout::TextLines;
use super::{ExportContext, mark, sign_of};
use crate::format;
use crate::model::{Outcome, Run};
use crate::report::{VerdictOrigin, run_proviso};
use crate::workspace::Entry;

/// Status, numbers, and a line for each group.
pub(super) fn summary(
    cx: &ExportContext<'_>,
    entry: &Entry,
    idx: usize,
    run: &Run,
    lines: &mut TextLines,
) {
    let Some(figures) = entry.figures.runs.get(idx) else { return };
    let counts = &figures.totals.counts;
    lines.rule();
    let mut names = vec![("Problem", run.key.suite.clone().unwrap_or_else(|| run.label.clone()))];
    names.extend(run.key.variant.clone().map(|variant| ("Checkpoint", variant)));
    names.extend(run.key.subject.clone().map(|subject| ("Subject", subject)));
    lines.facts("", &names);
    lines.rule();
    let status = figures.verdict.as_ref().map_or_else(
        || "no rule gives a verdict".to_owned(),
        |verdict| {
            let sign = |outcome| sign_of(outcome, run_proviso(entry, idx).as_deref());
            match verdict.standing() {
                VerdictOrigin::Judged => {
                    let (sign, reason) = (sign(verdict.outcome), verdict.reason.shown());
                    format!("{sign} ({}: {reason})", verdict.rule)
                }
                VerdictOrigin::Declared | VerdictOrigin::Unknown => verdict.line(sign),
            }
        },
    );
    let score = figures.totals.score.weighted;
    let mut facts = vec![
        ("Status", status),
        (
            "Passed",
            counts.passing().map_or_else(unknown, |(passed, all)| {
                format!("{} / {} cases", format::count(passed), format::count(all))
            }),
        ),
        ("Score", score.map_or_else(unknown, |score| cx.look.score(score.0))),
        ("Test time", run.duration_secs.map_or_else(unknown, format::secs)),
    ];
    let usage = run.usage.unwrap_or_default();
    facts.extend(usage.agent_secs.map(|secs| ("Agent time", format::secs(secs))));
    facts.extend(usage.cost_usd.map(|cost| ("Cost", format::usd(cost, false))));
    facts.extend(usage.n_steps.map(|steps| ("Steps", format::number(steps, 0))));
    let tokens = usage.prompt_tokens.zip(usage.completion_tokens);
    facts.extend(tokens.map(|(read, written)| ("Tokens", format::number(read + written, 0))));
    if counts.error > 0 {
        facts.push(("Errors", format::count(counts.error)));
    }
    lines.facts("", &facts);
    lines.rule();
    let rows: Vec<Vec<String>> = figures
        .groups
        .iter()
        .map(|group| {
            let kind = group.kind.map_or("Unknown", |kind| kind.as_str());
            let outcome = match group.cases {
                0 => Outcome::Unscored,
                n_cases => Outcome::of(group.passed == n_cases),
            };
            vec![
                format!("{} {} ({kind})", mark(outcome), group.name),
                format!("{} / {}", format::count(group.passed), format::count(group.cases)),
                group.score.map_or_else(unknown, |score| cx.look.score(score.0)),
                group.duration_secs.map_or_else(unknown, |secs| format::secs(secs.0)),
            ]
        })
        .collect();
    lines.columns("", &rows);
    lines.gap();
}

fn unknown() -> String {
    format::UNKNOWN.to_owned()
}
