//! What follows of two paired sides by the rules in force, whatever the margin.

use super::checkpoints::{self, CheckpointLine};
use super::configuration::{self, ConfigLine};
use super::measures::{MeasureLine, MeasurePairs};
use super::own_score::{OwnScore, own_score};
use super::pairs_list::NOTHING;
use super::parts::{self, PartBy, SplitDifference};
use super::prepared::{PreparedSides, both as both_sides};
use super::{Audit, Came, RuleTouch, SideLine, Versus, rule_effect, verdict};
use crate::report::{Num, RunRef};
use crate::scoring::Rules;
use crate::scoring::sides::{
    BetterDirection, Inputs, PairBy, Side, SideCases, Valued, Values, audit, came, metrics_of,
    values, way,
};
use crate::stats::paired::holm;
use crate::words::report::compare as words;
use crate::workspace::Workspace;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::VecDeque;

/// Metrics that are compared at the most.
const MAX_METRICS: usize = 40;

/// How many pairs came out in one way on the baseline and in one on the candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transition {
    /// On the baseline.
    pub from: Came,
    /// On the candidate.
    pub to: Came,
    /// Number of pairs.
    pub n: u64,
}

/// How many pairs changed, by the deciding measure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeCounts {
    /// Worse on the candidate.
    pub regressed: u64,
    /// Better on the candidate.
    pub fixed: u64,
    /// The same, or neither way is better.
    pub same: u64,
}

/// Two sides, computed.
pub(super) struct Computed {
    audit: Audit,
    without_changed: bool,
    touch: RuleTouch,
    transitions: Vec<Transition>,
    changes: ChangeCounts,
    rest: RefCell<MeasureProgress>,
    clusters: Option<(Vec<u32>, usize)>,
    parts: Vec<SplitDifference>,
    checkpoints: Vec<CheckpointLine>,
    configuration: Vec<ConfigLine>,
    /// Number of the case on the baseline and on the candidate, pair by pair.
    pub(super) pairs: Vec<(u32, u32)>,
    /// How each case came out, on the baseline and on the candidate.
    pub(super) came: (Vec<Came>, Vec<Came>),
    /// The pairs by the deciding measure.
    pub(super) deciding: Option<MeasurePairs>,
}

/// What is computed measure by measure: of a million cases each takes its time.
#[derive(Default)]
struct MeasureProgress {
    /// Those that are computed, the deciding one first.
    measures: Vec<MeasureLine>,
    /// Those that are not yet.
    pending: VecDeque<Valued>,
    own_score: Option<OwnScore>,
}

/// Two sides that are compared.
pub(super) struct Both<'a> {
    pub(super) sides: [&'a Side<'a>; 2],
    pub(super) cases: [&'a SideCases; 2],
    pub(super) pairs: &'a [(u32, u32)],
    pub(super) rules: &'a Rules,
}

impl Both<'_> {
    /// Which way `by` is better.
    pub(super) fn way(&self, by: &Valued) -> BetterDirection {
        way(self.sides, by)
    }

    /// What the cases of each side are worth; `None` where one side has no value.
    pub(super) fn values(&self, by: &Valued, rules: &Rules) -> Option<[Values; 2]> {
        let [one, two] = self.sides;
        let [cases, others] = self.cases;
        Some([values(one, cases, by, rules)?, values(two, others, by, rules)?])
    }
}

impl Computed {
    /// `known` is what was paired, where that is known.
    pub(super) fn new(
        prepared: &PreparedSides,
        workspace: &Workspace,
        sides: &[Side<'_>],
        side: usize,
        without_changed: bool,
        known: Option<Audit>,
    ) -> Option<Self> {
        let (one, two) = (sides.first()?, sides.get(side)?);
        let (cases, others) = (prepared.cases.first()?, prepared.cases.get(side)?);
        let audit_now = || audit(&both_sides(sides, &prepared.cases), &prepared.pairing, 0, side);
        let mut audit = known.unwrap_or_else(audit_now);
        let number = |case: usize| u32::try_from(case).unwrap_or(u32::MAX);
        let (inputs, other_inputs) = (Inputs::new(one, cases), Inputs::new(two, others));
        let leaves_out = without_changed && audit.changed > 0;
        let stays = |case, other| inputs.differ(case, &other_inputs, other) != Some(true);
        let mut pairs = Vec::with_capacity(usize::try_from(audit.n_pairs).unwrap_or(0));
        let staying = prepared.pairing.both(0, side);
        let staying = staying.filter(|(_, case, other)| !leaves_out || stays(*case, *other));
        pairs.extend(staying.map(|(_, case, other)| (number(case), number(other))));
        let rules = &workspace.settings.rules;
        let both = Both { sides: [one, two], cases: [cases, others], pairs: &pairs, rules };
        let came = (came(one, cases), came(two, others));
        let clusters = parts::clusters(&both);
        let mut rest =
            MeasureProgress { pending: measures_of(&both), ..MeasureProgress::default() };
        let (mut deciding, mut deciding_values) = (None, None);
        if let Some((paired, values)) = rest.go_on(&both, clusters.as_ref())
            && is_deciding(rest.measures.first())
        {
            (deciding, deciding_values) = (Some(paired), Some(values));
        }
        audit.left_out = audit.n_pairs
            - deciding.as_ref().map_or(0, |paired: &MeasurePairs| paired.apart.len() as u64);
        let parts = match (&deciding, &deciding_values) {
            (Some(paired), Some(values)) => PartBy::ALL
                .into_iter()
                .filter_map(|by| parts::parts(&both, paired, values, by))
                .collect(),
            _ => Vec::new(),
        };
        let refs = (prepared.refs(0), prepared.refs(side));
        rest.close(workspace, &both, &[prepared.refs(0), prepared.refs(side)]);
        let transitions = transitions(&pairs, &came);
        Some(Self {
            audit,
            without_changed,
            touch: rule_effect::touch(
                &both,
                &came,
                &transitions,
                rest.measures.first().map(|line| &line.measure),
            ),
            transitions,
            changes: changes(deciding.as_ref()),
            parts,
            checkpoints: checkpoints::lines(workspace, &refs),
            configuration: configuration::differences(workspace, &refs),
            rest: RefCell::new(rest),
            clusters,
            pairs,
            came,
            deciding,
        })
    }

    /// Computes the next measure; whether there was one.
    pub(super) fn go_on(
        &self,
        prepared: &PreparedSides,
        workspace: &Workspace,
        sides: &[Side<'_>],
        side: usize,
    ) -> bool {
        let mut rest = self.rest.borrow_mut();
        if rest.pending.is_empty() {
            return false;
        }
        let (Some(one), Some(two)) = (sides.first(), sides.get(side)) else { return false };
        let all = prepared.cases.first().zip(prepared.cases.get(side));
        let Some((cases, others)) = all else { return false };
        let rules = &workspace.settings.rules;
        let both = Both { sides: [one, two], cases: [cases, others], pairs: &self.pairs, rules };
        let is_found = rest.go_on(&both, self.clusters.as_ref()).is_some();
        rest.close(workspace, &both, &[prepared.refs(0), prepared.refs(side)]);
        is_found
    }

    /// What was paired, whatever the rules.
    pub(super) fn paired(&self) -> Audit {
        Audit { left_out: 0, ..self.audit }
    }

    /// Number of pairs.
    pub(super) fn n_pairs(&self) -> usize {
        self.pairs.len()
    }

    /// The comparison by `margin`, of cases that were paired in the way `by`.
    pub(super) fn judged(
        &self,
        side: usize,
        lines: &[SideLine],
        margin: f64,
        by: PairBy,
    ) -> Versus {
        let audit = Audit { by, ..self.audit };
        let name = |at: usize| lines.get(at).map_or('?', |line| line.letter);
        let rest = self.rest.borrow();
        let deciding = rest.measures.first().filter(|line| is_deciding(Some(line)));
        let (verdict, guard) =
            verdict::judge(deciding, &self.changes, &audit, margin, (name(0), name(side)));
        Versus {
            side,
            margin: Num(margin),
            audit,
            audit_words: audit_words(&audit, self.without_changed),
            touch: self.touch.clone(),
            transitions: self.transitions.clone(),
            changes: self.changes,
            measures: rest.measures.clone(),
            n_pending: rest.pending.len() as u64,
            own_score: rest.own_score,
            parts: self.parts.clone(),
            p_of_sides: None,
            verdict,
            guard,
            checkpoints: self.checkpoints.clone(),
            configuration: self.configuration.clone(),
        }
    }
}

impl MeasureProgress {
    /// Computes the next measure that both sides have, with its pairs and values; `None`: there is none.
    fn go_on(
        &mut self,
        both: &Both<'_>,
        clusters: Option<&(Vec<u32>, usize)>,
    ) -> Option<(MeasurePairs, [Values; 2])> {
        while let Some(measure) = self.pending.pop_front() {
            let Some(values) = both.values(&measure, both.rules) else { continue };
            let way = both.way(&measure);
            let Some(paired) = MeasurePairs::new(both.pairs, &values, way) else { continue };
            let Some(line) = paired.line(measure, clusters) else { continue };
            self.measures.push(line);
            return Some((paired, values));
        }
        None
    }

    /// What takes all measures, once they are there.
    fn close(&mut self, workspace: &Workspace, both: &Both<'_>, refs: &[Vec<RunRef>; 2]) {
        if !self.pending.is_empty() {
            return;
        }
        let p: Vec<Option<f64>> = self.measures.iter().map(|line| Some(line.p.0)).collect();
        for (line, p) in self.measures.iter_mut().zip(holm(&p)) {
            line.p_holm = p.map(Num);
        }
        self.own_score = own_score(workspace, refs, both, &self.measures);
    }
}

/// Whether a measure says which side is better.
fn is_deciding(line: Option<&MeasureLine>) -> bool {
    line.is_some_and(|line| matches!(line.measure, Valued::PassRate | Valued::Score))
}

/// What is compared, as far as both sides may have it: the deciding one first.
fn measures_of(both: &Both<'_>) -> VecDeque<Valued> {
    let mut measures = VecDeque::from([Valued::PassRate, Valued::Score]);
    let others = metrics_of(both.sides[1]);
    let common = metrics_of(both.sides[0]).into_iter().filter(|name| others.contains(name));
    measures.extend(common.take(MAX_METRICS).map(Valued::Metric));
    measures.extend([
        Valued::Cost,
        Valued::Duration,
        Valued::PromptTokens,
        Valued::CompletionTokens,
    ]);
    measures
}

fn transitions(pairs: &[(u32, u32)], came: &(Vec<Came>, Vec<Came>)) -> Vec<Transition> {
    let mut counts = vec![[0_u64; Came::N_WAYS]; Came::N_WAYS];
    for (left, right) in pairs {
        let from = came.0.get(*left as usize);
        let (Some(from), Some(to)) = (from, came.1.get(*right as usize)) else { continue };
        let n = counts.get_mut(from.index()).and_then(|to_each| to_each.get_mut(to.index()));
        if let Some(n) = n {
            *n += 1;
        }
    }
    let all = Came::all().zip(counts);
    let each = all.flat_map(|(from, counts)| {
        Came::all().zip(counts).map(move |(to, n)| Transition { from, to, n })
    });
    each.filter(|one| one.n > 0).collect()
}

fn changes(deciding: Option<&MeasurePairs>) -> ChangeCounts {
    let mut found = ChangeCounts::default();
    let Some(paired) = deciding else { return found };
    for apart in &paired.apart {
        let gain = paired.gain(*apart);
        found.regressed += u64::from(gain < -NOTHING);
        found.fixed += u64::from(gain > NOTHING);
    }
    found.same = paired.apart.len() as u64 - found.regressed - found.fixed;
    found
}

/// What was paired, in sentences.
fn audit_words(audit: &Audit, without_changed: bool) -> Vec<String> {
    let how = match audit.by {
        PairBy::Key => words::BY_KEY,
        PairBy::Id => words::BY_ID,
        PairBy::Input => words::BY_INPUT,
    };
    if audit.n_pairs == 0 {
        return vec![words::none_paired(how, audit.only_baseline, audit.only_candidate)];
    }
    let mut words = vec![words::paired(audit.n_pairs, how)];
    let mut say = |n: u64, sentence: String| {
        if n > 0 {
            words.push(sentence);
        }
    };
    let (one, two) = (audit.only_baseline, audit.only_candidate);
    say(one, words::only_in_baseline(one));
    say(two, words::only_in_candidate(two));
    let changed = audit.changed;
    say(changed, words::changed_inputs(changed, audit.n_known_inputs, without_changed));
    say(audit.duplicates, words::repeated_ids(audit.duplicates));
    say(audit.left_out, words::not_counted(audit.left_out));
    words
}
