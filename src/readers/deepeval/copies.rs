//! Files that hold the same test run, and a cache beside them.

use super::{CACHE, RUN, WRAPPER};
use crate::order::Order as _;
use crate::readers::answer_hash::mixed;
use crate::readers::record_value::iso_from_timestamp;
use crate::readers::{Bundle, Claimed, ContentKeys, KeysOf};
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// Bytes that are read at once.
const SLICE: u64 = 1 << 20;

/// One bundle for each test run, with its copies. A cache goes with the only run of its folder.
pub(super) fn bundle(files: Vec<Rc<Claimed>>, keys: &KeysOf<'_>) -> Vec<Bundle> {
    let (caches, files): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|claimed| claimed.claim.role == CACHE);
    let mut n_of_len: HashMap<u64, usize> = HashMap::new();
    for claimed in &files {
        *n_of_len.entry(len(claimed)).or_default() += 1;
    }
    let mut bundles: Vec<Vec<Rc<Claimed>>> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for claimed in files {
        // Runs of different lengths are different: only where two are of one length are they read for it.
        let is_alone = n_of_len.get(&len(&claimed)).is_none_or(|n_files| *n_files < 2);
        let own = if is_alone { None } else { keys(&claimed).problem.clone() };
        let at = own.as_ref().and_then(|own| known.get(own).copied());
        match at.and_then(|at| bundles.get_mut(at)) {
            Some(bundle) => bundle.push(claimed),
            None => {
                known.extend(own.map(|own| (own, bundles.len())));
                bundles.push(vec![claimed]);
            }
        }
    }
    for cache in caches {
        let folder = cache.file.folder();
        let is_here = |bundle: &&mut Vec<Rc<Claimed>>| {
            !folder.is_empty() && bundle.iter().any(|claimed| claimed.file.folder() == folder)
        };
        match bundles.iter_mut().find(is_here) {
            Some(bundle) => bundle.push(cache),
            None => bundles.push(vec![cache]),
        }
    }
    let named = bundles.into_iter().map(|mut files| {
        files.order_by(|left, right| left.file.path.cmp(&right.file.path));
        let named = first(files.iter().filter(|claimed| claimed.claim.role != CACHE));
        let path = named.or(files.first()).map(|claimed| claimed.file.path.clone());
        Bundle { path: path.unwrap_or_default(), files }
    });
    let mut bundles: Vec<Bundle> = named.collect();
    bundles.order_by(|left, right| left.path.cmp(&right.path));
    bundles
}

/// The one of several copies that is read: the one that stays, which has the time in its name, else the first
/// in path order.
pub(super) fn first<'a>(
    files: impl Iterator<Item = &'a Rc<Claimed>> + Clone,
) -> Option<&'a Rc<Claimed>> {
    let mut copies = files.clone();
    copies
        .find(|claimed| time_of(claimed.file.name()).is_some())
        .or_else(|| files.clone().find(|claimed| claimed.claim.role == RUN))
        .or_else(|| files.clone().next())
}

/// The time in a name such as `test_run_20261122_102116.json` or `20261122_102116`.
pub(super) fn time_of(name: &str) -> Option<String> {
    let name = name.strip_prefix("test_run_").unwrap_or(name);
    let name = name.strip_suffix(".json").unwrap_or(name);
    iso_from_timestamp(name)
}

/// What the test run of a file is recognised by, wherever it lies.
pub(super) fn keys(claimed: &Claimed) -> ContentKeys {
    let Range { mut start, end } = span(claimed);
    let mut hash = mixed(end.saturating_sub(start));
    while start < end {
        let next = end.min(start.saturating_add(SLICE));
        let Ok(bytes) = claimed.file.bytes(start..next) else { return ContentKeys::default() };
        let (words, rest) = bytes.as_chunks::<8>();
        hash = words.iter().fold(hash, |hash, word| mixed(hash ^ u64::from_le_bytes(*word)));
        hash = rest.iter().fold(hash, |hash, byte| mixed(hash ^ u64::from(*byte)));
        start = next;
    }
    ContentKeys { is_known: true, problem: Some(format!("{hash:016x}")), ..ContentKeys::default() }
}

fn len(claimed: &Claimed) -> u64 {
    let span = span(claimed);
    span.end.saturating_sub(span.start)
}

fn span(claimed: &Claimed) -> Range<u64> {
    let outline = &claimed.shape.outline;
    let inner = outline.member(WRAPPER).filter(|_| claimed.claim.role != RUN);
    inner.map_or_else(|| outline.span.clone(), |member| member.span.clone())
}
