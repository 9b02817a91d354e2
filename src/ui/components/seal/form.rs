//! What goes into a sealed report, and what is taken out of it.

use crate::ui::sealing::SealDialog;
use crate::ui::state::{live, memo};
use crate::words::ui::seal as words;
use crate::worker::protocol::{SealOffer, SealWishes};
use leptos::prelude::*;

/// The dialog as a signal.
type Dialog = RwSignal<SealDialog>;

/// The form for what can be sealed.
pub fn form(dialog: Dialog, offer: &SealOffer) -> AnyView {
    view! {
        <div class="seal__form">
            {group(words::RESULTS, results(dialog, offer))}
            {group(words::WITH_EACH_CASE, [
                check(dialog, "details", words::DETAILS, |wishes| &mut wishes.details, |_| true),
                check(dialog, "transcripts", words::TRANSCRIPTS, |wishes| &mut wishes.transcripts, |_| true),
                check(dialog, "raw", words::RAW, |wishes| &mut wishes.raw, SealDialog::can_have_raw),
            ].into_any())}
            {group(words::FILE, [
                radio(dialog, "open", false, words::READ_ONLY.map(str::to_owned), |wishes| &mut wishes.is_open),
                radio(dialog, "open", true, words::WITH_DROP.map(str::to_owned), |wishes| &mut wishes.is_open),
            ].into_any())}
            {group(words::TAKEN_OUT, [
                check(dialog, "secrets", words::SECRETS, |wishes| &mut wishes.masks_secrets, |_| true),
                area(dialog, "fields", words::FIELDS, |wishes| &mut wishes.fields),
                area(dialog, "patterns", words::PATTERNS, |wishes| &mut wishes.patterns),
            ].into_any())}
        </div>
    }
    .into_any()
}

fn group(legend: &'static str, body: AnyView) -> AnyView {
    view! {
        <fieldset class="seal__group">
            <legend class="seal__legend">{legend}</legend>
            {body}
        </fieldset>
    }
    .into_any()
}

fn results(dialog: Dialog, offer: &SealOffer) -> AnyView {
    let SealOffer { all, selected, n_filtered } = offer.clone();
    let Some(selected) = selected else {
        return view! { <p class="seal__note">{all}</p> }.into_any();
    };
    let part = n_filtered
        .map(|n_cases| view! { <p class="seal__note">{words::filtered(n_cases)}</p> }.into_any());
    let field: Flag = |wishes| &mut wishes.is_view;
    view! {
        {radio(dialog, "view", false, [words::EVERYTHING.to_owned(), all], field)}
        {radio(dialog, "view", true, [words::SELECTED.to_owned(), selected], field)}
        {part}
    }
    .into_any()
}

/// A flag of the form.
type Flag = fn(&mut SealWishes) -> &mut bool;

/// What the flag is now.
fn is_on(dialog: Dialog, flag: Flag) -> Memo<bool> {
    memo(move || dialog.with(|dialog| *flag(&mut dialog.wishes.clone())))
}

fn check(
    dialog: Dialog,
    name: &'static str,
    words: [&str; 2],
    flag: Flag,
    is_free: fn(&SealDialog) -> bool,
) -> AnyView {
    let (own, is_free) = (is_on(dialog, flag), memo(move || dialog.with(is_free)));
    let input = view! {
        <input
            type="checkbox" id=format!("seal-{name}") disabled=live(move || !is_free.get())
            prop:checked=live(move || own.get())
            on:change:target=move |event| {
                let is_on = event.target().checked();
                dialog.update(|dialog| dialog.change(|wishes| *flag(wishes) = is_on));
            }
        />
    };
    option(input.into_any(), words.map(str::to_owned))
}

fn radio(
    dialog: Dialog,
    name: &'static str,
    value: bool,
    words: [String; 2],
    flag: Flag,
) -> AnyView {
    let own = is_on(dialog, flag);
    let input = view! {
        <input
            type="radio" name=format!("seal-{name}") id=format!("seal-{name}-{value}")
            prop:checked=live(move || own.get() == value)
            on:change:target=move |event| {
                if event.target().checked() {
                    dialog.update(|dialog| dialog.change(|wishes| *flag(wishes) = value));
                }
            }
        />
    };
    option(input.into_any(), words)
}

fn option(input: AnyView, [label, hint]: [String; 2]) -> AnyView {
    view! {
        <label class="seal__option">
            {input}
            <span>{label}" "<span class="seal__hint">{hint}</span></span>
        </label>
    }
    .into_any()
}

/// Lines of text.
fn area(
    dialog: Dialog,
    name: &'static str,
    [label, hint, example]: [&'static str; 3],
    text: fn(&mut SealWishes) -> &mut String,
) -> AnyView {
    let id = format!("seal-{name}");
    let hint_id = format!("{id}-hint");
    let own = memo(move || dialog.with(|dialog| text(&mut dialog.wishes.clone()).clone()));
    view! {
        <div class="field seal__field">
            <label class="field__label" for=id.clone()>{label}</label>
            <textarea
                class="field__input field__input--code seal__area" id=id rows="2" spellcheck="false" autocomplete="off"
                placeholder=example aria-describedby=hint_id.clone() prop:value=live(move || own.get())
                on:input:target=move |event| {
                    let typed = event.target().value();
                    dialog.update(|dialog| dialog.change(|wishes| *text(wishes) = typed));
                }
            ></textarea>
            <span class="field__hint" id=hint_id>{hint}</span>
        </div>
    }
    .into_any()
}
