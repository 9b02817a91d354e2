//! Figures over several runs: as a file states them, else made of what the runs declare.

use super::sheet::{DeclaredPart, DeclaredSheet, natural};
use crate::model::{Declared, Figure, Num};
use crate::stats::{self, Interval};
use serde::Serialize;

/// Mean, deviation and ends of a figure over runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DeclaredSpread {
    /// What of each run it is over, in words.
    pub figure: String,
    /// Who was evaluated; `None`: all together.
    pub subject: Option<String>,
    /// Number of runs, where it is known.
    pub n: Option<u64>,
    /// Mean.
    pub mean: Option<Num>,
    /// Sample standard deviation.
    pub std: Option<Num>,
    /// Smallest.
    pub min: Option<Num>,
    /// Largest.
    pub max: Option<Num>,
    /// 95 % interval as the letta-evals guide makes it: mean ± 1.96 · std / √n.
    pub normal95: Option<[Num; 2]>,
    /// Student's 95 % t interval of the mean.
    pub t95: Option<[Num; 2]>,
    /// Whether it was made here, of the figures that the runs declare; else a file states it.
    pub is_made: bool,
    /// The file that states it, or the first of those that it was made of.
    pub file: String,
    #[serde(skip)]
    of: Option<Figure>,
}

impl DeclaredSpread {
    fn new(of: Figure, figure: String, subject: Option<String>, file: String) -> Self {
        Self {
            figure,
            subject,
            n: None,
            mean: None,
            std: None,
            min: None,
            max: None,
            normal95: None,
            t95: None,
            is_made: false,
            file,
            of: Some(of),
        }
    }

    /// Whether all that is known of it lies in 0–1: shares in percent do not.
    pub(super) fn is_share(&self) -> bool {
        let known = [self.mean, self.min, self.max];
        known.iter().flatten().all(|number| (0.0..=1.0).contains(&number.0))
    }

    fn with_intervals(mut self) -> Self {
        let ends = |found: Option<Interval>| found.map(|ci| [Num(ci.low), Num(ci.high)]);
        if let (Some(mean), Some(std), Some(n)) = (self.mean, self.std, self.n) {
            self.normal95 = ends(stats::normal_interval_of(mean.0, std.0, n));
            self.t95 = ends(stats::t_interval_of(mean.0, std.0, n));
        }
        self
    }
}

/// Takes a figure over repeats of the part `about`.
pub(super) fn take(
    spreads: &mut Vec<DeclaredSpread>,
    declared: &Declared,
    about: &DeclaredPart,
    value: f64,
) {
    if about.repeat.is_some() {
        return;
    }
    let (Figure::MeanOverRepeats(of)
    | Figure::StdOverRepeats(of)
    | Figure::MinOverRepeats(of)
    | Figure::MaxOverRepeats(of)) = &declared.figure
    else {
        return;
    };
    let Some(words) = words(of) else { return };
    let is_it = |one: &DeclaredSpread| one.of.as_ref() == Some(of) && one.subject == about.subject;
    let at = spreads.iter().position(is_it).unwrap_or_else(|| {
        let (subject, file) = (about.subject.clone(), declared.file.to_string());
        spreads.push(DeclaredSpread::new((**of).clone(), words, subject, file));
        spreads.len() - 1
    });
    let Some(spread) = spreads.get_mut(at) else { return };
    let slot = match &declared.figure {
        Figure::MeanOverRepeats(_) => &mut spread.mean,
        Figure::StdOverRepeats(_) => &mut spread.std,
        Figure::MinOverRepeats(_) => &mut spread.min,
        _ => &mut spread.max,
    };
    slot.get_or_insert(Num(value));
}

/// What a figure of a run is called; `None` of what has no spread to show.
fn words(figure: &Figure) -> Option<String> {
    Some(match figure {
        Figure::MeanAttempted => "Mean attempted".to_owned(),
        Figure::MeanTotal => "Mean of all".to_owned(),
        Figure::GateMean => "Score".to_owned(),
        Figure::Reward => "Reward".to_owned(),
        Figure::MetricMeanAttempted(name) => format!("Metric {name}"),
        Figure::MetricMeanTotal(name) => format!("Metric {name}, mean of all"),
        Figure::MetricPassRate(name) => format!("Metric {name}, pass rate"),
        _ => return None,
    })
}

/// Gives each spread its number of runs and its intervals: the number that the same file states,
/// else the number of runs of its subject that are declared one by one.
pub(super) fn count(spreads: &mut Vec<DeclaredSpread>, parts: &[DeclaredPart]) {
    // A mean alone is a figure of the part.
    spreads.retain(|spread| spread.std.is_some() || spread.min.is_some() || spread.max.is_some());
    for spread in spreads {
        let stated = parts.iter().find(|part| part.repeat.is_none() && part.subject.is_none());
        let n_listed = parts
            .iter()
            .filter(|part| part.repeat.is_some() && part.subject == spread.subject)
            .count() as u64;
        let n_listed = (n_listed > 1).then_some(n_listed);
        spread.n = match &spread.subject {
            None => stated.and_then(|part| part.n_repeats).or(n_listed),
            Some(_) => n_listed,
        };
        *spread = spread.clone().with_intervals();
    }
}

/// Adds the spreads over repeats that no file states: made of what the repeats declare.
pub(super) fn over_parts(sheet: &mut DeclaredSheet) {
    let mut groups: Vec<(Option<String>, Vec<&DeclaredPart>)> = Vec::new();
    for part in sheet.repeats().chain(sheet.runs()) {
        match groups.iter_mut().find(|(known, _)| *known == part.subject) {
            Some((_, own)) => own.push(part),
            None => groups.push((part.subject.clone(), vec![part])),
        }
    }
    let mut made = Vec::new();
    for (subject, parts) in groups.into_iter().filter(|(_, parts)| parts.len() > 1) {
        let has = |spread: &DeclaredSpread| spread.subject == subject;
        if !sheet.spreads.iter().any(has) {
            made.extend(made_of(subject, &parts));
        }
    }
    sheet.spreads.extend(made);
}

/// The spreads of the figures that all of `parts` declare.
fn made_of(subject: Option<String>, parts: &[&DeclaredPart]) -> Vec<DeclaredSpread> {
    let Some(first) = parts.first() else { return Vec::new() };
    let mut figures: Vec<(Figure, Vec<Option<Num>>)> = vec![
        (Figure::Reward, parts.iter().map(|part| part.reward).collect()),
        (Figure::GateMean, parts.iter().map(|part| part.score.gate).collect()),
        (Figure::MeanAttempted, parts.iter().map(|part| part.score.mean_attempted).collect()),
        (Figure::MeanTotal, parts.iter().map(|part| part.score.mean_total).collect()),
    ];
    for metric in &first.metrics {
        let of = |part: &&DeclaredPart| {
            part.metrics.iter().find(|known| known.name == metric.name)?.mean_attempted
        };
        let figure = Figure::MetricMeanAttempted(metric.name.clone());
        figures.push((figure, parts.iter().map(of).collect()));
    }
    let spread = |(figure, values): (Figure, Vec<Option<Num>>)| {
        let values: Option<Vec<f64>> =
            values.into_iter().map(|value| value.map(|number| number.0)).collect();
        let values = values.filter(|values| values.iter().all(|value| value.is_finite()))?;
        let words = words(&figure)?;
        let blank = DeclaredSpread::new(figure, words, subject.clone(), first.file.clone());
        Some(
            DeclaredSpread {
                n: Some(values.len() as u64),
                mean: stats::exact_mean(&values).map(Num),
                std: stats::exact_stdev(&values).map(Num),
                min: values.iter().copied().min_by(f64::total_cmp).map(Num),
                max: values.iter().copied().max_by(f64::total_cmp).map(Num),
                is_made: true,
                ..blank
            }
            .with_intervals(),
        )
    };
    figures.into_iter().filter_map(spread).collect()
}

/// The number of runs that `part` is over, in words.
pub(super) fn n_runs(part: &DeclaredPart) -> Option<u64> {
    let both = part.repeats_passed.zip(part.repeats_failed);
    part.n_repeats.or_else(|| natural(Num(both.map(|(left, right)| left.0 + right.0)?)))
}
