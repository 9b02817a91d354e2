//! Addresses, galleries, fetching over a host made up of files, what is said of it.

mod addresses;
mod fetching;
mod galleries;

use super::*;

const BASE: &str = "https://lab.example/a/b/index.html";

fn resolve(text: &str, from: &str) -> Option<WebAddress> {
    let mut url = url::Url::parse(from).ok()?.join(text).ok()?;
    url.set_fragment(None);
    let host = url.host_str().unwrap_or_default();
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    Some(WebAddress {
        origin: url.origin().ascii_serialization(),
        protocol: format!("{}:", url.scheme()),
        host: format!("{host}{port}"),
        pathname: url.path().to_owned(),
        search: url.query().map(|query| format!("?{query}")).unwrap_or_default(),
        has_login: !url.username().is_empty() || url.password().is_some(),
        href: url.into(),
    })
}

fn place(text: &str) -> WebAddress {
    resolve(text, BASE).unwrap()
}

#[test]
fn a_sealed_report_says_what_it_is() {
    let end = r#"…"n":1},"sealed":{"made":"2026-01-02 03:04 UTC","version":"0.1.0","left_out":["transcripts","raw records"]}}"#;
    let signature = Signature::of_end(end).unwrap();
    assert_eq!(
        signature.words(false),
        "Sealed report · made 2026-01-02 03:04 UTC with Evalglass 0.1.0 · read-only · left out or replaced: transcripts, raw records"
    );
    let open = r#""sealed":{"made":null,"version":"0.1.0","left_out":[]}}"#;
    assert_eq!(Signature::of_end(open).unwrap().words(true), "Sealed report");
    assert_eq!(Signature::of_end("{}"), None);
}
