//! Predictions and what a run was graded against.

use super::role;
use crate::input::json::Cursor;
use crate::input::{Error as InputError, ErrorKind, Form, Record, ValueKind};
use crate::model::Locator;
use crate::readers::answer_hash::answer;
use crate::readers::record_value::text;
use crate::readers::records::{members, records};
use crate::readers::{Bundle, Claimed, Context, Error};
use serde_json::Value;

/// What a run was graded against.
#[derive(Default)]
pub(super) struct Metadata {
    /// Data set.
    pub dataset: Option<String>,
    split: Option<String>,
    task_repo: Option<String>,
    /// When it began.
    pub created_at: Option<String>,
}

impl Metadata {
    /// The same in words.
    pub(super) fn description(&self) -> Vec<(String, String)> {
        let all = [("data set", &self.dataset), ("split", &self.split), ("tasks", &self.task_repo)];
        let said = all.into_iter().filter_map(|(key, value)| Some((key, value.as_ref()?)));
        said.map(|(key, value)| (key.to_owned(), value.clone())).collect()
    }
}

/// The metadata in the files of a bundle.
pub(super) fn metadata(bundle: &Bundle, cx: &Context<'_>) -> Result<Metadata, Error> {
    let Some(claimed) = bundle.of_role(role::METADATA).next() else {
        return Ok(Metadata::default());
    };
    let value = members(claimed, &claimed.shape.outline, &[], cx)?;
    let own = |key: &str| text(&value, key).map(str::to_owned);
    Ok(Metadata {
        dataset: own("dataset"),
        split: own("split"),
        task_repo: own("task_repo"),
        created_at: own("created_at"),
    })
}

/// A prediction, without its patch.
pub(super) struct Prediction {
    pub id: String,
    pub model: Option<String>,
    /// Whether there is a patch at all, and one with something in it.
    pub has_patch: bool,
    /// Hash of the patch.
    pub answer: Option<u64>,
    pub at: Locator,
}

/// Model that the first of some predictions names.
pub(super) fn model_of(claimed: &Claimed) -> Option<String> {
    let shape = &claimed.shape;
    let member = if is_by_id(claimed) {
        shape.outline.members.first()
    } else {
        shape.record().member("model_name_or_path")
    }?;
    let bytes = claimed.file.bytes(member.span.clone()).ok()?;
    let value = Cursor::new(&bytes).tree().ok()?;
    match &value {
        Value::String(model) => Some(model.clone()),
        other => text(other, "model_name_or_path").map(str::to_owned),
    }
}

/// Whether predictions are the members of one object, by id.
fn is_by_id(claimed: &Claimed) -> bool {
    let shape = &claimed.shape;
    shape.form == Form::Document
        && shape.record().kind == Some(ValueKind::Object)
        && shape.record().member("instance_id").is_none()
}

/// The predictions in a file.
pub(super) async fn predictions(
    claimed: &Claimed,
    cx: &Context<'_>,
) -> Result<Vec<Prediction>, Error> {
    let mut all = Vec::new();
    let source = claimed.file.id;
    if is_by_id(claimed) {
        for member in &claimed.shape.outline.members {
            let bytes = claimed
                .file
                .bytes(member.span.clone())
                .map_err(|err| Error::from(err).in_file(&claimed.file.path))?;
            let at = member.span.start;
            if let Ok(mut one) = prediction(Record { bytes: &bytes, offset: at, number: 0 }, source)
            {
                one.id.clone_from(&member.key);
                all.push(one);
            }
        }
        return Ok(all);
    }
    let mut take = |record: Record<'_>| prediction(record, source).map(|one| all.push(one));
    records(claimed, "prediction", cx, &mut take).await?;
    Ok(all)
}

fn prediction(
    record: Record<'_>,
    source: crate::model::SourceId,
) -> Result<Prediction, InputError> {
    let (mut id, mut model, mut patch) = (None, None, None);
    let is_object = Cursor::new(record.bytes).each_field(|key, cursor| {
        match key {
            "instance_id" => id = cursor.text()?.map(std::borrow::Cow::into_owned),
            "model_name_or_path" => model = cursor.text()?.map(std::borrow::Cow::into_owned),
            "model_patch" => {
                let span = cursor.skip()?;
                let bytes = cursor.slice(span);
                patch = Some((bytes != b"null" && bytes != b"\"\"", answer(bytes)));
            }
            _ => {
                cursor.skip()?;
            }
        }
        Ok(())
    })?;
    let reason =
        if is_object { "a prediction has no instance_id" } else { "a prediction is not an object" };
    let len = record.bytes.len() as u64;
    Ok(Prediction {
        id: id.ok_or_else(|| InputError::new(ErrorKind::Format(reason), 0))?,
        model,
        has_patch: patch.is_some_and(|(has_patch, _)| has_patch),
        answer: patch.and_then(|(_, answer)| answer),
        at: Locator::Span { source, offset: record.offset, len },
    })
}
