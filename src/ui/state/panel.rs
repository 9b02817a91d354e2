//! The four states of everything that is shown.

use std::sync::Arc;

/// What a panel has to show.
pub enum Panel<T> {
    /// Nothing yet.
    Loading,
    /// Nothing, and why.
    Empty(String),
    /// Nothing, because something went wrong; what.
    Failed(String),
    /// The data.
    Data(Arc<T>),
}

impl<T> Clone for Panel<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Loading => Self::Loading,
            Self::Empty(reason) => Self::Empty(reason.clone()),
            Self::Failed(reason) => Self::Failed(reason.clone()),
            Self::Data(data) => Self::Data(Arc::clone(data)),
        }
    }
}
