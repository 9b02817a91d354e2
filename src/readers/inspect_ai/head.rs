//! What a log says beyond its samples: what was evaluated, how, and with what result.

use super::metrics::unqualified;
use super::sample::InspectSample;
use crate::input::json::Cursor;
use crate::model::{NoteKind, Place};
use crate::readers::record_value::{items, text};
use crate::readers::{Claimed, Context, Error};
use serde_json::{Map, Value};

/// Members of a log that are lists of records, read one by one.
const LISTS: [&str; 2] = ["samples", "reductions"];

/// The header, as a tree.
#[derive(Debug, Default)]
pub(super) struct LogHead {
    /// All but samples and reductions.
    pub tree: Value,
    /// Path of the file that it is from.
    pub file: String,
}

/// The score that stands for a sample, and how the tool makes it one number.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct HeadlineScore {
    /// Scorer.
    pub scorer: String,
    /// One key of its values; `None`: its value is one.
    pub key: Option<String>,
    /// Metric over samples.
    pub metric: Option<String>,
    /// Reducer over epochs.
    pub reducer: Option<String>,
}

impl LogHead {
    /// Reads the header; members that are broken are noted and left out.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read(claimed: &Claimed, cx: &Context<'_>) -> Result<Self, Error> {
        let file = &claimed.file;
        let mut tree = Map::new();
        for member in &claimed.shape.outline.members {
            if LISTS.contains(&member.key.as_str()) {
                continue;
            }
            let bytes = file
                .bytes(member.span.clone())
                .map_err(|err| Error::from(err).in_file(&file.path))?;
            match Cursor::new(&bytes).tree() {
                Ok(value) => {
                    tree.insert(member.key.clone(), value);
                }
                Err(err) => {
                    let detail = format!("{:?} cannot be read: {}", member.key, err.reason());
                    let place = Place::Byte(err.at() + member.span.start);
                    cx.notes.add(&file.path, NoteKind::Broken, place, detail);
                }
            }
        }
        Ok(Self { tree: Value::Object(tree), file: file.path.clone() })
    }

    /// The text at `pointer`, which is not empty.
    pub fn text(&self, pointer: &str) -> Option<&str> {
        self.tree.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty())
    }

    /// Name of the task.
    pub fn task(&self) -> Option<&str> {
        self.text("/eval/task")
    }

    /// Name of the model.
    pub fn model(&self) -> Option<&str> {
        self.text("/eval/model")
    }

    /// Release of the tool that wrote the log.
    pub fn release(&self) -> Option<&str> {
        self.text("/eval/packages/inspect_ai")
    }

    /// `success`, `error`, `cancelled`; a killed log has none and was `started`.
    pub fn status(&self) -> &str {
        self.text("/status").unwrap_or("started")
    }

    /// The aggregates, in the order of the file.
    pub fn scores(&self) -> &[Value] {
        self.tree.get("results").map_or(&[], |results| items(results, "scores"))
    }

    /// Which score stands for a sample: the one that the log declares, else the first metric of the first
    /// aggregate, else the first scorer.
    pub fn headline(&self, samples: &[InspectSample]) -> HeadlineScore {
        let declared =
            [self.tree.pointer("/results/headline"), self.tree.pointer("/eval/headline_metric")];
        let found = declared.into_iter().flatten().find_map(|wish| self.meant(wish));
        let found = found.or_else(|| self.scores().first().map(|score| (score, None)));
        if let Some((score, metric)) = found {
            let scorer = text(score, "scorer").or_else(|| text(score, "name")).unwrap_or_default();
            let name = text(score, "name").unwrap_or(scorer);
            let first = || score.get("metrics")?.as_object()?.keys().next().cloned();
            return HeadlineScore {
                scorer: scorer.to_owned(),
                key: key_of(samples, scorer, name).map(str::to_owned),
                metric: metric.or_else(first),
                reducer: text(score, "reducer").map(str::to_owned),
            };
        }
        let wished = declared.into_iter().flatten().find_map(|wish| text(wish, "scorer"));
        let listed =
            || self.tree.pointer("/eval/scorers/0/name").and_then(Value::as_str).map(unqualified);
        let of_sample = || {
            let first = samples.iter().find_map(|sample| sample.scores.first())?;
            Some(first.scorer.as_str())
        };
        let has_scores =
            |scorer: &&str| samples.iter().any(|sample| sample.value(scorer, None).is_some());
        let scorer = wished.filter(has_scores).or_else(|| listed().filter(has_scores));
        HeadlineScore {
            scorer: scorer.or_else(of_sample).unwrap_or_default().to_owned(),
            ..HeadlineScore::default()
        }
    }

    /// The aggregate that a declared headline means, and its metric; a declaration that matches nothing is
    /// abandoned, as the tool does.
    fn meant(&self, wish: &Value) -> Option<(&Value, Option<String>)> {
        let agrees = |score: &&Value, key: &str, own: &str| {
            text(wish, key).is_none_or(|wished| text(score, own) == Some(wished))
        };
        let score = self.scores().iter().find(|score| {
            agrees(score, "reducer", "reducer")
                && agrees(score, "scorer", "scorer")
                && agrees(score, "score", "name")
        })?;
        let metric = text(wish, "metric");
        let has = |name: &str| score.get("metrics").is_some_and(|all| all.get(name).is_some());
        match metric {
            Some(name) if !has(name) => None,
            metric => Some((score, metric.map(str::to_owned))),
        }
    }
}

/// The key that the aggregate `name` of `scorer` is about: dict values have one aggregate for each key.
pub(super) fn key_of<'a>(
    samples: &[InspectSample],
    scorer: &str,
    name: &'a str,
) -> Option<&'a str> {
    let has_key = samples.iter().any(|sample| sample.value(scorer, Some(name)).is_some());
    (has_key || name != scorer).then_some(name)
}
