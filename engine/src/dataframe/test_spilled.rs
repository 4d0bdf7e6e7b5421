//! Comparing and printing frames that are larger than the limit of memory.

use columnade_buffers::{Device, Tier};
use columnade_columns::DType;
use columnade_ops::expression::{col, lit, when};

use super::DataFrame;
use crate::testing::managed;

const ROWS: i32 = 300_000;
/// A fifth of the rows' bytes.
const LIMIT: usize = 4_000_000;

fn frame() -> DataFrame {
    let numbers: Vec<Option<i64>> =
        (0..ROWS).map(|n| (n % 7 > 0).then_some(i64::from(n) * 1_000_003)).collect();
    let floats: Vec<f64> = (0..ROWS).map(|n| 0.5 * f64::from(n)).collect();
    let words: Vec<Option<String>> = (0..ROWS).map(|n| (n % 5 > 0).then(|| format!("é{n:040}"))).collect();
    let frame = DataFrame::new([("n", numbers)]).expect("a frame");
    frame.with_column("x", floats).and_then(|frame| frame.with_column("s", words)).expect("columns")
}

#[test]
fn equals_and_display_of_spilled_rows_keep_the_limit() {
    for device in Device::available() {
        let (exec, manager) = managed(device, &[("COLUMNADE_SPILL_DEVICE_LIMIT", "4 MB")]);
        let whole = frame();
        let [left, right] = [0; 2].map(|_| whole.to_exec(&exec).expect("memory is spilled"));
        let within_limit = |what: &str, body: &dyn Fn()| {
            manager.spill_to_device_limit(0);
            manager.reset_peak();
            body();
            let peak = manager.usage().tiers[Tier::Device].peak;
            assert!(peak <= LIMIT, "{what}: {peak} bytes at a time on {device}");
        };
        within_limit("equal", &|| assert!(left.equals(&right).expect("compared")));
        within_limit("printed", &|| assert_eq!(left.to_string(), whole.to_string()));
        // A difference in the last row alone, of a value and of a null, which gets one.
        for (column, other) in [("x", lit(-1.0)), ("n", lit(1_i64))] {
            let last = col("x").eq(lit(0.5 * f64::from(ROWS - 1)));
            let changed = when(last).then(other).otherwise(col(column));
            let changed = left.with_column(column, changed).expect("computed");
            assert_eq!(
                changed.column(column).expect("there").dtype(),
                left.column(column).expect("there").dtype()
            );
            within_limit("different", &|| assert!(!left.equals(&changed).expect("compared")));
        }
        let narrow = left.column("x").and_then(|x| x.cast(DType::Float32)).expect("cast");
        assert!(!narrow.equals(&left.column("x").expect("there")).expect("compared"), "dtypes");
    }
}
