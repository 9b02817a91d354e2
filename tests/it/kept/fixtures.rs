//! The checked-in reports: just what is exported of other fixtures, and damaged ones.

use super::pages::{assert_same_pages, shown};
use super::reports::{opened, report};
use crate::support::{bytes_of, core_of, file, fixture, fixture_files};
use evalglass::export::{Contents, ExportTarget};
use evalglass::input::Dropped;
use evalglass::worker::core::Core;
use serde_json::Value;

/// Folder of the report, the fixtures that it is of, and whether it carries what the files hold.
const MADE: [(&str, &[&str], bool); 2] = [
    ("several", &["slop-code/g1/odd", "letta-evals/0.7.0_weighted", "rebel/guide"], false),
    ("detailed", &["rebel/guide", "letta-evals/0.5.0_interrupted"], true),
];

fn files(folders: &[&str]) -> Vec<Dropped> {
    folders.iter().flat_map(|folder| fixture_files(folder)).collect()
}

/// `EVALGLASS_MAKE=1 cargo test --test it kept::fixtures` writes them anew.
#[test]
fn reports_are_what_is_exported() {
    const MAX_BYTES: usize = 100_000;
    for (folder, of, is_detailed) in MADE {
        let contents = Contents {
            details: is_detailed,
            transcripts: is_detailed,
            raw: is_detailed,
            only: None,
        };
        let core = core_of(files(of));
        let bytes = report(&core, ExportTarget { contents, ..ExportTarget::default() });
        let path = fixture(&format!("evalglass/{folder}/evalglass-report.json"));
        if std::env::var_os("EVALGLASS_MAKE").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &bytes).unwrap();
        }
        assert!(bytes.len() < MAX_BYTES, "{folder} has {} bytes", bytes.len());
        let without_version = |bytes: &[u8]| {
            let mut report: Value = serde_json::from_slice(bytes).unwrap();
            report["app"] = Value::Null;
            report
        };
        let there = std::fs::read(&path).unwrap();
        assert_eq!(without_version(&there), without_version(&bytes), "{folder}");
        assert_same_pages(&shown(&opened(there), &[]), &shown(&core, &[]), folder);
    }
}

fn told(core: &Core) -> String {
    let notes = core.files().notes;
    let line = |note: &evalglass::model::Note| {
        format!("{} {}: {}", note.kind.as_str(), note.file, note.detail)
    };
    notes.iter().map(line).collect::<Vec<String>>().join("\n")
}

fn several() -> Vec<u8> {
    bytes_of(&fixture_files("evalglass/several")[0])
}

#[test]
fn a_report_that_is_cut_keeps_what_stands_before() {
    let whole = several();
    let n_cases = |bytes: &[u8]| {
        let core = core_of(vec![file("evalglass-report.json", bytes)]);
        let tree = super::pages::tree_of(&core);
        (tree.evaluations.len(), tree.n_cases, told(&core))
    };
    let (_, all, _) = n_cases(&whole);
    let mut before = (0, 0);
    for end in (0..whole.len() - 3).step_by(997) {
        let (n_evaluations, n, told) = n_cases(&whole[..end]);
        assert!(n_evaluations >= before.0 && n >= before.1, "cut at {end}: {n} cases");
        assert!(!told.is_empty(), "cut at {end} and nothing is said");
        before = (n_evaluations, n);
    }
    assert_eq!(before.1, all);
}

#[test]
fn a_member_of_another_type_costs_only_itself() {
    let report: Value = serde_json::from_slice(&several()).unwrap();
    let strange = [
        Value::Null,
        Value::from(7),
        Value::from("x"),
        serde_json::json!([[[]]]),
        serde_json::json!({"a": {}}),
    ];
    let mut n_tried = 0;
    let pointers = pointers(&report, 4);
    for (at, pointer) in pointers.iter().enumerate() {
        let mut damaged = report.clone();
        *damaged.pointer_mut(pointer).unwrap() = strange[at % strange.len()].clone();
        let core = core_of(vec![file("r.json", serde_json::to_vec(&damaged).unwrap())]);
        let tree = super::pages::tree_of(&core);
        if !["/schema", "/evaluations"].contains(&pointer.as_str()) {
            assert!(!tree.evaluations.is_empty(), "{pointer}: {}", told(&core));
        }
        // Every page of what is left can be made.
        if at % 7 == 0 {
            shown(&core, &[]);
        }
        n_tried += 1;
    }
    assert!(n_tried > 100, "only {n_tried} members");
}

/// Where the members down to `depth` lie; of lists the first and the last element.
fn pointers(value: &Value, depth: usize) -> Vec<String> {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| (key.replace('~', "~0").replace('/', "~1"), value))
            .collect(),
        Value::Array(items) => {
            let ends = [0, items.len().saturating_sub(1)];
            let mut ends: Vec<usize> = ends.into_iter().filter(|at| *at < items.len()).collect();
            ends.dedup();
            ends.into_iter().map(|at| (at.to_string(), &items[at])).collect()
        }
        _ => Vec::new(),
    };
    let mut found = Vec::new();
    for (key, child) in children {
        found.push(format!("/{key}"));
        if depth > 1 {
            found.extend(pointers(child, depth - 1).iter().map(|rest| format!("/{key}{rest}")));
        }
    }
    found
}
