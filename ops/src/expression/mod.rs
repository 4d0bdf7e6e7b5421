//! Expressions over the columns of a frame: their syntax, and how they become one program.
//!
//! [`Expr`] is untyped syntax. `resolve` determines dtypes against a frame, `lower` turns the typed tree into
//! a
//! [`Program`](columnade_kernels::expression::Program) over storage types, and the kernel runs it: on the
//! host in one pass over morsels, on a device one operation at a time.

mod aggregate_dtype;
pub(crate) mod branches;
mod build;
mod category;
mod comparison;
pub(crate) mod condition;
mod datetime;
mod decimal_string;
mod decimals;
mod duration;
mod evaluate;
#[doc(hidden)]
pub mod example;
mod exponential;
mod function;
mod functions;
mod list;
mod list_positions;
mod literal;
mod lower;
mod members;
mod node;
mod numbers;
mod one_row;
mod operators;
mod rolling;
mod rows_of_groups;
mod schema;
mod scope;
#[cfg(feature = "serde")]
mod serialized;
pub(crate) mod shared;
mod statistic;
mod string;
mod string_functions;
mod string_parts;
mod structure;
#[cfg(test)]
mod test_branches;
#[cfg(test)]
mod test_casts;
#[cfg(test)]
mod test_choices;
#[cfg(test)]
mod test_literals;
#[cfg(test)]
mod test_members;
#[cfg(test)]
mod test_numbers;
#[cfg(test)]
mod test_one_row;
#[cfg(test)]
mod test_operators;
#[cfg(test)]
mod test_serialized;
#[cfg(test)]
mod test_sharing;
#[cfg(test)]
mod test_spans;
#[cfg(test)]
mod test_string_functions;
#[cfg(test)]
mod test_string_parts;
#[cfg(test)]
mod test_strings;
#[cfg(test)]
mod test_times;
#[cfg(test)]
mod test_zones;
#[cfg(test)]
mod tests;
mod times;
mod typed;
mod weak;
mod window;
mod windowed;

pub use build::{Then, When, col, date, len, lit, lit_decimal, when};
pub use category::{CategoryChange, CategoryExpr, CategoryFunction};
pub use columnade_columns::Closed;
pub use columnade_kernels::strings::slice::CharRange;
pub use datetime::DatetimeExpr;
pub use duration::{days, hours, microseconds, milliseconds, minutes, nanoseconds, seconds};
pub use evaluate::{evaluate, evaluate_mask};
pub(crate) use evaluate::{evaluate_mask_rows, evaluate_rows, evaluate_rows_where};
pub use exponential::{Exponential, ExponentialAggregate, ExponentialWindow};
pub use function::Function;
pub use functions::{
    Ambiguous, DatetimeFunction, Elementwise, HashFunction, LocalTimes, Nonexistent, Period, Unmatched,
    all_horizontal, any_horizontal, coalesce, hash_rows, max_horizontal, mean_horizontal, min_horizontal,
    sum_horizontal,
};
pub use list::{ListAggregate, ListExpr, ListFunction, OutOfRange, concat_list};
pub use literal::Literal;
pub use members::{ColumnValues, IntoMembers, ListedValues, Members};
pub use node::{Aggregation, Arithmetic, Comparison, Expr, Match, Node, Part};
pub use one_row::OneRow;
pub use rolling::{Rolling, RollingAggregate, RollingWindow, WindowFrame};
pub use schema::columns_of;
pub use statistic::{Interpolation, Statistic};
pub use string::StringExpr;
pub use structure::{StructExpr, StructFunction, struct_of};
pub use window::{Cumulative, IntoKeys, Key, ManyKeys, OneKey, Rank, RankMethod, RowFunction, row_number};

pub(crate) use aggregate_dtype::aggregate_dtype;
pub(crate) use lower::Lowered;
pub(crate) use typed::{Typed, boolean, resolve, resolve_output};
pub(crate) use weak::adopt;
