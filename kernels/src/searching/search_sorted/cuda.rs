//! Launcher of `search_sorted.cu`.

use super::{Ranges, SearchSide};
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{Fixed, Result, View};
use columnade_buffers::{Buffer, Exec};

abi! {
    /// Arguments of `search_sorted`: columns of `I64`.
    pub struct SearchSortedArgs {
        pub values: ColumnDesc,
        pub needles: ColumnDesc,
        pub starts: ColumnDesc,
        pub ends: ColumnDesc,
        /// A `SearchSide`.
        pub side: i32,
        /// Output 0: `I64`.
        pub alloc: Alloc,
    }
    entry search_sorted(SearchSortedArgs);
}

pub(super) fn search_sorted(
    values: &Fixed<'_>,
    needles: &Fixed<'_>,
    ranges: &Ranges<'_>,
    side: SearchSide,
    exec: &Exec,
) -> Result<Buffer> {
    let entry = entries::search_sorted(exec.device())?;
    let guards =
        [values, needles, &ranges.starts, &ranges.ends].map(|column| View::Fixed(*column).read(exec));
    let [values, needles, starts, ends] = guards;
    let (values, needles, starts, ends) = (values?, needles?, starts?, ends?);
    let mut launch = Launch::new(exec);
    let args = SearchSortedArgs {
        values: values.desc(),
        needles: needles.desc(),
        starts: starts.desc(),
        ends: ends.desc(),
        side: side as i32,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards hold the columns readable, and the output is the launch's own.
    unsafe { launch.run(entry, &args)? };
    launch.output(0)
}
