//! Galleries, and the links that they become.

use super::*;

fn gallery(text: &str) -> Result<Option<Gallery>, Refusal> {
    gallery_of(&serde_json::from_str(text).unwrap(), "x")
}

#[test]
fn a_gallery_is_read_in_both_of_its_forms() {
    let item = |name: &str| GalleryItem {
        title: name.to_owned(),
        date: String::new(),
        src: vec![name.to_owned()],
    };
    let list = gallery("[\"a.json\"]").unwrap().unwrap();
    assert_eq!(list.groups[0].items, [item("a.json")]);
    assert!(gallery("[]").unwrap().unwrap().groups.is_empty());
    let groups = r#"{"groups": [{"items": []}, {"title": "g", "items": [{"src": "a"}]}]}"#;
    let group = GalleryGroup { title: "g".to_owned(), items: vec![item("a")] };
    let wanted = Gallery { title: String::new(), groups: vec![group] };
    assert_eq!(gallery(groups).unwrap().unwrap(), wanted);
    for other in ["{}", r#"{"milk": 2}"#, r#"["a", 2]"#, r#""text""#, "7", "null"] {
        assert_eq!(gallery(other).unwrap(), None, "{other}");
    }
}

#[test]
fn what_is_wrong_with_a_gallery_is_named() {
    for (wrong, at) in [
        (r#"{"groups": [{}]}"#, "groups[0].items"),
        (r#"{"groups": [null]}"#, "groups[0]"),
        (r#"{"title": 1, "groups": []}"#, "title"),
        (r#"{"groups": [{"items": [{"title": "x"}]}]}"#, "groups[0].items[0].src"),
        (r#"{"groups": [{"items": [{"src": []}]}]}"#, "groups[0].items[0].src"),
        (r#"{"groups": [{"items": [{"src": [""]}]}]}"#, "groups[0].items[0].src"),
        (r#"{"groups": [{"items": [{"src": "a", "date": "Monday"}]}]}"#, "groups[0].items[0].date"),
    ] {
        let refusal = gallery(wrong).unwrap_err();
        assert_eq!(refusal.kind, RefusalKind::NotResults);
        assert!(refusal.message.starts_with(&format!("{at} is not")), "{wrong}: {refusal:?}");
    }
}

#[test]
fn a_gallery_becomes_links() {
    let text = r#"{"title": "T", "groups": [{"items": [{"src": ["x", "/y"], "date": "2026-03-02T10:20:30Z"}]}]}"#;
    let gallery = gallery(text).unwrap().unwrap();
    let said = HostingPage::gallery(&gallery, &place("r/results.json"), &place(""), &resolve);
    let HostingPage::Gallery { sections, .. } = said else { panic!("no gallery") };
    let entry = &sections[0].entries[0];
    assert_eq!((entry.title.as_str(), entry.date.as_str()), ("x", "2026-03-02 10:20"));
    assert_eq!(entry.href, "index.html?src=r/x&src=/y");
}
