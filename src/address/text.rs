//! The view as text, and back.

use super::asked::{AddressTarget, AskedCase, HowPart, NamedTarget};
use super::compare::{CompareView, read_sides, write_sides};
use super::{
    OpenNames, Page, Route, column_words, columns_of, older, roles_of, roles_word, sort_of,
    sort_words,
};
use crate::report::{Across, Measure, Name};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Version of the addresses that are written.
const VERSION: &str = "2";

/// Bytes of an address that is read; longer ones are none.
const MAX_ADDRESS: usize = 100_000;

/// Bytes of a name that is read; longer ones are ignored.
const MAX_NAME: usize = 4_096;

/// Bytes of the word for a part of a case.
const MAX_SPOT: usize = 40;

/// What stands side by side in a heat map, with its words in the address.
const HEATS: [(Across, &str); 2] = [(Across::Runs, "heat"), (Across::Attempts, "attempts")];

impl Route {
    /// The address, with its `#`.
    pub fn to_hash(&self, names: &dyn OpenNames) -> String {
        let mut out = String::new();
        let asked = self.asked(names);
        write_place("", &asked.of, &NamedTarget::default(), &mut out);
        put(&mut out, "find", &self.text);
        put(&mut out, "by", &sort_words(&self.sort));
        put(&mut out, "columns", &column_words(&self.columns));
        if let Some((_, word)) = HEATS.iter().find(|(heat, _)| Some(*heat) == self.heat) {
            put(&mut out, "view", word);
        }
        if self.shows_agreeing {
            begin(&mut out, "all");
        }
        if self.measure != Measure::default() {
            put(&mut out, "measure", self.measure.as_str());
        }
        if let Some(AskedCase { place, case, at, spot }) = &asked.case {
            write_place("case.", place, &asked.of, &mut out);
            put_always(&mut out, "case", &case.to_string());
            if let Some(at) = at {
                put(&mut out, "at", &at.to_string());
            }
            let is_message = spot.bytes().all(|byte| byte.is_ascii_digit());
            put(&mut out, if is_message { "msg" } else { "part" }, spot);
        }
        if self.page == Page::Compare {
            write_sides(&asked.sides, &mut out);
            self.compare.write(&mut out);
        }
        if self.page == Page::Sql {
            put(&mut out, "query", &self.sql);
        }
        if asked.case.is_none() && self.page == Page::Agent {
            put(&mut out, "part", &self.spot);
        }
        if let Some((place, part)) = &asked.how {
            write_place("how.", place, &asked.of, &mut out);
            match part {
                HowPart::Evaluation => put(&mut out, "how", "evaluation"),
                HowPart::Run => put(&mut out, "how", "run"),
                HowPart::Group(name) => {
                    put(&mut out, "how", &["group:", &name.to_string()].concat())
                }
                HowPart::Case(name) => put(&mut out, "how", &["case:", &name.to_string()].concat()),
            }
        }
        for (name, value) in &self.rules {
            put_always(&mut out, &["set.", &escaped(name)].concat(), value);
        }
        for file in &self.roles {
            begin(&mut out, "roles");
            // It is a word of an address as it is.
            out.push('=');
            out.push_str(&roles_word(file));
        }
        ["#/", VERSION, "/", self.page.word(), &out].concat()
    }

    /// The view that `hash` asks for, among what `names` knows; the first page when it asks for nothing
    /// that is understood.
    pub fn from_hash(hash: &str, names: &dyn OpenNames) -> Self {
        let mut route = Self::default();
        let parts = hash.trim_start_matches(['#', '/']).split_once('/');
        let Some((version, rest)) = parts.filter(|_| hash.len() <= MAX_ADDRESS) else {
            return route;
        };
        let (page, query) = rest.split_once('?').unwrap_or((rest, ""));
        let parts = AddressParts::of(query);
        parts.0.iter().for_each(|(name, value)| route.read_common(name, value));
        route.page = Page::ALL.into_iter().find(|known| known.word() == page).unwrap_or_default();
        if route.page == Page::Compare {
            route.compare = CompareView::read(&parts);
        }
        if route.page == Page::Sql {
            route.sql = parts.get("query").map(unescaped).unwrap_or_default();
        }
        let asked = match version {
            VERSION => route.read(&parts),
            older::VERSION => older::read(&mut route, &parts),
            _ => return Self::default(),
        };
        if route.page == Page::Agent && asked.case.is_none() {
            route.spot = parts.get("part").map_or_else(String::new, read_spot);
        }
        route.settle(asked, names);
        route
    }

    fn read(&mut self, parts: &AddressParts<'_>) -> AddressTarget {
        let name = |words: [&str; 2]| parts.get(&words.concat()).and_then(read_name);
        let place =
            |prefix| NamedTarget { evaluation: name([prefix, "of"]), run: name([prefix, "run"]) };
        let of = place("");
        let within = |prefix| match place(prefix) {
            NamedTarget { evaluation: None, run: None } => of.clone(),
            NamedTarget { evaluation: None, run } => {
                NamedTarget { evaluation: of.evaluation.clone(), run }
            }
            place => place,
        };
        let case = name(["case", ""]).map(|case| AskedCase {
            place: within("case."),
            case,
            at: parts.get("at").and_then(|at| at.parse().ok()),
            spot: parts
                .get("msg")
                .or_else(|| parts.get("part"))
                .map_or_else(String::new, read_spot),
        });
        let how = parts.get("how").and_then(read_how).map(|how| (within("how."), how));
        let sides = match self.page {
            Page::Compare => read_sides(parts),
            _ => Vec::new(),
        };
        AddressTarget { of, case, how, sides }.sensible()
    }

    /// Takes in what every version writes alike.
    fn read_common(&mut self, name: &str, value: &str) {
        match name {
            "find" => self.text = unescaped(value),
            "by" => self.sort = sort_of(&unescaped(value)),
            "columns" => self.columns = columns_of(&unescaped(value)),
            "view" => {
                let known = HEATS.iter().find(|(_, word)| *word == value);
                self.heat = known.map(|(heat, _)| *heat);
            }
            "all" => self.shows_agreeing = true,
            "roles" => roles_of(value).into_iter().for_each(|file| self.set_roles(file)),
            "measure" => self.measure = Measure::from_text(value).unwrap_or_default(),
            _ => {
                if let Some(name) = name.strip_prefix("set.") {
                    self.rules.push((unescaped(name), unescaped(value)));
                }
            }
        }
    }
}

/// The parts of an address: names and values, escaped.
pub(super) struct AddressParts<'a>(Vec<(&'a str, &'a str)>);

impl<'a> AddressParts<'a> {
    fn of(query: &'a str) -> Self {
        let part = |part: &'a str| part.split_once('=').unwrap_or((part, ""));
        Self(query.split('&').map(part).collect())
    }

    /// All of them in order.
    pub(super) fn all(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.0.iter().copied()
    }

    /// The value of `name`; the last one counts.
    pub(super) fn get(&self, name: &str) -> Option<&'a str> {
        self.0.iter().rfind(|(known, _)| *known == name).map(|(_, value)| *value)
    }
}

/// What makes `place` another one than `around`, each name behind `prefix`.
fn write_place(prefix: &str, place: &NamedTarget, around: &NamedTarget, out: &mut String) {
    let is_within = place.evaluation == around.evaluation;
    if let Some(name) = place.evaluation.as_ref().filter(|_| !is_within) {
        put_always(out, &[prefix, "of"].concat(), &name.to_string());
    }
    if let Some(name) = place.run.as_ref().filter(|_| !is_within || place.run != around.run) {
        put_always(out, &[prefix, "run"].concat(), &name.to_string());
    }
}

pub(super) fn read_name(value: &str) -> Option<Name> {
    let text = unescaped(value);
    (text.len() <= MAX_NAME).then(|| Name::parse(&text))
}

fn read_how(value: &str) -> Option<HowPart> {
    let text = unescaped(value);
    match text.split_once(':') {
        _ if text.len() > MAX_NAME => None,
        Some(("group", name)) => Some(HowPart::Group(Name::parse(name))),
        Some(("case", name)) => Some(HowPart::Case(Name::parse(name))),
        _ if text == "evaluation" => Some(HowPart::Evaluation),
        _ if text == "run" => Some(HowPart::Run),
        _ => None,
    }
}

/// A message's number or the word of a part of a case.
fn read_spot(value: &str) -> String {
    let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_spot = value.len() <= MAX_SPOT && value.bytes().all(is_word);
    if is_spot { value.to_owned() } else { String::new() }
}

/// Writes `name=value`, unless there is no value.
pub(super) fn put(out: &mut String, name: &str, value: &str) {
    if !value.is_empty() {
        put_always(out, name, value);
    }
}

pub(super) fn put_always(out: &mut String, name: &str, value: &str) {
    begin(out, name);
    out.push('=');
    out.push_str(&escaped(value));
}

fn begin(out: &mut String, name: &str) {
    out.push(if out.is_empty() { '?' } else { '&' });
    out.push_str(name);
}

/// What is percent-encoded: everything but the unreserved characters of RFC 3986, and four that mean
/// nothing else behind a `#` and make paths readable.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'/')
    .remove(b':')
    .remove(b',')
    .remove(b'@');

/// `text` as it stands in an address.
fn escaped(text: &str) -> String {
    utf8_percent_encode(text, ESCAPED).to_string()
}

/// Inverse of [`escaped`]; what is not an escape stays as it is.
pub(super) fn unescaped(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}
