//! What hosts write and scripts know: the schema of `results.json`, and lists that stand in two places.

use evalglass::input::is_pruned_folder;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn text(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn validator() -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(&text("schema/evalglass-results-1.json")).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

#[test]
fn every_example_of_the_documentation_meets_the_schema() {
    let docs = text("docs/hosting.md");
    let examples: Vec<Value> = docs
        .split("```json\n")
        .skip(1)
        .map(|block| serde_json::from_str(block.split("```").next().unwrap()).unwrap())
        .collect();
    assert_eq!(examples.len(), 2, "the gallery and the list");
    for example in examples {
        assert!(validator().is_valid(&example), "{example}");
    }
    let empty: Value = serde_json::from_str(&text("assets/results.json")).unwrap();
    assert!(validator().is_valid(&empty), "the one that comes with the page");
}

#[test]
fn the_schema_refuses_what_the_page_refuses() {
    for wrong in [
        json!({}),
        json!({"groups": {}}),
        json!({"groups": [{}]}),
        json!({"groups": [{"items": [{"title": "no src"}]}]}),
        json!({"groups": [{"items": [{"src": []}]}]}),
        json!({"groups": [{"items": [{"src": [""]}]}]}),
        json!({"groups": [{"items": [{"src": 7}]}]}),
        json!({"groups": [{"items": [{"src": "a.json", "date": "Monday"}]}]}),
        json!({"title": 1, "groups": []}),
        json!(["a.json", 2]),
    ] {
        assert!(!validator().is_valid(&wrong), "{wrong}");
    }
}

#[test]
fn a_site_leaves_out_the_folders_that_a_drop_leaves_out() {
    let script = text("scripts/site.mjs");
    let list = script.split("const PRUNED = [").nth(1).unwrap().split(']').next().unwrap();
    let names: Vec<&str> = list.split(',').map(|name| name.trim().trim_matches('\'')).collect();
    let source = text("src/input/open.rs");
    let body = source.split("pub fn is_pruned_folder").nth(1).unwrap().split("\n}").next().unwrap();
    assert_eq!(body.matches('"').count(), 2 * names.len(), "as many as in {body}");
    for name in names {
        assert!(is_pruned_folder(name), "{name}");
    }
}
