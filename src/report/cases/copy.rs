//! Rows as text with tabs between the cells, for a spreadsheet.

use super::{CaseLine, CaseQuery, MAX_ROWS, SortKey, case_page};
use crate::format;
use crate::report::workspace::Workspace;

/// Most rows that are copied at once: a clipboard holds some megabytes well, not a gigabyte.
const MAX_COPIED: u64 = 100_000;

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
    let page = case_page(workspace, &CaseQuery { offset: 0, limit: 0, ..query.clone() })?;
    let everything = [(0, page.n_matching)];
    let ranges = if ranges.is_empty() { &everything } else { ranges };
    let mut text = page.columns.iter().map(|key| key.title()).collect::<Vec<_>>().join("\t");
    text.push('\n');
    let (mut n_copied, mut n_wanted) = (0, 0);
    for (first, end) in ranges {
        let end = (*end).min(page.n_matching);
        n_wanted += end.saturating_sub(*first);
        let mut at = *first;
        while at < end && n_copied < MAX_COPIED {
            let limit = (end - at).min(MAX_ROWS).min(MAX_COPIED - n_copied);
            let rows =
                case_page(workspace, &CaseQuery { offset: at, limit, ..query.clone() })?.rows;
            if rows.is_empty() {
                break;
            }
            for line in &rows {
                write_row(line, &page.columns, &mut text);
            }
            at += rows.len() as u64;
            n_copied += rows.len() as u64;
        }
    }
    let rows = format::counted(n_copied, "row", "rows");
    let said = if n_copied < n_wanted {
        format!("Copied the first {rows} of {}.", format::count(n_wanted))
    } else {
        format!("Copied {rows}.")
    };
    Some(Copied { text, said })
}

fn write_row(line: &CaseLine, columns: &[SortKey], text: &mut String) {
    for (nth, key) in columns.iter().enumerate() {
        if nth > 0 {
            text.push('\t');
        }
        // A break inside a cell would be one of the table.
        let cell = line.plain(*key);
        text.extend(cell.chars().map(|c| if matches!(c, '\t' | '\n' | '\r') { ' ' } else { c }));
    }
    text.push('\n');
}

impl CaseLine {
    /// The cell of a column as plain text, numbers so that they read back the same; empty when it is
    /// not known.
    fn plain(&self, key: SortKey) -> String {
        let number = |found: Option<crate::report::Num>| found.map(|number| number.0.to_string());
        let text = match key {
            SortKey::File | SortKey::Instability => None,
            SortKey::Run => Some(self.run_label.clone()),
            SortKey::Id => Some(self.id.clone()),
            SortKey::Group => self.group.clone(),
            SortKey::Kind => self.kind.map(|kind| kind.as_str().to_owned()),
            SortKey::Outcome => Some(self.outcome.as_str().to_owned()),
            SortKey::Score => number(self.score),
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
        };
        text.unwrap_or_default()
    }
}
