//! Which file of letta-evals a file is, by content.

use crate::input::json::Cursor;
use crate::input::{Form, InputFile, Outline, Shape, ValueKind, yaml};
use crate::readers::Claim;
use memchr::memmem;

/// Roles of files.
pub mod role {
    /// `header.json` (0.3 – 0.16, guide).
    pub const HEADER: &str = "header";
    /// `summary.json` of one run (0.3 – 0.16, guide).
    pub const SUMMARY: &str = "summary";
    /// `aggregate_stats.json` (0.4 – 0.16, guide).
    pub const AGGREGATE: &str = "aggregate";
    /// `results.jsonl` (0.3 – 0.16), or header, rows and summary in one file (0.2).
    pub const ROWS: &str = "rows";
    /// `results.jsonl` as the guide describes it.
    pub const GUIDE_ROWS: &str = "guide rows";
    /// `suite.json` (0.17 and later).
    pub const SUITE: &str = "suite";
    /// `summary.json` over all models (0.17 and later).
    pub const MODELS_SUMMARY: &str = "models summary";
    /// `<model>/summary.json` (0.17 and later).
    pub const MODEL_SUMMARY: &str = "model summary";
    /// `<model>.jsonl`, `<model>/run_N.jsonl` (0.17 and later).
    pub const MODEL_ROWS: &str = "model rows";
    /// A dumped `RunnerResult` of 0.1 – 0.16.
    pub const DUMP: &str = "dump";
    /// A dumped `RunnerResult` of 0.17 and later.
    pub const SUITE_DUMP: &str = "suite dump";
    /// `suite.yaml`, as the user wrote it.
    pub const SUITE_YAML: &str = "suite as written";
    /// `run.log`.
    pub const LOG: &str = "log";
    /// A `.jsonl` without a byte: a run that had not begun, or a configuration beside its model.
    pub const EMPTY: &str = "empty";
}

/// Longest text that is read to recognise a file.
const MAX_TEXT: u64 = 4 << 10;

/// Recognises `file`.
pub fn sniff(file: &InputFile, shape: &Shape) -> Option<Claim> {
    match shape.form {
        Form::Empty | Form::Parquet => None,
        Form::Document | Form::Lines if shape.record().kind == Some(ValueKind::Object) => {
            object(file, shape).or_else(|| later_line(shape))
        }
        _ => log(shape).or_else(|| suite_yaml(shape)).or_else(|| later_line(shape)),
    }
}

fn claim(role: &'static str, generation: Option<&'static str>, why: &'static str) -> Option<Claim> {
    Some(Claim { role, generation, why })
}

fn object(file: &InputFile, shape: &Shape) -> Option<Claim> {
    use ValueKind::{Object, Text};
    let outline = shape.record();
    let is_lines = shape.is_several();
    if outline.has("type", Text) {
        match text_member(file, shape, "type").as_deref() {
            Some("header") if outline.has("config", Object) => {
                return if is_lines {
                    claim(role::ROWS, Some("A"), "lines of type header, result and summary")
                } else {
                    claim(role::HEADER, None, "type header with a config")
                };
            }
            Some("summary") if outline.has("metrics", Object) => {
                return claim(role::SUMMARY, None, "type summary with metrics");
            }
            Some("result") if outline.has("result", Object) => {
                return claim(role::ROWS, None, "lines of type result");
            }
            _ => {}
        }
    }
    if outline.has("sample_id", Text) || outline.has("sample_id", ValueKind::Number) {
        let is_row = ["grades", "submissions", "trajectory", "timing"]
            .iter()
            .any(|key| outline.member(key).is_some());
        if is_row {
            return claim(role::MODEL_ROWS, None, "lines with sample_id, grades and timing");
        }
    }
    if outline.has("sample", Object)
        && (outline.member("grade").is_some() || outline.has("grades", Object))
    {
        return claim(role::GUIDE_ROWS, None, "rows with sample and grade or grades");
    }
    if is_lines { None } else { document(outline) }
}

/// A document that is no header, summary or row by its type.
fn document(outline: &Outline) -> Option<Claim> {
    use ValueKind::{Array, Bool, Number, Object, Text};
    let has = |key: &str, kind: ValueKind| outline.has(key, kind);
    if has("suite_name", Text) && has("timestamp", Text) && has("version", Text) {
        return claim(role::HEADER, Some("guide"), "suite_name, timestamp and version");
    }
    if has("num_runs", Number) {
        if has("individual_run_metrics", Array) {
            return claim(role::AGGREGATE, None, "num_runs and individual_run_metrics");
        }
        if has("avg_score_attempted", Object) || has("per_metric", Object) {
            let why = "num_runs and figures with mean, std, min and max";
            return claim(role::AGGREGATE, Some("guide"), why);
        }
    }
    if has("suite_spec", Object) && (has("samples", Array) || has("runs", Object)) {
        return claim(role::SUITE_DUMP, None, "suite_spec, samples and runs of a RunnerResult");
    }
    if has("suite", Text) {
        if has("config", Object) && has("results", Array) {
            return claim(role::DUMP, None, "suite, config, results and metrics of a RunnerResult");
        }
        if has("config", Object) && has("samples", Array) {
            return claim(role::SUITE, None, "suite, config and samples");
        }
        if has("models", Array) {
            return claim(role::MODELS_SUMMARY, None, "suite and models");
        }
        if has("metrics", Object) && has("gates_passed", Bool) {
            return claim(role::SUMMARY, Some("guide"), "suite, metrics and gates_passed");
        }
    }
    if has("model", Text) && has("runs", Array) && has("n_total", Number) {
        return claim(role::MODEL_SUMMARY, None, "model, runs and n_total");
    }
    None
}

/// An empty file says nothing of itself, so its name has to: only the line files that letta-evals
/// leaves empty are taken.
pub(super) fn empty(file: &InputFile) -> Option<Claim> {
    let name = file.name();
    if name == "run.log" {
        return claim(role::LOG, None, "an empty run.log");
    }
    name.ends_with(".jsonl").then(|| claim(role::EMPTY, None, "an empty .jsonl file")).flatten()
}

/// The keys that every suite has to have, and one of those that say how it is judged.
fn suite_yaml(shape: &Shape) -> Option<Claim> {
    if shape.form != Form::Text {
        return None;
    }
    let text = String::from_utf8_lossy(&shape.head);
    let keys = yaml::top_keys(&text);
    let has = |key: &str| keys.contains(&key);
    let is_suite = has("name") && has("dataset") && has("target");
    let is_judged = ["graders", "gate", "reward"].into_iter().any(has);
    (is_suite && is_judged)
        .then(|| claim(role::SUITE_YAML, None, "name, dataset, target and graders, gate or reward"))
        .flatten()
}

/// Lines as Python's logging writes them, of letta-evals' own loggers.
fn log(shape: &Shape) -> Option<Claim> {
    let is_ours = shape.head.split(|&byte| byte == b'\n').take(64).any(|line| {
        is_log_start(line)
            && line
                .split(|&byte| byte == b' ')
                .nth(3)
                .is_some_and(|logger| logger.starts_with(b"letta_evals"))
    });
    is_ours.then(|| claim(role::LOG, None, "log lines of letta_evals")).flatten()
}

/// `2026-11-21 20:21:55,944 ERROR …`
fn is_log_start(line: &[u8]) -> bool {
    let pattern = b"0000-00-00 00:00:00,000 ";
    line.len() > pattern.len()
        && pattern.iter().zip(line).all(|(want, byte)| match want {
            b'0' => byte.is_ascii_digit(),
            _ => want == byte,
        })
}

/// Rows behind a first line that cannot be used.
fn later_line(shape: &Shape) -> Option<Claim> {
    // Most lines are those of other programs, which have none of these words.
    let is_in_head = |key: &str| memmem::find(&shape.head, key.as_bytes()).is_some();
    if !["\"result\"", "\"sample\"", "\"sample_id\""].into_iter().any(is_in_head) {
        return None;
    }
    shape.head.split(|&byte| byte == b'\n').skip(1).find_map(|line| {
        let mut keys: Vec<String> = Vec::new();
        let (mut kind, mut has_result) = (None, false);
        // The head may end inside a line: what was read before is enough.
        let _ = Cursor::new(line).each_field(|key, cursor| {
            keys.push(key.to_owned());
            match key {
                "type" => kind = cursor.text()?.map(|text| text.into_owned()),
                // Streams of other programs end with a line of this type, whose result is a text.
                "result" => {
                    has_result = cursor.kind()? == ValueKind::Object;
                    cursor.skip()?;
                }
                _ => return cursor.skip().map(drop),
            }
            Ok(())
        });
        let has = |key: &str| keys.iter().any(|known| known == key);
        let why = "a later line, behind one that cannot be used";
        if kind.as_deref() == Some("result") && has_result {
            claim(role::ROWS, None, why)
        } else if has("sample_id") && (has("grades") || has("trajectory")) {
            claim(role::MODEL_ROWS, None, why)
        } else if has("sample") && (has("grade") || has("grades")) {
            claim(role::GUIDE_ROWS, None, why)
        } else {
            None
        }
    })
}

/// The short text that the member `key` holds.
pub fn text_member(file: &InputFile, shape: &Shape, key: &str) -> Option<String> {
    let member = shape.record().member(key)?;
    if member.kind != ValueKind::Text || member.span.end - member.span.start > MAX_TEXT {
        return None;
    }
    let bytes = file.bytes(member.span.clone()).ok()?;
    Some(Cursor::new(&bytes).text().ok()??.into_owned())
}
