//! Concatenates columns.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use crate::{ColumnData, Error, Result, View};
use columnade_buffers::{Device, Exec};

/// Concatenates the rows of all `views`. The result has a mask if any of them has one.
///
/// # Shapes and units
/// views: at least one, all of one storage type or all strings, of any offset width. String results have
/// 64-bit offsets if they have 2³¹ bytes or more.
///
/// # Errors
/// [`Error::TypeMismatch`]; [`Error::InvalidArgument`] without views; [`Error::Memory`].
///
/// # Device
/// One copy per view, and one launch per view for a mask. Strings take one more launch per view, and one
/// synchronisation.
///
/// # Source
/// `cudf/concatenate.hpp` `concatenate`, pandas `concat`.
pub fn concat(views: &[View<'_>], exec: &Exec) -> Result<ColumnData> {
    let Some((first, rest)) = views.split_first() else {
        return Err(Error::InvalidArgument { name: "views", reason: "there are none" });
    };
    if !rest.iter().all(|view| view.same_type(first)) {
        return Err(Error::TypeMismatch);
    }
    match exec.device() {
        Device::Host => host::concat(first, views, exec),
        _ => cuda::concat(first, views, exec),
    }
}
