//! Many checked evaluations in one message.
//!
//! Where none of them has cases here, as in a dataset of thousands, they travel in a short form: written without names of
//! fields, and a config once for all evaluations that share it. The table of their compared figures, which they share, is
//! passed on beside the message.

use super::{Checked, Misread, from_bytes, to_bytes};
use crate::model::{Config, Note, UnreadEvaluation};
use crate::scoring::{ComparedTable, StoredEvaluation};
use arrow_array::RecordBatch;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use std::sync::Arc;

/// What is written of them.
#[derive(Serialize)]
enum ListWritten<'a> {
    AsTheyAre(&'a [Checked]),
    Short(#[serde(with = "serde_bytes")] Vec<u8>),
}

/// The same, as it is read.
#[derive(Deserialize)]
enum ListRead {
    AsTheyAre(Vec<Checked>),
    Short(#[serde(with = "serde_bytes")] Vec<u8>),
}

/// The short form: configs as CBOR, since they leave out what is empty, and the evaluations, each written or read.
type Short<T> = (Vec<Vec<u8>>, Vec<T>);

/// An evaluation of it. `ShortWritten` and `ShortRead` have the same fields.
#[derive(Serialize)]
struct ShortWritten<'a> {
    evaluation: UnreadEvaluation,
    /// Place of its config.
    config: usize,
    notes: &'a [Note],
    notes_beside: &'a [Note],
    stored: Option<&'a StoredEvaluation>,
}

#[derive(Deserialize)]
struct ShortRead {
    evaluation: UnreadEvaluation,
    config: usize,
    notes: Vec<Note>,
    notes_beside: Vec<Note>,
    stored: Option<Box<StoredEvaluation>>,
}

/// `None`: one of `all` has more than the short form has a place for.
fn shortened(all: &[Checked]) -> Option<Result<Short<ShortWritten<'_>>, Misread>> {
    let (mut configs, mut evaluations) = (Vec::<&Config>::new(), Vec::new());
    for Checked { evaluation, notes, notes_beside, stored } in all {
        // The last ones first: evaluations of one suite follow one another.
        let known = configs.iter().rposition(|config| **config == evaluation.config);
        evaluations.push(ShortWritten {
            evaluation: UnreadEvaluation::of(evaluation)?,
            config: known.unwrap_or(configs.len()),
            notes,
            notes_beside,
            stored: stored.as_deref(),
        });
        if known.is_none() {
            configs.push(&evaluation.config);
        }
    }
    let configs = configs.into_iter().map(to_bytes).collect::<Result<_, _>>();
    Some(configs.map(|configs| (configs, evaluations)))
}

fn lengthened((configs, evaluations): Short<ShortRead>) -> Result<Vec<Checked>, Misread> {
    let configs: Vec<Config> =
        configs.iter().map(|bytes| from_bytes(bytes)).collect::<Result<_, _>>()?;
    let checked = |short: ShortRead| {
        let ShortRead { evaluation, config, notes, notes_beside, stored } = short;
        let config = configs.get(config).cloned();
        let config = config.ok_or_else(|| Misread("a config is missing".to_owned()))?;
        Ok(Checked { evaluation: evaluation.with_config(config), notes, notes_beside, stored })
    };
    evaluations.into_iter().map(checked).collect()
}

pub(crate) fn serialize<S: Serializer>(all: &[Checked], serializer: S) -> Result<S::Ok, S::Error> {
    let written = match shortened(all) {
        Some(short) => {
            let short = short.map_err(ser::Error::custom)?;
            ListWritten::Short(postcard::to_allocvec(&short).map_err(ser::Error::custom)?)
        }
        None => ListWritten::AsTheyAre(all),
    };
    written.serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<Checked>, D::Error> {
    match ListRead::deserialize(deserializer)? {
        ListRead::AsTheyAre(all) => Ok(all),
        ListRead::Short(bytes) => {
            let short = postcard::from_bytes(&bytes).map_err(de::Error::custom)?;
            lengthened(short).map_err(de::Error::custom)
        }
    }
}

/// The table of the compared figures of `all`, which share it; no rows: they have none.
pub(crate) fn compared(all: &[Checked]) -> &[RecordBatch] {
    let mut tables = all.iter().filter_map(|checked| checked.stored.as_ref()?.compared.table());
    tables.next().map(|table| table.batches()).unwrap_or_default()
}

/// Gives `all` that table back.
///
/// # Errors
/// When it came with another message.
pub(crate) fn put_compared(all: &mut [Checked], table: &[RecordBatch]) -> Result<(), Misread> {
    let table = Arc::new(ComparedTable::new(table.to_vec()));
    for stored in all.iter_mut().filter_map(|checked| checked.stored.as_mut()) {
        let put = stored.compared.set_table(&table);
        put.ok_or_else(|| Misread("the table of compared figures is missing".to_owned()))?;
    }
    Ok(())
}
