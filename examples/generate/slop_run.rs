//! Run directories of slop-code as its release writes them (pytest's reports, four kinds of tests): one of many checkpoints, or a
//! tree of runs with many small files. The folders `snapshot/` hold what a reader leaves out.

use std::fs;
use std::path::{Path, PathBuf};

use evalglass::stats;
use jiff::civil::{DateTime, date};
use jiff::{SignedDuration, ToSpan as _};
use serde_json::{Value, json};

use crate::random::{Prose, Random, float, size};
use crate::slop_checkpoint::{self, FILES, Row};
use crate::{Options, Result, slop_summary};

const MODELS: [&str; 4] = ["ash-2", "maple-3", "willow-2", "birch-1"];
const PROBLEMS: [&str; 8] = [
    "river_codec",
    "lake_index",
    "ledger_sync",
    "tide_tables",
    "inventory_api",
    "route_planner",
    "log_query",
    "paper_trail",
];
/// Checkpoints of a problem, problems of a run in a tree.
const CHECKPOINTS: u64 = 5;
const PROBLEMS_OF_RUN: u64 = 6;
/// Files of a run and of a problem, besides those of its checkpoints.
const RUN_FILES: u64 = 5;
const PROBLEM_FILES: u64 = 3;
/// Bytes of a file, on average, when none are asked for: as in published trees.
const BYTES_OF_FILE: u64 = 60_000;

/// What was written so far, and how much of it may be by now.
#[derive(Default)]
pub struct Written {
    pub files: u64,
    pub bytes: u64,
    pub pruned_files: u64,
    bytes_of_file: u64,
}

impl Written {
    /// Writes a file of a folder that exists.
    pub fn file(&mut self, path: PathBuf, content: &[u8]) -> Result<()> {
        fs::write(path, content)?;
        self.files += 1;
        self.bytes += content.len() as u64;
        Ok(())
    }

    /// Writes a file that a reader leaves out.
    pub fn pruned(&mut self, path: PathBuf, content: &[u8]) -> Result<()> {
        fs::write(path, content)?;
        self.pruned_files += 1;
        Ok(())
    }

    /// Bytes that are due when `files` more are written.
    pub fn due(&self, files: u64) -> usize {
        size((self.bytes_of_file * (self.files + files)).saturating_sub(self.bytes))
    }
}

/// What all runs of a folder hold.
#[derive(Default)]
struct Held {
    runs: u64,
    checkpoints: u64,
    tests: u64,
    passed: u64,
    checkpoints_solved: u64,
}

/// One run: its place among all, its folder, and how many checkpoints each problem has.
struct Plan {
    index: u64,
    folder: PathBuf,
    problems: Vec<u64>,
}

/// A run directory with `--checkpoints` checkpoints.
pub fn one_run(options: &Options) -> Result<Value> {
    let problems = of_five(options.checkpoints);
    let files = RUN_FILES + PROBLEM_FILES * problems.len() as u64 + FILES * options.checkpoints;
    let folder = options.out.join(run_name(0));
    let mut held = Held::default();
    let mut written = budget(options, files);
    write_run(options, &Plan { index: 0, folder, problems }, &mut written, &mut held)?;
    Ok(facts("slop-code", options, &written, &held))
}

/// Runs of thirty checkpoints, `<model>/<run>/`, until `--files` are written or the next checkpoint would be too many.
pub fn tree(options: &Options) -> Result<Value> {
    let mut held = Held::default();
    let mut written = budget(options, options.files);
    loop {
        let room = options.files.saturating_sub(written.files + RUN_FILES);
        let whole = (room / (PROBLEM_FILES + CHECKPOINTS * FILES)).min(PROBLEMS_OF_RUN);
        let problems = match (whole, room.saturating_sub(PROBLEM_FILES) / FILES) {
            (0, 0) => break,
            (0, checkpoints) => vec![checkpoints],
            (whole, _) => vec![CHECKPOINTS; size(whole)],
        };
        let index = held.runs;
        let folder = options.out.join(model(index)).join(run_name(index));
        write_run(options, &Plan { index, folder, problems }, &mut written, &mut held)?;
    }
    if held.runs == 0 {
        return Err("too few files for a run".into());
    }
    Ok(facts("tree", options, &written, &held))
}

fn of_five(checkpoints: u64) -> Vec<u64> {
    let rest = checkpoints % CHECKPOINTS;
    let mut problems = vec![CHECKPOINTS; size(checkpoints / CHECKPOINTS)];
    problems.extend((rest > 0).then_some(rest));
    problems
}

fn budget(options: &Options, files: u64) -> Written {
    let bytes_of_file = options.bytes.map_or(BYTES_OF_FILE, |bytes| bytes / files);
    Written { bytes_of_file, ..Written::default() }
}

fn facts(kind: &str, options: &Options, written: &Written, held: &Held) -> Value {
    json!({
        "kind": kind, "seed": options.seed, "files": written.files, "pruned_files": written.pruned_files, "bytes": written.bytes,
        "evaluations": held.runs, "runs": held.checkpoints, "cases": held.tests, "passed": held.passed,
        "checkpoints_solved": held.checkpoints_solved,
    })
}

fn model(index: u64) -> &'static str {
    MODELS[size(index) % MODELS.len()]
}

fn began(index: u64) -> DateTime {
    date(2026, 1, 15).at(9, 30, 0, 0) + size_days(index)
}

fn size_days(index: u64) -> jiff::Span {
    i64::try_from(index).unwrap_or(0).days()
}

fn run_name(index: u64) -> String {
    format!("claude_code-2.1.0_just-solve_none_{}", began(index).strftime("%Y%m%dT%H%M"))
}

fn write_run(options: &Options, plan: &Plan, written: &mut Written, held: &mut Held) -> Result<()> {
    fs::create_dir_all(&plan.folder)?;
    let prose = Prose::plain(options.seed);
    let mut names = Vec::new();
    let (mut rows, mut lines, mut clock) = (Vec::<Row>::new(), String::new(), began(plan.index));
    for (at, checkpoints) in (0_u64..).zip(&plan.problems) {
        let name = format!("{}_{:03}", PROBLEMS[size(at) % PROBLEMS.len()], at + 1);
        let folder = plan.folder.join(&name);
        fs::create_dir_all(&folder)?;
        let (from, started) = (rows.len(), clock);
        for order in 1..=*checkpoints {
            let random = Random::new(&[options.seed, plan.index, at, order]);
            let row = Row::new(random, &name, (order, *checkpoints), clock, rows.last());
            slop_checkpoint::write(&folder, model(plan.index), &row, &prose, written)?;
            lines.push_str(&slop_summary::row(&row).to_string());
            lines.push('\n');
            clock += SignedDuration::from_secs(i64::try_from(row.seconds).unwrap_or(0));
            rows.push(row);
        }
        write_problem(&folder, &name, plan, (started, clock), &rows[from..], written)?;
        names.push(name);
    }
    let run = &plan.folder;
    written.file(run.join("checkpoint_results.jsonl"), lines.as_bytes())?;
    let summary = slop_summary::result(model(plan.index), plan.problems.len(), &rows);
    written.file(run.join("result.json"), &serde_json::to_vec_pretty(&summary)?)?;
    written.file(run.join("config.yaml"), config(model(plan.index), &names).as_bytes())?;
    written.file(run.join("environment.yaml"), b"image: acme/box\nname: local\ntype: docker\n")?;
    written.file(run.join("run_agent.log"), b"09:30:00 INFO run started\n")?;
    held.runs += 1;
    held.checkpoints += rows.len() as u64;
    held.tests += rows.iter().map(Row::total).sum::<u64>();
    held.passed += rows.iter().map(Row::passed).sum::<u64>();
    held.checkpoints_solved += rows.iter().filter(|row| row.passed() == row.total()).count() as u64;
    Ok(())
}

fn config(model: &str, problems: &[String]) -> String {
    let mut text = format!(
        "agent:\n  type: claude_code\n  version: 2.1.0\nmodel:\n  name: {model}\n  provider: acme\npass_policy: any\nproblems:\n"
    );
    for problem in problems {
        text.push_str(&format!("- {problem}\n"));
    }
    text.push_str("prompt_path: configs/prompts/just-solve.jinja\nthinking: none\n");
    text
}

/// The files of a problem beside its checkpoints.
fn write_problem(
    folder: &Path,
    name: &str,
    plan: &Plan,
    (started, ended): (DateTime, DateTime),
    rows: &[Row],
    written: &mut Written,
) -> Result<()> {
    let (mut planned, mut ran) = (String::new(), String::new());
    for row in rows {
        let order = row.order;
        planned.push_str(&format!(
            "  checkpoint_{order}:\n    include_prior_tests: true\n    name: checkpoint_{order}\n    order: {order}\n    \
             state: Core Tests\n    timeout: 20.0\n    version: 1\n"
        ));
        ran.push_str(&format!("    checkpoint_{order}: ran\n"));
    }
    let problem = format!("checkpoints:\n{planned}entry_file: main\nname: {name}\nversion: 1\n");
    written.file(folder.join("problem.yaml"), problem.as_bytes())?;
    let seconds = float(rows.iter().map(|row| row.seconds).sum());
    let info = format!(
        "agent_type: claude_code\nagent_version: 2.1.0\nimage: acme/box\nmodel_name: {}\npass_policy: any\nseed: 42\n\
         skip_evaluation: false\nsummary:\n  checkpoints:\n{ran}  duration_seconds: {seconds:?}\n  ended: '{}'\n  \
         error_message: null\n  error_traceback: null\n  error_type: null\n  passed_policy: true\n  started: '{}'\n  \
         state: completed\n  total_cost: {:?}\n  total_steps: {}\n",
        model(plan.index),
        ended,
        started,
        stats::sum(rows.iter().map(|row| row.cost)),
        rows.iter().map(|row| row.steps).sum::<u64>(),
    );
    written.file(folder.join("run_info.yaml"), info.as_bytes())?;
    written.file(folder.join("infer.log"), b"09:30:00 INFO problem started\n")
}
