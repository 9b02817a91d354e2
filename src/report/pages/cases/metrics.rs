//! Columns that hold the score of one metric each: the checks of that name, which the user may add to the table.

use crate::model::{Run, Verdict};

/// Most metrics that have a column: checks with more names than that (attributes of slop-code) are read on the page
/// of a case.
pub const MAX_METRICS: usize = 12;

/// Names of the metrics that have scores in `runs`, in the order of the files; none where there are more than
/// [`MAX_METRICS`].
pub(super) fn metrics<'a>(runs: impl IntoIterator<Item = &'a Run>) -> Vec<String> {
    let mut names: Vec<&str> = Vec::new();
    for run in runs {
        if run.checks.score.array().is_none() {
            continue;
        }
        for name in run.checks.name.words() {
            if !names.contains(&name) {
                names.push(name);
            }
            if names.len() > MAX_METRICS {
                return Vec::new();
            }
        }
    }
    names.into_iter().map(str::to_owned).collect()
}

/// The score that case `idx` has in each of `metrics`. `None`: it has none.
pub(super) fn scores(run: &Run, idx: usize, metrics: &[String]) -> Vec<Option<f64>> {
    let checks = &run.checks;
    let score_of = |metric: &String| {
        let mut mean = AttemptMean::default();
        let own = run.checks_of(idx).filter(|at| checks.name.get(*at) == Some(metric));
        own.for_each(|at| mean.add(run, at));
        mean.value()
    };
    metrics.iter().map(score_of).collect()
}

/// The same of one metric for all cases, by row.
pub(super) fn by_case(run: &Run, metric: &str) -> Vec<Option<f64>> {
    let checks = &run.checks;
    let named: Vec<bool> = checks.name.words().map(|word| word == metric).collect();
    let mut means = vec![AttemptMean::default(); run.cases.len()];
    for (at, (code, case)) in checks.name.codes().zip(checks.case_idx.iter()).enumerate() {
        if code.is_some_and(|code| named.get(code) == Some(&true))
            && let Some(mean) = case.and_then(|case| means.get_mut(case as usize))
        {
            mean.add(run, at);
        }
    }
    means.iter().map(AttemptMean::value).collect()
}

/// The mean over attempts. Those that ended in an error are left out while there are others, as REBEL does.
#[derive(Debug, Clone, Copy, Default)]
struct AttemptMean {
    /// Sum and number of the scores that were judged.
    judged: (f64, f64),
    /// The same of all.
    all: (f64, f64),
}

impl AttemptMean {
    /// Takes in check `at`.
    fn add(&mut self, run: &Run, at: usize) {
        let Some(score) = run.checks.score.get(at) else { return };
        self.all = (self.all.0 + score, self.all.1 + 1.0);
        if run.checks.verdict_of(at) != Some(Verdict::Error) {
            self.judged = (self.judged.0 + score, self.judged.1 + 1.0);
        }
    }

    fn value(&self) -> Option<f64> {
        let (sum, n) = if self.judged.1 > 0.0 { self.judged } else { self.all };
        (n > 0.0).then(|| sum / n)
    }
}
