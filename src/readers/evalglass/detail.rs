//! The whole record of a case: what the report carries of the files, else what it says of the case.

use super::fields::part;
use crate::input::InputFile;
use crate::input::json::Cursor;
use crate::model::{
    CaseDetail, CheckDetail, Content, ContentFormat, Fact, Locator, Message, RawRecord, Run,
    TurnDetail,
};
use crate::readers::{Bundle, Error, ErrorKind, Reader, TextReader};

/// What a report carries of the files.
#[derive(Default)]
struct CarriedCase {
    detail: Option<CaseDetail>,
    transcript: Option<Vec<Message>>,
    turns: Vec<TurnDetail>,
    raw: Option<Vec<RawRecord>>,
    error: Option<String>,
}

/// Where a case lies, the only one of its run, and in which file.
pub(super) fn place<'a>(bundle: &'a Bundle, case: &Run) -> Result<(Locator, &'a InputFile), Error> {
    let gone = || Error::new(ErrorKind::Gone);
    let locator = case.cases.locator_of(0).ok_or_else(gone)?;
    Ok((locator, bundle.file(locator.source()).ok_or_else(gone)?))
}

/// Reads a case again, the only one of its run, whose record at its place is `bytes`. `reader` reads the texts
/// of its checks.
pub(super) fn read(
    reader: &dyn Reader,
    bundle: &Bundle,
    case: &Run,
    bytes: &[u8],
) -> Result<CaseDetail, Error> {
    read_of(reader, bundle, case, bytes, "this report")
}

/// The same out of `whence`: `this report`, `this dataset`.
pub(in crate::readers) fn read_of(
    reader: &dyn Reader,
    bundle: &Bundle,
    case: &Run,
    bytes: &[u8],
    whence: &str,
) -> Result<CaseDetail, Error> {
    let (locator, file) = place(bundle, case)?;
    let file = file.path.as_str();
    let carried = carried(bytes).map_err(|err| Error::from(err).in_file(file))?;
    let is_whole = carried.detail.is_some();
    let mut detail = carried.detail.unwrap_or_else(|| of_tables(reader, bundle, case));
    if let Some(reason) = carried.error {
        let what = "the files could not be read when this report was made";
        add_fact(&mut detail, format!("{what}: {reason}"));
    } else if !is_whole {
        let what = if carried.transcript.is_some() { "" } else { ", the transcript" };
        add_fact(&mut detail, format!("inputs, outputs{what} are not in {whence}"));
    } else if carried.transcript.is_none() {
        add_fact(&mut detail, format!("the transcript is not in {whence}"));
    }
    detail.transcript = carried.transcript.unwrap_or_default();
    detail.turns = carried.turns;
    detail.raw = carried.raw.unwrap_or_else(|| {
        let at = match locator {
            Locator::Span { offset, .. } => format!("byte {offset}"),
            Locator::Row { row, .. } => format!("row {row}"),
        };
        let json = String::from_utf8_lossy(bytes).into_owned();
        vec![RawRecord { file: file.to_owned(), at, json, left_out: None }]
    });
    Ok(detail)
}

fn carried(bytes: &[u8]) -> Result<CarriedCase, crate::input::Error> {
    let mut carried = CarriedCase::default();
    Cursor::new(bytes).each_field(|key, cursor| {
        match key {
            "detail" => carried.detail = Some(part(cursor)?),
            "transcript" => carried.transcript = Some(part(cursor)?),
            "turns" => carried.turns = part(cursor)?,
            "raw" => carried.raw = Some(part(cursor)?),
            "detail_error" => carried.error = Some(part(cursor)?),
            _ => {
                cursor.skip()?;
            }
        }
        Ok(())
    })?;
    Ok(carried)
}

/// Says what is not there, once: a report of a report says it already.
fn add_fact(detail: &mut CaseDetail, value: String) {
    let fact = Fact { label: "left out".to_owned(), value };
    if !detail.facts.contains(&fact) {
        detail.facts.push(fact);
    }
}

/// What the tables of the run say of a case: its error, its checks with their reasons.
fn of_tables(reader: &dyn Reader, bundle: &Bundle, case: &Run) -> CaseDetail {
    let (cases, checks) = (&case.cases, &case.checks);
    let texts = TextReader::new(reader, bundle);
    let error = cases.error_message.get(0).map(|message| Content {
        label: cases.error_type.get(0).unwrap_or("error").to_owned(),
        body: message.to_owned(),
        format: ContentFormat::Text,
    });
    let checks = case.checks_of(0).map(|at| CheckDetail {
        attempt: checks.attempt.get(at).unwrap_or(1),
        name: checks.name.get(at).unwrap_or_default().to_owned(),
        score: checks.score.get(at),
        is_correct: checks.is_correct.get(at),
        weight: checks.weight.get(at),
        verdict: checks.verdict.get(at).map(str::to_owned),
        reason: checks.reason_of(at).and_then(|place| texts.text_at(place)),
        ..CheckDetail::default()
    });
    CaseDetail {
        checks: checks.collect(),
        failure: error.into_iter().collect(),
        ..CaseDetail::default()
    }
}
