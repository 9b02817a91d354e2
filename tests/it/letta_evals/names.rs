//! Files are recognised and put together by content, whatever they are called and wherever they lie.

use super::folders;
use crate::support::{bytes_of, core_of, file, fixture_files, report_of};
use evalglass::input::{Dropped, Limits, Pulse, open};
use evalglass::model::Notes;
use evalglass::readers::{Import, Imported, InProcess, Marks, import};
use serde_json::{Value, json};

/// Imports dropped files without a core.
pub fn import_files(files: Vec<Dropped>) -> Imported {
    let (pulse, notes) = (Pulse::silent(), Notes::default());
    pollster::block_on(async {
        let opened = open(files, &mut 0, &Limits::default(), &notes, &pulse).await.unwrap();
        import(opened, &[], &[], &|_| false, &Marks::default(), &InProcess::default(), &pulse)
            .await
            .unwrap()
    })
}

/// Imports a fixture folder.
pub fn import_fixture(folder: &str) -> Imported {
    import_files(fixture_files(folder))
}

/// What must not depend on names: figures of repeats, subjects and cases.
fn essence(report: &Value) -> Value {
    let evaluations = report["evaluations"].as_array().unwrap();
    let cases = |run: &Value| {
        json!({
            "subject": run["subject"], "repeat": run["repeat"], "counts": run["counts"],
            "score": run["score"], "cases": run["cases"], "reward": run["reward"],
        })
    };
    let mut runs: Vec<Value> = report["runs"].as_array().unwrap().iter().map(cases).collect();
    runs.sort_by_key(|run| format!("{} {}", run["repeat"], run["subject"]));
    let disagreeing = report["audit"].as_array().unwrap().iter().filter(|a| a["agrees"] == false);
    json!({
        "repeats": evaluations.iter().map(|e| e["repeats"].clone()).collect::<Vec<_>>(),
        "aggregates": evaluations.iter().map(|e| e["aggregate"].clone()).collect::<Vec<_>>(),
        "runs": runs,
        "n_disagreeing": disagreeing.count(),
    })
}

/// Fails where the essence of two reports differs first.
#[track_caller]
fn assert_alike(found: &Value, expected: &Value, what: &str) {
    let lines = |report: &Value| serde_json::to_string_pretty(&essence(report)).unwrap();
    let (found, expected) = (lines(found), lines(expected));
    for (number, (left, right)) in found.lines().zip(expected.lines()).enumerate() {
        assert_eq!(left, right, "{what}, line {number} of the essence");
    }
    assert_eq!(found.len(), expected.len(), "{what}");
}

/// The files of a folder with content, each under the path that `rename` gives for its number and path.
fn renamed(folder: &str, rename: impl Fn(usize, &str) -> String) -> Vec<Dropped> {
    let files = fixture_files(folder);
    let with_content = files.iter().filter(|file| !file.data.is_empty());
    with_content
        .enumerate()
        .map(|(number, old)| file(&rename(number, &old.path), bytes_of(old)))
        .collect()
}

#[test]
fn every_file_is_claimed() {
    for folder in folders() {
        let files = fixture_files(&folder);
        let n_files = files.len();
        let imported = import_files(files);
        assert_eq!(imported.imports.len(), 1, "{folder}");
        assert_eq!(imported.imports[0].bundle.files.len(), n_files, "{folder}");
        assert!(imported.claims.iter().all(|(reader, _)| *reader == "letta-evals"), "{folder}");
    }
}

#[test]
fn unknown_names_in_their_folders_change_nothing() {
    for folder in folders() {
        let original = report_of(&core_of(fixture_files(&folder)));
        // Counting down, so that the order of names does not help.
        let files = renamed(&folder, |number, path| {
            let place = path.rsplit_once('/').map_or("", |(place, _)| place);
            format!("{place}/unknown_{}", 900 - number)
        });
        let report = report_of(&core_of(files));
        assert_alike(&report, &original, &folder);
    }
}

#[test]
fn loose_files_without_folders_or_names_change_nothing() {
    for folder in folders() {
        let original = report_of(&core_of(fixture_files(&folder)));
        // The statistics of the guide do not say which run is which: only the order can.
        let is_ordered = folder.ends_with("guide_shape");
        let files = renamed(&folder, |number, _| {
            format!("unknown{}", if is_ordered { number } else { 900 - number })
        });
        assert_alike(&report_of(&core_of(files)), &original, &folder);
    }
}

#[test]
fn folders_of_runs_alone_are_one_evaluation() {
    let files = fixture_files("letta-evals/0.4.1_multirun");
    let files: Vec<Dropped> =
        files.into_iter().filter(|file| !file.path.ends_with("aggregate_stats.json")).collect();
    let report = report_of(&core_of(files));
    assert_eq!(report["evaluations"].as_array().unwrap().len(), 1);
    assert_eq!(report["evaluations"][0]["repeats"].as_array().unwrap().len(), 5);
}

#[test]
fn all_fixtures_together_stay_apart() {
    let all = folders();
    let files: Vec<Dropped> = all
        .iter()
        .flat_map(|folder| fixture_files(folder))
        .map(|mut file| {
            file.path = format!("results/{}", file.path);
            file
        })
        .collect();
    let n_files = files.len();
    let imported = import_files(files);
    assert_eq!(imported.imports.len(), all.len());
    let n_bundled: usize = imported.imports.iter().map(|one| one.bundle.files.len()).sum();
    assert_eq!(n_bundled, n_files);
    let together = imported.imports.iter().map(|one| one.evaluation.runs.len()).sum::<usize>();
    let alone: usize =
        all.iter().map(|folder| import_fixture(folder).imports[0].evaluation.runs.len()).sum();
    assert_eq!(together, alone);
}

#[test]
fn two_evaluations_loose_in_one_folder_are_told_apart() {
    for (one, other) in [
        ("letta-evals/0.3.2_single", "letta-evals/0.9.0_weighted"),
        ("letta-evals/0.20.0_suite", "letta-evals/0.26.0_reward_multirun"),
        ("letta-evals/0.25.1_reward", "letta-evals/0.7.0_weighted"),
    ] {
        let mut files = renamed(one, |number, _| format!("drop/a{number}"));
        files.extend(renamed(other, |number, _| format!("drop/b{number}")));
        let imported = import_files(files);
        assert_eq!(imported.imports.len(), 2, "{one} and {other}");
        for folder in [one, other] {
            let expected = &import_fixture(folder).imports[0].evaluation;
            let key = |run: &evalglass::model::Run| {
                (run.key.repeat, run.key.subject.clone(), run.cases.len())
            };
            let keys = |runs: &[evalglass::model::Run]| runs.iter().map(key).collect::<Vec<_>>();
            // What lies loose in a folder has no name of its own: its runs tell which it is.
            let is_it = |i: &&Import| keys(&i.evaluation.runs) == keys(&expected.runs);
            assert_eq!(imported.imports.iter().filter(is_it).count(), 1, "{folder}");
        }
    }
}
