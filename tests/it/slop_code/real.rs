//! The shapes of real run directories against the values that were worked out by hand beside them
//! (`scripts/slop_fixtures.py`), in the report, on the pages and in the exports.

use crate::support::{
    at, core_of, exported, exported_text, fixture_files, fixture_json, report_of, report_under,
};
use evalglass::report::{Cell, Measure, Sections, Table, Target, Topic};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::ExportKind;
use serde_json::Value;

/// Folders whose `expected.json` names every checkpoint.
const FOLDERS: [&str; 6] =
    ["state_error", "usage", "after_skill", "infra_failure", "planned_missing", "id_spaces"];

fn core(folder: &str) -> Core {
    core_of(fixture_files(&format!("slop-code/real/{folder}")))
}

fn expected(folder: &str) -> Value {
    fixture_json(&format!("slop-code/real/{folder}/expected.json"))
}

/// The run of a checkpoint: `checkpoint_1`, or `problem/checkpoint_1`.
fn run_of<'a>(report: &'a Value, name: &str) -> &'a Value {
    let (suite, variant) = match name.split_once('/') {
        Some((suite, variant)) => (Some(suite), variant),
        None => (None, name),
    };
    let is_it =
        |run: &&Value| run["variant"] == variant && suite.is_none_or(|suite| run["suite"] == suite);
    let found = report["runs"].as_array().unwrap().iter().find(is_it);
    found.unwrap_or_else(|| panic!("no run {name}"))
}

fn page(core: &Core, topic: Topic) -> Sections {
    core.sections(topic).expect("the page is there")
}

/// The only evaluation.
const EVALUATION: Target = Target::Evaluation(0);

fn table<'a>(page: &'a Sections, id: &str) -> &'a Table {
    let all = page.sections.iter().flat_map(|section| &section.tables);
    let found = all.into_iter().find(|table| table.id == id);
    found.unwrap_or_else(|| panic!("no table {id}"))
}

fn column(table: &Table, label: &str) -> Option<usize> {
    table.columns.iter().position(|column| column.label == label)
}

fn plain(cell: &Cell) -> &Cell {
    match cell {
        Cell::Linked(inner, _) => inner,
        cell => cell,
    }
}

/// The number of a cell; `None` of one that says that nothing is known.
fn number(cell: &Cell) -> Option<f64> {
    match plain(cell) {
        Cell::Number(n) | Cell::Secs(n) | Cell::Bar(n) => Some(n.0),
        Cell::Usd { amount, .. } => Some(amount.0),
        Cell::Missing(_) => None,
        other => panic!("no number: {other:?}"),
    }
}

fn headline(page: &Sections, label: &str) -> Option<f64> {
    let timed = page.sections.iter().flat_map(|section| &section.headlines);
    let found = page.headlines.iter().chain(timed).find(|headline| headline.label == label)?;
    number(&found.value)
}

#[test]
fn every_checkpoint_has_its_outcome_its_counts_and_its_usage() {
    for folder in FOLDERS {
        let (report, expected) = (report_of(&core(folder)), expected(folder));
        let checkpoints = expected["checkpoints"].as_object().unwrap();
        assert_eq!(report["runs"].as_array().unwrap().len(), checkpoints.len(), "{folder}");
        for (name, own) in checkpoints {
            let what = format!("{folder} {name}");
            let run = run_of(&report, name);
            assert_eq!(run["verdict"]["outcome"], own["outcome"], "{what}");
            assert_eq!(run["counts"]["passed"].as_u64().unwrap_or(0), own["passed"], "{what}");
            assert_eq!(run["counts"]["total"], own["total"], "{what}");
            let usage = [("cost_usd", "cost"), ("n_steps", "steps"), ("agent_secs", "agent_secs")];
            for (found, wanted) in usage {
                let found = at(run, &format!("run_usage.{found}")).as_f64();
                assert_eq!(found, own[wanted].as_f64(), "{what} {wanted}");
            }
            let tokens = ["prompt", "completion", "cached_input", "cache_write", "reasoning"];
            for (place, word) in tokens.iter().enumerate() {
                let found = at(run, &format!("usage.{word}_tokens")).as_f64();
                assert_eq!(found, own["tokens"][place].as_f64(), "{what} {word}");
            }
            assert_eq!(run["duration_secs"].as_f64(), own["test_secs"].as_f64(), "{what}");
            assert_eq!(at(run, "usage.steps").as_f64(), own["steps"].as_f64(), "{what}");
            assert_eq!(at(run, "timing.agent_secs").as_f64(), own["agent_secs"].as_f64());
            assert_eq!(at(run, "timing.test_secs").as_f64(), own["test_secs"].as_f64());
        }
        let evaluation = &report["evaluations"][0];
        assert_eq!(evaluation["verdict"]["outcome"], expected["verdict"], "{folder}");
        if let Some(reason) = expected["reason"].as_str() {
            assert_eq!(evaluation["verdict"]["reason"], reason, "{folder}");
        }
        let totals = &evaluation["repeats"][0];
        for (path, wanted) in [
            ("usage.cost_usd", "cost"),
            ("usage.steps", "steps"),
            ("timing.agent_secs", "agent_secs"),
            ("timing.test_secs", "test_secs"),
        ] {
            assert_eq!(at(totals, path).as_f64(), expected[wanted].as_f64(), "{folder} {path}");
        }
    }
}

#[test]
fn no_audit_row_is_above_expected_and_nothing_is_called_lost() {
    let all = FOLDERS.iter().chain(&["rows_alone", "lfs_pointers", "never_started"]);
    for folder in all {
        let report = report_of(&core(folder));
        for row in report["audit"].as_array().unwrap() {
            let is_calm = row["agrees"] == true || row["severity"] == "expected";
            assert!(is_calm, "{folder}: {row}");
        }
        let lost: Vec<&Value> = report["notes"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|note| !["skipped", "assumed"].contains(&note["kind"].as_str().unwrap()))
            .collect();
        assert!(*folder == "lfs_pointers" || lost.is_empty(), "{folder}: {lost:?}");
    }
}

#[test]
fn nothing_that_did_not_run_is_green() {
    for folder in FOLDERS.iter().chain(&["lfs_pointers", "never_started"]) {
        let core = core(folder);
        let report = report_of(&core);
        for run in report["runs"].as_array().unwrap() {
            if run["cases"].as_array().is_some_and(|cases| !cases.is_empty()) {
                continue;
            }
            let what = format!("{folder} {}", run["label"]);
            assert_ne!(run["verdict"]["outcome"], "passed", "{what}");
            let holds = |(_, is_passed): (&String, &Value)| is_passed == true;
            let policies = run["policies"].as_object();
            assert!(!policies.is_some_and(|all| all.iter().any(holds)), "{what}");
            let Some(id) = run["id"].as_str() else { continue };
            let nth: u32 = id.rsplit_once('#').unwrap().1.parse().unwrap();
            let at = evalglass::report::RunRef { evaluation: 0, run: nth - 1 };
            let own = page(&core, Topic::Overview(Target::Run(at)));
            let verdict = own.verdict.as_ref().expect("a reason is given");
            assert_ne!(verdict.outcome.as_str(), "passed", "{what}");
            assert!(!verdict.reason.is_empty());
            let cells = own.sections.iter().flat_map(|section| &section.tables);
            let cells = cells.flat_map(|table| &table.rows).flat_map(|row| &row.cells);
            for cell in cells {
                let is_green =
                    matches!(plain(cell), Cell::Outcome(outcome) if outcome.as_str() == "passed");
                assert!(!is_green, "{what}");
            }
        }
    }
}

#[test]
fn cost_tokens_steps_and_both_times_stand_on_every_page_and_in_every_export() {
    for folder in FOLDERS {
        let (core, expected) = (core(folder), expected(folder));
        let target = EVALUATION;
        let overview = page(&core, Topic::Overview(target));
        for (label, wanted) in [
            ("Cost", "cost"),
            ("Steps", "steps"),
            ("Agent time", "agent_secs"),
            ("Test time", "test_secs"),
        ] {
            assert_eq!(headline(&overview, label), expected[wanted].as_f64(), "{folder} {label}");
            let table = table(&overview, "checkpoints");
            let place = column(table, label).expect("the column is there");
            let sum: f64 = table.rows.iter().filter_map(|row| number(&row.cells[place])).sum();
            assert_eq!(Some(sum), expected[wanted].as_f64(), "{folder} {label}");
        }
        let statistics = page(&core, Topic::Statistics(target));
        let usage = table(&statistics, "usage");
        let place = column(usage, "Cost").unwrap();
        let last = usage.rows.last().unwrap();
        assert_eq!(number(&last.cells[place]), expected["cost"].as_f64(), "{folder}");
        let of_runs = expected["checkpoints"].as_object().unwrap();
        for (measure, wanted) in [
            (Measure::Cost, "cost"),
            (Measure::AgentTime, "agent_secs"),
            (Measure::TestTime, "test_secs"),
        ] {
            let known = of_runs.values().filter(|own| !own[wanted].is_null()).count();
            let trends = page(&core, Topic::Trends { target, measure });
            let figures = trends.sections.iter().flat_map(|section| &section.figures);
            let is_drawn = figures.filter(|figure| figure.chart.is_some()).count() > 0;
            assert!(is_drawn || known < 2, "{folder} {wanted}");
        }
        let markdown = exported_text(&core, ExportKind::SummaryMarkdown);
        for label in ["Cost", "Steps", "Agent time", "Test time", "Tokens"] {
            assert!(markdown.contains(label), "{folder} {label}");
        }
        let csv = exported_text(&core, ExportKind::RunsCsv);
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let head = reader.headers().unwrap().clone();
        let at = |name: &str| head.iter().position(|own| own == name).unwrap();
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert_eq!(rows.len(), of_runs.len(), "{folder}");
        for (name, wanted) in [
            ("cost_usd", "cost"),
            ("steps", "steps"),
            ("agent_secs", "agent_secs"),
            ("duration_secs", "test_secs"),
        ] {
            let sum: f64 = rows.iter().filter_map(|row| row[at(name)].parse::<f64>().ok()).sum();
            assert_eq!(Some(sum), expected[wanted].as_f64(), "{folder} {name}");
        }
        // The report is a file of ours: what stands in it comes back.
        let back = core_of(vec![crate::support::file(
            "evalglass-report.json",
            exported(&core, ExportKind::ReportJson),
        )]);
        let (own, again) = (report_of(&core), report_of(&back));
        assert_eq!(own["runs"].as_array().unwrap().len(), again["runs"].as_array().unwrap().len());
        for (own, again) in
            own["runs"].as_array().unwrap().iter().zip(again["runs"].as_array().unwrap())
        {
            for member in ["usage", "run_usage", "run_state", "verdict", "counts", "label"] {
                assert_eq!(own.get(member), again.get(member), "{folder} {member}");
            }
        }
    }
}

#[test]
fn before_and_after_a_skill_stand_side_by_side() {
    let (core, expected) = (core("after_skill"), expected("after_skill"));
    let overview = page(&core, Topic::Overview(EVALUATION));
    let table = table(&overview, "after-skill");
    let [name, figure, difference] =
        ["Checkpoint", "Figure", "Difference"].map(|label| column(table, label).unwrap());
    for (checkpoint, own) in expected["differences"].as_object().unwrap() {
        for (word, label) in [("cost", "Cost"), ("steps", "Steps"), ("passed", "Passed")] {
            let row = table.rows.iter().find(|row| {
                row.cells[name] == Cell::Text(checkpoint.clone())
                    && row.cells[figure] == Cell::Text(label.to_owned())
            });
            let found = number(&row.expect("the row is there").cells[difference]);
            assert_eq!(found, own[word].as_f64(), "{checkpoint} {word}");
        }
    }
    let report = report_of(&core);
    let after = run_of(&report, "checkpoint_1, after skill");
    assert_eq!(after["subject"], "ash-2");
    assert_eq!(at(after, "run_state.again"), "checkpoint_1");
    assert_eq!(at(after, "run_state.tools.0").as_array(), None);
    assert_eq!(after["run_state"]["tools"][0], serde_json::json!(["Bash", 2.0]));
}

#[test]
fn the_state_of_the_run_its_error_and_its_own_verdict_are_named() {
    let (core, expected) = (core("state_error"), expected("state_error"));
    let overview = page(&core, Topic::Overview(EVALUATION));
    assert_eq!(overview.lead.as_deref(), Some("Declared in the files: policy any: not passed."));
    let table = table(&overview, "run-state");
    let cell = |label: &str| plain(&table.rows[0].cells[column(table, label).unwrap()]).clone();
    assert_eq!(cell("State"), Cell::Tag { text: "error".to_owned(), is_bad: true });
    assert_eq!(cell("Ran"), Cell::Share { part: 2, whole: 3 });
    let text = |key: &str| Cell::Text(expected[key].as_str().unwrap().to_owned());
    assert_eq!(cell("Error"), text("error_type"));
    assert_eq!(cell("Message"), text("error_message"));
    assert!(
        matches!(cell("Traceback"), Cell::Folded(lines) if lines.contains("raise AgentRunnerError"))
    );
    let verdict = overview.verdict.as_ref().unwrap();
    assert_eq!(
        verdict.reason,
        "1 of 2 checkpoints pass, 1 of 3 planned did not run, 1 ended in an error"
    );
}

#[test]
fn the_declared_policy_is_one_of_the_choices() {
    let core = core("usage");
    let report = report_under(&core, &[("policy", "as-declared")]);
    assert_eq!(report["settings"]["policy"], "as-declared");
    let evaluation = &report["evaluations"][0];
    assert_eq!(evaluation["verdict"]["outcome"], "passed");
    assert_eq!(
        run_of(&report, "river_codec/checkpoint_2")["verdict"]["rule"],
        "policy any, as declared"
    );
    let report = report_under(&core, &[]);
    assert_eq!(report["evaluations"][0]["verdict"]["outcome"], "failed");
}

#[test]
fn rows_alone_are_declared_and_rows_beside_folders_are_checkpoints_with_declared_counts() {
    let expected = expected("rows_alone");
    let overview = page(&core("rows_alone"), Topic::Overview(EVALUATION));
    assert_eq!(table(&overview, "declared-checkpoints").rows.len(), 3);
    // With the definition of the problem beside them they are runs.
    let mut files = fixture_files("slop-code/real/rows_alone");
    let definition = "checkpoints:\n  checkpoint_1: {order: 1}\n  checkpoint_2: {order: 2}\n  \
        checkpoint_3: {order: 3}\n  checkpoint_4: {order: 4}\nname: inventory_api\nversion: 2\n";
    let folder = files[0].path.rsplit_once('/').unwrap().0.to_owned();
    files.push(crate::support::file(&format!("{folder}/inventory_api/problem.yaml"), definition));
    let report = report_of(&core_of(files));
    for (name, own) in expected["checkpoints"].as_object().unwrap() {
        let run = run_of(&report, name);
        assert_eq!(run["counts"]["passed"], own["passed"], "{name}");
        assert_eq!(run["counts"]["total"], own["total"], "{name}");
        assert_eq!(run["by_kind"]["Core"]["passed"], own["core"][0], "{name}");
        assert_eq!(run["by_kind"]["Core"]["total"], own["core"][1], "{name}");
        assert_eq!(at(run, "run_usage.cost_usd"), &own["cost"], "{name}");
        assert_eq!(at(run, "run_usage.agent_secs"), &own["agent_secs"], "{name}");
        let reason = run["verdict"]["reason"].as_str().unwrap();
        assert!(reason.ends_with("as its row declares"), "{reason}");
    }
    assert_eq!(run_of(&report, "checkpoint_4")["verdict"]["outcome"], "skipped");
}

#[test]
fn pointers_of_git_lfs_are_named_once_for_each_kind() {
    let (report, expected) = (report_of(&core("lfs_pointers")), expected("lfs_pointers"));
    for (name, n) in expected["pointers"].as_object().unwrap() {
        let is_own = |note: &&Value| {
            let detail = note["detail"].as_str().unwrap();
            detail.contains("git lfs pull")
                && note["file"].as_str().unwrap().ends_with(name.as_str())
        };
        let notes: Vec<&Value> =
            report["notes"].as_array().unwrap().iter().filter(is_own).collect();
        assert_eq!(notes.len(), 1, "{name}");
        assert_eq!(&notes[0]["count"], n, "{name}");
    }
    let is_unknown = |note: &Value| note["kind"] == "unrecognised";
    assert!(!report["notes"].as_array().unwrap().iter().any(is_unknown));
}

#[test]
fn a_run_that_never_started_says_so() {
    let core = core("never_started");
    let overview = page(&core, Topic::Overview(EVALUATION));
    assert!(
        overview.empty.as_deref().unwrap().starts_with("Never started"),
        "{:?}",
        overview.empty
    );
    assert!(overview.verdict.is_none());
}
