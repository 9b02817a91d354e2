//! The normal form: what every producer's files become, and nothing foreign.
//!
//! ```text
//! Evaluation ─┬─ config (gate, sample rule, metric order …)
//!             ├─ declared (what the files say about their own totals)
//!             └─ Run ─┬─ CaseTable   one row per case        (Arrow record batch)
//!                     └─ CheckTable  one row per judged thing (Arrow record batch)
//! ```
//!
//! Only [`RunBuilder`] makes a [`Run`]; [`integrity::check`] says whether one is sound.
//! Long text is not here: a [`Locator`] says where it lies. No I/O in this module.

mod asked;
mod better;
mod blocks;
mod case_texts;
mod cells;
mod column;
mod config;
mod declared;
mod detail;
mod dict_builder;
pub(crate) mod direct;
mod document;
mod evaluation;
mod ids;
pub mod integrity;
mod ipc;
mod mapping;
mod note;
mod number;
mod rejudged;
mod rising;
mod run;
mod run_builder;
mod runs_of_cells;
mod table;
mod unread_evaluation;
pub(crate) mod word;
mod word_column;
mod words;

pub use asked::Asked;
pub use better::Better;
pub use blocks::in_blocks;
pub use case_texts::{CASE_TEXT_CHARS, CaseTexts};
pub use cells::FixedCells;
pub use column::{Bool, Dict, F64, Kinded, Text, U32, U64, ValueColumn};
pub use config::{
    Aggregation, Config, Gate, GateRule, MeanOver, Op, PassRule, RewardRule, SuiteState,
};
pub use declared::{
    Declared, DeclaredValue, Figure, Known, NO_RULE, SCORES_ALONE, Scope, Unchecked, UsageField,
    id_list,
};
pub use detail::{
    AttemptDetail, CaseDetail, CheckDetail, Content, ContentFormat, Fact, Message, RawRecord,
    TurnDetail, TurnGrade,
};
pub use document::{DocumentDetail, DocumentKind, DocumentTable, FileChange, RunDocument};
pub use evaluation::Evaluation;
pub use ids::{Locator, SourceId};
pub use ipc::{OutgoingBatch, TableParts, append_ipc, from_ipc_bytes, parts_of, to_ipc};
pub use mapping::{
    ColumnRole, MappedColumn, Mapping, MappingFile, PAGE_MAPPINGS, ROLES, Role, SHOWN_CHARS,
    SHOWN_ROWS, TimeUnit,
};
pub use note::{Note, NoteKind, Notes, Place};
pub use number::Num;
pub use rejudged::CaseJudgement;
pub use rising::Rising;
pub use run::{Ended, GroupInfo, Run, RunKey, RunState, RunUsage};
pub use run_builder::{MESSAGE_CHARS, RunBuilder};
pub use table::{CaseRow, CaseTable, CheckRow, CheckTable, TAG_SEPARATOR};
pub use unread_evaluation::UnreadEvaluation;
pub use words::{Kind, Outcome, Strategy, Verdict};
