//! What the page of an overview shows around its verdict: sums that add up, and links to what they count.

use crate::support::{core_of, fixture_files};
use evalglass::report::{Board, Cell, Link, Outcome, Sections, Target, Topic, Tree};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, Question};

fn tree_of(core: &Core) -> Tree {
    match core.answer(Question::Rules(Vec::new())) {
        Ok(Answer::Workspace(tree)) => tree,
        other => panic!("{other:?}"),
    }
}

fn page(core: &Core, target: Target) -> Sections {
    core.sections(Topic::Overview(target)).expect("it is open")
}

fn board(core: &Core, target: Target) -> Board {
    *page(core, target).board.expect("an overview has one")
}

#[test]
fn parts_of_an_overview_add_up_to_what_is_loaded() {
    let core = core_of(fixture_files("slop-code/g2/v1.0"));
    let tree = tree_of(&core);
    let node = &tree.evaluations[0];
    let target = Target::Evaluation(node.id);
    let board = board(&core, target);
    let n_tallied: u64 = board.tally.iter().map(|part| part.n).sum();
    assert_eq!(n_tallied, tree.n_cases_of(target));
    let strip = board.strip.expect("checkpoints");
    let cells: Vec<_> = strip.rows.iter().flat_map(|row| &row.cells).collect();
    assert_eq!((strip.title.as_str(), cells.len()), ("Checkpoints", node.runs.len()));
    for (cell, run) in cells.iter().zip(&node.runs) {
        assert_eq!(cell.outcome, run.outcome);
        assert_eq!(cell.tally.iter().map(|(_, n)| n).sum::<u64>(), run.n_cases);
        let Some(Cell::Share { part, whole }) = cell.passed else { panic!("{cell:?}") };
        assert_eq!((Some(part), whole), (run.n_passed, run.n_cases));
    }
    assert!(strip.rows.iter().all(|row| row.cells[0].change.is_none()), "nothing comes before");
    let failures = board.failures.expect("some fail");
    assert_eq!(failures.n_cases, tree.n_failures_of(target));
    let n_grouped: u64 = failures.groups.iter().map(|group| group.n_cases).sum();
    let n_more = failures.n_more.map_or(0, |(_, n_cases)| n_cases);
    assert_eq!(n_grouped + n_more + failures.n_unread, failures.n_cases);
    assert!(failures.groups.is_sorted_by(|left, right| left.n_cases >= right.n_cases));
    let rates = board.rates.expect("kinds");
    assert_eq!(rates.rows.iter().map(|row| row.total).sum::<u64>(), n_tallied);
    for row in &rates.rows {
        assert!(row.low.0 <= row.rate.0 && row.rate.0 <= row.high.0, "{row:?}");
    }
}

#[test]
fn what_is_known_by_declared_counts_alone_is_said() {
    let files = || fixture_files("slop-code/g2/v1.0");
    let said = |core: &Core| {
        let marks = board(core, Target::All).marks;
        marks.into_iter().find(|mark| mark.words.contains("declared counts alone"))
    };
    assert_eq!(said(&core_of(files())), None);
    // Of checkpoint 2 its row is left: 8 of 17 cases passed.
    let is_left = |path: &str| !path.contains("/checkpoint_2/evaluation");
    let left = files().into_iter().filter(|file| is_left(&file.path)).collect();
    let mark = said(&core_of(left)).expect("a row has counts");
    assert_eq!(mark.words, "17 of 28 cases known by declared counts alone");
    assert!(mark.is_warning);
}

#[test]
fn cases_of_several_producers_make_no_sum() {
    let folders = ["slop-code/g2/v1.0", "letta-evals/0.26.0_reward_multirun", "rebel/basic"];
    let core = core_of(folders.into_iter().flat_map(fixture_files).collect());
    let page = page(&core, Target::All);
    assert!(page.headlines.iter().all(|one| one.label != "Passed"), "{:?}", page.headlines);
    let board = page.board.expect("an overview has one");
    assert!(board.tally.is_empty() && board.rates.is_none());
    let strip = board.strip.expect("evaluations");
    assert_eq!(strip.rows[0].cells.len(), tree_of(&core).evaluations.len());
    // One producer alone has a sum.
    let core = core_of(fixture_files("slop-code/g1/runs"));
    assert!(!self::board(&core, Target::All).tally.is_empty());
}

#[test]
fn what_passes_in_some_repeats_only_is_not_called_passed() {
    let mut n_in_part = 0;
    for folder in ["letta-evals/0.4.1_multirun", "letta-evals/0.15.0_logical_multirun"] {
        let core = core_of(fixture_files(folder));
        for node in tree_of(&core).evaluations {
            let shown = page(&core, Target::Evaluation(node.id));
            let verdict = shown.verdict.expect("a gate");
            let strip = shown.board.expect("an overview has one").strip.expect("repeats");
            assert_eq!(strip.title, "Repeats");
            assert_eq!(node.in_part.is_some(), verdict.in_part.is_some());
            let words = verdict.word();
            if node.in_part.is_some() {
                n_in_part += 1;
                assert_eq!(verdict.outcome, Outcome::Passed);
                assert!(words.starts_with("passed in "), "{words}");
            }
        }
    }
    assert!(n_in_part > 0, "no fixture tests it");
}

#[test]
fn a_case_alone_in_its_group_is_opened_and_several_are_searched() {
    for folder in ["rebel/basic", "slop-code/g2/v1.0", "letta-evals/0.26.0_reward_multirun"] {
        let core = core_of(fixture_files(folder));
        let Some(failures) = board(&core, Target::All).failures else { continue };
        for group in &failures.groups {
            let is_case = matches!(group.link, Link::Case { .. });
            assert!(is_case || group.n_cases > 1, "{folder}: {group:?}");
            assert!(!group.message.is_empty());
        }
    }
}
