//! One row into one case with its checks.

use super::{AGAIN, RowSink, no_sample};
use crate::input::Record;
use crate::model::{CaseRow, Locator, NoteKind, Outcome, Place};
use crate::readers::answer_hash::answer;
use crate::readers::letta_evals::judging::generation::Generation;
use crate::readers::letta_evals::judging::judged::{RowError, check};
use crate::readers::letta_evals::judging::rules::SINGLE_GRADER;
use crate::readers::letta_evals::row::{Grade, LettaRow};

impl RowSink<'_, '_> {
    /// Takes `row`, which is `record` and begins at byte `offset` of the file.
    pub(super) fn row(
        &mut self,
        mut row: LettaRow<'_>,
        record: &Record<'_>,
        offset: u64,
        place: Place,
    ) {
        let generation = self.reading.rules.generation;
        if generation < Generation::C1 {
            row.add_agent_usage(record.bytes);
        }
        let is_guide = generation == Generation::Guide;
        let has_error = is_guide && row.is_error_in_grade();
        let is_attempted =
            generation.is_attempted(&row) || (has_error && self.reading.rules.counts_errors);
        let own_score = is_guide.then(|| self.own_score(&row, &place));
        if row.grades.is_empty()
            && is_attempted
            && let Some(grade) = row.grade.clone()
        {
            let number = match &self.reading.rules.grade_metric {
                Some(metric) => self.reading.names.number(metric),
                None if self.reading.names.0.is_empty() => self.reading.names.number(SINGLE_GRADER),
                None => 0,
            };
            row.grades.push((number, grade));
        }
        let stand_in = row.id.is_none().then(|| self.places.id(record.number));
        let id = row.id.as_deref().or(stand_in.as_deref()).unwrap_or_default();
        if row.id.is_none() {
            let detail = "a row has no id; its place in the file stands for it";
            self.reading.cx.notes.add(&self.file.path, NoteKind::Assumed, place.clone(), detail);
        }
        let is_again = match &mut self.trace {
            Some(trace) => {
                trace.row(record.number, row.id.is_some(), self.reading.cx.notes);
                false
            }
            None => self.is_again(row.model.as_deref(), row.is_numeric_id, id),
        };
        let builder_idx = self.builder(row.model.as_deref());
        let names = &self.reading.names;
        let rules = self.reading.rules;
        let primary = rules.config.primary_metric.as_deref().unwrap_or_else(|| names.name(0));
        let score_of = |metric: Option<&str>| {
            if let (Some(own), None) = (own_score, metric) {
                return own;
            }
            let metric = metric.unwrap_or(primary);
            let (_, grade) = row.grades.iter().find(|(number, _)| names.name(*number) == metric)?;
            grade.score
        };
        let passed = rules
            .sample
            .as_ref()
            .filter(|_| is_attempted && !has_error)
            .and_then(|rule| rule.passes(&score_of, row.reward));
        let score = score_of(None);
        let outcome = match (is_attempted && !has_error, passed) {
            (false, _) => Outcome::Error,
            (true, Some(true)) => Outcome::Passed,
            (true, Some(false)) => Outcome::Failed,
            (true, None) => Outcome::without_rule(score),
        };
        if is_again {
            self.reading.cx.notes.add(&self.file.path, NoteKind::Duplicate, place.clone(), AGAIN);
        }
        self.sums.add(&row, is_attempted, score);
        if row.is_out_of_range() {
            let detail = "a score lies outside 0–1, the range of letta-evals";
            self.reading.cx.notes.add(&self.file.path, NoteKind::Mismatch, place.clone(), detail);
        }
        let error = RowError::new(&row, record.bytes, outcome, has_error);
        let mut case = CaseRow {
            id: Some(id),
            is_numeric_id: Some(row.is_numeric_id),
            score,
            passed,
            is_attempted: Some(is_attempted),
            duration_secs: row.secs.total,
            target_secs: row.secs.target,
            extraction_secs: row.secs.extraction,
            prompt_tokens: row.tokens.prompt,
            completion_tokens: row.tokens.completion,
            cached_input_tokens: row.tokens.cached_input,
            cache_write_tokens: row.tokens.cache_write,
            reasoning_tokens: row.tokens.reasoning,
            cost_usd: row.cost,
            reward: row.reward,
            answer: row.submission.clone().and_then(|span| answer(record.bytes.get(span)?)),
            error_category: error.category.as_deref(),
            error_type: error.exception.as_deref(),
            error_message: error.message.as_deref(),
            ..CaseRow::default()
        }
        .with_outcome(outcome)
        .with_asked(row.asked)
        .at(Locator::Span { source: self.file.id, offset, len: record.bytes.len() as u64 });
        let mut partner = None;
        if let Some(trace) = &mut self.trace {
            trace.step(self.reading.cx.notes);
        }
        if let Some(partners) = self.reading.partners {
            partner = partners.get(row.is_numeric_id, id);
            match partner {
                Some((locator, asked)) => case = case.joined_with(locator).with_asked(asked),
                None => {
                    let detail = no_sample(id);
                    let notes = self.reading.cx.notes;
                    notes.add(&self.file.path, NoteKind::MissingPartner, place, detail);
                }
            }
        }
        let Some((_, builder)) = self.builders.get_mut(builder_idx) else { return };
        if let Some((locator, _)) = partner {
            builder.source(locator.source());
        }
        builder.case(case);
        for (number, grade) in &row.grades {
            let secs = row.grader_secs.iter().find(|(other, _)| other == number);
            let name = names.name(*number);
            builder.check(check(rules, name, grade, secs.map(|(_, secs)| *secs), |span| {
                (self.file.id, offset + span.0, span.1)
            }));
        }
    }

    /// The score of a sample as the guide defines it: that of its `grade`; without one, that of the
    /// gate's grader or of the only grader.
    fn own_score(&self, row: &LettaRow<'_>, place: &Place) -> Option<f64> {
        if let Some(grade) = &row.grade {
            return grade.score;
        }
        let names = &self.reading.names;
        let wanted =
            self.reading.rules.config.gate.as_ref().and(self.reading.rules.grade_metric.as_deref());
        let of_gate = |(number, _): &&(usize, Grade)| Some(names.name(*number)) == wanted;
        match (row.grades.iter().find(of_gate), row.grades.as_slice()) {
            (Some((_, grade)), _) | (None, [(_, grade)]) => grade.score,
            (None, []) => None,
            (None, _) => {
                let detail = "a sample has several grades and no score of its own, and no gate says \
                    which counts: its score stays unknown";
                self.reading.cx.notes.add(
                    &self.file.path,
                    NoteKind::Assumed,
                    place.clone(),
                    detail,
                );
                None
            }
        }
    }
}
