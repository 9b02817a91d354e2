//! A line of `checkpoint_results.jsonl` against its checkpoint's files and the line before it.
//!
//! Producer's definition: `metrics/checkpoint` of 6b31994 – v1.0 (`extractors.py`, `delta.py`).

use super::{DeclaredDocument, FigureSheet, KINDS, count, quality, seconds_between};
use crate::input::json::f64_from_value;
use crate::model::{DeclaredValue, Figure, Kind, Known, Outcome, Scope};
use crate::readers::slop_code::checkpoint::Built;
use crate::readers::slop_code::run_files::{CheckpointQuality, Document};
use crate::readers::unchecked_claims::Part;
use serde_json::{Map, Value};
use std::rc::Rc;

const EMPTY_IS_ZERO: &str = "the original writes 0 where there is no case to count";
const PASSED_KINDS_ONLY: &str =
    "the original adds up only kinds that have a passed case; kinds without one are left out";
const INFERENCE: &str = "inference_result.json";
const DEFINITION: &str = "order in problem.yaml or checkpoint.yaml";
const NO_FOLDER: &str = "the folder of this checkpoint is not among the files";
const REPEATED: &str = "a later line about the same checkpoint counts";

/// What a row is compared with.
pub(in crate::readers::slop_code) struct RowOf<'a> {
    /// Its run.
    pub(in crate::readers::slop_code) built: &'a Built,
    /// Number of the run.
    pub(in crate::readers::slop_code) at: usize,
    /// The line before it, when that is about the checkpoint before.
    pub(in crate::readers::slop_code) before: Option<&'a Map<String, Value>>,
    /// `inference_result.json` of the checkpoint.
    pub(in crate::readers::slop_code) inference: Option<&'a Document>,
    /// Code quality of the checkpoint.
    pub(in crate::readers::slop_code) quality: CheckpointQuality<'a>,
    /// What the run info says came of it.
    pub(in crate::readers::slop_code) state: Option<&'a str>,
    /// Its number in the definition of its problem, and whether that is the last one.
    pub(in crate::readers::slop_code) order: Option<(f64, Option<bool>)>,
}

/// Everything that a row of the file at `path` states.
pub(in crate::readers::slop_code) fn row(
    sheet: &mut FigureSheet,
    path: &Rc<str>,
    row: &Map<String, Value>,
    of: &RowOf<'_>,
) {
    let mut page = DeclaredDocument::new(sheet, path, "checkpoint_results.", Scope::Run(of.at));
    counts(&mut page, row, of.built);
    place(&mut page, row, of);
    agent(&mut page, row, of);
    quality::put(&mut page, row, &of.quality);
    if let Some(before) = of.before {
        deltas(&mut page, row, before);
    }
    const NO_BEFORE: &str = "the line of the checkpoint before is not among the files";
    page.rest(&Value::Object(row.clone()), &|name| match quality::part(name) {
        Part::Open if name.starts_with("delta.") && of.before.is_none() => {
            Part::Unchecked(NO_BEFORE)
        }
        part => part,
    });
}

/// Lists a row that no run can be compared with. `is_repeated`: a later one counts.
pub(in crate::readers::slop_code) fn orphan(
    sheet: &mut FigureSheet,
    path: &Rc<str>,
    row: &Map<String, Value>,
    is_repeated: bool,
) {
    let page = DeclaredDocument::new(sheet, path, "checkpoint_results.", Scope::Evaluation);
    let why = if is_repeated { REPEATED } else { NO_FOLDER };
    page.rest(&Value::Object(row.clone()), &|name| match name {
        "" => Part::Unchecked(why),
        _ => Part::Open,
    });
}

fn number(row: &Map<String, Value>, name: &str) -> Option<f64> {
    row.get(name).and_then(f64_from_value)
}

/// Passed and all cases of some kinds.
#[derive(Clone, Copy, Default)]
struct KindTally {
    passed: u32,
    total: u32,
}

impl KindTally {
    fn rate(self) -> DeclaredValue {
        let rate = f64::from(self.passed) / f64::from(self.total);
        DeclaredValue::Number(if self.total == 0 { 0.0 } else { rate })
    }
}

/// The tally of the cases whose kind counts. `is_odd`: as the original adds up, without kinds of
/// which no case passed.
fn tally(built: &Built, is_odd: bool, counts: impl Fn(Option<Kind>) -> bool) -> KindTally {
    let cases = &built.run.cases;
    let mut by_kind: Vec<(Option<Kind>, KindTally)> = Vec::new();
    for idx in 0..cases.len() {
        let kind = cases.kind_of(idx);
        if !counts(kind) {
            continue;
        }
        let at = by_kind.iter().position(|(known, _)| *known == kind).unwrap_or_else(|| {
            by_kind.push((kind, KindTally::default()));
            by_kind.len() - 1
        });
        if let Some((_, tally)) = by_kind.get_mut(at) {
            tally.total += 1;
            tally.passed += u32::from(cases.outcome_of(idx) == Outcome::Passed);
        }
    }
    let counted = by_kind.iter().filter(|(_, tally)| !is_odd || tally.passed > 0);
    counted.fold(KindTally::default(), |sum, (_, tally)| KindTally {
        passed: sum.passed + tally.passed,
        total: sum.total + tally.total,
    })
}

/// Counts and rates of cases.
fn counts(page: &mut DeclaredDocument<'_>, row: &Map<String, Value>, built: &Built) {
    let is_old_pytest = matches!(built.generation, "G2a" | "G2b" | "G2c");
    let mut put = |name: &str, figure: Figure, known: Option<Known>| {
        if let Some(stated) = number(row, name) {
            page.put(name, DeclaredValue::Number(stated), figure, known);
        }
    };
    // Sums differ where a kind has no passed case; that shows in what the original's own rule gives.
    let of_total = |counts: &dyn Fn(Option<Kind>) -> bool| {
        let original = Some(count(tally(built, true, counts).total.into()));
        is_old_pytest.then_some(Known { why: PASSED_KINDS_ONLY.into(), original })
    };
    let of_rate = |counts: &dyn Fn(Option<Kind>) -> bool| {
        let is_empty = tally(built, false, counts).total == 0;
        let why = if is_empty { EMPTY_IS_ZERO } else { PASSED_KINDS_ONLY };
        let original = Some(tally(built, is_old_pytest, counts).rate());
        (is_empty || is_old_pytest).then_some(Known { why: why.into(), original })
    };
    put("total_tests", Figure::Total, of_total(&|_| true));
    put("passed_tests", Figure::Passed, None);
    for (kind, name) in KINDS {
        let is_own = move |own: Option<Kind>| own == Some(kind);
        put(&format!("{name}_total"), Figure::KindTotal(kind), of_total(&is_own));
        put(&format!("{name}_passed"), Figure::KindPassed(kind), None);
    }
    for name in ["pass_rate", "strict_pass_rate"] {
        put(name, Figure::StrictPassRate, of_rate(&|_| true));
    }
    let is_isolated = |kind: Option<Kind>| kind != Some(Kind::Regression);
    for name in ["checkpoint_pass_rate", "isolated_pass_rate"] {
        put(name, Figure::IsolatedPassRate, of_rate(&is_isolated));
    }
    let is_core = |kind: Option<Kind>| kind == Some(Kind::Core);
    put("core_pass_rate", Figure::KindPassRate(Kind::Core), of_rate(&is_core));
}

/// Which checkpoint it is, and what came of it.
fn place(page: &mut DeclaredDocument<'_>, row: &Map<String, Value>, of: &RowOf<'_>) {
    if let Some(version) = number(row, "version") {
        let there = of.built.version.map(DeclaredValue::Number);
        let at = "problem_version of evaluation.json";
        page.found("version", DeclaredValue::Number(version), there, at);
    }
    if let Some(idx) = number(row, "idx") {
        let there = of.order.map(|(order, _)| DeclaredValue::Number(order));
        page.found("idx", DeclaredValue::Number(idx), there, DEFINITION);
    }
    let flag = |name: &str| row.get(name).and_then(Value::as_bool);
    if let Some(is_first) = flag("is_first") {
        let there = of.order.map(|(order, _)| DeclaredValue::Bool(order == 1.0));
        page.found("is_first", DeclaredValue::Bool(is_first), there, DEFINITION);
    }
    if let Some(is_last) = flag("is_last") {
        let there = of.order.and_then(|(_, is_last)| is_last).map(DeclaredValue::Bool);
        page.found("is_last", DeclaredValue::Bool(is_last), there, DEFINITION);
    }
    if let (Some(state), Some(there)) = (row.get("state").and_then(Value::as_str), of.state) {
        let there = Some(DeclaredValue::Text(there.to_owned()));
        let at = "summary.checkpoints of run_info.yaml";
        page.found("state", DeclaredValue::Text(state.to_owned()), there, at);
    }
}

/// Cost, tokens, steps and seconds.
fn agent(page: &mut DeclaredDocument<'_>, row: &Map<String, Value>, of: &RowOf<'_>) {
    const COPIED: [(&str, &str); 7] = [
        ("cost", "/usage/cost"),
        ("steps", "/usage/steps"),
        ("input", "/usage/net_tokens/input"),
        ("output", "/usage/net_tokens/output"),
        ("cache_read", "/usage/net_tokens/cache_read"),
        ("cache_write", "/usage/net_tokens/cache_write"),
        ("reasoning", "/usage/net_tokens/reasoning"),
    ];
    let inference = of.inference.map(|document| &document.value);
    for (name, pointer) in COPIED {
        if let Some(stated) = number(row, name) {
            let there = inference.and_then(|value| value.pointer(pointer)).and_then(f64_from_value);
            let there = there.map(DeclaredValue::Number);
            page.found(name, DeclaredValue::Number(stated), there, INFERENCE);
        }
    }
    let elapsed = || {
        let result = inference?;
        let own = result.get("elapsed").and_then(f64_from_value);
        own.or_else(|| seconds_between(result.get("started"), result.get("completed")))
    };
    if let Some(secs) = number(row, "elapsed") {
        page.seconds("elapsed", secs, elapsed(), INFERENCE);
    }
    if let Some(secs) = number(row, "duration") {
        // The word changed its meaning with v0.3: seconds of the evaluation, then of the agent.
        let (there, at) = match row.contains_key("strict_pass_rate") {
            true => (elapsed().map(DeclaredValue::Number), INFERENCE),
            false => {
                let there = of.built.run.duration_secs.map(DeclaredValue::Number);
                (there, "duration of evaluation.json")
            }
        };
        page.found("duration", DeclaredValue::Number(secs), there, at);
    }
}

/// Changes since the checkpoint before, in percent.
fn deltas(page: &mut DeclaredDocument<'_>, row: &Map<String, Value>, before: &Map<String, Value>) {
    const KEYS: [&str; 5] =
        ["loc", "lint_errors", "ast_grep_violations", "cc_high_count", "comparisons"];
    const AT: &str = "the lines of this checkpoint and the one before";
    let of_nothing = |now: f64| if now == 0.0 { 0.0 } else { f64::INFINITY };
    let mut put = |name: &str, value: Option<f64>| {
        if let Some(stated) = number(row, name) {
            let value = value.map(DeclaredValue::Number);
            page.found(name, DeclaredValue::Number(stated), value, AT);
        }
    };
    for key in KEYS {
        let of = |row: &Map<String, Value>| number(row, key).unwrap_or(0.0);
        let (then, now) = (of(before), of(row));
        let delta = if then > 0.0 { (now - then) / then * 100.0 } else { of_nothing(now) };
        put(&format!("delta.{key}"), Some(delta));
    }
    let churn = number(row, "lines_added").zip(number(row, "lines_removed"));
    let ratio = churn.zip(number(before, "total_lines")).map(|((added, removed), lines)| {
        let churn = added + removed;
        if lines > 0.0 { churn / lines } else { of_nothing(churn) }
    });
    put("delta.churn_ratio", ratio);
    let flags = number(row, "rubric_total_flags").zip(number(row, "rubric_carried_over"));
    let new_flags = flags.zip(number(row, "loc")).map(|((all, old), loc)| (all - old) / loc);
    put("delta.new_violations_per_loc", new_flags);
}
