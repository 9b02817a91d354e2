//! Archives of which most files stay packed: logs of Inspect AI, which say in a few files what the many
//! others hold.
//!
//! Only these: a reader looks at a sample alone, and knows what it is by its name. Files of any other archive
//! are looked at and read from end to end in any case, some of them backwards.

use super::archive::{ArchiveEntry, Listing, tame};
use super::directory::{Listed, directory, start_of};
use super::packed::PackedSource;
use super::source::ReadAt;
use super::window::PartSource;
use std::collections::HashMap;
use std::rc::Rc;

/// The most files of one log. None of those that stay packed is unpacked before somebody looks at it, so that there may be
/// more of them than of files of other archives.
const MAX_FILES: usize = 500_000;

/// What `data` lists, its samples still packed; `None` when it is another archive, a small one, or in any way
/// out of the ordinary: it is unpacked then. `from_bytes`: samples of no more bytes than that are unpacked, too.
/// Of files that do not stay packed there may be `max_files`. `max_len` says how much a file may say to unpack to.
pub(super) fn list(
    data: &Rc<dyn ReadAt>,
    from_bytes: u64,
    max_files: u64,
    max_len: impl Fn(u64) -> u64,
) -> Option<Listing> {
    let mut all = directory(data)?;
    all.retain(|one| !one.name.ends_with('/'));
    // Of files with one name the last one counts.
    let last: HashMap<String, usize> =
        all.iter().enumerate().map(|(at, one)| (one.name.clone(), at)).collect();
    let mut nth = 0..;
    all.retain(|one| nth.next().is_some_and(|at| last.get(&one.name) == Some(&at)));
    let has = |name: &str| last.contains_key(name);
    let is_log = has("header.json") || has("_journal/start.json");
    let is_ordinary = |one: &Listed| {
        let is_known = !one.name.starts_with("samples/") || is_sample(&one.name);
        is_known && tame(&one.name) == one.name && one.packing.len <= max_len(one.packing.packed)
    };
    // What was written on the way is said again at the end.
    let is_whole = has("header.json") && has("summaries.json");
    let stays = |name: &str| is_sample(name) || (is_whole && name.starts_with("_journal/"));
    let n_unpacked = all.iter().filter(|one| !stays(&one.name)).count() as u64;
    let is_too_much = n_unpacked > max_files || all.len() > MAX_FILES;
    if !is_log || is_too_much || !all.iter().all(is_ordinary) {
        return None;
    }
    let n_bytes = all.iter().filter(|one| stays(&one.name)).map(|one| one.packing.len);
    if n_bytes.fold(0, u64::saturating_add) <= from_bytes {
        return None;
    }
    let mut listing = Listing::default();
    for Listed { name, packing } in all {
        let entry = if stays(&name) {
            let packed = Rc::new(PackedSource::new(Rc::clone(data), packing));
            ArchiveEntry { path: name, packed, packing: None }
        } else {
            let start = start_of(data, packing.header)?;
            let span = start..start.saturating_add(packing.packed);
            let packed = Rc::new(PartSource::new(Rc::clone(data), span));
            let coded = packing.coding.map(|coding| (coding, packing.crc32));
            ArchiveEntry { path: name, packed, packing: coded }
        };
        listing.entries.push(entry);
    }
    Some(listing)
}

/// Whether it is `samples/ID_epoch_N.json`; an id may hold slashes.
fn is_sample(name: &str) -> bool {
    let epoch = || name.strip_prefix("samples/")?.strip_suffix(".json")?.rsplit_once("_epoch_");
    epoch().is_some_and(|(_, epoch)| !epoch.is_empty() && epoch.bytes().all(|b| b.is_ascii_digit()))
}
