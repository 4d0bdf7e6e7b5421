//! Series on every device, against values worked out by hand.

use columnade_buffers::Device;
use columnade_columns::{Column, DType, ErrorKind, Label, Scalar};
use columnade_ops::expression::{Interpolation, lit};

use super::Series;
use crate::arrow::{ArrowArray, ArrowDeviceArray, CopyPolicy, ExportOptions, ImportOptions};
use crate::cuda_array::{CudaArrayExport, CudaArrayImport};
use crate::dataframe::{DataFrame, Difference};
use crate::testing::{ints, on_every_device};

fn numbers() -> Series {
    Series::new([Some(7_i64), None, Some(-3), Some(0)]).expect("numbers").rename("n")
}

#[test]
fn slice_beyond_end_is_refused() {
    on_every_device(|_| {
        let series = numbers();
        let slice = series.slice(1, 2).and_then(|slice| slice.to_scalars());
        assert_eq!(slice.expect("inside"), ints(&[None, Some(-3)]));
        assert!(series.slice(4, 0).expect("at the end").is_empty());
        for (offset, len) in [(3, 2), (5, 0), (usize::MAX, 2)] {
            assert_eq!(series.slice(offset, len).map_err(|error| error.kind()).err(), Some(ErrorKind::Index));
        }
    });
}

#[test]
fn arrow_arrays_round_trip() {
    on_every_device(|device| {
        let series = Series::new([Some("b"), None, Some(""), Some("é")]).expect("texts").rename("letters");
        let series = series.slice(1, 3).expect("inside");
        let (schema, mut array) =
            series.to_arrow_c::<ArrowArray>(&ExportOptions::default()).expect("an export");
        assert_eq!(schema.name().expect("UTF-8"), "letters");
        let back = Series::from_arrow_c(&schema, &mut array, &ImportOptions::default()).expect("an import");
        assert!(array.is_released());
        assert_eq!((back.name(), back.device()), (&"letters".into(), device));
        assert_eq!(back.to_scalars().expect("read"), series.to_scalars().expect("read"));

        let (schema, mut array) =
            series.to_arrow_c::<ArrowDeviceArray>(&ExportOptions::default()).expect("an export");
        let back = Series::from_arrow_c(&schema, &mut array, &ImportOptions::default());
        let back = back.expect("an import");
        assert_eq!((back.name(), back.device()), (&"letters".into(), device));
        assert_eq!(back.to_scalars().expect("read"), series.to_scalars().expect("read"));
        // What was moved out is not there a second time.
        let again = Series::from_arrow_c(&schema, &mut array, &ImportOptions::default());
        assert!(again.is_err_and(|error| error.to_string().contains("released")));

        let unnamed = series.rename(Label::NULL);
        let (schema, mut array) =
            unnamed.to_arrow_c::<ArrowArray>(&ExportOptions::default()).expect("an export");
        assert_eq!(schema.name().expect("UTF-8"), "");
        let back = Series::from_arrow_c(&schema, &mut array, &ImportOptions::default()).expect("an import");
        assert_eq!(back.name(), &Label::NULL);

        let number = series.rename(5_i64).to_arrow_c::<ArrowArray>(&ExportOptions::default());
        assert_eq!(number.map_err(|error| error.kind()).err(), Some(ErrorKind::Type));
    });
}

/// Every row in turn is the first that differs, behind an offset.
/// Values that are the same are not shown as a difference: the order of the categories is.
#[test]
fn reordered_categories_differ() {
    on_every_device(|_| {
        let rows = [Some("low"), None, Some("high"), Some("low")];
        let levels = |among: &[&'static str]| crate::builders::categories(rows).among(among.to_vec());
        let ordered = |among: &[&'static str]| Series::new(levels(among).ordered()).expect("categories");
        let sizes = ordered(&["low", "mid", "high"]);
        for (among, position, left, right) in [
            (&["low", "high"][..], 1, Some("mid"), Some("high")),
            (&["high", "low", "mid"], 0, Some("low"), Some("high")),
            (&["low", "mid", "high", "huge"], 3, None, Some("huge")),
        ] {
            let [left, right] = [left, right].map(|category| category.map(Scalar::from));
            let expected = Difference::Categories { column: Label::NULL, position, left, right };
            let other = ordered(among);
            assert_eq!(sizes.difference(&other).expect("compared"), Some(expected.clone()));
            // Within structs, and where there are no rows.
            let [left, right] = [&sizes, &other].map(|series| {
                let frame = DataFrame::new([("size", series.clone())]).expect("a frame");
                frame.to_struct().expect("structs")
            });
            assert_eq!(left.difference(&right).expect("compared"), Some(expected.clone()));
            let [left, right] = [left, right].map(|series| series.head(0).expect("none"));
            assert_eq!(left.difference(&right).expect("compared"), Some(expected));
        }
        assert_eq!(sizes.difference(&ordered(&["low", "mid", "high"])).expect("compared"), None);
        // Without an order the values count, and where values differ they are shown.
        let [left, right] =
            [levels(&["low", "high"]), levels(&["high", "low"])].map(|of| Series::new(of).expect("values"));
        assert_eq!(left.difference(&right).expect("compared"), None);
        let other = Series::new(
            crate::builders::categories(["low", "high", "high", "low"])
                .among(["low", "mid", "high"])
                .ordered(),
        );
        let found =
            sizes.difference(&other.expect("values")).expect("compared").map(|found| found.to_string());
        assert_eq!(found.as_deref(), Some("the series, row 1: <NA> on the left, high on the right"));
        let cut = Series::new(crate::builders::categories(["low"]).among(["low"]).ordered()).expect("values");
        let found = sizes.head(1).and_then(|one| one.difference(&cut)).expect("compared");
        assert_eq!(
            found.map(|found| found.to_string()).as_deref(),
            Some(
                "the series has other categories in order: number 1 is mid on the left, not there on the right"
            )
        );
    });
}

#[test]
fn difference_names_first_differing_row() {
    on_every_device(|_| {
        for len in [1_usize, 2, 3, 33, 64] {
            let values: Vec<Option<i64>> = (0..5_i64).chain(0..).map(Some).take(len + 5).collect();
            let series =
                Series::new(values.clone()).and_then(|series| series.slice(5, len)).expect("numbers");
            for row in 0..len {
                let mut other = values[5..].to_vec();
                other[row..].fill(None);
                let other = Series::new(other).expect("numbers");
                let expected = Difference::Value {
                    column: "".into(),
                    row,
                    left: Scalar::Int64(i64::try_from(row).expect("small")),
                    right: Scalar::Null(DType::Int64),
                };
                let other = DataFrame::new([("", other)]).expect("one column");
                let frame = DataFrame::new([("", series.clone())]).expect("one column");
                assert_eq!(frame.difference(&other).expect("compared"), Some(expected), "{len} {row}");
            }
        }
        let series = numbers();
        assert_eq!(series.difference(&series.rename("m")).expect("compared"), None);
        let shorter = series.difference(&series.head(2).expect("inside")).expect("compared");
        assert_eq!(shorter, Some(Difference::Rows { left: 4, right: 2 }));
        let floats = Series::new([0.5, 1.0, 2.0, 3.0]).expect("floats");
        assert!(matches!(series.difference(&floats), Ok(Some(Difference::DType { .. }))));
        let shifted = series.tail(2).expect("inside").difference(&series.head(2).expect("inside"));
        assert_eq!(shifted.expect("compared"), Some(Difference::RowLabels));
    });
}

#[test]
fn series_has_name_dtype_and_length() {
    on_every_device(|device| {
        let series = numbers();
        assert_eq!(series.name(), "n");
        assert_eq!((series.len(), series.dtype()), (4, DType::Int64));
        assert_eq!(series.device(), device);
        assert_eq!(series.null_count().expect("counted"), 1);
        assert_eq!(series.get(2).expect("inside"), Scalar::Int64(-3));
        assert_eq!(series.get(4).map_err(|error| error.kind()), Err(ErrorKind::Index));
        assert_eq!(
            series.tail(2).and_then(|tail| tail.to_scalars()).expect("tail"),
            ints(&[Some(-3), Some(0)])
        );
        assert_eq!(series.head(9).expect("head").len(), 4);
    });
}

#[test]
fn arithmetic_and_comparison_by_element() {
    on_every_device(|_| {
        let series = numbers();
        let scalars =
            |made: crate::Result<Series>| made.and_then(|series| series.to_scalars()).expect("dtypes fit");
        assert_eq!(scalars(series.add(&series)), ints(&[Some(14), None, Some(-6), Some(0)]));
        assert_eq!(scalars(series.mul(3)), ints(&[Some(21), None, Some(-9), Some(0)]));
        assert_eq!(scalars(series.floor_div(2)), ints(&[Some(3), None, Some(-2), Some(0)]));
        assert_eq!(scalars(series.rem(2)), ints(&[Some(1), None, Some(1), Some(0)]));
        let positive = scalars(series.gt(0));
        assert_eq!(positive, [true.into(), Scalar::Null(DType::Bool), false.into(), false.into()]);
        assert_eq!(
            scalars(series.evaluate(|n| n * lit(2) + lit(1))),
            ints(&[Some(15), None, Some(-5), Some(1)])
        );
        assert_eq!(series.add(1).expect("numbers").name(), "n");

        let short = Series::new(vec![1_i64]).expect("numbers");
        assert_eq!(scalars(series.add(&short)), ints(&[Some(8), None, None, None]));
        let text = Series::new(["a", "b", "c", "d"]).expect("text");
        assert_eq!(series.add(&text).map(|_| ()).map_err(|error| error.kind()), Err(ErrorKind::Type));
    });
}

#[test]
fn reductions_ignore_nulls() {
    on_every_device(|_| {
        let series = numbers();
        assert_eq!(series.sum().expect("numbers"), Scalar::Int64(4));
        assert_eq!(series.min().expect("numbers"), Scalar::Int64(-3));
        assert_eq!(series.max().expect("numbers"), Scalar::Int64(7));
        assert_eq!(series.count().expect("numbers"), 3);
        assert_eq!(series.mean().expect("numbers"), Scalar::Float64(4.0 / 3.0));
        let empty = Series::new(Vec::<i64>::new()).expect("numbers");
        assert_eq!(empty.sum().expect("numbers"), Scalar::Int64(0));
        assert_eq!(empty.max().expect("numbers"), Scalar::Null(DType::Int64));
        let unnamed = Series::new(vec![1_i64, 2]).expect("numbers");
        assert_eq!(unnamed.sum().expect("numbers"), Scalar::Int64(3));
    });
}

#[test]
fn display_of_series() {
    on_every_device(|_| {
        let text = numbers().to_string();
        assert!(text.contains("<NA>") && text.ends_with("[4 rows, int64]"), "{text}");
    });
}

#[test]
fn cuda_array_round_trip_shares_memory() {
    on_every_device(|device| {
        let options = CudaArrayExport::default();
        let mut numbers = Series::new([Some(1_i64), None, Some(3)]).unwrap().rename("n");
        if device == Device::Host {
            for refused in [numbers.to_cuda_array_mut(&options), numbers.expose_cuda_array(&options)] {
                assert_eq!(refused.unwrap_err().kind(), ErrorKind::Value);
            }
            return;
        }
        let other = numbers.clone();
        let exported = numbers.to_cuda_array_mut(&options).unwrap();
        assert!(!exported.interface().data.is_read_only && exported.interface().mask.is_some());
        assert!(!numbers.values().shares_memory(other.values()), "others do not see what is written");
        let exported = exported.into_foreign(CudaArrayImport::default());
        assert_eq!(exported.device(), device);
        let read = Series::from_cuda_array(&exported).unwrap();
        assert_eq!((read.device(), read.name()), (device, &Label::NULL));
        assert_eq!(read.to_scalars().unwrap(), other.to_scalars().unwrap());
        // Once more, after every other handle is dropped.
        let again = Series::from_cuda_array(&exported).unwrap();
        drop((exported, read, numbers));
        assert_eq!(again.to_scalars().unwrap(), other.to_scalars().unwrap());
        let never = CudaArrayImport { copy: CopyPolicy::Never, ..CudaArrayImport::default() };
        let masked = other.to_cuda_array(&options).unwrap().into_foreign(never);
        let refused = Series::from_cuda_array(&masked).unwrap_err();
        assert!(refused.to_string().contains("from_cuda_array"), "{refused}");

        let mut flags = Series::new([true, false, true]).unwrap();
        let exposed = flags.expose_cuda_array(&options).unwrap();
        assert!(!exposed.interface().data.is_read_only);
        let read = Series::from_cuda_array(&exposed.into_foreign(CudaArrayImport::default())).unwrap();
        assert_eq!(read.to_scalars().unwrap(), flags.to_scalars().unwrap());
        let mut texts = Series::new(["a"]).unwrap();
        assert_eq!(texts.expose_cuda_array(&options).unwrap_err().kind(), ErrorKind::Type);
    });
}

#[test]
fn parts_of_series_without_a_name_are_numbered() {
    on_every_device(|_| {
        let words = Series::new([Some("a-b-c"), None, Some("")]).expect("words");
        let parts = words.str().split_columns("-", 2).expect("parts");
        assert_eq!(parts.columns(), [0, 1]);
        let second = parts.column(1).and_then(|part| part.to_options::<String>()).expect("strings");
        assert_eq!(second, [Some("b-c".to_owned()), None, None]);
        assert_eq!(words.str().partition("-").expect("parts").columns(), [0, 1, 2]);
        assert_eq!(words.rename("w").str().split_columns("-", 1).expect("parts").columns(), ["w_0"]);
        let from_end = words.str().rsplit_columns("-", 2).expect("parts");
        assert_eq!(from_end.columns(), [0, 1]);
        let column = |place: i64| {
            from_end.column(place).and_then(|part| part.to_options::<String>()).expect("strings")
        };
        assert_eq!(column(0), [Some("a-b".to_owned()), None, Some(String::new())]);
        assert_eq!(column(1), [Some("c".to_owned()), None, None]);
        let refused =
            [words.str().split_columns("", 2), words.str().rsplit_columns("", 2), words.str().rpartition("")];
        for error in refused {
            let error = error.expect_err("no separator").to_string();
            assert!(error.starts_with("str.") && error.contains("separator"), "{error}");
        }
    });
}

#[test]
fn quantiles_of_nulls_without_a_dtype_are_null() {
    on_every_device(|_| {
        let exec = crate::options::default_exec().expect("a device");
        let nulls = Column::full_null(&DType::Null, 3, &exec).expect("nulls");
        let nulls = Series::unnamed("new", nulls, exec).expect("a series");
        for qs in [vec![], vec![0.5], vec![0.1, 0.9, 1.0]] {
            let found = nulls.quantiles(qs.clone(), Interpolation::Linear).expect("nulls");
            assert_eq!((found.len(), found.null_count().expect("a count")), (qs.len(), qs.len()));
            let found = nulls.rename("n").to_frame().quantile(qs.clone()).expect("nulls");
            assert_eq!(found.column("n").and_then(|n| n.null_count()).expect("a count"), qs.len());
        }
    });
}
