//! Large values in messages, as bytes of their own: written without names of fields, a third of the bytes for a value of very
//! many parts. Its types must write all of their fields.

use serde::de::DeserializeOwned;
use serde::{Deserializer, Serialize, Serializer, de, ser};
use std::borrow::Cow;

pub(crate) fn serialize<T: Serialize, S: Serializer>(
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(&postcard::to_allocvec(value).map_err(ser::Error::custom)?)
}

pub(crate) fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let bytes: Cow<'de, serde_bytes::Bytes> = serde_bytes::Deserialize::deserialize(deserializer)?;
    postcard::from_bytes(&bytes).map_err(de::Error::custom)
}
