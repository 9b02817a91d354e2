//! The view, and the views that links lead to.

use super::asked::{AddressTarget, NumberedTarget};
use super::compare::CompareView;
use super::names::{case_name, how_name};
use super::{MissingTarget, OpenNames, Page};
use crate::report::filter::words_text;
use crate::report::{
    Across, CaseQuery, HowName, Link, MappingFile, Measure, Name, RuleWords, RunRef, SortKey,
    Target, Topic,
};

/// One case, and where in the table's order it was met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CasePlace {
    /// Its run.
    pub run: RunRef,
    /// Its name there.
    pub case: Name,
    /// Its row among the matching rows of the table; `None` when it was not met there.
    pub at: Option<u64>,
    /// What of it is looked at: the number of a message, counted from 1, or the word of a part; empty:
    /// the whole.
    pub spot: String,
}

/// The view.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Route {
    /// Page.
    pub page: Page,
    /// What it is about.
    pub target: Target,
    /// Which cases to show, as a filter.
    pub text: String,
    /// Order of the cases, most important first, and whether in reverse.
    pub sort: Vec<(SortKey, bool)>,
    /// Columns of the table of cases; none: the usual ones.
    pub columns: Vec<SortKey>,
    /// The cases as a heat map instead of a table.
    pub heat: Option<Across>,
    /// What trends show of each run.
    pub measure: Measure,
    /// What of the page of a run's agent is looked at: as [`Link::Agent`] has it.
    pub spot: String,
    /// The case that is open.
    pub case: Option<CasePlace>,
    /// The score that is taken apart.
    pub how: Option<HowName>,
    /// Rules that differ from the declared ones.
    pub rules: RuleWords,
    /// How columns of tables are to be read, as chosen in the page: one for each set of columns.
    pub roles: Vec<MappingFile>,
    /// The audit shows agreeing figures too.
    pub shows_agreeing: bool,
    /// What is compared.
    pub compare: CompareView,
    /// The query of the SQL page.
    pub sql: String,
    /// What the address names and is not open; then there is no target, case or score.
    pub missing: Option<Box<MissingTarget>>,
}

impl Route {
    /// What it is about, by name.
    pub(super) fn asked(&self, names: &dyn OpenNames) -> AddressTarget {
        match &self.missing {
            Some(missing) => missing.asked.clone(),
            None => {
                let (case, how) = (self.case.as_ref(), self.how.as_ref());
                AddressTarget::of(names, self.target, case, how, &self.compare.sides)
            }
        }
    }

    /// Makes it about what `asked` names, or keeps that this is missing.
    pub(super) fn settle(&mut self, asked: AddressTarget, names: &dyn OpenNames) {
        let found = asked.find(names);
        let why = found.as_ref().err();
        self.missing = why.map(|why| Box::new(MissingTarget::new(asked, *why, names)));
        let NumberedTarget { target, case, how, sides } = found.unwrap_or_default();
        (self.target, self.case, self.how, self.compare.sides) = (target, case, how, sides);
    }

    /// The same view after what is open has changed, from what `old` knows to what `new` knows.
    pub fn carried(&self, old: &dyn OpenNames, new: &dyn OpenNames) -> Self {
        let mut route = self.clone();
        route.settle(self.asked(old), new);
        route
    }

    /// Closes what lies over the page.
    pub fn leave(&mut self) {
        self.case = None;
        self.how = None;
        self.missing = None;
        self.spot = String::new();
    }

    /// The page and what lies over it, whichever part of that is looked at.
    pub fn place(&self) -> Self {
        let case = self.case.as_ref().map(|case| CasePlace {
            at: None,
            spot: String::new(),
            ..case.clone()
        });
        Self {
            page: self.page,
            target: self.target,
            case,
            how: self.how.clone(),
            ..Self::default()
        }
    }

    /// The cases that it shows, of which no rows are asked for yet.
    pub fn case_query(&self) -> CaseQuery {
        CaseQuery {
            target: self.target,
            filter: self.text.clone(),
            sort: self.sort.clone(),
            columns: self.columns.clone(),
            heat: self.heat,
            offset: 0,
            limit: 0,
        }
    }

    /// The view of the cases that `query` asks for.
    pub fn of_query(query: &CaseQuery) -> Self {
        Self {
            page: Page::Cases,
            target: query.target,
            text: query.filter.clone(),
            sort: query.sort.clone(),
            columns: query.columns.clone(),
            heat: query.heat,
            ..Self::default()
        }
    }

    /// What the page of this view is about, when the worker draws it whole.
    pub fn topic(&self) -> Topic {
        match (&self.how, self.page) {
            (Some(how), _) => Topic::How(how.clone()),
            (None, Page::Statistics) => Topic::Statistics(self.target),
            (None, Page::Trends) => Topic::Trends { target: self.target, measure: self.measure },
            (None, Page::Failures) => Topic::Failures(self.target),
            (None, Page::Audit) => Topic::Audit { is_whole: self.shows_agreeing },
            (None, Page::Notes) => Topic::Notes,
            (None, _) => Topic::Overview(self.target),
        }
    }

    /// The view that `link` opens, from `page` about `target`.
    pub fn of_link(link: &Link, page: Page, target: Target, names: &dyn OpenNames) -> Self {
        let mut route = Self { page, target, ..Self::default() };
        match link {
            Link::Target(target) => {
                route.target = *target;
                // These pages are about everything, so the target would not be seen there.
                if matches!(page, Page::Audit | Page::Notes) {
                    route.page = Page::Overview;
                }
            }
            Link::Agent { run, spot } => {
                route.page = Page::Agent;
                route.target = Target::Run(*run);
                route.spot.clone_from(spot);
            }
            Link::How(how) => route.how = Some(how_name(names, *how)),
            Link::Measure(measure) => {
                route.page = Page::Trends;
                route.measure = *measure;
            }
            Link::Case { run, case_idx } => {
                route.page = Page::Cases;
                let case = case_name(names, *run, *case_idx);
                route.case = Some(CasePlace { run: *run, case, at: None, spot: String::new() });
            }
            Link::Compare(sides) => {
                route.page = Page::Compare;
                route.compare.sides.clone_from(sides);
            }
            Link::Audit => route.page = Page::Audit,
            Link::Notes => route.page = Page::Notes,
            Link::Failures => route.page = Page::Failures,
            Link::Statistics => route.page = Page::Statistics,
            Link::Find(text) => {
                route.page = Page::Cases;
                route.text = words_text(text);
            }
            Link::Filter(text) => {
                route.page = Page::Cases;
                route.text = text.clone();
            }
        }
        route
    }

    /// The view after following a link to `self` from `here`: rules and roles of columns stay in force,
    /// and what is taken apart lies over the view that it was asked from.
    pub fn followed_from(self, here: &Self) -> Self {
        match self.how {
            Some(_) => Self { how: self.how, ..here.clone() },
            None => Self { rules: here.rules.clone(), roles: here.roles.clone(), ..self },
        }
    }

    /// Has columns read as `file` says, in place of what was said of the same columns.
    pub fn set_roles(&mut self, file: MappingFile) {
        self.drop_roles(&file);
        self.roles.push(file);
    }

    /// Forgets what was said of the columns that `file` is for.
    pub fn drop_roles(&mut self, file: &MappingFile) {
        let key = file.key();
        self.roles.retain(|known| known.key() != key);
    }

    /// Sets the rule `name`; without a value it is as declared again.
    pub fn set_rule(&mut self, name: &str, value: Option<String>) {
        let known = self.rules.iter().position(|(known, _)| known == name);
        match (known, value) {
            (Some(at), Some(value)) => {
                if let Some(rule) = self.rules.get_mut(at) {
                    rule.1 = value;
                }
            }
            (None, Some(value)) => self.rules.push((name.to_owned(), value)),
            (Some(at), None) => {
                self.rules.remove(at);
            }
            (None, None) => {}
        }
    }
}
