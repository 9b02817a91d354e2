//! Files of a slow source as one stream, in their order, with the next ones on their way: otherwise each costs the time of its requests.

use datafusion::arrow::array::RecordBatch;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, Statistics, internal_err};
use datafusion::config::ConfigOptions;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::execution_plan::CardinalityEffect;
use datafusion::physical_plan::filter_pushdown::{FilterDescription, FilterPushdownPhase};
use datafusion::physical_plan::projection::{ProjectionExec, make_with_child};
use datafusion::physical_plan::statistics::{ChildStats, StatisticsArgs};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties as _, Partitioning,
    PlanProperties,
};
use futures::StreamExt as _;
use futures::stream::poll_fn;
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::task::{Context, Poll};

/// How many files may be read at once, as an extension of a session: none are read ahead where there is none.
#[derive(Debug, Clone, Copy)]
pub struct Lines(pub usize);

/// Batches of a file that are kept before its turn comes.
const MAX_READY: usize = 2;

/// The partitions of `input`, one after the other, as one; up to `n_lines` of them are worked on at the same time.
#[derive(Debug)]
pub struct ReadAhead {
    input: Arc<dyn ExecutionPlan>,
    n_lines: usize,
    properties: Arc<PlanProperties>,
}

impl ReadAhead {
    /// The partitions of `input` as one.
    pub fn new(input: Arc<dyn ExecutionPlan>, n_lines: usize) -> Self {
        let mut equivalences = input.equivalence_properties().clone();
        equivalences.clear_orderings();
        equivalences.clear_per_partition_constants();
        let properties = PlanProperties::new(
            equivalences,
            Partitioning::UnknownPartitioning(1),
            input.pipeline_behavior(),
            input.boundedness(),
        );
        Self { input, n_lines, properties: Arc::new(properties) }
    }
}

impl DisplayAs for ReadAhead {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReadAhead: lines={}", self.n_lines)
    }
}

impl ExecutionPlan for ReadAhead {
    fn name(&self) -> &'static str {
        "ReadAhead"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        match <[_; 1]>::try_from(children) {
            Ok([input]) => Ok(Arc::new(Self::new(input, self.n_lines))),
            Err(other) => internal_err!("ReadAhead has one input, not {}", other.len()),
        }
    }

    fn execute(&self, _: usize, cx: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let mut files = Files {
            n_files: self.input.output_partitioning().partition_count(),
            input: Arc::clone(&self.input),
            cx,
            next: 0,
            n_wanted: 1,
            n_lines: self.n_lines,
            begun: VecDeque::new(),
        };
        let stream = poll_fn(move |cx| files.poll(cx));
        Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), stream)))
    }

    fn child_stats_requests(&self, _: Option<usize>) -> Vec<ChildStats> {
        vec![ChildStats::At(None)]
    }

    fn statistics_from_inputs(
        &self,
        inputs: &[Arc<Statistics>],
        _: &StatisticsArgs,
    ) -> Result<Arc<Statistics>> {
        let unknown = || Arc::new(Statistics::new_unknown(&self.schema()));
        Ok(inputs.first().cloned().unwrap_or_else(unknown))
    }

    fn cardinality_effect(&self) -> CardinalityEffect {
        CardinalityEffect::Equal
    }

    fn try_swapping_with_projection(
        &self,
        projection: &ProjectionExec,
    ) -> Result<Option<Arc<dyn ExecutionPlan>>> {
        if projection.expr().len() >= self.schema().fields().len() {
            return Ok(None);
        }
        let inner = make_with_child(projection, &self.input)?;
        Ok(Some(Arc::new(Self::new(inner, self.n_lines))))
    }

    fn gather_filters_for_pushdown(
        &self,
        _: FilterPushdownPhase,
        filters: Vec<Arc<dyn PhysicalExpr>>,
        _: &ConfigOptions,
    ) -> Result<FilterDescription> {
        FilterDescription::from_children(filters, &self.children())
    }
}

/// The files of one go.
struct Files {
    input: Arc<dyn ExecutionPlan>,
    cx: Arc<TaskContext>,
    n_files: usize,
    /// The first that was not begun.
    next: usize,
    /// How many are to be worked on now: one at first, so that a query that wants a few rows does not ask for eight files, and
    /// twice as many with each file that was read to its end.
    n_wanted: usize,
    n_lines: usize,
    begun: VecDeque<Begun>,
}

/// A file that is being read.
struct Begun {
    stream: SendableRecordBatchStream,
    ready: VecDeque<Result<RecordBatch>>,
    is_done: bool,
}

impl Files {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<RecordBatch>>> {
        loop {
            while self.begun.len() < self.n_wanted && self.next < self.n_files {
                let stream = self.input.execute(self.next, Arc::clone(&self.cx))?;
                self.begun.push_back(Begun { stream, ready: VecDeque::new(), is_done: false });
                self.next += 1;
            }
            for file in &mut self.begun {
                file.go_on(cx);
            }
            let Some(first) = self.begun.front_mut() else { return Poll::Ready(None) };
            if let Some(batch) = first.ready.pop_front() {
                return Poll::Ready(Some(batch));
            }
            if !first.is_done {
                return Poll::Pending;
            }
            self.begun.pop_front();
            self.n_wanted = (self.n_wanted * 2).min(self.n_lines);
        }
    }
}

impl Begun {
    fn go_on(&mut self, cx: &mut Context<'_>) {
        while !self.is_done && self.ready.len() < MAX_READY {
            match self.stream.poll_next_unpin(cx) {
                Poll::Ready(Some(batch)) => self.ready.push_back(batch),
                Poll::Ready(None) => self.is_done = true,
                Poll::Pending => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file_store::{FileBytes, FileStore};
    use crate::part_table::{PartTable, TableFile};
    use crate::turns::{Work, runtime};
    use datafusion::arrow::array::{ArrayRef, AsArray as _, Int64Array};
    use datafusion::arrow::datatypes::Int64Type;
    use datafusion::execution::object_store::ObjectStoreUrl;
    use datafusion::object_store::path::Path;
    use datafusion::parquet::arrow::ArrowWriter;
    use datafusion::prelude::{SessionConfig, SessionContext};
    use futures::channel::oneshot::{Sender, channel};
    use futures::future::{BoxFuture, FutureExt as _};
    use std::collections::BTreeMap;
    use std::ops::Range;
    use std::sync::Mutex;

    const N_FILES: i64 = 40;
    const ROWS: i64 = 3;

    /// What is on its way: nothing comes before somebody says so.
    type OnTheWay = Arc<Mutex<Vec<Sender<()>>>>;

    struct Slow {
        bytes: Vec<u8>,
        on_the_way: OnTheWay,
    }

    impl FileBytes for Slow {
        fn n_bytes(&self) -> u64 {
            self.bytes.len() as u64
        }

        fn read(
            &self,
            range: Range<u64>,
        ) -> BoxFuture<'static, std::result::Result<Vec<u8>, String>> {
            let (tell, coming) = channel();
            self.on_the_way.lock().unwrap().push(tell);
            let bytes = self.bytes[range.start as usize..range.end as usize].to_vec();
            async move { coming.await.map(|()| bytes).map_err(|err| err.to_string()) }.boxed()
        }
    }

    fn part(first: i64) -> Vec<u8> {
        let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values(first..first + ROWS));
        let batch = RecordBatch::try_from_iter([("n", numbers)]).unwrap();
        let mut bytes = Vec::new();
        let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        bytes
    }

    struct Asked {
        numbers: Vec<i64>,
        n_requests: usize,
        most_at_once: usize,
    }

    /// Asks `text` of slow files; what is on its way comes in the opposite order.
    fn ask(text: &'static str, n_lines: usize) -> Asked {
        let on_the_way = OnTheWay::default();
        let names = (0..N_FILES).map(|nth| (nth, Path::from(format!("{nth:02}.parquet"))));
        let slow = |nth: i64| Slow { bytes: part(nth * ROWS), on_the_way: on_the_way.clone() };
        let files: BTreeMap<Path, Slow> = names.map(|(nth, path)| (path, slow(nth))).collect();
        let config = SessionConfig::new()
            .with_extension(Arc::new(Lines(n_lines)))
            .with_target_partitions(1)
            .with_repartition_file_scans(false);
        let cx = SessionContext::new_with_config(config);
        let url = ObjectStoreUrl::parse("test://slow").unwrap();
        let tables = files.iter().map(|(path, file)| TableFile {
            path: path.clone(),
            bytes: file.n_bytes(),
            rows: Some(ROWS as u64),
            constants: Vec::new(),
        });
        let tables = tables.collect();
        cx.register_object_store(url.as_ref(), Arc::new(FileStore::new(files)));
        let mut work = Work::new(async move {
            let table = PartTable::open(&cx, &url, tables).await.unwrap();
            cx.register_table("numbers", Arc::new(table)).unwrap();
            let found = cx.sql(text).await.unwrap().collect().await.unwrap();
            let numbers = found.iter().map(|batch| batch.column(0).as_primitive::<Int64Type>());
            numbers.flat_map(|column| column.values().to_vec()).collect::<Vec<_>>()
        });
        let (runtime, mut n_requests, mut most_at_once) = (runtime().unwrap(), 0, 0);
        loop {
            if let Poll::Ready(numbers) = work.turn(&runtime) {
                return Asked { numbers, n_requests, most_at_once };
            }
            let coming = std::mem::take(&mut *on_the_way.lock().unwrap());
            assert!(!coming.is_empty(), "it waits for nothing");
            n_requests += coming.len();
            most_at_once = most_at_once.max(coming.len());
            for one in coming.into_iter().rev() {
                // Who asked may have gone.
                let _ = one.send(());
            }
        }
    }

    #[test]
    fn files_are_read_side_by_side_and_their_rows_come_in_order() {
        for text in ["SELECT n FROM numbers", "SELECT n FROM numbers WHERE n >= 0"] {
            let (one, eight) = (ask(text, 1), ask(text, 8));
            assert_eq!(one.numbers, (0..N_FILES * ROWS).collect::<Vec<_>>(), "{text}");
            assert_eq!(one.numbers, eight.numbers, "{text}");
            assert_eq!((one.most_at_once, eight.most_at_once), (1, 8), "{text}");
            assert_eq!(one.n_requests, eight.n_requests, "{text}: none is asked for twice");
        }
        let sum = ask("SELECT SUM(n) FROM numbers", 8);
        assert_eq!((sum.numbers, sum.most_at_once), (vec![(0..N_FILES * ROWS).sum()], 8));
    }

    #[test]
    fn a_query_for_a_few_rows_asks_for_a_few_files() {
        let all = ask("SELECT n FROM numbers", 8).n_requests;
        let few = ask("SELECT n FROM numbers LIMIT 4", 8);
        assert_eq!(few.numbers, [0, 1, 2, 3]);
        assert!(few.n_requests * 5 < all, "{} of {all}", few.n_requests);
    }

    #[test]
    fn filters_and_columns_reach_the_files_and_joins_know_how_many_rows_there_are() {
        let found =
            ask("SELECT a.n FROM numbers a JOIN numbers b ON a.n = b.n + 1 ORDER BY a.n", 8);
        assert_eq!(found.numbers, (1..N_FILES * ROWS).collect::<Vec<_>>());
        // Pages that a filter rules out are not asked for: each file costs the request for its end and no more.
        let none = ask("SELECT n FROM numbers WHERE n > 1000000", 8);
        assert!(none.numbers.is_empty());
        let all = ask("SELECT n FROM numbers", 8).n_requests;
        assert!(none.n_requests < all, "{} of {all}", none.n_requests);
    }
}
