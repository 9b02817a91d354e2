//! The filter of pairs: which pairs each word keeps, how it goes on, what is said of a broken one.

use super::rebel_sides;
use evalglass::address::CompareView;
use evalglass::report::compare::{CompareQuery, PairOrder, PairsPage, PairsQuery};
use evalglass::report::filter::{About, Filter};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, CompareQuestion, FilterHelp, Question};

fn case(id: &str, score: f64, passed: bool) -> (String, f64, bool) {
    (id.to_owned(), score, passed)
}

/// Two pairs fixed or regressed each, one the same, one case alone on each side.
fn sides() -> (Core, CompareQuery) {
    rebel_sides(&[
        vec![
            case("lost", 1.0, true),
            case("lost too", 0.75, true),
            case("won", 0.25, false),
            case("same", 0.5, false),
            case("gone", 1.0, true),
        ],
        vec![
            case("lost", 0.0, false),
            case("lost too", 0.25, false),
            case("won", 1.0, true),
            case("same", 0.5, false),
            case("new", 0.0, false),
        ],
    ])
}

fn listed(core: &Core, of: &CompareQuery, query: PairsQuery) -> PairsPage {
    core.compare_pairs(of, &PairsQuery { side: 1, n: 100, ..query }).unwrap()
}

#[track_caller]
fn keeps(filter: &str, ids: &[&str]) {
    let (core, of) = sides();
    let query =
        PairsQuery { filter: filter.to_owned(), order: PairOrder::AsPaired, ..Default::default() };
    let page = listed(&core, &of, query);
    assert_eq!(page.filter.error, None, "{filter}");
    let found: Vec<&str> = page.lines.iter().map(|line| line.id.as_str()).collect();
    assert_eq!(found, ids, "{filter}");
    assert_eq!(page.n_all, ids.len() as u64, "{filter}");
}

#[test]
fn a_condition_holds_of_a_pair_when_it_holds_on_either_side() {
    keeps("", &["lost", "lost too", "won", "same"]);
    keeps("outcome:passed", &["lost", "lost too", "won"]);
    keeps("-outcome:passed", &["same"]);
    keeps("score<0.3", &["lost", "lost too", "won"]);
    keeps("too", &["lost too"]);
    keeps("id:lost or id:won", &["lost", "won"]);
}

#[test]
fn conditions_behind_a_side_are_about_its_case() {
    keeps("side:A outcome:passed", &["lost", "lost too"]);
    keeps("side:B outcome:passed", &["won"]);
    keeps("outcome:passed side:B score<0.3", &["lost", "lost too"]);
    keeps("side:A outcome:passed side:B score:0", &["lost"]);
    keeps("side:A,B score:0", &["lost"]);
    keeps("side:b -outcome:passed", &["lost", "lost too", "same"]);
    // It ends with the parenthesis, and with `or`.
    keeps("(side:A outcome:passed) score:0.25", &["lost too"]);
    keeps("side:B score:0 or score:0.75", &["lost", "lost too"]);
    keeps("side:A (score:1 or score:0.25)", &["lost", "won"]);
}

#[test]
fn change_and_delta_are_about_the_pair() {
    keeps("change:regressed", &["lost", "lost too"]);
    keeps("change:fixed", &["won"]);
    keeps("change:same", &["same"]);
    keeps("-change:same", &["lost", "lost too", "won"]);
    keeps("change:fixed,same", &["won", "same"]);
    keeps("change:changed", &[]);
    // The pass rate decides.
    keeps("delta<0", &["lost", "lost too"]);
    keeps("delta<=-100%", &["lost", "lost too"]);
    keeps("delta<-1", &[]);
    keeps("delta:0", &["same"]);
    keeps("delta=0", &["same"]);
    keeps("delta!=0", &["lost", "lost too", "won"]);
    keeps("delta>=1", &["won"]);
}

#[test]
fn cases_of_one_side_are_listed_where_they_are_asked_for() {
    keeps("change:new", &["new"]);
    keeps("change:gone", &["gone"]);
    keeps("change:new,gone,fixed", &["won", "gone", "new"]);
    keeps("(change:new or change:gone) outcome:passed", &["gone"]);
    keeps("change:new,gone side:B", &["new"]);
}

#[test]
fn the_switch_leaves_only_what_differs() {
    let (core, of) = sides();
    let query =
        PairsQuery { is_different: true, order: PairOrder::LargestFirst, ..Default::default() };
    let page = listed(&core, &of, query);
    let found: Vec<&str> = page.lines.iter().map(|line| line.id.as_str()).collect();
    assert_eq!(found, ["lost", "lost too", "won"]);
}

#[test]
fn a_broken_filter_keeps_every_pair_and_says_why() {
    let (core, of) = sides();
    let broken = |text: &str| {
        let page = listed(&core, &of, PairsQuery { filter: text.to_owned(), ..Default::default() });
        assert_eq!((page.n_all, page.n_unfiltered), (4, 4), "{text}");
        let error = page.filter.error.unwrap();
        (error.message, error.instead)
    };
    let (message, instead) = broken("chnage:regressed");
    assert!(message.starts_with("There is no field \"chnage\"."), "{message}");
    assert_eq!(instead.as_deref(), Some("change"));
    let (message, instead) = broken("change:regresed");
    assert!(
        message.starts_with("\"regresed\" is not a known change; use one of regressed,"),
        "{message}"
    );
    assert_eq!(instead.as_deref(), Some("regressed"));
    assert_eq!(broken("side:C").0, "\"C\" is not a known side; use one of A, B.");
    assert_eq!(broken("delta<x").0, "delta is compared with a number: -0.2 or -20%.");
    assert_eq!(broken("change~x").0, "change is not a text field: ~ cannot be used with it.");
}

#[test]
fn a_filter_of_cases_says_that_these_words_need_a_comparison() {
    for text in ["change:regressed", "x delta<0", "side:B outcome:error"] {
        let error = text.parse::<Filter>().unwrap_err();
        assert!(error.needs_sides, "{text}");
        assert!(error.message.contains("the pairs of a comparison"), "{}", error.message);
        let about = About::Pairs { sides: ['A', 'B'] };
        let filter = Filter::read(text, about).unwrap();
        assert_eq!(Filter::read(&filter.to_string(), about).unwrap(), filter);
    }
}

#[test]
fn words_alone_may_mean_a_change() {
    let (core, of) = sides();
    let page =
        listed(&core, &of, PairsQuery { filter: "regressed".to_owned(), ..Default::default() });
    assert_eq!(page.filter.by_value.as_deref(), Some("change:regressed"));
}

#[test]
fn completions_know_pairs_and_both_sides() {
    let (core, of) = sides();
    let help = |text: &str| -> FilterHelp {
        let view = CompareView {
            sides: of.sides.iter().map(|side| side.members.clone()).collect(),
            ..CompareView::default()
        };
        let at = u32::try_from(text.len()).unwrap();
        let question = CompareQuestion::Suggest(view, text.to_owned(), at);
        let Ok(Answer::Suggestions(help)) = core.answer(Question::Compare(question)) else {
            panic!("there is help");
        };
        help
    };
    let options = |text: &str| -> Vec<(String, String)> {
        help(text).options.into_iter().map(|one| (one.label, one.note)).collect()
    };
    let is_there = |text: &str, label: &str, note: &str| {
        let found = options(text);
        assert!(found.contains(&(label.to_owned(), note.to_owned())), "{text}: {found:?}");
    };
    is_there("change:re", "regressed", "2 pairs");
    is_there("reg", "change:regressed", "2 pairs");
    is_there("change:", "new", "1 case");
    is_there("outcome:p", "passed", "4 cases");
    assert_eq!(options("side:").len(), 2);
    assert!(options("del").iter().any(|(label, _)| label == "delta<"));
    assert_eq!(help("change:x y").error.map(|error| error.at), Some(7));
}
