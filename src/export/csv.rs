//! Tables as CSV by RFC 4180: UTF-8 without a byte order mark, a header, lines that end with CR LF.
//!
//! What is missing is an empty cell; `true` and `false`; numbers read back to the same double, and those
//! that are not finite are `NaN`, `Infinity`, `-Infinity`. Texts that a spreadsheet would take for a
//! formula begin with an apostrophe (see [`no_formula`]).

use super::columns::{CASES, ExportRow, RunCx, Value};
use super::flips;
use super::job::{ExportContext, ExportFormat};
use super::selection::CaseBatch;
use crate::report::{Num, Target, run_score};
use std::borrow::Cow;
use std::io;

/// One row for each case.
pub(super) struct CasesCsv;

/// One row for each run, also of those without a case.
pub(super) struct RunsCsv;

/// One row for each evaluation, repeat, run, group and case that differs from the
/// declared rules.
pub(super) struct FlipsCsv;

impl ExportFormat for CasesCsv {
    fn begin(&mut self, _cx: &ExportContext<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        let mut writer = writer(out);
        writer.write_record(CASES.iter().map(|column| column.name))?;
        writer.flush()
    }

    fn piece(
        &mut self,
        cx: &ExportContext<'_>,
        piece: &CaseBatch,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let Some(run) = RunCx::new(cx.workspace, piece.run) else { return Ok(()) };
        let mut writer = writer(out);
        for idx in piece.rows() {
            let row = run.row(idx);
            for column in CASES {
                writer.write_field(cell(&row, column.get).as_bytes())?;
            }
            writer.write_record(None::<&[u8]>)?;
        }
        writer.flush()
    }
}

/// The columns of [`RunsCsv`].
const RUNS: [&str; 22] = [
    "evaluation",
    "run",
    "label",
    "suite",
    "variant",
    "subject",
    "repeat",
    "started_at",
    "verdict",
    "reason",
    "score",
    "passed",
    "total",
    "cost_usd",
    "prompt_tokens",
    "completion_tokens",
    "cached_input_tokens",
    "cache_write_tokens",
    "reasoning_tokens",
    "steps",
    "agent_secs",
    "duration_secs",
];

impl ExportFormat for RunsCsv {
    fn end(&mut self, cx: &ExportContext<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        let mut writer = writer(out);
        writer.write_record(RUNS)?;
        for entry in cx.selection.entries(cx.workspace) {
            for (idx, run) in entry.evaluation.runs.iter().enumerate() {
                let is_chosen = entry.run_ref(idx).is_some_and(|at| match cx.selection.target {
                    Target::Run(own) => own == at,
                    _ => true,
                });
                let Some(figures) = entry.figures.runs.get(idx).filter(|_| is_chosen) else {
                    continue;
                };
                let text = |text: Option<&str>| no_formula(text.unwrap_or_default()).into_owned();
                let number = |found: Option<Num>| found.map_or(String::new(), |n| number_text(n.0));
                let usage = figures.totals.usage.clone().unwrap_or_default();
                let timing = figures.totals.timing.clone().unwrap_or_default();
                let verdict = figures.verdict.as_ref();
                let counts = &figures.totals.counts;
                let reason = verdict.map(|verdict| verdict.reason.to_string());
                writer.write_record([
                    text(Some(&entry.key)),
                    text(Some(&entry.run_key(idx))),
                    text(Some(&run.label)),
                    text(run.key.suite.as_deref()),
                    text(run.key.variant.as_deref()),
                    text(run.key.subject.as_deref()),
                    run.key.repeat.to_string(),
                    text(run.started_at.as_deref()),
                    text(verdict.map(|verdict| verdict.outcome.as_str())),
                    text(reason.as_deref()),
                    number(run_score(figures)),
                    counts.passed.map_or(String::new(), |n| n.to_string()),
                    counts.total.to_string(),
                    number(usage.cost_usd),
                    number(usage.prompt_tokens),
                    number(usage.completion_tokens),
                    number(usage.cached_input_tokens),
                    number(usage.cache_write_tokens),
                    number(usage.reasoning_tokens),
                    number(usage.steps),
                    number(timing.agent_secs),
                    number(run.duration_secs.map(Num)),
                ])?;
            }
        }
        writer.flush()
    }
}

impl ExportFormat for FlipsCsv {
    fn end(&mut self, cx: &ExportContext<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        let mut writer = writer(out);
        let head = ["level", "within", "name", "from", "to", "score_from", "score_to", "why"];
        writer.write_record(head)?;
        let score = |score: Option<Num>| score.map_or(String::new(), |score| number_text(score.0));
        for flip in flips::chosen(cx.workspace, cx.selection) {
            writer.write_record([
                flip.level.as_str(),
                &no_formula(&flip.within),
                &no_formula(&flip.name),
                flip.from.as_str(),
                flip.to.as_str(),
                &score(flip.from_score),
                &score(flip.to_score),
                &no_formula(&flip.why),
            ])?;
        }
        writer.flush()
    }
}

pub(super) fn writer(out: &mut Vec<u8>) -> csv::Writer<&mut Vec<u8>> {
    csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(out)
}

fn cell<'a>(
    row: &ExportRow<'a>,
    get: for<'b> fn(&ExportRow<'b>) -> Option<Value<'b>>,
) -> Cow<'a, str> {
    match get(row) {
        None => Cow::Borrowed(""),
        Some(Value::Text(text)) => no_formula(text),
        Some(Value::Number(number)) => Cow::Owned(number_text(number)),
        Some(Value::Count(n)) => Cow::Owned(n.to_string()),
        Some(Value::Hash(bits)) => Cow::Owned(bits.cast_signed().to_string()),
        Some(Value::Flag(flag)) => Cow::Borrowed(if flag { "true" } else { "false" }),
    }
}

/// A number that reads back to the same double: the shortest such decimal, with an exponent where
/// there would be many zeros.
pub(super) fn number_text(number: f64) -> String {
    let magnitude = number.abs();
    if number.is_nan() {
        "NaN".to_owned()
    } else if number.is_infinite() {
        if number > 0.0 { "Infinity".to_owned() } else { "-Infinity".to_owned() }
    } else if magnitude != 0.0 && !(1e-5..1e17).contains(&magnitude) {
        format!("{number:e}")
    } else {
        number.to_string()
    }
}

/// A text that no spreadsheet takes for a formula: one that begins with `=`, `+`, `-`, `@`, their
/// full-width forms, tab, CR or LF gets an apostrophe in front, unless it is a plain number. A text
/// that has such a beginning behind apostrophes gets one more, so that taking one away from every
/// text that begins so gives back what was there.
pub(super) fn no_formula(text: &str) -> Cow<'_, str> {
    const SIGNS: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
    let is_formula = text.trim_start_matches('\'').starts_with(SIGNS) && !is_number(text);
    if is_formula { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// Whether `text` is a decimal number: `-1`, `+.5`, `1e-3`.
fn is_number(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
    text.bytes().all(is_plain) && text.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn formulas_are_defused_and_nothing_else_is_changed() {
        let texts = ["=1+1", "@x", "-1+1", "\tx", "＝1", "'=1", "--1", "+", "-e"];
        for text in texts {
            assert_eq!(no_formula(text), format!("'{text}"));
        }
        for text in ["case_1", "", "1-2", "-1", "+1.5e-3", "'tis", "a=b"] {
            assert_eq!(no_formula(text), text);
        }
    }

    #[test]
    fn numbers_keep_their_bits() {
        let numbers = [0.1, 1.0 / 3.0, 5e-324, f64::MAX, -0.0, 1e-5, 123_456_789.0, 1e22];
        for number in numbers {
            let text = number_text(number);
            assert_eq!(text.parse::<f64>().map(f64::to_bits), Ok(number.to_bits()), "{text}");
        }
        assert_eq!([0.5, 1.0, 1e-7, 1e22].map(number_text), ["0.5", "1", "1e-7", "1e22"]);
        assert_eq!(
            [f64::NAN, f64::INFINITY, f64::NEG_INFINITY].map(number_text),
            ["NaN", "Infinity", "-Infinity"]
        );
    }

    proptest! {
        #[test]
        fn an_apostrophe_can_be_taken_away_again(text in "['=+@a\\-\\t1]{0,6}") {
            let written = no_formula(&text);
            let back = match written.strip_prefix('\'') {
                Some(rest) if rest.trim_start_matches('\'').starts_with(['=', '+', '-', '@', '\t']) => rest,
                _ => &written,
            };
            prop_assert_eq!(back, text.as_str());
        }
    }
}
