//! What each file was taken for, and what could not be used.

use crate::report::{FileLine, FilesReport, Note, Place};
use crate::ui::components::PanelView;
use crate::ui::format;
use crate::ui::state::{ask, handler, live, shown, use_store};
use crate::worker::protocol::{Answer, Request};
use leptos::prelude::*;
use std::sync::Arc;

/// Rows that are drawn before the reader asks for the rest.
const FIRST_ROWS: usize = 300;

/// Notes, then files.
#[component]
pub fn NotesPage() -> impl IntoView {
    let store = use_store();
    let panel = ask(
        store,
        || Request::Files,
        |answer| match answer {
            Answer::Files(files) => Ok(files),
            _ => Err("The worker gave another answer.".to_owned()),
        },
    );
    view! {
        <div class="notes">
            <header class="page-head">
                <h1 class="page-head__title">"Notes"</h1>
                <p class="page-head__lead">
                    "What could not be used or had to be decided, and what each file was taken for."
                </p>
            </header>
            <PanelView panel what="the notes" draw=draw/>
        </div>
    }
}

fn draw(report: Arc<FilesReport>) -> AnyView {
    let notes = if report.notes.is_empty() {
        view! { <p class="panel panel--empty">"No notes: everything in the files was used."</p> }
            .into_any()
    } else {
        view! { <NotesTable notes=report.notes.clone()/> }.into_any()
    };
    let is_whole = RwSignal::new(report.files.len() <= FIRST_ROWS);
    let n_files = report.files.len() as u64;
    let rows = move || {
        let limit = if is_whole.get() { usize::MAX } else { FIRST_ROWS };
        report.files.iter().take(limit).map(file_row).collect_view()
    };
    view! {
        <section aria-labelledby="notes-heading">
            <h2 class="case__heading" id="notes-heading">"What was noted"</h2>
            {notes}
        </section>
        <section aria-labelledby="files-heading">
            <h2 class="case__heading" id="files-heading">{format::counted(n_files, "file", "files")}</h2>
            <div class="data-table__scroll" role="group" aria-label="Files" tabindex="0">
                <table>
                    <thead>
                        <tr>
                            <th scope="col" class="is-start">"File"</th>
                            <th scope="col" class="is-start">"Taken for"</th>
                            <th scope="col" class="is-start">"Because"</th>
                            <th scope="col" class="is-end">"Size"</th>
                        </tr>
                    </thead>
                    <tbody>{live(rows)}</tbody>
                </table>
            </div>
            {shown(move || !is_whole.get(), move || view! {
                <button type="button" class="button button--small" on:click=handler(move |_| is_whole.set(true))>"Show all"</button>
            }.into_any())}
        </section>
    }
    .into_any()
}

fn file_row(file: &FileLine) -> AnyView {
    view! {
        <tr>
            <th scope="row" class="is-start notes__path">{file.path.clone()}</th>
            <td class="is-start">{file.reader.clone()} ", " {file.role.clone()}</td>
            <td class="is-start notes__why">{file.why.clone()}</td>
            <td class="is-end">{format::bytes(file.n_bytes)}</td>
        </tr>
    }
    .into_any()
}

/// Notes with file, place and count.
#[component]
pub fn NotesTable(
    /// The notes, in display order.
    notes: Vec<Note>,
) -> impl IntoView {
    let is_whole = RwSignal::new(notes.len() <= FIRST_ROWS);
    let rows = move || {
        let limit = if is_whole.get() { usize::MAX } else { FIRST_ROWS };
        notes.iter().take(limit).map(note_row).collect_view()
    };
    view! {
        <div class="data-table__scroll" role="group" aria-label="Notes" tabindex="0">
            <table>
                <thead>
                    <tr>
                        <th scope="col" class="is-start">"Kind"</th>
                        <th scope="col" class="is-start">"What"</th>
                        <th scope="col" class="is-start">"Where"</th>
                        <th scope="col" class="is-end">"Times"</th>
                    </tr>
                </thead>
                <tbody>{live(rows)}</tbody>
            </table>
        </div>
        {shown(move || !is_whole.get(), move || view! {
            <button type="button" class="button button--small" on:click=handler(move |_| is_whole.set(true))>"Show all"</button>
        }.into_any())}
    }
}

fn note_row(note: &Note) -> AnyView {
    let places: Vec<String> =
        note.places.iter().filter(|place| **place != Place::File).map(Place::to_string).collect();
    let class = if note.kind.is_loss() { "notes__kind notes__kind--loss" } else { "notes__kind" };
    view! {
        <tr>
            <td class="is-start"><span class=class>{note.kind.as_str()}</span></td>
            <td class="is-start notes__what">{note.detail.clone()}</td>
            <th scope="row" class="is-start notes__path">
                {note.file.clone()}
                <span class="notes__places">{places.join("; ")}</span>
            </th>
            <td class="is-end">{format::count(note.count)}</td>
        </tr>
    }
    .into_any()
}
