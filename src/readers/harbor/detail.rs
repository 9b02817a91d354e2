//! The whole record of one trial: its result, what its agent did, what its verifier said.

use super::places::by_trial;
use super::trial::{reward, secs_between};
use super::{atif, bench, role, verifier};
use crate::input::json::Cursor;
use crate::model::{CaseDetail, CheckDetail, Locator, Run};
use crate::readers::record_value::{
    Facts, content, items, json_content, record_of, record_of_case, short_text, text, text_content,
};
use crate::readers::{Bundle, Claimed, Error};
use serde_json::Value;
use std::rc::Rc;

/// Members of a trial's result that have a place of their own on the page.
const SHOWN: [&str; 15] = [
    "trial_name",
    "task_name",
    "config",
    "agent_info",
    "agent_result",
    "verifier_result",
    "exception_info",
    "started_at",
    "finished_at",
    "environment_setup",
    "agent_setup",
    "agent_execution",
    "verifier",
    "step_results",
    "trial_results",
];

/// Reads what the files hold of a trial: the only case of its run.
pub(super) fn read(bundle: &Bundle, case: &Run) -> Result<CaseDetail, Error> {
    let (record, raw) = record_of_case(bundle, case)?;
    let source = case.cases.locator_of(0).map(|at| at.source());
    let claimed = bundle.files.iter().find(|one| Some(one.file.id) == source);
    let role = claimed.map_or("", |one| one.claim.role);
    let mut page = HarborCasePage { detail: CaseDetail::default(), facts: Facts::default() };
    page.detail.raw.push(raw);
    let (folders, rest) = by_trial(bundle);
    let name = text(&record, "trial_name").unwrap_or_default();
    let of_claimed = || {
        let own = claimed.filter(|_| role != role::BENCH)?;
        folders.values().find(|files| files.iter().any(|one| one.file.id == own.file.id))
    };
    let files: &[&Rc<Claimed>] = match bench::folder_of(bundle, name) {
        Some(folder) => folders.get(folder).map_or(&[], Vec::as_slice),
        None => of_claimed().map_or(&[], Vec::as_slice),
    };
    match role {
        role::TRAJECTORY => {
            let folder = claimed.map_or("", |one| one.file.folder());
            let beside: Vec<&Rc<Claimed>> = rest
                .into_iter()
                .filter(|one| one.file.folder() == folder && one.claim.role == role)
                .collect();
            page.trajectory(&record, &beside);
        }
        role::BENCH | role::BENCH_TRIAL => page.bench(&record),
        _ => page.trial(&record),
    }
    page.files(bundle, files, case)?;
    page.detail.facts = page.facts.into_vec();
    Ok(page.detail)
}

struct HarborCasePage {
    detail: CaseDetail,
    facts: Facts,
}

impl HarborCasePage {
    fn trial(&mut self, record: &Value) {
        let nothing = Value::Null;
        let of = |key: &str| record.get(key).unwrap_or(&nothing);
        let agent = of("agent_info");
        self.facts.member("trial", record, "trial_name");
        self.facts.member("agent", agent, "name");
        self.facts.member("agent version", agent, "version");
        if let Some(model) = agent.get("model_info") {
            self.facts.member("model", model, "name");
            self.facts.member("provider", model, "provider");
        }
        let phases = [
            ("environment setup", "environment_setup"),
            ("agent setup", "agent_setup"),
            ("agent", "agent_execution"),
            ("verifier", "verifier"),
        ];
        for (label, key) in phases {
            if let Some(secs) = secs_between(of(key)) {
                self.facts.add(&format!("seconds of {label}"), format!("{secs}"));
            }
        }
        let result = of("agent_result");
        let known = ["n_input_tokens", "n_cache_tokens", "n_output_tokens", "cost_usd", "metadata"];
        for key in known.into_iter().take(4) {
            self.facts.member(&key.replace('_', " "), result, key);
        }
        self.facts
            .unknown(result, &["rollout_details"].into_iter().chain(known).collect::<Vec<_>>());
        self.detail.actual.extend(content("what the agent left", result.get("metadata")));
        self.facts.unknown(record, &SHOWN);
        self.rewards(of("verifier_result"));
        self.exception(of("exception_info"));
        for (idx, step) in items(record, "step_results").iter().enumerate() {
            let name = text(step, "step_name").map_or_else(|| (idx + 1).to_string(), str::to_owned);
            self.detail.actual.push(json_content(&format!("step {name}"), step));
        }
    }

    fn rewards(&mut self, result: &Value) {
        for (name, value) in result.get("rewards").and_then(Value::as_object).into_iter().flatten()
        {
            self.detail.checks.push(CheckDetail {
                attempt: 1,
                name: name.clone(),
                score: reward(value),
                ..CheckDetail::default()
            });
        }
        if let Some(value) = result.get("reward") {
            let (name, score) = ("reward".to_owned(), reward(value));
            self.detail.checks.push(CheckDetail {
                attempt: 1,
                name,
                score,
                ..CheckDetail::default()
            });
        }
    }

    fn exception(&mut self, info: &Value) {
        self.facts.member("exception", info, "exception_type");
        self.facts.member("exception at", info, "occurred_at");
        let kind = text(info, "exception_type").unwrap_or("exception");
        self.detail.failure.extend(content(kind, info.get("exception_message")));
        self.detail.failure.extend(content("traceback", info.get("exception_traceback")));
    }

    fn bench(&mut self, record: &Value) {
        self.detail.input.extend(content("instruction", record.get("instruction")));
        self.facts.member("trial", record, "trial_name");
        self.facts.unknown(record, &["trial_name", "task_id", "instruction", "parser_results"]);
        let tests = record.get("parser_results").and_then(Value::as_object);
        for (name, status) in tests.into_iter().flatten() {
            let status = short_text(status);
            self.detail.checks.push(CheckDetail {
                attempt: 1,
                name: name.clone(),
                is_correct: match status.as_str() {
                    "passed" => Some(true),
                    "failed" => Some(false),
                    _ => None,
                },
                verdict: Some(status),
                ..CheckDetail::default()
            });
        }
    }

    /// What lies beside the record: the trajectory, the tests, texts.
    fn files(&mut self, bundle: &Bundle, files: &[&Rc<Claimed>], case: &Run) -> Result<(), Error> {
        let of_role =
            |role: &'static str| files.iter().filter(move |one| one.claim.role == role).copied();
        let beside: Vec<&Rc<Claimed>> = of_role(role::TRAJECTORY).collect();
        for claimed in &beside {
            if claimed.file.name() == "trajectory.json" && !self.is_raw(&claimed.file.path) {
                let span = &claimed.shape.outline.span;
                let len = span.end.saturating_sub(span.start);
                let at = Locator::Span { source: claimed.file.id, offset: span.start, len };
                match record_of(bundle, at) {
                    Ok((trajectory, raw)) => {
                        let folder = claimed.file.folder();
                        let own: Vec<&Rc<Claimed>> = beside
                            .iter()
                            .filter(|one| one.file.folder() == folder)
                            .copied()
                            .collect();
                        self.trajectory(&trajectory, &own);
                        self.detail.raw.push(raw);
                    }
                    Err(err) => {
                        let label = format!("{} cannot be read", claimed.file.name());
                        self.detail.failure.push(text_content(&label, &err.to_string()));
                    }
                }
            }
        }
        for claimed in of_role(role::TESTS) {
            let Ok(report) = verifier::tests(claimed) else { continue };
            for test in report.tests {
                self.detail.checks.push(CheckDetail {
                    attempt: 1,
                    is_correct: test.verdict().map(|one| one == crate::model::Verdict::Passed),
                    verdict: Some(test.status),
                    name: test.name,
                    reason: test.message,
                    ..CheckDetail::default()
                });
            }
        }
        let is_error = case.cases.outcome_of(0) == crate::model::Outcome::Error;
        for claimed in of_role(role::TEXT) {
            let in_file = |err: crate::input::Error| Error::from(err).in_file(&claimed.file.path);
            let bytes = claimed.file.all_bytes().map_err(in_file)?;
            let body = String::from_utf8_lossy(&bytes);
            if body.trim().is_empty() {
                continue;
            }
            let is_known = self.detail.failure.iter().any(|one| one.body.trim() == body.trim());
            match claimed.file.name() {
                "exception.txt" if is_known => {}
                name @ "exception.txt" => self.detail.failure.push(text_content(name, &body)),
                name if is_error && name == "test-stderr.txt" => {
                    self.detail.failure.push(text_content(name, &body));
                }
                name => self.detail.actual.push(text_content(name, &body)),
            }
        }
        Ok(())
    }

    fn is_raw(&self, path: &str) -> bool {
        self.detail.raw.iter().any(|raw| raw.file == path)
    }

    /// The conversation of a trajectory; `beside` are the others in its folder.
    fn trajectory(&mut self, record: &Value, beside: &[&Rc<Claimed>]) {
        let other = |name: &str| {
            let claimed = beside.iter().find(|one| one.file.name() == name)?;
            Cursor::new(&claimed.file.all_bytes().ok()?).tree().ok()
        };
        let told = atif::tell(record, &other);
        if let Some(agent) = record.get("agent") {
            self.facts.member("agent in the trajectory", agent, "name");
            self.facts.member("version in the trajectory", agent, "version");
            self.facts.member("model in the trajectory", agent, "model_name");
            self.detail.input.extend(content("tools", agent.get("tool_definitions")));
            self.facts.unknown(agent, &["name", "version", "model_name", "tool_definitions"]);
        }
        self.facts.member("session", record, "session_id");
        self.facts.member("trajectory", record, "trajectory_id");
        self.facts.member("format", record, "schema_version");
        self.facts.add("steps", items(record, "steps").len().to_string());
        if let Some(total) = record.get("final_metrics") {
            for (key, value) in total.as_object().into_iter().flatten() {
                self.facts.add(&key.replace('_', " "), short_text(value));
            }
        }
        self.detail.actual.extend(content("notes", record.get("notes")));
        self.detail.actual.extend(content("extra", record.get("extra")));
        if !told.steps.is_empty() {
            self.detail
                .actual
                .push(text_content("tokens and cost of steps", &told.steps.join("\n")));
        }
        if !told.missing.is_empty() {
            self.facts.add("trajectories that are not among the files", told.missing.join(", "));
        }
        // Several trajectories of one trial (its steps) follow one another.
        let first = self.detail.transcript.last().map_or(0, |last| last.turn.saturating_add(1));
        let behind = |turn: u32| turn.saturating_add(first);
        let messages = told.messages.into_iter();
        self.detail
            .transcript
            .extend(messages.map(|one| crate::model::Message { turn: behind(one.turn), ..one }));
        let turns = told.turns.into_iter();
        self.detail
            .turns
            .extend(turns.map(|one| crate::model::TurnDetail { turn: behind(one.turn), ..one }));
    }
}
