//! What the suites of this crate share.

use columnade_buffers::Device;
use columnade_columns::{AsLabel, Scalar};

use crate::dataframe::DataFrame;
use crate::options::set_default_device;

/// Runs a test with new frames on each device of this build in turn.
pub(crate) fn on_every_device(test: impl Fn(Device)) {
    for device in Device::available() {
        set_default_device(device).expect("an available device can be used");
        test(device);
    }
}

/// The values of a column.
pub(crate) fn values(frame: &DataFrame, label: impl AsLabel) -> Vec<Scalar> {
    frame.column(label).and_then(|series| series.to_scalars()).expect("the column is there")
}

/// Optional 64-bit integers as scalars.
pub(crate) fn ints(values: &[Option<i64>]) -> Vec<Scalar> {
    values
        .iter()
        .map(|value| value.map_or(Scalar::Null(columnade_columns::DType::Int64), Scalar::Int64))
        .collect()
}
