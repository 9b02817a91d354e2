//! The overview of an evaluation whose files hold only totals.

use super::sheet::{DeclaredPart, natural};
use super::{directory, part_table, spread, tables};
use crate::input::json::f64_from_value;
use crate::report::pages::overview::{headline, part as section, questions, trust};
use crate::report::{Cell, Headline, Num, Section, Sections, Target};
use crate::stats;
use crate::words::report::declared as words;
use crate::workspace::{Entry, Workspace};

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
        lead: Some(words::LEAD.to_owned()),
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
    number(words::REWARD, part.reward, words::REWARD_HINT);
    number(words::SCORE, part.score.gate, words::SCORE_HINT);
    number(words::MEAN_ATTEMPTED, part.score.mean_attempted, words::MEAN_ATTEMPTED_HINT);
    number(words::MEAN_TOTAL, part.score.mean_total, words::MEAN_TOTAL_HINT);
    if let Some(cell) = part_table::passed_cell(part) {
        let interval = part.passing().and_then(|(passed, all)| stats::wilson_interval(passed, all));
        found.push(Headline {
            note: interval.map(|ci| Cell::Interval { low: Num(ci.low), high: Num(ci.high) }),
            ..declared(words::PASSED, cell, words::PASSED_INTERVAL_HINT)
        });
    }
    if let Some(rate) = part.counts.pass_rate {
        let hint = words::MEAN_PASS_RATE_HINT;
        found.push(declared(words::MEAN_PASS_RATE, Cell::Rate(rate), hint));
    }
    let counts = &part.counts;
    if let Some((attempted, total)) =
        counts.attempted.and_then(natural).zip(counts.total.and_then(natural))
        && attempted <= total
    {
        let value = Cell::Share { part: attempted, whole: total };
        found.push(declared(words::ATTEMPTED, value, words::ATTEMPTED_HINT));
    }
    if let Some(n) = counts.error.filter(|n| n.0 > 0.0).map(Some).and_then(part_table::count) {
        found.push(declared(words::ERRORS, n, words::ERRORS_HINT));
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
        found.push(declared(words::RUNS, Cell::Count(n), words::RUNS_HINT));
        if let Some(passed) = whole.and_then(|part| natural(part.repeats_passed?))
            && passed <= n
        {
            let value = Cell::Share { part: passed, whole: n };
            found.push(declared(words::RUNS_PASSED, value, words::RUNS_PASSED_HINT));
        }
    }
    let of_all = whole.and_then(|part| part.gate_passed);
    let mut repeats = sheet.repeats();
    let only = repeats.next().filter(|_| repeats.next().is_none());
    if let Some(passed) = of_all.or_else(|| only?.gate_passed) {
        let word = Cell::Text(part_table::passed_word(passed).to_owned());
        found.push(declared(words::GATE, word, words::GATE_HINT));
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
        of(
            "checkpoints_solved",
            &CHECKPOINTS,
            words::CHECKPOINTS_SOLVED,
            words::CHECKPOINTS_SOLVED_HINT,
        ),
        of("checkpoints_core_solved", &CHECKPOINTS, words::CORE_SOLVED, words::CORE_SOLVED_HINT),
        of(
            "problem_solved",
            &["num_problems"],
            words::PROBLEMS_SOLVED,
            words::PROBLEMS_SOLVED_HINT,
        ),
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
        (words::COST, part_table::cost_cell(part), words::COST_HINT),
        (words::PROMPT_TOKENS, part_table::count(usage.prompt_tokens), words::PROMPT_TOKENS_HINT),
        (
            words::COMPLETION_TOKENS,
            part_table::count(usage.completion_tokens),
            words::COMPLETION_TOKENS_HINT,
        ),
        (
            words::CACHED_TOKENS,
            part_table::count(usage.cached_input_tokens),
            words::CACHED_TOKENS_HINT,
        ),
        (
            words::REASONING_TOKENS,
            part_table::count(usage.reasoning_tokens),
            words::REASONING_TOKENS_HINT,
        ),
        (words::STEPS, part_table::count(usage.n_steps), words::STEPS_HINT),
        (words::AGENT_TIME, secs(timing.agent_secs), words::AGENT_TIME_HINT),
        (words::MEAN_TIME, secs(timing.mean_secs), words::MEAN_TIME_HINT),
        (words::MEAN_TARGET_TIME, secs(timing.mean_target_secs), words::MEAN_TARGET_TIME_HINT),
        (words::MEDIAN_TIME, secs(timing.p50_secs), words::MEDIAN_TIME_HINT),
        (words::P95_TIME, secs(timing.p95_secs), words::P95_TIME_HINT),
    ];
    let value =
        |(label, value, hint): (&str, Option<Cell>, &str)| Some(declared(label, value?, hint));
    values.into_iter().filter_map(value).collect()
}
