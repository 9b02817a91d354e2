//! What is sent of the cases to be drawn: rows with their keys, headings, facets, completions, notices.

use crate::support::{core_of, file, fixture_files};
use evalglass::address::Route;
use evalglass::render::{CaseCell, Look, case_about, case_cell};
use evalglass::report::filter::FacetChoice;
use evalglass::report::{Across, CaseQuery, Facets, Name, Outcome, RunRef, SortKey, Target};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, CaseGrid, CaseRow, FilterHelp, GridRows, Question};

fn grid(core: &Core, query: &CaseQuery) -> CaseGrid {
    let request = Question::Cases { query: query.clone(), is_framed: true };
    let Ok(Answer::Cases(grid)) = core.answer(request) else { panic!("there are cases") };
    *grid
}

fn rows(grid: &CaseGrid) -> &[CaseRow] {
    let GridRows::Cases(rows) = &grid.rows else { panic!("it is no heat map") };
    rows
}

fn facets(core: &Core, query: &CaseQuery) -> Facets {
    let Ok(Answer::Facets(facets)) = core.answer(Question::Facets(query.clone())) else {
        panic!("there are facets");
    };
    *facets
}

fn help(core: &Core, text: &str, at: u32) -> FilterHelp {
    let request = Question::Suggest { target: Target::All, text: text.to_owned(), at };
    let Ok(Answer::Suggestions(help)) = core.answer(request) else { panic!("there is help") };
    help
}

#[test]
fn rows_are_numbered_and_say_something_in_every_column() {
    let core = core_of(fixture_files("slop-code/g2/v1.0"));
    let query = CaseQuery { offset: 5, limit: 7, ..CaseQuery::default() };
    let grid = grid(&core, &query);
    assert_eq!((grid.first, rows(&grid).len()), (5, 7));
    assert!(rows(&grid).iter().all(|row| !row.key.is_empty()), "each case has its key");
    let frame = grid.frame.as_ref().unwrap();
    assert_eq!((frame.n_rows, frame.n_total), (28, 28));
    assert_eq!(frame.columns[0], SortKey::Id, "what stays at the side is the id");
    assert_eq!(frame.columns[1], SortKey::Score, "the score is in sight without scrolling");
    for key in &frame.columns {
        assert!(frame.choosable.contains(key), "{key:?} can be put away");
        let says = |row: &CaseRow| {
            let cell = case_cell(&row.line, *key, Look::default());
            !matches!(cell, CaseCell::Unknown | CaseCell::Nothing)
        };
        assert!(rows(&grid).iter().any(says), "{key:?} is not all dashes");
    }
    assert!(frame.error.is_none() && frame.unsearched.is_empty() && frame.by_value.is_none());
}

#[test]
fn columns_that_say_one_thing_are_folded_away_and_told_once() {
    let core = core_of(fixture_files("rebel/basic"));
    let grid = grid(&core, &CaseQuery { limit: 100, ..CaseQuery::default() });
    let frame = grid.frame.as_ref().unwrap();
    for key in SortKey::COLUMNS {
        let words = |row: &CaseRow| format!("{:?}", case_cell(&row.line, key, Look::default()));
        let first = words(&rows(&grid)[0]);
        let is_one = rows(&grid).iter().all(|row| words(row) == first);
        if frame.constants.contains(&key) {
            assert!(is_one, "{key:?} differs");
            assert!(!frame.columns.contains(&key) && frame.choosable.contains(&key));
            assert_eq!(
                words(&CaseRow { line: frame.sample.clone().unwrap(), key: String::new() }),
                first
            );
        }
    }
}

#[test]
fn one_line_says_where_a_case_belongs_and_no_name_twice() {
    for folder in ["letta-evals/0.26.0_reward_multirun", "slop-code/g2/v1.0"] {
        let grid = grid(
            &core_of(fixture_files(folder)),
            &CaseQuery { limit: 100, ..CaseQuery::default() },
        );
        let mut n_short = 0;
        for row in rows(&grid).iter().filter(|row| row.line.error.is_none()) {
            let about = case_about(&row.line, Look::default());
            assert!(about.starts_with(&row.line.run_label), "{about}");
            let mut parts: Vec<&str> =
                about.split(" · ").flat_map(|part| part.split(" / ")).collect();
            let n_parts = parts.len();
            parts.sort_unstable();
            parts.dedup();
            assert_eq!(parts.len(), n_parts, "{about}");
            for name in [&row.line.model, &row.line.variant, &row.line.group].into_iter().flatten()
            {
                assert!(parts.contains(&name.as_str()), "{name}: {about}");
                n_short += usize::from(row.line.run_label.contains(name.as_str()));
            }
        }
        assert!(n_short > 0, "{folder}: no label names a model or checkpoint");
    }
}

#[test]
fn facets_lead_to_the_filter_that_a_click_makes() {
    let core = core_of(fixture_files("slop-code/g2/v1.0"));
    let query = CaseQuery {
        filter: "outcome:failed".to_owned(),
        sort: vec![(SortKey::Score, true)],
        ..CaseQuery::default()
    };
    let facets = facets(&core, &query);
    let values: Vec<_> = facets.facets.iter().flat_map(|facet| &facet.values).collect();
    assert!(values.len() > 5);
    let texts: Vec<&str> = values.iter().map(|value| value.then.as_str()).collect();
    assert!(texts.contains(&"") && texts.contains(&"outcome:failed,passed"), "{texts:?}");
    assert_eq!(values.iter().filter(|value| value.choice == FacetChoice::Chosen).count(), 1);
    let n_of = |title: &str| {
        facets.presets.iter().find(|one| one.title == title).and_then(|one| one.n_cases)
    };
    assert_eq!((n_of("All"), n_of("Failed")), (Some(28), Some(7)), "presets count all cases");
    let chosen: Vec<_> = facets.presets.iter().filter(|one| one.is_chosen).collect();
    assert_eq!((chosen.len(), chosen[0].title.as_str()), (1, "Failed"));
    let query = CaseQuery { filter: "kind:Core".to_owned(), ..query };
    let facets = self::facets(&core, &query);
    let in_bins: u64 = facets.scores.iter().map(|bin| bin.n_passed + bin.n_others).sum();
    let scored = CaseQuery { filter: "kind:Core has:score".to_owned(), ..query.clone() };
    let n_scored = grid(&core, &scored).frame.unwrap().n_rows;
    assert!(n_scored > 0);
    assert_eq!(in_bins, n_scored, "scores are those of the cases that are kept");
    for bin in facets.scores.iter().filter(|bin| bin.n_passed + bin.n_others > 0) {
        let kept = grid(&core, &CaseQuery { filter: bin.then.clone(), ..query.clone() });
        assert_eq!(kept.frame.unwrap().n_rows, bin.n_passed + bin.n_others, "{}", bin.then);
    }
}

#[test]
fn a_preview_tells_checks_and_rule_without_the_file() {
    let core = core_of(fixture_files("slop-code/g2/v1.0"));
    let query =
        CaseQuery { filter: "outcome:failed".to_owned(), limit: 100, ..CaseQuery::default() };
    let found = grid(&core, &query);
    for (run, key) in found.rows.cases() {
        let request = Question::Preview { run, case: Name::Key(key) };
        let Ok(Answer::Preview(preview)) = core.answer(request) else { panic!("a preview") };
        assert_eq!(preview.line.outcome.as_str(), "failed");
        assert!(preview.rule.is_some(), "{}: what decided it is said", preview.line.id);
        let n_failed = preview.checks.iter().take_while(|one| one.outcome == Some(Outcome::Failed));
        assert_eq!(
            n_failed.count() as u64,
            preview.line.n_failed_checks,
            "failed checks come first"
        );
    }
    let gone = Question::Preview { run: RunRef { evaluation: 77, run: 0 }, case: Name::default() };
    assert!(core.answer(gone).is_err());
}

#[test]
fn completion_follows_what_is_being_written() {
    let core = core_of(fixture_files("slop-code/g2/v1.0"));
    let texts = |text: &str| -> Vec<String> {
        help(&core, text, 1_000).options.into_iter().map(|option| option.text).collect()
    };
    assert_eq!(texts("outc")[0], "outcome:");
    assert!(texts("x kind:co").contains(&"x kind:Core".to_owned()));
    assert!(texts("fai").contains(&"outcome:failed".to_owned()), "{:?}", texts("fai"));
    assert!(texts("failed").contains(&"outcome:failed".to_owned()), "{:?}", texts("failed"));
    // The cursor is counted as browsers do: the face takes two units.
    let help = help(&core, "😀 outc score<1", 7);
    assert_eq!(help.options[0].text, "😀 outcome: score<1");
    assert_eq!(help.options[0].at, 11);
    assert!(help.error.is_none());
}

#[test]
fn an_error_is_shown_where_it_is() {
    let core = core_of(fixture_files("rebel/basic"));
    let error = help(&core, "a score<<b>", 0).error.unwrap();
    assert_eq!(error.split("a score<<b>"), ["a score<", "<b>", ""]);
    let query = CaseQuery { filter: "score<".to_owned(), ..CaseQuery::default() };
    let frame = grid(&core, &query).frame.unwrap();
    assert!(frame.error.is_some() && frame.n_rows == frame.n_total, "it is not applied");
    let query = CaseQuery { filter: "text~\"<b>\" zzzz".to_owned(), ..CaseQuery::default() };
    let frame = grid(&core, &query).frame.unwrap();
    assert_eq!(frame.unsearched, ["<b>"]);
    assert_eq!(frame.n_rows, 0);
}

#[test]
fn what_was_probably_meant_is_offered() {
    let core = core_of(fixture_files("slop-code/g2/v1.0"));
    for (text, meant) in [
        ("x otucome:failed", Some("x outcome:failed")),
        ("scroe<0.5", Some("score<0.5")),
        ("outcome:faild kind:Core", Some("outcome:failed kind:Core")),
        ("zzzzzz:1", None),
        ("score<", None),
    ] {
        let error = help(&core, text, 0).error.unwrap();
        assert_eq!(error.mended(text).as_deref(), meant, "{text}");
    }
    let frame = |filter: &str| {
        let query = CaseQuery { filter: filter.to_owned(), ..CaseQuery::default() };
        grid(&core, &query).frame.unwrap()
    };
    assert_eq!(frame("failed score<1").by_value.as_deref(), Some("outcome:failed score<1"));
    assert_eq!(frame("inventory").by_value, None);
}

#[test]
fn cases_that_pass_sometimes_are_flaky() {
    let core = core_of(fixture_files("letta-evals"));
    let query = CaseQuery { filter: "has:flaky".to_owned(), limit: 1_000, ..CaseQuery::default() };
    let grid = grid(&core, &query);
    let found = facets(&core, &query);
    let preset = found.presets.iter().find(|preset| preset.title == "Flaky");
    assert_eq!(preset.and_then(|preset| preset.n_cases), Some(grid.frame.as_ref().unwrap().n_rows));
    assert!(!rows(&grid).is_empty(), "repeats of the fixtures disagree somewhere");
    let outcomes = |id: &str| -> Vec<_> {
        let of_id = rows(&grid).iter().filter(|row| row.line.id == id);
        of_id.map(|row| row.line.outcome.as_str()).collect()
    };
    let first = outcomes(&rows(&grid)[0].line.id);
    assert!(first.contains(&"passed") && first.iter().any(|word| *word != "passed"), "{first:?}");
}

#[test]
fn what_stands_in_a_file_is_sent_as_it_is() {
    let evil =
        "</div><script>alert(1)</script><img src=x onerror=alert(1)>\" onclick=\"x' \u{202e}&lt;";
    let bytes = std::fs::read_to_string(crate::support::fixture(
        "rebel/basic/test_results_20261121_201406.json",
    ));
    let mut report: serde_json::Value = serde_json::from_str(&bytes.unwrap()).unwrap();
    for (nth, case) in report["test_cases"].as_array_mut().unwrap().iter_mut().enumerate() {
        case["name"] = format!("{evil}{nth}").into();
        case["tags"] = serde_json::json!([evil, format!("{evil}{}", nth % 3)]);
    }
    let core = core_of(vec![file(&format!("{evil}/r.json").replace('/', "∕"), report.to_string())]);
    let query = CaseQuery {
        columns: SortKey::COLUMNS.to_vec(),
        limit: 50,
        filter: format!("tag:\"{}\"", evil.replace('"', "\\\"")),
        ..CaseQuery::default()
    };
    let found = grid(&core, &query);
    assert!(rows(&found).iter().all(|row| row.line.id.starts_with(evil)), "text, nothing else");
    assert!(!rows(&found).is_empty(), "the tag is found");
    let labels = help(&core, "tag:", 4).options;
    assert!(labels.iter().any(|option| option.label.contains("<script>")), "as text");
    let heat = CaseQuery { heat: Some(Across::Attempts), ..query };
    let GridRows::Heat(rows) = grid(&core, &heat).rows else { panic!("it is a heat map") };
    for row in &rows {
        assert_eq!(row.addresses.len(), row.line.cells.len());
        for (cell, to) in row.line.cells.iter().zip(&row.addresses) {
            assert_eq!(cell.is_some(), !to.is_empty());
            assert!(to.is_empty() || to.starts_with("#/") && !to.contains(['<', '"', ' ']), "{to}");
            assert!(to.is_empty() || Route::from_hash(to, &()).heat.is_some());
        }
    }
}
