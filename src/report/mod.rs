//! What is shown, as plain data: tables, headlines, verdicts, and the reason where something is
//! empty. Page and exports read the same values from here, so a number is the same everywhere.
//!
//! The page links this module for its types; making them (the functions) is the worker's part.

mod all_notes;
mod case_rule;
mod case_texts;
mod caveats;
mod cells;
mod charts;
mod computed_figure;
pub mod conversation;
mod declared;
pub mod diff;
mod facets;
pub mod filter;
mod flips;
mod gate_faults;
mod how;
mod interval95;
pub mod json_doc;
mod measure;
mod message_shape;
mod neighbours;
mod pages;
mod palette;
mod policy_table;
mod preset;
mod preview;
mod run_state;
mod same_case;
mod scope;
mod score_bins;
mod search;
mod sections;
mod sorting;
mod table;
mod tree;
mod unread;

pub use crate::figures::{Judgement, Reason, RuleWords, VerdictOrigin};
pub use crate::input::{Progress, ValueKind};
pub use crate::model::{
    AttemptDetail, CaseDetail, CaseTexts, CheckDetail, ColumnRole, Content, ContentFormat,
    DocumentDetail, DocumentKind, DocumentTable, Fact, FileChange, Kind, MappingFile, Message,
    Note, NoteKind, Outcome, Place, ROLES, RawRecord, Role, TimeUnit, TurnDetail, TurnGrade,
};
pub use crate::policy::{
    AGGREGATES, Condition, GateChange, GateEdit, GateForm, GateLine, OPERATORS, OWN_SCORE, Policy,
    SHAPES, n_lines, shape_of,
};
pub use crate::readers::KNOWN_TOOLS;
pub use crate::scoring::Num;
pub use crate::workspace::{How, HowName, Name, RunRef, Target};
pub use case_texts::case_texts;
pub(crate) use caveats::{of_evaluation as evaluation_proviso, of_run as run_proviso};
pub use charts::ChartFigure;
pub use declared::{DeclaredPart, DeclaredSheet, DeclaredSpread};
pub use facets::{Facet, FacetRange, FacetValue, Facets, Refinement, facets, refine};
pub(crate) use flips::{Flip, flips};
pub use gate_faults::gate_faults;
pub use measure::Measure;
pub use neighbours::{CaseAt, Neighbours, NeighboursQuery, neighbours};
pub use pages::agent::{AgentPage, AgentRun, AgentView, DocumentLine, agent_page};
pub use pages::audit::{
    AuditReport, AuditRow, AuditValue, ROWS_KEPT, Severity, UncheckedField, UncheckedGroup, audit,
};
pub(crate) use pages::audit::{audit_entry, declared_by_run};
pub use pages::case::{CaseView, DocumentView, case_view, document_view};
pub(crate) use pages::cases::is_right;
pub use pages::cases::{
    Across, CaseLine, CaseListPage, CaseQuery, Copied, HeatCell, HeatLine, HeatPage, SortKey,
    case_page, cases_in_rows, copy_cases, heat_page, matching_cases, order_more_cases,
};
pub use pages::columns::{
    ColumnView, ColumnsState, ColumnsView, OfferedRoles, OfferedTable, columns_view,
};
pub use pages::compare;
pub use pages::overview::{
    Board, FailureGroup, RateRow, Rates, RunStrip, StripCell, StripRow, TallyPart, TopFailures,
    TrustMark, board,
};
pub use pages::rules::{
    Control, GateControl, GateControlKind, GatePart, GateRow, GateView, RuleChange, RuleChanges,
    RulesView, Threshold, ThresholdCount, edit_gate, gate_part, report_command, rule_of_argument,
    rules_view, threshold_count,
};
pub use palette::{Command, CommandGoal, palette};
pub use preset::Preset;
pub use preview::{Preview, PreviewCheck, preview};
pub use same_case::Elsewhere;
pub use score_bins::ScoreBin;
pub(crate) use search::{SearchBatch as SearchPart, n_found, search_parts};
pub use sections::{
    Badge, Decider, Deciding, Headline, Section, SectionChoice, Sections, Switch, Topic,
    VerdictView, sections,
};
pub use sorting::TableSorting;
pub use table::{Align, Cell, Column, Link, Row, Table, TableShape};
pub(crate) use tree::run_score;
pub use tree::{ChangedRules, EvaluationNode, FileLine, FilesReport, RunNode, Tree, files, tree};
