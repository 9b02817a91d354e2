//! Edges between modules run down only, and browser crates are named in few places.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What each module may name, besides itself.
pub const ALLOWED: [(&str, &[&str]); 26] = [
    ("format", &[]),
    ("order", &[]),
    ("words", &["format"]),
    ("hosting", &["order"]),
    ("markup", &[]),
    ("chart", &["format", "markup", "order", "words"]),
    ("model", &["order"]),
    ("stats", &["order"]),
    ("input", &["model"]),
    ("scoring", &["model", "order", "stats"]),
    ("secrets", &[]),
    // Readers judge a case by the producer's rule as they read it.
    ("readers", &["input", "model", "order", "scoring", "secrets", "stats"]),
    ("policy", &["model", "scoring", "stats", "words"]),
    ("pool", &["browser", "input", "model", "readers"]),
    ("figures", &["format", "model", "order", "policy", "scoring", "words"]),
    ("workspace", &["figures", "format", "model", "order", "readers", "scoring"]),
    (
        "report",
        &[
            "chart",
            "figures",
            "format",
            "input",
            "model",
            "order",
            "policy",
            "readers",
            "scoring",
            "stats",
            "words",
            "workspace",
        ],
    ),
    ("address", &["report", "workspace"]),
    ("render", &["address", "chart", "format", "markup", "order", "report", "words"]),
    ("reading", &["address", "format", "markup", "model", "order", "render", "report", "words"]),
    (
        "export",
        &[
            "address",
            "figures",
            "format",
            "input",
            "markup",
            "model",
            "order",
            "policy",
            "readers",
            "render",
            "report",
            "scoring",
            "secrets",
            "stats",
            "words",
            "workspace",
        ],
    ),
    (
        "worker",
        &[
            "address",
            "browser",
            "export",
            "format",
            "input",
            "markup",
            "model",
            "pool",
            "readers",
            "reading",
            "render",
            "report",
            "workspace",
        ],
    ),
    (
        "dataset",
        &[
            "export",
            "figures",
            "input",
            "model",
            "policy",
            "readers",
            "report",
            "scoring",
            "stats",
            "worker",
            "workspace",
        ],
    ),
    ("sql", &[]),
    ("browser", &["hosting", "input", "markup", "order", "sql"]),
    (
        "ui",
        &[
            "address", "browser", "format", "hosting", "markup", "order", "reading", "render",
            "report", "sql", "words", "worker",
        ],
    ),
];

/// Crates that only these files and folders may name.
const BROWSER_CRATES: [&str; 6] =
    ["web_sys", "js_sys", "wasm_bindgen", "gloo_events", "gloo_timers", "console_error_panic_hook"];
const BROWSER_PLACES: [&str; 8] = [
    "src/browser/",
    "src/pool/workers.rs",
    "src/pool/workers/",
    "src/pool/serve.rs",
    "src/worker/serve.rs",
    "src/worker/client.rs",
    "src/bin/",
    "src/worker/client/",
];

fn source_files() -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|ext| ext == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    let mut found = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    found
}

fn relative(path: &Path) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/")
}

/// The code of a file: without comments.
fn code(text: &str) -> String {
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    text.lines().filter(is_code).collect::<Vec<_>>().join("\n")
}

/// First path segments after `crate::`, with `crate::{a, b::c}` opened.
fn named_modules(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for part in code.split("crate::").skip(1) {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if let Some(list) = part.strip_prefix('{') {
            let (mut depth, mut name, mut is_fresh) = (1, String::new(), true);
            for c in list.chars() {
                match c {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    _ => {}
                }
                if depth == 1 && is_fresh && is_name(c) {
                    name.push(c);
                } else if !name.is_empty() {
                    names.push(std::mem::take(&mut name));
                    is_fresh = false;
                }
                if depth == 1 && c == ',' {
                    is_fresh = true;
                }
                if depth == 0 {
                    break;
                }
            }
        } else {
            names.push(part.chars().take_while(|&c| is_name(c)).collect());
        }
    }
    names
}

#[test]
fn edges_run_down_only() {
    let allowed: BTreeMap<&str, &[&str]> = ALLOWED.into_iter().collect();
    let mut wrong = Vec::new();
    for (path, text) in source_files() {
        let path = relative(&path);
        let area =
            path.trim_start_matches("src/").split('/').next().unwrap().trim_end_matches(".rs");
        let Some(may_name) = allowed.get(area) else { continue };
        for name in named_modules(&code(&text)) {
            if allowed.contains_key(name.as_str())
                && name != area
                && !may_name.contains(&name.as_str())
            {
                wrong.push(format!("{path} names {name}"));
            }
        }
    }
    assert!(wrong.is_empty(), "edges off the table:\n{}", wrong.join("\n"));
}

#[test]
fn every_module_stands_in_the_table() {
    let known: Vec<&str> = ALLOWED.iter().map(|(name, _)| *name).collect();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        let module = name.trim_end_matches(".rs");
        if !["bin", "lib"].contains(&module) {
            assert!(known.contains(&module), "src/{name} is not in the table of edges");
        }
    }
}

#[test]
fn ui_names_only_types_of_the_worker_and_pure_modules() {
    for (path, text) in source_files() {
        let path = relative(&path);
        if path.starts_with("src/ui/") {
            for inner in ["worker::core", "worker::serve", "workspace::Workspace"] {
                assert!(!code(&text).contains(inner), "{path} names {inner}");
            }
        }
    }
}

#[test]
fn state_knows_neither_browser_nor_signals() {
    for (path, text) in source_files() {
        let path = relative(&path);
        if path.starts_with("src/ui/state/") {
            for name in ["browser::", "leptos::", "client::"] {
                assert!(!code(&text).contains(name), "{path} names {name}");
            }
        }
    }
}

#[test]
fn browser_crates_are_named_in_few_places() {
    for (path, text) in source_files() {
        let path = relative(&path);
        if BROWSER_PLACES.iter().any(|place| path.starts_with(place)) {
            continue;
        }
        for name in BROWSER_CRATES {
            assert!(!code(&text).contains(&format!("{name}::")), "{path} names {name}");
        }
    }
}

#[test]
fn every_file_says_what_it_owns() {
    for (path, text) in source_files() {
        assert!(text.starts_with("//!"), "{} does not start with //!", relative(&path));
    }
}

/// Names of types that may stand in several files: errors, as everywhere in Rust.
const SHARED_TYPE_NAMES: [&str; 2] = ["Error", "ErrorKind"];

/// Names of the types that a file defines outside its tests.
fn defined_types(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for line in text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().lines() {
        let mut words = line.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let mut words = words.by_ref().filter(|word| !word.is_empty()).skip_while(|word| {
            ["pub", "crate", "super", "self", "in", "readers", "input", "report"].contains(word)
        });
        let (Some(keyword), Some(name)) = (words.next(), words.next()) else { continue };
        // Associated types are indented.
        let is_type = keyword == "type" && !line.starts_with(' ');
        let is_item = ["struct", "enum", "trait"].contains(&keyword) || is_type;
        let is_code = line.trim_start().starts_with(|c: char| c.is_ascii_lowercase());
        if is_item && is_code && name.starts_with(|c: char| c.is_ascii_uppercase()) {
            names.push(name);
        }
    }
    names
}

#[test]
fn a_type_name_stands_for_one_thing() {
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, text) in source_files() {
        let path = relative(&path);
        if path.contains("/tests/") || path.ends_with("/tests.rs") {
            continue;
        }
        for name in defined_types(&text) {
            let places = files.entry(name.to_owned()).or_default();
            if !places.contains(&path) {
                places.push(path.clone());
            }
        }
    }
    assert!(files.len() > 1000, "only {} types were found", files.len());
    files.retain(|name, places| places.len() > 1 && !SHARED_TYPE_NAMES.contains(&name.as_str()));
    assert!(files.is_empty(), "names of several types: {files:#?}");
}
