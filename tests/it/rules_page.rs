//! The page about the rules as the worker draws it: controls are those of the data, and every control
//! of the gate leads to the gate that it says.

use crate::markup::assert_well_formed;
use crate::reading::crawl::{attribute, tags, text};
use crate::support::{core_of, file, fixture_files};
use evalglass::address::Page;
use evalglass::markup::Markup;
use evalglass::policy::{GateForm, parse_gate};
use evalglass::render::{Drawing, View, rules_page};
use evalglass::report::{Control, GateView, RulesView, Target};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, Failure, Question};
use std::collections::{BTreeSet, VecDeque};

const FOLDERS: [&str; 7] = [
    "slop-code/g1",
    "slop-code/g2",
    "letta-evals/0.9.0_weighted",
    "letta-evals/0.15.0_logical_multirun",
    "letta-evals/0.26.0_reward_multirun",
    "rebel/basic",
    "rebel/edge",
];

const HOSTILE: [&str; 6] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' autofocus onfocus='alert(1)",
    "</option></select><b>",
    "&lt;b&gt; &amp; &#60;",
    "\u{202E}x; y: 1) >= 0 or \\\"",
];

fn put(core: &Core, words: &[(&str, &str)]) {
    let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let answer = core.answer(Question::Rules(words.iter().map(own).collect()));
    assert!(matches!(answer, Ok(Answer::Workspace(_))), "rules are always answered");
}

fn page(core: &Core) -> Markup {
    match core.answer(Question::RulesView { target: Target::All, whole: Vec::new() }) {
        Ok(Answer::Markup(markup)) => markup,
        other => panic!("the page is drawn: {other:?}"),
    }
}

fn edit(core: &Core, edit: &str, value: &str) -> Result<String, Failure> {
    let (edit, value) = (edit.to_owned(), value.to_owned());
    match core.answer(Question::EditGate { target: Target::All, edit, value })? {
        Answer::Text(text) => Ok(text),
        other => panic!("the answer is a text: {other:?}"),
    }
}

/// A control as it stands in the markup.
#[derive(Debug, PartialEq)]
struct Drawn {
    /// `input`, `select` or `button`.
    element: String,
    /// What is in `data-rule` or `data-gate`.
    word: String,
    value: String,
    options: Vec<(String, String)>,
}

/// Every control with the attribute `kind`, in order. Fails when an id is given twice, a field has no
/// name, or a choice has not exactly one chosen value.
fn controls(markup: &Markup, kind: &str) -> Vec<Drawn> {
    let mut ids = BTreeSet::new();
    let labels: BTreeSet<&str> = tags(markup)
        .filter_map(|tag| tag.strip_prefix("label"))
        .filter_map(|tag| attribute(tag, "for"))
        .collect();
    let mut found = Vec::new();
    let mut rest = markup.as_str();
    while let Some((_, after)) = rest.split_once('<') {
        let (tag, body) = after.split_once('>').unwrap();
        rest = body;
        if let Some(id) = attribute(tag, "id") {
            assert!(ids.insert(id), "the id {id} is given twice");
        }
        let Some(word) = attribute(tag, kind) else { continue };
        let id = attribute(tag, "id").expect("every control has an id");
        let element = tag.split(' ').next().unwrap().to_owned();
        let is_named = labels.contains(id) || attribute(tag, "aria-label").is_some();
        assert!(is_named || element == "button", "<{tag}> has no name");
        let mut drawn = Drawn {
            element,
            word: text(word),
            value: text(attribute(tag, "value").unwrap_or_default()),
            options: Vec::new(),
        };
        if drawn.element == "select" {
            let list = body.split_once("</select>").unwrap().0;
            let mut chosen = Vec::new();
            for option in list.split("<option").skip(1) {
                let (tag, words) = option.split_once('>').unwrap();
                let value = text(attribute(tag, "value").unwrap());
                if attribute(tag, "selected").is_some() {
                    chosen.push(value.clone());
                }
                drawn.options.push((value, text(words.strip_suffix("</option>").unwrap())));
            }
            assert_eq!(chosen.len(), 1, "<{tag}> has one chosen value");
            drawn.value = chosen.remove(0);
        }
        found.push(drawn);
    }
    found
}

/// What is drawn for `control`.
fn expected(control: &Control) -> Drawn {
    let element = if control.options.is_empty() { "input" } else { "select" };
    Drawn {
        element: element.to_owned(),
        word: control.name.clone(),
        value: control.value.clone(),
        options: control.options.clone(),
    }
}

#[test]
fn every_control_is_drawn_with_its_values() {
    for folder in FOLDERS {
        let core = core_of(fixture_files(folder));
        for words in [
            &[][..],
            &[("policy", "all-cases"), ("strategy", "max"), ("pass", ">= 0.50")],
            &[("errors", "zero"), ("skipped", "left-out"), ("unscored", "zero")],
            &[("gate", "min(*"), ("pass", "<half>"), ("weight:Core", "-1")],
        ] {
            put(&core, words);
            let view = core.rules_view(Target::All).unwrap();
            let markup = page(&core);
            assert_well_formed(&markup);
            let mut wanted: Vec<Drawn> =
                view.controls.iter().chain(&view.weights).map(expected).collect();
            let gate = words.iter().find(|(name, _)| *name == "gate");
            wanted.push(Drawn {
                element: "input".to_owned(),
                word: "gate".to_owned(),
                value: gate.map_or(String::new(), |(_, text)| (*text).to_owned()),
                options: Vec::new(),
            });
            assert_eq!(controls(&markup, "data-rule"), wanted, "{folder} {words:?}");
            for control in view.controls.iter().chain(&view.weights) {
                let shown = text(markup.as_str());
                assert!(shown.contains(&control.result), "{folder}: {}", control.result);
                assert!(shown.contains(&control.label), "{folder}: {}", control.label);
            }
        }
    }
}

#[test]
fn what_was_typed_stands_in_its_field_understood_or_not() {
    let core = core_of(fixture_files("slop-code/g1"));
    let weight = core.rules_view(Target::All).unwrap().weights.remove(0).name;
    put(&core, &[(&weight, "-1"), ("pass", "half"), ("gate", "min(* <")]);
    let of = |rule: &str| {
        let found = controls(&page(&core), "data-rule").into_iter().find(|one| one.word == rule);
        found.unwrap().value
    };
    assert_eq!([of(&weight), of("pass"), of("gate")], ["-1", "half", "min(* <"]);
    put(&core, &[(&weight, "0.50"), ("pass", ">= 0.5")]);
    assert_eq!([of(&weight), of("pass"), of("gate")], ["0.50", ">= 0.5", ""]);
    // The rules stay when everything is forgotten, and so does what was typed.
    assert!(core.answer(Question::Clear).is_ok());
    assert!(core.answer(Question::Restore).is_ok());
    assert_eq!(of("pass"), ">= 0.5");
    put(&core, &[]);
    assert_eq!([of(&weight), of("pass")], ["", ""]);
}

fn control(name: &str, options: &[&str]) -> Control {
    Control {
        name: name.to_owned(),
        label: name.to_owned(),
        hint: name.to_owned(),
        value: options.first().copied().unwrap_or(name).to_owned(),
        options: options.iter().map(|one| ((*one).to_owned(), (*one).to_owned())).collect(),
        result: name.to_owned(),
    }
}

#[test]
fn hostile_names_stay_text() {
    let names: Vec<String> = HOSTILE.iter().map(|name| (*name).to_owned()).collect();
    let weighed = names
        .iter()
        .map(|name| format!("\"{}\": 1", name.replace('\\', "\\\\").replace('"', "\\\"")));
    let gate = format!("weighted min({}) >= 0", weighed.collect::<Vec<_>>().join("; "));
    let view = RulesView {
        facts: names.clone(),
        controls: vec![control(HOSTILE[0], &HOSTILE), control(HOSTILE[1], &[])],
        weights: names.iter().map(|name| control(&format!("weight:{name}"), &[])).collect(),
        gate: GateView {
            text: gate.clone(),
            form: GateForm::of(&parse_gate(&gate).unwrap()),
            metrics: names.clone(),
            lines: Vec::new(),
            unfit: names.clone(),
        },
        sections: Vec::new(),
    };
    let seen = View { page: Page::Rules, ..View::default() };
    let markup = rules_page(&view, &Drawing { view: seen, whole: &[], is_file: false });
    assert_well_formed(&markup);
    let rules = controls(&markup, "data-rule");
    let wanted: Vec<Drawn> = view.controls.iter().chain(&view.weights).map(expected).collect();
    assert_eq!(rules[..wanted.len()], wanted);
    assert_eq!(rules.last().unwrap().value, gate);
    let metrics = controls(&markup, "data-gate");
    let metrics: Vec<&Drawn> =
        metrics.iter().filter(|one| one.word.starts_with(":metric-")).collect();
    assert_eq!(metrics.len(), HOSTILE.len());
    for (metric, name) in metrics.iter().zip(HOSTILE) {
        assert_eq!(metric.value, name);
        assert_eq!(metric.options.len(), HOSTILE.len(), "weighted means have no own score");
    }
}

#[test]
fn groups_that_differ_in_punctuation_alone_have_fields_of_their_own() {
    let view = RulesView {
        facts: Vec::new(),
        controls: Vec::new(),
        weights: ["a b", "a-b", "ä", "ö"].map(|name| control(name, &[])).into(),
        gate: GateView::default(),
        sections: Vec::new(),
    };
    let markup = rules_page(&view, &Drawing::default());
    assert_eq!(controls(&markup, "data-rule").len(), 5);
}

#[test]
fn many_weights_are_folded() {
    let fold = |n: usize| {
        let view = RulesView {
            facts: Vec::new(),
            controls: Vec::new(),
            weights: (0..n).map(|nth| control(&format!("weight:{nth}"), &[])).collect(),
            gate: GateView::default(),
            sections: Vec::new(),
        };
        let markup = rules_page(&view, &Drawing::default());
        let tag = tags(&markup).find(|tag| tag.starts_with("details")).map(str::to_owned);
        tag.map(|tag| {
            (attribute(&tag, "id").unwrap().to_owned(), attribute(&tag, "open").is_some())
        })
    };
    assert_eq!(fold(0), None);
    let (few, many) = (fold(12).unwrap(), fold(13).unwrap());
    assert!(few.1 && !many.1);
    assert_ne!(few.0, many.0, "the page keeps a fold of the same id as it is");
}

/// A gate is made and taken apart through what is drawn alone, as far as a few steps lead.
#[test]
fn every_control_of_the_gate_leads_to_a_gate() {
    for folder in
        ["letta-evals/0.9.0_weighted", "letta-evals/0.15.0_logical_multirun", "rebel/edge"]
    {
        let core = core_of(fixture_files(folder));
        let metrics = core.rules_view(Target::All).unwrap().gate.metrics;
        let mut open = VecDeque::from([String::new()]);
        let mut known = BTreeSet::new();
        let mut words = BTreeSet::new();
        while let Some(gate) = open.pop_front().filter(|_| known.len() < 60) {
            put(&core, &[("gate", &gate)]);
            let markup = page(&core);
            assert_well_formed(&markup);
            let form = parse_gate(&gate).ok().and_then(|rule| GateForm::of(&rule));
            let drawn = controls(&markup, "data-gate");
            for control in &drawn {
                words.insert(control.word.trim_start_matches(|c: char| c != ':').to_owned());
                let last = control.options.last().map(|(value, _)| value.as_str());
                let value = last.unwrap_or(if control.element == "input" { " 0.25 " } else { "" });
                let found = edit(&core, &control.word, value).expect("what is drawn can be used");
                let pure = evalglass::report::GateEdit::parse(&control.word).unwrap();
                match &form {
                    None => assert_eq!(control.word, ":begin", "{folder}: {gate}"),
                    Some(form) => {
                        let after = pure.apply(form.clone(), value, &metrics);
                        assert_eq!(found, after.map_or(String::new(), |form| form.text()));
                    }
                }
                let is_own_weighed = metrics.is_empty() && found.contains("weighted");
                if !found.is_empty() && !is_own_weighed {
                    let read = parse_gate(&found).unwrap_or_else(|err| panic!("{found}: {err}"));
                    let again = GateForm::of(&read).unwrap().text();
                    assert_eq!(parse_gate(&again), Ok(read), "{folder}: {found}");
                    if known.insert(found.clone()) {
                        open.push_back(found);
                    }
                }
            }
            assert!(!drawn.is_empty(), "{folder}: {gate}");
        }
        assert!(known.len() > 20, "{folder}: {} gates", known.len());
        assert!(words.len() >= 8, "{folder}: {words:?}");
    }
}

#[test]
fn a_gate_is_built_as_the_reader_builds_it() {
    let core = core_of(fixture_files("rebel/basic"));
    let mut gate = String::new();
    for (word, value, expected) in [
        (":begin", "", "avg_score(*) >= 0.8"),
        (":shape", "any of", "avg_score(*) >= 0.8 or avg_score(*) >= 0.8"),
        ("1:aggregate", "accuracy", "avg_score(*) >= 0.8 or accuracy(*, 1) >= 0.8"),
        ("1:value", "50", "avg_score(*) >= 0.8 or accuracy(*, 1) >= 50"),
        (":add", "", "avg_score(*) >= 0.8 or accuracy(*, 1) >= 50 or avg_score(*) >= 0.8"),
        ("0:remove", "", "accuracy(*, 1) >= 50 or avg_score(*) >= 0.8"),
        ("1:remove", "", "accuracy(*, 1) >= 50"),
        // Of one part there is no "any of" any more.
        ("0:value", "5", "accuracy(*, 1) >= 50"),
        (":remove", "", ""),
    ] {
        put(&core, &[("gate", &gate)]);
        gate = edit(&core, word, value).unwrap();
        assert_eq!(gate, expected, "{word} {value}");
    }
}

#[test]
fn the_gate_of_the_files_is_where_one_begins() {
    let core = core_of(fixture_files("letta-evals/0.15.0_logical_multirun"));
    let text = edit(&core, ":begin", "").unwrap();
    assert_ne!(text, "avg_score(*) >= 0.8");
    put(&core, &[("gate", &text)]);
    let parts = controls(&page(&core), "data-gate");
    let n_shapes = parts.iter().filter(|one| one.word.ends_with(":shape")).count();
    assert!(n_shapes > 2, "a logical rule and its parts: {text}");
}

#[test]
fn an_edit_of_nothing_has_no_answer() {
    let core = core_of(vec![file("a.txt", "nothing")]);
    assert_eq!(edit(&core, ":op", "<"), Err(Failure::Gone), "there is no gate");
    assert_eq!(edit(&core, "op", "<"), Err(Failure::Gone), "this is no edit");
    assert_eq!(edit(&core, ":begin", "").as_deref(), Ok("avg_score(*) >= 0.8"));
    let request = |edit: &str| Question::EditGate {
        target: Target::Evaluation(9),
        edit: edit.to_owned(),
        value: String::new(),
    };
    assert_eq!(core.answer(request(":begin")), Err(Failure::Gone), "there is no such evaluation");
}
