//! The line that says what decided a case is never false: over the cases of every fixture it is held against
//! the records.

use crate::any_order::FOLDERS;
use crate::support::{core_of, fixture_files, number, report_of};
use evalglass::reading::Reading;
use evalglass::render::Look;
use evalglass::report::{CaseQuery, CaseView, Outcome};
use serde_json::Value;

/// Whether a comparison holds between two numbers.
type Holds = fn(f64, f64) -> bool;

/// What stands on both sides of a sign that compares.
fn comparison(line: &str) -> Option<(f64, Holds, f64)> {
    let signs: [(&str, Holds); 6] = [
        (" ≥ ", |a, b| a >= b),
        (" ≤ ", |a, b| a <= b),
        (" ≠ ", |a, b| (a - b).abs() > 0.0),
        (" < ", |a, b| a < b),
        (" > ", |a, b| a > b),
        (" = ", |a, b| (a - b).abs() == 0.0),
    ];
    let (_, rest) = line.split_once(": ")?;
    let (what, rest) = rest.split_once(' ')?;
    if !matches!(what, "score" | "reward") {
        return None;
    }
    signs.into_iter().find_map(|(sign, holds)| {
        let (left, right) = rest.split_once(sign)?;
        Some((left.parse().ok()?, holds, right.parse().ok()?))
    })
}

/// Holds the line against the record; says of which kind it is.
fn held(view: &CaseView, reward: Option<f64>, context: &str) -> &'static str {
    let (line, verdict) = (&view.line, view.verdict.as_str());
    let word = line.outcome.as_str();
    assert!(verdict.to_lowercase().starts_with(word), "{context}: {verdict}");
    assert!(!verdict.contains('\n') && verdict.trim() == verdict, "{context}: {verdict:?}");
    if let Some((shown, holds, value)) = comparison(verdict) {
        let is_reward = verdict.contains("reward ");
        let score = if is_reward { reward } else { line.score.map(|score| score.0) };
        let score = score.expect("what is compared is there");
        assert!(holds(shown, value) && holds(score, value), "{context}: {verdict}, {score}");
        assert!((shown - score).abs() < 0.000_501, "{context}: {verdict}, {score}");
        assert!(matches!(line.outcome, Outcome::Passed | Outcome::Failed), "{context}: {verdict}");
        return "compared";
    }
    if let Some((_, rest)) = verdict.split_once(" verified checks pass").map(|_| ((), verdict)) {
        let n: u64 = rest.split(' ').nth(2).unwrap().parse().unwrap();
        assert_eq!((n, 0), (line.n_checks, line.n_failed_checks), "{context}: {verdict}");
        return "all pass";
    }
    if let Some((counts, names)) = verdict
        .split_once(" fail: ")
        .or_else(|| verdict.split_once(" fails: "))
        .filter(|(counts, _)| counts.contains(" check"))
    {
        let numbers: Vec<u64> = counts.split(' ').filter_map(|word| word.parse().ok()).collect();
        assert_eq!(numbers, [line.n_failed_checks, line.n_checks], "{context}: {verdict}");
        let wrong = view.detail.checks.iter().filter(|check| check.is_correct == Some(false));
        let wrong: Vec<&str> = wrong.map(|check| check.name.as_str()).collect();
        let shown = names.split(" and ").next().unwrap();
        assert!(!wrong.is_empty(), "{context}: {verdict}");
        for name in wrong.iter().take(3) {
            assert!(shown.contains(name), "{context}: {name} in {verdict}");
        }
        return "some fail";
    }
    if let Some((counts, rule)) = verdict.split_once(" passed, ") {
        let numbers: Vec<u64> = counts.split(' ').filter_map(|word| word.parse().ok()).collect();
        let [n_passed, n] = numbers[..] else { panic!("{context}: {verdict}") };
        let has_passed = match rule {
            "every attempt must pass" => n_passed == n && n > 0,
            "one attempt must pass" => n_passed > 0,
            _ => n_passed > n - n_passed,
        };
        let is_passed = line.outcome == Outcome::Passed;
        // Half of them is decided by the scores.
        assert!(has_passed == is_passed || 2 * n_passed == n, "{context}: {verdict}");
        return "attempts";
    }
    match line.outcome {
        Outcome::Error => "error",
        Outcome::Scored | Outcome::Unscored | Outcome::Skipped => "no verdict",
        _ => "in words",
    }
}

#[test]
fn the_line_of_every_case_says_what_its_record_says() {
    let mut kinds = std::collections::BTreeMap::<&str, u64>::new();
    for folder in FOLDERS {
        let core = core_of(fixture_files(folder));
        let page = core.cases(&CaseQuery { limit: 10_000, ..CaseQuery::default() }).expect("cases");
        let report = report_of(&core);
        for line in &page.rows {
            let Ok(Some(view)) = core.case(line.run, line.case_idx).transpose() else { continue };
            let context = format!("{folder}: {} {}", line.run_label, line.id);
            let place = usize::try_from(line.case_idx).unwrap();
            let is_own = |run: &&Value| {
                run["label"] == line.run_label.as_str()
                    && run["repeat"] == line.repeat
                    && match run["cases"][place]["id"].as_str() {
                        Some(id) => id == line.id,
                        None => run["cases"][place]["id"].is_number(),
                    }
            };
            let own = report["runs"].as_array().unwrap().iter().find(is_own);
            let reward = own.and_then(|run| number(&run["cases"][place]["reward"]));
            *kinds.entry(held(&view, reward, &context)).or_default() += 1;
        }
    }
    for kind in ["compared", "all pass", "some fail", "attempts", "error"] {
        assert!(kinds.get(kind).is_some_and(|n| *n > 3), "{kind}: {kinds:?}");
    }
}

#[test]
fn the_same_case_is_found_at_the_checkpoint_before() {
    let core = core_of(fixture_files("slop-code/g1/runs"));
    let page = core.cases(&CaseQuery { limit: 10_000, ..CaseQuery::default() }).expect("cases");
    let mut n_before = 0;
    for line in &page.rows {
        let view = core.case(line.run, line.case_idx).unwrap().unwrap();
        for one in &view.elsewhere {
            assert_ne!(one.run, line.run_label, "{}", line.id);
        }
        let id = view.line.id.clone();
        let before = view.elsewhere.iter().filter(|one| one.is_before).count();
        assert!(before <= 1, "{id}");
        n_before += before;
        let n_links = view.elsewhere.len();
        let shown =
            Reading::new(view, Look::default()).linked(&()).shown(String::new(), "").unwrap();
        assert_eq!(shown.elsewhere.len(), n_links);
    }
    assert!(n_before > 0, "some case was there before");
}
