//! A letta-evals output folder: `suite.json`, `<model>.jsonl`, `summary.json`. Rows are written one by one, so that the folder may
//! be larger than the memory.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};

use serde_json::{Value, json};

use crate::random::{Prose, Random};
use crate::{Options, Result};

/// Models that answer, at most.
pub const MODELS: [&str; 6] = [
    "openai/gpt-4.1-mini",
    "anthropic/claude-haiku-4-5",
    "google/gemini-2.5-flash",
    "mistral/medium-3",
    "qwen/qwen3-32b",
    "meta/llama-4-scout",
];

/// Sums of one model, in the order of the file.
#[derive(Default)]
struct Totals {
    rows: u64,
    attempted: u64,
    accuracy: f64,
    quality: f64,
    prompt_tokens: u64,
    completion_tokens: u64,
    cost_micros: u64,
    total_millis: Vec<u64>,
    target_millis: u64,
    errors: u64,
}

/// Writes the folder; says what it holds.
pub fn generate(options: &Options) -> Result<Value> {
    fs::create_dir_all(&options.out)?;
    let models = &MODELS[..options.models];
    write_suite(options, models)?;
    let prose = Prose::new(options.seed);
    let (mut summaries, mut files, mut bytes, mut attempted) = (Vec::new(), Vec::new(), 0, 0);
    for (index, model) in models.iter().enumerate() {
        let name = format!("{}.jsonl", model.replace(['/', '\\', ':'], "-"));
        let mut file = BufWriter::with_capacity(1 << 20, File::create(options.out.join(&name))?);
        let (totals, length) = write_rows(options, index as u64, model, &prose, &mut file)?;
        file.flush()?;
        files.push(json!({"name": name, "bytes": length, "rows": totals.rows}));
        bytes += length;
        attempted += totals.attempted;
        summaries.push(summary(options, model, &totals));
    }
    let mut top = json!({"suite": "generated suite", "models": summaries});
    if !options.rewards {
        // The gate spans all models: the mean of `quality` over every graded row, at least 0.25.
        top["gates_passed"] = json!(true);
    }
    fs::write(options.out.join("summary.json"), serde_json::to_vec_pretty(&top)?)?;
    Ok(json!({
        "seed": options.seed,
        "runs": options.models,
        "cases": options.samples * options.models as u64,
        "attempted": attempted,
        "bytes": bytes,
        "files": files,
        "models": top["models"],
    }))
}

fn write_suite(options: &Options, models: &[&str]) -> Result<()> {
    let mut file = BufWriter::new(File::create(options.out.join("suite.json"))?);
    let mut config = json!({
        "name": "generated suite", "description": null, "dataset": "dataset.jsonl",
        "target": {"kind": "letta_code", "base_url": null, "api_key": null, "timeout": 300.0, "project_id": null,
                   "max_retries": 0, "model_handles": models},
        "graders": {
            "accuracy": {"kind": "tool", "display_name": "Exact match", "extractor": "last_assistant", "extractor_config": null,
                         "function": "exact_match"},
            "quality": {"kind": "model_judge", "display_name": null, "extractor": "last_assistant", "extractor_config": null,
                        "prompt": "Judge the answer.", "prompt_path": null, "model": "gpt-4o-mini", "temperature": 0.0,
                        "provider": "openai", "max_retries": 5, "timeout": 120.0, "system_prompt": null},
        },
        "max_samples": null, "sample_tags": null, "num_runs": 1, "setup_script": null,
    });
    if options.rewards {
        config["reward"] = json!({"kind": "metric", "metric_key": "quality"});
    } else {
        config["gate"] = json!({"kind": "simple", "metric_key": "quality", "aggregation": "avg_score", "op": "gte",
                                "value": 0.25, "pass_threshold": null});
    }
    write!(file, "{{\"suite\": \"generated suite\", \"config\": {config}, \"samples\": [")?;
    for sample in 0..options.samples {
        let comma = if sample == 0 { "" } else { ", " };
        write!(
            file,
            "{comma}{{\"id\": \"q-{sample:06}\", \"input\": \"How many invoices did customer {sample} send?\", \
             \"ground_truth\": \"{}\", \"agent_args\": null, \"rubric_vars\": null, \"extra_vars\": null, \"rubric\": null, \
             \"rubric_path\": null}}",
            sample % 97
        )?;
    }
    file.write_all(b"]}\n")?;
    file.flush()?;
    Ok(())
}

/// One line for every sample: user, then reasoning, tool call and tool return in turns, then the answer.
fn write_rows(
    options: &Options,
    model_index: u64,
    model: &str,
    prose: &Prose,
    file: &mut impl io::Write,
) -> Result<(Totals, u64)> {
    let per_row = options.bytes.unwrap_or(400_000_000) / (options.samples * options.models as u64);
    let (mut totals, mut length, mut line) = (Totals::default(), 0_u64, String::new());
    for sample in 0..options.samples {
        let mut random = Random::new(&[options.seed, model_index, sample]);
        // Half to one and a half times what is still due per row, so that the whole meets the size asked for.
        let due = (per_row * (sample + 1)).saturating_sub(length);
        let wanted = due / 2 + random.below(due.max(2));
        line.clear();
        write_row(options, &mut line, &mut random, prose, (model, sample, wanted), &mut totals);
        line.push('\n');
        file.write_all(line.as_bytes())?;
        length += line.len() as u64;
    }
    Ok((totals, length))
}

#[allow(clippy::cast_precision_loss, reason = "small counts")]
fn write_row(
    options: &Options,
    line: &mut String,
    random: &mut Random,
    prose: &Prose,
    (model, sample, wanted): (&str, u64, u64),
    totals: &mut Totals,
) {
    use std::fmt::Write as _;
    let nulls = !options.rewards;
    let error = random.below(50) == 0;
    let (accuracy, quality) = (f64::from(u8::from(random.below(3) > 0)), random.unit());
    let (prompt, completion) = (1_000 + random.below(20_000), 100 + random.below(2_000));
    let cost = prompt * 2 + completion * 8;
    let (target, grading) = (500 + random.below(60_000), random.below(900));
    let total = target + grading;
    totals.rows += 1;
    totals.total_millis.push(total);
    let secs = |millis: u64| millis as f64 / 1_000.0;

    let _ = write!(line, "{{\"sample_id\":\"q-{sample:06}\"");
    if !error {
        let _ = write!(line, ",\"agent_id\":\"agent-{:016x}\"", random.next());
    } else if nulls {
        line.push_str(",\"agent_id\":null");
    }
    if !nulls {
        let _ = write!(line, ",\"model_handle\":\"{model}\"");
    }
    let mut step = 0;
    let mut message = |line: &mut String, random: &mut Random, kind: &str, body: &str| {
        let _ = write!(
            line,
            "{}{{\"id\":\"message-{:012x}\",\"date\":\"2025-10-28T{:02}:{:02}:{:02}.{:06}Z\",\"message_type\":\"{kind}\"{body}",
            if step == 0 { "" } else { "," },
            random.next() >> 16,
            sample / 3_600 % 24,
            sample / 60 % 60,
            sample % 60,
            step
        );
        step += 1;
    };
    line.push_str(",\"trajectory\":[[");
    let body = format!(",\"content\":\"How many invoices did customer {sample} send?\"}}");
    message(line, random, "user_message", &body);
    let end = usize::try_from(wanted).unwrap_or(0).saturating_sub(900);
    let mut call = 0;
    while !error && line.len() < end {
        message(
            line,
            random,
            "reasoning_message",
            ",\"source\":\"reasoner_model\",\"reasoning\":\"",
        );
        let size = usize::try_from(80 + random.below(600)).unwrap_or(0);
        prose.append(random, size, line);
        line.push_str("\"}");
        let body = format!(
            ",\"tool_call\":{{\"name\":\"search\",\"arguments\":\"{{\\\"query\\\": \\\"invoice {sample}\\\", \\\"page\\\": {call}}}\",\
             \"tool_call_id\":\"call_{call}\"}}}}"
        );
        message(line, random, "tool_call_message", &body);
        let body =
            format!(",\"status\":\"success\",\"tool_call_id\":\"call_{call}\",\"tool_return\":\"");
        message(line, random, "tool_return_message", &body);
        let size = usize::try_from(
            (200 + random.below(3_000)).min((end.saturating_sub(line.len())) as u64),
        )
        .unwrap_or(0);
        prose.append(random, size, line);
        line.push_str("\"}");
        call += 1;
    }
    if error {
        line.push_str("]],\"submissions\":{},\"grades\":{}");
    } else {
        let answer = if accuracy > 0.5 { sample % 97 } else { 98 };
        let body = format!(",\"content\":[{{\"type\":\"text\",\"text\":\"{answer}\"}}]}}");
        message(line, random, "assistant_message", &body);
        let _ = write!(
            line,
            "]],\"submissions\":{{\"accuracy\":\"{answer}\",\"quality\":\"{answer}\"}},\"grades\":{{\
             \"accuracy\":{{\"score\":{accuracy:?},\"rationale\":\"Exact match: {}\",\"metadata\":{{}}}},\
             \"quality\":{{\"score\":{quality:?},\"rationale\":\"Judge: sums compared with the ledger, then again.\",\
             \"metadata\":{{\"model\":\"gpt-4o-mini\",\"usage\":{{\"completion_tokens\":42,\"prompt_tokens\":22}}}}}}}}",
            if accuracy > 0.5 { "True" } else { "False" }
        );
        if !nulls {
            let _ = write!(line, ",\"reward\":{{\"score\":{quality:?}}}");
        }
        totals.attempted += 1;
        totals.accuracy += accuracy;
        totals.quality += quality;
        totals.prompt_tokens += prompt;
        totals.completion_tokens += completion;
        totals.cost_micros += cost;
        let _ = write!(
            line,
            ",\"usage\":{{\"prompt_tokens\":{prompt},\"completion_tokens\":{completion},\"cached_input_tokens\":0,\
             \"cache_write_tokens\":0,\"reasoning_tokens\":0,\"cost\":{:?}}}",
            cost as f64 / 1e6
        );
    }
    if error && nulls {
        line.push_str(",\"usage\":null");
    }
    let target = if error { 0 } else { target };
    totals.target_millis += target;
    let _ = write!(line, ",\"timing\":{{\"total\":{:?},\"target\":{:?}", secs(total), secs(target));
    if nulls {
        line.push_str(",\"extraction\":null,\"per_grader\":null");
    }
    line.push('}');
    if error {
        totals.errors += 1;
        line.push_str(
            ",\"error\":{\"category\":\"target\",\"exception_type\":\"TimeoutError\",\"message\":\"no answer within 300 s\"}",
        );
    } else if nulls {
        line.push_str(",\"error\":null");
    }
    if nulls {
        line.push_str(",\"agent_usage\":null,\"agent_state\":null,\"token_data\":null");
    }
    line.push('}');
}

#[allow(clippy::cast_precision_loss, reason = "small counts")]
fn summary(options: &Options, model: &str, totals: &Totals) -> Value {
    let mean = |sum: f64| {
        if totals.attempted == 0 { 0.0 } else { sum / totals.attempted as f64 }
    };
    let rows = totals.rows.max(1) as f64;
    let mut millis = totals.total_millis.clone();
    millis.sort_unstable();
    let at = |index: usize| {
        millis.get(index.min(millis.len().saturating_sub(1))).map_or(0.0, |m| *m as f64 / 1_000.0)
    };
    let timing = json!({
        "mean_total": millis.iter().sum::<u64>() as f64 / 1_000.0 / rows,
        "mean_target": totals.target_millis as f64 / 1_000.0 / rows,
        "p50_total": at(millis.len() / 2),
        "p95_total": at(millis.len() * 95 / 100),
    });
    let mut value =
        json!({"model": model, "n_total": totals.rows, "n_attempted": totals.attempted});
    value[if options.rewards { "reward" } else { "score" }] = json!(mean(totals.quality));
    value["per_metric"] =
        json!({"accuracy": mean(totals.accuracy), "quality": mean(totals.quality)});
    value["usage"] = json!({
        "prompt_tokens": totals.prompt_tokens, "completion_tokens": totals.completion_tokens, "cached_input_tokens": 0,
        "cache_write_tokens": 0, "reasoning_tokens": 0, "cost": totals.cost_micros as f64 / 1e6,
    });
    value["timing"] = timing;
    if totals.errors > 0 {
        value["errors"] = json!({"total_errors": totals.errors, "by_category": {"target": totals.errors},
                                 "by_exception_type": {"TimeoutError": totals.errors}});
    }
    value
}
