//! What the page asks for: sides that suggest themselves, case against case.

use super::opened;
use crate::support::{core_of, file};
use evalglass::address::CompareView;
use evalglass::input::Dropped;
use evalglass::render::compare::{CompareShown, PairPage, StepsRow};
use evalglass::report::compare::Change;
use evalglass::report::{Name, RunRef, Target};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, CompareAnswer, CompareQuestion, Question};
use serde_json::json;

/// One case of REBEL, in a file that says when it was made.
fn made_at(folder: &str, timestamp: &str) -> Dropped {
    let result = json!({ "score": 1.0, "verdict": "passed", "reason": "" });
    let case = json!({
        "name": "a", "tags": [], "retry_params": { "count": 1, "aggregation_strategy": "mean" },
        "input": { "messages": [], "api_params": {} }, "expected_output": { "output": "" }, "metrics": [{}],
        "actual_outputs": [{ "output": "" }], "evaluation_results": [result.clone()],
        "aggregated_result": result,
    });
    let metadata = json!({ "timestamp": timestamp, "total_test_cases": 1 });
    let text = json!({ "metadata": metadata, "test_cases": [case] }).to_string();
    file(&format!("{folder}/test_results_{timestamp}.json"), text)
}

fn asked(core: &Core, question: CompareQuestion) -> CompareAnswer {
    match core.answer(Question::Compare(question)) {
        Ok(Answer::Compare(answer)) => answer,
        other => panic!("{other:?}"),
    }
}

fn page(core: &Core, target: Target) -> CompareShown {
    match asked(core, CompareQuestion::Page(CompareView::default(), target)) {
        CompareAnswer::Page(page) => *page,
        other => panic!("{other:?}"),
    }
}

/// The folders of the evaluations that suggest themselves as sides.
fn suggested(core: &Core, target: Target) -> Vec<String> {
    let Ok(Answer::Workspace(tree)) = core.answer(Question::Rules(Vec::new())) else {
        panic!("rules are always answered");
    };
    let folder = |members: &Vec<Target>| {
        let [Target::Evaluation(id)] = members.as_slice() else { return format!("{members:?}") };
        let node = tree.evaluations.iter().find(|node| node.id == *id).unwrap();
        node.path.split('/').next().unwrap().to_owned()
    };
    page(core, target).members.iter().map(folder).collect()
}

#[test]
fn the_older_evaluation_is_the_baseline_whichever_was_opened_first() {
    let (old, middle, new) = ("20260101_000000", "20260201_000000", "20260301_000000");
    for order in [[old, middle, new], [new, middle, old], [middle, new, old]] {
        let core = core_of(order.iter().map(|at| made_at(at, at)).collect());
        assert_eq!(suggested(&core, Target::All), [middle, new], "{order:?}");
        for id in 0..3 {
            let own = suggested(&core, Target::Evaluation(id));
            assert!(own == [old, middle] || own == [middle, new], "{order:?} {own:?}");
        }
    }
    // One that was opened later although it is older.
    let core = core_of(vec![made_at("b", new)]);
    pollster::block_on(core.open(
        vec![made_at("a", old)],
        Vec::new(),
        &evalglass::input::Pulse::silent(),
    ))
    .unwrap();
    assert_eq!(suggested(&core, Target::All), ["a", "b"]);
}

#[test]
fn without_dates_the_order_of_opening_counts() {
    let core = core_of(vec![made_at("b", "unknown"), made_at("a", "unknown")]);
    assert_eq!(suggested(&core, Target::All).len(), 2);
    let alone = core_of(vec![made_at("b", "unknown")]);
    assert_eq!(suggested(&alone, Target::All), Vec::<String>::new());
}

/// Case against case of the first pair that the list holds.
fn first_pair(core: &Core, view: &CompareView) -> PairPage {
    let listed = core.compare_pairs(&view.query(), &view.pairs(1)).unwrap();
    assert!(!listed.lines.is_empty(), "{:?} {:?}", core.losses(), core.compare(&view.query()));
    let (run, row): (RunRef, u64) = listed.lines[0].baseline.unwrap();
    match asked(core, CompareQuestion::Pair(view.clone(), Target::All, run, Name::Place(row))) {
        CompareAnswer::Pair(page) => *page,
        other => panic!("{other:?}"),
    }
}

fn view_of(paths: &[(&str, Option<&str>)]) -> (Core, CompareView) {
    let (core, query) = opened(paths);
    let sides = query.sides.into_iter().map(|side| side.members).collect();
    (core, CompareView { sides, ..CompareView::default() })
}

/// The row of facts called `name`.
fn fact<'a>(page: &'a PairPage, name: &str) -> &'a [String] {
    let row = page.facts.rows.iter().find(|row| row[0] == name);
    &row.unwrap_or_else(|| panic!("{:?}", page.facts.rows))[1..]
}

#[test]
fn a_case_of_a_reward_suite_says_what_decided_it() {
    let haiku = ("letta-evals/0.25.1_reward", Some("anthropic/claude-haiku-4-5"));
    let (core, view) =
        view_of(&[("letta-evals/0.25.1_reward", Some("openai/gpt-4.1-mini")), haiku]);
    let query = view.query();
    let listed = core.compare_pairs(&query, &view.pairs(100)).unwrap();
    for line in &listed.lines {
        for (run, row) in [line.baseline, line.candidate].into_iter().flatten() {
            let of = CompareQuestion::Pair(view.clone(), Target::All, run, Name::Place(row));
            let CompareAnswer::Pair(page) = asked(&core, of) else { panic!("no pair") };
            for said in fact(&page, "Decided by") {
                assert!(
                    said.contains("reward ") || said.starts_with("Error: "),
                    "{said} {:?}",
                    page.facts.rows
                );
            }
        }
    }
    let view = CompareView { change: Change::Any, ..view };
    let first = first_pair(&core, &view);
    assert_eq!(first.sides.len(), 2);
    assert_eq!(fact(&first, "Outcome").len(), 2);
}

#[test]
fn steps_say_their_time() {
    let transcript = |secs: [u32; 3], said: &str| {
        let at = |secs: u32| format!("2026-01-01T00:00:{secs:02}Z");
        json!([[
            { "id": "1", "date": at(0), "message_type": "user_message", "content": "go" },
            { "id": "2", "date": at(secs[0]), "message_type": "tool_call_message",
              "tool_call": { "name": "look", "arguments": "{}", "tool_call_id": "c" } },
            { "id": "3", "date": at(secs[1]), "message_type": "tool_return_message", "tool_call_id": "c",
              "name": "look", "tool_return": said, "status": "success" },
            { "id": "4", "date": at(secs[2]), "message_type": "assistant_message", "content": said },
        ]])
    };
    let run = |name: &str, transcript: serde_json::Value| {
        let row = json!({
            "sample_id": "q", "model_handle": "openai/gpt-4.1-mini", "trajectory": transcript,
            "submissions": {}, "grades": { "accuracy": { "score": 0.5 } }, "reward": { "score": 0.5 },
        });
        file(&format!("{name}/openai-gpt-4.1-mini.jsonl"), row.to_string())
    };
    let core = core_of(vec![
        run("one", transcript([1, 3, 4], "x")),
        run("two", transcript([2, 9, 10], "y")),
    ]);
    let sides = (0..2).map(|id| vec![Target::Evaluation(id)]).collect();
    let view = CompareView { sides, ..CompareView::default() };
    let steps = first_pair(&core, &view).steps.unwrap();
    let StepsRow::Same(_, lines) = &steps.rows[0] else { panic!("{:?}", steps.rows) };
    assert_eq!(lines.len(), 1);
    let StepsRow::Apart { left, right, first, .. } = &steps.rows[1] else {
        panic!("{:?}", steps.rows)
    };
    assert_eq!(
        first.as_deref(),
        Some("First divergence, step 2: both have it, with different content.")
    );
    let (left, right) = (left.as_ref().unwrap(), right.as_ref().unwrap());
    assert_eq!((left.told.as_str(), right.told.as_str()), ("+1.0 s", "+2.0 s"));
    assert_eq!((left.secs.as_str(), right.secs.as_str()), ("2.0 s", "7.0 s"));
}
