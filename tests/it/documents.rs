//! What a run directory holds beyond cases: streams of the agent, changes, prompts, findings, outputs.

use crate::reading::seen::Seen;
use crate::support::{core_of, file, fixture, fixture_files};
use evalglass::export::{Contents, ExportTarget};
use evalglass::input::{Dropped, Limits, Pulse, open, walk_disk, walk_disk_with};
use evalglass::model::{DocumentDetail, DocumentKind, Message, Notes};
use evalglass::readers::{Import, InProcess, Marks, import, reader};
use evalglass::reading::Body;
use evalglass::reading::{AgentRunPage, AgentShown, DocumentShown};
use evalglass::worker::protocol::{Answer, ExportKind, Question};
use serde_json::{Value, json};

/// A document that is of the run after the skill, or of the one before where that is all there is.
const SKILL: &str = "Prompt of the skill";

const CRASHED: &str = "slop-code/agent/crashed_run";

fn imported(files: Vec<Dropped>) -> Vec<Import> {
    let (notes, pulse) = (Notes::default(), Pulse::silent());
    let mut next_id = 0;
    let limits = Limits::default();
    let opened = pollster::block_on(open(files, &mut next_id, &limits, &notes, &pulse)).unwrap();
    let marks = Marks::default();
    let alone = InProcess::default();
    let done = import(opened, &[], &[], &|_| false, &marks, &alone, &pulse);
    pollster::block_on(done).unwrap().imports
}

/// The document called `title` of the run whose path ends with `run`.
fn document(imports: &[Import], run: &str, title: &str) -> DocumentDetail {
    for import in imports {
        for one in &import.evaluation.runs {
            let known = one.documents.iter().position(|document| document.title == title);
            if let Some(idx) = known.filter(|_| one.key.path.ends_with(run)) {
                let reader = reader(import.producer.id()).unwrap();
                return reader.document(&import.bundle, &one.only_documents(&[idx])).unwrap();
            }
        }
    }
    panic!("{run} has no {title}")
}

fn titles(imports: &[Import], run: &str) -> Vec<String> {
    let runs = imports.iter().flat_map(|import| &import.evaluation.runs);
    let mut own = runs.filter(|one| one.key.path.ends_with(run));
    let documents = &own.next().unwrap().documents;
    let shown = documents.iter().filter(|document| document.title != SKILL);
    shown.map(|document| document.title.clone()).collect()
}

fn fact<'a>(detail: &'a DocumentDetail, label: &str) -> &'a str {
    let found = detail.record.facts.iter().find(|fact| fact.label.starts_with(label));
    found.map_or("", |fact| fact.value.as_str())
}

/// The transcript that `lines` give.
fn stream(lines: &str) -> DocumentDetail {
    let mut files = fixture_files(CRASHED);
    files.retain(|file| !file.path.ends_with("checkpoint_2/agent/stdout.jsonl"));
    files.push(file("crashed_run/parcel_router/checkpoint_2/agent/stdout.jsonl", lines));
    document(&imported(files), "checkpoint_2", "Agent")
}

fn words(message: &Message) -> (&str, &str, &str) {
    (&message.role, message.tool.as_deref().unwrap_or_default(), &message.text)
}

#[test]
fn every_checkpoint_names_its_own_documents() {
    let imports = imported(fixture_files(CRASHED));
    assert_eq!(
        titles(&imports, "/checkpoint_1"),
        [
            "Agent",
            "Sub-agent a7f3",
            "Changes",
            "Prompt",
            "Tools used before the skill",
            "Findings of ast-grep rules",
            "Code quality by file",
            "Code quality by symbol",
            "pytest stderr",
            "pytest stdout",
        ]
    );
    assert_eq!(
        titles(&imports, "/checkpoint_2"),
        ["Error of the agent", "Error of the run", "Agent", "Changes", "Prompt", "pytest stdout"]
    );
    assert_eq!(titles(&imports, "/after_skill"), ["Agent", "Tools used by the skill"]);
}

#[test]
fn what_a_run_info_at_the_top_says_reaches_the_checkpoints_beside_it() {
    let problem = |of: Dropped| {
        let inner = of.path.split_once("/parcel_router/").map(|(_, inner)| inner.to_owned())?;
        Some(Dropped { path: inner, ..of })
    };
    let imports = imported(fixture_files(CRASHED).into_iter().filter_map(problem).collect());
    let own = titles(&imports, "checkpoint_2");
    assert!(own.iter().any(|title| title == "Error of the run"), "{own:?}");
    let other = titles(&imports, "checkpoint_1");
    assert!(other.iter().all(|title| title != "Error of the run"), "{other:?}");
}

#[test]
fn a_stream_becomes_a_conversation_with_sub_agents_behind_their_calls() {
    let detail = document(&imported(fixture_files(CRASHED)), "/checkpoint_1", "Agent");
    let said: Vec<(&str, Option<&str>)> = detail
        .record
        .transcript
        .iter()
        .map(|message| (message.role.as_str(), message.agent.as_deref()))
        .collect();
    let sub = Some("Look for edge cases");
    assert_eq!(
        said,
        [
            ("event", None),
            ("reasoning", None),
            ("assistant", None),
            ("assistant", None),
            ("tool", None),
            ("assistant", None),
            ("user", sub),
            ("assistant", sub),
            ("tool", sub),
            ("assistant", sub),
            ("tool", None),
            ("assistant", None),
            ("tool", None),
            ("event", None),
            ("assistant", None),
            ("tool", None),
            ("assistant", None),
            ("result", None),
        ]
    );
    let messages = &detail.record.transcript;
    assert_eq!(
        words(&messages[4]),
        ("tool", "Read", "# Parcel router\nRoute each parcel to its depot.\n")
    );
    assert!(messages[12].is_error && messages[12].text.contains("NameError"));
    assert!(messages[13].text.contains("rate_limit_event"), "an unknown line is kept whole");
    // Three lines share one id: what it used counts once, as its last line says.
    let turns = &detail.record.turns;
    let used = |turn: usize| {
        turns[turn].usage.iter().map(|(words, n)| (words.as_str(), *n)).collect::<Vec<_>>()
    };
    assert_eq!(turns.len(), 5);
    assert_eq!(used(0)[..2], [("input tokens", 100.0), ("output tokens", 25.0)]);
    assert!(used(1).contains(&("sub-agent input tokens", 70.0)), "{:?}", used(1));
    assert!(used(1).contains(&("sub-agent output tokens", 31.0)));
    assert_eq!(
        fact(&detail, "Used by 7 answers"),
        "207 input tokens, 165 output tokens, 4600 cache read tokens, 1090 cache write tokens"
    );
    assert_eq!(fact(&detail, "Cost, as declared"), "$0.18");
    assert_eq!(fact(&detail, "Result"), "success");
    assert_eq!(fact(&detail, "Time"), "61.5 s");
    assert_eq!(fact(&detail, "Usage of birch-1").split(", ").next(), Some("inputTokens 207"));
}

#[test]
fn a_crash_keeps_the_last_step_the_error_and_the_line_that_is_cut_off() {
    let imports = imported(fixture_files(CRASHED));
    let detail = document(&imports, "/checkpoint_2", "Agent");
    let last: Vec<_> = detail.record.transcript.iter().rev().take(3).map(words).collect();
    let cut = "{\"type\":\"assistant\",\"message\":{\"id\":\"msg_3\",\"content\":[{\"type\":\"te";
    assert_eq!(last[0], ("unreadable line", "", cut));
    assert_eq!(last[1], ("result", "", "Agent process exited with code 137"));
    assert_eq!((last[2].0, last[2].1), ("assistant", "Bash"));
    assert_eq!(fact(&detail, "Result"), "error_during_execution (error)");
    assert!(fact(&detail, "Damage").starts_with("line 8 (byte "), "{}", fact(&detail, "Damage"));
    assert!(fact(&detail, "Damage").contains("cut off"));

    let error = document(&imports, "/checkpoint_2", "Error of the run");
    assert_eq!(fact(&error, "Type of the error"), "AgentRunnerError");
    let texts: Vec<&str> = error.record.failure.iter().map(|text| text.label.as_str()).collect();
    assert_eq!(texts, ["Error message", "Traceback"]);
    assert!(
        error.record.failure[1]
            .body
            .ends_with("AgentRunnerError: Agent process exited with code 137\n")
    );
    let error = document(&imports, "/checkpoint_2", "Error of the agent");
    assert_eq!(error.record.failure[0].body, "Agent process exited with code 137");
}

#[test]
fn strange_lines_are_kept_where_they_stand() {
    let lines = "{\"type\":\"assistant\",\"session_id\":\"s\",\"message\":{\"id\":\"1\",\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"image\",\"source\":\"x\"}]}}\n\
        not json at all\n\
        {\"type\":\"assistant\",\"message\":\"no object\"}\n\
        [1, 2]\n\
        {\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"gone\",\"content\":null}]}}\n\
        {\"type\":\"assistant\",\"parent_tool_use_id\":\"nobody\",\"message\":{\"id\":\"2\",\"content\":\"plain\"}}\n";
    let detail = stream(lines);
    let said: Vec<_> = detail.record.transcript.iter().map(words).collect();
    assert_eq!(said[0], ("assistant", "", "a"));
    assert_eq!(said[1], ("event", "", "{\"type\":\"image\",\"source\":\"x\"}"));
    assert_eq!(said[2], ("unreadable line", "", "not json at all"));
    assert_eq!(said[3].0, "event");
    assert_eq!(said[4], ("event", "", "[1,2]"));
    assert_eq!(said[5], ("tool", "", "null"));
    assert_eq!(said[6], ("assistant", "", "plain"));
    assert_eq!(detail.record.transcript[6].agent.as_deref(), Some("nobody"));
    assert_eq!(said.len(), 7);
    assert_eq!(fact(&detail, "Damage").split(':').next(), Some("line 2 (byte 128) cannot be read"));
    assert_eq!(stream("").record.transcript, []);
}

#[test]
fn calls_that_start_each_other_end() {
    let call = |id: &str, parent: &str| {
        json!({"type": "assistant", "session_id": "s", "parent_tool_use_id": parent, "message": {
            "content": [{"type": "tool_use", "id": id, "name": "Task", "input": {}}]}})
        .to_string()
    };
    let lines = [call("a", "b"), call("b", "a"), call("c", "c")].join("\n");
    assert_eq!(stream(&lines).record.transcript.len(), 3);
}

#[test]
fn changes_are_listed_with_what_kind_they_are() {
    let imports = imported(fixture_files(CRASHED));
    let detail = document(&imports, "/checkpoint_1", "Changes");
    let shown: Vec<(&str, &str, bool, Option<u64>)> = detail
        .changes
        .iter()
        .map(|one| (one.path.as_str(), one.change.as_str(), one.is_binary, one.n_added))
        .collect();
    assert_eq!(
        shown,
        [
            ("router.py", "created", false, Some(2)),
            ("util/names.py", "modified", false, Some(1)),
            ("old.py", "deleted", false, Some(0)),
            ("logo.png", "created", true, Some(0)),
        ]
    );
    assert_eq!(fact(&detail, "Files changed"), "4, lines +3 −2");
    let texts: Vec<Option<usize>> = detail.changes.iter().map(|one| one.text).collect();
    assert_eq!(texts, [Some(0), Some(1), Some(2), None]);
    assert!(detail.record.actual[1].body.contains("\n+NAME"));
    let empty = document(&imports, "/checkpoint_2", "Changes");
    assert_eq!(fact(&empty, "Files changed"), "none: the file is empty");
    assert!(empty.changes.is_empty());

    let mut files = fixture_files(CRASHED);
    files.retain(|file| !file.path.ends_with("checkpoint_2/diff.json"));
    let cut = "{\"from_checksum\":\"a\",\"file_diffs\":{\"a.py\":{\"path\":\"a.py\",\"change_type\":\"renamed\",\"lines_added\":-1},\"b.py\":{\"pa";
    files.push(file("crashed_run/parcel_router/checkpoint_2/diff.json", cut));
    let detail = document(&imported(files), "/checkpoint_2", "Changes");
    assert_eq!((detail.changes.len(), detail.changes[0].change.as_str()), (1, "renamed"));
    assert_eq!(detail.changes[0].n_added, None, "no count");
    assert!(fact(&detail, "Damage").contains("what comes before is shown"));
}

#[test]
fn tables_and_texts_are_read_whole() {
    let imports = imported(fixture_files(CRASHED));
    let table = document(&imports, "/checkpoint_1", "Findings of ast-grep rules").table.unwrap();
    assert_eq!(
        table.columns,
        ["rule_id", "severity", "file_path", "line", "message", "category", "column"]
    );
    assert_eq!(table.rows[1][4], "re is <b>unused</b>");
    let used = document(&imports, "/checkpoint_1", "Tools used before the skill");
    assert_eq!(used.table.as_ref().unwrap().rows[0], ["Bash", "1"]);
    assert_eq!(fact(&used, "steps"), "5");
    let skill = document(&imports, "", SKILL);
    assert!(skill.record.input[0].body.starts_with("Review the code"));
    let output = document(&imports, "/checkpoint_1", "pytest stderr");
    assert_eq!(output.record.actual[0].body, "Installed 5 packages in 12ms\n");
}

#[test]
fn of_an_agents_folder_only_its_streams_are_opened() {
    let walk = walk_disk(&fixture(CRASHED)).unwrap();
    let opened = |end: &str| walk.files.iter().any(|file| file.path.ends_with(end));
    assert!(opened("checkpoint_1/agent/stdout.jsonl"));
    assert!(opened("after_skill/agent/stdout.jsonl"));
    assert!(opened("agent/workspace/projects/-workspace/agent-a7f3.jsonl"));
    assert!(!opened("stderr.log") && !opened("1.json") && !opened("snapshot/router.py"));
    let whole = walk_disk_with(&fixture(CRASHED), &["agent".to_owned()]).unwrap();
    let is_there = |end: &str| whole.files.iter().any(|file| file.path.ends_with(end));
    assert!(is_there("agent/stderr.log") && !is_there("snapshot/router.py"), "as it was asked for");
    let counts: Vec<(&str, u64)> = walk
        .pruned
        .iter()
        .map(|(path, n)| (path.strip_prefix("crashed_run/parcel_router/").unwrap(), *n))
        .collect();
    assert_eq!(counts, [("checkpoint_1/agent", 2), ("checkpoint_1/snapshot", 1),]);
}

#[test]
fn tens_of_thousands_of_files_beside_a_stream_are_counted_and_not_opened() {
    let root = std::env::temp_dir().join(format!("evalglass-agent-{}", std::process::id()));
    let agent = root.join("run/p/checkpoint_1/agent");
    for folder in 0..30 {
        let folder = agent.join(format!("workspace/venv{folder}/lib"));
        std::fs::create_dir_all(&folder).unwrap();
        for file in 0..1_000 {
            // An empty file is made in a third of the time; none of them is looked into.
            std::fs::File::create(folder.join(format!("{file}.json"))).unwrap();
        }
    }
    std::fs::write(agent.join("stdout.jsonl"), "{}").unwrap();
    let walk = walk_disk(&root.join("run")).unwrap();
    std::fs::remove_dir_all(&root).unwrap();
    let paths: Vec<&str> = walk.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["run/p/checkpoint_1/agent/stdout.jsonl"]);
    assert_eq!(walk.pruned, [("run/p/checkpoint_1/agent".to_owned(), 30_000)]);
}

/// The report on the crashed run, with or without details.
fn report(details: bool) -> Vec<u8> {
    let core = core_of(fixture_files(CRASHED));
    let contents = Contents { details, transcripts: details, raw: false, only: None };
    let scope = ExportTarget { contents, ..ExportTarget::default() };
    match pollster::block_on(core.export(ExportKind::ReportJson, scope, &Pulse::silent())) {
        Ok(Answer::Export(download)) => download.bytes,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_report_keeps_documents_as_far_as_it_carries_details() {
    let schema = include_str!("../../schema/evalglass-report-1.json");
    let validator = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
    let before = imported(fixture_files(CRASHED));
    for details in [true, false] {
        let bytes = report(details);
        let faults: Vec<String> = validator
            .iter_errors(&serde_json::from_slice::<Value>(&bytes).unwrap())
            .map(|err| err.to_string())
            .take(3)
            .collect();
        assert!(faults.is_empty(), "{faults:?}");
        let after = imported(vec![file("report.json", bytes)]);
        for run in ["/checkpoint_1", "/checkpoint_2", "/after_skill"] {
            assert_eq!(titles(&after, run), titles(&before, run));
            for title in titles(&before, run) {
                let kept = document(&after, run, &title);
                if details {
                    assert_eq!(kept, document(&before, run, &title), "{run} {title}");
                } else {
                    assert!(fact(&kept, "left out").ends_with("is not in this report"));
                }
            }
        }
    }
}

#[test]
fn kinds_of_documents_read_back() {
    for kind in DocumentKind::ALL {
        assert_eq!(DocumentKind::from_text(kind.as_str()), Some(kind));
    }
}

/// The page about run `nth`.
fn page(nth: u32, spot: &str) -> (evalglass::worker::core::Core, AgentRunPage) {
    let core = core_of(fixture_files(CRASHED));
    let page = page_of(&core, nth, spot);
    (core, page)
}

fn page_of(core: &evalglass::worker::core::Core, nth: u32, spot: &str) -> AgentRunPage {
    let run = evalglass::report::RunRef { evaluation: 0, run: nth };
    let target = evalglass::report::Target::Run(run);
    let request = Question::Agent { target, spot: spot.to_owned() };
    match core.answer(request) {
        Ok(Answer::Agent(page)) => match *page {
            AgentShown::Run(page) => *page,
            AgentShown::Runs(runs) => panic!("{runs:?}"),
        },
        other => panic!("the page is there: {other:?}"),
    }
}

fn part(core: &evalglass::worker::core::Core, name: &str) -> Seen {
    match core.answer(Question::Part(name.to_owned())) {
        Ok(Answer::Part(part)) => Seen::of_part(&part),
        other => panic!("{name} is there: {other:?}"),
    }
}

/// What is in the documents of a page, those that are asked for included.
fn all_of(core: &evalglass::worker::core::Core, page: &AgentRunPage) -> Vec<Seen> {
    let of = |document: &DocumentShown| match &document.body {
        Body::Here(pieces) => Seen::of(pieces),
        Body::Part(name) => part(core, name),
    };
    page.documents.iter().map(of).collect()
}

#[test]
fn the_page_shows_errors_at_once_and_the_way_to_the_last_step() {
    // The evaluation after the skill lies between the two checkpoints.
    let (core, crashed) = page(2, "2-last");
    let here = crashed.documents.iter().filter_map(|document| match &document.body {
        Body::Here(pieces) => Some(Seen::of(pieces)),
        Body::Part(_) => None,
    });
    let here: String = here.map(|seen| format!("{}{}", seen.said, seen.markup())).collect();
    assert!(here.contains("AgentRunnerError: Agent process exited with code 137"), "{here}");
    let later = |document: &DocumentShown| {
        document.is_open && document.body == Body::Part("0.2.d2:whole".to_owned())
    };
    assert!(crashed.documents.iter().any(later), "the transcript comes when it is near");
    let way = crashed.spot.expect("there is a way");
    assert_eq!(way.id, "d2-m-4");
    assert_eq!(way.through, ["0.2.d2:whole", "0.2.d2:transcript:0:7"]);
    let transcript = part(&core, "0.2.d2:whole");
    assert!(transcript.ids.iter().any(|id| id == "d2-m-4"));
    let drawn = format!("{}{}", transcript.said, transcript.markup());
    assert!(drawn.contains("python -m pytest -q -k small"), "{drawn}");
    let has_address = transcript.addresses.iter().any(|address| address.ends_with("part=2-1"));
    assert!(has_address, "messages have addresses");
}

#[test]
fn documents_of_one_page_share_no_ids() {
    let (core, page) = page(0, "");
    let mut known = std::collections::HashSet::new();
    let mut said = String::new();
    let headings = page.documents.iter().map(DocumentShown::id);
    headings.for_each(|id| assert!(known.insert(id.clone()), "{id} twice"));
    for seen in all_of(&core, &page) {
        for id in seen.ids.iter().chain(&seen.inner_ids) {
            assert!(known.insert(id.to_owned()), "{id} twice");
        }
        said.push_str(&seen.said);
    }
    assert!(known.contains("d1-m-0"), "the sub-agent's own file");
    assert!(said.contains("Some(\"Look for edge cases"), "{said}");
}

#[test]
fn hostile_text_stays_text() {
    let hostile = "<script>alert(1)</script><img src=x onerror=y>\"'\u{202e}\0";
    let line = json!({"type": "assistant", "session_id": hostile, "message": {"id": hostile, "role": hostile,
        "content": [{"type": "text", "text": hostile}, {"type": "tool_use", "id": hostile, "name": hostile,
        "input": {hostile: hostile}}]}});
    let diff = json!({"from_checksum": "a", "file_diffs": {hostile: {"change_type": hostile,
        "diff_text": hostile, "lines_added": 1}}});
    let findings = json!({"rule_id": hostile, "severity": hostile, hostile: {"a": hostile}});
    let mut files = fixture_files(CRASHED);
    let folder = "crashed_run/parcel_router/checkpoint_2";
    for (name, text) in [
        ("agent/stdout.jsonl", line.to_string()),
        ("diff.json", diff.to_string()),
        ("quality_analysis/ast_grep.jsonl", findings.to_string()),
        ("prompt.txt", hostile.to_owned()),
    ] {
        let path = format!("{folder}/{name}");
        files.retain(|file| file.path != path);
        files.push(file(&path, text));
    }
    let core = core_of(files);
    let page = page_of(&core, 2, hostile);
    let seen = all_of(&core, &page);
    let drawn: String = seen.iter().map(Seen::markup).collect();
    let said: String = seen.iter().map(|seen| seen.said.as_str()).collect();
    assert!(said.contains("<script>"));
    for tag in ["<script", "<img", "onerror=\""] {
        assert!(!drawn.contains(tag), "{tag}");
    }
}
