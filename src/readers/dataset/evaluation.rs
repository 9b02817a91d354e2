//! From small tables to evaluations whose cases have not been read.

use super::declared::{self, ComparedRows};
use super::figures::{self, TOTALS};
use super::small::SmallRows;
use super::tables::{EVALUATIONS, GATE, GROUPS, METRICS, PARTS, Tables, run_columns};
use super::{Bundle, Context, Error, ReadEvaluation, is_inside, manifest, role, wrong};
use crate::input::InputFile;
use crate::model::{
    Better, Config, Ended, Evaluation, GroupInfo, Note, NoteKind, Notes, Outcome, Place, Run,
    RunBuilder, RunKey, RunState,
};
use crate::scoring::{
    ComparedTable, Counts, StoredEvaluation, StoredPart, StoredRepeat, StoredRun,
};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// Reads the small tables of `bundle`.
pub(super) async fn read(bundle: &Bundle, cx: &Context<'_>) -> Result<Vec<ReadEvaluation>, Error> {
    let Some(manifest) = bundle.of_role(role::MANIFEST).next() else {
        return Err(wrong(
            "parts of a dataset without its manifest.json: open the whole folder; where the manifest is lost, \
             report --index makes it anew",
        ));
    };
    let said = manifest::read(&manifest.file)?;
    for fault in said.faults {
        cx.notes.add(&manifest.file.path, NoteKind::Broken, Place::File, fault);
    }
    let tables = Tables { bundle, manifest: &manifest.file, cx };
    let mut drafts = Drafts::default();
    tables.each("evaluations", EVALUATIONS, 6, &mut |row| drafts.evaluation(row)).await?;
    tables.each("runs", &run_columns(), 5, &mut |row| drafts.run(row)).await?;
    // What else there is costs only itself when it is missing or damaged.
    let repeats = [&["evaluation", "repeat", "subject"], TOTALS, GATE].concat();
    tables.try_each("repeats", &repeats, 2, &mut |row| drafts.repeat(row)).await?;
    tables.try_each("groups", GROUPS, 4, &mut |row| drafts.group(row)).await?;
    tables.try_each("metrics", METRICS, 4, &mut |row| drafts.metric(row)).await?;
    let compared = declared::read(&tables, &mut |rows| drafts.compared(&rows)).await?;
    tables.try_each("parts", PARTS, 5, &mut |row| drafts.part(row)).await?;
    if drafts.n_foreign > 0 {
        let detail = format!(
            "{} rows are left out: no evaluation of the dataset has them",
            drafts.n_foreign
        );
        cx.notes.add(&manifest.file.path, NoteKind::Mismatch, Place::File, detail);
    }
    for path in drafts.outside {
        let detail = "a part is left out: its path leads out of the dataset";
        cx.notes.add(&path, NoteKind::Broken, Place::File, detail);
    }
    Ok(drafts.all.into_iter().map(|draft| draft.finish(&manifest.file, &compared)).collect())
}

/// Evaluations that are being put together.
#[derive(Default)]
struct Drafts {
    all: Vec<Draft>,
    by_id: HashMap<String, usize>,
    /// The evaluation that was asked for last: rows of one follow each other.
    last: Option<usize>,
    /// By id, the evaluation of a run and its place there.
    runs: HashMap<String, (usize, usize)>,
    /// The config that was read last, with what it was read from: most evaluations of a dataset have the same.
    config: Option<(String, Config)>,
    /// Rows of evaluations or runs that are not there.
    n_foreign: u64,
    /// Paths of parts that are none.
    outside: Vec<String>,
}

/// One of them.
struct Draft {
    evaluation: Evaluation,
    stored: StoredEvaluation,
    /// For each run, what its row says.
    runs: Vec<RunDraft>,
    n_notes: u64,
    n_lost: u64,
}

/// A run that is being put together.
struct RunDraft {
    key: RunKey,
    label: String,
    started_at: Option<String>,
    duration_secs: Option<f64>,
    usage: Option<crate::model::RunUsage>,
    is_infrastructure_failure: Option<bool>,
    state: Option<RunState>,
    score_better: Option<Better>,
}

impl Drafts {
    fn evaluation(&mut self, row: &SmallRows) {
        let Some(id) = row.owned("evaluation") else { return self.n_foreign += 1 };
        if self.by_id.contains_key(&id) {
            return self.n_foreign += 1;
        }
        let producer = row.owned("producer").unwrap_or_default();
        let known = crate::readers::producer(&producer).map(|known| Cow::Borrowed(known.id()));
        let evaluation = Evaluation {
            producer: known.unwrap_or(Cow::Owned(producer)),
            generation: row.owned("generation").unwrap_or_default(),
            path: row.owned("path").unwrap_or_default(),
            label: row.owned("label").unwrap_or_default(),
            suite: row.owned("suite"),
            config: self.config(row),
            declared: Vec::new(),
            unchecked: Vec::new(),
            declared_json: serde_json::Value::Null,
            rows: Vec::new(),
            runs: Vec::new(),
            sources: Vec::new(),
        };
        let stored = StoredEvaluation {
            id: id.clone(),
            has_gate: row.text("gate").is_some(),
            verdict: figures::verdict(row),
            ..StoredEvaluation::default()
        };
        self.by_id.insert(id, self.all.len());
        let (n_notes, n_lost) = (row.count_or_0("n_notes"), row.count_or_0("n_lost"));
        self.all.push(Draft { evaluation, stored, runs: Vec::new(), n_notes, n_lost });
    }

    /// The rules of the files; of a dataset that was written before they stood in it, what its columns say.
    fn config(&mut self, row: &SmallRows) -> Config {
        let Some(json) = row.text("config") else { return config_of_columns(row) };
        match &self.config {
            Some((known, config)) if known == json => config.clone(),
            _ => match serde_json::from_str::<Config>(json) {
                Ok(config) => self.config.insert((json.to_owned(), config)).1.clone(),
                Err(_) => config_of_columns(row),
            },
        }
    }

    fn run(&mut self, row: &SmallRows) {
        let place = row.text("evaluation").and_then(|id| self.by_id.get(id).copied());
        let draft = place.and_then(|place| Some((place, self.all.get_mut(place)?)));
        let (Some((place, draft)), Some(id)) = (draft, row.owned("run")) else {
            return self.n_foreign += 1;
        };
        let by_kind = figures::by_kind(row);
        let totals = figures::totals(row);
        let is_declared = row.count("declared_total").is_some();
        let declared = by_kind.iter().map(|(kind, count)| (*kind, count.passed, count.total));
        let counts = if is_declared { declared.collect() } else { Vec::new() };
        let again = row.owned("again");
        let ended = row.text("ended").map(|word| match word {
            "error" => Ended::Error,
            "not_run" => Ended::NotRun,
            _ => Ended::Complete,
        });
        let has_state = ended.is_some() || again.is_some() || !counts.is_empty();
        let state =
            RunState { ended: ended.unwrap_or_default(), again, counts, ..RunState::default() };
        draft.runs.push(RunDraft {
            key: RunKey {
                suite: row.owned("suite"),
                variant: row.owned("variant"),
                subject: row.owned("subject"),
                repeat: row.count("repeat").and_then(|n| u32::try_from(n).ok()).unwrap_or(1),
                path: row.owned("path").unwrap_or_default(),
            },
            label: row.owned("label").unwrap_or_default(),
            started_at: row.owned("started_at"),
            duration_secs: row.number("duration_secs"),
            usage: figures::own_usage(row),
            is_infrastructure_failure: row.flag("is_infrastructure_failure"),
            state: has_state.then_some(state),
            score_better: row.text("score_better").and_then(Better::from_text),
        });
        self.runs.insert(id.clone(), (place, draft.stored.runs.len()));
        draft.stored.runs.push(StoredRun {
            id,
            n_cases: if is_declared { 0 } else { totals.counts.total },
            totals,
            by_kind,
            groups: Vec::new(),
            policies: figures::policies(row),
            verdict: figures::verdict(row),
            so_far: row.owned("so_far"),
        });
    }

    /// The evaluation that the row is of.
    fn of(&mut self, row: &SmallRows) -> Option<&mut Draft> {
        let id = row.text("evaluation");
        let is_it = |place: &usize| {
            self.all.get(*place).is_some_and(|draft| Some(draft.stored.id.as_str()) == id)
        };
        let place = self.last.filter(is_it).or_else(|| self.by_id.get(id?).copied());
        if place.is_none() {
            self.n_foreign += 1;
        }
        self.last = place;
        self.all.get_mut(place?)
    }

    /// The run that the row is of.
    fn run_of(&mut self, row: &SmallRows) -> Option<&mut StoredRun> {
        let place = row.text("run").and_then(|id| self.runs.get(id).copied());
        if place.is_none() {
            self.n_foreign += 1;
        }
        let (evaluation, run) = place?;
        self.all.get_mut(evaluation)?.stored.runs.get_mut(run)
    }

    fn repeat(&mut self, row: &SmallRows) {
        let Some(draft) = self.of(row) else { return };
        let repeat = row.count("repeat").and_then(|n| u32::try_from(n).ok()).unwrap_or(1);
        let totals = figures::totals(row);
        match (row.owned("subject"), draft.stored.repeats.last_mut()) {
            (Some(subject), Some(last)) if last.repeat == repeat => {
                last.subjects.push((subject, totals));
            }
            (Some(_), _) => self.n_foreign += 1,
            (None, _) => {
                let gate = figures::gate(row);
                let whole = StoredRepeat { repeat, totals, gate, subjects: Vec::new() };
                draft.stored.repeats.push(whole);
            }
        }
    }

    fn group(&mut self, row: &SmallRows) {
        if let Some(run) = self.run_of(row) {
            run.groups.push(figures::group(row));
        }
    }

    fn metric(&mut self, row: &SmallRows) {
        if let Some(run) = self.run_of(row) {
            run.totals.metrics.push(figures::metric(row));
        }
    }

    fn compared(&mut self, found: &ComparedRows<'_>) {
        let place = found.evaluation.and_then(|id| self.by_id.get(id).copied());
        let Some(draft) = place.and_then(|place| self.all.get_mut(place)) else {
            return self.n_foreign += found.rows.len() as u64;
        };
        let run = found.run.and_then(|id| self.runs.get(id)).map(|(_, place)| *place);
        draft.stored.compared.add(found.rows.clone(), run, found.severity);
    }

    fn part(&mut self, row: &SmallRows) {
        let Some(path) = row.owned("path").filter(|path| is_inside(path)) else {
            return self.outside.push(row.owned("path").unwrap_or_default());
        };
        let Some(draft) = self.of(row) else { return };
        let part = StoredPart {
            has_checks: row.text("table_name") == Some("checks"),
            path,
            rows: row.count_or_0("rows"),
            bytes: row.count_or_0("bytes"),
        };
        draft.stored.parts.push(part);
    }
}

fn config_of_columns(row: &SmallRows) -> Config {
    Config {
        primary_metric: row.owned("primary_metric"),
        empty_mean: row.number("empty_mean"),
        has_costs: row.flag("has_costs").unwrap_or(false),
        has_policies: row.flag("has_policies").unwrap_or(false),
        no_case_rule: row.owned("no_case_rule").map(Cow::Owned),
        declared_policy: row.owned("declared_policy"),
        ..Config::default()
    }
}

impl Draft {
    fn finish(self, manifest: &InputFile, compared: &Arc<ComparedTable>) -> ReadEvaluation {
        let Self { mut evaluation, mut stored, runs, n_notes, n_lost } = self;
        // It is the table of which the rows are.
        let _has_all = stored.compared.set_table(compared);
        let notes = Notes::default();
        let has_part = |has_checks| stored.parts.iter().any(|part| part.has_checks == has_checks);
        let n_cases: u64 = stored.runs.iter().map(|run| run.n_cases).sum();
        if n_cases > 0 && !has_part(false) {
            let detail = "its cases are missing in the dataset: only figures are shown";
            notes.add(&evaluation.path, NoteKind::Broken, Place::File, detail);
        }
        if n_lost > 0 {
            let (file, kind) = (evaluation.path.clone(), NoteKind::NotRead);
            let detail = "items that could not be read when the dataset was written; it keeps their number only";
            let (detail, places) = (detail.to_owned(), vec![Place::File]);
            notes.add_counted(Note { file, kind, detail, places, count: n_lost });
        }
        if n_notes > 0 {
            let detail = format!(
                "notes made when its files were read: {n_notes}; a dataset keeps their number only"
            );
            notes.add(&evaluation.path, NoteKind::Skipped, Place::File, detail);
        }
        of_single_runs(&mut stored, &runs);
        evaluation.runs = runs
            .into_iter()
            .zip(&stored.runs)
            .map(|(draft, stored)| draft.finish(stored, manifest))
            .collect();
        evaluation.sources = vec![manifest.id];
        ReadEvaluation { evaluation, notes: Some(notes.into_vec()), stored: Some(Box::new(stored)) }
    }
}

/// The tables have metrics by run. A repeat, or a subject in it, of one run has those of the run.
fn of_single_runs(stored: &mut StoredEvaluation, runs: &[RunDraft]) {
    let StoredEvaluation { runs: figures, repeats, .. } = stored;
    for repeat in repeats {
        let own = |subject: Option<&str>| {
            let is_own = |run: &RunDraft| {
                run.key.repeat == repeat.repeat
                    && subject.is_none_or(|subject| run.key.subject.as_deref() == Some(subject))
            };
            let mut own = runs.iter().zip(figures.iter()).filter(|(run, _)| is_own(run));
            let only = own.next().filter(|_| own.next().is_none());
            only.map(|(_, figures)| figures.totals.metrics.clone())
        };
        repeat.totals.metrics = own(None).unwrap_or_default();
        for (subject, totals) in &mut repeat.subjects {
            totals.metrics = own(Some(subject)).unwrap_or_default();
        }
    }
}

/// Cases by outcome. Where no rule says what passes, there is no such count.
fn by_outcome(counts: &Counts) -> Vec<(Outcome, u64)> {
    vec![
        (Outcome::Passed, counts.passed.unwrap_or(0)),
        (Outcome::Failed, counts.failed.unwrap_or(0)),
        (Outcome::Error, counts.error),
        (Outcome::Skipped, counts.skipped),
        (Outcome::Scored, counts.scored),
        (Outcome::Unscored, counts.unscored),
    ]
}

impl RunDraft {
    fn finish(self, stored: &StoredRun, manifest: &InputFile) -> Run {
        let mut builder = RunBuilder::new(self.key, self.label);
        builder.started_at = self.started_at;
        builder.duration_secs = self.duration_secs;
        builder.usage = self.usage;
        builder.is_infrastructure_failure = self.is_infrastructure_failure;
        builder.state = self.state;
        builder.score_better = self.score_better;
        builder.unread = (stored.n_cases > 0).then(|| by_outcome(&stored.totals.counts));
        builder.source(manifest.id);
        for group in &stored.groups {
            builder.group(GroupInfo {
                name: group.name.clone(),
                kind: group.kind,
                duration_secs: group.duration_secs.map(|secs| secs.0),
                weight: Some(group.weight.0),
            });
        }
        builder.finish()
    }
}
