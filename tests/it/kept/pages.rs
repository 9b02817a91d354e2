//! What a page shows of a workspace, as named texts that can be compared.

use evalglass::render::Look;
use evalglass::report::{Across, CaseQuery, How, Measure, RunRef, Target, Topic, Tree};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, ExportKind, Question, Task};
use serde_json::Value;

/// Cases of a run that are compared one by one; of longer runs these are spread evenly.
const CASES: u64 = 12;

/// Everything that `core` shows, except for what a report cannot give back:
///
/// - how many files are open, and the list of files with what each was taken for;
/// - notes of the report itself, which `but` names;
/// - where the record of a case lies.
pub fn shown(core: &Core, but: &[&str]) -> Vec<(String, String)> {
    let is_of_report = |text: &str| but.iter().any(|detail| text.contains(detail));
    let mut shown = Vec::new();
    let mut tree = tree_of(core);
    tree.n_files = 0;
    if !but.is_empty() {
        // Notes of the report are counted.
        (tree.n_notes, tree.n_losses) = (0, 0);
        tree.evaluations.iter_mut().for_each(|node| node.n_notes = 0);
    }
    shown.push(("tree".to_owned(), format!("{tree:#?}")));
    let mut notes = core.files().notes;
    notes.retain(|note| !is_of_report(&note.detail));
    shown.push(("notes".to_owned(), format!("{notes:#?}")));
    shown.push(("audit".to_owned(), format!("{:#?}", core.audit())));
    for (target, n_cases) in targets(&tree) {
        for topic in topics(target) {
            shown.push((format!("{topic:?}"), format!("{:#?}", core.sections(topic.clone()))));
        }
        shown.push((format!("rules of {target:?}"), format!("{:#?}", core.rules_view(target))));
        let query = CaseQuery { target, limit: 10_000, ..CaseQuery::default() };
        shown.push((format!("cases of {target:?}"), format!("{:#?}", core.cases(&query))));
        shown.push((format!("facets of {target:?}"), format!("{:#?}", core.facets(&query))));
        let heat = CaseQuery { heat: Some(Across::default()), ..query };
        shown.push((format!("heat map of {target:?}"), format!("{:#?}", core.heat(&heat))));
        let Target::Run(run) = target else { continue };
        for group in 0..6 {
            let topic = Topic::How(How::Group { run, group }.into());
            shown.push((format!("{topic:?}"), format!("{:#?}", core.sections(topic.clone()))));
        }
        for case_idx in (0..n_cases).step_by((n_cases / CASES).max(1) as usize) {
            let topic = Topic::How(How::Case { run, case_idx }.into());
            shown.push((format!("{topic:?}"), format!("{:#?}", core.sections(topic.clone()))));
            let view = core.case(run, case_idx).unwrap().unwrap();
            let place = format!("{run:?} case {case_idx}");
            shown.push((format!("line of {place}"), format!("{:#?}", view.line)));
            shown.push((format!("reason of {place}"), format!("{:?}", view.score_reason)));
            let reasons: Vec<_> = view.detail.checks.iter().map(|check| &check.reason).collect();
            // What a report says of a check without its details is its reason, where there is one.
            let reasons: Vec<_> = reasons.into_iter().flatten().collect();
            shown.push((format!("reasons of {place}"), format!("{reasons:#?}")));
        }
    }
    shown
}

/// The list of what is loaded, by the rules in force.
pub fn tree_of(core: &Core) -> Tree {
    match core.answer(Question::Look(Look::default())) {
        Ok(Answer::Workspace(tree)) => tree,
        other => panic!("{other:?}"),
    }
}

/// Everything, each evaluation and each run, with its number of cases.
fn targets(tree: &Tree) -> Vec<(Target, u64)> {
    let mut targets = vec![(Target::All, 0)];
    for evaluation in &tree.evaluations {
        targets.push((Target::Evaluation(evaluation.id), 0));
        for (run, node) in (0..).zip(&evaluation.runs) {
            let run = RunRef { evaluation: evaluation.id, run };
            targets.push((Target::Run(run), node.n_cases));
        }
    }
    targets
}

fn topics(target: Target) -> Vec<Topic> {
    let how = match target {
        Target::All => None,
        Target::Evaluation(id) => Some(How::Evaluation(id)),
        Target::Run(run) => Some(How::Run(run)),
    };
    let measures = Measure::ALL;
    let mut topics =
        vec![Topic::Overview(target), Topic::Statistics(target), Topic::Failures(target)];
    topics.extend(how.map(|how| Topic::How(how.into())));
    topics.extend(measures.map(|measure| Topic::Trends { target, measure }));
    if target == Target::All {
        topics.extend([Topic::Audit { is_whole: true }, Topic::Audit { is_whole: false }]);
    }
    topics
}

/// The exported report, except for what stands for the files.
pub fn exported(core: &Core) -> Value {
    let Ok(Answer::Export(download)) =
        core.answer(Task::Export { kind: ExportKind::ReportJson, view: None })
    else {
        panic!("the report is exported")
    };
    serde_json::from_slice(&download.bytes).unwrap()
}

/// Fails with the first differences unless both are the same.
#[track_caller]
pub fn assert_same_pages(found: &[(String, String)], expected: &[(String, String)], what: &str) {
    let names = |pages: &[(String, String)]| {
        pages.iter().map(|(name, _)| name.clone()).collect::<Vec<String>>()
    };
    assert_eq!(names(found), names(expected), "{what}");
    let mut faults = String::new();
    for ((name, found), (_, expected)) in found.iter().zip(expected) {
        if found == expected {
            continue;
        }
        let (left, right): (Vec<&str>, Vec<&str>) =
            (found.lines().collect(), expected.lines().collect());
        let at = left.iter().zip(&right).take_while(|(left, right)| left == right).count();
        let part =
            |lines: &[&str]| lines[at.saturating_sub(6)..(at + 6).min(lines.len())].join("\n");
        faults.push_str(&format!(
            "\n{what}: {name}\n--- found\n{}\n--- expected\n{}\n",
            part(&left),
            part(&right)
        ));
        if faults.len() > 6_000 {
            break;
        }
    }
    assert!(faults.is_empty(), "{faults}");
}
