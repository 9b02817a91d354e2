//! Light, dark, or as the system says; kept for the next visit.

use super::document::root;
use super::storage::{remember, remembered};

const KEY: &str = "theme";

/// The colours of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// As the system says.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// The word of the `data-theme` attribute.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The one that a toggle switches to.
    pub fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }
}

/// The theme that was chosen last.
pub fn theme() -> Theme {
    let word = remembered(KEY);
    [Theme::Light, Theme::Dark]
        .into_iter()
        .find(|theme| word.as_deref() == Some(theme.as_str()))
        .unwrap_or_default()
}

/// Puts `wanted` in force and keeps it, when it is another than before.
pub fn set_theme(wanted: Theme) {
    if let Some(root) = root() {
        // Fails only for names that are no attribute names.
        let _ = root.set_attribute("data-theme", wanted.as_str());
    }
    if wanted != theme() {
        remember(KEY, wanted.as_str());
    }
}
