//! Results as JUnit XML, as dashboards of CI read it: a test suite for each run, a test for each case.
//!
//! A case without a verdict is a skipped test, because JUnit has no other word for it. Seconds that are
//! not known are left out. Characters that XML 1.0 does not allow become U+FFFD, and the suite's
//! `system-out` says how many there were.

use super::columns::RunCx;
use super::job::{Context, Format};
use super::selection::Piece;
use super::words::{case_name, failure_words};
use crate::format;
use crate::model::{Outcome, Run};
use crate::readers::Texts;
use crate::report::{Entry, RunRef, is_right, run_proviso, run_score};
use std::collections::HashMap;
use std::io;

/// Test results.
#[derive(Default)]
pub(super) struct JunitXml {
    /// Outcomes of the chosen cases of each run.
    counts: HashMap<RunRef, Counts>,
    xml: Xml,
}

/// Numbers of tests by outcome.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    tests: u64,
    failures: u64,
    errors: u64,
    skipped: u64,
}

impl Counts {
    fn add(&mut self, outcome: Outcome) {
        self.tests += 1;
        match outcome {
            Outcome::Passed => {}
            Outcome::Failed => self.failures += 1,
            Outcome::Error => self.errors += 1,
            Outcome::Skipped | Outcome::Scored | Outcome::Unscored => self.skipped += 1,
        }
    }

    fn write(self, xml: &mut Xml) {
        let Self { tests, failures, errors, skipped } = self;
        let all =
            [("tests", tests), ("failures", failures), ("errors", errors), ("skipped", skipped)];
        for (name, n) in all {
            xml.attr(name, &n.to_string());
        }
    }
}

impl Format for JunitXml {
    fn begin(&mut self, cx: &Context<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        let mut all = Counts::default();
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
        xml.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
        xml.attr("name", "evalglass");
        all.write(xml);
        xml.secs(secs);
        xml.raw(">\n");
        xml.hand_over(out);
        Ok(())
    }

    fn piece(&mut self, cx: &Context<'_>, piece: &Piece, out: &mut Vec<u8>) -> io::Result<()> {
        let Some(RunCx { entry, run, key, .. }) = RunCx::new(cx.workspace, piece.run) else {
            return Ok(());
        };
        let xml = &mut self.xml;
        if piece.is_first {
            let counts = self.counts.get(&piece.run).copied().unwrap_or_default();
            suite(entry, run, &key, piece.run, counts, xml);
        }
        let texts = Texts::new(&entry.bundle);
        for idx in piece.rows() {
            test_case(run, idx, &texts, xml);
        }
        if piece.is_last {
            let n_replaced = std::mem::take(&mut xml.n_replaced);
            if n_replaced > 0 {
                let what = format::counted(n_replaced, "character", "characters");
                xml.raw("    <system-out>");
                xml.text(&format!("{what} that XML 1.0 does not allow became U+FFFD"));
                xml.raw("</system-out>\n");
            }
            xml.raw("  </testsuite>\n");
        }
        xml.hand_over(out);
        Ok(())
    }

    fn end(&mut self, _cx: &Context<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        out.extend(b"</testsuites>\n");
        Ok(())
    }
}

/// The start of a run's suite, with what is known of it.
fn suite(entry: &Entry, run: &Run, key: &str, at: RunRef, counts: Counts, xml: &mut Xml) {
    xml.raw("  <testsuite");
    xml.attr("name", &format!("{} › {}", entry.evaluation.label, run.label));
    counts.write(xml);
    xml.secs(run.duration_secs);
    if let Some(moment) = run.started_at.as_deref().filter(|text| is_moment(text)) {
        xml.attr("timestamp", moment);
    }
    xml.raw(">\n    <properties>\n");
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
        ("so_far", run_proviso(entry, at.run as usize).map(str::to_owned)),
    ];
    for (name, value) in known {
        let Some(value) = value else { continue };
        xml.raw("      <property");
        xml.attr("name", name);
        xml.attr("value", &value);
        xml.raw("/>\n");
    }
    xml.raw("    </properties>\n");
}

fn test_case(run: &Run, idx: usize, texts: &Texts<'_>, xml: &mut Xml) {
    let cases = &run.cases;
    xml.raw("    <testcase");
    xml.attr("classname", cases.group.get(idx).unwrap_or(&run.label));
    xml.attr("name", &case_name(run, idx));
    xml.secs(cases.duration_secs.get(idx));
    xml.raw(">\n");
    let outcome = cases.outcome_of(idx);
    let why = || failure_words(run, idx).unwrap_or_else(|| outcome.to_string());
    match outcome {
        Outcome::Passed => {}
        Outcome::Failed => {
            xml.raw("      <failure");
            xml.attr("message", &why());
            xml.attr("type", "failed");
            xml.raw(">");
            xml.text(&wrong_checks(run, idx, texts));
            xml.raw("</failure>\n");
        }
        Outcome::Error => {
            let kind = cases.error_type.get(idx).or(cases.error_category.get(idx));
            xml.raw("      <error");
            xml.attr("message", &why());
            xml.attr("type", kind.unwrap_or("error"));
            xml.raw(">");
            xml.text(cases.error_message.get(idx).unwrap_or_default());
            xml.text(&wrong_checks(run, idx, texts));
            xml.raw("</error>\n");
        }
        Outcome::Skipped => xml.raw("      <skipped/>\n"),
        Outcome::Scored => {
            xml.raw("      <skipped message=\"no rule says which cases pass\"/>\n");
        }
        Outcome::Unscored => xml.raw("      <skipped message=\"no rule gives a verdict\"/>\n"),
    }
    if let Some(score) = cases.score.get(idx) {
        xml.raw("      <system-out>");
        xml.text(&format!("score {score}"));
        xml.raw("</system-out>\n");
    }
    xml.raw("    </testcase>\n");
}

/// The checks of a case that are not right, one after the other, with their reasons.
fn wrong_checks(run: &Run, idx: usize, texts: &Texts<'_>) -> String {
    let mut text = String::new();
    for at in run.checks_of(idx).filter(|&at| is_right(run, at) == Some(false)) {
        let name = run.checks.name.get(at).unwrap_or("check");
        let attempt =
            run.checks.attempt.get(at).filter(|_| run.cases.n_attempts.get(idx) > Some(1));
        let attempt = attempt.map_or(String::new(), |attempt| format!(", attempt {attempt}"));
        let score = run.checks.score.get(at);
        let score = score.map_or(String::new(), |score| format!(", score {score}"));
        text.push_str(&format!("\n{name}{attempt}{score}"));
        let reason = run.checks.reason_of(at).and_then(|place| texts.text_at(place));
        if let Some(reason) = reason.filter(|reason| !reason.is_empty()) {
            text.push_str(": ");
            text.push_str(&reason);
        }
    }
    text
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
#[derive(Default)]
struct Xml {
    text: String,
    /// Characters that were replaced.
    n_replaced: u64,
}

impl Xml {
    fn raw(&mut self, markup: &str) {
        self.text.push_str(markup);
    }

    fn attr(&mut self, name: &str, value: &str) {
        self.raw(" ");
        self.raw(name);
        self.raw("=\"");
        self.escape(value, true);
        self.raw("\"");
    }

    fn text(&mut self, text: &str) {
        self.escape(text, false);
    }

    /// `time`, where it is known.
    fn secs(&mut self, secs: Option<f64>) {
        if let Some(secs) = secs.filter(|secs| secs.is_finite() && *secs >= 0.0) {
            self.attr("time", &secs.to_string());
        }
    }

    fn escape(&mut self, text: &str, is_attribute: bool) {
        for letter in text.chars() {
            match letter {
                '&' => self.raw("&amp;"),
                '<' => self.raw("&lt;"),
                '>' => self.raw("&gt;"),
                '"' if is_attribute => self.raw("&quot;"),
                // As themselves they would be read as a space, or as a line feed.
                '\t' if is_attribute => self.raw("&#9;"),
                '\n' if is_attribute => self.raw("&#10;"),
                '\r' => self.raw("&#13;"),
                '\t' | '\n' => self.text.push(letter),
                '\0'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}' => {
                    self.n_replaced += 1;
                    self.text.push('\u{FFFD}');
                }
                letter => self.text.push(letter),
            }
        }
    }

    fn hand_over(&mut self, out: &mut Vec<u8>) {
        out.extend(self.text.as_bytes());
        self.text.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::{Xml, is_moment};

    #[test]
    fn what_xml_does_not_allow_is_replaced_and_counted() {
        let mut xml = Xml::default();
        xml.attr("a", "x\u{0}<\n\"'");
        xml.text("\u{1B}[31m]]>\r\n\u{FFFE}\u{7F}");
        assert_eq!(
            xml.text,
            " a=\"x\u{FFFD}&lt;&#10;&quot;'\"\u{FFFD}[31m]]&gt;&#13;\n\u{FFFD}\u{7F}"
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
