//! Names of pandas and cuDF that are about rows and labels: repeated rows, prefixes, bins by quantiles, parts of times, text.

use columnade_columns::{Column, DType, Label, TimeUnit};

use crate::testing::on_every_device;
use crate::{
    CutOptions, DataFrame, DisplayOptions, ErrorKind, Index, Scalar, Series, date_range, df,
    set_display_options,
};

fn made<T>(result: crate::Result<T>) -> T {
    result.expect("an operation that works")
}

fn texts(index: &Index) -> Vec<String> {
    made(index.to_scalars()).iter().flatten().map(ToString::to_string).collect()
}

fn labelled() -> DataFrame {
    made(made(df! { "k" => ["x", "y", "z"], "n" => [Some(1_i64), None, Some(3)] }).set_index("k"))
}

#[test]
fn repeated_rows_keep_their_labels() {
    on_every_device(|device| {
        let frame = labelled();
        let counts = made(Series::new([2_u8, 0, 3]));
        let each = made(frame.repeat(&counts));
        assert_eq!(each.device(), device);
        assert_eq!(texts(each.index()), ["x", "x", "z", "z", "z"]);
        assert_eq!(
            made(made(each.column("n")).to_options::<i64>()),
            [Some(1), Some(1), Some(3), Some(3), Some(3)]
        );
        let series = made(frame.column("n"));
        assert_eq!(texts(made(series.repeat(2)).index()), ["x", "x", "y", "y", "z", "z"]);
        assert_eq!(texts(made(series.tile(2)).index()), ["x", "y", "z", "x", "y", "z"]);
        assert_eq!(made(made(series.tile(2)).to_options::<i64>())[3..], [Some(1), None, Some(3)]);
        assert_eq!(texts(made(frame.tile(2)).index()), ["x", "y", "z", "x", "y", "z"]);
        assert_eq!(texts(&made(frame.index().repeat(counts.clone()))), ["x", "x", "z", "z", "z"]);
        assert_eq!(texts(&made(Index::of_rows(2).repeat(2))), ["0", "0", "1", "1"]);
        assert!(!made(made(frame.index().repeat(2)).is_unique()));
        for none in
            [made(series.repeat(0)), made(series.tile(0)), made(series.repeat(made(Series::new([0; 3]))))]
        {
            assert_eq!((none.len(), none.index().len()), (0, 0));
        }
        assert_eq!(made(made(frame.select::<_>(Vec::<&str>::new())).repeat(4)).shape(), (12, 0));
        let levels = made(Index::from_arrays([("a", vec![1, 2]), ("b", vec![3, 4])]));
        assert_eq!(texts(&made(levels.repeat(2))), ["1", "1", "2", "2", "3", "3", "4", "4"]);

        let kind = |counts: Series| frame.repeat(counts).expect_err("no counts").kind();
        assert_eq!(kind(made(Series::new([1, 2]))), ErrorKind::Value);
        assert_eq!(kind(made(Series::new([1, 2, -1]))), ErrorKind::Value);
        assert_eq!(kind(made(Series::new([Some(1), None, Some(1)]))), ErrorKind::Value);
        assert_eq!(kind(made(Series::new([1.0; 3]))), ErrorKind::Type);
        assert_eq!(series.tile(usize::MAX).expect_err("too many").kind(), ErrorKind::Overflow);
        let huge = series.repeat(1_usize << 60).expect_err("too many").kind();
        assert!(matches!(huge, ErrorKind::Memory | ErrorKind::Overflow), "{huge:?}");
    });
}

#[test]
fn prefixes_and_suffixes_are_those_of_row_labels() {
    on_every_device(|_| {
        let series = made(Series::new([5, 6]));
        assert_eq!(texts(made(series.add_prefix("item_")).index()), ["item_0", "item_1"]);
        assert_eq!(texts(made(series.add_suffix("!")).index()), ["0!", "1!"]);
        let labels = made(made(Index::new([Some("a"), None])).rename("k"));
        let named = made(made(series.with_index(&labels)).add_prefix("é"));
        assert_eq!(made(named.index().to_scalars())[0][0], "éa".into());
        assert!(made(named.index().get(1)).is_null());
        assert_eq!((named.index().name(), named.name()), (&Label::from("k"), series.name()));
        let levels = made(Index::from_arrays([("a", vec![1, 2]), ("b", vec![3, 4])]));
        let both = made(made(series.with_index(&levels)).add_suffix("x"));
        assert_eq!(texts(both.index()), ["1x", "2x", "3x", "4x"]);
    });
}

#[test]
fn bins_between_quantiles_are_those_of_pandas() {
    on_every_device(|_| {
        // pandas 3.1.1: qcut([1, 7, 5, 4, 6, 3], 4).codes, and of range(11) in 10 parts.
        let series = made(Series::new([1, 7, 5, 4, 6, 3]));
        let codes =
            |series: &Series| made(made(made(series.cat().codes()).cast(DType::Int64)).to_vec::<i64>());
        assert_eq!(codes(&made(series.qcut(4))), [0, 3, 2, 1, 3, 0]);
        assert_eq!(codes(&made(series.qcut(vec![0.0, 0.25, 0.5, 0.75, 1.0]))), [0, 3, 2, 1, 3, 0]);
        let ten = made(Series::new((0..11).collect::<Vec<i64>>()));
        assert_eq!(codes(&made(ten.qcut(10))), [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        let same = made(Series::new([1, 1, 1, 2]));
        assert_eq!(same.qcut(2).expect_err("two quantiles are equal").kind(), ErrorKind::Value);
        let kept = made(same.cut(CutOptions::quantiles(2).drop_duplicates(true)));
        assert_eq!(codes(&kept), [0, 0, 0, 0]);
        let error = series.qcut(0).expect_err("no bins").to_string();
        assert!(error.starts_with("qcut"), "{error}");
        assert_eq!(made(Series::new(["a"])).qcut(2).expect_err("no numbers").kind(), ErrorKind::Type);
    });
}

#[test]
fn parts_of_times_are_those_of_series() {
    on_every_device(|_| {
        let times =
            made(date_range(&DType::Timestamp(TimeUnit::Milli), "2023-12-30 23:59:58", "2024-03-02", "7h"));
        let index = made(made(Index::from_series(&times)).rename("t"));
        let same = |found: Index, expected: Series| {
            assert_eq!(found.name(), "t");
            assert!(made(found.equals(&made(Index::from_series(&expected)))), "{found} {expected}");
        };
        let (of_labels, of_values) = (index.dt(), times.dt());
        same(made(of_labels.year()), made(of_values.year()));
        same(made(of_labels.month()), made(of_values.month()));
        same(made(of_labels.hour()), made(of_values.hour()));
        same(made(of_labels.weekday()), made(of_values.weekday()));
        same(made(of_labels.is_month_end()), made(of_values.is_month_end()));
        same(made(of_labels.day_name()), made(of_values.day_name()));
        same(made(of_labels.floor("1d")), made(of_values.floor("1d")));
        same(made(of_labels.ceil("1mo")), made(of_values.ceil("1mo")));
        same(made(of_labels.strftime("%d/%m")), made(of_values.strftime("%d/%m")));
        assert!(matches!(made(of_labels.date()), Index::Datetime(_)));
        assert_eq!(Index::of_rows(2).dt().year().expect_err("no times").kind(), ErrorKind::Type);
        assert_eq!(texts(&made(of_labels.year()))[..2], ["2023", "2023"]);
    });
}

#[test]
fn index_is_shown_as_its_kind_and_labels() {
    on_every_device(|_| {
        set_display_options(DisplayOptions { max_rows: 6, min_rows: 4, ..DisplayOptions::default() });
        let shown = |index: Index| index.to_string();
        assert_eq!(shown(Index::of_rows(3)), "RangeIndex(start: 0, step: 1, labels: 3)");
        assert_eq!(
            shown(made(made(Index::new(["a", "b"])).rename("k"))),
            "Index([\"a\", \"b\"], utf8, name: k)"
        );
        let days = made(Index::date_range(&DType::Date32, "2024-01-31", "2024-02-29", "ME"));
        assert_eq!(shown(days), "DatetimeIndex([2024-01-31, 2024-02-29], date32, freq: ME)");
        let levels = made(Index::from_arrays([("a", vec![1, 2]), ("b", vec![3, 4])]));
        assert_eq!(shown(levels), "MultiIndex([(1, 3), (2, 4)], [int32, int32], names: [a, b])");
        let many = made(Index::new((0..100).map(|n| n * 2).collect::<Vec<i64>>()));
        assert_eq!(shown(many), "Index([0, 2, …, 196, 198], int64, labels: 100)");
        assert_eq!(shown(made(made(Index::new(["a"])).slice(0, 0))), "Index([], utf8)");
        set_display_options(DisplayOptions::default());
    });
}

#[test]
fn series_are_described_as_frames_are() {
    on_every_device(|_| {
        let series = made(Series::new([Some(1_i64), None, Some(3)])).rename("a<b");
        let html = made(series.to_html(DisplayOptions::all()));
        assert_eq!(html, made(series.to_frame().to_html(DisplayOptions::all())));
        assert!(html.contains("<th>a&lt;b</th>"), "{html}");
        let info = made(series.info());
        assert!(info.starts_with("3 rows\nrow labels: int64, 0 to 2\ncolumn"), "{info}");
        let line: Vec<&str> = info.lines().last().expect("a line").split_whitespace().collect();
        assert_eq!(line[..3], ["a<b", "2", "int64"]);
        // 24 bytes of values and a mask; a range of labels has none.
        let bytes = series.values().memory_bytes();
        assert_eq!((series.memory_usage(false), series.memory_usage(true)), (bytes, bytes));
        let labels = made(Index::new([7_i64, 8, 9]));
        assert_eq!(made(series.with_index(&labels)).memory_usage(true), bytes + 24);
        let frame = made(series.to_frame().memory_usage());
        assert_eq!(
            made(frame.get(1)),
            Scalar::Int64(i64::try_from(Column::memory_bytes(series.values())).expect("few"))
        );
    });
}
