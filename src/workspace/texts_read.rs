//! What was read of the files for an answer that is being made, and what it lacks: nothing here reads a
//! file.
//!
//! ```text
//! a page asks for a text ──> it is here: shown
//!                        └─> it is not: noted as missing ── orders ──> read by others ── keep ──> asked again
//! ```

use super::{RunRef, Workspace};
use crate::model::{CaseDetail, CaseTexts, DocumentDetail};
use crate::readers::{self, Bundle, Error, Given, Producer, TextPlace, Wanted};
use std::collections::HashMap;
use std::mem::take;

/// Cases that are read in one go, at the most.
const MAX_CASES: usize = 64;

/// Longer raw records are not brought along when a case is looked at: few open them, and a sample of an agent can have 100 MB.
const MAX_RAW_BYTES: u64 = 1 << 20;

/// Something that lies in the files of an evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Need {
    /// The record of a case: run, row in the run.
    Case(RunRef, u32),
    /// The same without long raw records: run, row in the run.
    CasePage(RunRef, u32),
    /// The first words of the texts of a case: run, row in the run.
    CaseTexts(RunRef, u32),
    /// A document of a run, by its place.
    Document(RunRef, u32),
    /// A text of a file of the evaluation with this number.
    Text(u32, TextPlace),
}

/// Things that are read together, of one evaluation's files.
pub struct SupplyRequest {
    /// Whose files they are.
    pub producer: &'static dyn Producer,
    /// The files in which they lie.
    pub bundle: Bundle,
    /// What is to be read.
    pub wanted: Wanted,
    needs: Vec<Need>,
}

/// What was read, until it is used or forgotten.
#[derive(Default)]
pub struct Supply {
    cases: HashMap<(RunRef, u32), Result<CaseDetail, Error>>,
    case_pages: HashMap<(RunRef, u32), Result<CaseDetail, Error>>,
    case_texts: HashMap<(RunRef, u32), Option<CaseTexts>>,
    documents: HashMap<(RunRef, u32), Result<DocumentDetail, Error>>,
    texts: HashMap<(u32, TextPlace), Option<String>>,
    missing: Vec<Need>,
}

impl Supply {
    /// Keeps what `order` gave.
    pub fn keep(&mut self, order: &SupplyRequest, given: Given) {
        let needs = order.needs.iter().copied();
        match given {
            Given::Cases(cases) => {
                for (need, case) in needs.zip(cases) {
                    match need {
                        Need::Case(run, idx) => self.cases.insert((run, idx), case),
                        Need::CasePage(run, idx) => self.case_pages.insert((run, idx), case),
                        _ => None,
                    };
                }
            }
            Given::CaseTexts(all) => {
                for (need, texts) in needs.zip(all) {
                    if let Need::CaseTexts(run, idx) = need {
                        self.case_texts.insert((run, idx), texts);
                    }
                }
            }
            Given::Documents(documents) => {
                for (need, document) in needs.zip(documents) {
                    if let Need::Document(run, place) = need {
                        self.documents.insert((run, place), document);
                    }
                }
            }
            Given::Texts(texts) => {
                for (need, text) in needs.zip(texts) {
                    if let Need::Text(entry, place) = need {
                        self.texts.insert((entry, place), text);
                    }
                }
            }
            Given::Run(_) | Given::Matches(_) => {}
        }
    }
}

impl Workspace {
    /// The record of case `idx` of `run`, once: it is not kept any longer.
    ///
    /// # Errors
    /// When it cannot be read, or is missing.
    pub fn detail(&self, run: RunRef, idx: u32) -> Result<CaseDetail, Error> {
        let mut supply = self.supply.borrow_mut();
        supply.cases.remove(&(run, idx)).unwrap_or_else(|| Err(supply.lacks(Need::Case(run, idx))))
    }

    /// The same without raw records of more than a megabyte, whose sizes stand in their places.
    ///
    /// # Errors
    /// As above.
    pub fn case_page(&self, run: RunRef, idx: u32) -> Result<CaseDetail, Error> {
        let mut supply = self.supply.borrow_mut();
        let known = supply.case_pages.remove(&(run, idx));
        known.unwrap_or_else(|| Err(supply.lacks(Need::CasePage(run, idx))))
    }

    /// The first words of the texts of case `idx` of `run`; `None`: it cannot be read.
    pub fn case_texts(&self, run: RunRef, idx: u32) -> Option<CaseTexts> {
        let mut supply = self.supply.borrow_mut();
        if let Some(texts) = supply.case_texts.get(&(run, idx)) {
            return texts.clone();
        }
        supply.lacks(Need::CaseTexts(run, idx));
        None
    }

    /// Document `place` of `run`, once: it is not kept any longer.
    ///
    /// # Errors
    /// When it cannot be read, or is missing.
    pub fn document(&self, run: RunRef, place: u32) -> Result<DocumentDetail, Error> {
        let mut supply = self.supply.borrow_mut();
        let known = supply.documents.remove(&(run, place));
        known.unwrap_or_else(|| Err(supply.lacks(Need::Document(run, place))))
    }

    /// A text of a file of the evaluation numbered `entry`; `None`: it cannot be read.
    pub fn text(&self, entry: u32, place: TextPlace) -> Option<String> {
        let mut supply = self.supply.borrow_mut();
        match supply.texts.get(&(entry, place)) {
            Some(text) => text.clone(),
            None => {
                supply.lacks(Need::Text(entry, place));
                None
            }
        }
    }

    /// What was asked for and is not here. If there is any, what was made meanwhile is incomplete.
    pub fn take_missing(&self) -> Vec<Need> {
        take(&mut self.supply.borrow_mut().missing)
    }

    /// Replaces what was read of the files.
    pub fn put_supply(&self, supply: Supply) {
        self.supply.replace(supply);
    }

    /// How `needs` are read: what follows in one run together; `None` when one of them is not loaded.
    pub fn orders(&self, needs: &[Need]) -> Option<Vec<SupplyRequest>> {
        let mut orders = Vec::new();
        let mut rest = needs;
        while let Some(first) = rest.first() {
            let follows = |nth: usize, need: &Need| match (first, need) {
                (Need::Case(run, idx), Need::Case(other, at))
                | (Need::CasePage(run, idx), Need::CasePage(other, at))
                | (Need::CaseTexts(run, idx), Need::CaseTexts(other, at)) => {
                    run == other && *at as usize == *idx as usize + nth && nth < MAX_CASES
                }
                (Need::Document(run, _), Need::Document(other, _)) => run == other,
                (Need::Text(entry, _), Need::Text(other, _)) => entry == other,
                _ => false,
            };
            let n = rest.iter().enumerate().take_while(|(nth, need)| follows(*nth, need)).count();
            let (together, others) = rest.split_at(n.max(1));
            orders.push(self.order(together)?);
            rest = others;
        }
        Some(orders)
    }

    /// How `needs` of one kind and run, cases one after the other, are read; `None`: it is not loaded.
    fn order(&self, needs: &[Need]) -> Option<SupplyRequest> {
        let (entry, wanted) = match *needs.first()? {
            need @ (Need::Case(at, first)
            | Need::CasePage(at, first)
            | Need::CaseTexts(at, first)) => {
                let (entry, run) = self.run(at)?;
                let first = first as usize;
                let cases = first..first + needs.len();
                let run = Box::new((cases.end <= run.cases.len()).then(|| run.only(cases))?);
                let config = Box::new(entry.evaluation.config.clone());
                let wanted = match need {
                    Need::CaseTexts(..) => Wanted::CaseTexts { config, run },
                    Need::CasePage(..) => {
                        Wanted::Cases { config, run, max_raw_bytes: MAX_RAW_BYTES }
                    }
                    _ => Wanted::Cases { config, run, max_raw_bytes: u64::MAX },
                };
                (entry, wanted)
            }
            Need::Document(at, _) => {
                let (entry, run) = self.run(at)?;
                let place = |need: &Need| match need {
                    Need::Document(_, place) => Some(*place as usize),
                    _ => None,
                };
                let places: Vec<usize> = needs.iter().filter_map(place).collect();
                let are_there = places.iter().all(|place| *place < run.documents.len());
                let run = Box::new(are_there.then(|| run.only_documents(&places))?);
                (entry, Wanted::Documents { run })
            }
            Need::Text(entry, _) => {
                let place = |need: &Need| match need {
                    Need::Text(_, place) => Some(*place),
                    _ => None,
                };
                let places = needs.iter().filter_map(place).collect();
                (self.entry(entry)?, Wanted::Texts(places))
            }
        };
        let (producer, bundle) = entry.origin();
        let bundle = wanted.files_of(Some(producer), bundle);
        Some(SupplyRequest { producer, bundle, wanted, needs: needs.to_vec() })
    }
}

impl Supply {
    /// Notes that something is missing, and says so.
    fn lacks(&mut self, need: Need) -> Error {
        self.missing.push(need);
        Error::new(readers::ErrorKind::Gone)
    }
}
