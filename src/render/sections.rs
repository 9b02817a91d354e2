//! Pages of parts as exported pages have them.

use super::View;
use super::cell::{cell, outcome_mark};
use super::figure::{choices, figures};
use super::table::table;
use crate::markup::Markup;
use crate::report::{Cell, Headline, Section, Sections, VerdictOrigin, VerdictView};
use crate::words::ui::overview as words;
use crate::words::ui::report::INTERVAL;

/// A page. What only the app can do, its badge and its switch, is left out.
pub fn sections_page(page: &Sections, view: View<'_>) -> Markup {
    let mut out = Markup::new();
    out.open("article").class("sections").body(|out| {
        if !page.title.is_empty() {
            head(page, out);
        }
        if let Some(one) = &page.verdict {
            verdict(one, out);
        }
        if let Some(reason) = &page.empty {
            out.open("p").class("panel panel--empty").text(reason);
        }
        headlines(&page.headlines, view, out);
        choices(&page.choices, view, out);
        out.append(&sections(&page.sections, view));
    });
    out
}

/// Parts with their tables.
fn sections(sections: &[Section], view: View<'_>) -> Markup {
    let mut out = Markup::new();
    for section in sections {
        out.open("section").class("section").body(|out| {
            if !section.title.is_empty() {
                out.open("h2").class("section__title").text(&section.title);
            }
            if let Some(lead) = &section.lead {
                out.open("p").class("section__lead").text(lead);
            }
            headlines(&section.headlines, view, out);
            let heading = if section.title.is_empty() { "h2" } else { "h3" };
            out.open("div").class("panels").body(|out| {
                figures(&section.figures, heading, view, out);
                section.tables.iter().for_each(|one| table(one, heading, view, out));
            });
        });
    }
    out
}

fn head(page: &Sections, out: &mut Markup) {
    out.open("header").class("page-head").body(|out| {
        out.open("h1").class("page-head__title").text(&page.title);
        out.open("ul").class("page-head__facts").body(|out| {
            page.facts.iter().for_each(|fact| out.open("li").text(fact));
        });
        if let Some(lead) = &page.lead {
            out.open("p").class("page-head__lead").text(lead);
        }
    });
}

fn verdict(view: &VerdictView, out: &mut Markup) {
    let VerdictView { outcome, rule, proviso, standing, .. } = view;
    let so_far = if proviso.is_some() { " so-far" } else { "" };
    out.open("section")
        .class(&format!("verdict verdict--{}{so_far}", outcome.as_str()))
        // An exported page has one for each run, and landmarks of one name cannot be told apart.
        .attr("role", "group")
        .attr("aria-label", words::VERDICT)
        .body(|out| {
            outcome_mark(*outcome, out);
            out.open("div").body(|out| {
                out.open("p").class("verdict__line").body(|out| {
                    let mark = if *standing == VerdictOrigin::Declared { ';' } else { ':' };
                    out.open("strong")
                        .class("verdict__word")
                        .text(&format!("{}{mark}", view.word()));
                    out.span("verdict__reason", &view.why());
                });
                if let Some(proviso) = proviso {
                    out.open("p").class("verdict__proviso").text(proviso);
                }
                if *standing == VerdictOrigin::Judged {
                    out.open("p").class("verdict__rule").text(&words::rule(rule));
                }
                if let Some(declared) = view.otherwise() {
                    out.open("p").class("verdict__declared").text(&words::recorded(declared));
                }
            });
        });
}

fn headlines(headlines: &[Headline], view: View<'_>, out: &mut Markup) {
    if !headlines.is_empty() {
        out.open("dl").class("headlines").body(|out| {
            headlines.iter().for_each(|one| headline(one, view, out));
        });
    }
}

fn headline(headline: &Headline, view: View<'_>, out: &mut Markup) {
    let Headline { label, value, note, hint } = headline;
    out.open("div").class("headlines__item").attr_if("title", hint.as_deref()).body(|out| {
        out.open("dt").class("headlines__label").text(label);
        out.open("dd").class("headlines__value").body(|out| cell(value, view, out));
        if let Some(note) = note {
            out.open("dd").class("headlines__note").body(|out| {
                if matches!(note, Cell::Interval { .. } | Cell::UnitInterval { .. }) {
                    out.text(INTERVAL);
                }
                cell(note, view, out);
            });
        }
    });
}
