//! What the rules in force change: which evaluations, repeats, runs, groups and cases come out
//! otherwise than by the declared rules, and which scores move.

use super::figures::Figures;
use super::judgement::Judgement;
use super::settings::pass_text;
use super::table::Column;
use super::tree::{run_score, score_of};
use super::workspace::{Entry, Workspace};
use super::{Cell, Link, Num, Outcome, PolicyRule, Row, Section, Table, Target};
use crate::format::{count, counted};
use crate::model::{Run, Verdict};
use crate::scoring::GroupScore;
use std::fmt::Write as _;

/// Rows of a table in the page; the export has all.
const MAX_ROWS: usize = 200;

/// What came out otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    Evaluation,
    Repeat,
    Run,
    Group,
    Case,
}

impl Level {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Evaluation => "evaluation",
            Self::Repeat => "repeat",
            Self::Run => "run",
            Self::Group => "group",
            Self::Case => "case",
        }
    }
}

/// One thing that comes out otherwise.
#[derive(Debug, Clone)]
pub(crate) struct Flip {
    pub level: Level,
    /// Name of the run it is in, or of the evaluation.
    pub within: String,
    pub name: String,
    pub from: Outcome,
    pub to: Outcome,
    pub from_score: Option<Num>,
    pub to_score: Option<Num>,
    pub why: String,
    pub link: Option<Link>,
}

/// How many things of each sort change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct FlipCounts {
    pub verdicts: u64,
    pub groups: u64,
    pub cases: u64,
}

/// Counts over everything that is loaded.
pub(super) fn flip_counts(workspace: &Workspace) -> FlipCounts {
    let mut counts = FlipCounts::default();
    for entry in &workspace.entries {
        counts.cases += flipped_cases(entry).count() as u64;
        for flip in upper_flips(entry) {
            match flip.level {
                Level::Group => counts.groups += 1,
                _ => counts.verdicts += 1,
            }
        }
    }
    counts
}

/// Everything that comes out otherwise, whole evaluations first, cases last.
pub(crate) fn flips(workspace: &Workspace) -> impl Iterator<Item = Flip> {
    workspace.entries.iter().flat_map(|entry| {
        let cases = flipped_cases(entry);
        let cases = cases.filter_map(|(run_idx, idx)| case_flip(entry, run_idx, idx, workspace));
        upper_flips(entry).into_iter().chain(cases)
    })
}

/// Verdicts and groups.
fn upper_flips(entry: &Entry) -> Vec<Flip> {
    if std::rc::Rc::ptr_eq(&entry.base, &entry.figures) {
        return Vec::new();
    }
    let (before, after): (&Figures, &Figures) = (&entry.base, &entry.figures);
    let label = &entry.evaluation.label;
    let mut flips = Vec::new();
    flips.extend(verdict_flip(
        Level::Evaluation,
        (label, label),
        (before.verdict.as_ref(), after.verdict.as_ref()),
        (score_of(entry, before), score_of(entry, after)),
        Some(Link::Target(Target::Evaluation(entry.id))),
    ));
    if before.repeats.len() > 1 {
        for (was, is) in before.repeats.iter().zip(&after.repeats) {
            let outcome = |gate: &Option<crate::policy::GateVerdict>| {
                let is_passed = gate.as_ref().and_then(|gate| gate.is_passed);
                is_passed.map_or(Outcome::Unscored, Outcome::of)
            };
            let (from, to) = (outcome(&was.gate), outcome(&is.gate));
            if from != to {
                let reason = |gate: &Option<crate::policy::GateVerdict>| {
                    gate.as_ref().map_or("no gate".to_owned(), |gate| gate.reason.clone())
                };
                flips.push(Flip {
                    level: Level::Repeat,
                    within: label.clone(),
                    name: format!("Run {}", is.repeat),
                    from,
                    to,
                    from_score: was.totals.reward.or(was.totals.score.mean_attempted),
                    to_score: is.totals.reward.or(is.totals.score.mean_attempted),
                    why: format!("{}; before: {}", reason(&is.gate), reason(&was.gate)),
                    link: Some(Link::Target(Target::Evaluation(entry.id))),
                });
            }
        }
    }
    for (idx, (was, is)) in before.runs.iter().zip(&after.runs).enumerate() {
        let Some(run) = entry.evaluation.runs.get(idx) else { continue };
        let link = entry.run_ref(idx).map(|run| Link::Target(Target::Run(run)));
        flips.extend(verdict_flip(
            Level::Run,
            (label, &run.label),
            (was.verdict.as_ref(), is.verdict.as_ref()),
            (run_score(was), run_score(is)),
            link.clone(),
        ));
        for (was, is) in was.groups.iter().zip(&is.groups) {
            let (from, to) = (group_outcome(was), group_outcome(is));
            if from != to {
                flips.push(Flip {
                    level: Level::Group,
                    within: run.label.clone(),
                    name: is.name.clone(),
                    from,
                    to,
                    from_score: was.score,
                    to_score: is.score,
                    why: format!(
                        "{} of {} cases pass; before: {} of {}",
                        is.passed, is.cases, was.passed, was.cases
                    ),
                    link: link.clone(),
                });
            }
        }
    }
    flips
}

/// A group passes when all its cases do.
fn group_outcome(group: &GroupScore) -> Outcome {
    match group.cases {
        0 => Outcome::Unscored,
        n_cases => Outcome::of(group.passed == n_cases),
    }
}

fn verdict_flip(
    level: Level,
    (within, name): (&str, &str),
    (was, is): (Option<&Judgement>, Option<&Judgement>),
    (from_score, to_score): (Option<Num>, Option<Num>),
    link: Option<Link>,
) -> Option<Flip> {
    let outcome = |verdict: Option<&Judgement>| verdict.map_or(Outcome::Unscored, |v| v.outcome);
    let words = |verdict: Option<&Judgement>| {
        verdict.map_or("no rule".to_owned(), |v| format!("{}: {}", v.rule, v.reason))
    };
    (outcome(was) != outcome(is)).then(|| Flip {
        level,
        within: within.to_owned(),
        name: name.to_owned(),
        from: outcome(was),
        to: outcome(is),
        from_score,
        to_score,
        why: format!("{}; before: {}", words(is), words(was)),
        link,
    })
}

/// Run and row of every case whose outcome differs.
fn flipped_cases(entry: &Entry) -> impl Iterator<Item = (usize, usize)> {
    let runs = entry.recorded_runs().iter().zip(&entry.evaluation.runs).enumerate();
    // Without other judgements both are the same tables.
    runs.filter(|_| entry.is_rejudged()).flat_map(|(run_idx, (was, is))| {
        (0..is.cases.len())
            .filter(|&idx| was.cases.outcome.get(idx) != is.cases.outcome.get(idx))
            .map(move |idx| (run_idx, idx))
    })
}

fn case_flip(entry: &Entry, run_idx: usize, idx: usize, workspace: &Workspace) -> Option<Flip> {
    let (was, is) = (entry.recorded_runs().get(run_idx)?, entry.evaluation.runs.get(run_idx)?);
    Some(Flip {
        level: Level::Case,
        within: is.label.clone(),
        name: is.cases.id.get(idx).unwrap_or_default().to_owned(),
        from: was.cases.outcome_of(idx),
        to: is.cases.outcome_of(idx),
        from_score: was.cases.score.get(idx).map(Num),
        to_score: is.cases.score.get(idx).map(Num),
        why: case_reason(is, idx, workspace),
        link: Some(Link::Case { run: entry.run_ref(run_idx)?, case_idx: idx as u64 }),
    })
}

/// Why a case comes out as it does by the rules in force.
fn case_reason(run: &Run, idx: usize, workspace: &Workspace) -> String {
    let rules = &workspace.settings.rules;
    let mut why = String::new();
    if let Some(strategy) = rules.strategy {
        let verdicts = || run.checks_of(idx).filter_map(|at| run.checks.verdict_of(at));
        let n_judged = verdicts().filter(|verdict| *verdict != Verdict::Error).count();
        let n_passed = verdicts().filter(|verdict| *verdict == Verdict::Passed).count();
        // Writing into a `String` cannot fail.
        let _ = write!(why, "by {strategy}, {n_passed} of {n_judged} attempts passed");
    }
    if let (Some(rule), Some(score)) = (rules.pass, run.cases.score.get(idx)) {
        let holds = if rule.op.holds(score, rule.value) { "is" } else { "is not" };
        let joint = if why.is_empty() { "" } else { "; " };
        let _ = write!(why, "{joint}the score {score} {holds} {}", pass_text(rule));
    }
    why
}

/// What changes for `target`, as tables.
pub(super) fn flip_section(workspace: &Workspace, target: Target) -> Section {
    let mut upper = Vec::new();
    let mut cases = (Vec::new(), 0_usize);
    let mut moved = Vec::new();
    for entry in workspace.entries_of(target) {
        let run_of_target = match target {
            Target::Run(run) => Some(run.run as usize),
            _ => None,
        };
        upper.extend(upper_flips(entry).into_iter().filter(|flip| match target {
            Target::Run(run) => flip.link == Some(Link::Target(Target::Run(run))),
            _ => true,
        }));
        for (run_idx, idx) in flipped_cases(entry) {
            if run_of_target.is_some_and(|own| own != run_idx) {
                continue;
            }
            cases.1 += 1;
            if cases.0.len() < MAX_ROWS {
                cases.0.extend(case_flip(entry, run_idx, idx, workspace));
            }
        }
        moved.extend(moved_scores(entry, run_of_target));
    }
    let n_upper = upper.len();
    upper.truncate(MAX_ROWS);
    let nothing = if !workspace.settings.changes().is_empty() {
        "Nothing changes by these rules.".to_owned()
    } else if let Some(policies) = other_policies(workspace, target) {
        format!(
            "The guide's default policy {} is in force, while these files declare {policies}: choose \"as declared\" to judge by it. Change a rule, and what changes is listed here.",
            PolicyRule::DEFAULT.as_str()
        )
    } else if workspace.entries_of(target).any(lacks_rule) {
        "The default rules are in force: the files declare none. Change one, and what changes is listed here."
            .to_owned()
    } else {
        "The declared rules are in force. Change one, and what changes is listed here.".to_owned()
    };
    let lead = format!(
        "By the rules in force, against the declared ones: {} and {} change.",
        counted(n_upper as u64, "verdict or group", "verdicts and groups"),
        counted(cases.1 as u64, "case", "cases"),
    );
    let mut tables = Vec::new();
    if n_upper > 0 {
        tables.push(flip_table("flips", "Verdicts and groups", upper, n_upper));
    }
    if cases.1 > 0 {
        tables.push(flip_table("flipped-cases", "Cases", cases.0, cases.1));
    }
    if !moved.is_empty() {
        tables.push(moved_table(moved));
    }
    let is_empty = tables.is_empty();
    Section {
        title: "What changes".to_owned(),
        lead: Some(if is_empty { nothing } else { lead }),
        tables,
        ..Section::default()
    }
}

/// Policies that files of `target` declare and that are not the one in force.
fn other_policies(workspace: &Workspace, target: Target) -> Option<String> {
    let in_force = workspace.settings.policy.as_str();
    let mut names: Vec<&str> = Vec::new();
    for entry in workspace.entries_of(target) {
        let config = &entry.evaluation.config;
        let of_suites = config.suites.iter().filter_map(|state| state.policy.as_deref());
        for name in of_suites.chain(config.declared_policy.as_deref()) {
            if name != in_force && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    (!names.is_empty()).then(|| names.join(", "))
}

/// Whether its runs are judged by a policy that none of its files names.
fn lacks_rule(entry: &Entry) -> bool {
    let config = &entry.evaluation.config;
    config.has_policies
        && config.declared_policy.is_none()
        && config.suites.iter().all(|state| state.policy.is_none())
}

fn flip_table(id: &str, caption: &str, flips: Vec<Flip>, n_flips: usize) -> Table {
    let mut table = Table::new(
        id,
        caption,
        vec![
            Column::words("Name"),
            Column::words("What"),
            Column::words("In"),
            Column::words("From"),
            Column::words("To"),
            Column::numbers("Score before", ""),
            Column::numbers("Score now", ""),
            Column::words("Why"),
        ],
    );
    if n_flips > flips.len() {
        table.footnote = Some(format!(
            "The first {} of {}. Export → Flip list (CSV) has all of them.",
            count(flips.len() as u64),
            count(n_flips as u64)
        ));
    }
    for flip in flips {
        let score = |score| Cell::or_missing(score, Cell::Number, "no score");
        table.rows.push(Row {
            cells: vec![
                Cell::Text(flip.name),
                Cell::Text(flip.level.as_str().to_owned()),
                Cell::Text(flip.within),
                Cell::Outcome(flip.from),
                Cell::Outcome(flip.to),
                score(flip.from_score),
                score(flip.to_score),
                Cell::Text(flip.why),
            ],
            link: flip.link,
        });
    }
    table
}

/// A score that moved: name, before, now, link.
type Moved = (String, Option<Num>, Option<Num>, Option<Link>);

/// Scores of the evaluation, its runs and groups that differ.
fn moved_scores(entry: &Entry, only: Option<usize>) -> Vec<Moved> {
    let (before, after): (&Figures, &Figures) = (&entry.base, &entry.figures);
    let label = &entry.evaluation.label;
    let mut moved: Vec<Moved> = Vec::new();
    if only.is_none() {
        let link = Link::Target(Target::Evaluation(entry.id));
        moved.push((label.clone(), score_of(entry, before), score_of(entry, after), Some(link)));
    }
    for (idx, (was, is)) in before.runs.iter().zip(&after.runs).enumerate() {
        let Some(run) = entry.evaluation.runs.get(idx) else { continue };
        if only.is_some_and(|only| only != idx) {
            continue;
        }
        let link = entry.run_ref(idx).map(|run| Link::Target(Target::Run(run)));
        moved.push((run.label.clone(), run_score(was), run_score(is), link.clone()));
        for (was, is) in was.groups.iter().zip(&is.groups) {
            moved.push((format!("{} › {}", run.label, is.name), was.score, is.score, link.clone()));
        }
    }
    let bits = |score: Option<Num>| score.map(|score| score.0.to_bits());
    moved.retain(|(_, was, is, _)| bits(*was) != bits(*is));
    moved
}

fn moved_table(mut moved: Vec<Moved>) -> Table {
    let mut table = Table::new(
        "moved-scores",
        "Scores",
        vec![
            Column::words("Of"),
            Column::numbers("Before", "By the declared rules"),
            Column::numbers("Now", "By the rules in force"),
            Column::numbers("Change", "Now minus before"),
        ],
    );
    if moved.len() > MAX_ROWS {
        table.footnote =
            Some(format!("The first {} of {}.", count(MAX_ROWS as u64), count(moved.len() as u64)));
        moved.truncate(MAX_ROWS);
    }
    for (name, was, is, link) in moved {
        let change = was.zip(is).map(|(was, is)| Num(is.0 - was.0));
        table.rows.push(Row {
            cells: vec![
                Cell::Text(name),
                Cell::or_missing(was, Cell::Number, "undefined by the declared rules"),
                Cell::or_missing(is, Cell::Number, "undefined by the rules in force"),
                Cell::or_missing(change, Cell::Number, "one of the two is undefined"),
            ],
            link,
        });
    }
    table
}
