//! What is being drawn: ink, and over it the marks with their tooltips.

use super::tone::HATCH;
use super::{ChartFrame, Tone, text};
use crate::markup::Markup;

/// Place of an address in [`ChartFrame::hrefs`].
pub type LinkIdx = u32;

/// Room between a tooltip's edge and its words.
const TIP_PAD: f64 = 8.0;
/// Width of a tooltip's words, at most.
const TIP_ROOM: f64 = 240.0;
/// Between a mark and its tooltip.
const TIP_GAP: f64 = 6.0;

/// A drawing. Both layers are what goes into an `<svg>` of this size.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Drawing {
    /// Width in its own units, which are pixels at its natural size.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// What is seen.
    pub ink: Markup,
    /// What can be pointed at and focused, with tooltips; for a picture alone it can be left out.
    pub marks: Markup,
}

/// A box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Area {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Area {
    /// Around a point.
    pub(super) fn around(x: f64, y: f64, r: f64) -> Self {
        Self { x: x - r, y: y - r, width: 2.0 * r, height: 2.0 * r }
    }

    /// Whether both have a part in common.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.x < other.x + other.width
            && other.x < self.x + self.width
            && self.y < other.y + other.height
            && other.y < self.y + self.height
    }

    /// Whether `other` lies in it.
    pub(super) fn holds(&self, other: &Self) -> bool {
        other.x >= self.x
            && other.y >= self.y
            && other.x + other.width <= self.x + self.width
            && other.y + other.height <= self.y + self.height
    }
}

/// Where a text stands at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

/// Something that can be pointed at.
struct ChartMark {
    area: Area,
    /// Its name, then what else there is to say.
    words: Vec<String>,
    link: Option<LinkIdx>,
}

/// A line of a tooltip.
struct TipLine {
    class: &'static str,
    words: String,
}

/// A drawing being made.
pub(super) struct Canvas<'a> {
    /// How it is to be drawn.
    pub frame: &'a ChartFrame<'a>,
    /// Width.
    pub width: f64,
    /// Height; set by the layout.
    pub height: f64,
    ink: Markup,
    hatches: Vec<Tone>,
    marks: Vec<ChartMark>,
}

/// A length or place: at most two decimals. What is not a number is 0.
pub(super) fn px(value: f64) -> String {
    if !value.is_finite() {
        return "0".to_owned();
    }
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

impl<'a> Canvas<'a> {
    pub(super) fn new(frame: &'a ChartFrame<'a>) -> Self {
        Self {
            frame,
            width: frame.width(),
            height: 0.0,
            ink: Markup::new(),
            hatches: Vec::new(),
            marks: Vec::new(),
        }
    }

    pub(super) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        self.ink
            .open("line")
            .class(class)
            .attr("x1", &px(from.0))
            .attr("y1", &px(from.1))
            .attr("x2", &px(to.0))
            .attr("y2", &px(to.1))
            .end();
    }

    pub(super) fn rect(&mut self, class: &str, area: Area) {
        rect(&mut self.ink, area).class(class).end();
    }

    pub(super) fn path(&mut self, class: &str, d: &str) {
        self.ink.open("path").class(class).attr("d", d).end();
    }

    /// The shape of `tone` around a point.
    pub(super) fn shape(&mut self, tone: Tone, x: f64, y: f64, r: f64) {
        self.path(&format!("chart__shape {}", tone.class()), &tone.shape(x, y, r));
    }

    /// A bar in the colour and hatch of `tone`.
    pub(super) fn bar(&mut self, tone: Tone, area: Area) {
        self.rect(&format!("chart__bar {}", tone.class()), area);
        let Some(hatch) = tone.hatch() else { return };
        if !self.hatches.contains(&tone) {
            self.hatches.push(tone);
        }
        let fill = format!("url(#{}-{})", self.frame.id, hatch.name);
        rect(&mut self.ink, area).attr("fill", &fill).end();
    }

    /// One line of text, its middle at height `y`. It must fit: see [`text::fit`].
    pub(super) fn text(&mut self, class: &str, at: (f64, f64), anchor: Anchor, words: &str) {
        text_line(&mut self.ink, class, at, anchor, words);
    }

    /// The same, moved so that it stays between the edges of the drawing, and shortened to that.
    pub(super) fn text_within(&mut self, class: &str, at: (f64, f64), words: &str) {
        let words = text::fit(words, self.width);
        let half = text::width(&words) / 2.0;
        let x = at.0.clamp(half, (self.width - half).max(half));
        self.text(class, (x, at.1), Anchor::Middle, &words);
    }

    /// An area that can be pointed at: its name first, then what else there is to say.
    pub(super) fn mark(&mut self, area: Area, words: Vec<String>, link: Option<LinkIdx>) {
        let words = words.iter().map(|words| text::plain(words)).filter(|words| !words.is_empty());
        self.marks.push(ChartMark { area, words: words.collect(), link });
    }

    /// Ends the drawing. It is at least as high as its highest tooltip.
    pub(super) fn finish(mut self) -> Drawing {
        let tips: Vec<Vec<TipLine>> = self.marks.iter().map(|mark| self.tip_lines(mark)).collect();
        let highest = tips.iter().map(Vec::len).max().unwrap_or(0);
        self.height = self.height.max(tip_height(highest) + 2.0).ceil();
        let mut marks = Markup::new();
        for (mark, lines) in self.marks.iter().zip(&tips) {
            self.write_mark(mark, lines, &mut marks);
        }
        let mut ink = self.hatch_patterns();
        ink.append(&self.ink);
        Drawing { width: self.width, height: self.height, ink, marks }
    }

    fn tip_lines(&self, mark: &ChartMark) -> Vec<TipLine> {
        let room = TIP_ROOM.min(self.width - 2.0 * TIP_PAD - 4.0);
        let wrapped = mark.words.iter().enumerate().flat_map(|(at, words)| {
            let class = if at == 0 { "mark__name" } else { "mark__words" };
            text::wrap(words, room, 2).into_iter().map(move |words| TipLine { class, words })
        });
        wrapped.collect()
    }

    fn write_mark(&self, mark: &ChartMark, lines: &[TipLine], out: &mut Markup) {
        let label = mark.words.join("; ");
        let href = mark.link.and_then(|at| self.frame.hrefs.get(usize::try_from(at).ok()?));
        let tag = match href {
            Some(href) => out.open("a").class("mark").href(href),
            None => out.open("g").class("mark").attr("tabindex", "0").attr("role", "img"),
        };
        tag.attr("aria-label", &label).body(|out| {
            rect(out, mark.area).class("mark__area").attr("rx", "2").end();
            let tip = self.tip_area(mark.area, lines);
            out.open("g").class("mark__tip").attr("aria-hidden", "true").body(|out| {
                rect(out, tip).class("mark__box").attr("rx", "4").end();
                for (line, at) in lines.iter().zip(0_u32..) {
                    let y = tip.y + TIP_PAD / 2.0 + text::LINE * (f64::from(at) + 0.5);
                    text_line(out, line.class, (tip.x + TIP_PAD, y), Anchor::Start, &line.words);
                }
            });
        });
    }

    /// Above the mark, else below it, else beside it; always within the drawing.
    fn tip_area(&self, mark: Area, lines: &[TipLine]) -> Area {
        let widest = lines.iter().map(|line| text::width(&line.words)).fold(0.0, f64::max);
        // Names are set bold, which is wider.
        let width = (widest * 1.1 + 2.0 * TIP_PAD).min(self.width - 2.0);
        let height = tip_height(lines.len());
        let (most_x, most_y) = (self.width - width - 1.0, self.height - height - 1.0);
        let middle = mark.x + mark.width / 2.0 - width / 2.0;
        let (x, y) = if mark.y - TIP_GAP - height >= 1.0 {
            (middle, mark.y - TIP_GAP - height)
        } else if mark.y + mark.height + TIP_GAP <= most_y {
            (middle, mark.y + mark.height + TIP_GAP)
        } else if mark.x + mark.width + TIP_GAP <= most_x {
            (mark.x + mark.width + TIP_GAP, mark.y)
        } else {
            (mark.x - TIP_GAP - width, mark.y)
        };
        let within = |value: f64, most: f64| value.clamp(1.0, most.max(1.0));
        Area { x: within(x, most_x), y: within(y, most_y), width, height }
    }

    fn hatch_patterns(&self) -> Markup {
        let mut out = Markup::new();
        let hatches: Vec<_> = self.hatches.iter().filter_map(|tone| tone.hatch()).collect();
        if hatches.is_empty() {
            return out;
        }
        out.open("defs").body(|out| {
            for hatch in hatches {
                out.open("pattern")
                    .attr("id", &format!("{}-{}", self.frame.id, hatch.name))
                    .attr("width", &px(HATCH))
                    .attr("height", &px(HATCH))
                    .attr("patternUnits", "userSpaceOnUse")
                    .body(|out| {
                        out.open("path").class("chart__hatch").attr("d", hatch.path).end();
                    });
            }
        });
        out
    }
}

fn tip_height(n_lines: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "few lines")]
    let n_lines = n_lines as f64;
    n_lines * text::LINE + TIP_PAD
}

fn rect(out: &mut Markup, area: Area) -> crate::markup::Tag<'_> {
    out.open("rect")
        .attr("x", &px(area.x))
        .attr("y", &px(area.y))
        .attr("width", &px(area.width.max(0.0)))
        .attr("height", &px(area.height.max(0.0)))
}

fn text_line(out: &mut Markup, class: &str, at: (f64, f64), anchor: Anchor, words: &str) {
    let anchor = match anchor {
        Anchor::Start => None,
        Anchor::Middle => Some("middle"),
        Anchor::End => Some("end"),
    };
    out.open("text")
        .class(class)
        .attr("x", &px(at.0))
        // The letters' middle lies about a third of the size above the line they stand on.
        .attr("y", &px(at.1 + text::SIZE / 3.0))
        .attr_if("text-anchor", anchor)
        .text(words);
}
