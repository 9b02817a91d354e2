//! One entry of a conversation: something said, thoughts, a call with its return.

use super::text_id;
use crate::format;
use crate::reading::checks::is_short;
use crate::reading::fold::labelled;
use crate::reading::form::TextForm;
use crate::reading::markdown::markdown;
use crate::reading::part::PartRequest;
use crate::reading::piece::{
    Body, EntryBody, EntryShown, Fold, GradeShown, LineKind, Piece, Speaker, TurnShown, Way,
};
use crate::reading::read::Reading;
use crate::reading::texts::plain_text::{Choices, SaidBody, SaidShown, ViewChoice};
use crate::reading::texts::text_id::{CheckText, TextId};
use crate::reading::{texts::block, texts::excerpt, trees::tree};
use crate::report::conversation::{ConversationEntry, is_call};
use crate::report::{Message, TurnDetail};
use crate::words::reading as words;

/// Bytes of a message that are drawn at once.
pub(super) const MAX_DRAWN: usize = 16_000;

/// Bytes of what a tool was given or gave back that are shown without being opened.
const MAX_SHOWN: usize = 600;

/// The id of entry `idx`.
pub(super) fn element(reading: &Reading, idx: usize) -> String {
    reading.own_id(&format!("m-{idx}"))
}

/// Whether the message is words, which may be Markdown.
pub(in crate::reading) fn is_said(message: &Message) -> bool {
    let is_word =
        matches!(message.role.as_str(), "user" | "assistant" | "system" | "reasoning" | "result");
    is_word && message.tool.is_none()
}

/// Where a user turn begins: its number, its tokens, its grades. Nothing when there is one turn only
/// and nothing is known about it.
pub(super) fn turn_head(reading: &Reading, entry: &ConversationEntry) -> Option<TurnShown> {
    let detail = reading.detail();
    let turn = detail.transcript.get(entry.message)?.turn;
    let n_turns = reading.conversation().entries.iter().filter(|entry| entry.is_turn_start).count();
    let at = detail.turns.iter().position(|known| known.turn == turn);
    let known = at.and_then(|at| Some((at, detail.turns.get(at)?)));
    (n_turns >= 2 || known.is_some()).then(|| TurnShown {
        title: words::turn(u64::from(turn) + 1),
        usage: known.map_or(String::new(), |(_, known)| usage(known)),
        grades: known.map_or(Vec::new(), |(at, known)| grades(reading, at, known)),
    })
}

fn usage(turn: &TurnDetail) -> String {
    let counts = turn.usage.iter().filter(|(_, count)| *count != 0.0);
    let said = counts.map(|(words, count)| match words.ends_with("cost") {
        true => format!("{} {words}", format::usd(*count, false)),
        false => format!("{} {words}", format::number(*count, 0)),
    });
    said.collect::<Vec<_>>().join(" · ")
}

fn grades(reading: &Reading, turn: usize, detail: &TurnDetail) -> Vec<GradeShown> {
    let grades = detail.grades.iter().enumerate().map(|(at, grade)| {
        let fields = [
            (CheckText::Expected, words::EXPECTED_SIDE),
            (CheckText::Actual, words::ACTUAL_SIDE),
            (CheckText::Reason, words::REASON_SIDE),
        ];
        let found = fields.map(|(field, word)| (TextId::Grade(turn, at, field), word));
        let text = |id: &TextId| reading.text(id).filter(|text| !text.is_empty());
        let sides = found.iter().filter_map(|(id, word)| {
            let text = text(id).filter(|text| is_short(text))?;
            Some(((*word).to_owned(), text.into_owned()))
        });
        let long = found.iter().filter(|(id, _)| text(id).is_some_and(|text| !is_short(&text)));
        GradeShown {
            grader: grade.grader.clone(),
            score: grade.score.map_or(format::UNKNOWN.to_owned(), |s| reading.look().score(s)),
            sides: sides.collect(),
            below: long.filter_map(|(id, _)| block::folded(reading, id, false)).collect(),
        }
    });
    grades.collect()
}

/// One entry.
pub(super) fn entry(
    reading: &Reading,
    idx: usize,
    entry: &ConversationEntry,
) -> Option<EntryShown> {
    let messages = &reading.detail().transcript;
    let message = messages.get(entry.message)?;
    let answer = entry.answer.and_then(|at| Some((at, messages.get(at)?)));
    let role = match message.role.as_str() {
        "" => words::ROLE_UNKNOWN,
        _ if is_call(message) => words::ROLE_CALL,
        "tool" => words::ROLE_RETURN,
        role => role,
    };
    let speaker = match message.role.as_str() {
        _ if is_call(message) => Speaker::Tool,
        "tool" => Speaker::Tool,
        "user" => Speaker::User,
        "assistant" => Speaker::Assistant,
        "system" => Speaker::System,
        "reasoning" => Speaker::Thoughts,
        _ => Speaker::Other,
    };
    let number = entry.message + 1;
    let at = message.at.as_ref().map(|at| {
        let moment = format::moment(at);
        let shown = match moment.split_once(' ') {
            Some((_, time)) if !entry.is_day_start => time,
            _ => &moment,
        };
        (at.clone(), shown.to_owned())
    });
    Some(EntryShown {
        way: Way { id: element(reading, idx), spot: reading.spot(number), ..Way::default() },
        number: format::count(number as u64),
        address: reading.links().message(number),
        speaker,
        role: role.to_owned(),
        agent: message.agent.clone(),
        at,
        gap: entry.gap_secs.filter(|gap| *gap >= 1.0).map(|gap| format!("+{}", format::secs(gap))),
        is_error: message.is_error || answer.is_some_and(|(_, answer)| answer.is_error),
        body: body(reading, entry, message, answer),
    })
}

/// What is in a message: words, a call with its return, or a return alone.
fn body(
    reading: &Reading,
    entry: &ConversationEntry,
    message: &Message,
    answer: Option<(usize, &Message)>,
) -> EntryBody {
    let tool = || message.tool.clone().unwrap_or_else(|| message.kind.clone());
    if is_call(message) {
        let took = entry.answer_secs.filter(|secs| *secs >= 0.001).map(format::secs);
        EntryBody::Call {
            tool: tool(),
            has_failed: answer.is_some_and(|(_, answer)| answer.is_error),
            took,
            given: Some(given(reading, entry.message, message)),
            returned: answer.map(|(at, answer)| returned(reading, at, answer)),
        }
    } else if message.role == "tool" {
        EntryBody::Call {
            tool: tool(),
            has_failed: message.is_error,
            took: None,
            given: None,
            returned: Some(returned(reading, entry.message, message)),
        }
    } else {
        let pieces = words(reading, entry.message, message).into_iter().collect();
        EntryBody::Words { tool: message.tool.clone(), pieces }
    }
}

/// Something said; thoughts and what is of no known kind are folded.
fn words(reading: &Reading, at: usize, message: &Message) -> Option<Piece> {
    let id = text_id(at);
    let is_plain = matches!(message.role.as_str(), "user" | "assistant" | "system" | "result");
    if is_plain {
        let form = if is_said(message) { TextForm::Best } else { TextForm::Written };
        return said(reading, &id, form);
    }
    let body = match message.text.len() < MAX_SHOWN {
        true => Body::Here(block::block(reading, &id).into_iter().collect()),
        false => Body::Part(reading.name(PartRequest::Block(id, TextForm::Best))),
    };
    Some(preview_fold(message, "", body))
}

/// A fold whose line says a few words of the message.
fn preview_fold(message: &Message, label: &str, body: Body) -> Piece {
    Piece::Fold(Box::new(Fold {
        preview: excerpt::preview(&message.text, 120),
        size: format::bytes(message.text.len() as u64),
        is_low: true,
        body,
        ..labelled(label.to_owned())
    }))
}

/// What was said, as Markdown or as written; the beginning of it when it is long.
pub(in crate::reading) fn said(reading: &Reading, id: &TextId, form: TextForm) -> Option<Piece> {
    let text = reading.text(id)?;
    let shown = text.get(..text.floor_char_boundary(MAX_DRAWN)).unwrap_or_default();
    let body = match form {
        _ if text.is_empty() => SaidBody::Empty,
        TextForm::Best => SaidBody::Rendered(markdown(shown)),
        _ => SaidBody::Written(shown.to_owned()),
    };
    let rest = (shown.len() < text.len()).then(|| {
        let words = words::whole_message(text.len() as u64);
        (words, reading.name(PartRequest::Block(id.clone(), TextForm::Lines)))
    });
    Some(Piece::Said(Box::new(SaidShown {
        choices: said_choices(reading, id, form, shown),
        copy: reading.name(PartRequest::Text(id.clone())),
        body,
        rest,
    })))
}

/// Ways to see what was said, where they are different.
fn said_choices(reading: &Reading, id: &TextId, form: TextForm, shown: &str) -> Vec<Choices> {
    if !is_marked_up(shown) {
        return Vec::new();
    }
    let choice = |(other, word): (TextForm, &str)| ViewChoice {
        word: word.to_owned(),
        part: reading.name(PartRequest::Block(id.clone(), other)),
        is_on: (form == TextForm::Best) == (other == TextForm::Best),
    };
    let all =
        [(TextForm::Best, words::RENDERED), (TextForm::Written, words::AS_WRITTEN)].map(choice);
    vec![Choices { label: words::SHOW_AS.to_owned(), all: all.into() }]
}

/// Whether rendering may change anything.
fn is_marked_up(text: &str) -> bool {
    text.contains(|letter: char| {
        matches!(letter, '\n' | '\r' | '\t' | '\\') || letter.is_ascii_punctuation()
    })
}

/// Arguments, as a tree when they are JSON.
fn given(reading: &Reading, at: usize, message: &Message) -> Vec<Piece> {
    let id = text_id(at);
    let piece = if message.text.is_empty() {
        return Vec::new();
    } else if message.text.len() > MAX_SHOWN {
        fold(reading, &id, message, words::ARGUMENTS)
    } else if reading.doc(&id).is_some() {
        json(reading, &id)
    } else {
        short_text(&message.text, words::ARGUMENTS)
    };
    piece.into_iter().collect()
}

/// What a tool gave back; long texts are folded.
fn returned(reading: &Reading, at: usize, message: &Message) -> Vec<Piece> {
    let id = text_id(at);
    let piece = if message.text.is_empty() {
        Some(Piece::Line(LineKind::Empty, words::RETURNED_NOTHING.to_owned()))
    } else if message.text.len() > MAX_SHOWN || message.text.lines().nth(12).is_some() {
        fold(reading, &id, message, words::RETURN)
    } else if reading.doc(&id).is_some() {
        json(reading, &id)
    } else {
        short_text(&message.text, words::RETURN)
    };
    piece.into_iter().collect()
}

fn json(reading: &Reading, id: &TextId) -> Option<Piece> {
    tree::tree(reading, id).map(|tree| Piece::Tree(Box::new(tree)))
}

fn short_text(text: &str, label: &str) -> Option<Piece> {
    Some(Piece::Short(label.to_owned(), text.to_owned()))
}

fn fold(reading: &Reading, id: &TextId, message: &Message, label: &str) -> Option<Piece> {
    let name = reading.name(PartRequest::Block(id.clone(), TextForm::Best));
    Some(preview_fold(message, label, Body::Part(name)))
}
