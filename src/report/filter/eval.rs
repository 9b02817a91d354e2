//! Which cases a filter keeps: column by column, each word of a dictionary looked at once.

use super::expr::{Expr, Filter, Term};
use super::field::{FLAKY, Field};
use super::flaky::flaky;
use super::mask::Mask;
use super::scope::{FieldWords, FilterScope, ScopeRun, tags, wrong_checks};
use super::text::is_same;
use crate::input::Needle;
use crate::model::{Dict, ValueColumn};

impl Filter {
    /// The cases of `scope` that it keeps. What would have to be looked for in files that nobody has
    /// searched is left out of account.
    pub(in crate::report) fn mask(&self, scope: &FilterScope<'_>) -> Mask {
        let root = self.searched(&|needle| scope.is_searched(needle));
        root.map_or_else(|| Mask::all(scope.n_cases, true), |root| mask_of(&root, scope))
    }

    /// What it asks for without terms about files that nobody has searched for them.
    pub(in crate::report) fn searched(&self, is_searched: &dyn Fn(&str) -> bool) -> Option<Expr> {
        searched(self.root.as_ref()?, is_searched)
    }

    /// The texts that it looks for in files that have not been searched for them.
    pub(in crate::report) fn unsearched(&self, scope: &FilterScope<'_>) -> Vec<&str> {
        self.needles().filter(|needle| !scope.is_searched(needle)).collect()
    }
}

impl Term {
    /// The cases of `scope` for which it holds.
    pub(in crate::report) fn mask(&self, scope: &FilterScope<'_>) -> Mask {
        let mut mask = Mask::all(scope.n_cases, false);
        for part in &scope.parts {
            mark(self, scope, part, mask.part_mut(part.start, part.n_cases()));
        }
        if matches!(self, Self::Is { field: Field::Has, values, .. } if values.iter().any(|one| one == FLAKY))
        {
            mask.or(&flaky(scope));
        }
        mask
    }
}

fn searched(expr: &Expr, is_searched: &dyn Fn(&str) -> bool) -> Option<Expr> {
    let joined = |parts: &[Expr], join: fn(Vec<Expr>) -> Expr| {
        let mut parts: Vec<Expr> =
            parts.iter().filter_map(|part| searched(part, is_searched)).collect();
        if parts.len() < 2 { parts.pop() } else { Some(join(parts)) }
    };
    match expr {
        Expr::Term(Term::Contains { field: Field::Text, text }) if !is_searched(text) => None,
        Expr::Term(_) => Some(expr.clone()),
        Expr::Not(inner) => searched(inner, is_searched).map(|inner| Expr::Not(Box::new(inner))),
        Expr::All(parts) => joined(parts, Expr::All),
        Expr::Any(parts) => joined(parts, Expr::Any),
    }
}

fn mask_of(expr: &Expr, scope: &FilterScope<'_>) -> Mask {
    let joined = |parts: &[Expr], is_all: bool| {
        let mut mask = Mask::all(scope.n_cases, is_all);
        for part in parts {
            let other = mask_of(part, scope);
            if is_all { mask.and(&other) } else { mask.or(&other) }
        }
        mask
    };
    match expr {
        Expr::All(parts) => joined(parts, true),
        Expr::Any(parts) => joined(parts, false),
        Expr::Not(inner) => {
            let mut mask = mask_of(inner, scope);
            mask.negate();
            mask
        }
        Expr::Term(term) => term.mask(scope),
    }
}

/// Sets `marks` for the cases of `part` for which `term` holds.
fn mark(term: &Term, scope: &FilterScope<'_>, part: &ScopeRun<'_>, marks: &mut [bool]) {
    match term {
        Term::Words(text) => {
            let needle = Needle::new(text);
            for field in [Field::Run, Field::Variant, Field::Group, Field::Id, Field::Error] {
                mark_containing(part, &field, &needle, marks);
            }
        }
        Term::Contains { field: Field::Text, text } => {
            if let Some(found) = scope.found(text, part.at) {
                set_where(marks, |idx| found.get(idx) == Some(&true));
            }
        }
        Term::Contains { field, text } => mark_containing(part, field, &Needle::new(text), marks),
        Term::Is { field: Field::Has, values, .. } => {
            values.iter().for_each(|name| mark_having(part, name, marks));
        }
        Term::Is { field, values, .. } if field.is_number() => {
            let wanted: Vec<Option<f64>> = values.iter().map(|value| field.number(value)).collect();
            #[expect(clippy::float_cmp, reason = "a filter means the number that it names")]
            let is_wanted = |found: f64| wanted.iter().flatten().any(|wanted| *wanted == found);
            mark_numbers(part, field, is_wanted, marks);
            if wanted.contains(&None) {
                mark_without(part, field, marks);
            }
        }
        Term::Is { field, is_exact, values } => {
            let is_wanted = |word: &str| {
                let mut values = values.iter().filter(|value| !value.is_empty());
                values.any(|value| is_same(value, word, *is_exact))
            };
            for words in part.words(field) {
                mark_words(part, &words, is_wanted, marks);
            }
            if values.iter().any(String::is_empty) {
                mark_without(part, field, marks);
            }
        }
        Term::Compares { field, how, value } => {
            if let Some(bound) = field.number(value) {
                mark_numbers(part, field, |found| how.holds(found, bound), marks);
            }
        }
    }
}

fn set_where(marks: &mut [bool], is_so: impl Fn(usize) -> bool) {
    for (idx, mark) in marks.iter_mut().enumerate() {
        *mark = *mark || is_so(idx);
    }
}

fn mark_containing(part: &ScopeRun<'_>, field: &Field, needle: &Needle, marks: &mut [bool]) {
    let space = std::cell::RefCell::new(String::new());
    let is_in = |word: &str| needle.is_in(word, &mut space.borrow_mut());
    for words in part.words(field) {
        mark_words(part, &words, is_in, marks);
    }
    if *field == Field::Error {
        mark_words(part, &FieldWords::Texts(&part.run.cases.error_message), is_in, marks);
    }
}

/// Sets `marks` where a word of the case is wanted.
fn mark_words(
    part: &ScopeRun<'_>,
    words: &FieldWords<'_>,
    is_wanted: impl Fn(&str) -> bool,
    marks: &mut [bool],
) {
    match words {
        FieldWords::Constant(word) => {
            if word.is_some_and(is_wanted) {
                marks.fill(true);
            }
        }
        FieldWords::Column(column, other) => {
            mark_codes(column, &is_wanted, other.is_some_and(&is_wanted), marks);
        }
        FieldWords::Lists(column) => {
            mark_codes(column, |joined| tags(joined).any(&is_wanted), false, marks);
        }
        FieldWords::Texts(column) => {
            for (mark, text) in marks.iter_mut().zip(column.iter()) {
                *mark = *mark || text.is_some_and(&is_wanted);
            }
        }
        FieldWords::Checks => {
            let checks = &part.run.checks;
            let wanted: Vec<bool> = checks.name.words().map(is_wanted).collect();
            for (code, case) in checks.name.codes().zip(checks.case_idx.iter()) {
                let is_so = code.is_some_and(|code| wanted.get(code) == Some(&true));
                if let Some(mark) = case.and_then(|case| marks.get_mut(case as usize)) {
                    *mark |= is_so;
                }
            }
        }
    }
}

fn mark_codes(
    column: &ValueColumn<Dict>,
    is_wanted: impl Fn(&str) -> bool,
    is_missing_wanted: bool,
    marks: &mut [bool],
) {
    let wanted: Vec<bool> = column.words().map(is_wanted).collect();
    for (mark, code) in marks.iter_mut().zip(column.codes()) {
        *mark |= code.map_or(is_missing_wanted, |code| wanted.get(code) == Some(&true));
    }
}

fn mark_numbers(
    part: &ScopeRun<'_>,
    field: &Field,
    is_wanted: impl Fn(f64) -> bool,
    marks: &mut [bool],
) {
    if let Field::MetricScore(name) = field {
        let checks = &part.run.checks;
        let named: Vec<bool> = checks.name.words().map(|word| word == name).collect();
        for (at, (code, case)) in checks.name.codes().zip(checks.case_idx.iter()).enumerate() {
            if code.is_some_and(|code| named.get(code) == Some(&true))
                && checks.score.get(at).is_some_and(&is_wanted)
                && let Some(mark) = case.and_then(|case| marks.get_mut(case as usize))
            {
                *mark = true;
            }
        }
        return;
    }
    let number = part.number(field);
    set_where(marks, |idx| number(idx).is_some_and(&is_wanted));
}

/// Sets `marks` for the cases of which `field` is not known.
fn mark_without(part: &ScopeRun<'_>, field: &Field, marks: &mut [bool]) {
    let mut has = vec![false; marks.len()];
    match field {
        Field::Error => set_where(&mut has, |idx| part.has_error(idx)),
        field if field.is_number() => mark_numbers(part, field, |_| true, &mut has),
        field => {
            for words in part.words(field) {
                mark_words(part, &words, |_| true, &mut has);
            }
        }
    }
    for (mark, has) in marks.iter_mut().zip(has) {
        *mark |= !has;
    }
}

/// Sets `marks` for the cases of which `name` is known.
fn mark_having(part: &ScopeRun<'_>, name: &str, marks: &mut [bool]) {
    match name {
        "error" => set_where(marks, |idx| part.has_error(idx)),
        "checks" => {
            let counts = wrong_checks(part.run);
            set_where(marks, |idx| counts.get(idx).is_some_and(|(_, n_judged)| *n_judged > 0));
        }
        name => {
            let Some(field) = Field::from_name(name) else { return };
            if field.is_number() {
                mark_numbers(part, &field, |_| true, marks);
            } else {
                for words in part.words(&field) {
                    mark_words(part, &words, |_| true, marks);
                }
            }
        }
    }
}

/// The cases of `scope` of which `name` is known.
pub(super) fn having(name: &str, scope: &FilterScope<'_>) -> Mask {
    if name == FLAKY {
        return flaky(scope);
    }
    let mut mask = Mask::all(scope.n_cases, false);
    for part in &scope.parts {
        mark_having(part, name, mask.part_mut(part.start, part.n_cases()));
    }
    mask
}
