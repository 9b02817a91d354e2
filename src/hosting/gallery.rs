//! `results.json`: what a host offers (`schema/evalglass-results-1.json`).

use super::refusal::{Refusal, RefusalKind};
use serde_json::{Map, Value};

/// What a host offers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Gallery {
    /// Its title; may be empty.
    pub title: String,
    /// Groups that hold something.
    pub groups: Vec<GalleryGroup>,
}

/// Entries that belong together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GalleryGroup {
    /// Its title; may be empty.
    pub title: String,
    /// The entries.
    pub items: Vec<GalleryItem>,
}

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GalleryItem {
    /// Its title.
    pub title: String,
    /// `2026-01-31`, or more of it; may be empty.
    pub date: String,
    /// Paths of its files, seen from the gallery.
    pub src: Vec<String>,
}

/// What `value` says, which lies at `address`; `None` when it is something else than a gallery.
///
/// # Errors
/// When it is a gallery with something wrong in it.
pub fn gallery_of(value: &Value, address: &str) -> Result<Option<Gallery>, Refusal> {
    let reading = GalleryParser { address };
    if let Some(list) = list_of(value) {
        let item = |path: String| GalleryItem {
            title: path.clone(),
            date: String::new(),
            src: vec![path],
        };
        let items: Vec<GalleryItem> = list.into_iter().map(item).collect();
        let group = GalleryGroup { title: String::new(), items };
        let groups = if group.items.is_empty() { Vec::new() } else { vec![group] };
        return Ok(Some(Gallery { title: String::new(), groups }));
    }
    let Some(gallery) = value.as_object() else { return Ok(None) };
    let Some(groups) = gallery.get("groups").and_then(Value::as_array) else { return Ok(None) };
    let mut read = Vec::new();
    for (nth, group) in groups.iter().enumerate() {
        read.push(reading.group(group, &format!("groups[{nth}]"))?);
    }
    read.retain(|group| !group.items.is_empty());
    Ok(Some(Gallery { title: reading.text(gallery, "title", "")?, groups: read }))
}

/// A list of texts, none of them empty.
pub(super) fn list_of(value: &Value) -> Option<Vec<String>> {
    let text = |one: &Value| one.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    value.as_array()?.iter().map(text).collect()
}

struct GalleryParser<'a> {
    address: &'a str,
}

impl GalleryParser<'_> {
    fn wrong<T>(&self, at: &str, wanted: &str) -> Result<T, Refusal> {
        let message = format!("{at} is not {wanted}.");
        Err(Refusal::new(RefusalKind::NotResults, self.address, message))
    }

    fn text(&self, object: &Map<String, Value>, name: &str, at: &str) -> Result<String, Refusal> {
        match object.get(name) {
            None | Some(Value::Null) => Ok(String::new()),
            Some(Value::String(text)) => Ok(text.clone()),
            Some(_) => self.wrong(&format!("{at}{name}"), "text"),
        }
    }

    fn group(&self, group: &Value, at: &str) -> Result<GalleryGroup, Refusal> {
        let Some(group) = group.as_object() else { return self.wrong(at, "an object") };
        let Some(items) = group.get("items").and_then(Value::as_array) else {
            return self.wrong(&format!("{at}.items"), "a list");
        };
        let title = self.text(group, "title", &format!("{at}."))?;
        let mut read = Vec::new();
        for (nth, item) in items.iter().enumerate() {
            read.push(self.item(item, &format!("{at}.items[{nth}]"))?);
        }
        Ok(GalleryGroup { title, items: read })
    }

    fn item(&self, item: &Value, at: &str) -> Result<GalleryItem, Refusal> {
        let Some(item) = item.as_object() else { return self.wrong(at, "an object") };
        let src = match item.get("src") {
            Some(Value::String(path)) if !path.is_empty() => Some(vec![path.clone()]),
            Some(list) => list_of(list).filter(|list| !list.is_empty()),
            None => None,
        };
        let Some(src) = src else {
            return self.wrong(&format!("{at}.src"), "a path or a list of paths");
        };
        let inside = format!("{at}.");
        let date = self.text(item, "date", &inside)?;
        if !date.is_empty() && !begins_with_date(&date) {
            return self.wrong(&format!("{at}.date"), "a date (2026-01-31)");
        }
        let title = self.text(item, "title", &inside)?;
        let title = if title.is_empty() { src.first().cloned().unwrap_or_default() } else { title };
        Ok(GalleryItem { title, date, src })
    }
}

/// Whether `text` begins as `2026-01-31` does.
fn begins_with_date(text: &str) -> bool {
    let form = b"0000-00-00";
    text.len() >= form.len()
        && text.bytes().zip(form).all(|(byte, want)| match want {
            b'0' => byte.is_ascii_digit(),
            _ => byte == *want,
        })
}
