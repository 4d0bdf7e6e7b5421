//! A resource that panics whenever it takes memory back. Exported structs are released and columns dropped all the same,
//! without a panic and with all their memory given back, and the next call on the device says what happened.
//!
//! In a process of its own: an error during a drop is returned by the next call on the device.

#![expect(clippy::unwrap_used, reason = "a test")]

use columnade_buffers::{
    Admission, Buffer, Device, Error, Exec, Managed, MemoryResource, Pod, SpillManager, SpillOptions, Stream,
    Tier, current_resource,
};
use columnade_columns::arrow::c::{ExportOptions, export_device_stream};
use columnade_columns::cuda_array::CudaArrayExport;
use columnade_columns::dlpack::{DLPackVersion, TensorRequest};
use columnade_columns::{Column, ColumnAccessor, DType, NumericColumn, StringColumn};
use columnade_kernels::OffsetWidth;
use std::env;
use std::panic::resume_unwind;
use std::process::Command;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const LAZY: &str = "COLUMNADE_SIM_LAZY_STREAMS";

/// Passes everything on, and then panics over what it took back.
#[derive(Debug)]
struct Panicking {
    upstream: Arc<dyn MemoryResource>,
    panics: Arc<AtomicUsize>,
}

// SAFETY: memory is the upstream's, passed on as it is.
unsafe impl MemoryResource for Panicking {
    fn device(&self) -> Device {
        self.upstream.device()
    }

    fn allocate(
        &self,
        bytes: usize,
        stream: &Stream,
        admission: Admission,
    ) -> columnade_buffers::Result<NonNull<u8>> {
        self.upstream.allocate(bytes, stream, admission)
    }

    unsafe fn deallocate(
        &self,
        address: NonNull<u8>,
        bytes: usize,
        stream: &Stream,
    ) -> columnade_buffers::Result<()> {
        // SAFETY: the caller's promise; the memory is the upstream's.
        unsafe { self.upstream.deallocate(address, bytes, stream) }?;
        self.panics.fetch_add(1, Ordering::SeqCst);
        // Without the hook's message, of which there would be many.
        resume_unwind(Box::new("not today"))
    }
}

struct Here {
    exec: Exec,
    manager: Arc<SpillManager>,
    panics: Arc<AtomicUsize>,
    /// The same device, with memory of another resource.
    other: Exec,
}

impl Here {
    fn on(device: Device) -> Self {
        let panics = Arc::<AtomicUsize>::default();
        let upstream = current_resource(device).unwrap();
        let panicking = Panicking { upstream, panics: Arc::clone(&panics) };
        let managed = Managed::new(Arc::new(panicking), SpillOptions::default()).unwrap();
        let manager = Arc::clone(managed.manager());
        let other = Exec::new(device).unwrap();
        Self { exec: other.with_resource(Arc::new(managed)), manager, panics, other }
    }

    fn buffer<T: Pod>(&self, values: &[T]) -> Buffer {
        Buffer::from_slice(values, &self.exec).unwrap()
    }

    /// Two columns, with five allocations.
    fn frame(&self) -> ColumnAccessor {
        let mask = || Some(self.buffer(&[0xfb_u8; 64]));
        let numbers = self.buffer(&[7_i64; 500]);
        let numbers = NumericColumn::new(DType::Int64, numbers, mask(), 0, 500).unwrap();
        let (ends, chars) = (self.buffer(&[0_i32; 501]), self.buffer(b"text"));
        let texts = StringColumn::new(ends, OffsetWidth::I32, chars, mask(), 0, 500).unwrap();
        ColumnAccessor::from_columns([("n", Column::Numeric(numbers)), ("t", Column::String(texts))]).unwrap()
    }

    /// One allocation.
    fn numbers(&self) -> Column {
        let numbers = self.buffer(&[7_i64; 500]);
        Column::Numeric(NumericColumn::new(DType::Int64, numbers, None, 0, 500).unwrap())
    }

    /// `give_back` gives `allocations` back, which are all that there are, and the next call tells of `call`.
    #[track_caller]
    fn check(
        &self,
        what: &str,
        allocations: usize,
        call: &'static str,
        text: &str,
        give_back: impl FnOnce(),
    ) {
        let context = format!("{what} on {}", self.exec.device());
        assert!(self.bytes() > 0, "{context}");
        give_back();
        // Exported memory is freed by the first allocation after its work is done.
        let look = || Buffer::zeroed(64, &self.other)?.to_vec::<u8>(&self.other).map(drop);
        let told = [self.exec.synchronize(), look(), look(), look()];
        assert_eq!(self.panics.swap(0, Ordering::SeqCst), allocations, "{context}");
        assert_eq!(self.bytes(), 0, "{context}");
        // Once, of what went back at one time.
        let told: Vec<Error> = told.into_iter().filter_map(Result::err).collect();
        let expected = Error::Device { device: self.exec.device(), call, code: 0, text: text.to_owned() };
        let is_told = !told.is_empty() && told.len() <= allocations;
        assert!(is_told && told.iter().all(|error| *error == expected), "{context}: {told:?}");
    }

    /// Bytes of the device that the resource has given out.
    fn bytes(&self) -> usize {
        self.manager.usage().tiers[Tier::Device].bytes
    }
}

/// What keeps memory, and panics when it goes.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        resume_unwind(Box::new("kept for long enough"));
    }
}

#[test]
fn panicking_releases_are_contained_and_lose_no_memory() {
    for device in Device::available() {
        let here = Here::on(device);
        let exec = &here.exec;
        let check = |what: &str, allocations, give_back: &mut dyn FnMut()| {
            let call = "MemoryResource::deallocate";
            here.check(what, allocations, call, "it panicked: not today", give_back);
        };
        let options = ExportOptions::default();

        let mut array = here.frame().to_arrow_c_device(&options, exec).unwrap().1;
        check("an array of a device", 5, &mut || drop(array.take()));
        let mut array = here.numbers().to_arrow_c_device("n", &options, exec).unwrap().1;
        check("a column's array", 1, &mut || drop(array.take()));
        let frames = [Ok(here.frame()), Ok(here.frame())];
        let mut stream = export_device_stream(frames, &options, exec).unwrap();
        check("a stream", 10, &mut || drop(stream.take()));
        for version in [None, Some(DLPackVersion::CURRENT)] {
            let request = TensorRequest { max_version: version, ..TensorRequest::default() };
            let mut tensor = here.numbers().to_dlpack(&request, exec).unwrap();
            check("a tensor", 1, &mut || drop(tensor.take()));
        }
        if device != Device::Host {
            let options = CudaArrayExport::default();
            let mut described = Some(here.numbers().to_cuda_array(&options, exec).unwrap());
            check("a description", 1, &mut || drop(described.take()));
        }
        let mut frame = Some(here.frame());
        check("columns", 5, &mut || drop(frame.take()));

        let (bytes, kept) = ([7_u8; 64], here.numbers());
        // SAFETY: the bytes are never read.
        let foreign = unsafe { Buffer::from_foreign(NonNull::from(&bytes).cast(), 64, Bomb, exec) };
        let call = "the drop of what keeps foreign memory";
        here.check("foreign memory", 1, call, "it panicked: kept for long enough", || drop((foreign, kept)));
    }
    // And if exported memory waits for work that is done late.
    if Device::Sim.require().is_ok() && env::var_os(LAZY).is_none() {
        let run = Command::new(env::current_exe().unwrap()).env(LAZY, "1").output().unwrap();
        let text = String::from_utf8_lossy(&run.stdout);
        assert!(run.status.success() && text.contains("1 passed"), "{}: {text}", run.status);
    }
}
