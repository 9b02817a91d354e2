//! The attempts of a case, one at a time, each with how it differs from the one before.

use super::part::{DiffForm, Pair, Part, TextId};
use super::reading::Reading;
use super::{block, diff};
use crate::format;
use crate::markup::Markup;
use crate::render::cell::outcome_mark;
use crate::report::{AttemptDetail, Content, Outcome};

/// Draws the attempts as tabs, which are radio buttons: arrow keys work without a program.
pub(super) fn attempts(reading: &Reading, out: &mut Markup) {
    let attempts = &reading.detail().attempts;
    if let [only] = attempts.as_slice() {
        return attempt(reading, out, 0, only);
    }
    let chosen = attempts.iter().position(|attempt| is_wrong(reading, attempt)).unwrap_or_default();
    out.open("div").class("tabs").attr("role", "radiogroup").attr("aria-label", "Attempts").body(
        |out| {
            for (idx, one) in attempts.iter().enumerate() {
                let id = format!("attempt-{idx}");
                out.open("div").class("tabs__tab").body(|out| {
                    out.open("input")
                        .attr("type", "radio")
                        .attr("name", "attempts")
                        .class("visually-hidden tabs__input")
                        .attr("id", &id)
                        .attr_if("checked", (idx == chosen).then_some(""))
                        .end();
                    out.open("label").class("tabs__label").attr("for", &id).body(|out| {
                        outcome_mark(outcome(reading, one), out);
                        out.text(&title(one));
                    });
                    out.open("div")
                        .class("tabs__panel")
                        .body(|out| attempt(reading, out, idx, one));
                });
            }
        },
    );
}

fn title(attempt: &AttemptDetail) -> String {
    format!("Attempt {}", format::count(attempt.attempt.into()))
}

/// The worst outcome of the attempt's checks.
fn outcome(reading: &Reading, attempt: &AttemptDetail) -> Outcome {
    let checks = reading.detail().checks.iter().filter(|check| check.attempt == attempt.attempt);
    let verdicts: Vec<Outcome> = checks
        .map(|check| match (check.is_correct, check.verdict.as_deref()) {
            (_, Some("error")) => Outcome::Error,
            (Some(true), _) => Outcome::Passed,
            (Some(false), _) => Outcome::Failed,
            (None, verdict) => verdict.and_then(Outcome::from_text).unwrap_or(Outcome::Unscored),
        })
        .collect();
    [Outcome::Error, Outcome::Failed, Outcome::Passed]
        .into_iter()
        .find(|outcome| verdicts.contains(outcome))
        .unwrap_or(Outcome::Unscored)
}

fn is_wrong(reading: &Reading, attempt: &AttemptDetail) -> bool {
    matches!(outcome(reading, attempt), Outcome::Error | Outcome::Failed)
}

fn attempt(reading: &Reading, out: &mut Markup, idx: usize, attempt: &AttemptDetail) {
    let before = idx.checked_sub(1).and_then(|idx| reading.detail().attempts.get(idx));
    out.open("div").class("attempt").body(|out| {
        let time = attempt.duration_secs.map(|secs| format!(", {}", format::secs(secs)));
        out.open("p").class("attempt__title").text(&format!(
            "{}{}",
            title(attempt),
            time.unwrap_or_default()
        ));
        if attempt.output.is_empty() {
            out.open("p").class("block__empty").text("The files hold no output of this attempt.");
        }
        for (at, content) in attempt.output.iter().enumerate() {
            let id = TextId::Attempt(idx, at);
            block::block(reading, out, &id);
            let other = before.and_then(|before| other_of(before, content));
            if let Some((other, old)) = other.filter(|_| idx > 0) {
                let pair = Pair { old: TextId::Attempt(idx - 1, other), new: id };
                against(reading, out, &pair, old.body == content.body);
            }
        }
    });
}

/// The text of the attempt before that has the same label.
fn other_of<'a>(before: &'a AttemptDetail, content: &Content) -> Option<(usize, &'a Content)> {
    before.output.iter().enumerate().find(|(_, other)| other.label == content.label)
}

fn against(reading: &Reading, out: &mut Markup, pair: &Pair, is_same: bool) {
    if is_same {
        out.open("p")
            .class("attempt__same")
            .text("The same as in the attempt before, byte by byte.");
        return;
    }
    let name = reading.name(Part::Diff(pair.clone(), DiffForm::default()));
    out.open("details").class("fold").body(|out| {
        out.open("summary").text("Against the attempt before");
        out.open("div")
            .class("diff later")
            .attr("id", &diff::element(pair))
            .attr("data-part", &name)
            .end();
    });
}
