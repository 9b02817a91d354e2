//! Answers a query over an Evalglass dataset with DataFusion, as CSV on standard output.
//!
//! `evalglass-sql --dataset DIR [--workers N] [--memory 8GB] QUERY…`
//!
//! Tables and views are those that `sql/run.py` names. With the feature `s3`, `DIR` may be `s3://bucket/folder`; keys and endpoint are in
//! the usual variables (`AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT`, …). Exit 2 with the reason when a query cannot be answered.

mod csv;
mod views;

use datafusion::arrow::array::{Array, AsArray};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// The small tables: name of the file, name in SQL.
const TABLES: [(&str, &str); 7] = [
    ("evaluations", "evaluations"),
    ("runs", "runs"),
    ("repeats", "repeats"),
    ("groups", "run_groups"),
    ("metrics", "run_metrics"),
    ("declared", "declared_figures"),
    ("parts", "parts"),
];

/// What is asked for.
#[derive(Default)]
struct Wish {
    dataset: String,
    workers: Option<usize>,
    /// Bytes of memory at the most.
    memory: Option<usize>,
    queries: Vec<String>,
}

fn main() -> ExitCode {
    let Some(wish) = wish() else {
        eprintln!("usage: evalglass-sql --dataset DIR [--workers N] [--memory 8GB] QUERY…");
        return ExitCode::from(2);
    };
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    if let Some(workers) = wish.workers {
        builder.worker_threads(workers);
    }
    let done = builder.enable_all().build().map_err(DataFusionError::from);
    match done.and_then(|runtime| runtime.block_on(answer(&wish))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(err) => {
            eprintln!("{}", err.strip_backtrace());
            ExitCode::from(2)
        }
    }
}

fn wish() -> Option<Wish> {
    let mut wish = Wish::default();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--dataset" => wish.dataset = arguments.next()?,
            "--workers" => {
                wish.workers = Some(arguments.next()?.parse().ok().filter(|n| *n > 0)?);
            }
            "--memory" => wish.memory = Some(bytes(&arguments.next()?)?),
            _ => wish.queries.push(argument),
        }
    }
    (!wish.dataset.is_empty() && !wish.queries.is_empty()).then_some(wish)
}

/// A size as people write it: `8GB`, `500MB`.
fn bytes(text: &str) -> Option<usize> {
    let (number, unit) = match text.strip_suffix("GB") {
        Some(number) => (number, 1_000_000_000),
        None => (text.strip_suffix("MB")?, 1_000_000),
    };
    number.trim().parse::<usize>().ok()?.checked_mul(unit)
}

/// Answers every query of `wish`.
async fn answer(wish: &Wish) -> Result<()> {
    let mut config = SessionConfig::new();
    if let Some(workers) = wish.workers {
        config = config.with_target_partitions(workers);
    }
    // Pages and filters of a part say which of its rows to read.
    config = config.set_bool("datafusion.execution.parquet.pushdown_filters", true);
    // Whether a column may lack values is worked out differently for plans and for rows, where COALESCE has one that may not.
    let config = config.set_bool("datafusion.execution.skip_physical_aggregate_schema_check", true);
    let cx = match wish.memory {
        // What does not fit is sorted and grouped on the disk.
        Some(bytes) => {
            let environment = RuntimeEnvBuilder::new()
                .with_memory_pool(Arc::new(FairSpillPool::new(bytes)))
                .build_arc()?;
            SessionContext::new_with_config_rt(config, environment)
        }
        None => SessionContext::new_with_config(config),
    };
    let root = root(&cx, &wish.dataset)?;
    for (file, name) in TABLES {
        let path = format!("{root}/{file}.parquet");
        cx.register_parquet(name, path, ParquetReadOptions::default()).await?;
    }
    for name in ["cases", "checks"] {
        let files = parts(&cx, &root, name).await?;
        let table = cx.read_parquet(files, ParquetReadOptions::default()).await?;
        cx.register_table(name, table.into_view())?;
    }
    let spelled = views::SPELLING.split_once("-- part: view\n").map(|(_, text)| text);
    let spelled = spelled.unwrap_or("CREATE VIEW {name} AS {query}");
    for (name, query) in views::VIEWS {
        let text = spelled.replace("{name}", name).replace("{query}", query);
        cx.sql(&text).await?.collect().await?;
    }
    for query in &wish.queries {
        let batches = cx.sql(query).await?;
        let names: Vec<String> =
            batches.schema().fields().iter().map(|field| field.name().clone()).collect();
        let batches = batches.collect().await?;
        let mut out = Vec::new();
        csv::header(&names, &mut out);
        for batch in &batches {
            csv::rows(batch, &mut out)?;
        }
        io::stdout().write_all(&out).map_err(DataFusionError::from)?;
    }
    Ok(())
}

/// Where the files of the part table `name` lie.
async fn parts(cx: &SessionContext, root: &str, name: &str) -> Result<Vec<String>> {
    let text = format!(
        "SELECT CAST(path AS VARCHAR) AS path FROM parts WHERE table_name = '{name}' ORDER BY path"
    );
    let mut found = Vec::new();
    for batch in cx.sql(&text).await?.collect().await? {
        let paths = datafusion::arrow::compute::cast(
            batch.column(0),
            &datafusion::arrow::datatypes::DataType::Utf8,
        )?;
        let paths = paths.as_string::<i32>();
        found.extend((0..paths.len()).map(|at| format!("{root}/{}", paths.value(at))));
    }
    if found.is_empty() {
        return Err(DataFusionError::Execution("the dataset holds no evaluation".to_owned()));
    }
    Ok(found)
}

/// The dataset as what paths begin with.
#[cfg_attr(not(feature = "s3"), allow(unused_variables))]
fn root(cx: &SessionContext, dataset: &str) -> Result<String> {
    let refused = |why: String| DataFusionError::Execution(format!("{dataset}: {why}"));
    if let Some(rest) = dataset.strip_prefix("s3://") {
        #[cfg(feature = "s3")]
        {
            let bucket = rest.split('/').next().unwrap_or_default();
            let store = object_store::aws::AmazonS3Builder::from_env().with_bucket_name(bucket);
            let store = store.build().map_err(|err| refused(err.to_string()))?;
            let url = url::Url::parse(&format!("s3://{bucket}"))
                .map_err(|err| refused(err.to_string()))?;
            cx.register_object_store(&url, Arc::new(store));
            return Ok(dataset.trim_end_matches('/').to_owned());
        }
        #[cfg(not(feature = "s3"))]
        return Err(refused(format!("built without the feature s3, which reads {rest}")));
    }
    let whole = Path::new(dataset).canonicalize().map_err(|err| refused(err.to_string()))?;
    Ok(whole.to_string_lossy().trim_end_matches('/').to_owned())
}
