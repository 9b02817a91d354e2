//! A case read with the files alone that the page hands over is the same as one read with all files.

use crate::any_order::FOLDERS;
use crate::letta_evals::names::import_fixture;
use evalglass::readers::{Wanted, reader};

#[test]
fn a_case_needs_no_file_that_is_not_handed_over() {
    let mut n_cases = 0;
    let beside = ["inspect-ai/0.3.285/chunked", "harbor/made/job-0.22", "swebench/5.0.2"];
    let mut n_beside = [0; 3];
    let folders: std::collections::BTreeSet<&str> = FOLDERS.iter().copied().chain(beside).collect();
    for folder in folders {
        for import in import_fixture(folder).imports {
            let reader = reader(&import.evaluation.producer).unwrap();
            let config = Box::new(import.evaluation.config.clone());
            for run in &import.evaluation.runs {
                for idx in 0..run.cases.len() {
                    let case = run.only(idx..idx + 1);
                    let whole = reader.detail(&import.bundle, &config, &case);
                    let wanted = Wanted::Cases {
                        config: config.clone(),
                        run: Box::new(case.clone()),
                        max_raw_bytes: u64::MAX,
                    };
                    let files = wanted.files_of(Some(reader), &import.bundle);
                    assert!(files.files.len() <= import.bundle.files.len());
                    let alone = reader.detail(&files, &config, &case);
                    let id = run.cases.id.get(idx);
                    assert_eq!(format!("{alone:?}"), format!("{whole:?}"), "{folder} {id:?}");
                    n_cases += 1;
                    if let Some(at) = beside.iter().position(|one| *one == folder) {
                        n_beside[at] += files.files.len() - 1;
                    }
                }
            }
        }
    }
    assert!(n_cases > 500, "{n_cases}");
    assert!(n_beside.iter().all(|n| *n > 0), "{n_beside:?}");
}
