//! What ships besides the program's own components, counted: JavaScript, markup put in as text, words in `data-*`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Lines of scripts that ship: what must run before the program, or beside it in a worker.
const MAX_SCRIPT_LINES: usize = 300;

/// Files that put markup into the document as text: SVG of charts and rendered Markdown, both made by us.
const PUTS_MARKUP: [&str; 2] = ["src/browser/drawing.rs", "src/ui/components/inserted_markup.rs"];

/// Attributes that say what the page is, to style sheets, tests and the page itself, and what begins a sealed report
/// (`drop`, `view`). `table` is the beginning of names of classes.
const DATA: [&str; 7] = ["drop", "evalglass", "remote", "sealed", "table", "theme", "view"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &str, ending: &str) -> Vec<(String, String)> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { walk(&path, found) } else { found.push(path) }
        }
    }
    let mut found = Vec::new();
    walk(&root().join(folder), &mut found);
    let ours = found.into_iter().filter(|path| path.extension().is_some_and(|it| it == ending));
    ours.map(|path| {
        let name = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
        (name, fs::read_to_string(&path).unwrap())
    })
    .collect()
}

/// Lines of Rust that are no comments.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim_start().starts_with("//"))
}

#[test]
fn few_lines_of_javascript_ship() {
    let scripts = files("scripts/page", "js");
    // As scripts/stage.mjs leaves them: without comments and empty lines.
    let ships = |line: &&str| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with("//") && !line.starts_with("/**")
    };
    let lines: Vec<(&str, usize)> = scripts
        .iter()
        .map(|(name, text)| (name.as_str(), text.lines().filter(ships).count()))
        .collect();
    let n_lines: usize = lines.iter().map(|(_, n_lines)| n_lines).sum();
    assert!(n_lines <= MAX_SCRIPT_LINES, "{n_lines} lines: {lines:?}");
    for (name, text) in &scripts {
        for word in ["innerHTML", "insertAdjacentHTML", "document.write"] {
            let is_read =
                |line: &&str| line.contains(word) && !line.contains("body.innerHTML.trimEnd()");
            assert_eq!(text.lines().find(is_read), None, "{name} puts in markup as text");
        }
        let longest = text.lines().map(str::len).max().unwrap_or_default();
        assert!(longest <= 220, "{name} has a line of {longest} characters");
    }
}

#[test]
fn markup_is_put_in_as_text_in_few_places() {
    let words = ["inner_html", "outer_html", "adjacent_html"];
    let puts = |text: &str| code(text).any(|line| words.iter().any(|word| line.contains(word)));
    let found = files("src", "rs").into_iter().filter(|(_, text)| puts(text));
    let mut found: Vec<String> = found.map(|(name, _)| name).collect();
    found.sort();
    assert_eq!(found, PUTS_MARKUP, "these put markup in as text");
}

#[test]
fn no_attribute_carries_state() {
    let mut found = BTreeSet::new();
    for (_, text) in files("src/ui", "rs").into_iter().chain(files("src/browser", "rs")) {
        for line in code(&text) {
            for part in line.split("data-").skip(1) {
                let is_name = |c: &char| c.is_ascii_lowercase() || *c == '-';
                found.insert(part.chars().take_while(is_name).collect::<String>());
            }
        }
    }
    let known: BTreeSet<String> = DATA.into_iter().map(str::to_owned).collect();
    assert_eq!(found, known, "state belongs into signals");
}
