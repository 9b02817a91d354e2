//! The one store: what is loaded, what is looked at, what goes on.

use crate::address::Route;
use crate::browser::{self, Fetching, Picked, Theme, Used};
use crate::format;
use crate::render::Look;
use crate::report::{EvaluationNode, Progress, Target, Tree};
use crate::worker::client::{Client, Event};
use crate::worker::protocol::{Answer, ExportKind, Failure, Request};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::watch::{Freshness, Origin};
use super::{actions, look, parts};

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
    /// Colours.
    pub theme: RwSignal<Theme>,
    /// How numbers and charts are to look.
    pub look: RwSignal<Look>,
    /// Tables of the present page that are shown whole.
    pub whole: RwSignal<Vec<String>>,
    /// Whether there is no worker, and none will come.
    pub is_gone: RwSignal<bool>,
    pub(super) n_opening: RwSignal<u32>,
}

/// The store of the page.
pub fn use_store() -> Store {
    expect_context()
}

impl Store {
    /// Starts the worker, reads address and theme, and puts the store into the context.
    pub fn provide() -> Self {
        let store = Self {
            client: StoredValue::new_local(None),
            fresh: RwSignal::default(),
            origins: StoredValue::new_local(Vec::new()),
            tree: RwSignal::default(),
            version: RwSignal::new(0),
            route: RwSignal::new(Route::from_hash(&browser::hash())),
            progress: RwSignal::default(),
            failure: RwSignal::new(None),
            is_missing: RwSignal::new(false),
            toast: RwSignal::new(None),
            palette: RwSignal::new(false),
            theme: RwSignal::new(browser::theme()),
            look: RwSignal::new(look::remembered()),
            whole: RwSignal::default(),
            is_gone: RwSignal::new(false),
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
        parts::serve(store);
        let names = ["data-more", "data-save", "data-do", "data-rule", "data-gate"];
        browser::on_use(&names, move |used| store.used(used));
        browser::on_hash_change(move || {
            let route = Route::from_hash(&browser::hash());
            if store.route.with_untracked(|old| *old != route) {
                store.route.set(route);
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

    /// Changes the view, as a new step of the history.
    pub fn go(self, change: impl FnOnce(&mut Route)) {
        if self.change_route(change) {
            browser::push_hash(&self.route.with_untracked(Route::to_hash));
        }
    }

    /// Changes the view without a new step: typing, for instance.
    pub fn adjust(self, change: impl FnOnce(&mut Route)) {
        if self.change_route(change) {
            browser::replace_hash(&self.route.with_untracked(Route::to_hash));
        }
    }

    fn change_route(self, change: impl FnOnce(&mut Route)) -> bool {
        let mut route = self.route.get_untracked();
        change(&mut route);
        let has_changed = self.route.with_untracked(|old| *old != route);
        if has_changed {
            self.route.set(route);
        }
        has_changed
    }

    /// Does what the use of something drawn by the worker asks for; `false` when it is nothing of ours.
    fn used(self, used: &Used) -> bool {
        let is_palette = self.palette.get_untracked();
        if let Some(address) = used.get("href") {
            self.follow(&Route::from_hash(&address));
        } else if let Some(sort) = used.get("data-save") {
            let of = |name: &str| used.get(name).unwrap_or_default();
            self.save_figure(&sort, of("data-figure"), &of("data-name"));
        } else if let Some(word) = used.get("data-do") {
            self.palette.set(false);
            actions::act(self, &word);
        } else if let Some(table) = used.get("data-more") {
            // The button goes, so the focus goes to what it has made longer.
            browser::focus(&format!("rows-{table}"));
            self.whole.update(|whole| whole.push(table));
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

    /// Opens the view that a link leads to.
    pub fn follow(self, link: &Route) {
        self.go(|route| *route = link.clone().followed_from(route));
    }

    /// Asks the worker.
    pub fn ask(self, request: Request, on_answer: impl FnOnce(Result<Answer, Failure>) + 'static) {
        if let Some(client) = self.client.get_value() {
            client.ask(request, on_answer);
        }
    }

    /// Opens what was dropped or picked, besides what is open.
    pub fn open(self, picked: Picked) {
        if let Some(first) = picked.unreadable.first() {
            let n_more = format::count(picked.unreadable.len() as u64);
            self.say(format!(
                "The browser gave out no content of {n_more} dropped things: {first}"
            ));
        }
        if picked.files.is_empty() && picked.pruned.is_empty() {
            if picked.unreadable.is_empty() {
                self.say("There was no file in what was dropped.");
            }
            return;
        }
        let Some(client) = self.client.get_value() else { return };
        let drop = self.add_drop(&picked);
        browser::keep_opened(drop, &picked);
        self.failure.set(None);
        self.is_missing.set(false);
        self.progress.set(Progress::default());
        self.n_opening.update(|n| *n += 1);
        let request = Request::Open { drop, pruned: picked.pruned };
        client.change(request, picked.files, move |answer| self.opened(drop, answer));
    }

    /// Opens the sample results.
    pub fn open_samples(self) {
        match browser::fetch_samples() {
            Some(fetching) => {
                self.open_fetched(fetching, |store, err| store.say(format!("{err}.")))
            }
            None => self.say("This copy of the page came without sample results."),
        }
    }

    /// Opens what the address names with `?src=`.
    fn open_sources(self) {
        if let Some(fetching) = browser::fetch_sources(move |progress| self.progress.set(progress))
        {
            // Why it failed is said by the scripts of the page, which know it to the last address.
            self.open_fetched(fetching, |store, _err| store.is_missing.set(true));
        }
    }

    fn open_fetched(self, fetching: Fetching, on_error: fn(Self, browser::Error)) {
        self.n_opening.update(|n| *n += 1);
        spawn_local(async move {
            match fetching.picked().await {
                Ok(picked) if picked.files.is_empty() => {}
                Ok(picked) => self.open(picked),
                Err(err) => on_error(self, err),
            }
            self.n_opening.update(|n| *n -= 1);
        });
    }

    /// Evaluations of `tree` that are not there yet.
    pub(super) fn new_in(self, tree: &Tree) -> Vec<u32> {
        let known = self.tree.with_untracked(|old| ids(&old.evaluations));
        ids(&tree.evaluations).into_iter().filter(|id| !known.contains(id)).collect()
    }

    fn opened(self, drop: u32, answer: Result<Answer, Failure>) {
        match answer {
            Ok(Answer::Workspace(tree)) => {
                let new = self.new_in(&tree);
                if tree.evaluations.is_empty() {
                    self.failure.set(Some(
                        "None of the files holds results that Evalglass reads.".to_owned(),
                    ));
                } else if new.is_empty() {
                    self.say(
                        "No results in these files. Notes says what each of them was taken for.",
                    );
                }
                let is_first = self.tree.with_untracked(|old| old.evaluations.is_empty());
                self.replace_tree(tree);
                self.came_of(drop, &new);
                self.look_at(&new, is_first);
            }
            Ok(_) | Err(Failure::Cancelled) => self.say("Stopped. Nothing was added."),
            Err(failure) if self.tree.with_untracked(|tree| tree.evaluations.is_empty()) => {
                self.failure.set(Some(failure.to_string()));
            }
            Err(failure) => self.say(format!("Not opened: {failure}")),
        }
        self.n_opening.update(|n| *n = n.saturating_sub(1));
    }

    /// Turns to what has been opened, unless the address asked for something that is there.
    fn look_at(self, new: &[u32], is_first: bool) {
        let target = self.route.with_untracked(|route| route.target);
        if new.is_empty() || (is_first && target != Target::All && self.holds(target)) {
            return;
        }
        let target = match new {
            [only] => Target::Evaluation(*only),
            _ => Target::All,
        };
        self.adjust(|route| {
            route.target = target;
            route.case = None;
        });
    }

    /// Stops opening.
    pub fn cancel(self) {
        browser::stop_fetching();
        if let Some(client) = self.client.get_value() {
            client.cancel();
        }
    }

    /// Forgets an evaluation, or everything.
    pub fn remove(self, evaluation: Option<u32>) {
        let name = match evaluation {
            Some(id) => self.name_of(id).unwrap_or_default(),
            None => "Everything".to_owned(),
        };
        if evaluation.is_none() {
            browser::forget_opened();
        }
        self.change(evaluation.map_or(Request::Clear, Request::Remove));
        self.toast.set(Some(Said { sentence: format!("{name} was removed."), can_undo: true }));
    }

    /// The evaluation that is selected, or in which the selected run lies.
    pub fn selected(self) -> Option<u32> {
        match self.route.with(|route| route.target) {
            Target::All => None,
            Target::Evaluation(id) => Some(id),
            Target::Run(run) => Some(run.evaluation),
        }
    }

    /// The name of an evaluation.
    pub fn name_of(self, id: u32) -> Option<String> {
        self.tree.with(|tree| {
            tree.evaluations.iter().find(|node| node.id == id).map(|node| node.label.clone())
        })
    }

    /// The name of the evaluation or run that is selected.
    pub fn selected_name(self) -> Option<String> {
        match self.route.with(|route| route.target) {
            Target::Run(run) => self.tree.with(|tree| {
                let mut runs = tree.evaluations.iter().flat_map(|node| &node.runs);
                runs.find(|node| node.run == run).map(|node| node.label.clone())
            }),
            _ => self.selected().and_then(|id| self.name_of(id)),
        }
    }

    /// Changes the workspace, or how it is judged or shown.
    pub fn change(self, request: Request) {
        let Some(client) = self.client.get_value() else { return };
        client.change(request, Vec::new(), move |answer| match answer {
            Ok(Answer::Workspace(tree)) => self.replace_tree(tree),
            Ok(_) => {}
            Err(failure) => self.say(failure.to_string()),
        });
    }

    pub(super) fn replace_tree(self, tree: Tree) {
        self.tree.set(tree);
        self.version.update(|version| *version += 1);
        let (how, target) = self.route.with_untracked(|route| (route.how, route.target));
        if how.is_some_and(|how| !self.holds(how.target())) {
            self.adjust(|route| route.how = None);
        }
        let has_case = self.route.with_untracked(|route| {
            route.case.is_none_or(|case| self.holds(Target::Run(case.run)))
        });
        if !self.holds(target) || !has_case {
            self.adjust(|route| {
                route.target = if self.holds(target) { target } else { Target::All };
                route.case = None;
            });
        }
    }

    /// Whether `target` is loaded.
    fn holds(self, target: Target) -> bool {
        self.tree.with_untracked(|tree| match target {
            Target::All => true,
            Target::Evaluation(id) => tree.evaluations.iter().any(|node| node.id == id),
            Target::Run(run) => {
                tree.evaluations.iter().flat_map(|node| &node.runs).any(|node| node.run == run)
            }
        })
    }

    /// Exports and downloads everything, or only what is shown.
    pub fn export(self, kind: ExportKind, is_view: bool) {
        let view = is_view.then(|| self.route.with_untracked(Route::case_query));
        self.ask(Request::Export { kind, view }, move |answer| match answer {
            Ok(Answer::Export(file)) => {
                match browser::download(&file.name, &file.mime, &file.bytes) {
                    Ok(()) => self.say(format!(
                        "{} ({}) is in your downloads.",
                        file.name,
                        format::bytes(file.bytes.len() as u64)
                    )),
                    Err(err) => self.say(format!("{err}.")),
                }
            }
            Ok(_) => {}
            Err(failure) => self.say(format!("Not exported: {failure}")),
        });
    }

    /// Saves a chart of the present page as a picture called `name`: `svg` or `png`.
    fn save_figure(self, sort: &str, id: String, name: &str) {
        let topic = self.route.with_untracked(Route::topic);
        let (is_png, file) = (sort == "png", format!("{name}.{sort}"));
        self.ask(Request::Figure { topic, id }, move |answer| match answer {
            Ok(Answer::Text(svg)) if is_png => browser::save_png(&svg, &file),
            Ok(Answer::Text(svg)) => {
                if let Err(err) = browser::download(&file, "image/svg+xml", svg.as_bytes()) {
                    self.say(format!("{err}."));
                }
            }
            Ok(_) => {}
            Err(failure) => self.say(format!("Not saved: {failure}")),
        });
    }

    /// Copies `text`.
    pub fn copy(self, text: String) {
        self.copy_saying(text, "Copied.".to_owned());
    }

    /// Copies `text`, and says `said` when that is done.
    pub fn copy_saying(self, text: String, said: String) {
        spawn_local(async move {
            match browser::copy(&text).await {
                Ok(()) => self.say(said),
                Err(err) => self.say(format!("{err}.")),
            }
        });
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

fn ids(evaluations: &[EvaluationNode]) -> Vec<u32> {
    evaluations.iter().map(|node| node.id).collect()
}
