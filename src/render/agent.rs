//! The page about what the agent of a run did: its documents by name, each read when it comes near or is
//! opened, the errors at once.

use super::View;
use super::case::{self, Reading};
use crate::address::{Page, Route};
use crate::format;
use crate::markup::Markup;
use crate::model::RunUsage;
use crate::report::{AgentPage, AgentRun, AgentView, DocumentKind, DocumentLine, Link, Target};

/// Ids of the ways to the runs before and after, which keys press.
const AROUND: [(&str, &str, &str); 2] =
    [("case-previous", "k", "Previous run"), ("case-next", "j", "Next run")];

/// The page. `read` gives a document, or why it cannot be read; `spot` is what is looked at.
pub fn agent_page(
    page: &AgentPage,
    spot: &str,
    view: View<'_>,
    read: &dyn Fn(u32) -> Result<std::rc::Rc<Reading>, String>,
) -> Markup {
    let mut out = Markup::new();
    out.open("article").class("case").body(|out| match page {
        AgentPage::Runs(runs) => list(runs, view, out),
        AgentPage::Run(run) => of_run(run, spot, view, read, out),
    });
    out
}

fn href(link: &Link, view: View<'_>) -> String {
    Route::of_link(link, Page::Agent, view.target, view.names).to_hash(view.names)
}

fn list(runs: &[AgentRun], view: View<'_>, out: &mut Markup) {
    out.open("header").class("page-head").body(|out| {
        out.open("h1").class("page-head__title").text("Agent");
        let lead = if runs.is_empty() {
            "The files hold nothing beyond the cases: no event stream of an agent, no prompt, no changes."
        } else {
            "What the agent of each run was told, did and changed. Choose a run."
        };
        out.open("p").class("page-head__lead").text(lead);
    });
    if runs.is_empty() {
        return;
    }
    out.open("div").class("data-table__scroll").body(|out| {
        out.open("table").body(|out| {
            out.open("thead").body(|out| {
                out.open("tr").body(|out| {
                    for title in ["Run", "Evaluation", "Documents", "Error"] {
                        out.open("th").attr("scope", "col").text(title);
                    }
                });
            });
            out.open("tbody").body(|out| {
                for line in runs {
                    out.open("tr").body(|out| run_line(line, view, out));
                }
            });
        });
    });
}

fn run_line(line: &AgentRun, view: View<'_>, out: &mut Markup) {
    let [evaluation, run] = &line.labels;
    let link = Link::Agent { run: line.run, spot: String::new() };
    out.open("th").attr("scope", "row").body(|out| {
        out.open("a").class("link").href(&href(&link, view)).attr("dir", "auto").text(run);
    });
    out.open("td").body(|out| out.open("bdi").text(evaluation));
    out.open("td").class("is-end").text(&format::count(line.n_documents));
    out.open("td").body(|out| {
        if let Some(link) = &line.failed {
            out.open("a").class("link").href(&href(link, view)).text("Last step and error");
        }
    });
}

fn of_run(
    run: &AgentView,
    spot: &str,
    view: View<'_>,
    read: &dyn Fn(u32) -> Result<std::rc::Rc<Reading>, String>,
    out: &mut Markup,
) {
    nav(run, view, out);
    out.open("header").class("page-head").body(|out| {
        out.open("p").class("case__crumbs").body(|out| {
            let [evaluation, label] = &run.labels;
            out.open("bdi").text(evaluation);
            out.text(" / ");
            out.open("bdi").text(label);
        });
        out.open("h1").class("page-head__title").text("What the agent did");
    });
    facts(run, out);
    if run.documents.is_empty() {
        out.open("p").class("panel panel--empty").text(
            "The files of this run hold no event stream of an agent, no prompt and no changes.",
        );
        return;
    }
    contents(run, view, out);
    for document in &run.documents {
        section(document, read, run, out);
    }
    let (place, message) = spot.split_once('-').unwrap_or((spot, ""));
    let known = run.documents.iter().find(|document| document.place.to_string() == place);
    if let Some(document) = known
        && let Ok(reading) = read(document.place)
    {
        case::way_to_spot(&reading, message, &element(document.place), out);
    }
}

fn nav(run: &AgentView, view: View<'_>, out: &mut Markup) {
    out.open("nav").class("case__nav").attr("aria-label", "Run").body(|out| {
        let overview =
            Route { page: Page::Overview, target: Target::Run(run.run), ..Route::default() };
        out.open("a")
            .class("button button--quiet")
            .href(&overview.to_hash(view.names))
            .text("← Overview of the run");
        for ((id, key, words), beside) in AROUND.into_iter().zip(run.around) {
            if let Some(beside) = beside {
                let link = Link::Agent { run: beside, spot: String::new() };
                out.open("a")
                    .class("button button--small")
                    .attr("id", id)
                    .attr("title", key)
                    .href(&href(&link, view))
                    .text(words);
            }
        }
    });
}

/// Who it was, and what it used.
fn facts(run: &AgentView, out: &mut Markup) {
    let usage = run.usage.unwrap_or_default();
    let RunUsage { prompt_tokens, completion_tokens, cached_input_tokens, .. } = usage;
    let tokens = |n: Option<f64>| n.map(|n| format::number(n, 0));
    let all = [
        ("Subject", run.subject.clone()),
        ("Steps", tokens(usage.n_steps)),
        ("Agent time", usage.agent_secs.map(format::secs)),
        ("Cost", usage.cost_usd.map(|usd| format::usd(usd, false))),
        ("Input tokens", tokens(prompt_tokens)),
        ("Output tokens", tokens(completion_tokens)),
        ("Cache read tokens", tokens(cached_input_tokens)),
    ];
    if all.iter().all(|(_, value)| value.is_none()) {
        return;
    }
    out.open("dl").class("facts").body(|out| {
        for (label, value) in all {
            let Some(value) = value else { continue };
            out.open("div").class("facts__item").body(|out| {
                out.open("dt").text(label);
                out.open("dd").body(|out| out.open("bdi").text(&value));
            });
        }
    });
}

fn contents(run: &AgentView, view: View<'_>, out: &mut Markup) {
    let label = "Documents of this run";
    out.open("nav").class("case__contents").attr("aria-label", label).body(|out| {
        if let Some(link) = &run.last_step {
            out.open("a").class("chip chip--link").href(&href(link, view)).text("Last step");
        }
        for document in &run.documents {
            let spot = document.place.to_string();
            case::way_to_part(&element(document.place), &spot, &document.title, out);
        }
    });
}

/// Id of the heading of a document.
fn element(place: u32) -> String {
    format!("doc-{place}")
}

fn section(
    document: &DocumentLine,
    read: &dyn Fn(u32) -> Result<std::rc::Rc<Reading>, String>,
    run: &AgentView,
    out: &mut Markup,
) {
    let name = case::whole_name(run.run, document.place);
    out.open("section").class("case__section").body(|out| {
        out.open("h2")
            .class("case__heading")
            .attr("id", &element(document.place))
            .attr("tabindex", "-1")
            .attr("dir", "auto")
            .text(&document.title);
        out.open("p").class("document__file").body(|out| {
            out.open("bdi").text(&document.file);
            if let Some(len) = document.len {
                out.text(&format!(", {}", format::bytes(len)));
            }
        });
        // Errors are short, and what the page is opened for.
        if document.kind == DocumentKind::Error {
            match read(document.place) {
                Ok(reading) => {
                    out.append(&reading.whole());
                }
                Err(reason) => out.open("p").class("part-failed").text(&reason),
            }
            return;
        }
        let is_open = matches!(
            document.kind,
            DocumentKind::Transcript | DocumentKind::Changes | DocumentKind::Prompt
        );
        if is_open && !document.is_further {
            out.open("div").class("chunk later").attr("data-part", &name).end();
        } else {
            out.open("details").class("fold").attr("data-part", &name).body(|out| {
                out.open("summary").text(&format!("Show “{}”", document.title));
            });
        }
    });
}
