//! The view as the address says it: everything one would share, never the data.
//!
//! `#/1/cases?of=2.0&set.policy=all-cases&find=timeout%20outcome%3Afailed&by=-score,id&case=2.0.17&at=4`
//!
//! The first slash says that this is no place within the document; `#1/cases` is understood too. The
//! `1` counts up when an old address would be misread; what is not understood is ignored, and
//! the defaults stay out of the address.

use crate::report::filter::words_text;
use crate::report::{
    Across, CaseQuery, How, Link, Measure, Outcome, RuleWords, RunRef, SortKey, Target, Topic,
};

mod order;

pub use order::{column_of, column_word, column_words, columns_of, sort_of, sort_words};

/// Version of the address.
const VERSION: &str = "1";

/// A page of the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Page {
    /// Verdict, headline numbers, tables.
    #[default]
    Overview,
    /// The table of cases, or one case of it.
    Cases,
    /// Policies, gates, weights, strategies, and what they change.
    Rules,
    /// Failures by what they have in common.
    Failures,
    /// Repeats, intervals, usage, timing.
    Statistics,
    /// Runs over time, checkpoints and repeats in order.
    Trends,
    /// Declared against computed.
    Audit,
    /// Files and notes.
    Notes,
}

impl Page {
    /// All pages, in the order of the navigation.
    pub const ALL: [Self; 8] = [
        Self::Overview,
        Self::Cases,
        Self::Failures,
        Self::Rules,
        Self::Statistics,
        Self::Trends,
        Self::Audit,
        Self::Notes,
    ];

    /// Its name in the navigation.
    pub fn title(self) -> &'static str {
        match self {
            Self::Overview => "Overview",
            Self::Cases => "Cases",
            Self::Rules => "Policies & gates",
            Self::Failures => "Failures",
            Self::Statistics => "Statistics",
            Self::Trends => "Trends",
            Self::Audit => "Audit",
            Self::Notes => "Notes",
        }
    }

    /// The page that shows `topic`, and what it is about there.
    pub fn of_topic(topic: Topic) -> (Self, Target) {
        match topic {
            Topic::Overview(target) => (Self::Overview, target),
            Topic::Statistics(target) => (Self::Statistics, target),
            Topic::Trends { target, .. } => (Self::Trends, target),
            Topic::Failures(target) => (Self::Failures, target),
            Topic::Audit { .. } => (Self::Audit, Target::All),
            Topic::Notes | Topic::NotesAlone => (Self::Notes, Target::All),
            Topic::How(how) => (Self::Overview, how.target()),
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Overview => "overview",
            Self::Cases => "cases",
            Self::Rules => "rules",
            Self::Failures => "failures",
            Self::Statistics => "statistics",
            Self::Trends => "trends",
            Self::Audit => "audit",
            Self::Notes => "notes",
        }
    }
}

/// One case, and where in the table's order it was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CasePlace {
    /// Its run.
    pub run: RunRef,
    /// Its row in the run.
    pub case_idx: u64,
    /// Its row among the matching rows of the table; `None` when it was not met there.
    pub at: Option<u64>,
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
    /// The case that is open.
    pub case: Option<CasePlace>,
    /// The score that is taken apart.
    pub how: Option<How>,
    /// Rules that differ from the declared ones.
    pub rules: RuleWords,
    /// The audit shows agreeing figures too.
    pub shows_agreeing: bool,
}

/// What stands side by side in a heat map, with its words in the address.
const HEATS: [(Across, &str); 2] = [(Across::Runs, "heat"), (Across::Attempts, "attempts")];

impl Route {
    /// The address, with its `#`.
    pub fn to_hash(&self) -> String {
        let mut parts = Vec::new();
        match self.target {
            Target::All => {}
            Target::Evaluation(id) => parts.push(format!("of={id}")),
            Target::Run(run) => parts.push(format!("of={}.{}", run.evaluation, run.run)),
        }
        if !self.text.is_empty() {
            parts.push(format!("find={}", escaped(&self.text)));
        }
        if !self.sort.is_empty() {
            parts.push(format!("by={}", sort_words(&self.sort)));
        }
        if !self.columns.is_empty() {
            parts.push(format!("columns={}", column_words(&self.columns)));
        }
        if let Some((_, word)) = HEATS.iter().find(|(heat, _)| Some(*heat) == self.heat) {
            parts.push(format!("view={word}"));
        }
        if self.shows_agreeing {
            parts.push("all".to_owned());
        }
        if self.measure != Measure::default() {
            parts.push(format!("measure={}", self.measure.as_str()));
        }
        if let Some(case) = &self.case {
            let CasePlace { run, case_idx, at } = case;
            parts.push(format!("case={}.{}.{case_idx}", run.evaluation, run.run));
            parts.extend(at.map(|at| format!("at={at}")));
        }
        parts.extend(self.how.map(|how| format!("how={}", how_text(how))));
        for (name, value) in &self.rules {
            parts.push(format!("set.{}={}", escaped(name), escaped(value)));
        }
        let query = if parts.is_empty() { String::new() } else { format!("?{}", parts.join("&")) };
        format!("#/{VERSION}/{}{query}", self.page.word())
    }

    /// The view that `hash` asks for; the first page when it asks for nothing that is known.
    pub fn from_hash(hash: &str) -> Self {
        let mut route = Self::default();
        let Some((version, rest)) = hash.trim_start_matches(['#', '/']).split_once('/') else {
            return route;
        };
        if version != VERSION {
            return route;
        }
        let (page, query) = rest.split_once('?').unwrap_or((rest, ""));
        route.page = Page::ALL.into_iter().find(|known| known.word() == page).unwrap_or_default();
        let (mut only, mut is_reversed) = ("", false);
        for part in query.split('&') {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            match name {
                "of" => route.target = target(value).unwrap_or_default(),
                "find" => route.text = unescaped(value),
                "only" => only = value,
                "by" => route.sort = sort_of(value),
                "columns" => route.columns = columns_of(value),
                "view" => {
                    let known = HEATS.iter().find(|(_, word)| *word == value);
                    route.heat = known.map(|(heat, _)| *heat);
                }
                "down" => is_reversed = true,
                "all" => route.shows_agreeing = true,
                "measure" => route.measure = Measure::from_text(value).unwrap_or_default(),
                "case" => route.case = case_place(value),
                "at" => {
                    if let Some(case) = &mut route.case {
                        case.at = value.parse().ok();
                    }
                }
                "how" => route.how = how(value),
                _ => {
                    if let Some(name) = name.strip_prefix("set.") {
                        route.rules.push((unescaped(name), unescaped(value)));
                    }
                }
            }
        }
        route.read_older(only, is_reversed);
        route
    }

    /// Takes in what older addresses said: `only=failed,error`, and `down` for the order.
    fn read_older(&mut self, only: &str, is_reversed: bool) {
        let outcomes: Vec<&str> = only
            .split(',')
            .filter_map(Outcome::from_text)
            .map(|outcome| outcome.as_str())
            .collect();
        if !outcomes.is_empty() {
            let words =
                if self.text.is_empty() { String::new() } else { format!(" {}", self.text) };
            self.text = format!("outcome:{}{words}", outcomes.join(","));
        }
        match self.sort.as_mut_slice() {
            [(_, is_descending)] if is_reversed => *is_descending = true,
            [] if is_reversed => self.sort = vec![(SortKey::File, true)],
            _ => {}
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
        match (self.how, self.page) {
            (Some(how), _) => Topic::How(how),
            (None, Page::Statistics) => Topic::Statistics(self.target),
            (None, Page::Trends) => Topic::Trends { target: self.target, measure: self.measure },
            (None, Page::Failures) => Topic::Failures(self.target),
            (None, Page::Audit) => Topic::Audit { is_whole: self.shows_agreeing },
            (None, Page::Notes) => Topic::Notes,
            (None, Page::Overview | Page::Cases | Page::Rules) => Topic::Overview(self.target),
        }
    }

    /// The view that `link` opens, from `page` about `target`.
    pub fn of_link(link: &Link, page: Page, target: Target) -> Self {
        let mut route = Self { page, target, ..Self::default() };
        match link {
            Link::Target(target) => {
                route.target = *target;
                // These pages are about everything, so the target would not be seen there.
                if matches!(page, Page::Audit | Page::Notes) {
                    route.page = Page::Overview;
                }
            }
            Link::How(how) => route.how = Some(*how),
            Link::Measure(measure) => {
                route.page = Page::Trends;
                route.measure = *measure;
            }
            Link::Case { run, case_idx } => {
                route.page = Page::Cases;
                route.case = Some(CasePlace { run: *run, case_idx: *case_idx, at: None });
            }
            Link::Audit => route.page = Page::Audit,
            Link::Notes => route.page = Page::Notes,
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

    /// The view after following a link to `self` from `here`: rules stay in force, and what is taken
    /// apart lies over the view that it was asked from.
    pub fn followed_from(self, here: &Self) -> Self {
        match self.how {
            Some(how) => Self { how: Some(how), ..here.clone() },
            None => Self { rules: here.rules.clone(), ..self },
        }
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

/// `e2` of an evaluation, `2.0` of a run, `2.0.g1` of a group, `2.0.17` of a case.
fn how_text(how: How) -> String {
    match how {
        How::Evaluation(id) => format!("e{id}"),
        How::Run(run) => format!("{}.{}", run.evaluation, run.run),
        How::Group { run, group } => format!("{}.{}.g{group}", run.evaluation, run.run),
        How::Case { run, case_idx } => format!("{}.{}.{case_idx}", run.evaluation, run.run),
    }
}

fn how(text: &str) -> Option<How> {
    if let Some(id) = text.strip_prefix('e') {
        return id.parse().ok().map(How::Evaluation);
    }
    let mut parts = text.split('.');
    let run = RunRef { evaluation: parts.next()?.parse().ok()?, run: parts.next()?.parse().ok()? };
    Some(match parts.next() {
        None => How::Run(run),
        Some(part) => match part.strip_prefix('g') {
            Some(group) => How::Group { run, group: group.parse().ok()? },
            None => How::Case { run, case_idx: part.parse().ok()? },
        },
    })
}

fn target(text: &str) -> Option<Target> {
    match text.split_once('.') {
        Some((evaluation, run)) => Some(Target::Run(RunRef {
            evaluation: evaluation.parse().ok()?,
            run: run.parse().ok()?,
        })),
        None => text.parse().ok().map(Target::Evaluation),
    }
}

fn case_place(text: &str) -> Option<CasePlace> {
    let mut parts = text.split('.');
    let run = RunRef { evaluation: parts.next()?.parse().ok()?, run: parts.next()?.parse().ok()? };
    Some(CasePlace { run, case_idx: parts.next()?.parse().ok()?, at: None })
}

/// Percent-encodes everything but the unreserved characters of RFC 3986.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// Inverse of [`escaped`]; what is not an escape stays as it is.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let escape = after
            .get(..2)
            .filter(|_| first == b'%')
            .and_then(|hex| std::str::from_utf8(hex).ok())
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        bytes.push(escape.unwrap_or(first));
        rest = if escape.is_some() { after.get(2..).unwrap_or_default() } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_reads_back_as_the_same_view() {
        let run = RunRef { evaluation: 2, run: 7 };
        let route = Route {
            page: Page::Cases,
            target: Target::Run(run),
            text: "50 % & ünï=?#/".to_owned(),
            sort: vec![(SortKey::Score, true), (SortKey::Id, false)],
            columns: vec![SortKey::Id, SortKey::Model],
            heat: Some(Across::Attempts),
            measure: Measure::Cost,
            case: Some(CasePlace { run, case_idx: 17, at: Some(4) }),
            how: Some(How::Group { run, group: 3 }),
            rules: vec![
                ("weight:a & b".to_owned(), "0".to_owned()),
                ("gate".to_owned(), "min(\"ü\") >= 1 or p95(*) < 2".to_owned()),
            ],
            shows_agreeing: true,
        };
        assert_eq!(Route::from_hash(&route.to_hash()), route);
        for how in [How::Evaluation(4), How::Run(run), How::Case { run, case_idx: 9 }] {
            let route = Route { how: Some(how), ..Route::default() };
            assert_eq!(Route::from_hash(&route.to_hash()), route);
        }
        for key in SortKey::COLUMNS {
            let route = Route { sort: vec![(key, true)], ..Route::default() };
            assert_eq!(Route::from_hash(&route.to_hash()), route);
        }
    }

    #[test]
    fn older_addresses_are_understood() {
        let route = Route::from_hash("#/1/cases?find=time%20out&only=failed,error&by=score&down");
        assert_eq!(route.text, "outcome:failed,error time out");
        assert_eq!(route.sort, [(SortKey::Score, true)]);
        assert_eq!(Route::from_hash("#/1/cases?down").sort, [(SortKey::File, true)]);
        assert_eq!(Route::from_hash("#/1/cases?by=file").sort, []);
    }

    #[test]
    fn a_text_that_is_looked_for_is_quoted_where_it_must_be() {
        let text_of = |link| Route::of_link(&link, Page::Failures, Target::All).text;
        assert_eq!(text_of(Link::Find("KeyError: x".to_owned())), "\"KeyError: x\"");
        assert_eq!(text_of(Link::Find("timeout".to_owned())), "timeout");
        assert_eq!(text_of(Link::Filter("score<1".to_owned())), "score<1");
    }

    #[test]
    fn a_rule_is_set_once_and_taken_back() {
        let mut route = Route::default();
        route.set_rule("policy", Some("any".to_owned()));
        route.set_rule("policy", Some("all-cases".to_owned()));
        assert_eq!(route.to_hash(), "#/1/overview?set.policy=all-cases");
        route.set_rule("policy", None);
        route.set_rule("errors", None);
        assert_eq!(route, Route::default());
    }

    #[test]
    fn defaults_stay_out_of_the_address() {
        assert_eq!(Route::default().to_hash(), "#/1/overview");
        let route = Route { target: Target::Evaluation(3), ..Route::default() };
        assert_eq!(route.to_hash(), "#/1/overview?of=3");
    }

    #[test]
    fn foreign_addresses_give_the_first_page() {
        for hash in ["", "#", "#overview", "#9/cases", "#1/nowhere", "#1/overview?of=x&case=1&by=%"]
        {
            assert_eq!(Route::from_hash(hash), Route::default(), "{hash}");
        }
        assert_eq!(Route::from_hash("#/1/cases?find=%zz%4").text, "%zz%4");
        assert_eq!(Route::from_hash("#1/cases?find=old").text, "old", "as addresses were once");
    }
}
