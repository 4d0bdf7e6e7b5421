//! Launcher of `aggregate.cu`.

use crate::abi::{Alloc, ColumnDesc};
use crate::aggregation::Aggregation;
use crate::copying::gather::{MapNulls, gather};
use crate::grouping::group_ids::Groups;
use crate::keys::device_row_width;
use crate::launch::Launch;
use crate::{ColumnData, Error, FixedData, Result, RowMap, RowWidth, Storage, View};
use columnade_buffers::{Buffer, Exec};
use std::ffi::c_void;

policy! {
    /// Of `aggregate.cu`.
    pub struct AggregatePolicy {
        /// Up to this many words of accumulators live in shared memory: 32 KiB.
        pub const SHARED_WORDS: i64 = 4096;
        /// Accumulators in shared memory have as many copies as fit in this many words, a thread each at most: 24 KiB, so
        /// that a multiprocessor has its eight blocks.
        pub const COPIED_WORDS: i64 = 3072;
        /// Rows of a thread whose loads are in flight together.
        pub const ITEMS: i32 = 4;
        /// The same for extremes: each value is converted as it comes, so that several gain nothing.
        pub const EXTREME_ITEMS: i32 = 1;
        /// Rows of a block for each word of its accumulators, which it merges into global memory at its end.
        pub const WORD_ROWS: i64 = 4;
        /// Rows of a group that are folded together, by a warp or by one thread.
        pub const CHUNK: i64 = 1024;
        /// With no more rows a group than this, a thread folds a chunk: of a warp's lanes most would have none.
        pub const NARROW_ROWS: i64 = 16;
    }
}

abi! {
    /// Arguments of `group_order`.
    pub struct GroupOrderArgs {
        pub ids: *const c_void,
        pub rows: i64,
        pub groups: i64,
        /// Bytes of a row number of output 0, the rows sorted by group. Output 1: where each group starts, `i64`.
        pub order_width: i32,
        pub alloc: Alloc,
    }
    /// Arguments of `aggregate`.
    pub struct AggregateArgs {
        pub ids: *const c_void,
        pub values: ColumnDesc,
        /// An `Aggregation`.
        pub aggregation: i32,
        /// Storage of the result, output 0; for strings their rows, as `U64`.
        pub result: i32,
        pub rows: i64,
        pub groups: i64,
        /// Outputs of `group_order`; null unless the aggregation takes rows in order.
        pub order: *const c_void,
        pub starts: *const c_void,
        /// Bytes of a row number in `order`; 0: none.
        pub order_width: i32,
        /// Whether to write a mask: output 1. Sums and means of `I128` set output 2, a word, if a sum has more than 38
        /// digits.
        pub masked: i32,
        pub alloc: Alloc,
    }
    entry group_order(GroupOrderArgs);
    entry aggregate(AggregateArgs);
}

pub(super) fn aggregate(
    groups: &Groups,
    requests: &[(Aggregation, View<'_>)],
    exec: &Exec,
) -> Result<Vec<ColumnData>> {
    let in_order = requests.iter().any(|(aggregation, view)| takes_rows_in_order(*aggregation, view));
    let order = if in_order { Some(Order::new(groups, exec)?) } else { None };
    let column = |(position, (aggregation, view)): (usize, &(Aggregation, View<'_>))| {
        one(groups, *aggregation, view, order.as_ref(), exec).map_err(|error| error.of_request(position))
    };
    requests.iter().enumerate().map(column).collect()
}

/// Whether integer atomics cannot do it.
fn takes_rows_in_order(aggregation: Aggregation, view: &View<'_>) -> bool {
    match (aggregation, view) {
        (Aggregation::Count | Aggregation::Size, _) => false,
        (_, View::String(_)) => true,
        (Aggregation::Min | Aggregation::Max, View::Fixed(fixed)) => fixed.storage == Storage::I128,
        (_, View::Fixed(fixed)) => fixed.storage.is_float(),
    }
}

/// The rows, sorted by group, and where groups start.
struct Order {
    rows: Buffer,
    starts: Buffer,
    width: RowWidth,
}

impl Order {
    fn new(groups: &Groups, exec: &Exec) -> Result<Self> {
        let entry = entries::group_order(exec.device())?;
        let ids = groups.ids.rows.read(exec)?;
        let width = device_row_width(groups.ids.len);
        let mut launch = Launch::new(exec);
        let args = GroupOrderArgs {
            ids: ids.as_ptr().cast(),
            rows: groups.ids.len as i64,
            groups: groups.len() as i64,
            order_width: width as i32,
            alloc: launch.alloc(),
        };
        // SAFETY: `ids` is held readable; the outputs are the launch's own.
        unsafe { launch.run(entry, &args)? };
        Ok(Self { rows: launch.output(0)?, starts: launch.output(1)?, width })
    }
}

fn one(
    groups: &Groups,
    aggregation: Aggregation,
    view: &View<'_>,
    order: Option<&Order>,
    exec: &Exec,
) -> Result<ColumnData> {
    let entry = entries::aggregate(exec.device())?;
    let order = order.filter(|_| takes_rows_in_order(aggregation, view));
    let ids = groups.ids.rows.read(exec)?;
    let values = view.read(exec)?;
    let rows_in_order = order.map(|order| order.rows.read(exec)).transpose()?;
    let starts = order.map(|order| order.starts.read(exec)).transpose()?;
    let result = match view {
        View::String(_) if order.is_some() => Storage::U64,
        View::String(_) => Storage::I64,
        View::Fixed(fixed) => {
            aggregation.output(fixed.storage).ok_or(Error::UnsupportedStorage { storage: fixed.storage })?
        }
    };
    let may_be_null = aggregation.is_null_without_values();
    let masked = may_be_null && view.validity_bits().is_some();
    let strings = matches!(view, View::String(_)) && may_be_null;
    let mut launch = Launch::new(exec);
    let args = AggregateArgs {
        ids: ids.as_ptr().cast(),
        values: values.desc(),
        aggregation: aggregation as i32,
        result: result as i32,
        rows: groups.ids.len as i64,
        groups: groups.len() as i64,
        order: rows_in_order.as_ref().map_or(std::ptr::null(), |guard| guard.as_ptr().cast()),
        starts: starts.as_ref().map_or(std::ptr::null(), |guard| guard.as_ptr().cast()),
        order_width: order.map_or(0, |order| order.width as i32),
        masked: i32::from(masked && !strings),
        alloc: launch.alloc(),
    };
    // SAFETY: the guards hold ids, values and the order of rows readable; the outputs are the launch's own.
    unsafe { launch.run(entry, &args)? };
    if let View::Fixed(fixed) = view
        && aggregation.may_overflow(fixed.storage)
    {
        launch.check_flag(2, Storage::I128)?;
    }
    let data = launch.output(0)?;
    if strings {
        let map = RowMap { rows: data, width: RowWidth::U64, len: groups.len() };
        return gather(view, &map, if masked { MapNulls::Possible } else { MapNulls::Never }, exec);
    }
    let validity = if masked { Some(launch.output(1)?) } else { None };
    Ok(ColumnData::Fixed(FixedData { storage: result, len: groups.len(), data, validity }))
}
