//! A stretch of a large file of rows: read on its own, maybe by another program, whatever stands before it.
//!
//! What depends on the rows before it is left to [`joined`](crate::readers::letta_evals::stretches::joined): whether a sample comes again,
//! which models there are, what all adds up to. Only the name of the first grader has to be known, since
//! a grade without a name is of that one.

use crate::input::{self, InputFile, LineStart, Pulse, each_line_between};
use crate::model::{Note, NoteKind, Notes, Place, Run};
use crate::readers::letta_evals::cases::{ReadState, RowSink};
use crate::readers::letta_evals::judging::rules::LettaRules;
use crate::readers::letta_evals::row::GraderNames;
use crate::readers::{
    Context, Error, InProcess, Marks, Misread, StretchRead, from_bytes, to_bytes,
};
use arrow_array::RecordBatch;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::ops::Range;

/// What is asked of a stretch.
#[derive(Serialize, Deserialize)]
struct StretchRequest {
    span: Range<u64>,
    rules: LettaRules,
    /// Graders before it: at least the first one.
    names: GraderNames,
}

/// What a stretch holds.
#[derive(Serialize, Deserialize)]
pub struct LettaStretch {
    /// Runs by model, in the order of first appearance; without partners.
    pub runs: Vec<Run>,
    /// Graders before it, then its own in the order in which its rows name them.
    pub names: GraderNames,
    /// Rows without a grade of their own.
    pub n_without_grade: u64,
    /// The last summary among its rows.
    pub summary: Option<Map<String, Value>>,
    /// Number of lines.
    pub n_lines: u64,
    /// What else is known of its rows.
    pub trace: Trace,
    /// What was noted, its lines counted from 1.
    pub notes: Vec<Note>,
}

/// What is known of the rows of a stretch besides their cases. Rows count from 0, lines from 1.
#[derive(Default, Serialize, Deserialize)]
pub struct Trace {
    n_rows: u64,
    last_line: u64,
    /// Rows that do not lie in the line after the row before, with their lines.
    pub lines: Vec<(u64, u64)>,
    /// Rows without an id: their line stands for it.
    pub nameless: Vec<u64>,
    n_steps: u64,
    /// By note, after how many steps it came first. A row takes two: one until it is known whether its
    /// sample comes again, one until its partner is.
    pub note_steps: Vec<u64>,
}

impl Trace {
    /// The next row, which lies in `line`.
    pub fn row(&mut self, line: u64, has_id: bool, notes: &Notes) {
        if line != self.last_line + 1 {
            self.lines.push((self.n_rows, line));
        }
        if !has_id {
            self.nameless.push(self.n_rows);
        }
        self.last_line = line;
        self.n_rows += 1;
        self.step(notes);
    }

    /// The next step of a row.
    pub fn step(&mut self, notes: &Notes) {
        self.see(notes);
        self.n_steps += 1;
    }

    fn see(&mut self, notes: &Notes) {
        self.note_steps.resize(notes.len(), self.n_steps);
    }
}

/// Words for a stretch that is to be read elsewhere.
///
/// # Errors
/// When they cannot be written, which no type of ours brings about.
pub fn ask(span: Range<u64>, rules: &LettaRules, names: &GraderNames) -> Result<Vec<u8>, Error> {
    Ok(to_bytes(&StretchRequest { span, rules: rules.clone(), names: names.clone() })?)
}

/// Reads the stretch that [`ask`] asked for.
///
/// # Errors
/// When the words are of another build, the file cannot be read, or the work is cancelled.
pub async fn answer(file: &InputFile, asked: &[u8], pulse: &Pulse) -> Result<StretchRead, Error> {
    let StretchRequest { span, rules, names } = from_bytes(asked)?;
    pulse.set_file(&file.path);
    pulse.set_phase("read a stretch");
    let mut stretch = read(file, span, &rules, names, pulse).await?;
    pulse.set_phase("pack a stretch");
    let tables = stretch.runs.iter_mut().map(Run::take_tables).collect::<Result<Vec<_>, _>>()?;
    Ok(StretchRead { said: to_bytes(&stretch)?, tables: tables.into_iter().flatten().collect() })
}

/// The stretch that an [`answer`] holds.
///
/// # Errors
/// When it is of another build.
pub fn answered(StretchRead { said, tables }: StretchRead) -> Result<LettaStretch, Error> {
    let mut stretch: LettaStretch = from_bytes(&said)?;
    let (pairs, _) = tables.as_chunks::<2>();
    let put = |(run, tables): (&mut Run, &[RecordBatch; 2])| run.put_tables(tables.each_ref());
    let n_put = stretch.runs.iter_mut().zip(pairs).map_while(put).count();
    if n_put != stretch.runs.len() {
        return Err(Misread("a table is missing or another".to_owned()).into());
    }
    Ok(stretch)
}

/// Reads the lines of `span`. `names` are the graders before it: at least the first one, unless it is the
/// first stretch of its file.
///
/// # Errors
/// When the file cannot be read, or the work is cancelled.
pub async fn read(
    file: &InputFile,
    span: Range<u64>,
    rules: &LettaRules,
    names: GraderNames,
    pulse: &Pulse,
) -> Result<LettaStretch, Error> {
    let notes = Notes::default();
    let (marks, helpers) = (Marks::default(), InProcess::default());
    let cx = Context { notes: &notes, pulse, before: &marks, after: &marks, helpers: &helpers };
    let mut reading = ReadState { rules, suite: None, partners: None, names, cx: &cx };
    let mut sink = RowSink::new(&mut reading, file, 1, true);
    sink.trace = Some(Trace::default());
    let mut record = |record: input::Record<'_>| sink.try_record(&record, 0);
    let mut broken = |byte: u64, line: u64, err: &input::Error| {
        notes.add(&file.path, err.note_kind(), Place::Line { line, byte }, err.to_string());
    };
    let from = LineStart { number: 1, offset: span.start };
    let (tail, next_line) =
        each_line_between(file, from, span.end, pulse, &mut record, &mut broken)
            .await
            .map_err(|err| Error::from(err).in_file(&file.path))?;
    if let Some((byte, line, _)) = tail.cut {
        notes.add(
            &file.path,
            NoteKind::Truncated,
            Place::Line { line, byte },
            crate::readers::letta_evals::LAST_LINE,
        );
    }
    let mut trace = sink.trace.take().unwrap_or_default();
    trace.see(&notes);
    let (rows, _) = sink.finish()?;
    Ok(LettaStretch {
        runs: rows.runs,
        names: reading.names,
        n_without_grade: rows.sums.n_without_grade,
        summary: rows.summary,
        n_lines: next_line.number - 1,
        trace,
        notes: notes.into_vec(),
    })
}
