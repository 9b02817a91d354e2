//! Addresses: the view behind `#`, what `?src=` names, galleries and seals.

use super::files;
use evalglass::address::{OpenNames, Route, roles_of, roles_word, sort_of, sort_words};
use evalglass::hosting::{
    Gallery, HostingPage, Refused, Signature, WebAddress, allowed, gallery_of, link_to, paths,
};
use evalglass::worker::core::Core;

thread_local! {
    static CORE: Core = {
        let rows = "id,score,passed,model\na,0.5,true,m\nb,1,false,n\n";
        let files = ["runs/one.csv", "runs/two.csv"];
        files::core_of(files.map(|path| files::file(path, rows.as_bytes())).into()).0
    };
}

/// The view: read, written, and read again.
pub fn address(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let round = |names: &dyn OpenNames| {
        let route = Route::from_hash(text, names);
        let written = route.to_hash(names);
        let again = Route::from_hash(&written, names);
        assert_eq!(again.to_hash(names), written, "written, read and written again");
        let _ = (route.case_query(), route.topic(), route.carried(names, &()));
    };
    round(&());
    CORE.with(|core| core.with_workspace(|workspace| round(workspace)));
    let sort = sort_of(text);
    assert_eq!(sort_of(&sort_words(&sort)), sort, "an order reads otherwise");
    if let Some(file) = roles_of(text) {
        assert_eq!(roles_of(&roles_word(&file)).as_ref(), Some(&file), "roles read otherwise");
    }
}

/// The address `text`, seen from `from`, by the URL standard.
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

/// `?src=`: a line for each address. Those that are allowed are of this host, and a link to them leads back to them.
pub fn source(input: &[u8]) {
    const BASE: &str = "https://lab.example/a/b/index.html";
    let Ok(text) = std::str::from_utf8(input) else { return };
    let Some(base) = resolve("", BASE) else { panic!("the base is an address") };
    let mut places = Vec::new();
    let mut refusals = Vec::new();
    for line in text.lines().take(20) {
        match allowed(line, &base, false, &resolve) {
            Ok(place) => {
                assert_eq!(place.origin, base.origin, "{line:?} lies elsewhere");
                assert!(!place.has_login, "{line:?} has a login");
                places.push(place);
            }
            Err(refusal) => refusals.push(refusal),
        }
    }
    assert_eq!(paths(&places.iter().collect::<Vec<_>>()).len(), places.len(), "a path for each");
    let link = link_to(&places, &base, "index.html");
    let url = resolve(&link, BASE).and_then(|place| url::Url::parse(&place.href).ok());
    let Some(url) = url else { panic!("{link:?} is no address") };
    let named: Vec<String> = url.query_pairs().map(|(_, value)| value.into_owned()).collect();
    assert_eq!(named.len(), places.len(), "{link:?} names something else");
    for (name, place) in named.iter().zip(&places) {
        let back = resolve(name, BASE).map(|place| place.href);
        assert_eq!(back.as_ref(), Some(&place.href), "{link:?} leads elsewhere");
    }
    let refused = Refused { refusals, others: Vec::new() };
    let _ = HostingPage::refused(&refused, &base, &base, &resolve);
}

/// `results.json` of a host, and the end of a sealed report.
pub fn gallery(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    if let Some(signature) = Signature::of_end(text) {
        let _ = (signature.words(true), signature.words(false), signature.left_out());
    }
    let Ok(value) = serde_json::from_str(text) else { return };
    let Some(base) = resolve("", "https://lab.example/a/index.html") else { return };
    if let Ok(Some(gallery)) = gallery_of(&value, "https://lab.example/a/results.json") {
        let gallery: Gallery = gallery;
        let said = HostingPage::gallery(&gallery, &base, &base, &resolve);
        let json = serde_json::to_string(&said).expect("it can be written");
        assert_eq!(
            serde_json::from_str::<HostingPage>(&json).ok(),
            Some(said),
            "it reads otherwise"
        );
    }
}
