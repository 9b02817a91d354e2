//! Which files make one log.

use super::sniff::{LOG, START};
use crate::order::Order as _;
use crate::readers::{Bundle, Claimed};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Puts the members of each archive together; a log in one file is a bundle of its own.
pub(super) fn bundle(files: Vec<Rc<Claimed>>) -> Vec<Bundle> {
    // Folders that are surely archives: they have a beginning, or a header by its name.
    let mut roots: BTreeSet<String> = BTreeSet::new();
    for claimed in &files {
        let file = &claimed.file;
        if claimed.claim.role == START {
            roots.insert(without(file.folder(), "_journal").to_owned());
        } else if claimed.claim.role == LOG && file.name() == "header.json" {
            roots.insert(file.folder().to_owned());
        }
    }
    let mut groups: BTreeMap<String, Vec<Rc<Claimed>>> = BTreeMap::new();
    let mut logs = Vec::new();
    for claimed in files {
        if claimed.claim.role == LOG {
            logs.push(claimed);
        } else {
            groups.entry(root_of(&claimed, &roots)).or_default().push(claimed);
        }
    }
    let mut bundles = Vec::new();
    for claimed in logs {
        let file = &claimed.file;
        // A log with samples of its own is whole; else it is the header of what lies below it.
        let is_header =
            claimed.shape.outline.member("samples").is_none() && file.name() == "header.json";
        match groups.get_mut(file.folder()).filter(|_| is_header) {
            Some(group) => group.push(claimed),
            None => bundles.push(Bundle { path: file.path.clone(), files: vec![claimed] }),
        }
    }
    for (root, mut files) in groups {
        files.order_by(|left, right| left.file.path.cmp(&right.file.path));
        let first = files.first().map(|claimed| claimed.file.path.clone()).unwrap_or_default();
        bundles.push(Bundle { path: if root.is_empty() { first } else { root }, files });
    }
    bundles.order_by(|left, right| left.path.cmp(&right.path));
    bundles
}

/// The folder of the archive that a member lies in: the innermost one that is known, else the one that its
/// path speaks of. Ids may hold slashes, so the path alone does not tell.
fn root_of(claimed: &Claimed, roots: &BTreeSet<String>) -> String {
    let folder = claimed.file.folder();
    let above = std::iter::successors(Some(folder), |inner| {
        (!inner.is_empty()).then(|| inner.rsplit_once('/').map_or("", |(outer, _)| outer))
    });
    if let Some(root) = above.into_iter().find(|folder| roots.contains(*folder)) {
        return root.to_owned();
    }
    let mut parts: Vec<&str> = folder.split('/').collect();
    let at = parts.iter().position(|part| matches!(*part, "samples" | "_journal"));
    parts.truncate(at.unwrap_or(parts.len()));
    parts.join("/")
}

/// `folder` without its last part, where that is `name`.
fn without<'a>(folder: &'a str, name: &str) -> &'a str {
    match folder.strip_suffix(name) {
        Some("") => "",
        Some(outer) if outer.ends_with('/') => outer.trim_end_matches('/'),
        _ => folder,
    }
}
