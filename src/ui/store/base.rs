//! The one store: what is loaded, what is looked at, what goes on.

use crate::address::{CompareView, Page, Route};
use crate::browser::{self, Dragged, Handles, PageFile, Theme};
use crate::render::Look;
use crate::report::{Progress, TableSorting, Target, Tree};
use crate::ui::sealing::SealDialog;
use crate::ui::selection::RowSelection;
use crate::ui::state::{self, Around, Choosing, DropOrigin, Freshness, PagePhase, Unread};
use crate::words::ui::shell::EVERYTHING;
use crate::words::ui::status as words;
use crate::worker::client::{Client, PendingAnswer, WorkerEvent};
use crate::worker::protocol::{Answer, Failure, Question, Request, Task};
use leptos::prelude::*;
use std::collections::HashMap;

use super::{Hosted, SqlState, StorageState, effect, look};

/// A sentence about what has just happened.
#[derive(Debug, Clone)]
pub struct StatusMessage {
    /// The sentence.
    pub sentence: String,
    /// Whether it can be taken back.
    pub can_undo: bool,
}

/// The store. Copies are the same store.
#[derive(Clone, Copy)]
pub struct Store {
    pub(super) client: StoredValue<Option<Client>, LocalStorage>,
    /// What was opened, drop by drop, as far as it is shown.
    pub(super) fresh: RwSignal<Vec<Freshness>>,
    /// And the rest of it.
    pub(super) origins: StoredValue<Vec<DropOrigin<Handles>>, LocalStorage>,
    /// What is loaded.
    pub tree: RwSignal<Tree>,
    /// Counts the changes of the workspace: every answer from before is out of date.
    pub version: RwSignal<u64>,
    /// The view.
    pub route: RwSignal<Route>,
    /// What stands before and after the case, or the run, that is looked at.
    pub around: RwSignal<Around>,
    /// Counts how often the reader went back or forward, or edited the address.
    pub n_turns: RwSignal<u64>,
    /// Whether an address asked for the view before anything was open.
    pub(super) is_linked: RwSignal<bool>,
    /// How far opening has come.
    pub progress: RwSignal<Progress>,
    /// Whether cases are being fetched out of a dataset for what is looked at.
    pub is_fetching: RwSignal<bool>,
    /// Cases that are fetched only when the user says so: of what, and how much it is in words.
    pub unread: RwSignal<Option<Unread>>,
    /// Why nothing is loaded although something was tried.
    pub failure: RwSignal<Option<String>>,
    /// Whether what the address names could not be fetched.
    pub is_missing: RwSignal<bool>,
    /// A sentence about what has just happened.
    pub toast: RwSignal<Option<StatusMessage>>,
    /// Whether the command palette is open.
    pub palette: RwSignal<bool>,
    /// The dialog that saves a sealed report.
    pub sealing: RwSignal<SealDialog>,
    /// The page's file that a sealed report was prepared for.
    pub(super) page_file: StoredValue<Option<PageFile>, LocalStorage>,
    /// What comes with the page.
    pub hosted: Hosted,
    /// What this device keeps.
    pub kept: StorageState,
    /// The engine of the SQL page.
    pub sql: SqlState,
    /// Colours.
    pub theme: RwSignal<Theme>,
    /// How numbers and charts are to look.
    pub look: RwSignal<Look>,
    /// Tables of the present page that are shown whole.
    pub whole: RwSignal<Vec<String>>,
    /// What was compared last, so that the way to that page leads back to it.
    pub compared: RwSignal<CompareView>,
    /// Roles of columns that were chosen and are not shown by an answer yet.
    pub choosing: RwSignal<Choosing>,
    /// How tables of the present page are sorted, by their id.
    pub sorted: RwSignal<HashMap<String, TableSorting>>,
    /// Whether there is no worker, and none will come.
    pub is_gone: RwSignal<bool>,
    /// Selected rows of the table of cases that is shown.
    pub selection: RwSignal<RowSelection>,
    pub(super) n_opening: RwSignal<u32>,
}

/// The store of the page.
pub fn use_store() -> Store {
    expect_context()
}

impl Store {
    /// Starts the worker, reads address and theme, and puts the store into the context.
    pub fn provide() -> Self {
        let hosted = Hosted::default();
        Self::begin_sealed(hosted);
        let hash = browser::hash();
        let store = Self {
            client: StoredValue::new_local(None),
            fresh: RwSignal::default(),
            origins: StoredValue::new_local(Vec::new()),
            tree: RwSignal::default(),
            version: RwSignal::new(0),
            route: RwSignal::new(Route::from_hash(&hash, &())),
            around: RwSignal::default(),
            n_turns: RwSignal::new(0),
            is_linked: RwSignal::new(hash.len() > 1),
            progress: RwSignal::default(),
            is_fetching: RwSignal::new(false),
            unread: RwSignal::new(None),
            failure: RwSignal::new(None),
            is_missing: RwSignal::new(false),
            toast: RwSignal::new(None),
            palette: RwSignal::new(false),
            sealing: RwSignal::default(),
            page_file: StoredValue::new_local(None),
            hosted,
            kept: StorageState::default(),
            sql: SqlState::default(),
            theme: RwSignal::new(browser::theme()),
            look: RwSignal::new(look::remembered()),
            whole: RwSignal::default(),
            compared: RwSignal::default(),
            choosing: RwSignal::default(),
            sorted: RwSignal::default(),
            is_gone: RwSignal::new(false),
            selection: RwSignal::default(),
            n_opening: RwSignal::new(0),
        };
        provide_context(store);
        store.client.set_value(Some(Client::start(move |event| store.hear(event))));
        store.keep_rules_in_force();
        effect(move || {
            let view = store
                .route
                .with(|route| (route.page == Page::Compare).then(|| route.compare.clone()));
            if let Some(view) = view {
                store.compared.set(view);
            }
        });
        store.begin_columns();
        for picked in browser::opened_before() {
            store.open(picked);
        }
        store.open_hosted();
        if let Some(dragged) = browser::dropped_before() {
            store.open_dragged(dragged);
        }
        look::keep(store);
        store.keep_watch();
        browser::on_hook("reopen", move |handles| store.open_dragged(Dragged::again(handles)));
        browser::on_hook("keepRecent", move |handles| {
            store.list_recent(&handles, (None, String::new()))
        });
        browser::on_link(move |address| {
            store.follow(&store.route_of(address));
            store.palette.set(false);
        });
        browser::on_hash_change(move || {
            let mut route = store.route_of(&browser::hash());
            let roles = store.route.with_untracked(|old| old.roles.clone());
            // Tables stay as they are read: an older step of the history says nothing of them.
            if route.roles.is_empty() {
                route.roles.clone_from(&roles);
            }
            if store.route.with_untracked(|old| *old != route) {
                store.is_linked.set(untrack(|| store.is_empty()));
                store.route.set(route);
                store.follow_columns(&roles);
                store.n_turns.update(|n| *n += 1);
            }
        });
        store
    }

    /// The state of the page.
    pub fn phase(self) -> PagePhase {
        let has_failed = self.failure.with(Option::is_some) || self.is_missing.get();
        PagePhase::of(self.n_opening.get(), self.is_empty(), has_failed)
    }

    /// Whether nothing is loaded.
    pub fn is_empty(self) -> bool {
        self.tree.with(|tree| tree.evaluations.is_empty())
    }

    /// Shows the table with this id whole.
    pub fn show_whole(self, table: &str) {
        // The button goes, so the focus goes to what it has made longer.
        browser::focus(&format!("rows-{table}"));
        self.whole.update(|whole| whole.push(table.to_owned()));
    }

    /// Asks the worker. [`withdraw`](Self::withdraw) takes what is given back.
    pub fn ask(
        self,
        request: impl Into<Request>,
        on_answer: impl FnOnce(Result<Answer, Failure>) + 'static,
    ) -> Option<PendingAnswer> {
        let answered = move |answer: Result<Answer, Failure>| {
            if let Err(Failure::Unread { targets, n_runs, n_bytes }) = &answer {
                self.unread.set(Some(Unread::new(targets, *n_runs, *n_bytes)));
            }
            on_answer(answer);
        };
        Some(self.client.get_value()?.ask(request, answered))
    }

    /// Reads the cases of `targets` out of their dataset, however many bytes that takes.
    pub fn read_cases(self, targets: Vec<Target>) {
        let Some(client) = self.client.get_value() else { return };
        self.progress.set(Progress::default());
        self.n_opening.update(|n| *n += 1);
        client.change(Task::ReadCases(targets), Vec::new(), move |answer| {
            self.n_opening.update(|n| *n = n.saturating_sub(1));
            self.unread.set(None);
            match answer {
                Ok(Answer::Workspace(tree)) => self.replace_tree(tree),
                // What is looked at asks for it again.
                Ok(_) | Err(Failure::Unread { .. } | Failure::Cancelled) => {}
                Err(failure) => self.say(failure.to_string()),
            }
        });
    }

    /// The answer to what was `asked` is no longer wanted: what asked for it has gone, or asks for something else.
    pub fn withdraw(self, asked: Option<PendingAnswer>) {
        if let (Some(client), Some(asked)) = (self.client.try_get_value().flatten(), asked) {
            client.withdraw(asked);
        }
    }

    /// Forgets an evaluation, or everything.
    pub fn remove(self, evaluation: Option<u32>) {
        let name = match evaluation {
            Some(id) => self.name_of(id).unwrap_or_default(),
            None => EVERYTHING.to_owned(),
        };
        self.change(evaluation.map_or(Question::Clear, Question::Remove));
        self.toast.set(Some(StatusMessage { sentence: words::removed(&name), can_undo: true }));
    }

    /// Changes the workspace, or how it is judged or shown.
    pub fn change(self, request: impl Into<Request>) {
        let Some(client) = self.client.get_value() else { return };
        client.change(request, Vec::new(), move |answer| match answer {
            Ok(Answer::Workspace(tree)) => self.replace_tree(tree),
            Ok(_) => {}
            Err(failure) => self.say(failure.to_string()),
        });
    }

    pub(super) fn replace_tree(self, tree: Tree) {
        let old = self.route.get_untracked();
        let route = self.tree.with_untracked(|known| state::carried(&old, known, &tree));
        let is_open = |member: &Target| {
            let id = state::evaluation_of(*member);
            tree.evaluations.iter().any(|node| id == Some(node.id))
        };
        if !self.compared.with_untracked(|view| view.sides.iter().flatten().all(is_open)) {
            self.compared.set(CompareView::default());
        }
        self.tree.set(tree);
        self.version.update(|version| *version += 1);
        self.adjust(|view| *view = route);
    }

    /// Switches to the next theme.
    pub fn next_theme(self) {
        let theme = self.theme.get_untracked().next();
        self.theme.set(theme);
        browser::set_theme(theme);
    }

    /// Says what has just happened.
    pub fn say(self, sentence: impl Into<String>) {
        self.toast.set(Some(StatusMessage { sentence: sentence.into(), can_undo: false }));
    }

    fn hear(self, event: WorkerEvent) {
        match event {
            WorkerEvent::Progress(progress) => self.progress.set(progress),
            WorkerEvent::Fetching(is_on) => self.is_fetching.set(is_on),
            WorkerEvent::Died { reason, is_restarting: true } => {
                self.is_fetching.set(false);
                self.say(words::restarted(reason));
            }
            WorkerEvent::Died { reason, is_restarting: false } => {
                self.tree.set(Tree::default());
                self.toast.set(None);
                self.is_gone.set(true);
                self.failure.set(Some(words::died(reason)));
            }
            WorkerEvent::Restored(tree) => {
                // Views that have failed stay so: asking again by itself could end the worker again.
                self.tree.set(tree);
                self.say(words::RESTORED);
            }
        }
    }
}
