//! One `<testcase>`: what it says, and how it came out.

use crate::model::Outcome;
use crate::readers::pytest_words::{error_type, phase_of};
use crate::readers::xml::Element;
use std::ops::Range;

/// What scoring needs of a test.
#[derive(Debug, Clone, Default)]
pub(super) struct JunitTest {
    /// Number of the suite (frame) that it lies in.
    pub frame: usize,
    /// `classname`.
    pub classname: String,
    /// `name`.
    pub name: String,
    /// `time`, in seconds.
    pub secs: Option<f64>,
    /// How it came out.
    pub outcome: Option<Outcome>,
    /// Whether nothing in it says how it came out: JUnit's way to say that it passed.
    pub is_bare: bool,
    /// What the failure, the error or the skip says.
    pub message: Option<String>,
    /// Type of the exception.
    pub error_type: Option<String>,
    /// Part of the test that failed, where pytest says: `setup`, `teardown`, `collection`.
    pub phase: Option<&'static str>,
    /// `xfailed`, `flaky`, `todo` and others.
    pub tags: Vec<&'static str>,
    /// Its property `score`.
    pub score: Option<f64>,
    /// Numbers of `<failure>`, `<error>` and `<skipped>` in it.
    pub n_results: [usize; 3],
    /// Outcomes of the tries before the last one that Surefire writes into one element.
    pub retries: Vec<Outcome>,
    /// Its bytes in the file.
    pub span: Range<u64>,
}

/// What an element that says how a test came out is, by its name.
pub(super) fn result_of(name: &str) -> Option<(usize, Outcome)> {
    Some(match name {
        "failure" => (0, Outcome::Failed),
        "error" => (1, Outcome::Error),
        "skipped" | "ignored" => (2, Outcome::Skipped),
        _ => return None,
    })
}

/// What a try is that Surefire writes beside the result: its outcome, and whether the test passed after it.
pub(super) fn retry_of(name: &str) -> Option<(Outcome, bool)> {
    Some(match name {
        "flakyFailure" => (Outcome::Failed, true),
        "flakyError" => (Outcome::Error, true),
        "rerunFailure" => (Outcome::Failed, false),
        "rerunError" => (Outcome::Error, false),
        _ => return None,
    })
}

/// What an element says: its `message`, else its text as far as the stack does not begin.
pub(super) fn words_of(result: &Element) -> Option<String> {
    let message = result.attribute("message").map(str::trim).filter(|text| !text.is_empty());
    let words = message.map_or_else(
        || {
            let text = result.text();
            let lines = text.trim().lines();
            let of_stack =
                |line: &&str| line.trim_start().starts_with("at ") && line.starts_with(' ');
            lines
                .take_while(|line| !of_stack(line))
                .collect::<Vec<_>>()
                .join("\n")
                .trim_end()
                .to_owned()
        },
        str::to_owned,
    );
    (!words.is_empty()).then_some(words)
}

/// The properties of an element: name and value.
pub(super) fn properties_of(element: &Element) -> Vec<(String, String)> {
    let lists = element.elements().filter(|child| child.name == "properties");
    lists
        .flat_map(Element::elements)
        .filter_map(|property| {
            let value = property.attribute("value").map_or_else(|| property.text(), str::to_owned);
            Some((property.attribute("name")?.to_owned(), value))
        })
        .collect()
}

/// Seconds as runners write them: `1.5`, and `1,234.5` of older Surefire.
pub(super) fn secs_of(text: Option<&str>) -> Option<f64> {
    let text = text?.trim();
    let plain = if text.contains('.') { text.replace(',', "") } else { text.replace(',', ".") };
    plain.parse().ok().filter(|secs: &f64| secs.is_finite() && *secs >= 0.0)
}

impl JunitTest {
    /// Reads an element of suite `frame`; `is_own`: of our own export.
    pub(super) fn of(element: &Element, span: Range<u64>, frame: usize, is_own: bool) -> Self {
        let text = |name: &str| element.attribute(name).unwrap_or_default().to_owned();
        let mut test = Self {
            frame,
            classname: text("classname"),
            name: text("name"),
            secs: secs_of(element.attribute("time").or(element.attribute("duration"))),
            span,
            ..Self::default()
        };
        let properties = properties_of(element);
        let mut scores = properties.iter().filter(|(name, _)| name == "score");
        test.score = scores.next_back().and_then(|(_, value)| value.trim().parse().ok());
        let mut decisive: Option<(&Element, Outcome)> = None;
        for child in element.elements() {
            if let Some((at, outcome)) = result_of(&child.name) {
                if let Some(count) = test.n_results.get_mut(at) {
                    *count += 1;
                }
                // An error outdoes a failure, a failure a skip; of the same kind the first one is shown.
                let rank = |outcome: Outcome| match outcome {
                    Outcome::Error => 2,
                    Outcome::Failed => 1,
                    _ => 0,
                };
                if decisive.is_none_or(|(_, before)| rank(outcome) > rank(before)) {
                    decisive = Some((child, outcome));
                }
            } else if let Some((outcome, is_flaky)) = retry_of(&child.name) {
                test.retries.push(outcome);
                if is_flaky && !test.tags.contains(&"flaky") {
                    test.tags.push("flaky");
                }
            }
        }
        test.is_bare = decisive.is_none();
        let (result, outcome) = match decisive {
            Some((result, outcome)) => (Some(result), outcome),
            None => (None, by_status(element)),
        };
        test.outcome = Some(outcome);
        if let Some(result) = result {
            test.message = words_of(result);
            test.judge_words(result, outcome);
        }
        if is_own {
            test.read_own(element);
        }
        test
    }

    fn judge_words(&mut self, result: &Element, outcome: Outcome) {
        let kind = result.attribute("type").map(str::trim).filter(|kind| !kind.is_empty());
        let message = self.message.as_deref().unwrap_or_default();
        if outcome == Outcome::Skipped {
            let tag = match kind {
                Some("pytest.xfail") => Some("xfailed"),
                Some("todo") => Some("todo"),
                _ => None,
            };
            self.tags.extend(tag);
            return;
        }
        self.phase = phase_of(message);
        if message.starts_with("[XPASS(strict)]") {
            self.tags.push("xpassed");
        }
        self.error_type =
            kind.map(str::to_owned).or_else(|| error_type(message).map(str::to_owned));
    }

    /// What our own export says in its way.
    fn read_own(&mut self, element: &Element) {
        let out = element.element("system-out").map(Element::text);
        let score = out.as_deref().and_then(|text| text.strip_prefix("score "));
        self.score = score.and_then(|score| score.trim().parse().ok());
        let is_skipped = self.outcome == Some(Outcome::Skipped);
        match self.message.as_deref().filter(|_| is_skipped) {
            Some("no rule says which cases pass") => self.outcome = Some(Outcome::Scored),
            Some("no rule gives a verdict") => self.outcome = Some(Outcome::Unscored),
            _ => return,
        }
        self.message = None;
    }

    /// How it came out.
    pub(super) fn outcome(&self) -> Outcome {
        self.outcome.unwrap_or(Outcome::Unscored)
    }

    /// Whether it failed or ended in an error.
    pub(super) fn is_bad(&self) -> bool {
        matches!(self.outcome(), Outcome::Failed | Outcome::Error)
    }
}

/// How a test came out that holds no result: GoogleTest and others have words for it.
fn by_status(element: &Element) -> Outcome {
    let words = ["status", "result"].map(|name| element.attribute(name).map(str::to_lowercase));
    let is = |known: &[&str]| words.iter().flatten().any(|word| known.contains(&word.as_str()));
    if is(&["notrun", "disabled", "skipped", "suppressed", "ignored", "pending", "todo"]) {
        Outcome::Skipped
    } else if is(&["failed", "failure", "fail"]) {
        Outcome::Failed
    } else if is(&["error", "errored", "aborted"]) {
        Outcome::Error
    } else {
        Outcome::Passed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::xml::tree;

    fn test(text: &str) -> JunitTest {
        let element = tree(text.as_bytes()).unwrap().remove(0);
        JunitTest::of(&element, 0..1, 0, false)
    }

    #[test]
    fn elements_within_a_test_decide_its_outcome() {
        let outcome =
            |inside: &str| test(&format!("<testcase name='a'>{inside}</testcase>")).outcome();
        assert_eq!(outcome(""), Outcome::Passed);
        assert_eq!(outcome("<failure/>"), Outcome::Failed);
        assert_eq!(outcome("<failure/><error/>"), Outcome::Error);
        assert_eq!(outcome("<skipped/>"), Outcome::Skipped);
        assert_eq!(test("<testcase name='a' status='notrun'/>").outcome(), Outcome::Skipped);
    }

    #[test]
    fn time_score_phase_and_type_of_error_are_read() {
        let found = test(
            "<testcase classname='c' name='a' time='1,234.5'><properties><property name='score' value='0.25'/>\
             </properties><error message='failed on setup with \"RuntimeError: no model\"'/></testcase>",
        );
        assert_eq!((found.secs, found.score), (Some(1234.5), Some(0.25)));
        assert_eq!(
            (found.phase, found.error_type.as_deref()),
            (Some("setup"), Some("RuntimeError"))
        );
        let flaky = test("<testcase name='a'><flakyFailure message='x'/></testcase>");
        assert_eq!((flaky.outcome(), flaky.retries.len()), (Outcome::Passed, 1));
        assert_eq!(flaky.tags, ["flaky"]);
    }
}
