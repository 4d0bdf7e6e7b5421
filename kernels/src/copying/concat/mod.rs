//! Puts columns one after the other.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use crate::{ColumnData, Error, Result, View};
use columnade_buffers::{Device, Exec};

/// The rows of all `views`, one column after the other. The result has a mask when any of them has one.
///
/// # Shapes and units
/// views: at least one, all of one storage type or all text of any offset width. Text gets 64-bit offsets when it
/// has 2³¹ bytes or more.
///
/// # Errors
/// [`Error::TypeMismatch`]; [`Error::NotImplemented`] for no views, which have no type; [`Error::Memory`].
///
/// # Device
/// One copy for each view; one launch more for its mask; text takes another, and one synchronisation for all views.
///
/// # Source
/// `cudf/concatenate.hpp` `concatenate`, pandas `concat`.
pub fn concat(views: &[View<'_>], exec: &Exec) -> Result<ColumnData> {
    let Some((first, rest)) = views.split_first() else {
        return Err(Error::NotImplemented { feature: "the type of no columns" });
    };
    if !rest.iter().all(|view| view.same_type(first)) {
        return Err(Error::TypeMismatch);
    }
    match exec.device() {
        Device::Host => host::concat(first, views, exec),
        _ => cuda::concat(first, views, exec),
    }
}
