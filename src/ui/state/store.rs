//! The one store: what is loaded, what is looked at, what goes on.

use crate::address::Route;
use crate::browser::{self, Theme, Used};
use crate::render::Look;
use crate::report::{Progress, Tree};
use crate::ui::selection::Selection;
use crate::worker::client::{Client, Event};
use crate::worker::protocol::{Answer, Failure, Question, Request};
use leptos::prelude::*;

use super::watch::{Freshness, Origin};
use super::{Sealing, actions, look, parts};

/// What `<html data-evalglass>` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Nothing is loaded.
    Idle,
    /// Something is being opened.
    Loading,
    /// Something is loaded.
    Ready,
    /// Nothing is loaded, because what was tried failed.
    Failed,
}

impl Phase {
    /// The word of the attribute.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Loading => "loading",
            Self::Ready => "ready",
            Self::Failed => "failed",
        }
    }
}

/// A sentence about what has just happened.
#[derive(Debug, Clone)]
pub struct Said {
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
    pub(super) origins: StoredValue<Vec<Origin>, LocalStorage>,
    /// What is loaded.
    pub tree: RwSignal<Tree>,
    /// Counts the changes of the workspace: every answer from before is out of date.
    pub version: RwSignal<u64>,
    /// The view.
    pub route: RwSignal<Route>,
    /// Counts how often the reader went back or forward, or edited the address.
    pub n_turns: RwSignal<u64>,
    /// Whether an address asked for the view before anything was open.
    pub(super) is_linked: RwSignal<bool>,
    /// How far opening has come.
    pub progress: RwSignal<Progress>,
    /// Why nothing is loaded although something was tried.
    pub failure: RwSignal<Option<String>>,
    /// Whether what the address names could not be fetched.
    pub is_missing: RwSignal<bool>,
    /// A sentence about what has just happened.
    pub toast: RwSignal<Option<Said>>,
    /// Whether the command palette is open.
    pub palette: RwSignal<bool>,
    /// The dialog that saves a sealed report.
    pub sealing: Sealing,
    /// Colours.
    pub theme: RwSignal<Theme>,
    /// How numbers and charts are to look.
    pub look: RwSignal<Look>,
    /// Tables of the present page that are shown whole.
    pub whole: RwSignal<Vec<String>>,
    /// Whether there is no worker, and none will come.
    pub is_gone: RwSignal<bool>,
    /// Selected rows of the table of cases that is shown.
    pub selection: RwSignal<Selection>,
    pub(super) n_opening: RwSignal<u32>,
}

/// The store of the page.
pub fn use_store() -> Store {
    expect_context()
}

impl Store {
    /// Starts the worker, reads address and theme, and puts the store into the context.
    pub fn provide() -> Self {
        let hash = browser::hash();
        let store = Self {
            client: StoredValue::new_local(None),
            fresh: RwSignal::default(),
            origins: StoredValue::new_local(Vec::new()),
            tree: RwSignal::default(),
            version: RwSignal::new(0),
            route: RwSignal::new(Route::from_hash(&hash, &())),
            n_turns: RwSignal::new(0),
            is_linked: RwSignal::new(hash.len() > 1),
            progress: RwSignal::default(),
            failure: RwSignal::new(None),
            is_missing: RwSignal::new(false),
            toast: RwSignal::new(None),
            palette: RwSignal::new(false),
            sealing: Sealing::default(),
            theme: RwSignal::new(browser::theme()),
            look: RwSignal::new(look::remembered()),
            whole: RwSignal::default(),
            is_gone: RwSignal::new(false),
            selection: RwSignal::default(),
            n_opening: RwSignal::new(0),
        };
        provide_context(store);
        store.client.set_value(Some(Client::start(move |event| store.hear(event))));
        store.keep_rules_in_force();
        for picked in browser::opened_before() {
            store.open(picked);
        }
        store.open_sources();
        look::keep(store);
        store.keep_watch();
        browser::on_reopen(move |dragged| store.open_dragged(dragged));
        parts::serve(store);
        let names = ["data-more", "data-save", "data-do", "data-rule", "data-gate", "data-spot"];
        browser::on_use(&names, move |used| store.used(used));
        browser::on_hash_change(move || {
            let route = store.route_of(&browser::hash());
            if store.route.with_untracked(|old| *old != route) {
                store.is_linked.set(untrack(|| store.is_empty()));
                store.route.set(route);
                store.n_turns.update(|n| *n += 1);
            }
        });
        store
    }

    /// The state of the page.
    pub fn phase(self) -> Phase {
        if self.n_opening.get() > 0 {
            Phase::Loading
        } else if !self.is_empty() {
            Phase::Ready
        } else if self.failure.with(Option::is_some) || self.is_missing.get() {
            Phase::Failed
        } else {
            Phase::Idle
        }
    }

    /// Whether nothing is loaded.
    pub fn is_empty(self) -> bool {
        self.tree.with(|tree| tree.evaluations.is_empty())
    }

    /// Does what the use of something drawn by the worker asks for; `false` when it is nothing of ours.
    fn used(self, used: &Used) -> bool {
        let is_palette = self.palette.get_untracked();
        if let Some(spot) = used.get("data-spot") {
            self.adjust(|route| match &mut route.case {
                Some(case) => case.spot = spot,
                None => route.spot = spot,
            });
        } else if let Some(address) = used.get("href") {
            self.follow(&self.route_of(&address));
        } else if let Some(sort) = used.get("data-save") {
            let of = |name: &str| used.get(name).unwrap_or_default();
            self.save_figure(&sort, of("data-figure"), &of("data-name"));
        } else if let Some(word) = used.get("data-do") {
            actions::act(self, &word);
        } else if let Some(table) = used.get("data-more") {
            self.show_whole(&table);
        } else if let Some(name) = used.get("data-rule") {
            self.put_rule(&name, &used.value());
        } else if let Some(edit) = used.get("data-gate") {
            self.edit_gate(edit, used.value());
        } else {
            return false;
        }
        if is_palette {
            self.palette.set(false);
        }
        true
    }

    /// Shows the table with this id whole.
    pub fn show_whole(self, table: &str) {
        // The button goes, so the focus goes to what it has made longer.
        browser::focus(&format!("rows-{table}"));
        self.whole.update(|whole| whole.push(table.to_owned()));
    }

    /// Asks the worker.
    pub fn ask(
        self,
        request: impl Into<Request>,
        on_answer: impl FnOnce(Result<Answer, Failure>) + 'static,
    ) {
        if let Some(client) = self.client.get_value() {
            client.ask(request, on_answer);
        }
    }

    /// Forgets an evaluation, or everything.
    pub fn remove(self, evaluation: Option<u32>) {
        let name = match evaluation {
            Some(id) => self.name_of(id).unwrap_or_default(),
            None => "Everything".to_owned(),
        };
        self.change(evaluation.map_or(Question::Clear, Question::Remove));
        self.toast.set(Some(Said { sentence: format!("{name} was removed."), can_undo: true }));
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
        let mut route = self.tree.with_untracked(|known| old.carried(known, &tree));
        if old.missing.is_none() && route.missing.is_some() {
            // What was looked at is gone, which is no link that leads nowhere.
            route.leave();
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
        self.toast.set(Some(Said { sentence: sentence.into(), can_undo: false }));
    }

    fn hear(self, event: Event) {
        match event {
            Event::Progress(progress) => self.progress.set(progress),
            Event::Died { reason, is_restarting: true } => self.say(format!(
                "The worker stopped ({reason}). It was started anew and opens again what was open."
            )),
            Event::Died { reason, is_restarting: false } => {
                self.tree.set(Tree::default());
                self.toast.set(None);
                self.is_gone.set(true);
                self.failure.set(Some(format!(
                    "The worker stopped: {reason}. Reload the page to try again."
                )));
            }
            Event::Restored(tree) => {
                // Views that have failed stay so: asking again by itself could end the worker again.
                self.tree.set(tree);
                self.say("Everything that was open is open again.");
            }
        }
    }
}
