//! One file, looked at: what it is made of, and whose it is.

use super::dataset::{self, Dataset};
use super::lfs::lfs_bytes;
use super::{Claim, Claimed, ContentKeys, Producer as _, Reader, TableLook};
use crate::input::{Error, Form, InputFile, Pulse, Shape, shape};
use crate::model::word::{self, Word};
use serde::{Deserialize, Serialize};

/// What looking at a file gave.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Looked {
    /// Its shape, without its head: that has been seen, and of many files it is much.
    pub shape: Shape,
    /// Whose it is.
    pub whose: Whose,
    /// What it says about what it belongs to, where that was read at once.
    pub keys: Option<ContentKeys>,
    /// Whether opening is likely to read its bytes once more.
    pub is_read_again: bool,
}

/// Files up to this size have their keys read while their bytes are at hand.
const MAX_KEYS_AT_ONCE: u64 = 1 << 20;

/// Whose a file is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Whose {
    /// The reader of this id claims it.
    Reader(#[serde(with = "word")] Word, Claim),
    /// Nobody's, by its content alone.
    Nobody {
        /// Why.
        detail: String,
        /// The bytes of the file that it stands for, when it is a pointer of Git LFS.
        lfs_bytes: Option<u64>,
        /// The tables that it is, by its first rows; `None`: it is none.
        table: Option<TableLook>,
    },
}

/// Looks at `file`, which one of `readers` may claim.
///
/// # Errors
/// When it cannot be read, or the work is cancelled.
pub async fn look(
    readers: &[&dyn Reader],
    file: &InputFile,
    pulse: &Pulse,
) -> Result<Looked, Error> {
    pulse.set_file(&file.path);
    if dataset::is_part(&file.path) {
        let whose = Whose::Reader(Dataset.id(), dataset::part_claim());
        let shape = Shape::of_form(Form::Parquet);
        return Ok(Looked { shape, whose, keys: None, is_read_again: true });
    }
    let shape = shape(file, pulse).await?;
    if let Some((reader, claim)) = sniff(readers, file, &shape) {
        let shape = Shape { head: Vec::new(), ..shape };
        let has_keys = file.len() <= MAX_KEYS_AT_ONCE && reader.is_told_by_content(&claim);
        let is_read_again = reader.is_read_at_opening(file, &claim);
        let keys = has_keys.then(|| {
            let (file, shape, claim) = (file.clone(), shape.clone(), claim.clone());
            reader.content_keys(&Claimed { file, shape, claim })
        });
        return Ok(Looked { shape, whose: Whose::Reader(reader.id(), claim), keys, is_read_again });
    }
    if shape.form == Form::Unseen {
        let whose = Whose::Nobody { detail: unclaimed_text(&shape), lfs_bytes: None, table: None };
        return Ok(Looked { shape, whose, keys: None, is_read_again: true });
    }
    pulse.advance(file.len()).await?;
    let lfs_bytes = lfs_bytes(&shape.head);
    let table = match lfs_bytes {
        None => table(readers, file, &shape).await,
        Some(_) => None,
    };
    let detail = match &table {
        Some(table) if !table.has_result() => table.words(),
        _ => unclaimed_text(&shape),
    };
    let is_read_again = table.is_some();
    let whose = Whose::Nobody { detail, lfs_bytes, table };
    let shape = Shape { head: Vec::new(), ..shape };
    Ok(Looked { shape, whose, keys: None, is_read_again })
}

/// The first reader that claims `file`; none claims by itself one that is empty, or packed and unseen.
fn sniff<'a>(
    readers: &[&'a dyn Reader],
    file: &InputFile,
    shape: &Shape,
) -> Option<(&'a dyn Reader, Claim)> {
    let is_told = !matches!(shape.form, Form::Empty | Form::Unseen);
    let readers = readers.iter().filter(|_| is_told);
    readers.into_iter().find_map(|reader| reader.sniff(file, shape).map(|claim| (*reader, claim)))
}

/// The tables that a file is which nobody claims.
async fn table(readers: &[&dyn Reader], file: &InputFile, shape: &Shape) -> Option<TableLook> {
    for reader in readers.iter().filter(|_| shape.form != Form::Empty) {
        if let Some(found) = reader.as_table(file, shape).await {
            return Some(found);
        }
    }
    None
}

/// What binary data is that nobody claims, by its first bytes.
fn binary_words(head: &[u8]) -> &'static str {
    const KNOWN: [(&[u8], &str); 6] = [
        (b"SQLite format 3\0", "a SQLite database without a row that can be read"),
        (b"\x37\x7f\x06\x82", WAL),
        (b"\x37\x7f\x06\x83", WAL),
        (
            b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7",
            "the journal of a SQLite database, which is not read",
        ),
        (b"ARROW1", "Arrow data without a row that can be read"),
        (b"FEA1", "a table as Feather 1, which is not read: Feather 2 is"),
    ];
    const WAL: &str = "the write-ahead log (-wal) of a SQLite database, which is not read";
    let known = KNOWN.iter().find(|(magic, _)| head.starts_with(magic));
    known.map_or("binary data that is no known format", |(_, words)| words)
}

/// Why a file that nobody claims was not claimed: what it is made of, and its first bytes.
pub fn unclaimed_text(shape: &Shape) -> String {
    const SHOWN: usize = 32;
    let head = shape.head.get(..SHOWN).unwrap_or(&shape.head);
    let text = String::from_utf8_lossy(head);
    let what = match shape.form {
        Form::Empty => return "the file is empty".to_owned(),
        Form::Parquet => "a Parquet file without the columns of a known format",
        Form::Document => "JSON without the keys of a known format",
        Form::Lines => "lines of JSON without the keys of a known format",
        Form::Text => "text that is no known format",
        Form::Binary => binary_words(&shape.head),
        Form::Unseen => return "a packed file of an archive that is no known format".to_owned(),
    };
    let cut = shape
        .outline
        .cut
        .as_ref()
        .map_or(String::new(), |err| format!("; {} at byte {}", err.reason(), err.at()));
    format!("{what}{cut}; it starts with {text:?}")
}
