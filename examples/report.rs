//! Prints `evalglass-report/1` for files and folders: the worker's core, without a browser.
//!
//! `cargo run --release --example report -- [--rule NAME=VALUE]… PATH…`; exit 2 with the reasons when
//! nothing could be read or a rule is not understood. Rules are those of the page's address:
//! `--rule policy=all-cases --rule 'gate=avg_score(*) >= 0.8'`.

use evalglass::input::{Dropped, Pulse, walk_disk};
use evalglass::report::RuleWords;
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, ExportKind, Request};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let (mut paths, mut rules) = (Vec::new(), Vec::new());
    let mut arguments = std::env::args_os().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--rule" {
            let rule = arguments.next().unwrap_or_default().into_string().unwrap_or_default();
            let (name, value) = rule.split_once('=').unwrap_or((&rule, ""));
            rules.push((name.to_owned(), value.to_owned()));
        } else {
            paths.push(PathBuf::from(argument));
        }
    }
    match report(&paths, rules) {
        Ok(bytes) => match std::io::stdout().write_all(&bytes) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        },
        Err(reasons) => {
            for reason in reasons {
                eprintln!("{reason}");
            }
            ExitCode::from(2)
        }
    }
}

fn report(paths: &[PathBuf], rules: RuleWords) -> Result<Vec<u8>, Vec<String>> {
    if paths.is_empty() {
        return Err(vec!["usage: report [--rule NAME=VALUE]… PATH…".to_owned()]);
    }
    let mut files: Vec<Dropped> = Vec::new();
    let mut pruned = Vec::new();
    for path in paths {
        let walk = walk_disk(path).map_err(|err| vec![format!("{}: {err}", path.display())])?;
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
    if let Ok(Answer::Workspace(tree)) = core.answer(Request::Rules(rules))
        && !tree.rules.complaints.is_empty()
    {
        return Err(tree.rules.complaints);
    }
    match core.answer(Request::Export(ExportKind::ReportJson)) {
        Ok(Answer::Export(download)) => Ok(download.bytes),
        Ok(_) => Err(vec!["the export gave no file".to_owned()]),
        Err(failure) => Err(vec![failure.to_string()]),
    }
}
