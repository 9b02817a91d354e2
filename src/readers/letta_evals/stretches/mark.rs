//! How far a file of rows was read, and what its rows were read by.
//!
//! Packed, a mark is the tables of its runs as Arrow's IPC streams, its words in CBOR, and the length
//! of the words (eight bytes, the lowest first). So a table is written once, and read into the memory in which
//! it stays.

use crate::input::{InputFile, LineStart, ReadAt};
use crate::model::{Note, Run, SourceId, append_ipc, from_ipc_bytes};
use crate::readers::letta_evals::cases::SinkState;
use crate::readers::letta_evals::judging::rules::LettaRules;
use crate::readers::letta_evals::row::GraderNames;
use crate::readers::letta_evals::stretches::lines::LineStop;
use crate::readers::{self as readers, Error, from_bytes, to_bytes};
use arrow_array::RecordBatch;
use serde::{Deserialize, Serialize};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::Range;

/// How much is compared at the start of what was read, and how much at its end.
const COMPARED_BYTES: u64 = 64 << 10;

/// Bytes of the length of the words.
const LEN_BYTES: u64 = 8;

/// How far a file was read: up to its last whole line.
#[derive(Serialize, Deserialize)]
pub struct LettaMark {
    source: SourceId,
    n_bytes: u64,
    conditions: Conditions,
    /// Graders before its first row.
    names_before: GraderNames,
    /// Where the line begins that had no end yet.
    pub next_line: LineStart,
    print: u64,
    /// As it was at `next_line`.
    pub standing: SinkState,
    /// Graders before `next_line`.
    pub names: GraderNames,
    /// What was noted before it.
    pub notes: Vec<Note>,
    /// Rows of the last line, if it had no end, come after those that `standing` counts.
    #[serde(skip)]
    pub runs: Vec<Run>,
}

/// What the rows of a file are read by, besides the graders before it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// The rules.
    pub rules: LettaRules,
    /// A hash of the ids of the suite's samples, where it says which they are.
    pub sample_ids: Option<u64>,
    /// Whether rows are told apart by model.
    pub split: bool,
}

/// The words of a packed mark, as they are written.
#[derive(Serialize)]
struct PackedMark<'a> {
    mark: &'a LettaMark,
    /// Without their tables.
    runs: &'a [Run],
    /// How long the tables before the words are, two of each run.
    table_bytes: &'a [u64],
}

/// The same as they are read.
#[derive(Deserialize)]
struct Heard {
    mark: LettaMark,
    runs: Vec<Run>,
    table_bytes: Vec<u64>,
}

impl LettaMark {
    /// The mark of `file` whose rows are `runs`, and which stood at its last whole line as `stop` says;
    /// `None`: nobody can read on from there.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn new(
        file: &InputFile,
        conditions: Conditions,
        names_before: GraderNames,
        stop: LineStop,
        runs: &[Run],
    ) -> Result<Option<Self>, Error> {
        let LineStop { next_line, standing, names, notes } = stop;
        if !standing.tells_models() {
            return Ok(None);
        }
        let (source, n_bytes, runs) = (file.id, file.len(), runs.to_vec());
        Ok(print(file, next_line.offset)?.map(|print| Self {
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
        }))
    }

    /// Whether `file` can be read on from here, its rows being read by these.
    pub fn holds(
        &self,
        file: &InputFile,
        conditions: &Conditions,
        names_before: &GraderNames,
    ) -> bool {
        // Another file of the same length was written anew, wherever it differs.
        (self.is_of(file) || self.n_bytes < file.len())
            && self.conditions == *conditions
            && self.names_before == *names_before
            && print(file, self.next_line.offset).is_ok_and(|print| print == Some(self.print))
    }

    /// Whether it is of `file` as it is now.
    pub fn is_of(&self, file: &InputFile) -> bool {
        self.source == file.id
    }
}

impl readers::ReadMark for LettaMark {
    fn pack(&self) -> Option<Vec<u8>> {
        let mut runs = self.runs.clone();
        let mut tables: Vec<RecordBatch> = Vec::new();
        for run in &mut runs {
            tables.extend(run.take_tables().ok()?);
        }
        let n_bytes = tables.iter().map(RecordBatch::get_array_memory_size).sum();
        let (mut packed, mut table_bytes) = (Vec::with_capacity(n_bytes), Vec::new());
        for table in tables {
            let n_before = packed.len();
            append_ipc(&mut packed, &table).ok()?;
            table_bytes.push((packed.len() - n_before) as u64);
        }
        let said = PackedMark { mark: self, runs: &runs, table_bytes: &table_bytes };
        let words = to_bytes(&said).ok()?;
        packed.extend(&words);
        packed.extend((words.len() as u64).to_le_bytes());
        Some(packed)
    }

    fn unpack(packed: &dyn ReadAt) -> Option<Self> {
        let words_end = packed.len().checked_sub(LEN_BYTES)?;
        let n_words = part(packed, words_end..packed.len())?.try_into().ok()?;
        let words_start = words_end.checked_sub(u64::from_le_bytes(n_words))?;
        let words = part(packed, words_start..words_end)?;
        let Heard { mark, mut runs, table_bytes } = from_bytes(&words).ok()?;
        let mut start = 0_u64;
        let mut next_table = |n_bytes: u64| {
            let end = start.checked_add(n_bytes)?;
            from_ipc_bytes(part(packed, std::mem::replace(&mut start, end)..end)?).ok()
        };
        let (pairs, rest) = table_bytes.as_chunks::<2>();
        if pairs.len() != runs.len() || !rest.is_empty() {
            return None;
        }
        for (run, [cases, checks]) in runs.iter_mut().zip(pairs) {
            let (cases, checks) = (next_table(*cases)?, next_table(*checks)?);
            run.put_tables([&cases, &checks])?;
        }
        Some(Self { runs, ..mark })
    }
}

/// The bytes `span` of `packed`; `None`: it has not so many.
fn part(packed: &dyn ReadAt, span: Range<u64>) -> Option<Vec<u8>> {
    if span.end > packed.len() {
        return None;
    }
    let mut bytes = vec![0; usize::try_from(span.end.checked_sub(span.start)?).ok()?];
    packed.read_at(span.start, &mut bytes).ok()?;
    Some(bytes)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{MemorySource, Pulse, Record};
    use crate::model::{NoteKind, Notes, Place};
    use crate::readers::letta_evals::cases::{ReadState, RowSink};
    use crate::readers::letta_evals::judging::generation::Generation;
    use crate::readers::{Context, InProcess, Marks};
    use readers::ReadMark as _;
    use serde_json::Map;
    use std::rc::Rc;

    const ROWS: [&str; 3] = [
        r#"{"sample_id": 1, "model_handle": "m", "grades": {"a": {"score": 0.1}}, "agent_id": "x"}"#,
        r#"{"sample_id": "é", "model_handle": "n", "grades": {"b": {"score": null}}}"#,
        r#"{"sample_id": 1, "model_handle": "m", "cost": 0.30000000000000004}"#,
    ];

    /// A mark of two runs, and the file that it is of.
    fn made() -> (LettaMark, InputFile) {
        let data = Rc::new(MemorySource::new(ROWS.join("\n")));
        let file = InputFile { id: SourceId(3), path: "a/rows.jsonl".to_owned(), data };
        let (notes, marks, pulse) = (Notes::default(), Marks::default(), Pulse::silent());
        let helpers = InProcess::default();
        let cx = Context {
            notes: &notes,
            pulse: &pulse,
            before: &marks,
            after: &marks,
            helpers: &helpers,
        };
        let rules = LettaRules::new(Generation::C2, &Map::new());
        let mut reading = ReadState {
            rules: &rules,
            suite: None,
            partners: None,
            names: GraderNames::default(),
            cx: &cx,
        };
        let mut sink = RowSink::new(&mut reading, &file, 1, true);
        for (number, row) in (1..).zip(ROWS) {
            let record = Record { offset: number * 100, number, bytes: row.as_bytes() };
            sink.record(&record, 0);
        }
        let stop = LineStop {
            next_line: LineStart { number: 3, offset: 60 },
            standing: sink.standing(),
            names: sink.names().clone(),
            notes: Vec::new(),
        };
        let (rows, _) = sink.finish().unwrap();
        notes.add(&file.path, NoteKind::Broken, Place::Line { line: 2, byte: 7 }, "a note");
        let stop = LineStop { notes: notes.to_vec(), ..stop };
        let conditions =
            Conditions { rules: rules.clone(), sample_ids: Some(u64::MAX), split: true };
        let mark =
            LettaMark::new(&file, conditions, GraderNames::default(), stop, &rows.runs).unwrap();
        (mark.unwrap(), file)
    }

    fn tables(mark: &LettaMark) -> Vec<[RecordBatch; 2]> {
        mark.runs.clone().iter_mut().map(|run| run.take_tables().unwrap()).collect()
    }

    #[test]
    fn a_packed_mark_is_the_mark_that_it_was() {
        let (mark, file) = made();
        let packed = MemorySource::new(mark.pack().unwrap());
        let found = LettaMark::unpack(&packed).unwrap();
        assert!(found.is_of(&file) && found.holds(&file, &mark.conditions, &mark.names_before));
        assert_eq!(found.conditions, mark.conditions);
        assert_eq!((found.n_bytes, found.print), (mark.n_bytes, mark.print));
        assert_eq!((found.next_line, &found.standing), (mark.next_line, &mark.standing));
        assert_eq!((&found.names, &found.notes), (&mark.names, &mark.notes));
        assert_eq!((found.runs.len(), tables(&found)), (2, tables(&mark)));
        let keys = |mark: &LettaMark| -> Vec<_> {
            mark.runs.iter().map(|run| (run.key.clone(), run.sources.clone())).collect()
        };
        assert_eq!(keys(&found), keys(&mark));
        assert_eq!(found.runs[0].checks_of(1), mark.runs[0].checks_of(1));
    }

    #[test]
    fn what_is_no_whole_mark_is_none() {
        let whole = made().0.pack().unwrap();
        for end in 0..whole.len() {
            let cut = MemorySource::new(&whole[..end]);
            assert!(LettaMark::unpack(&cut).is_none(), "{end} of {} bytes", whole.len());
        }
        for bytes in [vec![0; 8], vec![0xff; 8], vec![0x80, 1, 0, 0, 0, 0, 0, 0, 0]] {
            assert!(LettaMark::unpack(&MemorySource::new(bytes)).is_none());
        }
    }
}
