//! A file that stays on its server: what stands for it.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
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
    /// Its whole text, where that was fetched already and is short: then its server is not asked for it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl RemoteFile {
    /// Type of the files that stand for one.
    pub const TYPE: &str = "application/vnd.evalglass.remote+json";

    /// The file of `size` bytes at `path`, seen from the folder of this one. The steps of `path` are names of files as
    /// they are, not parts of an address.
    pub fn beside(&self, path: &str, size: u64) -> Self {
        const PLAIN: &AsciiSet =
            &NON_ALPHANUMERIC.remove(b'_').remove(b'-').remove(b'.').remove(b'=').remove(b'~');
        let own = self.url.split(['?', '#']).next().unwrap_or_default();
        let folder = own.rfind('/').and_then(|at| own.get(..=at)).unwrap_or(own);
        let steps: Vec<String> =
            path.split('/').map(|step| utf8_percent_encode(step, PLAIN).to_string()).collect();
        let url = format!("{folder}{}", steps.join("/"));
        Self { url, size, is_here: self.is_here, validator: None, text: None }
    }
}

#[cfg(test)]
mod tests {
    use super::RemoteFile;

    #[test]
    fn a_part_lies_beside_its_manifest_whatever_its_name_holds() {
        let manifest = RemoteFile {
            url: "https://lab.example/evals/manifest.json?v=1".to_owned(),
            size: 7,
            is_here: true,
            validator: Some(("ETag".to_owned(), "x".to_owned())),
            text: Some("{}     ".to_owned()),
        };
        let part = manifest.beside("cases/producer=p/evaluation=p%3Anight~0a/part-0.parquet", 12);
        let wanted =
            "https://lab.example/evals/cases/producer=p/evaluation=p%253Anight~0a/part-0.parquet";
        assert_eq!((part.url.as_str(), part.size), (wanted, 12));
        assert!(part.is_here && part.validator.is_none(), "it is another file");
        assert_eq!(part.text, None, "with another text");
    }
}
