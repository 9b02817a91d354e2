//! The fields of a filter: names, what they are compared with, units.

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
    (Field::Change, &["change"], "regressed, fixed, same, new, gone, changed"),
    (Field::Delta, &["delta"], "-0.2, 20%: candidate minus baseline"),
    (Field::Side, &["side"], "the side that the conditions after it apply to"),
    (Field::Outcome, &["outcome", "is"], "passed, failed, error, skipped, scored, unscored"),
    (Field::Group, &["group"], "name of the group"),
    (Field::Kind, &["kind"], "what the group is for"),
    (Field::Model, &["model", "subject"], "who was evaluated"),
    (Field::Repeat, &["repeat"], "which repetition"),
    (Field::Variant, &["checkpoint", "variant"], "part of the suite"),
    (Field::Suite, &["suite", "problem"], "what was evaluated"),
    (Field::Run, &["run"], "name of the run"),
    (Field::Metric, &["metric"], "has a check of this name"),
    (Field::Tag, &["tag"], "has this tag"),
    (Field::Has, &["has"], "what the case has data for"),
    (Field::Score, &["score"], "0.5, 50%"),
    (Field::Duration, &["duration", "time"], "3s, 500ms, 2m"),
    (Field::Tokens, &["tokens"], "1200, 12k"),
    (Field::Cost, &["cost"], "$0.05"),
    (Field::Attempts, &["attempts"], "how many"),
    (Field::Checks, &["checks"], "number of wrong checks"),
    (Field::Error, &["error"], "type or category; error~text looks in the message"),
    (Field::Id, &["id", "case"], "id of the case"),
    (Field::Text, &["text"], "text~word looks through the files"),
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
            Self::Duration => "3s, 500ms or 2m",
            Self::Tokens => "1200 or 12k",
            Self::Cost => "$0.05",
            Self::Score | Self::MetricScore(_) => "0.5 or 50%",
            Self::Delta => "-0.2 or -20%",
            _ => "2",
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
