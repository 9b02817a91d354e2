//! Columns that hold the score of one metric each: the checks of that name, which a reader may add to the table.

use crate::model::Run;

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

/// The score that case `idx` has in each of `metrics`: the mean over its attempts. `None`: it has none.
pub(super) fn scores(run: &Run, idx: usize, metrics: &[String]) -> Vec<Option<f64>> {
    let checks = &run.checks;
    let mean_of = |metric: &String| {
        let own = run.checks_of(idx).filter(|at| checks.name.get(*at) == Some(metric));
        mean(own.filter_map(|at| checks.score.get(at)))
    };
    metrics.iter().map(mean_of).collect()
}

/// The same of one metric for all cases, by row.
pub(super) fn by_case(run: &Run, metric: &str) -> Vec<Option<f64>> {
    let checks = &run.checks;
    let named: Vec<bool> = checks.name.words().map(|word| word == metric).collect();
    let mut sums = vec![(0.0, 0.0); run.cases.len()];
    for (at, (code, case)) in checks.name.codes().zip(checks.case_idx.iter()).enumerate() {
        if code.is_some_and(|code| named.get(code) == Some(&true))
            && let (Some(case), Some(score)) = (case, checks.score.get(at))
            && let Some((sum, n)) = sums.get_mut(case as usize)
        {
            (*sum, *n) = (*sum + score, *n + 1.0);
        }
    }
    sums.into_iter().map(|(sum, n)| (n > 0.0).then(|| sum / n)).collect()
}

fn mean(scores: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, n) = scores.fold((0.0, 0.0), |(sum, n), score| (sum + score, n + 1.0));
    (n > 0.0).then(|| sum / n)
}
