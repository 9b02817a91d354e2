//! How a score was made: terms that add up to it, at every level of every fixture.

use crate::support::{core_of, file, fixture_files};
use evalglass::report::{
    CaseQuery, Cell, How, Link, RuleWords, RunRef, Section, Sections, Table, Target, Topic, Tree,
};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, Failure, Question};

/// Everything that is dropped, a folder at a time.
pub const FOLDERS: [&str; 25] = [
    "slop-code/g1/runs",
    "slop-code/g1/odd/nan_infinity",
    "slop-code/g1/odd/undefined_scores",
    "slop-code/g2/2a9800e",
    "slop-code/g2/feeab5a",
    "slop-code/g2/v1.0",
    "letta-evals/0.2.x_singlefile",
    "letta-evals/0.3.2_single",
    "letta-evals/0.4.1_multirun",
    "letta-evals/0.5.0_interrupted",
    "letta-evals/0.5.0_runnerresult_dump",
    "letta-evals/0.7.0_weighted",
    "letta-evals/0.9.0_weighted",
    "letta-evals/0.15.0_logical_multirun",
    "letta-evals/0.17.1_suite_multirun",
    "letta-evals/0.20.0_suite",
    "letta-evals/0.25.1_reward",
    "letta-evals/0.25.1_reward_11runs",
    "letta-evals/0.26.0_reward_multirun",
    "letta-evals/guide_shape",
    "rebel/basic",
    "rebel/edge",
    "rebel/guide",
    "rebel/nonfinite",
    "rebel/trend",
];

/// Rules that change what scores are made of.
const RULES: [&[(&str, &str)]; 4] = [
    &[],
    &[("errors", "zero"), ("skipped", "zero"), ("unscored", "zero")],
    &[("errors", "left-out"), ("skipped", "left-out"), ("strategy", "max"), ("pass", ">= 0.5")],
    &[("strategy", "median"), ("weight:core_totals", "3"), ("weight:checkpoint_1-Core", "0")],
];

pub fn rules(core: &Core, words: &[(&str, &str)]) -> Tree {
    let words: RuleWords =
        words.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let Ok(Answer::Workspace(tree)) = core.answer(Question::Rules(words)) else {
        panic!("rules give the workspace anew");
    };
    tree
}

fn ask(core: &Core, how: How) -> Result<Sections, Failure> {
    core.sections(Topic::How(how.into()))
}

fn table<'a>(page: &'a Sections, id: &str) -> &'a Table {
    let tables = || page.sections.iter().flat_map(|section: &Section| &section.tables);
    tables().find(|table| table.id == id).unwrap_or_else(|| panic!("{}: no {id}", page.title))
}

/// The cell of the formula's row called `label`.
fn remark<'a>(page: &'a Sections, label: &str) -> Option<&'a Cell> {
    let rows = &table(page, "formula").rows;
    rows.iter().find(|row| row.cells[0] == Cell::Text(label.to_owned())).map(|row| &row.cells[1])
}

fn number(cell: &Cell) -> Option<f64> {
    match cell {
        Cell::Number(number) | Cell::Bar(number) => Some(number.0),
        Cell::Linked(cell, _) => number(cell),
        Cell::Missing(reason) => {
            assert!(!reason.is_empty(), "a missing number has a reason");
            None
        }
        other => panic!("{other:?} is not a number"),
    }
}

fn score(page: &Sections) -> Option<f64> {
    let [headline] = page.headlines.as_slice() else { panic!("{}: one headline", page.title) };
    number(&headline.value)
}

fn is_same(left: Option<f64>, right: Option<f64>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => {
            left.to_bits() == right.to_bits() || left == right || (left.is_nan() && right.is_nan())
        }
        (left, right) => left.is_none() && right.is_none(),
    }
}

/// Checks that the terms of a table add up to its last row, and gives the number of terms.
fn adds_up(table: &Table, what: &str) -> usize {
    for row in &table.rows {
        assert_eq!(row.cells.len(), table.columns.len(), "{what}: a row is as long as the columns");
    }
    let Some((total, terms)) = table.rows.split_last() else {
        assert!(table.empty.is_some(), "{what}: a table without rows says why");
        return 0;
    };
    let last = |row: &evalglass::report::Row| number(row.cells.last().unwrap());
    assert_eq!(total.cells[0], Cell::Text("Total".to_owned()), "{what}");
    let Some(total) = last(total) else { return terms.len() };
    let (mut sum, mut size) = (0.0, 0.0);
    for contribution in terms.iter().filter_map(last) {
        sum += contribution;
        size += contribution.abs();
    }
    let is_close = sum == total
        || (sum.is_nan() && total.is_nan())
        || (sum - total).abs() <= 1e-12 * size.max(total.abs());
    assert!(is_close, "{what}: terms give {sum}, not {total}");
    terms.len()
}

/// Checks one page against the score that is shown elsewhere.
fn check(page: &Sections, shown: Option<f64>, what: &str) -> usize {
    let found = score(page);
    assert!(is_same(found, shown), "{what}: {found:?} here, {shown:?} elsewhere");
    let terms = table(page, "terms");
    let n_terms = adds_up(terms, what);
    for section in &page.sections {
        for table in section.tables.iter().filter(|table| table.id.starts_with("repeat-")) {
            assert!(adds_up(table, what) > 1, "{what} {}", table.caption);
        }
    }
    if let Some(total) = terms.rows.last().map(|row| number(row.cells.last().unwrap())) {
        assert!(is_same(total, found), "{what}: the last row is the score");
    }
    if let (Some(Cell::Text(formula)), Some(found)) = (remark(page, "With numbers"), found) {
        let end = formula.rsplit(" = ").next().unwrap().split(", ").next().unwrap();
        let text = end.replace('−', "-").replace('∞', "inf");
        if let Ok(written) = text.parse::<f64>() {
            assert!(is_same(Some(written), Some(found)), "{what}: {formula}");
        } else {
            assert!(!formula.contains(" = "), "{what}: {formula}");
        }
    }
    n_terms
}

fn scores_of_cases(core: &Core, run: RunRef, n_cases: u64) -> Vec<Option<f64>> {
    let query = CaseQuery { target: Target::Run(run), limit: n_cases, ..CaseQuery::default() };
    let page = core.cases(&query).expect("the run has cases");
    page.rows.iter().map(|row| row.score.map(|score| score.0)).collect()
}

/// The groups' scores as the overview shows them.
fn scores_of_groups(core: &Core, run: RunRef) -> Vec<Option<f64>> {
    let topic = Topic::Overview(Target::Run(run));
    let overview = core.sections(topic).expect("the run has an overview");
    let tables = overview.sections.iter().flat_map(|section| &section.tables);
    let Some(groups) = tables.into_iter().find(|table| table.id == "groups") else {
        return Vec::new();
    };
    let score = groups.columns.iter().position(|column| column.label == "Score").unwrap();
    groups.rows.iter().map(|row| number(&row.cells[score])).collect()
}

/// Each row that opens a score shows that score, but where another figure of it counts.
fn check_links(core: &Core, page: &Sections, is_reward: bool, what: &str) {
    let terms = table(page, "terms");
    let column = terms.columns.iter().position(|column| column.label == "Score").unwrap();
    for row in &terms.rows {
        let Some(Link::How(how)) = &row.link else { continue };
        let below = ask(core, *how).unwrap();
        let found = match how {
            How::Case { .. } if is_reward => number(remark(&below, "Reward").unwrap()),
            _ => score(&below),
        };
        if let Some(own) = number(&row.cells[column]) {
            assert!(is_same(Some(own), found), "{what} {:?}: {own}, {found:?}", row.cells[0]);
        }
    }
}

#[test]
fn terms_add_up_to_the_score_shown_elsewhere_at_every_level() {
    let (mut n_runs, mut n_groups, mut n_cases, mut n_terms) = (0, 0, 0, 0);
    for folder in FOLDERS {
        let core = core_of(fixture_files(folder));
        for words in RULES {
            let tree = rules(&core, words);
            assert!(!tree.evaluations.is_empty(), "{folder} holds something");
            for node in &tree.evaluations {
                let what = format!("{folder} {words:?} {}", node.label);
                let page = ask(&core, How::Evaluation(node.id)).unwrap();
                n_terms += check(&page, node.score.map(|score| score.0), &what);
                for run in &node.runs {
                    let what = format!("{what} {}", run.label);
                    let page = ask(&core, How::Run(run.run)).unwrap();
                    n_terms += check(&page, run.score.map(|score| score.0), &what);
                    if words.is_empty() {
                        check_links(&core, &page, folder.contains("reward"), &what);
                    }
                    n_runs += 1;
                    let groups = scores_of_groups(&core, run.run);
                    for (group, shown) in (0..).zip(&groups) {
                        let how = How::Group { run: run.run, group };
                        let page = ask(&core, how).unwrap();
                        n_terms += check(&page, *shown, &format!("{what} group {group}"));
                        n_groups += 1;
                    }
                    let cases = scores_of_cases(&core, run.run, run.n_cases);
                    for (case_idx, shown) in (0..).zip(&cases) {
                        let how = How::Case { run: run.run, case_idx };
                        let page = ask(&core, how).unwrap();
                        n_terms += check(&page, *shown, &format!("{what} case {case_idx}"));
                        n_cases += 1;
                    }
                }
            }
        }
    }
    assert!(n_runs > 200 && n_groups > 100, "{n_runs} runs, {n_groups} groups");
    assert!(n_cases > 2_000 && n_terms > 5_000, "{n_cases} cases, {n_terms} terms");
}

/// A checkpoint with the groups and the weights of the guide's example.
fn guide() -> Core {
    let text = r#"{"problem_name":"p","name":"checkpoint_1","version":1,"problem_version":1,
        "timestamp":"2025-12-10T10:30:00","duration":1.5,
        "group_outcomes":{
            "critical_tests":{"duration":1.0,"results":{"a":1.0,"b":0.6},"type":"Core"},
            "empty":{"duration":0.0,"results":{},"type":"Error"},
            "optional_tests":{"duration":0.5,"results":{"c":0.6},"type":"Functionality"}},
        "pass_counts":{"Core":1},"total_counts":{"Core":2,"Functionality":1}}"#;
    core_of(vec![file("evaluation.json", text)])
}

const RUN: RunRef = RunRef { evaluation: 0, run: 0 };

#[test]
fn the_guides_weighted_groups_read_as_in_the_guide() {
    let core = guide();
    rules(&core, &[("weight:critical_tests", "2"), ("weight:optional_tests", "0.5")]);
    let page = ask(&core, How::Run(RUN)).unwrap();
    let formula = Cell::Text("(2 × 0.8 + 0.5 × 0.6) / 2.5 = 0.76".to_owned());
    assert_eq!(remark(&page, "With numbers"), Some(&formula));
    let left_out = Cell::Text("1 of 3 groups: no case of the group counts".to_owned());
    assert_eq!(remark(&page, "Not counted"), Some(&left_out));
    assert_eq!(page.title, "Score breakdown: p / checkpoint_1");
    let links: Vec<Option<&Link>> =
        table(&page, "terms").rows.iter().map(|row| row.link.as_ref()).collect();
    let group = |group| Link::How(How::Group { run: RUN, group });
    assert_eq!(links, [Some(&group(0)), Some(&group(1)), Some(&group(2)), None]);
    let page = ask(&core, How::Group { run: RUN, group: 0 }).unwrap();
    let formula = Cell::Text("(1 + 0.6) / 2 = 0.8".to_owned());
    assert_eq!(remark(&page, "With numbers"), Some(&formula));
    assert_eq!(page.facts, ["slop-code G1", "evaluation.json", "p / checkpoint_1"]);
    let up = Cell::Text("the score of its run".to_owned());
    let up = Cell::Linked(Box::new(up), Link::How(How::Run(RUN)));
    assert_eq!(remark(&page, "Part of"), Some(&up));
}

#[test]
fn rules_in_force_say_how_they_count() {
    let core = core_of(fixture_files("letta-evals/0.25.1_reward"));
    let before = score(&ask(&core, How::Run(RUN)).unwrap());
    rules(&core, &[("errors", "zero")]);
    let page = ask(&core, How::Run(RUN)).unwrap();
    assert_eq!(remark(&page, "Rules in force"), Some(&Cell::Text("errors count as 0".to_owned())));
    let Some(Cell::Text(text)) = remark(&page, "Counted as 0") else { panic!("some cases are") };
    assert!(text.ends_with(" cases, by the rules in force"), "{text}");
    assert!(score(&page) < before, "errors that count as 0 lower the score");
}

/// A REBEL report of `n_cases` entries.
fn rebel(n_cases: usize) -> Core {
    let entries: Vec<String> = (0..n_cases)
        .map(|idx| {
            let score = f64::from(u32::try_from(idx % 7).unwrap()) / 7.0;
            format!(
                r#"{{"name":"t{idx}","retry_params":{{"count":1,"aggregation_strategy":"mean"}},
                "evaluation_results":[{{"score":{score},"verdict":"failed","reason":""}}]}}"#
            )
        })
        .collect();
    let text = format!(r#"{{"metadata":{{}},"test_cases":[{}]}}"#, entries.join(","));
    core_of(vec![file("r.json", text)])
}

#[test]
fn a_long_list_ends_in_one_row_for_the_rest() {
    let core = rebel(3_000);
    let tree = rules(&core, &[]);
    let page = ask(&core, How::Run(RUN)).unwrap();
    check(&page, tree.evaluations[0].runs[0].score.map(|score| score.0), "3,000 cases");
    let terms = table(&page, "terms");
    assert_eq!(terms.rows.len(), 502);
    assert_eq!(terms.rows[500].cells[0], Cell::Text("2,500 more cases".to_owned()));
    assert_eq!(
        terms.footnote.as_deref(),
        Some("The first 500 of 3,000 cases are listed one by one, the rest in one row.")
    );
}

#[test]
fn strategies_are_set_side_by_side() {
    let core = core_of(vec![file(
        "r.json",
        r#"{"metadata":{},"test_cases":[{"name":"t","retry_params":{"count":4,"aggregation_strategy":"median"},
        "evaluation_results":[{"score":0.25,"verdict":"failed","reason":""},{"score":9,"verdict":"error","reason":""},
        {"score":0.75,"verdict":"passed","reason":""},{"score":1.5,"verdict":"passed","reason":""}]}]}"#,
    )]);
    let page = ask(&core, How::Case { run: RUN, case_idx: 0 }).unwrap();
    let formula = Cell::Text("median(0.25, 0.75, 1.5) = 0.75".to_owned());
    assert_eq!(remark(&page, "With numbers"), Some(&formula));
    let left_out = Cell::Text("1 of 4 attempts: verdict error: dropped".to_owned());
    assert_eq!(remark(&page, "Not counted"), Some(&left_out));
    let rows = &table(&page, "strategies").rows;
    let scores: Vec<Option<f64>> = rows.iter().map(|row| number(&row.cells[1])).collect();
    assert_eq!(scores, [Some(0.25), Some(1.5), Some(2.5 / 3.0), Some(0.75)]);
    assert_eq!(rows[3].cells[3], Cell::Flag(true));
    rules(&core, &[("strategy", "max")]);
    let page = ask(&core, How::Case { run: RUN, case_idx: 0 }).unwrap();
    let formula = Cell::Text("max(0.25, 0.75, 1.5) = 1.5".to_owned());
    assert_eq!(remark(&page, "With numbers"), Some(&formula));
    assert_eq!(score(&page), Some(1.5));
}

#[test]
fn what_is_not_there_has_no_page() {
    let core = guide();
    let gone = RunRef { evaluation: 0, run: 7 };
    for how in [
        How::Evaluation(9),
        How::Run(gone),
        How::Group { run: RUN, group: 3 },
        How::Group { run: gone, group: 0 },
        How::Case { run: RUN, case_idx: 3 },
        How::Case { run: RUN, case_idx: u64::MAX },
    ] {
        assert!(matches!(ask(&core, how), Err(Failure::Gone)), "{how:?}");
    }
}
