//! Indexes apart from frames.

use columnade::builders::categories;
use columnade::dtypes::IntervalScalar;
use columnade::expressions::{IndexerMethod, LocalTimes, hours};
use columnade::{Closed, DType, DataFrame, Index, Series, SortOrder, TimeUnit, df};

use super::{Case, called, case, frame, without_memory};

/// A case for each part of times, none of which strings have.
macro_rules! parts {
    ($index:ident: $($name:ident)*) => {
        vec![$(called(
            concat!("index::datetime::", stringify!($name)),
            concat!("dt.", stringify!($name)),
            &["utf8"],
            $index.dt().$name(),
        )),*]
    };
}

/// Labels that are no times, and times that no clock shows.
pub(crate) fn of_times() -> Vec<Case> {
    let words = &Index::new(["a", "b"]).expect("strings");
    let day = &Index::date_range(&DType::Date32, "2024-01-31", "2024-03-31", "ME").expect("days");
    let night =
        &Index::date_range_periods(&DType::Timestamp(TimeUnit::Second), "2024-03-31 02:30:00", 1, "D")
            .expect("a time");
    let rules = LocalTimes::default();
    let mut cases = parts! { words:
        year quarter month day day_of_year weekday hour minute second millisecond microsecond nanosecond iso_year week
        days_in_month is_leap_year is_month_start is_month_end is_quarter_start is_quarter_end is_year_start
        is_year_end date time day_name month_name month_start month_end tz_naive total_seconds days seconds
    };
    let others = [
        called("index::datetime::truncate", "dt.truncate", &["at character 1"], day.dt().truncate("5m")),
        called("index::datetime::add_months", "dt.add_months", &["date32"], day.dt().add_months(i64::MAX)),
        called(
            "index::datetime::periods_until",
            "dt.periods_until",
            &["utf8"],
            day.dt().periods_until("x", "1d"),
        ),
        called("index::datetime::floor", "dt.floor", &["at character 1"], day.dt().floor("5m")),
        called("index::datetime::ceil", "dt.ceil", &["at character 1"], day.dt().ceil("5m")),
        called("index::datetime::round", "dt.round", &["at character 1"], day.dt().round("5m")),
        called("index::datetime::strftime", "dt.strftime", &["at character 3"], day.dt().strftime("%Y %Q")),
        called(
            "index::datetime::tz_localize",
            "dt.tz_localize",
            &["2024-03-31 02:30:00", "does not exist"],
            night.dt().tz_localize("Europe/Berlin", rules),
        ),
        called(
            "index::datetime::tz_convert",
            "dt.tz_convert",
            &["is not in the IANA database"],
            night.dt().tz_localize("UTC", rules).and_then(|night| night.dt().tz_convert("Europe/Atlantis")),
        ),
    ];
    cases.extend(others);
    cases
}

pub(crate) fn cases() -> Vec<Case> {
    let frame = &frame();
    let tight = &without_memory(frame);
    let tight_index = &Index::from_frame(&tight.select("n").expect("a column")).expect("shares memory");
    let levels = &Index::from_arrays([("k", vec![1, 2]), ("k", vec![3, 4])]).expect("levels");
    let three = &Index::of_rows(3);
    let uneven = [("a", vec![1, 2]), ("b", vec![1, 2, 3])];
    let wrong = || categories([vec![1], vec![2]]);
    let descending = SortOrder::descending;
    let words = &Index::new(["b", "a", "b"]).expect("strings");
    let pad = IndexerMethod::Pad;
    let intervals = Index::interval_range(0, 4, 1, Closed::Right).and_then(|intervals| intervals.to_series());
    let intervals = df! { "i" => intervals.expect("intervals") }.expect("a column");
    let intervals = without_memory(&intervals).column("i").expect("a column");
    let intervals = Index::from_series(&intervals).expect("shares memory");
    let tight_intervals = intervals.as_interval().expect("intervals");
    vec![
        case("index::lookup::get_loc", &["z"], words.get_loc("z")),
        case("index::lookup::get_locs", &["z"], words.get_locs("z")),
        case("index::lookup::contains", &["2", "1"], words.contains(("a", "b"))),
        case("index::lookup::is_in", &["2", "1"], words.is_in(levels)),
        case("index::lookup::get_indexer", &["b"], words.get_indexer(words)),
        case("index::lookup::get_indexer_non_unique", &["2", "1"], words.get_indexer_non_unique(levels)),
        case("index::slices::slice_locs", &["b", "sort_index"], words.slice_locs("b"..)),
        case("index::nearest::get_indexer_with", &["b"], words.get_indexer_with(words, pad)),
        case("index::rename", &["names", "2"], levels.rename("k")),
        case("index::set_names", &["names", "3", "2"], levels.set_names(["a", "b", "c"])),
        case("index::get", &["7", "3"], three.get(7)),
        case(
            "index::append::append",
            &["int64", "utf8"],
            three.append([&Index::new(["a"]).expect("strings")]),
        ),
        case("index::equals", &[], tight_index.equals(&Index::new([1_i32, 2]).expect("numbers"))),
        case("index::is_unique", &[], tight_index.is_unique()),
        called("index::build::new", "Index::new", &["list<int32>"], Index::new(wrong())),
        case("index::build::from_arrays", &["2", "3"], Index::from_arrays(uneven)),
        case(
            "index::build::from_frame",
            &["levels"],
            Index::from_frame(&DataFrame::empty().expect("a frame")),
        ),
        case("index::build::to_series", &["\"k\""], levels.to_series()),
        case("index::build::to_frame", &["\"k\""], levels.to_frame()),
        case("index::build::get_level_values", &["\"year\""], levels.get_level_values("year")),
        case("index::build::droplevel", &["\"year\""], levels.droplevel("year")),
        case(
            "index::build::droplevel",
            &["level"],
            Index::new([1]).and_then(|one| one.rename("a")?.droplevel("a")),
        ),
        case("index::build::swaplevel", &["\"year\""], levels.swaplevel("k", "year")),
        case("index::build::reorder_levels", &["order"], levels.reorder_levels(["k"])),
        case("index::made::from_product", &["levels"], Index::from_product(Vec::<(&str, Vec<i64>)>::new())),
        case("index::made::from_tuples", &["2", "1"], Index::from_tuples([("a", 1)], ["k"])),
        case("index::made::factorize", &["2 levels"], levels.factorize()),
        case("index::made::cast", &["\"a\"", "int64"], Index::new(["a"]).and_then(|a| a.cast(DType::Int64))),
        case("index::made::fill_null", &["2 levels"], levels.fill_null(0)),
        case(
            "index::made::where_",
            &["2 levels"],
            levels.where_(&Series::new([true, false]).expect("booleans"), 0),
        ),
        case("index::ranges::index_with_freq", &["3x"], columnade::internal::index_with_freq(levels, "3x")),
        case(
            "index::ranges::date_range",
            &["3x"],
            Index::date_range(&DType::Date32, "2026-01-01", "2026-01-05", "3x"),
        ),
        case(
            "index::ranges::date_range_periods",
            &["3x"],
            Index::date_range_periods(&DType::Date32, "2026-01-01", 2, "3x"),
        ),
        case(
            "index::ranges::timedelta_range",
            &["3x"],
            Index::timedelta_range(TimeUnit::Second, hours(1), hours(2), "3x"),
        ),
        case(
            "index::ranges::timedelta_range_periods",
            &["3x"],
            Index::timedelta_range_periods(TimeUnit::Second, hours(1), 2, "3x"),
        ),
        case("index::ranges::interval_range", &["step"], Index::interval_range(0, 3, 0, Closed::Right)),
        case("index::ranges::intervals", &["2 levels"], levels.intervals(Closed::Right)),
        case(
            "index::ranges::intervals",
            &["5 is followed by 2"],
            Index::new([5, 2]).and_then(|breaks| breaks.intervals(Closed::Right)),
        ),
        case("index::interval::mid", &[], tight_intervals.mid()),
        case("index::interval::length", &[], tight_intervals.length()),
        case("index::interval::contains", &["int64", "utf8"], tight_intervals.contains("x")),
        case("index::interval::overlaps", &["int64", "utf8"], {
            let words = IntervalScalar { left: "a".into(), right: "b".into(), closed: Closed::Both };
            tight_intervals.overlaps(&words)
        }),
        case("index::shift::shift", &["freq"], Index::new([1]).and_then(|one| one.shift(1))),
        case("index::shift::shift_by", &["3x"], Index::new([1]).and_then(|one| one.shift_by(1, "3x"))),
        case("index::order::sort_values", &[], tight_index.sort_values(descending())),
        case("index::order::argsort", &[], tight_index.argsort(..)),
    ]
}
