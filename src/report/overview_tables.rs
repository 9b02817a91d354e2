//! The tables of an overview: evaluations, checkpoints, kinds, groups, policies, errors.

use super::declared;
use super::interval95::Interval95;
use super::judgement::{Judgement, Standing};
use super::proviso;
use super::table::Column;
use super::tree::{evaluation_score, run_score};
use super::workspace::Entry;
use super::{Cell, How, Kind, Link, Num, Outcome, Row, Table, Target};
use crate::format::{count, counted};
use crate::model::{DeclaredValue, Evaluation, Figure, Scope};
use crate::policy::PolicyVerdict;
use crate::scoring::{Counts, GroupScore, KindCount, Totals};
use crate::stats;
use std::collections::BTreeMap;

pub(super) const NO_SCORE: &str = "no score is defined";

/// All evaluations, one row each.
pub(super) fn evaluations(entries: &[Entry]) -> Table {
    let mut table = Table::new(
        "evaluations",
        "Evaluations",
        vec![
            Column::words("Evaluation"),
            Column::words("Producer"),
            Column::words("Verdict"),
            Column::numbers("Score", "Mean over repeats, or over checkpoints"),
            Column::numbers("Runs", ""),
            Column::numbers("Passed", "Cases that pass, of all"),
            Column::numbers("Cost", "Where the files say"),
            Column::numbers("Agent time", "Where the files say"),
        ],
    );
    for entry in entries {
        let runs = || {
            let runs = entry.evaluation.runs.iter().zip(&entry.figures.runs);
            runs.filter(|(run, _)| run.again().is_none()).map(|(_, figures)| figures)
        };
        let counts = || runs().map(|run| &run.totals.counts);
        let agent = entry.evaluation.runs.iter().filter_map(|run| run.usage?.agent_secs);
        let agent: Vec<f64> = agent.collect();
        let agent = (!agent.is_empty()).then(|| Num(stats::sum(agent)));
        let cost: Vec<f64> = entry
            .figures
            .runs
            .iter()
            .filter_map(|run| run.totals.usage.as_ref()?.cost_usd)
            .map(|cost| cost.0)
            .collect();
        let cost = (!cost.is_empty()).then(|| Num(stats::sum(cost)));
        let is_lower_bound = entry
            .figures
            .runs
            .iter()
            .filter_map(|run| run.totals.usage.as_ref())
            .any(|u| u.cost_missing > 0);
        if let Some([score, passed, cost]) = declared::evaluation_cells(entry) {
            let name = format!("{} {}", entry.evaluation.producer, entry.evaluation.generation);
            let verdict = Cell::Missing("only totals are among the files".to_owned());
            let (label, n_runs) = (entry.evaluation.label.clone(), Cell::Count(0));
            table.rows.push(Row {
                cells: vec![
                    Cell::Text(label),
                    Cell::Text(name),
                    verdict,
                    score,
                    n_runs,
                    passed,
                    cost,
                ],
                link: Some(Link::Target(Target::Evaluation(entry.id))),
            });
            continue;
        }
        table.rows.push(Row {
            cells: vec![
                Cell::Text(entry.evaluation.label.clone()),
                Cell::Text(format!(
                    "{} {}",
                    entry.evaluation.producer, entry.evaluation.generation
                )),
                judgement_cell(entry.figures.verdict.as_ref(), proviso::of_evaluation(entry)),
                Cell::or_missing(evaluation_score(entry), Cell::Number, NO_SCORE),
                Cell::Count(entry.evaluation.runs.len() as u64),
                passed_cell(counts()),
                cost.map_or_else(
                    || Cell::Missing("the files state no cost".to_owned()),
                    |amount| Cell::Usd { amount, is_lower_bound },
                ),
                Cell::or_missing(agent, Cell::Secs, "the files state no agent time"),
            ],
            link: Some(Link::Target(Target::Evaluation(entry.id))),
        });
    }
    table.drop_unknown(&["Agent time"]);
    table
}

/// A verdict, what the files declare instead of one, or why there is none.
pub(super) fn judgement_cell(verdict: Option<&Judgement>, proviso: Option<&str>) -> Cell {
    match verdict.map(|verdict| (verdict, verdict.standing(), &verdict.declared)) {
        None => verdict_cell(None, proviso),
        Some((_, Standing::Declared, Some(declared))) => {
            Cell::Text(format!("declared: {declared}"))
        }
        Some((verdict, Standing::Judged, _)) => verdict_cell(Some(verdict.outcome), proviso),
        Some((verdict, ..)) => Cell::Missing(verdict.reason.shown()),
    }
}

/// A verdict; of something that is not whole it is a word only.
pub(super) fn verdict_cell(outcome: Option<Outcome>, proviso: Option<&str>) -> Cell {
    match (outcome, proviso) {
        (None, _) => Cell::Missing("no rule gives a verdict".to_owned()),
        (Some(outcome), None) => Cell::Outcome(outcome),
        (Some(outcome), Some(_)) => Cell::Tag { text: format!("{outcome} so far"), is_bad: false },
    }
}

/// Opens run `idx`.
pub(super) fn link_of(entry: &Entry, idx: usize) -> Option<Link> {
    entry.run_ref(idx).map(|run| Link::Target(Target::Run(run)))
}

/// The checkpoints of a slop-code run, in order.
pub(super) fn checkpoints(entry: &Entry) -> Table {
    let mut table = Table::new(
        "checkpoints",
        "Checkpoints",
        vec![
            Column::words("Problem"),
            Column::words("Checkpoint"),
            Column::words("Verdict"),
            Column::numbers("Score", "Weighted mean of the group scores"),
            Column::numbers("Passed", "Cases that pass, of all"),
            Column::numbers("95 % interval", "Wilson's interval of the share that passes"),
            Column::numbers("Core", "Core cases that pass, of all"),
            Column::numbers("Cost", "Of the agent, where the files say"),
            Column::numbers("Tokens", "Tokens read and written by the model, where the files say"),
            Column::numbers("Steps", "Steps that the agent took, where the files say"),
            Column::numbers("Agent time", "What the agent took, where the files say"),
            Column::numbers("Test time", "What the tests took, where the files say"),
        ],
    );
    let mut n_declared = 0;
    for (idx, (run, figures)) in entry.evaluation.runs.iter().zip(&entry.figures.runs).enumerate() {
        let core = figures.by_kind.get(&Kind::Core).copied().unwrap_or_default();
        let usage = run.usage.unwrap_or_default();
        let tokens = usage.prompt_tokens.zip(usage.completion_tokens);
        let tokens = tokens.map(|(read, written)| read + written);
        n_declared += u64::from(run.declared_counts().is_some());
        table.rows.push(Row {
            cells: vec![
                Cell::words(run.key.suite.as_deref(), "no file names the problem"),
                Cell::words(run.key.variant.as_deref(), "no file names the checkpoint"),
                judgement_cell(figures.verdict.as_ref(), proviso::of_run(entry, idx)),
                Cell::or_missing(run_score(figures), Cell::Bar, no_weighted_score(&figures.groups))
                    .opening(entry.run_ref(idx).map(|run| Link::How(How::Run(run)))),
                passed_cell([&figures.totals.counts]),
                passed_interval_cell(&figures.totals.counts),
                count_cell(core.passed, core.total),
                usage.cost_usd.map_or_else(
                    || Cell::Missing("the files state no cost".to_owned()),
                    |cost| Cell::Usd { amount: Num(cost), is_lower_bound: false },
                ),
                Cell::or_missing(tokens.map(Num), Cell::Number, "the files state no tokens"),
                Cell::or_missing(usage.n_steps.map(Num), Cell::Number, "the files state no steps"),
                Cell::or_missing(
                    usage.agent_secs.map(Num),
                    Cell::Secs,
                    "the files state no agent time",
                ),
                Cell::or_missing(
                    run.duration_secs.map(Num),
                    Cell::Secs,
                    "the files state no test time",
                ),
            ],
            link: link_of(entry, idx),
        });
    }
    table.drop_unknown(&["Cost", "Tokens", "Steps", "Agent time", "Test time"]);
    if n_declared > 0 {
        table.footnote = Some(format!(
            "{} stand here as their rows declare them: their cases are not among the files.",
            counted(n_declared, "checkpoint", "checkpoints")
        ));
    }
    table
}

/// What the evaluation was asked to do.
pub(super) fn description(asked: &[(String, String)]) -> Table {
    let columns = vec![Column::words("Part"), Column::words("As written")];
    let mut table = Table::new("suite", "The suite as written", columns);
    for (label, value) in asked {
        table.row(vec![Cell::Text(label.clone()), Cell::Text(value.clone())]);
    }
    table
}

/// Why cases are not counted as passed or failed, where the files do not tell more.
pub(super) const NO_CASE_RULE: &str = "no rule says which cases pass";

/// Cases that pass, of all.
pub(super) fn passed_cell<'a>(sets: impl IntoIterator<Item = &'a Counts>) -> Cell {
    match Counts::passing_of(sets) {
        Some((passed, all)) => count_cell(passed, all),
        None => Cell::Missing(NO_CASE_RULE.to_owned()),
    }
}

/// Wilson's interval of the share that passes.
pub(super) fn passed_interval_cell(counts: &Counts) -> Cell {
    match counts.passing() {
        Some((passed, all)) => wilson_cell(passed, all),
        None => Cell::Missing(NO_CASE_RULE.to_owned()),
    }
}

pub(super) fn count_cell(part: u64, whole: u64) -> Cell {
    if whole == 0 {
        Cell::Missing("there are no such cases".to_owned())
    } else {
        Cell::Share { part, whole }
    }
}

/// Cases of a kind, as computed and as declared.
#[derive(Default, Clone, Copy)]
struct OfKind {
    passed: u64,
    total: u64,
    declared_passed: Option<f64>,
    declared_total: Option<f64>,
}

impl OfKind {
    fn add(&mut self, other: Self) {
        let sum = |left: Option<f64>, right: Option<f64>| match (left, right) {
            (None, None) => None,
            (left, right) => Some(left.unwrap_or(0.0) + right.unwrap_or(0.0)),
        };
        self.passed += other.passed;
        self.total += other.total;
        self.declared_passed = sum(self.declared_passed, other.declared_passed);
        self.declared_total = sum(self.declared_total, other.declared_total);
    }

    /// `5 of 6`, as the files have it.
    fn declared(self) -> Option<String> {
        let total = self.declared_total?;
        Some(format!("{} / {total}", self.declared_passed.unwrap_or(0.0)))
    }
}

/// Passed and all cases by kind and their sum, over the runs `idxs`: computed, and as
/// `evaluation.json` declares them.
pub(super) fn kinds(entry: &Entry, idxs: &[usize]) -> Table {
    let mut sums: BTreeMap<Kind, OfKind> = BTreeMap::new();
    for run in idxs.iter().filter_map(|&idx| entry.figures.runs.get(idx)) {
        for (kind, count) in &run.by_kind {
            let own = OfKind { passed: count.passed, total: count.total, ..OfKind::default() };
            sums.entry(*kind).or_default().add(own);
        }
    }
    let stated = entry.evaluation.declared.iter().filter(|declared| {
        let is_own = matches!(&declared.scope, Scope::Run(idx) if idxs.contains(idx));
        is_own
            && (declared.field.starts_with("pass_counts.")
                || declared.field.starts_with("total_counts."))
    });
    for declared in stated {
        let DeclaredValue::Number(value) = declared.value else { continue };
        let (kind, own) = match declared.figure {
            Figure::KindPassed(kind) => {
                (kind, OfKind { declared_passed: Some(value), ..OfKind::default() })
            }
            Figure::KindTotal(kind) => {
                (kind, OfKind { declared_total: Some(value), ..OfKind::default() })
            }
            _ => continue,
        };
        sums.entry(kind).or_default().add(own);
    }
    // A kind without a case, declared as such, says nothing.
    sums.retain(|_, of| of.total > 0 || of.declared_total.is_some_and(|total| total > 0.0));
    let mut table = Table::new(
        "kinds",
        "Cases by kind",
        vec![
            Column::words("Kind"),
            Column::numbers("Passed", "Cases that pass, of all"),
            Column::numbers("95 % interval", "Wilson's"),
            Column::numbers("Declared", "pass_counts and total_counts of evaluation.json"),
        ],
    );
    let mut all = OfKind::default();
    let rows = sums.len();
    let mut put = |name: &str, of: OfKind| {
        table.row(vec![
            Cell::Text(name.to_owned()),
            count_cell(of.passed, of.total),
            wilson_cell(of.passed, of.total),
            Cell::words(of.declared().as_deref(), "the files declare no such count"),
        ]);
    };
    for (kind, of) in sums {
        all.add(of);
        put(kind.as_str(), of);
    }
    if rows > 0 {
        put("All kinds", all);
    }
    if let (Some(declared), Some(total)) = (all.declared(), all.declared_total)
        && total != all.total as f64
    {
        table.footnote = Some(format!(
            "The file declares {}, its groups hold {}.",
            declared.replace(" / ", " of "),
            counted(all.total, "case", "cases")
        ));
    }
    table.drop_unknown(&["Declared"]);
    if table.rows.is_empty() {
        table.empty = Some("No case of this run says what kind it is.".to_owned());
    }
    table
}

/// Why there is no weighted score.
pub(super) fn no_weighted_score(groups: &[GroupScore]) -> &'static str {
    if groups.iter().any(|group| group.score.is_some()) {
        "the weights of all groups with a score are 0, so it is 0 of 0: undefined"
    } else {
        "no group has a score"
    }
}

/// A 95 % interval, or missing.
pub(super) fn interval_cell(ci95: Option<[Num; 2]>) -> Cell {
    ci95.map_or_else(
        || Cell::Missing("too few values".to_owned()),
        |[low, high]| Cell::Interval { low, high },
    )
}

/// The 95 % interval of the mean of `n` values, missing where so few tell nothing. Where the quantity lies in
/// 0–1 the interval is not shown beyond.
pub(super) fn mean_interval_cell(ci95: Option<[Num; 2]>, n: u64, is_unit: bool) -> Cell {
    Interval95::of_mean(ci95.map(|[low, high]| [low.0, high.0]), n, is_unit).cell()
}

/// Whether the producer's scores lie in 0–1: all do but REBEL's, whose metrics may give any number.
pub(super) fn has_unit_scores(evaluation: &Evaluation) -> bool {
    evaluation.producer != "rebel"
}

/// Wilson's interval of a share.
pub(super) fn wilson_cell(passed: u64, total: u64) -> Cell {
    match Interval95::of_share(passed, total) {
        Interval95::Undefined => Cell::Missing("there are no such cases".to_owned()),
        found => found.cell(),
    }
}

/// The groups of run `idx`.
pub(super) fn groups(entry: &Entry, idx: usize, groups: &[GroupScore]) -> Table {
    let mut table = Table::new(
        "groups",
        "Groups",
        vec![
            Column::words("Group"),
            Column::words("Kind"),
            Column::numbers("Score", "Mean of the case scores"),
            Column::numbers("95 % interval", "Student's t interval of the score"),
            Column::numbers("Scores", "Number of scores in the mean"),
            Column::numbers("Passed", "Cases that pass, of all"),
            Column::numbers("95 % interval", "Wilson's interval of the share that passes"),
            Column::numbers("Weight", "In the weighted score"),
            Column::numbers("Duration", "Wall-clock time of the group"),
        ],
    );
    let mut n_undefined = 0;
    for (group, at) in groups.iter().zip(0_u32..) {
        let how = entry.run_ref(idx).map(|run| Link::How(How::Group { run, group: at }));
        n_undefined += group.n_undefined;
        let why = if group.cases == 0 { "the group is empty" } else { NO_SCORE };
        table.row(vec![
            Cell::Text(group.name.clone()),
            Cell::words(group.kind.map(Kind::as_str), "the files name no kind"),
            Cell::or_missing(group.score, Cell::Bar, why).opening(how),
            mean_interval_cell(group.ci95, group.cases.saturating_sub(group.n_undefined), true),
            Cell::Count(group.n_scores),
            count_cell(group.passed, group.cases),
            wilson_cell(group.passed, group.cases),
            Cell::Number(group.weight),
            Cell::or_missing(group.duration_secs, Cell::Secs, "the files state no duration"),
        ]);
    }
    if groups.is_empty() {
        table.empty = Some("This run has no groups.".to_owned());
    }
    table.drop_unknown(&["Duration"]);
    let mut remarks = Vec::new();
    let run = entry.evaluation.runs.get(idx);
    if run.is_some_and(|run| run.groups.iter().any(|group| group.weight.is_some())) {
        remarks.push(
            "Weights are those that config.yaml declares, where none is set here.".to_owned(),
        );
    }
    if n_undefined > 0 {
        remarks.push(format!(
            "{} cases have no score (not run, nothing verified, or no weight) and are left out of the means.",
            count(n_undefined)
        ));
    }
    table.footnote = (!remarks.is_empty()).then(|| remarks.join(" "));
    table
}

/// All seven policies.
pub(super) fn policies(policies: &[PolicyVerdict], by_kind: &BTreeMap<Kind, KindCount>) -> Table {
    let mut table = Table::new(
        "policies",
        "Pass policies",
        vec![Column::words("Policy"), Column::words("Verdict"), Column::words("Reason")],
    );
    for verdict in policies {
        table.row(vec![
            Cell::Text(verdict.policy.as_str().to_owned()),
            policy_cell(verdict, by_kind),
            Cell::Text(verdict.reason.clone()),
        ]);
    }
    table.footnote = Some(
        "Policy any follows the guide, at least one case; slop-code's own code answers it with always."
            .to_owned(),
    );
    table
}

/// What a policy says; nothing where there is no case that it could look at: then it holds or fails
/// without having seen one.
pub(super) fn policy_cell(verdict: &PolicyVerdict, by_kind: &BTreeMap<Kind, KindCount>) -> Cell {
    let has_case = by_kind.values().any(|count| count.total > 0);
    if verdict.is_passed && !has_case {
        return Cell::Missing("nothing ran: it holds of no case".to_owned());
    }
    Cell::Outcome(Outcome::of(verdict.is_passed))
}

/// Errors by category and type; `None` without errors.
pub(super) fn errors(totals: &[&Totals]) -> Option<Table> {
    let mut counts: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for totals in totals {
        for (name, n) in &totals.errors.by_category {
            *counts.entry(("category", name)).or_default() += n;
        }
        for (name, n) in &totals.errors.by_exception_type {
            *counts.entry(("exception", name)).or_default() += n;
        }
    }
    let mut table = Table::new(
        "errors",
        "Errors",
        vec![Column::words("By"), Column::words("Name"), Column::numbers("Cases", "")],
    );
    for ((by, name), n) in counts {
        table.row(vec![Cell::Text(by.to_owned()), Cell::Text(name.to_owned()), Cell::Count(n)]);
    }
    (!table.rows.is_empty()).then_some(table)
}
