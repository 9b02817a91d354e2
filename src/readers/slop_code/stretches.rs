//! What this reader asks others to read: row groups of a large file, checkpoints of a large run directory.

use super::checkpoint_stretches::{self, CheckpointRequest};
use super::row_groups;
use crate::input::{InputFile, Pulse};
use crate::readers::{Error, ErrorKind, StretchRead, from_bytes};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The reader, as it asks for help.
pub(super) const ID: &str = "slop-code";

/// What is asked of a stretch.
#[derive(Serialize, Deserialize)]
pub(super) enum HelpRequest {
    /// These row groups of the one file.
    RowGroups(Range<usize>),
    /// These checkpoints; the files are theirs, one after the other.
    Checkpoints(Vec<CheckpointRequest>),
}

/// Reads the stretch that `asked` describes.
///
/// # Errors
/// When the words are of another build, a footer is damaged, or the work is cancelled.
pub(super) async fn answer(
    files: &[InputFile],
    asked: &[u8],
    pulse: &Pulse,
) -> Result<StretchRead, Error> {
    match from_bytes(asked)? {
        HelpRequest::RowGroups(groups) => {
            let file = files.first().ok_or_else(|| Error::new(ErrorKind::Gone))?;
            row_groups::answer(file, groups, pulse).await
        }
        HelpRequest::Checkpoints(requests) => {
            checkpoint_stretches::answer(files, requests, pulse).await.map(StretchRead::from)
        }
    }
}
