//! How the columns of a table are read.

use crate::ui::components::{PanelStays, columns_page};
use crate::ui::state::{ask, memo, use_store};
use crate::words::ui::shell as words;
use crate::worker::protocol::{Answer, Question};
use leptos::prelude::*;

/// The page about the table of the evaluation that the address names.
#[component]
pub fn ColumnsPage() -> impl IntoView {
    let store = use_store();
    let target = memo(move || store.route.with(|route| route.target));
    let panel = ask(
        store,
        move || Question::Columns(target.get()),
        |answer| match answer {
            Answer::Columns(shown) => Ok(*shown),
            _ => Err(words::OTHER_ANSWER.to_owned()),
        },
    );
    view! { <PanelStays panel what=words::THE_COLUMNS draw=columns_page/> }
}
