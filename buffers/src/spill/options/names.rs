//! The names of environment variables.

use std::ffi::OsString;

use crate::{Error, Result};

macro_rules! names {
    ($($own:literal)*; $($other:literal)*) => {
        /// The variables of the options of spilling.
        pub(super) const VARIABLES: [&str; 12] = [$($own),*];

        /// Variables that the library, its build or its tests read, and what the error for a name like one of them says. Of
        /// several that are near, the first is named.
        const NAMES: [(&str, &str); 19] =
            [$(($own, concat!("known; the nearest name is ", $own)),)*
                $(($other, concat!("known; the nearest name is ", $other))),*];
    };
}

names! {
    "COLUMNADE_SPILL" "COLUMNADE_SPILL_DEVICE_LIMIT" "COLUMNADE_SPILL_FOLDER" "COLUMNADE_SPILL_STATS"
    "COLUMNADE_SPILL_SOFT" "COLUMNADE_SPILL_ON_DEMAND" "COLUMNADE_SPILL_WATERMARKS" "COLUMNADE_SPILL_DISK_LIMIT"
    "COLUMNADE_SPILL_HOST_LIMIT" "COLUMNADE_SPILL_PINNED_LIMIT" "COLUMNADE_SPILL_DISK_ACCESS"
    "COLUMNADE_COPY_ON_WRITE";
    "COLUMNADE_HOST_RETENTION" "COLUMNADE_DEVICE" "COLUMNADE_RMM" "COLUMNADE_RMM_HOME"
    "COLUMNADE_CUDA_ARCH" "COLUMNADE_DENY_WARNINGS" "COLUMNADE_PYTHON"
}

/// Those of the simulator, and those that tests pass to the processes they start.
const PREFIXES: [&str; 2] = ["COLUMNADE_SIM_", "COLUMNADE_TEST_"];

/// Refuses names that begin as the library's do and are not known: most are misspelt, and would silently do nothing.
pub(super) fn check(names: impl Iterator<Item = OsString>) -> Result<()> {
    for name in names {
        let name = name.to_string_lossy();
        if !name.starts_with("COLUMNADE_")
            || NAMES.iter().any(|(known, _)| *known == name)
            || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        {
            continue;
        }
        let parts = |name: &str| name.matches('_').count();
        let nearest = NAMES.iter().min_by_key(|(known, _)| {
            name.len() - common(name.as_bytes(), known.as_bytes()) + parts(known).abs_diff(parts(&name))
        });
        let expected = nearest.map_or("known", |(_, text)| text);
        return Err(Error::Option {
            variable: "the name of an environment variable",
            value: name.into_owned(),
            expected,
        });
    }
    Ok(())
}

/// The length of the longest common subsequence.
fn common(one: &[u8], other: &[u8]) -> usize {
    let mut lengths = vec![0; other.len() + 1];
    for a in one {
        let mut diagonal = 0;
        for (at, b) in other.iter().enumerate() {
            let before = std::mem::replace(&mut diagonal, lengths[at + 1]);
            lengths[at + 1] = if a == b { before + 1 } else { lengths[at].max(lengths[at + 1]) };
        }
    }
    lengths[other.len()]
}
