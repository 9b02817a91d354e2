//! Repeated trials: cases matched over runs, and what they say together.

// The repeats and attempts of real files, counted apart.
mod fixtures;

use evalglass::model::{CaseRow, CheckRow, Outcome, Run, RunBuilder, RunKey, Verdict};
use evalglass::scoring::{IntervalMethod, TrialTotals, Trials, match_cases, trial_totals, trials};
use evalglass::stats::bootstrap::{N_RESAMPLES, SEED, bootstrap_mean_interval};
use evalglass::stats::{pass_at_k, pass_hat_k};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// A run of `rows`.
fn run_of<'a>(rows: impl IntoIterator<Item = CaseRow<'a>>) -> Run {
    let mut builder = RunBuilder::new(RunKey::default(), "run");
    for row in rows {
        builder.case(row);
    }
    builder.finish()
}

/// A case with an id and an outcome, scored 1 or 0 by it.
fn case(id: &str, outcome: Outcome) -> CaseRow<'_> {
    let score = match outcome {
        Outcome::Passed => Some(1.0),
        Outcome::Failed | Outcome::Error => Some(0.0),
        Outcome::Scored => Some(0.5),
        Outcome::Skipped | Outcome::Unscored => None,
    };
    CaseRow { id: Some(id), score, ..CaseRow::default() }.with_outcome(outcome)
}

fn trials_of(runs: &[Run]) -> Trials {
    trials(&runs.iter().collect::<Vec<&Run>>())
}

fn totals_of(runs: &[Run]) -> TrialTotals {
    trial_totals(&trials_of(runs))
}

#[test]
fn cases_are_matched_by_key_and_repeated_keys_by_order() {
    use Outcome::{Failed, Passed};
    let grouped = |group, row| CaseRow { group: Some(group), ..row };
    let numeric = |row| CaseRow { is_numeric_id: Some(true), ..row };
    let first = run_of([
        grouped("core", case("a", Passed)),
        case("1", Passed),
        numeric(case("1", Failed)),
        case("twice", Passed),
        case("twice", Failed),
    ]);
    let second = run_of([
        numeric(case("1", Passed)),
        case("twice", Failed),
        case("only here", Passed),
        case("twice", Passed),
        case("twice", Passed),
        grouped("error", case("a", Passed)),
        grouped("core", case("a", Failed)),
    ]);
    let matching = match_cases(&[&first, &second]);
    let rows: Vec<[Option<usize>; 2]> =
        (0..matching.len()).map(|at| [matching.row(at, 0), matching.row(at, 1)]).collect();
    assert_eq!(
        rows,
        [
            [Some(0), Some(6)],
            [Some(1), None],
            [Some(2), Some(0)],
            [Some(3), Some(1)],
            [Some(4), Some(3)],
            [None, Some(2)],
            [None, Some(4)],
            [None, Some(5)],
        ]
    );
    assert_eq!((matching.row(0, 2), matching.row(8, 0)), (None, None));
    assert_eq!(matching.rows_of(5).collect::<Vec<_>>(), [(1, 2)]);
    assert!(match_cases(&[]).is_empty());
}

#[test]
fn each_trial_counts_once_and_only_scores_without_error_are_averaged() {
    use Outcome::{Error, Failed, Passed, Skipped, Unscored};
    let scored = |outcome, score, answer| run_of([CaseRow { score, answer, ..case("a", outcome) }]);
    let found = trials_of(&[
        scored(Passed, Some(0.9), Some(7)),
        scored(Failed, Some(0.3), Some(7)),
        scored(Failed, Some(f64::NAN), Some(8)),
        scored(Error, Some(0.0), None),
        scored(Unscored, Some(0.6), Some(7)),
        scored(Skipped, None, None),
        run_of([]),
    ]);
    let [case] = found.cases.as_slice() else { panic!("one case") };
    assert_eq!((case.n_trials, case.n_passed, case.n_failed), (5, 1, 2));
    assert_eq!((case.n_errors, case.n_unscored, case.n_skipped), (1, 1, 1));
    assert_eq!(found.scores_of(0), [0.9, 0.3, 0.6]);
    assert_eq!((case.n_scores, case.min, case.max), (3, Some(0.3), Some(0.9)));
    assert!((case.mean.unwrap() - 0.6).abs() < 1e-15);
    assert!((case.std.unwrap() - 0.3).abs() < 1e-15);
    assert_eq!((case.n_answers, case.agreement), (4, Some(0.75)));
    assert!(!case.is_judged());
}

#[test]
fn one_trial_has_no_spread_and_none_has_nothing() {
    let once = trials_of(&[run_of([case("a", Outcome::Passed), case("b", Outcome::Skipped)])]);
    let [a, b] = once.cases.as_slice() else { panic!("two cases") };
    assert_eq!((a.mean, a.std, a.agreement), (Some(1.0), None, None));
    assert_eq!((b.n_trials, b.mean, b.min, b.is_judged()), (0, None, None, false));
    let totals = trial_totals(&once);
    assert_eq!((totals.n_cases, totals.n_trials, totals.n_skipped), (2, 1, 1));
    assert_eq!(totals.pass.len(), 1);
    assert_eq!((totals.pass[0].n_cases, totals.pass[0].any.ci95), (1, None));
    assert_eq!((totals.steadiness, totals.variance, totals.agreement), (None, None, None));
    let nothing = totals_of(&[]);
    assert_eq!((nothing.n_cases, nothing.pass.len()), (0, 0));
}

#[test]
fn without_a_rule_errors_are_no_failures() {
    use Outcome::{Error, Failed, Unscored};
    let pass = |outcomes: [Outcome; 2]| {
        let runs = outcomes.map(|outcome| run_of([case("a", outcome), case("b", Error)]));
        totals_of(&runs).pass
    };
    assert_eq!(pass([Unscored, Unscored]), []);
    assert_eq!(pass([Unscored, Error]), []);
    // Here a rule judges some, so that b never passes; a cannot be said.
    assert_eq!(pass([Failed, Unscored])[1].n_cases, 1);
    assert_eq!(pass([Error, Error])[1].n_cases, 2);
}

#[test]
fn chances_steadiness_and_intervals_of_a_small_example() {
    use Outcome::{Error, Failed, Passed};
    // Passes of three trials: a 3, b 1, c 0 (one error), d 1 of 2.
    let runs = [
        run_of([case("a", Passed), case("b", Failed), case("c", Failed), case("d", Passed)]),
        run_of([case("c", Error), case("a", Passed), case("b", Passed)]),
        run_of([case("a", Passed), case("b", Failed), case("c", Failed), case("d", Failed)]),
    ];
    let totals = totals_of(&runs);
    assert_eq!((totals.n_cases, totals.n_trials, totals.n_errors), (4, 11, 1));
    let shown: Vec<(u32, u64, f64, f64)> = totals
        .pass
        .iter()
        .map(|pass| (pass.k, pass.n_cases, pass.any.mean, pass.all.mean))
        .collect();
    let third = 1.0 / 3.0;
    let expected = [
        (1, 4, (1.0 + third + 0.0 + 0.5) / 4.0, (1.0 + third + 0.0 + 0.5) / 4.0),
        (2, 4, (1.0 + 2.0 * third + 0.0 + 1.0) / 4.0, 0.25),
        (3, 3, 2.0 * third, third),
    ];
    for (found, expected) in shown.iter().zip(expected) {
        assert_eq!((found.0, found.1), (expected.0, expected.1));
        assert!((found.2 - expected.2).abs() < 1e-15 && (found.3 - expected.3).abs() < 1e-15);
    }
    assert_eq!(shown.len(), 3);
    let method = IntervalMethod::Bootstrap { n_resamples: N_RESAMPLES, seed: SEED };
    assert_eq!(totals.interval_method, method);
    assert!(totals.pass.iter().all(|pass| pass.any.ci95.is_some() && pass.all.ci95.is_some()));
    let steadiness = totals.steadiness.unwrap();
    assert_eq!((steadiness.n_cases, steadiness.n_always), (4, 1));
    assert_eq!((steadiness.n_never, steadiness.n_flicker), (1, 2));
    // Errors have no score: 10 of 11 trials.
    assert_eq!(totals.variance.unwrap().n_values, 10);
}

#[test]
fn more_cases_than_can_be_resampled_get_t_intervals() {
    let repeats = |n_cases: usize| {
        let ids: Vec<String> = (0..n_cases).map(|id| id.to_string()).collect();
        [2, 3].map(|step| {
            let outcome = |at| if at % step == 0 { Outcome::Passed } else { Outcome::Failed };
            run_of(ids.iter().enumerate().map(|(at, id)| case(id, outcome(at))))
        })
    };
    let (few, many) = (totals_of(&repeats(2_500)), totals_of(&repeats(2_501)));
    assert!(matches!(few.interval_method, IntervalMethod::Bootstrap { .. }));
    assert_eq!(many.interval_method, IntervalMethod::StudentT);
    for (few, many) in few.pass.iter().zip(&many.pass) {
        for (few, many) in [(few.any, many.any), (few.all, many.all)] {
            let (few, many) = (few.ci95.unwrap(), many.ci95.unwrap());
            assert!((few.low - many.low).abs() < 2e-3 && (few.high - many.high).abs() < 2e-3);
        }
    }
    // Every case passes: more of the same cannot be told from these.
    let ids: Vec<String> = (0..2_501).map(|id| id.to_string()).collect();
    let all = || run_of(ids.iter().map(|id| case(id, Outcome::Passed)));
    let steady = totals_of(&[all(), all()]);
    assert!(steady.pass.iter().all(|pass| pass.any.mean == 1.0 && pass.any.ci95.is_none()));
}

#[test]
fn many_trials_show_some_of_their_chances_only() {
    let row =
        CaseRow { strategy: Some("mean"), n_attempts: Some(300), ..case("a", Outcome::Passed) };
    let mut builder = RunBuilder::new(RunKey::default(), "run");
    builder.case(row);
    for attempt in 1..=300 {
        let verdict = if attempt % 3 == 0 { Verdict::Passed } else { Verdict::Failed };
        builder.check(CheckRow {
            attempt: Some(attempt),
            name: Some("metric 1"),
            verdict: Some(verdict.as_str()),
            ..CheckRow::default()
        });
    }
    let totals = totals_of(&[builder.finish()]);
    let ks: Vec<u32> = totals.pass.iter().map(|pass| pass.k).collect();
    assert_eq!(ks[..64], (1..=64).collect::<Vec<u32>>());
    assert_eq!(ks[64..], [128, 256, 300]);
    assert_eq!(totals.pass[0].any.mean, 100.0 / 300.0);
}

const OUTCOMES: [Outcome; 3] = [Outcome::Passed, Outcome::Failed, Outcome::Error];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_plain_count_gives_the_same(
        runs in prop::collection::vec(
            prop::collection::vec((0..6_u8, 0..3_usize, 0..3_u64), 0..12),
            1..6,
        ),
    ) {
        // By id and occurrence: passes and answers, counted without matching.
        let mut by_key: BTreeMap<(u8, usize), Vec<(Outcome, u64)>> = BTreeMap::new();
        for run in &runs {
            let mut seen: BTreeMap<u8, usize> = BTreeMap::new();
            for &(id, outcome, answer) in run {
                let occurrence = seen.entry(id).or_default();
                by_key.entry((id, *occurrence)).or_default().push((OUTCOMES[outcome], answer));
                *occurrence += 1;
            }
        }
        let words: Vec<String> = (0..6).map(|id| format!("case {id}")).collect();
        let built: Vec<Run> = runs
            .iter()
            .map(|run| {
                run_of(run.iter().map(|&(id, outcome, answer)| CaseRow {
                    answer: Some(answer),
                    ..case(&words[usize::from(id)], OUTCOMES[outcome])
                }))
            })
            .collect();
        let totals = totals_of(&built);
        prop_assert_eq!(totals.n_cases, by_key.len() as u64);
        let counts: Vec<(u32, u32)> = by_key
            .values()
            .map(|all| {
                let passed = all.iter().filter(|(outcome, _)| *outcome == Outcome::Passed);
                (all.len() as u32, passed.count() as u32)
            })
            .collect();
        let most = counts.iter().map(|(n, _)| *n).max().unwrap_or(0);
        prop_assert_eq!(totals.pass.len(), most as usize);
        for pass in &totals.pass {
            for (found, chance) in [
                (pass.any, pass_at_k as fn(u32, u32, u32) -> Option<f64>),
                (pass.all, pass_hat_k),
            ] {
                let values: Vec<f64> =
                    counts.iter().filter_map(|&(n, c)| chance(n, c, pass.k)).collect();
                prop_assert_eq!(values.len() as u64, pass.n_cases);
                #[expect(clippy::cast_precision_loss)]
                let mean = values.iter().sum::<f64>() / values.len() as f64;
                prop_assert!((found.mean - mean).abs() < 1e-14);
                // Sampled in another order, so alike but not the same.
                let plain = bootstrap_mean_interval(&values, N_RESAMPLES, SEED);
                prop_assert_eq!(found.ci95.is_some(), plain.is_some());
                let within = |end: f64| (0.0..=1.0 + 1e-12).contains(&end);
                prop_assert!(found.ci95.is_none_or(|ci| within(ci.low) && within(ci.high)));
            }
        }
        let shares: Vec<f64> = by_key
            .values()
            .filter(|all| all.len() > 1)
            .map(|all| {
                let n_of = |answer| all.iter().filter(|(_, other)| *other == answer).count();
                let most = (0..3).map(n_of).max().unwrap();
                f64::from(most as u32) / f64::from(all.len() as u32)
            })
            .collect();
        let agreement = totals.agreement;
        prop_assert_eq!(agreement.map_or(0, |found| found.n_cases), shares.len() as u64);
        if let Some(found) = agreement {
            #[expect(clippy::cast_precision_loss)]
            let mean = shares.iter().sum::<f64>() / shares.len() as f64;
            prop_assert!((found.mean - mean).abs() < 1e-14);
            let n_unanimous = shares.iter().filter(|&&share| share == 1.0).count();
            prop_assert_eq!(found.n_unanimous, n_unanimous as u64);
        }
    }

    #[test]
    fn neither_the_order_of_runs_nor_of_cases_changes_the_totals(
        runs in prop::collection::vec(
            prop::collection::btree_map(0..20_u8, 0..3_usize, 0..15),
            1..6,
        ),
    ) {
        let words: Vec<String> = (0..20).map(|id| format!("case {id}")).collect();
        let build = |run: &BTreeMap<u8, usize>, is_turned: bool| {
            let mut rows: Vec<CaseRow<'_>> = run
                .iter()
                .map(|(id, outcome)| case(&words[usize::from(*id)], OUTCOMES[*outcome]))
                .collect();
            if is_turned {
                rows.reverse();
            }
            run_of(rows)
        };
        let straight: Vec<Run> = runs.iter().map(|run| build(run, false)).collect();
        let turned: Vec<Run> = runs.iter().rev().map(|run| build(run, true)).collect();
        let (left, right) = (totals_of(&straight), totals_of(&turned));
        prop_assert_eq!(&left.pass, &right.pass);
        prop_assert_eq!(left.steadiness, right.steadiness);
        let alike = |left: f64, right: f64| (left - right).abs() < 1e-13;
        match (left.variance, right.variance) {
            (Some(left), Some(right)) => {
                prop_assert!(alike(left.within, right.within) && alike(left.between, right.between));
            }
            (left, right) => prop_assert_eq!(left, right),
        }
    }
}
