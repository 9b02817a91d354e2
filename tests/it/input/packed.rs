//! Logs in archives whose samples stay packed: read by their place, damage costs only itself.

use super::dropped;
use super::open::open_with;
use evalglass::input::{Dropped, InputFile, Limits, ReadAt, Witness};
use evalglass::model::{Note, NoteKind};
use evalglass::pool::MessageWriter;
use flate2::{Crc, write::DeflateEncoder};
use std::cell::RefCell;
use std::io::{self, Write as _};
use std::rc::Rc;

/// A file as it is written into a zip, true or not.
struct Told {
    name: String,
    packed: Vec<u8>,
    method: u16,
    len: u32,
    crc32: u32,
    /// Where it says that it begins, without being there; `None`: it is there.
    header: Option<u32>,
}

fn told(name: &str, bytes: &[u8], method: u16) -> Told {
    let packed = match method {
        0 => bytes.to_vec(),
        93 => {
            // Several frames, as appended blocks are.
            let halves = bytes.split_at(bytes.len() / 2);
            [halves.0, halves.1].map(|half| zstd::encode_all(half, 3).unwrap()).concat()
        }
        _ => {
            let mut encoder = DeflateEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
    };
    let mut crc = Crc::new();
    crc.update(bytes);
    let (crc32, len) = (crc.sum(), u32::try_from(bytes.len()).unwrap());
    Told { name: name.to_owned(), packed, method, len, crc32, header: None }
}

fn zip(files: &[Told]) -> Vec<u8> {
    let (mut body, mut list) = (Vec::new(), Vec::new());
    for file in files {
        let header = file.header.unwrap_or(u32::try_from(body.len()).unwrap());
        let n_packed = u32::try_from(file.packed.len()).unwrap();
        let n_name = u16::try_from(file.name.len()).unwrap();
        let mut common = vec![0; 4];
        common.splice(2..4, file.method.to_le_bytes());
        common.extend([0; 4]);
        for number in [file.crc32, n_packed, file.len] {
            common.extend(number.to_le_bytes());
        }
        common.extend(n_name.to_le_bytes());
        if file.header.is_none() {
            body.extend([b"PK\x03\x04\x14\x00".as_slice(), &common, &[0; 2]].concat());
            body.extend(file.name.as_bytes());
            body.extend(&file.packed);
        }
        list.extend([b"PK\x01\x02\x14\x00\x14\x00".as_slice(), &common, &[0; 12]].concat());
        list.extend(header.to_le_bytes());
        list.extend(file.name.as_bytes());
    }
    let n = u16::try_from(files.len()).unwrap().to_le_bytes();
    let (start, size) = (u32::try_from(body.len()).unwrap(), u32::try_from(list.len()).unwrap());
    body.extend(list);
    body.extend([b"PK\x05\x06\0\0\0\0".as_slice(), &n, &n].concat());
    body.extend([size.to_le_bytes(), start.to_le_bytes()].concat());
    body.extend([0; 2]);
    body
}

/// Text that does not pack to nothing.
fn words(n: usize) -> Vec<u8> {
    (0..n)
        .flat_map(|at| format!("{:x},", at.wrapping_mul(2_654_435_761) % 65_521).into_bytes())
        .collect()
}

const HEADER: &[u8] = b"{\"version\":2}";

fn log_of(samples: Vec<Told>) -> Vec<u8> {
    let mut files = vec![told("header.json", HEADER, 8)];
    files.extend(samples);
    zip(&files)
}

fn opened(archive: Vec<u8>) -> (Vec<InputFile>, Vec<Note>) {
    let limits = Limits { packed_from_bytes: 0, ..Limits::default() };
    open_with(&limits, vec![dropped("log.eval", archive)])
}

fn sample(archive: Vec<u8>, name: &str) -> InputFile {
    let (files, notes) = opened(archive);
    assert_eq!(notes, []);
    files.into_iter().find(|file| file.path == format!("log.eval/{name}")).unwrap()
}

/// Why the file `name` cannot be read; it is listed all the same.
fn refusal(archive: Vec<u8>, name: &str) -> String {
    let file = sample(archive, name);
    assert!(file.data.is_packed());
    file.all_bytes().unwrap_err().to_string()
}

#[test]
fn samples_are_read_by_their_place_in_any_order() {
    // The second one is too large to be unpacked whole.
    let texts = [words(1_000), words(2_000_000), Vec::new()];
    for method in [0, 8, 93] {
        let names =
            ["samples/a/b_epoch_1.json", "samples/2_epoch_10.json", "samples/3_epoch_1.json"];
        let all = names.iter().zip(&texts).map(|(name, text)| told(name, text, method)).collect();
        let (files, notes) = opened(log_of(all));
        assert_eq!(notes, []);
        assert_eq!(files[0].all_bytes().unwrap(), HEADER);
        assert!(!files[0].data.is_packed());
        for (file, text) in files[1..].iter().zip(&texts) {
            assert!(file.data.is_packed());
            assert_eq!(file.len(), text.len() as u64);
            assert_eq!(&file.all_bytes().unwrap(), text);
        }
        let (large, text) = (&files[2], &texts[1]);
        for at in [9_000_000, 0, 8_999_000, 8_500_000, 3, 5_000_000, 4_500_000] {
            for len in [1, 40_000, 1_500_000] {
                let (from, to) = (at, (at + len).min(text.len()));
                let part = large.bytes(from as u64..to as u64).unwrap();
                assert!(part == text[from..to], "{len} bytes from {at}");
            }
            assert_eq!(&files[1].bytes(2..10).unwrap(), &texts[0][2..10], "another in between");
        }
        assert!(large.bytes(5..large.len() + 1).is_err());
    }
}

#[test]
fn a_file_that_holds_more_than_it_says_is_not_unpacked() {
    let mut bomb = told("samples/1_epoch_1.json", &vec![b' '; 64 << 20], 8);
    bomb.len = 4 << 10;
    let other = told("samples/2_epoch_1.json", b"{}", 8);
    let archive = log_of(vec![bomb, other]);
    let reason = "cannot be read: damaged zip data: more bytes come out than the archive says";
    assert_eq!(refusal(archive.clone(), "samples/1_epoch_1.json"), reason);
    assert_eq!(sample(archive, "samples/2_epoch_1.json").all_bytes().unwrap(), b"{}");
}

#[test]
fn wrong_bytes_are_noticed_where_they_are_read() {
    let name = "samples/1_epoch_1.json";
    let intact = || told(name, &words(5_000), 93);
    let wrong_sum = Told { crc32: 1, ..intact() };
    let says = |what: &str| format!("cannot be read: damaged zip data: {what}");
    assert_eq!(
        refusal(log_of(vec![wrong_sum]), name),
        says("the checksum in the zip does not match")
    );
    let mut cut = intact();
    cut.packed.truncate(500);
    assert_eq!(refusal(log_of(vec![cut]), name), says("it ends too early"));
    let longer = Told { len: intact().len + 1, ..intact() };
    assert_eq!(refusal(log_of(vec![longer]), name), says("it ends too early"));
    let mut other = intact();
    other.packed[20..60].fill(0xff);
    assert_eq!(refusal(log_of(vec![other]), name), says("some bytes in it are wrong"));
    let mut archive = log_of(vec![intact()]);
    let header = archive.windows(4).rposition(|four| four == b"PK\x03\x04").unwrap();
    archive[header] = b'Q';
    assert_eq!(refusal(archive, name), says("its header is damaged"));
}

#[test]
fn an_archive_out_of_the_ordinary_is_unpacked_within_its_limits() {
    let is_packed = |archive: Vec<u8>| opened(archive).0.iter().any(|file| file.data.is_packed());
    let one = || told("samples/1_epoch_1.json", &words(100), 8);
    assert!(is_packed(log_of(vec![one()])));
    // Files that share their bytes could be very many.
    let at = u32::try_from(30 + "header.json".len() + told("", HEADER, 8).packed.len()).unwrap();
    let shared = Told { name: "samples/2_epoch_1.json".to_owned(), header: Some(at), ..one() };
    let archive = log_of(vec![told("samples/1_epoch_1.json", &words(100), 8), shared]);
    assert!(!is_packed(archive));
    for name in ["../samples/1_epoch_1.json", "samples/1.json", "samples/1_epoch_1/sample.json"] {
        let strange = Told { name: name.to_owned(), ..one() };
        assert!(!is_packed(log_of(vec![one(), strange])), "{name}");
    }
    assert!(!is_packed(zip(&[one()])), "no header");
    let large = Told { len: u32::MAX - 1, ..one() };
    let (files, notes) = opened(log_of(vec![large]));
    assert_eq!((files.len(), notes.len()), (2, 0), "it is unpacked to what it holds");
    let limits = Limits::default();
    let (files, _) = open_with(&limits, vec![dropped("log.eval", log_of(vec![one()]))]);
    assert!(files.iter().all(|file| !file.data.is_packed()), "small ones are unpacked");
}

#[test]
fn files_that_stay_packed_may_be_many() {
    let limits = Limits { packed_from_bytes: 0, max_archive_files: 3, ..Limits::default() };
    let sample = |n: u32| told(&format!("samples/{n}_epoch_1.json"), &words(100), 8);
    let n_files = |others: &[&str]| {
        let others = others.iter().map(|name| told(name, b"{}", 8));
        let archive = log_of((0..40).map(sample).chain(others).collect());
        let (files, notes) = open_with(&limits, vec![dropped("log.eval", archive)]);
        (files.len(), notes.len())
    };
    assert_eq!(n_files(&[]), (41, 0));
    // Parts of the journal are among those that are wanted, unless their sum stands beside them.
    let journal = ["_journal/start.json", "_journal/summaries/1.json", "_journal/summaries/2.json"];
    assert_eq!(n_files(&journal), (3, 1), "four files to unpack, three are allowed");
    assert_eq!(n_files(&[&journal[..], &["summaries.json"]].concat()), (45, 0));
}

#[test]
fn of_files_with_one_name_the_last_one_counts() {
    let name = "samples/1_epoch_1.json";
    let archive = log_of(vec![told(name, b"{\"first\":1}", 8), told(name, b"{\"last\":1}", 93)]);
    let (files, _) = opened(archive.clone());
    assert_eq!(files.len(), 2);
    assert_eq!(sample(archive, name).all_bytes().unwrap(), b"{\"last\":1}");
}

/// An archive that notes which of its bytes are read.
struct Watched(Vec<u8>, Rc<RefCell<Vec<(u64, usize)>>>);

impl ReadAt for Watched {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        self.1.borrow_mut().push((offset, buf.len()));
        let from = usize::try_from(offset).unwrap();
        buf.copy_from_slice(&self.0[from..from + buf.len()]);
        Ok(())
    }
}

#[test]
fn only_what_is_wanted_is_read_of_the_archive() {
    let samples = (0..40).map(|at| told(&format!("samples/{at}_epoch_1.json"), &words(60_000), 0));
    let mut files: Vec<Told> = samples.collect();
    files.push(told("_journal/summaries/1.json", b"[]", 8));
    files.push(told("summaries.json", b"[]", 8));
    files.push(told("header.json", HEADER, 8));
    let (archive, reads) = (zip(&files), Rc::<RefCell<Vec<(u64, usize)>>>::default());
    let n_bytes = archive.len();
    let data = Rc::new(Watched(archive, Rc::clone(&reads)));
    let limits = Limits { packed_from_bytes: 0, ..Limits::default() };
    let dropped = Dropped { path: "log.eval".to_owned(), data };
    let (files, notes) = open_with(&limits, vec![dropped]);
    assert_eq!((files.len(), notes.len()), (43, 0));
    let n_packed = files.iter().filter(|file| file.data.is_packed()).count();
    assert_eq!(n_packed, 41, "the journal says nothing new");
    let n_read = |reads: &RefCell<Vec<(u64, usize)>>| -> usize {
        reads.take().iter().map(|(_, len)| len).sum()
    };
    let n_listing = n_read(&reads);
    assert!(n_listing < 100_000 && n_bytes > 10_000_000, "{n_listing} of {n_bytes} bytes");
    files[7].all_bytes().unwrap();
    let n_sample = n_read(&reads);
    assert!(n_sample < 400_000, "{n_sample} bytes for one sample");
}

#[test]
fn a_packed_file_travels_and_its_faults_are_told_apart() {
    let mut broken = told("samples/2_epoch_1.json", &words(100), 8);
    broken.crc32 = 0;
    let archive = log_of(vec![told("samples/1_epoch_1.json", &words(100), 93), broken]);
    let (files, _) = opened(archive);
    let mut writer = MessageWriter::default();
    let places: Vec<_> = files.iter().map(|file| writer.place(&file.data)).collect();
    let message = writer.finish(&()).unwrap();
    assert_eq!(message.sources.len(), 2, "the archive, and what was unpacked of it");
    let there: Vec<_> = places.iter().map(|place| message.source(place).unwrap()).collect();
    let mut bytes = vec![0; words(100).len()];
    there[1].read_at(0, &mut bytes).unwrap();
    assert_eq!(bytes, words(100));
    let told = Rc::new(RefCell::new(0));
    let counted = Rc::clone(&told);
    let witness = Witness::new(Rc::clone(&there[2]), Rc::new(move |_| *counted.borrow_mut() += 1));
    assert!(witness.is_packed() && witness.read_at(0, &mut bytes).is_err());
    assert_eq!(*told.borrow(), 0, "its bytes are there, but wrong");
    assert!(files.iter().all(|file| file.path.starts_with("log.eval/")));
}

#[test]
fn a_note_says_what_is_too_much_for_an_eager_archive() {
    let limits =
        Limits { packed_from_bytes: u64::MAX, max_expanded_bytes: 1 << 20, ..Limits::default() };
    let large = told("samples/1_epoch_1.json", &words(400_000), 8);
    // What is left to unpack decides, too: such a log stays packed.
    let (files, notes) = open_with(&limits, vec![dropped("log.eval", log_of(vec![large]))]);
    assert_eq!((files.len(), notes.len()), (2, 0));
    assert!(files[1].data.is_packed());
    let plain = zip(&[told("a.json", &words(400_000), 8)]);
    let (_, notes) = open_with(&limits, vec![dropped("plain.zip", plain)]);
    assert_eq!(notes[0].kind, NoteKind::Limit);
}
