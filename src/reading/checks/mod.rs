//! The checks of a case: what is wrong first, with what was compared below each.

mod texts;

pub(super) use texts::{is_short, texts};

use super::fold::{labelled, range_fold};
use super::part::PartRequest;
use super::piece::{Body, CheckShown, Fold, LineKind, Piece};
use super::ranges::parts_after;
use super::read::Reading;
use crate::order::Order as _;
use crate::report::{CheckDetail, Outcome};
use crate::words::reading as words;
use std::ops::Range;

/// Rows that are drawn at once.
const MAX_ROWS: usize = 100;

/// So many of the wrong ones are open from the start.
const MAX_OPEN: usize = 20;

/// All checks.
pub(super) fn checks(reading: &Reading) -> Vec<Piece> {
    let mut out = Vec::new();
    if let Some(line) = reading.case().map(|case| &case.line).filter(|line| line.n_checks > 0) {
        let (n_wrong, n_checks) = (line.n_failed_checks, line.n_checks);
        let words = words::checks_failed(n_wrong, n_checks);
        out.push(Piece::Line(LineKind::Count, words));
    }
    let order = order(reading);
    let n_judged = order.iter().filter(|(group, _)| *group != CheckGroup::Unjudged).count();
    out.extend(rows(reading, 0..n_judged));
    let rest = n_judged..order.len();
    if n_judged == 0 {
        out.extend(rows(reading, rest));
    } else if !rest.is_empty() {
        let words = words::not_verified(rest.len() as u64);
        let body = Body::Part(reading.name(PartRequest::Checks(rest)));
        out.push(Piece::Fold(Box::new(Fold { body, ..labelled(words) })));
    }
    out
}

/// All checks: what is wrong first, what nobody has judged last.
fn order(reading: &Reading) -> Vec<(CheckGroup, usize)> {
    let checks = reading.detail().checks.iter().enumerate();
    let mut order: Vec<(CheckGroup, usize)> =
        checks.map(|(idx, check)| (group(check), idx)).collect();
    order.order_by_key(|(group, _)| *group);
    order
}

/// Some of the checks, in order; very many in parts.
pub(super) fn rows(reading: &Reading, range: Range<usize>) -> Vec<Piece> {
    let order = order(reading);
    let end = range.end.min(order.len());
    let first = range.start.min(end)..end.min(range.start.saturating_add(MAX_ROWS));
    if first.is_empty() {
        return Vec::new();
    }
    let columns = CheckColumns::of(&reading.detail().checks);
    let shown = order.get(first.clone()).unwrap_or_default();
    let shown = first
        .clone()
        .zip(shown)
        .filter_map(|(place, (_, idx))| check(reading, &columns, *idx, place < MAX_OPEN));
    let mut out = vec![Piece::Checks(shown.collect())];
    for part in parts_after(first.end..end, MAX_ROWS) {
        out.push(range_fold(
            reading,
            words::CHECKS_PART,
            &part,
            PartRequest::Checks(part.clone()),
            None,
        ));
    }
    out
}

/// A check with what was compared.
fn check(
    reading: &Reading,
    columns: &CheckColumns,
    idx: usize,
    is_open: bool,
) -> Option<CheckShown> {
    let check = reading.detail().checks.get(idx)?;
    let outcome = outcome(check);
    let is_open = is_open && group(check) == CheckGroup::Wrong;
    let verdict = check.verdict.as_deref().filter(|verdict| *verdict != outcome.as_str());
    let notes = [
        columns.has_attempt.then(|| words::check_attempt(check.attempt.into())),
        check.weight.map(words::check_weight),
        verdict.map(words::recorded_as),
    ];
    let (reason, below) = texts::below(reading, idx, check, is_open);
    Some(CheckShown {
        name: check.name.clone(),
        outcome,
        word: word(check, outcome).to_owned(),
        score: check.score.map(|score| reading.look().score(score)),
        notes: notes.into_iter().flatten().collect(),
        reason,
        sides: texts::short_sides(check),
        below,
    })
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum CheckGroup {
    Wrong,
    Judged,
    Unjudged,
}

fn group(check: &CheckDetail) -> CheckGroup {
    match outcome(check) {
        Outcome::Failed | Outcome::Error => CheckGroup::Wrong,
        Outcome::Unscored => CheckGroup::Unjudged,
        _ => CheckGroup::Judged,
    }
}

/// What any check says.
struct CheckColumns {
    has_attempt: bool,
}

impl CheckColumns {
    fn of(checks: &[CheckDetail]) -> Self {
        Self { has_attempt: checks.iter().any(|check| check.attempt > 1) }
    }
}

/// How a check came out.
pub(super) fn outcome(check: &CheckDetail) -> Outcome {
    match (check.is_correct, check.verdict.as_deref()) {
        (_, Some("error")) => Outcome::Error,
        (Some(true), _) => Outcome::Passed,
        (Some(false), _) => Outcome::Failed,
        (None, Some(verdict)) => Outcome::from_text(verdict).unwrap_or(Outcome::Unscored),
        (None, None) => Outcome::without_rule(check.score),
    }
}

fn word(check: &CheckDetail, outcome: Outcome) -> &'static str {
    match (outcome, check.is_correct) {
        (Outcome::Unscored, None) => words::NOT_VERIFIED,
        _ => outcome.as_str(),
    }
}
