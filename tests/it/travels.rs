//! What a reader sends is what it read: every evaluation of every fixture, through a message and back.

use crate::any_order::FOLDERS;
use crate::support::fixture_files;
use evalglass::input::{self, Limits, Pulse};
use evalglass::model::{Evaluation, Notes, Run};
use evalglass::readers::{self, InProcess, Marks};

fn evaluations(folder: &str) -> Vec<Evaluation> {
    let (mut next_id, notes, pulse) = (0, Notes::default(), Pulse::silent());
    let reading = async {
        let limits = Limits::default();
        let opened = input::open(fixture_files(folder), &mut next_id, &limits, &notes, &pulse);
        let marks = Marks::default();
        let opened = opened.await.expect("nothing cancels");
        readers::import(opened, &[], &[], &|_| false, &marks, &InProcess::default(), &pulse).await
    };
    let imported = pollster::block_on(reading).expect("nothing cancels");
    imported.imports.into_iter().map(|import| import.evaluation).collect()
}

/// Everything but the tables; numbers as they print, which tells every double.
fn words(evaluation: &Evaluation) -> String {
    let bare = |run: &Run| {
        let checks: Vec<_> = (0..run.cases.len()).map(|idx| run.checks_of(idx)).collect();
        format!(
            "{:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {checks:?}",
            run.key,
            run.label,
            run.started_at,
            run.duration_secs,
            run.usage,
            run.is_infrastructure_failure,
            run.state,
            run.groups,
            run.sources,
            run.origins,
            run.documents
        )
    };
    let runs: Vec<String> = evaluation.runs.iter().map(bare).collect();
    let rest = Evaluation { runs: Vec::new(), ..evaluation.clone() };
    format!("{rest:?}\n{}", runs.join("\n"))
}

/// Fails unless both are the same evaluation, down to the last bit of every table.
#[track_caller]
pub fn assert_same_evaluation(before: &Evaluation, after: &Evaluation, what: &str) {
    assert_eq!(words(before), words(after), "{what}");
    for (left, right) in before.runs.iter().zip(&after.runs) {
        let label = &left.label;
        let cases = [left, right].map(|run| run.cases.to_batch().unwrap());
        assert_eq!(cases[0], cases[1], "{what}: cases of {label}");
        let checks = [left, right].map(|run| run.checks.to_batch().unwrap());
        assert_eq!(checks[0], checks[1], "{what}: checks of {label}");
    }
}

#[test]
fn an_evaluation_is_the_same_after_a_message() {
    for folder in FOLDERS {
        let read = evaluations(folder);
        assert!(!read.is_empty(), "{folder}");
        for before in read {
            let bytes = readers::to_bytes(&before).unwrap();
            let after: Evaluation = readers::from_bytes(&bytes).unwrap();
            assert_same_evaluation(&before, &after, folder);
        }
    }
}
