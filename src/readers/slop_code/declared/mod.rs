//! What the files say about their own totals, tied to the figures they are to be compared with.
//!
//! Known differences between code and guide, and known defects, are named with the figure
//! (`formats/slop-code.md` §6). What can be compared with nothing is listed with its reason.
//!
//! ```text
//! groups   evaluation.json of G1          row      checkpoint_results.jsonl ── quality
//! pytest   evaluation.json, report.json   summary  result.json, run_info.yaml
//!          of G2                          agent    inference_result.json
//! ```

mod agent;
mod groups;
mod pytest;
mod quality;
mod row;
mod summary;

pub(super) use agent::{inference, seconds_between};
pub(super) use groups::groups;
pub(super) use pytest::{evaluation, report};
pub(super) use quality::{measured, recorded};
pub(super) use row::{RowOf, orphan, row};
pub(super) use summary::{result, run_info};

use crate::model::{Declared, DeclaredValue, Figure, Kind, Known, NO_RULE, Scope, Unchecked};
use crate::readers::unchecked_claims::{Claims, Part};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::rc::Rc;

/// Kinds with their names in rows.
pub(super) const KINDS: [(Kind, &str); 4] = [
    (Kind::Core, "core"),
    (Kind::Functionality, "functionality"),
    (Kind::Error, "error"),
    (Kind::Regression, "regression"),
];

/// Why a version is not checked.
const VERSION: &str = "a version names what was evaluated and counts nothing";

/// The figures and claims of one or several documents.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct FigureSheet {
    declared: Vec<Declared>,
    claims: Claims,
}

impl FigureSheet {
    /// Takes in what was collected elsewhere; scopes without a run get the number `at`.
    pub(super) fn merge(&mut self, other: Self, at: usize) {
        self.declared.extend(other.declared.into_iter().map(|mut figure| {
            if figure.scope == UNNUMBERED {
                figure.scope = Scope::Run(at);
            }
            figure
        }));
        self.claims.extend(other.claims.into_vec());
    }

    /// The figures, and what cannot be checked.
    pub(super) fn into_parts(self) -> (Vec<Declared>, Vec<Unchecked>) {
        (self.declared, self.claims.into_vec())
    }
}

/// A run that has no number yet.
const UNNUMBERED: Scope = Scope::Run(usize::MAX);

/// One document whose figures are declared: the last step is [`DeclaredDocument::rest`].
struct DeclaredDocument<'a> {
    sheet: &'a mut FigureSheet,
    file: &'a Rc<str>,
    /// What its fields are called after: `checkpoint_results.`.
    prefix: &'static str,
    scope: Scope,
    /// Figures of the sheet before this document.
    n_before: usize,
}

impl<'a> DeclaredDocument<'a> {
    fn new(
        sheet: &'a mut FigureSheet,
        file: &'a Rc<str>,
        prefix: &'static str,
        scope: Scope,
    ) -> Self {
        let n_before = sheet.declared.len();
        Self { sheet, file, prefix, scope, n_before }
    }

    /// States `value`, found at `path`, as `figure`.
    fn put(&mut self, path: &str, value: DeclaredValue, figure: Figure, known: Option<Known>) {
        let field = format!("{}{path}", self.prefix);
        let stated = Declared::new(self.scope.clone(), self.file, field, figure, value);
        self.sheet.declared.push(Declared { known, ..stated });
    }

    /// States `value`, found at `path`, as what stands or follows elsewhere, `at`; lists it when
    /// there is nothing.
    fn found(
        &mut self,
        path: &str,
        value: DeclaredValue,
        elsewhere: Option<DeclaredValue>,
        at: &'static str,
    ) {
        match elsewhere {
            Some(there) => {
                self.put(path, value, Figure::Found { value: there, at: at.into() }, None)
            }
            None => {
                let why = format!("there is nothing to compare it with: {at}");
                self.sheet.claims.add(self.file, path, value, why);
            }
        }
    }

    /// States `secs`, found at `path`, beside the seconds `span` from start to end, which stand `at`.
    /// Fewer are no contradiction: the writer's own clock may stop while it waits.
    fn seconds(&mut self, path: &str, secs: f64, span: Option<f64>, at: &'static str) {
        let value = DeclaredValue::Number(secs);
        let Some(span) = span else { return self.found(path, value, None, at) };
        let known = (0.0..span).contains(&secs).then(|| Known {
            why: "seconds by the writer's own clock: fewer than from start to end, so it did not \
                  run all the time"
                .into(),
            original: Some(value.clone()),
        });
        let figure = Figure::Found { value: DeclaredValue::Number(span), at: at.into() };
        self.put(path, value, figure, known);
    }

    /// Lists a claim that cannot be checked.
    fn unchecked(&mut self, path: &str, value: DeclaredValue, why: &'static str) {
        self.sheet.claims.add(self.file, path, value, why);
    }

    /// Lists every other number and truth value of the document.
    fn rest(self, document: &Value, part: &dyn Fn(&str) -> Part) {
        let FigureSheet { declared, claims } = self.sheet;
        let own = declared.get(self.n_before..).unwrap_or_default();
        claims.walk(self.file, document, self.prefix, own, part);
    }

    /// `pass_counts` and `total_counts`.
    fn counts(&mut self, passed: &[(String, f64)], total: &[(String, f64)]) {
        let mut each = |field: &str, counts: &[(String, f64)], figure: fn(Kind) -> Figure| {
            for (word, count) in counts {
                let (path, value) = (format!("{field}.{word}"), DeclaredValue::Number(*count));
                match Kind::from_text(word) {
                    Some(kind) => self.put(&path, value, figure(kind), None),
                    None => self.unchecked(&path, value, NO_RULE),
                }
            }
        };
        each("pass_counts", passed, Figure::KindPassed);
        each("total_counts", total, Figure::KindTotal);
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
fn count(n: u64) -> DeclaredValue {
    DeclaredValue::Number(n as f64)
}
