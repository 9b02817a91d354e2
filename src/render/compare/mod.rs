//! A comparison as the page shows it: words, addresses, and places on a scale. Components only draw it.
//!
//! ```text
//! versus ─┬─ forest    differences with their intervals, of measures, parts and candidates
//!         ├─ matrix    outcomes on both sides
//!         └─ figures   every number, and what the sides were made of
//! pairs, pair          one line a pair; case against case
//! candidates, ranks    three sides or more in order
//! ```

mod audit;
mod candidates;
mod figures;
mod forest;
mod matrix;
mod pair;
mod pairs;
mod ranks;
mod versus;
mod words;

pub use audit::AuditShown;
pub use figures::{ConfigShown, TableShown};
pub use forest::{MarkShown, PlotShown, RowShown, Says, TickShown};
pub use matrix::{CameShown, CellKind, CellShown, MatrixShown};
pub use pair::{
    DiffLineShown, PairPage, PairTextShown, StepShown, StepsRow, StepsShown, pair_page,
};
pub use pairs::{OneShown, PairShown, PairsShown, pair_shown, pairs_shown};
pub use ranks::{RankShown, RanksShown, ranks_shown};
pub use versus::{PartsShown, VersusShown, line, verdict_title, verdict_why};
pub use words::is_undone;

use super::Look;
use crate::address::{CompareView, OpenNames, Page, Route};
use crate::report::Target;
use crate::report::compare::{Comparison, SideLine, SideOffer};
use crate::words::ui::compared as said;
use serde::{Deserialize, Serialize};

/// A comparison.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CompareShown {
    /// The sides, baseline first; fewer than two: there is nothing compared yet.
    pub sides: Vec<CompareSideShown>,
    /// What each of them holds.
    pub members: Vec<Vec<Target>>,
    /// What else can be a side.
    pub offers: Vec<SideOffer>,
    /// Whether the files of every side say what its cases were asked.
    pub knows_inputs: bool,
    /// Why the pattern was not understood.
    pub complaint: Option<String>,
    /// The candidate that is looked at, against the baseline.
    pub versus: Option<Box<VersusShown>>,
    /// Every candidate against the baseline, where there are several.
    pub candidates: Option<PlotShown>,
}

/// A side.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CompareSideShown {
    /// A, B, C …
    pub letter: String,
    /// Its name.
    pub label: String,
    /// How much it holds: `300 cases, 900 trials`.
    pub note: String,
    /// What has to be known of it.
    pub remark: Option<String>,
}

/// What a comparison is drawn with.
#[derive(Clone, Copy)]
pub struct CompareContext<'a> {
    /// What the address says.
    pub view: &'a CompareView,
    /// How numbers are to look.
    pub look: Look,
    /// What the page is about besides.
    pub target: Target,
    /// What everything is called in addresses.
    pub names: &'a dyn OpenNames,
}

impl CompareContext<'_> {
    /// The address of the same page after `change`.
    fn address(&self, change: impl FnOnce(&mut CompareView)) -> String {
        let mut compare = self.view.clone();
        change(&mut compare);
        let route = Route { page: Page::Compare, target: self.target, compare, ..Route::default() };
        route.to_hash(self.names)
    }
}

/// What the page shows of `found`.
pub fn compare_shown(
    found: &Comparison,
    offers: Vec<SideOffer>,
    drawn: &CompareContext<'_>,
) -> CompareShown {
    let against = drawn.view.against.max(1);
    let chosen = found.candidates.iter().find(|versus| versus.side == against);
    let chosen = chosen.or(found.candidates.first());
    let several =
        (found.candidates.len() > 1).then(|| candidates::candidates(found, drawn)).flatten();
    CompareShown {
        sides: found.sides.iter().map(side).collect(),
        members: drawn.view.sides.clone(),
        offers,
        knows_inputs: found.sides.iter().all(|side| side.has_inputs),
        complaint: found.complaint.clone(),
        versus: chosen.map(|one| Box::new(versus::shown(one, &found.sides, drawn))),
        candidates: several,
    }
}

fn side(line: &SideLine) -> CompareSideShown {
    CompareSideShown {
        letter: line.letter.to_string(),
        label: line.label.clone(),
        note: if line.n_trials > line.n_cases {
            said::cases_and_trials(line.n_cases, line.n_trials)
        } else {
            said::cases(line.n_cases)
        },
        remark: line.remark.clone(),
    }
}
