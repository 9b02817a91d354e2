//! A float that survives JSON.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A double that JSON shows so that it reads back the same; non-finite ones as the texts `"NaN"`,
/// `"Infinity"`, `"-Infinity"`. In binary formats it is a plain double.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Num(pub f64);

impl From<f64> for Num {
    fn from(number: f64) -> Self {
        Self(number)
    }
}

impl Serialize for Num {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_finite() || !serializer.is_human_readable() {
            return serializer.serialize_f64(self.0);
        }
        serializer.serialize_str(match self.0 {
            number if number.is_nan() => "NaN",
            number if number > 0.0 => "Infinity",
            _ => "-Infinity",
        })
    }
}

impl<'de> Deserialize<'de> for Num {
    /// Reads binary formats only: nothing reads an exported report back.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        f64::deserialize(deserializer).map(Self)
    }
}
