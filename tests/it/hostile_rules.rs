//! What the page about the rules asks of damaged files: the rules themselves, edits of a gate, counts of a threshold, and every
//! other page while rules are in force. Part of [`crate::hostile`].

use crate::hostile::Rng;
use evalglass::report::{GateChange, GateEdit, Target, Topic};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, ExportKind, Question, Request, Task, to_bytes};

/// Rules that somebody may put in force, with words that are none.
const RULES: [(&str, &str); 14] = [
    ("pass", ">= 0.5"),
    ("pass", "< -1e308"),
    ("pass", "= NaN"),
    ("policy", "all-cases"),
    ("policy", "as-declared"),
    ("strategy", "mean"),
    ("strategy", "min"),
    ("errors", "zero"),
    ("skipped", "left-out"),
    ("unscored", "zero"),
    ("weight:", "1e308"),
    ("weight:Core", "0"),
    ("gate", "avg_score(*) >= 0.5 and (p95(x) > 1 or weighted(a: 1e308, *: 0.1) < 0)"),
    ("gate", "min(*"),
];

/// Comparisons that a slider may try.
const THRESHOLDS: [&str; 6] = [">= 0.5", "< -1e308", "= 0", "> NaN", "", "\u{202E}≥ ½"];

/// What may be typed into a part of a gate.
const TYPED: [&str; 7] = ["0.5", "NaN", "", "accuracy", ">=", "\") or (\"", "1e999"];

/// Changes of a part of a gate.
const CHANGES: [GateChange; 11] = [
    GateChange::Begin,
    GateChange::Shape,
    GateChange::Remove,
    GateChange::Add,
    GateChange::Aggregate,
    GateChange::Threshold,
    GateChange::Op,
    GateChange::Value,
    GateChange::Metric(1),
    GateChange::Weight(0),
    GateChange::RemoveMetric(usize::MAX),
];

/// Asks all that the page about the rules of `target` asks; afterwards the declared rules are in force again.
pub fn ask_rules(core: &Core, target: Target, rng: &mut Rng) {
    let ask = |request: Request| {
        let answer = core.answer(request);
        // What is answered must also reach the page.
        to_bytes(&answer).unwrap();
        answer.ok()
    };
    let rules = |words: Vec<(String, String)>| {
        assert!(ask(Question::Rules(words).into()).is_some(), "rules are always answered");
    };
    let view = || {
        let answer = ask(Question::RulesView { target, whole: Vec::new() }.into());
        assert!(matches!(answer, Some(Answer::Rules(_))), "no page about the rules");
    };
    view();
    for _ in 0..3 {
        let chosen = (0..=rng.below(3)).map(|_| RULES[rng.below(RULES.len())]);
        rules(chosen.map(|(name, value)| (name.to_owned(), value.to_owned())).collect());
        view();
        for _ in 0..4 {
            let path = (0..rng.below(3)).map(|_| rng.below(3)).collect();
            let edit = GateEdit { path, change: CHANGES[rng.below(CHANGES.len())] };
            let value = TYPED[rng.below(TYPED.len())].to_owned();
            let answer = ask(Question::EditGate { target, edit, value }.into());
            // What comes of it is put in force, as the page does.
            if let Some(Answer::Text(gate)) = answer {
                rules(vec![("gate".to_owned(), gate)]);
            }
        }
        let rule = THRESHOLDS[rng.below(THRESHOLDS.len())].to_owned();
        let counted = ask(Question::Threshold { target, rule }.into());
        assert!(matches!(counted, Some(Answer::Threshold(_))), "a threshold is counted or refused");
        let topic = Topic::Overview(target);
        ask(Question::Sections { topic, whole: Vec::new() }.into()).expect("an overview");
        ask(Task::Export { kind: ExportKind::FlipsCsv, view: None }.into()).expect("a flip list");
    }
    rules(Vec::new());
}
