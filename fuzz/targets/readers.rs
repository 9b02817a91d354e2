//! Every reader, by itself and as part of the whole program.

use super::files::{self, core_of, file, look_through, opened};
use evalglass::input::{Dropped, Pulse, shape};
use evalglass::model::{Notes, Run};
use evalglass::readers::{Bundle, Claimed, ContentKeys, Context, InProcess, Marks, Reader, reader};
use evalglass::report::{How, Target, Topic};
use evalglass::worker::protocol::{ExportKind, Question, Task, to_bytes};
use pollster::block_on;
use std::rc::Rc;

/// The reader that the first line names reads the files behind it, then each case and document again.
pub fn readers(input: &[u8]) {
    let end = input.iter().position(|&byte| byte == b'\n').unwrap_or(input.len());
    let name = String::from_utf8_lossy(&input[..end]);
    let Some(reader) = reader(&name) else { return };
    let files = files::files_in(&input[end..]);
    read_by(reader, &files);
}

/// XML, by the readers that know some.
pub fn xml(input: &[u8]) {
    for name in ["junit", "promptfoo"] {
        let Some(reader) = reader(name) else { panic!("{name} is a reader") };
        read_by(reader, &[("results.xml".to_owned(), input)]);
    }
}

fn read_by(reader: &dyn Reader, files: &[(String, &[u8])]) {
    let pulse = Pulse::silent();
    let mut claims: Vec<Rc<Claimed>> = Vec::new();
    let mut others = Vec::new();
    for (nth, (path, bytes)) in files.iter().enumerate() {
        let file = opened(path, bytes, nth as u32);
        let shape = block_on(shape(&file, &pulse)).expect("it is in memory");
        let claim = match file.len() {
            0 => reader.sniff_empty(&file),
            _ => reader.sniff(&file, &shape),
        };
        match claim {
            Some(claim) => claims.push(Rc::new(Claimed { file, shape, claim })),
            None => others.push((file, shape)),
        }
    }
    if claims.is_empty() {
        return;
    }
    for (file, shape) in others {
        if let Some(claim) = reader.sniff_beside(&file, &shape) {
            claims.push(Rc::new(Claimed { file, shape, claim }));
        }
    }
    let n_claims = claims.len();
    let keys = |claimed: &Claimed| -> Rc<ContentKeys> { Rc::new(reader.content_keys(claimed)) };
    let bundles = reader.bundle(claims, &keys);
    let n_bundled: usize = bundles.iter().map(|bundle| bundle.files.len()).sum();
    assert_eq!(n_bundled, n_claims, "every file goes into exactly one bundle");
    for bundle in &bundles {
        read_bundle(reader, bundle, &pulse);
    }
}

fn read_bundle(reader: &dyn Reader, bundle: &Bundle, pulse: &Pulse) {
    let (notes, before, after, alone) =
        (Notes::default(), Marks::default(), Marks::default(), InProcess::default());
    let cx = Context { notes: &notes, pulse, before: &before, after: &after, helpers: &alone };
    let Ok(readings) = block_on(reader.read(bundle, &cx)) else { return };
    for reading in readings {
        let evaluation = &reading.evaluation;
        for run in evaluation.runs.iter().take(4) {
            let n_cases = run.cases.len();
            for idx in (0..n_cases.min(3)).chain(n_cases.checked_sub(1)) {
                let case: Run = run.only(idx..idx + 1);
                let _ = reader.detail(bundle, &evaluation.config, &case);
            }
            for place in 0..run.documents.len().min(3) {
                let _ = reader.document(bundle, &run.only_documents(&[place]));
            }
        }
    }
    for claimed in &bundle.files {
        let _ = reader.row_texts(&claimed.file, 0, &mut |_, _| ());
        let _ = reader.texts_from_row(&claimed.file, 0);
    }
}

/// The whole program: files are opened, and pages and exports made of them.
pub fn pages(input: &[u8]) {
    let files: Vec<Dropped> =
        files::files_in(input).iter().map(|(path, bytes)| file(path, bytes)).collect();
    if files.is_empty() {
        return;
    }
    let (core, tree) = core_of(files.clone());
    let is_silent = tree.evaluations.is_empty() && core.files().notes.is_empty();
    assert!(!is_silent, "neither read nor noted");
    let page = |topic: Topic| {
        let answer = core.answer(Question::Sections { topic: topic.clone(), whole: Vec::new() });
        assert!(answer.is_ok(), "no page {topic:?}");
        assert!(to_bytes(&answer).is_ok(), "an answer cannot be written");
    };
    page(Topic::Failures(Target::All));
    page(Topic::Notes);
    page(Topic::Audit { is_whole: true });
    for evaluation in &tree.evaluations {
        page(Topic::Overview(Target::Evaluation(evaluation.id)));
        page(Topic::How(How::Evaluation(evaluation.id).into()));
    }
    for kind in [ExportKind::ReportJson, ExportKind::CasesParquet, ExportKind::JunitXml] {
        assert!(core.answer(Task::Export { kind, view: None }).is_ok(), "no export {kind:?}");
    }
    look_through(files);
}
