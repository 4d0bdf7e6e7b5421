//! A producer whose arrays can be anything, and which counts what is released.

use crate::arrow::c::device::name_of;
use crate::arrow::c::{ArrowArray, ArrowDeviceArray, ArrowSchema, OwnedArray, OwnedDeviceArray, OwnedSchema};
use columnade_buffers::{Buffer, Exec, Lease};
use std::ffi::{CString, c_char, c_void};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How often arrays and schemas of a producer were released.
#[derive(Clone, Debug, Default)]
pub(super) struct Releases(Arc<AtomicUsize>);

impl Releases {
    pub(super) fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }

    /// Waits for a number that another thread brings about.
    pub(super) fn wait_for(&self, count: usize) {
        for _ in 0..10_000 {
            if self.count() == count {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        panic!("released {} times, not {count}", self.count());
    }
}

/// An array to be, in memory of its own, misaligned on purpose when asked.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) format: &'static str,
    pub(super) name: &'static str,
    pub(super) flags: i64,
    /// As the interface writes it; `None`: null.
    pub(super) metadata: Option<&'static [u8]>,
    pub(super) length: i64,
    pub(super) null_count: i64,
    pub(super) offset: i64,
    /// `None`: null.
    pub(super) buffers: Vec<Option<Vec<u8>>>,
    pub(super) children: Vec<Parts>,
    pub(super) dictionary: Option<Box<Parts>>,
    /// Bytes by which every buffer misses its alignment.
    pub(super) misaligned: usize,
}

/// Numbers as a buffer that is there.
#[expect(clippy::unnecessary_wraps, reason = "a buffer may be null")]
pub(super) fn bytes<T: columnade_buffers::Pod>(values: &[T]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for value in values {
        // SAFETY: plain numbers are their bytes.
        bytes.extend_from_slice(unsafe {
            std::slice::from_raw_parts(ptr::from_ref(value).cast::<u8>(), size_of::<T>())
        });
    }
    Some(bytes)
}

struct Private {
    _memory: Vec<Lease>,
    buffers: Vec<*const c_void>,
    children: Vec<*mut ArrowArray>,
    dictionary: *mut ArrowArray,
    /// Counted for the root only.
    releases: Option<Releases>,
}

struct SchemaPrivate {
    format: CString,
    name: CString,
    children: Vec<*mut ArrowSchema>,
    dictionary: *mut ArrowSchema,
}

impl Parts {
    pub(super) fn new(format: &'static str, length: i64, buffers: Vec<Option<Vec<u8>>>) -> Self {
        Self { format, length, buffers, ..Self::default() }
    }

    pub(super) fn schema(&self) -> OwnedSchema {
        // SAFETY: filled as the interface says.
        unsafe { OwnedSchema::from_raw(self.raw_schema()) }
    }

    fn raw_schema(&self) -> ArrowSchema {
        let boxed = |parts: &Parts| Box::into_raw(Box::new(parts.raw_schema()));
        let private = Box::leak(Box::new(SchemaPrivate {
            format: CString::new(self.format).unwrap(),
            name: CString::new(self.name).unwrap(),
            children: self.children.iter().map(boxed).collect(),
            dictionary: self.dictionary.as_deref().map_or(ptr::null_mut(), boxed),
        }));
        ArrowSchema {
            format: private.format.as_ptr(),
            name: private.name.as_ptr(),
            metadata: self.metadata.map_or(ptr::null(), |bytes| bytes.as_ptr().cast::<c_char>()),
            flags: self.flags,
            n_children: i64::try_from(private.children.len()).unwrap(),
            children: private.children.as_mut_ptr(),
            dictionary: private.dictionary,
            release: Some(release_schema),
            private_data: ptr::from_mut(private).cast(),
        }
    }

    /// The array; `releases` counts when it goes.
    pub(super) fn array(&self, releases: &Releases) -> OwnedArray {
        // SAFETY: filled as the interface says, but for what the parts say otherwise, which tests want found out.
        unsafe { OwnedArray::from_raw(self.raw_array(Some(releases), &Exec::host())) }
    }

    /// The array, in memory of the host, as one of a device.
    pub(super) fn device_array(
        &self,
        device_type: i32,
        device_id: i64,
        releases: &Releases,
    ) -> OwnedDeviceArray {
        let array = self.raw_array(Some(releases), &Exec::host());
        let array = ArrowDeviceArray {
            array,
            device_id,
            device_type,
            sync_event: ptr::null_mut(),
            reserved: [1, 2, 3],
        };
        // SAFETY: as above; the reserved words are not zero, as those of known producers.
        unsafe { OwnedDeviceArray::from_raw(array) }
    }

    /// The array in memory of `exec`'s device.
    pub(super) fn array_on(&self, exec: &Exec, releases: &Releases) -> OwnedDeviceArray {
        let (device_type, device_id) = name_of(exec.device());
        let array = self.raw_array(Some(releases), exec);
        exec.synchronize().unwrap();
        let array =
            ArrowDeviceArray { array, device_id, device_type, sync_event: ptr::null_mut(), reserved: [0; 3] };
        // SAFETY: as above.
        unsafe { OwnedDeviceArray::from_raw(array) }
    }

    fn raw_array(&self, releases: Option<&Releases>, exec: &Exec) -> ArrowArray {
        let boxed = |parts: &Parts| Box::into_raw(Box::new(parts.raw_array(None, exec)));
        let mut memory = Vec::new();
        let buffers = self.buffers.iter().map(|bytes| {
            let Some(bytes) = bytes else { return ptr::null() };
            let shifted = [&vec![0; self.misaligned], bytes.as_slice(), &[0; 16]].concat();
            let lease = Buffer::from_slice(&shifted, exec).unwrap().lease().unwrap();
            let start = lease.as_ptr().wrapping_add(self.misaligned);
            memory.push(lease);
            start.cast()
        });
        let buffers = buffers.collect();
        let private = Box::leak(Box::new(Private {
            _memory: memory,
            buffers,
            children: self.children.iter().map(boxed).collect(),
            dictionary: self.dictionary.as_deref().map_or(ptr::null_mut(), boxed),
            releases: releases.cloned(),
        }));
        ArrowArray {
            length: self.length,
            null_count: self.null_count,
            offset: self.offset,
            n_buffers: i64::try_from(private.buffers.len()).unwrap(),
            n_children: i64::try_from(private.children.len()).unwrap(),
            buffers: private.buffers.as_mut_ptr(),
            children: private.children.as_mut_ptr(),
            dictionary: private.dictionary,
            release: Some(release_array),
            private_data: ptr::from_mut(private).cast(),
        }
    }
}

/// # Safety
/// An array of this producer that is not released.
unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: the caller's promise; the box is taken back once.
    let private = unsafe {
        (*array).release = None;
        Box::from_raw((*array).private_data.cast::<Private>())
    };
    for &child in private.children.iter().chain([&private.dictionary]) {
        if !child.is_null() {
            // SAFETY: a box of `raw_array`.
            drop(unsafe { OwnedArray::from_raw(*Box::from_raw(child)) });
        }
    }
    if let Some(releases) = private.releases {
        releases.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// # Safety
/// A schema of this producer that is not released.
unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: the caller's promise; the box is taken back once.
    let private = unsafe {
        (*schema).release = None;
        Box::from_raw((*schema).private_data.cast::<SchemaPrivate>())
    };
    for &child in private.children.iter().chain([&private.dictionary]) {
        if !child.is_null() {
            // SAFETY: a box of `raw_schema`.
            drop(unsafe { OwnedSchema::from_raw(*Box::from_raw(child)) });
        }
    }
}
