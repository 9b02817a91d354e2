//! Every format against the list of them and against `docs/exports.md`.

use crate::support::{core_of, exported, exported_text, file, fixture_files};
use evalglass::worker::protocol::{Answer, EXPORTS, ExportKind, Task};
use std::collections::BTreeSet;

const DOCS: &str = include_str!("../../../docs/exports.md");

#[test]
fn names_labels_and_files_are_unique_and_documented() {
    let sets = [
        EXPORTS.map(|export| export.name),
        EXPORTS.map(|export| export.label),
        EXPORTS.map(|export| export.file),
    ];
    for set in sets {
        assert_eq!(set.iter().collect::<BTreeSet<_>>().len(), EXPORTS.len());
    }
    let rows: Vec<&str> = DOCS.lines().filter(|line| line.contains("| evalglass-")).collect();
    for (export, row) in EXPORTS.iter().zip(&rows) {
        assert!(row.starts_with(&format!("| `{}` | {} |", export.name, export.file)), "{row}");
    }
    assert_eq!(rows.len(), EXPORTS.len());
}

#[test]
fn every_export_of_nothing_is_a_file_and_names_itself() {
    let core = core_of(Vec::new());
    for export in EXPORTS {
        let Ok(Answer::Export(download)) =
            core.answer(Task::Export { kind: export.kind, view: None })
        else {
            panic!("{} is exported", export.name);
        };
        assert_eq!((download.name.as_str(), download.mime.as_str()), (export.file, export.mime));
    }
}

/// Names and what they hold, as the tables of the documentation have them.
fn documented(heading: &str) -> Vec<(String, String, bool)> {
    let (_, part) = DOCS.split_once(heading).unwrap();
    let part = part.split("\n## ").next().unwrap();
    let rows = part.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let name = cells[1].trim_end_matches('*').trim().trim_matches('`').to_owned();
        (name, cells[2].to_owned(), cells[1].ends_with('*'))
    })
    .collect()
}

#[test]
fn the_columns_of_the_tables_are_those_of_the_documentation() {
    use parquet::basic::{Repetition, Type};
    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    let core = core_of(fixture_files("rebel/basic"));
    let tables = [
        ("## The table of cases", ExportKind::CasesParquet, "evalglass-cases/1"),
        ("## The table of checks", ExportKind::ChecksParquet, "evalglass-checks/1"),
    ];
    for (heading, kind, schema) in tables {
        let bytes = bytes::Bytes::from(exported(&core, kind));
        let reader = SerializedFileReader::new(bytes).unwrap();
        let file = reader.metadata().file_metadata();
        let keys = file.key_value_metadata().unwrap();
        let key = keys.iter().find(|pair| pair.key == "evalglass.schema").unwrap();
        assert_eq!(key.value.as_deref(), Some(schema));
        let found: Vec<(String, String, bool)> = file
            .schema_descr()
            .columns()
            .iter()
            .map(|column| {
                let holds = match column.physical_type() {
                    Type::BYTE_ARRAY => "text",
                    Type::DOUBLE => "number",
                    Type::INT64 => "count",
                    Type::BOOLEAN => "flag",
                    other => panic!("{other}"),
                };
                let is_required =
                    column.self_type().get_basic_info().repetition() == Repetition::REQUIRED;
                (column.name().to_owned(), holds.to_owned(), is_required)
            })
            .collect();
        assert_eq!(found, documented(heading));
    }
    let csv = exported_text(&core, ExportKind::CasesCsv);
    let head: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let names: Vec<String> =
        documented("## The table of cases").into_iter().map(|(name, ..)| name).collect();
    assert_eq!(head, names);
    assert_eq!(head[..6], ["group", "case_id", "type", "passed", "score", "duration"]);
}

#[test]
fn summaries_for_people_name_repeats_that_have_the_same_name() {
    let table = "id,seed,passed\na,1,no\nb,1,yes\na,2,yes\nb,2,no\n";
    let core = core_of(vec![file("t.csv", table)]);
    for kind in [ExportKind::SummaryMarkdown, ExportKind::DetailedText, ExportKind::ReportHtml] {
        let text = exported_text(&core, kind);
        for name in ["t.csv, repeat 1", "t.csv, repeat 2"] {
            assert!(text.contains(name), "{kind:?}: {name}");
        }
    }
    let alone = core_of(vec![file("t.csv", "id,passed\na,no\n")]);
    assert!(!exported_text(&alone, ExportKind::SummaryMarkdown).contains("repeat 1"));
}
