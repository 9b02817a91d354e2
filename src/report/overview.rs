//! The first page about a run, an evaluation or everything.

use super::audit::{Agreement, agreement};
use super::judgement::Judgement;
use super::rules_view::Scope;
use super::tree::evaluation_score;
use super::workspace::{Entry, Workspace};
use super::{
    Badge, Cell, Headline, How, Link, Num, Section, Sections, Settings, Table, Target, VerdictView,
};
use super::{
    charts, declared, overview_tables as tables, overview_trust as trust, proviso, repeat_tables,
    run_state,
};
use crate::format::{count, counted};
use crate::model::Evaluation;
use crate::scoring::{Counts, TimingTotals, Totals, UsageTotals};
use crate::stats;

/// The overview of `target`; `None` when it is not (or no longer) there.
pub(super) fn overview(workspace: &Workspace, target: Target) -> Option<Sections> {
    match target {
        Target::All => Some(of_all(workspace)),
        Target::Evaluation(id) => {
            let entry = workspace.entry(id)?;
            Some(if entry.is_declared_only() {
                declared::page(workspace, entry)
            } else {
                of_evaluation(workspace, entry)
            })
        }
        Target::Run(run) => {
            let (entry, _) = workspace.run(run)?;
            of_run(workspace, entry, run.run as usize)
        }
    }
}

fn of_all(workspace: &Workspace) -> Sections {
    let entries = &workspace.entries;
    let runs = || entries.iter().flat_map(|entry| &entry.figures.runs);
    // What was evaluated again counts once.
    let first: Vec<&Totals> = entries.iter().flat_map(first_totals).collect();
    let n_cases: u64 = first.iter().map(|totals| totals.counts.total).sum();
    Sections {
        title: "Everything".to_owned(),
        headlines: vec![
            headline("Evaluations", Cell::Count(entries.len() as u64), None),
            headline("Runs", Cell::Count(runs().count() as u64), None),
            headline("Cases", Cell::Count(n_cases), None),
            headline(
                "Passed",
                share_of(Counts::passing_of(first.iter().map(|totals| &totals.counts)), None),
                None,
            ),
        ],
        badge: badge(Agreement::of(entries.iter())),
        sections: questions(
            workspace,
            Target::All,
            [
                part(
                    std::iter::once(tables::evaluations(entries))
                        .chain(declared::models_of_all(entries))
                        .collect(),
                ),
                Section::default(),
                Section { headlines: cost_headlines(&all_totals(workspace)), ..Section::default() },
                part(vec![trust::trust(workspace, Target::All)]),
            ],
        ),
        empty: entries.is_empty().then(|| "Nothing is loaded.".to_owned()),
        ..Sections::default()
    }
}

fn of_evaluation(workspace: &Workspace, entry: &Entry) -> Sections {
    let evaluation = &entry.evaluation;
    let figures = &entry.figures;
    let mut headlines = vec![headline(
        if evaluation.config.reward.is_some() { "Reward" } else { "Score" },
        Cell::or_missing(evaluation_score(entry), Cell::Number, "no case has a score")
            .opening(Some(Link::How(How::Evaluation(entry.id)))),
        Some(if evaluation.config.has_policies {
            "Mean of the checkpoints' scores, each the weighted mean of its groups"
        } else {
            "Mean over attempted cases, and over repeats where there are several"
        }),
    )];
    let totals = totals_of(entry);
    let first = first_totals(entry);
    headlines.extend(count_headlines(&first, evaluation, &workspace.settings));
    let (mut passing, mut failing) = (Vec::new(), Vec::new());
    if evaluation.config.has_policies {
        passing.extend(run_state::states(entry, None));
        passing.push(tables::checkpoints(entry));
        passing.extend(run_state::before_after(entry));
        let is_first =
            |idx: &usize| evaluation.runs.get(*idx).is_some_and(|run| run.again().is_none());
        let first: Vec<usize> = (0..evaluation.runs.len()).filter(is_first).collect();
        failing.push(tables::kinds(entry, &first));
    } else {
        if figures.repeats.len() > 1 {
            passing.push(repeat_tables::repeats(entry));
        }
        let subjects = figures.repeats.iter().map(|r| r.subjects.len()).max().unwrap_or(0);
        if subjects > 1 || evaluation.runs.len() > figures.repeats.len() {
            passing.push(repeat_tables::runs(entry));
        }
        failing.extend(repeat_tables::metrics(&totals));
        failing.extend(bands_of(workspace, Target::Evaluation(entry.id)));
    }
    passing.extend(declared::beside_rows(entry));
    failing.extend(tables::errors(&totals));
    let asked = &evaluation.config.description;
    if !asked.is_empty() {
        passing.push(tables::description(asked));
    }
    let mut doubts: Vec<Table> =
        figures.aggregate.as_ref().map(repeat_tables::spread).into_iter().collect();
    let Agreement { n_explained, n_differing, .. } = agreement(entry, None);
    doubts.extend(declared::spreads(entry).filter(|_| n_explained + n_differing > 0));
    doubts.push(trust::trust(workspace, Target::Evaluation(entry.id)));
    Sections {
        title: evaluation.label.clone(),
        facts: vec![
            format!("{} {}", evaluation.producer, evaluation.generation),
            evaluation.path.clone(),
        ],
        lead: run_state::declares(entry),
        verdict: (figures.verdict.as_ref())
            .map(|verdict| verdict_view(verdict, proviso::of_evaluation(entry))),
        headlines,
        badge: badge(agreement(entry, None)),
        sections: questions(
            workspace,
            Target::Evaluation(entry.id),
            [
                part(passing),
                part(failing),
                Section { headlines: time_and_cost(&totals, None), ..Section::default() },
                part(doubts),
            ],
        ),
        empty: evaluation.runs.is_empty().then(|| {
            let why = evaluation.config.no_runs.clone();
            let is_suite = !evaluation.config.description.is_empty();
            why.unwrap_or_else(|| {
                let words = if is_suite {
                    "The files describe a suite and hold no run of it."
                } else {
                    "The files hold no run."
                };
                words.to_owned()
            })
        }),
        ..Sections::default()
    }
}

fn of_run(workspace: &Workspace, entry: &Entry, idx: usize) -> Option<Sections> {
    let evaluation = &entry.evaluation;
    let (run, figures) = (evaluation.runs.get(idx)?, entry.figures.runs.get(idx)?);
    let totals = &figures.totals;
    let how = entry.run_ref(idx).map(|run| Link::How(How::Run(run)));
    let mut headlines = Vec::new();
    if let Some(reward) = totals.reward {
        headlines.push(headline(
            "Reward",
            Cell::Number(reward).opening(how.clone()),
            Some("Mean reward over cases without error"),
        ));
    }
    if evaluation.config.has_policies {
        let why = tables::no_weighted_score(&figures.groups);
        let score = Cell::or_missing(totals.score.weighted, Cell::Number, why);
        headlines.push(headline(
            "Score",
            score.opening(how.clone()),
            Some("Weighted mean of the group scores"),
        ));
    }
    let is_unit = tables::has_unit_scores(evaluation);
    if let Some(found) = &totals.score.under_rules {
        headlines.push(Headline {
            note: found.ci95.map(|ci95| tables::mean_interval_cell(Some(ci95), found.n, is_unit)),
            ..headline(
                "Mean by your rules",
                Cell::or_missing(found.mean, Cell::Number, "no case has a score"),
                Some("Errors, skipped and unscored cases counted as the rules in force say"),
            )
        });
    }
    let mean = Cell::or_missing(totals.score.mean_attempted, Cell::Number, "no case has a score");
    headlines.push(Headline {
        note: totals
            .score
            .ci95
            .map(|ci95| tables::mean_interval_cell(Some(ci95), totals.score.n, is_unit)),
        ..headline(
            "Mean (errors left out)",
            if evaluation.config.has_policies { mean } else { mean.opening(how) },
            Some("Mean score over attempted cases, with its 95 % t interval"),
        )
    });
    headlines.push(headline(
        "Mean (errors counted as 0)",
        Cell::or_missing(totals.score.mean_total, Cell::Number, "no case has a score"),
        Some("The same sum over all cases: what has no score counts as 0"),
    ));
    headlines.extend(count_headlines(&[totals], evaluation, &workspace.settings));
    let (mut passing, mut failing) = (Vec::new(), Vec::new());
    if evaluation.config.has_policies {
        passing.extend(run_state::of_run(run));
        if let Some(table) = run_state::states(entry, run.key.suite.as_deref()) {
            passing.push(table);
        }
        if !figures.policies.is_empty() {
            passing.push(tables::policies(&figures.policies, &figures.by_kind));
        }
        failing.push(tables::groups(entry, idx, &figures.groups));
        failing.push(tables::kinds(entry, &[idx]));
    } else if !figures.groups.is_empty() {
        failing.push(tables::groups(entry, idx, &figures.groups));
    }
    failing.extend(repeat_tables::metrics(&[totals]));
    let target = entry.run_ref(idx).map_or(Target::Evaluation(entry.id), Target::Run);
    failing.extend(bands_of(workspace, target));
    failing.extend(tables::errors(&[totals]));
    let mut facts = vec![format!("{} {}", evaluation.producer, evaluation.generation)];
    facts.extend(run.key.subject.clone());
    facts.extend(run.started_at.clone());
    facts.push(run.key.path.clone());
    let time = run.duration_secs.filter(|_| !evaluation.config.has_policies);
    Some(Sections {
        title: run.label.clone(),
        facts,
        verdict: (figures.verdict.as_ref())
            .map(|verdict| verdict_view(verdict, proviso::of_run(entry, idx))),
        headlines,
        badge: badge(agreement(entry, Some(idx))),
        sections: questions(
            workspace,
            target,
            [
                part(passing),
                part(failing),
                Section { headlines: time_and_cost(&[totals], time), ..Section::default() },
                part(vec![trust::trust(workspace, target)]),
            ],
        ),
        empty: run.cases.is_empty().then(|| match run.declared_counts() {
            Some(_) => "The cases of this run are not among the files: its counts are those that \
                its row declares."
                .to_owned(),
            None => "This run holds no case.".to_owned(),
        }),
        ..Sections::default()
    })
}

/// The page's questions, in the order in which a reader asks them.
const QUESTIONS: [&str; 4] = [
    "Did it pass, and why?",
    "Where does it fail?",
    "Is it slow or costly?",
    "Can I trust these numbers?",
];

/// The parts that answer the questions about `target`, with their charts; a question without an
/// answer is not asked.
pub(super) fn questions(
    workspace: &Workspace,
    target: Target,
    answers: [Section; 4],
) -> Vec<Section> {
    let figures = Scope::new(workspace, target).map(|scope| charts::overview(&scope));
    let figures = figures.unwrap_or_default().into_iter().chain(std::iter::once(Vec::new()));
    let named = QUESTIONS.into_iter().zip(answers).zip(figures);
    named
        .map(|((question, answer), figures)| Section {
            title: question.to_owned(),
            figures,
            ..answer
        })
        .filter(|answer| {
            let is_blank = answer.tables.is_empty() && answer.headlines.is_empty();
            !(is_blank && answer.figures.is_empty())
        })
        .collect()
}

/// The cases by the bands of scores that the producer's guide gives words for.
fn bands_of(workspace: &Workspace, target: Target) -> Option<Table> {
    charts::score_bands(&Scope::new(workspace, target)?)
}

pub(super) fn part(tables: Vec<Table>) -> Section {
    Section { tables, ..Section::default() }
}

/// The totals of every evaluation: of its checkpoints, or of its repeats.
fn all_totals(workspace: &Workspace) -> Vec<&Totals> {
    workspace.entries.iter().flat_map(totals_of).collect()
}

/// The totals of an evaluation: of its checkpoints, or of its repeats.
fn totals_of(entry: &Entry) -> Vec<&Totals> {
    if entry.evaluation.config.has_policies {
        entry.figures.runs.iter().map(|run| &run.totals).collect()
    } else {
        entry.figures.repeats.iter().map(|repeat| &repeat.totals).collect()
    }
}

/// The same without what was evaluated again: counts and rates are of each checkpoint once.
fn first_totals(entry: &Entry) -> Vec<&Totals> {
    if !entry.evaluation.config.has_policies {
        return totals_of(entry);
    }
    let runs = entry.evaluation.runs.iter().zip(&entry.figures.runs);
    let first = runs.filter(|(run, _)| run.again().is_none());
    first.map(|(_, figures)| &figures.totals).collect()
}

/// How long it took, how long a case takes, what it cost.
fn time_and_cost(totals: &[&Totals], duration_secs: Option<f64>) -> Vec<Headline> {
    let mut headlines = Vec::new();
    if let Some(secs) = duration_secs {
        headlines.push(headline(
            "Duration",
            Cell::Secs(Num(secs)),
            Some("Wall-clock time of the evaluation"),
        ));
    }
    // Percentiles of several totals do not add up to one.
    if let [Totals { timing: Some(timing), .. }] = totals {
        let of_case = [
            ("Median case", timing.p50_secs, "Upper middle value of the cases' durations"),
            (
                "Slow case",
                timing.p95_secs,
                "95 of 100 cases take no longer than this (rank ⌊0.95·n⌋)",
            ),
        ];
        for (label, secs, hint) in of_case {
            headlines.extend(secs.map(|secs| headline(label, Cell::Secs(secs), Some(hint))));
        }
    }
    headlines.extend(cost_headlines(totals));
    headlines
}

/// Seconds of the agent and of the tests, each over the runs that say.
fn side_times(totals: &[&Totals]) -> Vec<Headline> {
    let sum = |get: fn(&TimingTotals) -> Option<Num>| {
        let timing = totals.iter().filter_map(|totals| totals.timing.as_ref());
        let found: Vec<f64> = timing.filter_map(get).map(|secs| secs.0).collect();
        (!found.is_empty()).then(|| Num(stats::sum(found)))
    };
    let times = [
        (
            "Agent time",
            sum(|timing| timing.agent_secs),
            "What the agent took, over the runs that say",
        ),
        (
            "Test time",
            sum(|timing| timing.test_secs),
            "What the tests took, over the runs that say",
        ),
    ];
    let known = times.into_iter().filter_map(|(label, secs, hint)| Some((label, secs?, hint)));
    known.map(|(label, secs, hint)| headline(label, Cell::Secs(secs), Some(hint))).collect()
}

/// How declared and computed figures compare, in words; `None` when nothing is declared. Differences
/// that a known cause explains are no alarm.
fn badge(found: Agreement) -> Option<Badge> {
    let Agreement { n_agreeing, n_explained, n_differing } = found;
    let explained = match n_explained {
        0 => String::new(),
        n => format!("; {} for a known reason", counted(n, "more differs", "more differ")),
    };
    let words = match (n_agreeing, n_differing) {
        (0, 0) if n_explained == 0 => return None,
        (0, 0) => {
            let figures =
                counted(n_explained, "declared figure differs", "declared figures differ");
            format!("≠ {figures} from the computed, for a known reason")
        }
        (1, 0) => format!("= 1 declared figure agrees with the computed one{explained}"),
        (n, 0) if n_explained == 0 => {
            format!("= All {} declared figures agree with the computed ones", count(n))
        }
        (n, 0) => {
            format!("= {} declared figures agree with the computed ones{explained}", count(n))
        }
        (_, 1) => format!("≠ 1 declared figure differs from the computed one{explained}"),
        (_, n) => {
            format!("≠ {} declared figures differ from the computed ones{explained}", count(n))
        }
    };
    Some(Badge { words, differs: n_differing > 0 })
}

fn verdict_view(verdict: &Judgement, proviso: Option<&str>) -> VerdictView {
    VerdictView {
        outcome: verdict.outcome,
        standing: verdict.standing(),
        rule: verdict.rule.clone(),
        reason: verdict.reason.shown(),
        declared: verdict.declared.clone(),
        proviso: proviso.map(str::to_owned),
    }
}

pub(super) fn headline(label: &str, value: Cell, hint: Option<&str>) -> Headline {
    Headline { label: label.to_owned(), value, note: None, hint: hint.map(str::to_owned) }
}

fn share(part: u64, whole: u64) -> Cell {
    if whole == 0 {
        Cell::Missing("there is no case".to_owned())
    } else {
        Cell::Share { part, whole }
    }
}

/// Cases that pass, of how many; `why` none are known to, where the files tell.
fn share_of(passing: Option<(u64, u64)>, why: Option<&str>) -> Cell {
    match passing {
        Some((passed, all)) => share(passed, all),
        None => Cell::Missing(why.unwrap_or(tables::NO_CASE_RULE).to_owned()),
    }
}

fn count_headlines(
    totals: &[&Totals],
    evaluation: &Evaluation,
    settings: &Settings,
) -> Vec<Headline> {
    let sum =
        |get: fn(&Counts) -> u64| totals.iter().map(|totals| get(&totals.counts)).sum::<u64>();
    let passing = Counts::passing_of(totals.iter().map(|totals| &totals.counts));
    let interval = passing.and_then(|(passed, total)| stats::wilson_interval(passed, total));
    let rule = match evaluation.config.pass_rule {
        _ if settings.rules.pass.is_some() => {
            "Cases that pass by the threshold in force; with the Wilson 95 % interval".to_owned()
        }
        Some(rule) if !rule.is_declared => format!(
            "Cases with score {} {}: Evalglass's reading, the files have no rule by case; with the Wilson 95 % interval",
            rule.op.sign(),
            rule.value
        ),
        // Weighted and logical gates have no one threshold to show.
        None if evaluation.config.gate.is_some() => {
            "Cases whose own scores meet the gate: Evalglass's reading, the files have no rule by case; with the Wilson 95 % interval".to_owned()
        }
        _ => "Share of all cases that pass, with its Wilson 95 % interval".to_owned(),
    };
    let mut headlines = vec![Headline {
        note: interval.map(|ci| Cell::Interval { low: Num(ci.low), high: Num(ci.high) }),
        ..headline(
            "Passed",
            share_of(passing, evaluation.config.no_case_rule.as_deref()),
            Some(&rule),
        )
    }];
    let attempted = sum(|counts| counts.attempted);
    let all = sum(|counts| counts.total);
    if attempted != all {
        headlines.push(headline(
            "Attempted",
            share(attempted, all),
            Some("Cases that completed without error, by the producer's own definition"),
        ));
    }
    let left_out = sum(|counts| counts.left_out);
    if left_out > 0 {
        headlines.push(headline(
            "Left out",
            Cell::Count(left_out),
            Some("Cases that the rules in force leave out of every rate"),
        ));
    }
    let (error, skipped) = (sum(|counts| counts.error), sum(|counts| counts.skipped));
    if error > 0 {
        headlines.push(headline(
            "Errors",
            Cell::Count(error),
            Some("Cases that could not be judged"),
        ));
    }
    if skipped > 0 {
        headlines.push(headline("Skipped", Cell::Count(skipped), Some("Cases that were not run")));
    }
    headlines
}

fn cost_headlines(totals: &[&Totals]) -> Vec<Headline> {
    let usage = || totals.iter().filter_map(|totals| totals.usage.as_ref());
    let sum = |get: fn(&UsageTotals) -> Option<Num>| {
        let found: Vec<f64> = usage().filter_map(get).map(|number| number.0).collect();
        (!found.is_empty()).then(|| Num(stats::sum(found)))
    };
    let is_lower_bound = usage().any(|usage| usage.cost_missing > 0);
    let mut headlines = Vec::new();
    if let Some(amount) = sum(|usage| usage.cost_usd) {
        let hint = if is_lower_bound {
            "Some cases have no price: the true cost is higher"
        } else {
            "Sum over the runs or cases that say"
        };
        headlines.push(headline("Cost", Cell::Usd { amount, is_lower_bound }, Some(hint)));
    }
    if let Some(steps) = sum(|usage| usage.steps) {
        headlines.push(headline("Steps", Cell::Number(steps), Some("Steps that the agent took")));
    }
    headlines.extend(side_times(totals));
    let tokens = [sum(|usage| usage.prompt_tokens), sum(|usage| usage.completion_tokens)];
    if let [Some(prompt), Some(completion)] = tokens {
        headlines.push(headline(
            "Prompt tokens",
            Cell::Number(prompt),
            Some("Tokens read by the model"),
        ));
        headlines.push(headline(
            "Completion tokens",
            Cell::Number(completion),
            Some("Tokens written by the model"),
        ));
    }
    headlines
}
