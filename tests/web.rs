//! The worker's core in a real browser: what native tests cannot show is that the same code, and the C
//! part of zstd, work as WebAssembly.
#![cfg(target_arch = "wasm32")]
#![allow(missing_docs, reason = "tests")]

use evalglass::browser::{BrowserBytes, FileSource};
use evalglass::input::{Dropped, MemorySource, Pulse, ReadAt as _};
use evalglass::report::Tree;
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, ExportKind, Task, ToWorker, from_bytes, to_bytes};
use std::io::Write as _;
use std::rc::Rc;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

/// The named files of a fixture folder, as if that folder had been dropped.
macro_rules! dropped {
    ($folder:literal, $($name:literal),+) => {
        vec![$(Dropped {
            path: $name.to_owned(),
            data: Rc::new(MemorySource::new(
                include_bytes!(concat!("fixtures/", $folder, "/", $name)).as_slice(),
            )),
        }),+]
    };
}

async fn opened(files: Vec<Dropped>) -> (Core, Tree) {
    let core = Core::default();
    let answer = core.open(files, Vec::new(), &Pulse::silent()).await;
    let Ok(Answer::Workspace(tree)) = answer else { panic!("not opened: {answer:?}") };
    (core, tree)
}

/// The exported report, which must hold as many cases as the tree says.
fn report_is_whole(core: &Core, tree: &Tree) {
    let answer = core.answer(Task::Export { kind: ExportKind::ReportJson, view: None });
    let Ok(Answer::Export(download)) = answer else { panic!("no report: {answer:?}") };
    assert_eq!(download.name, "evalglass-report.json");
    let report: serde_json::Value = serde_json::from_slice(&download.bytes).expect("JSON");
    assert_eq!(report["schema"], "evalglass-report/1");
    let runs = report["runs"].as_array().expect("runs");
    assert_eq!(runs.len() as u64, tree.n_runs);
    let n_cases: usize = runs.iter().filter_map(|run| run["cases"].as_array()).map(Vec::len).sum();
    assert_eq!(n_cases as u64, tree.n_cases);
}

#[wasm_bindgen_test]
async fn zstd_parquet_and_its_evaluation_open() {
    let (core, tree) =
        opened(dropped!("slop-code/g1/odd/undefined_scores", "evaluation.json", "reports.parquet"))
            .await;
    assert_eq!((tree.n_runs, tree.evaluations[0].producer.as_str()), (1, "slop-code"));
    assert!(tree.n_cases > 0);
    report_is_whole(&core, &tree);
}

#[wasm_bindgen_test]
async fn a_letta_folder_of_two_models_opens() {
    let (core, tree) = opened(dropped!(
        "letta-evals/0.25.1_reward",
        "suite.json",
        "summary.json",
        "openai-gpt-4.1-mini.jsonl",
        "anthropic-claude-haiku-4-5.jsonl"
    ))
    .await;
    assert_eq!((tree.evaluations.len(), tree.n_runs, tree.n_cases), (1, 2, 32));
    report_is_whole(&core, &tree);
}

#[wasm_bindgen_test]
async fn a_rebel_report_opens() {
    let (core, tree) = opened(dropped!("rebel/basic", "test_results_20261121_201406.json")).await;
    assert_eq!((tree.n_runs, tree.n_cases), (1, 26));
    report_is_whole(&core, &tree);
}

#[wasm_bindgen_test]
fn a_message_crosses_as_bytes() {
    let message = ToWorker {
        id: u64::MAX,
        generation: 7,
        request: Task::Export { kind: ExportKind::ReportJson, view: None }.into(),
    };
    let bytes = js_sys::Uint8Array::from(to_bytes(&message).expect("written").as_slice());
    assert_eq!(from_bytes::<ToWorker>(&bytes.to_vec()).expect("read"), message);
}

#[wasm_bindgen_test]
fn a_file_is_read_in_exact_slices() {
    let parts = js_sys::Array::of1(&wasm_bindgen::JsValue::from_str("0123456789"));
    let file = web_sys::File::new_with_str_sequence(&parts, "digits.txt").expect("a file");
    let source = FileSource::new(file.into()).expect("a worker reads synchronously");
    let mut buf = [0; 4];
    source.read_at(3, &mut buf).expect("inside");
    assert_eq!((source.len(), &buf), (10, b"3456"));
    assert!(source.read_at(8, &mut buf).is_err(), "four bytes from the eighth are not there");
    source.read_at(10, &mut []).expect("nothing is everywhere");
}

#[wasm_bindgen_test]
async fn a_file_comes_as_a_stream() {
    let bytes: Vec<u8> = (0..3_000_000_u32).map(|at| (at % 251) as u8).collect();
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes.as_slice()));
    let file = web_sys::File::new_with_u8_array_sequence(&parts, "bytes.bin").expect("a file");
    let source = FileSource::new(file.into()).expect("a worker reads synchronously");
    let mut stream = source.stream(7..2_999_990).expect("this browser streams files");
    let mut at = 7;
    for len in [0, 1, 250_000, 2_000_000, 749_982] {
        let mut buf = vec![0; len];
        assert!(stream.fill(&mut buf).await, "{len} bytes from byte {at}");
        assert!(buf == bytes[at..at + len], "{len} bytes from byte {at}");
        at += len;
    }
    assert!(!stream.fill(&mut [0]).await, "there are no more than were asked for");
    let mut left = source.stream(0..3_000_000).expect("this browser streams files");
    let mut buf = [0; 10];
    assert!(left.fill(&mut buf).await);
    drop(left);
    source.read_at(5, &mut buf).expect("one that is left early does no harm");
    assert_eq!(buf, bytes[5..15]);
}

#[wasm_bindgen_test]
fn bytes_of_the_browser_grow_as_they_are_written() {
    for capacity in [0, 3, 100] {
        let mut bytes = BrowserBytes::with_capacity(capacity);
        for part in [b"01".as_slice(), b"", b"23456789", b"abc"] {
            bytes.write_all(part).expect("written");
        }
        assert_eq!(bytes.finish().to_vec(), b"0123456789abc", "{capacity}");
    }
}
