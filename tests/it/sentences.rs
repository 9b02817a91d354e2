//! What pages say of runs that are not whole, of files that hold no results, of cases whose score does not
//! tell why they passed.

use crate::support::{bytes_of, core_of, exported_text, file, fixture_files, report_of};
use evalglass::input::Dropped;
use evalglass::render::{View, sections_page};
use evalglass::report::{
    Cell, Deciding, Link, Name, Outcome, Row, RunRef, Sections, Target, Topic, Tree, VerdictView,
};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, CaseShown, ExportKind, Question};
use serde_json::{Value, json};

const SINGLE: &str = "letta-evals/0.3.2_single";
const SEVERAL: &str = "letta-evals/0.4.1_multirun";

fn tree_of(core: &Core) -> Tree {
    match core.answer(Question::Rules(Vec::new())) {
        Ok(Answer::Workspace(tree)) => tree,
        other => panic!("rules are answered: {other:?}"),
    }
}

fn overview(core: &Core, target: Target) -> Sections {
    core.sections(Topic::Overview(target)).expect("it is open")
}

fn verdict(core: &Core, target: Target) -> VerdictView {
    overview(core, target).verdict.expect("a verdict")
}

/// The overview as an exported page has it.
fn drawn(core: &Core, target: Target) -> String {
    sections_page(&overview(core, target), View::default()).as_str().to_owned()
}

/// A case as it is drawn.
fn case_drawn(core: &Core, run: RunRef, case_idx: u64) -> String {
    let request = Question::Case { run, case: Name::Place(case_idx), spot: String::new() };
    match core.answer(request) {
        Ok(Answer::Case(shown)) => match *shown {
            CaseShown::Case(page) => {
                let rule = page.rule.unwrap_or_default();
                format!("outcome-word--{} Rule: {rule}", page.outcome.as_str())
            }
            CaseShown::Lost(lost) => panic!("{lost:?}"),
        },
        other => panic!("the case is drawn: {other:?}"),
    }
}

/// The answer to a question of the table of trust.
fn answer(core: &Core, target: Target, question: &str) -> String {
    let page = overview(core, target);
    let mut tables = page.sections.iter().flat_map(|section| &section.tables);
    let trust = tables.find(|table| table.id == "trust").expect("the table of trust");
    let is_it = |row: &&Row| row.cells[0] == Cell::Text(question.to_owned());
    let row = trust.rows.iter().find(is_it).expect("the question");
    format!("{:?}", row.cells[1])
}

fn without(folder: &str, name: &str) -> Vec<Dropped> {
    fixture_files(folder).into_iter().filter(|file| !file.path.ends_with(name)).collect()
}

/// The JSON file of `folder` whose path ends with `name`, with a member changed.
fn changed(folder: &str, name: &str, pointer: &str, value: Value) -> Vec<Dropped> {
    let mut files = fixture_files(folder);
    let own = files.iter_mut().find(|file| file.path.ends_with(name)).expect("the file is there");
    let mut document: Value = serde_json::from_slice(&bytes_of(own)).unwrap();
    *document.pointer_mut(pointer).expect("the member") = value;
    *own = file(&own.path.clone(), document.to_string());
    files
}

#[test]
fn a_verdict_about_an_unfinished_run_is_one_so_far() {
    let whole = core_of(fixture_files(SINGLE));
    let node = &tree_of(&whole).evaluations[0];
    assert!(!node.is_so_far && !node.runs[0].is_so_far);
    assert_eq!(verdict(&whole, Target::Evaluation(node.id)).proviso, None);

    let core = core_of(without(SINGLE, "summary.json"));
    let node = &tree_of(&core).evaluations[0];
    assert!(node.is_so_far && node.runs[0].is_so_far);
    let words = "no summary could be read: the run was interrupted or is not finished, or its summary is missing or broken";
    for target in [Target::Evaluation(node.id), Target::Run(node.runs[0].run)] {
        assert_eq!(verdict(&core, target).proviso.as_deref(), Some(words));
        let markup = drawn(&core, target);
        assert!(markup.contains(words) && markup.contains(" so far:</strong>"), "{target:?}");
        assert!(markup.contains(" so-far\""), "the banner is not plain green");
    }
    assert!(drawn(&core, Target::All).contains(" so far</span>"), "the table says so too");
    assert!(exported_text(&core, ExportKind::SummaryMarkdown).contains(" so far**"));
    assert!(exported_text(&core, ExportKind::JunitXml).contains("name=\"so_far\""));
    let report = report_of(&core);
    assert_eq!(report["evaluations"][0]["verdict"]["so_far"], words);
    assert_eq!(report["runs"][0]["verdict"]["so_far"], words);
    // Nothing that is in the files was lost.
    assert_eq!(tree_of(&core).n_losses, 0);
}

#[test]
fn a_part_of_the_declared_samples_says_how_many() {
    let text = fixture_files(SINGLE).into_iter().map(|one| match one.path.ends_with(".jsonl") {
        true => {
            let text = String::from_utf8(bytes_of(&one)).unwrap();
            let kept: Vec<&str> = text.lines().take(3).collect();
            file(&one.path, kept.join("\n") + "\n")
        }
        false => one,
    });
    let core = core_of(text.collect());
    let node = &tree_of(&core).evaluations[0];
    let proviso = verdict(&core, Target::Evaluation(node.id)).proviso;
    assert_eq!(proviso.as_deref(), Some("the summary counts 11 samples, 3 are here"));
    let core = core_of(fixture_files("guides/s1_evaluation_alone"));
    let node = &tree_of(&core).evaluations[0];
    let proviso = verdict(&core, Target::Run(node.runs[0].run)).proviso.expect("a proviso");
    assert!(proviso.starts_with("the file declares 7 of 9 passed, its groups hold 3"), "{proviso}");
}

#[test]
fn a_run_has_its_own_notes_only() {
    let files = fixture_files(SEVERAL).into_iter().map(|one| {
        if !one.path.ends_with("run_2/results.jsonl") {
            return one;
        }
        let bytes = bytes_of(&one);
        file(&one.path, &bytes[..bytes.len() - 20])
    });
    let core = core_of(files.collect());
    let node = &tree_of(&core).evaluations[0];
    let question = "Was everything read?";
    for run in &node.runs {
        let said = answer(&core, Target::Run(run.run), question);
        let is_cut = run.repeat == 2;
        assert_eq!(said.contains("1 item not read"), is_cut, "{}: {said}", run.label);
        assert_eq!(run.is_so_far, is_cut, "{}", run.label);
    }
    assert!(answer(&core, Target::Evaluation(node.id), question).contains("1 item not read"));
}

#[test]
fn what_is_broken_beside_an_evaluation_is_said_on_its_page() {
    let said = |broken: &[&str]| {
        let mut files = fixture_files("rebel/guide");
        files
            .extend(broken.iter().map(|name| file(&format!("guide/{name}"), "{\"results\": [1, ")));
        let core = core_of(files);
        let id = tree_of(&core).evaluations[0].id;
        [Target::Evaluation(id), Target::All].map(|of| format!("{:?}", overview(&core, of)))
    };
    let [own, all] = said(&[]);
    assert!(own.contains("Every file was read") && all.contains("Every file was read"));
    let [own, all] = said(&["a.json"]);
    assert!(own.contains("Its own files were all read, 1 item of others was not"), "{own}");
    let meaning = "1 item in files that belong to no evaluation was not read";
    assert!(own.contains(meaning) && !own.contains("No file, line or record was lost"), "{own}");
    assert!(all.contains("1 item not read in the files"), "{all}");
    let [own, _] = said(&["a.json", "b.json"]);
    assert!(own.contains("2 items of others were not"), "{own}");
}

#[test]
fn what_is_broken_in_the_folder_of_a_run_is_not_said_to_be_of_others() {
    let broken = "inventory_api/checkpoint_2/evaluation.json";
    let files = fixture_files("slop-code/g2/v1.0").into_iter().map(|one| {
        if one.path.ends_with(broken) { file(&one.path, "{\"problem_name\": ") } else { one }
    });
    let core = core_of(files.collect());
    let node = &tree_of(&core).evaluations[0];
    let mark = "1 item not read in its folder";
    let of_it = format!("{:?}", overview(&core, Target::Evaluation(node.id)));
    assert!(of_it.contains(mark), "{of_it}");
    let question = "Was everything read?";
    assert!(answer(&core, Target::Evaluation(node.id), question).contains("1 item not read"));
    let found = node.runs.iter().map(|run| {
        let said = format!("{:?}", overview(&core, Target::Run(run.run)));
        let own = answer(&core, Target::Run(run.run), question).contains("1 item not read");
        assert_eq!(said.contains(mark), own, "{}", run.label);
        assert_eq!(said.contains("1 item of others was not"), !own, "{}", run.label);
        own
    });
    assert_eq!(found.filter(|own| *own).count(), 1);
}

#[test]
fn files_beside_results_are_one_note_a_kind() {
    let mut files = fixture_files("rebel/guide");
    for idx in 0..1_200 {
        files.push(file(&format!("guide/p{idx}/infer.log"), "INFO started\n"));
        files.push(file(&format!("guide/p{idx}/prompt.txt"), "Write a parser.\n"));
    }
    files.push(file("guide/own.json", "{\"mine\": 1}"));
    let core = core_of(files);
    let notes = core.files().notes;
    let said: Vec<(u64, &str, &str)> =
        notes.iter().map(|note| (note.count, note.file.as_str(), note.detail.as_str())).collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert_eq!((said[0].0, said[0].1), (1, "guide/own.json"));
    let detail = "2400 text files beside the results hold no results: infer.log × 1200, \
        prompt.txt × 1200";
    assert_eq!(said[1], (2_400, "guide", detail));
    let tree = tree_of(&core);
    assert_eq!((tree.n_notes, tree.n_losses), (0, 0));
}

#[test]
fn a_file_that_is_not_there_is_no_loss() {
    for folder in ["guides/s3_parquet_alone", "guides/l4_results_alone", "guides/l15_bands"] {
        let core = core_of(fixture_files(folder));
        assert_eq!(tree_of(&core).n_losses, 0, "{folder}");
        let notes = core.files().notes;
        assert!(!notes.is_empty(), "{folder}: what is not known is said");
        assert!(!notes.iter().any(|note| note.detail.contains("interrupted")), "{folder}");
        assert!(answer(&core, Target::All, "Was everything read?").contains("yes"), "{folder}");
    }
}

#[test]
fn a_case_says_which_rule_decided() {
    // REBEL: verdicts decide, not the score.
    let core = core_of(fixture_files("rebel/basic"));
    let run = tree_of(&core).evaluations[0].runs[0].run;
    let n_cases = tree_of(&core).evaluations[0].runs[0].n_cases;
    let drawn: Vec<String> = (0..n_cases).map(|idx| case_drawn(&core, run, idx)).collect();
    let rules = drawn.iter().filter(|page| page.contains("Rule: strategy ")).count();
    assert!(rules > 3, "only {rules}");
    assert!(
        drawn.iter().all(|page| {
            page.contains("Rule: strategy ") || page.contains("outcome-word--error")
        })
    );
    // letta-evals: by the gate's threshold and operator.
    let core = core_of(changed(SINGLE, "header.json", "/config/gate/pass_op", "lte".into()));
    let run = tree_of(&core).evaluations[0].runs[0].run;
    assert!(case_drawn(&core, run, 0).contains("Rule: score ≤ "));
    // slop-code: attributes, also those that weigh nothing.
    let core = core_of(fixture_files("slop-code/g1/runs"));
    let node = tree_of(&core).evaluations.swap_remove(0);
    let pages = node.runs.iter().flat_map(|run| {
        let core = &core;
        (0..run.n_cases).map(move |idx| case_drawn(core, run.run, idx))
    });
    let rule = "Rule: every verified attribute must be correct";
    assert!(pages.filter(|page| page.contains(rule)).count() > 10);
}

#[test]
fn differences_with_a_known_reason_are_no_alarm() {
    let core = core_of(fixture_files("slop-code/g1/runs"));
    let badge = overview(&core, Target::All).badge.expect("a badge");
    assert!(!badge.differs, "{}", badge.words);
    assert!(badge.words.ends_with("; 3 more differ for a known reason"), "{}", badge.words);
    assert_eq!(tree_of(&core).n_differences, 0);
    let core = core_of(fixture_files("slop-code/g2/2a9800e"));
    let badge = overview(&core, Target::All).badge.expect("a badge");
    assert!(badge.differs);
    let start = "≠ 2 declared figures differ from the computed ones; 5 more differ for a known";
    assert!(badge.words.starts_with(start), "{}", badge.words);
}

#[test]
fn a_failed_verdict_names_the_cases_that_decide_it() {
    let core = core_of(fixture_files("slop-code/g2/v1.0"));
    let node = &tree_of(&core).evaluations[0];
    let verdict = verdict(&core, Target::Evaluation(node.id));
    assert_eq!(
        (verdict.outcome, verdict.reason.as_str()),
        (Outcome::Failed, "2 of 3 checkpoints fail")
    );
    let deciding = &verdict.deciding;
    assert!(!deciding.named.is_empty() && deciding.named.len() as u64 <= deciding.n_cases);
    let report = report_of(&core);
    for decider in &deciding.named {
        let Link::Case { run, case_idx } = decider.link else { panic!("{decider:?}") };
        let run = &report["runs"][run.run as usize];
        let case = &run["cases"][case_idx as usize];
        assert_eq!(
            (&run["policies"]["core-cases"], &case["kind"]),
            (&json!(false), &json!("Core"))
        );
        let told = [&run["label"], &case["id"], &case["outcome"]];
        let run_label = decider.run.as_deref().expect("of several runs");
        assert_eq!(told, [run_label, decider.case.as_str(), decider.outcome.as_str()]);
        assert_ne!(decider.outcome, Outcome::Passed, "{decider:?}");
    }
}

#[test]
fn where_a_gate_decides_no_case_is_blamed() {
    let core = core_of(fixture_files("letta-evals/0.9.0_weighted"));
    for node in tree_of(&core).evaluations {
        for run in node.runs {
            let Some(verdict) = overview(&core, Target::Run(run.run)).verdict else { continue };
            assert_eq!(verdict.deciding, Deciding::default(), "{}: {}", run.label, verdict.rule);
        }
    }
    // A gate of the user's own decides the same way, of whatever producer.
    let core = core_of(fixture_files("slop-code/g2/v1.0"));
    let gate = ("gate".to_owned(), "avg_score(*) >= 0.99".to_owned());
    let Ok(Answer::Workspace(tree)) = core.answer(Question::Rules(vec![gate])) else {
        panic!("rules are answered");
    };
    for node in tree.evaluations {
        let verdict = verdict(&core, Target::Evaluation(node.id));
        assert_eq!(verdict.deciding, Deciding::default(), "{}", verdict.rule);
    }
}

#[test]
fn cases_are_named_where_something_failed_and_nowhere_else() {
    for folder in ["slop-code/g1", "slop-code/g2", "slop-code/real", "rebel/basic", "letta-evals"] {
        let core = core_of(fixture_files(folder));
        let tree = tree_of(&core);
        let mut targets = Vec::new();
        for node in &tree.evaluations {
            targets.push(Target::Evaluation(node.id));
            targets.extend(node.runs.iter().map(|run| Target::Run(run.run)));
        }
        for target in targets {
            let Some(verdict) = overview(&core, target).verdict else { continue };
            let named = &verdict.deciding.named;
            assert!(named.is_empty() || verdict.outcome == Outcome::Failed, "{folder} {target:?}");
            assert!(named.iter().all(|one| one.outcome != Outcome::Passed), "{folder} {target:?}");
        }
    }
}

#[test]
fn a_failed_verdict_counts_what_failed() {
    let core = core_of(fixture_files("rebel/basic"));
    let node = &tree_of(&core).evaluations[0];
    let verdict = verdict(&core, Target::Evaluation(node.id));
    assert_eq!(verdict.rule, "every case must pass");
    let n_failed = node.runs[0].n_cases - node.runs[0].n_passed.expect("a rule");
    assert!(verdict.reason.starts_with(&format!("{n_failed} of ")), "{}", verdict.reason);
    assert!(drawn(&core, Target::Evaluation(node.id)).contains("Rule: every case must pass"));
}
