//! Why a declared figure is likely to differ from the computed one.
//!
//! In this order: a known reason; what the figure repeats says otherwise; rounding; a loss that is in
//! the notes; recorded cases without a row; files that do not fit; rows missing or too many; a part
//! that differs itself; a newer writer; one changed figure; a repeated id; changed rows.

use super::audit::{AuditValue, Severity, about};
use super::audit_compare::{Compared, ROUNDING, is_within, value_of};
use super::lookup::runs_of;
use super::workspace::Entry;
use crate::model::{Figure, NO_RULE, Note, NoteKind, Place, Scope};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// What there is to go by in an evaluation.
pub(super) struct Evidence<'a> {
    entry: &'a Entry,
    all: &'a [Compared<'a>],
    fields: BTreeSet<&'a str>,
    by_own_scope: HashMap<&'a Scope, Vec<&'a Compared<'a>>>,
    /// Figures that agree and differ, by file.
    by_file: HashMap<Rc<str>, (usize, usize)>,
    by_scope: RefCell<HashMap<Scope, Rc<OfScope>>>,
}

/// What there is to go by in a part of it.
#[derive(Default)]
struct OfScope {
    /// Something was lost in reading its files.
    loss: Option<String>,
    /// Two of its files do not fit.
    mismatch: Option<String>,
    /// An id stands more than once.
    repeated_id: Option<String>,
    /// Recorded cases that no row is about.
    n_without_row: usize,
    /// Rows that the files declare and hold, where other figures show that it is not the count alone
    /// that differs.
    rows: Option<(f64, f64)>,
    /// A figure of a narrower part that differs itself.
    part: Option<String>,
    /// The same of a single run, copies included.
    line: Option<String>,
}

impl<'a> Evidence<'a> {
    pub(super) fn new(entry: &'a Entry, all: &'a [Compared<'a>]) -> Self {
        let fields = all.iter().map(|one| one.declared.field.as_str()).collect();
        let mut by_own_scope: HashMap<&Scope, Vec<&Compared<'_>>> = HashMap::new();
        let mut by_file: HashMap<Rc<str>, (usize, usize)> = HashMap::new();
        for one in all {
            by_own_scope.entry(&one.declared.scope).or_default().push(one);
            let found = by_file.entry(Rc::clone(&one.declared.file)).or_default();
            if one.agrees { found.0 += 1 } else { found.1 += 1 }
        }
        Self { entry, all, fields, by_own_scope, by_file, by_scope: RefCell::default() }
    }

    /// How much a difference matters, and why it is likely to be.
    pub(super) fn explain(&self, compared: &Compared<'_>) -> (Severity, String) {
        let declared = compared.declared;
        if let Some(known) = &declared.known {
            let original = known.original.as_ref().map(value_of);
            let is_it = match (&original, &compared.stated) {
                (Some(AuditValue::Number(original)), AuditValue::Number(stated)) => {
                    is_within(original.0, stated.0, ROUNDING)
                }
                (Some(original), stated) => original == stated,
                (None, _) => true,
            };
            if is_it {
                return (Severity::Expected, known.why.clone().into_owned());
            }
        }
        if let (AuditValue::Number(stated), AuditValue::Number(computed)) =
            (&compared.stated, &compared.computed)
            && is_within(stated.0, computed.0, ROUNDING)
        {
            let why = "likely: rounded, or summed in another order";
            return (Severity::Minor, why.to_owned());
        }
        (Severity::Major, format!("likely: {}", self.likely(compared)))
    }

    fn likely(&self, compared: &Compared<'_>) -> String {
        let declared = compared.declared;
        let of_scope = self.of_scope(&declared.scope);
        match &declared.figure {
            Figure::Found { at, .. } => {
                return of_scope.loss.clone().unwrap_or_else(|| {
                    format!("it was changed, or what it is compared with ({at})")
                });
            }
            Figure::CaseScore { .. } | Figure::CaseOutcome { .. } => {
                return of_case(compared, &of_scope);
            }
            Figure::FailedIds => {
                if let Some(why) = of_ids(compared) {
                    return why;
                }
            }
            _ => {}
        }
        // A summary follows from lines of figures, seconds of groups from no case at all.
        let is_of_lines = matches!(declared.figure, Figure::Summary(_));
        let is_of_cases = !is_of_lines && !matches!(declared.figure, Figure::DurationFromGroups);
        if let Some(loss) = of_scope.loss.as_ref().filter(|_| is_of_cases || is_of_lines) {
            return loss.clone();
        }
        if is_of_cases && of_scope.n_without_row > 0 {
            let n = of_scope.n_without_row;
            return format!("{} without a row: rows were removed", counted(n, "recorded case"));
        }
        if let Some(mismatch) = of_scope.mismatch.as_ref().filter(|_| is_of_cases) {
            return mismatch.clone();
        }
        match of_scope.rows {
            Some((stated, held)) if held < stated => {
                return format!(
                    "rows are missing: {stated} are declared, {held} are there; they were removed, \
                     or their file is not here"
                );
            }
            Some((stated, held)) if held > stated && of_scope.repeated_id.is_none() => {
                return format!(
                    "rows were added after the totals were made: {stated} are declared, {held} are \
                     there"
                );
            }
            _ => {}
        }
        let part = if is_of_lines { &of_scope.line } else { &of_scope.part };
        if let Some(part) = part.as_ref().filter(|_| is_of_cases || is_of_lines) {
            return format!("it follows from {part}, which differs itself");
        }
        let file = &declared.file;
        let unknown = self.entry.evaluation.unchecked.iter();
        let mut unknown = unknown.filter(|one| one.file == *file && one.why == NO_RULE);
        if let Some(field) = unknown.next() {
            let field = &field.field;
            return format!("a newer version of the producer wrote it: {field:?} is not known");
        }
        let (n_agreeing, n_differing) = self.by_file.get(file).copied().unwrap_or_default();
        if n_differing == 1 && n_agreeing > 0 {
            let others = counted(n_agreeing, "other figure");
            let agree = if n_agreeing == 1 { "agrees" } else { "agree" };
            return format!("this figure alone was changed: {others} of the same file {agree}");
        }
        if let Some(id) = &of_scope.repeated_id {
            return format!("the id {id:?} stands more than once");
        }
        "rows, or several figures, were changed after the totals were made".to_owned()
    }

    fn of_scope(&self, scope: &Scope) -> Rc<OfScope> {
        if let Some(known) = self.by_scope.borrow().get(scope) {
            return Rc::clone(known);
        }
        let found = Rc::new(self.look(scope));
        self.by_scope.borrow_mut().insert(scope.clone(), Rc::clone(&found));
        found
    }

    fn look(&self, scope: &Scope) -> OfScope {
        let runs = runs_of(scope, self.entry);
        let own = || self.by_own_scope.get(scope).into_iter().flatten().copied();
        let is_whole = matches!(scope, Scope::Evaluation);
        let paths: HashSet<&str> = runs
            .iter()
            .filter_map(|&at| self.entry.recorded_runs().get(at))
            .flat_map(|run| {
                let files = run.sources.iter().filter_map(|id| self.entry.bundle.file(*id));
                let origins = run.origins.iter().map(String::as_str);
                files.map(|file| file.path.as_str()).chain(origins).chain([run.key.path.as_str()])
            })
            .collect();
        let about_it = |note: &&Note| is_whole || paths.contains(note.file.as_str());
        let first = |kinds: &[NoteKind]| {
            let notes = self.entry.notes.iter().filter(about_it);
            notes.filter(|note| kinds.contains(&note.kind)).map(note_words).next()
        };
        let n_without_row = own()
            .filter(|one| matches!(one.declared.figure, Figure::CaseScore { .. }))
            .filter(|one| !one.agrees && one.computed == AuditValue::Missing)
            .count();
        OfScope {
            loss: first(&[NoteKind::Truncated, NoteKind::Broken, NoteKind::Limit]),
            mismatch: self.unlike(&about_it),
            repeated_id: self.repeated_id(&runs),
            n_without_row,
            rows: rows(own()),
            part: self
                .part(scope, &runs, &|one| !matches!(one.declared.figure, Figure::Found { .. })),
            line: self.part(scope, &runs, &|one| matches!(one.declared.scope, Scope::Run(_))),
        }
    }

    /// A record of one file that another one lacks. A mismatch about declared fields is no reason: it
    /// is a difference itself.
    fn unlike(&self, about_it: &dyn Fn(&&Note) -> bool) -> Option<String> {
        let notes = self.entry.notes.iter().filter(|note| about_it(note));
        let mut unlike = notes.filter(|note| {
            let is_record = |place: &str| {
                let next = self.fields.range(place..).next();
                next.is_none_or(|field| !field.starts_with(place))
            };
            note.kind == NoteKind::Mismatch
                && matches!(note.places.first(), Some(Place::Field(field)) if is_record(field))
        });
        unlike.next().map(note_words)
    }

    fn repeated_id(&self, runs: &[usize]) -> Option<String> {
        runs.iter().filter_map(|&at| self.entry.recorded_runs().get(at)).find_map(|run| {
            let cases = &run.cases;
            let mut seen = HashSet::new();
            (0..cases.len()).find_map(|idx| {
                let id = cases.id.get(idx)?;
                let numeric = cases.is_numeric_id.get(idx);
                let is_new =
                    seen.insert((cases.group.get(idx), cases.variant.get(idx), numeric, id));
                (!is_new).then(|| id.to_owned())
            })
        })
    }

    /// A figure of a narrower part of `scope` that differs itself.
    fn part(
        &self,
        scope: &Scope,
        runs: &[usize],
        is_wanted: &dyn Fn(&&Compared<'_>) -> bool,
    ) -> Option<String> {
        let is_part = |inner: &Scope| match (scope, inner) {
            (_, Scope::Evaluation) => false,
            (Scope::Evaluation, _) => true,
            (_, Scope::Run(idx)) => runs.binary_search(idx).is_ok(),
            (Scope::Repeat(own), Scope::Subject { repeat, .. }) => own == repeat,
            (Scope::SubjectAggregate(own), Scope::Subject { subject, .. }) => own == subject,
            _ => false,
        };
        if matches!(scope, Scope::Run(_)) {
            return None;
        }
        let mut differing = self.all.iter().filter(|one| !one.agrees).filter(is_wanted);
        let found = differing
            .find(|one| one.declared.known.is_none() && is_part(&one.declared.scope))?
            .declared;
        Some(format!("{} of {}", found.field, about(&found.scope, self.entry)))
    }
}

/// Rows declared and held, when no other figure speaks for the declared number.
fn rows<'a>(own: impl Iterator<Item = &'a Compared<'a>> + Clone) -> Option<(f64, f64)> {
    let is_rows = |figure: &Figure| match figure {
        Figure::Total | Figure::Repeats => true,
        Figure::Summary(path) => path == "num_checkpoints",
        _ => false,
    };
    let count = own.clone().find(|one| is_rows(&one.declared.figure) && !one.agrees)?;
    let (AuditValue::Number(stated), AuditValue::Number(held)) = (&count.stated, &count.computed)
    else {
        return None;
    };
    // Figures of single cases and copies say nothing about the number of rows.
    let mut others = own.filter(|one| {
        !is_rows(&one.declared.figure)
            && !matches!(
                one.declared.figure,
                Figure::CaseScore { .. } | Figure::CaseOutcome { .. } | Figure::Found { .. }
            )
    });
    let is_alone = others.clone().next().is_some() && others.all(|one| one.agrees);
    (!is_alone).then_some((stated.0, held.0))
}

/// Why the recorded result of a case differs.
fn of_case(compared: &Compared<'_>, of_scope: &OfScope) -> String {
    match (&compared.stated, &compared.computed) {
        (_, AuditValue::Missing) => of_scope
            .loss
            .clone()
            .unwrap_or_else(|| "the row of this case was removed: there is none".to_owned()),
        (AuditValue::Missing, _) => {
            "the recorded result was removed, or the row was added".to_owned()
        }
        _ => "the recorded result was changed, or what it follows from".to_owned(),
    }
}

/// The first id that only one of two lists has.
fn of_ids(compared: &Compared<'_>) -> Option<String> {
    let (AuditValue::Text(stated), AuditValue::Text(computed)) =
        (&compared.stated, &compared.computed)
    else {
        return None;
    };
    let counts = |text: &str| {
        let mut counts: HashMap<String, i64> = HashMap::new();
        for id in text.split(", ").filter(|id| !id.is_empty()) {
            *counts.entry(id.to_owned()).or_default() += 1;
        }
        counts
    };
    let (own, others) = (counts(stated), counts(computed));
    let lacks = |text: &str, there: &HashMap<String, i64>, here: &HashMap<String, i64>| {
        let mut ids = text.split(", ").filter(|id| !id.is_empty());
        ids.find(|id| there.get(*id) > here.get(*id)).map(str::to_owned)
    };
    lacks(computed, &others, &own)
        .map(|id| format!("{id:?} was taken out of the list: its row has an error"))
        .or_else(|| {
            lacks(stated, &own, &others)
                .map(|id| format!("{id:?} was put into the list: no such row has an error"))
        })
}

/// A note as a reason: what, in which file, where.
fn note_words(note: &Note) -> String {
    let place = note.places.first().filter(|place| **place != Place::File);
    let place = place.map_or(String::new(), |place| format!(", {place}"));
    format!("{} ({}{place})", note.detail, note.file)
}

fn counted(n: usize, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") }
}
