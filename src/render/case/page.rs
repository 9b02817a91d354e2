//! The page of a case from top to bottom.

use super::ids::Jump;
use super::reading::Reading;
use super::text_id::{Pair, TextId};
use super::{api, attempts, block, checks, diff, transcript};
use crate::address::{Names, Page, Route};
use crate::format;
use crate::markup::Markup;
use crate::render::cell::outcome_word;
use crate::report::{CaseView, Content, ContentFormat, Name, RunRef, Target};

/// Values up to so many bytes stand in the list of facts.
const MAX_FACT: usize = 200;

/// Id of the button that leads to what is looked at; the page presses it.
pub(super) const SPOT_ID: &str = "case-spot";

/// Draws the page. `spot` is a message's number or the word of a part, to which there is a way then.
pub(super) fn page(reading: &Reading, spot: &str) -> Markup {
    let detail = reading.detail();
    let mut out = Markup::new();
    head(reading, &mut out);
    let sections: [(&str, bool, Draw); 8] = [
        ("Checks", !detail.checks.is_empty(), checks::checks),
        ("Failure", !detail.failure.is_empty(), failure),
        ("Input", !detail.input.is_empty(), input),
        ("Expected and actual", has_sides(reading), sides),
        ("Attempts", !detail.attempts.is_empty(), attempts::attempts),
        ("Transcript", !detail.transcript.is_empty(), transcript::transcript),
        ("Metadata", !detail.facts.is_empty(), further),
        ("Raw records", !detail.raw.is_empty(), raw),
    ];
    let shown = || sections.iter().filter(|(_, is_there, _)| *is_there);
    if shown().count() > 2 {
        out.open("nav").class("case__contents").attr("aria-label", "Sections of this case").body(
            |out| {
                for (title, _, _) in shown() {
                    let word = section_word(title);
                    Jump::to(&section_id(title)).spot(&word).button(out, "chip", title);
                }
            },
        );
    }
    for (title, _, draw) in shown() {
        out.open("section").class("case__section").body(|out| {
            out.open("h2")
                .class("case__heading")
                .attr("id", &section_id(title))
                .attr("tabindex", "-1")
                .text(title);
            draw(reading, out);
        });
    }
    let section = shown().find(|(title, _, _)| section_word(title) == spot);
    let jump = section.map(|(title, _, _)| Jump::to(&section_id(title)));
    if let Some(jump) = jump.or_else(|| transcript::jump_to(reading, spot)) {
        jump.hidden(&mut out, SPOT_ID);
    }
    out
}

/// What is said in place of a case that its run does not have, with the way to those that it has.
pub fn no_case(case: &Name, [evaluation, run]: [&str; 2], at: RunRef, names: &dyn Names) -> Markup {
    let route = Route { page: Page::Cases, target: Target::Run(at), ..Route::default() };
    let mut out = Markup::new();
    out.open("div").class("panel panel--failed").attr("role", "alert").body(|out| {
        out.open("h1").class("panel__title").body(|out| {
            out.text("There is no case ");
            out.open("bdi").text(&match case {
                Name::Key(key) => format!("“{key}”"),
                Name::Place(place) => format!("number {}", place.saturating_add(1)),
            });
            out.text(" in this run.");
        });
        out.open("p").body(|out| {
            out.open("bdi").text(evaluation);
            out.text(" / ");
            out.open("bdi").text(run);
            out.text(" is open. The files may have changed since the link was made.");
        });
        out.open("p").body(|out| {
            out.open("a").class("link").href(&route.to_hash(names)).text("The cases of this run");
        });
    });
    out
}

type Draw = fn(&Reading, &mut Markup);

/// The word of a section in addresses.
fn section_word(title: &str) -> String {
    title.to_lowercase().replace(' ', "-")
}

fn section_id(title: &str) -> String {
    format!("s-{}", section_word(title))
}

fn head(reading: &Reading, out: &mut Markup) {
    let Some(view) = reading.case() else { return };
    let line = &view.line;
    out.open("header").class("page-head").body(|out| {
        out.open("p").class("case__crumbs").body(|out| {
            out.open("bdi").text(&view.evaluation_label);
            out.text(" / ");
            out.open("bdi").text(&line.run_label);
        });
        out.open("h1").class("page-head__title case__id").attr("dir", "auto").text(&line.id);
        out.open("p").class("case__outcome").body(|out| outcome_word(line.outcome, out));
        if let Some(rule) = &view.rule {
            out.open("p").class("case__rule").text(&format!("Rule: {rule}"));
        }
    });
    out.open("dl").class("facts").body(|out| {
        score(reading, view, out);
        let facts = [
            ("Group", line.group.clone()),
            ("Variant", line.variant.clone()),
            ("Kind", line.kind.map(|kind| kind.as_str().to_owned())),
            ("Attempts", line.n_attempts.map(|n| format::count(n.into()))),
            ("Time", line.duration_secs.map(|secs| format::secs(secs.0))),
            ("Tokens", line.tokens.map(|n| format::number(n.0, 0))),
            ("Cost", line.cost_usd.map(|usd| format::usd(usd.0, false))),
        ];
        for (label, value) in facts {
            if let Some(value) = value {
                fact(out, label, |out| out.open("bdi").text(&value));
            }
        }
    });
}

/// The score, with the way to how it was made.
fn score(reading: &Reading, view: &CaseView, out: &mut Markup) {
    let line = &view.line;
    match (&line.score, &view.score_reason) {
        (Some(score), _) => fact(out, "Score", |out| {
            out.open("a")
                .class("link")
                .href(&reading.links().how)
                .attr("title", "Score breakdown")
                .text(&reading.look().score(score.0));
        }),
        (None, Some(reason)) => fact(out, "Score", |out| {
            out.text(&format!("{} {reason}", format::UNKNOWN));
        }),
        (None, None) => {}
    }
}

fn fact(out: &mut Markup, label: &str, value: impl FnOnce(&mut Markup)) {
    out.open("div").class("facts__item").body(|out| {
        out.open("dt").attr("dir", "auto").text(label);
        out.open("dd").body(value);
    });
}

fn is_fact(text: &str) -> bool {
    text.len() <= MAX_FACT && !text.contains(['\n', '\r'])
}

/// Labelled texts: short ones as facts, the rest each by itself.
pub(super) fn contents(
    reading: &Reading,
    out: &mut Markup,
    list: &[Content],
    id: fn(usize) -> TextId,
    is_left_out: impl Fn(usize) -> bool,
) {
    let is_short =
        |content: &Content| content.format == ContentFormat::Text && is_fact(&content.body);
    let shown = || list.iter().enumerate().filter(|(at, _)| !is_left_out(*at));
    // One short text alone reads better whole.
    let n_short = shown().filter(|(_, content)| is_short(content)).count();
    let is_listed = |content: &Content| n_short > 2 && is_short(content);
    let mut room = block::Room::default();
    for (at, _) in shown().filter(|(_, content)| !is_listed(content)) {
        api::summary(reading, out, &id(at));
        room.block(reading, out, &id(at));
    }
    if n_short > 2 {
        out.open("dl").class("facts facts--further").body(|out| {
            for (_, content) in shown().filter(|(_, content)| is_listed(content)) {
                fact(out, &content.label, |out| value(out, &content.body));
            }
        });
    }
}

fn value(out: &mut Markup, text: &str) {
    match text {
        "" => {
            out.span("block__empty", "(empty text)");
        }
        _ => out.open("bdi").text(text),
    }
}

pub(super) fn failure(reading: &Reading, out: &mut Markup) {
    let mut room = block::Room::default();
    for at in 0..reading.detail().failure.len() {
        room.block(reading, out, &TextId::Failure(at));
    }
}

pub(super) fn input(reading: &Reading, out: &mut Markup) {
    let list = &reading.detail().input;
    let drawn = api::request(reading, out, list, TextId::Input);
    contents(reading, out, list, TextId::Input, |at| drawn.contains(&at));
}

fn has_sides(reading: &Reading) -> bool {
    let detail = reading.detail();
    !detail.expected.is_empty() || !detail.actual.is_empty()
}

/// Expected and actual, side by side where there is room, and how they differ when there is one of
/// each.
fn sides(reading: &Reading, out: &mut Markup) {
    let detail = reading.detail();
    out.open("div").class("sides").body(|out| {
        let lists = [
            ("Expected", &detail.expected, TextId::Expected as fn(usize) -> TextId),
            ("Actual", &detail.actual, TextId::Actual),
        ];
        for (title, list, id) in lists {
            if list.is_empty() {
                continue;
            }
            out.open("div").class("sides__side").body(|out| {
                // A list of one text that is called so already needs no second heading.
                let is_titled =
                    matches!(list.as_slice(), [only] if only.label.eq_ignore_ascii_case(title));
                if !is_titled {
                    out.open("p").class("sides__title").text(title);
                }
                contents(reading, out, list, id, |_| false);
            });
        }
    });
    if let ([old], [new]) = (detail.expected.as_slice(), detail.actual.as_slice())
        && old.body != new.body
    {
        let pair = Pair { old: TextId::Expected(0), new: TextId::Actual(0) };
        let is_open = old.body.len() + new.body.len() < 20_000;
        out.open("details").class("fold").attr_if("open", is_open.then_some("")).body(|out| {
            out.open("summary").text("Difference");
            diff::place(reading, out, &pair);
        });
    }
}

/// What the files say beyond the columns of the table.
pub(super) fn further(reading: &Reading, out: &mut Markup) {
    let facts = &reading.detail().facts;
    out.open("dl").class("facts facts--further").body(|out| {
        for known in facts.iter().filter(|fact| is_fact(&fact.value)) {
            fact(out, &known.label, |out| value(out, &known.value));
        }
    });
    for (at, _) in facts.iter().enumerate().filter(|(_, fact)| !is_fact(&fact.value)) {
        block::folded(reading, out, &TextId::Fact(at), false);
    }
}

fn raw(reading: &Reading, out: &mut Markup) {
    for at in 0..reading.detail().raw.len() {
        block::folded(reading, out, &TextId::Raw(at), false);
    }
}
