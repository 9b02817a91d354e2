//! DeepEval: test runs as it writes them beside the console and into its results folder.
//!
//! Source: deepeval 4.3.1 and 3.0.0, `test_run/test_run.py` and `test_run/api.py`. One file is one test run.
//! 4.x writes the same run up to three times (`.latest_run_full.json`, `.latest_test_run.json` with one more
//! level, `test_run_*.json` in the results folder): copies are read once. A test case passes when no metric that
//! is not marked flaky fails; metrics say themselves whether they succeed, since the direction of a threshold
//! is not recorded. Fixtures: `deepeval/4.3.1`.

mod copies;
mod declared;
mod detail;
mod test_case;

use super::record_value::{number, short_text, text};
use super::records::{elements, elements_in, members};
use super::unchecked_claims::Claims;
use super::{
    Bundle, Claim, Claimed, ContentKeys, Context, Error, ErrorKind, Format, KeysOf, Producer,
    ReadEvaluation, Reader,
};
use crate::input::{Form, InputFile, LocalFuture, Outline, Record, Shape, ValueKind, outline};
use crate::model::{
    CaseDetail, Config, Evaluation, NoteKind, Place, Run, RunBuilder, RunKey, SourceId,
};
use serde_json::Value;
use std::rc::Rc;
use test_case::TestCase;

/// The reader.
pub struct DeepEval;

const RUN: &str = "test run";
const WRAPPED_RUN: &str = "latest test run";
const CACHE: &str = "cache of metrics";

const WRAPPER: &str = "testRunData";
const SINGLE_TURN: &str = "testCases";
const CONVERSATIONAL: &str = "conversationalTestCases";

impl Producer for DeepEval {
    fn id(&self) -> &'static str {
        "deepeval"
    }

    fn bundle(&self, files: Vec<Rc<Claimed>>, keys: &KeysOf<'_>) -> Vec<Bundle> {
        copies::bundle(files, keys)
    }
}

impl Reader for DeepEval {
    fn formats(&self) -> &'static [Format] {
        &[Format {
            files: ".latest_run_full.json, .latest_test_run.json, test_run_*.json",
            versions: "3.0 – 4.3",
            what: "test cases and conversations with the scores, verdicts and reasons of their metrics",
        }]
    }

    fn sniff(&self, _file: &InputFile, shape: &Shape) -> Option<Claim> {
        sniff(shape)
    }

    fn content_keys(&self, claimed: &Claimed) -> ContentKeys {
        copies::keys(claimed)
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
    use ValueKind::{Array, Object};
    if !matches!(shape.form, Form::Document | Form::Lines) {
        return None;
    }
    let outline = &shape.outline;
    let is_in_head = |text: &str| memchr::memmem::find(&shape.head, text.as_bytes()).is_some();
    let is_run = outline.has(SINGLE_TURN, Array)
        && (outline.has(CONVERSATIONAL, Array)
            || outline.has("metricsScores", Array)
            || (outline.cut.is_some() && is_in_head("\"metricsData\"")));
    let (role, why) = if is_run {
        (RUN, "testCases with conversationalTestCases or metricsScores")
    } else if outline.has(WRAPPER, Object) && is_in_head("\"testCases\"") {
        (WRAPPED_RUN, "testRunData with testCases")
    } else if outline.has("test_cases_lookup_map", Object) {
        (CACHE, "test_cases_lookup_map")
    } else {
        return None;
    };
    Some(Claim { role, generation: None, why })
}

/// Where the members of a run lie: in the file itself, or one level below.
struct Root<'a> {
    claimed: &'a Claimed,
    /// The run's own members, where they lie one level below.
    inner: Option<Outline>,
}

impl<'a> Root<'a> {
    async fn of(claimed: &'a Claimed, cx: &Context<'_>) -> Result<Self, Error> {
        let member = claimed.shape.outline.member(WRAPPER).filter(|_| claimed.claim.role != RUN);
        let inner = match member {
            Some(member) => Some(
                outline(&claimed.file, member.span.start, cx.pulse)
                    .await
                    .map_err(|err| Error::from(err).in_file(&claimed.file.path))?,
            ),
            None => None,
        };
        Ok(Self { claimed, inner })
    }

    fn outline(&self) -> &Outline {
        self.inner.as_ref().unwrap_or(&self.claimed.shape.outline)
    }

    /// The test cases of the list called `key`.
    async fn cases(&self, key: &str, cx: &Context<'_>) -> Result<Vec<TestCase>, Error> {
        let mut cases = Vec::new();
        let mut take = |record: Record<'_>| TestCase::read(record).map(|case| cases.push(case));
        match self.outline().member(key) {
            Some(member) if self.inner.is_some() => {
                let (file, span) = (&self.claimed.file, member.span.clone());
                elements_in(file, span, "test case", cx, &mut take).await?;
            }
            _ => elements(self.claimed, key, "test case", cx, &mut take).await?,
        }
        Ok(cases)
    }
}

async fn read(bundle: &Bundle, cx: &Context<'_>) -> Result<Evaluation, Error> {
    let of_runs = bundle.files.iter().filter(|claimed| claimed.claim.role != CACHE);
    let others = || bundle.files.iter().filter(|claimed| claimed.claim.role == CACHE);
    for cache in others() {
        let detail = "the cache of DeepEval holds answers of metrics for later runs, no results";
        cx.notes.add(&cache.file.path, NoteKind::Skipped, Place::File, detail);
    }
    let Some(claimed) = copies::first(of_runs.clone()) else {
        return others()
            .next()
            .map(|cache| only_cache(bundle, cache))
            .ok_or_else(|| Error::new(ErrorKind::Gone));
    };
    let file = &claimed.file;
    for copy in of_runs.filter(|other| other.file.id != file.id) {
        let detail = format!("the same test run as {}", file.path);
        cx.notes.add(&copy.file.path, NoteKind::Skipped, Place::File, detail);
    }
    let root = Root::of(claimed, cx).await?;
    let metadata = members(claimed, root.outline(), &[SINGLE_TURN, CONVERSATIONAL], cx)?;
    let mut cases = root.cases(SINGLE_TURN, cx).await?;
    let n_single = cases.len();
    cases.extend(root.cases(CONVERSATIONAL, cx).await?);

    let own = |key: &str| text(&metadata, key).map(str::to_owned);
    let model = metadata.get("hyperparameters").and_then(|all| text(all, "model"));
    let suite = own("datasetAlias").or_else(|| own("testFile"));
    let key = RunKey {
        suite: suite.clone(),
        variant: None,
        subject: model.map(str::to_owned),
        repeat: 1,
        path: file.path.clone(),
    };
    let started_at = bundle.files.iter().find_map(|claimed| copies::time_of(claimed.file.name()));
    let label = own("identifier").unwrap_or_else(|| match &started_at {
        Some(at) => format!("DeepEval {at}"),
        None => file.name().to_owned(),
    });
    let mut run = RunBuilder::new(key, label.clone());
    run.source(file.id);
    run.started_at = started_at;
    // A run that was saved before its end says 0.
    run.duration_secs = number(&metadata, "runDuration").filter(|secs| *secs > 0.0);
    let mut metrics: Vec<String> = Vec::new();
    for case in &cases {
        case.add_to(&mut run, file);
        for metric in case.all_metrics() {
            if !metrics.contains(&metric.name) {
                metrics.push(metric.name.clone());
            }
        }
    }
    let is_unit = |score: f64| (0.0..=1.0).contains(&score);
    let mut scores = cases.iter().flat_map(TestCase::all_metrics).filter_map(|metric| metric.score);
    let (declared, unchecked) = declared::of(&file.path, &metadata, &cases, n_single);
    Ok(Evaluation {
        config: Config {
            metrics,
            case_rule: Some("no metric may fail; those marked flaky do not count".into()),
            has_any_scores: scores.any(|score| !is_unit(score)),
            description: description(&metadata),
            ..Config::default()
        },
        declared,
        unchecked,
        declared_json: metadata,
        runs: vec![run.finish()],
        ..bare(bundle, label, suite, file.id)
    })
}

/// An evaluation without results.
fn bare(bundle: &Bundle, label: String, suite: Option<String>, source: SourceId) -> Evaluation {
    Evaluation {
        producer: "deepeval".into(),
        generation: "3.0 – 4.3".to_owned(),
        path: bundle.path.clone(),
        label,
        suite,
        config: Config::default(),
        declared: Vec::new(),
        unchecked: Claims::default().into_vec(),
        declared_json: Value::Null,
        rows: Vec::new(),
        runs: Vec::new(),
        sources: vec![source],
    }
}

/// A cache that lies alone.
fn only_cache(bundle: &Bundle, cache: &Claimed) -> Evaluation {
    let why = "this is DeepEval's cache of metrics, which holds no test run: open .latest_run_full.json or \
        the file of the run in the results folder";
    Evaluation {
        config: Config { no_runs: Some(why.to_owned()), ..Config::default() },
        ..bare(bundle, cache.file.name().to_owned(), None, cache.file.id)
    }
}

/// What the run was made with, in its user's words.
fn description(metadata: &Value) -> Vec<(String, String)> {
    let members = metadata.get("hyperparameters").and_then(Value::as_object);
    members.into_iter().flatten().map(|(key, value)| (key.clone(), short_text(value))).collect()
}
