//! A small overview, invented, that shows on the start page what comes of a drop.

use super::outcome_mark;
use super::report::tally_bar;
use crate::report::Outcome;
use crate::words::ui::start as words;
use leptos::prelude::*;

/// Headline numbers.
const FIGURES: [(&str, &str); 4] = [
    (words::CASES_PASSED, "84.4 %"),
    (words::SCORE, "0.895"),
    (words::COST, "$4.82"),
    (words::AGENT_TIME, "1 h 14 m"),
];

/// A checkpoint: its score, and its cases that passed, failed and ended in an error.
type Checkpoint = (&'static str, [u64; 3]);

/// Problems with their checkpoints.
const PROBLEMS: [(&str, &[Checkpoint]); 2] = [
    (
        "orbit-planner",
        &[
            ("0.971", [23, 1, 0]),
            ("0.887", [45, 7, 0]),
            ("0.921", [63, 7, 0]),
            ("0.742", [63, 15, 9]),
        ],
    ),
    ("ledger-sync", &[("1.000", [20, 0, 0]), ("0.962", [40, 2, 0]), ("0.781", [43, 14, 0])]),
];

/// Groups of failures.
const FAILURES: [(u64, Outcome, &str); 3] = [
    (14, Outcome::Failed, "AssertionError: burn window starts ‹n› s late"),
    (10, Outcome::Failed, "stdout differs: ‹n› lines missing"),
    (9, Outcome::Error, "TimeoutExpired: command ran longer than ‹n› s"),
];

/// The overview. Nothing in it can be used, and assistive tools pass over it.
#[component]
pub fn Example() -> impl IntoView {
    let figures = FIGURES.map(|(label, value)| {
        view! { <div><span class="example__label">{label}</span><strong>{value}</strong></div> }
            .into_any()
    });
    let problems = PROBLEMS.map(|(name, checkpoints)| {
        let cells = checkpoints.iter().map(|(score, [passed, failed, errors])| {
            let parts = [(Outcome::Passed, *passed), (Outcome::Failed, *failed), (Outcome::Error, *errors)];
            let parts: Vec<_> = parts.into_iter().filter(|(_, n)| *n > 0).collect();
            let has_failed = matches!(*score, "0.887" | "0.742" | "0.781");
            let outcome = if has_failed { Outcome::Failed } else { Outcome::Passed };
            view! { <span class="example__cell"><span>{outcome_mark(outcome)}{*score}</span>{tally_bar(&parts)}</span> }
                .into_any()
        });
        view! { <div class="example__row"><strong>{name}</strong>{cells.collect_view()}</div> }.into_any()
    });
    let failures = FAILURES.map(|(n, outcome, shape)| {
        view! {
            <div class="failure"><span class="failure__n">{n}</span>{outcome_mark(outcome)}<span class="failure__shape">{shape}</span></div>
        }
        .into_any()
    });
    view! {
        <div class="example" aria-hidden="true">
            <p class="example__bar"><strong>"kestrel-max · plan-first"</strong><span>{words::EXAMPLE}</span></p>
            <div class="example__verdict">
                {outcome_mark(Outcome::Failed)}
                <p><strong>{words::EXAMPLE_VERDICT}</strong><span>{words::EXAMPLE_RULE}</span></p>
            </div>
            <div class="example__figures">{figures.collect_view()}</div>
            <div class="example__runs">{problems.collect_view()}</div>
            {failures.collect_view()}
            <div class="example__case">
                <p>{outcome_mark(Outcome::Failed)}<span>"multi_leg_low_thrust"</span></p>
                <pre><span>"  leg 2  VEN to MAR\n"</span><del>"− burn   2031-04-02T06:14:00Z\n"</del><ins>"+ burn   2031-04-02T06:15:37Z"</ins></pre>
            </div>
        </div>
    }
}
