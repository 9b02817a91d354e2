//! Comparisons as files: a member of the report, a table of pairs, a summary for a pull request.

mod html;
mod markdown;
mod pairs;

pub use html::comparison_html;
pub use markdown::comparison_markdown;
pub use pairs::pairs_csv;

use super::report_json::num;
use crate::model::Num;
use crate::report::compare::{
    CompareQuery, Comparison, MeasureLine, PartBy, SideLine, Versus, compare,
};
use crate::workspace::Workspace;
use serde_json::{Map, Value, json};

/// `comparisons` of `evalglass-report/1`: each candidate of `query` against its baseline. Empty when a side is
/// not loaded.
pub(super) fn comparisons(workspace: &Workspace, query: &CompareQuery) -> Vec<Value> {
    let Some(Comparison { sides, candidates, .. }) = compare(workspace, query) else {
        return Vec::new();
    };
    candidates.iter().map(|versus| comparison(&sides, versus)).collect()
}

fn comparison(sides: &[SideLine], versus: &Versus) -> Value {
    let side = |at: usize| {
        sides.get(at).map_or(Value::Null, |line| json!({ "label": line.label, "runs": line.runs }))
    };
    let audit = &versus.audit;
    let transitions: Map<String, Value> = versus
        .transitions
        .iter()
        .map(|one| (format!("{}>{}", one.from.as_str(), one.to.as_str()), json!(one.n)))
        .collect();
    let by_group = versus.parts.iter().find(|parts| parts.by == PartBy::Group);
    let groups: Vec<Value> = by_group
        .into_iter()
        .flat_map(|parts| &parts.parts)
        .map(|part| {
            json!({
                "group": part.name, "n": part.n, "difference": part.difference, "share": part.share,
                "contribution": part.contribution, "ci95": part.ci95, "p_holm": part.p_holm,
            })
        })
        .collect();
    json!({
        "baseline": side(0),
        "candidate": side(versus.side),
        "margin": versus.margin,
        "pairing": {
            "by": audit.by.as_str(), "n_pairs": audit.n_pairs, "only_baseline": audit.only_baseline,
            "only_candidate": audit.only_candidate, "changed": audit.changed,
            "duplicates": audit.duplicates, "left_out": audit.left_out,
        },
        "transitions": transitions,
        "measures": versus.measures.iter().map(measure).collect::<Vec<_>>(),
        "by_group": groups,
        "verdict": {
            "is": versus.verdict.is.as_str(),
            "measure": versus.verdict.measure.as_ref().map(|measure| measure.word()),
            "why": versus.verdict.why,
        },
        "guard": versus.guard.as_str(),
    })
}

fn measure(line: &MeasureLine) -> Value {
    let plain = |number: Option<Num>| num(number.map(|number| number.0));
    json!({
        "name": line.measure.word(),
        "less_is_better": line.is_less_better(),
        "n": line.n,
        "baseline": line.baseline,
        "candidate": line.candidate,
        "difference": line.difference,
        "ci95": line.ci95,
        "ci95_method": line.ci95_kind.as_str(),
        "ci95_bootstrap": line.ci95_bootstrap,
        "se": plain(line.se),
        "se_clustered": plain(line.se_clustered),
        "n_clusters": line.n_clusters,
        "p": line.p,
        "p_method": line.p_kind.as_str(),
        "p_mid": plain(line.p_mid),
        "p_holm": plain(line.p_holm),
        "mdd80": plain(line.mdd80),
        "pairs_needed": line.pairs_needed,
        "ratio": plain(line.ratio),
        "ratio_ci95": line.ratio_ci95,
    })
}
