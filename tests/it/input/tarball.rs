//! Tars: what GNU tar, Python and bsdtar write, damage, and what is refused.

use super::dropped;
use super::open::{contents, facts, gz, open_one, open_with, zst};
use evalglass::input::{Dropped, Limits, Pulse, ReadAt, open};
use evalglass::model::{NoteKind, Notes};
use pollster::block_on;
use proptest::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;
use tar::{Builder, EntryType, Header};

const TEXT: &[u8] = b"{\"a\": 1}\n";

fn header(kind: EntryType, size: u64) -> Header {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_size(size);
    header.set_mode(0o644);
    header
}

fn add(builder: &mut Builder<Vec<u8>>, path: &str, bytes: &[u8]) {
    let mut header = header(EntryType::Regular, bytes.len() as u64);
    builder.append_data(&mut header, path, bytes).unwrap();
}

fn tar(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = Builder::new(Vec::new());
    entries.iter().for_each(|(path, bytes)| add(&mut builder, path, bytes));
    builder.into_inner().unwrap()
}

/// An entry as it is, its name raw: no library writes `..`.
fn raw(kind: EntryType, name: &[u8], size: u64, bytes: &[u8]) -> Vec<u8> {
    let mut header = header(kind, size);
    header.as_mut_bytes()[..name.len()].copy_from_slice(name);
    header.set_cksum();
    let mut entry = header.as_bytes().to_vec();
    entry.extend(bytes);
    entry.resize(entry.len().next_multiple_of(512), 0);
    entry
}

fn pax(members: &[(&str, &str)]) -> Vec<u8> {
    let mut text = Vec::new();
    for (key, value) in members {
        let rest = key.len() + value.len() + 3;
        let length = (rest..).find(|length| length.to_string().len() + rest == *length).unwrap();
        text.extend(format!("{length} {key}={value}\n").bytes());
    }
    raw(EntryType::XHeader, b"PaxHeaders/x", text.len() as u64, &text)
}

fn ended(parts: &[Vec<u8>]) -> Vec<u8> {
    [parts.concat(), vec![0; 1024]].concat()
}

fn paths(path: &str, bytes: &[u8]) -> Vec<String> {
    open_one(path, bytes).0.into_iter().map(|file| file.path).collect()
}

#[test]
fn a_tar_is_a_folder_in_any_wrapping() {
    let long = format!("run/{}/results.jsonl", "deep/".repeat(40));
    let inner = tar(&[("deep.json", TEXT)]);
    let bytes = tar(&[
        ("run/a.json", TEXT),
        ("run/b.jsonl.gz", &gz(TEXT)),
        (&long, TEXT),
        ("c.tar", &inner),
        ("e", b""),
    ]);
    let expected = |folder: &str| {
        [
            ("run/a.json", TEXT),
            ("run/b.jsonl", TEXT),
            (&long, TEXT),
            ("c.tar/deep.json", TEXT),
            ("e", b""),
        ]
        .map(|(path, bytes)| (format!("{folder}/{}", path.replace("//", "/")), bytes.to_vec()))
    };
    assert_eq!(contents("t.tar", &bytes), expected("t.tar"));
    assert_eq!(contents("t.tar.gz", gz(&bytes)), expected("t.tar"));
    assert_eq!(contents("t.tar.zst", zst(&bytes)), expected("t.tar"));
    // By content, not by name.
    assert_eq!(contents("t.tgz", gz(&bytes)), expected("t.tgz"));
    assert_eq!(contents("results", &bytes), expected("results"));
}

#[test]
fn the_oldest_form_is_known_by_its_checksum() {
    let mut header = Header::new_old();
    header.set_path("old.json").unwrap();
    header.set_size(TEXT.len() as u64);
    header.set_entry_type(EntryType::Regular);
    header.set_cksum();
    let mut bytes = header.as_bytes().to_vec();
    bytes.extend(TEXT);
    bytes.resize(2048, 0);
    assert_eq!(contents("t", bytes), [("t/old.json".to_owned(), TEXT.to_vec())]);
}

#[test]
fn pax_paths_and_sizes_come_before_the_header_s() {
    let big = 9 << 30;
    let bytes = ended(&[
        // A global header, as git writes, says nothing about a file.
        raw(EntryType::XGlobalHeader, b"pax_global_header", 0, b""),
        // A value may hold a line feed: only the length ends it.
        pax(&[("SCHILY.xattr.user.x", "1\n2 path=no\n"), ("path", "run/é\u{1f600}.json")]),
        raw(EntryType::Regular, b"short", TEXT.len() as u64, TEXT),
        // A header that says another size than its pax header.
        pax(&[("size", &TEXT.len().to_string())]),
        raw(EntryType::Regular, b"sized.json", big, TEXT),
        raw(EntryType::Regular, b"last.json", TEXT.len() as u64, TEXT),
    ]);
    let found = contents("t", bytes);
    let expected = ["t/run/é\u{1f600}.json", "t/sized.json", "t/last.json"];
    assert_eq!(found, expected.map(|path| (path.to_owned(), TEXT.to_vec())));
}

#[test]
fn links_sparse_files_and_devices_are_refused_by_name() {
    let mut sparse = header(EntryType::GNUSparse, TEXT.len() as u64);
    sparse.set_path("sparse.json").unwrap();
    sparse.as_gnu_mut().unwrap().set_is_extended(true);
    sparse.set_cksum();
    let mut more = [0; 1024];
    more[504] = 1;
    let mut of_sparse = TEXT.to_vec();
    of_sparse.resize(512, 0);
    let bytes = ended(&[
        raw(EntryType::Symlink, b"to.json", 0, b""),
        // Some tools state the size of what is linked, though nothing follows.
        raw(EntryType::Link, b"hard.json", 5_000, b""),
        sparse.as_bytes().to_vec(),
        more.to_vec(),
        of_sparse,
        pax(&[("GNU.sparse.major", "1"), ("GNU.sparse.name", "run/holes.json")]),
        raw(EntryType::Regular, b"GNUSparseFile.0/x", 9, TEXT),
        raw(EntryType::Fifo, b"pipe", 0, b""),
        raw(EntryType::new(b'M'), b"rest", 0, b""),
        raw(EntryType::Directory, b"run/", 0, b""),
        pax(&[]).iter().copied().chain(raw(EntryType::Regular, b"fine.json", 9, TEXT)).collect(),
        raw(EntryType::XHeader, b"x", 9, b"99 path=a"),
        raw(EntryType::Regular, b"unnamed.json", 9, TEXT),
    ]);
    let (files, notes) = open_one("t.tar", bytes);
    assert_eq!(
        files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(),
        ["t.tar/fine.json"]
    );
    let sparse = "it is a sparse file, of which a tar holds only the parts";
    let expected = [
        ("t.tar/to.json", "it is a symbolic link"),
        ("t.tar/hard.json", "it is a hard link to another file of the tar"),
        ("t.tar/sparse.json", sparse),
        ("t.tar/run/holes.json", sparse),
        ("t.tar/pipe", "it is a device"),
        ("t.tar/rest", "its type is not known"),
        ("t.tar/unnamed.json", "its extended header is damaged"),
    ];
    assert_eq!(facts(&notes), expected.map(|(path, why)| (path, NoteKind::Broken, why)));
}

#[test]
fn names_stay_inside_and_unrelated_folders_are_counted() {
    let bytes = ended(&[
        raw(EntryType::Regular, b"../../etc/passwd", 9, TEXT),
        raw(EntryType::Regular, b"/root.json", 9, TEXT),
        raw(EntryType::Regular, b"./run/./a.json", 9, TEXT),
        raw(EntryType::Regular, b"./run/._a.json", 9, TEXT),
        raw(EntryType::Regular, b"run/node_modules/a.json", 9, TEXT),
        raw(EntryType::Regular, b"run/a.json", 3, b"{}\n"),
        // A folder in the oldest form: a name that ends in a slash.
        raw(EntryType::Regular, b"run/", 0, b""),
    ]);
    let (files, notes) = open_one("t.tar", bytes);
    let found: Vec<_> = files.iter().map(|file| (file.path.as_str(), file.len())).collect();
    assert_eq!(found, [("t.tar/etc/passwd", 9), ("t.tar/root.json", 9), ("t.tar/run/a.json", 3)]);
    let twice = "it stands in the tar more than once: the last one counts, as in unpacking";
    assert_eq!(
        facts(&notes),
        [
            ("t.tar/run/node_modules", NoteKind::Skipped, "left out 1 file in `node_modules`"),
            ("t.tar/run/a.json", NoteKind::Duplicate, twice),
        ]
    );
}

#[test]
fn a_cut_tar_keeps_what_is_there() {
    let whole = tar(&[("a.json", TEXT), ("b.jsonl", &[b'x'; 900])]);
    let told = |len: usize| {
        let (files, notes) = open_one("t", &whole[..len]);
        let notes: Vec<_> =
            notes.iter().map(|note| format!("{}: {}", note.file, note.detail)).collect();
        (files.iter().map(|file| file.len()).collect::<Vec<_>>(), notes.join(", "))
    };
    // a: header 0, bytes 512; b: header 1024, bytes 1536 to 2436, filled up to 2560; end mark.
    assert_eq!(told(whole.len()), (vec![9, 900], String::new()));
    let unmarked = "t: the tar has no end mark: files may be missing at its end";
    assert_eq!(told(2560), (vec![9, 900], unmarked.to_owned()));
    assert_eq!(told(2500), (vec![9, 900], unmarked.to_owned()));
    assert_eq!(
        told(1600),
        (vec![9, 64], "t/b.jsonl: the tar ends inside it, 64 of 900 bytes are there".to_owned())
    );
    assert_eq!(told(1100), (vec![9], "t: the tar ends inside the header of a file".to_owned()));
    assert_eq!(told(1024), (vec![9], unmarked.to_owned()));
    assert_eq!(
        told(515),
        (vec![3], "t/a.json: the tar ends inside it, 3 of 9 bytes are there".to_owned())
    );
    assert_eq!(told(300), (vec![], "t: the tar ends inside the header of a file".to_owned()));
}

#[test]
fn a_damaged_header_costs_its_own_file() {
    let whole = tar(&[("a.json", TEXT), ("b.json", TEXT), ("c.json", TEXT)]);
    let mut middle = whole.clone();
    middle[1024] ^= 1;
    assert_eq!(paths("t", &middle), ["t/a.json", "t/c.json"]);
    let detail =
        "the checksum of a header in the tar does not match, it goes on with the one at byte 2048";
    assert_eq!(facts(&open_one("t", &middle).1), [("t", NoteKind::Broken, detail)]);
    let mut last = whole.clone();
    last[2048] ^= 1;
    assert_eq!(paths("t", &last), ["t/a.json", "t/b.json"]);
    let detail = "the checksum of a header in the tar does not match, nothing after it can be read";
    assert_eq!(facts(&open_one("t", &last).1), [("t", NoteKind::Broken, detail)]);
    let mut only = tar(&[("a.json", TEXT)]);
    only[0] ^= 1;
    let detail = "damaged tar data: the checksum of its first header does not match";
    assert_eq!(facts(&open_one("t", &only).1), [("t", NoteKind::Broken, detail)]);
}

#[test]
fn claims_beyond_the_tar_take_no_memory() {
    let bytes = [raw(EntryType::Regular, b"huge.json", 1 << 62, TEXT)].concat();
    let (files, notes) = open_one("t", bytes);
    assert_eq!(files[0].len(), 512);
    let detail = "the tar ends inside it, 512 of 4611686018427387904 bytes are there";
    assert_eq!(facts(&notes), [("t/huge.json", NoteKind::Truncated, detail)]);
    let named = ended(&[raw(EntryType::GNULongName, b"L", 1 << 40, b"x")]);
    let (files, notes) = open_one("t", named);
    assert_eq!(files.len(), 0);
    let detail = "the tar ends inside a file that is left out";
    assert_eq!(facts(&notes), [("t", NoteKind::Truncated, detail)]);
    let name = vec![b'n'; (1 << 20) + 1];
    let long = ended(&[
        raw(EntryType::GNULongName, b"L", name.len() as u64, &name),
        raw(EntryType::Regular, b"n", 9, TEXT),
        raw(EntryType::Regular, b"fine.json", 9, TEXT),
    ]);
    let (files, notes) = open_one("t", long);
    assert_eq!(files[0].path, "t/fine.json");
    assert_eq!(facts(&notes), [("t/n", NoteKind::Broken, "its name is longer than 1 MiB")]);
}

#[test]
fn limits_hold_for_tars_too() {
    let limits = Limits { max_archive_files: 2, ..Limits::default() };
    let bytes = tar(&[("a", TEXT), ("snapshot/x", TEXT), ("b", TEXT), ("c", TEXT)]);
    let (files, notes) = open_with(&limits, vec![dropped("t.tar", bytes)]);
    assert_eq!(files.len(), 2);
    let detail = "left out 1 file past the limit of 2 in one archive";
    assert_eq!(facts(&notes)[1], ("t.tar", NoteKind::Limit, detail));
    let mut nested = TEXT.to_vec();
    for _ in 0..5 {
        nested = tar(&[("t.tar", &nested)]);
    }
    let (files, notes) = open_one("t.tar", nested);
    assert_eq!((files.len(), notes[0].detail.as_str()), (0, "it is wrapped more than 4 times"));
    let (_, notes) = open_one("t.tar", ended(&[]));
    assert!(notes.iter().all(|note| note.kind != NoteKind::Broken), "{notes:?}");
}

/// Counts what is read of it.
struct Counted {
    bytes: Vec<u8>,
    n_read: Rc<RefCell<u64>>,
}

impl ReadAt for Counted {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> std::io::Result<()> {
        let start = usize::try_from(offset).unwrap();
        let part =
            self.bytes.get(start..start + buf.len()).ok_or(std::io::ErrorKind::UnexpectedEof)?;
        *self.n_read.borrow_mut() += buf.len() as u64;
        buf.copy_from_slice(part);
        Ok(())
    }
}

#[test]
fn files_of_a_tar_stay_where_they_are() {
    let big = vec![b'x'; 4 << 20];
    let bytes = tar(&[("a", &big), ("b", &big), ("c", TEXT)]);
    let n_read = Rc::new(RefCell::new(0));
    let data = Rc::new(Counted { bytes, n_read: Rc::clone(&n_read) });
    let (files, notes) =
        open_with(&Limits::default(), vec![Dropped { path: "t".to_owned(), data }]);
    assert_eq!((files.len(), notes.len()), (3, 0));
    // Three headers and the first block of each file, not their 8 MiB.
    assert!(*n_read.borrow() < 200_000, "{}", n_read.borrow());
    assert_eq!(files[2].all_bytes().unwrap(), TEXT);
}

#[test]
fn listing_a_tar_can_be_cancelled() {
    let entries: Vec<String> = (0..3000).map(|idx| format!("{idx}.json")).collect();
    let mut builder = Builder::new(Vec::new());
    entries.iter().for_each(|path| add(&mut builder, path, b""));
    let bytes = builder.into_inner().unwrap();
    let pulse = Pulse::new(|_| Box::pin(async { false }));
    let drops = vec![dropped("t.tar", bytes)];
    let notes = Notes::default();
    let ended = block_on(open(drops, &mut 0, &Limits::default(), &notes, &pulse));
    assert!(ended.is_err_and(|err| err.is_cancelled()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn what_is_packed_is_what_is_opened(
        sizes in prop::collection::vec(0_usize..3000, 1..12),
        depth in 0_usize..60,
        wrap in 0_usize..3,
    ) {
        let folder = "folder/".repeat(depth);
        let entries: Vec<(String, Vec<u8>)> = sizes
            .iter()
            .enumerate()
            .map(|(idx, size)| (format!("{folder}{idx}.jsonl"), vec![b'a' + (idx % 26) as u8; *size]))
            .collect();
        let borrowed: Vec<(&str, &[u8])> =
            entries.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
        let bytes = tar(&borrowed);
        let bytes = match wrap {
            0 => bytes,
            1 => gz(&bytes),
            _ => zst(&bytes),
        };
        let expected: Vec<(String, Vec<u8>)> =
            entries.into_iter().map(|(path, bytes)| (format!("t/{path}"), bytes)).collect();
        prop_assert_eq!(contents("t", bytes), expected);
    }

    #[test]
    fn damage_costs_no_more_than_what_it_touches(
        flips in prop::collection::vec((any::<prop::sample::Index>(), 1_u8..), 0..6),
        cut: Option<prop::sample::Index>,
    ) {
        let mut bytes = tar(&[("a.json", TEXT), ("b/c.jsonl", &[b'x'; 1500]), ("d", b""), ("e", TEXT)]);
        for (at, flip) in &flips {
            let at = at.index(bytes.len());
            bytes[at] ^= flip;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        let n_bytes = bytes.len() as u64;
        let (files, notes) = open_one("t", &bytes);
        prop_assert!(files.iter().map(|file| file.len()).sum::<u64>() <= n_bytes);
        for file in &files {
            prop_assert!(file.all_bytes().is_ok());
            prop_assert!(!file.path.split('/').any(|part| part == ".."));
        }
        if flips.is_empty() && files.len() < 4 && n_bytes >= 512 {
            prop_assert!(!notes.is_empty(), "something is missing without a word");
        }
    }
}
