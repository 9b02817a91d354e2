//! The report as a whole: its evaluations, then their runs, then the notes.

use super::evaluation::{self, EvaluationDraft, ReportRun};
use super::run::RunHead;
use super::{SCHEMA, VERSION, case, document, note, parquet, role, version};
use crate::input::json::Cursor;
use crate::input::{
    Error as InputError, Form, InputFile, Outline, ValueKind, each_element, outline,
};
use crate::model::{Declared, Figure, NoteKind, Place, RunBuilder, Scope};
use crate::readers::unchecked_claims::Claims;
use crate::readers::{Bundle, Claimed, Context, Error, ErrorKind, ReadEvaluation};
use serde_json::Value;
use std::ops::Range;

/// Reads the report of `bundle`.
pub(super) async fn read(bundle: &Bundle, cx: &Context<'_>) -> Result<Vec<ReadEvaluation>, Error> {
    let Some(claimed) = bundle.files.first() else { return Err(Error::new(ErrorKind::Gone)) };
    let file = &claimed.file;
    if claimed.claim.role == role::NEWER {
        let other = version(file, &claimed.shape).map(|version| format!("{SCHEMA}{version}"));
        let other = other.or_else(|| parquet::schema_of(file)).unwrap_or_default();
        let detail = format!(
            "it is {other:?}, which this page does not know (it knows {SCHEMA}{VERSION}): open it \
             with a newer page"
        );
        return Err(Error::new(ErrorKind::Format(detail)).in_file(&file.path));
    }
    read_report(claimed, cx).await.map_err(|err| err.in_file(&file.path))
}

/// A report that is being read.
pub(super) struct ReportDraft<'a> {
    file: &'a InputFile,
    cx: &'a Context<'a>,
    drafts: Vec<EvaluationDraft>,
    /// The runs in their order, to which cases can be added.
    pub runs: Vec<OpenRun>,
    /// Whether it is said already that the file ends too early.
    is_cut: bool,
}

/// A run that is being read.
pub(super) struct OpenRun {
    /// Place of its evaluation.
    owner: usize,
    /// Its id in the report.
    pub id: String,
    /// What of its evaluation it is.
    pub here: ReportRun,
    /// The run.
    pub builder: RunBuilder,
}

async fn read_report(claimed: &Claimed, cx: &Context<'_>) -> Result<Vec<ReadEvaluation>, Error> {
    let file = &claimed.file;
    let found = match &claimed.shape.outline {
        known if known.member("schema").is_some() => known.clone(),
        _ => outline(file, 0, cx.pulse).await?,
    };
    let mut report = ReportDraft::read(file, &found, cx).await?;
    report.end(&found, claimed.shape.form);
    Ok(report.finish())
}

impl<'a> ReportDraft<'a> {
    /// Reads the report of `file`, whose outline is `found`.
    ///
    /// # Errors
    /// When it holds no evaluation, or the file cannot be read.
    pub(super) async fn read(
        file: &'a InputFile,
        found: &Outline,
        cx: &'a Context<'a>,
    ) -> Result<Self, Error> {
        let mut report = Self { file, cx, drafts: Vec::new(), runs: Vec::new(), is_cut: false };
        let span = |key: &str| {
            let member = found.member(key);
            member
                .filter(|member| member.kind == ValueKind::Array)
                .map(|member| member.span.clone())
        };
        if let Some(span) = span("evaluations") {
            report.evaluations(span).await?;
        }
        if report.drafts.is_empty() {
            let reason = "the report holds no evaluation that can be read";
            return Err(Error::new(ErrorKind::Format(reason.to_owned())));
        }
        if let Some(span) = span("runs") {
            report.runs(span).await?;
        }
        if let Some(span) = span("notes") {
            report.notes(span).await?;
        }
        report.rules(found)?;
        Ok(report)
    }

    /// The evaluations with their runs.
    pub(super) fn finish(mut self) -> Vec<ReadEvaluation> {
        for run in self.runs {
            if let Some(draft) = self.drafts.get_mut(run.owner) {
                draft.runs.push(run.here);
                draft.evaluation.runs.push(run.builder.finish());
            }
        }
        self.drafts.into_iter().map(|draft| finish(draft, self.file)).collect()
    }

    async fn evaluations(&mut self, span: Range<u64>) -> Result<(), Error> {
        let (file, notes) = (self.file, self.cx.notes);
        let drafts = &mut self.drafts;
        let tail = each_element(file, span, self.cx.pulse, &mut |record| {
            match evaluation::read(record, file) {
                Ok(draft) => drafts.push(draft),
                Err(err) => {
                    let detail = format!("an evaluation is left out: {}", err.reason());
                    let place = Place::Byte(record.offset + err.at());
                    notes.add(&file.path, NoteKind::Broken, place, detail);
                }
            }
            Ok(())
        })
        .await?;
        self.cut(tail.cut, "evaluation", None);
        Ok(())
    }

    /// Goes from run to run: a run may be longer than what is held at once.
    async fn runs(&mut self, span: Range<u64>) -> Result<(), Error> {
        let mut at = span.start + 1;
        let mut number = 0;
        while let Some(start) = self.next_item(at, span.end)? {
            let found = outline(self.file, start, self.cx.pulse).await?;
            if found.kind != Some(ValueKind::Object) {
                let reason = found.cut.clone().unwrap_or_else(|| not_an_object(start));
                self.cut(Some((start, number, reason)), "run", None);
                return Ok(());
            }
            self.run(&found, number).await?;
            if let Some(err) = found.cut {
                self.cut(Some((start, number, err)), "run", None);
                return Ok(());
            }
            at = found.span.end;
            number += 1;
        }
        Ok(())
    }

    /// Where the next element of a list starts, from `at` on; `None` at its end.
    fn next_item(&self, at: u64, end: u64) -> Result<Option<u64>, Error> {
        const LOOK: u64 = 256;
        let mut at = at;
        while at < end.min(self.file.len()) {
            let bytes = self.file.bytes(at..end.min(self.file.len()).min(at + LOOK))?;
            let is_between = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',';
            match bytes.iter().position(|byte| !is_between(byte)) {
                Some(n) => {
                    let start = at + n as u64;
                    return Ok((bytes.get(n) != Some(&b']')).then_some(start));
                }
                None => at += bytes.len() as u64,
            }
        }
        Ok(None)
    }

    async fn run(&mut self, found: &Outline, number: u64) -> Result<(), Error> {
        let (file, cx) = (self.file, self.cx);
        let mut damaged = Vec::new();
        let head = RunHead::read(file, found, &mut |member| {
            damaged.push((member.key.clone(), member.span.start));
        })?;
        let owner = self.drafts.iter().position(|draft| draft.id == head.evaluation);
        let Some((owner, draft)) = owner.and_then(|at| Some((at, self.drafts.get_mut(at)?))) else {
            let detail = "a run is left out: the evaluation that it names is not in the report";
            cx.notes.add(&file.path, NoteKind::Broken, Place::Byte(found.span.start), detail);
            return Ok(());
        };
        for (key, at) in damaged {
            let detail = format!("the member {key:?} of a run cannot be read, and is left out");
            draft.notes.add(&file.path, NoteKind::Broken, Place::Byte(at), detail);
        }
        let nth = head.nth.unwrap_or(usize::try_from(number).unwrap_or(usize::MAX));
        let (id, of_cases) = (head.id.clone(), head.of_cases);
        let mut run = head.into_builder(file);
        if let Some(member) = found.member("documents") {
            let notes = &draft.notes;
            each_element(file, member.span.clone(), cx.pulse, &mut |record| {
                match document::name(record, file.id) {
                    Ok(document) => run.documents.push(document),
                    Err(err) => {
                        let detail = format!("a document is left out: {}", err.reason());
                        let place = Place::Byte(record.offset + err.at());
                        notes.add(&file.path, NoteKind::Broken, place, detail);
                    }
                }
                Ok(())
            })
            .await?;
        }
        let mut cut = None;
        if let Some(cases) = found.member("cases") {
            let notes = &draft.notes;
            let tail = each_element(file, cases.span.clone(), cx.pulse, &mut |record| {
                match case::add(&mut run, record, file.id) {
                    Ok(true) => {}
                    Ok(false) => {
                        let detail =
                            "the outcome of a case is not known, so the case counts as unscored";
                        let place = Place::Byte(record.offset);
                        notes.add(&file.path, NoteKind::Unknown, place, detail);
                    }
                    Err(err) => {
                        let detail = format!("a case is left out: {}", err.reason());
                        let place = Place::Byte(record.offset + err.at());
                        notes.add(&file.path, NoteKind::Broken, place, detail);
                    }
                }
                Ok(())
            })
            .await?;
            cut = tail.cut;
        }
        let here = ReportRun { nth, is_whole: of_cases.is_none(), is_in_order: true };
        self.runs.push(OpenRun { owner, id, here, builder: run });
        self.cut(cut, "case", Some(owner));
        Ok(())
    }

    async fn notes(&mut self, span: Range<u64>) -> Result<(), Error> {
        let (file, cx) = (self.file, self.cx);
        let drafts = &self.drafts;
        let tail = each_element(file, span, cx.pulse, &mut |record| {
            match note::read(record) {
                Ok((of, note)) => {
                    let draft = of.and_then(|id| drafts.iter().find(|draft| draft.id == id));
                    draft.map_or(cx.notes, |draft| &draft.notes).extend([note]);
                }
                Err(err) => {
                    let detail = format!("a note is left out: {}", err.reason());
                    let place = Place::Byte(record.offset + err.at());
                    cx.notes.add(&file.path, NoteKind::Broken, place, detail);
                }
            }
            Ok(())
        })
        .await?;
        self.cut(tail.cut, "note", None);
        Ok(())
    }

    /// Notes that a list ends too early, once; `owner`: the evaluation that loses by it.
    fn cut(&mut self, cut: Option<(u64, u64, InputError)>, what: &str, owner: Option<usize>) {
        let Some((offset, index, err)) = cut.filter(|_| !self.is_cut) else { return };
        self.is_cut = true;
        let is_end = err.at() >= self.file.len();
        let (kind, how) = if is_end {
            (NoteKind::Truncated, "is cut off")
        } else {
            (NoteKind::Broken, "and what follows cannot be read")
        };
        let (nth, reason, at) = (index + 1, err.reason(), err.at());
        let detail =
            format!("{what} {nth} {how}, what stands before is kept: {reason} at byte {at}");
        let own = owner.and_then(|at| self.drafts.get(at)).map(|draft| &draft.notes);
        own.unwrap_or(self.cx.notes).add(&self.file.path, kind, Place::Byte(offset), detail);
    }

    /// Notes under which rules the report was made, when they were not the producers'.
    fn rules(&self, found: &Outline) -> Result<(), Error> {
        let Some(member) = found.member("settings") else { return Ok(()) };
        let bytes = self.file.bytes(member.span.clone())?;
        let settings = Cursor::new(&bytes).tree().unwrap_or_default();
        let changes = settings.get("changes").and_then(Value::as_array);
        let changes: Vec<&str> = changes.into_iter().flatten().filter_map(Value::as_str).collect();
        if !changes.is_empty() {
            let detail = format!(
                "the report was made with changed rules ({}); the figures here use the rules of its \
                 producers",
                changes.join("; ")
            );
            let place = Place::Field("settings".to_owned());
            self.cx.notes.add(&self.file.path, NoteKind::Assumed, place, detail);
        }
        Ok(())
    }

    /// Notes what is wrong with the file behind its lists.
    fn end(&mut self, found: &Outline, form: Form) {
        if let Some(err) = found.cut.clone() {
            let n_members = found.members.len() as u64;
            self.cut(Some((err.at(), n_members.saturating_sub(1), err)), "member", None);
        } else if form == Form::Lines {
            let detail = "something follows the report: only the first one of a file is read";
            let place = Place::Byte(found.span.end);
            self.cx.notes.add(&self.file.path, NoteKind::Broken, place, detail);
        }
    }
}

fn not_an_object(at: u64) -> InputError {
    InputError::new(crate::input::ErrorKind::Format("it is not an object"), at)
}

/// The evaluation of a draft. What a part of it cannot be compared with is not compared.
fn finish(draft: EvaluationDraft, file: &InputFile) -> ReadEvaluation {
    let EvaluationDraft { mut evaluation, runs, holds, notes, .. } = draft;
    if let Some([n_cases, of]) = holds {
        let detail = format!("the report holds {n_cases} of {of} cases; the figures are of these");
        notes.add(&file.path, NoteKind::Assumed, Place::File, detail);
    }
    let why = "the report does not hold all the cases that it is about";
    let mut claims = Claims::default();
    claims.extend(std::mem::take(&mut evaluation.unchecked));
    let mut declared = Vec::with_capacity(evaluation.declared.len());
    for one in std::mem::take(&mut evaluation.declared) {
        let mut is_in_order = true;
        let (scope, is_whole) = match &one.scope {
            Scope::Run(of) => {
                let here = runs.iter().position(|here| here.nth == *of);
                let run = here.and_then(|here| runs.get(here));
                is_in_order &= run.is_none_or(|run| run.is_in_order);
                (Scope::Run(here.unwrap_or(*of)), run.is_some_and(|run| run.is_whole))
            }
            scope => (scope.clone(), holds.is_none()),
        };
        let is_of_case =
            matches!(one.figure, Figure::CaseScore { .. } | Figure::CaseOutcome { .. });
        if is_of_case && !is_in_order {
            let why = "the cases are in the order of a view, but the figure names its case by row";
            claims.add(&one.file, &general(&one.field), one.value, why);
            continue;
        }
        // What was read elsewhere in the files needs no case.
        if is_whole || (holds.is_none() && matches!(one.figure, Figure::Found { .. })) {
            declared.push(Declared { scope, ..one });
        } else {
            claims.add(&one.file, &general(&one.field), one.value, why);
        }
    }
    evaluation.declared = declared;
    evaluation.unchecked = claims.into_vec();
    ReadEvaluation { evaluation, notes: Some(notes.into_vec()), stored: None }
}

/// `field` with `[]` for any place in a list.
fn general(field: &str) -> String {
    let mut parts = field.split('[');
    let mut general = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        general.push('[');
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        general.push_str(if rest.starts_with(']') { rest } else { part });
    }
    general
}

#[cfg(test)]
mod tests {
    use super::general;

    #[test]
    fn places_in_lists_are_any_place() {
        let fields = ["a[3].b[12]", "a[].b", "total", "groups[x]", "a["];
        assert_eq!(fields.map(general), ["a[].b[]", "a[].b", "total", "groups[x]", "a["]);
    }
}
