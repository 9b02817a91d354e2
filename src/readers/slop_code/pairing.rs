//! Which of several loose files belong to the same checkpoint, by what is in them.
//!
//! Files dropped without their folders (`evaluation.json`, `evaluation (1).json`, …) are joined by
//! problem, checkpoint, case ids and time (`formats/slop-code.md` §1, "Joining keys").

use super::super::Claimed;
use super::bundle::Unit;
use super::{evaluation_g1, evaluation_g2, pytest_report, reports as report_rows};
use crate::input::json::Cursor;
use std::collections::HashSet;
use std::rc::Rc;

/// Rows of a report that are compared.
const IDS_COMPARED: usize = 512;

type Pair = (Option<Rc<Claimed>>, Option<Rc<Claimed>>);

/// Pairs evaluations with Parquet reports; what finds no partner stands alone.
pub(super) fn reports(evaluations: Vec<Rc<Claimed>>, reports: Vec<Rc<Claimed>>) -> Vec<Pair> {
    let left: Vec<_> = evaluations
        .iter()
        .map(|claimed| evaluation_g1::parse(&claimed.file.all_bytes().unwrap_or_default()).0)
        .collect();
    let right: Vec<_> =
        reports.iter().map(|claimed| report_rows::keys(&claimed.file, IDS_COMPARED)).collect();
    let mut scored = Vec::new();
    for (at_left, evaluation) in left.iter().enumerate() {
        let ids: HashSet<(&str, &str)> = evaluation
            .groups
            .iter()
            .flat_map(|group| {
                group.results.iter().map(|entry| (group.name.as_str(), entry.id.as_str()))
            })
            .collect();
        for (at_right, keys) in right.iter().enumerate() {
            if differ(&evaluation.problem, &keys.problem)
                || differ(&evaluation.checkpoint, &keys.checkpoint)
            {
                continue;
            }
            let n_known = keys
                .ids
                .iter()
                .filter(|(group, id)| ids.contains(&(group.as_str(), id.as_str())))
                .count();
            if n_known == 0 && !(ids.is_empty() && keys.ids.is_empty()) {
                continue;
            }
            // Same cases of another run: the nearest start before the first case wins.
            let started = evaluation.timestamp.clone().unwrap_or_default();
            let is_before = keys.timestamp.as_ref().is_none_or(|first| started <= *first);
            scored.push((n_known, is_before, started, at_left, at_right));
        }
    }
    scored.sort_by(|left, right| right.cmp(left));
    let mut partners: Vec<Option<usize>> = vec![None; reports.len()];
    let mut taken = HashSet::new();
    for (_, _, _, at_left, at_right) in scored {
        let Some(partner) = partners.get_mut(at_right) else { continue };
        if partner.is_none() && taken.insert(at_left) {
            *partner = Some(at_left);
        }
    }
    let mut pairs: Vec<Pair> = Vec::new();
    for (report, partner) in reports.into_iter().zip(partners) {
        let evaluation = partner.and_then(|at| evaluations.get(at).cloned());
        pairs.push((evaluation, Some(report)));
    }
    let alone = evaluations.into_iter().enumerate().filter(|(at, _)| !taken.contains(at));
    pairs.extend(alone.map(|(_, evaluation)| (Some(evaluation), None)));
    pairs
}

fn differ(left: &Option<String>, right: &Option<String>) -> bool {
    left.as_ref().zip(right.as_ref()).is_some_and(|(left, right)| left != right)
}

/// Which of the units at `candidates` a pytest report belongs to: the one that knows most of its
/// tests; none when none knows any.
pub(super) fn pytest(report: &Claimed, candidates: &[usize], units: &[Unit]) -> Option<usize> {
    let tests = nodes(report);
    let mut best = (0, None);
    for &at in candidates {
        let Some(evaluation) = units.get(at).and_then(|unit| unit.evaluation.as_ref()) else {
            continue;
        };
        let bytes = evaluation.file.all_bytes().unwrap_or_default();
        let (file, _) = evaluation_g2::parse(&bytes);
        let n_known = file
            .tests
            .iter()
            .filter(|test| {
                let checkpoint = evaluation_g2::split_group(&test.group).0.unwrap_or_default();
                tests.contains(&(checkpoint.to_owned(), test.id.clone()))
            })
            .count();
        // Known tests count for it, tests that the report lacks against it.
        let fit = 2 * n_known as i64 - file.tests.len() as i64;
        if n_known > 0 && best.1.is_none_or(|_| fit > best.0) {
            best = (fit, Some(at));
        }
    }
    best.1
}

/// Checkpoint and id of the tests that a report names.
fn nodes(report: &Claimed) -> HashSet<(String, String)> {
    let bytes = report.file.all_bytes().unwrap_or_default();
    let mut nodes = HashSet::new();
    // Whatever comes before damage is compared.
    let _ = find_nodes(&mut Cursor::new(&bytes), &mut nodes);
    nodes
}

fn find_nodes(
    cursor: &mut Cursor<'_>,
    nodes: &mut HashSet<(String, String)>,
) -> Result<(), crate::input::Error> {
    cursor.each_field(|key, cursor| {
        match key {
            "results" => find_nodes(cursor, nodes)?,
            "tests" => {
                cursor.each_item(|cursor| {
                    cursor.each_field(|key, cursor| {
                        if !matches!(key, "nodeid" | "name") {
                            cursor.skip()?;
                        } else if let Some(node) = cursor.text()? {
                            let (file, id) = node.split_once("::").unwrap_or((&node, &node));
                            let checkpoint = pytest_report::checkpoint_of(file);
                            nodes
                                .insert((checkpoint.unwrap_or_default().to_owned(), id.to_owned()));
                        }
                        Ok(())
                    })?;
                    Ok(())
                })?;
            }
            _ => {
                cursor.skip()?;
            }
        }
        Ok(())
    })?;
    Ok(())
}
