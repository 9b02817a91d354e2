//! A comparison for a pull request: verdict, table, the worst regressions.

use crate::export::markdown::{code, line, put, words};
use crate::format::{count, counted, number};
use crate::render::compare::{is_undone, verdict_title, verdict_why};
use crate::report::compare::{
    Came, Change, CompareQuery, Guard, MeasureLine, PairsQuery, Valued, VerdictIs, Versus, compare,
    compare_pairs,
};
use crate::words::terms::LOWER_IS_BETTER;
use crate::workspace::Workspace;

/// Regressions that are listed.
const N_WORST: usize = 10;

/// Groups and settings that are listed.
const MAX_LINES: usize = 25;

/// The comparison that `query` asks for, as GitHub-flavoured Markdown; `None` when a side is not loaded.
pub fn comparison_markdown(workspace: &Workspace, query: &CompareQuery) -> Option<String> {
    let found = compare(workspace, query)?;
    let mut text = String::new();
    for versus in &found.candidates {
        let (one, two) = (found.sides.first()?, found.sides.get(versus.side)?);
        let n_sides = found.sides.len();
        let sign = match versus.verdict.is {
            _ if is_undone(versus) => "❔",
            VerdictIs::Better => "✅",
            VerdictIs::Worse => "❌",
            VerdictIs::Same => "🟰",
            VerdictIs::CannotTell => "❔",
        };
        put(&mut text, format_args!("## {sign} {}\n\n", words(&verdict_title(versus, n_sides))));
        let names = format!(
            "{}: {} (baseline), {}: {}",
            one.letter,
            code(&one.label),
            two.letter,
            code(&two.label)
        );
        put(&mut text, format_args!("{names}\n\n{}\n\n", words(&verdict_why(versus, n_sides))));
        let guard = match versus.guard {
            Guard::Held => "held",
            Guard::Broken => "broken",
            Guard::Undecided => "undecided",
        };
        let margin = number(versus.margin.0, 3);
        put(
            &mut text,
            format_args!("Guard ({} loses no more than {margin}): **{guard}**\n\n", two.letter),
        );
        let audit: Vec<String> = versus.audit_words.iter().map(|one| words(one)).collect();
        put(&mut text, format_args!("{}\n\n", audit.join(" ")));
        measures(versus, &mut text);
        regressions(workspace, query, versus, &mut text)?;
        groups(versus, &mut text);
        settings(versus, &mut text);
    }
    Some(text)
}

fn header(cells: &[&str], text: &mut String) {
    line(cells.iter().map(|cell| (*cell).to_owned()), text);
    let rule = |at: usize| if at == 0 { ":--" } else { "--:" };
    line((0..cells.len()).map(|at| rule(at).to_owned()), text);
}

fn measures(versus: &Versus, text: &mut String) {
    if versus.measures.is_empty() {
        return;
    }
    header(&["Measure", "Pairs", "A", "B", "Difference", "95 % interval", "p (Holm)"], text);
    for one in &versus.measures {
        line(
            [
                name(one),
                count(one.n),
                value(one, one.baseline.0),
                value(one, one.candidate.0),
                signed(one, one.difference.0),
                one.ci95.map_or("–".to_owned(), |[low, high]| {
                    format!("{} to {}", signed(one, low.0), signed(one, high.0))
                }),
                one.p_holm.map_or("–".to_owned(), |p| chance(p.0)),
            ],
            text,
        );
    }
    text.push('\n');
}

fn regressions(
    workspace: &Workspace,
    query: &CompareQuery,
    versus: &Versus,
    text: &mut String,
) -> Option<()> {
    let worst = PairsQuery {
        side: versus.side,
        change: Change::Regressed,
        n: N_WORST,
        ..PairsQuery::default()
    };
    let page = compare_pairs(workspace, query, &worst)?;
    if page.lines.is_empty() {
        return Some(());
    }
    let all = counted(page.n_all, "regression", "regressions");
    put(text, format_args!("<details><summary>{all}</summary>\n\n"));
    header(&["Case", "A", "B", "Difference"], text);
    for pair in &page.lines {
        let place: Vec<&str> = [pair.variant.as_deref(), pair.group.as_deref()]
            .into_iter()
            .flatten()
            .chain(std::iter::once(pair.id.as_str()))
            .collect();
        let side = |came: Option<Came>, value: Option<f64>| {
            let came = came.map_or("–", Came::as_str);
            match value {
                Some(value) => format!("{came}, {}", number(value, 3)),
                None => came.to_owned(),
            }
        };
        line(
            [
                code(&place.join(" / ")),
                side(pair.came.0, pair.values.map(|values| values.0.0)),
                side(pair.came.1, pair.values.map(|values| values.1.0)),
                pair.difference.map_or("–".to_owned(), |apart| number(apart.0, 3)),
            ],
            text,
        );
    }
    put(text, format_args!("\n</details>\n\n"));
    Some(())
}

fn groups(versus: &Versus, text: &mut String) {
    for parts in &versus.parts {
        let word = parts.called.as_str();
        put(text, format_args!("<details><summary>By {word}</summary>\n\n"));
        if let Some(reversal) = &parts.reversal {
            put(text, format_args!("{}\n\n", words(reversal)));
        }
        header(&[word, "Pairs", "Difference", "Adds"], text);
        for part in parts.parts.iter().take(MAX_LINES) {
            line(
                [
                    code(&part.name),
                    count(part.n),
                    number(part.difference.0, 3),
                    number(part.contribution.0, 3),
                ],
                text,
            );
        }
        more(parts.parts.len(), text);
        put(text, format_args!("\n</details>\n\n"));
    }
}

fn settings(versus: &Versus, text: &mut String) {
    if versus.configuration.is_empty() {
        return;
    }
    put(text, format_args!("<details><summary>Configuration differences</summary>\n\n"));
    header(&["Setting", "A", "B"], text);
    for one in versus.configuration.iter().take(MAX_LINES) {
        let value = |value: &Option<String>| value.as_deref().map_or("–".to_owned(), code);
        line([code(&one.path), value(&one.baseline), value(&one.candidate)], text);
    }
    more(versus.configuration.len(), text);
    put(text, format_args!("\n</details>\n\n"));
}

fn more(n: usize, text: &mut String) {
    if n > MAX_LINES {
        put(text, format_args!("\n{} more.\n", count((n - MAX_LINES) as u64)));
    }
}

/// What a measure is called, with its unit and, where it is so, that lower is better.
fn name(line: &MeasureLine) -> String {
    let (name, unit) = match &line.measure {
        Valued::PassRate => ("Pass rate".to_owned(), None),
        Valued::Score => ("Score".to_owned(), None),
        Valued::Metric(name) => (code(name), None),
        Valued::Cost => ("Cost".to_owned(), Some("USD")),
        Valued::Duration => ("Duration".to_owned(), Some("s")),
        Valued::PromptTokens => ("Prompt tokens".to_owned(), None),
        Valued::CompletionTokens => ("Completion tokens".to_owned(), None),
    };
    let less = line.is_less_better().then_some(LOWER_IS_BETTER);
    let remarks: Vec<&str> = unit.into_iter().chain(less).collect();
    if remarks.is_empty() { name } else { format!("{name} ({})", remarks.join(", ")) }
}

fn value(line: &MeasureLine, value: f64) -> String {
    if line.measure == Valued::PassRate {
        return crate::format::rate(value, 1);
    }
    number(value, 4)
}

fn signed(line: &MeasureLine, apart: f64) -> String {
    let plain = if line.measure == Valued::PassRate {
        format!("{:.1} points", apart.abs() * 100.0)
    } else {
        number(apart.abs(), 4)
    };
    match apart {
        apart if apart > 0.0 => format!("+{plain}"),
        apart if apart < 0.0 => format!("−{plain}"),
        _ => plain,
    }
}

fn chance(p: f64) -> String {
    if p < 0.0001 { "<0.0001".to_owned() } else { format!("{p:.4}") }
}
