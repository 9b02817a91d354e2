//! Which files make one output folder.
//!
//! By folder first: `run_1 … run_N` belong to the folder above, and so do the model folders of a suite.
//! Files of several output folders that lie loose in one are told apart by suite name, sample ids,
//! models and graders.

use crate::input::ValueKind;
use crate::input::json::Cursor;
use crate::order::{Order as _, natural, ordered};
use crate::readers::letta_evals::case_page::document;
use crate::readers::letta_evals::grouping::names::{run_number, run_of_folder};
use crate::readers::letta_evals::sniff::role;
use crate::readers::{Bundle, Claimed};
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

type Files = Vec<Rc<Claimed>>;

/// Puts files together.
pub fn bundle(files: Files) -> Vec<Bundle> {
    let mut bundles = Vec::new();
    let (suites, files): (Files, Files) =
        files.into_iter().partition(|file| file.claim.role == role::SUITE_YAML);
    let mut folders: BTreeMap<String, Files> = BTreeMap::new();
    for claimed in files {
        if matches!(claimed.claim.role, role::DUMP | role::SUITE_DUMP) || is_whole(&claimed) {
            bundles.push(Bundle { path: claimed.file.path.clone(), files: vec![claimed] });
        } else {
            folders.entry(claimed.file.folder().to_owned()).or_default().push(claimed);
        }
    }
    let roots: BTreeMap<String, String> =
        ordered(folders.keys().map(|folder| (folder.clone(), root_of(folder, &folders))));
    let mut by_root: BTreeMap<String, Files> = BTreeMap::new();
    for (folder, files) in folders {
        let root = roots.get(&folder).cloned().unwrap_or(folder);
        by_root.entry(root).or_default().extend(files);
    }
    for (root, files) in by_root {
        // Logs and empty files say nothing of their own: they go with whatever stands beside them.
        let is_lone = bundles.iter().filter(|b| folder_of(&b.path) == root).count() == 1;
        if is_lone
            && files.iter().all(|file| is_aside(file))
            && let Some(bundle) = bundles.iter_mut().find(|b| folder_of(&b.path) == root)
        {
            bundle.files.extend(files);
            continue;
        }
        bundles.extend(split(&root, files));
    }
    add_suites(&mut bundles, suites);
    bundles.order_by(|left, right| left.path.cmp(&right.path));
    bundles
}

/// Gives each suite as written to the results in its folder and in the folders right below it. One
/// without results stands for itself.
fn add_suites(bundles: &mut Vec<Bundle>, suites: Files) {
    let mut alone = Vec::new();
    for suite in suites {
        let folder = suite.file.folder().to_owned();
        let mut is_used = false;
        for bundle in bundles.iter_mut() {
            let is_file = bundle.files.iter().any(|claimed| claimed.file.path == bundle.path);
            let own = if is_file { folder_of(&bundle.path) } else { bundle.path.as_str() };
            if own == folder || (folder_of(own) == folder && !own.is_empty()) {
                bundle.files.push(Rc::clone(&suite));
                is_used = true;
            }
        }
        if !is_used {
            alone.push(Bundle { path: suite.file.path.clone(), files: vec![suite] });
        }
    }
    bundles.extend(alone);
}

/// A line file of generation A: header, rows and summary in one.
fn is_whole(claimed: &Claimed) -> bool {
    claimed.claim.role == role::ROWS && claimed.claim.generation == Some("A")
}

fn is_aside(claimed: &Claimed) -> bool {
    matches!(claimed.claim.role, role::LOG | role::EMPTY)
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Whether a file is of the releases that write `suite.json`.
fn is_late(claimed: &Claimed) -> bool {
    matches!(
        claimed.claim.role,
        role::SUITE | role::MODELS_SUMMARY | role::MODEL_SUMMARY | role::MODEL_ROWS
    )
}

fn has(files: &Files, wanted: &[&str]) -> bool {
    files.iter().any(|file| wanted.contains(&file.claim.role))
}

/// The output folder that the files of `folder` belong to.
fn root_of(folder: &str, folders: &BTreeMap<String, Files>) -> String {
    let none = Files::new();
    let own = folders.get(folder).unwrap_or(&none);
    let roots = [role::SUITE, role::MODELS_SUMMARY, role::AGGREGATE];
    if folder.is_empty() || has(own, &roots) {
        return folder.to_owned();
    }
    let parent = folder_of(folder);
    let above = folders.get(parent).unwrap_or(&none);
    let is_run = run_of_folder(folder).is_some();
    let belongs_above = if has(own, &[role::MODEL_ROWS, role::MODEL_SUMMARY]) {
        let is_model_folder = |files: &Files| {
            has(files, &[role::MODEL_SUMMARY])
                || (has(files, &[role::MODEL_ROWS])
                    && files
                        .iter()
                        .filter(|file| file.claim.role == role::MODEL_ROWS)
                        .all(|file| run_number(file.file.name()).is_some()))
        };
        has(above, &[role::SUITE, role::MODELS_SUMMARY])
            || (is_model_folder(own)
                && folders.iter().any(|(other, files)| {
                    other != folder
                        && folder_of(other) == parent
                        && is_model_folder(files)
                        && !has(files, &roots)
                }))
    } else if own.iter().all(|file| is_aside(file)) {
        has(above, &roots) && (own.iter().any(|file| file.claim.role == role::EMPTY) || is_run)
    } else {
        has(above, &[role::AGGREGATE]) || is_run
    };
    if belongs_above { parent.to_owned() } else { folder.to_owned() }
}

/// The bundles of one output folder: mostly one.
fn split(root: &str, files: Files) -> Vec<Bundle> {
    let (asides, files): (Files, Files) = files.into_iter().partition(|file| is_aside(file));
    let (late, early): (Files, Files) = files.into_iter().partition(|file| is_late(file));
    let mut parts = apart(late, &[role::SUITE]);
    if is_only_summaries(&early) {
        // Nothing says that they are repeats of one run: each is an evaluation of its own.
        parts.extend(early.into_iter().map(|file| vec![file]));
    } else {
        parts.extend(apart(early, &[role::HEADER, role::SUMMARY]));
    }
    match parts.first_mut() {
        Some(part) => part.extend(asides),
        None => parts.push(asides),
    }
    let is_one = parts.len() == 1;
    parts
        .into_iter()
        .map(|mut files| {
            files.order_by(|left, right| natural(&left.file.path, &right.file.path));
            let first = files.first().map_or("", |claimed| claimed.file.path.as_str());
            let path = match (is_one, root) {
                (true, "") if folder_of(first).is_empty() => first,
                (true, "") => folder_of(first),
                (true, _) => root,
                (false, _) => first,
            };
            Bundle { path: path.to_owned(), files }
        })
        .collect()
}

/// Whether `files` are summaries and nothing else, several of which lie in one folder.
fn is_only_summaries(files: &Files) -> bool {
    let folders: HashSet<&str> = files.iter().map(|file| file.file.folder()).collect();
    files.iter().all(|file| file.claim.role == role::SUMMARY) && folders.len() < files.len()
}

/// Tells the files of several evaluations apart: each distinct suite name that an `anchors` file
/// states makes one, the other files go where they fit best.
fn apart(files: Files, anchors: &[&str]) -> Vec<Files> {
    let is_anchor = |file: &Claimed| anchors.contains(&file.claim.role);
    let mut names: Vec<String> = Vec::new();
    for file in files.iter().filter(|file| is_anchor(file)) {
        if let Some(name) = document::text_member(file, "suite")
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    if names.len() < 2 {
        return if files.is_empty() { Vec::new() } else { vec![files] };
    }
    let mut parts: Vec<EvaluationFiles> = names.into_iter().map(EvaluationFiles::new).collect();
    let mut others = Files::new();
    for file in files {
        let name = is_anchor(&file).then(|| document::text_member(&file, "suite")).flatten();
        match parts.iter_mut().find(|part| Some(&part.name) == name.as_ref()) {
            Some(part) => {
                part.words.extend(words(&file));
                part.folders.insert(file.file.folder().to_owned());
                part.files.push(file);
            }
            None => others.push(file),
        }
    }
    for file in others {
        let words = words(&file);
        let suite = document::text_member(&file, "suite");
        let fit = |part: &EvaluationFiles| {
            (
                suite.as_ref() == Some(&part.name),
                part.folders.contains(file.file.folder()),
                words.intersection(&part.words).count(),
            )
        };
        // Of equally good ones the one with the fewest files, so that nameless sets deal out evenly.
        let best = parts.iter_mut().enumerate().max_by_key(|(number, part)| {
            let n_same = part.files.iter().filter(|f| f.claim.role == file.claim.role).count();
            (fit(part), std::cmp::Reverse(n_same), std::cmp::Reverse(*number))
        });
        if let Some((_, part)) = best {
            part.files.push(file);
        }
    }
    parts.into_iter().map(|part| part.files).filter(|files| !files.is_empty()).collect()
}

/// The files of one evaluation among several.
struct EvaluationFiles {
    name: String,
    words: HashSet<String>,
    folders: HashSet<String>,
    files: Files,
}

impl EvaluationFiles {
    fn new(name: String) -> Self {
        Self { name, words: HashSet::new(), folders: HashSet::new(), files: Files::new() }
    }
}

/// Names of graders, models and samples that a file mentions, as far as they are cheap to read.
fn words(claimed: &Claimed) -> HashSet<String> {
    let mut words = HashSet::new();
    let mut add = |word: &str| {
        words.insert(word.to_owned());
    };
    for key in ["model", "model_handle", "model_name"] {
        if let Some(model) = document::text_member(claimed, key) {
            add(&model);
        }
    }
    let depths = [
        ("config", 3),
        ("metrics", 2),
        ("models", 2),
        ("grades", 1),
        ("result", 2),
        ("samples", 2),
    ];
    for (key, depth) in depths {
        let Some(member) = claimed.shape.outline.member(key) else { continue };
        let Ok(bytes) = claimed.file.bytes(member.span.clone()) else { continue };
        // A member that is cut off gives the words before the cut.
        let _ = collect(&mut Cursor::new(&bytes), depth, &mut add);
    }
    if let Some(member) = claimed.shape.outline.member("sample_id")
        && let Ok(bytes) = claimed.file.bytes(member.span.clone())
    {
        let _ = collect(&mut Cursor::new(&bytes), 0, &mut add);
    }
    words
}

/// Keys and short texts down to `depth`.
fn collect(
    cursor: &mut Cursor<'_>,
    depth: u32,
    add: &mut dyn FnMut(&str),
) -> Result<(), crate::input::Error> {
    match cursor.kind()? {
        ValueKind::Object if depth > 0 => cursor
            .each_field(|key, cursor| {
                add(key);
                collect(cursor, depth - 1, add)
            })
            .map(drop),
        ValueKind::Array if depth > 0 => {
            cursor.each_item(|cursor| collect(cursor, depth - 1, add)).map(drop)
        }
        ValueKind::Text => {
            if let Some(text) = cursor.text()? {
                add(&text);
            }
            Ok(())
        }
        _ => cursor.skip().map(drop),
    }
}
