//! Texts that a user writes: filters, gates, and YAML of settings.

use super::files;
use evalglass::input::yaml;
use evalglass::policy::{GateChange, GateEdit, GateForm, SHAPES, gate_text, parse_gate};
use evalglass::report::filter::{About, Filter, suggest};
use evalglass::report::{CaseQuery, Target};
use evalglass::worker::core::Core;

/// Rows of cases with every kind of field.
const CASES: &str = concat!(
    "{\"id\": \"a\", \"score\": 0.5, \"passed\": true, \"model\": \"m-1\", \"group\": \"x\", \"cost_usd\": 0.25, \"duration_s\": 3}\n",
    "{\"id\": \"b\\u00e9 \\\"q\\\"\", \"score\": null, \"passed\": false, \"model\": \"m-2\", \"group\": \"\", \"error\": \"timeout: <b>\"}\n",
    "{\"id\": \"c\", \"score\": 1e300, \"passed\": true, \"model\": \"m-1\", \"group\": \"y z\", \"tokens\": 12000}\n",
);

thread_local! {
    static CORE: Core = files::core_of(vec![files::file("cases.jsonl", CASES.as_bytes())]).0;
}

/// Filters: written and read again, mended, suggested, put on cases.
pub fn filter(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    for about in [About::Cases, About::Pairs { sides: ['A', 'B'] }] {
        match Filter::read(text, about) {
            Ok(filter) => {
                let written = filter.to_string();
                // A longer text than is read may come of it: quotes and signs are written in full.
                if written.len() <= 10_000 {
                    let again = Filter::read(&written, about);
                    assert_eq!(again.as_ref(), Ok(&filter), "{written:?} reads otherwise");
                }
            }
            Err(err) => {
                let [before, wrong, after] = err.split(text);
                assert_eq!([before, wrong, after].concat(), text, "an error at no place");
                if let Some(mended) = err.mended(text) {
                    assert_ne!(mended, text, "a suggestion that changes nothing");
                }
            }
        }
    }
    CORE.with(|core| {
        let query = CaseQuery { filter: text.to_owned(), limit: 5, ..CaseQuery::default() };
        let _ = core.cases(&query);
        core.with_workspace(|workspace| {
            for at in [0, text.len() / 2, text.len()] {
                let suggestions = suggest(workspace, Target::All, text, at);
                for one in suggestions.items {
                    assert!(one.text.is_char_boundary(one.at), "a suggestion within a character");
                }
            }
        });
    });
}

/// Gates: written and read again, and every change of them.
pub fn gate(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let (text, value) = text.split_once('\n').unwrap_or((text, "0.5"));
    let Ok(rule) = parse_gate(text) else { return };
    let written = gate_text(&rule);
    let again = parse_gate(&written).unwrap_or_else(|err| panic!("{written:?}: {err}"));
    assert_eq!(gate_text(&again), written, "written, read and written again");
    let Some(form) = GateForm::of(&rule) else { panic!("{written:?} has no form") };
    let metrics = ["accuracy".to_owned(), "a \"b\"".to_owned()];
    let changes = [
        GateChange::Begin,
        GateChange::Shape,
        GateChange::Remove,
        GateChange::Add,
        GateChange::Aggregate,
        GateChange::Threshold,
        GateChange::Op,
        GateChange::Value,
        GateChange::Metric(0),
        GateChange::Weight(0),
        GateChange::RemoveMetric(0),
    ];
    for change in changes {
        for path in [vec![], vec![0], vec![1, 0]] {
            for value in [value, SHAPES[value.len() % SHAPES.len()]] {
                let edit = GateEdit { path: path.clone(), change };
                if let Some(changed) = edit.apply(form.clone(), value, &metrics) {
                    let _ = parse_gate(&changed.text());
                }
            }
        }
    }
    CORE.with(|core| {
        use evalglass::worker::protocol::Question;
        let rules = vec![("gate".to_owned(), text.to_owned())];
        assert!(core.answer(Question::Rules(rules)).is_ok(), "rules are always answered");
    });
}

/// YAML of settings.
pub fn yaml(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let keys = yaml::top_keys(text);
    match yaml::parse(text) {
        Ok(value) => assert!(serde_json::to_string(&value).is_ok(), "it cannot be written as JSON"),
        Err(err) => assert!(err.byte <= text.len() as u64, "an error behind the end"),
    }
    std::hint::black_box(keys);
}
