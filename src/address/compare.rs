//! What is compared, as an address says it.
//!
//! `side=letta-evals:runs/a&side.run=tide/gpt-4&side=letta-evals:runs/b&margin=0.01&change=regressed`
//!
//! `side` begins a side with an evaluation, `side.and` adds another one to it, and `side.run` says that only this
//! run of it is meant, or this one too.

use super::OpenNames;
use super::asked::NamedTarget;
use super::text::{AddressParts, put, put_always, read_name, unescaped};
use crate::report::compare::{
    Came, Change, CompareQuery, MARGIN, MAX_SIDES, PairBy, PairOrder, PairsQuery, PartBy, SideSpec,
};
use crate::report::filter::{Field, Term};
use crate::report::{Outcome, Target};
use serde::{Deserialize, Serialize};

/// Members of all sides that are read.
const MAX_MEMBERS: usize = 2_000;

/// Bytes of a pattern, a margin, the name of a part.
const MAX_WORD: usize = 400;

/// Which pairs are listed, with their words; pairs of outcomes are `passed:failed`.
const CHANGES: [(Change, &str); 9] = [
    (Change::Regressed, "regressed"),
    (Change::Fixed, "fixed"),
    (Change::Changed, "changed"),
    (Change::OtherInput, "other-input"),
    (Change::NoResult, "no-result"),
    (Change::LeftOut, "left-out"),
    (Change::Repeated, "repeated"),
    (Change::OnlyBaseline, "only-baseline"),
    (Change::OnlyCandidate, "only-candidate"),
];

/// Orders of the pairs but the usual one.
const ORDERS: [(PairOrder, &str); 3] = [
    (PairOrder::BestFirst, "best"),
    (PairOrder::LargestFirst, "largest"),
    (PairOrder::AsPaired, "file"),
];

/// How something came out over all its trials, with its word.
const OUTCOMES: [(Came, &str); 7] = [
    (Came::Out(Outcome::Passed), "passed"),
    (Came::Out(Outcome::Failed), "failed"),
    (Came::Out(Outcome::Error), "error"),
    (Came::Out(Outcome::Skipped), "skipped"),
    (Came::Out(Outcome::Unscored), "unscored"),
    (Came::Out(Outcome::Scored), "scored"),
    (Came::Mixed, "mixed"),
];

/// What is compared, and which of its pairs are listed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CompareView {
    /// The evaluations and runs of each side, the baseline first; none: what suggests itself.
    pub sides: Vec<Vec<Target>>,
    /// How cases are paired; `None`: by whatever pairs enough.
    pub by: Option<PairBy>,
    /// A pattern that is taken out of ids before.
    pub strip: String,
    /// How small a difference does not matter, as it was typed; empty: as usual.
    pub margin: String,
    /// Whether pairs of other inputs are left out.
    pub without_changed: bool,
    /// Place among the sides of the candidate that is looked at; 0: the first one.
    pub against: usize,
    /// Which pairs are listed.
    pub change: Change,
    /// Only pairs of this part.
    pub within: Option<(PartBy, String)>,
    /// Only pairs of which the value or the outcome differs.
    pub is_different: bool,
    /// Only pairs that this filter keeps.
    pub filter: String,
    /// In which order.
    pub order: PairOrder,
}

impl CompareView {
    /// The comparison that it shows.
    pub fn query(&self) -> CompareQuery {
        let side =
            |members: &Vec<Target>| SideSpec { label: String::new(), members: members.clone() };
        CompareQuery {
            sides: self.sides.iter().map(side).collect(),
            by: self.by,
            strip: self.strip.clone(),
            margin: self.margin(),
            without_changed: self.without_changed,
        }
    }

    /// How small a difference does not matter.
    pub fn margin(&self) -> f64 {
        let typed = self.margin.trim().parse().ok();
        typed.filter(|margin: &f64| margin.is_finite() && *margin >= 0.0).unwrap_or(MARGIN)
    }

    /// The first `n` of the pairs that it lists.
    pub fn pairs(&self, n: usize) -> PairsQuery {
        PairsQuery {
            side: self.against.max(1),
            change: self.change,
            within: self.within.clone(),
            is_different: self.is_different,
            filter: self.filter.clone(),
            order: self.order,
            has_others: self.sides.len() > 2,
            start: 0,
            n,
        }
    }

    /// The same comparison with all pairs listed.
    pub fn unfiltered(&self) -> Self {
        let usual = Self::default();
        Self {
            change: usual.change,
            within: None,
            is_different: false,
            filter: usual.filter,
            order: usual.order,
            ..self.clone()
        }
    }

    /// The same comparison with the pairs of `change` listed.
    pub fn of_change(&self, change: Change) -> Self {
        Self { change, ..self.unfiltered() }
    }

    /// Which pairs it lists, in words; empty: all.
    pub fn list_words(&self) -> String {
        let word = |came: Came| {
            OUTCOMES.iter().find(|(known, _)| *known == came).map_or("", |(_, word)| word)
        };
        let mut all: Vec<String> = Vec::new();
        match self.change {
            Change::Any => {}
            Change::Regressed => all.push("regressed".to_owned()),
            Change::Fixed => all.push("fixed".to_owned()),
            Change::Changed => all.push("regressed or fixed".to_owned()),
            Change::OtherInput => all.push("with another input or expected answer".to_owned()),
            Change::NoResult => all.push("without a result on a side".to_owned()),
            Change::LeftOut => all.push("not counted".to_owned()),
            Change::Repeated => all.push("under a repeated id".to_owned()),
            Change::OnlyBaseline => all.push("only in A".to_owned()),
            Change::OnlyCandidate => all.push("only in the candidate".to_owned()),
            Change::From(from, to) => {
                all.push([word(from), " on A, ", word(to), " on the candidate"].concat());
            }
        }
        if let Some((by, name)) = &self.within {
            all.push([by.as_str(), " “", name, "”"].concat());
        }
        if self.is_different {
            all.push("different".to_owned());
        }
        all.join(", ")
    }

    /// Takes in what the parts of an address say of it, except for the sides.
    pub(super) fn read(parts: &AddressParts<'_>) -> Self {
        let word = |name: &str| {
            let text = parts.get(name).map(unescaped).unwrap_or_default();
            if text.len() <= MAX_WORD { text } else { String::new() }
        };
        let letter = word("against");
        let change = word("change");
        let within = word("within");
        let within = within.split_once(':');
        Self {
            sides: Vec::new(),
            by: PairBy::from_text(&word("pair")),
            strip: word("strip"),
            margin: word("margin"),
            without_changed: parts.get("same-input").is_some(),
            against: ('A'..='Z').position(|known| letter == known.to_string()).unwrap_or(0),
            change: change_of(&change),
            within: within.and_then(|(by, name)| Some((PartBy::from_text(by)?, name.to_owned()))),
            is_different: parts.get("different").is_some(),
            filter: match parts.get("where").map(unescaped) {
                Some(filter) => filter,
                None => of_ids(word("find-pair")),
            },
            order: ORDERS
                .into_iter()
                .find(|(_, known)| *known == word("order"))
                .map_or(PairOrder::default(), |(order, _)| order),
        }
    }

    /// Writes what it says, except for the sides.
    pub(super) fn write(&self, out: &mut String) {
        put(out, "pair", self.by.map_or("", PairBy::as_str));
        put(out, "strip", &self.strip);
        put(out, "margin", &self.margin);
        put(out, "same-input", if self.without_changed { "yes" } else { "" });
        let letter = ('A'..='Z').nth(self.against).filter(|_| self.against > 1);
        put(out, "against", &letter.map(String::from).unwrap_or_default());
        put(out, "change", &change_word(self.change));
        if let Some((by, name)) = &self.within {
            put(out, "within", &[by.as_str(), ":", name].concat());
        }
        put(out, "different", if self.is_different { "yes" } else { "" });
        put(out, "where", &self.filter);
        let order = ORDERS.into_iter().find(|(order, _)| *order == self.order);
        put(out, "order", order.map_or("", |(_, word)| word));
    }
}

/// The filter of what once was a text that ids must hold.
fn of_ids(text: String) -> String {
    if text.is_empty() {
        return text;
    }
    Term::Contains { field: Field::Id, text }.to_string()
}

fn change_word(change: Change) -> String {
    let outcome =
        |came: Came| OUTCOMES.iter().find(|(known, _)| *known == came).map_or("", |(_, word)| word);
    match change {
        Change::From(from, to) => [outcome(from), ":", outcome(to)].concat(),
        _ => CHANGES
            .iter()
            .find(|(known, _)| *known == change)
            .map_or("", |(_, word)| word)
            .to_owned(),
    }
}

fn change_of(word: &str) -> Change {
    let outcome =
        |word: &str| OUTCOMES.iter().find(|(_, known)| *known == word).map(|(came, _)| *came);
    let from = word.split_once(':').and_then(|(from, to)| Some((outcome(from)?, outcome(to)?)));
    match from {
        Some((from, to)) => Change::From(from, to),
        None => CHANGES
            .iter()
            .find(|(_, known)| *known == word)
            .map_or(Change::Any, |(change, _)| *change),
    }
}

/// Writes sides by name.
pub(super) fn write_sides(sides: &[Vec<NamedTarget>], out: &mut String) {
    for side in sides {
        let mut last: Option<&NamedTarget> = None;
        for place in side {
            let Some(evaluation) = &place.evaluation else { continue };
            let is_another_run = last.is_some_and(|last| {
                last.evaluation == place.evaluation && last.run.is_some() && place.run.is_some()
            });
            if !is_another_run {
                let word = if last.is_none() { "side" } else { "side.and" };
                put_always(out, word, &evaluation.to_string());
            }
            last = Some(place);
            if let Some(run) = &place.run {
                put_always(out, "side.run", &run.to_string());
            }
        }
    }
}

/// The sides that an address names.
pub(super) fn read_sides(parts: &AddressParts<'_>) -> Vec<Vec<NamedTarget>> {
    let mut sides: Vec<Vec<NamedTarget>> = Vec::new();
    for (name, value) in parts.all().take(MAX_MEMBERS) {
        if !name.starts_with("side") {
            continue;
        }
        let Some(value) = read_name(value) else { continue };
        let whole = NamedTarget { evaluation: Some(value.clone()), run: None };
        match (name, sides.last_mut()) {
            ("side", _) => sides.push(vec![whole]),
            ("side.and", Some(side)) => side.push(whole),
            ("side.run", Some(side)) => match side.last_mut() {
                Some(last) if last.run.is_none() => last.run = Some(value),
                Some(last) => {
                    let evaluation = last.evaluation.clone();
                    side.push(NamedTarget { evaluation, run: Some(value) });
                }
                None => {}
            },
            _ => {}
        }
    }
    sides.truncate(MAX_SIDES);
    sides
}

/// The names of sides.
pub(super) fn sides_names(names: &dyn OpenNames, sides: &[Vec<Target>]) -> Vec<Vec<NamedTarget>> {
    let place = |target: &Target| super::names::target_names(names, *target);
    let side = |members: &Vec<Target>| members.iter().map(place).collect();
    sides.iter().map(side).collect()
}
