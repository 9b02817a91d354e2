//! Datasets: what is in them, in whatever order, after what damage, and beside other writers.

use crate::support::{bytes_of, core_of, fixture, fixture_report, number, report_of};
use evalglass::dataset::{WriteOutcome, WriteWish, index, part_list_fields, small_tables, write};
use evalglass::export::{ColumnField, ExportTable, ExportType, part_fields};
use evalglass::input::walk_disk;
use evalglass::report::{Target, Topic};
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::{Field as Cell, Row};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

const DOCS: &str = include_str!("../../docs/dataset.md");

/// An empty folder of its own for the test `name`.
fn place(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("dataset").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Adds fixture folders to a dataset.
fn add(dataset: &Path, paths: &[&str]) -> WriteOutcome {
    let paths = paths.iter().map(|path| fixture(path)).collect();
    write(&WriteWish { dataset: dataset.to_owned(), paths, ..WriteWish::default() }).unwrap()
}

/// The files of a dataset without its locks, by their place in it.
fn files(dataset: &Path) -> BTreeMap<String, Vec<u8>> {
    fn walk(folder: &Path, shown: &str, found: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{shown}{}", entry.file_name().to_string_lossy());
            if entry.file_type().unwrap().is_dir() {
                walk(&entry.path(), &format!("{name}/"), found);
            } else if !name.ends_with(".lock") {
                found.insert(name, fs::read(entry.path()).unwrap());
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(dataset, "", &mut found);
    found
}

/// The rows of a Parquet file.
fn rows(path: &Path) -> Vec<Row> {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    reader.get_row_iter(None).unwrap().map(Result::unwrap).collect()
}

/// A row's cell as JSON has it.
fn cell(row: &Row, name: &str) -> Value {
    let (_, cell) = row.get_column_iter().find(|(column, _)| *column == name).expect(name);
    match cell {
        Cell::Null => Value::Null,
        Cell::Str(text) => json!(text),
        Cell::Long(n) => json!(n),
        Cell::Bool(is) => json!(is),
        Cell::Double(number) => evalglass::input::json::value_from_f64(*number),
        other => panic!("{other}"),
    }
}

#[test]
fn runs_have_the_figures_of_the_report() {
    let folders = [
        "slop-code/g2/v1.0",
        "letta-evals/0.15.0_logical_multirun",
        "letta-evals/0.26.0_reward_multirun",
        "rebel/edge",
        "junit",
    ];
    let figures = [
        ("total", "counts.total"),
        ("attempted", "counts.attempted"),
        ("passed", "counts.passed"),
        ("failed", "counts.failed"),
        ("errors", "counts.error"),
        ("mean_attempted", "score.mean_attempted"),
        ("mean_total", "score.mean_total"),
        ("weighted", "score.weighted"),
        ("cost_usd", "usage.cost_usd"),
        ("p95_secs", "timing.p95_secs"),
        ("reward", "reward"),
        ("repeat", "repeat"),
        ("verdict", "verdict.outcome"),
        ("core_total", "by_kind.Core.total"),
        ("policy_any_core_cases", "policies.any-core-cases"),
    ];
    for folder in folders {
        let dataset = place("figures");
        add(&dataset, &[folder]);
        let report = fixture_report(folder);
        let found = rows(&dataset.join("runs.parquet"));
        let expected = report["runs"].as_array().unwrap();
        assert_eq!(found.len(), expected.len(), "{folder}");
        for row in &found {
            let id = cell(row, "run");
            let run = expected.iter().find(|run| run["id"] == id).expect("the id of the report");
            for (column, path) in figures {
                let (own, wanted) = (cell(row, column), crate::support::at(run, path));
                let is_same = match (number(&own), number(wanted)) {
                    (Some(own), Some(wanted)) => own == wanted || own.is_nan() && wanted.is_nan(),
                    _ => own == *wanted,
                };
                assert!(is_same, "{id}: {column} is {own}, the report has {wanted}");
            }
        }
        let cases: Vec<Row> = files(&dataset)
            .keys()
            .filter(|path| path.starts_with("cases/"))
            .flat_map(|path| rows(&dataset.join(path)))
            .collect();
        let n_cases = |run: &Value| run["cases"].as_array().unwrap().len();
        assert_eq!(cases.len(), expected.iter().map(n_cases).sum::<usize>(), "{folder}");
        for run in expected {
            let own: Vec<&Row> = cases.iter().filter(|row| cell(row, "run") == run["id"]).collect();
            let places: Vec<Value> = own.iter().map(|row| cell(row, "case_idx")).collect();
            let wanted: Vec<Value> = (0..n_cases(run)).map(|at| json!(at)).collect();
            assert_eq!(places, wanted, "cases stand in the order of the files");
        }
    }
}

#[test]
fn the_order_of_adding_changes_no_byte() {
    let (one, other) = (place("order-1"), place("order-2"));
    let folders = ["letta-evals/0.5.0_single", "rebel/basic", "slop-code/g1/runs"];
    add(&one, &folders);
    for folder in [folders[2], folders[0], folders[1], folders[2]] {
        add(&other, &[folder]);
    }
    index(&other).unwrap();
    let (one, other) = (files(&one), files(&other));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    assert!(one.iter().zip(&other).all(|((_, one), (_, other))| one == other));
}

#[test]
fn an_evaluation_that_is_added_again_takes_the_place_of_the_earlier_one() {
    let (dataset, results) = (place("again"), place("again-results").join("out"));
    let copy = |from: &str| {
        let _ = fs::remove_dir_all(&results);
        fs::create_dir_all(&results).unwrap();
        for entry in fs::read_dir(fixture(from)).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), results.join(entry.file_name())).unwrap();
        }
        let wish = WriteWish {
            dataset: dataset.clone(),
            paths: vec![results.clone()],
            ..WriteWish::default()
        };
        write(&wish).unwrap().evaluations
    };
    let first = copy("letta-evals/0.5.0_interrupted");
    let before = files(&dataset);
    let second = copy("letta-evals/0.5.0_single");
    assert_eq!(first, second);
    let after = files(&dataset);
    assert_eq!(rows(&dataset.join("evaluations.parquet")).len(), 1);
    assert_ne!(before["runs.parquet"], after["runs.parquet"]);
    let n_parts = |files: &BTreeMap<String, Vec<u8>>| {
        files.keys().filter(|path| path.ends_with("part-0.parquet")).count()
    };
    assert_eq!((n_parts(&before), n_parts(&after)), (2, 2));
    assert_eq!(index(&dataset).unwrap(), Vec::<String>::new());
}

#[test]
fn damaged_missing_and_foreign_parts_are_named_and_the_rest_is_there() {
    let dataset = place("damage");
    add(&dataset, &["letta-evals/0.5.0_single", "rebel/basic", "slop-code/g1/runs"]);
    let all = files(&dataset);
    let parts: Vec<&String> = all.keys().filter(|path| path.starts_with("cases/")).collect();
    let [gone, cut, ..] = parts.as_slice() else { panic!("there are parts") };
    fs::remove_file(dataset.join(gone)).unwrap();
    let bytes = &all[*cut];
    fs::write(dataset.join(cut), &bytes[..bytes.len() - 9]).unwrap();
    let bent = all.keys().find(|path| path.starts_with("checks/")).unwrap();
    let mut bytes = all[bent].clone();
    let at = bytes.len() - 20;
    bytes[at..at + 8].fill(0xff);
    fs::write(dataset.join(bent), bytes).unwrap();
    fs::write(dataset.join("cases/foreign.parquet"), b"PAR1").unwrap();
    fs::write(dataset.join("records/none.json"), b"{").unwrap();
    let faults = index(&dataset).unwrap();
    let said = |start: &str, what: &str| {
        faults.iter().any(|fault| fault.starts_with(start) && fault.contains(what))
    };
    assert!(said(gone, "missing") && said(cut, "damaged") && said(bent, "damaged"), "{faults:?}");
    assert!(said("cases/foreign.parquet", "no evaluation"), "{faults:?}");
    assert!(said("records/none.json", "EOF") && faults.len() == 5, "{faults:?}");
    let manifest: Value =
        serde_json::from_slice(&fs::read(dataset.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["faults"], json!(faults));
    let listed = rows(&dataset.join("parts.parquet"));
    assert_eq!(
        listed.len() + 3,
        all.keys().filter(|path| path.ends_with("part-0.parquet")).count()
    );
    assert_eq!(files(&dataset)["runs.parquet"], all["runs.parquet"], "figures stay");
    fs::remove_file(dataset.join("cases/foreign.parquet")).unwrap();
    fs::remove_file(dataset.join("records/none.json")).unwrap();
    add(&dataset, &["letta-evals/0.5.0_single", "rebel/basic", "slop-code/g1/runs"]);
    assert_eq!(files(&dataset), all, "added again, everything is there");
}

#[test]
fn a_footer_that_claims_more_than_it_holds_is_refused_at_once() {
    let dataset = place("claims");
    add(&dataset, &["rebel/basic"]);
    let all = files(&dataset);
    let part = all.keys().find(|path| path.starts_with("cases/")).unwrap();
    let mut bytes = all[part].clone();
    let tail = bytes.len() - 8;
    let len = u32::from_le_bytes(bytes[tail..tail + 4].try_into().unwrap()) as usize;
    let footer = &mut bytes[tail - len..tail];
    footer.fill(0);
    // Field 15, which nobody knows: a list of 4,294,967,295 flags, which take no bytes.
    let flags = [0xf9, 0xf1, 0xff, 0xff, 0xff, 0xff, 0x0f];
    footer[..flags.len()].copy_from_slice(&flags);
    fs::write(dataset.join(part), bytes).unwrap();
    let faults = index(&dataset).unwrap();
    let reason = "damaged Parquet data: a list in it claims more elements than it has bytes";
    assert_eq!(faults, [format!("{part}: {reason}")]);
}

#[test]
fn several_writers_at_once_lose_nothing() {
    let (alone, together) = (place("alone"), place("together"));
    let folders = ["letta-evals/0.5.0_single", "rebel/basic", "slop-code/g1/runs", "rebel/edge"];
    add(&alone, &folders);
    let writers: Vec<_> = [0, 1, 2, 3, 0, 2]
        .into_iter()
        .map(|at| {
            let together = together.clone();
            std::thread::spawn(move || add(&together, &[folders[at]]).evaluations)
        })
        .collect();
    for writer in writers {
        assert!(!writer.join().unwrap().is_empty());
    }
    assert!(files(&alone) == files(&together));
}

#[test]
fn details_are_packed_on_request_and_places_lead_to_them() {
    let (plain, packed) = (place("places"), place("details"));
    let folder = "letta-evals/0.5.0_single";
    add(&plain, &[folder]);
    write(&WriteWish {
        dataset: packed.clone(),
        paths: vec![fixture(folder)],
        with_details: true,
        ..WriteWish::default()
    })
    .unwrap();
    let part = |dataset: &Path, table: &str| {
        let all = files(dataset);
        let path = all.keys().find(|path| path.starts_with(table)).unwrap().clone();
        rows(&dataset.join(path))
    };
    let origin = cell(&rows(&plain.join("evaluations.parquet"))[0], "origin");
    let case = &part(&plain, "cases/")[0];
    assert_eq!(cell(case, "detail"), Value::Null);
    let file = cell(case, "source_file");
    let path = plain.join(origin.as_str().unwrap()).join(file.as_str().unwrap());
    let bytes = fs::read(path).unwrap();
    let at = |name: &str| usize::try_from(cell(case, name).as_u64().unwrap()).unwrap();
    let record = &bytes[at("source_at")..][..at("source_bytes")];
    let record: Value = serde_json::from_slice(record).unwrap();
    assert!(record.is_object(), "a case's record lies where its row says");
    let detail = cell(&part(&packed, "cases/")[0], "detail");
    let detail: Value = serde_json::from_str(detail.as_str().unwrap()).unwrap();
    assert!(detail["detail"].is_object() && detail["transcript"].is_array(), "{detail}");
    let reasons = |dataset: &Path| {
        let checks = part(dataset, "checks/");
        checks.iter().filter(|row| cell(row, "reason") != Value::Null).count()
    };
    assert!(reasons(&plain) == 0 && reasons(&packed) > 0);
}

/// Names, what they hold, whether every row has a value: as the documentation of `section` says.
fn documented(section: &str) -> Vec<(String, String, bool)> {
    let (_, part) = DOCS.split_once(&format!("\n## {section}\n")).expect(section);
    let part = part.split("\n## ").next().unwrap();
    let rows = part.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let name = cells[1].trim_end_matches('*').trim().trim_matches('`').to_owned();
        (name, cells[2].to_owned(), cells[1].ends_with('*'))
    })
    .collect()
}

fn said_of(fields: &[ColumnField]) -> Vec<(String, String, bool)> {
    let holds = |kind| match kind {
        ExportType::Text => "text",
        ExportType::Number => "number",
        ExportType::Count => "count",
        ExportType::Flag => "flag",
    };
    let said = |field: &ColumnField| {
        (field.name.to_owned(), holds(field.kind).to_owned(), field.is_required)
    };
    fields.iter().map(said).collect()
}

#[test]
fn the_columns_are_those_of_the_documentation() {
    for table in small_tables() {
        let mut found = said_of(&table.fields);
        let mut wanted = documented(table.name);
        if ["runs", "repeats"].contains(&table.name) {
            wanted.extend(documented("Totals"));
        }
        found.sort();
        wanted.sort();
        assert_eq!(found, wanted, "{}", table.name);
    }
    assert_eq!(said_of(part_list_fields()), documented("parts"));
    for (table, name, n_shared) in
        [(ExportTable::Cases, "cases", 43), (ExportTable::Checks, "checks", 14)]
    {
        assert_eq!(said_of(&part_fields(table)[n_shared..]), documented(name));
    }
}

/// What the first row of Data quality that speaks of lost items says over a dataset of `folder`.
fn said_of_losses(dataset: &Path, folder: PathBuf) -> (String, Vec<String>) {
    write(&WriteWish { dataset: dataset.to_owned(), paths: vec![folder], ..WriteWish::default() })
        .unwrap();
    let core = core_of(walk_disk(dataset).unwrap().files);
    let page = core.sections(Topic::Overview(Target::All)).unwrap();
    let table = page.sections.iter().flat_map(|section| &section.tables);
    let trust = table.into_iter().find(|table| table.id == "trust").unwrap();
    let row = trust.rows.iter().find(|row| format!("{:?}", row.cells[0]).contains("read?"));
    let answer = format!("{:?}", row.unwrap().cells[1]);
    let report = report_of(&core);
    let notes = report["notes"].as_array().unwrap().iter();
    let details = notes.map(|note| note["detail"].as_str().unwrap().to_owned());
    (answer, details.collect())
}

#[test]
fn what_could_not_be_read_when_it_was_written_is_said() {
    let folder = place("lost");
    let own = folder.join("suite");
    fs::create_dir_all(&own).unwrap();
    for file in walk_disk(&fixture("letta-evals/0.25.1_reward")).unwrap().files {
        let name = file.path.rsplit('/').next().unwrap().to_owned();
        if !["console.txt", "expected.json"].contains(&name.as_str()) {
            fs::write(own.join(name), bytes_of(&file)).unwrap();
        }
    }
    let (answer, details) = said_of_losses(&folder.join("whole"), own.clone());
    assert!(!answer.contains("not read") && !answer.contains("lost"), "{answer}");
    assert!(!details.iter().any(|detail| detail.contains("could not be read")), "{details:?}");
    let lines = own.join("openai-gpt-4.1-mini.jsonl");
    let text = fs::read_to_string(&lines).unwrap();
    fs::write(&lines, text.replacen("{\"sample_id\"", "{\"sample_id", 2)).unwrap();
    let (answer, details) = said_of_losses(&folder.join("broken"), own);
    assert!(answer.contains("2 items"), "{answer}");
    let lost =
        "items that could not be read when the dataset was written; it keeps their number only";
    assert!(details.iter().any(|detail| detail == lost), "{details:?}");
}
