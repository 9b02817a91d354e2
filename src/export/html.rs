//! Everything on one page that stands for itself: no script, no other file, nothing fetched.
//!
//! The parts are those that the pages show, drawn by `render`; below each run stand its cases, by group,
//! as in the HTML report of slop-code's reporting guide.

use super::job::{ExportContext, ExportFormat};
use super::selection::CaseBatch;
use super::words::{case_name, failure_words, provisos};
use crate::address::{OpenNames, Page, Route};
use crate::format;
use crate::markup::Markup;
use crate::model::{Outcome, Run};
use crate::render::{View, outcome_word, sections_page};
use crate::report::{Cell, Link, Sections, Target, Topic, sections};
use crate::workspace::{Entry, run_label};
use std::collections::{HashSet, VecDeque};
use std::io;

/// The sheets of the page that draw what the report holds, and its own.
const STYLES: [&str; 10] = [
    include_str!("../../style/tokens.css"),
    include_str!("../../style/base.css"),
    include_str!("../../style/outcome.css"),
    include_str!("../../style/card.css"),
    include_str!("../../style/table.css"),
    include_str!("../../style/overview.css"),
    include_str!("../../style/sections.css"),
    include_str!("../../style/chart.css"),
    include_str!("../../style/figure.css"),
    include_str!("html.css"),
];

/// Cases of a run that are listed; of a longer one only those that do not pass, and as many of these.
const CASES_LISTED: usize = 5_000;

/// What stands before the parts of a page called `title`: its head with the sheets, and what it is.
pub(super) fn begin(title: &str) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend(b"<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out.extend(b"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ");
    out.extend(b"style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n");
    out.extend(b"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.extend(b"<meta name=\"color-scheme\" content=\"light dark\">\n");
    let mut head = Markup::new();
    head.open("title").text(title);
    out.extend(head.as_str().as_bytes());
    out.extend(b"\n<style>\n");
    STYLES.iter().for_each(|style| out.extend(style.as_bytes()));
    out.extend(b"</style>\n</head>\n<body>\n<main>\n");
    let mut body = Markup::new();
    body.open("p").class("report__origin").text(concat!(
        "Evalglass ",
        env!("CARGO_PKG_VERSION"),
        ". This page is self-contained: no scripts, no network requests."
    ));
    finish(&body, &mut out);
    out
}

/// What stands behind the parts.
pub(super) const END: &[u8] = b"</main>\n</body>\n</html>\n";

/// The report.
#[derive(Default)]
pub(super) struct ReportHtml {
    /// What has a part of its own. Of a single thing the part about what it is in would say the same
    /// once more.
    parts: HashSet<Target>,
    /// Evaluations whose part is not written yet.
    pending: VecDeque<u32>,
    /// The group that is open, once there is one.
    group: Option<Option<String>>,
    n_listed: usize,
    n_left_out: u64,
}

impl ExportFormat for ReportHtml {
    fn begin(&mut self, cx: &ExportContext<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        self.parts = parts(cx);
        let entries = cx.selection.entries(cx.workspace).map(|entry| entry.id);
        self.pending = entries.filter(|id| self.parts.contains(&Target::Evaluation(*id))).collect();
        out.extend(begin(&title(cx)));
        let mut body = Markup::new();
        for line in provisos(cx) {
            body.open("p").class("report__proviso").text(&line);
        }
        self.part(cx, Target::All, &mut body);
        finish(&body, out);
        Ok(())
    }

    fn piece(
        &mut self,
        cx: &ExportContext<'_>,
        piece: &CaseBatch,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let Some((entry, run)) = cx.workspace.run(piece.run) else { return Ok(()) };
        if piece.is_first {
            self.catch_up(cx, Some(entry.id), out);
            let mut body = Markup::new();
            self.part(cx, Target::Run(piece.run), &mut body);
            finish(&body, out);
            (self.group, self.n_listed) = (None, 0);
            self.n_left_out = 0;
        }
        let is_long = run.cases.len() > CASES_LISTED;
        let mut rows = Markup::new();
        for idx in piece.rows() {
            let outcome = run.cases.outcome_of(idx);
            if self.n_listed >= CASES_LISTED || (is_long && outcome == Outcome::Passed) {
                self.n_left_out += 1;
                continue;
            }
            self.n_listed += 1;
            let group = run.cases.group.get(idx);
            if self.group.as_ref().map(Option::as_deref) != Some(group) {
                flush(&mut rows, out);
                if self.group.is_some() {
                    out.extend(GROUP_END);
                }
                group_start(entry, piece.run.run as usize, group, out);
                self.group = Some(group.map(str::to_owned));
            }
            case_row(cx, run, idx, &mut rows);
        }
        flush(&mut rows, out);
        if piece.is_last {
            if self.group.is_some() {
                out.extend(GROUP_END);
            }
            if self.n_left_out > 0 {
                let n = format::counted(self.n_left_out, "case is", "cases are");
                let mut more = Markup::new();
                more.open("p").class("report__more").text(&format!("{n} not listed here."));
                finish(&more, out);
            }
        }
        Ok(())
    }

    fn end(&mut self, cx: &ExportContext<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        self.catch_up(cx, None, out);
        if cx.selection.target == Target::All {
            let mut body = Markup::new();
            for topic in [Topic::Audit { is_whole: false }, Topic::Notes] {
                if let Some(page) = sections(cx.workspace, topic.clone()) {
                    self.draw(cx, Target::All, topic, page, &mut body);
                }
            }
            finish(&body, out);
        }
        out.extend(END);
        Ok(())
    }
}

impl ReportHtml {
    /// Writes the evaluations up to the one numbered `id`, or all that are left.
    fn catch_up(&mut self, cx: &ExportContext<'_>, id: Option<u32>, out: &mut Vec<u8>) {
        if id.is_some_and(|id| !self.pending.contains(&id)) {
            return;
        }
        while let Some(next) = self.pending.pop_front() {
            let mut body = Markup::new();
            self.part(cx, Target::Evaluation(next), &mut body);
            finish(&body, out);
            if Some(next) == id {
                break;
            }
        }
    }

    /// The overview of `target`, where it has a part.
    fn part(&self, cx: &ExportContext<'_>, target: Target, out: &mut Markup) {
        let topic = Topic::Overview(target);
        let page = sections(cx.workspace, topic.clone());
        let Some(mut page) = page.filter(|_| self.parts.contains(&target)) else { return };
        match target {
            Target::All => "Evaluation results".clone_into(&mut page.title),
            Target::Run(run) if !self.parts.contains(&Target::Evaluation(run.evaluation)) => {
                let entry = cx.workspace.entry(run.evaluation);
                let label = entry.map(|entry| entry.evaluation.label.clone());
                page.facts.splice(0..0, label.filter(|label| *label != page.title));
            }
            _ => {}
        }
        self.draw(cx, target, topic, page, out);
    }

    /// Draws a page as a part with an id, which links within the report lead to.
    fn draw(
        &self,
        cx: &ExportContext<'_>,
        target: Target,
        topic: Topic,
        mut page: Sections,
        out: &mut Markup,
    ) {
        self.adapt(target, &topic, &mut page);
        let names = cx.workspace;
        let view = View { look: cx.look, page: Page::Overview, target, names };
        let mut tag = out.open("section").class("report__part");
        if let Topic::Overview(target) = topic {
            tag = tag.attr("id", &place(target, names));
        }
        tag.body(|out| {
            out.append(&sections_page(&page, view));
        });
    }

    /// Makes a page fit to stand among others without an app: tables get ids of their own, and links that lead
    /// out of the report become plain words.
    fn adapt(&self, target: Target, topic: &Topic, page: &mut Sections) {
        let own = match (topic, target) {
            (Topic::Audit { .. }, _) => "audit".to_owned(),
            (Topic::Notes, _) => "notes".to_owned(),
            (_, Target::All) => "all".to_owned(),
            (_, Target::Evaluation(id)) => format!("e{id}"),
            (_, Target::Run(run)) => format!("r{}-{}", run.evaluation, run.run),
        };
        if let Some(badge) = page.badge.take() {
            page.lead.get_or_insert(badge.words);
        }
        page.headlines.iter_mut().for_each(|headline| self.unlink(&mut headline.value));
        for section in &mut page.sections {
            section.headlines.iter_mut().for_each(|headline| self.unlink(&mut headline.value));
            let behind = section.figures.iter_mut().map(|figure| {
                figure.id = format!("{own}-{}", figure.id);
                figure.links.clear();
                &mut figure.table
            });
            for table in section.tables.iter_mut().chain(behind) {
                table.id = format!("{own}-{}", table.id);
                for row in &mut table.rows {
                    row.link = row.link.take().filter(|link| self.holds(link));
                    row.cells.iter_mut().for_each(|cell| self.unlink(cell));
                }
            }
        }
    }

    /// Whether the report itself holds what `link` opens.
    fn holds(&self, link: &Link) -> bool {
        matches!(link, Link::Target(target) if self.parts.contains(target))
    }

    fn unlink(&self, cell: &mut Cell) {
        while let Cell::Linked(inner, link) = cell {
            if self.holds(link) {
                return;
            }
            let inner = std::mem::replace(inner.as_mut(), Cell::Flag(false));
            *cell = inner;
        }
    }
}

/// What gets a part of its own.
fn parts(cx: &ExportContext<'_>) -> HashSet<Target> {
    let mut parts: HashSet<Target> =
        cx.selection.pieces.iter().map(|piece| Target::Run(piece.run)).collect();
    if !matches!(cx.selection.target, Target::Run(_)) {
        let entries = cx.selection.entries(cx.workspace);
        let entries = entries
            .filter(|entry| entry.evaluation.runs.len() != 1 || entry.figures.aggregate.is_some());
        parts.extend(entries.map(|entry| Target::Evaluation(entry.id)));
    }
    if cx.selection.target == Target::All && cx.workspace.entries.len() != 1 {
        parts.insert(Target::All);
    }
    parts
}

const GROUP_END: &[u8] = b"</tbody></table></div></details>\n";

/// What the page is called.
fn title(cx: &ExportContext<'_>) -> String {
    let entry = || cx.selection.entries(cx.workspace).next();
    match cx.selection.target {
        Target::All => "Evaluation results".to_owned(),
        Target::Evaluation(_) => entry().map_or(String::new(), |e| e.evaluation.label.clone()),
        Target::Run(at) => cx.workspace.run(at).map_or(String::new(), |(entry, run)| {
            format!("{} › {}", entry.evaluation.label, run_label(entry, run))
        }),
    }
}

/// The id of the part about `target`: what the address of its overview has behind the `#`.
fn place(target: Target, names: &dyn OpenNames) -> String {
    let link = Link::Target(target);
    let address = Route::of_link(&link, Page::Overview, target, names).to_hash(names);
    address.trim_start_matches('#').to_owned()
}

fn group_start(entry: &Entry, run_idx: usize, group: Option<&str>, out: &mut Vec<u8>) {
    let figures = entry.figures.runs.get(run_idx);
    let score = figures
        .and_then(|figures| figures.groups.iter().find(|score| Some(score.name.as_str()) == group));
    let mut summary = Markup::new();
    summary.text(group.unwrap_or("Cases"));
    if let Some(score) = score {
        let kind = score.kind.map_or(String::new(), |kind| format!("{kind}, "));
        let n = format!("{} / {} passed", format::count(score.passed), format::count(score.cases));
        summary.span("report__share", &format!("{kind}{n}"));
    }
    let is_open = score.is_none_or(|score| score.passed < score.cases);
    out.extend(if is_open {
        &b"<details class=\"report__group\" open>"[..]
    } else {
        &b"<details class=\"report__group\">"[..]
    });
    out.extend(b"<summary>");
    out.extend(summary.as_str().as_bytes());
    out.extend(b"</summary><div class=\"data-table__scroll\"><table><thead><tr>");
    out.extend(b"<th scope=\"col\" class=\"is-start\">Case</th>");
    out.extend(b"<th scope=\"col\" class=\"is-start\">Outcome</th>");
    out.extend(b"<th scope=\"col\" class=\"is-end\">Score</th>");
    out.extend(b"<th scope=\"col\" class=\"is-end\">Time</th>");
    out.extend(b"<th scope=\"col\" class=\"is-start\">Why</th></tr></thead><tbody>\n");
}

fn case_row(cx: &ExportContext<'_>, run: &Run, idx: usize, out: &mut Markup) {
    let outcome = run.cases.outcome_of(idx);
    let unknown = || format::UNKNOWN.to_owned();
    let score = run.cases.score.get(idx).map_or_else(unknown, |score| cx.look.score(score));
    let secs = run.cases.duration_secs.get(idx).map_or_else(unknown, format::secs);
    let why = failure_words(run, idx).filter(|_| outcome != Outcome::Passed).unwrap_or_default();
    out.open("tr").body(|out| {
        out.open("th").attr("scope", "row").class("is-start").text(&case_name(run, idx));
        out.open("td").class("is-start").body(|out| outcome_word(outcome, out));
        out.open("td").class("is-end").text(&score);
        out.open("td").class("is-end").text(&secs);
        out.open("td").class("is-start").text(&why);
    });
}

fn flush(rows: &mut Markup, out: &mut Vec<u8>) {
    if !rows.is_empty() {
        finish(&std::mem::take(rows), out);
    }
}

fn finish(markup: &Markup, out: &mut Vec<u8>) {
    out.extend(markup.as_str().as_bytes());
    out.push(b'\n');
}
