//! Looking through the files of cases for a text, a step at a time, so that the worker can answer
//! meanwhile.

use super::filter::{Needle, Scope};
use super::workspace::Workspace;
use super::{RunRef, Target};
use crate::input::json::any_text;
use crate::model::{Locator, SourceId};
use crate::readers::{self, Bundle, Error};
use std::collections::HashMap;

/// Bytes that are read at once, and about as many as a step takes.
const WINDOW_BYTES: u64 = 1 << 20;

/// The search of one run.
pub struct Search {
    run: RunRef,
    needle: Needle,
    found: Vec<bool>,
    /// The next case to be looked at.
    next: usize,
    /// A window into the file of the records, and one into the file of their partners.
    windows: [Window; 2],
    /// Sources whose cases lie in rows: case by row, and the next part.
    rows: Vec<(SourceId, HashMap<u64, usize>, usize)>,
}

/// Bytes of a file that are in memory.
#[derive(Default)]
struct Window {
    source: Option<SourceId>,
    start: u64,
    bytes: Vec<u8>,
}

/// The runs of `target` that have not been searched for `needle`, each with the bytes to be read;
/// `None` when the target is not there.
pub fn unsearched_runs(
    workspace: &Workspace,
    target: Target,
    needle: &str,
) -> Option<Vec<(RunRef, u64)>> {
    let scope = Scope::new(workspace, target)?;
    let unsearched = scope.parts.iter().filter(|part| scope.found(needle, part.at).is_none());
    let n_bytes = |run: &crate::model::Run| {
        let places = |idx| [run.cases.locator_of(idx), run.cases.partner_of(idx)];
        let lens = (0..run.cases.len()).flat_map(places).flatten().map(|place| match place {
            Locator::Span { len, .. } => len,
            Locator::Row { .. } => 0,
        });
        lens.sum()
    };
    Some(unsearched.map(|part| (part.at, n_bytes(part.run))).collect())
}

/// Number of cases of `target` in whose files `needle` was found.
pub fn n_found(workspace: &Workspace, target: Target, needle: &str) -> u64 {
    let Some(scope) = Scope::new(workspace, target) else { return 0 };
    let found = scope.parts.iter().filter_map(|part| scope.found(needle, part.at));
    found.map(|found| found.iter().filter(|is_in| **is_in).count() as u64).sum()
}

impl Search {
    /// Begins to look through the files of `run`.
    pub fn new(run: RunRef, needle: &str) -> Self {
        Self {
            run,
            needle: Needle::new(needle),
            found: Vec::new(),
            next: 0,
            windows: [Window::default(), Window::default()],
            rows: Vec::new(),
        }
    }

    /// Looks on for about a megabyte: the bytes that were looked at, `None` at the end.
    ///
    /// # Errors
    /// When the run or a file is gone, or damaged.
    pub fn step(&mut self, workspace: &Workspace) -> Result<Option<u64>, Error> {
        let gone = || Error::new(readers::ErrorKind::Gone);
        let (entry, run) = workspace.run(self.run).ok_or_else(gone)?;
        let bundle = &entry.bundle;
        self.found.resize(run.cases.len(), false);
        let mut n_bytes = 0;
        while self.next < run.cases.len() && n_bytes < WINDOW_BYTES {
            let case = self.next;
            self.next += 1;
            let places = [run.cases.locator_of(case), run.cases.partner_of(case)];
            for (place, window) in places.into_iter().zip(&mut self.windows) {
                match place {
                    None => {}
                    Some(Locator::Row { source, row }) => {
                        let known = self.rows.iter().position(|(known, ..)| *known == source);
                        let at = known.unwrap_or(self.rows.len());
                        if known.is_none() {
                            self.rows.push((source, HashMap::new(), 0));
                        }
                        if let Some((_, cases, _)) = self.rows.get_mut(at) {
                            cases.insert(row, case);
                        }
                    }
                    Some(Locator::Span { source, offset, len }) => {
                        n_bytes += len;
                        let bytes = window.part(bundle, source, offset, len)?;
                        let mut space = String::new();
                        let is_in = any_text(bytes, |text| self.needle.is_in(&text, &mut space));
                        if let Some(found) = self.found.get_mut(case) {
                            *found = *found || is_in;
                        }
                    }
                }
            }
        }
        if self.next < run.cases.len() || n_bytes > 0 {
            return Ok(Some(n_bytes));
        }
        let Some((source, cases, part)) = self.rows.last_mut() else { return Ok(None) };
        let file = bundle.file(*source).ok_or_else(gone)?;
        let (mut space, mut n_bytes) = (String::new(), 0);
        let (needle, found) = (&self.needle, &mut self.found);
        let is_there = entry.reader.row_texts(file, *part, &mut |row, text| {
            n_bytes += text.len() as u64;
            if let Some(found) = cases.get(&row).and_then(|case| found.get_mut(*case)) {
                *found = *found || needle.is_in(text, &mut space);
            }
        })?;
        *part += 1;
        if !is_there {
            self.rows.pop();
        }
        // Never none: even a part without texts is a step.
        Ok(Some(n_bytes.max(1)))
    }

    /// In which cases it was found.
    pub fn into_found(self) -> Vec<bool> {
        self.found
    }
}

impl Window {
    /// `len` bytes of a source from `offset` on.
    fn part(
        &mut self,
        bundle: &Bundle,
        source: SourceId,
        offset: u64,
        len: u64,
    ) -> Result<&[u8], Error> {
        let range = |start: u64| {
            let from = usize::try_from(offset.checked_sub(start)?).ok()?;
            Some(from..from.checked_add(usize::try_from(len).ok()?)?)
        };
        let is_here = self.source == Some(source)
            && range(self.start).is_some_and(|range| self.bytes.get(range).is_some());
        if !is_here {
            let file = bundle.file(source).ok_or_else(|| Error::new(readers::ErrorKind::Gone))?;
            let end = offset.saturating_add(len.max(WINDOW_BYTES)).min(file.len());
            self.bytes = file
                .bytes(offset..end.max(offset))
                .map_err(|err| Error::from(err).in_file(&file.path))?;
            (self.source, self.start) = (Some(source), offset);
        }
        let part = range(self.start).and_then(|range| self.bytes.get(range));
        part.ok_or_else(|| Error::new(readers::ErrorKind::Gone))
    }
}
