//! slop-code's first generation: `evaluation.json` and `reports.parquet` of one checkpoint, with nested results and cases, packed
//! with zstd. The original packs at level 10; here it is 3, which reads alike and is written much sooner.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, Float64Builder, Int64Builder, ListBuilder, StringBuilder, StructBuilder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Fields, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use serde_json::{Value, json};

use crate::random::{Prose, Random, float, size};
use crate::{Options, Result};

const PROBLEM: &str = "ledger_sync";
const CASES_OF_GROUP: u64 = 5_000;
/// Rows that are handed to the writer at once; all of them end in one row group, as with the original.
const BATCH: u64 = 5_000;
const KINDS: [&str; 4] = ["Core", "Functionality", "Error", "Regression"];
/// Attributes of a case that nobody verifies.
const PLAIN: [&str; 12] = [
    "type",
    "command",
    "id",
    "adapter_error",
    "group_type",
    "resource_path",
    "stderr",
    "group",
    "timed_out",
    "elapsed",
    "files-log.txt",
    "files-trace.txt",
];
/// Attributes that are verified, and their weights.
const VERIFIED: [(&str, f64); 8] = [
    ("status_code", 0.5),
    ("output", 1.0),
    ("files-out.csv", 1.0),
    ("files-totals.json", 0.75),
    ("files-index.json", 0.25),
    ("files-errors.txt", 0.1),
    ("files-summary.md", 0.3),
    ("files-schema.json", 0.2),
];
const DEFINED: [(&str, &str); 8] = [
    ("original_group", "null"),
    ("original_checkpoint", "null"),
    ("checkpoint", "checkpoint_1"),
    ("order", "-1"),
    ("timeout_s", "null"),
    ("tracked_files", "[]"),
    ("reset", "false"),
    ("type", "cli"),
];

/// Columns of one batch.
struct Columns {
    ids: StringBuilder,
    groups: StringBuilder,
    kinds: StringBuilder,
    durations: Float64Builder,
    results: ListBuilder<StructBuilder>,
    cases: ListBuilder<StructBuilder>,
    original_checkpoints: StringBuilder,
    original_groups: StringBuilder,
}

/// Sums over all cases.
#[derive(Default)]
struct Held {
    attributes: u64,
    passed: [u64; 4],
    total: [u64; 4],
    /// Score of every case of the group that is being written.
    results: serde_json::Map<String, Value>,
    duration: f64,
}

/// Writes the two files; says what they hold.
pub fn generate(options: &Options) -> Result<Value> {
    fs::create_dir_all(&options.out)?;
    let schema = Arc::new(schema());
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_max_row_group_row_count(Some(1 << 20))
        .build();
    let path = options.out.join("reports.parquet");
    let mut writer =
        ArrowWriter::try_new(File::create(&path)?, Arc::clone(&schema), Some(properties))?;
    let (prose, mut held, mut outcomes) = (Prose::plain(options.seed), Held::default(), json!({}));
    let mut from = 0;
    while from < options.cases {
        // A batch never crosses the end of a group.
        let group = from / CASES_OF_GROUP;
        let end = (from + BATCH).min((group + 1) * CASES_OF_GROUP).min(options.cases);
        let mut columns = Columns::new();
        for case in from..end {
            columns.add(Random::new(&[options.seed, case]), case, &prose, &mut held);
        }
        writer.write(&columns.batch(end - from, &schema)?)?;
        if end == options.cases || end.is_multiple_of(CASES_OF_GROUP) {
            let kind = KINDS[size(group) % KINDS.len()];
            outcomes[group_name(group)] = json!({
                "duration": std::mem::take(&mut held.duration), "results": std::mem::take(&mut held.results), "type": kind,
            });
        }
        from = end;
    }
    writer.close()?;
    let by_kind = |counts: [u64; 4]| {
        let mut sorted: Vec<_> = KINDS.into_iter().zip(counts).zip(held.total).collect();
        sorted.sort_unstable();
        let there = sorted.into_iter().filter(|(_, total)| *total > 0);
        there.map(|((kind, n), _)| (kind.to_owned(), json!(n))).collect::<serde_json::Map<_, _>>()
    };
    let durations = outcomes.as_object().into_iter().flatten();
    let duration: f64 = durations.filter_map(|(_, of)| of["duration"].as_f64()).sum();
    let evaluation = json!({
        "duration": duration, "group_outcomes": outcomes, "name": "checkpoint_1", "pass_counts": by_kind(held.passed),
        "problem_name": PROBLEM, "problem_version": 3, "timestamp": TIMESTAMP, "total_counts": by_kind(held.total), "version": 2,
    });
    let mut file = BufWriter::new(File::create(options.out.join("evaluation.json"))?);
    serde_json::to_writer_pretty(&mut file, &evaluation)?;
    file.flush()?;
    Ok(json!({
        "kind": "parquet", "seed": options.seed, "files": 2, "runs": 1, "cases": options.cases,
        "groups": options.cases.div_ceil(CASES_OF_GROUP), "attributes": held.attributes,
        "passed": held.passed.iter().sum::<u64>(), "parquet_bytes": fs::metadata(&path)?.len(),
        "bytes": fs::metadata(&path)?.len() + fs::metadata(options.out.join("evaluation.json"))?.len(),
    }))
}

const TIMESTAMP: &str = "2025-12-18T09:05:09.123456";

fn group_name(group: u64) -> String {
    format!("group_{group:04}")
}

fn fields(names: &[&str]) -> Fields {
    let field = |name: &&str| match *name {
        "is_correct" => Field::new(*name, DataType::Boolean, true),
        "weight" => Field::new(*name, DataType::Float64, true),
        _ => Field::new(*name, DataType::Utf8, true),
    };
    names.iter().map(field).collect()
}

/// The members of a result in the order of pyarrow 21, which the original has locked.
fn result_fields() -> Fields {
    fields(&["actual", "attribute", "diff", "expected", "is_correct", "weight"])
}

fn case_fields() -> Fields {
    fields(&["attribute", "value"])
}

fn schema() -> Schema {
    let list = |name: &str, of: Fields| {
        let element = Field::new("element", DataType::Struct(of), true);
        Field::new(name, DataType::List(Arc::new(element)), true)
    };
    let text = |name: &str| Field::new(name, DataType::Utf8, true);
    let integer = |name: &str| Field::new(name, DataType::Int64, true);
    Schema::new(vec![
        text("problem"),
        text("checkpoint"),
        integer("version"),
        integer("problem_version"),
        text("id"),
        text("group"),
        text("type"),
        text("timestamp"),
        Field::new("duration", DataType::Float64, true),
        list("results", result_fields()),
        list("case", case_fields()),
        text("original_checkpoint"),
        text("original_group"),
    ])
}

fn list(of: Fields) -> ListBuilder<StructBuilder> {
    let element = Field::new("element", DataType::Struct(of.clone()), true);
    ListBuilder::new(StructBuilder::from_fields(of, 0)).with_field(element)
}

fn append(list: &mut ListBuilder<StructBuilder>, at: usize, text: &str) {
    if let Some(builder) = list.values().field_builder::<StringBuilder>(at) {
        builder.append_value(text);
    }
}

impl Columns {
    fn new() -> Self {
        Self {
            ids: StringBuilder::new(),
            groups: StringBuilder::new(),
            kinds: StringBuilder::new(),
            durations: Float64Builder::new(),
            results: list(result_fields()),
            cases: list(case_fields()),
            original_checkpoints: StringBuilder::new(),
            original_groups: StringBuilder::new(),
        }
    }

    /// One case: its attributes, their weights and verdicts, its definition.
    fn add(&mut self, mut random: Random, case: u64, prose: &Prose, held: &mut Held) {
        let group = case / CASES_OF_GROUP;
        let kind = size(group) % KINDS.len();
        let id = format!("case_{case:07}");
        let millis = 100 + random.below(4_000);
        self.ids.append_value(&id);
        self.groups.append_value(group_name(group));
        self.kinds.append_value(KINDS[kind]);
        self.durations.append_value(float(millis) / 1_000.0);
        let regression = KINDS[kind] == "Regression";
        self.original_checkpoints.append_option(regression.then_some("checkpoint_0"));
        self.original_groups.append_option(regression.then_some("group_0000"));

        for name in PLAIN {
            let actual = match name {
                "type" => "cli".to_owned(),
                "command" => format!("uv run main.py --in data_{case}.csv"),
                "id" => id.clone(),
                "group_type" => KINDS[kind].to_owned(),
                "group" => group_name(group),
                "elapsed" => format!("{:?}", float(millis) / 1_000.0),
                "files-log.txt" | "stderr" => prose.text(&mut random, 60),
                "files-trace.txt" | "resource_path" => "null".to_owned(),
                _ => "false".to_owned(),
            };
            self.attribute([&actual, name, "null", "null"], None, 0.0);
        }
        let (mut weights, mut sum, mut all) = (0.0, 0.0, true);
        // Two cases in three are right in everything.
        let fails = if random.below(3) == 0 { 25 } else { 0 };
        for (name, weight) in VERIFIED {
            let correct = random.below(100) >= fails;
            let actual = match name {
                "status_code" => "0".to_owned(),
                _ => Prose::output(&mut random, 40),
            };
            let (expected, diff) = if correct {
                (actual.clone(), "{}")
            } else {
                (Prose::output(&mut random, 40), "{\"values_changed\": {\"root\": {}}}")
            };
            self.attribute([&actual, name, diff, &expected], Some(correct), weight);
            weights += weight;
            sum += f64::from(u8::from(correct)) * weight;
            all &= correct;
        }
        self.results.append(true);
        held.attributes += (PLAIN.len() + VERIFIED.len()) as u64;
        held.passed[kind] += u64::from(all);
        held.total[kind] += 1;
        held.duration += float(millis) / 1_000.0;
        held.results.insert(id.clone(), json!(sum / weights));

        let content = Prose::output(&mut random, 200);
        let files = json!([{"path": "data.csv", "content": content, "file_type": "text", "compression": "none"}]);
        self.define("id", &id);
        self.define("group", &group_name(group));
        self.define("group_type", KINDS[kind]);
        self.define("arguments", &format!("[\"--in\", \"data_{case}.csv\"]"));
        self.define("input_files", &files.to_string());
        for (name, value) in DEFINED {
            self.define(name, value);
        }
        self.cases.append(true);
    }

    /// `texts` as in [`result_fields`].
    fn attribute(&mut self, texts: [&str; 4], correct: Option<bool>, weight: f64) {
        for (at, text) in texts.into_iter().enumerate() {
            append(&mut self.results, at, text);
        }
        let members = self.results.values();
        if let Some(builder) = members.field_builder::<BooleanBuilder>(4) {
            builder.append_option(correct);
        }
        if let Some(builder) = members.field_builder::<Float64Builder>(5) {
            builder.append_value(weight);
        }
        members.append(true);
    }

    fn define(&mut self, name: &str, value: &str) {
        append(&mut self.cases, 0, name);
        append(&mut self.cases, 1, value);
        self.cases.values().append(true);
    }

    fn batch(mut self, rows: u64, schema: &Arc<Schema>) -> Result<RecordBatch> {
        let same = |text: &str| -> ArrayRef {
            let mut builder = StringBuilder::new();
            (0..rows).for_each(|_| builder.append_value(text));
            Arc::new(builder.finish())
        };
        let number = |value: i64| -> ArrayRef {
            let mut builder = Int64Builder::new();
            (0..rows).for_each(|_| builder.append_value(value));
            Arc::new(builder.finish())
        };
        let columns: Vec<ArrayRef> = vec![
            same(PROBLEM),
            same("checkpoint_1"),
            number(2),
            number(3),
            Arc::new(self.ids.finish()),
            Arc::new(self.groups.finish()),
            Arc::new(self.kinds.finish()),
            same(TIMESTAMP),
            Arc::new(self.durations.finish()),
            Arc::new(self.results.finish()),
            Arc::new(self.cases.finish()),
            Arc::new(self.original_checkpoints.finish()),
            Arc::new(self.original_groups.finish()),
        ];
        Ok(RecordBatch::try_new(Arc::clone(schema), columns)?)
    }
}
