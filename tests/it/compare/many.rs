//! Three sides and more: what a verdict says of a side when all are asked about at once.

use super::rebel_sides;
use evalglass::address::CompareView;
use evalglass::render::compare::{CompareShown, Says};
use evalglass::report::compare::{PairOrder, PairsQuery, VerdictIs};
use evalglass::worker::protocol::{Answer, CompareAnswer, CompareQuestion, Question};

/// Twelve cases of which the first `n` failed.
fn failed(n: usize) -> Vec<(String, f64, bool)> {
    let case = |at: usize| (format!("case {at}"), if at < n { 0.0 } else { 1.0 }, at >= n);
    (0..12).map(case).collect()
}

fn page(sides: &[usize]) -> (Vec<Option<f64>>, Vec<VerdictIs>, CompareShown) {
    let cases: Vec<_> = sides.iter().map(|n| failed(*n)).collect();
    let (core, of) = rebel_sides(&cases);
    let found = core.compare(&of).unwrap();
    let p = found.candidates.iter().map(|versus| versus.p_of_sides.map(|p| p.0)).collect();
    let is = found.candidates.iter().map(|versus| versus.verdict.is).collect();
    let view = CompareView {
        sides: of.sides.into_iter().map(|side| side.members).collect(),
        ..CompareView::default()
    };
    let question = Question::Compare(CompareQuestion::Page(view, Default::default()));
    let Ok(Answer::Compare(CompareAnswer::Page(shown))) = core.answer(question) else {
        panic!("there is a page");
    };
    (p, is, *shown)
}

#[test]
fn a_verdict_says_what_the_adjusted_p_leaves_of_it() {
    // McNemar of 4 : 0 is 0.125, of 12 : 0 is 1/2048.
    let (p, is, shown) = page(&[0, 4, 12]);
    assert_eq!(p, [Some(0.125), Some(2.0 / 2048.0)]);
    assert_eq!(is, [VerdictIs::Worse, VerdictIs::Worse], "the verdict itself stays");
    let versus = shown.versus.unwrap();
    assert_eq!(versus.title, "B is worse than A, but not after Holm's correction over 3 sides");
    assert!(versus.why.ends_with("Corrected for 2 sides compared with A: p = 0.1250 (Holm)."));
    let rows = shown.candidates.unwrap().rows;
    let says: Vec<_> = rows.iter().map(|row| (row.p.as_str(), row.says.clone())).collect();
    assert_eq!(
        says[0],
        ("0.1250", (Says::Unsure, "B is worse before Holm's correction, not after it".to_owned()))
    );
    assert_eq!(says[1], ("0.0010", (Says::Worse, "C is worse".to_owned())));
}

#[test]
fn files_of_the_comparison_say_the_same() {
    let (core, of) = rebel_sides(&[0, 4, 12].map(failed));
    let title = "B is worse than A, but not after Holm's correction over 3 sides";
    let markdown = core.comparison_markdown(&of).unwrap();
    let heads: Vec<&str> = markdown.lines().filter(|line| line.starts_with("## ")).collect();
    assert_eq!(heads, [format!("## ❔ {title}"), "## ❌ C is worse than A".to_owned()]);
    let html = String::from_utf8(core.comparison_html(&of).unwrap()).unwrap();
    let head = html.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next());
    assert!(head.unwrap().replace("&#39;", "'").contains(title), "{head:?}");
}

#[test]
fn of_two_sides_there_is_nothing_to_adjust() {
    let (p, _, shown) = page(&[0, 4]);
    assert_eq!(p, [None]);
    assert_eq!(shown.versus.unwrap().title, "B is worse than A");
}

#[test]
fn an_interval_that_is_not_there_says_why() {
    let (_, _, shown) = page(&[3, 3]);
    let measures = shown.versus.unwrap().measures;
    let score = measures.iter().flat_map(|plot| &plot.rows).find(|row| row.name == "Score");
    assert_eq!(score.unwrap().says.1, "no pair differs: no interval");
}

#[test]
fn a_pair_says_how_it_came_out_on_the_other_sides() {
    let mut sides = [0, 4, 12, 1].map(failed);
    // The last side has one case less, and one that only the candidate has as well.
    sides[3].pop();
    for side in [1, 3] {
        sides[side].push(("new".to_owned(), 0.0, false));
    }
    let (core, of) = rebel_sides(&sides);
    let query = PairsQuery { side: 1, n: 100, has_others: true, ..PairsQuery::default() };
    let filter = "change:regressed,same,new".to_owned();
    let order = PairOrder::AsPaired;
    let page = core.compare_pairs(&of, &PairsQuery { filter, order, ..query.clone() }).unwrap();
    let words = |id: &str| -> Vec<Option<&str>> {
        let line = page.lines.iter().find(|line| line.id == id).unwrap();
        line.others.iter().map(|came| came.map(|came| came.as_str())).collect()
    };
    assert_eq!(page.lines.len(), 13);
    assert_eq!(words("case 0"), [Some("failed"), Some("failed")]);
    assert_eq!(words("case 1"), [Some("failed"), Some("passed")]);
    assert_eq!(words("case 11"), [Some("failed"), None]);
    assert_eq!(words("new"), [None, Some("failed")]);
    let page = core.compare_pairs(&of, &PairsQuery { has_others: false, ..query }).unwrap();
    assert!(page.lines.iter().all(|line| line.others.is_empty()));
}
