//! What a file looks like from outside: its form, and the outline of its first JSON value.

use super::error::{Error, ErrorKind};
use super::json::space_len;
use super::outline::OutlineWalk;
use super::pulse::Pulse;
use super::source::InputFile;
use super::split::{Slices, SplitWindow};
use memchr::{memchr, memchr_iter, memmem};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// How much of a file is shown to every reader.
const HEAD_BYTES: u64 = 64 << 10;

/// The first slice; later ones are twice as long, up to the full size, since most files are small.
const FIRST_SLICE: usize = 64 << 10;

/// How far behind the first value another one is looked for.
const LOOK_AFTER: u64 = 64 << 10;

/// How far a whole line is looked for when the first one is broken, and how many are tried.
const LOOK_FOR_LINES: u64 = 1 << 20;
const LINES_TRIED: usize = 16;

/// The kinds of JSON values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ValueKind {
    /// `{…}`
    Object,
    /// `[…]`
    Array,
    /// `"…"`
    Text,
    /// `1`, `NaN`
    Number,
    /// `true`, `false`
    Bool,
    /// `null`
    Null,
}

impl ValueKind {
    /// The kind of the value that starts with `byte`, if any can.
    pub(super) fn from_first(byte: u8) -> Option<Self> {
        match byte {
            b'{' => Some(Self::Object),
            b'[' => Some(Self::Array),
            b'"' => Some(Self::Text),
            b't' | b'f' => Some(Self::Bool),
            b'n' => Some(Self::Null),
            b'-' | b'0'..=b'9' | b'N' | b'I' => Some(Self::Number),
            _ => None,
        }
    }
}

/// One member of the outermost object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Key, unescaped.
    pub key: String,
    /// Kind of its value.
    pub kind: ValueKind,
    /// Bytes of its value in the source.
    pub span: Range<u64>,
}

/// The outermost level of a JSON value.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Outline {
    /// Kind of the value; `None` when there is none.
    pub kind: Option<ValueKind>,
    /// Members when it is an object, in file order; a repeated key stands twice.
    pub members: Vec<Member>,
    /// Bytes of the value.
    pub span: Range<u64>,
    /// Why the outline ends early: cut off or broken, and at which byte. Members before are there,
    /// the member that was cut included (its span ends where the file does).
    pub cut: Option<Error>,
}

impl Outline {
    /// The member called `key` (the last one, as in Python).
    pub fn member(&self, key: &str) -> Option<&Member> {
        self.members.iter().rev().find(|member| member.key == key)
    }

    /// Whether there is a member called `key` of kind `kind`.
    pub fn has(&self, key: &str, kind: ValueKind) -> bool {
        self.member(key).is_some_and(|member| member.kind == kind)
    }

    /// Whether every one of `keys` is there.
    pub fn has_all(&self, keys: &[&str]) -> bool {
        keys.iter().all(|key| self.member(key).is_some())
    }
}

/// What a file is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Form {
    /// No byte, or only space.
    Empty,
    /// Starts with `PAR1`.
    Parquet,
    /// One JSON value and nothing else.
    Document,
    /// Several JSON values, one per line (or glued). The outline is that of the first.
    Lines,
    /// Text that is not JSON (YAML, log).
    Text,
    /// Anything else.
    Binary,
    /// A packed file of an archive: nobody has looked at it.
    Unseen,
}

/// How the records of a file lie, if it is one of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum RecordLayout {
    /// One per line (or several glued).
    #[default]
    Lines,
    /// One after another, spread over lines: pretty-printed.
    Values,
    /// In an array.
    Elements,
}

/// Form, head and outline of a file; made once, shown to every reader.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Shape {
    /// Form.
    pub form: Form,
    /// The first bytes, at most 64 KiB.
    #[serde(with = "serde_bytes")]
    pub head: Vec<u8>,
    /// Outline of the first JSON value; empty for other forms.
    pub outline: Outline,
    /// How its records lie.
    pub layout: RecordLayout,
    /// Outline of the first element, where the first value is an array of objects.
    pub element: Option<Outline>,
}

impl Shape {
    /// That of a file of `form` of which no more is known.
    pub fn of_form(form: Form) -> Self {
        Self {
            form,
            head: Vec::new(),
            outline: Outline::default(),
            layout: RecordLayout::default(),
            element: None,
        }
    }

    /// Outline of the first record: of the first element of an array of objects, else of the first
    /// value.
    pub fn record(&self) -> &Outline {
        self.element.as_ref().unwrap_or(&self.outline)
    }

    /// Whether the file holds several records: lines, values one after another, or an array of them.
    pub fn is_several(&self) -> bool {
        self.form == Form::Lines || self.element.is_some()
    }
}

/// Looks at `file`: its head, and the outermost level of its first JSON value, in slices.
/// A packed file of an archive is not looked at: its form says so. Progress is not counted: the bytes are counted when they are read.
///
/// When the first line is broken but later ones are whole, the form is [`Form::Lines`] and the outline
/// that of the first whole line, so that one torn line does not hide what the file is.
///
/// # Errors
/// When the source cannot be read, or the work is cancelled.
pub async fn shape(file: &InputFile, pulse: &Pulse) -> Result<Shape, Error> {
    shape_with(file, &Slices::default(), pulse).await
}

/// [`shape`] with slices of another size.
///
/// # Errors
/// As [`shape`].
#[doc(hidden)]
pub async fn shape_with(file: &InputFile, slices: &Slices, pulse: &Pulse) -> Result<Shape, Error> {
    if file.data.is_packed() {
        let outline = Outline { span: 0..file.len(), ..Outline::default() };
        let (head, layout) = (Vec::new(), RecordLayout::default());
        return Ok(Shape { form: Form::Unseen, head, outline, layout, element: None });
    }
    let head = file.bytes(0..file.len().min(HEAD_BYTES))?;
    let (form, outline) = if head.starts_with(b"PAR1") {
        (Form::Parquet, Outline::default())
    } else {
        match head.get(space_len(&head)) {
            Some(b'{' | b'[') => form_of_json(file, &head, slices, pulse).await?,
            Some(_) => (form_of_other(&head), Outline::default()),
            None if file.len() <= HEAD_BYTES => (Form::Empty, Outline::default()),
            None => (Form::Text, Outline::default()),
        }
    };
    let element = match outline.kind {
        Some(ValueKind::Array) => first_element(file, &head, &outline, slices, pulse).await?,
        _ => None,
    };
    let layout = layout(&head, &outline, element.is_some());
    Ok(Shape { form, head, outline, layout, element })
}

/// The outline of the first element of an array, when that is an object.
async fn first_element(
    file: &InputFile,
    head: &[u8],
    outline: &Outline,
    slices: &Slices,
    pulse: &Pulse,
) -> Result<Option<Outline>, Error> {
    let Ok(start) = usize::try_from(outline.span.start + 1) else { return Ok(None) };
    let inner = head.get(start..).unwrap_or_default();
    let at = start + space_len(inner);
    if head.get(at) != Some(&b'{') {
        return Ok(None);
    }
    let found = walk(file, OutlineWalk::new(at as u64), head, slices, pulse).await?.finish();
    Ok(Some(found))
}

fn layout(head: &[u8], outline: &Outline, is_list: bool) -> RecordLayout {
    if is_list {
        return RecordLayout::Elements;
    }
    let bytes = |span: &Range<u64>| {
        let (start, end) = (usize::try_from(span.start).ok()?, usize::try_from(span.end).ok());
        head.get(start..end.unwrap_or(head.len()).min(head.len()))
    };
    let value = bytes(&outline.span).unwrap_or_default();
    let first_line = memchr(b'\n', value).and_then(|at| value.get(..at));
    match (outline.kind, first_line) {
        // A torn line goes on with the next one; a lone brace begins a pretty-printed value.
        (Some(ValueKind::Object), Some(line))
            if outline.cut.is_none() || line.trim_ascii_end() == b"{" =>
        {
            RecordLayout::Values
        }
        _ => RecordLayout::Lines,
    }
}

/// The outline of the JSON value that starts at or behind byte `at` of `file`, in slices.
///
/// # Errors
/// When the source cannot be read, or the work is cancelled.
pub async fn outline(file: &InputFile, at: u64, pulse: &Pulse) -> Result<Outline, Error> {
    let slices = Slices::default();
    walk(file, OutlineWalk::new(at), &[], &slices, pulse).await.map(OutlineWalk::finish)
}

/// Takes `walk` to the end of its value; `head` is how `file` starts.
async fn walk(
    file: &InputFile,
    mut walk: OutlineWalk,
    head: &[u8],
    slices: &Slices,
    pulse: &Pulse,
) -> Result<OutlineWalk, Error> {
    let mut n_bytes = slices.n_bytes.min(FIRST_SLICE);
    // Most values end soon. One that does not is read as a stream.
    while !walk.is_over() && walk.at < file.len() && n_bytes < slices.n_bytes {
        let end = file.len().min(walk.at + n_bytes as u64);
        if end <= head.len() as u64 {
            walk.feed(head.get(walk.at as usize..end as usize).unwrap_or_default());
        } else {
            walk.feed(&file.bytes(walk.at..end)?);
        }
        n_bytes = n_bytes.saturating_mul(2).min(slices.n_bytes);
        pulse.breathe().await?;
    }
    if walk.is_over() || walk.at >= file.len() {
        return Ok(walk);
    }
    let mut window = SplitWindow::new(file, walk.at, file.len(), slices);
    while !walk.is_over() && window.read_on(pulse.may_wait()).await? > 0 {
        walk.feed(window.bytes());
        window.drop_first(window.bytes().len());
        pulse.breathe().await?;
    }
    Ok(walk)
}

/// The form of a file whose first byte could start a JSON object or array.
async fn form_of_json(
    file: &InputFile,
    head: &[u8],
    slices: &Slices,
    pulse: &Pulse,
) -> Result<(Form, Outline), Error> {
    let walk = walk(file, OutlineWalk::new(0), head, slices, pulse).await?;
    let is_faulty = walk.is_over();
    let has_items = walk.has_items();
    let mut outline = walk.finish();
    if outline.cut.is_some() {
        if let Some(first_whole) = first_whole_line(file)? {
            return Ok((Form::Lines, first_whole));
        }
        // `[section]`, `{{ template }}`, `[12:30] started`: brackets, but never JSON.
        let is_json = !is_faulty || !outline.members.is_empty() || has_items;
        return Ok(if is_json {
            (Form::Document, outline)
        } else {
            (form_of_other(head), Outline::default())
        });
    }
    let after = file.bytes(outline.span.end..file.len().min(outline.span.end + LOOK_AFTER))?;
    let n_space = space_len(&after);
    match after.get(n_space) {
        None => Ok((Form::Document, outline)),
        Some(b'{' | b'[') => Ok((Form::Lines, outline)),
        Some(_) if memmem::find(&after, b"\n{").is_some() => Ok((Form::Lines, outline)),
        Some(_) if outline.kind == Some(ValueKind::Array) && !has_items => {
            Ok((form_of_other(head), Outline::default()))
        }
        Some(_) => {
            let at = outline.span.end + n_space as u64;
            outline.cut = Some(Error::new(ErrorKind::Json("something follows the value"), at));
            Ok((Form::Document, outline))
        }
    }
}

/// The outline of the first line that is an object by itself, where the first line is none.
fn first_whole_line(file: &InputFile) -> Result<Option<Outline>, Error> {
    let start = file.bytes(0..file.len().min(LOOK_FOR_LINES))?;
    let first_line = space_len(&start);
    let line_ends = memchr_iter(b'\n', start.get(first_line..).unwrap_or_default());
    for line_end in line_ends.take(LINES_TRIED) {
        let from = first_line + line_end + 1;
        let rest = start.get(from..).unwrap_or_default();
        let line = rest.get(..memchr(b'\n', rest).unwrap_or(rest.len())).unwrap_or_default();
        if line.first() != Some(&b'{') {
            continue;
        }
        let mut walk = OutlineWalk::new(from as u64);
        walk.feed(line);
        let outline = walk.finish();
        if outline.cut.is_none() {
            return Ok(Some(outline));
        }
    }
    Ok(None)
}

/// Text or binary, by the control characters in `head`.
fn form_of_other(head: &[u8]) -> Form {
    let is_control = |byte: &u8| *byte < 0x20 && !matches!(byte, b'\t'..=b'\r' | 0x1b);
    let n_controls = head.iter().filter(|byte| is_control(byte)).count();
    let is_utf8 = match std::str::from_utf8(head) {
        Ok(_) => true,
        Err(err) => err.error_len().is_none(),
    };
    let n_high = head.iter().filter(|byte| !byte.is_ascii()).count();
    let is_foreign = !is_utf8 && n_high * 3 > head.len();
    if head.contains(&0) || n_controls * 20 > head.len() || is_foreign {
        Form::Binary
    } else {
        Form::Text
    }
}
