//! Cases of great size: what is drawn at once stays small, what is asked for stays bounded, nothing is
//! left out.

use super::crawl::crawl;
use super::made::{content, reading_of};
use super::seen::Seen;
use evalglass::reading::{DiffPart, DiffSign, PartName, PartShown, Piece, Reading, Way};
use evalglass::report::{CaseDetail, CheckDetail, Message};
use evalglass::worker::protocol::to_bytes;

/// Bytes that may come at once.
const MAX_BYTES: usize = 300_000;

/// Messages that may be drawn at once: about a screen of them.
const MAX_MESSAGES: usize = 12;

/// What stands in a part, and in how many bytes it is sent.
fn part(reading: &Reading, name: &str) -> (Seen, usize) {
    let part = reading.part(&PartName::parse(name).unwrap()).unwrap();
    (Seen::of_part(&part), to_bytes(&part).unwrap().len())
}

/// A part of pieces.
fn pieces(reading: &Reading, name: &str) -> Vec<Piece> {
    match reading.part(&PartName::parse(name).unwrap()).unwrap() {
        PartShown::Pieces(pieces) => pieces,
        other => panic!("{name} is no pieces: {other:?}"),
    }
}

/// Bytes in which they are sent.
fn len(pieces: &[Piece]) -> usize {
    to_bytes(&pieces).unwrap().len()
}

/// The blocks of a view, one after the other.
fn blocks_of(reading: &Reading, stem: &str, n_rows: u64) -> Vec<Seen> {
    let blocks = (0..n_rows).step_by(1_000);
    blocks.map(|first| part(reading, &format!("{stem}:{first}:{}", first + 1_000)).0).collect()
}

/// The rows of a view, put together.
fn rows_of(reading: &Reading, stem: &str, n_rows: u64) -> Vec<String> {
    let blocks = blocks_of(reading, stem, n_rows);
    blocks.into_iter().flat_map(|block| block.lines).map(|line| line.text).collect()
}

/// The lines of a difference in one column, each with where it is.
fn diff_rows_of(reading: &Reading, stem: &str, n_rows: u64) -> Vec<(DiffSign, String)> {
    let rows = blocks_of(reading, stem, n_rows).into_iter().flat_map(|block| block.rows);
    let line = |row: DiffPart| match row {
        DiffPart::Row(row) => {
            let line = row.lines.into_iter().flatten().next().expect("there is a line");
            (line.sign, line.runs.into_iter().map(|run| run.text).collect())
        }
        other => (DiffSign::Same, format!("{other:?}")),
    };
    rows.map(line).collect()
}

/// The only view.
fn view(seen: &Seen) -> (String, u64) {
    let view = seen.views.first().expect("there is a view");
    (view.rows.clone(), view.n_rows)
}

#[test]
fn a_failure_text_of_272_000_letters_is_drawn_in_rows() {
    let line = |idx: usize| match idx % 40 {
        0 => format!("tests/test_{idx}.py:{idx}: AssertionError"),
        1 => "----------------------------- Captured stdout call ----------------".to_owned(),
        2 => format!("E   assert {idx} == <{idx}>"),
        _ => format!("    line {idx} with some more words in it"),
    };
    let lines: Vec<String> = (0..6_500).map(line).collect();
    let whole = lines.join("\n");
    assert!(whole.len() > 250_000);
    let one_line = "x".repeat(272_000);
    let detail = CaseDetail {
        failure: vec![content("report", &whole), content("one line", &one_line)],
        ..CaseDetail::default()
    };
    let reading = reading_of(detail);
    let body = super::made::body_of(&reading);
    assert!(len(&body) < 20_000, "{} bytes at once", len(&body));
    let (stem, n_rows) = view(&Seen::of(&body));
    assert_eq!(n_rows, 6_500);
    assert_eq!(rows_of(&reading, &stem, n_rows), lines);
    let rows = rows_of(&reading, "0.1.2:written:failure-1", 272);
    assert_eq!(rows.concat(), one_line, "one line in rows of a thousand letters");
    let (found, _) = part(&reading, &format!("{stem}:find:assert 2602 "));
    assert!(found.said.contains("1 match"), "{}", found.said);
    assert_eq!(found.ways.first().map(|way| way.row), Some(Some(2602)));
}

fn check_of(expected: &str, actual: &str) -> CaseDetail {
    let check = CheckDetail {
        name: "output".to_owned(),
        is_correct: Some(false),
        expected: Some(expected.to_owned()),
        actual: Some(actual.to_owned()),
        ..CheckDetail::default()
    };
    CaseDetail { checks: vec![check], ..CaseDetail::default() }
}

#[test]
fn a_difference_of_100_000_lines_is_drawn_in_rows() {
    let line = |idx: usize, is_new: bool| match idx % 100 {
        7 if is_new => format!("line {idx} is new & <other>\n"),
        8 if is_new => String::new(),
        _ => format!("line {idx} is as it was\n"),
    };
    let [old, new] =
        [false, true].map(|is_new| (0..100_000).map(|idx| line(idx, is_new)).collect::<String>());
    let reading = reading_of(check_of(&old, &new));
    let body = super::made::body_of(&reading);
    assert!(len(&body) < 20_000, "{} bytes at once", len(&body));
    let seen = Seen::of(&body);
    let mut later = seen.later.iter();
    let diff = later.find(|name| name.contains(":diff:")).expect("the difference comes later");
    let (shown, n_bytes) = part(&reading, diff);
    assert!(n_bytes < 10_000 && shown.said.contains("−2,000 expected, +1,000 actual lines"));
    let (stem, n_rows) = view(&shown);
    // Of each hundred lines one fold, seven unchanged lines, three that differ.
    assert!((9_000..12_000).contains(&n_rows), "{n_rows} rows");
    let (block, n_bytes) = part(&reading, &format!("{stem}:5000:5100"));
    let is_changed = |row: &DiffPart| match row {
        DiffPart::Row(row) => {
            let mut runs = row.lines.iter().flatten().flat_map(|line| &line.runs);
            runs.any(|run| run.is_changed)
        }
        _ => false,
    };
    assert!(n_bytes < 100_000 && block.rows.iter().any(is_changed), "{n_bytes}");
    let (whole, _) = part(&reading, "0.1.2:diff:check-0-expected~check-0-actual:ua");
    let (stem, n_rows) = view(&whole);
    assert_eq!(n_rows, 101_000);
    let rows = diff_rows_of(&reading, &stem, n_rows);
    let without = |sign: DiffSign| -> String {
        let kept = rows.iter().filter(|(found, _)| *found != sign);
        kept.map(|(_, text)| format!("{text}\n")).collect()
    };
    assert!(without(DiffSign::Added) == old, "without + lines it is what was expected");
    assert!(without(DiffSign::Removed) == new, "without - lines it is what came");
    let (two, _) = part(&reading, "0.1.2:diff:check-0-expected~check-0-actual:s");
    let (block, _) = part(&reading, &format!("{}:0:100", view(&two).0));
    let has_gap = |row: &DiffPart| matches!(row, DiffPart::Row(row) if row.lines.contains(&None));
    assert!(block.rows.iter().any(has_gap), "some lines have nothing beside them");
}

#[test]
fn texts_without_a_line_in_common_are_compared_too() {
    let [old, new] = [3, 5].map(|salt: usize| {
        (0..100_000).map(|idx| format!("{}\n", idx * salt % 7_919)).collect::<String>()
    });
    let reading = reading_of(check_of(&old, &new));
    let (shown, _) = part(&reading, "0.1.2:diff:check-0-expected~check-0-actual:u");
    let (stem, n_rows) = view(&shown);
    let rows = diff_rows_of(&reading, &stem, n_rows.min(5_000));
    assert_eq!(rows.len(), 5_000);
}

fn conversation(n_messages: usize) -> CaseDetail {
    let message = |idx: usize| {
        let (role, kind, tool) = match idx % 5 {
            0 => ("user", "user_message", None),
            1 => ("reasoning", "reasoning_message", None),
            2 => ("assistant", "tool_call_message", Some("search")),
            3 => ("tool", "tool_return_message", Some("search")),
            _ => ("assistant", "assistant_message", None),
        };
        let text = match idx % 5 {
            2 => format!("{{\"query\": \"needle-{idx}\", \"limit\": 5}}"),
            3 => "a result line\n".repeat(idx % 60),
            _ => format!("Message **{idx}** says `something` about <it>.\n\n- one\n- two\n"),
        };
        Message {
            agent: None,
            turn: u32::try_from(idx / 5).unwrap(),
            role: role.to_owned(),
            kind: kind.to_owned(),
            tool: tool.map(str::to_owned),
            call_id: tool.map(|_| format!("call-{}", idx / 5)),
            text,
            is_error: idx % 500 == 3,
            at: Some(format!("2025-01-01T{:02}:{:02}:00Z", idx / 60 % 24, idx % 60)),
        }
    };
    CaseDetail { transcript: (0..n_messages).map(message).collect(), ..CaseDetail::default() }
}

#[test]
fn a_transcript_of_5_000_messages_comes_in_chunks() {
    let reading = reading_of(conversation(5_000));
    let body = super::made::body_of(&reading);
    assert!(len(&body) < 40_000, "{} bytes at once", len(&body));
    let mut entries = Seen::of(&body).messages();
    assert!(entries.len() <= MAX_MESSAGES, "{} messages at once", entries.len());
    // Chunks, and groups of chunks, whose places come when they are near.
    let mut parts = Vec::new();
    let mut later = Seen::of(&body).later;
    assert!(later.len() <= 30, "{} places at once", later.len());
    while let Some(name) = (!later.is_empty()).then(|| later.remove(0)) {
        let chunk = pieces(&reading, &name);
        assert!(len(&chunk) < 40_000, "{name}: {} bytes", len(&chunk));
        let seen = Seen::of(&chunk);
        let (found, inner) = (seen.messages(), seen.later);
        assert!(found.len() <= MAX_MESSAGES, "{name}: {} messages", found.len());
        assert!(found.is_empty() != inner.is_empty(), "{name}: messages or the places of chunks");
        assert!(inner.len() <= 30, "{name}: {} places", inner.len());
        later.splice(0..0, inner);
        entries.extend(found);
        parts.push(name);
    }
    let all: Vec<String> = (0..4_000).map(|idx| format!("m-{idx}")).collect();
    assert_eq!(entries, all, "a call and its return are one entry; each is there once");
    let (found, _) = part(&reading, "0.1.2:transcript:find:NEEDLE-4002");
    assert!(found.said.contains("1 match\n"), "{}", found.said);
    let Way { id: goal, through: way, .. } = &found.ways[0];
    assert_eq!(way.len(), 2, "a group and a chunk: {way:?}");
    assert!(way.iter().all(|name| parts.iter().any(|part| part == name)), "{way:?}");
    let group = Seen::of(&pieces(&reading, &way[0]));
    assert!(group.later.iter().any(|name| *name == way[1]), "one in the other");
    let way = &way[1];
    let chunk = Seen::of(&pieces(&reading, way));
    assert!(chunk.ids.iter().any(|id| id == goal), "{goal} is in {way}");
}

#[test]
fn every_jump_leads_somewhere() {
    let mut detail = conversation(300);
    let failure = "a.py:1: E\n----- Captured stdout call -----\nx\n".repeat(20);
    detail.failure = vec![content("report", &failure)];
    detail.input = vec![content("payload", &nested_json())];
    let reading = reading_of(detail);
    let (_, crawl) = crawl(&reading);
    assert!(crawl.ways.len() > 60, "only {} ways", crawl.ways.len());
    for way in &crawl.ways {
        let is_there = crawl.ids.contains(&way.id) || crawl.inner_ids.contains(&way.id);
        assert!(is_there, "{way:?}");
    }
}

fn nested_json() -> String {
    let row = |idx: usize| serde_json::json!({"id": idx, "name": format!("row {idx}"), "tags": ["x", "y"], "deep": {"value": idx}});
    let rows: Vec<_> = (0..30_000).map(row).collect();
    serde_json::json!({"rows": rows, "long": "z".repeat(5_000), "inner": serde_json::json!({"text": "w".repeat(300)}).to_string()}).to_string()
}

#[test]
fn a_tree_of_200_000_values_is_opened_step_by_step() {
    let json = nested_json();
    let detail = CaseDetail { input: vec![content("payload", &json)], ..CaseDetail::default() };
    let reading = reading_of(detail);
    let body = super::made::body_of(&reading);
    assert!(len(&body) < MAX_BYTES, "{} bytes at once", len(&body));
    let (found, _) = part(&reading, "0.1.2:tree:input-0:find:row 23456");
    let has = |words: &str| found.said.contains(words);
    assert!(has("1 match\n") && has("$.rows[23456].name"), "{}", found.said);
    let way = &found.ways[0];
    // What is not here yet is in the part before.
    let mut here = Seen::of(&body);
    for name in &way.through {
        if here.folds.contains(name) {
            let (inner, n_bytes) = part(&reading, name);
            assert!(n_bytes < MAX_BYTES, "{name}: {n_bytes} bytes");
            here = inner;
        }
    }
    assert!(here.inner_ids.contains(&way.id), "{way:?}");
}

#[test]
fn very_many_checks_and_attempts_come_in_parts() {
    let check = |idx: usize| CheckDetail {
        attempt: u32::try_from(idx % 300).unwrap() + 1,
        name: format!("check {idx}"),
        is_correct: [None, Some(true), Some(false)][idx % 3],
        expected: Some(format!("expected {idx}\n").repeat(400)),
        actual: Some(format!("actual {idx}\n").repeat(400)),
        ..CheckDetail::default()
    };
    let attempt = |attempt: u32| evalglass::report::AttemptDetail {
        attempt,
        duration_secs: None,
        output: vec![content("output", &format!("output {attempt}\n").repeat(300))],
    };
    let detail = CaseDetail {
        checks: (0..3_000).map(check).collect(),
        attempts: (1..=300).map(attempt).collect(),
        ..CaseDetail::default()
    };
    let reading = reading_of(detail);
    let body = super::made::body_of(&reading);
    assert!(len(&body) < MAX_BYTES, "{} bytes at once", len(&body));
    let mut names: Vec<String> = Seen::of(&body).parts().cloned().collect();
    let mut found = Seen::of(&body).checks;
    names.retain(|name| name.contains(":checks:"));
    while let Some(name) = names.pop() {
        let rows = pieces(&reading, &name);
        assert!(len(&rows) < MAX_BYTES, "{name}: {} bytes", len(&rows));
        let seen = Seen::of(&rows);
        names.extend(seen.parts().filter(|name| name.contains(":checks:")).cloned());
        found.extend(seen.checks);
    }
    for idx in 0..3_000 {
        let name = format!("check {idx}");
        assert_eq!(found.iter().filter(|found| **found == name).count(), 1, "check {idx}");
    }
    let second = Seen::of(&pieces(&reading, "0.1.2:attempt:1"));
    assert!(second.said.contains("output 2"));
    assert!(second.said.contains("Compared with the previous attempt"));
}
