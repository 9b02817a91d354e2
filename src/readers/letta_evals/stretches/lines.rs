//! Files of rows, line by line; when one has grown since, on from where it ended.
//!
//! Rows that were read are not read again: the table of the last reading holds them, and what else the
//! reading of a row depends on is kept beside it. Where anything of that is different now, or the file
//! itself is, it is read from its start.

use crate::input::{
    self, InputFile, LineStart, RecordLayout, each_line_between, each_record, last_line_start,
};
use crate::model::{Note, NoteKind, Notes, Place, Run};
use crate::readers::letta_evals::cases::{
    Appended, LettaRows, ReadState, RecordPlaces, RowSink, SinkState,
};
use crate::readers::letta_evals::grouping::partners::Partners;
use crate::readers::letta_evals::judging::rules::LettaRules;
use crate::readers::letta_evals::row::GraderNames;
use crate::readers::letta_evals::stretches::joined::{self, JoinOutcome, JoinedFile};
use crate::readers::letta_evals::stretches::mark::{Conditions, LettaMark};
use crate::readers::{Claimed, Context, Error};

/// How a reading begins.
struct ReadStart<'m> {
    from: LineStart,
    resumed: Option<(&'m SinkState, &'m [Run])>,
    split: bool,
}

/// What a reading came to at the last whole line.
#[derive(Debug, PartialEq)]
pub struct LineStop {
    /// Where the line begins that has no end yet.
    pub next_line: LineStart,
    /// Where its rows stand.
    pub standing: SinkState,
    /// Graders before that line.
    pub names: GraderNames,
    /// What was noted before it.
    pub notes: Vec<Note>,
}

/// Has others begin with the rows of a file, where that is worth it; `names` are the graders that are
/// known before all files.
///
/// # Errors
/// When the file cannot be read.
pub fn begin<'a>(
    cx: &Context<'a>,
    rules: &LettaRules,
    names: &GraderNames,
    claimed: &'a Claimed,
) -> Result<Option<JoinedFile<'a>>, Error> {
    let file = &claimed.file;
    let has_mark = cx.before.has(&file.path);
    if claimed.shape.layout != RecordLayout::Lines || names.0.is_empty() || has_mark {
        return Ok(None);
    }
    joined::begin(cx, rules, names, file, 0)
}

/// Reads a file of lines. `split`: by model; else all rows are one subject, unless the rows name
/// several models. `begun`: what others have begun of it.
///
/// # Errors
/// When the file cannot be read or the work is cancelled.
pub async fn read_lines(
    reading: &mut ReadState<'_>,
    claimed: &Claimed,
    repeat: u32,
    split: bool,
    appending: Appending,
    begun: Option<JoinedFile<'_>>,
) -> Result<LettaRows, Error> {
    let (cx, file) = (reading.cx, &claimed.file);
    if claimed.shape.layout != RecordLayout::Lines {
        let rows = Apart { split, appended: None, appending, is_counted: true };
        return read_values(reading, claimed, repeat, rows).await;
    }
    let partners = reading.partners.filter(|_| cx.after.are_wanted());
    let sample_ids = partners.map(Partners::hash_of_ids);
    let conditions = Conditions { rules: reading.rules.clone(), sample_ids, split };
    let names_before = reading.names.clone();
    let mut notes = Notes::default();
    let mark = cx.before.find::<LettaMark>(&file.path);
    let mark = mark.filter(|mark| mark.holds(file, &conditions, &names_before));
    let tried = match &mark {
        Some(_) => JoinOutcome::Not,
        None => joined::read(reading, file, repeat, split, &notes, begun).await?,
    };
    let (rows, n_models, stop) = match tried {
        JoinOutcome::Read(read) => *read,
        JoinOutcome::Not => {
            in_one_go(reading, file, repeat, split, mark.as_deref(), &notes).await?
        }
        JoinOutcome::Unhelped => {
            // Silent: nobody knows how much of it the helpers have counted.
            let pulse = input::Pulse::silent();
            let silent = Context { pulse: &pulse, ..*cx };
            let mut alone = ReadState { cx: &silent, names: names_before.clone(), ..*reading };
            notes = Notes::default();
            let read = in_one_go(&mut alone, file, repeat, split, None, &notes).await?;
            reading.names = alone.names;
            read
        }
    };
    if let Some(appended) = appending.appended(&rows) {
        reading.names = names_before;
        let split = split || n_models > 1;
        let apart = Apart { split, appended: Some(appended), appending, is_counted: false };
        return read_values(reading, claimed, repeat, apart).await;
    }
    cx.notes.extend(notes.into_vec());
    if mark.is_some_and(|mark| mark.is_of(file)) {
        cx.after.leave_again(&file.path, cx.before);
    } else if cx.after.are_wanted()
        && let Some(mark) = LettaMark::new(file, conditions, names_before, stop, &rows.runs)?
    {
        cx.after.leave(&file.path, mark);
    }
    Ok(rows)
}

/// Whether runs may stand appended in a file of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appending {
    /// This release begins a new file for each run.
    Never,
    /// It appends (0.3 – 0.16), and writes a summary of the last run over the one before: the number
    /// of its rows, where there is one.
    Possible(Option<u64>),
}

impl Appending {
    /// How to tell the runs of a file apart that gave `rows` as one; `None`: it is one.
    fn appended(self, rows: &LettaRows) -> Option<Appended> {
        let Self::Possible(n_last) = self else { return None };
        let (again, n_rows) = (rows.again, rows.sums.n_rows);
        // One sample twice is a line that stands twice rather than a run of one sample.
        if again.n_rows < 2 || !rows.earlier.is_empty() {
            return None;
        }
        match n_last {
            Some(n_last) if n_last > 0 && n_last < n_rows => {
                Some(Appended { last_from: Some(n_rows - n_last) })
            }
            Some(_) => None,
            // Without a summary: a sample twice is a fault, a whole tail of them a run.
            None => {
                let is_tail = again.n_rows == again.n_since;
                let is_most = again.n_rows * 2 > again.n_samples;
                (is_tail || is_most).then_some(Appended { last_from: None })
            }
        }
    }
}

/// How rows are told apart.
struct Apart {
    split: bool,
    appended: Option<Appended>,
    appending: Appending,
    /// Whether the bytes count as progress: not when they were read before.
    is_counted: bool,
}

/// Reads a file from its start, however its rows lie.
async fn read_values(
    reading: &mut ReadState<'_>,
    claimed: &Claimed,
    repeat: u32,
    apart: Apart,
) -> Result<LettaRows, Error> {
    let Apart { mut split, mut appended, appending, is_counted } = apart;
    let (cx, file) = (reading.cx, &claimed.file);
    let is_list = claimed.shape.layout == RecordLayout::Elements;
    cx.pulse.set_file(&file.path);
    let in_file = |err| Error::from(err).in_file(&file.path);
    let silent = input::Pulse::silent();
    let names = reading.names.clone();
    let mut pulse = if is_counted { cx.pulse } else { &silent };
    loop {
        let notes = Notes::default();
        let noted = Context { notes: &notes, ..*cx };
        let mut noting = ReadState { cx: &noted, names: names.clone(), ..*reading };
        let mut sink = RowSink::new(&mut noting, file, repeat, split);
        sink.appended = appended;
        if is_list {
            sink.places = RecordPlaces::Elements("");
        }
        let places = sink.places;
        let mut broken = |byte: u64, number: u64, err: &input::Error| {
            notes.add(&file.path, err.note_kind(), places.of(number, byte), err.to_string());
        };
        let mut record = |record: input::Record<'_>| sink.try_record(&record, 0);
        let tail = each_record(file, &claimed.shape, pulse, &mut record, &mut broken)
            .await
            .map_err(in_file)?;
        if let Some((byte, number, err)) = tail.cut {
            notes.add(&file.path, NoteKind::Truncated, places.of(number, byte), err.to_string());
        }
        let (rows, n_models) = sink.finish()?;
        let names_after = noting.names;
        if !split && n_models > 1 {
            // Only the end of the file shows that there are several models: again, knowing it.
            split = true;
        } else if let (None, Some(found)) = (appended, appending.appended(&rows)) {
            appended = Some(found);
        } else {
            reading.names = names_after;
            cx.notes.extend(notes.into_vec());
            return Ok(rows);
        }
        pulse = &silent;
    }
}

/// Reads a file in one go, from `mark` where there is one; what there was, how many models the rows name,
/// and how it stood at the last whole line.
///
/// # Errors
/// When the file cannot be read or the work is cancelled.
pub async fn in_one_go(
    reading: &mut ReadState<'_>,
    file: &InputFile,
    repeat: u32,
    split: bool,
    mark: Option<&LettaMark>,
    notes: &Notes,
) -> Result<(LettaRows, usize, LineStop), Error> {
    let cx = reading.cx;
    let start = match mark {
        Some(mark) => {
            cx.after.count_continued();
            cx.pulse.advance(mark.next_line.offset).await?;
            notes.extend(mark.notes.iter().cloned());
            reading.names = mark.names.clone();
            let resumed = Some((&mark.standing, mark.runs.as_slice()));
            ReadStart { from: mark.next_line, resumed, split: mark.standing.split }
        }
        None => ReadStart { from: LineStart::default(), resumed: None, split },
    };
    let is_split = start.split;
    let (mut rows, n_models, mut stop) = read_once(reading, file, repeat, start, notes).await?;
    if !is_split && n_models > 1 {
        // Only the end of the file shows that there are several: read again, knowing it. Silent, since
        // the first reading has counted the bytes and left the notes.
        let pulse = input::Pulse::silent();
        let silent = Context { pulse: &pulse, ..*cx };
        let names = std::mem::take(&mut reading.names);
        let mut again = ReadState { cx: &silent, names, ..*reading };
        let start = ReadStart { from: LineStart::default(), resumed: None, split: true };
        let outcome = read_once(&mut again, file, repeat, start, &Notes::default()).await;
        reading.names = again.names;
        let (all, _, by_model) = outcome?;
        rows = all;
        stop.standing = by_model.standing;
    }
    Ok((rows, n_models, stop))
}

/// Reads from `start` to the end of the file; what there was, how many models the rows name, and how
/// it stood at the last whole line.
async fn read_once(
    reading: &mut ReadState<'_>,
    file: &InputFile,
    repeat: u32,
    start: ReadStart<'_>,
    notes: &Notes,
) -> Result<(LettaRows, usize, LineStop), Error> {
    let pulse = reading.cx.pulse;
    pulse.set_file(&file.path);
    let in_file = |err| Error::from(err).in_file(&file.path);
    let end = last_line_start(file).map_err(in_file)?.max(start.from.offset);
    let noted = Context { notes, ..*reading.cx };
    let names = std::mem::take(&mut reading.names);
    let mut noting = ReadState { cx: &noted, names, ..*reading };
    let mut sink = match start.resumed {
        Some((standing, runs)) => RowSink::resumed(&mut noting, file, repeat, standing, runs),
        None => RowSink::new(&mut noting, file, repeat, start.split),
    };
    let mut broken = |byte: u64, line: u64, err: &input::Error| {
        notes.add(&file.path, err.note_kind(), Place::Line { line, byte }, err.to_string());
    };
    let mut record = |record: input::Record<'_>| sink.try_record(&record, 0);
    let (_, next_line) = each_line_between(file, start.from, end, pulse, &mut record, &mut broken)
        .await
        .map_err(in_file)?;
    let stop = LineStop {
        next_line,
        standing: sink.standing(),
        names: sink.names().clone(),
        notes: notes.to_vec(),
    };
    let mut record = |record: input::Record<'_>| sink.try_record(&record, 0);
    let (tail, _) = each_line_between(file, next_line, file.len(), pulse, &mut record, &mut broken)
        .await
        .map_err(in_file)?;
    if let Some((byte, line, _)) = tail.cut {
        notes.add(
            &file.path,
            NoteKind::Truncated,
            Place::Line { line, byte },
            crate::readers::letta_evals::LAST_LINE,
        );
    }
    let (rows, n_models) = sink.finish()?;
    reading.names = noting.names;
    Ok((rows, n_models, stop))
}
