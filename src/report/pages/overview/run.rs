//! The overview of one run.

use super::banner::{badge, verdict_view};
use super::deciding::deciding;
use super::headlines::{count_headlines, headline, main_costs, time_and_cost};
use super::trust::trust;
use super::{bands_of, kinds, part, questions, repeat_tables, tables};
use crate::model::Better;
use crate::report::cells::{has_unit_scores, mean_interval_cell, no_weighted_score, sided};
use crate::report::pages::audit::agreement;
use crate::report::{
    Cell, Headline, How, Link, Section, Sections, Target, caveats, policy_table, run_state,
};
use crate::words::report::overview::verdict as words;
use crate::workspace::{Entry, Workspace, run_label};

/// The overview of run `idx`.
pub(super) fn of_run(workspace: &Workspace, entry: &Entry, idx: usize) -> Option<Sections> {
    let evaluation = &entry.evaluation;
    let (run, figures) = (evaluation.runs.get(idx)?, entry.figures.runs.get(idx)?);
    let totals = &figures.totals;
    let how = entry.run_ref(idx).map(|run| Link::How(How::Run(run)));
    let counts = count_headlines(&[totals], evaluation, &workspace.settings);
    let (passed, others) = counts.split_at(counts.len().min(1));
    let mut headlines = passed.to_vec();
    if let Some(reward) = totals.reward {
        headlines.push(headline(
            words::REWARD,
            Cell::Number(reward).opening(how.clone()),
            Some(words::REWARD_HINT),
        ));
    }
    if evaluation.config.has_policies {
        let why = no_weighted_score(&figures.groups);
        let score = Cell::or_missing(totals.score.weighted, Cell::Number, why);
        headlines.push(headline(
            words::SCORE,
            score.opening(how.clone()),
            Some(words::SCORE_OF_GROUPS_HINT),
        ));
    }
    let is_unit = has_unit_scores(evaluation);
    if let Some(found) = &totals.score.under_rules {
        headlines.push(Headline {
            note: found.ci95.map(|ci95| mean_interval_cell(Some(ci95), found.n, is_unit)),
            ..headline(
                words::MEAN_BY_RULES,
                Cell::or_missing(found.mean, Cell::Number, words::NO_SCORED_CASE),
                Some(words::MEAN_BY_RULES_HINT),
            )
        });
    }
    let mean = Cell::or_missing(totals.score.mean_attempted, Cell::Number, words::NO_SCORED_CASE);
    headlines.push(Headline {
        note: totals.score.ci95.map(|ci95| mean_interval_cell(Some(ci95), totals.score.n, is_unit)),
        ..headline(
            &sided(words::MEAN_ATTEMPTED, run.score_better),
            if evaluation.config.has_policies { mean } else { mean.opening(how) },
            Some(words::MEAN_ATTEMPTED_HINT),
        )
    });
    headlines.push(headline(
        words::MEAN_ALL,
        Cell::or_missing(totals.score.mean_total, Cell::Number, words::NO_SCORED_CASE),
        Some(match run.score_better {
            Some(Better::Less) => words::MEAN_ALL_LOWER_HINT,
            _ => words::MEAN_ALL_HINT,
        }),
    ));
    headlines.extend(main_costs(&[totals]));
    headlines.extend_from_slice(others);
    let (mut passing, mut failing) = (Vec::new(), Vec::new());
    if evaluation.config.has_policies {
        passing.extend(run_state::of_run(run));
        if let Some(table) = run_state::states(entry, run.key.suite.as_deref()) {
            passing.push(table);
        }
        if !figures.policies.is_empty() {
            passing.push(policy_table::policies(&figures.policies, &figures.by_kind));
        }
        failing.push(tables::groups(entry, idx, &figures.groups));
        failing.push(kinds::kinds(entry, &[idx]));
    } else if !figures.groups.is_empty() {
        failing.push(tables::groups(entry, idx, &figures.groups));
    }
    failing.extend(repeat_tables::metrics(&[totals], &evaluation.config));
    let target = entry.run_ref(idx).map_or(Target::Evaluation(entry.id), Target::Run);
    failing.extend(bands_of(workspace, target));
    failing.extend(tables::errors(&[totals]));
    let mut facts = vec![format!("{} {}", evaluation.producer, evaluation.generation)];
    facts.extend(run.key.subject.clone());
    facts.extend(run.started_at.clone());
    facts.push(run.key.path.clone());
    let time = run.duration_secs.filter(|_| !evaluation.config.has_policies);
    Some(Sections {
        title: run_label(entry, run),
        facts,
        verdict: (figures.verdict.as_ref()).map(|verdict| {
            let deciding = deciding(workspace, entry, verdict, &[idx]);
            verdict_view(verdict, caveats::of_run(entry, idx).as_deref(), None, deciding)
        }),
        headlines,
        badge: badge(agreement(entry, Some(idx))),
        sections: questions(
            workspace,
            target,
            [
                part(passing),
                part(failing),
                Section { headlines: time_and_cost(&[totals], time), ..Section::default() },
                part(vec![trust(workspace, target)]),
            ],
        ),
        empty: (run.n_cases() == 0).then(|| match run.declared_counts() {
            Some(_) => words::ONLY_COUNTS.to_owned(),
            None => words::NO_CASE_IN_RUN.to_owned(),
        }),
        ..Sections::default()
    })
}
