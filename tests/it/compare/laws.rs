//! Laws of COMPARE §6 over random sides.

use super::{assert_adds_up, rebel_sides};
use evalglass::model::{CaseRow, Config, Outcome, Run, RunBuilder, RunKey};
use evalglass::report::compare::{Change, MeasureLine, PairOrder, PairsQuery, VerdictIs};
use evalglass::scoring::Rules;
use evalglass::scoring::sides::{PairBy, Side, SideCases, SideRun, Valued, audit, pair, values};
use proptest::prelude::*;

type Cases = Vec<(String, f64, bool)>;

/// Cases that one side or both have.
fn sides() -> impl Strategy<Value = [Cases; 2]> {
    let result = (0_u8..=10, any::<bool>());
    let case = (0_u8..5, result.clone(), result);
    prop::collection::vec(case, 1..30).prop_map(|cases| {
        let mut sides = [Vec::new(), Vec::new()];
        for (at, (place, one, two)) in cases.into_iter().enumerate() {
            let id = format!("case {at}");
            let score = |(score, passed): (u8, bool)| (f64::from(score) / 10.0, passed);
            // Most are on both sides; one on either alone.
            if place != 0 {
                sides[0].push((id.clone(), score(one).0, one.1));
            }
            if place != 1 {
                sides[1].push((id, score(two).0, two.1));
            }
        }
        sides
    })
}

#[track_caller]
fn mirrored(one: &MeasureLine, two: &MeasureLine) {
    assert_eq!(one.measure, two.measure);
    assert_eq!(one.n, two.n);
    assert!((one.difference.0 + two.difference.0).abs() < 1e-12);
    for (left, right) in [(one.ci95, two.ci95), (one.ci95_bootstrap, two.ci95_bootstrap)] {
        assert_eq!(left.is_some(), right.is_some());
        if let (Some([low, high]), Some([other_low, other_high])) = (left, right) {
            assert!((low.0 + other_high.0).abs() < 1e-9, "{one:?} {two:?}");
            assert!((high.0 + other_low.0).abs() < 1e-9, "{one:?} {two:?}");
        }
    }
    assert!((one.p.0 - two.p.0).abs() < 1e-12);
    assert_eq!(one.pairs_needed, two.pairs_needed);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn swapping_mirrors_order_changes_nothing_and_all_adds_up([one, two] in sides()) {
        prop_assume!(!one.is_empty() && !two.is_empty());
        let (core, query) = rebel_sides(&[one.clone(), two.clone()]);
        let found = core.compare(&query).unwrap();
        assert_adds_up(&found);
        let (core, query) = rebel_sides(&[two.clone(), one.clone()]);
        let swapped = core.compare(&query).unwrap();
        let (own, other) = (&found.candidates[0], &swapped.candidates[0]);
        prop_assert_eq!(own.measures.len(), other.measures.len());
        for (line, mirror) in own.measures.iter().zip(&other.measures) {
            mirrored(line, mirror);
        }
        prop_assert_eq!(own.changes.fixed, other.changes.regressed);
        prop_assert_eq!(own.audit.only_baseline, other.audit.only_candidate);

        let turned = |cases: &Cases| cases.iter().rev().cloned().collect::<Cases>();
        let (core, query) = rebel_sides(&[turned(&one), turned(&two)]);
        let turned = core.compare(&query).unwrap();
        for (line, same) in own.measures.iter().zip(&turned.candidates[0].measures) {
            prop_assert!((line.difference.0 - same.difference.0).abs() < 1e-12);
            prop_assert!((line.p.0 - same.p.0).abs() < 1e-12);
            if let (Some(left), Some(right)) = (line.ci95_bootstrap, same.ci95_bootstrap) {
                prop_assert!((left[0].0 - right[0].0).abs() < 1e-9);
            }
        }
        prop_assert_eq!(own.verdict.is, turned.candidates[0].verdict.is);
        prop_assert_eq!(own.changes, turned.candidates[0].changes);
    }

    #[test]
    fn a_side_against_itself_shows_no_difference([one, _] in sides()) {
        prop_assume!(!one.is_empty());
        let (core, query) = rebel_sides(&[one.clone(), one]);
        let found = core.compare(&query).unwrap();
        assert_adds_up(&found);
        let versus = &found.candidates[0];
        prop_assert_eq!(versus.changes.fixed + versus.changes.regressed, 0);
        for line in &versus.measures {
            prop_assert_eq!(line.difference.0, 0.0);
            prop_assert_eq!(line.p.0, 1.0);
            let holds = |ci: Option<[evalglass::scoring::Num; 2]>| {
                ci.is_none_or(|[low, high]| low.0 <= 0.0 && high.0 >= 0.0)
            };
            prop_assert!(holds(line.ci95) && holds(line.ci95_bootstrap));
        }
        prop_assert!(!matches!(versus.verdict.is, VerdictIs::Better | VerdictIs::Worse));
    }
}

#[test]
fn pairs_are_listed_by_their_difference() {
    let case = |id: &str, score: f64, passed| (id.to_owned(), score, passed);
    let one = vec![case("a", 1.0, true), case("b", 0.5, false), case("c", 1.0, true)];
    let two = vec![case("c", 0.0, false), case("a", 1.0, true), case("b", 0.75, true)];
    let (core, query) = rebel_sides(&[one, two]);
    let page = |change, order| {
        let pairs = PairsQuery { side: 1, change, order, n: 10, ..PairsQuery::default() };
        core.compare_pairs(&query, &pairs).unwrap()
    };
    let ids = |page: evalglass::report::compare::PairsPage| {
        page.lines.into_iter().map(|line| line.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(page(Change::Any, PairOrder::WorstFirst)), ["c", "a", "b"]);
    assert_eq!(ids(page(Change::Any, PairOrder::BestFirst)), ["b", "a", "c"]);
    assert_eq!(ids(page(Change::Regressed, PairOrder::AsPaired)), ["c"]);
    assert_eq!(ids(page(Change::Fixed, PairOrder::AsPaired)), ["b"]);
    assert_eq!(page(Change::Changed, PairOrder::AsPaired).n_all, 2);
}

#[test]
fn keys_that_stand_twice_are_paired_by_order_and_counted() {
    let run = |rows: &[(&str, bool, bool)], repeat| {
        let key = RunKey { repeat, ..RunKey::default() };
        let mut run = RunBuilder::new(key, "run");
        for (id, is_number, passed) in rows {
            let row =
                CaseRow { id: Some(id), is_numeric_id: Some(*is_number), ..CaseRow::default() };
            run.case(row.with_outcome(Outcome::of(*passed)));
        }
        run.finish()
    };
    let runs = [
        run(&[("a", false, true), ("a", false, false), ("1", true, true)], 1),
        run(&[("a", false, true), ("a", false, true), ("a", false, true), ("1", false, true)], 1),
        run(&[("a", false, false)], 2),
    ];
    let side = |runs: &[usize], all: &'static [Run]| Side {
        runs: runs.iter().map(|at| SideRun { run: &all[*at], config: config_of() }).collect(),
    };
    let runs: &'static [Run] = Box::leak(Box::new(runs));
    let sides = [side(&[0], runs), side(&[1, 2], runs)];
    let cases: Vec<SideCases> = sides.iter().map(SideCases::new).collect();
    let both: Vec<(&Side<'_>, &SideCases)> = sides.iter().zip(&cases).collect();
    // The third run is a repeat: a second trial of the first of three, which are two duplicates.
    assert_eq!((cases[0].len(), cases[1].len()), (3, 4));
    assert_eq!((cases[1].trials(0), cases[1].trials(1)), (&[0, 4][..], &[1][..]));
    let found = audit(&both, &pair(&both, PairBy::Key, None), 0, 1);
    assert_eq!((found.n_pairs, found.only_baseline, found.only_candidate), (2, 1, 2));
    assert_eq!(found.duplicates, 3);
    // By the id alone, the number 1 and the text are the same.
    let found = audit(&both, &pair(&both, PairBy::Id, None), 0, 1);
    assert_eq!((found.n_pairs, found.only_baseline, found.only_candidate), (3, 0, 1));
    let rules = Rules::default();
    let worth = values(&sides[1], &cases[1], &Valued::PassRate, &rules).unwrap();
    assert_eq!(worth.mean, [0.5, 1.0, 1.0, 1.0]);
    assert!(!worth.is_binary && (worth.own[0] - 0.25).abs() < 1e-12 && worth.own[1].is_nan());
}

fn config_of() -> &'static Config {
    Box::leak(Box::default())
}

#[test]
fn a_pattern_is_taken_out_of_ids_before_they_are_paired() {
    let case = |id: String| (id, 1.0, true);
    let one: Cases = (0..6).map(|at| case(format!("{at}"))).collect();
    let two: Cases = (0..6).map(|at| case(format!("v2/{at}"))).collect();
    let (core, mut query) = rebel_sides(&[one, two]);
    let none = core.compare(&query).unwrap();
    assert_eq!(none.candidates[0].audit.n_pairs, 0);
    assert_eq!(none.candidates[0].verdict.is, VerdictIs::CannotTell);
    assert!(none.candidates[0].audit_words[0].starts_with("No pairs"));
    for pattern in ["^v2/", "^v[0-9]/"] {
        query.strip = pattern.to_owned();
        assert_eq!(core.compare(&query).unwrap().candidates[0].audit.n_pairs, 6, "{pattern}");
    }
    query.strip = "(".to_owned();
    assert!(core.compare(&query).unwrap().complaint.is_some());
}

#[test]
fn three_sides_are_ranked() {
    let side = |share: u32| -> Cases {
        (0..60).map(|at| (format!("case {at}"), 1.0, at % 10 < share)).collect()
    };
    let (core, query) = rebel_sides(&[side(3), side(9), side(9), side(8)]);
    let found = core.compare_ranks(&query).unwrap();
    assert_eq!(found.n, 60);
    let order: Vec<usize> = found.lines.iter().map(|line| line.side).collect();
    assert_eq!(order, [1, 2, 3, 0]);
    assert_eq!(found.matrix.len(), 6);
    for line in &found.lines {
        let all: f64 = line.chances.iter().map(|chance| chance.0).sum();
        assert!((all - 1.0).abs() < 1e-9, "{line:?}");
    }
    // The two that are alike share a letter, and not with the one far behind.
    assert_eq!(found.lines[0].letters, found.lines[1].letters);
    assert!(!found.lines[3].letters.contains(&found.lines[0].letters));
    assert!(core.compare_ranks(&Default::default()).is_none());
}
