//! Pages behind their headers, packed with snappy.
//!
//! Format: `PageHeader` in `parquet.thrift` and `Compression.md` of parquet-format.

use super::thrift;
use snap::raw::Encoder;
use std::io;

/// `SNAPPY` among parquet-format's codecs.
pub(super) const CODEC: i32 = 1;

/// Page types of parquet-format.
const DATA_PAGE: i32 = 0;
const DICTIONARY_PAGE: i32 = 2;

/// How values are encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    /// One behind the other.
    Plain,
    /// As places in the dictionary.
    Dictionary,
}

/// A page that is not packed yet.
pub(super) struct Page {
    /// How its values are encoded.
    pub(super) encoding: Encoding,
    /// Values, with those that are null.
    pub(super) n_values: usize,
    /// Levels and values.
    pub(super) bytes: Vec<u8>,
}

/// The pages of one column of a row group.
pub(super) struct Pages {
    /// What the data page's places are places in.
    pub(super) dictionary: Option<Page>,
    /// The only data page.
    pub(super) data: Page,
}

/// Where the pages of one column of a row group lie, for the footer.
pub(super) struct Chunk {
    /// Where the dictionary's header starts in the file.
    pub(super) dictionary_at: Option<i64>,
    /// Where the data page's header starts in the file.
    pub(super) data_at: i64,
    /// Bytes of headers and pages in the file.
    pub(super) packed_len: i64,
    /// Bytes of headers and pages once unpacked.
    pub(super) len: i64,
    /// How the values of the data page are encoded.
    pub(super) encoding: Encoding,
    /// Rows.
    pub(super) n_values: i64,
    /// Rows without a value.
    pub(super) n_nulls: i64,
}

impl Encoding {
    /// `RLE` of parquet-format, in which levels stand.
    pub(super) const LEVELS: i32 = 3;

    /// parquet-format's number: `PLAIN` or `RLE_DICTIONARY`.
    pub(super) const fn number(self) -> i32 {
        match self {
            Self::Plain => 0,
            Self::Dictionary => 8,
        }
    }
}

impl Pages {
    /// Appends the pages to `out`, which becomes the file from byte `start` on.
    ///
    /// # Errors
    /// When a page is longer than the format can say.
    pub(super) fn write(&self, start: u64, n_nulls: usize, out: &mut Vec<u8>) -> io::Result<Chunk> {
        let (before, mut len) = (out.len(), 0);
        let at = |out: &Vec<u8>| whole(start + (out.len() - before) as u64);
        let dictionary_at = match &self.dictionary {
            Some(page) => {
                let place = at(out)?;
                len += page.write(DICTIONARY_PAGE, out)?;
                Some(place)
            }
            None => None,
        };
        let data_at = at(out)?;
        len += self.data.write(DATA_PAGE, out)?;
        Ok(Chunk {
            dictionary_at,
            data_at,
            packed_len: whole((out.len() - before) as u64)?,
            len: whole(len as u64)?,
            encoding: self.data.encoding,
            n_values: whole(self.data.n_values as u64)?,
            n_nulls: whole(n_nulls as u64)?,
        })
    }
}

impl Page {
    /// Appends header and packed page to `out`, and returns their bytes once unpacked.
    fn write(&self, kind: i32, out: &mut Vec<u8>) -> io::Result<usize> {
        let packed = Encoder::new().compress_vec(&self.bytes)?;
        let size = |n: usize| i32::try_from(n).map_err(io::Error::other);
        let (len, packed_len) = (size(self.bytes.len())?, size(packed.len())?);
        let n_values = size(self.n_values)?;
        let start = out.len();
        thrift::structure(out, |page| {
            page.i32(1, kind);
            page.i32(2, len);
            page.i32(3, packed_len);
            if kind == DICTIONARY_PAGE {
                page.structure(7, |dictionary| {
                    dictionary.i32(1, n_values);
                    dictionary.i32(2, self.encoding.number());
                });
            } else {
                page.structure(5, |data| {
                    data.i32(1, n_values);
                    data.i32(2, self.encoding.number());
                    data.i32(3, Encoding::LEVELS);
                    data.i32(4, Encoding::LEVELS);
                });
            }
        });
        let header_len = out.len() - start;
        out.extend(packed);
        Ok(header_len + self.bytes.len())
    }
}

/// A place or a number of things as the format's integers hold it.
pub(super) fn whole(n: u64) -> io::Result<i64> {
    i64::try_from(n).map_err(io::Error::other)
}
