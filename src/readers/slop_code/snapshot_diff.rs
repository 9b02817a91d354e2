//! `diff.json`: what changed in the files of a checkpoint.
//!
//! Producer's definition: `execution/snapshot.py`. The texts are read member by member: a tree of all of
//! them would hold each twice.

use crate::input::InputFile;
use crate::input::json::Cursor;
use crate::model::{CaseDetail, Content, ContentFormat, DocumentDetail, Fact, FileChange};
use crate::readers::Error;

type Read<T> = Result<T, crate::input::Error>;

/// Reads `diff.json`; what comes before damage is kept, and the damage is named.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn read(file: &InputFile) -> Result<DocumentDetail, Error> {
    let bytes = file.all_bytes().map_err(|err| Error::from(err).in_file(&file.path))?;
    let (mut record, mut changes) = (CaseDetail::default(), Vec::new());
    if !bytes.is_empty() {
        let fault = whole(&bytes, &mut record, &mut changes).err();
        record.facts.extend(fault.map(|err| Fact {
            label: "Damage".to_owned(),
            value: format!("byte {}: {}; what comes before is shown", err.at(), err.reason()),
        }));
    }
    let sum = |get: fn(&FileChange) -> Option<u64>| changes.iter().filter_map(get).sum::<u64>();
    let (n_added, n_removed) = (sum(|one| one.n_added), sum(|one| one.n_removed));
    let value = match (bytes.is_empty(), changes.len()) {
        (true, _) => "none: the file is empty".to_owned(),
        (false, 0) => "none".to_owned(),
        (false, n) => format!("{n}, lines +{n_added} −{n_removed}"),
    };
    record.facts.insert(0, Fact { label: "Files changed".to_owned(), value });
    Ok(DocumentDetail { record, changes, table: None })
}

fn whole(bytes: &[u8], record: &mut CaseDetail, changes: &mut Vec<FileChange>) -> Read<()> {
    let mut cursor = Cursor::new(bytes);
    cursor.each_field(|key, cursor| {
        let label = match key {
            "file_diffs" => {
                cursor.each_field(|name, cursor| {
                    let (mut change, text) = one(cursor)?;
                    if change.path.is_empty() {
                        name.clone_into(&mut change.path);
                    }
                    if let Some(body) = text {
                        change.text = Some(record.actual.len());
                        let label = change.path.clone();
                        record.actual.push(Content { label, body, format: ContentFormat::Diff });
                    }
                    changes.push(change);
                    Ok(())
                })?;
                return Ok(());
            }
            "from_timestamp" => "From",
            "to_timestamp" => "To",
            _ => {
                cursor.skip()?;
                return Ok(());
            }
        };
        if let Some(value) = cursor.text()? {
            let value = value.into_owned();
            record.facts.push(Fact { label: label.to_owned(), value });
        }
        Ok(())
    })?;
    cursor.end()
}

/// One file, and its difference.
fn one(cursor: &mut Cursor<'_>) -> Read<(FileChange, Option<String>)> {
    let (mut change, mut text) = (FileChange::default(), None);
    cursor.each_field(|key, cursor| {
        match key {
            "path" => change.path = cursor.text()?.map(Into::into).unwrap_or_default(),
            "change_type" => change.change = cursor.text()?.map(Into::into).unwrap_or_default(),
            "is_binary" => change.is_binary = cursor.bool()?.unwrap_or_default(),
            "diff_text" => text = cursor.text()?.map(std::borrow::Cow::into_owned),
            "lines_added" => change.n_added = count(cursor)?,
            "lines_removed" => change.n_removed = count(cursor)?,
            "old_size" => change.old_size = count(cursor)?,
            "new_size" => change.new_size = count(cursor)?,
            _ => {
                cursor.skip()?;
            }
        }
        Ok(())
    })?;
    Ok((change, text.filter(|text| !text.is_empty())))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "only whole counts pass"
)]
fn count(cursor: &mut Cursor<'_>) -> Read<Option<u64>> {
    let found = cursor.number()?;
    Ok(found.filter(|n| n.fract() == 0.0 && (0.0..1e15).contains(n)).map(|n| n as u64))
}
