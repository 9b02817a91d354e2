//! The first words of what a case was asked, what was answered and what was expected: cells of a table.

use super::asked::Asked;
use super::detail::{CaseDetail, Content, ContentFormat, Message};
use super::run::Run;
use serde::{Deserialize, Serialize};

/// The most letters of a text before it is cut.
pub const CASE_TEXT_CHARS: usize = 280;

/// Stands between texts that follow each other.
const BETWEEN: &str = " · ";

/// The texts of a case, each on one line and cut after [`CASE_TEXT_CHARS`] letters. `None`: the files hold none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseTexts {
    /// What the target was asked.
    pub input: Option<String>,
    /// What it answered.
    pub answer: Option<String>,
    /// What was expected.
    pub expected: Option<String>,
}

impl CaseTexts {
    /// Those of the only case of `case`, whose record is `detail`. The tables of the run say which there are: what
    /// stands in a record beside them is no input, no answer.
    pub fn of(case: &Run, detail: &CaseDetail) -> Self {
        let asked = case.cases.asked_of(0);
        Self {
            input: asked.input.and_then(|_hash| input(detail)),
            answer: answer(case, detail),
            expected: asked.expected.and_then(|_hash| expected(detail)),
        }
    }
}

impl Run {
    /// Whether its files may hold what its cases were asked or what they answered. Of conversations the tables know
    /// the question alone.
    pub fn has_texts(&self) -> bool {
        self.cases.has_asked()
            || self.cases.answer.array().is_some()
            || self.checks.answer.array().is_some()
    }
}

/// Words of the input come before its data (settings, metadata), and so does what the user said: some formats hold
/// the question in the conversation alone.
fn input(detail: &CaseDetail) -> Option<String> {
    words(&detail.input)
        .or_else(|| line(detail.transcript.iter().filter(|one| is_said(one, "user")).map(text)))
        .or_else(|| data(&detail.input))
}

fn expected(detail: &CaseDetail) -> Option<String> {
    words(&detail.expected)
        .or_else(|| line(detail.checks.iter().filter_map(|check| check.expected.as_deref())))
        .or_else(|| data(&detail.expected))
}

fn answer(case: &Run, detail: &CaseDetail) -> Option<String> {
    let is_known =
        case.cases.answer.has(0) || (0..case.checks.len()).any(|at| case.checks.answer.has(at));
    if !is_known {
        // Of a conversation no table knows the answer. What stands beside one is none: logs, rewards, errors.
        let Asked { input, expected } = case.cases.asked_of(0);
        return input.or(expected).and_then(|_hash| last_said(&detail.transcript, false));
    }
    let outputs = || detail.attempts.iter().flat_map(|attempt| &attempt.output);
    words(&detail.actual)
        .or_else(|| words(outputs()))
        .or_else(|| last_said(&detail.transcript, true))
        .or_else(|| data(detail.actual.iter().chain(outputs())))
}

/// The last words of the assistant; `is_anywhere`: also those before the last words of the user, which may be a part
/// of what was asked.
fn last_said(transcript: &[Message], is_anywhere: bool) -> Option<String> {
    let last_of = |role| transcript.iter().rposition(|message| is_said(message, role));
    let at = last_of("assistant")?;
    if !is_anywhere && last_of("user").is_some_and(|asked| asked > at) {
        return None;
    }
    line(transcript.get(at).map(text))
}

/// Whether these are words of `role` itself, not of a tool or a sub-agent.
fn is_said(message: &Message, role: &str) -> bool {
    message.role == role
        && message.tool.is_none()
        && message.agent.is_none()
        && message.text.contains(|letter: char| !letter.is_whitespace())
}

fn text(message: &Message) -> &str {
    &message.text
}

fn words<'a>(contents: impl IntoIterator<Item = &'a Content>) -> Option<String> {
    of_format(contents, |format| format != ContentFormat::Json)
}

fn data<'a>(contents: impl IntoIterator<Item = &'a Content>) -> Option<String> {
    of_format(contents, |format| format == ContentFormat::Json)
}

fn of_format<'a>(
    contents: impl IntoIterator<Item = &'a Content>,
    is_wanted: impl Fn(ContentFormat) -> bool,
) -> Option<String> {
    let wanted = contents.into_iter().filter(|content| is_wanted(content.format));
    line(wanted.map(|content| content.body.as_str()))
}

/// `texts` on one line, each once; `None`: they hold no letter. Of a text no more is read than is wanted: it may be
/// a hundred megabytes.
fn line<'a>(texts: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let (mut line, mut n_chars, mut seen) = (String::new(), 0, Vec::new());
    for text in texts {
        if seen.contains(&text) {
            continue;
        }
        seen.push(text);
        let mut gap = if line.is_empty() { "" } else { BETWEEN };
        for letter in text.chars() {
            if letter.is_whitespace() {
                if gap.is_empty() && !line.is_empty() {
                    gap = " ";
                }
                continue;
            }
            n_chars += gap.chars().count() + 1;
            if n_chars > CASE_TEXT_CHARS {
                line.push('…');
                return Some(line);
            }
            line.push_str(std::mem::take(&mut gap));
            line.push(letter);
        }
    }
    (!line.is_empty()).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CaseRow, CheckRow, RunBuilder, RunKey};

    fn content(format: ContentFormat, body: &str) -> Content {
        Content { label: String::new(), body: body.to_owned(), format }
    }

    fn said(role: &str, text: &str) -> Message {
        Message { role: role.to_owned(), text: text.to_owned(), ..Message::default() }
    }

    fn case(row: CaseRow<'_>, answer_of_check: Option<u64>) -> Run {
        let mut run = RunBuilder::new(RunKey::default(), "run");
        run.case(row);
        run.check(CheckRow { answer: answer_of_check, ..CheckRow::default() });
        run.finish()
    }

    fn whole() -> CaseRow<'static> {
        CaseRow {
            input_hash: Some(1),
            expected_hash: Some(2),
            answer: Some(3),
            ..CaseRow::default()
        }
    }

    #[test]
    fn space_is_one_space_and_texts_stand_side_by_side_once() {
        assert_eq!(line([" a\n\n b\tc "]).as_deref(), Some("a b c"));
        assert_eq!(line(["a", "a", " ", "b", "a"]).as_deref(), Some("a · b"));
        assert_eq!(line([" \n", "", "x"]).as_deref(), Some("x"));
        assert_eq!(line([" \n", ""]), None);
        assert_eq!(line([]), None);
    }

    #[test]
    fn a_long_text_is_cut_between_letters() {
        let full = "é".repeat(CASE_TEXT_CHARS);
        assert_eq!(line([full.as_str()]), Some(full.clone()), "it fits");
        for (longer, kept) in [
            (format!("{full}é"), CASE_TEXT_CHARS),
            (format!("{full} e"), CASE_TEXT_CHARS),
            ("🙂🙂 ".repeat(200), CASE_TEXT_CHARS),
            (format!("{} bcd", "a".repeat(CASE_TEXT_CHARS - 1)), CASE_TEXT_CHARS - 1),
        ] {
            let cut = line([longer.as_str()]).unwrap();
            assert!(cut.ends_with('…') && !cut.ends_with(" …"), "{cut}");
            assert_eq!(cut.chars().count(), kept + 1, "{longer}");
        }
        let two = line([full.as_str(), "more"]).unwrap();
        assert_eq!(two, format!("{full}…"), "a second text is told of as well");
    }

    #[test]
    fn words_come_before_data_and_the_conversation_between_them() {
        let mut detail = CaseDetail {
            input: vec![content(ContentFormat::Json, "{\"n\": 1}")],
            expected: vec![content(ContentFormat::Json, "[\"yes\"]")],
            actual: vec![content(ContentFormat::Json, "{\"ok\": true}")],
            ..CaseDetail::default()
        };
        let of = |detail: &CaseDetail| {
            let CaseTexts { input, answer, expected } = CaseTexts::of(&case(whole(), None), detail);
            [input, answer, expected].map(|text| text.unwrap_or_default())
        };
        assert_eq!(of(&detail), ["{\"n\": 1}", "{\"ok\": true}", "[\"yes\"]"]);
        detail.transcript = vec![said("system", "s"), said("user", "u"), said("assistant", "a")];
        assert_eq!(of(&detail), ["u", "a", "[\"yes\"]"]);
        detail.actual.push(content(ContentFormat::Diff, "+patch"));
        detail.input.push(content(ContentFormat::Text, "words"));
        detail.expected.push(content(ContentFormat::Text, " yes"));
        assert_eq!(of(&detail), ["words", "+patch", "yes"]);
    }

    #[test]
    fn what_the_tables_do_not_know_is_not_said() {
        let text = || vec![content(ContentFormat::Text, "x")];
        let detail = CaseDetail {
            input: text(),
            expected: text(),
            actual: text(),
            transcript: vec![said("user", "u"), said("assistant", "a"), said("user", "v")],
            ..CaseDetail::default()
        };
        let of = |row, check| CaseTexts::of(&case(row, check), &detail);
        assert_eq!(of(CaseRow::default(), None), CaseTexts::default());
        let asked = of(CaseRow { input_hash: Some(1), ..CaseRow::default() }, None);
        assert_eq!((asked.input.as_deref(), asked.answer), (Some("x"), None), "the user asks last");
        assert_eq!(of(CaseRow::default(), Some(1)).answer.as_deref(), Some("x"));
    }

    #[test]
    fn a_conversation_ends_with_the_answer() {
        let tool = |text| Message { tool: Some("run".to_owned()), ..said("assistant", text) };
        let agent = |text| Message { agent: Some("sub".to_owned()), ..said("assistant", text) };
        let detail = CaseDetail {
            transcript: vec![
                said("user", "u"),
                said("assistant", "first"),
                said("assistant", "last"),
                tool("{}"),
                said("tool", "done"),
                agent("below"),
                said("assistant", " \n"),
            ],
            ..CaseDetail::default()
        };
        let asked = case(CaseRow { input_hash: Some(1), ..CaseRow::default() }, None);
        assert_eq!(CaseTexts::of(&asked, &detail).answer.as_deref(), Some("last"));
    }
}
