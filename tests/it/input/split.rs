//! Lines and elements.

use super::{SLICE_SIZES, Split, elements_of, file, lines_of, slices};
use evalglass::input::{
    Cancelled, Error, ErrorKind, LineStart, Pulse, RecordLayout, Slices, cut_lines, each_element,
    each_line, each_line_between, each_member, each_value_with, json::Cursor, last_line_start,
};
use pollster::block_on;
use proptest::prelude::*;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The same at every slice size.
fn lines(text: &str) -> Split {
    let whole = lines_of(text, &Slices::default());
    for n_bytes in SLICE_SIZES {
        let split = lines_of(text, &slices(n_bytes));
        assert_eq!(split.records, whole.records, "{n_bytes}");
        assert_eq!(split.broken.len(), whole.broken.len(), "{n_bytes}");
        assert_eq!(split.tail, whole.tail, "{n_bytes}");
    }
    whole
}

fn elements(text: &str) -> Split {
    let whole = elements_of(text, &Slices::default());
    for n_bytes in SLICE_SIZES {
        assert_eq!(elements_of(text, &slices(n_bytes)), whole, "{n_bytes}");
    }
    whole
}

#[test]
fn the_indent_of_the_first_value_is_known_in_slices_of_any_size() {
    let values = |slices: Slices| {
        let (mut found, mut broken) = (Vec::new(), Vec::new());
        let tail = block_on(each_value_with(
            &file("[\n  {\n    \"a\": 1\n  },\n  {\n    \"b\": \n  {\n    \"c\": 3\n  }\n]\n"),
            RecordLayout::Elements,
            &slices,
            &Pulse::silent(),
            &mut |record| {
                found.push((record.number, record.offset));
                Ok(())
            },
            &mut |offset, number, _| broken.push((offset, number)),
        ));
        (found, broken, tail.unwrap())
    };
    let whole = values(Slices::default());
    assert_eq!((&whole.0[..], &whole.1[..]), (&[(0, 4), (2, 38)][..], &[(24, 1)][..]));
    for n_bytes in SLICE_SIZES {
        assert_eq!(values(slices(n_bytes)), whole, "{n_bytes}");
    }
}

#[test]
fn lines_come_with_number_and_offset() {
    let split = lines("{\"a\":1}\r\n\n  {\"b\":\"}{\\\"\"} \n[3]\n4");
    assert_eq!(
        split.records,
        [
            (1, 0, "{\"a\":1}".to_owned()),
            (3, 12, "{\"b\":\"}{\\\"\"}".to_owned()),
            (4, 26, "[3]".to_owned()),
            (5, 30, "4".to_owned()),
        ]
    );
    assert_eq!(split.broken, []);
    assert_eq!(split.tail.cut, None);
}

#[test]
fn glued_values_come_apart() {
    let split = lines("{\"a\":1}{\"b\":2} {\"c\":3}\n{\"d\":4}[5]NaN");
    assert_eq!(split.texts(), ["{\"a\":1}", "{\"b\":2}", "{\"c\":3}", "{\"d\":4}", "[5]", "NaN"]);
    let numbers: Vec<_> = split.records.iter().map(|(number, _, _)| *number).collect();
    assert_eq!(numbers, [1, 1, 1, 2, 2, 2]);
}

#[test]
fn what_is_glued_to_garbage_still_comes() {
    for garbage in ["\0\0", ",", "garbage", "[1", "]"] {
        let split = lines(&format!("{{\"a\":1}}{garbage}{{\"b\":2}}\n{{\"c\":3}}\n"));
        assert_eq!(split.texts(), ["{\"a\":1}", "{\"c\":3}"], "{garbage}");
        assert_eq!(split.broken.len(), 1, "{garbage}");
    }
    assert_eq!(lines("{\"a\":1}[2]{\"b\":3}\n").texts().len(), 3);
}

#[test]
fn a_broken_line_costs_only_itself() {
    let split = lines("{\"a\":1}\n{\"b\":\n{\"c\":]}\noops.\n{\"d\":\"x\n{\"e\":5}\n");
    assert_eq!(split.texts(), ["{\"a\":1}", "{\"e\":5}"]);
    let whole: Vec<_> = split.broken.iter().map(|(line, at, _)| (*line, *at)).collect();
    assert_eq!(whole, [(2, 8), (3, 14), (4, 22), (5, 28)]);
    assert_eq!(split.broken[0].2, "not valid JSON: the line ends inside a value");
    assert_eq!(split.broken[1].2, "not valid JSON: brackets do not match");
    assert_eq!(split.broken[2].2, "not valid JSON: a word is not JSON");
}

#[test]
fn a_truncated_last_line_is_named() {
    let split = lines("{\"a\":1}\n{\"b\": [1, {\"c\": \"x");
    assert_eq!(split.texts(), ["{\"a\":1}"]);
    assert_eq!(split.broken, []);
    let (offset, line, reason) = split.tail.cut.unwrap();
    assert_eq!((offset, line, reason.at()), (8, 2, 26));
}

#[test]
fn a_truncated_word_at_the_end_is_named() {
    assert_eq!(lines("1\ntru").tail.cut.unwrap().1, 2);
    assert_eq!(lines("1\ntrue").tail.cut, None);
}

#[test]
fn json_errors_of_the_callback_cost_only_their_line() {
    let text = "{\"a\":1}\n{\"a\" 2}\n{\"a\":3}\n";
    let mut sum = 0.0;
    let mut broken = Vec::new();
    block_on(each_line(
        &file(text),
        &Pulse::silent(),
        &mut |record| {
            Cursor::new(record.bytes)
                .each_field(|_, cursor| {
                    sum += cursor.number()?.unwrap_or_default();
                    Ok(())
                })
                .map(|_| ())
        },
        &mut |_, line, err| broken.push((line, err.at())),
    ))
    .unwrap();
    assert_eq!((sum, broken), (4.0, vec![(2, 13)]));
}

#[test]
fn other_errors_of_the_callback_end_the_work() {
    let stop = |_: evalglass::input::Record<'_>| Err(Error::new(ErrorKind::Cancelled, 0));
    let file = file("[1]\n[2]\n");
    let pulse = Pulse::silent();
    let ended = block_on(each_line(&file, &pulse, &mut { stop }, &mut |_, _, _| {}));
    assert!(ended.unwrap_err().is_cancelled());
    let ended = block_on(each_element(&file, 0..3, &pulse, &mut { stop }));
    assert!(ended.unwrap_err().is_cancelled());
}

#[test]
fn a_line_past_the_limit_is_named_and_skipped() {
    let long = format!("{{\"a\":\"{}\"}}", "x".repeat(200));
    let text = format!("[1]\n{long}\n[2]\n{long}");
    for n_bytes in [1, 3, 7, 16, 50, 1 << 20] {
        let split = lines_of(&text, &Slices { n_bytes, max_record_bytes: 50 });
        assert_eq!(split.texts(), ["[1]", "[2]"], "{n_bytes}");
        let limit = "208 bytes are more than the limit of 50";
        assert_eq!(
            split.broken,
            [(2, 4, limit.to_owned()), (4, 217, limit.to_owned())],
            "{n_bytes}"
        );
        assert_eq!(split.tail.cut, None);
    }
}

#[test]
fn glued_values_may_be_longer_together_than_the_limit() {
    let text = "{\"a\":[1,2]}".repeat(100);
    let split = lines_of(&text, &Slices { n_bytes: 8, max_record_bytes: 16 });
    assert_eq!((split.records.len(), split.broken.len()), (100, 0));
}

#[test]
fn elements_come_with_index_and_offset() {
    let split = elements(" [ {\"a\": [1, \"]\"]} ,\n2,NaN, \"x\\\"\" , [] ] trailing");
    assert_eq!(
        split.records,
        [
            (0, 3, "{\"a\": [1, \"]\"]}".to_owned()),
            (1, 21, "2".to_owned()),
            (2, 23, "NaN".to_owned()),
            (3, 28, "\"x\\\"\"".to_owned()),
            (4, 36, "[]".to_owned()),
        ]
    );
    assert_eq!(split.tail.cut, None);
    assert_eq!(elements("[]"), Split::default());
}

#[test]
fn elements_before_a_cut_come_and_the_cut_is_named() {
    let split = elements("[{\"a\":1},{\"a\":2},{\"a\"");
    assert_eq!(split.texts(), ["{\"a\":1}", "{\"a\":2}"]);
    let (offset, index, reason) = split.tail.cut.unwrap();
    assert_eq!((offset, index), (17, 2));
    assert_eq!(reason.to_string(), "not valid JSON: it ends inside an array");
}

#[test]
fn elements_before_a_fault_come_and_the_fault_is_named() {
    let split = elements("[1, {\"a\":]}, 3]");
    assert_eq!(split.texts(), ["1"]);
    let (offset, index, reason) = split.tail.cut.unwrap();
    assert_eq!((offset, index, reason.at()), (4, 1, 9));
    assert_eq!(elements("[1,]").tail.cut.unwrap().1, 1);
    assert_eq!(elements("{\"a\":1}").tail.cut.unwrap().1, 0);
    assert_eq!(elements("").tail.cut.unwrap().1, 0);
}

#[test]
fn an_element_past_the_limit_is_named_and_those_after_it_come() {
    let text = format!("[1, [\"{}\"], 2, 3]", "x".repeat(100));
    for n_bytes in [1, 7, 16, 1 << 20] {
        let split = elements_of(&text, &Slices { n_bytes, max_record_bytes: 20 });
        let found: Vec<_> = split.records.iter().map(|(idx, _, _)| *idx).collect();
        assert_eq!(found, [0, 2, 3], "{n_bytes}");
        let (offset, index, reason) = split.tail.cut.unwrap();
        assert_eq!((offset, index), (4, 1));
        assert_eq!(reason.to_string(), "104 bytes are more than the limit of 20");
    }
}

#[test]
fn every_byte_is_counted_once_and_cancel_stops() {
    let text = "[1]\n".repeat(3 << 20);
    let done = Rc::new(Cell::new(0));
    let seen = Rc::clone(&done);
    let pulse = Pulse::new(move |progress| {
        seen.set(progress.n_done);
        Box::pin(async { true })
    });
    block_on(each_line(&file(&text), &pulse, &mut |_| Ok(()), &mut |_, _, _| {})).unwrap();
    assert_eq!(done.get(), text.len() as u64);
    let pulse = Pulse::new(|_| Box::pin(async { false }));
    let ended = block_on(each_line(&file(&text), &pulse, &mut |_| Ok(()), &mut |_, _, _| {}));
    assert_eq!(ended.unwrap_err(), Error::from(Cancelled));
}

/// Values, broken pieces and space, glued in any order.
fn anything() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "{\"a\":1}", "{\"a\":{\"b\":[1,2,\"}{\"]}}", "[\"\\\\\"]", "\"x\\\"y\\n\"", "12", "NaN",
            "{}", "[]", "null", "{\"k\":\"\u{e9}\u{1f600}\"}",
        ]).prop_map(str::to_owned),
        3 => prop::sample::select(vec!["\n", "\n\n", "\r\n", " ", "\t"]).prop_map(str::to_owned),
        1 => prop::sample::select(vec!["{", "}", "[", "]", "\"", "\\", ",", ":", "x", "\0"])
            .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// Read by stretches of `n_bytes`, the last line on its own.
fn lines_by_stretches(text: &str, n_bytes: u64) -> Split {
    let file = file(text);
    let end = last_line_start(&file).unwrap();
    let mut stretches = cut_lines(&file, 0..end, |_| n_bytes).unwrap();
    stretches.push(end..file.len());
    let (mut whole, mut line, mut at) = (Split::default(), 0, 0);
    for stretch in stretches {
        assert_eq!(stretch.start, at, "one begins where the one before ends");
        at = stretch.end;
        let from = LineStart { number: 1, offset: stretch.start };
        let own = RefCell::new(Split::default());
        let (tail, next) = pollster::block_on(each_line_between(
            &file,
            from,
            stretch.end,
            &Pulse::silent(),
            &mut |record| own.borrow_mut().keep(record),
            &mut |at, line, err| own.borrow_mut().broken.push((line, at, err.to_string())),
        ))
        .unwrap();
        let Split { records, broken, .. } = own.into_inner();
        let behind = |number: u64| number + line;
        whole.records.extend(records.into_iter().map(|(n, at, text)| (behind(n), at, text)));
        whole.broken.extend(broken.into_iter().map(|(n, at, text)| (behind(n), at, text)));
        whole.tail.cut = tail.cut.map(|(at, n, err)| (at, behind(n), err));
        line += next.number - 1;
    }
    assert_eq!(at, file.len());
    whole
}

#[test]
fn a_file_is_cut_behind_newlines() {
    let ends = |text: &str, n_bytes: u64| -> Vec<u64> {
        let cut = cut_lines(&file(text), 0..text.len() as u64, |_| n_bytes).unwrap();
        cut.into_iter().map(|stretch| stretch.end).collect()
    };
    let text = "ab\nc\n\nd\n";
    assert_eq!(ends(text, 1), [3, 5, 6, 8]);
    assert_eq!(ends(text, 3), [3, 6, 8]);
    assert_eq!(ends(text, 4), [5, 8]);
    assert_eq!(ends(text, u64::MAX), [8]);
    assert_eq!(ends(text, 0), ends(text, 1));
    assert!(ends("", 1).is_empty());
    let long = format!("{}\n{}\n", "a".repeat(200_000), "b".repeat(70_000));
    assert_eq!(ends(&long, 10), [200_001, 270_002]);
    let within = cut_lines(&file(text), 3..6, |_| 1).unwrap();
    assert_eq!(within, [3..5, 5..6]);
}

proptest! {
    #[test]
    fn lines_do_not_depend_on_stretches(text in anything(), n_bytes in 1_u64..64) {
        let whole = lines_of(&text, &Slices::default());
        prop_assert_eq!(lines_by_stretches(&text, n_bytes), whole);
    }

    #[test]
    fn lines_do_not_depend_on_slices(text in anything(), n_bytes in 1_usize..64) {
        let whole = lines_of(&text, &Slices::default());
        let split = lines_of(&text, &slices(n_bytes));
        let broken = |split: &Split| -> Vec<_> {
            split.broken.iter().map(|(line, at, _)| (*line, *at)).collect()
        };
        prop_assert_eq!(broken(&split), broken(&whole));
        // Of a broken line, the values before the fault may come or not.
        let records = |split: &Split| -> Vec<_> {
            let is_broken = |number| split.broken.iter().any(|(line, _, _)| *line == number);
            split.records.iter().filter(|record| !is_broken(record.0)).cloned().collect()
        };
        prop_assert_eq!(records(&split), records(&whole));
        prop_assert_eq!(split.tail, whole.tail);
    }

    #[test]
    fn elements_do_not_depend_on_slices(text in anything(), n_bytes in 1_usize..64) {
        let text = format!("[{}]", text.replace('\n', ","));
        prop_assert_eq!(
            elements_of(&text, &slices(n_bytes)),
            elements_of(&text, &Slices::default())
        );
    }

    #[test]
    fn random_bytes_never_panic_the_splitting(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        n_bytes in 1_usize..64,
    ) {
        lines_of(&bytes, &slices(n_bytes));
        elements_of(&bytes, &slices(n_bytes));
    }
}

#[test]
fn members_come_with_their_keys() {
    let members = |text: &str| {
        let (file, mut found) = (file(text), Vec::new());
        let tail =
            block_on(each_member(&file, 0..file.len(), &Pulse::silent(), &mut |key, one| {
                let value = String::from_utf8(one.bytes.to_vec()).unwrap();
                found.push(format!("{key} {} {} {value}", one.number, one.offset));
                Ok(())
            }))
            .unwrap();
        (found, tail.cut.map(|(at, _, reason)| (at, reason.reason().to_string())))
    };
    let (found, cut) = members(r#" {"a\"b": [1, {}] , "": "x","a\"b":null} "#);
    assert_eq!(found, [r#"a"b 0 10 [1, {}]"#, r#" 1 24 "x""#, r#"a"b 2 35 null"#]);
    assert_eq!(cut, None);
    let (found, cut) = members(r#"{"a": 1, "b": [2"#);
    assert_eq!((found.len(), cut.map(|(at, _)| at)), (1, Some(14)));
    let (found, cut) = members("[1]");
    assert_eq!((found.len(), cut.unwrap().1.as_str()), (0, "an object was expected"));
}
