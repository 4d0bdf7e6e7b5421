use std::ffi::OsString;
use std::path::PathBuf;

use super::{DeviceLimit, SpillOptions, Watermarks, names};
use crate::spill::tests::managed;
use crate::{DiskAccess, Error, EvictionPolicy, Exec, Result, StatisticsLevel};

fn from(variables: &[(&'static str, &str)]) -> Result<SpillOptions> {
    SpillOptions::from_lookup(|name| {
        variables.iter().find(|(variable, _)| *variable == name).map(|(_, value)| OsString::from(value))
    })
}

#[test]
fn empty_environment_gives_defaults() {
    let options = from(&[]).unwrap();
    assert_eq!(options, SpillOptions::default());
    assert!(!options.spill);
    assert!(options.on_demand);
    assert_eq!(options.device_limit, None);
    assert_eq!(options.statistics, StatisticsLevel::Off);
    assert!(options.copy_on_write);
    assert_eq!(options.watermarks, None);
    assert_eq!((options.pinned_limit, options.pageable_limit, options.disk_limit), (None, None, None));
    assert_eq!(options.folder, None);
    assert_eq!(options.disk_access, DiskAccess::Direct);
}

#[test]
fn every_variable_sets_its_field() {
    let all = from(&[
        ("COLUMNADE_SPILL", "on"),
        ("COLUMNADE_SPILL_ON_DEMAND", "off"),
        ("COLUMNADE_SPILL_DEVICE_LIMIT", "80%"),
        ("COLUMNADE_SPILL_SOFT", "on"),
        ("COLUMNADE_SPILL_STATS", "2"),
        ("COLUMNADE_COPY_ON_WRITE", "off"),
        ("COLUMNADE_SPILL_WATERMARKS", "90%,80%"),
        ("COLUMNADE_SPILL_PINNED_LIMIT", "1GiB"),
        ("COLUMNADE_SPILL_HOST_LIMIT", "2GiB"),
        ("COLUMNADE_SPILL_DISK_LIMIT", "3GiB"),
        ("COLUMNADE_SPILL_FOLDER", "/scratch/my files"),
        ("COLUMNADE_SPILL_DISK_ACCESS", "Cached"),
    ]);
    let expected = SpillOptions {
        spill: true,
        on_demand: false,
        device_limit: Some(DeviceLimit::Percent(80)),
        soft: true,
        statistics: StatisticsLevel::Exposures,
        copy_on_write: false,
        watermarks: Some(Watermarks { start: 90, stop: 80 }),
        pinned_limit: Some(1 << 30),
        pageable_limit: Some(2 << 30),
        disk_limit: Some(3 << 30),
        folder: Some(PathBuf::from("/scratch/my files")),
        disk_access: DiskAccess::Cached,
        eviction: EvictionPolicy::default(),
    };
    assert_eq!(all.unwrap(), expected);
}

#[test]
fn switches_have_eight_spellings_in_any_case() {
    for (value, expected) in [
        ("on", true),
        ("ON", true),
        ("True", true),
        ("yes", true),
        ("1", true),
        (" on ", true),
        ("off", false),
        ("Off", false),
        ("FALSE", false),
        ("no", false),
        ("0", false),
    ] {
        assert_eq!(from(&[("COLUMNADE_SPILL", value)]).unwrap().spill, expected, "{value:?}");
        assert_eq!(from(&[("COLUMNADE_COPY_ON_WRITE", value)]).unwrap().copy_on_write, expected, "{value:?}");
    }
}

#[test]
fn sizes_have_units_and_fractions() {
    for (value, expected) in [
        ("0", Some(0)),
        ("4096", Some(4096)),
        ("4096B", Some(4096)),
        ("1KiB", Some(1024)),
        ("1kB", Some(1000)),
        ("1KB", Some(1000)),
        ("512 MiB", Some(512 << 20)),
        ("1MB", Some(1_000_000)),
        ("1.5GiB", Some(3 << 29)),
        ("1.5 GB", Some(1_500_000_000)),
        ("0.3kib", Some(307)),
        ("2TiB", Some(2 << 40)),
        ("2TB", Some(2_000_000_000_000)),
        ("18446744073709551615", Some(usize::MAX)),
        ("none", None),
        ("None", None),
    ] {
        assert_eq!(from(&[("COLUMNADE_SPILL_DISK_LIMIT", value)]).unwrap().disk_limit, expected, "{value:?}");
        assert_eq!(
            from(&[("COLUMNADE_SPILL_DEVICE_LIMIT", value)]).unwrap().device_limit,
            expected.map(DeviceLimit::Bytes),
            "{value:?}"
        );
    }
}

#[test]
fn invalid_value_is_an_error_with_variable_name() {
    let bad_size = [
        "",
        "x",
        "-1",
        "+1",
        "1.5",
        "1.0",
        "0.5B",
        "1.5.2GiB",
        "1K",
        "12 parsecs",
        ".",
        "1.",
        "1e9",
        "18446744073709551616",
        "99999999TiB",
    ];
    let mut bad: Vec<(&str, &str)> = Vec::new();
    for variable in ["COLUMNADE_SPILL", "COLUMNADE_SPILL_ON_DEMAND", "COLUMNADE_COPY_ON_WRITE"] {
        bad.extend(["", "2", "onn", "enable", "-1"].map(|value| (variable, value)));
    }
    for variable in [
        "COLUMNADE_SPILL_DEVICE_LIMIT",
        "COLUMNADE_SPILL_PINNED_LIMIT",
        "COLUMNADE_SPILL_HOST_LIMIT",
        "COLUMNADE_SPILL_DISK_LIMIT",
    ] {
        bad.extend(bad_size.map(|value| (variable, value)));
    }
    bad.extend(["101%", "%", "-5%", "87.5%", "1000%"].map(|value| ("COLUMNADE_SPILL_DEVICE_LIMIT", value)));
    bad.push(("COLUMNADE_SPILL_HOST_LIMIT", "80%"));
    bad.extend(["", "3", "-1", "+1", "on", "1.0"].map(|value| ("COLUMNADE_SPILL_STATS", value)));
    bad.extend(
        ["", "90%", "80%,90%", "90,80", "90%,80%,70%", "101%,80%", "90%,"]
            .map(|value| ("COLUMNADE_SPILL_WATERMARKS", value)),
    );
    bad.push(("COLUMNADE_SPILL_FOLDER", ""));
    bad.extend(["", "on", "gpu"].map(|value| ("COLUMNADE_SPILL_DISK_ACCESS", value)));
    for (name, given) in bad {
        let name = SpillOptions::VARIABLES.into_iter().find(|variable| *variable == name).unwrap();
        match from(&[(name, given)]) {
            Err(Error::Option { variable, value, expected }) => {
                assert_eq!((variable, value.as_str()), (name, given));
                assert!(!expected.is_empty());
            }
            other => panic!("{name}={given:?} gave {other:?}"),
        }
    }
}

/// Options that the environment variables do not allow are refused in code too.
#[test]
fn invalid_options_in_code_are_an_error_with_variable_name() {
    let (_, manager) = managed(&Exec::host());
    let before = manager.options();
    let percent =
        |percent| SpillOptions { device_limit: Some(DeviceLimit::Percent(percent)), ..before.clone() };
    let marks = |start, stop| {
        let device_limit = Some(DeviceLimit::Bytes(1 << 20));
        SpillOptions { device_limit, watermarks: Some(Watermarks { start, stop }), ..before.clone() }
    };
    for (options, name, given) in [
        (percent(200), "COLUMNADE_SPILL_DEVICE_LIMIT", "200%"),
        (marks(50, 90), "COLUMNADE_SPILL_WATERMARKS", "50%,90%"),
        (marks(101, 90), "COLUMNADE_SPILL_WATERMARKS", "101%,90%"),
    ] {
        let error = manager.set_options(options).unwrap_err();
        assert_eq!(error, from(&[(name, given)]).unwrap_err());
        assert_eq!(manager.options(), before);
    }
    manager.set_options(marks(100, 100)).unwrap();
    let options = SpillOptions { disk_access: DiskAccess::GpuDirect, ..before };
    let error = manager.set_options(options).unwrap_err().to_string();
    assert!(error.starts_with("COLUMNADE_SPILL_DISK_ACCESS=gpu-direct"), "{error}");
}

#[cfg(unix)]
#[test]
fn non_unicode_value_is_refused_except_for_paths() {
    use std::os::unix::ffi::OsStringExt;
    let odd = OsString::from_vec(vec![b'o', b'n', 0xff]);
    for variable in SpillOptions::VARIABLES {
        let options = SpillOptions::from_lookup(|name| (name == variable).then(|| odd.clone()));
        if variable == "COLUMNADE_SPILL_FOLDER" {
            assert_eq!(options.unwrap().folder, Some(PathBuf::from(odd.clone())));
        } else {
            assert!(matches!(options, Err(Error::Option { .. })), "{variable}");
        }
    }
}

#[test]
fn limits_become_bytes_without_overflow() {
    assert_eq!(DeviceLimit::Bytes(7).bytes(100), 7);
    assert_eq!(DeviceLimit::Percent(80).bytes(1000), 800);
    assert_eq!(DeviceLimit::Percent(80).bytes(99), 79);
    assert_eq!(DeviceLimit::Percent(100).bytes(usize::MAX), usize::MAX);
    assert_eq!(DeviceLimit::Percent(0).bytes(usize::MAX), 0);
    assert_eq!(Watermarks { start: 90, stop: 50 }.bytes(200), (180, 100));
}

#[test]
fn limit_alone_enables_spilling() {
    let spill = |variables: &[(&'static str, &str)]| from(variables).unwrap().spill;
    assert!(spill(&[("COLUMNADE_SPILL_DEVICE_LIMIT", "1GiB")]));
    assert!(!spill(&[("COLUMNADE_SPILL_DEVICE_LIMIT", "none")]));
    assert!(!spill(&[("COLUMNADE_SPILL_DEVICE_LIMIT", "1GiB"), ("COLUMNADE_SPILL", "off")]));
    assert!(!spill(&[("COLUMNADE_SPILL_DISK_LIMIT", "1GiB")]));
}

#[test]
fn unknown_name_is_error_with_nearest_name() {
    let check = |name: &str| names::check([OsString::from(name)].into_iter());
    for known in SpillOptions::VARIABLES.into_iter().chain(["COLUMNADE_DEVICE", "COLUMNADE_HOST_RETENTION"]) {
        assert_eq!(check(known), Ok(()), "{known}");
    }
    for other in ["PATH", "COLUMNADEX", "columnade_spill", "COLUMNADE_SIM_SEED", "COLUMNADE_TEST_DEVICES"] {
        assert_eq!(check(other), Ok(()), "{other}");
    }
    for (name, nearest) in [
        ("COLUMNADE_SPIL", "COLUMNADE_SPILL"),
        ("COLUMNADE_SPILLS", "COLUMNADE_SPILL"),
        ("COLUMNADE_SPILL_LIMIT", "COLUMNADE_SPILL_DEVICE_LIMIT"),
        ("COLUMNADE_SPILL_DIR", "COLUMNADE_SPILL_FOLDER"),
        ("COLUMNADE_SPILL_FODLER", "COLUMNADE_SPILL_FOLDER"),
        ("COLUMNADE_DEVCE", "COLUMNADE_DEVICE"),
        ("COLUMNADE_", "COLUMNADE_SPILL"),
    ] {
        let error = check(name).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "the name of an environment variable is {name:?}, which is not known; the nearest name is {nearest}"
            )
        );
    }
}
