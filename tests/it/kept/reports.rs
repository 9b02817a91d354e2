//! The JSON report of every fixture, of parts, under other rules: opened again.

use super::folders;
use super::pages::{assert_same_pages, exported, shown};
use crate::support::{core_of, file, fixture_files};
use evalglass::export::{Contents, ExportTarget};
use evalglass::input::Pulse;
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, ExportKind};

/// The report on what `scope` is about, as bytes.
pub fn report(core: &Core, scope: ExportTarget<'_>) -> Vec<u8> {
    let pulse = Pulse::silent();
    let exported = core.export(ExportKind::ReportJson, scope, &pulse);
    match pollster::block_on(exported) {
        Ok(Answer::Export(download)) => download.bytes,
        other => panic!("{other:?}"),
    }
}

/// What opens from a report.
pub fn opened(bytes: Vec<u8>) -> Core {
    core_of(vec![file("evalglass-report.json", bytes)])
}

#[test]
fn a_report_of_every_fixture_gives_the_same_pages_and_the_same_report() {
    for folder in folders() {
        let core = core_of(fixture_files(&folder));
        let back = opened(report(&core, ExportTarget::default()));
        assert_same_pages(&shown(&back, &[]), &shown(&core, &[]), &folder);
        assert_eq!(exported(&back), exported(&core), "{folder}");
    }
}

#[test]
fn details_that_a_report_carries_are_those_of_the_files() {
    let contents = Contents { details: true, transcripts: true, raw: true, only: None };
    for folder in folders() {
        let core = core_of(fixture_files(&folder));
        let back = opened(report(&core, ExportTarget { contents, ..ExportTarget::default() }));
        let tree = super::pages::tree_of(&core);
        for evaluation in &tree.evaluations {
            for node in &evaluation.runs {
                for case_idx in 0..node.n_cases.min(200) {
                    let [own, other] =
                        [&core, &back].map(|core| core.case(node.run, case_idx).unwrap().unwrap());
                    let (own, other) = (format!("{:?}", own.detail), format!("{:?}", other.detail));
                    assert_eq!(other, own, "{folder} {:?} {case_idx}", node.run);
                }
            }
        }
    }
}
