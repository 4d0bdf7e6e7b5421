//! Groups of typed columns.

use super::{Aggregation, NullKeys, Request, aggregate, group_ids};
use columnade_buffers::{Device, Exec};
use columnade_columns::{CategoricalColumn, Column, ColumnAccessor, DType, ErrorKind, Scalar};
use std::sync::Arc;

fn request<'a>(label: &str, aggregation: Aggregation, values: &'a Column) -> Request<'a> {
    Request { label: label.into(), aggregation, values }
}

fn rows(columns: &ColumnAccessor) -> Vec<Vec<String>> {
    let columns: Vec<Vec<Scalar>> =
        columns.columns().iter().map(|column| column.to_scalars().unwrap()).collect();
    (0..columns[0].len()).map(|row| columns.iter().map(|column| column[row].to_string()).collect()).collect()
}

#[test]
fn every_aggregation_of_decimals_and_text() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let codes = Column::from_slice(&[1_i8, 0, 1, 1, 0], &exec).unwrap();
        let dictionary = Arc::new(Column::from_values(["x", "a"], &exec).unwrap());
        let word = Column::Categorical(CategoricalColumn::new(&codes, dictionary).unwrap());
        let id = Column::from_options([Some(1_i32), Some(2), Some(1), None, Some(2)], &exec).unwrap();
        let cents = DType::decimal(15, 2).unwrap();
        let price = Column::from_options([Some(150_i64), None, Some(250), Some(7), None], &exec).unwrap();
        let price = price.reinterpret(&cents).unwrap();
        let text = Column::from_values(["b", "ä", "a", "c", ""], &exec).unwrap();
        let keys = ColumnAccessor::from_columns([("word", word.clone()), ("id", id)]).unwrap();
        let requests = [
            request("sum", Aggregation::Sum, &price),
            request("mean", Aggregation::Mean, &price),
            request("min", Aggregation::Min, &price),
            request("count", Aggregation::Count, &price),
            request("size", Aggregation::Size, &price),
            request("first", Aggregation::Min, &text),
            request("last", Aggregation::Max, &word),
        ];
        let kept = aggregate(&keys, &requests, NullKeys::Group, &exec).unwrap();
        let dtypes: Vec<String> = kept.dtypes().map(|(_, dtype)| dtype.to_string()).collect();
        assert_eq!(
            dtypes,
            [
                "dictionary<int8, utf8>",
                "int32",
                "decimal(38,2)",
                "float64",
                "decimal(15,2)",
                "int64",
                "int64",
                "utf8",
                "utf8"
            ]
        );
        let expected = [
            ["a", "1", "4.00", "2.0", "1.50", "2", "2", "a", "a"],
            ["x", "2", "0.00", "<NA>", "<NA>", "0", "2", "", "x"],
            ["a", "<NA>", "0.07", "0.07", "0.07", "1", "1", "c", "a"],
        ];
        assert_eq!(rows(&kept), expected, "{device}");
        let dropped = aggregate(&keys, &requests, NullKeys::Drop, &exec).unwrap();
        assert_eq!(rows(&dropped), expected[..2], "{device}");
    }
}

#[test]
fn sums_widen_and_keep_their_sign() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let key = Column::from_slice(&[7_i64, 7], &exec).unwrap();
        let keys = ColumnAccessor::from_columns([("key", key)]).unwrap();
        for (values, expected) in [
            (Column::from_slice(&[127_i8, 127], &exec).unwrap(), Scalar::Int64(254)),
            (Column::from_slice(&[u32::MAX, 1], &exec).unwrap(), Scalar::UInt64(1 << 32)),
            (Column::from_slice(&[0.5_f32, 1.0], &exec).unwrap(), Scalar::Float32(1.5)),
            (Column::from_values([true, true], &exec).unwrap(), Scalar::Int64(2)),
        ] {
            let sums = aggregate(&keys, &[request("sum", Aggregation::Sum, &values)], NullKeys::Drop, &exec)
                .unwrap();
            assert_eq!(sums.get("sum").unwrap().to_scalars().unwrap(), [expected]);
        }
    }
}

#[test]
fn what_has_no_sum_is_refused_by_name() {
    let exec = Exec::host();
    let keys = ColumnAccessor::from_columns([("key", Column::from_vec(vec![1_i64]))]).unwrap();
    let text = Column::from_values(["a"], &exec).unwrap();
    let refused =
        aggregate(&keys, &[request("total", Aggregation::Sum, &text)], NullKeys::Drop, &exec).unwrap_err();
    assert_eq!(refused.to_string(), r#"column "total": dtype utf8 is not supported"#);
    let short = Column::from_vec(Vec::<i64>::new());
    let refused =
        aggregate(&keys, &[request("n", Aggregation::Sum, &short)], NullKeys::Drop, &exec).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Value);
    let twice =
        aggregate(&keys, &[request("key", Aggregation::Size, &text)], NullKeys::Drop, &exec).unwrap_err();
    assert_eq!(twice.kind(), ErrorKind::Value);
    assert_eq!(group_ids(&[], NullKeys::Drop, &exec).unwrap_err().kind(), ErrorKind::Value);
    assert_eq!(group_ids(&[&text, &short], NullKeys::Drop, &exec).unwrap_err().kind(), ErrorKind::Value);
}
