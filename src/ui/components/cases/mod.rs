//! The cases: filter, facets, presets, table or heat map.
//!
//! ```text
//! rows     which rows are here, and what stands around them
//! columns  which columns are shown, and how wide
//! table ─┬─ head
//!        └─ row, heat        drawn by a long list
//! filter, filter_notes        also over the pairs of a comparison
//! facets, notice, chooser, preview
//! ```

mod chooser;
mod columns;
mod facets;
mod filter;
mod filter_notes;
mod head;
mod heat;
mod notice;
mod preview;
mod row;
mod rows;
mod table;

pub use chooser::ColumnsButton;
pub use facets::{FacetPanel, FacetState, Presets};
pub use filter::{FilterField, Filtered};
pub use filter_notes::{InForce, filter_notes, search};
pub use heat::HeatLegend;
pub use notice::{Constants, Notice, counted};
pub use preview::PreviewPanel;
pub use rows::CaseRows;
pub use table::{CaseTable, copy};

use crate::ui::selection::RowSelection;
use leptos::prelude::*;

/// Where in the table somebody is. Copies are the same place.
#[derive(Clone, Copy)]
pub struct ActiveCase {
    /// The row that keys act on.
    pub row: RwSignal<u64>,
    /// Whether the case of this row stands beside the table.
    pub is_previewed: RwSignal<bool>,
    /// The cell of the heat map that the arrow keys have reached.
    pub cell: RwSignal<Option<u64>>,
    /// Selected rows.
    pub selection: RwSignal<RowSelection>,
}
