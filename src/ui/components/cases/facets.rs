//! Values and ranges to choose from, each with its number of cases; presets; how scores are spread.

use super::rows::CaseRows;
use crate::browser;
use crate::format;
use crate::report::filter::FacetChoice;
use crate::report::{
    CaseQuery, Facet, FacetRange, FacetValue, Facets, Outcome, Preset, Refinement, ScoreBin,
};
use crate::ui::components::outcome_mark;
use crate::ui::state::{Store, effect, handler, live, use_store};
use crate::words::report::rules::cases as presets;
use crate::words::ui::cases as words;
use crate::worker::protocol::{Answer, Question};
use leptos::html::Input;
use leptos::prelude::*;
use std::sync::Arc;

/// Values that are shown before the rest is unfolded.
const FEW: usize = 8;

/// The facets of the present filter. Copies are the same ones.
#[derive(Clone, Copy)]
pub struct FacetState {
    facets: RwSignal<Arc<Facets>>,
}

impl FacetState {
    /// Follows `rows`: they come first, since they are waited for.
    pub fn new(rows: CaseRows) -> Self {
        let store = use_store();
        let facets = RwSignal::new(Arc::new(Facets::default()));
        let newest = StoredValue::new(0_u64);
        let counted = StoredValue::new(None);
        effect(move || {
            rows.epoch.track();
            let query =
                CaseQuery { sort: Vec::new(), offset: 0, limit: 0, ..rows.query.get_untracked() };
            // In another order they are the same cases.
            let what = (query, store.version.get_untracked(), rows.again.get_untracked());
            if counted.with_value(|counted| counted.as_ref() == Some(&what)) {
                return;
            }
            let query = what.0.clone();
            counted.set_value(Some(what));
            newest.update_value(|n| *n += 1);
            let number = newest.get_value();
            store.ask(Question::Facets(query), move |answer| {
                if newest.try_get_value() != Some(number) {
                    return;
                }
                let Ok(Answer::Facets(found)) = answer else { return counted.set_value(None) };
                // What had the focus is drawn anew, and has it again.
                let focused = browser::focused_id();
                facets.try_set(Arc::new(*found));
                if let Some(id) = focused {
                    browser::refocus_soon(&id, "");
                }
            });
        });
        Self { facets }
    }
}

/// Filters that are one click away.
#[component]
pub fn Presets(
    /// The facets, which hold them.
    state: FacetState,
) -> impl IntoView {
    let store = use_store();
    let presets = move || {
        let facets = state.facets.get();
        let presets = facets.presets.iter().map(|one| preset(store, one));
        presets.collect_view()
    };
    view! { <div class="presets" role="group" aria-label=words::PRESETS>{live(presets)}</div> }
}

fn preset(store: Store, preset: &Preset) -> AnyView {
    let Preset { title, filter, n_cases, is_chosen } = preset.clone();
    let id = format!("preset-{}", title.to_lowercase());
    let outcome = match title.as_str() {
        presets::FAILED => Some(Outcome::Failed),
        presets::ERRORS => Some(Outcome::Error),
        _ => None,
    };
    let go = move |_| store.go(|route| route.text.clone_from(&filter));
    let pressed = if is_chosen { "true" } else { "false" };
    let count = n_cases
        .map(|n| view! { <span class="presets__count">{format::count(n)}</span> }.into_any());
    view! {
        <button type="button" class="presets__one" id=id aria-pressed=pressed on:click=handler(go)>
            {outcome.map(outcome_mark)}
            {title}" "{count}
        </button>
    }
    .into_any()
}

/// The panel beside the table.
#[component]
pub fn FacetPanel(
    /// The facets.
    state: FacetState,
) -> impl IntoView {
    let store = use_store();
    let body = move || {
        let facets = state.facets.get();
        let ranges = (!facets.ranges.is_empty()).then(|| {
            let scores: Arc<[ScoreBin]> = facets.scores.clone().into();
            let ranges = facets.ranges.iter().map(|one| {
                let bins =
                    (one.field == "score" && !scores.is_empty()).then(|| histogram(store, &scores));
                view! { {range(store, one)}{bins} }.into_any()
            });
            view! { <section class="facet" aria-label=words::RANGES>{ranges.collect_view()}</section> }
                .into_any()
        });
        let facets = facets.facets.iter().map(|one| facet(store, one)).collect_view();
        view! { {facets}{ranges} }.into_any()
    };
    view! {
        <div class="facets" role="region" aria-label=words::FACETS tabindex="0">{live(body)}</div>
    }
}

fn facet(store: Store, facet: &Facet) -> AnyView {
    let Facet { field, title, values, n_hidden } = facet;
    let n_chosen = values.iter().rposition(|value| value.choice != FacetChoice::Open);
    let n_shown = FEW.max(n_chosen.map_or(0, |at| at + 1));
    let n_shown = if n_shown + 2 >= values.len() { values.len() } else { n_shown };
    let (first, rest) = values.split_at_checked(n_shown).unwrap_or((values, &[]));
    let more = (!rest.is_empty() || *n_hidden > 0).then(|| {
        let n_more = (rest.len() + n_hidden) as u64;
        let hidden = (*n_hidden > 0).then(|| {
            let said = words::not_listed(*n_hidden as u64, field);
            view! { <p class="facet__hidden">{said}</p> }.into_any()
        });
        view! {
            <details class="facet__more">
                <summary>{words::more(n_more)}</summary>
                {list(store, rest, field)}
                {hidden}
            </details>
        }
        .into_any()
    });
    view! {
        <section class="facet" aria-label=title.clone()>
            <h2 class="facet__title">{title.clone()}</h2>
            {list(store, first, field)}
            {more}
        </section>
    }
    .into_any()
}

fn list(store: Store, values: &[FacetValue], field: &str) -> AnyView {
    let values = values.iter().map(|one| {
        let one = value(store, one, field);
        view! { <li>{one}</li> }.into_any()
    });
    view! { <ul class="facet__list">{values.collect_view()}</ul> }.into_any()
}

fn value(store: Store, facet: &FacetValue, field: &str) -> AnyView {
    let FacetValue { value, n_cases, choice, then } = facet.clone();
    let name = if value.is_empty() { words::NONE.to_owned() } else { value.clone() };
    let id: String = value.chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect();
    let outcome = if field == "outcome" { Outcome::from_text(&value) } else { None };
    let is_out = choice == FacetChoice::Excluded;
    let change = move |_| store.go(|route| route.text.clone_from(&then));
    view! {
        <label class="facet__value" class:is-chosen=choice == FacetChoice::Chosen class:is-excluded=is_out title=name.clone()>
            <input
                type="checkbox" id=format!("facet-{field}-{id}") prop:checked=choice == FacetChoice::Chosen
                prop:indeterminate=is_out on:change=handler(change)
            />
            {outcome.map(outcome_mark)}
            {is_out.then(|| view! { <span class="visually-hidden">{words::NOT}</span> })}
            <span class="facet__name" dir="auto">{name.clone()}</span>" "
            <span class="facet__count">{format::count(n_cases)}</span>
        </label>
    }
    .into_any()
}

/// Two fields whose change asks for the refined filter.
fn range(store: Store, range: &FacetRange) -> AnyView {
    let FacetRange { field, title, low, high, example } = range.clone();
    let fields = [NodeRef::<Input>::new(), NodeRef::<Input>::new()];
    let name = field.clone();
    let refine = move || {
        let [low, high] = fields
            .map(|field| field.get_untracked().map(|field| field.value()).unwrap_or_default());
        let filter = store.route.with_untracked(|route| route.text.clone());
        let refinement = Refinement { filter, field: name.clone(), low, high };
        store.ask(Question::Refine(refinement), move |answer| match answer {
            Ok(Answer::Text(text)) => store.go(|route| route.text = text),
            Ok(_) => {}
            Err(failure) => store.say(failure.to_string()),
        });
    };
    let refine: Arc<dyn Fn()> = Arc::new(refine);
    let ends = [("low", low, words::FROM), ("high", high, words::TO)];
    let inputs = ends.into_iter().zip(fields).map(|((end, value, name), place)| {
        let refine = Arc::clone(&refine);
        view! {
            <input
                class="field__input" id=format!("range-{field}-{end}") node_ref=place aria-label=words::end_of(&title, name)
                placeholder=name title=words::end_example(&title, name, &example) autocomplete="off" value=value
                on:change=handler(move |_| refine())
            />
        }
        .into_any()
    });
    view! {
        <fieldset class="facet__range">
            <legend class="facet__title">{title.clone()}</legend>
            {inputs.collect_view()}
        </fieldset>
    }
    .into_any()
}

/// How scores are spread: a bar for each tenth, which keeps its cases when pressed.
fn histogram(store: Store, bins: &[ScoreBin]) -> AnyView {
    let most = bins.iter().map(|bin| bin.n_passed + bin.n_others).max().unwrap_or(1).max(1);
    let bars = bins.iter().map(|bin| {
        let n = bin.n_passed + bin.n_others;
        let (low, high) = bin.ends;
        let said = words::score_bin(low, high, n);
        let share = |n: u64| format!("{:.1}%", n as f64 / most as f64 * 100.0);
        let then = bin.then.clone();
        let go = move |_| store.go(|route| route.text.clone_from(&then));
        view! {
            <button type="button" class="bins__one" title=said disabled=n == 0 on:click=handler(go)>
                <span class="bins__passed" style:height=share(bin.n_passed)></span>
                <span class="bins__others" style:height=share(bin.n_others)></span>
            </button>
        }
        .into_any()
    });
    view! {
        <div class="bins" role="group" aria-label=words::SCORES>{bars.collect_view()}</div>
        <div class="bins__ends" aria-hidden="true"><span>"0"</span><span>"1"</span></div>
    }
    .into_any()
}
