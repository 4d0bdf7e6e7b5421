//! Tests that need a process of their own: one that is killed, and one whose files may not grow.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use super::*;
use crate::Error;
use crate::spill::tier::disk::open_named;
use crate::spill::tier::memory::PAGE_BYTES;
use crate::tests::own_process::{in_own_process, program_of};

/// An empty folder, removed on drop.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("columnade-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn options(&self) -> TierOptions {
        TierOptions { folder: Some(self.0.clone()), ..TierOptions::default() }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

/// On file systems without support for unnamed files.
#[test]
#[cfg_attr(miri, ignore = "Miri has no files")]
fn named_file_is_unlinked() {
    use std::os::unix::fs::FileExt;
    let folder = Folder::new("named");
    let file = open_named(&folder.0, 0).unwrap();
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 0);
    file.write_all_at(b"bytes", 7).unwrap();
    let mut found = [0; 12];
    file.read_exact_at(&mut found, 0).unwrap();
    assert_eq!(&found, b"\0\0\0\0\0\0\0bytes");
    assert!(open_named(&folder.0.join("nowhere"), 0).is_err());
}

/// Bytes on disk of each open file in `folder`.
#[cfg(target_os = "linux")]
fn open_files(folder: &std::path::Path) -> Vec<u64> {
    use std::os::unix::fs::MetadataExt;
    let descriptors = std::fs::read_dir("/proc/self/fd").unwrap().map(|entry| entry.unwrap().path());
    let ours = descriptors.filter(|path| std::fs::read_link(path).is_ok_and(|to| to.starts_with(folder)));
    ours.map(|path| std::fs::metadata(path).unwrap().blocks() * 512).collect()
}

/// One file for all payloads; when none is left, the file takes no space.
#[test]
#[cfg(target_os = "linux")]
#[cfg_attr(miri, ignore = "Miri has no files")]
fn empty_spill_file_takes_no_space() {
    in_own_process("spill::tier::tests::processes::empty_spill_file_takes_no_space", || {
        let folder = Folder::new("empty");
        let setting = Setting::new(Device::Host, &folder.options());
        for size in [5000, 300 * 5000, 5000] {
            // Small extents, and one that becomes a hole.
            let mut stored: Vec<_> =
                (0..300).map(|_| setting.store(Tier::Disk, &pattern(5000)).unwrap()).collect();
            stored.push(setting.store(Tier::Disk, &pattern(size)).unwrap());
            let full = open_files(&folder.0);
            assert!(full.len() == 1 && full[0] >= 300 * 5000, "{full:?}");
            drop(stored);
            setting.tiers.await_holes();
            let empty = open_files(&folder.0);
            assert!(empty.len() == 1 && empty[0] <= 1 << 20, "{empty:?}");
        }
        let folder_again = Folder::new("empty-again");
        setting.tiers.set_options(&folder_again.options()).unwrap();
        assert_eq!(open_files(&folder.0), [0_u64; 0], "closed with its folder");
        drop(setting);
        assert_eq!(open_files(&folder_again.0), [0_u64; 0]);
    });
}

const FOLDER: &str = "COLUMNADE_TEST_TIER_FOLDER";

#[test]
#[cfg_attr(miri, ignore = "Miri has no processes")]
fn killed_process_leaves_no_file() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        let options = TierOptions { folder: Some(folder.into()), ..TierOptions::default() };
        let setting = Setting::new(Device::Host, &options);
        let _stored = setting.store(Tier::Disk, &pattern(3 * BLOCK)).unwrap();
        println!("stored");
        loop {
            std::thread::park();
        }
    }
    let folder = Folder::new("killed");
    let mut command = program_of("spill::tier::tests::processes::killed_process_leaves_no_file");
    let mut process = command.env(FOLDER, &folder.0).stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(process.stdout.take().unwrap()).lines();
    assert!(lines.map(Result::unwrap).any(|line| line.ends_with("stored")));
    process.kill().unwrap();
    process.wait().unwrap();
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 0);
}

/// Files may not grow beyond a bound, which for a spill file is the same as a full disk.
#[test]
#[cfg_attr(miri, ignore = "Miri has no processes")]
fn file_at_size_limit_is_storage_error() {
    in_own_process("spill::tier::tests::processes::file_at_size_limit_is_storage_error", || {
        let bound = libc::rlimit { rlim_cur: 16 * BLOCK as u64, rlim_max: 16 * BLOCK as u64 };
        // SAFETY: the bound is read from a value that is alive. The signal that would end the process is
        // ignored.
        unsafe {
            assert_eq!(libc::setrlimit(libc::RLIMIT_FSIZE, &raw const bound), 0);
        }
        let folder = Folder::new("bounded");
        fill_up(&folder.options());
        let setting = Setting::new(Device::Host, &folder.options());
        let stored = setting.store(Tier::Disk, &pattern(BLOCK)).unwrap();
        for bytes in [0, PAGE_BYTES as u64 - 1, 2 * BLOCK as u64] {
            let bound = libc::rlimit { rlim_cur: bytes, ..bound };
            // SAFETY: as above.
            unsafe { assert_eq!(libc::setrlimit(libc::RLIMIT_FSIZE, &raw const bound), 0) };
            // An existing file and one to be created.
            for setting in [&setting, &Setting::new(Device::Host, &folder.options())] {
                let error = setting.store(Tier::Disk, &pattern(3 * BLOCK)).unwrap_err();
                assert!(matches!(&error, Error::Storage { tier: Tier::Disk, .. }), "{error}");
                let small = setting.store(Tier::Disk, &pattern(1));
                assert_eq!(small.is_ok(), bytes > PAGE_BYTES as u64, "{small:?}");
            }
        }
        assert_eq!(setting.read(&stored, 0..BLOCK).unwrap(), pattern(BLOCK));
    });
}

/// A file system of a few blocks, if this process may mount one.
#[test]
#[cfg_attr(miri, ignore = "Miri has no processes")]
fn full_disk_is_storage_error() {
    let folder = Folder::new("full");
    let size = format!("size={}", 16 * BLOCK);
    let mount = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(&folder.0).output();
    let reason = match mount {
        Ok(output) if output.status.success() => None,
        Ok(output) => Some(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(error) => Some(error.to_string()),
    };
    if let Some(reason) = reason {
        eprintln!("left out: no file system can be mounted here: {reason}");
        return;
    }
    let filled = std::panic::catch_unwind(|| fill_up(&folder.options()));
    assert!(Command::new("umount").arg("-l").arg(&folder.0).status().unwrap().success());
    filled.unwrap();
}

/// Stores until the tier is full: earlier payloads are unchanged, and freed space can be used again.
fn fill_up(options: &TierOptions) {
    for device in Device::available() {
        for size in [3 * BLOCK + 1, 5000] {
            let setting = Setting::new(device, options);
            let bytes = pattern(size);
            let mut stored = Vec::new();
            let error = loop {
                match setting.store(Tier::Disk, &bytes) {
                    Ok(payload) => stored.push(payload),
                    Err(error) => break error,
                }
            };
            assert!(matches!(&error, Error::Storage { tier: Tier::Disk, .. }), "{error}");
            assert!(stored.len() >= 4, "{} stored, then {error}", stored.len());
            let used = setting.used();
            assert!(setting.store(Tier::Disk, &pattern(6 * BLOCK)).is_err());
            assert_eq!(setting.used(), used);
            for payload in &stored {
                assert_eq!(setting.read(payload, 0..size).unwrap(), bytes);
            }
            stored.truncate(stored.len() / 2);
            let again = setting.store(Tier::Disk, &bytes).unwrap();
            assert_eq!(setting.loaded(&again, 0..size).unwrap(), bytes);
            drop((again, stored));
            assert_eq!(setting.used(), [0; 3]);
            // The next tiers have a file of their own, which does not fit before this one is closed.
            setting.tiers.await_holes();
        }
    }
}
