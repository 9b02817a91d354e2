//! The name of a column, taken apart: what role it says, which unit, which tokens.

use super::names::{METRIC_FOLDERS, PLAIN, names_of};
use crate::model::{ROLES, Role, TimeUnit};

/// A name taken apart.
#[derive(Debug, Clone)]
pub(super) struct NameWords {
    /// The whole in small letters, without what stands between its words.
    pub whole: String,
    /// The part behind the last dot, likewise.
    pub last: String,
    /// The part before the first dot, likewise; empty where there is none.
    pub first: String,
    /// The words of the last part.
    pub words: Vec<String>,
}

impl NameWords {
    /// Takes a name apart.
    pub(super) fn of(name: &str) -> Self {
        let (before, last) = name.rsplit_once('.').unwrap_or(("", name));
        let words = split(last);
        let first = before.split('.').next().unwrap_or_default();
        Self {
            whole: split(name).concat(),
            last: words.concat(),
            first: split(first).concat(),
            words,
        }
    }

    /// How well the name is one of `role`; 0: best; `None`: it is none.
    pub(super) fn rank(&self, role: Role) -> Option<usize> {
        let names = names_of(role);
        if self.is_part_of_other(role) {
            return None;
        }
        let plain = without_unit(&self.words);
        let at = |name: &str| names.place(name);
        let by_whole = at(&self.whole).or_else(|| at(&self.last));
        let by_plain = || matches!(role, Role::Duration | Role::Cost).then(|| at(&plain)).flatten();
        let by_folder = || {
            let is_text = matches!(role, Role::Input | Role::Expected | Role::Output);
            (is_text && !self.first.is_empty()).then(|| at(&self.first)).flatten()
        };
        by_whole
            .or_else(by_plain)
            .or_else(by_folder)
            .or_else(|| self.rank_by_words(role).map(|rank| names.len() + rank))
    }

    /// Whether it is a part of another text: the `output` of `expected_output.output`.
    fn is_part_of_other(&self, role: Role) -> bool {
        const TEXTS: [Role; 3] = [Role::Input, Role::Expected, Role::Output];
        let is_of = |other: &Role| names_of(*other).has(&self.first);
        let mut others = TEXTS.iter().filter(|other| **other != role);
        TEXTS.contains(&role) && !self.first.is_empty() && others.any(is_of)
    }

    /// Names that only end, or begin, as one of a role: `gpt4_score`, `is_correct_answer`, `llm_latency_ms`.
    fn rank_by_words(&self, role: Role) -> Option<usize> {
        let ends = |ends: &[&str]| {
            self.words.len() > 1
                && self.words.last().is_some_and(|last| ends.contains(&last.as_str()))
        };
        let has = |known: &[&str]| self.words.iter().any(|word| known.contains(&word.as_str()));
        let starts = |word: &str| self.words.first().is_some_and(|first| first == word);
        let fits = match role {
            Role::Id => ends(&["id", "key", "uuid"]),
            Role::Score => ends(&["score", "reward", "grade", "rating", "points"]),
            Role::Passed => {
                ends(&["passed", "success", "correct", "resolved", "verdict", "pass"])
                    || (starts("is") && has(&["correct", "passed", "success", "valid", "right"]))
            }
            Role::Model => ends(&["model", "agent", "llm"]) || (starts("model") && has(&["name"])),
            Role::Group => ends(&["category", "group", "topic", "subject", "domain"]),
            Role::Repeat => ends(&["epoch", "trial", "repeat", "attempt", "iteration"]),
            Role::Error => ends(&["error", "exception"]),
            Role::Expected => starts("expected") || starts("reference") || starts("gold"),
            Role::Output => ends(&["output", "response", "answer", "completion", "prediction"]),
            Role::Input => ends(&["input", "prompt", "question", "query"]),
            Role::Duration => has(&["latency", "duration", "elapsed", "runtime", "walltime"]),
            Role::Cost => has(&["cost", "usd", "price"]),
            Role::Tokens => has(&["tokens"]) && !has(&["max", "per", "limit"]),
            Role::Metric => {
                ends(&["score", "accuracy", "f1", "precision", "recall", "rate", "match"])
            }
            Role::Fact | Role::ModelScore => false,
        };
        fits.then_some(0)
    }

    /// Whether it is the name of a number that says nothing of how well a case went.
    pub(super) fn is_plain_fact(&self) -> bool {
        PLAIN.has(&self.last) || PLAIN.has(&self.whole)
    }

    /// Whether it lies in a folder of metrics: `scores.accuracy`.
    pub(super) fn is_in_metrics(&self) -> bool {
        METRIC_FOLDERS.has(&self.first)
    }

    /// The unit that the name ends with: `latency_ms`.
    pub(super) fn unit(&self) -> Option<TimeUnit> {
        self.words.iter().rev().find_map(|word| unit_of(word))
    }

    /// Whether its tokens are those that the model read, or those that it wrote; `None`: all, or others.
    pub(super) fn token_side(&self) -> Option<TokenSide> {
        let has = |known: &[&str]| known.iter().any(|word| self.whole.contains(word));
        if has(&["cache"]) {
            Some(TokenSide::Cached)
        } else if has(&["reason", "think"]) {
            Some(TokenSide::Reasoning)
        } else if has(&["prompt", "input", "tokensin", "intokens"]) {
            Some(TokenSide::Prompt)
        } else if has(&["completion", "output", "tokensout", "outtokens", "generated", "response"])
        {
            Some(TokenSide::Completion)
        } else {
            None
        }
    }
}

/// Which tokens a column counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenSide {
    /// Read by the model.
    Prompt,
    /// Written by it.
    Completion,
    /// Served from a cache.
    Cached,
    /// Spent on reasoning.
    Reasoning,
}

/// Whether `name` is that of a role, word for word.
pub(super) fn is_role_name(name: &str) -> bool {
    let words = NameWords::of(name);
    ROLES.iter().any(|(role, _)| names_of(*role).has(&words.whole))
}

fn unit_of(word: &str) -> Option<TimeUnit> {
    match word {
        "ms" | "msec" | "msecs" | "millis" | "millisecond" | "milliseconds" => {
            Some(TimeUnit::Milliseconds)
        }
        "s" | "sec" | "secs" | "second" | "seconds" => Some(TimeUnit::Seconds),
        "min" | "mins" | "minute" | "minutes" => Some(TimeUnit::Minutes),
        _ => None,
    }
}

/// The words without units and what stands around them, as one.
fn without_unit(words: &[String]) -> String {
    let is_kept = |word: &&String| {
        unit_of(word).is_none()
            && !matches!(word.as_str(), "usd" | "in" | "dollars" | "total" | "avg")
    };
    words.iter().filter(is_kept).map(String::as_str).collect()
}

/// The words of a name in small letters: `latencyMs`, `latency_ms` and `Latency (ms)` have the same.
fn split(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut is_open, mut was_lower) = (false, false);
    for c in name.chars() {
        if !c.is_alphanumeric() {
            (is_open, was_lower) = (false, false);
            continue;
        }
        if !is_open || (was_lower && c.is_uppercase()) {
            words.push(String::new());
        }
        is_open = true;
        was_lower = c.is_lowercase() || c.is_ascii_digit();
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_makes_no_difference() {
        for name in ["latency_ms", "latencyMs", "Latency (ms)", "LATENCY-MS", "usage.latency_ms"] {
            let words = NameWords::of(name);
            assert!(words.rank(Role::Duration).is_some(), "{name}");
            assert_eq!(words.unit(), Some(TimeUnit::Milliseconds), "{name}");
        }
        assert_eq!(
            NameWords::of("testCaseId").rank(Role::Id),
            NameWords::of("test case id").rank(Role::Id)
        );
        assert_eq!(NameWords::of("elapsed_min").unit(), Some(TimeUnit::Minutes));
        assert_eq!(NameWords::of("prompt_tokens").token_side(), Some(TokenSide::Prompt));
        assert!(NameWords::of("scores.accuracy").is_in_metrics());
        assert_eq!(NameWords::of("gpt-x").rank(Role::Score), None);
    }
}
