//! The attempts of a case, one at a time, each with how it differs from the one before.

use super::form::DiffForm;
use super::part::Part;
use super::reading::Reading;
use super::text_id::{Pair, TextId};
use super::{block, checks};
use crate::format;
use crate::markup::Markup;
use crate::render::cell::outcome_mark;
use crate::report::{AttemptDetail, Content, Outcome};

/// Draws the attempts as tabs, which are radio buttons: arrow keys work without a program.
pub(super) fn attempts(reading: &Reading, out: &mut Markup) {
    let attempts = &reading.detail().attempts;
    if attempts.len() == 1 {
        out.append(&attempt(reading, 0).unwrap_or_default());
        return;
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
                    // The others are drawn when they are chosen: before that they are not in sight.
                    let name = reading.name(Part::Attempt(idx));
                    let is_chosen = idx == chosen;
                    out.open("div")
                        .class(if is_chosen { "tabs__panel" } else { "tabs__panel later" })
                        .attr_if("data-part", (!is_chosen).then_some(name.as_str()))
                        .body(|out| {
                            if is_chosen {
                                out.append(&attempt(reading, idx).unwrap_or_default());
                            }
                        });
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
    let outcomes: Vec<Outcome> = checks.map(checks::outcome).collect();
    [Outcome::Error, Outcome::Failed, Outcome::Passed, Outcome::Scored]
        .into_iter()
        .find(|outcome| outcomes.contains(outcome))
        .unwrap_or(Outcome::Unscored)
}

fn is_wrong(reading: &Reading, attempt: &AttemptDetail) -> bool {
    matches!(outcome(reading, attempt), Outcome::Error | Outcome::Failed)
}

/// What an attempt gave, and how that differs from the one before.
pub(super) fn attempt(reading: &Reading, idx: usize) -> Option<Markup> {
    let attempts = &reading.detail().attempts;
    let attempt = attempts.get(idx)?;
    let before = idx.checked_sub(1).and_then(|idx| Some((idx, attempts.get(idx)?)));
    let mut out = Markup::new();
    let mut room = block::Room::default();
    out.open("div").class("attempt").body(|out| {
        let time = attempt.duration_secs.map(|secs| format!(", {}", format::secs(secs)));
        let words = format!("{}{}", title(attempt), time.unwrap_or_default());
        out.open("p").class("attempt__title").text(&words);
        if attempt.output.is_empty() {
            out.open("p").class("block__empty").text("The files hold no output of this attempt.");
        }
        for (at, content) in attempt.output.iter().enumerate() {
            let id = TextId::Attempt(idx, at);
            room.block(reading, out, &id);
            if let Some((place, expected)) = expected_of(reading, content) {
                let pair = Pair { old: TextId::Expected(place), new: id.clone() };
                against(reading, out, &pair, expected.body == content.body, EXPECTED);
            }
            if let Some((before, (other, old))) =
                before.and_then(|(idx, before)| Some((idx, other_of(before, content)?)))
            {
                let pair = Pair { old: TextId::Attempt(before, other), new: id };
                against(reading, out, &pair, old.body == content.body, BEFORE);
            }
        }
    });
    Some(out)
}

/// The text of the attempt before that has the same label.
fn other_of<'a>(before: &'a AttemptDetail, content: &Content) -> Option<(usize, &'a Content)> {
    before.output.iter().enumerate().find(|(_, other)| other.label == content.label)
}

/// The expected text that `content` of an attempt answers: their labels say the same behind `expected` and
/// `output`. An empty one says that nothing was stated.
fn expected_of<'a>(reading: &'a Reading, content: &Content) -> Option<(usize, &'a Content)> {
    let what = content.label.strip_prefix("output")?;
    let mut expected = reading.detail().expected.iter().enumerate();
    expected.find(|(_, expected)| {
        expected.label.strip_prefix("expected") == Some(what) && !expected.body.trim().is_empty()
    })
}

/// What to say of a text that is the same as another, and of one that is not.
type Words = [&'static str; 2];

const BEFORE: Words =
    ["The same as in the attempt before, byte by byte.", "Against the attempt before"];
const EXPECTED: Words = ["The same as expected, byte by byte.", "Against what was expected"];

fn against(reading: &Reading, out: &mut Markup, pair: &Pair, is_same: bool, words: Words) {
    let [same, summary] = words;
    if is_same {
        out.open("p").class("attempt__same").text(same);
        return;
    }
    let name = reading.name(Part::Diff(pair.clone(), DiffForm::default()));
    out.open("details").class("fold").body(|out| {
        out.open("summary").text(summary);
        out.open("div").class("later").attr("data-part", &name).end();
    });
}
