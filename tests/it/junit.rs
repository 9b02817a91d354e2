//! JUnit XML of several runners against what the runners themselves report, and its odd cases.

use crate::support::{
    at, bytes_of, core_of, exported, file, fixture_files, fixture_json, fixture_report, records_of,
    report_of,
};
use evalglass::input::Pulse;
use evalglass::model::{AttemptDetail, CaseDetail};
use evalglass::report::{CaseQuery, Target};
use evalglass::worker::protocol::{Answer, ExportKind};
use serde_json::Value;

const PYTEST: [&str; 4] =
    ["junit-collect-error.xml", "junit-continue.xml", "junit-xunit1.xml", "junit-xunit2.xml"];

/// The run that was read of the file called `name` in a folder.
fn run_of<'a>(report: &'a Value, name: &str) -> &'a Value {
    let runs = report["runs"].as_array().unwrap();
    runs.iter().find(|run| run["path"].as_str().unwrap().ends_with(name)).unwrap()
}

fn cases(run: &Value) -> &Vec<Value> {
    run["cases"].as_array().unwrap()
}

/// How a test came out, by its phases as a plugin of pytest wrote them down.
fn by_phases(phases: &[Value]) -> &'static str {
    let has = |when: &[&str], outcome: &str| {
        phases.iter().any(|phase| {
            when.contains(&phase["when"].as_str().unwrap()) && phase["outcome"] == outcome
        })
    };
    if has(&["setup", "teardown"], "failed") {
        "error"
    } else if has(&["call"], "failed") {
        "failed"
    } else if has(&["setup", "call"], "skipped") {
        "skipped"
    } else {
        "passed"
    }
}

/// `evals/test_main.py::TestGroup::test_deep` as JUnit names it.
fn junit_name(nodeid: &str) -> (String, String) {
    let (head, params) = nodeid
        .split_once('[')
        .map_or((nodeid, String::new()), |(head, rest)| (head, format!("[{rest}")));
    let mut parts: Vec<&str> = head.split("::").collect();
    let name = format!("{}{params}", parts.pop().unwrap());
    let module = parts.remove(0).trim_end_matches(".py").replace('/', ".");
    let group = [module.as_str()].into_iter().chain(parts).collect::<Vec<_>>().join(".");
    (group, name)
}

#[test]
fn every_test_comes_out_as_pytest_says() {
    let report = fixture_report("junit/pytest-9.2.0");
    let expected = fixture_json("junit/pytest-9.2.0/expected.json");
    let mut n_compared = 0;
    for (name, run) in [("junit-xunit2.xml", "all"), ("junit-xunit1.xml", "xunit1")] {
        let own = run_of(&report, name);
        let runs = expected["runs"].as_array().unwrap();
        let told = runs.iter().find(|one| one["run"] == run).unwrap();
        let phases = told["phases"].as_object().unwrap();
        assert_eq!(cases(own).len(), phases.len(), "{name}");
        for (nodeid, phases) in phases {
            let (group, id) = junit_name(nodeid);
            let case = cases(own).iter().find(|case| case["id"] == id && case["group"] == group);
            let case = case.unwrap_or_else(|| panic!("{name}: {group} {id}"));
            let mut outcome = by_phases(phases.as_array().unwrap());
            if nodeid.ends_with("test_sub") {
                outcome = "failed";
            }
            assert_eq!(case["outcome"], outcome, "{name} {nodeid}");
            let score = match id.as_str() {
                "test_eq[1-1]" | "test_eq[\\xe9-\\xe9]" | "test_eq[None-None]" => Some(1.0),
                id if id.starts_with("test_eq[") => Some(0.25),
                _ => None,
            };
            assert_eq!(case["score"].as_f64(), score, "{name} {nodeid}");
            n_compared += 2;
        }
    }
    for name in PYTEST {
        let suite = &expected["files"][name]["suite"];
        let own = &run_of(&report, name)["counts"];
        let number = |key: &str| suite[key].as_str().unwrap().parse::<u64>().unwrap();
        assert_eq!(own["error"].as_u64(), Some(number("errors")), "{name}");
        assert_eq!(own["skipped"].as_u64(), Some(number("skipped")), "{name}");
        // One test fails and breaks its teardown.
        let n_double = u64::from(number("failures") > 0);
        assert_eq!(own["failed"].as_u64(), Some(number("failures") - n_double), "{name}");
        let n_elements = expected["files"][name]["n_testcase"].as_u64().unwrap();
        assert_eq!(own["total"].as_u64(), Some(n_elements - n_double), "{name}");
        n_compared += 4;
    }
    assert_eq!(n_compared, 2 * 2 * 21 + 4 * 4);
}

#[test]
fn counts_of_the_header_agree_or_are_explained() {
    for folder in ["junit/pytest-9.2.0", "junit/js-runners"] {
        let report = fixture_report(folder);
        let rows = report["audit"].as_array().unwrap();
        assert!(rows.len() >= 10, "{folder}: {}", rows.len());
        for row in rows {
            let is_known = row["why"].as_str().is_some_and(|why| why.contains("subtests"));
            let is_tests = row["field"].as_str().unwrap().ends_with("tests");
            assert!(row["agrees"] == true || (is_known && is_tests), "{folder}: {row}");
        }
    }
}

#[test]
fn a_header_that_was_changed_is_found() {
    let files = fixture_files("junit/pytest-9.2.0");
    let whole = files.iter().find(|one| one.path.ends_with("xunit2.xml")).unwrap();
    let text = String::from_utf8(bytes_of(whole)).unwrap();
    for (from, to) in [
        ("errors=\"3\"", "errors=\"2\""),
        ("failures=\"9\"", "failures=\"8\""),
        ("skipped=\"3\"", "skipped=\"4\""),
        ("tests=\"25\"", "tests=\"21\""),
    ] {
        let report = report_of(&core_of(vec![file("a.xml", text.replacen(from, to, 1))]));
        let rows = report["audit"].as_array().unwrap();
        let field = from.split('=').next().unwrap();
        let row = rows.iter().find(|row| row["field"].as_str().unwrap().ends_with(field)).unwrap();
        assert_eq!(row["agrees"], false, "{row}");
        assert!(row["why"].as_str().unwrap().starts_with("no known cause explains it"), "{row}");
    }
}

#[test]
fn runners_of_javascript_read_as_their_consoles_say() {
    let report = fixture_report("junit/js-runners");
    let expected = fixture_json("junit/js-runners/expected.json");
    let jest = run_of(&report, "jest-junit.xml");
    let own = &expected["jest_own_json"];
    for (ours, theirs) in [("passed", "numPassedTests"), ("failed", "numFailedTests")] {
        assert_eq!(jest["counts"][ours], own[theirs], "{ours}");
    }
    assert_eq!(jest["counts"]["error"], own["numRuntimeErrorTestSuites"]);
    let n_idle = own["numPendingTests"].as_u64().unwrap() + own["numTodoTests"].as_u64().unwrap();
    assert_eq!(jest["counts"]["skipped"].as_u64(), Some(n_idle));
    let named = own["tests"].as_array().unwrap().iter().filter(|test| test["fullName"].is_string());
    for test in named {
        let case = cases(jest).iter().find(|case| case["id"] == test["fullName"]);
        let case = case.unwrap_or_else(|| panic!("{}", test["fullName"]));
        let outcome = match test["status"].as_str().unwrap() {
            "pending" | "todo" => "skipped",
            other => other,
        };
        assert_eq!(case["outcome"], outcome, "{}", test["fullName"]);
    }
    let vitest = run_of(&report, "vitest-junit.xml");
    // 3 tests, a hook and a file that cannot be loaded; 2 skipped, 1 todo and 1 that never ran… as the file has it.
    assert_eq!(vitest["counts"]["passed"].as_u64(), Some(5));
    assert_eq!(vitest["counts"]["failed"].as_u64(), Some(5));
    assert_eq!(vitest["counts"]["skipped"].as_u64(), Some(3));
}

#[test]
fn each_try_says_why_it_failed() {
    let text = r#"<?xml version="1.0"?><testsuite name="s" tests="3">
        <testcase classname="t" name="flaky"><flakyFailure message="first">a</flakyFailure>
            <flakyError message="second">b</flakyError></testcase>
        <testcase classname="t" name="bad"><failure message="own">c</failure>
            <rerunFailure message="again">d</rerunFailure></testcase>
        <testcase classname="t" name="good"/></testsuite>"#;
    let found = records_of(vec![file("TEST-s.xml", text)]);
    let said = |detail: &CaseDetail| -> Vec<Vec<String>> {
        let of = |one: &AttemptDetail| one.output.iter().map(|text| text.body.clone()).collect();
        detail.attempts.iter().map(of).collect()
    };
    let reasons: Vec<Vec<Vec<String>>> = found.iter().map(|(_, detail)| said(detail)).collect();
    let flaky = vec![vec!["first", "a"], vec!["second", "b"], vec![]];
    let bad = vec![vec!["own", "c"], vec!["again", "d"]];
    assert_eq!(reasons, [flaky, bad, vec![]]);
    // pytest-rerunfailures: an element for each try.
    let text = r#"<testsuites name="pytest tests"><testsuite name="pytest" tests="2"><testcase classname="t" name="a"/>
        <testcase classname="t" name="a"><failure message="assert 0">E</failure></testcase></testsuite></testsuites>"#;
    let found = records_of(vec![file("junit.xml", text)]);
    assert_eq!(said(&found[0].1), [vec![], vec!["assert 0", "E"]]);
}

#[test]
fn reruns_of_pytest_are_tries_and_the_last_one_counts() {
    let text = r#"<?xml version="1.0"?><testsuites name="pytest tests"><testsuite name="pytest" tests="3"
        failures="1" errors="0" skipped="0"><testcase classname="t" name="flaky" time="1"/>
        <testcase classname="t" name="flaky" time="2"/><testcase classname="t" name="bad" time="1"/>
        <testcase classname="t" name="bad" time="2"><failure message="assert 0">E</failure></testcase>
        <testcase classname="t" name="good"/></testsuite></testsuites>"#;
    let report = report_of(&core_of(vec![file("unknown", text)]));
    let run = &report["runs"][0];
    let outcomes: Vec<&str> =
        cases(run).iter().map(|case| case["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes, ["passed", "failed", "passed"]);
    assert_eq!(cases(run)[0]["tags"][0], "flaky");
    assert_eq!(cases(run)[0]["n_attempts"], 2);
    assert_eq!(cases(run)[0]["checks"][0]["verdict"], "failed");
    assert_eq!(cases(run)[0]["duration_secs"].as_f64(), Some(2.0));
    for row in report["audit"].as_array().unwrap() {
        assert_eq!(row["agrees"], true, "{row}");
    }
    assert_eq!(at(&report["evaluations"][0], "verdict.reason"), "1 of 3 cases failed");
}

#[test]
fn reruns_as_pytest_writes_them_have_as_many_tries_as_its_ctrf_report_says() {
    let report = fixture_report("junit/pytest-reruns");
    let ctrf = fixture_report("ctrf/pytest-reruns");
    let named = |report: &Value| -> Vec<(String, Value, Value)> {
        let cases = cases(&report["runs"][0]).iter();
        let mut all: Vec<(String, Value, Value)> = cases
            .map(|case| {
                let name = case["id"].as_str().unwrap().rsplit("::").next().unwrap().to_owned();
                (name, case["outcome"].clone(), case["n_attempts"].clone())
            })
            .collect();
        all.sort_by(|left, right| left.0.cmp(&right.0));
        all
    };
    assert_eq!(named(&report), named(&ctrf));
    assert_eq!(named(&report).len(), 8);
    let flaky = cases(&report["runs"][0]).iter().filter(|case| case["tags"][0] == "flaky");
    assert_eq!(flaky.count(), 1);
}

#[test]
fn skipped_tests_fail_no_run_and_a_suite_without_a_check_is_not_green() {
    let skipped = "<testsuite name='s' tests='2'><testcase name='a'/><testcase name='b'><skipped/></testcase>\
                   </testsuite>";
    let report = report_of(&core_of(vec![file("a.xml", skipped)]));
    assert_eq!(at(&report["evaluations"][0], "verdict.outcome"), "passed");
    let broken =
        "<testsuites><testsuite name='s'><error message='no module'/></testsuite></testsuites>";
    let report = report_of(&core_of(vec![file("a.xml", broken)]));
    assert_eq!(report["runs"][0]["cases"][0]["outcome"], "error");
    let empty = report_of(&core_of(vec![file("a.xml", "<testsuites/>")]));
    assert_eq!(at(&empty["evaluations"][0], "verdict"), &Value::Null);
}

#[test]
fn our_own_export_is_read_as_it_was() {
    for folder in ["rebel/basic", "slop-code/g2/v1.0", "letta-evals/0.26.0_reward_multirun"] {
        let core = core_of(fixture_files(folder));
        let before = report_of(&core);
        let xml = exported(&core, ExportKind::JunitXml);
        let after = report_of(&core_of(vec![file("unknown", xml)]));
        let (old, new) = (before["runs"].as_array().unwrap(), after["runs"].as_array().unwrap());
        assert_eq!(old.len(), new.len(), "{folder}");
        for (old, new) in old.iter().zip(new) {
            for key in ["suite", "subject", "repeat"] {
                assert_eq!(old[key], new[key], "{folder} {key}");
            }
            for (old, new) in cases(old).iter().zip(cases(new)) {
                assert_eq!(old["outcome"], new["outcome"], "{folder}: {old} {new}");
                assert_eq!(old["score"], new["score"], "{folder}: {old} {new}");
            }
            assert_eq!(cases(old).len(), cases(new).len(), "{folder}");
        }
        for row in after["audit"].as_array().unwrap() {
            assert_eq!(row["agrees"], true, "{folder}: {row}");
        }
    }
}

/// Notes on a file, as one line each.
fn notes_on(text: &str) -> Vec<String> {
    let report = report_of(&core_of(vec![file("a.xml", text)]));
    let notes = report["notes"].as_array().unwrap();
    notes.iter().map(|n| format!("{} {} {}", n["kind"], n["at"], n["detail"])).collect()
}

#[test]
fn broken_files_keep_what_stands_before_and_say_where() {
    let cut = "<testsuites><testsuite name='s'><testcase name='a'/><testcase name='b'><fail";
    assert_eq!(
        notes_on(cut),
        [
            r#""truncated" "byte 76" "the file is cut off, the one test before is kept: it ends inside a tag""#
        ]
    );
    let crossed =
        "<testsuite><testcase name='a'/><testcase name='b'></failure></testcase></testsuite>";
    assert_eq!(
        notes_on(crossed),
        [
            r#""broken" "byte 50" "what follows cannot be read, the one test before is kept: an end tag does not fit its start tag""#
        ]
    );
    let deep = format!("<testsuite>{}", "<a>".repeat(2_000));
    assert_eq!(
        notes_on(&deep),
        [
            r#""broken" "byte 1547" "what follows cannot be read, no test is kept: it is nested too deeply""#
        ]
    );
}

/// Number of cases in whose records a text is found.
fn n_found(files: Vec<evalglass::input::Dropped>, needle: &str) -> u64 {
    let core = core_of(files);
    let found = pollster::block_on(core.search(Target::All, needle, &Pulse::silent()));
    let Ok(Answer::Found(n)) = found else { panic!("{needle}: {found:?}") };
    n
}

#[test]
fn texts_of_elements_are_found_and_shown() {
    let one = || {
        let files = fixture_files("junit/pytest-9.2.0").into_iter();
        files.filter(|one| one.path.ends_with("xunit2.xml")).collect::<Vec<_>>()
    };
    for (needle, n) in [("日本", 1), ("needs a GPU", 1), ("naïve & <key>", 1), ("<testcase", 0)]
    {
        assert_eq!(n_found(one(), needle), n, "{needle}");
    }
    let core = core_of(one());
    let page = core.cases(&CaseQuery { limit: 100, ..CaseQuery::default() }).unwrap();
    let row = &page.rows[8];
    let detail = core.case(row.run, row.case_idx).unwrap().unwrap().detail;
    let facts: Vec<(&str, &str)> =
        detail.facts.iter().map(|fact| (fact.label.as_str(), fact.value.as_str())).collect();
    assert!(facts.contains(&("name", "test_output")), "{facts:?}");
    assert!(facts.contains(&("latency_ms", "12.5")), "{facts:?}");
    let texts: Vec<&str> = detail.failure.iter().map(|text| text.label.as_str()).collect();
    assert_eq!(texts, ["stdout", "stderr"]);
    assert!(detail.failure[0].body.contains("to stdout #x1B[31mred"), "{}", detail.failure[0].body);
    let double = &page.rows[12];
    let detail = core.case(double.run, double.case_idx).unwrap().unwrap().detail;
    let texts: Vec<&str> = detail.failure.iter().map(|text| text.label.as_str()).collect();
    assert_eq!(texts, ["1: failure", "2: error: message", "2: error"]);
}
