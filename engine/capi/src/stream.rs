//! Streams, events and memory of a program that fills and reads buffers itself.

use std::ffi::c_void;
use std::ptr;

use columnade::device_memory::{Buffer, Event, Lease};
use columnade::{Device, Exec};

use crate::entry::{destroy, entry};
use crate::error::Failure;
use crate::place::Place;

/// What C calls an event: a mark in a stream, and the driver's handle at an address that does not change.
pub(crate) struct Mark {
    handle: *mut c_void,
    _event: Event,
}

// SAFETY: the handle is the event's, which threads share, and is only given out.
unsafe impl Send for Mark {}
// SAFETY: as for `Send`.
unsafe impl Sync for Mark {}

/// Memory that its holder may write.
pub(crate) struct Memory {
    // Dropped before the buffer, so that the buffer is freed only after work that may use the address.
    lease: Lease,
    _buffer: Buffer,
}

entry! {
    fn columnade_stream_create(device: Device, stream: Place<*mut Exec>) {
        stream.put_handle(Exec::new(device)?);
    }

    fn columnade_stream_native(stream: &Exec, native: Place<*mut c_void>) {
        native.put(stream.stream().as_raw());
    }

    fn columnade_stream_copy(stream: &Exec, target: *mut c_void, source: *const c_void, bytes: usize) {
        if bytes == 0 {
            return Ok(());
        }
        let ends = [("target", target.cast_const()), ("source", source)];
        if let Some((name, _)) = ends.iter().find(|(_, address)| address.is_null()) {
            return Err(Failure::argument(name, "is null"));
        }
        // SAFETY: the caller's promise: both have so many bytes, and nothing else uses them until the copy is done.
        unsafe { stream.stream().copy_raw(target.cast(), source.cast(), bytes) }?;
    }

    fn columnade_stream_wait(stream: &Exec, sync_event: *const c_void) {
        if !sync_event.is_null() && stream.device() != Device::Host {
            // SAFETY: the caller's promise: what Arrow's interface says of an event of the stream's device.
            unsafe { stream.stream().wait_raw(sync_event.cast::<*mut c_void>().read()) }?;
        }
    }

    fn columnade_stream_synchronize(stream: &Exec) {
        stream.synchronize()?;
    }

    fn columnade_stream_record(stream: &Exec, event: Place<*mut Mark>) {
        let recorded = stream.stream().record()?;
        event.put_handle(Mark { handle: recorded.as_raw(), _event: recorded });
    }

    fn columnade_event_sync_event(event: &Mark, sync_event: Place<*mut c_void>) {
        let address = (&raw const event.handle).cast_mut().cast();
        sync_event.put(if event.handle.is_null() { ptr::null_mut() } else { address });
    }

    fn columnade_memory_allocate(stream: &Exec, bytes: usize, memory: Place<*mut Memory>) {
        let mut buffer = Buffer::uninit(bytes, stream)?;
        let lease = buffer.lease_mut(stream)?;
        memory.put_handle(Memory { lease, _buffer: buffer });
    }

    fn columnade_memory_address(memory: &Memory, address: Place<*mut c_void>) {
        address.put(memory.lease.as_ptr().cast_mut().cast());
    }
}

destroy! {
    columnade_stream_destroy(stream: Exec);
    columnade_event_destroy(event: Mark);
    columnade_memory_destroy(memory: Memory);
}
