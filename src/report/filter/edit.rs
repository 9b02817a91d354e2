//! Changing the tree as facets do: a value more or less, another range.

use super::expr::{Expr, Filter, FilterError, NumberOperator, Term};
use super::field::Field;
use super::text::is_same;
use crate::words::report::shared::filter as words;
use serde::{Deserialize, Serialize};

/// How a value of a facet stands in a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum FacetChoice {
    /// Nothing is said of it.
    Open,
    /// It is one of those to keep.
    Chosen,
    /// It is one of those to leave out.
    Excluded,
}

/// The values that `part` lists for `field`, whether it is exact, and whether it leaves them out.
fn listed<'a>(part: &'a Expr, wanted: &Field) -> Option<(&'a [String], bool, bool)> {
    match part {
        Expr::Term(Term::Is { field, is_exact, values }) if field == wanted => {
            Some((values, *is_exact, false))
        }
        Expr::Not(inner) => match listed(inner, wanted) {
            Some((values, is_exact, false)) => Some((values, is_exact, true)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a value as written means `value`.
fn means(field: &Field, written: &str, value: &str, is_exact: bool) -> bool {
    if field.is_number() && !written.is_empty() {
        return field.number(written).is_some() && field.number(written) == field.number(value);
    }
    is_same(written, value, is_exact)
}

impl Filter {
    /// How `value` of `field` stands in the filter.
    pub(in crate::report) fn choice(&self, field: &Field, value: &str) -> FacetChoice {
        for part in self.parts() {
            if let Some((values, is_exact, is_out)) = listed(part, field)
                && values.iter().any(|written| means(field, written, value, is_exact))
            {
                return if is_out { FacetChoice::Excluded } else { FacetChoice::Chosen };
            }
        }
        FacetChoice::Open
    }

    /// The filter with `value` of `field` chosen where it was open, and open where it was chosen or
    /// left out. `is_exact` when another value differs from it in the size of letters only.
    pub(in crate::report) fn toggled(&self, field: &Field, value: &str, is_exact: bool) -> Self {
        let was_open = self.choice(field, value) == FacetChoice::Open;
        let mut is_done = !was_open;
        let mut parts = Vec::new();
        for part in self.parts() {
            let Some((values, exact, is_out)) = listed(part, field) else {
                parts.push(part.clone());
                continue;
            };
            let mut values: Vec<String> = values.to_vec();
            values.retain(|written| !means(field, written, value, exact));
            if !is_done && !is_out && exact == is_exact {
                values.push(value.to_owned());
                is_done = true;
            }
            if values.is_empty() {
                continue;
            }
            let term = Expr::Term(Term::Is { field: field.clone(), is_exact: exact, values });
            parts.push(if is_out { Expr::Not(Box::new(term)) } else { term });
        }
        if !is_done {
            let values = vec![value.to_owned()];
            parts.push(Expr::Term(Term::Is { field: field.clone(), is_exact, values }));
        }
        Self::of_parts(parts)
    }

    /// The ends of the range that is kept of `field`, as written; empty where it is open.
    pub(in crate::report) fn range(&self, field: &Field) -> (&str, &str) {
        let mut ends = ("", "");
        for part in self.parts() {
            match part {
                Expr::Term(Term::Compares { field: own, how, value }) if own == field => {
                    match how {
                        NumberOperator::Greater | NumberOperator::AtLeast => ends.0 = value,
                        NumberOperator::Less | NumberOperator::AtMost => ends.1 = value,
                        NumberOperator::Equal | NumberOperator::Unequal => {}
                    }
                }
                _ => {}
            }
        }
        ends
    }

    /// The filter that keeps from `low` to less than `high` of `field`, in place of what it keeps of it now.
    pub(in crate::report) fn between(&self, field: &Field, low: f64, high: Option<f64>) -> Self {
        let is_end = |part: &&Expr| !matches!(part, Expr::Term(Term::Compares { field: own, .. }) if own == field);
        let mut parts: Vec<Expr> = self.parts().iter().filter(is_end).cloned().collect();
        let end = |how, value: f64| {
            let (field, value) = (field.clone(), value.to_string());
            Expr::Term(Term::Compares { field, how, value })
        };
        parts.push(end(NumberOperator::AtLeast, low));
        parts.extend(high.map(|high| end(NumberOperator::Less, high)));
        Self::of_parts(parts)
    }

    /// The filter that keeps `low` to `high` of `field`, both included, in place of what it keeps of
    /// it now. An empty end is open; an end that stays as it was keeps its sign.
    ///
    /// # Errors
    /// When an end is not a number of the field.
    pub(in crate::report) fn refined(
        &self,
        field: &Field,
        low: &str,
        high: &str,
    ) -> Result<Self, FilterError> {
        let is_end = |part: &&Expr| {
            matches!(part, Expr::Term(Term::Compares { field: own, how, .. }) if own == field
                && !matches!(how, NumberOperator::Equal | NumberOperator::Unequal))
        };
        let old = self.parts().iter().filter(is_end);
        let mut parts: Vec<Expr> =
            self.parts().iter().filter(|part| !is_end(part)).cloned().collect();
        for (end, signs) in [
            (low.trim(), [NumberOperator::AtLeast, NumberOperator::Greater]),
            (high.trim(), [NumberOperator::AtMost, NumberOperator::Less]),
        ] {
            if end.is_empty() {
                continue;
            }
            if field.number(end).is_none() {
                let message = words::needs_number(field, field.example());
                return Err(FilterError::new(0, 0, message));
            }
            let is_kept = |part: &&Expr| {
                matches!(part, Expr::Term(Term::Compares { how, value, .. })
                    if signs.contains(how) && value == end)
            };
            let [how, _] = signs;
            let new = Term::Compares { field: field.clone(), how, value: end.to_owned() };
            let kept = old.clone().find(is_kept).cloned();
            parts.push(kept.unwrap_or(Expr::Term(new)));
        }
        Ok(Self::of_parts(parts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Filter {
        text.parse().unwrap()
    }

    #[test]
    fn a_value_goes_in_and_out() {
        for (before, field, value, after) in [
            ("", Field::Group, "a b", "group:\"a b\""),
            ("group:\"a b\" x", Field::Group, "a b", "x"),
            ("group:a x", Field::Group, "b", "group:a,b x"),
            ("group:A,b", Field::Group, "a", "group:b"),
            ("-group:a", Field::Group, "a", ""),
            ("-group:a,b", Field::Group, "c", "-group:a,b group:c"),
            ("a or b", Field::Kind, "Core", "(a or b) kind:Core"),
            ("repeat:01", Field::Repeat, "1", ""),
        ] {
            let filter = read(before).toggled(&field, value, false);
            assert_eq!(filter.to_string(), after, "{before}");
            assert_eq!(filter, read(after));
        }
        assert_eq!(read("group:a").toggled(&Field::Group, "A", true).to_string(), "");
        let exact = read("group=a").toggled(&Field::Group, "A", true);
        assert_eq!(exact.to_string(), "group=a,A");
        assert_eq!(read("-kind:core").choice(&Field::Kind, "Core"), FacetChoice::Excluded);
    }

    #[test]
    fn a_range_takes_the_place_of_the_old_one() {
        let filter = read("score>0.2 score<0.5 x");
        assert_eq!(filter.range(&Field::Score), ("0.2", "0.5"));
        let refined =
            |low, high| filter.refined(&Field::Score, low, high).map(|new| new.to_string());
        assert_eq!(refined("0.2", "0.7").unwrap(), "x score>0.2 score<=0.7");
        assert_eq!(refined("", "").unwrap(), "x");
        assert!(refined("a", "").is_err());
    }
}
