//! Pairs of fixture folders, and the files that are made of a comparison.

use super::{assert_adds_up, opened, side, within};
use crate::support::{bytes_of, core_of, file, fixture_report, report_of};
use evalglass::export::{ExportKind, ExportTarget};
use evalglass::input::Pulse;
use evalglass::report::Target;
use evalglass::report::compare::{
    CompareQuery, Comparison, Guard, IntervalKind, PairBy, PartBy, SideSpec, Valued, VerdictIs,
    Weight,
};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, Question};
use serde_json::Value;

fn compared(paths: &[(&str, Option<&str>)]) -> (Core, CompareQuery, Comparison) {
    let (core, query) = opened(paths);
    let found = core.compare(&query).unwrap();
    assert_adds_up(&found);
    (core, query, found)
}

/// The report with the comparison in it, which meets the schema.
fn report(core: &Core, query: &CompareQuery) -> Value {
    let scope = ExportTarget { compare: Some(query), ..ExportTarget::default() };
    let pulse = Pulse::silent();
    let exported = core.export(ExportKind::ReportJson, scope, &pulse);
    let Ok(Answer::Export(download)) = pollster::block_on(exported) else {
        panic!("the report is exported");
    };
    let report: Value = serde_json::from_slice(&download.bytes).unwrap();
    let schema = include_str!("../../../schema/evalglass-report-1.json");
    let schema: Value = serde_json::from_str(schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(&report).map(|err| err.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    report
}

#[test]
fn measures_that_come_one_by_one_are_in_the_end_those_that_come_at_once() {
    for paths in [
        ["letta-evals/0.3.2_single", "letta-evals/0.5.0_single"],
        ["rebel/guide", "rebel/guide"],
        ["slop-code/g1", "slop-code/g1"],
    ] {
        let (_, _, whole) = compared(&paths.map(|path| (path, None)));
        let (core, query) = opened(&paths.map(|path| (path, None)));
        let mut so_far = core.compare_so_far(&query, 0).unwrap();
        let n_pending = so_far.candidates[0].n_pending;
        assert!(n_pending > 0 && so_far.candidates[0].measures.len() <= 1, "{paths:?}");
        for _ in 0..n_pending {
            core.compare_further(&query, 1).unwrap();
            so_far = core.compare_so_far(&query, 0).unwrap();
        }
        assert_eq!(so_far, whole, "{paths:?}");
    }
}

#[test]
fn folders_with_other_suites_are_paired_by_id_and_few_pairs_prove_nothing() {
    let (core, query, found) =
        compared(&[("letta-evals/0.3.2_single", None), ("letta-evals/0.5.0_single", None)]);
    let versus = &found.candidates[0];
    // Their suites are called differently.
    assert_eq!((versus.audit.by, versus.audit.n_pairs), (PairBy::Id, 10));
    assert_eq!(versus.verdict.is, VerdictIs::CannotTell);
    assert!(versus.verdict.why.contains("With 10 pairs"), "{}", versus.verdict.why);
    assert!(found.sides[1].remark.as_deref().unwrap().contains("2 subjects"));
    let report = report(&core, &query);
    let own = &report["comparisons"][0];
    assert_eq!(own["pairing"]["by"], "id");
    assert_eq!(own["measures"][0]["name"], "pass_rate");
    assert_eq!(own["verdict"]["is"], "cannot-tell");
}

/// `text` with the input of sample 1 asked otherwise, and that of sample 2 only spelled otherwise.
fn asked_otherwise(text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut n_changed = 0;
    for line in &mut lines {
        let Ok(mut row) = serde_json::from_str::<Value>(line) else { continue };
        let sample = &mut row["result"]["sample"];
        let Some(input) = sample["input"].as_str().map(str::to_owned) else { continue };
        match sample["id"].as_u64() {
            Some(1) => {
                sample["input"] = format!("{input} Say why.").into();
                *line = row.to_string();
                n_changed += 1;
            }
            Some(2) => {
                let spelled = serde_json::to_string(&input).unwrap();
                let escaped: String =
                    input.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
                assert!(line.contains(&spelled));
                *line = line.replacen(&spelled, &format!("\"{escaped}\""), 1);
                n_changed += 1;
            }
            _ => {}
        }
    }
    assert!(n_changed >= 2, "{n_changed}");
    lines.join("\n")
}

#[test]
fn pairs_with_another_input_are_counted_and_can_be_left_out() {
    let folder = "letta-evals/0.5.0_single";
    let mut files = within("A", folder);
    files.extend(within("B", folder).into_iter().map(|own| {
        if !own.path.ends_with("results.jsonl") {
            return own;
        }
        let text = String::from_utf8(bytes_of(&own)).unwrap();
        file(&own.path, asked_otherwise(&text))
    }));
    let core = core_of(files);
    let sides = ["A", "B"].map(|letter| side(&core, letter, None)).to_vec();
    let query = CompareQuery { sides, ..CompareQuery::default() };
    let found = core.compare(&query).unwrap();
    let audit = &found.candidates[0].audit;
    // Only what is asked otherwise counts, not what is spelled otherwise.
    assert_eq!((audit.n_known_inputs, audit.changed), (audit.n_pairs, 1));
    assert_eq!(report(&core, &query)["comparisons"][0]["pairing"]["changed"], 1);
    let without = CompareQuery { without_changed: true, ..query.clone() };
    let found = core.compare(&without).unwrap();
    let versus = &found.candidates[0];
    assert_eq!((versus.audit.left_out, versus.measures[0].n), (1, versus.audit.n_pairs - 1));
    // The text of the input pairs all others.
    let by_input = CompareQuery { by: Some(PairBy::Input), ..query };
    let audit = core.compare(&by_input).unwrap().candidates[0].audit;
    assert_eq!(audit.n_pairs, without_duplicates(&core) - 1);
}

/// Number of cases of the first evaluation, each counted once.
fn without_duplicates(core: &Core) -> u64 {
    let report = report_of(core);
    let cases = report["runs"][0]["cases"].as_array().unwrap();
    let ids: std::collections::HashSet<String> =
        cases.iter().map(|case| case["id"].to_string()).collect();
    ids.len() as u64
}

/// What was asked is kept in a report: a comparison of reports counts the same.
#[test]
fn reports_say_what_was_asked() {
    for folder in ["letta-evals/0.5.0_single", "letta-evals/0.25.1_reward", "rebel/trend/run_0"] {
        let report = fixture_report(folder);
        let case = &report["runs"][0]["cases"][0];
        for name in ["input_hash", "expected_hash"] {
            assert!(
                case[name].as_str().is_some_and(|hash| hash.parse::<u64>().is_ok()),
                "{folder} {case}"
            );
        }
        let again = report_of(&core_of(vec![file("report.json", report.to_string())]));
        assert_eq!(again["runs"][0]["cases"][0]["input_hash"], case["input_hash"]);
    }
    let slop = fixture_report("slop-code/g1/runs");
    assert!(!slop.to_string().contains("input_hash"));
}

#[test]
fn two_models_of_one_folder_are_paired_by_key() {
    let folder = "letta-evals/0.25.1_reward";
    let (core, query, found) = compared(&[
        (folder, Some("openai/gpt-4.1-mini")),
        (folder, Some("anthropic/claude-haiku-4-5")),
    ]);
    let versus = &found.candidates[0];
    assert_eq!((versus.audit.by, versus.audit.n_pairs), (PairBy::Key, 16));
    let names: Vec<String> = versus.measures.iter().map(|line| line.measure.word()).collect();
    for name in ["pass_rate", "score", "metric:accuracy", "metric:quality", "cost_usd"] {
        assert!(names.iter().any(|known| known == name), "{name}: {names:?}");
    }
    let model = &versus.configuration[0];
    assert_eq!(model.weight, Weight::Model);
    assert_eq!(model.candidate.as_deref(), Some("anthropic/claude-haiku-4-5"));
    let cost = versus.measures.iter().find(|line| line.measure == Valued::Cost).unwrap();
    assert!(cost.is_less_better() && cost.ratio.unwrap().0 > 1.0 && cost.ratio_ci95.is_some());
    report(&core, &query);
    // The page offers the same sides by itself.
    let Ok(Answer::Workspace(tree)) = core.answer(Question::Rules(Vec::new())) else { panic!() };
    let sides = core.subjects_as_sides(tree.evaluations[0].id);
    assert!(sides.len() >= 2, "{sides:?}");
}

#[test]
fn repeats_are_trials_of_a_case() {
    let (core, query, found) = compared(&[
        ("letta-evals/0.15.0_logical_multirun", None),
        ("letta-evals/0.4.1_multirun", None),
    ]);
    let versus = &found.candidates[0];
    let first = &versus.measures[0];
    assert_eq!((first.measure.clone(), first.ci95_kind), (Valued::PassRate, IntervalKind::T));
    let trials = first.trials.unwrap();
    assert!(trials.se_least <= trials.se_doubled && trials.se_doubled <= trials.se + 1e-12);
    // Two subjects, three repeats.
    assert_eq!(found.sides[0].n_trials, 78);
    assert_eq!(found.sides[0].n_cases, 13);
    report(&core, &query);
}

#[test]
fn reports_of_three_days_are_compared_with_the_first() {
    let (core, query, found) = compared(&[
        ("rebel/trend/run_0", None),
        ("rebel/trend/run_1", None),
        ("rebel/trend/run_2", None),
    ]);
    assert_eq!(found.candidates.len(), 2);
    let first = &found.candidates[0];
    assert_eq!(first.verdict.is, VerdictIs::Better);
    assert_eq!(first.guard, Guard::Held);
    assert_eq!(first.verdict.title, "B is better than A");
    assert_eq!(report(&core, &query)["comparisons"].as_array().unwrap().len(), 2);
    let ranks = core.compare_ranks(&query).unwrap();
    assert_eq!((ranks.n, ranks.lines.len(), ranks.matrix.len()), (16, 3, 3));
    // A margin is asked for: the rest stays.
    let wide = CompareQuery { margin: 0.9, ..query.clone() };
    let again = core.compare(&wide).unwrap();
    assert_eq!(again.candidates[0].measures, first.measures);
}

#[test]
fn a_slop_code_run_directory_checkpoint_by_checkpoint() {
    let runs = "slop-code/g1/runs";
    let (core, query, found) = compared(&[(runs, None), (runs, None)]);
    let versus = &found.candidates[0];
    assert_eq!(versus.audit.only_baseline, 0);
    assert_eq!(versus.changes.fixed + versus.changes.regressed, 0);
    assert!(versus.checkpoints.len() >= 4, "{:?}", versus.checkpoints);
    for line in &versus.checkpoints {
        assert_eq!(line.n_runs, [1, 1]);
        for value in &line.values {
            assert_eq!(value.baseline, value.candidate, "{value:?}");
        }
    }
    let named = |name: &str| {
        versus.checkpoints.iter().any(|line| line.values.iter().any(|value| value.name == name))
    };
    for name in ["score", "pass_rate", "cost_usd", "steps"] {
        assert!(named(name), "{name}: {:?}", versus.checkpoints[0]);
    }
    assert!(versus.configuration.is_empty(), "{:?}", versus.configuration);
    assert!(!versus.parts.is_empty());
    report(&core, &query);
}

#[test]
fn only_parts_of_a_slop_code_suite_are_checkpoints() {
    for (path, word) in [("slop-code/g1/runs", "checkpoint"), ("lm-eval/0.4.13", "variant")] {
        let (core, query, found) = compared(&[(path, None), (path, None)]);
        let parts = &found.candidates[0].parts;
        let own = parts.iter().find(|parts| parts.by == PartBy::Variant);
        let own = own.unwrap_or_else(|| panic!("{path} is split by its parts"));
        assert_eq!(own.called, word, "{path}");
        let markdown = core.comparison_markdown(&query).unwrap();
        assert!(markdown.contains(&format!("By {word}<")), "{path}: {markdown}");
        let html = String::from_utf8(core.comparison_html(&query).unwrap()).unwrap();
        assert!(html.contains(&format!("by {word}<")), "{path}: {html}");
    }
}

#[test]
fn a_checkpoint_is_compared_with_the_next() {
    let (core, _) = opened(&[("slop-code/g1/runs", None)]);
    let Ok(Answer::Workspace(tree)) = core.answer(Question::Rules(Vec::new())) else { panic!() };
    let runs = &tree.evaluations[0].runs;
    let of = |variant: &str| SideSpec {
        label: variant.to_owned(),
        members: runs
            .iter()
            .filter(|run| run.variant.as_deref() == Some(variant))
            .map(|run| Target::Run(run.run))
            .collect(),
    };
    let sides = vec![of("checkpoint_1"), of("checkpoint_2")];
    let query = CompareQuery { sides, ..CompareQuery::default() };
    let found = core.compare(&query).unwrap();
    assert_adds_up(&found);
    // Cases of the first checkpoint come again in the second one, as regressions.
    let audit = found.candidates[0].audit;
    assert_eq!(audit.by, PairBy::Id);
    assert!(audit.n_pairs > 0, "{audit:?}");
}

#[test]
fn nothing_pairs_over_producers_and_it_is_said() {
    let (core, query, found) = compared(&[("slop-code/g1/runs", None), ("rebel/basic", None)]);
    let versus = &found.candidates[0];
    assert_eq!(versus.audit.n_pairs, 0);
    assert!(versus.measures.is_empty() && versus.transitions.is_empty());
    assert_eq!(versus.verdict.is, VerdictIs::CannotTell);
    assert!(versus.verdict.why.starts_with("No pairs"), "{}", versus.verdict.why);
    assert!(versus.audit_words[0].starts_with("No pairs"));
    let markdown = core.comparison_markdown(&query).unwrap();
    assert!(markdown.contains("No pairs"), "{markdown}");
    let html = String::from_utf8(core.comparison_html(&query).unwrap()).unwrap();
    assert!(html.contains("No pairs"), "{html}");
    report(&core, &query);
}

#[test]
fn the_files_of_a_comparison_hold_every_pair() {
    let (core, query, found) = compared(&[
        ("letta-evals/0.15.0_logical_multirun", None),
        ("letta-evals/0.4.1_multirun", None),
    ]);
    let csv = String::from_utf8(core.pairs_csv(&query, 1).unwrap()).unwrap();
    let n_pairs = usize::try_from(found.candidates[0].audit.n_pairs).unwrap();
    assert_eq!(csv.lines().count(), n_pairs + 1, "{csv}");
    assert!(csv.lines().nth(1).unwrap().ends_with("regressed"), "{csv}");
    let html = String::from_utf8(core.comparison_html(&query).unwrap()).unwrap();
    for part in [
        "<h1 class=\"page-head__title\">Cannot tell</h1>",
        "Pass rate",
        "Regressions",
        "default-src 'none'",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    assert!(html.ends_with("</html>\n") && !html.contains("<script"));
    let markdown = core.comparison_markdown(&query).unwrap();
    for part in ["## ❔ Cannot tell", "| Pass rate |", "2 regressions", "Guard (B"] {
        assert!(markdown.contains(part), "{part}: {markdown}");
    }
}

#[test]
fn rules_are_followed_and_the_pairing_is_kept() {
    let (core, query, found) =
        compared(&[("letta-evals/0.3.2_single", None), ("letta-evals/0.3.2_single", None)]);
    let touched = found.candidates[0].touch.clone();
    assert!(touched.n > 0 && touched.differences.len() == 3, "{touched:?}");
    let declared = found.candidates[0].measures[0].n;
    let rules = vec![("errors".to_owned(), "left-out".to_owned())];
    assert!(matches!(core.answer(Question::Rules(rules)), Ok(Answer::Workspace(_))));
    let found = core.compare(&query).unwrap();
    assert_adds_up(&found);
    assert!(found.candidates[0].measures[0].n < declared);
    assert!(found.candidates[0].audit.left_out > 0);
}

#[test]
fn names_of_files_are_text_in_every_file_of_a_comparison() {
    let hostile = "</title><script>alert(1)</script>";
    let case = |passed| (hostile.to_owned(), f64::from(u8::from(passed)), passed);
    let (core, mut query) = super::rebel_sides(&[vec![case(true)], vec![case(false)]]);
    for side in &mut query.sides {
        side.label = hostile.to_owned();
    }
    let html = String::from_utf8(core.comparison_html(&query).unwrap()).unwrap();
    assert!(html.contains("&lt;script&gt;") && !html.contains("<script"), "{html}");
}

#[test]
fn a_reward_that_stands_for_a_side_has_an_interval_of_its_own() {
    let folder = "letta-evals/0.25.1_reward";
    let subjects = ["openai/gpt-4.1-mini", "anthropic/claude-haiku-4-5"];
    let (_, _, found) = compared(&subjects.map(|subject| (folder, Some(subject))));
    let own = found.candidates[0].own_score.unwrap();
    let [low, high] = own.ci95.unwrap();
    assert!(low.0 < own.difference.0 && own.difference.0 < high.0, "{own:?}");
}
