//! How a score was made: its formula with the numbers put in, and its terms.
//!
//! ```text
//! evaluation ── repeat ── run ── group ── case ── attribute, grader, attempt
//! ```
//!
//! The terms of a level are the scores of the next one, and lead there. The result is the figure that is
//! shown everywhere else; only what each term contributes to it is computed here.

mod attempts;
mod case;
mod evaluation;
mod formula;
mod made;
mod run;

use super::{Cell, How, Link, Num, RunRef, Sections, Target};
use crate::figures::Settings;
use crate::model::Run;
use crate::words::report::how as words;
use crate::workspace::{Entry, Workspace};
use made::ScoreParts;

/// What every level needs: the evaluation, and the rules in force.
#[derive(Clone, Copy)]
struct HowBasis<'a> {
    entry: &'a Entry,
    settings: &'a Settings,
}

/// How a score was made; `None` when it is not there.
pub(super) fn how(workspace: &Workspace, how: How) -> Option<Sections> {
    let basis_of =
        |id: u32| Some(HowBasis { entry: workspace.entry(id)?, settings: &workspace.settings });
    match how {
        How::Evaluation(id) => {
            let basis = basis_of(id)?;
            let mut made = evaluation::evaluation(basis);
            made.remarks.push(opens(words::OF_THIS_EVALUATION, Target::Evaluation(id)));
            let name = &basis.entry.evaluation.label;
            Some(page(basis, name, Vec::new(), made))
        }
        How::Run(at) => {
            let (basis, run) = (basis_of(at.evaluation)?, workspace.run(at)?.1);
            let mut made = run::run(basis, at, run)?;
            made.remarks
                .push(counts_in(words::SCORE_OF_EVALUATION, How::Evaluation(at.evaluation)));
            made.remarks.push(opens(words::OF_THIS_RUN, Target::Run(at)));
            Some(page(basis, &run.label, Vec::new(), made))
        }
        How::Group { run: at, group } => {
            let (basis, run) = (basis_of(at.evaluation)?, workspace.run(at)?.1);
            let mut made = run::group(basis, at, run, group as usize)?;
            made.remarks.push(counts_in(words::SCORE_OF_RUN, How::Run(at)));
            let name = run.groups.get(group as usize)?.name.clone();
            Some(page(basis, &name, vec![run.label.clone()], made))
        }
        How::Case { run: at, case_idx } => {
            let (basis, run) = (basis_of(at.evaluation)?, workspace.run(at)?.1);
            let idx = usize::try_from(case_idx).ok().filter(|&idx| idx < run.cases.len())?;
            let mut made = case::case(basis, at, run, idx);
            let group = run.cases.group.get(idx);
            made.remarks.push(match group.and_then(|name| group_of(at, run, name)) {
                Some(group) => counts_in(words::SCORE_OF_GROUP, group),
                None => counts_in(words::SCORE_OF_RUN, How::Run(at)),
            });
            let link = Link::Case { run: at, case_idx };
            made.remarks.push((words::CASE, linked(words::CASE_PARTS, link)));
            let above = std::iter::once(run.label.clone()).chain(group.map(str::to_owned));
            Some(page(basis, run.cases.id.get(idx).unwrap_or_default(), above.collect(), made))
        }
    }
}

/// The page about `name`; `above` are the names between it and its evaluation.
fn page(basis: HowBasis<'_>, name: &str, above: Vec<String>, made: ScoreParts<'_>) -> Sections {
    let evaluation = &basis.entry.evaluation;
    let mut facts = vec![format!("{} {}", evaluation.producer, evaluation.generation)];
    facts.extend(std::iter::once(evaluation.label.clone()).chain(above));
    facts.dedup();
    facts.retain(|fact| fact != name);
    Sections {
        title: words::title(name),
        facts,
        lead: Some(made.rule.clone()),
        headlines: vec![made.headline()],
        sections: made.sections(),
        ..Sections::default()
    }
}

/// The group called `name`, as a score that can be taken apart.
fn group_of(at: RunRef, run: &Run, name: &str) -> Option<How> {
    let group = run.groups.iter().position(|group| group.name == name)?;
    Some(How::Group { run: at, group: u32::try_from(group).ok()? })
}

fn linked(text: &str, link: Link) -> Cell {
    Cell::Text(text.to_owned()).opening(Some(link))
}

/// The next level up.
fn counts_in(what: &str, how: How) -> (&'static str, Cell) {
    (words::PART_OF, linked(what, Link::How(how)))
}

fn opens(what: &str, target: Target) -> (&'static str, Cell) {
    (words::OVERVIEW, linked(what, Link::Target(target)))
}

/// A score, or why there is none.
fn scored(score: Option<Num>, why: &str) -> Result<Num, String> {
    score.ok_or_else(|| why.to_owned())
}

impl HowBasis<'_> {
    /// How the rules in force count cases, where it is not as declared.
    fn remarks(self) -> Vec<(&'static str, Cell)> {
        let counting = self.settings.counting().join("; ");
        let remark = (words::RULES_IN_FORCE, Cell::Text(counting.clone()));
        if counting.is_empty() { Vec::new() } else { vec![remark] }
    }

    /// `letta-evals C2: …`
    fn of_producer(self, rule: &str) -> String {
        let evaluation = &self.entry.evaluation;
        format!("{} {}: {rule}", evaluation.producer, evaluation.generation)
    }

    /// Where the mean over the cases of a run comes from.
    fn source_of_run(self) -> String {
        let config = &self.entry.evaluation.config;
        if let Some(source) = &config.score_source {
            return format!("{}: {source}", self.entry.evaluation.producer);
        }
        match self.entry.evaluation.producer.as_ref() {
            "letta-evals" if config.reward.is_some() => self.of_producer(words::REWARDS_SOURCE),
            "letta-evals" => self.of_producer(words::SAMPLES_SOURCE),
            "rebel" => words::TEST_CASES_SOURCE.to_owned(),
            _ => words::CASES_SOURCE.to_owned(),
        }
    }

    /// Where the mean over repeats comes from.
    fn source_of_repeats(self) -> String {
        let is_many = self.entry.figures.repeats.iter().any(|repeat| repeat.subjects.len() > 1);
        match self.entry.evaluation.generation.as_str() {
            // Their summaries are by model.
            "D" | "E" if is_many => words::MODELS_SOURCE.to_owned(),
            _ => self.of_producer(words::REPEATS_SOURCE),
        }
    }
}
