//! Datasets of Evalglass (`docs/dataset.md`), opened without their cases.
//!
//! ```text
//! manifest ──> small (tables) ──> evaluation, figures, declared ──> readings with stored figures
//! part (statistics, held) ──> cases of one run, once somebody looks at them
//! ```
//!
//! The small tables give evaluations, runs and every figure. Parts with cases and checks are told by their paths alone and
//! not read; [`Reader::cases_of_run`] reads the row groups of one run. Fixture: `dataset/small`.

mod declared;
mod detail;
mod evaluation;
mod fetched_range;
mod figures;
mod manifest;
mod part;
mod small;
mod tables;

use super::evalglass::WRITING_KEY;
use super::parquet_file::ParquetFile;
use super::{
    Bundle, Claim, Claimed, Context, Error, ErrorKind, Format, KeysOf, Producer, ReadEvaluation,
    Reader, RunRead,
};
use crate::input::{Form, InputFile, LocalFuture, Shape};
use crate::model::{CaseDetail, Config, Run, SourceId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The reader.
pub struct Dataset;

/// What the schema of a dataset begins with; its version follows.
const SCHEMA: &str = "evalglass-dataset/";

/// The version that is read.
const VERSION: &str = "1";

/// Key of the footer of a table that names the schema.
const SCHEMA_KEY: &str = "evalglass.schema";

/// The writing that made the part of a dataset in `file`; `None`: its footer names none.
///
/// # Errors
/// How the footer is damaged.
pub fn writing_of(file: &InputFile) -> Result<Option<String>, Error> {
    Ok(ParquetFile::open(file)?.key(WRITING_KEY).map(str::to_owned))
}

/// The closed list of roles.
mod role {
    pub const MANIFEST: &str = "manifest of a dataset";
    pub const TABLE: &str = "small table of a dataset";
    pub const PART: &str = "part of a dataset";
    pub const RECORD: &str = "record of a dataset";
}

impl Producer for Dataset {
    fn id(&self) -> &'static str {
        "dataset"
    }

    /// Manifest and small tables of each dataset. Parts and records stay out of it: they are not read, and their number
    /// is that of the evaluations. Parts without a manifest make a bundle, which says so.
    fn bundle(&self, files: Vec<Rc<Claimed>>, _keys: &KeysOf<'_>) -> Vec<Bundle> {
        let (mut roots, mut others) = (BTreeMap::<String, Vec<Rc<Claimed>>>::new(), Vec::new());
        for claimed in files {
            match claimed.claim.role {
                role::MANIFEST | role::TABLE => {
                    roots.entry(claimed.file.folder().to_owned()).or_default().push(claimed);
                }
                _ => others.push(claimed),
            }
        }
        for claimed in others {
            let root = root_of(&claimed.file.path).unwrap_or_default();
            let is_known = roots
                .get(root)
                .is_some_and(|own| own.iter().any(|one| one.claim.role != role::PART));
            if claimed.claim.role == role::PART && !is_known {
                roots.entry(root.to_owned()).or_default().push(claimed);
            }
        }
        let bundle = |(root, files): (String, Vec<Rc<Claimed>>)| {
            let first = files.first().map(|claimed| claimed.file.path.clone());
            Bundle { path: if root.is_empty() { first.unwrap_or_default() } else { root }, files }
        };
        roots.into_iter().map(bundle).collect()
    }
}

impl Reader for Dataset {
    fn formats(&self) -> &'static [Format] {
        &[Format {
            files: "manifest.json + *.parquet, cases/, checks/",
            versions: "evalglass-dataset/1",
            what: "evaluations with every figure; cases are read when somebody looks at them",
        }]
    }

    fn sniff(&self, file: &InputFile, shape: &Shape) -> Option<Claim> {
        let claim = |role, why| Some(Claim { role, generation: None, why });
        if shape.form == Form::Parquet {
            let opened = ParquetFile::open(file).ok()?;
            let is_part = opened.key(WRITING_KEY).is_some();
            let is_table = opened.key(SCHEMA_KEY).is_some_and(|schema| schema.starts_with(SCHEMA));
            let role = if is_part { role::PART } else { role::TABLE };
            return claim(role, "the keys of its footer").filter(|_| is_part || is_table);
        }
        if shape.form != Form::Document || !names_schema(&shape.head) {
            return None;
        }
        let is_record = shape.outline.member("writing").is_some();
        claim(if is_record { role::RECORD } else { role::MANIFEST }, "the schema it names")
    }

    fn read<'a>(
        &'a self,
        bundle: &'a Bundle,
        cx: &'a Context<'a>,
    ) -> LocalFuture<'a, Result<Vec<ReadEvaluation>, Error>> {
        Box::pin(evaluation::read(bundle, cx))
    }

    fn cases_of_run(&self, bundle: &Bundle, id: &str, run: &Run) -> Result<RunRead, Error> {
        part::cases_of_run(bundle, id, run)
    }

    fn detail(&self, bundle: &Bundle, _config: &Config, case: &Run) -> Result<CaseDetail, Error> {
        detail::read(self, bundle, case)
    }

    fn row_texts(
        &self,
        file: &InputFile,
        part: usize,
        take: &mut dyn FnMut(u64, &str),
    ) -> Result<bool, Error> {
        ParquetFile::open(file)?.part_texts(part, take)
    }

    fn texts_from_row(&self, file: &InputFile, row: u64) -> Result<Vec<Option<String>>, Error> {
        super::evalglass::reasons(file, row)
    }
}

/// Whether a file is a part of a dataset, by its path: `DIR/cases/producer=P/suite=S/evaluation=E/part-0.parquet`. Reading
/// each of them to know it would be reading the dataset.
pub fn is_part(path: &str) -> bool {
    root_of(path).is_some()
}

/// What such a file is.
pub(super) fn part_claim() -> Claim {
    Claim { role: role::PART, generation: None, why: "its place in a dataset; it is not read yet" }
}

/// The part of `len` bytes at `path`, seen from `manifest`, as a file called `id`; `None`: nobody can be asked for it.
pub fn part_beside(manifest: &InputFile, path: &str, len: u64, id: SourceId) -> Option<Claimed> {
    let data = manifest.data.beside(path, len)?;
    let file = InputFile { id, path: part_path(manifest, path), data };
    Some(Claimed { file, shape: Shape::of_form(Form::Parquet), claim: part_claim() })
}

/// What the part at `path`, seen from `manifest`, is called among the files that are open.
pub fn part_path(manifest: &InputFile, path: &str) -> String {
    match manifest.folder() {
        "" => path.to_owned(),
        folder => format!("{folder}/{path}"),
    }
}

/// The folder of the dataset in which the part `path` lies; `None`: it is no part.
fn root_of(path: &str) -> Option<&str> {
    const STEPS: [&str; 4] = ["evaluation=", "suite=", "producer=", ""];
    let (mut rest, name) = path.rsplit_once('/')?;
    let number = name.strip_prefix("part-")?.strip_suffix(".parquet")?;
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    for start in STEPS {
        let (outer, folder) = rest.rsplit_once('/').unwrap_or(("", rest));
        let is_it = match start {
            "" => matches!(folder, "cases" | "checks"),
            start => folder.starts_with(start),
        };
        if !is_it {
            return None;
        }
        rest = outer;
    }
    Some(rest)
}

/// Whether a part may lie at `path`, seen from its dataset: below `cases` or `checks`, and nowhere else.
fn is_inside(path: &str) -> bool {
    let is_step = |step: &str| !step.is_empty() && step != "." && step != "..";
    path.split('/').all(is_step) && !path.contains('\\') && root_of(path) == Some("")
}

/// Whether JSON begins with a member `schema` that names a dataset.
fn names_schema(head: &[u8]) -> bool {
    let mut rest = head;
    for part in ["{", "\"schema\"", ":", "\""] {
        match rest.trim_ascii_start().strip_prefix(part.as_bytes()) {
            Some(behind) => rest = behind,
            None => return false,
        }
    }
    rest.starts_with(SCHEMA.as_bytes())
}

fn wrong(reason: impl Into<String>) -> Error {
    Error::new(ErrorKind::Format(reason.into()))
}

#[cfg(test)]
mod tests {
    use super::{is_inside, is_part, root_of};

    #[test]
    fn parts_are_told_by_their_place() {
        let part = "a/b/cases/producer=p/suite=s/evaluation=e/part-0.parquet";
        assert_eq!(root_of(part), Some("a/b"));
        assert_eq!(root_of("checks/producer=p/suite=s/evaluation=e/part-12.parquet"), Some(""));
        for other in [
            "part-0.parquet",
            "a/cases/producer=p/suite=s/part-0.parquet",
            "a/cases/producer=p/suite=s/evaluation=e/part-.parquet",
            "a/rows/producer=p/suite=s/evaluation=e/part-0.parquet",
        ] {
            assert!(!is_part(other), "{other}");
        }
    }

    #[test]
    fn a_part_outside_of_its_dataset_is_none() {
        assert!(is_inside("cases/producer=p/suite=s/evaluation=e/part-0.parquet"));
        for outside in [
            "../cases/producer=p/suite=s/evaluation=e/part-0.parquet",
            "/cases/producer=p/suite=s/evaluation=e/part-0.parquet",
            "other/cases/producer=p/suite=s/evaluation=e/part-0.parquet",
            "cases/producer=p/suite=s/evaluation=../part-0.parquet/..",
        ] {
            assert!(!is_inside(outside), "{outside}");
        }
    }
}
