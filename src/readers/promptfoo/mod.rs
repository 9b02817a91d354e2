//! promptfoo: results as JSON (version 3), JSONL, YAML, XML and CSV, releases 0.103 and 0.123.
//!
//! Fixtures: `promptfoo/0.103.11`, `promptfoo/0.123.1`, with what promptfoo itself computed. Recognised by `evalId`,
//! `results` and `config`; a line by `promptIdx`, `testIdx` and `testCase`; XML by its root; CSV by its columns.
//!
//! A column of promptfoo's table (a prompt with a provider) is a run; each repeat is one more. There is no
//! number of the repeat in the file: rows of one column that are asked the same are repeats of one another (see
//! `place`). A row is a case. A test without assertions passes by promptfoo's rule with a score of 1; here it is
//! scored and not passed, since nothing was checked. Assertions are checks, a set of them is one.

mod declared;
mod detail;
mod forms;
mod head;
mod place;
mod row;

use super::records::records;
use super::{
    Bundle, Claim, Claimed, Context, Error, Format, KeysOf, Producer, ReadEvaluation, Reader,
};
use crate::input::{self, Form, InputFile, LocalFuture, Shape, ValueKind};
use crate::model::{
    CaseDetail, CaseRow, CheckRow, Config, Evaluation, Locator, NoteKind, Outcome, Place, Run,
    RunBuilder, RunKey, TAG_SEPARATOR, Verdict,
};
use head::FileHead;
use place::RowPlace;
use row::{PromptfooRow, Reasons};
use serde_json::Value;
use std::rc::Rc;

/// The reader.
pub struct Promptfoo;

/// What its files are.
mod role {
    pub const JSON: &str = "promptfoo results";
    pub const LINES: &str = "promptfoo results (JSONL)";
    pub const YAML: &str = "promptfoo results (YAML)";
    pub const XML: &str = "promptfoo results (XML)";
    pub const CSV: &str = "promptfoo results (CSV)";
}

impl Producer for Promptfoo {
    fn id(&self) -> &'static str {
        "promptfoo"
    }

    fn bundle(&self, files: Vec<Rc<Claimed>>, _keys: &KeysOf<'_>) -> Vec<Bundle> {
        files
            .into_iter()
            .map(|claimed| Bundle { path: claimed.file.path.clone(), files: vec![claimed] })
            .collect()
    }
}

impl Reader for Promptfoo {
    fn formats(&self) -> &'static [Format] {
        &[Format {
            files: "results.json, .jsonl, .yaml, .xml, .csv",
            versions: "promptfoo 0.103 – 0.123 (results version 3)",
            what: "prompts × providers, assertions, named scores, cost, latency",
        }]
    }

    fn sniff(&self, _file: &InputFile, shape: &Shape) -> Option<Claim> {
        let claim = |role, why| Some(Claim { role, generation: None, why });
        match shape.form {
            Form::Document | Form::Lines => {
                let outline = &shape.outline;
                if outline.member("evalId").is_some()
                    && outline.has("results", ValueKind::Object)
                    && (outline.has("config", ValueKind::Object) || outline.cut.is_some())
                {
                    return claim(role::JSON, "evalId, results and config");
                }
                let record = shape.record();
                let is_row = record.has("promptIdx", ValueKind::Number)
                    && record.has("testIdx", ValueKind::Number)
                    && record.has("testCase", ValueKind::Object);
                is_row.then(|| claim(role::LINES, "promptIdx, testIdx and testCase"))?
            }
            Form::Text => {
                if super::xml::root_name(&shape.head).is_some_and(|(name, _)| name == "promptfoo") {
                    return claim(role::XML, "the root element promptfoo");
                }
                if forms::is_csv(&shape.head) {
                    return claim(role::CSV, "the columns Status, Score, Named Scores");
                }
                let is_yaml = forms::is_yaml(&shape.head);
                is_yaml.then(|| claim(role::YAML, "evalId, results and prompts"))?
            }
            _ => None,
        }
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

    fn texts_from_row(&self, file: &InputFile, row: u64) -> Result<Vec<Option<String>>, Error> {
        const MOST: usize = 1_000;
        let rows = forms::rows(file)?;
        // A row that is no row has no checks, as when it was read first.
        let all = rows.iter().flat_map(row::reasons);
        Ok(all.skip(usize::try_from(row).unwrap_or(usize::MAX)).take(MOST).collect())
    }

    fn row_texts(
        &self,
        file: &InputFile,
        part: usize,
        take: &mut dyn FnMut(u64, &str),
    ) -> Result<bool, Error> {
        if part > 0 {
            return Ok(false);
        }
        for (row, value) in (0..).zip(forms::rows(file)?) {
            let bytes = serde_json::to_vec(&value).unwrap_or_default();
            input::json::any_text(&bytes, |text| {
                take(row, &text);
                false
            });
        }
        Ok(true)
    }
}

async fn read(bundle: &Bundle, cx: &Context<'_>) -> Result<Evaluation, Error> {
    let Some(claimed) = bundle.files.first() else {
        return Err(Error::new(super::ErrorKind::Gone));
    };
    let file = &claimed.file;
    let mut rows: Vec<PromptfooRow> = Vec::new();
    let mut head = FileHead::default();
    let mut n_checks = 0;
    let mut take = |value: &Value, at: Locator, bytes: &[u8]| -> Result<(), input::Error> {
        let mut row = PromptfooRow::read(value, at)?;
        row.reasons = match at {
            Locator::Span { offset, .. } => {
                let places = row::reason_places(bytes)?.into_iter().map(|place| {
                    place.map(|place| (offset + place.start as u64, place.len() as u64))
                });
                Reasons::Spans(places.collect())
            }
            Locator::Row { .. } => Reasons::Rows(n_checks),
        };
        n_checks += row.checks.len() as u64;
        rows.push(row);
        Ok(())
    };
    match claimed.claim.role {
        role::JSON => head = head::json(claimed, cx, &mut take).await?,
        role::LINES => {
            records(claimed, "row", cx, &mut |record| {
                let value = record.read(|cursor| cursor.tree())?;
                take(&value, span(file, record.offset, record.bytes.len()), record.bytes)
            })
            .await?;
        }
        _ => {
            let (own, values) = forms::whole(file)?;
            head = own;
            for (row, value) in (0..).zip(&values) {
                if let Err(err) = take(value, Locator::Row { source: file.id, row }, &[]) {
                    cx.notes.add(&file.path, err.note_kind(), Place::Row(row), err.to_string());
                }
            }
            cx.pulse.advance(file.len()).await?;
        }
    }
    evaluation(bundle, file, head, rows, cx)
}

fn span(file: &InputFile, offset: u64, len: usize) -> Locator {
    Locator::Span { source: file.id, offset, len: len as u64 }
}

fn evaluation(
    bundle: &Bundle,
    file: &InputFile,
    head: FileHead,
    mut rows: Vec<PromptfooRow>,
    cx: &Context<'_>,
) -> Result<Evaluation, Error> {
    place::number_prompts(&mut rows);
    let stated = |pointer: &str| {
        let value = Value::Object(head.rest.clone());
        value.pointer(pointer).cloned()
    };
    let repeat = [
        "/runtimeOptions/repeat",
        "/config/evaluateOptions/repeat",
        "/config/commandLineOptions/repeat",
    ]
    .iter()
    .find_map(|pointer| stated(pointer)?.as_u64());
    let placed = place::placed(&rows, repeat);
    if placed.is_guessed && placed.n_repeats > 1 {
        let detail = "the file does not say how often each test was run: rows of one prompt and provider that are \
                      asked the same are read as repeats";
        cx.notes.add(&file.path, NoteKind::Assumed, Place::File, detail);
    }
    let subjects = place::subjects(&head.prompts, &rows);
    let text = |pointer: &str| stated(pointer)?.as_str().map(str::to_owned);
    let suite = text("/config/description");
    let started_at = text("/timestamp");
    let metrics = row::metrics(&rows);
    let mut runs = Vec::new();
    for (prompt, subject) in subjects.iter().enumerate() {
        for repeat in 1..=placed.n_repeats {
            let own: Vec<(&PromptfooRow, &RowPlace)> = rows
                .iter()
                .zip(&placed.rows)
                .filter(|(row, at)| row.prompt == prompt && at.repeat == repeat)
                .collect();
            if own.is_empty() && repeat > 1 {
                continue;
            }
            let key = RunKey {
                suite: suite.clone(),
                subject: Some(subject.clone()),
                variant: None,
                repeat,
                path: file.path.clone(),
            };
            let label = match placed.n_repeats {
                1 => subject.clone(),
                _ => format!("{subject}, repeat {repeat}"),
            };
            let mut run = RunBuilder::new(key, label);
            run.source(file.id);
            run.started_at.clone_from(&started_at);
            for (row, at) in own {
                add(&mut run, row, at);
            }
            runs.push(run.finish());
        }
    }
    let (declared, unchecked) = declared::of(&file.path, &head, &rows, &subjects, placed.n_repeats);
    let version = text("/metadata/promptfooVersion");
    let results_version = stated("/version").map(|version| format!("results version {version}"));
    let mut description: Vec<(String, String)> = Vec::new();
    for (label, pointer) in [
        ("evaluation", "/evalId"),
        ("description", "/config/description"),
        ("link", "/shareableUrl"),
    ] {
        description.extend(text(pointer).map(|text| (label.to_owned(), text)));
    }
    if let Some(Value::Object(tags)) = stated("/config/tags") {
        let short = super::record_value::short_text;
        description.extend(tags.iter().map(|(key, value)| (format!("tag {key}"), short(value))));
    }
    let mut declared_json = head.rest;
    declared_json.insert("prompts".to_owned(), Value::Array(head.prompts));
    declared_json.insert("stats".to_owned(), head.stats);
    Ok(Evaluation {
        producer: "promptfoo".into(),
        generation: version.or(results_version).unwrap_or_else(|| "results version 3".to_owned()),
        path: bundle.path.clone(),
        label: suite.clone().unwrap_or_else(|| file.name().to_owned()),
        suite,
        config: Config {
            metrics,
            description,
            has_costs: true,
            case_rule: Some(
                "every assertion passes, or the score reaches the test's threshold".into(),
            ),
            score_source: Some("mean of the rows' scores".into()),
            ..Config::default()
        },
        declared,
        unchecked,
        declared_json: Value::Object(declared_json),
        rows: Vec::new(),
        runs,
        sources: vec![file.id],
    })
}

/// Adds a row to its run.
fn add(run: &mut RunBuilder, row: &PromptfooRow, at: &RowPlace) {
    let outcome = row.outcome();
    let passed = match outcome {
        Outcome::Passed => Some(true),
        Outcome::Failed | Outcome::Error => Some(false),
        _ => None,
    };
    let tags = row.tags.join(&TAG_SEPARATOR.to_string());
    let tokens = |name: &str| row.tokens.iter().find(|(own, _)| own == name).map(|(_, n)| *n);
    let case = CaseRow {
        id: Some(&at.id),
        variant: at.variant.as_deref(),
        group: row.group.as_deref(),
        tags: (!tags.is_empty()).then_some(tags.as_str()),
        score: row.score,
        passed,
        is_attempted: Some(outcome != Outcome::Error),
        n_attempts: Some(1),
        duration_secs: row.latency_ms.map(|millis| millis / 1000.0),
        prompt_tokens: tokens("prompt"),
        completion_tokens: tokens("completion"),
        cached_input_tokens: tokens("cached"),
        reasoning_tokens: tokens("completionDetails.reasoning"),
        cost_usd: row.cost,
        answer: row.answer,
        error_category: (outcome == Outcome::Error).then_some("provider"),
        error_message: row.message.as_deref().filter(|_| passed == Some(false)),
        ..CaseRow::default()
    };
    run.case(case.with_outcome(outcome).with_asked(row.asked).at(row.at));
    let source = row.at.source();
    for (nth, check) in (0..).zip(&row.checks) {
        let verdict =
            check.passed.map(|passed| if passed { Verdict::Passed } else { Verdict::Failed });
        let own = CheckRow {
            attempt: Some(1),
            name: Some(&check.name),
            score: check.score,
            is_correct: check.passed,
            weight: check.weight,
            verdict: verdict.map(Verdict::as_str),
            ..CheckRow::default()
        };
        let place = |places: &[Option<(u64, u64)>]| places.get(check.component?).copied()?;
        run.check(match &row.reasons {
            Reasons::Spans(places) => match place(places) {
                Some((offset, len)) => own.reasoned_at(source, offset, len),
                None => own,
            },
            Reasons::Rows(first) if check.component.is_some() => {
                own.reasoned_in_row(source, first + nth)
            }
            Reasons::Rows(_) | Reasons::Unknown => own,
        });
    }
}
