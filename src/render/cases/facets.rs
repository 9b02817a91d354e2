//! The panel of facets: every value a link to the filter with it or without it.

use crate::address::{Names, Route};
use crate::format;
use crate::markup::Markup;
use crate::render::outcome_mark;
use crate::report::filter::Choice;
use crate::report::{CaseQuery, Facet, FacetValue, Facets, Outcome, Range};

/// Values that are shown before the rest is unfolded.
const FEW: usize = 8;

/// A query, and what its target is called.
type Asked<'a> = (&'a CaseQuery, &'a dyn Names);

/// Draws the facets of `query`.
pub fn facets(facets: &Facets, query: &CaseQuery, names: &dyn Names) -> Markup {
    let mut out = Markup::new();
    for one in &facets.facets {
        facet(one, (query, names), &mut out);
    }
    if !facets.ranges.is_empty() {
        out.open("section").class("facet").attr("aria-label", "Ranges").body(|out| {
            for one in &facets.ranges {
                range(one, out);
            }
        });
    }
    out
}

fn facet(facet: &Facet, query: Asked<'_>, out: &mut Markup) {
    let Facet { field, title, values, n_hidden } = facet;
    out.open("section").class("facet").attr("aria-label", title).body(|out| {
        out.open("h2").class("facet__title").text(title);
        let n_chosen = values.iter().rposition(|value| value.choice != Choice::Open);
        let n_shown = FEW.max(n_chosen.map_or(0, |at| at + 1));
        let n_shown = if n_shown + 2 >= values.len() { values.len() } else { n_shown };
        let (first, rest) = values.split_at(n_shown);
        list(first, field, query, out);
        if !rest.is_empty() || *n_hidden > 0 {
            out.open("details").class("facet__more").body(|out| {
                let n_more = (rest.len() + n_hidden) as u64;
                out.open("summary").text(&format!("{} more", format::count(n_more)));
                list(rest, field, query, out);
                if *n_hidden > 0 {
                    out.open("p").class("facet__hidden").text(&format!(
                        "{} more are not listed: write {field}:name.",
                        format::count(*n_hidden as u64)
                    ));
                }
            });
        }
    });
}

fn list(values: &[FacetValue], field: &str, query: Asked<'_>, out: &mut Markup) {
    out.open("ul").class("facet__list").body(|out| {
        for value in values {
            out.open("li").body(|out| facet_value(value, field, query, out));
        }
    });
}

fn facet_value(facet: &FacetValue, field: &str, (query, names): Asked<'_>, out: &mut Markup) {
    let FacetValue { value, n_cases, choice, then } = facet;
    let to = Route::of_query(&CaseQuery { filter: then.clone(), ..query.clone() }).to_hash(names);
    let words = if value.is_empty() { "none" } else { value };
    let (class, sign) = match choice {
        Choice::Open => ("facet__value", ""),
        Choice::Chosen => ("facet__value is-chosen", "✓"),
        Choice::Excluded => ("facet__value is-excluded", "−"),
    };
    // So that the link that was followed has the focus in the panel that is drawn after it.
    let id: String = value.chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect();
    out.open("a")
        .class(class)
        .href(&to)
        .attr("id", &format!("facet-{field}-{id}"))
        .attr_if("aria-current", (*choice != Choice::Open).then_some("true"))
        .attr_if("title", (value.len() > 24).then_some(value))
        .body(|out| {
            out.open("span").class("facet__sign").attr("aria-hidden", "true").text(sign);
            if field == "outcome"
                && let Some(outcome) = Outcome::from_text(value)
            {
                outcome_mark(outcome, out);
            }
            if *choice == Choice::Excluded {
                out.span("visually-hidden", "not ");
            }
            out.open("span").class("facet__name").attr("dir", "auto").text(words);
            out.text(" ");
            out.span("facet__count", &format::count(*n_cases));
        });
}

/// Two fields whose change asks for the refined filter.
fn range(range: &Range, out: &mut Markup) {
    let Range { field, title, low, high, example } = range;
    out.open("form").class("facet__range").attr("data-range", field).body(|out| {
        out.open("fieldset").body(|out| {
            out.open("legend").class("facet__title").text(title);
            for (name, value, words) in [("low", low, "from"), ("high", high, "to")] {
                out.open("input")
                    .class("field__input")
                    .attr("name", name)
                    .attr("id", &format!("range-{field}-{name}"))
                    .attr("aria-label", &format!("{title} {words}"))
                    .attr("placeholder", words)
                    .attr("title", &format!("{title} {words}: {example}"))
                    .attr("autocomplete", "off")
                    .attr("value", value)
                    .end();
            }
        });
    });
}
