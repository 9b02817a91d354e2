//! One cell of a table, or one headline number.

use super::{LinkButton, OutcomeWord};
use crate::format;
use crate::report::Cell;
use leptos::prelude::*;

/// Draws `cell` by what it means.
#[component]
pub fn CellView(
    /// What to draw.
    cell: Cell,
) -> AnyView {
    match cell {
        Cell::Text(text) => text.into_any(),
        Cell::Count(n) => format::count(n).into_any(),
        Cell::Number(value) => format::number(value.0, 3).into_any(),
        Cell::Rate(value) => format::rate(value.0, 1).into_any(),
        Cell::Bar(value) => bar(format::score(value.0, 3), value.0).into_any(),
        Cell::Share { part, whole } => share(part, whole).into_any(),
        Cell::Secs(value) => format::secs(value.0).into_any(),
        Cell::Usd { amount, is_lower_bound } => {
            let title =
                is_lower_bound.then_some("Some prices are not known: the true cost is higher.");
            view! { <span title=title>{format::usd(amount.0, is_lower_bound)}</span> }.into_any()
        }
        Cell::Outcome(outcome) => view! { <OutcomeWord outcome/> }.into_any(),
        Cell::Flag(is_so) => if is_so { "yes" } else { "no" }.into_any(),
        Cell::Interval { low, high } => view! {
            <span class="cell-interval" title="95 % confidence interval">
                {format::score(low.0, 3)} " – " {format::score(high.0, 3)}
            </span>
        }
        .into_any(),
        Cell::Bytes(n) => format::bytes(n).into_any(),
        Cell::Tag { text, is_bad } => {
            let class = if is_bad { "tag tag--bad" } else { "tag" };
            view! { <span class=class>{text}</span> }.into_any()
        }
        Cell::SecsInterval { low, high } => view! {
            <span class="cell-interval" title="95 % confidence interval">
                {format::secs(low.0)} " – " {format::secs(high.0)}
            </span>
        }
        .into_any(),
        Cell::Missing(reason) => missing(reason).into_any(),
        Cell::Linked(cell, link) => {
            let body = view! { <CellView cell=*cell/> }.into_any();
            view! { <LinkButton link body/> }.into_any()
        }
    }
}

/// Nothing, and why.
fn missing(reason: String) -> impl IntoView {
    let words = format!("not known: {reason}");
    view! {
        <span class="cell-missing" title=reason>
            <span aria-hidden="true">{format::UNKNOWN}</span>
            <span class="visually-hidden">{words}</span>
        </span>
    }
}

fn share(part: u64, whole: u64) -> impl IntoView {
    let text = format!("{} / {}", format::count(part), format::count(whole));
    // Of nothing there is no share: the bar stays empty.
    bar(text, if whole == 0 { 0.0 } else { part as f64 / whole as f64 })
}

/// A text with a bar that is filled to `rate`.
fn bar(text: String, rate: f64) -> impl IntoView {
    let width = format!("{:.2}%", rate.clamp(0.0, 1.0) * 100.0);
    view! {
        <span class="cell-bar">
            <span class="cell-bar__text">{text}</span>
            <span class="cell-bar__track" aria-hidden="true">
                <span class="cell-bar__fill" style:width=width></span>
            </span>
        </span>
    }
}
