//! Many evaluations of one file: they come in several messages, in their order.

use super::{Conduct, letta, opened, report_by};
use crate::support::{core_of, file, report_of};
use evalglass::input::Dropped;

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
