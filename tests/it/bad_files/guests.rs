//! Broken files of other tools: one in two halves, one with a value of another kind, each with what is said.

use super::told;
use crate::support::{bytes_of, core_of, file, fixture_files};
use evalglass::input::Dropped;
use std::fmt::Write as _;

/// How a file is broken.
#[derive(Debug)]
enum How {
    /// Cut in the middle.
    Half,
    /// The value of a key, the n-th of that name from 0 on, is this.
    Is(&'static str, usize, &'static str),
}

use How::{Half, Is};

/// Folder of fixtures, the broken file in it (opened alone, or `true`: among the others), how it is broken, what
/// is said.
const KNOWN: &[(&str, &str, bool, How, &str)] = &[
    (
        "ctrf/js-runners",
        "jest-ctrf.json",
        false,
        Half,
        r#"
5 cases of ctrf CTRF 0.0.0
truncated jest-ctrf.json [byte 4128]: test 6 is cut off, the 5 before it are kept: it ends inside an array at byte 5876
"#,
    ),
    (
        "ctrf/js-runners",
        "jest-ctrf.json",
        false,
        Is("tests", 1, "7"),
        r#"
0 cases of ctrf CTRF 0.0.0
broken jest-ctrf.json [byte 461]: test 1 and what follows cannot be read, nothing is kept: an object or array was expected at byte 461
unfinished jest-ctrf.json [file]: the report holds no test: files that pytest could not collect leave no trace in it
"#,
    ),
    (
        "ctrf/js-runners",
        "jest-ctrf.json",
        false,
        Is("name", 1, "[]"),
        r#"
9 cases of ctrf CTRF 0.0.0
broken jest-ctrf.json [byte 470]: a test has no name
"#,
    ),
    (
        "deepeval/4.3.1",
        "single_turn/latest_run_full.json",
        false,
        Half,
        r#"
3 cases of deepeval 3.0 – 4.3
truncated latest_run_full.json [byte 5070]: test case 4 is cut off, the 3 before it are kept: it ends inside an object at byte 5193
"#,
    ),
    (
        "deepeval/4.3.1",
        "single_turn/latest_run_full.json",
        false,
        Is("testCases", 0, "[1, {}]"),
        r#"
0 cases of deepeval 3.0 – 4.3
broken latest_run_full.json [byte 14]: a test case is not an object
broken latest_run_full.json [byte 17]: a test case has no name
"#,
    ),
    (
        "every-eval-ever/0.3.0",
        "0c5f21-0596-44b8-aa72-4c2540480f80.json",
        false,
        Half,
        r#"
0 cases of every-eval-ever 
broken 090c5f21-0596-44b8-aa72-4c2540480f80.json [byte 3812]: the aggregate cannot be read: it ends inside a text
missing partner 090c5f21-0596-44b8-aa72-4c2540480f80.json [file]: no *_samples.jsonl is among the files: only the figures of the aggregate are shown
"#,
    ),
    (
        "every-eval-ever/0.3.0",
        "_samples.jsonl",
        true,
        Half,
        r#"
4 cases of every-eval-ever 0.3.0
truncated 0.3.0/data/agentic/openai/alpha-1/090c5f21-0596-44b8-aa72-4c2540480f80_samples.jsonl [line 13, byte 18789]: the last sample is cut off: the file ends inside a value
"#,
    ),
    (
        "every-eval-ever/0.3.0",
        "_samples.jsonl",
        true,
        Is("sample_id", 1, "{}"),
        r#"
10 cases of every-eval-ever 0.3.0
broken 0.3.0/data/agentic/openai/alpha-1/090c5f21-0596-44b8-aa72-4c2540480f80_samples.jsonl [line 2, byte 1613]: a sample has no sample_id
"#,
    ),
    (
        "harbor/made/job-0.22",
        "00-00/result.json",
        false,
        Half,
        r#"
0 cases of harbor Harbor job
truncated result.json [byte 1175]: "stats" cannot be read: it ends inside a text
"#,
    ),
    (
        "harbor/made/job-0.22",
        "fix-git__aB3xYz1/result.json",
        false,
        Half,
        r#"
1 cases of harbor Harbor job
truncated result.json [byte 1213]: "config" cannot be read: it ends inside a text
"#,
    ),
    (
        "harbor/made/job-0.22",
        "fix-git__aB3xYz1/result.json",
        false,
        Is("rewards", 0, "[1]"),
        r#"
1 cases of harbor Harbor job
broken result.json [verifier_result.rewards]: it is not an object, and left out
"#,
    ),
    (
        "harbor/made/job-0.22",
        "fix-git__aB3xYz1/verifier/ctrf.json",
        true,
        Half,
        r#"
8 cases of harbor Harbor job
broken job-0.22/2026-03-02__10-00-00/fix-git__aB3xYz1/verifier/ctrf.json [file]: the verifier's tests cannot be read: not valid JSON: it ends inside a text
"#,
    ),
    (
        "harbor/made/trajectories",
        "planner.json",
        false,
        Half,
        r#"
1 cases of harbor ATIF-v1.7
truncated planner.json [byte 368]: step 2 is cut off, the one before it is kept: it ends inside an object at byte 1756
"#,
    ),
    (
        "harbor/made/trajectories",
        "planner.json",
        false,
        Is("steps", 0, "[1, {\"step_id\": {}}]"),
        r#"
1 cases of harbor ATIF-v1.7
broken planner.json [byte 182]: a step is not an object
"#,
    ),
    (
        "harbor/made/terminal-bench",
        "terminal-bench/2025-08-01__12-00-00/results.json",
        false,
        Half,
        r#"
2 cases of harbor Terminal-Bench
truncated results.json [byte 2044]: trial 3 is cut off, the 2 before it are kept: it ends inside an object at byte 2069
"#,
    ),
    (
        "harbor/made/terminal-bench",
        "terminal-bench/2025-08-01__12-00-00/results.json",
        false,
        Is("task_id", 0, "7"),
        r#"
3 cases of harbor Terminal-Bench
broken results.json [byte 77]: a trial has no task_id
"#,
    ),
    (
        "helm/0.5.16",
        "scenario_state.json",
        true,
        Half,
        r#"
6 cases of helm 
truncated 0.5.16/simple_mcqa:model=simple_model1/scenario_state.json [byte 4728]: request 3 is cut off, the 2 before it are kept: it ends inside an object at byte 6224
"#,
    ),
    (
        "helm/0.5.16",
        "per_instance_stats.json",
        true,
        Half,
        r#"
6 cases of helm 
truncated 0.5.16/simple_mcqa:model=simple_model1/per_instance_stats.json [line 3, byte 22581]: the last instance is cut off: the file ends inside an array
"#,
    ),
    (
        "helm/0.5.16",
        "/stats.json",
        true,
        Is("name", 2, "7"),
        r#"
6 cases of helm 
broken 0.5.16/simple_mcqa:model=simple_model1/stats.json [line 1, byte 232]: a stat has no name
"#,
    ),
    (
        "inspect-ai/0.3.20",
        "mc_WLmxXytqgtWvyr3nCmvoSe.json",
        false,
        Half,
        r#"
0 cases of inspect-ai 0.3.20
truncated 2026-11-22T10-11-19+00-00_mc_WLmxXytqgtWvyr3nCmvoSe.json [byte 1359]: sample 1 is cut off, nothing is kept: it ends inside an object at byte 2584
"#,
    ),
    (
        "inspect-ai/0.3.20",
        "mc_WLmxXytqgtWvyr3nCmvoSe.json",
        false,
        Is("samples", 1, "[1, {}]"),
        r#"
0 cases of inspect-ai 0.3.20
broken 2026-11-22T10-11-19+00-00_mc_WLmxXytqgtWvyr3nCmvoSe.json [byte 1353]: a sample is not an object
broken 2026-11-22T10-11-19+00-00_mc_WLmxXytqgtWvyr3nCmvoSe.json [byte 1356]: a sample has no id
"#,
    ),
    (
        "inspect-ai/0.3.285/mc",
        ".eval",
        false,
        Half,
        r#"
broken 2026-11-22T10-10-44-00-00_mc_KefU6TCFuPCq4on5vhQq4N.eval [file]: damaged zip data: the list of files at its end is missing, so it is probably cut off
"#,
    ),
    (
        "junit/js-runners",
        "vitest-junit.xml",
        false,
        Half,
        r#"
6 cases of junit JUnit XML
truncated vitest-junit.xml [byte 1857]: the file is cut off, the 6 tests before are kept: it ends inside a tag
"#,
    ),
    (
        "lighteval/0.13.0",
        "452643.json",
        false,
        Half,
        r#"
0 cases of lighteval 
broken results_2026-11-22T10-52-36.452643.json [byte 2563]: the aggregate cannot be read: it ends inside a text
missing partner results_2026-11-22T10-52-36.452643.json [file]: no details_*.parquet is among the files (--save-details writes them): only the figures of the aggregate are shown
"#,
    ),
    (
        "lighteval/0.13.0",
        "details_local_mc|0_2026-11-22T10-52-36.452643.parquet",
        true,
        Half,
        r#"
4 cases of lighteval 
broken 0.13.0/details/acme/dummy-public/2026-11-22T10-52-36.452643/details_local_mc|0_2026-11-22T10-52-36.452643.parquet [file]: damaged Parquet data: its footer is missing or does not fit, so the file is probably cut off
"#,
    ),
    (
        "lm-eval/0.4.13",
        "dummy/g0exephj/results_2026-11-22T10-44-44.916093.json",
        false,
        Half,
        r#"
unrecognised results_2026-11-22T10-44-44.916093.json [file]: JSON without the keys of a known format; it ends inside an object at byte 4071; it starts with "{\n  \"results\": {\n    \"local_mc\":"
"#,
    ),
    (
        "lm-eval/0.4.13",
        "dummy/g0exephj/samples_local_mc_2026-11-22T10-44-44.916093.jsonl",
        false,
        Half,
        r#"
3 cases of lm-eval 
truncated samples_local_mc_2026-11-22T10-44-44.916093.jsonl [line 4, byte 2682]: the last sample is cut off: the file ends inside a value
"#,
    ),
    (
        "lm-eval/0.4.13",
        "dummy/g0exephj/samples_local_mc_2026-11-22T10-44-44.916093.jsonl",
        false,
        Is("doc_id", 1, "[]"),
        r#"
6 cases of lm-eval 
broken samples_local_mc_2026-11-22T10-44-44.916093.jsonl [line 2, byte 859]: a sample has no doc_id
"#,
    ),
    (
        "openai-evals/3.0.1.post1",
        "fx-match_canned.jsonl",
        false,
        Half,
        r#"
3 cases of openai-evals 3.0
truncated fx-match_canned.jsonl [line 9, byte 3015]: the last event is cut off: the file ends inside a value
"#,
    ),
    (
        "openai-evals/3.0.1.post1",
        "fx-match_canned.jsonl",
        false,
        Is("data", 2, "7"),
        r#"
8 cases of openai-evals 3.0
"#,
    ),
    (
        "promptfoo/0.123.1",
        "small_repeat/results.json",
        false,
        Half,
        r#"
5 cases of promptfoo results version 3
truncated results.json [byte 23687]: row 6 is cut off, the 5 before it are kept: it ends inside an array at byte 26060
"#,
    ),
    (
        "promptfoo/0.123.1",
        "small_repeat/results.json",
        false,
        Is("results", 1, "[1, {}]"),
        r#"
0 cases of promptfoo 0.123.1
broken results.json [byte 3363]: a row is not an object
broken results.json [byte 3366]: a row has no "success"
"#,
    ),
    (
        "promptfoo/0.123.1",
        "small_repeat/results.jsonl",
        false,
        Half,
        r#"
5 cases of promptfoo results version 3
truncated results.jsonl [line 6, byte 10637]: the last row is cut off: the file ends inside a value
"#,
    ),
    (
        "promptfoo/0.123.1",
        "small_repeat/results.yaml",
        false,
        Half,
        r#"
5 cases of promptfoo results version 3
broken results.yaml [row 5]: a row has no "success"
"#,
    ),
    (
        "promptfoo/0.123.1",
        "small_repeat/results.xml",
        false,
        Half,
        r#"
broken results.xml [byte 30485]: it ends inside a tag
"#,
    ),
    (
        "promptfoo/0.123.1",
        "small_repeat/results.csv",
        false,
        Half,
        r#"
4 cases of promptfoo results version 3
broken results.csv [row 4]: a row has fewer cells than the header, as one that is cut off
assumed results.csv [file]: the file does not say how often each test was run: rows of one prompt and provider that are asked the same are read as repeats
"#,
    ),
    (
        "pytest-json-report/pytest-9.2.0",
        "json-report.json",
        false,
        Half,
        r#"
8 cases of pytest-json-report 1.5
truncated json-report.json [byte 12943]: test 9 is cut off, the 8 before it are kept: it ends inside an object at byte 13221
truncated json-report.json [byte 13221]: it ends inside an object; every collector is read
"#,
    ),
    (
        "pytest-json-report/pytest-9.2.0",
        "json-report.json",
        false,
        Is("tests", 0, "[1, {}]"),
        r#"
0 cases of pytest-json-report 1.5
broken json-report.json [byte 3967]: a test is not an object
broken json-report.json [byte 3970]: a test has no nodeid
"#,
    ),
    (
        "swebench/5.0.2",
        "nightly_01.json",
        false,
        Half,
        r#"
22 cases of swebench 4.1 – 5.0
truncated acme__coder-1.nightly_01.json [byte 1453]: "submitted_ids" cannot be read: it ends inside a text
"#,
    ),
    (
        "swebench/5.0.2",
        "nightly_01.json",
        false,
        Is("resolved_ids", 0, "7"),
        r#"
24 cases of swebench 4.1 – 5.0
broken acme__coder-1.nightly_01.json [byte 1801]: resolved_ids is not a list of ids: none of it is read
"#,
    ),
    (
        "table/pandas-3.1.1",
        "results.csv",
        false,
        Half,
        r#"
20 cases of table 
assumed results.csv [file]: what the columns are is guessed: id as id, model as model, category as group, input as input, output as output, score as score, passed as passed, error as error, latency_s as duration, tokens as tokens
"#,
    ),
    (
        "table/pandas-3.1.1",
        "results.jsonl",
        false,
        Half,
        r#"
20 cases of table 
truncated results.jsonl [line 21, byte 3496]: the last record is cut off: the file ends inside a value
assumed results.jsonl [file]: what the columns are is guessed: id as id, model as model, category as group, input as input, output as output, score as score, passed as passed, error as error, latency_s as duration, tokens as tokens
"#,
    ),
    (
        "table/pandas-3.1.1",
        "results_records.json",
        false,
        Half,
        r#"
21 cases of table 
truncated results_records.json [line 21, byte 4493]: the last record is cut off: the file ends inside a value
assumed results_records.json [file]: what the columns are is guessed: id as id, model as model, category as group, input as input, output as output, score as score, passed as passed, error as error, latency_s as duration, tokens as tokens
"#,
    ),
    (
        "table/pandas-3.1.1",
        "results_split.json",
        false,
        Half,
        r#"
unrecognised results_split.json [file]: JSON without the keys of a known format; it ends inside an object at byte 2072; it starts with "{\"columns\":[\"id\",\"model\",\"catego"
"#,
    ),
    (
        "table/pandas-3.1.1",
        "pandas-3.1.1/results.parquet",
        false,
        Half,
        r#"
broken results.parquet [file]: damaged Parquet data: its footer is missing or does not fit, so the file is probably cut off
"#,
    ),
    (
        "table/pandas-3.1.1",
        "results_columns.json",
        false,
        Is("score", 0, "7"),
        r#"
unrecognised results_columns.json [file]: JSON without the keys of a known format; it starts with "{\"id\":{\"0\":\"case-00\",\"1\":\"case-0"
"#,
    ),
];

/// The file, broken.
fn broken(bytes: &[u8], how: &How) -> Vec<u8> {
    let Is(key, nth, value) = how else { return bytes[..bytes.len() / 2].to_vec() };
    let quoted = format!("\"{key}\"");
    let mut at = 0;
    let mut left = nth + 1;
    while left > 0 {
        let found = memchr::memmem::find(&bytes[at..], quoted.as_bytes());
        at += found.unwrap_or_else(|| panic!("no {key} {nth}")) + quoted.len();
        let colon = bytes[at..].iter().position(|byte| !byte.is_ascii_whitespace()).unwrap();
        if bytes[at + colon] == b':' {
            at += colon + 1;
            left -= 1;
        }
    }
    let mut values =
        serde_json::Deserializer::from_slice(&bytes[at..]).into_iter::<serde::de::IgnoredAny>();
    values.next().unwrap().unwrap();
    let end = at + values.byte_offset();
    [&bytes[..at], value.as_bytes(), &bytes[end..]].concat()
}

/// What is opened, one file of it broken.
fn dropped(folder: &str, name: &str, is_among_others: bool, how: &How) -> Vec<Dropped> {
    let mut files = fixture_files(folder);
    let at = files.iter().position(|one| one.path.ends_with(name));
    let at = at.unwrap_or_else(|| panic!("no {name} in {folder}"));
    let path = files[at].path.clone();
    let bytes = broken(&bytes_of(&files[at]), how);
    if !is_among_others {
        return vec![file(path.rsplit('/').next().unwrap(), bytes)];
    }
    files[at] = file(&path, bytes);
    files
}

#[test]
fn every_broken_file_of_a_guest_gives_its_pinned_message() {
    let mut differing = String::new();
    for (folder, name, is_among_others, how, expected) in KNOWN {
        let found = told(&core_of(dropped(folder, name, *is_among_others, how)));
        if found.trim_end() != expected.trim() {
            let start = format!("{folder:?}, {name:?}, {is_among_others}, {how:?}");
            writeln!(differing, "    (\n        {start},\n        r#\"\n{found}\"#,\n    ),")
                .unwrap();
        }
    }
    assert!(differing.is_empty(), "these are told otherwise:\n{differing}");
}
