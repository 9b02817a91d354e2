//! Files of other writers: `tests/fixtures/parquet`, made by `scripts/parquet_fixtures.py`.

use super::super::pages::RowGroup;
use super::{ParquetFile, ask_everything, input, records};
use parquet::arrow::arrow_reader::RowGroups as _;
use parquet::basic::{Compression, Encoding, PageType};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// The files, by name, with their bytes.
fn files() -> Vec<(String, Vec<u8>)> {
    let folder = folder();
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = names
        .filter(|path| path.extension().is_some_and(|ext| ext == "parquet"))
        .map(|path| {
            (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap())
        })
        .collect();
    files.sort();
    files
}

fn folder() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "fixtures", "parquet"].iter().collect()
}

/// The rows of the file called `name`.
fn rows_of(name: &str) -> Vec<Map<String, Value>> {
    let (table, _) = name.split_once('-').unwrap();
    let text = fs::read_to_string(folder().join(format!("{table}.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn every_file_opens_to_the_table_that_was_written() {
    let files = files();
    assert!(files.len() > 90, "only {}", files.len());
    for (name, bytes) in files {
        let (found, expected) = (records(bytes), rows_of(&name));
        assert_eq!(found.len(), expected.len(), "{name}");
        for (at, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert_eq!(found, expected, "{name}, row {at}");
        }
    }
}

#[test]
fn the_files_are_of_every_encoding_codec_and_page() {
    let (mut encodings, mut codecs, mut pages) =
        (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (_, bytes) in files() {
        let file = ParquetFile::open(&input(bytes)).unwrap();
        let opened = &file.opened;
        for at in 0..opened.footer.metadata().num_row_groups() {
            let group = RowGroup::new(opened.source.clone(), &opened.footer, at);
            for (at, chunk) in group.row_groups().next().unwrap().columns().iter().enumerate() {
                codecs.insert(match chunk.compression() {
                    Compression::ZSTD(_) => "ZSTD".to_owned(),
                    Compression::GZIP(_) => "GZIP".to_owned(),
                    Compression::BROTLI(_) => "BROTLI".to_owned(),
                    other => other.to_string(),
                });
                let mut columns = group.column_chunks(at).unwrap();
                for page in columns.next().unwrap().unwrap() {
                    let page = page.unwrap();
                    pages.insert(page.page_type().to_string());
                    if page.page_type() != PageType::DICTIONARY_PAGE {
                        encodings.insert(page.encoding());
                    }
                }
            }
        }
    }
    let expected = [
        Encoding::PLAIN,
        Encoding::RLE,
        Encoding::DELTA_BINARY_PACKED,
        Encoding::DELTA_LENGTH_BYTE_ARRAY,
        Encoding::DELTA_BYTE_ARRAY,
        Encoding::RLE_DICTIONARY,
        Encoding::BYTE_STREAM_SPLIT,
    ];
    assert!(expected.iter().all(|encoding| encodings.contains(encoding)), "{encodings:?}");
    let expected = ["BROTLI", "GZIP", "LZ4_RAW", "SNAPPY", "UNCOMPRESSED", "ZSTD"];
    assert_eq!(Vec::from_iter(codecs), expected);
    assert_eq!(Vec::from_iter(pages), ["DATA_PAGE", "DATA_PAGE_V2", "DICTIONARY_PAGE"]);
}

/// Numbers that follow from each other: the same for every run of the test.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        // Constants of Knuth's MMIX generator; its upper bits are the good ones.
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % n as u64).unwrap()
    }
}

#[test]
fn damage_is_an_error_of_its_file_alone() {
    const CASES_EACH: usize = 24;
    let mut dice = Dice(11);
    for (name, bytes) in files() {
        let n_rows = rows_of(&name).len();
        for at in 0..CASES_EACH {
            let mut bytes = bytes.clone();
            match at % 3 {
                // Cut off, the footer at its place or not.
                0 => {
                    let start = dice.below(bytes.len());
                    let len = dice.below(bytes.len() - start).max(1);
                    bytes.drain(start..start + len);
                }
                // Bytes of pages and of the footer.
                n_rounds => {
                    for _ in 0..n_rounds * n_rounds * 4 {
                        let place = dice.below(bytes.len());
                        bytes[place] ^= u8::try_from(1 + dice.below(255)).unwrap();
                    }
                }
            }
            let found = ask_everything(&input(bytes), 7);
            // Each row forwards, and some backwards.
            assert!(found.len() <= 2 * n_rows.max(64), "{name} {at}: {} rows", found.len());
        }
    }
    // The one that is whole is read all the same.
    let (name, bytes) = files().swap_remove(0);
    assert_eq!(records(bytes), rows_of(&name));
}
