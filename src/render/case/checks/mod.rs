//! The checks of a case: a compact table, what is wrong first, with what was compared below each.

mod texts;

pub(super) use texts::{is_short, texts};

use super::fold::fold;
use super::part::Part;
use super::ranges::parts_after;
use super::reading::Reading;
use crate::format;
use crate::markup::Markup;
use crate::render::cell::outcome_mark;
use crate::report::{CheckDetail, Outcome};
use std::ops::Range;

/// Rows that are drawn at once.
const MAX_ROWS: usize = 100;

/// So many of the wrong ones are open from the start.
const MAX_OPEN: usize = 20;

/// Draws all checks.
pub(super) fn checks(reading: &Reading, out: &mut Markup) {
    if let Some(line) = reading.case().map(|case| &case.line).filter(|line| line.n_checks > 0) {
        let (n_wrong, n_checks) = (line.n_failed_checks, line.n_checks);
        let words = format!("{} of {} failed", format::count(n_wrong), format::count(n_checks));
        out.open("p").class("checks__count").text(&words);
    }
    let order = order(reading);
    let n_judged = order.iter().filter(|(group, _)| *group != Group::Unjudged).count();
    out.append(&rows(reading, 0..n_judged));
    let rest = n_judged..order.len();
    if n_judged == 0 {
        out.append(&rows(reading, rest));
    } else if !rest.is_empty() {
        let name = reading.name(Part::Checks(rest.clone()));
        out.open("details").class("fold checks__rest").attr("data-part", &name).body(|out| {
            let words = format::counted(rest.len() as u64, "was not verified", "were not verified");
            out.open("summary").text(&words);
        });
    }
}

/// All checks: what is wrong first, what nobody has judged last.
fn order(reading: &Reading) -> Vec<(Group, usize)> {
    let checks = reading.detail().checks.iter().enumerate();
    let mut order: Vec<(Group, usize)> = checks.map(|(idx, check)| (group(check), idx)).collect();
    order.sort_by_key(|(group, _)| *group);
    order
}

/// Some of the checks, in order, as a table; very many in parts.
pub(super) fn rows(reading: &Reading, range: Range<usize>) -> Markup {
    let mut out = Markup::new();
    let order = order(reading);
    let end = range.end.min(order.len());
    let first = range.start.min(end)..end.min(range.start.saturating_add(MAX_ROWS));
    if first.is_empty() {
        return out;
    }
    let columns = Columns::of(&reading.detail().checks);
    out.open("div").class("checks").body(|out| {
        out.open("table").body(|out| {
            out.open("thead").body(|out| out.open("tr").body(|out| head(out, &columns)));
            let shown = order.get(first.clone()).unwrap_or_default();
            for (place, (_, idx)) in first.clone().zip(shown) {
                out.open("tbody")
                    .class("check")
                    .body(|out| check(reading, out, &columns, *idx, place < MAX_OPEN));
            }
        });
    });
    for part in parts_after(first.end..end, MAX_ROWS) {
        fold(reading, &mut out, "Checks ", &part, Part::Checks(part.clone()), None);
    }
    out
}

/// A check: its row, and below it what was compared.
fn check(reading: &Reading, out: &mut Markup, columns: &Columns, idx: usize, is_open: bool) {
    let Some(check) = reading.detail().checks.get(idx) else { return };
    out.open("tr").body(|out| row(reading, out, columns, check));
    let is_open = is_open && group(check) == Group::Wrong;
    let below = texts::below(reading, idx, check, is_open);
    if !below.is_empty() {
        let n_columns = columns.count().to_string();
        out.open("tr").class("check__more").body(|out| {
            out.open("td").attr("colspan", &n_columns).body(|out| {
                out.append(&below);
            });
        });
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Wrong,
    Judged,
    Unjudged,
}

fn group(check: &CheckDetail) -> Group {
    match outcome(check) {
        Outcome::Failed | Outcome::Error => Group::Wrong,
        Outcome::Unscored => Group::Unjudged,
        _ => Group::Judged,
    }
}

/// Which columns any check fills.
struct Columns {
    has_attempt: bool,
    has_weight: bool,
    has_score: bool,
    has_verdict: bool,
}

impl Columns {
    fn of(checks: &[CheckDetail]) -> Self {
        let has_verdict = |check: &CheckDetail| {
            check.verdict.as_deref().is_some_and(|verdict| verdict != outcome(check).as_str())
        };
        Self {
            has_attempt: checks.iter().any(|check| check.attempt > 1),
            has_weight: checks.iter().any(|check| check.weight.is_some()),
            has_score: checks.iter().any(|check| check.score.is_some()),
            has_verdict: checks.iter().any(has_verdict),
        }
    }

    fn count(&self) -> usize {
        let optional = [self.has_attempt, self.has_weight, self.has_score, self.has_verdict];
        2 + optional.into_iter().filter(|is_there| *is_there).count()
    }
}

fn head(out: &mut Markup, columns: &Columns) {
    let heads = [
        (true, "Check", "is-start"),
        (true, "Outcome", "is-start"),
        (columns.has_attempt, "Attempt", "is-end"),
        (columns.has_weight, "Weight", "is-end"),
        (columns.has_score, "Score", "is-end"),
        (columns.has_verdict, "Verdict", "is-start"),
    ];
    for (_, title, class) in heads.into_iter().filter(|(is_there, _, _)| *is_there) {
        out.open("th").attr("scope", "col").class(class).text(title);
    }
}

fn row(reading: &Reading, out: &mut Markup, columns: &Columns, check: &CheckDetail) {
    let outcome = outcome(check);
    out.open("th").attr("scope", "row").class("check__name").body(|out| {
        out.open("bdi").text(&check.name);
    });
    out.open("td").body(|out| {
        let class = format!("outcome-word outcome-word--{}", outcome.as_str());
        out.open("span").class(&class).body(|out| {
            outcome_mark(outcome, out);
            out.text(word(check, outcome));
        });
    });
    let number = |out: &mut Markup, text: String| out.open("td").class("is-end").text(&text);
    if columns.has_attempt {
        number(out, format::count(check.attempt.into()));
    }
    if columns.has_weight {
        number(out, check.weight.map_or(String::new(), |weight| format::number(weight, 3)));
    }
    if columns.has_score {
        number(out, check.score.map_or(String::new(), |score| reading.look().score(score)));
    }
    if columns.has_verdict {
        out.open("td").body(|out| {
            out.open("bdi").text(check.verdict.as_deref().unwrap_or_default());
        });
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
        (Outcome::Unscored, None) => "not verified",
        _ => outcome.as_str(),
    }
}
