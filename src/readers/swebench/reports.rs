//! The report of a run, and that of one instance.

use super::groups::last;
use crate::input::json::Cursor;
use crate::input::{Error as InputError, ErrorKind};
use crate::model::{Locator, NoteKind, Place, SourceId};
use crate::readers::record_value::{items, text};
use crate::readers::records::members;
use crate::readers::{Claimed, Context, Error};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

pub(super) const FAIL_TO_PASS: &str = "FAIL_TO_PASS";
pub(super) const PASS_TO_PASS: &str = "PASS_TO_PASS";

/// Lists of ids in a run report, with the field that counts them.
pub(super) const LISTS: [(&str, &str); 8] = [
    ("submitted_ids", "submitted_instances"),
    ("completed_ids", "completed_instances"),
    ("resolved_ids", "resolved_instances"),
    ("unresolved_ids", "unresolved_instances"),
    ("empty_patch_ids", "empty_patch_instances"),
    ("error_ids", "error_instances"),
    ("infra_failure_ids", "infra_failure_instances"),
    ("ambiguous_failure_ids", "ambiguous_failure_instances"),
];

/// What became of an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    Resolved,
    Error,
    Unresolved,
    EmptyPatch,
    Incomplete,
}

impl Status {
    /// Word of the run report.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Resolved => "resolved",
            Self::Error => "error",
            Self::Unresolved => "unresolved",
            Self::EmptyPatch => "empty patch",
            Self::Incomplete => "incomplete",
        }
    }
}

/// The report of a run.
pub(super) struct RunReport {
    /// All of it.
    pub value: Value,
    lists: BTreeMap<&'static str, BTreeSet<String>>,
    /// Where an id stands: offset and length of its JSON string.
    places: BTreeMap<String, (u64, u64)>,
    source: SourceId,
}

impl RunReport {
    /// Reads it. Members that are broken are noted and left out.
    pub(super) fn read(claimed: &Claimed, cx: &Context<'_>) -> Result<Self, Error> {
        let value = members(claimed, &claimed.shape.outline, &[], cx)?;
        let named = || LISTS.iter().map(|(list, _)| *list).chain(["incomplete_ids"]);
        for list in named() {
            let member = claimed.shape.outline.member(list);
            let Some(member) =
                member.filter(|_| value.get(list).is_some_and(|ids| !ids.is_array()))
            else {
                continue;
            };
            let detail = format!("{list} is not a list of ids: none of it is read");
            let place = Place::Byte(member.span.start);
            cx.notes.add(&claimed.file.path, NoteKind::Broken, place, detail);
        }
        let ids = |list| items(&value, list).iter().filter_map(Value::as_str).map(str::to_owned);
        let lists = named().map(|list| (list, ids(list).collect())).collect();
        let mut report = Self { value, lists, places: BTreeMap::new(), source: claimed.file.id };
        // Of a report that is cut off, the list of all ids may not be there.
        let first = ["completed_ids", "resolved_ids", "unresolved_ids"];
        let lists = ["submitted_ids", "error_ids", "empty_patch_ids", "incomplete_ids"];
        for list in first.into_iter().chain(lists) {
            report.find(claimed, list)?;
        }
        Ok(report)
    }

    /// Finds the ids of a list in the file.
    fn find(&mut self, claimed: &Claimed, list: &str) -> Result<(), Error> {
        let Some(member) = claimed.shape.outline.member(list) else { return Ok(()) };
        let bytes = claimed
            .file
            .bytes(member.span.clone())
            .map_err(|err| Error::from(err).in_file(&claimed.file.path))?;
        // What is broken was noted.
        let _ = Cursor::new(&bytes).each_item(|cursor| {
            let span = cursor.skip()?;
            if let Some(id) = Cursor::new(cursor.slice(span.clone())).text()? {
                let offset = member.span.start.saturating_add(span.start as u64);
                self.places.insert(id.into_owned(), (offset, span.len() as u64));
            }
            Ok(())
        });
        Ok(())
    }

    /// Where an instance is named.
    pub(super) fn place_of(&self, id: &str) -> Option<Locator> {
        let (offset, len) = *self.places.get(id)?;
        Some(Locator::Span { source: self.source, offset, len })
    }

    /// Whether a list holds `id`.
    pub(super) fn has(&self, list: &str, id: &str) -> bool {
        self.lists.get(list).is_some_and(|ids| ids.contains(id))
    }

    /// Number of different ids in a list.
    pub(super) fn n_in(&self, list: &str) -> usize {
        self.lists.get(list).map_or(0, BTreeSet::len)
    }

    /// The status of an instance: its lists overlap, and the first of these counts.
    pub(super) fn status(&self, id: &str) -> Option<Status> {
        [
            ("resolved_ids", Status::Resolved),
            ("error_ids", Status::Error),
            ("unresolved_ids", Status::Unresolved),
            ("empty_patch_ids", Status::EmptyPatch),
            ("incomplete_ids", Status::Incomplete),
        ]
        .into_iter()
        .find_map(|(list, status)| self.has(list, id).then_some(status))
    }

    /// Why an instance may have failed for no fault of the model.
    pub(super) fn reason(&self, id: &str) -> Option<&str> {
        text(self.value.get("failure_reasons")?, id)
    }

    /// Every id in some list.
    pub(super) fn ids(&self) -> impl Iterator<Item = &String> {
        self.lists.values().flatten()
    }
}

/// The report of one instance, without the names of tests.
#[derive(Debug, Default)]
pub(super) struct SwebenchInstance {
    pub id: String,
    pub resolved: Option<bool>,
    /// Passed and all tests that failed before and have to pass; `None` without a status of tests.
    pub fail_to_pass: Option<(u64, u64)>,
    /// The same of tests that passed before.
    pub pass_to_pass: Option<(u64, u64)>,
    pub infra_failure: bool,
    pub reason: Option<String>,
    pub patch_is_applied: Option<bool>,
    /// Why the report says nothing: it is empty or broken.
    pub damage: Option<String>,
    pub at: Option<Locator>,
    /// Whether there is nothing in it.
    pub is_blank: bool,
    pub file: String,
}

impl SwebenchInstance {
    /// Reads it. One that is empty or broken says so, since the original counts it as an error.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(super) fn read(claimed: &Claimed, cx: &Context<'_>) -> Result<Self, Error> {
        let file = &claimed.file;
        let in_file = |err: InputError| Error::from(err).in_file(&file.path);
        let bytes = file.all_bytes().map_err(in_file)?;
        let len = bytes.len() as u64;
        let mut instance = Self {
            file: file.path.clone(),
            at: Some(Locator::Span { source: file.id, offset: 0, len }),
            ..Self::default()
        };
        let is_blank = bytes.iter().all(u8::is_ascii_whitespace);
        let read = if is_blank { Ok(()) } else { instance.fill(&bytes) };
        if instance.id.is_empty() {
            last(file.folder()).clone_into(&mut instance.id);
        }
        instance.damage = match &read {
            Err(err) => Some(format!("report.json cannot be read: {}", err.reason())),
            Ok(()) if is_blank => Some("report.json is empty".to_owned()),
            Ok(()) if instance.resolved.is_none() => Some("report.json has no resolved".to_owned()),
            Ok(()) => None,
        };
        match read {
            Err(err) => {
                cx.notes.add(&file.path, err.note_kind(), Place::Byte(err.at()), err.to_string())
            }
            Ok(()) if is_blank => {
                let detail =
                    "the report of this instance is empty: SWE-bench counts it as an error";
                cx.notes.add(&file.path, NoteKind::Broken, Place::File, detail);
            }
            Ok(()) => {}
        }
        instance.is_blank = is_blank;
        if instance.damage.is_some() {
            instance.resolved = None;
        }
        Ok(instance)
    }

    fn fill(&mut self, bytes: &[u8]) -> Result<(), InputError> {
        let mut cursor = Cursor::new(bytes);
        cursor.each_field(|key, cursor| {
            if !self.id.is_empty() {
                return cursor.skip().map(|_| ());
            }
            key.clone_into(&mut self.id);
            cursor.each_field(|key, cursor| {
                match key {
                    "resolved" => self.resolved = cursor.bool()?,
                    "patch_successfully_applied" => self.patch_is_applied = cursor.bool()?,
                    "infra_failure" => self.infra_failure = cursor.bool()? == Some(true),
                    "infra_failure_reason" => {
                        self.reason = cursor.text()?.map(std::borrow::Cow::into_owned);
                    }
                    "tests_status" => self.tests(cursor)?,
                    _ => {
                        cursor.skip()?;
                    }
                }
                Ok(())
            })?;
            Ok(())
        })?;
        if self.id.is_empty() {
            return Err(InputError::new(ErrorKind::Format("the report names no instance"), 0));
        }
        Ok(())
    }

    fn tests(&mut self, cursor: &mut Cursor<'_>) -> Result<(), InputError> {
        cursor.each_field(|key, cursor| {
            let slot = match key {
                FAIL_TO_PASS => &mut self.fail_to_pass,
                PASS_TO_PASS => &mut self.pass_to_pass,
                _ => return cursor.skip().map(|_| ()),
            };
            let (mut n_passed, mut n_failed) = (0_u64, 0_u64);
            let is_object = cursor.each_field(|key, cursor| {
                let count = match key {
                    "success" => &mut n_passed,
                    "failure" => &mut n_failed,
                    _ => return cursor.skip().map(|_| ()),
                };
                cursor.each_item(|cursor| {
                    *count += 1;
                    cursor.skip().map(|_| ())
                })?;
                Ok(())
            })?;
            *slot = is_object.then_some((n_passed, n_passed + n_failed));
            Ok(())
        })?;
        Ok(())
    }

    /// What the original counts it as.
    pub(super) fn status(&self) -> Status {
        match self.resolved {
            Some(true) => Status::Resolved,
            Some(false) => Status::Unresolved,
            None => Status::Error,
        }
    }

    /// Whether the tests say that it is resolved; `None` without a status of tests.
    pub(super) fn is_resolved_by_tests(&self) -> Option<bool> {
        let all = |(n_passed, n_tests): (u64, u64)| n_passed == n_tests;
        Some(all(self.fail_to_pass?) && all(self.pass_to_pass?))
    }
}

/// Share of tests that pass as SWE-bench counts it: of none it is 1.
#[expect(clippy::cast_precision_loss, reason = "counts of tests stay far below 2^53")]
pub(super) fn share((n_passed, n_tests): (u64, u64)) -> f64 {
    if n_tests == 0 { 1.0 } else { n_passed as f64 / n_tests as f64 }
}
