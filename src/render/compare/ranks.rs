//! Three sides or more in order.

use super::words::{self, DifferenceScale};
use super::{CompareContext, TableShown};
use crate::render::percent;
use crate::report::compare::{RankView, Valued};
use crate::words::terms::LOWER_IS_BETTER;
use crate::words::ui::compared as said;
use serde::{Deserialize, Serialize};

/// Sides in order.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RanksShown {
    /// Over which cases, by what.
    pub lead: String,
    /// The sides, best first.
    pub lines: Vec<RankShown>,
    /// Every difference between two of them.
    pub matrix: TableShown,
}

/// A side among several.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankShown {
    /// Its letter.
    pub letter: String,
    /// Its name.
    pub label: String,
    /// What it is worth.
    pub value: String,
    /// Its interval.
    pub interval: String,
    /// Sides that share a letter cannot be told apart.
    pub letters: String,
    /// Chance to be first, as words and as the length of a bar.
    pub first: (String, String),
    /// Chances of all ranks.
    pub chances: String,
}

/// Ranks of a side that are shown: the likeliest.
const MAX_RANKS: usize = 4;

/// The sides of `view` in order.
pub fn ranks_shown(view: &RankView, drawn: &CompareContext<'_>) -> RanksShown {
    let scale = match view.measure {
        Valued::PassRate => DifferenceScale::Points,
        _ => DifferenceScale::Plain,
    };
    let value = |value: f64| match view.measure {
        Valued::PassRate => drawn.look.rate(value),
        _ => drawn.look.score(value),
    };
    let chance = |chance: f64| format!("{:.0} %", chance * 100.0);
    let lines = view.lines.iter().filter_map(|line| {
        let side = view.sides.get(line.side)?;
        let first = line.chances.first().map_or(0.0, |first| first.0);
        let mut likely: Vec<(f64, u32)> = line
            .chances
            .iter()
            .map(|one| one.0)
            .zip(1_u32..)
            .filter(|(one, _)| *one >= 0.005)
            .collect();
        let n_all = likely.len();
        likely.sort_by(|one, two| two.0.total_cmp(&one.0));
        likely.truncate(MAX_RANKS);
        likely.sort_by_key(|(_, rank)| *rank);
        let mut chances: Vec<String> =
            likely.iter().map(|(one, rank)| format!("{rank}: {}", chance(*one))).collect();
        if n_all > chances.len() {
            chances.push("…".to_owned());
        }
        Some(RankShown {
            letter: side.letter.to_string(),
            label: side.label.clone(),
            value: value(line.value.0),
            interval: line
                .ci95
                .map_or(String::new(), |[low, high]| words::range(&value(low.0), &value(high.0))),
            letters: line.letters.clone(),
            first: (chance(first), percent(first)),
            chances: chances.join(", "),
        })
    });
    let name =
        |side: usize| view.sides.get(side).map_or(String::new(), |side| side.letter.to_string());
    let rows = view.matrix.iter().map(|cell| {
        vec![
            format!("{} − {}", name(cell.two), name(cell.one)),
            scale.signed(cell.difference.0),
            cell.ci95.map_or("–".to_owned(), |[low, high]| {
                words::range(&scale.signed(low.0), &scale.signed(high.0))
            }),
            words::chance(cell.p.0),
            words::chance(cell.p_holm.0),
        ]
    });
    let what = match view.measure {
        Valued::PassRate => said::BY_PASS_RATE,
        _ => said::BY_SCORE,
    };
    RanksShown {
        lead: match view.is_less_better {
            true => said::ranked_way(what, view.n, LOWER_IS_BETTER),
            false => said::ranked(what, view.n),
        },
        lines: lines.collect(),
        matrix: TableShown {
            heads: said::MATRIX_COLUMNS.map(str::to_owned).to_vec(),
            rows: rows.collect(),
        },
    }
}
