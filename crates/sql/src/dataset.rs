//! Datasets as tables and views.

use crate::part_table::{PartTable, TableFile};
use crate::views;
use datafusion::arrow::array::{Array, AsArray, RecordBatch, StringArray, UInt64Array};
use datafusion::arrow::compute::{cast, concat_batches};
use datafusion::arrow::datatypes::{DataType, UInt64Type};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::object_store::path::Path;
use datafusion::object_store::{Error as StoreError, ObjectStoreExt as _};
use datafusion::prelude::{SessionConfig, SessionContext};
use std::collections::HashMap;
use std::sync::Arc;

/// The small tables: name of the file, name in SQL.
pub const SMALL: [(&str, &str); 7] = [
    ("evaluations", "evaluations"),
    ("runs", "runs"),
    ("repeats", "repeats"),
    ("groups", "run_groups"),
    ("metrics", "run_metrics"),
    ("declared", "declared_figures"),
    ("parts", "parts"),
];

/// The tables of parts, called in SQL what their folders are called.
pub const PARTS: [&str; 2] = ["cases", "checks"];

/// How queries are planned and run.
pub fn config() -> SessionConfig {
    SessionConfig::new()
        // Pages and filters of a part say which of its rows to read.
        .set_bool("datafusion.execution.parquet.pushdown_filters", true)
        // Whether a column may lack values is worked out differently for plans and for rows, where COALESCE has one that may not.
        .set_bool("datafusion.execution.skip_physical_aggregate_schema_check", true)
        // Errors say where in the text they are.
        .set_bool("datafusion.sql_parser.collect_spans", true)
}

/// Registers the tables and views over the datasets in the folders `roots` of `store`, as if they were one dataset.
///
/// # Errors
/// When a table is missing or damaged, and when there is no evaluation.
pub async fn register(cx: &SessionContext, store: &ObjectStoreUrl, roots: &[Path]) -> Result<()> {
    let mut parts: HashMap<&str, Vec<TableFile>> = HashMap::new();
    let mut small: HashMap<&str, Vec<TableFile>> = HashMap::new();
    for root in roots {
        for (file, name) in SMALL {
            let path = below(root, &format!("{file}.parquet"))?;
            let found = cx.runtime_env().object_store(store)?;
            let bytes = found.head(&path).await.map_err(|err| missing(&path, err))?.size;
            let file = TableFile { path, bytes, rows: None, constants: Vec::new() };
            small.entry(name).or_default().push(file);
        }
        let newest = |name: &str| small.get(name).and_then(|files| files.last()).cloned();
        let (Some(evaluations), Some(listed)) = (newest("evaluations"), newest("parts")) else {
            continue;
        };
        let known = evaluations_of(&all_rows(cx, store, evaluations).await?)?;
        for (table, file) in parts_of(root, &all_rows(cx, store, listed).await?, &known)? {
            if let Some(table) = PARTS.iter().find(|known| **known == table) {
                parts.entry(table).or_default().push(file);
            }
        }
    }
    for (name, files) in small.into_iter().chain(parts.drain()) {
        cx.register_table(name, Arc::new(PartTable::open(cx, store, files).await?))?;
    }
    for name in PARTS {
        if !cx.table_exist(name)? {
            return Err(DataFusionError::Execution("the dataset holds no evaluation".to_owned()));
        }
    }
    let spelled = views::SPELLING.split_once("-- part: view\n").map(|(_, text)| text);
    let spelled = spelled.unwrap_or("CREATE VIEW {name} AS {query}");
    for (name, query) in views::VIEWS {
        let text = spelled.replace("{name}", name).replace("{query}", query);
        cx.sql(&text).await?.collect().await?;
    }
    Ok(())
}

/// `inner` below `root`. Its steps are names as they are, percent signs included.
fn below(root: &Path, inner: &str) -> Result<Path> {
    let whole = if root.as_ref().is_empty() { inner.to_owned() } else { format!("{root}/{inner}") };
    Path::parse(whole).map_err(|err| DataFusionError::Execution(err.to_string()))
}

fn missing(path: &Path, err: StoreError) -> DataFusionError {
    match err {
        StoreError::NotFound { .. } => {
            DataFusionError::Execution(format!("{path}: there is no such file in the dataset"))
        }
        err => err.into(),
    }
}

/// All rows of a small table.
async fn all_rows(
    cx: &SessionContext,
    store: &ObjectStoreUrl,
    file: TableFile,
) -> Result<RecordBatch> {
    let table = Arc::new(PartTable::open(cx, store, vec![file]).await?);
    let frame = cx.read_table(table)?;
    let schema = Arc::new(frame.schema().as_arrow().clone());
    Ok(concat_batches(&schema, &frame.collect().await?)?)
}

/// Producer and suite by evaluation.
fn evaluations_of(rows: &RecordBatch) -> Result<HashMap<String, [Option<String>; 2]>> {
    let [ids, producers, suites] =
        [texts(rows, "evaluation")?, texts(rows, "producer")?, texts(rows, "suite")?];
    let of =
        |at: usize| (cell(&ids, at).unwrap_or_default(), [cell(&producers, at), cell(&suites, at)]);
    Ok((0..rows.num_rows()).map(of).collect())
}

/// The parts of the dataset in `root`, each with the name of its table.
fn parts_of(
    root: &Path,
    rows: &RecordBatch,
    known: &HashMap<String, [Option<String>; 2]>,
) -> Result<Vec<(String, TableFile)>> {
    let [ids, tables, paths] =
        [texts(rows, "evaluation")?, texts(rows, "table_name")?, texts(rows, "path")?];
    let [bytes, n_rows] = [numbers(rows, "bytes")?, numbers(rows, "rows")?];
    let mut found = Vec::with_capacity(rows.num_rows());
    for at in 0..rows.num_rows() {
        let id = cell(&ids, at);
        let [producer, suite] =
            id.as_ref().and_then(|id| known.get(id)).cloned().unwrap_or_default();
        let path = below(root, &cell(&paths, at).unwrap_or_default())?;
        let constants = vec![id, producer, suite];
        let file =
            TableFile { path, bytes: bytes.value(at), rows: Some(n_rows.value(at)), constants };
        found.push((cell(&tables, at).unwrap_or_default(), file));
    }
    // As the files are called: answers without an order come the same way every time.
    found.sort_by(|(_, one), (_, other)| one.path.as_ref().cmp(other.path.as_ref()));
    Ok(found)
}

fn column<'a>(rows: &'a RecordBatch, name: &str) -> Result<&'a Arc<dyn Array>> {
    rows.column_by_name(name).ok_or_else(|| {
        DataFusionError::Execution(format!("the dataset's tables have no column {name}"))
    })
}

fn numbers(rows: &RecordBatch, name: &str) -> Result<UInt64Array> {
    Ok(cast(column(rows, name)?, &DataType::UInt64)?.as_primitive::<UInt64Type>().clone())
}

fn texts(rows: &RecordBatch, name: &str) -> Result<StringArray> {
    Ok(cast(column(rows, name)?, &DataType::Utf8)?.as_string::<i32>().clone())
}

fn cell(column: &StringArray, at: usize) -> Option<String> {
    column.is_valid(at).then(|| column.value(at).to_owned())
}
