//! A summary for a pull request: what the overviews show, as GitHub-flavoured Markdown.
//!
//! The verdict and the headline numbers are in sight, tables and failed cases are folded. Nothing
//! from a file makes Markdown, HTML, a mention or a link.

use super::columns::RunCx;
use super::job::{ExportContext, ExportFormat};
use super::words::{case_name, cell_words, failure_words, headline_words, provisos};
use crate::format;
use crate::model::Outcome;
use crate::report::{
    Align, Headline, Sections, Table, Target, Topic, VerdictOrigin, VerdictView, sections,
};
use crate::workspace::{Entry, run_label};
use std::fmt::Write as _;
use std::io;

/// Bytes after which no further evaluation is written out: a comment on GitHub holds 65,536 characters.
const MAX_BYTES: usize = 60_000;

/// Rows of a table.
const MAX_ROWS: usize = 25;

/// The summary.
pub(super) struct SummaryMarkdown;

impl ExportFormat for SummaryMarkdown {
    fn end(&mut self, cx: &ExportContext<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        let mut text = String::new();
        let page = |target| sections(cx.workspace, Topic::Overview(target));
        match cx.selection.target {
            Target::Run(_) => {
                let page = page(cx.selection.target).unwrap_or_default();
                head(cx, &page, "#", &mut text);
                tables(cx, &page, &mut text);
                for entry in cx.selection.entries(cx.workspace) {
                    failed_cases(cx, entry, &mut text);
                }
            }
            Target::Evaluation(_) => {
                for entry in cx.selection.entries(cx.workspace) {
                    evaluation(cx, entry, "#", &mut text);
                }
            }
            Target::All => all(cx, &mut text),
        }
        out.extend(text.as_bytes());
        Ok(())
    }
}

/// Everything: an overview, then each evaluation as long as there is room.
fn all(cx: &ExportContext<'_>, text: &mut String) {
    let page = sections(cx.workspace, Topic::Overview(Target::All)).unwrap_or_default();
    head(cx, &Sections { title: "Evaluation results".to_owned(), ..page.clone() }, "#", text);
    let overview = page.sections.iter().flat_map(|section| &section.tables);
    if let Some(evaluations) = overview.into_iter().next() {
        table(cx, evaluations, text);
    }
    let mut left_out = Vec::new();
    for entry in cx.selection.entries(cx.workspace) {
        let mut own = String::new();
        evaluation(cx, entry, "##", &mut own);
        if text.len() + own.len() > MAX_BYTES {
            left_out.push(code(&entry.evaluation.label));
        } else {
            text.push_str(&own);
        }
    }
    if !left_out.is_empty() {
        let names = left_out.iter().take(MAX_ROWS).cloned().collect::<Vec<_>>().join(", ");
        let n = format::counted(left_out.len() as u64, "evaluation is", "evaluations are");
        put(
            text,
            format_args!("{n} only in the table above because of the size limit: {names}.\n\n"),
        );
    }
}

fn evaluation(cx: &ExportContext<'_>, entry: &Entry, level: &str, text: &mut String) {
    let target = Target::Evaluation(entry.id);
    let Some(page) = sections(cx.workspace, Topic::Overview(target)) else { return };
    head(cx, &page, level, text);
    tables(cx, &page, text);
    failed_cases(cx, entry, text);
}

/// Title, facts, verdict, headline numbers, how they compare with the declared ones.
fn head(cx: &ExportContext<'_>, page: &Sections, level: &str, text: &mut String) {
    put(text, format_args!("{level} {}\n\n", words(&page.title)));
    if level == "#" {
        for line in provisos(cx) {
            put(text, format_args!("> {}\n\n", words(&line)));
        }
    }
    if !page.facts.is_empty() {
        let facts: Vec<String> = page.facts.iter().map(|fact| code(fact)).collect();
        put(text, format_args!("{}\n\n", facts.join(" · ")));
    }
    if let Some(view) = &page.verdict {
        let VerdictView { outcome, rule, standing, proviso, .. } = view;
        let sign = if proviso.is_some() { "…" } else { sign(*outcome) };
        let (word, why) = (words(&view.word()), words(&view.why()));
        let by = match standing {
            VerdictOrigin::Judged => format!(" (rule: {})", words(rule)),
            VerdictOrigin::Declared | VerdictOrigin::Unknown => String::new(),
        };
        put(text, format_args!("**{sign} {word}**: {why}{by}\n\n"));
        if let Some(proviso) = proviso {
            put(text, format_args!("Preliminary: {}\n\n", words(proviso)));
        }
        if let Some(declared) = view.otherwise() {
            put(text, format_args!("Recorded in the file: {}\n\n", words(declared)));
        }
    }
    if let Some(reason) = &page.empty {
        put(text, format_args!("{}\n\n", words(reason)));
    }
    let timed = page.sections.iter().flat_map(|section| &section.headlines);
    let headlines: Vec<&Headline> = page.headlines.iter().chain(timed).collect();
    if !headlines.is_empty() {
        let labels = headlines.iter().map(|headline| words(&headline.label));
        line(labels, text);
        line(headlines.iter().map(|_| "---:".to_owned()), text);
        line(headlines.iter().map(|headline| words(&headline_words(headline, cx.look))), text);
        text.push('\n');
    }
    if let Some(badge) = &page.badge {
        put(text, format_args!("{}\n\n", words(&badge.words)));
    }
}

/// The tables of a page, folded.
fn tables(cx: &ExportContext<'_>, page: &Sections, text: &mut String) {
    let all = page.sections.iter().flat_map(|section| &section.tables);
    let filled: Vec<&Table> = all.filter(|table| !table.rows.is_empty()).collect();
    if filled.is_empty() {
        return;
    }
    text.push_str("<details><summary>Tables</summary>\n\n");
    for one in filled {
        put(text, format_args!("**{}**\n\n", words(&one.caption)));
        table(cx, one, text);
    }
    text.push_str("</details>\n\n");
}

fn table(cx: &ExportContext<'_>, table: &Table, text: &mut String) {
    line(table.columns.iter().map(|column| words(&column.label)), text);
    line(table.columns.iter().map(|column| rule(column.align)), text);
    for row in table.rows.iter().take(MAX_ROWS) {
        line(row.cells.iter().map(|cell| words(&cell_words(cell, cx.look))), text);
    }
    text.push('\n');
    more(table.rows.len(), text);
    if let Some(footnote) = &table.footnote {
        put(text, format_args!("{}\n\n", words(footnote)));
    }
}

/// The cases of an evaluation that ended otherwise than passed, folded.
fn failed_cases(cx: &ExportContext<'_>, entry: &Entry, text: &mut String) {
    let mut rows = Vec::new();
    let mut n_failed = 0_usize;
    for piece in cx.selection.pieces.iter().filter(|piece| piece.run.evaluation == entry.id) {
        let Some(RunCx { run, .. }) = RunCx::new(cx.workspace, piece.run) else { continue };
        for idx in piece.rows() {
            let outcome = run.cases.outcome_of(idx);
            if !matches!(outcome, Outcome::Failed | Outcome::Error) {
                continue;
            }
            n_failed += 1;
            if rows.len() < MAX_ROWS {
                let score = run.cases.score.get(idx).map(|score| cx.look.score(score));
                rows.push([
                    code(&case_name(run, idx)),
                    code(&run_label(entry, run)),
                    run.cases.group.get(idx).map_or(String::new(), code),
                    format!("{} {outcome}", sign(outcome)),
                    score.unwrap_or_else(|| format::UNKNOWN.to_owned()),
                    failure_words(run, idx).map_or(String::new(), |why| words(&cut(&why))),
                ]);
            }
        }
    }
    if n_failed == 0 {
        return;
    }
    let n = format::counted(n_failed as u64, "case does", "cases do");
    put(text, format_args!("<details><summary>{n} not pass</summary>\n\n"));
    line(["Case", "Run", "Group", "Outcome", "Score", "Why"].map(str::to_owned), text);
    line(["---", "---", "---", "---", "---:", "---"].map(str::to_owned), text);
    rows.into_iter().for_each(|row| line(row, text));
    text.push('\n');
    more(n_failed, text);
    text.push_str("</details>\n\n");
}

/// Characters of a reason.
const REASON_CHARS: usize = 200;

fn cut(reason: &str) -> String {
    match reason.char_indices().nth(REASON_CHARS) {
        Some((end, _)) => format!("{}…", reason.get(..end).unwrap_or(reason)),
        None => reason.to_owned(),
    }
}

/// How many rows of `n_rows` a table does not show.
fn more(n_rows: usize, text: &mut String) {
    if n_rows > MAX_ROWS {
        let n = format::count((n_rows - MAX_ROWS) as u64);
        put(text, format_args!("… and {n} more.\n\n"));
    }
}

/// One line of a table.
pub(super) fn line(cells: impl IntoIterator<Item = String>, text: &mut String) {
    for cell in cells {
        put(text, format_args!("| {cell} "));
    }
    text.push_str("|\n");
}

fn rule(align: Align) -> String {
    match align {
        Align::Start => "---",
        Align::End => "---:",
    }
    .to_owned()
}

/// The sign of an outcome, beside its word.
fn sign(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "✓",
        Outcome::Failed => "✗",
        Outcome::Error => "⚠",
        Outcome::Skipped | Outcome::Scored | Outcome::Unscored => "○",
    }
}

pub(super) fn put(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing into a `String` cannot fail.
    let _ = text.write_fmt(arguments);
}

/// Text that is not Markdown: marks are escaped, and mentions, numbers of issues and addresses are
/// parted where GitHub would make links of them.
pub(super) fn words(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut last = ' ';
    for letter in text.chars() {
        match letter {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' => {
                out.push('\\');
                out.push(letter);
            }
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '@' | '#' => {
                out.push(letter);
                out.push_str("<!-- -->");
            }
            // `https://…` and `www.…` would become links.
            '/' if last == ':' => out.push_str("\\/"),
            '.' if last == 'w' => out.push_str("\\."),
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
        last = letter;
    }
    out
}

/// A name as code, which GitHub makes nothing of.
pub(super) fn code(text: &str) -> String {
    let flat: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if flat.trim().is_empty() {
        return "` `".to_owned();
    }
    let longest = flat.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if longest > 0 { " " } else { "" };
    // A bar would end the cell, even within code.
    format!("{fence}{space}{}{space}{fence}", flat.replace('|', "\\|"))
}

#[cfg(test)]
mod tests {
    use super::{code, cut, words};

    #[test]
    fn nothing_from_a_file_is_markdown() {
        assert_eq!(words("a|b *c* _d_ <b>&"), "a\\|b \\*c\\* \\_d\\_ &lt;b&gt;&amp;");
        assert_eq!(words("@team #12"), "@<!-- -->team #<!-- -->12");
        assert_eq!(words("https://x.example www.x"), "https:\\//x.example www\\.x");
        assert_eq!(words("[x](y)\n# z"), "\\[x\\](y) #<!-- --> z");
        assert_eq!(code("a`b``c|d"), "``` a`b``c\\|d ```");
        assert_eq!(code("case_1"), "`case_1`");
        assert_eq!(code("\n"), "` `");
    }

    #[test]
    fn long_reasons_are_cut_between_characters() {
        assert_eq!(cut("ä"), "ä");
        assert_eq!(cut(&"ä".repeat(201)), format!("{}…", "ä".repeat(200)));
    }
}
