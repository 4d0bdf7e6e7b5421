//! Spilling: options, and reports of memory use. The functions of `columnade.memory`.

use columnade::ErrorKind;
use columnade::memory::{
    self, DeviceLimit, DiskAccess, EvictionPolicy, SpillOptions, StatisticsLevel, Watermarks,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt};

use crate::work::{argument, exception, work, work_as};

const OPERATION: &str = "memory.set_options";

/// The options, as `SpillOptions` has them.
const NAMES: [&str; 13] = [
    "spill",
    "on_demand",
    "device_limit",
    "soft",
    "statistics",
    "copy_on_write",
    "watermarks",
    "pinned_limit",
    "pageable_limit",
    "disk_limit",
    "folder",
    "disk_access",
    "eviction",
];

const ACCESSES: [(&str, DiskAccess); 3] =
    [("direct", DiskAccess::Direct), ("cached", DiskAccess::Cached), ("gpu-direct", DiskAccess::GpuDirect)];

const POLICIES: [(&str, EvictionPolicy); 2] =
    [("predictive", EvictionPolicy::Predictive), ("least_recently_used", EvictionPolicy::LeastRecentlyUsed)];

/// The options of the default device's spill manager.
#[pyfunction]
#[pyo3(name = "_memory_options")]
pub(crate) fn options(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let options = work(py, memory::options)?;
    let dict = PyDict::new(py);
    dict.set_item("spill", options.spill)?;
    dict.set_item("on_demand", options.on_demand)?;
    match options.device_limit {
        None => dict.set_item("device_limit", py.None())?,
        Some(DeviceLimit::Bytes(bytes)) => dict.set_item("device_limit", bytes)?,
        Some(DeviceLimit::Percent(percent)) => dict.set_item("device_limit", format!("{percent}%"))?,
    }
    dict.set_item("soft", options.soft)?;
    let level = StatisticsLevel::ALL.iter().position(|level| *level == options.statistics);
    dict.set_item("statistics", level)?;
    dict.set_item("copy_on_write", options.copy_on_write)?;
    dict.set_item("watermarks", options.watermarks.map(|marks| (marks.start, marks.stop)))?;
    dict.set_item("pinned_limit", options.pinned_limit)?;
    dict.set_item("pageable_limit", options.pageable_limit)?;
    dict.set_item("disk_limit", options.disk_limit)?;
    dict.set_item("folder", options.folder)?;
    dict.set_item("disk_access", name_of(&ACCESSES, &options.disk_access))?;
    dict.set_item("eviction", name_of(&POLICIES, &options.eviction))?;
    Ok(dict)
}

/// Changes the named options.
#[pyfunction]
#[pyo3(name = "_set_memory_options")]
pub(crate) fn set_options(py: Python<'_>, changes: &Bound<'_, PyDict>) -> PyResult<()> {
    let mut options = work(py, memory::options)?;
    for (name, value) in changes {
        let name: String = name.extract()?;
        change(&mut options, &name, &value)?;
    }
    work_as(py, OPERATION, || memory::set_options(options))
}

fn change(options: &mut SpillOptions, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = value.py();
    match name {
        "spill" => options.spill = value.extract()?,
        "on_demand" => options.on_demand = value.extract()?,
        "soft" => options.soft = value.extract()?,
        "copy_on_write" => options.copy_on_write = value.extract()?,
        "statistics" => {
            let level: usize = value.extract()?;
            let level = StatisticsLevel::ALL.get(level).copied();
            options.statistics =
                level.ok_or_else(|| argument(py, ErrorKind::Value, OPERATION, "statistics is 0, 1 or 2"))?;
        }
        "device_limit" => options.device_limit = limit(value)?,
        "watermarks" => options.watermarks = watermarks(value)?,
        "disk_access" => options.disk_access = named(value, name, &ACCESSES)?,
        "eviction" => options.eviction = named(value, name, &POLICIES)?,
        "pinned_limit" => options.pinned_limit = bytes(value)?,
        "pageable_limit" => options.pageable_limit = bytes(value)?,
        "disk_limit" => options.disk_limit = bytes(value)?,
        "folder" => options.folder = value.extract()?,
        "host_retention" => {
            let reason = "host_retention is fixed when a device is first used: set the environment variable \
                          COLUMNADE_HOST_RETENTION before";
            return Err(argument(py, ErrorKind::NotImplemented, OPERATION, reason));
        }
        _ => {
            let reason = format!("there is no option {name:?}, only {}", NAMES.join(", "));
            return Err(argument(py, ErrorKind::Value, OPERATION, &reason));
        }
    }
    Ok(())
}

fn name_of<T: PartialEq>(names: &[(&'static str, T)], value: &T) -> Option<&'static str> {
    names.iter().find(|(_, named)| named == value).map(|(name, _)| *name)
}

fn named<T: Copy>(value: &Bound<'_, PyAny>, option: &str, names: &[(&str, T)]) -> PyResult<T> {
    let text: String = value.extract()?;
    let found = names.iter().find(|(name, _)| *name == text);
    found.map(|(_, named)| *named).ok_or_else(|| {
        let names: Vec<_> = names.iter().map(|(name, _)| format!("{name:?}")).collect();
        let reason = format!("{option} is {text:?}, and not one of {}", names.join(", "));
        argument(value.py(), ErrorKind::Value, OPERATION, &reason)
    })
}

/// Two parts of the device limit in percent: (90, 80), "90%,80%".
fn watermarks(value: &Bound<'_, PyAny>) -> PyResult<Option<Watermarks>> {
    if value.is_none() {
        return Ok(None);
    }
    let both: Option<(u8, u8)> = if let Ok(text) = value.extract::<String>() {
        let percent = |part: &str| part.trim().strip_suffix('%')?.trim_end().parse().ok();
        text.split_once(',').and_then(|(start, stop)| percent(start).zip(percent(stop)))
    } else {
        let both: Vec<i64> = value.extract()?;
        let percent = |at: usize| u8::try_from(*both.get(at)?).ok();
        if both.len() == 2 { percent(0).zip(percent(1)) } else { None }
    };
    let Some((start, stop)) = both else {
        let reason = format!(
            "watermarks are two percentages such as \"90%,80%\" or (90, 80), not {}",
            value.repr()?.to_string_lossy()
        );
        return Err(argument(value.py(), ErrorKind::Value, OPERATION, &reason));
    };
    Ok(Some(Watermarks { start, stop }))
}

/// A number of bytes, also as text: "512MiB".
fn bytes(value: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    if value.is_none() || value.is_instance_of::<PyInt>() {
        return value.extract();
    }
    let text: String = value.extract()?;
    memory::parse_bytes(&text).map(Some).map_err(|error| exception(value.py(), &error.into()))
}

/// A number of bytes, or a part of the device's memory: "80%".
fn limit(value: &Bound<'_, PyAny>) -> PyResult<Option<DeviceLimit>> {
    let percent =
        value.extract::<String>().ok().and_then(|text| text.strip_suffix('%')?.trim().parse::<u8>().ok());
    match percent {
        Some(percent) => Ok(Some(DeviceLimit::Percent(percent))),
        None => Ok(bytes(value)?.map(DeviceLimit::Bytes)),
    }
}

/// Memory use and spilling on the default device: as text, JSON, a trace for Perfetto, and a picture.
#[pyclass(frozen, module = "columnade.memory")]
pub(crate) struct MemoryReport(memory::Report);

/// A report of memory use and spilling on the default device.
#[pyfunction]
#[pyo3(name = "_memory_report")]
pub(crate) fn report(py: Python<'_>) -> PyResult<MemoryReport> {
    work(py, memory::report).map(MemoryReport)
}

#[pymethods]
impl MemoryReport {
    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        self.0.to_string()
    }

    /// The timeline as a picture, for notebooks.
    fn _repr_svg_(&self) -> String {
        self.0.to_svg()
    }

    /// The report as JSON.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// The timeline as a trace that Perfetto opens.
    fn to_trace(&self) -> String {
        self.0.to_trace()
    }

    /// Bytes in use over time as an SVG picture.
    fn to_svg(&self) -> String {
        self.0.to_svg()
    }

    /// Bytes in use on the device.
    #[getter]
    fn device_bytes(&self) -> usize {
        self.0.usage.tiers[memory::Tier::Device].bytes
    }

    /// The most bytes in use on the device at one time.
    #[getter]
    fn device_peak(&self) -> usize {
        self.0.usage.tiers[memory::Tier::Device].peak
    }

    /// Bytes that consumers hold.
    #[getter]
    fn leased_bytes(&self) -> usize {
        self.0.usage.leased
    }
}
