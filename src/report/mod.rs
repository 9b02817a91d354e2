//! What is shown, as plain data: tables, headlines, verdicts, and the reason where something is
//! empty. Page and exports read the same values from here, so a number is the same everywhere.
//!
//! The page links this module for its types; making them (the functions) is the worker's part.

mod agent;
mod all_notes;
mod apart;
mod audit;
mod case_rule;
mod cases;
mod cells;
mod charts;
pub mod conversation;
mod declared;
mod detail;
pub mod diff;
mod facets;
mod failures;
mod figures;
pub mod filter;
mod flips;
mod how;
mod interval95;
pub mod json_doc;
mod judgement;
mod lookup;
mod measure;
mod message_shape;
mod name;
mod neighbours;
mod notes_page;
mod overview;
mod palette;
mod policy_table;
mod proviso;
mod renew;
mod rewards;
mod rules_tables;
mod rules_view;
mod run_state;
mod search;
mod searches;
mod sections;
mod settings;
mod statistics;
mod supply;
mod table;
mod tree;
mod trends;
mod workspace;

pub use crate::input::{Progress, ValueKind};
pub use crate::model::{
    AttemptDetail, CaseDetail, CheckDetail, Content, ContentFormat, DocumentDetail, DocumentKind,
    DocumentTable, Fact, FileChange, Kind, Message, Note, NoteKind, Outcome, Place, RawRecord,
    TurnDetail, TurnGrade,
};
pub use crate::policy::{
    AGGREGATES, Condition, GateChange, GateEdit, GateForm, GateLine, OPERATORS, OWN_SCORE, Policy,
    SHAPES, n_lines, shape_of,
};
pub use crate::scoring::Num;
pub use agent::{AgentPage, AgentRun, AgentView, DocumentLine, agent_page};
pub use audit::{
    AuditReport, AuditRow, AuditValue, ROWS_KEPT, Severity, UncheckedField, UncheckedGroup, audit,
};
pub(crate) use audit::{audit_entry, declared_by_run};
pub(crate) use cases::is_right;
pub use cases::{
    Across, CaseLine, CasePage, CaseQuery, Copied, HeatCell, HeatLine, HeatPage, SortKey,
    case_page, cases_in_rows, copy_cases, heat_page, matching_cases,
};
pub use charts::Figure;
pub use declared::{DeclaredPart, DeclaredSheet, DeclaredSpread};
pub use detail::{CaseView, DocumentView, case_view, document_view};
pub use facets::{Facet, FacetValue, Facets, Range, Refinement, facets, refine};
pub use figures::{AggregateFigures, Figures, RepeatFigures, RunFigures};
pub(crate) use flips::{Flip, flips};
pub use judgement::{Judgement, Reason, Standing};
pub use measure::Measure;
pub use name::{HowName, Name};
pub use neighbours::{CaseAt, Neighbours, NeighboursQuery, neighbours};
pub use palette::{Command, Goal, palette};
pub(crate) use proviso::{of_evaluation as evaluation_proviso, of_run as run_proviso};
pub use renew::{Lost, Renewal};
pub use rules_view::{Control, GateView, RulesView, edit_gate, rules_view};
pub(crate) use search::{Part as SearchPart, n_found, search_parts};
pub use sections::{
    Badge, Choice, Decider, Deciding, Headline, How, Section, Sections, Switch, Topic, VerdictView,
    sections,
};
pub use settings::{PolicyRule, RuleWords, Settings};
pub use supply::{Need, Order, Supply};
pub use table::{Align, Cell, Column, Link, Row, Table};
pub(crate) use tree::run_score;
pub use tree::{
    ChangedRules, EvaluationNode, FileLine, FilesReport, RunNode, RunRef, Target, Tree, files, tree,
};
pub use workspace::{Entry, Workspace};
