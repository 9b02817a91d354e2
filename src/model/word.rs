//! Words of closed lists in messages: what was a constant in one program is one in the other.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cell::RefCell;
use std::collections::HashSet;

/// A word of a closed list. Under a name of its own, since serde takes a plain `&'static str` for a part of
/// the message that it reads.
pub type Word = &'static str;

thread_local! {
    static KNOWN: RefCell<HashSet<&'static str>> = RefCell::default();
}

/// Most different words that are kept; past it, a word stands for itself no more.
const MAX_WORDS: usize = 10_000;

/// `text` as a constant. Each different one is kept for as long as the program runs, so only words that
/// stand in our own code go through here.
fn constant(text: &str) -> &'static str {
    KNOWN.with_borrow_mut(|known| match known.get(text) {
        Some(word) => word,
        None if known.len() >= MAX_WORDS => "",
        None => {
            let word: &'static str = Box::leak(text.to_owned().into_boxed_str());
            known.insert(word);
            word
        }
    })
}

pub(crate) fn serialize<S: Serializer>(word: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(word)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<&'static str, D::Error> {
    Ok(constant(&String::deserialize(deserializer)?))
}

/// The same where there may be none.
pub(crate) mod maybe {
    use super::{Deserialize, Deserializer, Serialize, Serializer, constant};

    pub(crate) fn serialize<S: Serializer>(
        word: &Option<&'static str>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        word.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<&'static str>, D::Error> {
        Ok(Option::<String>::deserialize(deserializer)?.map(|text| constant(&text)))
    }
}
