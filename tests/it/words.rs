//! Every text of the page stands in `src/words/`: no sentence stands where it is used.

use std::fs;
use std::path::Path;

/// Folders whose modules say something on the page.
const PLACES: [&str; 7] =
    ["src/report", "src/ui", "src/chart", "src/render", "src/figures", "src/policy", "src/reading"];

/// What looks like a text of ours and is none.
const OTHERS: [(&str, &str); 11] = [
    // An invented failure that is drawn on the start page.
    ("ui/components/example.rs", "AssertionError: burn window"),
    ("ui/components/example.rs", "TimeoutExpired: command ran"),
    // Names of figures that are exported as well.
    ("report/declared/spread.rs", "Mean of all"),
    ("report/declared/spread.rs", "Metric "),
    ("report/declared/spread.rs", "Pass rate"),
    ("report/declared/spread.rs", "Mean reward"),
    ("report/declared/spread.rs", "Mean attempted"),
    ("report/declared/tables.rs", "Mean "),
    // As Python writes it, diff and Git.
    ("reading/texts/pytest.rs", "Traceback (most recent call last)"),
    ("report/diff/unified.rs", "\n\\ No newline at end of file\n"),
    ("render/compare/", "Model "),
];

/// The literals of `code`, as far as a line has them whole.
fn literals(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = code.chars().peekable();
    while let Some(letter) = rest.next() {
        match letter {
            // A letter in quotes, or a lifetime.
            '\'' => match rest.next() {
                Some('\\') => rest.by_ref().take_while(|next| *next != '\'').for_each(drop),
                Some(_) if rest.peek() == Some(&'\'') => drop(rest.next()),
                _ => {}
            },
            '/' if rest.peek() == Some(&'/') => {
                rest.by_ref().take_while(|next| *next != '\n').for_each(drop);
            }
            '"' => {
                let mut text = String::new();
                while let Some(letter) = rest.next() {
                    match letter {
                        '"' => break,
                        '\\' => text
                            .extend(rest.next().map(|next| if next == 'n' { '\n' } else { next })),
                        _ => text.push(letter),
                    }
                }
                found.push(text);
            }
            _ => {}
        }
    }
    found
}

/// Whether `text` begins as a heading or a sentence does and has a second word.
fn is_said(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_word = |word: &&str| {
        word.len() > 1
            && word.trim_end_matches([',', '.', ':', ';']).chars().all(char::is_alphabetic)
    };
    text.starts_with(|first: char| first.is_uppercase())
        && words.len() > 1
        && words.iter().filter(|word| is_word(word)).count() > 1
}

fn files(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "rs") && !path.ends_with("tests.rs") {
            found.push((
                path.to_string_lossy().replace('\\', "/"),
                fs::read_to_string(&path).unwrap(),
            ));
        }
    }
}

#[test]
fn no_sentence_stands_outside_the_folder_of_words() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    for place in PLACES {
        files(&root.join(place), &mut all);
    }
    assert!(all.len() > 300, "{}", all.len());
    let mut outside = Vec::new();
    for (path, text) in &all {
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        // Reasons of `#[expect]` are for those who read the code.
        let code: String = code
            .lines()
            .filter(|line| !line.contains("reason = "))
            .map(|line| format!("{line}\n"))
            .collect();
        let is_other = |said: &String| {
            OTHERS.iter().any(|(place, begins)| path.contains(place) && said.starts_with(begins))
        };
        let said = literals(&code).into_iter().filter(|text| is_said(text) && !is_other(text));
        outside.extend(said.map(|text| format!("{path}: {text}")));
    }
    assert!(outside.is_empty(), "move these to src/words:\n{}", outside.join("\n"));
}

#[test]
fn a_sentence_is_told_from_a_name() {
    let code = r#"let a = 'x'; f("card is-half", "Copy", "No case failed.", '"', "All {n} of them"); // "Not this one"#;
    let said: Vec<String> = literals(code).into_iter().filter(|text| is_said(text)).collect();
    assert_eq!(said, ["No case failed.", "All {n} of them"]);
}
