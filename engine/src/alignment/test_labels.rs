//! Functions of several series go by their labels, and keep them: results of pandas 3.1.1.

use columnade_columns::ErrorKind;
use columnade_ops::strings::JoinNulls;

use crate::dataframe::{Crosstab, Dummies, crosstab};
use crate::df;
use crate::index::Index;
use crate::series::CutOptions;
use crate::series::Series;
use crate::testing::on_every_device;

fn labelled(values: [&str; 3], labels: [&str; 3]) -> Series {
    let series = Series::new(values).expect("strings");
    series.with_index(&Index::new(labels).expect("labels")).expect("as many")
}

fn texts(series: &Series) -> Vec<Option<String>> {
    series.to_options::<String>().expect("strings")
}

#[test]
fn strings_are_joined_by_label() {
    on_every_device(|_| {
        let left = labelled(["x", "y", "z"], ["a", "b", "c"]);
        let right = labelled(["Z", "Y", "W"], ["c", "b", "d"]);
        let found = left.str().concat(&[&right, &left], "-", JoinNulls::Propagate).expect("joined");
        assert_eq!(texts(&found), [None, Some("y-Y-y".to_owned()), Some("z-Z-z".to_owned())]);
        assert!(found.index().identical(left.index()).expect("labels"));
        let found = left.str().concat(&[&right], "-", JoinNulls::Ignore).expect("joined");
        assert_eq!(found.to_vec::<String>().expect("strings"), ["x", "y-Y", "z-Z"]);
        // A label that comes twice has no one partner; the same labels in the same order do.
        let twice = labelled(["1", "2", "3"], ["a", "a", "b"]);
        let error = left.str().concat(&[&twice], "", JoinNulls::Propagate).expect_err("twice");
        assert_eq!(error.kind(), ErrorKind::Value, "{error}");
        let same = twice.str().concat(&[&twice], "", JoinNulls::Propagate).expect("joined");
        assert_eq!(same.to_vec::<String>().expect("strings"), ["11", "22", "33"]);
    });
}

#[test]
fn tables_of_two_series_count_rows_by_label() {
    on_every_device(|_| {
        let rows = labelled(["x", "y", "z"], ["a", "b", "c"]).rename("r");
        let columns = labelled(["Z", "Y", "W"], ["c", "b", "d"]).rename("c");
        let table = crosstab(&rows, &columns, Crosstab::new()).expect("a table");
        assert_eq!(table.columns(), ["r", "Y", "Z"]);
        let counts = |label: &str| table.column(label).expect("there").to_vec::<i64>().expect("counts");
        assert_eq!((counts("Y"), counts("Z")), (vec![1, 0], vec![0, 1]));
    });
}

#[test]
fn dummies_keep_the_labels_of_rows() {
    on_every_device(|_| {
        let frame = df! { "s" => ["a", "b"], "n" => [1, 2] }.expect("a frame");
        let frame = frame.with_index(&Index::new(["r1", "r2"]).expect("labels")).expect("as many");
        let dummies = frame.get_dummies(Dummies::new()).expect("dummies");
        assert_eq!(dummies.columns(), ["n", "s_a", "s_b"]);
        assert!(dummies.index().identical(frame.index()).expect("labels"));
    });
}

#[test]
fn quantiles_of_bins_leave_out_nan() {
    on_every_device(|_| {
        let series = Series::new([1.0, f64::NAN, 3.0, 5.0]).expect("floats");
        let bins = series.qcut(2).expect("bins");
        let expected = ["(0.999, 3.0]", "", "(0.999, 3.0]", "(3.0, 5.0]"];
        let zeros = Series::new([-0.0, 1.0, 2.0]).expect("floats").cut(CutOptions::edges([-0.0, 1.0, 2.0]));
        let zeros = zeros.and_then(|bins| bins.cat().categories()).expect("bins");
        assert_eq!(zeros.to_vec::<String>().expect("text")[0], "(0.0, 1.0]");
        let found: Vec<String> = texts(&bins.cast(columnade_columns::DType::Utf8).expect("text"))
            .into_iter()
            .map(Option::unwrap_or_default)
            .collect();
        assert_eq!(found, expected);
    });
}
