//! Cells, tables and headlines as plain words: what the pages draw, for formats of text.

use super::job::ExportContext;
use crate::format;
use crate::model::{Locator, Run};
use crate::render::Look;
use crate::report::{Cell, Headline, is_right};

/// The words of a cell.
pub(super) fn cell_words(cell: &Cell, look: Look) -> String {
    match cell {
        Cell::Text(text) | Cell::Tag { text, .. } | Cell::Folded(text) => text.clone(),
        Cell::Count(n) => format::count(*n),
        Cell::Number(value) => look.number(value.0),
        Cell::Rate(value) => look.rate(value.0),
        Cell::Bar(value) => look.score(value.0),
        Cell::Share { part, whole } => {
            format!("{} / {}", format::count(*part), format::count(*whole))
        }
        Cell::Secs(value) => format::secs(value.0),
        Cell::Usd { amount, is_lower_bound } => format::usd(amount.0, *is_lower_bound),
        Cell::Outcome(outcome) => outcome.as_str().to_owned(),
        Cell::Flag(is_so) => (if *is_so { "yes" } else { "no" }).to_owned(),
        Cell::Bytes(n) => format::bytes(*n),
        Cell::Interval { low, high } => format!("{} – {}", look.score(low.0), look.score(high.0)),
        Cell::UnitInterval { low, high } => {
            let [cut_low, cut_high] = format::cut_to_unit([low.0, high.0], |end| look.score(end));
            format!("{cut_low} – {cut_high}")
        }
        Cell::SecsInterval { low, high } => {
            format!("{} – {}", format::secs(low.0), format::secs(high.0))
        }
        Cell::Declared(inner) => format!("{} declared", cell_words(inner, look)),
        Cell::Missing(_) => format::UNKNOWN.to_owned(),
        Cell::Linked(inner, _) => cell_words(inner, look),
    }
}

/// The number of a headline, with its note in parentheses.
pub(super) fn headline_words(headline: &Headline, look: Look) -> String {
    let value = cell_words(&headline.value, look);
    match &headline.note {
        Some(note @ (Cell::Interval { .. } | Cell::UnitInterval { .. })) => {
            format!("{value} (95 %: {})", cell_words(note, look))
        }
        Some(note) => format!("{value} ({})", cell_words(note, look)),
        None => value,
    }
}

/// What a case that does not pass is about, in a line: the first line of its error, else its wrong checks.
pub(super) fn failure_words(run: &Run, idx: usize) -> Option<String> {
    let cases = &run.cases;
    let message = cases.error_message.get(idx).and_then(first_line);
    let error = message.or(cases.error_type.get(idx)).or(cases.error_category.get(idx));
    error.map(str::to_owned).or_else(|| {
        let mut names: Vec<&str> = Vec::new();
        for at in run.checks_of(idx).filter(|&at| is_right(run, at) == Some(false)) {
            let name = run.checks.name.get(at).filter(|name| !names.contains(name));
            names.extend(name);
        }
        let more = names.len().saturating_sub(CHECKS_NAMED);
        names.truncate(CHECKS_NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        (!names.is_empty()).then(|| format!("wrong: {}{more}", names.join(", ")))
    })
}

/// Checks that are named of a case, at most.
const CHECKS_NAMED: usize = 3;

fn first_line(text: &str) -> Option<&str> {
    text.lines().map(str::trim).find(|line| !line.is_empty())
}

/// The name of a case: its id, with the part of the suite that it belongs to.
pub(super) fn case_name(run: &Run, idx: usize) -> String {
    let id = run.cases.id.get(idx).map_or_else(|| format!("case {}", idx + 1), str::to_owned);
    match run.cases.variant.get(idx) {
        Some(variant) => format!("{id} [{variant}]"),
        None => id,
    }
}

/// What gives the texts of an evaluation's files.
pub(super) type TextOf<'a> = dyn Fn(Locator) -> Option<String> + 'a;

/// The checks of a case that are not right, one after the other, with their reasons.
pub(super) fn wrong_checks(run: &Run, idx: usize, text_of: &TextOf<'_>) -> String {
    let mut text = String::new();
    for at in run.checks_of(idx).filter(|&at| is_right(run, at) == Some(false)) {
        let name = run.checks.name.get(at).unwrap_or("check");
        let attempt =
            run.checks.attempt.get(at).filter(|_| run.cases.n_attempts.get(idx) > Some(1));
        let attempt = attempt.map_or(String::new(), |attempt| format!(", attempt {attempt}"));
        let score = run.checks.score.get(at);
        let score = score.map_or(String::new(), |score| format!(", score {score}"));
        text.push_str(&format!("\n{name}{attempt}{score}"));
        let reason = run.checks.reason_of(at).and_then(text_of);
        if let Some(reason) = reason.filter(|reason| !reason.is_empty()) {
            text.push_str(": ");
            text.push_str(&reason);
        }
    }
    text
}

/// What stands above figures that were not made by the declared rules, or of chosen cases.
pub(super) fn provisos(cx: &ExportContext<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    let changes = cx.workspace.settings.changes();
    if !changes.is_empty() {
        lines.push(format!("Rules changed by the user: {}.", changes.join("; ")));
    }
    if cx.selection.is_picked {
        lines.push(format!(
            "Cases listed here: the {} that were chosen. Figures are over all cases.",
            format::count(cx.selection.n_cases)
        ));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::Markup;
    use crate::render::{View, cell};
    use crate::report::{Link, Num, Outcome};

    /// What a person sees of markup: no tags, nothing that is hidden from sight.
    fn seen(markup: &Markup) -> String {
        let markup = markup.as_str();
        let shown = match markup.split_once("<span class=\"visually-hidden\">") {
            Some((before, hidden)) => {
                format!("{before}{}", hidden.split_once("</span>").unwrap_or_default().1)
            }
            None => markup.to_owned(),
        };
        let parts =
            shown.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
        parts.collect::<String>().replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    }

    #[test]
    fn words_are_what_the_page_shows() {
        let looks =
            [Look::default(), Look { is_fraction: true, digits: Some(1), ..Look::default() }];
        let third = Num(1.0 / 3.0);
        let cells = [
            Cell::Text("a & b".to_owned()),
            Cell::Count(12_345),
            Cell::Number(Num(-1234.5678)),
            Cell::Rate(third),
            Cell::Bar(Num(0.9999)),
            Cell::Share { part: 2, whole: 3_000 },
            Cell::Secs(Num(0.0004)),
            Cell::Usd { amount: Num(0.0123), is_lower_bound: true },
            Cell::Outcome(Outcome::Error),
            Cell::Flag(true),
            Cell::Bytes(1_200),
            Cell::Tag { text: "lost".to_owned(), is_bad: true },
            Cell::Interval { low: third, high: Num(1.0) },
            Cell::SecsInterval { low: Num(0.5), high: Num(61.0) },
            Cell::Declared(Box::new(Cell::Share { part: 8, whole: 10 })),
            Cell::Missing("nothing was judged".to_owned()),
            Cell::Linked(Box::new(Cell::Bar(third)), Link::Audit),
        ];
        for look in looks {
            for one in &cells {
                let mut markup = Markup::new();
                cell(one, View { look, ..View::default() }, &mut markup);
                assert_eq!(cell_words(one, look), seen(&markup), "{one:?}");
            }
        }
    }
}
