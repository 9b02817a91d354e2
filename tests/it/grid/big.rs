//! Many cases: right at a size that a test can wait for, and quick at a million.
//!
//! `cargo test --release --test it -- --ignored --nocapture a_million` prints the times.

use evalglass::model::{CaseRow, CheckRow, Config, Evaluation, Outcome, RunBuilder, RunKey};
use evalglass::readers::{Bundle, BundlePart, Import, Imported, Marks, PRODUCERS};
use evalglass::report::{
    CaseLine, CaseQuery, Name, NeighboursQuery, SortKey, case_page, facets, neighbours,
    order_more_cases,
};
use evalglass::workspace::Workspace;
use std::time::Instant;

/// A workspace with `n_cases` cases over four runs: every figure follows from the number of the case.
fn workspace(n_cases: u32) -> Workspace {
    let mut runs = Vec::new();
    for run in 0..4 {
        let key = RunKey {
            suite: Some("generated".to_owned()),
            subject: Some(format!("model-{}", run / 2)),
            repeat: run % 2 + 1,
            ..RunKey::default()
        };
        let mut builder = RunBuilder::new(key, format!("run {run}"));
        for nth in (run..n_cases).step_by(4) {
            let (id, group) = (format!("case_{}", mixed(nth)), format!("group-{:02}", nth % 40));
            let message = (nth % 50 == 0).then(|| {
                format!("TimeoutError: no answer within {} s of the wall clock", nth % 97)
            });
            let outcome = match nth % 50 {
                0 => Outcome::Error,
                rest if rest % 3 == 0 => Outcome::Failed,
                _ => Outcome::Passed,
            };
            builder.case(
                CaseRow {
                    id: Some(&id),
                    group: Some(&group),
                    kind: Some(if nth % 5 == 0 { "Regression" } else { "Core" }),
                    score: (nth % 50 != 0).then(|| f64::from(mixed(nth) % 1_000) / 1_000.0),
                    duration_secs: Some(f64::from(mixed(nth) % 60_000) / 1_000.0),
                    prompt_tokens: Some(f64::from(mixed(nth) % 20_000)),
                    cost_usd: Some(f64::from(mixed(nth) % 9_000) / 1e6),
                    error_category: message.is_some().then_some("target"),
                    error_message: message.as_deref(),
                    ..CaseRow::default()
                }
                .with_outcome(outcome),
            );
            for name in ["accuracy", "quality"] {
                builder.check(CheckRow {
                    attempt: Some(1),
                    name: Some(name),
                    score: Some(f64::from(mixed(nth) % 11) / 10.0),
                    is_correct: Some(mixed(nth) % 11 > 5),
                    ..CheckRow::default()
                });
            }
        }
        runs.push(builder.finish());
    }
    let evaluation = Evaluation {
        producer: "letta-evals".into(),
        generation: "E".to_owned(),
        path: "generated".to_owned(),
        label: "generated".to_owned(),
        suite: None,
        config: Config::default(),
        declared: Vec::new(),
        unchecked: Vec::new(),
        declared_json: serde_json::Value::Null,
        rows: Vec::new(),
        runs,
        sources: Vec::new(),
    };
    let bundle = Bundle { path: "generated".to_owned(), files: Vec::new() };
    let producer = PRODUCERS[0];
    let import = Import {
        producer,
        bundle,
        part: BundlePart::default(),
        evaluation,
        notes: Vec::new(),
        notes_beside: Vec::new(),
        stored: None,
        marks: Marks::default(),
    };
    let mut workspace = Workspace::default();
    workspace.add(Imported { imports: vec![import], ..Imported::default() });
    workspace
}

/// A number that has little to do with `nth`, but is the same every time.
fn mixed(nth: u32) -> u32 {
    nth.wrapping_mul(2_654_435_761) >> 8
}

fn query(filter: &str, sort: &[(SortKey, bool)]) -> CaseQuery {
    CaseQuery {
        filter: filter.to_owned(),
        sort: sort.to_vec(),
        limit: 1_000,
        ..CaseQuery::default()
    }
}

#[test]
fn many_cases_are_counted_and_sorted_right() {
    const N: u32 = 30_000;
    let workspace = workspace(N);
    let count = |is_kept: &dyn Fn(u32) -> bool| (0..N).filter(|nth| is_kept(*nth)).count() as u64;
    let n_matching = |filter: &str| case_page(&workspace, &query(filter, &[])).unwrap().n_matching;
    assert_eq!(n_matching("has:error"), count(&|nth| nth % 50 == 0));
    assert_eq!(
        n_matching("group:group-07 model:model-1"),
        count(&|nth| nth % 40 == 7 && nth % 4 > 1)
    );
    assert_eq!(n_matching("score<0.25"), count(&|nth| nth % 50 != 0 && mixed(nth) % 1_000 < 250));
    assert_eq!(
        n_matching("error~\"within 9 s\" or repeat:2"),
        count(&|nth| { nth % 2 == 1 || (nth % 50 == 0 && nth % 97 == 9) })
    );
    assert_eq!(n_matching("metric.quality>=0.9"), count(&|nth| mixed(nth) % 11 >= 9));
    assert_eq!(n_matching("checks>0"), count(&|nth| mixed(nth) % 11 <= 5));
    for key in [SortKey::Score, SortKey::Id, SortKey::Group] {
        for is_descending in [false, true] {
            let page =
                case_page(&workspace, &query("-has:error", &[(key, is_descending)])).unwrap();
            let sorted = page.rows.is_sorted_by(|left, right| {
                let number = |id: &str| id.trim_start_matches("case_").parse::<u32>().unwrap();
                let order = match key {
                    SortKey::Score => left.score.unwrap().0.total_cmp(&right.score.unwrap().0),
                    SortKey::Id => number(&left.id).cmp(&number(&right.id)),
                    _ => left.group.cmp(&right.group),
                };
                if is_descending { order.is_ge() } else { order.is_le() }
            });
            assert!(sorted, "{key:?} {is_descending}");
        }
    }
    let facets = facets(&workspace, &query("kind:Core", &[])).unwrap();
    let groups = facets.facets.iter().find(|facet| facet.field == "group").unwrap();
    assert_eq!((groups.values.len(), groups.n_hidden), (32, 0), "a fifth is Regression only");
}

/// The order that `sort` means, by comparing rows one by one.
fn compared(rows: &mut [CaseLine], sort: &[(SortKey, bool)]) {
    let number = |line: &CaseLine, key: SortKey| match key {
        SortKey::Score => line.score.map(|score| score.0),
        SortKey::Duration => line.duration_secs.map(|secs| secs.0),
        SortKey::Cost => line.cost_usd.map(|cost| cost.0),
        SortKey::FailedChecks => Some(line.n_failed_checks as f64),
        SortKey::Repeat => Some(f64::from(line.repeat)),
        SortKey::Outcome => Some(match line.outcome {
            Outcome::Failed => 1.0,
            Outcome::Error => 2.0,
            _ => 6.0,
        }),
        SortKey::Id => line.id.trim_start_matches("case_").parse().ok(),
        // All messages are alike up to the number of seconds.
        SortKey::Error => {
            line.error.as_deref().and_then(|error| error.split(' ').nth(4)?.parse().ok())
        }
        _ => unreachable!("{key:?}"),
    };
    for (key, is_descending) in sort.iter().rev() {
        rows.sort_by(|left, right| {
            let (left, right) = (number(left, *key), number(right, *key));
            match (left, right) {
                (Some(left), Some(right)) if *is_descending => right.total_cmp(&left),
                (Some(left), Some(right)) => left.total_cmp(&right),
                (left, right) => left.is_none().cmp(&right.is_none()),
            }
        });
    }
}

#[test]
fn first_rows_and_later_ones_are_those_of_one_order() {
    const N: u32 = 30_000;
    let of_file = |workspace: &Workspace, filter: &str| -> Vec<CaseLine> {
        let page = |offset| {
            case_page(workspace, &CaseQuery { offset, ..query(filter, &[]) }).unwrap().rows
        };
        (0..u64::from(N)).step_by(1_000).flat_map(page).collect()
    };
    let sorts: [&[(SortKey, bool)]; 12] = [
        &[(SortKey::Score, false)],
        &[(SortKey::Score, true)],
        &[(SortKey::Duration, false)],
        &[(SortKey::Outcome, false), (SortKey::Score, true)],
        &[(SortKey::Outcome, true), (SortKey::Score, false), (SortKey::Id, true)],
        &[(SortKey::FailedChecks, true), (SortKey::Repeat, false)],
        &[(SortKey::Repeat, true)],
        &[(SortKey::Id, false)],
        &[(SortKey::Id, true), (SortKey::Score, false)],
        &[(SortKey::Error, false), (SortKey::Cost, true)],
        &[(SortKey::Error, true)],
        &[(SortKey::FailedChecks, false), (SortKey::Error, true), (SortKey::Cost, false)],
    ];
    let workspace = workspace(N);
    for filter in ["", "-has:error"] {
        let rows = of_file(&workspace, filter);
        for sort in sorts {
            let mut expected = rows.clone();
            compared(&mut expected, sort);
            // In the middle last: what was put in order for the end is in order there too.
            for offset in [0, 1_000, 1_990, 29_000, 15_000] {
                let page =
                    case_page(&workspace, &CaseQuery { offset, ..query(filter, sort) }).unwrap();
                let wanted = expected.iter().skip(offset as usize).take(1_000);
                assert!(page.rows.iter().eq(wanted), "{filter} {sort:?} from {offset}");
                assert_eq!(page.n_matching, rows.len() as u64);
            }
            // The other order is forgotten: here is one that knows its first rows only.
            case_page(&workspace, &query(filter, &[])).unwrap();
            for at in [3, 1_999, 25_000] {
                let line = &expected[at];
                let asked = NeighboursQuery {
                    query: query(filter, sort),
                    run: line.run,
                    case: Name::Key(workspace.case_name(line.run, line.case_idx).unwrap()),
                    is_failures_only: false,
                };
                let found = neighbours(&workspace, &asked).unwrap();
                assert_eq!(found.at, Some(at as u64), "{filter} {sort:?}");
                let key = |at: usize| {
                    let line = &expected[at];
                    workspace.case_name(line.run, line.case_idx)
                };
                assert_eq!(found.previous.map(|case| case.key), key(at - 1));
                assert_eq!(found.next.map(|case| case.key), key(at + 1));
            }
        }
    }
}

#[test]
fn rows_that_were_put_in_order_bit_by_bit_are_those_of_one_order() {
    const N: u64 = 30_000;
    let workspace = workspace(N as u32);
    let rows = |sort: &[(SortKey, bool)]| -> Vec<CaseLine> {
        let page =
            |offset| case_page(&workspace, &CaseQuery { offset, ..query("", sort) }).unwrap().rows;
        (0..N).step_by(1_000).flat_map(page).collect()
    };
    assert!(!order_more_cases(&workspace), "nothing was asked for");
    let of_file = rows(&[]);
    assert!(!order_more_cases(&workspace), "the order of the files is there");
    for sort in [
        &[(SortKey::Score, true)][..],
        &[(SortKey::Outcome, false), (SortKey::Id, false)],
        &[(SortKey::Error, true), (SortKey::Cost, false)],
    ] {
        let mut expected = of_file.clone();
        compared(&mut expected, sort);
        case_page(&workspace, &query("", sort)).unwrap();
        let n_steps = std::iter::repeat_with(|| order_more_cases(&workspace))
            .take_while(|has_more| *has_more)
            .count();
        // Those that are alike by a column of texts are put in order together.
        assert!(n_steps > 0 || sort.len() > 1, "more than one step");
        assert!(rows(sort) == expected, "{sort:?}");
        // What was put in order in part, and for the rest at once.
        case_page(&workspace, &query("has:error", sort)).unwrap();
        case_page(&workspace, &query("", sort)).unwrap();
        order_more_cases(&workspace);
        assert!(rows(sort) == expected, "{sort:?}");
    }
}

#[test]
#[ignore = "it measures, and means something only when it is optimised"]
fn a_million_cases_are_filtered_and_sorted_within_the_budget() {
    let workspace = workspace(1_000_000);
    let timed = |what: &str, run: &dyn Fn()| {
        let started = Instant::now();
        run();
        let millis = started.elapsed().as_secs_f64() * 1e3;
        println!("{millis:7.1} ms  {what}");
        (what.to_owned(), millis)
    };
    let mut times = Vec::new();
    for filter in [
        "",
        "outcome:failed",
        "timeout",
        "case_12 or -group:group-07",
        "score<0.5 duration>10s cost<$0.005",
        "metric.quality<0.5 checks>0",
        "error~timeout kind:Core outcome:error,failed model:model-1",
    ] {
        let run = || drop(case_page(&workspace, &query(filter, &[])).unwrap());
        times.push(timed(&format!("filter {filter:?}"), &run));
    }
    for sort in [
        &[(SortKey::Id, false)][..],
        &[(SortKey::Id, true)],
        &[(SortKey::Score, true)],
        &[(SortKey::Group, false)],
        &[(SortKey::Error, false)],
        &[(SortKey::Outcome, false)],
        &[(SortKey::FailedChecks, true)],
        &[(SortKey::Group, false), (SortKey::Score, true)],
    ] {
        let run = || drop(case_page(&workspace, &query("", sort)).unwrap());
        times.push(timed(&format!("sort {sort:?}"), &run));
    }
    let rows = CaseQuery { offset: 500_000, limit: 64, ..query("", &[]) };
    case_page(&workspace, &rows).unwrap();
    times.push(timed("a block of rows", &|| drop(case_page(&workspace, &rows).unwrap())));
    timed("facets", &|| drop(facets(&workspace, &query("", &[])).unwrap()));
    timed("facets of a filter", &|| {
        drop(facets(&workspace, &query("outcome:failed score<0.5 group:group-07", &[])).unwrap());
    });
    let late: Vec<_> = times.iter().filter(|(_, millis)| *millis > 150.0).collect();
    assert!(late.is_empty(), "over 150 ms: {late:?}");
}
