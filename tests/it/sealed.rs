//! Sealed reports: what goes in, what is taken out, and that the block opens to the same.

use crate::kept::folders;
use crate::support::{core_of, file, fixture_files, report_of};
use evalglass::address::{CasePlace, CompareView, Page, Route};
use evalglass::export::seal::{SealWishes, sealed_file};
use evalglass::export::{Contents, ExportKind, ExportTarget};
use evalglass::input::{Dropped, Pulse};
use evalglass::render::Look;
use evalglass::report::{Name, RunRef, Target, Tree};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{
    Answer, Download, Failure, Question, SealComplaint, SealOffer, SealSummary,
};
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::Read as _;
use std::rc::Rc;

const KEY: &str = "sk-proj-0123456789abcdefghijklmnop";
/// Everything, with secrets.
fn without_redaction() -> SealWishes {
    SealWishes { masks_secrets: false, ..usual() }
}

fn usual() -> SealWishes {
    SealWishes::default()
}

/// What a block says: its attributes, and its content unpacked.
struct Block {
    attributes: BTreeMap<String, String>,
    report: Vec<u8>,
    n_bytes: usize,
    summary: String,
}

impl Block {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.report).expect("a report is JSON")
    }

    fn view(&self) -> Route {
        let hash = self.attributes["data-view"].replace("&amp;", "&");
        Route::from_hash(&hash, &tree(&self.opened()))
    }

    /// A core that has opened it, as the page does.
    fn opened(&self) -> Core {
        core_of(vec![file("evalglass-report.json", self.report.clone())])
    }
}

fn tree(core: &Core) -> Tree {
    let Ok(Answer::Workspace(tree)) = core.answer(Question::Look(Look::default())) else {
        panic!("there is always a tree")
    };
    tree
}

/// What the dialog is told: sizes and what was replaced, or patterns that are none.
fn prepare(
    core: &Core,
    view: &Route,
    wishes: SealWishes,
) -> Result<Result<Box<SealSummary>, Vec<SealComplaint>>, Failure> {
    match pollster::block_on(core.seal(&view.to_hash(&tree(core)), wishes, &Pulse::silent()))? {
        Answer::Sealed(found) => Ok(found),
        other => panic!("a summary, not {other:?}"),
    }
}

fn sealed(core: &Core, view: &Route, wishes: SealWishes) -> Block {
    let summary = prepare(core, view, wishes).expect("it is sealed").expect("patterns are sound");
    let summary = format!("{summary:?}");
    let Ok(Answer::Export(Download { bytes, .. })) = core.answer(Question::SealSave) else {
        panic!("what was prepared is saved")
    };
    assert_eq!(core.answer(Question::SealSave), Err(Failure::Gone), "it is given out once");
    let text = String::from_utf8(bytes).expect("base64 in HTML");
    let (head, rest) = text.split_once('>').expect("a start tag");
    let packed = rest.strip_suffix("</script>\n").expect("an end tag");
    let head = head.strip_prefix("<script type=\"application/gzip\"").expect("no script that runs");
    let attribute = |part: &str| {
        let (name, value) = part.trim().split_once("=\"").expect("name and value");
        (name.to_owned(), value.to_owned())
    };
    let attributes = head.split_terminator('"').collect::<Vec<_>>();
    let attributes = attributes.chunks(2).map(|two| attribute(&two.join("\""))).collect();
    let mut report = Vec::new();
    GzDecoder::new(decoded(packed).as_slice()).read_to_end(&mut report).expect("gzip");
    Block { attributes, report, n_bytes: text.len(), summary }
}

/// The bytes of base64.
fn decoded(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => panic!("{letter} is no letter of base64"),
    };
    let mut bytes = Vec::new();
    for four in text.as_bytes().chunks(4) {
        let own: Vec<u8> = four.iter().filter(|letter| **letter != b'=').copied().collect();
        let bits = own.iter().fold(0_u32, |bits, letter| (bits << 6) | u32::from(value(*letter)));
        let bits = bits << (6 * (4 - own.len()));
        bytes.extend(&bits.to_be_bytes()[1..own.len()]);
    }
    bytes
}

fn everything() -> Route {
    Route::default()
}

fn letta() -> Core {
    core_of(fixture_files("letta-evals/0.25.1_reward"))
}

#[test]
fn every_fixture_is_sealed_whole_and_small() {
    for folder in folders() {
        let core = core_of(fixture_files(&folder));
        if !core.has_evaluations() {
            continue;
        }
        let block = sealed(&core, &everything(), without_redaction());
        let contents = Contents { details: true, transcripts: true, raw: true, only: None };
        let scope = ExportTarget { contents, ..ExportTarget::default() };
        let exported =
            pollster::block_on(core.export(ExportKind::ReportJson, scope, &Pulse::silent()));
        let Ok(Answer::Export(Download { bytes, .. })) = exported else { panic!("{folder}") };
        let whole = bytes.strip_suffix(b"}\n").unwrap();
        let (head, signature) = block.report.split_at(whole.len());
        assert!(head == whole, "{folder}: the block holds the export as it is");
        assert!(signature.starts_with(b",\"sealed\":{\"made\":"), "{folder}");
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        std::io::Write::write_all(&mut packer, &block.report).unwrap();
        let limit = packer.finish().unwrap().len() as f64 * 1.4;
        assert!(block.n_bytes as f64 <= limit, "{folder}: {} bytes of {limit}", block.n_bytes);
    }
}

#[test]
fn masking_secrets_changes_no_fixture_but_for_secrets() {
    for folder in folders() {
        let core = core_of(fixture_files(&folder));
        if !core.has_evaluations() {
            continue;
        }
        let plain = sealed(&core, &everything(), without_redaction());
        let masked = sealed(&core, &everything(), usual());
        assert!(plain.report == masked.report, "{folder}: {}", masked.summary);
    }
}

#[test]
fn what_is_not_asked_for_is_not_there() {
    let core = letta();
    let whole = sealed(&core, &everything(), without_redaction()).json();
    let case = &whole["runs"][0]["cases"][0];
    assert!(["detail", "transcript", "turns", "raw"].iter().all(|name| case.get(name).is_some()));
    // Words of the agent that no other part of the report repeats.
    let reasoning = case["transcript"][1]["text"].as_str().unwrap();

    let block = sealed(
        &core,
        &everything(),
        SealWishes {
            transcripts: false,
            is_open: true,
            made: "today".to_owned(),
            before: "fields".to_owned(),
            ..usual()
        },
    );
    let text = String::from_utf8(block.report.clone()).unwrap();
    assert!(!text.contains(reasoning) && text.contains("the answer is 7"));
    let report = block.json();
    let case = &report["runs"][0]["cases"][0];
    assert!(case.get("detail").is_some());
    assert!(["transcript", "turns", "raw"].iter().all(|name| case.get(name).is_none()));
    let attribute = |name: &str| block.attributes[name].as_str();
    assert_eq!(attribute("id"), "sealed");
    assert_eq!((attribute("data-view"), attribute("data-drop")), ("#/2/overview", "yes"));
    let signature = json!({
        "made": "today",
        "version": env!("CARGO_PKG_VERSION"),
        "left_out": ["fields", "transcripts", "raw records"],
    });
    assert_eq!(report["sealed"], signature);

    let bare =
        sealed(&core, &everything(), SealWishes { details: false, transcripts: false, ..usual() });
    let case = &bare.json()["runs"][0]["cases"][0];
    assert!(case.get("detail").is_none() && case.get("raw").is_none());
    assert_eq!(bare.attributes.get("data-drop"), None, "it is read-only");
}

/// The same evaluation with keys in its configuration and its conversations.
fn with_keys() -> Vec<Dropped> {
    let mut files = fixture_files("letta-evals/0.25.1_reward");
    for one in &mut files {
        let mut bytes = vec![0; usize::try_from(one.data.len()).unwrap()];
        one.data.read_at(0, &mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let text = text
            .replace("\"api_key\": null", &format!("\"api_key\": \"{KEY}\""))
            .replace("How many invoices", &format!("With {KEY}, how many invoices"));
        *one = file(&one.path, text);
    }
    files
}

#[test]
fn secrets_do_not_leave_the_page() {
    let core = core_of(with_keys());
    let open = String::from_utf8(sealed(&core, &everything(), without_redaction()).report).unwrap();
    assert!(open.contains(KEY), "it is in what was read");
    let block = sealed(&core, &everything(), usual());
    let text = String::from_utf8(block.report.clone()).unwrap();
    assert!(!text.contains(KEY) && text.contains("With sk-…, how many invoices"));
    assert!(
        block.summary.contains("API key (sk-…)") && !block.summary.contains(KEY),
        "{}",
        block.summary
    );
    assert!(block.json()["sealed"]["left_out"].to_string().contains("secrets masked"));
    let (mut old, mut new) = (report_of(&core), report_of(&block.opened()));
    for report in [&mut old, &mut new] {
        report.as_object_mut().unwrap().remove("notes");
    }
    assert_eq!(old["runs"][0]["score"], new["runs"][0]["score"]);
    assert_eq!(old["evaluations"][0]["aggregate"], new["evaluations"][0]["aggregate"]);
}

#[test]
fn fields_and_patterns_are_taken_out() {
    let core = letta();
    let wishes = SealWishes {
        fields: "agent_id\nreasoning".to_owned(),
        patterns: "invoices? did .+ send".to_owned(),
        ..usual()
    };
    let block = sealed(&core, &everything(), wishes);
    let text = String::from_utf8(block.report.clone()).unwrap();
    assert!(!text.contains("agent-e41f0b60") && !text.contains("invoices did"));
    assert!(text.contains("How many [redacted]?"));
    assert!(
        block.summary.contains("field agent_id")
            && block.summary.contains("pattern invoices? did .+ send")
    );
    assert!(block.opened().has_evaluations());

    let wishes = SealWishes { patterns: "fine\n(open".to_owned(), ..usual() };
    let complaints = prepare(&core, &everything(), wishes).unwrap().unwrap_err();
    let places: Vec<_> = complaints.iter().map(|one| (one.line, one.pattern.as_str())).collect();
    assert_eq!(places, [(2, "(open")]);
    assert!(!complaints[0].reason.is_empty());
    assert_eq!(core.answer(Question::SealSave), Err(Failure::Gone), "nothing was prepared");
}

#[test]
fn a_view_keeps_all_scores_and_its_own_details() {
    let core = letta();
    let view =
        Route { target: Target::Evaluation(0), text: "outcome:failed".to_owned(), ..everything() };
    let wishes = SealWishes { is_view: true, ..usual() };
    let report = sealed(&core, &view, wishes.clone()).json();
    let cases: Vec<&Value> = report["runs"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|run| run["cases"].as_array().unwrap())
        .collect();
    let n_all = report_of(&core)["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| run["cases"].as_array().unwrap().len())
        .sum::<usize>();
    assert_eq!(cases.len(), n_all);
    let (with, without): (Vec<&Value>, Vec<&Value>) =
        cases.iter().partition(|case| case.get("detail").is_some());
    assert!(!with.is_empty() && with.iter().all(|case| case["outcome"] == "failed"));
    assert!(!without.is_empty() && without.iter().all(|case| case["outcome"] != "failed"));

    let missing = Route::from_hash("#/2/overview?of=rebel:elsewhere", &tree(&core));
    assert_eq!(prepare(&core, &missing, wishes), Err(Failure::Gone));
}

#[test]
fn the_view_means_the_same_in_the_sealed_report() {
    let core = core_of(fixture_files("rebel/basic"));
    for folder in ["letta-evals/0.25.1_reward", "slop-code/g2/v1.0"] {
        pollster::block_on(core.open(fixture_files(folder), Vec::new(), &Pulse::silent())).unwrap();
    }
    core.answer(Question::Remove(0)).unwrap();
    let run = RunRef { evaluation: 1, run: 1 };
    let case = CasePlace { run, case: Name::Place(2), at: Some(1), spot: String::new() };
    let label = |core: &Core, run: RunRef| {
        let view = core.case(run, 2).unwrap().unwrap();
        (view.line.id, view.line.score.map(|score| score.0.to_bits()))
    };
    let view = Route {
        page: Page::Cases,
        target: Target::Run(run),
        case: Some(case.clone()),
        rules: vec![("pass".to_owned(), ">= 0.9".to_owned())],
        ..everything()
    };
    for (is_view, target) in [
        (false, Target::Run(RunRef { evaluation: 0, run: 1 })),
        (true, Target::Run(RunRef { evaluation: 0, run: 0 })),
    ] {
        let block = sealed(&core, &view, SealWishes { is_view, ..usual() });
        let found = block.view();
        assert_eq!((found.page, found.target), (Page::Cases, target), "{is_view}");
        assert_eq!(found.rules, view.rules);
        let opened = block.opened();
        assert_eq!(label(&opened, found.case.unwrap().run), label(&core, run), "{is_view}");
    }
    let other = Route { target: Target::Evaluation(2), case: Some(case), ..everything() };
    let found = sealed(&core, &other, SealWishes { is_view: true, ..usual() }).view();
    assert_eq!((found.target, found.case), (Target::Evaluation(0), None), "the case is not in it");
}

#[test]
fn a_comparison_is_still_there_in_the_sealed_report() {
    let core = core_of(fixture_files("letta-evals/0.3.2_single"));
    let other = fixture_files("letta-evals/0.5.0_single");
    pollster::block_on(core.open(other, Vec::new(), &Pulse::silent())).unwrap();
    let sides = vec![vec![Target::Evaluation(1)], vec![Target::Evaluation(0)]];
    let compare = CompareView { sides, margin: "0.05".to_owned(), ..CompareView::default() };
    let view = Route { page: Page::Compare, compare: compare.clone(), ..everything() };
    let block = sealed(&core, &view, usual());
    let (found, opened) = (block.view(), block.opened());
    assert_eq!((found.page, found.compare.sides.len()), (Page::Compare, 2));
    let verdict = |core: &Core, view: &CompareView| {
        let found = core.compare(&view.query()).unwrap();
        let labels: Vec<String> = found.sides.iter().map(|side| side.label.clone()).collect();
        let one = &found.candidates[0];
        (labels, one.verdict.clone(), one.margin, one.measures[0].difference)
    };
    assert_eq!(verdict(&opened, &found.compare), verdict(&core, &compare));
    // A part that does not hold a side has nothing to compare.
    let part = Route { target: Target::Evaluation(0), ..view };
    let found = sealed(&core, &part, SealWishes { is_view: true, ..usual() }).view();
    assert_eq!(found.compare, CompareView::default());
}

#[test]
fn sealing_can_be_stopped_and_ends_when_the_workspace_changes() {
    let core = Rc::new(letta());
    let n_breaths = Rc::new(Cell::new(0));
    let stopping = {
        let n_breaths = Rc::clone(&n_breaths);
        Pulse::new(move |progress| {
            assert_eq!(progress.file, "the sealed report");
            n_breaths.set(n_breaths.get() + 1);
            Box::pin(async { false })
        })
    };
    let hash = everything().to_hash(&tree(&core));
    let answer = pollster::block_on(core.seal(&hash, usual(), &stopping));
    assert_eq!((answer, n_breaths.get()), (Err(Failure::Cancelled), 1));
    let other = Rc::clone(&core);
    let changing = Pulse::new(move |_progress| {
        other.answer(Question::Rules(vec![("pass".to_owned(), "> 2".to_owned())])).unwrap();
        Box::pin(async { true })
    });
    let Err(Failure::File { reason, .. }) =
        pollster::block_on(core.seal(&hash, usual(), &changing))
    else {
        panic!("it ends")
    };
    assert!(reason.contains("changed meanwhile"), "{reason}");
    assert_eq!(core.answer(Question::SealSave), Err(Failure::Gone));
    prepare(&core, &everything(), usual()).unwrap().unwrap();
    core.answer(Question::Unseal).unwrap();
    assert_eq!(core.answer(Question::SealSave), Err(Failure::Gone), "the dialog was closed");
}

#[test]
fn the_form_says_what_there_is() {
    let core = letta();
    let offer = |route: &Route| -> SealOffer {
        match core.answer(Question::SealForm { view: route.to_hash(&tree(&core)) }) {
            Ok(Answer::SealOffer(offer)) => offer,
            other => panic!("an offer, not {other:?}"),
        }
    };
    let all = offer(&everything());
    assert!(all.all.starts_with("1 evaluation, 2 runs"), "{all:?}");
    assert_eq!((all.selected, all.n_filtered), (None, None));
    let part = offer(&Route {
        target: Target::Evaluation(0),
        text: "outcome:failed".to_owned(),
        ..everything()
    });
    assert!(part.selected.is_some_and(|words| words.contains("1 evaluation, 2 runs")));
    assert!(part.n_filtered.is_some_and(|n_cases| n_cases > 0));
    assert_eq!(sealed_file(b"no page", b"block"), None);
}
