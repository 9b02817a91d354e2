//! Cases of great size: what is drawn at once stays small, what is asked for stays bounded, nothing is
//! left out.

use super::crawl::{crawl, text};
use super::made::{content, reading_of};
use super::seen::Seen;
use evalglass::render::case::{PartName, PartShown, Piece, Reading};
use evalglass::report::{CaseDetail, CheckDetail, Message};
use evalglass::worker::protocol::to_bytes;

/// Bytes of markup that may come at once.
const MAX_MARKUP: usize = 300_000;

/// Messages that may be drawn at once: about a screen of them.
const MAX_MESSAGES: usize = 12;

/// A part that is drawn.
fn part(reading: &Reading, name: &str) -> String {
    match reading.part(&PartName::parse(name).unwrap()).unwrap() {
        PartShown::Drawn(markup) => markup.as_str().to_owned(),
        PartShown::Pieces(pieces) => panic!("{name} is no markup: {pieces:?}"),
    }
}

/// A part of pieces.
fn pieces(reading: &Reading, name: &str) -> Vec<Piece> {
    match reading.part(&PartName::parse(name).unwrap()).unwrap() {
        PartShown::Pieces(pieces) => pieces,
        PartShown::Drawn(markup) => panic!("{name} is markup: {markup:?}"),
    }
}

/// Bytes in which they are sent.
fn len(pieces: &[Piece]) -> usize {
    to_bytes(&pieces).unwrap().len()
}

/// The rows of a view, put together: the texts of their cells.
fn rows_of(reading: &Reading, stem: &str, n_rows: u64) -> Vec<String> {
    let mut rows = Vec::new();
    for first in (0..n_rows).step_by(1_000) {
        let block = part(reading, &format!("{stem}:{first}:{}", first + 1_000));
        let found = block.split("<div class=\"row").skip(1).map(|row| {
            let (_, cell) = row.rsplit_once("<span class=\"row__text").unwrap();
            text(cell.split_once('>').unwrap().1)
        });
        rows.extend(found);
    }
    rows
}

fn view(body: &str) -> (String, u64) {
    let markup = body.split("data-lines=\"").nth(1).expect("there is a view");
    let stem = markup.split_once('"').unwrap().0.to_owned();
    let n_rows = markup.split_once("data-n=\"").unwrap().1.split_once('"').unwrap().0;
    (stem, n_rows.parse().unwrap())
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
    let (stem, n_rows) = view(&Seen::of(&body).markup());
    assert_eq!(n_rows, 6_500);
    assert_eq!(rows_of(&reading, &stem, n_rows), lines);
    let rows = rows_of(&reading, "0.1.2:written:failure-1", 272);
    assert_eq!(rows.concat(), one_line, "one line in rows of a thousand letters");
    let found = part(&reading, &format!("{stem}:find:assert 2602 "));
    assert!(found.contains("1 match") && found.contains("data-row=\"2602\""), "{found}");
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
    let shown = part(&reading, diff);
    assert!(
        shown.len() < 10_000 && shown.contains("−2,000 expected, +1,000 actual lines"),
        "{shown}"
    );
    let (stem, n_rows) = view(&shown);
    // Of each hundred lines one fold, seven unchanged lines, three that differ.
    assert!((9_000..12_000).contains(&n_rows), "{n_rows} rows");
    let block = part(&reading, &format!("{stem}:5000:5100"));
    assert!(block.len() < 100_000 && block.contains("<ins class=\"word\">"), "{block}");
    let whole = part(&reading, "0.1.2:diff:check-0-expected~check-0-actual:ua");
    let (stem, n_rows) = view(&whole);
    assert_eq!(n_rows, 101_000);
    let rows = rows_of(&reading, &stem, n_rows);
    let side = |sign: &str, other: &str| -> String {
        let kept = rows.iter().filter(|row| !row.starts_with(other));
        kept.map(|row| format!("{}\n", row.strip_prefix(sign).unwrap_or(row))).collect()
    };
    assert!(side("expected: ", "actual: ") == old, "without + lines it is what was expected");
    assert!(side("actual: ", "expected: ") == new, "without - lines it is what came");
    let two = part(&reading, "0.1.2:diff:check-0-expected~check-0-actual:s");
    assert!(part(&reading, &format!("{}:0:100", view(&two).0)).contains("row__text--none"));
}

#[test]
fn texts_without_a_line_in_common_are_compared_too() {
    let [old, new] = [3, 5].map(|salt: usize| {
        (0..100_000).map(|idx| format!("{}\n", idx * salt % 7_919)).collect::<String>()
    });
    let reading = reading_of(check_of(&old, &new));
    let shown = part(&reading, "0.1.2:diff:check-0-expected~check-0-actual:u");
    let (stem, n_rows) = view(&shown);
    let rows = rows_of(&reading, &stem, n_rows.min(5_000));
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
    let found = part(&reading, "0.1.2:transcript:find:NEEDLE-4002");
    assert!(found.contains("1 match<"), "{found}");
    let way = found.split_once("data-through=\"").unwrap().1.split_once('"').unwrap().0;
    let way: Vec<&str> = way.split(' ').collect();
    assert_eq!(way.len(), 2, "a group and a chunk: {way:?}");
    assert!(way.iter().all(|name| parts.iter().any(|part| part == name)), "{way:?}");
    let group = Seen::of(&pieces(&reading, way[0]));
    assert!(group.later.iter().any(|name| name == way[1]), "one in the other");
    let way = way[1];
    let goal = found.split_once("data-jump=\"").unwrap().1.split_once('"').unwrap().0;
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
    assert!(crawl.jumps.len() > 60, "only {} jumps", crawl.jumps.len());
    for (goal, way) in &crawl.jumps {
        let id = format!(" id=\"{goal}\"");
        let is_drawn = || crawl.all().any(|markup| markup.as_str().contains(&id));
        assert!(crawl.ids.contains(goal) || is_drawn(), "{goal} by {way:?}");
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
    assert!(len(&body) < MAX_MARKUP, "{} bytes at once", len(&body));
    let found = part(&reading, "0.1.2:tree:input-0:find:row 23456");
    assert!(found.contains("1 match<") && found.contains("$.rows[23456].name"), "{found}");
    let way = found.split_once("data-through=\"").unwrap().1.split_once('"').unwrap().0;
    let goal = found.split_once("data-jump=\"").unwrap().1.split_once('"').unwrap().0;
    // What is not drawn yet is in the part before.
    let mut here = Seen::of(&body).markup();
    for name in way.split(' ') {
        if here.contains(&format!("data-part=\"{name}\"")) {
            here = part(&reading, name);
            assert!(here.len() < MAX_MARKUP, "{name}: {} bytes", here.len());
        }
    }
    assert!(here.contains(&format!(" id=\"{goal}\"")), "{goal} by {way}");
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
    assert!(len(&body) < MAX_MARKUP, "{} bytes at once", len(&body));
    let mut names: Vec<String> = Seen::of(&body).parts().cloned().collect();
    let mut found = Seen::of(&body).checks;
    names.retain(|name| name.contains(":checks:"));
    while let Some(name) = names.pop() {
        let rows = pieces(&reading, &name);
        assert!(len(&rows) < MAX_MARKUP, "{name}: {} bytes", len(&rows));
        let seen = Seen::of(&rows);
        names.extend(seen.parts().filter(|name| name.contains(":checks:")).cloned());
        found.extend(seen.checks);
    }
    for idx in 0..3_000 {
        let name = format!("check {idx}");
        assert_eq!(found.iter().filter(|found| **found == name).count(), 1, "check {idx}");
    }
    let second = Seen::of(&pieces(&reading, "0.1.2:attempt:1"));
    assert!(second.markup().contains("output 2"));
    assert!(second.said.contains("Against the attempt before"));
}
