//! Three sides or more in order.

use super::tables::table;
use super::{card, token};
use crate::render::compare::{RankShown, RanksShown};
use crate::ui::components::Ends;
use crate::ui::components::reading::opened;
use crate::ui::state::{Panel, ask, live, memo, shown, use_store};
use crate::words::ui::compare as words;
use crate::worker::protocol::{Answer, CompareAnswer, CompareQuestion, Question};
use leptos::prelude::*;

/// The ranking; nothing of fewer than three sides.
#[component]
pub fn CompareRanks() -> impl IntoView {
    let store = use_store();
    let has_three = memo(move || store.route.with(|route| route.compare.sides.len() > 2));
    shown(move || has_three.get(), || view! { <Ranks/> }.into_any())
}

#[component]
fn Ranks() -> impl IntoView {
    let store = use_store();
    let view = memo(move || store.route.with(|route| route.compare.unfiltered()));
    let panel = ask(
        store,
        move || Question::Compare(CompareQuestion::Ranks(view.get())),
        |answer| match answer {
            Answer::Compare(CompareAnswer::Ranks(ranks)) => Ok(ranks),
            _ => Err(String::new()),
        },
    );
    let is_open = RwSignal::new(false);
    live(move || match panel.get() {
        Panel::Data(ranks) => ranks.as_ref().as_ref().map(|ranks| drawn(ranks, is_open)),
        _ => None,
    })
}

fn drawn(shown: &RanksShown, is_open: RwSignal<bool>) -> AnyView {
    let heads = words::RANK_HEADS.map(|head| view! { <th scope="col">{head}</th> }.into_any());
    let rows = shown.lines.iter().map(|line| {
        let RankShown { letter, label, value, interval, letters, first: (chance, width), chances } =
            line.clone();
        view! {
            <tr>
                <th scope="row"><span class="rank__side">{token(&letter)}<span class="rank__name"><Ends name=label/></span></span></th>
                <td class="rank__value"><b>{value}</b>" "<span class="is-faint">{interval}</span></td>
                <td><span class="rank__chance"><span class="rank__bar" aria-hidden="true"><span style:width=width></span></span>{chance}</span></td>
                <td class="is-faint">{chances}</td>
                <td>{letters}</td>
            </tr>
        }
        .into_any()
    });
    let body = view! {
        <div class="words-table__scroll" role="group" aria-label=words::RANKING tabindex="0">
            <table class="words-table">
                <thead><tr>{heads.collect_view()}</tr></thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
        {opened("fold compare__fold", is_open, words::EVERY_TWO.into_any(), table(&shown.matrix, words::EVERY_TWO))}
    }
    .into_any();
    card("card", "ranking", words::RANKING.to_owned(), shown.lead.clone(), None, body)
}
