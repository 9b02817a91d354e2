//! How pairs of two sides came out on all other sides.

use super::pairs_list::ListedPair;
use super::prepared::PreparedSides;
use super::{Came, CompareQuery};
use crate::scoring::sides::Side;
use crate::workspace::Workspace;
use std::collections::HashMap;

/// For each of `shown`, pairs of the baseline and `side`, how the case came out on each side but these two, in
/// the order of the sides; `None`: it is not there.
pub(super) fn on_others(
    workspace: &Workspace,
    prepared: &PreparedSides,
    sides: &[Side<'_>],
    of: &CompareQuery,
    (side, shown): (usize, &[ListedPair]),
) -> Vec<Vec<Option<Came>>> {
    let others: Vec<usize> = (1..sides.len()).filter(|other| *other != side).collect();
    let computed: Vec<_> = others
        .iter()
        .map(|other| prepared.computed(workspace, sides, *other, of.without_changed))
        .collect();
    let mut found = vec![vec![None; others.len()]; shown.len()];
    let mut wanted: HashMap<(bool, u32), usize> = HashMap::new();
    for (nth, one) in shown.iter().enumerate() {
        let [is_on_baseline, _] = one.is_on();
        let case = if is_on_baseline { one.cases.0 } else { one.cases.1 };
        wanted.insert((is_on_baseline, case), nth);
    }
    let pairing = &prepared.pairing;
    let number = |row: usize, side: usize| u32::try_from(pairing.on(row, side)?).ok();
    for row in 0..pairing.len() {
        let nth = number(row, 0)
            .and_then(|case| wanted.get(&(true, case)))
            .or_else(|| wanted.get(&(false, number(row, side)?)));
        let Some(cells) = nth.and_then(|nth| found.get_mut(*nth)) else { continue };
        for ((cell, other), computed) in cells.iter_mut().zip(&others).zip(&computed) {
            *cell = number(row, *other).and_then(|case| {
                let (_, came) = &computed.as_ref()?.came;
                came.get(case as usize).copied()
            });
        }
    }
    found
}
