//! Reading as a service: [`InProcess`] does it here, the pool of reader programs does it side by side.

use super::read::{Checked, read};
use super::recognise::{Looked, Whose, look};
use super::{
    Bundle, Claimed, ContentKeys, Error, Given, JsonReportReader, Marks, Producer, READERS, Reader,
    Wanted, read_again,
};
use crate::input::{self, Allowance, Dropped, InputFile, LocalFuture, Pulse};
use crate::model::{Note, Notes, Place};
use arrow_array::RecordBatch;
use futures_util::stream::{self, LocalBoxStream};
use futures_util::{FutureExt as _, StreamExt as _};
use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::rc::Rc;

/// The smallest file that is cut, and the sizes of stretches.
const MIN_CUT_BYTES: u64 = 16 << 20;
const MIN_STRETCH_BYTES: u64 = 4 << 20;
const MAX_STRETCH_BYTES: u64 = 16 << 20;

/// The largest stretch of lines: each is a stream of its own, and what begins one takes the browser a while.
const MAX_LINES_BYTES: u64 = 64 << 20;

/// What looking at a file gave, or why it cannot be read.
pub type LookedAt = Result<Looked, input::Error>;

/// Unwraps files, looks at them and reads bundles, in this program or in several.
pub trait ReadService {
    /// Unwraps `file`, which [`input::is_wrapped`] says to be wrapped.
    ///
    /// # Errors
    /// Only when the work is cancelled.
    fn open<'a>(
        &'a self,
        file: Dropped,
        allowance: &'a mut Allowance,
        notes: &'a Notes,
        pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<Vec<Dropped>, input::Error>>;

    /// How many things can be read again side by side.
    fn n_at_once(&self) -> usize {
        1
    }

    /// Reads again what is wanted of `bundle`, files of `producer`.
    ///
    /// # Errors
    /// When it is cancelled, when its reader has stopped, or when a file that is searched is gone or
    /// damaged. Why a single case or document cannot be read stands in its place.
    fn again<'a>(
        &'a self,
        producer: &'static dyn Producer,
        bundle: &'a Bundle,
        wanted: &'a Wanted,
    ) -> LocalFuture<'a, Result<Given, Error>>;

    /// Puts what was unwrapped into memory where all of them can read it.
    fn share(&self, _files: &mut [InputFile]) {}

    /// Looks at `files`; what it gave in their order.
    ///
    /// # Errors
    /// Only when the work is cancelled.
    fn look<'a>(
        &'a self,
        files: &'a [InputFile],
        pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<Vec<LookedAt>, Error>>;

    /// Reads what loose files say about what they belong to, each with its producer's id; empty where that
    /// cannot be read.
    ///
    /// # Errors
    /// Only when the work is cancelled.
    fn content_keys<'a>(
        &'a self,
        files: &'a [(&'static str, Rc<Claimed>)],
        pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<Vec<ContentKeys>, Error>>;

    /// Reads bundles, those that have grown since `before` on from there; what came of them in their
    /// order.
    ///
    /// # Errors
    /// Only when the work is cancelled.
    fn read<'a>(
        &'a self,
        bundles: &'a [(&'static dyn Producer, Bundle)],
        before: &'a Marks,
        pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<Vec<BundleRead>, Error>>;
}

/// What came of a bundle.
pub struct BundleRead {
    /// Its evaluations; or why nothing could be made of it, and what was noted on the way.
    pub outcome: Result<Vec<Checked>, (Error, Vec<Note>)>,
    /// How far its files were read.
    pub marks: Marks,
}

impl BundleRead {
    /// Nothing, and why.
    pub fn failed(err: Error) -> Self {
        Self { outcome: Err((err, Vec::new())), marks: Marks::default() }
    }
}

/// A part of a bundle that another reader is to read.
pub struct Stretch {
    /// The files in which it lies.
    pub files: Vec<InputFile>,
    /// What [`Reader::stretch`] is to be told.
    pub asked: Vec<u8>,
}

/// What a reader knows of a stretch.
#[derive(Debug, Clone, Default)]
pub struct StretchRead {
    /// What it says, in words of its own.
    pub said: Vec<u8>,
    /// Large tables of it, which are passed on as they are.
    pub tables: Vec<RecordBatch>,
}

impl From<Vec<u8>> for StretchRead {
    fn from(said: Vec<u8>) -> Self {
        Self { said, tables: Vec::new() }
    }
}

/// Files whose bytes are here, as long as it is kept.
#[derive(Default)]
pub struct FetchedFiles(
    #[expect(dead_code, reason = "it is kept, and let go")] Option<Box<dyn Any>>,
);

impl FetchedFiles {
    /// `kept` holds the bytes.
    pub fn new(kept: impl Any) -> Self {
        Self(Some(Box::new(kept)))
    }
}

/// Who reads stretches of a bundle for a reader that is at it: other programs, or this one alone.
///
/// What is asked of a stretch and what comes of it are the reader's own affair: what
/// [`Reader::stretch`] takes and gives.
pub trait Helpers {
    /// How many stretches are read at the same time; 1: cutting a file is of no use.
    fn n_at_once(&self) -> usize;

    /// How large the stretches are into which a file of `n_bytes` is cut; `None`: it is read in one go.
    /// More of them than are read at once, so that nobody waits for long at the end; none so large that
    /// what comes of it weighs on the memory. Stretches of lines: see [`Self::line_bytes`].
    fn stretch_bytes(&self, n_bytes: u64) -> Option<u64> {
        let n_at_once = self.n_at_once() as u64;
        let is_worth_it = n_at_once > 1 && n_bytes >= MIN_CUT_BYTES;
        is_worth_it.then(|| (n_bytes / (n_at_once * 4)).clamp(MIN_STRETCH_BYTES, MAX_STRETCH_BYTES))
    }

    /// How large the next stretch of lines is where `n_left` bytes are left of a file that is cut: large ones first, small
    /// ones at the end, when somebody would wait for the last of them.
    fn line_bytes(&self, n_left: u64) -> u64 {
        let n_at_once = self.n_at_once().max(1) as u64;
        (n_left / (n_at_once * 2)).clamp(MIN_STRETCH_BYTES, MAX_LINES_BYTES)
    }

    /// Has the reader `id` read `stretches`. Others begin at once; the answers come in the order of the
    /// stretches. What was read counts on `pulse`.
    fn stretches<'a>(
        &'a self,
        id: &'static str,
        stretches: Vec<Stretch>,
        pulse: &'a Pulse,
    ) -> Answers<'a>;

    /// Fetches the bytes of the small ones among `files` in few requests. What is not fetched, or let go, is read
    /// file by file, which takes longer.
    fn fetch<'a>(&'a self, _files: &'a [InputFile]) -> LocalFuture<'a, FetchedFiles> {
        Box::pin(std::future::ready(FetchedFiles::default()))
    }
}

/// What is known of stretches, one after the other.
pub type Answers<'a> = LocalBoxStream<'a, Result<StretchRead, Error>>;

/// How files are unwrapped, as [`input::unwrap`] does it.
type Unwrap = for<'a> fn(
    Dropped,
    &'a mut Allowance,
    &'a Notes,
    &'a Pulse,
) -> LocalFuture<'a, Result<Vec<Dropped>, input::Error>>;

/// Reads in this program, one thing after the other.
#[derive(Clone, Copy)]
pub struct InProcess {
    /// What [`Helpers::n_at_once`] says: tests cut files with it.
    pub n_at_once: usize,
    readers: &'static [&'static dyn Reader],
    /// `None`: nothing can be unwrapped.
    unwrap: Option<Unwrap>,
}

impl Default for InProcess {
    /// With every reader.
    fn default() -> Self {
        let unwrap: Unwrap =
            |file, allowance, notes, pulse| Box::pin(input::unwrap(file, allowance, notes, pulse));
        Self { n_at_once: 1, readers: READERS, unwrap: Some(unwrap) }
    }
}

impl InProcess {
    /// With the reader of our own reports only: a program that holds no other can still open those.
    pub fn of_own_reports() -> Self {
        Self { n_at_once: 1, readers: &[&JsonReportReader], unwrap: None }
    }

    /// Reads a stretch, see [`Reader::stretch`].
    ///
    /// # Errors
    /// As there.
    pub async fn stretch(
        &self,
        id: &str,
        files: &[InputFile],
        asked: &[u8],
        pulse: &Pulse,
    ) -> Result<StretchRead, Error> {
        self.reader(id)?.stretch(files, asked, pulse).await
    }

    /// What was found out of a file. A program without the other readers does not say of it that nobody knows it.
    fn known(&self, looked: LookedAt) -> LookedAt {
        let is_unknown = |looked: &Looked| {
            matches!(looked.whose, Whose::Nobody { lfs_bytes: None, .. }) && self.unwrap.is_none()
        };
        if looked.as_ref().is_ok_and(is_unknown) {
            return Err(input::Error::new(input::ErrorKind::NoReader, 0));
        }
        looked
    }

    /// The reader of a producer's files.
    fn reader(&self, id: &str) -> Result<&'static dyn Reader, Error> {
        let reader = self.readers.iter().copied().find(|reader| reader.id() == id);
        reader.ok_or_else(|| input::Error::new(input::ErrorKind::NoReader, 0).into())
    }
}

impl ReadService for InProcess {
    fn open<'a>(
        &'a self,
        file: Dropped,
        allowance: &'a mut Allowance,
        notes: &'a Notes,
        pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<Vec<Dropped>, input::Error>> {
        Box::pin(async move {
            let path = file.path.clone();
            let Some(unwrap) = self.unwrap else {
                let err = input::Error::new(input::ErrorKind::NoReader, 0);
                notes.add(&path, err.note_kind(), Place::File, err.to_string());
                return Ok(Vec::new());
            };
            let work = unwrap(file, allowance, notes, pulse);
            survived("unwrapping", work).await.unwrap_or_else(|err| {
                notes.add(&path, err.note_kind(), Place::File, err.to_string());
                Ok(Vec::new())
            })
        })
    }

    fn again<'a>(
        &'a self,
        producer: &'static dyn Producer,
        bundle: &'a Bundle,
        wanted: &'a Wanted,
    ) -> LocalFuture<'a, Result<Given, Error>> {
        Box::pin(async move {
            let reader = self.reader(producer.id())?;
            let work = async { read_again(reader, bundle, wanted) };
            match survived(wanted.doing(), work).await {
                Ok(given) => given,
                Err(err) => wanted.failed(Error::from(err).in_file(&bundle.path)),
            }
        })
    }

    fn look<'a>(
        &'a self,
        files: &'a [InputFile],
        pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<Vec<LookedAt>, Error>> {
        Box::pin(async move {
            let mut all = Vec::new();
            for file in files {
                match survived("looking at", look(self.readers, file, pulse))
                    .await
                    .unwrap_or_else(Err)
                {
                    Err(err) if err.is_cancelled() => return Err(err.into()),
                    looked => all.push(self.known(looked)),
                }
            }
            Ok(all)
        })
    }

    fn content_keys<'a>(
        &'a self,
        files: &'a [(&'static str, Rc<Claimed>)],
        _pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<Vec<ContentKeys>, Error>> {
        Box::pin(async move {
            let mut all = Vec::new();
            for (id, claimed) in files {
                let work = async { self.reader(id).map(|reader| reader.content_keys(claimed)) };
                let keys = survived("comparing", work).await;
                all.push(keys.ok().and_then(Result::ok).unwrap_or_default());
            }
            Ok(all)
        })
    }

    fn read<'a>(
        &'a self,
        bundles: &'a [(&'static dyn Producer, Bundle)],
        before: &'a Marks,
        pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<Vec<BundleRead>, Error>> {
        Box::pin(async move {
            let mut all = Vec::new();
            for (producer, bundle) in bundles {
                let reader = match self.reader(producer.id()) {
                    Ok(reader) => reader,
                    Err(err) => {
                        let outcome = Err((err.in_file(&bundle.path), Vec::new()));
                        all.push(BundleRead { outcome, marks: Marks::default() });
                        continue;
                    }
                };
                let read = survived("reading", read(reader, bundle, before, self, pulse)).await;
                all.push(read.unwrap_or_else(|err| Ok(died(bundle, err, pulse)))?);
            }
            Ok(all)
        })
    }
}

/// What `work` comes to. Should it panic: that, where the platform lets a program go on.
async fn survived<T>(
    doing: &'static str,
    work: impl Future<Output = T>,
) -> Result<T, input::Error> {
    let outcome = AssertUnwindSafe(work).catch_unwind().await;
    outcome.map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason");
        let reason = format!("a fault in the program: {text}");
        input::Error::new(input::ErrorKind::Stopped { doing, reason }, 0)
    })
}

/// What is left of a bundle over which its reader panicked: the file that it was at.
fn died(bundle: &Bundle, err: input::Error, pulse: &Pulse) -> BundleRead {
    let at = pulse.file();
    let is_of_it = bundle.files.iter().any(|claimed| claimed.file.path == at);
    let err = Error::from(err).in_file(if is_of_it { &at } else { &bundle.path });
    BundleRead::failed(err)
}

impl Helpers for InProcess {
    fn n_at_once(&self) -> usize {
        self.n_at_once
    }

    fn stretches<'a>(
        &'a self,
        id: &'static str,
        stretches: Vec<Stretch>,
        pulse: &'a Pulse,
    ) -> Answers<'a> {
        let read = move |Stretch { files, asked }: Stretch| async move {
            self.stretch(id, &files, &asked, pulse).await
        };
        stream::iter(stretches).then(read).boxed_local()
    }
}
