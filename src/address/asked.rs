//! What an address is about, by name; which of it is open, and what is said where it is not.

use super::compare::sides_names;
use super::names::{Unfound as Why, find_evaluation, find_run, target_names};
use super::{CasePlace, OpenNames};
use crate::report::{HowName, Name, Target};

pub use super::names::Unfound;

/// An evaluation or a run by name; everything, when it has none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct NamedTarget {
    /// The evaluation.
    pub(super) evaluation: Option<Name>,
    /// Its run.
    pub(super) run: Option<Name>,
}

/// A case by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AskedCase {
    /// Its run.
    pub(super) place: NamedTarget,
    /// Its name there.
    pub(super) case: Name,
    /// Its row in the table of who made the address.
    pub(super) at: Option<u64>,
    /// What of it is looked at.
    pub(super) spot: String,
}

/// What of an evaluation or a run is taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum HowPart {
    /// The score of the evaluation.
    Evaluation,
    /// The score of the run.
    Run,
    /// The score of a group.
    Group(Name),
    /// The score of a case.
    Case(Name),
}

/// What an address is about.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct AddressTarget {
    /// What the page is about.
    pub(super) of: NamedTarget,
    /// The case that is open.
    pub(super) case: Option<AskedCase>,
    /// The score that is taken apart.
    pub(super) how: Option<(NamedTarget, HowPart)>,
    /// What is compared: the members of each side.
    pub(super) sides: Vec<Vec<NamedTarget>>,
}

/// The same by number.
#[derive(Debug, Default)]
pub(super) struct NumberedTarget {
    pub(super) target: Target,
    pub(super) case: Option<CasePlace>,
    pub(super) how: Option<HowName>,
    pub(super) sides: Vec<Vec<Target>>,
}

/// What an address names and is not open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingTarget {
    pub(super) asked: AddressTarget,
    /// The member of a side that is not there.
    pub(super) side: Option<NamedTarget>,
    /// Why it is not found.
    pub why: Unfound,
}

impl NamedTarget {
    /// It, as something that is open.
    fn find(&self, names: &dyn OpenNames) -> Result<Target, Why> {
        let Some(evaluation) = &self.evaluation else { return Ok(Target::All) };
        let id = find_evaluation(names, evaluation)?;
        match &self.run {
            None => Ok(Target::Evaluation(id)),
            Some(run) => find_run(names, id, run).map(Target::Run),
        }
    }
}

impl AddressTarget {
    /// What `target`, `case` and `how` are called.
    pub(super) fn of(
        names: &dyn OpenNames,
        target: Target,
        case: Option<&CasePlace>,
        how: Option<&HowName>,
        sides: &[Vec<Target>],
    ) -> Self {
        let case = case.map(|known| AskedCase {
            place: target_names(names, Target::Run(known.run)),
            case: known.case.clone(),
            at: known.at,
            spot: known.spot.clone(),
        });
        let how = how.map(|how| {
            let part = match how {
                HowName::Evaluation(_) => HowPart::Evaluation,
                HowName::Run(_) => HowPart::Run,
                HowName::Group { group, .. } => HowPart::Group(group.clone()),
                HowName::Case { case, .. } => HowPart::Case(case.clone()),
            };
            (target_names(names, how.target()), part)
        });
        let sides = sides_names(names, sides);
        Self { of: target_names(names, target), case, how, sides }.sensible()
    }

    /// It without what has no place.
    pub(super) fn sensible(mut self) -> Self {
        let is_run = |place: &NamedTarget| place.evaluation.is_some() && place.run.is_some();
        if self.of.evaluation.is_none() {
            self.of.run = None;
        }
        self.case = self.case.filter(|case| is_run(&case.place));
        self.how = self.how.filter(|(place, part)| match part {
            HowPart::Evaluation => place.evaluation.is_some(),
            _ => is_run(place),
        });
        if let Some((place, HowPart::Evaluation)) = &mut self.how {
            place.run = None;
        }
        self
    }

    /// It, as something that is open.
    pub(super) fn find(&self, names: &dyn OpenNames) -> Result<NumberedTarget, Why> {
        let target = self.of.find(names)?;
        let case = match &self.case {
            None => None,
            Some(AskedCase { place, case, at, spot }) => match place.find(names)? {
                Target::Run(run) => {
                    Some(CasePlace { run, case: case.clone(), at: *at, spot: spot.clone() })
                }
                Target::All | Target::Evaluation(_) => None,
            },
        };
        let how = match &self.how {
            None => None,
            Some((place, part)) => match (place.find(names)?, part.clone()) {
                (Target::Evaluation(id), HowPart::Evaluation) => Some(HowName::Evaluation(id)),
                (Target::Run(run), HowPart::Run) => Some(HowName::Run(run)),
                (Target::Run(run), HowPart::Group(group)) => Some(HowName::Group { run, group }),
                (Target::Run(run), HowPart::Case(case)) => Some(HowName::Case { run, case }),
                _ => None,
            },
        };
        let mut sides = Vec::with_capacity(self.sides.len());
        for side in &self.sides {
            let members: Result<Vec<Target>, Why> =
                side.iter().map(|one| one.find(names)).collect();
            sides.push(members?);
        }
        Ok(NumberedTarget { target, case, how, sides })
    }
}

impl MissingTarget {
    /// That what `asked` names is not found.
    pub(super) fn new(asked: AddressTarget, why: Unfound, names: &dyn OpenNames) -> Self {
        let mut sides = asked.sides.iter().flatten();
        let side = sides.find(|one| one.find(names).is_err()).cloned();
        Self { asked, side, why }
    }

    /// What the address leads to, as a sentence, and what can be done, as another.
    pub fn words(&self) -> [String; 2] {
        let AddressTarget { of, case, how, .. } = &self.asked;
        let of_case = case.as_ref().map(|case| &case.place);
        let of_how = how.as_ref().map(|(place, _)| place);
        let place = self.side.as_ref().or(of_case).or(of_how).unwrap_or(of);
        let mut leads = String::from("This link leads to ");
        let case = match (case, how) {
            _ if self.side.is_some() => None,
            (Some(case), _) => Some(&case.case),
            (None, Some((_, HowPart::Case(case)))) => Some(case),
            _ => None,
        };
        if let Some(case) = case {
            leads.push_str(&["case ", &said(case), " of "].concat());
        }
        if let Some(run) = &place.run {
            leads.push_str(&["run ", &said(run), " in "].concat());
        }
        let evaluation = place.evaluation.clone().unwrap_or_default();
        leads.push_str(&["evaluation ", &said(&evaluation), ". "].concat());
        leads.push_str(match self.why {
            Unfound::Evaluation => "It is not open.",
            Unfound::Several => "Several open evaluations match: their paths have the same ending.",
            Unfound::Run => "That evaluation is open, but it holds no such run.",
        });
        let advice = match &evaluation {
            Name::Place(_) => "This older link identifies results by the order in which they were opened: open the same results in the same order.".to_owned(),
            Name::Key(key) => {
                let path = key.split_once(':').map_or(key.as_str(), |(_, path)| path);
                ["Drop the folder or file that holds ", &quoted(path), "."].concat()
            }
        };
        [leads, advice]
    }
}

/// A name in a sentence. Places are counted from 1 there.
fn said(name: &Name) -> String {
    match name {
        Name::Key(key) => quoted(key),
        Name::Place(place) => ["number ", &place.saturating_add(1).to_string()].concat(),
    }
}

/// Signs of a name that a sentence shows.
const MAX_SAID: usize = 200;

fn quoted(text: &str) -> String {
    let end = text.char_indices().nth(MAX_SAID).map(|(end, _)| end);
    let shown = end.and_then(|end| text.get(..end)).unwrap_or(text);
    ["“", shown, if end.is_some() { "…" } else { "" }, "”"].concat()
}
