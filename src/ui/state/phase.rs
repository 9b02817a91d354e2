//! What the page is doing.

/// What `<html data-evalglass>` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PagePhase {
    /// Nothing is loaded.
    Idle,
    /// Something is being opened.
    Loading,
    /// Something is loaded.
    Ready,
    /// Nothing is loaded, because what was tried failed.
    Failed,
}

impl PagePhase {
    /// The phase of a page that opens `n_opening` things at the moment.
    pub fn of(n_opening: u32, is_empty: bool, has_failed: bool) -> Self {
        match (n_opening, is_empty, has_failed) {
            (1.., _, _) => Self::Loading,
            (0, false, _) => Self::Ready,
            (0, true, true) => Self::Failed,
            (0, true, false) => Self::Idle,
        }
    }

    /// The word of the attribute.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Loading => "loading",
            Self::Ready => "ready",
            Self::Failed => "failed",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PagePhase;

    #[test]
    fn what_is_opened_comes_first_then_what_is_loaded_then_what_failed() {
        assert_eq!(PagePhase::of(1, true, true), PagePhase::Loading);
        assert_eq!(PagePhase::of(2, false, false), PagePhase::Loading);
        assert_eq!(
            PagePhase::of(0, false, true),
            PagePhase::Ready,
            "what failed beside it is said once"
        );
        assert_eq!(PagePhase::of(0, true, true), PagePhase::Failed);
        assert_eq!(PagePhase::of(0, true, false), PagePhase::Idle);
    }
}
