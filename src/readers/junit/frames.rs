//! The suites of a file, and the tests in them.

use super::test::{JunitTest, properties_of, secs_of, words_of};
use crate::input;
use crate::model::{NoteKind, Outcome, Place};
use crate::readers::xml::{Element, XmlPart, walk};
use crate::readers::{Claimed, Context, Error};
use std::ops::Range;

/// `<testsuites>` or `<testsuite>`, whatever it lies in.
#[derive(Debug, Clone, Default)]
pub(super) struct SuiteFrame {
    /// The one that it lies in.
    pub parent: Option<usize>,
    /// Whether it is a suite (the root may be a list of them).
    pub is_suite: bool,
    /// Attributes, in order.
    pub attributes: Vec<(String, String)>,
    /// Properties.
    pub properties: Vec<(String, String)>,
    /// What was written to the suite's own stdout and stderr: what it is, and the element's bytes.
    pub outputs: Vec<(&'static str, Range<u64>)>,
}

impl SuiteFrame {
    /// The attribute called `name`.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// The property called `name`.
    pub(super) fn property(&self, name: &str) -> Option<&str> {
        self.properties.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Its name; empty when it has none.
    pub(super) fn name(&self) -> &str {
        self.attribute("name").unwrap_or_default()
    }

    /// Seconds that it took.
    pub(super) fn secs(&self) -> Option<f64> {
        secs_of(self.attribute("time").or(self.attribute("duration")))
    }
}

/// All that a file holds.
#[derive(Debug, Default)]
pub(super) struct File {
    /// Suites, outer ones before inner ones.
    pub frames: Vec<SuiteFrame>,
    /// Tests, in order.
    pub tests: Vec<JunitTest>,
}

impl File {
    /// Whether frame `inner` is `outer` or lies in it.
    pub(super) fn is_in(&self, inner: usize, outer: usize) -> bool {
        let above = |at: &usize| self.frames.get(*at).and_then(|frame| frame.parent);
        std::iter::successors(Some(inner), above).any(|at| at == outer)
    }

    /// Whether pytest wrote it. The suite may be called otherwise; pytest's own words stay.
    pub(super) fn is_pytest(&self) -> bool {
        let is_named = |frame: &SuiteFrame| matches!(frame.name(), "pytest" | "pytest tests");
        self.frames.iter().any(is_named)
            || self.tests.iter().any(|test| test.phase.is_some() || test.tags.contains(&"xfailed"))
    }

    /// Whether it is our own export.
    pub(super) fn is_own(&self) -> bool {
        self.frames.first().is_some_and(is_own)
    }
}

fn is_own(root: &SuiteFrame) -> bool {
    !root.is_suite && root.name() == "evalglass"
}

const TEST: &str = "testcase";

/// Reads a file; where it is broken or cut off, what stands before is kept, and noted.
pub(super) async fn read(claimed: &Claimed, cx: &Context<'_>) -> Result<File, Error> {
    let file = &claimed.file;
    let mut found = File::default();
    let mut open: Vec<usize> = Vec::new();
    let mut take = |part: XmlPart| match part {
        XmlPart::Open(element) => {
            let Element { name, attributes, .. } = element;
            let is_suite = name == "testsuite";
            let parent = open.last().copied();
            open.push(found.frames.len());
            found.frames.push(SuiteFrame { parent, is_suite, attributes, ..SuiteFrame::default() });
        }
        XmlPart::Close => {
            open.pop();
        }
        XmlPart::Whole(element, span) => {
            let Some(&at) = open.last() else { return };
            let is_own = found.is_own();
            let Some(frame) = found.frames.get_mut(at) else { return };
            match element.name.as_str() {
                TEST => found.tests.push(JunitTest::of(&element, span, at, is_own)),
                "properties" => {
                    let whole = Element { nodes: vec![element.into()], ..Element::default() };
                    frame.properties.extend(properties_of(&whole));
                }
                "system-out" if !element.text().trim().is_empty() => {
                    frame.outputs.push(("stdout", span));
                }
                "system-err" if !element.text().trim().is_empty() => {
                    frame.outputs.push(("stderr", span));
                }
                // A suite that failed as a whole, without a test to say it.
                "error" | "failure" => found.tests.push(JunitTest {
                    frame: at,
                    name: frame.name().to_owned(),
                    outcome: Some(Outcome::Error),
                    message: words_of(&element),
                    error_type: element.attribute("type").map(str::to_owned),
                    tags: vec!["suite"],
                    span,
                    ..JunitTest::default()
                }),
                _ => {}
            }
        }
    };
    let frames = ["testsuites", "testsuite"];
    let cut = walk(file, &frames, cx.pulse, &mut take)
        .await
        .map_err(|err| Error::from(err).in_file(&file.path))?;
    if let Some(err) = cut {
        note_cut(claimed, &err, found.tests.len(), cx);
    }
    Ok(found)
}

fn note_cut(claimed: &Claimed, err: &input::Error, n_tests: usize, cx: &Context<'_>) {
    let file = &claimed.file;
    let kept = match n_tests {
        0 => "no test is kept".to_owned(),
        1 => "the one test before is kept".to_owned(),
        n => format!("the {n} tests before are kept"),
    };
    let (kind, what) = if err.at() >= file.len() {
        (NoteKind::Truncated, "the file is cut off")
    } else {
        (NoteKind::Broken, "what follows cannot be read")
    };
    let detail = format!("{what}, {kept}: {}", err.reason());
    cx.notes.add(&file.path, kind, Place::Byte(err.at()), detail);
}
