//! What looks like a secret, and what stands in its place.
//!
//! Two signs: the name of the field that it is the value of ([`is_secret`]), and its own shape
//! ([`find`]). Readers mask by names what they show of configurations; a report that leaves the page is
//! searched for shapes as well.

mod shapes;

pub use shapes::{Secret, Sort, assigned, find};

use serde_json::Value;

/// Texts shorter than this are masked whole: their first characters would give too much away.
const MIN_SHOWN: usize = 12;
/// What stands for what was masked.
const MARK: char = '…';
/// Most characters of what was masked that stay.
const N_SHOWN: usize = 3;

/// Parts of names that are used for secrets alone.
const STRONG: [&str; 12] = [
    "api_key",
    "apikey",
    "secret",
    "password",
    "passwd",
    "passphrase",
    "credential",
    "private_key",
    "access_key",
    "access_token",
    "auth_token",
    "refresh_token",
];

/// How much a name says about its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Suspicion {
    None,
    /// It may be one, or a word of another meaning: `token`, `sort_key`.
    Weak,
    Strong,
}

/// `name` in small letters with `_` between its words: `X-Api-Key`, `apiKey` and `API key` are the same.
pub fn plain_name(name: &str) -> String {
    let mut plain = String::with_capacity(name.len() + 4);
    let mut is_after_small = false;
    for letter in name.chars() {
        if letter.is_uppercase() && is_after_small {
            plain.push('_');
        }
        is_after_small = letter.is_lowercase() || letter.is_numeric();
        match letter {
            '-' | ' ' | '.' => plain.push('_'),
            _ => plain.extend(letter.to_lowercase()),
        }
    }
    plain
}

/// Whether `text` is a secret when it is the value of a field called `name`.
pub fn is_secret(name: &str, text: &str) -> bool {
    !text.is_empty()
        && !is_masked(text)
        && match suspicion(name) {
            Suspicion::Strong => true,
            Suspicion::Weak => is_opaque(text, 16),
            Suspicion::None => false,
        }
}

/// What stands in the place of the secret `text`: its first three characters and `…`, or `…` alone.
pub fn masked(text: &str) -> String {
    let n_shown = if text.chars().count() < MIN_SHOWN { 0 } else { N_SHOWN };
    text.chars().take(n_shown).chain([MARK]).collect()
}

/// Masks every text in `value` that a name says to be a secret, at any depth; whether there was one.
/// In `{"key": "api_key", "value": "…"}` the name is a value itself.
pub fn mask_named(value: &mut Value) -> bool {
    let mut has_masked = false;
    match value {
        Value::Object(map) => {
            let named = ["key", "name"].iter().filter_map(|key| map.get(*key)?.as_str());
            let named = named.max_by_key(|name| suspicion(name)).map(str::to_owned);
            for (key, member) in map.iter_mut() {
                let name = named.as_ref().filter(|_| key == "value").unwrap_or(key);
                has_masked |= match member {
                    Value::String(text) if is_secret(name, text) => {
                        *text = masked(text);
                        true
                    }
                    Value::Object(_) | Value::Array(_) if suspicion(name) == Suspicion::Strong => {
                        mask_all(member)
                    }
                    _ => mask_named(member),
                };
            }
        }
        Value::Array(items) => {
            for item in items {
                has_masked |= mask_named(item);
            }
        }
        _ => {}
    }
    has_masked
}

fn mask_all(value: &mut Value) -> bool {
    match value {
        Value::String(text) if !text.is_empty() && !is_masked(text) => {
            *text = masked(text);
            true
        }
        Value::Array(items) => items.iter_mut().fold(false, |any, item| mask_all(item) | any),
        Value::Object(map) => map.iter_mut().fold(false, |any, (_, item)| mask_all(item) | any),
        _ => false,
    }
}

/// Whether everything in a field called `name` is a secret, lists and objects included.
pub fn is_secret_name(name: &str) -> bool {
    suspicion(name) == Suspicion::Strong
}

fn suspicion(name: &str) -> Suspicion {
    if name.len() > 128 {
        return Suspicion::None;
    }
    let name = plain_name(name);
    let ends = |word: &str| name.strip_suffix(word).is_some_and(|head| head.ends_with('_'));
    if STRONG.iter().any(|word| name.contains(word)) || name == "authorization" {
        Suspicion::Strong
    } else if ["key", "token", "auth", "authorization"]
        .iter()
        .any(|word| name == *word || ends(word))
    {
        Suspicion::Weak
    } else {
        Suspicion::None
    }
}

/// Whether `text` was masked before: it is not masked again, nor counted.
pub fn is_masked(text: &str) -> bool {
    text.strip_suffix(MARK).is_some_and(|head| head.chars().count() <= N_SHOWN)
}

/// Whether `text` is one long word with letters and digits.
fn is_opaque(text: &str, min_len: usize) -> bool {
    text.len() >= min_len
        && text.bytes().all(|byte| byte.is_ascii_graphic())
        && text.bytes().any(|byte| byte.is_ascii_digit())
        && text.bytes().any(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_tell_secrets_from_words_of_another_meaning() {
        for name in ["api_key", "OPENAI_API_KEY", "x-api-key", "apiKey", "clientSecret", "Password"]
        {
            assert!(is_secret(name, "short"), "{name}");
            assert!(is_secret_name(name), "{name}");
        }
        for (name, text) in [
            ("token", "The"),
            ("eos_token", "<|endoftext|>"),
            ("sort_key", "duration"),
            ("max_tokens", "abcdef0123456789abcdef"),
            ("monkey", "abcdef0123456789abcdef"),
            ("api_key", ""),
            ("api_key", "sk-…"),
            ("api_key", "…"),
        ] {
            assert!(!is_secret(name, text), "{name}: {text}");
        }
        assert!(is_secret("hf_token", "abcdef0123456789abcdef"));
        assert!(is_secret("Authorization", "Basic dXNlcjpwYXNz"));
    }

    #[test]
    fn masks_keep_little_and_stay() {
        assert_eq!(masked("sk-0123456789abcdef"), "sk-…");
        assert_eq!(masked("hunter2"), "…");
        assert_eq!(masked("пароль-подлиннее"), "пар…");
        assert!(is_masked(&masked("sk-0123456789abcdef")) && is_masked(&masked("hunter2")));
        assert!(!is_masked("and so on…"));
    }

    #[test]
    fn values_are_masked_at_any_depth_and_in_pairs() {
        let mut value = json!({
            "model": {"name": "maple", "api_key": "sk-0123456789abcdef", "max_tokens": 4096},
            "env": [{"key": "OPENAI_API_KEY", "value": "hunter2"}, {"key": "HOME", "value": "/root"}],
            "secrets": {"a": ["one", 2, {"b": "two"}], "c": null},
        });
        assert!(mask_named(&mut value));
        assert_eq!(
            value,
            json!({
                "model": {"name": "maple", "api_key": "sk-…", "max_tokens": 4096},
                "env": [{"key": "OPENAI_API_KEY", "value": "…"}, {"key": "HOME", "value": "/root"}],
                "secrets": {"a": ["…", 2, {"b": "…"}], "c": null},
            })
        );
        assert!(!mask_named(&mut value), "what is masked stays as it is");
    }
}
