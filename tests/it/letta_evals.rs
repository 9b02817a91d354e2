//! letta-evals against its own values, its folders under other names, damaged files, details.

// Bad lines, cut files, wrong types, duplicates.
mod bad;
// The whole record of a sample, and a text dump of one evaluation per generation.
mod detail;
// Names, folders, bundles.
pub mod names;

use crate::support::{assert_close, fixture, fixture_json, fixture_report};
use serde_json::{Value, json};

/// Every fixture folder of this producer.
pub fn folders() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(fixture("letta-evals"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().join("expected.json").exists())
        .map(|entry| format!("letta-evals/{}", entry.file_name().to_string_lossy()))
        .collect();
    names.sort();
    names
}

/// The member of `list` whose `key` is `value`.
fn find<'a>(list: &'a Value, key: &str, value: &Value) -> Option<&'a Value> {
    list.as_array()?.iter().find(|item| &item[key] == value)
}

#[test]
fn every_stated_figure_agrees() {
    let mut n_compared = 0;
    for folder in folders() {
        let report = fixture_report(&folder);
        assert_eq!(report["evaluations"].as_array().unwrap().len(), 1, "{folder}");
        for row in report["audit"].as_array().unwrap() {
            // A dump of 0.4 – 0.16 holds the rows of its last run only.
            let is_known = row["why"].is_string() && folder.ends_with("0.5.0_runnerresult_dump");
            assert!(is_known || row["agrees"] == true, "{folder}: {row}");
            n_compared += 1;
        }
        for note in report["notes"].as_array().unwrap() {
            let is_harmless = note["kind"] == "skipped";
            let is_known =
                folder.ends_with("damaged_single") || folder.ends_with("0.5.0_runnerresult_dump");
            assert!(is_harmless || is_known, "{folder}: {note}");
        }
    }
    assert!(n_compared > 2000, "only {n_compared} figures were compared");
}

#[test]
fn early_releases_agree_with_what_they_computed() {
    let mut n_compared = 0;
    for folder in folders() {
        let expected = fixture_json(&format!("{folder}/expected.json"));
        let runs: Vec<(u64, &Value)> = match expected.get("runs") {
            Some(runs) => (1..).zip(runs.as_object().unwrap().values()).collect(),
            None => {
                ["run", "single_file"].iter().filter_map(|k| Some((1, expected.get(k)?))).collect()
            }
        };
        if runs.is_empty() {
            continue;
        }
        let report = fixture_report(&folder);
        let evaluation = &report["evaluations"][0];
        for (number, run) in runs {
            let Some(repeat) = find(&evaluation["repeats"], "repeat", &json!(number)) else {
                assert!(folder.ends_with("0.5.0_runnerresult_dump"), "{folder} run {number}");
                continue;
            };
            let what = format!("{folder} run {number}");
            let metrics = run.get("summary_metrics").unwrap_or(run);
            n_compared += compare_totals(repeat, metrics, &what);
            for model in metrics["per_model"].as_array().into_iter().flatten() {
                let subject = find(&repeat["subjects"], "subject", &model["model_name"]).unwrap();
                n_compared +=
                    compare_totals(subject, model, &format!("{what} {}", model["model_name"]));
            }
            let gate = run.get("recomputed_gates_passed").unwrap_or(&run["gates_passed"]);
            assert_eq!(&repeat["gate"]["passed"], gate, "{what} gate");
            n_compared += compare_samples(&report, number, run, &what);
        }
    }
    assert!(n_compared > 1000, "only {n_compared} values were compared");
}

/// Totals of a report against `metrics` of 0.2 – 0.16.
fn compare_totals(totals: &Value, metrics: &Value, what: &str) -> usize {
    let mut n = 0;
    let mut close = |found: &Value, expected: &Value, scale: f64, key: &str| {
        if expected.is_null() {
            return;
        }
        let scaled = json!(expected.as_f64().unwrap() / scale);
        assert_close(found, &scaled, &format!("{what} {key}"));
        n += 1;
    };
    let (counts, score) = (&totals["counts"], &totals["score"]);
    close(&counts["total"], &metrics["total"], 1.0, "total");
    close(&counts["attempted"], &metrics["total_attempted"], 1.0, "total_attempted");
    close(&counts["passed"], &metrics["passed_attempts"], 1.0, "passed_attempts");
    close(&counts["passed"], &metrics["passed_samples"], 1.0, "passed_samples");
    close(&counts["failed"], &metrics["failed_attempts"], 1.0, "failed_attempts");
    close(&score["mean_attempted"], &metrics["avg_score"], 1.0, "avg_score");
    close(&score["mean_attempted"], &metrics["avg_score_attempted"], 1.0, "attempted");
    close(&score["mean_total"], &metrics["avg_score_total"], 1.0, "avg_score_total");
    for (name, expected) in metrics["by_metric"].as_object().into_iter().flatten() {
        let metric = find(&totals["metrics"], "name", &json!(name)).unwrap();
        close(&metric["mean_attempted"], &expected["avg_score"], 1.0, name);
        close(&metric["mean_attempted"], &expected["avg_score_attempted"], 1.0, name);
        close(&metric["mean_total"], &expected["avg_score_total"], 1.0, name);
        close(&metric["pass_rate"], &expected["pass_rate"], 100.0, name);
        close(&metric["passed"], &expected["passed_attempts"], 1.0, name);
        close(&metric["failed"], &expected["failed_attempts"], 1.0, name);
    }
    for group in ["cost", "usage_metrics"] {
        let (usage, expected) = (&totals["usage"], &metrics[group]);
        for key in ["prompt_tokens", "completion_tokens", "cached_input_tokens", "reasoning_tokens"]
        {
            close(&usage[key], &expected[format!("total_{key}")], 1.0, key);
        }
        close(&usage["cache_write_tokens"], &expected["total_cache_write_tokens"], 1.0, "cache");
        close(&usage["cost_usd"], &expected["total_cost"], 1.0, "cost");
    }
    let (timing, expected) = (&totals["timing"], &metrics["timing_metrics"]);
    for (key, of) in [
        ("mean_secs", "mean_total_seconds"),
        ("mean_target_secs", "mean_target_seconds"),
        ("mean_extraction_secs", "mean_extraction_seconds"),
        ("p50_secs", "p50_total_seconds"),
        ("p95_secs", "p95_total_seconds"),
    ] {
        close(&timing[key], &expected[of], 1.0, key);
    }
    close(&totals["errors"]["total"], &metrics["error_summary"]["total_errors"], 1.0, "errors");
    n
}

/// Each sample's verdict, and each of its graders'.
fn compare_samples(report: &Value, repeat: u64, run: &Value, what: &str) -> usize {
    let mut n = 0;
    for sample in run["sample_pass"].as_array().into_iter().flatten() {
        let fits = |candidate: &&Value| {
            candidate["repeat"] == repeat
                && (sample["model_name"].is_null()
                    || candidate["subject"].is_null()
                    || candidate["subject"] == sample["model_name"])
        };
        let runs = report["runs"].as_array().unwrap();
        let case = runs
            .iter()
            .filter(fits)
            .find_map(|run| find(&run["cases"], "id", &sample["sample_id"]))
            .unwrap_or_else(|| panic!("{what}: sample {} is there", sample["sample_id"]));
        let what = format!("{what} sample {}", sample["sample_id"]);
        assert_eq!(case["outcome"] == "passed", sample["grade"] == true, "{what}");
        for (name, passes) in sample["grades"].as_object().unwrap() {
            let check = find(&case["checks"], "name", &json!(name)).unwrap();
            let is_judge_error = check["verdict"] == "error";
            assert!(is_judge_error || check["is_correct"] == *passes, "{what} {name}: {check}");
            n += 1;
        }
        n += 1;
    }
    n
}

#[test]
fn late_releases_agree_with_what_they_computed() {
    let mut n_compared = 0;
    for folder in folders() {
        let expected = fixture_json(&format!("{folder}/expected.json"));
        let Some(models) = expected["models"].as_object() else { continue };
        let report = fixture_report(&folder);
        let evaluation = &report["evaluations"][0];
        for (name, model) in models {
            let what = format!("{folder} {name}");
            let summary = &model["summary"];
            let runs: Vec<&Value> = match summary["runs"].as_array() {
                Some(runs) => runs.iter().collect(),
                None => vec![summary],
            };
            for (number, run) in (1..).zip(runs) {
                let repeat = find(&evaluation["repeats"], "repeat", &json!(number)).unwrap();
                let subject = find(&repeat["subjects"], "subject", &json!(name)).unwrap();
                n_compared += compare_model(subject, run, &format!("{what} run {number}"));
            }
            if let Some(subject) =
                find(&evaluation["aggregate"]["subjects"], "subject", &json!(name))
            {
                for (name, mean) in summary["per_metric"].as_object().unwrap() {
                    let spread = &subject["metrics"][name];
                    assert_close(&spread["mean"], mean, &what);
                    assert_close(&spread["std"], &summary["per_metric_std"][name], &what);
                    n_compared += 2;
                }
                if !summary["reward"].is_null() {
                    assert_close(&subject["reward"]["mean"], &summary["reward"], &what);
                    assert_close(&subject["reward"]["std"], &summary["reward_std"], &what);
                }
            }
        }
        for (number, gate) in (1..).zip(expected["gate_per_run"].as_object().into_iter().flatten())
        {
            let repeat = find(&evaluation["repeats"], "repeat", &json!(number)).unwrap();
            assert_eq!(repeat["gate"]["passed"], gate.1["gate_passed"], "{folder} run {number}");
        }
    }
    assert!(n_compared > 400, "only {n_compared} values were compared");
}

/// Totals of a report against a run of a model summary of 0.17 and later.
fn compare_model(totals: &Value, run: &Value, what: &str) -> usize {
    let mut n = 0;
    let mut close = |found: &Value, expected: &Value, key: &str| {
        if !expected.is_null() {
            assert_close(found, expected, &format!("{what} {key}"));
            n += 1;
        }
    };
    close(&totals["reward"], &run["reward"], "reward");
    close(&totals["errors"]["total"], &run["n_errors"], "n_errors");
    for (name, mean) in run["per_metric"].as_object().unwrap() {
        let metric = find(&totals["metrics"], "name", &json!(name)).unwrap();
        close(&metric["mean_attempted"], mean, name);
    }
    let usage = &totals["usage"];
    for (key, sum) in run["usage"].as_object().into_iter().flatten() {
        let own = if key == "cost" { "cost_usd" } else { key };
        close(&usage[own], sum, key);
    }
    close(&usage["cost_missing"], &run["cost_missing"], "cost_missing");
    let timing = &totals["timing"];
    for (key, of) in [
        ("mean_secs", "mean_total"),
        ("mean_target_secs", "mean_target"),
        ("mean_extraction_secs", "mean_extraction"),
        ("p50_secs", "p50_total"),
        ("p95_secs", "p95_total"),
    ] {
        close(&timing[key], &run["timing"][of], key);
    }
    for (name, mean) in run["timing"]["per_grader_mean"].as_object().into_iter().flatten() {
        close(&timing["per_metric_mean_secs"][name], mean, name);
    }
    n
}

#[test]
fn gate_values_agree_for_every_aggregation() {
    use evalglass::model::{Aggregation, Config, GateRule, Op, Run};
    let mut n_compared = 0;
    for folder in folders() {
        let expected = fixture_json(&format!("{folder}/expected.json"));
        let runs: Vec<(u32, &Value)> = match expected.get("runs") {
            Some(runs) => (1..).zip(runs.as_object().unwrap().values()).collect(),
            None => match expected.get("gate_per_run") {
                Some(runs) => (1..).zip(runs.as_object().unwrap().values()).collect(),
                None => expected.get("run").map(|run| (1, run)).into_iter().collect(),
            },
        };
        let imported = names::import_fixture(&folder);
        let evaluation = &imported.imports[0].evaluation;
        for (number, run) in runs {
            let of_repeat: Vec<&Run> =
                evaluation.runs.iter().filter(|run| run.key.repeat == number).collect();
            let mut compare = |metric: &str, aggregation: Aggregation, value: &Value| {
                let rule = GateRule::Simple {
                    metric: Some(metric.to_owned()),
                    aggregation,
                    op: Op::Gte,
                    value: 0.0,
                };
                let verdict = evalglass::policy::judge_gate(
                    &rule,
                    &of_repeat,
                    &Config { ..evaluation.config.clone() },
                    &evalglass::scoring::Rules::default(),
                    None,
                );
                let found = json!(verdict.value.unwrap().0);
                assert_close(&found, value, &format!("{folder} {number} {metric} {aggregation:?}"));
                n_compared += 1;
            };
            let aggregations =
                ["aggregations_over_graded_rows", "aggregations_over_graded_rows_all_models"]
                    .iter()
                    .filter_map(|key| run.get(*key)?.as_object())
                    .flatten();
            for (metric, values) in aggregations {
                for (name, value) in values.as_object().unwrap() {
                    let aggregation = match name.as_str() {
                        "avg_score" => Aggregation::AvgScore,
                        "accuracy" => Aggregation::Accuracy { threshold: 1.0 },
                        "min" => Aggregation::Min,
                        "max" => Aggregation::Max,
                        "median" | "p50" => Aggregation::Percentile(50.0),
                        "p95" => Aggregation::Percentile(95.0),
                        "p99" => Aggregation::Percentile(99.0),
                        other => panic!("{other} is known"),
                    };
                    compare(metric, aggregation, value);
                }
            }
            for (metric, values) in run["accuracy_at_threshold"].as_object().into_iter().flatten() {
                for (threshold, value) in values.as_object().unwrap() {
                    let threshold = threshold.parse().unwrap();
                    compare(metric, Aggregation::Accuracy { threshold }, value);
                }
            }
        }
    }
    assert!(n_compared > 100, "only {n_compared} values were compared");
}

#[test]
fn a_damaged_folder_gives_its_complete_rows() {
    let report = fixture_report("letta-evals/damaged_single");
    assert_eq!(report["runs"][0]["counts"]["total"], 5);
    let notes = report["notes"].as_array().unwrap();
    let truncated = notes.iter().find(|note| note["kind"] == "truncated").unwrap();
    assert_eq!(truncated["at"], "line 6, byte 11946");
}
