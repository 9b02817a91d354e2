//! One column: name, kind, what it is read as, why, its first cells.

use super::ColumnsContext;
use crate::address::{unit_of, unit_word};
use crate::report::{ColumnRole, ColumnView, ROLES, Role, TimeUnit};
use crate::ui::components::rules::{ControlField, choice};
use crate::ui::state::{live, memo, shown};
use crate::words::ui::columns as words;
use leptos::prelude::*;

/// All columns; drawn anew only when the columns themselves are others.
pub(super) fn columns(cx: ColumnsContext) -> AnyView {
    let names = cx.of(|view| {
        let names = view.columns.iter().map(|column| column.name.clone());
        (view.evaluation, view.n_shown, names.collect::<Vec<String>>())
    });
    let list = move || {
        let (_, n_shown, names) = names.get();
        let all = names.into_iter().enumerate().map(|(nth, name)| column(cx, nth, name));
        let all = all.collect_view();
        let none = (n_shown == 0).then(|| view! { <p class="field__hint">{words::NO_ROWS}</p> });
        view! {
            <ol class="columns__list" style=("--rows", n_shown.to_string())>{all}</ol>
            {none}
        }
        .into_any()
    };
    view! {
        <section class="columns__table">
            <h2 class="section__title" id="columns-columns">{words::COLUMNS}</h2>
            <div class="columns__scroll" tabindex="0" role="region" aria-labelledby="columns-columns">{live(list)}</div>
        </section>
    }
    .into_any()
}

fn column(cx: ColumnsContext, nth: usize, name: String) -> AnyView {
    let own = cx.of(move |view| view.columns.get(nth).cloned().unwrap_or_default());
    // What was chosen last, before it is read.
    let chosen = memo(move || {
        let file = cx.file.get();
        cx.store
            .choosing
            .with(|choosing| choosing.shown(&file).columns.get(nth).cloned().unwrap_or_default())
    });
    let can_change = cx.of(|view| view.can_change);
    let cells = memo(move || own.with(|own| own.cells.clone()));
    let cells = move || cells.get().into_iter().map(cell).collect_view();
    let why = memo(move || reason(&own.get(), &chosen.get()));
    let remark = memo(move || own.with(|own| own.remark.clone()));
    let title = words::shown(&name);
    view! {
        <li class="columns__column">
            <h3 class="columns__name" title=name.clone()>{title}</h3>
            <p class="columns__kind">{live(move || own.with(|own| own.kind.clone()))}</p>
            <div class="columns__role">
                {shown(move || can_change.get(), move || role_field(cx, nth, &name, chosen))}
                {shown(move || !can_change.get(), move || view! {
                    <p>{live(move || chosen.with(read_as))}</p>
                }.into_any())}
            </div>
            <p class="columns__why">
                {live(move || why.get())}
                <span class="columns__remark">{live(move || remark.get())}</span>
            </p>
            <ul class="columns__cells" aria-label=words::CELLS>{live(cells)}</ul>
        </li>
    }
    .into_any()
}

/// Why the column has its role, as long as that is what was guessed.
fn reason(own: &ColumnView, chosen: &ColumnRole) -> String {
    if own.role == chosen.role { words::why(&own.why) } else { words::why("") }
}

fn cell(text: String) -> AnyView {
    if text.is_empty() {
        view! { <li class="columns__cell is-empty">{words::EMPTY}</li> }.into_any()
    } else {
        view! { <li class="columns__cell" title=text.clone()>{text.clone()}</li> }.into_any()
    }
}

/// The choice of a role, of a unit where it is a duration, and of the better way where it is scores.
fn role_field(cx: ColumnsContext, nth: usize, name: &str, chosen: Memo<ColumnRole>) -> AnyView {
    let choose = move |change: &dyn Fn(ColumnRole) -> ColumnRole| {
        let chosen = change(chosen.get_untracked());
        cx.file.with_untracked(|file| cx.store.choose_column(file, nth, chosen));
    };
    let role = ControlField {
        id: format!("column-{nth}"),
        name: Some(words::role_of(name)),
        class: "columns__select",
        value: memo(move || chosen.with(|own| own.role.word().to_owned())),
        set: Callback::new(move |word: String| {
            let role = Role::from_word(&word).unwrap_or_default();
            choose(&|own| ColumnRole { role, ..own });
        }),
    };
    let unit = ControlField {
        id: format!("column-{nth}-unit"),
        name: Some(words::unit_of(name)),
        class: "columns__select",
        value: memo(move || unit_word(chosen.with(|own| own.unit.unwrap_or_default())).to_owned()),
        set: Callback::new(move |word: String| {
            choose(&|own| ColumnRole { unit: unit_of(&word), ..own });
        }),
    };
    let way = ControlField {
        id: format!("column-{nth}-way"),
        name: Some(words::way_of(name)),
        class: "columns__select",
        value: memo(move || chosen.with(|own| way_word(own.less_is_better)).to_owned()),
        set: Callback::new(move |word: String| {
            let less_is_better = word == way_word(true);
            choose(&|own| ColumnRole { less_is_better, ..own });
        }),
    };
    let is_scores = memo(move || chosen.with(|own| own.role.is_scores()));
    let is_duration = memo(move || chosen.with(|own| own.role == Role::Duration));
    view! {
        {choice(role, memo(roles))}
        {shown(move || is_duration.get(), move || choice(unit.clone(), memo(units)))}
        {shown(move || is_scores.get(), move || choice(way.clone(), memo(ways)))}
    }
    .into_any()
}

fn roles() -> Vec<(String, String)> {
    ROLES.iter().map(|(role, word)| ((*word).to_owned(), role_name(*role).to_owned())).collect()
}

/// What a role is called in a menu.
fn role_name(role: Role) -> &'static str {
    match role {
        Role::Fact => words::ROLE_FACT,
        Role::Id => words::ROLE_ID,
        Role::Group => words::ROLE_GROUP,
        Role::Model => words::ROLE_MODEL,
        Role::Repeat => words::ROLE_REPEAT,
        Role::Score => words::ROLE_SCORE,
        Role::Passed => words::ROLE_PASSED,
        Role::Metric => words::ROLE_METRIC,
        Role::ModelScore => words::ROLE_MODEL_SCORE,
        Role::Input => words::ROLE_INPUT,
        Role::Expected => words::ROLE_EXPECTED,
        Role::Output => words::ROLE_OUTPUT,
        Role::Error => words::ROLE_ERROR,
        Role::Duration => words::ROLE_DURATION,
        Role::Cost => words::ROLE_COST,
        Role::Tokens => words::ROLE_TOKENS,
    }
}

/// What a column is read as, where that cannot be changed.
fn read_as(column: &ColumnRole) -> String {
    let name = role_name(column.role);
    if column.less_is_better { words::read_as_lower(name) } else { name.to_owned() }
}

fn way_word(less_is_better: bool) -> &'static str {
    if less_is_better { "less" } else { "more" }
}

fn ways() -> Vec<(String, String)> {
    [(false, words::HIGHER), (true, words::LOWER)]
        .map(|(less, name)| (way_word(less).to_owned(), name.to_owned()))
        .to_vec()
}

fn units() -> Vec<(String, String)> {
    let units = [TimeUnit::Seconds, TimeUnit::Milliseconds, TimeUnit::Minutes];
    let units = units.into_iter().zip(words::UNITS);
    units.map(|(unit, name)| (unit_word(unit).to_owned(), name.to_owned())).collect()
}
