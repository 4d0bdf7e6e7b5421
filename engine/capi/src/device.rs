//! Devices, and what a thread has set.

use std::ffi::c_char;

use columnade::dlpack::ConsumerStream;
use columnade::{Device, default_exec, memory, set_default_device};

use crate::entry::entry;
use crate::error::Failure;
use crate::place::Place;

entry! {
    fn columnade_device_count(count: Place<i64>) {
        count.put_count(Device::available().len());
    }

    fn columnade_device_name(position: usize, name: Place<*mut c_char>) {
        let devices = Device::available();
        let beyond = Failure::Position { name: "position", found: position, len: devices.len() };
        name.put_name(devices.get(position).ok_or(beyond)?)?;
    }

    fn columnade_default_device(name: Place<*mut c_char>) {
        name.put_name(&default_exec()?.device())?;
    }

    fn columnade_set_default_device(name: Device) {
        set_default_device(name)?;
    }

    fn columnade_default_stream(stream: Place<i64>) {
        stream.put(ConsumerStream::of(&default_exec()?).number().unwrap_or(0));
    }

    fn columnade_memory_report(text: Place<*mut c_char>) {
        text.put_text(&memory::report()?);
    }
}
