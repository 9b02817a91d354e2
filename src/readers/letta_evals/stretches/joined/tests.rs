//! A file read by stretches is the file read in one go.

use super::*;
use crate::input::{MemorySource, Pulse};
use crate::model::{Asked, SourceId};
use crate::readers::letta_evals::judging::generation::Generation;
use crate::readers::letta_evals::stretches::lines::in_one_go;
use crate::readers::{Helpers, InProcess, Marks};
use futures_util::stream;
use proptest::prelude::*;
use std::rc::Rc;

/// Cuts files into stretches of `n_bytes`, if any, and reads them.
struct Cutting {
    n_bytes: Option<u64>,
    /// Of the tables of each stretch, the last one is lost.
    is_losing: bool,
}

impl Helpers for Cutting {
    fn n_at_once(&self) -> usize {
        2
    }

    fn stretch_bytes(&self, _n_bytes: u64) -> Option<u64> {
        self.n_bytes
    }

    fn line_bytes(&self, _n_left: u64) -> u64 {
        self.n_bytes.unwrap_or(1)
    }

    fn stretches<'a>(
        &'a self,
        id: &'static str,
        stretches: Vec<Stretch>,
        pulse: &'a Pulse,
    ) -> Answers<'a> {
        let read = move |Stretch { files, asked }: Stretch| async move {
            let mut read = InProcess::default().stretch(id, &files, &asked, pulse).await?;
            if self.is_losing {
                read.tables.pop();
            }
            Ok(read)
        };
        stream::iter(stretches).then(read).boxed_local()
    }
}

/// A row: number of its sample, of its model, of its grader, its figures.
type Said = (u8, u8, u8, f64, f64);

fn line((sample, model, grader, score, tokens): &Said) -> String {
    if *sample > 27 {
        return format!(r#"{{"type": "summary", "metrics": {{"total": {score:?}}}}}"#);
    }
    let odd = tokens.to_bits() % 40;
    let model = ["null", "\"m\"", "\"n\""][*model as usize % 3];
    let id = if *sample == 0 { "null".to_owned() } else { sample.to_string() };
    let grades = match grader % 4 {
        0 => "{}".to_owned(),
        grader => format!(r#"{{"grader {grader}": {{"score": {score:?}}}}}"#),
    };
    let grade = match grader {
        3 => String::new(),
        _ => format!(r#""grade": {{"score": {score:?}}}, "#),
    };
    format!(
        r#"{{"result": {{"sample": {{"id": {id}}}, "model_name": {model}, "agent_id": "a",
        "trajectory": [[1]], {grade}"grades": {grades}, "odd {odd}": 1, "usage": {{"prompt_tokens": {tokens:?}}}, "timing": {{"total": {tokens:?}}}}}}}"#
    )
    .replace('\n', "")
}

fn file_of(text: &str) -> InputFile {
    let data = Rc::new(MemorySource::new(text));
    InputFile { id: SourceId(3), path: "a/rows.jsonl".to_owned(), data }
}

#[test]
fn a_stretch_without_its_tables_is_no_help() {
    let rows: Vec<String> = (1..9).map(|nth| line(&(nth, 1, 1, 0.5, 1.0))).collect();
    let file = file_of(&(rows.join("\n") + "\n"));
    let (notes, marks, pulse) = (Notes::default(), Marks::default(), Pulse::silent());
    let is_read = |helpers: &dyn Helpers| {
        let cx = Context { notes: &notes, pulse: &pulse, before: &marks, after: &marks, helpers };
        let rules = LettaRules::new(Generation::C2, &Map::new());
        let names = GraderNames::default();
        let mut reading = ReadState { rules: &rules, suite: None, partners: None, names, cx: &cx };
        let outcome = read(&mut reading, &file, 1, false, &notes, None);
        matches!(pollster::block_on(outcome).unwrap(), JoinOutcome::Read(_))
    };
    assert!(is_read(&Cutting { n_bytes: Some(300), is_losing: false }));
    assert!(!is_read(&Cutting { n_bytes: Some(300), is_losing: true }));
}

/// Everything that reading gives, the tables as batches.
fn all_of(text: &str, partners: &Partners, split: bool, n_bytes: Option<u64>) -> String {
    let file = file_of(text);
    let (notes, marks, pulse) = (Notes::default(), Marks::default(), Pulse::silent());
    let helpers = Cutting { n_bytes, is_losing: false };
    let cx =
        Context { notes: &notes, pulse: &pulse, before: &marks, after: &marks, helpers: &helpers };
    let rules = LettaRules::new(Generation::C2, &Map::new());
    let names = GraderNames::default();
    let partners = Some(partners);
    let mut reading = ReadState { rules: &rules, suite: Some("s"), partners, names, cx: &cx };
    let (rows, n_models, stop) = pollster::block_on(async {
        match read(&mut reading, &file, 2, split, &notes, None).await.unwrap() {
            JoinOutcome::Read(read) => *read,
            _ => in_one_go(&mut reading, &file, 2, split, None, &notes).await.unwrap(),
        }
    });
    let tables = rows.runs.iter().map(|run| {
        let (cases, checks) = (run.cases.to_batch().unwrap(), run.checks.to_batch().unwrap());
        let words: Vec<&str> = run.checks.name.words().collect();
        (&run.key, &run.sources, cases, checks, words)
    });
    format!(
        "{:?} {:?} {:?} {n_models} {stop:?} {:?} {:?} {:?}",
        rows.again,
        rows.sums,
        rows.summary,
        reading.names,
        tables.collect::<Vec<_>>(),
        notes.into_vec()
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn stretches_together_are_what_one_reading_gives(
        rows in prop::collection::vec(
            (0_u8..30, 0_u8..3, 0_u8..4, -1e3..1e3_f64, 0.0..1e9_f64), 0..24),
        n_models in 1_u8..4,
        split in any::<bool>(),
        has_newline in any::<bool>(),
        n_bytes in 1_u64..3_000,
    ) {
        let rows = rows.iter().map(|(sample, model, grader, score, tokens)| {
            line(&(*sample, model % n_models, *grader, *score, *tokens))
        });
        let mut text = rows.collect::<Vec<_>>().join("\n");
        if has_newline {
            text.push('\n');
        }
        let mut partners = Partners::new(SourceId(9));
        for id in 1..20_u64 {
            let asked = Asked { input: Some(id), expected: (id % 3 == 0).then_some(7) };
            partners.insert(true, &id.to_string(), id * 10..id * 10 + 5, asked);
        }
        let whole = all_of(&text, &partners, split, None);
        prop_assert_eq!(all_of(&text, &partners, split, Some(n_bytes)), whole);
    }
}
