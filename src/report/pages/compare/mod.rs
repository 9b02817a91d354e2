//! Two sides or more, compared: is one better than the other, where, why, and how sure is that?
//!
//! ```text
//! CompareQuery ── Prepared: cases of the sides, paired      kept while the same runs are paired in the same way
//!              └─ Computed: measures, parts, transitions    kept while the same rules are in force
//!              └─ Comparison: verdict by the margin         made for each answer
//! ```

mod align;
mod checkpoints;
mod computed;
mod configuration;
mod measures;
mod own_score;
mod pairs;
mod pairs_filter;
mod pairs_list;
mod pairs_others;
mod parts;
mod prepared;
mod rank;
mod rule_effect;
mod suggest;
mod verdict;

use crate::report::{Num, Target};
pub use crate::scoring::sides::{Audit, BetterDirection, Came, PairBy, Valued};
use crate::stats::paired::holm;
use crate::workspace::Workspace;
pub use align::{Aligned, AlignedStep, Alignment, align, alignment};
pub use checkpoints::{CheckpointLine, ComparedFigure};
pub use computed::{ChangeCounts, Transition};
pub use configuration::{ConfigLine, Weight};
pub use measures::{IntervalKind, MeasureLine, TestKind};
pub use own_score::OwnScore;
pub use pairs::{
    Change, FilterSays, PairAt, PairLine, PairOrder, PairsPage, PairsQuery, compare_pair,
    compare_pairs,
};
pub use pairs_filter::suggest_pairs;
pub use parts::{DifferencePart, PartBy, SplitDifference};
use prepared::prepare;
pub use rank::{RankLine, RankMatrix, RankView, compare_ranks};
pub use rule_effect::RuleTouch;
pub use suggest::{SideOffer, offered_sides, previous_sides, suggested_sides};
pub use verdict::{Guard, Verdict, VerdictIs};

use serde::{Deserialize, Serialize};

/// Margin unless the user sets one: two points.
pub const MARGIN: f64 = 0.02;

/// Sides that are compared at the most: one for each letter.
pub const MAX_SIDES: usize = 26;

/// A side, as it is asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SideSpec {
    /// What it is called; empty: after what it holds.
    pub label: String,
    /// The evaluations and runs that it is put together of.
    pub members: Vec<Target>,
}

/// What is to be compared, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CompareQuery {
    /// The baseline, then the candidates.
    pub sides: Vec<SideSpec>,
    /// How cases are paired; `None`: by whatever pairs enough.
    pub by: Option<PairBy>,
    /// A pattern that is taken out of ids before; empty: none.
    pub strip: String,
    /// How small a difference does not matter.
    pub margin: f64,
    /// Whether pairs with another input or expected answer are left out.
    pub without_changed: bool,
}

impl Default for CompareQuery {
    fn default() -> Self {
        Self {
            sides: Vec::new(),
            by: None,
            strip: String::new(),
            margin: MARGIN,
            without_changed: false,
        }
    }
}

/// Two sides or more, compared.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The sides, baseline first.
    pub sides: Vec<SideLine>,
    /// Each candidate against the baseline.
    pub candidates: Vec<Versus>,
    /// Why the pattern was not understood.
    pub complaint: Option<String>,
}

/// A side.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SideLine {
    /// A, B, C …
    pub letter: char,
    /// Its name.
    pub label: String,
    /// What its runs are called in exports.
    pub runs: Vec<String>,
    /// Number of its cases, each counted once however many trials it has.
    pub n_cases: u64,
    /// Number of its trials.
    pub n_trials: u64,
    /// Whether it is known what its cases were asked.
    pub has_inputs: bool,
    /// What has to be known of it: that its subject has repeats that are not part of it.
    pub remark: Option<String>,
}

/// A candidate against the baseline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Versus {
    /// Its place among the sides.
    pub side: usize,
    /// The margin that verdict and guard are by.
    pub margin: Num,
    /// What was paired.
    pub audit: Audit,
    /// The same in words, one sentence each.
    pub audit_words: Vec<String>,
    /// Pairs with an error, a skipped or an unscored case, and what other rules would make of them.
    pub touch: RuleTouch,
    /// How cases came out on both sides.
    pub transitions: Vec<Transition>,
    /// How many changed, by the deciding measure.
    pub changes: ChangeCounts,
    /// Every measure that both sides have; the first one decides.
    pub measures: Vec<MeasureLine>,
    /// Measures that are not computed yet; p is adjusted once there are none.
    pub n_pending: u64,
    /// The score that stands for each side, where it is made otherwise than as a mean over cases.
    pub own_score: Option<OwnScore>,
    /// Where the difference comes from.
    pub parts: Vec<SplitDifference>,
    /// p of the deciding measure, adjusted for every candidate against the baseline. `None`: there is only one.
    pub p_of_sides: Option<Num>,
    /// The verdict.
    pub verdict: Verdict,
    /// Whether the candidate loses no more than the margin.
    pub guard: Guard,
    /// Runs of the same part of a suite, side by side (slop-code's checkpoints).
    pub checkpoints: Vec<CheckpointLine>,
    /// What the files say about how either side was made, as far as it differs.
    pub configuration: Vec<ConfigLine>,
}

/// Pairs up to which all measures are computed at once.
pub const AT_ONCE: usize = 100_000;

/// Compares what `query` asks for; `None` of fewer than two sides, of too many, or when one is not loaded.
pub fn compare(workspace: &Workspace, query: &CompareQuery) -> Option<Comparison> {
    compare_so_far(workspace, query, usize::MAX)
}

/// The same, but of more pairs than `at_once` only with the measures that are computed already: the deciding one, and
/// those that [`compare_further`] has added.
pub fn compare_so_far(
    workspace: &Workspace,
    query: &CompareQuery,
    at_once: usize,
) -> Option<Comparison> {
    let prepared = prepare(workspace, query)?;
    let sides = prepared.sides(workspace);
    let lines = prepared.lines(workspace, &sides, &query.sides);
    let mut candidates: Vec<Versus> = (1..sides.len())
        .filter_map(|side| {
            let computed = prepared.computed(workspace, &sides, side, query.without_changed)?;
            if computed.n_pairs() <= at_once {
                while computed.go_on(&prepared, workspace, &sides, side) {}
            }
            Some(computed.judged(side, &lines, query.margin, prepared.pairing.by))
        })
        .collect();
    if candidates.len() > 1 {
        let own = candidates.iter().map(|versus| versus.measures.first().map(|line| line.p.0));
        let adjusted = holm(&own.collect::<Vec<_>>());
        for (versus, p) in candidates.iter_mut().zip(adjusted) {
            versus.p_of_sides = p.map(Num);
        }
    }
    Some(Comparison { sides: lines, candidates, complaint: prepared.complaint.clone() })
}

/// Computes one more measure of side `side` in the comparison that `query` asks for.
pub fn compare_further(workspace: &Workspace, query: &CompareQuery, side: usize) -> Option<()> {
    let prepared = prepare(workspace, query)?;
    let sides = prepared.sides(workspace);
    let computed = prepared.computed(workspace, &sides, side, query.without_changed)?;
    computed.go_on(&prepared, workspace, &sides, side);
    Some(())
}

/// The sides of an evaluation that one would compare: each subject with all its repeats, in the order of the
/// runs. Empty where there is only one.
pub fn subjects_as_sides(workspace: &Workspace, evaluation: u32) -> Vec<SideSpec> {
    let Some(entry) = workspace.entry(evaluation) else { return Vec::new() };
    let mut sides: Vec<SideSpec> = Vec::new();
    for (idx, run) in entry.evaluation.runs.iter().enumerate() {
        let label = run.key.subject.clone().unwrap_or_default();
        let Some(member) = entry.run_ref(idx).map(Target::Run) else { continue };
        match sides.iter_mut().find(|side| side.label == label) {
            Some(side) => side.members.push(member),
            None => sides.push(SideSpec { label, members: vec![member] }),
        }
    }
    if sides.len() < 2 { Vec::new() } else { sides }
}
