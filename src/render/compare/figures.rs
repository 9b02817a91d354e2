//! Every number of a comparison as tables, and what the sides were made of.

use super::words;
use crate::format::{count, number};
use crate::render::Look;
use crate::report::Num;
use crate::report::compare::{CheckpointLine, MeasureLine, Valued, Versus, Weight};
use crate::words::ui::compared as said;
use serde::{Deserialize, Serialize};

/// Figures of a checkpoint that are shown.
const MAX_FIGURES: usize = 12;

/// A table of words.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TableShown {
    /// Heads of the columns; the first names the rows.
    pub heads: Vec<String>,
    /// Rows.
    pub rows: Vec<Vec<String>>,
}

/// A setting that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfigShown {
    /// Its path.
    pub path: String,
    /// On the baseline; `None`: it is not there.
    pub baseline: Option<String>,
    /// On the candidate.
    pub candidate: Option<String>,
    /// What it is about.
    pub about: String,
}

pub(super) fn figures(versus: &Versus, look: Look) -> TableShown {
    let row = |line: &MeasureLine| {
        let plain = |value: f64| words::value(line, value, look);
        let apart = |value: Num| number(value.0, 4);
        let maybe = |value: Option<Num>| value.map_or("–".to_owned(), apart);
        let ends = |ends: Option<[Num; 2]>| {
            ends.map_or("–".to_owned(), |[low, high]| words::range(&apart(low), &apart(high)))
        };
        let chance = |p: Option<Num>| p.map_or("–".to_owned(), |p| words::chance(p.0));
        let clusters = match (line.se_clustered, line.n_clusters) {
            (Some(se), Some(n)) => said::clusters(&apart(se), n),
            _ => "–".to_owned(),
        };
        vec![
            words::measure(line).0,
            count(line.n),
            plain(line.baseline.0),
            plain(line.candidate.0),
            apart(line.difference),
            ends(line.ci95),
            line.ci95_kind.as_str().to_owned(),
            ends(line.ci95_bootstrap),
            maybe(line.se),
            clusters,
            words::chance(line.p.0),
            line.p_kind.as_str().to_owned(),
            chance(line.p_holm),
            chance(line.p_mid),
            maybe(line.mdd80),
            line.pairs_needed.map_or("–".to_owned(), count),
        ]
    };
    TableShown {
        heads: said::FIGURE_COLUMNS.map(str::to_owned).to_vec(),
        rows: versus.measures.iter().map(row).collect(),
    }
}

pub(super) fn checkpoints(versus: &Versus, look: Look) -> Option<TableShown> {
    let lines = &versus.checkpoints;
    let mut names: Vec<&str> = Vec::new();
    for value in lines.iter().flat_map(|line| &line.values) {
        if !names.contains(&value.name.as_str()) && names.len() < MAX_FIGURES {
            names.push(&value.name);
        }
    }
    if lines.is_empty() || names.is_empty() {
        return None;
    }
    let row = |line: &CheckpointLine| {
        let mut cells = vec![if line.suite.is_empty() {
            line.variant.clone()
        } else {
            format!("{} / {}", line.suite, line.variant)
        }];
        cells.extend(names.iter().map(|name| {
            let value = line.values.iter().find(|value| value.name == *name);
            let words =
                |value: Option<Num>| value.map_or("–".to_owned(), |v| figure(name, v.0, look));
            let [one, two] = value.map_or([None, None], |value| [value.baseline, value.candidate]);
            format!("{} → {}", words(one), words(two))
        }));
        cells
    };
    let heads = std::iter::once(said::CHECKPOINT).chain(names.iter().copied());
    Some(TableShown {
        heads: heads.map(|head| head.replace('_', " ")).collect(),
        rows: lines.iter().map(row).collect(),
    })
}

fn figure(name: &str, value: f64, look: Look) -> String {
    match name {
        "pass_rate" => look.rate(value),
        "score" => look.score(value),
        "cost_usd" => crate::format::usd(value, false),
        "agent_secs" => crate::format::secs(value),
        "prompt_tokens" | "completion_tokens" => crate::format::short_count(value),
        _ => number(value, 3),
    }
}

pub(super) fn configuration(versus: &Versus) -> Vec<ConfigShown> {
    let about = |weight: Weight| match weight {
        Weight::Model => said::ABOUT_MODEL,
        Weight::Prompt => said::ABOUT_PROMPT,
        Weight::Parameter => said::ABOUT_PARAMETER,
        Weight::Gate => said::ABOUT_GATE,
        Weight::Version => said::ABOUT_VERSION,
        Weight::Other => said::ABOUT_OTHER,
    };
    let lines = versus.configuration.iter().map(|line| ConfigShown {
        path: line.path.clone(),
        baseline: line.baseline.clone(),
        candidate: line.candidate.clone(),
        about: about(line.weight).to_owned(),
    });
    lines.collect()
}

/// What the values of a comparison's pairs are.
pub(super) fn value_words(measure: Option<&Valued>, value: f64, look: Look) -> String {
    match measure {
        Some(Valued::PassRate) => look.rate(value),
        _ => look.score(value),
    }
}
