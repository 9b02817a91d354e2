//! All that a test's elements say.

use super::cases::JunitCase;
use super::frames::File;
use super::test::{properties_of, result_of, retry_of, secs_of};
use crate::input::InputFile;
use crate::model::{
    AttemptDetail, CaseDetail, CheckDetail, Content, ContentFormat, DocumentDetail, Fact, Locator,
    RawRecord, Run,
};
use crate::readers::xml::{Element, tree};
use crate::readers::{Bundle, Error, ErrorKind};

/// Where a test lies: all of its elements where nothing else lies between them, else the last one and, as the
/// second place, the one before it.
pub(super) fn places(
    file: &File,
    case: &JunitCase,
    input: &InputFile,
) -> (Locator, Option<Locator>) {
    let at = |start: u64, end: u64| Locator::Span {
        source: input.id,
        offset: start,
        len: end.saturating_sub(start),
    };
    let elements: Vec<usize> = case.tries.iter().flatten().copied().collect();
    let span = |place: usize| file.tests.get(place).map_or(0..0, |test| test.span.clone());
    let of = |place: usize| at(span(place).start, span(place).end);
    match elements.as_slice() {
        [] => (at(0, 0), None),
        [only] => (of(*only), None),
        [first, .., last] if last - first + 1 == elements.len() => {
            (at(span(*first).start, span(*last).end), None)
        }
        [.., before, last] => (of(*last), Some(of(*before))),
    }
}

/// Reads a test's elements again.
pub(super) fn read(bundle: &Bundle, case: &Run) -> Result<CaseDetail, Error> {
    let own = case.cases.locator_of(0).ok_or_else(|| Error::new(ErrorKind::Gone))?;
    let mut detail = CaseDetail::default();
    let mut elements = Vec::new();
    for locator in case.cases.partner_of(0).into_iter().chain([own]) {
        let (found, raw) = elements_at(bundle, locator)?;
        elements.extend(found);
        detail.raw.push(raw);
    }
    let n_elements = elements.len();
    for (nth, element) in elements.iter().enumerate() {
        let is_last = nth + 1 == n_elements;
        let label = if n_elements > 1 { format!("{}: ", nth + 1) } else { String::new() };
        facts(&mut detail, element, is_last, &label);
        texts(&mut detail, element, &label);
    }
    let tries = tries(&elements, case.checks_of(0).len());
    detail.attempts = (1..)
        .zip(tries)
        .map(|(attempt, (duration_secs, output))| AttemptDetail { attempt, duration_secs, output })
        .collect();
    for at in case.checks_of(0) {
        let attempt = case.checks.attempt.get(at).unwrap_or(1);
        detail.checks.push(CheckDetail {
            attempt,
            name: case.checks.name.get(at).unwrap_or_default().to_owned(),
            is_correct: case.checks.is_correct.get(at),
            verdict: case.checks.verdict.get(at).map(str::to_owned),
            ..CheckDetail::default()
        });
    }
    Ok(detail)
}

/// What each of `n_tries` tries took and says, in the order of the tries; empty where it is not known which element is
/// about which try (a broken teardown has an element of its own).
fn tries(elements: &[Element], n_tries: usize) -> Vec<(Option<f64>, Vec<Content>)> {
    let whole = |element: &Element| {
        let mut own = CaseDetail::default();
        texts(&mut own, element, "");
        (secs_of(element.attribute("time")), own.failure)
    };
    if elements.len() > 1 && elements.len() == n_tries {
        return elements.iter().map(whole).collect();
    }
    let [only] = elements else { return Vec::new() };
    let retries = only.elements().filter_map(|child| Some((retry_of(&child.name)?.1, child)));
    let (is_before, inner): (Vec<bool>, Vec<_>) =
        retries.map(|(is_before, child)| (is_before, (None, texts_of_result(child, "")))).unzip();
    if inner.is_empty() || inner.len() + 1 != n_tries {
        return Vec::new();
    }
    let results = only.elements().filter(|child| result_of(&child.name).is_some());
    let said = results.flat_map(|child| texts_of_result(child, "")).collect();
    let own = std::iter::once((secs_of(only.attribute("time")), said));
    // Tries that a pass follows stand before it; those after a failure behind it.
    match is_before.contains(&true) {
        true => inner.into_iter().chain(own).collect(),
        false => own.chain(inner).collect(),
    }
}

fn elements_at(bundle: &Bundle, locator: Locator) -> Result<(Vec<Element>, RawRecord), Error> {
    let bytes = bundle.span_bytes(locator)?.ok_or_else(|| Error::new(ErrorKind::Gone))?;
    let offset = match locator {
        Locator::Span { offset, .. } => offset,
        Locator::Row { row, .. } => row,
    };
    let file = bundle.file(locator.source()).map_or(String::new(), |file| file.path.clone());
    let in_file = |err: crate::input::Error| Error::from(err.shifted(offset)).in_file(&file);
    let elements = tree(&bytes).map_err(in_file)?;
    let raw = RawRecord {
        at: format!("byte {offset}"),
        json: String::from_utf8_lossy(&bytes).into_owned(),
        file,
        left_out: None,
    };
    Ok((elements, raw))
}

/// Attributes and properties; of several elements those of the last one, and results of all.
fn facts(detail: &mut CaseDetail, element: &Element, is_last: bool, label: &str) {
    let mut fact = |name: &str, value: &str| {
        if !value.is_empty() {
            detail.facts.push(Fact { label: name.to_owned(), value: value.to_owned() });
        }
    };
    if is_last {
        for (name, value) in &element.attributes {
            fact(name, value);
        }
        for (name, value) in properties_of(element) {
            fact(&name, &value);
        }
    }
    for child in element.elements() {
        for (name, value) in &child.attributes {
            let is_told = name == "message" || (name == "type" && child.name == "property");
            if !is_told && (result_of(&child.name).is_some() || retry_of(&child.name).is_some()) {
                fact(&format!("{label}{} {name}", child.name), value);
            }
        }
    }
}

/// Results and outputs.
fn texts(detail: &mut CaseDetail, element: &Element, label: &str) {
    for child in element.elements() {
        if result_of(&child.name).is_some() || retry_of(&child.name).is_some() {
            detail.failure.extend(texts_of_result(child, label));
            continue;
        }
        let name = match child.name.as_str() {
            "properties" => continue,
            "system-out" => "stdout",
            "system-err" => "stderr",
            name => name,
        };
        detail.failure.extend(shown(&format!("{label}{name}"), &child.text()));
    }
}

/// Message, text and outputs of a result.
fn texts_of_result(child: &Element, label: &str) -> Vec<Content> {
    let message = child.attribute("message").unwrap_or_default();
    let text = child.text();
    let is_message_alone = !text.contains(message.trim()) || text.trim().is_empty();
    let name = format!("{label}{}", child.name);
    let message = is_message_alone.then(|| shown(&format!("{name}: message"), message)).flatten();
    let inner = child.elements().map(|inner| (format!("{name}: {}", inner.name), inner.text()));
    let texts = std::iter::once((name.clone(), text)).chain(inner);
    message.into_iter().chain(texts.filter_map(|(name, text)| shown(&name, &text))).collect()
}

/// A text with its label; `None` where it says nothing.
fn shown(label: &str, text: &str) -> Option<Content> {
    (!is_silent(text)).then(|| Content {
        label: label.to_owned(),
        body: text.trim_matches(['\n', '\r']).trim_end().to_owned(),
        format: ContentFormat::Text,
    })
}

/// Whether nothing was written: pytest puts its headings around nothing, too.
fn is_silent(text: &str) -> bool {
    text.lines().all(|line| {
        let line = line.trim();
        line.is_empty() || (line.starts_with("----") && line.contains(" Captured "))
    })
}

/// What a suite wrote itself.
pub(super) fn document(bundle: &Bundle, run: &Run) -> Result<DocumentDetail, Error> {
    let document = run.documents.first().ok_or_else(|| Error::new(ErrorKind::Gone))?;
    let (elements, raw) = elements_at(bundle, document.at)?;
    let text = elements.first().map(Element::text).unwrap_or_default();
    let content =
        Content { label: document.title.clone(), body: text, format: ContentFormat::Text };
    let record = CaseDetail { actual: vec![content], raw: vec![raw], ..CaseDetail::default() };
    Ok(DocumentDetail { record, ..DocumentDetail::default() })
}
