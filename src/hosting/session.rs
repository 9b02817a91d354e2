//! Fetching what addresses name: each file once, a few at a time, all of them or none.

use super::dataset::{MAX_MANIFEST_BYTES, NO_RANGES, tables_of};
use super::gallery::{Gallery, gallery_of};
use super::place::{WebAddress, allowed, paths};
use super::refusal::{Refusal, RefusalKind, Refused};
use super::remote::RemoteFile;
use crate::order::Order as _;
use futures_util::future::join_all;
use serde_json::Value;
use std::cell::{Cell, RefCell};
use std::future::Future;

const MB: u64 = 1_000_000;

/// How much is fetched.
#[derive(Debug, Clone, Copy)]
pub struct FetchLimits {
    /// From this size on a file stays on its server, when that gives out parts of files.
    pub ranged: u64,
    /// A file that is fetched whole, at the most.
    pub whole: u64,
    /// A file that is looked at as a list or a gallery, at the most.
    pub list: u64,
    /// Files of one link, at the most.
    pub n_files: usize,
    /// Requests at once.
    pub at_once: usize,
}

impl Default for FetchLimits {
    fn default() -> Self {
        Self { ranged: 8 * MB, whole: 512 * MB, list: 4 * MB, n_files: 20_000, at_once: 6 }
    }
}

/// What a server says before it gives out a file.
#[derive(Debug, Clone, Default)]
pub struct Headers {
    /// What kind of content it is.
    pub content_type: Option<String>,
    /// How it is packed on the way.
    pub content_encoding: Option<String>,
    /// How long it is, packed.
    pub content_length: Option<String>,
    /// Whether parts of it are given out.
    pub accept_ranges: Option<String>,
    /// Changes with the content.
    pub etag: Option<String>,
    /// When the content was changed.
    pub last_modified: Option<String>,
}

/// An answer, whose content is still to come.
pub struct HostAnswer<B> {
    /// Its status.
    pub status: u16,
    /// The same in words; may be empty.
    pub status_text: String,
    /// What it says of the content.
    pub headers: Headers,
    /// The content.
    pub body: B,
}

/// What fetches: the browser, or a test.
pub trait Host {
    /// Content that is still to come.
    type Body;
    /// A file that is here.
    type File: Clone;

    /// Reads an address, seen from another one.
    fn resolve(&self, text: &str, from: &str) -> Option<WebAddress>;
    /// Asks for an address; `None` when nobody answers.
    fn ask(&self, address: &str) -> impl Future<Output = Option<HostAnswer<Self::Body>>>;
    /// Takes some more of the content: how many bytes, 0 at its end, `None` when the connection broke.
    fn take(&self, body: &mut Self::Body) -> impl Future<Output = Option<u64>>;
    /// Takes no more of it.
    fn cancel(&self, body: Self::Body) -> impl Future<Output = ()>;
    /// What was taken, as a file.
    fn file(&self, body: Self::Body, name: &str, last_modified: Option<&str>)
    -> Option<Self::File>;
    /// The file that stands for one on its server.
    fn remote(&self, place: &RemoteFile, name: &str) -> Option<Self::File>;
    /// Whether it is such a file.
    fn is_remote(&self, file: &Self::File) -> bool;
    /// Its bytes.
    fn size(&self, file: &Self::File) -> u64;
    /// Its text.
    fn text(&self, file: &Self::File) -> impl Future<Output = String>;
    /// The copy that was kept of an address, and when.
    fn copy(&self, address: &str, name: &str)
    -> impl Future<Output = Option<(Self::File, String)>>;
    /// Keeps a copy, sometime.
    fn keep(&self, address: &str, file: &Self::File);
    /// Whether somebody wants nothing any more.
    fn is_stopped(&self) -> bool;
    /// Says how far it has come; `n_total` is 0 as long as it is not known.
    fn tell(&self, n_done: u64, n_total: u64, name: &str);
}

/// A file that was fetched.
#[derive(Clone)]
struct FetchedFile<F> {
    place: WebAddress,
    file: F,
    /// The date of the copy that it comes from, when the server does not answer.
    copy_of: Option<String>,
    /// How it is read by parts; `None`: its server gives out none.
    remote: Option<RemoteFile>,
}

/// What addresses name.
pub enum FoundResults<F> {
    /// Files, with the paths that a drop would give them.
    Files {
        /// The files.
        files: Vec<(String, F)>,
        /// The date of the oldest copy, when the server did not answer.
        copy_of: Option<String>,
    },
    /// A gallery, and where it lies.
    Gallery(Gallery, WebAddress),
}

/// A session of fetching.
pub struct Session<H> {
    host: H,
    base: WebAddress,
    allows_others: bool,
    limits: FetchLimits,
    n_done: Cell<u64>,
    n_total: Cell<u64>,
    is_known: Cell<bool>,
}

impl<H: Host> Session<H> {
    /// One of the page at `base`, which fetches from other hosts when `allows_others`.
    pub fn new(host: H, base: WebAddress, allows_others: bool, limits: FetchLimits) -> Self {
        let (n_done, n_total, is_known) = (Cell::new(0), Cell::new(0), Cell::new(true));
        Self { host, base, allows_others, limits, n_done, n_total, is_known }
    }

    /// What `texts` name. A list of paths stands for the files that it names.
    ///
    /// # Errors
    /// Everything that is wrong, with the addresses that are not.
    pub async fn sources(&self, texts: &[String]) -> Result<FoundResults<H::File>, Refused> {
        let mut found = Vec::new();
        for one in self.files(self.addresses(texts, &self.base)?).await? {
            let value = self.json(&one).await;
            let paths = value.as_ref().and_then(texts_of);
            if let Some(paths) = paths {
                found.extend(self.files(self.addresses(&paths, &one.place)?).await?);
                continue;
            }
            if let Some(tables) = value.as_ref().and_then(tables_of) {
                found.extend(self.dataset(one, &tables).await?);
                continue;
            }
            let gallery = value.map(|value| gallery_of(&value, &one.place.href)).transpose()?;
            if let Some(gallery) = gallery.flatten() {
                return Ok(FoundResults::Gallery(gallery, one.place));
            }
            found.push(one);
        }
        let places: Vec<&WebAddress> = found.iter().map(|one| &one.place).collect();
        let names = paths(&places);
        let copy_of = found.iter().filter_map(|one| one.copy_of.clone()).min();
        let files = names.into_iter().zip(found.into_iter().map(|one| one.file)).collect();
        Ok(FoundResults::Files { files, copy_of })
    }

    /// The gallery beside the page; `None` when there is none, or an empty one.
    ///
    /// # Errors
    /// When it is broken.
    pub async fn gallery(&self) -> Result<Option<(Gallery, WebAddress)>, Refused> {
        let Some(place) = self.host.resolve("results.json", &self.base.href) else {
            return Ok(None);
        };
        let one = match self.file(place).await {
            Ok(one) if !self.host.is_remote(&one.file) => one,
            _ => return Ok(None),
        };
        let refuse =
            |why: String| Refusal::new(RefusalKind::NotResults, one.place.href.clone(), why);
        let value: Value = serde_json::from_str(&self.host.text(&one.file).await)
            .map_err(|err| refuse(format!("This is no JSON: {err}")))?;
        let gallery = gallery_of(&value, &one.place.href)?
            .ok_or_else(|| refuse("This is neither a gallery nor a list of paths.".to_owned()))?;
        Ok((!gallery.groups.is_empty()).then_some((gallery, one.place)))
    }

    /// The manifest of a dataset, as a file that stays on its server, and the tables that it names. One that is not there is
    /// named when the dataset is read.
    async fn dataset(
        &self,
        manifest: FetchedFile<H::File>,
        tables: &[String],
    ) -> Result<Vec<FetchedFile<H::File>>, Refused> {
        let FetchedFile { place, file, .. } = manifest;
        let Some(remote) = manifest.remote else {
            return Err(
                Refusal::new(RefusalKind::TooLarge, place.href, NO_RANGES.to_owned()).into()
            );
        };
        let name = paths(&[&place]).concat();
        let size = self.host.size(&file);
        let text = self.host.text(&file).await;
        let text = (text.len() <= MAX_MANIFEST_BYTES).then_some(text);
        let stays = self.host.remote(&RemoteFile { size, text, ..remote.clone() }, &name);
        let Some(stays) = stays else {
            return Err(
                Refusal::new(RefusalKind::Unreachable, place.href, NO_ROOM.to_owned()).into()
            );
        };
        let mut found = Vec::new();
        for places in self.addresses(tables, &place)?.chunks(self.limits.at_once.max(1)) {
            let all = join_all(places.iter().map(|place| self.file(place.clone()))).await;
            if self.host.is_stopped() {
                let why = "Stopped. Nothing was opened.";
                return Err(Refusal::new(RefusalKind::Stopped, place.href, why).into());
            }
            found.extend(all.into_iter().flatten());
        }
        found.insert(0, FetchedFile { place, file: stays, copy_of: None, remote: Some(remote) });
        Ok(found)
    }

    /// The addresses of `texts`, seen from `from`.
    fn addresses(&self, texts: &[String], from: &WebAddress) -> Result<Vec<WebAddress>, Refused> {
        let resolve = |text: &str, from: &str| self.host.resolve(text, from);
        let (mut good, mut refusals) = (Vec::new(), Vec::new());
        for text in texts {
            match allowed(text, from, self.allows_others, &resolve) {
                Ok(place) => good.push(place),
                Err(refusal) => refusals.push(refusal),
            }
        }
        all_or_none(good, refusals, |place| place.href)
    }

    /// All of them, in their order, each once.
    async fn files(
        &self,
        mut places: Vec<WebAddress>,
    ) -> Result<Vec<FetchedFile<H::File>>, Refused> {
        let mut known = std::collections::HashSet::new();
        places.retain(|place| known.insert(place.href.clone()));
        let (n_files, most) = (places.len(), self.limits.n_files);
        if n_files > most {
            let why = format!("{n_files} files in one link; at most {most} are opened.");
            return Err(Refusal::new(RefusalKind::TooLarge, self.base.href.clone(), why).into());
        }
        let waiting = RefCell::new(places.into_iter().enumerate());
        let (found, refusals) = (RefCell::new(Vec::new()), RefCell::new(Vec::new()));
        let take = || async {
            while !self.host.is_stopped() {
                let next = waiting.borrow_mut().next();
                let Some((nth, place)) = next else { break };
                match self.file(place).await {
                    Ok(one) => found.borrow_mut().push((nth, one)),
                    Err(refusal) => refusals.borrow_mut().push(refusal),
                }
            }
        };
        join_all((0..self.limits.at_once.min(n_files)).map(|_| take())).await;
        if self.host.is_stopped() {
            let why = "Stopped. Nothing was opened.";
            return Err(Refusal::new(RefusalKind::Stopped, self.base.href.clone(), why).into());
        }
        let mut found = found.into_inner();
        found.order_by_key(|(nth, _)| *nth);
        let found = found.into_iter().map(|(_, one)| one).collect();
        all_or_none(found, refusals.into_inner(), |one| one.place.href)
    }

    async fn file(&self, place: WebAddress) -> Result<FetchedFile<H::File>, Refusal> {
        let name = paths(&[&place]).concat();
        let is_here = place.origin == self.base.origin;
        let refuse = |kind, why: String| Refusal::new(kind, place.href.clone(), why);
        let answer = match self.host.ask(&place.href).await {
            Some(answer) => answer,
            None if self.host.is_stopped() => {
                return Err(refuse(RefusalKind::Stopped, "Stopped.".to_owned()));
            }
            None => {
                if let Some((file, date)) = self.host.copy(&place.href, &name).await {
                    return Ok(FetchedFile { place, file, copy_of: Some(date), remote: None });
                }
                let host = &place.host;
                let why = match is_here {
                    true => "The server does not answer.".to_owned(),
                    false => format!(
                        "{host} does not answer, or does not let other pages read this (CORS)."
                    ),
                };
                return Err(refuse(RefusalKind::Unreachable, why));
            }
        };
        let HostAnswer { status, status_text, headers, mut body } = answer;
        if let Some(why) = missing(status, &status_text, &headers) {
            self.host.cancel(body).await;
            return Err(refuse(RefusalKind::Missing, why));
        }
        let is_plain = headers.content_encoding.as_deref().unwrap_or_default().is_empty();
        let length = headers.content_length.as_deref().filter(|_| is_plain);
        let length: Option<u64> = length.and_then(|length| length.trim().parse().ok());
        let remote = gives_parts(&headers).then(|| {
            let known = [("ETag", &headers.etag), ("Last-Modified", &headers.last_modified)];
            let validator =
                known.into_iter().find_map(|(name, value)| Some((name.to_owned(), value.clone()?)));
            let size = length.unwrap_or_default();
            RemoteFile { url: place.href.clone(), size, is_here, validator, text: None }
        });
        if let Some(stands_for) = &remote
            && length.is_some_and(|size| size >= self.limits.ranged)
        {
            self.host.cancel(body).await;
            let file = self.host.remote(stands_for, &name);
            let file = file.ok_or_else(|| refuse(RefusalKind::Unreachable, NO_ROOM.to_owned()))?;
            return Ok(FetchedFile { place, file, copy_of: None, remote });
        }
        if length.is_some_and(|size| size > self.limits.whole) {
            self.host.cancel(body).await;
            return Err(refuse(RefusalKind::TooLarge, self.too_large(length)));
        }
        match length {
            Some(size) => self.n_total.set(self.n_total.get() + size),
            None => self.is_known.set(false),
        }
        let mut n_bytes = 0;
        loop {
            match self.host.take(&mut body).await {
                Some(0) => break,
                Some(n_more) => {
                    n_bytes += n_more;
                    self.grow(n_more, &name);
                }
                None if self.host.is_stopped() => {
                    return Err(refuse(RefusalKind::Stopped, "Stopped.".to_owned()));
                }
                None => {
                    let why = format!("The connection broke after {n_bytes} bytes.");
                    return Err(refuse(RefusalKind::Unreachable, why));
                }
            }
            if n_bytes > self.limits.whole {
                self.host.cancel(body).await;
                return Err(refuse(RefusalKind::TooLarge, self.too_large(None)));
            }
        }
        let file = self.host.file(body, &name, headers.last_modified.as_deref());
        let file = file.ok_or_else(|| refuse(RefusalKind::Unreachable, NO_ROOM.to_owned()))?;
        self.host.keep(&place.href, &file);
        Ok(FetchedFile { place, file, copy_of: None, remote })
    }

    fn grow(&self, by: u64, name: &str) {
        self.n_done.set(self.n_done.get() + by);
        let n_total = if self.is_known.get() { self.n_total.get() } else { 0 };
        self.host.tell(self.n_done.get(), n_total, name);
    }

    fn too_large(&self, length: Option<u64>) -> String {
        let known = length.map(|size| format!(" ({})", size_words(size))).unwrap_or_default();
        format!(
            "It is larger than {}{known}, and the server does not support range requests. \
             Download it and drop it here, or host it where range requests are answered.",
            size_words(self.limits.whole)
        )
    }

    /// The JSON in a file that is small and called so; `None` when it is none.
    async fn json(&self, one: &FetchedFile<H::File>) -> Option<Value> {
        let is_json = one.place.pathname.to_ascii_lowercase().ends_with(".json");
        if !is_json
            || self.host.is_remote(&one.file)
            || self.host.size(&one.file) > self.limits.list
        {
            return None;
        }
        serde_json::from_str(&self.host.text(&one.file).await).ok()
    }
}

const NO_ROOM: &str = "The browser has no room for it.";

/// Why the answer is none with the file; `None` when it is.
fn missing(status: u16, status_text: &str, headers: &Headers) -> Option<String> {
    if !(200..300).contains(&status) {
        let words =
            if status_text.is_empty() { String::new() } else { format!(" ({status_text})") };
        return Some(format!("The server answers {status}{words}."));
    }
    let kind = headers.content_type.as_deref().unwrap_or_default();
    let kind = kind.split([';', ' ']).next().unwrap_or_default();
    kind.eq_ignore_ascii_case("text/html").then(|| {
        "The server answers with a web page in its place: the file is missing, or this is a folder."
            .to_owned()
    })
}

fn gives_parts(headers: &Headers) -> bool {
    let ranges = headers.accept_ranges.as_deref().unwrap_or_default();
    ranges.split(',').any(|word| word.trim().eq_ignore_ascii_case("bytes"))
}

/// A list that stands for the files that it names.
fn texts_of(value: &Value) -> Option<Vec<String>> {
    let texts: Option<Vec<String>> =
        value.as_array()?.iter().map(|one| one.as_str().map(str::to_owned)).collect();
    texts.filter(|texts| !texts.is_empty())
}

fn all_or_none<T>(
    good: Vec<T>,
    refusals: Vec<Refusal>,
    address: impl Fn(T) -> String,
) -> Result<Vec<T>, Refused> {
    match refusals.is_empty() {
        true => Ok(good),
        false => Err(Refused { refusals, others: good.into_iter().map(address).collect() }),
    }
}

fn size_words(n_bytes: u64) -> String {
    match n_bytes >= 1000 * MB {
        true => format!("{:.1} GB", n_bytes as f64 / (1000 * MB) as f64),
        false => format!("{:.0} MB", n_bytes as f64 / MB as f64),
    }
}
