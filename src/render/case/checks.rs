//! The checks of a case: a compact table, what is wrong first, with what was compared below each.

use super::part::{ChangesOf, Field, Pair, Part, TextId};
use super::reading::Reading;
use super::{block, changes, diff};
use crate::format;
use crate::markup::Markup;
use crate::render::cell::outcome_mark;
use crate::report::{CheckDetail, Outcome};

/// Texts up to so many bytes stand in the row itself.
const MAX_SHORT: usize = 80;

/// Reasons up to so many bytes stand below the row, longer ones are folded.
const MAX_REASON: usize = 2_000;

/// Draws all checks.
pub(super) fn checks(reading: &Reading, out: &mut Markup) {
    let checks = &reading.detail().checks;
    let columns = Columns::of(checks);
    let line = &reading.view().line;
    if line.n_checks > 0 {
        let (n_wrong, n_checks) = (line.n_failed_checks, line.n_checks);
        out.open("p").class("checks__count").text(&format!(
            "{} of {} wrong",
            format::count(n_wrong),
            format::count(n_checks)
        ));
    }
    let by = |wanted: Group| {
        let list = checks.iter().enumerate();
        list.filter(move |(_, check)| group(check) == wanted).collect::<Vec<_>>()
    };
    let judged: Vec<_> = by(Group::Wrong).into_iter().chain(by(Group::Judged)).collect();
    let rest = by(Group::Unjudged);
    if !judged.is_empty() {
        table(reading, out, &columns, &judged);
    }
    if !rest.is_empty() && judged.is_empty() {
        table(reading, out, &columns, &rest);
    } else if !rest.is_empty() {
        out.open("details").class("fold checks__rest").body(|out| {
            let words = format::counted(rest.len() as u64, "was not verified", "were not verified");
            out.open("summary").text(&words);
            table(reading, out, &columns, &rest);
        });
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Wrong,
    Judged,
    Unjudged,
}

fn group(check: &CheckDetail) -> Group {
    match outcome(check) {
        Outcome::Failed | Outcome::Error => Group::Wrong,
        Outcome::Unscored if check.score.is_none() => Group::Unjudged,
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

fn table(reading: &Reading, out: &mut Markup, columns: &Columns, checks: &[(usize, &CheckDetail)]) {
    let n_columns = columns.count().to_string();
    out.open("div").class("checks").body(|out| {
        out.open("table").body(|out| {
            out.open("thead").body(|out| out.open("tr").body(|out| head(out, columns)));
            for (idx, check) in checks {
                out.open("tbody").class("check").body(|out| {
                    out.open("tr").body(|out| row(reading, out, columns, check));
                    if has_texts(check) {
                        out.open("tr").class("check__more").body(|out| {
                            out.open("td")
                                .attr("colspan", &n_columns)
                                .body(|out| below(reading, out, *idx, check));
                        });
                    }
                });
            }
        });
    });
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

fn has_texts(check: &CheckDetail) -> bool {
    [&check.expected, &check.actual, &check.metadata, &check.reason]
        .into_iter()
        .any(|text| text.as_deref().is_some_and(|text| !text.is_empty()))
        || has_diff(check)
}

fn has_diff(check: &CheckDetail) -> bool {
    check.diff.as_deref().is_some_and(|diff| !matches!(diff.trim(), "" | "null" | "{}"))
}

/// Whether a text fits into a line.
pub(super) fn is_short(text: &str) -> bool {
    text.len() <= MAX_SHORT && !text.contains(['\n', '\r'])
}

/// Reason, and what was compared: below what is wrong at once, folded below what is right.
fn below(reading: &Reading, out: &mut Markup, idx: usize, check: &CheckDetail) {
    if let Some(reason) = check.reason.as_deref().filter(|reason| !reason.is_empty()) {
        if reason.len() <= MAX_REASON {
            out.open("p").class("check__reason").attr("dir", "auto").text(reason);
        } else {
            block::folded(reading, out, &TextId::Check(idx, Field::Reason), false);
        }
    }
    short_sides(out, check);
    let texts = texts(reading, idx).unwrap_or_default();
    if group(check) == Group::Wrong {
        out.append(&texts);
    } else if !texts.is_empty() {
        let name = reading.name(Part::Check(idx));
        out.open("details")
            .class("fold")
            .attr("id", &format!("c-{idx}"))
            .attr("data-part", &name)
            .body(|out| out.open("summary").text("What was compared"));
    }
}

/// Expected, actual and what the file says of them, when all of it fits into a line.
fn short_sides(out: &mut Markup, check: &CheckDetail) {
    let sides = [
        ("expected", check.expected.as_deref()),
        ("actual", check.actual.as_deref()),
        ("comparison", check.diff.as_deref().filter(|_| has_diff(check))),
    ];
    let shown: Vec<_> = sides
        .into_iter()
        .filter_map(|(word, text)| Some((word, text.filter(|text| is_short(text))?)))
        .collect();
    if shown.is_empty() {
        return;
    }
    out.open("p").class("check__sides").body(|out| {
        for (word, text) in shown {
            out.span("check__side", word);
            out.text(" ");
            let text = if text.is_empty() { "(empty text)" } else { text };
            out.open("code").attr("dir", "auto").text(text);
            out.text(" ");
        }
    });
}

/// The difference, what the file says of it, both sides, further data; nothing that stands in a line
/// already.
pub(super) fn texts(reading: &Reading, idx: usize) -> Option<Markup> {
    let check = reading.detail().checks.get(idx)?;
    let mut out = Markup::new();
    let id = |field: Field| TextId::Check(idx, field);
    let pair = Pair { old: id(Field::Expected), new: id(Field::Actual) };
    let (expected, actual) = (check.expected.as_deref(), check.actual.as_deref());
    let is_json = reading.doc(&pair.old).is_some() && reading.doc(&pair.new).is_some();
    let is_compared = match (expected, actual) {
        (Some(expected), Some(actual)) => {
            expected != actual && (is_json || !is_short(expected) || !is_short(actual))
        }
        _ => false,
    };
    if is_compared {
        diff::place(reading, &mut out, &pair);
    }
    let deep = [Field::Diff, Field::Metadata]
        .into_iter()
        .find(|field| reading.changes(&ChangesOf::DeepDiff(id(*field))).is_some());
    if let Some(field) = deep {
        out.open("details").class("fold").body(|out| {
            out.open("summary").text("Differences that the file lists (DeepDiff)");
            let of = ChangesOf::DeepDiff(id(field));
            out.append(&changes::table(reading, &of).unwrap_or_default());
        });
    }
    // Beside a comparison of our own the file's unified diff says nothing new.
    let is_told = check.diff.as_ref().is_some_and(|diff| is_short(diff));
    if has_diff(check) && !is_told && !(is_compared && reading.is_diff(&id(Field::Diff))) {
        block::folded(reading, &mut out, &id(Field::Diff), !is_compared);
    }
    let is_long = |text: &Option<String>| text.as_ref().is_some_and(|text| !is_short(text));
    let fields = [
        (Field::Expected, is_long(&check.expected)),
        (Field::Actual, is_long(&check.actual)),
        (Field::Metadata, check.metadata.as_ref().is_some_and(|text| !text.is_empty())),
    ];
    for (field, _) in fields.into_iter().filter(|(_, is_there)| *is_there) {
        block::folded(reading, &mut out, &id(field), false);
    }
    Some(out)
}

fn outcome(check: &CheckDetail) -> Outcome {
    match (check.is_correct, check.verdict.as_deref()) {
        (_, Some("error")) => Outcome::Error,
        (Some(true), _) => Outcome::Passed,
        (Some(false), _) => Outcome::Failed,
        (None, Some(verdict)) => Outcome::from_text(verdict).unwrap_or(Outcome::Unscored),
        (None, None) => Outcome::Unscored,
    }
}

fn word(check: &CheckDetail, outcome: Outcome) -> &'static str {
    match (outcome, check.is_correct) {
        (Outcome::Unscored, None) if check.score.is_some() => "scored",
        (Outcome::Unscored, None) => "not verified",
        _ => outcome.as_str(),
    }
}
