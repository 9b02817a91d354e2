//! Parquet files of one schema as a table, with what the dataset knows of each of them as columns: a part of another evaluation is
//! not opened to find that out.

use crate::read_ahead::{Lines, ReadAhead};
use async_trait::async_trait;
use datafusion::arrow::array::{ArrayRef, BooleanArray};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Schema, SchemaRef};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::pruning::PruningStatistics;
use datafusion::common::stats::Precision;
use datafusion::common::{Column, DFSchema, ScalarValue, Statistics};
use datafusion::config::TableParquetOptions;
use datafusion::datasource::TableType;
use datafusion::datasource::file_format::FileFormat as _;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::logical_expr::utils::conjunction;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown};
use datafusion::object_store::ObjectMeta;
use datafusion::object_store::path::Path;
use datafusion::physical_optimizer::pruning::PruningPredicateBuilder;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::SessionContext;
use std::collections::HashSet;
use std::sync::Arc;

/// Columns of a part that say the same in each of its rows.
pub const CONSTANTS: [&str; 3] = ["evaluation", "producer", "suite"];

/// A file of a table.
#[derive(Debug, Clone)]
pub struct TableFile {
    /// Where it lies in the store.
    pub path: Path,
    /// Bytes.
    pub bytes: u64,
    /// Rows; `None`: its footer says.
    pub rows: Option<u64>,
    /// What its rows have in common, in the order of [`CONSTANTS`]; none: nothing is known.
    pub constants: Vec<Option<String>>,
}

/// A table of files.
#[derive(Debug)]
pub struct PartTable {
    store: ObjectStoreUrl,
    schema: TableSchema,
    files: Vec<PartitionedFile>,
    /// Rows of each of the files; `None`: unknown.
    n_rows: Vec<Option<u64>>,
    constants: Vec<FieldRef>,
}

impl PartTable {
    /// The table of `files`, all of one schema: that of the first that can be read. One that cannot is named by the queries
    /// that need it.
    ///
    /// # Errors
    /// When there is no file, or none can be read: why the first cannot.
    pub async fn open(
        cx: &SessionContext,
        store: &ObjectStoreUrl,
        files: Vec<TableFile>,
    ) -> Result<Self> {
        let first = files.first().ok_or_else(|| {
            DataFusionError::Execution("the dataset holds no evaluation".to_owned())
        })?;
        let state = cx.state();
        let format = ParquetFormat::default().with_options(options(&state));
        let found = cx.runtime_env().object_store(store)?;
        let mut whole = format.infer_schema(&state, &found, &[meta(first)]).await;
        for other in files.iter().skip(1) {
            if whole.is_ok() {
                break;
            }
            if let Ok(schema) = format.infer_schema(&state, &found, &[meta(other)]).await {
                whole = Ok(schema);
            }
        }
        let whole = whole?;
        let is_known = !first.constants.is_empty();
        let (own, constants): (Vec<FieldRef>, Vec<FieldRef>) = whole
            .fields()
            .iter()
            .cloned()
            .partition(|field| !(is_known && CONSTANTS.contains(&field.name().as_str())));
        // In the order of the names above, whatever that of the file is.
        let constants: Vec<FieldRef> = CONSTANTS
            .iter()
            .filter_map(|name| constants.iter().find(|field| field.name() == name))
            .map(|field| Arc::new(Field::new(field.name(), DataType::Utf8, true)))
            .collect();
        let is_kept: Vec<bool> = CONSTANTS
            .iter()
            .map(|name| constants.iter().any(|field| field.name() == name))
            .collect();
        let schema = Arc::new(Schema::new(own));
        let mut n_rows = Vec::with_capacity(files.len());
        for file in &files {
            n_rows.push(match file.rows {
                Some(rows) => Some(rows),
                None => format
                    .infer_stats(&state, &found, Arc::clone(&schema), &meta(file))
                    .await
                    .ok()
                    .and_then(|stats| stats.num_rows.get_value().map(|rows| *rows as u64)),
            });
        }
        let files = files.iter().map(|file| partitioned(file, &is_kept)).collect();
        let schema =
            TableSchema::builder(schema).with_table_partition_cols(constants.clone()).build();
        Ok(Self { store: store.clone(), schema, files, n_rows, constants })
    }

    /// For each file, whether rows may be in it that all of `filters` keep.
    fn wanted(&self, state: &dyn Session, filters: &[Expr]) -> Result<Vec<bool>> {
        let all = || Ok(vec![true; self.files.len()]);
        let Some(filter) = conjunction(filters.to_vec()).filter(|_| !self.constants.is_empty())
        else {
            return all();
        };
        let schema = Arc::clone(self.schema.table_schema());
        let filter =
            state.create_physical_expr(filter, &DFSchema::try_from(Arc::clone(&schema))?)?;
        // A filter that says nothing of whole files keeps them all.
        let Ok(filter) = PruningPredicateBuilder::new().with_file_schema(schema).try_build(filter)
        else {
            return all();
        };
        filter.prune(self)
    }

    /// What planning is told of the files that are wanted: about how many rows they have. A join then keeps its smaller side in
    /// memory, whatever the order in which a query names them.
    fn statistics(&self, wanted: &[bool]) -> Statistics {
        let rows = self.n_rows.iter().zip(wanted).filter(|(_, wanted)| **wanted);
        let rows: Option<u64> = rows.map(|(rows, _)| *rows).sum();
        let unknown = Statistics::new_unknown(self.schema.table_schema());
        match rows.and_then(|rows| usize::try_from(rows).ok()) {
            // Inexact, so that no count is answered from it instead of from the part.
            Some(rows) => unknown.with_num_rows(Precision::Inexact(rows)),
            None => unknown,
        }
    }
}

/// What is known of each file without opening it.
impl PruningStatistics for PartTable {
    fn min_values(&self, column: &Column) -> Option<ArrayRef> {
        let at = self.constants.iter().position(|field| *field.name() == column.name)?;
        let values = self.files.iter().map(|file| file.partition_values.get(at).cloned());
        ScalarValue::iter_to_array(values.collect::<Option<Vec<_>>>()?).ok()
    }

    fn max_values(&self, column: &Column) -> Option<ArrayRef> {
        self.min_values(column)
    }

    fn num_containers(&self) -> usize {
        self.files.len()
    }

    fn null_counts(&self, _column: &Column) -> Option<ArrayRef> {
        None
    }

    fn row_counts(&self) -> Option<ArrayRef> {
        None
    }

    fn contained(&self, _column: &Column, _values: &HashSet<ScalarValue>) -> Option<BooleanArray> {
        None
    }
}

/// The options of a session as those of a table.
fn options(state: &dyn Session) -> TableParquetOptions {
    let global = state.config_options().execution.parquet.clone();
    TableParquetOptions { global, ..TableParquetOptions::default() }
}

fn meta(file: &TableFile) -> ObjectMeta {
    ObjectMeta {
        location: file.path.clone(),
        last_modified: Default::default(),
        size: file.bytes,
        e_tag: None,
        version: None,
    }
}

fn partitioned(file: &TableFile, is_kept: &[bool]) -> PartitionedFile {
    let values = file.constants.iter().zip(is_kept).filter(|(_, kept)| **kept);
    let values = values.map(|(value, _)| ScalarValue::Utf8(value.clone())).collect();
    PartitionedFile::new_from_meta(meta(file)).with_partition_values(values)
}

#[async_trait]
impl TableProvider for PartTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(self.schema.table_schema())
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        Ok(vec![TableProviderFilterPushDown::Inexact; filters.len()])
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let wanted = self.wanted(state, filters)?;
        let statistics = self.statistics(&wanted);
        let files = self.files.iter().zip(wanted).filter(|(_, wanted)| *wanted);
        let files: Vec<PartitionedFile> = files.map(|(file, _)| file.clone()).collect();
        let options = options(state);
        let tail = options.global.metadata_size_hint;
        let mut source =
            ParquetSource::new(self.schema.clone()).with_table_parquet_options(options);
        if let Some(tail) = tail {
            source = source.with_metadata_size_hint(tail);
        }
        let n_lines = state.config().get_extension::<Lines>().map_or(1, |lines| lines.0);
        let n_files = files.len().max(1);
        let is_ahead = n_lines > 1 && n_files > 1;
        let n_groups = if is_ahead { n_files } else { state.config().target_partitions() };
        let groups = FileGroup::new(files).split_files(n_groups.clamp(1, n_files));
        let scan = FileScanConfigBuilder::new(self.store.clone(), Arc::new(source))
            .with_file_groups(if groups.is_empty() { vec![FileGroup::default()] } else { groups })
            // Each group reads its own file, not the next that nobody has begun.
            .with_preserve_order(is_ahead)
            .with_projection_indices(projection.cloned())?
            .with_limit(limit.filter(|_| filters.is_empty()))
            .with_statistics(statistics)
            .build();
        let scan = DataSourceExec::from_data_source(scan);
        if is_ahead { Ok(Arc::new(ReadAhead::new(scan, n_lines))) } else { Ok(scan) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::arrow::array::{AsArray as _, Int64Array, RecordBatch, StringArray};
    use datafusion::object_store::ObjectStoreExt as _;
    use datafusion::object_store::memory::InMemory;
    use datafusion::parquet::arrow::ArrowWriter;
    use datafusion::physical_plan::displayable;

    fn part(evaluation: &str, n: i64) -> Vec<u8> {
        let names: ArrayRef = Arc::new(StringArray::from(vec![evaluation]));
        let numbers: ArrayRef = Arc::new(Int64Array::from(vec![n]));
        let batch = RecordBatch::try_from_iter([("evaluation", names), ("n", numbers)]).unwrap();
        let mut bytes = Vec::new();
        let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        bytes
    }

    /// What `text` gives over parts of the evaluations `lost` (not there), `a` and `b`.
    fn ask(text: &str) -> Result<i64> {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
            let (cx, store) = (SessionContext::new(), InMemory::new());
            let mut files = Vec::new();
            for (name, n) in [("lost", 0), ("a", 1), ("b", 2)] {
                let (path, bytes) = (Path::from(name), part(name, n));
                let constants = vec![Some(name.to_owned()), None, None];
                let file = TableFile { path, bytes: bytes.len() as u64, rows: Some(1), constants };
                let path = file.path.clone();
                files.push(file);
                if name != "lost" {
                    store.put(&path, bytes.into()).await?;
                }
            }
            let url = ObjectStoreUrl::parse("test://parts")?;
            cx.register_object_store(url.as_ref(), Arc::new(store));
            cx.register_table("cases", Arc::new(PartTable::open(&cx, &url, files).await?))?;
            let found = cx.sql(text).await?.collect().await?;
            let sum = found[0].column(0).as_primitive::<datafusion::arrow::datatypes::Int64Type>();
            Ok(sum.value(0))
        })
    }

    #[test]
    fn a_part_that_is_not_there_is_named_by_the_queries_that_need_it_and_by_no_other() {
        assert_eq!(ask("SELECT SUM(n) FROM cases WHERE evaluation = 'b'").unwrap(), 2);
        assert_eq!(ask("SELECT SUM(n) FROM cases WHERE evaluation <> 'lost'").unwrap(), 3);
        let err = ask("SELECT SUM(n) FROM cases").unwrap_err().to_string();
        assert!(err.contains("lost"), "{err}");
    }

    #[test]
    fn a_join_keeps_its_smaller_side_in_memory_whichever_is_named_first() {
        let plan_of = |text: &'static str| {
            tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
                let (cx, store) = (SessionContext::new(), InMemory::new());
                let url = ObjectStoreUrl::parse("test://parts").unwrap();
                let bytes = part("a", 1);
                let mut tables = Vec::new();
                for (name, rows) in [("checks", Some(100_000_000)), ("runs", None)] {
                    let path = Path::from(format!("{name}.parquet"));
                    store.put(&path, bytes.clone().into()).await.unwrap();
                    let bytes = bytes.len() as u64;
                    tables.push((name, TableFile { path, bytes, rows, constants: Vec::new() }));
                }
                cx.register_object_store(url.as_ref(), Arc::new(store));
                for (name, file) in tables {
                    let table = PartTable::open(&cx, &url, vec![file]).await.unwrap();
                    cx.register_table(name, Arc::new(table)).unwrap();
                }
                let plan = cx.sql(text).await.unwrap().create_physical_plan().await.unwrap();
                displayable(plan.as_ref()).indent(false).to_string()
            })
        };
        for text in [
            "SELECT c.n FROM checks c JOIN runs r ON r.n = c.n",
            "SELECT c.n FROM runs r JOIN checks c ON r.n = c.n",
        ] {
            let plan = plan_of(text);
            let below = plan.split_once("HashJoinExec").map(|(_, below)| below).unwrap();
            // The first one below a join is the one that is kept.
            assert!(below.find("runs.parquet") < below.find("checks.parquet"), "{plan}");
        }
    }
}
