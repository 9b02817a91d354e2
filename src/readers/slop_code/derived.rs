//! Rows of figures for a run directory without `checkpoint_results.jsonl`.
//!
//! The same members as the original's, as far as evaluations, inference results and the analysis of
//! the code give them, in the generation's own words (`formats/slop-code.md` §5).

use super::checkpoint::Built;
use super::declared::{KINDS, recorded};
use super::run_files::RunFiles;
use crate::model::{Kind, Outcome};
use serde_json::{Map, Value};

/// One row for each checkpoint, in order.
pub(super) fn rows(builts: &[Built], files: &RunFiles) -> Vec<Map<String, Value>> {
    let own = builts.iter().filter(|built| built.is_evaluated && !built.is_again());
    let builts: Vec<&Built> = own.collect();
    let suite = |at: Option<usize>| at.and_then(|at| builts.get(at)?.run.key.suite.as_deref());
    let mut idx = 0;
    let mut rows = Vec::new();
    for (at, built) in builts.iter().enumerate() {
        let own = suite(Some(at));
        let is_first = suite(at.checked_sub(1)) != own;
        let is_last = suite(Some(at + 1)) != own;
        idx = if is_first { 1 } else { idx + 1 };
        let mut row = Map::new();
        row.insert("problem".to_owned(), Value::from(own));
        row.insert("version".to_owned(), built.version.map_or(Value::Null, whole));
        row.insert("checkpoint".to_owned(), Value::from(built.run.key.variant.as_deref()));
        row.insert("idx".to_owned(), Value::from(idx));
        row.insert("state".to_owned(), Value::from("ran"));
        row.insert("is_first".to_owned(), Value::from(is_first));
        row.insert("is_last".to_owned(), Value::from(is_last));
        figures(built, &mut row);
        if let Some(inference) = files.inferences.in_folder(&built.folder) {
            costs(&inference.value, is_new(built), &mut row);
        }
        for (name, value) in recorded(&files.quality.of(&built.folder), is_new(built)) {
            row.insert(name.to_owned(), whole(value));
        }
        if let Some(churn) = rows.last().filter(|_| !is_first).and_then(|was| churn(was, &row)) {
            row.insert("delta.churn_ratio".to_owned(), churn);
        }
        rows.push(row);
    }
    rows
}

/// Lines added and removed over the lines that were; of nothing 0 or infinite.
fn churn(was: &Map<String, Value>, is: &Map<String, Value>) -> Option<Value> {
    let number = |row: &Map<String, Value>, name: &str| row.get(name)?.as_f64();
    let changed = number(is, "lines_added")? + number(is, "lines_removed")?;
    let lines = number(was, "total_lines")?;
    let ratio = match (lines > 0.0, changed > 0.0) {
        (true, _) => changed / lines,
        (false, true) => f64::INFINITY,
        (false, false) => 0.0,
    };
    Some(crate::input::json::value_from_f64(ratio))
}

/// Whether rows of its generation have the newer words.
fn is_new(built: &Built) -> bool {
    built.generation == "G2d"
}

/// A whole number as one.
#[expect(clippy::cast_possible_truncation, reason = "checked to be whole and small")]
fn whole(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        Value::from(number as i64)
    } else {
        crate::input::json::value_from_f64(number)
    }
}

fn rate(passed: u32, total: u32) -> Value {
    if total == 0 { Value::from(0.0) } else { Value::from(f64::from(passed) / f64::from(total)) }
}

fn figures(built: &Built, row: &mut Map<String, Value>) {
    let cases = &built.run.cases;
    let (kind, outcome) = (cases.kind.meanings(Kind::from_text), cases.outcomes());
    let count = |is_counted: &dyn Fn(Option<Kind>) -> bool| {
        let counted = (0..cases.len()).filter(|&idx| is_counted(kind(idx).flatten()));
        counted.fold((0, 0), |(passed, total), idx| {
            (passed + u32::from(outcome(idx) == Outcome::Passed), total + 1)
        })
    };
    let all = count(&|_| true);
    let isolated = count(&|kind| kind != Some(Kind::Regression));
    let core = count(&|kind| kind == Some(Kind::Core));
    let (all_name, isolated_name) = match built.generation {
        "G2d" => ("strict_pass_rate", "isolated_pass_rate"),
        _ => ("pass_rate", "checkpoint_pass_rate"),
    };
    row.insert(all_name.to_owned(), rate(all.0, all.1));
    row.insert("core_pass_rate".to_owned(), rate(core.0, core.1));
    row.insert(isolated_name.to_owned(), rate(isolated.0, isolated.1));
    if let Some(secs) = built.run.duration_secs.filter(|_| built.generation != "G2d") {
        row.insert("duration".to_owned(), crate::input::json::value_from_f64(secs));
    }
    row.insert("total_tests".to_owned(), Value::from(all.1));
    row.insert("passed_tests".to_owned(), Value::from(all.0));
    for (kind, name) in KINDS {
        let (passed, total) = count(&|own| own == Some(kind));
        row.insert(format!("{name}_total"), Value::from(total));
        row.insert(format!("{name}_passed"), Value::from(passed));
    }
}

fn costs(inference: &Value, is_new: bool, row: &mut Map<String, Value>) {
    let mut copy = |name: &str, pointer: &str| {
        if let Some(value) = inference.pointer(pointer).filter(|value| !value.is_null()) {
            row.insert(name.to_owned(), value.clone());
        }
    };
    copy("started", "/started");
    copy("ended", "/completed");
    copy(if is_new { "duration" } else { "elapsed" }, "/elapsed");
    copy("cost", "/usage/cost");
    copy("steps", "/usage/steps");
    for name in ["cache_read", "cache_write", "input", "output", "reasoning"] {
        copy(name, &format!("/usage/net_tokens/{name}"));
    }
}
