//! Intervals over repeats, as the guide of letta-evals computes them and as Student does.

use crate::support::{assert_close, fixture_report};
use serde_json::json;

#[test]
fn the_guide_s_interval_stands_beside_student_s() {
    let report = fixture_report("guides/l16_multirun");
    let score = &report["evaluations"][0]["aggregate"]["score"];
    let (mean, std) = (score["mean"].as_f64().unwrap(), score["std"].as_f64().unwrap());
    let n = report["evaluations"][0]["aggregate"]["n_repeats"].as_f64().unwrap();
    let half = 1.96 * std / n.sqrt();
    assert_close(&score["normal95"][0], &json!(mean - half), "lower end");
    assert_close(&score["normal95"][1], &json!(mean + half), "upper end");
    assert!(score["ci95"][0].as_f64() < score["normal95"][0].as_f64(), "Student's is wider");
}
