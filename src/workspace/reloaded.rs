//! Evaluations whose files have been read again.

use super::{Entry, Workspace, plain_key};
use crate::format::counted;
use crate::model::Note;
use crate::readers::{Bundle, Import, Imported};
use std::collections::HashSet;

/// What reading files again came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Renewal {
    /// Files that were read on from where they had ended.
    pub n_continued: u64,
    /// Files that were read from their start.
    pub n_anew: u64,
    /// Cases before and now.
    pub n_cases: [u64; 2],
}

/// An evaluation that is not among what was read again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostEvaluation {
    /// A file of it that was read again.
    pub path: String,
    /// Why nothing came of it.
    pub reason: String,
}

impl Renewal {
    /// One sentence for the one who asked.
    pub fn words(&self) -> String {
        let files = |n| counted(n, "file", "files");
        let how = match (self.n_continued, self.n_anew) {
            (0, n_anew) => format!("{} read from the start", files(n_anew)),
            (n_continued, 0) => {
                format!("{} continued after the last read line", files(n_continued))
            }
            (n_continued, n_anew) => format!(
                "{} continued after the last read line, {n_anew} from the start",
                files(n_continued)
            ),
        };
        let cases = match self.n_cases {
            [before, now] if now > before => {
                format!("{} more", counted(now - before, "case", "cases"))
            }
            [before, now] if now < before => {
                format!("{} fewer", counted(before - now, "case", "cases"))
            }
            _ => "as many cases as before".to_owned(),
        };
        format!("{how}: {cases}.")
    }
}

impl Workspace {
    /// Takes in what came of files that were read again; `is_reread` knows their paths. An evaluation
    /// that had one of them keeps number and place, whatever is in it now; others are new ones.
    ///
    /// # Errors
    /// When an evaluation would be lost by it. Then nothing has changed.
    pub fn renew(
        &mut self,
        imported: Imported,
        is_reread: &dyn Fn(&str) -> bool,
    ) -> Result<Renewal, LostEvaluation> {
        let Imported { imports, claims, unclaimed, notes, open_notes } = imported;
        let new_paths: Vec<HashSet<&str>> =
            imports.iter().map(|import| own_paths(&import.bundle).collect()).collect();
        let shares = |entry: &Entry, at: usize| {
            let new = new_paths.get(at);
            new.is_some_and(|new| own_paths(&entry.bundle).any(|path| new.contains(path)))
        };
        if let Some(lost) = self.entries.iter().find_map(|entry| {
            let path = paths(&entry.bundle).find(|path| is_reread(path))?;
            let is_there = (0..imports.len()).any(|at| shares(entry, at));
            (!is_there)
                .then(|| LostEvaluation { path: path.to_owned(), reason: why(path, &open_notes) })
        }) {
            return Err(lost);
        }
        // Which evaluation each import is the new state of, and which give way to one.
        let mut heir_of: Vec<Option<u32>> = vec![None; imports.len()];
        let mut gone = Vec::new();
        for entry in &self.entries {
            let own: Vec<usize> = (0..imports.len()).filter(|&at| shares(entry, at)).collect();
            let is_its = |at: usize| {
                entry.part.of == 1
                    || imports.get(at).is_some_and(|import| import.part.nth == entry.part.nth)
            };
            let is_free = |at: usize| heir_of.get(at) == Some(&None);
            let is_same = |at: usize| {
                let import = imports.get(at);
                import.is_some_and(|import| {
                    plain_key(&import.evaluation) == plain_key(&entry.evaluation)
                })
            };
            // Tables come into one bundle by a mapping file, and out of it, in another order.
            let same = own.iter().copied().find(|&at| is_free(at) && is_same(at));
            let free = same.or_else(|| own.iter().copied().find(|&at| is_free(at) && is_its(at)));
            match free.and_then(|at| heir_of.get_mut(at)) {
                Some(heir) => *heir = Some(entry.id),
                None if own.is_empty() => {}
                None => gone.push(entry.id),
            }
        }
        let n_before = self.n_cases();
        let n_continued = imports.iter().map(|import| import.marks.n_continued()).sum();
        // Of a file that holds several evaluations one may have been removed: it stays away.
        let is_removed = |at: usize, import: &Import| {
            let mut known = self.entries.iter().filter(|entry| shares(entry, at));
            known.any(|entry| import.part.nth < entry.part.of && entry.part.of > 1)
        };
        let stay_away: Vec<bool> = imports
            .iter()
            .zip(&heir_of)
            .enumerate()
            .map(|(at, (import, heir))| heir.is_none() && is_removed(at, import))
            .collect();
        drop(new_paths);
        self.entries.retain(|entry| !gone.contains(&entry.id));
        for ((import, heir), stays_away) in imports.into_iter().zip(heir_of).zip(stay_away) {
            if !stays_away {
                self.put(import, heir);
            }
        }
        self.tell_apart();
        self.forget_answers();
        // Rows have moved, and the texts of the files are others.
        self.searches.take();
        let reread = claims.iter().map(|(_, claimed)| &claimed.file.path);
        let reread = reread.chain(unclaimed.iter().map(|one| &one.file.path));
        // A table is claimed, and nobody's by its content.
        let reread: HashSet<&String> = reread.filter(|path| is_reread(path)).collect();
        let n_reread = reread.len() as u64;
        self.claims = claims;
        self.unclaimed = unclaimed;
        self.open_notes = open_notes;
        self.notes.retain(|note| !is_reread(&note.file));
        self.notes.extend(notes);
        Ok(Renewal {
            n_continued,
            n_anew: n_reread.saturating_sub(n_continued),
            n_cases: [n_before, self.n_cases()],
        })
    }

    /// Puts `import` in the place of evaluation `heir`, or behind the others.
    fn put(&mut self, import: Import, heir: Option<u32>) {
        let at = self.entries.iter().position(|entry| Some(entry.id) == heir);
        let Some((at, old)) = at.and_then(|at| Some((at, self.entries.get(at)?))) else {
            return self.push(import);
        };
        let is_same = plain_key(&old.evaluation) == plain_key(&import.evaluation);
        let key = if is_same { old.key.clone() } else { self.free_key(&import.evaluation) };
        let id = old.id;
        let names = old.names.clone();
        let mut entry = Entry::new(id, key, import, &self.settings);
        for (run, label) in names {
            entry.rename(run, label);
        }
        if let Some(place) = self.entries.get_mut(at) {
            *place = entry;
        }
    }

    fn n_cases(&self) -> u64 {
        let runs = self.entries.iter().flat_map(|entry| &entry.evaluation.runs);
        runs.map(|run| run.cases.len() as u64).sum()
    }
}

fn paths(bundle: &Bundle) -> impl Iterator<Item = &str> {
    bundle.files.iter().map(|claimed| claimed.file.path.as_str())
}

/// Paths of the files that make it what it is: a mapping file may say how several tables are read.
fn own_paths(bundle: &Bundle) -> impl Iterator<Item = &str> {
    let own = bundle.files.iter().filter(|claimed| !claimed.is_mapping());
    own.map(|claimed| claimed.file.path.as_str())
}

/// Why nothing came of the file `path`.
fn why(path: &str, notes: &[Note]) -> String {
    let own = notes.iter().find(|note| note.file == path);
    let detail = own.map_or("it holds no results any more", |note| note.detail.as_str());
    detail.to_owned()
}
