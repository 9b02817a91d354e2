//! Pages of parts as exported pages have them; the parts alone also stand on the page about the rules.

use super::Drawing;
use super::cell::{cell, outcome_mark};
use super::figure::{choices, figures};
use super::table::table;
use crate::address::{Page, Route};
use crate::markup::Markup;
use crate::report::{Badge, Cell, Headline, Section, Sections, Standing, Switch, VerdictView};

/// A page.
pub fn sections_page(page: &Sections, drawing: &Drawing<'_>) -> Markup {
    let mut out = Markup::new();
    out.open("article").class("sections").body(|out| {
        if !page.title.is_empty() {
            head(page, out);
        }
        if let Some(view) = &page.verdict {
            verdict(view, out);
        }
        if let Some(reason) = &page.empty {
            out.open("p").class("panel panel--empty").text(reason);
        }
        headlines(&page.headlines, drawing, out);
        if let Some(one) = &page.badge {
            badge(one, drawing, out);
        }
        if let Some(one) = &page.switch {
            switch(one, drawing, out);
        }
        choices(&page.choices, drawing, out);
        out.append(&sections(&page.sections, drawing));
    });
    out
}

/// Parts with their tables.
pub fn sections(sections: &[Section], drawing: &Drawing<'_>) -> Markup {
    let mut out = Markup::new();
    for section in sections {
        out.open("section").class("section").body(|out| {
            if !section.title.is_empty() {
                out.open("h2").class("section__title").text(&section.title);
            }
            if let Some(lead) = &section.lead {
                out.open("p").class("section__lead").text(lead);
            }
            headlines(&section.headlines, drawing, out);
            let heading = if section.title.is_empty() { "h2" } else { "h3" };
            out.open("div").class("panels").body(|out| {
                figures(&section.figures, heading, drawing, out);
                section.tables.iter().for_each(|one| table(one, heading, drawing, out));
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
        .attr("aria-label", "Verdict")
        .body(|out| {
            outcome_mark(*outcome, out);
            out.open("div").body(|out| {
                out.open("p").class("verdict__line").body(|out| {
                    let mark = if *standing == Standing::Declared { ';' } else { ':' };
                    out.open("strong")
                        .class("verdict__word")
                        .text(&format!("{}{mark}", view.word()));
                    out.span("verdict__reason", &view.why());
                });
                if let Some(proviso) = proviso {
                    out.open("p").class("verdict__proviso").text(proviso);
                }
                if *standing == Standing::Judged {
                    out.open("p").class("verdict__rule").text(&format!("Rule: {rule}"));
                }
                if let Some(declared) = view.otherwise() {
                    out.open("p")
                        .class("verdict__declared")
                        .text(&format!("Recorded in the file: {declared}"));
                }
            });
        });
}

fn headlines(headlines: &[Headline], drawing: &Drawing<'_>, out: &mut Markup) {
    if !headlines.is_empty() {
        out.open("dl").class("headlines").body(|out| {
            headlines.iter().for_each(|one| headline(one, drawing, out));
        });
    }
}

fn headline(headline: &Headline, drawing: &Drawing<'_>, out: &mut Markup) {
    let Headline { label, value, note, hint } = headline;
    out.open("div").class("headlines__item").attr_if("title", hint.as_deref()).body(|out| {
        out.open("dt").class("headlines__label").text(label);
        out.open("dd").class("headlines__value").body(|out| cell(value, drawing.view, out));
        if let Some(note) = note {
            out.open("dd").class("headlines__note").body(|out| {
                if matches!(note, Cell::Interval { .. } | Cell::UnitInterval { .. }) {
                    out.text("95 %: ");
                }
                cell(note, drawing.view, out);
            });
        }
    });
}

fn badge(badge: &Badge, drawing: &Drawing<'_>, out: &mut Markup) {
    let route = Route { page: Page::Audit, ..Route::default() };
    out.open("a")
        .class(if badge.differs { "badge badge--differs" } else { "badge" })
        .href(&route.to_hash(drawing.view.names))
        .text(&badge.words);
}

/// Only the audit has one.
fn switch(switch: &Switch, drawing: &Drawing<'_>, out: &mut Markup) {
    let route = Route { page: Page::Audit, shows_agreeing: !switch.is_on, ..Route::default() };
    out.open("a")
        .class("switch")
        .attr("role", "switch")
        .attr("aria-checked", if switch.is_on { "true" } else { "false" })
        .attr("id", "switch")
        .href(&route.to_hash(drawing.view.names))
        .text(&switch.label);
}
