//! Which addresses are opened, and links to them.

use super::*;

#[test]
fn only_web_addresses_of_the_own_host_are_opened_unless_others_are_allowed() {
    let base = place("");
    let open = |text: &str, others| allowed(text, &base, others, &resolve);
    let href = |text| open(text, false).unwrap().href;
    assert_eq!(href("results/x.json#top"), "https://lab.example/a/b/results/x.json");
    assert_eq!(href("../x.json"), "https://lab.example/a/x.json");
    for text in [
        "//other.example/x",
        "https://lab.example.evil/x",
        "http://lab.example/x",
        "https://lab.example:444/x",
    ] {
        assert_eq!(open(text, false).unwrap_err().kind, RefusalKind::Elsewhere, "{text}");
    }
    for text in ["data:,x", "blob:https://lab.example/1", "https://lab.example@evil/x", "http://["]
    {
        assert_eq!(open(text, false).unwrap_err().kind, RefusalKind::NotAllowed, "{text}");
    }
    assert!(open("https://other.example/x", true).is_ok());
    assert_eq!(open("data:,x", true).unwrap_err().kind, RefusalKind::NotAllowed);
    let disk = resolve("", "file:///home/evalglass.html").unwrap();
    let refused = allowed("x.json", &disk, true, &resolve).unwrap_err();
    assert!(refused.kind == RefusalKind::NotAllowed && refused.message.contains("fetches nothing"));
}

#[test]
fn paths_begin_with_the_last_folder_that_all_share() {
    let of = |texts: &[&str]| {
        let places: Vec<WebAddress> = texts.iter().map(|text| place(text)).collect();
        paths(&places.iter().collect::<Vec<_>>())
    };
    assert_eq!(of(&["r/x.json"]), ["x.json"]);
    assert_eq!(of(&["https://one/"]), ["one"]);
    assert_eq!(of(&["r/x.json", "r/y/z%20z.json"]), ["r/x.json", "r/y/z z.json"]);
    assert_eq!(of(&["/x.json", "/y/z.json"]), ["x.json", "y/z.json"], "the top is no folder");
    assert_eq!(
        of(&["https://one/r/x.json", "https://two/r/x.json"]),
        ["one/r/x.json", "two/r/x.json"]
    );
    assert_eq!(of(&["r/100%.json", "r/y"]), ["r/100%.json", "r/y"], "no code: it stays");
}

#[test]
fn links_to_files_are_relative_and_escaped() {
    let base = place("");
    let link = |texts: &[&str]| {
        let places: Vec<WebAddress> = texts.iter().map(|text| place(text)).collect();
        link_to(&places, &base, "index.html")
    };
    assert_eq!(
        link(&["r/x y.json", "/top?v=1&w"]),
        "index.html?src=r/x%2520y.json&src=/top%3Fv%3D1%26w"
    );
    assert_eq!(link(&["https://other.example/x"]), "index.html?src=https://other.example/x");
}

#[test]
fn a_link_to_an_odd_path_leads_back_to_it_and_to_no_other_host() {
    let base = place("");
    let link = |text: &str| link_to(&[place(text)], &base, "index.html");
    for (text, expected) in [
        (".//other.example/x", "src=/a/b//other.example/x"),
        ("/.//other.example/x", "src=https://lab.example//other.example/x"),
        ("./data:x", "src=/a/b/data:x"),
        (".", "src=/a/b/"),
        ("./?x", "src=/a/b/%3Fx"),
    ] {
        let url = url::Url::parse(BASE).unwrap().join(&link(text)).unwrap();
        let (_, named) = url.query_pairs().next().unwrap();
        assert_eq!(place(&named), place(text), "{text}");
        assert_eq!(link(text), format!("index.html?{expected}"));
    }
}
