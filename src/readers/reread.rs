//! What is read again when somebody asks for it: cases, documents, texts, and where a text occurs.

use super::record_value::raw_of_case;
use super::text_search::matches;
use super::{Bundle, Claimed, Error, Producer, Reader, TextReader};
use crate::model::{CaseDetail, CaseTexts, Config, DocumentDetail, Locator, Run, SourceId};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::rc::Rc;

/// What is to be read again from one bundle, with all that its reader has to know of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Wanted {
    /// The whole records of cases.
    Cases {
        /// How their evaluation was made.
        config: Box<Config>,
        /// Their run, with these cases alone.
        run: Box<Run>,
        /// A raw record of more bytes is left out.
        max_raw_bytes: u64,
    },
    /// The first words of the texts of cases.
    CaseTexts {
        /// How their evaluation was made.
        config: Box<Config>,
        /// Their run, with these cases alone.
        run: Box<Run>,
    },
    /// Documents of a run.
    Documents {
        /// Their run, with these documents alone.
        run: Box<Run>,
    },
    /// The cases of a run whose figures alone are here.
    Run {
        /// Its id in its dataset.
        id: String,
        /// The run without its cases.
        run: Box<Run>,
    },
    /// Texts.
    Texts(Vec<TextPlace>),
    /// In which cases a text occurs.
    Matches {
        /// The text, whatever the size of its letters.
        needle: String,
        /// Where the record of each case lies, and where its partner.
        cases: Vec<[Option<Locator>; 2]>,
    },
}

/// A text of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TextPlace {
    /// The JSON string, or the row of the check whose reason it is.
    pub at: Locator,
    /// How many bytes of the file are to be read at the most; the text may be cut there.
    pub max_bytes: u64,
}

impl TextPlace {
    /// All of the text at `at`.
    pub fn whole(at: Locator) -> Self {
        Self { at, max_bytes: u64::MAX }
    }
}

/// What was read: as many as were wanted, in their order.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Given {
    /// Of cases: each, or why it cannot be read.
    Cases(Vec<Result<CaseDetail, Error>>),
    /// Of cases: their texts; `None`: it cannot be read.
    CaseTexts(Vec<Option<CaseTexts>>),
    /// Of documents: each, or why it cannot be read.
    Documents(Vec<Result<DocumentDetail, Error>>),
    /// A run with its cases.
    Run(RunRead),
    /// Texts; `None`: it cannot be read any more.
    Texts(Vec<Option<String>>),
    /// Whether the text occurs in each case.
    Matches(Vec<bool>),
}

/// A run that was read out of a dataset.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunRead {
    /// The run with its cases.
    pub run: Box<Run>,
    /// Why its checks are missing from some case on.
    pub lost: Option<Error>,
}

impl Wanted {
    /// What a program does that reads it, to be followed by "this file".
    pub fn doing(&self) -> &'static str {
        match self {
            Self::Cases { .. } | Self::CaseTexts { .. } => "reading a case of",
            Self::Documents { .. } => "reading a document of",
            Self::Run { .. } => "reading the cases of a run of",
            Self::Texts(_) => "reading texts of",
            Self::Matches { .. } => "searching",
        }
    }

    /// The sources in which it lies.
    pub fn sources(&self) -> HashSet<SourceId> {
        match self {
            Self::Cases { run, .. } | Self::CaseTexts { run, .. } => {
                let cases = (0..run.cases.len())
                    .flat_map(|idx| [run.cases.locator_of(idx), run.cases.partner_of(idx)]);
                let reasons = (0..run.checks.len()).map(|at| run.checks.reason_of(at));
                cases.chain(reasons).flatten().map(Locator::source).collect()
            }
            Self::Documents { run } => run.documents.iter().map(|one| one.at.source()).collect(),
            Self::Run { run, .. } => run.sources.iter().copied().collect(),
            Self::Texts(places) => places.iter().map(|place| place.at.source()).collect(),
            Self::Matches { cases, .. } => {
                cases.iter().flatten().flatten().map(|place| place.source()).collect()
            }
        }
    }

    /// `bundle`, which is of `producer`, with the files alone that it is read from: those in which it lies, and what a case has
    /// beside them.
    pub fn files_of(&self, producer: Option<&dyn Producer>, bundle: &Bundle) -> Bundle {
        let sources = self.sources();
        let is_own = |claimed: &Claimed| sources.contains(&claimed.file.id);
        let own: Vec<&Rc<Claimed>> = bundle.files.iter().filter(|one| is_own(one)).collect();
        let run = match self {
            Self::Cases { run, .. } | Self::CaseTexts { run, .. } => Some(run),
            _ => None,
        };
        let is_beside = |other: &Claimed| {
            producer.zip(run).is_some_and(|(producer, run)| {
                own.iter().any(|own| producer.is_read_with(other, own, run))
            })
        };
        let files = bundle.files.iter().filter(|one| is_own(one) || is_beside(one));
        Bundle { path: bundle.path.clone(), files: files.cloned().collect() }
    }

    /// The same one by one, where there are several cases or documents: one that cannot be read in one go
    /// with others may be alone in that.
    pub fn singly(&self) -> Vec<Self> {
        match self {
            Self::Cases { config, run, max_raw_bytes } if run.cases.len() > 1 => {
                let only = |run| {
                    let (config, max_raw_bytes) = (config.clone(), *max_raw_bytes);
                    Self::Cases { config, run, max_raw_bytes }
                };
                one_by_one(run).map(only).collect()
            }
            Self::CaseTexts { config, run } if run.cases.len() > 1 => {
                one_by_one(run).map(|run| Self::CaseTexts { config: config.clone(), run }).collect()
            }
            Self::Documents { run } if run.documents.len() > 1 => {
                let only = |idx| Box::new(run.only_documents(&[idx]));
                (0..run.documents.len()).map(|idx| Self::Documents { run: only(idx) }).collect()
            }
            _ => Vec::new(),
        }
    }

    /// What is given where `err` kept all of it from being read.
    ///
    /// # Errors
    /// `err`, where it cannot be said of each.
    pub fn failed(&self, err: Error) -> Result<Given, Error> {
        match self {
            Self::Cases { run, .. } => Ok(Given::Cases(vec![Err(err); run.cases.len()])),
            Self::CaseTexts { run, .. } => Ok(Given::CaseTexts(vec![None; run.cases.len()])),
            Self::Documents { run } => Ok(Given::Documents(vec![Err(err); run.documents.len()])),
            Self::Run { .. } | Self::Texts(_) | Self::Matches { .. } => Err(err),
        }
    }
}

/// The cases of `run`, each as a run of its own.
fn one_by_one(run: &Run) -> impl Iterator<Item = Box<Run>> {
    (0..run.cases.len()).map(|idx| Box::new(run.only(idx..idx + 1)))
}

impl Given {
    /// One after the other, together.
    pub fn joined(all: impl IntoIterator<Item = Self>) -> Option<Self> {
        let mut all = all.into_iter();
        let mut together = all.next()?;
        for next in all {
            match (&mut together, next) {
                (Self::Cases(own), Self::Cases(next)) => own.extend(next),
                (Self::CaseTexts(own), Self::CaseTexts(next)) => own.extend(next),
                (Self::Documents(own), Self::Documents(next)) => own.extend(next),
                (Self::Texts(own), Self::Texts(next)) => own.extend(next),
                (Self::Matches(own), Self::Matches(next)) => own.extend(next),
                _ => return None,
            }
        }
        Some(together)
    }
}

/// Has `reader` read what is wanted, from files of `bundle`.
///
/// # Errors
/// When a file that is searched is gone or damaged.
pub fn read_again(reader: &dyn Reader, bundle: &Bundle, wanted: &Wanted) -> Result<Given, Error> {
    Ok(match wanted {
        Wanted::Cases { config, run, max_raw_bytes } => {
            let detail = |case: Box<Run>| {
                let mut detail = reader.detail(bundle, config, &case)?;
                for raw in &mut detail.raw {
                    match raw.left_out {
                        // A reader leaves out the record of a case where it is large; here it is asked for.
                        Some(n_bytes) if n_bytes <= *max_raw_bytes => {
                            *raw = raw_of_case(bundle, &case, *max_raw_bytes)?;
                        }
                        _ => raw.leave_out_over(*max_raw_bytes),
                    }
                }
                Ok(detail)
            };
            Given::Cases(one_by_one(run).map(detail).collect())
        }
        Wanted::CaseTexts { config, run } => {
            let texts = |case: Box<Run>| {
                let detail = reader.detail(bundle, config, &case).ok()?;
                Some(CaseTexts::of(&case, &detail))
            };
            Given::CaseTexts(one_by_one(run).map(texts).collect())
        }
        Wanted::Documents { run } => {
            let document = |idx| reader.document(bundle, &run.only_documents(&[idx]));
            Given::Documents((0..run.documents.len()).map(document).collect())
        }
        Wanted::Run { id, run } => Given::Run(reader.cases_of_run(bundle, id, run)?),
        Wanted::Texts(places) => {
            let texts = TextReader::new(reader, bundle);
            let text = |place: &TextPlace| texts.text_head(place.at, place.max_bytes);
            Given::Texts(places.iter().map(text).collect())
        }
        Wanted::Matches { needle, cases } => {
            Given::Matches(matches(reader, bundle, needle, cases)?)
        }
    })
}
