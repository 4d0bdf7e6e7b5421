//! The calls of every day: one or many arguments, operators, namespaces, values out; on every device.

use columnade::prelude::*;
use columnade::{ErrorKind, set_default_device};
use columnade_tests::{Rng, SIZES};

type Tested = columnade::Result<()>;

fn on_every_device(test: impl Fn() -> Tested) -> Tested {
    for device in Device::available() {
        set_default_device(device)?;
        test()?;
    }
    Ok(())
}

fn frame() -> columnade::Result<DataFrame> {
    df! {
        "k" => [Some("b"), None, Some("a"), Some("b"), None],
        "n" => [3_i64, 4, 5, -1, 0],
        "x" => [Some(1.5), Some(-0.0), None, Some(2.5), None],
    }
}

/// Optional integers, a third of them null.
fn integers(rng: &mut Rng, rows: usize) -> Vec<Option<i64>> {
    let value = |rng: &mut Rng| i64::try_from(rng.below(2001)).map_or(0, |value| value - 1000);
    (0..rows).map(|_| (rng.below(3) > 0).then(|| value(rng))).collect()
}

fn same(left: &DataFrame, right: &DataFrame) -> Tested {
    assert_eq!(left.difference(right)?.map(|difference| difference.to_string()), None);
    Ok(())
}

#[test]
fn select_of_one_many_and_mixed_columns_agree() -> Tested {
    on_every_device(|| {
        let frame = frame()?;
        let names = ["n".to_owned(), "k".to_owned()];
        assert_eq!(frame.select("n")?.columns(), ["n"]);
        assert_eq!(frame.select(col("n") + 1)?.columns(), ["(n + 1)"]);
        let expected = frame.select([col("n"), col("k")])?;
        assert_eq!(expected.columns(), ["n", "k"]);
        same(&frame.select(["n", "k"])?, &expected)?;
        same(&frame.select(("n", col("k")))?, &expected)?;
        same(&frame.select(names.clone())?, &expected)?;
        same(&frame.select(&names)?, &expected)?;
        same(&frame.select(&["n", "k"][..])?, &expected)?;
        same(&frame.select(vec![Label::from("n"), Label::from("k")])?, &expected)?;
        same(&frame.select(names.iter().map(col))?, &expected)?;
        let mixed = frame.select(("k", (2 * col("n")).alias("twice"), "x", String::from("n")))?;
        assert_eq!(mixed.columns(), ["k", "twice", "x", "n"]);
        assert_eq!(mixed.column("twice")?.to_vec::<i64>()?, [6, 8, 10, -2, 0]);
        Ok(())
    })
}

#[test]
fn label_of_several_levels_is_one_label_of_drop_and_on() -> Tested {
    on_every_device(|| {
        let frame = DataFrame::new([(("tea", "price"), [3]), (("tea", "units"), [5])])?;
        assert_eq!(frame.drop(("tea", "price"))?.columns(), [("tea", "units")]);
        assert_eq!(frame.drop([("tea", "price"), ("tea", "units")])?.shape(), (1, 0));
        assert_eq!(frame.merge(&frame, &Merge::semi().on(("tea", "units")))?.len(), 1);
        assert_eq!(frame.select(col(("tea", "units")))?.columns(), [("tea", "units")]);
        let numbers = df! { 1998 => [1], "a" => [2] }?;
        assert_eq!(numbers.drop(1998)?.columns(), ["a"]);
        Ok(())
    })
}

#[test]
fn group_by_and_agg_of_one_many_and_mixed_agree() -> Tested {
    on_every_device(|| {
        let frame = frame()?;
        let expected = frame.group_by([col("k")]).agg([col("n").sum()])?;
        assert_eq!(expected.column("n")?.to_vec::<i64>()?, [2, 5]);
        same(&frame.group_by("k").agg(col("n").sum())?, &expected)?;
        same(&frame.group_by(("k",)).agg(vec![col("n").sum()])?, &expected)?;
        same(&frame.group_by(["k"]).agg(["n"].iter().map(|label| col(*label).sum()))?, &expected)?;
        let mixed = frame.group_by(("k", col("n").gt(0).alias("positive"))).agg(len())?;
        assert_eq!(mixed.columns(), ["k", "positive", "len"]);
        assert_eq!(mixed.column("len")?.to_vec::<i64>()?, [1, 1, 1]);
        assert_eq!(frame.agg(len())?.column("len")?.to_vec::<i64>()?, [5]);
        Ok(())
    })
}

#[test]
fn sort_and_dropna_of_group_by_follow_their_argument() -> Tested {
    on_every_device(|| {
        let frame = frame()?;
        let keys = |grouped: DataFrame| grouped.column("k")?.to_options::<String>();
        let text = |key: &str| Some(key.to_owned());
        let groups = || frame.group_by("k");
        assert_eq!(keys(groups().agg(len())?)?, [text("b"), text("a")]);
        assert_eq!(keys(groups().sort(true).agg(len())?)?, [text("a"), text("b")]);
        assert_eq!(keys(groups().sort(true).sort(false).agg(len())?)?, [text("b"), text("a")]);
        assert_eq!(keys(groups().dropna(false).agg(len())?)?, [text("b"), None, text("a")]);
        assert_eq!(keys(groups().dropna(false).dropna(true).agg(len())?)?, [text("b"), text("a")]);
        assert_eq!(keys(groups().dropna(false).sort(true).agg(len())?)?, [text("a"), text("b"), None]);
        Ok(())
    })
}

#[test]
fn nulls_equal_of_merge_follows_its_argument() -> Tested {
    on_every_device(|| {
        let frame = frame()?;
        let rows = |merge: Merge| Ok::<_, columnade::Error>(frame.merge(&frame, &merge.on("k"))?.len());
        assert_eq!(rows(Merge::inner())?, 9);
        assert_eq!(rows(Merge::inner().nulls_equal(false))?, 5);
        assert_eq!(rows(Merge::inner().nulls_equal(false).nulls_equal(true))?, 9);
        assert_eq!(rows(Merge::anti().nulls_equal(false))?, 2);
        Ok(())
    })
}

#[test]
fn sort_values_of_one_and_many_agree() -> Tested {
    on_every_device(|| {
        let frame = frame()?;
        let numbers = |frame: DataFrame| frame.column("n")?.to_vec::<i64>();
        assert_eq!(numbers(frame.sort_values("n")?)?, [-1, 0, 3, 4, 5]);
        assert_eq!(numbers(frame.sort_values(SortBy::descending("n"))?)?, [5, 4, 3, 0, -1]);
        assert_eq!(numbers(frame.sort_values(["k", "n"])?)?, [5, -1, 3, 0, 4]);
        assert_eq!(numbers(frame.sort_values(["k".into(), SortBy::descending("n")])?)?, [5, 3, -1, 4, 0]);
        assert_eq!(numbers(frame.sort_values(vec!["k", "n"])?)?, [5, -1, 3, 0, 4]);
        Ok(())
    })
}

#[test]
fn with_column_of_expression_is_that_of_with_columns() -> Tested {
    on_every_device(|| {
        let frame = frame()?;
        let expected = frame.with_columns([(col("n") * 2).alias("d")])?;
        same(&frame.with_column("d", col("n") * 2)?, &expected)?;
        same(&frame.with_column("d", [6_i64, 8, 10, -2, 0])?, &expected)?;
        same(&frame.with_columns((col("n") * 2).alias("d"))?, &expected)?;
        // The column of that label is read before it is replaced, and an alias does not rename it.
        let replaced = frame.with_column("n", (col("n") + 1).alias("other"))?;
        assert_eq!(replaced.columns(), ["k", "n", "x"]);
        assert_eq!(replaced.column("n")?.to_vec::<i64>()?, [4, 5, 6, 0, 1]);
        assert_eq!(frame.with_column("one", lit(1))?.column("one")?.len(), 5);
        let missing = frame.with_column("d", col("tax"));
        assert_eq!(missing.err().map(|error| error.kind()), Some(ErrorKind::Key));
        Ok(())
    })
}

#[test]
fn drop_nulls_of_frame_follows_options() -> Tested {
    on_every_device(|| {
        let frame = frame()?.drop("n")?;
        let rows = |options: DropNulls| Ok::<_, columnade::Error>(frame.drop_nulls(options)?.len());
        assert_eq!(frame.drop_nulls(..)?.len(), 2);
        assert_eq!(rows(DropNulls::any())?, 2);
        assert_eq!(rows(DropNulls::all())?, 4);
        assert_eq!(rows(DropNulls::thresh(1))?, 4);
        assert_eq!(rows(DropNulls::thresh(2))?, 2);
        assert_eq!(rows(DropNulls::thresh(3))?, 0);
        assert_eq!(rows(DropNulls::thresh(0))?, 5);
        assert_eq!(rows(DropNulls::all().subset("k"))?, 3);
        assert_eq!(frame.drop_nulls(vec!["k"])?.len(), 3);
        assert_eq!(frame.drop_nulls(&["k", "x"][..])?.len(), 2);
        let missing = frame.drop_nulls(DropNulls::all().subset(["k", "tax"]));
        assert_eq!(missing.err().map(|error| error.kind()), Some(ErrorKind::Key));
        Ok(())
    })
}

/// `$op` of a literal, an expression and a series, on either side, against the same on Rust's integers.
macro_rules! operator_agrees {
    ($values:expr, $op:tt) => {{
        let values: &[Option<i64>] = $values;
        let series = Series::new(values.to_vec())?.rename("n");
        let frame = DataFrame::new([("n", &series)])?;
        let expected = |operation: fn(i64) -> i64| -> Vec<Option<i64>> {
            values.iter().map(|value| value.map(operation)).collect()
        };
        let computed = |expr: Expr| frame.select(expr.alias("r"))?.column("r")?.to_options::<i64>();
        let n = col("n");
        assert_eq!(computed(7 $op col("n"))?, expected(|n| 7 $op n));
        assert_eq!(computed(7 $op &n)?, expected(|n| 7 $op n));
        assert_eq!(computed(&n $op 7)?, expected(|n| n $op 7));
        assert_eq!(computed(&n $op &n)?, expected(|n| n $op n));
        assert_eq!((7 $op &series)?.to_options::<i64>()?, expected(|n| 7 $op n));
        assert_eq!((7 $op series.clone())?.to_options::<i64>()?, expected(|n| 7 $op n));
        assert_eq!((&series $op 7)?.to_options::<i64>()?, expected(|n| n $op 7));
        assert_eq!((&series $op &series)?.to_options::<i64>()?, expected(|n| n $op n));
        assert_eq!((series.clone() $op &series)?.to_options::<i64>()?, expected(|n| n $op n));
        assert_eq!((&series $op 7)?.name(), "n");
    }};
}

#[test]
fn operators_of_expressions_and_series_agree_with_integers() -> Tested {
    on_every_device(|| {
        let mut rng = Rng::new(71);
        for rows in SIZES {
            let values = integers(&mut rng, rows);
            operator_agrees!(&values, +);
            operator_agrees!(&values, -);
            operator_agrees!(&values, *);
        }
        Ok(())
    })
}

#[test]
fn quotients_remainders_and_signs_of_series_agree_with_numbers() -> Tested {
    on_every_device(|| {
        let series = Series::new([Some(7.0), None, Some(-2.0)])?;
        assert_eq!((14.0 / &series)?.to_options::<f64>()?, [Some(2.0), None, Some(-7.0)]);
        assert_eq!((&series / 2.0)?.to_options::<f64>()?, [Some(3.5), None, Some(-1.0)]);
        assert_eq!((-&series)?.to_options::<f64>()?, [Some(-7.0), None, Some(2.0)]);
        let whole = Series::new([Some(7_i64), None, Some(-2)])?;
        assert_eq!((&whole % 4)?.to_options::<i64>()?, [Some(3), None, Some(2)]);
        assert_eq!((9 % &whole)?.to_options::<i64>()?, [Some(2), None, Some(-1)]);
        let left = Series::new([Some(true), Some(true), Some(false), None, None, None])?;
        let right = Series::new([Some(true), None, None, None, Some(true), Some(false)])?;
        let and = [Some(true), None, Some(false), None, None, Some(false)];
        let or = [Some(true), Some(true), None, None, Some(true), None];
        assert_eq!((&left & &right)?.to_options::<bool>()?, and);
        assert_eq!((&left | &right)?.to_options::<bool>()?, or);
        assert_eq!((!&left)?.to_options::<bool>()?, [Some(false), Some(false), Some(true), None, None, None]);
        let frame = DataFrame::new([("a", &left)])?;
        assert_eq!(frame.filter(true & col("a"))?.len(), 2);
        assert_eq!(frame.filter(false | !col("a"))?.len(), 1);
        Ok(())
    })
}

#[test]
fn operator_on_series_of_other_dtype_is_an_error() -> Tested {
    on_every_device(|| {
        let (words, numbers) = (Series::new(["a", "b"])?.rename("k"), Series::new([1_i64, 2])?);
        let refused = |result: columnade::Result<Series>, parts: &[&str]| {
            let text = result.err().map(|error| error.to_string()).unwrap_or_default();
            assert!(parts.iter().all(|part| text.contains(part)), "{text}");
        };
        refused(&words + &numbers, &["add: ", "(k + other)", "utf8"]);
        refused(1 - &words, &["sub: ", "utf8"]);
        refused(-&words, &["neg: ", "-k", "utf8"]);
        refused(!numbers, &["not: ", "int64"]);
        Ok(())
    })
}

#[test]
fn namespaces_of_series_are_those_of_expressions() -> Tested {
    on_every_device(|| {
        let days = [
            Some(Date { year: 1969, month: 12, day: 31 }),
            None,
            Some(Date { year: 2024, month: 2, day: 29 }),
        ];
        let frame = df! { "d" => days, "s" => [Some("naïve"), None, Some("")] }?;
        let (d, s) = (frame.column("d")?, frame.column("s")?);
        let computed = |expr: Expr| frame.select(expr.alias("r"))?.column("r");
        let pairs = [
            (d.dt().year()?, computed(col("d").dt().year())?, "1969 <NA> 2024"),
            (d.dt().quarter()?, computed(col("d").dt().quarter())?, "4 <NA> 1"),
            (d.dt().month()?, computed(col("d").dt().month())?, "12 <NA> 2"),
            (d.dt().day()?, computed(col("d").dt().day())?, "31 <NA> 29"),
            (d.dt().day_of_year()?, computed(col("d").dt().day_of_year())?, "365 <NA> 60"),
            (d.dt().weekday()?, computed(col("d").dt().weekday())?, "2 <NA> 3"),
            (s.str().starts_with("na")?, computed(col("s").str().starts_with("na"))?, "true <NA> false"),
            (s.str().ends_with("ve")?, computed(col("s").str().ends_with("ve"))?, "true <NA> false"),
            (s.str().contains("ï")?, computed(col("s").str().contains("ï"))?, "true <NA> false"),
            (s.str().like("na_ve")?, computed(col("s").str().like("na_ve"))?, "true <NA> false"),
        ];
        for (of_series, of_expr, expected) in pairs {
            assert!(of_series.equals(&of_expr)?, "{of_series} {of_expr}");
            let text: Vec<String> = of_series.to_scalars()?.iter().map(ToString::to_string).collect();
            assert_eq!(text.join(" "), expected);
        }
        let times = Series::new(timestamps([3_600_i64 * 23 + 59 * 60 + 58], TimeUnit::Second))?;
        let clock = [times.dt().hour()?, times.dt().minute()?, times.dt().second()?];
        let clock = clock.iter().map(Series::to_vec::<i32>).collect::<columnade::Result<Vec<_>>>()?.concat();
        assert_eq!(clock, [23, 59, 58]);
        Ok(())
    })
}

#[test]
fn cat_of_slice_keeps_categories_and_codes_of_its_rows() -> Tested {
    on_every_device(|| {
        let sizes = categories([Some("low"), None, Some("high"), Some("low")]).among(["low", "mid", "high"]);
        let sizes = Series::new(sizes)?.rename("size").slice(1, 3)?;
        assert_eq!(sizes.cat().codes()?.to_options::<i32>()?, [None, Some(2), Some(0)]);
        assert_eq!(sizes.cat().codes()?.name(), "size");
        assert_eq!(sizes.cat().categories()?.to_vec::<String>()?, ["low", "mid", "high"]);
        assert!(!sizes.cat().is_ordered()?);
        let ordered = sizes.cat().as_ordered()?;
        assert!(ordered.cat().is_ordered()? && !ordered.cat().as_unordered()?.cat().is_ordered()?);
        assert_eq!(ordered.to_options::<String>()?, sizes.to_options::<String>()?);
        Ok(())
    })
}

#[test]
fn struct_fields_are_null_where_the_struct_is() -> Tested {
    on_every_device(|| {
        let points =
            df! { "x" => [Some(1), None, Some(3)], "y" => ["a", "b", "c"] }?.to_struct()?.rename("p");
        let column = points.values().with_validity([true, true, false], points.exec())?;
        let points = Series::new(column)?.rename("p").slice(1, 2)?;
        assert_eq!(points.struct_().names()?, ["x", "y"]);
        assert_eq!(points.struct_().field("x")?.to_options::<i32>()?, [None, None]);
        let y = points.struct_().field("y")?;
        assert_eq!(
            (y.to_options::<String>()?, y.name().to_string()),
            (vec![Some("b".into()), None], "y".into())
        );
        let frame = points.struct_().explode()?;
        assert_eq!(
            (frame.shape(), frame.column("y")?.to_options::<String>()?),
            ((2, 2), vec![Some("b".into()), None])
        );
        Ok(())
    })
}

#[test]
fn iter_gives_values_and_nulls_in_order() -> Tested {
    on_every_device(|| {
        let mut rng = Rng::new(72);
        for rows in SIZES {
            let values = integers(&mut rng, rows);
            let skipped = rows.min(3);
            let series = Series::new(values.clone())?.slice(skipped, rows - skipped)?;
            let mut iter = series.iter::<i64>()?;
            assert_eq!(iter.len(), rows - skipped);
            assert!(iter.by_ref().eq(values[skipped..].iter().copied()));
            assert_eq!(iter.next(), None);
        }
        let words = Series::new(["a"])?;
        assert!(words.iter::<i64>().is_err_and(|error| error.to_string().starts_with("iter: ")));
        Ok(())
    })
}

#[test]
fn example_of_readme_prints_what_it_shows() -> Tested {
    const README: &str = include_str!("../../README.md");
    let shown = README.split("```text\n").nth(1).and_then(|rest| rest.split("\n```").next());
    let revenue = df! { "city" => ["Turin", "Oslo"], "revenue" => [30.0, 10.0], "orders" => [1_i64, 1] }?;
    assert_eq!(shown, Some(revenue.to_string().as_str()));
    Ok(())
}

#[test]
fn prelude_serves_a_whole_program() -> Tested {
    on_every_device(|| {
        let orders = df! {
            "day" => dates([20_000, 20_001, 20_001]),
            "price" => decimals([1999_i64, 500, 250], 15, 2),
            "units" => [1, 2, 4],
        }?;
        let twice = concat([&orders, &orders])?;
        let totals = twice
            .with_column("total", col("price") * col("units"))?
            .filter(col("day").ge(date("2024-10-05")?))?
            .group_by("day")
            .agg([col("total").sum(), len().alias("orders")])?;
        let total = totals.column("total")?.get(0)?.to_string();
        assert_eq!((totals.shape(), total.as_str()), ((1, 3), "40.00"));
        Ok(())
    })
}

#[test]
fn tuples_of_expressions_are_several_expressions() -> Tested {
    on_every_device(|| {
        let frame = frame()?;
        let (sum, most) = (|| col("n").sum(), || col("x").max());
        same(&frame.agg((sum(), most()))?, &frame.agg([sum(), most()])?)?;
        same(&frame.group_by("k").agg((sum(), len()))?, &frame.group_by("k").agg([sum(), len()])?)?;
        let twice = || (col("n") * 2).alias("twice");
        same(&frame.with_columns((twice(),))?, &frame.with_columns(twice())?)?;
        let plus = |n: i64| (col("n") + n).alias(format!("n + {n}"));
        let many = (plus(1), plus(2), plus(3), plus(4), plus(5), plus(6), plus(7), plus(8));
        same(&frame.with_columns(many)?, &frame.with_columns((1..=8).map(plus))?)?;
        let by = |expr: Expr| frame.with_columns(expr.alias("by"));
        same(&by(sum().over(("k", col("n").gt(3))))?, &by(sum().over([col("k"), col("n").gt(3)]))?)?;
        Ok(())
    })
}

#[test]
fn values_of_every_dtype_come_out_typed() -> Tested {
    on_every_device(|| {
        let prices = Series::new(decimals([1999_i64, -5], 7, 2))?;
        let found = prices.to_vec::<Decimal>()?;
        assert_eq!(found, [Decimal { value: 1999, scale: 2 }, Decimal { value: -5, scale: 2 }]);
        assert_eq!(found[1].to_string(), "-0.05");
        let times = Series::new(timestamps([0_i64, -1], TimeUnit::Milli))?;
        let time = |value| Timestamp { value, unit: TimeUnit::Milli };
        assert_eq!(times.to_vec::<Timestamp>()?, [time(0), time(-1)]);
        let spans = times.evaluate(|time| time - col("self").shift(1))?;
        let span = Timedelta { value: -1, unit: TimeUnit::Milli };
        assert_eq!(spans.to_options::<Timedelta>()?, [None, Some(span)]);
        let lists = vec![vec![1_i64, 2], vec![], vec![3]];
        let series = Series::new(lists.clone())?;
        assert_eq!(series.to_vec::<Vec<i64>>()?, lists);
        let sums: Vec<i64> = series.iter::<Vec<i64>>()?.flatten().map(|list| list.iter().sum()).collect();
        assert_eq!(sums, [3, 0, 3]);
        let error = series.rename("l").to_vec::<i64>().unwrap_err().to_string();
        assert_eq!(error, "to_vec: column \"l\": values of list<int64> are read as Vec<i64>, not as i64");
        Ok(())
    })
}

#[test]
fn unique_by_no_labels_and_filter_by_numbers_say_what_to_write() -> Tested {
    let frame = frame()?;
    let error = frame.unique(Vec::<&str>::new()).unwrap_err();
    assert_eq!(error.to_string(), "unique: subset: it has no labels; `..` takes all columns");
    assert_eq!(error.kind(), ErrorKind::Value);
    assert_eq!(frame.unique(..)?.len(), 5);
    let error = frame.filter(col("n")).unwrap_err();
    assert_eq!(error.to_string(), "filter: expression n: a boolean is expected, not int64");
    assert_eq!(error.kind(), ErrorKind::Type);
    let [a, b] = [Series::new([1, 2])?, Series::new(["a", "b"])?];
    let error = a.rename("a").corr(&b.rename("b")).unwrap_err();
    assert_eq!(error.to_string(), "corr: expression a.corr(b): expression b: dtype utf8 is not supported");
    Ok(())
}

#[test]
fn parquet_paths_are_all_kinds_of_strings_and_paths() -> Tested {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    let frame = frame()?;
    frame.write_parquet(&path)?;
    let text = path.to_str().unwrap().to_owned();
    let rows = |reader: columnade::parquet::ParquetReader<'_>| reader.read().map(|frame| frame.len());
    assert_eq!(rows(read_parquet(&text))?, 5);
    assert_eq!(rows(read_parquet(text.as_str()))?, 5);
    assert_eq!(rows(read_parquet(text))?, 5);
    assert_eq!(rows(read_parquet(path.as_os_str()))?, 5);
    assert_eq!(rows(read_parquet(path.clone().into_os_string()))?, 5);
    assert_eq!(rows(read_parquet(path))?, 5);
    Ok(())
}
