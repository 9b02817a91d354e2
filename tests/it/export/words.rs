//! Markdown, text, JUnit XML and HTML: their content, and that no file breaks out of them.

use super::FOLDERS;
use crate::support::{core_of, exported_text, file, fixture, fixture_files, report_of};
use evalglass::report::{Target, Topic};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{ExportKind, Question};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A report whose every text would like to be more than that.
fn hostile() -> Core {
    let name = "<script>alert(1)</script> | `x` ]]> \u{1B}[2J\u{0} @team \"' https://x.example";
    let entry = json!({"name": name, "tags": [], "retry_params": {"count": 1, "aggregation_strategy": "min"},
        "evaluation_results": [{"score": 0.25, "verdict": "failed", "reason": name}]});
    let text = json!({"metadata": {"timestamp": name}, "test_cases": [entry]}).to_string();
    core_of(vec![file("<b>&.json", text)])
}

#[test]
fn summaries_of_the_guides() {
    for folder in ["slop-code/g1/runs", "letta-evals/0.15.0_logical_multirun", "rebel/basic"] {
        let text = exported_text(&core_of(fixture_files(folder)), ExportKind::SummaryText);
        insta::assert_snapshot!(format!("summary of {}", folder.replace('/', " ")), text);
    }
}

#[test]
fn the_detailed_report_shows_weights_and_differences() {
    let core = core_of(fixture_files("slop-code/g1/runs"));
    let text = exported_text(&core, ExportKind::DetailedText);
    let (_, part) = text.split_once("✗ FAILED: sum_unicode").unwrap();
    let part = part.split("✗ FAILED").next().unwrap();
    insta::assert_snapshot!(part);
    let report = report_of(&core);
    let n_cases: usize = report["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| run["cases"].as_array().unwrap().len())
        .sum();
    let is_case = |line: &&str| {
        line.starts_with(['✓', '✗', '⚠']) && line.ends_with(')') && !line.contains(": policy ")
    };
    assert_eq!(text.lines().filter(is_case).count(), n_cases);
}

/// The number behind `label` in a text.
fn behind<'a>(text: &'a str, label: &str) -> &'a str {
    let (_, rest) = text.split_once(label).unwrap_or_else(|| panic!("no {label} in\n{text}"));
    rest.trim_start().split([' ', '\n', '(', ',']).next().unwrap()
}

#[test]
fn summaries_say_what_the_original_consoles_say() {
    let console = std::fs::read_to_string(fixture("rebel/basic/console.txt")).unwrap();
    let text = exported_text(&core_of(fixture_files("rebel/basic")), ExportKind::SummaryText);
    let share = behind(&console, "Test Summary: ").replace('/', " / ");
    assert!(text.contains(&format!("Test summary: {share} passed (53.8 %)")), "{text}");

    // The console holds the last of five repeats.
    let folder = "letta-evals/0.4.1_multirun";
    let console = std::fs::read_to_string(fixture(&format!("{folder}/console.txt"))).unwrap();
    let text = exported_text(&core_of(fixture_files(folder)), ExportKind::SummaryText);
    let (_, last) = text.split_once("\nRun 5\n").unwrap();
    for (original, own) in [
        ("Total samples: ", "Total samples:"),
        ("Total attempted: ", "Attempted:"),
        ("Passed attempts (gate metric): ", "Passed:"),
    ] {
        assert_eq!(behind(&console, original), behind(last, own), "{own}");
    }
    let two_decimals = |text: &str| format!("{:.2}", text.parse::<f64>().unwrap());
    let total = behind(&console, "Average score (total, gate metric): ");
    assert_eq!(total, two_decimals(behind(last, "Avg score:")));
    let attempted = behind(&console, "Average score (attempted, gate metric): ");
    assert_eq!(attempted, two_decimals(behind(last, "(attempted:").trim_end_matches(')')));
}

#[test]
fn the_summary_shows_the_numbers_of_the_page() {
    for folder in FOLDERS {
        let core = core_of(fixture_files(folder));
        let markdown = exported_text(&core, ExportKind::SummaryMarkdown);
        let html = exported_text(&core, ExportKind::ReportHtml);
        let page = core.sections(Topic::Overview(Target::All)).unwrap();
        for headline in &page.headlines {
            assert!(markdown.contains(&format!("| {} |", headline.label)), "{folder}");
        }
        let n_cases: usize = {
            let report = report_of(&core);
            let runs = report["runs"].as_array().unwrap().clone();
            runs.iter().map(|run| run["cases"].as_array().unwrap().len()).sum()
        };
        let cases = format!("{n_cases} {}", if n_cases == 1 { "case" } else { "cases" });
        assert!(markdown.contains(&cases), "{folder}: {cases}");
        let n_rows = html.matches("<th scope=\"row\" class=\"is-start\">").count();
        assert!(n_rows >= n_cases, "{folder}: {n_rows} rows for {n_cases} cases");
        assert!(markdown.chars().count() < 65_536, "{folder}");
        for table in table_blocks(&markdown) {
            let widths: BTreeSet<usize> = table.iter().map(|line| n_cells(line)).collect();
            assert_eq!(widths.len(), 1, "{folder}: {table:#?}");
        }
    }
}

/// The tables of a Markdown text, line by line.
fn table_blocks(markdown: &str) -> Vec<Vec<&str>> {
    let mut blocks = vec![Vec::new()];
    for line in markdown.lines() {
        if line.starts_with('|') {
            blocks.last_mut().unwrap().push(line);
        } else if !blocks.last().unwrap().is_empty() {
            blocks.push(Vec::new());
        }
    }
    blocks.retain(|block| !block.is_empty());
    blocks
}

/// Cells of a line: bars that are not escaped.
fn n_cells(line: &str) -> usize {
    line.replace("\\|", "").matches('|').count()
}

#[test]
fn markdown_of_many_evaluations_fits_into_a_comment() {
    let entry = json!({"name": "t", "retry_params": {"count": 1, "aggregation_strategy": "min"},
        "evaluation_results": [{"score": 0, "verdict": "failed", "reason": "no"}]});
    let text = json!({"metadata": {}, "test_cases": vec![entry; 30]}).to_string();
    let files = (0..200).map(|idx| file(&format!("r{idx}/r.json"), text.clone())).collect();
    let markdown = exported_text(&core_of(files), ExportKind::SummaryMarkdown);
    assert!(markdown.chars().count() < 65_536, "{} characters", markdown.chars().count());
    assert!(markdown.contains("only in the table above because of the size limit"));
}

#[test]
fn no_file_breaks_out_of_a_format() {
    let core = hostile();
    let html = exported_text(&core, ExportKind::ReportHtml);
    assert!(!html.contains("<script") && !html.contains("<b>"));
    assert!(!html.contains("href=\"http") && !html.contains("src="));
    let markdown = exported_text(&core, ExportKind::SummaryMarkdown);
    // A name stands in code, where a tag is only text; nowhere else is there one.
    let outside: String =
        markdown.split("``").enumerate().filter(|(nth, _)| nth % 2 == 0).map(|(_, s)| s).collect();
    assert!(!outside.contains("<script") && !outside.contains("@team"), "{outside}");
    let junit = exported_text(&core, ExportKind::JunitXml);
    assert!(!junit.contains("<script") && !junit.contains("]]>"));
    assert!(junit.chars().all(|c| c == '\n' || c >= ' '));
    assert!(junit.contains("characters that XML 1.0 does not allow became U+FFFD"));
    for kind in [ExportKind::SummaryText, ExportKind::DetailedText] {
        let text = exported_text(&core, kind);
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{kind:?}");
    }
}

#[test]
fn junit_counts_what_it_lists() {
    for folder in FOLDERS {
        let core = core_of(fixture_files(folder));
        let xml = exported_text(&core, ExportKind::JunitXml);
        let report = report_of(&core);
        let runs = report["runs"].as_array().unwrap();
        let suites: Vec<&str> = xml.split("  <testsuite ").skip(1).collect();
        assert_eq!(suites.len(), runs.len(), "{folder}");
        for (suite, run) in suites.iter().zip(runs) {
            let outcomes: Vec<&str> = run["cases"]
                .as_array()
                .unwrap()
                .iter()
                .map(|case| case["outcome"].as_str().unwrap())
                .collect();
            let n = |words: &[&str]| outcomes.iter().filter(|word| words.contains(word)).count();
            let expected = [
                ("tests", "<testcase ", outcomes.len()),
                ("failures", "<failure ", n(&["failed"])),
                ("errors", "<error ", n(&["error"])),
                ("skipped", "<skipped", n(&["skipped", "scored", "unscored"])),
            ];
            for (attribute, element, count) in expected {
                assert!(suite.contains(&format!(" {attribute}=\"{count}\"")), "{folder}");
                assert_eq!(suite.matches(element).count(), count, "{folder} {element}");
            }
        }
    }
}

#[test]
fn an_exported_page_needs_no_script_and_no_other_file() {
    for folder in FOLDERS {
        let html = exported_text(&core_of(fixture_files(folder)), ExportKind::ReportHtml);
        for forbidden in
            ["<script", "<img", "<link", " style=\"", "@import", "data-more", "data-save"]
        {
            assert!(!html.contains(forbidden), "{folder}: {forbidden}");
        }
        // Patterns of the page's own charts; nothing else.
        assert_eq!(html.matches("url(").count(), html.matches("url(#").count(), "{folder}: url(");
        let values = |name: &str| -> Vec<String> {
            let start = format!(" {name}=\"");
            html.split(&start)
                .skip(1)
                .map(|rest| rest.split('"').next().unwrap().to_owned())
                .collect()
        };
        let ids = values("id");
        let unique: BTreeSet<&String> = ids.iter().collect();
        assert_eq!(unique.len(), ids.len(), "{folder}: an id stands twice");
        for href in values("href") {
            let id = href.strip_prefix('#').unwrap_or_else(|| panic!("{folder}: {href}"));
            assert!(ids.iter().any(|known| known == id), "{folder}: {href} leads nowhere");
        }
        for tag in ["section", "table", "details", "tbody", "tr", "ul", "main"] {
            let (opened, closed) = (format!("<{tag}"), format!("</{tag}>"));
            let n_opened = html.matches(&format!("{opened} ")).count()
                + html.matches(&format!("{opened}>")).count();
            assert_eq!(n_opened, html.matches(&closed).count(), "{folder}: {tag}");
        }
    }
}

#[test]
fn changed_rules_are_said_in_every_text() {
    let core = core_of(fixture_files("slop-code/g1/runs"));
    core.answer(Question::Rules(vec![("policy".to_owned(), "all-cases".to_owned())])).unwrap();
    for kind in [
        ExportKind::SummaryText,
        ExportKind::DetailedText,
        ExportKind::SummaryMarkdown,
        ExportKind::ReportHtml,
    ] {
        let text = exported_text(&core, kind);
        assert!(text.contains("Rules changed by the user: policy all-cases."), "{kind:?}");
    }
    let report: Value =
        serde_json::from_str(&exported_text(&core, ExportKind::ReportJson)).unwrap();
    assert_eq!(report["settings"]["policy"], "all-cases");
}
