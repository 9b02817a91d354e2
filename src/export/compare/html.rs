//! A comparison as a page that stands for itself, drawn as exported reports are.

use crate::address::CompareView;
use crate::export::html::{END, begin};
use crate::format::{counted, number};
use crate::markup::Markup;
use crate::render::compare::{
    CompareContext, CompareShown, PlotShown, RanksShown, TableShown, VersusShown, compare_shown,
    ranks_shown, verdict_title,
};
use crate::render::{Look, View, sections_page};
use crate::report::compare::{
    Change, CompareQuery, Comparison, PairsQuery, compare, compare_pairs, compare_ranks,
};
use crate::report::{Align, Cell, Column, Row, Section, Sections, Table, TableShape, Target};
use crate::workspace::Workspace;

/// Regressions that are listed.
const N_WORST: usize = 200;

/// The comparison that `query` asks for, as a page without script; `None` when a side is not loaded.
pub fn comparison_html(workspace: &Workspace, query: &CompareQuery, look: Look) -> Option<Vec<u8>> {
    let found = compare(workspace, query)?;
    let of = |side: usize| CompareView {
        sides: query.sides.iter().map(|side| side.members.clone()).collect(),
        by: query.by,
        strip: query.strip.clone(),
        margin: query.margin.to_string(),
        without_changed: query.without_changed,
        against: side,
        ..CompareView::default()
    };
    let first = found.candidates.first();
    let title = first.map(|one| verdict_title(one, found.sides.len()));
    let mut out = begin(title.as_deref().unwrap_or("Comparison"));
    let view =
        View { look, page: crate::address::Page::Compare, target: Target::All, names: workspace };
    for versus in &found.candidates {
        let asked = of(versus.side);
        let drawn = CompareContext { view: &asked, look, target: Target::All, names: workspace };
        let shown = compare_shown(&found, Vec::new(), &drawn);
        let Some(one) = &shown.versus else { continue };
        let ranks = compare_ranks(workspace, query).filter(|_| versus.side == 1);
        let ranks = ranks.map(|ranks| ranks_shown(&ranks, &drawn));
        let mut page = page(&shown, one, ranks.as_ref());
        page.sections.insert(
            page.sections.len().min(2),
            regressions(workspace, query, &found, versus.side)?,
        );
        let part = sections_page(&page, view);
        let mut whole = Markup::new();
        whole.open("section").class("report__part").body(|out| {
            out.append(&part);
        });
        out.extend(whole.as_str().as_bytes());
        out.push(b'\n');
    }
    out.extend(END);
    Some(out)
}

fn page(of: &CompareShown, one: &VersusShown, ranks: Option<&RanksShown>) -> Sections {
    let sides = [of.sides.first(), of.sides.get(one.side)].into_iter().flatten();
    let mut facts: Vec<String> =
        sides.map(|side| format!("{}: {} ({})", side.letter, side.label, side.note)).collect();
    facts.extend(one.guard.as_ref().map(|(_, words)| words.clone()));
    facts.extend(one.audit.iter().map(|one| one.words.clone()));
    let mut sections = Vec::new();
    let id = |what: &str| format!("{}-{what}", one.letter);
    let mut put = |title: &str, lead: Option<String>, table: Table| {
        if !table.rows.is_empty() {
            let title = title.to_owned();
            sections.push(Section { title, lead, tables: vec![table], ..Section::default() });
        }
    };
    let heads = ["Measure", "Pairs", "A", &one.letter, "Difference", "95 %", "Says", "p (Holm)"];
    let findings = (!one.findings.is_empty()).then(|| one.findings.join(" "));
    put("Differences", findings, measures(&id("measures"), heads, &one.measures));
    if let Some(ranks) = ranks {
        let heads = ["Side", "Value", "95 %", "First", "Ranks", "Letters"];
        let rows = ranks.lines.iter().map(|line| {
            let name = format!("{} {}", line.letter, line.label);
            let (value, interval) = (line.value.clone(), line.interval.clone());
            vec![
                name,
                value,
                interval,
                line.first.0.clone(),
                line.chances.clone(),
                line.letters.clone(),
            ]
        });
        put("Ranking", Some(ranks.lead.clone()), table(&id("ranking"), "Ranking", &heads, rows));
        let every = words_table(&id("every-two"), "Pairwise differences", &ranks.matrix);
        put("Pairwise differences", None, every);
    }
    for parts in &one.parts {
        let heads = [parts.by.as_str(), "Pairs", "Difference", "95 %", "p (Holm)", "Adds"];
        let rows = parts.plot.rows.iter().map(|row| {
            let adds = row.adds.clone().unwrap_or_default();
            let (difference, interval) = (row.difference.clone(), row.interval.clone());
            vec![row.name.clone(), row.n.clone(), difference, interval, row.p.clone(), adds]
        });
        let mut lead = format!("The parts add up to {}.", parts.sum);
        if parts.n_more > 0 {
            lead.push_str(&format!(
                " {} not shown.",
                counted(parts.n_more, "smaller part is", "smaller parts are")
            ));
        }
        lead.extend(parts.reversal.iter().flat_map(|words| [" ", words.as_str()]));
        let title = format!("Where it comes from: by {}", parts.by);
        put(&title, Some(lead), table(&id(&format!("by-{}", parts.by)), &title, &heads, rows));
    }
    if !one.matrix.rows.is_empty() {
        let heads: Vec<&str> = ["A"]
            .into_iter()
            .chain(one.matrix.columns.iter().map(|came| came.word.as_str()))
            .chain(["all"])
            .collect();
        let rows = one.matrix.rows.iter().map(|(came, cells, sum)| {
            let cells = cells
                .iter()
                .map(|cell| cell.as_ref().map_or("0".to_owned(), |cell| cell.n.clone()));
            [came.word.clone()].into_iter().chain(cells).chain([sum.clone()]).collect()
        });
        let lead = format!("Rows: outcomes on A; columns: outcomes on {}.", one.letter);
        put("Outcomes", Some(lead), table(&id("outcomes"), "Outcomes", &heads, rows));
    }
    if let Some(checkpoints) = &one.checkpoints {
        put("Checkpoints", None, words_table(&id("checkpoints"), "Checkpoints", checkpoints));
    }
    let heads = ["Setting", "A", one.letter.as_str()];
    let settings = one.configuration.iter().map(|one| {
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "–".to_owned());
        vec![one.path.clone(), value(&one.baseline), value(&one.candidate)]
    });
    let title = "Configuration differences";
    put(title, None, table(&id("settings"), title, &heads, settings));
    put("Every figure", None, words_table(&id("figures"), "Every figure", &one.figures));
    Sections {
        title: one.title.clone(),
        facts,
        lead: Some(one.why.clone()),
        sections,
        ..Sections::default()
    }
}

fn measures(id: &str, heads: [&str; 8], plots: &[PlotShown]) -> Table {
    let rows = plots.iter().flat_map(|plot| &plot.rows).map(|row| {
        let value = |at: usize| row.values.get(at).cloned().unwrap_or_default();
        let (difference, interval) = (row.difference.clone(), row.interval.clone());
        let says = row.says.1.clone();
        vec![
            row.name.clone(),
            row.n.clone(),
            value(0),
            value(1),
            difference,
            interval,
            says,
            row.p.clone(),
        ]
    });
    table(id, "Differences", &heads, rows)
}

/// The pairs that lost most.
fn regressions(
    workspace: &Workspace,
    query: &CompareQuery,
    of: &Comparison,
    side: usize,
) -> Option<Section> {
    let worst = PairsQuery { side, change: Change::Regressed, n: N_WORST, ..PairsQuery::default() };
    let found = compare_pairs(workspace, query, &worst)?;
    let letter = of.sides.get(side)?.letter.to_string();
    let heads = ["Case", "Where", "A", letter.as_str(), "Difference"];
    let rows = found.lines.iter().map(|line| {
        let place: Vec<&str> =
            [line.variant.as_deref(), line.group.as_deref()].into_iter().flatten().collect();
        let [one, two] = [
            (line.came.0, line.values.map(|both| both.0)),
            (line.came.1, line.values.map(|both| both.1)),
        ]
        .map(|(came, value)| {
            let came = came.map_or("–", |came| came.as_str());
            value.map_or(came.to_owned(), |value| format!("{came}, {}", number(value.0, 3)))
        });
        let apart = line.difference.map_or("–".to_owned(), |apart| number(apart.0, 3));
        vec![line.id.clone(), place.join(" / "), one, two, apart]
    });
    let title = "Regressions, largest loss first";
    let n_more = found.n_all.saturating_sub(found.lines.len() as u64);
    Some(Section {
        title: title.to_owned(),
        lead: (n_more > 0).then(|| {
            format!("{} not listed.", counted(n_more, "further one is", "further ones are"))
        }),
        tables: vec![Table {
            empty: found.lines.is_empty().then(|| "No case regressed.".to_owned()),
            ..table(&format!("{letter}-regressions"), title, &heads, rows)
        }],
        ..Section::default()
    })
}

fn words_table(id: &str, caption: &str, shown: &TableShown) -> Table {
    let heads: Vec<&str> = shown.heads.iter().map(String::as_str).collect();
    table(id, caption, &heads, shown.rows.iter().cloned())
}

/// Columns of words.
const WORDS: [&str; 3] = ["Says", "Ranks", "Letters"];

/// A table of words; those after the first column stand at its end.
fn table(
    id: &str,
    caption: &str,
    heads: &[&str],
    rows: impl Iterator<Item = Vec<String>>,
) -> Table {
    // What the sides were made of is words, whatever the column is called.
    let is_words = |label: &str| heads.first() == Some(&"Setting") || WORDS.contains(&label);
    let column = |(at, label): (usize, &&str)| Column {
        label: (*label).to_owned(),
        hint: None,
        align: if at == 0 || is_words(label) { Align::Start } else { Align::End },
    };
    let row =
        |cells: Vec<String>| Row { cells: cells.into_iter().map(Cell::Text).collect(), link: None };
    Table {
        id: id.to_owned(),
        caption: caption.to_owned(),
        columns: heads.iter().enumerate().map(column).collect(),
        rows: rows.map(row).collect(),
        empty: None,
        footnote: None,
        n_last: 0,
        shape: TableShape::Plain,
    }
}
