//! How many cases have each value of a field.

use super::expr::Expr;
use super::field::{FLAKY, Field, TRAITS};
use super::mask::Mask;
use super::scope::{FieldWords, FilterScope, ScopeRun, tags};
use super::{Filter, eval};
use std::collections::HashMap;

/// Most cases of which it is counted how many are flaky: each is looked for in every repeat.
const MAX_MATCHED: usize = 200_000;

/// The values of `field` among the cases that `mask` means, each with its number of cases; `""` for
/// cases without one. A case with several values counts for each. In no order.
pub fn tally(scope: &FilterScope<'_>, field: &Field, mask: &Mask) -> HashMap<String, u64> {
    let mut found = HashMap::new();
    if *field == Field::Has {
        for name in TRAITS {
            if *name == *FLAKY && scope.n_cases > MAX_MATCHED {
                continue;
            }
            let mut marks = eval::having(name, scope);
            marks.and(mask);
            found.insert(name.to_owned(), marks.count() as u64);
        }
        return found;
    }
    for part in &scope.parts {
        let marks = mask.part(part.start, part.n_cases());
        if *field == Field::Repeat {
            let n_cases = marks.iter().filter(|mark| **mark).count() as u64;
            add(&mut found, &part.run.key.repeat.to_string(), n_cases);
        }
        for words in part.words(field) {
            tally_part(part, &words, marks, &mut found);
        }
    }
    found.retain(|_, n| *n > 0);
    found
}

fn add(found: &mut HashMap<String, u64>, value: &str, n: u64) {
    match found.get_mut(value) {
        Some(known) => *known += n,
        None => {
            found.insert(value.to_owned(), n);
        }
    }
}

fn tally_part(
    part: &ScopeRun<'_>,
    words: &FieldWords<'_>,
    marks: &[bool],
    found: &mut HashMap<String, u64>,
) {
    let n_marked = marks.iter().filter(|mark| **mark).count() as u64;
    match words {
        FieldWords::Constant(word) => add(found, word.unwrap_or_default(), n_marked),
        FieldWords::Column(column, _) | FieldWords::Lists(column) => {
            let names: Vec<&str> = column.words().collect();
            let mut counts = vec![0_u64; names.len()];
            for (code, _) in column.codes().zip(marks).filter(|(_, mark)| **mark) {
                if let Some(n) = code.and_then(|code| counts.get_mut(code)) {
                    *n += 1;
                }
            }
            let other =
                if let FieldWords::Column(_, other) = words { other.as_deref() } else { None };
            add(found, other.unwrap_or_default(), n_marked - counts.iter().sum::<u64>());
            for (name, n) in names.into_iter().zip(counts) {
                if matches!(words, FieldWords::Lists(_)) {
                    let mut seen: Vec<&str> = Vec::new();
                    for tag in tags(name) {
                        if !seen.contains(&tag) {
                            seen.push(tag);
                            add(found, tag, n);
                        }
                    }
                } else {
                    add(found, name, n);
                }
            }
        }
        FieldWords::Checks => {
            let checks = &part.run.checks;
            let names: Vec<&str> = checks.name.words().collect();
            let mut counts = vec![0_u64; names.len()];
            // The case that a name was met in last: its checks stand together.
            let mut latest = vec![None; names.len()];
            for (code, case) in checks.name.codes().zip(checks.case_idx.iter()) {
                let (Some(code), Some(case)) = (code, case) else { continue };
                if marks.get(case as usize) == Some(&true)
                    && let (Some(n), Some(latest)) = (counts.get_mut(code), latest.get_mut(code))
                    && *latest != Some(case)
                {
                    *latest = Some(case);
                    *n += 1;
                }
            }
            for (name, n) in names.into_iter().zip(counts) {
                add(found, name, n);
            }
        }
        // Ids tell cases apart: there is nothing to count.
        FieldWords::Texts(_) => {}
    }
}

impl Filter {
    /// The cases that each of the conditions side by side keeps.
    pub(in crate::report) fn part_masks(&self, scope: &FilterScope<'_>) -> Vec<Mask> {
        let alone = |part: &Expr| Self { root: Some(part.clone()) }.mask(scope);
        self.parts().iter().map(alone).collect()
    }

    /// The cases that the conditions which are not about `field` keep: what a facet counts. `masks`
    /// are those of the conditions.
    pub(in crate::report) fn mask_without(
        &self,
        field: &Field,
        masks: &[Mask],
        scope: &FilterScope<'_>,
    ) -> Mask {
        let mut mask = Mask::all(scope.n_cases, true);
        for (part, own) in self.parts().iter().zip(masks) {
            if part.only_field() != Some(field) {
                mask.and(own);
            }
        }
        mask
    }
}
