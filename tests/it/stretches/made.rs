//! Made-up folders, each of another seed: whatever may be odd about rows, at either end of the file.

use crate::hostile::Rng;
use crate::support::file;
use evalglass::input::Dropped;

/// What one folder is like.
struct Kind {
    /// Rows as 0.17 and later write them, with a suite beside them.
    is_late: bool,
    /// Models that rows name; empty: none.
    models: Vec<Option<&'static str>>,
    /// Another model, by rows of the second half.
    late_model: Option<&'static str>,
    /// Of how many samples the rows are.
    n_samples: usize,
    /// A row in so many is odd; 0: none.
    odd_every: usize,
    has_newline: bool,
}

/// The files of a folder.
pub fn files(seed: u64) -> Vec<Dropped> {
    let mut rng = Rng::new(seed + 1);
    let n_rows = 12 + rng.below(90);
    let models: [&[Option<&str>]; 5] = [
        &[Some("m")],
        &[],
        &[None, Some("m")],
        &[Some("m"), Some("n")],
        &[Some("b"), None, Some("a")],
    ];
    let kind = Kind {
        is_late: rng.below(2) == 0,
        models: models[rng.below(models.len())].to_vec(),
        late_model: (rng.below(4) == 0).then_some("late"),
        n_samples: [n_rows * 20, n_rows * 20, n_rows, 5][rng.below(4)],
        odd_every: [0, 3, 10][rng.below(3)],
        has_newline: rng.below(2) == 0,
    };
    let mut rows = String::new();
    // A run before its first grade: nothing names a grader yet.
    let n_errors = [0, 0, 8][rng.below(3)];
    let mut last = Vec::new();
    for number in 0..n_rows {
        let is_error = number < n_errors || rng.below(9) == 0;
        let line = line(&kind, number, n_rows, is_error, &mut rng);
        rows.push_str(&line);
        rows.push_str(["\n", "\n", "\n", "\r\n", "\n\n", " \n"][rng.below(6)]);
        last.push(line);
    }
    match rng.below(5) {
        // The same run once more, appended.
        0 => rows = format!("{rows}{rows}"),
        // One that repeats the last rows.
        1 => rows.push_str(&last[n_rows / 2..].join("\n")),
        _ => {}
    }
    if !kind.has_newline {
        let end = rows.trim_end().len();
        rows.truncate(end.saturating_sub([0, 1, 30][rng.below(3)]));
        while !rows.is_char_boundary(rows.len()) {
            rows.pop();
        }
    }
    folder(&kind, rows, &mut rng)
}

fn folder(kind: &Kind, rows: String, rng: &mut Rng) -> Vec<Dropped> {
    let graders = [r#""quality": {}"#, r#""quality": {}, "speed": {"display_name": "Speed"}"#, ""];
    let graders = graders[rng.below(3)];
    if kind.is_late {
        let ids = (0..kind.n_samples.min(60)).map(|n| format!(r#"{{"id": {n}, "input": "i"}}"#));
        let samples = ids.collect::<Vec<_>>().join(",");
        let suite = format!(
            r#"{{"suite": "made", "config": {{"graders": {{{graders}}}, "reward": {{"kind": "metric",
                "metric_key": "quality"}}}}, "samples": [{samples}, {{"id": "line 4"}}]}}"#
        );
        let mut files = vec![file("made/acme-m.jsonl", rows)];
        if rng.below(4) > 0 {
            files.push(file("made/suite.json", suite));
        }
        return files;
    }
    let header = format!(
        r#"{{"type": "header", "suite": "made", "config": {{"graders": {{{graders}}}, "gate": {{"kind":
            "simple", "metric_key": "quality", "op": "gte", "value": 0.5}}}}}}"#
    );
    let mut files = vec![file("made/results.jsonl", rows)];
    if rng.below(3) > 0 {
        files.push(file("made/header.json", header));
    }
    files
}

fn line(kind: &Kind, number: usize, n_rows: usize, is_error: bool, rng: &mut Rng) -> String {
    let row = |rng: &mut Rng| row(kind, number, n_rows, is_error, rng);
    let is_odd = kind.odd_every > 0 && rng.below(kind.odd_every) == 0;
    if !is_odd || number == 0 {
        return row(rng);
    }
    match rng.below(11) {
        0 => format!("{}{}", row(rng), row(rng)),
        1 => format!("{} {}  x", row(rng), row(rng)),
        2 => "{\"broken".to_owned(),
        3 => "[1, 2]".to_owned(),
        4 => r#"{"type": "summary", "suite": "among", "metrics": {"total": 3}}"#.to_owned(),
        5 => row(rng).replace("\"grades\"", "\"mystery\":1,\"grades\""),
        6 => row(rng).replace("\"score\":0.", "\"score\":7."),
        7 => row(rng).replace("\"grades\":{", "\"grades\":{\"other\":3,"),
        8 => format!("{}\t{}", row(rng), row(rng)),
        9 => format!("{}x{}", row(rng), row(rng)),
        // A word of its own, so that there are many notes.
        _ => row(rng).replace("\"grades\"", &format!("\"odd {number}\":1,\"grades\"")),
    }
}

fn row(kind: &Kind, number: usize, n_rows: usize, is_error: bool, rng: &mut Rng) -> String {
    let is_second_half = number * 2 > n_rows;
    let own =
        (!kind.models.is_empty()).then(|| kind.models[rng.below(kind.models.len())]).flatten();
    let late = kind.late_model.filter(|_| is_second_half && rng.below(3) == 0);
    let model = match late.or(own) {
        Some(model) => format!("{model:?}"),
        None => "null".to_owned(),
    };
    let sample = rng.below(kind.n_samples);
    let id = match rng.below(if kind.odd_every > 0 { 12 } else { 1_000 }) {
        0 => "null".to_owned(),
        1 => format!("\"{sample}\""),
        2 => format!("\"line {}\"", rng.below(n_rows)),
        _ => sample.to_string(),
    };
    let score = format!("0.{}", rng.next() % 1_000_000_007);
    let grader = match (is_second_half, rng.below(6)) {
        (true, 0) => "late grader",
        (_, 1) => "speed",
        _ => "quality",
    };
    let grades = if is_error || rng.below(8) == 0 {
        "{}".to_owned()
    } else {
        format!(r#"{{"{grader}":{{"score":{score},"rationale":"says é {number}"}}}}"#)
    };
    let error = match is_error {
        true => format!(r#"{{"category":"target","message":"no {}"}}"#, rng.below(4)),
        false => "null".to_owned(),
    };
    let secs = rng.next() % 100_000;
    let rest = format!(
        r#""grades":{grades},"error":{error},"usage":{{"prompt_tokens":{secs}.25}},"timing":{{"total":{secs}.1}}"#
    );
    if kind.is_late {
        return format!(
            r#"{{"sample_id":{id},"agent_id":"a","model_handle":{model},"trajectory":[[{{}}]],{rest}}}"#
        );
    }
    let grade = match is_error {
        true => "null".to_owned(),
        false => format!(r#"{{"score":{score},"rationale":"r"}}"#),
    };
    format!(
        r#"{{"type":"result","result":{{"sample":{{"id":{id}}},"model_name":{model},"agent_id":"a","trajectory":[[{{}}]],"grade":{grade},{rest}}}}}"#
    )
}
