//! Samples with metrics and a gate: the console summary of letta-evals' results guide, for each repeat
//! and over all of them. Tests without metrics: the summary line of REBEL.

use super::layout::TextLines;
use super::{ExportContext, has_run, mark, sign, sign_of};
use crate::figures::RepeatFigures;
use crate::format;
use crate::policy::GateVerdict;
use crate::report::{Judgement, Num, Outcome, Target, evaluation_proviso};
use crate::scoring::{Counts, SpreadStat, Totals};
use crate::workspace::{Entry, run_label};

/// For each run `Test summary: 14 / 26 passed (53.8 %)`, and how the others ended.
pub(super) fn tests(cx: &ExportContext<'_>, entry: &Entry, lines: &mut TextLines) {
    for (idx, figures) in entry.figures.runs.iter().enumerate() {
        let Some(run) = entry.evaluation.runs.get(idx).filter(|_| has_run(cx, entry, idx)) else {
            continue;
        };
        let counts = &figures.totals.counts;
        let label = &entry.evaluation.label;
        let own = run_label(entry, run);
        lines.line(&if *label == own { label.clone() } else { format!("{label} › {own}") });
        lines.line(&format!("Test summary: {}", share(cx, counts, " passed")));
        let rest = [
            (counts.failed.unwrap_or(0), "failed"),
            (counts.error, "ended in an error"),
            (counts.skipped, "skipped"),
            (counts.scored, "scored, and no rule says whether they pass"),
            (counts.unscored, "without a verdict"),
        ];
        let rest = rest.iter().filter(|(n, _)| *n > 0);
        let rest: Vec<String> =
            rest.map(|(n, what)| format!("{} {what}", format::count(*n))).collect();
        if !rest.is_empty() {
            lines.line(&format!("Not passed:   {}", rest.join(", ")));
        }
        lines.gap();
    }
}

/// Each repeat, then what they are together.
pub(super) fn samples(cx: &ExportContext<'_>, entry: &Entry, lines: &mut TextLines) {
    lines.rule();
    lines.line(&format!("Evaluation: {}", entry.evaluation.label));
    lines.rule();
    let runs = &entry.evaluation.runs;
    let own_repeat = match cx.selection.target {
        Target::Run(run) => runs.get(run.run as usize).map(|run| run.key.repeat),
        _ => None,
    };
    let repeats = &entry.figures.repeats;
    for figures in
        repeats.iter().filter(|figures| own_repeat.is_none_or(|own| own == figures.repeat))
    {
        if repeats.len() > 1 {
            lines.line(&format!("Run {}", figures.repeat));
        }
        repeat(cx, figures, lines);
    }
    if own_repeat.is_none() {
        aggregate(cx, entry, lines);
        verdict(entry.figures.verdict.as_ref(), evaluation_proviso(entry).as_deref(), lines);
    }
}

fn repeat(cx: &ExportContext<'_>, figures: &RepeatFigures, lines: &mut TextLines) {
    let Totals { counts, score, .. } = &figures.totals;
    let mut facts = vec![
        ("Total samples", format::count(counts.total)),
        ("Attempted", format::count(counts.attempted)),
        ("Avg score", {
            let [all, attempted] = [score.mean_total, score.mean_attempted].map(|n| shown(cx, n));
            format!("{all} (attempted: {attempted})")
        }),
    ];
    if let Some(reward) = figures.totals.reward {
        facts.push(("Reward", cx.look.score(reward.0)));
    }
    if let Some(found) = &score.under_rules {
        facts.push(("By your rules", shown(cx, found.mean)));
    }
    facts.push(("Passed", share(cx, counts, "")));
    if counts.error > 0 {
        facts.push(("Errors", format::count(counts.error)));
    }
    let usage = figures.totals.usage.as_ref();
    if let Some((cost, usage)) = usage.and_then(|usage| Some((usage.cost_usd?, usage))) {
        facts.push(("Cost", format::usd(cost.0, usage.cost_missing > 0)));
    }
    lines.line("Results:");
    lines.facts("  ", &facts);
    lines.gap();
    parts("Results by metric", metrics(cx, &figures.totals), lines);
    if figures.subjects.len() > 1 {
        let subject = |(name, totals): &(String, Totals)| {
            vec![
                name.clone(),
                format!("Avg: {}", shown(cx, totals.score.mean_attempted)),
                format!("Pass: {}", share(cx, &totals.counts, "")),
            ]
        };
        parts("Results by model", figures.subjects.iter().map(subject).collect(), lines);
    }
    if let Some(verdict) = &figures.gate {
        gate(verdict, lines);
    } else if let Some(declared) = figures.declared_passed {
        let declared = Outcome::of(declared);
        lines.line(&format!("Gate: declared {declared}; the files hold no gate to check it by"));
        lines.gap();
    }
}

/// The rule and whether it holds; of a nested one also each of its parts.
fn gate(verdict: &GateVerdict, lines: &mut TextLines) {
    let outcome = |is_passed: Option<bool>| is_passed.map_or(Outcome::Unscored, Outcome::of);
    let word = match (verdict.is_passed, verdict.declared_passed) {
        (Some(_), _) => sign(outcome(verdict.is_passed)),
        (None, None) => "no verdict".to_owned(),
        (None, Some(declared)) => {
            format!("declared {}, cannot be checked here", Outcome::of(declared))
        }
    };
    match verdict.lines.as_slice() {
        [only] => lines.line(&format!("Gate ({}): {word}: {}", only.text, only.reason)),
        parts => {
            lines.line(&format!("Gate: {word}"));
            for part in parts {
                let indent = "  ".repeat(part.depth as usize + 1);
                let value = part.value.map(|value| format!(" ({})", format::number(value.0, 3)));
                let (mark, value) = (mark(outcome(part.is_passed)), value.unwrap_or_default());
                lines.line(&format!("{indent}{mark} {}{value}", part.text));
            }
        }
    }
    lines.gap();
}

fn metrics(cx: &ExportContext<'_>, totals: &Totals) -> Vec<Vec<String>> {
    let metric = |metric: &crate::scoring::MetricTotals| {
        let rate = metric.pass_rate.map_or_else(unknown, |rate| cx.look.rate(rate.0));
        let mean = shown(cx, metric.mean_attempted);
        vec![metric.label.clone(), format!("Avg: {mean}"), format!("Pass: {rate}")]
    };
    totals.metrics.iter().map(metric).collect()
}

/// Mean, spread and ends over repeats.
fn aggregate(cx: &ExportContext<'_>, entry: &Entry, lines: &mut TextLines) {
    let Some(aggregate) = &entry.figures.aggregate else { return };
    let n_repeats = aggregate.n_repeats;
    lines.line(&format!("Over {}:", format::counted(n_repeats, "run", "runs")));
    if let Some(n_passed) = aggregate.n_passed {
        let n_failed = n_repeats.saturating_sub(n_passed);
        let facts = [
            (
                "Runs passed",
                format!("{} ({})", format::count(n_passed), rate(cx, n_passed, n_repeats)),
            ),
            ("Runs failed", format::count(n_failed)),
        ];
        lines.facts("  ", &facts);
    }
    let spread = &aggregate.spread;
    let mut rows = vec![["", "mean", "std", "min", "max"].map(str::to_owned).to_vec()];
    let mut add = |name: &str, stat: &SpreadStat| {
        let cells = [stat.mean, stat.std, stat.min, stat.max].map(|n| shown(cx, n));
        rows.push(std::iter::once(name.to_owned()).chain(cells).collect());
    };
    add("Avg score (attempted)", &spread.score);
    add("Avg score (total)", &spread.score_total);
    if let Some(reward) = &spread.reward {
        add("Reward", reward);
    }
    if let Some(own) = &spread.under_rules {
        add("By your rules", own);
    }
    for (name, stat) in &spread.metrics {
        add(entry.evaluation.config.label_of(name), stat);
    }
    if aggregate.subjects.len() > 1 {
        for (name, _, spread) in &aggregate.subjects {
            add(name, spread.reward.as_ref().unwrap_or(&spread.score));
        }
    }
    lines.columns("  ", &rows);
    lines.gap();
}

fn verdict(verdict: Option<&Judgement>, proviso: Option<&str>, lines: &mut TextLines) {
    if let Some(verdict) = verdict {
        lines.line(&verdict.line(|outcome| sign_of(outcome, proviso)));
        lines.gap();
    }
}

fn parts(title: &str, rows: Vec<Vec<String>>, lines: &mut TextLines) {
    if !rows.is_empty() {
        lines.line(&format!("{title}:"));
        lines.columns("  ", &rows);
        lines.gap();
    }
}

/// `14 / 26 passed (53.8 %)`, with `word` for ` passed`; without a rule there is nothing to count.
fn share(cx: &ExportContext<'_>, counts: &Counts, word: &str) -> String {
    let Some((passed, all)) = counts.passing() else {
        return format!("{} (no rule says which cases pass)", unknown());
    };
    let rate = rate(cx, passed, all);
    format!("{} / {}{word} ({rate})", format::count(passed), format::count(all))
}

/// `part / whole` as a rate; of nothing there is none.
#[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
fn rate(cx: &ExportContext<'_>, part: u64, whole: u64) -> String {
    if whole == 0 { unknown() } else { cx.look.rate(part as f64 / whole as f64) }
}

fn shown(cx: &ExportContext<'_>, number: Option<Num>) -> String {
    number.map_or_else(unknown, |number| cx.look.score(number.0))
}

fn unknown() -> String {
    format::UNKNOWN.to_owned()
}
