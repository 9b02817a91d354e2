//! Case against case.

use super::tables::table;
use super::{card, token};
use crate::browser;
use crate::render::compare::{
    DiffLineShown, PairPage, PairTextShown, StepShown, StepsRow, StepsShown,
};
use crate::ui::components::{Icon, icon, paced};
use crate::ui::state::{Around, effect, handler, use_store};
use crate::words::ui::compare as words;
use leptos::prelude::*;
use std::sync::Arc;

/// Id of the first step that differs.
const DIVERGENCE: &str = "first-divergence";

/// The page, as panels draw it.
pub fn pair_page(shown: Arc<PairPage>) -> AnyView {
    let Some(line) = &shown.line else { return ().into_any() };
    let pages = [&line.baseline, &line.candidate].into_iter().zip(words::CASE_PAGES);
    let pages = pages.filter_map(|(one, words)| {
        let address = one.as_ref()?.address.clone();
        Some(view! { <a class="link" href=address>{words}</a>" " }.into_any())
    });
    let texts = shown.texts.iter().map(text);
    let texts = (!shown.texts.is_empty()).then(|| {
        let body = view! { <div class="pair-texts">{texts.collect_view()}</div> }.into_any();
        card(
            "card",
            "pair-texts",
            words::TEXTS.to_owned(),
            words::TEXTS_NOTE.to_owned(),
            None,
            body,
        )
    });
    let letters = shown.sides.iter().map(|side| {
        view! { <li>{token(&side.letter)}<span class="rank__name" title=side.label.clone()>{side.label.clone()}</span></li> }
            .into_any()
    });
    let [left, right] =
        [0, 1].map(|at| shown.sides.get(at).map_or(String::new(), |side| side.letter.clone()));
    let steps = shown.steps.as_ref().map(|found| steps(found, [&left, &right]));
    view! {
        <article class="compare">
            {bar(&shown)}
            <header>
                <h1 class="page-head__title" dir="auto">{line.id.clone()}</h1>
                <p class="card__note">{line.place.clone()}</p>
                <ul class="pair-sides">{letters.collect_view()}</ul>
                <p class="pair-pages">{pages.collect_view()}</p>
            </header>
            {card("card", "pair-facts", words::FACTS.to_owned(), String::new(), None, table(&shown.facts, words::FACTS))}
            {texts}
            {steps}
        </article>
    }
    .into_any()
}

/// Back to the list, to the pair before, to the pair after.
fn bar(shown: &PairPage) -> AnyView {
    let store = use_store();
    let [previous, next] = shown.beside.clone();
    // The keys j and k lead there too.
    let around = Around::of_run(&shown.beside);
    effect(move || store.around.set(around.clone()));
    on_cleanup(move || store.around.set(Around::default()));
    let step = move |label: &'static str, key: &'static str, goal: Option<String>| {
        let is_off = goal.is_none();
        let press = move |_| {
            if let Some(goal) = &goal {
                store.follow(&store.route_of(goal));
            }
        };
        view! {
            <button type="button" class="button button--small" title=key disabled=is_off on:click=handler(press)>{label}</button>
        }
        .into_any()
    };
    view! {
        <nav class="pair-bar" aria-label=words::PAIRS>
            <button
                type="button" class="button button--quiet" id="pair-back"
                on:click=handler(move |_| store.go(|route| route.case = None))
            >"← "{words::BACK}</button>
            <span class="pair-bar__end">
                <span class="card__note">{shown.position.clone()}</span>
                {step(words::PAIR_BEFORE, "k", previous)}
                {step(words::PAIR_AFTER, "j", next)}
            </span>
        </nav>
    }
    .into_any()
}

fn text(shown: &PairTextShown) -> AnyView {
    let rows = shown.rows.iter().map(|row| {
        let (class, sign, words) = match row {
            DiffLineShown::Same(line) => ("pair-line", " ", line.clone()),
            DiffLineShown::Left(line) => ("pair-line pair-line--left", "−", line.clone()),
            DiffLineShown::Right(line) => ("pair-line pair-line--right", "+", line.clone()),
            DiffLineShown::Folded(n) => {
                ("pair-line pair-line--folded", "", words::lines_alike(*n))
            }
        };
        view! { <div class=class><span class="pair-line__sign">{sign}</span><span dir="auto">{words}</span></div> }
            .into_any()
    });
    let more = (shown.n_more > 0).then(|| words::further_rows(shown.n_more));
    view! {
        <h3 class="pair-texts__title">{shown.title.clone()}</h3>
        <div class="pair-text" tabindex="0" role="group" aria-label=shown.title.clone()>{rows.collect_view()}</div>
        {more.map(|words| view! { <p class="card__note">{words}</p> }.into_any())}
    }
    .into_any()
}

fn steps(shown: &StepsShown, letters: [&str; 2]) -> AnyView {
    // Thousands of lines in folds: they come into the document a frame at a time.
    let rows = shown.rows.iter().map(|one| {
        let (one, letters) = (one.clone(), letters.map(str::to_owned));
        paced(n_elements(&one), move || row(&one, letters.each_ref().map(String::as_str)))
    });
    let has_first =
        shown.rows.iter().any(|row| matches!(row, StepsRow::Apart { first: Some(_), .. }));
    let end = has_first.then(|| {
        view! {
            <button
                type="button" class="button button--quiet" id="to-divergence"
                on:click=handler(move |_| browser::focus(DIVERGENCE))
            >{icon(Icon::Down)}{words::TO_DIVERGENCE}</button>
        }
        .into_any()
    });
    let more = (shown.n_more > 0).then(|| words::further_rows(shown.n_more));
    let body = view! {
        <div class="pair-steps">{rows.collect_view()}</div>
        {more.map(|words| view! { <p class="card__body card__note">{words}</p> }.into_any())}
    }
    .into_any();
    card("card", "pair-steps", words::STEPS.to_owned(), shown.lead.clone(), end, body)
}

/// About how many elements a row has.
fn n_elements(row: &StepsRow) -> usize {
    const STEP: usize = 12;
    match row {
        StepsRow::Same(_, lines) => lines.len() + 3,
        StepsRow::Apart { .. } => 2 * STEP,
    }
}

fn row(row: &StepsRow, [one, two]: [&str; 2]) -> AnyView {
    match row {
        StepsRow::Same(words, lines) => {
            let lines =
                lines.iter().map(|line| view! { <li dir="auto">{line.clone()}</li> }.into_any());
            view! {
                <details class="fold pair-alike"><summary>{words.clone()}</summary><ol>{lines.collect_view()}</ol></details>
            }
            .into_any()
        }
        StepsRow::Apart { number, left, right, first } => {
            let class = if first.is_some() { "pair-step pair-step--first" } else { "pair-step" };
            let head = first.clone().map(|words| {
                view! { <h3 class="pair-step__head" id=DIVERGENCE tabindex="-1">{words}</h3> }
                    .into_any()
            });
            view! {
                <div class=class>
                    {head}
                    {step(left.as_deref(), one)}
                    <span class="pair-step__number">{number.clone()}</span>
                    {step(right.as_deref(), two)}
                </div>
            }
            .into_any()
        }
    }
}

fn step(step: Option<&StepShown>, letter: &str) -> AnyView {
    // Only where both sides stand below each other.
    let side = view! { <span class="pair-step__side">{token(letter)}</span> }.into_any();
    let Some(StepShown { who, is_tool, text, returned, secs, told }) = step.cloned() else {
        return view! { <p class="pair-void">{side}{words::NO_STEP}</p> }.into_any();
    };
    let sign = icon(if is_tool { Icon::Tool } else { Icon::Agent });
    let returned = returned.map(|text| {
        view! { <p class="pair-said__label">{words::RETURNED}" "{secs}</p><pre dir="auto">{text}</pre> }.into_any()
    });
    view! {
        <div class="pair-said">
            <p class="pair-said__who">{side}{sign}<bdi>{who}</bdi>" "<span class="card__note">{told}</span></p>
            <pre dir="auto">{text}</pre>
            {returned}
        </div>
    }
    .into_any()
}
