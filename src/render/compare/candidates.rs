//! Every candidate against the baseline.

use super::CompareContext;
use super::forest::{ForestDifference, PlotShown, RowShown, Says, plot};
use super::versus::{decides, measured};
use super::words::{self, DifferenceScale};
use crate::report::compare::Comparison;
use crate::words::ui::compared as said;

/// Every candidate against the baseline by the deciding measure.
pub(super) fn candidates(found: &Comparison, drawn: &CompareContext<'_>) -> Option<PlotShown> {
    let mut scale = None;
    let mut margin = 0.0;
    let mut is_down = false;
    let rows = found.candidates.iter().map(|versus| {
        let side = found.sides.get(versus.side);
        let letter = side.map_or('?', |side| side.letter);
        let address = drawn.address(|view| {
            *view = view.unfiltered();
            view.against = if versus.side == 1 { 0 } else { versus.side };
        });
        let name = side.map_or(String::new(), |side| format!("{letter} {}", side.label));
        margin = versus.margin.0;
        match versus.measures.first().filter(|line| decides(line)) {
            Some(line) => {
                scale.get_or_insert(DifferenceScale::of(line));
                is_down |= line.is_less_better();
                let row = measured(line, letter, versus.margin.0, drawn);
                let mut says = row.row.says;
                if words::is_undone(versus) {
                    says = (Says::Unsure, said::undone(&says.1));
                }
                let p = versus.p_of_sides.map_or("–".to_owned(), |p| words::chance(p.0));
                let address = Some(address);
                let row_shown = RowShown { name, is_code: false, address, says, p, ..row.row };
                ForestDifference { row: row_shown, ..row }
            }
            None => {
                let says = (Says::Unsure, versus.verdict.title.clone());
                let row = RowShown { name, address: Some(address), says, ..RowShown::default() };
                ForestDifference { row, difference: None, ends: None }
            }
        }
    });
    let rows: Vec<ForestDifference> = rows.collect();
    let mut words = [said::is_better('A'), said::is_worse('A')];
    if is_down {
        words.reverse();
    }
    plot(rows, scale.unwrap_or(DifferenceScale::Points), Some(margin), words)
}
