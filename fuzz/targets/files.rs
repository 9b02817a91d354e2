//! Files made of an input, opened as the page opens them.

use evalglass::input::{Dropped, InputFile, MemorySource, Pulse};
use evalglass::model::SourceId;
use evalglass::report::{Name, RunRef, Target, Topic, Tree};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, Question, to_bytes};
use std::rc::Rc;

/// Stands before each file of an input that holds several, with the file's path behind it up to the end of the line.
const FILE: &[u8] = b"\n=== FILE ";

/// A file in memory.
pub fn file(path: &str, bytes: &[u8]) -> Dropped {
    Dropped { path: path.to_owned(), data: Rc::new(MemorySource::new(bytes)) }
}

/// The same, opened, as file number `id`.
pub fn opened(path: &str, bytes: &[u8], id: u32) -> InputFile {
    InputFile { id: SourceId(id), path: path.to_owned(), data: Rc::new(MemorySource::new(bytes)) }
}

/// The files that stand in `input`: paths and bytes. What stands before the first is not one.
pub fn files_in(input: &[u8]) -> Vec<(String, &[u8])> {
    let mut starts: Vec<usize> = find_all(input, FILE);
    starts.push(input.len());
    let file = |span: &[usize]| {
        let inner = &input[span[0] + FILE.len()..span[1]];
        let end = inner.iter().position(|&byte| byte == b'\n').unwrap_or(inner.len());
        let path = String::from_utf8_lossy(&inner[..end]).into_owned();
        (path, inner.get(end + 1..).unwrap_or_default())
    };
    starts.windows(2).map(file).collect()
}

fn find_all(haystack: &[u8], needle: &[u8]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = 0;
    while at + needle.len() <= haystack.len() {
        if haystack[at..].starts_with(needle) {
            found.push(at);
            at += needle.len();
        } else {
            at += 1;
        }
    }
    found
}

/// A core that has opened `files`.
///
/// # Panics
/// When a reader does: a core by itself goes on after that.
pub fn core_of(files: Vec<Dropped>) -> (Core, Tree) {
    let core = Core::default();
    let answer = pollster::block_on(core.open(files, Vec::new(), &Pulse::silent()));
    let Ok(Answer::Workspace(tree)) = answer else { panic!("not opened: {answer:?}") };
    let fault = core.losses().into_iter().find(|loss| loss.contains("a fault in the program"));
    assert_eq!(fault, None, "a reader panicked");
    (core, tree)
}

/// Opens `files`, and asks for the first page about them and for a case of each run.
pub fn look_through(files: Vec<Dropped>) {
    let (core, tree) = core_of(files);
    let ask = |question: Question| {
        let answer = core.answer(question);
        // What is answered must also reach the page.
        assert!(to_bytes(&answer).is_ok(), "an answer cannot be written");
        if let Err(failure) = &answer {
            assert!(!failure.to_string().contains("a fault in the program"), "{failure}");
        }
        answer
    };
    let topic = Topic::Overview(Target::All);
    assert!(ask(Question::Sections { topic, whole: Vec::new() }).is_ok(), "no overview");
    for evaluation in tree.evaluations.iter().take(3) {
        for (run, node) in evaluation.runs.iter().enumerate().take(3) {
            let run = RunRef { evaluation: evaluation.id, run: run as u32 };
            for case in [0, node.n_cases.saturating_sub(1)] {
                let _ = ask(Question::Case { run, case: Name::Place(case), spot: String::new() });
            }
        }
    }
}
