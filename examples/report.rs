//! Exports what files and folders hold: the worker's core, without a browser.
//!
//! `cargo run --release --example report -- [--format NAME] [--out DIR] [--rule NAME=VALUE]… PATH…`
//!
//! Without `--format`, `evalglass-report/1` is printed. `--out` writes files under the names that the page
//! gives them, and then `--format all` is every one of them. Rules are those of the page's address:
//! `--rule policy=all-cases --rule 'gate=avg_score(*) >= 0.8'`. Exit 2 with the reasons when nothing
//! could be read, or an argument is not understood.
//!
//! `--seal evalglass.html --out DIR` writes a sealed report instead: that page with everything in it.

use evalglass::address::Route;
use evalglass::export::seal::sealed_file;
use evalglass::export::{EXPORTS, Export, Scope};
use evalglass::input::{Dropped, Pulse, walk_disk_with};
use evalglass::report::RuleWords;
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, Download, Question};
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What is asked for.
#[derive(Default)]
struct Wish {
    paths: Vec<PathBuf>,
    rules: RuleWords,
    formats: Vec<&'static Export>,
    out: Option<PathBuf>,
    /// Names of folders that are read, although folders of that name are left out as a rule.
    included: Vec<String>,
    /// The page's single file, to be given back with the results in it.
    page: Option<PathBuf>,
}

fn main() -> ExitCode {
    match wish(std::env::args_os().skip(1)).and_then(|wish| export(&wish)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reasons) => {
            for reason in reasons {
                eprintln!("{reason}");
            }
            ExitCode::from(2)
        }
    }
}

fn usage() -> Vec<String> {
    let names: Vec<&str> = EXPORTS.iter().map(|export| export.name).collect();
    vec![
        "usage: report [--format NAME] [--out DIR] [--rule NAME=VALUE]… [--include FOLDER]… PATH…"
            .to_owned(),
        "       report --seal evalglass.html --out DIR [--rule NAME=VALUE]… PATH…".to_owned(),
        format!("formats: {}, and with --out: all", names.join(", ")),
    ]
}

fn wish(mut arguments: impl Iterator<Item = OsString>) -> Result<Wish, Vec<String>> {
    let mut wish = Wish::default();
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(usage);
        if argument == "--rule" {
            let rule = value()?.into_string().map_err(|_other| usage())?;
            let (name, value) = rule.split_once('=').unwrap_or((&rule, ""));
            wish.rules.push((name.to_owned(), value.to_owned()));
        } else if argument == "--format" {
            let name = value()?.into_string().map_err(|_other| usage())?;
            match Export::named(&name) {
                Some(export) => wish.formats.push(export),
                None if name == "all" => wish.formats.extend(&EXPORTS),
                None => return Err(usage()),
            }
        } else if argument == "--include" {
            wish.included.push(value()?.into_string().map_err(|_other| usage())?);
        } else if argument == "--out" {
            wish.out = Some(PathBuf::from(value()?));
        } else if argument == "--seal" {
            wish.page = Some(PathBuf::from(value()?));
        } else {
            wish.paths.push(PathBuf::from(argument));
        }
    }
    wish.formats.extend(EXPORTS.first().filter(|_| wish.formats.is_empty()));
    let needs_folder = wish.formats.len() > 1 || wish.page.is_some();
    if wish.paths.is_empty() || (needs_folder && wish.out.is_none()) {
        return Err(usage());
    }
    Ok(wish)
}

/// Reads what is there and writes what is wished for.
fn export(wish: &Wish) -> Result<(), Vec<String>> {
    let mut files: Vec<Dropped> = Vec::new();
    let mut pruned = Vec::new();
    for path in &wish.paths {
        let walk = walk_disk_with(path, &wish.included)
            .map_err(|err| vec![format!("{}: {err}", path.display())])?;
        files.extend(walk.files);
        pruned.extend(walk.pruned);
    }
    let core = Core::default();
    pollster::block_on(core.open(files, pruned, &Pulse::silent()))
        .map_err(|failure| vec![failure.to_string()])?;
    if !core.has_evaluations() {
        let mut reasons = core.losses();
        reasons.push("nothing could be read".to_owned());
        return Err(reasons);
    }
    if let Ok(Answer::Workspace(tree)) = core.answer(Question::Rules(wish.rules.clone()))
        && !tree.rules.complaints.is_empty()
    {
        return Err(tree.rules.complaints);
    }
    let out = wish.out.as_deref();
    if let Some(page) = &wish.page {
        let Download { name, bytes, .. } = sealed(&core, page, &wish.rules)?;
        return target(out, &name)
            .and_then(|mut target| target.write_all(&bytes))
            .map_err(|err| vec![format!("{name}: {err}")]);
    }
    for export in &wish.formats {
        // A large export is never whole in memory.
        let mut target =
            target(out, export.file).map_err(|err| vec![format!("{}: {err}", export.file)])?;
        let mut take = |part: &[u8]| target.write_all(part);
        let pulse = Pulse::silent();
        pollster::block_on(core.export_into(export.kind, Scope::default(), &pulse, &mut take))
            .map_err(|failure| vec![format!("{}: {failure}", export.file)])?;
    }
    Ok(())
}

/// The file `page` with everything that `core` holds in it.
fn sealed(core: &Core, page: &Path, rules: &RuleWords) -> Result<Download, Vec<String>> {
    let name = page.display();
    let html = std::fs::read(page).map_err(|err| vec![format!("{name}: {err}")])?;
    let view = Route { rules: rules.clone(), ..Route::default() }.to_hash(&());
    let made = jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M UTC").to_string();
    let (form, pulse) = (serde_json::json!({ "made": made }).to_string(), Pulse::silent());
    let prepared = core.seal(&view, &form, &pulse);
    let sealed = pollster::block_on(prepared).and_then(|_summary| core.answer(Question::SealSave));
    let Ok(Answer::Export(block)) = sealed else {
        return Err(vec!["the results could not be sealed".to_owned()]);
    };
    let bytes = sealed_file(&html, &block.bytes)
        .ok_or_else(|| vec![format!("{name} is not the page as one file (evalglass.html)")])?;
    Ok(Download { bytes, ..block })
}

/// Where the file `name` is written: into `folder`, or to standard output.
fn target(folder: Option<&Path>, name: &str) -> io::Result<Box<dyn io::Write>> {
    let Some(folder) = folder else { return Ok(Box::new(io::stdout())) };
    std::fs::create_dir_all(folder)?;
    Ok(Box::new(std::fs::File::create(folder.join(name))?))
}
