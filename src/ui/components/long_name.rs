//! A name whose last part is never cut off.

use crate::render::told_apart;
use leptos::prelude::*;

/// `name`, shortened in the middle where it has no room: what tells it from its neighbours stands at
/// the end, behind the last `/` or `·`.
#[component]
pub fn Ends(
    /// The name.
    name: String,
) -> impl IntoView {
    let cut = ["/", "·"].into_iter().filter_map(|sign| name.rfind(sign)).max();
    let (head, tail) = cut.and_then(|cut| name.split_at_checked(cut)).unwrap_or((&name, ""));
    view! {
        <span class="ends" title=name.clone()>
            <span class="ends__head">{head.to_owned()}</span>
            <span class="ends__tail">{tail.to_owned()}</span>
        </span>
    }
}

/// `name` where there is room below it: what tells it from others ([`told_apart`]) stands on a line of its own.
#[component]
pub fn Lines(
    /// The name.
    name: String,
) -> impl IntoView {
    let Some((own, added)) = told_apart(&name) else {
        return view! { <Ends name=name/> }.into_any();
    };
    let (own, added) = (own.to_owned(), added.to_owned());
    view! {
        <span class="lines">
            <span class="lines__own" title=name.clone()>{own}</span>
            <Ends name=added/>
        </span>
    }
    .into_any()
}
