//! A run of the report, without its cases.

use super::fields::{count, number, owned, part};
use crate::input::json::Cursor;
use crate::input::{Error, InputFile, Member, Outline};
use crate::model::{Better, GroupInfo, RunBuilder, RunKey, RunState, RunUsage};

/// The members that are read; the others are its cases, and figures that follow from them.
const KEYS: [&str; 17] = [
    "id",
    "evaluation",
    "label",
    "path",
    "suite",
    "variant",
    "subject",
    "repeat",
    "started_at",
    "duration_secs",
    "run_usage",
    "is_infrastructure_failure",
    "run_state",
    "score_better",
    "declared_groups",
    "files",
    "of_cases",
];

/// What stands before the cases of a run.
#[derive(Default)]
pub(super) struct RunHead {
    /// Id of its evaluation.
    pub evaluation: String,
    /// Which run of its evaluation it is, from 0.
    pub nth: Option<usize>,
    /// How many cases it has, when not all are in the report.
    pub of_cases: Option<u32>,
    /// Its id in the report.
    pub id: String,
    key: RunKey,
    label: String,
    started_at: Option<String>,
    duration_secs: Option<f64>,
    usage: Option<RunUsage>,
    is_infrastructure_failure: Option<bool>,
    state: Option<RunState>,
    score_better: Option<Better>,
    groups: Vec<GroupInfo>,
    files: Vec<String>,
}

impl RunHead {
    /// Reads the members of the run whose outline is `outline`.
    ///
    /// # Errors
    /// When the file cannot be read. A member that is damaged is left out, and its name told to `broken`.
    pub(super) fn read(
        file: &InputFile,
        outline: &Outline,
        broken: &mut dyn FnMut(&Member),
    ) -> Result<Self, Error> {
        let mut head = Self { key: RunKey { repeat: 1, ..RunKey::default() }, ..Self::default() };
        for member in &outline.members {
            if !KEYS.contains(&member.key.as_str()) {
                continue;
            }
            let bytes = file.bytes(member.span.clone())?;
            if head.member(&member.key, &mut Cursor::new(&bytes)).is_err() {
                broken(member);
            }
        }
        let number = head.id.rsplit_once('#').and_then(|(_, number)| number.parse::<usize>().ok());
        head.nth = number.and_then(|number| number.checked_sub(1));
        Ok(head)
    }

    fn member(&mut self, key: &str, cursor: &mut Cursor<'_>) -> Result<(), Error> {
        match key {
            "id" => self.id = owned(cursor)?.unwrap_or_default(),
            "evaluation" => self.evaluation = owned(cursor)?.unwrap_or_default(),
            "label" => self.label = owned(cursor)?.unwrap_or_default(),
            "path" => self.key.path = owned(cursor)?.unwrap_or_default(),
            "suite" => self.key.suite = owned(cursor)?,
            "variant" => self.key.variant = owned(cursor)?,
            "subject" => self.key.subject = owned(cursor)?,
            "repeat" => self.key.repeat = count(cursor)?.unwrap_or(1).max(1),
            "started_at" => self.started_at = owned(cursor)?,
            "duration_secs" => self.duration_secs = number(cursor)?,
            "run_usage" => self.usage = Some(part(cursor)?),
            "is_infrastructure_failure" => self.is_infrastructure_failure = cursor.bool()?,
            "run_state" => self.state = Some(part(cursor)?),
            "score_better" => self.score_better = part(cursor)?,
            "declared_groups" => self.groups = part(cursor)?,
            "files" => self.files = part(cursor)?,
            "of_cases" => self.of_cases = count(cursor)?,
            _ => {}
        }
        Ok(())
    }

    /// The run, to which its cases are added.
    pub(super) fn into_builder(self, file: &InputFile) -> RunBuilder {
        let mut run = RunBuilder::new(self.key, self.label);
        run.started_at = self.started_at;
        run.duration_secs = self.duration_secs;
        run.usage = self.usage;
        run.is_infrastructure_failure = self.is_infrastructure_failure;
        run.state = self.state;
        run.score_better = self.score_better;
        run.origins = self.files;
        run.source(file.id);
        for group in self.groups {
            run.group(group);
        }
        run
    }
}
