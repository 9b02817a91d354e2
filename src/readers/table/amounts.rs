//! Roles of numbers: durations, costs, tokens, metrics, one column for each model.

use super::profile::ColumnContent;
use super::roles::{Guess, RoleColumn};
use crate::model::Role;

/// From which number of seconds a column called `time` is a date.
const DATES: f64 = 1e8;

impl Guess<'_> {
    pub(super) fn amounts(&mut self) {
        self.give_best(Role::Duration, "named like a duration, and holds numbers", |column| {
            let is_date = column.words.last == "time"
                && column.profile.range.is_some_and(|(_, high)| high >= DATES);
            column.kind() == ColumnContent::Number
                && !is_date
                && column.profile.range.is_some_and(|(low, _)| low >= 0.0)
        });
        self.give_best(Role::Cost, "named like a cost, and holds numbers", |column| {
            column.kind() == ColumnContent::Number
        });
        let tokens = self.candidates(Role::Tokens, |column| column.kind() == ColumnContent::Number);
        let is_part = |at: &usize| {
            self.columns.get(*at).is_some_and(|column| column.words.token_side().is_some())
        };
        let (parts, totals): (Vec<usize>, Vec<usize>) = tokens.into_iter().partition(is_part);
        let has_parts = !parts.is_empty();
        for at in parts {
            self.give(at, Role::Tokens, "named like a number of tokens");
        }
        for (nth, at) in totals.into_iter().enumerate() {
            if has_parts {
                self.give(at, Role::Fact, "tokens in all, which stand in parts beside it");
            } else if nth == 0 {
                self.give(at, Role::Tokens, "named like a number of tokens");
            }
        }
    }

    pub(super) fn metrics(&mut self) {
        let has_result =
            self.place_of(Role::Score).is_some() || self.place_of(Role::Passed).is_some();
        let score = self.name_of(Role::Score).map(str::to_owned);
        for at in 0..self.columns.len() {
            let Some(column) = self.columns.get(at).filter(|column| column.given.is_none()) else {
                continue;
            };
            if !matches!(column.kind(), ColumnContent::Number | ColumnContent::YesNo)
                || column.words.is_plain_fact()
            {
                continue;
            }
            let is_flag =
                column.words.words.first().is_some_and(|word| word == "is" || word == "has");
            let why = if column.words.is_in_metrics() {
                Some("lies among the metrics".to_owned())
            } else if column.words.rank(Role::Metric).is_some() {
                Some("named like a metric".to_owned())
            } else if column.words.rank(Role::Score).is_some()
                && column.kind() == ColumnContent::Number
            {
                score
                    .as_ref()
                    .map(|score| format!("named like a score, while {score} is the score"))
            } else if column.profile.is_unit() && has_result && !column.is_unnamed && !is_flag {
                Some("numbers from 0 to 1 beside a result".to_owned())
            } else {
                None
            };
            if let Some(why) = why {
                self.give(at, Role::Metric, why);
            }
        }
        if !has_result
            && self.place_of(Role::Model).is_some()
            && self.place_of(Role::Metric).is_none()
        {
            for at in self.unknown_numbers() {
                self.give(at, Role::Metric, "numbers beside a model");
            }
        }
        if !has_result
            && let Some(at) = self.place_of(Role::Metric)
            && let Some(column) = self.columns.get_mut(at)
            && column.kind() == ColumnContent::Number
        {
            column.given =
                Some((Role::Score, "the first metric; no column is named like a score".to_owned()));
        }
    }

    /// Free columns of numbers or verdicts whose names say nothing.
    fn unknown_numbers(&self) -> Vec<usize> {
        // A model may well be called "my agent": only names that numbers have count.
        const OF_NUMBERS: [Role; 8] = [
            Role::Id,
            Role::Repeat,
            Role::Score,
            Role::Passed,
            Role::Metric,
            Role::Duration,
            Role::Cost,
            Role::Tokens,
        ];
        let is_known = |column: &RoleColumn<'_>| {
            OF_NUMBERS.iter().any(|role| column.words.rank(*role).is_some())
        };
        let is_one = |column: &RoleColumn<'_>| {
            column.given.is_none()
                && matches!(column.kind(), ColumnContent::Number | ColumnContent::YesNo)
                && !column.is_unnamed
                && !column.words.is_plain_fact()
                && !is_known(column)
        };
        let all = self.columns.iter().enumerate();
        all.filter(|(_, column)| is_one(column)).map(|(at, _)| at).collect()
    }

    pub(super) fn wide(&mut self) {
        let has = |role| self.place_of(role).is_some();
        let has_result =
            [Role::Score, Role::Passed, Role::Metric, Role::Model].into_iter().any(has);
        let is_about = has(Role::Id) || has(Role::Input);
        let models = self.unknown_numbers();
        if !has_result && is_about && models.len() >= 2 {
            for at in models {
                self.give(
                    at,
                    Role::ModelScore,
                    "one of several number columns with unknown names, read as models",
                );
            }
        }
    }
}
