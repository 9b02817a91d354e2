//! A large run directory: all readers read its checkpoints, and one that brings them down costs its file alone.

use super::{Conduct, opened, report_by};
use crate::support::{bytes_of, core_of, file, fixture_files, report_of};
use evalglass::input::Dropped;

/// A run directory of 12 checkpoints, whose pytest reports are 2 MB each.
fn large() -> Vec<Dropped> {
    let folder = "slop-code/g2/v1.0";
    let own: Vec<Dropped> = fixture_files(folder);
    let first = own.iter().find(|file| file.path.ends_with("/evaluation.json")).unwrap();
    let home = first.path.rsplit_once('/').unwrap().0.to_owned();
    let problem = home.rsplit_once('/').unwrap().0.to_owned();
    let mut files: Vec<Dropped> = own
        .iter()
        .filter(|file| !file.path.starts_with(&problem))
        .filter(|file| !file.path.ends_with("checkpoint_results.jsonl"))
        .cloned()
        .collect();
    for copy in 0..12 {
        for of in own.iter().filter(|file| file.path.starts_with(&format!("{home}/"))) {
            let mut bytes = bytes_of(of);
            if of.path.ends_with("/report.json") {
                bytes.extend([b' '; 1].repeat(2 << 20));
            }
            let path = of.path.replace(&problem, &format!("{problem}_{copy:02}"));
            files.push(file(&path, bytes));
        }
    }
    files
}

#[test]
fn all_readers_read_the_checkpoints_of_a_large_run_directory() {
    let files = large();
    let expected = report_of(&core_of(files.clone()));
    assert_eq!(expected["runs"].as_array().unwrap().len(), 12);
    for dies_of_stretches in [false, true] {
        let conduct = Conduct { dies_of_stretches, ..Conduct::default() };
        let (core, failure, mut pool) = opened(files.clone(), conduct.clone());
        assert_eq!(failure, None);
        assert!(expected == report_by(&mut pool, &core), "died: {dies_of_stretches}");
        assert!(conduct.n_stretches.get() >= 4, "{} stretches", conduct.n_stretches.get());
    }
}

#[test]
fn a_checkpoint_that_brings_down_every_reader_costs_its_file_alone() {
    let files = large();
    let deadly =
        files.iter().find(|file| file.path.ends_with("_05/checkpoint_1/evaluation/report.json"));
    let deadly = deadly.expect("a pytest report").path.clone();
    let left: Vec<Dropped> = files.iter().filter(|file| file.path != deadly).cloned().collect();
    let expected = report_of(&core_of(left));
    let conduct = Conduct { deadly: vec![deadly.clone()], looks_on: true, ..Conduct::default() };
    let (core, failure, mut pool) = opened(files, conduct);
    assert_eq!(failure, None);
    let found = report_by(&mut pool, &core);
    let counts = |report: &serde_json::Value| -> Vec<serde_json::Value> {
        report["runs"].as_array().unwrap().iter().map(|run| run["counts"].clone()).collect()
    };
    assert_eq!(counts(&found), counts(&expected));
    let notes = found["notes"].as_array().unwrap();
    let own: Vec<_> = notes.iter().filter(|note| note["file"] == deadly.as_str()).collect();
    assert_eq!(own.len(), 1, "{own:?}");
    assert!(own[0]["detail"].as_str().unwrap().contains("left out"), "{own:?}");
}
