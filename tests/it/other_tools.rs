//! What the pages say of results of tools that know no weights, no checkpoints and no verdict over the whole.

use crate::support::{core_of, fixture_files, records_of};
use evalglass::reading::{CasePage, CaseShown};
use evalglass::report::{CaseQuery, Cell, Name, Target, Topic, Tree};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, Question};

fn tree_of(core: &Core) -> Tree {
    match core.answer(Question::Rules(Vec::new())) {
        Ok(Answer::Workspace(tree)) => tree,
        other => panic!("{other:?}"),
    }
}

/// The pages of the first `n` cases of `folder`.
fn pages(folder: &str, n: u64) -> Vec<CasePage> {
    let core = core_of(fixture_files(folder));
    let found = core.cases(&CaseQuery { limit: n, ..CaseQuery::default() }).expect("cases");
    let page = |run, at| {
        let question = Question::Case { run, case: Name::Place(at), spot: String::new() };
        match core.answer(question) {
            Ok(Answer::Case(shown)) => match *shown {
                CaseShown::Case(page) => *page,
                CaseShown::Lost(lost) => panic!("{lost:?}"),
            },
            other => panic!("{other:?}"),
        }
    };
    found.rows.iter().map(|row| page(row.run, row.case_idx)).collect()
}

#[test]
fn a_run_scores_as_its_evaluation_where_nobody_weighs_groups() {
    let mut n_alone = 0;
    for folder in ["ctrf", "junit/js-runners", "pytest-json-report", "promptfoo/0.123.1", "helm"] {
        for node in tree_of(&core_of(fixture_files(folder))).evaluations {
            if let [run] = node.runs.as_slice() {
                n_alone += 1;
                assert_eq!(run.score, node.score, "{folder}: {}", node.label);
            }
        }
    }
    assert!(n_alone >= 5, "only {n_alone} runs are alone");
}

#[test]
fn a_weight_that_the_user_gives_to_a_group_of_tests_counts() {
    let core = core_of(fixture_files("ctrf/pytest-9.2.0/ctrf.json"));
    let score = |words: Vec<(String, String)>| {
        let Ok(Answer::Workspace(tree)) = core.answer(Question::Rules(words)) else {
            panic!("rules are taken")
        };
        tree.evaluations[0].runs[0].score
    };
    let group = ("weight:evals/test_main.py".to_owned(), "0".to_owned());
    assert_ne!(score(Vec::new()), score(vec![group]));
}

#[test]
fn evaluations_that_have_no_verdict_are_not_counted_as_not_passed() {
    let core = core_of(fixture_files("openai-evals/3.0.1.post1"));
    assert!(tree_of(&core).evaluations.len() > 1);
    let page = core.sections(Topic::Overview(Target::All)).expect("it is open");
    let counted: Vec<&Cell> = page
        .headlines
        .iter()
        .filter(|one| one.label == "Evaluations passed")
        .map(|one| &one.value)
        .collect();
    assert!(counted.is_empty(), "{counted:?}");
}

#[test]
fn documents_of_two_tasks_are_not_the_same_case_and_a_filter_is_no_checkpoint() {
    let pages = pages("lm-eval/0.4.13/canned", 100);
    let is_of = |label: &str, task: &str| label.contains(task);
    let mut n_elsewhere = 0;
    for page in &pages {
        let [_, (run, _)] = &page.crumbs;
        let task = run.split(" · ").next().unwrap();
        for other in &page.elsewhere {
            n_elsewhere += 1;
            assert!(is_of(&other.label, task), "{run}: {}", other.label);
            assert!(!other.is_before, "{run}: {}", other.label);
        }
    }
    assert!(n_elsewhere > 10, "{n_elsewhere}");
    let core = core_of(fixture_files("lm-eval/0.4.13/canned"));
    let Ok(Answer::Facets(facets)) = core.answer(Question::Facets(CaseQuery::default())) else {
        panic!("there are facets")
    };
    let titles: Vec<&str> = facets.facets.iter().map(|facet| facet.title.as_str()).collect();
    assert!(titles.contains(&"Variant") && !titles.contains(&"Checkpoint"), "{titles:?}");
}

#[test]
fn a_case_without_a_score_is_not_said_to_have_weights() {
    let mut n_without = 0;
    for folder in ["deepeval/4.3.1/single_turn", "swebench/5.0.2", "junit/js-runners"] {
        for page in pages(folder, 50) {
            let reason = page.score_reason.unwrap_or_default();
            n_without += u64::from(!reason.is_empty());
            assert!(!reason.contains("weight"), "{folder}: {}: {reason}", page.id);
        }
    }
    assert!(n_without > 10, "{n_without}");
}

#[test]
fn a_test_that_failed_at_each_try_is_said_to_have_failed_in_its_attempts() {
    let pages = pages("junit/pytest-reruns", 20);
    let page = pages.iter().find(|page| page.id == "test_always").expect("it was run");
    assert_eq!(page.verdict, "Failed: in 3 of 3 attempts");
}

#[test]
fn a_failure_without_a_failed_check_is_told_by_its_message() {
    let pages = pages("swebench/5.0.2", 30);
    let n_of = |verdict: &str| pages.iter().filter(|page| page.verdict == verdict).count();
    assert_eq!((n_of("Failed: the patch is empty"), n_of("Failed")), (4, 0));
    assert_eq!(n_of("Failed: not met: FAIL_TO_PASS"), 4, "a message does not hide what decided");
}

#[test]
fn an_answer_is_compared_with_no_list_of_tests_or_assertions() {
    for (folder, list) in [
        ("swebench/5.0.2", "tests that have to pass (FAIL_TO_PASS)"),
        ("promptfoo/0.123.1/main/results.json", "assertions"),
    ] {
        let mut n_lists = 0;
        for (_, detail) in records_of(fixture_files(folder)) {
            n_lists += detail.input.iter().filter(|content| content.label == list).count();
            let compared: Vec<&str> =
                detail.expected.iter().map(|content| content.label.as_str()).collect();
            assert!(compared.is_empty() || compared == ["equals"], "{folder}: {compared:?}");
        }
        assert!(n_lists > 5, "{folder}: {n_lists}");
    }
}
