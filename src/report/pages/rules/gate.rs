//! The gate that the user makes: as text, and as parts with their controls.

use super::tables;
use crate::figures::Settings;
use crate::figures::{knows_metrics, metric_names};
use crate::order::ordered;
use crate::policy::{
    AGGREGATES, Condition, GateChange, GateEdit, GateForm, GateLine, OPERATORS, OWN_SCORE, SHAPES,
    fresh, n_lines, shape_of,
};
use crate::report::Target;
use crate::report::scope::PageScope;
use crate::words::report::rules::{METRIC, gate as words};
use crate::workspace::{Entry, Workspace};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Most metrics that are offered.
const MAX_METRICS: usize = 200;

/// The gate that is being made.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct GateView {
    /// The reader's gate as it was written, understood or not; empty: none.
    pub text: String,
    /// Why the text is no gate; empty: it is one.
    pub error: String,
    /// The reader's gate, part by part; `None` while the evaluations' own rules decide.
    pub root: Option<GatePart>,
    /// Metrics that it can look at, beside the cases' own score.
    pub metrics: Vec<String>,
    /// Evaluations of the target that the user's gate does not fit, because a metric is missing.
    pub unfit: Vec<String>,
}

/// A part of a gate with its controls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GatePart {
    /// What it is and what it says, in reading order.
    pub controls: Vec<GateControl>,
    /// What it gives just now.
    pub result: Option<GateLine>,
    /// What takes it out.
    pub remove: GateControl,
    /// The metrics of a weighted mean.
    pub rows: Vec<GateRow>,
    /// The parts of a logical rule.
    pub parts: Vec<Self>,
    /// What adds a row or a part.
    pub add: Option<GateControl>,
}

/// A metric of a weighted mean.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GateRow {
    /// The metric and its weight.
    pub controls: Vec<GateControl>,
    /// What it gives just now.
    pub result: Option<GateLine>,
    /// What takes it out.
    pub remove: GateControl,
}

/// One control of a gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateControl {
    /// What it changes.
    pub edit: GateEdit,
    /// What it is called.
    pub label: String,
    /// What is chosen or typed.
    pub value: String,
    /// How that is done.
    pub kind: GateControlKind,
}

/// How a control is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum GateControlKind {
    /// A choice among words.
    Choice(Vec<String>),
    /// A number is typed.
    Number,
    /// It is pressed.
    Button,
}

impl GateView {
    /// What begins a gate.
    pub fn begin() -> GateControl {
        GatePartPosition::ROOT.button(GateChange::Begin, words::BEGIN)
    }

    /// Every control that is there.
    pub fn controls(&self) -> Vec<GateControl> {
        match &self.root {
            None => vec![Self::begin()],
            Some(root) => root.all_controls(),
        }
    }
}

impl GatePart {
    /// The part that `path` leads to: the number of a part on each level.
    pub fn at(&self, path: &[usize]) -> Option<&Self> {
        match path.split_first() {
            None => Some(self),
            Some((first, rest)) => self.parts.get(*first)?.at(rest),
        }
    }

    /// The control for `edit` in this part itself.
    pub fn control(&self, change: GateChange) -> Option<&GateControl> {
        let rows = self.rows.iter().flat_map(|row| row.controls.iter().chain([&row.remove]));
        let own = self.controls.iter().chain([&self.remove]).chain(&self.add);
        own.chain(rows).find(|control| control.edit.change == change)
    }

    fn all_controls(&self) -> Vec<GateControl> {
        let mut all = self.controls.clone();
        all.push(self.remove.clone());
        for row in &self.rows {
            all.extend(row.controls.iter().chain([&row.remove]).cloned());
        }
        all.extend(self.parts.iter().flat_map(Self::all_controls));
        all.extend(self.add.clone());
        all
    }
}

/// The text of the user's gate after `edit` to what was chosen or typed; empty when nothing is left of it.
/// `None` when `target` is not there, or there is no gate to change.
pub fn edit_gate(
    workspace: &Workspace,
    target: Target,
    edit: &GateEdit,
    value: &str,
) -> Option<String> {
    let scope = PageScope::new(workspace, target)?;
    let form = match edit.change {
        GateChange::Begin => Some(scope.declared_gate().unwrap_or_else(fresh)),
        _ => {
            let form = GateForm::of(workspace.settings.gate.as_ref()?)?;
            edit.apply(form, value, &scope.metrics())
        }
    };
    Some(form.map_or(String::new(), |form| form.text()))
}

/// `form` with its controls. `metrics` can be chosen, `lines` are what its parts give.
pub fn gate_part(form: &GateForm, metrics: &[String], lines: &[GateLine]) -> GatePart {
    Drawer { metrics, lines }.part(form, &GatePartPosition::ROOT)
}

/// What all parts are made with.
struct Drawer<'a> {
    metrics: &'a [String],
    lines: &'a [GateLine],
}

/// Where a part stands.
struct GatePartPosition {
    /// The way to it: the number of a part on each level.
    path: Vec<usize>,
    /// Its line in the report.
    line: usize,
}

impl GatePartPosition {
    const ROOT: Self = Self { path: Vec::new(), line: 0 };

    fn control(
        &self,
        change: GateChange,
        label: &str,
        value: &str,
        kind: GateControlKind,
    ) -> GateControl {
        GateControl {
            edit: GateEdit { path: self.path.clone(), change },
            label: label.to_owned(),
            value: value.to_owned(),
            kind,
        }
    }

    /// A choice among `words`; what is none of them stands there too.
    fn choice<'a>(
        &self,
        change: GateChange,
        label: &str,
        words: impl Iterator<Item = &'a str>,
        chosen: &str,
    ) -> GateControl {
        let mut words: Vec<String> = words.map(str::to_owned).collect();
        if !words.iter().any(|word| word == chosen) {
            words.push(chosen.to_owned());
        }
        self.control(change, label, chosen, GateControlKind::Choice(words))
    }

    fn number(&self, change: GateChange, label: &str, text: &str) -> GateControl {
        self.control(change, label, text, GateControlKind::Number)
    }

    fn button(&self, change: GateChange, words: &str) -> GateControl {
        self.control(change, words, "", GateControlKind::Button)
    }
}

impl Drawer<'_> {
    /// A part with its own parts.
    fn part(&self, form: &GateForm, place: &GatePartPosition) -> GatePart {
        let shape = SHAPES.get(shape_of(form)).copied().unwrap_or_default();
        let mut part = GatePart {
            controls: vec![place.choice(
                GateChange::Shape,
                words::KIND_OF_RULE,
                SHAPES.into_iter(),
                shape,
            )],
            result: self.lines.get(place.line).cloned(),
            remove: place.button(GateChange::Remove, words::REMOVE),
            rows: Vec::new(),
            parts: Vec::new(),
            add: None,
        };
        match form {
            GateForm::Condition(one) => self.condition(one, place, &mut part),
            GateForm::Logical { parts, .. } => {
                let mut line = place.line + 1;
                for (idx, inner) in parts.iter().enumerate() {
                    let path = [place.path.as_slice(), &[idx]].concat();
                    part.parts.push(self.part(inner, &GatePartPosition { path, line }));
                    line += n_lines(inner);
                }
                part.add = Some(place.button(GateChange::Add, words::ADD_CONDITION));
            }
        }
        part
    }

    /// The controls of a condition.
    fn condition(&self, condition: &Condition, place: &GatePartPosition, part: &mut GatePart) {
        let Condition { aggregate, threshold, metrics, is_weighted, op, value } = condition;
        part.controls.push(place.choice(
            GateChange::Aggregate,
            words::AGGREGATE,
            AGGREGATES.into_iter(),
            aggregate,
        ));
        if aggregate == "accuracy" {
            part.controls.push(place.number(GateChange::Threshold, words::RIGHT_FROM, threshold));
        }
        if !is_weighted {
            let own = metrics.iter().enumerate();
            part.controls.extend(own.map(|(idx, (name, _))| self.metric(place, idx, name, true)));
        }
        part.controls.push(place.choice(
            GateChange::Op,
            words::OPERATOR,
            OPERATORS.into_iter(),
            op,
        ));
        part.controls.push(place.number(GateChange::Value, words::THRESHOLD, value));
        if *is_weighted {
            let rows = metrics.iter().enumerate();
            part.rows =
                rows.map(|(idx, (name, weight))| self.row(place, idx, name, weight)).collect();
            part.add = Some(place.button(GateChange::Add, words::ADD_METRIC));
        }
    }

    fn row(&self, place: &GatePartPosition, idx: usize, name: &str, weight: &str) -> GateRow {
        GateRow {
            controls: vec![
                self.metric(place, idx, name, false),
                place.number(GateChange::Weight(idx), words::WEIGHT, weight),
            ],
            result: self.lines.get(place.line + 1 + idx).cloned(),
            remove: place.button(GateChange::RemoveMetric(idx), words::REMOVE),
        }
    }

    fn metric(
        &self,
        place: &GatePartPosition,
        idx: usize,
        name: &str,
        has_own: bool,
    ) -> GateControl {
        let known = has_own.then_some(OWN_SCORE).into_iter();
        let known = known.chain(self.metrics.iter().map(String::as_str));
        let label = if has_own { words::METRIC_OR_OWN } else { METRIC };
        place.choice(GateChange::Metric(idx), label, known, name)
    }
}

impl PageScope<'_> {
    /// The reader's gate, for this scope.
    pub(super) fn gate(&self) -> GateView {
        let rule = self.workspace.settings.gate.as_ref();
        let unfit = self
            .parts
            .iter()
            .filter(|(entry, _)| rule.is_some_and(|rule| !knows_metrics(&entry.evaluation, rule)));
        let (text, metrics) = (self.workspace.written("gate").to_owned(), self.metrics());
        let lines = tables::gate_lines(self, rule);
        let form = rule.and_then(GateForm::of);
        let error = Some(text.as_str()).filter(|text| !text.is_empty());
        GateView {
            error: error.and_then(|text| Settings::complaint("gate", text)).unwrap_or_default(),
            root: form.map(|form| gate_part(&form, &metrics, &lines)),
            text,
            metrics,
            unfit: unfit.map(|(entry, _)| entry.evaluation.label.clone()).collect(),
        }
    }

    /// Metrics that a gate can look at: those that the evaluations declare come first.
    pub(super) fn metrics(&self) -> Vec<String> {
        let mut metrics: Vec<String> = Vec::new();
        for (entry, _) in &self.parts {
            for metric in &entry.evaluation.config.metrics {
                if !metrics.contains(metric) {
                    metrics.push(metric.clone());
                }
            }
        }
        let others: BTreeSet<&str> =
            ordered(self.parts.iter().flat_map(|(entry, _)| metric_names(&entry.evaluation)));
        for metric in others {
            if metrics.len() < MAX_METRICS && metrics.iter().all(|known| known != metric) {
                metrics.push(metric.to_owned());
            }
        }
        metrics
    }

    /// The gate of the files, to begin with.
    fn declared_gate(&self) -> Option<GateForm> {
        let declared = |(entry, _): &(&Entry, Vec<usize>)| {
            GateForm::of(&entry.evaluation.config.gate.as_ref()?.rule)
        };
        self.parts.iter().find_map(declared)
    }
}
