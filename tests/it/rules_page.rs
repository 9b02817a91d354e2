//! The page about the rules as the worker sends it: every control holds a value that it can have, and every
//! control of the gate leads to the gate that it says.

use crate::support::{core_of, file, fixture_files};
use evalglass::address::Page;
use evalglass::figures::Settings;
use evalglass::policy::{GateForm, parse_gate};
use evalglass::render::View;
use evalglass::report::{
    Control, GateChange, GateControl, GateControlKind, GateEdit, GateView, OWN_SCORE, RulesView,
    SHAPES, Target, gate_part,
};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, Failure, Question, RulesShown, from_bytes, to_bytes};
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

/// The page as it arrives.
fn page(core: &Core) -> RulesShown {
    let question = Question::RulesView { target: Target::All, whole: Vec::new() };
    let answer = to_bytes(&core.answer(question)).expect("an answer can be sent");
    match from_bytes::<Result<Answer, Failure>>(&answer).expect("and read") {
        Ok(Answer::Rules(shown)) => *shown,
        other => panic!("the page is sent: {other:?}"),
    }
}

fn edit(core: &Core, edit: &GateEdit, value: &str) -> Result<String, Failure> {
    let (edit, value) = (edit.clone(), value.to_owned());
    match core.answer(Question::EditGate { target: Target::All, edit, value })? {
        Answer::Text(text) => Ok(text),
        other => panic!("the answer is a text: {other:?}"),
    }
}

/// The control of the gate whose edit goes by this word.
fn drawn(core: &Core, word: &str) -> GateControl {
    let all = page(core).rules.gate.controls();
    let found = all.into_iter().find(|control| control.edit.word() == word);
    found.unwrap_or_else(|| panic!("there is no control for {word}"))
}

/// Every rule that can be set has a name and an id of its own; what is chosen is one of the options.
fn assert_sound(rules: &RulesView) {
    let all = || rules.controls.iter().chain(&rules.weights);
    let ids = rules.field_ids();
    assert_eq!(ids.len(), all().count());
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "an id is given twice");
    for control in all() {
        assert!(!control.label.is_empty() && !control.hint.is_empty(), "{control:?}");
        if !control.options.is_empty() {
            let chosen = control.options.iter().filter(|(value, _)| *value == control.value);
            assert_eq!(chosen.count(), 1, "{control:?} has one chosen value");
        }
    }
    let mut words = BTreeSet::new();
    for control in rules.gate.controls() {
        assert!(words.insert(control.edit.word()), "{control:?} is given twice");
        assert!(!control.label.is_empty(), "{control:?} has no name");
        if let GateControlKind::Choice(options) = &control.kind {
            let chosen = options.iter().filter(|one| **one == control.value);
            assert_eq!(chosen.count(), 1, "{control:?} has one chosen value");
        }
    }
}

#[test]
fn every_control_is_sent_with_its_values() {
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
            let shown = page(&core);
            assert_sound(&shown.rules);
            assert_eq!(shown.rules.controls, view.controls, "{folder} {words:?}");
            assert_eq!(shown.rules.weights, view.weights, "{folder} {words:?}");
            assert_eq!(shown.page.page.facts, view.facts);
            let titles = |sections: &[evalglass::report::Section]| {
                sections.iter().map(|one| one.title.clone()).collect::<Vec<_>>()
            };
            assert_eq!(titles(&shown.page.page.sections), titles(&view.sections));
            let gate = words.iter().find(|(name, _)| *name == "gate");
            assert_eq!(shown.rules.gate.text, gate.map_or("", |(_, text)| *text));
            for (name, value) in words {
                let all = shown.rules.controls.iter().chain(&shown.rules.weights);
                for control in all.filter(|control| control.name == *name) {
                    let reason = Settings::complaint(name, value).unwrap_or_default();
                    assert_eq!((control.value.as_str(), &control.error), (*value, &reason));
                }
            }
            assert_eq!(shown.addresses.len(), shown.rules.changes.first.len());
            assert!(shown.addresses.iter().all(|address| address.starts_with("#/")));
        }
    }
}

#[test]
fn what_was_typed_stands_in_its_field_understood_or_not() {
    let core = core_of(fixture_files("slop-code/g1"));
    let weight = core.rules_view(Target::All).unwrap().weights.remove(0).name;
    put(&core, &[(&weight, "-1"), ("pass", "half"), ("gate", "min(* <")]);
    let control = |rule: &str| {
        let RulesView { controls, weights, .. } = page(&core).rules;
        controls.into_iter().chain(weights).find(|one| one.name == rule).unwrap()
    };
    let of = |rule: &str| match rule {
        "gate" => page(&core).rules.gate.text,
        rule => control(rule).value,
    };
    assert_eq!([of(&weight), of("pass"), of("gate")], ["-1", "half", "min(* <"]);
    // And says why it is not understood, in its place.
    assert_eq!(control(&weight).error, "expected a weight of 0 or more");
    assert_eq!(control("pass").error, "expected a comparison like >= 0.8");
    assert_eq!(page(&core).rules.gate.error, "expected ) at character 7");
    put(&core, &[(&weight, "0.50"), ("pass", ">= 0.5")]);
    assert_eq!([of(&weight), of("pass"), of("gate")], ["0.50", ">= 0.5", ""]);
    assert_eq!([control(&weight).error, page(&core).rules.gate.error], ["", ""]);
    // The rules stay when everything is forgotten, and so does what was typed.
    assert!(core.answer(Question::Clear).is_ok());
    assert!(core.answer(Question::Restore).is_ok());
    assert_eq!(of("pass"), ">= 0.5");
    put(&core, &[]);
    assert_eq!([of(&weight), of("pass")], ["", ""]);
}

#[test]
fn a_weight_shows_what_is_in_force() {
    let core = core_of(fixture_files("slop-code/g1"));
    let weight = || page(&core).rules.weights.remove(0);
    assert_eq!((weight().shown(), weight().value.as_str()), ("1", ""));
    let name = weight().name;
    put(&core, &[(&name, "0.25")]);
    assert_eq!(weight().shown(), "0.25");
    // What holds anyway is no rule of its own.
    assert_eq!(weight().set_by(" 1 "), "");
    assert_eq!(weight().set_by(" 2 "), "2");
    assert_eq!(weight().set_by(""), "");
}

#[test]
fn what_changes_is_counted_and_named() {
    for folder in FOLDERS {
        let core = core_of(fixture_files(folder));
        put(&core, &[]);
        let changes = page(&core).rules.changes;
        assert_eq!((changes.n_all(), changes.first.len()), (0, 0), "{folder}");
        assert!(!changes.nothing.is_empty() && changes.rules.is_empty());
        put(&core, &[("pass", "> 2"), ("policy", "all-cases")]);
        let Ok(Answer::Workspace(tree)) = core.answer(Question::Look(Default::default())) else {
            panic!("there is always a tree")
        };
        let RulesShown { rules, command, page: tables, .. } = page(&core);
        let changes = rules.changes;
        assert_eq!(
            [changes.n_verdicts, changes.n_groups, changes.n_cases],
            [tree.rules.n_verdicts, tree.rules.n_groups, tree.rules.n_cases],
            "{folder}: the page counts as the strip does"
        );
        assert_eq!(changes.rules, tree.rules.changes);
        assert_eq!(changes.first.len() as u64, changes.n_all().min(8), "{folder}");
        assert!(changes.first.iter().all(|change| change.from != change.to));
        let has_all = tables.page.sections.iter().any(|section| section.title == "All changes");
        assert_eq!(has_all, changes.n_all() > 0, "{folder}");
        assert!(command.contains("--rule 'pass=> 2' --rule policy=all-cases "), "{command}");
    }
}

/// The count beside the slider is what comes of the rule once it is in force.
#[test]
fn a_threshold_counts_what_would_pass() {
    for folder in FOLDERS {
        for before in
            [&[][..], &[("pass", "< 0.5")], &[("strategy", "max"), ("policy", "any-case")]]
        {
            let core = core_of(fixture_files(folder));
            put(&core, before);
            let others: Vec<_> =
                before.iter().filter(|(name, _)| *name != "pass").copied().collect();
            for rule in [">= 0.5", "> 0.99", "<= 0", "= 1"] {
                put(&core, before);
                let target = Target::All;
                let question = Question::Threshold { target, rule: rule.to_owned() };
                let Ok(Answer::Threshold(Ok(found))) = core.answer(question) else {
                    panic!("{folder}: a count")
                };
                put(&core, &[others.as_slice(), &[("pass", rule)]].concat());
                let rules = page(&core).rules;
                let result = |name: &str| {
                    let found = rules.controls.iter().find(|control| control.name == name);
                    found.map(|control| control.result.replace(',', ""))
                };
                let cases = format!("{} of {} cases pass", found.n_passed, found.n_cases);
                assert_eq!(result("pass"), Some(cases), "{folder} {before:?} {rule}");
                let n_passed = result("policy").map(|words| {
                    words.split(' ').next().and_then(|n| n.parse::<u64>().ok()).unwrap()
                });
                assert_eq!(
                    n_passed.unwrap_or(0),
                    found.n_runs_passed,
                    "{folder} {before:?} {rule}"
                );
            }
        }
    }
    let core = core_of(fixture_files("rebel/basic"));
    let ask =
        |target, rule: &str| core.answer(Question::Threshold { target, rule: rule.to_owned() });
    assert!(matches!(ask(Target::All, "half"), Ok(Answer::Threshold(Err(_)))));
    assert_eq!(ask(Target::Evaluation(9), "1"), Err(Failure::Gone));
}

fn control(name: &str, options: &[&str]) -> Control {
    Control {
        name: name.to_owned(),
        label: name.to_owned(),
        hint: name.to_owned(),
        value: options.first().copied().unwrap_or(name).to_owned(),
        options: options.iter().map(|one| ((*one).to_owned(), (*one).to_owned())).collect(),
        result: name.to_owned(),
        ..Control::default()
    }
}

#[test]
fn hostile_names_stay_text() {
    let names: Vec<String> = HOSTILE.iter().map(|name| (*name).to_owned()).collect();
    let weighed = names
        .iter()
        .map(|name| format!("\"{}\": 1", name.replace('\\', "\\\\").replace('"', "\\\"")));
    let gate = format!("weighted min({}) >= 0", weighed.collect::<Vec<_>>().join("; "));
    let form = GateForm::of(&parse_gate(&gate).unwrap()).unwrap();
    let view = RulesView {
        facts: names.clone(),
        controls: vec![control(HOSTILE[0], &HOSTILE), control(HOSTILE[1], &[])],
        weights: names.iter().map(|name| control(&format!("weight:{name}"), &[])).collect(),
        gate: GateView {
            text: gate.clone(),
            root: Some(gate_part(&form, &names, &[])),
            metrics: names.clone(),
            unfit: names.clone(),
            ..GateView::default()
        },
        ..RulesView::default()
    };
    assert_sound(&view);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    assert!(view.field_ids().iter().all(|id| id.chars().all(is_plain)), "ids are plain words");
    let seen = View { page: Page::Rules, ..View::default() };
    let shown = RulesShown::new(view.clone(), String::new(), seen, &[]);
    assert_eq!(shown.rules.controls, view.controls);
    assert_eq!(shown.rules.weights, view.weights);
    assert_eq!(shown.rules.gate.text, gate);
    assert_eq!(shown.page.page.facts, names);
    let all = shown.rules.gate.controls();
    let metrics = all.iter().filter(|one| matches!(one.edit.change, GateChange::Metric(_)));
    let metrics: Vec<&GateControl> = metrics.collect();
    assert_eq!(metrics.len(), HOSTILE.len());
    for (metric, name) in metrics.iter().zip(HOSTILE) {
        assert_eq!(metric.value, name);
        let GateControlKind::Choice(options) = &metric.kind else { panic!("metrics are chosen") };
        assert_eq!(options.len(), HOSTILE.len(), "weighted means have no own score");
        assert!(!options.iter().any(|one| one == OWN_SCORE));
    }
}

#[test]
fn groups_that_differ_in_punctuation_alone_have_fields_of_their_own() {
    let view = RulesView {
        weights: ["a b", "a-b", "ä", "ö"].map(|name| control(name, &[])).into(),
        ..RulesView::default()
    };
    assert_eq!(view.field_ids(), ["rule-a-b", "rule-a-b_", "rule--", "rule--_"]);
}

#[test]
fn many_weights_are_folded() {
    let shows = |n: usize| {
        let weights = (0..n).map(|nth| control(&format!("weight:{nth}"), &[])).collect();
        RulesView { weights, ..RulesView::default() }.shows_weights()
    };
    assert!(shows(12) && !shows(13));
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
            let rules = page(&core).rules;
            assert_sound(&rules);
            let form = parse_gate(&gate).ok().and_then(|rule| GateForm::of(&rule));
            let drawn = rules.gate.controls();
            for control in &drawn {
                words.insert(control.edit.change.word());
                let value = match &control.kind {
                    GateControlKind::Choice(options) => options.last().map_or("", String::as_str),
                    GateControlKind::Number => " 0.25 ",
                    GateControlKind::Button => "",
                };
                let found = edit(&core, &control.edit, value).expect("what is drawn can be used");
                match &form {
                    None => assert_eq!(control.edit.word(), ":begin", "{folder}: {gate}"),
                    Some(form) => {
                        let after = control.edit.apply(form.clone(), value, &metrics);
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
        (":value", "5", "accuracy(*, 1) >= 5"),
        (":remove", "", ""),
    ] {
        put(&core, &[("gate", &gate)]);
        gate = edit(&core, &drawn(&core, word).edit, value).unwrap();
        assert_eq!(gate, expected, "{word} {value}");
    }
}

#[test]
fn the_gate_of_the_files_is_where_one_begins() {
    let core = core_of(fixture_files("letta-evals/0.15.0_logical_multirun"));
    let text = edit(&core, &GateView::begin().edit, "").unwrap();
    assert_ne!(text, "avg_score(*) >= 0.8");
    put(&core, &[("gate", &text)]);
    let parts = page(&core).rules.gate.controls();
    let shapes = parts.iter().filter(|one| one.edit.change == GateChange::Shape);
    assert!(shapes.count() > 2, "a logical rule and its parts: {text}");
    let shape = drawn(&core, ":shape");
    assert_eq!(shape.kind, GateControlKind::Choice(SHAPES.map(str::to_owned).into()));
}

#[test]
fn an_edit_of_nothing_has_no_answer() {
    let core = core_of(vec![file("a.txt", "nothing")]);
    let op = GateEdit { path: Vec::new(), change: GateChange::Op };
    let begin = GateView::begin().edit;
    assert_eq!(edit(&core, &op, "<"), Err(Failure::Gone), "there is no gate");
    assert_eq!(edit(&core, &begin, "").as_deref(), Ok("avg_score(*) >= 0.8"));
    let target = Target::Evaluation(9);
    let request = Question::EditGate { target, edit: begin, value: String::new() };
    assert_eq!(core.answer(request), Err(Failure::Gone), "there is no such evaluation");
}
