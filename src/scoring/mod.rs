//! From cases to figures: totals of a run, a repeat, a subject; spread over repeats.
//!
//! Which formula applies is data in [`model::Config`](crate::model::Config); see `formats` of the
//! producer for where each comes from. Nothing here reads files.

mod aggregate;
mod attempts;
mod bands;
mod groups;
mod matching;
mod parts;
mod rejudge;
mod rules;
pub mod run_summary;
mod scores;
mod severity;
pub mod sides;
mod spread;
mod stored;
mod stored_comparison;
mod totals;
mod trial_totals;
mod trials;

pub use crate::model::Num;
pub use aggregate::{Judged, aggregate_attempts, aggregate_by_all, attempt_weights};
pub use attempts::{Attempt, attempts_one_by_one};
pub use bands::{BANDS, Band, BandOf, band_of};
pub use groups::{
    GroupScore, KindCount, group_parts, group_scores, kind_counts, kind_counts_where,
    mean_of_groups, weighted_mean,
};
pub use matching::{Matching, match_by, match_cases};
pub use parts::{MeanPart, run_parts};
pub use rejudge::{attempts, by_strategy, rejudge};
pub use rules::{Missing, Rules};
pub use scores::{Scored, n_attempted, scores};
pub use severity::Severity;
pub use spread::{Spread, SpreadStat, spread};
pub use stored::{
    StoredEvaluation, StoredGate, StoredPart, StoredRepeat, StoredRun, StoredVerdict,
};
pub use stored_comparison::{
    COMPARED_NUMBERS, COMPARED_TEXTS, ComparedTable, StoredComparison, StoredComparisons,
    StoredValue, stored_severity,
};
pub use totals::{
    Counts, DeclaredTotals, ErrorTotals, MeanUnderRules, MetricTotals, ResponseTimes, ScoreTotals,
    TimingTotals, Totals, UsageTotals, totals,
};
pub use trial_totals::{
    Estimate, IntervalMethod, PassAtK, Steadiness, TrialAgreement, TrialTotals, trial_totals,
};
pub use trials::{CaseTrials, Trials, trials};
