//! Evaluations into a dataset, one at a time: each is read, written and forgotten before the next one is read.

use super::place::{folder, hash, relative};
use super::record::{DatasetRecord, RowFile};
use super::store::DatasetStore;
use super::tables::{FileOrigin, small_tables};
use super::{SCHEMA, WriteWish, index};
use crate::export::{ExportTable, PartWish};
use crate::input::{Allowance, Dropped, InputFile, LocalFuture, Pulse};
use crate::model::Notes;
use crate::readers::Bundle;
use crate::readers::{
    BundlePart as NthPart, BundleRead, Checked, Claimed, ContentKeys, Error, Given, Import,
    InProcess, LookedAt, Marks, Producer, ReadService, Wanted,
};
use crate::worker::core::Core;
use serde_json::{Map, Value as Json};
use std::cell::RefCell;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::PathBuf;
use std::rc::Rc;

/// What came of writing.
#[derive(Debug, Default)]
pub struct WriteOutcome {
    /// Ids of the evaluations that were written.
    pub evaluations: Vec<String>,
    /// Cases and checks in them.
    pub n_rows: [u64; 2],
    /// What has to be said: files that gave nothing, evaluations that took the place of others, faults of the
    /// dataset.
    pub remarks: Vec<String>,
}

/// Adds what lies in the paths of `wish` to its dataset, and derives the small tables anew.
///
/// # Errors
/// When a path cannot be read, or something cannot be written; why. What was written before stays.
pub fn write(wish: &WriteWish) -> io::Result<WriteOutcome> {
    let store = DatasetStore::open(&wish.dataset)?;
    store.mend(&store.turn()?)?;
    let FoundPaths { files, pruned, origins } = found(wish, &store)?;
    let writer = Rc::new(DatasetWriter {
        in_process: InProcess::default(),
        store,
        origins,
        with_details: wish.with_details,
        taken: RefCell::default(),
        written: RefCell::default(),
        failure: RefCell::default(),
    });
    let core = Core::new(Box::new(Streaming(Rc::clone(&writer))));
    let opened = finished(core.open(files, pruned, &Pulse::silent()));
    if let Some(err) = writer.failure.take() {
        return Err(err);
    }
    opened.map_err(|err| io::Error::other(err.to_string()))?;
    let mut written = writer.written.take();
    written.remarks.extend(core.losses());
    written.remarks.extend(index::derive(&writer.store)?);
    Ok(written)
}

/// Waits for `future`, which never waits for anybody else: one program reads and writes.
fn finished<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    loop {
        if let std::task::Poll::Ready(done) = future.as_mut().poll(&mut cx) {
            return done;
        }
    }
}

/// By the first part of a path, the folder that it lies in, relative to the dataset.
type Origins = Vec<(String, String)>;

/// What lies in the paths of a wish.
#[derive(Default)]
struct FoundPaths {
    files: Vec<Dropped>,
    /// Folders that were left out, with the number of their files.
    pruned: Vec<(String, u64)>,
    origins: Origins,
}

/// The files of `wish`, those left out, and where they lie.
fn found(wish: &WriteWish, store: &DatasetStore) -> io::Result<FoundPaths> {
    let FoundPaths { mut files, mut pruned, mut origins } = FoundPaths::default();
    for path in &wish.paths {
        let in_path = |err: io::Error| io::Error::other(format!("{}: {err}", path.display()));
        let whole = path.canonicalize().map_err(in_path)?;
        if whole.starts_with(&store.root) {
            return Err(in_path(io::Error::other("it lies in the dataset itself")));
        }
        let root = whole.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let lies_in = whole.parent().map(PathBuf::from).unwrap_or_default();
        let lies_in = relative(&store.root, &lies_in);
        if origins.iter().any(|(known, other)| *known == root && *other != lies_in) {
            let why = format!("another path is called {root}, too: add them one after the other");
            return Err(in_path(io::Error::other(why)));
        }
        let walk = crate::input::walk_disk_with(path, &wish.included).map_err(in_path)?;
        let is_outside = |file: &Dropped| !lies_within(&file.path, &root, &whole, store);
        files.extend(walk.files.into_iter().filter(is_outside));
        pruned.extend(walk.pruned);
        origins.push((root, lies_in));
    }
    files.extend(wish.mappings.iter().cloned());
    Ok(FoundPaths { files, pruned, origins })
}

/// Whether the file `path`, found below `whole` (called `root`), is one of the dataset's own.
fn lies_within(path: &str, root: &str, whole: &std::path::Path, store: &DatasetStore) -> bool {
    let inner = path.strip_prefix(root).unwrap_or_default();
    let place = inner.split('/').filter(|part| !part.is_empty());
    place.fold(whole.to_owned(), |place, part| place.join(part)).starts_with(&store.root)
}

/// Writes what was read.
struct DatasetWriter {
    in_process: InProcess,
    store: DatasetStore,
    origins: Origins,
    with_details: bool,
    /// Ids of this call.
    taken: RefCell<HashSet<String>>,
    written: RefCell<WriteOutcome>,
    /// Why it could not go on.
    failure: RefCell<Option<io::Error>>,
}

impl DatasetWriter {
    /// An id for an evaluation that would be `plain`: unless one of this call has it already.
    fn id(&self, plain: String) -> String {
        let mut taken = self.taken.borrow_mut();
        let mut id = plain.clone();
        let mut nth = 2;
        while !taken.insert(id.clone()) {
            id = format!("{plain} ({nth})");
            nth += 1;
        }
        id
    }

    /// Writes `imports`, the evaluations of one bundle.
    fn take(&self, imports: Vec<Import>) -> io::Result<()> {
        let core = Core::holding(imports, &mut |evaluation| {
            self.id(format!("{}:{}", evaluation.producer, evaluation.path))
        });
        let ids: Vec<u32> =
            core.with_workspace(|held| held.entries.iter().map(|entry| entry.id).collect());
        for id in ids {
            self.put(&core, id)?;
        }
        self.written.borrow_mut().remarks.extend(core.losses());
        Ok(())
    }

    /// Writes evaluation `id` of `core`.
    fn put(&self, core: &Core, id: u32) -> io::Result<()> {
        let begun = core.with_workspace(|held| {
            let entry = held.entry(id)?;
            let evaluation = &entry.evaluation;
            let root = evaluation.path.split('/').next().unwrap_or_default();
            let known = self.origins.iter().find(|(own, _)| own == root);
            let lies_in = known.or_else(|| self.origins.first());
            let origin =
                FileOrigin { folder: lies_in.map(|(_, found)| found.clone()).unwrap_or_default() };
            let tables: Map<String, Json> = small_tables()
                .iter()
                .map(|table| {
                    let rows = table.rows_of(entry, &origin);
                    let rows = rows.iter().map(super::cell::row_json).collect();
                    (table.name.to_owned(), Json::Array(rows))
                })
                .collect();
            let folder = folder(&evaluation.producer, evaluation.suite.as_deref(), &entry.key);
            let runs = &evaluation.runs;
            let n_rows: [u64; 2] = [
                runs.iter().map(|run| run.cases.len() as u64).sum(),
                runs.iter().map(|run| run.checks.len() as u64).sum(),
            ];
            Some((entry.key.clone(), folder, tables, n_rows, origin.folder))
        });
        let Some((evaluation, folder, tables, n_rows, origin)) = begun else { return Ok(()) };
        let text = serde_json::to_vec(&tables).map_err(io::Error::other)?;
        let writing = format!("{:016x}", hash(&text));
        let desk = self.store.desk()?;
        let mut parts = Vec::new();
        for (table, name, rows) in
            [(ExportTable::Cases, "cases", n_rows[0]), (ExportTable::Checks, "checks", n_rows[1])]
        {
            let staged = format!("{name}-0.parquet");
            let mut file = BufWriter::new(File::create(desk.path(&staged))?);
            let mut bytes = 0;
            let wish = PartWish {
                table,
                evaluation: id,
                with_details: self.with_details,
                writing: &writing,
            };
            let mut take = |piece: &[u8]| {
                bytes += piece.len() as u64;
                file.write_all(piece)
            };
            let done = finished(core.part_into(wish, &mut take));
            done.map_err(|err| io::Error::other(format!("{evaluation}: {err}")))?;
            file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
            let path = format!("{name}/{folder}/part-0.parquet");
            parts.push(RowFile { table: name.to_owned(), path, staged, rows, bytes });
        }
        let schema = SCHEMA.to_owned();
        let record =
            DatasetRecord { schema, evaluation: evaluation.clone(), writing, parts, tables };
        let before = self.store.commit(desk, &record)?;
        let mut written = self.written.borrow_mut();
        let was = before.as_ref().and_then(|before| {
            before.rows("evaluations").first()?.get("origin")?.as_str().map(str::to_owned)
        });
        if let Some(was) = was.filter(|was| *was != origin) {
            written.remarks.push(format!("{evaluation} takes the place of what lay in {was}"));
        }
        written.evaluations.push(evaluation);
        written.n_rows = [written.n_rows[0] + n_rows[0], written.n_rows[1] + n_rows[1]];
        Ok(())
    }
}

/// Reads as [`InProcess`] does, and hands each evaluation on as soon as it is read.
struct Streaming(Rc<DatasetWriter>);

impl ReadService for Streaming {
    fn open<'a>(
        &'a self,
        file: Dropped,
        allowance: &'a mut Allowance,
        notes: &'a Notes,
        pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<Vec<Dropped>, crate::input::Error>> {
        self.0.in_process.open(file, allowance, notes, pulse)
    }

    fn again<'a>(
        &'a self,
        producer: &'static dyn Producer,
        bundle: &'a Bundle,
        wanted: &'a Wanted,
    ) -> LocalFuture<'a, Result<Given, Error>> {
        self.0.in_process.again(producer, bundle, wanted)
    }

    fn look<'a>(
        &'a self,
        files: &'a [InputFile],
        pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<Vec<LookedAt>, Error>> {
        self.0.in_process.look(files, pulse)
    }

    fn content_keys<'a>(
        &'a self,
        files: &'a [(&'static str, Rc<Claimed>)],
        pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<Vec<ContentKeys>, Error>> {
        self.0.in_process.content_keys(files, pulse)
    }

    fn read<'a>(
        &'a self,
        bundles: &'a [(&'static dyn Producer, Bundle)],
        before: &'a Marks,
        pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<Vec<BundleRead>, Error>> {
        Box::pin(async move {
            let mut all = Vec::new();
            for pair in bundles {
                let read =
                    self.0.in_process.read(std::slice::from_ref(pair), before, pulse).await?;
                for one in read {
                    all.push(self.handed_on(pair, one));
                }
            }
            Ok(all)
        })
    }
}

impl Streaming {
    /// What is left of a bundle once its evaluations are written: nothing, or why it could not be read.
    fn handed_on(&self, pair: &(&'static dyn Producer, Bundle), read: BundleRead) -> BundleRead {
        let BundleRead { outcome, marks } = read;
        let (producer, bundle) = pair;
        let outcome = outcome.map(|all| {
            let of = all.len();
            let (all, stored): (Vec<Checked>, Vec<Checked>) =
                all.into_iter().partition(|checked| checked.stored.is_none());
            if !stored.is_empty() {
                let remark = format!(
                    "{}: it is a dataset, and is not added to another one: copy its cases, checks and records, then run report --index",
                    bundle.path
                );
                self.0.written.borrow_mut().remarks.push(remark);
            }
            let import = |(nth, checked): (usize, Checked)| Import {
                producer: *producer,
                bundle: bundle.clone(),
                part: NthPart { nth, of },
                evaluation: checked.evaluation,
                notes: checked.notes,
                notes_beside: checked.notes_beside,
                stored: checked.stored,
                marks: Marks::default(),
            };
            let imports = all.into_iter().enumerate().map(import).collect();
            let is_stopped = self.0.failure.borrow().is_some();
            if !is_stopped && let Err(err) = self.0.take(imports) {
                self.0.failure.replace(Some(err));
            }
            Vec::new()
        });
        BundleRead { outcome, marks }
    }
}
