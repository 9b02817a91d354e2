//! Figures that a file states about its own totals, each beside what its cases give by the tool's formula.

use super::unchecked_claims::stated;
use crate::model::{Declared, DeclaredValue, Figure, Known, Scope};
use serde_json::Value;
use std::borrow::Cow;
use std::rc::Rc;

/// Collects the figures of one file.
pub(super) struct DeclaredFigures {
    file: Rc<str>,
    declared: Vec<Declared>,
}

impl DeclaredFigures {
    /// Of the file at `path`.
    pub(super) fn in_file(path: &str) -> Self {
        Self { file: path.into(), declared: Vec::new() }
    }

    /// The figure at `field`, where the file says `value`; `ours` is the same by the tool's formula, made of
    /// what `at` names: `mean of 8 scored samples`. A figure that says nothing is passed over.
    pub(super) fn number(
        &mut self,
        scope: &Scope,
        field: impl Into<String>,
        value: Option<&Value>,
        ours: Option<f64>,
        at: impl Into<Cow<'static, str>>,
    ) {
        let ours = ours.map_or(DeclaredValue::Null, DeclaredValue::Number);
        self.found(scope, field, value, ours, at);
    }

    /// The same for a count.
    pub(super) fn count(
        &mut self,
        scope: &Scope,
        field: impl Into<String>,
        value: Option<&Value>,
        ours: usize,
        at: impl Into<Cow<'static, str>>,
    ) {
        #[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
        self.number(scope, field, value, Some(ours as f64), at);
    }

    /// The same for any value.
    pub(super) fn found(
        &mut self,
        scope: &Scope,
        field: impl Into<String>,
        value: Option<&Value>,
        ours: DeclaredValue,
        at: impl Into<Cow<'static, str>>,
    ) {
        let figure = Figure::Found { value: ours, at: at.into() };
        self.figure(scope, field, value, figure);
    }

    /// The same for a figure that Evalglass computes on its pages.
    pub(super) fn figure(
        &mut self,
        scope: &Scope,
        field: impl Into<String>,
        value: Option<&Value>,
        figure: Figure,
    ) {
        if let Some(value) = value.and_then(stated) {
            self.declared.push(Declared::new(
                scope.clone(),
                &self.file,
                field.into(),
                figure,
                value,
            ));
        }
    }

    /// Says why the figure that was added last is expected to differ: the tool's own rule gives `original`.
    pub(super) fn known(&mut self, why: &'static str, original: Option<f64>) {
        if let Some(last) = self.declared.last_mut() {
            let original = original.map(DeclaredValue::Number);
            last.known = Some(Known { why: why.into(), original });
        }
    }

    /// The figures so far.
    pub(super) fn declared(&self) -> &[Declared] {
        &self.declared
    }

    /// Name of the file.
    pub(super) fn file(&self) -> &Rc<str> {
        &self.file
    }

    /// All of them.
    pub(super) fn into_vec(self) -> Vec<Declared> {
        self.declared
    }
}
