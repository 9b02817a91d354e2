//! Looking at small files as soon as their bytes are here, by the reader that has fetched them: looking goes on while other
//! files are fetched, and the bytes need not be sent to a reader for it.

use super::job::WorkspaceLine;
use crate::input::{Dropped, InputFile, Pulse, ReadAt, bare, is_wrapped};
use crate::model::{Notes, SourceId};
use crate::readers::{LookedAt, READERS, look};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// What was found out of a file before anybody asked.
#[derive(Serialize, Deserialize)]
pub struct LookedAhead {
    /// The path under which it was looked at.
    pub path: String,
    /// What looking gave.
    pub looked: LookedAt,
    /// Bytes that count as read.
    pub n_done: u64,
}

impl LookedAhead {
    /// Whether its bytes are likely to be read once more.
    pub fn is_read_again(&self) -> bool {
        self.looked.as_ref().is_ok_and(|looked| looked.is_read_again)
    }
}

/// Looks at those of `files` that are as they are: not wrapped, without a byte order mark.
pub async fn look_ahead(
    files: Vec<Option<(String, Rc<dyn ReadAt>)>>,
    line: &Rc<dyn WorkspaceLine>,
) -> Vec<Option<LookedAhead>> {
    let mut all = Vec::with_capacity(files.len());
    for file in files {
        all.push(match file {
            Some((path, data)) => look_at(Dropped { path, data }, line).await,
            None => None,
        });
    }
    all
}

async fn look_at(file: Dropped, line: &Rc<dyn WorkspaceLine>) -> Option<LookedAhead> {
    let data = Rc::clone(&file.data);
    let file = (!is_wrapped(&file)).then(|| bare(file, &Notes::default()))??;
    if !Rc::ptr_eq(&file.data, &data) {
        return None;
    }
    let telling = Rc::clone(line);
    let pulse = Pulse::new(|_progress| Box::pin(std::future::ready(true)))
        .on_file(move |path| telling.begins(path));
    // It gets its number when it is opened.
    let file = InputFile { id: SourceId(0), path: file.path, data: file.data };
    let looked = look(READERS, &file, &pulse).await;
    Some(LookedAhead { path: file.path, looked, n_done: pulse.n_done() })
}
