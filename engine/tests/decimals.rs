//! Decimals of every width in memory: what is computed does not depend on it.

use columnade::builders::{categories, structs};
use columnade::column::{DecimalStorage, Storage};
use columnade::expressions::Literal;
use columnade::{
    Column, DType, DataFrame, Device, ErrorKind, Exec, Merge, Scalar, SortBy, col, concat, df, lit,
    lit_decimal, read_parquet, set_default_device,
};

type Tested = Result<(), columnade::Error>;

const WIDTHS: [DecimalStorage; 3] = DecimalStorage::ALL;

fn on_every_device(test: impl Fn(&Exec) -> Tested) -> Tested {
    for device in Device::available() {
        set_default_device(device)?;
        test(&Exec::new(device)?)?;
    }
    Ok(())
}

/// Hundredths as decimals of seven digits in a width.
fn prices(hundredths: &[Option<i32>], storage: DecimalStorage, exec: &Exec) -> columnade::Result<Column> {
    let dtype = DType::decimal_stored(7, 2, storage)?;
    let scalar = |value: &Option<i32>| match value {
        Some(value) => Scalar::Decimal { value: (*value).into(), precision: 7, scale: 2 },
        None => Scalar::Null(dtype.clone()),
    };
    Ok(Column::from_scalars(&dtype, &hundredths.iter().map(scalar).collect::<Vec<_>>(), exec)?)
}

fn frame(storage: DecimalStorage, exec: &Exec) -> columnade::Result<DataFrame> {
    let x = [Some(-9_999_999), Some(150), None, Some(7), Some(150), Some(9_999_999), Some(0)];
    let y = [Some(9_999_999), Some(-1), Some(2), None, Some(100), Some(9_999_999), Some(3)];
    df! {
        "k" => ["a", "b", "a", "b", "a", "b", "a"],
        "x" => prices(&x, storage, exec)?,
        "y" => prices(&y, storage, exec)?,
    }
}

/// The rows of a column as text.
fn rows(frame: &DataFrame, name: &str) -> columnade::Result<Vec<String>> {
    Ok(frame.column(name)?.to_scalars()?.iter().map(Scalar::to_string).collect())
}

#[test]
fn results_are_independent_of_decimal_width() -> Tested {
    on_every_device(|exec| {
        for storage in WIDTHS {
            let frame = frame(storage, exec)?;
            let dtype = DType::decimal_stored(7, 2, storage)?;
            assert_eq!(frame.column("x")?.dtype(), dtype);
            let computed = frame.select([
                (col("x") + col("y")).alias("sum"),
                (col("x") * col("y")).alias("product"),
                (col("x") / col("y")).cast(DType::decimal(12, 3)?).alias("quotient"),
                (col("x") * lit_decimal("0.5")? - lit(1)).alias("constants"),
                (-col("x")).alias("negated"),
                col("x").lt(col("y")).alias("less"),
                col("x").eq(lit_decimal("1.5")?).alias("equal"),
                col("x").cast(DType::Int64).alias("whole"),
                col("x").cast(DType::Float64).alias("float"),
                col("x").is_null().alias("null"),
            ])?;
            let expected: [(&str, &str, [&str; 7]); 10] = [
                ("sum", "decimal(8,2)", ["0.00", "1.49", "<NA>", "<NA>", "2.50", "199999.98", "0.03"]),
                (
                    "product",
                    "decimal(14,4)",
                    ["-9999998000.0001", "-0.0150", "<NA>", "<NA>", "1.5000", "9999998000.0001", "0.0000"],
                ),
                (
                    "quotient",
                    "decimal(12,3)",
                    ["-1.000", "-150.000", "<NA>", "<NA>", "1.500", "1.000", "0.000"],
                ),
                (
                    "constants",
                    "decimal(9,3)",
                    ["-50000.995", "-0.250", "<NA>", "-0.965", "-0.250", "49998.995", "-1.000"],
                ),
                (
                    "negated",
                    "decimal(7,2)",
                    ["99999.99", "-1.50", "<NA>", "-0.07", "-1.50", "-99999.99", "0.00"],
                ),
                ("less", "bool", ["true", "false", "<NA>", "<NA>", "false", "false", "true"]),
                ("equal", "bool", ["false", "true", "<NA>", "false", "true", "false", "false"]),
                ("whole", "int64", ["-100000", "2", "<NA>", "0", "2", "100000", "0"]),
                ("float", "float64", ["-99999.99", "1.5", "<NA>", "0.07", "1.5", "99999.99", "0.0"]),
                ("null", "bool", ["false", "false", "true", "false", "false", "false", "false"]),
            ];
            for (name, dtype, values) in expected {
                let column = computed.column(name)?;
                assert_eq!(rows(&computed, name)?, values, "{name} of {storage:?} on {}", exec.device());
                assert_eq!(column.dtype().to_string(), dtype, "{name} of {storage:?}");
            }
        }
        Ok(())
    })
}

#[test]
fn row_operations_keep_decimal_width() -> Tested {
    on_every_device(|exec| {
        for storage in WIDTHS {
            let frame = frame(storage, exec)?;
            let dtype = frame.column("x")?.dtype();
            let moved = [
                (frame.filter(col("x").gt(lit(0)))?, "1.50 0.07 1.50 99999.99"),
                (frame.sort_values([SortBy::ascending("x")])?, "-99999.99 0.00 0.07 1.50 1.50 99999.99 <NA>"),
                (frame.slice(2, 3)?, "<NA> 0.07 1.50"),
                (concat(&[frame.head(1)?, frame.tail(1)?])?, "-99999.99 0.00"),
                (
                    frame
                        .select([col("x")])?
                        .fill_null(Literal::Decimal { value: -5, scale: 2 })?
                        .slice(1, 3)?,
                    "1.50 -0.05 0.07",
                ),
                (frame.select([col("x"), col("y").alias("z")])?.tail(1)?, "0.00"),
            ];
            for (moved, expected) in moved {
                assert_eq!(rows(&moved, "x")?.join(" "), expected, "{storage:?} on {}", exec.device());
                assert_eq!(moved.column("x")?.dtype(), dtype);
            }
            // A width is a choice, and does not make values differ.
            let other = frame_of_other_width(&frame, storage)?;
            assert!(frame.equals(&other)?);
            let both = concat(&[frame.clone(), other.clone()])?;
            assert_eq!(rows(&both, "x")?, [rows(&frame, "x")?, rows(&frame, "x")?].concat());
            let joined = frame.merge(&other, &Merge::inner().on("x"))?;
            assert_eq!(joined.len(), 9, "two rows of 1.50 meet twice, the null one meets itself");
        }
        Ok(())
    })
}

/// The same frame with decimals of the next width.
fn frame_of_other_width(frame: &DataFrame, storage: DecimalStorage) -> columnade::Result<DataFrame> {
    let next = WIDTHS[(WIDTHS.iter().position(|width| *width == storage).unwrap_or(0) + 1) % 3];
    let dtype = DType::decimal_stored(7, 2, next)?;
    let other = frame.with_columns([col("x").cast(dtype.clone()), col("y").cast(dtype.clone())])?;
    assert_eq!(other.column("y")?.dtype(), dtype);
    Ok(other)
}

#[test]
fn group_by_and_aggregates_accept_any_width() -> Tested {
    on_every_device(|exec| {
        for storage in WIDTHS {
            let frame = frame(storage, exec)?;
            let all = ["sum", "mean", "min", "max", "count"];
            let aggregates = || {
                let x = || col("x");
                [x().sum(), x().mean(), x().min(), x().max(), x().count()]
                    .into_iter()
                    .zip(all)
                    .map(|(aggregate, name)| aggregate.alias(name))
            };
            let grouped = frame.group_by(["k"]).sort(true).agg(aggregates())?;
            let expected = [
                ("sum", "decimal(38,2)", "-99998.49 100001.56"),
                ("mean", "float64", "-33332.83 33333.853333333333"),
                ("min", "decimal(7,2)", "-99999.99 0.07"),
                ("max", "decimal(7,2)", "1.50 99999.99"),
                ("count", "int64", "3 3"),
            ];
            for (name, dtype, values) in expected {
                let (left, right) = (rows(&grouped, name)?, values.split(' '));
                for (left, right) in left.iter().zip(right) {
                    let same = left == right || (name == "mean" && left[..10] == right[..10]);
                    assert!(same, "{name} of {storage:?} on {}: {left} {right}", exec.device());
                }
                assert_eq!(grouped.column(name)?.dtype().to_string(), dtype, "{name} of {storage:?}");
            }
            let by_price = frame.group_by(["x"]).sort(true).agg([col("y").count().alias("n")])?;
            assert_eq!(rows(&by_price, "x")?.join(" "), "-99999.99 0.00 0.07 1.50 99999.99");
            assert_eq!(rows(&by_price, "n")?.join(" "), "1 1 0 2 1");
            let whole = frame.agg([col("x").sum().alias("sum"), col("x").min().alias("min")])?;
            assert_eq!(
                (rows(&whole, "sum")?.join(""), rows(&whole, "min")?.join("")),
                ("3.07".into(), "-99999.99".into())
            );
        }
        Ok(())
    })
}

/// Items and fields of other widths are the same values too.
#[test]
fn nested_decimals_keep_their_width() -> Tested {
    on_every_device(|exec| {
        let hundredths = [Some(5), None, Some(-700)];
        let nested = |storage| {
            let dtype = DType::decimal_stored(7, 2, storage)?;
            let items: Vec<Scalar> = prices(&hundredths, storage, exec)?.to_scalars()?;
            let lists = DType::list(dtype.clone());
            let list = |values| Scalar::List { item: Box::new(dtype.clone()), values };
            let values = [list(items.clone()), Scalar::Null(lists.clone()), list(items[..1].to_vec())];
            let point = structs([("p", prices(&hundredths, storage, exec)?)]);
            df! { "lists" => Column::from_scalars(&lists, &values, exec)?, "points" => point }
        };
        let frames = WIDTHS.map(nested);
        for left in &frames {
            for right in &frames {
                let (left, right) = (left.as_ref().expect("a frame"), right.as_ref().expect("a frame"));
                assert!(left.equals(right)?);
                let both = concat(&[left.clone(), right.clone()])?;
                assert_eq!(rows(&both, "lists")?[3..], rows(left, "lists")?);
                assert_eq!(rows(&both, "points")?[..3], ["{p: 0.05}", "{p: <NA>}", "{p: -7.00}"]);
                let dtype = if left.dtypes() == right.dtypes() {
                    left.dtypes()[0].clone()
                } else {
                    DType::list(DType::decimal(7, 2)?)
                };
                assert_eq!(both.dtypes()[0], dtype);
            }
        }
        Ok(())
    })
}

/// A producer may lie about digits: what is computed in fewer bits than its memory has is looked at.
#[test]
fn too_many_digits_is_error() -> Tested {
    on_every_device(|exec| {
        let dtype = DType::decimal_stored(15, 2, DecimalStorage::Bits128)?;
        let wide = DType::decimal(38, 2)?;
        let value = |value| Scalar::Decimal { value, precision: 38, scale: 2 };
        let lies = Column::from_scalars(&wide, &[value(5), value(i128::from(i64::MAX) + 6)], exec)?;
        let frame = df! { "x" => lies.reinterpret(&dtype)? }?;
        let refused = frame.select([(col("x") + lit(1)).alias("y")]).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Overflow, "{refused}");
        assert_eq!(rows(&frame.head(1)?.select([(col("x") + lit(1)).alias("y")])?, "y")?, ["1.05"]);
        Ok(())
    })
}

/// Files hold values: they are read in the width of results.
#[test]
fn parquet_keeps_decimal_values() -> Tested {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("prices.parquet");
    on_every_device(|exec| {
        for storage in WIDTHS {
            let frame = frame(storage, exec)?;
            frame.write_parquet(&path)?;
            let back = read_parquet(&path).read()?;
            assert_eq!(back.column("x")?.dtype(), DType::decimal(7, 2)?);
            assert!(frame.equals(&back)?);
        }
        Ok(())
    })
}

/// Codes of 64 bits are as good as others.
#[test]
fn dictionaries_of_wide_codes_in_every_operation() -> Tested {
    on_every_device(|_| {
        let words = ["b", "a", "b", "c"];
        let frame = df! { "w" => categories(words).codes(Storage::I64), "n" => [1_i64, 2, 3, 4] }?;
        assert_eq!(frame.column("w")?.dtype().to_string(), "dictionary<int64, utf8>");
        assert_eq!(rows(&frame.filter(col("w").ne(lit("a")))?, "w")?, ["b", "b", "c"]);
        let grouped =
            frame.group_by(["w"]).agg([col("n").sum().alias("n")])?.sort_values([SortBy::ascending("w")])?;
        assert_eq!(
            (rows(&grouped, "w")?.join(" "), rows(&grouped, "n")?.join(" ")),
            ("a b c".into(), "2 4 4".into())
        );
        let narrow = df! { "w" => categories(words).codes(Storage::I8), "n" => [1_i64, 2, 3, 4] }?;
        assert!(frame.equals(&narrow)?);
        assert_eq!(frame.merge(&narrow, &Merge::inner().on("w"))?.len(), 6);
        assert_eq!(rows(&concat(&[frame, narrow])?, "w")?, [words, words].concat());
        Ok(())
    })
}

#[test]
fn sum_of_more_than_38_digits_is_overflow_that_names_column_and_dtype() -> Tested {
    on_every_device(|exec| {
        let dtype = DType::decimal(38, 2)?;
        let value = Scalar::Decimal { value: 10_i128.pow(38) - 1, precision: 38, scale: 2 };
        let decimals = |rows: usize| Column::from_scalars(&dtype, &vec![value.clone(); rows], exec);
        for rows in [2, 1000] {
            let frame = df! { "k" => vec!["a"; rows], "price" => decimals(rows)? }?;
            let sum = frame.column("price")?.sum().map(drop);
            let mean = frame.column("price")?.mean().map(drop);
            let agg = frame.agg([col("price").sum()]).map(drop);
            let grouped = frame.group_by(["k"]).agg([col("price").mean()]).map(drop);
            for result in [sum, mean, agg, grouped] {
                let error = result.unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Overflow, "{error}");
                let text = error.to_string();
                assert!(text.contains("price") && text.contains("decimal(38,2)"), "{text}");
            }
        }
        let one = df! { "price" => decimals(1)? }?;
        assert_eq!(one.column("price")?.sum()?, value);
        Ok(())
    })
}
