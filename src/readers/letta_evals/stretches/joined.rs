//! A large file of rows, put together from its stretches: the same as read in one go.
//!
//! What a row says was read where its stretch was. Here the rows of all stretches pass once more, in the
//! order of the file, and get what depends on those before them: the number of their line, whether their
//! sample comes again, the partner in the suite, the sums.

use crate::input::{InputFile, LineStart, cut_lines, last_line_start, line_end};
use crate::model::{Asked, Locator, NoteKind, Notes, Place, Run, RunBuilder, RunKey};
use crate::readers::letta_evals::ID;
use crate::readers::letta_evals::cases::{
    AGAIN, Again, LettaRows, ReadState, SinkState, no_sample,
};
use crate::readers::letta_evals::grouping::partners::Partners;
use crate::readers::letta_evals::grouping::sums::Sums;
use crate::readers::letta_evals::judging::rules::LettaRules;
use crate::readers::letta_evals::row::GraderNames;
use crate::readers::letta_evals::stretches::in_order::{lines, mixed, moved, order, rename};
use crate::readers::letta_evals::stretches::lines::LineStop;
use crate::readers::letta_evals::stretches::seen_samples::SeenSamples;
use crate::readers::letta_evals::stretches::stretch::{self, LettaStretch};
use crate::readers::{Answers, Context, Error, Stretch};
use futures_util::StreamExt as _;
use serde_json::{Map, Value};
use std::collections::VecDeque;

/// How much is read at once while no row has named a grader.
const HEAD_BYTES: u64 = 256 << 10;

/// What reading by stretches came to.
pub enum JoinOutcome {
    /// The file is to be read in one go.
    Not,
    /// A helper failed: the file is to be read in one go by this program. What is wrong with the file, if
    /// anything, is found then.
    Unhelped,
    /// What there was, how many models the rows name, and how it stood at the last whole line.
    Read(Box<(LettaRows, usize, LineStop)>),
}

/// A file whose stretches are being read.
pub struct JoinedFile<'a> {
    /// Where they end: the last line, which may have no end yet, is not among them.
    end: u64,
    /// How many bytes each has.
    sizes: VecDeque<u64>,
    answers: Answers<'a>,
}

/// Gives the stretches of `file` from `start` on to helpers; `names` are the graders before it. `None`:
/// the file is to be read in one go, or no grader is known yet.
///
/// # Errors
/// When the file cannot be read.
pub fn begin<'a>(
    cx: &Context<'a>,
    rules: &LettaRules,
    names: &GraderNames,
    file: &'a InputFile,
    start: u64,
) -> Result<Option<JoinedFile<'a>>, Error> {
    if cx.helpers.stretch_bytes(file.len()).is_none() {
        return Ok(None);
    }
    let in_file = |err| Error::from(err).in_file(&file.path);
    let end = last_line_start(file).map_err(in_file)?;
    if names.0.is_empty() && start < end {
        return Ok(None);
    }
    let size = |n_left| cx.helpers.line_bytes(n_left);
    let spans = cut_lines(file, start..end, size).map_err(in_file)?;
    let sizes = spans.iter().map(|span| span.end - span.start).collect();
    let stretch = |span| {
        let asked = stretch::ask(span, rules, names)?;
        Ok(Stretch { files: vec![file.clone()], asked })
    };
    let stretches: Result<Vec<_>, Error> = spans.into_iter().map(stretch).collect();
    let answers = cx.helpers.stretches(ID, stretches?, cx.pulse);
    Ok(Some(JoinedFile { end, sizes, answers }))
}

/// Reads `file` by stretches, where that is worth it. `begun`: the stretches that others read already.
///
/// # Errors
/// When the file cannot be read or the work is cancelled.
pub async fn read(
    reading: &mut ReadState<'_>,
    file: &InputFile,
    repeat: u32,
    split: bool,
    notes: &Notes,
    begun: Option<JoinedFile<'_>>,
) -> Result<JoinOutcome, Error> {
    let (cx, rules) = (reading.cx, reading.rules);
    let Some(n_bytes) = cx.helpers.stretch_bytes(file.len()) else { return Ok(JoinOutcome::Not) };
    cx.pulse.set_file(&file.path);
    let in_file = |err| Error::from(err).in_file(&file.path);
    let key = RunKey {
        suite: reading.suite.map(str::to_owned),
        repeat,
        path: file.path.clone(),
        ..RunKey::default()
    };
    let names = std::mem::take(&mut reading.names);
    let mut joined = Joined::new(file, key, reading.partners, names, notes);
    let JoinedFile { end, sizes, mut answers } = match begun {
        Some(begun) => begun,
        None => {
            let end = last_line_start(file).map_err(in_file)?;
            let mut start = 0;
            while joined.names.0.is_empty() && start < end {
                let until = start.saturating_add(HEAD_BYTES.min(n_bytes)).min(end);
                let span = start..line_end(file, until..end).map_err(in_file)?;
                start = span.end;
                let names = joined.names.clone();
                joined.push(stretch::read(file, span, rules, names, cx.pulse).await?)?;
            }
            match begin(cx, rules, &joined.names, file, start)? {
                Some(begun) => begun,
                None => return Ok(JoinOutcome::Unhelped),
            }
        }
    };
    joined.sizes = sizes;
    loop {
        cx.pulse.set_phase("wait for a stretch");
        let Some(answer) = answers.next().await else { break };
        cx.pulse.set_phase("join a stretch");
        match answer.and_then(stretch::answered) {
            Err(err) if !err.is_cancelled() => return Ok(JoinOutcome::Unhelped),
            stretch => joined.push(stretch?)?,
        }
        cx.pulse.breathe().await?;
    }
    cx.pulse.set_phase("finish");
    let names = joined.names.clone();
    let stop = joined.stop(end);
    joined.push(stretch::read(file, end..file.len(), rules, names, cx.pulse).await?)?;
    reading.names = std::mem::take(&mut joined.names);
    joined.finish(split, stop).map(|read| JoinOutcome::Read(Box::new(read)))
}

/// The stretches so far.
struct Joined<'a> {
    file: &'a InputFile,
    /// The key of its runs; only the model is missing.
    key: RunKey,
    partners: Option<&'a Partners>,
    names: GraderNames,
    notes: &'a Notes,
    n_lines: u64,
    /// Bytes of each stretch that is still to come.
    sizes: VecDeque<u64>,
    /// Runs by model, in the order of first appearance.
    builders: Vec<(Option<String>, RunBuilder)>,
    seen: SeenSamples,
    again: Again,
    sums: Sums,
    summary: Option<Map<String, Value>>,
}

impl<'a> Joined<'a> {
    fn new(
        file: &'a InputFile,
        key: RunKey,
        partners: Option<&'a Partners>,
        names: GraderNames,
        notes: &'a Notes,
    ) -> Self {
        Self {
            file,
            key,
            partners,
            names,
            notes,
            n_lines: 0,
            sizes: VecDeque::new(),
            builders: Vec::new(),
            seen: SeenSamples::default(),
            again: Again::default(),
            sums: Sums::default(),
            summary: None,
        }
    }

    /// Puts `stretch` behind those that are here.
    fn push(&mut self, stretch: LettaStretch) -> Result<(), Error> {
        let LettaStretch { mut runs, names, n_without_grade, summary, n_lines, trace, notes } =
            stretch;
        for name in &names.0 {
            self.names.number(name);
        }
        let order = order(&runs);
        let n_bytes_left: u64 = self.sizes.iter().sum();
        let n_bytes = self.sizes.pop_front().unwrap_or_default();
        // Others are taken to be like this one.
        let to_come = |n_here: usize| match n_bytes {
            0 => n_here,
            _ => usize::try_from((n_here as u64).saturating_mul(n_bytes_left) / n_bytes)
                .unwrap_or(n_here),
        };
        self.seen.make_room(self.seen.len() + to_come(order.len()));
        let lines = lines(order.len(), &trace.lines, self.n_lines);
        if self.n_lines > 0 {
            rename(&mut runs, &order, &trace.nameless, &lines);
        }
        let mut partners: Vec<Vec<Option<(Locator, Asked)>>> =
            runs.iter().map(|run| vec![None; run.cases.len()]).collect();
        let mut noted = trace.note_steps.into_iter().zip(notes).peekable();
        let mut note_until = |last_step: u64, joined: &Self| {
            while let Some((_, note)) = noted.next_if(|(step, _)| *step <= last_step) {
                joined.notes.add_counted(moved(note, joined.n_lines));
            }
        };
        for (((byte, run_idx, idx), line), first_step) in
            order.into_iter().zip(lines).zip((0..).step_by(2))
        {
            let Some(run) = runs.get(run_idx) else { continue };
            note_until(first_step, self);
            let place = || Place::Line { line, byte };
            let id = run.cases.id.get(idx).unwrap_or_default();
            let is_numeric = run.cases.is_numeric_id.get(idx) == Some(true);
            let is_again = !self.seen.insert(run.key.subject.as_deref(), is_numeric, id);
            self.again.count(is_again);
            if is_again {
                self.notes.add(&self.file.path, NoteKind::Duplicate, place(), AGAIN);
            }
            self.sums.add_known(
                run.is_attempted(idx),
                run.cases.score.get(idx),
                run.cases.prompt_tokens.get(idx),
                run.cases.duration_secs.get(idx),
            );
            note_until(first_step + 1, self);
            let Some(known) = self.partners else { continue };
            let partner = known.get(is_numeric, id);
            if partner.is_none() {
                let kind = NoteKind::MissingPartner;
                self.notes.add(&self.file.path, kind, place(), no_sample(id));
            }
            if let Some(slot) = partners.get_mut(run_idx).and_then(|own| own.get_mut(idx)) {
                *slot = partner;
            }
        }
        note_until(u64::MAX, self);
        for (mut run, partners) in runs.into_iter().zip(partners) {
            let at = self.builder(run.key.subject.as_deref());
            let Some((_, builder)) = self.builders.get_mut(at) else { continue };
            if let Some((locator, _)) = partners.iter().flatten().next() {
                builder.source(locator.source());
                let (places, asked): (Vec<_>, Vec<_>) =
                    partners.into_iter().map(Option::unzip).unzip();
                let asked: Vec<Asked> = asked.into_iter().map(Option::unwrap_or_default).collect();
                run.cases = run.cases.partnered(&places).with_asked(&asked);
            }
            let n_cases = builder.n_cases() + to_come(run.cases.len());
            builder.make_room(n_cases, builder.n_checks() + to_come(run.checks.len()));
            builder.append(&run)?;
        }
        self.sums.n_without_grade += n_without_grade;
        self.summary = summary.or(self.summary.take());
        self.n_lines += n_lines;
        Ok(())
    }

    /// Number of the builder for rows of `model`.
    fn builder(&mut self, model: Option<&str>) -> usize {
        let known = self.builders.iter().position(|(known, _)| known.as_deref() == model);
        known.unwrap_or_else(|| {
            let key = RunKey { subject: model.map(str::to_owned), ..self.key.clone() };
            let mut builder = RunBuilder::new(key, "");
            builder.source(self.file.id);
            self.builders.push((model.map(str::to_owned), builder));
            self.builders.len() - 1
        })
    }

    fn models(&self) -> impl Iterator<Item = &String> {
        self.builders.iter().filter_map(|(model, _)| model.as_ref())
    }

    /// Where it stands; the next line begins at `offset`. Its rows count by model.
    fn stop(&self, offset: u64) -> LineStop {
        let standing = SinkState {
            split: true,
            models: self.models().cloned().collect(),
            has_nameless: self.builders.iter().any(|(model, _)| model.is_none()),
            n_cases: self.builders.iter().map(|(_, builder)| builder.n_cases()).collect(),
            again: self.again,
            sums: self.sums,
            summary: self.summary.clone(),
        };
        LineStop {
            next_line: LineStart { number: self.n_lines + 1, offset },
            standing,
            names: self.names.clone(),
            notes: self.notes.to_vec(),
        }
    }

    /// The runs, how many models the rows name, and `stop` as it is now that this is known.
    fn finish(
        self,
        split: bool,
        mut stop: LineStop,
    ) -> Result<(LettaRows, usize, LineStop), Error> {
        let n_models = self.models().count();
        let only = self.models().next().cloned();
        let mut runs: Vec<Run> =
            self.builders.into_iter().map(|(_, builder)| builder.finish()).collect();
        if !split && n_models < 2 {
            let standing = &mut stop.standing;
            standing.split = false;
            if !standing.n_cases.is_empty() {
                standing.n_cases = vec![standing.n_cases.iter().sum()];
            }
            if runs.len() > 1 {
                runs = vec![mixed(&runs)];
            }
            runs.iter_mut().for_each(|run| run.key.subject.clone_from(&only));
        }
        let again = Again { n_samples: self.seen.len() as u64, ..self.again };
        let summary = self.summary;
        let rows = LettaRows { earlier: Vec::new(), again, runs, sums: self.sums, summary };
        Ok((rows, n_models, stop))
    }
}

#[cfg(test)]
mod tests;
