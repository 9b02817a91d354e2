//! Secrets that are told by their shape, wherever they stand in a text.

use super::{MARK, is_opaque, suspicion};
use std::ops::Range;

/// What a secret was taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// `sk-…`, `sk-ant-…`: OpenAI, Anthropic and others.
    ApiKey,
    /// `ghp_…`, `gho_…`, `github_pat_…`.
    GitHub,
    /// `glpat-…`.
    GitLab,
    /// `AKIA…`, `ASIA…`.
    Aws,
    /// `AIza…`.
    Google,
    /// `xoxb-…`.
    Slack,
    /// `hf_…`.
    HuggingFace,
    /// Three parts in base64 with a point between them, of which the first is a JSON object.
    Jwt,
    /// A block in PEM form.
    PrivateKey,
    /// What follows `Bearer` or `Basic`.
    Header,
    /// The password in `https://user:password@host`.
    Address,
    /// What a name says to be one: `API_KEY=…` in a text, or a field.
    Named,
}

impl Sort {
    /// What it is called.
    pub fn words(self) -> &'static str {
        match self {
            Self::ApiKey => "API key (sk-…)",
            Self::GitHub => "GitHub token",
            Self::GitLab => "GitLab token",
            Self::Aws => "AWS access key",
            Self::Google => "Google API key",
            Self::Slack => "Slack token",
            Self::HuggingFace => "Hugging Face token",
            Self::Jwt => "JSON web token",
            Self::PrivateKey => "private key",
            Self::Header => "Bearer or Basic authorization",
            Self::Address => "password in an address",
            Self::Named => "value named as a secret",
        }
    }
}

/// A secret in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secret {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// What it was taken for.
    pub sort: Sort,
}

/// Longest text between `//` and `@` that is looked at.
const MAX_USER: usize = 256;
/// Longest name before a `=` or `:` that is looked at.
const MAX_NAME: usize = 64;

/// The secrets in `text`, from left to right; none lies within another.
pub fn find(text: &str) -> Vec<Secret> {
    let bytes = text.as_bytes();
    let (mut found, mut at): (Vec<Secret>, usize) = (Vec::new(), 0);
    while let Some(byte) = bytes.get(at) {
        let is_start = at.checked_sub(1).and_then(|at| bytes.get(at)).is_none_or(|b| !is_word(*b));
        let here = match byte {
            b's' | b'g' | b'A' | b'x' | b'h' | b'e' if is_start => prefixed(bytes, at),
            b'B' | b'b' if is_start => header(bytes, at),
            b'-' => private_key(bytes, at),
            b':' => address(bytes, at).or_else(|| named(text, at)),
            b'=' => named(text, at),
            _ => None,
        };
        match here {
            // The value of a name may be one that an address around it has named as well.
            Some(one) if found.last().is_none_or(|last| last.range.end <= one.range.start) => {
                at = one.range.end.max(at + 1);
                found.push(one);
            }
            _ => at += 1,
        }
    }
    found
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_word_or_dash(byte: u8) -> bool {
    is_word(byte) || byte == b'-'
}

/// Bytes from `at` on that `is_part`.
fn run(bytes: &[u8], at: usize, is_part: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.iter().position(|byte| !is_part(*byte)).unwrap_or(rest.len())
}

/// What begins with the letters that its maker gives it.
fn prefixed(bytes: &[u8], at: usize) -> Option<Secret> {
    type IsPart = fn(u8) -> bool;
    /// Prefix, what follows it, at least how many bytes of it.
    const SHAPES: [(&[u8], IsPart, usize, Sort); 15] = [
        (b"sk-", is_word_or_dash, 20, Sort::ApiKey),
        (b"ghp_", is_word, 30, Sort::GitHub),
        (b"gho_", is_word, 30, Sort::GitHub),
        (b"ghu_", is_word, 30, Sort::GitHub),
        (b"ghs_", is_word, 30, Sort::GitHub),
        (b"ghr_", is_word, 30, Sort::GitHub),
        (b"github_pat_", is_word, 22, Sort::GitHub),
        (b"glpat-", is_word_or_dash, 20, Sort::GitLab),
        (b"AKIA", is_word, 16, Sort::Aws),
        (b"ASIA", is_word, 16, Sort::Aws),
        (b"AIza", is_word_or_dash, 35, Sort::Google),
        (b"xoxb-", is_word_or_dash, 10, Sort::Slack),
        (b"xoxp-", is_word_or_dash, 10, Sort::Slack),
        (b"xoxa-", is_word_or_dash, 10, Sort::Slack),
        (b"hf_", is_word, 30, Sort::HuggingFace),
    ];
    let rest = bytes.get(at..)?;
    for (prefix, is_part, min_len, sort) in SHAPES {
        if rest.starts_with(prefix) {
            let len = run(rest, prefix.len(), is_part);
            let own = rest.get(prefix.len()..prefix.len() + len)?;
            // Words with dashes between them are no keys.
            let is_key = len >= min_len && own.iter().any(u8::is_ascii_digit);
            return is_key.then(|| Secret { range: at..at + prefix.len() + len, sort });
        }
    }
    jwt(rest).map(|len| Secret { range: at..at + len, sort: Sort::Jwt })
}

fn jwt(rest: &[u8]) -> Option<usize> {
    if !rest.starts_with(b"eyJ") {
        return None;
    }
    let head = run(rest, 0, is_word_or_dash);
    let body = run(rest, head + 1, is_word_or_dash);
    let has_points = rest.get(head) == Some(&b'.') && rest.get(head + 1 + body) == Some(&b'.');
    (has_points && head >= 12 && body >= 8)
        .then(|| head + body + 2 + run(rest, head + body + 2, is_word_or_dash))
}

/// What follows `Bearer` or `Basic`.
fn header(bytes: &[u8], at: usize) -> Option<Secret> {
    let rest = bytes.get(at..)?;
    let word = [&b"Bearer "[..], b"Basic "]
        .into_iter()
        .find(|word| rest.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word)))?;
    let is_part = |byte: u8| is_word_or_dash(byte) || b".~+/=".contains(&byte);
    let start = at + word.len();
    let end = start + run(bytes, start, is_part);
    let own = std::str::from_utf8(bytes.get(start..end)?).ok()?;
    (is_opaque(own, 12) && own.len() >= 12)
        .then_some(Secret { range: start..end, sort: Sort::Header })
}

/// From `-----BEGIN … PRIVATE KEY-----` to its end, or to that of the text.
fn private_key(bytes: &[u8], at: usize) -> Option<Secret> {
    let rest = bytes.get(at..).filter(|rest| rest.starts_with(b"-----BEGIN "))?;
    let head = rest.get(..rest.len().min(64))?;
    let name = memchr::memmem::find(head, b"PRIVATE KEY")?;
    let end = memchr::memmem::find(rest.get(name..)?, b"-----END ").map(|end| name + end);
    let end = match end {
        Some(end) => {
            let tail = rest.get(end + 9..)?;
            memchr::memmem::find(tail, b"-----").map_or(rest.len(), |tail| end + 9 + tail + 5)
        }
        None => rest.len(),
    };
    Some(Secret { range: at..at + end, sort: Sort::PrivateKey })
}

/// The password of an address whose `://` begins at `at`.
fn address(bytes: &[u8], at: usize) -> Option<Secret> {
    let rest = bytes.get(at..)?.strip_prefix(b"://")?;
    let rest = rest.get(..rest.len().min(MAX_USER))?;
    let is_part = |byte: u8| byte.is_ascii_graphic() && !b"/@\"'<>\\".contains(&byte);
    let len = run(rest, 0, is_part);
    let own = rest.get(..len).filter(|_| rest.get(len) == Some(&b'@'))?;
    let colon = memchr::memchr(b':', own)?;
    let start = at + 3 + colon + 1;
    let end = at + 3 + len;
    (end > start).then_some(Secret { range: start..end, sort: Sort::Address })
}

/// Whether `byte` is one of the quotes that names and values stand in, or escapes such a one.
fn is_quote(byte: u8) -> bool {
    b"\"'`\\".contains(&byte)
}

/// The name before the `=` or `:` at `at` in `text`, and the bytes of the value behind it: `NAME=value`,
/// `"name": "value"`, `{\"name\": \"value\"}`.
pub fn assigned(text: &str, at: usize) -> Option<(&str, Range<usize>)> {
    let bytes = text.as_bytes();
    let before = bytes.get(at.saturating_sub(MAX_NAME)..at)?;
    let is_gap = |byte: u8| is_quote(byte) || byte == b' ';
    let n_gap = before.iter().rev().take_while(|byte| is_gap(**byte)).count();
    let before = before.get(..before.len() - n_gap)?;
    let len = before.iter().rev().take_while(|byte| is_word_or_dash(**byte)).count();
    let name = std::str::from_utf8(before.get(before.len() - len..)?).ok()?;
    let start = at + 1 + run(bytes, at + 1, is_gap);
    let is_part =
        |byte: u8| byte.is_ascii_graphic() && !is_quote(byte) && !b",;()[]{}<>".contains(&byte);
    let end = match bytes.get(start.saturating_sub(1)) {
        // What is quoted goes on to the next quote.
        Some(quote) if start > at + 1 && *quote != b'\\' && is_quote(*quote) => {
            start + run(bytes, start, |byte| byte != *quote && byte != b'\\')
        }
        _ => start + run(bytes, start, is_part),
    };
    (!name.is_empty() && text.is_char_boundary(start)).then_some((name, start..end))
}

/// The value after the `=` or `:` at `at`, when the name before it says that it is a secret.
fn named(text: &str, at: usize) -> Option<Secret> {
    let (name, Range { start, end }) = assigned(text, at)?;
    if name.len() < 3 || suspicion(name) == super::Suspicion::None {
        return None;
    }
    let bytes = text.as_bytes();
    let own = text.get(start..end)?;
    let min_len = if suspicion(name) == super::Suspicion::Strong { 8 } else { 16 };
    // Code names where its secrets come from: `api_key=os.environ.get(…`.
    let is_call = matches!(bytes.get(end), Some(b'(' | b'['));
    let is_value = is_opaque(own, min_len) && !is_call && !text.get(end..)?.starts_with(MARK);
    is_value.then_some(Secret { range: start..end, sort: Sort::Named })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What is found in `text`.
    fn own(text: &str) -> Vec<(&str, Sort)> {
        find(text).into_iter().map(|one| (&text[one.range], one.sort)).collect()
    }

    #[test]
    fn shapes_are_found_where_they_stand() {
        let letters = "a1".repeat(20);
        for (prefix, sort) in [
            ("sk-", Sort::ApiKey),
            ("sk-ant-api03-", Sort::ApiKey),
            ("ghp_", Sort::GitHub),
            ("github_pat_", Sort::GitHub),
            ("glpat-", Sort::GitLab),
            ("AKIA", Sort::Aws),
            ("AIza", Sort::Google),
            ("xoxb-", Sort::Slack),
            ("hf_", Sort::HuggingFace),
        ] {
            let key = format!("{prefix}{letters}");
            assert_eq!(own(&format!("({key}), é")), [(key.as_str(), sort)], "{prefix}");
            assert_eq!(own(&format!("word{key}")), [], "{prefix} within a word");
        }
        let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";
        assert_eq!(own(&format!("t={jwt}.")), [(jwt, Sort::Jwt)]);
        assert_eq!(
            own("Authorization: Bearer 0123456789abcdef\n"),
            [("0123456789abcdef", Sort::Header)]
        );
        assert_eq!(own("postgres://me:p%40ss@host/db"), [("p%40ss", Sort::Address)]);
        let pem = "-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----";
        assert_eq!(own(&format!("x\n{pem}\ny")), [(pem, Sort::PrivateKey)]);
        assert_eq!(own(&pem[..40]), [(&pem[..40], Sort::PrivateKey)]);
        assert_eq!(own("export OPENAI_API_KEY=abc12345 x"), [("abc12345", Sort::Named)]);
        assert_eq!(own("{'password': 'hunter22'}"), [("hunter22", Sort::Named)]);
    }

    #[test]
    fn what_only_resembles_a_secret_stays() {
        for text in [
            "sk-learn-is-a-library-of-many-words",
            "the risk-0123456789abcdefghij0123",
            "task-0123456789abcdefghij0123",
            "Bearer authentication-is-used",
            "api_key=os.environ.get('KEY1')",
            "password: string",
            "https://host:8080/a@b",
            "token: 12345678",
            "-----BEGIN CERTIFICATE-----\nMII",
            "AKIA",
            "eyJ.a.b",
            "api_key: sk-…",
        ] {
            assert_eq!(own(text), [], "{text}");
        }
    }

    proptest! {
        #[test]
        fn ranges_are_in_order_and_cut_between_characters(
            text in "(sk-[a-z0-9]{18,24}|://a:é@|Bearer |api_key[=:] ?'?|[a1é…]{0,20}|-----BEGIN PRIVATE KEY){0,8}",
        ) {
            let mut end = 0;
            for one in find(&text) {
                prop_assert!(one.range.start >= end && one.range.end > one.range.start);
                prop_assert!(text.get(one.range.clone()).is_some());
                end = one.range.end;
            }
        }
    }
}
