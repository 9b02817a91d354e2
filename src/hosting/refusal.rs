//! Why an address cannot be opened.

use std::fmt;

/// The sort of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RefusalKind {
    /// The server has no such file.
    Missing,
    /// No address that is opened.
    NotAllowed,
    /// Another host than that of the page.
    Elsewhere,
    /// Too large, or too many.
    TooLarge,
    /// No answer.
    Unreachable,
    /// Neither results nor a gallery.
    NotResults,
    /// Somebody has stopped it.
    Stopped,
}

/// Why one address cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Its sort.
    pub kind: RefusalKind,
    /// The address.
    pub address: String,
    /// The reason, as a sentence.
    pub message: String,
}

impl Refusal {
    /// A refusal of `address`.
    pub fn new(kind: RefusalKind, address: impl Into<String>, message: impl Into<String>) -> Self {
        Self { kind, address: address.into(), message: message.into() }
    }
}

/// Several refusals, and the addresses that could be opened without them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The refusals.
    pub refusals: Vec<Refusal>,
    /// The other addresses.
    pub others: Vec<String>,
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        Self { refusals: vec![refusal], others: Vec::new() }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, Refusal { address, message, .. }) in self.refusals.iter().enumerate() {
            let gap = if nth == 0 { "" } else { " " };
            write!(f, "{gap}{address}: {message}")?;
        }
        Ok(())
    }
}
