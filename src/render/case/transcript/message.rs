//! One entry of a conversation: something said, thoughts, a call with its return.

use super::super::checks::is_short;
use super::super::form::Form;
use super::super::ids::{self, dom_id};
use super::super::markdown::markdown;
use super::super::part::Part;
use super::super::reading::Reading;
use super::super::text_id::{Field, TextId};
use super::super::{block, excerpt, tree};
use super::text_id;
use crate::format;
use crate::markup::Markup;
use crate::report::conversation::{Entry, is_call};
use crate::report::{Message, TurnDetail};

/// Bytes of a message that are drawn at once.
pub(super) const MAX_DRAWN: usize = 16_000;

/// Bytes of what a tool was given or gave back that are shown without being opened.
const MAX_SHOWN: usize = 600;

/// The id of entry `idx`.
pub(super) fn element(reading: &Reading, idx: usize) -> String {
    reading.own_id(&format!("m-{idx}"))
}

/// Whether the message is words, which may be Markdown.
pub(in crate::render::case) fn is_said(message: &Message) -> bool {
    let is_word =
        matches!(message.role.as_str(), "user" | "assistant" | "system" | "reasoning" | "result");
    is_word && message.tool.is_none()
}

/// Where a user turn begins: its number, its tokens, its grades. Nothing when there is one turn only
/// and nothing is known about it.
pub(super) fn turn_head(reading: &Reading, out: &mut Markup, entry: &Entry) {
    let detail = reading.detail();
    let Some(turn) = detail.transcript.get(entry.message).map(|message| message.turn) else {
        return;
    };
    let n_turns = reading.conversation().entries.iter().filter(|entry| entry.is_turn_start).count();
    let known = detail.turns.iter().position(|known| known.turn == turn);
    if n_turns < 2 && known.is_none() {
        return;
    }
    out.open("li").class("turn-head").body(|out| {
        let words = format!("Turn {}", format::count(u64::from(turn) + 1));
        out.open("h3").class("turn-head__title").text(&words);
        if let Some((at, known)) = known.and_then(|at| Some((at, detail.turns.get(at)?))) {
            usage(out, known);
            grades(reading, out, at, known);
        }
    });
}

fn usage(out: &mut Markup, turn: &TurnDetail) {
    let counts: Vec<String> = turn
        .usage
        .iter()
        .filter(|(_, count)| *count != 0.0)
        .map(|(words, count)| format!("{} {words}", format::number(*count, 0)))
        .collect();
    if !counts.is_empty() {
        out.span("turn-head__usage", &counts.join(" · "));
    }
}

fn grades(reading: &Reading, out: &mut Markup, turn: usize, detail: &TurnDetail) {
    for (at, grade) in detail.grades.iter().enumerate() {
        let score = grade.score.map_or(format::UNKNOWN.to_owned(), |s| reading.look().score(s));
        out.open("div").class("turn-head__grade").body(|out| {
            out.open("bdi").text(&grade.grader);
            out.text(" ");
            out.open("strong").text(&score);
            texts(reading, out, turn, at);
        });
    }
}

/// What a grade says: in a line as far as it is short, the rest folded.
fn texts(reading: &Reading, out: &mut Markup, turn: usize, at: usize) {
    let fields =
        [(Field::Expected, "expected"), (Field::Actual, "actual"), (Field::Reason, "reason")];
    let found = fields.map(|(field, word)| (TextId::Grade(turn, at, field), word));
    let text = |id: &TextId| reading.text(id).filter(|text| !text.is_empty());
    out.open("span").class("check__sides").body(|out| {
        for (id, word) in &found {
            if let Some(text) = text(id).filter(|text| is_short(text)) {
                out.text(" ");
                out.span("check__side", word);
                out.text(" ");
                out.open("code").attr("dir", "auto").text(&text);
            }
        }
    });
    for (id, _) in &found {
        if text(id).is_some_and(|text| !is_short(&text)) {
            block::folded(reading, out, id, false);
        }
    }
}

/// One entry.
pub(super) fn entry(reading: &Reading, out: &mut Markup, idx: usize, entry: &Entry) {
    let messages = &reading.detail().transcript;
    let Some(message) = messages.get(entry.message) else { return };
    let answer = entry.answer.and_then(|at| Some((at, messages.get(at)?)));
    let has_failed = message.is_error || answer.is_some_and(|(_, answer)| answer.is_error);
    let class = match message.role.as_str() {
        _ if has_failed => "turn turn--error",
        "user" => "turn turn--user",
        "assistant" if message.tool.is_none() => "turn turn--assistant",
        "system" => "turn turn--system",
        _ => "turn",
    };
    let class =
        if message.agent.is_some() { format!("{class} turn--inner") } else { class.to_owned() };
    out.open("li").class(&class).attr("id", &element(reading, idx)).attr("tabindex", "-1").body(
        |out| {
            who(reading, out, (idx, entry), message);
            out.open("div").class("turn__body").body(|out| {
                if is_call(message) {
                    call(reading, out, entry, message, answer);
                } else if message.role == "tool" {
                    let at = entry.message;
                    tool_head(out, message, message.is_error, None);
                    returned(reading, out, at, message);
                } else {
                    words(reading, out, entry.message, message);
                }
            });
        },
    );
}

fn who(reading: &Reading, out: &mut Markup, (idx, entry): (usize, &Entry), message: &Message) {
    let role = match message.role.as_str() {
        "" => "unknown",
        _ if is_call(message) => "tool call",
        "tool" => "tool return",
        role => role,
    };
    out.open("div").class("turn__who").body(|out| {
        let number = entry.message + 1;
        let label = format!("Link to message {}", format::count(number as u64));
        let jump = ids::Jump::to(&element(reading, idx)).spot(&reading.spot(number));
        jump.link(out, "turn__link", &reading.links().message(number), &label);
        out.open("bdi").class("turn__role").text(role);
        if let Some(agent) = &message.agent {
            out.open("span").class("turn__agent").body(|out| {
                out.text("sub-agent: ");
                out.open("bdi").text(agent);
            });
        }
        if let Some(at) = &message.at {
            let moment = format::moment(at);
            let shown = match moment.split_once(' ') {
                Some((_, time)) if !entry.is_day_start => time,
                _ => &moment,
            };
            out.open("span").class("turn__at").attr("title", at).text(shown);
        }
        if let Some(gap) = entry.gap_secs.filter(|gap| *gap >= 1.0) {
            out.open("span")
                .class("turn__gap")
                .attr("title", "Time since the message before")
                .text(&format!("+{}", format::secs(gap)));
        }
    });
}

/// Something said; thoughts and what is of no known kind are folded.
fn words(reading: &Reading, out: &mut Markup, at: usize, message: &Message) {
    let id = text_id(at);
    let is_plain = matches!(message.role.as_str(), "user" | "assistant" | "system" | "result");
    if let Some(tool) = &message.tool {
        out.open("bdi").class("turn__tool").text(tool);
    }
    if is_plain {
        let form = if is_said(message) { Form::Best } else { Form::Written };
        out.append(&said(reading, &id, form).unwrap_or_default());
        return;
    }
    let is_short = message.text.len() < MAX_SHOWN;
    let name = reading.name(Part::Block(id.clone(), Form::Best));
    out.open("details")
        .class("fold fold--line")
        .attr_if("data-part", (!is_short).then_some(name.as_str()))
        .body(|out| {
            out.open("summary").body(|out| preview(out, message));
            if is_short {
                out.append(&block::body(reading, &id, Form::Best).unwrap_or_default());
            }
        });
}

fn preview(out: &mut Markup, message: &Message) {
    out.open("bdi").class("fold__preview").text(&excerpt::preview(&message.text, 120));
    out.span("fold__size", &format::bytes(message.text.len() as u64));
}

/// What was said, as Markdown or as written; the beginning of it when it is long.
pub(in crate::render::case) fn said(reading: &Reading, id: &TextId, form: Form) -> Option<Markup> {
    let text = reading.text(id)?;
    let mut out = Markup::new();
    let shown = text.get(..text.floor_char_boundary(MAX_DRAWN)).unwrap_or_default();
    out.open("div").class("said").attr("id", &dom_id(reading, "b", id)).body(|out| {
        said_tools(reading, out, id, form, shown);
        if text.is_empty() {
            out.open("p").class("block__empty").text("(empty text)");
        } else if form == Form::Best {
            markdown(out, shown);
        } else {
            out.open("pre")
                .class("text text--said")
                .attr("tabindex", "0")
                .attr("role", "group")
                .attr("aria-label", "Message as written")
                .text(shown);
        }
        if shown.len() < text.len() {
            let name = reading.name(Part::Block(id.clone(), Form::Lines));
            out.open("details").class("fold").attr("data-part", &name).body(|out| {
                let size = format::bytes(text.len() as u64);
                out.open("summary").text(&format!("The beginning is shown. The whole, {size}"));
            });
        }
    });
    Some(out)
}

/// Ways to see what was said otherwise, and to copy it.
fn said_tools(reading: &Reading, out: &mut Markup, id: &TextId, form: Form, shown: &str) {
    out.open("div").class("said__tools").body(|out| {
        if is_marked_up(shown) {
            out.open("span")
                .class("ways")
                .attr("role", "group")
                .attr("aria-label", "Show as")
                .body(|out| {
                    for (other, word) in [(Form::Best, "Rendered"), (Form::Written, "As written")] {
                        let name = reading.name(Part::Block(id.clone(), other));
                        let is_chosen = (form == Form::Best) == (other == Form::Best);
                        ids::choice(out, &name, &dom_id(reading, "b", id), word, is_chosen);
                    }
                });
        }
        ids::copy_button(out, &reading.name(Part::Text(id.clone())), "message");
    });
}

/// Whether rendering may change anything.
fn is_marked_up(text: &str) -> bool {
    text.contains(|letter: char| {
        matches!(letter, '\n' | '\r' | '\t' | '\\') || letter.is_ascii_punctuation()
    })
}

fn tool_head(out: &mut Markup, message: &Message, has_failed: bool, secs: Option<f64>) {
    out.open("div").class("call__head").body(|out| {
        let name = message.tool.as_deref().unwrap_or(&message.kind);
        out.open("bdi").class("turn__tool").text(name);
        if has_failed {
            out.span("call__failed", "✕ tool failed");
        }
        if let Some(secs) = secs.filter(|secs| *secs >= 0.001) {
            out.span("turn__gap", &format!("returned after {}", format::secs(secs)));
        }
    });
}

/// A call: what the tool was given, and what it gave back.
fn call(
    reading: &Reading,
    out: &mut Markup,
    entry: &Entry,
    message: &Message,
    answer: Option<(usize, &Message)>,
) {
    let has_failed = answer.is_some_and(|(_, answer)| answer.is_error);
    tool_head(out, message, has_failed, entry.answer_secs);
    given(reading, out, entry.message, message);
    match answer {
        Some((at, answer)) => returned(reading, out, at, answer),
        None => {
            out.open("p").class("call__none").text("No result recorded.");
        }
    }
}

/// Arguments, as a tree when they are JSON.
fn given(reading: &Reading, out: &mut Markup, at: usize, message: &Message) {
    let id = text_id(at);
    if message.text.is_empty() {
        return;
    }
    if message.text.len() > MAX_SHOWN {
        fold(reading, out, &id, message, "Arguments");
    } else if reading.doc(&id).is_some() {
        out.open("div").class("call__given").body(|out| tree::tree(reading, out, &id));
    } else {
        short_text(out, &message.text, "Arguments");
    }
}

/// What a tool gave back; long texts are folded, failures open.
fn returned(reading: &Reading, out: &mut Markup, at: usize, message: &Message) {
    let id = text_id(at);
    out.open("div").class("call__return").body(|out| {
        if message.text.is_empty() {
            out.open("p").class("block__empty").text("returned nothing");
        } else if message.text.len() > MAX_SHOWN || message.text.lines().nth(12).is_some() {
            fold(reading, out, &id, message, "Return");
        } else if reading.doc(&id).is_some() {
            tree::tree(reading, out, &id);
        } else {
            short_text(out, &message.text, "Return");
        }
    });
}

fn short_text(out: &mut Markup, text: &str, label: &str) {
    out.open("pre")
        .class("text text--short")
        .attr("role", "group")
        .attr("aria-label", label)
        .attr("tabindex", "0")
        .text(text);
}

fn fold(reading: &Reading, out: &mut Markup, id: &TextId, message: &Message, label: &str) {
    let name = reading.name(Part::Block(id.clone(), Form::Best));
    out.open("details").class("fold fold--line").attr("data-part", &name).body(|out| {
        out.open("summary").body(|out| {
            out.span("fold__label", label);
            preview(out, message);
        });
    });
}
