//! Evaluations that are odd: infrastructure failures, names with dashes, reports that disagree.

use super::imported;
use crate::support::file;
use evalglass::model::{NoteKind, Outcome};

const EVALUATION_G2: &str = r#"{"schema_version": 1, "problem_name": "p", "problem_version": 1,
    "checkpoint_name": "a-b", "checkpoint_version": 1, "duration": 1.5, "entrypoint": "x",
    "tests": TESTS, "pass_counts": {}, "total_counts": {}, "pytest_exit_code": CODE,
    "pytest_collected": N, "infrastructure_failure": INFRA}"#;

fn evaluation_g2(tests: &str, code: &str, n_collected: &str, is_infra: &str) -> String {
    EVALUATION_G2
        .replace("TESTS", tests)
        .replace("CODE", code)
        .replace("INFRA", is_infra)
        .replace("\"pytest_collected\": N", &format!("\"pytest_collected\": {n_collected}"))
}

#[test]
fn an_infrastructure_failure_is_named() {
    let text = evaluation_g2("{}", "126", "0", "true");
    let imported = imported(vec![file("unknown", text)]);
    let import = &imported.imports[0];
    assert_eq!(import.evaluation.generation, "G2c");
    assert_eq!(import.evaluation.runs[0].cases.len(), 0);
    let details: Vec<_> = import.notes.iter().map(|note| note.detail.as_str()).collect();
    let told = "the file marks the run as an infrastructure failure (pytest ended with exit code 126 and \
        collected no test): every pass policy fails";
    assert_eq!(details, [told]);
}

#[test]
fn a_report_that_is_cut_off_before_its_tests_is_named() {
    let report = "c/evaluation/report.json";
    let evaluation = evaluation_g2(r#"{"a-b-Core": {"passed": ["t"]}}"#, "0", "1", "false");
    let cut = r#"{"created": 1.5, "exitcode": 0, "root": "/", "environment": {}, "summary": {"passed": 1, "#;
    let imported = imported(vec![file("c/evaluation.json", evaluation), file(report, cut)]);
    let notes: Vec<_> = imported.imports.iter().flat_map(|import| &import.notes).collect();
    let kinds: Vec<_> = notes.iter().map(|note| (note.kind, note.file.as_str())).collect();
    assert_eq!(kinds, [(NoteKind::Truncated, report)], "{notes:?}");
}

#[test]
fn tests_that_are_missing_beside_a_damage_are_no_disagreement() {
    let reported = |id: &str| {
        format!(r#"{{"nodeid": "t/test_a-b.py::{id}", "lineno": 1, "outcome": "passed"}}"#)
    };
    let report = |tests: &str| {
        format!(
            r#"{{"created": 1.5, "exitcode": 0, "root": "/", "environment": {{}},
            "summary": {{"passed": 2, "total": 2, "collected": 2}}, "tests": [{tests}"#
        )
    };
    let listed = [reported("t"), reported("u")].join(", ");
    let evaluation =
        evaluation_g2(r#"{"a-b-Core": {"passed": ["t", "u"], "failed": []}}"#, "0", "2", "false");
    let at = evaluation.find(r#", "u""#).expect("the list of tests");
    let cases = [
        // The report ends within its second test.
        (evaluation.clone(), report(&listed[..listed.len() - 20]), NoteKind::Truncated),
        // Its second test is no JSON.
        (
            evaluation.clone(),
            report(&format!("{}, {{nodeid}}]}}", reported("t"))),
            NoteKind::Broken,
        ),
        // The evaluation ends within its tests.
        (evaluation[..at].to_owned(), report(&format!("{listed}]}}")), NoteKind::Truncated),
        // Something else stands where a test should be.
        (evaluation.replace(r#", "u""#, ", 7"), report(&format!("{listed}]}}")), NoteKind::Broken),
    ];
    for (evaluation, report, damage) in cases {
        let files =
            vec![file("c/evaluation.json", evaluation), file("c/evaluation/report.json", report)];
        let imported = imported(files);
        let notes = imported.imports.iter().flat_map(|import| &import.notes);
        let kinds: Vec<_> = notes.clone().map(|note| note.kind).collect();
        assert!(kinds.contains(&damage), "{kinds:?}");
        assert!(!kinds.contains(&NoteKind::Mismatch), "{:?}", notes.collect::<Vec<_>>());
    }
}

#[test]
fn buckets_split_at_the_last_dash_and_generations_by_their_keys() {
    let tests = r#"{"a-b-Core": {"passed": ["t [x;\n]"], "failed": ["u"]},
        "z-Regression": {"passed": ["t [x;\n]"], "failed": []}, "a-b-Error": {}}"#;
    let text = evaluation_g2(tests, "1", "2", "false");
    let older = text.replace("\"schema_version\": 1, ", "");
    let newer = text.replace("\"failed\": []", "\"failed\": [], \"skipped\": [\"s\"]");
    for (text, generation, n_cases) in [(&text, "G2c", 3), (&older, "G2b", 3), (&newer, "G2d", 4)] {
        let imported = imported(vec![file("unknown", text.as_str())]);
        let import = &imported.imports[0];
        assert_eq!(import.evaluation.generation, generation);
        let run = &import.evaluation.runs[0];
        assert_eq!(run.cases.len(), n_cases);
        assert_eq!(run.cases.variant.get(0), None);
        assert_eq!(run.cases.variant.get(2), Some("z"));
        assert_eq!(run.groups.len(), 3, "the empty bucket is a group");
        let kinds: Vec<_> = import.notes.iter().map(|note| note.kind).collect();
        // Two of the newer file's four ids have a space: they are those that were not collected.
        let told: &[NoteKind] = match generation {
            "G2d" => &[NoteKind::MissingPartner],
            _ => &[NoteKind::MissingPartner, NoteKind::Mismatch],
        };
        assert_eq!(kinds, told);
    }
}

#[test]
fn a_report_that_disagrees_is_named_and_the_evaluation_counts() {
    let tests = r#"{"a-b-Core": {"passed": ["same", "gone"], "failed": ["turned", "late"]}}"#;
    let test = |id: &str, outcome: &str| {
        format!(
            r#"{{"nodeid": "t/test_a-b.py::{id}", "lineno": 1, "outcome": "{outcome}",
            "call": {{"duration": 0.5, "outcome": "{outcome}"}}}}"#
        )
    };
    let listed = [
        test("same", "passed"),
        test("turned", "passed"),
        test("late", "error"),
        test("new", "passed"),
    ];
    let report = format!(
        r#"{{"created": 1.5, "duration": 2, "exitcode": 1, "root": "/", "summary": {{}}, "tests": [{}]}}"#,
        listed.join(",")
    );
    let imported = imported(vec![
        file("c/evaluation.json", evaluation_g2(tests, "1", "4", "false")),
        file("c/evaluation/report.json", report),
    ]);
    let import = &imported.imports[0];
    let run = &import.evaluation.runs[0];
    let outcomes: Vec<_> = (0..4).map(|idx| run.cases.outcome_of(idx)).collect();
    assert_eq!(outcomes, [Outcome::Passed, Outcome::Passed, Outcome::Failed, Outcome::Error]);
    let mut notes: Vec<_> =
        import.notes.iter().map(|note| (note.kind, note.places[0].to_string())).collect();
    notes.sort();
    assert_eq!(
        notes,
        [
            (NoteKind::Mismatch, "gone".to_owned()),
            (NoteKind::Mismatch, "new".to_owned()),
            (NoteKind::Mismatch, "turned".to_owned())
        ]
    );
}
