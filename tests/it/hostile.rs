//! Seeded damage to every fixture: nothing may panic, whatever the page then asks.
//!
//! `EVALGLASS_DEEP=20 cargo test --test it hostile` looks that many times as deep.

use crate::hostile_rules::ask_rules;
use crate::markup::assert_well_formed;
use crate::support::{bytes_of, core_of, file, fixture_files};
use evalglass::input::{Dropped, Pulse};
use evalglass::report::{Across, CaseQuery, How, Name, RunRef, SortKey, Target, Topic, Tree};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, ExportKind, Question, Request, Task, to_bytes};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Every folder of fixtures that was one drop, by the test that takes it.
const SLOP: [&str; 5] = [
    "slop-code/g1/runs",
    "slop-code/g1/odd",
    "slop-code/g2/2a9800e",
    "slop-code/g2/feeab5a",
    "slop-code/g2/v1.0",
];
const EVALGLASS: [&str; 2] = ["evalglass/several", "evalglass/detailed"];
const REBEL: [&str; 5] =
    ["rebel/basic", "rebel/edge", "rebel/guide", "rebel/nonfinite", "rebel/trend/run_0"];
const RUNNERS: [&str; 5] = [
    "junit/pytest-9.2.0",
    "junit/js-runners",
    "ctrf/pytest-9.2.0",
    "ctrf/js-runners",
    "pytest-json-report/pytest-9.2.0",
];
const PROMPTFOO: [&str; 2] = ["promptfoo/0.103.11/small_repeat", "promptfoo/0.123.1/small_repeat"];
const LETTA_EARLY: [&str; 9] = [
    "letta-evals/0.2.x_singlefile",
    "letta-evals/0.3.2_single",
    "letta-evals/0.4.1_multirun",
    "letta-evals/0.5.0_interrupted",
    "letta-evals/0.5.0_runnerresult_dump",
    "letta-evals/0.7.0_weighted",
    "letta-evals/0.15.0_logical_multirun",
    "letta-evals/damaged_single",
    "letta-evals/guide_shape",
];
const LETTA_LATE: [&str; 6] = [
    "letta-evals/0.17.1_suite_multirun",
    "letta-evals/0.20.0_suite",
    "letta-evals/0.25.1_reward",
    "letta-evals/0.25.1_reward_11runs",
    "letta-evals/0.25.1_runnerresult_dump",
    "letta-evals/0.26.0_reward_multirun",
];

/// Records of tools that keep a log or a report of each run.
const RECORDS: [&str; 3] = ["deepeval/4.3.1", "openai-evals/3.0.1.post1", "swebench/5.0.2"];

/// Records of tools that keep an aggregate with samples beside it.
const BENCHMARKS: [&str; 5] =
    ["every-eval-ever/0.3.0", "helm/0.5.16", "lighteval/0.13.0", "lm-eval/0.4.3", "lm-eval/0.4.13"];
const HARBOR: [&str; 4] = [
    "harbor/made/job-0.1",
    "harbor/made/job-0.22",
    "harbor/made/terminal-bench",
    "harbor/made/trajectories",
];
const INSPECT: [&str; 4] = [
    "inspect-ai/0.3.20",
    "inspect-ai/0.3.63/mc",
    "inspect-ai/0.3.63/killed",
    "inspect-ai/0.3.285/agentic",
];

#[test]
fn damaged_tables_of_anybody_cost_only_themselves() {
    damage_all(&["table/pandas-3.1.1"], 34);
}

#[test]
fn damaged_records_of_benchmarks_cost_only_themselves() {
    damage_all(&BENCHMARKS, 31);
}

#[test]
fn damaged_files_of_harbor_cost_only_themselves() {
    damage_all(&HARBOR, 32);
}

#[test]
fn damaged_logs_of_inspect_cost_only_themselves() {
    damage_all(&INSPECT, 33);
}

#[test]
fn damaged_records_of_other_tools_cost_only_themselves() {
    damage_all(&RECORDS, 14);
}

#[test]
fn damaged_slop_code_files_cost_only_themselves() {
    damage_all(&SLOP, 1);
}

#[test]
fn damaged_reports_cost_only_themselves() {
    damage_all(&EVALGLASS, 8);
}

#[test]
fn damaged_rebel_files_cost_only_themselves() {
    damage_all(&REBEL, 2);
}

#[test]
fn damaged_files_of_test_runners_cost_only_themselves() {
    damage_all(&RUNNERS, 21);
}

#[test]
fn damaged_promptfoo_files_cost_only_themselves() {
    damage_all(&PROMPTFOO, 22);
}

#[test]
fn damaged_early_letta_evals_files_cost_only_themselves() {
    damage_all(&LETTA_EARLY, 3);
}

#[test]
fn damaged_late_letta_evals_files_cost_only_themselves() {
    damage_all(&LETTA_LATE, 4);
}

#[test]
fn damaged_tables_cost_only_themselves() {
    let mut rng = Rng::new(9);
    let core = core_of(fixture_files("rebel/edge"));
    let table = |kind| match core.answer(Task::Export { kind, view: None }) {
        Ok(Answer::Export(download)) => download.bytes,
        other => panic!("{other:?}"),
    };
    let tables = [ExportKind::CasesParquet, ExportKind::ChecksParquet].map(table);
    let names = ["out/evalglass-cases.parquet", "out/evalglass-checks.parquet"];
    let mut failures = Vec::new();
    for at in 0..2 {
        for _ in 0..40 * depth() {
            let (damaged, what) = damage(&tables[at], &tables[1 - at], &mut rng);
            let other = file(names[1 - at], tables[1 - at].clone());
            survive(vec![file(names[at], damaged), other], &what, &mut rng, &mut failures);
        }
        for end in (0..tables[at].len()).step_by(tables[at].len() / 20) {
            let what = format!("cut at {end}");
            let cut = vec![file(names[at], &tables[at][..end])];
            survive(cut, &what, &mut rng, &mut failures);
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn damaged_bad_files_cost_only_themselves() {
    let mut rng = Rng::new(5);
    let files: Vec<Dropped> =
        fixture_files("bad").into_iter().filter(|file| !file.path.contains("bomb")).collect();
    let mut failures = Vec::new();
    for at in 0..files.len() {
        for _ in 0..2 * depth() {
            let (damaged, what) = damage(&bytes_of(&files[at]), &bytes_of(&files[0]), &mut rng);
            survive(vec![file(&files[at].path, damaged)], &what, &mut rng, &mut failures);
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn files_that_are_cut_anywhere_cost_only_themselves() {
    let mut rng = Rng::new(6);
    let mut failures = Vec::new();
    let own = SLOP.iter().chain(&EVALGLASS).chain(&REBEL).chain(&LETTA_EARLY).chain(&LETTA_LATE);
    let guests = RECORDS.iter().chain(&BENCHMARKS).chain(&HARBOR).chain(&RUNNERS);
    for folder in own.chain(guests) {
        for dropped in fixture_files(folder) {
            let bytes = bytes_of(&dropped);
            // A prime, so that the cuts fall on every kind of place.
            let step = (bytes.len() / (4 * depth())).max(7) | 1;
            let first = rng.below(step);
            for end in (first..bytes.len()).step_by(step) {
                let what = format!("cut at {end}");
                survive(vec![file(&dropped.path, &bytes[..end])], &what, &mut rng, &mut failures);
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// How often to look: more in a deep sweep.
fn depth() -> usize {
    std::env::var("EVALGLASS_DEEP").ok().and_then(|depth| depth.parse().ok()).unwrap_or(1)
}

/// Damages each file of each folder, alone and among the others of its folder.
fn damage_all(folders: &[&str], seed: u64) {
    let mut rng = Rng::new(seed);
    let mut failures = Vec::new();
    for folder in folders {
        let files = fixture_files(folder);
        for (at, dropped) in files.iter().enumerate() {
            let bytes = bytes_of(dropped);
            let other = bytes_of(&files[rng.below(files.len())]);
            for _ in 0..3 * depth() {
                let (damaged, what) = damage(&bytes, &other, &mut rng);
                survive(vec![file(&dropped.path, damaged)], &what, &mut rng, &mut failures);
            }
            for _ in 0..depth() {
                let (damaged, what) = damage(&bytes, &other, &mut rng);
                let mut together = files.clone();
                together[at] = file(&dropped.path, damaged);
                let what = format!("{what} in {}, among others", dropped.path);
                survive(together, &what, &mut rng, &mut failures);
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Opens `files` and asks everything that the page can ask.
fn survive(files: Vec<Dropped>, what: &str, rng: &mut Rng, failures: &mut Vec<String>) {
    let name = files.first().map_or(String::new(), |file| file.path.clone());
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let core = Core::default();
        let answer = pollster::block_on(core.open(files, Vec::new(), &Pulse::silent()));
        let Ok(Answer::Workspace(tree)) = answer else { panic!("not opened: {answer:?}") };
        let is_silent = tree.evaluations.is_empty() && core.files().notes.is_empty();
        assert!(!is_silent, "neither read nor noted");
        // A core goes on after a reader that panics.
        let fault = core.losses().into_iter().find(|loss| loss.contains("a fault in the program"));
        assert_eq!(fault, None, "a reader panicked");
        ask_everything(&core, &tree, rng);
    }));
    if outcome.is_err() {
        failures.push(format!("{name}: {what}"));
    }
}

/// Every request that the page can make of `tree`.
pub fn ask_everything(core: &Core, tree: &Tree, rng: &mut Rng) {
    let ask_any = |request: Request| {
        let answer = core.answer(request);
        // What is answered must also reach the page.
        to_bytes(&answer).unwrap();
        if let Err(failure) = &answer {
            assert!(!failure.to_string().contains("a fault in the program"), "{failure}");
        }
        answer.ok()
    };
    let ask = |question: Question| ask_any(question.into());
    let page = |topic: Topic| match ask(Question::Sections { topic, whole: Vec::new() })? {
        Answer::Page(shown) => {
            shown.pictures().for_each(assert_well_formed);
            Some(shown)
        }
        _ => panic!("a page is the answer"),
    };
    let mut targets = vec![Target::All];
    let mut runs = Vec::new();
    for evaluation in &tree.evaluations {
        targets.push(Target::Evaluation(evaluation.id));
        for (run, node) in evaluation.runs.iter().enumerate() {
            let run = RunRef { evaluation: evaluation.id, run: run as u32 };
            targets.push(Target::Run(run));
            runs.push((run, node.n_cases));
        }
    }
    // Of many runs some are enough.
    while targets.len() > 12 {
        targets.swap_remove(rng.below(targets.len()));
    }
    while runs.len() > 6 {
        runs.swap_remove(rng.below(runs.len()));
    }
    for target in targets {
        assert!(page(Topic::Overview(target)).is_some(), "no overview");
        assert!(page(Topic::Failures(target)).is_some(), "no failures");
        ask_rules(core, target, rng);
        match target {
            Target::All => {}
            Target::Evaluation(id) => {
                assert!(page(Topic::How(How::Evaluation(id).into())).is_some(), "no how");
            }
            Target::Run(run) => {
                assert!(page(Topic::How(How::Run(run).into())).is_some(), "no how");
                page(Topic::How(How::Group { run, group: 0 }.into()));
            }
        }
        let sort = SORT_KEYS[rng.below(SORT_KEYS.len())];
        let sort = vec![(sort, rng.below(2) == 0)];
        let query = CaseQuery { target, sort, limit: 3, ..CaseQuery::default() };
        assert!(ask(cases(query)).is_some(), "no cases");
    }
    for sort in SORT_KEYS {
        let query = CaseQuery {
            sort: vec![(sort, rng.below(2) == 0), (SortKey::Id, rng.below(2) == 0)],
            filter: FILTERS[rng.below(FILTERS.len())].to_owned(),
            columns: if rng.below(2) == 0 { Vec::new() } else { SortKey::COLUMNS.to_vec() },
            heat: [None, Some(Across::Runs), Some(Across::Attempts)][rng.below(3)],
            offset: [0, 1, u64::MAX][rng.below(3)],
            limit: [5, 0, u64::MAX][rng.below(3)],
            target: Target::All,
        };
        assert!(ask(Question::Facets(query.clone())).is_some(), "no facets");
        assert!(ask(Question::CaseTexts(query.clone())).is_some(), "no texts");
        assert!(ask(cases(query)).is_some(), "no cases");
    }
    for (run, n_cases) in runs {
        let mut wanted = vec![0, n_cases, u64::MAX];
        if n_cases > 0 {
            wanted.extend([n_cases - 1, rng.next() % n_cases]);
        }
        for case_idx in wanted {
            ask(Question::Case { run, case: Name::Place(case_idx), spot: "1".to_owned() });
            let how = page(Topic::How(How::Case { run, case_idx }.into()));
            assert_eq!(how.is_some(), case_idx < n_cases, "how a case was made");
        }
    }
    assert!(page(Topic::Audit { is_whole: true }).is_some(), "no audit");
    assert!(page(Topic::Notes).is_some(), "no files");
    let Some(Answer::Export(download)) =
        ask_any(Task::Export { kind: ExportKind::ReportJson, view: None }.into())
    else {
        panic!("no export");
    };
    serde_json::from_slice::<serde_json::Value>(&download.bytes).expect("JSON");
    assert!(ask(Question::Rules(Vec::new())).is_some(), "no settings");
    if let Some(evaluation) = tree.evaluations.first() {
        assert!(ask(Question::Remove(evaluation.id)).is_some(), "not removed");
        page(Topic::Overview(Target::Evaluation(evaluation.id)));
        assert!(page(Topic::Audit { is_whole: true }).is_some(), "no audit after removing");
    }
}

fn cases(query: CaseQuery) -> Question {
    Question::Cases { query, is_framed: true }
}

const FILTERS: [&str; 8] = [
    "",
    "e",
    "\u{130}",
    "zzz or -outcome:failed",
    "score<0.5 duration>=1ms metric.x!=0",
    "group:\"\" or has:error,checks tag:a -checks>0",
    "error~e text~e",
    "(",
];

const SORT_KEYS: [SortKey; 22] = [
    SortKey::File,
    SortKey::Run,
    SortKey::Id,
    SortKey::Group,
    SortKey::Kind,
    SortKey::Outcome,
    SortKey::Score,
    SortKey::FailedChecks,
    SortKey::Attempts,
    SortKey::Duration,
    SortKey::Cost,
    SortKey::Tokens,
    SortKey::Error,
    SortKey::Model,
    SortKey::Suite,
    SortKey::Variant,
    SortKey::Repeat,
    SortKey::Tags,
    SortKey::Instability,
    SortKey::Input,
    SortKey::Answer,
    SortKey::Expected,
];

/// What is put in the place of a JSON value.
const STRANGERS: [&str; 16] = [
    "null",
    "NaN",
    "-Infinity",
    "1e999",
    "-1",
    "18446744073709551616",
    "-9223372036854775809",
    "0.1",
    "true",
    "\"\"",
    "\"\\ud800\"",
    "[]",
    "{}",
    "[[[]]]",
    "[null,1]",
    "{\"\":{}}",
];

/// Damages `bytes` in one to three ways; says how.
fn damage(bytes: &[u8], other: &[u8], rng: &mut Rng) -> (Vec<u8>, String) {
    let mut bytes = bytes.to_vec();
    let mut what = Vec::new();
    for _ in 0..=rng.below(3) {
        what.push(damage_once(&mut bytes, other, rng));
    }
    (bytes, what.join(", "))
}

fn damage_once(bytes: &mut Vec<u8>, other: &[u8], rng: &mut Rng) -> String {
    if bytes.is_empty() {
        bytes.extend_from_slice(&other[..rng.below(other.len() + 1)]);
        return format!("{} bytes of another file", bytes.len());
    }
    let at = rng.below(bytes.len());
    let end = (at + 1 + rng.below(200)).min(bytes.len());
    match rng.below(12) {
        0 => {
            bytes[at] ^= 1 << rng.below(8);
            format!("bit flipped at {at}")
        }
        1 => {
            for byte in &mut bytes[at..end] {
                *byte = rng.next() as u8;
            }
            format!("noise at {at}..{end}")
        }
        2 => {
            bytes.truncate(at);
            format!("cut at {at}")
        }
        3 => {
            bytes.drain(at..end);
            format!("removed {at}..{end}")
        }
        4 => {
            let part = bytes[at..end].to_vec();
            bytes.splice(at..at, part);
            format!("doubled {at}..{end}")
        }
        5 => {
            let from = rng.below(other.len() + 1);
            let part = &other[from..(from + 300).min(other.len())];
            bytes.splice(at..at, part.iter().copied());
            format!("part of another file at {at}")
        }
        6 => {
            let n = [3, 600, 20_000][rng.below(3)];
            let bracket = [b'[', b'{', b']', b'}', b'"'][rng.below(5)];
            bytes.splice(at..at, std::iter::repeat_n(bracket, n));
            format!("{n} times {:?} at {at}", char::from(bracket))
        }
        7 => {
            *bytes = other.to_vec();
            "swapped for another file".to_owned()
        }
        8 if bytes.len() >= 8 => {
            // The length of a Parquet footer, or just the end of a text.
            let tail = bytes.len() - 8;
            bytes[tail + rng.below(4)] = rng.next() as u8;
            "the last bytes changed".to_owned()
        }
        _ => replace_value(bytes, at, rng),
    }
}

/// Puts a stranger in the place of the JSON value after `at`.
fn replace_value(bytes: &mut Vec<u8>, at: usize, rng: &mut Rng) -> String {
    let stranger = STRANGERS[rng.below(STRANGERS.len())];
    let Some(colon) = bytes[at..].iter().position(|byte| *byte == b':').map(|n| at + n) else {
        bytes.splice(at..at, stranger.bytes());
        return format!("{stranger} at {at}");
    };
    let mut start = colon + 1;
    while bytes.get(start) == Some(&b' ') {
        start += 1;
    }
    let mut depth = 0_i32;
    let mut is_text = false;
    let mut end = start;
    while let Some(byte) = bytes.get(end) {
        match byte {
            b'"' if bytes[end - 1] != b'\\' => is_text = !is_text,
            b'[' | b'{' if !is_text => depth += 1,
            b']' | b'}' if !is_text && depth > 0 => depth -= 1,
            b',' | b']' | b'}' if !is_text && depth == 0 => break,
            _ => {}
        }
        end += 1;
    }
    bytes.splice(start..end, stranger.bytes());
    format!("{stranger} in place of the value at {start}")
}

/// xorshift64*: small, and the same everywhere.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 8
    }

    /// A number below `end`; 0 when that is 0.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end.max(1) as u64).unwrap()
    }
}
