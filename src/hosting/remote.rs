//! A file that stays on its server: what stands for it.

use serde::{Deserialize, Serialize};

/// Where a file lies, and how it is known again. As JSON it is the content of the file that stands for it, so that
/// it travels and is kept as any other file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RemoteFile {
    /// Its address.
    pub url: String,
    /// Its bytes.
    pub size: u64,
    /// Whether its server is that of the page.
    pub is_here: bool,
    /// Header that changes with the content, and its value; without one only the size tells.
    pub validator: Option<(String, String)>,
}

impl RemoteFile {
    /// Type of the files that stand for one.
    pub const TYPE: &str = "application/vnd.evalglass.remote+json";
}
