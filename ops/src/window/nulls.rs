//! Row functions of columns of the dtype null, which no kernel reads.

use crate::expression::{Cumulative, RollingAggregate, RowFunction, Statistic};
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Result};

/// The arguments with integers that are all null in place of those of the dtype null; `None` if there are none.
pub(super) fn replaced(arguments: &[Column], exec: &Exec) -> Result<Option<Vec<Column>>> {
    if !arguments.iter().any(is_null) {
        return Ok(None);
    }
    let replace = |argument: &Column| {
        if is_null(argument) {
            Column::full_null(&DType::Int64, argument.size(), exec)
        } else {
            Ok(argument.clone())
        }
    };
    arguments.iter().map(replace).collect::<Result<_>>().map(Some)
}

/// What was found of the integers, in the dtype that the function has for nulls.
pub(super) fn in_dtype(function: RowFunction, found: Column, exec: &Exec) -> Result<Column> {
    let dtype = match function {
        RowFunction::Shift(_)
        | RowFunction::FillForward(_)
        | RowFunction::FillBackward(_)
        | RowFunction::Cumulative(Cumulative::Min | Cumulative::Max) => DType::Null,
        RowFunction::Rolling(rolling) => match rolling.aggregate {
            RollingAggregate::Min
            | RollingAggregate::Max
            | RollingAggregate::First
            | RollingAggregate::Last => DType::Null,
            RollingAggregate::Quantile { q, interpolation } => {
                Statistic::Quantile { q, interpolation }.dtype(&DType::Null)?
            }
            RollingAggregate::Sum
            | RollingAggregate::Mean
            | RollingAggregate::Var { .. }
            | RollingAggregate::Std { .. }
            | RollingAggregate::Skew
            | RollingAggregate::Kurt
            | RollingAggregate::NUnique
            | RollingAggregate::Rank(_)
            | RollingAggregate::Count => return Ok(found),
        },
        RowFunction::RowNumber
        | RowFunction::Rank(_)
        | RowFunction::Interpolate
        | RowFunction::Exponential(_)
        | RowFunction::Cumulative(Cumulative::Sum | Cumulative::Product | Cumulative::Count) => {
            return Ok(found);
        }
    };
    Column::full_null(&dtype, found.size(), exec)
}

fn is_null(column: &Column) -> bool {
    column.dtype() == DType::Null
}
