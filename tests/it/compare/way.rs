//! Metrics of which lower is better: a comparison of them is that of their opposites with better and worse as they are.

use super::{assert_adds_up, side};
use crate::support::{core_of, file, report_of};
use evalglass::report::compare::{
    BetterDirection, Change, CompareQuery, Comparison, Guard, PairOrder, PairsQuery, VerdictIs,
};
use evalglass::worker::core::Core;

/// Word error rates of three models over 40 cases: B is the lowest, C the highest.
fn rates(model: usize) -> Vec<f64> {
    let part = |n: usize| f64::from(u32::try_from(n).unwrap()) / 100.0;
    let shift = [0.25, 0.1, 0.4];
    (0..40).map(|case| shift[model] + part(case * 37 % 11) + part(case * (model + 3) % 7)).collect()
}

/// The rates of each model in a folder of its own, times `sign`, with a mapping file that says which way is better.
fn sides(sign: f64, is_less: bool) -> (Core, CompareQuery) {
    let folders = ["A", "B", "C"];
    let mut files = Vec::new();
    for (model, folder) in folders.iter().enumerate() {
        let rows = rates(model).into_iter().enumerate();
        // Beyond 1, so that neither is a share.
        let rows: Vec<String> =
            rows.map(|(id, rate)| format!("c{id},{}", sign * (rate + 1.0))).collect();
        files.push(file(&format!("{folder}/wer.csv"), format!("id,wer\n{}\n", rows.join("\n"))));
        let mapping = format!(
            r#"{{"evalglass_mapping": 1, "columns": [{{"name": "id", "role": "id"}},
                {{"name": "wer", "role": "score", "less_is_better": {is_less}}}]}}"#
        );
        files.push(file(&format!("{folder}/columns.json"), mapping));
    }
    let core = core_of(files);
    let sides = folders.iter().map(|folder| side(&core, folder, None)).collect();
    (core, CompareQuery { sides, ..CompareQuery::default() })
}

fn compared(core: &Core, query: &CompareQuery) -> Comparison {
    let found = core.compare(query).unwrap();
    assert_adds_up(&found);
    found
}

#[test]
fn less_is_better_turns_verdict_guard_changes_and_ranks_around_and_nothing_else() {
    let (core, query) = sides(1.0, true);
    let (other_core, other_query) = sides(-1.0, false);
    let (own, opposite) = (compared(&core, &query), compared(&other_core, &other_query));
    let is: Vec<VerdictIs> = own.candidates.iter().map(|versus| versus.verdict.is).collect();
    assert_eq!(is, [VerdictIs::Better, VerdictIs::Worse]);
    let guards: Vec<Guard> = own.candidates.iter().map(|versus| versus.guard).collect();
    assert_eq!(guards, [Guard::Held, Guard::Broken]);
    for (one, two) in own.candidates.iter().zip(&opposite.candidates) {
        assert_eq!((one.verdict.is, one.guard), (two.verdict.is, two.guard));
        assert_eq!(one.changes, two.changes);
        let (line, other) = (&one.measures[0], &two.measures[0]);
        assert_eq!((line.way, other.way), (BetterDirection::Down, BetterDirection::Up));
        assert!(!line.is_unit && !other.is_unit);
        // The difference stays candidate less baseline.
        assert!((line.difference.0 + other.difference.0).abs() < 1e-12);
        assert!((line.p.0 - other.p.0).abs() < 1e-12);
        assert!(one.verdict.why.contains("; lower is better)"), "{}", one.verdict.why);
        assert!(!two.verdict.why.contains("lower is better"), "{}", two.verdict.why);
    }
    assert_eq!(own.candidates[0].changes.fixed, 40);
    let (ranks, others) =
        (core.compare_ranks(&query).unwrap(), other_core.compare_ranks(&other_query).unwrap());
    let order = |view: &evalglass::report::compare::RankView| {
        let line = |line: &evalglass::report::compare::RankLine| (line.side, line.letters.clone());
        view.lines.iter().map(line).collect::<Vec<_>>()
    };
    assert_eq!(order(&ranks), order(&others));
    assert_eq!(order(&ranks).first().unwrap().0, 1, "B has the lowest rate");
    assert!(ranks.is_less_better && !others.is_less_better);
    assert_eq!(ranks.lines[0].chances, others.lines[0].chances);
}

#[test]
fn pairs_that_take_more_of_it_are_the_regressions() {
    let (core, query) = sides(1.0, true);
    let listed = |side: usize, change: Change, filter: &str| {
        let order = PairOrder::WorstFirst;
        let filter = filter.to_owned();
        let asked = PairsQuery { side, change, order, filter, n: 50, ..PairsQuery::default() };
        core.compare_pairs(&query, &asked).unwrap()
    };
    assert_eq!(listed(1, Change::Regressed, "").n_all, 0);
    assert_eq!(listed(1, Change::Any, "change:fixed delta<0").n_all, 40);
    let worst = listed(2, Change::Regressed, "");
    assert_eq!(worst.n_all, 40);
    let apart: Vec<f64> = worst.lines.iter().map(|line| line.difference.unwrap().0).collect();
    assert!(apart.windows(2).all(|two| two[0] >= two[1]) && apart[0] > 0.0, "{apart:?}");
}

#[test]
fn runs_that_contradict_each_other_have_no_better_side() {
    let table = |folder: &str, name: &str, is_less: bool| {
        let rows: Vec<String> =
            rates(0).iter().enumerate().map(|(id, rate)| format!("c{id},{rate}")).collect();
        let mapping = format!(
            r#"{{"evalglass_mapping": 1, "columns": [{{"name": "id", "role": "id"}},
                {{"name": "{name}", "role": "score", "less_is_better": {is_less}}}]}}"#
        );
        [
            file(&format!("{folder}/{name}.csv"), format!("id,{name}\n{}\n", rows.join("\n"))),
            file(&format!("{folder}/{name}.json"), mapping),
        ]
    };
    // lm-eval states both ways; a table states that lower is better, or nothing.
    let results = |folder: &str| {
        let results = r#"{"results": {"t": {"acc,none": 0.5}}, "configs": {"t": {}}, "versions": {"t": 1},
            "config": {"model": "m"}, "higher_is_better": {"t": {"acc": true}}}"#;
        let line = |id: usize| {
            format!(
                r#"{{"doc_id": {id}, "doc": {{}}, "target": "x", "resps": [["a"]], "filtered_resps": ["a"],
                "filter": "none", "metrics": ["acc"], "acc": {}}}"#,
                id % 2
            )
            .replace('\n', " ")
        };
        let lines: Vec<String> = (0..40).map(line).collect();
        let samples = format!("{folder}/samples_t_2026-11-22T10-44-13.598147.jsonl");
        [
            file(&format!("{folder}/results_2026-11-22T10-44-13.598147.json"), results),
            file(&samples, lines.join("\n")),
        ]
    };
    let files = [table("A", "wer", true), results("A"), table("B", "wer", true), results("B")];
    let core = core_of(files.into_iter().flatten().collect());
    let sides = ["A", "B"].map(|folder| side(&core, folder, None)).to_vec();
    let found = core.compare(&CompareQuery { sides, ..CompareQuery::default() }).unwrap();
    let versus = &found.candidates[0];
    assert_eq!(versus.measures[0].way, BetterDirection::Mixed);
    assert_eq!((versus.verdict.is, versus.guard), (VerdictIs::CannotTell, Guard::Undecided));
    assert!(
        versus.verdict.why.contains("cannot show which side is better"),
        "{}",
        versus.verdict.why
    );
}

#[test]
fn a_report_dropped_back_in_still_says_which_way_is_better() {
    let (core, _) = sides(1.0, true);
    let report = report_of(&core);
    assert!(report["runs"].as_array().unwrap().iter().all(|run| run["score_better"] == "less"));
    let again = report_of(&core_of(vec![file("evalglass-report.json", report.to_string())]));
    assert!(again["runs"].as_array().unwrap().iter().all(|run| run["score_better"] == "less"));
}
