//! Pages as data: verdict, headline numbers, parts with tables. All but the table of cases, a case and
//! the rules are such pages, and the view draws them alike.

use super::pages::{agent, audit, failures, notes, overview, statistics, trends};
use super::{
    Board, Cell, ChartFigure, HowName, Link, Measure, Outcome, Table, Target, how, unread,
};
use crate::figures::VerdictOrigin;
use crate::words::report::shared as words;
use crate::workspace::Workspace;
use serde::{Deserialize, Serialize};

/// What a page is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Topic {
    /// Verdict, headline numbers, tables.
    Overview(Target),
    /// Declared against computed; of every figure, or only of those that differ.
    Audit {
        /// Whether figures that agree are shown too.
        is_whole: bool,
    },
    /// What could not be used, and what each file was taken for.
    Notes,
    /// The same without a head, to be part of another page.
    NotesAlone,
    /// Repeats, intervals, consistency, usage, timing.
    Statistics(Target),
    /// Runs over time, checkpoints and repeats in order.
    Trends {
        /// Of what.
        target: Target,
        /// What is shown of each run.
        measure: Measure,
    },
    /// Failures by kind, group, metric, category, and by the shape of their message.
    Failures(Target),
    /// How a score was made.
    How(HowName),
}

/// A page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Sections {
    /// What it shows.
    pub title: String,
    /// Of what: names in reading order.
    pub facts: Vec<String>,
    /// What it means, in a sentence.
    pub lead: Option<String>,
    /// The verdict; `None` when no rule applies.
    pub verdict: Option<VerdictView>,
    /// Where to look for more about the verdict: words, and what they open.
    pub ways: Vec<(String, Link)>,
    /// Numbers to be seen first, most important first.
    pub headlines: Vec<Headline>,
    /// How declared and computed figures compare.
    pub badge: Option<Badge>,
    /// Something that can be left out.
    pub switch: Option<Switch>,
    /// What can be shown in the place of what is; a click on one opens it.
    pub choices: Vec<SectionChoice>,
    /// Parts in reading order.
    pub sections: Vec<Section>,
    /// What the page of an overview shows besides; exported pages have none.
    pub board: Option<Box<Board>>,
    /// Whether a list of the parts stands with them: the page is long.
    pub has_contents: bool,
    /// Why there is nothing to show, when there is nothing.
    pub empty: Option<String>,
}

/// A verdict with its rule and reason, or why there is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VerdictView {
    /// Verdict; `Scored` or `Unscored` where no rule gives one.
    pub outcome: Outcome,
    /// Whose verdict it is.
    pub standing: VerdictOrigin,
    /// The rule in words: `policy core-cases`, `gate accuracy avg_score ≥ 0.75`.
    pub rule: String,
    /// Why; without a verdict, why there is none.
    pub reason: String,
    /// What the file recorded, when it recorded something else, or when nothing can be judged here.
    pub declared: Option<String>,
    /// Why it may not be the last word: `the run has 3 of 10 samples: it was interrupted`.
    pub proviso: Option<String>,
    /// What it is where it holds for a part only: `passed in 1 of 3 repeats`.
    pub in_part: Option<String>,
    /// The cases that decide it, when it is that something failed.
    pub deciding: Deciding,
}

/// The cases that decide a verdict.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deciding {
    /// The first of them.
    pub named: Vec<Decider>,
    /// How many there are.
    pub n_cases: u64,
}

/// A case that decides a verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decider {
    /// Name of its run, where the verdict is about several.
    pub run: Option<String>,
    /// Its id.
    pub case: String,
    /// How it came out.
    pub outcome: Outcome,
    /// What opens it.
    pub link: Link,
}

impl VerdictView {
    /// The word that stands first: `passed`, `Declared: passed`, `No verdict`.
    pub fn word(&self) -> String {
        match (self.standing, &self.declared) {
            (VerdictOrigin::Judged, _) if let Some(words) = &self.in_part => words.clone(),
            (VerdictOrigin::Judged, _) if self.proviso.is_some() => words::so_far(self.outcome),
            (VerdictOrigin::Judged, _) => self.outcome.as_str().to_owned(),
            (VerdictOrigin::Declared, Some(declared)) => words::declared_verdict(declared),
            (VerdictOrigin::Declared | VerdictOrigin::Unknown, _) => words::NO_VERDICT.to_owned(),
        }
    }

    /// The reason as a sentence of its own.
    pub fn why(&self) -> String {
        match self.standing {
            VerdictOrigin::Declared => words::unchecked(&self.reason),
            VerdictOrigin::Judged | VerdictOrigin::Unknown => self.reason.clone(),
        }
    }

    /// What the file recorded, where it recorded something else than what was judged.
    pub fn otherwise(&self) -> Option<&str> {
        self.declared.as_deref().filter(|_| self.standing == VerdictOrigin::Judged)
    }
}

/// One number to be seen first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Headline {
    /// What it is.
    pub label: String,
    /// The number.
    pub value: Cell,
    /// Its interval or a second number: `95 % 0.41 – 0.78`.
    pub note: Option<Cell>,
    /// Definition, for a tooltip.
    pub hint: Option<String>,
}

/// One sentence about the audit, which a click opens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Badge {
    /// The sentence.
    pub words: String,
    /// Whether some figure differs.
    pub differs: bool,
}

/// A choice to show less.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Switch {
    /// What it does when it is on.
    pub label: String,
    /// Whether it is on.
    pub is_on: bool,
}

/// One of several things to show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionChoice {
    /// Its name.
    pub label: String,
    /// What opens it.
    pub link: Link,
    /// Whether it is what is shown.
    pub is_on: bool,
}

/// A part of a page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// What it shows; empty where the page's title says it.
    pub title: String,
    /// What it means, which definition, what is left out.
    pub lead: Option<String>,
    /// Charts in reading order, before the tables.
    pub figures: Vec<ChartFigure>,
    /// Numbers to be seen before the tables.
    pub headlines: Vec<Headline>,
    /// Tables in reading order.
    pub tables: Vec<Table>,
}

/// The page about `topic`; `None` when it is not (or no longer) there.
pub fn sections(workspace: &Workspace, topic: Topic) -> Option<Sections> {
    match topic {
        Topic::Overview(target) => overview::overview(workspace, target).map(|page| Sections {
            ways: agent::ways(workspace, target),
            lead: unread::words(workspace, target).or(page.lead),
            ..page
        }),
        Topic::Audit { is_whole } => Some(audit::audit_page(workspace, is_whole)),
        Topic::Notes => Some(notes::notes_page(workspace)),
        Topic::NotesAlone => {
            Some(Sections { title: String::new(), ..notes::notes_page(workspace) })
        }
        Topic::Statistics(target) => statistics::statistics(workspace, target),
        Topic::Trends { target, measure } => trends::trends(workspace, target, measure),
        Topic::Failures(target) => failures::failures(workspace, target),
        Topic::How(name) => how::how(workspace, workspace.how(&name)?),
    }
}
