//! The section "What changes" of the rules page: flips and moved scores as tables.

use super::{Flip, case_flip, flipped_cases, upper_flips};
use crate::format::{count, counted};
use crate::report::figures::Figures;
use crate::report::table::Column;
use crate::report::tree::{run_score, score_of};
use crate::report::workspace::{Entry, Workspace};
use crate::report::{Cell, Link, Num, PolicyRule, Row, Section, Table, Target};

/// Rows of a table in the page; the export has all.
const MAX_ROWS: usize = 200;

/// The section about `target`.
pub(in crate::report) fn flip_section(workspace: &Workspace, target: Target) -> Section {
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

/// Whether the runs of `entry` are judged by a policy that none of its files names.
fn lacks_rule(entry: &Entry) -> bool {
    let config = &entry.evaluation.config;
    config.has_policies
        && config.declared_policy.is_none()
        && config.suites.iter().all(|state| state.policy.is_none())
}

/// Flips as a table; `n_flips` counts those that have no row too.
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

/// Moved scores as a table.
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
