//! The heat map of the cases: the same rows and heading as the table's, with a cell for each run or
//! attempt.

use super::frame::{column, filter_notices, head_cell};
use super::row::{ends, row_of};
use super::{CaseGrid, GridColumn, GridFrame, named};
use crate::address::{Page, Route};
use crate::format;
use crate::markup::Markup;
use crate::render::Look;
use crate::report::{
    Across, CaseQuery, HeatCell, HeatLine, HeatPage, Link, Outcome, RunRef, SortKey, Workspace,
    heat_page,
};

/// Columns that stand before the cells.
const FIRST: [(SortKey, &str); 4] = [
    (SortKey::Id, "Case"),
    (SortKey::Group, "Group"),
    (SortKey::Instability, "Instability"),
    (SortKey::Score, "Mean score"),
];

/// Width of a cell in pixels.
const CELL_WIDTH: u32 = 72;

/// Width of the column of mean scores in pixels.
const MEAN_WIDTH: u32 = 108;

/// A mark, so that colour is never alone.
fn sign(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "✓",
        Outcome::Failed => "✕",
        Outcome::Error => "▲",
        Outcome::Skipped => "–",
        Outcome::Scored => "•",
        Outcome::Unscored => "○",
    }
}

/// A query, and what is loaded.
type Asked<'a> = (&'a CaseQuery, &'a Workspace);

/// The rows that `query` asks for; `None` when its target is not there.
pub(super) fn heat_grid(
    workspace: &Workspace,
    query: &CaseQuery,
    look: Look,
    is_framed: bool,
) -> Option<CaseGrid> {
    let page = heat_page(workspace, query)?;
    let mut rows = Markup::new();
    for (line, at) in page.rows.iter().zip(page.offset..) {
        row(line, (at, &page), (query, workspace), look, &mut rows);
    }
    let first_case = |line: &HeatLine| {
        let cell = line.cells.iter().flatten().next();
        let nowhere = RunRef { evaluation: 0, run: 0 };
        cell.map_or((nowhere, String::new()), |cell| named(workspace, cell.run, cell.case_idx))
    };
    Some(CaseGrid {
        rows,
        cases: page.rows.iter().map(first_case).collect(),
        first: page.offset,
        frame: is_framed.then(|| frame(workspace, &page, query)),
    })
}

fn row(
    line: &HeatLine,
    (at, page): (u64, &HeatPage),
    query: Asked<'_>,
    look: Look,
    out: &mut Markup,
) {
    row_of(at, out, |out| {
        cell(1, "grid__cell", out, |out| {
            out.open("span")
                .class("grid__id")
                .attr("dir", "auto")
                .attr("title", &line.id)
                .text(&line.id);
        });
        cell(2, "grid__cell", out, |out| {
            out.open("span")
                .attr("dir", "auto")
                .text(line.group.as_deref().unwrap_or(format::UNKNOWN));
        });
        let numbers = [
            line.instability.map(|value| look.score(value.0)),
            line.mean.map(|value| look.score(value.0)),
        ];
        for (number, nth) in numbers.iter().zip(3..) {
            cell(nth, "grid__cell is-end", out, |out| {
                out.text(number.as_deref().unwrap_or(format::UNKNOWN));
            });
        }
        for ((found, label), nth) in line.cells.iter().zip(&page.columns).zip(0_u32..) {
            cell(nth + 5, "grid__cell heat__place", out, |out| match found {
                Some(found) => heat_cell(found, label, (at, nth), query, look, out),
                None => {
                    out.open("span").class("heat__none").attr("title", "not in this run").end();
                }
            });
        }
    });
}

fn cell(nth: u32, class: &str, out: &mut Markup, body: impl FnOnce(&mut Markup)) {
    out.open("div")
        .class(class)
        .attr("role", "gridcell")
        .attr("aria-colindex", &nth.to_string())
        .body(|out| {
            body(out);
            out.text(" ");
        });
}

/// A cell that opens its case. It is reached with the arrow keys, not with Tab: there are thousands.
fn heat_cell(
    found: &HeatCell,
    label: &str,
    (row, nth): (u64, u32),
    (query, workspace): Asked<'_>,
    look: Look,
    out: &mut Markup,
) {
    let HeatCell { run, case_idx, outcome, score } = *found;
    let link = Link::Case { run, case_idx };
    let case = Route::of_link(&link, Page::Cases, query.target, workspace).case;
    let to = Route { case, ..Route::of_query(query) };
    let score = score.map(|score| look.score(score.0));
    let words = match &score {
        Some(score) => format!("{label}: {outcome}, score {score}"),
        None => format!("{label}: {outcome}"),
    };
    out.open("a")
        .class(&format!("heat__cell heat__cell--{}", outcome.as_str()))
        .href(&to.to_hash(workspace))
        .attr("id", &format!("case-cell-{row}-{nth}"))
        .attr("tabindex", "-1")
        .attr("title", &words)
        .attr("aria-label", &words)
        .body(|out| {
            out.open("span").attr("aria-hidden", "true").text(sign(outcome));
            if let Some(score) = &score {
                out.open("span").class("heat__score").attr("aria-hidden", "true").text(score);
            }
        });
}

fn frame(workspace: &Workspace, page: &HeatPage, query: &CaseQuery) -> GridFrame {
    let mut head = Markup::new();
    for (key, nth) in FIRST.into_iter().zip(1..) {
        head_cell(key, nth, query, &mut head);
    }
    for (label, nth) in page.columns.iter().zip(5_u32..) {
        head.open("div")
            .class("grid__cell heat__head")
            .attr("role", "columnheader")
            .attr("aria-colindex", &nth.to_string())
            .body(|out| ends(label, out));
    }
    let cells = page.columns.iter().map(|_| GridColumn {
        word: String::new(),
        width: CELL_WIDTH,
        share: 0,
    });
    GridFrame {
        n_rows: page.n_matching,
        count: match page.n_matching == page.n_total {
            true => format::counted(page.n_total, "row", "rows"),
            false => format!(
                "{} of {}",
                format::count(page.n_matching),
                format::counted(page.n_total, "row", "rows")
            ),
        },
        columns: FIRST.into_iter().map(first_column).chain(cells).collect(),
        head,
        notice: notice(workspace, page, query),
        chooser: Markup::new(),
    }
}

/// A column before the cells. A mean has a longer heading than a score.
fn first_column((key, _): (SortKey, &str)) -> GridColumn {
    let column = column(key);
    let is_mean = key == SortKey::Score;
    GridColumn { width: if is_mean { MEAN_WIDTH } else { column.width }, ..column }
}

/// What the marks mean, what is side by side, and what is left out.
fn notice(workspace: &Workspace, page: &HeatPage, query: &CaseQuery) -> Markup {
    let mut out = filter_notices(workspace, query, page.n_matching, page.n_total);
    out.open("div").class("heat__legend").body(|out| {
        for outcome in Outcome::ALL {
            let class = format!("heat__mark heat__cell--{}", outcome.as_str());
            out.open("span").class("heat__key").body(|out| {
                out.open("span").class(&class).attr("aria-hidden", "true").text(sign(*outcome));
                out.text(outcome.as_str());
            });
        }
        out.open("span").class("heat__words").text(
            "Instability is the variance of passed over a row: 0 when all agree, 0.25 at most; of one verdict there is none.",
        );
        let across = query.heat.unwrap_or_default();
        for (heat, is_there, words) in [
            (Across::Runs, page.has_runs, "Across runs"),
            (Across::Attempts, page.has_attempts, "Across attempts"),
        ] {
            if is_there && heat != across {
                let to = Route::of_query(&CaseQuery { heat: Some(heat), ..query.clone() });
                out.open("a").class("link").href(&to.to_hash(workspace)).text(words);
            }
        }
        if page.n_hidden > 0 {
            out.open("span").class("heat__words").text(&format!(
                "{} more columns are not shown: choose fewer runs in the workspace.",
                format::count(page.n_hidden as u64)
            ));
        }
    });
    out
}
