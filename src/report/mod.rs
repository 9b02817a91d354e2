//! What is shown, as plain data: tables, headlines, verdicts, and the reason where something is
//! empty. Page and exports read the same values from here, so a number is the same everywhere.
//!
//! The page links this module for its types; making them (the functions) is the worker's part.

mod audit;
mod audit_compare;
mod audit_page;
mod audit_unchecked;
mod audit_why;
mod case_order;
mod cases;
pub mod conversation;
mod detail;
pub mod diff;
mod failures;
mod figures;
mod flips;
mod how;
pub mod json_doc;
mod judgement;
mod lookup;
mod message_shape;
mod neighbours;
mod notes_page;
mod overview;
mod overview_tables;
mod overview_trust;
mod palette;
mod repeat_tables;
mod rewards;
mod rules_tables;
mod rules_view;
mod sections;
mod settings;
mod statistics;
mod table;
mod tree;
mod workspace;

pub use crate::input::{Progress, ValueKind};
pub use crate::model::{
    AttemptDetail, CaseDetail, CheckDetail, Content, ContentFormat, Fact, Kind, Message, Note,
    NoteKind, Outcome, Place, RawRecord, TurnDetail, TurnGrade,
};
pub use crate::policy::{AGGREGATES, Condition, GateForm, GateLine, OPERATORS, OWN_SCORE, Policy};
pub use crate::scoring::Num;
pub use audit::{AuditReport, AuditRow, AuditValue, ROWS_KEPT, Severity, audit};
pub(crate) use audit::{audit_entry, declared_by_run};
pub use audit_unchecked::{UncheckedField, UncheckedGroup};
pub use cases::{CaseLine, CasePage, CaseQuery, SortKey, case_page};
pub use detail::{CaseView, case_view};
pub use figures::{AggregateFigures, Figures, RepeatFigures, RunFigures};
pub(crate) use flips::{Flip, flips};
pub use judgement::{Judgement, Reason};
pub use neighbours::{CaseAt, Neighbours, NeighboursQuery, neighbours};
pub use palette::{Command, Goal, palette};
pub use rules_view::{Control, GateEdit, RulesView, rules_view};
pub use sections::{Badge, Headline, How, Section, Sections, Switch, Topic, VerdictView, sections};
pub use settings::{RuleWords, Settings};
pub use table::{Align, Cell, Column, Link, Row, Table};
pub use tree::{
    ChangedRules, EvaluationNode, FileLine, FilesReport, RunNode, RunRef, Target, Tree, files, tree,
};
pub use workspace::{Entry, Workspace};
