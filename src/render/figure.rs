//! Charts with their words and the table behind them, and as files of their own.

use super::View;
use super::table::table;
use crate::chart::{ChartFrame, Drawing as Picture};
use crate::markup::Markup;
use crate::report::{ChartFigure, SectionChoice};
use crate::words::ui::overview::CHART_TABLE;
use crate::words::ui::report as words;

/// The colours of a page, of which a saved picture takes the light ones.
const TOKENS: &str = include_str!("../../style/tokens.css");
/// How ink looks, in the page and in a saved picture alike.
const INK: &str = include_str!("../../style/chart.css");

/// How a chart is saved: the ending of the file, and the words of the button.
pub const PICTURES: [(&str, &str); 2] = [("svg", words::SAVE_SVG), ("png", words::SAVE_PNG)];

/// What is said where no reason is.
pub const NOTHING: &str = words::NOTHING_TO_DRAW;

/// Room around a saved picture.
const MARGIN: f64 = 16.0;
/// Room for its title.
const TITLE: f64 = 32.0;

/// Charts side by side. `heading` is the element of their titles.
pub(super) fn figures(
    figures: &[ChartFigure],
    heading: &'static str,
    view: View<'_>,
    out: &mut Markup,
) {
    for group in figures.chunk_by(|left, right| left.is_small == right.is_small) {
        let is_small = group.first().is_some_and(|figure| figure.is_small);
        out.open("div")
            .class(if is_small { "figures figures--small" } else { "figures" })
            .body(|out| group.iter().for_each(|one| figure(one, heading, view, out)));
    }
}

/// A chart, its title and what it leaves out, and its table.
pub fn figure(figure: &ChartFigure, heading: &'static str, view: View<'_>, out: &mut Markup) {
    let title_id = title_id(&figure.id);
    out.open("figure").class("figure").attr("id", &format!("figure-{}", figure.id)).body(|out| {
        out.open("figcaption").class("figure__head").body(|out| {
            out.open(heading).class("figure__title").attr("id", &title_id).text(&figure.title);
            if !figure.lead.is_empty() {
                out.open("p").class("figure__lead").text(&figure.lead);
            }
        });
        match picture(figure, view) {
            Some(picture) => {
                out.open("div").class("figure__plot").body(|out| {
                    out.append(&picture);
                });
                out.open("div").class("figure__foot").body(|out| behind(figure, view, out));
            }
            None => {
                let reason = figure.empty.as_deref().unwrap_or(NOTHING);
                out.open("p").class("figure__empty").text(reason);
                if !figure.table.rows.is_empty() {
                    out.open("div").class("figure__foot").body(|out| behind(figure, view, out));
                }
            }
        }
    });
}

/// Choices between which a page can be shown, as a row of links.
pub(super) fn choices(choices: &[SectionChoice], view: View<'_>, out: &mut Markup) {
    if choices.is_empty() {
        return;
    }
    out.open("nav").class("choices").attr("aria-label", words::MEASURE).body(|out| {
        for choice in choices {
            out.open("a")
                .class("choices__item")
                .href(&view.address(&choice.link))
                .attr_if("aria-current", choice.is_on.then_some("true"))
                .text(&choice.label);
        }
    });
}

/// The figure as a picture of its own: an SVG document in light colours, with its title in it and
/// nothing that can be clicked. `None` when there is nothing to draw.
pub fn chart_file(figure: &ChartFigure, view: View<'_>) -> Option<String> {
    let picture = figure.chart.as_ref()?.draw(&frame(figure, view, &[]));
    let (width, height) = (picture.width + 2.0 * MARGIN, picture.height + TITLE + 2.0 * MARGIN);
    let mut body = Markup::new();
    body.open("title").text(&figure.title);
    body.open("desc").text(&figure.lead);
    body.open("rect").class("chart__paper").attr("width", "100%").attr("height", "100%").end();
    let size = format!("{MARGIN} {}", MARGIN + 12.0);
    body.open("g").attr("transform", &format!("translate({size})")).body(|out| {
        let title = crate::chart::fitted(&figure.title, picture.width * 0.7);
        out.open("text").class("chart__heading").text(&title);
    });
    let place = format!("translate({MARGIN} {})", MARGIN + TITLE);
    body.open("g").attr("transform", &place).body(|out| {
        out.append(&picture.ink);
    });
    let text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\"><style><![CDATA[\n{}]]></style>{}</svg>\n",
        light_style(),
        body.as_str()
    );
    Some(text.chars().map(|letter| if is_xml(letter) { letter } else { '\u{fffd}' }).collect())
}

fn hrefs(figure: &ChartFigure, view: View<'_>) -> Vec<String> {
    figure.links.iter().map(|link| view.address(link)).collect()
}

fn frame<'a>(figure: &'a ChartFigure, view: View<'_>, hrefs: &'a [String]) -> ChartFrame<'a> {
    let look = view.look;
    ChartFrame {
        id: &figure.id,
        is_narrow: look.is_narrow || figure.is_small,
        is_fraction: look.is_fraction,
        digits: look.digits,
        hrefs,
    }
}

/// The chart of `figure` as an SVG element; `None` when there is nothing to draw. It is named by the title
/// of the figure: a title of its own would be shown wherever the pointer rests, over the tooltips.
pub fn picture(figure: &ChartFigure, view: View<'_>) -> Option<Markup> {
    let hrefs = hrefs(figure, view);
    let frame = frame(figure, view, &hrefs);
    let Picture { width, height, ink, marks } = figure.chart.as_ref()?.draw(&frame);
    let class = if frame.is_narrow { "chart chart--narrow" } else { "chart" };
    let mut out = Markup::new();
    out.open("svg")
        .class(class)
        .attr("viewBox", &format!("0 0 {width} {height}"))
        .attr("role", "group")
        .attr("aria-labelledby", &title_id(&figure.id))
        .body(|out| {
            out.open("desc").text(&figure.lead);
            out.open("g").attr("aria-hidden", "true").body(|out| {
                out.append(&ink);
            });
            out.append(&marks);
        });
    Some(out)
}

/// Id of the title of the figure `id`.
pub fn title_id(id: &str) -> String {
    format!("title-{id}")
}

fn behind(figure: &ChartFigure, view: View<'_>, out: &mut Markup) {
    out.open("details").class("figure__table").body(|out| {
        out.open("summary").text(CHART_TABLE);
        table(&figure.table, "h4", view, out);
    });
}

/// `title` as the name of a file: words of ASCII letters and digits, joined by `-`.
pub fn file_stem(title: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { ' ' };
    let text: String = title.to_ascii_lowercase().chars().map(plain).collect();
    let words: Vec<&str> = text.split_ascii_whitespace().take(12).collect();
    if words.is_empty() { "chart".to_owned() } else { words.join("-") }
}

/// The style of ink with the light colours put in: programs that draw SVG need not know variables.
fn light_style() -> String {
    let light = TOKENS.split_once('{').map_or("", |(_, rest)| rest);
    let light = light.split_once('}').map_or("", |(block, _)| block);
    let mut style = INK.to_owned();
    for line in light.split(';') {
        if let Some((name, value)) = line.trim().split_once(':')
            && name.starts_with("--")
        {
            let value = value.trim();
            let light = value.strip_prefix("light-dark(").and_then(|both| both.split_once(','));
            style = style.replace(&format!("var({name})"), light.map_or(value, |(light, _)| light));
        }
    }
    style
}

/// Whether XML 1.0 knows the character.
fn is_xml(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}
