//! What each rule says, side by side: policies, gates, thresholds, strategies, rewards.

use super::rewards::reward_tables;
use crate::model::{GateRule, Run, Strategy, Verdict};
use crate::policy::{GateLine, Policy, differences, judge_gate};
use crate::report::cells::wilson_cell;
use crate::report::policy_table::{policies as policy_table, policy_cell};
use crate::report::scope::PageScope;
use crate::report::table::Column;
use crate::report::{Cell, Link, Num, Outcome, Row, Section, Table, Target};
use crate::scoring::{Judged, by_strategy, scores};
use crate::stats;
use crate::words::report::rules::{AS_DECLARED, CASES, METRIC, NO_SCORE, SCORES, tables as words};
use std::collections::BTreeMap;

/// Rows of one table.
const MAX_ROWS: usize = 500;

/// Every section that has something to say about `scope`.
pub(super) fn sections(scope: &PageScope<'_>) -> Vec<Section> {
    let mut sections = Vec::new();
    if scope.has_policies() {
        sections.push(policies(scope));
    }
    sections.extend(gates(scope));
    sections.extend(thresholds(scope));
    if scope.has_strategies() {
        sections.push(strategies(scope));
    }
    let rewards = reward_tables(scope);
    if !rewards.is_empty() {
        sections.push(Section {
            title: words::REWARDS.to_owned(),
            lead: Some(words::REWARDS_LEAD.to_owned()),
            tables: rewards,
            ..Section::default()
        });
    }
    sections
}

/// All seven policies for every run.
fn policies(scope: &PageScope<'_>) -> Section {
    let mut matrix_columns = vec![Column::words(words::CHECKPOINT)];
    matrix_columns.extend(Policy::ALL.map(|policy| Column::words(policy.as_str())));
    matrix_columns.push(Column::words(words::REASON_IN_FORCE));
    let mut matrix = Table::new("policy-matrix", words::ALL_POLICIES, matrix_columns);
    let mut originals = Table::new(
        "policy-originals",
        words::ORIGINALS,
        vec![Column::words(words::CHECKPOINT), Column::words(words::POLICY_AND_ANSWERS)],
    );
    let rule = scope.workspace.settings.policy;
    let mut single = None;
    let judged = scope.parts.iter().filter(|(entry, _)| entry.evaluation.config.has_policies);
    for (entry, idxs) in judged {
        for &idx in idxs {
            let (Some(run), Some(figures)) =
                (entry.evaluation.runs.get(idx), entry.figures.runs.get(idx))
            else {
                continue;
            };
            let link = entry.run_ref(idx).map(|run| Link::Target(Target::Run(run)));
            if figures.policies.is_empty() {
                let why = figures.verdict.as_ref().map_or(String::new(), |own| own.reason.shown());
                let mut cells = vec![Cell::Text(run.label.clone())];
                cells.extend(Policy::ALL.map(|_| Cell::Missing(words::NOT_JUDGED.to_owned())));
                cells.push(Cell::Text(why));
                matrix.rows.push(Row { cells, link });
                continue;
            }
            for line in differences(&figures.by_kind, run.is_infrastructure_failure) {
                originals.rows.push(Row {
                    cells: vec![Cell::Text(run.label.clone()), Cell::Text(line)],
                    link: link.clone(),
                });
            }
            single = Some(figures);
            let mut cells = vec![Cell::Text(run.label.clone())];
            cells.extend(
                figures.policies.iter().map(|verdict| policy_cell(verdict, &figures.by_kind)),
            );
            let policy = rule.of(&entry.evaluation.config, run.key.suite.as_deref());
            let own = figures.policies.iter().find(|verdict| verdict.policy == policy);
            cells.push(Cell::Text(own.map_or(String::new(), |verdict| verdict.reason.clone())));
            matrix.rows.push(Row { cells, link });
        }
    }
    matrix.cap(MAX_ROWS, words::CHECKPOINTS);
    originals.cap(MAX_ROWS, words::ANSWERS);
    let table = match single {
        Some(figures) if scope.is_run => policy_table(&figures.policies, &figures.by_kind),
        _ => matrix,
    };
    Section {
        title: words::POLICIES.to_owned(),
        lead: Some(words::POLICIES_LEAD.to_owned()),
        tables: std::iter::once(table)
            .chain((!originals.rows.is_empty()).then_some(originals))
            .collect(),
        ..Section::default()
    }
}

/// `rule` over every run of the scope together, part by part.
pub(super) fn gate_lines(scope: &PageScope<'_>, rule: Option<&GateRule>) -> Vec<GateLine> {
    let (Some(rule), Some((entry, _))) = (rule, scope.parts.first()) else { return Vec::new() };
    let rules = &scope.workspace.settings.rules;
    judge_gate(rule, &scope.runs(), &entry.evaluation.config, rules, None).lines
}

/// The gate of each evaluation, by repeat and part.
fn gates(scope: &PageScope<'_>) -> Option<Section> {
    let mut tables = Vec::new();
    for (entry, _) in scope.parts.iter().filter(|_| !scope.is_run) {
        let repeats = &entry.figures.repeats;
        let is_single = repeats.len() == 1;
        let mut table = gate_table(&format!("gate-{}", entry.id), &entry.evaluation.label);
        for repeat in repeats {
            let Some(gate) = &repeat.gate else { continue };
            let verdict =
                |passed: bool| if passed { words::RECORDED_PASSED } else { words::RECORDED_FAILED };
            for line in &gate.lines {
                let name = match (is_single, line.depth) {
                    (true, _) => line.text.clone(),
                    (false, _) => words::rule_in_repeat(repeat.repeat, &line.text),
                };
                let declared = gate.declared_passed.filter(|_| line.depth == 0).map(verdict);
                table.row(gate_cells(line, &name, declared));
            }
        }
        table.cap(MAX_ROWS, words::RULES);
        if !table.rows.is_empty() {
            tables.push(table);
        }
    }
    (!tables.is_empty()).then(|| Section {
        title: words::GATES.to_owned(),
        lead: Some(words::GATES_LEAD.to_owned()),
        tables,
        ..Section::default()
    })
}

fn gate_table(id: &str, caption: &str) -> Table {
    Table::new(
        id,
        caption,
        vec![
            Column::words(words::RULE),
            Column::numbers(words::VALUE, words::VALUE_HINT),
            Column::numbers(SCORES, words::SCORES_HINT),
            Column::words(words::VERDICT),
            Column::words(words::RECORDED),
            Column::words(words::WHY),
        ],
    )
}

fn gate_cells(line: &GateLine, name: &str, declared: Option<&str>) -> Vec<Cell> {
    // Two no-break spaces a level: a part is seen to belong to what stands above it.
    let indent = "\u{a0}\u{a0}".repeat(line.depth as usize);
    let outcome = line.is_passed.map(|passed| Cell::Outcome(Outcome::of(passed)));
    vec![
        Cell::Text(format!("{indent}{name}")),
        Cell::or_missing(line.value, Cell::Number, words::SEVERAL_VALUES),
        line.n.map_or_else(|| Cell::Missing(words::SEE_PARTS.to_owned()), Cell::Count),
        outcome.unwrap_or_else(|| Cell::Missing(words::PART_OF_MEAN.to_owned())),
        Cell::words(declared, words::NOT_RECORDED),
        Cell::Text(line.reason.clone()),
    ]
}

/// How many cases would pass at each threshold on their own score.
fn thresholds(scope: &PageScope<'_>) -> Option<Section> {
    let runs = scope.runs();
    let mut values: Vec<f64> =
        scores(None, &runs, &scope.workspace.settings.rules).iter().map(|s| s.score).collect();
    values.sort_by(f64::total_cmp);
    // Where every score is 0 or 1 no threshold tells more than another.
    let is_binary = values.iter().all(|score| *score == 0.0 || *score == 1.0);
    if is_binary {
        return None;
    }
    let mut table = Table::new(
        "thresholds",
        words::PASSING_AT,
        vec![
            Column::words(words::SCORE_AT_LEAST),
            Column::numbers(CASES, words::PASSING_HINT),
            Column::numbers(words::INTERVAL, words::INTERVAL_HINT),
        ],
    );
    for step in 1..=10_u8 {
        let threshold = f64::from(step) / 10.0;
        let n_below = values.partition_point(|score| *score < threshold);
        // NaN sorts last, and meets no threshold.
        let n_nan = values.iter().rev().take_while(|score| score.is_nan()).count();
        let (part, whole) = ((values.len() - n_below - n_nan) as u64, values.len() as u64);
        table.row(vec![
            Cell::Text(format!("{threshold:.1}")),
            Cell::Share { part, whole },
            wilson_cell(part, whole),
        ]);
    }
    Some(Section {
        title: words::THRESHOLDS.to_owned(),
        lead: Some(words::THRESHOLDS_LEAD.to_owned()),
        tables: vec![table],
        ..Section::default()
    })
}

/// The declared way of combining attempts, and the four strategies.
const N_WAYS: usize = 5;

/// What one way of combining attempts gives.
#[derive(Default)]
struct StrategyTotals {
    passed: u64,
    total: u64,
    scores: Vec<f64>,
}

impl StrategyTotals {
    fn add(&mut self, judged: Judged) {
        self.total += 1;
        self.passed += u64::from(judged.verdict == Verdict::Passed);
        self.scores.push(judged.score);
    }

    fn take_in(&mut self, other: &Self) {
        self.total += other.total;
        self.passed += other.passed;
        self.scores.extend(&other.scores);
    }

    fn cells(&self) -> [Cell; 3] {
        [
            Cell::Share { part: self.passed, whole: self.total },
            wilson_cell(self.passed, self.total),
            Cell::or_missing(
                stats::mean(self.scores.iter().copied()).map(Num),
                Cell::Number,
                NO_SCORE,
            ),
        ]
    }
}

/// The four strategies beside the declared ones, over all and by metric.
fn strategies(scope: &PageScope<'_>) -> Section {
    let mut by_metric: BTreeMap<&str, [StrategyTotals; N_WAYS]> = BTreeMap::new();
    let recorded = scope
        .parts
        .iter()
        .flat_map(|(entry, idxs)| idxs.iter().filter_map(|&idx| entry.recorded_runs().get(idx)));
    for run in recorded {
        for idx in 0..run.cases.len() {
            let found = by_strategy(run, idx);
            if found.is_empty() {
                continue;
            }
            let metric = run.checks_of(idx).find_map(|at| run.checks.name.get(at));
            let of_metric = by_metric.entry(metric.unwrap_or_default()).or_default();
            let ways = std::iter::once(declared(run, idx))
                .chain(found.into_iter().map(|(_, judged)| judged));
            for (totals, judged) in of_metric.iter_mut().zip(ways) {
                totals.add(judged);
            }
        }
    }
    let mut table = Table::new(
        "strategies",
        words::STRATEGIES,
        vec![
            Column::words(words::STRATEGY),
            Column::words(words::VERDICT_RULE),
            Column::numbers(words::PASSED, words::PASSED_HINT),
            Column::numbers(words::INTERVAL, words::INTERVAL_HINT),
            Column::numbers(words::MEAN_SCORE, words::MEAN_SCORE_HINT),
        ],
    );
    for at in (0..N_WAYS).filter(|_| !by_metric.is_empty()) {
        let mut totals = StrategyTotals::default();
        for of_metric in by_metric.values().filter_map(|ways| ways.get(at)) {
            totals.take_in(of_metric);
        }
        let mut cells: Vec<Cell> =
            strategy_words(at).map(|word| Cell::Text(word.to_owned())).into();
        cells.extend(totals.cells());
        table.row(cells);
    }
    let mut metric_columns = vec![Column::words(METRIC)];
    metric_columns.extend((0..N_WAYS).map(|at| {
        let [name, rule] = strategy_words(at);
        Column::numbers(name, rule)
    }));
    let mut metrics = Table::new("strategies-by-metric", words::PASSED_BY_METRIC, metric_columns);
    for (metric, totals) in &by_metric {
        let mut cells = vec![Cell::Text((*metric).to_owned())];
        let shares = totals.iter().map(|t| Cell::Share { part: t.passed, whole: t.total });
        cells.extend(shares);
        metrics.row(cells);
    }
    metrics.cap(MAX_ROWS, words::METRICS);
    Section {
        title: words::STRATEGIES.to_owned(),
        lead: Some(words::STRATEGIES_LEAD.to_owned()),
        tables: std::iter::once(table).chain((by_metric.len() > 1).then_some(metrics)).collect(),
        ..Section::default()
    }
}

fn declared(run: &Run, idx: usize) -> Judged {
    let verdict = match run.cases.outcome_of(idx) {
        Outcome::Passed => Verdict::Passed,
        Outcome::Failed => Verdict::Failed,
        _ => Verdict::Error,
    };
    Judged { score: run.cases.score.get(idx).unwrap_or(0.0), verdict }
}

/// Name and verdict rule of the declared way (0) and of each strategy.
fn strategy_words(at: usize) -> [&'static str; 2] {
    match at.checked_sub(1).and_then(|at| Strategy::ALL.get(at)) {
        None => [AS_DECLARED, words::DECIDES_AS_DECLARED],
        Some(Strategy::Min) => ["min", words::DECIDES_MIN],
        Some(Strategy::Max) => ["max", words::DECIDES_MAX],
        Some(Strategy::Mean) => ["mean", words::DECIDES_MOST],
        Some(Strategy::Median) => ["median", words::DECIDES_MOST],
    }
}
