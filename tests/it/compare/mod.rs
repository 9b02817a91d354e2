//! Comparing: known answers, laws, coverage, pairs of fixtures.

// How often intervals of a difference hold the truth, and how often chance raises an alarm.
mod coverage;
// The filter of pairs.
mod filter;
// Folders of fixtures against one another, and what is exported of that.
mod fixtures;
// `known.json`, computed by independent libraries.
mod known;
// Three sides and more.
mod many;
// What must hold whatever the sides are.
mod laws;
// Metrics of which lower is better.
mod way;
// What suggests itself, and case against case, as the page asks for it.
mod pages;

use crate::support::{core_of, file, fixture_files};
use evalglass::input::Dropped;
use evalglass::report::Target;
use evalglass::report::compare::{CompareQuery, Comparison, SideSpec};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, Question};
use serde_json::json;

/// The files of a fixture folder below `folder`.
fn within(folder: &str, path: &str) -> Vec<Dropped> {
    let files = fixture_files(path).into_iter();
    files.map(|file| Dropped { path: format!("{folder}/{}", file.path), ..file }).collect()
}

/// The runs below `folder` that are of `subject`, if one is named, as a side.
fn side(core: &Core, folder: &str, subject: Option<&str>) -> SideSpec {
    let Ok(Answer::Workspace(tree)) = core.answer(Question::Rules(Vec::new())) else {
        panic!("rules are always answered");
    };
    let own = tree.evaluations.iter().filter(|node| node.path.split('/').next() == Some(folder));
    let runs = own.flat_map(|node| &node.runs);
    let runs = runs.filter(|run| subject.is_none() || run.subject.as_deref() == subject);
    let members: Vec<Target> = runs.map(|run| Target::Run(run.run)).collect();
    assert!(!members.is_empty(), "{folder} {subject:?}");
    SideSpec { label: folder.to_owned(), members }
}

/// Folders of fixtures, each with a subject if it is to be one of several, as sides A, B, C ….
fn opened(paths: &[(&str, Option<&str>)]) -> (Core, CompareQuery) {
    let folder = |at: usize| char::from(b'A' + u8::try_from(at).unwrap()).to_string();
    let files = paths.iter().enumerate().flat_map(|(at, (path, _))| within(&folder(at), path));
    let core = core_of(files.collect());
    let sides = paths.iter().enumerate();
    let sides = sides.map(|(at, (_, subject))| side(&core, &folder(at), *subject)).collect();
    (core, CompareQuery { sides, ..CompareQuery::default() })
}

/// Cases by name, score and whether they passed, as REBEL would write them.
fn rebel(folder: &str, cases: &[(String, f64, bool)]) -> Dropped {
    let case = |(name, score, passed): &(String, f64, bool)| {
        let verdict = if *passed { "passed" } else { "failed" };
        let result = json!({ "score": score, "verdict": verdict, "reason": "" });
        json!({
            "name": name, "tags": [],
            "retry_params": { "count": 1, "aggregation_strategy": "mean" },
            "input": { "messages": [], "api_params": {} },
            "expected_output": { "output": "", "tools_called": [], "context": [], "execution_time": null },
            "metrics": [{}],
            "actual_outputs": [{ "output": "", "tools_called": [], "context": [], "execution_time": 1.0 }],
            "evaluation_results": [result.clone()], "aggregated_result": result,
        })
    };
    let cases: Vec<_> = cases.iter().map(case).collect();
    let metadata = json!({ "timestamp": "20261121_201407", "total_test_cases": cases.len() });
    let text = json!({ "metadata": metadata, "test_cases": cases }).to_string();
    file(&format!("{folder}/test_results_20261121_201407.json"), text)
}

/// Sides of such cases.
fn rebel_sides(sides: &[Vec<(String, f64, bool)>]) -> (Core, CompareQuery) {
    let folder = |at: usize| format!("side{at}");
    let files = sides.iter().enumerate().map(|(at, cases)| rebel(&folder(at), cases)).collect();
    let core = core_of(files);
    let specs = (0..sides.len()).map(|at| side(&core, &folder(at), None)).collect();
    (core, CompareQuery { sides: specs, ..CompareQuery::default() })
}

/// The counts of a comparison add up.
#[track_caller]
fn assert_adds_up(found: &Comparison) {
    for versus in &found.candidates {
        let audit = &versus.audit;
        let n = |at: usize| found.sides[at].n_cases;
        assert_eq!(audit.n_pairs + audit.only_baseline, n(0));
        assert_eq!(audit.n_pairs + audit.only_candidate, n(versus.side));
        assert!(audit.changed <= audit.n_known_inputs && audit.n_known_inputs <= audit.n_pairs);
        assert_eq!(versus.transitions.iter().map(|one| one.n).sum::<u64>(), audit.n_pairs);
        let changes = versus.changes;
        let n_counted = changes.regressed + changes.fixed + changes.same;
        assert_eq!(n_counted + audit.left_out, audit.n_pairs);
        let deciding = versus.measures.first();
        for parts in &versus.parts {
            let whole = deciding.unwrap().difference.0;
            let added: f64 = parts.parts.iter().map(|part| part.contribution.0).sum();
            assert!((added - whole).abs() < 1e-9, "{:?}: {added} {whole}", parts.by);
            assert_eq!(parts.parts.iter().map(|part| part.n).sum::<u64>(), n_counted);
        }
        for line in &versus.measures {
            assert!((0.0..=1.0).contains(&line.p.0), "{line:?}");
            assert!(line.p_holm.unwrap().0 >= line.p.0 - 1e-15);
        }
    }
}
