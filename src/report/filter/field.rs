//! The fields of a filter: names, what they are compared with, units.

use crate::words::report::shared::filter as words;

/// What a term asks about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Field {
    /// How the case came out.
    Outcome,
    /// Its group.
    Group,
    /// What its group is for.
    Kind,
    /// The name of its run.
    Run,
    /// What was evaluated.
    Suite,
    /// Who was evaluated.
    Model,
    /// Which part of the suite: the checkpoint.
    Variant,
    /// Its id.
    Id,
    /// Names of its checks: metrics, graders, attributes.
    Metric,
    /// Its tags.
    Tag,
    /// Its error: type and category as words, the message as text.
    Error,
    /// What is known of it.
    Has,
    /// All texts that the files hold about it.
    Text,
    /// Which repetition.
    Repeat,
    /// Score.
    Score,
    /// Seconds.
    Duration,
    /// Tokens, prompt and completion together.
    Tokens,
    /// US dollars.
    Cost,
    /// Attempts.
    Attempts,
    /// Checks that are wrong.
    Checks,
    /// Score of a check of this name.
    MetricScore(String),
    /// How a pair of a comparison has changed.
    Change,
    /// What a pair is worth on the candidate less what it is worth on the baseline.
    Delta,
    /// Whose case the conditions behind it are about.
    Side,
}

/// What `has:` can be asked for.
pub(super) const TRAITS: [&str; 10] =
    ["error", "score", "duration", "tokens", "cost", "attempts", "checks", "group", "tag", FLAKY];

/// What a case is called that passed in some of its trials only.
pub(in crate::report) const FLAKY: &str = "flaky";

/// Fields with their names, the first of each being the one that is written; the last member says
/// what the field is, for the list of completions.
const NAMES: [(Field, &[&str], &str); 23] = [
    (Field::Change, &["change"], words::CHANGE),
    (Field::Delta, &["delta"], words::DELTA),
    (Field::Side, &["side"], words::SIDE),
    (Field::Outcome, &["outcome", "is"], words::OUTCOME),
    (Field::Group, &["group"], words::GROUP),
    (Field::Kind, &["kind"], words::KIND),
    (Field::Model, &["model", "subject"], words::MODEL),
    (Field::Repeat, &["repeat"], words::REPEAT),
    (Field::Variant, &["checkpoint", "variant"], words::VARIANT),
    (Field::Suite, &["suite", "problem"], words::SUITE),
    (Field::Run, &["run"], words::RUN),
    (Field::Metric, &["metric"], words::METRIC),
    (Field::Tag, &["tag"], words::TAG),
    (Field::Has, &["has"], words::HAS),
    (Field::Score, &["score"], words::SCORE),
    (Field::Duration, &["duration", "time"], words::DURATION),
    (Field::Tokens, &["tokens"], words::TOKENS),
    (Field::Cost, &["cost"], words::COST),
    (Field::Attempts, &["attempts"], words::ATTEMPTS),
    (Field::Checks, &["checks"], words::CHECKS),
    (Field::Error, &["error"], words::ERROR),
    (Field::Id, &["id", "case"], words::ID),
    (Field::Text, &["text"], words::TEXT),
];

/// The sign of a unit, and what a number with it is in the field's own.
type FieldUnit = (&'static str, fn(f64) -> f64);

impl Field {
    /// Every field but the scores of metrics: name, and what it is.
    pub(super) fn all() -> impl Iterator<Item = (Self, &'static str, &'static str)> {
        NAMES.iter().map(|(field, names, what)| {
            (field.clone(), names.first().copied().unwrap_or_default(), *what)
        })
    }

    /// Every field with every name that it has.
    pub(super) fn every_name() -> impl Iterator<Item = (&'static Self, &'static str)> {
        NAMES.iter().flat_map(|(field, names, _)| names.iter().map(move |name| (field, *name)))
    }

    /// Whether only pairs of a comparison have it.
    pub(super) fn is_of_pairs(&self) -> bool {
        matches!(self, Self::Change | Self::Delta | Self::Side)
    }

    /// The field called `name`; letters may be large or small.
    pub(in crate::report) fn from_name(name: &str) -> Option<Self> {
        let is_it = |known: &&str| known.eq_ignore_ascii_case(name);
        let found = NAMES.iter().find(|(_, names, _)| names.iter().any(is_it));
        found.map(|(field, ..)| field.clone())
    }

    /// Its name as it is written, without the name of a metric.
    pub(in crate::report) fn name(&self) -> &'static str {
        let found = NAMES.iter().find(|(field, ..)| field == self);
        found.and_then(|(_, names, _)| names.first().copied()).unwrap_or("metric")
    }

    /// Whether it is compared as a number.
    pub(in crate::report) fn is_number(&self) -> bool {
        matches!(
            self,
            Self::Repeat
                | Self::Score
                | Self::Duration
                | Self::Tokens
                | Self::Cost
                | Self::Attempts
                | Self::Checks
                | Self::MetricScore(_)
                | Self::Delta
        )
    }

    /// The words it can be, when they are a closed list.
    pub(in crate::report) fn closed(&self) -> Option<Vec<&'static str>> {
        use crate::report::{Kind, Outcome};
        match self {
            Self::Outcome => Some(Outcome::ALL.iter().map(|word| word.as_str()).collect()),
            Self::Kind => Some(Kind::ALL.iter().map(|word| word.as_str()).collect()),
            Self::Has => Some(TRAITS.to_vec()),
            Self::Change => Some(super::about::CHANGES.to_vec()),
            _ => None,
        }
    }

    /// `text` as a number of this field, in seconds, dollars or plain; `None` when it is none.
    pub(in crate::report) fn number(&self, text: &str) -> Option<f64> {
        let text = text.trim();
        let plain = |text: &str| {
            let is_word = text.bytes().any(|byte| byte.is_ascii_alphabetic() && byte != b'e');
            text.parse::<f64>().ok().filter(|number| !is_word && !number.is_nan())
        };
        let with = |units: &[FieldUnit]| {
            let unit = units.iter().find_map(|(unit, convert)| {
                Some(convert(plain(text.strip_suffix(unit)?.trim_end())?))
            });
            unit.or_else(|| plain(text))
        };
        match self {
            Self::Duration => with(&[
                ("ms", |n| n / 1000.0),
                ("s", |n| n),
                ("m", |n| n * 60.0),
                ("min", |n| n * 60.0),
                ("h", |n| n * 3600.0),
            ]),
            Self::Tokens => with(&[("k", |n| n * 1000.0), ("M", |n| n * 1_000_000.0)]),
            Self::Score | Self::MetricScore(_) | Self::Delta => with(&[("%", |n| n / 100.0)]),
            Self::Cost => plain(text.strip_prefix('$').unwrap_or(text)),
            Self::Repeat | Self::Attempts | Self::Checks => plain(text),
            _ => None,
        }
    }

    /// What a number of it looks like, for messages.
    pub(in crate::report) fn example(&self) -> &'static str {
        match self {
            Self::Duration => words::DURATION_EXAMPLE,
            Self::Tokens => words::TOKENS_EXAMPLE,
            Self::Cost => words::COST,
            Self::Score | Self::MetricScore(_) => words::SCORE_EXAMPLE,
            Self::Delta => words::DELTA_EXAMPLE,
            _ => words::NUMBER_EXAMPLE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_the_units_of_their_field() {
        let read = |field: Field, text| field.number(text);
        assert_eq!(read(Field::Duration, "500ms"), Some(0.5));
        assert_eq!(read(Field::Duration, "2m"), Some(120.0));
        assert_eq!(read(Field::Duration, "1.5 h"), Some(5400.0));
        assert_eq!(read(Field::Duration, "2min"), Some(120.0));
        assert_eq!(read(Field::Duration, "7"), Some(7.0));
        assert_eq!(read(Field::Score, "80%"), Some(0.8));
        assert_eq!(read(Field::Score, "1e-3"), Some(0.001));
        assert_eq!(read(Field::Cost, "$0.05"), Some(0.05));
        assert_eq!(read(Field::Tokens, "12k"), Some(12_000.0));
        for (field, text) in [
            (Field::Score, "5s"),
            (Field::Score, "nan"),
            (Field::Score, "inf"),
            (Field::Duration, "s"),
            (Field::Tokens, ""),
            (Field::Group, "1"),
        ] {
            assert_eq!(field.number(text), None, "{text}");
        }
    }

    #[test]
    fn every_name_is_one_field() {
        let mut names: Vec<&str> =
            NAMES.iter().flat_map(|(_, names, _)| names.iter().copied()).collect();
        let n_names = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), n_names);
        assert_eq!(Field::from_name("Checkpoint"), Some(Field::Variant));
        assert_eq!(Field::from_name("metrics"), None);
    }
}
