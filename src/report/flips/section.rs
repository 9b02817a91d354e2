//! What changes, for the rules page: in short, and flips and moved scores as tables.

use super::{Flip, FlipCounts, FlipLevel, case_flip, flipped_cases, upper_flips};
use crate::figures::Figures;
use crate::figures::PolicyRule;
use crate::report::table::Column;
use crate::report::tree::{run_score, score_of};
use crate::report::{Cell, Link, Num, Row, RuleChanges, Section, Table, Target};
use crate::words::report::rules::{CASES, NO_SCORE, REASON, SCORES, changes as words};
use crate::workspace::{Entry, Workspace};

/// Rows of a table in the page; the export has all.
const MAX_ROWS: usize = 200;

/// What changes of `target` by the rules in force: in short, and one by one.
pub(in crate::report) fn flip_section(
    workspace: &Workspace,
    target: Target,
) -> (RuleChanges, Option<Section>) {
    let mut upper = Vec::new();
    let mut cases = Vec::new();
    let mut counts = FlipCounts::default();
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
            counts.cases += 1;
            if cases.len() < MAX_ROWS {
                cases.extend(case_flip(entry, run_idx, idx, workspace));
            }
        }
        moved.extend(moved_scores(entry, run_of_target));
    }
    let n_upper = upper.len() as u64;
    counts.groups = upper.iter().filter(|flip| flip.level == FlipLevel::Group).count() as u64;
    counts.verdicts = n_upper - counts.groups;
    upper.truncate(MAX_ROWS);
    let rules = workspace.settings.changes();
    let changes = RuleChanges::of(rules, counts, &upper, &cases, nothing(workspace, target));
    let mut tables = Vec::new();
    if n_upper > 0 {
        tables.push(flip_table("flips", words::VERDICTS_AND_GROUPS, upper, n_upper));
    }
    if counts.cases > 0 {
        tables.push(flip_table("flipped-cases", CASES, cases, counts.cases));
    }
    if !moved.is_empty() {
        tables.push(moved_table(moved));
    }
    let section = (!tables.is_empty()).then(|| Section {
        title: words::ALL_CHANGES.to_owned(),
        lead: Some(words::ALL_CHANGES_LEAD.to_owned()),
        tables,
        ..Section::default()
    });
    (changes, section)
}

/// What is said where nothing changes.
fn nothing(workspace: &Workspace, target: Target) -> String {
    if !workspace.settings.changes().is_empty() {
        words::NOTHING_CHANGES.to_owned()
    } else if let Some(policies) = other_policies(workspace, target) {
        words::default_in_force(PolicyRule::DEFAULT.as_str(), &policies)
    } else if workspace.entries_of(target).any(lacks_rule) {
        words::NONE_DECLARED.to_owned()
    } else {
        words::DECLARED_IN_FORCE.to_owned()
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

/// Whether the runs of `entry` are judged by a policy that none of its files names.
fn lacks_rule(entry: &Entry) -> bool {
    let config = &entry.evaluation.config;
    config.has_policies
        && config.declared_policy.is_none()
        && config.suites.iter().all(|state| state.policy.is_none())
}

/// Flips as a table; `n_flips` counts those that have no row too.
fn flip_table(id: &str, caption: &str, flips: Vec<Flip>, n_flips: u64) -> Table {
    let mut table = Table::new(
        id,
        caption,
        vec![
            Column::words(words::NAME),
            Column::words(words::LEVEL),
            Column::words(words::PART_OF),
            Column::words(words::FROM),
            Column::words(words::TO),
            Column::numbers(words::SCORE_BEFORE, ""),
            Column::numbers(words::SCORE_NOW, ""),
            Column::words(REASON),
        ],
    );
    if n_flips > flips.len() as u64 {
        table.footnote = Some(words::first_changes(flips.len() as u64, n_flips));
    }
    for flip in flips {
        let score = |score| Cell::or_missing(score, Cell::Number, NO_SCORE);
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

/// Moved scores as a table.
fn moved_table(mut moved: Vec<Moved>) -> Table {
    let mut table = Table::new(
        "moved-scores",
        SCORES,
        vec![
            Column::words(words::SCORE_OF),
            Column::numbers(words::BEFORE, words::BEFORE_HINT),
            Column::numbers(words::NOW, words::NOW_HINT),
            Column::numbers(words::CHANGE, words::CHANGE_HINT),
        ],
    );
    if moved.len() > MAX_ROWS {
        table.footnote = Some(words::first_scores(MAX_ROWS as u64, moved.len() as u64));
        moved.truncate(MAX_ROWS);
    }
    for (name, was, is, link) in moved {
        let change = was.zip(is).map(|(was, is)| Num(is.0 - was.0));
        table.rows.push(Row {
            cells: vec![
                Cell::Text(name),
                Cell::or_missing(was, Cell::Number, words::UNDEFINED_BEFORE),
                Cell::or_missing(is, Cell::Number, words::UNDEFINED_NOW),
                Cell::or_missing(change, Cell::Number, words::ONE_UNDEFINED),
            ],
            link,
        });
    }
    table
}
