//! Rows into cases: which run each belongs to, what came of it.

use super::cell::{
    Style, VerdictWord, is_empty, is_missing_word, meant, number, said, said_by_word,
};
use super::profile::Profile;
use super::repeats::Repeats;
use super::sheet::SheetRow;
use super::words::{NameWords, TokenSide};
use crate::model::{
    Asked, Better, CaseRow, CheckRow, Mapping, Outcome, Role, Run, RunBuilder, RunKey, SourceId,
    TimeUnit,
};
use crate::readers::answer_hash::answer;
use crate::readers::asked_hash::asked;
use crate::readers::record_value::{says_something, short_text};
use serde_json::Value;
use std::collections::HashMap;

/// A column with its part in the cases.
struct CheckColumn {
    at: usize,
    name: String,
    style: Style,
    unit: TimeUnit,
    side: Option<TokenSide>,
    better: Option<Better>,
}

/// Makes runs of the rows of a table.
pub(super) struct Cases<'a> {
    parts: HashMap<Role, Vec<CheckColumn>>,
    repeats: Repeats,
    runs: Vec<RunBuilder>,
    places: HashMap<(Option<String>, u32), usize>,
    source: SourceId,
    path: &'a str,
    label: &'a str,
    /// Cells of numbers that are none, by column, with the first row of each.
    pub odd: Vec<(String, u64, u64)>,
    /// Rows whose id was there before in their run, where no column says which repetition they are.
    pub n_again: u64,
}

/// What a row says of one case.
#[derive(Default)]
struct JudgedRow {
    score: Option<f64>,
    said: Option<VerdictWord>,
    better: Option<Better>,
}

impl<'a> Cases<'a> {
    /// Of a table with this mapping, in the file `path`; `label` is what it is called.
    pub(super) fn new(
        mapping: &Mapping,
        profiles: &[Profile],
        (source, path): (SourceId, &'a str),
        label: &'a str,
    ) -> Self {
        let mut parts: HashMap<Role, Vec<CheckColumn>> = HashMap::new();
        for (at, column) in mapping.columns.iter().enumerate() {
            let profile = profiles.get(at);
            parts.entry(column.role).or_default().push(CheckColumn {
                at,
                name: column.name.clone(),
                style: profile.map(Profile::style).unwrap_or_default(),
                unit: column.unit.unwrap_or_default(),
                side: NameWords::of(&column.name).token_side(),
                better: column.less_is_better.then_some(Better::Less),
            });
        }
        // Of several scores and verdicts the first one counts, and the others are metrics.
        for role in [Role::Score, Role::Passed] {
            let own = parts.get_mut(&role);
            let further = own.map(|own| own.split_off(own.len().min(1))).unwrap_or_default();
            parts.entry(Role::Metric).or_default().extend(further);
        }
        if let Some(metrics) = parts.get_mut(&Role::Metric) {
            metrics.sort_by_key(|part| part.at);
        }
        let repeat = parts.get(&Role::Repeat).and_then(|all| all.first());
        let repeats = Repeats::new(repeat.and_then(|part| profiles.get(part.at)));
        Self {
            parts,
            repeats,
            runs: Vec::new(),
            places: HashMap::new(),
            source,
            path,
            label,
            odd: Vec::new(),
            n_again: 0,
        }
    }

    fn of(&self, role: Role) -> &[CheckColumn] {
        self.parts.get(&role).map_or(&[], Vec::as_slice)
    }

    /// Texts of the cells of a role, joined; `None` when nothing is in them.
    fn joined(&self, role: Role, row: &SheetRow<'_>) -> Option<String> {
        let cells = self.of(role).iter().filter_map(|part| row.cells.get(part.at));
        let texts: Vec<String> = cells
            .filter(|cell| !is_empty(cell))
            .map(|cell| short_text(cell).trim().to_owned())
            .collect();
        (!texts.is_empty()).then(|| texts.join(" / "))
    }

    /// Takes a row.
    pub(super) fn add(&mut self, row: &SheetRow<'_>) {
        let model = self.joined(Role::Model, row);
        let wide: Vec<(String, usize, Style, Option<Better>)> = self
            .of(Role::ModelScore)
            .iter()
            .map(|part| (part.name.clone(), part.at, part.style, part.better))
            .collect();
        if wide.is_empty() {
            let judged = self.judged(row);
            self.case(row, model, &judged);
            return;
        }
        for (name, at, style, better) in wide {
            let cell = row.cells.get(at).unwrap_or(&Value::Null);
            let by_word =
                cell.as_bool().map(VerdictWord::Is).or_else(|| said_by_word(cell.as_str()?));
            let score = self.number(row, at, &name, style);
            let judged = JudgedRow { score, said: by_word, better };
            let subject = match &model {
                Some(model) => format!("{model} / {name}"),
                None => name,
            };
            self.case(row, Some(subject), &judged);
        }
    }

    /// The number in a cell; one that is none is counted.
    fn number(&mut self, row: &SheetRow<'_>, at: usize, name: &str, style: Style) -> Option<f64> {
        let cell = row.cells.get(at)?;
        let found = number(cell, style).or_else(|| as_digit(cell));
        if found.is_none() && !is_empty(cell) && !is_missing_word(cell) {
            match self.odd.iter_mut().find(|(own, _, _)| own == name) {
                Some((_, n, _)) => *n += 1,
                None => self.odd.push((name.to_owned(), 1, row.number)),
            }
        }
        found
    }

    fn numbers(&mut self, role: Role, row: &SheetRow<'_>) -> Vec<(usize, Option<f64>)> {
        let parts: Vec<(usize, usize, String, Style)> = self
            .of(role)
            .iter()
            .enumerate()
            .map(|(nth, part)| (nth, part.at, part.name.clone(), part.style))
            .collect();
        let of = |(nth, at, name, style): (usize, usize, String, Style)| {
            (nth, self.number(row, at, &name, style))
        };
        parts.into_iter().map(of).collect()
    }

    fn judged(&mut self, row: &SheetRow<'_>) -> JudgedRow {
        // Without a score the first metric stands for it.
        let role = if self.of(Role::Score).is_empty() { Role::Metric } else { Role::Score };
        let is_score = role == Role::Score || self.of(Role::Passed).is_empty();
        let part = self.of(role).first().filter(|_| is_score);
        let better = part.and_then(|part| part.better);
        let part = part.map(|part| (part.at, part.name.clone(), part.style));
        let score = part.and_then(|(at, name, style)| self.number(row, at, &name, style));
        let passed = self.of(Role::Passed).first().and_then(|part| row.cells.get(part.at));
        JudgedRow { score, said: passed.and_then(said), better }
    }

    fn case(&mut self, row: &SheetRow<'_>, subject: Option<String>, judged: &JudgedRow) {
        let ids: Vec<&Value> =
            self.of(Role::Id).iter().filter_map(|part| row.cells.get(part.at)).collect();
        let id = self.joined(Role::Id, row);
        let is_numeric = ids.len() == 1 && ids.iter().all(|cell| cell.is_number());
        let group = self.joined(Role::Group, row);
        let named = self.of(Role::Repeat).first().and_then(|part| row.cells.get(part.at));
        let repeat = match (named, &id) {
            (Some(cell), _) => self.repeats.named(cell),
            (None, Some(id)) => {
                let nth = self.repeats.again(subject.as_deref(), group.as_deref(), id);
                self.n_again += u64::from(nth > 1);
                nth
            }
            (None, None) => 1,
        };
        let id = id.unwrap_or_else(|| (row.number + 1).to_string());
        let (error, message) = self.error(row);
        let outcome = match (judged.said, error) {
            (_, true) | (Some(VerdictWord::Error), _) => Outcome::Error,
            (Some(VerdictWord::Skipped), _) => Outcome::Skipped,
            (Some(VerdictWord::Is(is_passed)), _) => Outcome::of(is_passed),
            (None, false) => Outcome::without_rule(judged.score),
        };
        let passed = match outcome {
            Outcome::Passed => Some(true),
            Outcome::Failed => Some(false),
            _ => None,
        };
        let secs: Option<f64> =
            self.numbers(Role::Duration, row).first().and_then(|(_, found)| *found);
        let unit = self.of(Role::Duration).first().map(|part| part.unit).unwrap_or_default();
        let cost = sum(self.numbers(Role::Cost, row).into_iter().map(|(_, found)| found));
        let tokens = self.numbers(Role::Tokens, row);
        let of_side = |side: Option<TokenSide>| {
            let own = tokens.iter().filter(|(nth, _)| {
                self.of(Role::Tokens).get(*nth).is_some_and(|part| part.side == side)
            });
            sum(own.map(|(_, found)| *found))
        };
        let case = CaseRow {
            id: Some(&id),
            is_numeric_id: Some(is_numeric),
            group: group.as_deref(),
            score: judged.score,
            passed,
            duration_secs: secs.map(|secs| seconds(secs, unit)).filter(|secs| *secs >= 0.0),
            cost_usd: cost,
            prompt_tokens: of_side(Some(TokenSide::Prompt)),
            // Tokens in all have no column of their own: they count where what is written does.
            completion_tokens: sum(
                [of_side(Some(TokenSide::Completion)), of_side(None)].into_iter()
            ),
            cached_input_tokens: of_side(Some(TokenSide::Cached)),
            reasoning_tokens: of_side(Some(TokenSide::Reasoning)),
            answer: self.content(Role::Output, row).and_then(|json| answer(&json)),
            error_category: error.then_some("error"),
            error_message: message.as_deref(),
            ..CaseRow::default()
        };
        let asked = Asked {
            input: self.content(Role::Input, row).and_then(|json| asked(&json)),
            expected: self.content(Role::Expected, row).and_then(|json| asked(&json)),
        };
        let case = case.with_outcome(outcome).with_asked(asked).at(row.at);
        let metrics = self.numbers(Role::Metric, row);
        let (source, path, label) = (self.source, self.path, self.label);
        let runs = &mut self.runs;
        let place = *self.places.entry((subject.clone(), repeat)).or_insert_with(|| {
            let key = RunKey {
                subject: subject.clone(),
                repeat,
                path: path.to_owned(),
                ..RunKey::default()
            };
            let mut run = RunBuilder::new(key, subject.unwrap_or_else(|| label.to_owned()));
            run.source(source);
            run.score_better = judged.better;
            runs.push(run);
            runs.len() - 1
        });
        let Some(run) = runs.get_mut(place) else { return };
        run.case(case);
        let parts = self.parts.get(&Role::Metric).map_or(&[][..], Vec::as_slice);
        for ((_, score), part) in metrics.into_iter().zip(parts) {
            let cell = row.cells.get(part.at).unwrap_or(&Value::Null);
            let by_word = cell.as_bool().or_else(|| match said_by_word(cell.as_str()?)? {
                VerdictWord::Is(is_so) => Some(is_so),
                VerdictWord::Error | VerdictWord::Skipped => None,
            });
            run.check(CheckRow {
                name: Some(&part.name),
                score,
                is_correct: by_word,
                ..CheckRow::default()
            });
        }
    }

    /// Whether a row ended in an error, and its text.
    fn error(&self, row: &SheetRow<'_>) -> (bool, Option<String>) {
        let cells = self.of(Role::Error).iter().filter_map(|part| row.cells.get(part.at));
        let is_error = |cell: &&Value| {
            let is_none = is_empty(cell) || is_missing_word(cell) || !says_something(cell);
            !is_none && said(cell) != Some(VerdictWord::Is(false))
        };
        let found: Vec<&Value> = cells.filter(is_error).collect();
        let is_flag = |cell: &&&Value| said(cell) != Some(VerdictWord::Is(true));
        let texts: Vec<String> =
            found.iter().filter(is_flag).map(|cell| short_text(cell)).collect();
        (!found.is_empty(), (!texts.is_empty()).then(|| texts.join("\n")))
    }

    /// The cells of a role as JSON; several as a list.
    fn content(&self, role: Role, row: &SheetRow<'_>) -> Option<Vec<u8>> {
        let cells: Vec<Value> = self
            .of(role)
            .iter()
            .filter_map(|part| row.cells.get(part.at))
            .map(|cell| meant(cell).into_owned())
            .collect();
        match cells.as_slice() {
            [] => None,
            [only] => serde_json::to_vec(only).ok(),
            _ => serde_json::to_vec(&cells).ok(),
        }
    }

    /// Names of the metrics, in the order of the columns.
    pub(super) fn metrics(&self) -> Vec<String> {
        self.of(Role::Metric).iter().map(|part| part.name.clone()).collect()
    }

    /// Which way metrics are better, where somebody has said it of their columns.
    pub(super) fn better(&self) -> Vec<(String, Better)> {
        let metrics = self.of(Role::Metric).iter();
        metrics.filter_map(|part| Some((part.name.clone(), part.better?))).collect()
    }

    /// The runs, in the order of their first rows.
    pub(super) fn into_runs(self) -> Vec<Run> {
        self.runs.into_iter().map(RunBuilder::finish).collect()
    }
}

/// Yes as 1, no as 0.
fn as_digit(cell: &Value) -> Option<f64> {
    match cell.as_bool().map(VerdictWord::Is).or_else(|| said_by_word(cell.as_str()?))? {
        VerdictWord::Is(is_so) => Some(f64::from(u8::from(is_so))),
        VerdictWord::Error | VerdictWord::Skipped => None,
    }
}

fn sum(numbers: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let found: Vec<f64> = numbers.flatten().collect();
    (!found.is_empty()).then(|| found.into_iter().sum())
}

fn seconds(amount: f64, unit: TimeUnit) -> f64 {
    match unit {
        TimeUnit::Seconds => amount,
        TimeUnit::Milliseconds => amount / 1_000.0,
        TimeUnit::Minutes => amount * 60.0,
    }
}
