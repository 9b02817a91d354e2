//! Rows as text with tabs between the cells, for a spreadsheet.

use super::{CaseLine, CaseQuery, MAX_ROWS, SortKey, case_page, heat_page};
use crate::model::CaseTexts;
use crate::report::Num;
use crate::report::case_texts;
use crate::words::report::cases as words;
use crate::workspace::Workspace;

/// Most rows that are copied at once: a clipboard holds some megabytes well, not a gigabyte.
const MAX_COPIED: u64 = 100_000;

/// Most rows that are copied with their texts: each is read out of its file.
const MAX_WITH_TEXTS: u64 = 1_000;

/// Rows as text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Copied {
    /// Headings and rows, each on its line.
    pub text: String,
    /// What was copied, as a sentence.
    pub said: String,
}

/// The rows `ranges` (first, end) of the answer to `query`; without any, all of them. `None` when
/// its target is not there.
pub fn copy_cases(
    workspace: &Workspace,
    query: &CaseQuery,
    ranges: &[(u64, u64)],
) -> Option<Copied> {
    let n_rows = rows(workspace, &CaseQuery { offset: 0, limit: 0, ..query.clone() })?.1;
    let everything = [(0, n_rows)];
    let ranges = if ranges.is_empty() { &everything } else { ranges };
    let ranges = ranges.iter().map(|(first, end)| (*first, (*end).min(n_rows)));
    let n_wanted: u64 = ranges.clone().map(|(first, end)| end.saturating_sub(first)).sum();
    let (query, left_out) = match n_wanted > MAX_WITH_TEXTS {
        true => without_texts(query),
        false => (query.clone(), String::new()),
    };
    let mut text = rows(workspace, &CaseQuery { offset: 0, limit: 0, ..query.clone() })?.0;
    let mut n_copied = 0;
    for (first, end) in ranges {
        let mut at = first;
        while at < end && n_copied < MAX_COPIED {
            let limit = (end - at).min(MAX_ROWS).min(MAX_COPIED - n_copied);
            let (more, _, n_more) =
                rows(workspace, &CaseQuery { offset: at, limit, ..query.clone() })?;
            if n_more == 0 {
                break;
            }
            // Without the heading, which is there already.
            text.push_str(more.split_once('\n').map_or("", |(_, rows)| rows));
            at += n_more;
            n_copied += n_more;
        }
    }
    let mut said = if n_copied < n_wanted {
        words::copied_first(n_copied, n_wanted)
    } else {
        words::copied(n_copied)
    };
    said.push_str(&left_out);
    Some(Copied { text, said })
}

/// `query` without the columns of texts, and a sentence about that.
fn without_texts(query: &CaseQuery) -> (CaseQuery, String) {
    let (mut columns, texts): (Vec<SortKey>, Vec<SortKey>) =
        query.columns.iter().partition(|key| key.is_sortable());
    if query.heat.is_some() || texts.is_empty() {
        return (query.clone(), String::new());
    }
    if columns.is_empty() {
        columns.push(SortKey::Id);
    }
    let titles: Vec<&str> = texts.into_iter().map(SortKey::title).collect();
    let said = format!(" {}", words::without_texts(&titles.join(", "), MAX_WITH_TEXTS));
    (CaseQuery { columns, ..query.clone() }, said)
}

/// Heading and rows of `query`, the number of rows that there are in all, and that of these.
fn rows(workspace: &Workspace, query: &CaseQuery) -> Option<(String, u64, u64)> {
    let mut text = String::new();
    if query.heat.is_none() {
        let page = case_page(workspace, query)?;
        write_row(page.columns.iter().map(|key| key.heading(&page.metrics).to_owned()), &mut text);
        let has_texts = page.columns.iter().any(|key| !key.is_sortable());
        let texts = if has_texts { case_texts(workspace, query)? } else { Vec::new() };
        for (nth, line) in page.rows.iter().enumerate() {
            let texts = texts.get(nth).and_then(Option::as_ref);
            write_row(page.columns.iter().map(|key| line.plain(*key, texts)), &mut text);
        }
        return Some((text, page.n_matching, page.rows.len() as u64));
    }
    let page = heat_page(workspace, query)?;
    let first = words::HEAT_COLUMNS.map(str::to_owned);
    write_row(first.into_iter().chain(page.columns.iter().cloned()), &mut text);
    let number = |found: Option<Num>| found.map_or(String::new(), |number| number.0.to_string());
    for line in &page.rows {
        let first = [
            line.id.clone(),
            line.group.clone().unwrap_or_default(),
            number(line.instability),
            number(line.mean),
        ];
        let cells = line.cells.iter().map(|cell| {
            cell.map_or(String::new(), |cell| {
                let text = format!("{} {}", cell.outcome, number(cell.score));
                text.trim_end().to_owned()
            })
        });
        write_row(first.into_iter().chain(cells), &mut text);
    }
    Some((text, page.n_matching, page.rows.len() as u64))
}

fn write_row(cells: impl Iterator<Item = String>, text: &mut String) {
    for (nth, cell) in cells.enumerate() {
        if nth > 0 {
            text.push('\t');
        }
        // A break inside a cell would be one of the table.
        text.extend(cell.chars().map(|c| if matches!(c, '\t' | '\n' | '\r') { ' ' } else { c }));
    }
    text.push('\n');
}

impl CaseLine {
    /// The cell of a column as plain text, numbers so that they read back the same; empty when it is
    /// not known. `texts` are those of the case.
    fn plain(&self, key: SortKey, texts: Option<&CaseTexts>) -> String {
        let number = |found: Option<Num>| found.map(|number| number.0.to_string());
        let text = match key {
            SortKey::File | SortKey::Instability => None,
            SortKey::Run => Some(self.run_label.clone()),
            SortKey::Id => Some(self.id.clone()),
            SortKey::Group => self.group.clone(),
            SortKey::Kind => self.kind.map(|kind| kind.as_str().to_owned()),
            SortKey::Outcome => Some(self.outcome.as_str().to_owned()),
            SortKey::Score => number(self.score),
            SortKey::Metric(at) => number(self.metrics.get(usize::from(at)).copied().flatten()),
            SortKey::FailedChecks => (self.n_checks > 0).then(|| self.n_failed_checks.to_string()),
            SortKey::Attempts => self.n_attempts.map(|n| n.to_string()),
            SortKey::Duration => number(self.duration_secs),
            SortKey::Cost => number(self.cost_usd),
            SortKey::Tokens => number(self.tokens),
            SortKey::Error => self.error.clone(),
            SortKey::Model => self.model.clone(),
            SortKey::Suite => self.suite.clone(),
            SortKey::Variant => self.variant.clone(),
            SortKey::Repeat => Some(self.repeat.to_string()),
            SortKey::Tags => Some(self.tags.join(", ")),
            SortKey::Input | SortKey::Answer | SortKey::Expected => {
                texts.and_then(|texts| key.text(texts)).map(str::to_owned)
            }
        };
        text.unwrap_or_default()
    }
}
