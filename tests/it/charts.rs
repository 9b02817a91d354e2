//! Charts: their numbers are those of the cases, their filters find what they show, and what is drawn
//! of any file is sound.

mod draw;
mod numbers;

use crate::support::{core_of, file};
use evalglass::report::{ChartFigure, Measure, Sections, Target, Topic};
use evalglass::worker::core::Core;
use serde_json::json;

/// The page about `topic`.
fn page(core: &Core, topic: Topic) -> Sections {
    core.sections(topic).expect("the page is there")
}

/// All figures of a page.
fn figures(page: &Sections) -> Vec<&ChartFigure> {
    page.sections.iter().flat_map(|section| &section.figures).collect()
}

/// The figure of this id.
#[track_caller]
fn figure<'a>(page: &'a Sections, id: &str) -> &'a ChartFigure {
    let known = figures(page);
    let ids: Vec<&str> = known.iter().map(|figure| figure.id.as_str()).collect();
    let at = ids.iter().position(|known| *known == id);
    known[at.unwrap_or_else(|| panic!("no figure {id}, but {ids:?}"))]
}

/// Every page that has charts, of everything.
fn topics(target: Target) -> Vec<Topic> {
    let trends = Measure::ALL.map(|measure| Topic::Trends { target, measure });
    [Topic::Overview(target), Topic::Statistics(target)].into_iter().chain(trends).collect()
}

/// A REBEL report of cases with these names, tags, scores and durations.
fn rebel(path: &str, cases: &[(String, f64)]) -> Core {
    let case = |(name, score): &(String, f64)| {
        json!({
            "name": name, "tags": [],
            "retry_params": {"count": 1, "aggregation_strategy": "mean"},
            "input": {"messages": [], "api_params": {}}, "expected_output": {},
            "actual_outputs": [{"output": "x"}], "metrics": [{}],
            "evaluation_results": [{"score": score, "verdict": "passed", "reason": ""}],
            "aggregated_result": {"score": score, "verdict": "passed", "reason": ""},
        })
    };
    let cases: Vec<_> = cases.iter().map(case).collect();
    let report = json!({
        "metadata": {"timestamp": "20260101_000000", "total_test_cases": cases.len()},
        "test_cases": cases,
    });
    core_of(vec![file(path, report.to_string())])
}
