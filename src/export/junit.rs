//! Results as JUnit XML, as dashboards of CI read it: a test suite for each run, a test for each case.
//!
//! A case without a verdict is a skipped test, because JUnit has no other word for it. Seconds that are
//! not known are left out. Characters that XML 1.0 does not allow become U+FFFD, and the suite's
//! `system-out` says how many there were.
//!
//! Written by `quick-xml`, piece by piece. `quick-junit` is one step nearer to JUnit, but holds the whole report
//! in memory, rounds seconds to milliseconds and drops characters without a word.

use super::columns::RunCx;
use super::job::{ExportContext, ExportFormat};
use super::selection::CaseBatch;
use super::words::{TextOf, case_name, failure_words, wrong_checks};
use crate::format;
use crate::model::{Outcome, Run};
use crate::readers::TextPlace;
use crate::report::{RunRef, is_right, run_proviso, run_score};
use crate::workspace::{Entry, Need};
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};
use quick_xml::writer::Writer;
use std::borrow::Cow;
use std::collections::HashMap;
use std::io;

const SUITES: &str = "testsuites";
const SUITE: &str = "testsuite";
const PROPERTIES: &str = "properties";
const CASE: &str = "testcase";
const OUT: &str = "system-out";

/// Test results.
#[derive(Default)]
pub(super) struct JunitXml {
    /// Outcomes of the chosen cases of each run.
    counts: HashMap<RunRef, TestCounts>,
    xml: Xml,
}

/// Numbers of tests by outcome.
#[derive(Debug, Clone, Copy, Default)]
struct TestCounts {
    tests: u64,
    failures: u64,
    errors: u64,
    skipped: u64,
}

impl TestCounts {
    fn add(&mut self, outcome: Outcome) {
        self.tests += 1;
        match outcome {
            Outcome::Passed => {}
            Outcome::Failed => self.failures += 1,
            Outcome::Error => self.errors += 1,
            Outcome::Skipped | Outcome::Scored | Outcome::Unscored => self.skipped += 1,
        }
    }

    fn write(self, xml: &mut Xml, to: &mut BytesStart<'_>) {
        let Self { tests, failures, errors, skipped } = self;
        let all =
            [("tests", tests), ("failures", failures), ("errors", errors), ("skipped", skipped)];
        for (name, n) in all {
            xml.attr(to, name, &n.to_string());
        }
    }
}

impl ExportFormat for JunitXml {
    fn begin(&mut self, cx: &ExportContext<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        let mut all = TestCounts::default();
        let mut secs = None;
        for piece in &cx.selection.pieces {
            let Some((_, run)) = cx.workspace.run(piece.run) else { continue };
            let counts = self.counts.entry(piece.run).or_default();
            for outcome in piece.rows().map(|idx| run.cases.outcome_of(idx)) {
                counts.add(outcome);
                all.add(outcome);
            }
            if piece.is_first
                && let Some(own) = run.duration_secs
            {
                secs = Some(secs.unwrap_or(0.0) + own);
            }
        }
        let xml = &mut self.xml;
        xml.event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        let mut suites = BytesStart::new(SUITES);
        xml.attr(&mut suites, "name", "evalglass");
        all.write(xml, &mut suites);
        xml.secs(&mut suites, secs);
        xml.event(Event::Start(suites))?;
        xml.hand_over(out);
        Ok(())
    }

    fn needs(&self, cx: &ExportContext<'_>, piece: &CaseBatch) -> Vec<Need> {
        piece.reasons(cx.workspace, |run, idx, at| {
            tells_checks(run.cases.outcome_of(idx)) && is_right(run, at) == Some(false)
        })
    }

    fn piece(
        &mut self,
        cx: &ExportContext<'_>,
        piece: &CaseBatch,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let Some(RunCx { entry, run, key, .. }) = RunCx::new(cx.workspace, piece.run) else {
            return Ok(());
        };
        let xml = &mut self.xml;
        if piece.is_first {
            let counts = self.counts.get(&piece.run).copied().unwrap_or_default();
            suite(entry, run, &key, piece.run, counts, xml)?;
        }
        let text = |at| cx.workspace.text(entry.id, TextPlace::whole(at));
        for idx in piece.rows() {
            test_case(run, idx, &text, xml)?;
        }
        if piece.is_last {
            let n_replaced = std::mem::take(&mut xml.n_replaced);
            if n_replaced > 0 {
                let what = format::counted(n_replaced, "character", "characters");
                let what = format!("{what} that XML 1.0 does not allow became U+FFFD");
                xml.element(BytesStart::new(OUT), &what)?;
            }
            xml.close(SUITE)?;
        }
        xml.hand_over(out);
        Ok(())
    }

    fn end(&mut self, _cx: &ExportContext<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        self.xml.close(SUITES)?;
        self.xml.hand_over(out);
        out.push(b'\n');
        Ok(())
    }
}

/// The start of a run's suite, with what is known of it.
fn suite(
    entry: &Entry,
    run: &Run,
    key: &str,
    at: RunRef,
    counts: TestCounts,
    xml: &mut Xml,
) -> io::Result<()> {
    let mut suite = BytesStart::new(SUITE);
    xml.attr(&mut suite, "name", &format!("{} › {}", entry.evaluation.label, run.label));
    counts.write(xml, &mut suite);
    xml.secs(&mut suite, run.duration_secs);
    if let Some(moment) = run.started_at.as_deref().filter(|text| is_moment(text)) {
        xml.attr(&mut suite, "timestamp", moment);
    }
    xml.event(Event::Start(suite))?;
    xml.event(Event::Start(BytesStart::new(PROPERTIES)))?;
    let figures = entry.figures.runs.get(at.run as usize);
    let verdict = figures.and_then(|figures| figures.verdict.as_ref());
    let score = figures.and_then(run_score);
    let known = [
        ("run", Some(key.to_owned())),
        ("producer", Some(entry.evaluation.producer.to_string())),
        ("suite", run.key.suite.clone()),
        ("variant", run.key.variant.clone()),
        ("subject", run.key.subject.clone()),
        ("repeat", Some(run.key.repeat.to_string())),
        ("started_at", run.started_at.clone()),
        ("score", score.map(|score| score.0.to_string())),
        ("verdict", verdict.map(|verdict| verdict.outcome.to_string())),
        ("rule", verdict.map(|verdict| verdict.rule.clone())),
        ("reason", verdict.map(|verdict| verdict.reason.to_string())),
        ("so_far", run_proviso(entry, at.run as usize)),
    ];
    for (name, value) in known {
        let Some(value) = value else { continue };
        let mut property = BytesStart::new("property");
        xml.attr(&mut property, "name", name);
        xml.attr(&mut property, "value", &value);
        xml.event(Event::Empty(property))?;
    }
    xml.close(PROPERTIES)
}

/// Whether a case of this outcome has the checks that are not right in it.
fn tells_checks(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Failed | Outcome::Error)
}

fn test_case(run: &Run, idx: usize, text: &TextOf<'_>, xml: &mut Xml) -> io::Result<()> {
    let cases = &run.cases;
    let mut case = BytesStart::new(CASE);
    xml.attr(&mut case, "classname", cases.group.get(idx).unwrap_or(&run.label));
    xml.attr(&mut case, "name", &case_name(run, idx));
    xml.secs(&mut case, cases.duration_secs.get(idx));
    xml.event(Event::Start(case))?;
    let outcome = cases.outcome_of(idx);
    let why = || failure_words(run, idx).unwrap_or_else(|| outcome.to_string());
    match outcome {
        Outcome::Passed => {}
        Outcome::Failed => {
            let mut failure = BytesStart::new("failure");
            xml.attr(&mut failure, "message", &why());
            xml.attr(&mut failure, "type", "failed");
            xml.element(failure, &wrong_checks(run, idx, text))?;
        }
        Outcome::Error => {
            let kind = cases.error_type.get(idx).or(cases.error_category.get(idx));
            let mut error = BytesStart::new("error");
            xml.attr(&mut error, "message", &why());
            xml.attr(&mut error, "type", kind.unwrap_or("error"));
            let message = cases.error_message.get(idx).unwrap_or_default();
            xml.element(error, &format!("{message}{}", wrong_checks(run, idx, text)))?;
        }
        Outcome::Skipped => xml.skipped(None)?,
        Outcome::Scored => xml.skipped(Some("no rule says which cases pass"))?,
        Outcome::Unscored => xml.skipped(Some("no rule gives a verdict"))?,
    }
    if let Some(score) = cases.score.get(idx) {
        xml.element(BytesStart::new(OUT), &format!("score {score}"))?;
    }
    xml.close(CASE)
}

/// Whether a text begins as XML writes a moment: `2026-01-15T09:30:33`.
fn is_moment(text: &str) -> bool {
    let pattern = b"0000-00-00T00:00:00";
    text.len() >= pattern.len()
        && text.bytes().zip(pattern).all(|(found, wanted)| match wanted {
            b'0' => found.is_ascii_digit(),
            sign => found == *sign,
        })
        && text.bytes().all(|byte| byte.is_ascii_digit() || b"-T:.+Z".contains(&byte))
}

/// XML as it is being written.
struct Xml {
    writer: Writer<Vec<u8>>,
    /// Characters that were replaced.
    n_replaced: u64,
}

impl Default for Xml {
    fn default() -> Self {
        Self { writer: Writer::new_with_indent(Vec::new(), b' ', 2), n_replaced: 0 }
    }
}

impl Xml {
    fn event(&mut self, event: Event<'_>) -> io::Result<()> {
        self.writer.write_event(event)
    }

    fn close(&mut self, name: &str) -> io::Result<()> {
        self.event(Event::End(BytesEnd::new(name)))
    }

    /// An element that holds nothing but `text`.
    fn element(&mut self, start: BytesStart<'_>, text: &str) -> io::Result<()> {
        let end = start.to_end().into_owned();
        self.event(Event::Start(start))?;
        let text = self.allowed(text);
        self.event(Event::Text(BytesText::new(&text)))?;
        self.event(Event::End(end))
    }

    /// A test without a verdict.
    fn skipped(&mut self, why: Option<&str>) -> io::Result<()> {
        let mut skipped = BytesStart::new("skipped");
        if let Some(why) = why {
            self.attr(&mut skipped, "message", why);
        }
        self.event(Event::Empty(skipped))
    }

    fn attr(&mut self, to: &mut BytesStart<'_>, name: &str, value: &str) {
        to.push_attribute((name, self.allowed(value).as_ref()));
    }

    /// `time`, where it is known.
    fn secs(&mut self, to: &mut BytesStart<'_>, secs: Option<f64>) {
        if let Some(secs) = secs.filter(|secs| secs.is_finite() && *secs >= 0.0) {
            self.attr(to, "time", &secs.to_string());
        }
    }

    /// `text` without what no escape can say in XML 1.0.
    fn allowed<'a>(&mut self, text: &'a str) -> Cow<'a, str> {
        let is_foreign = |letter: char| {
            matches!(letter, '\0'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}')
                && !matches!(letter, '\t' | '\n' | '\r')
        };
        let n_foreign = text.matches(is_foreign).count();
        if n_foreign == 0 {
            return Cow::Borrowed(text);
        }
        self.n_replaced += n_foreign as u64;
        Cow::Owned(text.replace(is_foreign, "\u{FFFD}"))
    }

    fn hand_over(&mut self, out: &mut Vec<u8>) {
        out.append(self.writer.get_mut());
    }
}

#[cfg(test)]
mod tests {
    use super::{Xml, is_moment};
    use quick_xml::events::BytesStart;

    #[test]
    fn what_xml_does_not_allow_is_replaced_and_counted() {
        let mut xml = Xml::default();
        let mut start = BytesStart::new("e");
        xml.attr(&mut start, "a", "x\u{0}<\n\t\"'");
        xml.element(start, "\u{1B}[31m]]>\r\n\u{FFFE}\u{7F}").unwrap();
        let mut out = Vec::new();
        xml.hand_over(&mut out);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "<e a=\"x\u{FFFD}&lt;&#10;&#9;&quot;&apos;\">\u{FFFD}[31m]]&gt;&#13;\n\u{FFFD}\u{7F}</e>"
        );
        assert_eq!(xml.n_replaced, 3);
    }

    #[test]
    fn only_moments_are_timestamps() {
        assert!(is_moment("2026-01-15T09:30:33.500005+00:00"));
        assert!(is_moment("2026-01-15T09:30:33Z"));
        assert!(!is_moment("20250808_125233"));
        assert!(!is_moment("2026-01-15 09:30:33"));
    }
}
