//! A case from top to bottom: what stands beside is in the document first, as on a phone it is read first.

use super::aside::{elsewhere, usage, verdict};
use super::head::{TITLE_ID, head};
use super::leading::Leading;
use super::links::CaseBar;
use super::pieces::pieces;
use crate::browser;
use crate::reading::{CasePage, CaseShown, ColumnSide, NoCase, SectionShown};
use crate::ui::components::inserted_markup::{kept_height, release, steady};
use crate::ui::components::report::paced;
use crate::words::ui::case as words;
use leptos::html::H2;
use leptos::prelude::*;
use std::sync::Arc;

/// Elements of a section besides what is paced by itself, about.
const ELEMENTS: usize = 100;

/// The page, as panels draw it.
pub fn case_page(shown: Arc<CaseShown>) -> AnyView {
    browser::begin_page();
    let bar: CaseBar = expect_context();
    match &*shown {
        CaseShown::Case(page) => of_case(page, bar),
        CaseShown::Lost(case) => {
            bar.show(&[]);
            lost(case)
        }
    }
}

fn of_case(page: &CasePage, bar: CaseBar) -> AnyView {
    let leading: Leading = expect_context();
    bar.show(&page.sections);
    let height = kept_height();
    let of_side = |side: ColumnSide| {
        let sections = page.sections.iter().filter(move |one| one.side == side);
        sections.map(section).collect_view()
    };
    // What is made first is drawn first: the transcript, but on a phone what stands above it.
    let (aside, main) = if browser::is_narrow() {
        let aside = of_side(ColumnSide::Aside);
        (aside, of_side(ColumnSide::Main))
    } else {
        let main = of_side(ColumnSide::Main);
        (of_side(ColumnSide::Aside), main)
    };
    leading.when_whole(move || {
        release(height);
        bar.follow();
    });
    match &page.spot {
        Some(way) => leading.lead(way.clone()),
        None if bar.is_opened.get_value() => {
            leading.forget();
            browser::behind_frame(|| browser::focus(TITLE_ID));
        }
        // The same drawn anew leads where it led before.
        None => {}
    }
    let columns = view! {
        <div class="case__columns">
            <div class="case__aside">
                {verdict(page)}
                {usage(&page.usage)}
                {elsewhere(&page.elsewhere)}
                {aside}
            </div>
            <div class="case__main">{main}</div>
        </div>
    }
    .into_any();
    view! {
        {head(page)}
        {steady(height, columns)}
    }
    .into_any()
}

fn section(section: &SectionShown) -> AnyView {
    let (id, label) = (section.id(), section.id());
    let whole = format!("{id}-section");
    let body = section.body.clone();
    // Each in its turn: all at once would be more than a frame should have to lay out.
    let body = paced(ELEMENTS, move || pieces(&body));
    let class = match section.side {
        ColumnSide::Main => "case__section",
        ColumnSide::Aside => "case__section case__panel",
    };
    view! {
        <section class=class id=whole aria-labelledby=label>
            {heading(id, section.title.clone())}
            <div class="pieces">{body}</div>
        </section>
    }
    .into_any()
}

/// A heading that there is a way to.
pub(super) fn heading(id: String, title: String) -> AnyView {
    let leading: Leading = expect_context();
    let place = NodeRef::<H2>::new();
    let current = leading.brings(&id, place);
    view! {
        <h2 class="case__heading" id=id tabindex="-1" dir="auto" node_ref=place aria-current=current>{title}</h2>
    }
    .into_any()
}

fn lost(case: &NoCase) -> AnyView {
    let NoCase { what, labels: [evaluation, run], cases } = case.clone();
    let [before, after] = words::LOST;
    view! {
        <div class="panel panel--failed" role="alert">
            <h1 class="panel__title">{before}<bdi>{what}</bdi>{after}</h1>
            <p>
                <bdi>{evaluation}</bdi>" / "<bdi>{run}</bdi>
                {words::LOST_RUN}
            </p>
            <p><a class="link" href=cases>{words::CASES_OF_RUN}</a></p>
        </div>
    }
    .into_any()
}
