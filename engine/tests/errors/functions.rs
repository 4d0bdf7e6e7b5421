//! Functions of the values of a series.

use columnade::expressions::{LocalTimes, Unmatched};
use columnade::{
    DType, Exec, Scalar, Series, TimeUnit, TimeZone, date_range, date_range_periods, date_range_periods_with,
    date_range_with, df,
};

use super::{Case, called, case, without_memory};

/// One timestamp.
fn time(text: &str) -> Series {
    let dtype = DType::Timestamp(TimeUnit::Second);
    let time = Scalar::parse(&dtype, text).expect("a timestamp");
    let column = columnade::Column::from_scalars(&dtype, &[time], &Exec::host()).expect("a column");
    Series::new(column).expect("a series").rename("t")
}

pub(crate) fn cases() -> Vec<Case> {
    let names = &Series::new(["a", "b"]).expect("strings").rename("k");
    let numbers = &Series::new([Some(1_i64), None]).expect("numbers").rename("n");
    vec![
        case("series::math::exp", &["k.exp()", "utf8"], names.exp()),
        case("series::math::expm1", &["k.expm1()", "utf8"], names.expm1()),
        case("series::math::ln", &["k.ln()", "utf8"], names.ln()),
        case("series::math::log1p", &["k.log1p()", "utf8"], names.log1p()),
        case("series::math::log2", &["k.log2()", "utf8"], names.log2()),
        case("series::math::log10", &["k.log10()", "utf8"], names.log10()),
        case("series::math::sqrt", &["k.sqrt()", "utf8"], names.sqrt()),
        case("series::math::cbrt", &["k.cbrt()", "utf8"], names.cbrt()),
        case("series::math::sin", &["k.sin()", "utf8"], names.sin()),
        case("series::math::cos", &["k.cos()", "utf8"], names.cos()),
        case("series::math::tan", &["k.tan()", "utf8"], names.tan()),
        case("series::math::asin", &["k.asin()", "utf8"], names.asin()),
        case("series::math::acos", &["k.acos()", "utf8"], names.acos()),
        case("series::math::atan", &["k.atan()", "utf8"], names.atan()),
        case("series::math::sinh", &["k.sinh()", "utf8"], names.sinh()),
        case("series::math::cosh", &["k.cosh()", "utf8"], names.cosh()),
        case("series::math::tanh", &["k.tanh()", "utf8"], names.tanh()),
        case("series::math::asinh", &["k.asinh()", "utf8"], names.asinh()),
        case("series::math::acosh", &["k.acosh()", "utf8"], names.acosh()),
        case("series::math::atanh", &["k.atanh()", "utf8"], names.atanh()),
        case("series::math::floor", &["k.floor()", "utf8"], names.floor()),
        case("series::math::ceil", &["k.ceil()", "utf8"], names.ceil()),
        case("series::math::trunc", &["k.trunc()", "utf8"], names.trunc()),
        case("series::math::sign", &["k.sign()", "utf8"], names.sign()),
        case("series::math::bit_not", &["k.bit_not()", "utf8"], names.bit_not()),
        case("series::math::is_nan", &["k.is_nan()", "utf8"], names.is_nan()),
        case("series::math::is_finite", &["k.is_finite()", "utf8"], names.is_finite()),
        case("series::math::is_infinite", &["k.is_infinite()", "utf8"], names.is_infinite()),
        case("series::math::pow", &["utf8"], names.pow(2.0)),
        case("series::math::bit_and", &["utf8"], names.bit_and(numbers)),
        case("series::math::bit_or", &["utf8"], names.bit_or(numbers)),
        case("series::math::bit_xor", &["utf8"], names.bit_xor(numbers)),
        case("series::math::shift_left", &["k.shift_left(1)", "utf8"], names.shift_left(1)),
        case("series::math::shift_right", &["k.shift_right(1)", "utf8"], names.shift_right(1)),
        case("series::math::eq_missing", &["utf8", "int64"], names.eq_missing(numbers)),
        case("series::math::ne_missing", &["utf8", "int64"], names.ne_missing(numbers)),
        case("series::math::clip_min", &["utf8", "int64"], names.clip_min(numbers)),
        case("series::math::clip_max", &["utf8", "int64"], names.clip_max(numbers)),
        case("series::math::min_with", &["utf8", "int64"], names.min_with(numbers)),
        case("series::math::max_with", &["utf8", "int64"], names.max_with(numbers)),
        case("series::math::log", &["utf8"], names.log(2.0)),
        case("series::math::clip", &["utf8"], names.clip(1, 2)),
        case("series::math::replace", &["utf8"], names.replace([(1, 2)])),
        case("series::math::replace_or", &["utf8"], names.replace_or([(1, 2)], 0)),
        case("series::math::replace_strict", &["utf8"], names.replace_strict([(1, 2)])),
        case("series::math::atan2", &["utf8"], names.atan2(1)),
        case("series::math::between", &["utf8"], names.between(1, 2)),
        case("series::math::interpolate_limit", &["k.interpolate()", "utf8"], names.interpolate_limit(1)),
        case("series::math::interpolate", &["k.interpolate()", "utf8"], names.interpolate()),
    ]
}

/// Parts of times.
pub(crate) fn of_parts() -> Vec<Case> {
    let names = &Series::new(["a", "b"]).expect("strings").rename("k");
    vec![
        called(
            "series::datetime::millisecond",
            "dt.millisecond",
            &["k.dt().millisecond()", "utf8"],
            names.dt().millisecond(),
        ),
        called(
            "series::datetime::microsecond",
            "dt.microsecond",
            &["k.dt().microsecond()", "utf8"],
            names.dt().microsecond(),
        ),
        called(
            "series::datetime::nanosecond",
            "dt.nanosecond",
            &["k.dt().nanosecond()", "utf8"],
            names.dt().nanosecond(),
        ),
        called(
            "series::datetime::iso_year",
            "dt.iso_year",
            &["k.dt().iso_year()", "utf8"],
            names.dt().iso_year(),
        ),
        called("series::datetime::week", "dt.week", &["k.dt().week()", "utf8"], names.dt().week()),
        called(
            "series::datetime::days_in_month",
            "dt.days_in_month",
            &["k.dt().days_in_month()", "utf8"],
            names.dt().days_in_month(),
        ),
        called(
            "series::datetime::is_leap_year",
            "dt.is_leap_year",
            &["k.dt().is_leap_year()", "utf8"],
            names.dt().is_leap_year(),
        ),
        called(
            "series::datetime::is_month_start",
            "dt.is_month_start",
            &["k.dt().is_month_start()", "utf8"],
            names.dt().is_month_start(),
        ),
        called(
            "series::datetime::is_month_end",
            "dt.is_month_end",
            &["k.dt().is_month_end()", "utf8"],
            names.dt().is_month_end(),
        ),
        called(
            "series::datetime::is_quarter_start",
            "dt.is_quarter_start",
            &["k.dt().is_quarter_start()", "utf8"],
            names.dt().is_quarter_start(),
        ),
        called(
            "series::datetime::is_quarter_end",
            "dt.is_quarter_end",
            &["k.dt().is_quarter_end()", "utf8"],
            names.dt().is_quarter_end(),
        ),
        called(
            "series::datetime::is_year_start",
            "dt.is_year_start",
            &["k.dt().is_year_start()", "utf8"],
            names.dt().is_year_start(),
        ),
        called(
            "series::datetime::is_year_end",
            "dt.is_year_end",
            &["k.dt().is_year_end()", "utf8"],
            names.dt().is_year_end(),
        ),
        called("series::datetime::date", "dt.date", &["k.dt().date()", "utf8"], names.dt().date()),
        called("series::datetime::time", "dt.time", &["k.dt().time()", "utf8"], names.dt().time()),
        called(
            "series::datetime::day_name",
            "dt.day_name",
            &["k.dt().day_name()", "utf8"],
            names.dt().day_name(),
        ),
        called(
            "series::datetime::month_name",
            "dt.month_name",
            &["k.dt().month_name()", "utf8"],
            names.dt().month_name(),
        ),
        called(
            "series::datetime::month_start",
            "dt.month_start",
            &["k.dt().month_start()", "utf8"],
            names.dt().month_start(),
        ),
        called(
            "series::datetime::month_end",
            "dt.month_end",
            &["k.dt().month_end()", "utf8"],
            names.dt().month_end(),
        ),
        called(
            "series::datetime::tz_naive",
            "dt.tz_naive",
            &["k.dt().tz_naive()", "utf8"],
            names.dt().tz_naive(),
        ),
        called(
            "series::datetime::total_seconds",
            "dt.total_seconds",
            &["k.dt().total_seconds()", "utf8"],
            names.dt().total_seconds(),
        ),
        called("series::datetime::days", "dt.days", &["k.dt().days()", "utf8"], names.dt().days()),
    ]
}

/// Times, and what is made of them.
pub(crate) fn of_times() -> Vec<Case> {
    let names = &Series::new(["a", "b"]).expect("strings").rename("k");
    let rows = df! { "n" => [1_i64, 2] }.expect("a column");
    let tight = &without_memory(&rows).column("n").expect("a column");
    let day = &time("2024-02-29 13:45:10").dt().date().expect("days");
    let berlin = TimeZone::new("Europe/Berlin").expect("a zone");
    let berlin = DType::TimestampTz(TimeUnit::Second, berlin);
    vec![
        called(
            "series::datetime::seconds",
            "dt.seconds",
            &["k.dt().seconds()", "utf8"],
            names.dt().seconds(),
        ),
        called("series::datetime::truncate", "dt.truncate", &["at character 1"], day.dt().truncate("5m")),
        called("series::datetime::floor", "dt.floor", &["at character 1"], day.dt().floor("5m")),
        called("series::datetime::ceil", "dt.ceil", &["at character 1"], day.dt().ceil("5m")),
        called("series::datetime::round", "dt.round", &["at character 1"], day.dt().round("5m")),
        called("series::datetime::add_months", "dt.add_months", &["date32"], day.dt().add_months(i64::MAX)),
        called("series::datetime::add_years", "dt.add_years", &["date32"], day.dt().add_years(1_000_000_000)),
        called(
            "series::datetime::offset_by",
            "dt.offset_by",
            &["no multiple of the unit", "date32"],
            day.dt().offset_by("1mo2h"),
        ),
        called(
            "series::datetime::periods_until",
            "dt.periods_until",
            &["utf8"],
            day.dt().periods_until("x", "1d"),
        ),
        called(
            "series::datetime::tz_localize",
            "dt.tz_localize",
            &["2024-03-31 02:30:00", "does not exist"],
            time("2024-03-31 02:30:00").dt().tz_localize("Europe/Berlin", LocalTimes::default()),
        ),
        called(
            "series::datetime::tz_localize",
            "dt.tz_localize",
            &["2024-10-27 02:30:00", "is ambiguous"],
            time("2024-10-27 02:30:00").dt().tz_localize("Europe/Berlin", LocalTimes::default()),
        ),
        called(
            "series::datetime::tz_convert",
            "dt.tz_convert",
            &["is not in the IANA database"],
            time("2024-10-27 02:30:00")
                .dt()
                .tz_localize("UTC", LocalTimes::default())
                .and_then(|instant| instant.dt().tz_convert("Europe/Atlantis")),
        ),
        case(
            "date_range::date_range",
            &["\"M\"", "ME for ends of months"],
            date_range(&DType::Date32, "2024-01-01", "2024-02-01", "M"),
        ),
        case(
            "date_range::date_range_periods",
            &["\"today\"", "date32"],
            date_range_periods(&DType::Date32, "today", 3, "D"),
        ),
        case(
            "date_range::date_range_with",
            &["2024-03-31 02:30:00", "does not exist"],
            date_range_with(
                &berlin,
                "2024-03-31 02:30:00",
                "2024-04-02 00:00:00",
                "D",
                LocalTimes::default(),
            ),
        ),
        case(
            "date_range::date_range_periods_with",
            &["2024-10-27 02:30:00", "is ambiguous"],
            date_range_periods_with(&berlin, "2024-10-26 02:30:00", 2, "D", LocalTimes::default()),
        ),
        case("series::distinct::get_dummies", &[], tight.get_dummies()),
        called("series::datetime::strftime", "dt.strftime", &["at character 3"], day.dt().strftime("%Y %Q")),
        called(
            "series::datetime::to_datetime",
            "str.to_datetime",
            &["\"a\"", "does not match"],
            names.str().to_datetime(DType::Date32, "%Y"),
        ),
        called(
            "series::datetime::to_datetime_with",
            "str.to_datetime_with",
            &["format: it has no year"],
            names.str().to_datetime_with(DType::Date32, "%m", Unmatched::Null),
        ),
    ]
}
