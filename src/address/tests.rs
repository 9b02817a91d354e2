//! Addresses there and back, older ones, and hostile ones.

use super::*;
use crate::report::compare::{Came, Change, PairBy, PairOrder, PartBy};
use crate::report::{
    Across, ColumnRole, HowName, Link, MappingFile, Measure, Name, Outcome, Role, RunRef, SortKey,
    Target,
};
use proptest::prelude::*;

/// Evaluations with their numbers and runs.
#[derive(Debug, Clone, Default)]
struct Open(Vec<(u32, String, Vec<String>)>);

impl OpenNames for Open {
    fn evaluation(&self, nth: usize) -> Option<(u32, &str)> {
        self.0.get(nth).map(|(id, key, _)| (*id, key.as_str()))
    }

    fn run(&self, id: u32, nth: usize) -> Option<&str> {
        let (_, _, runs) = self.0.iter().find(|(known, _, _)| *known == id)?;
        runs.get(nth).map(String::as_str)
    }

    fn case(&self, _run: RunRef, case_idx: u64) -> Option<String> {
        (case_idx < 100).then(|| format!("core/id {case_idx}"))
    }
}

fn open(keys: &[&str]) -> Open {
    let runs = || vec!["tide/gpt-4".to_owned(), "tide/gpt-4/2".to_owned()];
    let numbered = keys.iter().zip(4..);
    Open(numbered.map(|(key, id)| (id, (*key).to_owned(), runs())).collect())
}

const KEY: &str = "letta-evals:runs/mini";
const RUN: RunRef = RunRef { evaluation: 4, run: 1 };

fn case_of(run: RunRef, key: &str) -> CasePlace {
    CasePlace { run, case: Name::Key(key.to_owned()), at: None, spot: String::new() }
}

#[test]
fn an_address_is_words_that_can_be_read() {
    let names = open(&[KEY]);
    let route = Route {
        page: Page::Cases,
        target: Target::Run(RUN),
        text: "outcome:failed score<0.5".to_owned(),
        sort: vec![(SortKey::Score, true), (SortKey::Id, false)],
        case: Some(CasePlace { at: Some(4), spot: "12".to_owned(), ..case_of(RUN, "core/a b~2") }),
        rules: vec![("policy".to_owned(), "all-cases".to_owned())],
        ..Route::default()
    };
    let hash = route.to_hash(&names);
    assert_eq!(
        hash,
        "#/2/cases?of=letta-evals:runs/mini&run=tide/gpt-4/2&find=outcome:failed%20score%3C0.5\
         &by=-score,id&case=core/a%20b~2&at=4&msg=12&set.policy=all-cases"
    );
    assert_eq!(Route::from_hash(&hash, &names), route);
    // A case over the table of everything says where it lies.
    let route = Route { target: Target::All, how: None, rules: Vec::new(), ..route };
    let hash = route.to_hash(&names);
    assert!(hash.contains("&case.of=letta-evals:runs/mini&case.run=tide/gpt-4/2&case="), "{hash}");
    assert_eq!(Route::from_hash(&hash, &names), route);
}

#[test]
fn defaults_stay_out_of_the_address() {
    let names = open(&[KEY]);
    assert_eq!(Route::default().to_hash(&names), "#/2/overview");
    let route = Route { target: Target::Evaluation(4), ..Route::default() };
    assert_eq!(route.to_hash(&names), "#/2/overview?of=letta-evals:runs/mini");
    let how = |how, target| Route { how: Some(how), target, ..Route::default() };
    let evaluation = HowName::Evaluation(4);
    assert!(how(evaluation.clone(), Target::Run(RUN)).to_hash(&names).ends_with("&how=evaluation"));
    assert!(
        how(evaluation, Target::All)
            .to_hash(&names)
            .ends_with("?how.of=letta-evals:runs/mini&how=evaluation")
    );
    let gone = Route { target: Target::Evaluation(9), ..Route::default() };
    assert_eq!(gone.to_hash(&names), "#/2/overview");
}

#[test]
fn foreign_addresses_give_the_first_page() {
    let names = open(&[KEY]);
    for hash in [
        "",
        "#",
        "#overview",
        "#9/cases",
        "#2/nowhere",
        "#1/overview?of=x&case=1&by=%",
        "#/2/overview?run=a&case=b&case.run=c&how=group:d&msg=3&how.of",
        "#/2/?how=what&part=A",
    ] {
        assert_eq!(Route::from_hash(hash, &names), Route::default(), "{hash}");
    }
    assert_eq!(Route::from_hash("#/2/cases?find=%zz%4%+5", &names).text, "%zz%4%+5");
    assert_eq!(Route::from_hash("#2/cases?find=old", &names).text, "old");
    let long = "x".repeat(4_097);
    assert_eq!(Route::from_hash(&format!("#/2/audit?of={long}"), &names).missing, None);
    let longer = "x".repeat(100_000);
    assert_eq!(Route::from_hash(&format!("#/2/audit?find={longer}"), &names), Route::default());
}

#[test]
fn an_evaluation_is_found_by_the_end_of_its_path_but_never_guessed() {
    let target = |hash: &str, keys: &[&str]| {
        let route = Route::from_hash(&format!("#/2/overview?of={hash}"), &open(keys));
        route.missing.as_ref().map_or(Ok(route.target), |missing| Err(missing.why))
    };
    let first = Ok(Target::Evaluation(4));
    assert_eq!(target("p:a/b", &["p:a/b", "p:x/a/b"]), first, "exactly");
    assert_eq!(target("p:a/b", &["p:x/a/b", "p:b2"]), first, "a folder above was dropped");
    assert_eq!(target("p:x/a/b", &["p:b", "q:b"]), first, "a folder below was dropped");
    assert_eq!(target("p:x/a/b", &["p:b", "p:a/b"]), Err(Unfound::Several));
    assert_eq!(target("p:a/b", &["q:a/b", "p:aa/b2", "p:xa/b", "p:"]), Err(Unfound::Evaluation));
    assert_eq!(target("p:", &["p:a"]), Err(Unfound::Evaluation));
    assert_eq!(target("p:a&run=tide/gpt-5", &["p:a"]), Err(Unfound::Run));
    assert_eq!(target("p:a&run=tide/gpt-4", &["p:a"]), Ok(Target::Run(RunRef { run: 0, ..RUN })));
}

#[test]
fn what_is_not_open_is_kept_until_it_is() {
    let hash =
        "#/2/cases?of=p:a/b&find=x&case.run=tide/gpt-4/2&case=core/1&at=3&msg=7&set.policy=any";
    let early = Route::from_hash(hash, &());
    assert_eq!((early.target, early.text.as_str()), (Target::All, "x"));
    assert_eq!(early.to_hash(&()), hash, "it stays in the address");
    let missing = early.missing.as_ref().unwrap();
    assert_eq!(
        missing.words(),
        [
            "This link leads to case “core/1” of run “tide/gpt-4/2” in evaluation “p:a/b”. It is not open.",
            "Drop the folder or file that holds “a/b”.",
        ]
    );
    let other = open(&["p:c"]);
    assert_eq!(early.carried(&(), &other), early, "something else was opened");
    let found = early.carried(&other, &open(&["p:c", "p:x/a/b"]));
    assert_eq!((found.target, &found.missing), (Target::Evaluation(5), &None));
    let case = found.case.unwrap();
    assert_eq!((case.run, case.spot.as_str()), (RunRef { evaluation: 5, run: 1 }, "7"));
    // Numbers change, names stay.
    let open_case = Route { case: Some(case_of(RUN, "k")), ..Route::default() };
    let later = open_case.carried(&open(&[KEY]), &open(&["p:c", KEY]));
    assert_eq!(later.case.unwrap().run, RunRef { evaluation: 5, run: 1 });
}

#[test]
fn links_name_cases_and_scores() {
    let names = open(&[KEY]);
    let of_link = |link| Route::of_link(&link, Page::Failures, Target::All, &names);
    let case = of_link(Link::Case { run: RUN, case_idx: 17 }).case.unwrap();
    assert_eq!(case.case, Name::Key("core/id 17".to_owned()));
    let how = of_link(Link::How(crate::report::How::Case { run: RUN, case_idx: 17 }));
    assert!(how.to_hash(&names).ends_with("&how=case:core/id%2017"), "{}", how.to_hash(&names));
    assert_eq!(Route::from_hash(&how.to_hash(&names), &names), how);
    assert_eq!(of_link(Link::Find("KeyError: x".to_owned())).text, "\"KeyError: x\"");
    assert_eq!(of_link(Link::Find("timeout".to_owned())).text, "timeout");
    assert_eq!(of_link(Link::Filter("score<1".to_owned())).text, "score<1");
}

#[test]
fn a_rule_is_set_once_and_taken_back() {
    let mut route = Route::default();
    route.set_rule("policy", Some("any".to_owned()));
    route.set_rule("policy", Some("all-cases".to_owned()));
    assert_eq!(route.to_hash(&()), "#/2/overview?set.policy=all-cases");
    route.set_rule("policy", None);
    route.set_rule("errors", None);
    assert_eq!(route, Route::default());
}

fn name() -> impl Strategy<Value = Name> {
    prop_oneof![any::<u64>().prop_map(Name::Place), ".{0,12}".prop_map(|text| Name::parse(&text))]
}

/// A comparison without sides.
fn compared() -> impl Strategy<Value = CompareView> {
    let change = prop::sample::select(vec![
        Change::Any,
        Change::Regressed,
        Change::OnlyCandidate,
        Change::From(Came::Out(Outcome::Passed), Came::Mixed),
    ]);
    let by = prop::sample::select(vec![None, Some(PairBy::Id), Some(PairBy::Input)]);
    let within = prop::option::of(".{0,8}".prop_map(|name| (PartBy::Kind, name)));
    let order = prop::sample::select(vec![PairOrder::WorstFirst, PairOrder::LargestFirst]);
    let against = prop::sample::select(vec![0_usize, 2, 25]);
    let is = (any::<bool>(), any::<bool>());
    ((change, by, within, order), ".{0,8}", ".{0,8}", ".{0,8}", against, is).prop_map(
        |((change, by, within, order), strip, margin, filter, against, is)| {
            let (without_changed, is_different) = is;
            CompareView {
                sides: Vec::new(),
                by,
                strip,
                margin,
                without_changed,
                against,
                change,
                within,
                is_different,
                filter,
                order,
            }
        },
    )
}

fn route(names: &Open) -> impl Strategy<Value = Route> + use<> {
    let runs: Vec<RunRef> = names
        .0
        .iter()
        .flat_map(|(id, _, runs)| {
            (0..runs.len()).map(|run| RunRef { evaluation: *id, run: run as u32 })
        })
        .collect();
    let run = prop::sample::select(runs);
    let target = prop_oneof![
        Just(Target::All),
        run.clone().prop_map(|run| Target::Evaluation(run.evaluation)),
        run.clone().prop_map(Target::Run),
    ];
    let spot = prop_oneof![Just(String::new()), "[0-9]{1,5}", "[a-z-]{1,12}"];
    let member = prop_oneof![
        run.clone().prop_map(|run| Target::Evaluation(run.evaluation)),
        run.clone().prop_map(Target::Run),
    ];
    let sides = prop::collection::vec(prop::collection::vec(member, 1..4), 0..4);
    let compared = (sides, compared());
    let compared = compared.prop_map(|(sides, view)| CompareView { sides, ..view });
    let case = (run.clone(), name(), any::<Option<u64>>(), spot)
        .prop_map(|(run, case, at, spot)| CasePlace { run, case, at, spot });
    let how = (run, name(), 0..4).prop_map(|(run, name, part)| match part {
        0 => HowName::Evaluation(run.evaluation),
        1 => HowName::Run(run),
        2 => HowName::Group { run, group: name },
        _ => HowName::Case { run, case: name },
    });
    let sortable: Vec<SortKey> =
        SortKey::COLUMNS.into_iter().filter(|key| key.is_sortable()).collect();
    let sort = prop::collection::vec((prop::sample::select(sortable), any::<bool>()), 0..2);
    let columns = prop::collection::vec(prop::sample::select(&SortKey::COLUMNS[..]), 0..4);
    let heat = prop::sample::select(vec![None, Some(Across::Runs), Some(Across::Attempts)]);
    let page = prop::sample::select(&Page::ALL[..]);
    let rules = prop::collection::vec((".{0,8}", ".{0,8}"), 0..3);
    let look = (page, ".{0,20}", sort, columns, heat, rules, any::<bool>());
    (look, target, prop::option::of(case), prop::option::of(how), compared).prop_map(
        |((page, text, sort, columns, heat, rules, shows_agreeing), target, case, how, compare)| {
            let column = ColumnRole {
                name: text.clone(),
                role: Role::Score,
                unit: None,
                less_is_better: false,
            };
            let confirmed =
                MappingFile { evalglass_mapping: 1, confirmed: true, ..MappingFile::default() };
            let file = MappingFile { columns: vec![column], ..confirmed };
            Route {
                roles: if shows_agreeing { vec![file] } else { Vec::new() },
                compare: if page == Page::Compare { compare } else { CompareView::default() },
                sql: if page == Page::Sql { text.clone() } else { String::new() },
                page,
                target,
                text,
                sort,
                columns,
                heat,
                measure: Measure::Cost,
                case,
                how,
                rules,
                shows_agreeing,
                spot: String::new(),
                missing: None,
            }
        },
    )
}

/// Keys that differ, with numbers that are not their places.
fn names() -> impl Strategy<Value = Open> {
    let keys = |n| prop::collection::hash_set(".{0,10}", 1..n);
    prop::collection::vec(keys(4), 1..4).prop_flat_map(move |runs| {
        let n = runs.len();
        (prop::collection::hash_set("[a-z:/&=#%é]{0,8}", n..=n), Just(runs)).prop_map(
            |(keys, runs)| {
                let runs = runs.into_iter().map(|keys| {
                    let plain = |key: String| key.replace('~', "~~");
                    keys.into_iter().map(plain).collect::<std::collections::BTreeSet<_>>()
                });
                let all = keys.into_iter().zip(runs).zip((0..9).rev());
                Open(all.map(|((key, runs), id)| (id, key, runs.into_iter().collect())).collect())
            },
        )
    })
}

#[test]
fn a_comparison_names_its_sides() {
    let names = open(&[KEY, "letta-evals:runs/maxi"]);
    let (one, two) = (Target::Run(RUN), Target::Evaluation(5));
    let compare = CompareView {
        sides: vec![vec![one], vec![two, Target::Run(RunRef { run: 0, ..RUN }), one]],
        margin: "0.01".to_owned(),
        change: Change::From(Came::Out(Outcome::Passed), Came::Out(Outcome::Failed)),
        ..CompareView::default()
    };
    let route = Route { page: Page::Compare, compare, ..Route::default() };
    let hash = route.to_hash(&names);
    assert_eq!(
        hash,
        "#/2/compare?side=letta-evals:runs/mini&side.run=tide/gpt-4/2&side=letta-evals:runs/maxi\
         &side.and=letta-evals:runs/mini&side.run=tide/gpt-4&side.run=tide/gpt-4/2&margin=0.01&change=passed:failed"
    );
    assert_eq!(Route::from_hash(&hash, &names), route);
    let filtered = ["&where=change:regressed%20side:B", "&find-pair=a%20b"]
        .map(|filter| Route::from_hash(&[&hash, filter].concat(), &names).compare.filter);
    assert_eq!(filtered, ["change:regressed side:B", "id~\"a b\""], "as addresses once had it");
    // Elsewhere the sides stay out of the address.
    assert_eq!(Route { page: Page::Cases, ..route }.to_hash(&names), "#/2/cases");
    let early = Route::from_hash(&hash, &open(&[KEY]));
    let words = early.missing.as_ref().unwrap().words();
    assert!(words[0].contains("evaluation “letta-evals:runs/maxi”"), "{words:?}");
    assert_eq!(early.to_hash(&names), hash);
}

proptest! {
    #[test]
    fn every_view_reads_back_from_its_address(
        (names, route) in names().prop_flat_map(|names| (Just(names.clone()), route(&names)))
    ) {
        let hash = route.to_hash(&names);
        prop_assert_eq!(Route::from_hash(&hash, &names), route.clone(), "{}", hash);
        // Before anything is open it is kept as it is.
        prop_assert_eq!(Route::from_hash(&hash, &()).to_hash(&()), hash.clone());
        prop_assert_eq!(Route::from_hash(&hash, &()).carried(&(), &names), route, "{}", hash);
    }

    #[test]
    fn no_text_is_too_strange(
        text in prop_oneof![
            ".{0,80}",
            "#?/?[12]/(cases|compare|audit|x)?[?]((of|side|side[.]run|side[.]and|against|change|run|case|case[.]of|case[.]run|how|how[.]of|how[.]run|msg|at|by|set[.]x|only|down)(=[a-z0-9~:/.%g-]{0,9})?&?){0,9}",
        ]
    ) {
        for names in [open(&[]), open(&["a:b", "a:c/b"])] {
            let route = Route::from_hash(&text, &names);
            let hash = route.to_hash(&names);
            prop_assert_eq!(Route::from_hash(&hash, &names), route.clone(), "{}", hash);
            if let Some(missing) = &route.missing {
                prop_assert!(missing.words().iter().all(|words| words.ends_with('.')));
            }
        }
    }
}
