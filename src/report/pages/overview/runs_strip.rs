//! Checkpoints, repeats or evaluations side by side.

use super::board::{RunStrip, StripCell, StripRow, by_outcome};
use crate::model::{Kind, Run};
use crate::report::cells::{NO_SCORE, has_tasks, has_unit_scores, link_of, task_name};
use crate::report::charts::short_checkpoint;
use crate::report::tree::{evaluation_score, run_score};
use crate::report::{Cell, Link, Num, Outcome, Target, caveats};
use crate::scoring::Counts;
use crate::stats;
use crate::words::report::overview::{strip as words, verdict};
use crate::workspace::{Entry, Workspace};

/// Rows and cells that are shown.
const MAX_ROWS: usize = 12;
const MAX_CELLS: usize = 12;

/// The strip of `target`; `None` where there is nothing to stand beside another.
pub(super) fn strip(workspace: &Workspace, target: Target) -> Option<RunStrip> {
    match target {
        Target::All => (workspace.entries.len() > 1).then(|| of_evaluations(workspace)),
        Target::Evaluation(id) => of_runs(workspace.entry(id)?),
        Target::Run(_) => None,
    }
}

fn of_evaluations(workspace: &Workspace) -> RunStrip {
    let cells: Vec<StripCell> =
        workspace.entries.iter().take(MAX_CELLS).map(evaluation_cell).collect();
    let n_more = workspace.entries.len().saturating_sub(MAX_CELLS) as u64;
    RunStrip {
        title: words::EVALUATIONS.to_owned(),
        note: words::EVALUATIONS_NOTE.to_owned(),
        n_columns: cells.len(),
        rows: vec![StripRow { name: String::new(), note: String::new(), cells, sums: Vec::new() }],
        more: (n_more > 0).then(|| words::more_below(n_more)),
    }
}

fn evaluation_cell(entry: &Entry) -> StripCell {
    let pairs = entry.evaluation.runs.iter().zip(&entry.figures.runs);
    let counted: Vec<_> = pairs.filter(|(run, _)| run.again().is_none()).collect();
    let counts = counted.iter().map(|(_, figures)| &figures.totals.counts);
    let score = evaluation_score(entry);
    StripCell {
        name: entry.evaluation.label.clone(),
        link: Link::Target(Target::Evaluation(entry.id)),
        outcome: outcome(entry.figures.verdict.as_ref().map(|found| found.outcome), score),
        aside: caveats::of_evaluation(entry)
            .map(|_| words::SO_FAR.to_owned())
            .or_else(|| caveats::in_part_words(entry)),
        score: score_cell(entry, score),
        change: None,
        passed: passed(counts),
        tally: by_outcome(counted.iter().map(|(run, _)| *run)),
        core: Some((entry.evaluation.producer.to_string(), true)),
        cost: sum_cost(counted.iter().map(|(_, figures)| &figures.totals)),
    }
}

fn of_runs(entry: &Entry) -> Option<RunStrip> {
    let config = &entry.evaluation.config;
    let runs = &entry.evaluation.runs;
    let is_shown = |idx: &usize| runs.get(*idx).is_some_and(|run| run.again().is_none());
    let idxs: Vec<usize> = (0..runs.len()).filter(is_shown).collect();
    if idxs.len() < 2 {
        return None;
    }
    let row_name = |run: &Run| match config.has_policies {
        true => run.key.suite.clone().unwrap_or_else(|| words::UNNAMED_PROBLEM.to_owned()),
        false => run.key.subject.clone().unwrap_or_default(),
    };
    let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
    for idx in idxs {
        let Some(run) = runs.get(idx) else { continue };
        let name = row_name(run);
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, own)) => own.push(idx),
            None => groups.push((name, vec![idx])),
        }
    }
    let is_by_repeat = !config.has_policies && groups.iter().any(|(_, idxs)| idxs.len() > 1);
    let has_tasks = has_tasks(&entry.evaluation);
    let (title, note) = match (config.has_policies, is_by_repeat) {
        (true, _) => (words::CHECKPOINTS, words::CHECKPOINTS_NOTE),
        (false, true) if has_tasks => (words::TASKS, words::RUNS_NOTE),
        (false, true) => (words::REPEATS, words::RUNS_NOTE),
        (false, false) => (words::MODELS, words::RUNS_NOTE),
    };
    if !config.has_policies && !is_by_repeat {
        // One cell each: they stand in one row, by their own names.
        let all = groups.drain(..).flat_map(|(_, idxs)| idxs).collect();
        groups.push((String::new(), all));
    }
    let n_rows = groups.len();
    let rows: Vec<StripRow> =
        groups.iter().take(MAX_ROWS).map(|(name, idxs)| row(entry, name, idxs, n_rows)).collect();
    let n_hidden =
        groups.iter().map(|(_, idxs)| idxs.len().saturating_sub(MAX_CELLS)).sum::<usize>();
    let n_more = n_rows.saturating_sub(MAX_ROWS) as u64;
    let more = match (n_more, n_hidden) {
        (0, 0) => None,
        (0, n) => Some(words::more_below(n as u64)),
        (n, _) if config.has_policies => Some(words::more_problems(n)),
        (n, _) => Some(words::more_models(n)),
    };
    Some(RunStrip {
        title: title.to_owned(),
        note: note.to_owned(),
        n_columns: rows.iter().map(|row| row.cells.len()).max().unwrap_or(0),
        rows,
        more,
    })
}

fn row(entry: &Entry, name: &str, idxs: &[usize], n_rows: usize) -> StripRow {
    let config = &entry.evaluation.config;
    let mut before = None;
    let mut cells = Vec::new();
    for &idx in idxs.iter().take(MAX_CELLS) {
        let Some(mut cell) = run_cell(entry, idx) else { continue };
        let score = entry.figures.runs.get(idx).and_then(run_score).map(|score| score.0);
        if config.has_policies {
            cell.change = score.zip(before).map(|(now, before): (f64, f64)| Num(now - before));
            before = score;
        }
        cells.push(cell);
    }
    let figures = || idxs.iter().filter_map(|&idx| entry.figures.runs.get(idx));
    let verdicts = || figures().filter_map(|run| run.verdict.as_ref());
    let n_judged = verdicts().count();
    let n_passed = verdicts().filter(|found| found.outcome == Outcome::Passed).count();
    let mut sums = Vec::new();
    if config.has_policies {
        sums.extend(passed(figures().map(|run| &run.totals.counts)));
    }
    sums.extend(sum_cost(figures().map(|run| &run.totals)));
    let agent: Vec<f64> = figures()
        .filter_map(|run| run.totals.timing.as_ref()?.agent_secs)
        .map(|secs| secs.0)
        .collect();
    sums.extend((!agent.is_empty()).then(|| Cell::Secs(Num(stats::sum(agent)))));
    let is_named = n_rows > 1 || config.has_policies;
    StripRow {
        name: if is_named { name.to_owned() } else { String::new() },
        note: match n_judged {
            0 => verdict::runs(idxs.len() as u64),
            n => words::some_pass(n_passed as u64, n as u64),
        },
        cells,
        sums,
    }
}

fn run_cell(entry: &Entry, idx: usize) -> Option<StripCell> {
    let config = &entry.evaluation.config;
    let (run, figures) = (entry.evaluation.runs.get(idx)?, entry.figures.runs.get(idx)?);
    let is_task = !config.has_policies && has_tasks(&entry.evaluation);
    let name = match (config.has_policies, entry.figures.repeats.len() > 1) {
        (_, true) if is_task => words::task_repeat_name(&task_name(run), run.key.repeat),
        (_, false) if is_task => task_name(run),
        (true, _) => {
            let variant = run.key.variant.clone().unwrap_or_else(|| run.label.clone());
            match short_checkpoint(&variant) {
                short if short == variant => variant,
                short => words::checkpoint_name(short),
            }
        }
        (false, true) => words::repeat_name(run.key.repeat),
        (false, false) => run.key.subject.clone().unwrap_or_else(|| run.label.clone()),
    };
    let score = run_score(figures);
    let core = figures.by_kind.get(&Kind::Core).filter(|_| config.has_policies);
    Some(StripCell {
        name,
        link: link_of(entry, idx)?,
        outcome: outcome(figures.verdict.as_ref().map(|found| found.outcome), score),
        aside: caveats::of_run(entry, idx).map(|_| words::SO_FAR.to_owned()),
        score: score_cell(entry, score),
        change: None,
        passed: passed([&figures.totals.counts].into_iter()),
        tally: by_outcome(std::iter::once(run)),
        core: core
            .map(|core| (words::core_passed(core.passed, core.total), core.passed == core.total)),
        cost: sum_cost(std::iter::once(&figures.totals)),
    })
}

/// Scores that lie in 0–1 are all written with as many decimals.
fn score_cell(entry: &Entry, score: Option<Num>) -> Cell {
    let cell = if has_unit_scores(&entry.evaluation) { Cell::Bar } else { Cell::Number };
    Cell::or_missing(score, cell, NO_SCORE)
}

fn outcome(verdict: Option<Outcome>, score: Option<Num>) -> Outcome {
    verdict.unwrap_or_else(|| Outcome::without_rule(score.map(|score| score.0)))
}

fn passed<'a>(counts: impl Iterator<Item = &'a Counts>) -> Option<Cell> {
    let (part, whole) = Counts::passing_of(counts)?;
    (whole > 0).then_some(Cell::Share { part, whole })
}

fn sum_cost<'a>(totals: impl Iterator<Item = &'a crate::scoring::Totals>) -> Option<Cell> {
    let usage: Vec<_> = totals.filter_map(|totals| totals.usage.as_ref()).collect();
    let known: Vec<f64> = usage.iter().filter_map(|usage| usage.cost_usd).map(|n| n.0).collect();
    let is_lower_bound = usage.iter().any(|usage| usage.cost_missing > 0);
    (!known.is_empty()).then(|| Cell::Usd { amount: Num(stats::sum(known)), is_lower_bound })
}
