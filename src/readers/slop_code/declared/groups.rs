//! `evaluation.json` of G1 against the rows of `reports.parquet`.

use super::{DeclaredDocument, FigureSheet, UNNUMBERED, VERSION};
use crate::model::{DeclaredValue, Figure};
use crate::readers::slop_code::evaluation_g1::GroupsFile;
use crate::readers::slop_code::paired::{LastCases, ScoredCase};
use serde_json::Value;
use std::rc::Rc;

/// Up to how many cases of a run every recorded score is listed; beyond, only those that differ, and
/// no more of them than this.
const SCORES_LISTED: usize = 5_000;

const NO_ROWS: &str =
    "reports.parquet is missing or unreadable: the recorded scores are all there is";
const TOO_MANY: &str = "more scores than can be listed differ from the rows";
const WALL_CLOCK: &str =
    "wall-clock seconds of a group, set-up included: more than its cases' own seconds";

/// Everything that the file in `path` states. `last`: what the rows say; `None` without rows.
pub(in crate::readers::slop_code) fn groups(
    file: &GroupsFile,
    path: &Rc<str>,
    last: Option<&LastCases>,
) -> FigureSheet {
    let mut sheet = FigureSheet::default();
    let mut page = DeclaredDocument::new(&mut sheet, path, "", UNNUMBERED);
    match last {
        Some(last) => scores(&mut page, file, last),
        None => {
            for entry in file.groups.iter().flat_map(|group| &group.results) {
                let value = entry.score.map_or(DeclaredValue::Null, DeclaredValue::Number);
                page.unchecked("group_outcomes.[].results.[]", value, NO_ROWS);
            }
        }
    }
    page.counts(&file.pass_counts, &file.total_counts);
    if let Some(secs) = file.duration {
        let value = DeclaredValue::Number(secs);
        page.put("duration", value, Figure::DurationFromGroups, None);
    }
    for group in &file.groups {
        if let Some(secs) = group.duration {
            let field = format!("group_outcomes.{}.duration", group.name);
            page.unchecked(&field, DeclaredValue::Number(secs), WALL_CLOCK);
        }
    }
    if let Some(version) = file.version {
        page.unchecked("problem_version", DeclaredValue::Number(version), VERSION);
    }
    page.rest(&Value::Object(file.others.clone()), &super::pytest::part);
    sheet
}

/// Recorded scores of cases, and cases without one. Of a repeated id the last row is the one that
/// was recorded.
fn scores(page: &mut DeclaredDocument<'_>, file: &GroupsFile, last: &LastCases) {
    let n_cases: usize = file.groups.iter().map(|group| group.results.len()).sum();
    let mut n_listed = 0;
    let mut put = |group: &str, id: &str, score: Option<f64>, row: Option<ScoredCase>| {
        let is_same = row.is_some_and(|(_, own)| own == score);
        if n_cases > SCORES_LISTED && is_same {
            return;
        }
        let path = format!("group_outcomes.{group}.results.{id}");
        let value = score.map_or(DeclaredValue::Null, DeclaredValue::Number);
        n_listed += 1;
        if n_listed > SCORES_LISTED && n_cases > SCORES_LISTED {
            page.unchecked("group_outcomes.[].results.[]", value, TOO_MANY);
            return;
        }
        let case_idx = row.map_or(usize::MAX, |(case_idx, _)| case_idx);
        let figure = Figure::CaseScore { group: Some(group.to_owned()), case_idx };
        page.put(&path, value, figure, None);
    };
    let entries = file
        .groups
        .iter()
        .flat_map(|group| group.results.iter().map(move |entry| (group.name.as_str(), entry)));
    for ((group, entry), row) in entries.zip(&last.of_entries) {
        put(group, &entry.id, entry.score, *row);
    }
    for missing in &last.missing {
        put(&missing.group, &missing.id, None, Some(missing.case));
    }
}
