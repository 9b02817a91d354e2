//! Where a [`RowSink`] stands after some rows, and a sink that goes on from there.

use super::{Again, ReadState, RowSink};
use crate::input::InputFile;
use crate::model::{CaseRow, CheckRow, Run};
use crate::readers::letta_evals::grouping::sums::Sums;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Where a [`RowSink`] stands. The rows that it had taken are the first ones of its runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SinkState {
    /// Whether rows are told apart by model.
    pub split: bool,
    /// Models that rows name, in the order of first appearance.
    pub models: Vec<String>,
    /// Whether a row names no model.
    pub has_nameless: bool,
    /// By run, how many cases it had.
    pub n_cases: Vec<usize>,
    /// How often samples came again.
    pub again: Again,
    /// Sums of the rows.
    pub sums: Sums,
    /// The last summary among the rows.
    pub summary: Option<Map<String, Value>>,
}

impl SinkState {
    /// Whether the model of every row can be told from the runs, so that a sample that comes again is
    /// recognised: not where one run has rows with a model and rows without.
    pub fn tells_models(&self) -> bool {
        self.split || self.models.is_empty() || (self.models.len() == 1 && !self.has_nameless)
    }
}

impl<'r, 'a> RowSink<'r, 'a> {
    /// One that goes on where another stood when it had taken the first rows of `runs`.
    pub fn resumed(
        reading: &'r mut ReadState<'a>,
        file: &'r InputFile,
        repeat: u32,
        standing: &SinkState,
        runs: &[Run],
    ) -> Self {
        let mut sink = Self::new(reading, file, repeat, standing.split);
        for (run, n_cases) in runs.iter().zip(&standing.n_cases) {
            // A run that was not split got its subject at the end of the file, maybe from a later row.
            let only =
                if standing.split { &run.key.subject } else { &standing.models.first().cloned() };
            let model = only.as_deref();
            let builder_idx = sink.builder(model);
            for idx in 0..*n_cases {
                sink.take_again(run, idx, model, builder_idx);
            }
        }
        let SinkState { models, has_nameless, sums, summary, again, .. } = standing.clone();
        Self { models, has_nameless, sums, summary, again, ..sink }
    }

    /// Where it stands.
    pub fn standing(&self) -> SinkState {
        SinkState {
            split: self.split,
            models: self.models.clone(),
            has_nameless: self.has_nameless,
            n_cases: self.builders.iter().map(|(_, builder)| builder.n_cases()).collect(),
            again: self.again,
            sums: self.sums,
            summary: self.summary.clone(),
        }
    }

    /// Takes case `idx` of `run`, which was read from the file as it was before.
    fn take_again(&mut self, run: &Run, idx: usize, model: Option<&str>, builder_idx: usize) {
        let row = run.cases.row(idx);
        let (is_numeric, id) = (row.is_numeric_id == Some(true), row.id.unwrap_or_default());
        self.seen.insert(model, is_numeric, id);
        let partner = self.reading.partners.and_then(|known| known.get(is_numeric, id));
        let mut case = CaseRow { source: Some(self.file.id.0), ..row };
        let Some((_, builder)) = self.builders.get_mut(builder_idx) else { return };
        if let Some((locator, asked)) = partner {
            case = case.joined_with(locator).with_asked(asked);
            builder.source(locator.source());
        }
        builder.case(case);
        for at in run.checks_of(idx) {
            let check = run.checks.row(at);
            let reason_source = check.reason_source.map(|_| self.file.id.0);
            builder.check(CheckRow { reason_source, ..check });
        }
    }
}
