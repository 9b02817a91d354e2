//! What the engine of the SQL page is given: the same tables as a dataset on disk has, and datasets as they are.

use crate::support::{core_of, fixture, fixture_files};
use evalglass::dataset::{WriteWish, opened_files, write};
use evalglass::input::{Pulse, walk_disk};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, Question};
use evalglass::worker::sql::{SqlData, SqlFiles};
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::Row;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

const FOLDERS: [&str; 5] = [
    "slop-code/g2/v1.0",
    "letta-evals/0.26.0_reward_multirun",
    "rebel/edge",
    "junit",
    "inspect-ai/0.3.63",
];

fn given(core: &Core) -> SqlFiles {
    pollster::block_on(opened_files(core, &Pulse::silent())).unwrap()
}

fn bytes_of(data: &SqlData) -> Vec<u8> {
    match data {
        SqlData::Bytes(bytes) => bytes.clone(),
        SqlData::Source(source) => {
            let mut bytes = vec![0; usize::try_from(source.len()).unwrap()];
            source.read_at(0, &mut bytes).unwrap();
            bytes
        }
    }
}

fn by_path(files: &SqlFiles) -> BTreeMap<String, Vec<u8>> {
    files.files.iter().map(|file| (file.path.clone(), bytes_of(&file.data))).collect()
}

/// The rows of a Parquet file, as words; without the columns that say where files lie and how large they are.
fn rows(bytes: Vec<u8>) -> Vec<String> {
    let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
    let said = |row: Row| {
        let cells =
            row.get_column_iter().filter(|(name, _)| !["origin", "bytes"].contains(&name.as_str()));
        cells.map(|(name, cell)| format!("{name}={cell}")).collect::<Vec<_>>().join(" ")
    };
    reader.get_row_iter(None).unwrap().map(|row| said(row.unwrap())).collect()
}

/// A dataset of a fixture folder, in a folder of its own.
fn dataset(name: &str, path: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("sql-files").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let dataset = folder.join("evals");
    let paths = vec![fixture(path)];
    write(&WriteWish { dataset: dataset.clone(), paths, ..WriteWish::default() }).unwrap();
    dataset
}

#[test]
fn what_is_open_has_the_rows_that_a_dataset_on_disk_has() {
    for (nth, folder) in FOLDERS.iter().enumerate() {
        let disk = dataset(&format!("same-{nth}"), folder);
        let found = given(&core_of(fixture_files(folder)));
        assert_eq!(found.roots, ["read"]);
        let found = by_path(&found);
        let mut n_parts = 0;
        for (path, bytes) in &found {
            let inner = path.strip_prefix("read/").unwrap();
            let written =
                fs::read(disk.join(inner)).unwrap_or_else(|_| panic!("{folder}: {inner}"));
            assert_eq!(rows(bytes.clone()), rows(written), "{folder}: {inner}");
            n_parts += usize::from(inner.contains('/'));
        }
        assert_eq!(found.len() - n_parts, 7, "{folder}: every small table");
        assert!(n_parts >= 2, "{folder}");
    }
}

#[test]
fn the_rules_in_force_hold_for_what_was_read() {
    let core = core_of(fixture_files("rebel/edge"));
    let passed = |core: &Core| {
        let found = by_path(&given(core));
        let cases = found.iter().filter(|(path, _)| path.starts_with("read/cases/"));
        let all: Vec<String> = cases.flat_map(|(_, bytes)| rows(bytes.clone())).collect();
        all.iter().filter(|row| row.contains("outcome=\"passed\"")).count()
    };
    let before = passed(&core);
    let rules = vec![("pass".to_owned(), ">=0".to_owned())];
    assert!(matches!(core.answer(Question::Rules(rules)), Ok(Answer::Workspace(_))));
    assert!(passed(&core) > before, "{before}");
}

#[test]
fn datasets_are_passed_on_and_not_read() {
    let disk = dataset("as-it-is", "letta-evals/0.26.0_reward_multirun");
    let mut files = walk_disk(&disk).unwrap().files;
    files.extend(fixture_files("rebel/edge"));
    let core = core_of(files);
    let found = given(&core);
    assert_eq!(found.roots, ["dataset-1", "read"]);
    let is_source = |data: &SqlData| matches!(data, SqlData::Source(_));
    let sources = found.files.iter().filter(|file| is_source(&file.data)).count();
    assert!(
        found.files.iter().all(|file| is_source(&file.data) == file.path.starts_with("dataset-1/"))
    );
    let found = by_path(&found);
    let own: Vec<&String> = found.keys().filter(|path| path.starts_with("dataset-1/")).collect();
    assert_eq!(own.len(), sources);
    for path in own {
        let inner = path.strip_prefix("dataset-1/").unwrap();
        assert_eq!(found[path], fs::read(disk.join(inner)).unwrap(), "{path}");
    }
    assert!(found.keys().any(|path| path.starts_with("dataset-1/cases/")));
    assert!(
        found.contains_key("dataset-1/parts.parquet") && found.contains_key("read/parts.parquet")
    );
}

#[test]
fn nothing_open_gives_nothing() {
    let found = given(&core_of(Vec::new()));
    assert!(found.roots.is_empty() && found.files.is_empty());
}
