//! An answer as bars: one for each row, as long as its first number.

use crate::query::Rows;
use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Float64Type};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};

/// Rows that are drawn at the most: more are no chart but a table.
const MAX_BARS: usize = 50;

/// Bars.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bars {
    /// The column that names them; empty: rows are numbered.
    pub label: String,
    /// The column that they show.
    pub value: String,
    /// The bars, in the order of the rows.
    pub bars: Vec<Bar>,
    /// Rows that are not drawn.
    pub n_more: usize,
}

/// A bar.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bar {
    /// What it is called.
    pub name: String,
    /// Its value; not finite where there is none.
    pub value: f64,
    /// Where it begins and how long it is, in percent of the width.
    pub span: (f64, f64),
}

/// The first rows of an answer as bars; `None`: no column holds numbers, or no value is one.
///
/// # Errors
/// When a column cannot be shown.
pub fn bars(rows: &Rows) -> Result<Option<Bars>, ArrowError> {
    let fields = rows.schema.fields();
    let is_number = |at: usize| fields.get(at).is_some_and(|field| field.data_type().is_numeric());
    let label = (0..fields.len()).find(|at| !is_number(*at));
    // What stands first is a name, even where it is a number.
    let is_value = |at: &usize| is_number(*at) && (label.is_some() || *at > 0 || fields.len() == 1);
    let Some(value) = (0..fields.len()).find(is_value) else { return Ok(None) };
    let label = label.or((value > 0).then_some(0));
    let (mut names, mut numbers) = (Vec::new(), Vec::new());
    for batch in &rows.batches {
        let n = batch.num_rows().min(MAX_BARS - numbers.len());
        numbers.extend(values(batch.column(value), n)?);
        match label {
            Some(label) => names.extend(words(batch.column(label), n)?),
            None => names.extend((names.len()..names.len() + n).map(|nth| (nth + 1).to_string())),
        }
    }
    let finite = || numbers.iter().copied().filter(|number| number.is_finite());
    if finite().next().is_none() {
        return Ok(None);
    }
    let (low, high) = (finite().fold(0.0, f64::min), finite().fold(0.0, f64::max));
    let share = |number: f64| if high > low { (number - low) / (high - low) * 100.0 } else { 0.0 };
    let bar = |(name, value): (String, &f64)| {
        let (from, to) = (share(value.min(0.0)), share(value.max(0.0)));
        let span = if value.is_finite() { (from, to - from) } else { (share(0.0), 0.0) };
        Bar { name, value: *value, span }
    };
    let name = |at: usize| fields.get(at).map(|field| field.name().clone()).unwrap_or_default();
    Ok(Some(Bars {
        label: label.map(name).unwrap_or_default(),
        value: name(value),
        n_more: rows.n_rows - numbers.len(),
        bars: names.into_iter().zip(&numbers).map(bar).collect(),
    }))
}

fn values(column: &ArrayRef, n: usize) -> Result<Vec<f64>, ArrowError> {
    let column = cast(&column.slice(0, n), &DataType::Float64)?;
    let numbers = column.as_primitive::<Float64Type>();
    Ok(numbers.iter().map(|number| number.unwrap_or(f64::NAN)).collect())
}

fn words(column: &ArrayRef, n: usize) -> Result<Vec<String>, ArrowError> {
    let options = FormatOptions::default().with_null("–");
    let shown = ArrayFormatter::try_new(column.as_ref(), &options)?;
    Ok((0..n).map(|row| shown.value(row).to_string()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::arrow::array::{Float64Array, Int64Array, RecordBatch, StringArray};
    use std::sync::Arc;

    fn rows(columns: Vec<(&str, ArrayRef)>, n_rows: usize) -> Rows {
        let batch = RecordBatch::try_from_iter_with_nullable(
            columns.into_iter().map(|(name, column)| (name, column, true)),
        );
        let batch = batch.unwrap();
        Rows { schema: batch.schema(), batches: vec![batch], n_rows, is_cut: false }
    }

    #[test]
    fn bars_begin_at_nought_on_either_side() {
        let found = rows(
            vec![
                ("model", Arc::new(StringArray::from(vec![Some("a"), Some("b"), None]))),
                ("change", Arc::new(Float64Array::from(vec![Some(-1.0), Some(3.0), None]))),
                ("n", Arc::new(Int64Array::from(vec![7, 7, 7]))),
            ],
            60,
        );
        let found = bars(&found).unwrap().unwrap();
        assert_eq!(
            (found.label.as_str(), found.value.as_str(), found.n_more),
            ("model", "change", 57)
        );
        let spans: Vec<(f64, f64)> = found.bars.iter().map(|bar| bar.span).collect();
        assert_eq!(spans, [(0.0, 25.0), (25.0, 75.0), (25.0, 0.0)]);
        assert_eq!(found.bars[2].name, "–");
        assert!(found.bars[2].value.is_nan());
    }

    #[test]
    fn numbers_alone_are_named_by_the_first_column() {
        let year: ArrayRef = Arc::new(Int64Array::from(vec![2024]));
        let rate: ArrayRef = Arc::new(Float64Array::from(vec![0.5]));
        let found =
            bars(&rows(vec![("year", Arc::clone(&year)), ("rate", rate)], 1)).unwrap().unwrap();
        assert_eq!((found.bars[0].name.as_str(), found.value.as_str()), ("2024", "rate"));
        assert_eq!(bars(&rows(vec![("n", year)], 1)).unwrap().unwrap().bars[0].name, "1");
        let names: ArrayRef = Arc::new(StringArray::from(vec!["a"]));
        assert_eq!(bars(&rows(vec![("id", names)], 1)).unwrap(), None);
        let nothing: ArrayRef = Arc::new(Float64Array::from(vec![None]));
        assert_eq!(bars(&rows(vec![("n", nothing)], 1)).unwrap(), None);
    }
}
