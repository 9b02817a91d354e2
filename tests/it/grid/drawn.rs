//! What is drawn of the cases: roles, numbers of rows, and nothing that a file could add.

use crate::markup::values;
use crate::support::{core_of, file, fixture_files};
use evalglass::address::{Route, column_of};
use evalglass::report::{Across, CaseQuery, SortKey, Target};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, CaseGrid, FilterHelp, Question};

fn grid(core: &Core, query: &CaseQuery) -> CaseGrid {
    let request = Question::Cases { query: query.clone(), is_framed: true };
    let Ok(Answer::Cases(grid)) = core.answer(request) else { panic!("there are cases") };
    *grid
}

fn facets(core: &Core, query: &CaseQuery) -> String {
    let Ok(Answer::Markup(markup)) = core.answer(Question::Facets(query.clone())) else {
        panic!("there are facets");
    };
    markup.as_str().to_owned()
}

fn help(core: &Core, text: &str, at: u32) -> FilterHelp {
    let request = Question::Suggest { target: Target::All, text: text.to_owned(), at };
    let Ok(Answer::Suggestions(help)) = core.answer(request) else { panic!("there is help") };
    *help
}

#[test]
fn rows_are_numbered_and_aligned_with_their_heading() {
    let core = core_of(fixture_files("slop-code/g2/v1.0"));
    let query = CaseQuery { offset: 5, limit: 7, ..CaseQuery::default() };
    let grid = grid(&core, &query);
    let rows = grid.rows.as_str();
    assert_eq!(values(rows, "aria-rowindex"), ["7", "8", "9", "10", "11", "12", "13"]);
    assert_eq!(values(rows, "data-row")[0], "5");
    assert_eq!((grid.first, grid.cases.len()), (5, 7));
    let frame = grid.frame.unwrap();
    let n_columns = frame.columns.len();
    assert_eq!(rows.matches("role=\"gridcell\"").count(), 7 * n_columns);
    assert_eq!(frame.head.as_str().matches("role=\"columnheader\"").count(), n_columns);
    let columns: Vec<_> = frame.columns.iter().map(|column| column_of(&column.word)).collect();
    assert!(columns.iter().all(Option::is_some), "columns are known by their words");
    assert_eq!(columns[0], Some(SortKey::Id), "what stays at the side is the id");
    assert!(frame.notice.is_empty());
}

#[test]
fn a_heading_says_what_a_click_and_one_with_shift_would_sort_by() {
    let core = core_of(fixture_files("rebel/basic"));
    let query = CaseQuery {
        columns: vec![SortKey::Id, SortKey::Score],
        sort: vec![(SortKey::Score, true), (SortKey::Id, false)],
        ..CaseQuery::default()
    };
    let head = grid(&core, &query).frame.unwrap().head;
    assert_eq!(values(head.as_str(), "data-by"), ["-id", ""]);
    assert_eq!(values(head.as_str(), "data-also"), ["-score,-id", "id"]);
    assert_eq!(values(head.as_str(), "aria-sort"), ["ascending", "descending"]);
}

#[test]
fn links_of_facets_lead_to_the_filter_they_name() {
    let core = core_of(fixture_files("slop-code/g2/v1.0"));
    let query = CaseQuery {
        filter: "outcome:failed".to_owned(),
        sort: vec![(SortKey::Score, true)],
        ..CaseQuery::default()
    };
    let markup = facets(&core, &query);
    let routes: Vec<Route> =
        values(&markup, "href").iter().map(|to| Route::from_hash(to, &())).collect();
    assert!(routes.len() > 5);
    assert!(routes.iter().all(|route| route.sort == query.sort), "the order stays");
    let texts: Vec<&str> = routes.iter().map(|route| route.text.as_str()).collect();
    assert!(texts.contains(&"") && texts.contains(&"outcome:failed,passed"), "{texts:?}");
    assert_eq!(markup.matches("aria-current=\"true\"").count(), 1);
}

#[test]
fn completion_follows_what_is_being_written() {
    let core = core_of(fixture_files("slop-code/g2/v1.0"));
    let labels = |text: &str| values(help(&core, text, 1_000).options.as_str(), "data-text");
    assert_eq!(labels("outc")[0], "outcome:");
    assert!(labels("x kind:co").contains(&"x kind:Core".to_owned()));
    assert!(labels("fai").contains(&"outcome:failed".to_owned()), "{:?}", labels("fai"));
    // The cursor is counted as browsers do: the face takes two units.
    let help = help(&core, "😀 outc score<1", 7);
    assert_eq!(values(help.options.as_str(), "data-text")[0], "😀 outcome: score<1");
    assert_eq!(values(help.options.as_str(), "data-at")[0], "11");
    assert!(help.is_valid && help.error.is_empty());
}

#[test]
fn an_error_is_shown_where_it_is() {
    let core = core_of(fixture_files("rebel/basic"));
    let help = help(&core, "a score<<b>", 0);
    assert!(!help.is_valid);
    assert!(help.error.as_str().contains("a score&lt;<mark>&lt;b&gt;</mark>"), "{:?}", help.error);
    let query = CaseQuery { filter: "score<".to_owned(), ..CaseQuery::default() };
    let frame = grid(&core, &query).frame.unwrap();
    assert!(frame.notice.as_str().contains("is not applied"), "{:?}", frame.notice);
    let query = CaseQuery { filter: "text~\"<b>\" zzzz".to_owned(), ..CaseQuery::default() };
    let notice = grid(&core, &query).frame.unwrap().notice;
    assert_eq!(values(notice.as_str(), "data-search"), ["<b>"]);
    assert!(notice.as_str().contains("No case matches the filter."));
}

#[test]
fn nothing_in_a_file_adds_an_element() {
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
    let heat = CaseQuery { heat: Some(Across::Attempts), ..query.clone() };
    let mut drawn = vec![facets(&core, &query), help(&core, "tag:", 4).options.as_str().to_owned()];
    for query in [&query, &heat] {
        let grid = grid(&core, query);
        assert!(!grid.cases.is_empty(), "the tag is found");
        let frame = grid.frame.unwrap();
        drawn.extend(
            [grid.rows, frame.head, frame.notice, frame.chooser].map(|m| m.as_str().to_owned()),
        );
    }
    for markup in drawn.iter().filter(|markup| !markup.is_empty()) {
        only_our_own(markup);
    }
}

/// Fails unless every element and attribute of `markup` is one that the program writes.
fn only_our_own(markup: &str) {
    const ELEMENTS: [&str; 24] = [
        "a", "button", "circle", "code", "details", "div", "fieldset", "form", "h2", "input",
        "label", "legend", "li", "mark", "ol", "p", "path", "rect", "section", "span", "summary",
        "svg", "ul", "b",
    ];
    const ATTRIBUTES: [&str; 33] = [
        "aria-colindex",
        "aria-current",
        "aria-hidden",
        "aria-label",
        "aria-rowindex",
        "aria-selected",
        "aria-sort",
        "autocomplete",
        "checked",
        "class",
        "d",
        "data-also",
        "data-at",
        "data-by",
        "data-column",
        "data-move",
        "data-range",
        "data-resize",
        "data-row",
        "data-search",
        "data-text",
        "dir",
        "draggable",
        "height",
        "href",
        "id",
        "name",
        "placeholder",
        "role",
        "tabindex",
        "title",
        "type",
        "value",
    ];
    let mut n_elements = 0;
    for part in markup.split('<').skip(1) {
        let part = part.strip_prefix('/').unwrap_or(part);
        let name = part.split([' ', '>']).next().unwrap();
        assert!(ELEMENTS.contains(&name), "<{name}> in {part}");
        n_elements += 1;
        // Values cannot hold a quote, so what is between the quotes is skipped as it is.
        let mut pieces = part.split('"');
        let mut outside = pieces.next().unwrap().trim_start_matches(name).to_owned();
        while !outside.contains('>') {
            let attribute = outside.trim().trim_end_matches('=').to_owned();
            let known = ATTRIBUTES.contains(&attribute.as_str());
            assert!(known || ["viewBox", "width"].contains(&attribute.as_str()), "{attribute:?}");
            pieces.next().expect("a value");
            outside = pieces.next().expect("the rest of the tag").to_owned();
        }
    }
    assert!(n_elements > 0, "something is drawn");
}
