//! What travels from program to program besides tables, as MessagePack with the names of fields: types of
//! `model` leave fields out that are empty.

use serde::{Deserialize, Serialize};

/// Why something could not be written, or says something else: the programs are of different builds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a message between programs cannot be read: {0}")]
pub struct Misread(pub String);

impl Misread {
    fn new(err: &dyn std::error::Error) -> Self {
        Self(err.to_string())
    }
}

/// What `body` says, as bytes.
///
/// # Errors
/// When it cannot be written, which no type of ours brings about.
pub fn to_bytes<T: Serialize>(body: &T) -> Result<Vec<u8>, Misread> {
    // Behind a trait object the format is compiled once rather than once for each type.
    let body: &dyn erased_serde::Serialize = body;
    rmp_serde::to_vec_named(body).map_err(|err| Misread::new(&err))
}

/// What `bytes` say.
///
/// # Errors
/// When they say something else.
pub fn from_bytes<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, Misread> {
    let mut bytes = rmp_serde::Deserializer::from_read_ref(bytes);
    let mut bytes = <dyn erased_serde::Deserializer<'_>>::erase(&mut bytes);
    erased_serde::deserialize(&mut bytes).map_err(|err| Misread::new(&err))
}
