//! What is drawn of charts: every fixture, hostile names, many cases, saved pictures.

use super::{figures, page, rebel, topics};
use crate::support::{core_of, fixture_files};
use evalglass::markup::Markup;
use evalglass::render::{Look, View, chart_file, figure, sections_page};
use evalglass::report::{ChartFigure, RunRef, Target, Topic};
use evalglass::worker::core::Core;
use std::collections::HashSet;

const FIXTURES: [&str; 3] = ["slop-code", "letta-evals", "rebel"];

/// A page as an exported one has it.
fn drawn(core: &Core, topic: Topic) -> String {
    sections_page(&page(core, topic), View::default()).as_str().to_owned()
}

fn picture(figure: &ChartFigure) -> Option<String> {
    chart_file(figure, View::default())
}

#[test]
fn every_figure_of_every_fixture_is_whole() {
    for fixture in FIXTURES {
        let core = core_of(fixture_files(fixture));
        let run = RunRef { evaluation: 0, run: 0 };
        for target in [Target::All, Target::Evaluation(0), Target::Run(run)] {
            for topic in topics(target) {
                let page = page(&core, topic.clone());
                let all = figures(&page);
                let ids: HashSet<&str> = all.iter().map(|figure| figure.id.as_str()).collect();
                assert_eq!(ids.len(), all.len(), "{topic:?}: ids are unique");
                for figure in all {
                    check_figure(figure);
                }
            }
        }
    }
}

fn check_figure(figure: &ChartFigure) {
    let is_id = |c: char| c.is_ascii_alphanumeric() || c == '-';
    assert!(figure.id.chars().all(is_id), "{}", figure.id);
    assert!(!figure.title.is_empty());
    if figure.chart.is_none() {
        assert!(figure.empty.is_some(), "{} says why it is empty", figure.id);
        return;
    }
    assert!(!figure.table.rows.is_empty(), "{} has a table", figure.id);
    for row in &figure.table.rows {
        assert_eq!(row.cells.len(), figure.table.columns.len(), "{}", figure.id);
    }
    let mut out = Markup::new();
    figure_in(figure, Look::default(), &mut out);
    let markup = out.as_str();
    let n_marks = markup.matches("<a class=\"mark\"").count();
    assert_eq!(markup.matches("<a class=\"mark\" href=\"#/2/").count(), n_marks);
    assert!(n_marks <= figure.links.len(), "{}", figure.id);
    for part in ["<figcaption", "<details", "<desc>"] {
        assert!(markup.contains(part), "{} has {part}", figure.id);
    }
    check_picture(&picture(figure).expect("it can be saved"));
}

fn figure_in(one: &ChartFigure, look: Look, out: &mut Markup) {
    let view = View { look, ..View::default() };
    figure(one, "h3", view, out);
}

/// What must hold of a saved picture: a document of its own, in XML, in light colours.
fn check_picture(svg: &str) {
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{svg}");
    assert!(svg.contains("<title>") && svg.contains("viewBox"));
    assert!(!svg.contains("var(--"), "colours are put in");
    assert!(!svg.contains("href"), "nothing can be clicked");
    assert!(!svg.contains("mark__"), "and nothing pointed at");
    let is_xml = |c: char| c >= ' ' || matches!(c, '\n' | '\t');
    assert!(svg.chars().all(|c| is_xml(c) && !matches!(c, '\u{fffe}' | '\u{ffff}')));
    check_nesting(svg);
}

/// Fails unless every element is ended in its order.
fn check_nesting(svg: &str) {
    let (head, rest) = svg.split_once("<![CDATA[").unwrap();
    let (style, rest) = rest.split_once("]]>").unwrap();
    assert!(!style.contains('<'));
    let mut open: Vec<&str> = Vec::new();
    for tag in [head, rest].iter().flat_map(|part| part.split('<').skip(1)) {
        let (tag, text) = tag.split_once('>').expect("a tag ends");
        assert!(!text.contains(']') || !text.contains("]]>"));
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None => open.push(tag.split(' ').next().unwrap()),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn names_of_a_file_add_nothing_to_a_page() {
    let names = [
        "<script>alert(1)</script>",
        "\"><img src=x onerror=y>",
        "]]><svg onload=z>",
        "a\u{1}\u{202e}b",
    ];
    let cases: Vec<(String, f64)> = names.iter().map(|name| ((*name).to_owned(), 0.5)).collect();
    let core = rebel("<b>&\"'.json", &cases);
    for topic in topics(Target::All) {
        let markup = drawn(&core, topic.clone());
        for bad in ["<script", "<img", "<b>", "onload=\"", "onerror=\""] {
            assert!(!markup.contains(bad), "{topic:?}: {bad}");
        }
        for figure in figures(&page(&core, topic)) {
            picture(figure).iter().for_each(|svg| check_picture(svg));
        }
    }
}

#[test]
fn many_cases_make_no_large_drawing() {
    let case = |at: u32| (format!("case {at}"), f64::from(at % 1000) / 999.0);
    let few: Vec<_> = (0..200).map(case).collect();
    let many: Vec<_> = (0..20_000).map(case).collect();
    let size = |cases: &[(String, f64)]| {
        let core = rebel("test_results_1.json", cases);
        drawn(&core, Topic::Overview(Target::All)).len()
    };
    let (few, many) = (size(&few), size(&many));
    assert!(many < few * 3, "{few} bytes of 200 cases, {many} of 20,000");
}

#[test]
fn look_and_width_change_what_is_drawn() {
    let core = core_of(fixture_files("letta-evals/0.20.0_suite"));
    let overview = page(&core, Topic::Overview(Target::All));
    let dots = figures(&overview).into_iter().find(|figure| figure.id == "chart-model-passes");
    let dots = dots.expect("pass rates by model");
    let of = |look: Look| {
        let mut out = Markup::new();
        figure_in(dots, look, &mut out);
        out.as_str().to_owned()
    };
    let plain = of(Look::default());
    assert!(plain.contains("viewBox=\"0 0 520 ") && plain.contains(">20.0 %<"));
    let narrow = of(Look { is_narrow: true, ..Look::default() });
    assert!(narrow.contains("viewBox=\"0 0 340 ") && narrow.contains("chart--narrow"));
    let fraction = of(Look { is_fraction: true, digits: Some(2), ..Look::default() });
    assert!(fraction.contains(">0.20<") && !fraction.contains("20.0 %"), "{fraction}");
}
