//! What a final report states, each figure beside the same made of the events.
//!
//! `accuracy` is Σ correct / n over matches, or the mean of the metric where samples have one; `counts/CHOICE`
//! are numbers of samples; `usage_*` are sums over model calls. `boostrap_std` is drawn anew each time.

use super::log::LoggedRun;
use super::sample::{OpenaiSample, mean};
use crate::input::json::f64_from_value;
use crate::model::{Declared, Scope, Unchecked};
use crate::readers::stated_figures::DeclaredFigures;
use crate::readers::unchecked_claims::{Claims, Part};

/// Classes whose figures are known: the suites that most evaluations use.
const KNOWN: [&str; 2] = ["evals.elsuite.basic.", "evals.elsuite.modelgraded."];
/// Relative difference of two figures that are the same.
const SAME: f64 = 1e-12;

const DRAWN: &str = "standard deviation of 1000 means of random halves of the samples, drawn without a seed: not a \
    standard error, and it cannot be recomputed";
const UNKNOWN: &str = "the class of this evaluation computes it by a rule of its own";

/// Every figure of run `at` of the log at `path`, and what cannot be checked. Of several runs in one log fields
/// name the run.
pub(super) fn of(
    path: &str,
    run: &LoggedRun,
    at: usize,
    is_one_of_several: bool,
) -> (Vec<Declared>, Vec<Unchecked>) {
    let mut claims = Claims::default();
    let Some(report) = &run.report else { return (Vec::new(), Vec::new()) };
    let mut stated = DeclaredFigures::in_file(path);
    let scope = Scope::Run(at);
    let prefix = match run.spec_text("run_id").filter(|_| is_one_of_several) {
        Some(id) => format!("{id}.final_report."),
        None => "final_report.".to_owned(),
    };
    let is_known =
        run.class().is_some_and(|class| KNOWN.iter().any(|known| class.starts_with(known)));
    for (key, value) in report.as_object().into_iter().flatten() {
        let field = format!("{prefix}{key}");
        let Some((ours, words)) = recomputed(run, key) else { continue };
        let is_sure = is_known || key.starts_with("usage_") || key.starts_with("counts/");
        let is_same = is_close(f64_from_value(value), ours);
        // Another class may call something else by the same name.
        if is_sure || is_same {
            stated.number(&scope, field, Some(value), ours, words);
        }
    }
    claims.walk(stated.file(), report, &prefix, stated.declared(), &|field| match field {
        "boostrap_std" | "bootstrap_std" => Part::Unchecked(DRAWN),
        "" => Part::Open,
        _ => Part::Unchecked(UNKNOWN),
    });
    (stated.into_vec(), claims.into_vec())
}

/// A figure by its name, and of what it is made; `None`: nothing in the events is called so.
fn recomputed(run: &LoggedRun, key: &str) -> Option<(Option<f64>, String)> {
    if let Some(name) = key.strip_prefix("usage_") {
        let (_, sum) = run.usage.iter().find(|(known, _)| known == name)?;
        return Some((Some(*sum), format!("sum of usage.{name} over the model calls")));
    }
    if let Some(choice) = key.strip_prefix("counts/") {
        let choices = run.samples.iter().flat_map(|sample| &sample.choices);
        #[expect(clippy::cast_precision_loss, reason = "counts of samples stay far below 2^53")]
        let n_samples = choices.filter(|own| *own == choice).count() as f64;
        return Some((Some(n_samples), format!("metrics events whose choice is {choice:?}")));
    }
    let numbers: Vec<Option<f64>> = run
        .samples
        .iter()
        .flat_map(OpenaiSample::numbers)
        .filter_map(|(name, number)| (name == key).then_some(*number))
        .collect();
    if !numbers.is_empty() {
        let numbers: Vec<f64> = numbers.into_iter().flatten().collect();
        let words = format!("mean of {key} over {} metrics events", numbers.len());
        return Some((mean(&numbers), words));
    }
    if key != "accuracy" {
        return None;
    }
    let matches = run.samples.iter().flat_map(|sample| &sample.matches).flatten();
    let matches: Vec<f64> = matches.map(|correct| f64::from(u8::from(*correct))).collect();
    // Of no event the original says NaN.
    let words = format!("share of correct among {} matches", matches.len());
    Some((Some(mean(&matches).unwrap_or(f64::NAN)), words))
}

fn is_close(left: Option<f64>, right: Option<f64>) -> bool {
    let Some((left, right)) = left.zip(right) else { return false };
    let is_equal = (left - right).abs() <= SAME * left.abs().max(right.abs());
    is_equal || (left.is_nan() && right.is_nan())
}
