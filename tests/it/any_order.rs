//! What was dropped counts, not in which order or how many drops.

use crate::hostile::Rng;
use crate::support::{bytes_of, core_of, file, fixture_files, report_of};
use evalglass::input::{Dropped, Pulse};
use evalglass::worker::core::Core;
use serde_json::{Map, Value};

/// Fixture folders of every producer and generation.
pub const FOLDERS: &[&str] = &[
    "deepeval/4.3.1",
    "openai-evals/3.0.1.post1",
    "swebench/5.0.2",
    "slop-code/g1/runs",
    "slop-code/g1/odd",
    "slop-code/g2/2a9800e",
    "slop-code/g2/feeab5a",
    "slop-code/g2/v1.0",
    "rebel/basic",
    "rebel/edge",
    "rebel/nonfinite",
    "rebel/trend",
    "letta-evals/0.2.x_singlefile",
    "letta-evals/0.3.2_single",
    "letta-evals/0.4.1_multirun",
    "letta-evals/0.5.0_interrupted",
    "letta-evals/0.5.0_runnerresult_dump",
    "letta-evals/0.7.0_weighted",
    "letta-evals/0.15.0_logical_multirun",
    "letta-evals/0.17.1_suite_multirun",
    "letta-evals/0.20.0_suite",
    "letta-evals/0.25.1_reward",
    "letta-evals/0.25.1_reward_11runs",
    "letta-evals/0.25.1_runnerresult_dump",
    "letta-evals/0.26.0_reward_multirun",
    "letta-evals/damaged_single",
    "letta-evals/guide_shape",
    "every-eval-ever/0.3.0",
    "harbor/made/job-0.22",
    "harbor/made/job-0.1",
    "harbor/made/trajectories",
    "harbor/made/terminal-bench",
    "helm/0.5.16",
    "lighteval/0.13.0",
    "lm-eval/0.4.3",
    "lm-eval/0.4.13",
    "ctrf/pytest-9.2.0",
    "ctrf/js-runners",
    "pytest-json-report/pytest-9.2.0",
    "promptfoo/0.123.1",
    "promptfoo/0.103.11",
    "junit/pytest-reruns",
    "ctrf/pytest-reruns",
    "junit/pytest-9.2.0",
    "junit/js-runners",
    "inspect-ai/0.3.20",
    "inspect-ai/0.3.63/aborted",
    "inspect-ai/0.3.63/agentic",
    "inspect-ai/0.3.63/killed",
    "inspect-ai/0.3.63/mc",
    "inspect-ai/0.3.285/aborted",
    "inspect-ai/0.3.285/agentic",
    "inspect-ai/0.3.285/chunked",
    "inspect-ai/0.3.285/edited",
    "inspect-ai/0.3.285/killed",
    "table/pandas-3.1.1",
];

/// The report on `drops`, one after the other; evaluations, runs and notes sorted.
fn report_on(drops: Vec<Vec<Dropped>>) -> Value {
    let core = Core::default();
    for files in drops {
        pollster::block_on(core.open(files, Vec::new(), &Pulse::silent())).unwrap();
    }
    let mut report = report_of(&core);
    let lists: &mut Map<String, Value> = report.as_object_mut().unwrap();
    for (_, list) in lists.iter_mut() {
        if let Some(list) = list.as_array_mut() {
            list.sort_by_cached_key(Value::to_string);
        }
    }
    report
}

/// Puts files into another order.
pub fn shuffle(files: &mut [Dropped], rng: &mut Rng) {
    for end in (1..files.len()).rev() {
        files.swap(end, rng.below(end + 1));
    }
}

/// Where two reports begin to differ.
fn difference(left: &Value, right: &Value, path: &str) -> Option<String> {
    match (left, right) {
        (Value::Object(left), Value::Object(right)) if left.keys().eq(right.keys()) => left
            .iter()
            .find_map(|(key, value)| difference(value, &right[key], &format!("{path}.{key}"))),
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => left
            .iter()
            .zip(right)
            .enumerate()
            .find_map(|(at, (left, right))| difference(left, right, &format!("{path}[{at}]"))),
        _ if left == right => None,
        _ => {
            let short = |value: &Value| value.to_string().chars().take(600).collect::<String>();
            Some(format!("{path}:\n  {}\n  {}", short(left), short(right)))
        }
    }
}

fn differences(dropped: impl Fn(Vec<Dropped>, &mut Rng) -> Vec<Vec<Dropped>>) -> String {
    let mut rng = Rng::new(7);
    let mut differing = Vec::new();
    for folder in FOLDERS {
        let files = fixture_files(folder);
        let expected = report_on(vec![files.clone()]);
        let found = report_on(dropped(files, &mut rng));
        if let Some(difference) = difference(&expected, &found, "") {
            differing.push(format!("{folder}{difference}"));
        }
    }
    differing.join("\n")
}

#[test]
fn folders_with_numbers_come_in_the_order_of_their_numbers() {
    for folder in
        ["rebel/basic", "slop-code/g1/runs", "letta-evals/0.7.0_weighted", "inspect-ai/0.3.63/mc"]
    {
        let whole = fixture_files(folder);
        let copy = |nth: u32| {
            whole
                .iter()
                .map(move |one| file(&format!("all/night {nth}/{}", one.path), bytes_of(one)))
        };
        let report = report_of(&core_of([10, 9, 100].into_iter().flat_map(copy).collect()));
        let numbers: Vec<u32> = report["evaluations"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|one| {
                one["path"].as_str()?.strip_prefix("all/night ")?.split('/').next()?.parse().ok()
            })
            .collect();
        assert!(numbers.len() >= 3 && numbers.is_sorted(), "{folder}: {numbers:?}");
    }
}

#[test]
fn any_order_of_files_gives_the_same_report() {
    let differing = differences(|mut files, rng| {
        shuffle(&mut files, rng);
        vec![files]
    });
    assert!(differing.is_empty(), "{differing}");
}

#[test]
fn files_dropped_one_by_one_give_the_same_report_as_together() {
    let differing = differences(|mut files, rng| {
        shuffle(&mut files, rng);
        files.into_iter().map(|file| vec![file]).collect()
    });
    assert!(differing.is_empty(), "{differing}");
}

#[test]
fn two_drops_give_the_same_report_as_one() {
    let differing = differences(|mut files, rng| {
        shuffle(&mut files, rng);
        let rest = files.split_off(files.len() / 2);
        vec![files, rest]
    });
    assert!(differing.is_empty(), "{differing}");
}
