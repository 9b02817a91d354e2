//! What travels from program to program besides tables, as CBOR with the names of fields: types of `model` leave
//! fields out that are empty. Its reader takes each type for what it is, so that a type costs little code.

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
    let mut bytes = Vec::new();
    let mut serializer = minicbor_serde::Serializer::new(&mut bytes);
    // Else a null of JSON would come back as an empty list.
    serializer.serialize_unit_as_null(true);
    body.serialize(&mut serializer).map_err(|err| Misread::new(&err))?;
    Ok(bytes)
}

/// What `bytes` say.
///
/// # Errors
/// When they say something else.
pub fn from_bytes<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, Misread> {
    minicbor_serde::from_slice(bytes).map_err(|err| Misread::new(&err))
}
