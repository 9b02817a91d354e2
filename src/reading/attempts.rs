//! The attempts of a case, one at a time, each with how it differs from the one before.

use super::fold::labelled;
use super::form::DiffForm;
use super::part::PartRequest;
use super::piece::{AttemptShown, Body, Fold, LineKind, Piece};
use super::read::Reading;
use super::texts::text_id::{TextId, TextPair};
use super::{checks, texts::block};
use crate::report::{AttemptDetail, Content, Outcome};
use crate::words::reading as words;

/// The attempts, of which one is seen: the first that is wrong.
pub(super) fn attempts(reading: &Reading) -> Vec<Piece> {
    let attempts = &reading.detail().attempts;
    if attempts.len() == 1 {
        return attempt(reading, 0).unwrap_or_default();
    }
    let chosen = attempts.iter().position(|attempt| is_wrong(reading, attempt)).unwrap_or_default();
    let shown = |(idx, one): (usize, &AttemptDetail)| AttemptShown {
        title: title(one),
        outcome: outcome(reading, one),
        body: match idx == chosen {
            true => Body::Here(attempt(reading, idx).unwrap_or_default()),
            // The others are asked for when they are chosen: before that they are not in sight.
            false => Body::Part(reading.name(PartRequest::Attempt(idx))),
        },
        is_chosen: idx == chosen,
    };
    vec![Piece::Attempts(attempts.iter().enumerate().map(shown).collect())]
}

fn title(attempt: &AttemptDetail) -> String {
    words::attempt(attempt.attempt.into())
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
pub(super) fn attempt(reading: &Reading, idx: usize) -> Option<Vec<Piece>> {
    let attempts = &reading.detail().attempts;
    let attempt = attempts.get(idx)?;
    let before = idx.checked_sub(1).and_then(|idx| Some((idx, attempts.get(idx)?)));
    let mut room = block::TextRoom::default();
    let title = match attempt.duration_secs {
        Some(took) => words::attempt_took(attempt.attempt.into(), took),
        None => title(attempt),
    };
    let mut out = vec![Piece::Line(LineKind::Attempt, title)];
    if attempt.output.is_empty() {
        out.push(Piece::Line(LineKind::Empty, words::NO_OUTPUT.to_owned()));
    }
    for (at, content) in attempt.output.iter().enumerate() {
        let id = TextId::Attempt(idx, at);
        out.extend(room.block(reading, &id));
        if let Some((place, expected)) = expected_of(reading, content) {
            let pair = TextPair { old: TextId::Expected(place), new: id.clone() };
            out.push(against(
                reading,
                &pair,
                expected.body == content.body,
                words::AGAINST_EXPECTED,
            ));
        }
        if let Some((before, (other, old))) =
            before.and_then(|(idx, before)| Some((idx, other_of(before, content)?)))
        {
            let pair = TextPair { old: TextId::Attempt(before, other), new: id };
            out.push(against(reading, &pair, old.body == content.body, words::AGAINST_BEFORE));
        }
    }
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
type SameTextWords = [&'static str; 2];

fn against(reading: &Reading, pair: &TextPair, is_same: bool, words: SameTextWords) -> Piece {
    let [same, summary] = words;
    if is_same {
        return Piece::Line(LineKind::Same, same.to_owned());
    }
    let name = reading.name(PartRequest::Diff(pair.clone(), DiffForm::default()));
    let fold = Fold { body: Body::Part(name), ..labelled(summary.to_owned()) };
    Piece::Fold(Box::new(fold))
}
