//! One checkpoint of a slop-code run: its outcome, drawn from the seed, and the thirteen files that say it.

use std::fs;
use std::path::Path;

use jiff::SignedDuration;
use jiff::civil::DateTime;
use serde_json::{Value, json};

use crate::Result;
use crate::random::{Prose, Random, float, size};
use crate::slop_run::Written;

/// Files that [`write`] makes, without those in `snapshot/`.
pub const FILES: u64 = 13;

/// Kinds of tests, in the order of [`Row::counts`].
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Core,
    Functionality,
    Error,
    Regression,
}

const KINDS: [(Kind, &str); 4] = [
    (Kind::Core, "Core"),
    (Kind::Functionality, "Functionality"),
    (Kind::Error, "Error"),
    (Kind::Regression, "Regression"),
];
const AREAS: [&str; 6] = ["parse", "write", "totals", "unicode_names", "bad_input", "server"];
/// Lines of every function that is reported.
const FUNCTION_LINES: u64 = 30;

/// A test that ran in a checkpoint; a regression test is one of the checkpoint before.
struct Test {
    number: u64,
    order: u64,
    kind: Kind,
    passed: bool,
}

impl Test {
    fn id(&self) -> String {
        format!("test_{}_{:03}", AREAS[size(self.number) % AREAS.len()], self.number)
    }
}

/// The outcome of a checkpoint.
pub struct Row {
    pub problem: String,
    pub order: u64,
    /// Checkpoints of the problem.
    pub of: u64,
    pub started: DateTime,
    pub seconds: u64,
    /// Passed and all, by [`Kind`].
    pub counts: [(u64, u64); 4],
    /// A multiple of 1/256, so that sums are exact in any order.
    pub cost: f64,
    pub steps: u64,
    /// Input, output, cache read, cache written, reasoning.
    pub tokens: [u64; 5],
    pub lines: u64,
    pub added: u64,
    pub removed: u64,
    pub lint: u64,
    pub complexity: u64,
    pub complex: u64,
    tests: Vec<Test>,
    random: Random,
}

impl Row {
    /// Draws the outcome of checkpoint `order` of `of`; `before` is the checkpoint written before, maybe of another problem.
    pub fn new(
        mut random: Random,
        problem: &str,
        (order, of): (u64, u64),
        started: DateTime,
        before: Option<&Self>,
    ) -> Self {
        // One checkpoint in four is solved.
        let fails = if random.below(4) == 0 { 0 } else { 5 + random.below(50) };
        let mut tests = Vec::new();
        for number in 0..40 + random.below(120) {
            let kind = match number % 8 {
                0..=3 => Kind::Core,
                4 | 5 => Kind::Functionality,
                _ => Kind::Error,
            };
            tests.push(Test { number, order, kind, passed: random.below(100) >= fails });
        }
        if let Some(before) = before.filter(|before| before.problem == problem) {
            for test in before.tests.iter().filter(|test| test.kind == Kind::Core).take(20) {
                let passed = random.below(100) >= fails / 2;
                tests.push(Test {
                    number: test.number,
                    order: test.order,
                    kind: Kind::Regression,
                    passed,
                });
            }
        }
        let counts = KINDS.map(|(kind, _)| {
            let of_kind = tests.iter().filter(|test| test.kind == kind);
            of_kind.fold((0, 0), |(n, all), test| (n + u64::from(test.passed), all + 1))
        });
        let before_lines = before.filter(|row| row.problem == problem).map_or(0, |row| row.lines);
        let (added, removed) = (60 + random.below(400), random.below(1 + before_lines / 4));
        Self {
            problem: problem.to_owned(),
            order,
            of,
            started,
            seconds: 60 + random.below(900),
            counts,
            cost: float(8 + random.below(500)) / 256.0,
            steps: 5 + random.below(60),
            tokens: [
                1_000 + random.below(90_000),
                500 + random.below(20_000),
                random.below(900_000),
                random.below(60_000),
                0,
            ],
            lines: before_lines + added - removed,
            added,
            removed,
            lint: random.below(40),
            complexity: 4 + random.below(20),
            complex: random.below(4),
            tests,
            random,
        }
    }

    pub fn name(&self) -> String {
        format!("checkpoint_{}", self.order)
    }

    pub fn ended(&self) -> DateTime {
        self.started + SignedDuration::from_secs(i64::try_from(self.seconds).unwrap_or(0))
    }

    pub fn passed(&self) -> u64 {
        self.counts.iter().map(|(passed, _)| passed).sum()
    }

    pub fn total(&self) -> u64 {
        self.counts.iter().map(|(_, total)| total).sum()
    }

    /// Passed and all, without regression tests.
    pub fn isolated(&self) -> (u64, u64) {
        let (passed, total) = self.counts[Kind::Regression as usize];
        (self.passed() - passed, self.total() - total)
    }

    pub fn lint_per_line(&self) -> f64 {
        float(self.lint) / float(self.lines)
    }
}

/// Writes the checkpoint below `problem`, the folder of its problem. Texts that may be long share what is due: half for failures,
/// a tenth each for the difference and the output of pytest, the rest for the agent's stream.
pub fn write(
    problem: &Path,
    model: &str,
    row: &Row,
    prose: &Prose,
    written: &mut Written,
) -> Result<()> {
    let folder = problem.join(row.name());
    for below in ["evaluation", "quality_analysis", "agent", "snapshot"] {
        fs::create_dir_all(folder.join(below))?;
    }
    let due = written.due(FILES);
    let mut random = Random::new(&[row.random.clone().next()]);
    let mut put = |name: &str, content: &[u8]| written.file(folder.join(name), content);
    put("evaluation.json", &serde_json::to_vec_pretty(&evaluation(row))?)?;
    let report = report(row, due / 2, prose, &mut random);
    put("evaluation/report.json", &serde_json::to_vec_pretty(&report)?)?;
    let mut output =
        "============================= test session starts ==============================\n"
            .to_owned();
    prose.append(&mut random, due / 10, &mut output);
    put("evaluation/stdout.txt", output.as_bytes())?;
    put("evaluation/stderr.txt", b"")?;
    put("diff.json", diff(row, due / 10, prose, &mut random).to_string().as_bytes())?;
    put("inference_result.json", &serde_json::to_vec_pretty(&inference(row))?)?;
    put("prompt.txt", prose.text(&mut random, 600).as_bytes())?;
    let order = row.order;
    let plan = format!(
        "env: {{}}\ninclude_prior_tests: true\nname: checkpoint_{order}\norder: {order}\nstate: Core Tests\ntimeout: 20.0\nversion: 1\n"
    );
    put("checkpoint.yaml", plan.as_bytes())?;
    put("quality_analysis/overall_quality.json", &serde_json::to_vec_pretty(&overall(row))?)?;
    let lines = row.lines;
    put(
        "quality_analysis/files.jsonl",
        format!("{{\"file_path\": \"main.py\", \"loc\": {lines}, \"total_lines\": {lines}}}\n")
            .as_bytes(),
    )?;
    put("quality_analysis/symbols.jsonl", symbols(row).as_bytes())?;
    put(
        "quality_analysis/ast_grep.jsonl",
        b"{\"rule_id\": \"bare-except\", \"severity\": \"warning\", \"category\": \"slop\", \"file_path\": \"main.py\", \"line\": 2, \"column\": 0, \"message\": \"Name the exception\"}\n",
    )?;
    let rest = written.due(1);
    let stream = stream(model, row, rest, prose, &mut random);
    written.file(folder.join("agent/stdout.jsonl"), stream.as_bytes())?;
    written.pruned(folder.join("snapshot/main.py"), b"print(1)\n")?;
    written.pruned(folder.join("snapshot/data.json"), b"{\"rows\": [1, 2, 3]}\n")
}

fn evaluation(row: &Row) -> Value {
    let mut tests = json!({});
    for test in &row.tests {
        let kind = KINDS[test.kind as usize].1;
        let bucket = &mut tests[format!("checkpoint_{}-{kind}", test.order)];
        if bucket.is_null() {
            *bucket = json!({"passed": [], "failed": [], "skipped": []});
        }
        if let Some(ids) = bucket[if test.passed { "passed" } else { "failed" }].as_array_mut() {
            ids.push(json!(test.id()));
        }
    }
    let (mut passed, mut total) = (json!({}), json!({}));
    for (kind, name) in KINDS {
        (passed[name], total[name]) =
            (json!(row.counts[kind as usize].0), json!(row.counts[kind as usize].1));
    }
    json!({
        "schema_version": 1, "problem_name": row.problem, "problem_version": 1, "checkpoint_name": row.name(),
        "checkpoint_version": 1, "duration": 4.5, "entrypoint": "uv run main.py", "tests": tests, "pass_counts": passed,
        "total_counts": total, "pytest_exit_code": u8::from(row.passed() < row.total()), "pytest_collected": row.total(),
        "test_collection_hash": null, "infrastructure_failure": false,
    })
}

/// pytest's own report; the failures share `bytes`.
fn report(row: &Row, bytes: usize, prose: &Prose, random: &mut Random) -> Value {
    let failed = row.total() - row.passed();
    let each = bytes / size(failed.max(1));
    let phase = |random: &mut Random, outcome: &str| json!({"duration": float(50 + random.below(900)) / 1e6, "outcome": outcome});
    let (mut tests, mut collected) = (Vec::new(), Vec::new());
    for (line, test) in (0_u64..).zip(&row.tests) {
        let (id, file) = (test.id(), format!("test_checkpoint_{}.py", test.order));
        let node = format!(".evaluation_tests/{file}::{id}");
        let outcome = if test.passed { "passed" } else { "failed" };
        let mut call = phase(random, outcome);
        if !test.passed {
            let path = format!(".evaluation_tests/{file}");
            call["crash"] = json!({"path": format!("/workspace/{path}"), "lineno": line + 3,
                                   "message": "AssertionError: assert 3 == 4"});
            call["traceback"] =
                json!([{"path": path, "lineno": line + 3, "message": "AssertionError"}]);
            let text = prose.text(random, each.saturating_sub(1_000));
            call["longrepr"] = json!(format!(
                "def {id}():\n    {text}\n>   assert got == 4\nE   AssertionError: assert 3 == 4\n\n{path}:{}: AssertionError",
                line + 3
            ));
        }
        collected.push(json!({"nodeid": node, "type": "Function", "lineno": line}));
        tests.push(json!({
            "nodeid": node, "lineno": line, "outcome": outcome,
            "keywords": [id, file, ".evaluation_tests", "workspace", ""],
            "setup": phase(random, "passed"), "call": call, "teardown": phase(random, "passed"),
        }));
    }
    let mut summary = json!({"passed": row.passed()});
    if failed > 0 {
        summary["failed"] = json!(failed);
    }
    (summary["total"], summary["collected"]) = (json!(row.total()), json!(row.total()));
    json!({
        "created": 1_768_470_000.5, "duration": 4.25, "exitcode": u8::from(failed > 0), "root": "/workspace", "environment": {},
        "summary": summary,
        "collectors": [{"nodeid": ".evaluation_tests", "outcome": "passed", "result": collected}],
        "tests": tests,
    })
}

fn diff(row: &Row, bytes: usize, prose: &Prose, random: &mut Random) -> Value {
    let text = prose.text(random, bytes);
    let created = row.order == 1;
    json!({
        "from_checksum": "0".repeat(32), "to_checksum": "1".repeat(32),
        "from_timestamp": row.started.to_string(), "to_timestamp": row.ended().to_string(),
        "file_diffs": {"main.py": {
            "path": "main.py", "change_type": if created { "created" } else { "modified" }, "is_binary": false,
            "diff_text": format!("--- a/main.py\n+++ b/main.py\n@@ -1 +1 @@\n-pass\n+{}\n", text.replace('\n', "\n+")),
            "lines_added": row.added, "lines_removed": row.removed, "old_size": null, "new_size": null,
        }},
    })
}

fn inference(row: &Row) -> Value {
    let [input, output, cache_read, cache_write, reasoning] = row.tokens;
    let tokens = json!({"cache_read": cache_read, "cache_write": cache_write, "input": input, "output": output,
                        "reasoning": reasoning});
    json!({
        "artifacts_dir": "agent", "checkpoint_path": format!("outputs/run/{}/{}", row.problem, row.name()),
        "completed": row.ended().to_string(), "elapsed": float(row.seconds), "error_message": null, "had_error": false,
        "snapshot_dir": "snapshot", "started": row.started.to_string(),
        "usage": {"cost": row.cost, "current_tokens": tokens, "net_tokens": tokens, "steps": row.steps},
    })
}

fn overall(row: &Row) -> Value {
    json!({
        "ast_grep": {"category_counts": {"slop": 3, "style": 1}, "category_weighted": {"slop": 6}, "counts": {"bare-except": 4},
                     "rules_checked": 60, "violation_lines": 6, "violations": 4, "weighted": 8},
        "classes": {"attribute_counts_mean": 0.0, "attribute_counts_sum": 0, "count": 2, "method_counts_mean": 2.0,
                    "method_counts_sum": 4},
        "complexity": {"cc_max": row.complexity, "cc_ratings": {"A": 14, "B": 1, "C": 1, "D": 0, "E": 0, "F": 0}, "cc_sum": 60,
                       "mi_min": 48.25, "mi_ratings": {"A": 2, "B": 0, "C": 0}, "mi_sum": 110.5, "num_complex": 1},
        "file_count": 2,
        "functions": {"cc_concentration": 0.41, "cc_extreme_count": 0, "cc_high_count": row.complex, "cc_max": row.complexity,
                      "cc_mean": 3.75, "cc_normalized": 0.03, "cc_std": 2.5, "cc_sum": 60, "cc_top20": 0.6, "count": 16,
                      "depth_max": 4, "extreme_cc_mean": 0.0, "high_cc_mean": 14.0, "lines_mean": 8.75, "lines_sum": 140},
        "graph": {"cyclic_dependency_mass": 0.0, "dependency_entropy": 0.31, "edge_count": 2, "node_count": 3,
                  "propagation_cost": 0.2},
        "lines": {"comments": 12, "loc": row.lines, "multi_comment": 3, "single_comment": 9, "total_lines": row.lines},
        "lint": {"counts": {"E501": row.lint}, "errors": row.lint, "fixable": 5},
        "redundancy": {"clone_lines": 14, "clone_ratio_sum": 0.09, "cloned_sloc_lines": 11, "files_with_clones": 1},
        "source_files": null,
        "symbols": {"classes": 2, "expressions": 120, "expressions_top_level": 30, "functions": 12, "globals": 1, "imports": 9,
                    "max_imports": 6, "methods": 4, "statements": 90, "total": 20, "type_aliases": 0, "variables": 2},
        "verbosity_flagged_sloc_lines": 17,
        "waste": {"single_use_functions": 5, "trivial_wrappers": 1, "unused_variables": 3},
    })
}

fn symbols(row: &Row) -> String {
    let mut text = String::new();
    for at in 0..row.lines.div_ceil(FUNCTION_LINES) {
        let start = 1 + at * FUNCTION_LINES;
        let symbol = json!({
            "name": format!("step_{at}"), "type": "function", "start": start, "start_col": 0, "end": start + FUNCTION_LINES - 1,
            "end_col": 4, "complexity": 3, "branches": 2, "statements": 20, "expressions_top_level": 4, "expressions_total": 30,
            "control_blocks": 2, "control_flow": 1, "exception_scaffold": 0, "comparisons": 2, "max_nesting_depth": 2,
            "lines": FUNCTION_LINES, "sloc": FUNCTION_LINES, "method_count": null, "attribute_count": null, "rating": "A",
            "file_path": "main.py",
        });
        text.push_str(&symbol.to_string());
        text.push('\n');
    }
    text
}

/// The agent's events: calls of tools with what they return, until `bytes` are there.
fn stream(model: &str, row: &Row, bytes: usize, prose: &Prose, random: &mut Random) -> String {
    let [input, output, cache_read, cache_write, _] = row.tokens;
    let usage = json!({"input_tokens": input, "output_tokens": output, "cache_read_input_tokens": cache_read,
                       "cache_creation_input_tokens": cache_write});
    let none = json!({"input_tokens": 0, "output_tokens": 0, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0});
    let mut text = String::new();
    let say = |text: &mut String, event: &Value| {
        text.push_str(&event.to_string());
        text.push('\n');
    };
    say(
        &mut text,
        &json!({"type": "system", "subtype": "init", "model": model, "cwd": "/workspace", "tools": ["Bash", "Edit", "Write"],
                "session_id": "s-1"}),
    );
    let mut turn = 0;
    while turn == 0 || text.len() + 2_000 < bytes {
        let (message, call) = (format!("m{turn}"), format!("t{turn}"));
        let thought = size(100 + random.below(800));
        let answer = size(200 + random.below(4_000)).min(bytes.saturating_sub(text.len()));
        let content = json!([{"type": "text", "text": prose.text(random, thought)},
                             {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": "ls tests"}}]);
        say(
            &mut text,
            &json!({"type": "assistant", "message": {"id": message, "role": "assistant", "model": model, "content": content,
                    "usage": if turn == 0 { &usage } else { &none }}, "parent_tool_use_id": null, "session_id": "s-1"}),
        );
        let content = json!([{"type": "tool_result", "tool_use_id": call, "content": prose.text(random, answer), "is_error": false}]);
        say(
            &mut text,
            &json!({"type": "user", "message": {"role": "user", "content": content}, "parent_tool_use_id": null,
                    "session_id": "s-1"}),
        );
        turn += 1;
    }
    say(
        &mut text,
        &json!({"type": "result", "subtype": "success", "is_error": false, "duration_ms": row.seconds * 1_000,
                "num_turns": row.steps, "result": "Done.", "total_cost_usd": row.cost, "usage": usage,
                "modelUsage": {model: {"inputTokens": input, "costUSD": row.cost}}, "session_id": "s-1"}),
    );
    text
}
