//! What lies around a checkpoint's results: streams of the agent, its prompt, changes, analysis, outputs.
//!
//! Producer's definition: `formats` §1 and §8 (layout of a run directory). Which documents a checkpoint has
//! is known from the roles of its files; each is read when somebody looks at it.

use super::bundle::upwards;
use super::detail::plain;
use super::run_files::{Document, RunFiles};
use super::{after_skill, agent_stream, role, snapshot_diff};
use crate::input::json::Cursor;
use crate::input::{InputFile, Pulse, at_once, each_line, yaml};
use crate::model::{
    CaseDetail, Content, ContentFormat, DocumentDetail, DocumentKind, DocumentTable, Fact, Locator,
    Run, RunDocument,
};
use crate::order::Order as _;
use crate::readers::{Bundle, Claimed, Error, ErrorKind};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// Columns of tables that come first; the others follow in the order of the file.
const FIRST: [&str; 8] =
    ["rule_id", "severity", "name", "type", "file_path", "line", "start", "message"];

/// Adds to the runs what the files hold beyond their cases. `folders` are those of the checkpoints.
pub(super) fn attach(runs: &mut [Run], folders: &[String], bundle: &Bundle, files: &RunFiles) {
    let owners = DocumentOwners::new(folders, bundle);
    for claimed in &bundle.files {
        let Some((folder, kind, title)) = place(claimed) else { continue };
        if let Some(run) = owners.run(runs, folder) {
            run.documents.push(document(claimed, kind, title));
        }
    }
    for document in &*files.inferences {
        let error = document.value.get("had_error").and_then(Value::as_bool) == Some(true)
            || document.value.get("error_message").is_some_and(|message| !message.is_null());
        if error && let Some(run) = owners.run(runs, document.folder()) {
            owners.push(run, document, DocumentKind::Error, "Error of the agent");
        }
    }
    for document in &*files.run_infos {
        run_info(runs, &owners, document);
    }
    for run in runs {
        let rank = |one: &RunDocument| (one.kind, !one.title.starts_with(MAIN), one.file.clone());
        run.documents.order_by_key(rank);
    }
}

/// Which run a document belongs to, and where it lies.
struct DocumentOwners<'a> {
    /// Folders of the runs.
    folders: &'a [String],
    /// By folder, the first run.
    first: HashMap<&'a str, usize>,
    /// By folder, the runs in it and below.
    below: HashMap<&'a str, Vec<usize>>,
    /// By path, the files of the bundle.
    files: HashMap<&'a str, &'a Claimed>,
}

impl<'a> DocumentOwners<'a> {
    fn new(folders: &'a [String], bundle: &'a Bundle) -> Self {
        let numbered = || folders.iter().map(String::as_str).zip(0..);
        let mut below: HashMap<&str, Vec<usize>> = HashMap::new();
        for (folder, at) in numbered() {
            for outer in upwards(folder) {
                below.entry(outer).or_default().push(at);
            }
        }
        let files = bundle.files.iter().rev();
        let files = files.map(|claimed| (claimed.file.path.as_str(), &**claimed)).collect();
        let mut first = HashMap::new();
        for (folder, at) in numbered() {
            first.entry(folder).or_insert(at);
        }
        Self { folders, first, below, files }
    }

    /// The run in `folder`.
    fn run<'r>(&self, runs: &'r mut [Run], folder: &str) -> Option<&'r mut Run> {
        runs.get_mut(*self.first.get(folder)?)
    }

    /// Gives `run` the file of `of`.
    fn push(&self, run: &mut Run, of: &Document, kind: DocumentKind, title: &str) {
        let claimed = self.files.get(&*of.path);
        run.documents.extend(claimed.map(|claimed| document(claimed, kind, title.to_owned())));
    }

    /// Whether run `at` is that of a checkpoint evaluated again after a skill.
    fn is_after(&self, at: usize) -> bool {
        self.folders.get(at).is_some_and(|folder| after_skill::is_in(folder))
    }
}

/// Title of the agent's own transcript.
const MAIN: &str = "Agent";

/// The folder of the checkpoint that a file belongs to, and what it is of it.
fn place(claimed: &Claimed) -> Option<(&str, DocumentKind, String)> {
    let (folder, name) = (claimed.file.folder(), claimed.file.name());
    let in_folder = |inner: &str| folder.strip_suffix(inner)?.strip_suffix('/').or(Some(""));
    let title = |text: &str| text.to_owned();
    Some(match claimed.claim.role {
        role::AGENT_STREAM => match folder.split_once("/agent/workspace/") {
            Some((own, _)) => {
                let stem = name.strip_suffix(".jsonl").unwrap_or(name);
                let id = stem.strip_prefix("agent-").unwrap_or(stem);
                (own, DocumentKind::Transcript, format!("Sub-agent {id}"))
            }
            None => {
                let own = in_folder("agent").unwrap_or(folder);
                (own, DocumentKind::Transcript, title(MAIN))
            }
        },
        role::DIFF => (folder, DocumentKind::Changes, title("Changes")),
        role::PROMPT => (folder, DocumentKind::Prompt, title("Prompt")),
        role::TRAJECTORY => {
            let when = if name.contains("before") {
                "Tools used before the skill"
            } else if name.contains("after") {
                "Tools used by the skill"
            } else {
                "Tools used"
            };
            (folder, DocumentKind::Usage, title(when))
        }
        role::QUALITY | role::SYMBOLS | role::FILE_QUALITY => {
            let own = in_folder("quality_analysis").unwrap_or(folder);
            let what = match claimed.claim.role {
                role::QUALITY => "Findings of ast-grep rules",
                role::SYMBOLS => "Code quality by symbol",
                _ => "Code quality by file",
            };
            (own, DocumentKind::Findings, title(what))
        }
        role::PYTEST_OUTPUT => {
            let own = in_folder("evaluation").unwrap_or(folder);
            let what = if name.contains("err") { "pytest stderr" } else { "pytest stdout" };
            (own, DocumentKind::Output, title(what))
        }
        _ => return None,
    })
}

fn document(claimed: &Claimed, kind: DocumentKind, title: String) -> RunDocument {
    let file = &claimed.file;
    let at = Locator::Span { source: file.id, offset: 0, len: file.len() };
    RunDocument { kind, title, file: file.path.clone(), at }
}

/// What `run_info.yaml` says of a problem: its error goes to the checkpoints that ended in one, else to
/// the last one that there is; the prompt of the skill to what was evaluated after it.
fn run_info(runs: &mut [Run], owners: &DocumentOwners<'_>, document: &Document) {
    let own = owners.below.get(document.folder()).map(Vec::as_slice).unwrap_or_default();
    let is_after = |at: &usize| owners.is_after(*at);
    if skill_prompt(&document.value).is_some() {
        let has_after = own.iter().any(is_after);
        for at in own.iter().copied().filter(|at| is_after(at) == has_after) {
            if let Some(run) = runs.get_mut(at) {
                owners.push(run, document, DocumentKind::Prompt, SKILL);
            }
        }
    }
    let summary = document.value.get("summary");
    let said = |key: &str| summary.and_then(|all| all.get(key)).filter(|value| !value.is_null());
    let has_error = said("state").and_then(Value::as_str) == Some("error")
        || ERRORS.iter().any(|key| said(key).is_some());
    if !has_error {
        return;
    }
    let states = said("checkpoints");
    let is_error = |at: &usize| {
        let name = runs.get(*at).and_then(|run| run.key.variant.as_deref());
        let state = name.and_then(|name| states?.get(name)?.as_str());
        state == Some("error") && !is_after(at)
    };
    let mut named: Vec<usize> = own.iter().copied().filter(is_error).collect();
    if named.is_empty() {
        named.extend(own.iter().copied().rfind(|at| !is_after(at)));
    }
    for at in named {
        if let Some(run) = runs.get_mut(at) {
            owners.push(run, document, DocumentKind::Error, "Error of the run");
        }
    }
}

/// Title of the prompt of the skill.
const SKILL: &str = "Prompt of the skill";

/// Members of a summary that say why it ended in an error.
const ERRORS: [&str; 3] = ["error_type", "error_message", "error_traceback"];

fn skill_prompt(info: &Value) -> Option<&str> {
    info.pointer("/post_checkpoint_skill/prompt")?.as_str()
}

/// Reads document `idx` of `run`.
///
/// # Errors
/// When it is gone or damaged.
pub(super) fn read(bundle: &Bundle, run: &Run) -> Result<DocumentDetail, Error> {
    let gone = || Error::new(ErrorKind::Gone);
    let document = run.documents.first().ok_or_else(gone)?;
    let source = document.at.source();
    let claimed = bundle.files.iter().find(|claimed| claimed.file.id == source).ok_or_else(gone)?;
    let file = &claimed.file;
    let of = |record: CaseDetail| DocumentDetail { record, ..DocumentDetail::default() };
    match claimed.claim.role {
        role::AGENT_STREAM => agent_stream::read(file).map(of),
        role::DIFF => snapshot_diff::read(file),
        role::PROMPT => {
            text(file, "Prompt").map(|text| of(CaseDetail { input: text, ..CaseDetail::default() }))
        }
        role::PYTEST_OUTPUT => text(file, &document.title)
            .map(|text| of(CaseDetail { actual: text, ..CaseDetail::default() })),
        role::TRAJECTORY => json(file).map(|value| usage(&value)),
        role::INFERENCE => json(file).map(|value| of(inference(&value))),
        role::RUN_INFO => {
            let bytes = bytes(file)?;
            let info = yaml::parse(&String::from_utf8_lossy(&bytes)).map_err(|err| {
                Error::new(ErrorKind::Format(err.to_string())).in_file(&file.path)
            })?;
            Ok(of(if document.kind == DocumentKind::Prompt { skill(&info) } else { state(&info) }))
        }
        _ => table(file),
    }
}

fn bytes(file: &InputFile) -> Result<Vec<u8>, Error> {
    file.all_bytes().map_err(|err| Error::from(err).in_file(&file.path))
}

fn json(file: &InputFile) -> Result<Value, Error> {
    let bytes = bytes(file)?;
    Cursor::new(&bytes).tree().map_err(|err| Error::from(err).in_file(&file.path))
}

fn text(file: &InputFile, label: &str) -> Result<Vec<Content>, Error> {
    let body = String::from_utf8_lossy(&bytes(file)?).into_owned();
    Ok(vec![Content { label: label.to_owned(), body, format: ContentFormat::Text }])
}

fn fact(label: &str, value: &Value) -> Fact {
    Fact { label: label.to_owned(), value: plain(value) }
}

fn failure(label: &str, value: Option<&Value>) -> Option<Content> {
    let body = value.filter(|value| !value.is_null()).map(plain).filter(|body| !body.is_empty())?;
    Some(Content { label: label.to_owned(), body, format: ContentFormat::Text })
}

/// Why the agent ended in an error, by `inference_result.json`.
fn inference(value: &Value) -> CaseDetail {
    let known =
        [("started", "Started"), ("completed", "Ended"), ("elapsed", "Seconds of the agent")];
    CaseDetail {
        facts: known
            .iter()
            .filter_map(|(key, label)| Some(fact(label, value.get(*key)?)))
            .collect(),
        failure: failure("Error message", value.get("error_message")).into_iter().collect(),
        ..CaseDetail::default()
    }
}

/// Why the run of a problem ended in an error, by `run_info.yaml`.
fn state(info: &Value) -> CaseDetail {
    let none = Value::Null;
    let summary = info.get("summary").unwrap_or(&none);
    let known = [
        ("state", "State of the run"),
        ("error_type", "Type of the error"),
        ("started", "Started"),
        ("ended", "Ended"),
    ];
    let is_said = |value: &&Value| !value.is_null();
    let mut facts: Vec<Fact> = known
        .iter()
        .filter_map(|(key, label)| Some(fact(label, summary.get(*key).filter(is_said)?)))
        .collect();
    let states = summary.get("checkpoints").and_then(Value::as_object);
    facts.extend(states.into_iter().flatten().map(|(name, state)| fact(name, state)));
    let texts = [("error_message", "Error message"), ("error_traceback", "Traceback")];
    let failure = texts.iter().filter_map(|(key, label)| failure(label, summary.get(*key)));
    CaseDetail { facts, failure: failure.collect(), ..CaseDetail::default() }
}

/// The skill after a checkpoint, by `run_info.yaml`.
fn skill(info: &Value) -> CaseDetail {
    let body = skill_prompt(info).unwrap_or_default().to_owned();
    let input = vec![Content { label: SKILL.to_owned(), body, format: ContentFormat::Text }];
    let rest = info.get("post_checkpoint_skill").and_then(Value::as_object);
    let rest = rest.into_iter().flatten().filter(|(key, _)| *key != "prompt");
    let facts = rest.map(|(key, value)| fact(key, value)).collect();
    CaseDetail { facts, input, ..CaseDetail::default() }
}

/// What an agent used, by `trajectory_stats_*.json`: tools with counts as a table, the rest as facts.
fn usage(value: &Value) -> DocumentDetail {
    let members = value.as_object().into_iter().flatten();
    let rest = members.filter(|(key, _)| *key != "tools_used");
    let facts = rest.map(|(key, value)| fact(&key.replace('_', " "), value)).collect();
    let tools = value.get("tools_used").and_then(Value::as_object);
    let table = tools.map(|tools| DocumentTable {
        columns: vec!["Tool".to_owned(), "Calls".to_owned()],
        rows: tools.iter().map(|(name, count)| vec![name.clone(), plain(count)]).collect(),
    });
    let record = CaseDetail { facts, ..CaseDetail::default() };
    DocumentDetail { record, table, changes: Vec::new() }
}

/// Lines of records as a table; a line that cannot be read is named and costs only itself.
fn table(file: &InputFile) -> Result<DocumentDetail, Error> {
    let (mut rows, mut faults): (Vec<Map<String, Value>>, Vec<Fact>) = (Vec::new(), Vec::new());
    let damage = |value: String| Fact { label: "Damage".to_owned(), value };
    let pulse = Pulse::silent();
    let read = at_once(each_line(
        file,
        &pulse,
        &mut |record| {
            if let Value::Object(row) = record.read(|cursor| cursor.tree())? {
                rows.push(row);
            }
            Ok(())
        },
        &mut |_, number, err| faults.push(damage(format!("line {number}: {}", err.reason()))),
    ));
    let tail = read.ok_or_else(|| Error::new(ErrorKind::Gone))?;
    let tail = tail.map_err(|err| Error::from(err).in_file(&file.path))?;
    faults.extend(tail.cut.map(|(_, number, _)| damage(format!("line {number} is cut off"))));
    let is_first = |key: &&str| rows.iter().any(|row| row.contains_key(*key));
    let mut columns: Vec<String> = FIRST.into_iter().filter(is_first).map(str::to_owned).collect();
    let mut known: std::collections::HashSet<String> = columns.iter().cloned().collect();
    for key in rows.iter().flat_map(Map::keys) {
        if known.insert(key.clone()) {
            columns.push(key.clone());
        }
    }
    let cell = |row: &Map<String, Value>, key: &String| match row.get(key) {
        None | Some(Value::Null) => String::new(),
        Some(value) => plain(value),
    };
    let shown = rows.iter().map(|row| columns.iter().map(|key| cell(row, key)).collect()).collect();
    let record = CaseDetail { facts: faults, ..CaseDetail::default() };
    let table = (!rows.is_empty()).then_some(DocumentTable { columns, rows: shown });
    Ok(DocumentDetail { record, table, changes: Vec::new() })
}
