//! Signs of buttons, drawn by strokes of the text's colour; their words are those of the button.

use leptos::prelude::*;

/// What is drawn, on a grid of 16 × 16.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Icon {
    /// The page's own mark: a tick under a glass.
    Mark,
    /// A glass.
    Search,
    /// Two sliders.
    Settings,
    /// A question mark in a ring.
    Help,
    /// A disc of which half is dark: colours as the system has them.
    System,
    /// A sun.
    Light,
    /// A moon.
    Dark,
    /// A cross.
    Close,
}

impl Icon {
    fn path(self) -> &'static str {
        match self {
            Self::Mark => "M11.5 11.5l3 3M7 2a5 5 0 1 1 0 10A5 5 0 0 1 7 2ZM4.8 7.2l1.6 1.6l3-3.4",
            Self::Search => "M11 11l3.2 3.2M7 2.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9Z",
            Self::Settings => {
                "M2 5h5m4 0h3M9 3.2a1.8 1.8 0 1 1 0 3.6a1.8 1.8 0 0 1 0-3.6ZM2 11h2m4 0h6M6 9.2a1.8 1.8 0 1 1 0 3.6a1.8 1.8 0 0 1 0-3.6Z"
            }
            Self::Help => {
                "M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8ZM6.2 6.3c0-2.4 3.7-2.3 3.6 0c0 1.3-1.8 1.4-1.8 2.9m0 2v.2"
            }
            Self::System => "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2ZM8 2v12M9.5 3v10M11 4v8M12.5 5.5v5",
            Self::Light => {
                "M8 5.2a2.8 2.8 0 1 1 0 5.6a2.8 2.8 0 0 1 0-5.6ZM8 1.5v1.3m0 10.4v1.3M1.5 8h1.3m10.4 0h1.3M3.4 3.4l.9.9m7.4 7.4l.9.9m0-9.2l-.9.9m-7.4 7.4l-.9.9"
            }
            Self::Dark => "M13.5 9.6A6 6 0 1 1 6.4 2.5a4.8 4.8 0 0 0 7.1 7.1Z",
            Self::Close => "M4 4l8 8m0-8l-8 8",
        }
    }
}

/// The sign. It says nothing to assistive tools.
pub fn icon(icon: Icon) -> AnyView {
    view! {
        <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <path d=icon.path()></path>
        </svg>
    }
    .into_any()
}
