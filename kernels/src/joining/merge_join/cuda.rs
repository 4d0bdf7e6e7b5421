//! Launcher of `merge_join.cu`.

use super::{JoinKind, JoinMaps, Kept};
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{Error, Fixed, Result, RowMap, RowWidth, View, access};
use columnade_buffers::Exec;

policy! {
    /// Of `merge_join.cu`.
    pub struct MergePolicy {
        /// Values that a thread merges: more make its search in the tile cheaper, fewer take less shared memory.
        pub const THREAD_VALUES: i32 = 8;
    }
}

abi! {
    /// Arguments of `merge_join`: output 0 the left rows, output 1 the right rows.
    pub struct MergeJoinArgs {
        /// Columns of `I64`.
        pub left: ColumnDesc,
        pub right: ColumnDesc,
        /// Bits: 1 left rows with a match, 2 left rows without one, 4 right rows without one.
        pub kept: i32,
        /// Whether right rows are wanted.
        pub has_right: i32,
        /// Bytes of an index.
        pub width: i32,
        /// Host memory for the number of pairs, written before the entry returns.
        pub pairs: *mut i64,
        pub alloc: Alloc,
    }
    entry merge_join(MergeJoinArgs);
}

pub(super) fn merge_join(
    left: &Fixed<'_>,
    right: &Fixed<'_>,
    kind: JoinKind,
    exec: &Exec,
) -> Result<JoinMaps> {
    let entry = entries::merge_join(exec.device())?;
    let guards = access(&[View::Fixed(*left), View::Fixed(*right)], exec)?;
    let width = RowWidth::for_rows(left.len.max(right.len));
    let kept = Kept::of(kind);
    let mut launch = Launch::new(exec);
    let mut pairs = 0;
    let args = MergeJoinArgs {
        left: guards[0].desc(),
        right: guards[1].desc(),
        kept: i32::from(kept.matched) | i32::from(kept.left_alone) << 1 | i32::from(kept.right_alone) << 2,
        has_right: i32::from(kind.has_pairs()),
        width: width as i32,
        pairs: &raw mut pairs,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep both sides readable; `pairs` outlives the call, which writes it before it returns; the launch
    // owns the outputs.
    unsafe { launch.run(entry, &args)? };
    let mut map = |slot| Ok::<_, Error>(RowMap { rows: launch.output(slot)?, width, len: pairs as usize });
    Ok(JoinMaps { left: map(0)?, right: if kind.has_pairs() { Some(map(1)?) } else { None } })
}
