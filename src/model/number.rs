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
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(Spelled)
        } else {
            f64::deserialize(deserializer).map(Self)
        }
    }
}

/// Reads a number however JSON spells it.
struct Spelled;

impl serde::de::Visitor<'_> for Spelled {
    type Value = Num;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a number")
    }

    fn visit_f64<E>(self, number: f64) -> Result<Num, E> {
        Ok(Num(number))
    }

    #[expect(clippy::cast_precision_loss, reason = "the nearest double, as of any other number")]
    fn visit_u64<E>(self, number: u64) -> Result<Num, E> {
        Ok(Num(number as f64))
    }

    #[expect(clippy::cast_precision_loss, reason = "the nearest double, as of any other number")]
    fn visit_i64<E>(self, number: i64) -> Result<Num, E> {
        Ok(Num(number as f64))
    }

    fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<Num, E> {
        match word {
            "NaN" => Ok(Num(f64::NAN)),
            "Infinity" => Ok(Num(f64::INFINITY)),
            "-Infinity" => Ok(Num(f64::NEG_INFINITY)),
            _ => Err(E::custom("a text where a number was expected")),
        }
    }
}

/// For `#[serde(with)]`: a double, spelled as [`Num`] is.
pub(super) mod plain {
    use super::Num;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[cfg_attr(
        not(target_arch = "wasm32"),
        expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")
    )]
    pub(in crate::model) fn serialize<S: Serializer>(
        number: &f64,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        Num(*number).serialize(serializer)
    }

    pub(in crate::model) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<f64, D::Error> {
        Ok(Num::deserialize(deserializer)?.0)
    }
}

/// For `#[serde(with)]`: a double that may be missing, spelled as [`Num`] is.
pub(super) mod maybe {
    use super::Num;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::ref_option, reason = "as serde calls it")]
    pub(in crate::model) fn serialize<S: Serializer>(
        number: &Option<f64>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        number.map(Num).serialize(serializer)
    }

    pub(in crate::model) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<f64>, D::Error> {
        Ok(Option::<Num>::deserialize(deserializer)?.map(|number| number.0))
    }
}

/// For `#[serde(with)]`: named doubles in their order.
pub(super) mod named {
    use super::Num;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(in crate::model) fn serialize<S: Serializer>(
        numbers: &[(String, f64)],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(numbers.iter().map(|(name, number)| (name, Num(*number))))
    }

    pub(in crate::model) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(String, f64)>, D::Error> {
        let numbers = Vec::<(String, Num)>::deserialize(deserializer)?;
        Ok(numbers.into_iter().map(|(name, number)| (name, number.0)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_comes_back_from_json_as_it_was() {
        let numbers = [0.1, -0.0, 5e-324, 1e300, 3.0, -7.0, f64::INFINITY, f64::NEG_INFINITY];
        for number in numbers {
            let text = serde_json::to_string(&Num(number)).unwrap();
            let back: Num = serde_json::from_str(&text).unwrap();
            assert_eq!(back.0.to_bits(), number.to_bits(), "{text}");
        }
        assert!(serde_json::from_str::<Num>("\"NaN\"").unwrap().0.is_nan());
        assert_eq!(serde_json::from_str::<Num>("18446744073709551615").unwrap().0, 2f64.powi(64));
        assert!(serde_json::from_str::<Num>("\"nan\"").is_err());
    }
}
