//! What a cell of the table of cases says, before anybody draws it.

use super::Look;
use crate::format;
use crate::report::{CaseLine, Outcome, SortKey};

/// What a cell says.
#[derive(Debug, Clone, PartialEq)]
pub enum CaseCell<'a> {
    /// The case and how it came out.
    Case(&'a str, Outcome),
    /// An outcome.
    Outcome(Outcome),
    /// A name that is told from others by its end.
    Name(&'a str),
    /// Words that may be too long.
    Words(String),
    /// A number.
    Number(String),
    /// A score, with a bar that is filled so far, in per cent.
    Score(String, f64),
    /// Nothing is known.
    Unknown,
    /// There is nothing.
    Nothing,
}

/// What column `key` says of `line` to somebody who wants numbers to look like `look`.
pub fn case_cell(line: &CaseLine, key: SortKey, look: Look) -> CaseCell<'_> {
    let words = |text: Option<&str>| {
        text.map_or(CaseCell::Unknown, |text| CaseCell::Words(text.to_owned()))
    };
    let number = match key {
        SortKey::Outcome => return CaseCell::Outcome(line.outcome),
        SortKey::Id => return CaseCell::Case(&line.id, line.outcome),
        SortKey::Run => return CaseCell::Name(&line.run_label),
        SortKey::Suite => return words(line.suite.as_deref()),
        SortKey::Variant => return words(line.variant.as_deref()),
        SortKey::Model => return words(line.model.as_deref()),
        SortKey::Group => return words(line.group.as_deref()),
        SortKey::Kind => return words(line.kind.map(|kind| kind.as_str())),
        SortKey::Tags => {
            let tags = line.tags.join(", ");
            return words((!tags.is_empty()).then_some(tags.as_str()));
        }
        SortKey::Error => {
            let text = line.error.as_ref();
            return text.map_or(CaseCell::Nothing, |text| CaseCell::Words(text.clone()));
        }
        SortKey::Score => {
            return line.score.map_or(CaseCell::Unknown, |score| {
                CaseCell::Score(look.score(score.0), score.0.clamp(0.0, 1.0) * 100.0)
            });
        }
        SortKey::Metric(at) => {
            let score = line.metrics.get(usize::from(at)).copied().flatten();
            score.map(|score| look.number(score.0))
        }
        SortKey::FailedChecks => (line.n_checks > 0).then(|| {
            format!("{} / {}", format::count(line.n_failed_checks), format::count(line.n_checks))
        }),
        SortKey::Attempts => line.n_attempts.map(|n| format::count(n.into())),
        SortKey::Duration => line.duration_secs.map(|secs| format::secs(secs.0)),
        SortKey::Tokens => line.tokens.map(|n| format::number(n.0, 0)),
        SortKey::Cost => line.cost_usd.map(|usd| format::usd(usd.0, false)),
        SortKey::Repeat => Some(format::count(line.repeat.into())),
        // Texts are not in the row.
        SortKey::File
        | SortKey::Instability
        | SortKey::Input
        | SortKey::Answer
        | SortKey::Expected => None,
    };
    number.map_or(CaseCell::Unknown, CaseCell::Number)
}

/// The same as plain words; `None`: nothing is known.
pub fn case_words(line: &CaseLine, key: SortKey, look: Look) -> Option<String> {
    match case_cell(line, key, look) {
        CaseCell::Case(text, _) | CaseCell::Name(text) => Some(text.to_owned()),
        CaseCell::Outcome(outcome) => Some(outcome.as_str().to_owned()),
        CaseCell::Words(text) | CaseCell::Number(text) | CaseCell::Score(text, _) => Some(text),
        CaseCell::Unknown | CaseCell::Nothing => None,
    }
}

/// What one line says of a case beside its id and score: its message, and where it belongs. A name that is part of another
/// is not said twice.
pub fn case_about(line: &CaseLine, look: Look) -> String {
    const WHERE: [SortKey; 6] = [
        SortKey::Run,
        SortKey::Model,
        SortKey::Variant,
        SortKey::Group,
        SortKey::Kind,
        SortKey::Duration,
    ];
    let message = case_words(line, SortKey::Error, look);
    let mut belongs: Vec<String> = Vec::new();
    for words in WHERE.iter().filter_map(|key| case_words(line, *key, look)) {
        if !belongs.iter().any(|said| holds(said, &words)) {
            belongs.push(words);
        }
    }
    message.into_iter().chain(belongs).collect::<Vec<_>>().join(" · ")
}

/// Whether `name` is one of the parts of `names`: `inventory / checkpoint_1`, `gpt-5 · run 1`.
fn holds(names: &str, name: &str) -> bool {
    names == name
        || [" · ", " / "].iter().any(|between| names.split(between).any(|part| part == name))
}

/// A mark of an outcome in the heat map, so that colour is never alone.
pub fn outcome_sign(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "✓",
        Outcome::Failed => "✕",
        Outcome::Error => "▲",
        Outcome::Skipped => "–",
        Outcome::Scored => "•",
        Outcome::Unscored => "○",
    }
}
