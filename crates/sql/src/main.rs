//! Answers a query over an Evalglass dataset with DataFusion, as CSV on standard output.
//!
//! `evalglass-sql --dataset DIR [--workers N] [--memory 8GB] QUERY…`
//!
//! Without `--memory` it takes three quarters of the machine's at the most, where the system says how much that is.
//!
//! Tables and views are those that `sql/run.py` names. With the feature `s3`, `DIR` may be `s3://bucket/folder`; keys and endpoint are in
//! the usual variables (`AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT`, …). Exit 2 with the reason when a query cannot be answered.

use datafusion::error::{DataFusionError, Result};
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::object_store::ObjectStore;
use datafusion::object_store::local::LocalFileSystem;
use datafusion::object_store::path::Path as StorePath;
use datafusion::prelude::SessionContext;
use evalglass_sql::{csv, dataset, memory};
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::Arc;

/// What is asked for.
#[derive(Default)]
struct Wish {
    dataset: String,
    workers: Option<usize>,
    /// Bytes of memory at the most, where somebody says it.
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
    let mut config = dataset::config();
    if let Some(workers) = wish.workers {
        config = config.with_target_partitions(workers);
    }
    let cx = match wish.memory.or_else(memory::usual) {
        // What does not fit is sorted and grouped on the disk.
        Some(bytes) => {
            let environment = RuntimeEnvBuilder::new()
                .with_memory_pool(Arc::new(FairSpillPool::new(bytes)))
                .build_arc()?;
            SessionContext::new_with_config_rt(config, environment)
        }
        None => SessionContext::new_with_config(config),
    };
    let (url, root) = stored(&cx, &wish.dataset)?;
    dataset::register(&cx, &url, &[root]).await?;
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

/// The store in which the dataset lies, and where in it.
fn stored(cx: &SessionContext, dataset: &str) -> Result<(ObjectStoreUrl, StorePath)> {
    let refused = |why: String| DataFusionError::Execution(format!("{dataset}: {why}"));
    let (url, root, store): (String, &str, Arc<dyn ObjectStore>) =
        match dataset.strip_prefix("s3://") {
            #[cfg(feature = "s3")]
            Some(rest) => {
                let (bucket, root) = rest.split_once('/').unwrap_or((rest, ""));
                let store = object_store::aws::AmazonS3Builder::from_env().with_bucket_name(bucket);
                let store = store.build().map_err(|err| refused(err.to_string()))?;
                (format!("s3://{bucket}"), root, Arc::new(store))
            }
            #[cfg(not(feature = "s3"))]
            Some(rest) => {
                return Err(refused(format!("built without the feature s3, which reads {rest}")));
            }
            None => {
                let store = LocalFileSystem::new_with_prefix(dataset);
                ("file://".to_owned(), "", Arc::new(store.map_err(|err| refused(err.to_string()))?))
            }
        };
    let url = ObjectStoreUrl::parse(url)?;
    cx.register_object_store(url.as_ref(), store);
    let root = StorePath::parse(root).map_err(|err| refused(err.to_string()))?;
    Ok((url, root))
}
