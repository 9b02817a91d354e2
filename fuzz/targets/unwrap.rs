//! Unwrapping: zip, tar, gzip, zstd, in one another.

use super::files::file;
use evalglass::input::{Limits, Pulse, open};
use evalglass::model::Notes;

/// Opens the input as a file with a name that says nothing, and as an archive of Inspect AI.
pub fn unwrap(input: &[u8]) {
    for path in ["dropped", "log.eval"] {
        let limits = Limits {
            max_expanded_bytes: 16 << 20,
            max_archive_files: 100,
            packed_from_bytes: 1 << 10,
            ..Limits::default()
        };
        let (notes, pulse, mut next_id) = (Notes::default(), Pulse::silent(), 0);
        let files = vec![file(path, input)];
        let opened = pollster::block_on(open(files, &mut next_id, &limits, &notes, &pulse));
        let opened = opened.expect("nothing cancels");
        let mut n_bytes = 0;
        for file in &opened {
            n_bytes += file.len();
            // What it says of its length holds.
            if let Ok(bytes) = file.bytes(0..file.len().min(1 << 20)) {
                assert_eq!(bytes.len() as u64, file.len().min(1 << 20), "{}", file.path);
            }
        }
        assert!(
            n_bytes <= limits.max_expanded_bytes + input.len() as u64,
            "{n_bytes} bytes came of it"
        );
        assert!(!opened.is_empty() || !notes.into_vec().is_empty(), "neither opened nor noted");
    }
}
