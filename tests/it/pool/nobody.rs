//! Where the readers' program is missing, nobody says of a file that it is in no known format.

use crate::support::{file, fixture_files, report_of};
use evalglass::input::Pulse;
use evalglass::readers::InProcess;
use evalglass::worker::core::Core;

#[test]
fn files_that_no_reader_has_seen_are_not_called_unknown() {
    let core = Core::new(Box::new(InProcess::of_own_reports()));
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 12\n";
    let mut files = fixture_files("rebel/basic");
    files.push(file("results.parquet", pointer));
    pollster::block_on(core.open(files, Vec::new(), &Pulse::silent())).unwrap();
    let notes = report_of(&core)["notes"].clone();
    let all: Vec<(&str, &str)> = notes
        .as_array()
        .unwrap()
        .iter()
        .map(|note| (note["kind"].as_str().unwrap(), note["detail"].as_str().unwrap()))
        .collect();
    assert!(all.contains(&("not read", "no reader could be started for this file")), "{all:?}");
    // What a file says of itself is said all the same.
    assert!(all.iter().any(|(_, detail)| detail.contains("Git LFS")), "{all:?}");
    let unknown =
        all.iter().find(|(kind, detail)| *kind == "unrecognised" && !detail.contains("LFS"));
    assert_eq!(unknown, None, "{all:?}");
}
