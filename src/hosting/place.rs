//! Addresses: which are opened, and which paths they become.

use super::refusal::{Refusal, RefusalKind};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// An address in its parts, as the URL standard tells them apart; without what follows its `#`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WebAddress {
    /// All of it.
    pub href: String,
    /// Protocol, host and port.
    pub origin: String,
    /// The protocol, with its `:`.
    pub protocol: String,
    /// Host and port.
    pub host: String,
    /// The path.
    pub pathname: String,
    /// What follows the path, with its `?`.
    pub search: String,
    /// Whether there is a name or a password in it.
    pub has_login: bool,
}

/// Reads an address, seen from another one.
pub type Resolve<'a> = &'a dyn Fn(&str, &str) -> Option<WebAddress>;

impl WebAddress {
    /// Whether it is one of the web.
    pub fn is_web(&self) -> bool {
        matches!(self.protocol.as_str(), "http:" | "https:")
    }

    /// The folder that it lies in, with its `/`.
    pub fn folder(&self) -> &str {
        let path = self.href.split('?').next().unwrap_or_default();
        path.rfind('/').and_then(|at| path.get(..=at)).unwrap_or(path)
    }
}

/// The address of `text`, seen from `home`.
///
/// # Errors
/// When it is none that is opened.
pub fn allowed(
    text: &str,
    home: &WebAddress,
    allows_others: bool,
    resolve: Resolve<'_>,
) -> Result<WebAddress, Refusal> {
    let refuse = |why: String| Err(Refusal::new(RefusalKind::NotAllowed, text, why));
    if !home.is_web() {
        return refuse(
            "This page was opened from disk and fetches nothing. Drop the files here instead."
                .to_owned(),
        );
    }
    let Some(place) = resolve(text, &home.href) else {
        return refuse("This is not an address.".to_owned());
    };
    if !place.is_web() {
        return refuse(format!("Only http: and https: are opened, not {}", place.protocol));
    }
    if place.has_login {
        return refuse("Addresses with a name or a password in them are not opened.".to_owned());
    }
    if place.origin != home.origin && !allows_others {
        let why = format!("This page fetches from its own host only; this lies on {}.", place.host);
        return Err(Refusal::new(RefusalKind::Elsewhere, place.href, why));
    }
    Ok(place)
}

/// Paths as a drop would give them: beginning with the last folder that all of `places` share.
pub fn paths(places: &[&WebAddress]) -> Vec<String> {
    let readable = |part: &str| match percent_decode_str(part).decode_utf8() {
        Ok(words) if is_encoded(part) => words.into_owned(),
        _ => part.to_owned(),
    };
    let parts = |place: &&WebAddress| -> Vec<String> {
        let path = place.pathname.split('/').skip(1).map(readable);
        std::iter::once(place.host.clone()).chain(path).collect()
    };
    let all: Vec<Vec<String>> = places.iter().map(parts).collect();
    if let [only] = all.as_slice() {
        let named = only.last().filter(|name| !name.is_empty()).or_else(|| only.first());
        return named.cloned().into_iter().collect();
    }
    let first = all.first().cloned().unwrap_or_default();
    let is_shared = |nth: usize, part: &String| {
        all.iter().all(|parts| nth + 1 < parts.len() && parts.get(nth) == Some(part))
    };
    let n_shared = first.iter().enumerate().take_while(|(nth, part)| is_shared(*nth, part)).count();
    // The host is a folder only where there are several.
    let from = if n_shared > 1 { n_shared - 1 } else { n_shared };
    all.iter().map(|parts| parts.get(from..).unwrap_or_default().join("/")).collect()
}

/// Whether every `%` of `part` begins an encoded byte.
fn is_encoded(part: &str) -> bool {
    part.split('%').skip(1).all(|rest| {
        rest.get(..2).is_some_and(|two| two.bytes().all(|byte| byte.is_ascii_hexdigit()))
    })
}

/// What stays as it is in a link.
const READABLE: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'/')
    .remove(b':');

/// The address that opens `sources` in the file `page` beside the page at `base`: relative where they lie below it.
pub fn link_to(sources: &[WebAddress], base: &WebAddress, page: &str) -> String {
    let short = |place: &WebAddress| match place.href.strip_prefix(base.folder()) {
        Some(rest) if is_relative(rest) => rest.to_owned(),
        // A path that begins with two slashes would be read as a host.
        _ if place.origin == base.origin && !place.pathname.starts_with("//") => {
            format!("{}{}", place.pathname, place.search)
        }
        _ => place.href.clone(),
    };
    let named: Vec<String> = sources
        .iter()
        .map(|place| format!("src={}", utf8_percent_encode(&short(place), READABLE)))
        .collect();
    format!("{page}?{}", named.join("&"))
}

/// Whether `rest` is read as a path that begins in the folder of the page: not as one from the top, as a query alone or
/// as an address with a protocol.
fn is_relative(rest: &str) -> bool {
    let first = rest.split(['/', '?']).next().unwrap_or_default();
    !first.is_empty() && !first.contains(':')
}
