//! Code quality: rows against `quality_analysis/` and `diff.json`.
//!
//! Producer's definition: `metrics/checkpoint/extractors.py` of 6b31994 – v1.0. Rows copy members of
//! `overall_quality.json`; sums over functions come from `symbols.jsonl`, changed lines from
//! `diff.json` for the files that `files.jsonl` names. The measures themselves cannot be checked:
//! the code is not among the files.

use super::{DeclaredDocument, FigureSheet};
use crate::input::json::f64_from_value;
use crate::model::{DeclaredValue, Scope};
use crate::readers::slop_code::run_files::{CheckpointQuality, Document};
use crate::readers::unchecked_claims::Part;
use serde_json::{Map, Value};

const OVERALL: &str = "overall_quality.json";
const SAME_ROW: &str = "other fields of the same row";
const MEASURED: &str = "measured on the code, which is not among the files";

/// Fields of a row with their place in `overall_quality.json`.
const COPIED: [(&str, &str); 32] = [
    ("single_comments", "/lines/single_comment"),
    ("total_lines", "/lines/total_lines"),
    ("lint_errors", "/lint/errors"),
    ("lint_fixable", "/lint/fixable"),
    ("files", "/file_count"),
    ("functions", "/symbols/functions"),
    ("methods", "/symbols/methods"),
    ("classes", "/symbols/classes"),
    ("statements", "/symbols/statements"),
    ("symbols_total", "/symbols/total"),
    ("cc_max", "/functions/cc_max"),
    ("cc_mean", "/functions/cc_mean"),
    ("cc_std", "/functions/cc_std"),
    ("cc_high_count", "/functions/cc_high_count"),
    ("cc_extreme_count", "/functions/cc_extreme_count"),
    ("high_cc_mean", "/functions/high_cc_mean"),
    ("cc_normalized", "/functions/cc_normalized"),
    ("cc_concentration", "/functions/cc_concentration"),
    ("cc_top20", "/functions/cc_top20"),
    ("max_nesting_depth", "/functions/depth_max"),
    ("lines_per_symbol", "/functions/lines_mean"),
    ("single_use_functions", "/waste/single_use_functions"),
    ("trivial_wrappers", "/waste/trivial_wrappers"),
    ("single_method_classes", "/waste/single_method_classes"),
    ("unused_variables", "/waste/unused_variables"),
    ("clone_instances", "/redundancy/clone_instances"),
    ("clone_lines", "/redundancy/clone_lines"),
    ("ast_grep_violations", "/ast_grep/violations"),
    ("source_file_count", "/source_file_count"),
    ("graph_cyclic_dependency_mass", "/graph/cyclic_dependency_mass"),
    ("graph_propagation_cost", "/graph/propagation_cost"),
    ("graph_dependency_entropy", "/graph/dependency_entropy"),
];

/// Members of `functions` that rows have by the same name; 0 where an older analysis lacks them.
const DISTRIBUTIONS: [&str; 11] = [
    "nesting_mean",
    "nesting_concentration",
    "comparisons_mean",
    "comparisons_concentration",
    "branches_mean",
    "branches_concentration",
    "control_mean",
    "control_concentration",
    "lines_concentration",
    "statements_mean",
    "statements_concentration",
];

/// Fields that scb-check measures where the producer runs it (after v1.0), else the analysis.
const SCB: [&str; 6] = [
    "cloned_sloc_lines",
    "cloned_pct",
    "verbosity_flagged_sloc_lines",
    "verbosity_flagged_pct",
    "verbosity",
    "erosion",
];

/// States the figures of `row` about code quality. `quality`: the analysis of its checkpoint.
pub(super) fn put(
    page: &mut DeclaredDocument<'_>,
    row: &Map<String, Value>,
    quality: &CheckpointQuality<'_>,
) {
    let is_new = row.contains_key("strict_pass_rate");
    let has_scb = row.contains_key("verbosity") || row.contains_key("scb_check_version");
    let own = |name: &str| row.get(name).and_then(f64_from_value);
    let there = |pointer: &str| quality.overall?.value.pointer(pointer).and_then(f64_from_value);
    let share = |part: Option<f64>, whole: Option<f64>| {
        let whole = whole.filter(|whole| *whole > 0.0)?;
        Some(part? / whole)
    };
    for (name, stated) in row {
        let Some(stated) = f64_from_value(stated) else { continue };
        if has_scb && SCB.contains(&name.as_str()) {
            continue;
        }
        let (value, at) = match name.as_str() {
            "loc" if is_new => (there("/lines/total_lines"), OVERALL),
            "loc" | "sloc" => (there("/lines/loc"), OVERALL),
            "cloned_sloc_lines" => (there("/redundancy/cloned_sloc_lines"), OVERALL),
            "verbosity_flagged_sloc_lines" => (there("/verbosity_flagged_sloc_lines"), OVERALL),
            "violation_pct" => {
                (share(there("/ast_grep/violation_lines"), there("/lines/total_lines")), OVERALL)
            }
            "lint_per_loc" => (share(own("lint_errors"), own("loc")), SAME_ROW),
            "ast_grep_per_loc" => (share(own("ast_grep_violations"), own("loc")), SAME_ROW),
            "rubric_per_loc" => (share(own("rubric_total_flags"), own("loc")), SAME_ROW),
            "cloned_pct" => (share(own("cloned_sloc_lines"), own("loc")), SAME_ROW),
            "verbosity_flagged_pct" => {
                (share(own("verbosity_flagged_sloc_lines"), own("loc")), SAME_ROW)
            }
            "mean_func_loc" => (quality.symbols.map(|sums| sums.mean_lines()), "symbols.jsonl"),
            "comparisons" => (quality.symbols.map(|sums| sums.comparisons), "symbols.jsonl"),
            "try_scaffold" => (quality.symbols.map(|sums| sums.try_scaffold), "symbols.jsonl"),
            "lines_added" | "lines_removed" if quality.is_diff_empty && stated != 0.0 => {
                (None, "diff.json is empty")
            }
            "lines_added" => (quality.changed.map(|(added, _)| added), "diff.json"),
            "lines_removed" => (quality.changed.map(|(_, removed)| removed), "diff.json"),
            name => match copied(name, quality) {
                Some(found) => (found, OVERALL),
                None => continue,
            },
        };
        page.found(name, DeclaredValue::Number(stated), value.map(DeclaredValue::Number), at);
    }
}

/// The figures of a row that the analysis of its checkpoint gives, by their names there. Those that
/// follow from the checkpoint before are left out.
pub(in crate::readers::slop_code) fn recorded(
    quality: &CheckpointQuality<'_>,
    is_new: bool,
) -> Vec<(&'static str, f64)> {
    let overall = quality.overall.map(|document| &document.value);
    let there = |pointer: &str| overall?.pointer(pointer).and_then(f64_from_value);
    let (lines, source) = (there("/lines/total_lines"), there("/lines/loc"));
    let loc = if is_new { lines } else { source };
    let by_line = |part: Option<f64>| Some(part? / loc.filter(|loc| *loc > 0.0)?);
    let copied = COPIED.iter().map(|(name, pointer)| (*name, there(pointer)));
    let further = [
        ("loc", loc),
        ("sloc", source.filter(|_| is_new)),
        ("lint_per_loc", by_line(there("/lint/errors"))),
        ("mean_func_loc", quality.symbols.map(|sums| sums.mean_lines())),
        ("lines_added", quality.changed.map(|(added, _)| added)),
        ("lines_removed", quality.changed.map(|(_, removed)| removed)),
    ];
    copied.chain(further).filter_map(|(name, value)| Some((name, value?))).collect()
}

/// What `overall_quality.json` has for a field of its rows; outer `None`: it is no such field.
fn copied(name: &str, quality: &CheckpointQuality<'_>) -> Option<Option<f64>> {
    let overall = quality.overall.map(|document| &document.value);
    let there = |pointer: &str| overall?.pointer(pointer).and_then(f64_from_value);
    let or_zero = |pointer: &str| there(pointer).or(overall.map(|_| 0.0));
    if let Some((_, pointer)) = COPIED.iter().find(|(own, _)| *own == name) {
        return Some(there(pointer));
    }
    if DISTRIBUTIONS.contains(&name) {
        return Some(or_zero(&format!("/functions/{name}")));
    }
    let category = name.strip_prefix("sg_")?.strip_suffix("_violations")?;
    Some(or_zero(&format!("/ast_grep/category_counts/{category}")))
}

/// What a field of a row about code is to the audit, when nothing of the above covers it.
pub(super) fn part(name: &str) -> Part {
    const MASS: &str = "a mass over symbols.jsonl, which Evalglass does not compute";
    const RUBRIC: &str = "grades of a judge over the code; rubric.jsonl is not read";
    const SCB_CHECK: &str = "scb-check measures the code, which is not among the files";
    if name.starts_with("mass.") || name.starts_with("delta.mass.") {
        Part::Unchecked(MASS)
    } else if name.starts_with("delta.symbols_") {
        Part::Unchecked("counted over two symbols.jsonl, which Evalglass does not do")
    } else if name.starts_with("rubric") {
        Part::Unchecked(RUBRIC)
    } else if SCB.contains(&name) || name == "delta.verbosity" {
        Part::Unchecked(SCB_CHECK)
    } else {
        Part::Open
    }
}

/// Lists what `overall_quality.json` measures.
pub(in crate::readers::slop_code) fn measured(sheet: &mut FigureSheet, document: &Document) {
    let page = DeclaredDocument::new(sheet, &document.path, "", Scope::Evaluation);
    page.rest(&document.value, &|path| match path {
        "" => Part::Unchecked(MEASURED),
        "source_files" => Part::Other,
        _ => Part::Open,
    });
}
