//! What is read again when somebody looks at it: one case, or one document of a run.

use super::{Bundle, Error, ErrorKind, Reader};
use crate::model::{CaseDetail, Config, DocumentDetail, Run, SourceId};
use serde::{Deserialize, Serialize};

/// What is to be read again, with all that its reader has to know of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Wanted {
    /// A case.
    Case {
        /// How its evaluation was made.
        config: Box<Config>,
        /// Its run, with this case alone.
        case: Box<Run>,
    },
    /// A document.
    Document {
        /// Its run, with this document alone.
        run: Box<Run>,
    },
}

/// What it holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Detail {
    /// The case.
    Case(Box<CaseDetail>),
    /// The document.
    Document(Box<DocumentDetail>),
}

impl Wanted {
    /// What a program does that reads it, to be followed by "this file".
    pub fn doing(&self) -> &'static str {
        match self {
            Self::Case { .. } => "reading a case of",
            Self::Document { .. } => "reading a document of",
        }
    }

    /// The sources in which it lies.
    pub fn sources(&self) -> Vec<SourceId> {
        match self {
            Self::Case { case, .. } => {
                let places = [case.cases.locator_of(0), case.cases.partner_of(0)];
                let reasons = case.checks_of(0).map(|at| case.checks.reason_of(at));
                places.into_iter().chain(reasons).flatten().map(|place| place.source()).collect()
            }
            Self::Document { run } => run.documents.iter().map(|one| one.at.source()).collect(),
        }
    }

    /// `bundle` with the files alone in which it lies.
    pub fn files_of(&self, bundle: &Bundle) -> Bundle {
        let sources = self.sources();
        let is_of_it = |id: SourceId| sources.contains(&id);
        let files = bundle.files.iter().filter(|claimed| is_of_it(claimed.file.id));
        Bundle { path: bundle.path.clone(), files: files.cloned().collect() }
    }
}

/// Has `reader` read what is wanted, from files of `bundle`.
///
/// # Errors
/// When a file is gone, or no longer holds it.
pub fn read_again(reader: &dyn Reader, bundle: &Bundle, wanted: &Wanted) -> Result<Detail, Error> {
    match wanted {
        Wanted::Case { config, case } => {
            reader.detail(bundle, config, case).map(|detail| Detail::Case(Box::new(detail)))
        }
        Wanted::Document { run } => {
            reader.document(bundle, run).map(|detail| Detail::Document(Box::new(detail)))
        }
    }
}

impl Detail {
    /// The case, if it is one.
    ///
    /// # Errors
    /// When it is a document.
    pub fn case(self) -> Result<CaseDetail, Error> {
        match self {
            Self::Case(detail) => Ok(*detail),
            Self::Document(_) => Err(Error::new(ErrorKind::Gone)),
        }
    }

    /// The document, if it is one.
    ///
    /// # Errors
    /// When it is a case.
    pub fn document(self) -> Result<DocumentDetail, Error> {
        match self {
            Self::Document(detail) => Ok(*detail),
            Self::Case(_) => Err(Error::new(ErrorKind::Gone)),
        }
    }
}
