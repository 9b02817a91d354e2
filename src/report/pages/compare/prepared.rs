//! The cases of the sides, paired: what stays as it is when margin or rules change.

use super::computed::Computed;
use super::{CompareQuery, MAX_SIDES, SideLine, SideSpec};
use crate::figures::Settings;
use crate::model::{Run, Text, ValueColumn};
use crate::report::{RunRef, Target};
use crate::scoring::Rules;
use crate::scoring::sides::{
    PairBy, Pairing, Side, SideCases, SideRun, StripPattern, pair, pair_best,
};
use crate::words::report::compare as words;
use crate::workspace::{Entry, Workspace, run_title};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

/// Which candidate was computed, by which rules and weights of groups, and whether without pairs of other inputs.
type ComputedKey = (usize, Rules, BTreeMap<String, f64>, bool);

/// What was computed, by what it follows from.
type ComputedKept = RefCell<Vec<(ComputedKey, Rc<Computed>)>>;

/// The runs of a side, each with its ids.
type SideRuns = Vec<(RunRef, ValueColumn<Text>)>;

/// Sides whose cases are paired.
pub(super) struct PreparedSides {
    /// The evaluations and runs that each side was asked for by.
    members: Vec<Vec<Target>>,
    by: Option<PairBy>,
    strip: String,
    /// Why the pattern was not understood.
    pub(super) complaint: Option<String>,
    /// The runs of each side, each with its ids: held, so that no others can take their place in memory.
    runs: Vec<SideRuns>,
    /// The cases of each side.
    pub(super) cases: Vec<Rc<SideCases>>,
    /// Which of them are the same.
    pub(super) pairing: Pairing,
    /// What follows of the pairs. Another way of pairing that gives the same ones has the same.
    computed: Rc<ComputedKept>,
}

/// Ways of pairing that are kept: one can go back to the last one without waiting.
const MAX_KEPT: usize = 3;

/// What was paired last, the newest at the end.
#[derive(Default)]
struct PairingCache(RefCell<Vec<Rc<PreparedSides>>>);

/// What `query` asks for, paired; kept for the next questions.
pub(super) fn prepare(workspace: &Workspace, query: &CompareQuery) -> Option<Rc<PreparedSides>> {
    let kept = workspace.lasting.get_or(PairingCache::default);
    let mut all = kept.0.borrow_mut();
    if let Some(at) = all.iter().position(|kept| kept.answers(workspace, query)) {
        let found = all.remove(at);
        all.push(Rc::clone(&found));
        return Some(found);
    }
    all.retain(|kept| kept.is_alive(workspace));
    let found = Rc::new(PreparedSides::new(workspace, query, &all)?);
    if all.len() >= MAX_KEPT {
        all.remove(0);
    }
    all.push(Rc::clone(&found));
    Some(found)
}

/// The runs that `members` name, each once.
fn runs_of(workspace: &Workspace, members: &[Target]) -> Option<Vec<RunRef>> {
    let (mut found, mut known) = (Vec::new(), HashSet::new());
    for member in members {
        match *member {
            Target::All => found.extend(workspace.entries.iter().flat_map(run_refs)),
            Target::Evaluation(id) => found.extend(run_refs(workspace.entry(id)?)),
            Target::Run(run) => found.push(workspace.run(run).map(|_| run)?),
        }
    }
    found.retain(|run| known.insert(*run));
    Some(found)
}

fn run_refs(entry: &crate::workspace::Entry) -> impl Iterator<Item = RunRef> {
    (0..entry.evaluation.runs.len()).filter_map(|idx| entry.run_ref(idx))
}

impl PreparedSides {
    /// What `query` asks for. What `kept` knows already is taken from there.
    fn new(workspace: &Workspace, query: &CompareQuery, kept: &[Rc<Self>]) -> Option<Self> {
        if !(2..=MAX_SIDES).contains(&query.sides.len()) {
            return None;
        }
        let (strip, complaint) = match StripPattern::parse(&query.strip) {
            Ok(strip) => (strip, None),
            Err(why) => (None, Some(why)),
        };
        let mut runs = Vec::new();
        for spec in &query.sides {
            let own = runs_of(workspace, &spec.members)?.into_iter();
            runs.push(own.map(|at| (at, ids_of(workspace, at))).collect());
        }
        let mut prepared = Self {
            members: query.sides.iter().map(|spec| spec.members.clone()).collect(),
            by: query.by,
            strip: query.strip.clone(),
            complaint,
            runs,
            cases: Vec::new(),
            pairing: Pairing::default(),
            computed: Rc::default(),
        };
        let sides = prepared.sides(workspace);
        let of_side = |(side, runs): (&Side<'_>, &SideRuns)| {
            let known = kept.iter().find_map(|kept| kept.cases_of(runs));
            known.unwrap_or_else(|| Rc::new(SideCases::new(side)))
        };
        let cases: Vec<Rc<SideCases>> = sides.iter().zip(&prepared.runs).map(of_side).collect();
        let both = both(&sides, &cases);
        let pairing = match query.by {
            Some(by) => pair(&both, by, strip.as_ref()),
            None => pair_best(&both, strip.as_ref()),
        };
        drop(both);
        drop(sides);
        prepared.cases = cases;
        prepared.pairing = pairing;
        if let Some(same) = kept.iter().find(|kept| kept.has_same_pairs(&prepared)) {
            prepared.computed = Rc::clone(&same.computed);
        }
        Some(prepared)
    }

    /// The cases of the side of `runs`, if it has one.
    fn cases_of(&self, runs: &SideRuns) -> Option<Rc<SideCases>> {
        let is_same = |own: &SideRuns| {
            own.len() == runs.len()
                && own.iter().zip(runs).all(|((at, ids), (other, other_ids))| {
                    at == other && is_same_column(ids, other_ids)
                })
        };
        let at = self.runs.iter().position(is_same)?;
        self.cases.get(at).map(Rc::clone)
    }

    /// Whether `other` pairs the same cases of the same sides.
    fn has_same_pairs(&self, other: &Self) -> bool {
        self.cases.len() == other.cases.len()
            && self.cases.iter().zip(&other.cases).all(|(own, other)| Rc::ptr_eq(own, other))
            && self.pairing.has_same_pairs(&other.pairing)
    }

    /// Whether all its runs are still what they were.
    fn is_alive(&self, workspace: &Workspace) -> bool {
        self.runs.iter().flatten().all(|(at, ids)| {
            workspace.run(*at).is_some_and(|(_, run)| is_same_column(ids, &run.cases.id))
        })
    }

    /// Whether it is what `query` asks for, of the same runs.
    fn answers(&self, workspace: &Workspace, query: &CompareQuery) -> bool {
        self.members.iter().eq(query.sides.iter().map(|spec| &spec.members))
            && self.by == query.by
            && self.strip == query.strip
            && self.is_alive(workspace)
            && self.members.iter().zip(&self.runs).all(|(members, own)| {
                runs_of(workspace, members)
                    .is_some_and(|runs| runs.iter().eq(own.iter().map(|(at, _)| at)))
            })
    }

    /// The runs of each side.
    pub(super) fn sides<'a>(&self, workspace: &'a Workspace) -> Vec<Side<'a>> {
        let side_run = |(at, _): &(RunRef, ValueColumn<Text>)| {
            let (entry, run) = workspace.run(*at)?;
            Some(SideRun { run, config: &entry.evaluation.config })
        };
        let side = |own: &SideRuns| Side { runs: own.iter().filter_map(side_run).collect() };
        self.runs.iter().map(side).collect()
    }

    /// The runs of `side`.
    pub(super) fn refs(&self, side: usize) -> Vec<RunRef> {
        self.runs.get(side).into_iter().flatten().map(|(at, _)| *at).collect()
    }

    /// What follows of `side` against the baseline; kept for the rules in force.
    pub(super) fn computed(
        &self,
        workspace: &Workspace,
        sides: &[Side<'_>],
        side: usize,
        without_changed: bool,
    ) -> Option<Rc<Computed>> {
        let Settings { rules, group_weights, .. } = &workspace.settings;
        let key = (side, *rules, group_weights.clone(), without_changed);
        let kept = self.computed.borrow().iter().find(|(known, _)| *known == key).cloned();
        if let Some((_, kept)) = kept {
            return Some(kept);
        }
        let paired = self
            .computed
            .borrow()
            .iter()
            .find(|(known, _)| known.0 == side)
            .map(|(_, known)| known.paired());
        let computed = Computed::new(self, workspace, sides, side, without_changed, paired)?;
        let computed = Rc::new(computed);
        let mut all = self.computed.borrow_mut();
        // One of each candidate is enough for a page; a few more for somebody who tries rules.
        if all.len() >= 4 * MAX_SIDES {
            all.clear();
        }
        all.push((key, Rc::clone(&computed)));
        Some(computed)
    }

    /// The sides as lists show them.
    pub(super) fn lines(
        &self,
        workspace: &Workspace,
        sides: &[Side<'_>],
        specs: &[SideSpec],
    ) -> Vec<SideLine> {
        // What all sides have in common tells none of them apart.
        let mut of = sides.iter().enumerate().flat_map(|(at, _)| self.refs(at));
        let first = of.next().map(|at| at.evaluation);
        let title: RunTitle = if of.all(|at| Some(at.evaluation) == first) {
            |_, run| run.label.clone()
        } else {
            run_title
        };
        let lines = sides.iter().zip(&self.cases).zip(specs).enumerate();
        let mut lines: Vec<SideLine> = lines
            .map(|(at, ((side, cases), spec))| {
                let refs = self.refs(at);
                let key = |at: &RunRef| {
                    let (entry, _) = workspace.run(*at)?;
                    Some(entry.run_key(at.run as usize))
                };
                SideLine {
                    letter: letter(at),
                    label: if spec.label.is_empty() {
                        label_of(workspace, spec, &refs, title)
                    } else {
                        spec.label.clone()
                    },
                    runs: refs.iter().filter_map(key).collect(),
                    n_cases: cases.len() as u64,
                    has_inputs: side.runs.iter().any(|own| own.run.cases.has_asked()),
                    n_trials: side.runs.iter().map(|own| own.run.cases.len() as u64).sum(),
                    remark: remark(workspace, &refs),
                }
            })
            .collect();
        self.tell_apart(workspace, &mut lines);
        lines
    }

    /// Adds the evaluation to the names of sides that are called alike.
    fn tell_apart(&self, workspace: &Workspace, lines: &mut [SideLine]) {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for line in lines.iter() {
            *counts.entry(line.label.clone()).or_default() += 1;
        }
        for (at, line) in lines.iter_mut().enumerate() {
            let evaluation = self.refs(at).first().and_then(|at| workspace.entry(at.evaluation));
            if let Some(entry) = evaluation
                && counts.get(&line.label).is_some_and(|n| *n > 1)
                && entry.evaluation.label != line.label
            {
                line.label = format!("{} · {}", line.label, entry.evaluation.label);
            }
        }
    }
}

/// Sides with their cases.
pub(super) fn both<'a>(
    sides: &'a [Side<'a>],
    cases: &'a [Rc<SideCases>],
) -> Vec<(&'a Side<'a>, &'a SideCases)> {
    sides.iter().zip(cases.iter().map(Rc::as_ref)).collect()
}

/// A, B, C …
pub(super) fn letter(side: usize) -> char {
    u8::try_from(side).ok().filter(|at| *at < 26).map_or('?', |at| char::from(b'A' + at))
}

fn ids_of(workspace: &Workspace, at: RunRef) -> ValueColumn<Text> {
    workspace.run(at).map(|(_, run)| run.cases.id.clone()).unwrap_or_default()
}

/// Whether two columns are the same memory.
fn is_same_column(one: &ValueColumn<Text>, other: &ValueColumn<Text>) -> bool {
    let place = |column: &ValueColumn<Text>| {
        let array = column.array()?;
        Some((array.value_data().as_ptr(), array.value_offsets().as_ptr()))
    };
    place(one) == place(other) && one.iter().len() == other.iter().len()
}

/// What a run is called.
type RunTitle = fn(&Entry, &Run) -> String;

/// What a side is called after what it holds.
fn label_of(workspace: &Workspace, spec: &SideSpec, refs: &[RunRef], title: RunTitle) -> String {
    if let [Target::Evaluation(id)] = spec.members.as_slice()
        && let Some(entry) = workspace.entry(*id)
    {
        return entry.evaluation.label.clone();
    }
    if let Some(subject) = whole_subject(workspace, refs) {
        return subject;
    }
    let mut titles: Vec<String> = Vec::new();
    for at in refs {
        let Some((entry, run)) = workspace.run(*at) else { continue };
        let own = title(entry, run);
        if !titles.contains(&own) {
            titles.push(own);
        }
    }
    match titles.as_slice() {
        [] => words::NOTHING.to_owned(),
        [only] => only.clone(),
        [first, others @ ..] => words::and_more(first, others.len() as u64),
    }
}

/// The subject of which `refs` are all runs of an evaluation, where it has several.
fn whole_subject(workspace: &Workspace, refs: &[RunRef]) -> Option<String> {
    let first = refs.first().filter(|_| refs.len() > 1)?;
    let entry = workspace.entry(first.evaluation)?;
    let subject = workspace.run(*first)?.1.key.subject.clone()?;
    let is_of_it = |run: &&Run| run.key.subject.as_ref() == Some(&subject);
    let n_all = entry.evaluation.runs.iter().filter(is_of_it).count();
    let mut runs = refs.iter();
    let is_own = runs.all(|at| {
        let run = workspace.run(*at).map(|(_, run)| run);
        at.evaluation == first.evaluation && run.as_ref().is_some_and(is_of_it)
    });
    (is_own && refs.len() == n_all).then_some(subject)
}

/// That a side holds several subjects, or that its subject has repeats which are not part of it.
fn remark(workspace: &Workspace, refs: &[RunRef]) -> Option<String> {
    let subjects = refs.iter().filter_map(|at| workspace.run(*at)?.1.key.subject.as_deref());
    let n_subjects = subjects.collect::<HashSet<_>>().len() as u64;
    if n_subjects > 1 {
        return Some(words::holds_subjects(n_subjects));
    }
    let [only] = refs else { return None };
    let (entry, run) = workspace.run(*only)?;
    let is_repeat = |other: &&Run| {
        let (one, two) = (&run.key, &other.key);
        one.suite == two.suite && one.variant == two.variant && one.subject == two.subject
    };
    let n = entry.evaluation.runs.iter().filter(is_repeat).count() as u64;
    (n > 1).then(|| words::one_of_repeats(n))
}
