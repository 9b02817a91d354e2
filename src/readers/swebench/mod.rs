//! SWE-bench: run reports, reports of instances, predictions, and the logs beside them.
//!
//! Source: swebench 5.0.2 and 4.1.0, `harness/reporting.py`, `harness/grading.py`. `MODEL.RUN.json` lists ids by
//! what became of them; `logs/run_evaluation/RUN/MODEL/INSTANCE/` holds a report and logs of each instance. One
//! evaluation is one RUN, a run in it one MODEL. The lists overlap: an instance whose report is empty or broken
//! is both completed and an error. Fixtures: `swebench/5.0.2`.

mod detail;
mod files;
mod groups;
mod reports;
mod run;

use super::{
    Bundle, Claim, Claimed, Context, Error, Format, KeysOf, Producer, ReadEvaluation, Reader,
};
use crate::input::{Form, InputFile, LocalFuture, Shape, ValueKind};
use crate::model::{CaseDetail, Config, Evaluation, Run};
use std::rc::Rc;

/// The reader.
pub struct SweBench;

/// What a file of this producer is.
mod role {
    /// `MODEL.RUN.json`.
    pub const RUN: &str = "run report";
    /// `report.json` of an instance.
    pub const INSTANCE: &str = "instance report";
    /// `predictions.jsonl`, `preds.json`.
    pub const PREDICTIONS: &str = "predictions";
    /// `run.json`: what a run was graded against.
    pub const METADATA: &str = "run metadata";
    /// `test_output.txt`, `run_instance.log`, `patch.diff`, `eval.sh` of an instance.
    pub const TEXT: &str = "log of an instance";
}

/// Files of an instance that are texts of its case.
const TEXTS: [&str; 4] = ["test_output.txt", "run_instance.log", "patch.diff", "eval.sh"];
const INSTANCE_REPORT: &str = "report.json";

impl Producer for SweBench {
    fn id(&self) -> &'static str {
        "swebench"
    }

    fn sniff_beside(&self, file: &InputFile, shape: &Shape) -> Option<Claim> {
        let role = match file.name() {
            INSTANCE_REPORT => role::INSTANCE,
            name if TEXTS.contains(&name) && shape.form != Form::Binary => role::TEXT,
            _ => return None,
        };
        Some(Claim { role, generation: None, why: "its name, beside the files of a run" })
    }

    fn reaches_siblings(&self) -> bool {
        true
    }

    /// The report of the run, and the logs of the instance.
    fn is_read_with(&self, other: &Claimed, _own: &Claimed, run: &Run) -> bool {
        let instance = groups::last(other.file.folder());
        let is_of_case = || (0..run.cases.len()).any(|idx| run.cases.id.get(idx) == Some(instance));
        other.claim.role == role::RUN || (other.claim.role == role::TEXT && is_of_case())
    }

    fn bundle(&self, files: Vec<Rc<Claimed>>, _keys: &KeysOf<'_>) -> Vec<Bundle> {
        groups::bundle(files)
    }
}

impl Reader for SweBench {
    fn formats(&self) -> &'static [Format] {
        &[Format {
            files: "MODEL.RUN.json, logs/run_evaluation/RUN/MODEL/INSTANCE/report.json, predictions.jsonl",
            versions: "4.1 – 5.0",
            what: "instances by what became of them, tests that had to pass, patches and logs",
        }]
    }

    fn sniff(&self, _file: &InputFile, shape: &Shape) -> Option<Claim> {
        sniff(shape)
    }

    fn read<'a>(
        &'a self,
        bundle: &'a Bundle,
        cx: &'a Context<'a>,
    ) -> LocalFuture<'a, Result<Vec<ReadEvaluation>, Error>> {
        Box::pin(async { read(bundle, cx).await.map(ReadEvaluation::alone) })
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
    let is_in_head = |text: &str| memchr::memmem::find(&shape.head, text.as_bytes()).is_some();
    let counts = ["submitted_instances", "completed_instances", "resolved_instances"];
    let of_run = counts.iter().all(|key| outline.has(key, Number));
    let record = shape.record();
    let of_record = |key: &str| record.has(key, Text) || record.has(key, ValueKind::Null);
    let first = outline.members.first().filter(|member| member.kind == Object);
    let has_ids =
        || outline.member("resolved_ids").is_some() || outline.has("submitted_ids", Array);
    let (role, why) = if of_run && (has_ids() || outline.cut.is_some()) {
        (role::RUN, "resolved_instances and resolved_ids")
    } else if record.has("instance_id", Text) && of_record("model_patch") {
        (role::PREDICTIONS, "instance_id and model_patch")
    } else if outline.has("dataset", Text)
        && outline.has_all(&["split", "task_repo", "created_at"])
        && outline.members.len() < 8
    {
        (role::METADATA, "dataset, split and task_repo")
    } else if first.is_some() && is_in_head("\"model_patch\"") && is_in_head("\"instance_id\"") {
        (role::PREDICTIONS, "instances with instance_id and model_patch")
    } else if let [only] = outline.members.as_slice()
        && only.kind == Object
        && (is_in_head("\"patch_successfully_applied\"")
            || (outline.cut.is_some() && is_instance(&only.key) && is_in_head("\"resolved\"")))
    {
        (role::INSTANCE, "an instance with patch_successfully_applied or resolved")
    } else {
        return None;
    };
    Some(Claim { role, generation: None, why })
}

/// Whether `key` looks like the id of an instance: `django__django-11099`.
fn is_instance(key: &str) -> bool {
    let number = key.rsplit_once('-').map_or("", |(_, number)| number);
    key.contains("__") && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

async fn read(bundle: &Bundle, cx: &Context<'_>) -> Result<Evaluation, Error> {
    let groups = groups::of(&bundle.files);
    let metadata = files::metadata(bundle, cx)?;
    let mut made = run::ModelTotals::default();
    for group in &groups {
        made.add(group, &metadata, cx).await?;
    }
    let no_runs = made.runs.is_empty().then(|| {
        "no instance is named in these files: open the report of the run, MODEL.RUN.json".to_owned()
    });
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let label = groups.iter().find_map(groups::ModelRunFiles::run_name);
    Ok(Evaluation {
        producer: "swebench".into(),
        generation: "4.1 – 5.0".to_owned(),
        path: bundle.path.clone(),
        label: label.unwrap_or_else(|| name(&bundle.path)),
        suite: metadata.dataset.clone(),
        config: Config {
            metrics: vec![reports::FAIL_TO_PASS.to_owned(), reports::PASS_TO_PASS.to_owned()],
            no_verdict: Some("SWE-bench has no rule that passes or fails a run".into()),
            case_rule: Some(
                "every FAIL_TO_PASS and every PASS_TO_PASS test must pass; an empty patch resolves nothing".into(),
            ),
            no_runs,
            description: metadata.description(),
            ..Config::default()
        },
        declared: made.declared,
        unchecked: made.claims.into_vec(),
        declared_json: serde_json::Value::Object(made.stated),
        rows: Vec::new(),
        runs: made.runs,
        sources: bundle.files.iter().map(|claimed| claimed.file.id).collect(),
    })
}
