//! Ids of what is shown of a text: ways lead there.

use super::read::Reading;
use super::texts::text_id::TextId;

/// The id of what shows `text` as `what`.
pub(super) fn dom_id(reading: &Reading, what: &str, text: &TextId) -> String {
    reading.own_id(&format!("{what}-{text}"))
}
