//! Figures by other rules are the same, whether those by the declared ones are known or not.

use super::{Base, Settings, figures};
use crate::model::{
    CaseRow, CheckRow, Config, Evaluation, Gate, GroupInfo, MeanOver, Run, RunBuilder, RunKey,
};
use crate::policy::parse_gate;
use crate::scoring::rejudge;
use proptest::prelude::*;
use std::borrow::Cow;

/// A case: outcome, score, seconds, and the score and verdict of a check.
type Case = (Option<u8>, Option<f64>, Option<f64>, Option<(f64, u8)>);

fn word(outcome: u8) -> &'static str {
    ["passed", "failed", "error", "skipped", "scored", "unscored"][usize::from(outcome) % 6]
}

fn run(repeat: u32, cases: &[Case], has_groups: bool) -> Run {
    let key = RunKey { repeat, subject: Some(format!("s{}", repeat % 2)), ..RunKey::default() };
    let mut builder = RunBuilder::new(key, "run");
    if has_groups {
        builder.group(GroupInfo {
            name: "g".to_owned(),
            kind: None,
            duration_secs: None,
            weight: Some(2.0),
        });
    }
    for (at, (outcome, score, secs, check)) in cases.iter().enumerate() {
        let id = format!("{at}");
        builder.case(CaseRow {
            id: Some(&id),
            group: has_groups.then_some(if at % 2 == 0 { "g" } else { "h" }),
            outcome: outcome.map(word),
            score: *score,
            duration_secs: *secs,
            prompt_tokens: *secs,
            n_attempts: check.map(|_| 1),
            is_attempted: secs.map(|secs| secs > 0.1),
            ..CaseRow::default()
        });
        if let Some((score, verdict)) = check {
            builder.check(CheckRow {
                name: Some("m"),
                score: Some(*score),
                verdict: Some(["passed", "failed", "error"][usize::from(*verdict) % 3]),
                duration_secs: *secs,
                ..CheckRow::default()
            });
        }
    }
    builder.finish()
}

fn evaluation(runs: Vec<Run>, is_primary: bool) -> Evaluation {
    Evaluation {
        producer: Cow::Borrowed("x"),
        generation: String::new(),
        path: String::new(),
        label: String::new(),
        suite: None,
        config: Config {
            metrics: vec!["m".to_owned()],
            primary_metric: is_primary.then(|| "m".to_owned()),
            mean_over: if is_primary { MeanOver::Graded } else { MeanOver::AttemptedAndGraded },
            has_costs: true,
            ..Config::default()
        },
        declared: Vec::new(),
        unchecked: Vec::new(),
        declared_json: serde_json::Value::Null,
        rows: Vec::new(),
        runs,
        sources: Vec::new(),
    }
}

fn case() -> impl Strategy<Value = Case> {
    use prop::option::of;
    (of(0_u8..6), of(0.0..1.0), of(0.0..1.0), of((0.0..1.0, 0_u8..3)))
}

proptest! {
    #[test]
    fn what_is_known_changes_no_figure(
        runs in prop::collection::vec(prop::collection::vec(case(), 0..8), 1..4),
        (has_groups, is_primary, gate) in any::<(bool, bool, Option<bool>)>(),
    ) {
        let words = [
            vec![("errors", "left-out")], vec![("unscored", "zero"), ("skipped", "left-out")], vec![("pass", ">= 0.5")],
            vec![("strategy", "max")], vec![("pass", ">= 0.5"), ("errors", "zero")], vec![("weight:g", "3")],
        ];
        let runs = (1..).zip(&runs).map(|(repeat, cases)| run(repeat, cases, has_groups)).collect();
        let mut recorded = evaluation(runs, is_primary);
        let text = |counts_passes| if counts_passes { "pass_percent(*) >= 50" } else { "avg_score(*) >= 0.5" };
        recorded.config.gate = gate.map(|counts_passes| Gate {
            rule: parse_gate(text(counts_passes)).unwrap(),
            text: text(counts_passes).to_owned(),
            json: serde_json::Value::Null,
        });
        let base = figures(&recorded, &Settings::default(), None);
        for words in words {
            let words = words.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            let (settings, complaints) = Settings::from_words(&words);
            prop_assert!(complaints.is_empty());
            let judged: Vec<Option<Run>> = recorded.runs.iter().map(|run| rejudge(run, &settings.rules)).collect();
            let is_rejudged = judged.iter().any(Option::is_some);
            let own = judged.into_iter().zip(&recorded.runs).map(|(judged, run)| judged.unwrap_or_else(|| run.clone()));
            let now = Evaluation { runs: own.collect(), ..recorded.clone() };
            let known = figures(&now, &settings, Some(Base { figures: &base, is_rejudged }));
            prop_assert_eq!(format!("{known:?}"), format!("{:?}", figures(&now, &settings, None)));
        }
    }
}
