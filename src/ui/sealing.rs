//! The dialog that saves a sealed report: what its form says, and how far it has come.

use crate::worker::protocol::{SealComplaint, SealOffer, SealSummary, SealWishes};

/// The dialog.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SealDialog {
    /// What can be sealed; `None` until the worker has said so.
    pub offer: Option<SealOffer>,
    /// What the form says.
    pub wishes: SealWishes,
    /// How far it has come.
    pub stage: Stage,
}

/// How far the dialog has come.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Stage {
    /// Nothing is prepared.
    #[default]
    Open,
    /// It is being prepared.
    Busy,
    /// It can be saved.
    Ready(SealSummary),
    /// It was prepared, but the form says something else now.
    Stale(SealSummary),
    /// Patterns are none.
    Refused(Vec<SealComplaint>),
    /// It cannot be prepared or saved, and why.
    Failed(String),
}

impl SealDialog {
    /// Opens for `offer`. What was chosen for the same before is still there.
    pub fn begin(&mut self, offer: SealOffer) {
        if self.offer.as_ref() != Some(&offer) {
            self.wishes.is_view = offer.selected.is_some();
            self.offer = Some(offer);
        }
        self.stage = Stage::Open;
    }

    /// Changes what the form says: what was prepared holds no more.
    pub fn change(&mut self, change: impl FnOnce(&mut SealWishes)) {
        change(&mut self.wishes);
        self.stage = match std::mem::take(&mut self.stage) {
            Stage::Ready(summary) => Stage::Stale(summary),
            stage => stage,
        };
    }

    /// Whether raw records can be asked for: they hold details and transcripts.
    pub fn can_have_raw(&self) -> bool {
        self.wishes.details && self.wishes.transcripts
    }

    /// What is asked for, of a page of `n_page` bytes that may be a sealed report itself, which lacks `before`.
    pub fn asked(&self, n_page: u64, made: String, before: String) -> SealWishes {
        let raw = self.wishes.raw && self.can_have_raw();
        SealWishes { raw, n_page, made, before, ..self.wishes.clone() }
    }

    /// What came of preparing what was `asked`.
    pub fn prepared(&mut self, asked: &SealWishes, found: Result<SealSummary, Vec<SealComplaint>>) {
        let now = self.asked(asked.n_page, asked.made.clone(), asked.before.clone());
        self.stage = match found {
            Ok(summary) if now == *asked => Stage::Ready(summary),
            Ok(summary) => Stage::Stale(summary),
            Err(complaints) => Stage::Refused(complaints),
        };
    }

    /// What was prepared, and whether it is still what the form says.
    pub fn summary(&self) -> Option<(&SealSummary, bool)> {
        match &self.stage {
            Stage::Ready(summary) => Some((summary, true)),
            Stage::Stale(summary) => Some((summary, false)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(selected: Option<&str>) -> SealOffer {
        SealOffer { selected: selected.map(str::to_owned), ..SealOffer::default() }
    }

    #[test]
    fn what_is_selected_is_sealed_unless_somebody_wants_everything() {
        let mut dialog = SealDialog::default();
        dialog.begin(offer(Some("one")));
        assert!(dialog.wishes.is_view);
        dialog.change(|wishes| {
            wishes.is_view = false;
            "key".clone_into(&mut wishes.fields);
        });
        dialog.begin(offer(Some("one")));
        assert!(!dialog.wishes.is_view, "what was chosen for the same is still there");
        dialog.begin(offer(Some("two")));
        assert!(dialog.wishes.is_view && dialog.wishes.fields == "key");
        dialog.begin(offer(None));
        assert!(!dialog.wishes.is_view, "there is nothing selected");
    }

    #[test]
    fn records_go_with_details_and_transcripts() {
        let mut dialog = SealDialog::default();
        assert!(dialog.can_have_raw() && dialog.asked(1, String::new(), String::new()).raw);
        dialog.change(|wishes| wishes.transcripts = false);
        let asked = dialog.asked(7, "now".to_owned(), "raw records".to_owned());
        assert!(!dialog.can_have_raw() && !asked.raw && dialog.wishes.raw);
        assert_eq!(
            (asked.n_page, asked.made.as_str(), asked.before.as_str()),
            (7, "now", "raw records")
        );
    }

    #[test]
    fn what_was_prepared_holds_until_the_form_changes() {
        let mut dialog = SealDialog::default();
        dialog.begin(offer(None));
        assert_eq!(dialog.summary(), None);
        let summary = SealSummary { n_file: 9, ..SealSummary::default() };
        let asked = dialog.asked(5, "now".to_owned(), String::new());
        dialog.prepared(&asked, Ok(summary.clone()));
        assert_eq!(dialog.summary(), Some((&summary, true)));
        dialog.change(|wishes| wishes.is_open = true);
        assert_eq!(dialog.summary(), Some((&summary, false)));
        dialog.change(|wishes| wishes.is_open = false);
        assert_eq!(dialog.summary(), Some((&summary, false)), "it is prepared again");
        // It was changed while it was prepared.
        dialog.change(|wishes| wishes.is_open = true);
        dialog.prepared(&asked, Ok(summary.clone()));
        assert_eq!(dialog.summary(), Some((&summary, false)));
        dialog.prepared(&asked, Err(Vec::new()));
        assert_eq!((dialog.summary(), &dialog.stage), (None, &Stage::Refused(Vec::new())));
        dialog.begin(offer(None));
        assert_eq!(dialog.stage, Stage::Open);
    }
}
