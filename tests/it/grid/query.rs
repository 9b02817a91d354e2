//! Filters against the oracle, facets against counting, orders against comparing.

use super::oracle::{Case, cases};
use crate::how::FOLDERS;
use crate::support::{core_of, fixture, fixture_files, report_of};
use evalglass::report::filter::{FacetChoice, Filter};
use evalglass::report::{
    Across, CaseLine, CaseQuery, Outcome, Refinement, RunRef, SortKey, Target,
};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, Failure, Question};
use serde_json::Value;
use std::cmp::Ordering;

fn filtered(core: &Core, filter: &str) -> Vec<(RunRef, u64)> {
    let query = CaseQuery { filter: filter.to_owned(), limit: 1_000, ..CaseQuery::default() };
    let page = core.cases(&query).unwrap();
    assert_eq!(page.filter_error, None, "{filter}");
    assert_eq!(page.n_matching, page.rows.len() as u64, "fixtures are small");
    page.rows.iter().map(|line| (line.run, line.case_idx)).collect()
}

/// Filters on every field, made of what the cases hold.
fn filters(cases: &[Case]) -> Vec<String> {
    let mut filters: Vec<String> = [
        "",
        "e",
        "-e",
        "1 or a",
        "has:error",
        "-has:error,score",
        "has:checks,tag",
        "error:\"\"",
        "error~error",
        "score<0.5",
        "score>=50%",
        "score:1,0",
        "score:\"\"",
        "-score=1",
        "score!=1 or has:group",
        "duration>1ms",
        "duration<=2m",
        "tokens>=1k",
        "cost<$0.01",
        "attempts>1",
        "checks>0",
        "checks:0",
        "repeat:1",
        "repeat!=1",
        "group:\"\"",
        "tag:\"\"",
        "model:\"\"",
        "metric:\"\"",
        "kind:Core,Regression",
        "kind:\"\"",
        "-outcome:passed (kind:Core or has:error)",
        "metric.quality<0.5 or metric.accuracy=1",
        "id~case -outcome:failed",
        "checkpoint~1",
        "run~1",
        "suite~e",
        "model~a",
    ]
    .map(str::to_owned)
    .into();
    for case in cases.iter().step_by(cases.len() / 7 + 1) {
        let line = &case.line;
        let quoted =
            |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        filters.push(format!("id:{}", quoted(&line.id)));
        filters.push(format!("run={}", quoted(&line.run_label)));
        filters.push(quoted(&line.id.to_uppercase()));
        filters.extend(line.group.iter().map(|group| format!("-group:{}", quoted(group))));
        filters.extend(
            line.group.iter().map(|group| format!("group={}", quoted(&group.to_uppercase()))),
        );
        filters.extend(line.model.iter().map(|model| format!("model:{}", quoted(model))));
        filters.extend(line.variant.iter().map(|variant| format!("variant:{}", quoted(variant))));
        filters.extend(line.tags.iter().map(|tag| format!("tag:{}", quoted(tag))));
        filters.extend(
            line.score
                .map(|score| format!("score:{} or score>{}", score.0, score.0))
                .filter(|text| !text.contains(['N', 'i'])),
        );
        filters.extend(line.duration_secs.map(|secs| format!("duration:{}", secs.0)));
        filters.extend(line.error.iter().map(|error| format!("error~{}", quoted(error))));
    }
    filters
}

#[test]
fn every_fixture_is_filtered_as_the_oracle_says() {
    let (mut n_kept, mut n_all) = (0, 0);
    for folder in FOLDERS {
        let core = core_of(fixture_files(folder));
        let cases = cases(&core);
        for text in filters(&cases) {
            let filter: Filter = text.parse().unwrap_or_else(|err| panic!("{text}: {err}"));
            let expected: Vec<(RunRef, u64)> = cases
                .iter()
                .filter(|case| filter.root.as_ref().is_none_or(|root| case.is_kept_by(root)))
                .map(|case| (case.line.run, case.line.case_idx))
                .collect();
            n_kept += expected.len();
            n_all += cases.len();
            assert_eq!(filtered(&core, &text), expected, "{folder}: {text}");
        }
    }
    assert!(n_kept > n_all / 20 && n_kept < n_all * 19 / 20, "{n_kept} of {n_all} were kept");
}

#[test]
fn facets_count_what_a_click_would_leave() {
    let mut n_values = 0;
    for folder in [
        "slop-code/g1/runs",
        "slop-code/g2/v1.0",
        "letta-evals/0.26.0_reward_multirun",
        "rebel/basic",
        "rebel/edge",
    ] {
        let core = core_of(fixture_files(folder));
        for filter in [
            "",
            "outcome:failed",
            "outcome:failed,error kind:core",
            "-outcome:passed score>=0",
            "e or has:error",
        ] {
            let query = CaseQuery { filter: filter.to_owned(), ..CaseQuery::default() };
            let facets = core.facets(&query).unwrap();
            for facet in &facets.facets {
                for value in &facet.values {
                    n_values += 1;
                    let what = format!("{folder} {filter}: {}:{}", facet.field, value.value);
                    // The value alone, under the conditions on other fields.
                    let others: Vec<&str> = filter
                        .split(' ')
                        .filter(|part| {
                            !part.trim_start_matches('-').starts_with(&format!("{}:", facet.field))
                        })
                        .collect();
                    let others = if filter.contains(" or ") {
                        format!("({filter})")
                    } else {
                        others.join(" ")
                    };
                    let sign = if facet.field == "has" { ":" } else { "=" };
                    let quoted = value.value.replace('\\', "\\\\").replace('"', "\\\"");
                    let only = format!("{others} {}{sign}\"{quoted}\"", facet.field);
                    let only = if facet.field == "repeat" {
                        only.replace("repeat=", "repeat:")
                    } else {
                        only
                    };
                    assert_eq!(
                        filtered(&core, &only).len() as u64,
                        value.n_cases,
                        "{what}: {only}"
                    );
                    // A click and another one lead back.
                    let then = CaseQuery { filter: value.then.clone(), ..query.clone() };
                    let back = core.facets(&then).unwrap();
                    let again = back.facets.iter().find(|again| again.field == facet.field);
                    let again = again.and_then(|again| {
                        again.values.iter().find(|again| again.value == value.value)
                    });
                    if let Some(again) = again.filter(|_| value.choice == FacetChoice::Open) {
                        assert_eq!(again.choice, FacetChoice::Chosen, "{what}");
                        let text = |filter: &str| filter.parse::<Filter>().unwrap().to_string();
                        assert_eq!(
                            filtered(&core, &again.then),
                            filtered(&core, &text(filter)),
                            "{what}"
                        );
                    } else {
                        assert!(
                            value.choice != FacetChoice::Open,
                            "{what} is shown once it is chosen"
                        );
                    }
                }
            }
        }
    }
    assert!(n_values > 150, "{n_values} values");
}

/// The order of `key`, as words: what is missing goes last either way.
fn compare(left: &CaseLine, right: &CaseLine, key: SortKey, is_descending: bool) -> Ordering {
    let number = |line: &CaseLine| match key {
        SortKey::Score => line.score.map(|score| score.0),
        SortKey::Duration => line.duration_secs.map(|secs| secs.0),
        SortKey::Tokens => line.tokens.map(|tokens| tokens.0),
        SortKey::Attempts => line.n_attempts.map(f64::from),
        SortKey::FailedChecks => (line.n_checks > 0).then_some(line.n_failed_checks as f64),
        SortKey::Outcome => Some(match line.outcome {
            Outcome::Failed => 0.0,
            Outcome::Error => 1.0,
            Outcome::Skipped => 2.0,
            Outcome::Unscored => 3.0,
            Outcome::Scored => 4.0,
            Outcome::Passed => 5.0,
        }),
        _ => panic!("not a number"),
    };
    match (number(left), number(right)) {
        (None, None) => Ordering::Equal,
        (None, _) => Ordering::Greater,
        (_, None) => Ordering::Less,
        (Some(left), Some(right)) => {
            // No number is larger than any number, and both zeros are one.
            let order =
                left.partial_cmp(&right).unwrap_or_else(|| left.is_nan().cmp(&right.is_nan()));
            if is_descending { order.reverse() } else { order }
        }
    }
}

#[test]
fn several_columns_sort_one_within_the_other_and_keep_the_order_of_equals() {
    const KEYS: [SortKey; 6] = [
        SortKey::Score,
        SortKey::Duration,
        SortKey::Tokens,
        SortKey::Attempts,
        SortKey::FailedChecks,
        SortKey::Outcome,
    ];
    for folder in [
        "slop-code/g1/odd/nan_infinity",
        "slop-code/g2/v1.0",
        "letta-evals/0.25.1_reward_11runs",
        "rebel/nonfinite",
    ] {
        let core = core_of(fixture_files(folder));
        let lines: Vec<CaseLine> = cases(&core).into_iter().map(|case| case.line).collect();
        for (nth, first) in KEYS.into_iter().enumerate() {
            for (at, second) in KEYS.into_iter().enumerate() {
                let sort = vec![(first, nth % 2 == 0), (second, at % 3 == 0)];
                let mut expected: Vec<&CaseLine> = lines.iter().collect();
                expected.sort_by(|left, right| {
                    sort.iter().fold(Ordering::Equal, |order, (key, is_descending)| {
                        order.then_with(|| compare(left, right, *key, *is_descending))
                    })
                });
                let query = CaseQuery { sort: sort.clone(), limit: 1_000, ..CaseQuery::default() };
                let page = core.cases(&query).unwrap();
                let place = |line: &CaseLine| (line.run, line.case_idx);
                let found: Vec<_> = page.rows.iter().map(place).collect();
                let expected: Vec<_> = expected.into_iter().map(place).collect();
                assert_eq!(found, expected, "{folder} {sort:?}");
            }
        }
    }
}

#[test]
fn words_sort_by_their_letters_and_numbers_within_by_value() {
    let core = core_of(fixture_files("slop-code/g2/v1.0"));
    for key in [SortKey::Group, SortKey::Kind, SortKey::Run, SortKey::Variant] {
        let query = CaseQuery { sort: vec![(key, false)], limit: 1_000, ..CaseQuery::default() };
        let rows = core.cases(&query).unwrap().rows;
        let word = |line: &CaseLine| match key {
            SortKey::Group => line.group.clone(),
            SortKey::Kind => line.kind.map(|kind| kind.to_string()),
            SortKey::Run => Some(line.run_label.clone()),
            _ => line.variant.clone(),
        };
        let known: Vec<String> =
            rows.iter().map_while(word).map(|word| word.to_lowercase()).collect();
        assert!(
            rows.iter().skip(known.len()).all(|line| word(line).is_none()),
            "missing ones last"
        );
        assert!(
            known.is_sorted_by(|left, right| left <= right || left.contains(char::is_numeric)),
            "{key:?}"
        );
    }
}

#[test]
fn a_filter_that_cannot_be_read_keeps_all_and_says_so() {
    let core = core_of(fixture_files("rebel/basic"));
    let query = CaseQuery { filter: "score<".to_owned(), ..CaseQuery::default() };
    let page = core.cases(&query).unwrap();
    assert_eq!(page.n_matching, page.n_total);
    assert_eq!(page.filter_error.unwrap().at, 6);
    let gone = CaseQuery { target: Target::Evaluation(9), ..CaseQuery::default() };
    assert!(core.cases(&gone).is_none() && core.facets(&gone).is_none());
    let answer = core.answer(Question::Cases { query: gone, is_framed: true });
    assert_eq!(answer, Err(Failure::Gone));
}

#[test]
fn a_range_is_refined_as_text() {
    let core = core_of(fixture_files("rebel/basic"));
    let refine = |filter: &str, low: &str, high: &str| {
        core.answer(Question::Refine(Refinement {
            filter: filter.to_owned(),
            field: "score".to_owned(),
            low: low.to_owned(),
            high: high.to_owned(),
        }))
    };
    assert_eq!(refine("a", "20%", ""), Ok(Answer::Text("a score>=20%".to_owned())));
    assert_eq!(refine("score<1", "", ""), Ok(Answer::Text(String::new())));
    let Err(Failure::File { reason, .. }) = refine("a", "few", "") else {
        panic!("it is not a number")
    };
    assert_eq!(reason, "score is compared with a number: 0.5 or 50%.");
}

#[test]
fn rows_are_copied_with_their_headings() {
    let core = core_of(fixture_files("rebel/basic"));
    let query = CaseQuery {
        columns: vec![SortKey::Id, SortKey::Score, SortKey::Tags],
        ..CaseQuery::default()
    };
    let copy = |ranges: &[(u64, u64)]| {
        let request = Question::Copy { query: query.clone(), ranges: ranges.to_vec() };
        let Ok(Answer::Copied { text, said }) = core.answer(request) else { panic!("copied") };
        (text, said)
    };
    let (all, _) = copy(&[]);
    let lines: Vec<CaseLine> = cases(&core).into_iter().map(|case| case.line).collect();
    assert_eq!(all.lines().count(), lines.len() + 1);
    assert_eq!(all.lines().next(), Some("Case\tScore\tTags"));
    let (text, said) = copy(&[(1, 2), (3, 5)]);
    assert_eq!(said, "Copied 3 rows.");
    for (row, at) in text.lines().skip(1).zip([1, 3, 4]) {
        let line = &lines[at];
        let score = line.score.map_or(String::new(), |score| score.0.to_string());
        assert_eq!(row, format!("{}\t{score}\t{}", line.id, line.tags.join(", ")));
    }
}

#[test]
fn a_heat_map_has_every_case_once_and_the_least_steady_first() {
    let core = core_of(fixture_files("slop-code/g2/v1.0"));
    let query = CaseQuery { heat: Some(Across::Runs), limit: 1_000, ..CaseQuery::default() };
    let page = core.heat(&query).unwrap();
    let found = page.rows.iter().find(|row| row.id == "test_list_empty").unwrap();
    let n_cells = found.cells.iter().flatten().count();
    assert_eq!(n_cells, 2, "a case is the same at the next checkpoint, where it is a regression");
    for (folder, heat) in [
        ("letta-evals/0.25.1_reward_11runs", Across::Runs),
        ("slop-code/g2/v1.0", Across::Runs),
        ("rebel/basic", Across::Attempts),
    ] {
        let core = core_of(fixture_files(folder));
        let query = CaseQuery { heat: Some(heat), limit: 1_000, ..CaseQuery::default() };
        let page = core.heat(&query).unwrap();
        assert_eq!(page.n_matching, page.rows.len() as u64);
        let mut seen: Vec<(RunRef, u64)> = Vec::new();
        for row in &page.rows {
            assert_eq!(row.cells.len(), page.columns.len(), "{folder}");
            let cells = row.cells.iter().flatten();
            let places = cells.clone().map(|cell| (cell.run, cell.case_idx));
            match heat {
                Across::Runs => seen.extend(places),
                Across::Attempts => seen.extend(places.take(1)),
            }
            let judged: Vec<f64> = cells
                .filter(|cell| {
                    !matches!(cell.outcome, Outcome::Skipped | Outcome::Scored | Outcome::Unscored)
                })
                .map(|cell| f64::from(u8::from(cell.outcome == Outcome::Passed)))
                .collect();
            let mean = judged.iter().sum::<f64>() / judged.len() as f64;
            let variance = judged.iter().map(|one| (one - mean) * (one - mean)).sum::<f64>()
                / judged.len() as f64;
            match row.instability {
                Some(found) => assert!((found.0 - variance).abs() < 1e-12, "{folder} {}", row.id),
                None => assert!(judged.len() < 2, "{folder} {}", row.id),
            }
        }
        let n_cases = cases(&core).len();
        assert_eq!(seen.len(), n_cases, "{folder}: every case is in one cell");
        seen.sort_by_key(|(run, case)| (run.evaluation, run.run, *case));
        seen.dedup();
        assert_eq!(seen.len(), n_cases, "{folder}: and in no other");
        let instability: Vec<f64> =
            page.rows.iter().filter_map(|row| row.instability).map(|n| n.0).collect();
        assert!(instability.is_sorted_by(|left, right| left >= right), "{folder}");
        // A row stays when one of its cases does.
        let kept = CaseQuery { filter: "outcome:failed".to_owned(), ..query };
        let kept = core.heat(&kept).unwrap();
        let has_failed = |row: &evalglass::report::HeatLine| {
            row.cells.iter().flatten().any(|cell| cell.outcome == Outcome::Failed)
        };
        if heat == Across::Runs {
            let expected = page.rows.iter().filter(|row| has_failed(row)).count();
            assert_eq!(kept.rows.len(), expected, "{folder}");
            assert!(kept.rows.iter().all(has_failed));
        }
    }
}

#[test]
fn runs_that_are_called_alike_are_told_apart_by_their_model() {
    let columns = |core: &Core, target| {
        let query = CaseQuery { target, limit: 1, ..CaseQuery::default() };
        core.cases(&query).unwrap().columns
    };
    // Both models were asked the same tasks, by evaluations of their own.
    let core = core_of(fixture_files("lm-eval/0.4.13"));
    let all = columns(&core, Target::All);
    assert!(all.contains(&SortKey::Run) && all.contains(&SortKey::Model), "{all:?}");
    assert!(!columns(&core, Target::Evaluation(0)).contains(&SortKey::Model));
    // The names of these runs hold their models.
    let core = core_of(fixture_files("letta-evals/0.26.0_reward_multirun"));
    assert!(!columns(&core, Target::All).contains(&SortKey::Model));
}

#[test]
fn each_metric_has_a_column_that_sorts() {
    let core = core_of(fixture_files("letta-evals/0.25.1_reward"));
    let metric = SortKey::Metric(1);
    let asked = |is_descending| CaseQuery {
        sort: vec![(metric, is_descending)],
        columns: vec![SortKey::Id, metric],
        limit: 1_000,
        ..CaseQuery::default()
    };
    let page = core.cases(&asked(false)).unwrap();
    assert_eq!(page.metrics, ["accuracy", "quality"]);
    assert!(page.choosable.contains(&metric) && !page.choosable.contains(&SortKey::Metric(2)));
    assert_eq!(metric.heading(&page.metrics), "quality");
    // What the file says, read apart from it.
    let text =
        std::fs::read_to_string(fixture("letta-evals/0.25.1_reward/openai-gpt-4.1-mini.jsonl"));
    for row in text.unwrap().lines() {
        let row: Value = serde_json::from_str(row).unwrap();
        let is_it = |line: &&CaseLine| {
            row["sample_id"] == line.id.as_str()
                && line.model.as_deref() == Some("openai/gpt-4.1-mini")
        };
        let line = page.rows.iter().find(is_it).unwrap();
        let found = line.metrics[1].map(|score| score.0);
        assert_eq!(found, row["grades"]["quality"]["score"].as_f64(), "{}", line.id);
    }
    for is_descending in [false, true] {
        let page = core.cases(&asked(is_descending)).unwrap();
        let scores: Vec<Option<f64>> =
            page.rows.iter().map(|line| line.metrics[1].map(|score| score.0)).collect();
        let known: Vec<f64> = scores.iter().flatten().copied().collect();
        assert!(
            known.len() > 20
                && known.is_sorted_by(|a, b| if is_descending { a >= b } else { a <= b })
        );
        assert!(scores[known.len()..].iter().all(Option::is_none), "those without one go last");
    }
    // Attempts of REBEL that ended in an error are left out of the mean, though the file has 0 for them.
    let core = core_of(fixture_files("rebel/basic"));
    let page = core.cases(&CaseQuery { limit: 1_000, ..CaseQuery::default() }).unwrap();
    let report = report_of(&core);
    let mut n_mixed = 0;
    for line in &page.rows {
        let case = &report["runs"][0]["cases"][usize::try_from(line.case_idx).unwrap()];
        let checks = case["checks"].as_array().unwrap();
        for (name, found) in page.metrics.iter().zip(&line.metrics) {
            let of = |is_all: bool| -> Vec<f64> {
                let own = checks.iter().filter(|check| check["name"] == name.as_str());
                let own = own.filter(|check| is_all || check["verdict"] != "error");
                own.filter_map(|check| check["score"].as_f64()).collect()
            };
            let (judged, all) = (of(false), of(true));
            n_mixed += u64::from(!judged.is_empty() && judged.len() < all.len());
            let taken = if judged.is_empty() { all } else { judged };
            let mean = (!taken.is_empty()).then(|| taken.iter().sum::<f64>() / taken.len() as f64);
            assert_eq!(found.map(|score| score.0), mean, "{} {name}", line.id);
        }
    }
    assert!(n_mixed > 0, "some case has attempts of both kinds");
    // Attributes of slop-code are too many to be columns.
    let core = core_of(fixture_files("slop-code/g1/runs"));
    let page = core.cases(&CaseQuery { limit: 1, ..CaseQuery::default() }).unwrap();
    assert!(page.metrics.len() <= 12);
}
