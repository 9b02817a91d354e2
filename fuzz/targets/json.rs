//! JSON: the tokenizer and what stands on it, and files that are read in slices.

use super::files::opened;
use evalglass::input::json::{Cursor, JsonTokens, any_text, indented};
use evalglass::input::{
    Error, Form, InputFile, Pulse, Record, RecordLayout, Slices, each_element_with, each_line_with,
    each_value_with, shape_with,
};
use pollster::block_on;
use serde_json::Value;

/// One value in memory: read, skipped, indented, searched; against `serde_json`.
pub fn json(input: &[u8]) {
    let mut cursor = Cursor::new(input);
    let tree = cursor.tree().and_then(|tree| cursor.end().map(|()| tree)).ok();
    if let Ok(theirs) = serde_json::from_slice::<Value>(input) {
        let is_same = tree.as_ref().is_some_and(|ours| is_same(ours, &theirs));
        assert!(is_same, "serde_json reads {theirs} where we read {tree:?}");
    }
    let mut skipping = Cursor::new(input);
    let skipped = skipping.skip();
    if let Some(tree) = &tree {
        let span = skipped.expect("what is read can be skipped");
        let mut again = Cursor::new(&input[span]);
        assert_eq!(again.tree().as_ref(), Ok(tree), "skipping finds another value");
        let written = tree.to_string();
        let mut own = Cursor::new(written.as_bytes());
        assert_eq!(own.tree().as_ref(), Ok(tree), "what was read is written as something else");
        let spaced = indented(&written);
        let mut spaced = Cursor::new(spaced.as_bytes());
        assert_eq!(spaced.tree().as_ref(), Ok(tree), "indenting changes the value");
    }
    if let Ok(text) = std::str::from_utf8(input) {
        indented(text);
    }
    any_text(input, |_| false);
    let mut tokens = JsonTokens::new(input);
    let mut before = 0;
    while tokens.next().is_some() {
        assert!(tokens.at() > before, "a token takes no bytes");
        before = tokens.at();
    }
    let mut fields = Cursor::new(input);
    let _ = fields.each_field(|_, cursor| {
        let _ = cursor.kind();
        cursor.each_item(|cursor| cursor.text().map(|_| ())).map(|_| ())
    });
}

/// Whether both are the same value. `-0` is the whole number 0 to us, as to Python, and a float to `serde_json`.
fn is_same(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Array(ours), Value::Array(theirs)) => {
            ours.len() == theirs.len()
                && ours.iter().zip(theirs).all(|(ours, theirs)| is_same(ours, theirs))
        }
        (Value::Object(ours), Value::Object(theirs)) => {
            let is_member = |(key, own): (&String, &Value)| {
                theirs.get(key).is_some_and(|value| is_same(own, value))
            };
            ours.len() == theirs.len() && ours.iter().all(is_member)
        }
        (Value::Number(ours), Value::Number(theirs)) => {
            ours == theirs || (ours.as_i64() == Some(0) && theirs.as_f64() == Some(0.0))
        }
        _ => ours == theirs,
    }
}

/// Sizes of slices that put boundaries at many places.
const SLICE_SIZES: [usize; 4] = [1, 3, 8, 61];

/// What splitting gave: records, broken ones, and how it ended.
type Split = (Vec<(u64, u64, Vec<u8>)>, Vec<(u64, u64, String)>, String);

fn split(
    walk: impl FnOnce(
        &mut dyn FnMut(Record<'_>) -> Result<(), Error>,
        &mut dyn FnMut(u64, u64, &Error),
    ) -> String,
) -> Split {
    let (mut records, mut broken) = (Vec::new(), Vec::new());
    let end = walk(
        &mut |record| {
            record.read(|cursor| cursor.skip())?;
            records.push((record.number, record.offset, record.bytes.to_vec()));
            Ok(())
        },
        &mut |line, offset, err| broken.push((line, offset, err.to_string())),
    );
    (records, broken, end)
}

fn splits(file: &InputFile, n_bytes: usize) -> [Split; 4] {
    let slices = Slices { n_bytes, ..Slices::default() };
    let pulse = &Pulse::silent();
    let values = |layout| {
        split(|record, broken| {
            let walk = each_value_with(file, layout, &slices, pulse, record, broken);
            format!("{:?}", block_on(walk))
        })
    };
    [
        split(|record, broken| {
            format!("{:?}", block_on(each_line_with(file, &slices, pulse, record, broken)))
        }),
        split(|record, _| {
            let all = 0..file.len();
            format!("{:?}", block_on(each_element_with(file, all, &slices, pulse, record)))
        }),
        values(RecordLayout::Values),
        values(RecordLayout::Elements),
    ]
}

/// A file: its shape, and its records; the same at every size of slices.
pub fn slices(input: &[u8]) {
    let file = opened("dropped/file", input, 0);
    let shape_at = |n_bytes| {
        let slices = Slices { n_bytes, ..Slices::default() };
        let shape =
            block_on(shape_with(&file, &slices, &Pulse::silent())).expect("it is in memory");
        (shape.form, shape.outline, shape.element, shape.layout)
    };
    let whole = shape_at(1 << 20);
    let whole_splits = splits(&file, 1 << 20);
    for n_bytes in SLICE_SIZES {
        assert_eq!(shape_at(n_bytes), whole, "the shape in slices of {n_bytes}");
        assert_eq!(splits(&file, n_bytes), whole_splits, "records in slices of {n_bytes}");
    }
    let (form, outline, ..) = whole;
    let is_whole = form == Form::Document && outline.cut.is_none();
    if let Some(Value::Object(theirs)) =
        serde_json::from_slice::<Value>(input).ok().filter(|_| is_whole)
    {
        assert!(theirs.keys().all(|key| outline.member(key).is_some()), "a member is missing");
        for member in &outline.members {
            let span = member.span.start as usize..member.span.end as usize;
            let value = serde_json::from_slice::<Value>(&input[span]);
            assert!(value.is_ok(), "{} is outlined elsewhere", member.key);
        }
    }
}
