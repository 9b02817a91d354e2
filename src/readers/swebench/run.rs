//! One model of one run: its instances as cases, and what its report states.

use super::files::{Metadata, Prediction, predictions};
use super::groups::ModelRunFiles;
use super::reports::{
    FAIL_TO_PASS, LISTS, PASS_TO_PASS, RunReport, Status, SwebenchInstance, share,
};
use crate::model::{
    CaseRow, CheckRow, Declared, DeclaredValue, Figure, NoteKind, Outcome, Place, Run, RunBuilder,
    RunKey, Scope, TAG_SEPARATOR, Verdict,
};
use crate::readers::stated_figures::DeclaredFigures;
use crate::readers::unchecked_claims::{Claims, Part};
use crate::readers::{Context, Error};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// What was made of the models of a run.
#[derive(Default)]
pub(super) struct ModelTotals {
    pub runs: Vec<Run>,
    pub declared: Vec<Declared>,
    pub claims: Claims,
    /// Reports as written, by path.
    pub stated: Map<String, Value>,
}

/// Everything that is known of one model.
struct SwebenchModel<'a> {
    report: Option<&'a RunReport>,
    predictions: BTreeMap<&'a str, &'a Prediction>,
    instances: BTreeMap<&'a str, &'a SwebenchInstance>,
}

impl ModelTotals {
    /// Adds a model.
    pub(super) async fn add(
        &mut self,
        group: &ModelRunFiles,
        metadata: &Metadata,
        cx: &Context<'_>,
    ) -> Result<(), Error> {
        let report = group.report.as_ref().map(|file| RunReport::read(file, cx)).transpose()?;
        let mut predicted = Vec::new();
        for file in &group.predictions {
            predicted.extend(predictions(file, cx).await?);
        }
        let mut instances = Vec::new();
        for file in &group.instances {
            instances.push(SwebenchInstance::read(file, cx)?);
            cx.pulse.advance(file.file.len()).await?;
        }
        if report.is_none() && instances.is_empty() && predicted.is_empty() {
            return Ok(());
        }
        let mut model = SwebenchModel {
            report: report.as_ref(),
            predictions: predicted.iter().map(|one| (one.id.as_str(), one)).collect(),
            instances: BTreeMap::new(),
        };
        for one in &instances {
            if model.instances.insert(&one.id, one).is_some() {
                let detail =
                    format!("a second report of {}: the later one in path order counts", one.id);
                cx.notes.add(&one.file, NoteKind::Duplicate, Place::File, detail);
            }
        }
        let named = predicted.iter().find_map(|one| one.model.clone());
        let subject = named.or_else(|| group.model_name().map(str::to_owned));
        let first = [&group.report].into_iter().flatten();
        let mut files = first.chain(&group.instances).chain(&group.predictions);
        let path = files.clone().next().map_or(String::new(), |file| file.file.path.clone());
        let key = RunKey {
            suite: metadata.dataset.clone(),
            variant: None,
            subject: subject.clone(),
            repeat: 1,
            path: path.clone(),
        };
        let label = subject.or_else(|| group.run_name()).unwrap_or_else(|| path.clone());
        let mut run = RunBuilder::new(key, label);
        run.started_at.clone_from(&metadata.created_at);
        files.by_ref().for_each(|file| run.source(file.file.id));
        for id in model.ids() {
            model.add_case(id, &mut run);
        }
        if let (Some(report), Some(file)) = (&report, &group.report) {
            note_outside(report, &file.file.path, cx);
            self.state(report, &model, &file.file.path);
            self.stated.insert(file.file.path.clone(), report.value.clone());
        }
        self.state_instances(&model, run.n_cases());
        self.runs.push(run.finish());
        Ok(())
    }

    /// The figures of a run report.
    fn state(&mut self, report: &RunReport, model: &SwebenchModel<'_>, path: &str) {
        let scope = Scope::Run(self.runs.len());
        let mut stated = DeclaredFigures::in_file(path);
        let value = |field: &str| report.value.get(field);
        stated.figure(&scope, "total_instances", value("total_instances"), Figure::Total);
        for (list, field) in LISTS {
            match list {
                "resolved_ids" => stated.figure(&scope, field, value(field), Figure::Passed),
                _ => {
                    let at = format!("different ids in {list}");
                    stated.count(&scope, field, value(field), report.n_in(list), at);
                }
            }
        }
        let n_containers =
            value("unstopped_containers").and_then(Value::as_array).map_or(0, Vec::len);
        let at = "length of unstopped_containers";
        stated.count(&scope, "unstopped_instances", value("unstopped_instances"), n_containers, at);
        for (id, instance) in &model.instances {
            let Some(status) = report.status(id) else { continue };
            let ours = DeclaredValue::Text(instance.status().as_str().to_owned());
            let at = format!("what {} says", instance.file);
            let field = format!("list that holds {id}");
            stated.found(&scope, field, Some(&json!(status.as_str())), ours, at);
        }
        self.claims.walk(stated.file(), &report.value, "", stated.declared(), &|path| match path {
            "schema_version" | "failure_reasons" => Part::Other,
            _ => Part::Open,
        });
        self.declared.extend(stated.into_vec());
    }

    /// The verdicts of instances, by their tests.
    fn state_instances(&mut self, model: &SwebenchModel<'_>, n_cases: usize) {
        if n_cases == 0 {
            return;
        }
        let scope = Scope::Run(self.runs.len());
        for (id, instance) in &model.instances {
            let Some((ours, says)) = instance.is_resolved_by_tests().zip(instance.resolved) else {
                continue;
            };
            let mut stated = DeclaredFigures::in_file(&instance.file);
            let at = "all FAIL_TO_PASS and PASS_TO_PASS tests are in success";
            let ours = DeclaredValue::Bool(ours);
            stated.found(&scope, format!("{id}.resolved"), Some(&json!(says)), ours, at);
            self.declared.extend(stated.into_vec());
        }
    }
}

/// Predictions for instances that are not in the data set count as submitted and as nothing else.
fn note_outside(report: &RunReport, path: &str, cx: &Context<'_>) {
    for id in report.ids().collect::<BTreeSet<_>>() {
        if report.status(id).is_none() && !report.has("completed_ids", id) {
            let detail = format!("{id} was submitted and is not in the data set: it is no case");
            cx.notes.add(path, NoteKind::Skipped, Place::Field("submitted_ids".to_owned()), detail);
        }
    }
}

impl<'a> SwebenchModel<'a> {
    /// The ids of its cases, in order: those of the report; without one all that some file names.
    fn ids(&self) -> BTreeSet<&'a str> {
        let Some(report) = self.report.filter(|report| report.ids().next().is_some()) else {
            return self.predictions.keys().chain(self.instances.keys()).copied().collect();
        };
        let is_case = |id: &&String| report.status(id).is_some() || report.has("completed_ids", id);
        report.ids().filter(is_case).map(String::as_str).collect()
    }

    fn status(&self, id: &str) -> Option<Status> {
        let by_report = self.report.and_then(|report| report.status(id));
        by_report.or_else(|| self.instances.get(id).map(|instance| instance.status())).or_else(
            || {
                let is_empty = self.predictions.get(id).is_some_and(|one| !one.has_patch);
                is_empty.then_some(Status::EmptyPatch)
            },
        )
    }

    fn add_case(&self, id: &str, run: &mut RunBuilder) {
        let (status, instance) = (self.status(id), self.instances.get(id).copied());
        let prediction = self.predictions.get(id);
        let outcome = match status {
            Some(Status::Resolved) => Outcome::Passed,
            Some(Status::Unresolved | Status::EmptyPatch) => Outcome::Failed,
            Some(Status::Error) => Outcome::Error,
            Some(Status::Incomplete) => Outcome::Skipped,
            None => Outcome::Unscored,
        };
        let in_list = |list: &str| self.report.is_some_and(|report| report.has(list, id));
        let reason = self.report.and_then(|report| report.reason(id));
        let reason = reason.or_else(|| instance.and_then(|one| one.reason.as_deref()));
        let is_infra =
            in_list("infra_failure_ids") || instance.is_some_and(|one| one.infra_failure);
        let is_unapplied = instance.is_some_and(|one| one.patch_is_applied == Some(false));
        let tags: Vec<&str> = [
            (status == Some(Status::EmptyPatch), "empty patch"),
            (status == Some(Status::Incomplete), "no prediction"),
            (is_unapplied, "patch not applied"),
            (is_infra, "infrastructure failure"),
            (in_list("ambiguous_failure_ids"), "ambiguous failure"),
        ]
        .into_iter()
        .filter_map(|(is_so, tag)| is_so.then_some(tag))
        .chain(reason)
        .collect();
        let tags = tags.join(&TAG_SEPARATOR.to_string());
        let damage = instance.and_then(|one| one.damage.as_deref());
        let message = match outcome {
            Outcome::Error => {
                Some(damage.or(reason).unwrap_or("there is no report of this instance"))
            }
            Outcome::Failed if status == Some(Status::EmptyPatch) => Some("the patch is empty"),
            Outcome::Failed if is_unapplied => {
                Some("the patch was not applied, or no test was run")
            }
            Outcome::Failed => reason,
            _ => None,
        };
        let group = repository(id);
        let mut row = CaseRow {
            id: Some(id),
            group: group.as_deref(),
            tags: (!tags.is_empty()).then_some(tags.as_str()),
            passed: match outcome {
                Outcome::Passed => Some(true),
                Outcome::Failed => Some(false),
                _ => None,
            },
            // With it figures by metric count verdicts.
            n_attempts: instance.and_then(|one| one.fail_to_pass).map(|_| 1),
            answer: prediction.and_then(|one| one.answer),
            error_category: (outcome == Outcome::Error).then_some("error"),
            error_message: message,
            ..CaseRow::default()
        }
        .with_outcome(outcome);
        // An empty report is the record only where nothing else speaks of the case.
        let named = || self.report.and_then(|report| report.place_of(id));
        let of_instance = instance.filter(|one| !one.is_blank).and_then(|one| one.at);
        row = match (of_instance, prediction.map(|one| one.at)) {
            (Some(own), Some(patch)) => row.at(own).joined_with(patch),
            (Some(only), None) | (None, Some(only)) => row.at(only),
            (None, None) => match named().or_else(|| instance.and_then(|one| one.at)) {
                Some(place) => row.at(place),
                None => row,
            },
        };
        run.case(row);
        let tests = instance
            .map(|one| [(FAIL_TO_PASS, one.fail_to_pass), (PASS_TO_PASS, one.pass_to_pass)]);
        for (name, tests) in tests.into_iter().flatten() {
            let Some(tests) = tests else { continue };
            let is_met = tests.0 == tests.1;
            let verdict = if is_met { Verdict::Passed } else { Verdict::Failed };
            run.check(CheckRow {
                attempt: Some(1),
                verdict: Some(verdict.as_str()),
                name: Some(name),
                score: Some(share(tests)),
                is_correct: Some(is_met),
                ..CheckRow::default()
            });
        }
    }
}

/// `astropy/astropy` of `astropy__astropy-12056`.
fn repository(id: &str) -> Option<String> {
    let (repository, _) = id.rsplit_once('-')?;
    repository.contains("__").then(|| repository.replacen("__", "/", 1))
}
