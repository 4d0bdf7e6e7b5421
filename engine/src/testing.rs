//! What the suites of this crate share.

use std::sync::Arc;

use columnade_buffers::{Device, Exec, Managed, SpillManager, SpillOptions};
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

/// A context of the device over a manager of its own, with these settings in addition to spilling.
pub(crate) fn managed(
    device: Device,
    settings: &[(&'static str, &'static str)],
) -> (Exec, Arc<SpillManager>) {
    let exec = Exec::new(device).expect("an available device can be used");
    managed_over(&exec, settings)
}

/// Like [`managed`], of memory from the resource of `exec`.
pub(crate) fn managed_over(
    exec: &Exec,
    settings: &[(&'static str, &'static str)],
) -> (Exec, Arc<SpillManager>) {
    let options = SpillOptions::from_lookup(|variable| {
        let found = settings.iter().find(|(name, _)| *name == variable).map(|(_, value)| *value);
        found.or((variable == "COLUMNADE_SPILL").then_some("on")).map(Into::into)
    });
    let options = options.expect("options that mean something");
    let managed = Managed::new(exec.resource().clone(), options).expect("options that fit");
    let manager = managed.manager().clone();
    (exec.with_resource(Arc::new(managed)), manager)
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

/// Whether this build has the codec of files of text that are called so.
pub(crate) fn has_codec(name: &str) -> bool {
    match name.rsplit('.').next() {
        Some("gz") => cfg!(feature = "gzip"),
        Some("zst") => cfg!(feature = "zstd"),
        _ => true,
    }
}
