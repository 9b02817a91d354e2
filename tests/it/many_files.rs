//! Folders of more files than a program may have open.

use crate::support::{core_of, fixture};
use evalglass::input::walk_disk;
use std::path::Path;
use std::process::Command;

/// Says to the second program of the test where the files are.
const FOLDER: &str = "EVALGLASS_MANY_FILES";

const N_FILES: usize = 200;

#[test]
#[cfg(unix)]
fn a_folder_holds_more_files_than_may_be_open() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return each_is_read(Path::new(&folder));
    }
    let folder = std::env::temp_dir().join(format!("evalglass-open-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let report = std::fs::read(fixture("rebel/guide/report.json")).unwrap();
    for nth in 0..N_FILES {
        std::fs::write(folder.join(format!("{nth:03}.json")), &report).unwrap();
    }
    let again = Command::new("sh")
        .args(["-c", r#"ulimit -n 64 && exec "$0" "$@""#])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "many_files::a_folder_holds_more_files_than_may_be_open"])
        .args(["--test-threads", "1"])
        .env(FOLDER, &folder)
        .output()
        .unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let said = String::from_utf8_lossy(&again.stdout);
    assert!(again.status.success() && said.contains("1 passed"), "{said}");
}

fn each_is_read(folder: &Path) {
    let core = core_of(walk_disk(folder).unwrap().files);
    assert_eq!(core.losses(), Vec::<String>::new());
    let files = core.files();
    assert_eq!(files.files.len(), N_FILES);
}
