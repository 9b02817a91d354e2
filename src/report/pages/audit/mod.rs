//! Declared against computed.
//!
//! ```text
//! declared ── compare ──> rows; where they differ, with the likely reason (why: meaning, partial) ─┐
//! unchecked ──> what could not be compared, and the reason ────────────────────────────────────────┴─> page
//! ```

mod absent;
mod compare;
mod ids;
mod meaning;
mod page;
mod partial;
mod stored;
mod unchecked;
mod why;

use crate::order::Order as _;
pub use crate::scoring::Severity;
pub(in crate::report) use compare::{AuditedFigure, compared, value_of};
pub(in crate::report) use page::audit_page;
pub(in crate::report) use partial::Partial;
pub use unchecked::{UncheckedField, UncheckedGroup};

use crate::model::Scope;
use crate::report::computed_figure::{base, runs_of};
use crate::report::{Num, RunRef, Table, Target};
use crate::words::report::audit as words;
use crate::workspace::{Entry, Workspace};
use compare::difference;
use serde::{Deserialize, Serialize};
use unchecked::{unchecked_groups, unchecked_table};
use why::Evidence;

/// Every comparison of a declared figure with the computed one, and what could not be compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuditReport {
    /// What the page is about, and what it leaves out.
    pub lead: String,
    /// How many agree and differ, in words.
    pub words: String,
    /// Comparisons; differences first, the worst before the others, then in the order of the files.
    /// At most [`ROWS_KEPT`]; the export has all.
    pub rows: Vec<AuditRow>,
    /// How many agree.
    pub n_agreeing: u64,
    /// How many differ.
    pub n_differing: u64,
    /// Figures that could not be checked.
    pub unchecked: Table,
}

/// One comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuditRow {
    /// Id of the evaluation in exports.
    pub evaluation_id: String,
    /// Run id in exports, when it is about one run.
    pub run: Option<String>,
    /// Repeat, when it is about one.
    pub repeat: Option<u32>,
    /// Subject, when it is about one.
    pub subject: Option<String>,
    /// What it is about, in words.
    pub about: String,
    /// What a click on that opens.
    pub target: Target,
    /// The file that declares it, relative to what was dropped.
    pub file: String,
    /// Field as the file writes it.
    pub field: String,
    /// What the file says.
    pub declared: AuditValue,
    /// What the cases give, on the file's scale.
    pub computed: AuditValue,
    /// Computed − declared, on the file's scale, where both are numbers.
    pub difference: Option<Num>,
    /// Whether they agree (to 1e-12 relative).
    pub agrees: bool,
    /// How much a difference matters.
    pub severity: Severity,
    /// The reason of a difference: known, or likely.
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

/// How many comparisons go to the page.
pub const ROWS_KEPT: usize = 20_000;

/// Compares every declared figure of the workspace.
pub fn audit(workspace: &Workspace) -> AuditReport {
    let mut rows = Vec::new();
    let mut groups = Vec::new();
    for entry in &workspace.entries {
        let (own, own_groups) = audit_entry(entry);
        rows.extend(own);
        groups.extend(own_groups);
    }
    rows.order_by_key(|row| std::cmp::Reverse(row.severity));
    let n_agreeing = rows.iter().filter(|row| row.agrees).count() as u64;
    let n_differing = rows.len() as u64 - n_agreeing;
    let n_left_out = rows.len().saturating_sub(ROWS_KEPT);
    rows.truncate(ROWS_KEPT);
    for row in &mut rows {
        shorten(&mut row.declared);
        shorten(&mut row.computed);
    }
    AuditReport {
        lead: words::LEAD.to_owned(),
        words: words(&rows, n_agreeing, n_differing, n_left_out),
        rows,
        n_agreeing,
        n_differing,
        unchecked: unchecked_table(&groups, workspace.entries.len() > 1),
    }
}

/// Cuts a long list of ids: a page has no use for all of them.
fn shorten(value: &mut AuditValue) {
    const CHARS: usize = 120;
    if let AuditValue::Text(text) = value
        && let Some((end, _)) = text.char_indices().nth(CHARS)
    {
        text.truncate(end);
        text.push('…');
    }
}

fn words(rows: &[AuditRow], n_agreeing: u64, n_differing: u64, n_left_out: usize) -> String {
    let n_all = n_agreeing + n_differing;
    let mut words = match (n_all, n_differing) {
        (0, _) => words::NONE_COMPARED.to_owned(),
        (1, 0) => words::ONE_AGREES.to_owned(),
        (_, 0) => words::all_agree(n_all),
        _ => {
            let n_expected = rows
                .iter()
                .filter(|row| matches!(row.severity, Severity::Expected | Severity::Minor))
                .count();
            words::some_differ(n_differing, n_all, n_expected as u64)
        }
    };
    if n_left_out > 0 {
        words.push(' ');
        words.push_str(&words::exported_only(n_left_out as u64));
    }
    words
}

/// How declared figures compare with the computed ones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::report) struct DeclaredAgreement {
    /// Equal.
    pub n_agreeing: u64,
    /// Other, for a cause that explains it, or as rounding makes them.
    pub n_explained: u64,
    /// Other, and no known cause explains it.
    pub n_differing: u64,
}

impl DeclaredAgreement {
    fn add(&mut self, severity: Severity, n: u64) {
        *match severity {
            Severity::Agrees => &mut self.n_agreeing,
            Severity::Expected | Severity::Minor => &mut self.n_explained,
            Severity::Major => &mut self.n_differing,
        } += n;
    }

    /// Of all evaluations together.
    pub(in crate::report) fn of<'a>(entries: impl Iterator<Item = &'a Entry>) -> Self {
        entries.map(|entry| agreement(entry, None)).fold(Self::default(), |sum, one| Self {
            n_agreeing: sum.n_agreeing + one.n_agreeing,
            n_explained: sum.n_explained + one.n_explained,
            n_differing: sum.n_differing + one.n_differing,
        })
    }
}

/// How the declared figures of an evaluation compare; of one run when `run_idx` is given.
pub(in crate::report) fn agreement(entry: &Entry, run_idx: Option<usize>) -> DeclaredAgreement {
    if let Some(stored) = entry.stored() {
        return stored::agreement(stored, run_idx);
    }
    // It is by the declared rules, so no change of rules changes it.
    let Severities(severities) = &*entry.derived.get_or(|| Severities(severities(entry)));
    let mut found = DeclaredAgreement::default();
    for (severity, declared) in severities.iter().zip(&entry.evaluation.declared) {
        if let Some(severity) = severity
            && run_idx.is_none_or(|idx| is_about(&declared.scope, entry, idx))
        {
            found.add(*severity, 1);
        }
    }
    found
}

/// How much each declared figure of an evaluation differs; `None`: it cannot be compared.
struct Severities(Vec<Option<Severity>>);

/// Of each declared figure; `None`: it cannot be compared.
fn severities(entry: &Entry) -> Vec<Option<Severity>> {
    let declared = &entry.evaluation.declared;
    let tried: Vec<Option<AuditedFigure<'_>>> =
        declared.iter().map(|one| compared(one, entry).ok()).collect();
    let places: Vec<bool> = tried.iter().map(Option::is_some).collect();
    let all: Vec<AuditedFigure<'_>> = tried.into_iter().flatten().collect();
    let evidence = Evidence::new(entry, &all);
    let mut known = all.iter().map(|one| weight(one, &evidence).0);
    places.into_iter().map(|is_there| if is_there { known.next() } else { None }).collect()
}

/// How much a comparison matters, and why a difference is.
fn weight(compared: &AuditedFigure<'_>, evidence: &Evidence<'_>) -> (Severity, Option<String>) {
    if compared.agrees {
        return (Severity::Agrees, None);
    }
    let (severity, why) = evidence.explain(compared);
    (severity, Some(why))
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
            base(entry).repeats.iter().any(|r| r.repeat == *repeat && r.subjects.len() < 2)
                && entry.recorded_runs().get(run_idx).is_some_and(|run| run.key.repeat == *repeat)
        }
        Scope::Suite(suite) => {
            let run = entry.recorded_runs().get(run_idx);
            run.is_some_and(|run| run.key.suite.as_ref() == Some(suite))
        }
        Scope::Evaluation | Scope::SubjectAggregate(_) => false,
    }
}

/// Every comparison of an evaluation, in the order of its files, and what could not be compared.
pub(crate) fn audit_entry(entry: &Entry) -> (Vec<AuditRow>, Vec<UncheckedGroup>) {
    if let Some(stored) = entry.stored() {
        return (stored::rows(entry, stored), Vec::new());
    }
    let mut all = Vec::with_capacity(entry.evaluation.declared.len());
    let mut refused = Vec::new();
    for declared in &entry.evaluation.declared {
        match compared(declared, entry) {
            Ok(compared) => all.push(compared),
            Err(why) => refused.push((declared, why)),
        }
    }
    let evidence = Evidence::new(entry, &all);
    let rows = all.iter().map(|compared| audit_row(compared, entry, &evidence)).collect();
    (rows, unchecked_groups(entry, &refused))
}

fn audit_row(compared: &AuditedFigure<'_>, entry: &Entry, evidence: &Evidence<'_>) -> AuditRow {
    let AuditedFigure { declared, stated, computed, agrees } = compared;
    let (severity, why) = weight(compared, evidence);
    let (run, repeat, subject) = match &declared.scope {
        Scope::Run(idx) => {
            let run = entry.recorded_runs().get(*idx);
            let subject = run.and_then(|run| run.key.subject.clone());
            (Some(entry.run_key(*idx)), run.map(|run| run.key.repeat), subject)
        }
        Scope::Repeat(repeat) => (None, Some(*repeat), None),
        Scope::Subject { repeat, subject } => (None, Some(*repeat), Some(subject.clone())),
        Scope::SubjectAggregate(subject) => (None, None, Some(subject.clone())),
        Scope::Evaluation | Scope::Suite(_) => (None, None, None),
    };
    AuditRow {
        evaluation_id: entry.key.clone(),
        run,
        repeat,
        subject,
        about: about(&declared.scope, entry),
        target: target(&declared.scope, entry),
        file: declared.file.to_string(),
        field: declared.field.clone(),
        difference: difference(stated, computed).map(Num),
        declared: stated.clone(),
        computed: computed.clone(),
        agrees: *agrees,
        severity,
        why,
    }
}

/// What a scope is, in words.
pub(in crate::report) fn about(scope: &Scope, entry: &Entry) -> String {
    let evaluation = &entry.evaluation;
    let part = match scope {
        Scope::Evaluation => None,
        Scope::Run(idx) => evaluation.runs.get(*idx).map(|run| run.label.clone()),
        Scope::Repeat(repeat) => {
            let is_several = evaluation.runs.iter().any(|run| run.key.repeat != *repeat);
            is_several.then(|| words::run(*repeat))
        }
        Scope::Subject { repeat, subject } => {
            let is_several = evaluation.runs.iter().any(|run| run.key.repeat != *repeat);
            Some(match is_several {
                true => words::subject_in_run(subject, *repeat),
                false => subject.clone(),
            })
        }
        Scope::SubjectAggregate(subject) => Some(words::subject_in_all(subject)),
        Scope::Suite(suite) => Some(suite.clone()),
    };
    part.filter(|part| *part != evaluation.label)
        .map_or_else(|| evaluation.label.clone(), |part| format!("{} · {part}", evaluation.label))
}

/// The run that a scope is, or the evaluation.
fn target(scope: &Scope, entry: &Entry) -> Target {
    match runs_of(scope, entry).as_slice() {
        [only] if !matches!(scope, Scope::Evaluation) => match u32::try_from(*only) {
            Ok(run) => Target::Run(RunRef { evaluation: entry.id, run }),
            Err(_) => Target::Evaluation(entry.id),
        },
        _ => Target::Evaluation(entry.id),
    }
}

/// The figures that the files state about each run of an evaluation, by field.
pub(crate) fn declared_by_run(entry: &Entry) -> Vec<Vec<(&str, AuditValue)>> {
    let mut by_run = vec![Vec::new(); entry.recorded_runs().len()];
    for declared in &entry.evaluation.declared {
        if !matches!(declared.scope, Scope::Run(_) | Scope::Subject { .. }) {
            continue;
        }
        for idx in runs_of(&declared.scope, entry) {
            if let Some(own) = by_run.get_mut(idx) {
                own.push((declared.field.as_str(), value_of(&declared.value)));
            }
        }
    }
    by_run
}
