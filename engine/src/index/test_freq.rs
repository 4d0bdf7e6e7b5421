//! Frequencies that labels know, and times moved by them: results of pandas 3.1.1.

use columnade_columns::{Closed, DType, ErrorKind, Scalar, TimeUnit, TimeZone, dates, timestamps};
use columnade_ops::expression::{Literal, hours, minutes};

use super::Index;
use crate::error::Result;
use crate::locate::{Every, LabelSlice};
use crate::series::Series;
use crate::testing::on_every_device;

const SECONDS: DType = DType::Timestamp(TimeUnit::Milli);

fn freq(index: &Index) -> Option<String> {
    match index {
        Index::Datetime(index) => index.freq(),
        Index::Timedelta(index) => index.freq(),
        _ => None,
    }
}

fn texts(index: &Index) -> Vec<String> {
    index.to_scalars().expect("labels")[0].iter().map(|label| label.to_string().replace(".000", "")).collect()
}

fn numbered(index: &Index) -> Series {
    let rows: Vec<i64> = (0..).take(index.len()).collect();
    Series::new(rows).and_then(|rows| rows.with_index(index)).expect("a label each")
}

#[test]
fn ranges_know_their_frequency_as_pandas_calls_it() {
    on_every_device(|_| {
        // The frequency, its name, every second of it, and the first label moved by 1 and by −2.
        for (frequency, name, second, next, before) in [
            ("D", "D", "2D", "2024-01-06 10:00:00", "2024-01-03 10:00:00"),
            ("h", "h", "2h", "2024-01-05 11:00:00", "2024-01-05 08:00:00"),
            ("1h30min", "90min", "3h", "2024-01-05 11:30:00", "2024-01-05 07:00:00"),
            ("24h", "24h", "48h", "2024-01-06 10:00:00", "2024-01-03 10:00:00"),
            ("B", "B", "2B", "2024-01-08 10:00:00", "2024-01-03 10:00:00"),
            ("3B", "3B", "6B", "2024-01-10 10:00:00", "2023-12-28 10:00:00"),
            ("W", "W-SUN", "2W-SUN", "2024-01-14 10:00:00", "2023-12-24 10:00:00"),
            ("W-MON", "W-MON", "2W-MON", "2024-01-15 10:00:00", "2023-12-25 10:00:00"),
            ("MS", "MS", "2MS", "2024-03-01 10:00:00", "2023-12-01 10:00:00"),
            ("2ME", "2ME", "4ME", "2024-03-31 10:00:00", "2023-09-30 10:00:00"),
            ("QS-FEB", "QS-FEB", "2QS-FEB", "2024-05-01 10:00:00", "2023-08-01 10:00:00"),
            ("QE-MAR", "QE-MAR", "2QE-MAR", "2024-06-30 10:00:00", "2023-09-30 10:00:00"),
            ("QE", "QE-DEC", "2QE-DEC", "2024-06-30 10:00:00", "2023-09-30 10:00:00"),
            ("YE-JUN", "YE-JUN", "2YE-JUN", "2025-06-30 10:00:00", "2022-06-30 10:00:00"),
            ("SME", "SME-15", "2SME-15", "2024-01-31 10:00:00", "2023-12-15 10:00:00"),
            ("SMS-10", "SMS-10", "2SMS-10", "2024-02-01 10:00:00", "2023-12-10 10:00:00"),
            ("BME", "BME", "2BME", "2024-02-29 10:00:00", "2023-11-30 10:00:00"),
            ("BQE", "BQE-DEC", "2BQE-DEC", "2024-06-28 10:00:00", "2023-09-29 10:00:00"),
            ("BYS", "BYS-JAN", "2BYS-JAN", "2026-01-01 10:00:00", "2023-01-02 10:00:00"),
            ("WOM-2TUE", "WOM-2TUE", "2WOM-2TUE", "2024-02-13 10:00:00", "2023-11-14 10:00:00"),
            ("LWOM-FRI", "LWOM-FRI", "2LWOM-FRI", "2024-02-23 10:00:00", "2023-11-24 10:00:00"),
            ("15s", "15s", "30s", "2024-01-05 10:00:15", "2024-01-05 09:59:30"),
            ("250ms", "250ms", "500ms", "2024-01-05 10:00:00.250", "2024-01-05 09:59:59.500"),
        ] {
            let index = Index::date_range_periods(&SECONDS, "2024-01-05 10:00:00.000", 6, frequency);
            let index = index.expect("times");
            assert_eq!(freq(&index).as_deref(), Some(name), "{frequency}");
            let rows = numbered(&index);
            let every = |rows: Result<Series>| freq(rows.expect("rows").index());
            assert_eq!(every(rows.iloc((..).every(2))).as_deref(), Some(second), "{frequency}");
            assert_eq!(
                every(rows.loc(LabelSlice::from(..).every(2))).as_deref(),
                Some(second),
                "{frequency}"
            );
            assert_eq!(every(rows.iloc(1..3)).as_deref(), Some(name), "{frequency}");
            let shifted = [1, -2].map(|periods| index.shift(periods).expect("times"));
            assert_eq!(texts(&shifted[0])[0], next, "{frequency}");
            assert_eq!(texts(&shifted[1])[0], before, "{frequency}");
            assert_eq!(freq(&shifted[0]).as_deref(), Some(name), "{frequency}");
        }
    });
}

#[test]
fn labels_that_were_picked_or_joined_know_no_frequency() {
    on_every_device(|_| {
        let index = Index::date_range(&DType::Date32, "2024-01-01", "2024-01-06", "D").expect("days");
        let rows = numbered(&index);
        let known = |rows: Result<Series>| freq(rows.expect("rows").index());
        assert_eq!(freq(&index.rename("day").expect("a name")).as_deref(), Some("D"));
        assert_eq!(freq(&index.slice(2, 2).expect("rows")).as_deref(), Some("D"));
        assert_eq!(known(rows.loc("2024-01-02"..="2024-01-04")).as_deref(), Some("D"));
        assert_eq!(known(rows.iloc((..).every(-1))), None);
        assert_eq!(known(rows.iloc([0, 1, 2])), None);
        assert_eq!(known(rows.loc(&rows.gt(1).expect("booleans"))), None);
        assert_eq!(known(rows.sample(2)), None);
        assert_eq!(freq(&index.union(&index.shift(2).expect("days")).expect("days")), None);
        assert_eq!(freq(&index.append([&index]).expect("days")), None);
        let days = Index::from_series(&index.to_series().expect("values")).expect("labels");
        assert_eq!(freq(&days), None);
        let error = days.shift(1).expect_err("no frequency is known");
        assert!(error.to_string().contains("shift_by"), "{error}");
    });
}

#[test]
fn bins_know_their_frequency() {
    on_every_device(|_| {
        let index = Index::date_range_periods(&SECONDS, "2024-01-01 00:00:00.000", 10, "6h").expect("times");
        let rows = numbered(&index);
        for (frequency, name) in [("D", "D"), ("ME", "ME"), ("12h", "12h")] {
            let bins = rows.resample(frequency).sum().expect("sums");
            assert_eq!(freq(bins.index()).as_deref(), Some(name));
        }
    });
}

#[test]
fn shifts_from_days_between_those_of_a_calendar_are_those_of_pandas() {
    on_every_device(|_| {
        // 2024-01-15 07:00, 2024-01-31 08:00 and 2024-02-03.
        let seconds = vec![1_705_302_000_i64, 1_706_688_000, 1_706_918_400];
        let index = Index::new(timestamps(seconds, TimeUnit::Second)).expect("times");
        for (frequency, periods, expected) in [
            ("ME", 1, ["2024-01-31 07:00:00", "2024-02-29 08:00:00", "2024-02-29 00:00:00"]),
            ("ME", -1, ["2023-12-31 07:00:00", "2023-12-31 08:00:00", "2024-01-31 00:00:00"]),
            ("ME", 0, ["2024-01-31 07:00:00", "2024-01-31 08:00:00", "2024-02-29 00:00:00"]),
            ("MS", -1, ["2024-01-01 07:00:00", "2024-01-01 08:00:00", "2024-02-01 00:00:00"]),
            ("B", -1, ["2024-01-12 07:00:00", "2024-01-30 08:00:00", "2024-02-02 00:00:00"]),
            ("B", 2, ["2024-01-17 07:00:00", "2024-02-02 08:00:00", "2024-02-06 00:00:00"]),
            ("QE", 2, ["2024-06-30 07:00:00", "2024-06-30 08:00:00", "2024-06-30 00:00:00"]),
            ("W-SUN", -2, ["2024-01-07 07:00:00", "2024-01-21 08:00:00", "2024-01-21 00:00:00"]),
            ("SME", -2, ["2023-12-15 07:00:00", "2023-12-31 08:00:00", "2024-01-15 00:00:00"]),
            ("2ME", -2, ["2023-09-30 07:00:00", "2023-09-30 08:00:00", "2023-10-31 00:00:00"]),
            ("90min", -1, ["2024-01-15 05:30:00", "2024-01-31 06:30:00", "2024-02-02 22:30:00"]),
        ] {
            let moved = index.shift_by(periods, frequency).expect("times");
            assert_eq!(texts(&moved), expected, "{periods} {frequency}");
            assert_eq!(freq(&moved), None);
        }
        let zone = TimeZone::new("Europe/Berlin").expect("a zone");
        let dtype = DType::TimestampTz(TimeUnit::Second, zone);
        let noon = Index::date_range_periods(&dtype, "2024-03-30 12:00:00", 3, "D").expect("days");
        let utc = |index: Index| {
            let times = index.to_series().and_then(|times| times.dt().tz_convert("UTC")?.dt().tz_naive());
            times.and_then(|times| Index::from_series(&times)).map(|index| texts(&index)).expect("times")
        };
        let expected = ["2024-03-31 10:00:00", "2024-04-01 10:00:00", "2024-04-02 10:00:00"];
        assert_eq!(utc(noon.shift(1).expect("days")), expected);
        let expected = ["2024-04-01 11:00:00", "2024-04-02 10:00:00", "2024-04-03 10:00:00"];
        assert_eq!(utc(noon.shift_by(2, "24h").expect("times")), expected);
        let expected = ["2024-03-31 10:00:00", "2024-04-30 10:00:00", "2024-04-30 10:00:00"];
        assert_eq!(utc(noon.shift_by(1, "ME").expect("days")), expected);
        let nulls = Index::new(dates([Some(19_737), None])).expect("days");
        let moved = nulls.shift_by(1, "MS").expect("days");
        assert_eq!(texts(&moved), ["2024-02-01", "<NA>"]);
    });
}

#[test]
fn shifts_that_do_not_fit_are_refused() {
    on_every_device(|_| {
        let days = Index::date_range(&DType::Date32, "2024-01-01", "2024-01-03", "D").expect("days");
        assert!(days.shift_by(1, "h").expect_err("no multiple").to_string().contains("frequency"));
        assert_eq!(days.shift(1 << 40).expect_err("too far").kind(), ErrorKind::Overflow);
        assert_eq!(days.shift_by(1 << 40, "ME").expect_err("too far").kind(), ErrorKind::Overflow);
        assert_eq!(days.shift(i64::from(i32::MAX)).expect_err("too far").kind(), ErrorKind::Overflow);
        let texts = Index::new(["a"]).expect("labels");
        assert_eq!(texts.shift_by(1, "D").expect_err("no times").kind(), ErrorKind::Type);
        let spans = Index::timedelta_range(TimeUnit::Second, hours(0), hours(2), "1h").expect("hours");
        assert_eq!(freq(&spans).as_deref(), Some("h"));
        assert!(spans.shift_by(1, "ME").expect_err("no calendar").to_string().contains("calendar"));
        assert_eq!(super::Index::len(&spans.shift(-1).expect("hours")), 3);
    });
}

#[test]
fn ranges_of_durations_and_intervals_are_those_of_pandas() {
    on_every_device(|_| {
        let spans = Index::timedelta_range_periods(TimeUnit::Second, hours(1), 4, "30min").expect("spans");
        assert_eq!(texts(&spans), ["01:00:00", "01:30:00", "02:00:00", "02:30:00"]);
        let spans = Index::timedelta_range(TimeUnit::Second, hours(1), hours(24), "8h").expect("spans");
        assert_eq!(texts(&spans), ["01:00:00", "09:00:00", "17:00:00"]);
        let error = Index::timedelta_range(TimeUnit::Second, minutes(1), minutes(9), "W");
        assert!(error.expect_err("no calendar").to_string().contains("calendar"));
        assert!(Index::timedelta_range(TimeUnit::Second, 1, hours(9), "1h").is_err());

        let ranges = Index::interval_range(0, 7, 2, Closed::Right).expect("intervals");
        assert_eq!(texts(&ranges), ["(0, 2]", "(2, 4]", "(4, 6]"]);
        assert_eq!(Index::interval_range(5, 4, 1, Closed::Right).expect("none").len(), 0);
        assert_eq!(Index::interval_range(5, 5, 1, Closed::Right).expect("none").len(), 0);
        assert!(Index::interval_range(0, 7, 0, Closed::Right).is_err());
        let texts = |index: &Index| -> Vec<String> {
            (0..index.len()).map(|row| index.get(row).expect("an interval").to_string()).collect()
        };
        let floats = Index::interval_range(0, 1.0, 0.3, Closed::Right).expect("intervals");
        assert_eq!(texts(&floats), ["(0.0, 0.3]", "(0.3, 0.6]", "(0.6, 0.8999999999999999]"]);
        let whole = Index::interval_range(0.0, 0.3, 0.1, Closed::Right).expect("intervals");
        assert_eq!(whole.len(), 3);
        assert_eq!(Index::interval_range(1.0, 0.0, 0.5, Closed::Right).expect("none").len(), 0);
        for step in [0.0, -1.0, f64::NAN] {
            assert!(Index::interval_range(0.0, 1.0, step, Closed::Right).is_err());
        }
        let text = Index::interval_range("a", 1.0, 0.5, Closed::Right).expect_err("text").to_string();
        assert_eq!(text, "interval_range: start: a number is expected, not utf8");
        let breaks = Index::new([Some(0.5), Some(1.0), None, Some(3.0), Some(4.5)]).expect("breaks");
        let between = breaks.intervals(Closed::Neither).expect("intervals");
        assert_eq!(texts(&between), ["(0.5, 1.0)", "<NA>", "<NA>", "(3.0, 4.5)"]);
        assert!(matches!(between, Index::Interval(_)));
        assert_eq!(Index::of_rows(0).intervals(Closed::Left).expect("none").len(), 0);
    });
}

#[test]
fn levels_and_codes_are_those_of_pandas() {
    on_every_device(|_| {
        let levels = [
            ("k", Series::new([Some("b"), None, Some("a"), Some("b")]).expect("texts")),
            ("n", Series::new([3, 1, 3, 2]).expect("integers")),
        ];
        let index = Index::from_arrays(levels).expect("levels");
        let index = index.as_multi().expect("two levels");
        let levels = index.levels().expect("labels");
        assert_eq!(levels.iter().map(texts).collect::<Vec<_>>(), [vec!["a", "b"], vec!["1", "2", "3"]]);
        let codes = index.codes().expect("positions");
        assert_eq!(codes[0].to_options::<i64>().expect("codes"), [Some(1), None, Some(0), Some(1)]);
        assert_eq!(codes[1].to_vec::<i64>().expect("codes"), [2, 0, 2, 1]);
    });
}

#[test]
fn labels_are_replaced_where_a_condition_is_not_true() {
    on_every_device(|_| {
        let index = Index::new([1, 2, 3]).and_then(|index| index.rename("n")).expect("labels");
        let condition = Series::new([Some(true), None, Some(false)]).expect("booleans");
        let made = index.where_(&condition, 9).expect("labels");
        assert_eq!(
            (texts(&made), made.name().as_text()),
            (vec!["1".into(), "9".into(), "9".into()], Some("n"))
        );
        assert_eq!(made.dtypes(), [DType::Int32]);
        let one = Series::new([true]).expect("booleans");
        assert!(index.where_(&one, 9).is_err());
        assert!(index.where_(&condition, "x").is_err());
    });
}

#[test]
fn replaced_labels_get_dtype_that_has_the_value() {
    on_every_device(|_| {
        let condition = Series::new([true, false]).expect("booleans");
        let large = (1_i64 << 53) + 1;
        let of = |index: &Index, other: Literal| {
            let made = index.where_(&condition, other).expect("labels");
            (made.dtypes()[0].clone(), texts(&made))
        };
        let whole = Index::new([large, 2]).expect("integers");
        let cases = [
            (&whole, Literal::from(9.5), DType::Float64, ["9007199254740992.0", "9.5"]),
            (&whole, Literal::from(9.0), DType::Int64, ["9007199254740993", "9"]),
            (&whole, Literal::Null, DType::Int64, ["9007199254740993", "<NA>"]),
        ];
        for (index, other, dtype, labels) in cases {
            assert_eq!(of(index, other.clone()), (dtype, labels.map(str::to_owned).to_vec()), "{other}");
        }
        let small = Index::new([1_i8, 2]).expect("integers");
        assert_eq!(of(&small, Literal::from(300)), (DType::Int64, vec!["1".into(), "300".into()]));
        assert_eq!(of(&small, Literal::from(-7)), (DType::Int8, vec!["1".into(), "-7".into()]));
        let days = Index::date_range(&DType::Date32, "2024-01-01", "2024-01-02", "D").expect("days");
        assert_eq!(of(&days, "2024-05-06".into()).0, DType::Date32);
        let seconds = days.cast(DType::Timestamp(TimeUnit::Second)).expect("seconds");
        let half = Scalar::Timestamp(1_500_000, TimeUnit::Micro);
        let (dtype, labels) = of(&seconds, Literal::Scalar(half));
        assert_eq!(
            (dtype, labels[1].as_str()),
            (DType::Timestamp(TimeUnit::Micro), "1970-01-01 00:00:01.500000")
        );
        let whole = Scalar::Timestamp(2_000_000, TimeUnit::Micro);
        assert_eq!(of(&seconds, Literal::Scalar(whole)).0, DType::Timestamp(TimeUnit::Second));
        let words = Series::new(["b", "a"]).and_then(|words| words.cat().encode()).expect("a dictionary");
        let (dtype, labels) = of(&Index::from_series(&words).expect("labels"), "c".into());
        assert!(matches!(dtype, DType::Dictionary(_)), "{dtype}");
        assert_eq!(labels, ["b", "c"]);
    });
}

#[test]
fn breaks_that_descend_are_error_with_both_labels() {
    on_every_device(|_| {
        let breaks = |labels: Vec<i64>| Index::new(labels).and_then(|labels| labels.intervals(Closed::Left));
        let error = breaks(vec![1, 5, 2, 0]).expect_err("5 is greater than 2").to_string();
        assert!(error.contains("intervals") && error.contains("5 is followed by 2"), "{error}");
        // Equal ones are an empty interval, as in pandas.
        assert_eq!(breaks(vec![3, 3, 4]).expect("they ascend").len(), 2);
        assert_eq!(breaks(vec![3]).expect("no interval").len(), 0);
        let floats = Index::new([2.5, 1.0]).and_then(|labels| labels.intervals(Closed::Right));
        assert!(floats.expect_err("2.5 is greater than 1").to_string().contains("2.5"));
        let nulls =
            Index::new([Some(2_i64), None, Some(1)]).and_then(|labels| labels.intervals(Closed::Right));
        assert_eq!(nulls.expect("no two of them descend").len(), 2);
        let range = Index::Range(crate::RangeIndex::new(3, -1, 3).expect("a range"));
        range.intervals(Closed::Left).expect_err("it descends");
    });
}
