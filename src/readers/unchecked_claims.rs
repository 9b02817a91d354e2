//! What documents state beyond the figures that a reader declares: nothing goes unchecked silently.
//!
//! A reader walks each document that states figures with [`Claims::walk`], after it has declared
//! what it can. Whatever number or truth value is left is listed with the reason why nothing can be
//! said of it; alike ones (the same field of many lines, lists or files) are one with a count.

use crate::input::json::f64_from_value;
use crate::model::{Declared, DeclaredValue, NO_RULE, Unchecked};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// What a part of a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// No claim about results: a setting, a name, a time of day, a record of its own.
    Other,
    /// Claims that cannot be checked, and why.
    Unchecked(&'static str),
    /// Not known as a whole: its members are looked at. A number or a truth value has no rule.
    Open,
}

/// Collects claims that cannot be checked. In messages it is what it has collected.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "Vec<Unchecked>")]
pub struct Claims {
    list: Vec<Unchecked>,
    /// Place in `list`, by file name, field and reason.
    known: HashMap<(String, String, String), usize>,
}

impl From<Vec<Unchecked>> for Claims {
    fn from(list: Vec<Unchecked>) -> Self {
        let mut claims = Self::default();
        claims.extend(list);
        claims
    }
}

impl Serialize for Claims {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.list.serialize(serializer)
    }
}

impl Claims {
    /// Lists one claim.
    pub fn add(
        &mut self,
        file: &Rc<str>,
        field: &str,
        value: DeclaredValue,
        why: impl Into<Cow<'static, str>>,
    ) {
        let (file, field) = (Rc::clone(file), field.to_owned());
        self.merge(Unchecked { file, field, value, why: why.into(), count: 1 });
    }

    /// Lists what was collected elsewhere.
    pub fn extend(&mut self, others: Vec<Unchecked>) {
        for other in others {
            self.merge(other);
        }
    }

    /// All that was collected, in the order in which it was met.
    pub fn into_vec(self) -> Vec<Unchecked> {
        self.list
    }

    /// Lists every number and truth value of `document` that is not among `declared`, except for parts
    /// that are no claim. `declared` are the figures of this document alone, whose fields are its
    /// paths after `prefix`; `part` says what stands at a path (`""`: all of it), `[]` for any place
    /// in a list.
    pub fn walk(
        &mut self,
        file: &Rc<str>,
        document: &Value,
        prefix: &str,
        declared: &[Declared],
        part: &dyn Fn(&str) -> Part,
    ) {
        let covered = declared.iter().filter_map(|one| one.field.strip_prefix(prefix)).collect();
        let mut walk = ClaimWalk { claims: self, file, covered, part };
        walk.value(document, &mut String::new(), &mut String::new(), None);
    }

    fn merge(&mut self, one: Unchecked) {
        let name = one.file.rsplit('/').next().unwrap_or(&one.file).to_owned();
        let key = (name, one.field.clone(), one.why.clone().into_owned());
        match self.known.get(&key).and_then(|&at| self.list.get_mut(at)) {
            Some(known) => known.count += one.count,
            None => {
                self.known.insert(key, self.list.len());
                self.list.push(one);
            }
        }
    }
}

/// One walk through a document.
struct ClaimWalk<'a> {
    claims: &'a mut Claims,
    file: &'a Rc<str>,
    covered: HashSet<&'a str>,
    part: &'a dyn Fn(&str) -> Part,
}

impl ClaimWalk<'_> {
    /// Looks at what stands at `path`; `general` is the same path with `[]` for places in lists,
    /// `why` the reason that holds for all of it.
    fn value(
        &mut self,
        value: &Value,
        path: &mut String,
        general: &mut String,
        why: Option<&'static str>,
    ) {
        if !path.is_empty() && self.covered.contains(path.as_str()) {
            return;
        }
        let part = (self.part)(general);
        let why = match part {
            Part::Other => return,
            Part::Unchecked(own) => Some(own),
            Part::Open => why,
        };
        let (path_len, general_len) = (path.len(), general.len());
        match value {
            Value::Object(members) => {
                for (key, member) in members {
                    for path in [&mut *path, &mut *general] {
                        if !path.is_empty() {
                            path.push('.');
                        }
                        path.push_str(key);
                    }
                    self.value(member, path, general, why);
                    path.truncate(path_len);
                    general.truncate(general_len);
                }
            }
            Value::Array(items) => {
                for (idx, item) in items.iter().enumerate() {
                    path.push_str(&format!("[{idx}]"));
                    general.push_str("[]");
                    self.value(item, path, general, why);
                    path.truncate(path_len);
                    general.truncate(general_len);
                }
            }
            leaf => {
                // A word is a claim only where its reader says so.
                let is_claim = matches!(part, Part::Unchecked(_)) || !leaf.is_string();
                if let Some(stated) = stated(leaf)
                    && (is_claim || matches!(stated, DeclaredValue::Number(_)))
                {
                    self.claims.add(self.file, general, stated, why.unwrap_or(NO_RULE));
                }
            }
        }
    }
}

/// What a leaf says; `None` of null, which says nothing.
pub fn stated(leaf: &Value) -> Option<DeclaredValue> {
    match leaf {
        Value::Bool(flag) => Some(DeclaredValue::Bool(*flag)),
        Value::String(_) | Value::Number(_) => f64_from_value(leaf)
            .map(DeclaredValue::Number)
            .or_else(|| leaf.as_str().map(|text| DeclaredValue::Text(text.to_owned()))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Figure, Scope};
    use serde_json::json;

    #[test]
    fn what_nobody_declares_is_listed_with_its_reason() {
        let file: Rc<str> = "run/summary.json".into();
        let document = json!({
            "config": {"threshold": 0.5}, "total": 3, "passed": true, "name": "x",
            "nan": "NaN", "models": [{"n": 1, "cost": 2.0}, {"n": 2, "cost": 3.0}], "hash": "ab",
            "quality": {"a": 1, "b": {"c": 2}, "word": "w"}, "nothing": null,
        });
        let total = Declared::new(
            Scope::Evaluation,
            &file,
            "x.total".to_owned(),
            Figure::Total,
            DeclaredValue::Number(3.0),
        );
        let first = Declared { field: "x.models[0].n".to_owned(), ..total.clone() };
        let mut claims = Claims::default();
        for _ in 0..2 {
            claims.walk(
                &file,
                &document,
                "x.",
                &[total.clone(), first.clone()],
                &|path| match path {
                    "config" => Part::Other,
                    "hash" => Part::Unchecked("a hash"),
                    "quality" => Part::Unchecked("measured elsewhere"),
                    _ => Part::Open,
                },
            );
        }
        let found: Vec<(String, u64, String)> = claims
            .into_vec()
            .into_iter()
            .map(|one| (one.field, one.count, one.why.into_owned()))
            .collect();
        let row = |field: &str, count: u64, why: &str| (field.to_owned(), count, why.to_owned());
        assert_eq!(
            found,
            [
                row("passed", 2, NO_RULE),
                row("nan", 2, NO_RULE),
                row("models[].cost", 4, NO_RULE),
                row("models[].n", 2, NO_RULE),
                row("hash", 2, "a hash"),
                row("quality.a", 2, "measured elsewhere"),
                row("quality.b.c", 2, "measured elsewhere"),
            ]
        );
    }
}
