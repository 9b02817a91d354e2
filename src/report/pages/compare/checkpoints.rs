//! Runs of the same part of a suite, side by side: slop-code's checkpoints.

use crate::model::Run;
use crate::report::tree::run_score;
use crate::report::{Num, RunRef};
use crate::stats;
use crate::workspace::{Entry, Workspace};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Members of a recorded row that say what it is of, or what is computed from the cases.
const NOT_QUALITY: [&str; 6] = ["idx", "version", "duration", "cost", "steps", "elapsed"];

/// One part of a suite on both sides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckpointLine {
    /// Suite: problem.
    pub suite: String,
    /// Part of it: checkpoint.
    pub variant: String,
    /// Number of its runs on the baseline and on the candidate.
    pub n_runs: [u64; 2],
    /// What it came to: score, share that passes, cost, steps, time, then what its row records of the code.
    pub values: Vec<ComparedFigure>,
}

/// A figure on both sides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ComparedFigure {
    /// Its name, as the files have it.
    pub name: String,
    /// Mean on the baseline.
    pub baseline: Option<Num>,
    /// Mean on the candidate.
    pub candidate: Option<Num>,
}

/// Figures by name, each with its values, in the order in which they come first.
type CheckpointFigures = Vec<(String, Vec<f64>)>;

/// The parts that either side has, in the order of the runs. Empty where no run is of a part.
pub(super) fn lines(
    workspace: &Workspace,
    refs: &(Vec<RunRef>, Vec<RunRef>),
) -> Vec<CheckpointLine> {
    let mut order: Vec<(String, String)> = Vec::new();
    let mut found: BTreeMap<(String, String), [(u64, CheckpointFigures); 2]> = BTreeMap::new();
    for (side, refs) in [&refs.0, &refs.1].into_iter().enumerate() {
        for at in refs {
            let Some((entry, run)) = workspace.run(*at) else { continue };
            let Some(variant) = run.key.variant.clone() else { continue };
            let key = (run.key.suite.clone().unwrap_or_default(), variant);
            if !found.contains_key(&key) {
                order.push(key.clone());
            }
            let both = found.entry(key).or_default();
            if let Some((n_runs, figures)) = both.get_mut(side) {
                *n_runs += 1;
                add(figures, entry, run, at.run as usize);
            }
        }
    }
    let line = |key: (String, String)| {
        let [(n_one, one), (n_two, two)] = found.remove(&key)?;
        let mean = |figures: &CheckpointFigures, name: &str| {
            let (_, values) = figures.iter().find(|(known, _)| known == name)?;
            stats::mean(values.iter().copied()).map(Num)
        };
        let mut names: Vec<&String> = one.iter().map(|(name, _)| name).collect();
        for (name, _) in &two {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let compared = |name: &String| ComparedFigure {
            name: name.clone(),
            baseline: mean(&one, name),
            candidate: mean(&two, name),
        };
        let values = names.into_iter().map(compared).collect();
        Some(CheckpointLine { suite: key.0, variant: key.1, n_runs: [n_one, n_two], values })
    };
    order.into_iter().filter_map(line).collect()
}

/// Adds the figures of run `idx` of `entry`.
fn add(figures: &mut CheckpointFigures, entry: &Entry, run: &Run, idx: usize) {
    let mut put = |name: &str, value: Option<f64>| {
        let Some(value) = value.filter(|value| value.is_finite()) else { return };
        match figures.iter_mut().find(|(known, _)| known == name) {
            Some((_, values)) => values.push(value),
            None => figures.push((name.to_owned(), vec![value])),
        }
    };
    if let Some(own) = entry.figures.runs.get(idx) {
        put("score", run_score(own).map(|score| score.0));
        let passing = own.totals.counts.passing().filter(|(_, all)| *all > 0);
        #[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
        put("pass_rate", passing.map(|(passed, all)| passed as f64 / all as f64));
    }
    let usage = run.usage.unwrap_or_default();
    put("cost_usd", usage.cost_usd);
    put("steps", usage.n_steps);
    put("agent_secs", usage.agent_secs);
    put("prompt_tokens", usage.prompt_tokens);
    put("completion_tokens", usage.completion_tokens);
    let is_own = |row: &&serde_json::Map<String, serde_json::Value>| {
        let is = |name: &str, own: &Option<String>| {
            row.get(name).and_then(|value| value.as_str()) == own.as_deref()
        };
        is("problem", &run.key.suite) && is("checkpoint", &run.key.variant)
    };
    let Some(row) = entry.evaluation.rows.iter().find(is_own) else { return };
    for (name, value) in row {
        let is_counted = ["_passed", "_total", "_tests", "_rate", "_tokens"];
        if !NOT_QUALITY.contains(&name.as_str())
            && !is_counted.iter().any(|end| name.ends_with(end))
        {
            put(name, value.as_f64());
        }
    }
}
