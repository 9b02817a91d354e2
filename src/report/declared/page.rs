//! The overview of an evaluation whose files hold only totals.

use super::sheet::{DeclaredPart, natural};
use super::{directory, part_table, spread, tables};
use crate::input::json::f64_from_value;
use crate::report::pages::overview::{headline, part as section, questions, trust};
use crate::report::{Cell, Headline, Num, Section, Sections, Target};
use crate::stats;
use crate::workspace::{Entry, Workspace};

/// What stands above the figures.
const LEAD: &str = "Declared figures only: the files hold totals without the cases behind them, so nothing here can be checked.";

/// The overview.
pub(in crate::report) fn page(workspace: &Workspace, entry: &Entry) -> Sections {
    let evaluation = &entry.evaluation;
    let main = tables::main_part(entry);
    let mut headlines = Vec::new();
    if let Some(part) = &main {
        headlines.extend(of_part(part));
    }
    headlines.extend(solved(entry));
    headlines.extend(gate(entry));
    let (mut failing, mut costs) = (Vec::new(), Vec::new());
    if let Some(part) = &main {
        failing.extend(tables::metrics(entry, part));
        failing.extend(tables::errors(part));
        costs = usage(part);
    }
    if evaluation.config.has_policies
        && let Some(summary) = directory::summary(evaluation)
    {
        failing.extend(tables::rates(&summary));
    }
    let mut doubts: Vec<_> = tables::spreads(entry).into_iter().collect();
    doubts.push(trust(workspace, Target::Evaluation(entry.id)));
    Sections {
        title: evaluation.label.clone(),
        facts: vec![
            format!("{} {}", evaluation.producer, evaluation.generation),
            evaluation.path.clone(),
        ],
        lead: Some(LEAD.to_owned()),
        headlines,
        sections: questions(
            workspace,
            Target::Evaluation(entry.id),
            [
                section(tables::beside_rows(entry)),
                section(failing),
                Section { headlines: costs, ..Section::default() },
                section(doubts),
            ],
        ),
        ..Sections::default()
    }
}

/// A headline whose value is marked as declared.
fn declared(label: &str, value: Cell, hint: &str) -> Headline {
    headline(label, value.declared(), Some(hint))
}

fn of_part(part: &DeclaredPart) -> Vec<Headline> {
    let mut found = Vec::new();
    let mut number = |label: &str, value: Option<Num>, hint: &str| {
        found.extend(value.map(|value| declared(label, Cell::Number(value), hint)));
    };
    number("Reward", part.reward, "Mean reward over cases without error");
    number("Score", part.score.gate, "Mean over the metrics that the gate names");
    number("Mean (errors left out)", part.score.mean_attempted, "Mean score over attempted cases");
    number(
        "Mean (errors counted as 0)",
        part.score.mean_total,
        "Mean over all cases; a missing score counts as 0",
    );
    if let Some(cell) = part_table::passed_cell(part) {
        let interval = part.passing().and_then(|(passed, all)| stats::wilson_interval(passed, all));
        found.push(Headline {
            note: interval.map(|ci| Cell::Interval { low: Num(ci.low), high: Num(ci.high) }),
            ..declared("Passed", cell, "Cases that pass, of all; with the Wilson 95 % interval")
        });
    }
    if let Some(rate) = part.counts.pass_rate {
        let hint = "Mean over checkpoints of the share of tests that pass";
        found.push(declared("Mean pass rate", Cell::Rate(rate), hint));
    }
    let counts = &part.counts;
    if let Some((attempted, total)) =
        counts.attempted.and_then(natural).zip(counts.total.and_then(natural))
        && attempted <= total
    {
        let value = Cell::Share { part: attempted, whole: total };
        found.push(declared("Attempted", value, "Cases that completed without error, of all"));
    }
    if let Some(n) = counts.error.filter(|n| n.0 > 0.0).map(Some).and_then(part_table::count) {
        found.push(declared("Errors", n, "Cases that could not be judged"));
    }
    found
}

/// The number of repeats that the files declare, where there are several.
pub(in crate::report) fn n_runs(entry: &Entry) -> Option<u64> {
    let sheet = entry.declared();
    let of_subjects = || sheet.spreads.iter().filter_map(|spread| spread.n).max();
    sheet.whole().and_then(spread::n_runs).or_else(|| {
        let n_listed = sheet.repeats().count() as u64;
        Some(n_listed).filter(|n| *n > 1).or_else(of_subjects)
    })
}

/// Gate, runs, runs that pass.
fn gate(entry: &Entry) -> Vec<Headline> {
    let sheet = entry.declared();
    let whole = sheet.whole();
    let mut found = Vec::new();
    if let Some(n) = n_runs(entry) {
        found.push(declared("Runs", Cell::Count(n), "Number of repeats behind these figures"));
        if let Some(passed) = whole.and_then(|part| natural(part.repeats_passed?))
            && passed <= n
        {
            let value = Cell::Share { part: passed, whole: n };
            found.push(declared("Runs passed", value, "Repeats whose gate passes, of all"));
        }
    }
    let of_all = whole.and_then(|part| part.gate_passed);
    let mut repeats = sheet.repeats();
    let only = repeats.next().filter(|_| repeats.next().is_none());
    if let Some(passed) = of_all.or_else(|| only?.gate_passed) {
        let word = Cell::Text(part_table::passed_word(passed).to_owned());
        let hint = "As recorded in the file; it cannot be judged again without the cases";
        found.push(declared("Gate", word, hint));
    }
    found
}

/// Checkpoints and problems that are solved, of a run directory.
fn solved(entry: &Entry) -> Vec<Headline> {
    if !entry.evaluation.config.has_policies {
        return Vec::new();
    }
    let Some(summary) = directory::summary(&entry.evaluation) else { return Vec::new() };
    let count = |key: &str| natural(Num(summary.get(key).and_then(f64_from_value)?));
    let of = |part: &str, whole: &[&str], label: &str, hint: &str| {
        let whole = whole.iter().find_map(|key| count(key))?;
        let part = count(part).filter(|part| *part <= whole)?;
        Some(declared(label, Cell::Share { part, whole }, hint))
    };
    const CHECKPOINTS: [&str; 2] = ["expected_checkpoints", "num_checkpoints"];
    [
        of("checkpoints_solved", &CHECKPOINTS, "Checkpoints solved", "Every test passed"),
        of("checkpoints_core_solved", &CHECKPOINTS, "Core solved", "Every Core test passed"),
        of("problem_solved", &["num_problems"], "Problems solved", "Every checkpoint solved"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Cost, tokens, steps, time.
fn usage(part: &DeclaredPart) -> Vec<Headline> {
    let (usage, timing) = (&part.usage, &part.timing);
    let secs = |found: Option<Num>| found.map(Cell::Secs);
    let values = [
        ("Cost", part_table::cost_cell(part), "Sum over cases or checkpoints"),
        ("Prompt tokens", part_table::count(usage.prompt_tokens), "Tokens read by the model"),
        (
            "Completion tokens",
            part_table::count(usage.completion_tokens),
            "Tokens written by the model",
        ),
        ("Cached tokens", part_table::count(usage.cached_input_tokens), "Tokens read from a cache"),
        ("Reasoning tokens", part_table::count(usage.reasoning_tokens), "Tokens of reasoning"),
        ("Steps", part_table::count(usage.n_steps), "Steps of the agent"),
        ("Agent time", secs(timing.agent_secs), "Seconds that the agent worked"),
        ("Mean time", secs(timing.mean_secs), "Mean seconds of a case"),
        ("Mean target time", secs(timing.mean_target_secs), "Mean seconds of the target"),
        ("Median case", secs(timing.p50_secs), "By the producer's rule"),
        ("95th percentile case", secs(timing.p95_secs), "95th percentile by the producer's rule"),
    ];
    let value =
        |(label, value, hint): (&str, Option<Cell>, &str)| Some(declared(label, value?, hint));
    values.into_iter().filter_map(value).collect()
}
