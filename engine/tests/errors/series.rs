//! Series.

use columnade::{DataFrame, Series, col};

use super::{Case, called, case, without_memory};

pub(crate) fn cases() -> Vec<Case> {
    let names = &Series::new(["a", "b"]).expect("strings").rename("k");
    let numbers = &Series::new([Some(1_i64), None]).expect("numbers").rename("n");
    let long = &Series::new([1_i64, 2, 3]).expect("numbers").rename("long");
    let unnamed = &Series::new(["a", "b"]).expect("strings");
    let rows = DataFrame::new([("n", numbers.values())]).expect("a column");
    let tight = &without_memory(&rows).column("n").expect("a column");
    vec![
        called(
            "series::new",
            "Series::new",
            &["list<int32>"],
            Series::new(columnade::builders::categories([vec![1], vec![2]])),
        ),
        case("series::reduce::sum", &["k.sum()", "utf8"], names.sum()),
        case("series::reduce::sum", &["self.sum()", "utf8"], unnamed.sum()),
        case("series::reduce::mean", &["k.mean()", "utf8"], names.mean()),
        case("series::reduce::min", &["k.min()", "utf8"], names.min()),
        case("series::reduce::max", &["k.max()", "utf8"], names.max()),
        case("series::get", &["\"k\"", "7"], names.get(7)),
        case("series::to_vec", &["\"k\"", "utf8"], names.to_vec::<i64>()),
        case("series::iter", &["\"k\"", "utf8"], names.iter::<i64>()),
        case("series::to_options", &["\"k\"", "utf8"], names.to_options::<i64>()),
        case("series::slice", &["3"], names.slice(1, 3)),
        case("series::copy::deep_copy", &["\"n\""], tight.deep_copy()),
        case("series::missing::fill_null", &["\"k\"", "utf8"], names.fill_null(7)),
        case("series::missing::drop_nulls", &[], tight.drop_nulls()),
        case("series::arithmetic::evaluate", &["-k", "utf8"], names.evaluate(|x| -x)),
        case("series::arithmetic::evaluate", &["\"tax\""], names.evaluate(|x| x + col("tax"))),
        case("series::arithmetic::and", &["expression k", "utf8"], names.and(numbers)),
        case("series::arithmetic::or", &["expression k", "utf8"], names.or(numbers)),
        case("series::arithmetic::add", &["(k + n)", "utf8"], names.add(numbers)),
        case("series::arithmetic::add", &["\"long\"", "2", "3"], numbers.add(long)),
        case("series::arithmetic::sub", &["(k - n)", "utf8"], names.sub(numbers)),
        case("series::arithmetic::mul", &["(self * n)", "utf8"], unnamed.mul(numbers)),
        case("series::arithmetic::div", &["(n / other)", "utf8"], numbers.div(unnamed)),
        case("series::arithmetic::floor_div", &["utf8"], names.floor_div(names)),
        case("series::arithmetic::rem", &["(k % n)", "utf8"], names.rem(numbers)),
        case("series::numbers::checked_add", &["n.checked_add(", "int64"], numbers.checked_add(i64::MAX)),
        case("series::numbers::checked_sub", &["n.checked_sub(", "int64"], numbers.checked_sub(i64::MIN)),
        case("series::numbers::checked_mul", &["utf8"], names.checked_mul(2)),
        case("series::numbers::checked_floor_div", &["utf8"], names.checked_floor_div(numbers)),
        case("series::numbers::abs", &["k.abs()", "utf8"], names.abs()),
        case("series::numbers::neg", &["-k", "utf8"], names.neg()),
        case("series::numbers::round", &["k.round(1)", "utf8"], names.round(1)),
        case("series::arithmetic::eq", &["(k == n)", "utf8", "int64"], names.eq(numbers)),
        case("series::arithmetic::ne", &["(k != 7)", "utf8"], names.ne(7)),
        case("series::arithmetic::lt", &["(k < n)", "utf8", "int64"], names.lt(numbers)),
        case("series::arithmetic::le", &["(k <= n)", "utf8", "int64"], names.le(numbers)),
        case("series::arithmetic::gt", &["(k > n)", "utf8", "int64"], names.gt(numbers)),
        case("series::arithmetic::ge", &["(k >= n)", "utf8", "int64"], names.ge(numbers)),
        called("series::datetime::year", "dt.year", &["k.dt().year()", "utf8"], names.dt().year()),
        called("series::datetime::quarter", "dt.quarter", &["utf8"], names.dt().quarter()),
        called("series::datetime::month", "dt.month", &["utf8"], names.dt().month()),
        called("series::datetime::day", "dt.day", &["utf8"], names.dt().day()),
        called("series::datetime::day_of_year", "dt.day_of_year", &["utf8"], names.dt().day_of_year()),
        called("series::datetime::weekday", "dt.weekday", &["utf8"], names.dt().weekday()),
        called("series::datetime::hour", "dt.hour", &["utf8"], names.dt().hour()),
        called("series::datetime::minute", "dt.minute", &["utf8"], names.dt().minute()),
        called("series::datetime::second", "dt.second", &["utf8"], names.dt().second()),
        called("series::string::starts_with", "str.starts_with", &["int64"], numbers.str().starts_with("a")),
        called("series::string::ends_with", "str.ends_with", &["int64"], numbers.str().ends_with("a")),
        called("series::string::contains", "str.contains", &["int64"], numbers.str().contains("a")),
        called("series::string::like", "str.like", &["int64"], numbers.str().like("a")),
        called(
            "series::categorical::categories",
            "cat.categories",
            &["\"n\"", "int64"],
            numbers.cat().categories(),
        ),
        called("series::categorical::codes", "cat.codes", &["\"n\"", "int64"], numbers.cat().codes()),
        called(
            "series::categorical::is_ordered",
            "cat.is_ordered",
            &["\"n\"", "int64"],
            numbers.cat().is_ordered(),
        ),
        called(
            "series::categorical::as_ordered",
            "cat.as_ordered",
            &["\"n\"", "int64"],
            numbers.cat().as_ordered(),
        ),
        called(
            "series::categorical::as_unordered",
            "cat.as_unordered",
            &["int64"],
            numbers.cat().as_unordered(),
        ),
        called("series::structure::names", "struct_.names", &["\"n\"", "int64"], numbers.struct_().names()),
        called(
            "series::structure::field",
            "struct_.field",
            &["\"n\"", "int64"],
            numbers.struct_().field("x"),
        ),
        called(
            "series::structure::explode",
            "struct_.explode",
            &["\"n\"", "int64"],
            numbers.struct_().explode(),
        ),
    ]
}
