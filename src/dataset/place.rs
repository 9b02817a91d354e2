//! Names of files and folders in a dataset.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
#[cfg(not(target_arch = "wasm32"))]
use std::path::{Component, Path, PathBuf};

/// What is written as `%XX` in the name of a file: everything but letters, digits, `_`, `-` and `.`.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'_').remove(b'-').remove(b'.');

/// Bytes of a value in a name at the most: file systems end at 255.
const MAX_VALUE: usize = 200;

/// How Hive writes a value that is not there.
const NOTHING: &str = "__HIVE_DEFAULT_PARTITION__";

/// `value` as a part of the name of a file. A long one is cut, and ends with a hash of the whole.
pub(super) fn encoded(value: &str) -> String {
    let whole = utf8_percent_encode(value, ENCODED).to_string();
    if whole.len() <= MAX_VALUE {
        return whole;
    }
    let cut = (0..=MAX_VALUE - 17).rev().find(|end| {
        // No `%XX` is cut in two.
        whole.get(end.saturating_sub(2)..*end).is_some_and(|tail| !tail.contains('%'))
    });
    let head = whole.get(..cut.unwrap_or(0)).unwrap_or_default();
    format!("{head}~{:016x}", hash(value.as_bytes()))
}

/// The folder of an evaluation below `cases` and `checks`.
pub(super) fn folder(producer: &str, suite: Option<&str>, evaluation: &str) -> String {
    let suite = suite.map_or_else(|| NOTHING.to_owned(), encoded);
    format!("producer={}/suite={suite}/evaluation={}", encoded(producer), encoded(evaluation))
}

/// A hash that is the same in every version and on every machine: FNV-1a, 64 bits.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(not(target_arch = "wasm32"))]
/// The way from the folder `from` to `to`, with `/`; both are absolute.
pub(super) fn relative(from: &Path, to: &Path) -> String {
    let (from, to): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (from.components().collect(), to.components().collect());
    let n_same = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let up = from.iter().skip(n_same).map(|_| "..".to_owned());
    let down = to.iter().skip(n_same).map(|part| part.as_os_str().to_string_lossy().into_owned());
    let way: Vec<String> = up.chain(down).collect();
    if way.is_empty() { ".".to_owned() } else { way.join("/") }
}

#[cfg(not(target_arch = "wasm32"))]
/// `root` and the parts of `inner`, which stand behind `/`.
pub(super) fn below(root: &Path, inner: &str) -> PathBuf {
    inner.split('/').fold(root.to_owned(), |path, part| path.join(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_safe_names() {
        assert_eq!(encoded("letta-evals:runs/a b"), "letta-evals%3Aruns%2Fa%20b");
        assert_eq!(
            folder("slop-code", None, "x=1"),
            "producer=slop-code/suite=__HIVE_DEFAULT_PARTITION__/evaluation=x%3D1"
        );
        let long = "日本/".repeat(50);
        let name = encoded(&long);
        assert!(name.len() <= MAX_VALUE && name != encoded(&format!("{long}x")), "{name}");
        let cut = name.split('~').next().unwrap();
        assert!(percent_encoding::percent_decode_str(cut).decode_utf8_lossy().starts_with("日本/"));
        assert!(cut.len() % 3 != 1 || !cut.ends_with('%'));
    }

    #[test]
    fn ways_lead_from_one_folder_to_another() {
        let way = |from: &str, to: &str| relative(Path::new(from), Path::new(to));
        assert_eq!(way("/data/set", "/data/runs"), "../runs");
        assert_eq!(way("/data", "/data"), ".");
        assert_eq!(way("/a/b/c", "/x"), "../../../x");
    }

    #[test]
    fn the_hash_is_that_of_everybody() {
        assert_eq!(hash(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(b"a"), 0xaf63_dc4c_8601_ec8c);
    }
}
