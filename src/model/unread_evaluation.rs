//! An evaluation whose cases have not been read, in a form with all of its fields: [`direct`](super::direct) can write it.
//!
//! A dataset has thousands of them, and of what an evaluation can hold they hold little. Its config stays apart: most
//! evaluations of a dataset share theirs.

use super::better::Better;
use super::config::Config;
use super::evaluation::Evaluation;
use super::ids::SourceId;
use super::run::{Ended, GroupInfo, Run, RunKey, RunState, RunUsage};
use super::table::{CaseTable, CheckTable};
use super::words::{Kind, Outcome};
use serde::{Deserialize, Serialize};

/// An evaluation without its config, of which no case, document or declared figure is here.
#[derive(Serialize, Deserialize)]
pub struct UnreadEvaluation {
    producer: String,
    generation: String,
    path: String,
    label: String,
    suite: Option<String>,
    runs: Vec<UnreadEvaluationRun>,
    sources: Vec<SourceId>,
}

/// One of its runs.
#[derive(Serialize, Deserialize)]
struct UnreadEvaluationRun {
    key: RunKey,
    label: String,
    started_at: Option<String>,
    duration_secs: Option<f64>,
    usage: Option<UnreadUsage>,
    is_infrastructure_failure: Option<bool>,
    state: Option<UnreadState>,
    score_better: Option<Better>,
    groups: Vec<UnreadGroup>,
    sources: Vec<SourceId>,
    origins: Vec<String>,
    unread: Option<Vec<(Outcome, u64)>>,
}

/// The fields of [`RunUsage`], in their order.
type UnreadUsage = [Option<f64>; 8];

/// Name, kind, seconds and weight of a group.
type UnreadGroup = (String, Option<Kind>, Option<f64>, Option<f64>);

/// The fields of [`RunState`], in their order.
type UnreadState =
    (Ended, Option<String>, Option<String>, Vec<(String, f64)>, Vec<(Kind, u64, u64)>);

impl UnreadEvaluation {
    /// `evaluation` without its config; `None`: it holds more than this form has.
    pub fn of(evaluation: &Evaluation) -> Option<Self> {
        let Evaluation {
            producer,
            generation,
            path,
            label,
            suite,
            config: _,
            declared,
            unchecked,
            declared_json,
            rows,
            runs,
            sources,
        } = evaluation;
        let is_figures_alone = declared.is_empty()
            && unchecked.is_empty()
            && declared_json.is_null()
            && rows.is_empty();
        if !is_figures_alone {
            return None;
        }
        Some(Self {
            producer: producer.clone().into_owned(),
            generation: generation.clone(),
            path: path.clone(),
            label: label.clone(),
            suite: suite.clone(),
            runs: runs.iter().map(UnreadEvaluationRun::of).collect::<Option<_>>()?,
            sources: sources.clone(),
        })
    }

    /// The evaluation, with its config.
    pub fn with_config(self, config: Config) -> Evaluation {
        let Self { producer, generation, path, label, suite, runs, sources } = self;
        Evaluation {
            producer: producer.into(),
            generation,
            path,
            label,
            suite,
            config,
            declared: Vec::new(),
            unchecked: Vec::new(),
            declared_json: serde_json::Value::Null,
            rows: Vec::new(),
            runs: runs.into_iter().map(UnreadEvaluationRun::into_run).collect(),
            sources,
        }
    }
}

impl UnreadEvaluationRun {
    fn of(run: &Run) -> Option<Self> {
        let Run {
            key,
            label,
            started_at,
            duration_secs,
            usage,
            is_infrastructure_failure,
            state,
            score_better,
            groups,
            cases,
            checks,
            sources,
            origins,
            documents,
            unread,
            check_starts: _,
        } = run;
        if !(cases.is_empty() && checks.is_empty() && documents.is_empty()) {
            return None;
        }
        Some(Self {
            key: key.clone(),
            label: label.clone(),
            started_at: started_at.clone(),
            duration_secs: *duration_secs,
            usage: usage.as_ref().map(of_usage),
            is_infrastructure_failure: *is_infrastructure_failure,
            state: state.as_ref().map(of_state),
            score_better: *score_better,
            groups: groups.iter().map(of_group).collect(),
            sources: sources.clone(),
            origins: origins.clone(),
            unread: unread.clone(),
        })
    }

    fn into_run(self) -> Run {
        let groups = self.groups.into_iter().map(|(name, kind, duration_secs, weight)| GroupInfo {
            name,
            kind,
            duration_secs,
            weight,
        });
        Run {
            key: self.key,
            label: self.label,
            started_at: self.started_at,
            duration_secs: self.duration_secs,
            usage: self.usage.map(into_usage),
            is_infrastructure_failure: self.is_infrastructure_failure,
            state: self.state.map(into_state),
            score_better: self.score_better,
            groups: groups.collect(),
            cases: CaseTable::default(),
            checks: CheckTable::default(),
            sources: self.sources,
            origins: self.origins,
            documents: Vec::new(),
            unread: self.unread,
            check_starts: Vec::new(),
        }
    }
}

fn of_group(group: &GroupInfo) -> UnreadGroup {
    let GroupInfo { name, kind, duration_secs, weight } = group;
    (name.clone(), *kind, *duration_secs, *weight)
}

fn of_usage(usage: &RunUsage) -> UnreadUsage {
    let RunUsage {
        prompt_tokens,
        completion_tokens,
        cached_input_tokens,
        cache_write_tokens,
        reasoning_tokens,
        cost_usd,
        n_steps,
        agent_secs,
    } = *usage;
    [
        prompt_tokens,
        completion_tokens,
        cached_input_tokens,
        cache_write_tokens,
        reasoning_tokens,
        cost_usd,
        n_steps,
        agent_secs,
    ]
}

fn into_usage(usage: UnreadUsage) -> RunUsage {
    let [
        prompt_tokens,
        completion_tokens,
        cached_input_tokens,
        cache_write_tokens,
        reasoning_tokens,
        cost_usd,
        n_steps,
        agent_secs,
    ] = usage;
    RunUsage {
        prompt_tokens,
        completion_tokens,
        cached_input_tokens,
        cache_write_tokens,
        reasoning_tokens,
        cost_usd,
        n_steps,
        agent_secs,
    }
}

fn of_state(state: &RunState) -> UnreadState {
    let RunState { ended, message, again, tools, counts } = state;
    (*ended, message.clone(), again.clone(), tools.clone(), counts.clone())
}

fn into_state((ended, message, again, tools, counts): UnreadState) -> RunState {
    RunState { ended, message, again, tools, counts }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CaseRow, RunBuilder, direct};
    use serde_json::json;

    #[derive(Serialize, Deserialize)]
    struct Sent(#[serde(with = "direct")] UnreadEvaluation);

    fn evaluation(run: Run) -> Evaluation {
        Evaluation {
            producer: "letta-evals".into(),
            generation: "E".to_owned(),
            path: "a/b".to_owned(),
            label: "α".to_owned(),
            suite: Some("s".to_owned()),
            config: Config { has_costs: true, ..Config::default() },
            declared: Vec::new(),
            unchecked: Vec::new(),
            declared_json: serde_json::Value::Null,
            rows: Vec::new(),
            runs: vec![run],
            sources: vec![SourceId(3)],
        }
    }

    /// A run of which every field is filled that one without cases can have.
    fn full() -> Run {
        let usage = RunUsage {
            prompt_tokens: Some(1.5),
            completion_tokens: None,
            cached_input_tokens: Some(0.0),
            cache_write_tokens: Some(f64::MAX),
            reasoning_tokens: Some(2.0),
            cost_usd: Some(0.1),
            n_steps: Some(4.0),
            agent_secs: Some(5.0),
        };
        let group = |name: &str, weight: Option<f64>| GroupInfo {
            name: name.to_owned(),
            kind: weight.map(|_| Kind::Core),
            duration_secs: Some(0.25),
            weight,
        };
        let mut run = RunBuilder::new(RunKey { repeat: 2, ..RunKey::default() }, "a run");
        run.started_at = Some("2026-01-01".to_owned());
        run.duration_secs = Some(1.0);
        run.usage = Some(usage);
        run.is_infrastructure_failure = Some(false);
        run.state = Some(RunState {
            ended: Ended::Error,
            message: Some("m".to_owned()),
            again: Some("c1".to_owned()),
            tools: vec![("t".to_owned(), 2.0)],
            counts: vec![(Kind::Error, 1, 2)],
        });
        run.score_better = Some(Better::Less);
        run.group(group("g", Some(2.0)));
        run.group(group("h", None));
        run.source(SourceId(7));
        run.origins = vec!["old.json".to_owned()];
        run.unread = Some(vec![(Outcome::Passed, 3), (Outcome::Error, 0)]);
        run.finish()
    }

    #[test]
    fn every_field_of_an_evaluation_without_cases_travels() {
        for run in [full(), RunBuilder::new(RunKey::default(), "").finish()] {
            let whole = evaluation(run);
            let sent = postcard::to_allocvec(&Sent(UnreadEvaluation::of(&whole).unwrap())).unwrap();
            let Sent(again) = postcard::from_bytes(&sent).unwrap();
            let again = again.with_config(whole.config.clone());
            assert_eq!(format!("{again:?}"), format!("{whole:?}"));
        }
    }

    #[test]
    fn what_the_form_has_no_place_for_does_not_travel_in_it() {
        let mut with_case = RunBuilder::new(RunKey::default(), "");
        with_case.case(CaseRow::default());
        assert!(UnreadEvaluation::of(&evaluation(with_case.finish())).is_none());
        let stating = Evaluation { declared_json: json!({}), ..evaluation(full()) };
        assert!(UnreadEvaluation::of(&stating).is_none());
    }
}
