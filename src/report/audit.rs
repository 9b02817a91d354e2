//! Declared against computed.

use super::Num;
use super::lookup::compute;
use super::workspace::{Entry, Workspace};
use crate::model::{Declared, DeclaredValue, Scope};
use serde::{Deserialize, Serialize};

/// Every comparison of a declared figure with the computed one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditReport {
    /// Rows; differences first, then in the order of the files.
    pub rows: Vec<AuditRow>,
    /// How many agree.
    pub n_agreeing: u64,
    /// How many differ.
    pub n_differing: u64,
}

/// One comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuditRow {
    /// Name of the evaluation.
    pub evaluation: String,
    /// Id of the evaluation in exports.
    pub evaluation_id: String,
    /// Run id in exports, when it is about one run.
    pub run: Option<String>,
    /// Repeat, when it is about one.
    pub repeat: Option<u32>,
    /// Subject, when it is about one.
    pub subject: Option<String>,
    /// Field as the file writes it.
    pub field: String,
    /// What the file says.
    pub declared: AuditValue,
    /// What the cases give, on the file's scale.
    pub computed: AuditValue,
    /// Whether they agree (to 1e-12 relative).
    pub agrees: bool,
    /// Why they differ, when that is known.
    pub why: Option<String>,
}

/// A compared value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum AuditValue {
    /// A number.
    Number(Num),
    /// Yes or no.
    Flag(bool),
    /// A word.
    Text(String),
    /// Not known or not defined.
    Missing,
}

/// Two floats that differ by less, relative to the larger, agree: originals sum in memory order.
const TOLERANCE: f64 = 1e-12;

/// Compares every declared figure of the workspace.
pub fn audit(workspace: &Workspace) -> AuditReport {
    let mut rows: Vec<AuditRow> = workspace.entries.iter().flat_map(audit_rows).collect();
    rows.sort_by_key(|row| row.agrees);
    let n_agreeing = rows.iter().filter(|row| row.agrees).count() as u64;
    AuditReport { n_differing: rows.len() as u64 - n_agreeing, n_agreeing, rows }
}

/// How many declared figures of an evaluation agree and differ; of one run when `run_idx` is given.
pub(super) fn agreement(entry: &Entry, run_idx: Option<usize>) -> (u64, u64) {
    let mut found = (0, 0);
    for declared in &entry.evaluation.declared {
        if run_idx.is_some_and(|idx| !is_about(&declared.scope, entry, idx)) {
            continue;
        }
        let computed = computed(declared, entry);
        if agrees(&value_of(declared), &computed) { found.0 += 1 } else { found.1 += 1 }
    }
    found
}

/// Whether a scope is the run's own, or that of the run's subject and repeat.
fn is_about(scope: &Scope, entry: &Entry, run_idx: usize) -> bool {
    match scope {
        Scope::Run(idx) => *idx == run_idx,
        Scope::Subject { repeat, subject } => {
            entry.recorded_runs().get(run_idx).is_some_and(|run| {
                run.key.repeat == *repeat && run.key.subject.as_ref() == Some(subject)
            })
        }
        Scope::Repeat(repeat) => {
            entry.base.repeats.iter().any(|r| r.repeat == *repeat && r.subjects.len() < 2)
                && entry.recorded_runs().get(run_idx).is_some_and(|run| run.key.repeat == *repeat)
        }
        Scope::Suite(suite) => {
            let run = entry.recorded_runs().get(run_idx);
            run.is_some_and(|run| run.key.suite.as_ref() == Some(suite))
        }
        Scope::Evaluation | Scope::SubjectAggregate(_) => false,
    }
}

/// Every comparison of an evaluation, in the order of its files.
pub(crate) fn audit_rows(entry: &Entry) -> Vec<AuditRow> {
    entry
        .evaluation
        .declared
        .iter()
        .map(|declared| {
            let (computed, stated) = (computed(declared, entry), value_of(declared));
            let (run, repeat, subject) = match &declared.scope {
                Scope::Run(idx) => {
                    let run = entry.recorded_runs().get(*idx);
                    (
                        Some(entry.run_key(*idx)),
                        run.map(|run| run.key.repeat),
                        run.and_then(|run| run.key.subject.clone()),
                    )
                }
                Scope::Repeat(repeat) => (None, Some(*repeat), None),
                Scope::Subject { repeat, subject } => (None, Some(*repeat), Some(subject.clone())),
                Scope::SubjectAggregate(subject) => (None, None, Some(subject.clone())),
                Scope::Evaluation | Scope::Suite(_) => (None, None, None),
            };
            let agrees = agrees(&stated, &computed);
            AuditRow {
                evaluation: entry.evaluation.label.clone(),
                evaluation_id: entry.key.clone(),
                run,
                repeat,
                subject,
                field: declared.field.clone(),
                declared: stated,
                computed,
                agrees,
                why: declared.why.filter(|_| !agrees).map(str::to_owned),
            }
        })
        .collect()
}

fn value_of(declared: &Declared) -> AuditValue {
    match &declared.value {
        DeclaredValue::Number(number) => AuditValue::Number(Num(*number)),
        DeclaredValue::Bool(flag) => AuditValue::Flag(*flag),
        DeclaredValue::Text(text) => AuditValue::Text(text.clone()),
        DeclaredValue::Null => AuditValue::Missing,
    }
}

fn computed(declared: &Declared, entry: &Entry) -> AuditValue {
    match compute(&declared.figure, &declared.scope, entry) {
        AuditValue::Number(number) => AuditValue::Number(Num(number.0 * declared.scale)),
        other => other,
    }
}

fn agrees(declared: &AuditValue, computed: &AuditValue) -> bool {
    match (declared, computed) {
        (AuditValue::Number(declared), AuditValue::Number(computed)) => {
            is_same(declared.0, computed.0)
        }
        (AuditValue::Missing, AuditValue::Number(computed)) => computed.0 == 0.0,
        (declared, computed) => declared == computed,
    }
}

#[expect(clippy::float_cmp, reason = "equal infinities and zeros need no tolerance")]
fn is_same(left: f64, right: f64) -> bool {
    let scale = left.abs().max(right.abs());
    left == right || (left.is_nan() && right.is_nan()) || (left - right).abs() <= TOLERANCE * scale
}
