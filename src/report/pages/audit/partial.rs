//! Files that declare more than is here: an excerpt, an example, or rows that are kept elsewhere.

use super::AuditValue;
use super::compare::{AuditedFigure, ROUNDING};
use crate::model::{Figure, Scope};
use crate::words::report::audit as words;

/// Cases, runs or lines that a file declares beyond those that are here.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::report) struct Partial {
    unit: CountedUnit,
    /// How many the file declares.
    stated: f64,
    /// How many are here.
    held: f64,
    /// How many of them the file declares as passed, where it says so by kind.
    passed: Option<f64>,
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CountedUnit {
    Cases,
    Runs,
    Checkpoints,
}

impl Partial {
    /// What the figures of one file and scope say; `None`: as many are here as are declared, or the
    /// declared number of cases stands against all other figures.
    pub(in crate::report) fn of(own: &[&AuditedFigure<'_>]) -> Option<Self> {
        Self::of_count(own)
            .or_else(|| Self::of_kinds(own))
            .filter(|found| found.held < found.stated)
    }

    /// The same where more is here than is declared: `(declared, here)`.
    pub(super) fn surplus(own: &[&AuditedFigure<'_>]) -> Option<(f64, f64)> {
        let found = Self::of_count(own).filter(|found| found.held > found.stated)?;
        Some((found.stated, found.held))
    }

    fn of_count(own: &[&AuditedFigure<'_>]) -> Option<Self> {
        let (unit, count) = own.iter().find_map(|one| {
            let unit = unit_of(&one.declared.figure)?;
            (!one.agrees).then_some((unit, one))
        })?;
        let (stated, held) = numbers(count)?;
        // Figures of single cases and copies say nothing about the number of rows.
        let mut others = own.iter().filter(|one| {
            unit_of(&one.declared.figure).is_none() && !is_of_one_place(&one.declared.figure)
        });
        let is_alone = others.clone().next().is_some() && others.all(|one| one.agrees);
        // Of runs that are all alike, those that are left give the same figures as all of them.
        let may_be_alike = unit == CountedUnit::Runs && held < stated;
        (!is_alone || may_be_alike).then_some(Self { unit, stated, held, passed: None })
    }

    /// slop-code: of some kind no case is here, or fewer cases and other passed ones.
    fn of_kinds(own: &[&AuditedFigure<'_>]) -> Option<Self> {
        let passed_of =
            |kind| own.iter().find(|one| one.declared.figure == Figure::KindPassed(kind));
        let (mut all, mut is_less) = (Self::none(), false);
        let mut passed = 0.0;
        for one in own {
            let Figure::KindTotal(kind) = one.declared.figure else { continue };
            let (stated, held) = numbers(one)?;
            (all.stated, all.held) = (all.stated + stated, all.held + held);
            let of_kind = passed_of(kind);
            passed += of_kind.and_then(|one| numbers(one)).map_or(0.0, |(stated, _)| stated);
            is_less |= held < stated && (held == 0.0 || of_kind.is_some_and(|one| !one.agrees));
        }
        is_less.then_some(Self { passed: Some(passed), ..all })
    }

    fn none() -> Self {
        Self { unit: CountedUnit::Cases, stated: 0.0, held: 0.0, passed: None }
    }

    /// Whether cases that are not here could make up the difference of a figure: a count cannot be
    /// smaller than what is here, nor exceed it by more than is missing.
    pub(super) fn admits(&self, compared: &AuditedFigure<'_>) -> bool {
        let Some((stated, held)) = numbers(compared) else { return true };
        let missing = self.stated - self.held;
        let is_case = self.unit == CountedUnit::Cases;
        match &compared.declared.figure {
            Figure::Total
            | Figure::Attempted
            | Figure::Passed
            | Figure::Failed
            | Figure::KindPassed(_)
            | Figure::KindTotal(_)
            | Figure::MetricPassed(_)
            | Figure::MetricFailed(_)
            | Figure::Errors
            | Figure::ErrorsByCategory(_)
            | Figure::ErrorsByType(_)
                if is_case =>
            {
                (0.0..=missing).contains(&(stated - held))
            }
            Figure::RepeatsPassed | Figure::RepeatsFailed if !is_case => {
                (0.0..=missing).contains(&(stated - held))
            }
            Figure::Usage(_) => stated >= held * (1.0 - ROUNDING),
            Figure::MeanTotal if is_case && (0.0..=1.0).contains(&held) => {
                let least = held * self.held / self.stated;
                let most = least + missing / self.stated;
                (least - ROUNDING..=most + ROUNDING).contains(&stated)
            }
            _ => true,
        }
    }

    /// The reason, in words.
    pub(in crate::report) fn words(&self) -> String {
        let Self { stated, held, .. } = *self;
        match (self.unit, self.passed) {
            (CountedUnit::Cases, Some(passed)) => words::fewer_of_kinds(passed, stated, held),
            (CountedUnit::Cases, None) => words::fewer_cases(stated, held),
            (CountedUnit::Runs, _) => words::fewer_runs(stated, held),
            (CountedUnit::Checkpoints, _) => words::fewer_checkpoints(stated, held),
        }
    }
}

/// What a figure is the number of, if it is one of rows, runs or lines.
fn unit_of(figure: &Figure) -> Option<CountedUnit> {
    match figure {
        Figure::Total => Some(CountedUnit::Cases),
        Figure::Repeats => Some(CountedUnit::Runs),
        Figure::Summary(path) if path == "num_checkpoints" => Some(CountedUnit::Checkpoints),
        _ => None,
    }
}

/// What is declared and what is here, where both are numbers.
fn numbers(compared: &AuditedFigure<'_>) -> Option<(f64, f64)> {
    match (&compared.stated, &compared.computed) {
        (AuditValue::Number(stated), AuditValue::Number(held)) => {
            let scale = compared.declared.scale;
            Some((stated.0 / scale, held.0 / scale))
        }
        _ => None,
    }
}

/// Whether a figure is that of one case or a copy.
fn is_of_one_place(figure: &Figure) -> bool {
    matches!(figure, Figure::CaseScore { .. } | Figure::CaseOutcome { .. } | Figure::Found { .. })
}

/// Whether no row is about the case whose recorded result a figure is.
pub(super) fn has_no_row(figure: &Figure) -> bool {
    matches!(
        figure,
        Figure::CaseScore { case_idx: usize::MAX, .. }
            | Figure::CaseOutcome { case_idx: usize::MAX }
    )
}

/// Whether `inner` is a part of `scope`; `runs` are those of `scope`.
pub(super) fn is_part(scope: &Scope, inner: &Scope, runs: &[usize]) -> bool {
    match (scope, inner) {
        (Scope::Run(_), _) | (_, Scope::Evaluation) => false,
        (Scope::Evaluation, _) => true,
        (_, Scope::Run(idx)) => runs.binary_search(idx).is_ok(),
        (Scope::Repeat(own), Scope::Subject { repeat, .. }) => own == repeat,
        (Scope::SubjectAggregate(own), Scope::Subject { subject, .. }) => own == subject,
        _ => false,
    }
}
