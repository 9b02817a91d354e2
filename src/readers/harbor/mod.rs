//! Harbor: job folders with a folder for each trial, trajectories in the ATIF form, and Terminal-Bench's runs.
//!
//! Source: the models of harbor up to 0.22 (`models/job/result.py`, `models/trial/result.py`, `models/trial/paths.py`,
//! `metrics/`, `utils/pass_at_k.py`), the ATIF RFC v1.0 – v1.7, terminal-bench's `harness/models.py`. A job is one
//! evaluation; agent × model × dataset × repeat is a run, a trial of a task its case, the reward its score. Harbor has
//! no rule that says which reward passes. A trial with an exception and a reward counts by its reward, as in Harbor's
//! own mean; without a reward it is an error. Fixtures: `harbor/made`, made by hand from these models.

mod atif;
mod bench;
mod declared;
mod detail;
mod job;
mod loose;
mod metrics;
mod places;
mod rules;
mod trial;
mod verifier;

use super::{
    Bundle, Claim, Claimed, Context, Error, Format, KeysOf, Producer, ReadEvaluation, Reader, ctrf,
};
use crate::input::{Form, InputFile, LocalFuture, Shape, ValueKind};
use crate::model::{CaseDetail, Config, Run, SourceId};
use std::rc::Rc;

/// The reader.
pub struct Harbor;

/// What a file of this producer is.
mod role {
    /// `result.json` of a job.
    pub const JOB: &str = "job result";
    /// `config.json` of a job.
    pub const JOB_CONFIG: &str = "job configuration";
    /// `result.json` of a trial.
    pub const TRIAL: &str = "trial result";
    /// `config.json` of a trial.
    pub const TRIAL_CONFIG: &str = "trial configuration";
    /// What the agent did: `agent/trajectory.json`.
    pub const TRAJECTORY: &str = "trajectory";
    /// Report of the verifier's tests: `verifier/ctrf.json`.
    pub const TESTS: &str = "tests of the verifier";
    /// Rewards, outputs and logs beside a trial.
    pub const TEXT: &str = "text of a trial";
    /// `results.json` of a Terminal-Bench run.
    pub const BENCH: &str = "Terminal-Bench results";
    /// `results.json` of a Terminal-Bench trial.
    pub const BENCH_TRIAL: &str = "Terminal-Bench trial";
    /// `run_metadata.json`.
    pub const BENCH_RUN: &str = "Terminal-Bench run metadata";
}

/// Texts in the folder of a trial or right below it.
const TEXTS: [&str; 12] = [
    "reward.txt",
    "reward.json",
    "reward-details.json",
    "test-stdout.txt",
    "test-stderr.txt",
    "exception.txt",
    "trial.log",
    "job.log",
    "pre-agent.txt",
    "post-agent.txt",
    "post-test.txt",
    "commands.txt",
];

impl Producer for Harbor {
    fn id(&self) -> &'static str {
        "harbor"
    }

    fn sniff_empty(&self, file: &InputFile) -> Option<Claim> {
        TEXTS.contains(&file.name()).then_some(Claim {
            role: role::TEXT,
            generation: None,
            why: "its name, beside the files of a trial",
        })
    }

    fn sniff_beside(&self, file: &InputFile, shape: &Shape) -> Option<Claim> {
        self.sniff_empty(file).filter(|_| shape.form != Form::Binary)
    }

    fn adopted(
        &self,
        own: &[Rc<Claimed>],
        others: &[Rc<Claimed>],
        _keys: &KeysOf<'_>,
    ) -> Vec<(SourceId, Claim)> {
        let places = places::HarborFolders::of(own);
        let is_report = |other: &&Rc<Claimed>| {
            other.claim.role == ctrf::REPORT
                && places::last(other.file.folder()) == "verifier"
                && places.trial_of(&other.file).is_some()
        };
        let why = "results and reportFormat, in the verifier folder of a trial";
        let claim = Claim { role: role::TESTS, generation: None, why };
        others.iter().filter(is_report).map(|other| (other.file.id, claim.clone())).collect()
    }

    fn reaches_siblings(&self) -> bool {
        true
    }

    /// Whatever else a trial has: trajectories, tests of the verifier, texts.
    fn is_read_with(&self, other: &Claimed, own: &Claimed, _run: &Run) -> bool {
        other.is_at_or_below(own)
    }

    fn bundle(&self, files: Vec<Rc<Claimed>>, _keys: &KeysOf<'_>) -> Vec<Bundle> {
        places::bundle(files)
    }
}

impl Reader for Harbor {
    fn formats(&self) -> &'static [Format] {
        &[
            Format {
                files: "job folder: config.json, result.json, TRIAL/result.json, TRIAL/agent/trajectory.json, TRIAL/verifier",
                versions: "0.1 – 0.22, by its models",
                what: "trials with rewards, exceptions, tests of the verifier, tokens and cost, pass@k",
            },
            Format {
                files: "trajectory.json (ATIF)",
                versions: "ATIF-v1.0 – v1.7",
                what: "steps of an agent as a conversation, with tool calls, sub-agents and tokens",
            },
            Format {
                files: "Terminal-Bench: results.json, run_metadata.json",
                versions: "0.1 – 0.2",
                what: "trials by what was resolved, tests, failure modes, pass@k",
            },
        ]
    }

    fn sniff(&self, _file: &InputFile, shape: &Shape) -> Option<Claim> {
        sniff(shape)
    }

    fn is_read_at_opening(&self, file: &InputFile, claim: &Claim) -> bool {
        // The trajectory of a trial is read when somebody looks at its case.
        claim.role != role::TRAJECTORY || places::last(file.folder()) != "agent"
    }

    fn fetches_itself(&self) -> bool {
        true
    }

    fn read<'a>(
        &'a self,
        bundle: &'a Bundle,
        cx: &'a Context<'a>,
    ) -> LocalFuture<'a, Result<Vec<ReadEvaluation>, Error>> {
        Box::pin(async {
            let is_read = |one: &&Rc<Claimed>| self.is_read_at_opening(&one.file, &one.claim);
            let files = bundle.files.iter().filter(is_read).map(|one| one.file.clone());
            let files: Vec<InputFile> = files.collect();
            let _fetched = cx.helpers.fetch(&files).await;
            let has = |roles: &[&str]| {
                bundle.files.iter().any(|claimed| roles.contains(&claimed.claim.role))
            };
            let evaluation = if has(&[role::BENCH, role::BENCH_TRIAL, role::BENCH_RUN]) {
                bench::read(bundle, cx).await
            } else if has(&[role::JOB, role::JOB_CONFIG, role::TRIAL, role::TRIAL_CONFIG]) {
                job::read(bundle, cx).await
            } else {
                loose::read(bundle, cx).await
            };
            evaluation.map(ReadEvaluation::alone)
        })
    }

    fn detail(&self, bundle: &Bundle, _config: &Config, case: &Run) -> Result<CaseDetail, Error> {
        detail::read(bundle, case)
    }
}

fn sniff(shape: &Shape) -> Option<Claim> {
    use ValueKind::{Array, Number, Object, Text};
    if !matches!(shape.form, Form::Document | Form::Lines) {
        return None;
    }
    let outline = &shape.outline;
    let is_cut = outline.cut.is_some();
    let is_in_head = |text: &str| memchr::memmem::find(&shape.head, text.as_bytes()).is_some();
    let has_any = |keys: &[&str]| keys.iter().any(|key| outline.member(key).is_some());
    let is_trial = outline.has("trial_name", Text);
    let (role, why) = if outline.has("schema_version", Text)
        && is_in_head("\"ATIF-v")
        && (outline.has("steps", Array) || is_cut)
    {
        (role::TRAJECTORY, "schema_version ATIF and steps")
    } else if outline.has("n_total_trials", Number) && (outline.has("stats", Object) || is_cut) {
        (role::JOB, "n_total_trials and stats")
    } else if is_trial
        && outline.has("task_name", Text)
        && has_any(&[
            "trial_uri",
            "task_checksum",
            "agent_info",
            "verifier_result",
            "exception_info",
        ])
    {
        (role::TRIAL, "trial_name and task_name with agent_info or verifier_result")
    } else if is_trial
        && outline.has("task_id", Text)
        && has_any(&["is_resolved", "parser_results"])
    {
        (role::BENCH_TRIAL, "trial_name and task_id with is_resolved")
    } else if outline.has("results", Array)
        && (outline.has_all(&["n_resolved", "accuracy"])
            || (is_in_head("\"is_resolved\"") && is_in_head("\"trial_name\"")))
    {
        (role::BENCH, "results with is_resolved")
    } else if outline.has("run_id", Text) && outline.has_all(&["agent_name", "n_concurrent_trials"])
    {
        (role::BENCH_RUN, "run_id, agent_name and n_concurrent_trials")
    } else if outline.has("task", Object)
        && outline.has("agent", Object)
        && has_any(&["trial_name", "trials_dir"])
    {
        (role::TRIAL_CONFIG, "task, agent and trial_name")
    } else if outline.has("job_name", Text)
        && (outline.has("agents", Array) || has_any(&["jobs_dir", "n_attempts"]))
    {
        (role::JOB_CONFIG, "job_name and agents")
    } else {
        return None;
    };
    Some(Claim { role, generation: None, why })
}
