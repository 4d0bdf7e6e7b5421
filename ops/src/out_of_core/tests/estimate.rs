//! How much is planned to be processed at a time.

use crate::out_of_core::Driver;
use crate::test_frames::limited;
use columnade_buffers::{Device, Exec, Limiting};
use std::sync::Arc;

const KIB: usize = 1 << 10;

#[test]
fn budget_is_at_least_a_min_chunk() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (limit, work, expected) in [
            (8 * KIB, 0, None),
            (20 * KIB, 0, Some(64 * KIB)),
            (20 * KIB, 4096 * KIB, Some(64 * KIB)),
            (20 * KIB, 32 * 1024 * KIB, Some(512 * KIB)),
            (20 * KIB, usize::MAX, Some(1024 * KIB)),
            (700 * KIB, 32 * 1024 * KIB, Some(700 * KIB)),
            (1024 * KIB, usize::MAX, Some(1024 * KIB)),
        ] {
            let (_, exec) = limited(&exec, limit);
            let budget = Driver::new(&exec).for_work(work).budget();
            assert_eq!(budget, expected, "{work} bytes under a limit of {limit}");
        }
        let (_, soft) = limited(&exec, 20 * KIB);
        // A part of the work has the smallest chunk of the whole.
        let part = Driver::new(&soft).for_work(32 * 1024 * KIB).for_work(KIB);
        assert_eq!(part.min_chunk(), 512 * KIB);
    }
}

#[test]
fn budget_that_cannot_be_passed_has_no_min_chunk() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let with_memory = |bytes| exec.with_resource(Arc::new(Limiting::new(exec.resource().clone(), bytes)));
        let planned = |exec: &Exec, work| {
            let driver = Driver::new(exec).for_work(work);
            (driver.budget(), driver.min_chunk())
        };
        let (_, soft) = limited(&exec, 20 * KIB);
        assert_eq!(planned(&soft.strict(), usize::MAX), (Some(20 * KIB), 0));
        assert_eq!(planned(&with_memory(40 * KIB), 0), (Some(40 * KIB), 0));
        let (_, both) = limited(&with_memory(100 * KIB), 20 * KIB);
        assert_eq!(planned(&both, 0).0, Some(50 * KIB), "half of what there is");
    }
}
