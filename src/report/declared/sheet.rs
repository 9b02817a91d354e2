//! Declared figures by what they are about, on the scale of computed ones.

use super::spread::{self, DeclaredSpread};
use super::{directory, take};
use crate::model::{Evaluation, Kind, Num, Scope};
use crate::words::report::declared as words;
use serde::Serialize;
use std::collections::BTreeMap;

/// Everything that is declared only.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DeclaredSheet {
    /// Parts whose cases are not among the files: the whole first, then subjects over all repeats,
    /// repeats, subjects within one, rows of checkpoints.
    pub parts: Vec<DeclaredPart>,
    /// Figures over several runs.
    pub spreads: Vec<DeclaredSpread>,
}

/// What is declared of one part of an evaluation.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct DeclaredPart {
    /// Problem, of a checkpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suite: Option<String>,
    /// Checkpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Who was evaluated; `None`: all together.
    pub subject: Option<String>,
    /// Repeat, 1-based; `None`: over all repeats.
    pub repeat: Option<u32>,
    /// Over how many repeats, where it is over several and the files say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_repeats: Option<u64>,
    /// The first file that states something of it, relative to what was dropped.
    pub file: String,
    /// When it was made, as the file writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_at: Option<String>,
    /// What came of it, in the file's word: `ran`, `error`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// Numbers of cases.
    pub counts: DeclaredCounts,
    /// Scores.
    pub score: DeclaredScore,
    /// Mean reward.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reward: Option<Num>,
    /// Whether the gate passes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate_passed: Option<bool>,
    /// Repeats whose gate passes, and does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats_passed: Option<Num>,
    /// Repeats whose gate does not pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats_failed: Option<Num>,
    /// Figures by metric, in the order of the file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<DeclaredMetric>,
    /// Passed and all cases by kind.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub by_kind: BTreeMap<Kind, [Num; 2]>,
    /// Tokens, cost, steps.
    #[serde(skip_serializing_if = "DeclaredUsage::is_empty")]
    pub usage: DeclaredUsage,
    /// Seconds.
    #[serde(skip_serializing_if = "DeclaredTiming::is_empty")]
    pub timing: DeclaredTiming,
    /// Cases with an error, by category.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub errors_by_category: BTreeMap<String, Num>,
    /// The same by type of exception.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub errors_by_type: BTreeMap<String, Num>,
}

/// Numbers of cases; `None`: not stated.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct DeclaredCounts {
    /// All.
    pub total: Option<Num>,
    /// Completed without error.
    pub attempted: Option<Num>,
    /// Passed.
    pub passed: Option<Num>,
    /// Attempted and not passed.
    pub failed: Option<Num>,
    /// Ended in an error.
    pub error: Option<Num>,
    /// Share that passes, where the file states it.
    pub pass_rate: Option<Num>,
}

/// Scores; of a part over several repeats their means.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct DeclaredScore {
    /// Mean over attempted cases.
    pub mean_attempted: Option<Num>,
    /// The same sum over all cases.
    pub mean_total: Option<Num>,
    /// Mean over the metrics that the gate names (letta-evals 0.17 – 0.20, `score`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<Num>,
}

/// One metric.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct DeclaredMetric {
    /// Key.
    pub name: String,
    /// Mean over attempted cases.
    pub mean_attempted: Option<Num>,
    /// The same sum over all cases.
    pub mean_total: Option<Num>,
    /// Share that passes.
    pub pass_rate: Option<Num>,
    /// Cases that pass by it.
    pub passed: Option<Num>,
    /// Attempted cases that do not.
    pub failed: Option<Num>,
}

/// Tokens, cost, steps.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct DeclaredUsage {
    /// Tokens read.
    pub prompt_tokens: Option<Num>,
    /// Tokens written.
    pub completion_tokens: Option<Num>,
    /// Tokens read from a cache.
    pub cached_input_tokens: Option<Num>,
    /// Tokens written to a cache.
    pub cache_write_tokens: Option<Num>,
    /// Tokens of reasoning.
    pub reasoning_tokens: Option<Num>,
    /// US dollars.
    pub cost_usd: Option<Num>,
    /// Cases with tokens but without a price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_missing: Option<Num>,
    /// Steps of the agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_steps: Option<Num>,
}

/// Seconds.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct DeclaredTiming {
    /// Mean of a case.
    pub mean_secs: Option<Num>,
    /// Mean of the target's part.
    pub mean_target_secs: Option<Num>,
    /// Mean of extraction.
    pub mean_extraction_secs: Option<Num>,
    /// Median by the producer's rule.
    pub p50_secs: Option<Num>,
    /// 95th percentile by the producer's rule.
    pub p95_secs: Option<Num>,
    /// Seconds that the agent worked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_secs: Option<Num>,
}

impl DeclaredUsage {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl DeclaredTiming {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl DeclaredSheet {
    /// What `evaluation` declares and holds no cases of.
    pub(super) fn new(evaluation: &Evaluation) -> Self {
        let mut sheet = take::sheet(evaluation);
        sheet.parts.extend(directory::parts(evaluation));
        spread::over_parts(&mut sheet);
        sheet
    }

    /// Whether nothing is declared only.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The evaluation as a whole.
    pub fn whole(&self) -> Option<&DeclaredPart> {
        self.parts.iter().find(|part| part.scope() == Some(Scope::Evaluation))
    }

    /// Repeats over all subjects, in order.
    pub fn repeats(&self) -> impl Iterator<Item = &DeclaredPart> {
        let is_repeat = |part: &&DeclaredPart| {
            part.repeat.is_some() && part.subject.is_none() && part.variant.is_none()
        };
        self.parts.iter().filter(is_repeat)
    }

    /// Checkpoints that only a recorded row tells of, in the order of the rows.
    pub fn checkpoints(&self) -> impl Iterator<Item = &DeclaredPart> {
        self.parts.iter().filter(|part| part.variant.is_some())
    }

    /// One subject in one repeat each.
    pub fn runs(&self) -> impl Iterator<Item = &DeclaredPart> {
        self.parts.iter().filter(|part| part.repeat.is_some() && part.subject.is_some())
    }

    /// The part that stands for each subject: over its repeats, or its only one; what is stated of
    /// all together where no subject is named.
    pub fn subjects(&self) -> Vec<DeclaredPart> {
        let over_repeats = |part: &&DeclaredPart| part.repeat.is_none() && part.subject.is_some();
        let mut found: Vec<DeclaredPart> =
            self.parts.iter().filter(over_repeats).cloned().collect();
        let mut by_name: Vec<(&str, Vec<&DeclaredPart>)> = Vec::new();
        for part in self.runs() {
            let Some(name) = part.subject.as_deref() else { continue };
            match by_name.iter_mut().find(|(known, _)| *known == name) {
                Some((_, own)) => own.push(part),
                None => by_name.push((name, vec![part])),
            }
        }
        for (name, own) in by_name {
            if !found.iter().any(|part| part.subject.as_deref() == Some(name)) {
                found.extend(together(&own));
            }
        }
        if found.is_empty() {
            let repeats: Vec<&DeclaredPart> = self.repeats().collect();
            found.extend(self.whole().cloned().or_else(|| together(&repeats)));
        }
        found
    }
}

/// Several repeats of the same as one: the only one, or the means of their scores.
fn together(parts: &[&DeclaredPart]) -> Option<DeclaredPart> {
    let (first, rest) = parts.split_first()?;
    if rest.is_empty() {
        return Some((*first).clone());
    }
    let mean = |get: &dyn Fn(&DeclaredPart) -> Option<Num>| -> Option<Num> {
        let values: Vec<f64> = parts.iter().filter_map(|part| get(part)).map(|n| n.0).collect();
        (values.len() == parts.len()).then(|| crate::stats::exact_mean(&values).map(Num))?
    };
    Some(DeclaredPart {
        subject: first.subject.clone(),
        n_repeats: Some(parts.len() as u64),
        file: first.file.clone(),
        started_at: first.started_at.clone(),
        score: DeclaredScore {
            mean_attempted: mean(&|part| part.score.mean_attempted),
            mean_total: mean(&|part| part.score.mean_total),
            gate: mean(&|part| part.score.gate),
        },
        reward: mean(&|part| part.reward),
        ..DeclaredPart::default()
    })
}

impl DeclaredPart {
    /// What it is about; `None` of a recorded row.
    pub(super) fn scope(&self) -> Option<Scope> {
        match (&self.variant, self.repeat, &self.subject) {
            (Some(_), ..) => None,
            (None, None, None) => Some(Scope::Evaluation),
            (None, Some(repeat), None) => Some(Scope::Repeat(repeat)),
            (None, None, Some(subject)) => Some(Scope::SubjectAggregate(subject.clone())),
            (None, Some(repeat), Some(subject)) => {
                Some(Scope::Subject { repeat, subject: subject.clone() })
            }
        }
    }

    /// The scope as a word of exports.
    pub fn scope_word(&self) -> &'static str {
        match self.scope() {
            Some(Scope::Evaluation) => "evaluation",
            Some(Scope::Repeat(_)) => "repeat",
            Some(Scope::SubjectAggregate(_)) => "subject",
            Some(Scope::Subject { .. }) => "run",
            _ => "checkpoint",
        }
    }

    /// The score that stands for it: the reward, else the gate's mean, else the mean over attempted
    /// cases; of a checkpoint or a run directory the share of tests that pass.
    pub fn main_score(&self) -> Option<Num> {
        let mean = self.score.gate.or(self.score.mean_attempted);
        self.reward.or(mean).or(self.counts.pass_rate)
    }

    /// What [`DeclaredPart::main_score`] is, in words.
    pub fn main_score_words(&self) -> &'static str {
        if self.reward.is_some() {
            words::MAIN_REWARD
        } else if self.score.gate.is_some() {
            words::MAIN_SCORE
        } else if self.score.mean_attempted.is_some() {
            words::MAIN_MEAN
        } else {
            words::MAIN_SHARE
        }
    }

    /// Cases that pass, and of how many; `None` where the files state no such whole numbers.
    pub fn passing(&self) -> Option<(u64, u64)> {
        let counts = &self.counts;
        let attempted = || Some(Num(counts.passed?.0 + counts.failed?.0));
        let whole = counts.total.or_else(attempted)?;
        Some((natural(counts.passed?)?, natural(whole)?)).filter(|(part, whole)| part <= whole)
    }
}

/// A number that counts something.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to fit")]
pub(super) fn natural(number: Num) -> Option<u64> {
    let is_whole = (0.0..9e15).contains(&number.0) && number.0.fract() == 0.0;
    is_whole.then_some(number.0 as u64)
}
