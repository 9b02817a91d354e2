//! Reading the files of a drop again: they have grown, or were written anew.

use super::core::Core;
use super::drops::root;
use super::protocol::{Answer, Failure};
use crate::input::{Dropped, InputFile, Pulse, Witness};
use crate::model::Notes;
use crate::readers::Imported;
use crate::workspace::{LostEvaluation, Renewal};
use std::cell::RefCell;
use std::collections::HashSet;
use std::io;
use std::rc::Rc;

impl Core {
    /// Reads `files` of the page's `drop` in the place of those with the same paths, and opens what is
    /// new among them. Evaluations keep their numbers, and the rules stay in force. Lines that were
    /// read are not read again where their reader can go on behind them.
    ///
    /// # Errors
    /// When no file is open that lies in the same folder, when one cannot be read, when an evaluation would be lost, or
    /// when `pulse` says stop. Then nothing has changed.
    pub async fn reload(
        &self,
        drop: u32,
        mut files: Vec<Dropped>,
        pulse: &Pulse,
    ) -> Result<Answer, Failure> {
        self.drops.name(drop, &mut files);
        let fault: Rc<RefCell<Option<Failure>>> = Rc::default();
        for file in &mut files {
            let (path, fault) = (file.path.clone(), Rc::clone(&fault));
            let on_fault = move |err: &io::Error| {
                let failure = Failure::File { path: Some(path.clone()), reason: err.to_string() };
                fault.borrow_mut().get_or_insert(failure);
            };
            file.data = Rc::new(Witness::new(Rc::clone(&file.data), Rc::new(on_fault)));
        }
        let dropped: HashSet<String> = files.iter().map(|file| file.path.clone()).collect();
        let notes = Notes::default();
        let mut opened = self.unwrap(files, &notes, pulse).await?;
        let open = self.open_paths();
        // What was removed and taken back is open.
        opened.retain(|file| open.contains(&file.path) || !self.drops.is_dismissed(&file.path));
        let paths: HashSet<String> = opened.iter().map(|file| file.path.clone()).collect();
        let roots: HashSet<&str> = open.iter().map(|path| root(path)).collect();
        let is_beside = paths.iter().any(|path| roots.contains(root(path)));
        if !is_beside && fault.borrow().is_none() {
            let reason = "none of these files belongs to what was opened here";
            return Err(Failure::File { path: None, reason: reason.to_owned() });
        }
        // What came out of an archive lies below its path.
        let is_reread = |path: &str| {
            let mut outer = path.match_indices('/').filter_map(|(end, _)| path.get(..end));
            paths.contains(path)
                || dropped.contains(path)
                || outer.any(|outer| dropped.contains(outer))
        };
        let n_new = paths.difference(&open).count() as u64;
        let imported = self.import(opened, &is_reread, notes, pulse).await?;
        // What was read of a file that could not be read is no new state.
        let by_others = pulse.unreadable();
        let by_others = by_others.map(|(path, reason)| Failure::File { path: Some(path), reason });
        if let Some(failure) = fault.take().or(by_others) {
            return Err(failure);
        }
        let renewal = self.renew(imported, &is_reread)?;
        let mut workspace = self.workspace.borrow_mut();
        workspace.n_files += n_new;
        Ok(Answer::Reloaded(self.shown_tree(&workspace), renewal.words()))
    }

    /// Reads what `files` make together with what is open, in the place of the files that they are `instead` of.
    /// `notes` are those that opening them left.
    ///
    /// # Errors
    /// When an evaluation would be lost, or `pulse` says stop. Then nothing has changed.
    pub(super) async fn read_instead(
        &self,
        files: Vec<InputFile>,
        instead: &dyn Fn(&str) -> bool,
        notes: Notes,
        pulse: &Pulse,
    ) -> Result<Renewal, Failure> {
        let imported = self.import(files, instead, notes, pulse).await?;
        // What is being written of the old state ends.
        drop(self.edit());
        self.renew(imported, instead)
    }

    /// Takes in what came of files that were read again.
    fn renew(
        &self,
        imported: Imported,
        is_reread: &dyn Fn(&str) -> bool,
    ) -> Result<Renewal, Failure> {
        let lost =
            |lost: LostEvaluation| Failure::File { path: Some(lost.path), reason: lost.reason };
        self.workspace.borrow_mut().renew(imported, is_reread).map_err(lost)
    }

    /// Paths of all files that are open.
    fn open_paths(&self) -> HashSet<String> {
        let workspace = self.workspace.borrow();
        let claimed = workspace.claims.iter().map(|(_, claimed)| &claimed.file.path);
        claimed.chain(workspace.unclaimed.iter().map(|one| &one.file.path)).cloned().collect()
    }
}
