//! Marks in messages: each a source that only the reader which left it understands.

use super::message::{MessageWriter, PoolMessage, SourceMessage};
use crate::readers::Marks;
use crate::readers::Misread;
use serde::{Deserialize, Serialize};

/// Marks as a message has them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MarksSaid {
    /// By the path of their file.
    by_path: Vec<(String, SourceMessage)>,
    are_wanted: bool,
    n_continued: u64,
}

impl MessageWriter {
    /// The marks among `marks` of the files `paths`.
    pub fn marks<'a>(
        &mut self,
        marks: &Marks,
        paths: impl IntoIterator<Item = &'a str>,
    ) -> MarksSaid {
        let own = |path: &str| Some((path.to_owned(), self.place(&marks.packed(path)?)));
        let by_path = paths.into_iter().filter_map(own).collect();
        MarksSaid { by_path, are_wanted: marks.are_wanted(), n_continued: marks.n_continued() }
    }
}

impl MarksSaid {
    /// The marks.
    ///
    /// # Errors
    /// When a source came with another message.
    pub fn into_marks(self, message: &PoolMessage) -> Result<Marks, Misread> {
        let marks = if self.are_wanted { Marks::default() } else { Marks::unwanted() };
        marks.count_all_continued(self.n_continued);
        for (path, place) in self.by_path {
            marks.leave_packed(&path, message.source(&place)?);
        }
        Ok(marks)
    }
}
