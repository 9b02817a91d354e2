//! What stands around the rows of the table of cases: heading, notices, the choice of columns.

use super::{GridColumn, GridFrame, is_number};
use crate::address::{Names, Route, column_word, sort_words};
use crate::format;
use crate::markup::Markup;
use crate::report::filter::FilterError;
use crate::report::{CasePage, CaseQuery, SortKey, Workspace, case_page};

/// Width of a column and its share of what is left.
fn size(key: SortKey) -> (u32, u32) {
    match key {
        SortKey::Outcome => (104, 0),
        SortKey::Id => (152, 4),
        SortKey::Run => (160, 4),
        SortKey::Suite | SortKey::Model => (136, 2),
        SortKey::Group => (136, 3),
        SortKey::Variant | SortKey::Tags => (120, 1),
        SortKey::Kind | SortKey::FailedChecks => (120, 0),
        SortKey::Error => (160, 6),
        SortKey::Score | SortKey::Repeat => (80, 0),
        SortKey::Instability => (120, 0),
        SortKey::Attempts | SortKey::Duration | SortKey::Tokens | SortKey::Cost => (92, 0),
        SortKey::File => (80, 0),
    }
}

/// A column of the table.
pub(super) fn column(key: SortKey) -> GridColumn {
    let (width, share) = size(key);
    GridColumn { word: column_word(key).to_owned(), width, share }
}

pub(super) fn frame(page: &CasePage, query: &CaseQuery, names: &dyn Names) -> GridFrame {
    let mut head = Markup::new();
    for (key, nth) in page.columns.iter().zip(1_u32..) {
        head_cell((*key, key.title()), nth, query, &mut head);
    }
    GridFrame {
        n_rows: page.n_matching,
        count: match page.n_matching == page.n_total {
            true => format::counted(page.n_total, "case", "cases"),
            false => format!(
                "{} of {}",
                format::count(page.n_matching),
                format::counted(page.n_total, "case", "cases")
            ),
        },
        columns: page.columns.iter().map(|key| column(*key)).collect(),
        head,
        notice: notices(
            page.filter_error.as_ref(),
            &page.unsearched,
            query,
            (page.n_matching, page.n_total),
            names,
        ),
        chooser: chooser(page),
    }
}

/// A heading that sorts: up, down, back to the order of the files. `data-by` is the order that a
/// click gives, `data-also` the one with Shift, which keeps the other columns.
pub(super) fn head_cell(
    (key, title): (SortKey, &str),
    nth: u32,
    query: &CaseQuery,
    out: &mut Markup,
) {
    let place = query.sort.iter().position(|(known, _)| *known == key);
    let direction =
        place.and_then(|at| query.sort.get(at)).map(|(_, is_descending)| *is_descending);
    let next = match direction {
        None => Some(false),
        Some(false) => Some(true),
        Some(true) => None,
    };
    let alone: Vec<_> = next.iter().map(|next| (key, *next)).collect();
    let mut also = query.sort.clone();
    match (place, next) {
        (Some(at), Some(next)) => {
            if let Some(pair) = also.get_mut(at) {
                pair.1 = next;
            }
        }
        (Some(at), None) => {
            also.remove(at);
        }
        (None, next) => also.extend(next.map(|next| (key, next))),
    }
    let (aria_sort, arrow) = match direction {
        None => ("none", ""),
        Some(false) => ("ascending", "↑"),
        Some(true) => ("descending", "↓"),
    };
    out.open("div")
        .class(if is_number(key) { "grid__cell is-end" } else { "grid__cell" })
        .attr("role", "columnheader")
        .attr("aria-colindex", &nth.to_string())
        .attr("aria-sort", aria_sort)
        .attr("data-column", column_word(key))
        .attr("draggable", "true")
        .body(|out| {
            out.open("button")
                .class("grid__sort")
                .attr("type", "button")
                .attr("id", &format!("case-sort-{}", column_word(key)))
                .attr("data-by", &sort_words(&alone))
                .attr("data-also", &sort_words(&also))
                .body(|out| {
                    out.text(title);
                    out.open("span").class("grid__arrow").attr("aria-hidden", "true").text(arrow);
                    if let (Some(at), true) = (place, query.sort.len() > 1) {
                        let nth = (at + 1).to_string();
                        out.open("span").class("grid__nth").attr("aria-hidden", "true").text(&nth);
                    }
                });
            out.open("span").class("grid__handle").attr("data-resize", column_word(key)).end();
        });
}

/// What must be known of an answer of `n_matching` rows out of `n_total`.
fn notices(
    error: Option<&FilterError>,
    unsearched: &[String],
    query: &CaseQuery,
    (n_matching, n_total): (u64, u64),
    names: &dyn Names,
) -> Markup {
    let mut out = Markup::new();
    if let Some(error) = error {
        out.open("div").class("case-notice").body(|out| {
            out.open("p").text("The filter cannot be read and is not applied.");
            filter_error(error, &query.filter, out);
        });
    }
    for needle in unsearched {
        out.open("div").class("case-notice").body(|out| {
            out.open("p").text(&format!(
                "The files have not been searched for “{needle}” yet, so that part of the filter is not applied."
            ));
            out.open("button")
                .class("button button--small")
                .attr("type", "button")
                .attr("data-search", needle)
                .text("Search the files");
        });
    }
    if n_matching == 0 {
        let words = match n_total {
            0 => "There are no cases in this.",
            _ => "No case matches the filter.",
        };
        out.open("div").class("case-notice").body(|out| {
            out.open("p").text(words);
            if n_total > 0 {
                let all = CaseQuery { filter: String::new(), ..query.clone() };
                out.open("a")
                    .class("link")
                    .href(&Route::of_query(&all).to_hash(names))
                    .text("Show all cases");
            }
        });
    }
    out
}

/// The same for rows that are not those of the table.
pub(super) fn filter_notices(
    workspace: &Workspace,
    query: &CaseQuery,
    n_matching: u64,
    n_total: u64,
) -> Markup {
    let list = CaseQuery { heat: None, offset: 0, limit: 0, ..query.clone() };
    let (error, unsearched) = case_page(workspace, &list)
        .map_or((None, Vec::new()), |page| (page.filter_error, page.unsearched));
    notices(error.as_ref(), &unsearched, query, (n_matching, n_total), workspace)
}

/// Why `text` is no filter, and where.
pub(super) fn filter_error(error: &FilterError, text: &str, out: &mut Markup) {
    let (at, end) = (error.at, error.at + error.len);
    let part = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    out.open("p").class("filter-error").body(|out| {
        out.open("code").class("filter-error__text").attr("dir", "auto").body(|out| {
            out.text(part(0, at));
            let wrong = part(at, end);
            out.open("mark").text(if wrong.is_empty() { "…" } else { wrong });
            out.text(part(end, text.len()));
        });
        out.text(" ");
        out.open("span").text(&error.message);
    });
}

/// Every column with a box, the chosen ones first and in their order.
fn chooser(page: &CasePage) -> Markup {
    let mut out = Markup::new();
    let others = page.choosable.iter().filter(|key| !page.columns.contains(key));
    let chosen = page.columns.iter().map(|key| (key, true));
    out.open("ul").class("chooser__list").body(|out| {
        for (key, is_chosen) in chosen.chain(others.map(|key| (key, false))) {
            let (word, title) = (column_word(*key), key.title());
            out.open("li").class("chooser__item").attr("data-column", word).body(|out| {
                out.open("label").class("check-box").body(|out| {
                    out.open("input")
                        .attr("type", "checkbox")
                        .attr_if("checked", is_chosen.then_some(""))
                        .end();
                    out.text(" ");
                    out.text(title);
                });
                for (step, sign, words) in [("-1", "↑", "earlier"), ("1", "↓", "later")] {
                    out.open("button")
                        .class("icon-button")
                        .attr("type", "button")
                        .attr("data-move", step)
                        .attr("aria-label", &format!("{title} {words}"))
                        .text(sign);
                }
            });
        }
    });
    out
}
