//! Unwrapping.

use super::dropped;
use evalglass::input::{Dropped, InputFile, Limits, Pulse, ReadAt, open};
use evalglass::model::{Note, NoteKind, Notes};
use flate2::{Compression, write::GzEncoder};
use pollster::block_on;
use proptest::prelude::*;
use std::cell::Cell;
use std::io::{Cursor, Write as _};
use std::rc::Rc;
use zip::CompressionMethod;
use zip::write::{SimpleFileOptions, ZipWriter};

const TEXT: &[u8] = b"{\"a\": 1}\n";

pub(super) fn open_with(limits: &Limits, files: Vec<Dropped>) -> (Vec<InputFile>, Vec<Note>) {
    let notes = Notes::default();
    let mut next_id = 7;
    let files = block_on(open(files, &mut next_id, limits, &notes, &Pulse::silent())).unwrap();
    assert!(files.iter().map(|file| file.id.0).eq(7..next_id));
    (files, notes.into_vec())
}

pub(super) fn open_one(path: &str, bytes: impl AsRef<[u8]>) -> (Vec<InputFile>, Vec<Note>) {
    open_with(&Limits::default(), vec![dropped(path, bytes)])
}

/// Paths and contents of what was opened without a note.
pub(super) fn contents(path: &str, bytes: impl AsRef<[u8]>) -> Vec<(String, Vec<u8>)> {
    let (files, notes) = open_one(path, bytes);
    assert_eq!(notes, []);
    files.iter().map(|file| (file.path.clone(), file.all_bytes().unwrap())).collect()
}

fn one(path: &str, bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    vec![(path.to_owned(), bytes.to_vec())]
}

pub(super) fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(super) fn zst(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

fn zip(method: CompressionMethod, entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, bytes) in entries {
        let options = SimpleFileOptions::default().compression_method(method);
        writer.start_file(*path, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn deflated(entries: &[(&str, &[u8])]) -> Vec<u8> {
    zip(CompressionMethod::Deflated, entries)
}

pub(super) fn facts(notes: &[Note]) -> Vec<(&str, NoteKind, &str)> {
    notes.iter().map(|note| (note.file.as_str(), note.kind, note.detail.as_str())).collect()
}

#[test]
fn wrapped_files_come_out_by_content_not_by_name() {
    assert_eq!(contents("d/a.jsonl", TEXT), one("d/a.jsonl", TEXT));
    assert_eq!(contents("d/a.jsonl.gz", gz(TEXT)), one("d/a.jsonl", TEXT));
    assert_eq!(contents("d/a.jsonl.ZST", zst(TEXT)), one("d/a.jsonl", TEXT));
    assert_eq!(contents("d/a.jsonl", gz(&zst(TEXT))), one("d/a.jsonl", TEXT));
    assert_eq!(contents("d/fake.gz", TEXT), one("d/fake.gz", TEXT));
    assert_eq!(contents("d/.gz", gz(TEXT)), one("d/.gz", TEXT));
    assert_eq!(contents("d/a", b""), one("d/a", b""));
}

#[test]
fn several_members_and_frames_are_one_file() {
    let twice = [TEXT, TEXT].concat();
    assert_eq!(contents("a.gz", [gz(TEXT), gz(TEXT)].concat()), one("a", &twice));
    assert_eq!(contents("a.zst", [zst(TEXT), zst(TEXT)].concat()), one("a", &twice));
}

#[test]
fn a_zip_is_a_folder() {
    for method in [CompressionMethod::Deflated, CompressionMethod::Stored] {
        let inner = gz(TEXT);
        let nested = deflated(&[("deep.json", TEXT)]);
        let bytes = zip(
            method,
            &[("run/a.json", TEXT), ("run/b.jsonl.gz", &inner), ("c.zip", &nested), ("e", b"")],
        );
        let expected = [
            ("z.zip/run/a.json", TEXT),
            ("z.zip/run/b.jsonl", TEXT),
            ("z.zip/c.zip/deep.json", TEXT),
            ("z.zip/e", b""),
        ]
        .map(|(path, bytes)| (path.to_owned(), bytes.to_vec()));
        assert_eq!(contents("z.zip", bytes), expected);
    }
}

#[test]
fn pruned_folders_of_a_zip_are_counted() {
    let bytes = deflated(&[
        ("run/snapshot/a.py", b"1"),
        ("run/snapshot/deep/agent/b.py", b"2"),
        ("run/node_modules/x.js", b"3"),
        ("run/agent", TEXT),
        ("__MACOSX/run/._agent", b"4"),
    ]);
    let (files, notes) = open_one("z.zip", bytes);
    assert_eq!(
        files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(),
        ["z.zip/run/agent"]
    );
    assert_eq!(
        facts(&notes),
        [
            ("z.zip/run/node_modules", NoteKind::Skipped, "left out 1 file in `node_modules`"),
            ("z.zip/run/snapshot", NoteKind::Skipped, "left out 2 files in `snapshot`"),
        ]
    );
}

#[test]
fn paths_of_a_zip_stay_inside_it() {
    let bytes = deflated(&[
        ("../../etc/passwd", TEXT),
        ("/root.json", TEXT),
        ("C:\\win\\a.json", TEXT),
        ("./b//c.json", TEXT),
    ]);
    let paths: Vec<_> = contents("z.zip", bytes).into_iter().map(|(path, _)| path).collect();
    assert_eq!(
        paths,
        ["z.zip/etc/passwd", "z.zip/root.json", "z.zip/win/a.json", "z.zip/b/c.json"]
    );
}

#[test]
fn utf16_and_byte_order_marks_are_taken_off() {
    let text = "{\"a\": \"\u{e9}\u{1f600}\"}\r\n";
    let utf16 = |is_big_endian: bool| -> Vec<u8> {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        units
            .flat_map(|unit| if is_big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() })
            .collect()
    };
    assert_eq!(contents("a", utf16(false)), one("a", text.as_bytes()));
    assert_eq!(contents("a", utf16(true)), one("a", text.as_bytes()));
    assert_eq!(contents("a", ["\u{feff}", text].concat()), one("a", text.as_bytes()));
    assert_eq!(contents("a.gz", gz(&utf16(false))), one("a", text.as_bytes()));
}

#[test]
fn a_long_utf16_text_survives_its_steps() {
    let text = format!("x{}", "\u{1f600}".repeat(600_000));
    let bytes: Vec<u8> =
        std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(contents("a", bytes), one("a", text.as_bytes()));
}

#[test]
fn of_a_truncated_gzip_the_start_stays() {
    let text = "{\"a\": 1}\n".repeat(100_000);
    for whole in [gz(text.as_bytes()), zst(text.as_bytes())] {
        let mut noise = whole.clone();
        noise.truncate(whole.len() - 6);
        let (files, notes) = open_one("a.gz", &noise);
        assert_eq!(files.len(), 1, "{notes:?}");
        assert!(text.as_bytes().starts_with(&files[0].all_bytes().unwrap()));
        assert_eq!(notes.len(), 1);
        assert_eq!(notes[0].kind, NoteKind::Truncated, "{notes:?}");
    }
}

#[test]
fn damaged_data_costs_only_its_file() {
    let mut broken_zip = deflated(&[("a.json", TEXT), ("b.json", TEXT)]);
    let at = broken_zip.windows(6).position(|part| part == b"a.json").unwrap() + 6;
    broken_zip[at] ^= 0xff;
    let cut_zip = &deflated(&[("a.json", TEXT)])[..30];
    let mut broken_gz = gz(TEXT);
    broken_gz[10] = 0xff;
    let (files, notes) = open_with(
        &Limits::default(),
        vec![
            dropped("cut.zip", cut_zip),
            dropped("broken.zip", &broken_zip),
            dropped("broken.gz", &broken_gz),
            dropped("broken.zst", &zst(TEXT)[..5]),
            dropped("fine.json", TEXT),
        ],
    );
    let paths: Vec<_> = files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["broken.zip/b.json", "fine.json"]);
    let named: Vec<_> = notes.iter().map(|note| (note.file.as_str(), note.kind)).collect();
    assert_eq!(
        named,
        ["cut.zip", "broken.zip/a.json", "broken.gz", "broken.zst"]
            .map(|path| (path, NoteKind::Broken))
    );
    assert!(notes.iter().all(|note| !note.detail.ends_with('.')), "{notes:?}");
}

#[test]
fn a_wrong_checksum_in_a_zip_is_named() {
    let mut bytes = deflated(&[("a.json", TEXT)]);
    let at = bytes.windows(4).position(|part| part == b"PK\x01\x02").unwrap();
    bytes[at + 16] ^= 1;
    let (files, notes) = open_one("z.zip", &bytes);
    assert_eq!(files.len(), 1);
    assert_eq!(facts(&notes)[0].2, "the checksum in the zip does not match");
}

#[test]
fn bombs_hit_the_limit_and_cost_only_themselves() {
    let limits =
        Limits { max_expanded_bytes: 100_000, max_expansion_ratio: 20, ..Limits::default() };
    let zeros = vec![0; 90_000];
    let (files, notes) = open_with(
        &limits,
        vec![
            dropped("bomb.gz", gz(&zeros)),
            dropped("bomb.zst", zst(&zeros)),
            dropped("bomb.zip", deflated(&[("zeros", &zeros), ("fine.json", TEXT)])),
            dropped("fine.json", TEXT),
        ],
    );
    let paths: Vec<_> = files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["bomb.zip/fine.json", "fine.json"]);
    let found = facts(&notes);
    let detail = |format| format!("{format} data expands past the limit of 12500 bytes");
    assert_eq!(found[0], ("bomb.gz", NoteKind::Limit, detail("gzip").as_str()));
    assert_eq!(found[1], ("bomb.zst", NoteKind::Limit, detail("zstd").as_str()));
    assert_eq!(found[2], ("bomb.zip/zeros", NoteKind::Limit, detail("zip").as_str()));
}

#[test]
fn one_drop_shares_one_budget() {
    let limits =
        Limits { max_expanded_bytes: 1_000, max_expansion_ratio: 1_000, ..Limits::default() };
    let part = gz(&[b'x'; 400]);
    let drops = ["a.gz", "b.gz", "c.gz"].map(|path| dropped(path, &part));
    let (files, notes) = open_with(&limits, drops.into());
    assert_eq!((files.len(), notes.len()), (2, 1));
    assert_eq!((notes[0].file.as_str(), notes[0].kind), ("c.gz", NoteKind::Limit));
}

#[test]
fn archives_with_too_many_files_are_read_up_to_the_limit() {
    let limits = Limits { max_archive_files: 2, ..Limits::default() };
    let bytes = deflated(&[("a", TEXT), ("snapshot/x", TEXT), ("b", TEXT), ("c", TEXT)]);
    let (files, notes) = open_with(&limits, vec![dropped("z.zip", bytes)]);
    assert_eq!(files.len(), 2);
    let detail = "left out 1 file past the limit of 2 in one archive";
    assert_eq!(facts(&notes)[1], ("z.zip", NoteKind::Limit, detail));
}

#[test]
fn wrappings_in_wrappings_end_somewhere() {
    let mut bytes = TEXT.to_vec();
    for _ in 0..5 {
        bytes = deflated(&[("z.zip", &bytes)]);
    }
    let (files, notes) = open_one("z.zip", bytes);
    assert_eq!((files.len(), notes.len()), (0, 1));
    assert_eq!(notes[0].detail, "it is wrapped more than 4 times");
}

#[test]
fn an_unwrapped_file_does_not_take_anothers_name() {
    let (files, _) = open_with(
        &Limits::default(),
        vec![
            dropped("a.json.gz", gz(TEXT)),
            dropped("a.json", TEXT),
            dropped("a.json.zst", zst(TEXT)),
        ],
    );
    let paths: Vec<_> = files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["a.json.gz", "a.json", "a.json.zst"]);
}

/// A large file of which only the first bytes may be read.
struct Untouched(Rc<Cell<usize>>);

impl ReadAt for Untouched {
    fn len(&self) -> u64 {
        1 << 40
    }

    fn read_at(&self, _: u64, buf: &mut [u8]) -> std::io::Result<()> {
        self.0.set(self.0.get() + buf.len());
        buf.fill(b'x');
        Ok(())
    }
}

/// A file that vanished.
struct Gone;

impl ReadAt for Gone {
    fn len(&self) -> u64 {
        10
    }

    fn read_at(&self, _: u64, _: &mut [u8]) -> std::io::Result<()> {
        Err(std::io::Error::other("it has vanished"))
    }
}

#[test]
fn bare_files_are_not_read() {
    let n_read = Rc::new(Cell::new(0));
    let big = Dropped { path: "big".to_owned(), data: Rc::new(Untouched(Rc::clone(&n_read))) };
    let gone = Dropped { path: "gone".to_owned(), data: Rc::new(Gone) };
    let (files, notes) = open_with(&Limits::default(), vec![big, gone]);
    assert_eq!((files.len(), n_read.get()), (1, 512));
    assert_eq!(facts(&notes), [("gone", NoteKind::NotRead, "cannot be read: it has vanished")]);
}

#[test]
fn a_cancelled_opening_ends_with_an_error() {
    let pulse = Pulse::new(|_| Box::pin(async { false }));
    let drops = vec![dropped("a.gz", gz(&vec![b'x'; 9 << 20]))];
    let ended = block_on(open(drops, &mut 0, &Limits::default(), &Notes::default(), &pulse));
    assert!(ended.is_err_and(|err| err.is_cancelled()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn damage_anywhere_does_no_harm(
        which in 0_usize..3,
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut: prop::sample::Index,
    ) {
        let text = "{\"a\": [1, 2, 3]}\n".repeat(50);
        let mut bytes = match which {
            0 => gz(text.as_bytes()),
            1 => zst(text.as_bytes()),
            _ => deflated(&[("a.json", text.as_bytes()), ("b/c.json", text.as_bytes())]),
        };
        for (at, byte) in flips {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        open_one("f", &bytes);
        open_one("f", &bytes[..cut.index(bytes.len())]);
    }
}
