//! Bars made of parts, one for each name.

use super::canvas::{Anchor, Area, Canvas};
use super::histogram::{count_axis, counted, real};
use super::rows::ChartRows;
use super::{LinkIdx, Tone, text};
use serde::{Deserialize, Serialize};

const PITCH: f64 = 24.0;
const BAR: f64 = 14.0;

/// Bars made of parts, one for each name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stacks {
    /// What is counted, one and many: `case`, `cases`.
    pub things: [String; 2],
    /// The bars.
    pub stacks: Vec<Stack>,
}

/// One bar.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stack {
    /// Its name.
    pub name: String,
    /// Its parts; those of 0 are left out.
    pub parts: Vec<StackPart>,
}

/// A part of a bar.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StackPart {
    /// What it is: `failed`.
    pub name: String,
    /// How it looks.
    pub tone: Tone,
    /// How many.
    pub n: u64,
    /// What it opens.
    pub link: Option<LinkIdx>,
}

impl Stack {
    /// How many in all.
    pub fn total(&self) -> u64 {
        self.parts.iter().map(|part| part.n).sum()
    }
}

impl Stacks {
    pub(super) fn draw(&self, canvas: &mut Canvas<'_>) {
        let axis = count_axis(&self.things);
        let totals: Vec<u64> = self.stacks.iter().map(Stack::total).collect();
        let x = axis.ticked(totals.iter().map(|&n| real(n)), 5, canvas.frame);
        let names: Vec<&str> = self.stacks.iter().map(|stack| stack.name.as_str()).collect();
        let notes: Vec<String> = totals.iter().map(|&n| crate::format::count(n)).collect();
        let room = notes.iter().map(|note| text::width(note)).fold(0.0, f64::max);
        let top = self.draw_key(canvas);
        let rows = ChartRows::draw(canvas, &names, &x, PITCH, top, room);
        for (((stack, note), total), at) in self.stacks.iter().zip(&notes).zip(totals).zip(0_u32..)
        {
            let y = rows.middle(at);
            let mut before = 0;
            for part in stack.parts.iter().filter(|part| part.n > 0) {
                let (from, to) = (rows.x.at(real(before)), rows.x.at(real(before + part.n)));
                before += part.n;
                let area =
                    Area { x: from, y: y - BAR / 2.0, width: (to - from).max(1.0), height: BAR };
                canvas.bar(part.tone, area);
                let share = crate::format::rate(real(part.n) / real(total), 1);
                let words =
                    crate::words::chart::part_of(&counted(part.n, &self.things), &share, note);
                let name = format!("{}: {}", stack.name, part.name);
                canvas.mark(area, vec![name, words], part.link);
            }
            canvas.text("chart__note", (rows.x.at(real(total)) + 6.0, y), Anchor::Start, note);
        }
    }

    /// What the parts are, above the bars; returns its height.
    fn draw_key(&self, canvas: &mut Canvas<'_>) -> f64 {
        let mut kinds: Vec<(&str, Tone)> = Vec::new();
        for part in self.stacks.iter().flat_map(|stack| &stack.parts).filter(|part| part.n > 0) {
            if !kinds.iter().any(|(name, _)| *name == part.name) {
                kinds.push((&part.name, part.tone));
            }
        }
        key(canvas, &kinds, 0.0)
    }
}

/// A swatch and a word for each of `kinds`, in lines from `top` on; returns their height.
pub(super) fn key(canvas: &mut Canvas<'_>, kinds: &[(&str, Tone)], top: f64) -> f64 {
    const SWATCH: f64 = 12.0;
    let (mut x, mut y) = (0.0, top + text::LINE / 2.0);
    for (name, tone) in kinds {
        let name = text::fit(name, canvas.width / 2.0);
        let width = SWATCH + 6.0 + text::width(&name);
        if x > 0.0 && x + width > canvas.width {
            (x, y) = (0.0, y + text::LINE + 2.0);
        }
        let area = Area { x, y: y - SWATCH / 2.0, width: SWATCH, height: SWATCH };
        canvas.bar(*tone, area);
        canvas.text("chart__label", (x + SWATCH + 6.0, y), Anchor::Start, &name);
        x += width + 16.0;
    }
    if kinds.is_empty() { 0.0 } else { y - top + text::LINE / 2.0 + 8.0 }
}
