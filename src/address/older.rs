//! Addresses of older versions.
//!
//! Version 1 named things by their numbers in a session: `of=2.0` is run 0 of evaluation 2,
//! `case=2.0.17` its case 17. In the order in which results are opened they still mean what they meant.

use super::Route;
use super::asked::{AddressTarget, AskedCase, HowPart, NamedTarget};
use super::text::AddressParts;
use crate::report::{Name, Outcome, SortKey};

/// The version that is read here.
pub(super) const VERSION: &str = "1";

/// Takes in what version 1 writes otherwise.
pub(super) fn read(route: &mut Route, parts: &AddressParts<'_>) -> AddressTarget {
    let mut asked = AddressTarget {
        of: parts.get("of").and_then(place).unwrap_or_default(),
        case: parts.get("case").and_then(case),
        how: parts.get("how").and_then(how),
        sides: Vec::new(),
    };
    if let Some(case) = &mut asked.case {
        case.at = parts.get("at").and_then(|at| at.parse().ok());
    }
    read_only(route, parts.get("only").unwrap_or_default(), parts.get("down").is_some());
    asked
}

/// Takes in what the first addresses said: `only=failed,error`, and `down` for the order.
fn read_only(route: &mut Route, only: &str, is_reversed: bool) {
    let outcomes: Vec<&str> =
        only.split(',').filter_map(Outcome::from_text).map(|outcome| outcome.as_str()).collect();
    if !outcomes.is_empty() {
        let words = if route.text.is_empty() { String::new() } else { [" ", &route.text].concat() };
        route.text = ["outcome:", &outcomes.join(","), &words].concat();
    }
    match route.sort.as_mut_slice() {
        [(_, is_descending)] if is_reversed => *is_descending = true,
        [] if is_reversed => route.sort = vec![(SortKey::File, true)],
        _ => {}
    }
}

/// `2` is an evaluation, `2.0` a run.
fn place(text: &str) -> Option<NamedTarget> {
    let (evaluation, run) = match text.split_once('.') {
        Some((evaluation, run)) => (evaluation, Some(number(run)?)),
        None => (text, None),
    };
    Some(NamedTarget { evaluation: Some(number(evaluation)?), run })
}

/// `2.0.17`.
fn case(text: &str) -> Option<AskedCase> {
    let (run, case) = text.rsplit_once('.')?;
    let place = place(run).filter(|place| place.run.is_some())?;
    Some(AskedCase { place, case: number(case)?, at: None, spot: String::new() })
}

/// `e2` of an evaluation, `2.0` of a run, `2.0.g1` of a group, `2.0.17` of a case.
fn how(text: &str) -> Option<(NamedTarget, HowPart)> {
    if let Some(id) = text.strip_prefix('e') {
        return Some((
            NamedTarget { evaluation: Some(number(id)?), run: None },
            HowPart::Evaluation,
        ));
    }
    if let Some(AskedCase { place, case, .. }) = case(text) {
        return Some((place, HowPart::Case(case)));
    }
    if let Some((run, group)) = text.rsplit_once('g') {
        let run = run.strip_suffix('.')?;
        let place = place(run).filter(|place| place.run.is_some())?;
        return Some((place, HowPart::Group(number(group)?)));
    }
    Some((place(text).filter(|place| place.run.is_some())?, HowPart::Run))
}

fn number(text: &str) -> Option<Name> {
    text.parse().ok().map(Name::Place)
}
