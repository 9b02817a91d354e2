//! What a loose file says about the checkpoint that it belongs to (`formats/slop-code.md` §1, "Joining keys").

use super::{evaluation_g1, evaluation_g2, pytest_report, reports, role};
use crate::input::json::Cursor;
use crate::readers::{Claimed, ContentKeys};

/// Rows of a report that are compared.
const IDS_COMPARED: usize = 512;

/// The keys of a file; empty ones when it is damaged.
pub(super) fn of(claimed: &Claimed) -> ContentKeys {
    ContentKeys { is_known: true, ..read(claimed) }
}

fn read(claimed: &Claimed) -> ContentKeys {
    let file = &claimed.file;
    let bytes = || file.all_bytes().unwrap_or_default();
    match claimed.claim.role {
        role::REPORTS => reports::keys(file, IDS_COMPARED).unwrap_or_default(),
        role::EVALUATION_G1 => {
            let (evaluation, _) = evaluation_g1::parse(&bytes());
            let ids = evaluation.groups.iter().flat_map(|group| {
                group.results.iter().map(|entry| (group.name.clone(), entry.id.clone()))
            });
            ContentKeys {
                is_known: true,
                ids: ids.collect(),
                problem: evaluation.problem,
                checkpoint: evaluation.checkpoint,
                timestamp: evaluation.timestamp,
                ..ContentKeys::default()
            }
        }
        role::EVALUATION_G2 => {
            let (evaluation, _) = evaluation_g2::parse(&bytes());
            let ids = evaluation.tests.iter().map(|test| {
                let checkpoint = evaluation_g2::split_group(&test.group).0.unwrap_or_default();
                (checkpoint.to_owned(), test.id.clone())
            });
            ContentKeys { ids: ids.collect(), ..ContentKeys::default() }
        }
        _ => {
            let (bytes, mut ids) = (bytes(), Vec::new());
            // Whatever comes before damage is compared.
            let _ = find_nodes(&mut Cursor::new(&bytes), &mut ids);
            ContentKeys { ids, ..ContentKeys::default() }
        }
    }
}

/// Checkpoint and id of the tests that a report of pytest names.
fn find_nodes(
    cursor: &mut Cursor<'_>,
    nodes: &mut Vec<(String, String)>,
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
                            nodes.push((checkpoint.unwrap_or_default().to_owned(), id.to_owned()));
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
