//! The rows of a stretch, which lie in runs by model, in the order of their file.

use crate::model::{Note, Place, Run, RunBuilder};
use crate::readers::letta_evals::cases::RecordPlaces;
use std::collections::HashMap;

/// The cases of `runs` in the order of the file: where each begins, its run, its row there.
pub fn order(runs: &[Run]) -> Vec<(u64, usize, usize)> {
    let of_run = |(run_idx, run): (usize, &Run)| {
        let starts: Vec<u64> = run.cases.source_at.iter().map(Option::unwrap_or_default).collect();
        starts.into_iter().zip(0..).map(move |(byte, idx)| (byte, run_idx, idx))
    };
    let mut order: Vec<_> = runs.iter().enumerate().flat_map(of_run).collect();
    order.sort_unstable();
    order
}

/// The lines of `n_rows` rows behind `n_before` lines: `known` of some, each of the others in the line
/// after the row before.
pub fn lines(n_rows: usize, known: &[(u64, u64)], n_before: u64) -> Vec<u64> {
    let mut known = known.iter().peekable();
    let mut line = n_before;
    let of_row = |row: u64| {
        line = match known.next_if(|(at, _)| *at == row) {
            Some((_, own)) => n_before + own,
            None => line + 1,
        };
        line
    };
    (0..).take(n_rows).map(of_row).collect()
}

/// Gives the `nameless` rows the ids that their lines in the file stand for.
pub fn rename(runs: &mut [Run], order: &[(u64, usize, usize)], nameless: &[u64], lines: &[u64]) {
    let mut ids: HashMap<(usize, usize), String> = HashMap::new();
    for row in nameless.iter().filter_map(|row| usize::try_from(*row).ok()) {
        if let (Some((_, run_idx, idx)), Some(line)) = (order.get(row), lines.get(row)) {
            ids.insert((*run_idx, *idx), RecordPlaces::Lines.id(*line));
        }
    }
    for (run_idx, run) in runs.iter_mut().enumerate() {
        if ids.keys().any(|(own, _)| *own == run_idx) {
            let own = |idx: usize| ids.get(&(run_idx, idx)).map(String::as_str);
            run.cases = run.cases.renamed(|idx| own(idx).or_else(|| run.cases.id.get(idx)));
        }
    }
}

/// `note`, its lines behind `n_lines` others.
pub fn moved(mut note: Note, n_lines: u64) -> Note {
    for place in &mut note.places {
        if let Place::Line { line, .. } = place {
            *line += n_lines;
        }
    }
    note
}

/// The cases of several runs as one, in the order of the file.
pub fn mixed(runs: &[Run]) -> Run {
    let key = runs.first().map(|run| run.key.clone()).unwrap_or_default();
    let mut builder = RunBuilder::new(key, "");
    for source in runs.iter().flat_map(|run| &run.sources) {
        builder.source(*source);
    }
    for (_, run_idx, idx) in order(runs) {
        let Some(run) = runs.get(run_idx) else { continue };
        builder.case(run.cases.row(idx));
        for at in run.checks_of(idx) {
            builder.check(run.checks.row(at));
        }
    }
    builder.finish()
}
