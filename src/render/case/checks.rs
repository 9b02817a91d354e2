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

fn is_short(text: Option<&str>) -> bool {
    text.is_some_and(|text| text.len() <= MAX_SHORT && !text.contains(['\n', '\r']))
}

/// Reason, and what was compared: at once when it is short, folded when it is right.
fn below(reading: &Reading, out: &mut Markup, idx: usize, check: &CheckDetail) {
    if let Some(reason) = check.reason.as_deref().filter(|reason| !reason.is_empty()) {
        if reason.len() <= 2_000 {
            out.open("p").class("check__reason").attr("dir", "auto").text(reason);
        } else {
            block::folded(reading, out, &TextId::Check(idx, Field::Reason), false);
        }
    }
    let (expected, actual) = (check.expected.as_deref(), check.actual.as_deref());
    let sides = [("expected", expected), ("actual", actual)];
    let shown: Vec<_> =
        sides.iter().filter_map(|(word, text)| text.map(|text| (*word, text))).collect();
    if !shown.is_empty() && shown.iter().all(|(_, text)| is_short(Some(text))) {
        out.open("p").class("check__sides").body(|out| {
            for (word, text) in shown {
                out.span("check__side", word);
                out.text(" ");
                out.open("code").attr("dir", "auto").text(if text.is_empty() {
                    "(empty text)"
                } else {
                    text
                });
                out.text(" ");
            }
            if let Some(diff) =
                check.diff.as_deref().filter(|diff| has_diff(check) && is_short(Some(diff)))
            {
                out.span("check__side", "comparison");
                out.text(" ");
                out.open("code").attr("dir", "auto").text(diff);
            }
        });
        let is_said =
            check.metadata.is_none() && (!has_diff(check) || is_short(check.diff.as_deref()));
        if is_said {
            return;
        }
    } else if shown.is_empty() && !has_diff(check) && check.metadata.is_none() {
        return;
    }
    let is_wrong = group(check) == Group::Wrong;
    let name = reading.name(Part::Check(idx));
    out.open("details")
        .class("fold")
        .attr("id", &format!("c-{idx}"))
        .attr_if("open", is_wrong.then_some(""))
        .attr_if("data-part", (!is_wrong).then_some(name.as_str()))
        .body(|out| {
            out.open("summary").text("What was compared");
            if is_wrong {
                out.append(&texts(reading, idx).unwrap_or_default());
            }
        });
}

/// The difference, what the file says of it, both sides, further data.
pub(super) fn texts(reading: &Reading, idx: usize) -> Option<Markup> {
    let check = reading.detail().checks.get(idx)?;
    let mut out = Markup::new();
    let id = |field: Field| TextId::Check(idx, field);
    out.open("div").class("check__texts").body(|out| {
        let pair = Pair { old: id(Field::Expected), new: id(Field::Actual) };
        let is_different = check.expected.is_some()
            && check.actual.is_some()
            && check.expected != check.actual
            && !(is_short(check.expected.as_deref()) && is_short(check.actual.as_deref()));
        if is_different {
            diff::place(reading, out, &pair);
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
        // Between two texts the file's own description says nothing new.
        if has_diff(check) && !(is_different && reading.is_diff(&id(Field::Diff))) {
            block::folded(reading, out, &id(Field::Diff), !is_different);
        }
        for field in [Field::Expected, Field::Actual, Field::Metadata] {
            if reading.text(&id(field)).is_some() {
                block::folded(reading, out, &id(field), false);
            }
        }
    });
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
