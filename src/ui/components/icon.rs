//! Signs of buttons, drawn by strokes of the text's colour; their words are those of the button.

use leptos::prelude::*;

/// What is drawn, on a grid of 16 × 16.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Icon {
    /// The page's own mark: a glass over three bars of results.
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
    /// Three lines.
    Menu,
    /// A plus.
    Plus,
    /// An arrow out of a tray.
    Export,
    /// A lock.
    Lock,
    /// A folder.
    Folder,
    /// A sheet of paper.
    File,
    /// An eye.
    Eye,
    /// Three dots.
    More,
    /// A chevron to the right.
    Chevron,
    /// A tick.
    Check,
    /// A triangle with an exclamation mark.
    Warn,
    /// A tip that points up.
    Up,
    /// A tip that points down.
    Down,
    /// A person.
    User,
    /// A head with two eyes.
    Agent,
    /// A lamp: thoughts.
    Thoughts,
    /// A spanner: a tool.
    Tool,
    /// An arrow back: what came back.
    Return,
    /// Two arrows that change places.
    Swap,
    /// Two lines: the same.
    Same,
    /// A wave in a ring: not known.
    Unsure,
    /// An arrow to a line: to the first place.
    First,
}

impl Icon {
    fn path(self) -> &'static str {
        match self {
            Self::Mark => {
                "M10.8 10.8l3.7 3.7M7 1.8a5.2 5.2 0 1 1 0 10.4A5.2 5.2 0 0 1 7 1.8ZM5 5h4M5 7h2.6M5 9h4"
            }
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
            Self::User => {
                "M8 8a2.75 2.75 0 1 0 0-5.5A2.75 2.75 0 0 0 8 8ZM2.75 13.75c.5-2.4 2.6-3.75 5.25-3.75s4.75 1.35 5.25 3.75"
            }
            Self::Agent => {
                "M4 5.25h8c.83 0 1.5.67 1.5 1.5v4.5c0 .83-.67 1.5-1.5 1.5H4c-.83 0-1.5-.67-1.5-1.5v-4.5c0-.83.67-1.5 1.5-1.5ZM8 5.25V2.5M6 8.5v1M10 8.5v1"
            }
            Self::Thoughts => {
                "M4.25 6a3.75 3.75 0 1 1 6.1 2.9c-.5.42-.85.9-.85 1.6h-3c0-.7-.35-1.18-.85-1.6A3.74 3.74 0 0 1 4.25 6ZM6.5 13h3"
            }
            Self::Tool => {
                "M9.75 3.2a3.4 3.4 0 0 1 4.1-.4l-2.1 2.1.35 1.5 1.5.35 2-2a3.4 3.4 0 0 1-4.6 4.2L5.2 14.7a1.4 1.4 0 0 1-2-2l5.75-5.8a3.4 3.4 0 0 1 .8-3.7Z"
            }
            Self::Return => "M13 3v4.5c0 .83-.67 1.5-1.5 1.5H3M6 6L3 9l3 3",
            Self::Swap => "M2.5 5.5h10.5M10.5 3L13 5.5L10.5 8M13.5 10.5H3M5.5 8L3 10.5L5.5 13",
            Self::Same => "M3 6h10M3 10h10",
            Self::Unsure => {
                "M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8ZM4.8 8.5c.9-1.6 2-1.6 3.2-.5s2.3 1.1 3.2-.5"
            }
            Self::First => "M3 3v10M13 8H6M9 5L6 8l3 3",
            Self::Menu => "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
            Self::Up => "M4 10l4-4l4 4",
            Self::Down => "M4 6l4 4l4-4",
            Self::Plus => "M8 3v10M3 8h10",
            Self::Export => {
                "M8 10V2.5M5 5.2l3-2.7l3 2.7M3 9.5v3.2c0 .4.3.8.8.8h8.4c.5 0 .8-.4.8-.8V9.5"
            }
            Self::Lock => {
                "M4 7.2h8a.8.8 0 0 1 .8.8v4.7a.8.8 0 0 1-.8.8H4a.8.8 0 0 1-.8-.8V8a.8.8 0 0 1 .8-.8ZM5.3 7V5a2.7 2.7 0 0 1 5.4 0v2"
            }
            Self::Eye => {
                "M1.5 8c1.5-2.8 3.7-4.3 6.5-4.3S13 5.2 14.5 8c-1.5 2.8-3.7 4.3-6.5 4.3S3 10.8 1.5 8ZM8 6a2 2 0 1 1 0 4a2 2 0 0 1 0-4Z"
            }
            Self::More => "M3.5 8h.01M8 8h.01M12.5 8h.01",
            Self::Chevron => "M6 3.8L10.2 8L6 12.2",
            Self::Check => "M3 8.5l3.2 3.2L13 4.8",
            Self::Warn => "M8 2.3l6.2 11.2H1.8ZM8 6.5v3.3m0 1.9v.1",
            Self::Folder => {
                "M2 4.3c0-.5.4-.8.8-.8h3l1.5 1.7h5.9c.4 0 .8.3.8.8v6c0 .5-.4.8-.8.8H2.8c-.4 0-.8-.3-.8-.8Z"
            }
            Self::File => {
                "M4.3 2h4.7L12 5v8.2c0 .5-.4.8-.8.8H4.3c-.4 0-.8-.3-.8-.8V2.8c0-.5.4-.8.8-.8ZM8.8 2.2V5.3h3"
            }
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
