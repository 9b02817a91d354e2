//! A query, its rows, and where in its text an error is.

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::context::SQLOptions;
use datafusion::prelude::SessionContext;
use futures::StreamExt as _;

/// What an answer may hold.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Rows.
    pub rows: usize,
    /// Bytes in memory.
    pub bytes: usize,
}

/// Rows of an answer.
#[derive(Debug, Clone)]
pub struct Rows {
    /// Its columns.
    pub schema: SchemaRef,
    /// The rows, in order.
    pub batches: Vec<RecordBatch>,
    /// Number of rows.
    pub n_rows: usize,
    /// Whether there are more, beyond the limits.
    pub is_cut: bool,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryError {
    /// In words.
    pub message: String,
    /// Line and column of the text, from 1.
    pub place: Option<(u64, u64)>,
}

/// Answers `text`, which may read and nothing else.
///
/// # Errors
/// When it cannot be understood or answered.
pub async fn answer(
    cx: &SessionContext,
    text: &str,
    limits: Limits,
) -> std::result::Result<Rows, QueryError> {
    rows(cx, text, limits).await.map_err(|err| QueryError::of(&err))
}

async fn rows(cx: &SessionContext, text: &str, limits: Limits) -> Result<Rows> {
    let reads =
        SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false);
    let mut stream = cx.sql_with_options(text, reads).await?.execute_stream().await?;
    let mut found = Rows { schema: stream.schema(), batches: Vec::new(), n_rows: 0, is_cut: false };
    let mut n_bytes = 0;
    while let Some(batch) = stream.next().await {
        let batch = batch?;
        let room = limits.rows - found.n_rows;
        found.is_cut = batch.num_rows() > room || n_bytes > limits.bytes;
        let batch = if batch.num_rows() > room { batch.slice(0, room) } else { batch };
        n_bytes += batch.get_array_memory_size();
        found.n_rows += batch.num_rows();
        if batch.num_rows() > 0 {
            found.batches.push(batch);
        }
        if found.is_cut {
            break;
        }
    }
    Ok(found)
}

impl QueryError {
    /// What `err` says.
    pub fn of(err: &DataFusionError) -> Self {
        let text = err.strip_backtrace();
        let spanned = err.diagnostic().and_then(|diagnostic| {
            let start = diagnostic.span?.start;
            Some((start.line, start.column)).filter(|(line, _)| *line > 0)
        });
        let (message, written) = without_place(&text);
        Self { message: plain(message), place: spanned.or(written) }
    }
}

/// What the parser says, and the place that it says at the end of it.
fn without_place(text: &str) -> (&str, Option<(u64, u64)>) {
    let whole = (text, None);
    let Some((message, rest)) = text.rsplit_once(" at Line: ") else { return whole };
    let Some((line, column)) = rest.split_once(", Column: ") else { return whole };
    let column: String = column.chars().take_while(char::is_ascii_digit).collect();
    match (line.parse(), column.parse()) {
        (Ok(line), Ok(column)) => (message, Some((line, column))),
        _ => whole,
    }
}

/// Without the names of the parts of the engine that the error came through.
fn plain(message: &str) -> String {
    const BEFORE: [&str; 11] = [
        "Object Store error: ",
        "Generic file error: ",
        "SQL error: ",
        "ParserError(\"",
        "TokenizerError(\"",
        "Schema error: ",
        "Error during planning: ",
        "Execution error: ",
        "External error: ",
        "Arrow error: ",
        "Parquet error: ",
    ];
    let mut rest = message.trim();
    while let Some(inner) = BEFORE.iter().find_map(|before| rest.strip_prefix(before)) {
        rest = inner;
    }
    rest.trim_end_matches("\")").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { rows: 10, bytes: 1 << 20 };

    fn ask(text: &str) -> std::result::Result<Rows, QueryError> {
        let cx = SessionContext::new_with_config(crate::dataset::config());
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(answer(&cx, text, LIMITS))
    }

    #[test]
    fn an_answer_ends_at_the_limit_and_says_so() {
        let rows = ask("SELECT value FROM generate_series(1, 10) AS t(value)").unwrap();
        assert_eq!((rows.n_rows, rows.is_cut), (10, false));
        let rows = ask("SELECT value FROM generate_series(1, 11) AS t(value)").unwrap();
        assert_eq!((rows.n_rows, rows.is_cut), (10, true));
    }

    #[test]
    fn an_error_names_its_place() {
        let err = ask("SELECT 1\nFROM WHERE").unwrap_err();
        assert_eq!(err.place, Some((2, 6)), "{err:?}");
        assert!(!err.message.contains("ParserError") && !err.message.contains("Line:"), "{err:?}");
        let err = ask("SELECT 1,\n  missing").unwrap_err();
        assert_eq!(err.place, Some((2, 3)), "{err:?}");
        assert_eq!(ask("SELECT 'a").unwrap_err().place, Some((1, 8)));
    }

    #[test]
    fn a_query_only_reads() {
        for text in [
            "CREATE TABLE t AS SELECT 1",
            "SET datafusion.execution.batch_size = 1",
            "COPY (SELECT 1) TO 'x.csv'",
        ] {
            assert!(ask(text).is_err(), "{text}");
        }
    }
}
