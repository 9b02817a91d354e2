//! Columns of texts: what they say against what the files hold, who offers them, what is copied.

use crate::support::{core_of, file, fixture, fixture_files, fixture_json};
use evalglass::input::Dropped;
use evalglass::report::{CaseLine, CaseQuery, CaseTexts, SortKey, Target};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, Failure, Question};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

fn ask(core: &Core, query: &CaseQuery) -> Vec<Option<CaseTexts>> {
    let Ok(Answer::CaseTexts(texts)) = core.answer(Question::CaseTexts(query.clone())) else {
        panic!("there are texts");
    };
    texts
}

/// Every case of `core` with its texts.
fn texts(core: &Core) -> Vec<(CaseLine, CaseTexts)> {
    let query = CaseQuery { limit: 1_000, ..CaseQuery::default() };
    // First the texts: a dataset is read for them.
    let (texts, lines) = (ask(core, &query), core.cases(&query).unwrap().rows);
    assert_eq!(lines.len(), texts.len());
    lines.into_iter().zip(texts.into_iter().map(Option::unwrap_or_default)).collect()
}

/// `texts` as a cell says them; worked out apart from the program.
fn cell<'a>(texts: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    for text in texts {
        let words: Vec<&str> = text.split_whitespace().collect();
        let part = words.join(" ");
        if !part.is_empty() && !parts.contains(&part) {
            parts.push(part);
        }
    }
    let all = parts.join(" · ");
    let letters: Vec<char> = all.chars().collect();
    if letters.len() <= 280 {
        return (!all.is_empty()).then_some(all);
    }
    let cut: String = letters[..280].iter().collect();
    // The last letters before the cut may be those between two words or texts.
    Some(format!("{}…", cut.trim_end_matches([' ', '·'])))
}

fn string(value: &Value) -> Option<&str> {
    value.as_str()
}

fn lines_of(path: &str) -> Vec<Value> {
    let text = fs::read_to_string(fixture(path)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn files_ending(folder: &str, end: &str) -> Vec<Dropped> {
    fixture_files(folder).into_iter().filter(|file| file.path.ends_with(end)).collect()
}

#[test]
fn letta_evals_rows_say_sample_and_submission() {
    let core = core_of(fixture_files("letta-evals/guide_shape"));
    let mut known = BTreeMap::new();
    for repeat in 1..=3 {
        for row in lines_of(&format!("letta-evals/guide_shape/run_{repeat}/results.jsonl")) {
            known.insert((repeat, row["sample"]["id"].to_string()), row);
        }
    }
    let all = texts(&core);
    assert_eq!(all.len(), known.len());
    for (line, found) in all {
        let row = &known[&(line.repeat, line.id.clone())];
        assert_eq!(found.input, cell(string(&row["sample"]["input"])), "{}", line.id);
        assert_eq!(found.expected, cell(string(&row["sample"]["ground_truth"])), "{}", line.id);
        assert_eq!(found.answer, cell(string(&row["submission"])), "{}", line.id);
    }
}

#[test]
fn letta_evals_with_a_file_of_samples_says_each_submission_once() {
    let core = core_of(fixture_files("letta-evals/0.25.1_reward"));
    let suite = fixture_json("letta-evals/0.25.1_reward/suite.json");
    let samples: BTreeMap<&str, &Value> = suite["samples"]
        .as_array()
        .unwrap()
        .iter()
        .map(|sample| (sample["id"].as_str().unwrap(), sample))
        .collect();
    let mut known = BTreeMap::new();
    for name in ["anthropic-claude-haiku-4-5", "openai-gpt-4.1-mini"] {
        for row in lines_of(&format!("letta-evals/0.25.1_reward/{name}.jsonl")) {
            let model = row["model_handle"].as_str().unwrap().to_owned();
            known.insert((model, row["sample_id"].as_str().unwrap().to_owned()), row);
        }
    }
    let mut n_answers = 0;
    for (line, found) in texts(&core) {
        let row = &known[&(line.model.clone().unwrap(), line.id.clone())];
        let sample = samples[line.id.as_str()];
        let [input, expected] = ["input", "ground_truth"].map(|key| match &sample[key] {
            Value::Array(turns) => cell(turns.iter().filter_map(string)),
            one => cell(string(one)),
        });
        assert_eq!((found.input, found.expected), (input, expected), "{}", line.id);
        let given = row["submissions"].as_object().into_iter().flatten();
        let given = cell(given.filter_map(|(_, text)| string(text)));
        n_answers += usize::from(given.is_some());
        match given {
            Some(given) => assert_eq!(found.answer, Some(given), "{}", line.id),
            // It broke off: what the agent said last, if it said anything.
            None => assert!(found.answer.is_none_or(|said| row.to_string().contains(&said))),
        }
    }
    assert!(n_answers > 25, "{n_answers}");
}

#[test]
fn rebel_says_the_users_words_and_every_output() {
    let core = core_of(fixture_files("rebel/basic"));
    let report = fixture_json("rebel/basic/test_results_20261121_201406.json");
    let cases = report["test_cases"].as_array().unwrap();
    let all = texts(&core);
    assert_eq!(all.len(), cases.len());
    let mut n_expected = 0;
    for (line, found) in all {
        let case = cases.iter().find(|case| case["name"] == line.id.as_str()).unwrap();
        let messages = case["input"]["messages"].as_array().unwrap();
        let asked = messages.iter().filter(|message| message["role"] == "user");
        let asked = cell(asked.filter_map(|message| string(&message["content"])));
        assert_eq!(found.input, asked, "{}", line.id);
        let outputs = case["actual_outputs"].as_array().unwrap().iter();
        let outputs = cell(outputs.filter_map(|output| string(&output["output"])));
        if outputs.is_some() {
            assert_eq!(found.answer, outputs, "{}", line.id);
        }
        let expected = cell(string(&case["expected_output"]["output"]));
        n_expected += usize::from(expected.is_some());
        if expected.is_some() {
            assert_eq!(found.expected, expected, "{}", line.id);
        }
    }
    assert!(n_expected > 0);
}

#[test]
fn inspect_says_input_target_and_completion() {
    let core = core_of(files_ending("inspect-ai/0.3.285/epochs", ".json"));
    let name = "2026-11-22T10-10-45-00-00_quiz-epochs_iHGcBQts6Ppf8cz5JUyF8i.json";
    let log = fixture_json(&format!("inspect-ai/0.3.285/epochs/{name}"));
    let samples = log["samples"].as_array().unwrap();
    let all = texts(&core);
    assert_eq!(all.len(), samples.len());
    for (line, found) in all {
        let is_own = |sample: &&Value| {
            let id = &sample["id"];
            let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
            id == line.id && sample["epoch"] == line.repeat
        };
        let sample = samples.iter().find(is_own).unwrap();
        assert_eq!(found.input, cell(string(&sample["input"])), "{}", line.id);
        assert_eq!(found.expected, cell(string(&sample["target"])), "{}", line.id);
        assert_eq!(found.answer, cell(string(&sample["output"]["completion"])), "{}", line.id);
    }
}

#[test]
fn promptfoo_says_variables_prompt_and_output() {
    let core = core_of(files_ending("promptfoo/0.123.1/main", "results.json"));
    let report = fixture_json("promptfoo/0.123.1/main/results.json");
    let rows = report["results"]["results"].as_array().unwrap();
    let said = |row: &Value| {
        let vars = row["vars"].as_object().into_iter().flatten();
        let vars = vars.filter_map(|(_, value)| string(value));
        let output = &row["response"]["output"];
        (cell(vars.chain(string(&row["prompt"]["raw"]))), cell(string(output)))
    };
    let known: Vec<_> = rows.iter().map(said).collect();
    // Nobody says what is expected but the assertions: whole where they were checked, else what they look for.
    let asserted = |row: &Value| row["testCase"]["assert"].as_array().cloned().unwrap_or_default();
    let values: Vec<Value> =
        rows.iter().flat_map(asserted).map(|assert| assert["value"].clone()).collect();
    let is_asserted =
        |text: String| text.starts_with("{\"type\":") || values.contains(&Value::String(text));
    let mut n_same = 0;
    for (line, CaseTexts { input, answer, expected }) in texts(&core) {
        n_same += usize::from(known.contains(&(input, answer)));
        assert!(expected.is_none_or(is_asserted), "{}", line.id);
    }
    let n_words = rows.iter().filter(|row| row["response"]["output"].is_string()).count();
    assert!(n_same >= n_words && n_words > 50, "{n_same} of {n_words}");
}

/// The folders of fixtures, by producer.
fn folders() -> BTreeMap<String, Vec<String>> {
    let names = |path: &str| {
        let found = fs::read_dir(fixture(path)).unwrap().map(Result::unwrap);
        let folders = found.filter(|entry| entry.file_type().unwrap().is_dir());
        folders.map(|entry| entry.file_name().into_string().unwrap()).collect::<BTreeSet<_>>()
    };
    let no_producers = ["bad", "compare", "declared", "guides", "parquet", "schemas"];
    let producers = names("").into_iter().filter(|name| !no_producers.contains(&name.as_str()));
    let below = |producer: String| {
        let folders = names(&producer).into_iter().map(|name| format!("{producer}/{name}"));
        (producer.clone(), folders.collect())
    };
    producers.map(below).collect()
}

#[test]
fn each_producer_offers_the_texts_that_its_files_hold() {
    let columns = [SortKey::Input, SortKey::Answer, SortKey::Expected];
    let mut told = String::new();
    for (producer, folders) in folders() {
        let (mut n_cases, mut offered, mut held) = (0, BTreeSet::new(), [0; 3]);
        for folder in folders {
            let core = core_of(fixture_files(&folder));
            let all = texts(&core);
            let page = core.cases(&CaseQuery::default()).unwrap();
            assert!(!columns.iter().any(|key| page.columns.contains(key)), "{folder}: by itself");
            offered.extend((0..3).filter(|nth| page.choosable.contains(&columns[*nth])));
            for (line, texts) in all {
                n_cases += 1;
                for (nth, key) in columns.into_iter().enumerate() {
                    let text = key.text(&texts);
                    held[nth] += usize::from(text.is_some());
                    let is_shown = text.is_none() || page.choosable.contains(&key);
                    assert!(is_shown, "{folder} {}: {key:?} is not offered", line.id);
                }
            }
        }
        let said = offered.iter().map(|nth| format!(" {} {}", columns[*nth].title(), held[*nth]));
        told += &format!("{producer} {n_cases}:{}\n", said.collect::<String>());
    }
    // CTRF knows parameters and no answers; the dataset was written without details.
    insta::assert_snapshot!(told, @"
    ctrf 60: Input 10 Answer 0
    dataset 74: Input 0 Answer 0 Expected 0
    deepeval 8: Input 7 Answer 6 Expected 7
    evalglass 45: Input 12 Answer 7 Expected 11
    every-eval-ever 10: Input 10 Answer 8 Expected 10
    harbor 17: Input 9 Answer 5
    helm 6: Input 6 Answer 6 Expected 6
    inspect-ai 188: Input 188 Answer 144 Expected 188
    junit 97:
    letta-evals 646: Input 646 Answer 488 Expected 643
    lighteval 9: Input 9 Answer 4 Expected 9
    lm-eval 90: Input 90 Answer 90 Expected 90
    openai-evals 40: Input 40 Answer 39 Expected 32
    promptfoo 336: Input 336 Answer 290 Expected 220
    pytest-json-report 43:
    rebel 105: Input 105 Answer 105 Expected 62
    slop-code 156:
    swebench 24: Answer 18
    table 831: Input 420 Answer 672
    ");
}

#[test]
fn texts_are_those_of_the_rows() {
    let core = core_of(fixture_files("letta-evals/0.26.0_reward_multirun"));
    let all: BTreeMap<_, _> = texts(&core)
        .into_iter()
        .map(|(line, texts)| ((line.run.evaluation, line.run.run, line.case_idx), texts))
        .collect();
    let query = CaseQuery {
        filter: "-outcome:error".to_owned(),
        sort: vec![(SortKey::Score, true), (SortKey::Id, false)],
        offset: 3,
        limit: 20,
        ..CaseQuery::default()
    };
    let (lines, found) = (core.cases(&query).unwrap().rows, ask(&core, &query));
    assert_eq!((lines.len(), found.len()), (20, 20));
    for (line, texts) in lines.iter().zip(found) {
        let known = &all[&(line.run.evaluation, line.run.run, line.case_idx)];
        assert_eq!(texts.as_ref(), Some(known), "{}", line.id);
    }
    let none = CaseQuery { offset: u64::MAX, limit: 5, ..CaseQuery::default() };
    assert!(ask(&core, &none).is_empty());
    let gone = CaseQuery { target: Target::Evaluation(9), ..CaseQuery::default() };
    assert_eq!(core.answer(Question::CaseTexts(gone)), Err(Failure::Gone));
}

#[test]
fn rows_are_not_sorted_by_texts() {
    let core = core_of(fixture_files("rebel/basic"));
    let ids = |sort: Vec<(SortKey, bool)>| {
        let query = CaseQuery { sort, limit: 100, ..CaseQuery::default() };
        let rows = core.cases(&query).unwrap().rows;
        rows.into_iter().map(|line| line.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(vec![(SortKey::Input, false)]), ids(Vec::new()));
}

/// A file of letta-evals with these samples.
fn letta(samples: &[(&str, &str)]) -> Dropped {
    let row = |(id, input): &(&str, &str)| {
        let row = json!({
            "sample": { "id": id, "input": input, "ground_truth": "yes" },
            "submission": "yes",
            "grade": { "score": 1.0, "rationale": "" },
            "grades": { "accuracy": { "score": 1.0, "rationale": "" } },
            "trajectory": [],
            "agent_id": "agent-1",
            "model_name": "m",
        });
        format!("{row}\n")
    };
    file("results.jsonl", samples.iter().map(row).collect::<String>())
}

#[test]
fn a_large_record_is_not_read_for_its_first_words() {
    let (long, huge) = ("many words ".repeat(100_000), "x".repeat(4_100_000));
    let core = core_of(vec![letta(&[("1", "one"), ("2", &long), ("3", &huge)])]);
    let found = ask(&core, &CaseQuery { limit: 9, ..CaseQuery::default() });
    let inputs: Vec<_> = found.iter().map(|texts| texts.as_ref()?.input.as_deref()).collect();
    assert_eq!(inputs, [Some("one"), cell([long.as_str()]).as_deref(), None]);
    assert!(found[2].is_none());
}

#[test]
fn texts_are_copied_with_few_rows_and_left_out_of_many() {
    let samples: Vec<(String, String)> =
        (0..1_001).map(|n| (format!("s{n}"), format!("ask\t{n}\nnow"))).collect();
    let samples: Vec<(&str, &str)> =
        samples.iter().map(|(id, input)| (id.as_str(), input.as_str())).collect();
    let core = core_of(vec![letta(&samples)]);
    let copy = |columns: &[SortKey], ranges: &[(u64, u64)]| {
        let query = CaseQuery { columns: columns.to_vec(), ..CaseQuery::default() };
        let Ok(Answer::Copied { text, said }) =
            core.answer(Question::Copy { query, ranges: ranges.to_vec() })
        else {
            panic!("copied");
        };
        (text, said)
    };
    let columns = [SortKey::Id, SortKey::Input, SortKey::Score, SortKey::Answer];
    let (text, said) = copy(&columns, &[(1, 2), (998, 1_000)]);
    assert_eq!(said, "Copied 3 rows.");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "Case\tInput\tScore\tAnswer");
    assert_eq!(lines[1], "s1\task 1 now\t1\tyes");
    assert_eq!(lines[3], "s999\task 999 now\t1\tyes");
    let (text, _) = copy(&columns, &[(0, 1_000)]);
    assert!(text.ends_with("s999\task 999 now\t1\tyes\n"), "they fit just yet");
    let (text, said) = copy(&columns, &[]);
    assert_eq!(
        said,
        "Copied 1,001 rows. Without Input, Answer: texts are copied for up to 1,000 rows."
    );
    assert_eq!(text.lines().next(), Some("Case\tScore"));
    assert_eq!(text.lines().count(), 1_002);
    let (text, _) = copy(&[SortKey::Expected], &[]);
    assert_eq!(text.lines().next(), Some("Case"), "rows have a name at the least");
}
