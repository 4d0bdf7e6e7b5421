//! Aggregations: what is computed from many rows, and the accumulators that compute it on the host.
//!
//! One enum names the aggregations of [`reduce`](crate::reduction::reduce), [`scan`](crate::scanning::scan),
//! [group-by](crate::grouping::aggregate) and the [fused pass](crate::expression::aggregate). On the host all four run
//! the same accumulators: `select` finds the one for an aggregation and a storage type, together with how values
//! are read and results written, so that a state cannot meet an operation of another kind.
//!
//! To add an aggregation, write its `Accumulator` in a file of its own, add a variant to [`Aggregation`] and an arm
//! to `select`.

mod accumulator;
mod column_states;
mod extreme;
mod group_states;
mod input;
mod mean;
mod output;
mod select;
mod sum;
mod sum_exact;
#[cfg(test)]
mod tests;

pub(crate) use accumulator::{Accumulator, Overflow};
pub(crate) use column_states::block_states;
pub(crate) use extreme::{ExtremeString, Maximum, Minimum};
pub(crate) use group_states::{BlockScratch, GroupColumn, GroupStates, Positions, columns, update};
pub(crate) use input::{BLOCK_ROWS, Block};
pub(crate) use output::{finish, write_blocks};
pub(crate) use select::{Selected, Visitor, count, rows_of_strings, select};

use crate::Storage;

/// What is computed from the rows of a column or of a group. Nulls are skipped by all but [`Aggregation::Size`].
///
/// The discriminants are those of `Aggregation` in `aggregation.cuh`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum Aggregation {
    /// The sum, 0 without a value; integers and bits wrap at 64 bits. That of `I128` is exact, and an error beyond 38
    /// digits. `F32` is summed in `F64`.
    Sum = 0,
    /// The exact sum of integers and bits in 128 bits, an error beyond 38 digits.
    SumWide = 1,
    /// The least value; null without a value. NaN is skipped unless all values are NaN. −0.0 is below 0.0; strings go by
    /// their bytes.
    Min = 2,
    /// The greatest value, in the order of [`Aggregation::Min`]; null without a value. NaN is skipped unless all values are
    /// NaN.
    Max = 3,
    /// The number of values.
    Count = 4,
    /// The number of rows.
    Size = 5,
    /// The exact sum divided by the number of values; null without a value. An error for a sum of more than 38 digits.
    Mean = 6,
    /// The sum of the low 64 bits of `I128`, without sign. With [`Aggregation::SumHigh`] it is a part of a sum that may
    /// have more digits than the whole: sum = high · 2⁶⁴ + low.
    SumLow = 7,
    /// The sum of the high 64 bits of `I128`, with their sign.
    SumHigh = 8,
}

impl Aggregation {
    /// Every aggregation.
    pub const ALL: [Aggregation; 9] = [
        Aggregation::Sum,
        Aggregation::SumWide,
        Aggregation::Min,
        Aggregation::Max,
        Aggregation::Count,
        Aggregation::Size,
        Aggregation::Mean,
        Aggregation::SumLow,
        Aggregation::SumHigh,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Aggregation::Sum => "sum",
            Aggregation::SumWide => "sum_wide",
            Aggregation::Min => "min",
            Aggregation::Max => "max",
            Aggregation::Count => "count",
            Aggregation::Size => "size",
            Aggregation::Mean => "mean",
            Aggregation::SumLow => "sum_low",
            Aggregation::SumHigh => "sum_high",
        }
    }

    /// How the result over values of `input` is stored; `None` where there is none.
    pub const fn output(self, input: Storage) -> Option<Storage> {
        match self {
            Aggregation::Count | Aggregation::Size => Some(Storage::I64),
            Aggregation::Mean => Some(Storage::F64),
            Aggregation::Min | Aggregation::Max => Some(input),
            Aggregation::SumWide if input.is_float() => None,
            Aggregation::SumWide => Some(Storage::I128),
            Aggregation::SumLow | Aggregation::SumHigh => match input {
                Storage::I128 => Some(Storage::I128),
                _ => None,
            },
            Aggregation::Sum => Some(match input {
                Storage::I128 | Storage::F32 | Storage::F64 => input,
                Storage::U8 | Storage::U16 | Storage::U32 | Storage::U64 => Storage::U64,
                Storage::Bit | Storage::I8 | Storage::I16 | Storage::I32 | Storage::I64 => Storage::I64,
            }),
        }
    }

    /// Whether the result is null where there is no value.
    pub const fn is_null_without_values(self) -> bool {
        matches!(self, Aggregation::Min | Aggregation::Max | Aggregation::Mean)
    }

    /// Whether the sum of values of `input` may have more than 38 digits, which no other sum reaches in memory.
    pub(crate) const fn may_overflow(self, input: Storage) -> bool {
        matches!(input, Storage::I128)
            && matches!(self, Aggregation::Sum | Aggregation::SumWide | Aggregation::Mean)
    }

    /// Whether the result depends on what the values are, not only on which are null.
    pub const fn reads_values(self) -> bool {
        !matches!(self, Aggregation::Count | Aggregation::Size)
    }
}
