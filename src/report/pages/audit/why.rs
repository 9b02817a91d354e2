//! Why a declared figure differs from the computed one: the mildest cause that explains it.
//!
//! ```text
//! known to the reader ─> summed in another order ─> rounded, unit, clock, definition (meaning)
//!   ─> lost in reading ─> files that do not fit ─> an excerpt (partial) ─> runs that are not here
//!   ─> more rows than declared
//!   ─> a part that differs itself ─> what was assumed ─> a newer writer ─> a repeated id ─> no known cause
//! ```
//!
//! What a computed cause explains is [`Severity::Expected`]. Nobody is accused: where no cause is known,
//! that is what is said.

use super::absent::{AbsentParts, may_be_more};
use super::compare::{AuditedFigure, ROUNDING, is_within, value_of};
use super::ids::{lists_more, of_ids};
use super::meaning::meaning;
use super::partial::{Partial, has_no_row, is_part};
use super::{AuditValue, Severity, about};
use crate::model::{Figure, NO_RULE, Note, NoteKind, Place, SCORES_ALONE, Scope};
use crate::report::all_notes::files_of;
use crate::report::computed_figure::runs_of;
use crate::words::report::audit as words;
use crate::workspace::Entry;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// What there is to go by in an evaluation.
pub(super) struct Evidence<'a> {
    entry: &'a Entry,
    all: &'a [AuditedFigure<'a>],
    fields: BTreeSet<&'a str>,
    by_own_scope: HashMap<&'a Scope, Vec<&'a AuditedFigure<'a>>>,
    /// Figures that agree and differ, by file.
    by_file: HashMap<Rc<str>, (usize, usize)>,
    absent: AbsentParts<'a>,
    /// The lines that summaries are made of are among the files, and were not made from the checkpoints here.
    has_lines: bool,
    by_scope: RefCell<HashMap<Scope, Rc<OfScope>>>,
}

/// What there is to go by in a part of it.
#[derive(Default)]
struct OfScope {
    /// Something was lost in reading its files.
    loss: Option<String>,
    /// Some of its runs are not among the files.
    absent: Option<String>,
    /// What was assumed of its cases, as a file is not there.
    assumed: Option<String>,
    /// Two of its files do not fit.
    mismatch: Option<String>,
    /// An id stands more than once.
    repeated_id: Option<String>,
    /// Recorded cases that no row is about.
    n_without_row: usize,
    /// What its files declare beyond, or short of, what is here.
    counts: HashMap<Rc<str>, RowCounts>,
    /// A figure of a narrower part that differs itself, and how much.
    part: Option<(Severity, String)>,
    /// The same of a single run, copies included.
    line: Option<(Severity, String)>,
}

/// Fewer rows than a file declares, or more: declared and here.
type RowCounts = (Option<Partial>, Option<(f64, f64)>);

/// A weight and a reason.
type Why = (Severity, String);

impl<'a> Evidence<'a> {
    pub(super) fn new(entry: &'a Entry, all: &'a [AuditedFigure<'a>]) -> Self {
        let fields = all.iter().map(|one| one.declared.field.as_str()).collect();
        let mut by_own_scope: HashMap<&Scope, Vec<&AuditedFigure<'_>>> = HashMap::new();
        let mut by_file: HashMap<Rc<str>, (usize, usize)> = HashMap::new();
        for one in all {
            by_own_scope.entry(&one.declared.scope).or_default().push(one);
            let found = by_file.entry(Rc::clone(&one.declared.file)).or_default();
            if one.agrees { found.0 += 1 } else { found.1 += 1 }
        }
        let absent = AbsentParts::of(entry);
        let mut declared = entry.evaluation.declared.iter();
        let has_lines = declared.any(|one| one.file.ends_with(words::LINES_FILE));
        let by_scope = RefCell::default();
        Self { entry, all, fields, by_own_scope, by_file, absent, has_lines, by_scope }
    }

    /// How much a difference matters, and why it is likely to be.
    pub(super) fn explain(&self, compared: &AuditedFigure<'_>) -> Why {
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
            return (Severity::Minor, words::SUMMED.to_owned());
        }
        if let Some(why) = meaning(compared, self.entry) {
            return (Severity::Expected, why);
        }
        self.milder(compared).unwrap_or_else(|| (Severity::Major, self.unexplained(compared)))
    }

    /// A cause that lies in what is among the files, and in what is not.
    fn milder(&self, compared: &AuditedFigure<'_>) -> Option<Why> {
        let declared = compared.declared;
        let of_scope = self.of_scope(&declared.scope);
        match &declared.figure {
            Figure::Found { .. } => {
                return of_scope.loss.clone().map(|loss| (Severity::Expected, loss));
            }
            Figure::CaseScore { .. } | Figure::CaseOutcome { .. } => {
                return of_case(compared, &of_scope);
            }
            Figure::FailedIds => {
                let partial = of_scope.counts.get(&declared.file).and_then(|counts| counts.0);
                let fewer =
                    partial.map(|partial| partial.words()).or_else(|| of_scope.absent.clone());
                if let Some(why) = fewer.filter(|_| lists_more(compared)) {
                    return Some((Severity::Expected, why));
                }
                if let Some(why) = of_ids(compared) {
                    return Some((Severity::Major, why));
                }
            }
            _ => {}
        }
        // A summary follows from lines of figures, seconds of groups from no case at all.
        let is_of_lines = matches!(declared.figure, Figure::Summary(_));
        let is_of_cases = !is_of_lines && !matches!(declared.figure, Figure::DurationFromGroups);
        if let Some(loss) = of_scope.loss.as_ref().filter(|_| is_of_cases || is_of_lines) {
            return Some((Severity::Expected, loss.clone()));
        }
        if is_of_lines && !self.has_lines {
            return Some((Severity::Expected, words::DERIVED_ROWS.to_owned()));
        }
        if is_of_cases && of_scope.n_without_row > 0 {
            return Some((Severity::Expected, words::without_row(of_scope.n_without_row)));
        }
        if let Some(mismatch) = of_scope.mismatch.as_ref().filter(|_| is_of_cases) {
            return Some((Severity::Major, words::likely(mismatch)));
        }
        let part = if is_of_lines { &of_scope.line } else { &of_scope.part };
        let part = part.as_ref().filter(|_| is_of_cases || is_of_lines);
        let (partial, surplus) = of_scope.counts.get(&declared.file).copied().unwrap_or_default();
        if let Some(partial) = partial
            && (partial.admits(compared) || part.is_some())
        {
            return Some((Severity::Expected, partial.words()));
        }
        if let Some(absent) =
            of_scope.absent.as_ref().filter(|_| is_of_cases && may_be_more(compared))
        {
            return Some((Severity::Expected, absent.clone()));
        }
        if let Some((stated, held)) = surplus
            && of_scope.repeated_id.is_none()
        {
            return Some((Severity::Major, words::more_than_declared(stated, held)));
        }
        if let Some((severity, part)) = part {
            let why = match severity {
                Severity::Expected => words::from_known_part(part),
                _ => words::from_differing_part(part),
            };
            return Some((*severity, why));
        }
        if let Some(assumed) = of_scope.assumed.as_ref().filter(|_| is_of_cases) {
            return Some((Severity::Expected, words::likely(assumed)));
        }
        let unknown = self.entry.evaluation.unchecked.iter();
        let mut unknown = unknown.filter(|one| one.file == declared.file && one.why == NO_RULE);
        if let Some(field) = unknown.next() {
            return Some((Severity::Major, words::newer_writer(&field.field)));
        }
        let is_alone = self.by_file.get(&declared.file).is_some_and(|found| is_alone(*found));
        let id = of_scope.repeated_id.as_ref().filter(|_| is_of_cases && !is_alone)?;
        Some((Severity::Major, words::repeated_id(id)))
    }

    /// What is said when no known cause explains a difference.
    fn unexplained(&self, compared: &AuditedFigure<'_>) -> String {
        let declared = compared.declared;
        let edited = match &declared.figure {
            Figure::Found { at, .. } => words::value_edited(at),
            Figure::CaseScore { .. } | Figure::CaseOutcome { .. } => {
                words::RESULT_EDITED.to_owned()
            }
            _ => {
                let found = self.by_file.get(&declared.file).copied().unwrap_or_default();
                if is_alone(found) {
                    words::others_agree(found.0)
                } else {
                    words::ROWS_EDITED.to_owned()
                }
            }
        };
        words::unexplained(&edited)
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
            .flat_map(|run| files_of(self.entry, run).into_iter().chain([run.key.path.as_str()]))
            .collect();
        let about_it = |note: &&Note| is_whole || paths.contains(note.file.as_str());
        let first = |kinds: &[NoteKind]| {
            let notes = self.entry.notes.iter().filter(about_it);
            notes.filter(|note| kinds.contains(&note.kind)).map(note_words).next()
        };
        let n_without_row =
            own().filter(|one| has_no_row(&one.declared.figure) && !one.agrees).count();
        let mut by_file: HashMap<Rc<str>, Vec<&AuditedFigure<'_>>> = HashMap::new();
        for one in own() {
            by_file.entry(Rc::clone(&one.declared.file)).or_default().push(one);
        }
        let counts = by_file.into_iter();
        OfScope {
            counts: counts
                .map(|(file, own)| (file, (Partial::of(&own), Partial::surplus(&own))))
                .collect(),
            loss: first(&[
                NoteKind::Truncated,
                NoteKind::Broken,
                NoteKind::NotRead,
                NoteKind::Limit,
            ]),
            absent: self.absent.within(scope, &runs).map(|part| words::includes_absent(&part)),
            assumed: self
                .entry
                .notes
                .iter()
                .find(|note| !is_whole && note.detail == SCORES_ALONE && about_it(note))
                .map(note_words),
            mismatch: self.unlike(&about_it),
            repeated_id: self.repeated_id(&runs),
            n_without_row,
            part: self.part(scope, &runs, &|one| !is_of_copy(&one.declared.figure)),
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

    /// A figure of a narrower part of `scope` that differs itself: rather one that no cause explains.
    fn part(
        &self,
        scope: &Scope,
        runs: &[usize],
        is_wanted: &dyn Fn(&&AuditedFigure<'_>) -> bool,
    ) -> Option<Why> {
        if matches!(scope, Scope::Run(_)) {
            return None;
        }
        let differing = self.all.iter().filter(|one| !one.agrees).filter(is_wanted).filter(|one| {
            one.declared.known.is_none() && is_part(scope, &one.declared.scope, runs)
        });
        let words = |one: &AuditedFigure<'_>| {
            words::figure_of(&one.declared.field, &about(&one.declared.scope, self.entry))
        };
        let mut found: Option<Why> = None;
        for one in differing {
            let severity = self.explain(one).0;
            if found.as_ref().is_none_or(|(known, _)| severity > *known) {
                found = Some((severity, words(one)));
            }
            if severity == Severity::Major {
                break;
            }
        }
        found
    }
}

/// Whether, of so many figures of a file that agree and differ, one stands against all others.
fn is_alone((n_agreeing, n_differing): (usize, usize)) -> bool {
    n_differing == 1 && n_agreeing > 0
}

/// Whether a figure repeats what stands elsewhere: no cases follow from it, nor it from cases.
fn is_of_copy(figure: &Figure) -> bool {
    matches!(figure, Figure::Found { .. } | Figure::DurationFromGroups)
}

/// Why the recorded result of a case differs.
fn of_case(compared: &AuditedFigure<'_>, of_scope: &OfScope) -> Option<Why> {
    match (&compared.stated, &compared.computed) {
        (_, AuditValue::Missing) if has_no_row(&compared.declared.figure) => {
            let why = of_scope.loss.clone().unwrap_or_else(|| words::NO_ROW.to_owned());
            Some((Severity::Expected, why))
        }
        (AuditValue::Missing, _) => Some(match &of_scope.loss {
            Some(loss) => (Severity::Expected, loss.clone()),
            None => (Severity::Major, words::NO_RECORD.to_owned()),
        }),
        _ => None,
    }
}

/// A note as a reason: what, in which file, where.
fn note_words(note: &Note) -> String {
    let place = note.places.first().filter(|place| **place != Place::File);
    let place = place.map_or(String::new(), |place| format!(", {place}"));
    format!("{} ({}{place})", note.detail, note.file)
}
