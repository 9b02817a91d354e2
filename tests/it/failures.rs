//! Failures: counts that add up, shapes of messages, hostile text.

use crate::how::{FOLDERS, rules};
use crate::support::{core_of, file, fixture_files};
use evalglass::input::{Dropped, MemorySource, ReadAt};
use evalglass::report::filter::words_text;
use evalglass::report::{CaseQuery, Cell, Link, Row, RunRef, Sections, Table, Target, Topic};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::Failure;
use serde_json::json;
use std::cell::Cell as Switch;
use std::io;
use std::rc::Rc;

const RUN: Target = Target::Run(RunRef { evaluation: 0, run: 0 });

fn ask(core: &Core, target: Target) -> Result<Sections, Failure> {
    core.sections(Topic::Failures(target))
}

fn table<'a>(page: &'a Sections, id: &str) -> Option<&'a Table> {
    let mut tables = page.sections.iter().flat_map(|section| &section.tables);
    tables.find(|table| table.id == id)
}

fn shapes(page: &Sections) -> &Table {
    table(page, "failure-shapes").expect("failures have shapes")
}

fn text(cell: &Cell) -> &str {
    match cell {
        Cell::Text(text) => text,
        Cell::Linked(cell, _) => text(cell),
        other => panic!("{other:?} is no text"),
    }
}

fn part(cell: &Cell) -> u64 {
    let Cell::Share { part, .. } = cell else { panic!("{cell:?} is no share") };
    *part
}

/// The cell under the column called `label`.
fn cell<'a>(table: &Table, row: &'a Row, label: &str) -> &'a Cell {
    &row.cells[table.columns.iter().position(|column| column.label == label).unwrap()]
}

/// Sum of the shares under `label`.
fn sum(table: &Table, label: &str) -> u64 {
    table.rows.iter().map(|row| part(cell(table, row, label))).sum()
}

/// The number before ` failures` or ` of` in the sentence of the footnote that has `phrase`.
fn stated(table: &Table, phrase: &str) -> u64 {
    let footnote = table.footnote.as_deref().unwrap_or_default();
    let sentence = footnote.split(". ").find(|sentence| sentence.contains(phrase));
    let number =
        |sentence: &str| sentence.split(' ').find_map(|word| word.replace(',', "").parse().ok());
    sentence.map_or(0, |sentence| number(sentence).expect("a number is stated"))
}

fn n_matching(core: &Core, target: Target, text: &str) -> u64 {
    let filter = format!("outcome:failed,error {}", words_text(text));
    let query = CaseQuery { target, filter, ..CaseQuery::default() };
    let page = core.cases(&query).expect("the target has cases");
    assert_eq!(page.filter_error, None, "{text:?} is read");
    page.n_matching
}

/// Checks that every failure is counted once in each table; how many there are.
fn adds_up(core: &Core, target: Target, what: &str) -> u64 {
    let page = ask(core, target).unwrap();
    let n_failing = n_matching(core, target, "");
    if n_failing == 0 {
        assert!(page.empty.is_some() && page.sections.is_empty(), "{what}: nothing failed");
        return 0;
    }
    assert!(page.empty.is_none(), "{what}");
    assert_eq!(part(&page.headlines[0].value), n_failing, "{what}");
    for table in page.sections.iter().flat_map(|section| &section.tables) {
        for row in &table.rows {
            assert_eq!(row.cells.len(), table.columns.len(), "{what} {}", table.id);
        }
    }
    for id in ["failures-by-kind", "failures-by-run", "failures-by-group"] {
        let Some(table) = table(&page, id) else { continue };
        let n_hidden = stated(table, "more");
        let is_grouped = id != "failures-by-group";
        assert!(n_hidden > 0 || !is_grouped || sum(table, "Failing") == n_failing, "{what} {id}");
        for row in &table.rows {
            let counts = ["Failed", "Errors"].map(|label| match cell(table, row, label) {
                Cell::Count(n) => *n,
                other => panic!("{other:?} is no count"),
            });
            let failing = part(cell(table, row, "Failing"));
            assert_eq!(counts[0] + counts[1], failing, "{what} {id}");
        }
    }
    for id in ["failures-by-category", "failures-by-type"] {
        let Some(table) = table(&page, id) else { continue };
        let n_unnamed = stated(table, "have none recorded");
        assert_eq!(sum(table, "Cases") + n_unnamed, n_failing, "{what} {id}");
    }
    let shapes = shapes(&page);
    let n_left = stated(shapes, "are not included") + stated(shapes, "can no longer be read");
    assert_eq!(sum(shapes, "Cases") + n_left, n_failing, "{what}: each in one cluster");
    for row in &shapes.rows {
        let n_cases = part(cell(shapes, row, "Cases"));
        let examples = row.cells.iter().filter(|cell| matches!(cell, Cell::Linked(..))).count();
        let is_rest = text(&row.cells[0]).ends_with(" more messages");
        assert!(is_rest || examples as u64 == n_cases.min(3), "{what}: examples");
        if let Some(Link::Find(needle)) = &row.link {
            assert!(n_matching(core, target, needle) >= n_cases, "{what}: {needle:?} finds them");
        }
    }
    by_run_adds_up(core, target, &page, what);
    n_failing
}

/// Checks the matrix of messages (or groups) and runs: no failure is missing, none is there twice, and each
/// count leads to as many cases.
fn by_run_adds_up(core: &Core, target: Target, page: &Sections, what: &str) {
    let Some(matrix) = table(page, "failures-matrix") else { return };
    let n_of = |cell: &Cell| match cell {
        Cell::Text(text) if text.is_empty() => 0,
        Cell::Count(n) => *n,
        Cell::Linked(inner, _) => match **inner {
            Cell::Count(n) => n,
            _ => panic!("{what}: {inner:?} is no count"),
        },
        other => panic!("{what}: {other:?} is no count"),
    };
    let is_message = matrix.columns[0].label == "Message";
    let mut n_all = 0;
    for row in &matrix.rows {
        let all = n_of(&row.cells[1]);
        n_all += all;
        let of_runs: u64 = row.cells[2..].iter().map(n_of).sum();
        assert!(of_runs == all || matrix.footnote.is_some(), "{what}: {row:?}");
        let shape = shapes(page).rows.iter().find(|shape| shape.cells[0] == row.cells[0]);
        if let Some(shape) = shape.filter(|_| is_message) {
            assert_eq!(part(&shape.cells[1]), all, "{what}: the tables agree");
        }
        for cell in &row.cells[1..] {
            let Cell::Linked(_, Link::Filter(filter)) = cell else { continue };
            let query = CaseQuery { target, filter: filter.clone(), ..CaseQuery::default() };
            let found = core.cases(&query).expect("the target has cases");
            assert_eq!(found.filter_error, None, "{filter}");
            let n = n_of(cell);
            // A word of one message may stand in another one too.
            let is_it = if is_message { found.n_matching >= n } else { found.n_matching == n };
            assert!(is_it, "{what}: {filter} finds {}, not {n}", found.n_matching);
        }
    }
    assert_eq!(n_all, n_matching(core, target, ""), "{what}: every failure is in one row");
}

#[test]
fn every_failure_of_every_fixture_is_counted_once() {
    let mut n_failing = 0;
    for folder in FOLDERS {
        let core = core_of(fixture_files(folder));
        for words in [&[][..], &[("pass", ">= 0.99"), ("strategy", "min"), ("errors", "zero")]] {
            let tree = rules(&core, words);
            n_failing += adds_up(&core, Target::All, folder);
            for node in &tree.evaluations {
                adds_up(&core, Target::Evaluation(node.id), folder);
                for run in &node.runs {
                    adds_up(&core, Target::Run(run.run), &format!("{folder} {}", run.label));
                }
            }
        }
    }
    assert!(n_failing > 1_000, "only {n_failing} failures were looked at");
}

#[test]
fn pytest_messages_are_grouped_by_their_exception() {
    let core = core_of(fixture_files("slop-code/g2/v1.0"));
    let page = ask(&core, Target::Evaluation(0)).unwrap();
    let shapes = shapes(&page);
    let names: Vec<&str> = shapes.rows.iter().map(|row| text(&row.cells[0])).collect();
    let bolt = |qty: u8| format!("{{'id': 1, 'name': 'bolt', 'qty': {qty}}}");
    assert_eq!(
        names,
        [
            &*format!("AssertionError: assert {} == {}", bolt(3), bolt(4)),
            "assert -5 >= 0",
            "RuntimeError: server did not start",
            "AssertionError: assert 'naïve café ✓\\n第二行' == 'naive cafe ✗\\n第二行'",
            "OSError: teardown: cannot remove tmp dir",
            "AssertionError: both",
        ]
    );
    let find = |text: &str| Some(Link::Find(text.to_owned()));
    assert_eq!(shapes.rows[1].link, None, "one word would be found in too much");
    assert_eq!(shapes.rows[2].link, find("RuntimeError: server did not start"));
    assert_eq!(cell(shapes, &shapes.rows[0], "Runs"), &Cell::Count(2));
    let categories = table(&page, "failures-by-category").unwrap();
    let categories: Vec<(&str, u64)> =
        categories.rows.iter().map(|row| (text(&row.cells[0]), part(&row.cells[1]))).collect();
    assert_eq!(categories, [("call", 7), ("setup", 2), ("teardown", 1)]);
    let groups = table(&page, "failures-by-group").unwrap();
    assert_eq!(groups.rows[0].link, find("checkpoint_1-Regression"));
    assert_eq!(cell(groups, &groups.rows[0], "Failing"), &Cell::Share { part: 4, whole: 9 });
}

#[test]
fn attributes_stand_for_the_message_that_is_not_there() {
    let core = core_of(fixture_files("slop-code/g1/runs"));
    let page = ask(&core, Target::All).unwrap();
    let shapes = shapes(&page);
    assert_eq!(text(&shapes.rows[0].cells[0]), "no message; failed: output");
    assert_eq!(shapes.rows[0].cells[1], Cell::Share { part: 3, whole: 11 });
    let names: Vec<&str> = shapes.rows.iter().map(|row| text(&row.cells[0])).collect();
    assert!(names.contains(&"no message; failed: output, status_code"), "{names:?}");
    let checks = table(&page, "failures-by-check").unwrap();
    assert_eq!(text(&checks.rows[0].cells[0]), "output");
    assert_eq!(cell(checks, &checks.rows[0], "Failing cases"), &Cell::Count(4));
}

/// A REBEL report with one attempt per entry: verdict and reason. The reason of a `failed` one stays in
/// the file, that of an `error` is the message of its case.
fn rebel(entries: &[(&str, &str)]) -> Vec<u8> {
    let cases: Vec<serde_json::Value> = entries
        .iter()
        .enumerate()
        .map(|(idx, (verdict, reason))| {
            json!({"name": format!("t{idx}"),
                "retry_params": {"count": 1, "aggregation_strategy": "mean"},
                "evaluation_results": [{"score": 0.0, "verdict": verdict, "reason": reason}]})
        })
        .collect();
    serde_json::to_vec(&json!({"metadata": {}, "test_cases": cases})).unwrap()
}

fn rebel_shapes(entries: &[(&str, &str)]) -> Vec<(String, u64)> {
    let core = core_of(vec![file("r.json", rebel(entries))]);
    adds_up(&core, RUN, "made up");
    let page = ask(&core, RUN).unwrap();
    assert_eq!(page, ask(&core, RUN).unwrap(), "the same question has the same answer");
    let rows = &shapes(&page).rows;
    rows.iter().map(|row| (text(&row.cells[0]).to_owned(), part(&row.cells[1]))).collect()
}

#[test]
fn reasons_and_messages_of_one_shape_are_one_cluster() {
    let found = rebel_shapes(&[
        ("failed", "expected 14, got 13"),
        ("error", "KeyError: 'a'"),
        ("failed", "expected 1.5,  got -2e3"),
        ("failed", "no answer  after 30 s"),
        ("passed", "expected 3, got 3"),
        ("error", "expected 7, got 8"),
        ("error", "Traceback (most recent call last):\n  File \"x.py\", line 3\nKeyError: 'b'"),
        ("failed", "no answer after 30 s"),
    ]);
    let found: Vec<(&str, u64)> = found.iter().map(|(shape, n)| (shape.as_str(), *n)).collect();
    // Where all say the same, nothing is masked.
    assert_eq!(
        found,
        [("expected ‹n›, got ‹n›", 3), ("KeyError: ‹text›", 2), ("no answer after 30 s", 2)]
    );
}

#[test]
fn a_reason_without_a_word_stands_with_its_check() {
    let found = rebel_shapes(&[
        ("failed", "4/10"),
        ("failed", "5 / 10"),
        ("failed", "3/10"),
        ("failed", "11.3s"),
        ("failed", "0.4 ms"),
        ("failed", "is 4 of 10"),
        ("error", "4/10"),
    ]);
    let found: Vec<(&str, u64)> = found.iter().map(|(shape, n)| (shape.as_str(), *n)).collect();
    assert_eq!(
        found,
        [
            ("metric 1: ‹n›/‹n›", 2),
            ("metric 1: 5 / 10", 1),
            ("metric 1: 11.3s", 1),
            ("metric 1: 0.4 ms", 1),
            ("is 4 of 10", 1),
            // What is said of a case is no reason of a check.
            ("4/10", 1)
        ]
    );
}

#[test]
fn hostile_text_breaks_no_cluster() {
    let long = format!("failed {}", "x".repeat(300_000));
    let longer = format!("failed {}!", "x".repeat(400_000));
    let quotes = "'\"`".repeat(20_000);
    let found = rebel_shapes(&[
        ("failed", ""),
        ("failed", " \n\t "),
        ("failed", "\u{200b}\u{7}\u{1b}[31m"),
        ("error", "\u{202e}desrever 5\u{202c}"),
        ("failed", "נכשל: 42"),
        ("failed", "נכשל: 43"),
        ("failed", &long),
        ("failed", &longer),
        ("failed", &quotes),
        ("failed", "<script>alert(1)</script>"),
        ("error", "‹n› already masked"),
        ("error", "\u{0}\u{0}"),
    ]);
    let found: Vec<(&str, u64)> = found.iter().map(|(shape, n)| (shape.as_str(), *n)).collect();
    assert_eq!(found[0], ("no message; failed: metric 1", 4));
    assert_eq!(found[1], ("נכשל: ‹n›", 2));
    assert_eq!((found[2].0.chars().count(), found[2].1), (161, 2), "the long ones are alike");
    for expected in ["desrever 5", "<script>alert(1)</script>", "‹n› already masked"] {
        assert!(found.contains(&(expected, 1)), "{expected}: {found:?}");
    }
}

#[test]
fn only_so_many_reasons_are_read_and_the_rest_is_counted() {
    let reasons: Vec<String> = (0..5_000).map(|n| format!("reason {}", n % 2)).collect();
    let mut entries: Vec<(&str, &str)> =
        reasons.iter().map(|reason| ("failed", reason.as_str())).collect();
    entries.push(("error", "reason 7"));
    let core = core_of(vec![file("r.json", rebel(&entries))]);
    assert_eq!(adds_up(&core, RUN, "5,001 failures"), 5_001);
    let page = ask(&core, RUN).unwrap();
    let shapes = shapes(&page);
    assert_eq!(stated(shapes, "are not included"), 3_000);
    assert_eq!(shapes.rows[0].cells[1], Cell::Share { part: 2_001, whole: 5_001 });
}

#[test]
fn shapes_past_the_hundredth_are_one_row() {
    let reasons: Vec<String> = ('a'..='z')
        .flat_map(|first| ('a'..='z').map(move |second| format!("word {first}{second}")))
        .collect();
    let entries: Vec<(&str, &str)> =
        reasons.iter().map(|reason| ("error", reason.as_str())).collect();
    let found = rebel_shapes(&entries);
    assert_eq!(found.len(), 101);
    assert_eq!(found.last(), Some(&("576 more messages".to_owned(), 576)));
}

/// A file that counts how often it is read, and can be read until it is switched off.
struct Fading {
    inner: MemorySource,
    is_gone: Rc<Switch<bool>>,
    n_reads: Rc<Switch<u32>>,
}

impl Fading {
    fn new(bytes: impl Into<Vec<u8>>) -> Self {
        let inner = MemorySource::new(bytes);
        Self { inner, is_gone: Rc::default(), n_reads: Rc::default() }
    }
}

impl ReadAt for Fading {
    fn len(&self) -> u64 {
        self.inner.len()
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        self.n_reads.set(self.n_reads.get() + 1);
        if self.is_gone.get() {
            return Err(io::Error::other("the file is gone"));
        }
        self.inner.read_at(offset, buf)
    }
}

#[test]
fn a_file_that_went_away_is_said() {
    let data = Rc::new(Fading::new(rebel(&[("failed", "a"), ("failed", "b"), ("error", "c")])));
    let is_gone = Rc::clone(&data.is_gone);
    let core = core_of(vec![Dropped { path: "r.json".to_owned(), data }]);
    is_gone.set(true);
    assert_eq!(adds_up(&core, RUN, "gone"), 3);
    let page = ask(&core, RUN).unwrap();
    assert_eq!(stated(shapes(&page), "can no longer be read"), 2);
}

#[test]
fn many_reasons_come_with_few_reads() {
    let reasons: Vec<String> =
        (0..5_000).map(|n| format!("{n} {}", "long ".repeat(100 + n % 7))).collect();
    let entries: Vec<(&str, &str)> =
        reasons.iter().map(|reason| ("failed", reason.as_str())).collect();
    let data = Rc::new(Fading::new(rebel(&entries)));
    let (n_reads, n_bytes) = (Rc::clone(&data.n_reads), data.len());
    let core = core_of(vec![Dropped { path: "r.json".to_owned(), data }]);
    n_reads.set(0);
    let page = ask(&core, RUN).unwrap();
    assert_eq!(stated(shapes(&page), "are not included"), 3_000);
    assert_eq!(shapes(&page).rows[0].cells[1], Cell::Share { part: 2_000, whole: 5_000 });
    let n_windows = n_bytes.div_ceil(1 << 20) as u32;
    assert!(n_reads.get() <= 2 * n_windows, "{} reads, {n_bytes} bytes", n_reads.get());
}

#[test]
fn nothing_failed_is_said_with_what_else_did_not_pass() {
    let core = core_of(vec![file("r.json", rebel(&[("passed", "")]))]);
    let page = ask(&core, RUN).unwrap();
    let nothing = "No case failed or ended in an error: 1 in all.";
    assert_eq!(page.empty.as_deref(), Some(nothing));
    let page = ask(&Core::default(), Target::All).unwrap();
    assert_eq!(page.empty.as_deref(), Some("There are no cases here."));
    for gone in [Target::Evaluation(9), Target::Run(RunRef { evaluation: 0, run: 9 })] {
        assert!(matches!(ask(&core, gone), Err(Failure::Gone)), "{gone:?}");
    }
}

#[test]
fn rules_in_force_decide_what_a_failure_is() {
    let core = core_of(fixture_files("rebel/basic"));
    let before = adds_up(&core, RUN, "declared");
    rules(&core, &[("strategy", "min")]);
    let after = adds_up(&core, RUN, "min");
    assert!(after > before, "more fail when the worst attempt decides: {before}, {after}");
    let page = ask(&core, RUN).unwrap();
    let lead = "Judged by the rules in force: strategy min.";
    assert_eq!(page.lead.as_deref(), Some(lead));
}
