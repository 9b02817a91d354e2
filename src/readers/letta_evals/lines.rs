//! Files of rows, line by line; when one has grown since, on from where it ended.
//!
//! Rows that were read are not read again: the table of the last reading holds them, and what else the
//! reading of a row depends on is kept beside it. Where anything of that is different now, or the file
//! itself is, it is read from its start.

use super::super::{Context, Error};
use super::cases::{Partners, Reading, Rows, Sink, Standing};
use super::row::Names;
use super::rules::Rules;
use crate::input::{self, InputFile, LineStart, each_line_between, last_line_start};
use crate::model::{Note, NoteKind, Notes, Place, Run, SourceId};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// How much is compared at the start of what was read, and how much at its end.
const COMPARED_BYTES: u64 = 64 << 10;

/// How far a file was read: up to its last whole line.
struct Mark {
    source: SourceId,
    n_bytes: u64,
    conditions: Conditions,
    /// Graders before its first row.
    names_before: Names,
    next_line: LineStart,
    print: u64,
    /// As it was at `next_line`.
    standing: Standing,
    names: Names,
    notes: Vec<Note>,
    /// Rows of the last line, if it had no end, come after those that `standing` counts.
    runs: Vec<Run>,
}

/// What the rows of a file are read by, besides the graders before it.
#[derive(Debug, Clone, PartialEq)]
struct Conditions {
    rules: Rules,
    sample_ids: Option<u64>,
    split: bool,
}

/// How a reading begins.
struct Start<'m> {
    from: LineStart,
    resumed: Option<(&'m Standing, &'m [Run])>,
    split: bool,
}

/// What a reading came to at the last whole line.
struct Stop {
    next_line: LineStart,
    standing: Standing,
    names: Names,
    notes: Vec<Note>,
}

/// Reads a file of lines. `split`: by model; else all rows are one subject, unless the rows name
/// several models.
///
/// # Errors
/// When the file cannot be read or the work is cancelled.
pub async fn read_lines(
    reading: &mut Reading<'_>,
    file: &InputFile,
    repeat: u32,
    split: bool,
) -> Result<Rows, Error> {
    let cx = reading.cx;
    let sample_ids = reading.partners.map(hash_of_ids);
    let conditions = Conditions { rules: reading.rules.clone(), sample_ids, split };
    let names_before = reading.names.clone();
    let notes = Notes::default();
    let mark = cx.before.find::<Mark>(&file.path).filter(|mark| {
        // Another file of the same length was written anew, wherever it differs.
        (mark.source == file.id || mark.n_bytes < file.len())
            && mark.conditions == conditions
            && mark.names_before == names_before
            && print(file, mark.next_line.offset).is_ok_and(|print| print == Some(mark.print))
    });
    let start = match &mark {
        Some(mark) => {
            cx.after.count_continued();
            cx.pulse.advance(mark.next_line.offset).await?;
            notes.extend(mark.notes.iter().cloned());
            reading.names = mark.names.clone();
            let resumed = Some((&mark.standing, mark.runs.as_slice()));
            Start { from: mark.next_line, resumed, split: mark.standing.split }
        }
        None => Start { from: LineStart::default(), resumed: None, split },
    };
    let is_split = start.split;
    let (mut rows, n_models, mut stop) = read_once(reading, file, repeat, start, &notes).await?;
    if !is_split && n_models > 1 {
        // Only the end of the file shows that there are several: read again, knowing it. Silent, since
        // the first reading has counted the bytes and left the notes.
        let pulse = input::Pulse::silent();
        let silent = Context { pulse: &pulse, ..*cx };
        let names = std::mem::take(&mut reading.names);
        let mut again = Reading { cx: &silent, names, ..*reading };
        let start = Start { from: LineStart::default(), resumed: None, split: true };
        let outcome = read_once(&mut again, file, repeat, start, &Notes::default()).await;
        reading.names = again.names;
        let (all, _, by_model) = outcome?;
        rows = all;
        stop.standing = by_model.standing;
    }
    cx.notes.extend(notes.into_vec());
    if stop.standing.tells_models()
        && let Some(print) = print(file, stop.next_line.offset)?
    {
        let Stop { next_line, standing, names, notes } = stop;
        let runs = rows.runs.clone();
        let (source, n_bytes) = (file.id, file.len());
        let mark = Mark {
            source,
            n_bytes,
            conditions,
            names_before,
            next_line,
            print,
            standing,
            names,
            notes,
            runs,
        };
        cx.after.leave(&file.path, mark);
    }
    Ok(rows)
}

/// Reads from `start` to the end of the file; what there was, how many models the rows name, and how
/// it stood at the last whole line.
async fn read_once(
    reading: &mut Reading<'_>,
    file: &InputFile,
    repeat: u32,
    start: Start<'_>,
    notes: &Notes,
) -> Result<(Rows, usize, Stop), Error> {
    let pulse = reading.cx.pulse;
    pulse.set_file(&file.path);
    let in_file = |err| Error::from(err).in_file(&file.path);
    let end = last_line_start(file).map_err(in_file)?.max(start.from.offset);
    let noted = Context { notes, ..*reading.cx };
    let names = std::mem::take(&mut reading.names);
    let mut noting = Reading { cx: &noted, names, ..*reading };
    let mut sink = match start.resumed {
        Some((standing, runs)) => Sink::resumed(&mut noting, file, repeat, standing, runs),
        None => Sink::new(&mut noting, file, repeat, start.split),
    };
    let mut broken = |byte: u64, line: u64, err: &input::Error| {
        notes.add(&file.path, NoteKind::Broken, Place::Line { line, byte }, err.to_string());
    };
    let mut record = |record: input::Record<'_>| {
        sink.record(&record, 0);
        Ok(())
    };
    let (_, next_line) = each_line_between(file, start.from, end, pulse, &mut record, &mut broken)
        .await
        .map_err(in_file)?;
    let stop = Stop {
        next_line,
        standing: sink.standing(),
        names: sink.names().clone(),
        notes: notes.to_vec(),
    };
    let mut record = |record: input::Record<'_>| {
        sink.record(&record, 0);
        Ok(())
    };
    let (tail, _) = each_line_between(file, next_line, file.len(), pulse, &mut record, &mut broken)
        .await
        .map_err(in_file)?;
    if let Some((byte, line, _)) = tail.cut {
        let detail = "the last line is cut off";
        notes.add(&file.path, NoteKind::Truncated, Place::Line { line, byte }, detail);
    }
    let (rows, n_models) = sink.finish()?;
    reading.names = noting.names;
    Ok((rows, n_models, stop))
}

/// A hash of the start and the end of the first `n_bytes` of `file`; `None` when it has not so many.
fn print(file: &InputFile, n_bytes: u64) -> Result<Option<u64>, Error> {
    if file.len() < n_bytes {
        return Ok(None);
    }
    let mut hasher = DefaultHasher::new();
    let n_compared = n_bytes.min(COMPARED_BYTES);
    for start in [0, n_bytes - n_compared] {
        file.bytes(start..start + n_compared)?.hash(&mut hasher);
    }
    Ok(Some(hasher.finish()))
}

/// A hash of the ids of a suite's samples, whatever their order.
fn hash_of_ids(partners: &Partners) -> u64 {
    let hash = |id: &(bool, String)| {
        let mut hasher = DefaultHasher::new();
        id.hash(&mut hasher);
        hasher.finish()
    };
    partners.keys().map(hash).fold(0, u64::wrapping_add)
}
