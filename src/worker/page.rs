//! A page as it is sent: the plain data of `report`, with what only this side can say beside it.

use crate::markup::Markup;
use crate::render::{self, View};
use crate::report::{Board, Cell, ChartFigure, Headline, Link, Section, Sections, Table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Rows of a table that are sent before somebody asks for the rest.
const FIRST_ROWS: usize = 300;

/// A page as it is sent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PageShown {
    /// What it says. Its charts are in `pictures`.
    pub page: Sections,
    /// Where its links lead, as addresses within the page. Maps are in order, so that the same page is sent as the same bytes.
    addresses: BTreeMap<Link, String>,
    /// Its charts as SVG, by the id of the figure.
    pictures: BTreeMap<String, Markup>,
    /// How many rows a table has that is not sent whole, by its id.
    cut: BTreeMap<String, u64>,
}

impl PageShown {
    /// `page` as it is sent to be drawn as `view` says, with the tables of the ids `whole` whole.
    pub fn new(mut page: Sections, view: View<'_>, whole: &[String]) -> Self {
        let (mut addresses, mut pictures, mut cut) =
            <(BTreeMap<_, _>, BTreeMap<_, _>, BTreeMap<_, _>)>::default();
        for table in tables(&mut page) {
            if table.rows.len() > FIRST_ROWS && !whole.contains(&table.id) {
                cut.insert(table.id.clone(), table.rows.len() as u64);
                table.rows.truncate(FIRST_ROWS);
            }
        }
        for figure in figures(&mut page) {
            if let Some(picture) = render::picture(figure, view) {
                pictures.insert(figure.id.clone(), picture);
            }
            // What is drawn says all that they do.
            figure.chart = None;
            figure.links = Vec::new();
        }
        each_link(&page, &mut |link| {
            if !addresses.contains_key(link) {
                addresses.insert(link.clone(), view.address(link));
            }
        });
        Self { page, addresses, pictures, cut }
    }

    /// Where `link` leads.
    pub fn address(&self, link: &Link) -> &str {
        self.addresses.get(link).map_or("#", String::as_str)
    }

    /// Where all of its links lead.
    pub fn addresses(&self) -> impl Iterator<Item = &str> {
        self.addresses.values().map(String::as_str)
    }

    /// All of its charts.
    pub fn pictures(&self) -> impl Iterator<Item = &Markup> {
        self.pictures.values()
    }

    /// The chart of `figure`; `None` when there is nothing to draw.
    pub fn picture(&self, figure: &ChartFigure) -> Option<&Markup> {
        self.pictures.get(&figure.id)
    }

    /// How many rows `table` has when more than what was sent.
    pub fn n_rows(&self, table: &Table) -> Option<u64> {
        self.cut.get(&table.id).copied()
    }
}

fn figures(page: &mut Sections) -> impl Iterator<Item = &mut ChartFigure> {
    page.sections.iter_mut().flat_map(|section| &mut section.figures)
}

fn tables(page: &mut Sections) -> impl Iterator<Item = &mut Table> {
    page.sections.iter_mut().flat_map(|section| {
        let behind = section.figures.iter_mut().map(|figure| &mut figure.table);
        behind.chain(&mut section.tables)
    })
}

/// Calls `found` with every link of `page`.
fn each_link(page: &Sections, found: &mut dyn FnMut(&Link)) {
    let deciding = page.verdict.iter().flat_map(|verdict| &verdict.deciding.named);
    deciding.for_each(|decider| found(&decider.link));
    page.board.iter().for_each(|board| each_link_of_board(board, found));
    page.ways.iter().for_each(|(_, link)| found(link));
    page.choices.iter().for_each(|choice| found(&choice.link));
    let headlines = |headlines: &[Headline], found: &mut dyn FnMut(&Link)| {
        for Headline { value, note, .. } in headlines {
            std::iter::once(value).chain(note).for_each(|cell| link_of(cell, found));
        }
    };
    headlines(&page.headlines, found);
    for section in &page.sections {
        headlines(&section.headlines, found);
        let Section { figures, tables, .. } = section;
        for table in figures.iter().map(|figure| &figure.table).chain(tables) {
            for row in &table.rows {
                row.link.iter().for_each(&mut *found);
                row.cells.iter().for_each(|cell| link_of(cell, found));
            }
        }
    }
}

fn each_link_of_board(board: &Board, found: &mut dyn FnMut(&Link)) {
    board.crumbs.iter().for_each(|(_, link)| found(link));
    board.tally.iter().for_each(|part| found(&part.link));
    board.marks.iter().filter_map(|mark| mark.link.as_ref()).for_each(&mut *found);
    let rows = board.strip.iter().flat_map(|strip| &strip.rows);
    rows.flat_map(|row| &row.cells).for_each(|cell| found(&cell.link));
    if let Some(failures) = &board.failures {
        found(&Link::Failures);
        failures.groups.iter().for_each(|group| found(&group.link));
    }
    let rates = board.rates.iter().flat_map(|rates| &rates.rows);
    rates.filter_map(|row| row.link.as_ref()).for_each(&mut *found);
}

fn link_of(cell: &Cell, found: &mut dyn FnMut(&Link)) {
    match cell {
        Cell::Linked(inner, link) => {
            found(link);
            link_of(inner, found);
        }
        Cell::Declared(inner) => link_of(inner, found),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Row, TableShape, Target};

    fn page(n_rows: usize) -> Sections {
        let link = |run| Link::Filter(format!("group:\"{run}\""));
        let rows = (0..n_rows).map(|at| Row {
            cells: vec![
                Cell::Text(format!("row {at}")),
                Cell::Declared(Box::new(Cell::Linked(Box::new(Cell::Count(1)), link(at)))),
            ],
            link: Some(Link::Target(Target::Evaluation(7))),
        });
        let table = Table {
            id: "rows".to_owned(),
            caption: "Rows".to_owned(),
            columns: Vec::new(),
            rows: rows.collect(),
            empty: None,
            footnote: None,
            n_last: 0,
            shape: TableShape::Plain,
        };
        let section = Section { tables: vec![table], ..Section::default() };
        Sections { sections: vec![section], ..Sections::default() }
    }

    fn table(shown: &PageShown) -> &Table {
        &shown.page.sections[0].tables[0]
    }

    #[test]
    fn the_first_rows_of_a_long_table_are_sent_until_somebody_asks_for_all() {
        let shown = PageShown::new(page(301), View::default(), &[]);
        assert_eq!((table(&shown).rows.len(), shown.n_rows(table(&shown))), (300, Some(301)));
        let whole = ["rows".to_owned()];
        let shown = PageShown::new(page(301), View::default(), &whole);
        assert_eq!((table(&shown).rows.len(), shown.n_rows(table(&shown))), (301, None));
        let shown = PageShown::new(page(300), View::default(), &[]);
        assert_eq!((table(&shown).rows.len(), shown.n_rows(table(&shown))), (300, None));
    }

    #[test]
    fn every_link_that_is_sent_has_its_address() {
        let shown = PageShown::new(page(3), View::default(), &[]);
        let mut n_links = 0;
        each_link(&shown.page, &mut |link| {
            n_links += 1;
            assert_eq!(shown.address(link), View::default().address(link));
        });
        assert_eq!(n_links, 6);
    }

    #[test]
    fn the_same_page_is_sent_as_the_same_bytes() {
        let written = postcard::to_allocvec(&PageShown::new(page(40), View::default(), &[]));
        let again: PageShown = postcard::from_bytes(written.as_ref().unwrap()).unwrap();
        assert_eq!(postcard::to_allocvec(&again), written);
    }
}
