//! Exports what files and folders hold: the worker's core, without a browser.
//!
//! `cargo run --release --example report -- [--format NAME] [--out DIR] [--rule NAME=VALUE]… PATH…`
//!
//! Without `--format`, `evalglass-report/1` is printed. `--out` writes files under the names that the page
//! gives them, and then `--format all` is every one of them. Rules are those of the page's address:
//! `--rule policy=all-cases --rule 'gate=avg_score(*) >= 0.8'`. Exit 2 with the reasons when nothing
//! could be read, or an argument is not understood.
//!
//! `--mapping columns.json` says what the columns of a table are (see `docs/formats.md`), before any mapping file that lies
//! beside it.
//!
//! `--gate 'accuracy(*) >= 80'` is `--rule gate=…`, and ends with exit 3 when a run does not pass it, or it cannot be
//! evaluated; `--fail-on gate` does the same by the gates that the files declare. The reasons are on standard error.
//!
//! `--seal evalglass.html --out DIR` writes a sealed report instead: that page with everything in it.
//!
//! `--baseline PATH --candidate PATH` compares what they hold (`PATH#SUBJECT`: one model or agent of it), with
//! `--margin 0.02` for what does not matter, and adds `comparisons` to the report; `--format comparison-md` is a
//! summary of it for a pull request, `--format comparison-html` a page, `--format pairs-csv` every pair. `--fail-on worse` ends with exit 3 when a
//! candidate is worse, `--fail-on guard` when one loses more than the margin. See `docs/compare.md`.
//!
//! `--dataset DIR` adds what the paths hold to a dataset of Parquet tables for SQL engines, `--with-details` with its long texts;
//! `--index DIR` derives the small tables of one anew; `--sql QUERY DIR` answers with CSV. See `docs/dataset.md`.

#[path = "report/dataset.rs"]
mod dataset;

use evalglass::address::Route;
use evalglass::export::seal::{SealWishes, sealed_file};
use evalglass::export::{EXPORTS, Export, ExportTarget};
use evalglass::input::{Dropped, MemorySource, Pulse, walk_disk_with};
use evalglass::model::PAGE_MAPPINGS;
use evalglass::report::compare::{CompareQuery, Guard, PairBy, SideSpec, VerdictIs};
use evalglass::report::{RuleWords, Target, Tree, rule_of_argument};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, Download, Question};
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;

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
    /// What is compared: path and subject, the baseline first.
    baseline: Option<String>,
    candidates: Vec<String>,
    /// How.
    query: CompareQuery,
    /// The files of a comparison that are asked for.
    compared: Vec<&'static str>,
    /// On what of a comparison the program ends with exit 3.
    fail_on: Option<FailOn>,
    /// Mapping files for tables.
    mappings: Vec<PathBuf>,
    /// The dataset that is written to, the one whose small tables are derived, the question to one.
    dataset: dataset::Wish,
    /// Whether it does when a gate in force does not let a run pass.
    is_gated: bool,
}

/// What a pipeline stops on.
#[derive(Clone, Copy)]
enum FailOn {
    /// A candidate is worse.
    Worse,
    /// A candidate loses more than the margin.
    Guard,
}

/// Files of a comparison, by the names that `--format` gives them.
const COMPARED: [(&str, &str); 3] = [
    ("comparison-md", "evalglass-comparison.md"),
    ("comparison-html", "evalglass-comparison.html"),
    ("pairs-csv", "evalglass-pairs.csv"),
];

fn main() -> ExitCode {
    let done = wish(std::env::args_os().skip(1)).and_then(|wish| match wish.dataset.is_asked() {
        true => dataset::run(&wish),
        false => export(&wish),
    });
    match done {
        Ok(false) => ExitCode::SUCCESS,
        Ok(true) => ExitCode::from(3),
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
        "       report --gate 'accuracy(*) >= 80' PATH…: exit 3 when a run does not pass (--fail-on gate: by declared gates)"
            .to_owned(),
        "       report --mapping columns.json PATH…: what the columns of a table are".to_owned(),
        "       report --seal evalglass.html --out DIR [--rule NAME=VALUE]… PATH…".to_owned(),
        "       report --baseline PATH[#SUBJECT] --candidate PATH[#SUBJECT]… [--margin 0.02] [--fail-on worse|guard] [--pair key|id|input] [--strip PATTERN] …"
            .to_owned(),
        "       report --dataset DIR [--with-details] [--mapping columns.json]… [--include FOLDER]… PATH…: Parquet tables for SQL engines"
            .to_owned(),
        "       report --index DIR, report --sql QUERY DIR: the small tables of a dataset anew; a query over one".to_owned(),
        format!("formats: {}, and with --out: all", names.join(", ")),
        "formats of a comparison: comparison-md, comparison-html, pairs-csv".to_owned(),
    ]
}

fn wish(mut arguments: impl Iterator<Item = OsString>) -> Result<Wish, Vec<String>> {
    let mut wish = Wish::default();
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(usage);
        if argument == "--rule" {
            let rule = value()?.into_string().map_err(|_other| usage())?;
            wish.rules.push(rule_of_argument(&rule));
        } else if argument == "--mapping" {
            wish.mappings.push(PathBuf::from(value()?));
        } else if argument == "--gate" {
            let gate = value()?.into_string().map_err(|_other| usage())?;
            wish.rules.push(("gate".to_owned(), gate));
            wish.is_gated = true;
        } else if argument == "--format" {
            let name = value()?.into_string().map_err(|_other| usage())?;
            match Export::named(&name) {
                Some(export) => wish.formats.push(export),
                None if COMPARED.iter().any(|(known, _)| *known == name) => {
                    let known = COMPARED.iter().find(|(known, _)| *known == name);
                    wish.compared.extend(known.map(|(known, _)| *known));
                }
                None if name == "all" => wish.formats.extend(&EXPORTS),
                None => return Err(usage()),
            }
        } else if argument == "--include" {
            wish.included.push(value()?.into_string().map_err(|_other| usage())?);
        } else if argument == "--out" {
            wish.out = Some(PathBuf::from(value()?));
        } else if argument == "--seal" {
            wish.page = Some(PathBuf::from(value()?));
        } else if argument == "--baseline" {
            wish.baseline = Some(value()?.into_string().map_err(|_other| usage())?);
        } else if argument == "--candidate" {
            wish.candidates.push(value()?.into_string().map_err(|_other| usage())?);
        } else if argument == "--dataset" {
            wish.dataset.to = Some(PathBuf::from(value()?));
        } else if argument == "--index" {
            wish.dataset.index = Some(PathBuf::from(value()?));
        } else if argument == "--sql" {
            wish.dataset.query = Some(value()?.into_string().map_err(|_other| usage())?);
        } else if argument == "--with-details" {
            wish.dataset.with_details = true;
        } else if argument == "--margin" {
            let margin = value()?.into_string().ok().and_then(|text| text.parse().ok());
            let margin = margin.filter(|margin: &f64| margin.is_finite() && *margin >= 0.0);
            wish.query.margin = margin.ok_or_else(usage)?;
        } else if argument == "--pair" {
            let by = value()?.into_string().ok().and_then(|text| PairBy::from_text(&text));
            wish.query.by = Some(by.ok_or_else(usage)?);
        } else if argument == "--strip" {
            wish.query.strip = value()?.into_string().map_err(|_other| usage())?;
        } else if argument == "--fail-on" {
            let what = value()?;
            match what.to_str() {
                Some("worse") => wish.fail_on = Some(FailOn::Worse),
                Some("guard") => wish.fail_on = Some(FailOn::Guard),
                Some("gate") => wish.is_gated = true,
                _ => return Err(usage()),
            }
        } else {
            wish.paths.push(PathBuf::from(argument));
        }
    }
    if wish.dataset.is_asked() {
        let missing = dataset::missing(&wish);
        return match missing {
            Some(missing) => Err([vec![missing.to_owned()], usage()].concat()),
            None => Ok(wish),
        };
    }
    let is_any = !wish.formats.is_empty() || !wish.compared.is_empty();
    wish.formats.extend(EXPORTS.first().filter(|_| !is_any));
    let needs_folder = wish.formats.len() + wish.compared.len() > 1 || wish.page.is_some();
    let compares = wish.baseline.is_some() && !wish.candidates.is_empty();
    let is_half = wish.baseline.is_some() == wish.candidates.is_empty();
    let needs_sides = wish.fail_on.is_some() || !wish.compared.is_empty();
    let missing = if is_half || (needs_sides && !compares) {
        Some("a comparison needs --baseline and --candidate")
    } else if needs_folder && wish.out.is_none() {
        Some("several files, or a sealed report, need --out DIR")
    } else {
        (wish.paths.is_empty() && !compares).then_some("nothing to read is named")
    };
    if let Some(missing) = missing {
        return Err([vec![missing.to_owned()], usage()].concat());
    }
    Ok(wish)
}

/// A side as it is asked for: its path, and its subject where one is named.
fn side_of(text: &str) -> (&Path, Option<&str>) {
    match text.rsplit_once('#') {
        Some((path, subject)) if !Path::new(text).exists() => (Path::new(path), Some(subject)),
        _ => (Path::new(text), None),
    }
}

/// The sides of the comparison, by what lies in the folder of each; why not.
fn query(wish: &Wish, tree: &Tree) -> Result<CompareQuery, Vec<String>> {
    let mut found = wish.query.clone();
    for (at, text) in wish.baseline.iter().chain(&wish.candidates).enumerate() {
        let (_, subject) = side_of(text);
        let folder = folder_of(at);
        let own =
            tree.evaluations.iter().filter(|node| node.path.split('/').next() == Some(&folder));
        let members: Vec<Target> = own
            .flat_map(|node| &node.runs)
            .filter(|run| subject.is_none() || run.subject.as_deref() == subject)
            .map(|run| Target::Run(run.run))
            .collect();
        if members.is_empty() {
            return Err(vec![format!("{text}: nothing to compare could be read")]);
        }
        found.sides.push(SideSpec { label: text.clone(), members });
    }
    Ok(found)
}

/// The folder that the files of side `at` are read into, so that sides of the same name stay apart.
fn folder_of(at: usize) -> String {
    format!("side {}", at + 1)
}

/// Reads what is there and writes what is wished for; whether the condition to fail on holds.
fn export(wish: &Wish) -> Result<bool, Vec<String>> {
    let mut files: Vec<Dropped> = Vec::new();
    let mut pruned = Vec::new();
    let sides = wish.baseline.iter().chain(&wish.candidates).enumerate();
    let sides = sides.map(|(at, text)| (side_of(text).0, Some(folder_of(at))));
    let plain = wish.paths.iter().map(|path| (path.as_path(), None));
    for (path, folder) in plain.chain(sides) {
        let walk = walk_disk_with(path, &wish.included)
            .map_err(|err| vec![format!("{}: {err}", path.display())])?;
        files.extend(walk.files.into_iter().map(|file| match &folder {
            Some(folder) => Dropped { path: format!("{folder}/{}", file.path), ..file },
            None => file,
        }));
        pruned.extend(walk.pruned);
    }
    files.extend(mappings(wish)?);
    let core = Core::default();
    pollster::block_on(core.open(files, pruned, &Pulse::silent()))
        .map_err(|failure| vec![failure.to_string()])?;
    pollster::block_on(core.read_all_cases(&Pulse::silent()))
        .map_err(|failure| vec![failure.to_string()])?;
    let of_mappings: Vec<String> =
        core.losses().into_iter().filter(|loss| loss.contains(PAGE_MAPPINGS)).collect();
    if !of_mappings.is_empty() {
        return Err(of_mappings);
    }
    if !core.has_evaluations() {
        let mut reasons = core.losses();
        reasons.push("nothing could be read".to_owned());
        return Err(reasons);
    }
    let mut compared = None;
    if let Ok(Answer::Workspace(tree)) = core.answer(Question::Rules(wish.rules.clone())) {
        if !tree.rules.complaints.is_empty() {
            return Err(tree.rules.complaints);
        }
        if wish.baseline.is_some() {
            compared = Some(query(wish, &tree)?);
        }
    }
    let out = wish.out.as_deref();
    let stops = wish.is_gated && is_stopped(&core);
    if let Some(page) = &wish.page {
        let Download { name, bytes, .. } = sealed(&core, page, &wish.rules)?;
        return target(out, &name)
            .and_then(|mut target| target.write_all(&bytes))
            .map(|()| stops)
            .map_err(|err| vec![format!("{name}: {err}")]);
    }
    for export in &wish.formats {
        // A large export is never whole in memory.
        let mut target =
            target(out, export.file).map_err(|err| vec![format!("{}: {err}", export.file)])?;
        let mut take = |part: &[u8]| target.write_all(part);
        let pulse = Pulse::silent();
        let scope = ExportTarget { compare: compared.as_ref(), ..ExportTarget::default() };
        pollster::block_on(core.export_into(export.kind, scope, &pulse, &mut take))
            .map_err(|failure| vec![format!("{}: {failure}", export.file)])?;
    }
    match compared {
        Some(query) => comparison(&core, wish, &query).map(|fails| fails || stops),
        None => Ok(stops),
    }
}

/// The mapping files that are asked for.
fn mappings(wish: &Wish) -> Result<Vec<Dropped>, Vec<String>> {
    let read = |(at, path): (usize, &PathBuf)| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let bytes =
            std::fs::read(path).map_err(|err| vec![format!("{}: {err}", path.display())])?;
        let path = format!("{PAGE_MAPPINGS}/{} {name}", at + 1);
        Ok(Dropped { path, data: Rc::new(MemorySource::new(bytes)) })
    };
    wish.mappings.iter().enumerate().map(read).collect()
}

/// Whether a gate in force does not let a run pass; says which, why, and what could not be read.
fn is_stopped(core: &Core) -> bool {
    let faults = core.gate_faults();
    for line in core.losses().iter().chain(&faults) {
        eprintln!("{line}");
    }
    !faults.is_empty()
}

/// Writes the files of a comparison; whether the condition to fail on holds.
fn comparison(core: &Core, wish: &Wish, query: &CompareQuery) -> Result<bool, Vec<String>> {
    let failed = |what: &dyn std::fmt::Display| vec![format!("comparison: {what}")];
    for (name, file) in COMPARED.iter().filter(|(name, _)| wish.compared.contains(name)) {
        let mut target = target(wish.out.as_deref(), file).map_err(|err| failed(&err))?;
        let written = if *name == "pairs-csv" {
            let sides = 1..query.sides.len();
            let tables =
                sides.map(|side| core.pairs_csv(query, side)).collect::<Result<Vec<_>, _>>();
            tables.map_err(|err| failed(&err))?.concat()
        } else if *name == "comparison-html" {
            core.comparison_html(query).map_err(|err| failed(&err))?
        } else {
            core.comparison_markdown(query).map_err(|err| failed(&err))?.into_bytes()
        };
        target.write_all(&written).map_err(|err| failed(&err))?;
    }
    let found = core.compare(query).map_err(|err| failed(&err))?;
    if let Some(why) = found.complaint {
        return Err(failed(&why));
    }
    for versus in &found.candidates {
        eprintln!("{}: {}", versus.verdict.title, versus.verdict.why);
    }
    Ok(found.candidates.iter().any(|versus| match wish.fail_on {
        Some(FailOn::Worse) => versus.verdict.is == VerdictIs::Worse,
        Some(FailOn::Guard) => versus.guard == Guard::Broken,
        None => false,
    }))
}

/// The file `page` with everything that `core` holds in it.
fn sealed(core: &Core, page: &Path, rules: &RuleWords) -> Result<Download, Vec<String>> {
    let name = page.display();
    let html = std::fs::read(page).map_err(|err| vec![format!("{name}: {err}")])?;
    let view = Route { rules: rules.clone(), ..Route::default() }.to_hash(&());
    let made = jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M UTC").to_string();
    let (wishes, pulse) = (SealWishes { made, ..SealWishes::default() }, Pulse::silent());
    let prepared = core.seal(&view, wishes, &pulse);
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
