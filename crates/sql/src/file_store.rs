//! Files that are known by their paths, as the store that tables are read from. Nothing can be written.

use async_trait::async_trait;
use datafusion::object_store::path::Path;
use datafusion::object_store::{
    Attributes, CopyOptions, Error, GetOptions, GetRange, GetResult, GetResultPayload, ListResult,
    MultipartUpload, ObjectMeta, ObjectStore, PutMultipartOptions, PutOptions, PutPayload,
    PutResult, Result,
};
use futures::StreamExt as _;
use futures::future::BoxFuture;
use futures::stream::{self, BoxStream};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

/// Where the bytes of a file come from.
pub trait FileBytes: Send + Sync + 'static {
    /// How many there are.
    fn n_bytes(&self) -> u64;

    /// Asks for those of `range` at once; they may come later. The error says why they cannot be read.
    fn read(&self, range: Range<u64>) -> BoxFuture<'static, std::result::Result<Vec<u8>, String>>;
}

/// The files by their paths.
pub struct FileStore<B>(BTreeMap<Path, B>);

impl<B: FileBytes> FileStore<B> {
    /// A store of `files`.
    pub fn new(files: BTreeMap<Path, B>) -> Self {
        Self(files)
    }

    fn meta(path: &Path, bytes: &B) -> ObjectMeta {
        ObjectMeta {
            location: path.clone(),
            last_modified: Default::default(),
            size: bytes.n_bytes(),
            e_tag: None,
            version: None,
        }
    }
}

impl<B> fmt::Debug for FileStore<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl<B> fmt::Display for FileStore<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} files", self.0.len())
    }
}

/// An error that names the file.
fn of_file(path: &Path, why: String) -> Error {
    Error::Generic { store: "file", source: format!("{path}: {why}").into() }
}

fn only_read() -> Error {
    Error::NotSupported { source: "nothing is written here".into() }
}

#[async_trait]
impl<B: FileBytes> ObjectStore for FileStore<B> {
    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        let source = self.0.get(location).ok_or_else(|| Error::NotFound {
            path: location.to_string(),
            source: "the part is missing: add its evaluation again".into(),
        })?;
        let meta = Self::meta(location, source);
        // What is cut off would otherwise end the program further down.
        if let Some(GetRange::Bounded(range)) = &options.range
            && range.end > meta.size
        {
            let why = format!("damaged: it ends after {} bytes", meta.size);
            return Err(of_file(location, why));
        }
        let range = match options.range {
            Some(range) => {
                range.as_range(meta.size).map_err(|err| of_file(location, err.to_string()))?
            }
            None => 0..meta.size,
        };
        let bytes = if options.head || range.is_empty() {
            Vec::new()
        } else {
            source.read(range.clone()).await.map_err(|why| of_file(location, why))?
        };
        let payload = stream::once(futures::future::ready(Ok(bytes.into()))).boxed();
        Ok(GetResult {
            payload: GetResultPayload::Stream(payload),
            meta,
            range,
            attributes: Attributes::default(),
        })
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        let is_below = |path: &Path| prefix.is_none_or(|prefix| path.prefix_matches(prefix));
        let found = self.0.iter().filter(|(path, _)| is_below(path));
        let found: Vec<_> = found.map(|(path, source)| Ok(Self::meta(path, source))).collect();
        stream::iter(found).boxed()
    }

    async fn list_with_delimiter(&self, _prefix: Option<&Path>) -> Result<ListResult> {
        Err(Error::NotSupported { source: "files are named, not listed".into() })
    }

    async fn put_opts(
        &self,
        _location: &Path,
        _payload: PutPayload,
        _opts: PutOptions,
    ) -> Result<PutResult> {
        Err(only_read())
    }

    async fn put_multipart_opts(
        &self,
        _location: &Path,
        _opts: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        Err(only_read())
    }

    fn delete_stream(
        &self,
        _locations: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        stream::once(futures::future::ready(Err(only_read()))).boxed()
    }

    async fn copy_opts(&self, _from: &Path, _to: &Path, _options: CopyOptions) -> Result<()> {
        Err(only_read())
    }
}
