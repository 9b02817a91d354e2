//! The workspace: evaluations and their runs, as a tree with one tab stop.

use super::{Ends, Lines, outcome_mark};
use crate::browser::{self, DrawingTurn};
use crate::report::{EvaluationNode, Outcome, Target, Tree};
use crate::ui::state::{Store, effect, handler, live, memo, use_store};
use crate::words::ui::shell as words;
use leptos::attr::custom::custom_attribute;
use leptos::ev::{KeyboardEvent, MouseEvent};
use leptos::prelude::*;

/// Evaluations with more runs than this begin folded.
const MANY_RUNS: usize = 60;

/// Lines that come into the document at a time.
const MAX_DRAWN: usize = 20;

/// Elements of a line, about.
const ELEMENTS: usize = 13;

/// One line of the tree as it is drawn.
#[derive(Clone, PartialEq, Eq, Hash)]
struct TreeLine {
    target: Target,
    level: u32,
    label: String,
    hint: String,
    outcome: Option<Outcome>,
    aside: Option<String>,
    score: Option<String>,
    is_open: Option<bool>,
}

impl TreeLine {
    fn id(&self) -> String {
        match self.target {
            Target::All => "tree-all".to_owned(),
            Target::Evaluation(id) => format!("tree-{id}"),
            Target::Run(run) => format!("tree-{}-{}", run.evaluation, run.run),
        }
    }
}

/// The tree. What is selected is what the pages are about.
#[component]
pub fn WorkspaceTree() -> impl IntoView {
    let store = use_store();
    let flipped = RwSignal::new(Vec::<u32>::new());
    let lines = memo(move || store.tree.with(|tree| flipped.with(|flipped| lines(tree, flipped))));
    // Very many come a part at a time.
    let n_drawn = RwSignal::new(MAX_DRAWN);
    effect(move || {
        let (n_lines, n_now) = (lines.with(Vec::len), n_drawn.get());
        if n_now > n_lines + MAX_DRAWN {
            n_drawn.set(n_lines.max(MAX_DRAWN));
        } else if n_now < n_lines {
            // In turn with what else is drawn; the page may have gone meanwhile.
            browser::wait_for_room(DrawingTurn {
                n_elements: MAX_DRAWN * ELEMENTS,
                is_alive: Box::new(move || !n_drawn.is_disposed()),
                then: Box::new(move || {
                    n_drawn.try_update(|n| *n += MAX_DRAWN);
                }),
            });
        }
    });
    let drawn =
        memo(move || lines.with(|all| all.iter().take(n_drawn.get()).cloned().collect::<Vec<_>>()));
    let selected = memo(move || store.route.with(|route| route.target));
    let on_key = move |event: KeyboardEvent| {
        // With these, a key means what it means everywhere.
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        if on_tree_key(store, &event.key(), &lines.get_untracked(), flipped) {
            event.prevent_default();
            event.stop_propagation();
        }
    };
    view! {
        <ul class="tree" role="tree" aria-label=words::TREE on:keydown=handler(on_key)>
            <For each=move || drawn.get() key=TreeLine::clone children=move |line| tree_line(store, line, selected, flipped)/>
        </ul>
    }
}

fn lines(tree: &Tree, flipped: &[u32]) -> Vec<TreeLine> {
    let all = TreeLine {
        target: Target::All,
        level: 1,
        label: words::EVERYTHING.to_owned(),
        hint: words::evaluations(tree.evaluations.len() as u64),
        outcome: None,
        aside: None,
        score: None,
        is_open: None,
    };
    let mut lines = vec![all];
    for node in &tree.evaluations {
        let is_open = (node.runs.len() <= MANY_RUNS) != flipped.contains(&node.id);
        lines.push(evaluation_line(node, is_open));
        if is_open && !is_alone(node) {
            lines.extend(node.runs.iter().map(|run| TreeLine {
                target: Target::Run(run.run),
                level: 2,
                label: run.label.clone(),
                hint: run.n_passed.map_or_else(
                    || words::cases_unjudged(run.n_cases),
                    |n_passed| words::cases_passed(n_passed, run.n_cases),
                ),
                outcome: Some(run.outcome),
                aside: run.is_so_far.then(|| words::SO_FAR.to_owned()),
                score: Some(run.score_words.clone()),
                is_open: None,
            }));
        }
    }
    lines
}

/// Whether the only run is the evaluation under another name: that may have been made longer, to be told from others.
fn is_alone(node: &EvaluationNode) -> bool {
    matches!(node.runs.as_slice(), [run] if node.label.starts_with(&run.label))
}

fn evaluation_line(node: &EvaluationNode, is_open: bool) -> TreeLine {
    TreeLine {
        target: Target::Evaluation(node.id),
        level: 1,
        label: node.label.clone(),
        hint: match node.runs.len() as u64 {
            0 | 1 => words::producer(&node.producer, &node.generation),
            n => words::producer_runs(&node.producer, &node.generation, n),
        },
        outcome: Some(node.outcome),
        aside: node.is_so_far.then(|| words::SO_FAR.to_owned()).or_else(|| node.in_part.clone()),
        score: Some(node.score_words.clone()),
        is_open: (!node.runs.is_empty() && !is_alone(node)).then_some(is_open),
    }
}

/// Folds or unfolds an evaluation.
fn flip(flipped: RwSignal<Vec<u32>>, id: u32) {
    flipped.update(|flipped| match flipped.iter().position(|known| *known == id) {
        Some(at) => {
            flipped.swap_remove(at);
        }
        None => flipped.push(id),
    });
}

fn select(store: Store, target: Target) {
    store.go(|route| {
        route.target = target;
        route.leave();
    });
}

/// Moves through the tree; `false` when the key means nothing here.
fn on_tree_key(store: Store, key: &str, lines: &[TreeLine], flipped: RwSignal<Vec<u32>>) -> bool {
    let target = store.route.with_untracked(|route| route.target);
    let at = lines.iter().position(|line| line.target == target).unwrap_or_default();
    let Some(line) = lines.get(at) else { return false };
    let goal = match (key, line.target, line.is_open) {
        ("ArrowDown" | "j", _, _) => lines.get(at + 1),
        ("ArrowUp" | "k", _, _) => at.checked_sub(1).and_then(|at| lines.get(at)),
        ("Home", _, _) => lines.first(),
        ("End", _, _) => lines.last(),
        ("ArrowRight", Target::Evaluation(id), Some(false))
        | ("ArrowLeft", Target::Evaluation(id), Some(true)) => {
            flip(flipped, id);
            Some(line)
        }
        ("ArrowRight", _, Some(true)) => lines.get(at + 1),
        ("ArrowLeft", Target::Run(run), _) => {
            lines.iter().find(|line| line.target == Target::Evaluation(run.evaluation))
        }
        ("Delete", Target::Evaluation(id), _) => {
            store.remove(Some(id));
            return true;
        }
        _ => return false,
    };
    if let Some(goal) = goal {
        let id = goal.id();
        select(store, goal.target);
        // Folding draws the lines anew.
        browser::focus_soon(&id);
    }
    true
}

fn tree_line(
    store: Store,
    line: TreeLine,
    selected: Memo<Target>,
    flipped: RwSignal<Vec<u32>>,
) -> AnyView {
    let target = line.target;
    let is_selected = memo(move || selected.get() == target);
    let class = match target {
        Target::All => "tree__line tree__line--1 tree__line--all".to_owned(),
        _ => format!("tree__line tree__line--{}", line.level),
    };
    let id = line.id();
    let mark = if line.aside.is_some() { "tree__outcome so-far" } else { "tree__outcome" };
    let aside = line.aside.clone();
    let aside =
        aside.map(|words| view! { <span class="visually-hidden">{words}</span> }.into_any());
    let outcome = line.outcome.map(|known| {
        view! { {outcome_mark(known)}<span class="visually-hidden">{known.as_str()}" "</span>{aside} }
            .into_any()
    });
    // Of a run the hint is said when it is asked for; its name has a tooltip of its own, and one line.
    let (name, hint, title) = match line.level {
        1 => {
            let hint = view! { <span class="tree__hint">{line.hint}</span> }.into_any();
            (view! { <Lines name=line.label/> }.into_any(), Some(hint), None)
        }
        _ => (view! { <Ends name=line.label/> }.into_any(), None, Some(line.hint)),
    };
    let chevron = line.is_open.map(|is_open| chevron(target, is_open, flipped));
    let level = custom_attribute("aria-level", line.level.to_string());
    view! {
        <li
            {..level}
            class=class
            id=id
            role="treeitem"
            title=title
            aria-expanded=line.is_open.map(|is_open| if is_open { "true" } else { "false" })
            aria-selected=live(move || if is_selected.get() { "true" } else { "false" })
            tabindex=live(move || if is_selected.get() { "0" } else { "-1" })
            on:click=handler(move |_| select(store, target))
        >
            {chevron}
            <span class=mark>{outcome}</span>
            {name}
            " "
            <span class="tree__score">{line.score.clone()}</span>
            {hint}
        </li>
    }
    .into_any()
}

/// What folds and unfolds an evaluation; with the keyboard, the arrow keys do.
fn chevron(target: Target, is_open: bool, flipped: RwSignal<Vec<u32>>) -> AnyView {
    let on_click = move |event: MouseEvent| {
        event.stop_propagation();
        if let Target::Evaluation(id) = target {
            flip(flipped, id);
        }
    };
    let class = if is_open { "tree__chevron is-open" } else { "tree__chevron" };
    view! {
        <span class=class aria-hidden="true" on:click=handler(on_click)>
            <svg viewBox="0 0 12 12" width="12" height="12"><path d="M4.5 2.5 8 6 4.5 9.5"></path></svg>
        </span>
    }
    .into_any()
}
