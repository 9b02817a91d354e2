//! Files that were looked at, put together: what lies beside results, what belongs to one evaluation.

use super::import::Unclaimed;
use super::lfs::Pointers;
use super::side_files::Extras;
use super::{Bundle, Claim, Claimed, KeysOf, PRODUCERS, Producer, table};
use crate::input::{Form, InputFile, Shape};
use crate::model::{NoteKind, Notes, Place, SourceId};
use crate::order::{Order as _, natural};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Files in their bundles.
pub(super) struct ArrangedFiles {
    /// Every file that a reader claims, with the reader's id, in path order.
    pub(super) claims: Vec<(&'static str, Rc<Claimed>)>,
    /// Every file that nobody claims by its content, in path order: tables, too, which are claimed as well
    /// while they are opened.
    pub(super) unclaimed: Vec<Rc<Unclaimed>>,
    /// What a later drop may mend.
    pub(super) open_notes: Notes,
    /// What there is to be read, in the order of readers and paths, `run_2` before `run_10`.
    pub(super) bundles: Vec<(&'static dyn Producer, Bundle)>,
}

/// Puts together what readers claim and what nobody does, loose files by what `keys` gives of them. Files of any drop in any order give the same.
pub(super) fn arrange(
    mut claims: Vec<(&'static str, Rc<Claimed>)>,
    mut unclaimed: Vec<Rc<Unclaimed>>,
    keys: &KeysOf<'_>,
) -> ArrangedFiles {
    // Whether a table is opened hangs on what lies beside it, which may be more by now.
    claims.retain(|(id, claimed)| *id != table::ID || claimed.claim.role != table::CLAIM.role);
    claims.order_by(|(_, left), (_, right)| left.file.path.cmp(&right.file.path));
    unclaimed.order_by(|left, right| left.file.path.cmp(&right.file.path));
    adopt(&mut claims, keys);
    let mut folders = Folders::default();
    for (id, claimed) in claims.iter().filter(|(id, _)| *id != table::ID) {
        folders.add(id, claimed.file.folder());
    }
    let open_notes = Notes::default();
    let mut still_unclaimed = Vec::new();
    let mut unclaimed_by_place = Vec::new();
    for one in unclaimed {
        let (file, shape) = (&one.file, &one.shape);
        // Nothing in an empty file says whose it is; a producer that has files beside it may know.
        let of_neighbour = sniff_beside(file, shape, &folders)
            .or_else(|| (shape.form == Form::Empty).then(|| sniff_empty(file, &folders)).flatten());
        if let Some((id, claim)) = of_neighbour {
            let claimed = Claimed { file: file.clone(), shape: shape.clone(), claim };
            folders.add(id, file.folder());
            claims.push((id, Rc::new(claimed)));
            continue;
        }
        unclaimed_by_place.push(one);
    }
    let is_beside = |folder: &str| folders.is_beside(folder);
    let tables = table::tables(&claims, &unclaimed_by_place, &is_beside, keys);
    for claimed in &tables {
        folders.add(table::ID, claimed.file.folder());
    }
    let opened: HashSet<SourceId> = tables.iter().map(|claimed| claimed.file.id).collect();
    claims.extend(tables.into_iter().map(|claimed| (table::ID, claimed)));
    let mut extras = Extras::default();
    let mut pointers = Pointers::default();
    for one in unclaimed_by_place {
        let (file, shape) = (&one.file, &one.shape);
        if opened.contains(&file.id) {
            still_unclaimed.push(one);
            continue;
        }
        if let Some(n_bytes) = one.lfs_bytes {
            pointers.add(&one, n_bytes);
            still_unclaimed.push(one);
            continue;
        }
        // Beside results, whole files of other kinds (logs, prompts) are nothing that was lost.
        let is_extra = shape.outline.cut.is_none()
            && !is_falsely_named(file, shape)
            && folders.is_beside(file.folder());
        if is_extra {
            extras.add(&one);
        } else {
            open_notes.add(&file.path, NoteKind::Unrecognised, Place::File, one.detail.as_str());
        }
        still_unclaimed.push(one);
    }
    open_notes.extend(extras.into_notes());
    pointers.note(&open_notes);
    claims.order_by(|(_, left), (_, right)| left.file.path.cmp(&right.file.path));
    let of = |producer: &dyn Producer| {
        let own = claims.iter().filter(|(id, _)| *id == producer.id());
        let own = own.map(|(_, claimed)| Rc::clone(claimed)).collect();
        let mut bundles = producer.bundle(own, keys);
        if !producer.orders_bundles() {
            bundles.order_by(|left, right| natural(&left.path, &right.path));
        }
        bundles
    };
    let bundles = PRODUCERS
        .iter()
        .flat_map(|producer| of(*producer).into_iter().map(move |bundle| (*producer, bundle)))
        .collect();
    ArrangedFiles { claims, unclaimed: still_unclaimed, open_notes, bundles }
}

/// Gives files to the producers among whose files they lie.
fn adopt(claims: &mut [(&'static str, Rc<Claimed>)], keys: &KeysOf<'_>) {
    for producer in PRODUCERS {
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for (id, claimed) in claims.iter() {
            let list = if *id == producer.id() { &mut own } else { &mut others };
            list.push(Rc::clone(claimed));
        }
        if own.is_empty() || others.is_empty() {
            continue;
        }
        let adopted: HashMap<SourceId, Claim> =
            producer.adopted(&own, &others, keys).into_iter().collect();
        for (id, claimed) in claims.iter_mut() {
            if let Some(claim) = adopted.get(&claimed.file.id) {
                *id = producer.id();
                *claimed = Rc::new(Claimed { claim: claim.clone(), ..Claimed::clone(claimed) });
            }
        }
    }
}

/// Folders that hold claimed files.
#[derive(Default)]
struct Folders {
    /// By folder, the readers.
    own: HashMap<String, Vec<&'static str>>,
    /// These and all above them.
    above: HashSet<String>,
    /// By folder, the readers with files in folders right below it.
    below: HashMap<String, Vec<&'static str>>,
}

impl Folders {
    /// Adds the folder of a file that the reader `id` claims.
    fn add(&mut self, id: &'static str, folder: &str) {
        if let Some(ids) = self.own.get_mut(folder) {
            if !ids.contains(&id) {
                ids.push(id);
                self.add_below(id, folder);
            }
            return;
        }
        self.own.insert(folder.to_owned(), vec![id]);
        self.add_below(id, folder);
        self.above.extend(and_above(folder).map(str::to_owned));
    }

    fn add_below(&mut self, id: &'static str, folder: &str) {
        if let Some((above, _)) = folder.rsplit_once('/') {
            self.below.entry(above.to_owned()).or_default().push(id);
        }
    }

    /// Whether the reader `id` claims a file in a folder right below `folder`.
    fn has_below(&self, id: &str, folder: &str) -> bool {
        self.below.get(folder).is_some_and(|ids| ids.contains(&id))
    }

    /// Whether the reader `id` claims a file that lies right in `folder`.
    fn has(&self, id: &str, folder: &str) -> bool {
        self.own.get(folder).is_some_and(|ids| ids.contains(&id))
    }

    /// Whether a claimed file lies in `folder`, below it, or in a folder above it. Loose files lie in
    /// none.
    fn is_beside(&self, folder: &str) -> bool {
        !folder.is_empty()
            && (self.above.contains(folder)
                || and_above(folder).any(|outer| self.own.contains_key(outer)))
    }
}

/// `a/b/c`, `a/b`, `a`.
fn and_above(folder: &str) -> impl Iterator<Item = &str> {
    let whole = Some(folder).filter(|own| !own.is_empty());
    std::iter::successors(whole, |inner| inner.rsplit_once('/').map(|(outer, _)| outer))
}

/// The first producer with files in the folder of `file`, which is empty, that knows it.
fn sniff_empty(file: &InputFile, folders: &Folders) -> Option<(&'static str, Claim)> {
    let mut here = PRODUCERS.iter().filter(|producer| folders.has(producer.id(), file.folder()));
    here.find_map(|producer| Some((producer.id(), producer.sniff_empty(file)?)))
}

/// The first producer with files beside or above `file` that knows it by its name.
fn sniff_beside(
    file: &InputFile,
    shape: &Shape,
    folders: &Folders,
) -> Option<(&'static str, Claim)> {
    let folder = file.folder();
    // In an archive the whole way up: ids may hold slashes.
    let is_packed = shape.form == Form::Unseen;
    let above = folder.rsplit_once('/').map(|(above, _)| above);
    PRODUCERS.iter().find_map(|producer| {
        let claim = producer.sniff_beside(file, shape)?;
        let is_near = |folder| folders.has(producer.id(), folder);
        let is_beside =
            |folder| producer.reaches_siblings() && folders.has_below(producer.id(), folder);
        let is_above =
            |outer| is_near(outer) || (is_packed && folders.has_below(producer.id(), outer));
        let is_in_archive = is_packed && and_above(folder).any(is_above);
        (is_near(folder)
            || is_in_archive
            || above.is_some_and(|above| is_near(above) || is_beside(above)))
        .then(|| (producer.id(), claim))
    })
}

/// Whether the name promises data that is not there: an error page saved as `results.json`.
fn is_falsely_named(file: &InputFile, shape: &Shape) -> bool {
    let promises = [".json", ".jsonl", ".parquet"].iter().any(|end| file.name().ends_with(end));
    promises && matches!(shape.form, Form::Text | Form::Binary)
}

#[cfg(test)]
mod tests {
    use super::Folders;

    #[test]
    fn files_in_above_and_below_are_beside() {
        let mut folders = Folders::default();
        folders.add("a", "run/one/deep");
        folders.add("a", "");
        for beside in ["run/one/deep", "run/one", "run", "run/one/deep/er/still"] {
            assert!(folders.is_beside(beside), "{beside}");
        }
        for apart in ["", "run/one/deepest", "run/on", "run/two", "other"] {
            assert!(!folders.is_beside(apart), "{apart}");
        }
        assert!(folders.has("a", "run/one/deep") && folders.has("a", ""));
        assert!(!folders.has("b", "run/one/deep") && !folders.has("a", "run/one"));
    }
}
