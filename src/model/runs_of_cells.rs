//! Columns of numbers as runs of equal cells, Arrow's `RunEndEncoded`: how they travel where many cells repeat.

use super::blocks::BLOCK;
use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float64Type, Int32Type, UInt32Type};
use arrow_array::{
    Array as _, ArrayRef, ArrowNativeTypeOp, ArrowPrimitiveType, Int32Array, PrimitiveArray,
    RunArray,
};
use arrow_buffer::ScalarBuffer;
use std::sync::Arc;

/// Cells in a run, on average, from which on a column is worth it.
const MIN_CELLS: usize = 4;

/// `column` as its runs; `None` where they are short, where a cell is null, or where it holds something else.
pub(super) fn by_runs(column: &ArrayRef) -> Option<ArrayRef> {
    if column.null_count() > 0 {
        return None;
    }
    match (column.as_primitive_opt::<UInt32Type>(), column.as_primitive_opt::<Float64Type>()) {
        (Some(cells), _) => runs_of(cells),
        (_, Some(cells)) => runs_of(cells),
        _ => None,
    }
}

/// The same: floats are equal when their bits are.
fn runs_of<T: ArrowPrimitiveType>(cells: &PrimitiveArray<T>) -> Option<ArrayRef> {
    let most = cells.len() / MIN_CELLS;
    if most == 0 {
        return None;
    }
    let (mut ends, mut values) = (Vec::new(), Vec::new());
    for block in cells.values().chunks(BLOCK) {
        add_runs(block, &mut ends, &mut values)?;
        if ends.len() > most {
            return None;
        }
    }
    let ends = Int32Array::new(ScalarBuffer::from(ends), None);
    let values = PrimitiveArray::<T>::new(ScalarBuffer::from(values), None);
    Some(Arc::new(RunArray::<Int32Type>::try_new(&ends, &values).ok()?))
}

/// Adds the runs of `cells`, the first of which may go on with the last run there is. `None`: there are too many cells.
#[inline(never)]
fn add_runs<V: ArrowNativeTypeOp>(
    cells: &[V],
    ends: &mut Vec<i32>,
    values: &mut Vec<V>,
) -> Option<()> {
    let mut end = ends.last().copied().unwrap_or_default();
    for run in cells.chunk_by(|one, other| one.is_eq(*other)) {
        let value = *run.first()?;
        end = end.checked_add(i32::try_from(run.len()).ok()?)?;
        match (values.last(), ends.last_mut()) {
            (Some(last), Some(last_end)) if last.is_eq(value) => *last_end = end,
            _ => {
                ends.push(end);
                values.push(value);
            }
        }
    }
    Some(())
}

/// The cells of a `column` that [`by_runs`] gave; `None`: it is another.
pub(super) fn by_cells(column: &ArrayRef) -> Option<ArrayRef> {
    let runs = column.as_run_opt::<Int32Type>()?;
    match (
        runs.values().as_primitive_opt::<UInt32Type>(),
        runs.values().as_primitive_opt::<Float64Type>(),
    ) {
        (Some(values), _) => cells_of(runs, values),
        (_, Some(values)) => cells_of(runs, values),
        _ => None,
    }
}

fn cells_of<T: ArrowPrimitiveType>(
    runs: &RunArray<Int32Type>,
    values: &PrimitiveArray<T>,
) -> Option<ArrayRef> {
    let mut cells = Vec::with_capacity(runs.len());
    for (end, value) in runs.run_ends().values().iter().zip(values.values()) {
        cells.resize(usize::try_from(*end).ok()?.min(runs.len()), *value);
    }
    Some(Arc::new(PrimitiveArray::<T>::new(ScalarBuffer::from(cells), None)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{Float64Array, UInt32Array};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn cells_come_back_as_they_were(
            runs in prop::collection::vec((prop::sample::select(vec![0.0, -0.0, f64::NAN, 1.5]), 1_usize..20), 0..20)
        ) {
            let floats: Vec<f64> = runs.iter().flat_map(|(value, n)| vec![*value; *n]).collect();
            let wholes: Vec<u32> = floats.iter().map(|value| (value.to_bits() >> 40) as u32).collect();
            let columns: [ArrayRef; 2] =
                [Arc::new(Float64Array::from(floats.clone())), Arc::new(UInt32Array::from(wholes.clone()))];
            for column in columns {
                let Some(short) = by_runs(&column) else { continue };
                prop_assert!(short.as_run::<Int32Type>().values().len() * MIN_CELLS <= column.len());
                let back = by_cells(&short).unwrap();
                prop_assert_eq!(back.data_type(), column.data_type());
                if let Some(back) = back.as_primitive_opt::<UInt32Type>() {
                    prop_assert_eq!(back.values(), &wholes);
                } else {
                    let bits = |cells: &[f64]| cells.iter().map(|cell| cell.to_bits()).collect::<Vec<_>>();
                    prop_assert_eq!(bits(back.as_primitive::<Float64Type>().values()), bits(&floats));
                }
            }
        }
    }

    #[test]
    fn runs_go_on_from_block_to_block() {
        let lens = [BLOCK - 1, BLOCK + 2, 3 * BLOCK, 5];
        let cells: Vec<u32> = (0..).zip(lens).flat_map(|(value, len)| vec![value; len]).collect();
        let column: ArrayRef = Arc::new(UInt32Array::from(cells.clone()));
        let short = by_runs(&column).unwrap();
        assert_eq!(short.as_run::<Int32Type>().values().len(), lens.len());
        let back = by_cells(&short).unwrap();
        assert_eq!(back.as_primitive::<UInt32Type>().values(), &cells);
    }

    #[test]
    fn columns_that_hardly_repeat_or_have_nulls_stay_as_they_are() {
        let columns: [ArrayRef; 4] = [
            Arc::new(UInt32Array::from_iter_values(0..100)),
            Arc::new(UInt32Array::from(vec![None; 100])),
            Arc::new(arrow_array::StringArray::from(vec!["a"; 100])),
            Arc::new(UInt32Array::from(Vec::<u32>::new())),
        ];
        for column in &columns[..3] {
            assert!(by_runs(column).is_none(), "{column:?}");
        }
        assert!(columns.iter().all(|column| by_cells(column).is_none()));
        let same: ArrayRef = Arc::new(UInt32Array::from(vec![1; 100]));
        assert_eq!(by_runs(&same).unwrap().as_run::<Int32Type>().values().len(), 1);
    }
}
