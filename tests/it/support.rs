//! What the tests share: fixtures in, reports and numbers out.

use evalglass::input::{Dropped, FolderWalk, Limits, MemorySource, Pulse, open, walk_disk};
use evalglass::model::{CaseDetail, Notes, Run};
use evalglass::readers::{InProcess, Marks, import, reader};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, ExportKind, Question, Task};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The folder `tests/fixtures/<path>`.
pub fn fixture(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(path)
}

/// The files below a fixture folder, except those that the fixtures' makers added.
pub fn fixture_files(path: &str) -> Vec<Dropped> {
    let FolderWalk { files, .. } = walk_disk(&fixture(path)).expect("the fixture is there");
    let is_added = |file: &Dropped| {
        ["expected.json", "console.txt"].iter().any(|name| file.path.ends_with(name))
    };
    files.into_iter().filter(|file| !is_added(file)).collect()
}

/// A file in memory.
pub fn file(path: &str, bytes: impl Into<Vec<u8>>) -> Dropped {
    Dropped { path: path.to_owned(), data: Rc::new(MemorySource::new(bytes)) }
}

/// The bytes of a dropped file.
pub fn bytes_of(file: &Dropped) -> Vec<u8> {
    let mut bytes = vec![0; usize::try_from(file.data.len()).unwrap()];
    file.data.read_at(0, &mut bytes).unwrap();
    bytes
}

/// A core that has opened `files`.
pub fn core_of(files: Vec<Dropped>) -> Core {
    let core = Core::default();
    pollster::block_on(core.open(files, Vec::new(), &Pulse::silent())).expect("nothing cancels");
    core
}

/// The exported report on what `core` holds, with `words` as the rules in force.
pub fn report_under(core: &Core, words: &[(&str, &str)]) -> Value {
    let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let answer = core.answer(Question::Rules(words.iter().map(own).collect()));
    assert!(matches!(answer, Ok(Answer::Workspace(_))), "rules are always answered");
    report_of(core)
}

/// The exported report on what `core` holds.
pub fn report_of(core: &Core) -> Value {
    let Ok(Answer::Export(download)) =
        core.answer(Task::Export { kind: ExportKind::ReportJson, view: None })
    else {
        panic!("the report is exported");
    };
    serde_json::from_slice(&download.bytes).expect("the report is JSON")
}

/// The exported report on the files of a fixture folder.
pub fn fixture_report(path: &str) -> Value {
    report_of(&core_of(fixture_files(path)))
}

/// A file of a fixture folder as JSON; bare NaN and Infinity as text.
pub fn fixture_json(path: &str) -> Value {
    let bytes = std::fs::read(fixture(path)).expect("the file is there");
    evalglass::input::json::Cursor::new(&bytes).tree().expect("the file is JSON")
}

/// A number of an export or of `expected.json`, however non-finite ones are spelled there.
pub fn number(value: &Value) -> Option<f64> {
    let spelled = value.get("$float").unwrap_or(value);
    match spelled.as_str().map(str::to_lowercase).as_deref() {
        Some("nan") => Some(f64::NAN),
        Some("infinity" | "inf") => Some(f64::INFINITY),
        Some("-infinity" | "-inf") => Some(f64::NEG_INFINITY),
        _ => spelled.as_f64(),
    }
}

/// Fails unless both are the same double (any NaN is the same), or both are no number.
#[track_caller]
pub fn assert_same(found: &Value, expected: &Value, what: &str) {
    let (left, right) = (number(found), number(expected));
    let is_same = match (left, right) {
        (Some(left), Some(right)) => {
            left.to_bits() == right.to_bits() || left == right || (left.is_nan() && right.is_nan())
        }
        _ => left.is_none() && right.is_none(),
    };
    assert!(is_same, "{what}: found {found}, expected {expected}");
}

/// Fails unless both are equal to 1e-12 relative, or both are no number.
#[track_caller]
pub fn assert_close(found: &Value, expected: &Value, what: &str) {
    let is_close = match (number(found), number(expected)) {
        (Some(left), Some(right)) => {
            left == right
                || (left.is_nan() && right.is_nan())
                || (left - right).abs() <= 1e-12 * left.abs().max(right.abs())
        }
        (left, right) => left.is_none() && right.is_none(),
    };
    assert!(is_close, "{what}: found {found}, expected {expected}");
}

/// The member at a dotted path; null when there is none.
pub fn at<'a>(value: &'a Value, path: &str) -> &'a Value {
    path.split('.').try_fold(value, |value, key| value.get(key)).unwrap_or(&Value::Null)
}

/// The bytes of an export of everything that `core` holds.
pub fn exported(core: &Core, kind: ExportKind) -> Vec<u8> {
    match core.answer(Task::Export { kind, view: None }) {
        Ok(Answer::Export(download)) => download.bytes,
        other => panic!("{kind:?} is exported: {other:?}"),
    }
}

/// The same as text.
pub fn exported_text(core: &Core, kind: ExportKind) -> String {
    String::from_utf8(exported(core, kind)).expect("the export is UTF-8")
}

/// Every case that `files` hold, as a run of its own, with its whole record.
pub fn records_of(files: Vec<Dropped>) -> Vec<(Run, CaseDetail)> {
    let (notes, pulse, mut next_id) = (Notes::default(), Pulse::silent(), 0);
    let limits = Limits::default();
    let opened = pollster::block_on(open(files, &mut next_id, &limits, &notes, &pulse)).unwrap();
    let (marks, alone) = (Marks::default(), InProcess::default());
    let done = import(opened, &[], &[], &|_| false, &marks, &alone, &pulse);
    let imports = pollster::block_on(done).unwrap().imports;
    let mut records = Vec::new();
    for import in &imports {
        let evaluation = &import.evaluation;
        let reader = reader(&evaluation.producer).unwrap();
        for run in &evaluation.runs {
            for idx in 0..run.cases.len() {
                let case = run.only(idx..idx + 1);
                let found = reader.detail(&import.bundle, &evaluation.config, &case);
                let detail = found.unwrap_or_else(|err| panic!("{} {idx}: {err}", run.label));
                records.push((case, detail));
            }
        }
    }
    records
}
