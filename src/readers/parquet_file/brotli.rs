//! Pages that are packed with Brotli, unpacked here: the library would bring the packer along, and its tables, which are a
//! tenth of the readers' program.

use bytes::Bytes;
use parquet::basic::Compression;
use parquet::column::page::Page;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;

/// `chunk` as the library is to see it, where its pages are to be [`unpacked`]; `None`: they are packed otherwise.
///
/// # Errors
/// When the library cannot describe it.
pub(super) fn as_plain(chunk: &ColumnChunkMetaData) -> Result<Option<ColumnChunkMetaData>> {
    if !matches!(chunk.compression(), Compression::BROTLI(_)) {
        return Ok(None);
    }
    chunk.clone().into_builder().set_compression(Compression::UNCOMPRESSED).build().map(Some)
}

/// `page`, unpacked to the `len` bytes that its header declares.
///
/// # Errors
/// When it is damaged.
pub(super) fn unpacked(page: Page, len: u64) -> Result<Page> {
    let whole = |packed: &Bytes| unpack(packed, 0, len);
    Ok(match page {
        Page::DataPage {
            buf,
            num_values,
            encoding,
            def_level_encoding,
            rep_level_encoding,
            statistics,
        } => Page::DataPage {
            buf: whole(&buf)?,
            num_values,
            encoding,
            def_level_encoding,
            rep_level_encoding,
            statistics,
        },
        Page::DataPageV2 {
            buf,
            num_values,
            encoding,
            num_nulls,
            num_rows,
            def_levels_byte_len,
            rep_levels_byte_len,
            is_compressed: true,
            statistics,
        } => Page::DataPageV2 {
            // Levels stand before the values, and are not packed.
            buf: unpack(
                &buf,
                u64::from(def_levels_byte_len) + u64::from(rep_levels_byte_len),
                len,
            )?,
            num_values,
            encoding,
            num_nulls,
            num_rows,
            def_levels_byte_len,
            rep_levels_byte_len,
            is_compressed: false,
            statistics,
        },
        Page::DictionaryPage { buf, num_values, encoding, is_sorted } => {
            Page::DictionaryPage { buf: whole(&buf)?, num_values, encoding, is_sorted }
        }
        page @ Page::DataPageV2 { .. } => page,
    })
}

/// `bytes`, of which the first `n_plain` are not packed, as `len` unpacked ones.
fn unpack(bytes: &Bytes, n_plain: u64, len: u64) -> Result<Bytes> {
    let parts = usize::try_from(n_plain).ok().and_then(|n_plain| bytes.split_at_checked(n_plain));
    let rest = len.checked_sub(n_plain);
    let (Some((plain, packed)), Some(rest)) = (parts, rest) else {
        return Err(wrong("levels reach behind the page"));
    };
    let mut unpacked = plain.to_vec();
    // A page of nulls alone has no values, packed or not.
    if rest > 0 {
        append(&mut unpacked, packed, rest)?;
    }
    if unpacked.len() as u64 != len {
        return Err(wrong("a page unpacks to another size than its header says"));
    }
    Ok(unpacked.into())
}

/// Puts what `packed` unpacks to behind `unpacked`, and no more than a byte more than `len`.
#[cfg(feature = "codecs")]
fn append(unpacked: &mut Vec<u8>, packed: &[u8], len: u64) -> Result<()> {
    use std::io::Read as _;
    const STEP: usize = 32 << 10;
    // What a header declares is no more than a page may hold (`header`).
    unpacked.reserve(usize::try_from(len).unwrap_or_default());
    let mut unpacking =
        brotli_decompressor::Decompressor::new(packed, STEP).take(len.saturating_add(1));
    unpacking.read_to_end(unpacked).map_err(|err| wrong(&err.to_string()))?;
    Ok(())
}

#[cfg(not(feature = "codecs"))]
fn append(_unpacked: &mut Vec<u8>, _packed: &[u8], _len: u64) -> Result<()> {
    Err(wrong("this program cannot unpack it"))
}

fn wrong(reason: &str) -> ParquetError {
    ParquetError::General(format!("brotli: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::unpacked;
    use bytes::Bytes;
    use parquet::basic::Encoding;
    use parquet::column::page::Page;

    /// `abc` as Brotli has it: one block that is not compressed, and the end of the stream (RFC 7932, section 9).
    const PACKED: [u8; 7] = [0x0b, 0x01, 0x80, b'a', b'b', b'c', 0x03];

    fn data(buf: &[u8]) -> Page {
        Page::DataPage {
            buf: Bytes::copy_from_slice(buf),
            num_values: 3,
            encoding: Encoding::PLAIN,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        }
    }

    fn data_v2(buf: &[u8], def_levels_byte_len: u32, is_compressed: bool) -> Page {
        Page::DataPageV2 {
            buf: Bytes::copy_from_slice(buf),
            num_values: 3,
            encoding: Encoding::PLAIN,
            num_nulls: 0,
            num_rows: 3,
            def_levels_byte_len,
            rep_levels_byte_len: 0,
            is_compressed,
            statistics: None,
        }
    }

    fn bytes(page: Page, len: u64) -> Result<Vec<u8>, String> {
        let page = unpacked(page, len).map_err(|err| err.to_string())?;
        Ok(page.buffer().to_vec())
    }

    #[test]
    fn pages_are_unpacked_behind_their_levels() {
        let levels = [&[7, 7], PACKED.as_slice()].concat();
        assert_eq!(bytes(data(&PACKED), 3), Ok(b"abc".to_vec()));
        assert_eq!(bytes(data_v2(&levels, 2, true), 5), Ok(b"\x07\x07abc".to_vec()));
        assert_eq!(bytes(data_v2(&levels, 2, false), 5), Ok(levels));
        assert_eq!(bytes(data_v2(&[7, 7], 2, true), 2), Ok(vec![7, 7]), "nulls alone");
    }

    #[test]
    fn a_page_of_another_size_than_its_header_says_is_damaged() {
        let size = "a page unpacks to another size than its header says";
        let levels = "levels reach behind the page";
        for (page, len, reason) in [
            (data(&PACKED), 2, size),
            (data(&PACKED), 4, size),
            (data_v2(&PACKED, 9, true), 12, levels),
            (data_v2(&PACKED, 2, true), 1, levels),
            (data(&PACKED[..4]), 3, ""),
            (data(&[0xff; 9]), 3, ""),
        ] {
            let err = bytes(page, len).unwrap_err();
            assert!(err.contains("brotli: ") && err.contains(reason), "{err}");
        }
    }
}
