//! What is written as CSV is read cell by cell; guessing takes any names.

use super::profile::Profiles;
use super::roles::{guess, has_result};
use super::sheet::{SheetColumns, SheetRow, sheets};
use super::words::NameWords;
use crate::input::{InputFile, MemorySource, Pulse, at_once, shape};
use crate::model::{Locator, Notes, Role, SourceId};
use crate::readers::{Context, InProcess, Marks};
use proptest::prelude::*;
use serde_json::Value;
use std::rc::Rc;

fn input(bytes: &[u8]) -> InputFile {
    let data = Rc::new(MemorySource::new(bytes));
    InputFile { id: SourceId(0), path: "x".to_owned(), data }
}

/// Names and rows of the only table in a file; none when it is none.
fn read(bytes: &[u8]) -> Option<(Vec<String>, Vec<Vec<Value>>)> {
    let file = input(bytes);
    let (pulse, notes, marks, after, alone) = (
        Pulse::silent(),
        Notes::default(),
        Marks::default(),
        Marks::default(),
        InProcess::default(),
    );
    let shape = at_once(shape(&file, &pulse)).unwrap().unwrap();
    let sheet = sheets(&file, &shape).unwrap().into_iter().next()?;
    let cx =
        Context { notes: &notes, pulse: &pulse, before: &marks, after: &after, helpers: &alone };
    let (mut columns, mut rows, mut places) = (SheetColumns::default(), Vec::new(), Vec::new());
    let mut take = |_: &SheetColumns, row: SheetRow<'_>| {
        rows.push(row.cells.to_vec());
        places.push(row.at);
        true
    };
    at_once(sheet.each_row(&cx, &mut columns, &mut take)).unwrap().unwrap();
    for (row, place) in rows.iter().zip(&places) {
        let (again, _) = sheet.row(*place).unwrap();
        let again: Vec<Value> = again.into_iter().map(|(_, cell)| cell).collect();
        assert_eq!(*row, again, "a row is the same when it is read again");
    }
    Some((columns.names().to_vec(), rows))
}

fn as_cell(text: &str) -> Value {
    if text.is_empty() { Value::Null } else { Value::from(text) }
}

proptest! {
    #[test]
    fn csv_comes_back_cell_by_cell(
        rows in (2_usize..6).prop_flat_map(|n_columns| {
            let cell = "[a-z ,;\t|\"\n\ré→0-9.=]{0,12}";
            prop::collection::vec(prop::collection::vec(cell, n_columns), 1..12)
        }),
        delimiter in prop::sample::select(vec![b',', b';', b'\t', b'|']),
        is_crlf in any::<bool>(),
    ) {
        let n_columns = rows[0].len();
        let names: Vec<String> = (0..n_columns).map(|at| format!("column_{at}")).collect();
        let end = if is_crlf { csv::Terminator::CRLF } else { csv::Terminator::Any(b'\n') };
        let mut writer = csv::WriterBuilder::new()
            .delimiter(delimiter)
            .terminator(end)
            .quote_style(csv::QuoteStyle::Always)
            .from_writer(Vec::new());
        writer.write_record(&names).unwrap();
        for row in &rows {
            writer.write_record(row).unwrap();
        }
        let bytes = writer.into_inner().unwrap();
        let (found, cells) = read(&bytes).unwrap();
        prop_assert_eq!(found, names);
        let expected: Vec<Vec<Value>> =
            rows.iter().map(|row| row.iter().map(|text| as_cell(text)).collect()).collect();
        prop_assert_eq!(cells, expected);
    }

    #[test]
    fn guessing_takes_any_names_and_cells(
        names in prop::collection::vec("\\PC{0,12}|id|score|passed|model|latency_ms|a\\.b", 0..12),
        rows in prop::collection::vec(
            prop::collection::vec("\\PC{0,8}|[0-9.,-]{0,6}|true|NaN|", 0..14),
            0..9,
        ),
    ) {
        let mut columns = SheetColumns::default();
        for name in &names {
            columns.place(name);
        }
        let mut profiles = Profiles::new(true);
        for (number, row) in (0..).zip(&rows) {
            let cells: Vec<Value> = row.iter().map(|text| as_cell(text)).collect();
            let at = Locator::Row { source: SourceId(0), row: number };
            profiles.add(&columns, &SheetRow { number, at, cells: &cells });
        }
        let found = guess(columns.names(), &profiles);
        prop_assert_eq!(found.len(), columns.names().len());
        has_result(&found);
        for role in [Role::Id, Role::Score, Role::Passed, Role::Model, Role::Repeat, Role::Duration] {
            let n_of = found.iter().filter(|column| column.role == role).count();
            prop_assert!(n_of <= 1, "{} columns are {}", n_of, role.word());
        }
        prop_assert!(found.iter().all(|column| !column.why.is_empty()));
    }

    #[test]
    fn any_bytes_are_a_table_or_none(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read(&bytes);
        NameWords::of(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn every_form_gives_the_same_rows() {
    for text in [
        "id,score\na,1\nb,2\n",
        "id;score\r\na;1\r\nb;2\r\n",
        "id|score\na|1\nb|2",
        "\"id\"\t\"score\"\n\"a\"\t\"1\"\n\"b\"\t\"2\"\n",
    ] {
        let (names, rows) = read(text.as_bytes()).unwrap();
        assert_eq!(names, ["id", "score"], "{text:?}");
        assert_eq!(rows, [["a", "1"], ["b", "2"]], "{text:?}");
    }
    for text in [
        r#"[{"id":"a","score":1},{"id":"b","score":2}]"#,
        "{\"id\":\"a\",\"score\":1}\n{\"id\":\"b\",\"score\":2}\n",
        r#"{"results":[{"id":"a","score":1},{"id":"b","score":2}],"version":3}"#,
        r#"{"id":{"0":"a","1":"b"},"score":{"0":1,"1":2}}"#,
        r#"{"0":{"id":"a","score":1},"1":{"id":"b","score":2}}"#,
        r#"{"columns":["id","score"],"index":[0,1],"data":[["a",1],["b",2]]}"#,
        r#"{"id":["a","b"],"score":[1,2]}"#,
        r#"[["id","score"],["a",1],["b",2]]"#,
        r#"{"schema":{"fields":[{"name":"id"},{"name":"score"}]},"data":[{"id":"a","score":1},{"id":"b","score":2}]}"#,
    ] {
        let (names, rows) = read(text.as_bytes()).unwrap();
        assert_eq!(names, ["id", "score"], "{text}");
        let expected = [[Value::from("a"), Value::from(1)], [Value::from("b"), Value::from(2)]];
        assert_eq!(rows, expected, "{text}");
    }
}

#[test]
fn what_is_no_table_is_none() {
    for text in [
        "a line\nanother line\n",
        "key: value\nother: [1, 2]\n",
        "Dear all,\nthis is a letter.\nYours\n",
        r#"{"a":1,"b":{"c":2}}"#,
        r#"{"metadata":{"a":1},"test_cases":{"name":"x"}}"#,
        "[1, 2, 3]",
        r#"{"a":[1,2],"b":[1]}"#,
    ] {
        assert!(read(text.as_bytes()).is_none(), "{text}");
    }
}
