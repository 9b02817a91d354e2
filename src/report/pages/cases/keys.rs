//! Sorting by a column: numbers by their bits, words by their rank, texts by eight bytes at a time.

use super::metrics::{by_case, metrics};
use super::{SortKey, tokens};
use crate::model::{Dict, FixedCells, Outcome, ValueColumn};
use crate::order::Order as _;
use crate::report::filter::{Field, FieldWords, FilterScope, ScopeRun};
use std::cmp::Ordering;
use std::collections::HashMap;

/// A case with what it is sorted by.
pub(super) type SortedCase = (u64, u32);

/// What a case is sorted by, by its row in a run; `None` where there is nothing to sort by.
type KeyOf<'a, T = u64> = Box<dyn Fn(usize) -> Option<T> + 'a>;

/// What cases of a scope are sorted by: a column, looked up once.
pub(super) struct SortColumn<'a> {
    scope: &'a FilterScope<'a>,
    by: SortedBy<'a>,
    is_descending: bool,
}

/// By run.
enum SortedBy<'a> {
    Keys(Vec<KeyOf<'a>>),
    Texts(Vec<KeyOf<'a, &'a [u8]>>),
}

impl<'a> SortColumn<'a> {
    /// Column `column` of the cases of `scope`.
    pub(super) fn new(scope: &'a FilterScope<'a>, column: SortKey, is_descending: bool) -> Self {
        let by = match column {
            SortKey::Id => SortedBy::Texts(per_part(scope, |part| {
                let ids = part.run.cases.id.cells();
                Box::new(move |idx| ids.get(idx))
            })),
            SortKey::Error => SortedBy::Texts(per_part(scope, |part| {
                let cases = &part.run.cases;
                let messages = cases.error_message.cells();
                Box::new(move |idx| {
                    let other =
                        || cases.error_type.get(idx).or_else(|| cases.error_category.get(idx));
                    messages.get(idx).or_else(|| other().map(str::as_bytes))
                })
            })),
            _ => SortedBy::Keys(keys(scope, column)),
        };
        Self { scope, by, is_descending }
    }

    /// Sorts `cases`, numbers of cases of the scope. Cases with the same value stay in their order; those without one go
    /// last, whatever the direction.
    pub(super) fn sort(&self, cases: &mut Vec<u32>) {
        let mut missing = Vec::new();
        match &self.by {
            SortedBy::Keys(keys) => {
                let mut keyed: Vec<SortedCase> = Vec::with_capacity(cases.len());
                self.each(keys, cases, |case, key| match key {
                    Some(key) => keyed.push((self.directed(key), case)),
                    None => missing.push(case),
                });
                keyed.sort_by_key(|(key, _)| *key);
                cases.clear();
                cases.extend(keyed.into_iter().map(|(_, case)| case));
            }
            SortedBy::Texts(texts) => {
                // Each is looked up once; rows are then those of this list.
                let mut found = Vec::with_capacity(cases.len());
                self.each(texts, cases, |case, text| match text {
                    Some(text) => found.push((text, case)),
                    None => missing.push(case),
                });
                let mut rows: Vec<u32> = (0..).take(found.len()).collect();
                let text = |row: u32| found.get(row as usize).map_or(&b""[..], |(text, _)| text);
                super::texts::sort(&mut rows, &text, self.is_descending);
                cases.clear();
                cases.extend(rows.iter().filter_map(|row| Some(found.get(*row as usize)?.1)));
            }
        }
        cases.extend(missing);
    }

    /// A number for each of `cases`, the largest for those without a value: one that is smaller says that the case comes
    /// first. The flag says whether cases with the same number have the same value.
    pub(super) fn numbers(&self, cases: &[u32]) -> (Vec<u64>, bool) {
        match &self.by {
            SortedBy::Keys(keys) => {
                let mut numbers = Vec::with_capacity(cases.len());
                self.each(keys, cases, |_, key| {
                    numbers.push(key.map_or(u64::MAX, |key| self.directed(key)));
                });
                (numbers, true)
            }
            SortedBy::Texts(texts) => {
                let mut found = Vec::with_capacity(cases.len());
                self.each(texts, cases, |_, text| found.push(text));
                (super::texts::numbers(&found, self.is_descending), false)
            }
        }
    }

    fn directed(&self, key: u64) -> u64 {
        if self.is_descending { !key } else { key }
    }

    /// Calls `take` with each of `cases` and what it is sorted by.
    fn each<T>(
        &self,
        by_run: &[KeyOf<'a, T>],
        cases: &[u32],
        mut take: impl FnMut(u32, Option<T>),
    ) {
        let (mut run, mut key) = (0..0, None);
        for case in cases {
            let at = *case as usize;
            if !run.contains(&at) {
                let after = self.scope.parts.partition_point(|part| part.start <= at);
                let nth = after.saturating_sub(1);
                let part = self.scope.parts.get(nth);
                run = part.map_or(0..0, |part| part.start..part.start + part.n_cases());
                key = by_run.get(nth);
            }
            take(*case, key.and_then(|key| key(at - run.start)));
        }
    }
}

/// By run: the key of each of its cases.
fn keys<'a>(scope: &'a FilterScope<'a>, column: SortKey) -> Vec<KeyOf<'a>> {
    let field = match column {
        SortKey::Score => Field::Score,
        SortKey::FailedChecks => Field::Checks,
        SortKey::Attempts => Field::Attempts,
        SortKey::Duration => Field::Duration,
        SortKey::Cost => Field::Cost,
        SortKey::Repeat => Field::Repeat,
        SortKey::Run => Field::Run,
        SortKey::Suite => Field::Suite,
        SortKey::Model => Field::Model,
        SortKey::Variant => Field::Variant,
        SortKey::Group => Field::Group,
        SortKey::Kind => Field::Kind,
        SortKey::Tags => Field::Tag,
        SortKey::Tokens => {
            return per_part(scope, |part| Box::new(|idx| tokens(part.run, idx).map(of_number)));
        }
        SortKey::Outcome => {
            return per_part(scope, |part| {
                let ranks: Vec<u64> = part.run.cases.outcome.words().map(severity).collect();
                by_code(&part.run.cases.outcome, ranks, Some(severity("")))
            });
        }
        SortKey::Metric(at) => {
            let names = metrics(scope.parts.iter().map(|part| part.run));
            let name = names.get(usize::from(at)).cloned().unwrap_or_default();
            return per_part(scope, |part| {
                let scores = by_case(part.run, &name);
                Box::new(move |idx| scores.get(idx).copied().flatten().map(of_number))
            });
        }
        SortKey::File
        | SortKey::Id
        | SortKey::Error
        | SortKey::Instability
        | SortKey::Input
        | SortKey::Answer
        | SortKey::Expected => {
            // 1-based, so that no case has the largest key when the order is turned around.
            return per_part(scope, |part| Box::new(|idx| Some((part.start + idx) as u64 + 1)));
        }
    };
    if matches!(
        field,
        Field::Score
            | Field::Checks
            | Field::Attempts
            | Field::Duration
            | Field::Cost
            | Field::Repeat
    ) {
        return per_part(scope, |part| {
            match field {
                // Without asking through another function for each case.
                Field::Score => of_cells(part.run.cases.score.cells()),
                Field::Duration => of_cells(part.run.cases.duration_secs.cells()),
                _ => {
                    let number = part.number(&field);
                    Box::new(move |idx| number(idx).map(of_number))
                }
            }
        });
    }
    let ranks = ranks(scope, &field);
    per_part(scope, |part| {
        let rank = |word: &str| ranks.get(word).copied();
        match part.words(&field).into_iter().next() {
            Some(FieldWords::Constant(word)) => {
                let key = word.and_then(rank);
                Box::new(move |_| key)
            }
            Some(FieldWords::Column(column, other)) => {
                let by_word = column.words().map(|word| rank(word).unwrap_or(0)).collect();
                by_code(column, by_word, other.and_then(rank))
            }
            Some(FieldWords::Lists(column)) => {
                let by_word = column.words().map(|word| rank(word).unwrap_or(0)).collect();
                by_code(column, by_word, None)
            }
            _ => Box::new(|_| None),
        }
    })
}

fn per_part<'a, T>(
    scope: &'a FilterScope<'a>,
    key: impl Fn(&'a ScopeRun<'a>) -> KeyOf<'a, T>,
) -> Vec<KeyOf<'a, T>> {
    scope.parts.iter().map(key).collect()
}

fn of_cells(cells: FixedCells<'_, f64>) -> KeyOf<'_> {
    Box::new(move |idx| cells.get(idx).map(of_number))
}

fn by_code(column: &ValueColumn<Dict>, by_word: Vec<u64>, missing: Option<u64>) -> KeyOf<'_> {
    Box::new(move |idx| match column.code(idx) {
        Some(code) => by_word.get(code).copied(),
        None => missing,
    })
}

/// The place of each word of `field` among all of them.
fn ranks<'a>(scope: &FilterScope<'a>, field: &Field) -> HashMap<&'a str, u64> {
    let mut words: Vec<&str> = Vec::new();
    for part in &scope.parts {
        for source in part.words(field) {
            match source {
                FieldWords::Constant(word) => words.extend(word),
                FieldWords::Column(column, other) => words.extend(column.words().chain(other)),
                FieldWords::Lists(column) => words.extend(column.words()),
                FieldWords::Texts(_) | FieldWords::Checks => {}
            }
        }
    }
    words.order_by(|left, right| {
        natural(left.as_bytes(), right.as_bytes()).then_with(|| left.cmp(right))
    });
    words.dedup();
    words.into_iter().zip(1..).collect()
}

/// The worse an outcome, the earlier; a reader who sorts by it looks for what went wrong.
fn severity(outcome: &str) -> u64 {
    match Outcome::from_text(outcome) {
        Some(Outcome::Failed) => 1,
        Some(Outcome::Error) => 2,
        Some(Outcome::Skipped) => 3,
        Some(Outcome::Unscored) | None => 4,
        Some(Outcome::Scored) => 5,
        Some(Outcome::Passed) => 6,
    }
}

/// The bits of the one NaN that stands for all of them.
const NAN: u64 = 0x7ff8_0000_0000_0000;

/// A key that sorts as `number` does: both zeros alike, NaN after every number. Never the largest
/// key, nor the smallest.
pub(super) fn of_number(number: f64) -> u64 {
    // Adding a zero takes the sign off the negative one.
    let bits = if number.is_nan() { NAN } else { (number + 0.0).to_bits() };
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

/// Runs of digits compare by value, so that `case_9` comes before `case_10`.
pub(super) fn natural(left: &[u8], right: &[u8]) -> Ordering {
    let (mut left, mut right) = (left, right);
    loop {
        let (digits_left, digits_right) = (digits(left), digits(right));
        if digits_left > 0 && digits_right > 0 {
            let (a, rest_a) = left.split_at(digits_left);
            let (b, rest_b) = right.split_at(digits_right);
            let (a, b) = (strip_zeros(a), strip_zeros(b));
            let order = a.len().cmp(&b.len()).then_with(|| a.cmp(b));
            if order != Ordering::Equal {
                return order;
            }
            (left, right) = (rest_a, rest_b);
            continue;
        }
        match (left.split_first(), right.split_first()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some((a, rest_a)), Some((b, rest_b))) => {
                let order = a.to_ascii_lowercase().cmp(&b.to_ascii_lowercase());
                if order != Ordering::Equal {
                    return order;
                }
                (left, right) = (rest_a, rest_b);
            }
        }
    }
}

fn digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn strip_zeros(digits: &[u8]) -> &[u8] {
    let n_zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    digits.get(n_zeros..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_numbers_sort_as_the_numbers() {
        let numbers = [
            f64::NEG_INFINITY,
            -1.5,
            -f64::MIN_POSITIVE,
            0.0,
            f64::MIN_POSITIVE / 2.0,
            0.5,
            1.0,
            f64::INFINITY,
            f64::NAN,
        ];
        assert!(numbers.map(of_number).is_sorted_by(|left, right| left < right));
        assert_eq!(of_number(-0.0), of_number(0.0));
        assert_eq!(of_number(-f64::NAN), of_number(f64::NAN));
        assert!(numbers.map(of_number).iter().all(|key| *key != 0 && *key != u64::MAX));
    }

    #[test]
    fn numbers_inside_text_compare_by_value() {
        let mut ids = ["case_10", "case_9", "Case_1", "case_09b", "case_9"];
        ids.sort_by(|left, right| natural(left.as_bytes(), right.as_bytes()));
        assert_eq!(ids, ["Case_1", "case_9", "case_9", "case_09b", "case_10"]);
    }
}
