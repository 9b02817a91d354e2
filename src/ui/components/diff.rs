//! A unified diff, line by line.

use crate::ui::diff_text::{self, DiffKind};
use crate::ui::excerpt;
use crate::ui::state::live;
use leptos::prelude::*;

/// Expected against actual; `-` is expected, `+` is actual.
#[component]
pub fn DiffView(
    /// The diff as text.
    diff: String,
) -> impl IntoView {
    let is_whole = RwSignal::new(diff.len() <= excerpt::FIRST_BYTES);
    let n_bytes = diff.len();
    let lines = move || {
        let limit = if is_whole.get() { usize::MAX } else { excerpt::FIRST_BYTES };
        diff_text::lines(excerpt::first_part(&diff, limit))
            .map(|line| {
                let (class, sign, word) = match line.kind {
                    DiffKind::Same => ("diff__line", " ", ""),
                    DiffKind::Removed => ("diff__line diff__line--removed", "−", "expected: "),
                    DiffKind::Added => ("diff__line diff__line--added", "+", "actual: "),
                    DiffKind::Hunk => ("diff__line diff__line--hunk", " ", ""),
                };
                view! {
                    <div class=class>
                        <span class="diff__sign" aria-hidden="true">{sign}</span>
                        <span class="visually-hidden">{word}</span>
                        <span class="diff__text">{line.text.to_owned()}</span>
                    </div>
                }
                .into_any()
            })
            .collect_view()
    };
    view! {
        <div class="diff" role="group" aria-label="Difference between expected and actual" tabindex="0">
            {live(lines)}
        </div>
        {super::block::show_all(is_whole, n_bytes)}
    }
}
