//! What was prepared, and the button that saves it.

use crate::format;
use crate::ui::state::{SEAL_SAVE, Store, handler, live, memo};
use crate::words::ui::seal as words;
use crate::worker::protocol::{SealRule, SealSummary};
use leptos::prelude::*;

/// What was prepared. It stays in sight when the form says something else, and cannot be saved then.
pub fn summary(store: Store) -> AnyView {
    let dialog = store.sealing;
    let own = memo(move || dialog.with(|dialog| dialog.summary().map(|(own, _)| own.clone())));
    let is_valid =
        memo(move || dialog.with(|dialog| dialog.summary().is_some_and(|(_, is_valid)| is_valid)));
    let hint = move || match is_valid.get() {
        true => own.with(|own| own.as_ref().map_or(String::new(), |own| own.name.clone())),
        false => words::CHANGED.to_owned(),
    };
    view! {
        <h3 class="seal__heading">{words::READY}</h3>
        {live(move || own.with(|own| own.as_ref().map(prepared)))}
        <div class="seal__actions">
            <button
                type="button" class="button button--main" id=SEAL_SAVE disabled=live(move || !is_valid.get())
                on:click=handler(move |_| store.save_seal())
            >{words::SAVE}</button>
            <span class="field__hint">{live(hint)}</span>
        </div>
    }
    .into_any()
}

fn prepared(summary: &SealSummary) -> AnyView {
    let SealSummary { n_data, n_packed, n_file, left_out, rules, is_redacted, .. } = summary;
    let size = |what: &'static str, n_bytes: u64| {
        let exact = words::exactly(n_bytes);
        view! { <div><dt>{what}</dt><dd title=exact>{format::bytes(n_bytes)}</dd></div> }.into_any()
    };
    let large = summary
        .is_large()
        .then(|| view! { <p class="seal__note seal__note--warning">{words::LARGE}</p> }.into_any());
    let left_out =
        if left_out.is_empty() { words::NOTHING.to_owned() } else { left_out.join(", ") };
    let nothing = (rules.is_empty() && *is_redacted)
        .then(|| view! { <p class="seal__note">{words::NOTHING_FOUND}</p> }.into_any());
    view! {
        <dl class="seal__sizes">
            {size(words::SIZE, *n_data)}
            {size(words::PACKED, *n_packed)}
            {size(words::WHOLE, *n_file)}
        </dl>
        {large}
        <p class="seal__note">{words::left_out(&left_out)}</p>
        {nothing}
        {rules.iter().map(rule).collect_view()}
    }
    .into_any()
}

/// What one rule has replaced.
fn rule(rule: &SealRule) -> AnyView {
    let sample = |[place, before, after]: &[String; 3]| {
        view! {
            <li>
                <span class="seal__place">{place.clone()}</span>
                <span class="seal__change"><del>{before.clone()}</del>" → "<ins>{after.clone()}</ins></span>
            </li>
        }
        .into_any()
    };
    let n_more = rule.n.saturating_sub(rule.samples.len() as u64);
    let more = (n_more > 0)
        .then(|| view! { <li class="field__hint">{words::and_more(n_more)}</li> }.into_any());
    view! {
        <details class="seal__rule" open=true>
            <summary>
                <span class="seal__rule-name">{rule.words.clone()}</span>" "
                <span class="seal__count">{format!("{}×", format::count(rule.n))}</span>
            </summary>
            <ul class="seal__samples">{rule.samples.iter().map(sample).collect_view()}{more}</ul>
        </details>
    }
    .into_any()
}
