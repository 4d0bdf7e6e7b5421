//! Scans of typed columns.

use super::{ScanOp, ScanRange, scan};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, DType, ErrorKind};

fn texts(column: &Column) -> Vec<String> {
    column.to_scalars().unwrap().iter().map(ToString::to_string).collect()
}

#[test]
fn dtypes_and_values_of_running_results() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let cents = DType::decimal(15, 2).unwrap();
        let ints = Column::from_options([Some(100_i8), Some(100), None, Some(-1)], &exec).unwrap();
        let longs = Column::from_options([Some(150_i64), None, Some(-25)], &exec).unwrap();
        let prices = longs.reinterpret(&cents).unwrap();
        let days = Column::from_slice(&[5_i32, 3, 4], &exec).unwrap().reinterpret(&DType::Date32).unwrap();
        for (op, range, column, dtype, expected) in [
            (ScanOp::Sum, ScanRange::Inclusive, &ints, "int64", vec!["100", "200", "<NA>", "199"]),
            (ScanOp::Sum, ScanRange::Exclusive, &ints, "int64", vec!["0", "100", "<NA>", "200"]),
            (ScanOp::Count, ScanRange::Inclusive, &ints, "int64", vec!["1", "2", "<NA>", "3"]),
            (ScanOp::Sum, ScanRange::Inclusive, &prices, "decimal(38,2)", vec!["1.50", "<NA>", "1.25"]),
            (ScanOp::Max, ScanRange::Inclusive, &prices, "decimal(15,2)", vec!["1.50", "<NA>", "1.50"]),
            (
                ScanOp::Min,
                ScanRange::Inclusive,
                &days,
                "date32",
                vec!["1970-01-06", "1970-01-04", "1970-01-04"],
            ),
        ] {
            let running = scan(op, range, column, &exec).unwrap();
            assert_eq!(running.dtype().to_string(), dtype);
            assert_eq!(texts(&running), expected, "{op:?} {range:?} {device}");
        }
        let text = Column::from_values(["a"], &exec).unwrap();
        let refused = |op, column| scan(op, ScanRange::Inclusive, column, &exec).unwrap_err().kind();
        assert_eq!(refused(ScanOp::Sum, &text), ErrorKind::Type);
        assert_eq!(refused(ScanOp::Sum, &days), ErrorKind::Type);
        assert_eq!(refused(ScanOp::Max, &text), ErrorKind::NotImplemented);
    }
}
