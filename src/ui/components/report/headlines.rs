//! Numbers to be seen first.

use super::ReportContext;
use super::cell::cell;
use crate::report::{Cell, Headline};
use crate::words::ui::report as words;
use leptos::prelude::*;

/// All of them in a row; nothing when there are none. `tally` belongs to the first.
pub fn headlines(
    headlines: &[Headline],
    tally: Option<AnyView>,
    cx: &ReportContext,
) -> Option<AnyView> {
    let mut tally = tally;
    let items = headlines.iter().map(|one| headline(one, tally.take(), cx)).collect_view();
    (!headlines.is_empty()).then(|| view! { <dl class="headlines">{items}</dl> }.into_any())
}

fn headline(headline: &Headline, tally: Option<AnyView>, cx: &ReportContext) -> AnyView {
    let Headline { label, value, note, hint } = headline;
    let class =
        if tally.is_some() { "headlines__item headlines__item--wide" } else { "headlines__item" };
    let note = note.as_ref().map(|note| {
        let is_interval = matches!(note, Cell::Interval { .. } | Cell::UnitInterval { .. });
        let before = is_interval.then_some(words::INTERVAL);
        view! { <dd class="headlines__note">{before}{cell(note, cx)}</dd> }.into_any()
    });
    let tally = tally.map(|tally| view! { <dd class="headlines__tally">{tally}</dd> }.into_any());
    view! {
        <div class=class title=hint.clone()>
            <dt class="headlines__label">{label.clone()}</dt>
            <dd class="headlines__value">{cell(value, cx)}</dd>
            {note}
            {tally}
        </div>
    }
    .into_any()
}
