//! Many evaluations of one file: they come in several messages, in their order.

use super::{Conduct, letta, opened, report_by};
use crate::support::{core_of, file, fixture, report_of};
use evalglass::dataset::{WriteWish, write};
use evalglass::input::{Dropped, walk_disk};
use evalglass::report::{Target, Topic};
use evalglass::worker::core::Core;
use std::fs;
use std::path::PathBuf;

/// A report of ours over so many evaluations; the one called `long` has many rows.
fn report(n_evaluations: u32, long: Option<u32>) -> Vec<Dropped> {
    let own = |nth: u32| {
        let n_rows = if long == Some(nth) { 1_200 } else { 1 };
        let row = |at: u32| {
            let score = f64::from(nth + at) / 2_000.0;
            letta(score).replace("\"id\": 1", &format!("\"id\": {at}"))
        };
        file(&format!("{nth:03}/results.jsonl"), (0..n_rows).map(row).collect::<String>())
    };
    let all = report_of(&core_of((0..n_evaluations).map(own).collect()));
    vec![file("all.json", all.to_string())]
}

#[test]
fn many_evaluations_of_one_file_come_in_parts_and_in_their_order() {
    // The tables of a long run travel beside the last message: what follows it does not go ahead.
    for (n_evaluations, long, n_ahead) in [
        (250, None, 2),
        (250, Some(249), 2),
        (250, Some(150), 1),
        (250, Some(20), 0),
        (201, None, 2),
        (200, None, 1),
        (100, None, 0),
    ] {
        let files = report(n_evaluations, long);
        let expected = report_of(&core_of(files.clone()));
        assert_eq!(expected["evaluations"].as_array().unwrap().len(), n_evaluations as usize);
        let conduct = Conduct::default();
        let (core, failure, mut pool) = opened(files, conduct.clone());
        assert_eq!(failure, None);
        let what = format!("{n_evaluations} evaluations, long: {long:?}");
        assert_eq!(conduct.n_ahead.get(), n_ahead, "{what}");
        assert!(expected == report_by(&mut pool, &core), "{what}");
    }
}

/// A dataset of `n_small` evaluations of one row and those of fixture folders of several tools, some of which state figures
/// without cases.
fn dataset(n_small: u32) -> Vec<Dropped> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pool-ahead");
    let _ = fs::remove_dir_all(&folder);
    for nth in 0..n_small {
        let own = folder.join(format!("small/{nth:03}"));
        fs::create_dir_all(&own).unwrap();
        fs::write(own.join("results.jsonl"), letta(f64::from(nth) / 500.0)).unwrap();
    }
    let others = [
        "slop-code/g1/runs",
        "letta-evals/0.15.0_logical_multirun",
        "letta-evals/0.26.0_reward_multirun",
        "rebel/edge",
        "junit",
        "guides",
    ];
    let mut paths: Vec<PathBuf> = others.into_iter().map(fixture).collect();
    paths.insert(3, folder.join("small"));
    let dataset = folder.join("evals");
    write(&WriteWish { dataset: dataset.clone(), paths, ..WriteWish::default() }).unwrap();
    walk_disk(&dataset).unwrap().files
}

#[test]
fn evaluations_whose_cases_are_not_read_come_in_a_short_form_that_loses_nothing() {
    let files = dataset(240);
    let expected = core_of(files.clone());
    let conduct = Conduct::default();
    let (core, failure, mut pool) = opened(files, conduct.clone());
    assert_eq!(failure, None);
    assert!(conduct.n_ahead.get() >= 2, "{}", conduct.n_ahead.get());
    // Before a case is read, and with all of them.
    let pages = |core: &Core| {
        let topics = [Topic::Overview(Target::All), Topic::Statistics(Target::All)];
        topics.map(|topic| format!("{:?}", core.sections(topic)))
    };
    assert!(pages(&core) == pages(&expected));
    let audit = |core: &Core| format!("{:?}", core.audit());
    assert!(expected.audit().rows.len() > 300, "{}", expected.audit().rows.len());
    assert!(audit(&core) == audit(&expected));
    assert!(report_of(&expected) == report_by(&mut pool, &core));
}
