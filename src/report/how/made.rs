//! A score taken apart: its formula, its terms, and what was left out.

use super::formula;
use crate::report::cells::NO_SCORE;
use crate::report::table::Column;
use crate::report::{Cell, Headline, Link, Num, Row, Section, Table};
use crate::scoring::MeanPart;
use crate::stats;
use crate::words::report::how as words;

/// Most terms that stand in a table one by one.
const MAX_TERMS: usize = 500;

/// A score with everything it was made of.
pub(super) struct ScoreParts<'a> {
    /// The rule in words.
    pub rule: String,
    /// Where the rule comes from.
    pub source: String,
    /// The score, as it is shown everywhere else; or why there is none.
    pub score: Result<Num, String>,
    /// The formula with the numbers put in; `None`: the mean of the terms.
    pub numbers: Option<String>,
    /// Its terms.
    pub terms: Terms<'a>,
    /// What else is to be said: label and value, below the formula.
    pub remarks: Vec<(&'static str, Cell)>,
    /// Further tables about the terms.
    pub tables: Vec<Table>,
}

/// The terms of a weighted mean, `Σ weight·score / Σ weight`.
pub(super) struct Terms<'a> {
    /// What they are: `Cases`.
    pub caption: &'static str,
    /// What several of them are called in a sentence: `cases`.
    pub word: &'static str,
    /// Columns between name and score.
    pub columns: Vec<Column>,
    /// All of them, counted or not.
    pub list: Vec<ScoreTerm>,
    /// Name, link and middle cells of the term with this [`ScoreTerm::at`].
    pub named: Box<dyn Fn(usize) -> TermName + 'a>,
    /// Why there is no term, when there is none.
    pub empty: &'static str,
}

/// How a term is called.
pub(super) struct TermName {
    /// Name.
    pub name: String,
    /// What a click on it opens.
    pub link: Option<Link>,
    /// The cells of [`Terms::columns`].
    pub cells: Vec<Cell>,
}

/// One term.
pub(super) struct ScoreTerm {
    /// Number by which it is named.
    pub at: usize,
    /// Weight.
    pub weight: f64,
    /// Score, or why it does not count.
    pub score: Result<f64, &'static str>,
    /// Whether the rules in force make the score 0.
    pub is_zero_by_rule: bool,
}

impl ScoreTerm {
    /// A term of weight 1.
    pub(super) fn plain(at: usize, score: Result<f64, &'static str>) -> Self {
        Self { at, weight: 1.0, score, is_zero_by_rule: false }
    }

    /// What a case gives to a mean of cases.
    pub(super) fn of_case((at, part): (usize, MeanPart)) -> Self {
        let score = part.score().ok_or(match part {
            MeanPart::LeftOut => words::LEFT_OUT,
            MeanPart::NotAttempted => words::NOT_ATTEMPTED,
            MeanPart::Repeated => words::REPEATED,
            MeanPart::Undefined | MeanPart::Score(_) | MeanPart::Zero => NO_SCORE,
        });
        Self { is_zero_by_rule: part == MeanPart::Zero, ..Self::plain(at, score) }
    }
}

impl ScoreParts<'_> {
    /// The score.
    pub(super) fn headline(&self) -> Headline {
        let missing = |why: &String| Cell::Missing(why.clone());
        Headline {
            label: words::SCORE.to_owned(),
            value: self.score.as_ref().map_or_else(missing, |score| Cell::Number(*score)),
            note: None,
            hint: None,
        }
    }

    /// Formula and terms.
    pub(super) fn sections(self) -> Vec<Section> {
        let score = self.score.as_ref().ok().copied();
        let columns = Vec::from(words::FORMULA_COLUMNS.map(Column::words));
        let mut table = Table::new("formula", words::FORMULA, columns);
        let mut row = |label: &str, cell: Cell| {
            table.row(vec![Cell::Text(label.to_owned()), cell]);
        };
        if let Some(numbers) = self.numbers.or_else(|| self.terms.formula(score?)) {
            row(words::WITH_NUMBERS, Cell::Text(numbers));
        }
        row(words::DEFINED_BY, Cell::Text(self.source));
        let n_terms = self.terms.list.len() as u64;
        for (n_of_them, why) in self.terms.left_out() {
            let text = words::not_counted(n_of_them, n_terms, self.terms.word, why);
            row(words::NOT_COUNTED, Cell::Text(text));
        }
        let n_zero = self.terms.list.iter().filter(|term| term.is_zero_by_rule).count();
        if n_zero > 0 {
            let text = words::counted_as_zero(n_zero as u64, n_terms, self.terms.word);
            row(words::COUNTED_AS_ZERO, Cell::Text(text));
        }
        for (label, cell) in self.remarks {
            row(label, cell);
        }
        let mut tables = vec![table, terms_table("terms", self.terms.caption, &self.terms, score)];
        tables.extend(self.tables);
        vec![Section { tables, ..Section::default() }]
    }
}

impl Terms<'_> {
    /// Weight and score of the terms that count.
    fn counted(&self) -> Vec<(f64, f64)> {
        let counted = |term: &ScoreTerm| Some((term.weight, term.score.ok()?));
        self.list.iter().filter_map(counted).collect()
    }

    /// The mean with its numbers; `None` when no term counts.
    fn formula(&self, score: Num) -> Option<String> {
        let counted = self.counted();
        let weight = stats::sum(counted.iter().map(|(weight, _)| *weight));
        (!counted.is_empty()).then(|| formula::mean(&counted, weight, score.0))
    }

    /// How many terms do not count, by reason, in the order in which reasons first occur.
    fn left_out(&self) -> Vec<(u64, &'static str)> {
        let mut reasons: Vec<(u64, &'static str)> = Vec::new();
        for why in self.list.iter().filter_map(|term| term.score.err()) {
            match reasons.iter_mut().find(|(_, known)| *known == why) {
                Some((n_terms, _)) => *n_terms += 1,
                None => reasons.push((1, why)),
            }
        }
        reasons
    }
}

/// The terms one by one, the rest of a long list in one row, and their sum.
pub(super) fn terms_table(id: &str, caption: &str, terms: &Terms<'_>, score: Option<Num>) -> Table {
    let mut columns = vec![Column::words(words::NAME)];
    columns.extend(terms.columns.iter().cloned());
    columns.extend([
        Column::numbers(words::SCORE, ""),
        Column::numbers(words::WEIGHT, words::WEIGHT_HINT),
        Column::numbers(words::CONTRIBUTION, words::CONTRIBUTION_HINT),
    ]);
    let mut table = Table::new(id, caption, columns);
    if terms.list.is_empty() {
        table.empty = Some(terms.empty.to_owned());
        return table;
    }
    let counted = terms.counted();
    let weight = stats::sum(counted.iter().map(|(weight, _)| *weight));
    // Weight 0 gives nothing, not even of NaN.
    let contribution = |term: &ScoreTerm| match term.score {
        Ok(_) if weight == 0.0 => None,
        Ok(_) if term.weight == 0.0 => Some(0.0),
        Ok(score) => Some(term.weight * score / weight),
        Err(_) => None,
    };
    let number =
        |value: Option<f64>, why: &str| Cell::or_missing(value.map(Num), Cell::Number, why);
    for term in terms.list.iter().take(MAX_TERMS) {
        let TermName { name, link, cells } = (terms.named)(term.at);
        let why = term.score.err().unwrap_or(words::NO_WEIGHT);
        let own = term.score.ok();
        let cells = std::iter::once(Cell::Text(name)).chain(cells).chain([
            number(own, why),
            number(own.map(|_| term.weight), why),
            number(contribution(term), why),
        ]);
        table.rows.push(Row { cells: cells.collect(), link });
    }
    let sum_row = |name: String, weight: f64, contribution: Cell| {
        let blank = || Cell::Text(String::new());
        let middle = terms.columns.iter().map(|_| blank());
        let cells = std::iter::once(Cell::Text(name)).chain(middle);
        cells.chain([blank(), Cell::Number(Num(weight)), contribution]).collect::<Vec<_>>()
    };
    if let Some(rest @ [_, ..]) = terms.list.get(MAX_TERMS..) {
        let name = words::more_terms(rest.len() as u64, terms.word);
        let weights = rest.iter().filter(|term| term.score.is_ok()).map(|term| term.weight);
        let sum = Num(stats::sum(rest.iter().filter_map(contribution)));
        table.last_row(sum_row(name, stats::sum(weights), Cell::Number(sum)));
        table.footnote = Some(words::terms_cut(MAX_TERMS, terms.list.len() as u64, terms.word));
    }
    let total = Cell::or_missing(score, Cell::Number, NO_SCORE);
    table.last_row(sum_row(words::TOTAL.to_owned(), weight, total));
    table
}
