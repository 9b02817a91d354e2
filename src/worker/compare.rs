//! Sides compared: what a page about it shows, and the files that can be made of it.

use super::core::Core;
use super::files::failure;
use super::grid::pairs_filter_help;
use super::protocol::{Answer, Download, Failure};
use crate::address::{CompareView, OpenNames as _, Page, Route};
use crate::export::compare::{comparison_html, comparison_markdown, pairs_csv};
use crate::render::compare::{
    CompareContext, CompareShown, PairPage, PairsShown, RanksShown, compare_shown, pair_page,
    pair_shown, pairs_shown, ranks_shown,
};
use crate::report::compare::{
    AT_ONCE, CompareQuery, Comparison, PairAt, PairsPage, PairsQuery, RankView, SideSpec, Valued,
    compare, compare_further, compare_pair, compare_pairs, compare_ranks, compare_so_far,
    offered_sides, previous_sides, subjects_as_sides, suggested_sides,
};
use crate::report::{Link, Name, RunRef, Target, case_view};
use serde::{Deserialize, Serialize};

/// What can be asked about a comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum CompareQuestion {
    /// The page; where the view names no sides, those that suggest themselves for the target.
    Page(CompareView, Target),
    /// The first pairs that the view lists.
    Pairs(CompareView, Target, usize),
    /// One more measure of the comparison, where not all are computed yet.
    Further(CompareView),
    /// The pair of this case.
    Pair(CompareView, Target, RunRef, Name),
    /// How the filter of the pairs could go on at a place, in units of UTF-16.
    Suggest(CompareView, String, u32),
    /// Its sides in order.
    Ranks(CompareView),
    /// The evaluation that the target is, or the newest one, against the one of the same suite before it, in a line.
    Line(Target),
    /// The comparison for a pull request.
    Markdown(CompareView),
    /// The comparison as a page without script.
    Html(CompareView),
    /// Every pair of the candidate that is looked at, as a file.
    PairsCsv(CompareView),
}

/// Answers to them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum CompareAnswer {
    /// To `Page`.
    Page(Box<CompareShown>),
    /// To `Further`.
    Further,
    /// To `Pairs`.
    Pairs(Box<PairsShown>),
    /// To `Pair`.
    Pair(Box<PairPage>),
    /// To `Ranks`; `None`: the sides share too little.
    Ranks(Option<Box<RanksShown>>),
    /// To `Line`: what it says, and the address of the comparison; `None`: there is none before it.
    Line(Option<[String; 2]>),
}

impl Core {
    /// Answers what is asked of a comparison.
    ///
    /// # Errors
    /// When there is no answer; why.
    pub(super) fn answer_of_compare(&self, question: CompareQuestion) -> Result<Answer, Failure> {
        let answer = match question {
            CompareQuestion::Page(view, target) => {
                CompareAnswer::Page(Box::new(self.compare_page(view, target)?))
            }
            CompareQuestion::Further(view) => {
                self.compare_further(&view.query(), view.against.max(1))?;
                CompareAnswer::Further
            }
            CompareQuestion::Pairs(view, target, n) => {
                let query = view.query();
                let page = self.compare_pairs(&query, &view.pairs(n))?;
                let workspace = self.workspace.borrow();
                let drawn = CompareContext {
                    view: &view,
                    look: self.look.get(),
                    target,
                    names: &*workspace,
                };
                let key = |run: RunRef, row: u64| {
                    workspace.case(run, row).map_or(Name::Place(row), Name::Key)
                };
                let measure = self.deciding(&query, view.against.max(1));
                CompareAnswer::Pairs(Box::new(pairs_shown(&page, measure.as_ref(), &drawn, &key)))
            }
            CompareQuestion::Pair(view, target, run, case) => {
                CompareAnswer::Pair(Box::new(self.pair_page(&view, target, run, &case)?))
            }
            CompareQuestion::Suggest(view, text, at) => {
                let (query, side) = (view.query(), view.against.max(1));
                let help = pairs_filter_help(&self.workspace.borrow(), &query, side, &text, at);
                return Ok(Answer::Suggestions(help.ok_or(Failure::Gone)?));
            }
            CompareQuestion::Ranks(view) => {
                let ranks = self.compare_ranks(&view.query());
                let workspace = self.workspace.borrow();
                let drawn = CompareContext {
                    view: &view,
                    look: self.look.get(),
                    target: Target::All,
                    names: &*workspace,
                };
                CompareAnswer::Ranks(ranks.map(|ranks| Box::new(ranks_shown(&ranks, &drawn))))
            }
            CompareQuestion::Line(target) => CompareAnswer::Line(self.compare_line(target)),
            CompareQuestion::Markdown(view) => {
                return Ok(Answer::Text(self.comparison_markdown(&view.query())?));
            }
            CompareQuestion::Html(view) => {
                return Ok(Answer::Export(Download {
                    name: "evalglass-comparison.html".to_owned(),
                    mime: "text/html".to_owned(),
                    bytes: self.comparison_html(&view.query())?,
                }));
            }
            CompareQuestion::PairsCsv(view) => {
                return Ok(Answer::Export(Download {
                    name: "evalglass-pairs.csv".to_owned(),
                    mime: "text/csv".to_owned(),
                    bytes: self.pairs_csv(&view.query(), view.against.max(1))?,
                }));
            }
        };
        Ok(Answer::Compare(answer))
    }

    fn compare_page(&self, mut view: CompareView, target: Target) -> Result<CompareShown, Failure> {
        let workspace = self.workspace.borrow();
        if view.sides.is_empty() {
            let suggested = suggested_sides(&workspace, target);
            view.sides = suggested.into_iter().map(|side| side.members).collect();
        }
        let offers = offered_sides(&workspace);
        let drawn =
            CompareContext { view: &view, look: self.look.get(), target, names: &*workspace };
        let found = match view.sides.len() {
            0 | 1 => Comparison::default(),
            _ => self.compare_so_far(&view.query(), AT_ONCE)?,
        };
        Ok(compare_shown(&found, offers, &drawn))
    }

    /// Case against case.
    fn pair_page(
        &self,
        view: &CompareView,
        target: Target,
        run: RunRef,
        case: &Name,
    ) -> Result<PairPage, Failure> {
        let row = self.workspace.borrow().case_idx(run, case).ok_or(Failure::Gone)?;
        let query = view.query();
        let at = self.compare_pair(&query, &view.pairs(0), (run, row))?;
        let measure = self.deciding(&query, view.against.max(1));
        let of = self.compare_page(view.clone(), target)?;
        let workspace = self.workspace.borrow();
        let drawn = CompareContext { view, look: self.look.get(), target, names: &*workspace };
        let key =
            |run: RunRef, row: u64| workspace.case(run, row).map_or(Name::Place(row), Name::Key);
        // Both are asked for before either is missed.
        let [left, right] = [at.line.baseline, at.line.candidate]
            .map(|place| place.and_then(|(run, row)| case_view(&workspace, run, row)));
        let (left, right) = (left.transpose(), right.transpose());
        let (left, right) = (left.map_err(failure)?, right.map_err(failure)?);
        let (line, beside) = pair_shown(&at, measure.as_ref(), &drawn, &key);
        let views = [left.as_ref(), right.as_ref()];
        Ok(pair_page(&of, line, (at.at, at.n_all), beside, views, &drawn))
    }

    /// What decides between the baseline and side `side`.
    fn deciding(&self, query: &CompareQuery, side: usize) -> Option<Valued> {
        let found = self.compare_so_far(query, AT_ONCE).ok()?;
        let versus = found.candidates.into_iter().find(|versus| versus.side == side)?;
        versus.verdict.measure
    }

    fn compare_line(&self, target: Target) -> Option<[String; 2]> {
        let workspace = self.workspace.borrow();
        let sides = previous_sides(&workspace, target)?;
        let members = sides.iter().map(|side| side.members.clone()).collect();
        let query = CompareQuery { sides, ..CompareQuery::default() };
        let found = self.compare_so_far(&query, AT_ONCE).ok()?;
        let versus = found.candidates.first().filter(|versus| versus.audit.n_pairs > 0)?;
        let route = Route::of_link(&Link::Compare(members), Page::Overview, target, &*workspace);
        let line = crate::render::compare::line(&found, versus)?;
        Some([line, route.to_hash(&*workspace)])
    }

    /// The comparison that `query` asks for.
    ///
    /// # Errors
    /// [`Failure::Gone`] when a side is not loaded, or there are too few or too many.
    pub fn compare(&self, query: &CompareQuery) -> Result<Comparison, Failure> {
        compare(&self.workspace.borrow(), query).ok_or(Failure::Gone)
    }

    /// The same, of more than `at_once` pairs with the measures alone that are computed already.
    ///
    /// # Errors
    /// As above.
    pub fn compare_so_far(
        &self,
        query: &CompareQuery,
        at_once: usize,
    ) -> Result<Comparison, Failure> {
        compare_so_far(&self.workspace.borrow(), query, at_once).ok_or(Failure::Gone)
    }

    /// Computes one more measure of side `side` in it.
    ///
    /// # Errors
    /// As above.
    pub fn compare_further(&self, query: &CompareQuery, side: usize) -> Result<(), Failure> {
        compare_further(&self.workspace.borrow(), query, side).ok_or(Failure::Gone)
    }

    /// Some pairs of it.
    ///
    /// # Errors
    /// As above.
    pub fn compare_pairs(
        &self,
        query: &CompareQuery,
        pairs: &PairsQuery,
    ) -> Result<PairsPage, Failure> {
        compare_pairs(&self.workspace.borrow(), query, pairs).ok_or(Failure::Gone)
    }

    /// The pair of the case in row `row` of `run`.
    ///
    /// # Errors
    /// As above, and when no side has the case.
    pub fn compare_pair(
        &self,
        query: &CompareQuery,
        pairs: &PairsQuery,
        case: (RunRef, u64),
    ) -> Result<PairAt, Failure> {
        compare_pair(&self.workspace.borrow(), query, pairs, case).ok_or(Failure::Gone)
    }

    /// Its sides in order; `None` of fewer than three, and where they share no two cases.
    pub fn compare_ranks(&self, query: &CompareQuery) -> Option<RankView> {
        compare_ranks(&self.workspace.borrow(), query)
    }

    /// The subjects of an evaluation, each as a side.
    pub fn subjects_as_sides(&self, evaluation: u32) -> Vec<SideSpec> {
        subjects_as_sides(&self.workspace.borrow(), evaluation)
    }

    /// Every pair of the baseline and side `side`, as CSV.
    ///
    /// # Errors
    /// As above, and when a value cannot be written.
    pub fn pairs_csv(&self, query: &CompareQuery, side: usize) -> Result<Vec<u8>, Failure> {
        let written = pairs_csv(&self.workspace.borrow(), query, side);
        written.map_err(super::exports::unwritten)?.ok_or(Failure::Gone)
    }

    /// The comparison as a page that stands for itself.
    ///
    /// # Errors
    /// As above.
    pub fn comparison_html(&self, query: &CompareQuery) -> Result<Vec<u8>, Failure> {
        let workspace = self.workspace.borrow();
        comparison_html(&workspace, query, self.look.get()).ok_or(Failure::Gone)
    }

    /// The comparison for a pull request, as Markdown.
    ///
    /// # Errors
    /// As above.
    pub fn comparison_markdown(&self, query: &CompareQuery) -> Result<String, Failure> {
        comparison_markdown(&self.workspace.borrow(), query).ok_or(Failure::Gone)
    }
}
