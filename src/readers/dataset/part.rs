//! The cases of one run, out of the parts of its evaluation: only row groups that may hold rows of it are read.

use super::fetched_range::HeldSource;
use super::{Bundle, Error, RunRead, wrong};
use crate::input::InputFile;
use crate::model::{GroupInfo, Run, RunBuilder};
use crate::readers::evalglass::{
    CASE_COLUMNS, CASE_IDX, CASE_RUN, CHECK_COLUMNS, CHECK_IDX, CHECK_RUN, ParquetCheck,
    ReportTable, case,
};
use crate::readers::parquet_file::ParquetFile;
use std::rc::Rc;

/// Reads the cases of the run called `id` in the dataset; `run` is the run without them.
pub(super) fn cases_of_run(bundle: &Bundle, id: &str, run: &Run) -> Result<RunRead, Error> {
    let of = |folder: &str| -> Vec<&InputFile> {
        let files = bundle.files.iter().map(|claimed| &claimed.file);
        files.filter(|file| table_of(file) == Some(folder)).collect()
    };
    let (cases, checks) = (of("cases"), of("checks"));
    let mut builder = RunBuilder::new(run.key.clone(), run.label.as_str());
    builder.started_at.clone_from(&run.started_at);
    builder.duration_secs = run.duration_secs;
    builder.usage = run.usage;
    builder.is_infrastructure_failure = run.is_infrastructure_failure;
    builder.state.clone_from(&run.state);
    run.sources
        .iter()
        .chain(bundle.files.iter().map(|claimed| &claimed.file.id))
        .for_each(|source| builder.source(*source));
    run.groups.iter().for_each(|group: &GroupInfo| builder.group(group.clone()));
    let mut cases = RunRows::new(cases, id, CASE_COLUMNS, CASE_RUN);
    let checks = RunRows::new(checks, id, CHECK_COLUMNS, CHECK_RUN);
    let mut checks = ChecksAhead { rows: checks, is_more: true, lost: None };
    checks.advance();
    let mut last = None;
    while cases.advance()? {
        let (Some(table), Some(file)) = (cases.table(), cases.file()) else { break };
        let Some(idx) = table.count(CASE_IDX) else {
            return Err(wrong("a case has no place in its run").in_file(&file.path));
        };
        if last.is_some_and(|last| idx <= last) {
            return Err(wrong("the cases of a run are not in order").in_file(&file.path));
        }
        last = Some(idx);
        let (row, _) = case(table, file);
        builder.case(row);
        while checks.is_more {
            let (Some(table), file) = (checks.rows.table(), checks.rows.file()) else { break };
            match table.count(CHECK_IDX) {
                Some(of) if of > idx => break,
                Some(of) if of == idx => builder.check(ParquetCheck::read(table).row(file)),
                // Its case is not there.
                _ => {}
            }
            checks.advance();
        }
    }
    Ok(RunRead { run: Box::new(builder.finish()), lost: checks.lost })
}

/// The checks of a run, at one of them.
struct ChecksAhead<'a> {
    rows: RunRows<'a>,
    is_more: bool,
    /// Why no more of them come: cases without checks are better than none.
    lost: Option<Error>,
}

impl ChecksAhead<'_> {
    fn advance(&mut self) {
        match self.rows.advance() {
            Ok(is_more) => self.is_more = is_more,
            Err(err) => (self.is_more, self.lost) = (false, Some(err)),
        }
    }
}

/// The table that a part is of, by its path: `cases` or `checks`.
fn table_of(file: &InputFile) -> Option<&str> {
    file.path.rsplit('/').nth(4)
}

/// The rows of one run in the parts of a table, in their order.
struct RunRows<'a> {
    parts: std::vec::IntoIter<&'a InputFile>,
    id: &'a str,
    names: &'static [&'static str],
    run: usize,
    now: Option<OpenPart<'a>>,
}

/// A part that is being read.
struct OpenPart<'a> {
    file: &'a InputFile,
    held: Rc<HeldSource>,
    footer: ParquetFile,
    table: ReportTable,
    /// Row groups to come that may hold rows of the run.
    groups: std::vec::IntoIter<usize>,
}

impl<'a> RunRows<'a> {
    fn new(
        mut parts: Vec<&'a InputFile>,
        id: &'a str,
        names: &'static [&'static str],
        run: usize,
    ) -> Self {
        parts.sort_by(|one, other| one.path.cmp(&other.path));
        Self { parts: parts.into_iter(), id, names, run, now: None }
    }

    /// The table at the row at hand.
    fn table(&self) -> Option<&ReportTable> {
        self.now.as_ref().map(|part| &part.table)
    }

    /// The part that it stands in.
    fn file(&self) -> Option<&'a InputFile> {
        self.now.as_ref().map(|part| part.file)
    }

    /// Goes on to the next row of the run; `false` at the end.
    fn advance(&mut self) -> Result<bool, Error> {
        loop {
            let Some(part) = &mut self.now else {
                let Some(file) = self.parts.next() else { return Ok(false) };
                self.now = Some(OpenPart::open(file, self.id, self.names)?);
                continue;
            };
            while part.table.advance_in_group()? {
                if part.table.text(self.run) == Some(self.id) {
                    return Ok(true);
                }
            }
            if !part.next_group(self.names)? {
                self.now = None;
            }
        }
    }
}

impl<'a> OpenPart<'a> {
    fn open(file: &'a InputFile, id: &str, names: &'static [&'static str]) -> Result<Self, Error> {
        let held = HeldSource::new(file);
        let own = InputFile { data: Rc::<HeldSource>::clone(&held), ..file.clone() };
        let footer = ParquetFile::open(&own)?;
        let name = names.first().copied().unwrap_or_default();
        let groups = footer.groups_with(name, id).map_err(|err| err.in_file(&file.path))?;
        let table = ReportTable::open(&own, names)?;
        Ok(Self { file, held, footer, table, groups: groups.into_iter() })
    }

    /// Fetches the next row group and goes before its first row; `false`: there is none.
    fn next_group(&mut self, names: &[&str]) -> Result<bool, Error> {
        let Some(group) = self.groups.next() else { return Ok(false) };
        let span = self.footer.span_of(group, names);
        let held = self.held.hold(span.clone());
        held.map_err(|err| {
            Error::from(crate::input::Error::of_source(&err, span.start)).in_file(&self.file.path)
        })?;
        self.table.seek(self.footer.first_row_of_group(group))?;
        Ok(true)
    }
}
